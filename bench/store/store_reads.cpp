// Reads voxels along walks that cross the borders of chunks.

#include <algorithm>
#include <utility>

#include "store_parts.hpp"

namespace {

const std::size_t round_count = 8;
const std::size_t scattered_round_count = 64; ///< together more voxels than caches hold
const std::size_t walks_per_round = 32;
const std::size_t walk_length = 128;
const std::int64_t corner_edge = 8; ///< edge of a cube around a corner where chunks meet

/// A line or random walk, as a start and a face for each step; or a list of voxels.
struct Walk {
    TrnVoxel start;
    std::vector<std::uint8_t> faces;
    std::vector<TrnVoxel> scattered;
};

const int step_of[TRN_FACE_COUNT][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                        {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

void step(TrnVoxel &voxel, unsigned face)
{
    voxel.x += step_of[face][0];
    voxel.y += step_of[face][1];
    voxel.z += step_of[face][2];
}

// ---- the walks, over any function that reads a voxel --------------------------------------------

template <class Get> std::uint64_t read_line(const Walk &walk, Get &&get)
{
    std::uint64_t sum = 0;
    TrnVoxel voxel = walk.start;
    const int *const by = step_of[walk.faces[0]];
    const std::int64_t x = by[0], y = by[1], z = by[2];
    for (std::size_t i = 0; i < walk.faces.size(); i++) {
        sum += get(voxel);
        voxel.x += x;
        voxel.y += y;
        voxel.z += z;
    }
    return sum;
}

template <class Get> std::uint64_t read_random(const Walk &walk, Get &&get)
{
    std::uint64_t sum = 0;
    TrnVoxel voxel = walk.start;
    for (const std::uint8_t face : walk.faces) {
        sum += get(voxel);
        step(voxel, face);
    }
    return sum;
}

/// Reads a cube of voxels from the start on, and the six neighbours of each voxel.
template <std::int64_t edge, class Get> std::uint64_t read_stencils(const Walk &walk, Get &&get)
{
    std::uint64_t sum = 0;
    const TrnVoxel low = walk.start;
    for (std::int64_t y = low.y; y < low.y + edge; y++) {
        for (std::int64_t z = low.z; z < low.z + edge; z++) {
            for (std::int64_t x = low.x; x < low.x + edge; x++) {
                sum += get(TrnVoxel{x, y, z});
                sum += get(TrnVoxel{x - 1, y, z});
                sum += get(TrnVoxel{x + 1, y, z});
                sum += get(TrnVoxel{x, y - 1, z});
                sum += get(TrnVoxel{x, y + 1, z});
                sum += get(TrnVoxel{x, y, z - 1});
                sum += get(TrnVoxel{x, y, z + 1});
            }
        }
    }
    return sum;
}

template <class Get> std::uint64_t read_scattered(const Walk &walk, Get &&get)
{
    std::uint64_t sum = 0;
    for (const TrnVoxel &voxel : walk.scattered) {
        sum += get(voxel);
    }
    return sum;
}

enum class WalkKind { lines, random, scattered, chunk_stencils, corner_stencils };

template <class Get> std::uint64_t read_walk(WalkKind kind, const Walk &walk, Get &&get)
{
    switch (kind) {
    case WalkKind::lines:
        return read_line(walk, get);
    case WalkKind::random:
        return read_random(walk, get);
    case WalkKind::scattered:
        return read_scattered(walk, get);
    case WalkKind::chunk_stencils:
        return read_stencils<TRN_CHUNK_EDGE>(walk, get);
    case WalkKind::corner_stencils:
        break;
    }
    return read_stencils<corner_edge>(walk, get);
}

template <class Get>
std::uint64_t read_walks(WalkKind kind, const std::vector<Walk> &walks, Get &&get)
{
    std::uint64_t sum = 0;
    for (const Walk &walk : walks) {
        sum += read_walk(kind, walk, get);
    }
    return sum;
}

// ---- the contenders -----------------------------------------------------------------------------

struct ReadCase {
    Ground ground;
    WalkKind kind;
    std::vector<std::vector<Walk>> rounds;
    std::uint64_t sum = 0;
};

std::uint64_t sum_by_map(const ReadCase &one, const std::vector<Walk> &walks)
{
    PlainCursor cursor(one.ground->plain);
    return read_walks(one.kind, walks,
                      [&cursor](TrnVoxel voxel) { return cursor.get(voxel, TRN_BLOCK_AIR); });
}

std::uint64_t sum_by_cursor(const ReadCase &one, const std::vector<Walk> &walks)
{
    TrnCursor cursor = trn_cursor(one.ground->store());
    return read_walks(one.kind, walks, [&cursor](TrnVoxel voxel) {
        return trn_cursor_get(&cursor, voxel, TRN_BLOCK_AIR);
    });
}

std::uint64_t sum_by_each(const ReadCase &one, const std::vector<Walk> &walks)
{
    const TrnStore *const store = one.ground->store();
    return read_walks(one.kind, walks, [store](TrnVoxel voxel) {
        TrnBlock block = TRN_BLOCK_AIR;
        (void)trn_store_get_block(store, voxel, &block);
        return block;
    });
}

/// Reads each walk with the function that get_of(chunk coordinate) returns for its first chunk.
template <class GetOf>
std::uint64_t sum_folded(const ReadCase &one, const std::vector<Walk> &walks, const GetOf &get_of)
{
    std::uint64_t sum = 0;
    for (const Walk &walk : walks) {
        sum += read_walk(one.kind, walk, get_of(trn_voxel_chunk(walk.start)));
    }
    return sum;
}

/// The same walks, each folded into its first chunk: the cost without crossing borders.
std::uint64_t sum_inside(const ReadCase &one, const std::vector<Walk> &walks)
{
    return sum_folded(one, walks, [&one](TrnCoord coord) {
        const TrnChunk *const chunk = trn_store_find(one.ground->store(), coord);
        return [snapshot = trn_voxels_snapshot(&chunk->voxels)](TrnVoxel voxel) {
            return trn_snapshot_get(snapshot, trn_voxel_local_index(voxel));
        };
    });
}

/// As sum_inside, but takes a snapshot for each voxel, so that it sees later changes as a cursor
/// does.
std::uint64_t sum_inside_now(const ReadCase &one, const std::vector<Walk> &walks)
{
    return sum_folded(one, walks, [&one](TrnCoord coord) {
        return [chunk = trn_store_find(one.ground->store(), coord)](TrnVoxel voxel) {
            return trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels),
                                    trn_voxel_local_index(voxel));
        };
    });
}

/// How many steps a line takes before it leaves the chunk of a voxel.
std::size_t steps_inside(TrnVoxel voxel, unsigned face)
{
    const std::int64_t at[] = {voxel.x, voxel.y, voxel.z}, last = TRN_CHUNK_EDGE - 1;
    const std::int64_t local = at[face / 2] & last;
    return static_cast<std::size_t>(face % 2 ? last - local : local) + 1;
}

/// Reads lines with a snapshot for each chunk and a loop inside the chunk.
std::uint64_t sum_by_loops(const ReadCase &one, const std::vector<Walk> &walks)
{
    std::uint64_t sum = 0;
    for (const Walk &walk : walks) {
        TrnVoxel voxel = walk.start;
        const unsigned face = walk.faces[0];
        const std::int64_t x = step_of[face][0], y = step_of[face][1], z = step_of[face][2];
        for (std::size_t i = 0; i < walk.faces.size();) {
            const std::size_t end = std::min(walk.faces.size(), i + steps_inside(voxel, face));
            const TrnChunk *const chunk =
                trn_store_find(one.ground->store(), trn_voxel_chunk(voxel));
            const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
            for (; i < end; i++) {
                sum += trn_snapshot_get(snapshot, trn_voxel_local_index(voxel));
                voxel.x += x;
                voxel.y += y;
                voxel.z += z;
            }
        }
    }
    return sum;
}

/// The expected sum of sum_inside and sum_inside_now.
std::uint64_t expected_inside(const ReadCase &one, const std::vector<Walk> &walks)
{
    return sum_folded(one, walks, [&one](TrnCoord coord) {
        return [chunk = one.ground->plain.find(coord)](TrnVoxel voxel) {
            return chunk ? chunk->blocks[trn_voxel_local_index(voxel)] : TrnBlock{TRN_BLOCK_AIR};
        };
    });
}

/// The expected sum of whole walks. Looks up the chunk of every voxel.
std::uint64_t expected_across(const ReadCase &one, const std::vector<Walk> &walks)
{
    const PlainWorld &world = one.ground->plain;
    return read_walks(one.kind, walks, [&world](TrnVoxel voxel) {
        const PlainChunk *const chunk = world.find(trn_voxel_chunk(voxel));
        return chunk ? chunk->blocks[trn_voxel_local_index(voxel)] : TrnBlock{TRN_BLOCK_AIR};
    });
}

using ReadFunction = std::uint64_t (*)(const ReadCase &, const std::vector<Walk> &);

bench::Attempt read_attempt(const char *contender, const std::shared_ptr<ReadCase> &one,
                            ReadFunction read, ReadFunction expected)
{
    return bench::timed(
        contender,
        [one, read, round = std::size_t{0}]() mutable {
            one->sum = read(*one, one->rounds[round++ % one->rounds.size()]);
        },
        [one, expected] { return std::exchange(one->sum, 0) == expected(*one, one->rounds[0]); });
}

// ---- scenes -------------------------------------------------------------------------------------

/// A straight line that starts near the surface and stays in loaded chunks.
Walk line_walk(const StoreGround &ground, std::mt19937 &random)
{
    for (;;) {
        const TrnVoxel start = ground.surface(random, 4);
        const auto face = static_cast<unsigned>(random() % TRN_FACE_COUNT);
        TrnVoxel low = start, high = start;
        TrnVoxel &end = face % 2 ? high : low;
        for (std::size_t i = 0; i < walk_length; i++) {
            step(end, face);
        }
        if (trn_store_box_has(ground.store(), low, high, TRN_PLANE_PRESENT)) {
            return {
                start, std::vector<std::uint8_t>(walk_length, static_cast<std::uint8_t>(face)), {}};
        }
    }
}

Walk random_walk(const StoreGround &ground, std::mt19937 &random)
{
    Walk walk = {ground.surface(random, TRN_CHUNK_EDGE), {}, {}};
    for (std::size_t i = 0; i < walk_length; i++) {
        walk.faces.push_back(static_cast<std::uint8_t>(random() % TRN_FACE_COUNT));
    }
    return walk;
}

/// Uniformly random voxels of the view.
Walk scattered_walk(const StoreGround &ground, std::mt19937 &random)
{
    const std::vector<TrnCoord> &chunks = ground.view.chunks;
    const std::uint32_t voxels = TRN_CHUNK_VOXELS;
    const std::int64_t edge = TRN_CHUNK_EDGE;
    Walk walk = {{}, {}, {}};
    for (std::size_t i = 0; i < walks_per_round * walk_length; i++) {
        const TrnVoxel low = trn_coord_voxel(chunks[random() % chunks.size()]);
        const auto place = static_cast<std::int64_t>(random() % voxels);
        walk.scattered.push_back(
            {low.x + place % edge, low.y + place / edge % edge, low.z + place / edge / edge});
    }
    return walk;
}

/// Stencils in a chunk at the surface, or around a corner where eight chunks meet.
Walk stencil_walk(const StoreGround &ground, WalkKind kind, std::mt19937 &random)
{
    TrnVoxel low = trn_coord_voxel(trn_voxel_chunk(ground.surface(random, TRN_CHUNK_EDGE)));
    const std::int64_t back = kind == WalkKind::corner_stencils ? corner_edge / 2 : 0;
    low = {low.x - back, low.y - back, low.z - back};
    return {low, {}, {}};
}

std::vector<Walk> make_walks(const StoreGround &ground, WalkKind kind, std::mt19937 &random)
{
    if (kind == WalkKind::chunk_stencils || kind == WalkKind::corner_stencils) {
        return {stencil_walk(ground, kind, random)};
    }
    if (kind == WalkKind::scattered) {
        return {scattered_walk(ground, random)};
    }
    std::vector<Walk> walks;
    while (walks.size() < walks_per_round) {
        walks.push_back(kind == WalkKind::lines ? line_walk(ground, random)
                                                : random_walk(ground, random));
    }
    return walks;
}

std::size_t reads_of(WalkKind kind)
{
    const std::int64_t edge = kind == WalkKind::corner_stencils ? corner_edge : TRN_CHUNK_EDGE;
    const bool is_stencil = kind == WalkKind::chunk_stencils || kind == WalkKind::corner_stencils;
    return is_stencil ? static_cast<std::size_t>(7 * edge * edge * edge)
                      : walks_per_round * walk_length;
}

bench::Scene make_read_scene(const Ground &ground, WalkKind kind, const char *world)
{
    auto one = std::make_shared<ReadCase>();
    one->ground = ground;
    one->kind = kind;
    std::mt19937 random(store_seed);
    const std::size_t rounds = kind == WalkKind::scattered ? scattered_round_count : round_count;
    for (std::size_t i = 0; i < rounds; i++) {
        one->rounds.push_back(make_walks(*ground, kind, random));
    }
    bench::Scene scene = {store_read, world, "ns", reads_of(kind)};
    scene.attempts = {read_attempt(by_map, one, sum_by_map, expected_across),
                      read_attempt(by_store, one, sum_by_cursor, expected_across)};
    if (kind == WalkKind::lines) {
        scene.attempts.push_back(
            read_attempt("Terrane, a loop for each chunk", one, sum_by_loops, expected_across));
    }
    if (kind != WalkKind::scattered) { // scattered voxels are rarely in the same chunk
        scene.attempts.push_back(read_attempt(by_one_chunk, one, sum_inside, expected_inside));
        scene.attempts.push_back(read_attempt("Terrane, inside one chunk, snapshot for each", one,
                                              sum_inside_now, expected_inside));
    }
    scene.attempts.push_back(
        read_attempt("Terrane, trn_store_get_block", one, sum_by_each, expected_across));
    return scene;
}

} // namespace

std::vector<bench::Scene> make_read_scenes(const Ground &ground)
{
    return {make_read_scene(ground, WalkKind::lines, walk_lines),
            make_read_scene(ground, WalkKind::random, walk_random),
            make_read_scene(ground, WalkKind::scattered, "uniformly at random in the view"),
            make_read_scene(ground, WalkKind::chunk_stencils, walk_stencils),
            make_read_scene(ground, WalkKind::corner_stencils, walk_corners)};
}
