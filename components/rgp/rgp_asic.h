/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk of a file for RGP: what the GPU is. */
#ifndef DRMPERF_COMPONENTS_RGP_RGP_ASIC_H
#define DRMPERF_COMPONENTS_RGP_RGP_ASIC_H

#include <stdio.h>

#include "rgp/rgp_machine.h"

#define RGP_ASIC_SIZE 768 /* with its head */

void
rgp_put_asic(FILE *out, const struct rgp_facts *facts);

#endif /* DRMPERF_COMPONENTS_RGP_RGP_ASIC_H */
