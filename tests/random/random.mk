# SPDX-License-Identifier: ISC
#
# What the random programs need (batch): their frame for Octix and for Linux in build/tests/random, and the comparison of their memory.
# Included by the top Makefile.

RANDOM_OUT    := build/tests/random
RANDOM_SRC    := tests/random
RANDOM_CFLAGS := -march=rv32em -mabi=ilp32e -Os -Wall -Wextra -Werror -Wno-unused-function -ffreestanding -fno-builtin \
	-fno-tree-loop-distribute-patterns -fno-asynchronous-unwind-tables -idirafter userland/include \
	-isystem /usr/lib/picolibc/riscv64-unknown-elf/include
RANDOM_FILES  := $(patsubst %,$(RANDOM_OUT)/%.o,octix linux plain) $(HOSTBIN)/samedata

TEST_FILES += $(RANDOM_FILES)

$(RANDOM_OUT)/octix.o $(RANDOM_OUT)/linux.o: $(RANDOM_SRC)/frame.c $(RANDOM_SRC)/frame.h tests/vm/insn/insn.h userland/include/octix/syscalls.def
$(RANDOM_OUT)/plain.o: $(RANDOM_SRC)/plain.c
$(RANDOM_OUT)/linux.o: RANDOM_CFLAGS += -DLINUX

$(RANDOM_OUT)/%.o:
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D) && $(RISCV)gcc $(RANDOM_CFLAGS) -c -o $@ $<

$(HOSTBIN)/samedata: $(RANDOM_SRC)/samedata.c userland/sdk/ops.h userland/include/octix/opcodes.def
	$(call say,HOSTCC,$@)
	$(Q)mkdir -p $(@D) && $(HOSTCC) $(HOSTCPPFLAGS) $(HOSTCFLAGS) -o $@ $<
