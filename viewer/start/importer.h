/// Imports a world of another game into the folder of worlds, or copies a world of the folder, in
/// its own thread, while the start screen keeps running. The file is hidden until it is complete;
/// then the world is listed.
///
///     Importer *importer = importer_begin(&folder, "~/.minetest/worlds/home", &problem);
///     while (!importer_now(importer).has_ended) { ... } // once a frame
///     const bool good = importer_end(importer, &text);
///
/// Threads: one thread at a time may call these functions.
#pragma once

#include "start/worlds_folder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Importer Importer;

/// Progress of an import.
typedef struct ImporterNow {
    bool has_ended;
    bool is_copying;      ///< of a world of the folder; otherwise an import
    bool is_folding;      ///< folding levels of detail
    uint64_t done, total; ///< chunks, or pages of a copied file; total is 0 until it is known
} ImporterNow;

/// Begins an import.
/// @param source   path that `terrane import` accepts; "~/" is the user's home folder
/// @param problem  receives why the import cannot begin
/// @return NULL if the import cannot begin
Importer *importer_begin(const WorldsFolder *folder, const char *source, Message *problem);

/// Begins to copy a world, which another program may have open meanwhile.
/// @param problem  receives why the copy cannot begin
/// @return NULL if the copy cannot begin
Importer *importer_copy(const WorldsFolder *folder, const WorldEntry *entry, Message *problem);

ImporterNow importer_now(const Importer *importer);
/// The new world's name in the list.
const char *importer_name(const Importer *importer);

/// Asks the import to stop and to delete its file.
void importer_stop(Importer *importer);

/// Waits for the import to end, and frees it.
/// @param text  receives a sentence about success or failure; may be NULL
/// @return whether the world is in the folder
bool importer_end(Importer *importer, Message *text);

#ifdef __cplusplus
}
#endif
