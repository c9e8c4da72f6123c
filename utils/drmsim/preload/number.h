/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMSIM_PRELOAD_NUMBER_H
#define DRMSIM_PRELOAD_NUMBER_H

/* Put a number behind the text, which has room for it. */
void number_append(char *text, unsigned number);

#endif /* DRMSIM_PRELOAD_NUMBER_H */
