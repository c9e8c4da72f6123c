# SPDX-License-Identifier: BSD-3-Clause
# drmperf. `make help` lists the targets and the variables.

.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:

include make/flags.mk
include make/build.mk
include make/tests.mk
include make/papi.mk
include make/install.mk

.PHONY: all deps clean help

all: $(LIBRARY) $(PROGRAMS) $(SHARE) $(COMPILED) left-out

deps:
	$(Q)make/deps.sh build papi check

clean:
	$(Q)rm -rf $(BUILD)

help:
	@cat make/help.txt
