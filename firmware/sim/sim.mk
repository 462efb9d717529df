# SPDX-License-Identifier: ISC
# The simulated board: oxsim and oxsmoke. Included by the top Makefile; also works alone:
#   make -f firmware/sim/sim.mk build/host/bin/oxsim
# SAN=1 builds with the address and undefined-behaviour sanitizers into build/host-asan.

ifdef SAN
SIM_ROOT := build/host-asan
SIM_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
SIM_BIN := $(SIM_ROOT)/bin
else
HOSTBIN ?= build/host/bin
SIM_ROOT := build/host
SIM_BIN := $(HOSTBIN)
endif

HOSTCC ?= cc
HOSTCFLAGS ?= -std=gnu17 -O2 -g -Wall -Wextra -Werror

SIM_OBJ := $(SIM_ROOT)/obj/sim
SIM_LIB := areas board chip console crc elfload image irq opcodes options report sdcard serial \
	spi spm terminal
SIM_SMOKE := smoke_file smoke_match smoke_output smoke_run
SIM_LIB_OBJS := $(SIM_LIB:%=$(SIM_OBJ)/%.o)
SIM_LIBS := -lsimavr -lelf

HOST_PROGRAMS += $(SIM_BIN)/oxsim $(SIM_BIN)/oxsmoke

$(SIM_BIN)/oxsim: $(SIM_OBJ)/oxsim.o $(SIM_LIB_OBJS)
$(SIM_BIN)/oxsmoke: $(SIM_OBJ)/oxsmoke.o $(SIM_SMOKE:%=$(SIM_OBJ)/%.o) $(SIM_LIB_OBJS)

$(SIM_BIN)/oxsim $(SIM_BIN)/oxsmoke:
	@mkdir -p $(@D)
	$(HOSTCC) $(HOSTCFLAGS) $(SIM_SAN) $(LDFLAGS) -o $@ $^ $(SIM_LIBS)

$(SIM_OBJ)/%.o: firmware/sim/%.c
	@mkdir -p $(@D)
	$(HOSTCC) $(HOSTCFLAGS) $(SIM_SAN) -D_GNU_SOURCE -MD -MP -c -o $@ $<

-include $(wildcard $(SIM_OBJ)/*.d)
