// SPDX-License-Identifier: ISC
//
// What <limits.h> says of the system. CHILD_MAX depends on the board and is not here.
#ifndef OCTIX_SYS_SYSLIMITS_H
#define OCTIX_SYS_SYSLIMITS_H

#include <octix/limits.h>

#define ARG_MAX     4096 // arguments and environment, with their pointers
#define IOV_MAX     16
#define LINK_MAX    1
#define MAX_CANON   OX_MAX_CANON
#define MAX_INPUT   OX_MAX_CANON
#define NAME_MAX    OX_NAME_MAX
#define NGROUPS_MAX 0
#define NZERO       20
#define OPEN_MAX    OX_OPEN_MAX
#define PATH_MAX    OX_PATH_MAX
#define PIPE_BUF    OX_PIPE_BUF
#define SEM_NSEMS_MAX OX_SEM_NSEMS_MAX
#define SEM_VALUE_MAX OX_SEM_VALUE_MAX

// Of utilities: the least that POSIX allows.
#define BC_BASE_MAX        99
#define BC_DIM_MAX         2048
#define BC_SCALE_MAX       99
#define BC_STRING_MAX      1000
#define COLL_WEIGHTS_MAX   2
#define EXPR_NEST_MAX      32
#define LINE_MAX           2048
#define RE_DUP_MAX         255

#endif
