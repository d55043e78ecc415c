// Meshes held against a reference that asks every face of every voxel.

#include "testing.h"

#include <terrane/mesher.h>
#include <terrane/store.h>

// ---- worlds ------------------------------------------------------------------------------------

/// The blocks that the tests are made of. UNKNOWN has no type, and counts as opaque.
enum { AIR, STONE, DIRT, GRASS, WATER, LAVA, VOID, GLASS, FERN, TYPE_COUNT, UNKNOWN = TYPE_COUNT };

/// One more than type_count says: a mesher that reads on finds air there.
static const TrnBlockType test_types[TYPE_COUNT + 1] = {
    {.name = "test:air", .kind = TRN_BLOCK_KIND_AIR},
    {.name = "test:stone", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:dirt", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:grass", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:water", .kind = TRN_BLOCK_KIND_LIQUID},
    {.name = "test:lava", .kind = TRN_BLOCK_KIND_LIQUID},
    {.name = "test:void", .kind = TRN_BLOCK_KIND_AIR}, // air under another id
    {.name = "test:glass", .kind = TRN_BLOCK_KIND_TRANSPARENT},
    {.name = "test:fern", .kind = TRN_BLOCK_KIND_PLANT},
    {.name = "test:beyond", .kind = TRN_BLOCK_KIND_AIR},
};

enum { EDGE = TRN_CHUNK_EDGE, CENTRE = TRN_FACE_COUNT, CHUNK_COUNT };

/// A chunk and its six neighbours, the mesh of it, and what the mesh covers.
typedef struct World {
    TrnBlock blocks[CHUNK_COUNT][TRN_CHUNK_VOXELS]; ///< neighbours by face, then the centre
    bool has_blocks[CHUNK_COUNT];                   ///< otherwise uniform
    TrnVoxelHeap *heap;
    TrnVoxels voxels[CHUNK_COUNT];
    const TrnVoxels *centre, *neighbours[TRN_FACE_COUNT]; ///< what is meshed; NULL: missing
    TrnMeshInput input;
    TrnMesh mesh;
    void *scratch;
    uint32_t opaque[TRN_BLOCK_BITS_WORDS]; ///< what the masks of the heap are made from
    TestAllocator memory;
    uint32_t cover[TRN_FACE_COUNT]
                  [TRN_CHUNK_VOXELS]; ///< quad index plus one, 0 where there is none
} World;

/// A world of uniform air; missing neighbours count as air.
static World *world_create(void)
{
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    TrnAllocator allocator = test_allocator(&world->memory);
    trn_mesh_init(&world->mesh, &allocator);
    world->scratch = aligned_alloc(64, TRN_MESH_SCRATCH_BYTES);
    assert_non_null(world->scratch);
    for (uint32_t id = 0; id < TRN_BLOCK_TYPES_MAX; id++) {
        const bool opaque = id >= TYPE_COUNT || test_types[id].kind == TRN_BLOCK_KIND_OPAQUE;
        world->opaque[id / 32] |= (uint32_t)opaque << id % 32;
    }
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.opaque_bits = world->opaque;
    assert_int_equal(trn_voxel_heap_create(&def, &world->heap), TRN_RESULT_OK);
    world->input.without_ao = true;
    world->input.types = test_types;
    world->input.type_count = TYPE_COUNT;
    world->centre = &world->voxels[CENTRE];
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        world->neighbours[face] = &world->voxels[face];
    }
    return world;
}

static void world_destroy(World *world)
{
    trn_mesh_free(&world->mesh);
    assert_int_equal(world->memory.live_bytes, 0);
    assert_int_equal(world->memory.live_blocks, 0);
    trn_voxel_heap_destroy(world->heap);
    free(world->scratch);
    free(world);
}

static void world_fill(World *world, int chunk, TrnBlock block)
{
    world->has_blocks[chunk] = false;
    trn_voxels_fill(world->heap, &world->voxels[chunk], block, 0);
}

/// The chunk's blocks, which it is made from hereafter.
static TrnBlock *world_payload(World *world, int chunk)
{
    world->has_blocks[chunk] = true;
    return world->blocks[chunk];
}

static void world_fill_all(World *world, TrnBlock centre, TrnBlock neighbours)
{
    world_fill(world, CENTRE, centre);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        world_fill(world, face, neighbours);
    }
}

static void world_missing_all(World *world)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        world->neighbours[face] = NULL;
    }
}

/// Brings voxels and input to what the tests have written down.
static void world_publish(World *world)
{
    for (int chunk = 0; chunk < CHUNK_COUNT; chunk++) {
        if (world->has_blocks[chunk]) {
            assert_int_equal(
                trn_voxels_encode(world->heap, &world->voxels[chunk], world->blocks[chunk], 0),
                TRN_RESULT_OK);
        }
    }
    world->input.present = 1u << TRN_MESH_CENTRE;
    world->input.around[TRN_MESH_CENTRE] = trn_voxels_snapshot(world->centre);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (world->neighbours[face]) {
            const uint32_t behind = trn_mesh_behind((TrnFace)face);
            world->input.present |= 1u << behind;
            world->input.around[behind] = trn_voxels_snapshot(world->neighbours[face]);
        }
    }
}

static TrnBlock block_at(const TrnVoxels *voxels, uint32_t index)
{
    return trn_snapshot_get(trn_voxels_snapshot(voxels), index);
}

static TrnResult world_try(World *world)
{
    world_publish(world);
    return trn_mesh_build(&world->mesh, &world->input, world->scratch);
}

static void world_build(World *world)
{
    assert_int_equal(world_try(world), TRN_RESULT_OK);
}

static uint32_t opaque_count(const World *world)
{
    return world->mesh.info.first[TRN_MESH_PLANTS];
}

static uint32_t liquid_count(const World *world)
{
    return trn_mesh_count(&world->mesh.info) - world->mesh.info.first[TRN_MESH_TRANSPARENT];
}

// ---- the reference -----------------------------------------------------------------------------

static TrnBlockKind kind_of(TrnBlock block)
{
    return block < TYPE_COUNT ? test_types[block].kind : TRN_BLOCK_KIND_OPAQUE;
}

/// The block that a face of a voxel looks at. @return false where that voxel's chunk is missing
static bool block_before(const World *world, int face, const int local[3], TrnBlock *block)
{
    int there[3] = {local[0], local[1], local[2]};
    there[face / 2] += face % 2 ? 1 : -1;
    bool inside = there[face / 2] >= 0 && there[face / 2] < EDGE;
    const TrnVoxels *voxels = inside ? world->centre : world->neighbours[face];
    if (!voxels) {
        return false;
    }
    *block = block_at(voxels, trn_local_index((uint32_t)there[0] % EDGE, (uint32_t)there[1] % EDGE,
                                              (uint32_t)there[2] % EDGE));
    return true;
}

/// Liquids and what is drawn with them.
static bool is_clear(TrnBlock block)
{
    return kind_of(block) == TRN_BLOCK_KIND_LIQUID || kind_of(block) == TRN_BLOCK_KIND_TRANSPARENT;
}

static bool is_shown(TrnBlock block)
{
    return kind_of(block) == TRN_BLOCK_KIND_OPAQUE || is_clear(block);
}

static bool face_shows(const World *world, int face, const int local[3], TrnBlock here)
{
    TrnBlock there = AIR;
    if (!is_shown(here)) {
        return false;
    }
    if (!block_before(world, face, local, &there)) {
        return !world->input.missing_is_solid;
    }
    return kind_of(there) != TRN_BLOCK_KIND_OPAQUE && !(is_clear(here) && here == there);
}

static uint32_t voxel_index(const int local[3])
{
    return trn_local_index((uint32_t)local[0], (uint32_t)local[1], (uint32_t)local[2]);
}

/// Notes which faces a quad covers. Fails where it leaves the chunk, overlaps another or shows a wrong block.
static void cover_quad(World *world, uint32_t quad_index, bool clear)
{
    TrnQuad quad = world->mesh.quads[quad_index];
    TrnFace face = (TrnFace)trn_quad_face(quad);
    int width_axis;
    int height_axis;
    trn_quad_axes(face, &width_axis, &height_axis);
    for (uint32_t h = 0; h < trn_quad_height(quad); h++) {
        for (uint32_t w = 0; w < trn_quad_width(quad); w++) {
            int local[3] = {(int)trn_quad_x(quad), (int)trn_quad_y(quad), (int)trn_quad_z(quad)};
            local[width_axis] += (int)w;
            local[height_axis] += (int)h;
            if (local[width_axis] >= EDGE || local[height_axis] >= EDGE) {
                fail_msg("quad %u leaves the chunk", quad_index);
            }
            uint32_t voxel = voxel_index(local);
            TrnBlock block = block_at(world->centre, voxel);
            if (block != trn_quad_block(quad) || is_clear(block) != clear) {
                fail_msg("quad %u shows block %u of %u", quad_index, trn_quad_block(quad), block);
            }
            if (world->cover[face][voxel]) {
                fail_msg("quad %u overlaps quad %u", quad_index, world->cover[face][voxel] - 1);
            }
            world->cover[face][voxel] = quad_index + 1;
        }
    }
}

/// Covers what a list of quads covers. Fails where a quad is in a wrong group.
static void cover_list(World *world, const uint32_t first[TRN_FACE_COUNT + 1], bool clear)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        assert_true(first[face] <= first[face + 1]);
        for (uint32_t i = first[face]; i < first[face + 1]; i++) {
            TrnQuad quad = world->mesh.quads[i];
            if ((int)trn_quad_face(quad) != face || (trn_quad_ao(quad) != 255 && !clear) ||
                quad >> 52 != 0) {
                fail_msg("quad %u: face %d in group %d, or wrong bits", i, trn_quad_face(quad),
                         face);
            }
            cover_quad(world, i, clear);
        }
    }
}

/// Fails where a quad could have been one with the quad above it.
static void check_merged(const World *world, uint32_t quad_index)
{
    TrnQuad quad = world->mesh.quads[quad_index];
    TrnFace face = (TrnFace)trn_quad_face(quad);
    int axes[2];
    trn_quad_axes(face, &axes[0], &axes[1]);
    int local[3] = {(int)trn_quad_x(quad), (int)trn_quad_y(quad), (int)trn_quad_z(quad)};
    int corner[2] = {local[axes[0]], local[axes[1]]};
    local[axes[1]] += (int)trn_quad_height(quad);
    uint32_t above = local[axes[1]] < EDGE ? world->cover[face][voxel_index(local)] : 0;
    if (!above) {
        return;
    }
    TrnQuad other = world->mesh.quads[above - 1];
    int starts[3] = {(int)trn_quad_x(other), (int)trn_quad_y(other), (int)trn_quad_z(other)};
    if (starts[axes[0]] == corner[0] && starts[axes[1]] == local[axes[1]] &&
        trn_quad_width(other) == trn_quad_width(quad) &&
        trn_quad_block(other) == trn_quad_block(quad) && trn_quad_ao(other) == trn_quad_ao(quad)) {
        fail_msg("quads %u and %u could be one", quad_index, above - 1);
    }
}

/// Holds the mesh against the reference. @return how many faces show
static uint32_t world_check(World *world)
{
    const TrnMesh *mesh = &world->mesh;
    uint32_t quad_count = trn_mesh_count(&mesh->info);
    assert_int_equal(mesh->info.first[0], 0);
    assert_true(quad_count <= mesh->capacity && mesh->capacity <= (size_t)TRN_MESH_QUADS_MAX);
    assert_true(opaque_count(world) <= TRN_MESH_OPAQUE_QUADS_MAX);
    memset(world->cover, 0, sizeof world->cover);
    cover_list(world, mesh->info.first + TRN_MESH_OPAQUE, false);
    cover_list(world, mesh->info.first + TRN_MESH_TRANSPARENT, true);
    for (uint32_t i = 0; i < quad_count; i++) {
        if (trn_quad_face(mesh->quads[i]) < TRN_FACE_COUNT) {
            check_merged(world, i);
        }
    }
    uint32_t face_count = 0;
    for (uint32_t voxel = 0; voxel < TRN_CHUNK_VOXELS; voxel++) {
        int local[3] = {(int)voxel % EDGE, (int)voxel / (EDGE * EDGE), (int)voxel / EDGE % EDGE};
        TrnBlock here = block_at(world->centre, voxel);
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            bool shows = face_shows(world, face, local, here);
            if (shows != (world->cover[face][voxel] != 0)) {
                fail_msg("face %d of voxel %d %d %d (block %u) %s", face, local[0], local[1],
                         local[2], here, shows ? "is not covered" : "is covered but hidden");
            }
            face_count += shows;
        }
    }
    return face_count;
}

/// Builds, and holds the mesh against the reference. @return how many faces show
static uint32_t world_build_and_check(World *world)
{
    world_build(world);
    return world_check(world);
}

// ---- random chunks -----------------------------------------------------------------------------

/// A palette: what random chunks choose from.
typedef struct Palette {
    TrnBlock blocks[8];
    int count;
} Palette;

static Palette random_palette(TestRandom *random)
{
    static const TrnBlock all[] = {AIR,  STONE, DIRT, GRASS,   WATER, LAVA,
                                   VOID, GLASS, FERN, UNKNOWN, 0x100, UINT16_MAX};
    const int64_t last = (int64_t)(sizeof all / sizeof all[0]) - 1;
    Palette palette = {.count = (int)test_random_range(random, 1, 8)};
    for (int i = 0; i < palette.count; i++) {
        palette.blocks[i] = all[test_random_range(random, 0, last)];
    }
    return palette;
}

static TrnBlock random_block(TestRandom *random, const Palette *palette)
{
    return palette->blocks[test_random_range(random, 0, palette->count - 1)];
}

/// Every voxel by itself, air as often as `air_percent` says.
static void fill_noise(TestRandom *random, const Palette *palette, TrnBlock *blocks)
{
    int64_t air_percent = test_random_range(random, 0, 100);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        bool is_air = test_random_range(random, 0, 99) < air_percent;
        blocks[i] = is_air ? AIR : random_block(random, palette);
    }
}

/// Overlapping boxes of one block each: long runs in every direction.
static void fill_boxes(TestRandom *random, const Palette *palette, TrnBlock *blocks)
{
    memset(blocks, 0, (size_t)TRN_CHUNK_VOXELS * sizeof *blocks);
    for (int64_t box = test_random_range(random, 1, 40); box > 0; box--) {
        int64_t low[3];
        int64_t high[3];
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = test_random_range(random, 0, EDGE - 1);
            high[axis] = test_random_range(random, low[axis], EDGE - 1);
        }
        TrnBlock block = random_block(random, palette);
        for (int64_t y = low[1]; y <= high[1]; y++) {
            for (int64_t z = low[2]; z <= high[2]; z++) {
                for (int64_t x = low[0]; x <= high[0]; x++) {
                    blocks[trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z)] = block;
                }
            }
        }
    }
}

/// Rolling hills of stone under dirt under grass, with water up to `sea`; x and z are voxels, so that chunks side by side fit.
static void fill_hills(TrnBlock *blocks, int first_x, int first_y, int first_z, int sea)
{
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        int x = first_x + i % EDGE;
        int y = first_y + i / (EDGE * EDGE);
        int z = first_z + i / EDGE % EDGE;
        // Terraces around a hollow every 64 voxels.
        int height = 8 + abs((x + 640) % 64 - 32) * abs((z + 640) % 64 - 32) / 80;
        TrnBlock ground = STONE;
        ground = y > height - 4 ? DIRT : ground;
        ground = y == height ? GRASS : ground;
        blocks[i] = y <= height ? ground : y <= sea ? WATER : AIR;
    }
}

static void fill_checkerboard(TrnBlock *blocks, TrnBlock even, TrnBlock odd)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        uint32_t sum = i % EDGE + i / EDGE % EDGE + i / (EDGE * EDGE);
        blocks[i] = sum % 2 ? odd : even;
    }
}

/// Makes a chunk of the world missing, uniform, noise, boxes or hills.
static void random_chunk(World *world, TestRandom *random, int chunk, const Palette *palette)
{
    int64_t style = test_random_range(random, chunk == CENTRE ? 2 : 0, 9);
    if (chunk != CENTRE) {
        world->neighbours[chunk] = style == 0 ? NULL : &world->voxels[chunk];
    }
    if (style <= 2) {
        world_fill(world, chunk, random_block(random, palette));
    } else if (style <= 5) {
        fill_noise(random, palette, world_payload(world, chunk));
    } else if (style <= 8) {
        fill_boxes(random, palette, world_payload(world, chunk));
    } else {
        fill_hills(world_payload(world, chunk), (int)test_random_range(random, 0, 99), 0, 0, 14);
    }
}

// ---- quads -------------------------------------------------------------------------------------

/// Where the header says that a field of a quad lies.
typedef struct QuadField {
    int shift, bits;
    uint32_t offset; ///< what the accessor adds
} QuadField;

static uint32_t read_field(int field, TrnQuad quad)
{
    const uint32_t values[] = {trn_quad_x(quad),     trn_quad_y(quad),      trn_quad_z(quad),
                               trn_quad_width(quad), trn_quad_height(quad), trn_quad_face(quad),
                               trn_quad_ao(quad),    trn_quad_block(quad)};
    return values[field];
}

static void every_field_of_a_quad_reads_back_and_touches_no_other(void **state)
{
    (void)state;
    static const QuadField fields[] = {{0, 5, 0},  {5, 5, 0},  {10, 5, 0}, {15, 5, 1},
                                       {20, 5, 1}, {25, 3, 0}, {28, 8, 0}, {36, 16, 0}};
    for (int field = 0; field < 8; field++) {
        uint64_t largest = ((uint64_t)1 << fields[field].bits) - 1;
        for (uint64_t value = 0; value <= largest; value++) {
            TrnQuad alone = value << fields[field].shift;
            TrnQuad among_ones = ~(largest << fields[field].shift) | alone;
            uint32_t expected = (uint32_t)value + fields[field].offset;
            assert_int_equal(read_field(field, alone), expected);
            assert_int_equal(read_field(field, among_ones), expected);
        }
    }
    assert_int_equal(sizeof(TrnQuad), 8);
}

static void faces_span_the_two_axes_across_them(void **state)
{
    (void)state;
    World *world = world_create();
    const uint32_t low[3] = {2, 4, 6};
    const uint32_t size[3] = {3, 5, 7};
    TrnBlock *blocks = world_payload(world, CENTRE);
    for (uint32_t i = 0; i < size[0] * size[1] * size[2]; i++) {
        blocks[trn_local_index(low[0] + i % size[0], low[1] + i / size[0] % size[1],
                               low[2] + i / size[0] / size[1])] = DIRT;
    }
    assert_int_equal(world_build_and_check(world), 2 * (3 * 5 + 5 * 7 + 7 * 3));
    assert_int_equal(opaque_count(world), 6);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnQuad quad = world->mesh.quads[face];
        int width_axis;
        int height_axis;
        trn_quad_axes((TrnFace)face, &width_axis, &height_axis);
        assert_int_equal(width_axis + height_axis + face / 2, 0 + 1 + 2);
        assert_int_equal(trn_quad_face(quad), face);
        assert_int_equal(trn_quad_width(quad), size[width_axis]);
        assert_int_equal(trn_quad_height(quad), size[height_axis]);
        assert_int_equal(trn_quad_x(quad), face == TRN_FACE_POS_X ? 4 : 2);
        assert_int_equal(trn_quad_y(quad), face == TRN_FACE_POS_Y ? 8 : 4);
        assert_int_equal(trn_quad_z(quad), face == TRN_FACE_POS_Z ? 12 : 6);
        assert_int_equal(trn_quad_block(quad), DIRT);
    }
    world_destroy(world);
}

// ---- merging -----------------------------------------------------------------------------------

static void a_solid_chunk_in_air_is_six_quads(void **state)
{
    (void)state;
    World *world = world_create();
    world_fill_all(world, STONE, AIR);
    assert_int_equal(world_build_and_check(world), 6 * EDGE * EDGE);
    assert_int_equal(opaque_count(world), 6);
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        world_payload(world, CENTRE)[i] = STONE; // the same, voxel by voxel
    }
    assert_int_equal(world_build_and_check(world), 6 * EDGE * EDGE);
    assert_int_equal(opaque_count(world), 6);
    world_destroy(world);
}

static void the_top_of_a_slab_is_one_quad(void **state)
{
    (void)state;
    World *world = world_create();
    TrnBlock *blocks = world_payload(world, CENTRE);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = i / (EDGE * EDGE) < 7 ? STONE : AIR;
    }
    world_missing_all(world);
    world->input.missing_is_solid = true;
    assert_int_equal(world_build_and_check(world), EDGE * EDGE);
    assert_int_equal(opaque_count(world), 1);
    TrnQuad top = world->mesh.quads[0];
    assert_int_equal(trn_quad_face(top), TRN_FACE_POS_Y);
    assert_int_equal(trn_quad_y(top), 6);
    assert_int_equal(trn_quad_width(top), EDGE);
    assert_int_equal(trn_quad_height(top), EDGE);
    world->input.missing_is_solid = false;
    world_build_and_check(world);
    assert_int_equal(opaque_count(world), 6);
    world_destroy(world);
}

static void two_materials_side_by_side_split_four_faces_of_six(void **state)
{
    (void)state;
    static const uint32_t steps[3] = {1, EDGE * EDGE, EDGE}; // of the linear index, along x, y, z
    World *world = world_create();
    TrnBlock *blocks = world_payload(world, CENTRE);
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[i] = i / steps[axis] % EDGE < 11 ? STONE : DIRT;
        }
        world_build_and_check(world);
        assert_int_equal(opaque_count(world), 4 * 2 + 2);
    }
    world_destroy(world);
}

static void blocks_that_differ_in_one_bit_are_never_merged(void **state)
{
    (void)state;
    World *world = world_create();
    const TrnBlock block = 0x5555;
    for (int bit = 0; bit < 16; bit++) {
        fill_checkerboard(world_payload(world, CENTRE), block, (TrnBlock)(block ^ 1 << bit));
        assert_int_equal(world_build_and_check(world), 6 * EDGE * EDGE);
        assert_int_equal(opaque_count(world), 6 * EDGE * EDGE);
    }
    world_destroy(world);
}

static void hills_take_far_fewer_quads_than_faces(void **state)
{
    (void)state;
    World *world = world_create();
    fill_hills(world_payload(world, CENTRE), 0, 0, 0, 13);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnCoord at = trn_coord_neighbour((TrnCoord){0, 0, 0}, (TrnFace)face);
        fill_hills(world_payload(world, face), at.x * EDGE, at.y * EDGE, at.z * EDGE, 13);
    }
    uint32_t faces = world_build_and_check(world);
    uint32_t quads = opaque_count(world) + liquid_count(world);
    print_message("  %u faces, %u quads\n", faces, quads);
    assert_true(liquid_count(world) > 0);
    assert_true(faces > EDGE * EDGE);
    assert_true(quads * 3 < faces);
    world_destroy(world);
}

// ---- the most quads ----------------------------------------------------------------------------

static void checkerboards_take_the_most_quads(void **state)
{
    (void)state;
    World *world = world_create();
    fill_checkerboard(world_payload(world, CENTRE), STONE, AIR);
    assert_int_equal(world_build_and_check(world), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(opaque_count(world), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(liquid_count(world), 0);

    // Water shows on the border alone, since stone hides it elsewhere.
    fill_checkerboard(world_payload(world, CENTRE), STONE, WATER);
    world_build_and_check(world);
    assert_int_equal(opaque_count(world), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(liquid_count(world), 6 * EDGE * EDGE / 2);

    fill_checkerboard(world_payload(world, CENTRE), LAVA, WATER);
    assert_int_equal(world_build_and_check(world), TRN_MESH_QUADS_MAX);
    assert_int_equal(liquid_count(world), TRN_MESH_QUADS_MAX);
    assert_int_equal(world->mesh.capacity, TRN_MESH_QUADS_MAX);
    world_destroy(world);
}

// ---- every face, once --------------------------------------------------------------------------

static void random_worlds_show_every_visible_face_once_and_no_other(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(20);
    World *world = world_create();
    for (int round = 0; round < 150; round++) {
        Palette palette = random_palette(&random);
        world->input.missing_is_solid = test_random_range(&random, 0, 1) == 1;
        for (int chunk = 0; chunk < CHUNK_COUNT; chunk++) {
            random_chunk(world, &random, chunk, &palette);
        }
        world_build_and_check(world);
    }
    world_destroy(world);
}

/// What a neighbour can be: missing (the count of them), or one block, or noise (one more).
enum { NEIGHBOUR_BLOCKS = 6, NEIGHBOUR_MISSING = NEIGHBOUR_BLOCKS, NEIGHBOUR_KINDS };
static const TrnBlock neighbour_blocks[NEIGHBOUR_BLOCKS] = {AIR, STONE, WATER, LAVA, VOID, UNKNOWN};

/// Sets the six neighbours to the digits of `combination`. @return which faces of a uniform centre show, by bit
static uint32_t set_neighbours(World *world, uint32_t combination, TrnBlock centre)
{
    uint32_t shows = 0;
    const int local[3] = {0, 0, 0};
    for (int face = 0; face < TRN_FACE_COUNT; face++, combination /= NEIGHBOUR_KINDS) {
        uint32_t kind = combination % NEIGHBOUR_KINDS;
        world->neighbours[face] = kind == NEIGHBOUR_MISSING ? NULL : &world->voxels[face];
        if (kind != NEIGHBOUR_MISSING) {
            world_fill(world, face, neighbour_blocks[kind]);
        }
        int border[3] = {local[0], local[1], local[2]};
        border[face / 2] = face % 2 ? EDGE - 1 : 0;
        shows |= (uint32_t)face_shows(world, face, border, centre) << face;
    }
    return shows;
}

static void uniform_chunks_show_whole_sides_by_their_neighbours(void **state)
{
    (void)state;
    World *world = world_create();
    uint32_t combinations = 1;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        combinations *= NEIGHBOUR_KINDS;
    }
    for (uint32_t i = 0; i < NEIGHBOUR_BLOCKS * combinations; i += 61) {
        TrnBlock centre = neighbour_blocks[i / combinations];
        world_fill(world, CENTRE, centre);
        world->input.missing_is_solid = i % 2;
        uint32_t shows = set_neighbours(world, i % combinations, centre);
        world_build(world);
        const uint32_t *first =
            world->mesh.info.first + (is_clear(centre) ? TRN_MESH_TRANSPARENT : TRN_MESH_OPAQUE);
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            // The topmost row of a liquid's side may be lowered, and is then a quad of its own.
            const uint32_t quads = first[face + 1] - first[face];
            assert_int_equal(is_clear(centre) ? quads > 0 : quads, shows >> face & 1);
        }
        assert_true(is_clear(centre) ||
                    trn_mesh_count(&world->mesh.info) == (uint32_t)__builtin_popcount(shows));
        if (i % 997 == 0) {
            world_check(world);
        }
    }
    world_destroy(world);
}

static void uniform_chunks_meet_neighbours_of_many_blocks(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(21);
    World *world = world_create();
    const Palette palette = {{AIR, STONE, WATER, LAVA, VOID, UNKNOWN}, 6};
    for (int i = 0; i < NEIGHBOUR_BLOCKS; i++) {
        world_fill(world, CENTRE, neighbour_blocks[i]);
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            fill_noise(&random, &palette, world_payload(world, face));
        }
        uint32_t faces = world_build_and_check(world);
        assert_true((faces > 0) == (kind_of(neighbour_blocks[i]) != TRN_BLOCK_KIND_AIR));
    }
    world_destroy(world);
}

/// Every width that a chunk can have, in the centre and behind its faces.
static void chunks_of_every_width_mesh_exactly(void **state)
{
    (void)state;
    static const struct {
        uint32_t types, bits;
    } widths[] = {{2, 1}, {4, 2}, {16, 4}, {200, 8}, {3000, 16}};
    TestRandom random = test_random_seeded(24);
    World *world = world_create();
    for (int i = 0; i < 25; i++) {
        const uint32_t centre = (uint32_t)i / 5, around = (uint32_t)i % 5;
        for (int chunk = 0; chunk < CHUNK_COUNT; chunk++) {
            const uint32_t types = widths[chunk == CENTRE ? centre : around].types;
            TrnBlock *blocks = world_payload(world, chunk);
            // Of two types air and water; of three and more also those without an entry in the
            // table.
            const uint32_t air = test_random_next(&random) % 2 ? 4 : 1;
            for (uint32_t voxel = 0; voxel < TRN_CHUNK_VOXELS; voxel++) {
                const uint32_t type = (uint32_t)test_random_next(&random) % (types * air);
                blocks[voxel] = (TrnBlock)(types == 2 ? type % 2 * WATER : type < types ? type : 0);
            }
        }
        world_build_and_check(world);
        assert_int_equal(trn_snapshot_bits(trn_voxels_snapshot(world->centre)),
                         widths[centre].bits);
        assert_int_equal(trn_snapshot_bits(trn_voxels_snapshot(world->neighbours[0])),
                         widths[around].bits);
    }
    world_destroy(world);
}

static void transparent_blocks_show_among_the_liquids_and_plants_apart(void **state)
{
    (void)state;
    World *world = world_create();
    world_fill_all(world, GLASS, AIR);
    world_build_and_check(world);
    assert_int_equal(opaque_count(world), 0);
    assert_int_equal(liquid_count(world), 6);
    world_fill_all(world, GLASS, GLASS);
    world_build_and_check(world);
    assert_int_equal(liquid_count(world), 0);
    world_fill_all(world, STONE, FERN); // hides nothing
    world_build_and_check(world);
    assert_int_equal(opaque_count(world), 6);
    world_fill_all(world, FERN, AIR);
    world_build_and_check(world);
    assert_int_equal(trn_mesh_count(&world->mesh.info), 2 * TRN_CHUNK_VOXELS);
    fill_checkerboard(world_payload(world, CENTRE), GLASS, FERN);
    assert_int_equal(world_build_and_check(world), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(liquid_count(world), TRN_MESH_OPAQUE_QUADS_MAX);
    world_destroy(world);
}

// ---- borders -----------------------------------------------------------------------------------

/// Exchanges the world's centre with its neighbour behind `face`, as if one stepped over.
static void step_over(World *world, TrnFace face)
{
    const TrnVoxels *behind = world->neighbours[face];
    world_missing_all(world);
    world->neighbours[face ^ 1] = world->centre;
    world->centre = behind;
}

/// Whether a face of a voxel is covered by the mesh that was checked last.
static bool is_covered(const World *world, TrnFace face, const int local[3])
{
    return world->cover[face][voxel_index(local)] != 0;
}

static void two_chunks_show_one_face_between_them_where_one_of_them_is_solid(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(22);
    const Palette palette = {{AIR, STONE, DIRT, UNKNOWN}, 4};
    bool near_side[EDGE * EDGE];
    for (int i = 0; i < 2 * TRN_FACE_COUNT; i++) {
        TrnFace face = (TrnFace)(i / 2);
        int along = ((int)face / 2 + 1) % 3;
        int across = ((int)face / 2 + 2) % 3;
        World *world = world_create();
        world_missing_all(world);
        world->neighbours[face] = &world->voxels[face];
        fill_noise(&random, &palette, world_payload(world, CENTRE));
        fill_boxes(&random, &palette, world_payload(world, (int)face));
        for (int side = 0; side < 2; side++) {
            world_build_and_check(world);
            for (int j = 0; j < EDGE * EDGE; j++) {
                TrnFace looking = side ? face ^ 1 : face;
                int local[3];
                local[(int)looking / 2] = looking % 2 ? EDGE - 1 : 0;
                local[along] = j % EDGE;
                local[across] = j / EDGE;
                bool covered = is_covered(world, looking, local);
                TrnBlock here = block_at(world->centre, voxel_index(local));
                TrnBlock there = AIR;
                assert_true(block_before(world, (int)looking, local, &there));
                assert_int_equal(covered, here != AIR && there == AIR);
                assert_false(side && covered && near_side[j]);
                near_side[j] = covered;
            }
            step_over(world, face);
        }
        world_destroy(world);
    }
}

static void a_missing_neighbour_counts_as_air_or_as_solid(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(23);
    const Palette palette = {{AIR, STONE, DIRT, WATER}, 4};
    World *world = world_create();
    fill_boxes(&random, &palette, world_payload(world, CENTRE));
    for (uint32_t solid = 0; solid < 2; solid++) {
        world_missing_all(world);
        world->input.missing_is_solid = solid;
        uint32_t missing = world_build_and_check(world);
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            world_fill(world, face, solid ? STONE : AIR);
            world->neighbours[face] = &world->voxels[face];
        }
        assert_int_equal(world_build_and_check(world), missing);
    }
    world_destroy(world);
}

/// Neighbours that differ from each other, taken as a game takes them.
static void what_a_store_takes_around_a_chunk_is_what_is_meshed(void **state)
{
    (void)state;
    TrnStore *store;
    TrnMesh mesh;
    TrnMeshInput input = {.without_ao = true};
    void *const scratch = aligned_alloc(64, TRN_MESH_SCRATCH_BYTES);
    assert_non_null(scratch);
    const TrnCoord centre = {-8, 7, INT32_MAX};
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    trn_mesh_init(&mesh, NULL);
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert(store, centre, &chunk), TRN_RESULT_OK);
    trn_store_fill(store, chunk, TRN_BLOCK_STONE);
    input.types = trn_block_types_all(trn_store_block_types(store), &input.type_count);
    for (int hidden = 0; hidden <= TRN_FACE_COUNT; hidden++) {
        input.present = trn_store_snapshot_around(store, centre, input.around);
        assert_int_equal(trn_mesh_build(&mesh, &input, scratch), TRN_RESULT_OK);
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            assert_int_equal(mesh.info.first[face + 1] - mesh.info.first[face], face >= hidden);
        }
        if (hidden < TRN_FACE_COUNT) {
            const TrnCoord behind = trn_coord_neighbour(centre, (TrnFace)hidden);
            assert_int_equal(trn_store_insert(store, behind, &chunk), TRN_RESULT_OK);
            trn_store_fill(store, chunk, TRN_BLOCK_DIRT);
        }
    }
    trn_mesh_free(&mesh);
    free(scratch);
    trn_store_destroy(store);
}

// ---- memory and arguments ----------------------------------------------------------------------

static void assert_empty(const TrnMesh *mesh)
{
    for (int group = 0; group <= TRN_MESH_GROUP_COUNT; group++) {
        assert_int_equal(mesh->info.first[group], 0);
    }
}

static void air_takes_no_memory_and_a_mesh_is_used_again(void **state)
{
    (void)state;
    World *world = world_create();
    world_fill_all(world, AIR, STONE);
    world_build(world);
    assert_empty(&world->mesh);
    assert_int_equal(world->memory.allocations, 0);
    fill_checkerboard(world_payload(world, CENTRE), STONE, WATER);
    world_build_and_check(world);
    size_t allocations = world->memory.allocations;
    world_build_and_check(world);
    fill_hills(world_payload(world, CENTRE), 0, 0, 0, 13);
    world_build_and_check(world);
    assert_int_equal(world->memory.allocations, allocations);
    assert_int_equal(world->memory.live_blocks, 1);
    world_fill(world, CENTRE, VOID);
    world_build(world);
    assert_empty(&world->mesh);
    trn_mesh_free(&world->mesh);
    assert_empty(&world->mesh);
    assert_int_equal(world->memory.live_bytes, 0);
    world_fill(world, CENTRE, STONE);
    fill_hills(world_payload(world, CENTRE), 0, 0, 0, 13);
    world_build_and_check(world); // usable after it was freed
    world_destroy(world);
}

static void every_allocation_may_fail_and_the_mesh_is_then_empty(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t fail_at = 1;; fail_at++) {
        World *world = world_create();
        fill_checkerboard(world_payload(world, CENTRE), WATER, LAVA);
        world->memory.fail_at = fail_at;
        TrnResult result = world_try(world);
        if (result == TRN_RESULT_OK) {
            world_destroy(world);
            break;
        }
        failures++;
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        assert_empty(&world->mesh);
        assert_int_equal(world->memory.live_bytes, world->mesh.capacity * sizeof(TrnQuad));
        assert_int_equal(world_build_and_check(world), TRN_MESH_QUADS_MAX);
        world_destroy(world);
    }
    assert_true(failures > 0);
}

static void a_failure_empties_the_mesh_of_what_it_held(void **state)
{
    (void)state;
    World *world = world_create();
    fill_hills(world_payload(world, CENTRE), 0, 0, 0, 13);
    world_build_and_check(world);
    fill_checkerboard(world_payload(world, CENTRE), STONE, WATER);
    world->memory.fail_at = world->memory.allocations + 1;
    assert_int_equal(world_try(world), TRN_RESULT_NO_MEMORY);
    assert_empty(&world->mesh);
    fill_hills(world_payload(world, CENTRE), 0, 0, 0, 13);
    world_build_and_check(world);
    world_destroy(world);
}

static void bad_arguments_are_refused_and_the_mesh_stays(void **state)
{
    (void)state;
    World *world = world_create();
    fill_hills(world_payload(world, CENTRE), 0, 0, 0, 13);
    world_build(world);
    TrnMesh before = world->mesh;
    TrnMeshInput inputs[3] = {world->input, world->input, world->input};
    inputs[0].present &= ~(1u << TRN_MESH_CENTRE);
    inputs[1].types = NULL;
    inputs[2].type_count = 0;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(trn_mesh_build(&world->mesh, &inputs[i], world->scratch),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    assert_int_equal(trn_mesh_build(&world->mesh, NULL, world->scratch), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_mesh_build(NULL, &world->input, world->scratch), TRN_RESULT_BAD_ARGUMENT);
    assert_memory_equal(&world->mesh.info, &before.info, sizeof before.info);
    assert_ptr_equal(world->mesh.quads, before.quads);
    world_check(world);
    trn_mesh_free(NULL);
    world_destroy(world);
}

static void a_mesh_without_an_allocator_takes_the_default_one(void **state)
{
    (void)state;
    World *world = world_create();
    world_fill(world, CENTRE, STONE);
    world_publish(world);
    TrnMesh mesh;
    trn_mesh_init(&mesh, NULL);
    assert_int_equal(trn_mesh_build(&mesh, &world->input, world->scratch), TRN_RESULT_OK);
    assert_int_equal(trn_mesh_count(&mesh.info), 6);
    trn_mesh_free(&mesh);
    trn_mesh_free(&mesh); // twice is fine
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_a_quad_reads_back_and_touches_no_other),
        cmocka_unit_test(faces_span_the_two_axes_across_them),
        cmocka_unit_test(a_solid_chunk_in_air_is_six_quads),
        cmocka_unit_test(the_top_of_a_slab_is_one_quad),
        cmocka_unit_test(two_materials_side_by_side_split_four_faces_of_six),
        cmocka_unit_test(blocks_that_differ_in_one_bit_are_never_merged),
        cmocka_unit_test(hills_take_far_fewer_quads_than_faces),
        cmocka_unit_test(checkerboards_take_the_most_quads),
        cmocka_unit_test(random_worlds_show_every_visible_face_once_and_no_other),
        cmocka_unit_test(uniform_chunks_show_whole_sides_by_their_neighbours),
        cmocka_unit_test(uniform_chunks_meet_neighbours_of_many_blocks),
        cmocka_unit_test(chunks_of_every_width_mesh_exactly),
        cmocka_unit_test(transparent_blocks_show_among_the_liquids_and_plants_apart),
        cmocka_unit_test(what_a_store_takes_around_a_chunk_is_what_is_meshed),
        cmocka_unit_test(two_chunks_show_one_face_between_them_where_one_of_them_is_solid),
        cmocka_unit_test(a_missing_neighbour_counts_as_air_or_as_solid),
        cmocka_unit_test(air_takes_no_memory_and_a_mesh_is_used_again),
        cmocka_unit_test(every_allocation_may_fail_and_the_mesh_is_then_empty),
        cmocka_unit_test(a_failure_empties_the_mesh_of_what_it_held),
        cmocka_unit_test(bad_arguments_are_refused_and_the_mesh_stays),
        cmocka_unit_test(a_mesh_without_an_allocator_takes_the_default_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
