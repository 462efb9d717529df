# SPDX-License-Identifier: ISC
#
# The kernel of one board: build/$(BOARD)/kernel.elf and .hex. Included by the top Makefile.
# A board is boards/NAME.mk; every .c and .S in kernel/, vm/, fs/, drivers/ and without/ is part of the kernel, but for what the
# board leaves out, and what stands for parts that it has.
# KDIR and any BOARD_* may be given on the command line for a kernel of another shape (the bench does).

AVR  ?= avr-
KDIR ?= $(OUT)

# The optional parts of the kernel: BOARD_HAS_x := 0 in the board's file leaves out the sources of part x. Its system calls answer ENOSYS then
# (kernel/missing.c); rows of tables stand in PART(BOARD_HAS_x, row) (kernel/part.h). What the rest of the kernel calls of it has a short
# substitute, K_NOT_x.
K_PARTS       := TTY2 SEM POLL NICE USERS PROC OVERLAP QUICK WORDS UNICODE CLOCK MEM EEPROM GPIO ADC I2C SPI TEST
K_OF_TTY2     := firmware/drivers/uart1.c
K_OF_SEM      := firmware/kernel/sem.c
K_OF_POLL     := firmware/kernel/poll.c
K_OF_USERS    := firmware/fs/access.c firmware/fs/owner.c firmware/kernel/ids.c
K_NOT_USERS   := firmware/without/users.c
K_OF_PROC     := firmware/kernel/text.c
K_OF_OVERLAP  := firmware/vm/coming.c
K_NOT_OVERLAP := firmware/without/overlap.c
K_OF_QUICK    := firmware/kernel/quick.S
K_NOT_QUICK   := firmware/without/quick.S
K_OF_UNICODE  := firmware/fs/utf.c
K_NOT_UNICODE := firmware/without/unicode.c
K_OF_CLOCK    := firmware/drivers/eeprom.c
K_OF_NICE     := firmware/kernel/nice.c
K_OF_MEM      := firmware/drivers/mem.c
K_OF_EEPROM   := firmware/drivers/eepromdev.c
K_OF_GPIO     := firmware/drivers/gpio.c
K_OF_ADC      := firmware/drivers/adc.c
K_OF_I2C      := firmware/drivers/i2c.c
K_OF_SPI      := firmware/drivers/spidev.c
K_OF_TEST     := firmware/kernel/test.c

# $(call k_unused,PART): the sources of the part, or its substitute, that the board which has been read last does not take.
k_unused = $(if $(filter 0 1,$(BOARD_HAS_$(1))),$(if $(filter 0,$(BOARD_HAS_$(1))),$(K_OF_$(1)),$(K_NOT_$(1))),\
	$(error BOARD_HAS_$(1) must be 0 or 1 in firmware/boards/$(b).mk))
# K_WITHOUT_NAME: what board NAME leaves out; its own board is read last.
$(foreach b,$(filter-out $(BOARD),$(BOARDS)) $(BOARD),\
	$(foreach p,$(K_PARTS),$(eval BOARD_HAS_$(p) :=))\
	$(eval include firmware/boards/$(b).mk)\
	$(eval K_WITHOUT_$(b) := $(foreach p,$(K_PARTS),$(call k_unused,$(p)))))

K_SRC := $(sort $(wildcard $(addsuffix /*.[cS],$(addprefix firmware/,kernel vm fs drivers without))))
K_SRC := $(filter-out $(K_WITHOUT_$(BOARD)),$(K_SRC))
# The core first: its sections lie right behind the interrupt vectors, so that the gap before its table is the same in every build.
K_FIRST := firmware/vm/core.S
K_OBJ := $(patsubst firmware/%,$(KDIR)/obj/%.o,$(K_FIRST) $(filter-out $(K_FIRST),$(K_SRC)))
K_BOARD := $(sort $(filter BOARD_%,$(.VARIABLES)))

# The pool lies at the end of SRAM, the context slots (three pages each) below it, the stack below them. What is known about the frames
# (struct frame_rows) lies at the start of SRAM, in a page of its own, the other static data behind it.
K_POOL  := 0x800000 + $(BOARD_RAM_END) - $(BOARD_FRAMES) * $(BOARD_FRAME_SIZE)
K_SLOTS := $(K_POOL) - $(BOARD_SLOTS) * 768
K_ROWS  := 0x800000 + $(BOARD_RAM_START)
K_DATA  := $(K_ROWS) + 11 * $(BOARD_FRAMES) + 4

# BOARD_SMALL: 1 makes code small at the cost of speed. Else the way of a page fault has no calls to save registers, and nothing else inlined into it.
$(eval $(call host_program,oxoutline,firmware/small/oxoutline.c,))
K_SMALL_1  := -fno-expensive-optimizations -fno-early-inlining -ftoplevel-reorder
K_FAULT_1  :=
K_FAULT_0  := -fno-lto -mno-call-prologues
K_LINKER_1 := OXOUTLINE=$(HOSTBIN)/oxoutline $(AVR)gcc -Bfirmware/small/
K_LINKER_0 := $(AVR)gcc
K_LINK_1   := $(HOSTBIN)/oxoutline

# Found by trying all options of this compiler: each makes the whole smaller.
K_SMALL := -flto-partition=one -fira-algorithm=priority -fno-tree-forwprop -fno-toplevel-reorder -fno-ipa-cp -fno-tree-dominator-opts -fmerge-all-constants \
	-fno-tree-ccp -fno-tree-copyrename -fno-tree-pre -finline-limit=5 $(K_SMALL_$(BOARD_SMALL))
K_CFLAGS := -mmcu=$(BOARD_MCU) -DF_CPU=$(BOARD_F_CPU)UL -Os -g -std=gnu11 -Wall -Wextra -Werror -Wstrict-prototypes \
	-ffunction-sections -fdata-sections -fshort-enums -mcall-prologues -fno-tree-scev-cprop -mstrict-X -fno-move-loop-invariants \
	$(K_SMALL) -flto \
	-Ifirmware/kernel/avr -Ifirmware -Iuserland/include -I$(KDIR)
K_LDFLAGS := -mmcu=$(BOARD_MCU) -ffunction-sections -fdata-sections $(K_SMALL) -Wl,--gc-sections -Wl,--relax -Wl,-Map=$(KDIR)/kernel.map \
	-Wl,--defsym=frame_rows=$$(($(K_ROWS))) -Wl,--section-start=.data=$$(printf 0x%x $$(($(K_DATA)))) \
	-Wl,--defsym=pool_memory=$$(($(K_POOL))) -Wl,--defsym=slots=$$(($(K_SLOTS))) -Wl,--defsym=__stack=$$(($(K_SLOTS) - 1)) \
	-Wl,--defsym=stack_guard=_end

# Looked at each time: a BOARD_* on the command line may be another one than before.
.PHONY: .always
$(KDIR)/board.h: .always
	@mkdir -p $(@D)
	@{ echo '// Made from firmware/boards/$(BOARD).mk'; echo '#define BOARD_NAME "$(BOARD)"'; \
	   printf '#define %s %s\n' $(foreach v,$(K_BOARD),$(v) $($(v))); } > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(KDIR)/obj/%.c.o: firmware/%.c $(KDIR)/board.h firmware/firmware.mk
	$(call say,AVRCC,$<)
	$(Q)mkdir -p $(@D) && $(AVR)gcc $(K_CFLAGS) -fstack-usage -MMD -MP -c -o $@ $<

$(KDIR)/obj/%.S.o: firmware/%.S $(KDIR)/board.h firmware/firmware.mk
	$(call say,AVRAS,$<)
	$(Q)mkdir -p $(@D) && $(AVR)gcc $(K_CFLAGS) -MMD -MP -c -o $@ $<

$(KDIR)/kernel.elf: $(K_OBJ) firmware/vm/core.ld | $(K_LINK_$(BOARD_SMALL))
	$(call say,LINK,$@)
	$(Q)$(K_LINKER_$(BOARD_SMALL)) $(K_LDFLAGS) -o $@ $^
	$(Q)$(AVR)objcopy --dump-section .debug_asserts=$(@D)/asserts $@ $(@D)/copy && rm $(@D)/copy
	$(Q)firmware/asserts <$(@D)/asserts >$(@D)/kernel.asserts && rm $(@D)/asserts
	$(Q)$(AVR)nm $@ | firmware/limits $(BOARD) $(BOARD_FLASH_LIMIT) $(BOARD_STACK)

$(KDIR)/kernel.hex: $(KDIR)/kernel.elf
	$(Q)$(AVR)objcopy -O ihex -R .eeprom $< $@

KERNEL += $(KDIR)/kernel.hex

.PHONY: kernel
kernel: $(KDIR)/kernel.hex ## Build the kernel for BOARD

-include $(K_OBJ:.o=.d)

$(addprefix $(KDIR)/obj/,vm/pool.c.o vm/pager.c.o): K_CFLAGS += $(K_FAULT_$(BOARD_SMALL))
