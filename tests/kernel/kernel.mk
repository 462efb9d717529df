# SPDX-License-Identifier: ISC
#
# Programs that attack and load the kernel: build/tests/kernel/NAME, and the watcher `isolation`. Included by the top Makefile.

KT_OUT  := build/tests/kernel
KT_SRC  := tests/kernel
KT_NAMES := $(patsubst $(KT_SRC)/c/%.c,%,$(wildcard $(KT_SRC)/c/*.c))
KT_FLAGS_calls := --heap=1024 # so that addresses between heap and stack are not there
KT_FILES := $(KT_NAMES:%=$(KT_OUT)/%) $(KT_OUT)/hostile.oxe $(HOSTBIN)/isolation

$(KT_NAMES:%=$(KT_OUT)/%): $(KT_OUT)/%: $(KT_SRC)/c/%.c build/libc/crt0.o build/libc/libc-octix.a $(HOSTBIN)/oxpack
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D) && scripts/octix cc -O2 -Wall -Wextra -Werror $(KT_FLAGS_$(@F)) --map=$@.map -o $@ $<
$(KT_OUT)/calls: $(KT_SRC)/tempting.h

$(KT_OUT)/hostile.oxe: $(HOSTBIN)/isolation
	$(Q)mkdir -p $(@D) && $< --make $@

# The watcher: like oxsim, with the library of firmware/sim.
KT_WATCHER := $(patsubst %,$(HOSTOBJ)/tests/kernel/%.o,isolation watch hostile) $(SIM_LIB:%=$(HOSTOBJ)/firmware/sim/%.o) \
	$(patsubst %,$(HOSTOBJ)/userland/sdk/%.o,oxefile ops diag noleaks)

$(HOSTBIN)/isolation: $(KT_WATCHER)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(HOSTCC) $(HOSTLDFLAGS) -o $@ $^ -lsimavr -lelf

-include $(KT_WATCHER:.o=.d)

# Kernels for tests (BOARD_HAS_TEST in boards/BOARD.mk): build/tests/kernel/BOARD/kernel.elf.
KT_KERNELS := $(BOARDS:%=$(KT_OUT)/%/kernel.elf)
ifeq ($(KDIR),$(OUT))
$(KT_KERNELS): $(KT_OUT)/%/kernel.elf: $(K_SRC) firmware/firmware.mk firmware/boards/%.mk tests/kernel/kernel.mk
	$(Q)$(MAKE) --no-print-directory BOARD=$* KDIR=$(@D) BOARD_HAS_TEST=1 BOARD_WATCHDOG=1 $@
KT_FILES += $(KT_KERNELS)
endif

TEST_FILES += $(KT_FILES)
