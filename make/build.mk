# SPDX-License-Identifier: BSD-3-Clause
# The library, the simulator and the command line tool. Sources are found by
# folder; a folder without sources yields nothing.

object = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# ---- sources
LIB_SRC := $(call find_c,lib)
SIM_PRELOAD_SRC := $(call find_c,utils/drmsim/preload)
SIM_SRC := $(filter-out $(SIM_PRELOAD_SRC),$(call find_c,utils/drmsim))
TOOL_SRC := $(call find_c,utils/drmperf)
# with the part of PAPI's component that knows nothing of PAPI
SDE_SRC := $(call find_c,components/sde) $(addprefix components/drm/papi_drm_,\
	event.c library.c names.c set.c)
# where libproc2 is, which reads /proc for it
KD_SRC := $(if $(KD_PACKAGES),$(call find_c,components/kd))

# ---- what comes out
LIBRARY := $(if $(LIB_SRC),$(addprefix $(BUILD)/lib/,\
	libdrmperf.so.0 libdrmperf.so))
LIBRARY_A := $(if $(LIB_SRC),$(BUILD)/libdrmperf.a)
SIM := $(if $(wildcard utils/drmsim/main.c),$(BUILD)/bin/drmsim)
SIM_PRELOAD := $(if $(SIM_PRELOAD_SRC),$(BUILD)/lib/libdrmsim-preload.so)
# all of the simulator but its preload, for programs that need parts of it
SIM_A := $(if $(SIM_SRC),$(BUILD)/libdrmsim.a)
TOOL := $(if $(wildcard utils/drmperf/main.c),$(BUILD)/bin/drmperf)
TOOL_A := $(if $(TOOL_SRC),$(BUILD)/libdrmperf-tool.a)
SDE := $(BUILD)/lib/libdrmperf-sde.so
KD := $(if $(KD_SRC),$(addprefix $(BUILD)/lib/,\
	libdrmperf-kd.so.0 libdrmperf-kd.so))
PROGRAMS := $(SIM) $(SIM_PRELOAD) $(TOOL) $(SDE) $(KD)
# where library and simulator look for tables, beside themselves
SHARE := $(addprefix $(BUILD)/share/drmperf/,events gpus)

# ---- objects
INCLUDES := -Ilib/include
# The pragmas of OpenMP that ask for vectors, without its runtime; clang
# complains where sanitizers leave it none to give.
$(BUILD)/obj/lib/%.o: INCLUDES += -fopenmp-simd -Wno-pass-failed -Ilib \
	-DDRMPERF_EVENTS_DIR='"$(PREFIX)/share/drmperf/events"'
$(BUILD)/obj/components/sde/%.o: INCLUDES += -Icomponents/drm
$(BUILD)/obj/components/kd/%.o: INCLUDES += -Icomponents/kd/include
$(BUILD)/obj/utils/drmsim/%.o: INCLUDES += -Iutils/drmsim
$(BUILD)/obj/utils/drmperf/%.o: INCLUDES += -Iutils/drmperf
# the self-test alone goes past drmperf.h
$(BUILD)/obj/utils/drmperf/selftest.o \
$(BUILD)/obj/utils/drmperf/selftest_%.o: INCLUDES += -Ilib
$(BUILD)/obj/tests/%.o: INCLUDES += -I. -Ilib -Iutils -Iutils/drmsim

$(BUILD)/obj/%.o: %.c $(FLAGS)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

-include $(patsubst %.o,%.d,$(call object,$(LIB_SRC) $(SIM_SRC) \
	$(SIM_PRELOAD_SRC) $(TOOL_SRC) $(SDE_SRC) $(KD_SRC)))

$(BUILD)/%.a:
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(LIBRARY_A): $(call object,$(LIB_SRC))
$(SIM_A): $(call object,$(SIM_SRC))
$(TOOL_A): $(call object,$(TOOL_SRC))

# ---- library
# nodelete: dlclose() must not take away code that a helper thread runs in
$(BUILD)/lib/libdrmperf.so.0: $(call object,$(LIB_SRC)) lib/include/libdrmperf.map
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(LIB_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,libdrmperf.so.0 -Wl,-z,defs -Wl,--as-needed \
		-Wl,-z,nodelete \
		-Wl,--version-script=lib/include/libdrmperf.map $(LIBS)

$(BUILD)/lib/libdrmperf.so: $(BUILD)/lib/libdrmperf.so.0
	$(Q)ln -sf libdrmperf.so.0 $@

$(SHARE):
	$(Q)mkdir -p $(@D)
	$(Q)ln -sfn $(CURDIR)/$(if $(filter %/gpus,$@),utils/drmsim/)$(@F) $@

# ---- programs
$(SIM): $(SIM_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(call object,utils/drmsim/main.c) $(SIM_A) \
		$(ALL_LDFLAGS) -Wl,--as-needed $(LIBS)

# The simulator's preload goes into foreign programs, which have no sanitizer.
$(BUILD)/obj/utils/drmsim/preload/%.o $(SIM_PRELOAD): SANITIZERS :=
# It defines what the headers would put checks round.
$(BUILD)/obj/utils/drmsim/preload/%.o: FORTIFIED := -U_FORTIFY_SOURCE
$(SIM_PRELOAD): $(call object,$(SIM_PRELOAD_SRC))
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS) \
		-Wl,-soname,libdrmsim-preload.so -Wl,-z,defs -Wl,--as-needed \
		-ldl

# It opens the library, which lies beside it, when it is asked for events:
# programs that it is loaded into get no other library before.
$(SDE): $(call object,$(SDE_SRC)) components/sde/libdrmperf-sde.map | $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(SDE_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,libdrmperf-sde.so -Wl,-z,defs -Wl,--as-needed \
		-Wl,-rpath,'$$ORIGIN' \
		-Wl,--version-script=components/sde/libdrmperf-sde.map -ldl

$(BUILD)/lib/libdrmperf-kd.so.0: $(call object,$(KD_SRC)) \
		components/kd/libdrmperf-kd.map | $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(KD_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,libdrmperf-kd.so.0 -Wl,-z,defs -Wl,--as-needed \
		-Wl,-rpath,'$$ORIGIN' -L$(BUILD)/lib -ldrmperf \
		-Wl,--version-script=components/kd/libdrmperf-kd.map \
		$(KD_LIBS) -lm

$(BUILD)/lib/libdrmperf-kd.so: $(BUILD)/lib/libdrmperf-kd.so.0
	$(Q)ln -sf libdrmperf-kd.so.0 $@

.PHONY: left-out
left-out:
ifeq ($(KD_PACKAGES),)
	@echo '  libdrmperf-kd is left out: there is no libproc2' \
		'(Debian: libproc2-dev)'
endif

# What the library does not export, the self-test, is linked statically.
$(TOOL): $(call object,$(TOOL_SRC)) $(LIBRARY) $(LIBRARY_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(call object,$(TOOL_SRC)) -L$(BUILD)/lib -ldrmperf \
		$(LIBRARY_A) -Wl,-rpath,'$$ORIGIN/../lib' $(ALL_LDFLAGS) \
		-Wl,--as-needed $(LIBS)
