/// Makes reserved address ranges fail on demand. A test that includes this links with
///
///     LINKER:--wrap=trn_address_range_reserve LINKER:--wrap=trn_address_range_commit
///
/// so that the library's calls arrive here. For one thread.
#ifndef TERRANE_TESTS_FAILING_RANGES_H
#define TERRANE_TESTS_FAILING_RANGES_H

#include "base/address_range.h"

/// Each call decreases its number; the call that reaches 0 and all later ones fail. 0: none fails.
static unsigned ranges_fail_reserve_at, ranges_fail_commit_at;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
TrnResult __real_trn_address_range_reserve(size_t bytes, TrnAddressRange *range);
TrnResult __real_trn_address_range_commit(const TrnAddressRange *range, size_t offset,
                                          size_t bytes);
TrnResult __wrap_trn_address_range_reserve(size_t bytes, TrnAddressRange *range);
TrnResult __wrap_trn_address_range_commit(const TrnAddressRange *range, size_t offset,
                                          size_t bytes);

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

TrnResult __wrap_trn_address_range_commit(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    return ranges_fail(&ranges_fail_commit_at)
               ? TRN_RESULT_NO_MEMORY
               : __real_trn_address_range_commit(range, offset, bytes);
}
// NOLINTEND(bugprone-reserved-identifier)

#endif
