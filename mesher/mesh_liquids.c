// Liquids of several levels: how high each face reaches, and which faces a liquid of the same
// family covers. Chunks whose liquids all have the usual surface do without. Shared by all kernels.

#include "mesh_kernels.h"

const TrnMeshLines trn_mesh_no_links = {0};

// ---- types -------------------------------------------------------------------------------------

const TrnBlockType *trn_mesh_type_at(const TrnMeshWork *work, int x, int y, int z, TrnBlock *block)
{
    static const TrnBlockType opaque = {.kind = TRN_BLOCK_KIND_OPAQUE};
    static const TrnBlockType air = {.kind = TRN_BLOCK_KIND_AIR};
    const TrnMeshInput *input = work->input;
    const uint32_t place = trn_around_place((x + TRN_MESH_EDGE) / TRN_MESH_EDGE - 1,
                                            (y + TRN_MESH_EDGE) / TRN_MESH_EDGE - 1,
                                            (z + TRN_MESH_EDGE) / TRN_MESH_EDGE - 1);
    *block = 0;
    if (!(input->present >> place & 1)) {
        return input->missing_is_solid ? &opaque : &air;
    }
    const uint32_t voxel = trn_local_index((uint32_t)x & 31, (uint32_t)y & 31, (uint32_t)z & 31);
    *block = trn_snapshot_get(input->around[place], voxel);
    return *block < input->type_count ? &input->types[*block] : &opaque;
}

static bool liquid_is_usual(const TrnBlockType *type)
{
    return type->variant == 0 && (type->surface == 0 || type->surface == TRN_MESH_USUAL_SURFACE);
}

/// Returns whether some liquid of a neighbour may be a flow, of the family of another liquid.
static bool liquid_has_flow(const TrnMeshInput *input, TrnSnapshot there)
{
    if (trn_snapshot_is_uniform(there)) {
        const TrnBlock block = trn_snapshot_uniform(there);
        return trn_mesh_kind(input, block) == TRN_BLOCK_KIND_LIQUID && input->types[block].variant;
    }
    const TrnPayload *payload = trn_snapshot_payload(there);
    bool has_flow = payload->bits == 16; // without a palette
    for (uint32_t i = 0; payload->bits < 16 && i < payload->palette_count; i++) {
        const TrnBlock block = trn_payload_palette(payload)[i];
        has_flow |=
            trn_mesh_kind(input, block) == TRN_BLOCK_KIND_LIQUID && input->types[block].variant;
    }
    return has_flow;
}

/// Returns whether a liquid of the chunk itself is not usual.
/// @param has_liquid  receives whether it has any
static bool liquid_is_unusual(const TrnMeshWork *work, bool *has_liquid)
{
    const TrnMeshInput *input = work->input;
    if (work->blocks) {
        *has_liquid = true;
        return true; // without a palette
    }
    bool is_unusual = false;
    const uint32_t count = work->payload ? work->payload->palette_count : 1;
    for (uint32_t i = 0; i < count; i++) {
        if (trn_mesh_kind(input, work->palette[i]) == TRN_BLOCK_KIND_LIQUID) {
            *has_liquid = true;
            is_unusual |= !liquid_is_usual(&input->types[work->palette[i]]);
        }
    }
    return is_unusual;
}

bool trn_mesh_has_levels(const TrnMeshWork *work)
{
    bool has_liquid = false;
    if (liquid_is_unusual(work, &has_liquid)) {
        return true;
    }
    bool has_flow = false;
    for (int face = 0; has_liquid && face < TRN_FACE_COUNT; face++) {
        const uint32_t behind = trn_mesh_behind((TrnFace)face);
        has_flow |= work->input->present >> behind & 1 &&
                    liquid_has_flow(work->input, work->input->around[behind]);
    }
    return has_flow;
}

// ---- faces -------------------------------------------------------------------------------------

/// Returns how high a liquid reaches in its voxel, 1..16.
static uint32_t liquid_height(const TrnMeshWork *work, const TrnBlockType *type, int x, int y,
                              int z)
{
    TrnBlock block;
    const TrnBlockKind above = trn_mesh_type_at(work, x, y + 1, z, &block)->kind;
    if (above == TRN_BLOCK_KIND_OPAQUE || above == TRN_BLOCK_KIND_LIQUID ||
        above == TRN_BLOCK_KIND_TRANSPARENT) {
        return TRN_BLOCK_GRID;
    }
    return type->surface == 0               ? TRN_MESH_USUAL_SURFACE
           : type->surface < TRN_BLOCK_GRID ? type->surface
                                            : TRN_BLOCK_GRID;
}

/// Returns whether two liquids, which are different blocks, are of one family. The first of a
/// family alone is variant 0.
static bool liquid_is_family(const TrnBlockType *a, const TrnBlockType *b)
{
    return b->kind == TRN_BLOCK_KIND_LIQUID && a->family == b->family && (a->variant || b->variant);
}

#define LIQUID_HIDDEN 256u

/// Returns the ao of a transparent face, or LIQUID_HIDDEN if a liquid of the same family covers it.
/// @param x,y,z  of a voxel that nothing but such a liquid hides
static uint32_t liquid_face(const TrnMeshWork *work, TrnFace face, int x, int y, int z)
{
    TrnBlock block, other;
    const TrnBlockType *type = trn_mesh_type_at(work, x, y, z, &block);
    if (type->kind != TRN_BLOCK_KIND_LIQUID) {
        return 255;
    }
    const TrnCoord next = trn_coord_neighbour((TrnCoord){x, y, z}, face);
    const TrnBlockType *there = trn_mesh_type_at(work, next.x, next.y, next.z, &other);
    const bool is_family = liquid_is_family(type, there);
    if (face == TRN_FACE_NEG_Y || (face == TRN_FACE_POS_Y && is_family)) {
        return is_family ? LIQUID_HIDDEN : 255;
    }
    const uint32_t height = liquid_height(work, type, x, y, z);
    const uint32_t start = is_family ? liquid_height(work, there, next.x, next.y, next.z) : 0;
    const uint32_t drop = TRN_BLOCK_GRID - height;
    return start >= height ? LIQUID_HIDDEN : drop || start ? drop | start << 4 : 255;
}

bool trn_mesh_level_side(TrnMeshWork *work, TrnMeshSide *side)
{
    uint32_t *front = work->scratch->front + TRN_MESH_ORIGIN;
    uint32_t shown[3] = {0};
    for (int y = side->low; y <= side->high; y++) {
        for (int lane = 0; lane < TRN_MESH_EDGE; lane++) {
            const int at = TRN_MESH_FROM_ORIGIN(y, lane);
            for (uint32_t rest = side->own[at] & ~front[at]; rest; rest &= rest - 1) {
                const int bit = __builtin_ctz(rest);
                const int x = side->is_transposed ? lane : bit,
                          z = side->is_transposed ? bit : lane;
                const uint32_t ao = liquid_face(work, (TrnFace)side->face, x, y, z);
                if (ao == LIQUID_HIDDEN) {
                    front[at] |= UINT32_C(1) << bit;
                    continue;
                }
                work->scratch->levels[trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z)] =
                    (uint8_t)ao;
                shown[0] |= UINT32_C(1) << x;
                shown[1] |= UINT32_C(1) << y;
                shown[2] |= UINT32_C(1) << z;
            }
        }
    }
    side->levels = work->scratch->levels;
    work->shown_x |= shown[0];
    work->shown_y |= shown[1];
    work->shown_z |= shown[2];
    return shown[1] != 0;
}
