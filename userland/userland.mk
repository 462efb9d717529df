# SPDX-License-Identifier: ISC
#
# The C library and the programs of Octix. Included by the top Makefile; works alone: make -f userland/userland.mk
#
#   build/libc/                        crt0.o, libc-octix.a, nonative/libc-octix.a
#   build/userland/root/{bin,sbin}/    the programs, named as installed
#   build/userland/{elf,map}/          the same as ELF files, and the maps of oxpack
#
# A file in bin/ or sbin/ with a line COMMAND(...) becomes part of the multi-call program /bin/core and gets an alias;
# any other is a program of its own, as is each folder with a main.c (sh). Adding a command is adding a file.

BUILD ?= build
HOSTBIN ?= $(BUILD)/host/bin
OCTIX_CC := scripts/octix-cc
RISCV ?= riscv64-unknown-elf-

U_OUT := $(BUILD)/userland
U_ROOT := $(U_OUT)/root
U_WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
U_CC = OCTIX_BUILD=$(BUILD) OCTIX_OXPACK=$(HOSTBIN)/oxpack $(OCTIX_CC) -std=c11 -D_GNU_SOURCE $(U_WARN)

.PHONY: userland libc
userland: userland-programs ## the C library and the programs (build/userland/root)
libc: $(BUILD)/libc/crt0.o $(BUILD)/libc/libc-octix.a $(BUILD)/libc/nonative/libc-octix.a ## the C library for programs (build/libc)

# --- C library: picolibc's archive with our objects in place of what they replace -----------------------------------

LIBC_SRC := $(sort $(filter-out userland/libc/crt0.S userland/libc/natives.S,$(wildcard userland/libc/*.c userland/libc/*.S)))
LIBC_CALLS := $(shell sed -n 's/^SYSCALL.\([a-z0-9_]*\),.*/\1/p' userland/include/octix/syscalls.def)
LIBC_STUBS := $(LIBC_CALLS:%=$(BUILD)/libc/stubs/%.o)
LIBC_OBJ := $(patsubst userland/libc/%,$(BUILD)/libc/%.o,$(LIBC_SRC)) $(LIBC_STUBS)
PICOLIBC ?= /usr/lib/picolibc/riscv64-unknown-elf/lib/rv32em/ilp32e/libc.a

$(BUILD)/libc/stubs/.made: userland/libc/stubs.awk userland/include/octix/syscalls.def
	@mkdir -p $(@D)
	$(Q)awk -v DIR=$(@D) -f userland/libc/stubs.awk userland/include/octix/syscalls.def
	@touch $@

$(BUILD)/libc/stubs/%.o: $(BUILD)/libc/stubs/.made $(OCTIX_CC)
	$(Q)$(U_CC) -c -o $@ $(@:.o=.S)

$(BUILD)/libc/%.c.o: userland/libc/%.c $(OCTIX_CC)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(U_CC) -MD -MP -fno-builtin -c -o $@ $<

$(BUILD)/libc/%.S.o: userland/libc/%.S $(OCTIX_CC)
	@mkdir -p $(@D)
	$(Q)$(U_CC) -c -o $@ $<

$(BUILD)/libc/crt0.o: userland/libc/crt0.S $(OCTIX_CC)
	@mkdir -p $(@D)
	$(Q)$(U_CC) -c -o $@ $<

$(BUILD)/libc/libc-octix.a: $(LIBC_OBJ) $(BUILD)/libc/natives.S.o
$(BUILD)/libc/nonative/libc-octix.a: $(LIBC_OBJ)
$(BUILD)/libc/libc-octix.a $(BUILD)/libc/nonative/libc-octix.a: userland/libc/merge.sh
	@mkdir -p $(@D)
	$(call say,AR,$@)
	$(Q)sh userland/libc/merge.sh $(RISCV) $(PICOLIBC) $@ $(filter %.o,$^)

TEST_FILES += $(BUILD)/libc/nonative/libc-octix.a

# --- Programs ------------------------------------------------------------------------------------------------------

U_FOLDERS := $(filter-out sdk,$(patsubst userland/%/main.c,%,$(wildcard userland/*/main.c)))
U_SRC := $(sort $(wildcard userland/bin/*.c userland/sbin/*.c userland/*/main.c))
U_CORE_SRC := $(shell grep -l '^COMMAND\b' $(U_SRC) /dev/null)
U_OWN_SRC := $(filter-out $(U_CORE_SRC) %/main.c,$(U_SRC))
U_OWN := $(patsubst userland/%.c,$(U_ROOT)/%,$(U_OWN_SRC))
U_ALIASES := $(patsubst userland/%.c,$(U_ROOT)/%,$(U_CORE_SRC))
USERLAND_PROGRAMS := $(U_OWN) $(U_FOLDERS:%=$(U_ROOT)/bin/%) $(U_ALIASES) $(if $(U_CORE_SRC),$(U_ROOT)/bin/core)
U_CORE_OBJ := $(patsubst userland/%.c,$(U_OUT)/obj/%.o,$(U_CORE_SRC)) $(U_OUT)/obj/core/core.o $(U_OUT)/obj/core/util.o $(U_OUT)/obj/core/tree.o $(U_OUT)/obj/core/pins.o

USERLAND += $(USERLAND_PROGRAMS)

.PHONY: userland-programs
userland-programs: $(USERLAND_PROGRAMS)

U_LIBS := $(BUILD)/libc/crt0.o $(BUILD)/libc/libc-octix.a userland/sdk/octix.ld

$(U_OUT)/obj/%.o: userland/%.c $(OCTIX_CC)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(U_CC) -Iuserland/core -MD -MP -c -o $@ $<

$(U_OWN): $(U_ROOT)/%: $(U_OUT)/obj/%.o $(U_LIBS) $(HOSTBIN)/oxpack
	@mkdir -p $(@D) $(U_OUT)/elf $(U_OUT)/map
	$(call say,LINK,$@)
	$(Q)$(U_CC) $(U_LINK_$(@F)) --elf=$(U_OUT)/elf/$(@F).elf --map=$(U_OUT)/map/$(@F).map -o $@ $<

# What oxpack lays a program of a folder out by: see profiles.sh.
U_PROFILE = $(patsubst %,--profile=%,$(wildcard userland/$(1)/profile))

# Files whose constants are seldom needed stand behind the others: then those that every line needs lie in few pages.
U_SELDOM_sh := builtin wait test trap options here function arith

U_ORDER = $(filter-out $(U_SELDOM_$(1):%=userland/$(1)/%.c),$(sort $(wildcard userland/$(1)/*.c))) $(U_SELDOM_$(1):%=userland/$(1)/%.c)

# A program made from a folder.
define U_FOLDER
$(U_ROOT)/bin/$(1): $(wildcard userland/$(1)/profile) $(patsubst userland/%.c,$(U_OUT)/obj/%.o,$(call U_ORDER,$(1))) $(U_LIBS) $(HOSTBIN)/oxpack
	@mkdir -p $$(@D) $(U_OUT)/elf $(U_OUT)/map
	$$(call say,LINK,$$@)
	$$(Q)$$(U_CC) $(U_LINK_$(1)) $(call U_PROFILE,$(1)) --elf=$(U_OUT)/elf/$(1).elf --map=$(U_OUT)/map/$(1).map -o $$@ $$(filter $(U_OUT)/obj/%.o,$$^)
endef
$(foreach folder,$(U_FOLDERS),$(eval $(call U_FOLDER,$(folder))))

$(U_ROOT)/bin/core: $(U_CORE_OBJ) $(U_LIBS) $(HOSTBIN)/oxpack $(wildcard userland/core/profile)
	@mkdir -p $(@D) $(U_OUT)/elf $(U_OUT)/map
	$(call say,LINK,$@)
	$(Q)$(U_CC) $(U_LINK_core) $(call U_PROFILE,core) --elf=$(U_OUT)/elf/core.elf --map=$(U_OUT)/map/core.map -o $@ $(U_CORE_OBJ)

$(U_ALIASES): $(HOSTBIN)/oxpack
	@mkdir -p $(@D)
	$(Q)$(HOSTBIN)/oxpack --alias /bin/core -o $@

.PHONY: profiles
profiles: deps ## Record again by what the shell and the commands are laid out (userland/*/profile)
	+@$(SHARED)
	$(Q)HOSTBIN=$(HOSTBIN) userland/profiles.sh $(BUILD)

.PHONY: choose
choose: deps ## Tell what each opcode is worth, and choose among them: OPCODES= or FLASH=, then SET=FILE, VALIDATE=1
	$(if $(SET)$(VALIDATE),$(if $(OPCODES)$(FLASH),,$(error SET= and VALIDATE= need a number to choose: OPCODES=N or FLASH=BYTES)))
	+@$(SHARED)
	+@$(MAKE) $(JOBS) .board
	+@$(LOCKED) .bench
	$(Q)HOSTBIN=$(HOSTBIN) userland/choose.sh $(BUILD) $(BOARD) $(if $(OPCODES),--opcodes $(OPCODES)) $(if $(FLASH),--flash $(FLASH)) \
		$(if $(SET),--set $(SET)) $(if $(VALIDATE),--validate)

# The table of commands: one row each, in the order of their names, from the files' own COMMAND lines.
$(U_OUT)/commands.h: $(U_SRC)
	@mkdir -p $(@D)
	$(Q)sed -n 's/^COMMAND(\(.*\)/ROW(\1/p; s/^PROGRAM(\(.*\);$$/OWN(\1/p' $(U_SRC) | LC_ALL=C sort -k1.5 >$@.new
	$(Q)cmp -s $@.new $@ || cp $@.new $@
	@rm -f $@.new
	@touch $@

$(U_OUT)/obj/core/core.o: userland/core/core.c $(U_OUT)/commands.h $(OCTIX_CC)
	@mkdir -p $(@D)
	$(Q)$(U_CC) -Iuserland/core -I$(U_OUT) -MD -MP -c -o $@ $<

-include $(wildcard $(BUILD)/libc/*.d $(U_OUT)/obj/*/*.d)
