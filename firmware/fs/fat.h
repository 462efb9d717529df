// SPDX-License-Identifier: ISC
//
// What the parts of the file system share. Sections are those of the Microsoft FAT specification (2005, sections
// named by title where it has no numbers).
//
//   fat.c   mount, the FAT itself, allocation     name.c  8.3 and long names
//   dir.c   walking and changing directories      file.c  open files and their bytes
//   path.c  calls that take paths                 date.c  FAT dates
#ifndef OCTIX_FAT_H
#define OCTIX_FAT_H

#include <stdbool.h>
#include <stdint.h>

#include "fs/fs.h"

struct volume {
	uint32_t fat;      // first sector of the (active) FAT
	uint32_t fat_size; // sectors of one FAT
	uint32_t data;     // sector of cluster 2
	uint32_t root;     // FAT32: cluster; FAT16: sector
	uint32_t last;     // highest cluster number
	uint32_t hint;     // where the search for a free cluster goes on
	uint32_t free;     // free clusters, or FREE_UNKNOWN
	uint32_t pending;  // sector of the FAT that is changed but not written; 0: none
	uint32_t info;     // sector of FSInfo; 0: none
	uint16_t root_sectors; // FAT16: sectors of the root directory; FAT32: 0
	uint8_t shift;     // log2 of sectors per cluster
	uint8_t copies;    // FATs to keep equal
	bool info_stale;
};

extern struct volume vol;

#define FREE_UNKNOWN 0xffffffff
#define END_OF_CHAIN 0x0fffffff

// Directory entry (section Directory Structure).
enum { D_NAME = 0, D_ATTR = 11, D_CASE = 12, D_CREATED = 14, D_HIGH = 20, D_TIME = 22, D_DATE = 24, D_LOW = 26, D_SIZE = 28 };
enum { ATTR_READ_ONLY = 1, ATTR_VOLUME = 8, ATTR_DIR = 16, ATTR_ARCHIVE = 32, ATTR_LFN = 15 };
enum { CASE_BASE = 8, CASE_EXT = 16 }; // lower case, as Windows NT marks it
enum { L_ORD = 0, L_SUM = 13, L_LAST = 0x40 };
#define DELETED 0xe5

static inline uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t get32(const uint8_t *p);
void put16(uint8_t *p, uint16_t value);
void put32(uint8_t *p, uint32_t value);

// ---- fat.c

// Is it the number of a cluster of the volume?
bool fat_valid(uint32_t cluster);

// The first sector of a valid cluster.
uint32_t fat_sector(uint32_t cluster);

// *next: the entry of `cluster`, END_OF_CHAIN for any end mark. 0 or -OX_EIO.
int8_t fat_get(uint32_t cluster, uint32_t *next);

// Like fat_get, where a next cluster must be: -OX_EIO when it is none.
int8_t fat_follow(uint32_t *cluster);

int8_t fat_set(uint32_t cluster, uint32_t value);

// Takes a free cluster, the one after `prev` if possible, marks it as end of chain and links it to prev (0: to none).
// 0, -OX_ENOSPC or -OX_EIO.
int8_t fat_alloc(uint32_t prev, uint32_t *cluster);

// Frees a chain; stops at anything that is no cluster. 0 or -OX_EIO.
int8_t fat_free(uint32_t cluster);

// Writes the pending sector of the FAT: the second copy first, then the first.
int8_t fat_flush(void);

// Brings the FAT and every dirty block to the card: before a directory entry comes to point to them.
int8_t fs_commit(void);

// Fills a cluster with zeros, in the pool.
int8_t fat_zero(uint32_t cluster);

// ---- name.c

struct utf { // UTF-8 read as UTF-16; a name ends at NUL or '/'
	const char *s;
	uint16_t low;
	bool ended;
};

enum { UTF_END = 0, UTF_AFTER = 0xffff, UTF_BAD = 0xfffe };

// The next UTF-16 unit; UTF_END once after the last, then UTF_AFTER; UTF_BAD for ill-formed UTF-8.
uint16_t utf_next(struct utf *u);

// UTF-16 units of a name; 0: FAT cannot hold it (ill-formed, a forbidden character, too long, final dot or blank).
uint8_t name_units(const char *name);

char name_fold(char c); // lower-case ASCII letters become capitals

// Does a name equal the NUL-terminated 8.3 name, in any case?
bool name_equal(const char *name, const char *shown);

// The checksum that ties long name entries to their 8.3 entry.
uint8_t name_sum(const uint8_t *short_name);

// Does the long name entry (its ordinal says which 13 units) fit the name?
bool lfn_match(const uint8_t *e, const char *name);

// Fills a long name entry.
void lfn_fill(uint8_t *e, const char *name, uint8_t ordinal, bool last, uint8_t sum);

struct back { // UTF-8 written from its end to its start
	char *p, *limit, *end;
	uint16_t low; // second half of a surrogate pair, waiting for the first
};

// Puts the 13 units of a long name entry before what is there. False: ill-formed, or no room.
bool lfn_prepend(struct back *b, const uint8_t *e);

// The 8.3 name of an entry as text, in out[13]. Its length.
uint8_t short_text(const uint8_t *e, char *out);

enum { ALIAS_LFN = 1, ALIAS_TAIL = 2 }; // beside CASE_BASE and CASE_EXT

// An 8.3 name for `name`, in out[11]. Flags: needs long name entries; needs a numeric tail; case bits.
uint8_t name_alias(const char *name, uint8_t *out);

// The place of the numeric tail in an alias: bytes of the base that stay, 6 at most.
uint8_t alias_keep(const uint8_t *alias);

// ---- dir.c

struct place { // of an entry
	uint32_t cluster; // 0: in the root directory of FAT16
	uint32_t sector;
	uint8_t index;    // 0 to 15
};

struct entry { // a file or directory as found
	struct place set;  // the first of its entries, long name included
	uint32_t sector;   // of the 8.3 entry; 0: the root directory
	uint32_t first;    // first cluster; 0: none
	uint32_t size;
	uint8_t index;
	uint8_t count;     // entries it takes
	uint8_t attr;
};

struct dir { // a walk through a directory
	struct place at;
	uint8_t *block;   // pinned while not NULL
	uint16_t left;    // entries it may still visit: a looping chain ends, too
	// of the long name that is being read:
	struct place set;
	const char *want; // name to compare with, or NULL
	struct back *text; // else where to put it, or NULL
	uint8_t count;
	uint8_t ordinal;  // that comes next; 0: complete; NO_LFN
	uint8_t sum;
	bool match;       // as far as it has been read
	bool taken;       // the entry where it stands has been looked at,
	bool found;       // and is that of a file or directory
};

void dir_start(struct dir *d, uint32_t cluster);
uint8_t *dir_entry(struct dir *d);
int8_t dir_next(struct dir *d);
void dir_end(struct dir *d);

// Goes on to the next file or directory. 1: d stands at its 8.3 entry; 0: none left; -OX_EIO.
int8_t dir_scan(struct dir *d);

// Was the long name that dir_scan has read complete, and belongs to this entry?
bool dir_named(const struct dir *d, const uint8_t *e);

// Looks a name up. 0, -OX_ENOENT, -OX_EIO.
int8_t dir_find(uint32_t cluster, const char *name, struct entry *out);

// Makes out of the 8.3 entry where d stands.
void dir_take(struct dir *d, const uint8_t *e, struct entry *out);

// Creates the entries for a name that is not there. out->attr, first and size say what; the rest is filled in.
// 0, EINVAL, ENOSPC, EIO.
int8_t dir_create(uint32_t cluster, const char *name, struct entry *out);

// Marks all entries of e as deleted.
int8_t dir_erase(const struct entry *e);

uint32_t entry_first(const uint8_t *e);

// Sets first cluster, size and time of the 8.3 entry at a place, and writes its sector.
int8_t entry_update(uint32_t sector, uint8_t index, uint32_t first, uint32_t size);

// The same for an entry in memory.
void entry_fill(uint8_t *e, uint32_t first, uint32_t size);

// ---- file.c

// Writes back size and time of all changed files.
int8_t file_sync(void);

// Any open file that is this entry; NULL: none.
struct file *file_find(uint32_t sector, uint8_t index);

// Is a directory open?
bool file_dir_open(uint32_t first);

// Open files that are one entry become those of another, because it has been renamed.
void file_moved(uint32_t sector, uint8_t index, uint32_t to_sector, uint8_t to_index);

// Marks the open files that are this entry as unlinked. False: there are none, its clusters can be freed now.
bool file_orphan(const struct entry *e);

// Is there room in the table?
bool file_room(void);

// Opens an entry. 0 or -OX_ENFILE.
int8_t file_open(const struct entry *e, uint32_t flags, struct file **out);

// ---- date.c

uint32_t date_to_unix(uint16_t date, uint16_t time);
void date_from_unix(uint32_t seconds, uint16_t *date, uint16_t *time);

#endif
