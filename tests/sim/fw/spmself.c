// SPDX-License-Identifier: ISC
// Programs a page of the application section from the boot section and reads it back; the section
// .boot is linked to the boot section's address.
#include "fw.h"

#include <avr/boot.h>

#ifdef __AVR_ATmega2560__
enum { PAGE = 0x8000 };
#else
enum { PAGE = 0x8000 };
#endif

#define BOOT __attribute__((section(".boot"), noinline, used))

static BOOT void program_page(void)
{
	boot_page_erase(PAGE);
	boot_spm_busy_wait();
	for (uint16_t i = 0; i < SPM_PAGESIZE; i += 2)
		boot_page_fill(PAGE + i, 0xa500 + i);
	boot_page_write(PAGE);
	boot_spm_busy_wait();
	boot_rww_enable();
}

int main(void)
{
	console_start();
	print("spm\r\n");
	TCCR1A = 0;
	TCCR1B = _BV(CS11) | _BV(CS10);
	TCNT1 = 0;
	program_page();
	report("ticks64", TCNT1);
	report("word", pgm_read_word((const void *)(PAGE + 16)));
	halt();
}
