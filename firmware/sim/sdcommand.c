// SPDX-License-Identifier: ISC
// The commands of an SD card in SPI mode, and their responses. Sections are those that sdcard.c names.
#include <string.h>

#include "crc.h"
#include "sdregs.h"
#include "sdstate.h"

// ---------------------------------------------------------------- responses

void put(struct card *c, uint8_t byte)
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

void execute(struct card *c)
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
