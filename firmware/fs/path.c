// SPDX-License-Identifier: ISC
//
// Calls that take paths, and reading directories.

#include <string.h>

#include "fs/fat.h"
#include "vm/pool.h"

struct target { // what a path names
	struct entry e;
	uint32_t parent;  // directory of the last component
	const char *name; // the last component; NULL: the path is a root
};

static void root_entry(struct entry *e)
{
	memset(e, 0, sizeof *e);
	e->attr = ATTR_DIR;
}

// 0 is right for `..` of a directory in the root; some write the cluster of the root.
static bool is_root(uint32_t cluster)
{
	return !cluster || (!vol.root_sectors && cluster == vol.root);
}

// A removed directory is still the cwd of somebody: its cluster is free, or something else by now.
static int8_t check_dir(uint32_t cluster)
{
	struct dir d;
	uint8_t *e;
	int8_t result = -OX_ENOENT;

	if (!cluster)
		return 0;
	if (!fat_valid(cluster))
		return -OX_EIO;
	dir_start(&d, cluster);
	e = dir_entry(&d);
	if (e && e[0] == '.' && e[1] == ' ' && e[D_ATTR] & ATTR_DIR && entry_first(e) == cluster)
		result = 0;
	dir_end(&d);
	return result;
}

static bool is_dot(const char *name)
{
	return name[0] == '.' && (!name[1] || name[1] == '/');
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

// Looks up one component in the directory t->e.
static int8_t enter(struct target *t, const char *name)
{
	t->parent = t->e.first;
	t->name = name;
	if (!(t->e.attr & ATTR_DIR))
		return -OX_ENOTDIR;
	if (is_dot(name) || (!t->parent && is_dots(name)))
		return 0;
	return dir_find(t->parent, name, &t->e);
}

// Resolves a path. -OX_ENOENT with t->name set: only the last component is missing, its directory is t->parent. A path
// that ends with a slash names a directory only.
static int8_t resolve(const char *path, uint32_t cwd, struct target *t)
{
	const char *p = skip_slashes(path), *next;
	int8_t result = 0;

	root_entry(&t->e);
	t->parent = 0;
	t->name = 0;
	if (!*path)
		return -OX_ENOENT;
	if (*path != '/') {
		t->e.first = cwd;
		t->e.attr = ATTR_DIR;
		result = check_dir(cwd);
	}
	while (!result && *p) {
		for (next = p; *next && *next != '/'; next++)
			;
		next = skip_slashes(next);
		result = enter(t, p);
		if (!result && t->e.attr & ATTR_DIR && is_root(t->e.first))
			root_entry(&t->e); // `..` of a directory in the root
		if (!result && next[-1] == '/' && !(t->e.attr & ATTR_DIR))
			result = -OX_ENOTDIR;
		if (result == -OX_ENOENT && !*next)
			return result;
		p = next;
	}
	if (result)
		t->name = 0;
	return result;
}

// ---- Reading

static uint16_t mode_of(uint8_t attr)
{
	uint16_t mode = attr & ATTR_READ_ONLY ? 0555 : 0755;

	return mode | (attr & ATTR_DIR ? OX_S_IFDIR : OX_S_IFREG);
}

// First cluster; for an empty file the place of its entry, for the root 1.
static uint32_t inode(uint32_t first, uint32_t sector, uint8_t index)
{
	if (first)
		return first;
	return sector ? 0x80000000 | sector << 4 | index : 1;
}

static int8_t fill_stat(struct oct_stat *st, uint32_t first, uint32_t size, uint32_t sector, uint8_t index)
{
	uint32_t blocks = (size >> 9) + !!(size & 511);
	uint8_t *block, *e;

	st->ino = inode(first, sector, index);
	st->size = size;
	st->mtime = 0;
	st->mode = mode_of(ATTR_DIR);
	st->blocks = blocks > 0xffff ? 0xffff : (uint16_t)blocks;
	if (!sector)
		return 0;
	block = block_get(sector);
	if (!block)
		return -OX_EIO;
	e = block + 32 * index;
	st->mtime = date_to_unix(get16(e + D_DATE), get16(e + D_TIME));
	st->mode = mode_of(e[D_ATTR]);
	block_put(block);
	return 0;
}

int8_t fs_stat(const char *path, uint32_t cwd, struct oct_stat *st)
{
	struct target t;
	int8_t result = resolve(path, cwd, &t);

	if (result)
		return result;
	if (t.e.first && !t.e.sector) { // `.`: described by its own entry
		t.e.sector = fat_sector(t.e.first);
		t.e.index = 0;
	}
	return fill_stat(st, t.e.first, t.e.size, t.e.sector, t.e.index);
}

int8_t fs_fstat(const struct file *f, struct oct_stat *st)
{
	int8_t result = fill_stat(st, f->first, f->size, f->sector, f->entry);

	if (!(f->flags & FILE_DIR))
		st->mode = (st->mode & 07777) | OX_S_IFREG;
	return result;
}

int8_t fs_open(const char *path, uint32_t cwd, uint32_t flags, struct file **out)
{
	bool write = flags & OX_O_ACCMODE;
	struct target t;
	int8_t result = resolve(path, cwd, &t);

	if (!file_room())
		return -OX_ENFILE;
	if (result == -OX_ENOENT && t.name && flags & OX_O_CREAT) {
		if (strchr(t.name, '/'))
			return -OX_EISDIR;
		t.e.attr = ATTR_ARCHIVE;
		t.e.first = t.e.size = 0;
		result = dir_create(t.parent, t.name, &t.e);
		return result ? result : file_open(&t.e, flags, out);
	}
	if (result)
		return result;
	if (flags & OX_O_CREAT && flags & OX_O_EXCL)
		return -OX_EEXIST;
	if (t.e.attr & ATTR_DIR ? write || flags & OX_O_CREAT : flags & OX_O_DIRECTORY)
		return t.e.attr & ATTR_DIR ? -OX_EISDIR : -OX_ENOTDIR;
	if (write && t.e.attr & ATTR_READ_ONLY)
		return -OX_EACCES;
	if (write && t.e.first && text_busy(t.e.first))
		return -OX_ETXTBSY;
	result = file_open(&t.e, flags, out);
	if (!result && write && flags & OX_O_TRUNC && ((*out)->size || (*out)->first)) {
		result = fs_truncate(*out, 0);
		if (result)
			fs_close(*out);
	}
	return result;
}

// Lets d stand at entry `number` of the open directory f, whose cached place it uses. 0; 1: it is longer; -OX_EIO.
static int8_t dir_at(struct dir *d, struct file *f, uint16_t number)
{
	uint16_t sector = number >> 4, want = sector >> vol.shift, at = 0;
	int8_t result;

	dir_start(d, f->first);
	d->at.index = number & 15;
	if (!d->at.cluster) {
		d->at.sector += sector;
		return sector >= vol.root_sectors;
	}
	if (f->cluster && f->index <= want) {
		d->at.cluster = f->cluster;
		at = (uint16_t)f->index;
	}
	for (; at < want; at++) {
		result = fat_get(d->at.cluster, &d->at.cluster);
		if (result || d->at.cluster == END_OF_CHAIN)
			return result ? result : 1;
	}
	if (!fat_valid(d->at.cluster))
		return -OX_EIO;
	f->cluster = d->at.cluster;
	f->index = want;
	d->at.sector = fat_sector(d->at.cluster) + (sector & ((1U << vol.shift) - 1));
	return 0;
}

// The fixed part; the name is in place.
static int16_t fill_dirent(struct oct_dirent *out, uint8_t length, uint8_t attr)
{
	out->name[length] = 0;
	out->namelen = length;
	out->reclen = (uint8_t)((sizeof *out + length + 4) & ~3U);
	out->mode = mode_of(attr);
	return out->reclen;
}

// `.` and `..` of the root, which has no such entries.
static int16_t root_dots(struct file *f, struct oct_dirent *out)
{
	f->pos++;
	memset(out, 0, sizeof *out);
	memset(out->name, '.', 2);
	out->ino = 1;
	return fill_dirent(out, (uint8_t)f->pos, ATTR_DIR);
}

// Describes the entry e where d stands, whose long name is in `name`.
static int16_t describe(const struct dir *d, const uint8_t *e, const struct back *name, struct oct_dirent *out)
{
	uint32_t first = entry_first(e);
	uint8_t length = (uint8_t)(name->end - name->p);

	if (dir_named(d, e))
		memmove(out->name, name->p, length);
	else
		length = short_text(e, out->name);
	out->ino = e[D_ATTR] & ATTR_DIR && is_root(first) ? 1 : inode(first, d->at.sector, d->at.index);
	out->size = e[D_ATTR] & ATTR_DIR ? 0 : get32(e + D_SIZE);
	out->mtime = date_to_unix(get16(e + D_DATE), get16(e + D_TIME));
	return fill_dirent(out, length, e[D_ATTR]);
}

// pos: 32 x entry number; in the root 0 and 1 are the dots, and 2 is added to the others.
int16_t fs_readdir(struct file *f, struct oct_dirent *out, uint8_t room)
{
	uint8_t space = room > sizeof *out + OX_NAME_MAX ? OX_NAME_MAX : (uint8_t)(room - sizeof *out - 1);
	struct back name = { .limit = out->name, .end = out->name + space };
	struct dir d;
	int16_t result;

	if (!(f->flags & FILE_DIR))
		return -OX_ENOTDIR;
	if (room < 32)
		return -OX_EINVAL;
	if (!f->first && f->pos < 2)
		return root_dots(f, out);
	if (f->pos >> 21)
		return 0;
	result = dir_at(&d, f, (uint16_t)(f->pos >> 5));
	if (result)
		return result < 0 ? result : 0;
	d.text = &name;
	result = dir_scan(&d);
	if (result == 1) {
		f->pos += 32 * (uint32_t)(uint16_t)(0x10000 - d.left);
		result = describe(&d, dir_entry(&d), &name, out);
	}
	dir_end(&d);
	return result;
}

int8_t fs_chdir(const char *path, uint32_t cwd, uint32_t *dir)
{
	struct target t;
	int8_t result = resolve(path, cwd, &t);

	if (result)
		return result;
	if (!(t.e.attr & ATTR_DIR))
		return -OX_ENOTDIR;
	*dir = t.e.first;
	return check_dir(t.e.first);
}

// ---- The way up

static int8_t parent_of(uint32_t cluster, uint32_t *parent)
{
	struct entry e;
	int8_t result = dir_find(cluster, "..", &e);

	*parent = result || is_root(e.first) ? 0 : e.first;
	return result;
}

static bool put_text(struct back *b, const char *text, uint8_t n)
{
	while (n && b->p > b->limit)
		*--b->p = text[--n];
	return !n;
}

// Puts the name that directory `cluster` has in its parent before what is in b.
static int8_t put_name(struct back *b, uint32_t parent, uint32_t cluster)
{
	char text[13];
	struct dir d;
	uint8_t *e;
	int8_t result;

	dir_start(&d, parent);
	d.text = b;
	b->end = b->p;
	while ((result = dir_scan(&d)) == 1) {
		e = dir_entry(&d);
		if (e[0] == '.' || !(e[D_ATTR] & ATTR_DIR) || entry_first(e) != cluster)
			continue;
		if (!dir_named(&d, e)) {
			b->p = b->end;
			result = put_text(b, text, short_text(e, text)) ? 1 : -OX_ERANGE;
		}
		break;
	}
	dir_end(&d);
	return result == 1 ? 0 : result ? result : -OX_ENOENT;
}

int8_t fs_getcwd(uint32_t cwd, char *buf, uint8_t n)
{
	struct back b = { .p = buf + n, .limit = buf };
	uint32_t parent;
	int8_t result = check_dir(cwd);

	if (!put_text(&b, "", 1))
		return -OX_ERANGE;
	while (!result && cwd) { // each round takes two bytes of buf
		result = parent_of(cwd, &parent);
		if (!result)
			result = put_name(&b, parent, cwd);
		if (!result && !put_text(&b, "/", 1))
			result = -OX_ERANGE;
		cwd = parent;
	}
	if (!result && !*b.p && !put_text(&b, "/", 1))
		result = -OX_ERANGE;
	if (!result)
		memmove(buf, b.p, (uint8_t)(buf + n - b.p));
	return result;
}

// ---- Changing directories

// Writes `.` and `..` into a new directory.
static int8_t write_dots(uint32_t cluster, uint32_t parent)
{
	uint8_t *block = block_get(fat_sector(cluster));

	if (!block)
		return -OX_EIO;
	memset(block, ' ', 11);
	memset(block + 32, ' ', 11);
	block[0] = block[32] = block[33] = '.';
	block[D_ATTR] = block[32 + D_ATTR] = ATTR_DIR;
	entry_fill(block, cluster, 0);
	entry_fill(block + 32, parent, 0);
	block_dirty(block);
	block_put(block);
	return 0;
}

int8_t fs_mkdir(const char *path, uint32_t cwd)
{
	struct target t;
	uint32_t cluster;
	int8_t result = resolve(path, cwd, &t);

	if (result != -OX_ENOENT || !t.name)
		return result ? result : -OX_EEXIST;
	if (!name_units(t.name))
		return -OX_EINVAL;
	result = fat_alloc(0, &cluster);
	if (result)
		return result;
	if (fat_zero(cluster) || write_dots(cluster, t.parent) || fs_commit())
		return -OX_EIO;
	t.e.attr = ATTR_DIR;
	t.e.first = cluster;
	t.e.size = 0;
	result = dir_create(t.parent, t.name, &t.e);
	if (result) {
		fat_free(cluster);
		fs_commit();
	}
	return result;
}

// May directory e go? It has to be empty, and not open.
static int8_t check_empty(const struct entry *e)
{
	struct dir d;
	int8_t result;

	if (file_dir_open(e->first))
		return -OX_EBUSY;
	dir_start(&d, e->first);
	while ((result = dir_scan(&d)) == 1 && dir_entry(&d)[0] == '.')
		;
	dir_end(&d);
	return result == 1 ? -OX_ENOTEMPTY : result;
}

// Frees a directory. Its `.` goes, so that check_dir knows it for removed.
static int8_t free_dir(uint32_t cluster)
{
	uint8_t *block;
	int8_t result;

	if (!fat_valid(cluster))
		return 0;
	block = block_get(fat_sector(cluster));
	if (!block)
		return -OX_EIO;
	block[0] = 0;
	result = block_write(block, fat_sector(cluster));
	block_put(block);
	return result ? result : fat_free(cluster);
}

// Resolves the path of something that is to be removed or renamed: not the root, `.` or `..`.
static int8_t resolve_victim(const char *path, uint32_t cwd, struct target *t)
{
	int8_t result = resolve(path, cwd, t);

	if (result)
		return result;
	if (!t->name)
		return -OX_EBUSY;
	return is_dots(t->name) ? -OX_EINVAL : 0;
}

int8_t fs_rmdir(const char *path, uint32_t cwd)
{
	struct target t;
	int8_t result = resolve_victim(path, cwd, &t);

	if (result)
		return result;
	if (!(t.e.attr & ATTR_DIR))
		return -OX_ENOTDIR;
	result = check_empty(&t.e);
	if (!result)
		result = dir_erase(&t.e);
	if (!result)
		result = free_dir(t.e.first);
	return result ? result : fs_commit();
}

// Frees what an entry that is gone held, now or when it is closed.
static int8_t free_entry(const struct entry *e)
{
	int8_t result = 0;

	if (e->attr & ATTR_DIR)
		result = free_dir(e->first);
	else if (!file_orphan(e))
		result = fat_free(e->first);
	return result ? result : fs_commit();
}

int8_t fs_unlink(const char *path, uint32_t cwd)
{
	struct target t;
	int8_t result = resolve_victim(path, cwd, &t);

	if (result)
		return result;
	if (t.e.attr & ATTR_DIR)
		return -OX_EISDIR;
	if (t.e.first && text_busy(t.e.first))
		return -OX_ETXTBSY;
	result = dir_erase(&t.e);
	return result ? result : free_entry(&t.e);
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
static int8_t check_replace(const struct entry *from, const struct entry *to)
{
	if (!(to->attr & ATTR_DIR)) {
		if (from->attr & ATTR_DIR)
			return -OX_ENOTDIR;
		return to->first && text_busy(to->first) ? -OX_ETXTBSY : 0;
	}
	return from->attr & ATTR_DIR ? check_empty(to) : -OX_EISDIR;
}

// Everything but the name goes from one 8.3 entry to another.
static int8_t copy_entry(const struct entry *from, const struct entry *to)
{
	uint8_t *a = block_get(from->sector);
	uint8_t *b = a ? block_get(to->sector) : 0;
	int8_t result = -OX_EIO;

	if (b) {
		b[32 * to->index + D_ATTR] = a[32 * from->index + D_ATTR];
		memcpy(b + 32 * to->index + D_CREATED, a + 32 * from->index + D_CREATED, 32 - D_CREATED);
		result = block_write(b, to->sector);
		block_put(b);
	}
	if (a)
		block_put(a);
	return result;
}

// Sets `..` of a directory that has moved.
static int8_t set_parent(uint32_t cluster, uint32_t parent)
{
	uint8_t *block = block_get(fat_sector(cluster));

	if (!block)
		return -OX_EIO;
	if (block[32] == '.' && block[33] == '.') {
		entry_fill(block + 32, parent, 0);
		block_dirty(block);
	}
	block_put(block);
	return 0;
}

// Are two last components of paths the same, letter by letter?
static bool same_text(const char *a, const char *b)
{
	for (; *a && *a != '/' && *a == *b; a++)
		b++;
	return (!*a || *a == '/') && (!*b || *b == '/');
}

// Carries a rename out: `there` tells whether b's name is taken by something else.
static int8_t move(struct target *a, struct target *b, bool there)
{
	struct entry old = b->e;
	int8_t result = 0;

	if (!there) {
		b->e.attr = a->e.attr;
		b->e.first = a->e.first;
		b->e.size = a->e.size;
		result = dir_create(b->parent, b->name, &b->e);
	}
	if (!result)
		result = copy_entry(&a->e, &b->e);
	if (!result)
		result = dir_erase(&a->e);
	if (!result && there)
		result = free_entry(&old);
	file_moved(a->e.sector, a->e.index, b->e.sector, b->e.index);
	if (!result && a->e.attr & ATTR_DIR && a->parent != b->parent)
		result = set_parent(a->e.first, b->parent);
	return result ? result : fs_commit();
}

int8_t fs_rename(const char *from, const char *to, uint32_t cwd)
{
	struct target a, b;
	int8_t result = resolve_victim(from, cwd, &a);
	bool there, dir;

	if (result)
		return result;
	dir = a.e.attr & ATTR_DIR;
	result = resolve_victim(to, cwd, &b);
	there = !result;
	if (result && (result != -OX_ENOENT || !b.name))
		return result;
	if (there && a.e.sector == b.e.sector && a.e.index == b.e.index) {
		if (same_text(a.name, b.name))
			return 0;
		there = false; // only the case of letters changes
	}
	if (!dir && strchr(b.name, '/'))
		return -OX_ENOTDIR;
	result = there ? check_replace(&a.e, &b.e) : 0;
	if (!result && dir)
		result = check_loop(a.e.first, b.parent);
	return result ? result : move(&a, &b, there);
}
