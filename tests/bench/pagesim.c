// SPDX-License-Identifier: ISC
//
// pagesim FRAME-SIZE FRAMES REFERENCES: the faults of a reference string (oxrun --pages) with so many frames, under ideal LRU, under
// OPT (the victim is what is used again last, or never) and under CLOCK, as three words. All frames are the program's, and are empty at first.
//
// pagesim --ahead c|d FRAME-SIZE FRAMES REFERENCES: what read-ahead could save. With each fault on a page of code (c) or of data (d) the
// next one is read too, unless it is there or the run never uses it; it enters the order of LRU in the middle. Prints the faults
// without and with it, the pages read ahead, and how many of these were used before they went.
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 256, MAX_FRAMES = 1024 };

struct string {
	uint32_t *page; // numbers of a code page and a data page differ
	size_t *next;   // place of the page's next reference, SIZE_MAX: none
	size_t *first;  // by page: place of its first reference, SIZE_MAX: none
	size_t n, cap;
};

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "pagesim: %s: %s\n", what, why);
	exit(1);
}

static void *memory(void *p)
{
	if (!p)
		fail("memory", "there is not enough");
	return p;
}

static void add(struct string *s, uint32_t page)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 4096;
		s->page = memory(realloc(s->page, s->cap * sizeof *s->page));
	}
	s->page[s->n++] = page;
}

// Pages that one frame holds become one page.
static void read_string(struct string *s, const char *path, unsigned frame_size)
{
	FILE *in = fopen(path, "re");
	char line[64];

	if (!in)
		fail(path, strerror(errno));
	if (!fgets(line, sizeof line, in) || strcmp(line, "octix pages 1\n"))
		fail(path, "not a reference string of oxrun --pages");
	while (fgets(line, sizeof line, in)) {
		char kind, end;
		unsigned page;

		if (sscanf(line, "%c%x%c", &kind, &page, &end) != 3 || end != '\n' || (kind != 'c' && kind != 'd'))
			fail(path, "a line is neither cN nor dN");
		add(s, page / (frame_size / PAGE) * 2 + (kind == 'd'));
	}
	fclose(in);
	if (!s->n)
		fail(path, "it has no references");
}

static void find_next(struct string *s)
{
	uint32_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		most = s->page[i] > most ? s->page[i] : most;
	s->first = memory(malloc((most + 3ul) * sizeof *s->first));
	for (size_t i = 0; i <= most + 2ul; i++) // the page after the last one, too
		s->first[i] = SIZE_MAX;
	s->next = memory(calloc(s->n, sizeof *s->next));
	for (size_t i = s->n; i--;) {
		s->next[i] = s->first[s->page[i]];
		s->first[s->page[i]] = i;
	}
}

// What a frame holds, and what each policy knows about it.
struct frame {
	uint32_t page;
	size_t used, next; // places of its last reference and of the one after that
	bool referenced;
	bool ahead;        // read ahead, not used yet
};

struct pool {
	struct frame frame[MAX_FRAMES];
	unsigned n, frames, hand;
};

typedef unsigned victim_of(struct pool *p);

static unsigned lru(struct pool *p)
{
	unsigned best = 0;

	for (unsigned i = 1; i < p->n; i++)
		if (p->frame[i].used < p->frame[best].used)
			best = i;
	return best;
}

static unsigned opt(struct pool *p)
{
	unsigned best = 0;

	for (unsigned i = 1; i < p->n; i++)
		if (p->frame[i].next > p->frame[best].next)
			best = i;
	return best;
}

static unsigned clock_hand(struct pool *p)
{
	for (;; p->hand = (p->hand + 1) % p->n) {
		if (!p->frame[p->hand].referenced)
			break;
		p->frame[p->hand].referenced = false;
	}
	unsigned victim = p->hand;

	p->hand = (p->hand + 1) % p->n;
	return victim;
}

static struct frame *find(struct pool *p, uint32_t page)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->frame[i].page == page)
			return &p->frame[i];
	return NULL;
}

static size_t faults(const struct string *s, unsigned frames, victim_of *victim)
{
	struct pool p = { .frames = frames };
	size_t count = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct frame *f = find(&p, s->page[i]);

		if (!f) {
			count++;
			f = &p.frame[p.n < p.frames ? p.n++ : victim(&p)];
			f->page = s->page[i];
		}
		f->used = i;
		f->next = s->next[i];
		f->referenced = true;
	}
	return count;
}

// ---- read-ahead

struct ahead {
	size_t faults, read, used;
};

// The place of last use in the middle of those in the pool.
static size_t middle(const struct pool *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		unsigned colder = 0;

		for (unsigned k = 0; k < p->n; k++)
			colder += p->frame[k].used < p->frame[i].used;
		if (colder == p->n / 2)
			return p->frame[i].used;
	}
	return 0;
}

static void read_ahead(struct pool *p, uint32_t page, struct ahead *a)
{
	size_t used = middle(p);
	struct frame *f;

	if (find(p, page))
		return;
	a->read++;
	f = &p->frame[p->n < p->frames ? p->n++ : lru(p)];
	*f = (struct frame){ .page = page, .used = used, .ahead = true };
}

static struct ahead with_ahead(const struct string *s, unsigned frames, unsigned kind)
{
	struct pool p = { .frames = frames };
	struct ahead a = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		struct frame *f = find(&p, s->page[i]);
		bool fault = !f;

		if (fault)
			f = &p.frame[p.n < p.frames ? p.n++ : lru(&p)];
		else
			a.used += f->ahead;
		*f = (struct frame){ .page = s->page[i], .used = i };
		a.faults += fault;
		if (fault && (s->page[i] & 1) == kind && s->first[s->page[i] + 2] != SIZE_MAX)
			read_ahead(&p, s->page[i] + 2, &a);
	}
	return a;
}

static void print_ahead(const struct string *s, unsigned frames, char kind)
{
	struct ahead a = with_ahead(s, frames, kind == 'd');

	printf("%zu %zu %zu %zu\n", faults(s, frames, lru), a.faults, a.read, a.used);
}

int main(int argc, char **argv)
{
	char ahead = argc == 6 && !strcmp(argv[1], "--ahead") && (!strcmp(argv[2], "c") || !strcmp(argv[2], "d")) ? argv[2][0] : 0;
	char **args = argv + (ahead ? 3 : 1);
	bool right = argc == (ahead ? 6 : 4);
	unsigned size = right ? (unsigned)strtoul(args[0], NULL, 10) : 0;
	unsigned frames = right ? (unsigned)strtoul(args[1], NULL, 10) : 0;
	struct string s = { 0 };

	if ((size != PAGE && size != 2 * PAGE) || frames < 2 || frames > MAX_FRAMES) {
		fprintf(stderr, "usage: pagesim [--ahead c|d] 256|512 FRAMES REFERENCES      (2 to %d frames)\n", MAX_FRAMES);
		return 2;
	}
	read_string(&s, args[2], size);
	find_next(&s);
	if (ahead)
		print_ahead(&s, frames, ahead);
	else
		printf("%zu %zu %zu\n", faults(&s, frames, lru), faults(&s, frames, opt), faults(&s, frames, clock_hand));
	free(s.page);
	free(s.next);
	free(s.first);
	return 0;
}
