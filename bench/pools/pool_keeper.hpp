/// Keepers of objects of 256 bytes: ways of handing them out, taking them back and walking over
/// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// As large as a chunk's header in a game.
struct Object {
    std::uint64_t number; ///< the key under which it was taken
    std::uint32_t own[2]; ///< a keeper's own: links, or where the object stands in a list
    unsigned char rest[256 - 16];
};
static_assert(sizeof(Object) == 256, "an object is 256 bytes");

/// Objects known by the key under which they were taken. Keys are 0 .. count - 1. Who uses a keeper
/// remembers for each key what the keeper needs to find the object again (a pointer, an index, an
/// id); that table is part of every keeper, and of what is timed. All that is timed happens inside,
/// so that calling it through a virtual function is no disadvantage to any. No memory throws
/// std::bad_alloc.
class Keeper {
  public:
    virtual ~Keeper() = default;
    virtual void take(std::uint32_t key) = 0;
    virtual void give(std::uint32_t key) = 0;
    /// The number of the object of a key that is taken.
    virtual std::uint64_t number_at(std::uint32_t key) const = 0;
    /// For each key: gives the object back and takes another one.
    virtual void pairs(const std::vector<std::uint32_t> &keys) = 0;
    /// Gives the objects of all keys back, then takes as many.
    virtual void batch(const std::vector<std::uint32_t> &keys) = 0;
    /// The sum of all objects' numbers.
    virtual std::uint64_t walk() const = 0;
    /// Puts its objects, or what is known of them, in the order of memory, where a keeper can. Not
    /// to be followed by anything but walks.
    virtual void repair()
    {
    }
    /// Does that work again, from the disorder that was, and walks.
    virtual std::uint64_t repair_and_walk()
    {
        return walk();
    }
    /// Whether walks meet the objects in the order of memory, as they must after a repair. Needs to
    /// be known only of keepers that can repair.
    virtual bool is_in_order() const
    {
        return false;
    }
};

/// The loops over keys, once for all; the calls are bound at compile time.
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

/// What a keeper is called and how it is made.
struct KeeperKind {
    const char *name;
    /// @param count  how many keys there are
    std::unique_ptr<Keeper> (*make)(std::uint32_t count);
    /// What walks after a repair are called, and those that repair first; NULL where a keeper has
    /// nothing to repair.
    const char *repaired_name = nullptr, *repairing_name = nullptr;
};

std::vector<KeeperKind> peer_keepers();    ///< malloc first, plf::colony if built
std::vector<KeeperKind> block_keepers();   ///< free lists over blocks
std::vector<KeeperKind> bit_keepers();     ///< occupancy bits
std::vector<KeeperKind> array_keepers();   ///< one array with holes: linked list, list of live ones
std::vector<KeeperKind> swap_keepers();    ///< those whose lists have no holes
std::vector<KeeperKind> terrane_keepers(); ///< TrnPool and TrnRegistry

/// Whether plf::colony was there when the bench was built.
bool colony_is_built();

template <class Concrete> std::unique_ptr<Keeper> make_keeper(std::uint32_t count)
{
    return std::make_unique<Concrete>(count);
}
