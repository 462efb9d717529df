// SPDX-License-Identifier: ISC
//
// Starting programs.
#ifndef OCTIX_EXEC_H
#define OCTIX_EXEC_H

#include <stdint.h>

// First cluster of the swap file: as busy as a program that runs.
extern uint32_t exec_swap;

// Makes the program in PATH_A the current process's, without arguments.
void exec_first(void);

// Says on the console what is wrong with the file in PATH_A: as print_why.
void complain(const char *text, uint8_t number);

// The end of a boot whose exec_first has failed.
void init_failed(void) __attribute__((noreturn));

// Frees what an execve that has failed was building.
void exec_abandon(void);

#endif
