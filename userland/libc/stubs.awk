# SPDX-License-Identifier: ISC
#
# Writes one assembly file per system call into DIR from octix/syscalls.def (awk -v DIR=... -f stubs.awk syscalls.def).
# Numbers count the rows from 0. A call whose result is `unsigned long` uses all 32 bits and never fails;
# the others leave -errno to __oct_error (-1). No stub touches the stack: vfork depends on it.

/^SYSCALL\(/ {
	split(substr($0, 9), field, /, */)
	name = field[1]
	file = DIR "/" name ".S"
	printf "// Generated from octix/syscalls.def by stubs.awk.\n" >file
	printf "\t.section .text.%s, \"ax\"\n\t.globl %s\n\t.type %s, @function\n%s:\n", name, name, name, name >file
	printf "\tli t0, %d\n\tecall\n", number++ >file
	if (field[2] == "void")
		printf "\tebreak\n" >file
	else if (field[2] == "unsigned long")
		printf "\tret\n" >file
	else
		printf "\tbltz a0, 1f\n\tret\n1:\ttail __oct_error\n" >file
	printf "\t.size %s, . - %s\n", name, name >file
	close(file)
}
