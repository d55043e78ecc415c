/// Private: blocks of Minecraft before 1.13, which have numbers and values instead of names: which
/// block state each is (assets/imports/minecraft_numbers.txt).
#ifndef TERRANE_SAVE_IMPORT_ANVIL_NUMBERS_H
#define TERRANE_SAVE_IMPORT_ANVIL_NUMBERS_H

#include "anvil_files.h"
#include "anvil_section.h"

#define TRN_ANVIL_NUMBERS 256 ///< that the table can have; mods have more
#define TRN_ANVIL_NUMBER_NAME_MAX 64

/// A block as its section stores it: its number, its value, and the value of the other half of a
/// door or a tall plant. Each block that looks the same has the same.
typedef uint32_t TrnAnvilNumber;

/// A number of a mod's, as the world's level.dat has it.
typedef struct TrnAnvilMod {
    uint32_t number;
    TrnNbtText name; ///< borrowed from the level's bytes
} TrnAnvilMod;

TRN_ARRAY_DECLARE(TrnAnvilMods, TrnAnvilMod);

/// The table. All zeroes before trn_anvil_numbers_open.
typedef struct TrnAnvilNumbers {
    uint32_t lines[TRN_ANVIL_NUMBERS]; ///< where a number's first line is, plus one; 0: it has none
    bool has_halves[TRN_ANVIL_NUMBERS]; ///< doors and tall plants
    TrnBytes level;                     ///< decompressed level.dat
    TrnAnvilMods mods;                  ///< by number
} TrnAnvilNumbers;

/// Reads the table, and what the world's level.dat says of mods.
/// @param level  moved into the table; may be empty
/// Errors: NO_MEMORY. Free it then, too.
TrnResult trn_anvil_numbers_open(TrnAnvilNumbers *numbers, TrnBytes *level,
                                 const TrnAllocator *allocator);
void trn_anvil_numbers_free(TrnAnvilNumbers *numbers, const TrnAllocator *allocator);

/// Reads the blocks of a section that has numbers.
/// @param around  the sections below and above it, for halves; or NULL
/// @param out     [TRN_ANVIL_BLOCKS] receives them, x fastest, then z, then y
void trn_anvil_numbers_unpack(const TrnAnvilNumbers *numbers, const TrnAnvilSection *section,
                              const TrnAnvilSection *const around[2], TrnAnvilNumber *out);

/// Adds the value of its other half to a block that has halves.
/// @param below,above  the blocks there; 0: none
TrnAnvilNumber trn_anvil_numbers_join(const TrnAnvilNumbers *numbers, TrnAnvilNumber block,
                                      TrnAnvilNumber below, TrnAnvilNumber above);

/// Writes what a block is as a block state of 1.13. A number that neither the table nor a mod has
/// is called "minecraft:" and the number.
/// @param name   [TRN_ANVIL_NUMBER_NAME_MAX] for the name, if it is put together
/// @param state  borrows from the table and from `name`
void trn_anvil_numbers_state(const TrnAnvilNumbers *numbers, TrnAnvilNumber number, char *name,
                             TrnAnvilState *state);

#endif
