// Work of the importers on files that were written to make it slow.

#include "work.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "import/anvil_section.h"
#include "import/anvil_writer.h"
#include "import/names.h"
#include "import/vox_scene.h"

// ---- models of MagicaVoxel ----------------------------------------------------------------------

/// Begins a piece. @return for vox_end()
static size_t vox_begin(Out *to, const char *id)
{
    out_bytes(to, id, 4);
    out_little(to, 0, 8);
    return to->size;
}

static void vox_end(const Out *to, size_t begin)
{
    trn_number_write(to->bytes + begin - 8, to->size - begin, 4);
}

static void vox_put_text(Out *to, const char *text)
{
    out_little(to, strlen(text), 4);
    out_bytes(to, text, strlen(text));
}

/// A file with a model of one voxel. @return where its pieces begin
static size_t vox_begin_file(Out *to)
{
    *to = (Out){0};
    out_bytes(to, "VOX ", 4);
    out_little(to, 150, 4);
    const size_t begin = vox_begin(to, "MAIN");
    size_t piece = vox_begin(to, "SIZE");
    for (int i = 0; i < 3; i++) {
        out_little(to, 1, 4);
    }
    vox_end(to, piece);
    piece = vox_begin(to, "XYZI");
    out_little(to, 1, 4);
    out_little(to, UINT64_C(1) << 24, 4);
    vox_end(to, piece);
    return begin;
}

/// The group that all scenes begin with. @param ids  [count] of its children
static void vox_put_group(Out *to, const int32_t *ids, uint32_t count)
{
    const size_t piece = vox_begin(to, "nGRP");
    out_little(to, 0, 8); // its id, no attributes
    out_little(to, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        out_little(to, (uint32_t)ids[i], 4);
    }
    vox_end(to, piece);
}

static void vox_put_shape(Out *to, int32_t id)
{
    const size_t piece = vox_begin(to, "nSHP");
    out_little(to, (uint32_t)id, 4);
    out_little(to, 0, 4); // attributes
    out_little(to, 1, 4); // models
    out_little(to, 0, 8); // the first, without attributes
    vox_end(to, piece);
}

/// Moves a node along x.
static void vox_put_transform(Out *to, int32_t id, int32_t child, int64_t x)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%lld 0 0", (long long)x);
    const size_t piece = vox_begin(to, "nTRN");
    out_little(to, (uint32_t)id, 4);
    out_little(to, 0, 4); // attributes
    out_little(to, (uint32_t)child, 4);
    out_little(to, UINT32_MAX, 4); // reserved
    out_little(to, UINT32_MAX, 4); // no layer
    out_little(to, 1, 4);          // frames
    out_little(to, 1, 4);          // attributes of the first
    vox_put_text(to, "_t");
    vox_put_text(to, text);
    vox_end(to, piece);
}

/// Reads a file with a valid end. @return the work
static uint64_t vox_read(Out *file, size_t begin, uint32_t chunks)
{
    const TrnAllocator allocator = trn_allocator_default();
    const char *fault = "";
    TrnVoxScene scene;
    trn_number_write(file->bytes + begin - 4, file->size - begin, 4);
    const uint64_t start = work_start();
    const TrnResult result = trn_vox_scene_read(&scene, file->bytes, file->size,
                                                (TrnVoxel){0, 0, 0}, &allocator, &fault);
    const uint64_t work = work_since(start);
    if (result != TRN_RESULT_OK) {
        fail_msg("%s", fault);
    }
    assert_int_equal(scene.chunks.count, chunks);
    trn_vox_scene_free(&scene);
    free(file->bytes);
    return work;
}

/// Finds numbers whose coordinates {number, 0, z} share a slot of a map without a key.
static int32_t *craft_numbers(uint32_t count, int32_t z)
{
    int32_t *numbers = malloc(count * sizeof *numbers);
    assert_non_null(numbers);
    uint32_t found = 0;
    for (int32_t i = 1; found < count; i++) {
        if ((trn_coord_hash((TrnCoord){i, 0, z}, 0) & 8191) == 0) {
            numbers[found++] = i;
        }
    }
    return numbers;
}

/// A scene whose nodes have chosen numbers.
static uint64_t work_of_vox_nodes(uint32_t count)
{
    Out file;
    int32_t *ids = craft_numbers(count, 0);
    const size_t begin = vox_begin_file(&file);
    vox_put_group(&file, ids, count);
    for (uint32_t i = 0; i < count; i++) {
        vox_put_shape(&file, ids[i]);
    }
    free(ids);
    return vox_read(&file, begin, 1);
}

/// A scene that places a model in chosen chunks.
static uint64_t work_of_vox_places(uint32_t count)
{
    Out file;
    int32_t *chunks = craft_numbers(count, -1);
    int32_t *ids = malloc(count * sizeof *ids);
    assert_non_null(ids);
    const size_t begin = vox_begin_file(&file);
    vox_put_shape(&file, 1);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = (int32_t)i + 2;
        vox_put_transform(&file, ids[i], 1, (int64_t)chunks[i] * TRN_CHUNK_EDGE);
    }
    vox_put_group(&file, ids, count);
    free(ids);
    free(chunks);
    return vox_read(&file, begin, count);
}

static void models_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_vox_nodes, 500, 3, WORK_LINEAR);
    assert_work_grows(work_of_vox_places, 500, 3, WORK_LINEAR);
}

/// Groups that contain the next one twice, 40 deep: 2^40 models.
static void scenes_that_multiply_are_refused(void **state)
{
    (void)state;
    const TrnAllocator allocator = trn_allocator_default();
    const char *fault = NULL;
    TrnVoxScene scene;
    Out file;
    const size_t begin = vox_begin_file(&file);
    for (int32_t id = 0; id < 40; id++) {
        const size_t piece = vox_begin(&file, "nGRP");
        out_little(&file, (uint32_t)id, 4);
        out_little(&file, 0, 4);
        out_little(&file, 2, 4);
        out_little(&file, (uint32_t)id + 1, 4);
        out_little(&file, (uint32_t)id + 1, 4);
        vox_end(&file, piece);
    }
    vox_put_shape(&file, 40);
    trn_number_write(file.bytes + begin - 4, file.size - begin, 4);
    const uint64_t start = work_start();
    assert_int_equal(
        trn_vox_scene_read(&scene, file.bytes, file.size, (TrnVoxel){0, 0, 0}, &allocator, &fault),
        TRN_RESULT_CORRUPT);
    assert_true(work_since(start) < UINT64_C(100) * TRN_VOX_NODES_MAX);
    assert_string_equal(fault, "its scene is too large");
    free(file.bytes);
}

// ---- Minecraft ----------------------------------------------------------------------------------

/// Reads a column whose outermost compound is complete. @return the work
static uint64_t nbt_read(Out *file)
{
    static TrnAnvilColumn column;
    out_number(file, TRN_NBT_END, 1);
    const uint64_t start = work_start();
    (void)trn_anvil_column(file->bytes, file->size, &column);
    const uint64_t work = work_since(start);
    free(file->bytes);
    return work;
}

/// Lists inside lists as deep as may be, `count` times.
static uint64_t work_of_nested_lists(uint32_t count)
{
    Out file = {0};
    nbt_tag(&file, TRN_NBT_COMPOUND, "");
    for (uint32_t i = 0; i < count; i++) {
        nbt_tag(&file, TRN_NBT_LIST, "a");
        for (int depth = 0; depth < TRN_NBT_DEPTH_MAX - 1; depth++) {
            out_number(&file, TRN_NBT_LIST, 1);
            out_number(&file, 1, 4);
        }
        out_number(&file, TRN_NBT_BYTE, 1);
        out_number(&file, 0, 4);
    }
    return nbt_read(&file);
}

/// A list of empty compounds, a byte each.
static uint64_t work_of_small_items(uint32_t count)
{
    Out file = {0};
    nbt_tag(&file, TRN_NBT_COMPOUND, "");
    nbt_tag(&file, TRN_NBT_LIST, "sections");
    out_number(&file, TRN_NBT_COMPOUND, 1);
    out_number(&file, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        out_number(&file, TRN_NBT_END, 1);
    }
    return nbt_read(&file);
}

/// Sections that all have the same height.
static uint64_t work_of_equal_sections(uint32_t count)
{
    Out file = {0};
    nbt_tag(&file, TRN_NBT_COMPOUND, "");
    nbt_tag(&file, TRN_NBT_LIST, "sections");
    out_number(&file, TRN_NBT_COMPOUND, 1);
    out_number(&file, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        nbt_tag(&file, TRN_NBT_BYTE, "Y");
        out_number(&file, 1, 1);
        nbt_tag(&file, TRN_NBT_COMPOUND, "block_states");
        nbt_tag(&file, TRN_NBT_LIST, "palette");
        out_number(&file, TRN_NBT_COMPOUND, 1);
        out_number(&file, 1, 4);
        nbt_tag(&file, TRN_NBT_STRING, "Name");
        out_number(&file, 1, 2);
        out_bytes(&file, "a", 1);
        out_number(&file, 0, 3); // the entry, block_states and the section end
    }
    return nbt_read(&file);
}

/// A list that says it is longer than the file.
static uint64_t work_of_false_count(uint32_t count)
{
    Out file = {0};
    nbt_tag(&file, TRN_NBT_COMPOUND, "");
    nbt_tag(&file, TRN_NBT_LIST, "sections");
    out_number(&file, TRN_NBT_COMPOUND, 1);
    out_number(&file, count, 4);
    return nbt_read(&file);
}

static void columns_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_nested_lists, 50, 3, WORK_LINEAR);
    assert_work_grows(work_of_small_items, 5000, 3, WORK_LINEAR);
    assert_work_grows(work_of_equal_sections, 500, 3, WORK_LINEAR);
    assert_work_grows(work_of_false_count, 1000, 20, WORK_CONSTANT);
}

// ---- names --------------------------------------------------------------------------------------

/// Unknown names whose hashes agree without a key, each met twice.
static uint64_t work_of_names(uint32_t count)
{
    const TrnAllocator allocator = trn_allocator_default();
    TrnBlockTypes *types;
    static TrnImportNames names;
    TrnStorageProblem problem;
    uint64_t work = 0;
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
    const TrnImportTables tables = {{NULL, 0}, {NULL, 0}, NULL};
    assert_int_equal(trn_import_names_open(&names, &allocator, types, TRN_IMPORT_UNKNOWN_ADDED,
                                           &tables, &problem),
                     TRN_RESULT_OK);
    for (uint32_t i = 0, found = 0; found < count; i++) {
        char text[32];
        const size_t size = (size_t)snprintf(text, sizeof text, "a:%u", (unsigned)i);
        if (trn_bytes_hash(text, size, 0) % TRN_IMPORT_NAME_BUCKETS == 0) {
            TrnImportName *name;
            const uint64_t start = work_start();
            assert_int_equal(trn_import_names_find(&names, text, size, &name), TRN_RESULT_OK);
            assert_int_equal(trn_import_names_find(&names, text, size, &name), TRN_RESULT_OK);
            work += work_since(start);
            found++;
        }
    }
    trn_import_names_free(&names);
    trn_block_types_destroy(types);
    return work;
}

static void unknown_names_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_names, 250, 3, WORK_LINEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_take_linear_work),
        cmocka_unit_test(scenes_that_multiply_are_refused),
        cmocka_unit_test(columns_take_linear_work),
        cmocka_unit_test(unknown_names_take_linear_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
