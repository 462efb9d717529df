// SPDX-License-Identifier: ISC
//
// The line discipline (firmware/kernel/tty.c and ttyctl.c) on the real driver (firmware/drivers/uart.c), with registers in memory:
// each row of a table sets a mode, types bytes, and says what is echoed and what reads find. The rows that POSIX decides are run
// on a pseudo-terminal of this machine, too. Then the flow control. Prints TAP.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avr/interrupt.h>
#include <avr/io.h>
#include <octix/abi.h>
#include <octix/errno.h>

#include "drivers/uart.h"
#include "kernel/proc.h"
#include "kernel/signal.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "pty.h"
#include "vm/frames.h"

void USART0_RX_vect(void);
void USART0_UDRE_vect(void);

// ---- the kernel around it

struct proc procs[PROCS], *running = procs;
volatile uint8_t machine_lines[16], PORTD;
bool machine_interrupts;
static uint8_t memory[65536];
static unsigned signals, group_2; // sent to group 1, to group 2: bit n
static uint32_t now;       // milliseconds
static bool requested;
static uint8_t frames_free;
uint8_t pool_memory[FRAMES * FRAME_SIZE];

void machine_sei(void) { machine_interrupts = true; }
void machine_request(void) { requested = true; }
void fail(int8_t error) { printf("# failed with %d\n", error); exit(1); }
void check(int8_t error) { if (error) fail(error); }
bool proc_wake(uint8_t state, const void *on) { (void)state, (void)on; return false; }
void proc_wake_reader(const void *tty) { (void)tty; running->state = PROC_RUN; running->timed = false; }
bool group_ignores(uint16_t group, uint8_t signal) { (void)group, (void)signal; return false; }
uint32_t signal_bit(uint8_t signal) { return 1u << signal; }
bool group_orphaned(uint16_t group) { return group == 77; }
bool borrows(const struct proc *p) { (void)p; return false; }
uint8_t frame_take_pipe(void) { return frames_free ? frames_free-- : NO_FRAME; }
void frame_drop(uint8_t f) { (void)f; frames_free++; }
void proc_signal(struct proc *p, uint8_t signal) { signals |= p == INIT ? 1u << signal : 0; }
bool group_exists(int16_t group) { return group == 1; }
void group_signal(uint16_t group, uint8_t signal) { *(group == 1 ? &signals : &group_2) |= 1u << signal; }
bool time_is_up(uint32_t ms)
{
	if (!running->timed) {
		running->deadline = now + ms;
		running->timed = true;
	}
	if ((int32_t)(now - running->deadline) < 0)
		return false;
	running->timed = false;
	return true;
}
int8_t give(uint16_t va, const void *from, uint16_t n) { memcpy(memory + va, from, n); return 0; }
int8_t copy_in(uint8_t space, void *to, uint16_t va, uint16_t n) { (void)space; memcpy(to, memory + va, n); return 0; }
uint8_t *user_byte(uint8_t space, uint16_t va, bool write) { (void)space, (void)write; return memory + va; }
int8_t user_error(void) { return -OX_EFAULT; }
uint16_t in_page(uint16_t va, uint16_t n) { return n < 256u - (uint8_t)va ? n : 256u - (uint8_t)va; }

static char out[70000]; // what the line has sent
static size_t sent;

static void send_all(void)
{
	while (machine_lines[UART_B] & _BV(UDRIE0)) {
		machine_lines[UART_A] = _BV(UDRE0);
		USART0_UDRE_vect();
		if (!(machine_lines[UART_A] & _BV(UDRE0)) && sent < sizeof out - 1)
			out[sent++] = (char)machine_lines[UART_DR];
	}
	machine_lines[UART_A] = _BV(UDRE0) | _BV(TXC0);
}

void machine_wait(void) { send_all(); }

// A byte arrives; the kernel is not asked.
static void arrive(uint8_t c, uint8_t status)
{
	machine_lines[UART_A] = status;
	machine_lines[UART_DR] = c;
	USART0_RX_vect();
	machine_lines[UART_A] = _BV(UDRE0) | _BV(TXC0);
}

static void type(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		arrive((uint8_t)text[i], 0);
		tty_poll();
		send_all();
	}
}

static struct open console = { .kind = OPEN_CONSOLE };

static int16_t request(uint16_t request, const void *data, size_t n)
{
	memcpy(memory + 512, data, n);
	return tty_ioctl(&console, 512, request);
}

static void reset(void)
{
	memset(ttys, 0, sizeof ttys);
	memset(procs, 0, sizeof procs);
	sent = signals = 0;
	INIT->caught = 1u << OX_SIGUSR1;
	running->pgid = running->sid = ttys[0].group = ttys[0].session = 1;
	tty_init();
}

static struct oct_termios mode_of(const struct mode *m)
{
	struct oct_termios mode;

	tty_ioctl(&console, 512, OX_TCGETS);
	memcpy(&mode, memory + 512, sizeof mode);
	mode.iflag = (uint16_t)((mode.iflag & ~m->clear_in) | m->set_in);
	mode.oflag = (uint16_t)(mode.oflag & ~m->clear_out);
	mode.lflag = (uint16_t)((mode.lflag & ~m->clear_local) | m->set_local);
	if (m->eol)
		mode.cc[OX_VEOL] = m->eol;
	return mode;
}

// All that reads find, a bar behind each.
static void read_all(char *found, size_t room)
{
	size_t at = 0;

	for (;;) {
		int16_t n = tty_read(&console, 1024, 1000);

		if (n == AGAIN)
			break;
		if (n < 0 || at + (size_t)n + 2 > room)
			exit(1);
		memcpy(found + at, memory + 1024, (size_t)n);
		at += (size_t)n;
		found[at++] = '|';
	}
	found[at] = 0;
	running->state = PROC_RUN;
	running->timed = false;
}

// ---- TAP

static unsigned tests, failures;

static void quoted(const char *name, const char *text, size_t n)
{
	printf("#   %s \"", name);
	for (size_t i = 0; i < n; i++)
		printf(text[i] >= ' ' && text[i] < 127 ? "%c" : "\\x%02x", (uint8_t)text[i]);
	puts("\"");
}

static void result(bool good, const char *where, const char *name)
{
	printf("%sok %u - %s: %s\n", good ? "" : "not ", ++tests, where, name);
	failures += !good;
}

static void compare(const char *where, const struct discipline_case *c, const char *echo, size_t echoed, const char *found)
{
	bool good = echoed == strlen(c->echo) && !memcmp(echo, c->echo, echoed) && !strcmp(found, c->found);

	result(good, where, c->name);
	if (!good) {
		quoted("echo", echo, echoed);
		quoted("not ", c->echo, strlen(c->echo));
		quoted("read", found, strlen(found));
		quoted("not ", c->found, strlen(c->found));
	}
}

static void run_case(const struct discipline_case *c)
{
	struct oct_termios mode;
	char found[2048];

	reset();
	mode = mode_of(&c->mode);
	request(OX_TCSETS, &mode, sizeof mode);
	type(c->typed, strlen(c->typed));
	read_all(found, sizeof found);
	send_all();
	compare("kernel", c, out, sent, found);
}

// ---- what only this terminal does

static void long_line(void)
{
	char found[600];

	reset();
	for (int i = 0; i < 300; i++)
		type("x", 1);
	type("\n", 1);
	read_all(found, sizeof found);
	result(strlen(found) == 256 && found[254] == '\n' && found[253] == 'x', "kernel", "a line of 254 bytes, the rest refused");
	result(sent == 254 + 46 + 2 && out[260] == '\a', "kernel", "with a bell each");
}

static void interrupt(void)
{
	char found[64];

	reset();
	type("first\nsecond\nthi\003", 17);
	read_all(found, sizeof found);
	result(signals == 1u << OX_SIGINT && !strcmp(found, ""), "kernel", "INTR signals and forgets all input");
	signals = 0;
	type("x\034\n", 3);
	read_all(found, sizeof found);
	result(signals == 1u << OX_SIGQUIT && !strcmp(found, "\n|"), "kernel", "so does QUIT");
	reset();
	type("\026\003\n", 3);
	read_all(found, sizeof found);
	result(!signals && !strcmp(found, "\003\n|"), "kernel", "a literal INTR does not");
	reset();
	for (int i = 0; i < 300; i++)
		arrive('x', 0);
	arrive('\n', 0);
	arrive(3, 0);
	tty_poll();
	result(signals == 1u << OX_SIGINT && ttys[0].line.lost, "kernel", "INTR is seen when the ring is full");
}

static void signal_without_flush(void)
{
	struct mode noflsh = { .set_local = OX_NOFLSH };
	struct oct_termios mode;
	char found[64];

	reset();
	mode = mode_of(&noflsh);
	request(OX_TCSETS, &mode, sizeof mode);
	type("kept\n\003", 6);
	read_all(found, sizeof found);
	result(signals && !strcmp(found, "kept\n|"), "kernel", "NOFLSH keeps the input");
}

static void output_stops(void)
{
	reset();
	memset(memory + 4096, 'w', 100);
	type("\023", 1);
	result(tty_write(&console, 4096, 100) == AGAIN && (send_all(), sent == 0), "kernel", "STOP stops output");
	type("ab", 2);
	result(sent == 0, "kernel", "and echo");
	type("\021", 1);
	result(sent >= TX_SIZE - 2 && tty_write(&console, 4096, 100) == 100, "kernel", "START lets it go on");
	type("\023", 1);
	sent = 0;
	for (int i = 0; i < 200; i++)
		uart_put(&ttys[0].line, 'k');
	send_all();
	result(sent >= 200, "kernel", "messages of the kernel do not wait for START");
}

static void noise(void)
{
	char found[64];

	reset();
	arrive('x', _BV(FE0));
	arrive(0, _BV(FE0));
	type("\n", 1);
	read_all(found, sizeof found);
	result(!strcmp(found, "\n|"), "kernel", "breaks and noise are left out");
}

// 64 KB from a sender that stops `delay` bytes after STOP, while nobody looks for long times.
static void back_to_back(unsigned delay)
{
	static char text[65536], found[70000];
	size_t typed = 0, got = 0, seen = 0;
	unsigned after = 0, stops = 0;
	bool stopped = false;
	char name[64];

	reset();
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)(i % 200 == 199 || i == sizeof text - 1 ? '\n' : 'a' + (i * 7 + i / 200) % 26);
	for (unsigned turn = 0; got < sizeof text && turn < 400000; turn++) {
		if (typed < sizeof text && (!stopped || after < delay)) {
			arrive((uint8_t)text[typed++], 0);
			after += stopped;
		}
		if (turn % 97 > 60) {
			int16_t n;

			tty_poll();
			n = tty_read(&console, 1024, 100);
			if (n > 0) {
				memcpy(found + got, memory + 1024, (size_t)n);
				got += (size_t)n;
			}
		}
		if (sent > sizeof out / 2)
			sent = seen = 0;
		send_all();
		for (; seen < sent; seen++)
			if (out[seen] == 0x13 || out[seen] == 0x11) {
				stopped = out[seen] == 0x13;
				stops += stopped;
				after = 0;
			}
	}
	snprintf(name, sizeof name, "64 KB, %u bytes after STOP, %u times", delay, stops);
	result(got == sizeof text && !memcmp(found, text, got) && !ttys[0].line.lost && stops > 100, "flow", name);
}

static void raw_timing(void)
{
	struct mode raw = { .clear_local = OX_ICANON | OX_ECHO };
	struct oct_termios mode;

	reset();
	mode = mode_of(&raw);
	mode.cc[OX_VMIN] = 3;
	request(OX_TCSETS, &mode, sizeof mode);
	type("ab", 2);
	result(tty_read(&console, 1024, 10) == AGAIN && tty_read(&console, 1024, 2) == 2, "kernel", "MIN bytes, or as many as are wanted");
	mode.cc[OX_VTIME] = 2;
	request(OX_TCSETS, &mode, sizeof mode);
	now += 1000;
	result(tty_read(&console, 1024, 10) == AGAIN && !running->timed, "kernel", "TIME does not begin before the first byte");
	type("x", 1);
	result(tty_read(&console, 1024, 10) == AGAIN && running->timed, "kernel", "it begins with a byte");
	now += 150;
	type("y", 1);
	result(tty_read(&console, 1024, 10) == AGAIN, "kernel", "anew with each");
	now += 150;
	result(tty_read(&console, 1024, 10) == AGAIN, "kernel", "and lasts");
	now += 100;
	result(tty_read(&console, 1024, 10) == 2 && !running->timed, "kernel", "then what is there is read");
}

// Bytes typed ahead in raw mode, read one by one: nothing is lost at the end of the buffer.
static void raw_many(void)
{
	struct mode raw = { .clear_local = OX_ICANON | OX_ECHO, .set_in = OX_IXOFF };
	struct oct_termios mode;
	unsigned typed = 0, got = 0;
	bool good = true;

	reset();
	mode = mode_of(&raw);
	request(OX_TCSETS, &mode, sizeof mode);
	for (unsigned i = 0; i < 280; i++, typed++)
		arrive((uint8_t)('0' + typed % 70), 0), tty_poll();
	while (got < 3000) {
		good &= tty_read(&console, 1024, 1) == 1 && memory[1024] == '0' + got % 70;
		got++;
		arrive((uint8_t)('0' + typed++ % 70), 0);
	}
	result(good && !ttys[0].line.lost, "kernel", "280 bytes ahead in raw mode");
}

// Processes of the background and of other sessions.
static void background(void)
{
	static const struct mode tostop = { .set_local = OX_TOSTOP };
	struct oct_termios mode;

	reset();
	mode = mode_of(&tostop);
	type("line\n", 5);
	running->pgid = 2;
	group_2 = 0;
	result(tty_read(&console, 1024, 10) == AGAIN && group_2 == 1u << OX_SIGTTIN, "kernel", "the background does not read");
	result(tty_write(&console, 1024, 1) == 1, "kernel", "it writes");
	group_2 = 0;
	result(request(OX_TCSETS, &mode, sizeof mode) == AGAIN && group_2 == 1u << OX_SIGTTOU, "kernel", "it does not change the mode");
	running->ignored = 1u << OX_SIGTTOU | 1u << OX_SIGTTIN;
	result(request(OX_TCSETS, &mode, sizeof mode) == 0, "kernel", "unless it ignores SIGTTOU");
	result(tty_read(&console, 1024, 10) == -OX_EIO, "kernel", "and gets EIO when it ignores SIGTTIN");
	running->ignored = group_2 = 0;
	result(tty_write(&console, 1024, 1) == AGAIN && group_2 == 1u << OX_SIGTTOU, "kernel", "with TOSTOP it does not write");
	running->pgid = 77;
	result(tty_read(&console, 1024, 10) == -OX_EIO && tty_write(&console, 1024, 1) == -OX_EIO, "kernel", "nor is an orphan stopped");
	running->sid = running->pid = 3;
	result(tty_read(&console, 1024, 10) == -OX_EIO, "kernel", "another session does not read");
	result(request(OX_TIOCSCTTY, &mode, 4) == -OX_EPERM, "kernel", "nor takes the terminal");
	tty_hang_up(1);
	result(signals == 1u << OX_SIGHUP && request(OX_TIOCSCTTY, &mode, 4) == 0 && ttys[0].group == 77, "kernel", "until the first one has ended");
	result(tty_read(&console, 1024, 10) == 5, "kernel", "then it reads");
}

// The second terminal has a buffer while it is open.
static void second(void)
{
	struct open other = { .kind = OPEN_TTYS1 };
	struct tty *t = &ttys[1];

	reset();
	frames_free = 0;
	result(tty_open() == -OX_ENOMEM, "second", "no buffer");
	frames_free = 1;
	result(tty_write(&other, 1024, 200) == 200, "second", "what is written while it is not open is gone");
	machine_lines[8 + UART_A] = 0;
	uart_received(&t->line, UART_REGISTERS(1));
	result(signals == 0 && (tty_poll(), signals == 1u << OX_SIGUSR1), "second", "a byte calls init");
	signals = 0;
	tty_poll();
	result(!signals, "second", "once");
	result(tty_open() == 0 && tty_open() == 0 && !frames_free, "second", "one buffer");
	for (const char *c = "hello\r"; *c; c++) {
		machine_lines[8 + UART_DR] = (uint8_t)*c;
		uart_received(&t->line, UART_REGISTERS(1));
		tty_poll();
	}
	result(!signals && tty_read(&other, 1024, 10) == 6 && !memcmp(memory + 1024, "hello\n", 6), "second", "it is read");
	result(tty_readable(&ttys[0]) == 0, "second", "and nothing on the console");
	tty_close();
	tty_poll();
	result(!frames_free, "second", "closed, it sends what is left");
	while (machine_lines[8 + UART_B] & _BV(UDRIE0))
		uart_transmit(&t->line, UART_REGISTERS(1));
	tty_poll();
	result(frames_free == 1 && !t->text, "second", "then the buffer goes");
}

int main(void)
{
	for (unsigned i = 0; i < discipline_count; i++)
		run_case(&discipline_cases[i]);
	for (unsigned i = 0; i < discipline_count; i++) {
		char echo[2048], found[2048];
		size_t n;

		if (discipline_cases[i].own)
			continue;
		n = pty_run(&discipline_cases[i], echo, found, sizeof echo);
		compare("this machine", &discipline_cases[i], echo, n, found);
	}
	long_line();
	interrupt();
	signal_without_flush();
	output_stops();
	noise();
	raw_timing();
	raw_many();
	background();
	second();
	back_to_back(2);
	back_to_back(12);
	back_to_back(28);
	printf("1..%u\n", tests);
	return failures != 0;
}
