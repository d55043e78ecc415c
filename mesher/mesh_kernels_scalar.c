// The kernels that handle one row at a time. Every machine can run them, and the tests compare all
// others with them.

#include "mesh_kernels.h"

#define MESH_LANES 1
#define MESH_SUFFIX scalar
#define MESH_TARGET
#define MESH_KERNELS trn_mesh_kernels_scalar
#define MESH_KERNELS_NAME "scalar"
#include "mesh_kernels_body.h"
