// SPDX-License-Identifier: ISC
//
// Owners and modes: where they stand, what they allow, and changing them.
//
// A file's owner stands in its directory entry, a directory's in its own `.` (owner.h): so whoever knows a directory by its
// cluster, as a working directory and after `..`, knows its owner, too. What a PC has made belongs to root and is 0755.

#include <string.h>

#include "fs/fat.h"
#include "vm/pool.h"

void owner_default(uint8_t attr, struct owner *o)
{
	o->uid = o->gid = 0;
	o->mode = 0755;
	if (attr & ATTR_SYSTEM) // a device of root's, or the swap file of a card that has no owners
		o->mode = 0600;
	else if (attr & ATTR_DEVICE)
		o->mode = 0666;
	else if (attr & (ATTR_TEXT & ~ATTR_READ_ONLY))
		o->mode = 0444;
	if (attr & ATTR_READ_ONLY)
		o->mode &= ~0222;
}

void owner_of_entry(const struct disk_entry *e, struct owner *o)
{
	owner_default(e->attr & ATTR_DISK, o);
	if (owner_decode((const uint8_t *)e + OWNER_OFFSET, o) && e->attr & ATTR_READ_ONLY)
		o->mode &= ~0222;
}

void owner_new(struct owner *o, uint16_t mode)
{
	const struct user *u = fs_user();

	o->uid = u->uid;
	o->gid = u->gid;
	o->mode = mode & OWNER_MODE & ~u->umask;
}

// The block with the owner of a file, or of a directory other than the root, pinned; *e: the entry. NULL: unreadable.
static uint8_t *record(const struct node *n, bool dir, struct disk_entry **e)
{
	struct node dot = { .sector = 0, .entry = 0 };

	if (dir) {
		if (!fat_valid(n->first))
			return 0;
		dot.sector = fat_sector(n->first);
		n = &dot;
	}
	return node_block(n, e);
}

int8_t owner_of(const struct node *n, bool dir, struct owner *o)
{
	struct disk_entry *e;
	uint8_t *block;

	owner_default(is_node(n->first) ? (uint8_t)(n->first >> 16) : 0, o);
	if (is_node(n->first) || (dir && !n->first))
		return 0;
	if (!dir && !n->sector) { // it has no entry any more
		owner_new(o, 0600);
		return 0;
	}
	block = record(n, dir, &e);
	if (!block)
		return -OX_EIO;
	owner_of_entry(e, o);
	block_put(block);
	return 0;
}

// ---- permissions

bool owner_allows(const struct owner *o, uint8_t want)
{
	const struct user *u = fs_user();
	uint16_t bits = o->mode;

	if (!u->uid)
		return true;
	if (u->uid == o->uid)
		bits >>= 6;
	else if (u->gid == o->gid)
		bits >>= 3;
	return !(want & ~(uint8_t)bits);
}

int8_t node_check_access(const struct node *n, bool dir, uint8_t want)
{
	struct owner o;
	int8_t result;

	if (!fs_user()->uid)
		return 0;
	result = owner_of(n, dir, &o);
	return result ? result : owner_allows(&o, want) ? 0 : -OX_EACCES;
}

int8_t dir_check(uint32_t first, uint8_t want)
{
	struct node n = { .first = first };

	return node_check_access(&n, true, want);
}

int8_t check_removal(const struct entry *e)
{
	const struct user *u = fs_user();
	struct node parent = { .first = e->parent };
	struct owner o;
	int8_t result;

	if (!u->uid)
		return 0;
	result = owner_of(&parent, true, &o);
	if (result)
		return result;
	if (!owner_allows(&o, MAY_WRITE))
		return -OX_EACCES;
	if (!(o.mode & OX_S_ISVTX) || o.uid == u->uid)
		return 0;
	result = owner_of(&e->node, e->attr & ATTR_DIR, &o);
	return result ? result : o.uid == u->uid ? 0 : -OX_EPERM;
}

// ---- changing them

// What becomes of `o` when the user wants `to`. EPERM
static int8_t change_owner(struct owner *o, const struct owner *to, bool dir)
{
	const struct user *u = fs_user();

	if (u->uid && u->uid != o->uid)
		return -OX_EPERM;
	if (to->mode != OWNER_KEEP) {
		o->mode = to->mode & OWNER_MODE;
		if (u->uid && u->gid != o->gid)
			o->mode &= ~OX_S_ISGID;
		return 0;
	}
	if (u->uid && ((to->uid != OWNER_NONE && to->uid != o->uid) || (to->gid != OWNER_NONE && to->gid != o->gid && to->gid != u->gid)))
		return -OX_EPERM;
	if (to->uid != OWNER_NONE)
		o->uid = to->uid;
	if (to->gid != OWNER_NONE)
		o->gid = to->gid;
	if (!dir)
		o->mode &= ~(OX_S_ISUID | OX_S_ISGID);
	return 0;
}

static int8_t change(const struct node *n, bool dir, const struct owner *to)
{
	struct disk_entry *e;
	struct owner o;
	uint8_t *block;
	int8_t result;

	if (is_node(n->first))
		return -OX_EROFS;
	if (dir ? !n->first : !n->sector) // the root directory; an unlinked file
		return -OX_EPERM;
	block = record(n, dir, &e);
	if (!block)
		return -OX_EIO;
	owner_of_entry(e, &o);
	result = change_owner(&o, to, dir);
	if (!result) {
		owner_encode((uint8_t *)e + OWNER_OFFSET, &o);
		e->attr &= ~ATTR_READ_ONLY; // the mode says it now
		result = block_write(block, dir ? fat_sector(n->first) : n->sector);
	}
	block_put(block);
	return result;
}

int8_t fs_change(const char *path, uint32_t cwd, const struct owner *to)
{
	struct entry e;
	int8_t result = path_resolve(path, cwd, &e);

	return result ? result : change(&e.node, e.attr & ATTR_DIR, to);
}

int8_t fs_fchange(const struct file *f, const struct owner *to)
{
	return change(&f->node, f->flags & FILE_DIR, to);
}
