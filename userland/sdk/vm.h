// SPDX-License-Identifier: ISC
//
// The bytecode machine on the host: executes OXE code as OXE.md says, and reports what a real board would not.
#ifndef SDK_VM_H
#define SDK_VM_H

#include "cpu.h"
#include "disasm.h"
#include "oxefile.h"
#include "record.h"
#include "space.h"
#include "sys.h"

#include <setjmp.h>

struct vm {
	struct cpu cpu;          // first: what the instructions know
	uint8_t *code;           // pages, their last bytes already page ends
	unsigned pages;
	struct op_insn *decoded; // one for each byte of code, filled when first run; bytes 0: not yet
	struct space space;
	struct sys sys;
	int pid;                 // of the process that started it
	bool child;              // a traced program started this one
	const char *name;        // for messages
	const struct symbols *map;
	bool strict, wide, trace, trace_calls, quiet;
	uint64_t insns, max_insns;
	uint64_t per_op[256];
	uint64_t *per_place;     // by place in the code, NULL: not wanted
	unsigned misaligned;     // reports so far
	uint8_t *pages_run;      // code pages that ran
	struct recorder *recorder; // NULL: no profile is wanted
	int signal;              // octix signal that killed it, 0: none
	jmp_buf stop;
};

// Takes over a checked file's code and data. Frees nothing of f.
void vm_load(struct vm *v, const struct oxe_file *f);

void vm_free(struct vm *v);

// Runs until exit, a fatal signal (v->signal is set, a message is out) or max_insns. Returns the exit status, 128 + signal
// for a killed program.
int vm_run(struct vm *v);

// Prints the instruction before it runs.
void vm_trace(const struct vm *v, const struct op_insn *i);

// Does a system call and prints it on stderr, with its arguments and result.
uint32_t vm_traced_call(struct vm *v, uint32_t number, const uint32_t *arg);

// Prints counters on stderr.
void vm_stats(const struct vm *v);

// Prints the functions with the most instructions on stderr; pages of code when there is no map. Needs per_place.
void vm_hot(const struct vm *v);

#endif
