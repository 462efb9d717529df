// SPDX-License-Identifier: ISC
//
// A FILE over a file descriptor: picolibc's stream head (its functions use it and `fd`), then a buffer.
// `at` moves through the buffer; in write direction up to `write_end`, in read direction up to `read_end`, and the
// limit of the other direction is NULL, so that put and get need one compare each in the common case.
#ifndef OCTIX_STREAM_H
#define OCTIX_STREAM_H

#include <stdint.h>
#include <stdio.h>

enum { STREAM_UNKNOWN, STREAM_FULL, STREAM_LINE, STREAM_NONE }; // buffering; unknown: asks isatty at first use

struct stream {
	struct __file_ext head;
	int fd;
	uint8_t buffering;
	uint8_t listed;
	uint16_t size;       // of the buffer
	char *buffer;
	char *at;
	char *write_end;
	char *read_end;
	struct stream *next; // in the list of streams that were written
	void (*release)(void *); // free, for streams from the heap
	int pid;             // of popen
};

_Static_assert(sizeof(struct __file) == 20, "the stream head of the library that was built");

extern struct stream *__oct_streams;

int __oct_put(char c, FILE *file);
int __oct_get(FILE *file);
int __oct_flush(FILE *file);
int __oct_close(FILE *file);
__off_t __oct_seek(FILE *file, __off_t offset, int whence);
int __oct_setvbuf(FILE *file, char *buffer, int mode, size_t size);
int __oct_prepare_write(struct stream *s);
int __oct_fill(struct stream *s);
void __oct_list(struct stream *s);

#define STREAM_OPS(flags) FDEV_SETUP_EXT(__oct_put, __oct_get, __oct_flush, __oct_close, __oct_seek, __oct_setvbuf, (flags) | __SBUF)

static inline int is_ours(const FILE *file)
{
	return file->put == __oct_put;
}

#endif
