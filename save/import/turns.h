/// Private: which variant of a family of block types (terrane/block_types.h) is meant by the
/// properties of a block state of Minecraft, or by param2 of a node of Luanti.
#ifndef TERRANE_SAVE_IMPORT_TURNS_H
#define TERRANE_SAVE_IMPORT_TURNS_H

#include <stddef.h>
#include <stdint.h>

/// A property of a block state, such as facing=east. Borrowed; no zero at the ends.
typedef struct TrnImportProperty {
    const char *key, *value;
    size_t key_size, value_size;
} TrnImportProperty;

/// What param2 of a node says. The words are those of the table of names.
typedef enum TrnImportTurn {
    TRN_IMPORT_TURN_NONE,        ///< nothing that Terrane has
    TRN_IMPORT_TURN_FACEDIR,     ///< "facedir": one of 24 rotations
    TRN_IMPORT_TURN_WALLMOUNTED, ///< "wallmounted": the side at which it is
    TRN_IMPORT_TURN_FLOWING      ///< "flowing": the level of a liquid
} TrnImportTurn;

/// No variant is like it.
#define TRN_IMPORT_VARIANT_NONE UINT32_MAX

/// Finds the variant for a block state: by facing, half, type, open and hinge, or by level.
/// @param members     of the family: 4 turns, 8 turns or 9 levels; otherwise 0 is returned
/// @param properties  [count]; others do not count
uint32_t trn_import_state_variant(uint32_t members, const TrnImportProperty *properties,
                                  uint32_t count);

/// Finds the variant for a node. @return TRN_IMPORT_VARIANT_NONE: no variant is like it
uint32_t trn_import_param2_variant(uint32_t members, TrnImportTurn turn, uint8_t param2);

#endif
