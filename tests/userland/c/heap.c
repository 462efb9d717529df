// SPDX-License-Identifier: ISC
//
// malloc to exhaustion and back, realloc, sbrk at its limits, the stack next to a full heap.
#include "check.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int exhaust(void **list)
{
	int n = 0;
	void **block;

	while ((block = malloc(1000))) {
		memset(block, n, 1000);
		*block = *list;
		*list = block;
		n++;
	}
	return n;
}

static void give_back(void *list)
{
	while (list) {
		void *next = *(void **)list;

		free(list);
		list = next;
	}
}

static int deep(int n)
{
	volatile char frame[64];

	frame[0] = (char)n;
	return n ? deep(n - 1) + frame[0] : 0;
}

int main(void)
{
	void *list = NULL, *p;
	char *text = malloc(10);
	int first, second;

	strcpy(text, "kept");
	text = realloc(text, 3000);
	CHECK(text && strcmp(text, "kept") == 0);
	errno = 0;
	first = exhaust(&list);
	CHECK(errno == ENOMEM && first > 40 && first < 64);
	CHECK(deep(30) >= 0); // the stack still has its 4 KB
	CHECK(strcmp(text, "kept") == 0);
	give_back(list);
	list = NULL;
	second = exhaust(&list);
	CHECK(second == first);
	give_back(list);
	CHECK((p = malloc(20000)) != NULL);
	free(p);
	p = calloc(100, 10);
	CHECK(p && *(char *)p == 0 && ((char *)p)[999] == 0);
	CHECK(malloc(70000) == NULL && calloc(60000, 60000) == NULL);
	CHECK(((uintptr_t)malloc(3) & 3) == 0);
	CHECK(sbrk(0x7fffffff) == (void *)-1 && errno == ENOMEM);
	CHECK(sbrk(-0x10000) == (void *)-1);
	return report();
}
