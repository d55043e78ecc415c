// Open sides: opaque faces at a chunk's border, towards neighbours that may be drawn at another
// level of detail. Shared by all kernels.

#include <string.h>

#include "mesh_kernels.h"

// ---- what the sides show ------------------------------------------------------------------------

/// Finds the chunk's opaque voxels of a row across a direction.
/// @param i   the row, 0..31: y, or z for faces along y
/// @param at  the coordinate along the direction's axis, 0..31
static uint32_t open_row(const TrnMeshWork *work, TrnFace face, uint32_t i, uint32_t at)
{
    const TrnMask own = work->opaque[TRN_AROUND_CENTRE];
    if (face / 2 != 0) {
        return trn_mask_row(own, face / 2 == 1 ? at * TRN_MESH_EDGE + i : i * TRN_MESH_EDGE + at);
    }
    uint32_t line[TRN_MESH_EDGE];
    memcpy(line, trn_mask_half(own, 2 * i), sizeof line / 2);
    memcpy(line + TRN_HALF_ROWS, trn_mask_half(own, 2 * i + 1), sizeof line / 2);
    return work->kernels->turn(line, at);
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
        const TrnCoord by = trn_coord_neighbour((TrnCoord){0, 0, 0}, (TrnFace)face);
        if (work->opaque[trn_around_place(by.x, by.y, by.z)].all != UINT64_MAX) {
            return false;
        }
    }
    return true;
}

uint32_t trn_mesh_open(TrnMeshWork *work, int low, int high)
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
        for (int i = first; i <= last; i++) {
            open_mark(work, (TrnFace)face, (uint32_t)i,
                      open_row(work, (TrnFace)face, (uint32_t)i, (uint32_t)side));
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
        scratch->front[open_at(side, i)] = 0;
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

/// The light of quads on open sides.
#define OPEN_LIGHT TRN_MESH_LIGHT(15, 0)

/// Returns whether a quad lies on an open side.
static bool open_has_quad(const TrnMeshInput *input, TrnQuad quad)
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
        if (open_has_quad(work->input, work->quads[i])) {
            light[i] = OPEN_LIGHT;
        }
        differs |= light[i] ^ light[0];
    }
    return differs || light[0] != (light[0] & 255) * 0x01010101u ? TRN_MESH_LIGHT_VARIES : light[0];
}
