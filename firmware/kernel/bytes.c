// SPDX-License-Identifier: ISC
//
// Devices that are arrays of bytes, with the position of the open file as index: mem, eeprom, gpio, adc (bytes.h).

#include "kernel/bytes.h"

#include <avr/pgmspace.h>

#include "kernel/node.h"
#include "kernel/part.h"
#include "kernel/user.h"

static const struct bytes {
	bytes_function *at;
	uint16_t size;
} devices[] PROGMEM = {
	PART(BOARD_HAS_MEM, [OPEN_MEM - OPEN_MEM] = { mem_at, MEM_SIZE })
	PART(BOARD_HAS_EEPROM, [OPEN_EEPROM - OPEN_MEM] = { eeprom_at, EEPROM_SIZE })
	PART(BOARD_HAS_GPIO, [OPEN_GPIO - OPEN_MEM] = { gpio_at, GPIO_SIZE })
	PART(BOARD_HAS_ADC, [OPEN_ADC - OPEN_MEM] = { adc_at, ADC_SIZE })
};

static NOINLINE int16_t move(struct open *o, uint16_t va, uint16_t n, bool write)
{
	const struct bytes *d = &devices[o->kind - OPEN_MEM];
	bytes_function *at = (bytes_function *)pgm_read_ptr(&d->at);
	uint16_t size = pgm_read_word(&d->size), done = 0;
	struct file *f = o->file;
	int16_t result = write && n ? -OX_ENOSPC : 0;

	while (done < n && f->pos < size) {
		uint8_t *user = user_byte(self()->space, va + done, !write);

		result = user ? at((uint16_t)f->pos, write ? *user : BYTES_READ) : user_error();
		if (result < 0)
			break;
		if (!write)
			*user = (uint8_t)result;
		f->pos++;
		done++;
	}
	return done ? (int16_t)done : result;
}

int16_t bytes_read(struct open *o, uint16_t va, uint16_t n)
{
	return move(o, va, n, false);
}

int16_t bytes_write(struct open *o, uint16_t va, uint16_t n)
{
	return move(o, va, n, true);
}
