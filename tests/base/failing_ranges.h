/// Makes reserved address ranges fail on demand, and counts the memory in them. A test that
/// includes this links with
///
///     LINKER:--wrap=trn_address_range_reserve LINKER:--wrap=trn_address_range_commit
///     LINKER:--wrap=trn_address_range_decommit LINKER:--wrap=trn_address_range_release
///
/// so that the library's calls arrive here. For one thread.
#pragma once

#include "base/address_range.h"
#include "testing.h"

/// Each call decreases its number; the call that reaches 0 and all later ones fail. 0: none fails.
static unsigned ranges_fail_reserve_at, ranges_fail_commit_at, ranges_fail_decommit_at;

/// Calls that were to commit, and bytes that were committed and not decommitted. Right if no page
/// is committed or decommitted twice.
static unsigned ranges_commits;
static size_t ranges_committed_bytes;

/// If not NULL, a commit is an allocation of this: counted, and failing with its others. For one
/// range at a time.
static TestAllocator *ranges_memory;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
TrnResult __real_trn_address_range_reserve(size_t bytes, TrnAddressRange *range);
TrnResult __real_trn_address_range_commit(const TrnAddressRange *range, size_t offset,
                                          size_t bytes);
TrnResult __real_trn_address_range_decommit(const TrnAddressRange *range, size_t offset,
                                            size_t bytes);
void __real_trn_address_range_release(TrnAddressRange *range);
TrnResult __wrap_trn_address_range_reserve(size_t bytes, TrnAddressRange *range);
TrnResult __wrap_trn_address_range_commit(const TrnAddressRange *range, size_t offset,
                                          size_t bytes);
TrnResult __wrap_trn_address_range_decommit(const TrnAddressRange *range, size_t offset,
                                            size_t bytes);
void __wrap_trn_address_range_release(TrnAddressRange *range);

static inline bool ranges_fail(unsigned *fail_at)
{
    if (*fail_at > 1) {
        (*fail_at)--;
        return false;
    }
    return *fail_at == 1;
}

TrnResult __wrap_trn_address_range_reserve(size_t bytes, TrnAddressRange *range)
{
    return ranges_fail(&ranges_fail_reserve_at) ? TRN_RESULT_NO_MEMORY
                                                : __real_trn_address_range_reserve(bytes, range);
}

static inline void ranges_add(size_t bytes)
{
    ranges_committed_bytes += bytes;
    if (ranges_memory) {
        counting_add(ranges_memory, bytes);
    }
}

static inline void ranges_remove(size_t bytes)
{
    ranges_committed_bytes -= bytes;
    if (ranges_memory) {
        ranges_memory->live_bytes -= bytes;
    }
}

TrnResult __wrap_trn_address_range_commit(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    ranges_commits++;
    if (ranges_memory) {
        ranges_memory->allocations++;
    }
    if (ranges_fail(&ranges_fail_commit_at) ||
        (ranges_memory && test_allocation_fails(ranges_memory))) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = __real_trn_address_range_commit(range, offset, bytes);
    ranges_add(result == TRN_RESULT_OK ? bytes : 0);
    return result;
}

TrnResult __wrap_trn_address_range_decommit(const TrnAddressRange *range, size_t offset,
                                            size_t bytes)
{
    const TrnResult result = ranges_fail(&ranges_fail_decommit_at)
                                 ? TRN_RESULT_NO_MEMORY
                                 : __real_trn_address_range_decommit(range, offset, bytes);
    ranges_remove(result == TRN_RESULT_OK ? bytes : 0);
    return result;
}

void __wrap_trn_address_range_release(TrnAddressRange *range)
{
    if (range->start) {
        ranges_remove(ranges_committed_bytes);
    }
    __real_trn_address_range_release(range);
}
// NOLINTEND(bugprone-reserved-identifier)
