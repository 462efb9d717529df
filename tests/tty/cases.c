// SPDX-License-Identifier: ISC
//
// The table: see pty.h.
#include "pty.h"

const struct discipline_case discipline_cases[] = {
	{ "a line", { 0 }, "hello\r", "hello\r\n", "hello\n|", false },
	{ "two lines, one read each", { 0 }, "a\nbc\n", "a\r\nbc\r\n", "a\n|bc\n|", false },
	{ "the end of file behind a line", { 0 }, "a\nb\004c\n", "a\r\nbc\r\n", "a\n|b|c\n|", false },
	{ "end of file behind a line", { 0 }, "a\n\004", "a\r\n", "a\n||", false },
	{ "erase stops at the line", { 0 }, "a\n\177\177b\n", "a\r\nb\r\n", "a\n|b\n|", false },
	{ "kill stops at the line", { 0 }, "a\nbc\025d\n", "a\r\nbc\b \b\b \bd\r\n", "a\n|d\n|", false },
	{ "half a line", { 0 }, "half", "half", "", false },
	{ "no echo", { .clear_local = OX_ECHO }, "secret\n", "", "secret\n|", false },
	{ "no echo but of the newline", { .clear_local = OX_ECHO, .set_local = OX_ECHONL }, "secret\n", "\r\n", "secret\n|", false },
	{ "erase", { 0 }, "ab\177c\n", "ab\b \bc\r\n", "ac\n|", false },
	{ "erase at the start", { 0 }, "\177\177x\n", "x\r\n", "x\n|", false },
	{ "erase by the other key", { 0 }, "ab\bc\n", "ab\b \bc\r\n", "ac\n|", true },
	{ "erase a control character", { 0 }, "\001\177x\n", "^A\b \b\b \bx\r\n", "x\n|", false },
	{ "erase UTF-8", { 0 }, "a\303\244\177b\n", "a\303\244\b \bb\r\n", "ab\n|", true }, // elsewhere with IUTF8
	{ "erase without ECHOE", { .clear_local = OX_ECHOE }, "ab\177c\n", "ab^?c\r\n", "ac\n|", true },
	{ "a tab goes to a multiple of 8 of the line", { 0 }, "ab\tc\td\n", "ab      c       d\r\n", "ab\tc\td\n|", true },
	{ "erase a tab", { 0 }, "ab\tcd\t\177\177x\n", "ab      cd      \b \b\b \b\b \b\b \b\b \b\b \b\b \bx\r\n", "ab\tcx\n|", true },
	{ "erase a tab behind others", { 0 }, "\303\244\001\tabc\t\177\177\177\177\177\177\n",
	  "\303\244^A     abc     \b \b\b \b\b \b\b \b\b \b\b \b\b \b\b \b\b \b\b \b\b \b\b \b\b \b\b \b\b \b\r\n", "\303\244\n|", true },
	{ "erase a control character without ECHOCTL", { .clear_local = OX_ECHOCTL }, "a\001\177b\n", "a\001b\r\n", "ab\n|", true },
	{ "kill", { 0 }, "abc\025x\n", "abc\b \b\b \b\b \bx\r\n", "x\n|", false },
	{ "kill without ECHOE", { .clear_local = OX_ECHOE }, "abc\025x\n", "abc^U\r\nx\r\n", "x\n|", false },
	{ "word erase", { 0 }, "one two  \027x\n", "one two  \b \b\b \b\b \b\b \b\b \bx\r\n", "one x\n|", false },
	{ "no word erase without IEXTEN", { .clear_local = OX_IEXTEN }, "ab\027\n", "ab^W\r\n", "ab\027\n|", false },
	{ "end of file", { 0 }, "\004", "", "|", false },
	{ "end of file behind text", { 0 }, "abc\004", "abc", "abc|", false },
	{ "literal next", { 0 }, "a\026\003\n", "a^\b^C\r\n", "a\003\n|", false },
	{ "literal erase", { 0 }, "a\026\177b\n", "a^\b^?b\r\n", "a\177b\n|", false },
	{ "no literal next without IEXTEN", { .clear_local = OX_IEXTEN | OX_ISIG }, "\026\003\n", "^V^C\r\n", "\026\003\n|", false },
	{ "no signals without ISIG", { .clear_local = OX_ISIG }, "\003\034\n", "^C^\\\r\n", "\003\034\n|", false },
	{ "control characters without ECHOCTL", { .clear_local = OX_ECHOCTL }, "a\001b\n", "a\001b\r\n", "a\001b\n|", false },
	{ "another end of line", { .eol = ';' }, "ab;", "ab;", "ab;|", false },
	{ "CR is no end without ICRNL", { .clear_in = OX_ICRNL }, "ab\rc\n", "ab^Mc\r\n", "ab\rc\n|", false },
	{ "IGNCR", { .set_in = OX_IGNCR }, "a\rb\n", "ab\r\n", "ab\n|", false },
	{ "INLCR", { .set_in = OX_INLCR, .clear_in = OX_ICRNL }, "a\nb\004", "a^Mb", "a\rb|", false },
	{ "ISTRIP", { .set_in = OX_ISTRIP }, "\341b\n", "ab\r\n", "ab\n|", false },
	{ "echo without ONLCR", { .clear_out = OX_ONLCR }, "a\n", "a\n", "a\n|", false },
	{ "raw", { .clear_local = OX_ICANON }, "a\177\025\004\r", "a^?^U^D\r\n", "a\177\025\004\n|", false },
	{ "raw without echo", { .clear_local = OX_ICANON | OX_ECHO | OX_ISIG, .clear_in = OX_ICRNL }, "\003\r\n\026x", "", "\003\r\n\026x|", false },
	{ "START and STOP are not input", { 0 }, "a\021b\n", "ab\r\n", "ab\n|", false },
	{ "they are without IXON", { .clear_in = OX_IXON }, "a\021\023\n", "a^Q^S\r\n", "a\021\023\n|", false },
};

const unsigned discipline_count = sizeof discipline_cases / sizeof discipline_cases[0];
