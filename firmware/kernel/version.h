// SPDX-License-Identifier: ISC
#ifndef OCTIX_VERSION_H
#define OCTIX_VERSION_H

#define OCTIX_VERSION "0.1"

#endif
