/// Which reader keeps retired memory, for tests of readers in several parts.
#pragma once

#include "testing.h"

#include <terrane/chunk_index.h>

/// Checks which reader keeps retired memory.
static inline void assert_slowest_reader(const TrnChunkIndex *index, const char *expected)
{
    char name[TRN_READER_NAME_BYTES] = "";
    assert_true(trn_chunk_index_slowest_reader(index, name));
    assert_string_equal(name, expected);
}
