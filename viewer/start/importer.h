/// Imports a world of another game into the folder of worlds, on a thread of its own, while the
/// start screen goes on. The world is listed once it is whole: until then its file is hidden.
///
///     Importer *importer = importer_begin(&folder, "~/.minetest/worlds/home", &problem);
///     while (!importer_now(importer).has_ended) { ... } // once a frame
///     const bool good = importer_end(importer, &text);
///
/// Threads: one at a time.
#ifndef TERRANE_VIEWER_IMPORTER_H
#define TERRANE_VIEWER_IMPORTER_H

#include "start/worlds_folder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Importer Importer;

/// What an import is doing.
typedef struct ImporterNow {
    bool has_ended;
    bool is_folding;      ///< levels of detail are being made
    uint64_t done, total; ///< chunks; total is 0 until they are listed
} ImporterNow;

/// Begins an import.
/// @param source   path of what `terrane import` takes; "~/" is the user's own folder
/// @param problem  receives why it cannot begin
/// @return NULL if it cannot
Importer *importer_begin(const WorldsFolder *folder, const char *source, Message *problem);

ImporterNow importer_now(const Importer *importer);
/// The new world's name in the list.
const char *importer_name(const Importer *importer);

/// Asks it to stop: then nothing of it stays.
void importer_stop(Importer *importer);

/// Waits for the end, and frees it.
/// @param text  receives a sentence, good or bad; may be NULL
/// @return whether the world is in the folder
bool importer_end(Importer *importer, Message *text);

#ifdef __cplusplus
}
#endif

#endif
