/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of OpenKODE Core 1.0 that the extension KD_KHR_perfcounter is
 * written with: types, error codes, and the error indicator. A program that has
 * an implementation of OpenKODE Core includes the header of that instead.
 */
#ifndef __kd_h_
#define __kd_h_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef KD_API
#if defined(__GNUC__)
#define KD_API __attribute__((visibility("default")))
#else
#define KD_API
#endif
#endif
#ifndef KD_APIENTRY
#define KD_APIENTRY
#endif

#define KD_VERSION_1_0 1

typedef int32_t KDint32;
typedef uint32_t KDuint32;
typedef int64_t KDint64;
typedef uint64_t KDuint64;
typedef int16_t KDint16;
typedef uint16_t KDuint16;
typedef int8_t KDint8;
typedef uint8_t KDuint8;
typedef char KDchar;
typedef int KDint;
typedef unsigned int KDuint;
typedef float KDfloat32;
typedef KDint KDboolean;

#define KDINT_MIN (-0x7fffffff - 1)
#define KDINT_MAX 0x7fffffff
#define KDINT32_MIN (-0x7fffffff - 1)
#define KDINT32_MAX 0x7fffffff
#define KDINT64_MIN INT64_MIN
#define KDINT64_MAX INT64_MAX

#define KD_TRUE 1
#define KD_FALSE 0
#ifdef __cplusplus
#define KD_NULL 0
#else
#define KD_NULL ((void *)0)
#endif

#define KD_EACCES 1
#define KD_EADDRINUSE 2
#define KD_EADDRNOTAVAIL 3
#define KD_EAFNOSUPPORT 4
#define KD_EAGAIN 5
#define KD_EALREADY 6
#define KD_EBADF 7
#define KD_EBUSY 8
#define KD_ECONNREFUSED 9
#define KD_ECONNRESET 10
#define KD_EDEADLK 11
#define KD_EDESTADDRREQ 12
#define KD_EEXIST 13
#define KD_EFBIG 14
#define KD_EHOSTUNREACH 15
#define KD_EHOST_NOT_FOUND 16
#define KD_EINVAL 17
#define KD_EIO 18
#define KD_EILSEQ 19
#define KD_EISCONN 20
#define KD_EISDIR 21
#define KD_EMFILE 22
#define KD_ENAMETOOLONG 23
#define KD_ENOENT 24
#define KD_ENOMEM 25
#define KD_ENOSPC 26
#define KD_ENOSYS 27
#define KD_ENOTCONN 28
#define KD_ENO_DATA 29
#define KD_ENO_RECOVERY 30
#define KD_EOPNOTSUPP 31
#define KD_EOVERFLOW 32
#define KD_EPERM 33
#define KD_EPIPE 34
#define KD_ERANGE 35
#define KD_ETIMEDOUT 36
#define KD_ETRY_AGAIN 37

/* Return the error indicator, which each thread has for itself; 0 at first. */
KD_API KDint KD_APIENTRY kdGetError(void);
KD_API void KD_APIENTRY kdSetError(KDint error);

#ifdef __cplusplus
}
#endif

#endif /* __kd_h_ */
