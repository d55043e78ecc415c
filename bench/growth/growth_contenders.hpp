/// Containers whose growth topic `growth` times: the bench's own array with one policy each,
/// TrnSpatialArray and TrnChunkIndex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <terrane/coord.h>

#include "growth_array.hpp"
#include "growth_memory.hpp"
#include "growth_worlds.hpp"

/// Inserts that took a quarter of a microsecond or longer: their numbers within a world, in rising
/// order, and their nanoseconds.
using SlowInserts = std::vector<std::pair<std::uint32_t, double>>;

/// How a container lies in memory at a moment.
struct GrowthShape {
    std::uint32_t growths = 0;   ///< how often an array has taken another shape
    std::size_t grown_cells = 0; ///< of that array; the index's is one of pages
    std::size_t chunk_cells = 0; ///< cells that hold a chunk or none
    std::size_t chunks = 0;
};

/// Fresh and empty when made. All that is timed happens inside, so that calling it through a
/// virtual function is no disadvantage to any.
class GrowthContender {
  public:
    virtual ~GrowthContender() = default;

    /// What the container does with the chunks of a batch. Running out of memory throws
    /// std::bad_alloc.
    /// @param chunks  [count]; live longer than the container, which may keep their addresses
    virtual void come(const TrnCoord *chunks, std::size_t count) = 0;
    virtual void go(const TrnCoord *chunks, std::size_t count) = 0;
    /// As come(), with a look at the clock after each chunk.
    /// @param number  of the first; counted on
    virtual void come_by_the_clock(const TrnCoord *chunks, std::size_t count, std::uint32_t &number,
                                   SlowInserts &slow) = 0;
    virtual bool holds(TrnCoord chunk) const = 0;
    /// Cost: the index counts its pages.
    virtual GrowthShape shape() const = 0;
};

/// What can be made. The array of a policy is the bench's own.
struct GrowthKind {
    const char *name;
    GrowthPolicy policy; ///< of the array; NULL: one that this bench does not decide about
    bool is_index;       ///< TrnChunkIndex
    bool is_baseline = false;
};

const std::vector<GrowthKind> &growth_kinds();

/// @param world   lives longer than the container
/// @param memory  likewise
std::unique_ptr<GrowthContender>
make_growth_contender(const GrowthKind &kind, const GrowthWorld &world, GrowthMemory &memory);
