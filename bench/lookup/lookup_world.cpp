#include "lookup_world.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace {

/// The most coordinates of one question: more than caches hold, less than a second of work.
const std::size_t asks_max = 1 << 16;

/// True for about three chunks in four.
bool is_visible(const TrnCoord &chunk)
{
    return ((chunk.x + chunk.y) & 1) != 0 || (chunk.z & 3) != 0;
}

/// Whether a part of the chunk's cube lies on the inner side of each plane.
bool reaches_into(const TrnFrustum &frustum, const TrnCoord &chunk)
{
    const double low[3] = {static_cast<double>(std::int64_t{chunk.x} - frustum.origin.x),
                           static_cast<double>(std::int64_t{chunk.y} - frustum.origin.y),
                           static_cast<double>(std::int64_t{chunk.z} - frustum.origin.z)};
    for (std::uint32_t i = 0; i < frustum.count; i++) {
        const double *plane = frustum.planes[i];
        double farthest = plane[3];
        for (int axis = 0; axis < 3; axis++) {
            farthest += plane[axis] * low[axis] + std::max(plane[axis], 0.0);
        }
        if (farthest < 0) {
            return false;
        }
    }
    return true;
}

struct Vector {
    double x, y, z;
};

Vector cross(Vector a, Vector b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Vector unit(Vector v)
{
    const double length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return {v.x / length, v.y / length, v.z / length};
}

Vector mix(Vector a, double s, Vector b, double t)
{
    return {a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
}

void set_plane(double *plane, Vector normal, Vector through)
{
    plane[0] = normal.x;
    plane[1] = normal.y;
    plane[2] = normal.z;
    plane[3] = -(normal.x * through.x + normal.y * through.y + normal.z * through.z);
}

/// The frustum of a camera in the middle of a box. It looks slightly down, with a vertical field of
/// view of 70 degrees at 16:9, as far as the box reaches.
TrnFrustum make_frustum(const TrnBox &box)
{
    const Vector eye = {0.37, 0.61, 0.29}; // inside its chunk
    const Vector ahead = unit({0.83, -0.17, 0.41});
    const Vector right = unit(cross(ahead, {0, 1, 0})), up = cross(right, ahead);
    const double high = std::tan(35.0 * 3.14159265358979 / 180), wide = high * 16 / 9;
    const double far_away = (static_cast<double>(box.max.x) - box.min.x) / 2;
    TrnFrustum frustum = {};
    frustum.origin = {box.min.x + (box.max.x - box.min.x) / 2,
                      box.min.y + (box.max.y - box.min.y) / 2,
                      box.min.z + (box.max.z - box.min.z) / 2};
    set_plane(frustum.planes[0], mix(ahead, wide, right, 1), eye);
    set_plane(frustum.planes[1], mix(ahead, wide, right, -1), eye);
    set_plane(frustum.planes[2], mix(ahead, high, up, 1), eye);
    set_plane(frustum.planes[3], mix(ahead, high, up, -1), eye);
    set_plane(frustum.planes[4], ahead, eye);
    set_plane(frustum.planes[5], mix(ahead, -1, ahead, 0), mix(eye, 1, ahead, far_away));
    frustum.count = 6;
    return frustum;
}

} // namespace

LookupWorld::LookupWorld(World filled, int walk_steps) : world(std::move(filled))
{
    const Shell shell = walk_steps ? world_shell(world) : Shell{};
    make_headers(shell.ahead.size());
    make_asks();
    make_answers();
    if (walk_steps) {
        make_walk(walk_steps, shell);
    }
}

void LookupWorld::make_headers(std::size_t spare)
{
    const std::size_t count = world.chunks.size() + spare;
    slots = std::make_unique<LookupHeaders>(static_cast<std::uint32_t>(count));
    headers = slots->all();
    for (std::size_t i = 0; i < world.chunks.size(); i++) {
        ContenderChunk *header = &headers[i];
        header->coord = world.chunks[i];
        header->is_visible = is_visible(world.chunks[i]);
        chunks.push_back(header);
        entries.push_back({header->coord, header->number, header});
        places.push_back({header->coord, header->number});
    }
    std::sort(places.begin(), places.end(),
              [](const Place &a, const Place &b) { return lies_before(a.coord, b.coord); });
    given = {headers, static_cast<std::uint32_t>(count), box_of(world.chunks), slots->pool(),
             slots->block_pool()};
}

std::uint32_t LookupWorld::number_at(TrnCoord coord) const
{
    const auto at = std::lower_bound(places.begin(), places.end(), coord,
                                     [](const Place &place, const TrnCoord &wanted) {
                                         return lies_before(place.coord, wanted);
                                     });
    return at != places.end() && trn_coord_equal(at->coord, coord) ? at->number
                                                                   : CONTENDER_NUMBER_NONE;
}

/// Chooses hits, misses and the frustum. Misses are up to three chunks away from a chunk of the
/// world, as in games.
void LookupWorld::make_asks()
{
    std::mt19937 random(1);
    hits = world.chunks;
    std::shuffle(hits.begin(), hits.end(), random);
    hits.resize(std::min(hits.size(), asks_max));
    std::uniform_int_distribution<int> aside(-3, 3);
    for (std::size_t i = 0; misses.size() < hits.size() && i < 40 * hits.size(); i++) {
        const TrnCoord near_one = world.chunks[random() % world.chunks.size()];
        const TrnCoord place = trn_coord_add(near_one, aside(random), aside(random), aside(random));
        if (number_at(place) == CONTENDER_NUMBER_NONE) {
            misses.push_back(place);
        }
    }
    frustum = make_frustum(world.box);
}

bool LookupWorld::is_ready(TrnCoord coord) const
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const TrnCoord there = trn_coord_neighbour(coord, static_cast<TrnFace>(face));
        if (number_at(there) == CONTENDER_NUMBER_NONE) {
            return false;
        }
    }
    return true;
}

void LookupWorld::make_answers()
{
    for (const ContenderChunk *chunk : chunks) {
        const bool is_inside = trn_box_contains(world.box, chunk->coord);
        all.push_back(chunk->number);
        if (is_inside) {
            in_box.push_back(chunk->number);
        }
        if (is_inside && reaches_into(frustum, chunk->coord)) {
            in_frustum.push_back(chunk->number);
        }
        if (is_inside && chunk->is_visible) {
            in_box_visible.push_back(chunk->number);
        }
        if (chunk->is_visible) {
            seen.push_back(chunk->coord);
        }
        if (is_ready(chunk->coord)) {
            ready.push_back(chunk->number);
        }
    }
}

/// Computes the steps of the walk. Inserted chunks reuse the headers of removed ones, as in a game
/// with a pool.
void LookupWorld::make_walk(int count, const Shell &shell)
{
    struct Before {
        bool operator()(const TrnCoord &a, const TrnCoord &b) const
        {
            return lies_before(a, b);
        }
    };
    std::map<TrnCoord, std::uint32_t, Before> there;
    for (const ContenderChunk *chunk : chunks) {
        there[chunk->coord] = chunk->number;
    }
    std::vector<std::uint32_t> spare;
    for (auto i = static_cast<std::uint32_t>(chunks.size()); i < given.chunk_count; i++) {
        spare.push_back(i);
    }
    for (int step = 0; step < count; step++) {
        WalkStep made;
        for (const TrnCoord &ahead : shell.ahead) {
            const TrnCoord coord = trn_coord_add(ahead, step, 0, 0);
            there[coord] = spare.back();
            made.come.push_back({coord, spare.back(), &headers[spare.back()]});
            spare.pop_back();
        }
        for (const TrnCoord &behind : shell.behind) {
            const TrnCoord coord = trn_coord_add(behind, step, 0, 0);
            const auto gone = there.find(coord);
            spare.push_back(gone->second);
            made.go.push_back(coord);
            made.go_numbers.push_back(gone->second);
            there.erase(gone);
        }
        steps.push_back(std::move(made));
    }
}
