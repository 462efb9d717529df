// SPDX-License-Identifier: ISC
//
// Recording a profile: the run is cut into windows, each as long as it runs no more than a page of code,
// each instruction counted once. So a small loop is one window, however long it runs.
#include "record.h"

#include "diag.h"
#include "profile.h"

#include <octix/oxe.h>
#include <unistd.h>

enum {
	WINDOW_BYTES = 256,
	MAX_RUN = 4096, // windows of a run; what comes later is not recorded
};

struct recorder {
	const struct symbols *map;
	uint16_t *function; // for each byte of code that ran
	uint32_t *seen;     // for each byte of code: the last window in which it ran
	uint32_t window;    // number of the present one, from 1
	unsigned used;      // bytes that ran in it
	uint16_t *set;      // its functions
	size_t n, cap;
	uint32_t *run;      // numbers of the windows so far
	size_t run_n, run_cap;
	struct profile profile;
};

struct recorder *record_start(const struct symbols *map, uint32_t bytes)
{
	struct recorder *r = xcalloc(1, sizeof *r);

	r->map = map;
	r->function = xcalloc(bytes, sizeof *r->function);
	r->seen = xcalloc(bytes, sizeof *r->seen);
	r->window = 1;
	return r;
}

// The function at a place that runs for the first time; PROFILE_NONE for page ends and the like.
static uint16_t first_run(struct recorder *r, uint32_t pc)
{
	struct symbol_place at;
	uint16_t number;

	if (!symbol_place(r->map, pc / OXE_PAGE, pc % OXE_PAGE, &at))
		return PROFILE_NONE;
	number = profile_function(&r->profile, at.name, at.size);
	for (uint32_t i = at.insn / 4; i < at.insn_end / 4 && i < at.size / 4; i++)
		r->profile.functions[number].ran[i] = 1;
	return number;
}

static void close_window(struct recorder *r)
{
	if (r->n && r->run_n < MAX_RUN) {
		r->run = xgrow(r->run, &r->run_cap, r->run_n + 1, sizeof *r->run);
		r->run[r->run_n++] = profile_window(&r->profile, r->set, r->n);
	}
	r->n = r->used = 0;
	r->window++;
}

static void add(struct recorder *r, uint16_t function)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->set[i] == function)
			return;
	r->set = xgrow(r->set, &r->cap, r->n + 1, sizeof *r->set);
	r->set[r->n++] = function;
}

void record_step(struct recorder *r, uint32_t pc, unsigned bytes)
{
	if (r->seen[pc] == r->window)
		return;
	if (!r->seen[pc])
		r->function[pc] = first_run(r, pc);
	if (r->used + bytes > WINDOW_BYTES)
		close_window(r);
	r->seen[pc] = r->window;
	r->used += bytes;
	if (r->function[pc] != PROFILE_NONE)
		add(r, r->function[pc]);
}

void record_end(struct recorder *r, const char *path)
{
	struct profile all = { 0 };
	int lock = profile_lock(path);

	close_window(r);
	if (r->run_n)
		profile_run(&r->profile, r->run, r->run_n);
	if (lseek(lock, 0, SEEK_END) > 0)
		profile_read(&all, path);
	profile_merge(&all, &r->profile);
	profile_write(&all, path);
	close(lock);
}
