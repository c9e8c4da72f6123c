/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Self-tests of drivers: checks about a GPU that only the GPU can settle, and
 * the host that runs their stages, each in a process of its own.
 */
#ifndef DRMPERF_SELFTEST_CHECKS_CHECK_H
#define DRMPERF_SELFTEST_CHECKS_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum selftest_verdict {
	SELFTEST_PASS,
	SELFTEST_FAIL, /* a fault */
	SELFTEST_NO, /* the answer to a question, and no fault */
	SELFTEST_UNKNOWN, /* it could not be tried, or told */
	SELFTEST_VERDICTS
};

/* How verdicts are written, and read from another process. */
extern const char *const selftest_verdict_names[SELFTEST_VERDICTS];

struct selftest_check {
	const char *name; /* "compute.source-4" */
	enum selftest_verdict verdict;
	const char *expected;
	const char *seen;
};

/* A command buffer that is about to be submitted. */
struct selftest_commands {
	unsigned number; /* within the stage, from 1 on */
	const char *check; /* what it is for */
	const char *what;
	const char *ring; /* or what else takes them */
	const uint32_t *dwords;
	size_t count;
	bool may_repeat; /* some that were announced, at the same place */
};

/* Waves that another process is to launch. */
struct selftest_waves {
	bool enabled; /* its queue lets them be counted */
	uint32_t die; /* mask of the one to launch them; 0: whichever does */
	bool stream; /* a shader that reads SELFTEST_STREAM_BYTES instead */
	bool graphics; /* on that ring */
};

/* Work that another process is to do by OpenGL ES. */
struct selftest_drawing {
	enum {
		SELFTEST_QUADS, /* squares of that many pixels squared */
		SELFTEST_GROUPS /* of that many threads of a compute shader */
	} kind;
	unsigned count;
};

#define SELFTEST_STREAM_BYTES (UINT64_C(8) << 20)

#define SELFTEST_QUAD_SIDE 1024
#define SELFTEST_GROUP_THREADS 8

enum selftest_draw {
	SELFTEST_DRAW_BEGIN, /* it is ready to */
	SELFTEST_DRAW_RUN, /* has done it, and nothing else */
	SELFTEST_DRAW_CHECK /* -EILSEQ: nothing was done */
};

/* The user's command is ended then: a stage must not be silent for long. */
#define SELFTEST_BESIDE_SECONDS 100u

enum selftest_beside {
	SELFTEST_BESIDE_BEGIN,
	SELFTEST_BESIDE_LOOK,
	SELFTEST_BESIDE_END /* whether it is done or not */
};

struct selftest_host {
	void (*decided)(void *data, const struct selftest_check *check);
	/*
	 * 0; 1 if the check has hung the GPU before: its commands are left out;
	 * -errno ends the stage.
	 */
	int (*submitting)(void *data, const struct selftest_commands *commands);
	/*
	 * AMD: have a process of its own call selftest_launch(), and wait for
	 * it. 0; -ECANCELED if it has failed; -errno if there was none.
	 */
	int (*elsewhere)(void *data, const struct selftest_waves *waves);
	/*
	 * Have a process of its own do that, step by step. 0; -ENOSYS, -ENOENT,
	 * -ENODEV, -ENOTSUP: it cannot, for want of headers, libraries, a
	 * driver, a way; -errno.
	 */
	int (*draw)(void *data, const struct selftest_drawing *drawing,
		    enum selftest_draw step);
	/*
	 * The user's own command, which works on the GPU: begin it, or look at
	 * it, which also ends what runs for longer than a stage may take. 0; 1:
	 * it runs; -ENOSYS: there is none; -ECANCELED: it has failed; -errno.
	 */
	int (*beside)(void *data, enum selftest_beside step);
	/* Have the machine sleep. 0; -ENOSYS: no --suspend given; -errno. */
	int (*suspend)(void *data);
	void *data;
};

/* Report a verdict, and what was seen. */
void
selftest_decide(const struct selftest_host *host, const char *name,
		enum selftest_verdict verdict, const char *expected,
		const char *seen, va_list arguments)
	__attribute__((format(printf, 5, 0)));

/*
 * Memory from one stage to the next ones: zeroed in the beginning, but for the
 * seconds.
 */
#define SELFTEST_SAVED_MAX 16u

struct selftest_memory {
	char results[256]; /* the file for what is found out, or "" */
	bool has_saved; /* registers as stage 2 found them */
	unsigned saved_count;
	struct {
		uint32_t byte, value;
	} saved[SELFTEST_SAVED_MAX];
	bool addresses_work; /* stage 3 has passed */
	unsigned seconds; /* that a stage may spend on waiting */
	/* of the things that the last stage tries, one in each process */
	unsigned item, item_count;
};

struct selftest_gpu {
	const char *address; /* "0000:03:00.0" */
	const char *node; /* to render */
	unsigned dies; /* that may be behind it; 0: as many as the chip has */
};

#endif /* DRMPERF_SELFTEST_CHECKS_CHECK_H */
