# SPDX-License-Identifier: ISC
# The simulated board, oxsim, and the smoke tester on it, oxsmoke. Included by the top Makefile.

SIM_LIB := areas board chip console crc eeprom elfload handlers image irq opcodes options outside report sanitizer sdcard sdcommand sdregs serial spi spm terminal
SIM_MAPS := userland/sdk/symbols.c userland/sdk/diag.c
SIM_SMOKE := oxsmoke smoke_file smoke_match smoke_output smoke_run

$(eval $(call host_program,oxsim,$(patsubst %,firmware/sim/%.c,oxsim guest $(SIM_LIB)) $(SIM_MAPS),-lsimavr -lelf))
$(eval $(call host_program,oxsmoke,$(patsubst %,firmware/sim/%.c,$(SIM_SMOKE) $(SIM_LIB)),-lsimavr -lelf))

# Firmwares of tests/sim/, for both boards: build/tests/sim/BOARD/NAME.elf. crashes.c is one of several by
# -DHOW=; .boot is the boot section.
SIM_FW_DIR := build/tests/sim
SIM_FW := elpm hello irqtime overrun sdarea sdbasic sderror shell spin spitime spmself tick watchdog
SIM_CRASHES := bad_opcode erased_flash beyond_sram lost_stack spm_outside forever collide
SIM_FW_NAMES := $(SIM_FW) $(SIM_CRASHES:%=crash-%)
SIM_FW_FLAGS := -std=gnu11 -Os -Wall -Wextra -Werror -Wno-unused-function

TEST_FILES += $(foreach b,m1284p mega2560,$(SIM_FW_NAMES:%=$(SIM_FW_DIR)/$(b)/%.elf))

$(SIM_FW_DIR)/m1284p/%.elf: SIM_FW_CHIP := -mmcu=atmega1284p -Wl,--section-start=.boot=0x1e000
$(SIM_FW_DIR)/mega2560/%.elf: SIM_FW_CHIP := -mmcu=atmega2560 -Wl,--section-start=.boot=0x3e000

define sim_firmware
$(SIM_FW_DIR)/$(1)/crash-%.elf: tests/sim/fw/crashes.c tests/sim/fw/fw.h
	$$(call say,AVR,$$@)
	$$(Q)mkdir -p $$(@D) && avr-gcc $$(SIM_FW_CHIP) $$(SIM_FW_FLAGS) -DHOW=$$* -o $$@ $$<

$(SIM_FW_DIR)/$(1)/%.elf: tests/sim/fw/%.c tests/sim/fw/fw.h
	$$(call say,AVR,$$@)
	$$(Q)mkdir -p $$(@D) && avr-gcc $$(SIM_FW_CHIP) $$(SIM_FW_FLAGS) -o $$@ $$<
endef
$(foreach b,m1284p mega2560,$(eval $(call sim_firmware,$(b))))
