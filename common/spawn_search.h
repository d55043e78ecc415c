/// Where players can begin in a world without terrain: on solid ground under open sky.
///
///     SpawnSearch search = {0};
///     spawn_search_add(&search, coord);   // for each chunk of the world
///     if (spawn_search_run(&search, &source, types, wished, is_told, &spawn)) ...
///     spawn_search_free(&search);
#pragma once

#include <terrane/block_types.h>
#include <terrane/storage.h>
#include <terrane/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Chunks above each other.
typedef struct SpawnRun {
    TrnCoord coord; ///< the lowest
    uint32_t count;
} SpawnRun;

/// The chunks of a world. Begins as zeroes.
typedef struct SpawnSearch {
    SpawnRun *runs; ///< [count]
    size_t count, capacity;
} SpawnSearch;

/// Adds a chunk. @return false if there is no memory
bool spawn_search_add(SpawnSearch *search, TrnCoord coord);

/// Finds the place to stand that is nearest to a wished one.
/// @param source   of the chunks; loads, on this thread
/// @param wished   the voxel of the feet
/// @param is_told  the wished place itself is taken if there is ground below it
/// @param found    receives the voxel of the feet. If there is no solid ground, it is above water
/// or
///                 whatever there is
/// @return false if the chunks have nothing but air
/// Cost: loads the towers of chunks around the place until it is known to be the nearest.
bool spawn_search_run(SpawnSearch *search, const TrnStreamSource *source,
                      const TrnBlockTypes *types, TrnVoxel wished, bool is_told, TrnVoxel *found);

void spawn_search_free(SpawnSearch *search);

/// Finds the place to stand in a saved world that is nearest to a wished one, which is taken itself
/// if there is ground below it. Lists chunks only if there is none.
/// @param source  of the save of the storage
/// @return false if the world has nothing but air, or cannot be read
bool spawn_search_world(const TrnStorage *storage, const TrnStreamSource *source,
                        const TrnBlockTypes *types, TrnVoxel wished, TrnVoxel *found);

/// Returns the direction from a place to the middle of the chunks around it, in degrees: 0 along
/// -z, 90 along x. At the edge of a saved world, the other half of the view is void. 0 if the world
/// has no chunks there or cannot be read. Cost: lists the chunks of 17 x 17 columns.
double spawn_search_yaw(const TrnStorage *storage, TrnVoxel at);

#ifdef __cplusplus
}
#endif
