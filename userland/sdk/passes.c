// SPDX-License-Identifier: ISC
//
// What is done with a program before its bytecodes are chosen.
#include "pack.h"

void analyse(struct program *p, struct elf *e, const struct profile *profile)
{
	text_load(p, e);
	fold(p);
	combine(p);
	zeros(p);
	liveness(p);
	frames(p);
	zeros(p);
	liveness(p);
	split(p, profile);
	order(p);
	gather(p);
}
