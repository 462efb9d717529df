// SPDX-License-Identifier: ISC
//
// The devices of the chip in /dev, with nothing connected to it (tests/kernel/chip.bats has the rest), and /proc/mounts. A board may leave devices out.
#include "systest.h"

static char text[128];
static void *volatile unmapped = (void *)16; // the compiler is not to see what it is

// The device, open, at this position; -1: the board leaves it out.
static int opened(const char *path, long at)
{
	int fd = open(path, O_RDWR);

	if (fd < 0) {
		CHECK(errno == ENOENT);
		return -1;
	}
	CHECK(lseek(fd, at, SEEK_SET) == at);
	return fd;
}

// Of a device of bytes: as many as there are.
static long bytes_of(int fd)
{
	long n = 0;
	ssize_t got;

	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	while ((got = read(fd, text, sizeof text)) > 0)
		n += got;
	CHECK(got == 0);
	FAILS(ENOSPC, write(fd, "x", 1));
	CHECK(write(fd, "x", 0) == 0);
	return n;
}

static void eeprom(void)
{
	int fd = opened("/dev/eeprom", 0);
	char old, changed;
	long last;

	if (fd < 0)
		return;
	last = bytes_of(fd) - 1;
	CHECK(last > 100 && lseek(fd, last, SEEK_SET) == last && read(fd, &old, 1) == 1 && read(fd, text, 1) == 0);
	changed = (char)~old;
	CHECK(lseek(fd, last, SEEK_SET) == last && write(fd, &changed, 1) == 1);
	CHECK(lseek(fd, last, SEEK_SET) == last && read(fd, text, 2) == 1 && text[0] == changed);
	CHECK(lseek(fd, last, SEEK_SET) == last && write(fd, &old, 1) == 1);
	FAILS(ENOSPC, write(fd, "x", 1));
	CHECK(lseek(fd, last, SEEK_SET) == last && read(fd, text, 1) == 1 && text[0] == old);
	CHECK(lseek(fd, 65536, SEEK_SET) == 65536 && read(fd, text, 1) == 0); // no position is cut to 16 bits
	FAILS(EFAULT, (lseek(fd, 0, SEEK_SET), read(fd, unmapped, 1)));
}

static void mem(void)
{
	int fd = opened("/dev/mem", 0);

	if (fd < 0)
		return;
	CHECK(read(fd, text, 32) == 32 && lseek(fd, 0, SEEK_CUR) == 32);
	CHECK(lseek(fd, 0, SEEK_END) >= 0 && lseek(fd, 65536, SEEK_SET) == 65536 && read(fd, text, 1) == 0);
	FAILS(ENOSPC, write(fd, "x", 1));
}

static void gpio(void)
{
	int fd = opened("/dev/gpio", 0), busy = 0;
	long pins;

	if (fd < 0)
		return;
	pins = bytes_of(fd);
	CHECK(pins >= 16 && pins <= (long)sizeof text && pins % 8 == 0 && lseek(fd, 0, SEEK_SET) == 0 && read(fd, text, (size_t)pins) == pins);
	for (long i = 0; i < pins; i++) {
		CHECK(text[i] >= '0' && text[i] <= '3' && lseek(fd, i, SEEK_SET) == i);
		FAILS(EINVAL, write(fd, "4", 1));
		FAILS(EINVAL, write(fd, "/", 1));
		if (write(fd, text[i] & 2 ? &text[i] : "0", 1) == 1) // stays what it is
			continue;
		CHECK(errno == EBUSY);
		busy++;
	}
	CHECK(busy >= 6 && busy <= 8); // the card's four, two of each serial line
}

static void adc(void)
{
	int fd = open("/dev/adc", O_RDONLY);
	unsigned char value[2];
	int n = 0;

	if (fd < 0) {
		CHECK(errno == ENOENT);
		return;
	}
	for (; read(fd, value, 2) == 2; n++)
		CHECK(value[1] < 4);
	CHECK(n >= 6 && read(fd, value, 1) == 0);
	FAILS(EBADF, write(fd, "x", 1));
}

// Nothing is connected that has this address, which is reserved.
static void i2c(void)
{
	int fd = opened("/dev/i2c", 0x7f);

	if (fd < 0)
		return;
	FAILS(ENXIO, write(fd, text, 0));
	FAILS(ENXIO, write(fd, text, 3));
	FAILS(ENXIO, read(fd, text, 3));
	FAILS(EINVAL, read(fd, text, 125));
	FAILS(EFAULT, read(fd, unmapped, 3));
	CHECK(read(fd, text, 0) == 0 && lseek(fd, 0, SEEK_CUR) == 0x7f && lseek(fd, 0x80, SEEK_SET) == 0x80);
	FAILS(EINVAL, write(fd, text, 0));
	CHECK(lseek(fd, 0x1007f, SEEK_SET) == 0x1007f);
	FAILS(EINVAL, write(fd, text, 0));
}

static void spi(void)
{
	int fd = opened("/dev/spi", 0x1000);

	if (fd < 0)
		return;
	FAILS(EINVAL, read(fd, text, 1));
	CHECK(lseek(fd, 0xff, SEEK_SET) == 0xff);
	FAILS(EINVAL, write(fd, text, 1));
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	FAILS(EINVAL, write(fd, text, 125));
	FAILS(EFAULT, write(fd, unmapped, 1));
}

static void not_for_users(void)
{
	static const char *const names[] = { "/dev/mem", "/dev/eeprom", "/dev/gpio", "/dev/i2c", "/dev/spi" };

	CHECK(setgid(20) == 0 && setuid(20) == 0);
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
		int there = access(names[i], F_OK) == 0;

		FAILS(there ? EACCES : ENOENT, open(names[i], O_RDONLY));
		FAILS(there ? EACCES : ENOENT, open(names[i], O_WRONLY));
	}
	if (access("/dev/adc", F_OK) == 0) {
		FAILS(EACCES, open("/dev/adc", O_RDWR));
		CHECK(open("/dev/adc", O_RDONLY) >= 0);
	}
}

static void mounts(void)
{
	static const char wanted[] = "card / fat rw\ndev /dev dev rw\nproc /proc proc ro\n";
	int fd = open("/proc/mounts", O_RDONLY);
	ssize_t n = read(fd, text, sizeof text);
	char words[sizeof text], *to = words;

	CHECK(n == 75);
	for (ssize_t i = 0; i < n; i++) // lines are filled with blanks
		if (text[i] != ' ' || (i + 1 < n && text[i + 1] != ' ' && text[i + 1] != '\n'))
			*to++ = text[i];
	*to = 0;
	CHECK(strcmp(words, wanted) == 0);
	FAILS(EACCES, open("/proc/mounts", O_WRONLY));
}

static const struct test tests[] = {
	TEST(eeprom, OCTIX | ROOT),
	TEST(mem, OCTIX | ROOT),
	TEST(gpio, OCTIX | ROOT),
	TEST(adc, OCTIX),
	TEST(i2c, OCTIX | ROOT),
	TEST(spi, OCTIX | ROOT),
	TEST(not_for_users, OCTIX | ROOT | WITH_USERS),
	TEST(mounts, OCTIX | WITH_PROC),
};

AREA("chip", tests);
