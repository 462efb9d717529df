#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The chip: timing to the cycle, what stops a run, options and exit codes of oxsim.

load helper

setup_file() {
	load helper
	build_all
}

spi_timing() {
	sim "$1" spitime </dev/null
	has read16=0
	has read17=255
	has wcol17=64
	has wcol18=0
	has polled2=23
	has polled4=39
	has polled64=519
	has polled128=1031
	has spif_stays=1
	says "1 write collisions"
}

@test "SPI bytes to the cycle, m1284p" { spi_timing m1284p; }
@test "SPI bytes to the cycle, mega2560" { spi_timing mega2560; }

# entry and jump: 4 + 3, the timer is read in the next instruction; waking costs the entry again, also when the interrupt is pending at sleep
interrupts() {
	sim "$1" irqtime <<<abc
	has porf=1
	has "running=$2"
	has "asleep=$3"
	has "pending=$4"
	has after_sei=11
	has after_reti=75
	has late_enable=1
	has priority=201
	has 1
	has "$5"
}

@test "interrupts and UART frames, m1284p" { interrupts m1284p 8 12 17 1769; }
@test "interrupts and UART frames, mega2560" { interrupts mega2560 9 14 19 1369; }

@test "receive overrun: two bytes and the shift register are kept" {
	printf abcdef >"$BATS_TEST_TMPDIR/in"
	sim m1284p overrun --input "$BATS_TEST_TMPDIR/in" </dev/null
	has "a.b.f!"
	says "3 overruns"
}

@test "SPM from the boot section takes 4.5 ms an operation" {
	sim m1284p spmself </dev/null
	[ "$status" = 0 ]
	has word=42256
	ticks=$(sed -n s/ticks64=//p <<<"$output")
	[ "$ticks" -gt 2812 ] && [ "$ticks" -lt 3100 ]
	sim mega2560 spmself </dev/null
	has word=42256
}

@test "a timer in CTC mode ticks to the cycle, asleep and awake" {
	for board in m1284p mega2560; do
		sim $board tick --marks "$BATS_TEST_TMPDIR/marks" --stats "$BATS_TEST_TMPDIR/stats" </dev/null
		[ "$status" = 0 ]
		# asleep: marks 1 to 8 lie one period of 25 * 64 cycles apart
		awk 'NR > 1 && $1 >= 2 && $1 <= 8 && $2 - last != 1600 { exit 1 } { last = $2 }' "$BATS_TEST_TMPDIR/marks"
		# awake: within the 2 cycles of the loop's jump
		awk 'NR > 1 && $1 >= 12 && ($2 - first - ($1 - 11) * 1600) ^ 2 > 4 { exit 1 } $1 == 11 { first = $2 }' "$BATS_TEST_TMPDIR/marks"
		# interrupts are off from the jump in the vector to reti, 32 cycles, and one more where return addresses have three bytes
		grep -Eq "\"irq_off\": \{\"longest\": $([ "$board" = m1284p ] && echo 32 || echo 33)," "$BATS_TEST_TMPDIR/stats"
	done
}

@test "elpm in all forms reads the upper 64 KB" {
	sim m1284p elpm </dev/null
	has r0=90
	has plain=90
	has plus=91
	has after=1
}

@test "profile of a kernel: cycles by symbol" {
	sim m1284p spin --kernel-profile "$BATS_TEST_TMPDIR/p" </dev/null
	[ "$(sed -n 2p "$BATS_TEST_TMPDIR/p" | cut -f3)" = main ]
	[ "$(sed -n 2p "$BATS_TEST_TMPDIR/p" | cut -f2 | cut -d. -f1)" -gt 90 ]
}

@test "watchdog: a real reset that keeps SRAM" {
	sim m1284p watchdog </dev/null
	[ "$status" = 0 ]
	has cause=1
	has cause=8
	has kept=77
	says "resets   1"
}

crash() {
	sim "$1" "crash-$2" --quiet </dev/null
	[ "$status" = 3 ]
	says "$3"
}

@test "a bad opcode stops the run with its address" {
	crash m1284p bad_opcode "bad opcode 0x0001, PC 0x"
	says "(main+0x"
	crash mega2560 bad_opcode "bad opcode 0x0001"
}
@test "a fetch from erased flash stops the run" { crash m1284p erased_flash "erased flash (0xffff), PC 0x10000"; }
@test "a write beyond SRAM stops the run" { crash m1284p beyond_sram "write outside SRAM, address 0x8000"; }
@test "a stack pointer outside SRAM stops the run" { crash m1284p lost_stack "stack pointer 0x0000 is not in SRAM"; }
@test "SPM outside the boot section stops the run" { crash m1284p spm_outside "SPM outside the boot section"; }

@test "a limit of cycles or seconds gives exit code 4" {
	sim m1284p crash-forever --max-cycles 100000 </dev/null
	[ "$status" = 4 ]
	says "100000 cycles"
	sim m1284p crash-forever --max-seconds 0.01 </dev/null
	[ "$status" = 4 ]
	says "200000 cycles"
}

@test "halt gives exit code 0 and a summary; --quiet none" {
	sim m1284p hello </dev/null
	[ "$status" = 0 ]
	[ "$output" = hello ]
	says "halted: sleep with interrupts off"
	says "7 bytes sent"
	sim m1284p hello --quiet </dev/null
	[ -z "$summary" ]
}

@test "wrong usage gives exit code 2 and a message" {
	run "$bin/oxsim"
	[ "$status" = 2 ]
	[[ $output == *"KERNEL.elf must be named"* ]]
	run "$bin/oxsim" --board uno x.elf
	[ "$status" = 2 ]
	[[ $output == *"must be m1284p, mega2560 or nano"* ]]
	run "$bin/oxsim" --fault nonsense=1 x.elf
	[ "$status" = 2 ]
	run "$bin/oxsim" --max-cycles -5 x.elf
	[ "$status" = 2 ]
	run "$bin/oxsim" /nonexistent.elf
	[ "$status" = 2 ]
	[[ $output == *"/nonexistent.elf: cannot be opened"* ]]
	run "$bin/oxsim" --card /nonexistent.img "$fw/m1284p/hello.elf"
	[ "$status" = 2 ]
	run "$bin/oxsim" "$bin/oxsim"
	[ "$status" = 2 ]
	[[ $output == *"not for AVR"* ]]
	run "$bin/oxsim" --help
	[ "$status" = 0 ]
}

@test "a damaged ELF file is refused" {
	for cut in 10 60 200 300; do
		head -c $cut "$fw/m1284p/hello.elf" >"$BATS_TEST_TMPDIR/cut.elf"
		run "$bin/oxsim" "$BATS_TEST_TMPDIR/cut.elf"
		[ "$status" = 2 ]
	done
}

@test "on a terminal: escape key ends the run, terminal mode comes back" {
	cat >"$BATS_TEST_TMPDIR/session" <<-EOT
		before=\$(stty -g)
		"$bin/oxsim" --board m1284p "$fw/m1284p/shell.elf"
		echo "code \$?"
		[ "\$before" = "\$(stty -g)" ] && echo same mode
	EOT
	run timeout 20 script -qec "sh $BATS_TEST_TMPDIR/session" /dev/null < <(
		sleep 1
		printf 'echo hi there\r'
		sleep 1
		printf '\001x'
		sleep 1
	)
	[[ $output == *"Ctrl-A x ends the run"* ]]
	[[ $output == *"hi there"* ]]
	[[ $output == *"ended from the keyboard"* ]]
	[[ $output == *"code 0"* ]]
	[[ $output == *"same mode"* ]]
}

@test "asleep on a terminal it uses next to no host CPU" {
	used=$(timeout 20 script -qec "bash -c 'time timeout --foreground -s TERM 2 $top/build/host/bin/oxsim --quiet $fw/m1284p/shell.elf'" /dev/null \
		< <(sleep 3) | tr -d '\r' | sed -n 's/^user.*m\([0-9.]*\)s/\1/p')
	echo "user time $used"
	awk -v u="$used" 'BEGIN { exit !(u < 0.5) }'
}

@test "--prompt types each line after the prompt" {
	printf 'echo one\recho two\rhalt\r' | {
		sim m1284p shell --prompt '# '
		[ "$status" = 0 ]
		has "# echo one"
		has one
		has "# echo two"
		has two
		has "System halted."
		says " 0 overruns"
	}
}

@test "--until stops when the text was printed, and not before" {
	sim m1284p shell --until '# ' --max-cycles 100000000 </dev/null
	[ "$status" = 0 ]
	says "the text of --until was printed"
	sim m1284p shell --until 'never printed' --max-cycles 10000000 </dev/null
	[ "$status" = 4 ]
}

@test "the simulator's speed is printed" {
	start=$(date +%s%N)
	cycles=$("$top/build/host/bin/oxsim" "$fw/m1284p/spin.elf" </dev/null 2>&1 >/dev/null | sed -n 's/.* \([0-9]*\) cycles,.*asleep.*/\1/p')
	end=$(date +%s%N)
	echo "# $((cycles * 1000 / (end - start))) M AVR cycles a second (aim: 25 or more)" >&3
	[ "$cycles" -gt 1000000 ]
}
