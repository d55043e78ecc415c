/// Vertices of quads, corner by corner, and whole meshes as the surfaces of bodies: areas, volumes,
/// windings.
#include "testing.h"
#include "vector.h"

#include <terrane/mesh_vertices.h>

static const float NOWHERE[3] = {0, 0, 0};

enum { AIR, STONE, DIRT, WATER, FERN, GLASS, LAVA, TYPE_COUNT };

static const TrnBlockType test_types[TYPE_COUNT] = {
    {.name = "test:air", .kind = TRN_BLOCK_KIND_AIR},
    {.name = "test:stone", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:dirt", .kind = TRN_BLOCK_KIND_OPAQUE},
    {.name = "test:water", .kind = TRN_BLOCK_KIND_LIQUID},
    {.name = "test:fern", .kind = TRN_BLOCK_KIND_PLANT},
    {.name = "test:glass", .kind = TRN_BLOCK_KIND_TRANSPARENT},
    {.name = "test:lava", .kind = TRN_BLOCK_KIND_LIQUID},
};

// ---- vectors -----------------------------------------------------------------------------------

static Vector position_of(const TrnMeshVertex *vertex)
{
    return (Vector){(double)vertex->position[0], (double)vertex->position[1],
                    (double)vertex->position[2]};
}

static bool near_to(double a, double b)
{
    const double difference = a - b;
    return difference < 1e-4 && difference > -1e-4;
}

/// Returns twice a triangle's area, along the normal that its winding gives.
static Vector triangle_vector(const TrnMeshVertex *vertices, const uint32_t *triangle)
{
    const Vector a = position_of(&vertices[triangle[0]]);
    return cross(minus(position_of(&vertices[triangle[1]]), a),
                 minus(position_of(&vertices[triangle[2]]), a));
}

/// Returns the change of position along u or v over a triangle. A texture is neither mirrored nor
/// stretched if both have unit length and u x v is the normal.
static Vector gradient(const TrnMeshVertex *vertices, const uint32_t *triangle, int coordinate)
{
    const TrnMeshVertex *const a = &vertices[triangle[0]], *const b = &vertices[triangle[1]],
                               *const c = &vertices[triangle[2]];
    const int other = 1 - coordinate;
    const Vector ab = minus(position_of(b), position_of(a)),
                 ac = minus(position_of(c), position_of(a));
    const double b0 = (double)(b->uv[coordinate] - a->uv[coordinate]),
                 b1 = (double)(b->uv[other] - a->uv[other]),
                 c0 = (double)(c->uv[coordinate] - a->uv[coordinate]),
                 c1 = (double)(c->uv[other] - a->uv[other]);
    const double determinant = b0 * c1 - c0 * b1;
    assert_false(near_to(determinant, 0));
    return (Vector){(ab.x * c1 - ac.x * b1) / determinant, (ab.y * c1 - ac.y * b1) / determinant,
                    (ab.z * c1 - ac.z * b1) / determinant};
}

// ---- single quads ------------------------------------------------------------------------------

static TrnQuad make_quad(uint32_t x, uint32_t y, uint32_t z, uint32_t width, uint32_t height,
                         uint32_t face, uint32_t ao, TrnBlock block)
{
    return (TrnQuad)x | (TrnQuad)y << 5 | (TrnQuad)z << 10 | (TrnQuad)(width - 1) << 15 |
           (TrnQuad)(height - 1) << 20 | (TrnQuad)face << 25 | (TrnQuad)ao << 28 |
           (TrnQuad)block << 36;
}

typedef struct Expanded {
    TrnMeshVertex vertices[TRN_QUAD_VERTICES_MAX];
    uint32_t indices[TRN_QUAD_INDICES_MAX];
    uint32_t vertex_count, index_count;
} Expanded;

static Expanded expand(TrnQuad quad, bool is_transparent)
{
    Expanded made;
    made.vertex_count = trn_quad_vertices(quad, is_transparent, NOWHERE, made.vertices);
    made.index_count = trn_quad_indices(quad, 0, made.indices);
    return made;
}

/// Checks that every triangle faces along its normals, with its texture upright and not mirrored.
/// @return the area
static double check_triangles(const TrnMeshVertex *vertices, const uint32_t *indices,
                              uint32_t index_count)
{
    double twice = 0;
    for (uint32_t i = 0; i < index_count; i += 3) {
        const Vector vector = triangle_vector(vertices, indices + i);
        const float *n = vertices[indices[i]].normal;
        const Vector normal = {(double)n[0], (double)n[1], (double)n[2]};
        assert_true(near_to(dot(normal, normal), 1));
        const double length = dot(vector, normal);
        assert_true(length > 0);
        assert_true(near_to(length * length, dot(vector, vector)));
        twice += length;
        const Vector u = gradient(vertices, indices + i, 0), v = gradient(vertices, indices + i, 1);
        assert_true(dot(cross(u, v), normal) > 0);
        assert_true(near_to(dot(v, v), 1));
        // u has length 1, except over a leaf's diagonal.
        assert_true(near_to(dot(u, u), vertices[indices[i]].face < TRN_FACE_COUNT ? 1 : 2));
        if (normal.y * normal.y < 0.5) {
            assert_true(near_to(v.y, 1));
        } else {
            assert_true(near_to(u.x, 1)); // east is right
        }
    }
    return twice / 2;
}

static void every_face_lies_on_its_side_and_points_outwards(void **state)
{
    (void)state;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        const TrnQuad quad = make_quad(3, 4, 5, 7, 2, face, 255, STONE);
        const Expanded made = expand(quad, false);
        assert_int_equal(made.vertex_count, 4);
        assert_int_equal(made.index_count, 6);
        assert_true(near_to(check_triangles(made.vertices, made.indices, 6), 14));
        int across, along;
        trn_quad_axes((TrnFace)face, &across, &along);
        static const float low[3] = {3, 4, 5};
        for (uint32_t corner = 0; corner < 4; corner++) {
            const TrnMeshVertex *vertex = &made.vertices[corner];
            assert_true(vertex->position[face / 2] == low[face / 2] + (float)(face % 2));
            assert_true(vertex->position[across] == low[across] + (corner & 1 ? 7.0f : 0));
            assert_true(vertex->position[along] == low[along] + (corner & 2 ? 2.0f : 0));
            assert_true(vertex->normal[face / 2] == (face % 2 ? 1.0f : -1.0f));
            assert_int_equal(vertex->block, STONE);
            assert_int_equal(vertex->face, face);
            assert_int_equal(vertex->ao, 255);
            assert_true(vertex->uv[0] == 0 || vertex->uv[0] == 7);
            assert_true(vertex->uv[1] == 0 || vertex->uv[1] == 2);
        }
    }
}

/// The diagonal is the edge that both triangles share.
static void the_diagonal_joins_the_brighter_corners(void **state)
{
    (void)state;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        for (uint32_t ao = 0; ao < 256; ao++) {
            const TrnQuad quad = make_quad(0, 0, 0, 2, 3, face, ao, STONE);
            const Expanded made = expand(quad, false);
            assert_true(near_to(check_triangles(made.vertices, made.indices, 6), 6));
            uint32_t uses[4] = {0};
            for (int i = 0; i < 6; i++) {
                uses[made.indices[i]]++;
            }
            const uint32_t a = uses[0] == 2 ? 0 : 1, b = 3 - a;
            assert_int_equal(uses[a], 2);
            assert_int_equal(uses[b], 2);
            const int on = made.vertices[a].ao + made.vertices[b].ao;
            const int off = made.vertices[1 - a].ao + made.vertices[2 + a].ao;
            assert_true(on >= off);
            for (uint32_t corner = 0; corner < 4; corner++) {
                assert_int_equal(made.vertices[corner].ao, (ao >> 2 * corner & 3) * 85);
            }
        }
    }
}

static void lowered_surfaces_and_their_sides_end_below_the_top(void **state)
{
    (void)state;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        const Expanded low = expand(make_quad(1, 2, 3, 4, 1, face, 2, WATER), true);
        const Expanded full = expand(make_quad(1, 2, 3, 4, 1, face, 255, WATER), true);
        const double area = face / 2 == 1 ? 4 : 4 * (1 - (double)TRN_LIQUID_DROP);
        assert_true(near_to(check_triangles(low.vertices, low.indices, 6), area));
        assert_true(near_to(check_triangles(full.vertices, full.indices, 6), 4));
        for (uint32_t corner = 0; corner < 4; corner++) {
            assert_int_equal(low.vertices[corner].ao, 255);
            const float drop = full.vertices[corner].position[1] - low.vertices[corner].position[1];
            const bool is_upper = face == TRN_FACE_POS_Y || (face / 2 != 1 && (corner & 2));
            // The mesher never lowers bottoms.
            assert_true(face == TRN_FACE_NEG_Y || drop == (is_upper ? TRN_LIQUID_DROP : 0));
        }
    }
    // The part of a side above a lower liquid: from 5/16 to 13/16.
    const Expanded part = expand(make_quad(1, 2, 3, 4, 1, TRN_FACE_NEG_Z, 3 | 5 << 4, WATER), true);
    assert_true(near_to(check_triangles(part.vertices, part.indices, 6), 4 * 8.0 / 16));
    assert_true(part.vertices[0].position[1] == 2.3125f);
    assert_true(part.vertices[2].position[1] == 2.8125f);
    // In an opaque quad the same bits are ambient occlusion.
    const Expanded dark = expand(make_quad(1, 2, 3, 4, 1, TRN_FACE_POS_Y, 0, STONE), false);
    assert_true(dark.vertices[0].position[1] == 3);
    assert_int_equal(dark.vertices[0].ao, 0);
}

static void leaves_cross_in_their_voxel_and_have_both_sides(void **state)
{
    (void)state;
    for (uint32_t face = TRN_QUAD_PLANT_A; face <= TRN_QUAD_PLANT_B; face++) {
        const Expanded made = expand(make_quad(10, 11, 12, 1, 1, face, 255, FERN), false);
        assert_int_equal(made.vertex_count, 8);
        assert_int_equal(made.index_count, 12);
        const double area = check_triangles(made.vertices, made.indices, 12);
        assert_true(near_to(area, 2 * 1.41421356));
        for (uint32_t i = 0; i < 8; i++) {
            const TrnMeshVertex *vertex = &made.vertices[i];
            const float x = vertex->position[0] - 10, z = vertex->position[2] - 12;
            assert_true((x == 0 || x == 1) && (z == 0 || z == 1));
            assert_true((x == z) == (face == TRN_QUAD_PLANT_A));
            assert_true(vertex->position[1] == 11 || vertex->position[1] == 12);
            assert_true(vertex->normal[0] * made.vertices[(i + 4) % 8].normal[0] < 0);
            assert_int_equal(vertex->ao, 255);
        }
    }
}

// ---- models ------------------------------------------------------------------------------------

/// Packs a face: 2..11 of the width, 4..16 of the height, at 9.
static TrnModelFace make_model_face(uint32_t face)
{
    const TrnModelFace made = {.place = 7 | 8 << 5 | 9 << 10 | face << 15 | 3u << 18,
                               .rectangle = 2 | 11 << 5 | 4 << 10 | 16 << 15 | 9 << 20,
                               .look = STONE | 0xE4u << 16 | 201u << 24,
                               .light = 0x12345678};
    return made;
}

static void faces_of_models_yield_their_rectangles(void **state)
{
    (void)state;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        const TrnModelFace packed = make_model_face(face);
        TrnMeshVertex vertices[4];
        uint32_t indices[6];
        assert_int_equal(trn_mesh_model_vertices(&packed, 1, NOWHERE, 0, vertices, indices),
                         TRN_RESULT_OK);
        assert_true(near_to(check_triangles(vertices, indices, 6), 9 * 12 / 256.0));
        int axes[2];
        trn_quad_axes((TrnFace)face, &axes[0], &axes[1]);
        // Where the texture runs against an axis, it ends at the rectangle's low end.
        const bool is_mirrored = face == TRN_FACE_POS_X || face == TRN_FACE_NEG_Z;
        for (uint32_t corner = 0; corner < 4; corner++) {
            const TrnMeshVertex *vertex = &vertices[corner];
            const float voxel[3] = {7, 8, 9}, u = corner & 1 ? 11 : 2, v = corner & 2 ? 16 : 4;
            assert_true(vertex->position[face / 2] == voxel[face / 2] + 9.0f / 16);
            assert_true(vertex->position[axes[0]] == voxel[axes[0]] + u / 16);
            assert_true(vertex->position[axes[1]] == voxel[axes[1]] + v / 16);
            assert_true(vertex->uv[0] == (is_mirrored ? 16 - u : u) / 16);
            assert_true(vertex->uv[1] == (face == TRN_FACE_POS_Y ? 16 - v : v) / 16);
            assert_int_equal(vertex->ao, corner * 85);
            assert_int_equal(vertex->block, STONE);
            assert_int_equal(vertex->face, face);
            assert_int_equal(vertex->box, 3);
            assert_int_equal(vertex->user_byte, 201);
        }
    }
}

static void vertices_of_models_refuse_bad_arguments(void **state)
{
    (void)state;
    const TrnModelFace face = make_model_face(TRN_FACE_POS_Y);
    const TrnResult bad = TRN_RESULT_BAD_ARGUMENT;
    TrnMeshVertex vertices[4];
    uint32_t indices[6];
    assert_int_equal(trn_mesh_model_vertices(NULL, 1, NOWHERE, 0, vertices, indices), bad);
    assert_int_equal(trn_mesh_model_vertices(&face, 1, NULL, 0, vertices, indices), bad);
    assert_int_equal(trn_mesh_model_vertices(&face, 1, NOWHERE, 0, NULL, indices), bad);
    assert_int_equal(trn_mesh_model_vertices(&face, 1, NOWHERE, 0, vertices, NULL), bad);
    assert_int_equal(trn_mesh_model_vertices(&face, 1, NOWHERE, UINT32_MAX - 3, vertices, indices),
                     bad);
    assert_int_equal(
        trn_mesh_model_vertices(&face, TRN_MESH_MODEL_FACES_MAX + 1, NOWHERE, 0, vertices, indices),
        bad);
    assert_int_equal(trn_mesh_model_vertices(NULL, 0, NOWHERE, 0, NULL, NULL), TRN_RESULT_OK);
}

// ---- meshes ------------------------------------------------------------------------------------

typedef struct Body {
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint32_t opaque[TRN_BLOCK_BITS_WORDS];
    TrnVoxelHeap *heap;
    TrnVoxels voxels;
    TrnMesh mesh;
    void *scratch;
    TrnMeshVertex *vertices;
    uint32_t *indices;
    uint32_t vertex_count, index_count;
} Body;

static Body *body_create(void)
{
    Body *body = calloc(1, sizeof *body);
    assert_non_null(body);
    body->scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    assert_non_null(body->scratch);
    body->opaque[0] = 1u << STONE | 1u << DIRT;
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = def.opaque_bits = body->opaque;
    assert_int_equal(trn_voxel_heap_create(&def, &body->heap), TRN_RESULT_OK);
    trn_mesh_init(&body->mesh, NULL);
    return body;
}

static void body_destroy(Body *body)
{
    free(body->vertices);
    free(body->indices);
    trn_aligned_free(body->scratch);
    trn_mesh_free(&body->mesh);
    trn_voxel_heap_destroy(body->heap);
    free(body);
}

/// Meshes a chunk alone in air and turns some groups into vertices, in buffers of the exact size.
static void body_mesh(Body *body, uint32_t first_group, uint32_t end_group, const float offset[3],
                      uint32_t first_index)
{
    assert_int_equal(trn_voxels_encode(body->heap, &body->voxels, body->blocks, 1), TRN_RESULT_OK);
    TrnMeshInput input = {
        .present = 1u << TRN_AROUND_CENTRE, .types = test_types, .type_count = TYPE_COUNT};
    input.around[TRN_AROUND_CENTRE] = trn_voxels_snapshot(&body->voxels);
    assert_int_equal(trn_mesh_build(&body->mesh, &input, body->scratch), TRN_RESULT_OK);
    free(body->vertices);
    free(body->indices);
    body->vertex_count = trn_mesh_vertex_count(&body->mesh.info, first_group, end_group);
    body->index_count = trn_mesh_index_count(body->vertex_count);
    body->vertices = malloc(body->vertex_count * sizeof *body->vertices + 1);
    body->indices = malloc(body->index_count * sizeof *body->indices + 1);
    assert_true(body->vertices && body->indices);
    assert_int_equal(trn_mesh_vertices(body->mesh.quads, &body->mesh.info, first_group, end_group,
                                       offset, first_index, body->vertices, body->indices),
                     TRN_RESULT_OK);
}

/// Returns the volume that the triangles enclose, as the sum of their tetrahedra with the origin.
static double enclosed_volume(const Body *body)
{
    double six_times = 0;
    for (uint32_t i = 0; i < body->index_count; i += 3) {
        six_times += dot(position_of(&body->vertices[body->indices[i]]),
                         triangle_vector(body->vertices, body->indices + i));
    }
    return six_times / 6;
}

static uint32_t count_blocks(const Body *body, TrnBlock block)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        count += body->blocks[i] == block;
    }
    return count;
}

static void fill_at_random(Body *body, TestRandom *random, uint32_t kinds)
{
    // Overlapping boxes: rectangles of every size and ambient occlusion of every kind.
    memset(body->blocks, 0, sizeof body->blocks);
    for (int64_t boxes = test_random_range(random, 1, 60); boxes > 0; boxes--) {
        uint32_t min[3], max[3];
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = (uint32_t)test_random_range(random, 0, 31);
            max[axis] = (uint32_t)test_random_range(random, min[axis], 31);
            max[axis] = max[axis] > min[axis] + 9 ? min[axis] + 9 : max[axis];
        }
        const TrnBlock block = (TrnBlock)test_random_range(random, 0, kinds - 1);
        for (uint32_t y = min[1]; y <= max[1]; y++) {
            for (uint32_t z = min[2]; z <= max[2]; z++) {
                for (uint32_t x = min[0]; x <= max[0]; x++) {
                    body->blocks[trn_local_index(x, y, z)] = block;
                }
            }
        }
    }
}

static void opaque_surfaces_enclose_exactly_the_opaque_voxels(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x3001);
    Body *body = body_create();
    for (int round = 0; round < 40; round++) {
        fill_at_random(body, &random, TYPE_COUNT);
        body_mesh(body, TRN_MESH_OPAQUE, TRN_MESH_CUTOUT, NOWHERE, 0);
        (void)check_triangles(body->vertices, body->indices, body->index_count);
        const uint32_t solid = count_blocks(body, STONE) + count_blocks(body, DIRT);
        if (!near_to(enclosed_volume(body), solid)) {
            fail_msg("%u voxels but a volume of %f", solid, enclosed_volume(body));
        }
    }
    body_destroy(body);
}

/// The model counts faces one by one.
static void areas_equal_those_of_the_visible_faces(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x3002);
    Body *body = body_create();
    for (int round = 0; round < 20; round++) {
        fill_at_random(body, &random, 3);
        body_mesh(body, 0, TRN_MESH_GROUP_COUNT, NOWHERE, 0);
        uint32_t faces = 0;
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const int at[3] = {(int)(i & 31), (int)(i >> 10), (int)(i >> 5 & 31)};
            for (int face = 0; face < 6 && body->blocks[i]; face++) {
                int to[3] = {at[0], at[1], at[2]};
                to[face / 2] += face % 2 ? 1 : -1;
                const bool outside = to[face / 2] < 0 || to[face / 2] > 31;
                faces += outside || !body->blocks[trn_local_index((uint32_t)to[0], (uint32_t)to[1],
                                                                  (uint32_t)to[2])];
            }
        }
        assert_true(
            near_to(check_triangles(body->vertices, body->indices, body->index_count), faces));
    }
    body_destroy(body);
}

/// A pond in the air: all of its surface is lowered.
static void a_pond_encloses_its_water_below_the_lowered_surface(void **state)
{
    (void)state;
    Body *body = body_create();
    for (uint32_t y = 3; y < 6; y++) {
        for (uint32_t z = 2; z < 20; z++) {
            for (uint32_t x = 5; x < 9; x++) {
                body->blocks[trn_local_index(x, y, z)] = WATER;
            }
        }
    }
    body_mesh(body, TRN_MESH_TRANSPARENT, TRN_MESH_GROUP_COUNT, NOWHERE, 0);
    (void)check_triangles(body->vertices, body->indices, body->index_count);
    const double top = 18 * 4;
    assert_true(near_to(enclosed_volume(body), top * (3 - (double)TRN_LIQUID_DROP)));
    float highest = 0;
    for (uint32_t i = 0; i < body->vertex_count; i++) {
        highest = body->vertices[i].position[1] > highest ? body->vertices[i].position[1] : highest;
    }
    assert_true(highest == 6 - TRN_LIQUID_DROP);
    body_destroy(body);
}

static void groups_add_up_and_offsets_move_them(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x3003);
    Body *body = body_create(), *part = body_create();
    for (int round = 0; round < 10; round++) {
        fill_at_random(body, &random, TYPE_COUNT);
        memcpy(part->blocks, body->blocks, sizeof part->blocks);
        static const float offset[3] = {1000.0f, -64.0f, 32.0f};
        body_mesh(body, 0, TRN_MESH_GROUP_COUNT, NOWHERE, 0);
        uint32_t vertices = 0, indices = 0;
        for (uint32_t group = 0; group < TRN_MESH_GROUP_COUNT; group++) {
            body_mesh(part, group, group + 1, offset, vertices + 7);
            for (uint32_t i = 0; i < part->vertex_count; i++) {
                TrnMeshVertex moved = body->vertices[vertices + i];
                for (int axis = 0; axis < 3; axis++) {
                    moved.position[axis] += offset[axis];
                }
                assert_memory_equal(&moved, &part->vertices[i], sizeof moved);
            }
            for (uint32_t i = 0; i < part->index_count; i++) {
                assert_int_equal(part->indices[i], body->indices[indices + i] + 7);
            }
            vertices += part->vertex_count;
            indices += part->index_count;
        }
        assert_int_equal(vertices, body->vertex_count);
        assert_int_equal(indices, body->index_count);
        // Every vertex is used, by its own quad alone.
        for (uint32_t i = 0; i < body->index_count; i++) {
            assert_int_equal(body->indices[i] / 4, i / 6);
        }
    }
    body_destroy(body);
    body_destroy(part);
}

static void bad_vertex_arguments_are_refused_and_write_nothing(void **state)
{
    (void)state;
    TrnMeshInfo info = {0};
    for (uint32_t group = 1; group <= TRN_MESH_GROUP_COUNT; group++) {
        info.first[group] = 1;
    }
    const TrnQuad quad = make_quad(0, 0, 0, 1, 1, 0, 255, STONE);
    TrnMeshVertex vertices[4], before[4];
    uint32_t indices[6] = {9, 9, 9, 9, 9, 9};
    memset(vertices, 0x77, sizeof vertices);
    memcpy(before, vertices, sizeof vertices);
    const uint32_t end = TRN_MESH_GROUP_COUNT;
    const TrnResult bad = TRN_RESULT_BAD_ARGUMENT;
    assert_int_equal(trn_mesh_vertices(NULL, &info, 0, end, NOWHERE, 0, vertices, indices), bad);
    assert_int_equal(trn_mesh_vertices(&quad, NULL, 0, end, NOWHERE, 0, vertices, indices), bad);
    assert_int_equal(trn_mesh_vertices(&quad, &info, 0, end, NULL, 0, vertices, indices), bad);
    assert_int_equal(trn_mesh_vertices(&quad, &info, 0, end, NOWHERE, 0, NULL, indices), bad);
    assert_int_equal(trn_mesh_vertices(&quad, &info, 0, end, NOWHERE, 0, vertices, NULL), bad);
    assert_int_equal(trn_mesh_vertices(&quad, &info, 2, 1, NOWHERE, 0, vertices, indices), bad);
    assert_int_equal(trn_mesh_vertices(&quad, &info, 0, end + 1, NOWHERE, 0, vertices, indices),
                     bad);
    assert_int_equal(
        trn_mesh_vertices(&quad, &info, 0, end, NOWHERE, UINT32_MAX - 3, vertices, indices), bad);
    assert_memory_equal(vertices, before, sizeof vertices);
    assert_int_equal(indices[0], 9);
    assert_int_equal(
        trn_mesh_vertices(&quad, &info, 0, end, NOWHERE, UINT32_MAX - 4, vertices, indices),
        TRN_RESULT_OK);
    // No quads need no memory.
    assert_int_equal(trn_mesh_vertices(NULL, &info, 1, end, NOWHERE, 0, NULL, NULL), TRN_RESULT_OK);
}

enum { GARBAGE_QUADS = 3 * TRN_MESH_GROUP_COUNT, GARBAGE_SLACK = 16, GARBAGE_MARK = 0x5A };

/// Fills groups with quads of random bits.
/// @param leaves_fit  whether leaves are in the plants' group alone
static void make_garbage(TestRandom *random, bool leaves_fit, TrnMeshInfo *info, TrnQuad *quads)
{
    *info = (TrnMeshInfo){0};
    for (uint32_t group = 0; group < TRN_MESH_GROUP_COUNT; group++) {
        const uint32_t first = info->first[group];
        info->first[group + 1] = (uint32_t)test_random_range(random, first, first + 3);
        for (uint32_t i = first; i < info->first[group + 1]; i++) {
            const uint32_t any = (uint32_t)test_random_range(random, 0, 5);
            const TrnQuad face = group == TRN_MESH_PLANTS ? 6 + any % 2 : any;
            quads[i] = test_random_next(random);
            quads[i] = leaves_fit ? (quads[i] & ~((TrnQuad)7 << 25)) | face << 25 : quads[i];
        }
    }
}

/// Quads from a broken file, for example: refused, or written inside the counted buffer.
static void garbage_quads_stay_inside_the_counted_buffers(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x3004);
    static TrnMeshVertex vertices[GARBAGE_QUADS * TRN_QUAD_VERTICES_MAX + GARBAGE_SLACK];
    static uint32_t indices[GARBAGE_QUADS * TRN_QUAD_INDICES_MAX + GARBAGE_SLACK];
    uint32_t good = 0;
    for (int round = 0; round < 4000; round++) {
        TrnMeshInfo info;
        TrnQuad quads[GARBAGE_QUADS];
        const bool leaves_fit = round % 2 == 0;
        make_garbage(&random, leaves_fit, &info, quads);
        const uint32_t first = (uint32_t)test_random_range(&random, 0, TRN_MESH_GROUP_COUNT);
        const uint32_t end = (uint32_t)test_random_range(&random, first, TRN_MESH_GROUP_COUNT);
        memset(vertices, GARBAGE_MARK, sizeof vertices);
        memset(indices, GARBAGE_MARK, sizeof indices);
        const TrnResult result =
            trn_mesh_vertices(quads, &info, first, end, NOWHERE, 0, vertices, indices);
        const bool refused = result == TRN_RESULT_BAD_ARGUMENT;
        assert_true(result == TRN_RESULT_OK || (refused && !leaves_fit));
        good += !refused;
        const uint32_t count = refused ? 0 : trn_mesh_vertex_count(&info, first, end);
        const uint32_t index_count = trn_mesh_index_count(count);
        for (size_t i = count * sizeof vertices[0]; i < sizeof vertices; i++) {
            assert_int_equal(((const unsigned char *)vertices)[i], GARBAGE_MARK);
        }
        for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
            assert_true(i < index_count ? indices[i] < count : indices[i] == 0x5A5A5A5A);
        }
    }
    assert_in_range(good, 2000, 3999);
}

static void impossible_groups_are_refused(void **state)
{
    (void)state;
    const TrnQuad quad = make_quad(0, 0, 0, 1, 1, 0, 255, STONE);
    TrnMeshVertex vertices[TRN_QUAD_VERTICES_MAX];
    uint32_t indices[TRN_QUAD_INDICES_MAX];
    for (uint32_t group = 0; group < TRN_MESH_GROUP_COUNT; group++) {
        TrnMeshInfo info = {0};
        info.first[group] = 1; // the next group then starts before it ends
        assert_int_equal(
            trn_mesh_vertices(&quad, &info, 0, TRN_MESH_GROUP_COUNT, NOWHERE, 0, vertices, indices),
            TRN_RESULT_BAD_ARGUMENT);
    }
    TrnMeshInfo huge = {0}; // times four vertices, overflows 32 bits to 0
    huge.first[TRN_MESH_GROUP_COUNT] = UINT32_C(1) << 30;
    assert_int_equal(trn_mesh_vertex_count(&huge, 0, TRN_MESH_GROUP_COUNT), 0);
    assert_int_equal(
        trn_mesh_vertices(&quad, &huge, 0, TRN_MESH_GROUP_COUNT, NOWHERE, 0, vertices, indices),
        TRN_RESULT_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_face_lies_on_its_side_and_points_outwards),
        cmocka_unit_test(the_diagonal_joins_the_brighter_corners),
        cmocka_unit_test(lowered_surfaces_and_their_sides_end_below_the_top),
        cmocka_unit_test(leaves_cross_in_their_voxel_and_have_both_sides),
        cmocka_unit_test(faces_of_models_yield_their_rectangles),
        cmocka_unit_test(vertices_of_models_refuse_bad_arguments),
        cmocka_unit_test(opaque_surfaces_enclose_exactly_the_opaque_voxels),
        cmocka_unit_test(areas_equal_those_of_the_visible_faces),
        cmocka_unit_test(a_pond_encloses_its_water_below_the_lowered_surface),
        cmocka_unit_test(groups_add_up_and_offsets_move_them),
        cmocka_unit_test(bad_vertex_arguments_are_refused_and_write_nothing),
        cmocka_unit_test(garbage_quads_stay_inside_the_counted_buffers),
        cmocka_unit_test(impossible_groups_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
