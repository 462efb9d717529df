// SPDX-License-Identifier: ISC
//
// Devices that are buses: a read or write is one transfer, of BUS_MAX bytes at most (bus.c). Each is one function of its own part; what the position of
// the open file says to it stands in userland/DEVICES.md.
#ifndef OCTIX_BUS_H
#define OCTIX_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/file.h"
#include "kernel/param.h"

#define BUS_MAX PATH_SIZE // bytes: they wait where paths do

// Sends the n bytes of buf, and reads n into it. Bytes done, or -OX_E*.
typedef int16_t bus_function(struct open *o, uint8_t *buf, uint8_t n, bool read);

bus_function i2c_transfer, spi_transfer;

#endif
