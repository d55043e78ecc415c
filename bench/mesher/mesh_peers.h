/// The peers of topic `mesher`: how games mesh that look for nothing faster. Compiled as well as
/// the compiler can.
///
/// All of them are handed what they like best: a plain cube of ids with a border of one voxel,
/// ready-made, in which 0 is air and all else opaque. Making that cube out of stored chunks is not
/// timed. Quads are written as Terrane's are, but in the peers' own order.
#ifndef TERRANE_BENCH_MESH_PEERS_H
#define TERRANE_BENCH_MESH_PEERS_H

#include <stddef.h>
#include <stdint.h>

#include <terrane/mesher.h>

#include "mesh_padded.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Meshes one chunk.
/// @param padded  [MESH_PADDED_VOXELS]
/// @param quads   [TRN_MESH_OPAQUE_QUADS_MAX] receives the quads
/// @return how many there are
typedef size_t MeshPeer(const TrnBlock *padded, TrnQuad *quads);

/// One quad for every face that shows; each voxel asks its six neighbours. Every corner's light is
/// 3.
size_t mesh_by_culling(const TrnBlock *padded, TrnQuad *quads);
/// The same with ambient occlusion.
size_t mesh_by_culling_with_ao(const TrnBlock *padded, TrnQuad *quads);

/// Classic greedy meshing: slice by slice, a mask of the faces that show is taken apart into
/// rectangles, the widest first. Source: M. Lysenko, "Meshing in a Minecraft Game", 2012.
size_t mesh_by_greedy(const TrnBlock *padded, TrnQuad *quads);
/// The same with ambient occlusion: faces are merged whose four corners are the same. That is
/// exact: faces side by side agree about the corners between them, so what is the same on both does
/// not change from one to the other.
size_t mesh_by_greedy_with_ao(const TrnBlock *padded, TrnQuad *quads);

/// Binary greedy meshing: lines of voxels are words of bits, an and-not of neighbouring lines tells
/// which faces show, and the faces of a layer that are alike become a plane of bits that is taken
/// apart into rectangles by shifts and masks. In use by several engines since 2022. mesh_binary.c
size_t mesh_by_binary_greedy(const TrnBlock *padded, TrnQuad *quads);
/// The same with ambient occlusion: faces are alike whose four corners are the same too.
size_t mesh_by_binary_greedy_with_ao(const TrnBlock *padded, TrnQuad *quads);

#ifdef __cplusplus
}
#endif
#endif
