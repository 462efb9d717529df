# SPDX-License-Identifier: ISC
#
# Octix: a list of goals. `make help` explains each; the rules stand in the fragments included below.
#
#   BOARD=m1284p|mega2560|nano   PROFILE=minimal|standard   V=1 shows commands   SAN=1 builds the host tools under ASan and UBSan
#
# For fragments:
#  - paths are relative to the top folder; nothing may be run while the makefile is read ($(shell ...)): tools may not be installed yet.
#  - $(eval $(call host_program,NAME,SOURCES.c,LIBS)) makes $(HOSTBIN)/NAME and adds it to HOST_PROGRAMS; objects lie in $(HOSTOBJ).
#  - $(eval $(call host_test,NAME,SOURCES.c,LIBS)) makes $(HOSTTEST)/NAME, a unit test that prints TAP; `make test` builds it under
#    the sanitizers and runs it. test_program is the same for a program that BATS suites call.
#  - add to USERLAND what goes into the image (below build/userland/root; other files there are deleted), to KERNEL what the board needs (below build/$(BOARD)),
#    to TEST_FILES what only tests need. BATS suites are found by themselves: tests/*.bats and tests/*/*.bats.
#  - a goal is `name: ## one line of help`.

BOARD   ?= m1284p
PROFILE ?= standard
BOARDS  := $(patsubst firmware/boards/%.mk,%,$(wildcard firmware/boards/*.mk))
ifeq ($(filter $(BOARD),$(BOARDS)),)
$(error there is no board '$(BOARD)'; there are: $(BOARDS))
endif
ifeq ($(wildcard distro/profiles/$(PROFILE)),)
$(error there is no profile '$(PROFILE)'; there are: $(notdir $(wildcard distro/profiles/*)))
endif
OUT     := build/$(BOARD)

ifeq ($(SAN),1)
HOST     := build/host-asan
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else
HOST     := build/host
SANFLAGS :=
endif
HOSTBIN  := $(HOST)/bin
HOSTOBJ  := $(HOST)/obj
HOSTTEST := $(HOST)/test
HOSTCC   := gcc
HOSTCFLAGS   := -std=gnu17 -O2 -g -Wall -Wextra -Werror $(SANFLAGS)
# headers of the C library there must not win over those of this machine
HOSTCPPFLAGS := -D_GNU_SOURCE -idirafter userland/include
HOSTLDFLAGS  := $(SANFLAGS)

HOST_PROGRAMS :=
HOST_TESTS    :=
USERLAND      :=
KERNEL        :=
PACKAGES      :=
TEST_PROGRAMS :=
TEST_FILES    :=

ifeq ($(V),1)
Q   :=
say := @:
else
Q   := @
say = @printf '  %-8s %s\n' $(1) $(2)
endif

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# $(call host_program,NAME,SOURCES,LIBS)
define host_program
HOST_PROGRAMS += $$(HOSTBIN)/$(1)
$$(HOSTBIN)/$(1): $$(patsubst %.c,$$(HOSTOBJ)/%.o,$(2))
	$$(call say,LINK,$$@)
	$$(Q)mkdir -p $$(@D) && $$(HOSTCC) $$(HOSTLDFLAGS) -o $$@ $$^ $(3)
-include $$(patsubst %.c,$$(HOSTOBJ)/%.d,$(2))
endef

# $(call host_test,NAME,SOURCES,LIBS)
define host_test
HOST_TESTS += $$(HOSTTEST)/$(1)
$$(HOSTTEST)/$(1): $$(patsubst %.c,$$(HOSTOBJ)/%.o,$(2))
	$$(call say,LINK,$$@)
	$$(Q)mkdir -p $$(@D) && $$(HOSTCC) $$(HOSTLDFLAGS) -o $$@ $$^ $(3)
-include $$(patsubst %.c,$$(HOSTOBJ)/%.d,$(2))
endef

# $(call test_program,NAME,SOURCES,LIBS): a program that only tests use
define test_program
TEST_PROGRAMS += $$(HOSTTEST)/$(1)
$$(HOSTTEST)/$(1): $$(patsubst %.c,$$(HOSTOBJ)/%.o,$(2))
	$$(call say,LINK,$$@)
	$$(Q)mkdir -p $$(@D) && $$(HOSTCC) $$(HOSTLDFLAGS) -o $$@ $$^ $(3)
-include $$(patsubst %.c,$$(HOSTOBJ)/%.d,$(2))
endef

$(HOSTOBJ)/%.o: %.c
	$(call say,HOSTCC,$<)
	$(Q)mkdir -p $(@D) && $(HOSTCC) $(HOSTCPPFLAGS) $(HOSTCFLAGS) -MD -MP -c -o $@ $<

-include firmware/firmware.mk
-include firmware/sim/sim.mk
-include userland/sdk/sdk.mk
-include userland/userland.mk
-include image/image.mk
-include distro/distro.mk
-include tests/vm/vm.mk
-include tests/vm/corners.mk
-include tests/host/host.mk
-include tests/fs/fs.mk
-include tests/pager/pager.mk
-include tests/tty/tty.mk
-include tests/bench/bench.mk
-include tests/kernel/kernel.mk
-include tests/kernel/host/host.mk
-include tests/random/random.mk
-include tests/systest/systest.mk

# A goal of the user builds in three steps: dependencies; then, one make at a time (two boards may be built at once), what
# the boards share; then what belongs to the board.
JOBS    = $(if $(findstring -j,$(MAKEFLAGS)),,-j$$(nproc)) --output-sync=target --no-print-directory
LOCKED  = mkdir -p build && flock build/.lock $(MAKE) $(JOBS)
SHARED  = $(LOCKED) .shared
FOR_ALL = $(foreach b,$(BOARDS),$(MAKE) $(JOBS) BOARD=$(b) .board &&) :

.PHONY: .host .shared .board .tests .san .run-tests
.host:   $(HOST_PROGRAMS); @:
.shared: $(HOST_PROGRAMS) $(USERLAND) $(PACKAGES); @:
.board:  $(KERNEL) $(IMAGE); @:
.tests:  $(TEST_FILES); @:
.san:    $(HOST_PROGRAMS) $(HOST_TESTS) $(TEST_PROGRAMS); @:
.run-tests:
	@tests/run $(HOST_TESTS)

.PHONY: all host deps test clean help
all: deps ## Build everything for BOARD
	+@$(SHARED)
	+@$(MAKE) $(JOBS) .board

host: deps ## Build the tools that run on this machine
	+@$(LOCKED) .host

deps: ## Install the Debian packages that are missing
	@scripts/deps

test: deps ## Build everything for all boards and run the tests; the last line is `N passed, N failed`
	+@$(SHARED)
	+@$(FOR_ALL)
	+@$(LOCKED) .tests
	+@$(LOCKED) SAN=1 .san
	@$(MAKE) --no-print-directory SAN=1 .run-tests

# What the suites read from the environment; each can be set by hand for a run of its own.
LONG := TEST_LONG=1 FUZZ_RUNS=200000 FUZZ_SEEDS=400 RANDOM_RUNS=10000 ISOLATION_PAGES=100000 CALLS_BATCHES=850 PAGER_RUNS=10000 \
	HOST_RUNS=3000 HOST_STORM=3600

test-long: deps ## The tests with long fuzzing and soak runs: an hour or more on two cores
	+@env $(LONG) $(MAKE) --no-print-directory test

# What `octix` needs of this tree, for install.
PREFIX  ?= /usr/local
INSTALL := scripts firmware/errors $(addprefix firmware/,kernel/phrases.h kernel/print.h kernel/why.def drivers/sd.c fs/mount.c) image/build distro userland/sdk/octix.ld userland/include LICENSE README.md build/host/bin build/libc \
	build/packages build/userland/root build/userland/map $(addprefix $(OUT)/,kernel.elf kernel.hex octix.img octix.img.sha256 octix.img.manifest.json)

install: image ## Install octix, the compiler wrapper and what BOARD has built: PREFIX=/usr/local DESTDIR=
	$(Q)mkdir -p '$(DESTDIR)$(PREFIX)/lib/octix' '$(DESTDIR)$(PREFIX)/bin'
	$(Q)tar -cf - $(wildcard $(INSTALL)) | tar -xf - -C '$(DESTDIR)$(PREFIX)/lib/octix'
	$(Q)ln -sfn ../lib/octix/scripts/octix '$(DESTDIR)$(PREFIX)/bin/octix'

flash: kernel ## Flash the kernel to the board by its boot loader: PORT=/dev/ttyUSB0
	@scripts/flash '$(PORT)' $(OUT)/kernel.hex $(FLASH_WITH)

clean: ## Delete everything that was built, but not the cache of fetched sources
	$(Q)[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name cache -exec rm -rf {} +

help: ## Show this list
	@echo 'Octix: make GOAL [BOARD=$(BOARD)] [PROFILE=$(PROFILE)]   boards: $(BOARDS)'
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort -u | \
	    awk -F '\t' '{ printf "  %-14s %s\n", $$1, $$2 }'
