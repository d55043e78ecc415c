// Light: which faces may merge because light is linear across them, and the light of quads.
//
// Light works on the chunk and its border, 34 rows along x on each of 34 lines. Each voxel has a
// code that adds up: the sum of the codes of four voxels says how many of them are not opaque, and
// the sum of their levels. A row of codes is decoded from the planes when it is first needed.

#include <string.h>

#include "mesh_kernels.h"

#define MESH_LIGHT_BITS                                                                            \
    ((UINT64_C(1) << TRN_LIGHT_EDGE) - 1) ///< the bits of a row; bit x + 1 is voxel x

// The code of a voxel: 0 if it is opaque, otherwise its levels and MESH_LIGHT_CODE_CLEAR.
#define MESH_LIGHT_CODE_BLOCKS                                                                     \
    6 ///< the shift of the light of blocks; sums of four levels take 6 bits
#define MESH_LIGHT_CODE_CLEAR 12         ///< the shift of the number of voxels that are not opaque
#define MESH_LIGHT_CODE_MIXED UINT16_MAX ///< TrnMeshLight.even: the row's codes differ

// ---- levels ------------------------------------------------------------------------------------

static bool mesh_light_is_level(const TrnLight *light)
{
    return !light || light->constant < 1u << TRN_LIGHT_LEVELS ||
           light->constant == TRN_LIGHT_VARIES;
}

bool trn_mesh_light_is_valid(const TrnMeshInput *input)
{
    return mesh_light_is_level(input->sky) && mesh_light_is_level(input->blocks);
}

static TrnMeshLevels mesh_light_levels(const TrnLight *light, uint32_t otherwise)
{
    TrnMeshLevels levels = {.constant = light ? light->constant : otherwise};
    levels.planes = levels.constant == TRN_LIGHT_VARIES ? light->planes : NULL;
    return levels;
}

void trn_mesh_light_read(TrnMeshWork *work)
{
    work->levels[0] = mesh_light_levels(work->input->sky, (1u << TRN_LIGHT_LEVELS) - 1);
    work->levels[1] = mesh_light_levels(work->input->blocks, 0);
    work->has_light = work->levels[0].planes || work->levels[1].planes;
}

/// Returns a row of one bit of the levels.
static uint64_t mesh_light_plane(const TrnMeshLevels *levels, uint32_t bit, uint32_t row)
{
    return levels->planes ? levels->planes[bit][row] : 0 - (uint64_t)(levels->constant >> bit & 1);
}

/// Finds the voxels of a row that are not opaque.
/// @param y,z  -1..32
static uint64_t mesh_light_clear_row(const TrnMeshWork *work, int y, int z)
{
    const int chunk_y = y < 0 ? 0 : y < TRN_MESH_EDGE ? 1 : 2;
    const int chunk_z = z < 0 ? 0 : z < TRN_MESH_EDGE ? 1 : 2;
    const TrnMeshMask *chunks = &work->opaque[chunk_y * 9 + chunk_z * 3];
    const size_t line = (size_t)y & 31, lane = (size_t)z & 31;
    const uint64_t left = chunks[0].rows[line * chunks[0].pitch + lane] >> 31;
    const uint64_t own = chunks[1].rows[line * chunks[1].pitch + lane];
    const uint64_t right = chunks[2].rows[line * chunks[2].pitch + lane] & 1;
    return ~(left | own << 1 | right << (TRN_LIGHT_EDGE - 1)) & MESH_LIGHT_BITS;
}

/// Returns the code of all voxels of a row that are not opaque, MESH_LIGHT_CODE_MIXED if they
/// differ, or 0 if there are none.
static uint16_t mesh_light_even_code(const TrnMeshWork *work, uint32_t row, uint64_t clear)
{
    uint32_t code = 1u << MESH_LIGHT_CODE_CLEAR;
    for (uint32_t channel = 0; channel < 2; channel++) {
        for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
            const uint64_t set = mesh_light_plane(&work->levels[channel], bit, row) & clear;
            if (set && set != clear) {
                return MESH_LIGHT_CODE_MIXED;
            }
            code |= (uint32_t)(set != 0) << (bit + channel * MESH_LIGHT_CODE_BLOCKS);
        }
    }
    return (uint16_t)(clear ? code : 0);
}

void trn_mesh_light_prepare(TrnMeshWork *work)
{
    TrnMeshLight *light = &work->scratch->light;
    memset(light->decoded, 0, sizeof light->decoded);
    for (int y = -1; y <= TRN_MESH_EDGE; y++) {
        for (int z = -1; z <= TRN_MESH_EDGE; z++) {
            const uint32_t row = TRN_MESH_LIGHT_ROW(y, z);
            light->clear[row] = mesh_light_clear_row(work, y, z);
            light->even[row] = mesh_light_even_code(work, row, light->clear[row]);
        }
    }
}

/// Returns the codes of a row; voxel x is at x + 1.
static const uint16_t *mesh_light_row(const TrnMeshWork *work, uint32_t row)
{
    TrnMeshLight *light = &work->scratch->light;
    uint16_t *codes = light->codes[row];
    if (light->decoded[row]) {
        return codes;
    }
    light->decoded[row] = true;
    for (uint32_t i = 0; i < TRN_LIGHT_EDGE; i++) {
        codes[i] = (uint16_t)(light->clear[row] >> i & 1) << MESH_LIGHT_CODE_CLEAR;
    }
    for (uint32_t channel = 0; channel < 2; channel++) {
        for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
            const uint64_t set =
                mesh_light_plane(&work->levels[channel], bit, row) & light->clear[row];
            for (uint32_t i = 0; i < TRN_LIGHT_EDGE; i++) {
                codes[i] |= (uint16_t)(set >> i & 1) << (bit + channel * MESH_LIGHT_CODE_BLOCKS);
            }
        }
    }
    return codes;
}

/// Returns the mean levels of up to four voxels, the light of blocks in the upper byte; 0 if all
/// are opaque.
/// @param sum  of their codes
static uint32_t mesh_light_mean(uint32_t sum)
{
    const uint32_t count = sum ? sum >> MESH_LIGHT_CODE_CLEAR : 1;
    const uint32_t sky = sum & 63, blocks = sum >> MESH_LIGHT_CODE_BLOCKS & 63;
    return (2 * sky + count) / (2 * count) | (2 * blocks + count) / (2 * count) << 8;
}

// ---- merging -----------------------------------------------------------------------------------

/// The steps, in rows, between voxels in front of adjacent faces. Faces of y and z lie along the
/// row, so they have no step along their width.
typedef struct MeshLightAxis {
    uint32_t axis, width_step, height_step;
} MeshLightAxis;

static const MeshLightAxis mesh_light_axes[3] = {
    {0, 1, TRN_LIGHT_EDGE}, {1, 0, 1}, {2, 0, TRN_LIGHT_EDGE}};

/// Adds up rows of codes and finds the means.
static void mesh_light_add(const uint16_t *a, const uint16_t *b, const uint16_t *c,
                           const uint16_t *d, uint16_t *means)
{
    for (uint32_t i = 0; i < TRN_LIGHT_EDGE - 1; i++) {
        const uint32_t sum = (uint32_t)a[i] + b[i] + c[i] + d[i];
        means[i] = (uint16_t)mesh_light_mean(sum);
    }
}

/// Finds the corners that two voxels of a layer touch only across each other, with opaque voxels
/// between them. Each of the two has its own levels there.
static uint64_t mesh_light_split(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return (a ^ b) & (c ^ d) & (a ^ c);
}

/// How light changes across the faces in front of which one row of voxels lies.
typedef struct MeshLightSlopes {
    uint16_t along[TRN_LIGHT_EDGE], across[TRN_LIGHT_EDGE]; ///< from one corner to the next
    uint64_t bent; ///< faces across which light is not linear
} MeshLightSlopes;

static void mesh_light_find_slopes(const TrnMeshWork *work, const MeshLightAxis *axis, uint32_t row,
                                   MeshLightSlopes *slopes)
{
    const uint64_t *clear = work->scratch->light.clear;
    uint16_t means[4][TRN_LIGHT_EDGE + 1] = {{0}};
    uint64_t bent = 0;
    for (uint32_t corner = 0; corner < 4; corner++) {
        const uint32_t right = corner & 1, upper = corner >> 1;
        const uint32_t high = row + upper * axis->height_step, low = high - axis->height_step;
        if (axis->width_step) {
            const uint32_t c = high + right, a = low + right;
            mesh_light_add(mesh_light_row(work, a - 1), mesh_light_row(work, a),
                           mesh_light_row(work, c - 1), mesh_light_row(work, c), means[corner]);
            means[corner][TRN_LIGHT_EDGE - 1] = 0;
            const uint32_t last = TRN_LIGHT_EDGE - 1;
            const uint32_t sum = (uint32_t)mesh_light_row(work, a - 1)[last] +
                                 mesh_light_row(work, a)[last] + mesh_light_row(work, c - 1)[last] +
                                 mesh_light_row(work, c)[last];
            means[corner][last] = (uint16_t)mesh_light_mean(sum);
            bent |= mesh_light_split(clear[a - 1], clear[a], clear[c - 1], clear[c]);
        } else {
            // Corner t lies between the voxels of bits t - 1 and t.
            const uint16_t *a = mesh_light_row(work, low), *c = mesh_light_row(work, high);
            mesh_light_add(a, a + 1, c, c + 1, means[corner] + 1 - right);
            const uint64_t split =
                mesh_light_split(clear[low] << 1, clear[low], clear[high] << 1, clear[high]);
            bent |= split >> right;
        }
    }
    for (uint32_t i = 0; i < TRN_LIGHT_EDGE; i++) {
        slopes->along[i] = (uint16_t)(means[1][i] - means[0][i]);
        slopes->across[i] = (uint16_t)(means[2][i] - means[0][i]);
        const uint16_t upper = (uint16_t)(means[3][i] - means[2][i]);
        bent |= (uint64_t)(upper != slopes->along[i]) << i;
    }
    slopes->bent = bent;
}

/// Compares the slopes of faces with those of the next faces.
/// @return the faces that must not merge with the next
static uint64_t mesh_light_compare(const uint16_t *slopes, const uint16_t *next, uint32_t count)
{
    uint64_t cut = 0;
    for (uint32_t i = 0; i < count; i++) {
        cut |= (uint64_t)(slopes[i] != next[i]) << i;
    }
    return cut;
}

void trn_mesh_light_cut(TrnMeshWork *work, uint32_t axis_index)
{
    const MeshLightAxis *axis = &mesh_light_axes[axis_index];
    TrnMeshLight *light = &work->scratch->light;
    MeshLightSlopes here, beside;
    memset(light->cut_along, 0, sizeof light->cut_along);
    memset(light->cut_across, 0, sizeof light->cut_across);
    const int y_outside = axis_index == 1, z_outside = axis_index == 2;
    for (int y = -y_outside; y < TRN_MESH_EDGE + y_outside; y++) {
        for (int z = -z_outside; z < TRN_MESH_EDGE + z_outside; z++) {
            const uint32_t row = TRN_MESH_LIGHT_ROW(y, z);
            mesh_light_find_slopes(work, axis, row, &here);
            if (!axis->width_step) {
                light->cut_along[row] =
                    here.bent | here.bent >> 1 |
                    mesh_light_compare(here.along, here.along + 1, TRN_LIGHT_EDGE - 1);
            } else if (z + 1 < TRN_MESH_EDGE) {
                mesh_light_find_slopes(work, axis, row + axis->width_step, &beside);
                light->cut_along[row] =
                    here.bent | beside.bent |
                    mesh_light_compare(here.along, beside.along, TRN_LIGHT_EDGE);
            }
            if (axis->height_step == 1 ? z + 1 < TRN_MESH_EDGE : y + 1 < TRN_MESH_EDGE) {
                mesh_light_find_slopes(work, axis, row + axis->height_step, &beside);
                light->cut_across[row] =
                    here.bent | beside.bent |
                    mesh_light_compare(here.across, beside.across, TRN_LIGHT_EDGE);
            }
        }
    }
}

// ---- the light of quads ------------------------------------------------------------------------

/// Returns the code of a voxel. @param at  local coordinates, -1..32
static uint32_t mesh_light_code(const TrnMeshWork *work, const int at[3])
{
    return mesh_light_row(work, TRN_MESH_LIGHT_ROW(at[1], at[2]))[at[0] + 1];
}

/// Returns the light of one corner of a face, as a byte.
/// @param front        the voxel in front of the face
/// @param right,upper  whether the corner is at the far end of the face's axes
static uint32_t mesh_light_corner(const TrnMeshWork *work, const int front[3], int width_axis,
                                  int height_axis, bool right, bool upper)
{
    int beside[3], above[3], across[3];
    memcpy(beside, front, sizeof beside);
    memcpy(above, front, sizeof above);
    beside[width_axis] += right ? 1 : -1;
    above[height_axis] += upper ? 1 : -1;
    memcpy(across, beside, sizeof across);
    across[height_axis] = above[height_axis];
    const uint32_t sides = mesh_light_code(work, beside) + mesh_light_code(work, above);
    const uint32_t sum =
        mesh_light_code(work, front) + sides + (sides ? mesh_light_code(work, across) : 0);
    const uint32_t mean = mesh_light_mean(sum);
    return (mean & 15) | mean >> 8 << 4;
}

static uint32_t mesh_light_of_quad(const TrnMeshWork *work, TrnQuad quad)
{
    int at[3] = {(int)trn_quad_x(quad), (int)trn_quad_y(quad), (int)trn_quad_z(quad)};
    const uint32_t face = trn_quad_face(quad);
    if (face >= TRN_QUAD_PLANT_A) {
        const uint32_t code = mesh_light_code(work, at);
        return TRN_MESH_LIGHT(code & 15, code >> MESH_LIGHT_CODE_BLOCKS & 15);
    }
    int width_axis, height_axis;
    trn_quad_axes((TrnFace)face, &width_axis, &height_axis);
    at[face / 2] += face % 2 ? 1 : -1;
    const int low_w = at[width_axis], high_w = low_w + (int)trn_quad_width(quad) - 1;
    const int low_h = at[height_axis], high_h = low_h + (int)trn_quad_height(quad) - 1;
    uint32_t light = 0;
    for (uint32_t corner = 0; corner < 4; corner++) {
        const bool right = corner & 1, upper = corner >> 1;
        at[width_axis] = right ? high_w : low_w;
        at[height_axis] = upper ? high_h : low_h;
        light |= mesh_light_corner(work, at, width_axis, height_axis, right, upper) << 8 * corner;
    }
    return light;
}

uint32_t trn_mesh_light_put(const TrnMeshWork *work, const TrnQuad *quads, size_t count,
                            uint32_t *light)
{
    uint32_t differs = 0;
    for (size_t i = 0; i < count; i++) {
        light[i] = mesh_light_of_quad(work, quads[i]);
        differs |= light[i] ^ light[0];
    }
    if (!count) {
        return 0;
    }
    return differs || light[0] != (light[0] & 255) * 0x01010101u ? TRN_MESH_LIGHT_VARIES : light[0];
}
