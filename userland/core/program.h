// SPDX-License-Identifier: ISC
//
// PROGRAM(name, usage, summary): the line by which help knows a program that is not part of the multi-call one.
#ifndef OCTIX_PROGRAM_H
#define OCTIX_PROGRAM_H

#define PROGRAM(name, usage, summary) _Static_assert(sizeof(#name usage summary) > 1, "")

#endif
