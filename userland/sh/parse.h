// SPDX-License-Identifier: ISC
//
// What the files share that walk over the text: token.c (words and signs), simple.c, here.c, compound.c, function.c, parse.c (pipelines and lists).
#ifndef OCTIX_SH_PARSE_H
#define OCTIX_SH_PARSE_H

#include "sh.h"

// --- token.c ---
extern int skipping;               // walk, run nothing
int dry(void);                     // nothing is run: skipping, or on the way out of a loop, a function, everything
char peek(void);                   // the character at the cursor, behind blanks and comments
void skip_newlines(void);
int is_end(char c);                // of a word
int accept(const char *word);      // steps over this keyword, if it stands there
void expect(const char *word);
int keyword(const char *word);
const char *raw_word(void);        // steps over a word, and returns its end
_Noreturn void unexpected(void);   // what is at the cursor is a syntax error
_Noreturn void incomplete(void);   // the text ends too early

// --- simple.c ---
void simple(struct simple *c);     // walks a simple command; expands it into c unless dry
void free_simple(struct simple *c);
int at_redirection(void);
int is_assignment(const char *p);
struct redirection *redirections(void);
void free_redirections(struct redirection *r);

// --- here.c ---
const char *here_newline(const char *newline);  // behind a newline and the bodies that follow it
void here_note(const char *operator, const char *from, const char *end, int tabs); // its ending word is [from, end)
struct redirection *here_redirection(int fd, const char *operator);

// --- compound.c ---
// What may stand where a command begins and is none: a compound command, run by its function, or an end of one.
struct keyword {
	char word[6];
	void (*run)(void);
};
const struct keyword *keyword_here(void);
int at_terminator(void);
void compound(const struct keyword *k);
void skip_list(int skip);

// --- function.c ---
int at_function(void);             // a definition begins at the cursor
void define_function(void);

// --- parse.c ---
extern int checking;               // for syntax errors, the first walk
_Noreturn void check_fails(int why); // CHECK_*
void command(void);

#endif
