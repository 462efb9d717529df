// SPDX-License-Identifier: ISC
//
// The chip in /dev, from a program: eeprom and mem by position, transfers on i2c and spi, and what is refused. Prints the number of checks.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int checks, wrong;

static void check(int good, int line)
{
	checks++;
	if (!good) {
		wrong++;
		printf("line %d: wrong, errno %d\n", line, errno);
	}
}
#define CHECK(c) check((c) != 0, __LINE__)
#define FAILS(error, call) check((errno = 0, (call) == -1) && errno == (error), __LINE__)

static int opened(const char *name, long at)
{
	int fd = open(name, O_RDWR);

	CHECK(fd >= 0 && lseek(fd, at, SEEK_SET) == at);
	return fd;
}

static void all_of(int fd, const char *text)
{
	while (*text && write(fd, text, 1) == 1)
		text++;
	CHECK(!*text);
}

static void eeprom(int size)
{
	int fd = opened("/dev/eeprom", size - 4);
	char text[8];

	all_of(fd, "last");
	FAILS(ENOSPC, write(fd, "x", 1));
	CHECK(write(fd, "x", 0) == 0 && read(fd, text, 8) == 0);
	CHECK(lseek(fd, size - 4, SEEK_SET) == size - 4);
	CHECK(read(fd, text, 8) == 4 && memcmp(text, "last", 4) == 0);
	close(fd);
}

// A byte of this process's stack is somewhere in the chip's memory, and can be changed there.
static void mem(void)
{
	int fd = opened("/dev/mem", 0x100);
	static char chunk[512];
	volatile char mine[9] = "needle07";
	long at = 0x100, found = -1;
	ssize_t n;

	mine[7] = '5'; // so that the text is in no other place
	while ((n = read(fd, chunk, 256)) > 0) {
		for (ssize_t i = 0; i + 8 <= n; i++)
			if (memcmp(chunk + i, "needle0", 7) == 0 && chunk[i + 7] == '5')
				found = at + i;
		at += n;
	}
	CHECK(n == 0 && found > 0);
	CHECK(lseek(fd, found, SEEK_SET) == found && write(fd, "N", 1) == 1 && mine[0] == 'N');
	CHECK(lseek(fd, 0x10000, SEEK_SET) == 0x10000 && read(fd, chunk, 1) == 0);
	FAILS(ENOSPC, write(fd, "x", 1));
	close(fd);
}

static void i2c(void)
{
	int fd = opened("/dev/i2c", 0x50);
	char text[125];

	CHECK(write(fd, "\x10hello", 6) == 6 && write(fd, "\x12", 1) == 1);
	CHECK(read(fd, text, 4) == 4 && memcmp(text, "llo\xff", 4) == 0);
	CHECK(read(fd, text, 1) == 1 && text[0] == '\xff' && read(fd, text, 0) == 0 && write(fd, "", 0) == 0);
	memset(text, 'z', sizeof text);
	text[0] = 0x20;
	CHECK(write(fd, text, 124) == 124 && write(fd, " ", 1) == 1);
	memset(text, 0, sizeof text);
	CHECK(read(fd, text, 124) == 124 && text[0] == 'z' && text[122] == 'z' && text[123] == '\xff');
	FAILS(EINVAL, write(fd, text, 125));
	FAILS(EFAULT, read(fd, (void *)16, 4));
	CHECK(lseek(fd, 0x51, SEEK_SET) == 0x51);
	FAILS(ENXIO, write(fd, "x", 1));
	FAILS(ENXIO, read(fd, text, 1));
	FAILS(ENXIO, write(fd, "", 0));
	CHECK(lseek(fd, 128, SEEK_SET) == 128);
	FAILS(EINVAL, write(fd, "x", 1));
	close(fd);
}

static void spi(int pin, int taken)
{
	int fd = opened("/dev/spi", pin), gpio = opened("/dev/gpio", pin);
	char text[124];

	CHECK(read(fd, memcpy(text, "exchange", 8), 8) == 8 && memcmp(text, "exchange", 8) == 0); // MISO is wired to MOSI
	CHECK(read(gpio, text, 1) == 1 && text[0] == '3');                                        // and the device not selected now
	for (int i = 0; i < 124; i++)
		text[i] = (char)(i * 5);
	CHECK(lseek(fd, pin | 3 << 10, SEEK_SET) > 0 && read(fd, text, 124) == 124 && text[123] == (char)(123 * 5));
	CHECK(write(fd, text, 3) == 3);
	CHECK(lseek(fd, taken, SEEK_SET) == taken);
	FAILS(EBUSY, write(fd, "x", 1));
	CHECK(lseek(fd, 255, SEEK_SET) == 255);
	FAILS(EINVAL, write(fd, "x", 1));
	CHECK(lseek(fd, 0x1000, SEEK_SET) == 0x1000);
	FAILS(EINVAL, write(fd, "x", 1));
	close(fd);
	close(gpio);
}

static void gpio(int pin, int taken)
{
	int fd = opened("/dev/gpio", pin);
	char text[2];

	FAILS(EINVAL, write(fd, "4", 1));
	FAILS(EINVAL, write(fd, "\n", 1));
	CHECK(write(fd, "3", 1) == 1 && lseek(fd, pin, SEEK_SET) == pin && read(fd, text, 1) == 1 && text[0] == '3');
	CHECK(lseek(fd, pin, SEEK_SET) == pin && write(fd, "2", 1) == 1 && lseek(fd, pin, SEEK_SET) == pin && read(fd, text, 1) == 1 && text[0] == '2');
	CHECK(lseek(fd, pin, SEEK_SET) == pin && write(fd, "0", 1) == 1 && lseek(fd, taken, SEEK_SET) == taken);
	FAILS(EBUSY, write(fd, "2", 1));
	close(fd);
	fd = open("/dev/adc", O_RDONLY);
	FAILS(EBADF, write(fd, "x", 1));
	close(fd);
	FAILS(EACCES, setuid(20) == 0 ? open("/dev/gpio", O_RDONLY) : 0);
	FAILS(EACCES, open("/dev/mem", O_RDONLY));
	FAILS(EACCES, open("/dev/adc", O_RDWR));
	CHECK(open("/dev/adc", O_RDONLY) >= 0);
}

// The bus, while others read and write the card.
static void shared(int pin)
{
	int fd = opened("/dev/spi", pin);

	for (int i = 0; i < 1000; i++) {
		char byte = (char)i;

		if (read(fd, &byte, 1) != 1 || byte != (char)i)
			wrong++;
	}
	close(fd);
}

// SIZE-OF-EEPROM PIN TAKEN-PIN, or PIN
int main(int argc, char **argv)
{
	int pin, taken;

	if (argc == 2) {
		shared(atoi(argv[1]));
		printf("%d of the bytes wrong\n", wrong);
		return wrong != 0;
	}
	if (argc != 4)
		return 2;
	pin = atoi(argv[2]);
	taken = atoi(argv[3]);
	eeprom(atoi(argv[1]));
	mem();
	i2c();
	spi(pin, taken);
	gpio(pin, taken);
	printf("%d checks, %d wrong\n", checks, wrong);
	return wrong != 0;
}
