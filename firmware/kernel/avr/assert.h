// SPDX-License-Identifier: ISC
//
// assert() of the kernel, in place of the C library's, which host builds of its sources use. It costs the test and a call, 2 or 4 bytes:
// the address behind the call is all that the panic prints, and the build writes what stands there into kernel.asserts. The condition's
// text must hold no `%` and no `"`.
#ifndef OCTIX_ASSERT_H
#define OCTIX_ASSERT_H

#define ASSERT_TEXT(line, condition) #line ": " condition

// The name of the section makes the linker keep it, beside what is loaded.
#define assert_at(line, condition) \
	__asm__ volatile("call panic_here\n1:\n\t.pushsection .debug_asserts,\"\",@progbits\n\t.long 1b\n\t.asciz \"" __FILE__ ":" \
			 ASSERT_TEXT(line, condition) "\"\n\t.popsection")

#define assert(condition) \
	do { \
		if (!(condition)) { \
			assert_at(__LINE__, #condition); \
			__builtin_unreachable(); \
		} \
	} while (0)

#endif
