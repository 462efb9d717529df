// SPDX-License-Identifier: ISC
//
// reboot: restarts the system.
#include "command.h"

#include <octix/octix.h>
#include <unistd.h>

COMMAND(reboot, "", "restart the system")
{
	if (argc > 1)
		misused();
	sync();
	oct_reboot(OCT_RESTART);
	return complain("reboot");
}
