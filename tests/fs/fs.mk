# SPDX-License-Identifier: ISC
#
# Tests of the file system and the SD driver. Included by the top Makefile.
#   build/host-asan/test/fstool, fsrandom, fsfuzz   kernel sources on an image file, always with sanitizers
#   build/tests/fs/BOARD/sddriver.elf               the SD driver on the simulated boards

FS_OUT := $(HK_OUT)
FS_PROGRAMS := $(addprefix $(FS_OUT)/,fstool fsrandom fsfuzz sdcsd)
FS_SOURCES := tests/fs/host/disk.c tests/fs/host/path.c $(wildcard firmware/fs/*.c)
FS_CFLAGS := $(HK_CFLAGS) -Itests/fs/host
FS_BOARDS := m1284p mega2560
FS_FIRMWARES := $(FS_BOARDS:%=build/tests/fs/%/sddriver.elf)

TEST_FILES += $(FS_PROGRAMS) $(FS_FIRMWARES)
.PHONY: fs-tests
fs-tests: $(FS_PROGRAMS) $(FS_FIRMWARES)

$(FS_OUT)/fs%: tests/fs/fs%.c $(FS_SOURCES) $(wildcard firmware/fs/*.h tests/fs/host/*.h tests/host/*/*.h)
	@mkdir -p $(@D)
	@gcc $(FS_CFLAGS) -o $@ $< $(FS_SOURCES)

$(FS_OUT)/sdcsd: tests/fs/sdcsd.c firmware/drivers/sd_csd.c firmware/drivers/sd.h
	@mkdir -p $(@D)
	@gcc $(FS_CFLAGS) -o $@ $< firmware/drivers/sd_csd.c

build/tests/fs/%/sddriver.elf: tests/fs/fw/sddriver.c firmware/drivers/sd.c firmware/drivers/sd_csd.c firmware/drivers/sd_xfer.S \
		build/tests/host/%/board.h firmware/drivers/sd.h firmware/drivers/sd_bus.h
	@mkdir -p $(@D)
	@avr-gcc -mmcu=$$(sed -n 's/^BOARD_MCU *:= *//p' firmware/boards/$*.mk) \
		-DF_CPU=$$(sed -n 's/^BOARD_F_CPU *:= *//p' firmware/boards/$*.mk)UL \
		-Os -std=gnu11 -Wall -Wextra -Werror -Wno-unused-function -I. -Ifirmware -Ibuild/tests/host/$* -o $@ $(filter %.c %.S,$^)

# Owners in creation times: as the kernel and the image tools have them.
$(eval $(call host_test,owner,tests/fs/owner.c firmware/fs/owner.c,))
$(HOSTOBJ)/tests/fs/owner.o $(HOSTOBJ)/firmware/fs/owner.o: HOSTCPPFLAGS += -Ifirmware
