/// Private: which chunks a level of detail has.
#ifndef TERRANE_TERRAIN_GENERATOR_IMPL_H
#define TERRANE_TERRAIN_GENERATOR_IMPL_H

#include <terrane/generator.h>

/// Whether a level has a chunk, by the ranges that TrnGenerateFn states. False for levels above
/// TRN_GENERATOR_LEVEL_MAX.
bool trn_generator_in_world(TrnCoord coord, uint32_t level);

#endif
