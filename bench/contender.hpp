/// Containers of chunks that the topics `index` and `lookup` time against each other: coordinates to 32-bit values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <terrane/coord.h>

/// All that is timed happens inside, so that calling it through a virtual function weighs on nobody.
class Contender {
  public:
    virtual ~Contender() = default;

    /// Running out of memory throws std::bad_alloc.
    virtual void insert(TrnCoord coord, std::uint32_t value) = 0;
    virtual void remove(TrnCoord coord) = 0;
    virtual std::size_t count() const = 0;

    /// Gathers a box, and everything, into a list of the contender's own. @return how many there are
    virtual std::size_t gather(TrnBox box) = 0;
    virtual std::size_t gather_all() = 0;
    /// What the last gather found.
    virtual std::vector<std::uint32_t> gathered() const = 0;

    /// The sum of value + 1 over the chunks of a list that are there.
    virtual std::uint64_t sum_found(const std::vector<TrnCoord> &chunks) const = 0;
    /// The same over the six neighbours of each.
    virtual std::uint64_t sum_neighbours(const std::vector<TrnCoord> &chunks) const = 0;
    /// Finds which chunks of a list, which is all that are there, have all six neighbours.
    virtual void find_ready(const std::vector<TrnCoord> &chunks) = 0;
    /// How many those were.
    virtual std::size_t ready_count() const = 0;
    /// One step of a world that follows its viewer: chunks come, others go, all moved by `dx` along x.
    virtual void step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go,
                      int dx) = 0;
};

inline TrnCoord moved(TrnCoord coord, int dx)
{
    return TrnCoord{coord.x + dx, coord.y, coord.z};
}

/// Whether a contender whose values are all 0 holds a list of chunks moved by `dx` along x, and nothing else.
inline bool holds_just(const Contender &contender, const std::vector<TrnCoord> &chunks, int dx)
{
    std::vector<TrnCoord> there;
    there.reserve(chunks.size());
    for (const TrnCoord &chunk : chunks) {
        there.push_back(moved(chunk, dx));
    }
    return contender.count() == there.size() && contender.sum_found(there) == there.size();
}

/// std::unordered_map behind hash_baseline.h, gathered by probing every coordinate of a box.
std::unique_ptr<Contender> make_unordered_map();

/// boost::unordered_flat_map, each coordinate packed into 21 bits, gathered likewise. NULL where the bench was built without Boost.
std::unique_ptr<Contender> make_flat_map();
bool flat_map_is_built();

/// Says so on standard output when there is no boost::unordered_flat_map to compare with.
void print_what_is_missing();
