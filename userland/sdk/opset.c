// SPDX-License-Identifier: ISC
//
// Opcodes left out of the packer's choice.
#include "opset.h"

#include "diag.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bool basic[OP_COUNT] = {
#define OP(...)
#define BASIC(name, ...) [OP_##name] = true,
#include <octix/opcodes.def>
#undef OP
};

static bool left_out[OP_COUNT], favoured[OP_COUNT];

bool op_basic(unsigned op)
{
	return basic[op];
}

bool op_usable(unsigned op)
{
	return !left_out[op];
}

void op_use(unsigned op, bool use)
{
	left_out[op] = !use;
}

bool op_favoured(unsigned op)
{
	return favoured[op];
}

unsigned op_opposite(unsigned op)
{
	unsigned opposite = op_inverse(op);

	return op_usable(opposite) ? opposite : OP_trap;
}

bool ops_compare_bytes(void)
{
	return op_usable(OP_beqb) && op_usable(OP_bneb) && op_usable(OP_bltub) && op_usable(OP_bgeub);
}

// The opcode of a name; `where` for the message.
static unsigned by_name(const char *name, const char *where)
{
	for (unsigned op = 0; op < OP_COUNT; op++)
		if (strcmp(op_name(op), name) == 0)
			return op;
	die("%s: there is no opcode '%s'; octix/opcodes.def has them all", where, name);
}

void ops_without(const char *list)
{
	char *names = xstrdup(list);

	for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
		unsigned op = by_name(name, "--without");

		if (basic[op])
			die("--without: %s belongs to the basic opcodes, which programs cannot do without", name);
		left_out[op] = true;
	}
	free(names);
}

void ops_favour(const char *list)
{
	char *names = xstrdup(list);

	for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
		favoured[by_name(name, "--favour")] = true;
	free(names);
}

void ops_only(const char *path)
{
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	if (!in)
		die("%s: %s", path, strerror(errno));
	for (unsigned op = 0; op < OP_COUNT; op++)
		left_out[op] = !basic[op];
	while (getline(&line, &size, in) >= 0) {
		line[strcspn(line, "#")] = 0;
		for (char *name = strtok(line, " \t\n"); name; name = strtok(NULL, " \t\n"))
			left_out[by_name(name, path)] = false;
	}
	if (ferror(in))
		die("%s: %s", path, strerror(errno));
	free(line);
	fclose(in);
}
