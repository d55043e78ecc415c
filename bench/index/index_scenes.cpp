#include "index_parts.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>

#include <terrane/pool.h>
#include <terrane/store.h>

#include "index/chunk_index_internal.h"
#include "index_peer.hpp"
#include "index_under_test.hpp"

namespace {

using bench::Scene;
using bench::timed;
using Pool = Owned<TrnPool, trn_pool_destroy>;
using Store = Owned<TrnStore, trn_store_destroy>;

const TrnPlane plane_visible = 1;
const std::uint32_t plane_count = 2; // visible, ready
const int churn_steps = 32;

/// Creates a pool and allocates the slots 0 .. count - 1.
Pool make_pool(const TrnPoolDef &def, std::size_t count)
{
    Pool pool = make_owned<Pool>(trn_pool_create, &def);
    for (std::size_t i = 0; i < count; i++) {
        void *slot;
        require(trn_pool_alloc(pool.get(), nullptr, &slot));
    }
    return pool;
}

/// A pool that allocates blocks as needed.
TrnPoolDef block_pool()
{
    TrnPoolDef def = trn_pool_def(sizeof(ContenderChunk));
    def.reserve_slots = 0;
    return def;
}

/// A store with the default def, filled with chunks of air.
Store make_store(const std::vector<TrnCoord> &chunks)
{
    Store store = make_owned<Store>(trn_store_create, nullptr);
    for (const TrnCoord &chunk : chunks) {
        require(trn_store_insert_uniform(store.get(), chunk, TRN_BLOCK_AIR, nullptr));
    }
    return store;
}

/// A hash of a set of values, independent of their order.
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

/// True for about three chunks in four.
bool is_visible(const TrnCoord &chunk)
{
    return ((chunk.x + chunk.y) & 1) != 0 || chunk.z > 0;
}

/// A world's chunks, followed by all chunks that are inserted while the world moves. Each
/// coordinate has one header.
World with_all_that_comes(World world)
{
    const Shell shell = world_shell(world);
    for (int step = 0; step < churn_steps; step++) {
        const std::vector<TrnCoord> come = moved(shell.ahead, step);
        world.chunks.insert(world.chunks.end(), come.begin(), come.end());
    }
    return world;
}

/// One world in every container, and the headers of its chunks, which peers answer with.
struct Arena {
    explicit Arena(const World &filled);
    void add_kernels(const char *name, const char *choice);
    std::vector<ContenderEntry> entries_at(const std::vector<TrnCoord> &coords) const;
    std::uint32_t value_at(TrnCoord coord) const;
    std::uint64_t digest_of_chunks(const std::vector<TrnChunk *> &chunks) const;
    /// The values of the chunks that satisfy a condition.
    template <class Test> std::vector<std::uint32_t> values_where(const Test &test) const;

    const World world;
    const Shell shell;
    LookupWorld places; ///< all coordinates of the moving world; those of the world itself first
    std::vector<const ContenderChunk *> at_home; ///< the headers of the world
    std::vector<TrnCoord> shuffled;
    std::vector<std::unique_ptr<Peer>> peers, moving_peers; ///< the baseline first
    IndexUnderTest index, planed{plane_count}, moving;
    /// Indexes with the slower kernels that this machine can run.
    std::vector<std::pair<const char *, std::unique_ptr<IndexUnderTest>>> kernels;
    Pool table;
    Store store;
    std::vector<TrnChunk *> store_out;
    std::vector<void *> range_out, table_out, scalar_out, pointer_copy;
    std::vector<std::uint32_t> value_copy;
    std::uint64_t all_values = 0; ///< digest of all values
    std::uint64_t sum = 0;        ///< result of the last timed call
};
using Shared = std::shared_ptr<Arena>;

Arena::Arena(const World &filled)
    : world(filled), shell(world_shell(world)), places(with_all_that_comes(world), 0),
      at_home(places.chunks), shuffled(world.chunks),
      table(make_pool(block_pool(), world.chunks.size())), store(make_store(world.chunks)),
      store_out(world.chunks.size()), range_out(world.chunks.size()), table_out(range_out),
      scalar_out(range_out), pointer_copy(range_out), value_copy(world.chunks.size())
{
    at_home.resize(world.chunks.size());
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(1));
    for (const char *name : {by_unordered, by_flat_map, by_dense_map}) {
        const Contender *contender = find_contender(name);
        for (auto *list : {&peers, &moving_peers}) {
            if (contender) {
                list->push_back(std::make_unique<Peer>(*contender, places.given));
                list->back()->insert(entries_at(world.chunks));
            }
        }
    }
    index.insert_numbered(world.chunks);
    planed.insert_numbered(world.chunks);
    moving.insert_zeroes(world.chunks);
    for (const TrnCoord &chunk : world.chunks) {
        trn_chunk_index_plane_set(planed.get(), plane_visible, chunk, is_visible(chunk));
    }
    add_kernels(by_avx2, "AVX2");
    add_kernels(by_scalar, "scalar");
    all_values = digest(values_where([](const TrnCoord &) { return true; }));
}

/// Adds an index with given kernels. Does nothing if `index` uses them or the machine cannot run
/// them.
void Arena::add_kernels(const char *name, const char *choice)
{
    auto slower = std::make_unique<IndexUnderTest>();
    if (std::strcmp(trn_kernels_name(&trn_page_kernels, 0), choice) != 0 &&
        trn_chunk_index_use_kernels(slower->get(), choice)) {
        slower->insert_numbered(world.chunks);
        kernels.emplace_back(name, std::move(slower));
    }
}

/// The entries of chunks, each with the header of its coordinate.
std::vector<ContenderEntry> Arena::entries_at(const std::vector<TrnCoord> &coords) const
{
    std::vector<ContenderEntry> entries;
    entries.reserve(coords.size());
    for (const TrnCoord &coord : coords) {
        const std::uint32_t number = places.number_at(coord);
        entries.push_back({coord, number, &places.headers[number]});
    }
    return entries;
}

/// The value that the containers hold at a coordinate, or TRN_CHUNK_VALUE_NONE.
std::uint32_t Arena::value_at(TrnCoord coord) const
{
    const std::uint32_t number = places.number_at(coord);
    return number < world.chunks.size() ? number : TRN_CHUNK_VALUE_NONE;
}

/// The digest of the containers' values at the coordinates of a store's chunks.
std::uint64_t Arena::digest_of_chunks(const std::vector<TrnChunk *> &chunks) const
{
    std::vector<std::uint32_t> values;
    values.reserve(chunks.size());
    for (const TrnChunk *chunk : chunks) {
        values.push_back(value_at(chunk->coord));
    }
    return digest(values);
}

template <class Test> std::vector<std::uint32_t> Arena::values_where(const Test &test) const
{
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < world.chunks.size(); i++) {
        if (test(world.chunks[i])) {
            values.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return values;
}

void add_peers(Scene &scene, const Shared &arena, const std::function<void(Peer &)> &ask,
               std::uint64_t expected)
{
    for (const auto &one : arena->peers) {
        Peer *const peer = one.get();
        scene.attempts.push_back(timed(
            peer->name(), [arena, ask, peer] { ask(*peer); },
            [peer, expected] { return digest(peer->found()) == expected; }));
    }
}

/// Adds work that leaves its answer in Arena::sum.
void add_sum(Scene &scene, const Shared &arena, const char *name,
             std::uint64_t (*sum)(const Arena &), std::uint64_t expected)
{
    scene.attempts.push_back(timed(
        name, [arena, sum] { arena->sum = sum(*arena); },
        [arena, expected] { return arena->sum == expected; }));
}

/// Adds a gather whose result stays in the index under test.
void add_gather(Scene &scene, const Shared &arena, const char *name, IndexUnderTest &index,
                std::function<void()> work, std::uint64_t expected)
{
    scene.attempts.push_back(timed(name, std::move(work), [arena, &index, expected] {
        return digest(index.gathered()) == expected;
    }));
}

/// Adds a gather of the addresses of slots.
void add_pointers(Scene &scene, const Shared &arena, const char *name, const IndexUnderTest &index,
                  const TrnPool *pool, std::vector<void *> &slots)
{
    scene.attempts.push_back(timed(
        name,
        [arena, &index, pool, &slots] { index.gather_pointers(arena->world.box, pool, slots); },
        [arena, pool, &slots] { return digest_of_slots(pool, slots) == arena->all_values; }));
}

Scene make_gather(const Shared &arena)
{
    Scene made = scene_of(scene_gather, arena->world);
    Arena &of = *arena;
    add_peers(
        made, arena, [arena](Peer &peer) { peer.gather(arena->world.box); }, of.all_values);
    const auto add = [&](const char *name, IndexUnderTest &one) {
        add_gather(
            made, arena, name, one, [&of, &one] { one.gather(of.world.box); }, of.all_values);
    };
    // The maps and the store return chunks; the index alone, below, returns numbers.
    made.attempts.push_back(timed(
        by_default_store,
        [&of] {
            trn_store_gather(of.store.get(), of.world.box, of.store_out.data(),
                             of.store_out.size());
        },
        [&of] { return of.digest_of_chunks(of.store_out) == of.all_values; }));
    add(by_index, of.index);
    for (const auto &[name, slower] : of.kernels) {
        add(name, *slower);
    }
    const TrnPool *range = of.places.given.pool;
    add_pointers(made, arena, by_pointers, of.index, range, of.range_out);
    add_pointers(made, arena, by_table, of.index, of.table.get(), of.table_out);
    for (const auto &[name, slower] : of.kernels) {
        if (name == by_scalar) {
            add_pointers(made, arena, by_table_scalar, *slower, of.table.get(), of.scalar_out);
        }
    }
    add_gather(
        made, arena, by_visible, of.planed,
        [&of] { of.planed.gather_plane(of.world.box, plane_visible); },
        digest(of.values_where(is_visible)));
    made.attempts.push_back(timed(
        by_copy, [&of] { of.index.copy_gathered(of.value_copy); },
        [&of] { return digest(of.value_copy) == of.all_values; }));
    made.attempts.back().is_floor = true;
    made.attempts.push_back(timed(
        by_pointer_copy,
        [&of] {
            std::memcpy(of.pointer_copy.data(), of.range_out.data(),
                        of.range_out.size() * sizeof(void *));
        },
        [&of, range] { return digest_of_slots(range, of.pointer_copy) == of.all_values; }));
    made.attempts.back().is_floor = true;
    return made;
}

Scene make_all(const Shared &arena)
{
    Scene made = scene_of(scene_all, arena->world);
    add_peers(
        made, arena, [](Peer &peer) { peer.gather_all(); }, arena->all_values);
    add_gather(
        made, arena, by_index, arena->index, [arena] { arena->index.gather(trn_box_everything()); },
        arena->all_values);
    return made;
}

Scene make_hit(const Shared &arena)
{
    Scene made = scene_of(scene_hit, arena->world);
    const std::uint64_t n = arena->world.chunks.size(), expected = n * (n + 1) / 2;
    add_peers(
        made, arena, [arena](Peer &peer) { peer.find(arena->shuffled); }, arena->all_values);
    add_sum(
        made, arena, by_index, [](const Arena &of) { return of.index.sum_found(of.shuffled); },
        expected);
    add_sum(
        made, arena, by_sections,
        [](const Arena &of) { return of.index.sum_found_in_sections(of.shuffled); }, expected);
    return made;
}

Scene make_six(const Shared &arena)
{
    std::vector<std::uint32_t> values;
    for (const TrnCoord &chunk : arena->world.chunks) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            const std::uint32_t value =
                arena->value_at(trn_coord_neighbour(chunk, static_cast<TrnFace>(face)));
            if (value != TRN_CHUNK_VALUE_NONE) {
                values.push_back(value);
            }
        }
    }
    Scene made = scene_of(scene_six, arena->world);
    const std::uint64_t expected = sum_of(values);
    add_peers(
        made, arena, [arena](Peer &peer) { peer.find_neighbours(arena->world.chunks); },
        digest(values));
    add_sum(
        made, arena, by_index,
        [](const Arena &of) { return of.index.sum_neighbours(of.world.chunks); }, expected);
    made.attempts.push_back(timed(
        by_bulk, [arena] { arena->index.gather_neighbours(arena->world.box); },
        [arena, expected] { return arena->index.sum_of_gathered_neighbours() == expected; }));
    return made;
}

Scene make_ready(const Shared &arena)
{
    Scene made = scene_of(scene_ready, arena->world);
    const std::vector<std::uint32_t> ready = arena->values_where([&arena](const TrnCoord &chunk) {
        bool is_ready = true;
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            const TrnCoord next = trn_coord_neighbour(chunk, static_cast<TrnFace>(face));
            is_ready = is_ready && arena->value_at(next) != TRN_CHUNK_VALUE_NONE;
        }
        return is_ready;
    });
    add_peers(
        made, arena, [arena](Peer &peer) { peer.gather_ready(arena->at_home); }, digest(ready));
    made.attempts.push_back(timed(
        by_index, [arena] { arena->planed.find_ready(); },
        [arena, count = ready.size()] { return arena->planed.ready_count() == count; }));
    return made;
}

// ---- a world that moves forward and back -------------------------------------------------------

/// A container whose world moves.
struct Mover {
    /// Moves the world from x = `at` to `at` + 1, or back. @return nanoseconds
    std::function<double(bool is_back, int at)> step;
    std::function<bool(const std::vector<TrnCoord> &)> holds_just;

    double go(bool is_back) const
    {
        double ns = 0;
        for (int i = 0; i < churn_steps; i++) {
            ns += step(is_back, is_back ? churn_steps - 1 - i : i);
        }
        return ns;
    }
    /// Whether the container holds the right chunks after moving forward, and after moving back.
    bool is_right(const World &world) const
    {
        bool right = holds_just(world.chunks);
        go(false);
        right = right && holds_just(moved(world.chunks, churn_steps));
        go(true);
        return right && holds_just(world.chunks);
    }
};

void add_mover(Scene &scene, const Shared &arena, const char *name, const Mover &mover)
{
    bench::Attempt attempt = bench::measured(
        name, [mover] { return mover.go(false) + mover.go(true); }, nullptr);
    attempt.check = [arena, mover] { return mover.is_right(arena->world); };
    scene.attempts.push_back(std::move(attempt));
}

Scene make_churn(const Shared &arena)
{
    Scene made = scene_of(scene_churn, arena->world);
    const Shell &shell = arena->shell;
    made.count = std::size_t{2} * churn_steps * (shell.ahead.size() + shell.behind.size());
    const auto steps = std::make_shared<std::vector<WalkStep>>(); // forward, then back
    for (int i = 0; i < churn_steps; i++) {
        steps->push_back({arena->entries_at(moved(shell.ahead, i)), moved(shell.behind, i)});
    }
    for (int i = 0; i < churn_steps; i++) {
        steps->push_back({arena->entries_at(moved(shell.behind, i)), moved(shell.ahead, i)});
    }
    for (const auto &one : arena->moving_peers) {
        Peer *const peer = one.get();
        const auto step = [arena, steps, peer](bool is_back, int at) {
            const int number = is_back ? churn_steps + at : at;
            return peer->step((*steps)[static_cast<std::size_t>(number)], arena->places.headers);
        };
        add_mover(made, arena, peer->name(),
                  {step, [peer](const auto &chunks) { return peer->holds_just(chunks); }});
    }
    IndexUnderTest &moving = arena->moving;
    const auto step = [&shell, &moving](bool is_back, int at) {
        return ns_of([&] {
            moving.step(is_back ? shell.behind : shell.ahead, is_back ? shell.ahead : shell.behind,
                        at);
        });
    };
    add_mover(made, arena, by_index,
              {step, [&moving](const auto &chunks) { return moving.holds_just(chunks); }});
    return made;
}

} // namespace

std::vector<Scene> make_ball_scenes(const World &world)
{
    const auto arena = std::make_shared<Arena>(world);
    return {make_gather(arena), make_all(arena),   make_hit(arena),
            make_six(arena),    make_ready(arena), make_churn(arena)};
}

Scene make_anchor_scene()
{
    const int anchors = 1000, reach = 1 << 20, radius = 2, box_radius = 8;
    struct Indices {
        IndexUnderTest one, many;
    };
    const auto indices = std::make_shared<Indices>();
    World world = world_anchors(world_of_anchors, anchors, reach, radius, box_radius, anchor_seed);
    indices->many.insert_numbered(world.chunks);
    world.chunks.resize(world_ellipsoid("", radius, radius).chunks.size());
    indices->one.insert_numbered(world.chunks);
    std::vector<std::uint32_t> values(world.chunks.size());
    std::iota(values.begin(), values.end(), 0);

    Scene made = {scene_scattered, world.name, "ns", values.size()};
    const auto add = [&](const char *name, IndexUnderTest &index) {
        made.attempts.push_back(timed(
            name, [indices, &index, box = world.box] { index.gather(box); },
            [&index, expected = digest(values)] { return digest(index.gathered()) == expected; }));
    };
    add(by_one, indices->one);
    add(by_many, indices->many);
    return made;
}
