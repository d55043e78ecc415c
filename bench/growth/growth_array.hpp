/// A flat array of pointers to chunks that grows by a given policy. Like TrnSpatialArray, it also
/// grows towards negative coordinates.
#pragma once

#include <cstddef>
#include <cstdint>

#include <terrane/coord.h>

#include "growth_memory.hpp"

/// By how many cells an axis of `extent` cells grows. Called repeatedly until the coordinate lies
/// inside.
using GrowthPolicy = std::int64_t (*)(std::int64_t extent);

std::int64_t grow_double(std::int64_t extent);
std::int64_t grow_by_three_fifths(std::int64_t extent); ///< to 1.6 times the extent, rounded up
std::int64_t grow_by_8(std::int64_t extent);
std::int64_t grow_by_32(std::int64_t extent);
std::int64_t grow_exactly(std::int64_t extent);

/// A box of cells along x, y, z.
struct GrowthExtent {
    std::int64_t origin[3] = {0, 0, 0};
    std::int64_t extent[3] = {0, 0, 0};

    bool contains(TrnCoord coord) const
    {
        return offset(coord.x, 0) < width(0) && offset(coord.y, 1) < width(1) &&
               offset(coord.z, 2) < width(2);
    }
    /// The index of a coordinate inside: x fastest, then z, then y.
    std::size_t cell(TrnCoord coord) const
    {
        return offset(coord.x, 0) + width(0) * (offset(coord.z, 2) + width(2) * offset(coord.y, 1));
    }
    std::size_t cells() const
    {
        return width(0) * width(1) * width(2);
    }
    /// Grows by the policy until the coordinate lies inside.
    void widen(TrnCoord coord, GrowthPolicy policy);

  private:
    std::size_t offset(std::int64_t at, int axis) const
    {
        return static_cast<std::size_t>(at - origin[axis]); // wraps below the origin: outside
    }
    std::size_t width(int axis) const
    {
        return static_cast<std::size_t>(extent[axis]);
    }
};

/// The array. A cell holds the address of a chunk's coordinate, or NULL.
class GrowthArray {
  public:
    GrowthArray(GrowthPolicy growth_policy, const TrnAllocator &from)
        : policy(growth_policy), allocator(from)
    {
    }
    ~GrowthArray();
    GrowthArray(const GrowthArray &) = delete;
    GrowthArray &operator=(const GrowthArray &) = delete;

    /// Running out of memory throws std::bad_alloc.
    void put(const TrnCoord *chunk)
    {
        if (!box.contains(*chunk)) {
            grow(*chunk);
        }
        const TrnCoord *&cell = cells[box.cell(*chunk)];
        present += cell == nullptr;
        cell = chunk;
    }
    void take(TrnCoord coord)
    {
        if (box.contains(coord)) {
            const TrnCoord *&cell = cells[box.cell(coord)];
            present -= cell != nullptr;
            cell = nullptr;
        }
    }
    const TrnCoord *find(TrnCoord coord) const
    {
        return box.contains(coord) ? cells[box.cell(coord)] : nullptr;
    }
    std::size_t count() const
    {
        return present;
    }
    std::uint32_t growths() const
    {
        return growth_count;
    }
    const GrowthExtent &extent() const
    {
        return box;
    }

  private:
    void grow(TrnCoord coord);
    void free_cells();

    GrowthPolicy policy;
    TrnAllocator allocator;
    GrowthExtent box;
    const TrnCoord **cells = nullptr;
    std::size_t present = 0;
    std::uint32_t growth_count = 0;
};
