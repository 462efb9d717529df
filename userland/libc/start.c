// SPDX-License-Identifier: ISC
//
// What runs between the entry point and main, and exit. Streams and atexit register themselves in __oct_at_exit[]
// when first used, so that a program without them carries neither.
#include "private.h"

#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv, char **envp);
_Noreturn void __oct_start(int argc, char **argv, char **envp);

extern void (*const __init_array_start[])(void);
extern void (*const __init_array_end[])(void);
extern void (*const __fini_array_start[])(void);
extern void (*const __fini_array_end[])(void);

void (*__oct_at_exit[2])(void);
char **__oct_argv;

_Noreturn void __oct_start(int argc, char **argv, char **envp)
{
	environ = envp;
	__oct_argv = argv;
	for (void (*const *f)(void) = __init_array_start; f != __init_array_end; f++)
		(*f)();
	exit(main(argc, argv, envp));
}

_Noreturn void exit(int status)
{
	if (__oct_at_exit[OCT_EXIT_FUNCTIONS])
		__oct_at_exit[OCT_EXIT_FUNCTIONS]();
	for (void (*const *f)(void) = __fini_array_end; f != __fini_array_start;)
		(*--f)();
	if (__oct_at_exit[OCT_EXIT_STREAMS])
		__oct_at_exit[OCT_EXIT_STREAMS]();
	_exit(status);
}
