// SPDX-License-Identifier: ISC
//
// A kernel that waits for the card itself: while it is slow, no other process runs. Stands for vm/coming.c; frames.h describes the functions.

#include "drivers/sd.h"
#include "vm/frames.h"

bool card_restart, card_slow;
uint8_t card_left;
uint8_t frame_coming = NO_FRAME;

bool coming_wait(uint8_t i, uint8_t half)
{
	(void)i;
	(void)half;
	return true;
}

void coming_drop(uint8_t kind, uint8_t owner)
{
	(void)kind;
	(void)owner;
}

void coming_ahead(uint8_t i)
{
	(void)i;
}

bool card_free(void)
{
	return true;
}

// A card that was busy after a write is let go of when it is ready: the tick looks at a selected one.
void frames_poll(void)
{
	sd_answers();
}
