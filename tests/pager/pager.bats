#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
#
# Random faults, accesses, blocks, pipes and spaces on the kernel's pool and pager, against a model. PAGER_RUNS and PAGER_SEED for long runs.

load ../helper

@test "pool and pager with frames of 512 bytes" {
	timeout 3000 "$ASAN/test/pagerrandom-m1284p" "${PAGER_RUNS:-20}" "${PAGER_SEED:-1}"
}

@test "pool and pager with frames of 256 bytes" {
	timeout 3000 "$ASAN/test/pagerrandom-mega2560" "${PAGER_RUNS:-20}" "${PAGER_SEED:-1}"
}
