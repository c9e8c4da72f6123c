/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report: one fact a line, a word and key=value pairs, the text last and
 * in quotation marks.
 */
#ifndef DRMSIM_SERVER_REPORT_H
#define DRMSIM_SERVER_REPORT_H

#include <stdio.h>

struct sim;

void sim_report_write(const struct sim *sim, FILE *out);

#endif /* DRMSIM_SERVER_REPORT_H */
