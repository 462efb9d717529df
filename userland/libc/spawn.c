// SPDX-License-Identifier: ISC
//
// posix_spawn with file actions and attributes, on vfork and execve. There are no scheduling policies.
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { DUP2, CLOSE, OPEN };

struct action {
	struct action *next;
	enum kind kind;
	int fd, from, flags;
	mode_t mode;
	const char *path; // the caller's; POSIX lets us copy or keep it until the spawn
};

struct __posix_spawn_file_actions {
	struct action *first, **last;
};

struct __posix_spawnattr {
	short flags;
	pid_t group;
	sigset_t mask, defaults;
};

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
	*actions = malloc(sizeof **actions);
	if (!*actions)
		return ENOMEM;
	(*actions)->first = NULL;
	(*actions)->last = &(*actions)->first;
	return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions)
{
	for (struct action *a = (*actions)->first, *next; a; a = next) {
		next = a->next;
		free(a);
	}
	free(*actions);
	return 0;
}

static int append(posix_spawn_file_actions_t *actions, struct action action)
{
	struct action *a = malloc(sizeof *a);

	if (!a)
		return ENOMEM;
	*a = action;
	*(*actions)->last = a;
	(*actions)->last = &a->next;
	return 0;
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to)
{
	return append(actions, (struct action){ .kind = DUP2, .from = from, .fd = to });
}

int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int fd)
{
	return append(actions, (struct action){ .kind = CLOSE, .fd = fd });
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int fd, const char *path, int flags, mode_t mode)
{
	return append(actions, (struct action){ .kind = OPEN, .fd = fd, .path = path, .flags = flags, .mode = mode });
}

int posix_spawnattr_init(posix_spawnattr_t *attributes)
{
	*attributes = calloc(1, sizeof **attributes);
	return *attributes ? 0 : ENOMEM;
}

int posix_spawnattr_destroy(posix_spawnattr_t *attributes)
{
	free(*attributes);
	return 0;
}

int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags)
{
	if (flags & ~(POSIX_SPAWN_RESETIDS | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
		return EINVAL;
	(*attributes)->flags = flags;
	return 0;
}

int posix_spawnattr_getflags(const posix_spawnattr_t *attributes, short *flags)
{
	*flags = (*attributes)->flags;
	return 0;
}

int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group)
{
	(*attributes)->group = group;
	return 0;
}

int posix_spawnattr_getpgroup(const posix_spawnattr_t *attributes, pid_t *group)
{
	*group = (*attributes)->group;
	return 0;
}

int posix_spawnattr_setsigmask(posix_spawnattr_t *attributes, const sigset_t *mask)
{
	(*attributes)->mask = *mask;
	return 0;
}

int posix_spawnattr_getsigmask(const posix_spawnattr_t *attributes, sigset_t *mask)
{
	*mask = (*attributes)->mask;
	return 0;
}

int posix_spawnattr_setsigdefault(posix_spawnattr_t *attributes, const sigset_t *signals)
{
	(*attributes)->defaults = *signals;
	return 0;
}

int posix_spawnattr_getsigdefault(const posix_spawnattr_t *attributes, sigset_t *signals)
{
	*signals = (*attributes)->defaults;
	return 0;
}

static int opened(const struct action *a)
{
	int fd = open(a->path, a->flags, a->mode);

	if (fd < 0 || fd == a->fd)
		return fd;
	if (dup2(fd, a->fd) < 0)
		return -1;
	return close(fd);
}

static int perform(const struct action *a)
{
	if (a->kind == OPEN)
		return opened(a);
	return a->kind == DUP2 ? dup2(a->from, a->fd) : close(a->fd);
}

// In the child, whose memory is the parent's: signals are set in the kernel alone.
static int take(const struct __posix_spawnattr *a)
{
	if (a->flags & POSIX_SPAWN_SETPGROUP && setpgid(0, a->group) < 0)
		return -1;
	if (a->flags & POSIX_SPAWN_RESETIDS && (setegid(getgid()) < 0 || seteuid(getuid()) < 0))
		return -1;
	for (int sig = 1; a->flags & POSIX_SPAWN_SETSIGDEF && sig < NSIG; sig++)
		if (sigismember(&a->defaults, sig) == 1)
			oct_signal(sig, OCT_SIG_DFL, NULL);
	if (a->flags & POSIX_SPAWN_SETSIGMASK)
		sigprocmask(SIG_SETMASK, &a->mask, NULL);
	return 0;
}

// The same; ends it when something fails.
static void prepare(const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes)
{
	if (attributes && take(*attributes) < 0)
		_exit(127);
	for (const struct action *a = actions ? (*actions)->first : NULL; a; a = a->next)
		if (perform(a) < 0)
			_exit(127);
}

typedef int exec_function(const char *, char *const[], char *const[]);

static int spawn(pid_t *pid, const char *path, exec_function *exec, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	volatile int failure = 0; // the child shares our memory until it execs
	pid_t child = vfork();

	if (child < 0)
		return errno;
	if (child == 0) {
		prepare(actions, attributes);
		exec(path, argv, envp ? envp : environ);
		failure = errno;
		_exit(127);
	}
	if (failure) {
		waitpid(child, NULL, 0);
		return failure;
	}
	if (pid)
		*pid = child;
	return 0;
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const argv[], char *const envp[])
{
	return spawn(pid, path, execve, actions, attributes, argv, envp);
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                 char *const argv[], char *const envp[])
{
	return spawn(pid, file, execvpe, actions, attributes, argv, envp);
}
