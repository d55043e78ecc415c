/// Private: the fields of TrnTerrainShape as a table, for parsing and range checks.
#ifndef TERRANE_TERRAIN_SHAPE_IMPL_H
#define TERRANE_TERRAIN_SHAPE_IMPL_H

#include <stddef.h>

#include <terrane/terrain.h>

/// A field of TrnTerrainShape.
typedef struct TrnShapeField {
    const char *name;
    size_t offset;
    float min, max, default_value;
    const char *fault; ///< sentence for a value out of range
} TrnShapeField;

#define TRN_SHAPE_FIELD_COUNT 11

extern const TrnShapeField trn_shape_fields[TRN_SHAPE_FIELD_COUNT];

static inline float *trn_shape_value(TrnTerrainShape *shape, const TrnShapeField *field)
{
    return (float *)(void *)((char *)shape + field->offset);
}

#endif
