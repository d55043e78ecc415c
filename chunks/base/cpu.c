#include "base/cpu.h"

#include <string.h>

// gcc for Windows does not align vectors of 32 and 64 bytes on the stack (its bug 54412), so
// kernels with AVX crash unless the assembler encodes its aligned moves as unaligned ones. CMake
// asks for that and defines TRN_UNALIGNED_MOVES.
#if defined(_WIN32) && defined(__GNUC__) && !defined(__clang__) && !defined(TRN_UNALIGNED_MOVES)
#define CPU_USABLE (TRN_CPU_POPCNT | TRN_CPU_BMI | TRN_CPU_BMI2 | TRN_CPU_LZCNT)
#else
#define CPU_USABLE UINT32_MAX
#endif

uint32_t trn_cpu_features(void)
{
    uint32_t features = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
#define CPU_ADD(bit, name) features |= __builtin_cpu_supports(name) ? (bit) : 0
    CPU_ADD(TRN_CPU_POPCNT, "popcnt");
    CPU_ADD(TRN_CPU_BMI, "bmi");
    CPU_ADD(TRN_CPU_BMI2, "bmi2");
    CPU_ADD(TRN_CPU_AVX2, "avx2");
    CPU_ADD(TRN_CPU_AVX512F, "avx512f");
    CPU_ADD(TRN_CPU_AVX512BW, "avx512bw");
    CPU_ADD(TRN_CPU_AVX512VL, "avx512vl");
    CPU_ADD(TRN_CPU_AVX512DQ, "avx512dq");
    CPU_ADD(TRN_CPU_AVX512CD, "avx512cd");
    CPU_ADD(TRN_CPU_AVX512VBMI, "avx512vbmi");
    CPU_ADD(TRN_CPU_AVX512VBMI2, "avx512vbmi2");
    CPU_ADD(TRN_CPU_GFNI, "gfni");
#if __GNUC__ < 11 // clang and older gcc have no name for lzcnt; every machine with BMI2 has it
    CPU_ADD(TRN_CPU_LZCNT, "bmi2");
#else
    CPU_ADD(TRN_CPU_LZCNT, "lzcnt");
#endif
#undef CPU_ADD
#endif
#if defined(__ARM_NEON)
    features |= TRN_CPU_NEON;
#endif
    return features & CPU_USABLE;
}

const void *trn_kernels_at(const TrnKernelTable *table, uint32_t features, size_t at)
{
    for (size_t i = 0; i < table->count; i++) {
        if ((table->rows[i].needs & ~features) == 0 && at-- == 0) {
            return table->rows[i].kernels;
        }
    }
    return NULL;
}

size_t trn_kernels_find(const TrnKernelTable *table, uint32_t features, const char *name)
{
    const void *kernels;
    for (size_t at = 0; (kernels = trn_kernels_at(table, features, at)) != NULL; at++) {
        if (strcmp(*(const char *const *)kernels, name) == 0) {
            return at;
        }
    }
    return SIZE_MAX;
}

const void *trn_kernels_named(const TrnKernelTable *table, const char *name)
{
    const uint32_t features = trn_cpu_features();
    return trn_kernels_at(table, features, name ? trn_kernels_find(table, features, name) : 0);
}

const char *trn_kernels_name(const TrnKernelTable *table, size_t at)
{
    const void *kernels = trn_kernels_at(table, trn_cpu_features(), at);
    return kernels ? *(const char *const *)kernels : NULL;
}
