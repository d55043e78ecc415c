// Spheres dug into the land, undone and done again.

#include <algorithm>
#include <utility>

#include "driver/timing.hpp"
#include "store_scenes.hpp"
#include "store_watch.hpp"

namespace {

const char *const by_map_list = "std::unordered_map, list of old blocks";

const int sphere_radii[] = {4, 16, 32};
const std::size_t sphere_places = 8;
const std::size_t calls_per_figure = 8; ///< one at each place

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

template <typename Work> double ns_of_work(Work work)
{
    const double start = clock_ns(CLOCK_MONOTONIC);
    work();
    return clock_ns(CLOCK_MONOTONIC) - start;
}

// ---- plain arrays ------------------------------------------------------------------------------

/// How far a row of a sphere reaches to both sides of its middle; negative where it does not reach
/// the row.
int half_row(int radius, int y, int z)
{
    const int rest = radius * radius - y * y - z * z;
    int half = rest < 0 ? -1 : 0;
    while (half >= 0 && (half + 1) * (half + 1) <= rest) {
        half++;
    }
    return half;
}

/// The half rows of a sphere, made once: a game that digs spheres all the time would do so.
class HalfRows {
  public:
    explicit HalfRows(int of) : radius(of), edge(2 * of + 1)
    {
        for (int y = -radius; y <= radius; y++) {
            for (int z = -radius; z <= radius; z++) {
                halves.push_back(half_row(radius, y, z));
            }
        }
    }
    int at(int y, int z) const
    {
        const int place = (y + radius) * edge + z + radius;
        return halves[static_cast<std::size_t>(place)];
    }
    int radius;

  private:
    int edge;
    std::vector<int> halves;
};

/// A sphere as one chunk sees it: its centre from the chunk's lowest voxel.
struct LocalCentre {
    int x, y, z;
};

/// Calls work(first block, count) for every row of a sphere in one chunk.
template <typename Work>
void for_rows_of_chunk(PlainChunk &chunk, LocalCentre centre, const HalfRows &rows, Work work)
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

template <typename Work>
void for_rows(PlainWorld &world, TrnVoxel centre, const HalfRows &rows, Work work)
{
    const TrnBox box = chunks_of(centre, rows.radius);
    for (std::int32_t y = box.min.y; y <= box.max.y; y++) {
        for (std::int32_t z = box.min.z; z <= box.max.z; z++) {
            for (std::int32_t x = box.min.x; x <= box.max.x; x++) {
                const TrnVoxel low = trn_coord_voxel({x, y, z});
                const LocalCentre local = {static_cast<int>(centre.x - low.x),
                                           static_cast<int>(centre.y - low.y),
                                           static_cast<int>(centre.z - low.z)};
                if (PlainChunk *const chunk = world.find({x, y, z})) {
                    for_rows_of_chunk(*chunk, local, rows, work);
                }
            }
        }
    }
}

/// A voxel that was changed in a plain world: what most games' undo is made of.
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

/// A hash of what the chunks of a box hold.
std::uint64_t plain_hash(const PlainWorld &world, TrnBox box)
{
    std::uint64_t hash = 0;
    for (std::int32_t y = box.min.y; y <= box.max.y; y++) {
        for (std::int32_t z = box.min.z; z <= box.max.z; z++) {
            for (std::int32_t x = box.min.x; x <= box.max.x; x++) {
                const PlainChunk *const chunk = world.find({x, y, z});
                for (std::size_t i = 0; chunk && i < voxel_count; i++) {
                    hash = (hash ^ chunk->blocks[i]) * 0x9E3779B97F4A7C15u;
                }
            }
        }
    }
    return hash;
}

/// Voxel by voxel, what a dug sphere must look like.
bool is_dug(const PlainWorld &world, TrnVoxel centre, std::int64_t radius)
{
    PlainCursor cursor(world);
    bool is_right = true;
    for (std::int64_t y = -radius; y <= radius; y++) {
        for (std::int64_t z = -radius; z <= radius; z++) {
            for (std::int64_t x = -radius; x <= radius; x++) {
                const bool is_inside = x * x + y * y + z * z <= radius * radius;
                const TrnVoxel voxel = {centre.x + x, centre.y + y, centre.z + z};
                is_right = is_right && (!is_inside || cursor.get(voxel, TRN_BLOCK_STONE) == 0);
            }
        }
    }
    return is_right;
}

// ---- who digs ----------------------------------------------------------------------------------

TrnBatchOutcome dig_store(const StoreGround &ground, TrnVoxel centre, int radius,
                          TrnHistory *history)
{
    TrnBatchDef def = trn_batch_def();
    def.history = history;
    TrnBatch *batch = nullptr;
    TrnBatchOutcome outcome = {};
    store_demand(trn_batch_begin(ground.store(), &def, &batch));
    (void)trn_batch_fill_sphere(batch, centre, radius, TRN_BLOCK_AIR);
    store_demand(trn_batch_commit(batch, &outcome)); // which says how the sphere went, too
    return outcome;
}

using Shared = std::shared_ptr<SphereCase>;

/// Digs in the plain world and puts it all back. What lies between the two calls is compared with
/// the store.
bool plain_is_right(SphereCase &one, const HalfRows &rows, PlainNotes &notes)
{
    StoreGround &ground = *one.ground;
    const TrnVoxel centre = one.turn();
    const std::uint64_t before = plain_hash(ground.plain(), one.box(centre));
    dig_plain_noted(ground.plain(), centre, rows, notes);
    const bool was_dug = is_dug(ground.plain(), centre, one.radius);
    undo_plain(notes);
    return was_dug && plain_hash(ground.plain(), one.box(centre)) == before;
}

/// A plain attempt: `timed` is timed, between `prepare` and `restore`.
template <typename Prepare, typename Timed>
VoxelAttempt plain_attempt(const char *contender, const Shared &one, Prepare prepare, Timed timed)
{
    const auto rows = std::make_shared<HalfRows>(one->radius);
    const auto notes = std::make_shared<PlainNotes>();
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.calls = calls_per_figure;
    attempt.measure = [one, rows, notes, prepare, timed] {
        PlainWorld &world = one->ground->plain();
        const TrnVoxel centre = one->turn();
        dig_plain_noted(world, centre, *rows, *notes); // so that the notes are there
        prepare(*notes);
        const double ns = ns_of_work([&] { timed(world, centre, *rows, *notes); });
        undo_plain(*notes);
        return ns;
    };
    attempt.is_right = [one, rows, notes] { return plain_is_right(*one, *rows, *notes); };
    return attempt;
}

/// Digs, undoes and digs again in the store, comparing with the plain world each time.
bool store_is_right(SphereCase &one, TrnHistory *history, const HalfRows &rows)
{
    StoreGround &ground = *one.ground;
    const TrnVoxel centre = one.turn();
    const TrnBox box = one.box(centre);
    PlainNotes notes;
    StoreEar ear;
    const bool was_right = ground.is_same(box);
    ear.listen(ground.store());
    const TrnBatchOutcome outcome = dig_store(ground, centre, one.radius, history);
    ear.leave(ground.store());
    dig_plain_noted(ground.plain(), centre, rows, notes);
    bool is_right = was_right && ground.is_same(box) && ear.chunks == outcome.changed_chunks &&
                    ear.events == 1 && (!history || outcome.changed_voxels == notes.size());
    if (history) {
        store_demand(trn_history_undo(history, nullptr));
        undo_plain(notes);
        is_right = is_right && ground.is_same(box);
        store_demand(trn_history_redo(history, nullptr));
        redo_plain(notes);
        is_right = is_right && ground.is_same(box);
        store_demand(trn_history_undo(history, nullptr));
    }
    undo_plain(notes);
    ground.restore(box);
    return is_right && ground.is_same(box);
}

/// What of digging, undoing and redoing is timed.
enum class Stage { dig, undo, redo };

/// Leaves the land as it was.
double measure_stage(SphereCase &one, TrnHistory *history, Stage stage)
{
    const StoreGround &ground = *one.ground;
    const TrnVoxel centre = one.turn();
    const double dig = ns_of_work([&] { dig_store(ground, centre, one.radius, history); });
    if (!history) {
        ground.restore(one.box(centre));
        return dig;
    }
    const double undo = ns_of_work([&] { store_demand(trn_history_undo(history, nullptr)); });
    if (stage != Stage::redo) {
        return stage == Stage::dig ? dig : undo;
    }
    const double redo = ns_of_work([&] { store_demand(trn_history_redo(history, nullptr)); });
    store_demand(trn_history_undo(history, nullptr));
    return redo;
}

VoxelAttempt store_attempt(const char *contender, const Shared &one, Stage stage)
{
    const bool has_listener = contender == by_listener || contender == by_both;
    const bool has_history = stage != Stage::dig || contender == by_history || contender == by_both;
    const auto history = has_history ? std::make_shared<BenchHistory>(one->ground) : nullptr;
    const auto ear = std::make_shared<StoreEar>();
    const auto rows = std::make_shared<HalfRows>(one->radius);
    const auto handle = [history] { return history ? history->get() : nullptr; };
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.calls = calls_per_figure;
    attempt.measure = [one, handle, ear, has_listener, stage] {
        if (has_listener) {
            ear->listen(one->ground->store());
        }
        const double ns = measure_stage(*one, handle(), stage);
        if (has_listener) {
            ear->leave(one->ground->store());
        }
        return ns;
    };
    attempt.is_right = [one, handle, rows, ear, has_listener] {
        return store_is_right(*one, handle(), *rows) && (ear->events > 0) == has_listener;
    };
    return attempt;
}

// ---- scenes ------------------------------------------------------------------------------------

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

VoxelScene sphere_scene(const char *question, int radius, std::vector<VoxelAttempt> attempts)
{
    VoxelScene scene;
    scene.question = question;
    scene.world = "radius " + std::to_string(radius);
    scene.attempts = std::move(attempts);
    return scene;
}

VoxelScene make_dig_scene(const Shared &one)
{
    const auto plain = [](PlainWorld &world, TrnVoxel centre, const HalfRows &rows,
                          const PlainNotes &) { dig_plain(world, centre, rows); };
    const auto noted = [](PlainWorld &world, TrnVoxel centre, const HalfRows &rows,
                          PlainNotes &notes) { dig_plain_noted(world, centre, rows, notes); };
    return sphere_scene(
        store_sphere, one->radius,
        {plain_attempt(by_map, one, undo_plain, plain),
         plain_attempt(by_map_list, one, undo_plain, noted),
         store_attempt(by_store, one, Stage::dig), store_attempt(by_listener, one, Stage::dig),
         store_attempt(by_history, one, Stage::dig), store_attempt(by_both, one, Stage::dig)});
}

VoxelScene make_undo_scene(const Shared &one)
{
    const auto dug = [](const PlainNotes &) {};
    const auto undo = [](PlainWorld &, TrnVoxel, const HalfRows &, const PlainNotes &notes) {
        undo_plain(notes);
    };
    return sphere_scene(
        store_undo, one->radius,
        {plain_attempt(by_map_list, one, dug, undo), store_attempt(by_store, one, Stage::undo)});
}

VoxelScene make_redo_scene(const Shared &one)
{
    const auto redo = [](PlainWorld &, TrnVoxel, const HalfRows &, const PlainNotes &notes) {
        redo_plain(notes);
    };
    return sphere_scene(store_redo, one->radius,
                        {plain_attempt(by_map_list, one, undo_plain, redo),
                         store_attempt(by_store, one, Stage::redo)});
}

} // namespace

std::vector<VoxelScene> make_sphere_scenes(const Ground &ground)
{
    std::vector<VoxelScene> scenes;
    for (const int radius : sphere_radii) {
        const Shared one = make_sphere_case(ground, radius);
        scenes.push_back(make_dig_scene(one));
        scenes.push_back(make_undo_scene(one));
        scenes.push_back(make_redo_scene(one));
    }
    return scenes;
}
