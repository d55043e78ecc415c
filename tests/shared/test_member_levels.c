/// The levels of detail that owners of regions make: of what any member changes, and as
/// trn_save_fold makes them, also where an owner ends in the middle. Without a server it is
/// skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "party.h"

#include <sys/wait.h>
#include <unistd.h>

#define LEVELS 4
#define CHILD_BAD 3
#define LEASE_SECONDS 0.5

/// Stone below y = 0 at all levels.
static TrnGenerator levels_land(void)
{
    return (TrnGenerator){.generate = generate, .level_max = LEVELS};
}

static void fill(const Party *party, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(party->store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_fill_box(batch, min, max, block);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// Returns the chunk of a level that has a chunk of level 0.
static TrnCoord at_level(TrnCoord coord, uint32_t level)
{
    return (TrnCoord){coord.x >> level, coord.y >> level, coord.z >> level};
}

/// Loads a chunk of a level from a save. @return false: it has no row
static bool load_level(TrnSave *save, TrnCoord coord, uint32_t level, TrnBlock *blocks)
{
    bool is_uniform = false;
    const TrnResult result = trn_save_get(save, coord, level, blocks, &is_uniform);
    for (uint32_t i = 1; i < TRN_CHUNK_VOXELS && is_uniform; i++) {
        blocks[i] = blocks[0];
    }
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NOT_FOUND);
    return result == TRN_RESULT_OK;
}

/// Returns a save in memory with the level 0 of a party's chunk, and what is folded of it.
static TrnSave *fold_alone(const Party *party, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnGenerator land = levels_land();
    TrnSaveDef def = trn_save_def();
    TrnSnapshot snapshot;
    TrnSave *save;
    def.types = party->types;
    assert_int_equal(trn_storage_memory(NULL, &def.storage), TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_snapshot(party->store, coord, &snapshot), TRN_RESULT_OK);
    trn_snapshot_decode(snapshot, blocks);
    assert_int_equal(trn_save_put(save, coord, 0, blocks, false), TRN_RESULT_OK);
    assert_int_equal(trn_save_fold(save, &land, LEVELS, NULL, NULL), TRN_RESULT_OK);
    return save;
}

static void compare_levels(const Party *party, TrnCoord coord)
{
    static TrnBlock has[TRN_CHUNK_VOXELS], wanted[TRN_CHUNK_VOXELS];
    TrnSave *alone = fold_alone(party, coord);
    for (uint32_t level = 1; level <= LEVELS; level++) {
        assert_true(load_level(alone, at_level(coord, level), level, wanted));
        assert_true(load_level(party->save, at_level(coord, level), level, has));
        assert_memory_equal(has, wanted, sizeof has);
    }
    (void)trn_save_destroy(alone);
}

static bool has_level(const Party *party, uint32_t level)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    return load_level(party->save, at_level(here, level), level, blocks);
}

/// Counts regions whose levels wait, in the database.
static int count_noted(void)
{
    postgres_sql(&server, "SELECT count(*) FROM terrane_edits WHERE member = 0 AND number = 2");
    return server.place.text[0] - '0';
}

static void owners_make_levels(void **state)
{
    Party ada, bob;
    (void)state;
    postgres_drop(&server);
    TrnMemberDef def = party_def();
    def.land = levels_land();
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    assert_int_equal(party_open(&bob, def), TRN_RESULT_OK);
    party_load(&ada, here);
    party_load(&bob, here);
    fill(&ada, (TrnVoxel){32, 0, 32}, (TrnVoxel){50, 20, 60}, TRN_BLOCK_DIRT);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_DIRT);
    fill(&bob, (TrnVoxel){40, 10, 40}, (TrnVoxel){55, 31, 50}, TRN_BLOCK_SAND); // by Ada's thread
    settle(&bob);
    (void)await_block(&ada, (TrnVoxel){40, 10, 40}, TRN_BLOCK_SAND);
    for (int i = 0; i < 10000 && !has_level(&ada, LEVELS); i += 20) {
        pause_ms(20);
    }
    compare_levels(&ada, here);
    // An edit after that, and who leaves at once has made the levels.
    fill(&ada, (TrnVoxel){32, 0, 32}, (TrnVoxel){50, 31, 60}, TRN_BLOCK_STONE);
    settle(&ada);
    trn_member_destroy(ada.member);
    ada.member = NULL;
    compare_levels(&ada, here);
    assert_int_equal(count_noted(), 0);
    party_close(&bob);
    party_close(&ada);
}

static void await_no_note(void)
{
    for (int i = 0; i < 20000 && count_noted() > 0; i += 50) {
        pause_ms(50);
    }
    assert_int_equal(count_noted(), 0);
}

/// A program that edits, and ends without a word before it has made the levels.
static int run_child(const char *url)
{
    Party ada;
    TrnMemberDef def = party_def();
    party_url = url;
    def.land = levels_land();
    def.lease_seconds = LEASE_SECONDS;
    assert_int_equal(party_open(&ada, def), TRN_RESULT_OK);
    party_load(&ada, here);
    fill(&ada, (TrnVoxel){32, 0, 32}, (TrnVoxel){50, 20, 60}, TRN_BLOCK_DIRT);
    settle(&ada);
    _exit(0);
}

/// Runs such a program, and waits until its lease has ended.
static void run_one_who_ends(void)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)execl("/proc/self/exe", "child", server.url, (char *)NULL);
        _exit(CHILD_BAD);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pause_ms((long)(LEASE_SECONDS * 1e3) + 100);
}

static void open_bob(Party *bob)
{
    TrnMemberDef def = party_def();
    def.name = "Bob";
    def.land = levels_land();
    def.poll_seconds = 0.05;
    assert_int_equal(party_open(bob, def), TRN_RESULT_OK);
    assert_int_equal(trn_member_update(bob->member), TRN_RESULT_OK);
}

/// Bob has no chunk of that region loaded, and edits none.
static void another_goes_on_where_an_owner_ended(void **state)
{
    Party bob;
    (void)state;
    postgres_drop(&server);
    run_one_who_ends();
    assert_int_equal(count_noted(), 1);
    open_bob(&bob);
    await_no_note();
    party_load(&bob, here);
    compare_levels(&bob, here);
    party_close(&bob);
}

#define IMPOSSIBLE 7

/// Notes that another client has damaged: one of too few bytes, and some of regions that cannot be.
static void damaged_notes_do_not_stop_the_others(void **state)
{
    Party bob;
    (void)state;
    postgres_drop(&server);
    run_one_who_ends();
    postgres_sql(&server,
                 "INSERT INTO terrane_edits (region, member, number, bytes, change, expires) "
                 "SELECT k, 0, 2, 'abc', 1, 'infinity' FROM unnest(ARRAY[40::bigint << 42, "
                 "-9223372036854775807, -6, -5, -4, -3, -2, -1]) AS k");
    open_bob(&bob);
    for (int i = 0; i < 60000 && count_noted() > IMPOSSIBLE; i += 50) {
        pause_ms(50);
    }
    assert_int_equal(count_noted(), IMPOSSIBLE);
    party_load(&bob, here);
    compare_levels(&bob, here);
    party_close(&bob);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_make_levels),
        cmocka_unit_test(another_goes_on_where_an_owner_ended),
        cmocka_unit_test(damaged_notes_do_not_stop_the_others),
    };
    if (argc == 2 && strcmp(argv[0], "child") == 0) {
        return run_child(argv[1]);
    }
    return PARTY_RUN("shared_member_levels", tests);
}
