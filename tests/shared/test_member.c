/// Members of a shared world: edits reach the owners of their regions, and everybody else. Without
/// a server, or without libpq, the test is skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "no_memory.h"
#include "party.h"

// ---- seeing others -----------------------------------------------------------------------------

static const TrnCoord beside = {2, 0, 1}, beyond = {-1, 0, 1};

/// Ada digs first and owns the region; Bob hands his edits to her.
static void edits_are_seen(TrnMemberDef def)
{
    Party ada, bob;
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    def.name = "Bob";
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, here);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_GRASS);
    set(&bob, other_spot, TRN_BLOCK_SAND);
    assert_int_equal(trn_member_update(bob.member), TRN_RESULT_OK);
    assert_int_equal(block_at(&bob, other_spot), TRN_BLOCK_SAND); // at once
    (void)await_block(&ada, other_spot, TRN_BLOCK_SAND);
    settle(&bob);
    const TrnMemberStats of_ada = trn_member_stats(ada.member),
                         of_bob = trn_member_stats(bob.member);
    assert_int_equal(of_ada.owned, 1);
    assert_int_equal(of_ada.executed, 2);
    assert_int_equal(of_ada.applied, 1);
    assert_int_equal(of_bob.owned, 0);
    assert_int_equal(of_bob.acknowledged, 1);
    assert_int_equal(block_at(&bob, spot), TRN_BLOCK_GRASS);
    pause_ms(300); // others are told of what comes after a while
    set(&ada, spot, TRN_BLOCK_STONE);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_STONE);
    for (int i = 0; i < 1000 && def.has_notify && !trn_member_stats(bob.member).notifies; i++) {
        pause_ms(10);
    }
    assert_int_equal(trn_member_stats(bob.member).notifies > 0, def.has_notify);
    // A chunk that is loaded later has it too, and so has a third program.
    party_close(&ada);
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    party_load(&ada, here);
    assert_int_equal(block_at(&ada, spot), TRN_BLOCK_STONE);
    assert_int_equal(block_at(&ada, other_spot), TRN_BLOCK_SAND);
    party_close(&ada);
    party_close(&bob);
}

static void edits_are_seen_with_hints(void **state)
{
    (void)state;
    edits_are_seen(party_def()); // a poll a second would take longer than the test
}

static void edits_are_seen_by_polls_alone(void **state)
{
    (void)state;
    TrnMemberDef def = party_def();
    def.has_notify = false;
    def.poll_seconds = 0.02;
    edits_are_seen(def);
}

/// Updates until a chunk is the same as in another store, which does not change.
static void await_agreement(const Party *party, const Party *other, TrnCoord coord)
{
    const double start = now_ms();
    TrnSnapshot mine, wanted;
    assert_int_equal(trn_store_snapshot(other->store, coord, &wanted), TRN_RESULT_OK);
    do {
        assert_true(now_ms() - start < SETTLE_SECONDS * 1e3);
        assert_int_equal(trn_member_update(party->member), TRN_RESULT_OK);
        pause_ms(1);
        assert_int_equal(trn_store_snapshot(party->store, coord, &mine), TRN_RESULT_OK);
    } while (!trn_snapshot_equal(mine, wanted));
}

/// Both dig everywhere at once, in two regions. In the end both see the same, which is what a
/// third program loads.
static void all_see_the_same_in_the_end(void **state)
{
    (void)state;
    enum { EDITS = 300, PLACES = 4 };
    const TrnCoord chunks[] = {here, beside, beyond};
    Party parties[3];
    uint32_t random = 12345;
    TrnMemberDef def = party_def();
    postgres_drop(&server);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(party_open(&parties[i], def), TRN_RESULT_OK);
        for (int k = 0; k < 3; k++) {
            party_load(&parties[i], chunks[k]);
        }
    }
    for (int i = 0; i < EDITS; i++) {
        random = random * 1664525u + 1013904223u;
        const TrnVoxel low = trn_coord_voxel(chunks[(random >> 8) % 3]);
        const TrnVoxel voxel = {low.x + (random >> 12) % PLACES, low.y + (random >> 16) % PLACES,
                                low.z};
        set(&parties[(random >> 20) % 2], voxel, (TrnBlock)(1 + (random >> 24) % 5));
        assert_int_equal(trn_member_update(parties[i % 2].member), TRN_RESULT_OK);
        if (i % 20 == 0) {
            pause_ms(2);
        }
    }
    settle(&parties[0]);
    settle(&parties[1]);
    settle(&parties[0]); // all edits are committed; the last ones may be on their way to the other
    assert_int_equal(party_open(&parties[2], def), TRN_RESULT_OK);
    for (int k = 0; k < 3; k++) {
        party_load(&parties[2], chunks[k]);
        await_agreement(&parties[0], &parties[2], chunks[k]);
        await_agreement(&parties[1], &parties[2], chunks[k]);
    }
    const TrnMemberStats of[] = {trn_member_stats(parties[0].member),
                                 trn_member_stats(parties[1].member)};
    assert_int_equal(of[0].owned + of[1].owned, 2);
    assert_int_equal(of[0].edits + of[1].edits, of[0].executed + of[1].executed);
    for (int i = 0; i < 3; i++) {
        party_close(&parties[i]);
    }
}

/// What is removed from the database is as the land again; and a chunk that is inserted after it
/// changed is loaded again.
static void removals_and_late_chunks_are_followed(void **state)
{
    (void)state;
    Party ada, bob;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    postgres_drop(&server);
    TrnMemberDef def = party_def();
    def.poll_seconds = 0.05;
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, beside); // of the same region
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    for (int i = 0; i < 200 && trn_member_stats(bob.member).polls < 2; i++) {
        pause_ms(10);
    }
    // Bob's stream had loaded this before, and inserts it now.
    assert_int_equal(trn_store_insert_voxels(bob.store, here, blocks, NULL), TRN_RESULT_OK);
    (void)await_block(&bob, spot, TRN_BLOCK_GRASS);
    TrnStorage third;
    const TrnStorageRow removal = {.key = {here, 0}, .revision = 9};
    const TrnStorageBatch batch = {.rows = &removal, .row_count = 1};
    assert_int_equal(trn_storage_open_any(server.url, TRN_STORAGE_OPEN, &third, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(third.put(third.user, &batch), TRN_RESULT_OK);
    (void)await_block(&bob, spot, TRN_BLOCK_AIR);
    third.close(third.user);
    party_close(&ada);
    party_close(&bob);
}

static const TrnBlock air = TRN_BLOCK_AIR, sand = TRN_BLOCK_SAND;

/// Waits until all that was committed before has been looked at.
static void await_polls(const Party *party)
{
    const uint64_t before = trn_member_stats(party->member).polls;
    for (int i = 0; i < 1000 && trn_member_stats(party->member).polls < before + 2; i++) {
        pause_ms(10);
    }
    assert_true(trn_member_stats(party->member).polls >= before + 2);
}

/// Puts chunks of sand, as a program without leases does.
static void put_sand(const Party *party, const TrnCoord *chunks, size_t count)
{
    TrnSave *save;
    TrnSaveDef def = trn_save_def();
    def.types = party->types;
    assert_int_equal(trn_storage_open_any(server.url, TRN_STORAGE_OPEN, &def.storage, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(trn_save_put(save, chunks[i], 0, &sand, true), TRN_RESULT_OK);
    }
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
}

static void insert_air(const Party *party, TrnCoord coord)
{
    assert_int_equal(trn_store_insert_data(party->store, coord, &air, true, NULL, 0, NULL),
                     TRN_RESULT_OK);
}

/// More regions have chunks that changed while they were not loaded than the member lists. It sees
/// all changes all the same.
static void changes_beyond_the_limit_are_seen(void **state)
{
    (void)state;
    enum { LISTED = TRN_MEMBER_CHANGED_BYTES_MAX / 512, REGIONS = LISTED + 5 };
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static TrnCoord chunks[REGIONS];
    Party bob;
    TrnMemberDef def = party_def();
    def.has_notify = false;
    def.poll_seconds = 0.05;
    postgres_drop(&server);
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    const TrnStreamSource source = trn_member_source(bob.member);
    for (int32_t i = 0; i < REGIONS; i++) {
        chunks[i] = (TrnCoord){(i - REGIONS / 2) * TRN_REGION_CHUNKS, 0, -1};
        const TrnStreamJob job = {.coord = chunks[i]};
        bool is_uniform;
        assert_int_equal(source.load(source.user, &job, blocks, &is_uniform), TRN_RESULT_NOT_FOUND);
    }
    put_sand(&bob, chunks, REGIONS);
    await_polls(&bob);
    TrnMemberStats stats = trn_member_stats(bob.member);
    assert_int_equal(stats.regions, REGIONS);
    assert_int_equal(stats.changed_bytes, TRN_MEMBER_CHANGED_BYTES_MAX);
    assert_int_equal(stats.reloaded, 0);
    // The stream had loaded these before, and inserts them now with a chunk that did not change.
    for (size_t i = 0; i < REGIONS; i++) {
        insert_air(&bob, chunks[i]);
        insert_air(&bob, trn_coord_add(chunks[i], 1, 0, 0));
    }
    for (size_t i = 0; i < REGIONS; i++) {
        (void)await_block(&bob, trn_coord_voxel(chunks[i]), sand);
    }
    settle(&bob);
    stats = trn_member_stats(bob.member);
    assert_int_equal(stats.reloaded, REGIONS + (REGIONS - LISTED)); // beyond the limit, all
    assert_int_equal(stats.changed_bytes, 0);
    for (size_t i = 0; i < REGIONS; i++) {
        const TrnCoord other = trn_coord_add(chunks[i], 1, 0, 0);
        assert_int_equal(block_at(&bob, trn_coord_voxel(other)), air);
    }
    party_close(&bob);
}

/// Others change more loaded chunks than may wait for an update, in several regions. The rest is
/// fetched as the game takes them.
static void chunks_of_others_wait_in_bounded_memory(void **state)
{
    (void)state;
    enum { CHUNKS = 3 * TRN_MEMBER_FETCHED_MAX };
    static TrnCoord chunks[CHUNKS];
    Party bob;
    TrnMemberDef def = party_def();
    def.poll_seconds = 0.05;
    postgres_drop(&server);
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    for (int32_t i = 0; i < CHUNKS; i++) {
        chunks[i] = (TrnCoord){i / 48, i % 48 / 4, i % 4}; // 32 x 12 x 4
        party_load(&bob, chunks[i]);
    }
    put_sand(&bob, chunks, CHUNKS);
    await_polls(&bob);
    await_polls(&bob);
    assert_int_equal(trn_member_stats(bob.member).fetched, TRN_MEMBER_FETCHED_MAX);
    put_sand(&bob, &here, 1); // polls go on, and nothing is fetched
    await_polls(&bob);
    assert_int_equal(trn_member_stats(bob.member).fetched, TRN_MEMBER_FETCHED_MAX);
    uint32_t most = 0;
    for (size_t i = 0; i < CHUNKS; i++) {
        (void)await_block(&bob, trn_coord_voxel(chunks[i]), sand);
        const uint32_t fetched = trn_member_stats(bob.member).fetched;
        most = fetched > most ? fetched : most;
    }
    assert_true(most <= TRN_MEMBER_FETCHED_MAX);
    settle(&bob);
    assert_int_equal(trn_member_stats(bob.member).applied, CHUNKS);
    assert_int_equal(trn_member_stats(bob.member).reloaded, 0);
    party_close(&bob);
}

/// A loaded chunk that changes is loaded once, not again when it is unloaded and comes back.
static void a_loaded_chunk_is_not_listed(void **state)
{
    (void)state;
    Party ada, bob;
    TrnMemberDef def = party_def();
    def.poll_seconds = 0.05;
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, here);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_GRASS);
    await_polls(&bob);
    assert_int_equal(trn_store_remove(bob.store, here), TRN_RESULT_OK);
    party_load(&bob, here);
    const TrnMemberStats stats = trn_member_stats(bob.member);
    assert_int_equal(stats.reloaded, 0);
    assert_int_equal(stats.changed_bytes, 0);
    assert_int_equal(block_at(&bob, spot), TRN_BLOCK_GRASS);
    party_close(&ada);
    party_close(&bob);
}

/// An edit of a chunk that is not loaded goes to the owner too.
static void pending_edits_are_handed_over(void **state)
{
    (void)state;
    Party ada, bob;
    TrnBatch *batch;
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, party_def()), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, party_def()), TRN_RESULT_OK);
    party_load(&bob, here);
    assert_int_equal(trn_batch_begin(ada.store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_fill_sphere(batch, spot, 2, TRN_BLOCK_SAND), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    settle(&ada);
    assert_int_equal(trn_edits_stats(ada.store).pending_chunks, 0);
    (void)await_block(&bob, spot, TRN_BLOCK_SAND);
    party_close(&ada);
    party_close(&bob);
}

/// A change that lacked memory is counted and named, and the figures say when that is over. Made
/// again it is seen. Pending edits are not lost.
static void lost_changes_are_named_and_over(void **state)
{
    (void)state;
    Party ada, bob;
    TrnBatch *batch;
    const TrnVoxel far_off = {spot.x, spot.y + (int64_t)8 * TRN_CHUNK_EDGE, spot.z};
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, party_def()), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, party_def()), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, here);
    set(&ada, other_spot, TRN_BLOCK_GRASS); // the store's own arrays have capacity from now on
    settle(&ada);
    assert_false(trn_member_stats(ada.member).is_losing);
    lacks_memory = true;
    set(&ada, spot, TRN_BLOCK_SAND);
    lacks_memory = false;
    TrnMemberStats stats = trn_member_stats(ada.member);
    assert_int_equal(stats.lost, 1);
    assert_true(stats.is_losing && trn_coord_equal(stats.lost_chunk, here));
    set(&ada, other_spot, TRN_BLOCK_SAND);
    settle(&ada);
    stats = trn_member_stats(ada.member);
    assert_int_equal(stats.lost, 1);
    assert_true(!stats.is_losing && trn_coord_equal(stats.lost_chunk, here));
    (void)await_block(&bob, other_spot, TRN_BLOCK_SAND);
    assert_int_equal(block_at(&bob, spot), TRN_BLOCK_AIR);
    set(&ada, spot, TRN_BLOCK_AIR); // again
    set(&ada, spot, TRN_BLOCK_SAND);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_SAND);

    assert_int_equal(trn_batch_begin(ada.store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, far_off, TRN_BLOCK_SAND), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    lacks_memory = true;
    (void)trn_member_update(ada.member);
    lacks_memory = false;
    assert_int_equal(trn_edits_stats(ada.store).pending_chunks, 1);
    settle(&ada);
    assert_int_equal(trn_edits_stats(ada.store).pending_chunks, 0);
    assert_int_equal(trn_member_stats(ada.member).lost, 1);
    party_load(&bob, (TrnCoord){here.x, here.y + 8, here.z});
    assert_int_equal(block_at(&bob, far_off), TRN_BLOCK_SAND);
    party_close(&ada);
    party_close(&bob);
}

/// An edit for another owner waits while memory lacks, and is not taken back.
static void an_edit_that_lacks_memory_waits(void **state)
{
    (void)state;
    Party ada, bob;
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, party_def()), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, party_def()), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, here);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada); // she owns the region
    (void)await_block(&bob, spot, TRN_BLOCK_GRASS);
    is_test = true;
    postgres_background(&server, "-c 'BEGIN' -c 'LOCK terrane_edits' -c 'SELECT pg_sleep(1.5)' "
                                 "-c 'COMMIT'");
    postgres_await_sleep(&server);
    set(&bob, spot, TRN_BLOCK_SAND); // Bob's thread waits for the server with it
    assert_int_equal(trn_member_update(bob.member), TRN_RESULT_OK);
    pause_ms(300);
    set(&bob, other_spot, TRN_BLOCK_SAND);
    assert_int_equal(trn_member_update(bob.member), TRN_RESULT_OK);
    atomic_store(&members_lack_memory, true);
    pause_ms(2500);
    atomic_store(&members_lack_memory, false);
    settle(&bob);
    assert_int_equal(trn_member_stats(bob.member).refused, 0);
    assert_int_equal(block_at(&bob, other_spot), TRN_BLOCK_SAND);
    (void)await_block(&ada, spot, TRN_BLOCK_SAND);
    (void)await_block(&ada, other_spot, TRN_BLOCK_SAND);
    party_close(&ada);
    party_close(&bob);
}

static void players_see_each_other(void **state)
{
    (void)state;
    Party ada, bob;
    TrnMemberDef def = party_def();
    TrnMemberPlayer seen[2] = {{.name = ""}};
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    def.name = "Bob";
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    trn_member_set_place(bob.member, (double[]){1e9 + 0.25, -7, 3.5}, 90, -30);
    size_t count = 0;
    for (int i = 0; i < 500 && !count; i++) {
        pause_ms(5);
        count = trn_member_others(ada.member, seen, 2);
    }
    assert_int_equal(count, 1);
    assert_string_equal(seen[0].name, "Bob");
    assert_true(seen[0].place[0] == 1e9 + 0.25 && seen[0].place[1] == -7 && seen[0].yaw == 90 &&
                seen[0].pitch == -30);
    assert_int_equal(trn_member_others(bob.member, NULL, 0), 0); // Ada has told no place
    postgres_sql(&server, // players of any client who are at no place, and one who is
                 "INSERT INTO terrane_players SELECT -n, 'Eve'::bytea, "
                 "CASE n WHEN 1 THEN 'NaN'::float8 ELSE 0 END, 0, 0, "
                 "CASE n WHEN 2 THEN 'Infinity'::float8 ELSE 0 END, "
                 "CASE n WHEN 3 THEN 'NaN'::float8 ELSE 0 END, "
                 "clock_timestamp() + interval '9 s' FROM generate_series(1, 4) AS n");
    for (int i = 0; i < 500 && count < 2; i++) {
        pause_ms(5);
        count = trn_member_others(ada.member, seen, 2);
    }
    assert_int_equal(count, 2);
    postgres_sql(&server, "DELETE FROM terrane_players WHERE member < 0");
    party_close(&bob);
    for (int i = 0; i < 500 && count; i++) {
        pause_ms(5);
        count = trn_member_others(ada.member, seen, 2);
    }
    assert_int_equal(count, 0);
    party_close(&ada);
}

// ---- names of blocks ---------------------------------------------------------------------------

/// Saves one block of a type in a chunk.
static void save_type(TrnSave *save, TrnBlockTypes *types, const char *name, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnBlock block;
    if (trn_block_types_find(types, name, &block) != TRN_RESULT_OK) {
        assert_int_equal(trn_block_types_add_unknown(types, name, &block), TRN_RESULT_OK);
    }
    blocks[9] = block;
    assert_int_equal(trn_save_put(save, coord, 0, blocks, false), TRN_RESULT_OK);
}

static const char *loaded_type(TrnSave *save, TrnBlockTypes *types, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnStreamSource source = trn_save_source(save);
    const TrnStreamJob job = {.coord = coord};
    bool is_uniform = false;
    const TrnResult result = source.load(source.user, &job, blocks, &is_uniform);
    return result == TRN_RESULT_OK ? trn_block_types_get(types, blocks[9])->name : "";
}

/// Two programs add names at the same time, in different orders.
static void names_that_two_programs_add_are_merged(void **state)
{
    (void)state;
    static const char *const names[2][3] = {{"a:one", "c:both", "a:two"},
                                            {"b:one", "b:two", "c:both"}};
    TrnSave *saves[2];
    TrnBlockTypes *types[2];
    postgres_drop(&server);
    for (int i = 0; i < 2; i++) {
        TrnSaveDef def = trn_save_def();
        def.commit_seconds = 100;
        assert_int_equal(trn_block_types_create_builtin(NULL, &types[i]), TRN_RESULT_OK);
        for (int k = 0; k < 3; k++) { // both know all
            TrnBlock block;
            (void)trn_block_types_add_unknown(types[i], names[0][k], &block);
            (void)trn_block_types_add_unknown(types[i], names[1][k], &block);
        }
        def.types = types[i];
        assert_int_equal(trn_storage_open_any(server.url, TRN_STORAGE_EITHER, &def.storage, NULL),
                         TRN_RESULT_OK);
        assert_int_equal(trn_save_create(&def, &saves[i], NULL), TRN_RESULT_OK);
    }
    for (int32_t k = 0; k < 3; k++) {
        for (int32_t i = 0; i < 2; i++) {
            save_type(saves[i], types[i], names[i][k], (TrnCoord){k, i, 0});
            assert_int_equal(trn_save_flush(saves[i]), TRN_RESULT_OK);
        }
    }
    for (int32_t k = 0; k < 3; k++) {
        for (int32_t i = 0; i < 2; i++) {
            for (int reader = 0; reader < 2; reader++) {
                assert_string_equal(loaded_type(saves[reader], types[reader], (TrnCoord){k, i, 0}),
                                    names[i][k]);
            }
        }
    }
    // A name that a program does not know is no damage.
    save_type(saves[0], types[0], "a:new", here);
    assert_int_equal(trn_save_flush(saves[0]), TRN_RESULT_OK);
    assert_string_equal(loaded_type(saves[1], types[1], here), "");
    assert_int_equal(trn_save_stats(saves[1]).damaged, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trn_save_destroy(saves[i]), TRN_RESULT_OK);
        trn_block_types_destroy(types[i]);
    }
    postgres_sql(&server, "SELECT count(*), count(DISTINCT bytes) FROM terrane_values WHERE name "
                          "LIKE 'terrane/block/%'::bytea");
    assert_string_equal(server.place.text, "6|6\n");
}

static void only_a_valid_def_joins(void **state)
{
    (void)state;
    Party party;
    TrnMemberDef def = party_def();
    char name[TRN_MEMBER_NAME_BYTES + 1];
    memset(name, 'a', sizeof name);
    name[TRN_MEMBER_NAME_BYTES] = '\0';
    postgres_drop(&server);
    def.name = name; // a byte too long
    assert_int_equal(party_open(&party, def), TRN_RESULT_BAD_ARGUMENT);
    assert_null(party.member);
    name[TRN_MEMBER_NAME_BYTES - 1] = '\0';
    def.save = party.save;
    def.store = party.store;
    def.lease_seconds = 0;
    assert_int_equal(trn_member_create(&def, &party.member, NULL), TRN_RESULT_BAD_ARGUMENT);
    def.lease_seconds = 3;
    def.land.generate = NULL;
    assert_int_equal(trn_member_create(&def, &party.member, NULL), TRN_RESULT_BAD_ARGUMENT);
    def.land.generate = generate;
    assert_int_equal(trn_member_create(&def, &party.member, NULL), TRN_RESULT_OK);
    // One member a save: its leases have begun.
    TrnMember *second = NULL;
    assert_int_equal(trn_member_create(&def, &second, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_null(second);
    party_close(&party);
    // And none without a database.
    TrnSaveDef save = trn_save_def();
    TrnStore *store;
    assert_int_equal(trn_block_types_create_builtin(NULL, &save.types), TRN_RESULT_OK);
    assert_int_equal(trn_storage_memory(NULL, &save.storage), TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&save, &def.save, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    def.store = store;
    assert_int_equal(trn_member_create(&def, &second, NULL), TRN_RESULT_BAD_ARGUMENT);
    trn_store_destroy(store);
    assert_int_equal(trn_save_destroy(def.save), TRN_RESULT_OK);
    trn_block_types_destroy(save.types);
}

/// Polls alone find a change soon after another, and come rarely where nothing changes.
static void polls_are_as_frequent_as_changes(void **state)
{
    (void)state;
    Party ada, bob;
    TrnMemberDef def = party_def();
    def.has_notify = false;
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, here);
    pause_ms(3000);
    uint64_t before = trn_member_stats(bob.member).polls;
    pause_ms(2500);
    assert_in_range(trn_member_stats(bob.member).polls - before, 1, 4);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_GRASS);
    before = trn_member_stats(bob.member).polls;
    for (int i = 0; i < 20; i++) {
        set(&ada, spot, (TrnBlock)(1 + i % 2));
        settle(&ada);
        (void)await_block(&bob, spot, (TrnBlock)(1 + i % 2));
    }
    assert_true(trn_member_stats(bob.member).polls - before >= 10);
    party_close(&ada);
    party_close(&bob);
}

/// How many transactions have written.
static int64_t transactions(void)
{
    postgres_sql(&server, "SELECT pg_current_xact_id()");
    return strtoll(server.place.text, NULL, 10);
}

/// Ada owns the region; each second edit is Bob's, who hands it to her.
static void an_edit_takes_few_commits(void **state)
{
    (void)state;
    enum { EDITS = 20 };
    Party ada, bob;
    TrnMemberDef def = party_def();
    postgres_drop(&server);
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, here);
    set(&ada, spot, TRN_BLOCK_GRASS);
    settle(&ada);
    const int64_t before = transactions();
    for (int i = 0; i < EDITS; i++) {
        const Party *from = i % 2 ? &bob : &ada, *to = i % 2 ? &ada : &bob;
        pause_ms(100);
        set(from, spot, (TrnBlock)(1 + i % 5));
        assert_int_equal(trn_member_update(from->member), TRN_RESULT_OK);
        (void)await_block(to, spot, (TrnBlock)(1 + i % 5));
        settle(from);
    }
    const int64_t commits = transactions() - before;
    print_message("%d edits, %d commits\n", EDITS, (int)commits);
    assert_in_range(commits, EDITS, 4 * EDITS); // with renewals of the lease
    party_close(&ada);
    party_close(&bob);
}

/// An edit that changes nothing is answered, also if nothing has ever changed in its region.
static void an_edit_that_changes_nothing_is_acknowledged(void **state)
{
    (void)state;
    Party parties[2]; // the first owns the region
    postgres_drop(&server);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(party_open(&parties[i], party_def()), TRN_RESULT_OK);
        party_load(&parties[i], here);
        set(&parties[i], spot, TRN_BLOCK_STONE);
        set(&parties[i], spot, TRN_BLOCK_AIR);
        settle(&parties[i]);
    }
    assert_int_equal(trn_member_stats(parties[1].member).owned, 0);
    assert_int_equal(trn_member_stats(parties[1].member).refused, 0);
    party_close(&parties[1]);
    party_close(&parties[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_seen_with_hints),
        cmocka_unit_test(edits_are_seen_by_polls_alone),
        cmocka_unit_test(polls_are_as_frequent_as_changes),
        cmocka_unit_test(an_edit_takes_few_commits),
        cmocka_unit_test(an_edit_that_changes_nothing_is_acknowledged),
        cmocka_unit_test(all_see_the_same_in_the_end),
        cmocka_unit_test(removals_and_late_chunks_are_followed),
        cmocka_unit_test(changes_beyond_the_limit_are_seen),
        cmocka_unit_test(chunks_of_others_wait_in_bounded_memory),
        cmocka_unit_test(a_loaded_chunk_is_not_listed),
        cmocka_unit_test(pending_edits_are_handed_over),
        cmocka_unit_test(lost_changes_are_named_and_over),
        cmocka_unit_test(an_edit_that_lacks_memory_waits),
        cmocka_unit_test(players_see_each_other),
        cmocka_unit_test(names_that_two_programs_add_are_merged),
        cmocka_unit_test(only_a_valid_def_joins)};
    return PARTY_RUN("shared_member", tests);
}
