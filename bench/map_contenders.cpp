// The hash maps. Built for the machine at hand, with their loops inside: whatever a game could make
// of them.

#include "contender.hpp"

#include <cstdio>
#include <new>

#include "hash_baseline.h"

#if TERRANE_HAS_BOOST
#include <boost/unordered/unordered_flat_map.hpp>
#endif

namespace {

/// Values stand in the maps as pointers, which is what games keep there. Nobody looks behind these: value + 1, so that none is NULL.
void *pointer_of(std::uint32_t value)
{
    return reinterpret_cast<void *>(std::uintptr_t{value} + 1);
}

std::uint64_t number_of(const void *pointer)
{
    return reinterpret_cast<std::uintptr_t>(pointer);
}

/// What a map does through `find`, `insert` and `remove` of the concrete class; the calls are bound at compile time.
template <class Concrete> class MapLoops : public Contender {
  public:
    std::vector<std::uint32_t> gathered() const override
    {
        std::vector<std::uint32_t> values;
        for (std::size_t i = 0; i < found; i++) {
            values.push_back(static_cast<std::uint32_t>(number_of(out[i]) - 1));
        }
        return values;
    }
    std::uint64_t sum_found(const std::vector<TrnCoord> &chunks) const override
    {
        std::uint64_t sum = 0;
        for (const TrnCoord &chunk : chunks) {
            sum += number_of(find(chunk));
        }
        return sum;
    }
    std::uint64_t sum_neighbours(const std::vector<TrnCoord> &chunks) const override
    {
        std::uint64_t sum = 0;
        for (const TrnCoord &chunk : chunks) {
            for (int face = 0; face < TRN_FACE_COUNT; face++) {
                sum += number_of(find(trn_coord_neighbour(chunk, static_cast<TrnFace>(face))));
            }
        }
        return sum;
    }
    void find_ready(const std::vector<TrnCoord> &chunks) override
    {
        ready = 0;
        for (const TrnCoord &chunk : chunks) {
            bool all = true;
            for (int face = 0; face < TRN_FACE_COUNT && all; face++) {
                all = find(trn_coord_neighbour(chunk, static_cast<TrnFace>(face))) != nullptr;
            }
            ready += all;
        }
    }
    std::size_t ready_count() const override
    {
        return ready;
    }
    void step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go, int dx) override
    {
        auto &self = static_cast<Concrete &>(*this);
        for (const TrnCoord &chunk : come) {
            self.Concrete::insert(moved(chunk, dx), 0);
        }
        for (const TrnCoord &chunk : go) {
            self.Concrete::remove(moved(chunk, dx));
        }
    }

  protected:
    /// Room for what a gather finds: everything, whatever the box.
    void make_room()
    {
        if (out.size() < count()) {
            out.resize(count());
        }
    }
    std::vector<void *> out;
    std::size_t found = 0;

  private:
    void *find(TrnCoord coord) const
    {
        return static_cast<const Concrete &>(*this).find_pointer(coord);
    }
    std::size_t ready = 0;
};

struct DestroyMap {
    void operator()(HashBaseline *map) const
    {
        hash_baseline_destroy(map);
    }
};

class UnorderedMap final : public MapLoops<UnorderedMap> {
  public:
    UnorderedMap() : map(hash_baseline_create())
    {
        if (!map) {
            throw std::bad_alloc();
        }
    }
    void insert(TrnCoord coord, std::uint32_t value) override
    {
        if (!hash_baseline_insert(map.get(), coord, pointer_of(value))) {
            throw std::bad_alloc();
        }
    }
    void remove(TrnCoord coord) override
    {
        hash_baseline_remove(map.get(), coord);
    }
    std::size_t count() const override
    {
        return hash_baseline_count(map.get());
    }
    std::size_t gather(TrnBox box) override
    {
        make_room();
        return found = hash_baseline_gather_probe(map.get(), box, out.data(), out.size());
    }
    std::size_t gather_all() override
    {
        make_room();
        const TrnBox everything = {{INT32_MIN, INT32_MIN, INT32_MIN},
                                   {INT32_MAX, INT32_MAX, INT32_MAX}};
        return found = hash_baseline_gather_filter(map.get(), everything, out.data(), out.size());
    }
    void *find_pointer(TrnCoord coord) const
    {
        return hash_baseline_find(map.get(), coord);
    }

  private:
    std::unique_ptr<HashBaseline, DestroyMap> map;
};

#if TERRANE_HAS_BOOST
std::uint64_t packed_key(TrnCoord coord)
{
    const std::uint64_t mask = (1u << 21) - 1;
    return (static_cast<std::uint64_t>(coord.x) & mask) |
           (static_cast<std::uint64_t>(coord.y) & mask) << 21 |
           (static_cast<std::uint64_t>(coord.z) & mask) << 42;
}

class FlatMap final : public MapLoops<FlatMap> {
  public:
    void insert(TrnCoord coord, std::uint32_t value) override
    {
        map[packed_key(coord)] = pointer_of(value);
    }
    void remove(TrnCoord coord) override
    {
        map.erase(packed_key(coord));
    }
    std::size_t count() const override
    {
        return map.size();
    }
    std::size_t gather(TrnBox box) override
    {
        make_room();
        found = 0;
        for (int y = box.min.y; y <= box.max.y; y++) {
            for (int z = box.min.z; z <= box.max.z; z++) {
                for (int x = box.min.x; x <= box.max.x; x++) {
                    auto at = map.find(packed_key(TrnCoord{x, y, z}));
                    if (at != map.end()) {
                        out[found++] = at->second;
                    }
                }
            }
        }
        return found;
    }
    std::size_t gather_all() override
    {
        make_room();
        found = 0;
        for (const auto &pair : map) {
            out[found++] = pair.second;
        }
        return found;
    }
    void *find_pointer(TrnCoord coord) const
    {
        auto at = map.find(packed_key(coord));
        return at == map.end() ? nullptr : at->second;
    }

  private:
    boost::unordered_flat_map<std::uint64_t, void *> map;
};
#endif

} // namespace

std::unique_ptr<Contender> make_unordered_map()
{
    return std::make_unique<UnorderedMap>();
}

std::unique_ptr<Contender> make_flat_map()
{
#if TERRANE_HAS_BOOST
    return std::make_unique<FlatMap>();
#else
    return nullptr;
#endif
}

bool flat_map_is_built()
{
#if TERRANE_HAS_BOOST
    return true;
#else
    return false;
#endif
}

void print_what_is_missing()
{
    if (!flat_map_is_built()) {
        std::printf(
            "Not compared with boost::unordered_flat_map: it was not there when the bench was "
            "configured (Debian: libboost1.81-dev).\n");
    }
}
