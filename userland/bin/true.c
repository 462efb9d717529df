// SPDX-License-Identifier: ISC
//
// true: exits with 0.
#include "command.h"

COMMAND(true, "", "do nothing, successfully")
{
	return 0;
}
