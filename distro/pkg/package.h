// SPDX-License-Identifier: ISC
//
// Packages: the manifest, and the archive that carries it. distro/pkg/FORMAT.md specifies both. Whatever is read here was
// written by others: every line is checked, and the first fault ends the program with a message that names the package.
#ifndef OCTIX_PKG_PACKAGE_H
#define OCTIX_PKG_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PKG_DATABASE "/var/pkg"
#define PKG_FILE_MAX (64u << 20) // of one file in a package

enum pkg_kind { KIND_DIR, KIND_PROGRAM, KIND_FILE };

struct pkg_file {
	char sha256[65];    // "-" for a directory
	uint32_t size, mode;
	enum pkg_kind kind;
	char *path;         // absolute
	uint8_t *data;      // when the archive was read
};

struct package {
	const char *origin; // for messages
	char *text;         // the manifest, verbatim
	char *name, *version, *depends, *conflicts, *license;
	unsigned abi;
	struct pkg_file *files;
	size_t count;
};

// manifest_parse: takes `text` over.
void manifest_parse(struct package *p, char *text, const char *origin);
char *manifest_format(const struct package *p);
const char *kind_name(enum pkg_kind kind);

// package_read: the whole archive, hashes, sizes and programs checked against the manifest.
void package_read(struct package *p, const char *path);
// package_write: the archive; p->text and the files' data must be there.
void package_write(const struct package *p, const char *path);
void package_free(struct package *p);

// check_program: ends the program when `data` is not an OXE file that this system can run.
void check_program(const uint8_t *data, size_t bytes, const char *origin, const char *path);

// has_word: is `word` one of the words of a list?
bool has_word(const char *list, const char *word);

int cmd_pack(int argc, char **argv);
int cmd_add(const char *image, int argc, char **argv);
int cmd_remove(const char *image, int argc, char **argv);
int cmd_list(const char *image, int argc, char **argv);

#endif
