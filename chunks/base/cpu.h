/// Private: which instructions the machine has, and the choice of kernels by them.
///
/// Kernels are the inner loops of a part, one set for every instruction set that pays, with a
/// scalar twin that every machine can run. A set is a struct that the part defines; its first
/// member is `const char *name`. NAME_kernels.h declares the struct and its TrnKernelTable,
/// NAME_kernels.c has the table with all sets: what they share is NAME_kernels_body.h, included
/// once for each set, with the instruction set as a function attribute. (The voxels' sets share
/// little and fill a file each.) An object that has kernels takes the fastest when it is created;
/// tests and the bench choose others by name, with a function of the part.
#ifndef TERRANE_BASE_CPU_H
#define TERRANE_BASE_CPU_H

#include <stddef.h>
#include <stdint.h>

#include <terrane/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Instruction sets, as bits of a mask. What the system does not save for a thread counts as
/// absent.
enum {
    TRN_CPU_POPCNT = 1 << 0,
    TRN_CPU_BMI = 1 << 1,
    TRN_CPU_BMI2 = 1 << 2,
    TRN_CPU_LZCNT = 1 << 3,
    TRN_CPU_AVX2 = 1 << 4,
    TRN_CPU_AVX512F = 1 << 5,
    TRN_CPU_AVX512BW = 1 << 6,
    TRN_CPU_AVX512VL = 1 << 7,
    TRN_CPU_AVX512DQ = 1 << 8,
    TRN_CPU_AVX512CD = 1 << 9,
    TRN_CPU_AVX512VBMI = 1 << 10,
    TRN_CPU_AVX512VBMI2 = 1 << 11,
    TRN_CPU_GFNI = 1 << 12,
    TRN_CPU_NEON = 1 << 13
};

/// The instruction sets of this machine: TRN_CPU_ bits. Any thread; a few ns.
TRN_API uint32_t trn_cpu_features(void);

/// What the compiler's own vectors of 16 bytes become on the target: kernels for them run on every
/// machine that the program was built for.
#if defined(__SSE2__)
#define TRN_CPU_VECTORS_NAME "SSE2"
#elif defined(__ARM_NEON)
#define TRN_CPU_VECTORS_NAME "NEON"
#elif defined(__wasm_simd128__)
#define TRN_CPU_VECTORS_NAME "SIMD128"
#else
#define TRN_CPU_VECTORS_NAME "vectors of four"
#endif

/// The target has what base/vectors.h wraps.
#if (defined(__aarch64__) && defined(__ARM_NEON)) || defined(__wasm_simd128__)
#define TRN_VECTORS 1
#endif

/// A set of kernels and the instruction sets that it needs.
typedef struct TrnKernelRow {
    uint32_t needs;      ///< TRN_CPU_ bits
    const void *kernels; ///< begins with its name, a `const char *`
} TrnKernelRow;

/// All sets of one part, the fastest first. The last one needs nothing: the scalar twin.
typedef struct TrnKernelTable {
    const TrnKernelRow *rows;
    size_t count;
} TrnKernelTable;

/// The sets that a machine can run, by number: 0 is the fastest.
/// @param features  of the machine: trn_cpu_features()
/// @return NULL behind the last
TRN_API const void *trn_kernels_at(const TrnKernelTable *table, uint32_t features, size_t at);

/// The number of the set with a name, for trn_kernels_at().
/// @return SIZE_MAX if there is none, or if the machine cannot run it
TRN_API size_t trn_kernels_find(const TrnKernelTable *table, uint32_t features, const char *name);

/// The set with a name, or NULL if there is none, or if this machine cannot run it.
/// @param name  NULL means the fastest
TRN_API const void *trn_kernels_named(const TrnKernelTable *table, const char *name);

/// The name of a set of this machine by number, 0 is the fastest; NULL behind the last.
TRN_API const char *trn_kernels_name(const TrnKernelTable *table, size_t at);

/// The scalar twin.
static inline const void *trn_kernels_scalar(const TrnKernelTable *table)
{
    return table->rows[table->count - 1].kernels;
}

#ifdef __cplusplus
}
#endif
#endif
