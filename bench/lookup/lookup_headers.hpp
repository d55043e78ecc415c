/// Chunks' headers in one range of addresses, number i in slot i of two pools, one with a reserved
/// range and one with a table of blocks: what every world hands to its contenders.
#pragma once

#include <cstdint>
#include <memory>
#include <new>

#include "contender.h"
#include "contenders/block_pool.h"

class LookupHeaders {
  public:
    /// @param count  at least 1
    /// @throws std::bad_alloc
    explicit LookupHeaders(std::uint32_t count)
    {
        TrnPoolDef def = trn_pool_def(sizeof(ContenderChunk));
        def.reserve_slots = count;
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
            *header = {};
            header->number = i;
            first = i == 0 ? header : first;
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
    struct Destroy {
        void operator()(TrnPool *gone) const
        {
            trn_pool_destroy(gone);
        }
        void operator()(BlockPool *gone) const
        {
            block_pool_destroy(gone);
        }
    };
    std::unique_ptr<TrnPool, Destroy> slots;
    std::unique_ptr<BlockPool, Destroy> blocks;
    ContenderChunk *first = nullptr;
};
