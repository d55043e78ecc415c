#include "region.h"

#include <string.h>

#include <lz4.h>
#include <xxhash.h>
#include <zlib.h>

#include "../number.h"

uint64_t trn_region_location(const unsigned char location[4])
{
    const uint64_t sector =
        (uint64_t)location[0] << 16 | (uint64_t)location[1] << 8 | (uint64_t)location[2];
    return sector < 2 ? 0 : sector * TRN_REGION_SECTOR_BYTES; // the first two are the tables
}

bool trn_region_head(const unsigned char head[TRN_REGION_HEAD_BYTES], TrnRegionHead *out)
{
    const uint32_t size = (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 |
                          (uint32_t)head[2] << 8 | (uint32_t)head[3];
    if (size == 0 || size - 1 > TRN_REGION_COLUMN_MAX) {
        return false;
    }
    *out = (TrnRegionHead){size - 1, head[4] & 127, head[4] >> 7};
    return true;
}

// ---- zlib ---------------------------------------------------------------------------------------

/// zlib frees without a size, so it stands in front of each block.
#define REGION_BLOCK_HEAD 16

static void *region_zlib_alloc(void *user, unsigned items, unsigned item_bytes)
{
    const TrnAllocator *allocator = user;
    const size_t bytes = (size_t)items * item_bytes + REGION_BLOCK_HEAD;
    unsigned char *block = trn_take(allocator, bytes, REGION_BLOCK_HEAD);
    if (!block) {
        return NULL;
    }
    memcpy(block, &bytes, sizeof bytes);
    return block + REGION_BLOCK_HEAD;
}

static void region_zlib_free(void *user, void *memory)
{
    unsigned char *block = (unsigned char *)memory - REGION_BLOCK_HEAD;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    trn_give(user, block, bytes);
}

/// Ensures that bytes hold as many as wanted, up to the most that a column may be.
static TrnResult region_grow(TrnBytes *bytes, const TrnAllocator *allocator, size_t wanted)
{
    const size_t least = (size_t)64 << 10;
    if (wanted > TRN_REGION_COLUMN_MAX) {
        return TRN_RESULT_CORRUPT;
    }
    return wanted <= bytes->capacity
               ? TRN_RESULT_OK
               : trn_array_reserve(bytes, allocator, wanted < least ? least : wanted);
}

static TrnResult region_inflate_all(z_stream *stream, const TrnAllocator *allocator,
                                    TrnBytes *column)
{
    for (;;) {
        TrnResult result = region_grow(column, allocator, (size_t)column->count + 1);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        const uint32_t left = column->capacity - column->count;
        stream->next_out = column->items + column->count;
        stream->avail_out = left;
        const int status = inflate(stream, Z_NO_FLUSH);
        column->count += left - stream->avail_out;
        if (status == Z_STREAM_END) {
            return column->count <= TRN_REGION_COLUMN_MAX ? TRN_RESULT_OK : TRN_RESULT_CORRUPT;
        }
        if (status == Z_MEM_ERROR) {
            return TRN_RESULT_NO_MEMORY;
        }
        if (status != Z_OK || stream->avail_out > 0) { // with all of the data in hand
            return TRN_RESULT_CORRUPT;
        }
    }
}

static TrnResult region_inflate(int window_bits, const unsigned char *from, size_t size,
                                const TrnAllocator *allocator, TrnBytes *column)
{
    TrnAllocator copy = *allocator;                      // zlib takes no pointer to const
    z_stream stream = {.next_in = (unsigned char *)from, // NOLINT: it only reads
                       .avail_in = (unsigned)size,
                       .zalloc = region_zlib_alloc,
                       .zfree = region_zlib_free,
                       .opaque = &copy};
    if (inflateInit2(&stream, window_bits) != Z_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = region_inflate_all(&stream, allocator, column);
    inflateEnd(&stream);
    return result;
}

// ---- LZ4 ----------------------------------------------------------------------------------------

#define REGION_LZ4_HEAD_BYTES 21
#define REGION_LZ4_SEED UINT32_C(0x9747B28C)
#define REGION_LZ4_CHECKSUM_BITS UINT32_C(0x0FFFFFFF)

/// The head of a block of LZ4.
typedef struct RegionLz4Head {
    bool is_stored;
    uint32_t stored_bytes, bytes, checksum;
} RegionLz4Head;

static bool region_lz4_head(const unsigned char *from, size_t size, RegionLz4Head *head)
{
    if (size < REGION_LZ4_HEAD_BYTES || memcmp(from, "LZ4Block", 8) != 0) {
        return false;
    }
    const uint32_t method = from[8] & 0xF0u, exponent = 10 + (from[8] & 0x0Fu);
    *head = (RegionLz4Head){method == 0x10, (uint32_t)trn_save_number(from + 9, 4),
                            (uint32_t)trn_save_number(from + 13, 4),
                            (uint32_t)trn_save_number(from + 17, 4)};
    return (method == 0x10 || method == 0x20) && head->bytes <= UINT32_C(1) << exponent &&
           head->stored_bytes <= size - REGION_LZ4_HEAD_BYTES &&
           (!head->is_stored || head->stored_bytes == head->bytes);
}

static bool region_lz4_block(const RegionLz4Head *head, const unsigned char *from,
                             unsigned char *to)
{
    if (head->is_stored) {
        memcpy(to, from, head->bytes);
    } else if (LZ4_decompress_safe((const char *)from, (char *)to, (int)head->stored_bytes,
                                   (int)head->bytes) != (int)head->bytes) {
        return false;
    }
    return (XXH32(to, head->bytes, REGION_LZ4_SEED) & REGION_LZ4_CHECKSUM_BITS) == head->checksum;
}

static TrnResult region_unlz4(const unsigned char *from, size_t size, const TrnAllocator *allocator,
                              TrnBytes *column)
{
    RegionLz4Head head;
    while (region_lz4_head(from, size, &head)) {
        if (head.bytes == 0) {
            return TRN_RESULT_OK;
        }
        TrnResult result = region_grow(column, allocator, (size_t)column->count + head.bytes);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        if (!region_lz4_block(&head, from + REGION_LZ4_HEAD_BYTES, column->items + column->count)) {
            break;
        }
        column->count += head.bytes;
        from += REGION_LZ4_HEAD_BYTES + head.stored_bytes;
        size -= REGION_LZ4_HEAD_BYTES + head.stored_bytes;
    }
    return TRN_RESULT_CORRUPT;
}

// ---- all ----------------------------------------------------------------------------------------

static TrnResult region_copy(const unsigned char *from, size_t size, const TrnAllocator *allocator,
                             TrnBytes *column)
{
    const TrnResult result = region_grow(column, allocator, size);
    if (result == TRN_RESULT_OK && size) {
        memcpy(column->items, from, size);
        column->count = (uint32_t)size;
    }
    return result;
}

TrnResult trn_region_decompress(uint32_t compression, const void *from, size_t size,
                                const TrnAllocator *allocator, TrnBytes *column)
{
    const int window_bits = 15; // the most, and 16 added for the head of gzip
    column->count = 0;
    if (size > TRN_REGION_COLUMN_MAX) {
        return TRN_RESULT_CORRUPT;
    }
    switch (compression) {
    case TRN_REGION_GZIP:
        return region_inflate(window_bits + 16, from, size, allocator, column);
    case TRN_REGION_ZLIB:
        return region_inflate(window_bits, from, size, allocator, column);
    case TRN_REGION_NONE:
        return region_copy(from, size, allocator, column);
    case TRN_REGION_LZ4:
        return region_unlz4(from, size, allocator, column);
    default:
        return TRN_RESULT_CORRUPT;
    }
}
