// SPDX-License-Identifier: ISC
//
// <setjmp.h>: picolibc's, with the functions that keep the signal mask.
#ifndef OCTIX_SETJMP_H
#define OCTIX_SETJMP_H

#include_next <setjmp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
	jmp_buf registers;
	unsigned long mask;
	int saved;           // the mask is
} sigjmp_buf[1];

void __oct_sigsave(sigjmp_buf env, int save);
void siglongjmp(sigjmp_buf env, int value) __attribute__((noreturn));

#define sigsetjmp(env, save) (__oct_sigsave((env), (save)), setjmp((env)->registers))

#ifdef __cplusplus
}
#endif

#endif
