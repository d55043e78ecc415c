// Frustums: the planes of a matrix that turns voxels into clip coordinates.

#include <terrane/chunk_index.h>

#include <math.h>
#include <stddef.h>

/// Below this part of the sum of the absolute terms, a determinant is rounding: floats have 24
/// bits, and their products of two are exact in a double.
#define FRUSTUM_SINGULAR 1e-14

/// The 2 x 2 minors of two rows.
static void frustum_minors(const double a[4], const double b[4], double minors[6])
{
    static const int columns[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int i = 0; i < 6; i++) {
        minors[i] = a[columns[i][0]] * b[columns[i][1]] - a[columns[i][1]] * b[columns[i][0]];
    }
}

/// Whether a matrix has an inverse. False if a number is not finite.
static bool frustum_is_regular(const double rows[4][4])
{
    double upper[6], lower[6], determinant = 0, size = 0;
    frustum_minors(rows[0], rows[1], upper);
    frustum_minors(rows[2], rows[3], lower);
    for (int i = 0; i < 6; i++) { // Laplace's expansion along two rows
        const double term = upper[i] * lower[5 - i];
        determinant += i == 1 || i == 4 ? -term : term;
        size += fabs(term);
    }
    return isfinite(size) && fabs(determinant) > size * FRUSTUM_SINGULAR;
}

/// Sets a plane to where the row `row` times `sign`, plus the last row times `last`, is at least 0.
/// @param offset  of the matrix's origin in its chunk, in voxels
static void frustum_set_plane(double plane[4], const double rows[4][4], int row, double sign,
                              double last, const double offset[3])
{
    double sum[4];
    for (int i = 0; i < 4; i++) {
        sum[i] = sign * rows[row][i] + last * rows[3][i];
    }
    plane[3] = sum[3];
    for (int axis = 0; axis < 3; axis++) {
        plane[axis] = sum[axis] * TRN_CHUNK_EDGE;
        plane[3] -= sum[axis] * offset[axis];
    }
}

TrnResult trn_frustum_from_matrix(const float matrix[16], TrnMatrixOrder order, TrnClipDepth depth,
                                  TrnPosition origin, TrnFrustum *frustum)
{
    if (!matrix || !frustum || (unsigned)order >= TRN_MATRIX_ORDER_COUNT ||
        (unsigned)depth >= TRN_CLIP_DEPTH_COUNT || !isfinite(origin.offset[0]) ||
        !isfinite(origin.offset[1]) || !isfinite(origin.offset[2])) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    double rows[4][4];
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            rows[row][column] =
                (double)matrix[order == TRN_MATRIX_ROWS ? 4 * row + column : 4 * column + row];
        }
    }
    if (!frustum_is_regular(rows)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnFrustum made = {.origin = origin.chunk, .count = 6};
    for (int row = 0; row < 3; row++) { // -w <= x <= w, as y; the same of z, or 0 <= z <= w
        const double last = row == 2 && depth == TRN_CLIP_DEPTH_ZERO ? 0 : 1;
        double(*planes)[4] = made.planes + (ptrdiff_t)2 * row;
        frustum_set_plane(planes[0], rows, row, 1, last, origin.offset);
        frustum_set_plane(planes[1], rows, row, -1, 1, origin.offset);
    }
    *frustum = made;
    return TRN_RESULT_OK;
}
