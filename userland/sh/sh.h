// SPDX-License-Identifier: ISC
//
// The Octix shell. It keeps no syntax tree: parsing is running. A command is checked once with `skipping` set, which
// finds the end and all syntax errors, and is then run straight from its text; loops go back in the text. What needs a
// process of its own and is not one program (a subshell, a loop in a pipeline) is given as text to `sh -c`, since
// vfork, the only way to a new process, allows nothing but exec.
#ifndef OCTIX_SH_H
#define OCTIX_SH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { STATUS_SYNTAX = 2, STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

// A list of expanded words; freed with free_words.
struct word {
	struct word *next;
	char text[];
};

struct redirection {
	struct redirection *next;
	uint8_t fd;
	uint8_t kind;      // R_*
	int8_t from;       // R_DUP: the other descriptor, -1: close
	char name[];       // expanded file name
};

enum { R_IN, R_OUT, R_APPEND, R_DUP };

// A simple command, expanded.
struct simple {
	struct word *words;
	struct word *assignments;
	struct redirection *redirections;
};

// --- main.c ---
extern int interactive, status, last_background;
extern pid_t shell_group;
extern int depth;               // of loops, conditions and sourced files
extern int last_text;           // the text is the last this shell runs (sh -c)
extern char **positional;       // $0 $1 ...
extern int positional_count;    // $#
int run_text(const char *text); // checks and runs it; -1 for a syntax error
int run_file(int fd);           // runs commands as they are read

// --- parse.c ---
extern const char *at;          // where in the text we are
extern int breaking, aborted;   // levels of loops to leave; everything, after Ctrl-C
extern int continuing;          // the last of those loops goes on
extern int loops;               // that we are in
enum { CHECK_OK, CHECK_INCOMPLETE, CHECK_ERROR };
int check(const char *text);    // CHECK_*; a message for CHECK_ERROR
void run_list(void);
const char *skip_blanks(const char *p);

// --- expand.c ---
struct buffer {
	char *text;
	uint16_t length, size;
};
void put_char(struct buffer *b, char c);
const char *skip_word(const char *p);                            // to the end of a raw word; NULL: it does not end
struct word **expand(const char *from, const char *end, struct word **last); // with splitting and globbing
char *expand_one(const char *from, const char *end);             // without; the caller frees it
char *expand_to_pattern(const char *from, const char *end);      // likewise, quoted characters keep their backslash
struct word *new_word(const char *text, size_t n);
void free_words(struct word *w);
int count_words(const struct word *w);

// --- glob.c ---
int is_pattern(const char *word);                                // has an unescaped * ? [
void unescape(char *word);
struct word **expand_pattern(const char *pattern, struct word **last); // appends matches, sorted; none: the pattern
int match(const char *pattern, const char *name);                // up to a / of the pattern

// --- vars.c ---
void import_environment(void);
const char *get_variable(const char *name, size_t n);            // NULL: not set
void set_variable(const char *text, int exported);               // NAME=value, copied
void export_variable(const char *name);
void unset_variable(const char *name);
void print_variables(int exported_only);
int is_name(const char *text, size_t n);
size_t name_length(const char *text);                            // of the name at its start
char **environment_with(const struct word *assignments, int all); // malloc'ed array; `all`: not only the exported

// --- run.c ---
enum { STAGES = 8 }; // of a pipeline

// How a child is placed: its ends of pipes, an end to close, its process group (0: it leads one); and the children so far.
struct place {
	int in, out, other;
	pid_t group, last;
	uint8_t background, count;
	pid_t pid[STAGES];
};
void run_simple(struct simple *c, const char *from);              // whose text begins there
pid_t start_simple(struct simple *c, const struct place *p);
pid_t start_text(const char *from, const char *end, const struct place *p);
pid_t no_pipe(void);                                // says why: errno; -1
void started(pid_t pid, struct place *p);        // the parent's half
int was_interrupted(void);
void set_signals(int ignore);                    // those of the terminal, for the shell or for its children
int redirect(const struct redirection *r, int8_t saved[10]); // saved: NULL in a child
void restore(int8_t saved[10]);
char *capture(const char *from, const char *end);         // output of a command; the caller frees it

// --- wait.c ---
void wait_for(pid_t pid);                        // sets status
void foreground(struct place *p, const char *from, const char *end); // waits for the pipeline of that text, sets status
void background(struct place *p, const char *from, const char *end); // makes a job of it
void reap(int announce);                         // looks what has become of the jobs
int warn_of_stopped(void);                       // of jobs that would be left: the first time
pid_t job_group(const char *text);               // of %1 and the like; 0: none, a message is out
int do_wait(char **argv);
int do_jobs(char **argv);
int do_fg(char **argv);
int do_bg(char **argv);

// --- builtin.c ---
enum { B_STATE = 1 }; // changes the shell, or is no program: in a pipeline it needs a shell of its own
int is_builtin(const char *name);
int changes_shell(const char *name);
int run_builtin(char **argv);

// --- test.c ---
int do_test(char **argv);

// --- text.c ---
void *allocate(size_t n);                     // never NULL: the shell ends with a message
void complain(const char *what, const char *why, const char *more); // sh: what: why more
void print(int fd, const char *text);
int made_blocking(int fd); // after EAGAIN: O_NONBLOCK is gone
char *decimal(long value, char out[12]);

#endif
