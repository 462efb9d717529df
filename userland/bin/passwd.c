// SPDX-License-Identifier: ISC
//
// passwd: sets a password: a new line in /etc/shadow, written beside it and renamed, so that it is the old one or the new one. Set-uid root.
#include <errno.h>
#include <fcntl.h>
#include <octix/login.h>
#include <program.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

PROGRAM(passwd, "[USER]", "set a password; an empty one of root: none is asked for");

#define SHADOW "/etc/shadow"
#define NEW "/etc/shadow.new"
#define METHOD "$pbkdf2-sha256$100$" // as many rounds as a board does in a few seconds: crypt.c

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "passwd: %s: %s\n", what, why);
	return 1;
}

// Sixteen letters, which are 96 bits: no other password has the same.
static int make_salt(char *to)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./";
	unsigned char bytes[16];
	int fd = open("/dev/random", O_RDONLY), n = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);

	if (fd >= 0)
		close(fd);
	if (n != sizeof bytes)
		return -1;
	for (unsigned i = 0; i < sizeof bytes; i++)
		*to++ = letters[bytes[i] & 63];
	*to = 0;
	return 0;
}

// Copies the other users' lines and puts the new one behind them.
static int write_lines(FILE *to, const char *name, const char *hash)
{
	char line[160];
	FILE *from = fopen(SHADOW, "r");
	size_t n = strlen(name);

	while (from && fgets(line, sizeof line, from))
		if (strncmp(line, name, n) != 0 || line[n] != ':')
			fputs(line, to);
	if (from)
		fclose(from);
	return fprintf(to, "%s:%s:\n", name, hash) < 0 || ferror(to) ? -1 : 0;
}

static int store(const char *name, const char *hash)
{
	int fd, bad;
	FILE *to;

	unlink(NEW);
	fd = open(NEW, O_WRONLY | O_CREAT | O_EXCL, 0600);
	to = fd < 0 ? NULL : fdopen(fd, "w");
	if (!to)
		return fail(NEW, strerror(errno));
	bad = write_lines(to, name, hash);
	if (fclose(to) || bad || rename(NEW, SHADOW) < 0) {
		bad = errno;
		unlink(NEW);
		return fail(SHADOW, strerror(bad));
	}
	sync();
	return 0;
}

int main(int argc, char **argv)
{
	char name[34], setting[48] = METHOD, first[65], *again;
	const struct passwd *pw = argc > 1 ? getpwnam(argv[1]) : getpwuid(getuid());
	const char *hash, *old;

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return puts("usage: passwd [USER]\nset a password; an empty one of root: none is asked for") < 0;
	if (argc > 2 || (argc == 2 && *argv[1] == '-')) {
		fputs("usage: passwd [USER]\n", stderr);
		return 2;
	}
	if (!pw)
		return fail(argc > 1 ? argv[1] : "you", "no such user in /etc/passwd");
	if (geteuid())
		return fail("/bin/passwd", "is not set-uid root: chmod 4755 /bin/passwd");
	if (getuid() && getuid() != pw->pw_uid)
		return fail(pw->pw_name, "only root may");
	snprintf(name, sizeof name, "%s", pw->pw_name);
	if (getuid()) {
		hash = oct_shadow(name);
		old = hash && *hash ? getpass("Old password: ") : "";
		if (!old || !oct_password_is(name, old)) {
			sleep(2);
			return fail(name, hash ? "wrong password" : "no password: root must set the first one");
		}
	}
	again = getpass("New password: ");
	if (!again)
		return 1;
	strcpy(first, again);
	again = getpass("Once more: ");
	if (!again || strcmp(first, again) != 0)
		return fail(name, "they differ; nothing is changed");
	umask(077);
	if (make_salt(setting + strlen(setting)) < 0)
		return fail("/dev/random", strerror(errno));
	hash = *first ? crypt(first, setting) : "";
	return hash ? store(name, hash) : fail(name, "the password is too long");
}
