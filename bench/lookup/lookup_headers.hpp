/// The chunk headers of a world: header i lies in slot i of two pools. One pool has a reserved
/// range, or one block where a system has none; the other finds the same headers through a table of
/// blocks.
#pragma once

#include <cstdint>
#include <new>

#include "contender.h"
#include "contenders/block_pool.h"
#include "owned.hpp"

class LookupHeaders {
  public:
    /// @param count  at least 1
    /// @throws std::bad_alloc
    explicit LookupHeaders(std::uint32_t count)
    {
        TrnPoolDef def = trn_pool_def(sizeof(ContenderChunk));
        def.reserve_slots = count;
        if (sizeof(void *) < 8) { // nothing can be reserved: one block holds all
            def.block_slots = count;
        }
        TrnPool *made = nullptr;
        if (trn_pool_create(&def, &made) != TRN_RESULT_OK) {
            throw std::bad_alloc();
        }
        slots.reset(made);
        for (std::uint32_t i = 0; i < count; i++) {
            void *slot;
            if (trn_pool_alloc(made, nullptr, &slot) != TRN_RESULT_OK) {
                throw std::bad_alloc();
            }
            auto *header = static_cast<ContenderChunk *>(slot);
            first = i == 0 ? header : first;
            if (header != first + i) { // the system refused to reserve
                throw std::bad_alloc();
            }
            *header = {};
            header->number = i;
        }
        blocks.reset(block_pool_create(first, count));
        if (!blocks) {
            throw std::bad_alloc();
        }
    }
    ContenderChunk *all() const
    {
        return first;
    }
    const TrnPool *pool() const
    {
        return slots.get();
    }
    const TrnPool *block_pool() const
    {
        return block_pool_slots(blocks.get());
    }

  private:
    Owned<TrnPool, trn_pool_destroy> slots;
    Owned<BlockPool, block_pool_destroy> blocks;
    ContenderChunk *first = nullptr;
};
