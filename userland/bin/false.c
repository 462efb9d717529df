// SPDX-License-Identifier: ISC
//
// false: exits with 1.
#include "command.h"

COMMAND(false, "", "do nothing, unsuccessfully")
{
	return 1;
}
