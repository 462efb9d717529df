// SPDX-License-Identifier: ISC
// Drives the card wrongly, one way a letter: the letters come from the console, one run each.
#include "fw.h"

static uint8_t key(void)
{
	while (!(UCSR0A & _BV(RXC0)))
		;
	return UDR0;
}

static void ready(void)
{
	spi_slow();
	power_up_clocks();
	report("failed", card_start());
}

static void fast_start(void)
{
	spi_fast();
	power_up_clocks();
	report("cmd0", simple(0, 0));
}

static void no_clocks(void)
{
	spi_slow();
	report("cmd0", simple(0, 0));
}

static void bad_crc7(void)
{
	ready();
	simple(59, 1);
	crc_override = 0x55;
	report("r1", simple(13, 0));
	crc_override = 0;
}

static void bad_crc16(void)
{
	ready();
	report("crc_on", simple(59, 1));
	cs_low();
	report("r1", command(24, 8));
	report("response", write_data(0xfe, 0x1234));
	deselect();
	report("good", write_block(8));
}

static void extra_acmd41_bits(void)
{
	spi_slow();
	power_up_clocks();
	simple(0, 0);
	simple(8, 0x1aa);
	simple(55, 0);
	report("r1", simple(41, 0x40ff8000));
}

static void without_hcs(void)
{
	uint8_t r = 1;
	spi_slow();
	power_up_clocks();
	simple(0, 0);
	simple(8, 0x1aa);
	for (uint8_t i = 0; i < 50 && r; i++) {
		simple(55, 0);
		r = simple(41, 0);
	}
	report("ready", r == 0);
}

static void select_lost(void)
{
	ready();
	cs_low();
	command(17, 0);
	deselect();
	cs_low();
	report("after", read_data(512));
	deselect();
}

static void too_early(void)
{
	spi_slow();
	power_up_clocks();
	simple(0, 0);
	report("r1", simple(17, 0));
}

static void while_busy(void)
{
	ready();
	cs_low();
	command(24, 8);
	spi(0xff);
	spi(0xfe);
	for (uint16_t i = 0; i < 514; i++)
		spi(0);
	spi(0xff);
	report("r1", command(13, 0));
	deselect();
}

static void unknown(void)
{
	ready();
	report("r1", simple(33, 0));
}

static void read_one(void)
{
	ready();
	report("first", read_block(0));
	report("crc_ok", crc16_of(block, 512) == block_crc);
	report("second", read_block(0));
	report("crc_ok2", crc16_of(block, 512) == block_crc);
}

static void write_two(void)
{
	ready();
	report("first", write_block(8));
	report("second", write_block(9));
}

// A card in an unknown state: CMD0 again and again.
static void stubborn(void)
{
	uint8_t r = 0xff, n = 0;
	spi_slow();
	power_up_clocks();
	while (r != 1 && n < 20) {
		r = simple(0, 0);
		n++;
	}
	report("tries", n);
}

int main(void)
{
	console_start();
	print("?\r\n");
	spi_start();
	switch (key()) {
	case 'f': fast_start(); break;
	case 'n': no_clocks(); break;
	case '7': bad_crc7(); break;
	case '6': bad_crc16(); break;
	case 'a': extra_acmd41_bits(); break;
	case 'h': without_hcs(); break;
	case 's': select_lost(); break;
	case 'e': too_early(); break;
	case 'b': while_busy(); break;
	case 'u': unknown(); break;
	case 'r': read_one(); break;
	case 'w': write_two(); break;
	case 'i': stubborn(); break;
	default: print("no such test\r\n");
	}
	halt();
}
