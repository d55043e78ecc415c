// Free lists over blocks, after "Understanding cache-friendly, data-oriented objects and handles"
// (sections "Free List" and "Random-Access Sequence, Nested Free Lists").

#include "pool_keeper.hpp"

#include <cstdlib>
#include <new>

#include <terrane/base.h>

namespace {

const std::size_t block_bytes = 65536;

/// An object, or the link of a free one.
union Slot {
    Object object;
    Slot *next;
};

/// One free list through all blocks. It does not store which slots are allocated, so walks use the
/// list of pointers. A new block's slots are linked with the lowest address first; the article
/// links the highest first.
class BlockListKeeper final : public KeeperLoops<BlockListKeeper> {
  public:
    explicit BlockListKeeper(std::uint32_t count) : taken(count)
    {
    }
    void take(std::uint32_t key) override
    {
        if (!first_free) {
            add_block();
        }
        Slot *slot = first_free;
        first_free = slot->next;
        slot->object.number = key;
        taken[key] = slot;
    }
    void give(std::uint32_t key) override
    {
        Slot *slot = taken[key];
        slot->next = first_free;
        first_free = slot;
        taken[key] = nullptr;
    }
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return taken[key]->object.number;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (const Slot *slot : taken) {
            sum += slot ? slot->object.number : 0;
        }
        return sum;
    }

  private:
    void add_block()
    {
        const std::size_t slots = block_bytes / sizeof(Slot);
        blocks.emplace_back(new Slot[slots]);
        for (std::size_t i = slots; i-- > 0;) {
            blocks.back()[i].next = first_free;
            first_free = &blocks.back()[i];
        }
    }
    std::vector<std::unique_ptr<Slot[]>> blocks;
    Slot *first_free = nullptr;
    std::vector<Slot *> taken; ///< by key
};

/// A free list in each block, and a list of the blocks with free slots. A full block is removed
/// from that list, and returns with its first freed slot. Blocks are aligned to their size, so a
/// slot's address gives its block. The article does not say how to skip free slots in a walk: here
/// the block's header has a byte for each slot.
class NestedListKeeper final : public KeeperLoops<NestedListKeeper> {
  public:
    explicit NestedListKeeper(std::uint32_t count) : by_key(count)
    {
    }
    ~NestedListKeeper() override
    {
        for (Block *block : blocks) {
            trn_aligned_free(block);
        }
    }
    NestedListKeeper(const NestedListKeeper &) = delete;
    NestedListKeeper &operator=(const NestedListKeeper &) = delete;
    void take(std::uint32_t key) override
    {
        if (!first_with_room) {
            add_block();
        }
        Block *block = first_with_room;
        Slot *slot = block->first_free;
        block->first_free = slot->next;
        if (!slot->next) {
            first_with_room = block->next_with_room;
        }
        block->is_taken[slot - block->slots] = 1;
        slot->object.number = key;
        by_key[key] = slot;
    }
    void give(std::uint32_t key) override
    {
        Slot *slot = by_key[key];
        Block *block = block_of(slot);
        block->is_taken[slot - block->slots] = 0;
        if (!block->first_free) {
            block->next_with_room = first_with_room;
            first_with_room = block;
        }
        slot->next = block->first_free;
        block->first_free = slot;
    }
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return by_key[key]->object.number;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (const Block *block : blocks) {
            for (std::size_t i = 0; i < block_slots; i++) {
                sum += block->is_taken[i] ? block->slots[i].object.number : 0;
            }
        }
        return sum;
    }

  private:
    static constexpr std::size_t block_slots = block_bytes / sizeof(Slot) - 2;
    struct Block {
        Block *next_with_room;
        Slot *first_free; ///< NULL: the block is full
        unsigned char is_taken[block_slots];
        alignas(sizeof(Slot)) Slot slots[block_slots];
    };
    static_assert(sizeof(Block) == block_bytes, "a block's address is a slot's, rounded down");

    static Block *block_of(const Slot *slot)
    {
        return reinterpret_cast<Block *>(reinterpret_cast<std::uintptr_t>(slot) &
                                         ~static_cast<std::uintptr_t>(block_bytes - 1));
    }
    void add_block()
    {
        void *memory = trn_aligned_alloc(block_bytes, block_bytes);
        if (!memory) {
            throw std::bad_alloc();
        }
        auto *block = new (memory) Block; // does not initialise the slots
        blocks.push_back(block);
        block->first_free = nullptr;
        for (std::size_t i = block_slots; i-- > 0;) {
            block->is_taken[i] = 0;
            block->slots[i].next = block->first_free;
            block->first_free = &block->slots[i];
        }
        block->next_with_room = nullptr; // called only if no other block has a free slot
        first_with_room = block;
    }
    std::vector<Block *> blocks;
    Block *first_with_room = nullptr;
    std::vector<Slot *> by_key;
};

} // namespace

std::vector<KeeperKind> block_keepers()
{
    return {{"block free list", make_keeper<BlockListKeeper>},
            {"nested free lists per block", make_keeper<NestedListKeeper>}};
}
