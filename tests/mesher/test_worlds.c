// Meshes of random worlds and landscapes, compared with the reference by every set of kernels that
// this machine runs. Random chunks have every width, fresh and edited. For landscapes, a classic
// greedy mesher says how few quads suffice.

#include "base/address_range.h"
#include "mesh_stage.h"
#include "voxels/voxel_read_internal.h"

#include <terrane/terrain.h>

// ---- random chunks -----------------------------------------------------------------------------

enum { SHELF_CHUNKS = 72, SHELF_TYPES = 5000, SHELF_MODELS = 40, SHELF_PALETTE_MAX = 4096 };

/// Many chunks to choose from, whose blocks share one table of types.
typedef struct Shelf {
    Stage *stage;
    TrnBlockModel models[SHELF_MODELS];
    TrnBlockType types[SHELF_TYPES];
    TrnVoxels chunks[SHELF_CHUNKS];
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnBlock palette[SHELF_PALETTE_MAX]; ///< the blocks of the chunk being filled
    uint32_t palette_count;
    TestRandom random;
} Shelf;

static uint32_t dice(Shelf *shelf, uint32_t sides)
{
    return (uint32_t)(test_random_next(&shelf->random) >> 32) % sides;
}

static TrnBlock random_block(Shelf *shelf)
{
    return shelf->palette[dice(shelf, shelf->palette_count)];
}

/// Chooses `count` different blocks: most with a type, some beyond the table.
static void choose_palette(Shelf *shelf, uint32_t count)
{
    static bool is_taken[65536];
    memset(is_taken, 0, sizeof is_taken);
    const uint32_t known = shelf->stage->input.type_count;
    shelf->palette_count = 0;
    while (shelf->palette_count < count) {
        const bool is_beyond = dice(shelf, 8) == 0 || shelf->palette_count >= known / 2;
        const uint32_t block = is_beyond ? dice(shelf, 65536) : dice(shelf, known);
        if (!is_taken[block]) {
            is_taken[block] = true;
            shelf->palette[shelf->palette_count++] = (TrnBlock)block;
        }
    }
}

/// Chooses every voxel independently, one block more often.
static void fill_noise(Shelf *shelf)
{
    const uint32_t percent = dice(shelf, 101);
    const TrnBlock often = random_block(shelf);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        shelf->blocks[i] = dice(shelf, 100) < percent ? often : random_block(shelf);
    }
}

/// Overlapping boxes of one block each: long runs in every direction, and edges that end at the
/// chunk's border.
static void fill_boxes(Shelf *shelf)
{
    const TrnBlock ground = random_block(shelf);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        shelf->blocks[i] = ground;
    }
    for (uint32_t box = 1 + dice(shelf, 40); box > 0; box--) {
        uint32_t low[3], high[3];
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = dice(shelf, EDGE);
            high[axis] = low[axis] + dice(shelf, EDGE - low[axis]);
        }
        const TrnBlock block = random_block(shelf);
        for (uint32_t y = low[1]; y <= high[1]; y++) {
            for (uint32_t z = low[2]; z <= high[2]; z++) {
                for (uint32_t x = low[0]; x <= high[0]; x++) {
                    shelf->blocks[trn_local_index(x, y, z)] = block;
                }
            }
        }
    }
}

/// Lines along one axis, each of one block or of two.
static void fill_lines(Shelf *shelf)
{
    static const uint32_t steps[3] = {1, EDGE, EDGE * EDGE};
    const uint32_t axis = dice(shelf, 3), one = steps[(axis + 1) % 3], two = steps[(axis + 2) % 3];
    for (uint32_t line = 0; line < EDGE * EDGE; line++) {
        const uint32_t first = line % EDGE * one + line / EDGE * two;
        const uint32_t end = dice(shelf, 2) ? dice(shelf, EDGE) : EDGE;
        const TrnBlock block = random_block(shelf), other = random_block(shelf);
        for (uint32_t i = 0; i < EDGE; i++) {
            shelf->blocks[first + i * steps[axis]] = i < end ? block : other;
        }
    }
}

/// A few voxels in an otherwise uniform chunk, many of them at the border.
static void fill_sparse(Shelf *shelf)
{
    const TrnBlock ground = random_block(shelf);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        shelf->blocks[i] = ground;
    }
    for (uint32_t i = dice(shelf, 60); i > 0; i--) {
        uint32_t at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = dice(shelf, 3) ? dice(shelf, 2) * (EDGE - 1) : dice(shelf, EDGE);
        }
        shelf->blocks[trn_local_index(at[0], at[1], at[2])] = random_block(shelf);
    }
}

/// Two blocks that alternate every voxel or every few voxels.
static void fill_checkers(Shelf *shelf)
{
    const TrnBlock even = random_block(shelf), odd = random_block(shelf);
    const uint32_t x = 1 + dice(shelf, 4), y = 1 + dice(shelf, 4), z = 1 + dice(shelf, 4);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t sum = i % EDGE / x + i / EDGE % EDGE / z + i / (EDGE * EDGE) / y;
        shelf->blocks[i] = sum % 2 ? odd : even;
    }
}

/// Overwrites most of a chunk by an edit, which may leave most palette entries unused.
static void edit_chunk(Shelf *shelf, TrnVoxels *voxels)
{
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, shelf->stage->heap, voxels);
    for (uint32_t i = dice(shelf, 6); i > 0; i--) {
        uint32_t low[3], high[3];
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = dice(shelf, 4);
            high[axis] = EDGE - 1 - dice(shelf, 4);
        }
        assert_int_equal(trn_voxel_edit_fill_box(&edit, low, high, random_block(shelf)),
                         TRN_RESULT_OK);
    }
    for (uint32_t i = dice(shelf, 300); i > 0; i--) {
        assert_int_equal(
            trn_voxel_edit_set(&edit, dice(shelf, TRN_CHUNK_VOXELS), random_block(shelf)),
            TRN_RESULT_OK);
    }
    trn_voxel_edit_replace(&edit, random_block(shelf), random_block(shelf));
    trn_voxel_edit_commit(&edit, 1);
}

static void make_chunk(Shelf *shelf, uint32_t i)
{
    static const uint32_t counts[] = {2, 3, 4, 6, 16, 2, 17, 100, 256, 257, 3000, 5};
    static void (*const fills[])(Shelf *) = {fill_noise,  fill_boxes, fill_lines,
                                             fill_sparse, fill_boxes, fill_checkers};
    choose_palette(shelf, counts[i % 12]);
    if (i % 7 == 6) {
        trn_voxels_fill(shelf->stage->heap, &shelf->chunks[i], random_block(shelf), i);
        return;
    }
    fills[(i + i / 12) % 6](shelf);
    assert_int_equal(trn_voxels_encode(shelf->stage->heap, &shelf->chunks[i], shelf->blocks, i),
                     TRN_RESULT_OK);
    if ((i + i / 12) % 3 == 2) {
        edit_chunk(shelf, &shelf->chunks[i]);
    }
}

/// Makes a model of boxes between planes of the grid, so that many touch; they may overlap.
static void random_model(Shelf *shelf, TrnBlockModel *model)
{
    static const uint8_t planes[] = {0, 4, 8, 15, 16};
    memset(model, 0, sizeof *model);
    model->box_count = dice(shelf, 8) ? 1 + dice(shelf, 2) : TRN_BLOCK_BOXES_MAX;
    model->connects = (uint8_t)dice(shelf, 4);
    for (uint32_t i = 0; i < model->box_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t low = dice(shelf, 4);
            model->boxes[i].min[axis] = planes[low];
            model->boxes[i].max[axis] = planes[low + 1 + dice(shelf, 4 - low)];
        }
        if (model->connects && dice(shelf, 2)) {
            model->boxes[i].connected = (uint8_t)(1u << dice(shelf, TRN_FACE_COUNT));
            const uint32_t some = dice(shelf, 64),
                           others = dice(shelf, 64); // a quarter of the sides
            model->boxes[i].unconnected =
                (uint8_t)(some & others & ~(uint32_t)model->boxes[i].connected);
        }
    }
}

/// Gives the types every kind in turn.
static void random_types(Shelf *shelf)
{
    static const TrnBlockKind kinds[] = {
        TRN_BLOCK_KIND_AIR,    TRN_BLOCK_KIND_AIR,    TRN_BLOCK_KIND_OPAQUE,
        TRN_BLOCK_KIND_OPAQUE, TRN_BLOCK_KIND_OPAQUE, TRN_BLOCK_KIND_LIQUID,
        TRN_BLOCK_KIND_PLANT,  TRN_BLOCK_KIND_CUTOUT, TRN_BLOCK_KIND_TRANSPARENT,
        TRN_BLOCK_KIND_MODEL,
    };
    for (uint32_t i = 0; i < SHELF_MODELS; i++) {
        random_model(shelf, &shelf->models[i]);
    }
    for (uint32_t i = 0; i < SHELF_TYPES; i++) {
        TrnBlockType *type = &shelf->types[i];
        *type = trn_block_type_def("test:some", kinds[dice(shelf, dice(shelf, 3) ? 9 : 10)]);
        type->family = (TrnBlock)i;
        if (type->kind == TRN_BLOCK_KIND_MODEL) {
            type->model = &shelf->models[dice(shelf, SHELF_MODELS)];
        } else if (type->kind == TRN_BLOCK_KIND_LIQUID && dice(shelf, 2)) { // one of three families
            type->surface = (uint8_t)dice(shelf, 18);
            type->variant = (uint8_t)dice(shelf, 3);
            type->family = (TrnBlock)dice(shelf, 3);
        }
        const TrnBlock other = (TrnBlock)dice(shelf, i + 1);
        const TrnBlockType *liquid = &shelf->types[other];
        if (type->kind == TRN_BLOCK_KIND_PLANT && liquid->kind == TRN_BLOCK_KIND_LIQUID &&
            liquid->variant == 0) {
            type->liquid = other;
        }
    }
}

/// @param type_count  0 means the tests' own few types
static Shelf *shelf_create(TestRandom random, uint32_t type_count, int masks)
{
    Shelf *shelf = calloc(1, sizeof *shelf);
    assert_non_null(shelf);
    shelf->random = random;
    random_types(shelf);
    shelf->stage = type_count ? stage_create(shelf->types, type_count, masks)
                              : stage_create(mesh_test_types, TYPE_COUNT, masks);
    for (uint32_t i = 0; i < SHELF_CHUNKS; i++) {
        make_chunk(shelf, i);
    }
    return shelf;
}

static void shelf_destroy(Shelf *shelf)
{
    stage_destroy(shelf->stage);
    free(shelf);
}

static TrnSnapshot random_snapshot(Shelf *shelf)
{
    return trn_voxels_snapshot(&shelf->chunks[dice(shelf, SHELF_CHUNKS)]);
}

/// Surrounds a chunk of the shelf with others of it, and leaves some out.
static void shuffle_world(Shelf *shelf)
{
    Stage *stage = shelf->stage;
    const uint32_t missing_percent = dice(shelf, 3) * 40;
    for (int place = 0; place < AROUND; place++) {
        stage_place(stage, place, random_snapshot(shelf));
        if (place != CENTRE && dice(shelf, 100) < missing_percent) {
            stage_miss(stage, place);
        }
    }
    stage->input.missing_is_solid = dice(shelf, 2);
    stage->input.open_sides = dice(shelf, 3) ? 0 : dice(shelf, 64);
    stage->input.without_ao = dice(shelf, 4) == 0;
    stage_choose_options(stage, &shelf->random);
    stage_light_by_chance(stage, &shelf->random);
}

static void random_worlds_mesh_exactly(void **state)
{
    (void)state;
    static const struct {
        uint32_t type_count, worlds;
        int masks;
    } rounds[] = {
        {0, 200, 1}, {SHELF_TYPES, 160, 2}, {SHELF_TYPES, 50, 1}, {300, 160, 2}, {1, 30, 1}};
    TestRandom random = test_random_seeded(20);
    uint64_t faces = 0;
    for (uint32_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        Shelf *shelf = shelf_create(random, rounds[i].type_count, rounds[i].masks);
        for (uint32_t world = 0; world < test_rounds(rounds[i].worlds, rounds[i].worlds / 4);
             world++) {
            shuffle_world(shelf);
            faces += stage_check(shelf->stage);
        }
        random = shelf->random;
        shelf_destroy(shelf);
    }
    print_message("  %llu faces\n", (unsigned long long)faces);
    assert_true(faces > test_rounds(1000000, 250000));
}

/// Meshes each chunk of the shelf alone, in air and in rock, so that none depends on chance.
static void every_chunk_alone_meshes_exactly(void **state)
{
    (void)state;
    Shelf *shelf = shelf_create(test_random_seeded(21), SHELF_TYPES, 2);
    uint32_t widths = 0, unused = 0;
    for (uint32_t i = 0; i < SHELF_CHUNKS; i++) {
        const TrnSnapshot snapshot = trn_voxels_snapshot(&shelf->chunks[i]);
        widths |= 1u << trn_snapshot_bits(snapshot);
        TrnPalette palette;
        trn_snapshot_palette(snapshot, &palette);
        for (uint32_t entry = 0; entry < palette.count; entry++) {
            unused += trn_snapshot_count(snapshot, palette.blocks[entry]) == 0;
        }
        stage_place(shelf->stage, CENTRE, snapshot);
        stage_miss_all(shelf->stage);
        shelf->stage->input.missing_is_solid = i % 2;
        stage_check(shelf->stage);
        shelf->stage->input.without_ao = !shelf->stage->input.without_ao;
        shelf->stage->input.missing_is_solid = !shelf->stage->input.missing_is_solid;
        stage_check(shelf->stage);
    }
    assert_int_equal(widths, 1 | 2 | 4 | 16 | 256 | 65536);
    assert_true(unused > 0);
    shelf_destroy(shelf);
}

/// A missing chunk meshes like a loaded one of the block that it counts as.
static void a_missing_chunk_meshes_like_air_or_rock(void **state)
{
    (void)state;
    Shelf *shelf = shelf_create(test_random_seeded(22), 0, 1);
    Stage *stage = shelf->stage;
    TrnQuad *quads = malloc(TRN_MESH_QUADS_MAX * sizeof *quads);
    assert_non_null(quads);
    for (int i = 0; i < 40; i++) {
        shuffle_world(shelf);
        stage_mesh(stage);
        const TrnMeshInfo info = stage->info;
        memcpy(quads, stage->quads, trn_mesh_count(&info) * sizeof *quads);
        for (int place = 0; place < AROUND; place++) {
            if (!(stage->input.present >> place & 1)) {
                const TrnBlock stands_for = stage->input.missing_is_solid ? UNKNOWN : VOID;
                stage_place(stage, place, trn_snapshot_of(stands_for, 7));
            }
        }
        stage_mesh(stage);
        assert_true(mesh_info_equal(&stage->info, &info));
        assert_memory_equal(stage->quads, quads, trn_mesh_count(&info) * sizeof *quads);
    }
    free(quads);
    shelf_destroy(shelf);
}

// ---- limits ------------------------------------------------------------------------------------

/// Whole pages of memory, followed by one that cannot be accessed.
typedef struct Cliff {
    TrnAddressRange range;
    unsigned char *end;
    size_t bytes; ///< up to the end
} Cliff;

static Cliff cliff_create(size_t bytes)
{
    const size_t page = trn_address_range_page_bytes();
    Cliff cliff = {.bytes = (bytes + page - 1) / page * page};
    assert_int_equal(trn_address_range_reserve(cliff.bytes + page, &cliff.range), TRN_RESULT_OK);
    assert_int_equal(trn_address_range_commit(&cliff.range, 0, cliff.bytes), TRN_RESULT_OK);
    cliff.end = cliff.range.start + cliff.bytes;
    return cliff;
}

/// Copies a payload so that it ends where the mapped memory does. Payloads hold no addresses of
/// their own parts.
static TrnSnapshot put_on_cliff(const Cliff *cliff, TrnSnapshot snapshot)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return snapshot;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    const size_t bytes = trn_payload_bytes(payload);
    assert_true(bytes <= cliff->bytes && bytes % 64 == 0);
    memcpy(cliff->end - bytes, payload, bytes);
    return (TrnSnapshot){(uint64_t)(uintptr_t)(cliff->end - bytes)};
}

/// Payloads, scratch and quads are not accessed past their end. Needs pages without access.
static void nothing_is_read_past_its_end(void **state)
{
    (void)state;
    if (!trn_address_range_is_supported()) {
        skip();
    }
    Shelf *shelf = shelf_create(test_random_seeded(24), 300, 2);
    Cliff payloads[AROUND], scratch = cliff_create(TRN_MESH_SCRATCH_BYTES);
    Cliff quads = cliff_create(TRN_MESH_QUADS_MAX * sizeof(TrnQuad));
    Cliff light = cliff_create(TRN_MESH_QUADS_MAX * sizeof(uint32_t));
    Cliff levels[2] = {cliff_create(sizeof(TrnLight)), cliff_create(sizeof(TrnLight))};
    for (int place = 0; place < AROUND; place++) {
        payloads[place] = cliff_create((size_t)80 * 1024);
    }
    for (int i = 0; i < 80; i++) {
        shuffle_world(shelf);
        TrnMeshInput input = shelf->stage->input;
        for (int place = 0; place < AROUND; place++) {
            if (input.present >> place & 1) {
                input.around[place] = put_on_cliff(&payloads[place], input.around[place]);
            }
        }
        for (int channel = 0; channel < 2; channel++) {
            const TrnLight **its = channel ? &input.blocks : &input.sky;
            if (*its) {
                *its = memcpy(levels[channel].end - sizeof(TrnLight), *its, sizeof(TrnLight));
            }
        }
        stage_mesh(shelf->stage);
        const size_t count = trn_mesh_count(&shelf->stage->info), bytes = count * sizeof(TrnQuad);
        TrnQuad *const at = (TrnQuad *)(void *)(quads.end - bytes);
        uint32_t *const light_at = (uint32_t *)(void *)light.end - count;
        for (unsigned j = 0; trn_kernels_name(&trn_mesh_kernels, j); j++) {
            TrnMeshInfo info;
            memset(scratch.range.start, i * 37, scratch.bytes);
            assert_int_equal(trn_mesh_quads_by(trn_kernels_name(&trn_mesh_kernels, j), &input,
                                               scratch.end - TRN_MESH_SCRATCH_BYTES, at, light_at,
                                               count, &info),
                             TRN_RESULT_OK);
            assert_true(mesh_info_equal(&info, &shelf->stage->info));
            assert_memory_equal(at, shelf->stage->quads, bytes);
            if (info.light == TRN_MESH_LIGHT_VARIES) {
                assert_memory_equal(light_at, shelf->stage->light, count * sizeof *light_at);
            }
        }
    }
    for (int place = 0; place < AROUND; place++) {
        trn_address_range_release(&payloads[place].range);
    }
    trn_address_range_release(&scratch.range);
    trn_address_range_release(&quads.range);
    trn_address_range_release(&light.range);
    trn_address_range_release(&levels[0].range);
    trn_address_range_release(&levels[1].range);
    shelf_destroy(shelf);
}

/// Returns whether a quad shows the block of a voxel, or the liquid that it stands in.
static bool quad_is_of(const Stage *stage, TrnQuad quad, uint32_t voxel)
{
    const TrnBlock block = trn_snapshot_get(stage->input.around[CENTRE], voxel);
    const bool is_known = block < stage->input.type_count;
    return trn_quad_block(quad) == block ||
           (is_known && trn_quad_block(quad) == stage->input.types[block].liquid);
}

/// Types may change while masks still say what was before. What is visible is then undefined, but
/// every quad lies in the chunk, on a voxel of its block and inside the buffer, and all kernels
/// agree.
static void masks_that_contradict_the_types_are_harmless(void **state)
{
    (void)state;
    Shelf *shelf = shelf_create(test_random_seeded(25), 300, 2);
    Stage *stage = shelf->stage;
    for (int i = 0; i < 60; i++) {
        shuffle_world(shelf);
        random_types(shelf);
        stage_mesh_by(stage, trn_kernels_name(&trn_mesh_kernels, 0), 10);
        const TrnMeshInfo info = stage->info;
        const uint32_t count = trn_mesh_count(&info);
        assert_true(count <= TRN_MESH_QUADS_MAX);
        memcpy(stage->first_quads, stage->quads, count * sizeof(TrnQuad));
        memcpy(stage->first_light, stage->light, count * sizeof *stage->light);
        for (uint32_t j = 0; j < count; j++) {
            const TrnQuad quad = stage->quads[j];
            const uint32_t face = trn_quad_face(quad), x = trn_quad_x(quad);
            const uint32_t y = trn_quad_y(quad), z = trn_quad_z(quad);
            uint32_t end[3] = {x, y, z};
            if (face < TRN_FACE_COUNT) {
                end[mesh_axes_of((int)face).width] += trn_quad_width(quad) - 1;
                end[mesh_axes_of((int)face).height] += trn_quad_height(quad) - 1;
            }
            assert_true(end[0] < EDGE && end[1] < EDGE && end[2] < EDGE);
            assert_true(quad_is_of(stage, quad, trn_local_index(x, y, z)));
            assert_true(quad_is_of(stage, quad, trn_local_index(end[0], end[1], end[2])));
        }
        for (unsigned j = 1; trn_kernels_name(&trn_mesh_kernels, j); j++) {
            stage_mesh_by(stage, trn_kernels_name(&trn_mesh_kernels, j), count / 2);
            stage_compare(stage, trn_kernels_name(&trn_mesh_kernels, j), &info, stage->first_quads,
                          stage->first_light);
        }
    }
    shelf_destroy(shelf);
}

/// The scratch's contents and address, and the quads' address, make no difference.
static void meshing_is_deterministic(void **state)
{
    (void)state;
    Shelf *shelf = shelf_create(test_random_seeded(23), SHELF_TYPES, 2);
    Stage *stage = shelf->stage;
    TrnMesh mesh;
    trn_mesh_init(&mesh, NULL);
    void *scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    assert_non_null(scratch);
    memset(scratch, 0, TRN_MESH_SCRATCH_BYTES);
    for (int i = 0; i < 60; i++) {
        shuffle_world(shelf);
        stage_mesh(stage);
        assert_int_equal(trn_mesh_build(&mesh, &stage->input, scratch), TRN_RESULT_OK);
        assert_true(mesh_info_equal(&mesh.info, &stage->info));
        assert_memory_equal(mesh.quads, stage->quads, trn_mesh_count(&mesh.info) * sizeof(TrnQuad));
    }
    trn_aligned_free(scratch);
    trn_mesh_free(&mesh);
    shelf_destroy(shelf);
}

// ---- landscapes --------------------------------------------------------------------------------

static uint32_t lattice(int x, int y, int z, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u ^ (uint32_t)z * 0xC2B2AE3Du ^
                 seed * 0x27D4EB2Fu;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return (h ^ h >> 15) & 1023;
}

/// Value noise, 0..1023.
/// @param shift  a cell has 1 << shift voxels
static int noise(int x, int y, int z, int shift, uint32_t seed)
{
    const int size = 1 << shift, mask = size - 1;
    int sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        const int right = corner & 1, up = corner >> 1 & 1, back = corner >> 2;
        const int weight = (right ? x & mask : size - (x & mask)) *
                           (up ? y & mask : size - (y & mask)) *
                           (back ? z & mask : size - (z & mask));
        sum += weight * (int)lattice((x >> shift) + right, (y >> shift) + up, (z >> shift) + back,
                                     seed) >>
               shift;
    }
    return sum >> 2 * shift;
}

/// Liquids, glass, plants and rock in cells of two voxels, with as many kinds of rock as each
/// chunk's width holds.
typedef struct Soup {
    uint32_t varieties[AROUND];
    int shift; ///< a cell has 1 << shift voxels
} Soup;

static TrnBlock soup(const void *argument, int x, int y, int z)
{
    const Soup *mix = argument;
    static const TrnBlock blocks[] = {AIR,  AIR,   AIR,   AIR, WATER, WATER, WATER, LAVA,
                                      FERN, GLASS, GLASS, ICE, VOID,  STONE, STONE, STONE};
    const uint32_t cell =
        lattice(x >> mix->shift, y >> mix->shift, z >> mix->shift, 8 + (uint32_t)mix->shift);
    const uint32_t place = ((uint32_t)x + EDGE) / EDGE + 3 * (((uint32_t)z + EDGE) / EDGE) +
                           9 * (((uint32_t)y + EDGE) / EDGE);
    const uint32_t kinds = mix->varieties[place];
    const TrnBlock block = blocks[cell % 16];
    if (kinds == 0) {
        return cell % 2 ? WATER : AIR;
    }
    const uint32_t rock = STONE + 100 * (lattice(z, x, y, 9) % kinds);
    return block == STONE ? (TrnBlock)rock : block;
}

/// Chunks of all widths that fit together: most borders have the same liquid on both sides.
static void neighbours_of_all_widths_mesh_exactly(void **state)
{
    (void)state;
    static const uint32_t varieties[] = {0, 1, 3, 100, 600};
    TestRandom random = test_random_seeded(26);
    Stage *stage = stage_of_test_types();
    uint32_t widths = 0;
    for (int i = 0; i < 10; i++) {
        Soup mix = {.shift = i % 3};
        for (int place = 0; place < AROUND; place++) {
            mix.varieties[place] = varieties[test_random_next(&random) % 5];
        }
        mix.varieties[CENTRE] = varieties[i % 5];
        stage_build_whole(stage, soup, &mix);
        stage->input.without_ao = i == 7;
        assert_true(stage_check(stage) > 5000);
        for (int place = 0; place < AROUND; place++) {
            widths |= trn_snapshot_bits(stage->input.around[place]);
        }
    }
    assert_int_equal(widths, 1 | 4 | 8 | 16);
    stage_destroy(stage);
}

/// Where on the map a landscape is sampled.
typedef struct Outlook {
    int x, y, z;
} Outlook;

static TrnBlock hills(const void *argument, int x, int y, int z)
{
    const Outlook *outlook = argument;
    x += outlook->x;
    z += outlook->z;
    const int height = 6 + (noise(x, 0, z, 5, 1) * 2 + noise(x, 0, z, 4, 2)) * 14 / 3072;
    const int sea = 11;
    if (y > height) {
        const bool is_green = y == height + 1 && y > sea && lattice(x, y, z, 3) < 30;
        return y <= sea ? WATER : is_green ? FERN : AIR;
    }
    const TrnBlock top = height <= sea ? SAND : GRASS;
    return y == height ? top : y > height - 4 ? DIRT : STONE;
}

static TrnBlock caves(const void *argument, int x, int y, int z)
{
    const Outlook *outlook = argument;
    x += outlook->x;
    y += outlook->y;
    z += outlook->z;
    if (noise(x, y, z, 4, 4) + noise(x, y, z, 3, 5) / 2 < 740) {
        return AIR;
    }
    const int vein = noise(x, y, z, 3, 6);
    return vein > 700 ? SAND : vein < 300 ? DIRT : STONE;
}

static TrnBlock hills_with_caves(const void *argument, int x, int y, int z)
{
    const TrnBlock block = hills(argument, x, y, z);
    return block == WATER || noise(x, y, z, 4, 7) > 330 ? block : AIR;
}

static TrnBlock flat(const void *argument, int x, int y, int z)
{
    (void)argument, (void)x, (void)z;
    return y < 12 ? STONE : y < 15 ? DIRT : y < 16 ? GRASS : AIR;
}

/// Exact and small: the sum over many chunks is at most a twentieth above a classic greedy
/// mesher's.
static void landscapes_need_few_quads(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        StageWorld *world;
        int outlooks;
    } lands[] = {{"hills", hills, 10},
                 {"hills with caves", hills_with_caves, 6},
                 {"caves", caves, 6},
                 {"flat", flat, 1}};
    Stage *stage = stage_of_test_types();
    TrnQuad *greedy = malloc(TRN_MESH_QUADS_MAX * sizeof *greedy);
    assert_non_null(greedy);
    for (int i = 0; i < 8; i++) {
        uint32_t faces = 0, ours = 0, plain = 0;
        stage->input.without_ao = i % 2;
        for (int j = 0; j < lands[i / 2].outlooks; j++) {
            const Outlook outlook = {j * 640 - 1900, j * 320 - 900, 77 - j * 37};
            TrnMeshInfo info;
            stage_build(stage, lands[i / 2].world, &outlook, STONE);
            faces += stage_check(stage);
            mesh_reference_greedy(stage->reference, greedy, &info);
            ours += trn_mesh_count(&stage->info);
            plain += trn_mesh_count(&info);
        }
        print_message(
            "  %s, %s ambient occlusion: %u faces, %u quads, %u of a classic greedy mesher\n",
            lands[i / 2].name, i % 2 ? "without" : "with", faces, ours, plain);
        assert_true(faces >= 1024 && ours < faces);
        assert_true(ours * 20 <= plain * 21);
    }
    free(greedy);
    stage_destroy(stage);
}

/// Fills the stage with the built-in terrain around a chunk.
static void stage_generate(Stage *stage, TrnTerrain *terrain, TrnCoord centre)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int place = 0; place < AROUND; place++) {
        const TrnCoord coord = {centre.x + place % 3 - 1, centre.y + place / 9 - 1,
                                centre.z + place / 3 % 3 - 1};
        bool is_uniform = false;
        assert_int_equal(trn_terrain_generate(terrain, coord, blocks, &is_uniform), TRN_RESULT_OK);
        if (is_uniform) {
            stage_fill(stage, place, blocks[0]);
        } else {
            stage_encode(stage, place, blocks);
        }
    }
}

/// Shores, meadows and woods with their plants: the chunks at ground level of a few places, and
/// those of the sea.
static void generated_land_meshes_exactly(void **state)
{
    (void)state;
    TrnBlockTypes *types;
    TrnTerrain *terrain;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK);
    uint32_t type_count;
    const TrnBlockType *all = trn_block_types_all(types, &type_count);
    Stage *stage = stage_create(all, type_count, 2);
    TrnQuad *greedy = malloc(TRN_MESH_QUADS_MAX * sizeof *greedy);
    assert_non_null(greedy);
    uint32_t opaque = 0, cutout = 0, plants = 0, clear = 0, plain = 0;
    uint32_t places = 0;
    for (int i = 0; places < 16 && i < 2000; i++) {
        const int64_t edge = EDGE;
        TrnCoord coord = {i * 7919 % 1000 - 500, 0, i * 104729 % 1000 - 500};
        int64_t height = 0;
        assert_int_equal(
            trn_terrain_height(terrain, coord.x * edge + 16, coord.z * edge + 16, &height),
            TRN_RESULT_OK);
        const bool is_shore = height < TRN_TERRAIN_SEA_LEVEL && height > TRN_TERRAIN_SEA_LEVEL - 6;
        if (places % 2 && !is_shore) {
            continue;
        }
        places++;
        // The sea's surface is the lowest layer of its chunk.
        const int64_t y = places % 4 == 2 ? TRN_TERRAIN_SEA_LEVEL : height;
        coord.y = (int32_t)((y + 64 * edge) / edge) - 64; // rounds down
        stage_generate(stage, terrain, coord);
        stage_check(stage);
        TrnMeshInfo info;
        mesh_reference_greedy(stage->reference, greedy, &info);
        plain += trn_mesh_count(&info);
        opaque += stage_opaque(stage);
        cutout += stage_cutout(stage);
        plants += stage_plants(stage);
        clear += stage_clear(stage);
    }
    print_message(
        "  %u quads, %u of plants, %u of water and leaves; %u of a classic greedy mesher\n",
        opaque + cutout + plants + clear, plants, clear, plain);
    assert_true(opaque > 1000 && plants > 10 && clear > 10);
    assert_true((opaque + cutout + plants + clear) * 20 <= plain * 21);
    free(greedy);
    stage_destroy(stage);
    trn_terrain_destroy(terrain);
    trn_block_types_destroy(types);
}

/// @param arguments  a pattern of test names, or none for all tests
int main(int argument_count, char **arguments)
{
    if (argument_count > 1) {
        cmocka_set_test_filter(arguments[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds_mesh_exactly),
        cmocka_unit_test(every_chunk_alone_meshes_exactly),
        cmocka_unit_test(a_missing_chunk_meshes_like_air_or_rock),
        cmocka_unit_test(meshing_is_deterministic),
        cmocka_unit_test(nothing_is_read_past_its_end),
        cmocka_unit_test(masks_that_contradict_the_types_are_harmless),
        cmocka_unit_test(neighbours_of_all_widths_mesh_exactly),
        cmocka_unit_test(landscapes_need_few_quads),
        cmocka_unit_test(generated_land_meshes_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
