# SPDX-License-Identifier: BSD-3-Clause
# PAPI with the component linked in, instrumented examples, and the demo.

.PHONY: papi examples demo demo-run demo-run-without-papi

PAPI := $(BUILD)/papi
COMPONENT := $(sort $(shell find components/drm -type f 2>/dev/null))

# With sanitizers it is built from what the build without them has fetched.
ifneq ($(SANITIZE),)
PAPI_SRC ?= $(CURDIR)/build/papi/tree
endif

# Another source than last time: build anew. None given: keep what is there.
ifneq ($(PAPI_SRC),)
ifneq ($(PAPI_SRC),$(shell cat $(PAPI)/origin 2>/dev/null))
.PHONY: $(PAPI)/built
endif
endif

$(PAPI)/built: make/papi.sh $(COMPONENT)
	$(Q)make/deps.sh build papi
	$(Q)PAPI_SRC='$(PAPI_SRC)' V='$(V)' SANITIZERS='$(SANITIZERS)' \
		make/papi.sh $(BUILD)
	$(Q)touch $@

papi: all $(PAPI)/built

# ---- examples: each .c file is a program, save what they share
EXAMPLE_COMMON := $(addprefix examples/,named_events.c workload.c)
EXAMPLES := $(patsubst examples/%.c,$(BUILD)/examples/%,\
	$(filter-out $(EXAMPLE_COMMON),$(sort $(wildcard examples/*.c))))

$(BUILD)/obj/examples/%.o: INCLUDES += -I$(PAPI)/include
$(call object,$(sort $(wildcard examples/*.c))): | $(PAPI)/built

$(BUILD)/examples/%: $(BUILD)/obj/examples/%.o \
		$(call object,$(EXAMPLE_COMMON)) | $(PAPI)/built
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -L$(PAPI)/lib -lpapi \
		-Wl,-rpath,'$$ORIGIN/../papi/lib' $(PACKAGE_LIBS)

-include $(patsubst %.o,%.d,$(call object,$(wildcard examples/*.c)))

examples: papi $(EXAMPLES)

# ---- tests by way of PAPI
.PHONY: papi-tests

PAPI_TEST_COMMON := $(addprefix tests/,papi/harness.c papi/machine.c bench/row.c)
PAPI_TEST_SRC := $(filter-out $(PAPI_TEST_COMMON) $(addprefix tests/papi/,\
	fake_drmperf.c test_%.c),$(sort $(wildcard tests/papi/*.c)))
PAPI_TESTS := $(patsubst tests/papi/%.c,$(BUILD)/tests/papi/%,$(PAPI_TEST_SRC))
# stand-ins for the library: a good one, one that lacks a function, one of
# another version
FAKES := $(addsuffix /libdrmperf.so.0,\
	$(addprefix $(BUILD)/tests/papi/,fake fake-lacking fake-other))

$(BUILD)/obj/tests/papi/%.o $(BUILD)/obj/tests/peers/kfd_papi.o: \
	INCLUDES += -I$(PAPI)/include
# defines functions that headers of the C library have bodies for then
$(BUILD)/obj/tests/papi/read_cost.o: FORTIFIED := -U_FORTIFY_SOURCE
# has events of its own, by PAPI's library for that
$(BUILD)/obj/tests/papi/sde_others.o: \
	INCLUDES += -isystem $(PAPI)/tree/src/sde_lib
$(BUILD)/tests/papi/sde_others: PAPI_TEST_LIBS := -lsde
# benchmarks have row.c as well, and are built without PAPI
$(call object,$(PAPI_TEST_SRC) $(filter-out tests/bench/%,\
	$(PAPI_TEST_COMMON))): | $(PAPI)/built

$(PAPI_TESTS): $(BUILD)/tests/papi/%: $(BUILD)/obj/tests/papi/%.o \
		$(call object,$(PAPI_TEST_COMMON)) $(SIM_A) | $(PAPI)/built
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -L$(PAPI)/lib -lpapi \
		$(PAPI_TEST_LIBS) -Wl,-rpath,$(abspath $(PAPI)/lib) $(LIBS)

$(BUILD)/tests/papi/fake-lacking/%: FAKE := -DFAKE_WITHOUT_RESET
$(BUILD)/tests/papi/fake-other/%: FAKE := -DFAKE_MAJOR=9
$(FAKES): tests/papi/fake_drmperf.c lib/include/drmperf.h $(FLAGS)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $< $(ALL_CFLAGS) -Ilib/include $(FAKE) \
		-Wl,-soname,libdrmperf.so.0

-include $(patsubst %.o,%.d,\
	$(call object,$(PAPI_TEST_SRC) $(PAPI_TEST_COMMON)))

# PAPI's own rule for the tests of components
$(PAPI)/component-tests: $(PAPI)/built
	$(call say,MAKE,components/drm/tests)
	$(Q)$(MAKE) -s -C $(PAPI)/tree/src/testlib > $(PAPI)/log 2>&1 && \
		$(MAKE) -s -C $(PAPI)/tree/src/components/drm/tests tests \
		>> $(PAPI)/log 2>&1 || { cat $(PAPI)/log; false; }
	$(Q)touch $@

# ---- PAPI's component rocm over librocprofiler64
PAPI_ROCM := $(PAPI)-rocm
PAPI_ROCM_TEST := $(BUILD)/tests/papi/papi_rocm

$(PAPI_ROCM)/built: make/papi_rocm.sh $(PAPI)/built
	$(Q)CC='$(CC)' make/papi_rocm.sh $(PAPI)
	$(Q)touch $@

$(BUILD)/obj/tests/rocprofiler/papi_rocm.o: INCLUDES += -I$(PAPI_ROCM)/include
$(BUILD)/obj/tests/rocprofiler/papi_rocm.o: | $(PAPI_ROCM)/built
$(PAPI_ROCM_TEST): $(call object,tests/rocprofiler/papi_rocm.c \
		$(PAPI_TEST_COMMON)) $(SIM_A) \
		| $(PAPI_ROCM)/built $(HSA_STANDIN)
	$(call say,LINK,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -L$(PAPI_ROCM)/lib -lpapi \
		-Wl,-rpath,'$$ORIGIN/../../papi-rocm/lib' $(LIBS)

# and with kernels that go through HSA
PAPI_ROCM_INTERCEPT := $(BUILD)/tests/papi/papi_rocm_intercept
$(BUILD)/obj/tests/rocprofiler/papi_rocm_intercept.o: \
	INCLUDES += -I$(PAPI_ROCM)/include
$(BUILD)/obj/tests/rocprofiler/papi_rocm_intercept.o: | $(PAPI_ROCM)/built
$(PAPI_ROCM_INTERCEPT): $(call object,\
		tests/rocprofiler/papi_rocm_intercept.c \
		tests/rocprofiler/hsa_calls.c \
		$(PAPI_TEST_COMMON)) $(SIM_A) \
		| $(PAPI_ROCM)/built
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -L$(PAPI_ROCM)/lib -lpapi \
		-Wl,-rpath,'$$ORIGIN/../../papi-rocm/lib' $(HSA_LIBS) $(LIBS)

-include $(BUILD)/obj/tests/rocprofiler/papi_rocm.d \
	$(BUILD)/obj/tests/rocprofiler/papi_rocm_intercept.d

# once: PAPI's sources are foreign to sanitizers
papi-tests: papi $(PAPI_TESTS) $(FAKES) $(PAPI)/component-tests \
	$(if $(SANITIZE),,$(if $(ROC_SRC),\
	$(PAPI_ROCM_TEST) $(PAPI_ROCM_INTERCEPT)))

# ---- what clang warns of in all that the fuzzers' build does not have.
clang-objects: $(call object,$(SIM_PRELOAD_SRC) $(SDE_SRC) $(KD_SRC) $(ROC_SRC) \
	$(GL_SRC) $(VULKAN_SRC) $(TEST_SRC) $(TEST_FRONTEND_SRC) \
	$(sort $(wildcard $(addsuffix /*.c,tests/bench tests/gl tests/kd \
		tests/peers tests/rocprofiler tests/vulkan)) \
		$(PAPI_TEST_SRC) $(PAPI_TEST_COMMON) \
		$(wildcard examples/*.c)))

# ---- the demo: whether there is PAPI's source is asked before all is built
demo:
	$(Q)make/deps.sh build demo
	$(Q)if make/deps.sh papi && \
		PAPI_SRC='$(PAPI_SRC)' make/papi.sh --source $(BUILD); then \
		$(MAKE) --no-print-directory demo-run; \
	elif [ $$? = 3 ] || [ -z '$(PAPI_SRC)' ]; then \
		make/deps.sh sde || :; \
		$(MAKE) --no-print-directory demo-run-without-papi; \
	else \
		exit 1; \
	fi

demo-run: all examples
	$(Q)examples/demo.sh $(BUILD)

demo-run-without-papi: all
	$(Q)examples/demo.sh --without-papi $(BUILD)
