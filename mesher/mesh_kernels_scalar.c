// The kernels one row at a time: every machine can run them, and tests hold the others against
// them.

#include "mesh_kernels.h"

#define MESH_LANES 1
#define MESH_SUFFIX scalar
#define MESH_TARGET
#define MESH_KERNELS trn_mesh_kernels_scalar
#define MESH_KERNELS_NAME "scalar"
#include "mesh_kernels_body.h"
