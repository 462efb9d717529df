// SPDX-License-Identifier: ISC
//
// Many wild sessions from one start: the machine is booted once, each run is a process forked at its first prompt. A run ends
// with all wild processes killed, a new shell, the same holdings as before, and a halt. See machine.h.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sanitizer/common_interface_defs.h>

#include "kernel/param.h"
#include "kernel/proc.h"
#include "machine.h"

#define PATIENCE 20       // seconds of real time for a run
#define CALM_MS  100
#define QUIET_S  60       // simulated seconds from the end of the wild part to the halt
#define WILD_S   600      // and for the wild part

unsigned fuzz_runs, fuzz_steps = 2000;
const char *fuzz_then;
bool fuzz_leaks;

static enum { BOOTING, WATCHING, WILD, ENDING, SETTLING, HALTING } phase;
static struct holdings before;
static uint64_t prompts;
static struct wild_counts *totals; // of all runs, shared

// ---- one run

static void too_long(int signal)
{
	(void)signal;
	fprintf(stderr, "oxkernel: does not come to an end\n");
	__sanitizer_print_stack_trace();
	check_print();
	_exit(1);
}

static void begin(uint64_t seed)
{
	static const unsigned one_of[] = { 0, 0, 0, 400, 60 }, latencies[] = { 0, 0, 300, 2000 }; // us

	machine_seed = seed * 0x9e3779b97f4a7c15u + 1;
	card_trouble.read = one_of[machine_pick(5)];
	card_trouble.write = one_of[machine_pick(5)];
	card_latency = latencies[machine_pick(4)] * (unsigned)(BOARD_F_CPU / 1000000);
	card_trouble.reads_left = card_trouble.writes_left = 200;
	core_checks = true;
	wild_on = true;
	phase = WILD;
	machine_limit = machine_cycles + WILD_S * (uint64_t)BOARD_F_CPU;
	signal(SIGALRM, too_long);
	alarm(PATIENCE);
}

static void end(void)
{
	phase = ENDING;
	card_trouble = (struct card_trouble){ 0 };
	prompts = uart_prompts;
	machine_limit = machine_cycles + QUIET_S * (uint64_t)BOARD_F_CPU;
	wild_end();
}

static void save_and_check(void)
{
	char name[] = "/tmp/oxkernel-XXXXXX", command[600];
	int fd = mkstemp(name), status;

	if (fd < 0 || !card_save(name))
		_exit(2);
	close(fd);
	snprintf(command, sizeof command, "%s %s %llu >&2", fuzz_then, name, (unsigned long long)(card_failed_reads + card_failed_writes));
	status = system(command);
	unlink(name);
	if (status)
		_exit(1);
}

static void add_counts(void)
{
	uint64_t *sum = (uint64_t *)totals;
	const uint64_t *mine = (const uint64_t *)&wild_counts;

	wild_counts.runs = 1;
	wild_counts.failed_reads = card_failed_reads;
	wild_counts.failed_writes = card_failed_writes;
	for (size_t i = 0; i < sizeof wild_counts / sizeof *sum; i++)
		sum[i] += mine[i];
}

void fuzz_ended(enum machine_end why)
{
	if (phase < WILD)
		return;
	fflush(stdout);
	if (why == MACHINE_HALTED && phase == HALTING) {
		if (fuzz_then)
			save_and_check();
		add_counts();
		_exit(0);
	}
	if (why == MACHINE_TIMEOUT)
		fprintf(stderr, "oxkernel: hangs: not done after %d simulated seconds\n", phase == WILD ? WILD_S : QUIET_S);
	else if (why != MACHINE_BROKEN)
		fprintf(stderr, "oxkernel: the machine has stopped by itself\n");
	check_print();
	_exit(1);
}

// ---- all runs

// Returns in each run.
static void all_runs(void)
{
	uint64_t first = machine_seed;
	unsigned failed = 0;

	totals = mmap(0, sizeof *totals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uart_quiet = fuzz_runs > 1;
	fflush(0);
	for (unsigned n = 0; n < fuzz_runs && failed < 5; n++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0) {
			begin(first + n);
			return;
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
			fprintf(stderr, "oxkernel: seed %llu failed; `--fuzz 1 --seed %llu` shows the console\n",
			        (unsigned long long)(first + n), (unsigned long long)(first + n));
			failed++;
		}
	}
	printf("%llu runs, %llu things done, of them %llu system calls and %llu page faults; %llu calls waited and went on, %llu looked at again\n"
	       "while waiting, %llu killed in a dead end; %llu reads and %llu writes of the card failed\n",
	       (unsigned long long)totals->runs, (unsigned long long)totals->steps, (unsigned long long)totals->calls,
	       (unsigned long long)totals->faults, (unsigned long long)totals->wakes, (unsigned long long)totals->spurious,
	       (unsigned long long)totals->rescued, (unsigned long long)totals->failed_reads, (unsigned long long)totals->failed_writes);
	fflush(0);
	_exit(failed ? 1 : totals->runs != fuzz_runs);
}

// Has a new prompt been there for a while, with somebody who reads?
static bool at_prompt(void)
{
	static uint64_t seen, since;

	if (uart_prompts != seen) {
		seen = uart_prompts;
		since = machine_cycles;
	}
	if (uart_prompts == prompts || (phase >= WILD && machine_cycles - since < CALM_MS * (uint64_t)(BOARD_F_CPU / 1000)))
		return false;
	for (unsigned i = 0; i < PROCS; i++)
		if (procs[i].state == PROC_TTY_IN)
			return true;
	return false;
}

void fuzz_left(void)
{
	if (phase == WILD && wild_counts.steps >= fuzz_steps)
		end();
}

void fuzz_idle(void)
{
	struct holdings now;

	if (phase == WILD || phase == HALTING || (!fuzz_runs && !fuzz_leaks) || !at_prompt())
		return;
	prompts = uart_prompts;
	now = check_holdings();
	if (phase == BOOTING) {
		before = now;
		phase = WATCHING;
		if (fuzz_runs)
			all_runs();
		return;
	}
	if (phase == ENDING) { // a part of a line may have been typed before
		phase = SETTLING;
		uart_type("\025\n", false);
		return;
	}
	check_same_holdings(&before, &now);
	if (phase == SETTLING) {
		phase = HALTING;
		uart_type("halt\n", false);
	}
}
