// SPDX-License-Identifier: ISC
//
// The Octix shell. It keeps no syntax tree: parsing is running. A command is checked once with `skipping` set, which
// finds the end and all syntax errors, and is then run straight from its text; loops go back in the text, a function is
// a copy of its text. Programs are started by vfork; what needs a process of its own and is not one program (a subshell, a
// loop in a pipeline, $(...)) goes on in a fork of the shell.
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
	char name[];       // expanded file name; R_HERE: the text
};

enum { R_IN, R_OUT, R_APPEND, R_BOTH, R_DUP, R_HERE };

// A simple command, expanded.
struct simple {
	struct word *words;
	struct word *assignments;
	struct redirection *redirections;
};

// --- main.c ---
extern int interactive, status, last_background;
extern pid_t shell_group;
extern int depth;               // of loops, conditions, functions and sourced files
extern const char *last_end;    // behind the last command of this shell, which it may become (sh -c, subshells); or NULL
extern char **positional;       // $0 $1 ...
extern int positional_count;    // $#
int run_text(const char *text); // checks and runs it, among what runs now; -1 for a syntax error
int run_file(int fd);           // runs commands as they are read

// --- parse.c, token.c, compound.c ---
extern const char *at;          // where in the text we are
extern int breaking, aborted;   // levels of loops to leave; everything, after Ctrl-C or what a shell ends for
extern int returning;           // from a function or a sourced file
extern int continuing;          // the last of those loops goes on
extern int loops;               // that we are in
extern int tested;              // what fails here is no reason to leave (set -e): a condition
enum { CHECK_OK, CHECK_INCOMPLETE, CHECK_ERROR };
struct here;
struct walk { // of a text, while another one within it is walked
	const char *at;
	struct here *heres;
	uint8_t pipe, background;
};
void begin_text(struct walk *outer);
void end_text(const struct walk *outer);
struct here *checked_text(uint8_t *pipe, uint8_t *background); // what check() has found in it, for run_again
void run_again(const char *text, struct here *heres, uint8_t pipe, uint8_t background); // a command that has been checked before
int check(const char *text);    // CHECK_*; a message for CHECK_ERROR
void run_list(void);
const char *skip_blanks(const char *p);

// --- here.c, simple.c ---
struct here *here_swap(struct here *others);
void here_free(struct here *h);
struct redirection *new_redirection(int fd, int kind, const char *name);

// --- function.c ---
struct function;
struct function *find_function(const char *name);
void call_function(struct function *f, struct simple *c);
void unset_function(const char *name);
int in_function(void);
int do_local(char **argv);

// --- trap.c ---
extern volatile uint8_t trapped; // a signal that has come and has a trap, or 0
void run_traps(void);
int has_traps(void);
void forget_traps(void);         // in a subshell
_Noreturn void leave(int status); // the shell ends; the trap of EXIT is run
void fatal(const char *what, const char *why, const char *more); // an error that ends a shell that is not interactive, else what it runs
int do_trap(char **argv);

// --- options.c ---
extern uint32_t options;         // set -x: bit 'x' - 'a'
static inline int option(char letter)
{
	return options >> (letter - 'a') & 1;
}
char *option_letters(char out[8]); // $-
int set_options(char ***argv);     // steps over -x +x and --; 1: one of them is none; 2: no values follow, and those that there are stay
void trace(const struct simple *c);

// --- expand.c ---
struct buffer {
	char *text;
	uint16_t length, size;
};
void put_char(struct buffer *b, char c);
const char *skip_word(const char *p);                            // to the end of a raw word; NULL: it does not end
const char *skip_part(const char *p);                            // one character or quoted part of it
struct word **expand(const char *from, const char *end, struct word **last); // with splitting and globbing
char *expand_one(const char *from, const char *end);             // without; the caller frees it
char *expand_to_pattern(const char *from, const char *end);      // likewise, quoted characters keep their backslash
char *expand_here(const char *from, const char *end);            // likewise, of a here-document or an arithmetic expression
struct word *new_word(const char *text, size_t n);
void free_words(struct word *w);
int count_words(const struct word *w);

// --- glob.c ---
int is_pattern(const char *word);                                // has an unescaped * ? [
void unescape(char *word);
struct word **expand_pattern(const char *pattern, struct word **last); // appends matches, sorted; none: the pattern
int match(const char *pattern, const char *name);                // up to a / of the pattern
int match_value(const char *pattern, const char *value);         // / is a character as others

// --- arith.c ---
long arithmetic(const char *expression);                         // $((...)); what is wrong is fatal()

// --- vars.c ---
void import_environment(void);
const char *get_variable(const char *name, size_t n);            // NULL: not set
enum { V_EXPORTED = 1, V_READONLY = 2 };
void set_variable(const char *text, int flags);                  // NAME=value, copied; flags are added
void assign(const char *name, size_t n, const char *value);      // the same of two parts
void mark_variable(const char *name, int flags);
char *copy_variable(const char *name, size_t n, uint8_t *flags); // NAME=value from malloc; NULL: not set
void unset_variable(const char *name);
void print_variables(int flags);                                 // those that have one of them; 0: all
int is_name(const char *text, size_t n);
size_t name_length(const char *text);                            // of the name at its start
char **environment_with(const struct word *assignments);         // malloc'ed array

// --- run.c ---
extern pid_t shell_pid;
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
pid_t start_shell(void (*run)(void), const char *from, const char *end, const struct place *p); // a fork runs what stands there
pid_t no_pipe(void);                                // says why: errno; -1
void started(pid_t pid, struct place *p);        // the parent's half
int was_interrupted(void);
void set_signals(int ignore);                    // those of the terminal, for the shell or for its children
int redirect(const struct redirection *r, int8_t saved[10]); // saved: NULL in a child
void restore(int8_t saved[10]);
char *capture(const char *text);                          // output of its commands; the caller frees it

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
void forget_jobs(void);                          // in a subshell

// --- builtin.c: status; argv as for main ---
int do_true(char **argv);
int do_false(char **argv);
int do_echo(char **argv);
int do_cd(char **argv);
int do_exit(char **argv);
int do_export(char **argv);
int do_unset(char **argv);
int do_set(char **argv);
int do_shift(char **argv);
int do_dot(char **argv);
int do_read(char **argv);
int do_break(char **argv);
int do_kill(char **argv);
int do_continue(char **argv);
int do_umask(char **argv);
int do_eval(char **argv);
int do_return(char **argv);
int do_readonly(char **argv);
int do_command(char **argv);
int do_type(char **argv);
int do_getopts(char **argv);

// --- commands.c ---
int is_builtin(const char *name);
int changes_shell(const char *name); // or is no program: in a pipeline it needs a shell of its own
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
