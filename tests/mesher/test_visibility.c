/// Visibility: which faces of a chunk are connected, compared with a flood fill voxel by voxel.
#include "testing.h"

#include <terrane/terrain.h>
#include <terrane/visibility.h>

#define EDGE TRN_CHUNK_EDGE

// ---- model -------------------------------------------------------------------------------------

typedef struct Cave {
    uint32_t opaque[TRN_CHUNK_ROWS];
} Cave;

static bool is_open(const Cave *cave, int x, int y, int z)
{
    return !(cave->opaque[y * EDGE + z] >> x & 1);
}

static void carve(Cave *cave, int x, int y, int z)
{
    cave->opaque[y * EDGE + z] &= ~(1u << x);
}

static void make_solid(Cave *cave)
{
    memset(cave->opaque, 0xFF, sizeof cave->opaque);
}

static uint32_t faces_of_voxel(int x, int y, int z)
{
    const int at[3] = {x, y, z};
    uint32_t faces = 0;
    for (int axis = 0; axis < 3; axis++) {
        faces |= (uint32_t)(at[axis] == 0) << axis * 2;
        faces |= (uint32_t)(at[axis] == EDGE - 1) << (axis * 2 + 1);
    }
    return faces;
}

/// Returns the faces that a voxel's component reaches, and marks its voxels as seen.
static uint32_t model_component(const Cave *cave, bool *seen, int start)
{
    static int stack[TRN_CHUNK_VOXELS];
    int count = 0;
    uint32_t faces = 0;
    stack[count++] = start;
    seen[start] = true;
    while (count > 0) {
        const int at = stack[--count];
        const int voxel[3] = {at % EDGE, at / (EDGE * EDGE), at / EDGE % EDGE};
        faces |= faces_of_voxel(voxel[0], voxel[1], voxel[2]);
        for (int face = 0; face < 6; face++) {
            int to[3] = {voxel[0], voxel[1], voxel[2]};
            to[face / 2] += face % 2 ? 1 : -1;
            if (to[face / 2] < 0 || to[face / 2] >= EDGE) {
                continue;
            }
            const int next = (to[1] * EDGE + to[2]) * EDGE + to[0];
            if (is_open(cave, to[0], to[1], to[2]) && !seen[next]) {
                seen[next] = true;
                stack[count++] = next;
            }
        }
    }
    return faces;
}

static void model_joins(const Cave *cave, bool joins[6][6])
{
    static bool seen[TRN_CHUNK_VOXELS];
    memset(seen, 0, sizeof seen);
    memset(joins, 0, 36 * sizeof(bool));
    for (int start = 0; start < TRN_CHUNK_VOXELS; start++) {
        if (seen[start] || cave->opaque[start / EDGE] >> start % EDGE & 1) {
            continue;
        }
        const uint32_t faces = model_component(cave, seen, start);
        for (int a = 0; a < 6; a++) {
            for (int b = 0; b < 6; b++) {
                joins[a][b] |= a != b && (faces >> a & 1) && (faces >> b & 1);
            }
        }
    }
}

static TrnVisibility check(const Cave *cave)
{
    bool joins[6][6];
    model_joins(cave, joins);
    const TrnVisibility visibility = trn_visibility_of(cave->opaque);
    assert_int_equal(visibility & 0x8000, 0);
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) {
            if (trn_visibility_joins(visibility, (TrnFace)a, (TrnFace)b) != joins[a][b]) {
                fail_msg("faces %d and %d: %d expected", a, b, joins[a][b]);
            }
        }
    }
    return visibility;
}

// ---- masks -------------------------------------------------------------------------------------

/// Checks a cave with its axes swapped and reversed in every way, so that no direction is special.
static void check_all_ways(const Cave *cave)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int way = 0; way < 12; way++) {
        Cave turned;
        make_solid(&turned);
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const int from[3] = {i % EDGE, i / (EDGE * EDGE), i / EDGE % EDGE};
            if (is_open(cave, from[0], from[1], from[2])) {
                const int *order = orders[way % 6];
                int to[3] = {from[order[0]], from[order[1]], from[order[2]]};
                for (int axis = 0; axis < 3; axis++) {
                    to[axis] = way < 6 ? to[axis] : EDGE - 1 - to[axis];
                }
                carve(&turned, to[0], to[1], to[2]);
            }
        }
        (void)check(&turned);
    }
}

static void stone_connects_nothing_and_air_everything(void **state)
{
    (void)state;
    Cave cave;
    make_solid(&cave);
    assert_int_equal(check(&cave), TRN_VISIBILITY_NONE);
    memset(&cave, 0, sizeof cave);
    assert_int_equal(check(&cave), TRN_VISIBILITY_ALL);
}

static void every_pair_has_its_own_bit(void **state)
{
    (void)state;
    uint32_t bits = 0;
    for (int a = 0; a < 6; a++) {
        assert_false(trn_visibility_joins(TRN_VISIBILITY_ALL, (TrnFace)a, (TrnFace)a));
        for (int b = a + 1; b < 6; b++) {
            const uint32_t bit = trn_visibility_bit((TrnFace)a, (TrnFace)b);
            assert_int_equal(bit, trn_visibility_bit((TrnFace)b, (TrnFace)a));
            assert_false(bits >> bit & 1);
            bits |= 1u << bit;
        }
    }
    assert_int_equal(bits, TRN_VISIBILITY_ALL);
}

/// From the middle of one face straight to the chunk's middle, and on to the middle of another
/// face.
static void a_corridor_connects_only_the_faces_at_its_ends(void **state)
{
    (void)state;
    for (int a = 0; a < 6; a++) {
        for (int b = a + 1; b < 6; b++) {
            Cave cave;
            make_solid(&cave);
            for (int end = 0; end < 2; end++) {
                const int face = end ? b : a;
                int at[3] = {16, 16, 16};
                for (; at[face / 2] >= 0 && at[face / 2] < EDGE;
                     at[face / 2] += face % 2 ? 1 : -1) {
                    carve(&cave, at[0], at[1], at[2]);
                }
            }
            assert_int_equal(check(&cave), 1 << trn_visibility_bit((TrnFace)a, (TrnFace)b));
            cave.opaque[16 * EDGE + 16] |= 1u << 16; // a wall in its middle
            assert_int_equal(check(&cave), TRN_VISIBILITY_NONE);
        }
    }
}

static void a_voxel_at_an_edge_or_corner_connects_its_faces(void **state)
{
    (void)state;
    for (int corner = 0; corner < 27; corner++) {
        Cave cave;
        make_solid(&cave);
        static const int places[3] = {0, 17, 31};
        carve(&cave, places[corner % 3], places[corner / 3 % 3], places[corner / 9]);
        (void)check(&cave);
    }
}

static void voxels_that_share_only_an_edge_are_not_connected(void **state)
{
    (void)state;
    Cave cave;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        cave.opaque[row] = (row / EDGE + row) % 2 ? 0x55555555u : 0xAAAAAAAAu;
    }
    // A checkerboard: only voxels at edges and corners connect anything, and only adjacent faces.
    const TrnVisibility visibility = check(&cave);
    for (int axis = 0; axis < 3; axis++) {
        assert_false(
            trn_visibility_joins(visibility, (TrnFace)(axis * 2), (TrnFace)(axis * 2 + 1)));
    }
    check_all_ways(&cave);
}

/// A corridor that winds through every second row of every second layer, from corner to corner: a
/// single component.
static void carve_snake(Cave *cave)
{
    make_solid(cave);
    for (int y = 0; y < EDGE; y += 2) {
        for (int z = 0; z < EDGE; z += 2) {
            for (int x = 0; x < EDGE - 1; x++) {
                carve(cave, x, y, z);
            }
            if (z + 2 < EDGE) {
                carve(cave, (z / 2 + y / 2) % 2 ? 0 : EDGE - 2, y, z + 1);
            }
        }
        if (y + 2 < EDGE) {
            carve(cave, 0, y + 1, y / 2 % 2 ? 0 : EDGE - 2);
        }
    }
}

/// A square spiral in each second layer, connected to the next at its middle and its rim in turn.
static void carve_spiral(Cave *cave)
{
    static const int dx[4] = {1, 0, -1, 0}, dz[4] = {0, 1, 0, -1};
    make_solid(cave);
    for (int y = 0; y < EDGE; y += 2) {
        int x = 0, z = 0, way = 0, length = EDGE - 1;
        carve(cave, x, y, z);
        for (int turn = 0; length > 0; turn++) {
            for (int i = 0; i < length; i++) {
                x += dx[way];
                z += dz[way];
                carve(cave, x, y, z);
            }
            way = (way + 1) % 4;
            length -= turn > 0 && turn % 2 == 0 ? 2 : 0;
        }
        if (y + 2 < EDGE) {
            carve(cave, y / 2 % 2 ? 0 : x, y + 1, y / 2 % 2 ? 0 : z);
        }
    }
}

static void winding_corridors_are_followed_to_their_ends(void **state)
{
    (void)state;
    Cave cave;
    carve_snake(&cave);
    check_all_ways(&cave);
    carve_spiral(&cave);
    check_all_ways(&cave);
}

/// A maze on every second voxel: a tree that reaches every cell, from a random walk that backtracks
/// where it is stuck.
static void carve_maze(Cave *cave, TestRandom *random)
{
    static uint16_t way[4096];
    static bool seen[4096];
    memset(seen, 0, sizeof seen);
    make_solid(cave);
    int count = 1;
    way[0] = (uint16_t)test_random_range(random, 0, 4095);
    seen[way[0]] = true;
    while (count > 0) {
        const int cell = way[count - 1];
        const int at[3] = {cell % 16, cell / 256, cell / 16 % 16};
        carve(cave, at[0] * 2, at[1] * 2, at[2] * 2);
        const int first = (int)test_random_range(random, 0, 5);
        bool moved = false;
        for (int i = 0; i < 6 && !moved; i++) {
            const int face = (first + i) % 6, step = face % 2 ? 1 : -1;
            int to[3] = {at[0], at[1], at[2]};
            to[face / 2] += step;
            const int next = (to[1] * 16 + to[2]) * 16 + to[0];
            if (to[face / 2] < 0 || to[face / 2] > 15 || seen[next]) {
                continue;
            }
            int wall[3] = {at[0] * 2, at[1] * 2, at[2] * 2};
            wall[face / 2] += step;
            carve(cave, wall[0], wall[1], wall[2]);
            seen[next] = moved = true;
            way[count++] = (uint16_t)next;
        }
        count -= !moved;
    }
}

static void mazes_are_searched_to_their_ends(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x3A2E);
    for (int round = 0; round < 10; round++) {
        Cave cave;
        carve_maze(&cave, &random);
        check_all_ways(&cave);
        // Cut in two, so that the maze is not one component.
        for (int z = 0; z < EDGE; z++) {
            cave.opaque[(int)test_random_range(&random, 0, 31) * EDGE + z] = UINT32_MAX;
        }
        check_all_ways(&cave);
    }
}

static void random_chunks_match_a_plain_flood_fill(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x715B);
    for (int round = 0; round < 600; round++) {
        Cave cave;
        // From hardly any open voxel to hardly any opaque one. Components join at about a third.
        const uint64_t open = (uint64_t)round % 60 * 100 / 59;
        for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
            uint32_t bits = 0;
            for (int x = 0; x < EDGE; x++) {
                bits |= (uint32_t)(test_random_next(&random) % 100 >= open) << x;
            }
            cave.opaque[row] = bits;
        }
        (void)check(&cave);
    }
}

/// Boxes carved at random: few components of many shapes.
static void random_rooms_match_a_plain_flood_fill(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x2003);
    for (int round = 0; round < 400; round++) {
        Cave cave;
        make_solid(&cave);
        for (int64_t rooms = test_random_range(&random, 1, 30); rooms > 0; rooms--) {
            int min[3], size[3];
            for (int axis = 0; axis < 3; axis++) {
                size[axis] = (int)test_random_range(&random, 1, 12);
                min[axis] = (int)test_random_range(&random, 0, EDGE - size[axis]);
            }
            for (int i = 0; i < size[0] * size[1] * size[2]; i++) {
                carve(&cave, min[0] + i % size[0], min[1] + i / size[0] % size[1],
                      min[2] + i / (size[0] * size[1]));
            }
        }
        (void)check(&cave);
    }
}

// ---- snapshots ---------------------------------------------------------------------------------

static void uniform_chunks_depend_on_their_block(void **state)
{
    (void)state;
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    const uint32_t *bits = trn_block_types_opaque_bits(types);
    static const struct {
        TrnBlock block;
        TrnVisibility visibility;
    } cases[] = {
        {TRN_BLOCK_AIR, TRN_VISIBILITY_ALL},         {TRN_BLOCK_STONE, TRN_VISIBILITY_NONE},
        {TRN_BLOCK_WATER, TRN_VISIBILITY_ALL},       {TRN_BLOCK_REEDS, TRN_VISIBILITY_ALL},
        {TRN_BLOCK_OAK_LEAVES, TRN_VISIBILITY_NONE}, {65535, TRN_VISIBILITY_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(trn_visibility_of_snapshot(trn_snapshot_of(cases[i].block, 7), bits),
                         cases[i].visibility);
    }
    trn_block_types_destroy(types);
}

static void generated_chunks_match_a_plain_flood_fill(void **state)
{
    (void)state;
    TrnTerrain *terrain;
    TrnBlockTypes *types;
    TrnVoxelHeap *heap;
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = trn_block_types_solid_bits(types);
    def.opaque_bits = trn_block_types_opaque_bits(types);
    assert_int_equal(trn_voxel_heap_create(&def, &heap), TRN_RESULT_OK);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    int mixed = 0;
    for (int32_t i = 0; i < 5 * 5 * 7; i++) {
        const TrnCoord coord = {i % 5 * 9, i / 25 - 4, i / 5 % 5 * 9};
        bool uniform;
        assert_int_equal(trn_terrain_generate(terrain, coord, blocks, &uniform), TRN_RESULT_OK);
        if (uniform) {
            continue;
        }
        mixed++;
        TrnVoxels voxels = {0};
        assert_int_equal(trn_voxels_encode(heap, &voxels, blocks, 1), TRN_RESULT_OK);
        Cave cave;
        for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
            cave.opaque[row] = 0;
            for (uint32_t x = 0; x < EDGE; x++) {
                const TrnBlockKind kind = trn_block_types_get(types, blocks[row * EDGE + x])->kind;
                cave.opaque[row] |= (uint32_t)(kind == TRN_BLOCK_KIND_OPAQUE) << x;
            }
        }
        assert_int_equal(trn_visibility_of_snapshot(trn_voxels_snapshot(&voxels), def.opaque_bits),
                         check(&cave));
        trn_voxels_fill(heap, &voxels, TRN_BLOCK_AIR, 2);
    }
    assert_true(mixed > 30);
    trn_voxel_heap_destroy(heap);
    trn_block_types_destroy(types);
    trn_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stone_connects_nothing_and_air_everything),
        cmocka_unit_test(every_pair_has_its_own_bit),
        cmocka_unit_test(a_corridor_connects_only_the_faces_at_its_ends),
        cmocka_unit_test(a_voxel_at_an_edge_or_corner_connects_its_faces),
        cmocka_unit_test(voxels_that_share_only_an_edge_are_not_connected),
        cmocka_unit_test(winding_corridors_are_followed_to_their_ends),
        cmocka_unit_test(mazes_are_searched_to_their_ends),
        cmocka_unit_test(random_chunks_match_a_plain_flood_fill),
        cmocka_unit_test(random_rooms_match_a_plain_flood_fill),
        cmocka_unit_test(uniform_chunks_depend_on_their_block),
        cmocka_unit_test(generated_chunks_match_a_plain_flood_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
