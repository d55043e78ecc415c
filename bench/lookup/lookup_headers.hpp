/// The chunk headers of a world: header i lies in slot i of two pools. One pool has a reserved
/// address range, or one big block if the system cannot reserve addresses. The other finds the same
/// headers by a table of blocks.
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
        if (sizeof(void *) < 8) { // no range can be reserved: uses one block
            def.block_slots = count;
        }
        create_owned(slots, trn_pool_create, &def);
        for (std::uint32_t i = 0; i < count; i++) {
            void *slot;
            require(trn_pool_alloc(slots.get(), nullptr, &slot));
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
