/// `terrane export`: exports a piece of land as a 3D model or a schematic. Its table of options is
/// EXPORT_COMMAND (commands.h).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "export_mesh.h"
#include "terrain_choice.h"

typedef enum ExportFormat {
    EXPORT_FORMAT_GLB,
    EXPORT_FORMAT_GLTF,
    EXPORT_FORMAT_OBJ,
    EXPORT_FORMAT_SCHEM, ///< this and the next: as TrnSchematicFormat
    EXPORT_FORMAT_LITEMATIC,
    EXPORT_FORMAT_SCHEMATIC,
    EXPORT_FORMAT_MTS,
    EXPORT_FORMAT_VOX,
    EXPORT_FORMAT_ANVIL, ///< a folder of region files
    EXPORT_FORMAT_COUNT
} ExportFormat;

typedef struct ExportOptions {
    uint64_t seed;
    TerrainChoice choice;  ///< borrowed from argv
    TrnTerrainShape shape; ///< of the choice
    const char *world;     ///< the path of a world file, which names the land; NULL: none
    bool has_center;       ///< otherwise a world's spawn is in the middle of the box
    int64_t center[2];     ///< voxels x, z
    int64_t size[2];       ///< voxels along x, z
    ExportBox box;         ///< without has_box, y is not set yet
    bool has_place;        ///< has_box, or a center or size is given
    bool has_box;          ///< otherwise y spans all land from the lowest ground up
    bool without_ao;
    int format;      ///< ExportFormat
    const char *out; ///< borrowed from argv
} ExportOptions;
