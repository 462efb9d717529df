// SPDX-License-Identifier: ISC
//
// The numbers of the kernel interface are those that programs get from the C library's headers. Compiling is the test.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <octix/abi.h>
#include <octix/errno.h>
#include <octix/oxe.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAME(name) _Static_assert((name) == (OX_##name), #name)

SAME(EPERM); SAME(ENOENT); SAME(ESRCH); SAME(EINTR); SAME(EIO); SAME(ENXIO); SAME(E2BIG); SAME(ENOEXEC); SAME(EBADF);
SAME(ECHILD); SAME(EAGAIN); SAME(ENOMEM); SAME(EACCES); SAME(EFAULT); SAME(EBUSY); SAME(EEXIST); SAME(EXDEV); SAME(ENODEV);
SAME(ENOTDIR); SAME(EISDIR); SAME(EINVAL); SAME(ENFILE); SAME(EMFILE); SAME(ENOTTY); SAME(ETXTBSY); SAME(EFBIG); SAME(ENOSPC);
SAME(ESPIPE); SAME(EROFS); SAME(EPIPE); SAME(ERANGE); SAME(ENOSYS); SAME(ENOTEMPTY); SAME(ENAMETOOLONG);
SAME(O_RDONLY); SAME(O_WRONLY); SAME(O_RDWR); SAME(O_ACCMODE); SAME(O_APPEND); SAME(O_CREAT); SAME(O_TRUNC); SAME(O_EXCL);
SAME(O_DIRECTORY); SAME(O_CLOEXEC); SAME(O_NONBLOCK);
SAME(F_DUPFD); SAME(F_GETFD); SAME(F_SETFD); SAME(F_GETFL); SAME(F_SETFL); SAME(F_DUPFD_CLOEXEC); SAME(FD_CLOEXEC);
SAME(SEEK_SET); SAME(SEEK_CUR); SAME(SEEK_END); SAME(WNOHANG); SAME(WUNTRACED);
SAME(S_IFMT); SAME(S_IFIFO); SAME(S_IFCHR); SAME(S_IFDIR); SAME(S_IFREG);
SAME(NAME_MAX); SAME(PATH_MAX); SAME(OPEN_MAX); SAME(PIPE_BUF); SAME(MAX_CANON);
_Static_assert(ARG_MAX == OXE_ARG_MAX, "ARG_MAX");
SAME(SIGHUP); SAME(SIGINT); SAME(SIGQUIT); SAME(SIGILL); SAME(SIGTRAP); SAME(SIGABRT); SAME(SIGBUS); SAME(SIGFPE); SAME(SIGKILL);
SAME(SIGSEGV); SAME(SIGPIPE); SAME(SIGALRM); SAME(SIGTERM);
_Static_assert(OX_NSIG == NSIG, "NSIG");
_Static_assert(sizeof(off_t) == 4 && sizeof(pid_t) == 4 && sizeof(size_t) == 4, "types of system call arguments");
_Static_assert(WEXITSTATUS(3 << 8) == 3 && WIFEXITED(3 << 8) && WIFSIGNALED(9) && WTERMSIG(9) == 9, "wait status");
_Static_assert(offsetof(struct oct_dirent, name) == 18 && sizeof(struct oct_stat) == 16, "layout");

int main(void)
{
	return 0;
}
