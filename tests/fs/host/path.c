// SPDX-License-Identifier: ISC
#include "path.h"

#include <string.h>

#include "fs/fs.h"

// The name that directory `ino` has in the one above `cwd`, in name[144]. False: it has none.
static bool find_name(uint32_t cwd, uint32_t ino, char *name)
{
	union { struct oct_dirent d; uint8_t room[144]; } u;
	struct file *f;
	bool found = false;

	if (fs_open("..", cwd, OX_O_RDONLY, 0, &f))
		return false;
	while (!found && fs_readdir(f, &u.d, sizeof u.room) > 0)
		found = u.d.ino == ino && (u.d.mode & OX_S_IFMT) == OX_S_IFDIR && strcmp(u.d.name, ".") && strcmp(u.d.name, "..");
	fs_close(f);
	strcpy(name, found ? u.d.name : "");
	return found;
}

bool path_of(uint32_t cwd, char *buf, size_t n)
{
	char *p = buf + n - 1, name[144];
	struct oct_stat st;

	*p = 0;
	for (int depth = 0; cwd; depth++) {
		size_t length;

		if (depth == 64 || fs_stat(".", cwd, &st) || !find_name(cwd, st.ino, name))
			return false;
		length = strlen(name);
		if ((size_t)(p - buf) < length + 1 || fs_chdir("..", cwd, &cwd))
			return false;
		p -= length + 1;
		*p = '/';
		memcpy(p + 1, name, length);
	}
	if (!*p)
		*--p = '/';
	memmove(buf, p, strlen(p) + 1);
	return true;
}
