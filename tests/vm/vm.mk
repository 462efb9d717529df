# SPDX-License-Identifier: ISC
#
# Test programs for the bytecode: build/tests/vm/NAME.oxe with NAME.expected, and fault-NAME.oxe. Included by the top Makefile;
# works alone after `make -f userland/sdk/sdk.mk`: make -f tests/vm/vm.mk

HOSTCC ?= cc
HOSTCFLAGS ?= -std=gnu17 -O2 -g -Wall -Wextra -Werror
HOSTBIN ?= build/host/bin
RISCV_CC ?= riscv64-unknown-elf-gcc
QEMU_RV32 ?= qemu-riscv32

VM_OUT = build/tests/vm
VM_SRC = tests/vm
VM_INSN = $(patsubst $(VM_SRC)/insn/%.c,%,$(wildcard $(VM_SRC)/insn/*.c))
VM_FAULT = $(patsubst $(VM_SRC)/fault/%.c,fault-%,$(wildcard $(VM_SRC)/fault/*.c))
VM_CFLAGS = -march=rv32em -mabi=ilp32e -Os -std=gnu17 -Wall -Wextra -Werror -ffreestanding -fno-builtin -ffunction-sections \
	-fno-schedule-insns -fno-schedule-insns2 -fno-common -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns \
	-idirafter userland/include -nostdlib -Wno-unused-function
VM_LINK = -T userland/sdk/octix.ld -Wl,--emit-relocs,--no-relax,--no-warn-rwx-segments,--build-id=none
VM_PROGRAMS = $(VM_INSN:%=$(VM_OUT)/%.oxe) $(VM_FAULT:%=$(VM_OUT)/%.oxe)
VM_EXPECTED = $(VM_INSN:%=$(VM_OUT)/%.expected)

TEST_FILES += $(VM_PROGRAMS) $(VM_EXPECTED) $(HOSTBIN)/rv32ref $(HOSTBIN)/oxfuzz
.PHONY: vm-tests
vm-tests: $(VM_PROGRAMS) $(VM_EXPECTED) $(HOSTBIN)/rv32ref $(HOSTBIN)/oxfuzz

$(VM_OUT)/%.elf: $(VM_SRC)/insn/%.c $(wildcard $(VM_SRC)/insn/*.h) userland/sdk/octix.ld userland/include/octix/syscalls.def
	@mkdir -p $(@D)
	$(RISCV_CC) $(VM_CFLAGS) $(VM_LINK) -o $@ $<

$(VM_OUT)/fault-%.elf: $(VM_SRC)/fault/%.c $(wildcard $(VM_SRC)/insn/*.h) userland/sdk/octix.ld userland/include/octix/syscalls.def
	@mkdir -p $(@D)
	$(RISCV_CC) $(VM_CFLAGS) -I$(VM_SRC)/insn $(VM_LINK) -o $@ $<

$(VM_PROGRAMS): $(VM_OUT)/%.oxe: $(VM_OUT)/%.elf $(HOSTBIN)/oxpack
	$(HOSTBIN)/oxpack --map $(VM_OUT)/$*.map -o $@ $<

# The same source as a Linux program: what real RISC-V instructions do.
$(VM_OUT)/%.linux: $(VM_SRC)/insn/%.c $(wildcard $(VM_SRC)/insn/*.h) userland/include/octix/syscalls.def
	@mkdir -p $(@D)
	$(RISCV_CC) $(VM_CFLAGS) -DLINUX -Wl,--no-relax,--no-warn-rwx-segments -o $@ $<

$(VM_OUT)/%.expected: $(VM_OUT)/%.linux
	$(QEMU_RV32) $< >$@.new && mv $@.new $@

# Host tools of the tests share the SDK's objects.
VM_HOST_CFLAGS = $(HOSTCFLAGS) $(SDK_SANITIZE) -D_GNU_SOURCE -idirafter userland/include -Iuserland/sdk
VM_SDK_rv32ref = elfin decode space refs sys sysfile sysids sysproc diag noleaks ops oxefile
VM_SDK_oxfuzz = vm vmops trace calltrace disasm symbols record counts profile space refs sys sysfile sysids sysproc diag noleaks ops oxefile

$(HOSTBIN)/rv32ref: $(VM_SRC)/rv32ref.c $(VM_SDK_rv32ref:%=userland/sdk/%.c) $(wildcard userland/sdk/*.h)
	@mkdir -p $(@D)
	$(HOSTCC) $(VM_HOST_CFLAGS) -o $@ $(filter %.c,$^) -lelf

$(HOSTBIN)/oxfuzz: $(VM_SRC)/oxfuzz.c $(VM_SDK_oxfuzz:%=userland/sdk/%.c) $(wildcard userland/sdk/*.h) userland/include/octix/opcodes.def
	@mkdir -p $(@D)
	$(HOSTCC) $(HOSTCFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all -D_GNU_SOURCE -idirafter userland/include \
		-Iuserland/sdk -o $@ $(filter %.c,$^)

COMMA := ,

# oxpack with faults built in, under the top Makefile.
$(eval $(call test_program,badpack,$(VM_SRC)/badpack.c $(SDK_oxpack:%=userland/sdk/%.c),-lelf -Wl$(COMMA)--wrap=layout$(COMMA)--wrap=emit))
