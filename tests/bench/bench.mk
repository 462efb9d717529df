# SPDX-License-Identifier: ISC
#
# `make bench`: builds the bench programs, runs them in the simulator, prints each figure beside its limit, and writes
# build/BOARD/bench.json. tests/bench/run does the measuring.

B_OUT    := build/bench
B_SRC    := tests/bench/programs
B_NAMES  := sieve crc32 crctab qsort matmul strings wc expr sortl printf core
B_PAGED  := core printf sortl
B_TOOLS  := divide fault faults fork hello inorder long64 overlap pipe procs sem switch syscall tick
B_CC      = scripts/octix cc -O2 -Wall -Wextra -I$(B_SRC)
B_HOST   := $(HOSTBIN)/rv32ref $(HOSTBIN)/pagesim
B_LIBC   := build/libc/crt0.o build/libc/libc-octix.a build/libc/nonative/libc-octix.a

# Programs: NAME.plain (no native bytecodes; its ELF for the reference interpreter), NAME.native, NAME.once (faults and
# all), NAME.avr.BOARD (the chip's own code).
B_FILES := $(foreach n,$(B_NAMES),$(B_OUT)/$(n).plain $(B_OUT)/$(n).native $(B_OUT)/$(n).avr.$(BOARD)) \
	$(B_PAGED:%=$(B_OUT)/%.once) $(B_TOOLS:%=$(B_OUT)/%)

$(B_OUT)/%.plain: $(B_SRC)/%.c $(B_SRC)/main.c $(B_SRC)/bench.h $(B_LIBC) $(HOSTBIN)/oxpack
	$(call say,BENCH,$@)
	$(Q)mkdir -p $(@D) && $(B_CC) --no-natives --elf=$@.elf -o $@ $(filter %.c,$^)

$(B_OUT)/%.native: $(B_SRC)/%.c $(B_SRC)/main.c $(B_SRC)/bench.h $(B_LIBC) $(HOSTBIN)/oxpack
	$(Q)mkdir -p $(@D) && $(B_CC) -o $@ $(filter %.c,$^)

$(B_OUT)/%.once: $(B_SRC)/%.c $(B_SRC)/once.c $(B_SRC)/bench.h $(B_LIBC) $(HOSTBIN)/oxpack
	$(Q)mkdir -p $(@D) && $(B_CC) --no-natives --elf=$@.elf -o $@ $(filter %.c,$^)

$(B_OUT)/%.avr.$(BOARD): $(B_SRC)/%.c $(B_SRC)/avr_main.c $(B_SRC)/bench.h
	$(Q)mkdir -p $(@D) && $(AVR)gcc -mmcu=$(BOARD_MCU) -O2 -std=gnu11 -Wall -Wextra -I$(B_SRC) -o $@ $(filter %.c,$^)

$(B_TOOLS:%=$(B_OUT)/%): $(B_OUT)/%: tests/bench/%.c $(B_LIBC) $(HOSTBIN)/oxpack
	$(Q)mkdir -p $(@D) && $(B_CC) --elf=$@.elf -o $@ $<

$(HOSTBIN)/pagesim: tests/bench/pagesim.c
	$(Q)mkdir -p $(@D) && $(HOSTCC) -std=gnu17 -O2 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ $<

# Kernels with pools of N * 512 bytes, for the paged runs.
B_KERNELS := $(BENCH_FRAMES:%=$(B_OUT)/$(BOARD)-%/kernel.elf)
ifeq ($(KDIR),$(OUT))
$(B_KERNELS): $(B_OUT)/$(BOARD)-%/kernel.elf: $(K_SRC) firmware/firmware.mk
	$(Q)$(MAKE) --no-print-directory KDIR=$(@D) BOARD_FRAMES=$$((512 * $* / $(BOARD_FRAME_SIZE))) BOARD_PROCS=4 $@
endif

# Kernels for the plot of faults: one process, so that large pools fit.
B_PLOT_KERNELS := $(PLOT_FRAMES:%=$(B_OUT)/$(BOARD)-plot-%/kernel.elf)
ifeq ($(KDIR),$(OUT))
$(B_PLOT_KERNELS): $(B_OUT)/$(BOARD)-plot-%/kernel.elf: $(K_SRC) firmware/firmware.mk
	$(Q)$(MAKE) --no-print-directory KDIR=$(@D) BOARD_FRAMES=$* BOARD_SLOTS=1 BOARD_PROCS=1 $@
endif

# The tests measure the board of this build.
TEST_FILES += $(if $(filter $(KDIR),$(OUT)),$(B_FILES) $(B_KERNELS) $(B_HOST))

.PHONY: .bench .plots bench bench-plots bench-compare
.bench: $(B_FILES) $(B_KERNELS) $(B_HOST); @:

bench: deps ## Measure speed and size in the simulator: build/BOARD/bench.json
	+@$(SHARED)
	+@$(MAKE) $(JOBS) .board
	+@$(LOCKED) .bench
	@tests/bench/run $(BOARD)

.plots: $(B_PLOT_KERNELS); @:

bench-plots: bench ## Draw build/BOARD/plots/*.png: cycles an instruction by program, faults against frames
	@scripts/deps --plots
	+@$(LOCKED) .plots
	@tests/bench/plots $(BOARD) $(PLOT_FRAMES)

bench-compare: bench ## Print the figures beside those of another commit: REF=
	@tests/bench/compare $(BOARD) '$(REF)'
