/// Columns are read once by many threads, and dropped when there are too many.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "anvil_writer.h"
#include "place.h"

#include <pthread.h>

#include <import/anvil_cache.h>

#include <terrane/import.h>

enum { THREADS = 4, REGIONS = 2, CHUNKS = 16 * REGIONS }; // along x; 16 along z

/// The block of the lowest section of a column; the rest is air.
static TrnBlock block_of(int32_t x, int32_t z)
{
    return (x + 2 * z) % 3 == 0   ? TRN_BLOCK_STONE
           : (x + 2 * z) % 3 == 1 ? TRN_BLOCK_DIRT
                                  : TRN_BLOCK_SAND;
}

static void write_regions(const Place *place)
{
    static const char *const names[] = {"minecraft:stone", "minecraft:dirt", "minecraft:sand"};
    static AnvilSection section = {.palette_count = 1};
    for (int32_t region = 0; region < REGIONS; region++) {
        char name[32], path[PLACE_PATH];
        Out out;
        anvil_region_begin(&out);
        for (int32_t i = 0; i < 1024; i++) {
            Out nbt = {0}, packed = {0};
            const TrnBlock block = block_of(region * 32 + i % 32, i / 32);
            section.palette = &names[block == TRN_BLOCK_STONE  ? 0
                                     : block == TRN_BLOCK_DIRT ? 1
                                                               : 2];
            anvil_write_column(&nbt, &anvil_1_21, &section, 1);
            anvil_compress(&packed, &nbt, 4);
            anvil_region_add(&out, (uint32_t)i % 32, (uint32_t)i / 32, &packed, 4);
            out_free(&nbt);
            out_free(&packed);
        }
        (void)snprintf(name, sizeof name, "r.%d.0.mca", (int)region);
        anvil_write_file(place_path(place, name, path), out.bytes, out.size);
        out_free(&out);
    }
}

typedef struct Loader {
    pthread_t thread;
    TrnImport *import;
    uint64_t seed;
    uint32_t wrong; ///< chunks
} Loader;

/// Whether a chunk is as it was written.
static bool chunk_is_right(TrnImport *import, TrnCoord coord, TrnBlock *blocks)
{
    bool uniform = false;
    if (trn_import_load(import, coord, blocks, &uniform) != TRN_RESULT_OK) {
        return false;
    }
    if (coord.y > 0) {
        return uniform && blocks[0] == TRN_BLOCK_AIR;
    }
    bool is_right = !uniform;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS && is_right; i++) {
        const int32_t x = coord.x * 2 + (int32_t)(i % 32 / 16);
        const int32_t z = coord.z * 2 + (int32_t)(i / 32 % 32 / 16);
        is_right = blocks[i] == (i / 1024 < 16 ? block_of(x, z) : TRN_BLOCK_AIR);
    }
    return is_right;
}

/// Loads chunks anywhere, some of them twice in a row.
static void *load_chunks(void *context)
{
    Loader *loader = context;
    TestRandom random = {loader->seed};
    TrnBlock *blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    const uint32_t rounds = test_rounds(3000, 600);
    for (uint32_t i = 0; i < rounds && blocks; i++) {
        const TrnCoord coord = {(int32_t)test_random_range(&random, 0, CHUNKS - 1),
                                (int32_t)test_random_range(&random, 0, 1),
                                (int32_t)test_random_range(&random, 0, 15)};
        loader->wrong += !chunk_is_right(loader->import, coord, blocks);
    }
    loader->wrong += !blocks;
    free(blocks);
    return NULL;
}

static void threads_read_more_columns_than_are_kept(void **state)
{
    const Place *place = *state;
    TrnImportDef def = trn_import_def();
    TrnImport *import;
    TestRandom random = test_random_seeded(24);
    Loader loaders[THREADS];
    assert_true(REGIONS * 1024 > TRN_ANVIL_CACHE_SLOTS);
    write_regions(place);
    assert_int_equal(trn_block_types_create_builtin(NULL, &def.types), TRN_RESULT_OK);
    def.path = place->folder;
    def.are_types_fixed = true;
    assert_int_equal(trn_import_open(&def, &import, NULL), TRN_RESULT_OK);
    for (int i = 0; i < THREADS; i++) {
        loaders[i] = (Loader){.import = import, .seed = test_random_next(&random)};
        assert_int_equal(pthread_create(&loaders[i].thread, NULL, load_chunks, &loaders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(loaders[i].thread, NULL), 0);
        assert_int_equal(loaders[i].wrong, 0);
    }
    trn_import_destroy(import);
    trn_block_types_destroy(def.types);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(threads_read_more_columns_than_are_kept, place_make,
                                        place_remove),
    };
    return cmocka_run_group_tests_name("import_anvil_threads", tests, NULL, NULL);
}
