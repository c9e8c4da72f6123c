// SPDX-License-Identifier: BSD-3-Clause
// A HIP program that copies to the GPU and back and launches a kernel, whose
// result it does not ask for: prints how the bytes came back. Its argument is
// the number of launches. It has memory of its own kind for objects, which only
// its `delete` releases.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>

// what the compiler makes of a launch; headers of devices declare it
extern "C" hipError_t __hipPushCallConfiguration(dim3, dim3, size_t,
						 hipStream_t);
extern "C" hipError_t __hipPopCallConfiguration(dim3 *, dim3 *, size_t *,
						hipStream_t *);

#define HEAD 64 // bytes before an object

void *
operator new(size_t size)
{
	char *memory = (char *)malloc(HEAD + size);

	if (!memory)
		abort();
	return memory + HEAD;
}

void *
operator new(size_t size, const std::nothrow_t &) noexcept
{
	return operator new(size);
}

void
operator delete(void *object) noexcept
{
	if (object)
		free((char *)object - HEAD);
}

void
operator delete(void *object, size_t) noexcept
{
	operator delete(object);
}

#define NUMBERS 100000
#define GROUP 256

#define CHECK(call)                                                            \
	do {                                                                   \
		hipError_t error = (call);                                     \
		if (error) {                                                   \
			printf("%s: %s\n", #call, hipGetErrorString(error));   \
			return 1;                                              \
		}                                                              \
	} while (0)

__attribute__((global)) void
kernel(float *numbers, int count)
{
	if (count < 0)
		numbers[0] = 0;
}

int
main(int argc, char **argv)
{
	const size_t size = NUMBERS * sizeof(float);
	int launches = argc > 1 ? atoi(argv[1]) : 1, devices = 0;
	float *before = (float *)malloc(size), *after = (float *)malloc(size);
	float *numbers;

	for (int i = 0; i < NUMBERS; i++)
		before[i] = (float)i;
	CHECK(hipGetDeviceCount(&devices));
	for (int device = 0; device < devices; device++) {
		CHECK(hipSetDevice(device));
		CHECK(hipMalloc((void **)&numbers, size));
		CHECK(hipMemcpy(numbers, before, size, hipMemcpyHostToDevice));
		for (int i = 0; i < launches; i++) {
			kernel<<<dim3((NUMBERS + GROUP - 1) / GROUP),
				 dim3(GROUP)>>>(numbers, NUMBERS);
			CHECK(hipGetLastError());
		}
		CHECK(hipDeviceSynchronize());
		memset(after, 0, size);
		CHECK(hipMemcpy(after, numbers, size, hipMemcpyDeviceToHost));
		printf("device %d: %s\n", device,
		       memcmp(before, after, size) ? "wrong" : "right");
		CHECK(hipFree(numbers));
	}
	return 0;
}
