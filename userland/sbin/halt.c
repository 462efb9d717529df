// SPDX-License-Identifier: ISC
//
// halt: stops the system; the kernel says when it may be switched off.
#include "command.h"

#include <octix/octix.h>
#include <unistd.h>

COMMAND(halt, "", "stop the system")
{
	if (argc > 1)
		misused();
	sync();
	oct_reboot(OCT_HALT);
	return complain("halt");
}
