// Spheres dug into the land, undone and redone.

#include <algorithm>
#include <cmath>
#include <utility>

#include "store_parts.hpp"

namespace {

const char *const by_map_list = "std::unordered_map, list of old blocks";

const std::size_t sphere_places = 8; ///< a sample is one call at each place

struct SphereCase {
    Ground ground;
    int radius;
    std::vector<TrnVoxel> centres;
    std::size_t next = 0;

    TrnVoxel turn()
    {
        return centres[next++ % centres.size()];
    }
    TrnBox box(TrnVoxel centre) const
    {
        return chunks_of(centre, radius);
    }
};

// ---- plain arrays -------------------------------------------------------------------------------

/// Half the length of each row of a sphere; negative if the sphere does not reach the row. Computed
/// once, as in a game that digs many spheres.
struct HalfRows {
    explicit HalfRows(int of) : radius(of)
    {
        for (int y = -radius; y <= radius; y++) {
            for (int z = -radius; z <= radius; z++) {
                const int rest = radius * radius - y * y - z * z;
                halves.push_back(rest < 0 ? -1 : static_cast<int>(std::sqrt(rest)));
            }
        }
    }
    int at(int y, int z) const
    {
        const int place = (y + radius) * (2 * radius + 1) + z + radius;
        return halves[static_cast<std::size_t>(place)];
    }
    int radius;
    std::vector<int> halves;
};

/// The centre of a sphere, relative to a chunk's lowest voxel.
struct LocalCentre {
    int x, y, z;
};

/// Calls work(first block, count) for every row of a sphere in one chunk.
template <class Work>
void for_rows_of_chunk(PlainChunk &chunk, LocalCentre centre, const HalfRows &rows,
                       const Work &work)
{
    const int edge = TRN_CHUNK_EDGE, radius = rows.radius;
    for (int y = std::max(0, centre.y - radius); y <= std::min(edge - 1, centre.y + radius); y++) {
        for (int z = std::max(0, centre.z - radius); z <= std::min(edge - 1, centre.z + radius);
             z++) {
            const int half = rows.at(y - centre.y, z - centre.z);
            const int from = std::max(0, centre.x - half);
            const int to = std::min(edge - 1, centre.x + half);
            if (half >= 0 && from <= to) {
                work(&chunk.blocks[(y * edge + z) * edge + from], to - from + 1);
            }
        }
    }
}

template <class Work>
void for_rows(PlainWorld &world, TrnVoxel centre, const HalfRows &rows, const Work &work)
{
    for_chunks(chunks_of(centre, rows.radius), [&](TrnCoord coord) {
        const TrnVoxel low = trn_coord_voxel(coord);
        const LocalCentre local = {static_cast<int>(centre.x - low.x),
                                   static_cast<int>(centre.y - low.y),
                                   static_cast<int>(centre.z - low.z)};
        if (PlainChunk *const chunk = world.find(coord)) {
            for_rows_of_chunk(*chunk, local, rows, work);
        }
    });
}

/// A changed voxel of a plain world. In most games, undo is a list of these.
struct PlainNote {
    TrnBlock *at;
    TrnBlock before, after;
};
using PlainNotes = std::vector<PlainNote>;

void dig_plain(PlainWorld &world, TrnVoxel centre, const HalfRows &rows)
{
    for_rows(world, centre, rows,
             [](TrnBlock *first, int count) { std::fill_n(first, count, TRN_BLOCK_AIR); });
}

void dig_plain_noted(PlainWorld &world, TrnVoxel centre, const HalfRows &rows, PlainNotes &notes)
{
    notes.clear();
    for_rows(world, centre, rows, [&notes](TrnBlock *first, int count) {
        for (int i = 0; i < count; i++) {
            if (first[i] != TRN_BLOCK_AIR) {
                notes.push_back({&first[i], first[i], TRN_BLOCK_AIR});
                first[i] = TRN_BLOCK_AIR;
            }
        }
    });
}

void undo_plain(const PlainNotes &notes)
{
    for (const PlainNote &note : notes) {
        *note.at = note.before;
    }
}

void redo_plain(const PlainNotes &notes)
{
    for (const PlainNote &note : notes) {
        *note.at = note.after;
    }
}

/// A hash of the voxels of a box's chunks.
std::uint64_t plain_hash(const PlainWorld &world, TrnBox box)
{
    std::uint64_t hash = 0;
    for_chunks(box, [&](TrnCoord coord) {
        const PlainChunk *const chunk = world.find(coord);
        for (std::size_t i = 0; chunk && i < plain_voxels; i++) {
            hash = (hash ^ chunk->blocks[i]) * 0x9E3779B97F4A7C15u;
        }
    });
    return hash;
}

/// Checks voxel by voxel that a sphere was dug.
bool is_dug(const PlainWorld &world, TrnVoxel centre, std::int64_t radius)
{
    PlainCursor cursor(world);
    bool is_right = true;
    for_cube(-radius, radius, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        const bool is_inside = x * x + y * y + z * z <= radius * radius;
        const TrnVoxel voxel = {centre.x + x, centre.y + y, centre.z + z};
        is_right = is_right && (!is_inside || cursor.get(voxel, TRN_BLOCK_STONE) == 0);
    });
    return is_right;
}

// ---- the contenders -----------------------------------------------------------------------------

TrnBatchOutcome dig_store(const StoreGround &ground, TrnVoxel centre, int radius,
                          TrnHistory *history)
{
    TrnBatchDef def = trn_batch_def();
    def.history = history;
    TrnBatch *batch = nullptr;
    TrnBatchOutcome outcome = {};
    require(trn_batch_begin(ground.store(), &def, &batch));
    (void)trn_batch_fill_sphere(batch, centre, radius, TRN_BLOCK_AIR);
    require(trn_batch_commit(batch, &outcome)); // also returns errors of the sphere
    return outcome;
}

using Shared = std::shared_ptr<SphereCase>;

/// Digs in the plain world and undoes it. @return whether the sphere was dug and then restored
bool plain_is_right(SphereCase &one, const HalfRows &rows, PlainNotes &notes)
{
    StoreGround &ground = *one.ground;
    const TrnVoxel centre = one.turn();
    const std::uint64_t before = plain_hash(ground.plain, one.box(centre));
    dig_plain_noted(ground.plain, centre, rows, notes);
    const bool was_dug = is_dug(ground.plain, centre, one.radius);
    undo_plain(notes);
    return was_dug && plain_hash(ground.plain, one.box(centre)) == before;
}

/// A step of a plain attempt: dig, undo or redo.
using PlainStep = void (*)(PlainWorld &, TrnVoxel centre, const HalfRows &, PlainNotes &);

/// A plain attempt. `prepare` is not timed. After the timed step, the land is restored.
bench::Attempt plain_attempt(const char *contender, const Shared &one, PlainStep prepare,
                             PlainStep work)
{
    const auto rows = std::make_shared<HalfRows>(one->radius);
    const auto notes = std::make_shared<PlainNotes>();
    bench::Attempt attempt = bench::measured(
        contender,
        [one, rows, notes, prepare, work] {
            PlainWorld &world = one->ground->plain;
            const TrnVoxel centre = one->turn();
            dig_plain_noted(world, centre, *rows,
                            *notes); // fills the notes
            prepare(world, centre, *rows, *notes);
            const double ns = ns_of([&] { work(world, centre, *rows, *notes); });
            undo_plain(*notes);
            return ns;
        },
        [one, rows, notes] { return plain_is_right(*one, *rows, *notes); });
    attempt.calls = sphere_places;
    return attempt;
}

/// Digs, undoes and redoes in the store, comparing with the plain world each time.
bool store_is_right(SphereCase &one, TrnHistory *history, const HalfRows &rows)
{
    StoreGround &ground = *one.ground;
    const TrnVoxel centre = one.turn();
    const TrnBox box = one.box(centre);
    PlainNotes notes;
    StoreEar ear;
    TrnBatchOutcome outcome;
    const bool was_right = ground.is_same(box);
    {
        const Listening listening(ground.store(), &ear);
        outcome = dig_store(ground, centre, one.radius, history);
    }
    dig_plain_noted(ground.plain, centre, rows, notes);
    bool is_right = was_right && ground.is_same(box) && ear.chunks == outcome.changed_chunks &&
                    ear.events == 1 && (!history || outcome.changed_voxels == notes.size());
    if (history) {
        require(trn_history_undo(history, nullptr));
        undo_plain(notes);
        is_right = is_right && ground.is_same(box);
        require(trn_history_redo(history, nullptr));
        redo_plain(notes);
        is_right = is_right && ground.is_same(box);
        require(trn_history_undo(history, nullptr));
    }
    undo_plain(notes);
    ground.restore(box);
    return is_right && ground.is_same(box);
}

/// The step that is timed.
enum class Stage { dig, undo, redo };

/// Times one stage, then restores the land.
double measure_stage(SphereCase &one, TrnHistory *history, Stage stage)
{
    const StoreGround &ground = *one.ground;
    const TrnVoxel centre = one.turn();
    const double dig = ns_of([&] { dig_store(ground, centre, one.radius, history); });
    if (!history) {
        ground.restore(one.box(centre));
        return dig;
    }
    const double undo = ns_of([&] { require(trn_history_undo(history, nullptr)); });
    if (stage != Stage::redo) {
        return stage == Stage::dig ? dig : undo;
    }
    const double redo = ns_of([&] { require(trn_history_redo(history, nullptr)); });
    require(trn_history_undo(history, nullptr));
    return redo;
}

bench::Attempt store_attempt(const char *contender, const Shared &one, Stage stage)
{
    const bool has_listener = contender == by_listener || contender == by_both;
    const bool has_history = stage != Stage::dig || contender == by_history || contender == by_both;
    const auto history = has_history ? make_history(one->ground) : nullptr;
    const auto ear = has_listener ? std::make_shared<StoreEar>() : nullptr;
    bench::Attempt attempt = bench::measured(
        contender,
        [one, history, ear, stage] {
            const Listening listening(one->ground->store(), ear.get());
            return measure_stage(*one, history.get(), stage);
        },
        [one, history, ear] {
            return store_is_right(*one, history.get(), HalfRows(one->radius)) &&
                   (!ear || ear->events > 0);
        });
    attempt.calls = sphere_places;
    return attempt;
}

// ---- scenes -------------------------------------------------------------------------------------

Shared make_sphere_case(const Ground &ground, int radius)
{
    auto one = std::make_shared<SphereCase>();
    one->ground = ground;
    one->radius = radius;
    std::mt19937 random(store_seed);
    for (std::size_t i = 0; i < sphere_places; i++) {
        one->centres.push_back(ground->surface(random, radius));
    }
    return one;
}

bench::Scene sphere_scene(const char *question, const Shared &one,
                          std::vector<bench::Attempt> attempts)
{
    bench::Scene scene = {question, "radius " + std::to_string(one->radius), "us"};
    scene.attempts = std::move(attempts);
    return scene;
}

const PlainStep dig = [](PlainWorld &world, TrnVoxel centre, const HalfRows &rows, PlainNotes &) {
    dig_plain(world, centre, rows);
};
const PlainStep nothing = [](PlainWorld &, TrnVoxel, const HalfRows &, PlainNotes &) {};
const PlainStep undo = [](PlainWorld &, TrnVoxel, const HalfRows &, PlainNotes &notes) {
    undo_plain(notes);
};
const PlainStep redo = [](PlainWorld &, TrnVoxel, const HalfRows &, PlainNotes &notes) {
    redo_plain(notes);
};

} // namespace

std::vector<bench::Scene> make_sphere_scenes(const Ground &ground)
{
    std::vector<bench::Scene> scenes;
    for (const int radius : {4, 16, 32}) {
        const Shared one = make_sphere_case(ground, radius);
        std::vector<bench::Attempt> digs = {plain_attempt(by_map, one, undo, dig),
                                            plain_attempt(by_map_list, one, undo, dig_plain_noted)};
        for (const char *const contender : {by_store, by_listener, by_history, by_both}) {
            digs.push_back(store_attempt(contender, one, Stage::dig));
        }
        scenes.push_back(sphere_scene(store_sphere, one, std::move(digs)));
        scenes.push_back(sphere_scene(store_undo, one,
                                      {plain_attempt(by_map_list, one, nothing, undo),
                                       store_attempt(by_store, one, Stage::undo)}));
        scenes.push_back(sphere_scene(store_redo, one,
                                      {plain_attempt(by_map_list, one, undo, redo),
                                       store_attempt(by_store, one, Stage::redo)}));
    }
    return scenes;
}
