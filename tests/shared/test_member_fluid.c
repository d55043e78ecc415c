/// Liquids and random ticks in a world that members share, on one server and on three: the owner of
/// a region moves them. Without a server, the cases that need one are skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "no_memory.h"
#include "party.h"
#include "servers_place.h"

#include "region.h"
#include "servers.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <terrane/fluid.h>
#include <terrane/ticks.h>

#define CHILD_BAD 3
#define REST_SECONDS 60.0

#define REGION_VOXELS ((int64_t)TRN_REGION_CHUNKS * TRN_CHUNK_EDGE)

/// The chunks of the scene: both sides of a border of regions, at x = 512 from its origin.
static TrnBox scene = {{14, -2, 0}, {17, 0, 1}};
static int64_t origin; ///< x, in voxels

/// Puts the scene on a border of regions of two servers.
static void scene_place(uint32_t region)
{
    origin = region * REGION_VOXELS;
    scene.min.x += (int32_t)region * TRN_REGION_CHUNKS;
    scene.max.x += (int32_t)region * TRN_REGION_CHUNKS;
}

/// Returns the number of a region along x at which the next one is on another server.
static uint32_t region_of_border(void)
{
    TrnStorageKey key = {{0, 0, 0}, 0}, next = {{TRN_REGION_CHUNKS, 0, 0}, 0};
    while (trn_servers_hash(trn_storage_region(&key), SERVERS) ==
           trn_servers_hash(trn_storage_region(&next), SERVERS)) {
        key = next;
        next.coord.x += TRN_REGION_CHUNKS;
    }
    return (uint32_t)key.coord.x / TRN_REGION_CHUNKS;
}

static TrnVoxel at(int64_t x, int64_t y, int64_t z)
{
    return (TrnVoxel){origin + x, y, z};
}

/// Removes the world.
static void drop_world(void)
{
    if (party_url) {
        servers_drop();
    } else {
        postgres_drop(&server);
    }
}

/// Counts regions whose liquids have yet to flow, in the database.
static int count_saved(void)
{
    int count = 0;
    for (int i = 0; i < (party_url ? SERVERS : 1); i++) {
        PostgresPlace *one = party_url ? &servers[i] : &server;
        postgres_sql(one, "SELECT count(*) FROM terrane_edits WHERE member = 0 AND number = 1");
        count += one->place.text[0] - '0';
    }
    return count;
}

// ---- a scene -----------------------------------------------------------------------------------

#define SCENE_CHUNKS 24 // of 4 x 3 x 2

/// Returns a chunk of the scene. @param i  0..SCENE_CHUNKS - 1
static TrnCoord scene_chunk(int32_t i)
{
    return (TrnCoord){scene.min.x + i % 4, scene.min.y + i / 4 % 3, scene.min.z + i / 12};
}

static TrnFluid *make_fluid(const TrnBlockTypes *types, TrnStore *store)
{
    TrnFluidLiquid liquids[2];
    TrnFluid *fluid;
    assert_int_equal(trn_fluid_water(types, &liquids[0]), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_lava(types, &liquids[1]), TRN_RESULT_OK);
    liquids[0].delay = 1;
    TrnFluidDef def = trn_fluid_def();
    def.liquids = liquids;
    def.liquid_count = 2;
    assert_int_equal(trn_fluid_create(store, &def, &fluid), TRN_RESULT_OK);
    return fluid;
}

typedef struct Swimmer {
    Party party;
    TrnFluid *fluid;
} Swimmer;

static void swimmer_open(Swimmer *swimmer, const char *name, double lease_seconds)
{
    TrnMemberDef def = party_def();
    def.name = name;
    def.lease_seconds = lease_seconds;
    def.poll_seconds = 0.05;
    assert_int_equal(party_open(&swimmer->party, def), TRN_RESULT_OK);
    swimmer->fluid = make_fluid(swimmer->party.types, swimmer->party.store);
    for (int32_t i = 0; i < SCENE_CHUNKS; i++) {
        const TrnCoord coord = scene_chunk(i);
        party_load(&swimmer->party, coord);
    }
}

static void swimmer_close(Swimmer *swimmer)
{
    trn_member_destroy(swimmer->party.member);
    swimmer->party.member = NULL;
    trn_fluid_destroy(swimmer->fluid);
    party_close(&swimmer->party);
}

/// A frame of the game.
static void swim(const Swimmer *swimmer)
{
    assert_int_equal(trn_fluid_step(swimmer->fluid, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_member_update(swimmer->party.member), TRN_RESULT_OK);
}

/// A pool of water at x = 500 in the stone, closed by stone.
static void fill_pool(TrnStore *store)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_fill_box(batch, at(496, -8, 8), at(503, -3, 15), TRN_BLOCK_WATER);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// Digs a channel from the pool across the border, down some steps into a hall.
static void dig_channel(TrnStore *store)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    for (int64_t x = 504; x < 530; x++) {
        const int64_t y = -4 - (x - 504) / 6;
        trn_batch_fill_box(batch, at(x, y, 10), at(x, y + 2, 12), TRN_BLOCK_AIR);
    }
    trn_batch_fill_box(batch, at(530, -20, 4), at(545, -4, 20), TRN_BLOCK_AIR);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// Returns the scene before anything is dug, as one process has it. The caller destroys it.
static TrnStore *make_stone(TrnBlockTypes *types)
{
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    def.types = types;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    for (int32_t i = 0; i < SCENE_CHUNKS; i++) {
        const TrnCoord coord = scene_chunk(i);
        assert_int_equal(
            trn_store_insert_uniform(
                store, coord, (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR), NULL),
            TRN_RESULT_OK);
    }
    return store;
}

/// Returns the scene as one process has it, at rest. The caller destroys it.
static TrnStore *make_lone_world(TrnBlockTypes *types)
{
    TrnStore *store = make_stone(types);
    TrnFluid *fluid = make_fluid(types, store);
    fill_pool(store);
    dig_channel(store);
    do {
        assert_int_equal(trn_fluid_step(fluid, NULL), TRN_RESULT_OK);
    } while (trn_fluid_stats(fluid).due_voxels);
    print_message("%u voxels changed, %u steps\n", (unsigned)trn_fluid_stats(fluid).changed_voxels,
                  (unsigned)trn_fluid_stats(fluid).steps);
    trn_fluid_destroy(fluid);
    return store;
}

/// Counts voxels of the scene that differ.
static uint32_t count_differences(const TrnStore *one, const TrnStore *other)
{
    uint32_t rows[TRN_CHUNK_ROWS], count = 0;
    for (int32_t i = 0; i < SCENE_CHUNKS; i++) {
        const TrnCoord coord = scene_chunk(i);
        TrnSnapshot a, b;
        assert_int_equal(trn_store_snapshot(one, coord, &a), TRN_RESULT_OK);
        assert_int_equal(trn_store_snapshot(other, coord, &b), TRN_RESULT_OK);
        count += trn_snapshot_diff(a, b, rows);
    }
    return count;
}

/// Lets members play until their worlds are as one process has it.
static void await_lone_world(const Swimmer *swimmers, uint32_t count, const TrnStore *lone)
{
    const double start = now_ms();
    for (bool is_same = false; !is_same;) {
        is_same = true;
        for (uint32_t i = 0; i < count; i++) {
            for (int k = 0; k < 10; k++) {
                swim(&swimmers[i]);
                pause_ms(1);
            }
            is_same &= count_differences(swimmers[i].party.store, lone) == 0;
        }
        if (now_ms() - start > REST_SECONDS * 1e3) {
            fail_msg("%u voxels differ: %s", count_differences(swimmers[0].party.store, lone),
                     trn_member_stats(swimmers[0].party.member).problem);
        }
    }
}

/// Waits until no liquid has anything left to do, in the database either.
static void await_rest(const Swimmer *swimmers, uint32_t count)
{
    const double start = now_ms();
    do {
        for (uint32_t i = 0; i < 50; i++) {
            swim(&swimmers[i % count]);
            pause_ms(1);
        }
        assert_true(now_ms() - start < REST_SECONDS * 1e3);
    } while (count_saved() > 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(trn_member_stats(swimmers[i].party.member).flowing, 0);
    }
}

// ---- cases -------------------------------------------------------------------------------------

/// Ada owns the region of the pool, Bob the next one. Ada digs through the border.
static void a_channel_fills_across_a_border_of_owners(void **state)
{
    Swimmer swimmers[2];
    (void)state;
    drop_world();
    swimmer_open(&swimmers[0], "Ada", 10);
    swimmer_open(&swimmers[1], "Bob", 10);
    TrnStore *lone = make_lone_world(swimmers[0].party.types);
    fill_pool(swimmers[0].party.store);
    settle(&swimmers[0].party);
    set(&swimmers[1].party, at(540, -60, 40), TRN_BLOCK_STONE); // Bob owns it
    set(&swimmers[1].party, at(540, -60, 40), TRN_BLOCK_AIR);
    settle(&swimmers[1].party);
    set(&swimmers[1].party, at(540, -60, 40), TRN_BLOCK_STONE);
    settle(&swimmers[1].party);
    for (int i = 0; i < 100; i++) {
        swim(&swimmers[0]);
        swim(&swimmers[1]);
        pause_ms(1);
    }
    assert_int_equal(trn_member_stats(swimmers[0].party.member).owned, 1);
    assert_int_equal(trn_member_stats(swimmers[1].party.member).owned, 1);
    dig_channel(swimmers[0].party.store);
    await_lone_world(swimmers, 2, lone);
    await_rest(swimmers, 2);
    assert_int_equal(count_differences(swimmers[0].party.store, lone), 0);
    assert_int_equal(count_differences(swimmers[1].party.store, lone), 0);
    assert_true(trn_fluid_stats(swimmers[0].fluid).changed_voxels > 0);
    assert_true(trn_fluid_stats(swimmers[1].fluid).changed_voxels > 0);
    Swimmer eve; // who comes later
    swimmer_open(&eve, "Eve", 10);
    assert_int_equal(count_differences(eve.party.store, lone), 0);
    swimmer_close(&eve);
    trn_store_destroy(lone);
    swimmer_close(&swimmers[1]);
    swimmer_close(&swimmers[0]);
}

/// A program that digs, and plays until it is killed. It tells how many voxels have flowed.
static int run_child(const char *url, const char *region)
{
    Swimmer swimmer;
    party_url = url;
    scene_place((uint32_t)strtoul(region, NULL, 10));
    swimmer_open(&swimmer, "Ada", 0.5);
    fill_pool(swimmer.party.store);
    settle(&swimmer.party);
    dig_channel(swimmer.party.store);
    settle(&swimmer.party);
    for (;;) {
        swim(&swimmer);
        const uint64_t changed = trn_fluid_stats(swimmer.fluid).changed_voxels;
        if (write(STDOUT_FILENO, &changed, sizeof changed) != (ssize_t)sizeof changed) {
            return CHILD_BAD;
        }
        pause_ms(3);
    }
}

/// Starts a program that digs, and kills it once some voxels have flowed.
static void kill_one_who_digs(uint64_t voxels)
{
    int ends[2], status;
    uint64_t changed = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(ends[0]);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[1]);
        char region[16];
        (void)snprintf(region, sizeof region, "%d", (int)(origin / REGION_VOXELS));
        (void)execl("/proc/self/exe", "child", party_url ? party_url : server.url, region,
                    (char *)NULL);
        _exit(CHILD_BAD);
    }
    (void)close(ends[1]);
    while (changed < voxels) {
        assert_int_equal(read(ends[0], &changed, sizeof changed), (ssize_t)sizeof changed);
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    (void)close(ends[0]);
}

/// Who comes after an owner that was killed finds what its liquids had yet to do.
static void the_next_owner_goes_on(void **state)
{
    (void)state;
    for (uint64_t voxels = 1; voxels < 200; voxels = voxels * 2 + 20) {
        Swimmer bob;
        drop_world();
        kill_one_who_digs(voxels);
        swimmer_open(&bob, "Bob", 0.5);
        TrnStore *lone = make_lone_world(bob.party.types);
        const uint32_t left = count_differences(bob.party.store, lone);
        print_message("killed at %u: %u voxels differ\n", (unsigned)voxels, left);
        assert_true(left > 0);
        await_lone_world(&bob, 1, lone);
        await_rest(&bob, 1);
        assert_int_equal(count_differences(bob.party.store, lone), 0);
        trn_store_destroy(lone);
        swimmer_close(&bob);
    }
}

/// Memory that ran out while a member learned what the owner before it had left is no reason to
/// forget that.
static void what_could_not_be_read_is_read_later(void **state)
{
    Swimmer bob;
    const TrnVoxel dry = at(460, -60, 40);
    (void)state;
    drop_world();
    kill_one_who_digs(20);
    postgres_sql(&server, "UPDATE terrane_leases SET ms = 3000, "
                          "expires = clock_timestamp() + interval '2 seconds'");
    swimmer_open(&bob, "Bob", 0.5);
    TrnStore *lone = make_lone_world(bob.party.types);
    set(&bob.party, dry, TRN_BLOCK_AIR);
    assert_int_equal(trn_member_update(bob.party.member), TRN_RESULT_OK);
    pause_ms(300);
    assert_int_equal(trn_member_stats(bob.party.member).owned, 0);
    is_test = true;
    atomic_store(&members_lack_memory, true);
    for (int i = 0; i < 500 && !trn_member_stats(bob.party.member).owned; i++) {
        pause_ms(10);
    }
    pause_ms(300);
    atomic_store(&members_lack_memory, false);
    assert_true(trn_member_stats(bob.party.member).owned > 0);
    set(&bob.party, dry, TRN_BLOCK_STONE);
    await_lone_world(&bob, 1, lone);
    await_rest(&bob, 1);
    trn_store_destroy(lone);
    swimmer_close(&bob);
}

/// A member that once lacked memory, for whatever it does first, makes edits afterwards.
static void one_lack_of_memory_is_over_afterwards(void **state)
{
    (void)state;
    is_test = true;
    for (int growths = 0; growths < 12; growths++) {
        Swimmer ada;
        drop_world();
        swimmer_open(&ada, "Ada", 0.5);
        fill_pool(ada.party.store);
        atomic_store(&members_grow, growths);
        assert_int_equal(trn_member_update(ada.party.member), TRN_RESULT_OK);
        settle(&ada.party);
        atomic_store(&members_grow, -1);
        set(&ada.party, at(460, -10, 10), TRN_BLOCK_AIR);
        settle(&ada.party);
        swimmer_close(&ada);
    }
}

/// What any client may have written for the next owner is left out if it is damaged, and goes once
/// the liquids are at rest.
static void damaged_dues_are_left_out(void **state)
{
    static const int sizes[] = {0, 1, 3, 4, 5, 40};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char sql[256];
        Swimmer ada, bob;
        drop_world();
        swimmer_open(&ada, "Ada", 0.5);
        set(&ada.party, at(460, -10, 10), TRN_BLOCK_AIR);
        settle(&ada.party);
        swimmer_close(&ada);
        (void)snprintf(sql, sizeof sql,
                       "INSERT INTO terrane_edits (region, member, number, bytes, change, expires) "
                       "SELECT region, 0, 1, decode(repeat('02', %d), 'hex'), 1, 'infinity' "
                       "FROM terrane_leases",
                       sizes[i]);
        postgres_sql(&server, sql);
        assert_int_equal(count_saved(), 1);
        swimmer_open(&bob, "Bob", 0.5);
        await_rest(&bob, 1);
        assert_int_equal(block_at(&bob.party, at(460, -10, 10)), TRN_BLOCK_AIR);
        swimmer_close(&bob);
    }
}

/// An owner who leaves in the middle: one who has the region loaded goes on.
static void one_who_sees_it_goes_on(void **state)
{
    Swimmer ada, bob;
    (void)state;
    drop_world();
    swimmer_open(&ada, "Ada", 2);
    swimmer_open(&bob, "Bob", 2);
    TrnStore *lone = make_lone_world(ada.party.types);
    fill_pool(ada.party.store);
    dig_channel(ada.party.store);
    for (int i = 0; i < 20; i++) {
        swim(&ada);
        swim(&bob);
        pause_ms(5);
    }
    settle(&ada.party);
    swimmer_close(&ada);
    await_lone_world(&bob, 1, lone);
    await_rest(&bob, 1);
    assert_int_equal(count_differences(bob.party.store, lone), 0);
    trn_store_destroy(lone);
    swimmer_close(&bob);
}

/// What Bob puts in the way while Ada's water flows there stays.
static void water_does_not_replace_what_was_put_meanwhile(void **state)
{
    Swimmer ada, bob;
    const TrnVoxel way = at(505, -4, 11);
    (void)state;
    drop_world();
    swimmer_open(&ada, "Ada", 10);
    swimmer_open(&bob, "Bob", 10);
    fill_pool(ada.party.store);
    set(&ada.party, way, TRN_BLOCK_AIR);
    settle(&ada.party);
    (void)await_block(&bob.party, way, TRN_BLOCK_AIR);
    set(&ada.party, at(504, -4, 11), TRN_BLOCK_AIR);
    for (int i = 0; i < 50 && block_at(&ada.party, way) == TRN_BLOCK_AIR; i++) {
        assert_int_equal(trn_member_update(ada.party.member), TRN_RESULT_OK);
        pause_ms(5);
        assert_int_equal(trn_fluid_step(ada.fluid, NULL), TRN_RESULT_OK);
    }
    assert_int_not_equal(block_at(&ada.party, way), TRN_BLOCK_AIR); // water, which Bob lacks
    set(&bob.party, way, TRN_BLOCK_DIRT);
    settle(&bob.party); // by Ada's thread
    settle(&ada.party);
    assert_int_equal(block_at(&ada.party, way), TRN_BLOCK_DIRT);
    (void)await_block(&bob.party, way, TRN_BLOCK_DIRT);
    swimmer_close(&bob);
    swimmer_close(&ada);
}

/// Ada digs in a chunk that she has not loaded: its water flows once she has.
static void water_flows_where_a_chunk_was_dug_unloaded(void **state)
{
    Swimmer ada;
    const TrnVoxel dug = at(504, -4, 11);
    const TrnCoord chunk = trn_voxel_chunk(dug);
    TrnBatch *batch;
    (void)state;
    drop_world();
    swimmer_open(&ada, "Ada", 10);
    fill_pool(ada.party.store);
    for (int i = 0; i < 50; i++) {
        swim(&ada);
        pause_ms(1);
    }
    settle(&ada.party);
    swim(&ada); // she owns the region
    assert_int_equal(trn_store_remove(ada.party.store, chunk), TRN_RESULT_OK);
    assert_int_equal(trn_batch_begin(ada.party.store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_set(batch, dug, TRN_BLOCK_AIR);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    settle(&ada.party);
    party_load(&ada.party, chunk);
    for (int i = 0; i < 2000 && block_at(&ada.party, dug) == TRN_BLOCK_AIR; i++) {
        swim(&ada);
        pause_ms(1);
    }
    assert_int_not_equal(block_at(&ada.party, dug), TRN_BLOCK_AIR);
    await_rest(&ada, 1);
    swimmer_close(&ada);
}

/// Digging where there are no liquids saves nothing more than the chunk.
static void dry_edits_save_no_queue(void **state)
{
    Swimmer ada, bob;
    (void)state;
    drop_world();
    swimmer_open(&ada, "Ada", 10);
    swimmer_open(&bob, "Bob", 10);
    for (int i = 0; i < 4; i++) {
        const TrnVoxel dug = at(460 + 2 * i, -10, 10);
        const Party *digger = i < 2 ? &ada.party : &bob.party; // Ada owns the region
        set(digger, dug, TRN_BLOCK_AIR);
        settle(digger);
        assert_int_equal(count_saved(), 0);
        assert_int_equal(trn_member_stats(ada.party.member).flowing, 0);
    }
    swimmer_close(&bob);
    swimmer_close(&ada);
}

// ---- cost --------------------------------------------------------------------------------------

static double cpu_ms(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/// Empties a hall, and hangs curtains of water into it.
static void open_curtains(TrnStore *store)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_fill_box(batch, at(448, -20, 0), at(575, -4, 63), TRN_BLOCK_AIR);
    for (int64_t x = 456; x < 570; x += 8) {
        trn_batch_fill_box(batch, at(x, -4, 1), at(x, -4, 62), TRN_BLOCK_WATER);
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// Lets curtains of water fall. @param member  NULL: alone
/// @return milliseconds of this thread, for steps and updates
static double fall(TrnStore *store, TrnFluid *fluid, TrnMember *member, uint64_t *voxels)
{
    double ms = 0;
    const uint64_t before = trn_fluid_stats(fluid).changed_voxels;
    open_curtains(store);
    do {
        const double start = cpu_ms(CLOCK_THREAD_CPUTIME_ID);
        assert_int_equal(trn_fluid_step(fluid, NULL), TRN_RESULT_OK);
        if (member) {
            assert_int_equal(trn_member_update(member), TRN_RESULT_OK);
        }
        ms += cpu_ms(CLOCK_THREAD_CPUTIME_ID) - start;
        pause_ms(10);
    } while (trn_fluid_stats(fluid).due_voxels);
    *voxels = trn_fluid_stats(fluid).changed_voxels - before;
    return ms;
}

/// 20,000 voxels end as in a lone world. It prints what they cost the game's thread in both.
static void a_flood_ends_as_alone(void **state)
{
    (void)state;
    Swimmer ada;
    uint64_t alone, shared;
    drop_world();
    swimmer_open(&ada, "Ada", 10);
    TrnStore *lone = make_stone(ada.party.types);
    TrnFluid *fluid = make_fluid(ada.party.types, lone);
    const double alone_ms = fall(lone, fluid, NULL, &alone);
    set(&ada.party, at(450, -30, 5), TRN_BLOCK_AIR);
    set(&ada.party, at(550, -30, 5), TRN_BLOCK_AIR);
    settle(&ada.party); // she owns both regions
    set(&ada.party, at(450, -30, 5), TRN_BLOCK_STONE);
    set(&ada.party, at(550, -30, 5), TRN_BLOCK_STONE);
    settle(&ada.party);
    const double before_ms = cpu_ms(CLOCK_PROCESS_CPUTIME_ID);
    const double shared_ms = fall(ada.party.store, ada.fluid, ada.party.member, &shared);
    settle(&ada.party);
    print_message("alone: %u voxels, %.1f ms; shared: %u voxels, %.1f ms, %.1f with the member's "
                  "thread; %.2f\n",
                  (unsigned)alone, alone_ms, (unsigned)shared, shared_ms,
                  cpu_ms(CLOCK_PROCESS_CPUTIME_ID) - before_ms, shared_ms / alone_ms);
    await_lone_world(&ada, 1, lone);
    trn_fluid_destroy(fluid);
    trn_store_destroy(lone);
    swimmer_close(&ada);
}

// ---- random ticks ------------------------------------------------------------------------------

static TrnResult count_tick(void *user, TrnBatch *batch, const TrnTick *tick)
{
    (void)batch, (void)tick;
    ++*(uint32_t *)user;
    return TRN_RESULT_OK;
}

static TrnTicks *make_ticks(TrnStore *store, uint32_t *counted)
{
    TrnTicksDef def = trn_ticks_def();
    TrnTicks *ticks;
    def.tick = count_tick;
    def.user = counted;
    assert_int_equal(trn_ticks_create(store, &def, &ticks), TRN_RESULT_OK);
    return ticks;
}

/// Two members have one field of wheat: it ticks in one of them, and in the other once that one
/// has left.
static void one_member_ticks(void **state)
{
    Party parties[2];
    TrnTicks *ticks[2];
    uint32_t counted[2] = {0, 0};
    uint64_t step = 0;
    TrnBlock wheat;
    (void)state;
    postgres_drop(&server);
    TrnMemberDef def = party_def();
    def.lease_seconds = 1;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(party_open(&parties[i], def), TRN_RESULT_OK);
        party_load(&parties[i], here);
        ticks[i] = make_ticks(parties[i].store, &counted[i]);
    }
    assert_int_equal(trn_block_types_find(parties[0].types, "terrane:wheat_0", &wheat),
                     TRN_RESULT_OK);
    assert_int_equal(
        trn_store_fill(parties[1].store, trn_store_find(parties[1].store, here), wheat),
        TRN_RESULT_OK);
    settle(&parties[1]); // who owns the region
    (void)await_block(&parties[0], spot, wheat);
    counted[1] = 0;
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 2; k++) {
            assert_int_equal(trn_ticks_step(ticks[k], step++, &here, 1, NULL), TRN_RESULT_OK);
            assert_int_equal(trn_member_update(parties[k].member), TRN_RESULT_OK);
        }
        pause_ms(1);
    }
    assert_int_equal(counted[0], 0);
    assert_true(counted[1] >= 500); // of 600 draws, a few before it knew that it owns the region
    trn_ticks_destroy(ticks[1]);
    party_close(&parties[1]);
    for (int i = 0; i < 5000 && counted[0] == 0; i++) {
        assert_int_equal(trn_ticks_step(ticks[0], step++, &here, 1, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_member_update(parties[0].member), TRN_RESULT_OK);
        pause_ms(1);
    }
    assert_true(counted[0] > 0);
    trn_ticks_destroy(ticks[0]);
    party_close(&parties[0]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_fills_across_a_border_of_owners),
        cmocka_unit_test(the_next_owner_goes_on),
        cmocka_unit_test(what_could_not_be_read_is_read_later),
        cmocka_unit_test(one_lack_of_memory_is_over_afterwards),
        cmocka_unit_test(damaged_dues_are_left_out),
        cmocka_unit_test(one_who_sees_it_goes_on),
        cmocka_unit_test(water_does_not_replace_what_was_put_meanwhile),
        cmocka_unit_test(water_flows_where_a_chunk_was_dug_unloaded),
        cmocka_unit_test(dry_edits_save_no_queue),
        cmocka_unit_test(one_member_ticks),
        cmocka_unit_test(a_flood_ends_as_alone)};
    const struct CMUnitTest on_servers[] = {
        cmocka_unit_test(a_channel_fills_across_a_border_of_owners),
        cmocka_unit_test(the_next_owner_goes_on), cmocka_unit_test(one_who_sees_it_goes_on)};
    if (argc > 2) {
        return run_child(argv[1], argv[2]);
    }
    int failures = PARTY_RUN("shared_member_fluid", tests);
    if (servers_begin()) {
        static ServersUrl url;
        url = servers_url("012");
        party_url = url.text;
        scene_place(region_of_border());
        failures += cmocka_run_group_tests_name("on three servers", on_servers, NULL, NULL);
    }
    servers_end();
    return failures;
}
