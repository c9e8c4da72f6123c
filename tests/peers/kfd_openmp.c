/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of OpenMP that copies to the GPU and back and launches a target
 * region of 391 teams of 256 threads, which changes nothing: prints how the
 * bytes came back.
 *
 * usage: kfd_openmp LAUNCHES
 */
#include <stdio.h>
#include <stdlib.h>

#define NUMBERS 100000

int
main(int argc, char **argv)
{
	static int numbers[NUMBERS];
	int launches = argc > 1 ? atoi(argv[1]) : 1, wrong = 0;

	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = i;
	for (int launch = 0; launch < launches; launch++) {
#pragma omp target teams distribute parallel for num_teams(391)                \
	thread_limit(256) map(tofrom                                           \
			      : numbers)
		for (int i = 0; i < NUMBERS; i++)
			numbers[i] += 0;
	}
	for (int i = 0; i < NUMBERS; i++)
		wrong += numbers[i] != i;
	printf("device 0: %s\n", wrong ? "wrong" : "right");
	return 0;
}
