// Lists without holes: a freed object is swapped with the last.

#include "pool_keeper.hpp"

#include <utility>

namespace {

/// "Create three vectors, one with the objects, one with active object pointers and one with free
/// object pointers." ("Understanding cache-friendly, data-oriented objects and handles", second
/// answer.) Each object stores its index among the active pointers.
class PointerKeeper final : public KeeperLoops<PointerKeeper> {
  public:
    explicit PointerKeeper(std::uint32_t count) : objects(new Object[count]), by_key(count)
    {
        active.reserve(count);
        inactive.reserve(count);
        for (std::uint32_t i = count; i-- > 0;) {
            inactive.push_back(&objects[i]);
        }
    }
    void take(std::uint32_t key) override
    {
        Object *object = inactive.back();
        inactive.pop_back();
        object->own[0] = static_cast<std::uint32_t>(active.size());
        active.push_back(object);
        object->number = key;
        by_key[key] = object;
    }
    void give(std::uint32_t key) override
    {
        Object *object = by_key[key], *last = active.back();
        active[object->own[0]] = last;
        last->own[0] = object->own[0];
        active.pop_back();
        inactive.push_back(object);
    }
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return by_key[key]->number;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (const Object *object : active) {
            sum += object->number;
        }
        return sum;
    }

  private:
    std::unique_ptr<Object[]> objects;
    std::vector<Object *> active, inactive;
    std::vector<Object *> by_key;
};

/// The same article's table of handles: a permutation of all handles, those in use first, so that
/// reserving and releasing only move the border. The article searches the table for the handle to
/// release; this keeper uses the inverse permutation.
class HandleKeeper final : public ArrayKeeper<HandleKeeper> {
  public:
    explicit HandleKeeper(std::uint32_t count)
        : ArrayKeeper(count, count), handles(count), places(count)
    {
        for (std::uint32_t i = 0; i < count; i++) {
            handles[i] = places[i] = i;
        }
    }
    void take(std::uint32_t key) override
    {
        const std::uint32_t handle = handles[live++];
        objects[handle].number = key;
        slots[key] = handle;
    }
    void give(std::uint32_t key) override
    {
        const std::uint32_t handle = slots[key], place = places[handle];
        const std::uint32_t last = handles[--live];
        handles[place] = last;
        places[last] = place;
        handles[live] = handle;
        places[handle] = live;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < live; i++) {
            sum += objects[handles[i]].number;
        }
        return sum;
    }

  private:
    std::vector<std::uint32_t> handles, places;
    std::uint32_t live = 0;
};

/// "Ogre 2.0: O(1) insertion, removal and contiguous memory iteration", with the objects themselves
/// in the array instead of pointers: the densest layout, but objects move, and each removal copies
/// one. The moved object's key selects the slot to update.
class SwapKeeper final : public ArrayKeeper<SwapKeeper> {
  public:
    explicit SwapKeeper(std::uint32_t count) : ArrayKeeper(count, count)
    {
    }
    void take(std::uint32_t key) override
    {
        objects[live].number = key;
        slots[key] = live++;
    }
    void give(std::uint32_t key) override
    {
        const std::uint32_t place = slots[key];
        if (place != --live) {
            objects[place] = objects[live];
            slots[objects[place].number] = place;
        }
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < live; i++) {
            sum += objects[i].number;
        }
        return sum;
    }

  private:
    std::uint32_t live = 0;
};

} // namespace

std::vector<KeeperKind> swap_keepers()
{
    return {{"active and free pointer arrays", make_keeper<PointerKeeper>},
            {"handle table with swap", make_keeper<HandleKeeper>},
            {"swap-and-pop of the objects", make_keeper<SwapKeeper>}};
}
