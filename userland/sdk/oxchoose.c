// SPDX-License-Identifier: ISC
//
// oxchoose: what the opcodes of the table are worth for programs that ran, and which set of them is best.
#include "diag.h"
#include "handlersize.h"
#include "opset.h"
#include "worth.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: oxchoose [options] [[--weight N] ELF[:COUNTS]]...\n"
	"Tells what each opcode is worth for these programs: what they would cost without it. ELF is what oxpack packs, COUNTS how often\n"
	"its instructions ran, from oxrun --counts. The cost of a program is 70 for its cycles and 30 for its bytes with the whole\n"
	"table, and more in proportion with less; several programs count by their weights.\n"
	"  --kernel ELF    sizes of the handlers from this kernel\n"
	"  --opcodes N     choose N opcodes: leave out the one that is worth least, again and again\n"
	"  --flash BYTES   choose opcodes whose handlers take so much: leave out the least worth for its size; needs --kernel\n"
	"  --set FILE      write the chosen opcodes, for oxpack --only\n"
	"  --validate      choose without each program and measure with it; the same by halves\n"
	"  --weight N      of the programs that follow (default: 1)\n"
	"Exit status: 0 done, 1 a program cannot be read, 2 wrong usage.\n";

enum { HALVES = 8 };

struct options {
	const char *kernel, *set;
	unsigned opcodes, flash;
	bool validate;
};

static unsigned sizes[OP_COUNT];

static double worth(const struct samples *s, unsigned op)
{
	return s->worth[op].cycles + s->worth[op].bytes;
}

// ---- sets

static unsigned opcodes_used(void)
{
	unsigned n = 0;

	for (unsigned op = 0; op < OP_COUNT; op++)
		n += op_usable(op);
	return n;
}

static unsigned flash_used(void)
{
	unsigned n = 0;

	for (unsigned op = 0; op < OP_COUNT; op++)
		n += op_usable(op) ? sizes[op] : 0;
	return n;
}

static void use_all(void)
{
	for (unsigned op = 0; op < OP_COUNT; op++)
		op_use(op, true);
}

static void use_fewest(void)
{
	for (unsigned op = 0; op < OP_COUNT; op++)
		op_use(op, !op_removable(op));
}

static bool within(const struct options *o)
{
	return (!o->opcodes || opcodes_used() <= o->opcodes) && (!o->flash || flash_used() <= o->flash);
}

// The opcode to leave out next, or OP_COUNT when none is left that could be.
static unsigned least(const struct samples *s, const struct options *o)
{
	unsigned best = OP_COUNT;
	double best_worth = 0;

	for (unsigned op = 0; op < OP_COUNT; op++) {
		double w = worth(s, op) / (o->flash && sizes[op] ? sizes[op] : 1);

		if (!op_removable(op) || !op_usable(op) || (best < OP_COUNT && w >= best_worth))
			continue;
		best = op;
		best_worth = w;
	}
	return best;
}

// Chooses by the samples that take part; `report` prints what is left out.
static void choose(struct samples *s, const struct options *o, bool report)
{
	double cost = 100;

	use_all();
	samples_weigh(s);
	while (!within(o)) {
		unsigned op = least(s, o);

		if (op == OP_COUNT)
			die("the opcodes that are basic or needed together (%u, %u bytes) exceed the budget", opcodes_used(), flash_used());
		cost += worth(s, op);
		if (report)
			printf("  %-8s %9.4f %6u %9u %9u %9.3f\n", op_name(op), worth(s, op), sizes[op], opcodes_used() - 1,
			       flash_used() - sizes[op], cost);
		samples_remove(s, op);
	}
}

static void write_set(const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		die("%s: %s", path, strerror(errno));
	fprintf(out, "# chosen by oxchoose: %u opcodes, with the basic ones\n", opcodes_used());
	for (unsigned op = 0; op < OP_COUNT; op++)
		if (op_usable(op) && !op_basic(op))
			fprintf(out, "%s\n", op_name(op));
	if (fclose(out))
		die("%s: %s", path, strerror(errno));
}

// ---- reports

static void print_programs(const struct samples *s)
{
	printf("%-14s %6s %12s %13s %12s %8s\n", "program", "weight", "RV32 insns", "cycles", "cycles/insn", "bytes");
	for (size_t i = 0; i < s->n; i++) {
		const struct sample *p = &s->list[i];

		printf("%-14s %6g %12" PRIu64 " %13.0f %12.2f %8.0f\n", p->name, p->weight, p->insns, p->whole.cycles,
		       p->insns ? p->whole.cycles / (double)p->insns : 0, p->whole.bytes);
	}
}

static const struct samples *sorted;

static int by_worth(const void *a, const void *b)
{
	double x = worth(sorted, *(const unsigned *)a), y = worth(sorted, *(const unsigned *)b);

	return (x < y) - (x > y);
}

static void print_worths(const struct samples *s)
{
	unsigned ops[OP_COUNT], n = 0;

	for (unsigned op = 0; op < OP_COUNT; op++)
		if (op_removable(op))
			ops[n++] = op;
	sorted = s;
	qsort(ops, n, sizeof *ops, by_worth);
	printf("\nWorth of each opcode: what the programs would cost more without it, of 100.\n");
	printf("  %-8s %9s %9s %9s %6s %16s\n", "opcode", "by cycles", "by bytes", "together", "flash", "per 100 of flash");
	for (unsigned i = 0; i < n; i++) {
		unsigned op = ops[i];

		printf("  %-8s %9.4f %9.4f %9.4f %6u %16.4f\n", op_name(op), s->worth[op].cycles, s->worth[op].bytes, worth(s, op), sizes[op],
		       sizes[op] ? 100 * worth(s, op) / sizes[op] : 0);
	}
}

// Opcodes that change the analysis before the choice: each group's worth is that of all programs analysed without it. Not push and pop: in
// their place functions of libgcc would run that have no counts.
static void print_groups(const struct samples *s)
{
	static const struct {
		const char *name;
		uint8_t ops[4];
	} groups[] = { { "zexth", { OP_zexth } }, { "beqb bneb bltub bgeub", { OP_beqb, OP_bneb, OP_bltub, OP_bgeub } } };

	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
		double more = 0;
		unsigned flash = 0;

		for (unsigned k = 0; k < 4 && groups[g].ops[k]; k++) {
			op_use(groups[g].ops[k], false);
			flash += sizes[groups[g].ops[k]];
		}
		for (size_t i = 0; i < s->n; i++) {
			const struct sample *p = &s->list[i];
			struct cost without = sample_again(p);

			more += (without.cycles - p->whole.cycles) * p->per_cycle + (without.bytes - p->whole.bytes) * p->per_byte;
		}
		use_all();
		printf("  %-28s %9.4f %6u   (together)\n", groups[g].name, more, flash);
	}
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 100;
}

// Costs of all programs with the fewest opcodes.
static struct cost *fewest(struct samples *s)
{
	struct cost *c = xcalloc(s->n, sizeof *c);

	use_fewest();
	samples_weigh(s);
	for (size_t i = 0; i < s->n; i++)
		c[i] = sample_cost(s, i);
	return c;
}

static void print_chosen(struct samples *s, const struct options *o)
{
	struct cost *few = fewest(s), together;

	printf("\nLeft out, the least worth first.\n");
	printf("  %-8s %9s %6s %9s %9s %9s\n", "opcode", "worth", "flash", "opcodes", "flash", "cost");
	choose(s, o, true);
	printf("\nCycles and bytes of each program, of 100 with the whole table.\n");
	printf("%-14s %13s %13s %13s %13s\n", "program", "fewest cycles", "fewest bytes", "chosen cycles", "chosen bytes");
	for (size_t i = 0; i < s->n; i++) {
		const struct sample *p = &s->list[i];
		struct cost c = sample_cost(s, i);

		printf("%-14s %13.1f %13.1f %13.2f %13.2f\n", p->name, percent(few[i].cycles, p->whole.cycles),
		       percent(few[i].bytes, p->whole.bytes), percent(c.cycles, p->whole.cycles), percent(c.bytes, p->whole.bytes));
	}
	together = samples_cost(s, true);
	printf("Together: cost %.3f (cycles %.3f, bytes %.3f), %u opcodes, %u bytes of flash.\n", together.cycles + together.bytes, together.cycles,
	       together.bytes, opcodes_used(), flash_used());
	if (o->set)
		write_set(o->set);
	free(few);
}

// ---- validation

static void leave_one_out(struct samples *s, const struct options *o)
{
	struct cost all = { 0 };
	double weights = 0;

	printf("\nChosen on all other programs. Cycles and bytes of 100 with the whole table.\n%-14s %9s %9s\n", "program", "cycles", "bytes");
	for (size_t i = 0; i < s->n; i++) {
		const struct sample *p = &s->list[i];
		struct cost c;

		for (size_t k = 0; k < s->n; k++)
			s->list[k].chosen_on = k != i;
		choose(s, o, false);
		c = sample_cost(s, i);
		c = (struct cost){ percent(c.cycles, p->whole.cycles), percent(c.bytes, p->whole.bytes) };
		printf("%-14s %9.2f %9.2f\n", p->name, c.cycles, c.bytes);
		all.cycles += c.cycles * p->weight;
		all.bytes += c.bytes * p->weight;
		weights += p->weight;
	}
	printf("%-14s %9.2f %9.2f\n", "mean", all.cycles / weights, all.bytes / weights);
}

// Takes part in halves at random, always the same ones.
static void halve(struct samples *s, uint32_t *random)
{
	for (size_t left = s->n, wanted = s->n / 2; left-- > 0;) {
		*random = *random * 1664525 + 1013904223;
		s->list[left].chosen_on = (uint64_t)*random * (left + 1) >> 32 < wanted;
		wanted -= s->list[left].chosen_on;
	}
}

static void by_halves(struct samples *s, const struct options *o)
{
	struct cost in = { 0 }, out = { 0 };
	uint32_t random = 1;

	for (int n = 0; n < HALVES; n++) {
		struct cost c;

		halve(s, &random);
		choose(s, o, false);
		c = samples_cost(s, true);
		in.cycles += c.cycles / HALVES / 0.70;
		in.bytes += c.bytes / HALVES / 0.30;
		c = samples_cost(s, false);
		out.cycles += c.cycles / HALVES / 0.70;
		out.bytes += c.bytes / HALVES / 0.30;
	}
	printf("\nChosen on halves of the programs (%d times): cycles %.2f, bytes %.2f on these, cycles %.2f, bytes %.2f on the others.\n", HALVES,
	       in.cycles, in.bytes, out.cycles, out.bytes);
}

// ---- options

static _Noreturn void wrong_usage(void)
{
	fputs(usage, stderr);
	exit(EXIT_USAGE);
}

static unsigned number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!*text || *end || n > 1 << 20)
		wrong_usage();
	return (unsigned)n;
}

static double weight(const char *text)
{
	char *end;
	double w = strtod(text, &end);

	if (!*text || *end || !(w > 0) || !isfinite(w))
		wrong_usage();
	return w;
}

static void add_program(struct samples *s, const char *argument, double weight)
{
	char *elf = xstrdup(argument), *colon = strchr(elf, ':');

	if (colon)
		*colon++ = 0;
	samples_add(s, elf, colon, weight);
}

// What options ask of each other.
static void check_together(const struct samples *s, const struct options *o)
{
	const char *wrong = NULL;

	if (!s->n)
		wrong = "name programs to choose for";
	else if (o->flash && !o->kernel)
		wrong = "--flash needs --kernel, for the sizes of the handlers";
	else if ((o->set || o->validate) && !o->opcodes && !o->flash)
		wrong = "--set and --validate need a number to choose, by --opcodes or --flash (make choose: OPCODES= or FLASH=)";
	else if (o->validate && s->n < 2)
		wrong = "--validate needs two programs or more";
	if (wrong) {
		fprintf(stderr, "oxchoose: %s; --help tells more\n", wrong);
		exit(EXIT_USAGE);
	}
}

static void parse(struct options *o, struct samples *s, int argc, char **argv)
{
	static const struct option options[] = {
		{ "kernel", required_argument, NULL, 'k' }, { "opcodes", required_argument, NULL, 'n' }, { "flash", required_argument, NULL, 'f' },
		{ "set", required_argument, NULL, 's' },    { "validate", no_argument, NULL, 'v' },	 { "weight", required_argument, NULL, 'w' },
		{ "help", no_argument, NULL, 'h' },	    { 0 },
	};
	double w = 1;
	int c;

	while ((c = getopt_long(argc, argv, "-h", options, NULL)) != -1) {
		if (c == 1)
			add_program(s, optarg, w);
		else if (c == 'k')
			o->kernel = optarg;
		else if (c == 'n')
			o->opcodes = number(optarg);
		else if (c == 'f')
			o->flash = number(optarg);
		else if (c == 's')
			o->set = optarg;
		else if (c == 'v')
			o->validate = true;
		else if (c == 'w')
			w = weight(optarg);
		else if (c == 'h')
			exit(fputs(usage, stdout) < 0);
		else
			wrong_usage();
	}
	for (; optind < argc; optind++)
		add_program(s, argv[optind], w);
	check_together(s, o);
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct samples s = { 0 };

	diag_name = "oxchoose";
	parse(&o, &s, argc, argv);
	if (o.kernel)
		handler_sizes(o.kernel, sizes);
	samples_load(&s);
	samples_weigh(&s);
	print_programs(&s);
	print_worths(&s);
	print_groups(&s);
	if (o.opcodes || o.flash)
		print_chosen(&s, &o);
	if (o.validate) {
		leave_one_out(&s, &o);
		by_halves(&s, &o);
	}
	return 0;
}
