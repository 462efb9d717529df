// SPDX-License-Identifier: ISC
//
// Buffered streams over file descriptors: the operations behind every FILE of a program.
// A stream enters the list when it is first written; exit flushes the list. Nothing here needs malloc.
#include "stream.h"
#include "private.h"

#include <unistd.h>

struct stream *__oct_streams;

static void flush_listed(void)
{
	fflush(NULL);
}

void __oct_list(struct stream *s)
{
	if (s->listed)
		return;
	s->listed = 1;
	s->next = __oct_streams;
	__oct_streams = s;
	__oct_at_exit[OCT_EXIT_STREAMS] = flush_listed;
}

static void unlist(struct stream *s)
{
	struct stream **p = &__oct_streams;

	while (*p && *p != s)
		p = &(*p)->next;
	if (*p)
		*p = s->next;
	s->listed = 0;
}

static int write_all(int fd, const char *data, size_t n)
{
	while (n) {
		ssize_t done = write(fd, data, n);

		if (done <= 0)
			return -1;
		data += done;
		n -= (size_t)done;
	}
	return 0;
}

int __oct_flush(FILE *file)
{
	struct stream *s = (struct stream *)file;
	int result = 0;

	if (s->write_end)
		result = write_all(s->fd, s->buffer, (size_t)(s->at - s->buffer));
	else if (s->at < s->read_end)
		lseek(s->fd, s->at - s->read_end, SEEK_CUR);
	if (result < 0)
		file->flags |= __SERR;
	s->at = s->buffer;
	s->write_end = s->read_end = NULL;
	return result;
}

int fflush(FILE *file)
{
	int result = 0;

	if (file)
		return file->flush ? file->flush(file) : 0;
	for (struct stream *s = __oct_streams; s; s = s->next)
		if (s->write_end)
			result |= __oct_flush(&s->head.cfile.file);
	return result;
}

// Puts the stream into write direction with at least one byte free; 0, or -1 for an error.
int __oct_prepare_write(struct stream *s)
{
	if (s->write_end && s->at < s->write_end)
		return 0;
	if (__oct_flush(&s->head.cfile.file) < 0)
		return -1;
	if (s->buffering == STREAM_UNKNOWN)
		s->buffering = isatty(s->fd) ? STREAM_LINE : STREAM_FULL;
	__oct_list(s);
	s->at = s->buffer;
	s->write_end = s->buffer + s->size;
	return 0;
}

int __oct_put(char c, FILE *file)
{
	struct stream *s = (struct stream *)file;

	if (s->at >= s->write_end && __oct_prepare_write(s) < 0)
		return _FDEV_ERR;
	*s->at++ = c;
	if (s->buffering >= STREAM_LINE && (c == '\n' || s->buffering == STREAM_NONE) && __oct_flush(file) < 0)
		return _FDEV_ERR;
	return (unsigned char)c;
}

static void flush_terminals(void)
{
	for (struct stream *s = __oct_streams; s; s = s->next)
		if (s->write_end && s->buffering == STREAM_LINE)
			__oct_flush(&s->head.cfile.file);
}

// Reads the next bufferful; 0, _FDEV_EOF or _FDEV_ERR.
int __oct_fill(struct stream *s)
{
	ssize_t n;

	if (s->write_end && __oct_flush(&s->head.cfile.file) < 0)
		return _FDEV_ERR;
	flush_terminals();
	n = read(s->fd, s->buffer, s->size);
	s->at = s->buffer;
	s->read_end = s->buffer + (n > 0 ? n : 0);
	return n > 0 ? 0 : n < 0 ? _FDEV_ERR : _FDEV_EOF;
}

int __oct_get(FILE *file)
{
	struct stream *s = (struct stream *)file;

	if (s->at >= s->read_end) {
		int result = __oct_fill(s);

		if (result)
			return result;
	}
	return (unsigned char)*s->at++;
}

__off_t __oct_seek(FILE *file, __off_t offset, int whence)
{
	struct stream *s = (struct stream *)file;

	if (whence == SEEK_CUR && offset == 0) { // ftell keeps the buffer
		__off_t position = lseek(s->fd, 0, SEEK_CUR);

		if (position < 0)
			return position;
		return s->write_end ? position + (s->at - s->buffer) : s->read_end ? position - (s->read_end - s->at) : position;
	}
	if (__oct_flush(file) < 0)
		return -1;
	return lseek(s->fd, offset, whence);
}

int __oct_setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
	struct stream *s = (struct stream *)file;

	if (__oct_flush(file) < 0 || mode < _IOFBF || mode > _IONBF)
		return -1;
	s->buffering = mode == _IOFBF ? STREAM_FULL : mode == _IOLBF ? STREAM_LINE : STREAM_NONE;
	if (!buffer || size == 0 || size > UINT16_MAX)
		return 0; // the mode alone: the buffer stays
	s->buffer = s->at = buffer;
	s->size = (uint16_t)size;
	return 0;
}

int __oct_close(FILE *file)
{
	struct stream *s = (struct stream *)file;
	int result = __oct_flush(file);

	unlist(s);
	result |= close(s->fd);
	if (s->release)
		s->release(s);
	return result < 0 ? EOF : 0;
}
