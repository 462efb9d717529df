// SPDX-License-Identifier: ISC
// oxsim: runs a kernel on the simulated board, with the host's terminal as its console.
// Everything that simulates is in the library beside this file; here are options, files, and the
// exit code. The manual is sim.md.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../userland/sdk/diag.h"
#include "console.h"
#include "guest.h"
#include "options.h"
#include "report.h"
#include "terminal.h"

static const char usage[] =
	"usage: oxsim [options] KERNEL.elf\n"
	"Runs KERNEL.elf on a simulated Octix board. UART0 is standard input and output.\n"
	"On a terminal: Ctrl-A x (or Ctrl-]) ends the run, Ctrl-A Ctrl-A types Ctrl-A.\n"
	"\n"
	"  --card IMAGE          card in the slot (default: none); the file is never changed,\n"
	"  --rw                  unless this option is given\n"
	"  --input FILE          type the bytes of FILE instead of standard input\n"
	"  --prompt TEXT         type each line only after TEXT was printed\n"
	"  --until TEXT          stop when TEXT was printed\n"
	"  --live                sleep in real time also when not on a terminal\n"
	"  --stats FILE          write all counters as JSON\n"
	"  --marks FILE          write a table of all writes to GPIOR0\n"
	"  --profile FILE        write a table of cycles and page faults by function of the programs that ran\n"
	"  --map FILE            names for that, from octix cc --map; may be given more than once\n"
	"  --kernel-profile FILE write a table of cycles by symbol of the kernel\n"
	"  --handlers FILE       write a table of the cycles of each bytecode handler\n"
	"  --uart1 FILE          write what UART1 sends; `pty`: connect it to a new pseudo-terminal, whose name is printed\n"
	"  --uart1-input FILE    type the bytes of FILE on UART1; --prompt holds from its second line on\n"
	"  --quiet               no summary at the end\n"
	"  --help                this text\n"
	"\n";

static const char usage_end[] =
	"\n"
	"Without a terminal the run stops after 3600 simulated seconds unless told otherwise.\n"
	"Exit codes: 0 halted or ended from the keyboard, 1 a map that is none, 2 usage, 3 crash, 4 time-out, 6 power cut.\n";

enum { OPT_CARD = OPT_OWN, OPT_RW, OPT_INPUT, OPT_PROMPT, OPT_UNTIL, OPT_LIVE, OPT_STATS, OPT_MARKS,
       OPT_PROFILE, OPT_MAP, OPT_KERNEL_PROFILE, OPT_HANDLERS, OPT_UART1, OPT_UART1_INPUT, OPT_QUIET, OPT_HELP };

static const struct option longs[] = {
	OPTIONS_SHARED,
	{ "card", required_argument, 0, OPT_CARD },
	{ "rw", no_argument, 0, OPT_RW },
	{ "input", required_argument, 0, OPT_INPUT },
	{ "prompt", required_argument, 0, OPT_PROMPT },
	{ "until", required_argument, 0, OPT_UNTIL },
	{ "live", no_argument, 0, OPT_LIVE },
	{ "stats", required_argument, 0, OPT_STATS },
	{ "marks", required_argument, 0, OPT_MARKS },
	{ "profile", required_argument, 0, OPT_PROFILE },
	{ "map", required_argument, 0, OPT_MAP },
	{ "kernel-profile", required_argument, 0, OPT_KERNEL_PROFILE },
	{ "handlers", required_argument, 0, OPT_HANDLERS },
	{ "uart1", required_argument, 0, OPT_UART1 },
	{ "uart1-input", required_argument, 0, OPT_UART1_INPUT },
	{ "quiet", no_argument, 0, OPT_QUIET },
	{ "help", no_argument, 0, OPT_HELP },
	{ 0 },
};

enum { MAX_MAPS = 64 };

struct run {
	struct options opt;
	const char *input, *stats, *marks_path, *profile, *kernel_profile, *handlers, *uart1_path, *uart1_input;
	char *maps[MAX_MAPS];
	unsigned map_count;
	bool quiet, help;
	struct board *board;
	struct console console, second; // of UART0, UART1
	struct marks marks;
	struct guest *guest;
};

static int take_map(struct run *r, char *path)
{
	if (r->map_count == MAX_MAPS) {
		fprintf(stderr, "oxsim: more than %d maps\n", MAX_MAPS);
		return -1;
	}
	r->maps[r->map_count++] = path;
	return 0;
}

static int take_option(struct run *r, int opt, char *arg)
{
	switch (opt) {
	case OPT_CARD: r->opt.cfg.card = arg; return 0;
	case OPT_RW: r->opt.cfg.shared = true; return 0;
	case OPT_INPUT: r->input = arg; return 0;
	case OPT_PROMPT: r->console.prompt.text = *arg ? arg : NULL; return 0;
	case OPT_UNTIL: r->console.until.text = *arg ? arg : NULL; return 0;
	case OPT_LIVE: r->console.live = true; return 0;
	case OPT_STATS: r->stats = arg; return 0;
	case OPT_MARKS: r->marks_path = arg; return 0;
	case OPT_PROFILE: r->profile = arg; return 0;
	case OPT_MAP: return take_map(r, arg);
	case OPT_KERNEL_PROFILE: r->kernel_profile = arg; r->opt.cfg.profile = true; return 0;
	case OPT_HANDLERS: r->handlers = arg; r->opt.cfg.handlers = true; return 0;
	case OPT_UART1: r->uart1_path = arg; return 0;
	case OPT_UART1_INPUT: r->uart1_input = arg; return 0;
	case OPT_QUIET: r->quiet = true; return 0;
	case OPT_HELP: r->help = true; return 0;
	}
	return opt == '?' || opt == ':' ? -1 : options_take(&r->opt, opt, arg);
}

static int parse(struct run *r, int argc, char **argv)
{
	int opt;
	options_init(&r->opt);
	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1)
		if (take_option(r, opt, optarg))
			return -1;
	if (r->help)
		return 0;
	if (optind != argc - 1) {
		fprintf(stderr, "oxsim: one KERNEL.elf must be named; --help tells more\n");
		return -1;
	}
	r->opt.cfg.kernel = argv[optind];
	return 0;
}

static int cannot_open(const char *path, const char *why)
{
	fprintf(stderr, "oxsim: %s: cannot be %s: %m\n", path, why);
	return -1;
}

static int open_second(struct run *r)
{
	struct console *c = &r->second;
	c->in = c->out_fd = -1;
	c->prompt.text = r->console.prompt.text;
	c->line_allowed = true;
	if (r->uart1_path && !strcmp(r->uart1_path, "pty")) {
		const char *name = console_pty(c);
		if (!name)
			return cannot_open("pseudo-terminal", "opened");
		fprintf(stderr, "oxsim: UART1 is %s\n", name);
		c->prompt.text = NULL;
		return 0;
	}
	if (r->uart1_path && (c->out_fd = open(r->uart1_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
		return cannot_open(r->uart1_path, "created");
	if (r->uart1_input && (c->in = open(r->uart1_input, O_RDONLY | O_CLOEXEC)) < 0)
		return cannot_open(r->uart1_input, "opened");
	return 0;
}

static int open_input(struct run *r)
{
	struct console *c = &r->console;
	c->in = STDIN_FILENO;
	c->out_fd = STDOUT_FILENO;
	if (r->input && (c->in = open(r->input, O_RDONLY | O_CLOEXEC)) < 0)
		return cannot_open(r->input, "opened");
	if (!r->input && isatty(STDIN_FILENO)) {
		bool foreground = tcgetpgrp(STDIN_FILENO) == getpgrp();
		c->tty = foreground && isatty(STDOUT_FILENO);
		c->in = foreground ? STDIN_FILENO : -1;
	}
	c->live |= c->tty;
	return open_second(r);
}

// ---------------------------------------------------------------- hooks

static void on_sent(void *arg, int port, uint8_t byte)
{
	struct run *r = arg;
	console_sent(port ? &r->second : &r->console, byte);
}

static int on_fetch(void *arg, int port)
{
	struct run *r = arg;
	return console_fetch(port ? &r->second : &r->console);
}

static void on_poll(void *arg)
{
	struct run *r = arg;
	console_poll(&r->console);
	console_poll(&r->second);
}

static void on_idle(void *arg, uint64_t cycles)
{
	struct run *r = arg;
	console_flush(&r->second);
	console_idle(&r->console, cycles);
}

static void on_mark(void *arg, uint8_t value)
{
	struct run *r = arg;
	if (r->marks_path)
		marks_add(&r->marks, r->board, value);
}

static void on_block(void *arg, uint64_t lba, bool write)
{
	marks_block(&((struct run *)arg)->marks, lba, write);
}

static void connect(struct run *r)
{
	console_attach(&r->console, r->board, 0);
	console_attach(&r->second, r->board, 1);
	r->board->hooks = (struct board_hooks){ r, on_sent, on_fetch, on_poll, on_idle, on_mark };
	if (r->board->card && r->marks_path)
		card_watch(r->board->card, on_block, r);
}

// ---------------------------------------------------------------- one run

static void run(struct run *r)
{
	terminal_catch_signals();
	if (r->console.tty) {
		fprintf(stderr, "oxsim: %s at %g MHz; Ctrl-A x ends the run\n",
			r->board->chip->board, r->board->chip->hz / 1e6);
		terminal_raw(STDIN_FILENO);
	}
	board_run(r->board);
	console_flush(&r->console);
	console_flush(&r->second);
	terminal_restore();
}

static int finish(struct run *r)
{
	int code = report_exit_code(r->board);
	int bad = 0;
	if (!r->quiet)
		report_summary(r->board, stderr);
	else if (code)
		fprintf(stderr, "oxsim: %s\n", r->board->why);
	if (r->stats)
		bad |= report_json(r->board, r->stats);
	if (r->marks_path)
		bad |= marks_write(&r->marks, r->board, r->marks_path);
	if (r->kernel_profile)
		bad |= report_profile(r->board, r->kernel_profile);
	if (r->guest)
		bad |= guest_write(r->guest, r->profile);
	guest_free(r->guest);
	if (r->handlers)
		bad |= handlers_write(r->board->handlers, r->handlers);
	marks_free(&r->marks);
	if (eeprom_keep(r->board)) {
		fprintf(stderr, "oxsim: %s: EEPROM could not be written: %m\n", r->opt.cfg.eeprom);
		bad = -1;
	}
	if (board_free(r->board)) {
		fprintf(stderr, "oxsim: %s: changes could not be written: %m\n", r->opt.cfg.card);
		bad = -1;
	}
	return bad && !code ? 2 : code;
}

int main(int argc, char **argv)
{
	static struct run r;
	char err[512];
	diag_name = "oxsim";
	if (parse(&r, argc, argv))
		return 2;
	if (r.help) {
		printf("%s%s%s", usage, options_help, usage_end);
		return 0;
	}
	if (open_input(&r))
		return 2;
	options_finish(&r.opt, r.console.live ? 0 : 3600);
	r.board = board_new(&r.opt.cfg, err, sizeof err);
	if (!r.board) {
		fprintf(stderr, "oxsim: %s\n", err);
		return 2;
	}
	connect(&r);
	if (r.profile && !(r.guest = guest_start(r.board, r.maps, r.map_count)))
		return 2;
	run(&r);
	return finish(&r);
}
