/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/pfm.h"

#include <dlfcn.h>
#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"

/* Guards libpfm4's state, of which a process has one: see the header. */
static pthread_mutex_t pfm_lock = PTHREAD_MUTEX_INITIALIZER;

/* The library's soname: the program may have loaded it already. */
#define LIBRARY "libpfm.so.4"

#define FUNCTIONS(X)                                                           \
	X(pfm_initialize)                                                      \
	X(pfm_strerror)                                                        \
	X(pfm_get_pmu_info)                                                    \
	X(pfm_get_event_next)                                                  \
	X(pfm_get_event_info)                                                  \
	X(pfm_get_os_event_encoding)

/* libpfm4, by its functions' own names. */
struct pfm {
#define MEMBER(name) __typeof__(&name) name;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Load it at the first call, for ever: it cannot be initialized twice. */
static bool
load_functions(struct pfm *pfm)
{
	void *library =
		dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	bool complete = library;

	if (!library)
		return false;
#define LOAD(name)                                                             \
	*(void **)&pfm->name = dlsym(library, #name);                          \
	complete &= pfm->name != NULL;
	FUNCTIONS(LOAD)
#undef LOAD
	dlclose(library);
	return complete;
}

/* Find the PMU that stands before "::". False if there is none of that name. */
static bool
find_pmu(const struct pfm *pfm, const char *name, pfm_pmu_info_t *out)
{
	size_t length = strcspn(name, ":");
	int pmu;

	pfm_for_all_pmus(pmu)
	{
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm->pfm_get_pmu_info((pfm_pmu_t)pmu, &info) !=
			    PFM_SUCCESS ||
		    strncasecmp(info.name, name, length) || info.name[length])
			continue;
		*out = info;
		return true;
	}
	return false;
}

static int
not_found(const struct pfm *pfm, const char *name, const pfm_pmu_info_t *pmu,
	  struct drmperf_error *error)
{
	const char *event = strstr(name, "::") + 2;
	struct suggestions nearest;
	char names[400];

	error_set(error, -ENOENT,
		  "libpfm4's PMU %s (%s) has no event \"%.200s\"", pmu->name,
		  pmu->desc, event);
	suggest_init(&nearest, event, strcspn(event, ":"));
	for (int i = pmu->first_event; i != -1;
	     i = pfm->pfm_get_event_next(i)) {
		pfm_event_info_t info = { .size = sizeof(info) };

		if (pfm->pfm_get_event_info(i, PFM_OS_PERF_EVENT, &info) ==
		    PFM_SUCCESS)
			suggest_offer(&nearest, info.name, info.name);
	}
	suggest_list(&nearest, names, sizeof(names));
	if (*names)
		error_remedy(error, "did you mean %s, with \"%s::\" before it?",
			     names, pmu->name);
	return -ENOENT;
}

static int
pfm_report_code(const struct pfm *pfm, const char *name,
		const pfm_pmu_info_t *pmu, int code,
		struct drmperf_error *error)
{
	switch (code) {
	case PFM_ERR_NOTFOUND:
		return not_found(pfm, name, pmu, error);
	case PFM_ERR_NOMEM:
		return error_set(error, -ENOMEM, "no memory");
	case PFM_ERR_NOTSUPP:
		return error_set(error, -ENOTSUP,
				 "%.200s: the kernel's interface cannot count "
				 "it, says libpfm4",
				 name);
	default:
		error_set(error, -EINVAL, "%.200s: libpfm4 says \"%s\"", name,
			  pfm->pfm_strerror(code));
		error_remedy(error, "masks and modifiers follow the event with "
				    "a colon: skl::INST_RETIRED:ANY_P:u");
		return -EINVAL;
	}
}

static int
pfm_encode_event(const struct pfm *pfm, const char *name, struct arena *arena,
		 struct perf_counter *out, const char **description,
		 struct drmperf_error *error)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t answer = { .attr = &attr,
					 .size = sizeof(answer) };
	pfm_event_info_t info = { .size = sizeof(info) };
	pfm_pmu_info_t pmu;
	int code;

	if (!find_pmu(pfm, name, &pmu))
		return -ENXIO;
	if (!pmu.is_present)
		return error_set(error, -ENODEV,
				 "this machine does not have the PMU %s (%s)",
				 pmu.name, pmu.desc);
	code = pfm->pfm_get_os_event_encoding(
		name, PFM_PLM0 | PFM_PLM3 | PFM_PLMH, PFM_OS_PERF_EVENT,
		&answer);
	if (code != PFM_SUCCESS)
		return pfm_report_code(pfm, name, &pmu, code, error);
	if (pfm->pfm_get_event_info(answer.idx, PFM_OS_PERF_EVENT, &info) !=
		    PFM_SUCCESS ||
	    !info.desc)
		info.desc = pmu.desc;
	*description = arena_strndup(arena, info.desc, strlen(info.desc));
	out->type = attr.type;
	out->config[0] = attr.config;
	out->config[1] = attr.config1;
	out->config[2] = attr.config2;
	out->exclude_user = attr.exclude_user;
	out->exclude_kernel = attr.exclude_kernel;
	out->exclude_hv = attr.exclude_hv;
	return *description ? 0 : error_set(error, -ENOMEM, "no memory");
}

static int
start_and_encode(const struct pfm *pfm, const char *name, struct arena *arena,
		 struct perf_counter *out, const char **description,
		 struct drmperf_error *error)
{
	int code = pfm->pfm_initialize();

	if (code != PFM_SUCCESS)
		return error_set(error, -ENOTSUP, "libpfm4 does not start: %s",
				 pfm->pfm_strerror(code));
	return pfm_encode_event(pfm, name, arena, out, description, error);
}

int
pfm_encode(const char *name, struct arena *arena, struct perf_counter *out,
	   const char **description, struct drmperf_error *error)
{
	struct pfm pfm;
	int ret;

	if (!load_functions(&pfm)) {
		error_set(error, -ENOTSUP,
			  "events of CPUs need libpfm4, of which " LIBRARY
			  " cannot be loaded");
		error_remedy(error, "install libpfm4");
		return -ENOTSUP;
	}
	pthread_mutex_lock(&pfm_lock);
	ret = start_and_encode(&pfm, name, arena, out, description, error);
	pthread_mutex_unlock(&pfm_lock);
	return ret;
}
