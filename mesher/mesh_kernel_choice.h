/// Private: meshes with other kernels than the fastest, for tests and the bench. C++ can read it.
///
/// All kernels give the same quads in the same order, bit for bit.
#ifndef TERRANE_MESHER_MESH_KERNEL_CHOICE_H
#define TERRANE_MESHER_MESH_KERNEL_CHOICE_H

#include <terrane/mesher.h>

#ifdef __cplusplus
extern "C" {
#endif

/// trn_mesh_quads() by the kernels of a name.
/// @param name  "AVX-512", "AVX2", "SSE2" ("NEON", "vectors of four" elsewhere) or "scalar"; NULL:
///              the fastest
/// Errors: as trn_mesh_quads(); BAD_ARGUMENT also where this machine cannot run them, or there are
/// none of that name.
TrnResult trn_mesh_quads_by(const char *name, const TrnMeshInput *input, void *scratch,
                            TrnQuad *quads, size_t capacity, TrnMeshInfo *info);

/// The name of the i-th fastest kernels of this machine, or NULL behind the last.
const char *trn_mesh_kernels_name(unsigned i);

#ifdef __cplusplus
}
#endif
#endif
