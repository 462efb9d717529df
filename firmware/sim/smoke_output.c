// SPDX-License-Identifier: ISC
// Results as TAP version 13 and as JUnit XML, made from the lines that smoke_run() wrote.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "smoke.h"

struct result {
	bool ok;
	double seconds;
	const char *name;
	size_t name_len;
};

// Parses "ok 0.5 name" or "not ok 0.5 name"; false for other lines.
static bool parse(const char *line, size_t len, struct result *r)
{
	char *end;
	const char *p = line;
	r->ok = strncmp(p, "not ", 4) != 0;
	p += r->ok ? 0 : 4;
	if (strncmp(p, "ok ", 3))
		return false;
	r->seconds = strtod(p + 3, &end);
	r->name = end + 1;
	r->name_len = len - (size_t)(r->name - line);
	return true;
}

static const char *next_line(const char *p, size_t *len)
{
	*len = strcspn(p, "\n");
	return p[*len] ? p + *len + 1 : p + *len;
}

void tap_print(const struct results *res, unsigned *number)
{
	const char *p = res->text, *next;
	struct result r;
	size_t len;
	for (; *p; p = next) {
		next = next_line(p, &len);
		if (parse(p, len, &r))
			printf("%sok %u - %.*s\n", r.ok ? "" : "not ", ++*number,
			       (int)r.name_len, r.name);
		else
			printf("%.*s\n", (int)len, p);
	}
	fflush(stdout);
}

static void xml_text(FILE *f, const char *p, size_t len)
{
	for (; len; p++, len--)
		switch (*p) {
		case '<': fputs("&lt;", f); break;
		case '>': fputs("&gt;", f); break;
		case '&': fputs("&amp;", f); break;
		case '"': fputs("&quot;", f); break;
		default: fputc((unsigned char)*p < ' ' && *p != '\n' ? '?' : *p, f);
		}
}

// The "# " lines after a failed result, as the body of <failure>.
static const char *xml_failure(FILE *f, const char *p)
{
	size_t len;
	fprintf(f, "      <failure message=\"");
	next_line(p, &len);
	if (*p == '#')
		xml_text(f, p + 2, len > 2 ? len - 2 : 0);
	fprintf(f, "\">");
	while (*p == '#') {
		const char *next = next_line(p, &len);
		xml_text(f, len > 2 ? p + 2 : p, len > 2 ? len - 2 : 0);
		fputc('\n', f);
		p = next;
	}
	fprintf(f, "</failure>\n");
	return p;
}

static void count(const struct results *res, unsigned *all, unsigned *bad)
{
	const char *p = res->text;
	struct result r;
	size_t len;
	*all = *bad = 0;
	while (*p) {
		const char *next = next_line(p, &len);
		if (parse(p, len, &r)) {
			++*all;
			*bad += !r.ok;
		}
		p = next;
	}
}

static void xml_case(FILE *f, const struct results *res, const struct result *r)
{
	fprintf(f, "    <testcase classname=\"");
	xml_text(f, res->name, strlen(res->name));
	fprintf(f, "\" name=\"");
	xml_text(f, r->name, r->name_len);
	fprintf(f, "\" time=\"%.3f\"", r->seconds);
}

static void xml_suite(FILE *f, const struct results *res)
{
	const char *p = res->text;
	struct result r;
	unsigned all, bad;
	size_t len;
	count(res, &all, &bad);
	fprintf(f, "  <testsuite name=\"");
	xml_text(f, res->name, strlen(res->name));
	fprintf(f, "\" tests=\"%u\" failures=\"%u\">\n", all, bad);
	while (*p) {
		bool is_case = parse(p, strcspn(p, "\n"), &r);
		p = next_line(p, &len);
		if (!is_case)
			continue;
		xml_case(f, res, &r);
		fprintf(f, r.ok ? "/>\n" : ">\n");
		if (!r.ok) {
			p = xml_failure(f, p);
			fprintf(f, "    </testcase>\n");
		}
	}
	fprintf(f, "  </testsuite>\n");
}

int junit_write(const char *path, const struct results *r, size_t n)
{
	FILE *f = fopen(path, "we");
	if (!f) {
		fprintf(stderr, "oxsmoke: %s: cannot be created: %s\n", path, strerror(errno));
		return -1;
	}
	fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	for (size_t i = 0; i < n; i++)
		xml_suite(f, &r[i]);
	fprintf(f, "</testsuites>\n");
	bool bad = ferror(f);
	if (fclose(f) || bad) {
		fprintf(stderr, "oxsmoke: %s: cannot be written: %s\n", path, strerror(errno));
		return -1;
	}
	return 0;
}
