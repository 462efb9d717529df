# SPDX-License-Identifier: ISC
#
# The kernel of one board: build/$(BOARD)/kernel.elf and .hex. Included by the top Makefile.
# A board is boards/NAME.mk; every .c and .S in kernel/, vm/, fs/ and drivers/ is part of the kernel.

BOARD ?= m1284p
AVR ?= avr-
KDIR := build/$(BOARD)

include firmware/boards/$(BOARD).mk

K_SRC := $(sort $(wildcard firmware/kernel/*.[cS] firmware/vm/*.[cS] firmware/fs/*.[cS] firmware/drivers/*.[cS]))
K_OBJ := $(K_SRC:firmware/%=$(KDIR)/obj/%.o)

# The pool lies at the end of SRAM, the context slots (three pages each) below it, the stack below them.
K_POOL := $(shell printf '0x%x' $$(($(BOARD_RAM_END) - $(BOARD_FRAMES) * $(BOARD_FRAME_SIZE))))
K_SLOTS := $(shell printf '0x%x' $$(($(K_POOL) - $(BOARD_SLOTS) * 768)))
K_STACK := $(shell printf '0x%x' $$(($(K_SLOTS) - 1)))

K_CFLAGS := -mmcu=$(BOARD_MCU) -DF_CPU=$(BOARD_F_CPU)UL -Os -g -std=gnu11 -Wall -Wextra -Werror -Wstrict-prototypes \
	-ffunction-sections -fdata-sections -fshort-enums -mcall-prologues -fno-tree-scev-cprop \
	-Ifirmware -Iuserland/include -I$(KDIR)
K_LDFLAGS := -mmcu=$(BOARD_MCU) -Wl,--gc-sections -Wl,--relax -Wl,-Map=$(KDIR)/kernel.map \
	-Wl,--defsym=pool_memory=0x800000+$(K_POOL) -Wl,--defsym=slots=0x800000+$(K_SLOTS) \
	-Wl,--defsym=__stack=0x800000+$(K_STACK)

$(KDIR)/board.h: firmware/boards/$(BOARD).mk
	@mkdir -p $(@D)
	@{ echo '// Made from $<'; echo '#define BOARD_NAME "$(BOARD)"'; \
	   sed -n 's/^\(BOARD_[A-Z_0-9]*\) *:= *\(.*\)$$/#define \1 \2/p' $<; } > $@

$(KDIR)/obj/%.c.o: firmware/%.c $(KDIR)/board.h
	@mkdir -p $(@D)
	@echo "  AVR  $<"
	@$(AVR)gcc $(K_CFLAGS) -fstack-usage -MMD -MP -c -o $@ $<

$(KDIR)/obj/%.S.o: firmware/%.S $(KDIR)/board.h
	@mkdir -p $(@D)
	@echo "  AVR  $<"
	@$(AVR)gcc $(K_CFLAGS) -MMD -MP -c -o $@ $<

$(KDIR)/kernel.elf: $(K_OBJ)
	@echo "  LINK $@"
	@$(AVR)gcc $(K_LDFLAGS) -o $@ $^
	@$(AVR)size $@

$(KDIR)/kernel.hex: $(KDIR)/kernel.elf
	@$(AVR)objcopy -O ihex -R .eeprom $< $@

.PHONY: kernel
kernel: $(KDIR)/kernel.hex ## build the kernel for BOARD

-include $(K_OBJ:.o=.d)
