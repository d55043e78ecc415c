/// Terrane, block types: the meaning of 16-bit block ids.
///
/// Voxels hold ids. Ids belong to one world and are assigned in the order in which types are added.
/// The name, such as "terrane:grass", is what lasts: a save keeps it. A new registry holds air
/// alone (id 0). A game adds its types one by one or from a readable text:
///
///     TrnBlockTypes *types;
///     TrnBlockTypesProblem problem;
///     if (trn_block_types_create(NULL, &types) == TRN_RESULT_OK &&
///         trn_block_types_load(types, text, size, &problem) != TRN_RESULT_OK) {
///         fprintf(stderr, "blocks:%zu:%zu: %s\n", problem.line, problem.column, problem.sentence);
///     }
///
/// The built-in terrain needs its own types under the constant ids TRN_BLOCK_*: create the registry
/// with trn_block_types_create_builtin then, and add the game's types after them.
///
/// Threads: any number of readers, while no thread adds or loads types.
///
/// Tier: stable. Core: trn_block_types_all.
#ifndef TERRANE_BLOCK_TYPES_H
#define TERRANE_BLOCK_TYPES_H

#include <stdbool.h>
#include <terrane/base.h>
#include <terrane/coord.h>

TRN_C_BEGIN

/// A block id. 0 is air.
typedef uint16_t TrnBlock;

/// How light and faces treat a block. Only OPAQUE hides the faces of its neighbours.
typedef enum TrnBlockKind {
    TRN_BLOCK_KIND_AIR,         ///< nothing is drawn
    TRN_BLOCK_KIND_OPAQUE,      ///< hides everything behind it
    TRN_BLOCK_KIND_LIQUID,      ///< drawn after the opaque world; hides faces of its own type only
    TRN_BLOCK_KIND_TRANSPARENT, ///< full cubes that are seen through, such as glass
    TRN_BLOCK_KIND_PLANT,       ///< crossed leaves in air, or in a liquid (TrnBlockType.liquid)
    TRN_BLOCK_KIND_CUTOUT,      ///< full cubes with holes, such as leaves; they keep the faces
                                ///< between two of them
    TRN_BLOCK_KIND_MODEL,       ///< boxes (TrnBlockModel), such as slabs, stairs and fences
    TRN_BLOCK_KIND_COUNT        ///< how many kinds there are
} TrnBlockKind;

/// The ids of the built-in types, in a registry from trn_block_types_create_builtin: the blocks of
/// the built-in terrain, and others to build with (docs/blocks.md lists all). Every registry has
/// TRN_BLOCK_AIR.
enum {
    TRN_BLOCK_AIR,           ///< id 0 of every registry
    TRN_BLOCK_STONE,         ///< most rock
    TRN_BLOCK_DIRT,          ///< below grass
    TRN_BLOCK_GRASS,         ///< ground of grassland
    TRN_BLOCK_SAND,          ///< beaches, sea beds and deserts
    TRN_BLOCK_GRAVEL,        ///< shores, sea beds and tundra
    TRN_BLOCK_SNOW,          ///< ground of cold land and peaks
    TRN_BLOCK_WATER,         ///< a liquid
    TRN_BLOCK_ICE,           ///< on cold seas; opaque
    TRN_BLOCK_SANDSTONE,     ///< steep ground of deserts
    TRN_BLOCK_SLATE,         ///< a layer of rock
    TRN_BLOCK_LIMESTONE,     ///< a layer of rock
    TRN_BLOCK_GRANITE,       ///< a layer of rock
    TRN_BLOCK_MUD,           ///< ground of swamps
    TRN_BLOCK_FOREST_FLOOR,  ///< ground of forests
    TRN_BLOCK_DRY_GRASS,     ///< ground of savannas
    TRN_BLOCK_MOSS,          ///< ground of tundra
    TRN_BLOCK_COAL_ORE,      ///< veins in rock
    TRN_BLOCK_IRON_ORE,      ///< veins in rock
    TRN_BLOCK_GOLD_ORE,      ///< veins in rock
    TRN_BLOCK_OAK_LOG,       ///< trunk of an oak
    TRN_BLOCK_OAK_LEAVES,    ///< crown of an oak
    TRN_BLOCK_PINE_LOG,      ///< trunk of a pine
    TRN_BLOCK_PINE_LEAVES,   ///< crown of a pine
    TRN_BLOCK_ACACIA_LOG,    ///< trunk of an acacia
    TRN_BLOCK_ACACIA_LEAVES, ///< crown of an acacia
    TRN_BLOCK_CACTUS,        ///< grows in deserts
    TRN_BLOCK_TALL_GRASS,    ///< a plant
    TRN_BLOCK_FLOWER,        ///< a plant
    TRN_BLOCK_DEAD_BUSH,     ///< a plant
    TRN_BLOCK_REEDS,         ///< a plant
    TRN_BLOCK_GLASS,         ///< not in the terrain
    TRN_BLOCK_SCAFFOLD,      ///< not in the terrain; not solid, and bodies climb in it
    TRN_BLOCK_LANTERN,       ///< not in the terrain; emits light 14
    TRN_BLOCK_GLOWING_STONE, ///< not in the terrain; emits light 11
    TRN_BLOCK_LAVA,          ///< in deep caves; a liquid that emits light 15
    TRN_BLOCK_WATER_FLOW,    ///< variant 1 of water
    TRN_BLOCK_LAVA_FLOW = TRN_BLOCK_WATER_FLOW + 8,    ///< variant 1 of lava
    TRN_BLOCK_OAK_PLANKS = TRN_BLOCK_LAVA_FLOW + 8,    ///< the first of what follows: to build with
    TRN_BLOCK_BIRCH_LEAVES = TRN_BLOCK_OAK_PLANKS + 3, ///< a cutout
    TRN_BLOCK_STONE_SLAB = TRN_BLOCK_BIRCH_LEAVES + 2, ///< 8 turns, as all slabs
    TRN_BLOCK_STONE_STAIRS = TRN_BLOCK_STONE_SLAB + 8 * 8, ///< 8 turns, as all stairs
    TRN_BLOCK_OAK_FENCE = TRN_BLOCK_STONE_STAIRS + 8 * 8,  ///< connects
    TRN_BLOCK_STONE_WALL = TRN_BLOCK_OAK_FENCE + 3,        ///< connects
    TRN_BLOCK_GLASS_PANE = TRN_BLOCK_STONE_WALL + 5,       ///< connects
    TRN_BLOCK_OAK_DOOR = TRN_BLOCK_GLASS_PANE + 2,         ///< 4 turns; then open, 4 turns
    TRN_BLOCK_OAK_LADDER = TRN_BLOCK_OAK_DOOR + 3 * 8,     ///< 4 turns
    TRN_BLOCK_TORCH = TRN_BLOCK_OAK_LADDER + 4,            ///< emits light 14
    TRN_BLOCK_WALL_TORCH,                                  ///< 4 turns; emits light 14
    TRN_BLOCK_STANDING_LANTERN = TRN_BLOCK_WALL_TORCH + 4, ///< emits light 14
    TRN_BLOCK_RED_CARPET,                                  ///< the first of three
    TRN_BLOCK_WHEAT = TRN_BLOCK_RED_CARPET + 3,            ///< the first of four stages
    TRN_BLOCK_HANGING_LANTERN = TRN_BLOCK_WHEAT + 4,       ///< emits light 14
    TRN_BLOCK_ASPEN_LOG,                                   ///< trunk of an aspen
    TRN_BLOCK_ASPEN_LEAVES,                                ///< crown of an aspen
    TRN_BLOCK_WILLOW_LEAVES,                               ///< crown of a willow
    TRN_BLOCK_PALM_LEAVES,                                 ///< crown of a palm
    TRN_BLOCK_DEAD_WOOD,                                   ///< fallen trunks, dead trees
    TRN_BLOCK_FERN,                                        ///< a plant
    TRN_BLOCK_RED_FLOWER,                                  ///< a plant
    TRN_BLOCK_BLUE_FLOWER,                                 ///< a plant
    TRN_BLOCK_WHITE_FLOWER,                                ///< a plant
    TRN_BLOCK_WHITE_WOOL,                         ///< the first of what imported worlds are made of
    TRN_BLOCK_TUFF = TRN_BLOCK_WHITE_WOOL + 80,   ///< rock of wet caves
    TRN_BLOCK_CLAY = TRN_BLOCK_WHITE_WOOL + 92,   ///< beds of pools
    TRN_BLOCK_DRIPSTONE,                          ///< rock of dry caves
    TRN_BLOCK_AMETHYST,                           ///< below crystals
    TRN_BLOCK_BASALT = TRN_BLOCK_WHITE_WOOL + 97, ///< rock of deep caves
    TRN_BLOCK_BLACKSTONE,                         ///< floors of deep caves
    TRN_BLOCK_MAGMA = TRN_BLOCK_WHITE_WOOL + 141, ///< around lava; emits light 3
    TRN_BLOCK_LICHEN_FLAT = TRN_BLOCK_WHITE_WOOL + 376,  ///< emits light 7
    TRN_BLOCK_SPIKE = TRN_BLOCK_WHITE_WOOL + 412,        ///< of dripstone
    TRN_BLOCK_GLOWING_MOSS = TRN_BLOCK_WHITE_WOOL + 420, ///< in wet caves; emits light 9
    TRN_BLOCK_RIPPLED_SAND,                              ///< sea beds
    TRN_BLOCK_RED_CORAL,                                 ///< warm sea beds
    TRN_BLOCK_YELLOW_CORAL,                              ///< warm sea beds
    TRN_BLOCK_VIOLET_CORAL,                              ///< warm sea beds
    TRN_BLOCK_STALAGMITE,                                ///< the tip of a spike
    TRN_BLOCK_STALACTITE,                                ///< the tip of a spike, downwards
    TRN_BLOCK_CRYSTAL_CLUSTER,                           ///< emits light 11
    TRN_BLOCK_KELP,                                      ///< a plant in water
    TRN_BLOCK_SEA_GRASS,                                 ///< a plant in water
    /// the number of built-in types; a game's own ids begin here
    TRN_BLOCK_BUILTIN_COUNT
};

#define TRN_BLOCK_TYPES_MAX 65536 ///< types in a registry
#define TRN_BLOCK_NAME_MAX 63     ///< bytes in a name, without the zero at its end
#define TRN_BLOCK_LIGHT_MAX 15    ///< the strongest light
#define TRN_BLOCK_BITS_WORDS (TRN_BLOCK_TYPES_MAX / 32) ///< words in a set of blocks, one bit an id

#define TRN_BLOCK_GRID 16        ///< units of TrnBlockBox and TrnBlockType.surface in a voxel
#define TRN_BLOCK_BOXES_MAX 8    ///< boxes in a model
#define TRN_BLOCK_VARIANTS_MAX 9 ///< types in a family

/// One box of a model.
typedef struct TrnBlockBox {
    uint8_t min[3]; ///< lowest corner along x, y, z, in units of 1/16 voxel, 0..15
    uint8_t max[3]; ///< highest corner, above min, at most 16
    /// Bit f, a TrnFace: the box is there only if the voxel next to side f connects: it is opaque,
    /// or of a model with the same `connects`. 0: it is always there.
    uint8_t connected;
    uint8_t unconnected;               ///< the same of sides that must not connect
    uint8_t colour[TRN_FACE_COUNT][3]; ///< as TrnBlockType.colour
    uint16_t layer[TRN_FACE_COUNT];    ///< as TrnBlockType.layer
} TrnBlockBox;

/// The shape of a MODEL. The boxes that are there must not overlap.
typedef struct TrnBlockModel {
    uint32_t box_count; ///< 1..TRN_BLOCK_BOXES_MAX
    /// Models connect to opaque blocks and to models with the same number. 0: never; no box may
    /// have `connected` or `unconnected` then.
    uint8_t connects;
    TrnBlockBox boxes[TRN_BLOCK_BOXES_MAX]; ///< [box_count]
} TrnBlockModel;

/// One type of block.
typedef struct TrnBlockType {
    /// "namespace:name": one colon with one or more of [a-z0-9_./-] on both sides, at most
    /// TRN_BLOCK_NAME_MAX bytes
    const char *name;
    TrnBlockKind kind; ///< how it is drawn and what it hides
    bool is_solid;     ///< bodies collide with it
    bool is_climbable; ///< bodies climb in it, such as a ladder or a vine
    bool is_unknown;   ///< a placeholder for a type that a save names and this game does not know
    uint8_t light;     ///< light that it emits, 0..TRN_BLOCK_LIGHT_MAX
    /// Levels that light loses in it, 0..TRN_BLOCK_LIGHT_MAX, in addition to the one that each
    /// voxel costs. No light enters an opaque block, whatever this says.
    uint8_t dims;
    uint8_t colour[TRN_FACE_COUNT][3]; ///< sRGB, by TrnFace
    /// layer of the game's texture array, by TrnFace; 0: no texture, only the colour
    uint16_t layer[TRN_FACE_COUNT];
    /// MODEL: its shape; in a registry valid as long as the type. Otherwise NULL.
    const TrnBlockModel *model;
    /// LIQUID: the height of its surface under air, in 1/16 voxel, 1..16. Otherwise 16.
    uint8_t surface;
    bool ticks; ///< random ticks visit its voxels
    /// The first type of its family, and which of the family it is. A family is one block in
    /// several forms: the turns of a model (0..3, a quarter turn each, then 4..7, upside down), or
    /// a liquid (0 the source, 1..7 ever lower flows, 8 falling). Set by the registry; a type that
    /// has no family is its own, variant 0.
    TrnBlock family;
    uint8_t variant; ///< see family
    /// PLANT: the liquid that it stands in, a type of the registry with variant 0, which fills the
    /// rest of its voxel: its faces are drawn, bodies swim in it, and it flows out. Or
    /// TRN_BLOCK_AIR.
    TrnBlock liquid;
} TrnBlockType;

/// Returns a type to start from: white, without textures or light, solid unless its kind is AIR,
/// LIQUID or PLANT, dimming light by 2 if it is LIQUID and by 1 if it is CUTOUT, with a surface at
/// 14/16 if it is LIQUID. A MODEL needs a model too.
/// @param name  borrowed; the result points to it
TRN_API TrnBlockType trn_block_type_def(const char *name, TrnBlockKind kind);

/// The block types of one world. Opaque; the caller creates and destroys it.
typedef struct TrnBlockTypes TrnBlockTypes;

/// A problem with a text of block types, and its position.
typedef struct TrnBlockTypesProblem {
    size_t line;        ///< from 1; 0 if the problem has no position in the text
    size_t column;      ///< from 1, in bytes; 0 if the problem has no position in the text
    char sentence[256]; ///< what is wrong and what to do; always printable ASCII
} TrnBlockTypesProblem;

/// Creates a registry with one type, air (TRN_BLOCK_AIR, "terrane:air"). A game's own types get ids
/// from 1 on.
/// @param allocator  copied; NULL means malloc
/// @param types      receives the registry; the caller destroys it
/// Errors: BAD_ARGUMENT, NO_MEMORY.
/// Cost: O(1); 49 KiB, about 140 bytes for each type beyond the first 64, and 320 bytes for
/// each model.
TRN_API TrnResult trn_block_types_create(const TrnAllocator *allocator, TrnBlockTypes **types);

/// Creates a registry with the built-in types, so that each has its TRN_BLOCK_* id. A game's own
/// types get ids from TRN_BLOCK_BUILTIN_COUNT on. Otherwise as trn_block_types_create. The types
/// are part of the library; no file is read. It takes some 160 KiB.
TRN_API TrnResult trn_block_types_create_builtin(const TrnAllocator *allocator,
                                                 TrnBlockTypes **types);

/// Destroys a registry. No store or heap may still use it.
/// @param types  may be NULL
TRN_API void trn_block_types_destroy(TrnBlockTypes *types);

/// Adds a type. A type never changes after that, because masks and meshes depend on it. Only a
/// placeholder of the same name is filled in, and keeps its id. Do that before voxels with it are
/// loaded: masks made from the placeholder stay until the voxels are encoded again.
/// @param type  copied, including its name and model; is_unknown must be false; family and variant
///              are ignored
/// @param id    receives the id; may be NULL
/// Errors: BAD_ARGUMENT (a bad name, kind, light, surface, model or liquid, or is_unknown), EXISTS
/// (the name is known), FULL (TRN_BLOCK_TYPES_MAX types), NO_MEMORY; the registry is unchanged
/// then. Success invalidates all pointers that the registry returned before, except the four sets
/// of bits. Cost: amortized O(1).
TRN_API TrnResult trn_block_types_add(TrnBlockTypes *types, const TrnBlockType *type, TrnBlock *id);

/// Adds all types of a family, or none of them. The first has the name of `type`, the others that
/// name with "/1", "/2" and so on. Members that are placeholders are filled in and keep their ids;
/// the others get consecutive new ids. Turns are rotated from +x towards +z, each a quarter, with
/// boxes, colours, layers and connected sides; upside down means mirrored from top to bottom. The
/// surfaces of flows fall evenly from below the source's to 1; the surface of the falling liquid
/// is 16.
/// @param type   the first; as for trn_block_types_add(); its name has at most
///               TRN_BLOCK_NAME_MAX - 2 bytes
/// @param count  MODEL: 4 (turns) or 8 (turns, then the same upside down); LIQUID: 9
/// @param first  receives the id of the first; may be NULL
/// Errors and pointers: as trn_block_types_add(); BAD_ARGUMENT also for another count.
/// Cost: amortized O(count).
TRN_API TrnResult trn_block_types_add_family(TrnBlockTypes *types, const TrnBlockType *type,
                                             uint32_t count, TrnBlock *first);

/// Adds a placeholder for a name that this game does not know, so that saving the world again keeps
/// the name. It is opaque, solid and of a conspicuous colour made from the name, until
/// trn_block_types_add() or a text fills it in. A name that ends in a colour, such as
/// "model:8c39ce", gets that colour.
/// @param name  copied
/// @param id    receives the id; may be NULL
/// Errors, pointers and cost: as trn_block_types_add(); EXISTS also if the name is already a
/// placeholder.
TRN_API TrnResult trn_block_types_add_unknown(TrnBlockTypes *types, const char *name, TrnBlock *id);

/// Adds all types of a text, in its order, or none of them. docs/blocks.md describes the format. A
/// type of the registry stays as it is if the text agrees with it, and a placeholder is filled in
/// and keeps its id.
/// @param text     [size] bytes, without a zero at the end; any bytes are safe
/// @param problem  written on failure only; may be NULL
/// Errors: BAD_ARGUMENT, CORRUPT (the text breaks the format), EXISTS (it contradicts a type of the
/// registry), FULL, NO_MEMORY; the registry is unchanged then. Pointers: as trn_block_types_add().
/// Cost: O(size + types of the registry); memory for a second copy of the types
/// during the call.
TRN_API TrnResult trn_block_types_load(TrnBlockTypes *types, const char *text, size_t size,
                                       TrnBlockTypesProblem *problem);

/// Finds the id of a name, including placeholders.
/// @param id  receives the id; may be NULL
/// Errors: BAD_ARGUMENT, NOT_FOUND. Cost: O(1), one hash lookup.
TRN_API TrnResult trn_block_types_find(const TrnBlockTypes *types, const char *name, TrnBlock *id);

/// Returns the type of an id, never NULL: an unassigned id returns a placeholder named
/// "terrane:missing". Valid until types are added or loaded. Cost: O(1).
TRN_API const TrnBlockType *trn_block_types_get(const TrnBlockTypes *types, TrnBlock id);

/// Returns another type of a block's family, such as the next turn of a stair.
/// @param variant  0..TRN_BLOCK_VARIANTS_MAX - 1
/// @return its id; TRN_BLOCK_AIR if the family has no such type
/// Cost: O(1); a hash lookup if the ids of the family are not consecutive.
TRN_API TrnBlock trn_block_types_variant(const TrnBlockTypes *types, TrnBlock block,
                                         uint32_t variant);

/// Tells whether a model connects to a neighbour: an opaque block, or a model with the same
/// `connects`.
TRN_API bool trn_block_model_connects(const TrnBlockModel *model, const TrnBlockType *neighbour);

/// Tells which boxes of a model are there.
/// @param sides  bit f: the model connects to its neighbour at side f, a TrnFace
/// @return bit i: box i is there
TRN_API uint32_t trn_block_model_boxes(const TrnBlockModel *model, uint32_t sides);

/// Returns all types.
/// @param count  receives the number of types, at least 1; may be NULL
/// @return [count] by id; valid until types are added or loaded
/// Cost: O(1).
TRN_API const TrnBlockType *trn_block_types_all(const TrnBlockTypes *types, uint32_t *count);

/// Returns the set of solid blocks: bit id % 32 of word id / 32. Every id has a bit, so callers
/// need no bounds check. Unassigned ids are solid, until a type takes the id.
/// @return [TRN_BLOCK_BITS_WORDS] aligned to 64 bytes; valid until the registry is destroyed
/// Cost: O(1).
TRN_API const uint32_t *trn_block_types_solid_bits(const TrnBlockTypes *types);

/// Returns the set of opaque blocks, as trn_block_types_solid_bits(). Unassigned ids are opaque.
TRN_API const uint32_t *trn_block_types_opaque_bits(const TrnBlockTypes *types);

/// Returns the set of liquids and of plants in liquids, as trn_block_types_solid_bits(). Unassigned
/// ids are not liquids.
TRN_API const uint32_t *trn_block_types_liquid_bits(const TrnBlockTypes *types);

/// Returns the set of climbable blocks, as trn_block_types_solid_bits(). Unassigned ids are not
/// climbable.
TRN_API const uint32_t *trn_block_types_climbable_bits(const TrnBlockTypes *types);

/// Collects the blocks of some kinds, such as the set that a ray should hit (all kinds except air
/// and liquid).
/// @param kinds  1 << TrnBlockKind of each kind, ored
/// @param bits   [TRN_BLOCK_BITS_WORDS] receives the set; caller owns. Unassigned ids count as
///               OPAQUE.
/// Cost: O(types).
TRN_API void trn_block_types_kind_bits(const TrnBlockTypes *types, uint32_t kinds, uint32_t *bits);

TRN_C_END
#endif
