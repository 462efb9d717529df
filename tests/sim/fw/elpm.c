// SPDX-License-Identifier: ISC
// elpm, elpm Rd,Z and elpm Rd,Z+ across the end of the second 64 KB; the bytes come from the boot
// section of the m1284p, at 0x1e000.
#include "fw.h"

const uint8_t far_bytes[2] __attribute__((section(".boot"), used)) = { 90, 91 };

int main(void)
{
	uint8_t r0, plain, plus;
	uint16_t z = 0xe000;
	console_start();
	RAMPZ = 1;
	__asm__ volatile("elpm\n\tmov %0, r0" : "=r"(r0) : "z"(z) : "r0");
	__asm__ volatile("elpm %0, Z" : "=r"(plain) : "z"(z));
	__asm__ volatile("elpm %0, Z+\n\telpm %0, Z+" : "=&r"(plus), "+z"(z));
	report("r0", r0);
	report("plain", plain);
	report("plus", plus);
	report("after", z == 0xe002);
	halt();
}
