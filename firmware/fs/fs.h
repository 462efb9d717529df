// SPDX-License-Identifier: ISC
//
// FAT16 and FAT32 with long names, on the blocks of the pool (vm/pool.h) and the card (drivers/sd.h).
//
// Rules for callers: one call at a time, none of them yields. Paths are NUL-terminated kernel memory of less than 124
// bytes, UTF-8; `cwd` is the directory that relative ones start from: its first cluster, 0 for the root. Names match
// without regard to the case of ASCII letters, as FAT has it. At most three blocks are pinned inside a call, one is
// left pinned by file_map. Who may do what is decided by the owners on the way of a path, once and for all when a file is opened;
// root may do all but execute what nobody may. EACCES and EPERM (sticky directories, chmod) everywhere. Results are 0 or a count, or -OX_E* with the meaning POSIX gives it.
#ifndef OCTIX_FS_H
#define OCTIX_FS_H

#include <stdbool.h>
#include <stdint.h>

#include "octix/abi.h"
#include "octix/errno.h"
#include "fs/owner.h"

#define NOINLINE __attribute__((noinline)) // where a copy inside the caller makes more code

#define FILES 12 // open files of all processes together

enum { // struct file flags
	FILE_READ = 0x01, FILE_WRITE = 0x02, FILE_APPEND = 0x04, FILE_DIR = 0x08,
	FILE_CHANGED = 0x10,  // size, first cluster or time differ from the directory entry
	FILE_UNLINKED = 0x20, // has no directory entry any more
};

// What a file or directory is on the card.
struct node {
	uint32_t first;       // first cluster; 0: none, or the root directory
	uint32_t size;        // bytes; 0 for a directory
	uint32_t sector;      // of its directory entry; 0: it has none
	uint8_t entry;        // which of the 16 entries in that sector
};

// An open file description. pos belongs to the caller (in a directory: set it to 0 or to what it was before).
struct file {
	union {
		struct node node;
		struct { // the same, by name
			uint32_t first, size, sector;
			uint8_t entry;
		};
	};
	uint32_t pos;         // offset of the next read or write, bytes
	uint32_t cluster;     // cluster number `index` of the chain, where the last access was; 0: not known
	uint32_t index : 24;  // (in a directory: number of the cluster's first entry)
	uint8_t flags;
	uint8_t refs;         // 0: free
};

enum { MAY_EXECUTE = 1, MAY_WRITE = 2, MAY_READ = 4 }; // as in a mode

enum fs_error { // of fs_mount
	FS_READ = -1,       // the card cannot be read
	FS_NONE = -2,       // no file system that is known
	FS_EXFAT = -3, FS_NTFS = -4, FS_EXT = -5, FS_FAT12 = -6, FS_GPT = -7,
	FS_SECTOR = -8,     // sectors of another size than 512
	FS_CLUSTER = -9,    // clusters of 64 KiB or more
	FS_TOO_FEW = -10,   // made as FAT32, with too few clusters for it
	FS_DAMAGED = -11,   // a FAT boot sector that contradicts itself
	FS_BEYOND = -12,    // longer than the card
};

// Finds the file system: first FAT partition of an MBR, or the whole card. 0 or an enum fs_error.
int8_t fs_mount(void);

// A text in flash (PROGMEM) for a code of fs_mount: what was found and what to do.
const char *fs_error_text(int8_t code);

// Opens path with OX_O_* flags; directories for reading only. *out has one reference.
// A file that is made gets `mode`, and both ids of the user. A node has its number in out->first. ENOENT ENOTDIR EISDIR EEXIST EACCES EROFS ETXTBSY ENFILE ENOSPC EINVAL (a name FAT cannot hold) EIO
int8_t fs_open(const char *path, uint32_t cwd, uint32_t flags, uint16_t mode, struct file **out);

// Drops a reference. The last one writes back size and time, or frees the clusters of an unlinked file. 0 or -OX_EIO.
int8_t fs_close(struct file *f);

// The byte at offset pos: pins its block and returns its address; *len says how many bytes of the file follow in
// that block (when writing: how many may be written there). NULL: *len is 0 at the end of the file, else -OX_E*
// (EIO, EISDIR, ENOSPC, EFBIG). With `write`, pos is the size at most (see file_fill), and a cluster is added as needed; the caller then
// changes the bytes and calls block_dirty and file_wrote, or file_trim when there is nothing to write after all. The block
// to put is *len's: p - (pos & 511).
uint8_t *file_map(struct file *f, uint32_t pos, bool write, int16_t *len);

// Adds zeros until the file has `size` bytes, a few blocks at a time. 0: it has; FILL_ON: call it again, others may run in between.
// ENOSPC: not all of them would fit, nothing is added. EIO: as many as could be stay.
#define FILL_ON 1
int8_t file_fill(struct file *f, uint32_t size);

// The file is read in order: asks for the block after the one that file_map has just given for f->pos (block_ahead).
void file_ahead(const struct file *f);

// Bytes up to offset `end` have been written.
void file_wrote(struct file *f, uint32_t end);

// Gives back what of the file's chain lies behind its end. Its blocks must not be pinned.
void file_trim(struct file *f);

// Is a file open for writing whose first cluster this is? (Such a file is not to be executed.)
bool fs_writing(uint32_t first);

// The file that path names, as it is now, and its owner, for who may execute it; `o` NULL: for whom ever. EACCES: a directory, or he may
// not. ENOENT ENOTDIR EIO
int8_t fs_file(const char *path, uint32_t cwd, struct node *n, struct owner *o);

// The file as one run of sectors: *lba is the first. -OX_ENOEXEC: empty or in pieces; -OX_EIO.
int8_t fs_extent(const struct node *n, uint32_t *lba);

// May the user do all of `want` (MAY_*, 0: is it there)? EACCES
int8_t fs_access(const char *path, uint32_t cwd, uint8_t want);

int8_t fs_stat(const char *path, uint32_t cwd, struct oct_stat *st);
int8_t fs_fstat(const struct file *f, struct oct_stat *st);

// The next entry of an open directory, `.` and `..` included; returns its reclen, 0 at the end. `room`: bytes at out,
// 32 at least; a name that does not fit, or is longer than OX_NAME_MAX, shows as its 8.3 name. ENOTDIR EINVAL EIO
int16_t fs_readdir(struct file *f, struct oct_dirent *out, uint8_t room);

int8_t fs_mkdir(const char *path, uint32_t cwd, uint16_t mode);
int8_t fs_rmdir(const char *path, uint32_t cwd);
int8_t fs_unlink(const char *path, uint32_t cwd);
int8_t fs_rename(const char *from, const char *to, uint32_t cwd);

// Also FILL_ON, as file_fill.
int8_t fs_truncate(struct file *f, uint32_t size);

// Changes the mode, or (mode OWNER_KEEP) user and group of a file; OWNER_NONE: stays. A change of these takes the set-uid and
// set-gid bits of a file. EPERM: not the user's, the root directory (root, 0755 for ever), an unlinked file. EROFS: a node.
#define OWNER_KEEP 0xffff
#define OWNER_NONE 255
int8_t fs_change(const char *path, uint32_t cwd, const struct owner *to);
int8_t fs_fchange(const struct file *f, const struct owner *to);

// Sets the time of the last change (octix/date.h); 0: to now, which whoever may write may do. EPERM EACCES EROFS
int8_t fs_utime(const char *path, uint32_t cwd, uint32_t mtime);

// The directory that path names, for use as cwd. ENOENT ENOTDIR EIO
int8_t fs_chdir(const char *path, uint32_t cwd, uint32_t *dir);

// Brings everything to the card. 0 or -OX_EIO.
int8_t fs_sync(void);

uint32_t fs_clusters(void);      // in all
uint16_t fs_cluster_size(void);  // bytes, 512 to 32768
uint32_t fs_free_known(void);    // free clusters; 0xffffffff while not counted
uint32_t fs_free_clusters(void); // the same; counts when need be, which reads the whole FAT

// Who calls. Provided by the kernel.
struct user {
	union {
		uint8_t ids[3][2]; // real, effective, saved: user, group
		struct {
			uint8_t ruid, rgid;
			uint8_t uid, gid; // effective: what counts here
			uint8_t suid, sgid;
		};
	};
	uint16_t umask;
};
const struct user *fs_user(void);

// Provided by the kernel: text n of several in flash, each with its NUL.
const char *text_at(const char *texts, uint8_t n);

// Is a program running from the file with this first cluster?
bool text_busy(uint32_t first);

// Nodes of the kernel's own in the root directory and below, which hide what the card has under their names. Their numbers stand for
// first clusters: no cluster has such a number. Also provided by the kernel:
#define NODE_FIRST    0xf0000000
#define NODE_NONE     1  // no cluster has this number either
#define NODE_PLACES 127 // a directory of nodes has not more, the first two of them empty

// The node of this name in a directory (0: the root), 0 for the root, or NODE_NONE. The name ends at NUL or '/'.
uint32_t node_find(uint32_t dir, const char *name);

// The next node in a directory from place *i on, which moves behind it, and its name (8 bytes). False: none is left.
bool node_next(uint32_t dir, uint8_t *i, uint32_t *number, char *name);

// Is it still there?
bool node_check(uint32_t number);

static inline bool is_node(uint32_t number)
{
	return (uint8_t)(number >> 24) >= (uint8_t)(NODE_FIRST >> 24);
}

#endif
