// SPDX-License-Identifier: ISC
//
// What the parts of the file system share. Sections are those of the Microsoft FAT specification (2005).
//
//   fat.c   the FAT itself, allocation, FSInfo    mount.c finding the volume
//   dir.c   walking and changing directories      name.c  8.3 and long names
//   path.c  calls that take paths                 file.c  open files and their bytes
//   access.c owners and modes                     owner.c owners in creation times
//   utf.c    letters beyond ASCII
#ifndef OCTIX_FAT_H
#define OCTIX_FAT_H

#include <stdbool.h>
#include <stdint.h>

#include "fs/fs.h"

#define PACKED __attribute__((packed))

// ---- On the card

struct boot_sector { // section Boot Sector and BPB
	uint8_t jump[3];
	char maker[8];
	uint16_t sector_size;
	uint8_t cluster_sectors;
	uint16_t reserved;
	uint8_t fats;
	uint16_t root_entries, total16;
	uint8_t media;
	uint16_t fat_size16, track, heads;
	uint32_t hidden, total32;
	uint32_t fat_size32; // from here on FAT32 only
	uint16_t fat_flags, version;
	uint32_t root;
	uint16_t info;
	uint8_t rest[460];
	uint16_t signature;
} PACKED;

struct info_sector { // section FSInfo Sector Structure
	uint32_t lead;
	uint8_t reserved[480];
	uint32_t signature, free, next;
	uint8_t rest[16];
} PACKED;

struct partition {
	uint8_t active, start[3], type, end[3];
	uint32_t first, sectors;
} PACKED;

struct master_boot_record {
	uint8_t code[446];
	struct partition partitions[4];
	uint16_t signature;
} PACKED;

struct disk_entry { // section Directory Structure
	uint8_t name[11];
	uint8_t attr;
	uint8_t letters; // CASE_*
	uint8_t tenth;   // in an entry of a long name: checksum of the 8.3 name
	uint16_t created_time, created_date, accessed, high;
	union {
		struct {
			uint16_t time, date;
		} PACKED;
		uint32_t mtime; // both: date << 16 | time
	};
	uint16_t low;
	uint32_t size;
} PACKED;

_Static_assert(sizeof(struct boot_sector) == 512 && sizeof(struct info_sector) == 512, "");
_Static_assert(sizeof(struct master_boot_record) == 512 && sizeof(struct disk_entry) == 32, "");

enum { ATTR_READ_ONLY = 1, ATTR_SYSTEM = 4, ATTR_VOLUME = 8, ATTR_DIR = 16, ATTR_ARCHIVE = 32, ATTR_LFN = 15, ATTR_DISK = 63 };
enum { ATTR_DEVICE = 64, ATTR_TEXT = 128 | ATTR_READ_ONLY }; // of nodes only
enum { CASE_BASE = 8, CASE_EXT = 16 }; // lower case, as Windows NT marks it
enum { LFN_LAST = 0x40, DELETED = 0xe5 };

// ---- fat.c

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
	uint8_t shift;     // log2 of sectors per cluster,
	uint8_t mask;      // sectors per cluster - 1
	bool mirror : 1;   // a second FAT is kept equal
	bool info_stale : 1;
};

extern struct volume volume_;

// The volume, by way of a pointer the compiler cannot see through: from a base register a member takes two bytes of code
// to read, from an absolute address four.
__attribute__((always_inline)) static inline struct volume *volume(void)
{
	struct volume *v = &volume_;

	__asm__("" : "+r"(v));
	return v;
}

#define vol (*volume())

#define FREE_UNKNOWN 0xffffffff

// In place of a cluster number:
#define FAT_END 0 // end of the chain; no free cluster
#define FAT_BAD 1 // unreadable, or no number of a cluster

// Is it the number of a cluster of the volume?
bool fat_valid(uint32_t cluster);

// The first sector of a valid cluster.
uint32_t fat_sector(uint32_t cluster);

// The cluster after a valid one, FAT_END or FAT_BAD.
uint32_t fat_next(uint32_t cluster);

// The same, as far as it is known without reading the card; else FAT_BAD.
uint32_t fat_next_here(uint32_t cluster);

// Links a valid cluster to `next`; FAT_END: it becomes the last; FAT_FREE: free.
#define FAT_FREE 1
int8_t fat_set(uint32_t cluster, uint32_t next);

// Takes a free cluster, the one after `prev` if possible, as end of chain and links prev (0: nothing) to it.
// FAT_END: there is none.
uint32_t fat_alloc(uint32_t prev);

// Are so many clusters free? Counts them before it says no.
bool fat_room(uint32_t clusters);

// What a result of fat_alloc below 2 means: -OX_ENOSPC or -OX_EIO.
int8_t fat_error(uint32_t cluster);

// Frees a chain; stops at anything that is no cluster. 0 or -OX_EIO.
int8_t fat_free(uint32_t cluster);

// Brings the FAT and every dirty block to the card: before a directory entry comes to point to them.
int8_t fs_commit(void);

// The same, when `result` is 0; else that.
int8_t fs_commit_if(int8_t result);

// Fills a cluster with zeros, in the pool.
int8_t fat_zero(uint32_t cluster);

void fat_read_info(void);

// ---- name.c

struct utf { // UTF-8 read as UTF-16; a name ends at NUL or '/'
	const char *s;
	uint16_t low;
	bool ended;
};

enum { UTF_END = 0, UTF_AFTER = 0xffff, UTF_BAD = 0xfffe };

// The next UTF-16 unit; UTF_END once after the last, then UTF_AFTER; UTF_BAD for ill-formed UTF-8.
uint16_t utf_next(struct utf *u);

// (utf.c) The same for a sequence, behind its first byte `c`. Four bytes make a pair of surrogates.
uint16_t utf_sequence(struct utf *u, uint8_t c);

bool name_ends(char c); // NUL or '/'

// UTF-16 units of a name; 0: FAT cannot hold it (ill-formed, a forbidden character, too long, final dot or blank).
uint8_t name_units(const char *name);

// Does a name equal the NUL-terminated 8.3 name, in any case?
bool name_equal(const char *name, const char *shown);

// The checksum that ties long name entries to their 8.3 entry.
uint8_t name_sum(const uint8_t *short_name);

// Does the long name entry (its ordinal says which 13 units) fit the name?
bool lfn_match(const struct disk_entry *e, const char *name);

// Fills a long name entry.
void lfn_fill(struct disk_entry *e, const char *name, uint8_t ordinal, uint8_t sum);

struct back { // text written from its end to its start
	char *p, *limit, *end;
	uint16_t low; // second half of a surrogate pair, waiting for the first
	bool bad;     // ill-formed, or no room
};

void back_put(struct back *b, uint8_t c);

// (utf.c) A UTF-16 unit, as UTF-8, before what is there.
void put_unit(struct back *b, uint16_t unit);

// Puts the 13 units of a long name entry before what is there.
void lfn_prepend(struct back *b, const struct disk_entry *e);

// The 8.3 name of an entry as text, in out[13]. Its length.
uint8_t short_text(const struct disk_entry *e, char *out);

enum { ALIAS_LFN = 1, ALIAS_TAIL = 2 }; // beside CASE_BASE and CASE_EXT

// An 8.3 name for `name`, in out[11]. Flags: needs long name entries; needs a numeric tail; case bits.
uint8_t name_alias(const char *name, uint8_t *out);

// When nine names begin alike: two characters of the alias stay, four hexadecimal digits follow.
void alias_hash(uint8_t *alias, const char *name, uint8_t seed);

// ---- dir.c

struct entry { // a file or directory as found
	struct node node;
	uint32_t parent;   // the directory it is in
	const char *name;  // the component of a path that named it; NULL: none did
	uint16_t set;      // number in the directory of its first entry, long name included
	uint8_t count;     // entries it takes
	uint8_t attr;
	struct owner owner; // of a new one
};

struct dir { // a walk through a directory
	uint32_t cluster;  // where it stands; 0: in the root directory of FAT16
	uint32_t sector;
	uint8_t *block;    // pinned while not NULL
	uint16_t number;   // of the entry where it stands; 65,535 at most: a chain that loops ends, too
	// of the long name that is being read:
	const char *want;  // name to compare with, or NULL
	struct back *text; // else where to put it, or NULL
	uint16_t set;      // number of its first entry
	uint8_t ordinal;   // that comes next; 0: complete; NO_LFN
	uint8_t sum;
	bool match;        // as far as it has been read
	bool found;        // d stands at the 8.3 entry of a file or directory
};

// Lets d stand at an entry of the directory `first` (0: the root). 0; -OX_ENOENT: behind its end; -OX_EIO.
int8_t dir_seek(struct dir *d, uint32_t first, uint16_t number);

// The same for an open directory, which remembers the cluster where it stands: a long chain is not walked again for each entry.
int8_t dir_resume(struct dir *d, struct file *f, uint16_t number);

// The entry where d stands, pinned; NULL: unreadable.
struct disk_entry *dir_entry(struct dir *d);

// Goes to the next entry. 0; -OX_ENOENT at the end and -OX_EIO, with nothing pinned.
int8_t dir_next(struct dir *d);
void dir_end(struct dir *d);

// Goes on to the next file or directory. 0: d stands at its 8.3 entry; -OX_ENOENT: none left; -OX_EIO; then nothing is pinned.
int8_t dir_scan(struct dir *d);

// Was the long name that dir_scan has read complete and fitting, and does it belong to this entry?
bool dir_named(const struct dir *d, const struct disk_entry *e);

// Looks e->name up in e->parent and fills in the rest. -OX_ENOENT, -OX_EIO.
int8_t dir_find(struct entry *e);

// Creates e->name, which is not there, in e->parent, with attr, first and size of e. EINVAL, ENOSPC, EIO.
int8_t dir_create(struct entry *e);

// Marks all entries of e as deleted.
int8_t dir_erase(const struct entry *e);

// 0 stands for the root here, whatever the card says.
uint32_t entry_first(const struct disk_entry *e);

// The block with the directory entry of n, pinned; *e: the entry in it. NULL: unreadable.
uint8_t *node_block(const struct node *n, struct disk_entry **e);

// Brings first cluster, size and time into the directory entry, and that to the card.
int8_t node_update(const struct node *n);

// The time is now.
void entry_touch(struct disk_entry *e);

// The same for an entry in memory.
void entry_fill(struct disk_entry *e, uint32_t first, uint32_t size);

// ---- path.c

// Resolves a path. -OX_ENOENT with e->name set: only the last component is missing, its directory is e->parent. A path
// that ends with a slash names a directory only.
int8_t path_resolve(const char *path, uint32_t cwd, struct entry *e);

// ---- access.c

// What has these attributes and no owner.
void owner_default(uint8_t attr, struct owner *o);

// The owner in a file's entry, or in the `.` of a directory.
void owner_of_entry(const struct disk_entry *e, struct owner *o);

// The owner of something new.
void owner_new(struct owner *o, uint16_t mode);

// The owner of a file or directory. -OX_EIO
int8_t owner_of(const struct node *n, bool dir, struct owner *o);

// May the user? 0, -OX_EACCES, -OX_EIO. dir_check: of a directory, MAY_EXECUTE: to search it. Reads nothing for root.
bool owner_allows(const struct owner *o, uint8_t want);
int8_t node_check_access(const struct node *n, bool dir, uint8_t want);
int8_t dir_check(uint32_t first, uint8_t want);

// May he take e's name out of its directory? Also -OX_EPERM.
int8_t check_removal(const struct entry *e);

// ---- file.c

// Writes back size and time of all changed files.
int8_t nodes_sync(void);

// Is the directory open?
bool node_dir_open(uint32_t first);

// Open files that are one entry become those of another, because it has been renamed. False: there are none.
bool node_move(const struct node *from, const struct node *to);

// The same for an entry that has been deleted: the clusters are freed at the last close.
bool node_orphan(const struct node *n);

// Is there room in the table?
bool node_room(void);

// If the file is open: as it is now, not as its directory entry says.
void node_refresh(struct node *n);

// Opens an entry. 0 or -OX_ENFILE.
int8_t node_open(const struct entry *e, uint32_t flags, struct file **out);

#endif
