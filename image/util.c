// SPDX-License-Identifier: ISC
//
// Messages, memory, whole reads and writes, hashes and child processes for the image and package tools.
#include "util.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char *program = "octix";

static void message(const char *format, va_list args)
{
	fprintf(stderr, "%s: ", program);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void die(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	message(format, args);
	va_end(args);
	exit(EXIT_FAILED);
}

void usage_error(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	message(format, args);
	va_end(args);
	fprintf(stderr, "Try '%s --help'.\n", program);
	exit(EXIT_USAGE);
}

void warn(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	message(format, args);
	va_end(args);
}

void *xmalloc(size_t bytes)
{
	void *p = calloc(1, bytes ? bytes : 1);
	if (!p)
		die("out of memory");
	return p;
}

void *xrealloc(void *old, size_t bytes)
{
	void *p = realloc(old, bytes ? bytes : 1);
	if (!p)
		die("out of memory");
	return p;
}

char *xstrdup(const char *s)
{
	return xprintf("%s", s);
}

char *xprintf(const char *format, ...)
{
	char *text;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		die("out of memory");
	va_end(args);
	return text;
}

bool try_read_at(int fd, void *buf, size_t bytes, off_t offset)
{
	char *p = buf;
	while (bytes) {
		ssize_t n = pread(fd, p, bytes, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n, offset += n, bytes -= (size_t)n;
	}
	return true;
}

void read_at(int fd, void *buf, size_t bytes, off_t offset, const char *name)
{
	errno = 0;
	if (!try_read_at(fd, buf, bytes, offset))
		die("%s: cannot read %zu bytes at %lld: %s", name, bytes, (long long)offset,
		    errno ? strerror(errno) : "end of file");
}

void write_at(int fd, const void *buf, size_t bytes, off_t offset, const char *name)
{
	const char *p = buf;
	while (bytes) {
		ssize_t n = pwrite(fd, p, bytes, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			die("%s: cannot write at %lld: %s", name, (long long)offset, strerror(errno));
		p += n, offset += n, bytes -= (size_t)n;
	}
}

char *read_file(const char *path, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		die("%s: not a regular file", path);
	char *data = xmalloc((size_t)st.st_size + 1);
	read_at(fd, data, (size_t)st.st_size, 0, path);
	close(fd);
	if (bytes)
		*bytes = (size_t)st.st_size;
	return data;
}

void write_file(const char *path, const void *data, size_t bytes)
{
	char *tmp = xprintf("%s.octix-tmp", path);
	int fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		die("%s: %s", tmp, strerror(errno));
	write_at(fd, data, bytes, 0, tmp);
	if (fsync(fd) || close(fd) || rename(tmp, path)) {
		int why = errno;
		unlink(tmp);
		die("%s: %s", path, strerror(why));
	}
	free(tmp);
}

static bool all_zero(const char *p, size_t bytes)
{
	return bytes == 0 || (p[0] == 0 && memcmp(p, p + 1, bytes - 1) == 0);
}

// copy_span: copies one span of data, leaving out blocks of zeros.
static void copy_span(int from, off_t from_at, int to, off_t to_at, off_t bytes, const char *name)
{
	enum { BLOCK = 4096, CHUNK = 1 << 20 };
	static char buf[CHUNK];
	for (off_t done = 0; done < bytes;) {
		size_t n = bytes - done < CHUNK ? (size_t)(bytes - done) : CHUNK;
		read_at(from, buf, n, from_at + done, name);
		for (size_t at = 0; at < n; at += BLOCK) {
			size_t block = n - at < BLOCK ? n - at : BLOCK;
			if (!all_zero(buf + at, block))
				write_at(to, buf + at, block, to_at + done + (off_t)at, name);
		}
		done += (off_t)n;
	}
}

void copy_sparse(int from, off_t offset, int to, off_t bytes, const char *name)
{
	off_t end = offset + bytes;
	if (ftruncate(to, bytes))
		die("%s: copy: %s", name, strerror(errno));
	for (off_t at = offset; at < end;) {
		off_t data = lseek(from, at, SEEK_DATA);
		if (data < 0 && errno == ENXIO)
			return; // holes up to the end
		if (data < 0)
			data = at; // no SEEK_DATA on this file system
		off_t hole = lseek(from, data, SEEK_HOLE);
		if (hole <= data || hole > end)
			hole = end;
		if (data >= end)
			return;
		copy_span(from, data, to, data - offset, hole - data, name);
		at = hole;
	}
}

static void hex_digest(EVP_MD_CTX *ctx, char hex[SHA256_HEX])
{
	unsigned char md[EVP_MAX_MD_SIZE];
	unsigned int n = 0;
	if (!EVP_DigestFinal_ex(ctx, md, &n))
		die("SHA-256 failed");
	for (unsigned int i = 0; i < 32; i++)
		snprintf(hex + 2 * i, 3, "%02x", md[i]);
	EVP_MD_CTX_free(ctx);
}

static EVP_MD_CTX *new_digest(void)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	if (!ctx || !EVP_DigestInit_ex(ctx, EVP_sha256(), NULL))
		die("SHA-256 is not available");
	return ctx;
}

void sha256_hex(const void *data, size_t bytes, char hex[SHA256_HEX])
{
	EVP_MD_CTX *ctx = new_digest();
	EVP_DigestUpdate(ctx, data, bytes);
	hex_digest(ctx, hex);
}

void sha256_fd(int fd, off_t offset, off_t bytes, char hex[SHA256_HEX], const char *name)
{
	static char buf[1 << 20];
	EVP_MD_CTX *ctx = new_digest();
	while (bytes) {
		size_t n = bytes < (off_t)sizeof buf ? (size_t)bytes : sizeof buf;
		read_at(fd, buf, n, offset, name);
		EVP_DigestUpdate(ctx, buf, n);
		offset += (off_t)n, bytes -= (off_t)n;
	}
	hex_digest(ctx, hex);
}

uint64_t parse_size(const char *text)
{
	char *end;
	errno = 0;
	uint64_t n = strtoull(text, &end, 10);
	int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
	if (shift)
		end++;
	if (end == text || *end || errno || text[0] == '-' || n > UINT64_MAX >> 31)
		usage_error("'%s' is not a size (examples: 64M, 4096K, 1G)", text);
	return n << shift;
}

// show_output: prints what the child wrote into the pipe, or keeps it back.
static char *drain(int fd)
{
	char *text = xmalloc(65536);
	size_t used = 0;
	ssize_t n;
	while ((n = read(fd, text + used, 65535 - used)) > 0)
		used += (size_t)n;
	close(fd);
	return text;
}

int run_quiet(char *const argv[])
{
	int out[2], status;
	if (pipe(out))
		die("pipe: %s", strerror(errno));
	pid_t child = fork();
	if (child < 0)
		die("fork: %s", strerror(errno));
	if (child == 0) {
		dup2(out[1], 1), dup2(out[1], 2);
		close(out[0]), close(out[1]);
		execvp(argv[0], argv);
		fprintf(stderr, "%s: %s (make deps installs it)\n", argv[0], strerror(errno));
		_exit(127);
	}
	close(out[1]);
	char *text = drain(out[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	if (code)
		fputs(text, stderr);
	free(text);
	return code;
}
