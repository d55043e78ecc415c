#include "mesh_worlds.h"

#include <math.h>
#include <stdbool.h>

// ---- noise -------------------------------------------------------------------------------------

/// Hashes coordinates with MurmurHash3's finaliser. Source: A. Appleby, MurmurHash3, 2011.
static uint32_t mesh_lattice_hash(int x, int y, int z, uint32_t seed)
{
    uint32_t hash = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u ^
                    (uint32_t)z * 0xC2B2AE3Du ^ seed * 0x27D4EB2Fu;
    hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
    return hash ^ hash >> 16;
}

/// The contribution of a lattice point to a sample at offset (x, y, z): its gradient is one of
/// twelve directions, to the middles of a cube's edges.
static float mesh_slope(uint32_t hash, float x, float y, float z)
{
    const uint32_t choice = hash & 15;
    const float a = choice < 8 ? x : y;
    const float b = choice < 4 ? y : choice == 12 || choice == 14 ? x : z;
    return (choice & 1 ? -a : a) + (choice & 2 ? -b : b);
}

static float mesh_ease(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static float mesh_blend(float from, float to, float weight)
{
    return from + (to - from) * weight;
}

/// Gradient noise, about -1..1. Source: K. Perlin, "Improving Noise", 2002.
static float mesh_noise_at(float x, float y, float z, uint32_t seed)
{
    const float floors[3] = {floorf(x), floorf(y), floorf(z)};
    const int cell[3] = {(int)floors[0], (int)floors[1], (int)floors[2]};
    x -= floors[0];
    y -= floors[1];
    z -= floors[2];
    float corners[8];
    for (int i = 0; i < 8; i++) {
        const int dx = i & 1, dy = i >> 1 & 1, dz = i >> 2;
        corners[i] = mesh_slope(mesh_lattice_hash(cell[0] + dx, cell[1] + dy, cell[2] + dz, seed),
                                x - (float)dx, y - (float)dy, z - (float)dz);
    }
    const float u = mesh_ease(x), v = mesh_ease(y);
    const float near =
        mesh_blend(mesh_blend(corners[0], corners[1], u), mesh_blend(corners[2], corners[3], u), v);
    const float far =
        mesh_blend(mesh_blend(corners[4], corners[5], u), mesh_blend(corners[6], corners[7], u), v);
    return mesh_blend(near, far, mesh_ease(z));
}

/// A sum of octaves of noise, each with twice the frequency and half the weight of the previous
/// one.
static float mesh_octaves_at(float x, float y, float z, int octaves, uint32_t seed)
{
    float sum = 0, weight = 1, weights = 0;
    for (int i = 0; i < octaves; i++) {
        sum += weight * mesh_noise_at(x, y, z, seed + (uint32_t)i);
        weights += weight;
        weight *= 0.5F;
        x *= 2;
        y *= 2;
        z *= 2;
    }
    return sum / weights;
}

// ---- the worlds --------------------------------------------------------------------------------

static int mesh_hill_height(int x, int z)
{
    return (int)floorf(16 +
                       26 * mesh_octaves_at((float)x / 96.0F, 0.37F, (float)z / 96.0F, 5, 1234));
}

static TrnBlock mesh_hill_block(int x, int y, int z, int height)
{
    const int shore = 10;
    if (y > height) {
        return TRN_BLOCK_AIR;
    }
    if (height <= shore) {
        return y > height - 4 ? TRN_BLOCK_SAND : TRN_BLOCK_STONE;
    }
    if (y > height - 4) {
        return y == height ? TRN_BLOCK_GRASS : TRN_BLOCK_DIRT;
    }
    const float ore = mesh_noise_at((float)x / 7.0F, (float)y / 7.0F, (float)z / 7.0F, 77);
    return ore > 0.45F ? TRN_BLOCK_COAL_ORE : TRN_BLOCK_STONE;
}

static bool mesh_is_hole(int x, int y, int z)
{
    return mesh_octaves_at((float)x / 20.0F, (float)y / 20.0F, (float)z / 20.0F, 2, 7) < -0.28F;
}

static TrnBlock mesh_cave_block(int x, int y, int z)
{
    if (mesh_octaves_at((float)x / 24.0F, (float)y / 24.0F, (float)z / 24.0F, 3, 42) <= -0.02F) {
        return TRN_BLOCK_AIR;
    }
    const float kind = mesh_noise_at((float)x / 12.0F, (float)y / 12.0F, (float)z / 12.0F, 99);
    return kind > 0.35F    ? TRN_BLOCK_COAL_ORE
           : kind < -0.35F ? TRN_BLOCK_GRAVEL
           : kind < -0.15F ? TRN_BLOCK_DIRT
                           : TRN_BLOCK_STONE;
}

static TrnBlock mesh_flat_block(int y)
{
    return y > 15    ? TRN_BLOCK_AIR
           : y == 15 ? TRN_BLOCK_GRASS
           : y > 11  ? TRN_BLOCK_DIRT
                     : TRN_BLOCK_STONE;
}

static TrnBlock mesh_random_block(int x, int y, int z)
{
    static const TrnBlock kinds[4] = {TRN_BLOCK_GRASS, TRN_BLOCK_DIRT, TRN_BLOCK_STONE,
                                      TRN_BLOCK_SAND};
    const uint32_t hash = mesh_lattice_hash(x, y, z, 3);
    return hash & 1 ? kinds[hash >> 1 & 3] : TRN_BLOCK_AIR;
}

/// @param height  of the hills at this column; unused in other worlds
static TrnBlock mesh_world_block(MeshWorld world, int x, int y, int z, int height)
{
    TrnBlock block;
    switch (world) {
    case MESH_WORLD_HILLS:
        return mesh_hill_block(x, y, z, height);
    case MESH_WORLD_HILLS_CAVES:
        block = mesh_hill_block(x, y, z, height);
        return block && mesh_is_hole(x, y, z) ? TRN_BLOCK_AIR : block;
    case MESH_WORLD_CAVES:
        return mesh_cave_block(x, y, z);
    case MESH_WORLD_FLAT:
        return mesh_flat_block(y);
    case MESH_WORLD_CHECKERBOARD:
        return (x + y + z) & 1 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
    default:
        return mesh_random_block(x, y, z);
    }
}

const char *mesh_world_name(MeshWorld world)
{
    static const char *const names[MESH_WORLD_COUNT] = {"hills", "hills with caves", "caves",
                                                        "flat",  "checkerboard",     "random"};
    return names[world];
}

void mesh_world_blocks(MeshWorld world, TrnVoxel first, int edge, TrnBlock *blocks)
{
    const bool has_hills = world == MESH_WORLD_HILLS || world == MESH_WORLD_HILLS_CAVES;
    for (int j = 0; j < edge; j++) {
        for (int i = 0; i < edge; i++) {
            const int x = (int)first.x + i, z = (int)first.z + j;
            const int height = has_hills ? mesh_hill_height(x, z) : 0;
            for (int k = 0; k < edge; k++) {
                const size_t place =
                    ((size_t)k * (size_t)edge + (size_t)j) * (size_t)edge + (size_t)i;
                blocks[place] = mesh_world_block(world, x, (int)first.y + k, z, height);
            }
        }
    }
}
