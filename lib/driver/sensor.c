/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/sensor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/periodic_thread.h"
#include "driver/runtime_status.h"

/* The count of a cumulative sensor while the run lives. */
struct accumulator {
	bool begun;
	uint64_t last;
	uint64_t total;
};

/* Codes of a sensor besides those of the kernel, which may be -ENODATA. */
#define SENSOR_ASLEEP (-EHOSTDOWN)
#define SENSOR_TOO_MUCH (-ERANGE)

struct sensor_run {
	const struct sensors *sensors;
	/*
	 * Reads those that wrap before anybody else may read them; NULL: none
	 * is wanted. The lock is of the table and the accumulators then.
	 */
	struct periodic_thread *thread;
	unsigned keep_ms; /* the shortest of the sensors'; 0: none has any */
	pthread_mutex_t lock;
	void *table; /* what read_table() gave last; NULL: none is wanted */
	int table_code; /* why there is none, or 0 */
	bool may_reopen; /* see struct sensors; not in a handler of a signal */
	bool partial; /* sensors that fail at the start are left to samples */
	size_t count;
	struct {
		uint32_t index; /* in sensors->list */
		int code; /* why the last sample lacks it, or 0 */
		uint64_t refused; /* of SENSOR_TOO_MUCH: what it was */
		struct accumulator accumulator;
	} wanted[];
};

/* ------------------------------------------------------------------ */
/* Failure                                                              */

static int
explain_asleep(const struct sensors *sensors, struct drmperf_error *error)
{
	error_set(error, -ENODATA,
		  "the GPU of %s is asleep, and its sensors have no values",
		  sensors->device);
	error_remedy(error,
		     "read while it works, or keep it awake (as root: echo on "
		     "> %s/power/control)",
		     sensors->device);
	return -ENODATA;
}

static bool
is_asleep(const struct sensors *sensors)
{
	return runtime_status_is_asleep(sensors->runtime_status);
}

static int
explain_silent(const struct sensors *sensors, size_t index, int code,
	       struct drmperf_error *error)
{
	if (code == -ENODEV) {
		error_set(error, code, "the GPU of %s has gone",
			  sensors->device);
		error_remedy(error, "it was unplugged or its driver was "
				    "unloaded: run the program again once it "
				    "is back");
		return code;
	}
	if (code == -EACCES) {
		error_set(error, code,
			  "the kernel shows the sensor %s of %s to privileged "
			  "processes only",
			  sensors->list[index].name, sensors->device);
		error_remedy(error,
			     "run as root, or give the program CAP_PERFMON "
			     "(setcap cap_perfmon=ep PROGRAM); inside a "
			     "container neither may count");
		return code;
	}
	if (code == -EPERM && is_asleep(sensors))
		return explain_asleep(sensors, error);
	if (code == -ENODATA) {
		error_set(error, code, "the sensor %s of %s has no value",
			  sensors->list[index].name, sensors->device);
		error_remedy(error, "read again later, or leave this event "
				    "out: the GPU's firmware reports no value, "
				    "or an impossible one");
		return code;
	}
	/* These say nothing about the sensor. */
	if (code == -EMFILE || code == -ENFILE || code == -ENOMEM) {
		error_set(error, code, "cannot ask the sensor %s of %s: %s",
			  sensors->list[index].name, sensors->device,
			  strerrordesc_np(-code));
		error_remedy(error, code == -EMFILE
					    ? "close files, or raise the limit "
					      "(ulimit -n), and try again"
					    : "try again");
		return code;
	}
	error_set(error, -EIO, "the sensor %s of %s does not answer: %s",
		  sensors->list[index].name, sensors->device,
		  strerrordesc_np(-code));
	error_remedy(error, "read again later, as the kernel reports nothing "
			    "while it resets a GPU, or leave this event out");
	return -EIO;
}

/*
 * Refuse a load of more than 100 %: firmware reports loads of 655 %
 * (flightlessmango/MangoHud issue 1997).
 */
static int
explain_too_much(const struct sensors *sensors, size_t index, uint64_t value,
		 struct drmperf_error *error)
{
	const struct sensor *sensor = &sensors->list[index];

	error_set(error, -ENODATA,
		  "the sensor %s of %s says %" PRIu64 ", and more than "
		  "%" PRIu64 " is no value",
		  sensor->name, sensors->device, value, sensor->most);
	error_remedy(error, "read again later, or leave this event out");
	return -ENODATA;
}

/* ------------------------------------------------------------------ */
/* Asking                                                               */

/*
 * Add what a counter has counted. A counter that goes back by a little, as a
 * rounded sum can, is taken to stand still until it has caught up.
 */
static uint64_t
accumulator_advance(struct accumulator *accumulator, uint64_t value,
		    unsigned bits)
{
	uint64_t mask = UINT64_MAX >> (64 - bits);
	uint64_t step = (value - accumulator->last) & mask;

	if (!accumulator->begun) {
		accumulator->begun = true;
		accumulator->last = value;
	} else if (step <= mask / 2) {
		accumulator->total += step;
		accumulator->last = value;
	}
	return accumulator->total;
}

/* Return true if asking for what the run wants would wake the GPU. */
static bool
would_wake(const struct sensor_run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		if (run->sensors->list[run->wanted[i].index].wakes)
			return is_asleep(run->sensors);
	}
	return false;
}

static int
run_missing(const void *data, size_t request, struct drmperf_error *error)
{
	const struct sensor_run *run = data;
	const uint32_t index = run->wanted[request].index;

	switch (run->wanted[request].code) {
	case 0:
		return 0;
	case SENSOR_ASLEEP:
		return explain_asleep(run->sensors, error);
	case SENSOR_TOO_MUCH:
		return explain_too_much(run->sensors, index,
					run->wanted[request].refused, error);
	default:
		return explain_silent(run->sensors, index,
				      run->wanted[request].code, error);
	}
}

static int
read_sensor(const struct sensor_run *run, size_t index, uint64_t *value)
{
	const struct sensors *sensors = run->sensors;
	int ret = sensors->read(sensors->data, index, value);

	if (ret == -ENODEV && run->may_reopen && sensors->reopen &&
	    sensors->reopen(sensors->data) > 0)
		ret = sensors->read(sensors->data, index, value);
	return ret;
}

/* Read a sensor, or take it from the table. */
static int
read_wanted(const struct sensor_run *run, size_t request, uint64_t *value)
{
	const struct sensors *sensors = run->sensors;
	const uint32_t index = run->wanted[request].index;

	if (!sensors->list[index].of_table)
		return read_sensor(run, index, value);
	if (run->table_code)
		return run->table_code;
	return sensors->pick(sensors->data, index, run->table, value);
}

static void
read_table(struct sensor_run *run)
{
	run->table_code =
		run->sensors->read_table(run->sensors->data, run->table);
}

/* Read what would wrap else. A GPU that sleeps hardly counts. */
static void
sensor_run_refresh(void *data)
{
	struct sensor_run *run = data;
	uint64_t value;

	pthread_mutex_lock(&run->lock);
	run->may_reopen = false;
	if (!is_asleep(run->sensors)) {
		if (run->table)
			read_table(run);
		for (size_t i = 0; i < run->count; i++) {
			const struct sensor *sensor =
				&run->sensors->list[run->wanted[i].index];

			if (sensor->keep_ms && !read_wanted(run, i, &value))
				accumulator_advance(&run->wanted[i].accumulator,
						    value, sensor->bits);
		}
	}
	pthread_mutex_unlock(&run->lock);
}

static int
sensor_run_read(struct sensor_run *run, size_t request, bool is_asleep,
		uint64_t *raw)
{
	const struct sensor *sensor =
		&run->sensors->list[run->wanted[request].index];
	uint64_t value;
	int ret;

	if (is_asleep && sensor->wakes)
		return SENSOR_ASLEEP;
	ret = read_wanted(run, request, &value);
	if (ret)
		return ret;
	if (sensor->most && value > sensor->most) {
		run->wanted[request].refused = value;
		return SENSOR_TOO_MUCH;
	}
	if (sensor->kind == DRMPERF_KIND_CUMULATIVE)
		value = accumulator_advance(&run->wanted[request].accumulator,
					    value, sensor->bits);
	*raw = value * sensor->scale / (sensor->divisor ? sensor->divisor : 1);
	return 0;
}

/* Enter the run. A handler of a signal does not wait for the thread. */
static int
run_enter(struct sensor_run *run, bool at_once)
{
	if (!run->thread)
		return 0;
	if (!at_once)
		return -pthread_mutex_lock(&run->lock);
	return pthread_mutex_trylock(&run->lock) ? -EAGAIN : 0;
}

/*
 * Read all sensors. Sensors have no memory: both modes of reading are the same.
 */
static int
run_sample(void *data, enum drmperf_read_mode mode, uint64_t *raw,
	   uint64_t *time_ns, struct drmperf_error *error)
{
	struct sensor_run *run = data;
	bool is_asleep = would_wake(run), lacks = false;
	uint64_t begin;
	int ret = run_enter(run, mode == DRIVER_READ_AT_ONCE);

	(void)error;
	if (ret)
		return ret;
	begin = monotonic_ns();
	run->may_reopen = mode != DRIVER_READ_AT_ONCE;
	run->table_code = 0;
	if (run->table && !is_asleep)
		read_table(run);
	for (size_t i = 0; i < run->count; i++) {
		run->wanted[i].code =
			sensor_run_read(run, i, is_asleep, &raw[i]);
		lacks |= run->wanted[i].code != 0;
	}
	if (run->thread)
		pthread_mutex_unlock(&run->lock);
	*time_ns = begin + (monotonic_ns() - begin) / 2;
	return lacks ? DRIVER_SAMPLE_PARTIAL : 0;
}

static int
start_thread(struct sensor_run *run, struct drmperf_error *error)
{
	int ret = periodic_thread_create(run->keep_ms, sensor_run_refresh, run,
					 &run->thread);

	return ret ? error_set(error, ret,
			       "cannot start the thread that reads sensors: %s",
			       strerrordesc_np(-ret))
		   : 0;
}

/*
 * Start the sensors. Every sensor is asked once, which wakes the GPU: from now
 * on it answers.
 */
static int
run_start(void *data, struct drmperf_error *error)
{
	struct sensor_run *run = data;
	uint64_t raw;
	int ret = 0;

	if (run->table)
		read_table(run);
	for (size_t i = 0; !ret && i < run->count; i++) {
		run->wanted[i].code = sensor_run_read(run, i, false, &raw);
		if (!run->partial)
			ret = run_missing(run, i, error);
	}
	return !ret && run->keep_ms ? start_thread(run, error) : ret;
}

/* ------------------------------------------------------------------ */
/* The domain                                                           */

static void
run_abandon(void *data)
{
	struct sensor_run *run = data;

	periodic_thread_abandon(run->thread);
	free(run->table);
	free(run);
}

static void
run_disarm(void *data)
{
	struct sensor_run *run = data;

	periodic_thread_destroy(run->thread);
	run->thread = NULL;
	pthread_mutex_destroy(&run->lock);
	run_abandon(run);
}

/* Note a sensor that the run wants, the number i of them. */
static void
run_want(struct sensor_run *run, size_t i, uint32_t index)
{
	const unsigned ms = run->sensors->list[index].keep_ms;

	run->wanted[i].index = index;
	if (ms && (!run->keep_ms || ms < run->keep_ms))
		run->keep_ms = ms;
}

static int
run_arm(void *device, const struct run_options *options,
	const struct counter_request *requests, size_t count, void **out,
	struct drmperf_error *error)
{
	const struct sensors *sensors = device;
	struct sensor_run *run;
	bool of_table = false;

	run = calloc(1, sizeof(*run) + count * sizeof(run->wanted[0]));
	if (!run)
		return error_set(error, -ENOMEM, "no memory");
	run->sensors = sensors;
	run->partial = options->partial;
	run->may_reopen = true;
	run->count = count;
	for (size_t i = 0; i < count; i++) {
		run_want(run, i, requests[i].selector);
		of_table |= sensors->list[requests[i].selector].of_table;
	}
	if (of_table) {
		run->table = malloc(sensors->table_size);
		if (!run->table) {
			free(run);
			return error_set(error, -ENOMEM, "no memory");
		}
	}
	pthread_mutex_init(&run->lock, NULL);
	*out = run;
	return 0;
}

/*
 * Nothing to share: each session asks for its own, and is not held up by what
 * others want.
 */
static const struct domain_ops sensor_ops = {
	.arm = run_arm,
	.start = run_start,
	.sample = run_sample,
	.missing = run_missing,
	.disarm = run_disarm,
	.abandon = run_abandon,
};

void
sensors_init(struct sensors *sensors, const struct driver_target *target)
{
	sensors->device = target->sysfs;
	sensors->runtime_status = runtime_status_open(target->sysfs);
}

void
sensors_finish(struct sensors *sensors)
{
	if (sensors->runtime_status >= 0)
		close(sensors->runtime_status);
}

static int
add_event(const struct sensors *sensors, size_t index, group_index group,
	  struct description *description)
{
	const struct sensor *sensor = &sensors->list[index];
	const struct description_event event = {
		.name = sensor->name,
		.description = sensor->description,
		.group = group,
		.unit = sensor->unit,
		.type = DRMPERF_TYPE_UINT64,
		.kind = sensor->kind,
		.slots = SLOTS_ANY,
		.selector = (uint32_t)index,
	};

	return description_add_event(description, &event);
}

int
sensors_describe(struct sensors *sensors, struct description *description)
{
	const struct description_domain domain = {
		.name = "sensor",
		.ops = &sensor_ops,
		.device = sensors,
	};
	struct description_group group = {
		.name = "sensor",
		.description = "Clocks, power, temperature and memory as the "
			       "kernel reports them; reading them disturbs no "
			       "counting.",
		.max_active = (unsigned)sensors->count,
		.instances = 1,
		.instances_per_engine = 1,
		.scope = DRMPERF_SCOPE_DEVICE,
	};
	group_index index;
	int ret;

	if (!sensors->count)
		return 0;
	ret = description_add_domain(description, &domain, &group.domain);
	if (!ret)
		ret = description_add_group(description, &group, &index);
	for (size_t i = 0; !ret && i < sensors->count; i++)
		ret = add_event(sensors, i, index, description);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Files                                                                */

/* Read the rest of "16.0 GT/s PCIe" behind the whole number, as MT/s. */
static int
parse_rate(const char *rest, uint64_t whole, uint64_t *out)
{
	if (rest[0] != '.' || rest[1] < '0' || rest[1] > '9' ||
	    strncmp(rest + 2, " GT/s", 5))
		return -EBADMSG;
	*out = whole * 1000 + (uint64_t)(rest[1] - '0') * 100;
	return 0;
}

/* Parse a number and a newline, or a rate. */
static int
parse_number(const char *text, uint64_t *out)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; text[i] >= '0' && text[i] <= '9'; i++)
		value = value * 10 + (uint64_t)(text[i] - '0');
	if (!i || i > 19)
		return -EBADMSG;
	if (text[i] != '\n')
		return parse_rate(text + i, value, out);
	*out = value;
	return 0;
}

int
sensor_read_file(const char *path, uint64_t *out)
{
	char text[32];
	ssize_t length;
	int fd, ret;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read(fd, text, sizeof(text) - 1);
	if (length < 0)
		ret = -errno;
	else {
		text[length] = '\0';
		ret = parse_number(text, out);
	}
	close(fd);
	return ret;
}
