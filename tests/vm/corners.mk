# SPDX-License-Identifier: ISC
#
# C's corners: build/tests/corners/NAME.LEVEL for each program and optimisation level, with NAME.expected from the host. Included by
# the top Makefile.

CORNER_OUT    := build/tests/corners
CORNER_SRC    := tests/vm/corners
CORNER_LEVELS := O0 O2 Os
CORNER_NAMES  := $(patsubst $(CORNER_SRC)/%.c,%,$(wildcard $(CORNER_SRC)/*.c))
CORNER_FLAGS  := -std=gnu11 -Wall -Wextra -Werror
CORNER_STACK  := --stack=16384
CORNER_STACK_stack := --stack=2048 --heap=1024 # a hole below the stack
CORNER_PROGRAMS := $(foreach l,$(CORNER_LEVELS),$(CORNER_NAMES:%=$(CORNER_OUT)/%.$(l)))

TEST_FILES += $(CORNER_PROGRAMS) $(patsubst %,$(CORNER_OUT)/%.expected,$(filter-out stack,$(CORNER_NAMES)))

$(CORNER_PROGRAMS): $(CORNER_OUT)/%: $(CORNER_SRC)/corner.h build/libc/crt0.o build/libc/libc-octix.a $(HOSTBIN)/oxpack

define corner_level
$(CORNER_NAMES:%=$(CORNER_OUT)/%.$(1)): $(CORNER_OUT)/%.$(1): $(CORNER_SRC)/%.c
	$$(Q)mkdir -p $$(@D) && scripts/octix cc $(CORNER_FLAGS) -$(1) $$(or $$(CORNER_STACK_$$*),$(CORNER_STACK)) -o $$@ $$<
endef
$(foreach l,$(CORNER_LEVELS),$(eval $(call corner_level,$(l))))

$(CORNER_OUT)/%.expected: $(CORNER_SRC)/%.c $(CORNER_SRC)/corner.h
	$(Q)mkdir -p $(@D) && $(HOSTCC) $(CORNER_FLAGS) -O1 -ffp-contract=off -o $@.host $< && $@.host >$@.new && mv $@.new $@
