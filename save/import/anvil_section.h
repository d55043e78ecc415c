/// Private: what a column of Minecraft holds: its sections of 16 x 16 x 16 blocks.
///
/// A column is NBT. Until 1.17 its sections are Level/Sections, each with Palette and BlockStates;
/// from 1.18 on, sections, each with block_states/palette and block_states/data. The data has an
/// index into the palette for each block, x fastest, then z, then y, in as many bits as the
/// palette's last index takes, at least 4; Minecraft 1.13 to 1.17 takes the bits from the length of
/// the data. Before data version 2529 (1.16) an index may span two longs; from then on, the bits
/// that are left in a long are padding.
///
/// Before 1.13 blocks have numbers: Blocks has a byte for each, Add four bits more, if there are
/// any, and Data four bits of value. Until 1.1 (McRegion) a column has one such array, 128 blocks
/// high, y fastest, then z, then x.
///
/// What blocks contain is in a list of compounds: block_entities, or Level/TileEntities
/// before 1.18.
///
/// Minecraft's axes are Terrane's: x east, y up, z south.
#ifndef TERRANE_SAVE_IMPORT_ANVIL_SECTION_H
#define TERRANE_SAVE_IMPORT_ANVIL_SECTION_H

#include <stdbool.h>

#include "nbt.h"
#include "turns.h"

#define TRN_ANVIL_EDGE 16 ///< blocks along each side of a section
#define TRN_ANVIL_BLOCKS (TRN_ANVIL_EDGE * TRN_ANVIL_EDGE * TRN_ANVIL_EDGE)
/// The most entries of a palette. Entries that no block uses are allowed, and some may be the same.
#define TRN_ANVIL_PALETTE_MAX 65536
#define TRN_ANVIL_Y_MIN (-128) ///< the lowest section, in sections
#define TRN_ANVIL_Y_COUNT 256  ///< sections that a column can have
#define TRN_ANVIL_TALL 128     ///< blocks in the height of a column of McRegion

/// The sections that Minecraft itself has: those of 1.18 and later. Data packs change that.
#define TRN_ANVIL_USUAL_LOW (-4)
#define TRN_ANVIL_USUAL_HIGH 20 ///< excluded

/// The first data versions with names of blocks (1.13) and with padded longs (1.16).
#define TRN_ANVIL_VERSION_NAMES 1451
#define TRN_ANVIL_VERSION_PADDED 2529

/// How indices lie in longs.
typedef enum TrnAnvilPacking {
    TRN_ANVIL_SPANNING, ///< an index may span two longs
    TRN_ANVIL_PADDED,   ///< none does
    TRN_ANVIL_EITHER    ///< the length of the data says which
} TrnAnvilPacking;

/// Where a section's blocks are in its column's bytes.
typedef struct TrnAnvilSection {
    TrnNbt palette;            ///< at the first entry
    uint32_t palette_count;    ///< 0: there is no section, or only its light, or it is damaged
    bool is_damaged;           ///< there are blocks, but no palette that can be read
    uint32_t long_count;       ///< of the data; 0: there is none
    const unsigned char *data; ///< [long_count] big-endian
    // Before 1.13.
    const unsigned char *numbers; ///< [TRN_ANVIL_BLOCKS]; NULL: it has none
    const unsigned char *more;    ///< [TRN_ANVIL_BLOCKS / 2] the numbers' high bits; or NULL
    const unsigned char *values;  ///< [TRN_ANVIL_BLOCKS / 2]; or NULL
    bool is_tall;      ///< the arrays are of a whole column of McRegion, and 8 times as long
    uint32_t tall_low; ///< the section's lowest block in them
} TrnAnvilSection;

/// Whether a section has blocks, maybe damaged ones.
static inline bool trn_anvil_section_has_blocks(const TrnAnvilSection *section)
{
    return section->palette_count > 0 || section->numbers || section->is_damaged;
}

/// What a column has. Points into its bytes.
typedef struct TrnAnvilColumn {
    int64_t version;          ///< of the data; 0: it has none
    bool has_sections;        ///< a list of sections, maybe an empty one
    int32_t y_low, y_high;    ///< the lowest section, and one above the highest
    uint32_t outside_count;   ///< sections below or above what a column can have
    TrnNbt contents;          ///< at the list of block entities; `at` is NULL: there is none
    TrnNbtType contents_type; ///< of the value
    TrnAnvilSection sections[TRN_ANVIL_Y_COUNT]; ///< from TRN_ANVIL_Y_MIN up
} TrnAnvilColumn;

/// Finds the sections of a column. Any bytes are safe.
/// @param bytes   [size] decompressed; must outlive the column
/// @return false if they are not the NBT of a column
bool trn_anvil_column(const void *bytes, size_t size, TrnAnvilColumn *column);

/// The most properties of a block state that are read. Minecraft's blocks have up to seven.
#define TRN_ANVIL_PROPERTIES_MAX 16

/// A block state. Its texts are borrowed from the palette.
typedef struct TrnAnvilState {
    TrnNbtText name; ///< "minecraft:stone"
    TrnImportProperty properties[TRN_ANVIL_PROPERTIES_MAX];
    uint32_t property_count;
} TrnAnvilState;

/// Reads the next entry of a palette.
/// @param palette  a copy of TrnAnvilSection.palette
/// @return false if it is damaged
bool trn_anvil_palette_next(TrnNbt *palette, TrnAnvilState *state);

/// Returns how a column's indices lie in longs.
TrnAnvilPacking trn_anvil_packing(int64_t version);

/// Unpacks indices that may span two longs. @param longs  big-endian, at least as many as they take
/// @param bits  of an index, 1 to 16  @param indices  [count]  @return the highest
uint32_t trn_anvil_unpack_spanning(const unsigned char *longs, uint32_t bits, uint64_t count,
                                   uint16_t *indices);

/// Unpacks the palette index of every block of a section.
/// @param indices  [TRN_ANVIL_BLOCKS] receives them, x fastest, then z, then y
/// @return false if data and palette do not fit each other
bool trn_anvil_section_unpack(const TrnAnvilSection *section, TrnAnvilPacking packing,
                              uint16_t *indices);

#endif
