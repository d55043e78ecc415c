/// Private: the voxels of a chunk as rows of bits, 32 voxels to a word, so that culling and merging handle a row at a time.
#ifndef TERRANE_MESHER_ROWS_H
#define TERRANE_MESHER_ROWS_H

#include <terrane/block_types.h>
#include <terrane/coord.h>

/// What is drawn apart. Liquids have the transparent blocks among them: both hide their own kind alone.
typedef enum TrnRowLayer {
    TRN_ROW_LAYER_OPAQUE,
    TRN_ROW_LAYER_LIQUID,
    TRN_ROW_LAYER_COUNT ///< how many there are; stands for neither: air and plants
} TrnRowLayer;

#define TRN_ROW_ALL UINT32_MAX
#define TRN_ROWS_COUNT (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)

/// One row of voxels; the lowest is bit 0.
typedef struct TrnRow {
    uint32_t layers[TRN_ROW_LAYER_COUNT]; ///< which voxels belong to the layer
    uint32_t links; ///< bit c: voxels c and c + 1 hold the same block; bit 31 means nothing
} TrnRow;

/// All rows of a chunk along x (row z + 32 y) or along z (row x + 32 y).
typedef struct TrnRows {
    uint32_t layers[TRN_ROW_LAYER_COUNT][TRN_ROWS_COUNT];
    uint32_t links[TRN_ROWS_COUNT];
} TrnRows;

/// Tells blocks apart by kind, and remembers which liquids it met. Start from trn_row_reader().
typedef struct TrnRowReader {
    const TrnBlockType *types;
    uint32_t type_count;
    bool has_liquid, has_many_liquids;
    TrnBlock liquid; ///< the first one met, when has_liquid
} TrnRowReader;

static inline TrnRowReader trn_row_reader(const TrnBlockType *types, uint32_t type_count)
{
    TrnRowReader reader = {.types = types, .type_count = type_count};
    return reader;
}

/// The layer of a block; ids without a type are opaque, so that a world never has holes where a type is missing.
static inline TrnRowLayer trn_row_layer(const TrnRowReader *reader, TrnBlock block)
{
    static const uint8_t layers[TRN_BLOCK_KIND_COUNT] = {
        [TRN_BLOCK_KIND_AIR] = TRN_ROW_LAYER_COUNT,
        [TRN_BLOCK_KIND_OPAQUE] = TRN_ROW_LAYER_OPAQUE,
        [TRN_BLOCK_KIND_LIQUID] = TRN_ROW_LAYER_LIQUID,
        [TRN_BLOCK_KIND_TRANSPARENT] = TRN_ROW_LAYER_LIQUID,
        [TRN_BLOCK_KIND_PLANT] = TRN_ROW_LAYER_COUNT,
    };
    return block < reader->type_count ? (TrnRowLayer)layers[reader->types[block].kind]
                                      : TRN_ROW_LAYER_OPAQUE;
}

/// Bit c: a[c] equals b[c]. @param a,b  [32] blocks each
uint32_t trn_row_same(const TrnBlock *a, const TrnBlock *b);

/// @param blocks  [32] one row
TrnRow trn_row_read(TrnRowReader *reader, const TrnBlock *blocks);

/// Rows along x. @param blocks  [TRN_CHUNK_VOXELS] in linear order
void trn_rows_read(TrnRows *rows, TrnRowReader *reader, const TrnBlock *blocks);

/// Rows, along any axis, of a chunk that is all one block.
void trn_rows_fill(TrnRows *rows, TrnRowReader *reader, TrnBlock block);

/// Rows along z from rows along x of the same blocks.
void trn_rows_turn(TrnRows *turned, const TrnRows *rows, const TrnBlock *blocks);

#endif
