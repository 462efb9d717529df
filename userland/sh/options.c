// SPDX-License-Identifier: ISC
//
// Options of the shell (POSIX set): -e ends it when a command fails, -f leaves patterns alone, -u takes no unset variables, -x shows commands.
#include "sh.h"

#include <stdlib.h>
#include <string.h>

uint32_t options;

static const char letters[] = "efux";

char *option_letters(char out[8])
{
	char *to = out;

	for (const char *l = letters; *l; l++)
		if (option(*l))
			*to++ = *l;
	if (interactive)
		*to++ = 'i';
	*to = 0;
	return out;
}

int set_options(char ***argv)
{
	for (char **a = *argv; *a; a++) {
		if ((**a != '-' && **a != '+') || !(*a)[1]) {
			*argv = a;
			return 0;
		}
		if (strcmp(*a, "--") == 0) {
			*argv = a + 1;
			return 0;
		}
		for (const char *l = *a + 1; *l; l++) {
			uint32_t bit = strchr(letters, *l) ? (uint32_t)1 << (*l - 'a') : 0;

			if (!bit) {
				complain(*a, "no such option; there are ", letters);
				return 1;
			}
			options = **a == '-' ? options | bit : options & ~bit;
		}
	}
	return 2;
}

static void put_words(struct buffer *b, const struct word *w)
{
	for (; w; w = w->next) {
		put_char(b, ' ');
		for (const char *p = w->text; *p; p++)
			put_char(b, *p);
	}
}

void trace(const struct simple *c)
{
	struct buffer b = { 0 };

	put_char(&b, '+');
	put_words(&b, c->assignments);
	put_words(&b, c->words);
	put_char(&b, '\n');
	put_char(&b, 0);
	print(2, b.text);
	free(b.text);
}
