// SPDX-License-Identifier: ISC
//
// What the host tools for images and packages share: messages, memory, whole reads and writes, hashes, child processes.
// Everything here either works or ends the program with a message and one of the exit codes below.
#ifndef OCTIX_IMAGE_UTIL_H
#define OCTIX_IMAGE_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum exit_code { EXIT_FAILED = 1, EXIT_USAGE = 2 }; // `octix help` has the whole table

#define SHA256_HEX 65 // hex digits of a SHA-256 with the NUL

extern const char *program; // put before each message

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

void *xmalloc(size_t bytes); // zeroed
void *xrealloc(void *old, size_t bytes);
char *xstrdup(const char *s);
char *xprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Whole transfers at a byte offset; `name` is for the message.
void read_at(int fd, void *buf, size_t bytes, off_t offset, const char *name);
void write_at(int fd, const void *buf, size_t bytes, off_t offset, const char *name);
bool try_read_at(int fd, void *buf, size_t bytes, off_t offset);

// read_file: all of a file, with a NUL behind it; NULL when it can't be opened.
char *read_file(const char *path, size_t *bytes);
// write_file: makes or replaces a file, atomically, and syncs it.
void write_file(const char *path, const void *data, size_t bytes);

// copy_sparse: copies `bytes` from one file to the start of another that is empty, holes left as holes.
void copy_sparse(int from, off_t offset, int to, off_t bytes, const char *name);

void sha256_hex(const void *data, size_t bytes, char hex[SHA256_HEX]);
void sha256_fd(int fd, off_t offset, off_t bytes, char hex[SHA256_HEX], const char *name);

// parse_size: "64M", "2048K", "1G" or bytes; ends the program on anything else.
uint64_t parse_size(const char *text);

// run_quiet: runs a command, its output kept and shown only when it fails (status other than 0).
int run_quiet(char *const argv[]);

#endif
