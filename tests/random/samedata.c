// SPDX-License-Identifier: ISC
//
// samedata WANT SYMBOLS GOT SYMBOLS: exits with 0 when the two files, what a random program has written in two worlds, are the same.
// Words may differ where both are the address of the same function: SYMBOLS is the output of nm or the map of oxpack.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../userland/sdk/ops.h"

enum { NAMES = 1000, BYTES = 65536 };

struct symbols {
	uint32_t value[NAMES];
	char name[NAMES][64];
	unsigned count;
};

struct world {
	uint8_t bytes[BYTES];
	size_t length;
	struct symbols symbols;
};

static _Noreturn void fail(const char *what, const char *path)
{
	fprintf(stderr, "samedata: %s: %s\n", path, what);
	exit(2);
}

static void add_line(struct symbols *s, const char *line)
{
	unsigned page, offset;

	if (s->count == NAMES)
		return;
	if (sscanf(line, "F %x:%x %*x %*x %63s", &page, &offset, s->name[s->count]) == 3)
		s->value[s->count++] = codeptr(page, offset);
	else if (sscanf(line, "%x %*1[tT] %63s", &s->value[s->count], s->name[s->count]) == 2)
		s->count++;
}

static void read_world(struct world *w, const char *path, const char *symbols)
{
	FILE *f = fopen(path, "rb");
	char line[300];

	if (!f)
		fail("cannot be opened", path);
	w->length = fread(w->bytes, 1, BYTES, f);
	fclose(f);
	f = fopen(symbols, "r");
	if (!f)
		fail("cannot be opened", symbols);
	while (fgets(line, sizeof line, f))
		add_line(&w->symbols, line);
	fclose(f);
	if (!w->symbols.count)
		fail("no symbols", symbols);
}

static uint32_t word(const struct world *w, size_t at)
{
	uint32_t v;

	memcpy(&v, w->bytes + at, 4);
	return v;
}

static const char *name_of(const struct world *w, uint32_t value)
{
	for (unsigned i = 0; i < w->symbols.count; i++)
		if (w->symbols.value[i] == value)
			return w->symbols.name[i];
	return NULL;
}

static int same_word(const struct world *a, const struct world *b, size_t at)
{
	const char *x = name_of(a, word(a, at)), *y = name_of(b, word(b, at));

	return word(a, at) == word(b, at) || (x && y && !strcmp(x, y));
}

int main(int argc, char **argv)
{
	static struct world want, got;
	size_t at = 0;

	if (argc != 5)
		return fputs("usage: samedata WANT SYMBOLS GOT SYMBOLS\n", stderr), 2;
	read_world(&want, argv[1], argv[2]);
	read_world(&got, argv[3], argv[4]);
	if (want.length != got.length || !want.length)
		return printf("%s has %zu bytes, %s %zu\n", argv[1], want.length, argv[3], got.length), 1;
	for (; at + 4 <= want.length; at += 4)
		if (!same_word(&want, &got, at))
			return printf("%s and %s differ at byte %zu: %08x, %08x\n", argv[1], argv[3], at, word(&want, at), word(&got, at)), 1;
	if (memcmp(want.bytes + at, got.bytes + at, want.length - at))
		return printf("%s and %s differ in their last bytes\n", argv[1], argv[3]), 1;
	return 0;
}
