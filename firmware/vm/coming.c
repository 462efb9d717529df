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

#define LONG_MS 3

// In pins[] of the frame whose block is on its way.
#define ROBBED   1 // it has come shortly before, and its frame was taken from who waited for it
#define UNWANTED 2 // its space has gone

#define HIDDEN SD_NO_TOKEN // sd_token while a block is read ahead

bool card_restart, card_slow;
uint8_t card_left;
uint8_t frame_coming = NO_FRAME;
static uint8_t coming_kind, coming_half; // what it will be; how sd_read takes it
static bool waited_for; // something has been left
static bool hurry;      // the card has failed
static bool ahead;      // nobody waits for what is on its way
static uint16_t since;  // ms
static uint8_t asked[3]; // of the last blocks, lower bytes of their keys

static bool waited(uint16_t ms)
{
	return (uint16_t)(clock_ms() - since) >= ms;
}

// May what wants the card now be left? It takes time to run it again: for what interrupts have asked for, when the card takes long.
static bool leave(void)
{
	if (!card_restart || hurry || !(others_can_run() || (vm_pending && waited(LONG_MS))))
		return false;
	waited_for = true;
	card_left = CARD_WAITS;
	return true;
}

// False: left.
static bool await_card(void)
{
	since = clock_ms();
	if (ahead) {
		sd_token = SD_WAITING;
		card_asked();
	}
	ahead = false;
	do {
		if (sd_answers())
			return true;
		if (leave())
			return false;
	} while (!waited(CARD_MS));
	return true;
}

// Notes that it is asked for. ROBBED or 0.
static uint8_t note(uint8_t key)
{
	uint8_t result = 0;

	for (uint8_t n = sizeof asked; n--;) {
		if (asked[n] == key)
			result = ROBBED;
		asked[n] = n ? asked[n - 1] : key;
	}
	return result;
}

static void let_come(uint8_t i, uint8_t half)
{
	struct frame_state *rows = state_at(i);

	frame_coming = i;
	coming_kind = rows->kind[0];
	coming_half = half;
	rows->kind[0] = FRAME_COMING;
	rows->flags[0] |= FRAME_KEEP;
	rows->pins[0] = note((uint8_t)*frame_key(i));
}

bool coming_wait(uint8_t i, uint8_t half)
{
	if (await_card()) {
		hurry = hurry && sd_token != 0xfe; // a start token
		card_slow = !hurry;
		return true;
	}
	let_come(i, half);
	card_asked();
	return false;
}

void coming_drop(uint8_t kind, uint8_t owner)
{
	if (frame_coming != NO_FRAME && coming_kind == kind && state_at(frame_coming)->owner[0] == owner)
		state_at(frame_coming)->pins[0] |= UNWANTED;
}

// Takes the block that is on its way. When that fails, those who wait for it ask again.
static void take_coming(void)
{
	uint8_t i = frame_coming, how;
	struct frame_state *rows = state_at(i);

	if (i == NO_FRAME)
		return;
	how = rows->pins[0];
	frame_coming = NO_FRAME;
	ahead = false;
	rows->kind[0] = coming_kind;
	rows->pins[0] = 0;
	hurry = sd_finish(frame_memory(i), coming_half) != 0 || (coming_kind == FRAME_CODE && !pager_code_come(i));
	card_slow = !hurry;
	if (hurry || how & UNWANTED) {
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

// Is it another process that goes on?
static bool go_on(void)
{
	bool others = false;

	take_coming();
	if (waited_for)
		others = card_came();
	waited_for = false;
	return others;
}

// Who waits for the block of another process goes on, and may take the frame away before it has been used. Then they would do so to each other
// for ever: so the other one runs first. But for that, who asks last is the next to run when the card has answered: one that pages all the
// time must not have it alone.
bool card_free(void)
{
	bool robbed = frame_coming != NO_FRAME && (state_at(frame_coming)->pins[0] & ROBBED);

	if (!await_card()) {
		if (!robbed)
			card_asked();
		return false;
	}
	if (!go_on() || !card_restart || !robbed)
		return true;
	card_left = CARD_YIELDS;
	return false;
}

void frames_poll(void)
{
	if (ahead)
		poll_ahead();
	if (!waited_for)
		return;
	if (!sd_answers()) {
		if (!waited(CARD_MS))
			return;
		hurry = true;
	}
	go_on();
}
