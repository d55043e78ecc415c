// Frustums of matrices: a chunk is gathered exactly if a corner of clip space says so, for each
// order of the numbers and each range of depths, near the origin and far from it.

#include "testing.h"

#include <math.h>

#include <terrane/chunk_index.h>

/// A matrix by rows, in doubles: what the planes are compared with.
typedef struct Matrix {
    double rows[4][4];
} Matrix;

static Matrix matrix_product(const Matrix *a, const Matrix *b)
{
    Matrix product = {0};
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            for (int i = 0; i < 4; i++) {
                product.rows[row][column] += a->rows[row][i] * b->rows[i][column];
            }
        }
    }
    return product;
}

/// Kinds of depth that games have.
typedef enum Depth {
    DEPTH_OPENGL,   ///< -1 near, 1 far
    DEPTH_VULKAN,   ///< 0 near, 1 far
    DEPTH_REVERSED, ///< 1 near, 0 far
    DEPTH_INFINITE, ///< 1 near, 0 at infinity
    DEPTH_COUNT
} Depth;

static Matrix perspective(Depth depth, double near_plane, double far_plane)
{
    const double f = 1 / tan(0.6), n = near_plane, z = far_plane;
    const double third[DEPTH_COUNT][2] = {{-(z + n) / (z - n), -2 * z * n / (z - n)},
                                          {-z / (z - n), -z * n / (z - n)},
                                          {n / (z - n), z * n / (z - n)},
                                          {0, n}};
    return (Matrix){{{f * 0.75, 0, 0, 0},
                     {0, f, 0, 0},
                     {0, 0, third[depth][0], third[depth][1]},
                     {0, 0, -1, 0}}};
}

/// A view from a point, turned around y and tilted.
static Matrix view(double yaw, double pitch, const double eye[3])
{
    const double c = cos(yaw), s = sin(yaw), k = cos(pitch), t = sin(pitch);
    const Matrix turn = {{{c, 0, s, 0}, {0, 1, 0, 0}, {-s, 0, c, 0}, {0, 0, 0, 1}}};
    const Matrix tilt = {{{1, 0, 0, 0}, {0, k, -t, 0}, {0, t, k, 0}, {0, 0, 0, 1}}};
    const Matrix move = {
        {{1, 0, 0, -eye[0]}, {0, 1, 0, -eye[1]}, {0, 0, 1, -eye[2]}, {0, 0, 0, 1}}};
    const Matrix turned = matrix_product(&turn, &move);
    return matrix_product(&tilt, &turned);
}

static void matrix_store(const Matrix *matrix, TrnMatrixOrder order, float out[16])
{
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            out[order == TRN_MATRIX_ROWS ? 4 * row + column : 4 * column + row] =
                (float)matrix->rows[row][column];
        }
    }
}

/// How far inside a point is: the least of the distances in clip space, negative outside.
static double clip_inside(const Matrix *matrix, Depth depth, const double point[3])
{
    double clip[4];
    for (int row = 0; row < 4; row++) {
        clip[row] = matrix->rows[row][3];
        for (int axis = 0; axis < 3; axis++) {
            clip[row] += matrix->rows[row][axis] * point[axis];
        }
    }
    double least = clip[3] - fabs(clip[0]);
    least = fmin(least, clip[3] - fabs(clip[1]));
    least = fmin(least, clip[3] - clip[2]);
    return fmin(least, depth == DEPTH_OPENGL ? clip[3] + clip[2] : clip[2]);
}

/// The same of a frustum of a point in voxels from the corner of its origin.
static double frustum_inside(const TrnFrustum *frustum, const double point[3])
{
    double least = INFINITY;
    for (uint32_t i = 0; i < frustum->count; i++) {
        const double *plane = frustum->planes[i];
        least = fmin(least, (plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2]) / 32 +
                                plane[3]);
    }
    return least;
}

/// The def's depth of a kind.
static TrnClipDepth depth_of(Depth depth)
{
    return depth == DEPTH_OPENGL ? TRN_CLIP_DEPTH_MINUS_ONE : TRN_CLIP_DEPTH_ZERO;
}

static void points_inside_are_those_of_clip_space(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(59);
    uint32_t inside = 0, outside = 0;
    for (uint32_t round = 0; round < 400; round++) {
        const Depth depth = (Depth)(round % DEPTH_COUNT);
        const TrnMatrixOrder order = round / DEPTH_COUNT % 2 ? TRN_MATRIX_ROWS : TRN_MATRIX_COLUMNS;
        const double yaw = (double)test_random_range(&random, 0, 628) / 100;
        const double pitch = (double)test_random_range(&random, -150, 150) / 100;
        const double none[3] = {0, 0, 0};
        const Matrix projection = perspective(depth, 0.1, 300), seen = view(yaw, pitch, none);
        const Matrix matrix = matrix_product(&projection, &seen);
        float numbers[16];
        matrix_store(&matrix, order, numbers);
        const TrnPosition eye = {{INT32_MAX - (int32_t)round, -7, (int32_t)round},
                                 {1.5, 30.25, 17}};
        TrnFrustum frustum;
        assert_int_equal(trn_frustum_from_matrix(numbers, order, depth_of(depth), eye, &frustum),
                         TRN_RESULT_OK);
        assert_true(trn_coord_equal(frustum.origin, eye.chunk));
        for (uint32_t i = 0; i < 200; i++) {
            double from_eye[3], from_corner[3];
            for (int axis = 0; axis < 3; axis++) {
                from_eye[axis] = (double)test_random_range(&random, -2000, 2000) / 10;
                from_corner[axis] = from_eye[axis] + eye.offset[axis];
            }
            const double expected = clip_inside(&matrix, depth, from_eye);
            const double got = frustum_inside(&frustum, from_corner);
            assert_true(fabs(expected - got) < 1e-4 * (1 + fabs(expected)));
            inside += expected > 0;
            outside += expected < 0;
        }
    }
    assert_true(inside > 1000 && outside > 10000);
}

static void a_gather_finds_what_the_camera_sees(void **state)
{
    (void)state;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(NULL, &index), TRN_RESULT_OK);
    for (int32_t x = -10; x <= 10; x++) {
        for (int32_t z = -10; z <= 10; z++) {
            assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){x, 0, z}, 1), TRN_RESULT_OK);
        }
    }
    const double eye[3] = {16, 16, 16}; // from the corner of chunk 0, 0, 0, looking north
    const Matrix projection = perspective(DEPTH_OPENGL, 0.1, 1000), seen = view(0, 0, eye);
    const Matrix matrix = matrix_product(&projection, &seen);
    float numbers[16];
    matrix_store(&matrix, TRN_MATRIX_COLUMNS, numbers);
    TrnFrustum frustum;
    assert_int_equal(trn_frustum_from_matrix(numbers, TRN_MATRIX_COLUMNS, TRN_CLIP_DEPTH_MINUS_ONE,
                                             (TrnPosition){{0, 0, 0}, {0, 0, 0}}, &frustum),
                     TRN_RESULT_OK);
    TrnCoord coords[441];
    const TrnChunkGather gather = {
        .box = trn_box_everything(), .frustum = &frustum, .coords = coords, .capacity = 441};
    const size_t count = trn_chunk_index_gather(index, &gather);
    assert_true(count > 60 && count < 200);
    bool has_north = false;
    for (size_t i = 0; i < count; i++) {
        assert_true(coords[i].z <= 0);
        has_north |= coords[i].x == 0 && coords[i].z == -10;
    }
    assert_true(has_north);
    trn_chunk_index_destroy(index);
}

static void a_matrix_without_an_inverse_is_refused(void **state)
{
    (void)state;
    const double eye[3] = {20000, -3000, 3}; // a translation makes it almost singular
    const Matrix projection = perspective(DEPTH_OPENGL, 0.1, 1000), seen = view(0.3, 0.2, eye);
    const Matrix matrix = matrix_product(&projection, &seen);
    const TrnPosition origin = {{1, 2, 3}, {4, 5, 6}};
    float good[16], bad[16];
    matrix_store(&matrix, TRN_MATRIX_ROWS, good);
    TrnFrustum frustum = {.count = 77};
    const TrnClipDepth depth = TRN_CLIP_DEPTH_MINUS_ONE;
    for (uint32_t a = 0; a < 4; a++) {
        for (uint32_t b = 0; b < 4; b++) { // a row is zero, or another's
            memcpy(bad, good, sizeof bad);
            for (uint32_t i = 0; i < 4; i++) {
                bad[4 * a + i] = a == b ? 0 : 2 * good[4 * b + i];
            }
            assert_int_equal(trn_frustum_from_matrix(bad, TRN_MATRIX_ROWS, depth, origin, &frustum),
                             TRN_RESULT_BAD_ARGUMENT);
        }
    }
    for (uint32_t i = 0; i < 16; i++) {
        memcpy(bad, good, sizeof bad);
        bad[i] = i % 2 ? NAN : INFINITY;
        assert_int_equal(trn_frustum_from_matrix(bad, TRN_MATRIX_ROWS, depth, origin, &frustum),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    const TrnPosition nowhere = {{0, 0, 0}, {0, NAN, 0}};
    assert_int_equal(trn_frustum_from_matrix(good, TRN_MATRIX_ROWS, depth, nowhere, &frustum),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_frustum_from_matrix(good, TRN_MATRIX_ORDER_COUNT, depth, origin, &frustum),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(
        trn_frustum_from_matrix(good, TRN_MATRIX_ROWS, TRN_CLIP_DEPTH_COUNT, origin, &frustum),
        TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_frustum_from_matrix(NULL, TRN_MATRIX_ROWS, depth, origin, &frustum),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_frustum_from_matrix(good, TRN_MATRIX_ROWS, depth, origin, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(frustum.count, 77);
    assert_int_equal(trn_frustum_from_matrix(good, TRN_MATRIX_ROWS, depth, origin, &frustum),
                     TRN_RESULT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_inside_are_those_of_clip_space),
        cmocka_unit_test(a_gather_finds_what_the_camera_sees),
        cmocka_unit_test(a_matrix_without_an_inverse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
