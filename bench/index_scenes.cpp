#include "index_scenes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <random>

#include <terrane/pool.h>

#include "index/kernel_choice.h"

namespace {

const TrnPlane plane_visible = 1;
const std::uint32_t plane_count = 2; // visible, ready
const int churn_steps = 32;
const std::size_t chunk_bytes = 256; ///< as large as a chunk's header in a game

struct DestroyPool {
    void operator()(TrnPool *pool) const
    {
        trn_pool_destroy(pool);
    }
};
using Pool = std::unique_ptr<TrnPool, DestroyPool>;

/// A pool with the slots 0 .. count - 1 taken.
Pool make_pool(std::size_t count, bool is_reserved)
{
    TrnPoolDef def = trn_pool_def(chunk_bytes);
    def.reserve_slots = is_reserved ? static_cast<std::uint32_t>(count) : 0;
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

bool has_all_neighbours(const Contender &contender, const TrnCoord &chunk)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnCoord there = trn_coord_neighbour(chunk, static_cast<TrnFace>(face));
        if (contender.sum_found({there}) == 0) {
            return false;
        }
    }
    return true;
}

void fill(Contender &contender, const std::vector<TrnCoord> &chunks)
{
    for (std::size_t i = 0; i < chunks.size(); i++) {
        contender.insert(chunks[i], static_cast<std::uint32_t>(i));
    }
}

/// A contender whose world moves to and fro.
class Mover {
  public:
    Mover(std::unique_ptr<Contender> filled, const World &at_home)
        : contender(std::move(filled)), world(at_home), shell(world_shell(at_home))
    {
        for (const TrnCoord &chunk : world.chunks) {
            contender->insert(chunk, 0);
        }
    }
    void go()
    {
        for (int step = 0; step < churn_steps; step++) {
            contender->step(shell.ahead, shell.behind, step);
        }
    }
    void come_back()
    {
        for (int step = churn_steps; step-- > 0;) {
            contender->step(shell.behind, shell.ahead, step);
        }
    }
    /// Whether it holds what it should, there and back again.
    bool is_right()
    {
        bool right = holds_just(*contender, world.chunks, 0);
        go();
        right = right && holds_just(*contender, world.chunks, churn_steps);
        come_back();
        return right && holds_just(*contender, world.chunks, 0);
    }
    std::size_t changes() const
    {
        return std::size_t{2} * churn_steps * (shell.ahead.size() + shell.behind.size());
    }

  private:
    std::unique_ptr<Contender> contender;
    const World &world;
    Shell shell;
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
    void add_kernels(const char *name, const char *choice);
    Scene scene(const char *name) const;
    void add_gathers_of_pointers(Scene &scene);
    void add_copies(Scene &scene);
    Scene make_gather();
    Scene make_all();
    Scene make_hit();
    Scene make_six();
    Scene make_ready();
    Scene make_churn();

    /// Every contender that answers the questions of Contender, the baseline first.
    struct Named {
        const char *name;
        Contender *contender;
    };
    std::vector<Named> plain() const;

    World world;
    std::vector<TrnCoord> shuffled;
    std::unique_ptr<Contender> unordered, flat_map; ///< flat_map is NULL without Boost
    IndexContender index;                           ///< without planes of the caller's
    IndexContender planed;
    struct Kernels {
        const char *name;
        std::unique_ptr<IndexContender> index;
    };
    std::vector<Kernels> kernels; ///< the slower ones that this machine can run
    std::vector<std::unique_ptr<Mover>> movers;
    Pool reserved, table;
    std::vector<void *> reserved_out, table_out, pointer_copy;
    std::vector<std::uint32_t> value_copy;
    std::uint64_t all_values = 0; ///< digest of them
    std::uint64_t sum = 0;        ///< the last one that was timed
};

IndexArena::Parts::Parts(World filled)
    : world(std::move(filled)), shuffled(world.chunks), unordered(make_unordered_map()),
      flat_map(make_flat_map()), planed(plane_count),
      reserved(make_pool(world.chunks.size(), true)), table(make_pool(world.chunks.size(), false)),
      reserved_out(world.chunks.size()), table_out(world.chunks.size()),
      pointer_copy(world.chunks.size()), value_copy(world.chunks.size())
{
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(1));
    for (const Named &named : plain()) {
        fill(*named.contender, world.chunks);
    }
    fill(planed, world.chunks);
    for (const TrnCoord &chunk : world.chunks) {
        trn_chunk_index_plane_set(planed.get(), plane_visible, chunk, is_visible(chunk));
    }
    add_kernels(by_avx2, "AVX2");
    add_kernels(by_scalar, "scalar");
    std::vector<std::uint32_t> values(world.chunks.size());
    for (std::size_t i = 0; i < values.size(); i++) {
        values[i] = static_cast<std::uint32_t>(i);
    }
    all_values = digest(values);
}

std::vector<IndexArena::Parts::Named> IndexArena::Parts::plain() const
{
    std::vector<Named> all = {{by_unordered, unordered.get()}};
    if (flat_map) {
        all.push_back({by_flat_map, flat_map.get()});
    }
    all.push_back({by_index, const_cast<IndexContender *>(&index)});
    return all;
}

/// Adds the index with given kernels, unless it runs them anyway or the machine cannot.
void IndexArena::Parts::add_kernels(const char *name, const char *choice)
{
    auto slower = std::make_unique<IndexContender>();
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
    made.world = std::string(name) + ", " + world.name;
    made.count = world.chunks.size();
    return made;
}

void IndexArena::Parts::add_gathers_of_pointers(Scene &scene)
{
    scene.attempts.push_back(attempt(
        by_pointers, [this] { index.gather_pointers(world.box, reserved.get(), reserved_out); },
        [this] { return digest_of_slots(reserved.get(), reserved_out); }, all_values));
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
        [this] { return digest_of_slots(reserved.get(), pointer_copy); }, all_values));
    scene.attempts.back().is_floor = true;
}

Scene IndexArena::Parts::make_gather()
{
    Scene made = scene(scene_gather);
    auto add = [&](const char *name, Contender *contender) {
        made.attempts.push_back(attempt(
            name, [this, contender] { contender->gather(world.box); },
            [contender] { return digest(contender->gathered()); }, all_values));
    };
    for (const Named &named : plain()) {
        add(named.name, named.contender);
    }
    for (const Kernels &slower : kernels) {
        add(slower.name, slower.index.get());
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
    for (const Named &named : plain()) {
        Contender *contender = named.contender;
        made.attempts.push_back(attempt(
            named.name, [contender] { contender->gather_all(); },
            [contender] { return digest(contender->gathered()); }, all_values));
    }
    return made;
}

Scene IndexArena::Parts::make_hit()
{
    Scene made = scene(scene_hit);
    const std::uint64_t n = world.chunks.size(), expected = n * (n + 1) / 2;
    const auto answer = [this] { return sum; };
    for (const Named &named : plain()) {
        Contender *contender = named.contender;
        made.attempts.push_back(attempt(
            named.name, [this, contender] { sum = contender->sum_found(shuffled); }, answer,
            expected));
    }
    made.attempts.push_back(attempt(
        by_sections, [this] { sum = index.sum_found_in_sections(shuffled); }, answer, expected));
    return made;
}

Scene IndexArena::Parts::make_six()
{
    Scene made = scene(scene_six);
    const std::uint64_t expected = unordered->sum_neighbours(world.chunks);
    for (const Named &named : plain()) {
        Contender *contender = named.contender;
        made.attempts.push_back(attempt(
            named.name, [this, contender] { sum = contender->sum_neighbours(world.chunks); },
            [this] { return sum; }, expected));
    }
    made.attempts.push_back(attempt(
        by_bulk, [this] { index.gather_neighbours(world.box); },
        [this] { return index.sum_of_gathered_neighbours(); }, expected));
    return made;
}

Scene IndexArena::Parts::make_ready()
{
    Scene made = scene(scene_ready);
    std::size_t expected = 0;
    for (const TrnCoord &chunk : world.chunks) {
        expected += has_all_neighbours(*unordered, chunk);
    }
    for (const Named &named : plain()) {
        Contender *contender = named.contender == &index ? &planed : named.contender;
        made.attempts.push_back(attempt(
            named.name, [this, contender] { contender->find_ready(world.chunks); },
            [contender] { return contender->ready_count(); }, expected));
    }
    return made;
}

Scene IndexArena::Parts::make_churn()
{
    Scene made = scene(scene_churn);
    auto add = [&](const char *name, std::unique_ptr<Contender> contender) {
        movers.push_back(std::make_unique<Mover>(std::move(contender), world));
        Mover *mover = movers.back().get();
        made.count = mover->changes();
        made.attempts.push_back(attempt(
            name,
            [mover] {
                mover->go();
                mover->come_back();
            },
            [mover] { return mover->is_right(); }, true));
    };
    add(by_unordered, make_unordered_map());
    if (flat_map_is_built()) {
        add(by_flat_map, make_flat_map());
    }
    add(by_index, std::make_unique<IndexContender>());
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
    made.world = std::string(scene_scattered) + ", 1,000 scattered anchors";
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
    return scene.world + "/" + attempt.contender;
}

} // namespace

bool answers_right(const std::vector<Scene> &scenes)
{
    for (const Scene &scene : scenes) {
        for (const Attempt &attempt : scene.attempts) {
            attempt.work();
            if (attempt.answer() != attempt.expected) {
                std::fprintf(stderr,
                             "terrane-bench: %s gives a wrong answer for %s; nothing was timed.\n",
                             attempt.contender.c_str(), scene.world.c_str());
                return false;
            }
        }
    }
    return true;
}

void add_to_timing(Timing &timing, const std::vector<Scene> &scenes)
{
    for (const Scene &scene : scenes) {
        for (const Attempt &attempt : scene.attempts) {
            timing.add(timing_name(scene, attempt), attempt.work);
        }
    }
}

void add_to_report(Report &report, const std::vector<Scene> &scenes, const Timing &timing)
{
    for (const Scene &scene : scenes) {
        for (const Attempt &attempt : scene.attempts) {
            Entry entry;
            entry.world = scene.world;
            entry.contender = attempt.contender;
            entry.count = scene.count;
            entry.is_baseline = &attempt == &scene.attempts[scene.baseline];
            entry.is_floor = attempt.is_floor;
            for (double ns : timing.nanoseconds(timing_name(scene, attempt))) {
                entry.times.push_back(ns / static_cast<double>(scene.count));
            }
            report.entries.push_back(entry);
        }
    }
}
