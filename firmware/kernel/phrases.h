// SPDX-License-Identifier: ISC
//
// Phrases that messages share. In a message stands a control character, for which print() puts the phrase.
#ifndef OCTIX_PHRASES_H
#define OCTIX_PHRASES_H

#define PHRASES      "; reformat the card\0; reformat with smaller ones\0: install it again\0: rebuild it\0the card cannot be read\0"
#define T_REFORMAT   "\1"
#define T_SMALLER    "\2"
#define T_INSTALL    "\3"
#define T_REBUILD    "\4"
#define T_UNREADABLE "\5"
#define T_LAST       5

#endif
