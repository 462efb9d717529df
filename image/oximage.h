// SPDX-License-Identifier: ISC
//
// The subcommands of oximage. Each gets its own arguments (argv[0] is its name) and returns an exit code.
#ifndef OCTIX_OXIMAGE_H
#define OCTIX_OXIMAGE_H

int cmd_info(int argc, char **argv);
int cmd_ls(int argc, char **argv);
int cmd_get(int argc, char **argv);
int cmd_cat(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_put(int argc, char **argv);
int cmd_rm(int argc, char **argv);
int cmd_mkdir(int argc, char **argv);
int cmd_write(int argc, char **argv);

// Steps of image/build, not for users.
int cmd_layout(int argc, char **argv);
int cmd_mbr(int argc, char **argv);
int cmd_swap(int argc, char **argv);
int cmd_owners(int argc, char **argv);
int cmd_seal(int argc, char **argv);

#endif
