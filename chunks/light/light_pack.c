// Packed light: cells of one level, and cells of a level a voxel.

#include "light_pack_internal.h"

#include <string.h>

#include "voxels/voxel_read_internal.h"

#define PACK_CELLS_AXIS (TRN_CHUNK_EDGE / TRN_LIGHT_PACK_EDGE)
#define PACK_LEVELS 16 ///< entries of a table from here on name a cell that varies

/// Cells side by side along x: of each row of voxels the 32 bits of a chunk.
typedef struct PackRun {
    uint32_t any[TRN_LIGHT_LEVELS]; ///< by bit of the levels: some voxel below has it
    uint32_t all[TRN_LIGHT_LEVELS]; ///< all voxels that are not opaque have it
} PackRun;

/// The first row of a run of cells, of y and z.
typedef struct PackPlace {
    uint32_t y, z;
} PackPlace;

static uint32_t pack_row(const TrnLight *light, uint32_t bit, uint32_t y, uint32_t z)
{
    return (uint32_t)(light->planes[bit][(y + 1) * TRN_LIGHT_EDGE + z + 1] >> 1);
}

static PackRun pack_scan(const TrnLight *light, TrnMask opaque, PackPlace place)
{
    PackRun run = {{0}, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    for (uint32_t y = place.y; y < place.y + TRN_LIGHT_PACK_EDGE; y++) {
        for (uint32_t z = place.z; z < place.z + TRN_LIGHT_PACK_EDGE; z++) {
            const uint32_t clear = ~trn_mask_row(opaque, y * TRN_CHUNK_EDGE + z);
            for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
                const uint32_t row = pack_row(light, bit, y, z);
                run.any[bit] |= row & clear;
                run.all[bit] &= row | ~clear;
            }
        }
    }
    return run;
}

/// The level that all voxels of a cell have, or PACK_LEVELS.
static uint32_t pack_level(const PackRun *run, uint32_t cell)
{
    const uint32_t mask = (1u << TRN_LIGHT_PACK_EDGE) - 1, shift = cell * TRN_LIGHT_PACK_EDGE;
    uint32_t level = 0;
    for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
        const bool has_any = run->any[bit] >> shift & mask;
        const bool has_all = (run->all[bit] >> shift & mask) == mask;
        if (has_any && !has_all) {
            return PACK_LEVELS;
        }
        level |= has_any ? 1u << bit : 0;
    }
    return level;
}

/// Writes the levels of a cell, two a byte: x fastest, then z, then y.
static void pack_cell(const TrnLight *light, PackPlace place, uint32_t x, unsigned char *out)
{
    for (uint32_t y = place.y; y < place.y + TRN_LIGHT_PACK_EDGE; y++) {
        for (uint32_t z = place.z; z < place.z + TRN_LIGHT_PACK_EDGE; z++) {
            uint32_t rows[TRN_LIGHT_LEVELS];
            for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
                rows[bit] = pack_row(light, bit, y, z) >> x;
            }
            for (uint32_t i = 0; i < TRN_LIGHT_PACK_EDGE; i += 2) {
                uint32_t levels = 0;
                for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
                    levels |= (rows[bit] >> i & 1) << bit | (rows[bit] >> (i + 1) & 1) << (bit + 4);
                }
                *out++ = (unsigned char)levels;
            }
        }
    }
}

/// Packs a channel that varies. @return its bytes; 0 if all voxels that are not opaque have
/// `*level`
static size_t pack_channel(const TrnLight *light, TrnMask opaque, unsigned char *out,
                           uint8_t *level)
{
    uint16_t table[TRN_LIGHT_PACK_CELLS];
    uint32_t varying = 0;
    bool is_constant = true;
    for (uint32_t cell = 0; cell < TRN_LIGHT_PACK_CELLS; cell += PACK_CELLS_AXIS) {
        const PackPlace place = {cell / (PACK_CELLS_AXIS * PACK_CELLS_AXIS) * TRN_LIGHT_PACK_EDGE,
                                 cell / PACK_CELLS_AXIS % PACK_CELLS_AXIS * TRN_LIGHT_PACK_EDGE};
        const PackRun run = pack_scan(light, opaque, place);
        for (uint32_t i = 0; i < PACK_CELLS_AXIS; i++) {
            uint32_t entry = pack_level(&run, i);
            if (entry == PACK_LEVELS) {
                pack_cell(light, place, i * TRN_LIGHT_PACK_EDGE,
                          out + sizeof table + (size_t)varying * TRN_LIGHT_PACK_CELL_BYTES);
                entry = PACK_LEVELS + varying++;
            }
            table[cell + i] = (uint16_t)entry;
            is_constant &= entry == table[0] && entry < PACK_LEVELS;
        }
    }
    *level = is_constant ? (uint8_t)table[0] : TRN_LIGHT_VARIES;
    memcpy(out, table, sizeof table);
    return is_constant ? 0 : sizeof table + (size_t)varying * TRN_LIGHT_PACK_CELL_BYTES;
}

TrnLightPack trn_light_pack(const TrnLight *sky, const TrnLight *blocks, TrnSnapshot voxels,
                            const TrnBlockTypes *types, void *cells)
{
    const TrnLight *const channels[2] = {sky, blocks};
    TrnLightPack pack = {.cells = NULL};
    const TrnMask opaque = trn_snapshot_opaque_mask(voxels, trn_block_types_opaque_bits(types));
    const bool is_blocked =
        trn_snapshot_is_uniform(voxels) &&
        trn_block_types_get(types, trn_snapshot_uniform(voxels))->kind == TRN_BLOCK_KIND_OPAQUE;
    size_t bytes = 0;
    for (uint32_t i = 0; i < 2 && !is_blocked; i++) {
        pack.constant[i] = channels[i]->constant;
        if (channels[i]->constant == TRN_LIGHT_VARIES) {
            bytes += pack_channel(channels[i], opaque, (unsigned char *)cells + bytes,
                                  &pack.constant[i]);
        }
    }
    pack.bytes = (uint16_t)bytes;
    return pack;
}

uint32_t trn_light_pack_get(const TrnLightPack *pack, uint32_t channel, uint32_t index)
{
    const unsigned char *at = pack->cells;
    uint16_t entry = pack->constant[channel];
    if (entry != TRN_LIGHT_VARIES) {
        return entry;
    }
    const uint32_t x = index % TRN_CHUNK_EDGE, z = index / TRN_CHUNK_EDGE % TRN_CHUNK_EDGE;
    const uint32_t y = index / (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE), edge = TRN_LIGHT_PACK_EDGE;
    const uint32_t cell = (y / edge * PACK_CELLS_AXIS + z / edge) * PACK_CELLS_AXIS + x / edge;
    if (channel == 1 && pack->constant[0] == TRN_LIGHT_VARIES) { // behind the sky's
        uint32_t varying = 0;
        for (uint32_t i = 0; i < TRN_LIGHT_PACK_CELLS; i++) {
            memcpy(&entry, at + i * sizeof entry, sizeof entry);
            varying += entry >= PACK_LEVELS;
        }
        at += TRN_LIGHT_PACK_CELLS * sizeof entry + (size_t)varying * TRN_LIGHT_PACK_CELL_BYTES;
    }
    memcpy(&entry, at + cell * sizeof entry, sizeof entry);
    if (entry < PACK_LEVELS) {
        return entry;
    }
    const uint32_t local = (y % edge * edge + z % edge) * edge + x % edge;
    at += TRN_LIGHT_PACK_CELLS * sizeof entry +
          (size_t)(entry - PACK_LEVELS) * TRN_LIGHT_PACK_CELL_BYTES;
    return at[local / 2] >> local % 2 * 4 & 15;
}
