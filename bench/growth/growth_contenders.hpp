/// The containers of topic `growth`: the bench's array with each policy, TrnSpatialArray and
/// TrnChunkIndex.
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

/// Inserts that took 250 ns or longer: number of the insert in its world, ascending, and
/// nanoseconds.
using SlowInserts = std::vector<std::pair<std::uint32_t, double>>;

/// The current size of a container's arrays.
struct GrowthShape {
    std::uint32_t growths = 0;   ///< how often the array has been resized
    std::size_t grown_cells = 0; ///< cells of that array; for the index, of its directory
    std::size_t chunk_cells = 0; ///< cells for chunks, including empty ones
    std::size_t chunks = 0;
};

/// A container, empty when created. All timed loops are inside its functions, so a virtual call
/// costs all contenders the same.
class GrowthContender {
  public:
    virtual ~GrowthContender() = default;

    /// Inserts or removes the chunks of a batch. @throws std::bad_alloc if memory runs out
    /// @param chunks  [count]; live longer than the container, which may keep their addresses
    virtual void come(const TrnCoord *chunks, std::size_t count) = 0;
    virtual void go(const TrnCoord *chunks, std::size_t count) = 0;
    /// As come(), but reads the clock after each chunk.
    /// @param number  number of the first insert; advanced by `count`
    virtual void come_by_the_clock(const TrnCoord *chunks, std::size_t count, std::uint32_t &number,
                                   SlowInserts &slow) = 0;
    virtual bool holds(TrnCoord chunk) const = 0;
    /// Cost: the index counts its pages.
    virtual GrowthShape shape() const = 0;
};

/// A kind of container. With a policy, it is the bench's own array.
struct GrowthKind {
    const char *name;
    GrowthPolicy policy; ///< of the bench's array; NULL: a container of the library
    bool is_index;       ///< TrnChunkIndex
    bool is_baseline = false;
};

const std::vector<GrowthKind> &growth_kinds();

/// @param world   lives longer than the container
/// @param memory  lives longer than the container
std::unique_ptr<GrowthContender>
make_growth_contender(const GrowthKind &kind, const GrowthWorld &world, GrowthMemory &memory);
