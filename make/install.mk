# SPDX-License-Identifier: BSD-3-Clause
# Installing and removing what was installed.

.PHONY: install uninstall

# where drmsim looks for its preload library, wherever LIBDIR is
PRIVATE_LIBDIR = $(PREFIX)/lib/drmperf
VERSION := $(shell awk '/define DRMPERF_VERSION_/ {v = v s $$3; s = "."} \
	END {print v}' lib/include/drmperf.h)
INSTALLED_EVENTS = $(sort $(shell find events -path events/tools -prune \
	-o \( -name '*.xml' -o -name '*.md' \) -print))
man_page = $(PREFIX)/share/man/man$(subst .,,$(suffix $(1)))/$(notdir $(1))
MAN_PAGES := $(wildcard doc/*.1 doc/*.3 doc/*.5 doc/*.7)
# where Vulkan's loader looks for layers
VULKAN_LAYERS = $(PREFIX)/share/vulkan/explicit_layer.d
VULKAN_HEADERS := $(wildcard components/vulkan/include/drmperf/*.h)
# $(call from_to,FOLDER,FILE): its path relative to the folder
from_to = $(shell realpath -m --relative-to='$(1)' '$(2)')
KD_HEADERS := $(wildcard components/kd/include/KD/*.h)
ROC_HEADER := components/rocprofiler/include/rocprofiler/rocprofiler.h
# bash looks for a file with the name of the command
COMPLETIONS = $(PREFIX)/share/bash-completion/completions

# $(call pc_file,name,description,libraries,packages and libraries behind those)
# is written in its place: two installations from one build may have another
# LIBDIR each.
define pc_file
$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' \
	'includedir=$${prefix}/include' \
	'events=$${prefix}/share/drmperf/events' '' \
	'Name: $(1)' 'Description: $(2)' 'Version: $(VERSION)' \
	'Libs: -L$${libdir} $(3)' 'Requires.private: $(4)' \
	'Libs.private: $(5)' 'Cflags: -I$${includedir}' \
	> $(DESTDIR)$(LIBDIR)/pkgconfig/$(1).pc
endef

install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)install -d $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/bin
	$(Q)install -m 755 $(BUILD)/lib/libdrmperf.so.0 $(DESTDIR)$(LIBDIR)/
	$(Q)install -m 755 $(SDE) $(DESTDIR)$(LIBDIR)/
	$(Q)ln -sf libdrmperf.so.0 $(DESTDIR)$(LIBDIR)/libdrmperf.so
ifneq ($(KD),)
	$(Q)install -m 755 $(firstword $(KD)) $(DESTDIR)$(LIBDIR)/
	$(Q)ln -sf libdrmperf-kd.so.0 $(DESTDIR)$(LIBDIR)/libdrmperf-kd.so
	$(Q)install -d $(DESTDIR)$(PREFIX)/include/KD
	$(Q)install -m 644 $(KD_HEADERS) $(DESTDIR)$(PREFIX)/include/KD/
endif
ifneq ($(ROC),)
	$(Q)install -m 755 $(firstword $(ROC)) $(DESTDIR)$(LIBDIR)/
	$(Q)ln -sf librocprofiler64.so.1 $(DESTDIR)$(LIBDIR)/librocprofiler64.so
	$(Q)install -m 755 $(KERNELS) $(DESTDIR)$(LIBDIR)/
	$(Q)install -D -m 644 $(ROC_HEADER) \
		$(DESTDIR)$(PREFIX)/include/rocprofiler/rocprofiler.h
	$(Q)install -D -m 644 components/rocprofiler/metrics.xml \
		$(DESTDIR)$(PREFIX)/share/drmperf/rocprofiler/metrics.xml
endif
	$(Q)$(foreach l,$(HSA) $(GL) $(MARKER),install -m 755 $(l) $(DESTDIR)$(LIBDIR)/ &&) :
ifneq ($(VULKAN),)
	$(Q)install -m 755 $(firstword $(VULKAN)) $(DESTDIR)$(LIBDIR)/
	$(Q)install -d $(DESTDIR)$(PREFIX)/include/drmperf
	$(Q)install -m 644 $(VULKAN_HEADERS) \
		$(DESTDIR)$(PREFIX)/include/drmperf/
	$(Q)install -d $(DESTDIR)$(VULKAN_LAYERS)
	$(Q)sed 's|"\.\./\.\./\.\./lib/|"$(call from_to,$(VULKAN_LAYERS),$(LIBDIR))/|' \
		$(lastword $(VULKAN)) \
		> $(DESTDIR)$(VULKAN_LAYERS)/$(notdir $(lastword $(VULKAN)))
endif
	$(Q)install -m 644 lib/include/drmperf.h \
		components/marker/include/drmperf_marker.h \
		$(DESTDIR)$(PREFIX)/include/
	$(call pc_file,drmperf,GPU hardware counters from the DRM drivers,$\
		-ldrmperf,$(PACKAGES),-lm -ldl -pthread)
	$(if $(KD),$(call pc_file,drmperf-kd,KD_KHR_perfcounter for Linux,$\
		-ldrmperf-kd,drmperf $(KD_PACKAGES),-lm))
	$(Q)$(foreach p,$(filter $(BUILD)/bin/%,$(PROGRAMS)),\
		install -m 755 $(p) $(DESTDIR)$(PREFIX)/bin/ &&) :
	$(Q)$(foreach p,$(SELFTEST) $(KFD),install -D -m 755 $(p) \
		$(DESTDIR)$(PREFIX)/libexec/$(notdir $(p)) &&) :
	$(Q)$(foreach p,$(SIM_PRELOAD),\
		install -D -m 755 $(p) $(DESTDIR)$(PRIVATE_LIBDIR)/$(notdir $(p)) &&) :
	$(Q)$(foreach f,$(INSTALLED_EVENTS),install -D -m 644 $(f) \
		$(DESTDIR)$(PREFIX)/share/drmperf/$(f) &&) :
	$(Q)$(foreach f,$(COMPILED:$(BUILD)/share/%=share/%),\
		{ [ ! -e $(BUILD)/$(f) ] || install -D -m 644 $(BUILD)/$(f) \
		$(DESTDIR)$(PREFIX)/$(f); } &&) :
	$(Q)$(foreach f,$(wildcard utils/drmsim/gpus/*),install -D -m 644 \
		$(f) $(DESTDIR)$(PREFIX)/share/drmperf/gpus/$(notdir $(f)) &&) :
	$(Q)$(foreach m,$(MAN_PAGES),install -D -m 644 $(m) \
		$(DESTDIR)$(call man_page,$(m)) &&) :
	$(Q)install -D -m 644 doc/grafana-dashboard.json \
		$(DESTDIR)$(PREFIX)/share/drmperf/grafana-dashboard.json
	$(Q)$(foreach f,$(wildcard doc/service/*),install -D -m 644 $(f) \
		$(DESTDIR)$(PREFIX)/share/drmperf/service/$(notdir $(f)) &&) :
	$(Q)sed -i 's,/usr/bin/drmperf,$(PREFIX)/bin/drmperf,' \
		$(DESTDIR)$(PREFIX)/share/drmperf/service/drmperf.service
	$(Q)install -D -m 644 utils/drmperf/drmperf.bash \
		$(DESTDIR)$(COMPLETIONS)/drmperf
	$(Q)ln -sf drmperf $(DESTDIR)$(COMPLETIONS)/drmsim

uninstall:
	$(call say,REMOVE,$(DESTDIR)$(PREFIX))
	$(Q)rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libdrmperf.so.0 libdrmperf.so \
		libdrmperf-sde.so libdrmperf-kd.so.0 libdrmperf-kd.so \
		$(if $(ROC),librocprofiler64.so.1 librocprofiler64.so \
		libdrmperf-kernels.so) \
		libdrmperf-gl.so libdrmperf-hsa.so libdrmperf-marker.so \
		libVkLayer_drmperf_gpa.so \
		pkgconfig/drmperf.pc pkgconfig/drmperf-kd.pc) \
		$(addprefix $(DESTDIR)$(PREFIX)/include/,drmperf.h \
		drmperf_marker.h) \
		$(addprefix $(DESTDIR)$(PREFIX)/bin/,drmperf drmsim) \
		$(addprefix $(DESTDIR)$(PREFIX)/libexec/,\
		$(notdir $(SELFTEST) $(KFD)))
	$(Q)$(if $(ROC),rm -f \
		$(DESTDIR)$(PREFIX)/include/rocprofiler/rocprofiler.h)
	$(Q)rm -f $(addprefix $(DESTDIR)$(PREFIX)/include/drmperf/,\
		$(notdir $(VULKAN_HEADERS))) \
		$(DESTDIR)$(VULKAN_LAYERS)/VkLayer_drmperf_gpa.json
	$(Q)rm -f $(addprefix $(DESTDIR)$(PREFIX)/include/KD/,\
		$(notdir $(KD_HEADERS)))
	$(Q)rm -f $(foreach m,$(MAN_PAGES),\
		$(DESTDIR)$(call man_page,$(m)))
	$(Q)rm -f $(addprefix $(DESTDIR)$(COMPLETIONS)/,drmperf drmsim)
	$(Q)rm -rf $(DESTDIR)$(PREFIX)/share/drmperf $(DESTDIR)$(PRIVATE_LIBDIR)
