// SPDX-License-Identifier: ISC
// Card start, registers, single and multiple block reads and writes, with CRC on.
// Byte or block addressing as CMD58 tells.
#include "fw.h"

static uint8_t sum(void)
{
	uint8_t s = 0;
	for (uint16_t i = 0; i < 512; i++)
		s = (uint8_t)(s * 5 + block[i]);
	return s;
}

static uint32_t at(uint32_t lba)
{
	return card_ocr & 0x40000000 ? lba : lba * 512;
}

static void fill(uint8_t seed)
{
	for (uint16_t i = 0; i < 512; i++)
		block[i] = (uint8_t)(seed + i * 7);
}

static void show_csd(void)
{
	cs_low();
	command(9, 0);
	read_data(16);
	deselect();
	print("csd=");
	for (uint8_t i = 0; i < 16; i++)
		print_hex(block[i]);
	print("\r\n");
}

static void read_multi(void)
{
	uint8_t ok = 0;
	cs_low();
	report("cmd18", command(18, at(100)));
	for (uint8_t i = 0; i < 3; i++) {
		read_data(512);
		ok += crc16_of(block, 512) == block_crc;
	}
	report("multi_crc_ok", ok);
	uint8_t f[6] = { 0x4c, 0, 0, 0, 0, 0x61 };
	for (uint8_t i = 0; i < 6; i++)
		spi(f[i]);
	report("stuff", spi(0xff));
	report("stop", spi(0xff));
	while (spi(0xff) != 0xff)
		;
	deselect();
}

static void write_multi(void)
{
	simple(55, 0);
	report("acmd23", simple(23, 2));
	cs_low();
	report("cmd25", command(25, at(200)));
	for (uint8_t i = 0; i < 2; i++) {
		fill((uint8_t)(40 + i));
		report("multi_data", write_data(0xfc, crc16_of(block, 512)));
	}
	spi(0xff);
	spi(0xfd);
	spi(0xff);
	while (spi(0xff) != 0xff)
		;
	deselect();
}

int main(void)
{
	console_start();
	spi_start();
	spi_slow();
	power_up_clocks();
	uint8_t failed = card_start();
	report("failed", failed);
	if (failed)
		halt();
	report("ccs", card_ocr >> 30 & 1);
	report("crc_on", simple(59, 1));
	show_csd();
	report("cmd16", simple(16, 512));
	report("token", read_block(at(1)));
	report("crc_ok", crc16_of(block, 512) == block_crc);
	report("sum1", sum());
	fill(3);
	report("write", write_block(at(100)));
	read_block(at(100));
	report("same", block[0] == 3 && block[511] == (uint8_t)(3 + 511 * 7));
	read_multi();
	write_multi();
	read_block(at(201));
	report("multi_same", block[0] == 41);
	report("range", read_block(at(0x3fffff)));
	cs_low();
	report("r2", command(13, 0));
	report("r2b", spi(0xff));
	deselect();
	halt();
}
