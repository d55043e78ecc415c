/// Terrane's core: what a game needs to store, find, gather, edit, stream and mesh a voxel world.
/// docs/api.md lists these functions, and says what the tiers promise.
///
/// Each of the headers below has functions of the tier stable, too. What they do not have, such as
/// terrain, light, undo, bodies and the chunk index, has a header of its own.
///
/// Tier: core.
#ifndef TERRANE_TERRANE_H
#define TERRANE_TERRANE_H

#include <terrane/base.h>
#include <terrane/batch.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/stream.h>

#endif
