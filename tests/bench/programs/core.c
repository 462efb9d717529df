// SPDX-License-Identifier: ISC
//
// A mix of what programs do: linked lists, matrices, a state machine over text, and a CRC over all results.
#include "bench.h"

#define NODES 120
#define N     8

struct node {
	struct node *next;
	int16_t key, value;
};

static struct node nodes[NODES];
static int16_t ma[N][N], mb[N][N];
static int32_t mc[N][N];
static char text[256];

static uint16_t crc16(uint16_t crc, uint32_t value, uint8_t bits)
{
	while (bits--) {
		crc = (crc ^ (uint16_t)value) & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;
		value >>= 1;
	}
	return crc;
}

// ---- lists

static struct node *make_list(uint16_t seed)
{
	for (unsigned i = 0; i < NODES; i++) {
		seed = (uint16_t)(seed * 25173u + 13849u);
		nodes[i].key = (int16_t)(seed >> 6);
		nodes[i].value = (int16_t)i;
		nodes[i].next = i + 1 < NODES ? &nodes[i + 1] : 0;
	}
	return nodes;
}

static struct node *reverse(struct node *list)
{
	struct node *done = 0;

	while (list) {
		struct node *next = list->next;

		list->next = done;
		done = list;
		list = next;
	}
	return done;
}

static const struct node *find(const struct node *list, int16_t key)
{
	while (list && list->key != key)
		list = list->next;
	return list;
}

static struct node *merge(struct node *a, struct node *b)
{
	struct node head = { 0, 0, 0 }, *end = &head;

	while (a && b) {
		struct node **least = a->key <= b->key ? &a : &b;

		end = end->next = *least;
		*least = (*least)->next;
	}
	end->next = a ? a : b;
	return head.next;
}

static struct node *sort(struct node *list)
{
	struct node *half = list, *end = list, *rest;

	if (!list || !list->next)
		return list;
	while (end->next && end->next->next) {
		half = half->next;
		end = end->next->next;
	}
	rest = half->next;
	half->next = 0;
	return merge(sort(list), sort(rest));
}

static uint16_t lists(uint16_t crc, uint16_t seed)
{
	struct node *list = reverse(make_list(seed));

	for (int16_t i = 0; i < 24; i++) {
		const struct node *hit = find(list, nodes[i * 5].key);

		crc = crc16(crc, hit ? (uint32_t)hit->value : 0, 16);
	}
	for (list = sort(list); list; list = list->next)
		crc = crc16(crc, (uint32_t)list->key, 8);
	return crc;
}

// ---- matrices

static void fill(int16_t seed)
{
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < N; k++) {
			ma[i][k] = (int16_t)(seed + (int16_t)(i * k));
			mb[i][k] = (int16_t)(seed - (int16_t)(i + 3 * k));
		}
}

static void multiply(void)
{
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < N; k++) {
			mc[i][k] = 0;
			for (unsigned m = 0; m < N; m++)
				mc[i][k] += (int32_t)ma[i][m] * mb[m][k];
		}
}

static void multiply_bits(void)
{
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < N; k++) {
			mc[i][k] = 0;
			for (unsigned m = 0; m < N; m++) {
				int32_t p = (int32_t)ma[i][m] * mb[m][k];

				mc[i][k] += (p >> 2 & 15) * (p >> 5 & 127);
			}
		}
}

static uint16_t matrices(uint16_t crc, int16_t seed)
{
	fill(seed);
	multiply();
	for (unsigned i = 0; i < N; i++)
		crc = crc16(crc, (uint32_t)mc[i][N - 1 - i], 32);
	multiply_bits();
	for (unsigned i = 0; i < N; i++)
		crc = crc16(crc, (uint32_t)mc[i][i], 32);
	return crc;
}

// ---- numbers in a text, by a state machine

enum state { START, SIGN, INTEGER, POINT, FRACTION, EXPONENT, BAD, STATES };

static enum state step(enum state s, char c)
{
	int digit = c >= '0' && c <= '9';

	switch (s) {
	case START:
		return digit ? INTEGER : c == '-' || c == '+' ? SIGN : c == '.' ? POINT : BAD;
	case SIGN:
		return digit ? INTEGER : c == '.' ? POINT : BAD;
	case INTEGER:
		return digit ? INTEGER : c == '.' ? FRACTION : c == 'e' ? EXPONENT : BAD;
	case POINT:
	case FRACTION:
		return digit ? FRACTION : c == 'e' ? EXPONENT : BAD;
	case EXPONENT:
		return digit || c == '-' ? EXPONENT : BAD;
	default:
		return BAD;
	}
}

static void write_text(uint16_t seed)
{
	static const char *const samples[] = { "1234", "-87.5", "3.14e2", "x9", "+.5", "12a", "-7e-3", "0.125" };
	unsigned n = 0;

	while (n < sizeof text - 8) {
		seed = (uint16_t)(seed * 25173u + 13849u);
		for (const char *p = samples[seed >> 13]; *p; p++)
			text[n++] = *p;
		text[n++] = ',';
	}
	text[n] = 0;
}

static uint16_t states(uint16_t crc, uint16_t seed)
{
	uint16_t count[STATES] = { 0 };
	enum state s = START;

	write_text(seed);
	for (const char *p = text; *p; p++) {
		if (*p == ',') {
			count[s]++;
			s = START;
		} else {
			s = step(s, *p);
		}
	}
	for (unsigned i = 0; i < STATES; i++)
		crc = crc16(crc, count[i], 16);
	return crc;
}

uint32_t bench(void)
{
	uint16_t crc = 0xffff;

	for (uint16_t round = 0; round < 5; round++) {
		crc = lists(crc, (uint16_t)(round * 77u + 5u));
		crc = matrices(crc, (int16_t)(round + 3));
		crc = states(crc, (uint16_t)(round * 1021u + 9u));
	}
	return crc;
}
