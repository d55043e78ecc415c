// Nothing is done for nothing: after edits, chunks of the same voxels and light are not meshed
// again, and equal meshes are not uploaded. And nothing that should be done is not: what is shown
// in the end is what meshing everything again shows.

#include "testing.h"

#include <terrane/batch.h>
#include <terrane/mesher.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

#define WORKERS 2
#define RADIUS 4

typedef struct Site {
    TrnTerrain *terrain;
    TrnBlockTypes *types;
    TrnStore *store;
    TrnStream *stream;
    TrnBlock torch;
    unsigned char *scratch[WORKERS + 1];
    bool has_hashes;  ///< meshes tell their hashes
    bool refuses;     ///< uploads fail
    uint64_t changed; ///< uploads of other content than what was shown
    TestRandom random;
} Site;

// ---- hooks -------------------------------------------------------------------------------------

static uint64_t site_hash(const TrnStreamJob *job, const TrnMesh *mesh)
{
    const size_t count = trn_mesh_count(&mesh->info);
    uint64_t hash = trn_stream_mesh_hash(job, mesh->info.first, sizeof mesh->info.first, 0);
    hash = trn_stream_mesh_hash(job, &mesh->info.light, sizeof mesh->info.light, hash);
    hash = trn_stream_mesh_hash(job, mesh->quads, count * sizeof *mesh->quads, hash);
    if (mesh->info.light == TRN_MESH_LIGHT_VARIES) {
        hash = trn_stream_mesh_hash(job, mesh->light, count * sizeof *mesh->light, hash);
    }
    return trn_stream_mesh_hash(job, mesh->models, mesh->model_count * sizeof *mesh->models, hash);
}

static TrnResult site_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                           TrnStreamMesh *mesh)
{
    Site *site = user;
    TrnMeshInput in = {.present = input->present, .missing_is_solid = true};
    memcpy(in.around, input->around, sizeof in.around);
    in.types = trn_block_types_all(site->types, &in.type_count);
    in.sky = input->sky;
    in.blocks = input->blocks;
    TrnMesh *made = malloc(sizeof *made);
    assert_non_null(made);
    trn_mesh_init(made, NULL);
    assert_int_equal(trn_mesh_build(made, &in, site->scratch[job->worker]), TRN_RESULT_OK);
    *mesh = (TrnStreamMesh){.mesh = made, .bytes = sizeof *made + trn_mesh_bytes(made)};
    mesh->hash = site->has_hashes ? site_hash(job, made) : 0;
    return TRN_RESULT_OK;
}

/// Whether arrays of so many bytes are equal. Without bytes they may be NULL.
static bool bytes_are_equal(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

/// Whether two meshes show the same.
static bool site_is_equal(const TrnMesh *a, const TrnMesh *b)
{
    const size_t count = trn_mesh_count(&a->info);
    return memcmp(a->info.first, b->info.first, sizeof a->info.first) == 0 &&
           a->info.light == b->info.light && a->model_count == b->model_count &&
           bytes_are_equal(a->quads, b->quads, count * sizeof *a->quads) &&
           (a->info.light != TRN_MESH_LIGHT_VARIES ||
            bytes_are_equal(a->light, b->light, count * sizeof *a->light)) &&
           bytes_are_equal(a->models, b->models, a->model_count * sizeof *a->models);
}

static TrnResult site_upload(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    Site *site = user;
    const TrnMesh **shown = trn_chunk_user(chunk);
    if (site->refuses) {
        return TRN_RESULT_FULL;
    }
    site->changed += !*shown || !site_is_equal(*shown, mesh->mesh);
    *shown = mesh->mesh;
    return TRN_RESULT_OK;
}

static void site_drop(void *user, TrnStreamMesh mesh)
{
    (void)user;
    trn_mesh_free(mesh.mesh);
    free(mesh.mesh);
}

// ---- a site ------------------------------------------------------------------------------------

static void site_settle(Site *site)
{
    TrnStreamReport report = {.us = 0};
    for (int i = 0; i < 4000 && !report.is_idle; i++) {
        assert_int_equal(trn_stream_update(site->stream, NULL, &report), TRN_RESULT_OK);
        trn_stream_wait(site->stream);
    }
    assert_true(report.is_idle);
}

static Site site_begin(bool has_hashes, uint64_t seed)
{
    Site site = {.has_hashes = has_hashes, .random = test_random_seeded(seed)};
    TrnBlockType type = trn_block_type_def("t:torch", TRN_BLOCK_KIND_PLANT);
    type.light = 14;
    assert_int_equal(trn_terrain_create(NULL, &site.terrain), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_create_builtin(NULL, &site.types), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_add(site.types, &type, &site.torch), TRN_RESULT_OK);
    TrnStoreDef store = trn_store_def();
    store.types = site.types;
    store.user_bytes = sizeof(TrnMesh *);
    store.reader_max = TRN_STREAM_WORKER_MAX;
    assert_int_equal(trn_store_create(&store, &site.store), TRN_RESULT_OK);
    for (int i = 0; i <= WORKERS; i++) {
        site.scratch[i] = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
        assert_non_null(site.scratch[i]);
    }
    return site;
}

static void site_open(Site *site, uint32_t workers)
{
    TrnStreamDef def = trn_stream_def();
    TrnStreamAnchor anchor = trn_stream_anchor();
    TrnStreamAnchorId id;
    def.store = site->store;
    def.generator = trn_terrain_generator(site->terrain);
    def.hooks = (TrnStreamHooks){
        .mesh = site_mesh, .upload = site_upload, .drop_mesh = site_drop, .user = site};
    def.workers = workers;
    def.light = true;
    assert_int_equal(trn_stream_create(&def, &site->stream), TRN_RESULT_OK);
    anchor.position.chunk = (TrnCoord){0, 1, 0};
    anchor.radius_chunks = RADIUS;
    anchor.height_chunks = 3;
    assert_int_equal(trn_stream_anchor_add(site->stream, &anchor, &id), TRN_RESULT_OK);
    site_settle(site);
}

static void site_end(Site *site)
{
    trn_stream_destroy(site->stream);
    trn_store_destroy(site->store);
    trn_block_types_destroy(site->types);
    trn_terrain_destroy(site->terrain);
    for (int i = 0; i <= WORKERS; i++) {
        trn_aligned_free(site->scratch[i]);
    }
}

// ---- edits -------------------------------------------------------------------------------------

static void site_dig(Site *site, TrnVoxel centre, double radius)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(site->store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_fill_sphere(batch, centre, radius, TRN_BLOCK_AIR), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// The voxel above the ground of a column.
static TrnVoxel site_ground(const Site *site, int32_t x, int32_t z)
{
    TrnVoxel voxel = {x, 120, z};
    TrnBlock block = TRN_BLOCK_AIR;
    while (voxel.y > -60 && block == TRN_BLOCK_AIR) {
        voxel.y--;
        if (trn_store_get_block_at(site->store, voxel.x, voxel.y, voxel.z, &block) !=
            TRN_RESULT_OK) {
            block = TRN_BLOCK_AIR;
        }
    }
    voxel.y++;
    return voxel;
}

/// Digs a tunnel from the ground downwards, with torches.
/// @param settles  all meshes are shown before the next step
static void site_dig_tunnel(Site *site, int steps, bool settles)
{
    TrnVoxel at = site_ground(site, (int32_t)test_random_range(&site->random, -60, 60),
                              (int32_t)test_random_range(&site->random, -60, 60));
    for (int i = 0; i < steps; i++) {
        const TrnBlock block = i % 4 == 3 ? site->torch : TRN_BLOCK_AIR;
        site_dig(site, at, (double)test_random_range(&site->random, 1, 4));
        assert_int_equal(trn_store_set_block(site->store, at, block, NULL), TRN_RESULT_OK);
        for (int64_t n = test_random_range(&site->random, 0, 2); n > 0 && !settles; n--) {
            assert_int_equal(trn_stream_update(site->stream, NULL, NULL), TRN_RESULT_OK);
        }
        if (settles) {
            site_settle(site);
        }
        at.x += (int32_t)test_random_range(&site->random, -2, 3);
        at.y -= (int32_t)test_random_range(&site->random, 0, 3);
        at.z += (int32_t)test_random_range(&site->random, -2, 3);
    }
}

// ---- tests -------------------------------------------------------------------------------------

/// Meshes everything again. Every mesh must be uploaded, and show what was shown.
static void assert_shown_is_current(Site *site)
{
    TrnStreamStats before = trn_stream_stats(site->stream);
    const uint64_t changed = site->changed;
    trn_stream_remesh(site->stream);
    site_settle(site);
    const TrnStreamStats after = trn_stream_stats(site->stream);
    assert_int_equal(site->changed, changed);
    assert_true(after.uploaded - before.uploaded > 60);
    assert_int_equal(after.meshes_spared, before.meshes_spared);
    assert_int_equal(after.uploads_spared, before.uploads_spared);
}

static void few_meshes_are_built_and_uploaded_for_each_that_changes(void **state)
{
    (void)state;
    Site site = site_begin(true, 156);
    site_open(&site, 0);
    const TrnStreamStats before = trn_stream_stats(site.stream);
    const uint64_t changed_before = site.changed;
    for (int i = 0; i < 6; i++) {
        site_dig_tunnel(&site, 16, true);
    }
    const TrnStreamStats after = trn_stream_stats(site.stream);
    const double changed = (double)(site.changed - changed_before);
    const double built = (double)(after.meshed - before.meshed);
    const double uploaded = (double)(after.uploaded - before.uploaded);
    printf("  %.0f meshes changed: %.2f built and %.2f uploaded for each\n", changed,
           built / changed, uploaded / changed);
    assert_true(changed > 100);
    assert_true(built <= 1.3 * changed);
    assert_true(uploaded <= 1.05 * changed);
    assert_true(after.meshes_spared - before.meshes_spared > 100);
    assert_shown_is_current(&site);
    site_end(&site);
}

/// Edits faster than meshes are shown, by the calling thread or by workers.
static void what_is_shown_is_current_after_many_edits(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers <= WORKERS; workers += WORKERS) {
        for (int has_hashes = 0; has_hashes < 2; has_hashes++) {
            Site site = site_begin(has_hashes, 157 + workers);
            site_open(&site, workers);
            for (int i = 0; i < 3; i++) {
                site_dig_tunnel(&site, 24, false);
                site_settle(&site);
            }
            assert_true(has_hashes || trn_stream_stats(site.stream).uploads_spared == 0);
            assert_shown_is_current(&site);
            site_end(&site);
        }
    }
}

/// A torch that is removed before what it lights is shown leaves all as it was.
static void a_torch_that_comes_and_goes_uploads_nothing(void **state)
{
    (void)state;
    Site site = site_begin(true, 158);
    site_open(&site, 0);
    const TrnVoxel ground = site_ground(&site, 31, 31);
    const TrnStreamStats before = trn_stream_stats(site.stream);
    assert_int_equal(trn_store_set_block(site.store, ground, site.torch, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(site.store, ground, TRN_BLOCK_AIR, NULL), TRN_RESULT_OK);
    site_settle(&site);
    const TrnStreamStats after = trn_stream_stats(site.stream);
    assert_int_equal(after.uploaded, before.uploaded);
    assert_true(after.meshes_spared > before.meshes_spared);
    assert_true(after.uploads_spared > before.uploads_spared);
    assert_shown_is_current(&site);
    site_end(&site);
}

/// Opaque blocks that become others change meshes and no light.
static void meshes_of_the_same_light_and_other_voxels_are_built(void **state)
{
    (void)state;
    Site site = site_begin(true, 160);
    site_open(&site, 0);
    for (int i = 0; i < 12; i++) {
        const int32_t x = (int32_t)test_random_range(&site.random, -2, 1) * 32;
        TrnVoxel ground = site_ground(&site, x, (int32_t)test_random_range(&site.random, -40, 40));
        ground.y--;
        const uint64_t changed = site.changed;
        assert_int_equal(trn_store_set_block(site.store, ground, TRN_BLOCK_STONE, NULL),
                         TRN_RESULT_OK);
        assert_int_equal(trn_store_set_block(site.store, ground, TRN_BLOCK_SAND, NULL),
                         TRN_RESULT_OK);
        site_settle(&site);
        assert_true(site.changed > changed);
    }
    assert_shown_is_current(&site);
    site_end(&site);
}

/// If an upload fails, it is unknown what is shown: the next mesh is uploaded.
static void after_a_failed_upload_an_equal_mesh_is_uploaded(void **state)
{
    (void)state;
    Site site = site_begin(true, 159);
    site_open(&site, 0);
    const TrnVoxel ground = site_ground(&site, 40, 40);
    const TrnStreamStats before = trn_stream_stats(site.stream);
    site.refuses = true;
    assert_int_equal(trn_store_set_block(site.store, ground, site.torch, NULL), TRN_RESULT_OK);
    for (int i = 0; i < 4; i++) {
        (void)trn_stream_update(site.stream, NULL, NULL);
    }
    assert_true(trn_stream_stats(site.stream).failures > before.failures);
    site.refuses = false;
    assert_int_equal(trn_store_set_block(site.store, ground, TRN_BLOCK_AIR, NULL), TRN_RESULT_OK);
    site_settle(&site);
    assert_true(trn_stream_stats(site.stream).uploaded > before.uploaded);
    assert_shown_is_current(&site);
    site_end(&site);
}

static void every_byte_counts_in_the_hash_of_a_mesh(void **state)
{
    (void)state;
    unsigned char bytes[200] = {0};
    const TrnStreamJob job = {.hash_key = 0x5EED};
    const uint64_t before = trn_stream_mesh_hash(&job, bytes, 3, 0);
    assert_true(before != trn_stream_mesh_hash(&job, bytes, 2, 0));
    for (size_t size = 0; size <= sizeof bytes; size++) {
        const uint64_t hash = trn_stream_mesh_hash(&job, bytes, size, before);
        assert_true(hash != 0);
        assert_true(hash == trn_stream_mesh_hash(&job, bytes, size, before));
        assert_true(hash != trn_stream_mesh_hash(&job, bytes, size, before + 1));
        assert_true(size == sizeof bytes ||
                    hash != trn_stream_mesh_hash(&job, bytes, size + 1, before));
        for (size_t i = 0; i < size; i++) {
            bytes[i] ^= (unsigned char)(1 << i % 8);
            assert_true(hash != trn_stream_mesh_hash(&job, bytes, size, before));
            bytes[i] = 0;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_counts_in_the_hash_of_a_mesh),
        cmocka_unit_test(few_meshes_are_built_and_uploaded_for_each_that_changes),
        cmocka_unit_test(what_is_shown_is_current_after_many_edits),
        cmocka_unit_test(a_torch_that_comes_and_goes_uploads_nothing),
        cmocka_unit_test(meshes_of_the_same_light_and_other_voxels_are_built),
        cmocka_unit_test(after_a_failed_upload_an_equal_mesh_is_uploaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
