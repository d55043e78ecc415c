// The kernels behind the pool, each against its scalar twin.

#include "testing.h"

#include "pool/pool_blocks_internal.h"
#include "pool/pool_internal.h"

/// Collects the kernels that this machine can run; the last is the scalar twin. @return how many
static size_t find_kernels(const TrnPoolKernels *kernels[3])
{
    size_t sets = 0;
    for (const void *at; (at = trn_kernels_at(&trn_pool_kernels, trn_cpu_features(), sets));) {
        assert_in_range(sets, 0, 2);
        kernels[sets++] = at;
    }
    assert_string_equal(kernels[sets - 1]->name, "scalar");
    return sets;
}

#define KERNEL_SLOTS_MAX 100

/// Slots for kernels to convert, and where the blocks of a table begin.
typedef struct KernelCase {
    uint32_t slots[KERNEL_SLOTS_MAX], block_shift;
    size_t count, slot_bytes;
    unsigned char *range;
    TrnPoolBase bases[64];
} KernelCase;

static void check_kernels(const KernelCase *of, const TrnPoolKernels *kernels, bool is_table,
                          void **out)
{
    memset(out, 0, KERNEL_SLOTS_MAX * sizeof *out);
    out[of->count] = out; // not to be overwritten
    if (is_table) {
        kernels->table_pointers(of->bases, of->block_shift, of->slot_bytes, of->slots, of->count,
                                out);
    } else {
        kernels->range_pointers(of->range, of->slot_bytes, of->slots, of->count, out);
    }
    assert_ptr_equal(out[of->count], out);
    out[of->count] = NULL;
}

static void kernels_match_their_scalar_twin(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(7);
    const TrnPoolKernels *kernels[3];
    const size_t sets = find_kernels(kernels);
    for (int round = 0; round < 2000; round++) {
        const bool is_table = round % 2;
        static KernelCase of; // its addresses are never dereferenced
        of.range = (unsigned char *)(uintptr_t)0x123456789ABC0u;
        of.count = (size_t)test_random_range(&random, 0, KERNEL_SLOTS_MAX - 1);
        of.slot_bytes = (size_t)test_random_range(&random, 1, INT64_C(1) << 30);
        of.block_shift = (uint32_t)test_random_range(&random, 0, 20);
        for (size_t i = 0; i < 64; i++) {
            atomic_init(&of.bases[i], (uintptr_t)test_random_next(&random));
        }
        for (size_t i = 0; i < of.count; i++) {
            of.slots[i] = (uint32_t)test_random_next(&random) %
                          (is_table ? 64u << of.block_shift : 0x80000000u);
        }
        static void *expected[KERNEL_SLOTS_MAX], *out[KERNEL_SLOTS_MAX];
        check_kernels(&of, kernels[sets - 1], is_table, expected);
        for (size_t k = 0; k + 1 < sets; k++) {
            check_kernels(&of, kernels[k], is_table, out);
            assert_memory_equal(out, expected, sizeof out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_match_their_scalar_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
