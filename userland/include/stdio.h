// SPDX-License-Identifier: ISC
//
// <stdio.h>: picolibc's, with standard streams that may stand in static initialisers, and what POSIX adds.
#ifndef OCTIX_STDIO_H
#define OCTIX_STDIO_H

#include_next <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FOPEN_MAX 16
#define FILENAME_MAX 128
#define L_ctermid 9

extern FILE __oct_stdin, __oct_stdout, __oct_stderr;
#define stdin (&__oct_stdin)
#define stdout (&__oct_stdout)
#define stderr (&__oct_stderr)

char *ctermid(char *name);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
ssize_t getline(char **line, size_t *size, FILE *stream);
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream);
int dprintf(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
