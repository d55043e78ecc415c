#include "growth_array.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace {

const std::size_t cell_bytes = sizeof(void *);

} // namespace

std::int64_t grow_double(std::int64_t extent)
{
    return extent;
}

std::int64_t grow_by_three_fifths(std::int64_t extent)
{
    return (extent * 3 + 4) / 5;
}

std::int64_t grow_by_8(std::int64_t)
{
    return 8;
}

std::int64_t grow_by_32(std::int64_t)
{
    return 32;
}

std::int64_t grow_exactly(std::int64_t)
{
    return 1;
}

void GrowthExtent::widen(TrnCoord coord, GrowthPolicy policy)
{
    const std::int64_t at[3] = {coord.x, coord.y, coord.z};
    for (int axis = 0; axis < 3; axis++) {
        if (extent[axis] == 0) {
            origin[axis] = at[axis];
            extent[axis] = 1;
        }
        while (at[axis] >= origin[axis] + extent[axis]) {
            extent[axis] += policy(extent[axis]);
        }
        while (at[axis] < origin[axis]) {
            const std::int64_t more = policy(extent[axis]);
            origin[axis] -= more;
            extent[axis] += more;
        }
    }
}

GrowthArray::~GrowthArray()
{
    free_cells();
}

void GrowthArray::free_cells()
{
    if (cells) {
        allocator.free(cells, box.cells() * cell_bytes, allocator.user);
    }
}

void GrowthArray::grow(TrnCoord coord)
{
    GrowthExtent wider = box;
    wider.widen(coord, policy);
    const std::size_t bytes = wider.cells() * cell_bytes;
    auto *made = static_cast<const TrnCoord **>(allocator.alloc(bytes, 64, allocator.user));
    if (!made) {
        throw std::bad_alloc();
    }
    std::fill_n(made, wider.cells(), nullptr);
    const std::size_t row_bytes = static_cast<std::size_t>(box.extent[0]) * cell_bytes;
    // The new box contains the old one, so whole rows are copied.
    for (std::int64_t y = box.origin[1]; cells && y < box.origin[1] + box.extent[1]; y++) {
        for (std::int64_t z = box.origin[2]; z < box.origin[2] + box.extent[2]; z++) {
            const TrnCoord row = {static_cast<std::int32_t>(box.origin[0]),
                                  static_cast<std::int32_t>(y), static_cast<std::int32_t>(z)};
            std::memcpy(made + wider.cell(row), cells + box.cell(row), row_bytes);
        }
    }
    free_cells();
    cells = made;
    box = wider;
    growth_count++;
}
