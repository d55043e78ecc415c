#include "rows.h"

#include <string.h>

/// Voxels in a word of 64 bits, and words in a row.
enum { ROW_LANES = 4, ROW_WORDS = TRN_CHUNK_EDGE / ROW_LANES };

/// Four blocks in one word, the first in the lowest bits whatever the byte order; compiles to one load.
static inline uint64_t row_lanes(const TrnBlock *blocks)
{
    return (uint64_t)blocks[0] | (uint64_t)blocks[1] << 16 | (uint64_t)blocks[2] << 32 |
           (uint64_t)blocks[3] << 48;
}

/// Bit i: lane i of `lanes` is zero.
static inline uint32_t row_zero_lanes(uint64_t lanes)
{
    const uint64_t low_bits = 0x7FFF7FFF7FFF7FFFu;
    // Adding carries into a lane's top bit where any lower bit is set, and never beyond the lane.
    uint64_t zero = ~(((lanes & low_bits) + low_bits) | lanes | low_bits);
    // Multiplying moves the four top bits, 16 apart, beside each other.
    return (uint32_t)((zero >> 15) * 0x0001000200040008u >> 48) & 15u;
}

// Comparing in 64-bit words keeps one path for all machines. SSE2 compares instead took a chunk of
// hills from 22.9 to 18.5 us; not worth a second path while the mesher that works in lanes is to
// replace this one.
uint32_t trn_row_same(const TrnBlock *a, const TrnBlock *b)
{
    uint32_t same = 0;
    for (size_t i = 0; i < ROW_WORDS; i++) {
        uint64_t differing = row_lanes(a + i * ROW_LANES) ^ row_lanes(b + i * ROW_LANES);
        same |= row_zero_lanes(differing) << (i * ROW_LANES);
    }
    return same;
}

/// Bit c: blocks[c] equals blocks[c + 1]; bit 31 is set.
static uint32_t row_links(const TrnBlock *blocks)
{
    uint64_t lanes[ROW_WORDS];
    uint64_t differing = 0; // from the row's first block
    uint64_t first = blocks[0] * 0x0001000100010001u;
    for (size_t i = 0; i < ROW_WORDS; i++) {
        lanes[i] = row_lanes(blocks + i * ROW_LANES);
        differing |= lanes[i] ^ first;
    }
    if (differing == 0) { // most rows of a landscape are all air or all stone
        return TRN_ROW_ALL;
    }
    uint32_t links = 0;
    for (size_t i = 0; i < ROW_WORDS; i++) {
        uint64_t next = i + 1 < ROW_WORDS ? lanes[i + 1] : lanes[i] >> 48;
        uint64_t shifted = lanes[i] >> 16 | next << 48;
        links |= row_zero_lanes(lanes[i] ^ shifted) << (i * ROW_LANES);
    }
    return links;
}

/// The layer of a block; takes note of liquids.
static inline TrnRowLayer row_layer(TrnRowReader *reader, TrnBlock block)
{
    TrnRowLayer layer = trn_row_layer(reader, block);
    if (layer != TRN_ROW_LAYER_LIQUID) {
        return layer;
    }
    if (!reader->has_liquid) {
        reader->has_liquid = true;
        reader->liquid = block;
    }
    reader->has_many_liquids |= block != reader->liquid;
    return layer;
}

TrnRow trn_row_read(TrnRowReader *reader, const TrnBlock *blocks)
{
    // One more than there are layers: the last takes air and plants.
    uint32_t layers[TRN_ROW_LAYER_COUNT + 1] = {0};
    uint32_t links = row_links(blocks);
    // A type is looked up once per run of equal blocks, not once per voxel.
    uint32_t rest = TRN_ROW_ALL;
    uint32_t starts = ~(links << 1);
    while (starts) {
        uint32_t start = (uint32_t)__builtin_ctz(starts);
        starts &= starts - 1;
        // The run's bits are those of `rest` below the next start.
        uint32_t run = rest & ((starts & (0u - starts)) - 1u);
        layers[row_layer(reader, blocks[start])] |= run;
        rest &= ~run;
    }
    TrnRow row = {{layers[TRN_ROW_LAYER_OPAQUE], layers[TRN_ROW_LAYER_LIQUID]}, links};
    return row;
}

void trn_rows_read(TrnRows *rows, TrnRowReader *reader, const TrnBlock *blocks)
{
    for (uint32_t i = 0; i < TRN_ROWS_COUNT; i++) {
        TrnRow row = trn_row_read(reader, blocks + (size_t)i * TRN_CHUNK_EDGE);
        rows->layers[TRN_ROW_LAYER_OPAQUE][i] = row.layers[TRN_ROW_LAYER_OPAQUE];
        rows->layers[TRN_ROW_LAYER_LIQUID][i] = row.layers[TRN_ROW_LAYER_LIQUID];
        rows->links[i] = row.links;
    }
}

void trn_rows_fill(TrnRows *rows, TrnRowReader *reader, TrnBlock block)
{
    memset(rows->layers, 0, sizeof(rows->layers));
    memset(rows->links, 0xFF, sizeof(rows->links));
    TrnRowLayer layer = row_layer(reader, block);
    if (layer != TRN_ROW_LAYER_COUNT) {
        memset(rows->layers[layer], 0xFF, sizeof(rows->layers[layer]));
    }
}

/// Mirrors 32 words of 32 bits at the diagonal: bit i of out[j] is bit j of in[i].
/// Source: H. S. Warren, "Hacker's Delight", 2nd edition, 7-3: swap the off-diagonal quarters, then those of the quarters.
static void row_transpose(uint32_t out[TRN_CHUNK_EDGE], const uint32_t in[TRN_CHUNK_EDGE])
{
    uint32_t ones = TRN_ROW_ALL;
    uint32_t zeroes = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_EDGE; i++) {
        out[i] = in[i];
        ones &= in[i];
        zeroes |= in[i];
    }
    if (zeroes == 0 || ones == TRN_ROW_ALL) { // sky and deep rock are their own mirror image
        return;
    }
    uint32_t low = 0x0000FFFFu;
    for (uint32_t half = 16; half; half >>= 1, low ^= low << half) {
        for (uint32_t pair = 0; pair < TRN_CHUNK_EDGE; pair += 2 * half) {
            for (uint32_t i = pair; i < pair + half; i++) {
                uint32_t swap = ((out[i] >> half) ^ out[i + half]) & low;
                out[i] ^= swap << half;
                out[i + half] ^= swap;
            }
        }
    }
}

/// Bit c of same[z]: the voxels c of rows z and z + 1 of a layer hold the same block; same[31] means nothing.
static void row_steps(uint32_t same[TRN_CHUNK_EDGE], const uint32_t *links, const TrnBlock *blocks)
{
    const uint32_t last = 1u << (TRN_CHUNK_EDGE - 1);
    same[TRN_CHUNK_EDGE - 1] = TRN_ROW_ALL;
    for (uint32_t z = 0; z + 1 < TRN_CHUNK_EDGE; z++) {
        const TrnBlock *row = blocks + (size_t)z * TRN_CHUNK_EDGE;
        const TrnBlock *next = row + TRN_CHUNK_EDGE;
        bool both_uniform = ((links[z] & links[z + 1]) | last) == TRN_ROW_ALL;
        if (both_uniform) {
            same[z] = row[0] == next[0] ? TRN_ROW_ALL : 0;
        } else {
            same[z] = trn_row_same(row, next);
        }
    }
}

void trn_rows_turn(TrnRows *turned, const TrnRows *rows, const TrnBlock *blocks)
{
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        size_t plane = (size_t)y * TRN_CHUNK_EDGE;
        for (uint32_t layer = 0; layer < TRN_ROW_LAYER_COUNT; layer++) {
            row_transpose(turned->layers[layer] + plane, rows->layers[layer] + plane);
        }
        uint32_t same[TRN_CHUNK_EDGE];
        row_steps(same, rows->links + plane, blocks + plane * TRN_CHUNK_EDGE);
        row_transpose(turned->links + plane, same);
    }
}
