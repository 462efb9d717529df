// SPDX-License-Identifier: ISC
//
// What login, su and passwd share.
#ifndef OCTIX_LOGIN_H
#define OCTIX_LOGIN_H

#include <pwd.h>

// The hash of a user's password in /etc/shadow, which only root can read: empty, none is wanted; NULL, he has no line, and nobody
// logs in as him.
const char *oct_shadow(const char *name);

// Is this his password? One that cannot be checked is wrong.
int oct_password_is(const char *name, const char *password);

// Becomes the user, with HOME, USER, SHELL and PATH. 0, or -1 with errno.
int oct_become(const struct passwd *pw);

// His shell; "/bin/sh" when none is named.
const char *oct_shell(const struct passwd *pw);

#endif
