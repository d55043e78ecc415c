/// Which chunks of level 0 of a world are saved, by chunk and by chunk column.
///
/// Threads: one at a time; saved_chunks_has and saved_chunks_has_column any number, while no other
/// function runs.
#pragma once

#include <stdbool.h>

#include <terrane/chunk_index.h>
#include <terrane/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

/// All zeroes: no chunks, and none can be added.
typedef struct SavedChunks {
    TrnChunkIndex *chunks;
    TrnChunkIndex *columns; ///< at y = 0
} SavedChunks;

/// Errors: NO_MEMORY; saved_chunks_destroy frees what was created.
TrnResult saved_chunks_create(SavedChunks *saved);
void saved_chunks_destroy(SavedChunks *saved);

/// Adds a chunk, if it is not there yet. Errors: NO_MEMORY, FULL. Cost: O(1).
TrnResult saved_chunks_add(SavedChunks *saved, TrnCoord coord);

/// Adds the chunks of a storage in a box.
/// @param box      chunk coordinates, both corners inclusive
/// @param goes_on  asked after each chunk; false stops, and the result is OK. NULL: never stops
/// Errors: those of the storage, NO_MEMORY, FULL. Cost: reads the rows of the box.
TrnResult saved_chunks_list(SavedChunks *saved, const TrnStorage *storage, TrnBox box,
                            bool (*goes_on)(void));

bool saved_chunks_has(const SavedChunks *saved, TrnCoord coord);

/// Whether any chunk of a chunk column is saved.
bool saved_chunks_has_column(const SavedChunks *saved, int32_t chunk_x, int32_t chunk_z);

#ifdef __cplusplus
}
#endif
