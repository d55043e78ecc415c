// One array with holes, after "Understanding cache-friendly, data-oriented objects and handles"
// (sections "Singly-Linked Index List" and "Occupancy Indices").

#include "pool_keeper.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace {

const std::uint32_t no_slot = UINT32_MAX;

/// Objects in an array, linked by indices. The links lie in the object, as in the article; there is
/// a second one, back, because here any object may be given back, not only the current one of
/// a walk. Free slots hang on the same link.
class LinkedKeeper final : public KeeperLoops<LinkedKeeper> {
  public:
    explicit LinkedKeeper(std::uint32_t count) : objects(new Object[count]), slots(count)
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
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return objects[slots[key]].number;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (std::uint32_t i = head; i != no_slot; i = objects[i].own[link_next]) {
            sum += objects[i].number;
        }
        return sum;
    }
    /// "It's easy enough to restore it with a post-processing copy": in the order of the list, to a
    /// second array, which then takes the first one's place.
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
        objects.swap(copy); // so that the next call finds the same disorder
        head = head_before;
        return sum;
    }
    /// Of the copy, where the disorder is kept.
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
            copy[place].own[link_back] = place - 1; // of the first one: no_slot
            place++;
        }
        if (place > 0) {
            copy[place - 1].own[link_next] = no_slot;
        }
    }
    std::unique_ptr<Object[]> objects, copy;
    bool is_repaired = false;
    std::uint32_t used = 0; ///< slots ever taken
    std::uint32_t head = no_slot, free_head = no_slot;
    std::vector<std::uint32_t> slots; ///< by key
};

/// Sorts indices, 11 bits at a time, from `from` to `to`. Both and `between` are as long; `from`
/// stays as it is.
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

/// A stack of free indices, and a list of the live ones on the side. Each slot knows its place in
/// that list, so that it leaves it at once; the last one takes its place, and the list gets out of
/// order. "A quick way to repair that is to radix sort the indices from time to time."
class HolesKeeper final : public KeeperLoops<HolesKeeper> {
  public:
    explicit HolesKeeper(std::uint32_t count)
        : objects(new Object[count]), places(count), slots(count)
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
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return objects[slots[key]].number;
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
    std::unique_ptr<Object[]> objects;
    std::vector<std::uint32_t> free_slots, live, places;
    std::uint32_t used = 0;           ///< slots ever taken
    std::vector<std::uint32_t> slots; ///< by key
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
