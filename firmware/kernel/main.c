// SPDX-License-Identifier: ISC
//
// Boot: clock, console, card, file system, swap, init.

#include <avr/interrupt.h>

#include <string.h>

#include "drivers/sd.h"
#include "fs/fs.h"
#include "kernel/clock.h"
#include "kernel/exec.h"
#include "kernel/file.h"
#include "kernel/print.h"
#include "kernel/slots.h"
#include "kernel/tty.h"
#include "kernel/version.h"
#include "kernel/watchdog.h"
#include "vm/frames.h"
#include "vm/pager.h"

#define TEXT_(n) #n
#define TEXT(n) TEXT_(n)

static void banner(void)
{
	print(P("\nOctix " OCTIX_VERSION " on " BOARD_NAME));
	if (!BOARD_HAS_WORDS) {
		print(P("\n"));
		return;
	}
	print(P(", "));
	print_number(BOARD_F_CPU / 1000000);
	print(P(" MHz, " TEXT(BOARD_FRAMES) " frames of " TEXT(BOARD_FRAME_SIZE) " bytes\n"));
}

// The end of a boot that cannot go on: what is wrong with the file in PATH_A, what to do.
static void __attribute__((noreturn)) give_up(const char *text, uint8_t number)
{
	complain(text, number);
	halt(BOARD_HAS_WORDS ? P("Write an Octix image to the card (octix image write), then press reset.\n") : P(""));
}

static void mount_card(void)
{
	int8_t error = sd_init();

	if (error) {
		print(P("card: "));
		print_why(BOARD_HAS_WORDS ? sd_error_text(error) : 0, (uint8_t)(WHY_CARD - error));
		halt(P("\nThen press reset.\n"));
	}
	error = fs_mount();
	strcpy_P(PATH_A, P("/"));
	if (error)
		give_up(BOARD_HAS_WORDS ? fs_error_text(error) : 0, (uint8_t)(WHY_VOLUME - error));
}

static void find_swap(void)
{
	struct node swap;
	uint32_t first;
	enum why why = 0;

	if (fs_file(strcpy_P(PATH_A, P("/swap")), 0, &swap, 0) != 0)
		why = WHY_MISSING;
	else if (fs_extent(&swap, &first) != 0)
		why = WHY_SWAP_PIECES;
	else if (pager_set_swap(first, swap.size / 512) < 4)
		why = WHY_SWAP_SMALL;
	if (why)
		give_up(why_text(why), why);
	exec_swap = swap.first; // nobody writes or removes it
}

void init_failed(void)
{
	give_up(why_text(WHY_INIT), WHY_INIT);
}

// Init is process 1, with the console as descriptors 0, 1 and 2.
static void first_process(void)
{
	struct proc *p = proc_new();

	p->state = PROC_RUN;
	p->user.umask = 022;
	p->nice = NICE_USUAL;
	p->sid = p->pgid = p->pid;
	fs_open(strcpy_P(PATH_A, P("/dev/console")), 0, OX_O_RDWR, 0, &opens[0].file);
	opens[0].kind = OPEN_CONSOLE;
	opens[0].refs = 3;
	p->fd[0] = 0; // 0 and 1
	p->fd[1] = NO_FD << 4; // 2
	strcpy_P(PATH_A, P("/sbin/init"));
	exec_first();
}

int main(void)
{
	uint32_t hung = watchdog_start();

	pool_init();
	clock_init();
	tty_init();
	sei();
	banner();
	if (BOARD_WATCHDOG && hung) {
		print(P("The watchdog has reset the machine: the kernel hung after "));
		print_number(hung / 1000);
		print(P(" seconds.\n"));
	}
	mount_card();
	find_swap();
	first_process();
	proc_load();
	vm_run();
}
