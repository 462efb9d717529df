# SPDX-License-Identifier: ISC
#
# systest: build/tests/systest/systest for Octix, $(HOSTTEST)/systest for this machine. Included by the top Makefile.

ST_OUT := build/tests/systest
ST_AREAS := $(sort $(filter-out %/port_octix.c %/port_linux.c,$(wildcard tests/systest/*.c)))
ST_OBJ := $(patsubst tests/systest/%.c,$(ST_OUT)/%.o,$(ST_AREAS) tests/systest/port_octix.c)

$(ST_OUT)/%.o: tests/systest/%.c scripts/octix-cc
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D) && scripts/octix-cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -MMD -MP -c -o $@ $<

# With a heap limit, so that addresses between heap and stack are not there.
$(ST_OUT)/systest: $(ST_OBJ) build/libc/crt0.o build/libc/libc-octix.a $(HOSTBIN)/oxpack
	$(call say,LINK,$@)
	$(Q)scripts/octix-cc --heap=12288 --elf=$@.elf --map=$@.map -o $@ $(ST_OBJ)

-include $(ST_OBJ:.o=.d)

TEST_FILES += $(ST_OUT)/systest

# NULL is passed on purpose where a header says that it must not be.
$(eval $(call test_program,systest,$(ST_AREAS) tests/systest/port_linux.c))
$(HOSTOBJ)/tests/systest/%.o: HOSTCFLAGS += -fno-sanitize=nonnull-attribute
