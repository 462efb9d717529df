// SPDX-License-Identifier: ISC
//
// Block transfers of streams: whole runs of bytes by memcpy instead of a call a byte.
// Streams that are not ours (strings, memory) go byte by byte.
#include "stream.h"

#include <string.h>

static size_t put_each(const char *data, size_t n, FILE *file)
{
	size_t done = 0;

	while (done < n && file->put(data[done], file) >= 0)
		done++;
	return done;
}

static size_t put_run(struct stream *s, const char *data, size_t n)
{
	size_t room;

	if (__oct_prepare_write(s) < 0)
		return 0;
	room = (size_t)(s->write_end - s->at);
	if (n > room)
		n = room;
	memcpy(s->at, data, n);
	s->at += n;
	return n;
}

static size_t put_bytes(const char *data, size_t n, FILE *file)
{
	struct stream *s = (struct stream *)file;
	size_t done = 0, run;

	if (!(file->flags & __SWR))
		return 0;
	if (!is_ours(file))
		return put_each(data, n, file);
	while (done < n && (run = put_run(s, data + done, n - done)) > 0)
		done += run;
	if (n && (s->buffering == STREAM_NONE || (s->buffering == STREAM_LINE && memchr(data, '\n', n))))
		if (__oct_flush(file) < 0)
			return 0;
	return done;
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file)
{
	size_t n = size * count, done = n ? put_bytes(data, n, file) : 0;

	if (done < n)
		file->flags |= __SERR;
	return done == n ? (n ? count : 0) : done / size;
}

int fputs(const char *text, FILE *file)
{
	size_t n = strlen(text);

	return put_bytes(text, n, file) == n ? 0 : EOF;
}

int puts(const char *text)
{
	return fputs(text, stdout) < 0 || fputc('\n', stdout) < 0 ? EOF : 0;
}

static size_t get_run(FILE *file, char *data, size_t n)
{
	struct stream *s = (struct stream *)file;
	size_t ready = (size_t)(s->read_end - s->at);

	if (!is_ours(file) || file->unget || s->at >= s->read_end) {
		int c = fgetc(file); // one byte; fills the buffer

		if (c == EOF)
			return 0;
		*data = (char)c;
		return 1;
	}
	if (n > ready)
		n = ready;
	memcpy(data, s->at, n);
	s->at += n;
	return n;
}

size_t fread(void *data, size_t size, size_t count, FILE *file)
{
	size_t n = size * count, done = 0, run;

	while (done < n && (run = get_run(file, (char *)data + done, n - done)) > 0)
		done += run;
	return done == n ? (n ? count : 0) : done / size;
}
