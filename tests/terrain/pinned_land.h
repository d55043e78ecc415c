/// Hashes of boxes of chunks, which terrain_versions checks here and tests/web/test_land.py in the
/// page, so that the same address is the same land in both. The script reads these lines: one row a
/// line.
#pragma once

#include <terrane/coord.h>

typedef struct PinnedLand {
    const char *preset;
    uint32_t version;
    uint64_t seed;
    TrnCoord middle; ///< the box reaches 2 chunks to the sides, and 1 up and down
    uint64_t hash;   ///< by hash_blocks, x fastest, then z, then y
} PinnedLand;

static const PinnedLand pinned_land[] = {
    {"islands", 4, 42, {3, 1, -2}, 0xC53CF562A4A6DD90u},
    {"alps", 4, 7, {-31, 3, 16}, 0xCF1398A8833DFC6Eu},
    {"islands", 5, 42, {3, 0, -2}, 0x1D6315538B748CD8u},
    {"alps", 5, 7, {-31, 1, 16}, 0xD0AAF5C0C7CFFC45u},
};
