// SPDX-License-Identifier: ISC
//
// A card that makes us wait. A read is left between its command and its block, and a card that is busy after a write is left alone; what
// wanted the card is run again when the card has answered. The tick looks at the card meanwhile (tick.S), and so does the scheduler when it
// has nothing else to do. Whoever wants the card first takes the block that is on its way.
//
// A block that is read ahead is left in the same way. Nobody waits for it, so the tick does not see it: sd_token tells nothing until
// somebody wants the card.
//
// After an error nothing is left until the card has answered again: who asks next waits, and hears what is wrong.

#include "drivers/sd.h"
#include "drivers/sd_bus.h"
#include "kernel/clock.h"
#include "vm/frames.h"
#include "vm/pager.h"

#define CARD_MS 300 // from here on the driver waits, with its own deadlines

#define HIDDEN SD_NO_TOKEN // sd_token while a block is read ahead

bool card_restart, card_left, card_slow;
uint8_t frame_coming = NO_FRAME;
static uint8_t coming_kind, coming_half; // what it will be; how sd_read takes it
static bool unwanted;   // its space has gone
static bool waited_for; // something has been left
static bool hurry;      // the card has failed
static bool ahead;      // nobody waits for what is on its way
static uint16_t since;  // ms

// May what wants the card now be left?
static bool leave(void)
{
	if (!card_restart || hurry || !others_can_run())
		return false;
	waited_for = true;
	card_left = true;
	return true;
}

static bool late(void)
{
	return (uint16_t)(clock_ms() - since) >= CARD_MS;
}

// False: left.
static bool wait_for_card(void)
{
	since = clock_ms();
	if (ahead)
		sd_token = SD_WAITING;
	ahead = false;
	do {
		if (sd_answers())
			return true;
		if (leave())
			return false;
	} while (!late());
	return true;
}

static void let_come(uint8_t i, uint8_t half)
{
	struct frame_state *rows = state_at(i);

	frame_coming = i;
	coming_kind = rows->kind[0];
	coming_half = half;
	unwanted = false;
	rows->kind[0] = FRAME_COMING;
	rows->flags[0] |= FRAME_KEEP;
}

bool coming_wait(uint8_t i, uint8_t half)
{
	if (wait_for_card()) {
		hurry = hurry && sd_token != 0xfe; // a start token
		card_slow = !hurry;
		return true;
	}
	let_come(i, half);
	return false;
}

void coming_drop(uint8_t kind, uint8_t owner)
{
	if (frame_coming != NO_FRAME && coming_kind == kind && state_at(frame_coming)->owner[0] == owner)
		unwanted = true;
}

// Takes the block that is on its way. When that fails, those who wait for it ask again.
static void take_coming(void)
{
	uint8_t i = frame_coming;
	struct frame_state *rows = state_at(i);

	if (i == NO_FRAME)
		return;
	frame_coming = NO_FRAME;
	ahead = false;
	rows->kind[0] = coming_kind;
	rows->pins[0] = 0;
	hurry = sd_finish(frame_memory(i), coming_half) != 0 || (coming_kind == FRAME_CODE && !pager_code_come(i));
	card_slow = !hurry;
	if (hurry || unwanted) {
		frame_release(i);
		return;
	}
	rows->flags[0] &= (uint8_t)~FRAME_KEEP;
	if (coming_kind == FRAME_BLOCK)
		rows->page[0] = sd_crc == 0;
}

void coming_ahead(uint8_t i)
{
	sd_start(*frame_key(i));
	let_come(i, SD_WHOLE);
	ahead = sd_token == SD_WAITING;
	if (ahead)
		sd_token = HIDDEN;
	else
		take_coming();
	card_slow = false;
}

// Takes it if it has come.
static void poll_ahead(void)
{
	sd_token = SD_WAITING;
	if (sd_answers())
		take_coming();
	else
		sd_token = HIDDEN;
}

static void go_on(void)
{
	take_coming();
	if (waited_for)
		card_came();
	waited_for = false;
}

bool card_free(void)
{
	if (!wait_for_card())
		return false;
	go_on();
	return true;
}

void frames_poll(void)
{
	if (ahead)
		poll_ahead();
	if (!waited_for)
		return;
	if (!sd_answers()) {
		if (!late())
			return;
		hurry = true;
	}
	go_on();
}
