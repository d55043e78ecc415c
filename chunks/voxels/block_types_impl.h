/// Private: the inside of TrnBlockTypes, shared by the registry, its reader of texts and its
/// writer.
#ifndef TERRANE_VOXELS_BLOCK_TYPES_IMPL_H
#define TERRANE_VOXELS_BLOCK_TYPES_IMPL_H

#include <stdalign.h>
#include <string.h>

#include <terrane/block_types.h>

#include "base/memory.h"

#define TRN_BLOCK_NAME_BYTES (TRN_BLOCK_NAME_MAX + 1)
#define TRN_BLOCK_NONE UINT32_MAX ///< no id

/// Types by id and by name, all in one piece of memory.
typedef struct TrnBlockTypeTable {
    TrnBlockType *types; ///< [capacity] the start of the memory; names point into `names`
    char (*names)[TRN_BLOCK_NAME_BYTES]; ///< [capacity]
    /// [2 x capacity] hash by name with linear probing: id + 1, 0 where there is none
    uint32_t *slots;
    uint32_t count;
    uint32_t capacity; ///< a power of two; 0 before the first type
} TrnBlockTypeTable;

struct TrnBlockTypes {
    alignas(TRN_CACHE_LINE) uint32_t solid[TRN_BLOCK_BITS_WORDS];
    uint32_t opaque[TRN_BLOCK_BITS_WORDS];
    uint32_t liquid[TRN_BLOCK_BITS_WORDS];
    uint32_t climbable[TRN_BLOCK_BITS_WORDS];
    TrnBlockTypeTable table;
    TrnAllocator allocator;
};

/// A table of the same capacity with the same types. Errors: NO_MEMORY; `copy` is untouched then.
TrnResult trn_block_type_table_copy(const TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                    TrnBlockTypeTable *copy);

void trn_block_type_table_free(TrnBlockTypeTable *table, const TrnAllocator *allocator);

/// The id of a name of `size` bytes, or TRN_BLOCK_NONE. Any bytes are safe.
uint32_t trn_block_type_table_find(const TrnBlockTypeTable *table, const char *name, size_t size);

/// Adds a type, or fills in a placeholder. @param type  valid; the name is copied
/// Errors: EXISTS, FULL, NO_MEMORY; the table is as it was then.
TrnResult trn_block_type_table_put(TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                   const TrnBlockType *type, uint32_t *id);

/// Takes a table over in place of the present one, which is freed.
void trn_block_types_replace(TrnBlockTypes *types, TrnBlockTypeTable table);

/// What stands for a name until its type is known.
TrnBlockType trn_block_type_placeholder(const char *name);

/// Whether a name of `size` bytes is as TrnBlockType.name says. Any bytes are safe.
bool trn_block_name_is_valid(const char *name, size_t size);

// ---- the words of the text ----------------------------------------------------------------------

/// Which faces a word such as "top" stands for. From the general to the special: the later ones
/// win.
typedef struct TrnBlockFaceWord {
    const char *word;
    uint32_t faces; ///< bit f: TrnFace f
} TrnBlockFaceWord;

#define TRN_BLOCK_FACE_WORDS 8
extern const TrnBlockFaceWord trn_block_face_words[TRN_BLOCK_FACE_WORDS];
extern const char *const trn_block_kind_words[TRN_BLOCK_KIND_COUNT];

/// The built-in types as a text, embedded at build from assets/blocks/terrane.blocks.
extern const char trn_asset_terrane_blocks[];
extern const size_t trn_asset_terrane_blocks_bytes;

#endif
