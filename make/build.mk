# SPDX-License-Identifier: BSD-3-Clause
# The library, the simulator and the command line tool. Sources are found by
# folder; a folder without sources yields nothing.

object = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# ---- sources
LIB_SRC := $(call find_c,lib)
SIM_PRELOAD_SRC := $(call find_c,utils/drmsim/preload)
SIM_SPEED_SRC := $(call find_c,utils/drmsim/speed)
SIM_SRC := $(filter-out $(SIM_PRELOAD_SRC) $(SIM_SPEED_SRC),\
	$(call find_c,utils/drmsim))
# with HTTP where libmicrohttpd is, compression where libzstd is, and a screen
# where ncursesw is
TOOL_SRC := $(filter-out \
	utils/drmperf/serve/http$(if $(HTTP_PACKAGES),_left_out).c \
	utils/drmperf/util/zstd$(if $(ZSTD_PACKAGES),_left_out).c \
	utils/drmperf/top/$(if $(CURSES_PACKAGES),no_)screen.c,\
	$(call find_c,utils/drmperf))
SELFTEST_SRC := $(call find_c,utils/selftest)
KFD_SRC := $(call find_c,utils/kfd)
COMPILE_SRC := $(call find_c,utils/compile)
# with the part of PAPI's component that knows nothing of PAPI
SDE_SRC := $(call find_c,components/sde) $(addprefix components/drm/papi_drm_,\
	event.c library.c names.c queues.c set.c)
# what the API frontends share
FRONTEND_SRC := $(call find_c,components/frontend)
# files for AMD's Radeon GPU Profiler, which the tool writes, too
RGP_SRC := $(call find_c,components/rgp)
TOOL_SRC += $(RGP_SRC)
# where libproc2 is, which reads /proc for it
KD_SRC := $(if $(KD_PACKAGES),$(call find_c,components/kd) $(FRONTEND_SRC))
# where HSA is, whose agents it is asked about
ROC_SRC := $(if $(HSA_LIBS),$(call find_c,components/rocprofiler) $(FRONTEND_SRC))
# the same, with the packet and the tables of that
HSA_SRC := $(if $(HSA_LIBS),$(call find_c,components/hsa) \
	$(addprefix components/rocprofiler/roc_,agent.c enable.c error.c \
	table.c) $(FRONTEND_SRC))
# a tool of that, so it is there where that is
KERNELS_SRC := $(if $(ROC_SRC),$(call find_c,components/kernels))
# where the headers of OpenGL, EGL and GLX are
GL_SRC := $(if $(GL_PACKAGES),$(call find_c,components/gl) $(FRONTEND_SRC))
# preloaded into programs whose regions are recorded; needs no other library
MARKER_SRC := $(call find_c,components/marker)
# where Vulkan's headers are
VULKAN_SRC := $(if $(VULKAN_PACKAGES),$(call find_c,components/vulkan) \
	$(FRONTEND_SRC) $(RGP_SRC))

# ---- what comes out
LIBRARY := $(if $(LIB_SRC),$(addprefix $(BUILD)/lib/,\
	libdrmperf.so.0 libdrmperf.so))
LIBRARY_A := $(if $(LIB_SRC),$(BUILD)/libdrmperf.a)
SIM := $(if $(wildcard utils/drmsim/main.c),$(BUILD)/bin/drmsim)
SIM_PRELOAD := $(if $(SIM_PRELOAD_SRC),$(addprefix $(BUILD)/lib/,\
	libdrmsim-preload.so libdrmsim-speed.so))
# all of the simulator but its preload, for programs that need parts of it
SIM_A := $(if $(SIM_SRC),$(BUILD)/libdrmsim.a)
TOOL := $(if $(wildcard utils/drmperf/main.c),$(BUILD)/bin/drmperf)
TOOL_A := $(if $(TOOL_SRC),$(BUILD)/libdrmperf-tool.a)
SELFTEST := $(BUILD)/libexec/drmperf-selftest
KFD := $(BUILD)/libexec/drmperf-kfd
SDE := $(BUILD)/lib/libdrmperf-sde.so
KD := $(if $(KD_SRC),$(addprefix $(BUILD)/lib/,\
	libdrmperf-kd.so.0 libdrmperf-kd.so))
ROC := $(if $(ROC_SRC),$(addprefix $(BUILD)/lib/,\
	librocprofiler64.so.1 librocprofiler64.so))
HSA := $(if $(HSA_SRC),$(BUILD)/lib/libdrmperf-hsa.so)
KERNELS := $(if $(KERNELS_SRC),$(BUILD)/lib/libdrmperf-kernels.so)
MARKER := $(BUILD)/lib/libdrmperf-marker.so
GL := $(if $(GL_SRC),$(BUILD)/lib/libdrmperf-gl.so)
VULKAN := $(if $(VULKAN_SRC),$(addprefix $(BUILD)/,\
	lib/libVkLayer_drmperf_gpa.so \
	share/vulkan/explicit_layer.d/VkLayer_drmperf_gpa.json))
PROGRAMS := $(SIM) $(SIM_PRELOAD) $(TOOL) $(SELFTEST) $(KFD) $(SDE) $(KD) $(ROC) \
	$(HSA) $(KERNELS) $(GL) $(MARKER) $(VULKAN)
# where library and simulator look for tables, beside themselves
SHARE := $(addprefix $(BUILD)/share/drmperf/,events gpus)
# those of which single sets are read are not compiled
COMPILED := $(patsubst events/%.xml,$(BUILD)/share/drmperf/events.compiled/%.table,\
	$(filter-out %.registers.xml,$(wildcard events/amdgpu/*.xml \
	events/i915/*.xml events/xe/*.xml)))
COMPILE := $(BUILD)/obj/utils/compile/compile

# ---- objects
INCLUDES := -Ilib/include
# The pragmas of OpenMP that ask for vectors, without its runtime; clang
# complains where sanitizers leave it none to give.
$(BUILD)/obj/lib/%.o: INCLUDES += -fopenmp-simd -Wno-pass-failed -Ilib \
	-DDRMPERF_EVENTS_DIR='"$(PREFIX)/share/drmperf/events"' \
	-DDRMPERF_LIBEXEC_DIR='"$(PREFIX)/libexec"'
$(BUILD)/obj/components/sde/%.o: INCLUDES += -Icomponents/drm
$(BUILD)/obj/components/frontend/%.o $(BUILD)/obj/components/rgp/%.o: INCLUDES += -Icomponents
$(BUILD)/obj/components/kd/%.o: INCLUDES += -Icomponents -Icomponents/kd/include
$(BUILD)/obj/components/rocprofiler/%.o: \
	INCLUDES += -Icomponents -Icomponents/rocprofiler/include
$(BUILD)/obj/components/hsa/%.o: \
	INCLUDES += -Icomponents -Icomponents/rocprofiler \
	-Icomponents/rocprofiler/include
$(BUILD)/obj/components/kernels/%.o: INCLUDES := \
	-Icomponents/rocprofiler/include
$(BUILD)/obj/components/marker/%.o: INCLUDES := -Icomponents/marker/include
$(BUILD)/obj/components/gl/%.o: INCLUDES += -Icomponents $(GL_CFLAGS)
$(BUILD)/obj/components/vulkan/%.o: INCLUDES += -Icomponents \
	-Icomponents/vulkan/include
$(BUILD)/obj/utils/drmsim/%.o: INCLUDES += -Iutils/drmsim
$(BUILD)/obj/utils/drmperf/%.o: INCLUDES += -Iutils/drmperf -Icomponents
$(BUILD)/obj/utils/drmperf/serve/http.o: INCLUDES += $(HTTP_CFLAGS)
$(BUILD)/obj/utils/drmperf/util/zstd.o: INCLUDES += $(ZSTD_CFLAGS)
$(BUILD)/obj/utils/drmperf/top/screen.o: INCLUDES += $(CURSES_CFLAGS)
# the self-test and the process for KFD alone go past drmperf.h
$(BUILD)/obj/utils/selftest/%.o: INCLUDES += -Ilib -Iutils -Iutils/drmperf \
	-Icomponents
$(BUILD)/obj/utils/kfd/%.o $(BUILD)/obj/utils/compile/%.o: INCLUDES += -Ilib
$(BUILD)/obj/tests/tool/%.o $(BUILD)/obj/tests/fuzz/%.o \
$(BUILD)/obj/tests/selftest/%.o: INCLUDES += -Iutils/drmperf -Icomponents
$(BUILD)/obj/tests/%.o: INCLUDES += -I. -Ilib -Iutils -Iutils/drmsim

$(BUILD)/obj/%.o: %.c $(FLAGS)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

-include $(patsubst %.o,%.d,$(call object,$(LIB_SRC) $(SIM_SRC) \
	$(SIM_PRELOAD_SRC) $(SIM_SPEED_SRC) $(TOOL_SRC) $(SELFTEST_SRC) $(KFD_SRC) $(COMPILE_SRC) \
	$(SDE_SRC) $(KD_SRC) $(ROC_SRC) $(HSA_SRC) $(KERNELS_SRC) $(GL_SRC) \
	$(MARKER_SRC) $(VULKAN_SRC)))

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

# Tables as table/compiled.h describes them. Where the program does not run, as in
# a cross build, there are none, and the XML is read.
$(COMPILE): $(call object,$(COMPILE_SRC) $(call find_c,lib/table)) | $(LIBRARY_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(LIBRARY_A) $(ALL_LDFLAGS) -Wl,--as-needed $(LIBS)

$(BUILD)/share/drmperf/events.compiled/%.table: events/%.xml $(COMPILE)
	$(Q)mkdir -p $(@D)
	$(Q)$(COMPILE) $< $@ || { [ $$? -ge 126 ] && \
		echo '  $< is not compiled: $(COMPILE) does not run here'; }

$(SHARE):
	$(Q)mkdir -p $(@D)
	$(Q)ln -sfn $(CURDIR)/$(if $(filter %/gpus,$@),utils/drmsim/)$(@F) $@

# ---- programs
$(SIM): $(SIM_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(call object,utils/drmsim/main.c) $(SIM_A) \
		$(ALL_LDFLAGS) -Wl,--as-needed $(LIBS)

# The simulator's preloads go into foreign programs, which have no sanitizer.
SIM_PRELOAD_OBJ := $(addprefix $(BUILD)/obj/utils/drmsim/,preload/%.o speed/%.o)
$(SIM_PRELOAD_OBJ) $(SIM_PRELOAD): SANITIZERS :=
# They define what the headers would put checks round, and show their programs
# nothing else.
$(SIM_PRELOAD_OBJ): FORTIFIED := -U_FORTIFY_SOURCE
$(SIM_PRELOAD_OBJ): VISIBILITY := -fvisibility=hidden
$(BUILD)/lib/libdrmsim-preload.so: $(call object,$(SIM_PRELOAD_SRC))
$(BUILD)/lib/libdrmsim-speed.so: $(call object,$(SIM_SPEED_SRC))
$(SIM_PRELOAD):
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS) -Wl,-soname,$(@F) -Wl,-z,defs \
		-Wl,--as-needed -ldl

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

# nodelete: HSA closes its tools, whose strings others may still have
$(BUILD)/lib/librocprofiler64.so.1: $(call object,$(ROC_SRC)) \
		components/rocprofiler/librocprofiler64.map | $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(ROC_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,librocprofiler64.so.1 -Wl,-z,defs -Wl,--as-needed \
		-Wl,-z,nodelete \
		-Wl,-rpath,'$$ORIGIN' -L$(BUILD)/lib -ldrmperf \
		-Wl,--version-script=components/rocprofiler/librocprofiler64.map \
		$(HSA_LIBS) -lm

$(BUILD)/lib/librocprofiler64.so: $(BUILD)/lib/librocprofiler64.so.1
	$(Q)ln -sf librocprofiler64.so.1 $@

# nodelete: a thread of the library's may outlive HSA, which closes its tools
$(HSA): $(call object,$(HSA_SRC)) components/hsa/libdrmperf-hsa.map | $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(HSA_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,libdrmperf-hsa.so -Wl,-z,defs -Wl,--as-needed \
		-Wl,-z,nodelete -Wl,-rpath,'$$ORIGIN' -L$(BUILD)/lib -ldrmperf \
		-Wl,--version-script=components/hsa/libdrmperf-hsa.map \
		$(HSA_LIBS)

# nodelete: a dispatch may end while HSA closes its tools
$(KERNELS): $(call object,$(KERNELS_SRC)) \
		components/kernels/libdrmperf-kernels.map | $(ROC)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(KERNELS_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,libdrmperf-kernels.so -Wl,-z,defs -Wl,--as-needed \
		-Wl,-z,nodelete \
		-Wl,-rpath,'$$ORIGIN' -L$(BUILD)/lib -lrocprofiler64 \
		-Wl,--version-script=components/kernels/libdrmperf-kernels.map \
		-Wl,-rpath-link,$(BUILD)/lib $(HSA_LIBS)

# Programs that it is loaded into have no sanitizer, and it no library but libc.
$(BUILD)/obj/components/marker/%.o $(MARKER): SANITIZERS :=
$(MARKER): $(call object,$(MARKER_SRC)) components/marker/libdrmperf-marker.map
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(MARKER_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,libdrmperf-marker.so -Wl,-z,defs -Wl,--as-needed \
		-Wl,-z,nodelete \
		-Wl,--version-script=components/marker/libdrmperf-marker.map \
		-ldl

$(GL): $(call object,$(GL_SRC)) components/gl/libdrmperf-gl.map | $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(GL_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,libdrmperf-gl.so -Wl,-z,defs -Wl,--as-needed \
		-Wl,-z,nodelete -Wl,-rpath,'$$ORIGIN' -L$(BUILD)/lib -ldrmperf \
		-Wl,--version-script=components/gl/libdrmperf-gl.map -lm -ldl

# The loader closes layers; threads of the library's may outlive that.
$(BUILD)/lib/libVkLayer_drmperf_gpa.so: $(call object,$(VULKAN_SRC)) \
		components/vulkan/libVkLayer_drmperf_gpa.map | $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(call object,$(VULKAN_SRC)) $(ALL_LDFLAGS) \
		-Wl,-soname,libVkLayer_drmperf_gpa.so -Wl,-z,defs \
		-Wl,-z,nodelete -Wl,--as-needed \
		-Wl,-rpath,'$$ORIGIN' -L$(BUILD)/lib -ldrmperf \
		-Wl,--version-script=components/vulkan/libVkLayer_drmperf_gpa.map

# The manifest says where the library is, from where it is itself.
$(BUILD)/share/vulkan/explicit_layer.d/%.json: components/vulkan/%.json
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $@

.PHONY: left-out
left-out:
ifeq ($(GL_PACKAGES),)
	@echo '  libdrmperf-gl is left out: there are no headers of OpenGL,' \
		'EGL and GLX (Debian: libgl-dev libegl-dev)'
endif
ifeq ($(CURSES_PACKAGES),)
	@echo '  the screen of drmperf top is left out: there is no ncursesw' \
		'(Debian: libncurses-dev)'
endif
ifeq ($(VULKAN_PACKAGES),)
	@echo '  the Vulkan layer is left out: there are no headers of' \
		'Vulkan 1.3.239 (Debian: libvulkan-dev)'
endif
ifeq ($(KD_PACKAGES),)
	@echo '  libdrmperf-kd is left out: there is no libproc2' \
		'(Debian: libproc2-dev)'
endif
ifeq ($(HSA_LIBS),)
	@echo '  librocprofiler64, libdrmperf-hsa and libdrmperf-kernels are' \
		'left out: there is no HSA runtime' \
		'(Debian: libhsa-runtime-dev)'
endif
ifeq ($(HTTP_PACKAGES),)
	@echo '  HTTP is left out of drmperf serve: there is no libmicrohttpd' \
		'(Debian: libmicrohttpd-dev)'
endif
ifeq ($(ZSTD_PACKAGES),)
	@echo '  compression is left out of drmperf record and report: there is' \
		'no libzstd (Debian: libzstd-dev)'
endif

$(TOOL): $(call object,$(TOOL_SRC)) $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(call object,$(TOOL_SRC)) -L$(BUILD)/lib -ldrmperf \
		-Wl,-rpath,'$$ORIGIN/../lib' $(ALL_LDFLAGS) \
		-Wl,--as-needed $(CURSES_LIBS) $(LIBS)

# Both call functions that the library does not export.
$(KFD): $(call object,$(KFD_SRC)) $(LIBRARY_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -Wl,--as-needed $(LIBS)
$(SELFTEST): $(call object,$(SELFTEST_SRC)) $(TOOL_A) $(LIBRARY_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -Wl,--as-needed $(CURSES_LIBS) $(LIBS)
