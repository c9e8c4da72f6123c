# SPDX-License-Identifier: BSD-3-Clause
# Tools, flags and how a command is shown.

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif
PKG_CONFIG ?= pkg-config
# SANITIZE=thread, or anything else
BUILD ?= build$(if $(SANITIZE),$(if $(filter thread,$(SANITIZE)),/tsan,/asan))

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib

Q := $(if $(V),,@)
# $(call say,WHAT,FILE): one short line in place of the command
say = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)')

find_c = $(sort $(shell find $(1) -name '*.c' 2>/dev/null))

WARNINGS := -Wall -Wextra -Wundef -Wmissing-prototypes -Wconversion -Wformat=2
ifeq ($(SANITIZE),thread)
SANITIZERS := -fsanitize=thread -fno-omit-frame-pointer
else ifneq ($(SANITIZE),)
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
endif

# of tables that rocprofiler-sdk has as YAML; without it they are not read
YAML_PACKAGES := $(shell $(PKG_CONFIG) --exists yaml-0.1 2>/dev/null && \
	echo yaml-0.1)
PACKAGES := libdrm libdrm_amdgpu expat $(YAML_PACKAGES)
PACKAGE_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null) \
	$(if $(YAML_PACKAGES),-DDRMPERF_YAML)
# of libdrmperf-kd; without them it is left out
KD_PACKAGES := $(shell $(PKG_CONFIG) --exists libproc2 2>/dev/null && \
	echo libproc2)
KD_LIBS := $(if $(KD_PACKAGES),$(shell $(PKG_CONFIG) --libs $(KD_PACKAGES)))
# of librocprofiler64, the same; HSA has no file for pkg-config
HSA_LIBS := $(shell printf '\043include <hsa/hsa.h>\nint main(void)\n\
	{return hsa_init();}\n' | $(CC) -x c - -o /dev/null -lhsa-runtime64 \
	2>/dev/null && echo -lhsa-runtime64)
# of libdrmperf-gl, which needs their headers and no library of theirs
GL_PACKAGES := $(shell $(PKG_CONFIG) --exists gl egl x11 2>/dev/null && \
	echo gl egl x11)
GL_CFLAGS := $(if $(GL_PACKAGES),-DGL_GLEXT_PROTOTYPES \
	-DGLX_GLXEXT_PROTOTYPES -DEGL_EGLEXT_PROTOTYPES \
	$(shell $(PKG_CONFIG) --cflags $(GL_PACKAGES)))
# of the self-test, which looks for their headers itself
GLES_PACKAGES := $(shell $(PKG_CONFIG) --exists egl glesv2 2>/dev/null && \
	echo egl glesv2)
# of drmperf serve, which loads the library when it is asked for HTTP; without
# them it is left out
HTTP_PACKAGES := $(shell $(PKG_CONFIG) --exists 'libmicrohttpd >= 0.9.71' \
	2>/dev/null && echo libmicrohttpd)
HTTP_CFLAGS := $(if $(HTTP_PACKAGES),$(shell $(PKG_CONFIG) --cflags \
	$(HTTP_PACKAGES)))
# of recordings, likewise; without them they are not compressed
ZSTD_PACKAGES := $(shell $(PKG_CONFIG) --exists 'libzstd >= 1.4.0' \
	2>/dev/null && echo libzstd)
ZSTD_CFLAGS := $(if $(ZSTD_PACKAGES),$(shell $(PKG_CONFIG) --cflags \
	$(ZSTD_PACKAGES)))
# of drmperf top; without them it prints frames only
CURSES_PACKAGES := $(shell $(PKG_CONFIG) --exists ncursesw 2>/dev/null && \
	echo ncursesw)
CURSES_CFLAGS := $(if $(CURSES_PACKAGES),\
	$(shell $(PKG_CONFIG) --cflags $(CURSES_PACKAGES)))
CURSES_LIBS := $(if $(CURSES_PACKAGES),\
	$(shell $(PKG_CONFIG) --libs $(CURSES_PACKAGES)))
# of the Vulkan layer, likewise; Debian 12's, with all commands of gpa_acting.h
VULKAN_PACKAGES := $(shell $(PKG_CONFIG) --exists 'vulkan >= 1.3.239' \
	2>/dev/null && echo vulkan)
PACKAGE_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null)

# Sanitized code is built more often than it is run for long. LeakSanitizer has
# to see the dynamic linker call malloc(), not the malloc() of drmsim, which
# calls the next one last.
CFLAGS ?= $(if $(SANITIZE),-O1 -foptimize-sibling-calls -g1,-O2 -g)
# Compiling suites takes longer than they run, so they are not optimized, which
# takes half the time; benchmarks are.
ifneq ($(filter file default,$(origin CFLAGS)),)
TEST_CFLAGS := -O0 -g1
$(BUILD)/obj/tests/%.o: private CFLAGS := $(TEST_CFLAGS)
$(BUILD)/obj/tests/%.o: private FORTIFIED :=
$(BUILD)/obj/tests/bench/%.o $(BUILD)/obj/tests/papi/cost.o: \
	private CFLAGS := -O2 -g
endif

# $(call takes,FLAGS): the flags, if the compiler takes them without a warning
takes = $(shell printf '\043include <stdio.h>\n' | $(CC) $(1) -Werror -x c \
	-c -o /dev/null - 2>/dev/null && echo '$(1)')

HARDENED := $(call takes,-fstack-protector-strong) \
	$(call takes,-fcf-protection)
# The C library's own checks need an optimizer, and hide from sanitizers what
# they look for. Who packages drmperf may have chosen a level.
ifeq ($(findstring _FORTIFY_SOURCE,$(CFLAGS)),)
ifneq ($(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS)))),)
FORTIFIED := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(if $(call takes,\
	-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),3,2)
endif
endif

# What a library exports stands in its version script. Inside, functions are as
# visible as suites need, which are linked against a library of all objects, and
# calls between them are bound as if they were hidden.
VISIBILITY := $(call takes,-fno-semantic-interposition)

ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARNINGS) $(if $(WERROR),-Werror) \
	$(VISIBILITY) -fPIC -pthread $(HARDENED) $(SANITIZERS) \
	$(if $(SANITIZERS),,$(FORTIFIED)) $(PACKAGE_CFLAGS) $(CFLAGS)
ALL_LDFLAGS = -pthread -Wl,-z,now -Wl,-z,relro $(SANITIZERS) $(LDFLAGS)
LIBS = $(PACKAGE_LIBS) -lm -ldl

# Everything is rebuilt when compiler or flags change, or packages have come: what
# is installed for tests has headers that a build before them has done without.
FLAGS := $(BUILD)/flags
flags_now := $(CC) $(ALL_CFLAGS) $(TEST_CFLAGS) $(ALL_LDFLAGS) $(PREFIX) $(PACKAGES) \
	$(KD_PACKAGES) $(HSA_LIBS) $(GL_PACKAGES) $(GLES_PACKAGES) \
	$(HTTP_PACKAGES) $(ZSTD_PACKAGES) $(CURSES_PACKAGES) $(VULKAN_PACKAGES)
$(shell mkdir -p $(BUILD); echo '$(flags_now)' | cmp -s - $(FLAGS) || \
	echo '$(flags_now)' > $(FLAGS))
