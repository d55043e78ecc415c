/// Private: the noises of columns' lattices at level 0, by column. The lattices of adjacent columns
/// overlap by four points along an edge, so a column whose neighbours are kept evaluates its noises
/// on a part of its lattice only. Points have the same noise in every lattice, so the land does not
/// depend on what is kept.
#ifndef TERRANE_TERRAIN_SQUARE_CACHE_H
#define TERRANE_TERRAIN_SQUARE_CACHE_H

#include "terrain/land_impl.h"

/// Creates terrain->squares, of an eighth as many squares as columns, 7.5 KiB each; at least one.
/// Errors: NO_MEMORY.
TrnResult trn_square_cache_create(TrnTerrain *terrain, uint32_t column_max);

void trn_square_cache_destroy(TrnTerrain *terrain);

/// Copies the noises that adjacent columns' squares have into a column's lattice.
/// @param coord    of the column
/// @param lattice  of TRN_LAND_SQUARE_POINTS
/// @return the points that are missing
/// Threads: any; without a lock.
TrnLandPatch trn_squares_read(const TrnTerrain *terrain, TrnCoord coord,
                              const TrnLandLattice *lattice);

/// Keeps the noises of a column's lattice in place of another column's, unless a thread reads
/// those. Threads: any; without a lock.
void trn_squares_write(const TrnTerrain *terrain, TrnCoord coord, const TrnLandLattice *lattice);

/// How many squares were read so far, for tests.
uint64_t trn_squares_hits(const TrnTerrain *terrain);

#endif
