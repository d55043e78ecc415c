// A map whose entries lie one after the other in an array, and a table of places by key: what
// ankerl::unordered_dense and tsl::ordered_map are. Neither is in Debian 12 or always installed, so
// it is built here of boost::unordered_flat_map and std::vector. Walking all entries is as fast as
// it can be with pairs of key and pointer.

#include "builtin.h"
#include "maps.hpp"

#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace {

/// As much of a map as a contender needs.
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
    /// The last entry takes the place of the one that goes.
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

/// Packed keys in the table, whole coordinates with the entries.
struct DenseMapFiltered : KeyPacked {
    using Map = DenseMap;
    static TrnCoord key(TrnCoord coord)
    {
        return coord;
    }
    static TrnCoord coord(TrnCoord key)
    {
        return key;
    }
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_filtering<DenseMapFiltered>(map, box, frustum, list);
    }
};

} // namespace

extern "C" const Contender contender_dense_map =
    map_contender<DenseMapFiltered>("dense map, packed keys, filtered");
