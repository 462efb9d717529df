// SPDX-License-Identifier: ISC
//
// adc: measures the voltage at a pin, by /dev/adc.
#include "command.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

COMMAND(adc, "PIN...", "measure at pins, as A0: 0 to 1023, the supply voltage")
{
	int fd = open("/dev/adc", O_RDONLY), status = OK, channel;

	if (argc < 2)
		misused();
	if (fd < 0)
		return complain("/dev/adc");
	while (*++argv) {
		uint16_t value;

		find_pin(*argv, &channel);
		if (channel < 0)
			status = complain_because(*argv, "no pin of the ADC; /etc/pins has their names");
		else if (lseek(fd, 2 * channel, SEEK_SET) < 0 || read(fd, &value, 2) != 2)
			status = complain(*argv);
		else
			printf("%u\n", value);
	}
	return status;
}
