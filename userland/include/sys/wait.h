// SPDX-License-Identifier: ISC
//
// <sys/wait.h>: picolibc's, and children that go on.
#ifndef OCTIX_SYS_WAIT_H
#define OCTIX_SYS_WAIT_H

#include_next <sys/wait.h>

#include <octix/abi.h>
#include <signal.h>

#define WEXITED    4 // these three are waitid's
#define WSTOPPED   WUNTRACED
#define WNOWAIT    OX_WNOWAIT
#define WCONTINUED 8
#define WIFCONTINUED(w) ((w) == 0xffff)
#define WCOREDUMP(w) 0

typedef enum { P_ALL, P_PID, P_PGID } idtype_t;

struct rusage;

#ifdef __cplusplus
extern "C" {
#endif

// POSIX waitid. What has become of a child stands in *info (si_pid, si_status, si_code: CLD_*; si_uid is not there); si_pid is 0 when WNOHANG has found none.
// EINVAL: none of WEXITED, WSTOPPED, WCONTINUED, or an unknown option; ECHILD, EINTR.
int waitid(idtype_t type, id_t id, siginfo_t *info, int options);

// waitpid, and how much time a child that has ended has used: 1/100 s, all of it as ru_utime, without its own children.
pid_t wait3(int *status, int options, struct rusage *usage);
pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage);

#ifdef __cplusplus
}
#endif

#endif
