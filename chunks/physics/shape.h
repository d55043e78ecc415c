/// Private: the boxes of models in the world, for rays and bodies.
#ifndef TERRANE_PHYSICS_SHAPE_H
#define TERRANE_PHYSICS_SHAPE_H

#include <terrane/store.h>

/// One voxel of a loaded chunk.
typedef struct TrnShapePlace {
    const TrnStore *store;
    TrnCoord chunk;
    TrnSnapshot snapshot; ///< of the chunk
    uint32_t index;       ///< linear
} TrnShapePlace;

/// Tells which boxes of a model are there: those that do not depend on neighbours, and those whose
/// neighbours are as they ask for. Chunks that are not loaded connect to nothing.
/// @return bit i: box i is there
/// Cost: a look at the neighbours that the boxes name.
uint32_t trn_shape_boxes(const TrnShapePlace *place, const TrnBlockModel *model);

#endif
