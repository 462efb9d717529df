// SPDX-License-Identifier: ISC
//
// Nodes that the kernel makes: /dev and /proc, a row of a table each (node.c). A node is known by a 32-bit number, which stands where
// files have their first cluster, is the st_ino, and the working directory of who is in it: 0xf0 | row, attributes as in
// fs/fs.h, and 16 bits of a process id. The file system asks for nodes by node_find, node_next and node_check (fs/fs.h).
#ifndef OCTIX_NODE_H
#define OCTIX_NODE_H

#include <stdint.h>

#include "kernel/file.h"

// The kind of open file (enum open_kind) that a node becomes.
uint8_t node_kind(uint32_t number);

// read and write of the devices; of /proc.
int16_t null_read(struct open *o, uint16_t va, uint16_t n);
int16_t null_write(struct open *o, uint16_t va, uint16_t n);
int16_t fill_read(struct open *o, uint16_t va, uint16_t n); // zero, random
int16_t bytes_read(struct open *o, uint16_t va, uint16_t n); // mem, eeprom, gpio, adc
int16_t bytes_write(struct open *o, uint16_t va, uint16_t n);
int16_t bus_read(struct open *o, uint16_t va, uint16_t n); // i2c, spi
int16_t bus_write(struct open *o, uint16_t va, uint16_t n);
int16_t text_read(struct open *o, uint16_t va, uint16_t n);

#endif
