/// The peers of topic `mesher`: the meshers of most games, compiled with full optimisation.
///
/// Preparing their input is not timed: a plain cube of block ids, a chunk with a border of one
/// voxel, where 0 is air and all other ids are opaque. Their quads have Terrane's format, in any
/// order.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <terrane/mesher.h>
#include <terrane/visibility.h>

#include "mesh_padded.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Meshes one chunk.
/// @param padded  [MESH_PADDED_VOXELS]
/// @param quads   [TRN_MESH_OPAQUE_QUADS_MAX] receives the quads
/// @return how many quads
typedef size_t MeshPeer(const TrnBlock *padded, TrnQuad *quads);

/// One quad for every visible face; each voxel tests its six neighbours. Every corner's light is 3.
size_t mesh_by_culling(const TrnBlock *padded, TrnQuad *quads);
/// The same with ambient occlusion.
size_t mesh_by_culling_with_ao(const TrnBlock *padded, TrnQuad *quads);

/// Classic greedy meshing: slice by slice, builds a mask of the visible faces and splits it into
/// rectangles, as wide as possible, then as high. Source: M. Lysenko, "Meshing in a Minecraft
/// Game", 2012.
size_t mesh_by_greedy(const TrnBlock *padded, TrnQuad *quads);
/// The same with ambient occlusion: faces are merged if their four corners are equal. This is
/// exact, since adjacent faces share two corners, so ambient occlusion is constant along the merged
/// faces.
size_t mesh_by_greedy_with_ao(const TrnBlock *padded, TrnQuad *quads);

/// Binary greedy meshing, as several engines do it since 2022: a line of voxels is a word of bits,
/// the and-not of two adjacent lines gives the visible faces, and the equal faces of a layer form a
/// plane of bits, which shifts and masks split into rectangles. See mesh_binary.c.
size_t mesh_by_binary_greedy(const TrnBlock *padded, TrnQuad *quads);
/// The same with ambient occlusion: faces are equal only if their four corners are.
size_t mesh_by_binary_greedy_with_ao(const TrnBlock *padded, TrnQuad *quads);

/// Which faces of a chunk are connected through voxels that are not opaque: flood-fills each hollow
/// and records the faces that it touches.
/// @param opaque  [TRN_CHUNK_ROWS] as trn_visibility_of takes it
TrnVisibility mesh_by_flood(const uint32_t opaque[TRN_CHUNK_ROWS]);

#ifdef __cplusplus
}
#endif
