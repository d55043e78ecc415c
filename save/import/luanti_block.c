// A map block of Luanti: see luanti_block.h. Numbers are big-endian.

#include "luanti_block.h"

#include <stdbool.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/memory.h"

#define LUANTI_BUFFER_BYTES ((size_t)64 << 10) // at first
#define LUANTI_NODE_BYTES 4                    // the most: two of the id, param1 and param2
#define LUANTI_OBJECT_BYTES 15 // of an object, with the size of its data, which follows

struct TrnLuantiDecoder {
    TrnAllocator allocator;
    ZSTD_DCtx *zstd;
    z_stream zlib;
    unsigned char *buffer; ///< [capacity] the whole block of version 29
    size_t capacity;
    unsigned char nodes[LUANTI_NODE_BYTES * TRN_LUANTI_NODES]; ///< of older versions
};

const char *trn_luanti_fault_text(TrnLuantiFault fault)
{
    static const char *const texts[TRN_LUANTI_FAULT_COUNT] = {
        [TRN_LUANTI_FAULT_NONE] = "map blocks: nothing is wrong",
        [TRN_LUANTI_FAULT_MEMORY] = "map blocks: there is not enough memory",
        [TRN_LUANTI_FAULT_END] = "map blocks: the data ends early",
        [TRN_LUANTI_FAULT_OLDER] = "map blocks: older than Luanti 0.4.2; load them there first",
        [TRN_LUANTI_FAULT_NEWER] = "map blocks: of a version after 29; update this program",
        [TRN_LUANTI_FAULT_COMPRESSED] = "map blocks: the compressed data is damaged",
        [TRN_LUANTI_FAULT_SIZE] = "map blocks: the size of the data is wrong",
        [TRN_LUANTI_FAULT_LIMIT] = "map blocks: larger than 16 MiB",
        [TRN_LUANTI_FAULT_WIDTH] = "map blocks: nodes of an unknown size",
        [TRN_LUANTI_FAULT_NAMES] = "map blocks: the table of names is damaged",
    };
    return (uint32_t)fault < TRN_LUANTI_FAULT_COUNT ? texts[fault] : "";
}

// ---- the decoder -------------------------------------------------------------------------------

TrnLuantiDecoder *trn_luanti_decoder_create(const TrnAllocator *allocator)
{
    TrnLuantiDecoder *decoder = trn_take(allocator, sizeof *decoder, TRN_CACHE_LINE);
    if (!decoder) {
        return NULL;
    }
    memset(decoder, 0, sizeof *decoder);
    decoder->allocator = *allocator;
    decoder->zstd = ZSTD_createDCtx();
    const bool has_zlib = inflateInit(&decoder->zlib) == Z_OK;
    decoder->buffer = trn_take(allocator, LUANTI_BUFFER_BYTES, TRN_CACHE_LINE);
    decoder->capacity = decoder->buffer ? LUANTI_BUFFER_BYTES : 0;
    if (!has_zlib) {
        decoder->zlib.state = NULL;
    }
    if (!decoder->zstd || !has_zlib || !decoder->buffer) {
        trn_luanti_decoder_destroy(decoder);
        return NULL;
    }
    return decoder;
}

void trn_luanti_decoder_destroy(TrnLuantiDecoder *decoder)
{
    if (decoder) {
        const TrnAllocator allocator = decoder->allocator;
        (void)inflateEnd(&decoder->zlib);
        (void)ZSTD_freeDCtx(decoder->zstd);
        trn_give(&allocator, decoder->buffer, decoder->capacity);
        trn_give(&allocator, decoder, sizeof *decoder);
    }
}

/// Makes the buffer four times as large; its content is lost.
static TrnLuantiFault luanti_grow(TrnLuantiDecoder *decoder)
{
    const size_t wanted = decoder->capacity * 4;
    if (wanted > TRN_LUANTI_CONTENT_MAX) {
        return TRN_LUANTI_FAULT_LIMIT;
    }
    unsigned char *buffer = trn_take(&decoder->allocator, wanted, TRN_CACHE_LINE);
    if (!buffer) {
        return TRN_LUANTI_FAULT_MEMORY;
    }
    trn_give(&decoder->allocator, decoder->buffer, decoder->capacity);
    decoder->buffer = buffer;
    decoder->capacity = wanted;
    return TRN_LUANTI_FAULT_NONE;
}

// ---- bytes that are read in order --------------------------------------------------------------

/// What is left to read. A read beyond the end sets is_over and returns 0.
typedef struct LuantiBytes {
    const unsigned char *at;
    size_t left;
    bool is_over;
} LuantiBytes;

/// @return NULL if there are not as many
static const unsigned char *luanti_take(LuantiBytes *bytes, size_t count)
{
    if (bytes->left < count) {
        bytes->is_over = true;
        return NULL;
    }
    const unsigned char *at = bytes->at;
    bytes->at += count;
    bytes->left -= count;
    return at;
}

static uint32_t luanti_byte(LuantiBytes *bytes)
{
    const unsigned char *at = luanti_take(bytes, 1);
    return at ? at[0] : 0;
}

static uint32_t luanti_pair(LuantiBytes *bytes)
{
    const unsigned char *at = luanti_take(bytes, 2);
    return at ? (uint32_t)at[0] << 8 | at[1] : 0;
}

// ---- parts of a block --------------------------------------------------------------------------

TrnLuantiName trn_luanti_next_name(const unsigned char **at)
{
    const unsigned char *name = *at;
    const uint32_t id = (uint32_t)name[0] << 8 | name[1];
    const size_t size = (size_t)name[2] << 8 | name[3];
    *at = name + 4 + size;
    return (TrnLuantiName){id, (const char *)name + 4, size};
}

/// Reads timestamp and names, and checks that all of the names are there.
static TrnLuantiFault luanti_read_names(LuantiBytes *bytes, TrnLuantiBlock *block)
{
    (void)luanti_take(bytes, 4); // the time
    const uint32_t version = luanti_byte(bytes);
    const uint32_t count = luanti_pair(bytes);
    block->names = bytes->at;
    block->name_count = count;
    for (uint32_t i = 0; i < count && !bytes->is_over; i++) {
        (void)luanti_pair(bytes); // the id
        (void)luanti_take(bytes, luanti_pair(bytes));
    }
    if (bytes->is_over) {
        return TRN_LUANTI_FAULT_END;
    }
    return version == 0 ? TRN_LUANTI_FAULT_NONE : TRN_LUANTI_FAULT_NAMES;
}

/// Reads how many bytes a node takes.
static TrnLuantiFault luanti_read_widths(LuantiBytes *bytes, TrnLuantiBlock *block)
{
    block->id_bytes = luanti_byte(bytes);
    const uint32_t param_bytes = luanti_byte(bytes);
    if (bytes->is_over) {
        return TRN_LUANTI_FAULT_END;
    }
    const bool is_known = (block->id_bytes == 1 || block->id_bytes == 2) && param_bytes == 2;
    return is_known ? TRN_LUANTI_FAULT_NONE : TRN_LUANTI_FAULT_WIDTH;
}

static size_t luanti_node_bytes(const TrnLuantiBlock *block)
{
    return (block->id_bytes + 2) * (size_t)TRN_LUANTI_NODES;
}

static void luanti_set_nodes(const unsigned char *nodes, TrnLuantiBlock *block)
{
    block->ids = nodes;
    block->param2 = nodes + (block->id_bytes + 1) * (size_t)TRN_LUANTI_NODES;
}

/// Reads the list of metadata: a version, and unless that is 0 a count, and what nodes hold.
static void luanti_read_metadata(LuantiBytes *bytes, TrnLuantiBlock *block)
{
    block->metadata_version = luanti_byte(bytes);
    block->metadata_count = block->metadata_version ? luanti_pair(bytes) : 0;
    block->metadata = bytes->at;
    block->metadata_end = bytes->at + bytes->left;
}

static uint32_t luanti_quad(LuantiBytes *bytes)
{
    const uint32_t high = luanti_pair(bytes);
    return high << 16 | luanti_pair(bytes);
}

/// Moves behind an inventory: lines of text up to "EndInventory".
static void luanti_skip_inventory(LuantiBytes *bytes)
{
    static const char end[] = "EndInventory";
    bool is_end = false;
    while (!is_end && !bytes->is_over) {
        const unsigned char *line = bytes->at;
        const unsigned char *newline = bytes->left ? memchr(line, '\n', bytes->left) : NULL;
        const size_t size = newline ? (size_t)(newline - line) : 0;
        (void)luanti_take(bytes, newline ? size + 1 : bytes->left + 1); // too many: it is over
        is_end = newline && size == sizeof end - 1 && memcmp(line, end, size) == 0;
    }
}

bool trn_luanti_next_metadata(const TrnLuantiBlock *block, const unsigned char **at,
                              TrnLuantiMetadata *metadata)
{
    LuantiBytes bytes = {.at = *at, .left = (size_t)(block->metadata_end - *at)};
    metadata->node = luanti_pair(&bytes);
    metadata->bytes = bytes.at;
    const uint32_t count = luanti_quad(&bytes);
    for (uint32_t i = 0; i < count && !bytes.is_over; i++) {
        (void)luanti_take(&bytes, luanti_pair(&bytes));                  // the name
        (void)luanti_take(&bytes, luanti_quad(&bytes));                  // its value
        (void)luanti_take(&bytes, block->metadata_version >= 2 ? 1 : 0); // private
    }
    luanti_skip_inventory(&bytes);
    metadata->size = (size_t)(bytes.at - metadata->bytes);
    *at = bytes.at;
    return !bytes.is_over && metadata->node < TRN_LUANTI_NODES;
}

// ---- version 29: all of it in one zstd frame ---------------------------------------------------

static TrnLuantiFault luanti_decompress(TrnLuantiDecoder *decoder, LuantiBytes *bytes)
{
    for (;;) {
        const size_t size = ZSTD_decompressDCtx(decoder->zstd, decoder->buffer, decoder->capacity,
                                                bytes->at, bytes->left);
        if (!ZSTD_isError(size)) {
            *bytes = (LuantiBytes){.at = decoder->buffer, .left = size};
            return TRN_LUANTI_FAULT_NONE;
        }
        if (ZSTD_getErrorCode(size) != ZSTD_error_dstSize_tooSmall) {
            return TRN_LUANTI_FAULT_COMPRESSED;
        }
        const TrnLuantiFault fault = luanti_grow(decoder);
        if (fault != TRN_LUANTI_FAULT_NONE) {
            return fault;
        }
    }
}

static TrnLuantiFault luanti_decode_zstd(TrnLuantiDecoder *decoder, LuantiBytes *bytes,
                                         TrnLuantiBlock *block)
{
    TrnLuantiFault fault = luanti_decompress(decoder, bytes);
    if (fault != TRN_LUANTI_FAULT_NONE) {
        return fault;
    }
    (void)luanti_take(bytes, 3); // flags and light
    fault = luanti_read_names(bytes, block);
    fault = fault == TRN_LUANTI_FAULT_NONE ? luanti_read_widths(bytes, block) : fault;
    if (fault != TRN_LUANTI_FAULT_NONE) {
        return fault;
    }
    const unsigned char *nodes = luanti_take(bytes, luanti_node_bytes(block));
    if (!nodes) {
        return TRN_LUANTI_FAULT_END;
    }
    luanti_set_nodes(nodes, block);
    luanti_read_metadata(bytes, block);
    return TRN_LUANTI_FAULT_NONE;
}

// ---- versions 25 to 28: nodes and metadata in zlib streams -------------------------------------

/// Inflates the next part of a stream. @return what zlib says
static int luanti_inflate(TrnLuantiDecoder *decoder, LuantiBytes *bytes, unsigned char *out,
                          size_t *out_bytes)
{
    z_stream *zlib = &decoder->zlib;
    zlib->next_in = (z_const Bytef *)bytes->at;
    zlib->avail_in = bytes->left < UINT32_MAX ? (uInt)bytes->left : UINT32_MAX;
    zlib->next_out = out;
    zlib->avail_out = (uInt)*out_bytes;
    const int code = inflate(zlib, Z_SYNC_FLUSH);
    const size_t taken = (size_t)(zlib->next_in - bytes->at);
    (void)luanti_take(bytes, taken);
    *out_bytes = (size_t)(zlib->next_out - out);
    return code;
}

static TrnLuantiFault luanti_inflate_fault(int code)
{
    return code == Z_MEM_ERROR   ? TRN_LUANTI_FAULT_MEMORY
           : code == Z_BUF_ERROR ? TRN_LUANTI_FAULT_END
                                 : TRN_LUANTI_FAULT_COMPRESSED;
}

/// Inflates a stream of a known size.
static TrnLuantiFault luanti_inflate_nodes(TrnLuantiDecoder *decoder, LuantiBytes *bytes,
                                           size_t expected)
{
    (void)inflateReset(&decoder->zlib);
    size_t size = expected;
    int code = luanti_inflate(decoder, bytes, decoder->nodes, &size);
    if (code == Z_OK && size == expected) { // the stream's end may still be to come
        unsigned char more;
        size_t more_bytes = 1;
        code = luanti_inflate(decoder, bytes, &more, &more_bytes);
        size += more_bytes;
    }
    if (size > expected || (code == Z_STREAM_END && size < expected)) {
        return TRN_LUANTI_FAULT_SIZE;
    }
    if (code == Z_STREAM_END) {
        return TRN_LUANTI_FAULT_NONE;
    }
    return code == Z_OK ? TRN_LUANTI_FAULT_END : luanti_inflate_fault(code);
}

/// Makes the buffer larger, with its content.
static TrnLuantiFault luanti_grow_full(TrnLuantiDecoder *decoder)
{
    const TrnAllocator *allocator = &decoder->allocator;
    unsigned char *const old = decoder->buffer;
    const size_t size = decoder->capacity;
    decoder->buffer = NULL;
    const TrnLuantiFault fault = luanti_grow(decoder);
    if (fault != TRN_LUANTI_FAULT_NONE) {
        decoder->buffer = old;
        return fault;
    }
    memcpy(decoder->buffer, old, size);
    trn_give(allocator, old, size);
    return TRN_LUANTI_FAULT_NONE;
}

/// Inflates the list of metadata.
static TrnLuantiFault luanti_inflate_metadata(TrnLuantiDecoder *decoder, LuantiBytes *bytes,
                                              TrnLuantiBlock *block)
{
    (void)inflateReset(&decoder->zlib);
    size_t total = 0;
    for (int code = Z_OK; code != Z_STREAM_END;) {
        size_t size = decoder->capacity - total;
        if (size == 0) {
            const TrnLuantiFault fault = luanti_grow_full(decoder);
            if (fault != TRN_LUANTI_FAULT_NONE) {
                return fault;
            }
            continue;
        }
        code = luanti_inflate(decoder, bytes, decoder->buffer + total, &size);
        total += size;
        if (code != Z_OK && code != Z_STREAM_END) {
            return luanti_inflate_fault(code);
        }
    }
    LuantiBytes all = {.at = decoder->buffer, .left = total};
    luanti_read_metadata(&all, block);
    return TRN_LUANTI_FAULT_NONE;
}

static void luanti_skip_objects(LuantiBytes *bytes)
{
    (void)luanti_byte(bytes); // the version
    const uint32_t count = luanti_pair(bytes);
    for (uint32_t i = 0; i < count && !bytes->is_over; i++) {
        const unsigned char *object = luanti_take(bytes, LUANTI_OBJECT_BYTES);
        if (object) {
            (void)luanti_take(bytes, (size_t)object[13] << 8 | object[14]);
        }
    }
}

static TrnLuantiFault luanti_decode_zlib(TrnLuantiDecoder *decoder, uint32_t version,
                                         LuantiBytes *bytes, TrnLuantiBlock *block)
{
    (void)luanti_take(bytes, version >= 27 ? 3 : 1); // flags, and light
    TrnLuantiFault fault = luanti_read_widths(bytes, block);
    if (fault == TRN_LUANTI_FAULT_NONE) {
        fault = luanti_inflate_nodes(decoder, bytes, luanti_node_bytes(block));
    }
    if (fault == TRN_LUANTI_FAULT_NONE) {
        luanti_set_nodes(decoder->nodes, block);
        fault = luanti_inflate_metadata(decoder, bytes, block);
    }
    if (fault == TRN_LUANTI_FAULT_NONE) {
        luanti_skip_objects(bytes);
        fault = luanti_read_names(bytes, block);
    }
    return fault;
}

// ---- a block -----------------------------------------------------------------------------------

TrnLuantiFault trn_luanti_block_decode(TrnLuantiDecoder *decoder, const void *bytes, size_t size,
                                       TrnLuantiBlock *block)
{
    LuantiBytes rest = {.at = bytes, .left = size};
    const uint32_t version = luanti_byte(&rest);
    *block = (TrnLuantiBlock){0};
    if (rest.is_over) {
        return TRN_LUANTI_FAULT_END;
    }
    if (version < TRN_LUANTI_VERSION_MIN) {
        return TRN_LUANTI_FAULT_OLDER;
    }
    if (version > TRN_LUANTI_VERSION_MAX) {
        return TRN_LUANTI_FAULT_NEWER;
    }
    return version == TRN_LUANTI_VERSION_MAX ? luanti_decode_zstd(decoder, &rest, block)
                                             : luanti_decode_zlib(decoder, version, &rest, block);
}
