// SPDX-License-Identifier: ISC
//
// The archive of a package: an uncompressed ustar file, MANIFEST first, then the files in the manifest's order. See FORMAT.md.
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/util.h"
#include "package.h"
#include <octix/oxe.h>

#define MANIFEST "MANIFEST"
#define MANIFEST_MAX (1u << 20)

static uint16_t crc16(const uint8_t *p, size_t n)
{
	uint16_t crc = 0;
	while (n--) {
		crc ^= (uint16_t)(*p++ << 8);
		for (int i = 0; i < 8; i++)
			crc = (uint16_t)(crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0));
	}
	return crc;
}

void check_program(const uint8_t *data, size_t bytes, const char *origin, const char *path)
{
	struct oxe_header h;
	if (bytes < sizeof h || memcmp(data, OXE_MAGIC, 4))
		die("%s: %s: not an Octix program", origin, path);
	memcpy(&h, data, sizeof h);
	if (crc16(data, sizeof h))
		die("%s: %s: broken header", origin, path);
	if (h.format != OXE_FORMAT || h.bytecode != OXE_BYTECODE || h.abi != OXE_ABI)
		die("%s: %s: made for another Octix (format %u, bytecode %u, ABI %u; wanted %u, %u, %u)", origin, path, h.format, h.bytecode,
		    h.abi, OXE_FORMAT, OXE_BYTECODE, OXE_ABI);
}

// ---- reading

static _Noreturn void bad_archive(struct archive *a, const char *origin)
{
	const char *why = archive_error_string(a);
	die("%s: not a package, or damaged: %s", origin, why ? why : "unexpected contents");
}

// next_entry: the next header; NULL at the end.
static struct archive_entry *next_entry(struct archive *a, const char *origin)
{
	struct archive_entry *e;
	int result = archive_read_next_header(a, &e);
	if (result == ARCHIVE_EOF)
		return NULL;
	if (result != ARCHIVE_OK)
		bad_archive(a, origin);
	return e;
}

static uint8_t *entry_data(struct archive *a, struct archive_entry *e, size_t limit, const char *origin)
{
	int64_t size = archive_entry_size(e);
	if (size < 0 || (uint64_t)size > limit)
		die("%s: %s: too large", origin, archive_entry_pathname(e));
	uint8_t *data = xmalloc((size_t)size + 1);
	for (size_t done = 0; done < (size_t)size;) {
		la_ssize_t n = archive_read_data(a, data + done, (size_t)size - done);
		if (n <= 0)
			bad_archive(a, origin);
		done += (size_t)n;
	}
	return data;
}

static void read_manifest(struct package *p, struct archive *a, const char *origin)
{
	struct archive_entry *e = next_entry(a, origin);
	if (!e || strcmp(archive_entry_pathname(e), MANIFEST) || archive_entry_filetype(e) != AE_IFREG)
		die("%s: not a package (it does not begin with a manifest)", origin);
	char *text = (char *)entry_data(a, e, MANIFEST_MAX, origin);
	if (strlen(text) != (size_t)archive_entry_size(e))
		die("%s: broken manifest: it holds a zero byte", origin);
	manifest_parse(p, text, origin);
}

static void read_one(struct package *p, struct pkg_file *f, struct archive *a)
{
	struct archive_entry *e = next_entry(a, p->origin);
	char hex[SHA256_HEX];
	if (!e)
		die("%s: truncated: %s is missing", p->origin, f->path);
	if (strcmp(archive_entry_pathname(e), f->path + 1) || archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e))
		die("%s: holds '%s' where the manifest says %s", p->origin, archive_entry_pathname(e), f->path);
	if (archive_entry_size(e) != (int64_t)f->size)
		die("%s: %s: size differs from the manifest", p->origin, f->path);
	f->data = entry_data(a, e, PKG_FILE_MAX, p->origin);
	sha256_hex(f->data, f->size, hex);
	if (strcmp(hex, f->sha256))
		die("%s: %s: SHA-256 differs from the manifest", p->origin, f->path);
	if (f->kind == KIND_PROGRAM)
		check_program(f->data, f->size, p->origin, f->path);
}

void package_read(struct package *p, const char *path)
{
	struct archive *a = archive_read_new();
	if (!a || archive_read_support_format_tar(a) != ARCHIVE_OK)
		die("out of memory");
	if (archive_read_open_filename(a, path, 65536) != ARCHIVE_OK)
		die("%s: %s", path, archive_error_string(a));
	read_manifest(p, a, path);
	for (size_t i = 0; i < p->count; i++)
		if (p->files[i].kind != KIND_DIR)
			read_one(p, &p->files[i], a);
	if (next_entry(a, path))
		die("%s: holds more than the manifest says", path);
	archive_read_free(a);
}

// ---- writing

static void put_entry(struct archive *a, const char *name, const void *data, size_t bytes, unsigned mode, const char *path)
{
	struct archive_entry *e = archive_entry_new();
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	archive_entry_set_pathname(e, name);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_perm(e, (mode_t)mode);
	archive_entry_set_size(e, (int64_t)bytes);
	archive_entry_set_mtime(e, epoch ? strtoll(epoch, NULL, 10) : 0, 0);
	archive_entry_set_uname(e, "root");
	archive_entry_set_gname(e, "root");
	if (archive_write_header(a, e) != ARCHIVE_OK || archive_write_data(a, data, bytes) != (la_ssize_t)bytes)
		die("%s: %s: %s", path, name, archive_error_string(a));
	archive_entry_free(e);
}

void package_write(const struct package *p, const char *path)
{
	struct archive *a = archive_write_new();
	char *tmp = xprintf("%s.octix-tmp", path);
	archive_write_set_format_ustar(a);
	archive_write_set_bytes_in_last_block(a, 512);
	if (archive_write_open_filename(a, tmp) != ARCHIVE_OK)
		die("%s: %s", tmp, archive_error_string(a));
	put_entry(a, MANIFEST, p->text, strlen(p->text), 0644, path);
	for (size_t i = 0; i < p->count; i++)
		if (p->files[i].kind != KIND_DIR)
			put_entry(a, p->files[i].path + 1, p->files[i].data, p->files[i].size, p->files[i].mode, path);
	if (archive_write_close(a) != ARCHIVE_OK || rename(tmp, path))
		die("%s: cannot write: %s", path, archive_error_string(a));
	archive_write_free(a);
	free(tmp);
}
