// Occupancy bits in addition to an array, after "Understanding cache-friendly, data-oriented
// objects and handles" (section "Parallel Occupancy Bits"): bits alone, and together with a stack
// of free indices ("You can combine this with the free list").

#include "pool_keeper.hpp"

#include <new>

namespace {

const std::uint64_t all_taken = ~UINT64_C(0);

std::uint32_t lowest_bit(std::uint64_t word)
{
    return static_cast<std::uint32_t>(__builtin_ctzll(word));
}

std::uint64_t bit_of(std::uint32_t index)
{
    return UINT64_C(1) << (index & 63);
}

std::uint32_t words_for(std::uint32_t count)
{
    return (count + 63) / 64;
}

/// The sum over the objects of the set bits. Full words are handled 64 objects at a time.
std::uint64_t sum_of_taken(const std::vector<std::uint64_t> &words, const Object *objects)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < words.size(); i++) {
        const Object *first = objects + 64 * i;
        if (words[i] == all_taken) {
            for (std::size_t j = 0; j < 64; j++) {
                sum += first[j].number;
            }
            continue;
        }
        for (std::uint64_t left = words[i]; left; left &= left - 1) {
            sum += first[lowest_bit(left)].number;
        }
    }
    return sum;
}

/// Finds the lowest free slot through two upper levels of bits. A bit is set if the word below it
/// has a free slot.
class BitsKeeper final : public ArrayKeeper<BitsKeeper> {
  public:
    explicit BitsKeeper(std::uint32_t count)
        : ArrayKeeper(count, std::size_t{64} * words_for(count)), taken(words_for(count)),
          with_room(words_for(words_for(count)))
    {
        if (with_room.size() > 64) {
            throw std::bad_alloc(); // more than 2^18 slots would need a third level
        }
        for (std::uint32_t i = 0; i < taken.size(); i++) {
            with_room[i / 64] |= bit_of(i);
        }
        for (std::uint32_t i = 0; i < with_room.size(); i++) {
            top |= bit_of(i);
        }
    }
    void take(std::uint32_t key) override
    {
        const std::uint32_t group = lowest_bit(top);
        const std::uint32_t word = 64 * group + lowest_bit(with_room[group]);
        const std::uint32_t slot = 64 * word + lowest_bit(~taken[word]);
        taken[word] |= bit_of(slot);
        if (taken[word] == all_taken) {
            with_room[group] &= ~bit_of(word);
            if (!with_room[group]) {
                top &= ~bit_of(group);
            }
        }
        objects[slot].number = key;
        slots[key] = slot;
    }
    void give(std::uint32_t key) override
    {
        const std::uint32_t slot = slots[key];
        taken[slot / 64] &= ~bit_of(slot);
        with_room[slot / 4096] |= bit_of(slot / 64);
        top |= bit_of(slot / 4096);
    }
    std::uint64_t walk() const override
    {
        return sum_of_taken(taken, objects.get());
    }

  private:
    std::vector<std::uint64_t> taken, with_room;
    std::uint64_t top = 0;
};

class StackBitsKeeper final : public ArrayKeeper<StackBitsKeeper> {
  public:
    explicit StackBitsKeeper(std::uint32_t count)
        : ArrayKeeper(count, std::size_t{64} * words_for(count)), taken(words_for(count))
    {
        free_slots.reserve(count);
        for (std::uint32_t i = count; i-- > 0;) {
            free_slots.push_back(i);
        }
    }
    void take(std::uint32_t key) override
    {
        const std::uint32_t slot = free_slots.back();
        free_slots.pop_back();
        taken[slot / 64] |= bit_of(slot);
        objects[slot].number = key;
        slots[key] = slot;
    }
    void give(std::uint32_t key) override
    {
        const std::uint32_t slot = slots[key];
        taken[slot / 64] &= ~bit_of(slot);
        free_slots.push_back(slot);
    }
    std::uint64_t walk() const override
    {
        return sum_of_taken(taken, objects.get());
    }

  private:
    std::vector<std::uint64_t> taken;
    std::vector<std::uint32_t> free_slots;
};

} // namespace

std::vector<KeeperKind> bit_keepers()
{
    return {{"occupancy bits", make_keeper<BitsKeeper>},
            {"index stack + occupancy bits", make_keeper<StackBitsKeeper>}};
}
