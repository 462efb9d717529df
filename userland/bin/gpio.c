// SPDX-License-Identifier: ISC
//
// gpio: reads and sets pins of the chip, by /dev/gpio.
#include "command.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// What is written for a word: in, pulled up, output low, output high. 0: it is none.
static char digit_of(const char *word)
{
	static const char words[][4] = { "in", "up", "0", "1" };

	for (int i = 0; i < 4; i++)
		if (strcmp(word, words[i]) == 0)
			return (char)('0' + i);
	return 0;
}

// All pins: a line a port, bit 7 first; an upper-case letter (L, H) is an output.
static int show_all(int fd)
{
	int n = (int)read(fd, block, BLOCK);

	if (n < 0)
		return complain("/dev/gpio");
	puts("port 76543210");
	for (int port = 0; port < n / 8; port++) {
		printf("  P%c ", "ABCDEFGHJKL"[port]);
		for (int bit = 8; bit--;)
			putchar("lhLH"[block[port * 8 + bit] & 3]);
		putchar('\n');
	}
	return OK;
}

COMMAND(gpio, "[PIN [in | up | 0 | 1]]", "read or set a pin, as D13, A0 or PB5; all pins")
{
	int fd = open("/dev/gpio", argc > 2 ? O_WRONLY : O_RDONLY), pin, channel;
	char digit;

	if (argc > 3)
		misused();
	if (fd < 0)
		return complain("/dev/gpio");
	if (argc == 1)
		return show_all(fd);
	pin = find_pin(argv[1], &channel);
	if (pin < 0)
		return complain_because(argv[1], "no such pin; names are in /etc/pins, or as PB5");
	if (lseek(fd, pin, SEEK_SET) < 0)
		return complain(argv[1]);
	if (argc == 3) {
		digit = digit_of(argv[2]);
		if (!digit)
			misused();
		return write(fd, &digit, 1) == 1 ? OK : complain(argv[1]);
	}
	if (read(fd, &digit, 1) != 1)
		return complain_because(argv[1], "this chip has no such pin");
	printf("%d\n", digit & 1);
	return OK;
}
