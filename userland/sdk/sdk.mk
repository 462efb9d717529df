# SPDX-License-Identifier: ISC
#
# Host tools of the SDK: oxpack, oxdump, oxrun, oxchoose. Included by the top Makefile; also works alone:
#   make -f userland/sdk/sdk.mk            (SAN=1: with the sanitizers, in build/host-asan)

HOSTCC ?= cc
HOSTCFLAGS ?= -std=gnu17 -O2 -g -Wall -Wextra -Werror
ifeq ($(SAN),1)
SDK_HOST ?= build/host-asan
SDK_SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined
else
SDK_HOST ?= build/host
SDK_SANITIZE =
endif
HOSTBIN ?= $(SDK_HOST)/bin
SDK_BIN = $(if $(filter 1,$(SAN)),$(SDK_HOST)/bin,$(HOSTBIN))
SDK_OBJ = $(SDK_HOST)/obj/sdk
SDK_SRC = userland/sdk
# The libc's headers in userland/include come after the host's own: only octix/ is wanted from there.
SDK_CFLAGS = $(HOSTCFLAGS) $(SDK_SANITIZE) -D_GNU_SOURCE -idirafter userland/include -I$(SDK_SRC) -MD -MP

SDK_FILE = diag noleaks ops oxefile
# What oxpack does up to the choice of bytecodes.
SDK_SELECT = passes opset text relocs units fold combine zeros liveness frames split order select acc forms fused elfin decode profile $(SDK_FILE)
SDK_oxpack = oxpack $(SDK_SELECT) arrange layout emit verify mapfile stats codecheck
SDK_oxchoose = oxchoose worth handlersize counts symbols $(SDK_SELECT)
SDK_oxdump = oxdump disasm symbols codecheck $(SDK_FILE)
SDK_oxrun = oxrun vm vmops space refs sys sysfile sysids sysproc syssem systty trace calltrace hot disasm symbols record counts profile $(SDK_FILE)
SDK_TOOLS = oxpack oxdump oxrun oxchoose
SDK_PROGRAMS = $(SDK_TOOLS:%=$(SDK_BIN)/%)

HOST_PROGRAMS += $(SDK_PROGRAMS)

.PHONY: sdk
sdk: $(SDK_PROGRAMS)

define sdk_program
$(SDK_BIN)/$(1): $(SDK_$(1):%=$(SDK_OBJ)/%.o)
	@mkdir -p $$(@D)
	$(HOSTCC) $(HOSTCFLAGS) $(SDK_SANITIZE) -o $$@ $$^ $(2)
endef
$(eval $(call sdk_program,oxpack,-lelf))
$(eval $(call sdk_program,oxchoose,-lelf))
$(eval $(call sdk_program,oxdump,))
$(eval $(call sdk_program,oxrun,))

$(SDK_OBJ)/%.o: $(SDK_SRC)/%.c
	@mkdir -p $(@D)
	$(HOSTCC) $(SDK_CFLAGS) -c -o $@ $<

-include $(wildcard $(SDK_OBJ)/*.d)
