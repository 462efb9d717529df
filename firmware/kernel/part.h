// SPDX-License-Identifier: ISC
//
// PART(BOARD_HAS_x, row): the row of a table that belongs to an optional part (firmware.mk), or nothing.
#ifndef OCTIX_PART_H
#define OCTIX_PART_H

#include "board.h"

#define PART(has, ...)     PART_HAS(has, __VA_ARGS__)
#define PART_HAS(has, ...) PART_##has(__VA_ARGS__)
#define PART_0(...)
#define PART_1(...)        __VA_ARGS__,

#endif
