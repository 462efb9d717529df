# SPDX-License-Identifier: ISC
#
# The line discipline on the host, with sanitizers: $(HK_OUT)/discipline. Included by the top Makefile.

TT_KERNEL := tests/tty/discipline.c firmware/kernel/tty.c firmware/kernel/ttyedit.c firmware/kernel/ttyctl.c firmware/drivers/uart.c firmware/drivers/uart0.c
TT_HOST := tests/tty/pty.c tests/tty/cases.c

$(HK_OUT)/discipline: $(TT_KERNEL) $(TT_HOST) tests/tty/pty.h build/tests/host/m1284p/board.h $(wildcard firmware/kernel/*.h firmware/drivers/*.h)
	$(call say,HOSTCC,$@)
	$(Q)mkdir -p $(@D) build/tests/tty
	$(Q)for f in $(TT_HOST); do gcc $(HK_SANITIZE) -std=gnu17 -O1 -g -D_GNU_SOURCE -Wall -Wextra -Werror -idirafter userland/include \
		-c -o build/tests/tty/$$(basename $$f .c).o $$f || exit; done
	$(Q)gcc -Itests/kernel/host/instead $(HK_KERNEL_FLAGS) -Ibuild/tests/host/m1284p -o $@ $(TT_KERNEL) $(TT_HOST:tests/tty/%.c=build/tests/tty/%.o)

TEST_FILES += $(HK_OUT)/discipline
