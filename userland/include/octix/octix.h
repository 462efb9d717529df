// SPDX-License-Identifier: ISC
//
// Calls that only Octix has.
#ifndef OCTIX_OCTIX_H
#define OCTIX_OCTIX_H

#include <octix/abi.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

int mark(int n);                  // writes n (0..255) to GPIOR0, for instruments
unsigned long cycles(void);       // CPU cycles since boot, mod 2^32
int oct_stat(const char *path, struct oct_stat *st); // struct stat has but 16 bits of the file's number
// Texts of /proc, lines of a name and a value: the text, in text[size] (NULL: errno); a field of it, up to the end of its line; the
// same as a number. What is not there is empty, or 0.
#define OCT_PROC_TEXT 512
const char *oct_proc_text(const char *path, char *text, unsigned size);
const char *oct_proc_word(const char *text, const char *name);
unsigned long oct_proc_number(const char *text, const char *name);

int oct_signal(int sig, int disposition, void *entry); // enum oct_disposition; handlers are sigaction's, or ENTRY ends so:
int oct_sigreturn(struct oct_sigframe *frame, int restart);
int oct_reboot(int how);          // enum oct_reboot
int setresuid(uid_t real, uid_t effective, uid_t saved); // -1: stays
int setresgid(gid_t real, gid_t effective, gid_t saved);
int getdents(int fd, void *buf, unsigned n); // packed struct oct_dirent; 0 at the end

#ifdef __cplusplus
}
#endif

#endif
