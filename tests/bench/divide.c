// SPDX-License-Identifier: ISC
//
// Division of bytes. Marks 1 to 2: ROUNDS loops of two quotients and two remainders, 2 to 3: the loops without them.
#include <stdint.h>

#define ROUNDS 100

int mark(int n);

#define ALL(op1, op2, op3, op4) op1 STEP op2 STEP op3 STEP op4 STEP
#define STEP "\n add %0, %0, t0\n"

int main(void)
{
	uint32_t a = 200, b = 7, sum = 0;

	for (int round = 0; round < 2; round++) {
		mark(1);
		for (int i = 0; i < ROUNDS; i++)
			__asm__ volatile(ALL("divu t0, %1, %2", "remu t0, %1, %2", "div t0, %1, %2", "rem t0, %1, %2")
					 : "+r"(sum) : "r"(a), "r"(b) : "t0");
		mark(2);
		for (int i = 0; i < ROUNDS; i++)
			__asm__ volatile(ALL("", "", "", "") : "+r"(sum) : "r"(a), "r"(b) : "t0");
		mark(3);
	}
	return sum == 0; // else nobody wants the quotients
}
