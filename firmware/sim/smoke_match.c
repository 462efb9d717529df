// SPDX-License-Identifier: ISC
// Compares what a command printed with what was expected.
#include <stdlib.h>
#include <string.h>

#include "smoke.h"

size_t split_lines(char *text, char ***lines)
{
	size_t n = 0;
	*lines = NULL;
	while (*text) {
		char *end = strchr(text, '\n');
		char **more = realloc(*lines, (n + 1) * sizeof **lines);
		if (!more)
			break;
		*lines = more;
		(*lines)[n++] = text;
		if (!end)
			break;
		*end = '\0';
		text = end + 1;
	}
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen((*lines)[i]);
		while (len && (*lines)[i][len - 1] == '\r')
			(*lines)[i][--len] = '\0';
	}
	return n;
}

static bool line_matches(const struct expect *e, const char *line)
{
	if (e->kind == LINE_REGEX)
		return !regexec(&e->regex, line, 0, NULL, 0);
	return e->kind == LINE_EXACT && !strcmp(e->text, line);
}

// "..." is matched greedily with one step back, as in shell patterns: linear in the usual case.
bool lines_match(const struct expect *want, size_t wants, char **got, size_t gots)
{
	size_t w = 0, g = 0, star = SIZE_MAX, star_g = 0;
	while (g < gots) {
		if (w < wants && want[w].kind == LINE_ANY) {
			star = w++;
			star_g = g;
		} else if (w < wants && line_matches(&want[w], got[g])) {
			w++;
			g++;
		} else if (star != SIZE_MAX) {
			w = star + 1;
			g = ++star_g;
		} else {
			return false;
		}
	}
	while (w < wants && want[w].kind == LINE_ANY)
		w++;
	return w == wants;
}

static void print_want(FILE *f, char sign, const struct expect *e)
{
	fprintf(f, "# %c %s%s\n", sign, e->kind == LINE_REGEX ? "~ " : "", e->text);
}

static void print_got(FILE *f, char sign, const char *line)
{
	fprintf(f, "# %c ", sign);
	for (; *line; line++)
		if ((unsigned char)*line < ' ' || *line == 0x7f)
			fprintf(f, "\\x%02x", (unsigned char)*line);
		else
			fputc(*line, f);
	fprintf(f, "\n");
}

void lines_diff(FILE *f, const struct expect *want, size_t wants, char **got, size_t gots)
{
	size_t head = 0, tail = 0;
	while (head < wants && head < gots && line_matches(&want[head], got[head]))
		head++;
	while (tail < wants - head && tail < gots - head &&
	       line_matches(&want[wants - 1 - tail], got[gots - 1 - tail]))
		tail++;
	fprintf(f, "# output differs (- expected, + got):\n");
	for (size_t i = 0; i < head; i++)
		print_got(f, ' ', got[i]);
	for (size_t i = head; i < wants - tail; i++)
		print_want(f, '-', &want[i]);
	for (size_t i = head; i < gots - tail; i++)
		print_got(f, '+', got[i]);
	for (size_t i = gots - tail; i < gots; i++)
		print_got(f, ' ', got[i]);
}
