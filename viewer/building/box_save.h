/// Writes a box of the open world as a schematic for other games and editors.
#pragma once

#include <terrane/schematic.h>

#include "files/file_list.h"
#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most voxels of a box: it is written while the picture stands still, some tenths of a second.
#define BOX_SAVE_VOXELS_MAX (INT64_C(1) << 24)

/// Returns what a format's files are for, such as "Minecraft 1.13 and later (.schem)". NULL beyond
/// the last. @param format  TrnSchematicFormat
const char *box_save_label(uint32_t format);

/// Writes the path of a file: the folder, the name and the format's ending, unless the name has it.
/// @param problem  receives why the name will not do
bool box_save_path(const char *folder, const char *name, uint32_t format, char path[FILE_PATH_MAX],
                   Message *problem);

/// Writes the usual folder for buildings: "Terrane" in the user's, or the current one.
void box_save_folder(char folder[FILE_PATH_MAX]);

/// The box to write.
typedef struct BoxSaveDef {
    const TrnStore *store; ///< all chunks of the box are loaded
    TrnVoxel min, max;     ///< both inclusive
    uint32_t format;       ///< TrnSchematicFormat
    const char *path;      ///< must not exist
} BoxSaveDef;

/// Writes a box. Folders above the file are made.
/// @param text  receives a sentence with the path, and what was lost; or why it failed
bool box_save(const BoxSaveDef *def, Message *text);

#ifdef __cplusplus
}
#endif
