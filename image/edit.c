// SPDX-License-Identifier: ISC
//
// The locked copy that is renamed over the image. See edit.h.
#include "edit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util.h"

#define LOCK_TRIES 200 // of 50 ms

static char *leftover; // removed at exit

static void remove_leftover(void)
{
	if (leftover)
		unlink(leftover);
}

static void on_signal(int number)
{
	if (leftover)
		unlink(leftover);
	signal(number, SIG_DFL);
	raise(number);
}

static void lock_fd(int fd, const char *path)
{
	const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
	for (int i = 0; flock(fd, LOCK_EX | LOCK_NB); i++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			die("%s: cannot lock: %s", path, strerror(errno));
		if (i == LOCK_TRIES)
			die("%s: in use by another program", path);
		nanosleep(&pause, NULL);
	}
}

// open_locked: the image, locked, and still the file that has its name.
static int open_locked(const char *path)
{
	for (;;) {
		struct stat mine, named;
		int fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			die("%s: %s", path, strerror(errno));
		if (fstat(fd, &mine) || !S_ISREG(mine.st_mode))
			die("%s: not a regular file", path);
		lock_fd(fd, path);
		if (stat(path, &named) == 0 && named.st_ino == mine.st_ino && named.st_dev == mine.st_dev)
			return fd;
		close(fd);
	}
}

static char *temporary_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return xprintf("%.*s.%s.octix-tmp", (int)(slash + 1 - path), path, slash + 1);
}

void edit_begin(struct edit *e, const char *image)
{
	struct stat st;
	e->path = realpath(image, NULL);
	if (!e->path)
		die("%s: %s", image, strerror(errno));
	e->lock = open_locked(e->path);
	fstat(e->lock, &st);
	e->tmp = temporary_name(e->path);
	int fd = open(e->tmp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		die("%s: %s", e->tmp, strerror(errno));
	leftover = e->tmp;
	atexit(remove_leftover);
	signal(SIGINT, on_signal), signal(SIGTERM, on_signal), signal(SIGHUP, on_signal);
	flock(fd, LOCK_EX | LOCK_NB); // the next editor waits until the files beside the image are done, too
	fchmod(fd, st.st_mode & 07777);
	copy_sparse(e->lock, 0, fd, st.st_size, image);
	fat_open(&e->fat, fd, image);
}

static void sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = xprintf("%.*s", (int)(slash + 1 - path), path);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		die("%s: %s", folder, strerror(errno));
	close(fd);
	free(folder);
}

// kept_lines: the lines of an old manifest that say by what the image was made.
static char *kept_lines(const char *manifest)
{
	char *text = read_file(manifest, NULL), *kept = xstrdup("");
	for (char *line = text; line && *line;) {
		char *end = strchrnul(line, '\n');
		if (strncmp(line, "  \"tools\": ", 11) == 0 || strncmp(line, "  \"kernel\": ", 12) == 0) {
			char *more = xprintf("%s%.*s\n", kept, (int)(end - line), line);
			free(kept);
			kept = more;
		}
		line = *end ? end + 1 : end;
	}
	free(text);
	return kept;
}

// drop_seals: removes the files beside the image; true when there were any, *kept then the lines to keep.
static bool drop_seals(const char *path, char **kept)
{
	char *sum = xprintf("%s.sha256", path), *manifest = xprintf("%s.manifest.json", path);
	*kept = kept_lines(manifest);
	bool had = unlink(sum) == 0;
	had = unlink(manifest) == 0 || had;
	free(sum), free(manifest);
	return had;
}

void edit_commit(struct edit *e)
{
	char *kept;
	fat_sync(&e->fat);
	if (fat_check(&e->fat) || !fsck_fat(&e->fat))
		die("%s: the changed image does not pass the checks; it was left as it was", e->path);
	if (fsync(e->fat.fd))
		die("%s: %s", e->tmp, strerror(errno));
	bool sealed = drop_seals(e->path, &kept);
	if (rename(e->tmp, e->path))
		die("%s: %s", e->path, strerror(errno));
	leftover = NULL;
	sync_folder(e->path);
	if (sealed)
		seal_image(e->path, &e->fat, kept);
	free(kept);
	close(e->lock);
	fat_close(&e->fat);
	close(e->fat.fd);
	free(e->path), free(e->tmp);
}

void edit_cancel(struct edit *e)
{
	remove_leftover();
	leftover = NULL;
	close(e->lock);
	fat_close(&e->fat);
	close(e->fat.fd);
	free(e->path), free(e->tmp);
}

// ---- fsck.fat

static int unnamed_file(const char *image)
{
	const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	char *name = xprintf("%s/octix-fsck-XXXXXX", folder);
	int fd = mkstemp(name);
	if (fd < 0)
		die("%s: no room for a check in %s: %s", image, folder, strerror(errno));
	unlink(name);
	free(name);
	return fd;
}

bool fsck_fat(const struct fat *f)
{
	int fd = unnamed_file(f->name);
	copy_sparse(f->fd, (off_t)f->start * SECTOR, fd, (off_t)f->sectors * SECTOR, f->name);
	char *path = xprintf("/proc/self/fd/%d", fd);
	char *argv[] = {"fsck.fat", "-n", path, NULL};
	bool clean = run_quiet(argv) == 0;
	free(path);
	close(fd);
	return clean;
}

// ---- the files beside the image

struct seal {
	FILE *out;
	const char *separator;
};

static void put_json_string(FILE *out, const char *s)
{
	fputc('"', out);
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else
			fputc(*s, out);
	fputc('"', out);
}

static void seal_file(const struct fat *f, const char *path, const struct fat_entry *e, void *context)
{
	struct seal *s = context;
	char hex[SHA256_HEX];
	fputs(s->separator, s->out);
	s->separator = ",\n";
	fputs("    {\"path\": ", s->out);
	put_json_string(s->out, path);
	if (e->attr & ATTR_DIR) {
		fputs(", \"kind\": \"directory\"}", s->out);
	} else if (e->attr & ATTR_SYSTEM) { // swap: its contents mean nothing
		fprintf(s->out, ", \"kind\": \"swap\", \"size\": %u}", e->size);
	} else {
		uint8_t *data = fat_read_file(f, e);
		sha256_hex(data, e->size, hex);
		free(data);
		fprintf(s->out, ", \"kind\": \"file\", \"size\": %u, \"sha256\": \"%s\"}", e->size, hex);
	}
}

static char *manifest_text(const struct fat *f, const char *base, off_t size, const char *hex, const char *extra)
{
	char *text;
	size_t bytes;
	struct seal s = {.out = open_memstream(&text, &bytes), .separator = ""};
	if (!s.out)
		die("out of memory");
	fputs("{\n  \"image\": ", s.out);
	put_json_string(s.out, base);
	fprintf(s.out, ",\n  \"bytes\": %lld,\n  \"sha256\": \"%s\",\n%s", (long long)size, hex, extra ? extra : "");
	fprintf(s.out, "  \"fat\": %d,\n  \"cluster_bytes\": %u,\n  \"start_sector\": %u,\n  \"volume_id\": \"%08x\",\n  \"files\": [\n", f->bits,
	        fat_cluster_bytes(f), f->start, f->id);
	fat_walk(f, "/", seal_file, &s);
	fputs("\n  ]\n}\n", s.out);
	if (fclose(s.out))
		die("out of memory");
	return text;
}

void seal_image(const char *image, const struct fat *f, const char *extra)
{
	const char *slash = strrchr(image, '/'), *base = slash ? slash + 1 : image;
	char hex[SHA256_HEX];
	struct stat st;
	if (fstat(f->fd, &st))
		die("%s: %s", image, strerror(errno));
	sha256_fd(f->fd, 0, st.st_size, hex, image);
	char *sum = xprintf("%s  %s\n", hex, base), *sum_path = xprintf("%s.sha256", image);
	char *manifest = manifest_text(f, base, st.st_size, hex, extra), *manifest_path = xprintf("%s.manifest.json", image);
	write_file(manifest_path, manifest, strlen(manifest));
	write_file(sum_path, sum, strlen(sum));
	free(sum), free(sum_path), free(manifest), free(manifest_path);
}
