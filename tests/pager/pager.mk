# SPDX-License-Identifier: ISC
#
# The kernel's pool and pager on the host, with sanitizers, for both frame sizes: build/host-asan/test/pagerrandom-BOARD.

PG_SOURCES := tests/pager/pagerrandom.c tests/host/soft.c firmware/vm/pool.c firmware/vm/blocks.c firmware/vm/coming.c firmware/vm/pager.c
PG_PROGRAMS := $(BOARDS:%=$(HK_OUT)/pagerrandom-%)

$(PG_PROGRAMS): $(HK_OUT)/pagerrandom-%: $(PG_SOURCES) build/tests/host/%/board.h build/tests/host/%/place tests/host/soft.h $(wildcard firmware/vm/*.h firmware/kernel/*.h)
	$(call say,HOSTCC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)gcc $(HK_KERNEL_FLAGS) -Ibuild/tests/host/$* @build/tests/host/$*/place -o $@ $(PG_SOURCES)

TEST_FILES += $(PG_PROGRAMS)
