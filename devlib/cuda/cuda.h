// The version of CUDA whose language these headers follow.
#pragma once
#define CUDA_VERSION 12000
#define CUDART_VERSION 12000
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
typedef unsigned int cuuint32_t;
typedef unsigned long long cuuint64_t;
