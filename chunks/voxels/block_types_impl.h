/// Private: the struct of a registry, its table, and the words of the text format.
#ifndef TERRANE_VOXELS_BLOCK_TYPES_IMPL_H
#define TERRANE_VOXELS_BLOCK_TYPES_IMPL_H

#include <stdalign.h>
#include <string.h>

#include <terrane/block_types.h>

#include "base/memory.h"

#define TRN_BLOCK_NAME_BYTES (TRN_BLOCK_NAME_MAX + 1)
#define TRN_BLOCK_NONE UINT32_MAX ///< no id

// ---- kinds, names and tables: block_type_table.c ------------------------------------------------

/// What follows from a kind.
typedef struct TrnBlockKindTraits {
    const char *word; ///< in texts
    bool is_solid;    ///< solid unless the type says otherwise
    bool is_opaque;
    bool is_liquid;
    uint8_t dims; ///< unless the type says otherwise
} TrnBlockKindTraits;

extern const TrnBlockKindTraits trn_block_kinds[TRN_BLOCK_KIND_COUNT];

/// Types by id and by name. All arrays are in one piece of memory.
typedef struct TrnBlockTypeTable {
    TrnBlockType *types; ///< [capacity] the start of the memory; their names point into `names`
    char (*names)[TRN_BLOCK_NAME_BYTES]; ///< [capacity]
    uint32_t *slots; ///< [2 * capacity] hash of names, linear probing: id + 1, or 0 if empty
    uint64_t key;    ///< of the hash
    uint32_t count;
    uint32_t capacity; ///< a power of two; 0 before the first type
} TrnBlockTypeTable;

/// Copies a table. Errors: NO_MEMORY; `copy` is unchanged then.
TrnResult trn_block_type_table_copy(const TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                    TrnBlockTypeTable *copy);

void trn_block_type_table_free(TrnBlockTypeTable *table, const TrnAllocator *allocator);

/// Finds the id of a name. @param name  [size] any bytes are safe  @return the id or TRN_BLOCK_NONE
uint32_t trn_block_type_table_find(const TrnBlockTypeTable *table, const char *name, size_t size);

/// Adds a type, or fills in a placeholder.
/// @param type  valid; the name is copied
/// Errors: EXISTS, FULL, NO_MEMORY; the table is unchanged then.
TrnResult trn_block_type_table_put(TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                   const TrnBlockType *type, uint32_t *id);

/// The type of every id that was not given out.
extern const TrnBlockType trn_block_type_missing;

/// Makes the placeholder for a name whose type is not known yet.
TrnBlockType trn_block_type_placeholder(const char *name);

/// Returns the length of a name, or TRN_BLOCK_NAME_MAX + 1 if it is longer; reads no further.
size_t trn_block_name_size(const char *name);

/// Tells whether a name follows the rule of TrnBlockType.name. @param name  [size] any bytes are
/// safe
bool trn_block_name_is_valid(const char *name, size_t size);

// ---- registry: block_types.c --------------------------------------------------------------------

struct TrnBlockTypes {
    alignas(TRN_CACHE_LINE) uint32_t solid[TRN_BLOCK_BITS_WORDS];
    uint32_t opaque[TRN_BLOCK_BITS_WORDS];
    uint32_t liquid[TRN_BLOCK_BITS_WORDS];
    uint32_t climbable[TRN_BLOCK_BITS_WORDS];
    TrnBlockTypeTable table;
    TrnAllocator allocator;
};

/// Replaces the table of a registry, and frees the old one. @param table  owned from then on
void trn_block_types_replace(TrnBlockTypes *types, TrnBlockTypeTable table);

// ---- words of the text: block_types_load.c ------------------------------------------------------

/// The faces that a word such as "top" means. From general to special: later words override.
typedef struct TrnBlockFaceWord {
    const char *word;
    uint32_t faces; ///< bit f: TrnFace f
} TrnBlockFaceWord;

#define TRN_BLOCK_FACE_WORDS 8
extern const TrnBlockFaceWord trn_block_face_words[TRN_BLOCK_FACE_WORDS];

/// The built-in types as a text, embedded from assets/blocks/terrane.blocks by the build.
extern const char trn_asset_terrane_blocks[];
extern const size_t trn_asset_terrane_blocks_bytes;

#endif
