/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulator's own insides, which drivers do not see. See sim.h for the
 * words.
 */
#ifndef DRMSIM_CORE_H
#define DRMSIM_CORE_H

#include <sys/socket.h>

#include "base/protocol.h"
#include "machine/sim.h"

#define SIM_GPUS_MAX 16

/* Exit codes of drmsim itself; 126, 127 and 128 + n are as in env(1). */
#define SIM_EXIT_VIOLATIONS 120
#define SIM_EXIT_FAILURE 125

struct bo_entry;
struct connection;
struct fault;
struct open_file;

/* What an epoll event is about; the first member of its owner. */
enum sim_watch {
	SIM_WATCH_LISTENER,
	SIM_WATCH_CLOSED,
	SIM_WATCH_SIGNALS,
	SIM_WATCH_CONNECTION,
	SIM_WATCH_STREAM,
};
struct note;

/* The file of a node in the simulated /dev. */
struct sim_node {
	struct sim_gpu *gpu;
	unsigned minor;
	unsigned mode; /* permissions, as if the caller owned nothing */
	uint64_t device, inode;
	int fd; /* ours, to ask for locks */
};

struct sim {
	char directory[96]; /* the simulated root and the socket */
	int directory_lock; /* shows that it is in use */
	bool is_virtual, strict;
	uint64_t started;     /* host's monotonic clock at time 0 */
	uint64_t virtual_now; /* virtual time only */
	struct sim_gpu *gpus[SIM_GPUS_MAX];
	unsigned gpu_count;
	struct sim_node nodes[2 * SIM_GPUS_MAX];
	unsigned node_count;
	struct open_file *files; /* node.c */
	struct bo_entry *buffers; /* object.c */
	uint64_t next_id;	/* files, streams, buffers */
	struct sim_stream *streams;
	struct connection *connections;
	pid_t ended[64]; /* processes that announced their end, as a ring */
	unsigned ended_next;
	struct sim_call *sleepers;
	bool woken;
	int epoll, listener, inotify, signals;
	enum sim_watch watch_listener, watch_closed, watch_signals;
	uint64_t closing_until; /* host's clock; see node.c */
	struct registered_pmu *pmus;
	int next_pmu_type;
	struct call_count *counts;
	struct fault *faults;
	struct note *notes; /* violations and clean-ups */
	bool unprivileged; /* no caller has capabilities; else all have them */
	FILE *log;
	pid_t child;
	int child_status;
	bool child_ended;
};

struct sim_call {
	struct sim *sim;
	struct connection *connection; /* that is answered */
	struct ucred caller;
	struct protocol_request request;
	char *text; /* of PROTOCOL_OPEN and the like, terminated */
	struct sim_call *next; /* sleepers */
	bool sleeping, cancelled, timed_out;
	uint64_t deadline, until;
	uint64_t memory;
	uint64_t first_deadline; /* kept by sim_call_deadline() */
	bool has_first_deadline, counted;
	/* the reply in the making */
	uint8_t *pieces;
	size_t pieces_size, pieces_room;
	uint32_t piece_count;
	int fd; /* to be passed, ours; or -1 */
	uint32_t reply_flags;
	uint64_t store, stream_id, offset;
};

/* ---- machine.c */
struct sim *sim_machine_create(void);
void sim_machine_destroy(struct sim *sim);
/* Serve until the command has ended. */
int sim_machine_run(struct sim *sim);
uint64_t sim_host_now(void);
int sim_watch(struct sim *sim, int fd, uint32_t events,
	      enum sim_watch *watch);
/* Virtual time: go on by ns, through everything that happens meanwhile. */
int sim_machine_advance(struct sim *sim, uint64_t ns);
struct sim_gpu *sim_machine_gpu(struct sim *sim, uint64_t index);

/* ---- testbed.c: the simulated root in the file system */
int sim_testbed_create(struct sim *sim);
void sim_testbed_destroy(struct sim *sim);
/* Mirror what programs need of the host's /sys beside our devices. */
int sim_testbed_mirror(struct sim *sim);
/* All files every PCI device with DRM nodes has. */
int sim_testbed_add_gpu(struct sim_gpu *gpu, unsigned node_mode);
int sim_testbed_write(struct sim *sim, const char *path, const char *text);
int sim_testbed_link(struct sim *sim, const char *path, const char *target);

/* ---- gpu.c */
/* spec: "vega10,option=value,...", appended to the machine. */
int sim_gpu_request(struct sim *sim, const char *spec, char *error,
		    size_t size);
/* After all requests: order, addresses, probe. */
int sim_gpus_start(struct sim *sim, char *error, size_t size);
void sim_gpus_stop(struct sim *sim);
int sim_gpus_list(FILE *out);
int sim_gpu_set(struct sim_gpu *gpu, const char *key, const char *value);
/* A word of the general ones or the driver's. "gpuN." selects one GPU. */
int sim_machine_set(struct sim *sim, const char *key, const char *value);

/* ---- scenario.c */
int sim_scenario_read(struct sim *sim, const char *path, char *error,
		      size_t size);

/* ---- connection.c */
int sim_listen(struct sim *sim);
void sim_connection_accept(struct sim *sim);
void sim_connection_ready(struct connection *connection, uint32_t events);
void
sim_connections_close(struct sim *sim);
void sim_connection_set_ended(struct connection *connection);
/* The process has announced its end, by exit() or by return from main(). */
bool sim_process_ended(const struct sim *sim, pid_t pid);
/* Send the reply of a call and make the connection ready for the next. */
void sim_connection_answer(struct connection *connection, int64_t result);

/* ---- call.c */
void sim_call_begin(struct sim_call *call);
/* Handle and, unless it sleeps, answer. */
void sim_call_run(struct sim_call *call);
void sim_call_cancel(struct sim_call *call);
void sim_call_reset(struct sim_call *call);
void sim_call_free(struct sim_call *call);
/* Ask all sleepers again. */
void sim_calls_retry(struct sim *sim);
int sim_call_give_map(struct sim_call *call, const struct sim_mapping *map);

/* ---- node.c: open files of DRM nodes */
int sim_node_open(struct sim_call *call);
int sim_node_access(struct sim_call *call);
struct sim_file *sim_node_file(struct sim *sim, uint64_t id);
/* path: the whole path in the simulated /dev. */
int sim_node_add(struct sim_gpu *gpu, const char *path, unsigned minor,
		 unsigned mode);
/* Write PROTOCOL_NODES. */
int sim_nodes_publish(struct sim *sim);
/* Close the files whose last descriptor is gone. */
void sim_nodes_check(struct sim *sim);
void sim_nodes_notice(struct sim *sim);
void sim_nodes_close_all(struct sim *sim);
/* True while a file is being closed because its process was killed. */
bool sim_file_was_killed(const struct sim_file *file);

/* An open file of the GPU that is DRM master, or has this magic; or NULL. */
struct sim_file *sim_node_master(struct sim_gpu *gpu);
struct sim_file *sim_node_by_magic(struct sim_gpu *gpu, uint32_t magic);
/* Unplugged, and its files of sysfs with it; or back. */
void sim_gpu_set_gone(struct sim_gpu *gpu, bool gone);
/* The device works again: runtime power management. */
void sim_gpu_resume(struct sim_gpu *gpu);
void sim_gpu_suspend(struct sim_gpu *gpu);

/* ---- drm.c */
int sim_drm_ioctl(struct sim_call *call, struct sim_file *file,
		  unsigned long request, uint64_t argument);

/* ---- object.c, syncobj.c */
struct sim_bo *sim_bo_of_inode(struct sim *sim, uint64_t device,
			       uint64_t inode);
int sim_objects_open(struct sim_file *file);
void sim_objects_close(struct sim_file *file);
int sim_gem_close(struct sim_call *call, struct sim_file *file, void *arg);
int sim_prime_to_fd(struct sim_call *call, struct sim_file *file, void *arg);
int sim_prime_to_handle(struct sim_call *call, struct sim_file *file,
			void *arg);
/* The handle tables of a file; only the two modules look inside. */
struct sim_slots {
	void **at; /* by handle - 1; NULL: free */
	uint32_t room;
};
struct sim_file_objects {
	struct sim_slots bos, syncobjs;
};
/* A handle, at least 1, for an object. */
int sim_slots_add(struct sim_slots *slots, void *object, uint32_t *handle);
void *sim_slots_get(const struct sim_slots *slots, uint32_t handle);
void sim_syncobjs_close(struct sim_file *file);
/* The fence behind a sync file of the caller: borrowed, or NULL. */
struct sim_fence *sim_sync_file_fence(struct sim_call *call, int fd);
extern const struct sim_ioctl sim_syncobj_ioctls[];
extern const size_t sim_syncobj_ioctl_count;

/* ---- stream.c */
struct sim_stream *sim_stream_find(struct sim *sim, uint64_t id);
int sim_stream_of_inode(struct sim *sim, uint64_t device, uint64_t inode,
			struct sim_stream **out);
int sim_stream_call(struct sim_call *call);
/* The descriptor to give away, and that it has been given. */
int sim_stream_fd(const struct sim_stream *stream);
void sim_stream_given(struct sim_stream *stream);
uint64_t sim_stream_id(const struct sim_stream *stream);
/* Close the streams nobody holds any more. */
void sim_streams_check(struct sim *sim);
void sim_streams_close_all(struct sim *sim);

/* ---- fdinfo.c */
int sim_fdinfo(struct sim_call *call);

/* ---- pmu.c */
int sim_pmu_open(struct sim_call *call);
void sim_pmus_free(struct sim *sim);
/* The directories of the GPU's PMUs go or come back. */
void sim_pmus_hide(struct sim_gpu *gpu, bool hide);

/* ---- fault.c */
/* spec: see drmsim --help */
int sim_fault_add(struct sim *sim, const char *spec);
void sim_faults_free(struct sim *sim);
/* What the n-th call of this kind shall answer: 0 or -errno. Counts it. */
int sim_fault_call(struct sim *sim, struct sim_gpu *gpu, const char *name);
enum sim_fault_action {
	SIM_FAULT_NONE,
	SIM_FAULT_HANG,
	SIM_FAULT_RESET,
	SIM_FAULT_GONE,
};
/* What shall happen to this submission. */
enum sim_fault_action sim_fault_submission(struct sim_gpu *gpu);
uint64_t sim_faults_next(const struct sim *sim);
void sim_faults_advance(struct sim *sim, uint64_t now);
uint64_t sim_call_count(const struct sim *sim, const char *name);
void sim_call_counts_write(const struct sim *sim, FILE *out);

/* ---- report.c */
void sim_report_write(struct sim *sim, FILE *out);
unsigned sim_violation_count(const struct sim *sim);
void sim_report_free(struct sim *sim);
void sim_report_clear(struct sim *sim);

/* ---- command.c: the server's side of drmsim ctl */
int sim_command(struct sim_call *call);
/* The client's side. */
int sim_ctl_main(int argc, char **argv);

#endif /* DRMSIM_CORE_H */
