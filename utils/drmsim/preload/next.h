/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The preload library: a thin layer that recognises system calls on simulated
 * files and forwards them to the server.
 *
 * Nothing in it allocates memory or takes a lock, so that the functions may be
 * used in signal handlers, between fork and exec, and below any allocator.
 *
 * Behind each function that is intercepted stands that of the next library in
 * line, which may be umockdev's preload, a sanitizer, or libc: those are here.
 */
#ifndef DRMSIM_PRELOAD_NEXT_H
#define DRMSIM_PRELOAD_NEXT_H

#include <dirent.h>
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/* NULL while they are being resolved: then make the system call directly. */
struct next {
	int (*open)(const char *, int, ...);
	int (*openat)(int, const char *, int, ...);
	int (*ioctl)(int, unsigned long, ...);
	ssize_t (*read)(int, void *, size_t);
	int (*fcntl)(int, int, ...);
	int (*fstat)(int, struct stat *);
	int (*fxstat)(int, int, struct stat *);
	int (*statx)(int, const char *, int, unsigned, struct statx *);
	int (*access)(const char *, int);
	int (*faccessat)(int, const char *, int, int);
	int (*eaccess)(const char *, int);
	int (*fstatat)(int, const char *, struct stat *, int);
	int (*stat)(const char *, struct stat *);
	int (*lstat)(const char *, struct stat *);
	FILE *(*fopen)(const char *, const char *);
	DIR *(*opendir)(const char *);
	ssize_t (*getdents64)(int, void *, size_t);
	struct dirent *(*readdir)(DIR *);
	ssize_t (*pread)(int, void *, size_t, off_t);
	int (*flock)(int, int);
	int (*eventfd)(unsigned, int);
	int (*posix_spawn)(pid_t *, const char *,
			   const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const *,
			   char *const *);
	int (*pthread_create)(pthread_t *, const pthread_attr_t *,
			      void *(*)(void *), void *);
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	int (*shm_open)(const char *, int, mode_t);
	int (*shm_unlink)(const char *);
	sem_t *(*sem_open)(const char *, int, ...);
	int (*sem_unlink)(const char *);
	int (*setuid)(uid_t);
	int (*seteuid)(uid_t);
	int (*setreuid)(uid_t, uid_t);
	int (*setresuid)(uid_t, uid_t, uid_t);
};
extern struct next next;

/*
 * Resolve the functions and find the server, once. Constructors of other
 * libraries may run before those of this library, and call its functions.
 */
void next_need(void);
/* Resolve what allocates, and no more. */
void next_need_memory(void);

#define EXPORT __attribute__((visibility("default")))
/*
 * Export a function under a further name, that with 64-bit file offsets, which
 * is all the machines of raw.c have.
 */
#define ALSO(name, function)                                                   \
	EXPORT __typeof__(function) function##_##name __asm__(#name)           \
		__attribute__((alias(#function) COPY(function)))
#if __has_attribute(copy)
#define COPY(function) , copy(function)
#else
#define COPY(function)
#endif

#endif /* DRMSIM_PRELOAD_NEXT_H */
