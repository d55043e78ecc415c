#include "mesh_peers.h"

enum { EDGE = TRN_CHUNK_EDGE };

/// The state of a flood fill. Every voxel is on the stack at most once.
typedef struct Flood {
    uint8_t is_done[TRN_CHUNK_VOXELS];
    uint16_t stack[TRN_CHUNK_VOXELS];
    int height;
} Flood;

static void mesh_push_voxel(Flood *flood, int index)
{
    if (!flood->is_done[index]) {
        flood->is_done[index] = 1;
        flood->stack[flood->height++] = (uint16_t)index;
    }
}

/// Spreads one step along an axis in both directions. @return the chunk's faces that were reached,
/// one bit per TrnFace
static uint32_t mesh_spread_along(Flood *flood, int index, int shift, TrnFace negative)
{
    const int at = index >> shift & (EDGE - 1), step = 1 << shift;
    if (at > 0) {
        mesh_push_voxel(flood, index - step);
    }
    if (at < EDGE - 1) {
        mesh_push_voxel(flood, index + step);
    }
    const uint32_t both = (uint32_t)(at == 0) | (uint32_t)(at == EDGE - 1) << 1;
    return both << negative;
}

/// Fills the hollow around a voxel. @return the chunk's faces that the hollow touches
static uint32_t mesh_fill_hollow(Flood *flood, int start)
{
    uint32_t met = 0;
    mesh_push_voxel(flood, start);
    while (flood->height > 0) {
        const int index = flood->stack[--flood->height];
        met |= mesh_spread_along(flood, index, 0, TRN_FACE_NEG_X);
        met |= mesh_spread_along(flood, index, TRN_CHUNK_SHIFT, TRN_FACE_NEG_Z);
        met |= mesh_spread_along(flood, index, 2 * TRN_CHUNK_SHIFT, TRN_FACE_NEG_Y);
    }
    return met;
}

static TrnVisibility mesh_join_faces(uint32_t met)
{
    uint32_t pairs = 0;
    for (int a = 0; a < TRN_FACE_COUNT; a++) {
        for (int b = a + 1; b < TRN_FACE_COUNT; b++) {
            if (met >> a & met >> b & 1) {
                pairs |= UINT32_C(1) << trn_visibility_bit((TrnFace)a, (TrnFace)b);
            }
        }
    }
    return (TrnVisibility)pairs;
}

TrnVisibility mesh_by_flood(const uint32_t opaque[TRN_CHUNK_ROWS])
{
    Flood flood; // 96 KiB
    flood.height = 0;
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        flood.is_done[i] = opaque[i / EDGE] >> i % EDGE & 1;
    }
    uint32_t joined = 0;
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (!flood.is_done[i]) {
            joined |= mesh_join_faces(mesh_fill_hollow(&flood, i));
        }
    }
    return (TrnVisibility)joined;
}
