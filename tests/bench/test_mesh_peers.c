// The peers and worlds of terrane-bench's topic `mesher`. The faces of the peers' quads are
// compared with a test voxel by voxel, which is compared with chunks worked out by hand.

#include "testing.h"

#include <mesh_faces.h>
#include <mesh_peers.h>
#include <mesh_worlds.h>

enum { SOME = TRN_BLOCK_STONE, OTHER = TRN_BLOCK_DIRT, UNLIT = 255, LOWERED = 2 };

typedef struct Peer {
    const char *name;
    MeshPeer *mesh;
    bool has_ao, is_greedy;
} Peer;

static const Peer peers[] = {
    {"culling", mesh_by_culling, false, false},
    {"culling with AO", mesh_by_culling_with_ao, true, false},
    {"greedy", mesh_by_greedy, false, true},
    {"greedy with AO", mesh_by_greedy_with_ao, true, true},
    {"binary greedy", mesh_by_binary_greedy, false, true},
    {"binary greedy with AO", mesh_by_binary_greedy_with_ao, true, true},
};
enum { PEERS = sizeof peers / sizeof *peers };

/// What each test needs, and the built-in block types.
typedef struct Bench {
    TrnBlock padded[MESH_PADDED_VOXELS];
    TrnQuad quads[TRN_MESH_OPAQUE_QUADS_MAX];
    MeshFaces faces, expected;
    TrnBlockTypes *registry;
    const TrnBlockType *types;
    uint32_t type_count;
    TrnBlock glass; ///< transparent, which no built-in type is
} Bench;

static Bench *bench_of(void **state)
{
    Bench *bench = *state;
    memset(bench->padded, 0, sizeof bench->padded);
    return bench;
}

static int set_up(void **state)
{
    Bench *bench = malloc(sizeof *bench);
    assert_non_null(bench);
    assert_int_equal(trn_block_types_create_builtin(NULL, &bench->registry), TRN_RESULT_OK);
    const TrnBlockType glass = trn_block_type_def("test:glass", TRN_BLOCK_KIND_TRANSPARENT);
    assert_int_equal(trn_block_types_add(bench->registry, &glass, &bench->glass), TRN_RESULT_OK);
    bench->types = trn_block_types_all(bench->registry, &bench->type_count);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    trn_block_types_destroy(bench->registry);
    free(bench);
    return 0;
}

static void put(Bench *bench, int x, int y, int z, TrnBlock block)
{
    bench->padded[mesh_padded_index(x, y, z)] = block;
}

static void expect(Bench *bench, bool has_ao)
{
    mesh_faces_of_blocks(&bench->expected, bench->padded, bench->types, bench->type_count, has_ao);
}

/// Returns what a face must show; 0: nothing.
static uint32_t expected_at(const Bench *bench, uint32_t face, uint32_t x, uint32_t y, uint32_t z)
{
    return bench->expected.shown[face][trn_local_index(x, y, z)];
}

static uint32_t shown(TrnBlock block, uint32_t light)
{
    return (uint32_t)block << 8 | light;
}

/// Checks that every peer's quads cover exactly the visible faces.
/// @param counts  receives the number of quads of each peer
static void check_peers(Bench *bench, size_t counts[PEERS])
{
    for (size_t i = 0; i < PEERS; i++) {
        counts[i] = peers[i].mesh(bench->padded, bench->quads);
        assert_true(mesh_faces_of_quads(&bench->faces, bench->quads, counts[i]));
        assert_true(mesh_light_is_exact(bench->quads, counts[i], bench->types, bench->type_count));
        expect(bench, peers[i].has_ao);
        if (!mesh_faces_equal(&bench->faces, &bench->expected)) {
            fail_msg("%s covers wrong faces", peers[i].name);
        }
        if (!peers[i].is_greedy) {
            assert_int_equal(counts[i], mesh_faces_count(&bench->expected));
        }
    }
    // Both ways of greedy meshing take the widest rectangle at the lowest place first.
    assert_int_equal(counts[4], counts[2]);
    assert_int_equal(counts[5], counts[3]);
}

// ---- visible faces, by hand --------------------------------------------------------------------

static void a_block_alone_shows_six_unlit_faces(void **state)
{
    Bench *bench = bench_of(state);
    put(bench, 0, 31, 7, SOME);
    expect(bench, true);
    assert_int_equal(mesh_faces_count(&bench->expected), 6);
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        assert_int_equal(expected_at(bench, face, 0, 31, 7), shown(SOME, UNLIT));
    }
    size_t counts[PEERS];
    check_peers(bench, counts);
    for (size_t i = 0; i < PEERS; i++) {
        assert_int_equal(counts[i], 6);
    }
}

static void voxels_behind_the_border_hide_and_are_not_shown(void **state)
{
    Bench *bench = bench_of(state);
    put(bench, 31, 4, 0, SOME);
    put(bench, 32, 4, 0, SOME);
    put(bench, 31, 4, -1, SOME);
    put(bench, 31, 3, 0, TRN_BLOCK_AIR);
    expect(bench, false);
    assert_int_equal(mesh_faces_count(&bench->expected), 4);
    assert_int_equal(expected_at(bench, TRN_FACE_POS_X, 31, 4, 0), 0);
    assert_int_equal(expected_at(bench, TRN_FACE_NEG_Z, 31, 4, 0), 0);
    size_t counts[PEERS];
    check_peers(bench, counts);
}

/// Corners in the order (0,0) (1,0) (0,1) (1,1).
static uint32_t corners(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a | b << 2 | c << 4 | d << 6;
}

static void walls_darken_adjacent_corners(void **state)
{
    Bench *bench = bench_of(state);
    put(bench, 5, 5, 5, SOME);
    put(bench, 6, 6, 5,
        SOME); // at the upper face's corners (1, 0) and (1, 1); faces of y span x and z
    expect(bench, true);
    assert_int_equal(expected_at(bench, TRN_FACE_POS_Y, 5, 5, 5), shown(SOME, corners(3, 2, 3, 2)));
    assert_int_equal(expected_at(bench, TRN_FACE_NEG_Y, 6, 6, 5), shown(SOME, corners(2, 3, 2, 3)));
    put(bench, 5, 6, 6, SOME); // two sides close the corner
    expect(bench, true);
    assert_int_equal(expected_at(bench, TRN_FACE_POS_Y, 5, 5, 5), shown(SOME, corners(3, 2, 2, 0)));
    put(bench, 4, 6, 4, SOME); // one in the corner alone
    expect(bench, true);
    assert_int_equal(expected_at(bench, TRN_FACE_POS_Y, 5, 5, 5), shown(SOME, corners(2, 2, 2, 0)));
    size_t counts[PEERS];
    check_peers(bench, counts);
}

static void faces_of_x_and_z_have_ao_along_their_own_axes(void **state)
{
    Bench *bench = bench_of(state);
    put(bench, 9, 9, 9, SOME);
    put(bench, 10, 9, 10, SOME); // +x spans (z, y): at its corners (1, 0) and (1, 1)
    put(bench, 9, 10, 8, SOME);  // -z spans (x, y): at its corners (0, 1) and (1, 1)
    expect(bench, true);
    assert_int_equal(expected_at(bench, TRN_FACE_POS_X, 9, 9, 9), shown(SOME, corners(3, 2, 3, 2)));
    assert_int_equal(expected_at(bench, TRN_FACE_NEG_Z, 9, 9, 9), shown(SOME, corners(3, 3, 2, 2)));
    size_t counts[PEERS];
    check_peers(bench, counts);
}

static void liquids_show_towards_others_and_are_lowered_below_air(void **state)
{
    Bench *bench = bench_of(state);
    put(bench, 3, 3, 3, TRN_BLOCK_WATER);
    put(bench, 4, 3, 3, TRN_BLOCK_WATER);
    put(bench, 5, 3, 3, bench->glass);
    put(bench, 4, 4, 3, SOME);
    expect(bench, true);
    assert_int_equal(expected_at(bench, TRN_FACE_POS_X, 3, 3, 3), 0); // water behind water
    assert_int_equal(expected_at(bench, TRN_FACE_POS_X, 4, 3, 3), shown(TRN_BLOCK_WATER, UNLIT));
    assert_int_equal(expected_at(bench, TRN_FACE_NEG_X, 5, 3, 3), shown(bench->glass, UNLIT));
    assert_int_equal(expected_at(bench, TRN_FACE_POS_Y, 4, 3, 3), 0); // stone above
    assert_int_equal(expected_at(bench, TRN_FACE_POS_Y, 3, 3, 3), shown(TRN_BLOCK_WATER, LOWERED));
    assert_int_equal(expected_at(bench, TRN_FACE_NEG_X, 3, 3, 3), shown(TRN_BLOCK_WATER, LOWERED));
    assert_int_equal(expected_at(bench, TRN_FACE_NEG_Y, 3, 3, 3), shown(TRN_BLOCK_WATER, UNLIT));
    assert_int_equal(expected_at(bench, TRN_FACE_NEG_Y, 4, 4, 3), shown(SOME, UNLIT));
}

static void plants_show_two_leaves_and_hide_nothing(void **state)
{
    Bench *bench = bench_of(state);
    put(bench, 3, 3, 3, SOME);
    put(bench, 3, 4, 3, TRN_BLOCK_FLOWER);
    put(bench, 8, 3, 3, TRN_BLOCK_WATER);
    put(bench, 8, 4, 3, TRN_BLOCK_REEDS);
    expect(bench, true);
    assert_int_equal(expected_at(bench, TRN_QUAD_PLANT_A, 3, 4, 3), shown(TRN_BLOCK_FLOWER, UNLIT));
    assert_int_equal(expected_at(bench, TRN_QUAD_PLANT_B, 3, 4, 3), shown(TRN_BLOCK_FLOWER, UNLIT));
    assert_int_equal(expected_at(bench, TRN_FACE_POS_Y, 3, 3, 3), shown(SOME, UNLIT));
    assert_int_equal(expected_at(bench, TRN_FACE_POS_Y, 8, 3, 3), shown(TRN_BLOCK_WATER, LOWERED));
    assert_int_equal(mesh_faces_count(&bench->expected), 6 + 2 + 6 + 2);
}

static void blocks_without_a_type_are_opaque(void **state)
{
    Bench *bench = bench_of(state);
    put(bench, 3, 3, 3, (TrnBlock)bench->type_count);
    put(bench, 4, 3, 3, UINT16_MAX);
    size_t counts[PEERS];
    check_peers(bench, counts);
    assert_int_equal(mesh_faces_count(&bench->expected), 10);
}

// ---- faces of quads ----------------------------------------------------------------------------

/// A quad of face +y.
static TrnQuad quad_of(uint32_t x, uint32_t z, uint32_t width, uint32_t height, uint32_t light,
                       TrnBlock block)
{
    return x | z << 10 | (width - 1) << 15 | (height - 1) << 20 | (uint32_t)TRN_FACE_POS_Y << 25 |
           (TrnQuad)light << 28 | (TrnQuad)block << 36;
}

static void quads_that_overlap_leave_the_chunk_or_are_air_are_refused(void **state)
{
    Bench *bench = bench_of(state);
    const TrnQuad apart[2] = {quad_of(0, 0, 2, 3, UNLIT, SOME),
                              quad_of(2, 0, 30, 32, UNLIT, OTHER)};
    assert_true(mesh_faces_of_quads(&bench->faces, apart, 2));
    assert_int_equal(mesh_faces_count(&bench->faces), 2 * 3 + 30 * 32);
    assert_int_equal(bench->faces.shown[TRN_FACE_POS_Y][trn_local_index(1, 0, 2)],
                     shown(SOME, UNLIT));
    assert_int_equal(bench->faces.shown[TRN_FACE_POS_Y][trn_local_index(1, 0, 3)], 0);
    const TrnQuad overlapping[2] = {apart[0], quad_of(1, 2, 1, 1, UNLIT, SOME)};
    assert_false(mesh_faces_of_quads(&bench->faces, overlapping, 2));
    const TrnQuad wide = quad_of(31, 0, 2, 1, UNLIT, SOME);
    assert_false(mesh_faces_of_quads(&bench->faces, &wide, 1));
    const TrnQuad high = quad_of(0, 30, 1, 3, UNLIT, SOME);
    assert_false(mesh_faces_of_quads(&bench->faces, &high, 1));
    const TrnQuad air = quad_of(0, 0, 1, 1, UNLIT, TRN_BLOCK_AIR);
    assert_false(mesh_faces_of_quads(&bench->faces, &air, 1));
}

static void ao_is_exact_if_constant_along_a_quad(void **state)
{
    const Bench *bench = *state;
    const struct {
        uint32_t width, height, light;
        bool is_exact;
    } cases[] = {
        {1, 1, corners(0, 1, 2, 3), true},  {2, 1, corners(1, 1, 3, 3), true},
        {2, 1, corners(1, 3, 1, 3), false}, {1, 2, corners(1, 3, 1, 3), true},
        {1, 2, corners(1, 1, 3, 3), false}, {2, 2, corners(2, 2, 2, 2), true},
        {2, 2, corners(2, 2, 2, 1), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const TrnQuad quad = quad_of(4, 4, cases[i].width, cases[i].height, cases[i].light, SOME);
        assert_int_equal(mesh_light_is_exact(&quad, 1, bench->types, bench->type_count),
                         cases[i].is_exact);
    }
    const TrnQuad lowered = quad_of(4, 4, 2, 1, corners(2, 0, 0, 0), TRN_BLOCK_WATER);
    assert_true(mesh_light_is_exact(&lowered, 1, bench->types, bench->type_count));
}

// ---- peers -------------------------------------------------------------------------------------

static void greedy_meshes_a_full_chunk_to_six_quads(void **state)
{
    Bench *bench = bench_of(state);
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        put(bench, i & 31, i >> 10, i >> 5 & 31, SOME);
    }
    size_t counts[PEERS];
    check_peers(bench, counts);
    for (size_t i = 0; i < PEERS; i++) {
        assert_int_equal(counts[i], peers[i].is_greedy ? 6 : 6 * 32 * 32);
    }
    put(bench, 5, 31, 9, OTHER); // its own face and four around it
    check_peers(bench, counts);
    assert_int_equal(counts[2], 6 + 4);
}

static void peers_show_every_face_of_random_chunks_once(void **state)
{
    Bench *bench = bench_of(state);
    TestRandom random = test_random_seeded(20);
    for (int round = 0; round < 40; round++) {
        const int64_t kinds = test_random_range(&random, 1, 5);
        const int64_t air = test_random_range(&random, 0, 100);
        for (int i = 0; i < MESH_PADDED_VOXELS; i++) {
            const bool is_air = test_random_range(&random, 0, 99) < air;
            bench->padded[i] =
                is_air ? 0 : (TrnBlock)(60000 + test_random_range(&random, 0, kinds));
        }
        size_t counts[PEERS];
        check_peers(bench, counts);
        assert_true(counts[2] <= counts[3] && counts[3] <= counts[1]);
        assert_int_equal(counts[0], counts[1]);
    }
}

// ---- flood fill --------------------------------------------------------------------------------

static void a_flood_connects_the_faces_of_one_hollow(void **state)
{
    (void)state;
    uint32_t opaque[TRN_CHUNK_ROWS] = {0};
    assert_int_equal(mesh_by_flood(opaque), TRN_VISIBILITY_ALL);
    for (int z = 0; z < TRN_CHUNK_EDGE; z++) {
        opaque[9 * TRN_CHUNK_EDGE + z] = UINT32_MAX; // a floor between the two halves
    }
    const uint32_t all = TRN_VISIBILITY_ALL;
    const uint32_t across = UINT32_C(1) << trn_visibility_bit(TRN_FACE_NEG_Y, TRN_FACE_POS_Y);
    assert_int_equal(mesh_by_flood(opaque), all & ~across);
    opaque[9 * TRN_CHUNK_EDGE + 31] &= ~(UINT32_C(1) << 31); // a hole in its corner
    assert_int_equal(mesh_by_flood(opaque), all);
}

static void a_flood_follows_a_tunnel_and_no_diagonals(void **state)
{
    (void)state;
    uint32_t opaque[TRN_CHUNK_ROWS];
    memset(opaque, 0xFF, sizeof opaque);
    assert_int_equal(mesh_by_flood(opaque), TRN_VISIBILITY_NONE);
    opaque[5 * TRN_CHUNK_EDGE + 7] = ~UINT32_C(0x7FF); // x = 0..10 at y = 5, z = 7
    assert_int_equal(mesh_by_flood(opaque), TRN_VISIBILITY_NONE);
    for (int y = 6; y < TRN_CHUNK_EDGE; y++) {
        opaque[y * TRN_CHUNK_EDGE + 7] = ~(UINT32_C(1) << 10); // up from its end
    }
    const TrnVisibility joined = mesh_by_flood(opaque);
    assert_int_equal(joined, 1 << trn_visibility_bit(TRN_FACE_NEG_X, TRN_FACE_POS_Y));
    opaque[6 * TRN_CHUNK_EDGE + 7] = ~(UINT32_C(1) << 11); // around the corner: shares only an edge
    assert_int_equal(mesh_by_flood(opaque), TRN_VISIBILITY_NONE);
}

// ---- worlds ------------------------------------------------------------------------------------

static void peers_show_every_face_of_the_worlds_once(void **state)
{
    Bench *bench = bench_of(state);
    for (int world = 0; world < MESH_WORLD_COUNT; world++) {
        for (int i = 0; i < 4; i++) {
            const TrnVoxel first = {-1 + 32 * (i % 2), -1, -1 + 32 * (i / 2)};
            mesh_world_blocks((MeshWorld)world, first, MESH_PADDED_EDGE, bench->padded);
            size_t counts[PEERS];
            check_peers(bench, counts);
            assert_true(counts[0] >= 1024);
            assert_true(counts[2] <= counts[3] && counts[3] <= counts[1]);
        }
    }
}

static void worlds_have_no_seam(void **state)
{
    Bench *bench = bench_of(state);
    static TrnBlock chunk[TRN_CHUNK_VOXELS];
    for (int world = 0; world < MESH_WORLD_COUNT; world++) {
        const TrnVoxel padded_first = {-65, -33, 31}, chunk_first = {-64, -32, 32};
        mesh_world_blocks((MeshWorld)world, padded_first, MESH_PADDED_EDGE, bench->padded);
        mesh_world_blocks((MeshWorld)world, chunk_first, TRN_CHUNK_EDGE, chunk);
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            assert_int_equal(chunk[i],
                             bench->padded[mesh_padded_index(i & 31, i >> 10, i >> 5 & 31)]);
        }
    }
}

/// Results of different machines are comparable only if the worlds are equal.
static void worlds_are_unchanged(void **state)
{
    Bench *bench = bench_of(state);
    static const size_t faces[MESH_WORLD_COUNT] = {1322, 1803, 5093, 1024, 98304, 49262};
    static const uint64_t sums[MESH_WORLD_COUNT] = {7897746988303366228u,  10676173986631577342u,
                                                    6227637817258312224u,  1765178986090056749u,
                                                    12280534802209317509u, 18133574045827576210u};
    for (int world = 0; world < MESH_WORLD_COUNT; world++) {
        const TrnVoxel first = {-1, -1, -1};
        mesh_world_blocks((MeshWorld)world, first, MESH_PADDED_EDGE, bench->padded);
        uint64_t sum = 14695981039346656037u; // FNV-1a
        for (int i = 0; i < MESH_PADDED_VOXELS; i++) {
            sum = (sum ^ bench->padded[i]) * 1099511628211u;
        }
        const size_t count = mesh_by_culling(bench->padded, bench->quads);
        if (count != faces[world] || sum != sums[world]) {
            print_error("%s: %zu faces, %lluu\n", mesh_world_name((MeshWorld)world), count,
                        (unsigned long long)sum);
        }
        assert_int_equal(count, faces[world]);
        assert_true(sum == sums[world]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_alone_shows_six_unlit_faces),
        cmocka_unit_test(voxels_behind_the_border_hide_and_are_not_shown),
        cmocka_unit_test(walls_darken_adjacent_corners),
        cmocka_unit_test(faces_of_x_and_z_have_ao_along_their_own_axes),
        cmocka_unit_test(liquids_show_towards_others_and_are_lowered_below_air),
        cmocka_unit_test(plants_show_two_leaves_and_hide_nothing),
        cmocka_unit_test(blocks_without_a_type_are_opaque),
        cmocka_unit_test(quads_that_overlap_leave_the_chunk_or_are_air_are_refused),
        cmocka_unit_test(ao_is_exact_if_constant_along_a_quad),
        cmocka_unit_test(greedy_meshes_a_full_chunk_to_six_quads),
        cmocka_unit_test(peers_show_every_face_of_random_chunks_once),
        cmocka_unit_test(a_flood_connects_the_faces_of_one_hollow),
        cmocka_unit_test(a_flood_follows_a_tunnel_and_no_diagonals),
        cmocka_unit_test(peers_show_every_face_of_the_worlds_once),
        cmocka_unit_test(worlds_have_no_seam),
        cmocka_unit_test(worlds_are_unchanged),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
