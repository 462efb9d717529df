# SPDX-License-Identifier: ISC
# ATmega1284P at 20 MHz, of whose 128 KB of flash and 16 KB of SRAM only 48 KB and 6 KB are used: shows how small a machine Octix runs on.
# The build fails when the kernel takes more flash than BOARD_FLASH_LIMIT, or leaves less SRAM than BOARD_STACK for its stack.
BOARD_MCU            := atmega1284p
BOARD_F_CPU          := 20000000
BOARD_RAM_START      := 0x100
BOARD_RAM_END        := 0x1900
BOARD_SLOTS          := 1
BOARD_FRAME_SIZE     := 256
BOARD_FRAMES         := 10
BOARD_PROCS          := 4
BOARD_SEMS           := 1
BOARD_STACK          := 390
# Chip select of the card: PB4. SPI: MOSI PB5, MISO PB6, SCK PB7.
BOARD_SD_CS_BIT      := 4
BOARD_SPI_SS_BIT     := 4
BOARD_SPI_MOSI_BIT   := 5
BOARD_SPI_SCK_BIT    := 7
# The console's speed, in bits a second and as in octix/termios.h.
BOARD_CONSOLE_BAUD   := 115200
BOARD_CONSOLE_SPEED  := OX_B115200
# Code that is small at the cost of speed (firmware.mk): 1 or 0.
BOARD_SMALL          := 1
BOARD_FLASH_LIMIT    := 49152
# Optional parts (firmware.mk): a second terminal on UART 1; semaphores; poll and select; nice values; owners, modes and users; /proc; other processes run
# while the card is slow; reasons in words, not numbers; names beyond ASCII; the time is kept in EEPROM; a short way through pipes; the chip in /dev.
BOARD_HAS_TTY2       := 0
BOARD_HAS_SEM        := 0
BOARD_HAS_POLL       := 0
BOARD_HAS_NICE       := 0
BOARD_HAS_USERS      := 0
BOARD_HAS_PROC       := 0
BOARD_HAS_OVERLAP    := 0
BOARD_HAS_WORDS      := 0
BOARD_HAS_UNICODE    := 0
BOARD_HAS_CLOCK      := 0
BOARD_HAS_QUICK      := 0
BOARD_HAS_MEM        := 0
BOARD_HAS_EEPROM     := 0
BOARD_HAS_GPIO       := 0
BOARD_HAS_ADC        := 0
BOARD_HAS_I2C        := 0
BOARD_HAS_SPI        := 0
BOARD_PINS_TAKEN     := 0,0xf0,0,0x0f
BOARD_ADC_CHANNELS   := 8
# A kernel for tests: the counter of milliseconds begins 10 seconds before it wraps, `mark 250` and so on break things (kernel/test.c).
BOARD_HAS_TEST       := 0
BOARD_EEPROM         := 4096
# The watchdog resets a kernel that hangs: Optiboot stands it.
BOARD_WATCHDOG       := 1
# avrdude for the boot loader (Optiboot).
FLASH_WITH           := -p m1284p -c arduino -b 115200
# Pools that the bench runs with, in 512 bytes: what fits into SRAM.
BENCH_FRAMES         := 5
# Pools of the plot, in frames.
PLOT_FRAMES          := 4 6 8 10
