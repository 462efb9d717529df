# SPDX-License-Identifier: ISC
#
# The kernel's pool and pager on the host, with sanitizers, for both frame sizes: build/host-asan/test/pagerrandom-BOARD.

PG_OUT := build/host-asan/test
PG_SOURCES := tests/pager/pagerrandom.c firmware/vm/pool.c firmware/vm/pager.c
PG_PROGRAMS := $(BOARDS:%=$(PG_OUT)/pagerrandom-%)
# The pool lies at an address whose lower 16 bits are like the chip's; the test maps memory there.
PG_FLAGS := -std=gnu17 -O1 -g -Wall -Wextra -Werror -Wno-pointer-to-int-cast -fshort-enums -no-pie \
	-Wl,--defsym=pool_memory=0x40002100 \
	-fsanitize=address,undefined -fno-sanitize-recover=all -idirafter userland/include -Ifirmware -Itests/fs/host

$(PG_PROGRAMS): $(PG_OUT)/pagerrandom-%: $(PG_SOURCES) firmware/boards/%.mk $(wildcard firmware/vm/*.h firmware/kernel/*.h)
	$(call say,HOSTCC,$@)
	$(Q)mkdir -p $@.include
	$(Q){ echo '#define BOARD_NAME "$*"'; sed -n 's/^\(BOARD_[A-Z_0-9]*\) *:= *\(.*\)$$/#define \1 \2/p' firmware/boards/$*.mk; } >$@.include/board.h
	$(Q)gcc $(PG_FLAGS) -I$@.include -o $@ $(PG_SOURCES)

TEST_FILES += $(PG_PROGRAMS)
