// SPDX-License-Identifier: ISC
//
// What an instruction of the bytecode works on. vmops.c has the instructions; a machine around them (oxrun; the kernel on the
// host) provides memory, jumps, system calls and the end of a program.
#ifndef SDK_CPU_H
#define SDK_CPU_H

#include "ops.h"

struct cpu {
	uint32_t r[16];
	uint32_t acc;  // the accumulator
	uint32_t junk; // what its undefined bytes are made from
	uint32_t pc;   // page * 256 + offset of the current instruction
	uint32_t next; // of the one after it; jumps set it
};

enum { CPU_READ = 1, CPU_WRITE = 2 };

// Executes one decoded instruction. It may leave off by a longjmp of the machine in any of the four functions below;
// executed again, it comes out the same.
void cpu_execute(struct cpu *v, const struct op_insn *i);

// The machine: the `size` bytes (1, 2 or 4) at a data address, whose low bits are masked. `how`: CPU_*.
uint8_t *cpu_bytes(struct cpu *v, uint32_t addr, unsigned size, unsigned how);

// The machine: v->next becomes what the code pointer names.
void cpu_go(struct cpu *v, uint32_t pointer);

// The machine: does the system call in t0.
void cpu_call(struct cpu *v);

// The machine: kills the program by an octix signal.
_Noreturn void cpu_kill(struct cpu *v, int sig, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
