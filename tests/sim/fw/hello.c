// SPDX-License-Identifier: ISC
// Prints a line and halts.
#include "fw.h"

int main(void)
{
	console_start();
	print("hello\r\n");
	halt();
}
