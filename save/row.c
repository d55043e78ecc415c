// The format of a row: see row.h.

#include "row.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include <xxhash.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/number.h"

#define ROW_CHECKSUM_AT 32
#define ROW_PLAIN_BYTES (TRN_ROW_VOXELS_MAX + sizeof(uint16_t[256])) // content without sections
#define ROW_VALUES 65536                                             // ids
#define ROW_SECTION_BYTES 8                                          // before its own

struct TrnRowCoder {
    TrnAllocator allocator;
    ZSTD_CCtx *compress;
    ZSTD_DCtx *decompress;
    size_t row_bytes, content_bytes; ///< sizes of the two buffers
    unsigned char *row;              ///< encoded
    unsigned char *content;          ///< before compression; grows
    size_t data_at, data_bytes;      ///< block data of the row decoded last, in the content
};

const char *trn_row_fault_text(TrnRowFault fault)
{
    static const char *const texts[] = {
        "nothing is wrong",           "its size is wrong",
        "it does not begin as a row", "a newer version of Terrane wrote it",
        "it belongs elsewhere",       "its checksum is wrong",
        "it cannot be decompressed",  "its voxels or its block data are invalid, or too large"};
    static_assert(sizeof texts / sizeof *texts == TRN_ROW_FAULT_COUNT, "one for each");
    return (unsigned)fault < TRN_ROW_FAULT_COUNT ? texts[fault] : "";
}

// ---- the coder ---------------------------------------------------------------------------------

/// Sets up compression. The library's own allocator is not used: with a custom one, zstd must be
/// linked statically.
static bool row_coder_init(TrnRowCoder *coder, int zstd_level)
{
    coder->content_bytes = ROW_PLAIN_BYTES;
    coder->row_bytes = TRN_ROW_HEADER_BYTES + ZSTD_compressBound(ROW_PLAIN_BYTES);
    coder->row = trn_take(&coder->allocator, coder->row_bytes, TRN_CACHE_LINE);
    coder->content = trn_take(&coder->allocator, coder->content_bytes, TRN_CACHE_LINE);
    coder->compress = ZSTD_createCCtx();
    coder->decompress = ZSTD_createDCtx();
    return coder->row && coder->content && coder->compress && coder->decompress &&
           !ZSTD_isError(
               ZSTD_CCtx_setParameter(coder->compress, ZSTD_c_compressionLevel, zstd_level));
}

TrnRowCoder *trn_row_coder_create(const TrnAllocator *allocator, int zstd_level)
{
    TrnRowCoder *coder = trn_take(allocator, sizeof *coder, TRN_CACHE_LINE);
    if (!coder) {
        return NULL;
    }
    *coder = (TrnRowCoder){.allocator = *allocator};
    if (!row_coder_init(coder, zstd_level)) {
        trn_row_coder_destroy(coder);
        return NULL;
    }
    return coder;
}

void trn_row_coder_destroy(TrnRowCoder *coder)
{
    if (!coder) {
        return;
    }
    (void)ZSTD_freeCCtx(coder->compress);
    (void)ZSTD_freeDCtx(coder->decompress);
    const TrnAllocator allocator = coder->allocator;
    trn_give(&allocator, coder->row, coder->row_bytes);
    trn_give(&allocator, coder->content, coder->content_bytes);
    trn_give(&allocator, coder, sizeof *coder);
}

// ---- the checksum -----------------------------------------------------------------------------

static uint64_t row_checksum(const unsigned char *row, size_t size)
{
    unsigned char header[TRN_ROW_HEADER_BYTES];
    memcpy(header, row, sizeof header);
    memset(header + ROW_CHECKSUM_AT, 0, sizeof(uint64_t));
    return XXH3_64bits_withSeed(row + sizeof header, size - sizeof header,
                                XXH3_64bits(header, sizeof header));
}

// ---- block data ---------------------------------------------------------------------------------

size_t trn_row_data_bytes(const TrnBlockData *data, uint32_t count)
{
    size_t bytes = (size_t)count * TRN_ROW_DATA_ENTRY_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        bytes += data[i].size;
    }
    return bytes;
}

void trn_row_data_write(const TrnBlockData *data, uint32_t count, unsigned char *bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        trn_number_write(bytes, data[i].index, 2);
        trn_number_write(bytes + 2, (uint64_t)data[i].rule, 2);
        trn_number_write(bytes + 4, data[i].size, 4);
        bytes += TRN_ROW_DATA_ENTRY_BYTES;
        if (data[i].size) {
            memcpy(bytes, data[i].bytes, data[i].size);
        }
        bytes += data[i].size;
    }
}

/// Reads the entry at the start of some bytes. @return its bytes; 0 if it is invalid
static size_t row_data_next(const unsigned char *bytes, size_t size, TrnBlockData *data)
{
    if (size < TRN_ROW_DATA_ENTRY_BYTES) {
        return 0;
    }
    const uint32_t index = (uint32_t)trn_number_read(bytes, 2);
    const uint32_t rule = (uint32_t)trn_number_read(bytes + 2, 2);
    const uint64_t data_bytes = trn_number_read(bytes + 4, 4);
    if (index >= TRN_CHUNK_VOXELS || rule >= TRN_DATA_RULE_COUNT ||
        data_bytes > TRN_DATA_BYTES_MAX || data_bytes > size - TRN_ROW_DATA_ENTRY_BYTES) {
        return 0;
    }
    *data = (TrnBlockData){.bytes = bytes + TRN_ROW_DATA_ENTRY_BYTES,
                           .size = (uint32_t)data_bytes,
                           .index = (uint16_t)index,
                           .rule = (TrnDataRule)rule};
    return (size_t)TRN_ROW_DATA_ENTRY_BYTES + (size_t)data_bytes;
}

bool trn_row_data_is_valid(const unsigned char *bytes, size_t size)
{
    TrnBlockData data = {0};
    uint32_t count = 0;
    size_t content = 0;
    for (size_t at = 0, part; at < size; at += part) {
        const uint32_t last = data.index;
        part = row_data_next(bytes + at, size - at, &data);
        content += part ? data.size : 0;
        if (!part || content > TRN_DATA_CHUNK_BYTES_MAX || (count && data.index <= last) ||
            ++count > TRN_DATA_VOXELS_MAX) {
            return false;
        }
    }
    return true;
}

TrnResult trn_row_data_read(const unsigned char *bytes, size_t size, const TrnDataSink *sink)
{
    TrnResult result = TRN_RESULT_OK;
    TrnBlockData data;
    for (size_t at = 0, part; sink && at < size && result == TRN_RESULT_OK; at += part) {
        part = row_data_next(bytes + at, size - at, &data);
        if (!part) {
            return TRN_RESULT_CORRUPT;
        }
        result = sink->set(sink->user, &data);
    }
    return result;
}

/// Lists the block data of a snapshot as a section.
static TrnResult row_describe_data(TrnSnapshot snapshot, uint32_t count,
                                   const TrnAllocator *allocator, TrnRowVoxels *voxels)
{
    static const uint32_t low[3] = {0, 0, 0},
                          high[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    TrnBlockData *list = trn_take(allocator, count * sizeof *list, sizeof(TrnBlockData *));
    if (!list) {
        return TRN_RESULT_NO_MEMORY;
    }
    (void)trn_snapshot_list_data(snapshot, low, high, list, count);
    const size_t bytes = trn_row_data_bytes(list, count);
    unsigned char *data = trn_take(allocator, bytes, sizeof(uint64_t));
    if (data) {
        trn_row_data_write(list, count, data);
        voxels->data = data;
        voxels->data_bytes = bytes;
        voxels->bits = voxels->palette_count == 1 ? 0 : voxels->bits; // uniform but for its data
    }
    trn_give(allocator, list, count * sizeof *list);
    return data ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

TrnResult trn_row_describe_data(TrnSnapshot snapshot, const TrnAllocator *allocator,
                                TrnRowVoxels *voxels)
{
    const uint32_t count = trn_snapshot_count_data(snapshot);
    return count ? row_describe_data(snapshot, count, allocator, voxels) : TRN_RESULT_OK;
}

TrnRowVoxels trn_row_pack(TrnSnapshot snapshot, TrnVoxelPacker *packer)
{
    trn_snapshot_decode(snapshot, packer->blocks);
    return trn_row_packed(trn_voxel_pack(packer));
}

// ---- encoding ----------------------------------------------------------------------------------

static size_t row_voxel_bytes(uint32_t bits)
{
    return (size_t)TRN_CHUNK_VOXELS / 8 * bits;
}

/// Writes palette and voxels with ids of the world. @return the bytes
static size_t row_fill_content(unsigned char *content, const TrnRowVoxels *voxels,
                               const uint16_t *world_ids)
{
    const size_t palette_bytes = voxels->palette_count * sizeof(uint16_t);
    for (uint32_t i = 0; i < voxels->palette_count; i++) {
        trn_number_write(content + i * sizeof(uint16_t), world_ids[voxels->palette[i]],
                         sizeof(uint16_t));
    }
    if (voxels->bits == 16) {
        const unsigned char *from = (const unsigned char *)voxels->words;
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            TrnBlock block;
            memcpy(&block, from + (size_t)i * sizeof block, sizeof block);
            trn_number_write(content + (size_t)i * sizeof block, world_ids[block], sizeof block);
        }
    } else if (voxels->bits) {
        memcpy(content + palette_bytes, voxels->words, row_voxel_bytes(voxels->bits));
    }
    const size_t end = palette_bytes + row_voxel_bytes(voxels->bits);
    if (voxels->data_bytes == 0) {
        return end;
    }
    trn_number_write(content + end, TRN_ROW_DATA_TAG, 4);
    trn_number_write(content + end + 4, voxels->data_bytes, 4);
    memcpy(content + end + ROW_SECTION_BYTES, voxels->data, voxels->data_bytes);
    return end + ROW_SECTION_BYTES + voxels->data_bytes;
}

void trn_row_seal(unsigned char *row, size_t size)
{
    trn_number_write(row + ROW_CHECKSUM_AT, row_checksum(row, size), sizeof(uint64_t));
}

static void row_put_header(unsigned char *row, const TrnRowHeader *header)
{
    const TrnCoord coord = header->key.coord;
    trn_number_write(row, TRN_ROW_MAGIC, 4);
    trn_number_write(row + 4, header->format, 2);
    trn_number_write(row + 6, header->key.level, 1);
    trn_number_write(row + 7, header->bits, 1);
    trn_number_write(row + 8, (uint32_t)coord.x, 4);
    trn_number_write(row + 12, (uint32_t)coord.y, 4);
    trn_number_write(row + 16, (uint32_t)coord.z, 4);
    trn_number_write(row + 20, header->palette_count, 2);
    trn_number_write(row + 22, 0, 2);
    trn_number_write(row + 24, header->revision, 8);
    trn_number_write(row + 40, header->stored_bytes, 4);
    trn_number_write(row + 44, header->content_bytes, 4);
    trn_row_seal(row, TRN_ROW_HEADER_BYTES + (size_t)header->stored_bytes);
}

/// Ensures that a buffer of the coder has some bytes. What it held is lost if it grows.
static bool row_reserve(const TrnRowCoder *coder, unsigned char **buffer, size_t *capacity,
                        size_t bytes)
{
    if (bytes <= *capacity) {
        return true;
    }
    unsigned char *larger = trn_take(&coder->allocator, bytes, TRN_CACHE_LINE);
    if (larger) {
        trn_give(&coder->allocator, *buffer, *capacity);
        *buffer = larger;
        *capacity = bytes;
    }
    return larger != NULL;
}

TrnResult trn_row_encode(TrnRowCoder *coder, TrnStorageKey key, uint64_t revision,
                         const TrnRowVoxels *voxels, const uint16_t *world_ids, TrnStorageRow *row)
{
    const size_t bytes = ROW_PLAIN_BYTES + ROW_SECTION_BYTES + voxels->data_bytes;
    if (voxels->data_bytes && (!row_reserve(coder, &coder->content, &coder->content_bytes, bytes) ||
                               !row_reserve(coder, &coder->row, &coder->row_bytes,
                                            TRN_ROW_HEADER_BYTES + ZSTD_compressBound(bytes)))) {
        return TRN_RESULT_NO_MEMORY;
    }
    coder->data_bytes = 0; // what was decoded is overwritten
    const size_t content = row_fill_content(coder->content, voxels, world_ids);
    const size_t stored =
        ZSTD_compress2(coder->compress, coder->row + TRN_ROW_HEADER_BYTES,
                       coder->row_bytes - TRN_ROW_HEADER_BYTES, coder->content, content);
    if (ZSTD_isError(stored)) {
        return TRN_RESULT_NO_MEMORY; // the only failure that is left: the buffer is large enough
    }
    const TrnRowHeader header = {.key = key,
                                 .revision = revision,
                                 .format =
                                     voxels->data_bytes ? TRN_ROW_FORMAT : TRN_ROW_FORMAT_PLAIN,
                                 .bits = voxels->bits,
                                 .palette_count = voxels->palette_count,
                                 .stored_bytes = (uint32_t)stored,
                                 .content_bytes = (uint32_t)content};
    row_put_header(coder->row, &header);
    *row = (TrnStorageRow){key, revision, coder->row, TRN_ROW_HEADER_BYTES + stored};
    return TRN_RESULT_OK;
}

// ---- checking ----------------------------------------------------------------------------------

static TrnRowHeader row_get_header(const unsigned char *row)
{
    return (TrnRowHeader){.key = {.coord = {(int32_t)(uint32_t)trn_number_read(row + 8, 4),
                                            (int32_t)(uint32_t)trn_number_read(row + 12, 4),
                                            (int32_t)(uint32_t)trn_number_read(row + 16, 4)},
                                  .level = row[6]},
                          .revision = trn_number_read(row + 24, 8),
                          .format = (uint32_t)trn_number_read(row + 4, 2),
                          .bits = row[7],
                          .palette_count = (uint32_t)trn_number_read(row + 20, 2),
                          .stored_bytes = (uint32_t)trn_number_read(row + 40, 4),
                          .content_bytes = (uint32_t)trn_number_read(row + 44, 4)};
}

/// Whether bits and palette are possible together, and the content has capacity for them.
static bool row_shape_is_valid(const TrnRowHeader *header)
{
    const uint32_t bits = header->bits, count = header->palette_count;
    const bool is_width = bits == 0 || bits == 1 || bits == 2 || bits == 4 || bits == 8;
    const bool is_palette = bits == 16 ? count == 0 : is_width && count >= 1 && count <= 1u << bits;
    const size_t most =
        header->format == TRN_ROW_FORMAT ? TRN_ROW_CONTENT_MAX : TRN_ROW_CONTENT_PLAIN_MAX;
    return is_palette && header->content_bytes <= most &&
           header->content_bytes >= count * sizeof(uint16_t) + row_voxel_bytes(bits);
}

TrnRowFault trn_row_check(const void *bytes, size_t size, const TrnStorageKey *key,
                          TrnRowHeader *header)
{
    const unsigned char *row = bytes;
    if (size < TRN_ROW_HEADER_BYTES) {
        return TRN_ROW_FAULT_SIZE;
    }
    if (trn_number_read(row, 4) != TRN_ROW_MAGIC) {
        return TRN_ROW_FAULT_MAGIC;
    }
    if (trn_number_read(row + 4, 2) > TRN_ROW_FORMAT) {
        return TRN_ROW_FAULT_NEWER;
    }
    *header = row_get_header(row);
    if (size != TRN_ROW_HEADER_BYTES + (size_t)header->stored_bytes) {
        return TRN_ROW_FAULT_SIZE;
    }
    if (row_checksum(row, size) != trn_number_read(row + ROW_CHECKSUM_AT, 8)) {
        return TRN_ROW_FAULT_CHECKSUM;
    }
    if (key &&
        (!trn_coord_equal(key->coord, header->key.coord) || key->level != header->key.level)) {
        return TRN_ROW_FAULT_PLACE;
    }
    return row_shape_is_valid(header) ? TRN_ROW_FAULT_NONE : TRN_ROW_FAULT_CONTENT;
}

// ---- decoding ----------------------------------------------------------------------------------

/// Returns the highest entry of all voxels. Compilers make this loop one of vectors. Inlined with a
/// constant width.
static inline uint32_t row_highest_entry(const unsigned char *words, uint32_t bits)
{
    const size_t bytes = row_voxel_bytes(bits);
    const unsigned char mask = (unsigned char)((1u << bits) - 1);
    unsigned char highest = 0;
    for (size_t i = 0; i < bytes; i++) {
        for (uint32_t at = 0; at < 8; at += bits) {
            const unsigned char entry = (unsigned char)(words[i] >> at) & mask;
            highest = entry > highest ? entry : highest;
        }
    }
    return highest;
}

/// Whether no voxel has an entry that the palette lacks.
static bool row_entries_are_valid(uint32_t bits, const unsigned char *words, uint32_t palette_count)
{
    if (palette_count == 1u << bits) {
        return true;
    }
    return palette_count > (bits == 1   ? row_highest_entry(words, 1)
                            : bits == 2 ? row_highest_entry(words, 2)
                            : bits == 4 ? row_highest_entry(words, 4)
                                        : row_highest_entry(words, 8));
}

bool trn_row_unpack(uint32_t bits, const unsigned char *words, const TrnBlock *block_of,
                    uint32_t palette_count, TrnBlock *blocks)
{
    TrnBlock palette[256] = {TRN_BLOCK_AIR};
    memcpy(palette, block_of, palette_count * sizeof *palette);
    trn_voxel_unpack(bits, words, palette, blocks);
    return row_entries_are_valid(bits, words, palette_count);
}

/// Reads ids of the world and looks up their blocks. @return false if the world has no such id
static bool row_map_ids(const unsigned char *from, uint32_t count,
                        const _Atomic(uint32_t) *blocks_of, TrnBlock *blocks)
{
    bool are_known = true;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t block = atomic_load_explicit(
            &blocks_of[trn_number_read(from + (size_t)i * sizeof(uint16_t), sizeof(uint16_t))],
            memory_order_relaxed);
        are_known = are_known && block < ROW_VALUES;
        blocks[i] = (TrnBlock)block;
    }
    return are_known;
}

/// Takes a section. @return false if it is not as documented
static bool row_take_section(TrnRowCoder *coder, uint32_t tag, const unsigned char *bytes,
                             size_t size)
{
    if (tag != TRN_ROW_DATA_TAG) {
        return true;
    }
    const bool is_first = coder->data_at == 0; // a palette or voxels are before it
    coder->data_at = (size_t)(bytes - coder->content);
    coder->data_bytes = size;
    return is_first && trn_row_data_is_valid(bytes, size);
}

/// Whether the sections behind the voxels end where the content ends, and those that we know are as
/// documented.
static bool row_take_sections(TrnRowCoder *coder, const TrnRowHeader *header, size_t at)
{
    size_t size = header->content_bytes - at;
    coder->data_at = coder->data_bytes = 0;
    while (size >= ROW_SECTION_BYTES) {
        const unsigned char *from = coder->content + at;
        const uint64_t bytes = trn_number_read(from + 4, 4);
        const uint32_t tag = (uint32_t)trn_number_read(from, 4);
        if (bytes > size - ROW_SECTION_BYTES ||
            (header->format == TRN_ROW_FORMAT &&
             !row_take_section(coder, tag, from + ROW_SECTION_BYTES, (size_t)bytes))) {
            return false;
        }
        at += ROW_SECTION_BYTES + (size_t)bytes;
        size -= ROW_SECTION_BYTES + (size_t)bytes;
    }
    return size == 0;
}

static bool row_decode_content(TrnRowCoder *coder, const TrnRowHeader *header,
                               const _Atomic(uint32_t) *blocks_of, TrnBlock *blocks, bool *uniform)
{
    const unsigned char *content = coder->content;
    TrnBlock palette[256];
    const size_t palette_bytes = header->palette_count * sizeof(uint16_t);
    const size_t end = palette_bytes + row_voxel_bytes(header->bits);
    if (!row_take_sections(coder, header, end)) {
        return false;
    }
    *uniform = header->bits == 0;
    if (header->bits == 16) {
        return row_map_ids(content, TRN_CHUNK_VOXELS, blocks_of, blocks);
    }
    if (!row_map_ids(content, header->palette_count, blocks_of, palette)) {
        return false;
    }
    blocks[0] = palette[0];
    return *uniform || trn_row_unpack(header->bits, content + palette_bytes, palette,
                                      header->palette_count, blocks);
}

TrnResult trn_row_decode(TrnRowCoder *coder, const TrnStorageRow *row,
                         const _Atomic(uint32_t) *blocks_of, TrnBlock *blocks, bool *uniform,
                         TrnRowFault *fault)
{
    TrnRowHeader header;
    coder->data_bytes = 0;
    *fault = trn_row_check(row->bytes, row->size, &row->key, &header);
    if (*fault != TRN_ROW_FAULT_NONE) {
        return TRN_RESULT_CORRUPT;
    }
    const unsigned char *stored = (const unsigned char *)row->bytes + TRN_ROW_HEADER_BYTES;
    if (header.content_bytes > TRN_ROW_CONTENT_PLAIN_MAX && // a lot, so the frame must say it too
        ZSTD_getFrameContentSize(stored, header.stored_bytes) != header.content_bytes) {
        *fault = TRN_ROW_FAULT_FRAME;
        return TRN_RESULT_CORRUPT;
    }
    // At most TRN_ROW_CONTENT_MAX, whatever the row says.
    if (!row_reserve(coder, &coder->content, &coder->content_bytes, header.content_bytes)) {
        return TRN_RESULT_NO_MEMORY;
    }
    const size_t got = ZSTD_decompressDCtx(coder->decompress, coder->content, header.content_bytes,
                                           stored, header.stored_bytes);
    if (ZSTD_isError(got) || got != header.content_bytes) {
        *fault = TRN_ROW_FAULT_FRAME;
    } else if (!row_decode_content(coder, &header, blocks_of, blocks, uniform)) {
        *fault = TRN_ROW_FAULT_CONTENT;
    }
    return *fault == TRN_ROW_FAULT_NONE ? TRN_RESULT_OK : TRN_RESULT_CORRUPT;
}

const unsigned char *trn_row_data(const TrnRowCoder *coder, size_t *size)
{
    *size = coder->data_bytes;
    return coder->content + coder->data_at;
}
