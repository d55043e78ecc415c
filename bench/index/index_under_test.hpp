/// Terrane's chunk index as topic `index` measures it: coordinates to 32-bit values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <terrane/chunk_index.h>

#include "owned.hpp"

inline TrnCoord moved(TrnCoord coord, int dx)
{
    return TrnCoord{coord.x + dx, coord.y, coord.z};
}

std::vector<TrnCoord> moved(std::vector<TrnCoord> chunks, int dx);

/// The sum of value + 1, to which TRN_CHUNK_VALUE_NONE adds nothing.
std::uint64_t sum_of(const std::vector<std::uint32_t> &values);

/// All that is timed happens inside. Running out of memory throws std::bad_alloc.
class IndexUnderTest {
  public:
    /// @param planes     how many planes in addition to TRN_PLANE_PRESENT; find_ready needs one and
    ///                   fills the last
    /// @param allocator  of the index; may be NULL
    explicit IndexUnderTest(std::uint32_t planes = 0, const TrnAllocator *allocator = nullptr);

    void insert(TrnCoord coord, std::uint32_t value);
    /// Inserts chunks, whose values are their numbers in the list.
    void insert_numbered(const std::vector<TrnCoord> &chunks);
    /// Inserts chunks with the value 0, as step() does.
    void insert_zeroes(const std::vector<TrnCoord> &chunks);
    std::size_t count() const;
    void remove(TrnCoord coord);
    /// Whether it holds these chunks, each with the value 0, and nothing else.
    bool holds_just(const std::vector<TrnCoord> &chunks) const;

    /// Gathers a box into a list of its own. @return how many there are
    std::size_t gather(TrnBox box);
    /// What the last gather found.
    std::vector<std::uint32_t> gathered() const;
    /// The sum of value + 1 over the chunks of a list that are there.
    std::uint64_t sum_found(const std::vector<TrnCoord> &chunks) const;
    /// The same over the six neighbours of each.
    std::uint64_t sum_neighbours(const std::vector<TrnCoord> &chunks) const;
    /// Finds which chunks have all six neighbours.
    void find_ready();
    /// How many those were.
    std::size_t ready_count() const;
    /// One step of a world that follows its viewer: chunks come, others go, all moved by `dx` along
    /// x. The values of those that come are 0.
    void step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go, int dx);

    /// Copies what the last gather found. @param list  at least as long
    void copy_gathered(std::vector<std::uint32_t> &list) const;
    /// Gathers the chunks of a box whose bit in `plane` is set.
    std::size_t gather_plane(TrnBox box, TrnPlane plane);
    /// Gathers the addresses of the slots that the chunks' values stand for. @param list  receives
    /// them; at least as long as they are many
    std::size_t gather_pointers(TrnBox box, const TrnPool *pool, std::vector<void *> &list) const;
    /// Gathers all neighbours of the chunks in a box at once.
    std::size_t gather_neighbours(TrnBox box);
    /// What sum_neighbours would say of the chunks whose neighbours were gathered last.
    std::uint64_t sum_of_gathered_neighbours() const;
    /// As sum_found, inside read sections of 1,000 finds each.
    std::uint64_t sum_found_in_sections(const std::vector<TrnCoord> &chunks) const;

    TrnChunkIndex *get() const
    {
        return index.get();
    }

  private:
    void make_room();
    Owned<TrnChunkIndex, trn_chunk_index_destroy> index;
    TrnChunkReader *reader = nullptr;
    TrnPlane last_plane;
    std::vector<std::uint32_t> out, neighbours;
    std::size_t found = 0;
};
