/// Private: the table of names backwards: under which name of another game a block goes out.
///
/// A name counts only if reading it gives the block again. Lines without a `*` are tried in their
/// order, then the block's own name in the other game ("minecraft:oak_stairs" for
/// "terrane:oak_stairs"), each with the properties or the param2 that a block of its kind has
/// there.
#ifndef TERRANE_SAVE_IMPORT_BACK_H
#define TERRANE_SAVE_IMPORT_BACK_H

#include "anvil_numbers.h"
#include "names.h"

/// What a block is in the other game.
typedef struct TrnBackName {
    TrnAnvilState state;                                ///< use trn_back_state
    char own[TRN_BLOCK_NAME_MAX + sizeof "minecraft:"]; ///< the name, unless the state has one
    uint8_t param2;                                     ///< Luanti
    uint32_t numbers;                                   ///< before Minecraft 1.13: of the caller
    bool is_known; ///< the other game has it; otherwise the name is a stand-in's, or Terrane's own
    bool is_door;  ///< two high: where it stands on itself, it is the upper half
} TrnBackName;

TRN_ARRAY_DECLARE(TrnBackLines, const TrnImportName *);

typedef struct TrnBack {
    TrnAllocator allocator;
    TrnImportNames names;
    TrnBackLines lines; ///< in their order
    bool is_luanti;
} TrnBack;

/// Opens the table of Minecraft, or that of Luanti.
/// @param types  only read; borrowed
/// @param given  the caller's table; without a text the built-in one
/// Errors: as trn_import_names_open.
TrnResult trn_back_open(TrnBack *back, const TrnAllocator *allocator, const TrnBlockTypes *types,
                        bool is_luanti, TrnImportTable given, TrnStorageProblem *problem);
void trn_back_free(TrnBack *back);

/// Finds what goes out for a block that has no name. @return NULL if the table has nothing
const TrnImportStandIn *trn_back_stand_in(const TrnBack *back, TrnBlock block);

/// Finds the name of a block. Errors: NO_MEMORY.
TrnResult trn_back_find(TrnBack *back, TrnBlock block, TrnBackName *name);

/// Returns the block state. Borrows from the name. @param is_upper  of a door
TrnAnvilState trn_back_state(const TrnBackName *name, bool is_upper);

/// Returns the first block of a family that looks the same, such as a slab turned otherwise.
TrnBlock trn_back_look(const TrnBlockTypes *types, TrnBlock block);

#endif
