/// Private: the struct of a registry, its table, models and families, and the words of the text
/// format.
#ifndef TERRANE_VOXELS_BLOCK_TYPES_IMPL_H
#define TERRANE_VOXELS_BLOCK_TYPES_IMPL_H

#include <stdalign.h>
#include <string.h>

#include <terrane/block_types.h>

#include "base/memory.h"

#define TRN_BLOCK_NAME_BYTES (TRN_BLOCK_NAME_MAX + 1)
#define TRN_BLOCK_NONE UINT32_MAX ///< no id
/// Bytes in the name of the first type of a family.
#define TRN_BLOCK_FAMILY_NAME_MAX (TRN_BLOCK_NAME_MAX - 2)

// ---- kinds, names and placeholders: block_kinds.c -----------------------------------------------

/// What follows from a kind.
typedef struct TrnBlockKindTraits {
    const char *word; ///< in texts
    bool is_solid;    ///< solid unless the type says otherwise
    bool is_opaque;
    bool is_liquid;
    uint8_t dims; ///< unless the type says otherwise
    uint8_t drop; ///< how far the surface lies below the voxel's top, in 1/16 voxel; as dims
} TrnBlockKindTraits;

extern const TrnBlockKindTraits trn_block_kinds[TRN_BLOCK_KIND_COUNT];

/// The type of every id that was not given out.
extern const TrnBlockType trn_block_type_missing;

/// Makes the placeholder for a name whose type is not known yet.
TrnBlockType trn_block_type_placeholder(const char *name);

/// Returns the length of a name, or TRN_BLOCK_NAME_MAX + 1 if it is longer; reads no further.
size_t trn_block_name_size(const char *name);

/// Tells whether a name follows the rule of TrnBlockType.name. @param name  [size] any bytes are
/// safe
bool trn_block_name_is_valid(const char *name, size_t size);

// ---- models and families: block_model.c ---------------------------------------------------------

/// Finds the first box that makes a model invalid. @param model  with a valid box_count
/// @param box  receives it  @return a sentence that follows the quoted box, or NULL
const char *trn_block_model_problem(const TrnBlockModel *model, uint32_t *box);

/// Copies the boxes of a model; the others are zero.
TrnBlockModel trn_block_model_copy(const TrnBlockModel *model);

/// @param a,b  may be NULL
bool trn_block_model_is_same(const TrnBlockModel *a, const TrnBlockModel *b);

/// Whether the boxes that are there without connected sides fill at least half of the voxel.
bool trn_block_model_fills_half(const TrnBlockModel *model);

/// The members of a family, before they have ids; a single type is a family of one.
typedef struct TrnBlockFamily {
    TrnBlockType types[TRN_BLOCK_VARIANTS_MAX]; ///< their names and models point into this struct
    TrnBlockModel models[TRN_BLOCK_VARIANTS_MAX];
    char names[TRN_BLOCK_VARIANTS_MAX][TRN_BLOCK_NAME_BYTES];
    uint32_t count;
} TrnBlockFamily;

bool trn_block_family_count_is_valid(TrnBlockKind kind, uint32_t count);

/// Writes the name of a member. @param first  the first's name, short enough if variant is not 0
void trn_block_family_name(const char *first, uint32_t variant, char name[TRN_BLOCK_NAME_BYTES]);

/// Makes the members of a family. @param type  valid  @param count  valid, or 1
void trn_block_family_make(TrnBlockFamily *family, const TrnBlockType *type, uint32_t count);

// ---- tables: block_type_table.c -----------------------------------------------------------------

/// Types by id and by name. All arrays but the models are in one piece of memory.
typedef struct TrnBlockTypeTable {
    TrnBlockType *types; ///< [capacity] the start of the memory; their names point into `names`
    char (*names)[TRN_BLOCK_NAME_BYTES]; ///< [capacity]
    uint32_t *slots; ///< [2 * capacity] hash of names, linear probing: id + 1, or 0 if empty
    uint64_t key;    ///< of the hash
    uint32_t count;
    uint32_t capacity;     ///< a power of two; 0 before the first type
    TrnBlockModel *models; ///< [model_capacity] types point into it
    uint32_t model_count, model_capacity;
} TrnBlockTypeTable;

/// Copies a table. Errors: NO_MEMORY; `copy` is unchanged then.
TrnResult trn_block_type_table_copy(const TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                    TrnBlockTypeTable *copy);

void trn_block_type_table_free(TrnBlockTypeTable *table, const TrnAllocator *allocator);

/// Finds the id of a name. @param name  [size] any bytes are safe  @return the id or TRN_BLOCK_NONE
uint32_t trn_block_type_table_find(const TrnBlockTypeTable *table, const char *name, size_t size);

/// Whether an id is the source of a liquid. @param id  any number
bool trn_block_type_table_is_liquid(const TrnBlockTypeTable *table, uint32_t id);

/// Adds the types of a family, or fills in placeholders: all or none.
/// @param family  valid; names and models are copied
/// @param first   receives the id of the first
/// Errors: EXISTS, FULL, NO_MEMORY; the table is unchanged then.
TrnResult trn_block_type_table_put(TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                   const TrnBlockFamily *family, uint32_t *first);

/// Finds a member of a family. @param first  the family  @return the id or TRN_BLOCK_NONE
uint32_t trn_block_type_table_variant(const TrnBlockTypeTable *table, uint32_t first,
                                      uint32_t variant);

/// Lists the members of a type's family by variant. @return how many there are
uint32_t trn_block_type_table_family(const TrnBlockTypeTable *table, uint32_t id,
                                     uint32_t members[TRN_BLOCK_VARIANTS_MAX]);

// ---- registry: block_types.c --------------------------------------------------------------------

struct TrnBlockTypes {
    alignas(TRN_CACHE_LINE) uint32_t solid[TRN_BLOCK_BITS_WORDS];
    uint32_t opaque[TRN_BLOCK_BITS_WORDS];
    uint32_t liquid[TRN_BLOCK_BITS_WORDS];
    uint32_t climbable[TRN_BLOCK_BITS_WORDS];
    uint32_t filled[TRN_BLOCK_BITS_WORDS];
    TrnBlockTypeTable table;
    TrnAllocator allocator;
};

/// The set of blocks that fill a cell of the far view: all but air, plants, and models that fill
/// less than half of their voxel. Otherwise as trn_block_types_solid_bits().
const uint32_t *trn_block_types_filled_bits(const TrnBlockTypes *types);

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
