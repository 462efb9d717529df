// SPDX-License-Identifier: ISC
//
// Flash access of avr-libc, for tests on a host: there is one memory.
#ifndef HOST_PGMSPACE_H
#define HOST_PGMSPACE_H

#include <string.h>

#define PROGMEM
#define PSTR(s) (s)
#define pgm_read_byte(p) (*(const uint8_t *)(p))
#define strchr_P strchr
#define strncmp_P strncmp
#define strlen_P strlen

#endif
