/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMSIM_SIM_H
#define DRMSIM_SIM_H

#include "base/text.h"
#include "kernel/bo.h"
#include "kernel/call.h"
#include "kernel/fence.h"
#include "kernel/file.h"
#include "kernel/ioctl.h"
#include "kernel/stream.h"
#include "kernel/syncobj.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/log.h"
#include "machine/machine.h"
#include "machine/note.h"
#include "event/pmu.h"
#include "scene/fault.h"

#endif /* DRMSIM_SIM_H */
