# SPDX-License-Identifier: ISC
#
# For tests that build kernel sources on the host: tests/host has the chip's headers; here is how they are compiled.
# Included by the top Makefile before the tests that use it.

HK_OUT := build/host-asan/test
HK_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
HK_CFLAGS := -std=gnu17 -O1 -g -Wall -Wextra -Werror $(HK_SANITIZE) -Ifirmware -Itests/host -idirafter userland/include

# What a board's makefile fragment says, for a test of that board.
build/tests/host/%/board.h: firmware/boards/%.mk
	@mkdir -p $(@D)
	@{ echo '#define BOARD_NAME "$*"'; sed -n 's/^\(BOARD_[A-Z_0-9]*\) *:= *\(.*\)$$/#define \1 \2/p' $<; } >$@

# Where slots and pool lie: at addresses whose lower 16 bits are the chip's; the test maps memory there. Link with `@FILE`, -no-pie.
HK_MEMORY := 0x40000000
build/tests/host/%/place: firmware/boards/%.mk
	@mkdir -p $(@D)
	@eval "$$(sed -n 's/^BOARD_\(RAM_END\|SLOTS\|FRAMES\|FRAME_SIZE\) *:= */\1=/p' $<)"; \
	pool=$$(($(HK_MEMORY) + RAM_END - FRAMES * FRAME_SIZE)); \
	echo "-Wl,--defsym=pool_memory=$$pool -Wl,--defsym=slots=$$((pool - SLOTS * 768))" >$@

HK_KERNEL_FLAGS := $(HK_CFLAGS) -DMEMORY=$(HK_MEMORY) -fshort-enums -no-pie
