# SPDX-License-Identifier: ISC
#
# The whole kernel as a program of the host, with sanitizers: build/host-asan/test/oxkernel-BOARD. Included by the top Makefile.
# Left out are the assembly (core, soft faults, tick) and the card driver; tests/kernel/host stands for them.

OK_SRC := $(wildcard tests/kernel/host/*.c) tests/host/soft.c firmware/drivers/uart.c firmware/drivers/uart0.c firmware/drivers/eepromdev.c \
	$(wildcard firmware/kernel/*.c firmware/fs/*.c firmware/vm/*.c firmware/without/*.c) \
	userland/sdk/vmops.c userland/sdk/ops.c
OK_PROGRAMS := $(BOARDS:%=$(HK_OUT)/oxkernel-%)

.PHONY: oxkernel
oxkernel: $(OK_PROGRAMS) ## The kernel as a program of this machine, under sanitizers

define ok_board
OK_OBJ_$(1) := $$(patsubst %.c,build/host-asan/kernel/$(1)/%.o,$$(filter-out $$(K_WITHOUT_$(1)),$$(OK_SRC)))

build/host-asan/kernel/$(1)/%.o: %.c build/tests/host/$(1)/board.h
	$$(call say,HOSTCC,$$<)
	$$(Q)mkdir -p $$(@D) && gcc -Itests/kernel/host/instead $$(HK_KERNEL_FLAGS) -DOS_task= -Ibuild/tests/host/$(1) -MD -MP -c -o $$@ $$<

# Not the kernel's, and most of the time is spent there.
$$(addprefix build/host-asan/kernel/$(1)/tests/kernel/host/,card.o check.o): HK_KERNEL_FLAGS += -O2 -fno-sanitize=all
build/host-asan/kernel/$(1)/firmware/kernel/main.o: HK_KERNEL_FLAGS += -Dmain=kernel_main

$$(HK_OUT)/oxkernel-$(1): $$(OK_OBJ_$(1)) build/tests/host/$(1)/place
	$$(call say,LINK,$$@)
	$$(Q)mkdir -p $$(@D) && gcc $$(HK_SANITIZE) -no-pie @build/tests/host/$(1)/place -o $$@ $$(OK_OBJ_$(1))

-include $$(OK_OBJ_$(1):.o=.d)
endef
$(foreach b,$(BOARDS),$(eval $(call ok_board,$(b))))

TEST_FILES += $(OK_PROGRAMS)
