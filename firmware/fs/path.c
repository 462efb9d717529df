// SPDX-License-Identifier: ISC
//
// Calls that take paths, and reading directories.

#include <stddef.h>
#include <string.h>

#include "fs/fat.h"
#include "vm/pool.h"

// A removed directory can still be the cwd of somebody: its cluster is free, or something else by now.
static int8_t check_dir(uint32_t cluster)
{
	struct dir d;
	struct disk_entry *e;
	int8_t result;

	if (is_node(cluster))
		return node_check(cluster) ? 0 : -OX_ENOENT;
	result = cluster ? dir_seek(&d, cluster, 0) : 0;
	if (!cluster || result)
		return result;
	e = dir_entry(&d);
	if (!e)
		return -OX_EIO;
	if (e->name[0] != '.' || e->name[1] != ' ' || entry_first(e) != cluster)
		result = -OX_ENOENT;
	dir_end(&d);
	return result;
}

static bool is_dot(const char *name)
{
	return name[0] == '.' && name_ends(name[1]);
}

static bool is_dots(const char *name)
{
	return is_dot(name) || (name[0] == '.' && is_dot(name + 1));
}

static const char *skip_slashes(const char *p)
{
	while (*p == '/')
		p++;
	return p;
}

// Looks e->name up in e->parent: among the nodes, then on the card.
static int8_t find(struct entry *e)
{
	uint32_t number = NODE_NONE;

	if (!e->parent || is_node(e->parent))
		number = node_find(e->parent, e->name);
	if (number == NODE_NONE)
		return is_node(e->parent) ? -OX_ENOENT : dir_find(e);
	memset(&e->node, 0, sizeof e->node);
	e->node.first = number;
	e->attr = number ? (uint8_t)(number >> 16) : ATTR_DIR;
	return 0;
}

int8_t path_resolve(const char *path, uint32_t cwd, struct entry *e)
{
	const char *p = skip_slashes(path);
	int8_t result = *path ? 0 : -OX_ENOENT;

	memset(e, 0, sizeof *e);
	e->attr = ATTR_DIR;
	if (p == path) {
		e->node.first = cwd;
		if (!result)
			result = check_dir(cwd);
	}
	while (!result && *p) {
		e->parent = e->node.first;
		e->name = p;
		if (!(e->attr & ATTR_DIR))
			result = -OX_ENOTDIR;
		else if ((result = dir_check(e->parent, MAY_EXECUTE)))
			;
		else if (!is_dot(p) && (e->parent || !is_dots(p)))
			result = find(e);
		while (!name_ends(*p))
			p++;
		if (!result && *p && !(e->attr & ATTR_DIR))
			result = -OX_ENOTDIR;
		p = skip_slashes(p);
		if (result == -OX_ENOENT && !*p)
			return result;
	}
	if (result)
		e->name = 0;
	return result;
}

// ---- Reading

static uint16_t type_of(uint8_t attr)
{
	return attr & ATTR_DIR ? OX_S_IFDIR : attr & ATTR_DEVICE ? OX_S_IFCHR : OX_S_IFREG;
}

// First cluster; for an empty file the place of its entry, for the root 1.
static uint32_t inode(uint32_t first, uint32_t sector, uint8_t index)
{
	if (first)
		return first;
	return sector ? 0x80000000 | sector << 4 | index : 1;
}

static int8_t fill_stat(struct oct_stat *st, const struct node *n, bool dir)
{
	struct owner o;
	struct disk_entry *e;
	uint8_t *block;
	int8_t result = owner_of(n, dir, &o);

	st->ino = inode(n->first, n->sector, n->entry);
	st->size = n->size;
	st->mtime = 0;
	st->mode = o.mode | type_of(is_node(n->first) ? (uint8_t)(n->first >> 16) : dir ? ATTR_DIR : 0);
	st->uid = o.uid;
	st->gid = o.gid;
	if (result || !n->sector)
		return result;
	block = node_block(n, &e);
	if (!block)
		return -OX_EIO;
	st->mtime = e->mtime;
	block_put(block);
	return 0;
}

int8_t fs_stat(const char *path, uint32_t cwd, struct oct_stat *st)
{
	struct entry e;
	int8_t result = path_resolve(path, cwd, &e);

	node_refresh(&e.node);
	return result ? result : fill_stat(st, &e.node, e.attr & ATTR_DIR);
}

int8_t fs_fstat(const struct file *f, struct oct_stat *st)
{
	return fill_stat(st, &f->node, f->flags & FILE_DIR);
}

int8_t fs_file(const char *path, uint32_t cwd, struct node *n, struct owner *o)
{
	struct entry e;
	int8_t result = path_resolve(path, cwd, &e);

	if (!result && (e.attr & ATTR_DIR || is_node(e.node.first)))
		result = -OX_EACCES;
	if (!result && o)
		result = owner_of(&e.node, false, o);
	if (!result && o && !(owner_allows(o, MAY_EXECUTE) && o->mode & 0111))
		result = -OX_EACCES;
	*n = e.node;
	node_refresh(n);
	return result;
}

int8_t fs_access(const char *path, uint32_t cwd, uint8_t want)
{
	struct entry e;
	struct owner o;
	int8_t result = path_resolve(path, cwd, &e);

	if (!result)
		result = owner_of(&e.node, e.attr & ATTR_DIR, &o);
	if (result)
		return result;
	if (want & MAY_WRITE && e.attr & ATTR_READ_ONLY)
		return -OX_EACCES;
	return owner_allows(&o, want) && (!(want & MAY_EXECUTE) || o.mode & 0111) ? 0 : -OX_EACCES;
}

// A file whose program runs stays as it is.
static int8_t check_text(const struct entry *e)
{
	return e->node.first && text_busy(e->node.first) ? -OX_ETXTBSY : 0;
}

// May e, which is there, be opened?
static int8_t check_open(const struct entry *e, uint32_t flags)
{
	bool write = flags & OX_O_ACCMODE;
	uint8_t want = !write ? MAY_READ : flags & OX_O_RDWR ? MAY_READ | MAY_WRITE : MAY_WRITE;
	int8_t result;

	if (flags & OX_O_CREAT && flags & OX_O_EXCL)
		return -OX_EEXIST;
	if (e->attr & ATTR_DIR)
		return write || flags & OX_O_CREAT ? -OX_EISDIR : dir_check(e->node.first, want);
	if (flags & OX_O_DIRECTORY)
		return -OX_ENOTDIR;
	result = node_check_access(&e->node, false, want);
	if (result || !write)
		return result;
	if (e->attr & ATTR_READ_ONLY)
		return -OX_EACCES;
	return check_text(e);
}

int8_t fs_open(const char *path, uint32_t cwd, uint32_t flags, uint16_t mode, struct file **out)
{
	struct entry e;
	int8_t result = path_resolve(path, cwd, &e);

	if (!node_room())
		return -OX_ENFILE;
	if (result == -OX_ENOENT && e.name && flags & OX_O_CREAT) {
		if (is_node(e.node.first))
			return -OX_EROFS;
		if (strchr(e.name, '/'))
			return -OX_EISDIR;
		e.attr = ATTR_ARCHIVE;
		owner_new(&e.owner, mode);
		e.node.first = e.node.size = 0;
		result = dir_check(e.parent, MAY_WRITE);
		if (!result)
			result = dir_create(&e);
	} else if (!result) {
		result = check_open(&e, flags);
	}
	if (!result)
		result = node_open(&e, flags, out);
	if (result || !(flags & OX_O_TRUNC) || !((*out)->flags & FILE_WRITE) || !((*out)->first | (*out)->size)
	    || is_node((*out)->first))
		return result;
	result = fs_truncate(*out, 0);
	if (result)
		fs_close(*out);
	return result;
}

#define NAME_AT offsetof(struct oct_dirent, name)

// The fixed part; the name is in place.
static NOINLINE int16_t fill_dirent(struct oct_dirent *out, uint8_t length, uint8_t attr, const struct owner *o)
{
	out->name[length] = 0;
	out->namelen = length;
	out->reclen = (uint8_t)((NAME_AT + length + 4) & ~3U);
	out->mode = type_of(attr) | o->mode;
	out->uid = o->uid;
	out->gid = o->gid;
	return out->reclen;
}

// What is not on the card: `.` and `..` of the root (directories of nodes have none), and nodes. 0: no more of these.
static NOINLINE int16_t read_nodes(struct file *f, struct oct_dirent *out)
{
	struct owner o;
	uint8_t i = (uint8_t)f->pos, attr = ATTR_DIR;

	if (f->pos >= NODE_PLACES)
		return 0;
	memset(out, 0, sizeof *out);
	if (i < 2 && !f->first) {
		out->ino = 1;
		memset(out->name, '.', 2);
		out->name[++i] = 0;
	} else if (node_next(f->first, &i, &out->ino, out->name)) {
		attr = (uint8_t)(out->ino >> 16);
	} else {
		f->pos = NODE_PLACES;
		return 0;
	}
	f->pos = i;
	owner_default(attr, &o);
	return fill_dirent(out, (uint8_t)strlen(out->name), attr, &o);
}

// Describes the entry where d stands, whose long name is in `name`.
static NOINLINE int16_t describe(struct dir *d, const struct back *name, struct oct_dirent *out)
{
	struct disk_entry *e = dir_entry(d);
	uint8_t length = (uint8_t)(name->end - name->p);
	struct owner o;

	if (dir_named(d, e))
		memmove(out->name, name->p, length);
	else
		length = short_text(e, out->name);
	out->size = 0;
	out->ino = entry_first(e);
	if (!(e->attr & ATTR_DIR)) {
		out->size = e->size;
		out->ino = inode(out->ino, d->sector, d->number & 15);
	} else if (!out->ino) {
		out->ino = 1; // `..`
	}
	out->mtime = e->mtime;
	owner_of_entry(e, &o); // a directory's is not here
	return fill_dirent(out, length, e->attr & ATTR_DISK, &o);
}

// pos: 128 x entry number; in the root what is below 127 are the dots and nodes, and 127 is added to the others.
NOINLINE int16_t fs_readdir(struct file *f, struct oct_dirent *out, uint8_t room)
{
	struct back name = { .limit = out->name };
	struct dir d;
	int16_t result;

	if (!(f->flags & FILE_DIR))
		return -OX_ENOTDIR;
	if (room < 32)
		return -OX_EINVAL;
	if (!f->first || is_node(f->first)) {
		result = read_nodes(f, out);
		if (result || f->first)
			return result;
	}
	room -= NAME_AT + 1;
	name.end = out->name + (room > OX_NAME_MAX ? OX_NAME_MAX : room);
	if (f->pos >> 23)
		return 0;
	result = dir_resume(&d, f, (uint16_t)(f->pos >> 7));
	d.text = &name;
	do {
		if (!result)
			result = dir_scan(&d);
		if (result)
			return result == -OX_ENOENT ? 0 : result;
		f->pos = (f->pos & 127) | (uint32_t)(d.number + 1U) << 7;
		result = describe(&d, &name, out);
	} while (!f->first && node_find(0, out->name) != NODE_NONE && !(result = 0)); // hidden by a node
	dir_end(&d);
	return result;
}

int8_t fs_chdir(const char *path, uint32_t cwd, uint32_t *dir)
{
	struct entry e;
	int8_t result = path_resolve(path, cwd, &e);

	if (result)
		return result;
	if (!(e.attr & ATTR_DIR))
		return -OX_ENOTDIR;
	result = dir_check(e.node.first, MAY_EXECUTE);
	if (result)
		return result;
	result = check_dir(e.node.first);
	if (!result)
		*dir = e.node.first;
	return result;
}

// ---- Changing directories

// Writes `.` and `..` into a directory: a new one, or one that has moved, whose owner (NULL) stays.
static int8_t write_dots(uint32_t cluster, uint32_t parent, const struct owner *o)
{
	struct disk_entry *e = (struct disk_entry *)block_get(fat_sector(cluster));

	if (!e)
		return -OX_EIO;
	memset(e, ' ', 11);
	memset(e + 1, ' ', 11);
	e[0].name[0] = e[1].name[0] = e[1].name[1] = '.';
	e[0].attr = e[1].attr = ATTR_DIR;
	entry_fill(e, cluster, 0);
	entry_fill(e + 1, parent, 0);
	if (o)
		owner_encode((uint8_t *)e + OWNER_OFFSET, o);
	block_dirty((uint8_t *)e);
	block_put((uint8_t *)e);
	return 0;
}

int8_t fs_mkdir(const char *path, uint32_t cwd, uint16_t mode)
{
	struct entry e;
	uint32_t cluster;
	int8_t result = path_resolve(path, cwd, &e);

	if (result != -OX_ENOENT || !e.name)
		return result ? result : -OX_EEXIST;
	if (is_node(e.node.first))
		return -OX_EROFS;
	if (!name_units(e.name))
		return -OX_EINVAL;
	result = dir_check(e.parent, MAY_WRITE);
	if (result)
		return result;
	owner_new(&e.owner, mode);
	cluster = fat_alloc(0);
	if (cluster < 2)
		return fat_error(cluster);
	if (fat_zero(cluster) || write_dots(cluster, e.parent, &e.owner) || fs_commit())
		return -OX_EIO;
	e.attr = ATTR_DIR;
	e.node.first = cluster;
	e.node.size = 0;
	result = dir_create(&e);
	if (result && result != -OX_EIO) { // after that the entry may be there, or come to the card later
		fat_free(cluster);
		fs_commit();
	}
	return result;
}

// May a directory go? It has to be empty, and not open.
static int8_t check_empty(uint32_t cluster)
{
	struct dir d;
	int8_t result;

	if (node_dir_open(cluster))
		return -OX_EBUSY;
	result = dir_seek(&d, cluster, 0);
	while (!result) {
		result = dir_scan(&d);
		if (result)
			break;
		if (dir_entry(&d)->name[0] != '.') {
			dir_end(&d);
			return -OX_ENOTEMPTY;
		}
	}
	return result == -OX_ENOENT ? 0 : result;
}

// Frees what an entry that is gone held, now or at the last close. The `.` of a directory goes, so that check_dir knows it
// for removed.
static int8_t free_entry(const struct entry *e)
{
	uint8_t *block;
	uint32_t first = e->node.first;
	int8_t result = 0;

	if (e->attr & ATTR_DIR) {
		block = block_get(fat_sector(first));
		if (!block)
			return -OX_EIO;
		block[0] = 0;
		result = block_write(block, fat_sector(first));
		block_put(block);
	} else if (node_orphan(&e->node)) {
		return 0;
	}
	return fs_commit_if(result ? result : fat_free(first));
}

// Resolves the path of something that is to be removed or renamed: not the root, `.` or `..`.
static int8_t resolve_victim(const char *path, uint32_t cwd, struct entry *e)
{
	int8_t result = path_resolve(path, cwd, e);

	if (e->name && is_node(e->node.first))
		return -OX_EROFS;
	if (result)
		return result;
	if (!e->name)
		return -OX_EBUSY;
	return is_dots(e->name) ? -OX_EINVAL : check_removal(e);
}

int8_t fs_rmdir(const char *path, uint32_t cwd)
{
	struct entry e;
	int8_t result = resolve_victim(path, cwd, &e);

	if (!result && !(e.attr & ATTR_DIR))
		result = -OX_ENOTDIR;
	if (!result)
		result = check_empty(e.node.first);
	if (!result)
		result = dir_erase(&e);
	return result ? result : free_entry(&e);
}

int8_t fs_unlink(const char *path, uint32_t cwd)
{
	struct entry e;
	int8_t result = resolve_victim(path, cwd, &e);

	if (!result && e.attr & ATTR_DIR)
		result = -OX_EISDIR;
	if (!result)
		result = check_text(&e);
	if (!result)
		result = dir_erase(&e);
	return result ? result : free_entry(&e);
}

int8_t fs_utime(const char *path, uint32_t cwd, uint32_t mtime)
{
	struct entry e;
	struct disk_entry *d;
	struct owner o;
	uint8_t *block;
	int8_t result = path_resolve(path, cwd, &e);

	if (!result)
		result = owner_of(&e.node, e.attr & ATTR_DIR, &o);
	if (result)
		return result;
	if (is_node(e.node.first))
		return -OX_EROFS;
	if (!e.node.sector) // the root directory, `.`: no entry to write to
		return -OX_EPERM;
	if (fs_user()->uid && fs_user()->uid != o.uid && (mtime || !owner_allows(&o, MAY_WRITE)))
		return mtime ? -OX_EPERM : -OX_EACCES;
	block = node_block(&e.node, &d);
	if (!block)
		return -OX_EIO;
	if (mtime)
		d->mtime = mtime;
	else
		entry_touch(d);
	result = block_write(block, e.node.sector);
	block_put(block);
	return result;
}

// ---- Rename

// The parent of a directory, 0 for the root.
static int8_t parent_of(uint32_t cluster, uint32_t *parent)
{
	struct entry e = { .parent = cluster, .name = ".." };
	int8_t result = dir_find(&e);

	*parent = e.node.first;
	return result;
}

// Would `dir` come to lie inside directory `moved`?
static int8_t check_loop(uint32_t moved, uint32_t dir)
{
	int8_t result = 0;

	for (uint8_t depth = 255; !result && dir; depth--) {
		if (dir == moved)
			return -OX_EINVAL;
		if (!depth)
			return -OX_EIO;
		result = parent_of(dir, &dir);
	}
	return result;
}

// May `to`, which is there, be replaced by `from`?
static NOINLINE int8_t check_replace(const struct entry *from, const struct entry *to)
{
	if (!(to->attr & ATTR_DIR))
		return from->attr & ATTR_DIR ? -OX_ENOTDIR : check_text(to);
	return from->attr & ATTR_DIR ? check_empty(to->node.first) : -OX_EISDIR;
}

// Everything but the name goes from one 8.3 entry to another, which stays as it was when it cannot be written: else two names of one
// file might come to the card later.
static int8_t copy_entry(const struct node *from, const struct node *to)
{
	struct disk_entry *a, *b, old;
	uint8_t *source = node_block(from, &a), *block = node_block(to, &b);
	int8_t result = -OX_EIO;

	if (source && block) {
		old = *b;
		b->attr = a->attr;
		memcpy(&b->tenth, &a->tenth, 32 - 13);
		result = block_write(block, to->sector);
		if (result)
			*b = old;
	}
	if (block)
		block_put(block);
	if (source)
		block_put(source);
	return result;
}

// Are two last components of paths the same, letter by letter?
static bool same_text(const char *a, const char *b)
{
	for (; !name_ends(*a) && *a == *b; a++)
		b++;
	return name_ends(*a) && name_ends(*b);
}

// Carries a rename out: `there` tells whether b's name is taken by something else. Once b's entry is on the card it is what counts, whatever
// fails then: the change that takes a's away stays in the pool and may reach the card later.
static int8_t move(const struct entry *a, struct entry *b, bool there)
{
	int8_t result;

	if (!there) {
		b->attr = a->attr;
		b->node = a->node;
		result = dir_create(b);
		if (result)
			return result;
	}
	result = copy_entry(&a->node, &b->node);
	if (result) {
		if (!there)
			dir_erase(b);
		return result;
	}
	if (a->attr & ATTR_DIR)
		result = write_dots(a->node.first, b->parent, 0);
	if (dir_erase(a) || (there && free_entry(b)))
		result = -OX_EIO;
	node_move(&a->node, &b->node);
	return fs_commit_if(result);
}

int8_t fs_rename(const char *from, const char *to, uint32_t cwd)
{
	struct entry a, b;
	int8_t result = resolve_victim(from, cwd, &a);
	bool there;

	if (result)
		return result;
	result = resolve_victim(to, cwd, &b);
	there = !result;
	if (result && (result != -OX_ENOENT || !b.name))
		return result;
	if (!there && (result = dir_check(b.parent, MAY_WRITE)))
		return result;
	if (there && a.node.sector == b.node.sector && a.node.entry == b.node.entry) {
		if (same_text(a.name, b.name))
			return 0;
		there = false; // only the case of letters changes
	}
	result = 0;
	if (a.attr & ATTR_DIR)
		result = a.parent == b.parent ? 0 : dir_check(a.node.first, MAY_WRITE); // its `..` changes
	if (!result && a.attr & ATTR_DIR)
		result = check_loop(a.node.first, b.parent);
	if (!(a.attr & ATTR_DIR) && strchr(b.name, '/'))
		result = -OX_ENOTDIR;
	if (!result && there)
		result = check_replace(&a, &b);
	return result ? result : move(&a, &b, there);
}
