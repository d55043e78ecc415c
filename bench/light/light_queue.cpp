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

/// Calls a function with the voxels that share a face with one.
template <class Each> inline void LightQueue::for_each_beside(std::size_t at, const Each &each)
{
    const std::size_t x = at % step_z, z = at / step_z % light_depth, y = at / step_y;
    if (x > 0) {
        each(at - 1);
    }
    if (x + 1 < step_z) {
        each(at + 1);
    }
    if (z > 0) {
        each(at - step_z);
    }
    if (z + 1 < light_depth) {
        each(at + step_z);
    }
    if (y > 0) {
        each(at - step_y);
    }
    if (y + 1 < light_height) {
        each(at + step_y);
    }
}

void LightQueue::spread()
{
    while (count > 0) {
        const std::size_t at = queue[first];
        first = (first + 1) % queue_words;
        count--;
        const std::uint8_t level = static_cast<std::uint8_t>(levels[at] - 1);
        if (level > 0) {
            for_each_beside(at, [&](std::size_t beside) { visit(beside, level); });
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

/// Darkens a voxel that a darkened one of a level may have lit; another one lights that again.
inline void LightQueue::darken(std::size_t at, std::uint8_t level)
{
    const std::uint8_t own = levels[at];
    if (own != 0 && own < level) {
        levels[at] = 0;
        removed.push_back({static_cast<std::uint32_t>(at), own});
    } else if (own >= level) {
        brighter.push_back(static_cast<std::uint32_t>(at));
    }
}

void LightQueue::remove(LightSource source)
{
    removed.assign(1, {source.at, levels[source.at]});
    brighter.clear();
    levels[source.at] = 0;
    for (std::size_t i = 0; i < removed.size(); i++) {
        const LightSource own = removed[i];
        for_each_beside(own.at, [&](std::size_t beside) { darken(beside, own.level); });
    }
    for (const LightSource &other : region.sources) { // those that were darkened
        if (levels[other.at] < other.level) {
            start(other.at, other.level);
        }
    }
    for (const std::uint32_t at : brighter) {
        if (levels[at] > 0) {
            start(at, levels[at]);
        }
    }
    spread();
}
