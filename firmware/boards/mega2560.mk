# SPDX-License-Identifier: ISC
# ATmega2560 at 16 MHz (Arduino Mega). Every name becomes a make variable and a #define in build/BOARD/board.h.
# The build fails when the kernel takes more flash than BOARD_FLASH_LIMIT, or leaves less SRAM than BOARD_STACK for its stack.
BOARD_MCU            := atmega2560
BOARD_F_CPU          := 16000000
BOARD_RAM_START      := 0x200
BOARD_RAM_END        := 0x2200
BOARD_SLOTS          := 2
BOARD_FRAME_SIZE     := 256
BOARD_FRAMES         := 12
BOARD_PROCS          := 8
BOARD_SEMS           := 4
BOARD_STACK          := 400
# Chip select of the card: PB0 (SS, pin 53; shields use pin 4 = PG5 or 10 = PB4). SPI: MOSI PB2, MISO PB3, SCK PB1.
BOARD_SD_CS_BIT      := 0
BOARD_SPI_SS_BIT     := 0
BOARD_SPI_MOSI_BIT   := 2
BOARD_SPI_SCK_BIT    := 1
# The console's speed, in bits a second and as in octix/termios.h.
BOARD_CONSOLE_BAUD   := 115200
BOARD_CONSOLE_SPEED  := OX_B115200
# Code that is small at the cost of speed (firmware.mk): 1 or 0.
BOARD_SMALL          := 0
BOARD_FLASH_LIMIT    := 73728
# Optional parts (firmware.mk): a second terminal on UART 1; semaphores; poll and select; owners, modes and users; /proc; other processes run
# while the card is slow; reasons in words, not numbers; names beyond ASCII; the time is kept in EEPROM; a short way through pipes.
BOARD_HAS_TTY2       := 1
BOARD_HAS_SEM        := 1
BOARD_HAS_POLL       := 1
BOARD_HAS_NICE       := 1
BOARD_HAS_USERS      := 1
BOARD_HAS_PROC       := 1
BOARD_HAS_OVERLAP    := 1
BOARD_HAS_WORDS      := 1
BOARD_HAS_UNICODE    := 1
BOARD_HAS_CLOCK      := 1
BOARD_HAS_QUICK      := 1
# The chip in /dev; pins of the card and of serial lines, a byte a port, A first; channels of the ADC.
BOARD_HAS_MEM        := 1
BOARD_HAS_EEPROM     := 1
BOARD_HAS_GPIO       := 1
BOARD_HAS_ADC        := 1
BOARD_HAS_I2C        := 1
BOARD_HAS_SPI        := 1
BOARD_PINS_TAKEN     := 0,0x0f,0,0x0c,0x03,0,0,0,0,0,0
BOARD_ADC_CHANNELS   := 16
# A kernel for tests: the counter of milliseconds begins 10 seconds before it wraps, `mark 250` and so on break things (kernel/test.c).
BOARD_HAS_TEST       := 0
BOARD_EEPROM         := 4096
# The watchdog resets a kernel that hangs. Old boot loaders of this board loop on it for ever: 1 where yours does not.
BOARD_WATCHDOG       := 0
# avrdude for the boot loader of Arduino.
FLASH_WITH           := -p m2560 -c wiring -b 115200 -D
# Pools that the bench runs with, in 512 bytes: what fits into SRAM.
BENCH_FRAMES         := 6
# Pools of the plot, in frames.
PLOT_FRAMES          := 4 6 8 10 12 14 16
