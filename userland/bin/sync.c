// SPDX-License-Identifier: ISC
//
// sync: writes to the card what still lies in memory.
#include "command.h"

#include <unistd.h>

COMMAND(sync, "", "write cached data to the card")
{
	sync();
	return OK;
}
