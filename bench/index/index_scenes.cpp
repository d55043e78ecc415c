#include "index_scenes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <numeric>
#include <random>

#include <terrane/pool.h>

#include "index/kernel_choice.h"
#include "lookup/lookup_world.hpp"

namespace {

const TrnPlane plane_visible = 1;
const std::uint32_t plane_count = 2; // visible, ready
const int churn_steps = 32;

struct DestroyPool {
    void operator()(TrnPool *pool) const
    {
        trn_pool_destroy(pool);
    }
};
using Pool = std::unique_ptr<TrnPool, DestroyPool>;

/// A pool with the slots 0 .. count - 1 taken, in blocks of memory that come as they are needed.
Pool make_pool(std::size_t count)
{
    const TrnPoolDef def = trn_pool_def(sizeof(ContenderChunk));
    TrnPool *made = nullptr;
    if (trn_pool_create(&def, &made) != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
    Pool pool(made);
    for (std::size_t i = 0; i < count; i++) {
        void *slot;
        if (trn_pool_alloc(made, nullptr, &slot) != TRN_RESULT_OK) {
            throw std::bad_alloc();
        }
    }
    return pool;
}

/// A number for a set of values, whatever their order.
std::uint64_t digest(const std::vector<std::uint32_t> &values)
{
    std::uint64_t sum = values.size();
    for (std::uint64_t value : values) {
        std::uint64_t mixed = (value + 1) * UINT64_C(0x9E3779B97F4A7C15);
        sum += (mixed ^ mixed >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    }
    return sum;
}

std::uint64_t digest_of_slots(const TrnPool *pool, const std::vector<void *> &slots)
{
    std::vector<std::uint32_t> values;
    values.reserve(slots.size());
    for (const void *slot : slots) {
        values.push_back(trn_pool_id(pool, slot).index1 - 1);
    }
    return digest(values);
}

/// About three in four.
bool is_visible(const TrnCoord &chunk)
{
    return ((chunk.x + chunk.y) & 1) != 0 || chunk.z > 0;
}

/// The sum of value + 1.
std::uint64_t sum_of(const std::vector<std::uint32_t> &values)
{
    std::uint64_t sum = values.size();
    for (std::uint32_t value : values) {
        sum += value;
    }
    return sum;
}

std::uint64_t digest_of_peer(const Peer &peer)
{
    return digest(peer.found());
}

std::uint64_t sum_of_peer(const Peer &peer)
{
    return sum_of(peer.found());
}

void fill(IndexUnderTest &index, const std::vector<TrnCoord> &chunks)
{
    for (std::size_t i = 0; i < chunks.size(); i++) {
        index.insert(chunks[i], static_cast<std::uint32_t>(i));
    }
}

/// A world, then all that comes while it moves. Each place has a header of its own, which is that
/// of whatever chunk stands there.
World with_all_that_comes(World world)
{
    const Shell shell = world_shell(world);
    for (int step = 0; step < churn_steps; step++) {
        const std::vector<TrnCoord> come = moved(shell.ahead, step);
        world.chunks.insert(world.chunks.end(), come.begin(), come.end());
    }
    return world;
}

enum Way { way_there, way_back };

/// A container whose world moves to and fro.
struct Mover {
    /// From, or back to, where so many steps are taken. @return nanoseconds
    std::function<double(Way, int)> step;
    std::function<bool(const std::vector<TrnCoord> &)> holds_just;

    double go(Way way) const
    {
        double ns = 0;
        for (int i = 0; i < churn_steps; i++) {
            ns += step(way, way == way_there ? i : churn_steps - 1 - i);
        }
        return ns;
    }
    /// Whether it holds what it should, there and back again.
    bool is_right(const World &world) const
    {
        bool right = holds_just(world.chunks);
        go(way_there);
        right = right && holds_just(moved(world.chunks, churn_steps));
        go(way_back);
        return right && holds_just(world.chunks);
    }
};

/// An attempt that needs nothing but the contender.
Attempt attempt(const char *name, std::function<void()> work, std::function<std::uint64_t()> answer,
                std::uint64_t expected)
{
    return Attempt{name, std::move(work), std::move(answer), expected};
}

} // namespace

struct IndexArena::Parts {
    explicit Parts(World filled);
    void add_peers();
    void add_kernels(const char *name, const char *choice);
    std::uint32_t value_at(TrnCoord coord) const;
    bool is_ready(TrnCoord coord) const;
    std::uint64_t expected_of_six() const;
    std::vector<ContenderEntry> entries_at(const std::vector<TrnCoord> &coords) const;
    Scene scene(const char *name) const;
    void add_attempts_of_peers(Scene &scene, const std::function<void(Peer &)> &work,
                               const std::function<std::uint64_t(const Peer &)> &answer,
                               std::uint64_t expected);
    void add_gathers_of_pointers(Scene &scene);
    void add_copies(Scene &scene);
    void add_mover(Scene &scene, const char *name, const Mover &mover) const;
    Scene make_gather();
    Scene make_all();
    Scene make_hit();
    Scene make_six();
    Scene make_ready();
    Scene make_churn();

    World world;
    Shell shell;
    LookupWorld places; ///< wherever the world moves; the world itself first
    std::vector<const ContenderChunk *> at_home; ///< the headers of the world
    std::vector<WalkStep> steps[2];              ///< of each Way
    std::vector<TrnCoord> shuffled;
    std::vector<std::unique_ptr<Peer>> peers, moving_peers; ///< the baseline first
    IndexUnderTest index;                                   ///< without planes of the caller's
    IndexUnderTest planed, moving;
    struct Kernels {
        const char *name;
        std::unique_ptr<IndexUnderTest> index;
    };
    std::vector<Kernels> kernels; ///< the slower ones that this machine can run
    Pool table;
    std::vector<void *> reserved_out, table_out, pointer_copy;
    std::vector<std::uint32_t> value_copy;
    std::uint64_t all_values = 0; ///< digest of them
    std::uint64_t sum = 0;        ///< the last one that was timed
};

IndexArena::Parts::Parts(World filled)
    : world(std::move(filled)), shell(world_shell(world)), places(with_all_that_comes(world), 0),
      at_home(places.chunks), shuffled(world.chunks), planed(plane_count),
      table(make_pool(world.chunks.size())), reserved_out(world.chunks.size()),
      table_out(world.chunks.size()), pointer_copy(world.chunks.size()),
      value_copy(world.chunks.size())
{
    at_home.resize(world.chunks.size());
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(1));
    add_peers();
    fill(index, world.chunks);
    fill(planed, world.chunks);
    for (const TrnCoord &chunk : world.chunks) {
        moving.insert(chunk, 0);
        trn_chunk_index_plane_set(planed.get(), plane_visible, chunk, is_visible(chunk));
    }
    add_kernels(by_avx2, "AVX2");
    add_kernels(by_scalar, "scalar");
    std::vector<std::uint32_t> values(world.chunks.size());
    std::iota(values.begin(), values.end(), 0);
    all_values = digest(values);
}

void IndexArena::Parts::add_peers()
{
    for (int i = 0; i < churn_steps; i++) {
        const auto ahead = moved(shell.ahead, i), behind = moved(shell.behind, i);
        steps[way_there].push_back({entries_at(ahead), behind});
        steps[way_back].push_back({entries_at(behind), ahead});
    }
    for (const char *name : {by_unordered, by_flat_map, by_dense_map}) {
        const Contender *contender = find_contender(name);
        for (auto *list : {&peers, &moving_peers}) {
            if (contender) {
                list->push_back(std::make_unique<Peer>(*contender, places.given));
                list->back()->insert(entries_at(world.chunks));
            }
        }
    }
}

/// What the containers hold at a place, or TRN_CHUNK_VALUE_NONE.
std::uint32_t IndexArena::Parts::value_at(TrnCoord coord) const
{
    const std::uint32_t number = places.number_at(coord);
    return number < world.chunks.size() ? number : TRN_CHUNK_VALUE_NONE;
}

bool IndexArena::Parts::is_ready(TrnCoord coord) const
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (value_at(trn_coord_neighbour(coord, static_cast<TrnFace>(face))) ==
            TRN_CHUNK_VALUE_NONE) {
            return false;
        }
    }
    return true;
}

std::uint64_t IndexArena::Parts::expected_of_six() const
{
    std::uint64_t expected = 0;
    for (const TrnCoord &chunk : world.chunks) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            // TRN_CHUNK_VALUE_NONE wraps to nothing
            expected += value_at(trn_coord_neighbour(chunk, static_cast<TrnFace>(face))) + 1;
        }
    }
    return expected;
}

/// The chunks at places, each under the header of its place.
std::vector<ContenderEntry> IndexArena::Parts::entries_at(const std::vector<TrnCoord> &coords) const
{
    std::vector<ContenderEntry> entries;
    entries.reserve(coords.size());
    for (const TrnCoord &coord : coords) {
        const std::uint32_t number = places.number_at(coord);
        entries.push_back({coord, number, &places.headers[number]});
    }
    return entries;
}

/// Adds the index with given kernels, unless it runs them anyway or the machine cannot.
void IndexArena::Parts::add_kernels(const char *name, const char *choice)
{
    auto slower = std::make_unique<IndexUnderTest>();
    if (std::strcmp(trn_chunk_index_kernels_name(slower->get()), choice) == 0 ||
        !trn_chunk_index_use_kernels(slower->get(), choice)) {
        return;
    }
    fill(*slower, world.chunks);
    kernels.push_back({name, std::move(slower)});
}

Scene IndexArena::Parts::scene(const char *name) const
{
    Scene made;
    made.question = name;
    made.world = world.name;
    made.count = world.chunks.size();
    return made;
}

void IndexArena::Parts::add_attempts_of_peers(
    Scene &scene, const std::function<void(Peer &)> &work,
    const std::function<std::uint64_t(const Peer &)> &answer, std::uint64_t expected)
{
    for (const auto &peer : peers) {
        Peer *const it = peer.get();
        scene.attempts.push_back(attempt(
            it->name(), [=] { work(*it); }, [=] { return answer(*it); }, expected));
    }
}

void IndexArena::Parts::add_gathers_of_pointers(Scene &scene)
{
    scene.attempts.push_back(attempt(
        by_pointers, [this] { index.gather_pointers(world.box, places.given.pool, reserved_out); },
        [this] { return digest_of_slots(places.given.pool, reserved_out); }, all_values));
    scene.attempts.push_back(attempt(
        by_table, [this] { index.gather_pointers(world.box, table.get(), table_out); },
        [this] { return digest_of_slots(table.get(), table_out); }, all_values));
}

/// What copying the answers costs that were gathered before.
void IndexArena::Parts::add_copies(Scene &scene)
{
    scene.attempts.push_back(attempt(
        by_copy, [this] { index.copy_gathered(value_copy); }, [this] { return digest(value_copy); },
        all_values));
    scene.attempts.back().is_floor = true;
    scene.attempts.push_back(attempt(
        by_pointer_copy,
        [this] {
            std::memcpy(pointer_copy.data(), reserved_out.data(),
                        reserved_out.size() * sizeof(void *));
        },
        [this] { return digest_of_slots(places.given.pool, pointer_copy); }, all_values));
    scene.attempts.back().is_floor = true;
}

Scene IndexArena::Parts::make_gather()
{
    Scene made = scene(scene_gather);
    add_attempts_of_peers(
        made, [this](Peer &peer) { peer.gather(world.box); }, digest_of_peer, all_values);
    auto add = [&](const char *name, IndexUnderTest &one) {
        made.attempts.push_back(attempt(
            name, [this, &one] { one.gather(world.box); },
            [&one] { return digest(one.gathered()); }, all_values));
    };
    add(by_index, index);
    for (const Kernels &slower : kernels) {
        add(slower.name, *slower.index);
    }
    add_gathers_of_pointers(made);
    std::vector<std::uint32_t> visible;
    for (std::size_t i = 0; i < world.chunks.size(); i++) {
        if (is_visible(world.chunks[i])) {
            visible.push_back(static_cast<std::uint32_t>(i));
        }
    }
    made.attempts.push_back(attempt(
        by_visible, [this] { planed.gather_plane(world.box, plane_visible); },
        [this] { return digest(planed.gathered()); }, digest(visible)));
    add_copies(made);
    return made;
}

Scene IndexArena::Parts::make_all()
{
    Scene made = scene(scene_all);
    add_attempts_of_peers(
        made, [](Peer &peer) { peer.gather_all(); }, digest_of_peer, all_values);
    made.attempts.push_back(attempt(
        by_index, [this] { index.gather(trn_box_everything()); },
        [this] { return digest(index.gathered()); }, all_values));
    return made;
}

Scene IndexArena::Parts::make_hit()
{
    Scene made = scene(scene_hit);
    const std::uint64_t n = world.chunks.size(), expected = n * (n + 1) / 2;
    const auto answer = [this] { return sum; };
    add_attempts_of_peers(
        made, [this](Peer &peer) { peer.find(shuffled); }, sum_of_peer, expected);
    made.attempts.push_back(attempt(
        by_index, [this] { sum = index.sum_found(shuffled); }, answer, expected));
    made.attempts.push_back(attempt(
        by_sections, [this] { sum = index.sum_found_in_sections(shuffled); }, answer, expected));
    return made;
}

Scene IndexArena::Parts::make_six()
{
    Scene made = scene(scene_six);
    const std::uint64_t expected = expected_of_six();
    add_attempts_of_peers(
        made, [this](Peer &peer) { peer.find_neighbours(world.chunks); }, sum_of_peer, expected);
    made.attempts.push_back(attempt(
        by_index, [this] { sum = index.sum_neighbours(world.chunks); }, [this] { return sum; },
        expected));
    made.attempts.push_back(attempt(
        by_bulk, [this] { index.gather_neighbours(world.box); },
        [this] { return index.sum_of_gathered_neighbours(); }, expected));
    return made;
}

Scene IndexArena::Parts::make_ready()
{
    Scene made = scene(scene_ready);
    std::vector<std::uint32_t> ready;
    for (std::size_t i = 0; i < world.chunks.size(); i++) {
        if (is_ready(world.chunks[i])) {
            ready.push_back(static_cast<std::uint32_t>(i));
        }
    }
    add_attempts_of_peers(
        made, [this](Peer &peer) { peer.gather_ready(at_home); }, digest_of_peer, digest(ready));
    made.attempts.push_back(attempt(
        by_index, [this] { planed.find_ready(); }, [this] { return planed.ready_count(); },
        ready.size()));
    return made;
}

void IndexArena::Parts::add_mover(Scene &scene, const char *name, const Mover &mover) const
{
    const auto measure = [mover] { return mover.go(way_there) + mover.go(way_back); };
    scene.attempts.push_back(attempt(
        name, measure, [this, mover] { return mover.is_right(world); }, true));
    scene.attempts.back().measure = measure;
}

Scene IndexArena::Parts::make_churn()
{
    Scene made = scene(scene_churn);
    made.count = std::size_t{2} * churn_steps * (shell.ahead.size() + shell.behind.size());
    for (const auto &moving_peer : moving_peers) {
        Peer *const peer = moving_peer.get();
        const auto step_peer = [this, peer](Way way, int at) {
            return peer->step(steps[way][static_cast<std::size_t>(at)], places.headers);
        };
        add_mover(made, peer->name(), {step_peer, [peer](const std::vector<TrnCoord> &chunks) {
                                           return peer->holds_just(chunks);
                                       }});
    }
    const auto step_index = [this](Way way, int at) {
        const bool is_back = way == way_back;
        const double start = clock_ns(CLOCK_MONOTONIC);
        moving.step(is_back ? shell.behind : shell.ahead, is_back ? shell.ahead : shell.behind, at);
        return clock_ns(CLOCK_MONOTONIC) - start;
    };
    add_mover(made, by_index, {step_index, [this](const std::vector<TrnCoord> &chunks) {
                                   return moving.holds_just(chunks);
                               }});
    return made;
}

IndexArena::IndexArena(World filled) : parts(std::make_unique<Parts>(std::move(filled)))
{
}

IndexArena::~IndexArena() = default;

const World &IndexArena::world() const
{
    return parts->world;
}

std::vector<Scene> IndexArena::make_scenes()
{
    std::vector<Scene> scenes;
    scenes.push_back(parts->make_gather());
    scenes.push_back(parts->make_all());
    scenes.push_back(parts->make_hit());
    scenes.push_back(parts->make_six());
    scenes.push_back(parts->make_ready());
    scenes.push_back(parts->make_churn());
    return scenes;
}

// ---- scattered anchors -------------------------------------------------------------------------

namespace {

const std::uint32_t anchor_seed = 7;
const int anchor_count = 1000;
const int anchor_reach = 1 << 20; ///< chunks from the origin, along each axis
const int anchor_radius = 2, anchor_box_radius = 8;

} // namespace

AnchorArena::AnchorArena()
{
    std::mt19937 random(anchor_seed);
    std::uniform_int_distribution<std::int32_t> place(-anchor_reach, anchor_reach);
    const World ball = world_ellipsoid("anchor", anchor_radius, anchor_radius);
    std::uint32_t value = 0;
    for (int i = 0; i < anchor_count; i++) {
        const TrnCoord at = {place(random), place(random), place(random)};
        for (const TrnCoord &chunk : ball.chunks) {
            const TrnCoord there = trn_coord_add(at, chunk.x, chunk.y, chunk.z);
            many.insert(there, value);
            if (i == 0) {
                one.insert(there, value);
            }
            value++;
        }
        if (i == 0) {
            box = trn_box_around(at, anchor_box_radius, anchor_box_radius, anchor_box_radius);
        }
    }
}

std::uint32_t AnchorArena::seed()
{
    return anchor_seed;
}

Scene AnchorArena::make_scene()
{
    one.gather(box);
    const std::vector<std::uint32_t> found = one.gathered();
    Scene made;
    made.question = scene_scattered;
    made.world = "1,000 scattered anchors";
    made.count = found.size();
    made.attempts.push_back(attempt(
        by_one, [this] { one.gather(box); }, [this] { return digest(one.gathered()); },
        digest(found)));
    made.attempts.push_back(attempt(
        by_many, [this] { many.gather(box); }, [this] { return digest(many.gathered()); },
        digest(found)));
    return made;
}

// ---- all scenes --------------------------------------------------------------------------------

namespace {

std::string timing_name(const Scene &scene, const Attempt &attempt)
{
    return scene.question + "/" + scene.world + "/" + attempt.contender;
}

} // namespace

bool answers_right(const std::vector<Scene> &scenes)
{
    for (const Scene &scene : scenes) {
        for (const Attempt &attempt : scene.attempts) {
            attempt.work();
            if (attempt.answer() != attempt.expected) {
                std::fprintf(
                    stderr,
                    "terrane-bench: %s gives a wrong answer for %s, %s; nothing was timed.\n",
                    attempt.contender.c_str(), scene.question.c_str(), scene.world.c_str());
                return false;
            }
        }
    }
    return true;
}

void filter_scenes(std::vector<Scene> &scenes, const BenchOptions &options)
{
    std::vector<Scene> kept;
    for (Scene &scene : scenes) {
        std::vector<Attempt> attempts;
        bool is_wanted = false;
        for (std::size_t i = 0; i < scene.attempts.size(); i++) {
            const bool wants =
                options.wants(scene.question, scene.world, scene.attempts[i].contender);
            if (wants || i == scene.baseline) {
                attempts.push_back(scene.attempts[i]);
            }
            is_wanted = is_wanted || wants;
        }
        if (is_wanted) {
            scene.attempts = std::move(attempts);
            kept.push_back(std::move(scene));
        }
    }
    scenes = std::move(kept);
}

bool add_to_timing(Timing &timing, const std::vector<Scene> &scenes)
{
    bool has_any = false;
    for (const Scene &scene : scenes) {
        for (const Attempt &attempt : scene.attempts) {
            if (!attempt.measure) {
                timing.add(timing_name(scene, attempt), attempt.work);
                has_any = true;
            }
        }
    }
    return has_any;
}

void measure_apart(std::vector<Scene> &scenes, bool is_quick)
{
    const double least_ns = is_quick ? 2e7 : 1e8;
    for (int round = 0; round < (is_quick ? 7 : 15); round++) {
        for (Scene &scene : scenes) {
            for (Attempt &attempt : scene.attempts) {
                double ns = 0, calls = 0;
                if (!attempt.measure) {
                    continue;
                }
                for (; ns < least_ns; calls++) {
                    ns += attempt.measure();
                }
                attempt.times.push_back(ns / calls);
            }
        }
    }
}

void add_to_report(Report &report, const std::vector<Scene> &scenes, const Timing &timing)
{
    for (const Scene &scene : scenes) {
        for (const Attempt &attempt : scene.attempts) {
            Entry entry;
            entry.question = scene.question;
            entry.world = scene.world;
            entry.contender = attempt.contender;
            entry.count = scene.count;
            entry.is_baseline = &attempt == &scene.attempts[scene.baseline];
            entry.is_floor = attempt.is_floor;
            for (double ns : attempt.measure ? attempt.times
                                             : timing.nanoseconds(timing_name(scene, attempt))) {
                entry.times.push_back(ns / static_cast<double>(scene.count));
            }
            report.entries.push_back(entry);
        }
    }
}
