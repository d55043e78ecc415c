/// Terrane, block types: what a 16-bit block id stands for.
#ifndef TERRANE_BLOCK_TYPES_H
#define TERRANE_BLOCK_TYPES_H

#include <stdbool.h>
#include <terrane/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A block id. 0 is air.
typedef uint16_t TrnBlock;

/// How light and faces treat a block.
typedef enum TrnBlockKind {
    TRN_BLOCK_KIND_AIR,    ///< nothing is drawn
    TRN_BLOCK_KIND_OPAQUE, ///< hides what is behind it
    TRN_BLOCK_KIND_LIQUID  ///< drawn after the opaque world; hides faces of its own kind only
} TrnBlockKind;

/// The blocks that the built-in terrain is made of.
enum {
    TRN_BLOCK_AIR,
    TRN_BLOCK_STONE,
    TRN_BLOCK_DIRT,
    TRN_BLOCK_GRASS,
    TRN_BLOCK_SAND,
    TRN_BLOCK_GRAVEL,
    TRN_BLOCK_SNOW,
    TRN_BLOCK_WATER,
    TRN_BLOCK_BUILTIN_COUNT
};

/// One type of block.
typedef struct TrnBlockType {
    const char *name; ///< "terrane:grass"; what a save keeps, while ids are per world
    TrnBlockKind kind;
    uint8_t top[3], side[3], bottom[3]; ///< sRGB colours of the faces
} TrnBlockType;

/// The built-in types, indexed by block id.
/// @param count  receives TRN_BLOCK_BUILTIN_COUNT; may be NULL
/// @return [count] types; static. Any thread.
TRN_API const TrnBlockType *trn_block_types_builtin(uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
