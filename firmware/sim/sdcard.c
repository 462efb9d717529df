// SPDX-License-Identifier: ISC
// SD card in SPI mode: see sdcard.h. The card drives MISO from three sources, in this order:
// queued response bytes, busy (0x00), data of a running read. What comes in on MOSI goes to the
// data receiver while a write is open, else to the command frame.
// "4.x", "7.x": sections of the SD Physical Layer Simplified Specification 6.00.
#include "sdcard.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crc.h"
#include "sdregs.h"

enum { R1_IDLE = 0x01, R1_ILLEGAL = 0x04, R1_CRC = 0x08, R1_ADDRESS = 0x20, R1_PARAMETER = 0x40 };
enum { TOKEN_BLOCK = 0xfe, TOKEN_MULTI = 0xfc, TOKEN_STOP = 0xfd };
enum { SLOW_HZ = 400000, POWER_UP_CLOCKS = 74 };

enum reading { READ_NONE, READ_WAIT, READ_SEND };
enum writing { WRITE_NONE, WRITE_TOKEN, WRITE_DATA };

struct card {
	struct card_config cfg;
	struct image *image;
	struct card_report report;
	card_watch_fn watch;
	void *watch_arg;

	bool selected, spi_mode, ready, crc_on, app, seen_cmd8;
	unsigned high_clocks;           // clocks with chip select high since power-up
	unsigned acmd41_seen, cmd0_seen;
	uint32_t block_len;             // CMD16, standard capacity only

	uint8_t frame[6];
	unsigned frame_len;
	bool frame_fast, frame_ignored;

	uint8_t out[32];                // response bytes to drive
	unsigned out_len, out_pos;

	enum reading reading;
	bool read_multi, read_gap;
	uint64_t read_at, token_at;     // byte address, cycle
	uint8_t data[SECTOR + 2];
	unsigned data_len, data_pos;

	enum writing writing;
	bool write_multi;
	unsigned write_gap;
	uint64_t write_at;
	uint8_t in[SECTOR + 2];
	unsigned in_len;
	uint32_t well_written;

	uint64_t busy_until;
	unsigned busy_bytes;            // least number of busy bytes still to drive
	bool stuck, power_failed;
	uint64_t now;
	uint32_t hz;
};

// ---------------------------------------------------------------- reports

static void breach(struct card *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void breach(struct card *c, const char *fmt, ...)
{
	c->report.violations++;
	if (c->report.notes >= CARD_NOTES)
		return;
	unsigned i = c->report.notes++;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(c->report.note[i].text, sizeof c->report.note[i].text, fmt, ap);
	va_end(ap);
	c->report.note[i].cycle = c->now;
}

static bool every(uint64_t count, uint32_t n)
{
	return n && count % n == 0;
}

// ---------------------------------------------------------------- responses

static void put(struct card *c, uint8_t byte)
{
	if (c->out_len < sizeof c->out)
		c->out[c->out_len++] = byte;
}

static void respond(struct card *c, uint8_t r1)
{
	c->out_len = c->out_pos = 0;
	for (uint32_t i = 0; i < c->cfg.faults.ncr; i++)
		put(c, 0xff);
	put(c, r1);
}

static void put32(struct card *c, uint32_t v)
{
	put(c, (uint8_t)(v >> 24));
	put(c, (uint8_t)(v >> 16));
	put(c, (uint8_t)(v >> 8));
	put(c, (uint8_t)v);
}

static uint8_t r1(const struct card *c)
{
	return c->ready ? 0 : R1_IDLE;
}

static bool crc_checked(const struct card *c)
{
	return c->crc_on || c->cfg.faults.crc_always;
}

static bool is_busy(const struct card *c)
{
	return c->stuck || c->busy_bytes || c->now < c->busy_until;
}

static void start_busy(struct card *c, uint64_t cycles)
{
	c->busy_until = c->now + cycles;
	c->busy_bytes = 1;
}

// ---------------------------------------------------------------- data to the host

static void seal(struct card *c, unsigned n)
{
	uint16_t crc = crc16(c->data, n);
	c->data[n] = (uint8_t)(crc >> 8);
	c->data[n + 1] = (uint8_t)crc;
	c->data_len = n + 2;
	c->data_pos = 0;
}

// A register or status of n bytes as a data block (CMD9, CMD10, ACMD13, ACMD22, ACMD51).
static void send_register(struct card *c, const uint8_t *p, unsigned n)
{
	memcpy(c->data, p, n);
	seal(c, n);
	c->reading = READ_WAIT;
	c->read_multi = false;
	c->read_gap = true;
	c->token_at = c->now;
	c->read_at = UINT64_MAX;
}

static void damage(struct card *c)
{
	const struct card_faults *f = &c->cfg.faults;
	if (!every(c->report.reads, f->flip) && !(f->max_hz && c->hz > f->max_hz))
		return;
	uint32_t bit = (uint32_t)(c->report.reads * 2654435761u) % (SECTOR * 8);
	c->data[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

// Loads the block at read_at. Returns false when an error token takes its place.
static bool load_block(struct card *c, unsigned len)
{
	const struct card_faults *f = &c->cfg.faults;
	uint64_t lba = c->read_at / SECTOR;
	const uint8_t *p = image_sector(c->image, lba);
	c->report.reads++;
	if (p)
		c->image->reads[lba]++;
	if (p && c->watch)
		c->watch(c->watch_arg, lba, false);
	if (!p || every(c->report.reads, f->read_error) || (f->bad_lba && lba == f->bad_lba - 1))
		return false;
	memcpy(c->data, p + c->read_at % SECTOR, len);
	seal(c, len);
	damage(c);
	return true;
}

// The first byte of a block: its token, or the error token.
static uint8_t begin_block(struct card *c)
{
	unsigned len = c->cfg.kind == CARD_SDHC ? SECTOR : c->block_len;
	if (c->read_at != UINT64_MAX && !load_block(c, len)) {
		c->reading = READ_NONE;
		return (uint8_t)c->cfg.faults.error_token;
	}
	c->reading = READ_SEND;
	return TOKEN_BLOCK;
}

static uint8_t next_data(struct card *c)
{
	uint8_t byte = c->data[c->data_pos++];
	if (c->data_pos < c->data_len)
		return byte;
	c->reading = c->read_multi ? READ_WAIT : READ_NONE;
	c->read_gap = true;
	c->token_at = c->now + c->cfg.read_latency;
	c->read_at += c->data_len - 2;
	return byte;
}

static bool token_withheld(const struct card *c)
{
	return c->cfg.faults.no_token && c->read_at != UINT64_MAX &&
	       c->report.reads + 1 == c->cfg.faults.no_token;
}

static uint8_t drive_read(struct card *c)
{
	if (c->reading == READ_SEND)
		return next_data(c);
	if (c->read_gap) {              // 7.5.2: NAC is at least one byte
		c->read_gap = false;
		return 0xff;
	}
	if (c->now < c->token_at || token_withheld(c))
		return 0xff;
	return begin_block(c);
}

static uint8_t drive(struct card *c)
{
	if (c->out_pos < c->out_len)
		return c->out[c->out_pos++];
	if (is_busy(c)) {
		if (c->busy_bytes)
			c->busy_bytes--;
		return 0x00;
	}
	return c->reading == READ_NONE ? 0xff : drive_read(c);
}

// ---------------------------------------------------------------- commands

// Byte address of the argument of a read or write, or UINT64_MAX after answering an error.
static uint64_t locate(struct card *c, unsigned cmd, uint32_t arg)
{
	uint64_t at = c->cfg.kind == CARD_SDHC ? (uint64_t)arg * SECTOR : arg;
	uint32_t len = c->cfg.kind == CARD_SDHC ? SECTOR : c->block_len;
	if (at % SECTOR + len > SECTOR) {
		breach(c, "CMD%u: address 0x%x is not on a block boundary", cmd, arg);
		respond(c, R1_ADDRESS);
		return UINT64_MAX;
	}
	if (at / SECTOR >= c->image->sectors) {
		breach(c, "CMD%u: address 0x%x lies beyond the end of the card", cmd, arg);
		respond(c, R1_PARAMETER);
		return UINT64_MAX;
	}
	return at;
}

static void start_read(struct card *c, unsigned cmd, uint32_t arg)
{
	uint64_t at = locate(c, cmd, arg);
	if (at == UINT64_MAX)
		return;
	respond(c, r1(c));
	c->reading = READ_WAIT;
	c->read_multi = cmd == 18;
	c->read_gap = true;
	c->read_at = at;
	c->token_at = c->now + c->cfg.read_latency;
}

static void start_write(struct card *c, unsigned cmd, uint32_t arg)
{
	uint64_t at = locate(c, cmd, arg);
	if (at == UINT64_MAX)
		return;
	if (at % SECTOR || (c->cfg.kind != CARD_SDHC && c->block_len != SECTOR)) {
		breach(c, "CMD%u: writes need whole blocks of 512 bytes", cmd);
		respond(c, R1_ADDRESS);
		return;
	}
	respond(c, r1(c));
	c->writing = WRITE_TOKEN;
	c->write_multi = cmd == 25;
	c->write_gap = 0;
	c->write_at = at;
	c->well_written = 0;
}

static void cmd_go_idle(struct card *c, uint32_t arg)
{
	(void)arg;
	if (c->high_clocks < POWER_UP_CLOCKS) {
		breach(c, "CMD0 after %u clocks with chip select high; 74 are needed (6.4.1)",
		       c->high_clocks);
		return;
	}
	if (++c->cmd0_seen <= c->cfg.faults.ignore_cmd0)
		return;
	c->spi_mode = true;
	c->ready = c->crc_on = c->app = c->seen_cmd8 = false;
	c->acmd41_seen = 0;
	c->block_len = SECTOR;
	c->reading = READ_NONE;
	c->writing = WRITE_NONE;
	respond(c, R1_IDLE);
}

static void cmd_if_cond(struct card *c, uint32_t arg)
{
	if (c->cfg.kind == CARD_SDV1) {
		respond(c, r1(c) | R1_ILLEGAL);
		return;
	}
	if (arg >> 12)
		breach(c, "CMD8: reserved bits set in argument 0x%08x", arg);
	c->seen_cmd8 = true;
	respond(c, r1(c));
	put32(c, ((arg & 0xf00) == 0x100 ? 0x100 : 0) | (arg & 0xff));
}

static void cmd_send_csd(struct card *c, uint32_t arg)
{
	uint8_t csd[16];
	(void)arg;
	sd_csd(c->cfg.kind == CARD_SDHC, c->image->sectors, csd);
	respond(c, r1(c));
	send_register(c, csd, 16);
}

static void cmd_send_cid(struct card *c, uint32_t arg)
{
	uint8_t cid[16];
	(void)arg;
	sd_cid(cid);
	respond(c, r1(c));
	send_register(c, cid, 16);
}

// CMD12. The byte after it is undefined ("stuff byte", 7.2.8 and figure 7-5).
static void cmd_stop(struct card *c, uint32_t arg)
{
	(void)arg;
	bool active = c->reading != READ_NONE || c->writing != WRITE_NONE;
	c->reading = READ_NONE;
	c->writing = WRITE_NONE;
	c->out_len = c->out_pos = 0;
	put(c, (uint8_t)c->cfg.faults.stuff);
	for (uint32_t i = 1; i < c->cfg.faults.ncr; i++)
		put(c, 0xff);
	put(c, active ? r1(c) : r1(c) | R1_ILLEGAL);
	if (active)
		start_busy(c, 0);
}

static void cmd_send_status(struct card *c, uint32_t arg)
{
	(void)arg;
	respond(c, r1(c));
	put(c, 0);
}

static void cmd_block_len(struct card *c, uint32_t arg)
{
	if (arg == 0 || arg > SECTOR) {
		respond(c, R1_PARAMETER);
		return;
	}
	c->block_len = arg;             // high capacity cards ignore it (4.3.2)
	respond(c, r1(c));
}

static void cmd_read(struct card *c, uint32_t arg) { start_read(c, 17, arg); }
static void cmd_read_multi(struct card *c, uint32_t arg) { start_read(c, 18, arg); }
static void cmd_write(struct card *c, uint32_t arg) { start_write(c, 24, arg); }
static void cmd_write_multi(struct card *c, uint32_t arg) { start_write(c, 25, arg); }

static void cmd_app(struct card *c, uint32_t arg)
{
	(void)arg;
	c->app = true;
	respond(c, r1(c));
}

static void cmd_read_ocr(struct card *c, uint32_t arg)
{
	(void)arg;
	uint32_t ocr = 0x00ff8000;
	if (c->ready)
		ocr |= 0x80000000 | (c->cfg.kind == CARD_SDHC ? 0x40000000 : 0);
	respond(c, r1(c));
	put32(c, ocr);
}

static void cmd_crc(struct card *c, uint32_t arg)
{
	c->crc_on = arg & 1;
	respond(c, r1(c));
}

// ACMD41. Only HCS may be set in SPI mode (7.3.1.1); without CMD8 and HCS a high capacity card
// never becomes ready (4.2.3).
static void acmd_op_cond(struct card *c, uint32_t arg)
{
	if (arg & ~0x40000000u) {
		breach(c, "ACMD41: only HCS may be set in the argument, got 0x%08x", arg);
		respond(c, r1(c) | R1_ILLEGAL);
		return;
	}
	bool able = c->cfg.kind != CARD_SDHC || (c->seen_cmd8 && arg);
	if (able && !c->cfg.faults.never_ready && ++c->acmd41_seen >= c->cfg.acmd41)
		c->ready = true;
	respond(c, r1(c));
}

static void acmd_status(struct card *c, uint32_t arg)
{
	static const uint8_t status[64];
	(void)arg;
	respond(c, r1(c));
	put(c, 0);
	send_register(c, status, 64);
}

static void acmd_well_written(struct card *c, uint32_t arg)
{
	uint32_t n = c->well_written;
	uint8_t be[4] = { (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n };
	(void)arg;
	respond(c, r1(c));
	send_register(c, be, 4);
}

static void acmd_pre_erase(struct card *c, uint32_t arg)
{
	(void)arg;
	respond(c, r1(c));
}

static void acmd_scr(struct card *c, uint32_t arg)
{
	static const uint8_t scr[8] = { 0x02, 0x35, 0x80, 0x00 };
	(void)arg;
	respond(c, r1(c));
	send_register(c, scr, 8);
}

typedef void (*command_fn)(struct card *, uint32_t);

static const command_fn commands[64] = {
	[0] = cmd_go_idle, [8] = cmd_if_cond, [9] = cmd_send_csd, [10] = cmd_send_cid,
	[12] = cmd_stop, [13] = cmd_send_status, [16] = cmd_block_len, [17] = cmd_read,
	[18] = cmd_read_multi, [24] = cmd_write, [25] = cmd_write_multi, [55] = cmd_app,
	[58] = cmd_read_ocr, [59] = cmd_crc,
};

static const command_fn app_commands[64] = {
	[13] = acmd_status, [22] = acmd_well_written, [23] = acmd_pre_erase,
	[41] = acmd_op_cond, [51] = acmd_scr,
};

// Commands a card takes before it is ready (7.2.1).
static bool allowed_idle(unsigned cmd, bool app)
{
	return app ? cmd == 41 : cmd == 0 || cmd == 8 || cmd == 12 || cmd == 13 || cmd == 55 ||
				 cmd == 58 || cmd == 59;
}

static bool crc_matches(const struct card *c, unsigned cmd)
{
	bool must = crc_checked(c) || cmd == 0 || cmd == 8;
	return !must || (crc7(c->frame, 5) | 1) == c->frame[5];
}

static void refuse(struct card *c, unsigned cmd, bool app)
{
	if (!allowed_idle(cmd, app) && (app ? app_commands : commands)[cmd])
		breach(c, "%sCMD%u before the card was ready", app ? "A" : "", cmd);
	respond(c, r1(c) | R1_ILLEGAL);
}

static void dispatch(struct card *c, unsigned cmd, uint32_t arg)
{
	bool app = c->app && app_commands[cmd];
	command_fn fn = app ? app_commands[cmd] : commands[cmd];
	c->app = false;
	if (!fn || (!c->ready && !allowed_idle(cmd, app)))
		refuse(c, cmd, app);
	else
		fn(c, arg);
}

// True when the card does not react to the frame at all.
static bool unheard(struct card *c, unsigned cmd)
{
	const struct card_faults *f = &c->cfg.faults;
	if (f->mute && c->report.commands > f->mute)
		return true;
	if (!c->ready && c->frame_fast) {
		breach(c, "CMD%u at more than 400 kHz before the card was ready (6.4.1)", cmd);
		return true;
	}
	if (!c->spi_mode && cmd != 0) {
		breach(c, "CMD%u before CMD0", cmd);
		return true;
	}
	return false;
}

static void execute(struct card *c)
{
	unsigned cmd = c->frame[0] & 0x3f;
	uint32_t arg = (uint32_t)c->frame[1] << 24 | (uint32_t)c->frame[2] << 16 |
		       (uint32_t)c->frame[3] << 8 | c->frame[4];
	c->report.commands++;
	if (c->frame_ignored || unheard(c, cmd))
		return;
	if (!(c->frame[5] & 1))
		breach(c, "CMD%u: last bit of the frame is 0", cmd);
	if (!crc_matches(c, cmd)) {
		c->report.crc_errors++;
		breach(c, "CMD%u: CRC7 is 0x%02x, should be 0x%02x", cmd, c->frame[5],
		       crc7(c->frame, 5) | 1);
		c->app = false;
		if (c->spi_mode)
			respond(c, r1(c) | R1_CRC);
		return;
	}
	dispatch(c, cmd, arg);
}

// ---------------------------------------------------------------- bytes from the host

// First byte of a command: is this a moment at which one may come?
static void begin_frame(struct card *c, uint8_t byte)
{
	unsigned cmd = byte & 0x3f;
	bool may_break_in = cmd == 0 || cmd == 12;
	c->frame_ignored = false;
	c->frame_fast = false;
	if (is_busy(c) && !may_break_in) {
		breach(c, "CMD%u while the card was busy", cmd);
		c->frame_ignored = true;
	} else if (c->reading != READ_NONE && !may_break_in) {
		breach(c, "CMD%u in the middle of a read", cmd);
		c->frame_ignored = true;
	} else if (c->out_pos < c->out_len && !may_break_in) {
		breach(c, "CMD%u before the response to the last command was read", cmd);
	}
}

static void take_command(struct card *c, uint8_t byte)
{
	if (c->frame_len == 0) {
		if (byte == 0xff)
			return;
		if ((byte & 0xc0) != 0x40) {
			breach(c, "byte 0x%02x where a command or 0xff must be", byte);
			return;
		}
		begin_frame(c, byte);
	}
	c->frame_fast |= c->hz > SLOW_HZ;
	c->frame[c->frame_len++] = byte;
	if (c->frame_len == sizeof c->frame) {
		c->frame_len = 0;
		execute(c);
	}
}

static void data_response(struct card *c, uint8_t code)
{
	c->out_len = c->out_pos = 0;
	put(c, 0xe0 | code);
}

static void store_block(struct card *c)
{
	const struct card_faults *f = &c->cfg.faults;
	uint64_t lba = c->write_at / SECTOR;
	if (f->cut && c->report.writes >= f->cut) {
		c->power_failed = true;
		return;
	}
	memcpy(image_sector(c->image, lba), c->in, SECTOR);
	c->image->writes[lba]++;
	if (c->watch)
		c->watch(c->watch_arg, lba, true);
	c->well_written++;
	c->write_at += SECTOR;
	start_busy(c, c->cfg.write_latency);
	if (f->busy && c->report.writes >= f->busy)
		c->stuck = true;
}

// 7.3.3.1: data response token.
static void end_block(struct card *c)
{
	const struct card_faults *f = &c->cfg.faults;
	uint64_t n = ++c->report.writes;
	c->writing = c->write_multi ? WRITE_TOKEN : WRITE_NONE;
	c->write_gap = 0;
	if (every(n, f->flip_write))
		c->in[n % SECTOR] ^= 0x10;
	uint16_t got = (uint16_t)(c->in[SECTOR] << 8 | c->in[SECTOR + 1]);
	if (every(n, f->write_crc) || (crc_checked(c) && crc16(c->in, SECTOR) != got)) {
		c->report.crc_errors++;
		data_response(c, 0x0b);
	} else if (every(n, f->write_error) || !image_sector(c->image, c->write_at / SECTOR)) {
		data_response(c, 0x0d);
	} else {
		data_response(c, 0x05);
		store_block(c);
	}
}

static void begin_data(struct card *c, uint8_t byte)
{
	if (byte != (c->write_multi ? TOKEN_MULTI : TOKEN_BLOCK))
		breach(c, "data token 0x%02x does not fit CMD%u", byte, c->write_multi ? 25 : 24);
	if (c->write_gap == 0 && c->out_pos < c->out_len)
		breach(c, "data token before the response was read");
	else if (c->write_gap == 0)
		breach(c, "data token without a byte of 0xff before it (NWR, 7.5.2)");
	if (is_busy(c))
		breach(c, "data token while the card was busy");
	c->writing = WRITE_DATA;
	c->in_len = 0;
}

static void take_token(struct card *c, uint8_t byte, bool responding)
{
	if (byte == 0xff) {
		c->write_gap += !responding;
	} else if (byte == TOKEN_BLOCK || byte == TOKEN_MULTI) {
		begin_data(c, byte);
	} else if (byte == TOKEN_STOP && c->write_multi) {
		c->writing = WRITE_NONE;
		put(c, 0xff);
		start_busy(c, c->cfg.write_latency);
	} else {
		take_command(c, byte);
	}
}

static void take_write(struct card *c, uint8_t byte, bool responding)
{
	if (c->writing == WRITE_TOKEN) {
		take_token(c, byte, responding);
		return;
	}
	c->in[c->in_len++] = byte;
	if (c->in_len == sizeof c->in)
		end_block(c);
}

uint8_t card_exchange(struct card *c, uint8_t mosi, uint64_t cycle, uint32_t hz)
{
	c->now = cycle;
	c->hz = hz;
	if (!c->selected) {
		if (mosi == 0xff && (hz <= SLOW_HZ || c->spi_mode))
			c->high_clocks += 8;
		return 0xff;
	}
	if (c->power_failed)
		return 0xff;
	bool responding = c->out_pos < c->out_len;
	uint8_t miso = drive(c);
	if (c->writing != WRITE_NONE && c->frame_len == 0)
		take_write(c, mosi, responding);
	else
		take_command(c, mosi);
	return miso;
}

// ---------------------------------------------------------------- chip select and life

// What chip select going high now would cut short, or NULL.
static const char *unfinished(const struct card *c)
{
	if (c->frame_len)
		return "a command frame";
	if (c->out_pos < c->out_len)
		return "a response";
	if (c->reading == READ_SEND || (c->reading == READ_WAIT && !c->read_multi))
		return "a data block to the host";
	if (c->reading == READ_WAIT)
		return "a multiple block read (CMD12 ends it)";
	if (c->writing == WRITE_DATA)
		return "a data block to the card";
	return c->writing == WRITE_TOKEN ? "a write before its data" : NULL;
}

void card_select(struct card *c, bool low, uint64_t cycle, bool reset)
{
	c->now = cycle;
	if (low == c->selected)
		return;
	c->selected = low;
	if (low || reset)
		return;
	const char *what = unfinished(c);
	if (what)
		breach(c, "chip select high in the middle of %s", what);
	c->frame_len = 0;
	c->out_len = c->out_pos = 0;
	c->reading = READ_NONE;
	c->writing = WRITE_NONE;
}

struct card *card_new(const struct card_config *config, struct image *image)
{
	struct card *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->cfg = *config;
	c->image = image;
	c->block_len = SECTOR;
	struct card_faults *f = &c->cfg.faults;
	if (!f->error_token)
		f->error_token = 0x08;
	if (!f->stuff)
		f->stuff = 0x7f;
	if (!f->ncr)
		f->ncr = 1;
	return c;
}

void card_free(struct card *c)
{
	free(c);
}

void card_watch(struct card *c, card_watch_fn fn, void *arg)
{
	c->watch = fn;
	c->watch_arg = arg;
}

bool card_power_failed(const struct card *c)
{
	return c->power_failed;
}

const struct card_report *card_report(const struct card *c)
{
	return &c->report;
}
