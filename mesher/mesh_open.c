// Open sides: opaque faces at a chunk's border, towards neighbours that may be drawn at another
// level of detail. Shared by all kernels.

#include <string.h>

#include "mesh_kernels.h"

// ---- what counts as opaque behind a side -------------------------------------------------------

/// Returns which of the three chunks along an axis holds a coordinate, -32..63.
static uint32_t open_chunk(int at)
{
    return (uint32_t)(at + TRN_MESH_EDGE) / TRN_MESH_EDGE;
}

/// Finds the opaque voxels of a row along x. @param y,z  local, -1..34 and -1..32
static uint32_t open_row_x(const TrnMeshWork *work, int y, int z)
{
    const TrnMeshMask *chunk =
        work->opaque + trn_around_place(0, (int)open_chunk(y) - 1, (int)open_chunk(z) - 1);
    return chunk->rows[(uint32_t)y % TRN_MESH_EDGE * chunk->pitch + (uint32_t)z % TRN_MESH_EDGE];
}

/// Finds the opaque voxels of a row along z. @param x,y  local, -1..32 and -1..34
static uint32_t open_row_z(const TrnMeshWork *work, int x, int y)
{
    const TrnMeshMask *chunk =
        work->opaque + trn_around_place((int)open_chunk(x) - 1, (int)open_chunk(y) - 1, 0);
    const uint32_t *line = chunk->rows + (uint32_t)y % TRN_MESH_EDGE * chunk->pitch;
    return work->kernels->turn(line, (uint32_t)x % TRN_MESH_EDGE);
}

/// Finds the opaque voxels of a row across a direction.
/// @param i   the row, 0..31: y, or z for faces along y
/// @param at  the coordinate along the direction's axis, -1..32
/// @param up  how many voxels higher
static uint32_t open_row(const TrnMeshWork *work, TrnFace face, int i, int at, int up)
{
    return face / 2 == 0   ? open_row_z(work, at, i + up)
           : face / 2 == 1 ? open_row_x(work, at + up, i)
                           : open_row_x(work, i + up, at);
}

/// Finds which voxels behind a side count as opaque: those whose next ones above are opaque too.
/// @param first,last  the rows, as in open_row
/// @param rows        [last + 1] the first ones are not written
static void open_find_rows(const TrnMeshWork *work, TrnFace face, int first, int last,
                           uint32_t *rows)
{
    const int behind = face % 2 ? TRN_MESH_EDGE : -1;
    uint32_t above[TRN_MESH_OPEN_DEPTH];
    for (int up = 0; up < TRN_MESH_OPEN_DEPTH; up++) {
        above[up] = face / 2 == 1 ? 0 : open_row(work, face, last, behind, up + 1);
    }
    for (int i = last; i >= first; i--) {
        const uint32_t row = open_row(work, face, i, behind, 0);
        rows[i] = row;
        for (int up = TRN_MESH_OPEN_DEPTH - 1; up >= 0; up--) {
            // Along y, the voxels above are not in the next rows.
            rows[i] &= face / 2 == 1 ? open_row(work, face, i, behind, up + 1) : above[up];
            above[up] = up ? above[up - 1] : row;
        }
    }
}

/// Marks what a row of the chunk shows at a side.
/// @param shown  its voxels with a face
static void open_mark(TrnMeshWork *work, TrnFace face, uint32_t i, uint32_t shown)
{
    uint32_t *active = work->scratch->active;
    const uint32_t side = face % 2 ? TRN_MESH_EDGE - 1 : 0;
    const uint32_t y = face / 2 == 1 ? side : i, z = face / 2 == 1 ? i : side;
    if (!shown) {
        return;
    }
    work->shown_y |= UINT32_C(1) << y;
    active[y] |= face / 2 == 0 ? shown : UINT32_C(1) << z;
    work->shown_z |= face / 2 == 0 ? shown : UINT32_C(1) << z;
    work->shown_x |= face / 2 == 0 ? UINT32_C(1) << side : shown;
}

bool trn_mesh_open_is_buried(const TrnMeshWork *work)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        // Lower rows are below others of the layer.
        const int first = face / 2 == 1 ? 0 : TRN_MESH_EDGE - TRN_MESH_OPEN_DEPTH;
        uint32_t rows[TRN_MESH_EDGE], all = UINT32_MAX;
        if (!trn_mesh_is_open(work->input, (TrnFace)face) || face == TRN_FACE_NEG_Y) {
            continue; // the voxels above those behind the bottom are the chunk's own
        }
        open_find_rows(work, (TrnFace)face, first, TRN_MESH_EDGE - 1, rows);
        for (int i = first; i < TRN_MESH_EDGE; i++) {
            all &= rows[i];
        }
        if (all != UINT32_MAX) {
            return false;
        }
    }
    return true;
}

uint32_t trn_mesh_open(TrnMeshWork *work, int low, int high, TrnMeshBorders *borders)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (!trn_mesh_is_open(work->input, (TrnFace)face)) {
            continue;
        }
        const int side = face % 2 ? TRN_MESH_EDGE - 1 : 0;
        const bool is_horizontal = face / 2 == 1; // its line must have opaque voxels
        const int first = is_horizontal ? 0 : low;
        const int last = !is_horizontal                ? high
                         : side >= low && side <= high ? TRN_MESH_EDGE - 1
                                                       : -1;
        open_find_rows(work, (TrnFace)face, first, last, borders->rows[face]);
        for (int i = first; i <= last; i++) {
            const uint32_t own = open_row(work, (TrnFace)face, i, side, 0);
            open_mark(work, (TrnFace)face, (uint32_t)i, own & ~borders->rows[face][i]);
        }
    }
    uint32_t lines = 0;
    for (int y = low; y <= high; y++) {
        lines |= (uint32_t)(work->scratch->active[y] != 0) << y;
    }
    return lines;
}

// ---- layers ------------------------------------------------------------------------------------

/// Returns where the row behind a side is in a padded layer. @param i  -1..32
static int open_at(const TrnMeshSide *side, int i)
{
    const int behind = side->face % 2 ? TRN_MESH_EDGE : -1;
    return side->is_horizontal ? TRN_MESH_AT(behind, i) : TRN_MESH_AT(i, behind);
}

static void open_find_layers(TrnMeshScratch *scratch, const TrnMeshSide *side, uint32_t *layers[3])
{
    layers[0] = side->is_transposed ? scratch->transposed_left : scratch->left;
    layers[1] = side->is_transposed ? scratch->transposed_own : scratch->own;
    layers[2] = side->is_transposed ? scratch->transposed_right : scratch->right;
}

void trn_mesh_open_side(TrnMeshScratch *scratch, TrnMeshSide *side, TrnMeshBorders *borders)
{
    uint32_t *layers[3];
    open_find_layers(scratch, side, layers);
    for (int layer = 0; layer < 3; layer++) {
        for (int i = -1; i <= TRN_MESH_EDGE; i++) {
            borders->saved[layer][i + 1] = layers[layer][open_at(side, i)];
            layers[layer][open_at(side, i)] = 0;
        }
    }
    const int first = TRN_MESH_AT(side->low - 1, -1);
    const int last = TRN_MESH_AT(side->high + 1, TRN_MESH_EDGE);
    memcpy(scratch->front + first, layers[1] + first,
           (size_t)(last - first + 1) * sizeof(uint32_t));
    for (int i = 0; i < TRN_MESH_EDGE; i++) {
        scratch->front[open_at(side, i)] = borders->rows[side->face][i];
    }
    side->front = scratch->front + (side->front - layers[1]);
}

void trn_mesh_close_side(TrnMeshScratch *scratch, const TrnMeshSide *side,
                         const TrnMeshBorders *borders)
{
    uint32_t *layers[3];
    open_find_layers(scratch, side, layers);
    for (int layer = 0; layer < 3; layer++) {
        for (int i = -1; i <= TRN_MESH_EDGE; i++) {
            layers[layer][open_at(side, i)] = borders->saved[layer][i + 1];
        }
    }
}

// ---- light -------------------------------------------------------------------------------------

bool trn_mesh_is_open_quad(const TrnMeshInput *input, TrnQuad quad)
{
    const uint32_t face = trn_quad_face(quad);
    if (face >= TRN_FACE_COUNT || !trn_mesh_is_open(input, (TrnFace)face) ||
        trn_mesh_kind(input, trn_quad_block(quad)) != TRN_BLOCK_KIND_OPAQUE) {
        return false;
    }
    const uint32_t at = face / 2 == 0   ? trn_quad_x(quad)
                        : face / 2 == 1 ? trn_quad_y(quad)
                                        : trn_quad_z(quad);
    return at == (face % 2 ? TRN_MESH_EDGE - 1 : 0);
}

uint32_t trn_mesh_open_light(const TrnMeshWork *work, uint32_t *light)
{
    const uint32_t constant = TRN_MESH_LIGHT(work->levels[0].constant, work->levels[1].constant);
    uint32_t differs = 0;
    for (size_t i = 0; i < work->count; i++) {
        if (!work->has_light) {
            light[i] = constant;
        }
        if (trn_mesh_is_open_quad(work->input, work->quads[i])) {
            light[i] = TRN_MESH_OPEN_LIGHT;
        }
        differs |= light[i] ^ light[0];
    }
    return differs || light[0] != (light[0] & 255) * 0x01010101u ? TRN_MESH_LIGHT_VARIES : light[0];
}
