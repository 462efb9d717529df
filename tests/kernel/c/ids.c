// SPDX-License-Identifier: ISC
//
// Who am I? ids: real and effective user and group. ids GID UID PROGRAM ARGUMENTS: runs it as this user. Also tells whether the effective
// user can be given up and had again.

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	uid_t effective = geteuid();

	if (argc > 3) {
		if (setgid((gid_t)atoi(argv[1])) < 0 || setuid((uid_t)atoi(argv[2])) < 0)
			perror("ids");
		else
			execv(argv[3], argv + 3);
		perror(argv[3]);
		return 127;
	}
	printf("user %d as %d, group %d as %d", getuid(), geteuid(), getgid(), getegid());
	puts(seteuid(getuid()) == 0 && geteuid() == getuid() && seteuid(effective) == 0 && geteuid() == effective ? ", and back" : "");
	return 0;
}
