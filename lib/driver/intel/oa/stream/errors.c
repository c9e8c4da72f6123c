/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/stream/errors.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "driver/share/mpi_rank.h"

int
oa_error_in_use(struct drmperf_error *error)
{
	struct mpi_rank job;

	mpi_rank_read(&job);
	error_set(error, -EBUSY,
		  "the OA unit is in use, by another process or another part "
		  "of this one");
	if (job.rank >= 0)
		error_remedy(error,
			     "give each rank a GPU of its own by :device=; "
			     "ranks share one if they run as one user and "
			     "DRMPERF_SHARE is not 0");
	else
		error_remedy(error, "end programs that count on this GPU, or "
				    "wait until they have finished; the kernel "
				    "does not report which");
	return -EBUSY;
}

int
oa_error_failure(int failure, struct drmperf_error *error)
{
	switch (failure) {
	case -ENODEV:
		return error_set(error, -ENODEV, "the GPU has gone");
	case -EIO:
		error_set(error, -EIO,
			  "the kernel has ended the stream of OA "
			  "reports");
		error_remedy(error, "start counting again; if that does not "
				    "help, look into the kernel log (dmesg)");
		return -EIO;
	case -ECANCELED:
		error_set(error, -ECANCELED,
			  "the GPU was reset while it was counted: its OA unit "
			  "may have lost the metric set");
		error_remedy(error, "stop counting and start again");
		return -ECANCELED;
	case -EUCLEAN:
		error_set(error, -ECANCELED,
			  "all counters of the metric set have stopped while "
			  "the GPU worked: it was probably reset, which takes "
			  "the set from its OA unit");
		error_remedy(error, "stop counting and start again; the "
				    "kernel's log (dmesg) shows resets");
		return -ECANCELED;
	case -ESTALE:
		error_set(error, -EIO,
			  "the machine has slept while it was counted: the "
			  "GPU's OA unit may have lost the metric set");
		error_remedy(error, "stop counting and start again");
		return -EIO;
	case -EBADMSG:
		error_set(error, -EIO,
			  "the memory that processes share has values that "
			  "none of them writes");
		error_remedy(error, "end all programs that count on this GPU, "
				    "or set DRMPERF_SHARE=0 in this one");
		return -EIO;
	default:
		return error_set(error, failure,
				 "reading OA reports failed: %s",
				 strerrordesc_np(-failure));
	}
}

int
oa_error_loss(enum oa_loss loss, unsigned lost, uint64_t late,
	      struct drmperf_error *error)
{
	switch (loss) {
	case OA_LOSS_NONE:
		return 0;
	case OA_LOSS_OVERFLOW:
		error_set(error, -EIO,
			  "the kernel's buffer of OA reports has "
			  "overflowed: counts were lost");
		break;
	case OA_LOSS_COUNTER:
		error_set(error, -EIO,
			  "a counter of the OA unit has overflowed: counts "
			  "were lost");
		break;
	case OA_LOSS_GAP:
		error_set(error, -EIO,
			  "OA reports are missing for so long that counters "
			  "may have wrapped (lost reports: %u, late: %" PRIu64
			  ")",
			  lost, late);
		break;
	case OA_LOSS_MALFORMED:
		error_set(error, -EIO,
			  "the kernel delivered a malformed "
			  "record");
		break;
	}
	error_remedy(error, "stop counting and start again");
	return -EIO;
}

int
oa_error_silence(struct drmperf_error *error)
{
	error_set(error, -ETIME, "the GPU sends no OA reports");
	error_remedy(error, "it may hang or be asleep: the kernel's log shows "
			    "more");
	return -ETIME;
}
