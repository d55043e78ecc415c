// A map that stores its entries in one array, and a table from keys to array indices, like
// ankerl::unordered_dense and tsl::ordered_map. Those are not always installed, so this map
// consists of boost::unordered_flat_map and std::vector. Iterating reads the entries in order.

#include "builtin.h"
#include "maps.hpp"

#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace {

/// The part of a map's interface that MapContainer uses.
class DenseMap {
  public:
    using Entry = std::pair<TrnCoord, const ContenderChunk *>;
    using Iterator = std::vector<Entry>::const_iterator;

    void emplace(TrnCoord coord, const ContenderChunk *chunk)
    {
        entries.emplace_back(coord, chunk);
        try {
            places.emplace(KeyPacked::key(coord), static_cast<std::uint32_t>(entries.size() - 1));
        } catch (...) {
            entries.pop_back();
            throw;
        }
    }
    /// Moves the last entry to the erased place.
    void erase(TrnCoord coord)
    {
        const auto at = places.find(KeyPacked::key(coord));
        const std::uint32_t place = at->second;
        places.erase(at);
        if (place + 1 < entries.size()) {
            entries[place] = entries.back();
            places.find(KeyPacked::key(entries[place].first))->second = place;
        }
        entries.pop_back();
    }
    Iterator find(TrnCoord coord) const
    {
        const auto at = places.find(KeyPacked::key(coord));
        return at == places.end() ? entries.end()
                                  : entries.begin() + static_cast<std::ptrdiff_t>(at->second);
    }
    Iterator begin() const
    {
        return entries.begin();
    }
    Iterator end() const
    {
        return entries.end();
    }
    std::size_t size() const
    {
        return entries.size();
    }

  private:
    std::vector<Entry> entries;
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> places;
};

/// The table has packed keys; the entries have unpacked coordinates.
struct DenseKey : KeyPacked {
    static TrnCoord key(TrnCoord coord)
    {
        return coord;
    }
    static TrnCoord coord(TrnCoord key)
    {
        return key;
    }
};

} // namespace

extern "C" const Contender contender_dense_map =
    map_contender<Probed<DenseKey, DenseMap>>("dense map, packed keys");
extern "C" const Contender contender_dense_map_filtered =
    map_contender<Filtered<DenseKey, DenseMap>>("dense map, packed keys, filtered");
