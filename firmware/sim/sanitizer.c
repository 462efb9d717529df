// SPDX-License-Identifier: ISC
// Defaults for the leak checker of builds with SAN=1: libsimavr does not free its table of signals.
// Without the checker nobody calls these.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libsimavr\n";
}

const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}
