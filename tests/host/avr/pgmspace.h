// SPDX-License-Identifier: ISC
//
// Flash access of avr-libc, for tests on a host: there is one memory.
#ifndef HOST_PGMSPACE_H
#define HOST_PGMSPACE_H

#include <string.h>

#define PROGMEM
#define PSTR(s) (s)
#define pgm_read_byte(p) (*(const uint8_t *)(p))
#define pgm_read_ptr(p) (*(p))
#define pgm_read_word(p) (*(const uint16_t *)(p))
#define memcmp_P memcmp
#define memcpy_P memcpy
#define strchr_P strchr
#define strcpy_P strcpy
#define strlen_P strlen
#define strncmp_P strncmp

#endif
