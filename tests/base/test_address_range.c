// Reserved address ranges: what can be accessed when, and what happens if the system refuses.
#include "base/system.h"

#include "testing.h"

#if !defined(_WIN32)
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "failing_ranges.h"

#if defined(_WIN32)

/// Whether a byte can be read.
static bool is_readable(const unsigned char *byte)
{
    MEMORY_BASIC_INFORMATION info;
    assert_true(VirtualQuery(byte, &info, sizeof info) != 0);
    return info.State == MEM_COMMIT && info.Protect == PAGE_READWRITE;
}

#else

/// While set, the library's calls of these functions fail: see the link options.
static bool mmap_fails, mprotect_fails;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
void *__real_mmap(void *address, size_t bytes, int access, int flags, int file, off_t offset);
int __real_mprotect(void *address, size_t bytes, int access);
void *__wrap_mmap(void *address, size_t bytes, int access, int flags, int file, off_t offset);
int __wrap_mprotect(void *address, size_t bytes, int access);

void *__wrap_mmap(void *address, size_t bytes, int access, int flags, int file, off_t offset)
{
    return mmap_fails ? MAP_FAILED : __real_mmap(address, bytes, access, flags, file, offset);
}

int __wrap_mprotect(void *address, size_t bytes, int access)
{
    return mprotect_fails ? -1 : __real_mprotect(address, bytes, access);
}
// NOLINTEND(bugprone-reserved-identifier)

/// Whether a byte can be read: a system call tells, without a signal.
static bool is_readable(const unsigned char *byte)
{
    static int ends[2];
    unsigned char sent;
    assert_true(ends[1] || pipe(ends) == 0);
    if (write(ends[1], byte, 1) == 1) {
        assert_int_equal(read(ends[0], &sent, 1), 1);
        return true;
    }
    assert_int_equal(errno, EFAULT);
    return false;
}

#endif

static void a_range_costs_no_memory_until_committed(void **state)
{
    (void)state;
    assert_true(trn_address_range_is_supported());
    const size_t page = trn_address_range_page_bytes();
    assert_true(page >= 4096 && (page & (page - 1)) == 0);
    const size_t bytes = sizeof(size_t) == 8 ? (size_t)64 << 30 : (size_t)64 << 20;
    TrnAddressRange range;
    assert_int_equal(trn_address_range_reserve(bytes, &range), TRN_RESULT_OK);
    assert_int_equal(range.bytes, bytes);
    assert_int_equal((uintptr_t)range.start % TRN_HUGE_PAGE_BYTES, 0);
    assert_false(is_readable(range.start));
    assert_false(is_readable(range.start + bytes - 1));
    // A page at the start, one in the middle, one at the end.
    const size_t offsets[] = {0, bytes / 2, bytes - page};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(trn_address_range_commit(&range, offsets[i], page), TRN_RESULT_OK);
        unsigned char *const memory = range.start + offsets[i];
        for (size_t at = 0; at < page; at++) {
            assert_int_equal(memory[at], 0);
        }
        memset(memory, 0xAB, page);
    }
    assert_false(is_readable(range.start + page));
    assert_false(is_readable(range.start + bytes / 2 - 1));
    assert_false(is_readable(range.start + bytes - page - 1));
    trn_address_range_release(&range);
    assert_null(range.start);
    assert_int_equal(range.bytes, 0);
    trn_address_range_release(&range);
}

static void small_ranges_are_rounded_up_to_pages(void **state)
{
    (void)state;
    const size_t page = trn_address_range_page_bytes();
    const size_t sizes[] = {1, page - 1, page, page + 1, TRN_HUGE_PAGE_BYTES - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        TrnAddressRange range;
        assert_int_equal(trn_address_range_reserve(sizes[i], &range), TRN_RESULT_OK);
        assert_int_equal(range.bytes % page, 0);
        assert_in_range(range.bytes, sizes[i], sizes[i] + page - 1);
        assert_int_equal((uintptr_t)range.start % page, 0);
        assert_int_equal(trn_address_range_commit(&range, 0, range.bytes), TRN_RESULT_OK);
        memset(range.start, 1, range.bytes);
        trn_address_range_release(&range);
    }
}

static void random_commits_and_decommits_agree_with_a_model(void **state)
{
    (void)state;
    enum { PAGES = 64 };
    const size_t page = trn_address_range_page_bytes();
    TestRandom random = test_random_seeded(1);
    unsigned char model[PAGES] = {0}; // 0 if not committed, else the page's first byte
    bool is_in[PAGES] = {false};
    TrnAddressRange range;
    assert_int_equal(trn_address_range_reserve(PAGES * page, &range), TRN_RESULT_OK);
    for (int round = 0; round < 1000; round++) {
        const size_t first = (size_t)test_random_range(&random, 0, PAGES);
        const size_t count = (size_t)test_random_range(&random, 0, (int64_t)(PAGES - first));
        const bool commits = test_random_next(&random) % 2;
        assert_int_equal(commits ? trn_address_range_commit(&range, first * page, count * page)
                                 : trn_address_range_decommit(&range, first * page, count * page),
                         TRN_RESULT_OK);
        for (size_t i = first; i < first + count; i++) {
            is_in[i] = commits;
            model[i] = commits ? model[i] : 0;
        }
        for (size_t i = 0; i < PAGES; i++) {
            assert_int_equal(is_readable(range.start + i * page), is_in[i]);
            if (is_in[i]) {
                assert_int_equal(range.start[i * page], model[i]);
                model[i] = range.start[i * page] = (unsigned char)test_random_next(&random);
            }
        }
    }
    trn_address_range_release(&range);
}

static void absurd_sizes_are_refused(void **state)
{
    (void)state;
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - trn_address_range_page_bytes(),
                            SIZE_MAX - TRN_HUGE_PAGE_BYTES, SIZE_MAX - SIZE_MAX / 64};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        TrnAddressRange range = {NULL, 7};
        assert_int_equal(trn_address_range_reserve(sizes[i], &range), TRN_RESULT_NO_MEMORY);
        assert_int_equal(range.bytes, 7);
    }
}

#if !defined(_WIN32) // whose calls cannot be wrapped
static void a_refusal_of_the_system_changes_nothing(void **state)
{
    (void)state;
    const size_t page = trn_address_range_page_bytes();
    TrnAddressRange range = {NULL, 7};
    mmap_fails = true;
    assert_int_equal(trn_address_range_reserve(page, &range), TRN_RESULT_NO_MEMORY);
    assert_int_equal(range.bytes, 7);
    mmap_fails = false;
    assert_int_equal(trn_address_range_reserve(4 * page, &range), TRN_RESULT_OK);
    mprotect_fails = true;
    assert_int_equal(trn_address_range_commit(&range, 0, page), TRN_RESULT_NO_MEMORY);
    assert_int_equal(trn_address_range_commit(&range, 0, 0), TRN_RESULT_OK);
    mprotect_fails = false;
    assert_false(is_readable(range.start));
    assert_int_equal(trn_address_range_commit(&range, 0, page), TRN_RESULT_OK);
    range.start[0] = 5;
    mmap_fails = true;
    assert_int_equal(trn_address_range_decommit(&range, 0, page), TRN_RESULT_NO_MEMORY);
    assert_int_equal(trn_address_range_decommit(&range, 0, 0), TRN_RESULT_OK);
    mmap_fails = false;
    assert_int_equal(range.start[0], 5);
    trn_address_range_release(&range);
}
#endif

static void huge_pages_may_be_asked_for_and_change_no_contents(void **state)
{
    (void)state;
    TrnAddressRange range;
    const size_t bytes = 3 * TRN_HUGE_PAGE_BYTES;
    assert_int_equal(trn_address_range_reserve(bytes, &range), TRN_RESULT_OK);
    assert_int_equal(trn_address_range_commit(&range, 0, bytes), TRN_RESULT_OK);
    trn_huge_pages_ask(range.start, bytes - 1);
    trn_huge_pages_ask(range.start, 0);
    for (size_t at = 0; at < bytes; at += 4096) {
        assert_int_equal(range.start[at], 0);
        range.start[at] = 1;
    }
    trn_address_range_release(&range);
}

static void populated_memory_keeps_its_contents(void **state)
{
    (void)state;
    const size_t page = trn_address_range_page_bytes();
    TrnAddressRange range;
    assert_int_equal(trn_address_range_reserve(8 * page, &range), TRN_RESULT_OK);
    assert_int_equal(trn_address_range_commit(&range, page, 6 * page), TRN_RESULT_OK);
    memset(range.start + 2 * page, 0xAB, page);
    trn_memory_populate(range.start + page + 1, 5 * page);
    trn_memory_populate(range.start + 7 * page - 1, 1);
    trn_memory_populate(range.start + page, 0);
    for (size_t at = page; at < 7 * page; at++) {
        assert_int_equal(range.start[at], at / page == 2 ? 0xAB : 0);
    }
    // Addresses without memory stay so.
    trn_memory_populate(range.start, 8 * page);
    assert_false(is_readable(range.start));
    assert_false(is_readable(range.start + 7 * page));
    unsigned char *const start = range.start;
    trn_address_range_release(&range);
    trn_memory_populate(start, 8 * page);
}

static void the_nth_call_can_be_made_to_fail(void **state)
{
    (void)state;
    const size_t page = trn_address_range_page_bytes();
    TrnAddressRange range = {0};
    ranges_fail_reserve_at = 2;
    assert_int_equal(trn_address_range_reserve(page, &range), TRN_RESULT_OK);
    trn_address_range_release(&range);
    assert_int_equal(trn_address_range_reserve(page, &range), TRN_RESULT_NO_MEMORY);
    assert_int_equal(trn_address_range_reserve(page, &range), TRN_RESULT_NO_MEMORY);
    ranges_fail_reserve_at = 0;
    assert_int_equal(trn_address_range_reserve(page, &range), TRN_RESULT_OK);
    ranges_fail_commit_at = 1;
    assert_int_equal(trn_address_range_commit(&range, 0, page), TRN_RESULT_NO_MEMORY);
    ranges_fail_commit_at = 0;
    assert_int_equal(trn_address_range_commit(&range, 0, page), TRN_RESULT_OK);
    trn_address_range_release(&range);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_costs_no_memory_until_committed),
        cmocka_unit_test(small_ranges_are_rounded_up_to_pages),
        cmocka_unit_test(random_commits_and_decommits_agree_with_a_model),
        cmocka_unit_test(absurd_sizes_are_refused),
#if !defined(_WIN32)
        cmocka_unit_test(a_refusal_of_the_system_changes_nothing),
#endif
        cmocka_unit_test(huge_pages_may_be_asked_for_and_change_no_contents),
        cmocka_unit_test(populated_memory_keeps_its_contents),
        cmocka_unit_test(the_nth_call_can_be_made_to_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
