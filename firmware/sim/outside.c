// SPDX-License-Identifier: ISC
// The world outside: see outside.h.
#include "outside.h"

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

enum { SUPPLY_MV = 5000 };

// ---------------------------------------------------------------- options

int outside_take(struct outside_config *c, const char *text)
{
	struct outside_input in = { 0 };
	unsigned bit, value;
	int end = 0;

	if (sscanf(text, "P%c%1u=%1u%n", &in.port, &bit, &value, &end) == 3 && !text[end]) {
		if (in.port < 'A' || in.port > 'L' || bit > 7 || value > 1)
			return -1;
	} else if (end = 0, in.port = 0, sscanf(text, "ADC%2u=%4u%n", &bit, &value, &end) != 2 || text[end] || bit > 15 || value > SUPPLY_MV) {
		return -1;
	}
	in.bit = (uint8_t)bit;
	in.value = (uint16_t)value;
	if (c->count == OUTSIDE_INPUTS)
		return -1;
	c->inputs[c->count++] = in;
	return 0;
}

// ---------------------------------------------------------------- pins and channels

static int set_pin(avr_t *avr, const struct outside_input *in, uint8_t mask[static 26], uint8_t level[static 26])
{
	avr_irq_t *irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ((uint32_t)in->port), in->bit);
	unsigned port = (unsigned)(in->port - 'A');
	avr_ioport_external_t external = { .name = (unsigned char)in->port & 0x7f };

	if (!irq)
		return -1;
	mask[port] |= (uint8_t)(1 << in->bit);
	level[port] |= (uint8_t)(in->value << in->bit);
	external.mask = mask[port];
	external.value = level[port];
	avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL((uint32_t)in->port), &external);
	avr_raise_irq(irq, in->value);
	return 0;
}

static int set_channel(avr_t *avr, const struct outside_input *in)
{
	avr_irq_t *irq = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + in->bit);

	if (!irq)
		return -1;
	avr_raise_irq(irq, in->value);
	return 0;
}

// ---------------------------------------------------------------- the I2C bus
//
// The chip as the only master: data sheet, "2-wire Serial Interface". simavr's own takes the acknowledge of an address for that of a
// byte, and ends steps before their time. At the bus there is an EEPROM, or nothing.

enum { REG_TWBR = 0xb8, REG_TWSR = 0xb9, REG_TWDR = 0xbb, REG_TWCR = 0xbc };
enum { TWINT = 0x80, TWEA = 0x40, TWSTA = 0x20, TWSTO = 0x10, TWEN = 0x04, TWPS = 0x03, KEPT = 0x75 };
enum { // status codes
	START = 0x08, START_AGAIN = 0x10, WRITE_ACK = 0x18, WRITE_NACK = 0x20, SENT = 0x28, READ_ACK = 0x40, READ_NACK = 0x48, GOT = 0x50, GOT_LAST = 0x58,
	NOTHING = 0xf8,
};

struct i2c {
	struct board *board;
	enum { FREE, STARTED, WRITING, READING, REFUSED } state;
	uint8_t status;         // when the step is done
	bool has_place;         // the EEPROM, since it was addressed for writing
	bool held;              // it has been asked for a byte more, and holds SDA low
	uint8_t place;
	uint8_t bytes[I2C_EEPROM_BYTES];
};

static avr_cycle_count_t on_step_done(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	struct i2c *bus = arg;

	(void)when;
	avr->data[REG_TWSR] = (uint8_t)((avr->data[REG_TWSR] & TWPS) | bus->status);
	if (bus->status == NOTHING)
		avr->data[REG_TWCR] &= (uint8_t)~TWSTO;
	else
		avr->data[REG_TWCR] |= TWINT;
	irq_check(bus->board);
	return 0;
}

// The step is done after so many bits.
static void ends(struct i2c *bus, unsigned bits, uint8_t status)
{
	const uint8_t *data = bus->board->avr->data;
	unsigned bit = 16 + 2u * data[REG_TWBR] * (1u << 2 * (data[REG_TWSR] & TWPS));

	bus->status = status;
	board_at(bus->board, bits * bit, on_step_done, bus);
}

static void address(struct i2c *bus, uint8_t byte)
{
	bool read = byte & 1, there = bus->board->cfg.outside.i2c_eeprom && byte >> 1 == I2C_EEPROM;

	bus->state = !there ? REFUSED : read ? READING : WRITING;
	bus->has_place = read;
	ends(bus, 9, read ? (there ? READ_ACK : READ_NACK) : there ? WRITE_ACK : WRITE_NACK);
}

static void take_byte(struct i2c *bus, uint8_t byte)
{
	if (bus->has_place)
		bus->bytes[bus->place++] = byte;
	else
		bus->place = byte;
	bus->has_place = true;
	ends(bus, 9, SENT);
}

static void step(struct i2c *bus, uint8_t v)
{
	uint8_t *data = bus->board->avr->data;

	if (bus->held && v & (TWSTO | TWSTA)) {
		return; // neither can be sent
	} else if (v & TWSTO) {
		bus->state = FREE;
		ends(bus, 1, NOTHING);
	} else if (v & TWSTA) {
		ends(bus, 1, bus->state == FREE ? START : START_AGAIN);
		bus->state = STARTED;
	} else if (bus->state == STARTED) {
		address(bus, data[REG_TWDR]);
	} else if (bus->state == WRITING) {
		take_byte(bus, data[REG_TWDR]);
	} else if (bus->state == READING) {
		data[REG_TWDR] = bus->bytes[bus->place++];
		bus->held = v & TWEA;
		ends(bus, 9, v & TWEA ? GOT : GOT_LAST);
	}
}

// A 1 written to TWINT clears it and starts the next step.
static void write_twcr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct i2c *bus = arg;
	uint8_t flag = avr->data[addr] & TWINT & (uint8_t)~v;

	avr->data[addr] = (v & KEPT) | flag;
	if (!(v & TWEN)) {
		avr_cycle_timer_cancel(avr, on_step_done, bus);
		avr->data[addr] = v & KEPT & (uint8_t)~TWSTO;
		bus->state = FREE;
	} else if (v & TWINT) {
		step(bus, v);
	}
	irq_check(bus->board);
}

static void write_plain(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	(void)arg;
	avr->data[addr] = v;
}

static uint8_t read_plain(avr_t *avr, avr_io_addr_t addr, void *arg)
{
	(void)arg;
	return avr->data[addr];
}

// Of TWSR only the prescaler can be written.
static void write_twsr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	(void)arg;
	avr->data[addr] = (uint8_t)((avr->data[addr] & ~TWPS) | (v & TWPS));
}

static int add_i2c(struct board *b)
{
	struct i2c *bus = board_alloc(b, sizeof *bus);

	if (!bus)
		return -1;
	bus->board = b;
	memset(bus->bytes, 0xff, sizeof bus->bytes);
	b->avr->data[REG_TWSR] = NOTHING;
	board_on_write(b, REG_TWCR, write_twcr, bus);
	board_on_write(b, REG_TWSR, write_twsr, bus);
	board_on_write(b, REG_TWDR, write_plain, bus);
	board_on_read(b, REG_TWDR, read_plain, bus);
	return 0;
}

int outside_init(struct board *b, char *err, size_t errlen)
{
	const struct outside_config *c = &b->cfg.outside;
	uint8_t mask[26] = { 0 }, level[26] = { 0 };

	b->avr->vcc = b->avr->avcc = b->avr->aref = SUPPLY_MV;
	for (unsigned i = 0; i < c->count; i++) {
		const struct outside_input *in = &c->inputs[i];

		if (in->port ? set_pin(b->avr, in, mask, level) : set_channel(b->avr, in)) {
			snprintf(err, errlen, "%s has no %s%c%u", b->chip->mcu, in->port ? "P" : "ADC", in->port ? in->port : ' ', in->bit);
			return -1;
		}
	}
	if (add_i2c(b)) {
		snprintf(err, errlen, "no memory for the I2C bus");
		return -1;
	}
	return 0;
}
