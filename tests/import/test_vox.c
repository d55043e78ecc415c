/// Models of MagicaVoxel: voxels stand where the scene puts them, and any bytes are safe.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "out.h"
#include "place.h"

#include <import/vox_scene.h>

#include <terrane/import.h>

// ---- writing ------------------------------------------------------------------------------------

/// Begins a piece. @return where its size is
static size_t piece_begin(Out *out, const char *id)
{
    out_bytes(out, id, 4);
    out_little(out, 0, 8);
    return out->size;
}

static void set_number(Out *out, size_t at, size_t number)
{
    for (int i = 0; i < 4; i++) {
        out->bytes[at + (size_t)i] = (unsigned char)(number >> 8 * i);
    }
}

static void piece_end(Out *out, size_t begin)
{
    set_number(out, begin - 8, out->size - begin);
}

static void file_begin(Out *out)
{
    out_bytes(out, "VOX ", 4);
    out_little(out, 150, 4);
    (void)piece_begin(out, "MAIN");
}

static void file_end(Out *out)
{
    set_number(out, 16, out->size - 20);
}

static void write_text(Out *out, const char *text)
{
    out_little(out, strlen(text), 4);
    out_bytes(out, text, strlen(text));
}

/// Writes a list of up to two keys and values; NULL ends it.
static void write_pairs(Out *out, const char *key, const char *value, const char *other_key,
                        const char *other_value)
{
    out_little(out, (uint64_t)(key != NULL) + (other_key != NULL), 4);
    if (key) {
        write_text(out, key);
        write_text(out, value);
    }
    if (other_key) {
        write_text(out, other_key);
        write_text(out, other_value);
    }
}

typedef struct TestVoxel {
    uint8_t x, y, z, colour;
} TestVoxel;

static void write_model(Out *out, const uint32_t size[3], const TestVoxel *voxels, uint32_t count)
{
    size_t begin = piece_begin(out, "SIZE");
    for (int i = 0; i < 3; i++) {
        out_little(out, size[i], 4);
    }
    piece_end(out, begin);
    begin = piece_begin(out, "XYZI");
    out_little(out, count, 4);
    out_bytes(out, voxels, count * sizeof *voxels);
    piece_end(out, begin);
}

/// @param turn,move  texts; NULL: none
static void write_transform(Out *out, int id, int child, int layer, const char *turn,
                            const char *move)
{
    const size_t begin = piece_begin(out, "nTRN");
    out_little(out, (uint64_t)id, 4);
    write_pairs(out, "_name", "a name", NULL, NULL);
    out_little(out, (uint64_t)child, 4);
    out_little(out, UINT32_MAX, 4);
    out_little(out, (uint64_t)layer, 4);
    out_little(out, 1, 4);
    if (turn) {
        write_pairs(out, "_r", turn, move ? "_t" : NULL, move);
    } else {
        write_pairs(out, move ? "_t" : NULL, move, NULL, NULL);
    }
    piece_end(out, begin);
}

static void write_group(Out *out, int id, const int *children, uint32_t count)
{
    const size_t begin = piece_begin(out, "nGRP");
    out_little(out, (uint64_t)id, 4);
    write_pairs(out, NULL, NULL, NULL, NULL);
    out_little(out, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        out_little(out, (uint64_t)children[i], 4);
    }
    piece_end(out, begin);
}

static void write_shape(Out *out, int id, int model)
{
    const size_t begin = piece_begin(out, "nSHP");
    out_little(out, (uint64_t)id, 4);
    write_pairs(out, NULL, NULL, NULL, NULL);
    out_little(out, 1, 4);
    out_little(out, (uint64_t)model, 4);
    write_pairs(out, NULL, NULL, NULL, NULL);
    piece_end(out, begin);
}

static void write_layer(Out *out, int id, bool is_hidden)
{
    const size_t begin = piece_begin(out, "LAYR");
    out_little(out, (uint64_t)id, 4);
    write_pairs(out, "_hidden", is_hidden ? "1" : "0", NULL, NULL);
    out_little(out, UINT32_MAX, 4);
    piece_end(out, begin);
}

// ---- reading ------------------------------------------------------------------------------------

static TrnResult read_scene(TrnVoxScene *scene, const Out *out)
{
    const TrnAllocator allocator = trn_allocator_default();
    const char *fault = NULL;
    const TrnResult result =
        trn_vox_scene_read(scene, out->bytes, out->size, (TrnVoxel){0, 0, 0}, &allocator, &fault);
    assert_true(result == TRN_RESULT_OK || (fault && *fault));
    return result;
}

/// The colour of a voxel; 0: there is none.
static uint32_t colour_at(const TrnVoxScene *scene, int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel voxel = {x, y, z};
    const TrnCoordEntry *entry = trn_coord_map_find(&scene->places, trn_voxel_chunk(voxel));
    uint32_t colour = 0;
    if (entry) {
        const TrnVoxChunk *chunk = &scene->chunks.items[entry->number];
        for (uint32_t i = 0; i < chunk->count; i++) {
            const uint32_t packed = scene->voxels.items[chunk->first + i];
            colour = (packed & 0xFFFF) == trn_voxel_local_index(voxel) ? packed >> 16 : colour;
        }
    }
    return colour;
}

// ---- tests --------------------------------------------------------------------------------------

/// A corner, and one voxel along each axis at other distances.
static const TestVoxel corner[] = {{0, 0, 0, 1}, {3, 0, 0, 2}, {0, 4, 0, 3}, {0, 0, 5, 4}};
static const uint32_t corner_size[3] = {4, 5, 6};

static void a_model_without_a_scene_stands_at_the_origin(void **state)
{
    (void)state;
    Out out = {0};
    TrnVoxScene scene;
    file_begin(&out);
    write_model(&out, corner_size, corner, 4);
    write_model(&out, corner_size, corner, 1); // another frame
    file_end(&out);
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
    assert_int_equal(scene.voxels.count, 4);
    assert_int_equal(scene.frame_count, 1);
    assert_int_equal(colour_at(&scene, 0, 0, -1), 1);
    assert_int_equal(colour_at(&scene, 3, 0, -1), 2); // x is east
    assert_int_equal(colour_at(&scene, 0, 0, -5), 3); // y is north
    assert_int_equal(colour_at(&scene, 0, 5, -1), 4); // z is up
    assert_int_equal(scene.palette[1][0], 255);       // of the palette of files without one
    assert_int_equal(scene.palette[2][2], 204);
    assert_int_equal(scene.palette[215][2], 51);
    assert_int_equal(scene.palette[216][0], 0xEE);
    assert_int_equal(scene.palette[255][1], 0x11);
    trn_vox_scene_free(&scene);
    out_free(&out);
}

/// Writes the corner in a scene, turned and moved by two nodes inside each other.
static void write_turned(Out *out, const char *outer_turn, const char *outer_move,
                         const char *inner_turn, const char *inner_move)
{
    const int inner[] = {2};
    file_begin(out);
    write_model(out, corner_size, corner, 4);
    write_transform(out, 0, 1, -1, outer_turn, outer_move);
    write_group(out, 1, inner, 1);
    write_transform(out, 2, 3, 0, inner_turn, inner_move);
    write_shape(out, 3, 0);
    file_end(out);
}

static void nodes_move_and_turn_models_around_their_centre(void **state)
{
    (void)state;
    Out out = {0};
    TrnVoxScene scene;
    // The centre of 4 x 5 x 6 is voxel 2, 2, 3.
    write_turned(&out, NULL, NULL, NULL, "100 -20 300");
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
    assert_int_equal(colour_at(&scene, 98, 297, -1 + 22), 1);
    assert_int_equal(colour_at(&scene, 98 + 3, 297, -1 + 22), 2);
    assert_int_equal(colour_at(&scene, 98, 297, -1 + 22 - 4), 3);
    assert_int_equal(colour_at(&scene, 98, 297 + 5, -1 + 22), 4);
    trn_vox_scene_free(&scene);

    // Rows: x' = -y, y' = x, z' = z: a quarter to the left, seen from above.
    out.size = 0;
    write_turned(&out, NULL, NULL, "17", NULL); // 1 | 0 << 2 | 1 << 4
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
    assert_int_equal(colour_at(&scene, 1, -3, 1), 1);     // x' = 2 - 0 - 1, y' = 0 - 2
    assert_int_equal(colour_at(&scene, 1, -3, 1 - 3), 2); // x goes north now
    assert_int_equal(colour_at(&scene, 1 - 4, -3, 1), 3); // y goes west
    assert_int_equal(colour_at(&scene, 1, -3 + 5, 1), 4);
    trn_vox_scene_free(&scene);

    // The outer node turns what the inner one moved.
    out.size = 0;
    write_turned(&out, "17", "0 0 7", NULL, "10 0 0");
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
    assert_int_equal(colour_at(&scene, 1, -3 + 7, 1 - 10), 1);
    assert_int_equal(colour_at(&scene, 1, -3 + 7, 1 - 10 - 3), 2);
    trn_vox_scene_free(&scene);
    out_free(&out);
}

static void later_models_cover_earlier_ones_and_hidden_ones_are_left_out(void **state)
{
    (void)state;
    static const TestVoxel dot[] = {{0, 0, 0, 9}};
    static const uint32_t dot_size[3] = {1, 1, 1};
    const int nodes[] = {2, 4, 6};
    Out out = {0};
    TrnVoxScene scene;
    file_begin(&out);
    write_model(&out, corner_size, corner, 4);
    write_model(&out, dot_size, dot, 1);
    write_transform(&out, 0, 1, -1, NULL, NULL);
    write_group(&out, 1, nodes, 3);
    write_transform(&out, 2, 3, 0, NULL, "2 2 3");
    write_shape(&out, 3, 0);
    write_transform(&out, 4, 5, 0, NULL, "0 0 0");
    write_shape(&out, 5, 1);
    write_transform(&out, 6, 7, 1, NULL, "0 0 9"); // in a hidden layer
    write_shape(&out, 7, 1);
    write_layer(&out, 0, false);
    write_layer(&out, 1, true);
    file_end(&out);
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
    assert_int_equal(scene.voxels.count, 5);
    assert_int_equal(scene.hidden_count, 1);
    assert_int_equal(colour_at(&scene, 0, 0, -1), 9);
    assert_int_equal(colour_at(&scene, 3, 0, -1), 2);
    trn_vox_scene_free(&scene);
    out_free(&out);
}

static void a_scene_that_contains_itself_is_refused(void **state)
{
    (void)state;
    static const int twice[] = {0, 0}, missing[] = {77};
    Out out = {0};
    TrnVoxScene scene;
    file_begin(&out);
    write_model(&out, corner_size, corner, 4);
    write_group(&out, 0, twice, 2);
    file_end(&out);
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_CORRUPT);
    out.size = 0;
    file_begin(&out);
    write_model(&out, corner_size, corner, 4);
    write_group(&out, 0, missing, 1);
    file_end(&out);
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_CORRUPT);
    out_free(&out);
}

/// Doubling groups put a model in 2^depth places.
static void a_scene_that_multiplies_is_refused(void **state)
{
    (void)state;
    Out out = {0};
    TrnVoxScene scene;
    file_begin(&out);
    write_model(&out, corner_size, corner, 4);
    for (int i = 0; i < 40; i++) {
        const int children[] = {i + 1, i + 1};
        write_group(&out, i, children, 2);
    }
    write_shape(&out, 40, 0);
    file_end(&out);
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_CORRUPT);
    out_free(&out);
}

static void what_is_damaged_is_left_out_and_the_rest_kept(void **state)
{
    (void)state;
    static const int children[] = {2, 9};
    Out out = {0};
    TrnVoxScene scene;
    file_begin(&out); // a child that is missing
    write_model(&out, corner_size, corner, 4);
    write_transform(&out, 0, 1, 0, NULL, NULL);
    write_group(&out, 1, children, 2);
    write_transform(&out, 2, 3, 0, NULL, NULL);
    write_shape(&out, 3, 0);
    file_end(&out);
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
    assert_int_equal(scene.voxels.count, 4);
    assert_int_equal(scene.missing_count, 1);
    trn_vox_scene_free(&scene);
    out.size = 0;
    file_begin(&out); // no first node: those that no other names stand for it
    write_model(&out, corner_size, corner, 4);
    write_group(&out, 1, children, 2);
    write_transform(&out, 2, 3, 0, NULL, NULL);
    write_shape(&out, 3, 0);
    file_end(&out);
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
    assert_int_equal(scene.voxels.count, 4);
    assert_int_equal(scene.missing_count, 2);
    trn_vox_scene_free(&scene);
    out.size = 0;
    file_begin(&out); // a model that is cut, and one that is whole
    write_model(&out, corner_size, corner, 4);
    out.bytes[out.size - 20] = 9; // it says that it has nine voxels
    write_model(&out, corner_size, corner, 4);
    write_group(&out, 0, (const int[]){1, 2}, 2);
    write_shape(&out, 1, 0);
    write_shape(&out, 2, 1);
    file_end(&out);
    assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
    assert_int_equal(scene.voxels.count, 8);
    assert_int_equal(scene.damaged_count, 1);
    trn_vox_scene_free(&scene);
    out_free(&out);
}

static void a_palette_may_leave_out_its_last_colours(void **state)
{
    (void)state;
    static unsigned char palette[256 * 4];
    for (size_t i = 0; i < sizeof palette; i++) {
        palette[i] = (unsigned char)(i * 7);
    }
    for (size_t size = 255; size <= 257; size++) {
        Out out = {0};
        TrnVoxScene scene;
        file_begin(&out);
        write_model(&out, corner_size, corner, 4);
        const size_t begin = piece_begin(&out, "RGBA");
        out_bytes(&out, palette, (size < 256 ? size : 256) * 4);
        out_bytes(&out, "more", size > 256 ? 4 : 0);
        piece_end(&out, begin);
        file_end(&out);
        assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
        assert_int_equal(scene.damaged_count, 0);
        assert_memory_equal(scene.palette[1], palette, 4);
        assert_memory_equal(scene.palette[255], palette + 1016, 4);
        trn_vox_scene_free(&scene);
        out_free(&out);
    }
}

static void bytes_behind_the_last_piece_are_ignored(void **state)
{
    (void)state;
    for (size_t more = 1; more < 40; more++) {
        Out out = {0};
        TrnVoxScene scene;
        file_begin(&out);
        write_model(&out, corner_size, corner, 4);
        file_end(&out);
        for (size_t i = 0; i < more; i++) {
            out_number(&out, more % 2 ? 0 : 0xEE, 1);
        }
        assert_int_equal(read_scene(&scene, &out), TRN_RESULT_OK);
        assert_int_equal(scene.voxels.count, 4);
        assert_true(!scene.ends_early && scene.damaged_count == 0);
        trn_vox_scene_free(&scene);
        out_free(&out);
    }
}

static void every_cut_is_seen_and_every_flipped_byte_is_safe(void **state)
{
    (void)state;
    Out out = {0};
    TrnVoxScene scene;
    write_turned(&out, "17", "0 0 7", "33", "10 -5 0");
    for (size_t cut = 0; cut < out.size; cut++) {
        unsigned char *part = malloc(cut ? cut : 1); // so that a sanitizer sees every read
        memcpy(part, out.bytes, cut);
        const Out piece = {part, cut, cut};
        if (read_scene(&scene, &piece) == TRN_RESULT_OK) {
            assert_true(scene.ends_early && scene.voxels.count > 0);
            trn_vox_scene_free(&scene);
        }
        free(part);
    }
    for (size_t at = 0; at < out.size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            out.bytes[at] ^= (unsigned char)(1 << bit);
            if (read_scene(&scene, &out) == TRN_RESULT_OK) {
                trn_vox_scene_free(&scene);
            }
            out.bytes[at] ^= (unsigned char)(1 << bit);
        }
    }
    out_free(&out);
}

static void running_out_of_memory_leaves_no_trace(void **state)
{
    (void)state;
    Out out = {0};
    write_turned(&out, "17", "0 0 7", NULL, "10 0 0");
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (size_t at = 1; result != TRN_RESULT_OK; at++) {
        TestAllocator counts = {0};
        const TrnAllocator allocator = test_allocator(&counts);
        TrnVoxScene scene;
        const char *fault;
        test_fail(&counts, at, at);
        result = trn_vox_scene_read(&scene, out.bytes, out.size, (TrnVoxel){0, 0, 0}, &allocator,
                                    &fault);
        if (result == TRN_RESULT_OK) {
            trn_vox_scene_free(&scene);
        } else {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        }
        assert_int_equal(counts.live_bytes, 0);
        assert_true(at < 1000);
    }
    out_free(&out);
}

static bool count_coord(void *user, TrnCoord coord)
{
    (void)coord;
    ++*(uint32_t *)user;
    return true;
}

static void a_file_is_imported_with_block_types_of_its_colours(void **state)
{
    Place *place = *state;
    static const unsigned char palette[256][4] = {{0x12, 0x34, 0x56, 255}, {0xAB, 0xCD, 0xEF, 255}};
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Out out = {0};
    char path[PLACE_PATH];
    file_begin(&out);
    write_model(&out, corner_size, corner, 2);
    const size_t begin = piece_begin(&out, "RGBA");
    out_bytes(&out, palette, sizeof palette);
    piece_end(&out, begin);
    file_end(&out);
    FILE *file = fopen(place_path(place, "model", path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(out.bytes, 1, out.size, file), out.size);
    assert_int_equal(fclose(file), 0);

    TrnImportDef def = trn_import_def();
    TrnImport *import;
    TrnBlock block;
    bool uniform = false;
    uint32_t count = 0;
    assert_int_equal(trn_block_types_create_builtin(NULL, &def.types), TRN_RESULT_OK);
    def.path = path;
    def.offset = (TrnVoxel){-40, 1, 0};
    assert_int_equal(trn_import_open(&def, &import, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_import_format(import), TRN_IMPORT_VOX);
    assert_int_equal(trn_import_list(import, count_coord, &count), TRN_RESULT_OK);
    assert_int_equal(count, 1);
    assert_int_equal(trn_import_load(import, (TrnCoord){-2, 0, -1}, blocks, &uniform),
                     TRN_RESULT_OK);
    assert_false(uniform);
    assert_int_equal(trn_block_types_find(def.types, "magicavoxel:abcdef", &block), TRN_RESULT_OK);
    assert_int_equal(blocks[trn_local_index(24 + 3, 1, 31)], block);
    assert_int_equal(trn_block_types_get(def.types, block)->colour[TRN_FACE_POS_Y][1], 0xCD);
    assert_int_equal(trn_import_load(import, (TrnCoord){0, 0, 0}, blocks, &uniform),
                     TRN_RESULT_NOT_FOUND);
    trn_import_destroy(import);
    trn_block_types_destroy(def.types);
    out_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_without_a_scene_stands_at_the_origin),
        cmocka_unit_test(nodes_move_and_turn_models_around_their_centre),
        cmocka_unit_test(later_models_cover_earlier_ones_and_hidden_ones_are_left_out),
        cmocka_unit_test(a_scene_that_contains_itself_is_refused),
        cmocka_unit_test(a_scene_that_multiplies_is_refused),
        cmocka_unit_test(what_is_damaged_is_left_out_and_the_rest_kept),
        cmocka_unit_test(a_palette_may_leave_out_its_last_colours),
        cmocka_unit_test(bytes_behind_the_last_piece_are_ignored),
        cmocka_unit_test(every_cut_is_seen_and_every_flipped_byte_is_safe),
        cmocka_unit_test(running_out_of_memory_leaves_no_trace),
        cmocka_unit_test_setup_teardown(a_file_is_imported_with_block_types_of_its_colours,
                                        place_make, place_remove),
    };
    return cmocka_run_group_tests_name("import_vox", tests, NULL, NULL);
}
