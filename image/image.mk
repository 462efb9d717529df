# SPDX-License-Identifier: ISC
#
# The image tools and the image of a board.

IMAGE_LIB := image/util.c image/fat.c image/fatdir.c image/fatedit.c image/fatcheck.c image/edit.c
$(eval $(call host_program,oximage,image/oximage.c image/look.c image/change.c image/layout.c image/write.c image/device.c $(IMAGE_LIB),-lcrypto))

IMAGE       := $(OUT)/octix.img
IMAGE_TREE   = $(wildcard distro/root/* distro/root/*/* distro/root/*/*/*)

USERLAND += $(USERLAND_PROGRAMS)

# The userland's tree is only there when a fragment builds it.
IMAGE_ROOT_OPTIONS = $(if $(USERLAND),--root build/userland/root) --root distro/root

$(IMAGE): $(HOSTBIN)/oximage image/build distro/folders $(IMAGE_TREE) $(USERLAND) $(KERNEL)
	$(call say,IMAGE,$@)
	$(Q)OCTIX_BIN=$(HOSTBIN) image/build $(IMAGE_ROOT_OPTIONS) $(addprefix --package ,$(PROFILE_PACKAGES)) \
	    $(addprefix --kernel ,$(filter %.elf,$(KERNEL))) $@

.PHONY: image .image
image: deps ## Build the image of the SD card (and what goes into it)
	+@$(SHARED)
	+@$(MAKE) $(JOBS) .image
.image: $(KERNEL) $(IMAGE); @:
