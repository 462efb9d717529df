// SPDX-License-Identifier: ISC
//
// Starting programs.
#ifndef OCTIX_EXEC_H
#define OCTIX_EXEC_H

#include <stdint.h>

// First cluster of the swap file: as busy as a program that runs.
extern uint32_t exec_swap;

// Makes the program in PATH_A the current process's, without arguments. 0 or -OX_E*.
int8_t exec_first(void);

#endif
