/// The peer of trn_visibility_of: a flood fill, voxel by voxel.
#ifndef TERRANE_BENCH_MESH_FLOOD_H
#define TERRANE_BENCH_MESH_FLOOD_H

#include <terrane/visibility.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which faces of a chunk are joined through what is not opaque: fills each hollow from its first
/// voxel, and notes the faces that it meets.
/// @param opaque  [TRN_CHUNK_ROWS] as trn_visibility_of takes it
TrnVisibility mesh_by_flood(const uint32_t opaque[TRN_CHUNK_ROWS]);

#ifdef __cplusplus
}
#endif
#endif
