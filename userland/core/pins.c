// SPDX-License-Identifier: ISC
//
// Names of pins: P and a port and a bit (PB5), or what /etc/pins/BOARD says (D13, A0).
#include "command.h"

#include <octix/octix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number that /dev/gpio has for a port and a bit; -1: it is no pin's name.
static int port_pin(const char *name)
{
	const char ports[] = "ABCDEFGHJKL"; // there is no I
	const char *port = name[0] == 'P' && name[1] ? strchr(ports, name[1]) : NULL;

	return port && name[2] >= '0' && name[2] <= '7' && !name[3] ? (int)(port - ports) * 8 + name[2] - '0' : -1;
}

int find_pin(const char *name, int *channel)
{
	char line[40], path[32];
	const char *text = oct_proc_text("/proc/stat", block, BLOCK);
	int pin = port_pin(name);
	FILE *f;

	*channel = -1;
	if (!text)
		return pin;
	snprintf(path, sizeof path, "/etc/pins/%.12s", oct_proc_word(text, "board"));
	path[strcspn(path, "\n")] = 0;
	f = fopen(path, "r");
	if (!f)
		return pin;
	while (fgets(line, sizeof line, f)) {
		const char *word = strtok(line, " \n"), *place = strtok(NULL, " \n"), *c = strtok(NULL, " \n");

		if (!place || (strcmp(word, name) != 0 && strcmp(place, name) != 0))
			continue;
		pin = port_pin(place);
		if (c)
			*channel = atoi(c);
		if (strcmp(word, name) == 0)
			break;
	}
	fclose(f);
	return pin;
}
