// SPDX-License-Identifier: ISC
//
// isolation: boots the real kernel, lets it run random code pages beside an innocent program, and watches that they reach
// nothing but their own registers and data, that interrupts get their turn, and that Ctrl-C ends them.
//
//   isolation --make FILE [SEED]                            writes the hostile program
//   isolation --seal FILE                                   makes the CRC of an OXE file's header right
//   isolation [options of oxsim] --card IMAGE --pages N [--seed N] [--donor FILE] KERNEL.elf
//
// The card holds attack, innocent and hostile.oxe in the first shell's folder. Each time the core is entered on a page of hostile.oxe for
// the first time (or again after a time slice), the page's bytes are replaced by new random ones.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <octix/opcodes.h>

#include "../../firmware/sim/options.h"
#include "../../firmware/vm/vm.h"
#include "hostile.h"
#include "watch.h"

enum { OPT_CARD = OPT_OWN, OPT_PAGES, OPT_SEED, OPT_DONOR };
enum { RUN_MS = 20, INTERRUPT_MS = 200, DONE = 77, UBRR0L = REG_UART0 + 4 };

static const struct option longs[] = {
	OPTIONS_SHARED,
	{ "card", required_argument, 0, OPT_CARD },
	{ "pages", required_argument, 0, OPT_PAGES },
	{ "seed", required_argument, 0, OPT_SEED },
	{ "donor", required_argument, 0, OPT_DONOR },
	{ 0 },
};

enum phase { BOOTING, ATTACKING, CHECKING, HALTING }; // what the next prompt ends

struct test {
	struct options opt;
	struct watch watch;
	struct board *board;
	unsigned long wanted, pages;      // code pages
	unsigned programs, interrupts;    // hostile processes; how many of them needed Ctrl-C
	unsigned good, bad;               // rounds of the innocent program
	enum phase phase;
	uint64_t started, asked;          // cycle at which the hostile process began, at which Ctrl-C was typed (0: not yet)
	uint8_t filled[HOSTILE_PAGES];    // pages filled for it
	bool hostile;                     // the core runs for it
	bool sliced;                      // its last run of the core ended with the time slice
	uint8_t baud;                     // the divider that the kernel has set
	const char *typed;
	char text[4096];                  // the console's last characters
	size_t length;
};

// ---- the console

static void type(struct test *t, const char *text)
{
	t->typed = text;
	board_kick(t->board);
}

static int on_fetch(void *arg, int port)
{
	struct test *t = arg;

	return port == 0 && t->typed && *t->typed ? (uint8_t)*t->typed++ : -1;
}

static void prompted(struct test *t)
{
	static const char *const commands[] = { "./attack\n", "echo $? still here\n", "halt\n" };

	if (t->phase == HALTING)
		return;
	if (t->phase == ATTACKING)
		t->board->avr->data[UBRR0L] = t->baud;
	type(t, commands[t->phase++]);
}

static void on_sent(void *arg, int port, uint8_t byte)
{
	struct test *t = arg;

	if (port != 0)
		return;
	if (t->length == sizeof t->text - 1) {
		memmove(t->text, t->text + sizeof t->text / 2, sizeof t->text / 2);
		t->length -= sizeof t->text / 2;
	}
	t->text[t->length++] = (char)byte;
	if (t->length >= 3 && !memcmp(t->text + t->length - 3, "\n# ", 3))
		prompted(t);
}

static void on_mark(void *arg, uint8_t value)
{
	struct test *t = arg;

	t->good += value == 1;
	t->bad += value == 2;
}

// ---- the hostile process

static uint64_t cycles(const struct test *t, unsigned ms)
{
	return (uint64_t)t->board->chip->hz / 1000 * ms;
}

// All registers are 0 but sp, and the program counter is at the entry: a new process.
static bool is_new(struct test *t, const struct slot *s)
{
	const struct pc *pc = (const struct pc *)(t->board->avr->data + t->watch.pc);
	uint32_t any = 0;

	for (unsigned r = 1; r < 16; r++)
		any |= r == 2 ? 0 : s->regs[r];
	return !any && pc->offset == HOSTILE_ENTRY && !(pc->index & 0x7e) && !(pc->tag & 0x7f);
}

static void begin(struct test *t, struct slot *s)
{
	t->programs++;
	t->started = t->board->avr->cycle;
	t->asked = 0;
	t->sliced = false;
	memset(t->filled, 0, sizeof t->filled);
	if (t->board->avr->data[UBRR0L])
		t->baud = t->board->avr->data[UBRR0L];
	t->board->avr->data[UBRR0L] = 0; // the kernel's messages cost less time
	for (unsigned r = 0; r < 16; r++)
		if (r != 2 || hostile_random() % 4 == 0)
			s->regs[r] = hostile_value();
	memset(s->hostile, (int)hostile_random(), sizeof s->hostile);
}

static void fill(struct test *t, uint8_t *code)
{
	const struct pc *pc = (const struct pc *)(t->board->avr->data + t->watch.pc);
	uint8_t *filled = &t->filled[((pc->index & 0x7e) / 2 + pc->tag * 64) % HOSTILE_PAGES];

	if (*filled && !t->sliced)
		return;
	*filled = 1;
	t->sliced = false;
	if (t->pages++ >= t->wanted)
		hostile_exit(code, DONE);
	else
		hostile_page(code, t->pages - 1);
}

// Read-only pages must stay so. One of the writable ones gets bytes other than 0 now and then: long strings, wild pointers.
static void check_data(struct test *t, const struct slot *s)
{
	unsigned page = hostile_random() % 256, tries = 256;

	for (unsigned i = 0; i < HOSTILE_READ_ONLY_END; i++)
		if (!(s->data[i] & MAP_CLEAN))
			board_crash(t->board, "data page 0x%02x is read-only and can be written", i);
	while (s->data[page] & MAP_CLEAN && --tries)
		page = (page + 1) % 256;
	if (tries && hostile_random() % 2)
		for (unsigned i = 0; i < 256; i++)
			t->board->avr->data[s->data[page] << 8 | i] = (uint8_t)(1 + hostile_random() % 255);
}

// Whoever runs too long gets Ctrl-C, and must be gone soon.
static void check_time(struct test *t)
{
	uint64_t now = t->board->avr->cycle;

	if (!t->asked && now - t->started > cycles(t, RUN_MS) && t->pages <= t->wanted) {
		t->asked = now;
		t->interrupts++;
		type(t, "\003");
	} else if (t->asked && now - t->asked > cycles(t, INTERRUPT_MS)) {
		board_crash(t->board, "Ctrl-C does not end the process");
	}
}

static void on_entered(void *arg, uint16_t slot, uint8_t *code)
{
	struct test *t = arg;
	struct slot *s = (struct slot *)(t->board->avr->data + slot);

	if (t->phase == ATTACKING && t->programs % 16)
		t->board->avr->data[t->watch.slice] = 1; // the next tick ends the slice: more pages in less time
	t->hostile = code && !memcmp(code, HOSTILE_MARK, 4);
	if (!t->hostile)
		return;
	if (is_new(t, s))
		begin(t, s);
	fill(t, code);
	check_data(t, s);
	check_time(t);
}

// System calls are another test's: all but two become one that there is not.
static void tame(struct test *t, struct slot *s)
{
	const uint8_t *x = t->board->avr->data + 26;
	uint16_t pc = (uint16_t)((x[0] | x[1] << 8) - 1);
	bool ends = s->regs[5] == 0 && s->regs[10] == DONE && t->pages > t->wanted;

	if (t->board->avr->data[pc] == OP_ecall && !ends && s->regs[5] < 256)
		s->regs[5] += 256;
}

static void on_left(void *arg, uint16_t slot)
{
	struct test *t = arg;
	struct slot *s = (struct slot *)(t->board->avr->data + slot);

	if (!t->hostile)
		return;
	t->sliced |= t->watch.asked_at != 0;
	tame(t, s);
}

// ---- options and results

static int take_option(struct test *t, uint64_t *seed, int opt)
{
	const char *failed;

	switch (opt) {
	case OPT_CARD: t->opt.cfg.card = optarg; return 0;
	case OPT_PAGES: t->wanted = strtoul(optarg, NULL, 0); return 0;
	case OPT_SEED: *seed = strtoull(optarg, NULL, 0); return 0;
	case OPT_DONOR:
		failed = hostile_donor(optarg);
		if (failed)
			fprintf(stderr, "isolation: %s: %s\n", optarg, failed);
		return failed ? -1 : 0;
	}
	return opt == '?' ? -1 : options_take(&t->opt, opt, optarg);
}

static int parse(struct test *t, int argc, char **argv)
{
	uint64_t seed = 1;
	int opt;

	options_init(&t->opt);
	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1)
		if (take_option(t, &seed, opt))
			return -1;
	if (optind != argc - 1 || !t->opt.cfg.card || !t->wanted)
		return fprintf(stderr, "isolation: --card, --pages and KERNEL.elf are needed\n"), -1;
	t->opt.cfg.kernel = argv[optind];
	hostile_seed(seed);
	options_finish(&t->opt, 100000);
	return 0;
}

static void result(const struct test *t)
{
	double ms = t->board->chip->hz / 1000.0;

	printf("%lu pages in %u processes, %u ended by Ctrl-C; %u good and %u bad rounds of the innocent\n", t->pages, t->programs,
	       t->interrupts, t->good, t->bad);
	printf("%llu entries of the core, %llu accesses watched; longest run %.2f ms, slowest answer to an interrupt %.3f ms\n",
	       (unsigned long long)t->watch.entries, (unsigned long long)t->watch.accesses, (double)t->watch.longest / ms,
	       (double)t->watch.slowest / ms);
	printf("%s\n", t->board->why);
}

// Did all go well? Says what did not.
static int verdict(const struct test *t)
{
	const struct { bool fails; const char *what; } checks[] = {
		{ t->board->stop != STOP_HALT, "the kernel did not halt in good order" },
		{ t->pages < t->wanted, "too few pages ran" },
		{ t->bad, "the innocent program's memory was changed" },
		{ t->good < 3, "the innocent program did not go on" },
		{ t->watch.longest > cycles(t, 11), "a process kept the CPU for more than its time slice" },
		{ t->watch.slowest > cycles(t, 1), "an interrupt waited for more than 1 ms" },
		{ !strstr(t->text, "\n0 still here"), "the shell did not go on" },
	};
	int bad = 0;

	for (unsigned i = 0; i < sizeof checks / sizeof checks[0]; i++)
		if (checks[i].fails) {
			printf("FAILED: %s\n", checks[i].what);
			bad = 1;
		}
	if (bad)
		printf("--- console\n%.*s\n", (int)t->length, t->text);
	return bad;
}

int main(int argc, char **argv)
{
	static struct test t;
	const char *missing;
	char err[512];
	int bad;

	if (argc >= 3 && !strcmp(argv[1], "--make")) {
		hostile_seed(argc > 3 ? strtoull(argv[3], NULL, 0) : 1);
		return hostile_write(argv[2]) ? 2 : 0;
	}
	if (argc == 3 && !strcmp(argv[1], "--seal"))
		return hostile_seal(argv[2]) ? 2 : 0;
	if (parse(&t, argc, argv))
		return 2;
	t.board = board_new(&t.opt.cfg, err, sizeof err);
	if (!t.board)
		return fprintf(stderr, "isolation: %s\n", err), 2;
	t.board->hooks = (struct board_hooks){ .arg = &t, .sent = on_sent, .fetch = on_fetch, .mark = on_mark };
	t.watch.entered = on_entered;
	t.watch.left = on_left;
	t.watch.arg = &t;
	missing = watch_start(&t.watch, t.board);
	if (missing)
		return fprintf(stderr, "isolation: the kernel has no symbol %s\n", missing), 2;
	board_run(t.board);
	result(&t);
	bad = verdict(&t);
	board_free(t.board);
	return bad;
}
