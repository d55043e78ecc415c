/// Keepers of objects of 256 bytes: ways to allocate, free and walk them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// As large as a chunk's header in a game.
struct Object {
    std::uint64_t number; ///< the key under which it was allocated
    std::uint32_t own[2]; ///< for the keeper: links, or the object's index in a list
    unsigned char rest[256 - 16];
};
static_assert(sizeof(Object) == 256, "an object is 256 bytes");

/// Allocates objects under keys 0 .. count - 1. For each key a keeper stores a pointer, an index or
/// an id of the object; in a game the caller would do so, so this table is part of the timed work.
/// All timed loops are inside the keeper, so a virtual call costs all keepers the same. Functions
/// throw std::bad_alloc if memory runs out.
class Keeper {
  public:
    virtual ~Keeper() = default;
    virtual void take(std::uint32_t key) = 0;
    virtual void give(std::uint32_t key) = 0;
    /// The number of a key's object. The key must be in use.
    virtual std::uint64_t number_at(std::uint32_t key) const = 0;
    /// For each key, frees the object and allocates another.
    virtual void pairs(const std::vector<std::uint32_t> &keys) = 0;
    /// Frees the objects of all keys, then allocates as many.
    virtual void batch(const std::vector<std::uint32_t> &keys) = 0;
    /// The sum of all objects' numbers.
    virtual std::uint64_t walk() const = 0;
    /// Sorts the objects, or the list of objects, by address, if the keeper supports it. After it,
    /// only walks are allowed.
    virtual void repair()
    {
    }
    /// Repeats the repair from the original disorder, then walks.
    virtual std::uint64_t repair_and_walk()
    {
        return walk();
    }
    /// Whether walks visit the objects in memory order, as they must after a repair. Only for
    /// keepers that can repair.
    virtual bool is_in_order() const
    {
        return false;
    }
};

/// The loops over keys for all keepers; calls are bound at compile time.
template <class Concrete> class KeeperLoops : public Keeper {
  public:
    void pairs(const std::vector<std::uint32_t> &keys) override
    {
        auto &self = static_cast<Concrete &>(*this);
        for (std::uint32_t key : keys) {
            self.Concrete::give(key);
            self.Concrete::take(key);
        }
    }
    void batch(const std::vector<std::uint32_t> &keys) override
    {
        auto &self = static_cast<Concrete &>(*this);
        for (std::uint32_t key : keys) {
            self.Concrete::give(key);
        }
        for (std::uint32_t key : keys) {
            self.Concrete::take(key);
        }
    }
};

/// A keeper whose objects lie in one array: the objects, and the slot of each key.
template <class Concrete> class ArrayKeeper : public KeeperLoops<Concrete> {
  public:
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return objects[slots[key]].number;
    }

  protected:
    /// @param slot_count  at least `count`, the number of keys
    ArrayKeeper(std::uint32_t count, std::size_t slot_count)
        : objects(new Object[slot_count]), slots(count)
    {
    }
    std::unique_ptr<Object[]> objects;
    std::vector<std::uint32_t> slots; ///< by key
};

/// A keeper's name and how to create it.
struct KeeperKind {
    const char *name;
    /// @param count  how many keys there are
    std::unique_ptr<Keeper> (*make)(std::uint32_t count);
    /// Names of walks after a repair, and of walks that repair first; NULL if the keeper cannot
    /// repair.
    const char *repaired_name = nullptr, *repairing_name = nullptr;
};

std::vector<KeeperKind> peer_keepers();    ///< malloc first, plf::colony if built
std::vector<KeeperKind> block_keepers();   ///< free lists in blocks
std::vector<KeeperKind> bit_keepers();     ///< occupancy bits
std::vector<KeeperKind> array_keepers();   ///< array with holes: linked list, live list
std::vector<KeeperKind> swap_keepers();    ///< keepers with lists without holes
std::vector<KeeperKind> terrane_keepers(); ///< TrnPool and TrnRegistry

/// Whether plf::colony was available at build time.
bool colony_is_built();

template <class Concrete> std::unique_ptr<Keeper> make_keeper(std::uint32_t count)
{
    return std::make_unique<Concrete>(count);
}
