// The choice of kernels on any machine, and the features of this one.

#include "testing.h"

#include "base/cpu.h"

typedef struct Kernels {
    const char *name;
    int speed;
} Kernels;

static const Kernels wide = {"AVX-512", 3}, middle = {"AVX2", 2}, scalar = {"scalar", 1};
static const TrnKernelRow rows[] = {
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW, &wide},
    {TRN_CPU_AVX2 | TRN_CPU_BMI, &middle},
    {0, &scalar},
};
static const TrnKernelTable table = {rows, sizeof rows / sizeof *rows};

static void sets_are_numbered_among_those_that_run(void **state)
{
    (void)state;
    const uint32_t avx2 = TRN_CPU_AVX2 | TRN_CPU_BMI | TRN_CPU_POPCNT;
    const uint32_t avx512 = avx2 | TRN_CPU_AVX512F | TRN_CPU_AVX512BW;
    assert_ptr_equal(trn_kernels_at(&table, avx512, 0), &wide);
    assert_ptr_equal(trn_kernels_at(&table, avx512, 1), &middle);
    assert_ptr_equal(trn_kernels_at(&table, avx512, 2), &scalar);
    assert_null(trn_kernels_at(&table, avx512, 3));
    assert_ptr_equal(trn_kernels_at(&table, avx2 | TRN_CPU_AVX512F, 0),
                     &middle); // features missing
    assert_ptr_equal(trn_kernels_at(&table, TRN_CPU_AVX2, 0), &scalar);
    assert_ptr_equal(trn_kernels_at(&table, 0, 0), &scalar);
    assert_null(trn_kernels_at(&table, 0, 1));
}

static void names_find_only_what_runs(void **state)
{
    (void)state;
    const uint32_t avx2 = TRN_CPU_AVX2 | TRN_CPU_BMI;
    assert_int_equal(trn_kernels_find(&table, UINT32_MAX, "AVX-512"), 0);
    assert_int_equal(trn_kernels_find(&table, UINT32_MAX, "scalar"), 2);
    assert_int_equal(trn_kernels_find(&table, avx2, "AVX2"), 0);
    assert_int_equal(trn_kernels_find(&table, avx2, "scalar"), 1);
    assert_true(trn_kernels_find(&table, avx2, "AVX-512") == SIZE_MAX);
    assert_true(trn_kernels_find(&table, avx2, "abacus") == SIZE_MAX);
    assert_true(trn_kernels_find(&table, avx2, "") == SIZE_MAX);
}

static void features_of_this_machine_are_constant_and_plausible(void **state)
{
    (void)state;
    const uint32_t features = trn_cpu_features();
    print_message("  features 0x%04X, compiler's vectors: %s\n", features, TRN_CPU_VECTORS_NAME);
    assert_int_equal(trn_cpu_features(), features);
#if defined(__x86_64__)
    assert_false(features & TRN_CPU_NEON);
    const uint32_t avx512 = TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_AVX512DQ;
    assert_true(!(features & avx512) || features & TRN_CPU_AVX512F);
    assert_true(!(features & TRN_CPU_AVX512F) || features & TRN_CPU_AVX2);
    assert_string_equal(TRN_CPU_VECTORS_NAME, "SSE2");
#else
    assert_true((features & ~(uint32_t)TRN_CPU_NEON) == 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_numbered_among_those_that_run),
        cmocka_unit_test(names_find_only_what_runs),
        cmocka_unit_test(features_of_this_machine_are_constant_and_plausible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
