/// The box of voxels to export, and its limits.
#ifndef TERRANE_TOOL_EXPORT_BOX_H
#define TERRANE_TOOL_EXPORT_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/coord.h>

#include "message.h"

#define EXPORT_EDGE_MAX 65536        ///< voxels along an edge: floats are exact far beyond
#define EXPORT_CHUNKS_MAX (1u << 20) ///< of a box: minutes of work

/// Both corners are inclusive.
typedef struct ExportBox {
    TrnVoxel min, max;
} ExportBox;

/// Refuses a box that is empty, too large or outside the world.
bool export_box_check(const ExportBox *box, Message *problem);

/// The chunks that a box overlaps. @param box  one that was checked
TrnBox export_box_chunks(const ExportBox *box);

/// Voxels along x, y and z.
void export_box_size(const ExportBox *box, int64_t size[3]);

#endif
