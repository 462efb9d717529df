# SPDX-License-Identifier: ISC
#
# The package tool, the packages, and which of them a profile holds.

PKG_SOURCES := $(addprefix distro/pkg/,oxpkg.c manifest.c archive.c pack.c install.c)
$(PKG_SOURCES:%.c=$(HOSTOBJ)/%.o): HOSTCPPFLAGS += -I. -Ifirmware
$(eval $(call host_program,oxpkg,$(PKG_SOURCES) $(IMAGE_LIB),-larchive -lcrypto))

RECIPES := $(patsubst distro/packages/%/recipe,%,$(wildcard distro/packages/*/recipe))

# $(call recipe_field,NAME,FIELD): one word of a recipe.
recipe_field     = $(patsubst $(2)=%,%,$(filter $(2)=%,$(file <distro/packages/$(1)/recipe)))
package_file     = build/packages/$(1)-$(call recipe_field,$(1),version).oxp
profile_names    = $(patsubst package=%,%,$(filter package=%,$(file <distro/profiles/$(PROFILE))))
PROFILE_PACKAGES := $(foreach p,$(profile_names),$(call package_file,$(p)))

# What packages are compiled with.
PACKAGE_TOOLS := $(HOSTBIN)/oxpack build/libc/crt0.o build/libc/libc-octix.a userland/sdk/octix.ld scripts/octix-cc

# The name of a source in the cache does not change, so a recipe's stamp stands for its sources.
define package_rule
$(call package_file,$(1)): $(wildcard distro/packages/$(1)/*) distro/pkg/build distro/pkg/fetch $(HOSTBIN)/oxpkg $(PACKAGE_TOOLS)
	$$(call say,PACKAGE,$$@)
	$$(Q)distro/pkg/fetch distro/packages/$(1)
	$$(Q)OCTIX_BIN=$(HOSTBIN) distro/pkg/build distro/packages/$(1)
endef
$(foreach p,$(RECIPES),$(eval $(call package_rule,$(p))))

$(IMAGE): $(PROFILE_PACKAGES)
PACKAGES += $(PROFILE_PACKAGES)

.PHONY: fetch
fetch: deps ## Fetch the sources of third-party packages into the cache
	@distro/pkg/fetch
