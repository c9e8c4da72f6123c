/* SPDX-License-Identifier: BSD-3-Clause */
#include "server/report.h"

#include "kfd/run.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "machine/note.h"
#include "scene/fault.h"

void
sim_report_write(const struct sim *sim, FILE *out)
{
	fprintf(out, "time ns=%llu\n", (unsigned long long)sim_now(sim));
	for (unsigned i = 0; i < sim->gpu_count; i++) {
		struct sim_gpu *gpu = sim->gpus[i];
		fprintf(out,
			"gpu index=%u kind=%s driver=%s address=%s "
			"submissions=%llu gone=%d suspended=%d resumes=%llu\n",
			i, gpu->kind, gpu->driver->name, gpu->address,
			(unsigned long long)gpu->submissions, gpu->gone,
			gpu->suspended, (unsigned long long)gpu->resumes);
		gpu->driver->report(gpu, out);
		kfd_report(sim, gpu, out);
	}
	sim_notes_write(sim, out);
	sim_faults_write_calls(sim, out);
}
