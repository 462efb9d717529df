// SPDX-License-Identifier: ISC
// SPI timing to the cycle: a byte received at F/2 is readable 17 cycles after the write, not 16; the next
// write is good at 18, a collision at 17. No card: MISO is high, so a new byte reads 255.
#include "fw.h"

#define NOPS(n) ".rept " #n "\n\tnop\n\t.endr\n\t"

// The write stands at cycle 0, the read at n + 1.
#define READ_AFTER(name, nops) \
	static uint8_t name(void) \
	{ \
		uint8_t v; \
		__asm__ volatile("out %1, %2\n\t" NOPS(nops) "in %0, %1" \
				 : "=r"(v) : "I"(_SFR_IO_ADDR(SPDR)), "r"((uint8_t)0x55)); \
		return v; \
	}

#define WRITE_AFTER(name, nops) \
	static uint8_t name(void) \
	{ \
		__asm__ volatile("out %0, %1\n\t" NOPS(nops) "out %0, %1" \
				 : : "I"(_SFR_IO_ADDR(SPDR)), "r"((uint8_t)0x55)); \
		return SPSR & _BV(WCOL); \
	}

READ_AFTER(read16, 15)
READ_AFTER(read17, 16)
WRITE_AFTER(write17, 16)
WRITE_AFTER(write18, 17)

static void restart(void)
{
	for (uint8_t i = 0; i < 200; i++)
		__asm__ volatile("nop");
	(void)SPSR;
	(void)SPDR;
}

// Cycles of a polled byte at the divider that is set.
static uint16_t polled(void)
{
	restart();
	timer_start();
	SPDR = 0x55;
	while (!(SPSR & _BV(SPIF)))
		;
	return TCNT1;
}

// SPIF stays set while SPSR is not read before SPDR.
static uint8_t spif_stays(void)
{
	restart();
	SPDR = 1;
	for (uint8_t i = 0; i < 50; i++)
		__asm__ volatile("nop");
	(void)SPDR;
	uint8_t first = SPSR & _BV(SPIF);
	(void)SPDR;
	return first && !(SPSR & _BV(SPIF));
}

int main(void)
{
	console_start();
	spi_start();
	SPCR &= (uint8_t)~(_BV(SPR1) | _BV(SPR0));
	SPSR = _BV(SPI2X);
	report("read16", read16());
	restart();
	report("read17", read17());
	restart();
	report("wcol17", write17());
	restart();
	report("wcol18", write18());
	report("polled2", polled());
	SPSR = 0;
	report("polled4", polled());
	SPCR |= _BV(SPR1);
	report("polled64", polled());
	SPCR |= _BV(SPR0);
	report("polled128", polled());
	SPCR &= (uint8_t)~(_BV(SPR1) | _BV(SPR0));
	report("spif_stays", spif_stays());
	halt();
}
