/// Shared by the tests of the C++ wrapper, which are compiled with and without exceptions, as C++17
/// and as the newest standard.
#pragma once

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <terrane/mesher.hpp>
#include <terrane/terrane.hpp>

extern "C" {
#include <cmocka.h>
}

#if defined(TRN_HPP_THROWS)
#error "the wrapper leaks a macro"
#endif

#if defined(__cpp_exceptions) && !defined(TRN_HPP_NO_EXCEPTIONS)
#define TEST_HAS_EXCEPTIONS 1
#else
#define TEST_HAS_EXCEPTIONS 0
#endif

/// Moves the value out of a result that must be a success.
template <class T> T take(trn::Result<T> result)
{
    if (!result) {
        print_error("%s\n", result.text());
    }
    assert_true(static_cast<bool>(result));
    return *std::move(result);
}

inline void take(trn::Status status)
{
    assert_int_equal(status.result(), TRN_RESULT_OK);
}

/// An allocator that counts what is not freed and fails one allocation.
struct FailingAllocator {
    std::size_t allocations = 0, fail_at = 0, live = 0;

    TrnAllocator c()
    {
        const TrnAllocator allocator = {
            [](std::size_t bytes, std::size_t alignment, void *user) -> void * {
                auto *self = static_cast<FailingAllocator *>(user);
                if (++self->allocations == self->fail_at) {
                    return nullptr;
                }
                self->live++;
                return trn_aligned_alloc(bytes, alignment);
            },
            [](void *memory, std::size_t, void *user) {
                static_cast<FailingAllocator *>(user)->live--;
                trn_aligned_free(memory);
            },
            this};
        return allocator;
    }
};

/// Voxels of a chunk in layers of stone and air.
inline const std::vector<TrnBlock> &stripes()
{
    static const std::vector<TrnBlock> blocks = [] {
        std::vector<TrnBlock> made(trn::chunk_voxels);
        for (std::size_t i = 0; i < made.size(); i++) {
            made[i] = i / TRN_CHUNK_EDGE % 2 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        }
        return made;
    }();
    return blocks;
}
