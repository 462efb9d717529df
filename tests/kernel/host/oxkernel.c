// SPDX-License-Identifier: ISC
//
// oxkernel: the kernel as a program of the host, under the sanitizers. Boots a card image; lines of standard input are typed at
// the prompt.

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/param.h"
#include "machine.h"

int kernel_main(void);

static const char usage[] =
	"usage: oxkernel-BOARD [options] IMAGE\n"
	"Boots the kernel, built for this machine with sanitizers, and types standard input. Time is counted in cycles of the board,\n"
	"roughly as many as it would take; the same input gives the same run.\n"
	"  --prompt TEXT      hold each line of input back until TEXT was printed (default: `# `; empty: do not)\n"
	"  --rw               write into the image file; else changes are gone afterwards\n"
	"  --save FILE        write the card as it is at the end into FILE\n"
	"  --max-seconds S    simulated time limit (default 600)\n"
	"  --preempt N        ask for the kernel after every N instructions, too\n"
	"  --check            compare the kernel's tables with each other whenever it is left\n"
	"  --read-error N     one of N sectors, at random, cannot be read\n"
	"  --write-error N    the same for writing\n"
	"  --fail-write N     the Nth write is refused\n"
	"  --bad-sector N     sector N cannot be read\n"
	"  --latency US       microseconds from a command of the card to its data, and that it is busy after a write\n"
	"  --trace            print system calls on standard error\n"
	"  --log FILE         append a line for each sector moved\n"
	"  --seed N           for all that is random (default 1)\n"
	"  --leaks            what the machine owns must be the same at each prompt\n"
	"  --fuzz RUNS        from the first prompt on, processes do what comes, RUNS times, with seeds from --seed on\n"
	"  --steps N          how many things they do in a run (default 2000)\n"
	"  --then COMMAND     each run of --fuzz saves its card; `COMMAND CARD N` must succeed, N transfers failed\n"
	"  --stats            print counts on standard error at the end\n"
	"Exit status: 0 halted, 2 wrong usage, 3 a fault of the kernel, 4 time limit, 5 restarted.\n";

static struct {
	const char *save;
	bool shared, stats;
	double seconds;
} options = { .seconds = 600 };

static _Noreturn void wrong(const char *text)
{
	fprintf(stderr, "oxkernel: %s\n%s", text, usage);
	exit(2);
}

static double number(const char *text)
{
	char *end;
	double n = strtod(text, &end);

	if (end == text || *end || n < 0 || n > 1e15)
		wrong("a number must stand here");
	return n;
}

static void take(int option)
{
	switch (option) {
	case 'p': uart_prompt = optarg; break;
	case 'w': options.shared = true; break;
	case 's': options.save = optarg; break;
	case 't': options.seconds = number(optarg); break;
	case 'n': core_preempt = (unsigned)number(optarg); break;
	case 'c': core_checks = true; break;
	case 'R': card_trouble.read = (unsigned)number(optarg); card_trouble.reads_left = UINT64_MAX; break;
	case 'W': card_trouble.write = (unsigned)number(optarg); card_trouble.writes_left = UINT64_MAX; break;
	case 'x': card_trouble.one_write = (uint64_t)number(optarg); break;
	case 'b': card_trouble.bad_sector = (uint32_t)number(optarg); break;
	case 'l': card_latency = (unsigned)(number(optarg) * (BOARD_F_CPU / 1e6)); break;
	case 'r': core_trace = true; break;
	case 'L': card_log(optarg); break;
	case 'S': machine_seed = (uint64_t)number(optarg); break;
	case 'k': fuzz_leaks = core_checks = true; break;
	case 'f': fuzz_runs = (unsigned)number(optarg); break;
	case 'F': fuzz_steps = (unsigned)number(optarg); break;
	case 'T': fuzz_then = optarg; break;
	case 'v': options.stats = true; break;
	case 'h': fputs(usage, stdout); exit(0);
	default: wrong("unknown option");
	}
}

static const struct option names[] = {
	{ "prompt", 1, 0, 'p' }, { "rw", 0, 0, 'w' }, { "save", 1, 0, 's' }, { "max-seconds", 1, 0, 't' }, { "preempt", 1, 0, 'n' },
	{ "check", 0, 0, 'c' }, { "read-error", 1, 0, 'R' }, { "write-error", 1, 0, 'W' }, { "fail-write", 1, 0, 'x' }, { "bad-sector", 1, 0, 'b' },
	{ "latency", 1, 0, 'l' }, { "log", 1, 0, 'L' }, { "trace", 0, 0, 'r' }, { "seed", 1, 0, 'S' }, { "leaks", 0, 0, 'k' }, { "fuzz", 1, 0, 'f' }, { "steps", 1, 0, 'F' },
	{ "then", 1, 0, 'T' }, { "stats", 0, 0, 'v' }, { "help", 0, 0, 'h' }, { 0 },
};

static char *read_input(void)
{
	size_t room = 65536, n = 0, got;
	char *text = malloc(room + 1);

	while (text && (got = fread(text + n, 1, room - n, stdin)) > 0)
		if ((n += got) == room)
			text = realloc(text, (room *= 2) + 1);
	if (!text)
		wrong("not enough memory for the input");
	text[n] = 0;
	return text;
}

void machine_ended(enum machine_end why)
{
	static const int codes[] = { [MACHINE_HALTED] = 0, [MACHINE_RESTARTS] = 5, [MACHINE_TIMEOUT] = 4, [MACHINE_BROKEN] = 3 };
	int code = codes[why];

	fuzz_ended(why);
	fflush(stdout);
	if (why == MACHINE_TIMEOUT)
		fprintf(stderr, "oxkernel: not done after %g simulated seconds\n", options.seconds);
	if (options.stats)
		fprintf(stderr, "%llu instructions, %.3f simulated seconds, longest wait for the CPU %.1f ms, %llu writes failed\n",
		        (unsigned long long)core_instructions, (double)machine_cycles / BOARD_F_CPU,
		        1e3 * (double)core_longest_wait / BOARD_F_CPU, (unsigned long long)card_failed_writes);
	if (options.save && !card_save(options.save) && !code)
		code = 2;
	exit(code);
}

int main(int argc, char **argv)
{
	int option;

	machine_seed = 1;
	while ((option = getopt_long(argc, argv, "", names, 0)) >= 0)
		take(option);
	if (optind + 1 != argc)
		wrong("one IMAGE must be named");
	card_open(argv[optind], options.shared);
	machine_limit = (uint64_t)(options.seconds * BOARD_F_CPU);
	machine_start();
	uart_type(read_input(), *uart_prompt != 0);
	kernel_main();
}
