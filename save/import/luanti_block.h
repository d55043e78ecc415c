/// Private: one map block of Luanti (formerly Minetest), decoded. 16 x 16 x 16 nodes in the
/// serialization versions 25 to 29, as Luanti's doc/world_format.md describes them.
///
/// Any bytes are safe. A block decompresses to at most TRN_LUANTI_CONTENT_MAX bytes, which is also
/// the most memory that a decoder takes, apart from some 200 KiB of zlib and zstd.
#ifndef TERRANE_SAVE_IMPORT_LUANTI_BLOCK_H
#define TERRANE_SAVE_IMPORT_LUANTI_BLOCK_H

#include <stdbool.h>

#include <terrane/base.h>

#define TRN_LUANTI_EDGE 16
#define TRN_LUANTI_NODES 4096 // 16 * 16 * 16
#define TRN_LUANTI_VERSION_MIN 25
#define TRN_LUANTI_VERSION_MAX 29
/// Bytes that a block may decompress to. Nodes take 16 KiB; the rest is what chests contain.
#define TRN_LUANTI_CONTENT_MAX ((size_t)16 << 20)

/// Memory to decode with. For one thread at a time.
typedef struct TrnLuantiDecoder TrnLuantiDecoder;

/// What is wrong with a block.
typedef enum TrnLuantiFault {
    TRN_LUANTI_FAULT_NONE,
    TRN_LUANTI_FAULT_MEMORY,     ///< not with the block: there is no memory
    TRN_LUANTI_FAULT_END,        ///< it ends early
    TRN_LUANTI_FAULT_OLDER,      ///< a version below 25
    TRN_LUANTI_FAULT_NEWER,      ///< a version above 29
    TRN_LUANTI_FAULT_COMPRESSED, ///< it does not decompress
    TRN_LUANTI_FAULT_SIZE,       ///< it decompresses to another size than its nodes have
    TRN_LUANTI_FAULT_LIMIT,      ///< it decompresses to more than TRN_LUANTI_CONTENT_MAX
    TRN_LUANTI_FAULT_WIDTH,      ///< nodes of a width that no version has
    TRN_LUANTI_FAULT_NAMES,      ///< a table of names of a version that does not exist
    TRN_LUANTI_FAULT_COUNT
} TrnLuantiFault;

/// Returns the fault as a note of an import: "map blocks: the data ends early".
const char *trn_luanti_fault_text(TrnLuantiFault fault);

/// A decoded block, in the decoder's memory and in that of the bytes. Node x, y, z is number
/// z * 256 + y * 16 + x; x is east, y up and z north.
typedef struct TrnLuantiBlock {
    const unsigned char *ids;    ///< [TRN_LUANTI_NODES * id_bytes] big-endian
    uint32_t id_bytes;           ///< 1 or 2
    const unsigned char *param2; ///< [TRN_LUANTI_NODES] direction, colour and the like of each node
    uint32_t metadata_count;     ///< nodes with texts or an inventory
    uint32_t metadata_version;   ///< of their format: 1 or 2
    const unsigned char *metadata, *metadata_end; ///< for trn_luanti_next_metadata
    const unsigned char *names;                   ///< for trn_luanti_next_name
    uint32_t name_count;
} TrnLuantiBlock;

/// Which name an id of a block has.
typedef struct TrnLuantiName {
    uint32_t id;      ///< below 65536
    const char *text; ///< [size] any bytes
    size_t size;
} TrnLuantiName;

/// @return NULL if there is no memory
TrnLuantiDecoder *trn_luanti_decoder_create(const TrnAllocator *allocator);
/// @param decoder  may be NULL
void trn_luanti_decoder_destroy(TrnLuantiDecoder *decoder);

/// Decodes a block.
/// @param bytes  [size] as the database has them; must stay as long as the block is used
/// @param block  receives the block; valid until the decoder's next call
TrnLuantiFault trn_luanti_block_decode(TrnLuantiDecoder *decoder, const void *bytes, size_t size,
                                       TrnLuantiBlock *block);

/// Returns the next of a block's names. Call it name_count times.
/// @param at  block->names at first; moves on
TrnLuantiName trn_luanti_next_name(const unsigned char **at);

/// What a node holds beyond its id and params.
typedef struct TrnLuantiMetadata {
    uint32_t node;              ///< its number
    const unsigned char *bytes; ///< [size] its variables and its inventory, as in the block
    size_t size;
} TrnLuantiMetadata;

/// Finds the next of a block's metadata.
/// @param at  block->metadata at first; moves on
/// @return false at the end, or where they are damaged
bool trn_luanti_next_metadata(const TrnLuantiBlock *block, const unsigned char **at,
                              TrnLuantiMetadata *metadata);

#endif
