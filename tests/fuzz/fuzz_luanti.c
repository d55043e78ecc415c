/// Map blocks of Luanti. Random bytes fail where they should decompress, so each input is read in
/// three ways: as it is, as the content of a block of version 29, and behind the nodes of one of
/// version 28.
#include <import/luanti_block.h>
#include <zlib.h>
#include <zstd.h>

#include "fuzz.h"

#define NODE_BYTES ((size_t)4 * TRN_LUANTI_NODES)
#define HEAD_BYTES 6 // of version 28

typedef struct LuantiFuzz {
    TrnLuantiDecoder *decoder;
    uint8_t head[HEAD_BYTES + 1024]; ///< [head_bytes] of version 28, with its nodes
    size_t head_bytes;
} LuantiFuzz;

static void create_fuzz(LuantiFuzz *fuzz)
{
    static const uint8_t head[HEAD_BYTES] = {28, 0, 0, 0, 2, 2}, nodes[NODE_BYTES];
    const TrnAllocator allocator = trn_allocator_default();
    uLongf size = sizeof fuzz->head - HEAD_BYTES;
    fuzz->decoder = trn_luanti_decoder_create(&allocator);
    FUZZ_REQUIRE(fuzz->decoder);
    memcpy(fuzz->head, head, HEAD_BYTES);
    FUZZ_REQUIRE(compress(fuzz->head + HEAD_BYTES, &size, nodes, NODE_BYTES) == Z_OK);
    fuzz->head_bytes = HEAD_BYTES + size;
}

/// Decodes a block, and reads all that it is said to have.
static void decode(const LuantiFuzz *fuzz, const uint8_t *bytes, size_t size)
{
    TrnLuantiBlock block;
    const TrnLuantiFault fault = trn_luanti_block_decode(fuzz->decoder, bytes, size, &block);
    FUZZ_REQUIRE(*trn_luanti_fault_text(fault));
    if (fault != TRN_LUANTI_FAULT_NONE) {
        return;
    }
    uint32_t sum = block.metadata_count;
    const unsigned char *at = block.names;
    for (uint32_t i = 0; i < block.name_count; i++) {
        const TrnLuantiName name = trn_luanti_next_name(&at);
        FUZZ_REQUIRE(name.id <= UINT16_MAX);
        for (size_t c = 0; c < name.size; c++) {
            sum += (uint8_t)name.text[c];
        }
    }
    const unsigned char *held = block.metadata;
    TrnLuantiMetadata metadata;
    for (uint32_t i = 0; i < block.metadata_count; i++) {
        if (!trn_luanti_next_metadata(&block, &held, &metadata)) {
            break;
        }
        FUZZ_REQUIRE(metadata.node < TRN_LUANTI_NODES &&
                     metadata.bytes + metadata.size <= block.metadata_end);
        sum += metadata.size ? metadata.bytes[metadata.size - 1] : 0u;
    }
    for (size_t i = 0; i < TRN_LUANTI_NODES; i++) {
        sum += block.ids[i * block.id_bytes] + block.param2[i];
    }
    FUZZ_REQUIRE(sum < UINT32_MAX);
}

/// Decodes bytes as the content of a block of version 29.
static void decode_content(const LuantiFuzz *fuzz, const uint8_t *bytes, size_t size)
{
    const size_t capacity = 1 + ZSTD_compressBound(size);
    uint8_t *block = malloc(capacity);
    FUZZ_REQUIRE(block);
    block[0] = 29;
    const size_t packed = ZSTD_compress(block + 1, capacity - 1, bytes, size, -5);
    FUZZ_REQUIRE(!ZSTD_isError(packed));
    decode(fuzz, block, 1 + packed);
    free(block);
}

/// Decodes a block of version 28 with good nodes. The first byte says how many of the bytes are
/// metadata; the rest follows it.
static void decode_behind_nodes(const LuantiFuzz *fuzz, const uint8_t *bytes, size_t size)
{
    const size_t metadata = size - 1 < bytes[0] ? size - 1 : bytes[0];
    uLongf packed = compressBound(metadata);
    const size_t rest = size - 1 - metadata;
    uint8_t *block = malloc(fuzz->head_bytes + packed + rest);
    FUZZ_REQUIRE(block);
    memcpy(block, fuzz->head, fuzz->head_bytes);
    uint8_t *to = block + fuzz->head_bytes;
    FUZZ_REQUIRE(compress2(to, &packed, bytes + 1, metadata, 1) == Z_OK);
    memcpy(to + packed, bytes + 1 + metadata, rest);
    decode(fuzz, block, fuzz->head_bytes + packed + rest);
    free(block);
}

int fuzz_luanti(const uint8_t *bytes, size_t size);

int fuzz_luanti(const uint8_t *bytes, size_t size)
{
    static LuantiFuzz fuzz;
    if (!fuzz.decoder) {
        create_fuzz(&fuzz);
    }
    decode(&fuzz, bytes, size);
    if (size > 0) {
        decode_content(&fuzz, bytes, size);
        decode_behind_nodes(&fuzz, bytes, size);
    }
    return 0;
}
