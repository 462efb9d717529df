// SPDX-License-Identifier: ISC
// Runs one script on one board: types commands when the prompt is there, collects what the console
// prints, asks for the exit status, compares.
//
// The prompt is taken as the end of a command when it is the last thing printed and the console has
// been quiet for a while, so that output that looks like a prompt does not end a command early.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "smoke.h"

static const double quiet_line = 0.02;          // prompt at the start of a line
static const double quiet_tail = 0.2;           // prompt after output without a newline
static const double quiet_send = 0.05;          // before the next line is sent to a program

struct session {
	const struct script *script;
	const struct options *opt;
	struct board *board;
	FILE *f;
	char *out;                              // printed since the last reset_output()
	size_t out_len, out_room;
	const char *typing;                     // rest of what is being typed
	char typed[1024];
	uint64_t last_sent;                     // cycle of the last byte either way
	uint64_t began;                         // cycle at which the step began
	bool failed;
};

// ---------------------------------------------------------------- hooks

static void on_sent(void *arg, int port, uint8_t byte)
{
	struct session *s = arg;
	if (port != 0 || byte == 0)
		return;
	if (s->out_len + 1 >= s->out_room) {
		size_t room = s->out_room ? s->out_room * 2 : 4096;
		char *bigger = realloc(s->out, room);
		if (!bigger)
			return;
		s->out = bigger;
		s->out_room = room;
	}
	s->out[s->out_len++] = (char)byte;
	s->out[s->out_len] = '\0';
	s->last_sent = s->board->avr->cycle;
}

static int on_fetch(void *arg, int port)
{
	struct session *s = arg;
	if (port != 0 || !s->typing || !*s->typing)
		return -1;
	s->last_sent = s->board->avr->cycle;
	return (unsigned char)*s->typing++;
}

static void on_poll(void *arg)
{
	((struct session *)arg)->board->pause = true;
}

// ---------------------------------------------------------------- waiting

static double quiet_for(const struct session *s)
{
	return (double)(s->board->avr->cycle - s->last_sent) / s->board->chip->hz;
}

static double step_seconds(const struct session *s)
{
	return (double)(s->board->avr->cycle - s->began) / s->board->chip->hz;
}

static bool all_typed(const struct session *s)
{
	return !s->typing || !*s->typing;
}

static bool at_prompt(const struct session *s)
{
	const char *prompt = s->script->prompt;
	size_t n = strlen(prompt);
	if (!all_typed(s) || s->out_len < n || memcmp(s->out + s->out_len - n, prompt, n))
		return false;
	bool start = s->out_len == n || s->out[s->out_len - n - 1] == '\n' ||
		     s->out[s->out_len - n - 1] == '\r';
	return quiet_for(s) >= (start ? quiet_line : quiet_tail);
}

static bool has_booted(const struct session *s)
{
	const char *line = s->out_len ? strstr(s->out, "Octix ") : NULL;
	return line && (line == s->out || line[-1] == '\n') && at_prompt(s);
}

static bool is_quiet(const struct session *s)
{
	return all_typed(s) && quiet_for(s) >= quiet_send;
}

static bool never(const struct session *s)
{
	(void)s;
	return false;
}

// Runs until done() or until the time is over. Returns whether done() came true.
static bool run_until(struct session *s, bool (*done)(const struct session *), double limit)
{
	while (!s->board->stop && step_seconds(s) < limit) {
		if (done(s))
			return true;
		board_run(s->board);
	}
	return !s->board->stop && done(s);
}

static void reset_output(struct session *s)
{
	s->out_len = 0;
	if (s->out)
		s->out[0] = '\0';
}

static void type(struct session *s, const char *text, const char *end)
{
	snprintf(s->typed, sizeof s->typed, "%s%s", text, end);
	s->typing = s->typed;
	s->last_sent = s->board->avr->cycle;
	board_kick(s->board);
}

// ---------------------------------------------------------------- results

static void result(struct session *s, bool ok, int line, const char *name)
{
	s->failed |= !ok;
	fprintf(s->f, "%sok %.3f %s", ok ? "" : "not ", step_seconds(s), s->script->path);
	if (line)
		fprintf(s->f, ":%d", line);
	fprintf(s->f, ": %s\n", name);
}

static void print_tail(struct session *s)
{
	char **lines = NULL;
	char *copy = strdup(s->out_len ? s->out : "");
	size_t n = copy ? split_lines(copy, &lines) : 0;
	fprintf(s->f, "# last output:\n");
	for (size_t i = n > 20 ? n - 20 : 0; i < n; i++) {
		fprintf(s->f, "# | ");
		for (const char *p = lines[i]; *p; p++)
			fputc((unsigned char)*p < ' ' ? '?' : *p, s->f);
		fprintf(s->f, "\n");
	}
	free(lines);
	free(copy);
}

// The board stopped or the time is over: why, and the exit code for it.
static int broke_off(struct session *s, double limit)
{
	struct board *b = s->board;
	int code = EXIT_TIMEOUT;
	if (b->stop == STOP_CRASH)
		code = EXIT_CRASH;
	else if (b->stop == STOP_HALT || b->stop == STOP_CUT || b->stop == STOP_QUIT)
		code = EXIT_HALTED;
	if (b->stop)
		fprintf(s->f, "# %s%s\n", code == EXIT_CRASH ? "crash: " : "", b->why);
	else
		fprintf(s->f, "# time-out: not done after %g simulated seconds\n", limit);
	print_tail(s);
	return code;
}

// ---------------------------------------------------------------- one step

// Drops the prompt at the end of the output.
static void drop_prompt(struct session *s)
{
	s->out_len -= strlen(s->script->prompt);
	s->out[s->out_len] = '\0';
}

// The lines a command printed: without its echo and without the prompt. *echo: what the console
// echoed.
static size_t printed_lines(char *text, bool echoed, char ***lines, const char **echo)
{
	size_t n = split_lines(text, lines);
	*echo = "";
	if (!echoed || !n)
		return n;
	*echo = (*lines)[0];
	memmove(*lines, *lines + 1, (n - 1) * sizeof **lines);
	return n - 1;
}

static bool check_echo(struct session *s, const struct step *step, const char *echo)
{
	if (!step->command || !strcmp(step->command, echo))
		return true;
	fprintf(s->f, "# typed:  %s\n# echoed: %s\n", step->command, echo);
	return false;
}

// Compares the output of a step. Explanations go to s->f later than the result line, so they are
// collected in *why.
static bool compare(struct session *s, const struct step *step, char *text, char **why)
{
	char **lines;
	const char *echo;
	size_t n = printed_lines(text, step->command != NULL, &lines, &echo), len;
	FILE *real = s->f;
	bool ok = true;
	s->f = open_memstream(why, &len);
	if (!check_echo(s, step, echo))
		ok = false;
	if ((step->command || step->expects) && !lines_match(step->expect, step->expects, lines, n)) {
		lines_diff(s->f, step->expect, step->expects, lines, n);
		ok = false;
	}
	fclose(s->f);
	s->f = real;
	free(lines);
	return ok;
}

// Types echo "=$?=" and reads the answer. Returns the status, -1 when there is none.
static int ask_status(struct session *s, double limit)
{
	char *p;
	int status = -1;
	reset_output(s);
	type(s, "echo \"=$?=\"", "\r");
	if (!run_until(s, at_prompt, limit + step_seconds(s)))
		return -1;
	p = strchr(s->out, '\n');
	if (!p || sscanf(p + 1, "=%d=", &status) != 1)
		return -1;
	return status;
}

static bool send_all(struct session *s, const struct step *step)
{
	for (size_t i = 0; i < step->sends; i++) {
		const struct send *k = &step->send[i];
		char key[2] = { k->key, 0 };
		double until = step_seconds(s) + k->seconds;
		if (k->kind == SEND_PAUSE) {
			run_until(s, never, until < step->limit ? until : step->limit);
			continue;
		}
		if (!run_until(s, is_quiet, step->limit))
			return false;
		type(s, k->kind == SEND_LINE ? k->text : key, k->kind == SEND_LINE ? "\r" : "");
	}
	return true;
}

static bool wait_end(struct session *s, const struct step *step)
{
	if (step->end == END_HALT)
		return !run_until(s, never, step->limit) && s->board->stop == STOP_HALT;
	return run_until(s, step->end == END_BOOT ? has_booted : at_prompt, step->limit);
}

static void explain(struct session *s, char *why)
{
	if (why)
		fputs(why, s->f);
	free(why);
}

// Compares output and status; writes the result. Returns an exit code.
static int judge(struct session *s, const struct step *step)
{
	char *why = NULL, *text;
	if (step->end != END_HALT)
		drop_prompt(s);
	text = strdup(s->out_len ? s->out : "");
	bool ok = text && compare(s, step, text, &why);
	free(text);
	int status = step->status;
	if (step->command && step->end == END_PROMPT && step->status >= 0)
		status = ask_status(s, step->limit);
	result(s, ok && status == step->status, step->line, step->command ? step->command : "boot");
	explain(s, why);
	if (status != step->status && status >= 0)
		fprintf(s->f, "# exit status %d, expected %d\n", status, step->status);
	else if (status != step->status) {
		fprintf(s->f, "# no answer when asked for the exit status\n");
		return broke_off(s, step->limit);
	}
	return EXIT_PASSED;
}

static int run_step(struct session *s, const struct step *step)
{
	s->began = s->board->avr->cycle;
	reset_output(s);
	if (step->command)
		type(s, step->command, "\r");
	if (send_all(s, step) && wait_end(s, step))
		return judge(s, step);
	result(s, false, step->line, step->command ? step->command : "boot");
	return broke_off(s, step->limit);
}

// ---------------------------------------------------------------- one script

static int boot(struct session *s, const struct step *step, double limit)
{
	s->began = 0;
	if (run_until(s, has_booted, limit) && step)
		return judge(s, step);
	bool ok = has_booted(s);
	result(s, ok, step ? step->line : 0, "boot");
	if (ok)
		return EXIT_PASSED;
	fprintf(s->f, "# no line \"Octix ...\" and prompt \"%s\" came\n", s->script->prompt);
	return broke_off(s, limit);
}

static bool has_faults(const struct options *opt)
{
	static const struct card_faults none;
	return memcmp(&opt->cfg.sd.faults, &none, sizeof none) != 0;
}

// At the end: the drivers kept to the rules of card and serial line.
static void check_board(struct session *s)
{
	const struct board *b = s->board;
	const struct card_report *r = b->card ? card_report(b->card) : NULL;
	uint64_t n = b->spi.collisions + b->spi.mistakes + (r ? r->violations : 0);
	if (has_faults(s->opt))
		return;
	s->began = b->avr->cycle;
	result(s, n == 0 && b->uart[0].overruns == 0, 0, "card and serial line driven by the rules");
	if (n)
		fprintf(s->f, "# %" PRIu64 " errors towards the card, first: %s\n", n,
			r && r->notes ? r->note[0].text : b->spi.mistake);
	if (b->uart[0].overruns)
		fprintf(s->f, "# %" PRIu64 " bytes lost by overrun\n", b->uart[0].overruns);
}

static int run_steps(struct session *s, double limit)
{
	const struct script *sc = s->script;
	size_t i = sc->count && !sc->steps[0].command;
	int code = boot(s, i ? &sc->steps[0] : NULL, i ? sc->steps[0].limit : limit);
	for (; i < sc->count && !code && !s->board->stop; i++)
		code = run_step(s, &sc->steps[i]);
	if (!code && i < sc->count)
		code = EXIT_HALTED;
	for (; i < sc->count; i++) {
		s->began = s->board->avr->cycle;
		result(s, false, sc->steps[i].line, sc->steps[i].command);
		fprintf(s->f, "# not run\n");
	}
	if (!code)
		check_board(s);
	return code ? code : s->failed ? EXIT_FAILED : EXIT_PASSED;
}

int smoke_run(const struct script *script, const struct options *opt, double limit, FILE *f)
{
	struct session s = { .script = script, .opt = opt, .f = f };
	char err[512];
	s.board = board_new(&opt->cfg, err, sizeof err);
	if (!s.board) {
		fprintf(f, "not ok 0 %s: boot\n# %s\n", script->path, err);
		return EXIT_USAGE;
	}
	s.board->hooks = (struct board_hooks){ .arg = &s, .sent = on_sent, .fetch = on_fetch,
					       .poll = on_poll };
	int code = run_steps(&s, limit);
	if (eeprom_keep(s.board)) {
		fprintf(f, "# %s: EEPROM could not be written: %s\n", opt->cfg.eeprom, strerror(errno));
		code = EXIT_USAGE;
	}
	board_free(s.board);
	free(s.out);
	return code;
}
