# SPDX-License-Identifier: BSD-3-Clause
# PAPI with the component linked in, instrumented examples, and the demo.

.PHONY: papi examples demo demo-run

PAPI := $(BUILD)/papi
COMPONENT := $(sort $(shell find components/drm -type f 2>/dev/null))

# Another source than last time: build anew. None given: keep what is there.
ifneq ($(PAPI_SRC),)
ifneq ($(PAPI_SRC),$(shell cat $(PAPI)/origin 2>/dev/null))
.PHONY: $(PAPI)/built
endif
endif

$(PAPI)/built: make/papi.sh $(COMPONENT)
	$(Q)make/deps.sh build papi
	$(Q)PAPI_SRC='$(PAPI_SRC)' V='$(V)' make/papi.sh $(BUILD)
	$(Q)touch $@

papi: all $(PAPI)/built

# ---- examples: each .c file is a program, save what they share
EXAMPLE_COMMON := utils/examples/workload.c
EXAMPLES := $(patsubst utils/examples/%.c,$(BUILD)/examples/%,\
	$(filter-out $(EXAMPLE_COMMON),$(sort $(wildcard utils/examples/*.c))))

$(BUILD)/obj/utils/examples/%.o: INCLUDES += -I$(PAPI)/include
$(call object,$(sort $(wildcard utils/examples/*.c))): | $(PAPI)/built

$(BUILD)/examples/%: $(BUILD)/obj/utils/examples/%.o \
		$(call object,$(EXAMPLE_COMMON)) | $(PAPI)/built
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -L$(PAPI)/lib -lpapi \
		-Wl,-rpath,'$$ORIGIN/../papi/lib' $(PACKAGE_LIBS)

-include $(patsubst %.o,%.d,$(call object,$(wildcard utils/examples/*.c)))

examples: papi $(EXAMPLES)

# ---- the demo
demo:
	$(Q)make/deps.sh build papi demo
	$(Q)$(MAKE) --no-print-directory demo-run

demo-run: examples
	$(Q)utils/examples/demo.sh $(BUILD)
