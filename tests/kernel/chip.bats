#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# The chip in /dev: mem, eeprom, gpio, adc, i2c, spi, and the commands on them.
# shellcheck disable=SC2154 # set by the helper

load helper

programs() { # BOARD PIN TAKEN
	on_card "$1" "$PROGRAMS/chip"
	board --i2c-eeprom --spi-wire --eeprom "$T/eeprom" <<-END
		./chip 4088 $2 $3
		cat /etc/motd | wc -c
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	has '49 checks, 0 wrong'
	[ "$(tail -c 12 "$T/eeprom" | head -c 4)" = last ]
	fsck.fat -n "$card" >/dev/null || "$OCTIX" image check "$card"
}

@test "programs on the devices of m1284p" {
	programs m1284p 31 12
}

@test "programs on the devices of mega2560" {
	programs mega2560 80 33
}

@test "SPI between the card's commands and blocks" {
	on_card m1284p "$PROGRAMS/chip"
	board --rw --spi-wire --read-latency 500 --write-latency 2000 <<-'END'
		cp /bin/core copy & ./chip 31
		wait
		halt
	END
	echo "$output"
	[ "$status" = 0 ]
	has '0 of the bytes wrong'
	fetch /bin/core >"$T/core"
	fetch /root/copy | cmp - "$T/core"
}

@test "gpio, adc and mount, on m1284p" {
	on_card m1284p
	smoke --level PD4=1 --level ADC1=2500 --level ADC7=5000 <<-'END'
		$ gpio D12; gpio PD4; gpio D13
		1
		1
		0
		$ gpio A2 1; gpio A2; gpio PA2; gpio A2 0; gpio PA2; gpio D31 up; gpio A7
		1
		1
		0
		1
		$ gpio | head -n 2
		port 76543210
		~   PA hllllLll
		$ gpio PB7 1
		gpio: PB7: busy
		? 1
		$ gpio Q1
		gpio: Q1: no such pin; names are in /etc/pins, or as PB5
		? 1
		$ gpio PL0
		gpio: PL0: this chip has no such pin
		? 1
		$ gpio D1 high
		~ usage: gpio .*
		? 2
		$ adc A1 A7
		511
		1023
		$ adc D1
		adc: D1: no pin of the ADC; /etc/pins has their names
		? 1
		$ mount
		card on / type fat (rw)
		dev on /dev type dev (rw)
		proc on /proc type proc (ro)
		$ mount /mnt
		mount: /mnt: there is one card, mounted at /; other file systems are not known
		? 1
		$ echo text >/dev/eeprom; head -n 1 /dev/eeprom
		text
		$ echo guest:x:66:66::/:/bin/sh >>/etc/passwd; su guest -c 'gpio D1; cat /dev/mem; adc A0'
		gpio: /dev/gpio: permission denied
		cat: /dev/mem: permission denied
		0
	END
}

@test "Arduino's names on mega2560" {
	on_card mega2560
	smoke --level PL0=1 --level PE4=1 --level ADC0=1250 <<-'END'
		$ gpio D49; gpio D2; gpio D3; gpio D13 1; gpio PB7
		1
		1
		0
		1
		$ adc A0
		255
	END
}

@test "what is connected to the chip is checked" {
	fails 2 'must be a pin and its level' "$HOSTBIN/oxsim" --level PZ1=1 kernel
	fails 2 'must be a pin and its level' "$HOSTBIN/oxsim" --level PB9=1 kernel
	fails 2 'must be a pin and its level' "$HOSTBIN/oxsim" --level ADC0=5001 kernel
	fails 2 'must be a pin and its level' "$HOSTBIN/oxsim" --level PB1=1x kernel
	on_card m1284p
	run "$HOSTBIN/oxsim" --card "$card" --level PL1=1 "$TOP/build/m1284p/kernel.elf"
	[ "$status" != 0 ]
	[[ $output == *'atmega1284p has no PL1'* ]]
}
