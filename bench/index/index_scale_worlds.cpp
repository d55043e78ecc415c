#include "index_scale_worlds.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <terrane/chunk_index.h>
#include <terrane/chunk_pages.h>

#include "base/hash.h"

namespace {

/// The largest coordinate. Leaves space for misses around the box within the 21 bits per axis of
/// packed keys.
const std::int32_t reach = (1 << 20) - 16;

using Random = std::mt19937;

World world_of(const std::string &name, std::vector<TrnCoord> chunks)
{
    return {name, box_of(chunks), std::move(chunks)};
}

TrnCoord random_coord(Random &random, std::int32_t most)
{
    std::uniform_int_distribution<std::int32_t> place(-most, most);
    const std::int32_t x = place(random), y = place(random), z = place(random);
    return {x, y, z};
}

/// A cube of chunks `stride` apart, so that no page holds two. Ordered from the middle outwards, as
/// a view loads them.
World make_lone(int stride, std::size_t count)
{
    const auto edge = static_cast<int>(std::lround(std::cbrt(static_cast<double>(count))));
    std::vector<TrnCoord> chunks;
    for (int y = 0; y < edge; y++) {
        for (int z = 0; z < edge; z++) {
            for (int x = 0; x < edge; x++) {
                chunks.push_back(
                    {(x - edge / 2) * stride, (y - edge / 2) * stride, (z - edge / 2) * stride});
            }
        }
    }
    const auto shell_of = [](const TrnCoord &c) {
        return std::max({std::abs(c.x), std::abs(c.y), std::abs(c.z)});
    };
    std::stable_sort(chunks.begin(), chunks.end(), [&](const TrnCoord &a, const TrnCoord &b) {
        return shell_of(a) < shell_of(b);
    });
    return world_of(lone_world(stride), std::move(chunks));
}

/// Random chunks, far apart. The last is 200 pages from the first.
World make_uniform(const char *name, std::size_t count)
{
    Random random(scale_seed);
    std::vector<TrnCoord> chunks;
    while (chunks.size() + 1 < count) {
        chunks.push_back(random_coord(random, reach));
    }
    TrnCoord &first = chunks.front();
    first.x = std::min(first.x, reach - 200 * TRN_PAGE_EDGE);
    chunks.push_back(trn_coord_add(first, 200 * TRN_PAGE_EDGE, 0, 0));
    // Removes duplicates.
    std::sort(chunks.begin() + 1, chunks.end() - 1, lies_before);
    const auto equal = [](const TrnCoord &a, const TrnCoord &b) { return trn_coord_equal(a, b); };
    chunks.erase(std::unique(chunks.begin() + 1, chunks.end() - 1, equal), chunks.end() - 1);
    std::shuffle(chunks.begin() + 1, chunks.end() - 1, random);
    return world_of(name, std::move(chunks));
}

World make_line(const char *name, std::size_t count, bool is_diagonal)
{
    std::vector<TrnCoord> chunks;
    chunks.reserve(count);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(count); i++) {
        chunks.push_back(is_diagonal ? TrnCoord{i, i, i} : TrnCoord{i, 0, 0});
    }
    return world_of(name, std::move(chunks));
}

/// Balls around a thousand players, one ball after the other.
World make_anchors(int radius)
{
    const int anchors = 1000;
    Random random(scale_seed);
    std::vector<TrnCoord> chunks;
    const World ball = world_ellipsoid("", radius, radius);
    for (int i = 0; i < anchors; i++) {
        const TrnCoord at = random_coord(random, 262144);
        for (const TrnCoord &chunk : ball.chunks) {
            chunks.push_back(trn_coord_add(at, chunk.x, chunk.y, chunk.z));
        }
    }
    return world_of(anchors_world(radius), std::move(chunks));
}

/// Chunks in pages that an attacker chose. Without a secret key, the low 16 bits of their hashes
/// would be equal.
World make_crafted(std::size_t count)
{
    Random random(scale_seed);
    const std::int32_t page_reach = reach >> TRN_PAGE_SHIFT;
    std::vector<TrnCoord> chunks;
    while (chunks.size() < count) {
        TrnCoord page = random_coord(random, page_reach);
        for (page.z = -page_reach; page.z <= page_reach; page.z++) {
            if ((trn_coord_hash(page, 0) & 0xFFFF) == 0) {
                const TrnBox box = trn_page_chunks(page);
                chunks.push_back(box.min);
                break;
            }
        }
    }
    return world_of(world_crafted, std::move(chunks));
}

World make_one_percent(std::size_t count)
{
    const auto edge = static_cast<int>(std::cbrt(static_cast<double>(count) * 100));
    return world_filled(world_one_percent, edge / 2, 0.01, 0, scale_seed);
}

} // namespace

std::string lone_world(int stride)
{
    return "lone chunks, stride " + std::to_string(stride);
}

std::string anchors_world(int radius)
{
    return "1,000 anchors, radius " + std::to_string(radius);
}

std::vector<ScalePlan> scale_plans(Scale scale)
{
    const std::size_t count = scale == Scale::full    ? 1000000
                              : scale == Scale::quick ? 100000
                                                      : 4096;
    const std::size_t crafted = scale == Scale::full ? 10000 : 2000;
    std::vector<ScalePlan> plans;
    for (const int radius : {8, 16, 32, 64}) {
        const std::string name = "ball R=" + std::to_string(radius);
        plans.push_back(
            {name, [=] { return world_ellipsoid(name, radius, radius); }, true, radius == 64});
    }
    plans.push_back({"two islands, all axes", [] {
                         const World islands = world_islands("", 16, {1000000, 1000000, 1000000});
                         return world_of("two islands, all axes", islands.chunks);
                     }});
    for (const int radius : {3, 12}) {
        plans.push_back(
            {anchors_world(radius), [=] { return make_anchors(radius); }, false, radius == 12});
    }
    plans.push_back({world_crafted, [=] { return make_crafted(crafted); }});
    plans.push_back({world_uncrafted, [=] { return make_uniform(world_uncrafted, crafted); }});
    plans.push_back({world_one_percent, [=] { return make_one_percent(count); }, true});
    plans.push_back({world_line, [=] { return make_line(world_line, count, false); }});
    plans.push_back({world_diagonal, [=] { return make_line(world_diagonal, count, true); }});
    for (const int stride : lone_strides) {
        plans.push_back({lone_world(stride), [=] { return make_lone(stride, count); }, false,
                         stride != 8 && stride != 1024});
    }
    plans.push_back({world_uniform, [=] { return make_uniform(world_uniform, count); }});
    return plans;
}
