// SPDX-License-Identifier: ISC
//
// Arguments that random system calls are made with, as initialisers: c/calls.c on a board, host/wild.c on the host.
#ifndef KERNEL_TEMPTING_H
#define KERNEL_TEMPTING_H

// Numbers around limits, powers of two, and signs.
#define TEMPTING_NUMBERS 0, 1, 2, 9, 10, 15, 16, 31, 32, 255, 256, 511, 512, 513, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, \
	0xffffff00, 0xfffffffe, 0xffffffff

// Paths of files that may come and go: few, so that they meet; and such as are none.
#define TEMPTING_NAMES "a", "b", "a long name.text", "d", "d/x", "d/e", "d/../a", "./b", "A", "d/", "a/b", "none/x", "", ".", "..", "x:y", "aux ", \
	"\xc3\xa4\xe2\x82\xac", "\xff\xfe", "*?", "//d//x", "d/e/f"

#endif
