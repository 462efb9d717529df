# SPDX-License-Identifier: ISC
#
# The image tools and the image of a board.

IMAGE_LIB := firmware/fs/owner.c image/util.c image/fat.c image/fatdir.c image/fatedit.c image/fatcheck.c image/edit.c
IMAGE_TOOL := image/oximage.c image/look.c image/change.c image/layout.c image/write.c
$(eval $(call host_program,oximage,$(IMAGE_TOOL) image/device.c $(IMAGE_LIB),-lcrypto))
# The same tool, but devices are plain files: for the tests of the writer.
$(eval $(call test_program,oximage-fake,$(IMAGE_TOOL) tests/image/fake_device.c $(IMAGE_LIB),-lcrypto))
$(eval $(call test_program,bend,tests/image/bend.c image/util.c,-lcrypto))
$(HOSTOBJ)/tests/image/%.o: HOSTCPPFLAGS += -I.
# how owners are written
$(HOSTOBJ)/image/%.o $(HOSTOBJ)/firmware/fs/owner.o: HOSTCPPFLAGS += -Ifirmware

IMAGE       := $(OUT)/octix.img
IMAGE_TREE   = $(wildcard distro/root/* distro/root/*/* distro/root/*/*/*)

USERLAND += $(USERLAND_PROGRAMS)
KERNEL   += $(if $(KDIR),$(OUT)/kernel.elf $(OUT)/kernel.hex)

# More options of image/build, e.g. IMAGEFLAGS='--fat 32 --size 128M'.
IMAGEFLAGS ?=
IMAGE_OPTIONS = $(if $(USERLAND),--root build/userland/root) --root distro/root \
	$(addprefix --package ,$(PROFILE_PACKAGES)) $(addprefix --kernel ,$(filter %.elf,$(KERNEL))) $(IMAGEFLAGS)

# Changes when the image is to hold something else, though no file of it is newer.
$(OUT)/image.options: .always
	$(Q)mkdir -p $(@D) && echo '$(IMAGE_OPTIONS) $(sort $(USERLAND) $(IMAGE_TREE))' >$@.$$$$ && \
	    if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi
.PHONY: .always

# Programs whose source is gone are not part of the image.
$(IMAGE): $(HOSTBIN)/oximage image/build distro/folders distro/owners $(OUT)/image.options $(IMAGE_TREE) $(USERLAND) $(KERNEL)
	$(call say,IMAGE,$@)
	$(Q)find build/userland/root -type f | grep -vxF $(addprefix -e ,$(USERLAND)) | xargs -r rm -f
	$(Q)OCTIX_BIN=$(HOSTBIN) image/build $(IMAGE_OPTIONS) $@

.PHONY: image
image: all ## Build the image of the SD card (and what goes into it)

# Options of the simulator for `make run`, e.g. RUNFLAGS=--rw to keep changes.
RUNFLAGS ?=

.PHONY: run smoke size write
run: image ## Build all, boot the image in the simulated board, terminal attached (RUNFLAGS=--rw keeps changes)
	@$(HOSTBIN)/oxsim --board $(BOARD) $(RUNFLAGS) --card $(IMAGE) $(OUT)/kernel.elf

smoke: image ## Build all, boot the image in the simulated board and run the commands in tests/smoke
	@$(HOSTBIN)/oxsmoke --board $(BOARD) --kernel $(OUT)/kernel.elf $(IMAGE) $(wildcard tests/smoke/*.smoke)

size: image ## Print what the kernel takes of flash and SRAM, and the size of the programs
	@avr-size $(OUT)/kernel.elf
	@find build/userland/root -type f -size +1 -printf '%9s %P\n' | sort -rn

write: image ## Write the image to a card: DEV=/dev/sdX
	@scripts/octix image write $(IMAGE) $(if $(DEV),$(DEV),$(error write wants DEV=/dev/sdX))
