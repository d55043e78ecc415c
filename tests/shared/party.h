/// Shared by tests of members (terrane/member.h): programs that have one world open, all in one
/// process. _XOPEN_SOURCE must be 700.
#pragma once

#include "postgres_place.h"

#include <time.h>

#include <terrane/batch.h>
#include <terrane/member.h>

#define SETTLE_SECONDS 10.0

static PostgresPlace server;
static const char *party_url; ///< of the world; NULL: on `server`

static inline void pause_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

static inline double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/// Stone below y = 0, air above.
static inline TrnResult generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                 bool *uniform)
{
    (void)user, (void)level;
    blocks[0] = (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
    *uniform = true;
    return TRN_RESULT_OK;
}

/// A program that has the world open.
typedef struct Party {
    TrnBlockTypes *types;
    TrnStorage storage; ///< of the save
    TrnSave *save;
    TrnStore *store;
    TrnMember *member;
} Party;

static inline TrnMemberDef party_def(void)
{
    TrnMemberDef def = trn_member_def();
    def.land = (TrnGenerator){.generate = generate};
    def.name = "Ada";
    def.lease_seconds = 10;
    def.place_seconds = 0.02;
    return def;
}

/// @return what trn_member_create returns
static inline TrnResult party_open(Party *party, TrnMemberDef def)
{
    TrnStorageProblem problem = {""};
    TrnSaveDef save = trn_save_def();
    memset(party, 0, sizeof *party);
    assert_int_equal(trn_block_types_create_builtin(NULL, &party->types), TRN_RESULT_OK);
    if (trn_storage_open_any(party_url ? party_url : server.url, TRN_STORAGE_EITHER,
                             &party->storage, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    save.storage = party->storage;
    save.types = party->types;
    assert_int_equal(trn_save_create(&save, &party->save, &problem), TRN_RESULT_OK);
    TrnStoreDef store = trn_store_def();
    store.types = party->types;
    assert_int_equal(trn_store_create(&store, &party->store), TRN_RESULT_OK);
    def.save = party->save;
    def.store = party->store;
    return trn_member_create(&def, &party->member, &problem);
}

static inline void party_close(Party *party)
{
    trn_member_destroy(party->member);
    trn_store_destroy(party->store);
    (void)trn_save_destroy(party->save);
    trn_block_types_destroy(party->types);
}

/// Loads a chunk as a stream would.
static inline void party_load(const Party *party, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnStreamSource source = trn_member_source(party->member);
    const TrnStreamJob job = {.coord = coord};
    bool is_uniform = false;
    TrnResult result = source.load(source.user, &job, blocks, &is_uniform);
    if (result == TRN_RESULT_NOT_FOUND) {
        result = generate(NULL, coord, 0, blocks, &is_uniform);
    }
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_data(party->store, coord, blocks, is_uniform, NULL, 0, NULL),
                     TRN_RESULT_OK);
}

static inline void set(const Party *party, TrnVoxel voxel, TrnBlock block)
{
    assert_int_equal(trn_store_set_block(party->store, voxel, block, NULL), TRN_RESULT_OK);
}

static inline TrnBlock block_at(const Party *party, TrnVoxel voxel)
{
    TrnBlock block = TRN_BLOCK_AIR;
    assert_int_equal(trn_store_get_block(party->store, voxel, &block), TRN_RESULT_OK);
    return block;
}

/// Updates until a voxel has a block. @return milliseconds
static inline double await_block(const Party *party, TrnVoxel voxel, TrnBlock block)
{
    const double start = now_ms();
    while (block_at(party, voxel) != block) {
        if (now_ms() - start > SETTLE_SECONDS * 1e3) {
            fail_msg("the voxel is %u, not %u: %s", block_at(party, voxel), block,
                     trn_member_stats(party->member).problem);
        }
        assert_int_equal(trn_member_update(party->member), TRN_RESULT_OK);
        pause_ms(1);
    }
    return now_ms() - start;
}

static inline void settle(const Party *party)
{
    if (trn_member_settle(party->member, SETTLE_SECONDS) != TRN_RESULT_OK) {
        fail_msg("%u edits wait: %s", trn_member_stats(party->member).waiting,
                 trn_member_stats(party->member).problem);
    }
}

static const TrnCoord here = {1, 0, 1};
static const TrnVoxel spot = {40, 5, 45}, other_spot = {41, 5, 45}; ///< of the chunk

/// Runs a group of tests with a server, if there can be one.
/// @return what main returns
#define PARTY_RUN(name, tests)                                                                     \
    (party_has_server() ? party_end(cmocka_run_group_tests_name(name, tests, NULL, NULL)) : 0)

static inline bool party_has_server(void)
{
    const bool has_server = postgres_begin(&server);
    if (!has_server) {
        postgres_end(&server);
    }
    return has_server;
}

static inline int party_end(int failures)
{
    postgres_end(&server);
    return failures;
}
