// SPDX-License-Identifier: ISC
// Shared options: see options.h.
#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
	"Board and card:\n"
	"  --board NAME          m1284p (20 MHz, default), mega2560 (16 MHz) or nano (a m1284p)\n"
	"  --sd KIND             sdhc (default), sdsc, or sdv1 (knows no CMD8)\n"
	"  --read-latency US     microseconds from command to data (default 0: next byte)\n"
	"  --write-latency US    microseconds busy after a block (default 0: one byte)\n"
	"  --acmd41 N            the card is ready at the Nth ACMD41 (default 2)\n"
	"  --max-cycles N        stop with exit code 4 after N cycles\n"
	"  --max-seconds S       the same in simulated seconds, 0 = no limit\n"
	"  --no-flow             serial lines: XON and XOFF are bytes as others; what is typed does not wait\n"
	"  --eeprom FILE         the chip's EEPROM, 4096 bytes: read if it is there, written at the end\n"
	"  --level PIN=LEVEL     what is at a pin, as PD4=1; at a channel of the ADC in millivolts, as ADC0=2500\n"
	"  --i2c-eeprom          an EEPROM of 256 bytes at the I2C bus, address 0x50 (24C02)\n"
	"  --spi-wire            MISO is wired to MOSI while the card is not selected\n"
	"  --fault NAME=VALUE    a card with a fault; may be given more than once:\n"
	"      flip=N            one bit wrong in every Nth block read\n"
	"      flip-write=N      one bit wrong in every Nth block received\n"
	"      max-hz=HZ         one bit wrong in every block read faster than HZ\n"
	"      mute=N            no answer any more after N commands\n"
	"      busy=N            busy for ever after the Nth block written\n"
	"      ignore-cmd0=N     the first N CMD0 get no answer\n"
	"      never-ready=1     ACMD41 never ends\n"
	"      read-error=N      error token instead of every Nth block read\n"
	"      error-token=BYTE  that token (default 0x08)\n"
	"      no-token=N        the Nth block read never comes\n"
	"      bad-lba=LBA       this sector always gives the error token\n"
	"      write-error=N     every Nth block written is answered with a write error\n"
	"      write-crc=N       every Nth block written is answered with a CRC error\n"
	"      crc-always=1      CRC is checked on everything from the start\n"
	"      stuff=BYTE        the byte after CMD12 (default 0x7f)\n"
	"      ncr=N             bytes from command to response, 1 to 8 (default 1)\n"
	"      reset=N           the chip is reset at the Nth byte on SPI; the card is not\n"
	"      cut=N             power fails when sector N + 1 is to be stored (oxsim: exit code 6)\n";

struct fault_name {
	const char *name;
	size_t offset;
	unsigned plus;          // added, so that 0 keeps meaning "off"
	uint32_t max;
};

#define FAULT(name, field, plus, max) { name, offsetof(struct card_faults, field), plus, max }

static const struct fault_name fault_names[] = {
	FAULT("flip", flip, 0, UINT32_MAX),
	FAULT("flip-write", flip_write, 0, UINT32_MAX),
	FAULT("max-hz", max_hz, 0, UINT32_MAX),
	FAULT("mute", mute, 0, UINT32_MAX),
	FAULT("busy", busy, 0, UINT32_MAX),
	FAULT("ignore-cmd0", ignore_cmd0, 0, UINT32_MAX),
	FAULT("never-ready", never_ready, 0, 1),
	FAULT("read-error", read_error, 0, UINT32_MAX),
	FAULT("error-token", error_token, 0, 0x1f),
	FAULT("no-token", no_token, 0, UINT32_MAX),
	FAULT("bad-lba", bad_lba, 1, UINT32_MAX - 1),
	FAULT("write-error", write_error, 0, UINT32_MAX),
	FAULT("write-crc", write_crc, 0, UINT32_MAX),
	FAULT("crc-always", crc_always, 0, 1),
	FAULT("stuff", stuff, 0, 0xff),
	FAULT("ncr", ncr, 0, 8),
	FAULT("reset", reset, 0, UINT32_MAX),
	FAULT("cut", cut, 1, UINT32_MAX - 1),
};

static int complain(const char *what, const char *arg, const char *hint)
{
	fprintf(stderr, "%s: --%s %s: %s\n", program_invocation_short_name, what, arg, hint);
	return -1;
}

static int number(const char *opt, const char *arg, double max, double *out)
{
	char *end;
	errno = 0;
	*out = strtod(arg, &end);
	if (errno || end == arg || *end || !(*out >= 0) || *out > max)
		return complain(opt, arg, "a number, not negative and not too large, must stand here");
	return 0;
}

static int whole(const char *opt, const char *arg, uint64_t max, uint64_t *out)
{
	char *end;
	errno = 0;
	*out = strtoull(arg, &end, 0);
	if (errno || end == arg || *end || *arg == '-' || *out > max)
		return complain(opt, arg, "a whole number in range must stand here");
	return 0;
}

static const struct fault_name *find_fault(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof fault_names / sizeof fault_names[0]; i++)
		if (strlen(fault_names[i].name) == len && !memcmp(fault_names[i].name, name, len))
			return &fault_names[i];
	return NULL;
}

static int take_fault(struct card_faults *faults, const char *arg)
{
	const char *eq = strchr(arg, '=');
	const struct fault_name *f = eq ? find_fault(arg, (size_t)(eq - arg)) : NULL;
	uint64_t v;
	uint32_t value;
	if (!f)
		return complain("fault", arg, "unknown; --help lists them, as NAME=VALUE");
	if (whole("fault", eq + 1, f->max, &v))
		return -1;
	value = (uint32_t)v + f->plus;
	memcpy((char *)faults + f->offset, &value, sizeof value);
	return 0;
}

static int take_kind(struct card_config *sd, const char *arg)
{
	if (!strcmp(arg, "sdhc"))
		sd->kind = CARD_SDHC;
	else if (!strcmp(arg, "sdsc"))
		sd->kind = CARD_SDSC;
	else if (!strcmp(arg, "sdv1"))
		sd->kind = CARD_SDV1;
	else
		return complain("sd", arg, "must be sdhc, sdsc or sdv1");
	return 0;
}

void options_init(struct options *o)
{
	memset(o, 0, sizeof *o);
	o->cfg.chip = chip_find("m1284p");
	o->cfg.sd.acmd41 = 2;
	o->max_seconds = -1;
}

static int take_acmd41(struct options *o, const char *arg)
{
	uint64_t n;
	if (whole("acmd41", arg, 1000000, &n))
		return -1;
	o->cfg.sd.acmd41 = n ? (unsigned)n : 1;
	return 0;
}

int options_take(struct options *o, int opt, const char *arg)
{
	switch (opt) {
	case OPT_BOARD:
		o->cfg.chip = chip_find(arg);
		return o->cfg.chip ? 0 : complain("board", arg, "must be m1284p, mega2560 or nano");
	case OPT_SD: return take_kind(&o->cfg.sd, arg);
	case OPT_READ_LATENCY: return number("read-latency", arg, 1e9, &o->read_us);
	case OPT_WRITE_LATENCY: return number("write-latency", arg, 1e9, &o->write_us);
	case OPT_ACMD41: return take_acmd41(o, arg);
	case OPT_FAULT: return take_fault(&o->cfg.sd.faults, arg);
	case OPT_MAX_CYCLES: return whole("max-cycles", arg, UINT64_MAX / 2, &o->max_cycles);
	case OPT_EEPROM: o->cfg.eeprom = arg; return 0;
	case OPT_LEVEL:
		return outside_take(&o->cfg.outside, arg) ? complain("level", arg, "must be a pin and its level, as PD4=1, or a channel and its millivolts, as ADC0=2500; 32 at most") : 0;
	case OPT_I2C_EEPROM: o->cfg.outside.i2c_eeprom = true; return 0;
	case OPT_SPI_WIRE: o->cfg.outside.spi_wire = true; return 0;
	case OPT_NO_FLOW: o->cfg.no_flow = true; return 0;
	case OPT_MAX_SECONDS: return number("max-seconds", arg, 1e9, &o->max_seconds);
	}
	return -1;
}

void options_finish(struct options *o, double default_seconds)
{
	double hz = o->cfg.chip->hz;
	double seconds = o->max_seconds < 0 ? default_seconds : o->max_seconds;
	o->cfg.sd.read_latency = (uint64_t)(o->read_us * hz / 1e6);
	o->cfg.sd.write_latency = (uint64_t)(o->write_us * hz / 1e6);
	o->cfg.max_cycles = o->max_cycles ? o->max_cycles : (uint64_t)(seconds * hz);
}
