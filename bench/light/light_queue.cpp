#include "light_queue.hpp"

#include <algorithm>
#include <cstring>

namespace {

const std::size_t queue_words = std::size_t{1} << 22; // a power of two
const std::size_t step_z = light_row, step_y = light_slice;
const std::size_t light_depth = light_slice / light_row, light_height = light_voxels / light_slice;

} // namespace

LightQueue::LightQueue(const LightRegion &lit)
    : levels(light_voxels), region(lit), heights(light_slice), queue(queue_words)
{
    find_heights();
}

void LightQueue::find_heights()
{
    for (std::size_t column = 0; column < heights.size(); column++) {
        int y = light_edge[1];
        while (y > 0 && region.is_clear[column + (static_cast<std::size_t>(y) - 1) * step_y]) {
            y--;
        }
        heights[column] = static_cast<std::int16_t>(y);
    }
}

void LightQueue::start(std::size_t at, std::uint8_t level)
{
    levels[at] = level;
    queue[(first + count++) % queue_words] = static_cast<std::uint32_t>(at);
}

inline void LightQueue::visit(std::size_t at, std::uint8_t level)
{
    if (region.is_clear[at] && levels[at] < level) {
        start(at, level);
    }
}

void LightQueue::spread()
{
    while (count > 0) {
        const std::size_t at = queue[first];
        first = (first + 1) % queue_words;
        count--;
        const std::uint8_t level = static_cast<std::uint8_t>(levels[at] - 1);
        const std::size_t x = at % step_z, z = at / step_z % light_depth, y = at / step_y;
        if (level == 0) {
            continue;
        }
        if (x > 0) {
            visit(at - 1, level);
        }
        if (x + 1 < step_z) {
            visit(at + 1, level);
        }
        if (z > 0) {
            visit(at - step_z, level);
        }
        if (z + 1 < light_depth) {
            visit(at + step_z, level);
        }
        if (y > 0) {
            visit(at - step_y, level);
        }
        if (y + 1 < light_height) {
            visit(at + step_y, level);
        }
    }
}

/// Writes 15 above the ground and 0 elsewhere, in the order of memory.
void LightQueue::fill_sky()
{
    for (std::size_t y = 0; y < light_height; y++) {
        std::uint8_t *slice = levels.data() + y * step_y;
        const std::int16_t lowest = static_cast<std::int16_t>(y);
        for (std::size_t column = 0; column < step_y; column++) {
            slice[column] = heights[column] <= lowest ? 15 : 0;
        }
    }
}

void LightQueue::sky()
{
    fill_sky();
    for (std::size_t column = 0; column < heights.size(); column++) {
        const std::size_t x = column % step_z, z = column / step_z;
        int around = heights[column];
        around = x > 0 ? std::max<int>(around, heights[column - 1]) : around;
        around = x + 1 < step_z ? std::max<int>(around, heights[column + 1]) : around;
        around = z > 0 ? std::max<int>(around, heights[column - step_z]) : around;
        around = z + 1 < light_depth ? std::max<int>(around, heights[column + step_z]) : around;
        for (int y = heights[column]; y < around; y++) {
            start(column + static_cast<std::size_t>(y) * step_y, 15);
        }
    }
    spread();
}

void LightQueue::blocks()
{
    std::memset(levels.data(), 0, levels.size());
    for (const LightSource &source : region.sources) {
        start(source.at, source.level);
    }
    spread();
}

void LightQueue::add(LightSource source)
{
    start(source.at, source.level);
    spread();
}
