#include "pool_keeper.hpp"

#include <cstdlib>
#include <new>

#if TERRANE_HAS_PLF
#include <plf_colony.h>
#endif

namespace {

/// Objects from malloc. Walks use the list of pointers, where freed objects leave holes.
class MallocKeeper final : public KeeperLoops<MallocKeeper> {
  public:
    explicit MallocKeeper(std::uint32_t count) : objects(count)
    {
    }
    ~MallocKeeper() override
    {
        for (Object *object : objects) {
            std::free(object);
        }
    }
    MallocKeeper(const MallocKeeper &) = delete;
    MallocKeeper &operator=(const MallocKeeper &) = delete;
    void take(std::uint32_t key) override
    {
        auto *object = static_cast<Object *>(std::malloc(sizeof(Object)));
        if (!object) {
            throw std::bad_alloc();
        }
        object->number = key;
        objects[key] = object;
    }
    void give(std::uint32_t key) override
    {
        std::free(objects[key]);
        objects[key] = nullptr;
    }
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return objects[key]->number;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (const Object *object : objects) {
            sum += object ? object->number : 0;
        }
        return sum;
    }

  private:
    std::vector<Object *> objects;
};

#if TERRANE_HAS_PLF
/// Stores iterators, since erase() takes iterators and getting one from a pointer has a cost.
class ColonyKeeper final : public KeeperLoops<ColonyKeeper> {
  public:
    explicit ColonyKeeper(std::uint32_t count) : places(count)
    {
    }
    void take(std::uint32_t key) override
    {
        places[key] = objects.emplace(key);
    }
    void give(std::uint32_t key) override
    {
        objects.erase(places[key]);
    }
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return places[key]->number;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (const Numbered &object : objects) {
            sum += object.number;
        }
        return sum;
    }

  private:
    /// Constructs an object in place without clearing it, as the other keepers do.
    struct Numbered : Object {
        explicit Numbered(std::uint32_t key)
        {
            number = key;
        }
    };
    plf::colony<Numbered> objects;
    std::vector<plf::colony<Numbered>::iterator> places;
};
#endif

} // namespace

std::vector<KeeperKind> peer_keepers()
{
    return
    {
        {"malloc, free, a list of pointers", make_keeper<MallocKeeper>},
#if TERRANE_HAS_PLF
            {"plf::colony", make_keeper<ColonyKeeper>},
#endif
    };
}

bool colony_is_built()
{
#if TERRANE_HAS_PLF
    return true;
#else
    return false;
#endif
}
