# SPDX-License-Identifier: BSD-3-Clause
# Test programs, benchmarks and fuzzers. make/check.sh runs them.

.PHONY: tests benches fuzzers replays clang-objects peers print-suites
.PHONY: check check-deep check-all check-one bench fuzz analyze coverage sweep
.PHONY: soak

comma := ,

# a suite lies in the room of what it tests, its program beside all others
TEST_SRC := $(sort $(shell find tests -name 'test_*.c'))
TESTS := $(addprefix $(BUILD)/tests/,$(notdir $(basename $(TEST_SRC))))
# libdrmperf-kd is left out where there is no libproc2, and its suites with it
KD_TESTS := $(if $(KD_SRC),$(addprefix $(BUILD)/tests/,\
	test_kd test_kd_figures test_kd_gpus test_kd_sentences))
ifeq ($(KD_SRC),)
TEST_SRC := $(filter-out tests/kd/%,$(TEST_SRC))
TESTS := $(filter-out $(BUILD)/tests/test_kd%,$(TESTS))
endif
# librocprofiler64, where there is no HSA
ROC_TESTS := $(if $(ROC_SRC),$(patsubst %,$(BUILD)/tests/test_%,\
	rocprofiler $(addprefix rocprofiler_,abi dispatch hsa processes queries \
	sampling sentences tools traces)))
ROC_TOOL := $(if $(ROC_SRC),$(BUILD)/tests/hsa/libtool.so)
HSA_KERNELS := $(if $(ROC_SRC),$(BUILD)/tests/hsa/kernels)
HSA_STANDIN := $(if $(ROC_SRC),$(BUILD)/tests/hsa/libhsa-runtime64.so.1)
ifeq ($(ROC_SRC),)
TEST_SRC := $(filter-out tests/rocprofiler/%,$(TEST_SRC))
TESTS := $(filter-out $(BUILD)/tests/test_rocprofiler%,$(TESTS))
endif
# libdrmperf-gl is left out where there are no headers of OpenGL
GL_TESTS := $(if $(GL_SRC),$(addprefix $(BUILD)/tests/,\
	test_gl test_gl_monitors test_gl_places test_gl_results))
ifeq ($(GL_SRC),)
TEST_SRC := $(filter-out tests/gl/%,$(TEST_SRC))
TESTS := $(filter-out $(BUILD)/tests/test_gl%,$(TESTS))
endif
# the same with the Vulkan layer and its suites
VULKAN_TESTS := $(if $(VULKAN),$(addprefix $(BUILD)/tests/test_vulkan_,\
	client cuts execution gpa navi parts results samples traces))
ifeq ($(VULKAN),)
TEST_SRC := $(filter-out tests/vulkan/%,$(TEST_SRC))
TESTS := $(filter-out $(BUILD)/tests/test_vulkan%,$(TESTS))
endif
# what several suites share
TEST_FRONTEND_SRC := $(sort $(filter-out $(TEST_SRC) $(addprefix tests/,\
	$(addprefix tool/,clock_preload.c user_events_preload.c) \
	bench/% fuzz/% gl/% kd/% papi/% peers/% \
	rocprofiler/% soak/% vulkan/%),$(shell find tests -name '*.c')))
TEST_A := $(BUILD)/libtest.a
# Suites are linked against libraries of all objects. The simulator's is one by
# itself: it shares no code with the library, but some names.
TEST_SO := $(addprefix $(BUILD)/tests/,libdrmperf-test.so libdrmsim-test.so)
# The library's own calls are wrapped in these.
STATIC_TESTS := $(addprefix $(BUILD)/tests/,test_robust_mutex test_share \
	test_size)
RACES := $(BUILD)/tests/test_races
# a clock for programs that are tested, which have no sanitizer perhaps
TEST_CLOCK := $(BUILD)/tests/libtestclock.so
# tracepoints that a program makes, which few kernels have
TEST_USER_EVENTS := $(BUILD)/tests/libtestuserevents.so
# what draws where nothing does, under the names of EGL and OpenGL ES
TEST_EGL := $(if $(GLES_PACKAGES),\
	$(addprefix $(BUILD)/tests/egl/,libEGL.so.1 libGLESv2.so.2))
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,\
	$(sort $(wildcard tests/bench/bench_*.c)))
ifeq ($(VULKAN),)
BENCHES := $(filter-out %/bench_vulkan,$(BENCHES))
endif
BENCH_COMMON := tests/bench/row.c
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,\
	$(sort $(wildcard tests/fuzz/fuzz_*.c)))

CHECK_LIBS = $(shell $(PKG_CONFIG) --libs check 2>/dev/null)

$(TEST_A): $(call object,$(TEST_FRONTEND_SRC))

$(BUILD)/obj/tests/tool/clock_preload.o $(TEST_CLOCK): SANITIZERS :=
$(TEST_CLOCK): $(call object,tests/tool/clock_preload.c)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS)

$(BUILD)/obj/tests/tool/egl_standin.o $(TEST_EGL): SANITIZERS :=
$(TEST_EGL): $(call object,tests/tool/egl_standin.c)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS)

$(BUILD)/obj/tests/tool/user_events_preload.o $(TEST_USER_EVENTS): SANITIZERS :=
$(BUILD)/obj/tests/tool/user_events_preload.o: FORTIFIED := -U_FORTIFY_SOURCE
$(TEST_USER_EVENTS): $(call object,tests/tool/user_events_preload.c)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS) -ldl

# suites of the simulator see its headers and none of the library's
$(BUILD)/obj/tests/drmsim/%.o: INCLUDES := -I. -Iutils -Iutils/drmsim

$(foreach suite,$(TEST_SRC),$(eval \
	$(BUILD)/tests/$(notdir $(basename $(suite))): $(call object,$(suite))))
# not linked again where a library has changed: they are position independent
$(filter-out $(RACES) $(STATIC_TESTS),$(TESTS)): | $(TEST_SO)
$(STATIC_TESTS): $(TEST_A) $(TOOL_A) $(LIBRARY_A) $(SIM_A)
# make check builds it with ThreadSanitizer, too: no more than it needs
$(RACES): $(call object,$(addprefix tests/support/,suite.c folder.c \
	fake_driver.c fake_machine.c)) $(LIBRARY_A)
$(TESTS):
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
		$(filter $(TEST_SO),$|) -Wl,-rpath,'$$ORIGIN' $(ALL_LDFLAGS) \
		$(TEST_LDFLAGS) $(CHECK_LIBS) $(TEST_LIBS) $(LIBS)

# A suite that defines a function or a table of the library's replaces it for
# all of it, as it would in an archive.
$(BUILD)/tests/libdrmperf-test.so: $(call object,$(filter-out \
	utils/drmperf/main.c utils/selftest/main.c tests/table/allocated.c \
	tests/driver/share/waited_time.c,\
	$(TEST_FRONTEND_SRC) $(TOOL_SRC) $(SELFTEST_SRC) $(LIB_SRC)))
$(BUILD)/tests/libdrmsim-test.so: $(call object,$(filter-out \
	utils/drmsim/main.c,$(SIM_SRC)))
$(BUILD)/tests/libdrmsim-test.so: private TEST_LDFLAGS := -Wl,-Bsymbolic
$(TEST_SO):
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS) $(TEST_LDFLAGS) $(CURSES_LIBS) \
		$(LIBS)

$(BUILD)/tests/test_table_compiled: | $(COMPILE)

# counts what the library allocates
$(BUILD)/tests/test_size: private TEST_LDFLAGS := $(addprefix \
	-Wl$(comma)--wrap=,malloc calloc realloc reallocarray free)

# wait for processes that stop, in no time
$(addprefix $(BUILD)/tests/test_,share robust_mutex): private TEST_LDFLAGS := \
	$(addprefix -Wl$(comma)--wrap=,clock_gettime nanosleep futex_wait \
	futex_wake)

# drmsim's preload makes its threads
$(BUILD)/tests/test_sweep: private TEST_LDFLAGS := -rdynamic

# the part of PAPI's component that knows nothing of PAPI
$(BUILD)/obj/tests/papi/test_papi_names.o: INCLUDES += -Icomponents/drm
$(BUILD)/tests/test_papi_names: \
	$(call object,$(addprefix components/drm/,papi_drm_event.c \
	papi_drm_names.c))

# what the frontend sde counts for a thread, without memory
$(BUILD)/obj/tests/papi/test_sde_thread.o: INCLUDES += -Icomponents/drm \
	-Icomponents/sde
$(BUILD)/tests/test_sde_thread: \
	$(call object,$(addprefix components/sde/,sde_error.c sde_thread.c))
$(BUILD)/tests/test_sde_thread: private TEST_LDFLAGS := -Wl,--wrap=calloc

# libdrmperf-kd from inside, and with parts of it replaced
$(BUILD)/obj/tests/kd/%.o: INCLUDES += -Icomponents -Icomponents/kd \
	-Icomponents/kd/include
$(KD_TESTS): $(call object,$(KD_SRC))
$(KD_TESTS): TEST_LIBS := $(KD_LIBS)
KD_MADE_UP_TESTS := $(filter-out %_figures,$(KD_TESTS))
$(KD_MADE_UP_TESTS): $(call object,tests/kd/calls.c tests/kd/made_up.c)
$(KD_MADE_UP_TESTS): private TEST_LDFLAGS := $(addprefix -Wl$(comma)--wrap=,\
	kd_now_ns kd_system_create kd_system_read drmperf_session_read)

# librocprofiler64 from inside, with a small HSA
$(BUILD)/obj/tests/rocprofiler/%.o: INCLUDES += -Icomponents \
	-Icomponents/rocprofiler -Icomponents/rocprofiler/include
HSA_STANDIN_SRC := $(sort $(wildcard tests/rocprofiler/hsa_standin*.c))
# what HSA hands to tools is declared for C++ only
HSA_STANDIN_TABLE := $(BUILD)/obj/tests/rocprofiler/hsa_standin_table.o
$(HSA_STANDIN_TABLE): tests/rocprofiler/hsa_standin_table.cpp \
		tests/rocprofiler/hsa_standin.h
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -g -fPIC -fno-exceptions -fno-rtti -Wall -Wextra \
		-fvisibility=hidden $(if $(WERROR),-Werror) -c -o $@ $<
$(ROC_TESTS): $(call object,$(ROC_SRC) $(HSA_STANDIN_SRC) \
	$(addprefix tests/rocprofiler/,contexts.c hsa_calls.c program.c)) \
	$(HSA_STANDIN_TABLE)
$(ROC_TESTS): TEST_LIBS := -ldrm_amdgpu -ldrm

$(HSA_STANDIN): $(call object,$(HSA_STANDIN_SRC)) $(HSA_STANDIN_TABLE) \
		tests/rocprofiler/hsa_standin.map
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(filter %.o,$^) $(ALL_LDFLAGS) \
		-Wl,-soname,libhsa-runtime64.so.1 -Wl,-z,defs \
		-Wl,--version-script=tests/rocprofiler/hsa_standin.map \
		-ldrm_amdgpu -ldrm -ldl -lpthread
$(ROC_TOOL): $(call object,tests/rocprofiler/tool.c)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS)
# a program that knows of HSA only
$(HSA_KERNELS): $(call object,$(addprefix tests/rocprofiler/,hsa_calls.c \
		kernels.c)) $(HSA_STANDIN)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -Wl,-rpath,'$$ORIGIN' -lpthread
tests: $(HSA_STANDIN) $(ROC_TOOL) $(HSA_KERNELS)

# libdrmperf-gl without what asks a driver of OpenGL
$(BUILD)/obj/tests/gl/%.o: INCLUDES += -Icomponents -Icomponents/gl $(GL_CFLAGS)
$(GL_TESTS): $(call object,tests/gl/calls.c $(addprefix components/gl/gl_,\
	counters.c counting.c gpu.c monitors.c queries.c selected.c worker.c) \
	components/frontend/frontend.c components/frontend/call_thread.c)

# the Vulkan layer as the loader finds it
$(BUILD)/obj/tests/vulkan/%.o: INCLUDES += -Icomponents/vulkan/include
$(VULKAN_TESTS): $(call object,$(addprefix tests/vulkan/,calls.c world.c)) \
	| $(VULKAN)
$(VULKAN_TESTS): TEST_LIBS := -lvulkan
# and from inside
VULKAN_INSIDE := cuts parts traces
$(VULKAN_INSIDE:%=$(BUILD)/obj/tests/vulkan/test_vulkan_%.o): \
	INCLUDES += -Icomponents -Icomponents/vulkan
$(VULKAN_INSIDE:%=$(BUILD)/tests/test_vulkan_%): $(call object,$(VULKAN_SRC))

$(BUILD)/obj/tests/bench/bench_vulkan.o: \
	INCLUDES += -Icomponents/vulkan/include
$(BUILD)/bench/bench_vulkan: $(call object,tests/vulkan/world.c) | $(VULKAN)
$(BUILD)/bench/bench_vulkan: BENCH_LIBS = -lvulkan $(CHECK_LIBS)
$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(call object,$(BENCH_COMMON)) \
		$(TEST_A) $(LIBRARY_A) $(SIM_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(BENCH_LIBS) $(LIBS)

# Fuzzers run what they try inside their process, built for them: every line of
# it has to be instrumented. Most try the library, some the simulator.
FUZZ := $(BUILD)/fuzz
fuzz_object = $(patsubst %.c,$(FUZZ)/obj/%.o,$(1))
FUZZ_CC := clang -std=gnu11 -D_GNU_SOURCE -O1 -g -pthread $(WARNINGS) \
	-Wno-pass-failed $(if $(WERROR),-Werror) -fno-sanitize-recover=undefined
FUZZ_INCLUDES := -I. -Ilib/include -Ilib -Iutils/drmsim -Icomponents/drm \
	-DDRMPERF_EVENTS_DIR='"$(PREFIX)/share/drmperf/events"' \
	-DDRMPERF_LIBEXEC_DIR='"$(PREFIX)/libexec"'
SIM_FUZZERS := $(addprefix $(FUZZ)/,fuzz_ioctl fuzz_pm4 fuzz_scenario)

$(FUZZ)/obj/utils/drmsim/%.o $(FUZZ)/obj/tests/drmsim/%.o \
$(SIM_FUZZERS:$(FUZZ)/%=$(FUZZ)/obj/tests/fuzz/%.o): \
	FUZZ_INCLUDES := -I. -Iutils/drmsim

$(FUZZ)/obj/components/rgp/%.o: FUZZ_INCLUDES := -Ilib/include -Icomponents
$(FUZZ)/obj/utils/drmperf/%.o: FUZZ_INCLUDES := -Ilib/include -Iutils/drmperf \
	-Icomponents $(HTTP_CFLAGS) $(ZSTD_CFLAGS) $(CURSES_CFLAGS)
$(FUZZ)/obj/utils/selftest/%.o: FUZZ_INCLUDES := -Ilib/include -Ilib -Iutils \
	-Iutils/drmperf -Icomponents
$(patsubst %,$(FUZZ)/obj/tests/fuzz/fuzz_%.o,command report): \
	FUZZ_INCLUDES += -Iutils -Iutils/drmperf -Icomponents

$(FUZZ)/obj/%.o: %.c $(FLAGS)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer-no-link,address,undefined \
		$(PACKAGE_CFLAGS) $(FUZZ_INCLUDES) -MMD -MP -c -o $@ $<

# The tool as a library whose files are the fuzzer's.
RENAMED := --redefine-sym main=drmperf_main --redefine-sym fopen=fuzz_fopen \
	--redefine-sym open=fuzz_open --redefine-sym execv=fuzz_execv
TOOLS_SRC := $(filter-out utils/selftest/main.c,$(TOOL_SRC) $(SELFTEST_SRC))
$(FUZZ)/tool.a: $(call fuzz_object,$(TOOLS_SRC))
$(BUILD)/replay/tool.a: $(call object,$(TOOLS_SRC))
$(FUZZ)/tool.a $(BUILD)/replay/tool.a:
	$(Q)mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $^ && objcopy $(RENAMED) $@
# The fuzzer neither listens nor draws.
NO_SCREEN := utils/drmperf/serve/http_left_out.c utils/drmperf/top/no_screen.c

$(FUZZ)/libdrmperf.a: $(call fuzz_object,$(LIB_SRC))
$(FUZZ)/libdrmsim.a: $(call fuzz_object,tests/drmsim/sim_client.c \
	$(filter-out utils/drmsim/main.c,$(SIM_SRC)))
$(FUZZ)/fuzz_plan: $(call fuzz_object,$(addprefix tests/plan/pack/,\
	brute.c checker.c split.c))
$(FUZZ)/fuzz_table: $(call fuzz_object,tests/table/gpus.c)
$(FUZZ)/fuzz_names: $(call fuzz_object,$(addprefix components/drm/,\
	papi_drm_event.c papi_drm_names.c))
$(FUZZ)/fuzz_command: $(call fuzz_object,tests/support/fake_driver.c)
$(addprefix $(FUZZ)/,fuzz_command fuzz_report): \
	$(call fuzz_object,$(NO_SCREEN)) $(FUZZ)/tool.a

$(SIM_FUZZERS): $(FUZZ)/libdrmsim.a
$(filter-out $(SIM_FUZZERS),$(FUZZERS)): $(FUZZ)/libdrmperf.a
fuzz_archives = $(filter %/tool.a,$^) $(filter-out %/tool.a,$(filter %.a,$^))
fuzz_wrapped = $(addprefix -Wl$(comma)--wrap=,LLVMFuzzerTestOneInput \
	$(if $(filter %/fuzz_scenario,$@),sim_root_write))
$(FUZZERS): $(FUZZ)/%: $(FUZZ)/obj/tests/fuzz/%.o $(FUZZ)/obj/tests/fuzz/limits.o
	$(call say,FUZZER,$@)
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer,address,undefined $(fuzz_wrapped) \
		$(filter %.o,$^) $(fuzz_archives) -o $@ $(CURSES_LIBS) $(LIBS)

-include $(patsubst %.o,%.d,$(call fuzz_object,$(LIB_SRC) $(SIM_SRC) \
	$(TOOLS_SRC) $(wildcard tests/fuzz/*.c tests/plan/pack/*.c tests/table/*.c) \
	tests/support/fake_driver.c))

# What the fuzzers begin with is tried by a plain driver, with the compiler and
# the sanitizers of all suites.
REPLAYS := $(patsubst tests/fuzz/%.c,$(BUILD)/replay/%,\
	$(sort $(wildcard tests/fuzz/fuzz_*.c)))
$(BUILD)/obj/tests/fuzz/fuzz_names.o: INCLUDES += -Icomponents/drm
$(BUILD)/replay/fuzz_names: $(call object,$(addprefix components/drm/,\
	papi_drm_event.c papi_drm_names.c))
$(addprefix $(BUILD)/replay/,fuzz_command fuzz_report): \
	$(call object,$(NO_SCREEN)) $(BUILD)/replay/tool.a
$(REPLAYS): $(BUILD)/replay/%: $(BUILD)/obj/tests/fuzz/%.o \
		$(call object,tests/fuzz/limits.c tests/fuzz/replay.c) \
		$(TEST_A) $(LIBRARY_A) $(SIM_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(fuzz_wrapped) $(filter %.o,$^) $(fuzz_archives) -o $@ \
		$(ALL_LDFLAGS) $(CURSES_LIBS) $(CHECK_LIBS) $(LIBS)

# Programs that have Mesa's drivers do the work, where Mesa is.
PEERS := $(addprefix $(BUILD)/peers/,\
	$(if $(shell $(PKG_CONFIG) --exists vulkan && echo yes),\
		vulkan_dispatch vulkan_frames vulkan_query) \
	$(if $(GLES_PACKAGES),gl_monitor) \
	$(if $(GL_PACKAGES),gl_client gl_frames gl_lives gl_swaps gl_threads))

$(BUILD)/peers/vulkan_%: PEER_LIBS := -lvulkan
$(addprefix $(BUILD)/peers/vulkan_,dispatch frames query): \
	$(call object,tests/peers/vulkan_program.c)
$(BUILD)/peers/gl_monitor: PEER_LIBS := -lEGL -lGLESv2
$(addprefix $(BUILD)/obj/tests/peers/gl_,client.o frames.o lives.o \
	swaps.o threads.o): \
	INCLUDES += $(GL_CFLAGS)
$(addprefix $(BUILD)/peers/gl_,client frames lives swaps threads): \
	PEER_LIBS := -lEGL -lGL
$(BUILD)/peers/%: $(BUILD)/obj/tests/peers/%.o
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(PEER_LIBS)

-include $(patsubst %.o,%.d,$(call object,$(TEST_SRC) $(TEST_FRONTEND_SRC) \
	tests/gl/calls.c tests/kd/calls.c tests/kd/made_up.c \
	$(HSA_STANDIN_SRC) \
	$(addprefix tests/rocprofiler/,kernels.c program.c tool.c) \
	tests/tool/clock_preload.c tests/tool/user_events_preload.c \
	$(addprefix tests/vulkan/,calls.c world.c) \
	$(addprefix components/drm/,papi_drm_event.c papi_drm_names.c) \
	$(wildcard tests/bench/*.c tests/fuzz/*.c tests/peers/*.c)))

tests: all $(TESTS) $(TEST_CLOCK) $(TEST_USER_EVENTS) $(TEST_EGL)
peers: all $(PEERS)
benches: all $(BENCHES)
bench: benches papi-tests
	$(Q)BUILD_DIR=$(abspath $(BUILD)) tests/bench/run.sh
fuzzers: $(FUZZERS)
replays: $(REPLAYS)
fuzz: fuzzers
	$(Q)BUILD_DIR=$(abspath $(BUILD)) make/fuzz.sh $(T)

analyze: papi
	$(Q)make/deps.sh check deep
	$(Q)JOBS=$${JOBS:-$$(nproc)} BUILD_DIR=$(abspath $(BUILD)) \
		TOP_DIR=$(CURDIR) tests/lint/analyze.sh $(T)

sweep: all $(BUILD)/tests/test_sweep
	$(Q)BUILD_DIR=$(abspath $(BUILD)) TOP_DIR=$(CURDIR) make/sweep.sh

SOAK_TIME ?= 3600
SOAK := $(BUILD)/soak/soak
$(SOAK): $(BUILD)/obj/tests/soak/soak.o $(LIBRARY_A) $(SIM_A)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(LIBS)

-include $(BUILD)/obj/tests/soak/soak.d

soak: all $(SOAK)
	$(Q)SOAK_TIME=$(SOAK_TIME) $(SIM) --gpu vega10 --gpu skl -- $(SOAK)

coverage:
	$(Q)make/deps.sh build check deep
	$(Q)MAKE='$(MAKE)' make/coverage.sh $(T)

print-suites:
	@printf '%s\n' $(notdir $(TESTS))

check:
	$(Q)make/deps.sh build papi check
	$(Q)MAKE='$(MAKE)' WERROR='$(WERROR)' make/check.sh

check-deep:
	$(Q)make/deps.sh build papi check deep
	$(Q)MAKE='$(MAKE)' WERROR='$(WERROR)' make/check_deep.sh

check-all:
	$(Q)make/deps.sh build papi check deep
	$(Q)CHECK_ALL=1 MAKE='$(MAKE)' WERROR='$(WERROR)' make/check_deep.sh

check-one:
	$(Q)MAKE='$(MAKE)' WERROR='$(WERROR)' make/check.sh $(T)
