/// Imports a world of another game into the folder of worlds, in its own thread, while the start
/// screen keeps running. The file is hidden until the import is complete; then the world is listed.
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
    bool is_folding;      ///< folding levels of detail
    uint64_t done, total; ///< chunks; total is 0 until they are listed
} ImporterNow;

/// Begins an import.
/// @param source   path that `terrane import` accepts; "~/" is the user's home folder
/// @param problem  receives why the import cannot begin
/// @return NULL if the import cannot begin
Importer *importer_begin(const WorldsFolder *folder, const char *source, Message *problem);

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
