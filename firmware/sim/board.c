// SPDX-License-Identifier: ISC
// The board: making it, and the run loop. See board.h.
//
// simavr is stepped one instruction at a time (run_cycle_limit 1). After each one: the stack
// pointer is compared with its lowest value, cycle timers that are due run, interrupts are served.
// The opcode is looked up before it runs, so that nonsense stops the run with its address.
#include "board.h"

#include <simavr/avr_watchdog.h>
#include <simavr/sim_core.h>
#include <simavr/sim_cycle_timers.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define unlikely_(x) __builtin_expect(!!(x), 0)

enum { MCUSR_PORF = 0x01, MCUSR_EXTRF = 0x02, MCUSR_WDRF = 0x08, SMCR_SE = 0x01 };
enum { OP_OUT_SPH = 0xbe0e, OP_OUT_SREG = 0xbe0f, OP_OUT_MASK = 0xfe0f };

// ---------------------------------------------------------------- stopping

void board_stop(struct board *b, enum stop reason, const char *fmt, ...)
{
	va_list ap;
	if (b->stop != STOP_NONE)
		return;
	b->stop = reason;
	va_start(ap, fmt);
	vsnprintf(b->why, sizeof b->why, fmt, ap);
	va_end(ap);
}

void board_crash(struct board *b, const char *fmt, ...)
{
	char text[160], where[64];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	elf_where(&b->program, b->avr->pc, where, sizeof where);
	board_stop(b, STOP_CRASH, "%s, PC 0x%05x (%s)", text, b->avr->pc, where);
}

// simavr reports through one global logger; boards of one process do not run at the same time.
static struct board *logging;

static void keep_message(avr_t *avr, const int level, const char *fmt, va_list ap)
{
	(void)avr;
	if (level > LOG_ERROR || !logging || !strncmp(fmt, "%s", 2))
		return;         // the last kind is the name of a function of simavr: no news
	vsnprintf(logging->cpu_message, sizeof logging->cpu_message, fmt, ap);
	for (char *p = logging->cpu_message; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
}

// ---------------------------------------------------------------- registers and events

void *board_alloc(struct board *b, size_t size)
{
	void *p = b->owned_count < 128 ? calloc(1, size) : NULL;
	if (p)
		b->owned[b->owned_count++] = p;
	return p;
}

void board_at(struct board *b, uint64_t cycles, board_event_fn fn, void *arg)
{
	avr_cycle_timer_register(b->avr, cycles, fn, arg);
}

void board_on_write(struct board *b, uint16_t reg, avr_io_write_t fn, void *arg)
{
	b->avr->io[AVR_DATA_TO_IO(reg)].w.c = fn;
	b->avr->io[AVR_DATA_TO_IO(reg)].w.param = arg;
}

void board_on_read(struct board *b, uint16_t reg, avr_io_read_t fn, void *arg)
{
	b->avr->io[AVR_DATA_TO_IO(reg)].r.c = fn;
	b->avr->io[AVR_DATA_TO_IO(reg)].r.param = arg;
}

static void write_mark(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct board *b = arg;
	avr->data[addr] = v;
	if (b->hooks.mark)
		b->hooks.mark(b->hooks.arg, v);
}

// Bits that the chip does not have read as 0; simavr would index flash with them.
static void write_rampz(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	avr->data[addr] = v & ((struct board *)arg)->chip->rampz_mask;
}

static void write_eind(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	avr->data[addr] = v & ((struct board *)arg)->chip->eind_mask;
}

// MCUSR: flags are cleared by writing 0, never set by the program.
static void write_mcusr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	(void)arg;
	avr->data[addr] &= v;
}

static avr_cycle_count_t on_poll(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	struct board *b = arg;
	(void)avr;
	if (b->hooks.poll)
		b->hooks.poll(b->hooks.arg);
	board_kick(b);
	return when + BOARD_POLL;
}

static avr_cycle_count_t on_limit(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	(void)avr;
	(void)when;
	board_stop(arg, STOP_TIMEOUT, "time-out: the limit of simulated time is reached");
	return 0;
}

static void start_events(struct board *b)
{
	uint64_t now = b->avr->cycle;
	board_at(b, BOARD_POLL, on_poll, b);
	if (b->cfg.max_cycles)
		board_at(b, b->cfg.max_cycles > now ? b->cfg.max_cycles - now : 0, on_limit, b);
}

void board_kick(struct board *b)
{
	serial_kick(&b->uart[0]);
	serial_kick(&b->uart[1]);
}

// ---------------------------------------------------------------- reset

// simavr asks for a reset by the watchdog by replacing avr->run.
static bool watchdog_fired(const struct board *b)
{
	return b->avr->run != b->first_run;
}

static bool wants_reset(const struct board *b)
{
	return watchdog_fired(b) || b->reset_pin;
}

static avr_cycle_count_t on_reset(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	(void)avr;
	(void)when;
	((struct board *)arg)->reset_pin = true;
	return 0;
}

void board_reset(struct board *b)
{
	board_at(b, 0, on_reset, b);
}

// Resets the CPU. simavr clears SRAM, which the chip keeps.
static void reset_cpu(struct board *b)
{
	avr_t *avr = b->avr;
	uint64_t cycle = avr->cycle;
	size_t size = avr->ramend + 1u - b->chip->ram_start;
	uint8_t *sram = malloc(size);
	if (sram)
		memcpy(sram, avr->data + b->chip->ram_start, size);
	if (watchdog_fired(b))
		avr->run(avr);
	else
		avr_reset(avr);
	if (sram)
		memcpy(avr->data + b->chip->ram_start, sram, size);
	free(sram);
	avr->cycle = cycle;
	avr->state = cpu_Running;
}

static void reset_board(struct board *b)
{
	uint8_t cause = watchdog_fired(b) ? MCUSR_WDRF : MCUSR_EXTRF;
	reset_cpu(b);
	b->avr->data[REG_MCUSR] = cause;
	b->asleep = b->reset_pin = b->irq_off.seen = false;
	spi_reset(b);
	serial_reset(&b->uart[0]);
	serial_reset(&b->uart[1]);
	spm_reset(b);
	start_events(b);
	b->resets++;
}

// ---------------------------------------------------------------- sleep

static void run_events(struct board *b)
{
	avr_cycle_timer_process(b->avr);
	irq_drain(b);
	irq_check(b);
}

// Skips time to the next event, after giving the host the chance to wait for it.
static void skip_to_event(struct board *b)
{
	avr_t *avr = b->avr;
	uint64_t from = avr->cycle;
	if (b->hooks.idle && avr->cycle_timers.timer->when > from) {
		b->hooks.idle(b->hooks.arg, avr->cycle_timers.timer->when - from);
		board_kick(b);
	}
	if (avr->cycle_timers.timer->when > from)
		avr->cycle = avr->cycle_timers.timer->when;
	b->sleep_cycles += avr->cycle - from;
	run_events(b);
}

static void warn_sleep(struct board *b)
{
	if (b->avr->data[REG_SMCR] & SMCR_SE || b->warning[0])
		return;
	snprintf(b->warning, sizeof b->warning,
		 "SLEEP with SE clear does nothing on the chip; set bit SE of SMCR first");
}

static void fall_asleep(struct board *b)
{
	avr_t *avr = b->avr;
	warn_sleep(b);
	avr->pc += 2;
	avr->cycle += 1;
	if (!avr->sreg[S_I])
		board_stop(b, STOP_HALT, "halted: sleep with interrupts off");
	else
		b->asleep = avr->data[REG_SMCR] & SMCR_SE;
}

// The flag has changed: how long were interrupts off?
static void irq_flag_changed(struct board *b)
{
	avr_t *avr = b->avr;
	b->irq_off.on = avr->sreg[S_I];
	if (!b->irq_off.on) {
		b->irq_off.since = avr->cycle;
		b->irq_off.from_pc = avr->pc;
		return;
	}
	if (b->irq_off.seen && avr->cycle - b->irq_off.since > b->irq_off.longest) {
		b->irq_off.longest = avr->cycle - b->irq_off.since;
		b->irq_off.longest_pc = b->irq_off.from_pc;
	}
	b->irq_off.seen = true;
}

// One piece of sleep: until the next event, or awake if an interrupt is pending.
static void doze(struct board *b)
{
	if (irq_enter(b)) {
		if (b->avr->sreg[S_I] != b->irq_off.on)
			irq_flag_changed(b);
		return;
	}
	skip_to_event(b);
	if (wants_reset(b))
		reset_board(b);
}

// ---------------------------------------------------------------- one instruction

static uint16_t flash_word(const struct board *b, uint32_t pc)
{
	return (uint16_t)(b->avr->flash[pc] | b->avr->flash[pc + 1] << 8);
}

static void check_lpm(struct board *b)
{
	if (!b->spm.rww_busy)
		return;
	uint32_t z = b->avr->data[30] | (uint32_t)b->avr->data[31] << 8;
	if (z < b->chip->boot_start)
		board_crash(b, "LPM from the section being programmed (RWWSB is set)");
}

// Handles an opcode that is not plain. Returns true when simavr shall run it after all.
static bool special(struct board *b, uint16_t op)
{
	switch (b->opclass[op]) {
	case OPC_BAD:
		board_crash(b, "bad opcode 0x%04x", op);
		return false;
	case OPC_ERASED:
		board_crash(b, "fetch from erased flash (0xffff)");
		return false;
	case OPC_SLEEP:
		fall_asleep(b);
		return false;
	case OPC_SPM:
		spm_execute(b, op == 0x95f8);
		return false;
	case OPC_ACCESS:
		b->watch(b->watch_arg, op);
		return b->stop == STOP_NONE;
	}
	check_lpm(b);
	return b->stop == STOP_NONE;
}

// A new lowest stack pointer, or one out of SRAM. Between OUT SPH and OUT SPL its value means
// nothing (the compiler restores SREG in between).
static void stack_moved(struct board *b, uint32_t pc, uint16_t op, uint16_t sp)
{
	if ((op & OP_OUT_MASK) == OP_OUT_SPH)
		return;
	if ((op & OP_OUT_MASK) == OP_OUT_SREG && pc >= 2 &&
	    (flash_word(b, pc - 2) & OP_OUT_MASK) == OP_OUT_SPH)
		return;
	if (sp > b->avr->ramend || sp < b->chip->ram_start) {
		board_crash(b, "stack pointer 0x%04x is not in SRAM (0x%04x..0x%04x)", sp,
			    b->chip->ram_start, b->avr->ramend);
		return;
	}
	if (sp < b->sp_low)
		b->sp_low = sp;
}

// simavr stopped in the instruction at pc; its message holds the address accessed.
static void cpu_complained(struct board *b, uint32_t pc)
{
	const char *at = strstr(b->cpu_message, "Address ");
	const char *what = strstr(b->cpu_message, "read") ? "read" : "write";
	b->avr->pc = pc;
	if (at)
		board_crash(b, "%s outside SRAM, address 0x%.4s", what, at + 8);
	else
		board_crash(b, "the CPU stopped [%s]", b->cpu_message);
}

static void attend(struct board *b, uint32_t pc)
{
	avr_t *avr = b->avr;
	if (avr->state != cpu_Running) {
		cpu_complained(b, pc);
		return;
	}
	if (avr->cycle_timers.timer->when <= avr->cycle)
		run_events(b);
	if (wants_reset(b)) {
		reset_board(b);
		return;
	}
	if (avr->interrupt_state)
		irq_service(b);
	if (avr->sreg[S_I] != b->irq_off.on)
		irq_flag_changed(b);
}

static bool may_run(struct board *b, uint32_t pc, uint16_t *op)
{
	if (unlikely_(pc >= b->avr->flashend)) {
		board_crash(b, "jump beyond the end of flash");
		return false;
	}
	if (unlikely_(b->spm.rww_busy && pc < b->chip->boot_start)) {
		board_crash(b, "fetch from the section being programmed (RWWSB is set)");
		return false;
	}
	*op = flash_word(b, pc);
	return !unlikely_(b->opclass[*op]) || special(b, *op);
}

static void step(struct board *b)
{
	avr_t *avr = b->avr;
	uint32_t pc = avr->pc;
	uint16_t op, sp;
	if (unlikely_(b->asleep)) {
		doze(b);
		return;
	}
	if (may_run(b, pc, &op)) {
		uint64_t before = avr->cycle;
		if (unlikely_(b->handlers))
			handlers_step(b->handlers, pc, before);
		avr->pc = avr_run_one(avr);
		if (pc - b->core_start < b->core_bytes)
			b->core_cycles += avr->cycle - before;
		if (unlikely_(b->profile))
			b->profile[pc / 2] += avr->cycle - before;
		if (unlikely_(b->after))
			b->after(b->after_arg, pc, avr->cycle - before);
		if (unlikely_(avr->sreg[S_I] != b->irq_off.on))
			irq_flag_changed(b);
		memcpy(&sp, avr->data + REG_SP, 2);
		if (unlikely_(sp < b->sp_low || sp > avr->ramend))
			stack_moved(b, pc, op, sp);
	}
	if (unlikely_(avr->interrupt_state || avr->cycle >= avr->cycle_timers.timer->when ||
		      avr->state != cpu_Running))
		attend(b, pc);
}

enum stop board_run(struct board *b)
{
	logging = b;
	b->pause = false;
	while (!b->stop && !b->pause)
		step(b);
	logging = NULL;
	return b->stop;
}

// ---------------------------------------------------------------- making and freeing

// simavr complains about an access beyond SRAM and then makes it: give it the whole 64 KB.
static int widen_memory(avr_t *avr)
{
	enum { ALL = 0x10000 };
	size_t had = avr->ramend + 1u;
	uint8_t *data = realloc(avr->data, ALL);
	if (!data)
		return -1;
	memset(data + had, 0, ALL - had);
	avr->data = data;
	return 0;
}

static int make_cpu(struct board *b, char *err, size_t errlen)
{
	avr_global_logger_set(keep_message);
	b->avr = avr_make_mcu_by_name(b->chip->mcu);
	if (!b->avr) {
		snprintf(err, errlen, "libsimavr does not know %s", b->chip->mcu);
		return -1;
	}
	avr_init(b->avr);
	if (widen_memory(b->avr)) {
		snprintf(err, errlen, "out of memory");
		return -1;
	}
	b->avr->frequency = b->chip->hz;
	b->avr->codeend = b->avr->flashend;
	b->avr->log = LOG_ERROR;
	b->avr->run_cycle_limit = 1;
	b->avr->run_cycle_count = 1;
	b->first_run = b->avr->run;
	b->avr->data[REG_MCUSR] = MCUSR_PORF;
	b->sp_low = b->avr->ramend;
	opcodes_fill(b->opclass, b->chip);
	if (b->cfg.profile)
		b->profile = board_alloc(b, (b->avr->flashend + 1) / 2 * sizeof *b->profile);
	return 0;
}

static int load_kernel(struct board *b, char *err, size_t errlen)
{
	char text[200];
	memset(b->avr->flash, 0xff, b->avr->flashend + 1);
	if (!elf_load(b->cfg.kernel, b->avr->flash, b->avr->flashend + 1, &b->program, text,
		      sizeof text))
		return 0;
	snprintf(err, errlen, "%s: %s", b->cfg.kernel, text);
	return -1;
}

static int find_handlers(struct board *b, char *err, size_t errlen)
{
	uint32_t end;
	if (handlers_core(&b->program, &b->core_start, &end))
		b->core_bytes = end - b->core_start;
	if (!b->cfg.handlers)
		return 0;
	b->handlers = board_alloc(b, sizeof *b->handlers);
	if (b->handlers && !handlers_find(b->handlers, &b->program))
		return 0;
	snprintf(err, errlen, "%s: has no bytecode core (vm_core_start, vm_optab, vm_core_end)", b->cfg.kernel);
	return -1;
}

static int insert_card(struct board *b, char *err, size_t errlen)
{
	char text[200];
	b->image.fd = -1;
	if (!b->cfg.card)
		return 0;
	if (image_open(&b->image, b->cfg.card, b->cfg.shared, text, sizeof text)) {
		snprintf(err, errlen, "%s: %s", b->cfg.card, text);
		return -1;
	}
	if (b->cfg.sd.kind != CARD_SDHC && b->image.sectors > (2u << 20) * 2) {
		snprintf(err, errlen, "%s: larger than 2 GiB; a standard capacity card cannot be "
				      "(use --sd sdhc)", b->cfg.card);
		return -1;
	}
	b->card = card_new(&b->cfg.sd, &b->image);
	return b->card ? 0 : -1;
}

static void wire(struct board *b)
{
	irq_init(b);
	spi_init(b);
	serial_init(b, 0, REG_UART0);
	serial_init(b, 1, REG_UART1);
	spm_init(b);
	board_on_write(b, REG_GPIOR0, write_mark, b);
	board_on_write(b, REG_RAMPZ, write_rampz, b);
	if (b->chip->eind_mask)
		board_on_write(b, REG_EIND, write_eind, b);
	board_on_write(b, REG_MCUSR, write_mcusr, b);
	start_events(b);
}

struct board *board_new(const struct board_config *cfg, char *err, size_t errlen)
{
	struct board *b = calloc(1, sizeof *b);
	if (!b) {
		snprintf(err, errlen, "out of memory");
		return NULL;
	}
	b->cfg = *cfg;
	b->chip = cfg->chip;
	if (!make_cpu(b, err, errlen) && !load_kernel(b, err, errlen) && !find_handlers(b, err, errlen) &&
	    !insert_card(b, err, errlen) && !eeprom_init(b, err, errlen) && !outside_init(b, err, errlen)) {
		wire(b);
		return b;
	}
	board_free(b);
	return NULL;
}

void board_watch(struct board *b, void (*fn)(void *arg, uint16_t op), void *arg)
{
	b->watch = fn;
	b->watch_arg = arg;
	opcodes_watch(b->opclass);
}

void board_after(struct board *b, void (*fn)(void *arg, uint32_t pc, uint64_t cycles), void *arg)
{
	b->after = fn;
	b->after_arg = arg;
}

double board_seconds(const struct board *b)
{
	return (double)b->avr->cycle / b->chip->hz;
}

int board_free(struct board *b)
{
	int rc = image_close(&b->image);
	card_free(b->card);
	elf_free(&b->program);
	spm_free(b);
	if (b->avr) {
		avr_terminate(b->avr);
		free(b->avr);
	}
	for (unsigned i = 0; i < b->owned_count; i++)
		free(b->owned[i]);
	free(b);
	return rc;
}
