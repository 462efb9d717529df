// SPDX-License-Identifier: ISC
//
// oxoutline <IN.s >OUT.s: makes avr-gcc's code smaller and slower. Instructions in a row that stand in several places become a routine that these
// call, or, when they end with a return or jump, one place that the others jump to. On this chip a call changes neither registers nor
// flags, so what the instructions do need not be known; only that nobody jumps among them, and that those that look at the stack pointer
// are not called. Blocks of inline assembly (#APP) stay as they are: they may depend on time. Pushes at a function's start become a call, too.
// Then the functions are put into an order in which more calls are near, so that the linker makes them two bytes shorter, and what is far from
// several callers that are near to each other gets a jump among them. The same input gives the same output.
//
// For chips with return addresses of two bytes, and the output of avr-gcc 5 with -ffunction-sections.

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 40 // instructions that are compared
#define JUMP    3  // bytes of a call or jump: 4, or 2 when it is near
#define LEAST   2  // bytes that a routine must save

enum kind {
	PLAIN,    // can be anywhere
	STACK,    // only in what is jumped to: it sees the stack pointer, or an i/o register
	END,      // a return, or a jump to a function
	BARRIER,  // stays where it is, and nothing goes over it: labels, branches
};

// The one copy of a text, so that texts are compared by address; with its number.
struct text {
	const char *text;
	struct text *next;
	uint32_t number;
	uint32_t defined; // of a label: in this section (order)
};

struct item {
	struct text *text; // equal texts are one
	enum kind kind;
	uint8_t bytes;
};

static struct item *items;
static size_t count, room;
static unsigned routines;

static void *need(void *p)
{
	if (!p) {
		fprintf(stderr, "oxoutline: out of memory\n");
		exit(1);
	}
	return p;
}

static struct text *entry(const char *text)
{
	static struct text *table[1 << 14];
	static uint32_t number;
	uint32_t hash = 0;

	for (const char *p = text; *p; p++)
		hash = hash * 31 + (unsigned char)*p;
	for (struct text *t = table[hash % (1 << 14)]; t; t = t->next)
		if (!strcmp(t->text, text))
			return t;
	struct text *t = need(malloc(sizeof *t));
	*t = (struct text){ need(strdup(text)), table[hash % (1 << 14)], ++number, 0 };
	return table[hash % (1 << 14)] = t;
}

static void add(struct item item)
{
	if (count == room) {
		room = room ? 2 * room : 4096;
		items = need(realloc(items, room * sizeof *items));
	}
	items[count++] = item;
}

static void add_line(const char *text, enum kind kind, uint8_t bytes)
{
	add((struct item){ entry(text), kind, bytes });
}

// ---- reading

static bool is_one_of(const char *word, const char *list)
{
	char pattern[32];

	snprintf(pattern, sizeof pattern, " %.28s ", word);
	return strstr(list, pattern);
}

static bool is_skip(const char *text)
{
	return !strncmp(text, "\tcpse ", 6) || !strncmp(text, "\tsb", 3) ? strncmp(text, "\tsbi ", 5) && strncmp(text, "\tsbci ", 6)
		&& strncmp(text, "\tsbc ", 5) && strncmp(text, "\tsbiw ", 6) : false;
}

// What kind of instruction is it? `line`: a tab, the operation, a blank, operands without blanks.
static struct item instruction(const char *line)
{
	char word[8] = "";
	const char *operands = strchr(line, ' ');
	struct item item = { entry(line), PLAIN, 2 };

	sscanf(line, " %7s", word);
	operands = operands ? operands + 1 : "";
	if (is_one_of(word, " call jmp lds sts "))
		item.bytes = 4;
	if (!strcmp(word, "ret") || (is_one_of(word, " jmp rjmp ") && (isalpha((unsigned char)*operands) || *operands == '_')))
		item.kind = END;
	else if (is_one_of(word, " rjmp jmp ijmp eijmp reti sleep sei spm wdr ") || (word[0] == 'b' && word[1] == 'r') || *operands == '.'
		 || isdigit((unsigned char)*operands) || is_skip(line) || strstr(line, "(1f)"))
		item.kind = BARRIER;
	else if (is_one_of(word, " push pop in out sbi cbi cli ") || (!strcmp(word, "lds") && isdigit((unsigned char)*strchr(operands, ',') + 1)))
		item.kind = STACK;
	return item;
}

// ---- registers that are saved at a function's start

static bool saved[19]; // so many of r2 to r17, r28, r29, from the end: by a routine

static void call_save(unsigned n, const char *frame)
{
	char call[32];

	snprintf(call, sizeof call, "\tcall __%s_%u", frame, n);
	add_line(call, BARRIER, JUMP);
	saved[n] = true;
}

// `ldi r27,0`, `ldi r30,lo8(gs(1f))`, `ldi r31,hi8(gs(1f))`, `jmp __prologue_saves__+((18-N)*2)` become one call.
static bool take_prologue(const char *text)
{
	unsigned n;

	if (sscanf(text, "\tjmp __prologue_saves__+((18-%u)*2)", &n) != 1 || n > 18 || count < 4 || strcmp(items[count - 3].text->text, "\tldi r27,0"))
		return false;
	count -= 3;
	call_save(n, "save");
	return true;
}

// So do three pushes or more that end with r28, r29, and leave out none between.
static void take_pushes(void)
{
	unsigned n = 0;

	while (n < 18 && n < count) {
		char push[16];

		snprintf(push, sizeof push, "\tpush r%u", n < 2 ? 29 - n : 19 - n);
		if (strcmp(items[count - 1 - n].text->text, push))
			break;
		n++;
	}
	if (n < 3 || strncmp(items[count - n].text->text, "\tpush", 5) || (count > n && !strncmp(items[count - n - 1].text->text, "\tpush", 5)))
		return;
	count -= n;
	call_save(n, "push");
}

static void add_saves(void)
{
	char text[256];

	for (unsigned n = 0; n < 19; n++) {
		if (!saved[n])
			continue;
		snprintf(text, sizeof text, "\t.section .text.__save_%u,\"ax\",@progbits\n__push_%u:\n\tldi r26,0\n__save_%u:\n\tpop r31\n\tpop r30\n"
			 "\tldi r27,0\n\tjmp __prologue_saves__+((18-%u)*2)", n, n, n, n);
		add_line(text, BARRIER, 14);
	}
}

// One line as one item; blanks are made equal. Comments go.
static void read_line(char *line, bool *inline_code, bool *skipped)
{
	char text[512];
	char *comment = strstr(line, "/*"), *to = text;
	unsigned blank = 0;
	struct item item;

	if (comment && !strncmp(comment, "/* #APP", 7))
		*inline_code = true;
	if (comment && !strncmp(comment, "/* #NOAPP", 9))
		*inline_code = false;
	if (*inline_code || strchr(line, '"') || line[0] != '\t' || line[1] == '.' || !isalpha((unsigned char)line[1])) {
		line[strcspn(line, "\n")] = 0;
		if (comment == line && !*inline_code) {
			if (strstr(line, "prologue: function"))
				take_pushes();
			return;
		}
		add_line(line, BARRIER, 0);
		*skipped = false;
		return;
	}
	for (const char *p = line; *p && p != comment && to < text + sizeof text - 2; p++) {
		if (!isspace((unsigned char)*p))
			*to++ = *p;
		else if (p == line)
			*to++ = '\t';
		else if (!blank++)
			*to++ = ' ';
	}
	while (to[-1] == ' ')
		to--;
	*to = 0;
	if (take_prologue(text))
		return;
	item = instruction(text);
	if (*skipped) { // goes with the instruction that may skip it
		struct item *skip = &items[count - 1];
		char both[1024];

		snprintf(both, sizeof both, "%s\n%s", skip->text->text, text);
		skip->text = entry(both);
		skip->bytes += item.bytes;
		skip->kind = item.kind == PLAIN ? PLAIN : BARRIER;
		*skipped = false;
		return;
	}
	*skipped = is_skip(text);
	add(item);
}

// ---- what is repeated

struct row {
	size_t first; // an instance
	int gain;     // bytes
	uint8_t length;
};

struct group { uint64_t hash; size_t first, last; uint32_t n; uint16_t bytes; uint8_t length; bool end; };

static int gain_of(const struct group *g)
{
	if (g->end)
		return (int)(g->n - 1) * (g->bytes - JUMP);
	return (int)g->n * (g->bytes - JUMP) - (g->bytes + 2);
}

static int by_gain(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->gain != y->gain ? y->gain - x->gain : x->first != y->first ? (x->first < y->first ? -1 : 1) : y->length - x->length;
}

static bool same(size_t a, size_t b, uint8_t length)
{
	for (uint8_t i = 0; i < length; i++)
		if (items[a + i].text != items[b + i].text || items[a + i].kind != items[b + i].kind)
			return false;
	return true;
}

// All that stands in several places and would save bytes, the best first.
static struct row *find_repeats(size_t *rows)
{
	size_t size = 1 << 21, n = 0;
	struct group *groups = need(calloc(size, sizeof *groups));
	struct row *found;

	for (size_t i = 0; i < count; i++) {
		uint64_t hash = 0;
		uint16_t bytes = 0;
		bool stack = false;

		for (uint8_t length = 1; length <= LONGEST && i + length <= count; length++) {
			const struct item *item = &items[i + length - 1];
			size_t at;

			if (item->kind == BARRIER)
				break;
			hash = (hash + item->text->number) * 0x9e3779b97f4a7c15u;
			hash ^= hash >> 29;
			bytes += item->bytes;
			stack |= item->kind == STACK;
			if (bytes > JUMP && (!stack || item->kind == END)) {
				for (at = hash % size; groups[at].n && (groups[at].hash != hash || groups[at].length != length); at = (at + 1) % size)
					;
				if (!groups[at].n) {
					if (++n > size / 2) {
						fprintf(stderr, "oxoutline: too much code\n");
						exit(1);
					}
					groups[at] = (struct group){ hash, i, i, 1, bytes, length, item->kind == END };
				} else if (groups[at].last + length <= i) {
					groups[at].last = i;
					groups[at].n++;
				}
			}
			if (item->kind == END)
				break;
		}
	}
	found = need(malloc((n + 1) * sizeof *found));
	*rows = 0;
	for (size_t at = 0; at < size; at++)
		if (groups[at].n > 1 && gain_of(&groups[at]) >= LEAST)
			found[(*rows)++] = (struct row){ groups[at].first, gain_of(&groups[at]), groups[at].length };
	free(groups);
	qsort(found, *rows, sizeof *found, by_gain);
	return found;
}

// What becomes of an item: the number of a routine that is called or jumped to in its place.
struct change { unsigned routine; uint8_t length; bool end, here; };

// Gives one repeat a routine, where nothing else has been changed. False: too few are left of it.
static bool use(const struct row *r, struct change *changes, const size_t *instances, size_t n)
{
	const struct item *last = &items[r->first + r->length - 1];
	struct group g = { .n = (uint32_t)n, .length = r->length, .end = last->kind == END };

	for (uint8_t i = 0; i < r->length; i++)
		g.bytes += items[r->first + i].bytes;
	if (n < 2 || gain_of(&g) < LEAST)
		return false;
	routines++;
	for (size_t i = 0; i < n; i++) {
		for (uint8_t k = 0; k < r->length; k++)
			changes[instances[i] + k].routine = routines;
		changes[instances[i]] = (struct change){ routines, r->length, g.end, g.end && !i };
	}
	return true;
}

// One pass: makes routines of the best repeats that do not overlap. False: there are none.
static bool pass(void)
{
	size_t rows, old = count, *instances = need(malloc(count * sizeof *instances));
	struct row *found = find_repeats(&rows);
	struct change *changes = need(calloc(count + 1, sizeof *changes));
	struct item *before;
	bool any = false;
	int best = rows ? found->gain : 0;

	for (size_t r = 0; r < rows && found[r].gain * 4 >= best * 3; r++) {
		size_t n = 0;

		for (size_t i = 0; i + found[r].length <= old; i++) {
			bool is_free = items[i].text == items[found[r].first].text;

			for (uint8_t k = 0; is_free && k < found[r].length; k++)
				is_free = !changes[i + k].routine;
			if (is_free && same(i, found[r].first, found[r].length)) {
				instances[n++] = i;
				i += found[r].length - 1;
			}
		}
		any |= use(&found[r], changes, instances, n);
	}
	before = items;
	items = 0;
	count = room = 0;
	for (size_t i = 0; i < old; i++) {
		char text[64];

		if (!changes[i].routine || changes[i].here) {
			if (changes[i].here) {
				snprintf(text, sizeof text, "__same_%u:", changes[i].routine);
				add_line(text, BARRIER, 0);
				for (uint8_t k = 1; k < changes[i].length; k++)
					changes[i + k].routine = 0;
			}
			add(before[i]);
			continue;
		}
		snprintf(text, sizeof text, "\t%s __same_%u", changes[i].end ? "jmp" : "call", changes[i].routine);
		add_line(text, changes[i].end ? END : PLAIN, JUMP);
		i += changes[i].length - 1;
	}
	for (size_t i = 0; i < old; i++) { // the routines, each from its first instance
		char text[96];

		if (!changes[i].length || changes[i].end)
			continue;
		snprintf(text, sizeof text, "\t.section .text.__same_%u,\"ax\",@progbits\n__same_%u:", changes[i].routine, changes[i].routine);
		add_line(text, BARRIER, 0);
		for (uint8_t k = 0; k < changes[i].length; k++)
			add(before[i + k]);
		add_line("\tret", END, 2);
		for (size_t j = i + 1; j < old; j++)
			if (changes[j].routine == changes[i].routine)
				changes[j].length = 0;
	}
	free(before);
	free(changes);
	free(found);
	free(instances);
	return any;
}

// ---- the order of functions: a call or jump that is near takes two bytes less (ld --relax)

#define NEAR  4000
#define MOVES 1000000

struct section { size_t first, last; uint32_t bytes; };
struct reference { size_t item; uint32_t from, to, offset; };

static struct section *sections;
static struct reference *references;
static uint32_t *order, *start, section_count, reference_count;

static bool begins_code(const struct item *item)
{
	return item->kind == BARRIER && !strncmp(item->text->text, "\t.section", 9) && strstr(item->text->text, ".text.");
}

// What the order may change: sections of code. The rest stays before them.
static void find_sections(void)
{
	size_t others = 0;
	struct item *moved = need(malloc(count * sizeof *moved));

	for (uint8_t want = 0; want < 2; want++) {
		bool code = false;

		for (size_t i = 0; i < count; i++) {
			if (items[i].kind == BARRIER && !strncmp(items[i].text->text, "\t.section", 9))
				code = begins_code(&items[i]);
			if (code == want)
				moved[others++] = items[i];
		}
	}
	memcpy(items, moved, count * sizeof *items);
	free(moved);
	sections = need(calloc(count, sizeof *sections));
	references = need(calloc(count, sizeof *references));
	for (size_t i = 0; i < count; i++) {
		char label[128];

		if (begins_code(&items[i]))
			sections[++section_count].first = i;
		sections[section_count].last = i + 1;
		sections[section_count].bytes += items[i].bytes;
		snprintf(label, sizeof label, "%s", items[i].text->text);
		if (section_count && items[i].kind == BARRIER) // one or several lines
			for (char *line = strtok(label, "\n"); line; line = strtok(0, "\n"))
				entry(line)->defined = section_count;
	}
	section_count++;
	for (uint32_t s = 1; s < section_count; s++) {
		uint32_t offset = 0;

		for (size_t i = sections[s].first; i < sections[s].last; i++) {
			char word[8], name[120], label[128];

			if (sscanf(items[i].text->text, " %7[a-z] %100[^ \n]", word, name) == 2 && is_one_of(word, " call jmp rjmp ")) {
				snprintf(label, sizeof label, "%s:", name);
				if (entry(label)->defined && name[0] != '.')
					references[reference_count++] = (struct reference){ i, s, entry(label)->defined, offset };
			}
			offset += items[i].bytes;
		}
	}
}

static int far_references(void)
{
	uint32_t at = 0;
	int n = 0;

	for (uint32_t i = 1; i < section_count; i++) {
		start[order[i]] = at;
		at += sections[order[i]].bytes;
	}
	for (const struct reference *r = references; r < references + reference_count; r++)
		n += start[r->from] + r->offset - start[r->to] + NEAR > 2 * NEAR;
	return n;
}

static void move(uint32_t from, uint32_t to)
{
	uint32_t what = order[from];

	if (from < to)
		memmove(order + from, order + from + 1, (to - from) * sizeof *order);
	else
		memmove(order + to + 1, order + to, (from - to) * sizeof *order);
	order[to] = what;
}

// Tries moves of one function, and keeps those that are worth it; early on, slightly worse ones, too.
static void choose_order(void)
{
	uint32_t seed = 1;
	int now, next;

	order = need(calloc(section_count, sizeof *order));
	start = need(calloc(section_count, sizeof *start));
	for (uint32_t i = 0; i < section_count; i++)
		order[i] = i;
	now = far_references();
	for (int left = section_count > 2 ? MOVES : 0; left; left--) {
		uint32_t from, to;

		seed = seed * 1664525 + 1013904223;
		from = 1 + (seed >> 8) % (section_count - 1);
		seed = seed * 1664525 + 1013904223;
		to = 1 + (seed >> 8) % (section_count - 1);
		move(from, to);
		next = far_references();
		if (next <= now + (int)((seed >> 12) % 64 < 8) * left * 4 / MOVES)
			now = next;
		else
			move(to, from);
	}
}

// ---- what is far from several callers that are near to each other gets a jump of its own among them

static uint32_t place_of(const struct reference *r)
{
	return start[r->from] + r->offset;
}

static bool is_far(const struct reference *r)
{
	return place_of(r) - start[r->to] + NEAR > 2 * NEAR;
}

static const char *target(const struct reference *r)
{
	return strchr(items[r->item].text->text + 1, ' ') + 1;
}

// By target, then by place; what is near comes last.
static int by_target(const void *a, const void *b)
{
	const struct reference *x = a, *y = b;
	int order;

	if (is_far(x) != is_far(y))
		return is_far(y) - is_far(x);
	order = strcmp(target(x), target(y));
	return order ? order : place_of(x) < place_of(y) ? -1 : place_of(x) > place_of(y);
}

static void print_section(uint32_t s)
{
	for (size_t i = sections[s].first; i < sections[s].last; i++)
		puts(items[i].text->text);
}

// Prints all, each jump behind the section with the middle one of those that use it.
static void print_all(void)
{
	const char **jumps = need(calloc(section_count, sizeof *jumps));
	unsigned number = 0;
	uint32_t n;

	qsort(references, reference_count, sizeof *references, by_target);
	for (uint32_t i = 0; i < reference_count && is_far(&references[i]); i += n) {
		const struct reference *first = &references[i], *middle;
		const char *to = target(first);
		char text[512];

		for (n = 1; i + n < reference_count && is_far(&first[n]) && !strcmp(target(&first[n]), to) && place_of(&first[n]) - place_of(first) < 2 * NEAR - 500; n++)
			;
		if (n < 3)
			continue;
		for (middle = first; 2 * place_of(middle) < place_of(first) + place_of(&first[n - 1]); middle++)
			;
		snprintf(text, sizeof text, "%s\t.section .text.__near_%u,\"ax\",@progbits\n__near_%u:\n\tjmp %s\n",
			 jumps[middle->from] ? jumps[middle->from] : "", number, number, to);
		jumps[middle->from] = entry(text)->text;
		for (uint32_t k = 0; k < n; k++) {
			snprintf(text, sizeof text, "\t%.4s __near_%u", items[first[k].item].text->text + 1, number);
			items[first[k].item].text = entry(text);
		}
		number++;
	}
	for (n = 0; n < section_count; n++) {
		print_section(order[n]);
		if (jumps[order[n]])
			puts(jumps[order[n]]);
	}
}


int main(void)
{
	char line[4096];
	bool inline_code = false, skipped = false;

	while (fgets(line, sizeof line, stdin))
		read_line(line, &inline_code, &skipped);
	add_saves();
	while (pass())
		;
	find_sections();
	choose_order();
	print_all();
	return fflush(stdout) || ferror(stdout);
}
