// SPDX-License-Identifier: ISC
//
// The kernel's own messages on the console. Strings are in flash: pass them through P().
#ifndef OCTIX_PRINT_H
#define OCTIX_PRINT_H

#include <avr/pgmspace.h>
#include <stdint.h>

#include "kernel/phrases.h"
#include "vm/vm.h"

#define P(s) PSTR(s)

enum why {
	WHY_NONE,
#define WHY(name, text) WHY_##name,
#include "kernel/why.def"
#undef WHY
};

#define WHY_CARD   100 // the numbers of sd_error_text: less their code
#define WHY_VOLUME 110 // and of fs_error_text

// The text of a reason, for print_why: the text, or without BOARD_HAS_WORDS "error" and the number (`octix why`).
const char *why_text(uint8_t why);
void print_why(const char *text, uint8_t number);

#define PRINT_NOW 7 // bit of GPIOR2: what is printed is sent at once, with interrupts off

void print(const char *flash);      // "\n" becomes CR LF, a T_ of phrases.h its phrase
const char *text_at(const char *texts, uint8_t n); // text n of several, each with its NUL
void print_ram(const char *s);
void print_number(uint32_t n);      // decimal
void number_text(char *text, uint32_t n); // the same, in text[11]
void print_hex(uint16_t n);         // 0x and four digits
void print_pc(const struct pc *pc); // page:offset

// Says why, waits until it is sent, and stops the machine for good (interrupts off, asleep).
void halt(const char *flash) __attribute__((noreturn));

#endif
