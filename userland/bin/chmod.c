// SPDX-License-Identifier: ISC
//
// chmod: permissions, octal or as POSIX has them in letters: [ugoa...][+-=][rwxst...],...
#include "command.h"

#include <string.h>
#include <sys/stat.h>

// Octal digits; 0xffff: they are none.
static unsigned octal(const char *text)
{
	unsigned mode = 0;

	do {
		if (*text < '0' || *text > '7' || mode > 0777)
			return 0xffff;
		mode = mode << 3 | (unsigned)(*text - '0');
	} while (*++text);
	return mode;
}

// The classes named: for each its three bits, and the set-id or sticky bit. *text moves behind them.
static unsigned classes(const char **text)
{
	unsigned mask = 0;

	for (;; ++*text)
		switch (**text) {
		case 'u': mask |= 04700; break;
		case 'g': mask |= 02070; break;
		case 'o': mask |= 01007; break;
		case 'a': mask |= 07777; break;
		default: return mask;
		}
}

static unsigned permissions(const char **text)
{
	unsigned bits = 0;

	for (;; ++*text)
		switch (**text) {
		case 'r': bits |= 0444; break;
		case 'w': bits |= 0222; break;
		case 'x': bits |= 0111; break;
		case 's': bits |= 06000; break;
		case 't': bits |= 01000; break;
		default: return bits;
		}
}

// The mode that comes of `mode`; 0xffff: the text is none. No class: all, but what the umask has.
static unsigned changed(const char *text, unsigned mode, unsigned mask)
{
	unsigned value = octal(text);

	if (value != 0xffff)
		return value;
	for (;; text++) {
		unsigned who = classes(&text), bits;
		char how = *text;

		if (how != '+' && how != '-' && how != '=')
			return 0xffff;
		text++;
		bits = permissions(&text) & (who ? who : 07777u & ~mask);
		if (how == '=')
			mode &= ~(who ? who & 06777 : 0777u);
		mode = how == '-' ? mode & ~bits : mode | bits;
		if (*text != ',')
			return *text ? 0xffff : mode;
	}
}

COMMAND(chmod, "MODE FILE...", "change permissions: 755, u+x, go-w, a=r")
{
	const char *text = argc > 1 ? argv[1] : "";
	int status = OK;
	unsigned mask = umask(0);

	umask(mask);
	if (argc < 3 || changed(text, 0, mask) == 0xffff)
		misused();
	for (argv += 2; *argv; argv++) {
		struct stat st;

		if (stat(*argv, &st) < 0 || chmod(*argv, changed(text, st.st_mode & 07777, mask)) < 0)
			status = complain(*argv);
	}
	return status;
}
