/// Terrane, block types: what a 16-bit block id stands for.
///
/// Voxels hold ids, and ids belong to one world: they are given out in the order in which types are
/// added. What lasts is the name, "terrane:grass", which a save keeps. A registry starts with the
/// types that the built-in terrain is made of; a game adds its own, one by one or from a readable
/// text:
///
///     TrnBlockTypes *types;
///     TrnBlockTypesProblem problem;
///     if (trn_block_types_create(NULL, &types) == TRN_RESULT_OK &&
///         trn_block_types_load(types, text, size, &problem) != TRN_RESULT_OK) {
///         fprintf(stderr, "blocks:%zu:%zu: %s\n", problem.line, problem.column, problem.sentence);
///     }
///
/// Threads: any number of readers while nobody adds or loads.
#ifndef TERRANE_BLOCK_TYPES_H
#define TERRANE_BLOCK_TYPES_H

#include <stdbool.h>
#include <terrane/base.h>
#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A block id. 0 is air.
typedef uint16_t TrnBlock;

/// How light and faces treat a block. OPAQUE alone hides the faces of its neighbours.
typedef enum TrnBlockKind {
    TRN_BLOCK_KIND_AIR,         ///< nothing is drawn
    TRN_BLOCK_KIND_OPAQUE,      ///< hides what is behind it
    TRN_BLOCK_KIND_LIQUID,      ///< drawn after the opaque world; hides faces of its own type only
    TRN_BLOCK_KIND_TRANSPARENT, ///< full cubes that are seen through, such as glass
    TRN_BLOCK_KIND_PLANT,       ///< crossed leaves in an otherwise empty voxel
    TRN_BLOCK_KIND_COUNT        ///< how many kinds there are
} TrnBlockKind;

/// The blocks that the built-in terrain is made of, and two to build with: the ids of the types
/// that every registry starts with.
enum {
    TRN_BLOCK_AIR,
    TRN_BLOCK_STONE,
    TRN_BLOCK_DIRT,
    TRN_BLOCK_GRASS,
    TRN_BLOCK_SAND,
    TRN_BLOCK_GRAVEL,
    TRN_BLOCK_SNOW,
    TRN_BLOCK_WATER,
    TRN_BLOCK_ICE,
    TRN_BLOCK_SANDSTONE,
    TRN_BLOCK_SLATE,
    TRN_BLOCK_LIMESTONE,
    TRN_BLOCK_GRANITE,
    TRN_BLOCK_MUD,
    TRN_BLOCK_FOREST_FLOOR,
    TRN_BLOCK_DRY_GRASS,
    TRN_BLOCK_MOSS,
    TRN_BLOCK_COAL_ORE,
    TRN_BLOCK_IRON_ORE,
    TRN_BLOCK_GOLD_ORE,
    TRN_BLOCK_OAK_LOG,
    TRN_BLOCK_OAK_LEAVES,
    TRN_BLOCK_PINE_LOG,
    TRN_BLOCK_PINE_LEAVES,
    TRN_BLOCK_ACACIA_LOG,
    TRN_BLOCK_ACACIA_LEAVES,
    TRN_BLOCK_CACTUS,
    TRN_BLOCK_TALL_GRASS,
    TRN_BLOCK_FLOWER,
    TRN_BLOCK_DEAD_BUSH,
    TRN_BLOCK_REEDS,
    TRN_BLOCK_GLASS,    ///< for what is built: the terrain has none
    TRN_BLOCK_SCAFFOLD, ///< the same; not solid, and bodies climb in it
    TRN_BLOCK_BUILTIN_COUNT
};

#define TRN_BLOCK_TYPES_MAX 65536 ///< types in a registry
#define TRN_BLOCK_NAME_MAX 63     ///< bytes in a name, without the zero at its end
#define TRN_BLOCK_LIGHT_MAX 15
#define TRN_BLOCK_BITS_WORDS (TRN_BLOCK_TYPES_MAX / 32) ///< words in a set of blocks, one bit an id

/// One type of block.
typedef struct TrnBlockType {
    /// "namespace:name": one colon, before and behind it one or more of [a-z0-9_./-], at most
    /// TRN_BLOCK_NAME_MAX bytes.
    const char *name;
    TrnBlockKind kind;
    bool is_solid;     ///< bodies stand on it and walk against it
    bool is_climbable; ///< bodies climb in it, such as ladders and vines
    bool is_unknown; ///< a placeholder: a save named this type, and nobody has said yet what it is
    uint8_t light;   ///< what it gives off, 0..TRN_BLOCK_LIGHT_MAX
    uint8_t colour[TRN_FACE_COUNT][3]; ///< sRGB, by TrnFace
    /// layer of the game's texture array, by TrnFace; 0: no texture, the colour alone
    uint16_t layer[TRN_FACE_COUNT];
} TrnBlockType;

/// A type to start from: white, without textures or light, solid where its kind is OPAQUE or
/// TRANSPARENT.
/// @param name  kept as a pointer
TRN_API TrnBlockType trn_block_type_def(const char *name, TrnBlockKind kind);

/// The block types of one world. Opaque; the caller creates and destroys it.
typedef struct TrnBlockTypes TrnBlockTypes;

/// What is wrong with a text of block types, and where.
typedef struct TrnBlockTypesProblem {
    /// counted from 1, columns in bytes; 0 where no place in the text is to blame
    size_t line, column;
    char sentence[256]; ///< says the way out; printable ASCII, whatever the text holds
} TrnBlockTypesProblem;

/// Creates a registry that holds the built-in types, in the order of the enum above.
/// @param allocator  copied; NULL means malloc
/// Errors: BAD_ARGUMENT, NO_MEMORY. Cost: microseconds; 40 KiB, and about 120 bytes for each type
/// beyond the first 64.
TRN_API TrnResult trn_block_types_create(const TrnAllocator *allocator, TrnBlockTypes **types);

/// @param types  may be NULL
TRN_API void trn_block_types_destroy(TrnBlockTypes *types);

/// Adds a type. What has been added never changes any more, since masks and meshes have been made
/// from it; only a placeholder of the same name is filled in, and keeps its id. Do that before
/// voxels that hold it are loaded: masks made from the placeholder stay as they are until the
/// voxels are encoded again.
/// @param type  copied, its name as well; is_unknown must be false
/// @param id    receives the id; may be NULL
/// Errors: BAD_ARGUMENT (a bad name, kind or light, or is_unknown), EXISTS (the name is known
/// already), FULL (TRN_BLOCK_TYPES_MAX types), NO_MEMORY; nothing has changed then. Pointers that
/// the registry gave out before are invalid after success, all but the four sets of bits. Cost:
/// amortised O(1).
TRN_API TrnResult trn_block_types_add(TrnBlockTypes *types, const TrnBlockType *type, TrnBlock *id);

/// Adds a placeholder for a name that this game does not know, so that the name is kept when the
/// world is saved again. It is opaque, solid and of a colour that stands out, until
/// trn_block_types_add() or a text says what it is.
/// @param name  copied; @param id  receives the id; may be NULL
/// Errors, pointers and cost: as trn_block_types_add(); EXISTS also where the name is a
/// placeholder already.
TRN_API TrnResult trn_block_types_add_unknown(TrnBlockTypes *types, const char *name, TrnBlock *id);

/// Adds all types of a text, in its order, or none of them. docs/blocks.md describes the format. A
/// type that is there already is left alone if the text says the same about it, so what
/// trn_block_types_write() wrote can be loaded into a new registry, and every type has the id it
/// had.
/// @param text     [size] bytes, without a zero at the end; any bytes are safe
/// @param problem  written on failure only; may be NULL
/// Errors: BAD_ARGUMENT, CORRUPT (the text breaks the format), EXISTS (it says something else
/// about a type that is there), FULL, NO_MEMORY; nothing has changed then. Pointers: as
/// trn_block_types_add(). Cost: O(size + types that are there), about 10 ns a byte; memory for a
/// second copy of the types during the call.
TRN_API TrnResult trn_block_types_load(TrnBlockTypes *types, const char *text, size_t size,
                                       TrnBlockTypesProblem *problem);

/// Writes all types, built-in and unknown ones too, as a text for trn_block_types_load().
/// @param text      [capacity] receives the text, cut off where it does not fit, without a zero at
///                  the end; NULL if capacity is 0
/// @return how many bytes the whole text has
/// Cost: O(types); no allocation.
TRN_API size_t trn_block_types_write(const TrnBlockTypes *types, char *text, size_t capacity);

/// The id of a name, placeholders included.
/// @param id  receives the id; may be NULL
/// Errors: BAD_ARGUMENT, NOT_FOUND. Cost: O(1), one look into a hash.
TRN_API TrnResult trn_block_types_find(const TrnBlockTypes *types, const char *name, TrnBlock *id);

/// The type of an id, never NULL: an id that was not given out yields a placeholder named
/// "terrane:missing". Valid until types are added or loaded. O(1).
TRN_API const TrnBlockType *trn_block_types_get(const TrnBlockTypes *types, TrnBlock id);

/// All types.
/// @param count  receives how many there are, at least TRN_BLOCK_BUILTIN_COUNT; may be NULL
/// @return [count] by id; valid until types are added or loaded. O(1).
TRN_API const TrnBlockType *trn_block_types_all(const TrnBlockTypes *types, uint32_t *count);

/// Which blocks are solid: bit id % 32 of word id / 32. Every id has its bit, so nobody checks
/// bounds; ids that were not given out are solid, until a type takes the id.
/// @return [TRN_BLOCK_BITS_WORDS] aligned to 64 bytes; valid until the registry is destroyed. O(1).
TRN_API const uint32_t *trn_block_types_solid_bits(const TrnBlockTypes *types);

/// Which blocks are opaque, as trn_block_types_solid_bits(); ids that were not given out are
/// opaque.
TRN_API const uint32_t *trn_block_types_opaque_bits(const TrnBlockTypes *types);

/// Which blocks are liquids, as trn_block_types_solid_bits(); ids that were not given out are not.
TRN_API const uint32_t *trn_block_types_liquid_bits(const TrnBlockTypes *types);

/// Which blocks bodies climb in, as trn_block_types_solid_bits(); ids that were not given out are
/// not among them.
TRN_API const uint32_t *trn_block_types_climbable_bits(const TrnBlockTypes *types);

/// Which blocks are of some kinds: a set to aim rays with, say (everything but air and liquids).
/// @param kinds  ored 1 << TrnBlockKind
/// @param bits   [TRN_BLOCK_BITS_WORDS] receives the set; caller owns. Ids that were not given out
///               count as OPAQUE.
/// Cost: O(types).
TRN_API void trn_block_types_kind_bits(const TrnBlockTypes *types, uint32_t kinds, uint32_t *bits);

#ifdef __cplusplus
}
#endif
#endif
