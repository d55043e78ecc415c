// One array with holes, after "Understanding cache-friendly, data-oriented objects and handles"
// (sections "Singly-Linked Index List" and "Occupancy Indices").

#include "pool_keeper.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace {

const std::uint32_t no_slot = UINT32_MAX;

/// Objects in an array, linked by indices stored in the objects, as in the article. A second link
/// points back, since any object may be freed, not only the current object of a walk. Free slots
/// use the forward link.
class LinkedKeeper final : public ArrayKeeper<LinkedKeeper> {
  public:
    explicit LinkedKeeper(std::uint32_t count) : ArrayKeeper(count, count)
    {
    }
    void take(std::uint32_t key) override
    {
        const std::uint32_t slot = take_slot();
        objects[slot].number = key;
        objects[slot].own[link_next] = head;
        objects[slot].own[link_back] = no_slot;
        if (head != no_slot) {
            objects[head].own[link_back] = slot;
        }
        head = slot;
        slots[key] = slot;
    }
    void give(std::uint32_t key) override
    {
        const std::uint32_t slot = slots[key];
        Object &object = objects[slot];
        const std::uint32_t next = object.own[link_next], back = object.own[link_back];
        (back == no_slot ? head : objects[back].own[link_next]) = next;
        if (next != no_slot) {
            objects[next].own[link_back] = back;
        }
        object.own[link_next] = free_head;
        free_head = slot;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (std::uint32_t i = head; i != no_slot; i = objects[i].own[link_next]) {
            sum += objects[i].number;
        }
        return sum;
    }
    /// "It's easy enough to restore it with a post-processing copy": copies the objects in list
    /// order to a second array, which then replaces the first.
    void repair() override
    {
        copy_in_order();
        objects.swap(copy);
        head = head == no_slot ? no_slot : 0;
        is_repaired = true;
    }
    std::uint64_t repair_and_walk() override
    {
        copy_in_order();
        objects.swap(copy);
        const std::uint32_t head_before = std::exchange(head, head == no_slot ? no_slot : 0);
        const std::uint64_t sum = walk();
        objects.swap(copy); // so that the next call starts from the same disorder
        head = head_before;
        return sum;
    }
    /// Checks the copy if the disorder is kept.
    bool is_in_order() const override
    {
        const Object *ordered = is_repaired ? objects.get() : copy.get();
        std::uint32_t count = 0;
        while (ordered[count].own[link_next] == count + 1) {
            count++;
        }
        return ordered[count].own[link_next] == no_slot;
    }

  private:
    enum { link_next, link_back };

    std::uint32_t take_slot()
    {
        if (free_head == no_slot) {
            return used++;
        }
        return std::exchange(free_head, objects[free_head].own[link_next]);
    }
    void copy_in_order()
    {
        if (!copy) {
            copy.reset(new Object[slots.size()]);
        }
        std::uint32_t place = 0;
        for (std::uint32_t i = head; i != no_slot; i = objects[i].own[link_next]) {
            copy[place] = objects[i];
            slots[copy[place].number] = place;
            copy[place].own[link_next] = place + 1;
            copy[place].own[link_back] = place - 1; // no_slot for the first
            place++;
        }
        if (place > 0) {
            copy[place - 1].own[link_next] = no_slot;
        }
    }
    std::unique_ptr<Object[]> copy;
    bool is_repaired = false;
    std::uint32_t used = 0; ///< slots that were ever in use
    std::uint32_t head = no_slot, free_head = no_slot;
};

/// Sorts indices from `from` into `to`, 11 bits at a time. `from`, `between` and `to` have the same
/// length; `from` does not change.
void radix_sort(const std::vector<std::uint32_t> &from, std::vector<std::uint32_t> &between,
                std::vector<std::uint32_t> &to)
{
    auto pass = [](const std::vector<std::uint32_t> &source, std::vector<std::uint32_t> &sorted,
                   unsigned shift) {
        std::array<std::uint32_t, 2048> starts = {};
        for (std::uint32_t value : source) {
            starts[value >> shift & 2047]++;
        }
        std::uint32_t sum = 0;
        for (std::uint32_t &start : starts) {
            sum += std::exchange(start, sum);
        }
        for (std::uint32_t value : source) {
            sorted[starts[value >> shift & 2047]++] = value;
        }
    };
    pass(from, between, 0); // indices are less than 2^22
    pass(between, to, 11);
}

/// A stack of free indices, and a separate list of live ones. Each slot stores its place in that
/// list. A removed slot is replaced by the last of the list, so the list gets out of order. "A
/// quick way to repair that is to radix sort the indices from time to time."
class HolesKeeper final : public ArrayKeeper<HolesKeeper> {
  public:
    explicit HolesKeeper(std::uint32_t count) : ArrayKeeper(count, count), places(count)
    {
        live.reserve(count);
        free_slots.reserve(count);
    }
    void take(std::uint32_t key) override
    {
        std::uint32_t slot = used;
        if (free_slots.empty()) {
            used++;
        } else {
            slot = free_slots.back();
            free_slots.pop_back();
        }
        places[slot] = static_cast<std::uint32_t>(live.size());
        live.push_back(slot);
        objects[slot].number = key;
        slots[key] = slot;
    }
    void give(std::uint32_t key) override
    {
        const std::uint32_t slot = slots[key], last = live.back();
        live[places[slot]] = last;
        places[last] = places[slot];
        live.pop_back();
        free_slots.push_back(slot);
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (std::uint32_t slot : live) {
            sum += objects[slot].number;
        }
        return sum;
    }
    void repair() override
    {
        disorder = live;
        between.resize(live.size());
        sort();
    }
    std::uint64_t repair_and_walk() override
    {
        if (disorder.empty()) {
            repair();
        }
        sort();
        return walk();
    }
    bool is_in_order() const override
    {
        return std::is_sorted(live.begin(), live.end());
    }

  private:
    void sort()
    {
        radix_sort(disorder, between, live);
        for (std::uint32_t i = 0; i < live.size(); i++) {
            places[live[i]] = i;
        }
    }
    std::vector<std::uint32_t> free_slots, live, places;
    std::uint32_t used = 0; ///< slots that were ever in use
    std::vector<std::uint32_t> disorder, between;
};

} // namespace

std::vector<KeeperKind> array_keepers()
{
    return {{"index-linked list in an array", make_keeper<LinkedKeeper>,
             "index-linked list, copied in order", "index-linked list, copy and walk"},
            {"array with holes, list of live", make_keeper<HolesKeeper>,
             "array with holes, list radix-sorted", "array with holes, sort and walk"}};
}
