// SPDX-License-Identifier: ISC
//
// Under the sanitizers: the tools of the SDK keep their memory until they end.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
