/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine with GPUs of a kernel driver of the test's, as sysfs shows it.
 */
#ifndef DRMPERF_TESTS_SUPPORT_FAKE_MACHINE_H
#define DRMPERF_TESTS_SUPPORT_FAKE_MACHINE_H

/*
 * Begin a machine of that many GPUs of "fake"; what goes before /sys, until the
 * end.
 */
const char *
fake_machine_begin(unsigned gpus);
void
fake_machine_end(void);

/* A PCI device. */
struct fake_pci {
	const char *address;
	const char *driver; /* NULL: none is bound */
	const char *class;
	const char *nodes[4]; /* of DRM */
};

/* Add one of AMD's with ID 687f to the machine, which is in test_folder. */
void
fake_machine_add(const struct fake_pci *pci);

#endif /* DRMPERF_TESTS_SUPPORT_FAKE_MACHINE_H */
