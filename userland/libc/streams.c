// SPDX-License-Identifier: ISC
//
// stdin, stdout and stderr, each in a section of its own so that a program carries the buffers of those it uses.
// Whether stdout is a terminal is asked at its first byte.
#include "stream.h"

#undef stdin
#undef stdout
#undef stderr

enum { STANDARD_BUFFER = 128, ERROR_BUFFER = 80 }; // copying by getc: 128 costs 1.5 % more than 512

static char in_buffer[STANDARD_BUFFER], out_buffer[STANDARD_BUFFER], error_buffer[ERROR_BUFFER];

#define STANDARD_STREAM(descriptor, direction, mode, storage) \
	{ \
		.head = STREAM_OPS(direction), .fd = (descriptor), .buffering = (mode), .size = sizeof(storage), \
		.buffer = (storage), .at = (storage), \
	}

struct stream __oct_in __asm__("__oct_stdin") = STANDARD_STREAM(0, __SRD, STREAM_FULL, in_buffer);
struct stream __oct_out __asm__("__oct_stdout") = STANDARD_STREAM(1, __SWR, STREAM_UNKNOWN, out_buffer);
struct stream __oct_error __asm__("__oct_stderr") = STANDARD_STREAM(2, __SWR, STREAM_LINE, error_buffer);

// What picolibc's own objects refer to.
FILE *const stdin = (FILE *)&__oct_in;
FILE *const stdout = (FILE *)&__oct_out;
FILE *const stderr = (FILE *)&__oct_error;
