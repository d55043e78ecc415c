/// Terrane's chunk index as topic `index` measures it: coordinates to 32-bit values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <terrane/chunk_index.h>
#include <terrane/chunk_pages.h>

#include "owned.hpp"

inline TrnCoord moved(TrnCoord coord, int dx)
{
    return TrnCoord{coord.x + dx, coord.y, coord.z};
}

std::vector<TrnCoord> moved(std::vector<TrnCoord> chunks, int dx);

/// The sum of value + 1, to which TRN_CHUNK_VALUE_NONE adds nothing.
std::uint64_t sum_of(const std::vector<std::uint32_t> &values);

/// An index. The timed work is inside its functions. They throw std::bad_alloc if memory runs out.
class IndexUnderTest {
  public:
    /// @param planes     how many planes in addition to TRN_PLANE_PRESENT; find_ready needs one and
    ///                   fills the last
    /// @param allocator  of the index; may be NULL
    explicit IndexUnderTest(std::uint32_t planes = 0, const TrnAllocator *allocator = nullptr);

    void insert(TrnCoord coord, std::uint32_t value);
    /// Inserts chunks; a chunk's value is its place in the list.
    void insert_numbered(const std::vector<TrnCoord> &chunks);
    /// Inserts chunks with the value 0, as step() does.
    void insert_zeroes(const std::vector<TrnCoord> &chunks);
    std::size_t count() const;
    void remove(TrnCoord coord);
    /// Whether the index holds exactly these chunks, each with the value 0.
    bool holds_just(const std::vector<TrnCoord> &chunks) const;

    /// Gathers a box into the list of this object. @return how many chunks
    std::size_t gather(TrnBox box);
    /// The values that the last gather found.
    std::vector<std::uint32_t> gathered() const;
    /// The sum of value + 1 over those chunks of a list that the index holds.
    std::uint64_t sum_found(const std::vector<TrnCoord> &chunks) const;
    /// The sum of value + 1 over the six neighbours of each chunk.
    std::uint64_t sum_neighbours(const std::vector<TrnCoord> &chunks) const;
    /// Finds which chunks have all six neighbours.
    void find_ready();
    /// How many chunks find_ready() found.
    std::size_t ready_count() const;
    /// One step of a world that follows its viewer: inserts `come` with value 0 and removes `go`,
    /// all moved by `dx` along x.
    void step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go, int dx);

    /// Copies the values that the last gather found. @param list at least as long as they are
    void copy_gathered(std::vector<std::uint32_t> &list) const;
    /// Gathers the chunks of a box whose bit in `plane` is set.
    std::size_t gather_plane(TrnBox box, TrnPlane plane);
    /// Gathers addresses of slots of a pool; the chunks' values are the slot numbers. @param list
    /// receives the addresses; must be long enough
    std::size_t gather_pointers(TrnBox box, const TrnPool *pool, std::vector<void *> &list) const;
    /// Gathers all neighbours of the chunks in a box at once.
    std::size_t gather_neighbours(TrnBox box);
    /// As sum_neighbours, for the chunks of the last gather_neighbours().
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
