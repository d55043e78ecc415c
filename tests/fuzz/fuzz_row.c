/// Rows of a save. Random bytes fail at the checksum, so each input is read in three ways: as it
/// is, as a row with its magic, size and checksum mended, and as a chunk's content, stored
/// uncompressed.
#include <stdatomic.h>

#include "base/number.h"
#include "fuzz.h"
#include "row.h"

#define KNOWN_IDS 300         // of the world; the block of each is id + 1000
#define RAW_BLOCK_MAX 131072u // bytes of a block of a zstd frame

typedef struct RowFuzz {
    TrnRowCoder *coder;
    _Atomic(uint32_t) blocks_of[TRN_BLOCK_TYPES_MAX];
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} RowFuzz;

static void create_fuzz(RowFuzz *fuzz)
{
    const TrnAllocator allocator = trn_allocator_default();
    fuzz->coder = trn_row_coder_create(&allocator, 1);
    FUZZ_REQUIRE(fuzz->coder);
    for (uint32_t id = 0; id < TRN_BLOCK_TYPES_MAX; id++) {
        atomic_init(&fuzz->blocks_of[id], id < KNOWN_IDS ? id + 1000 : UINT32_MAX);
    }
}

/// The block data of a row, in order.
typedef struct DataFuzz {
    uint32_t count, last;
} DataFuzz;

static TrnResult take_data(void *user, const TrnBlockData *data)
{
    DataFuzz *seen = user;
    FUZZ_REQUIRE(data->index < TRN_CHUNK_VOXELS && data->size <= TRN_DATA_BYTES_MAX);
    FUZZ_REQUIRE(seen->count == 0 || data->index > seen->last);
    FUZZ_REQUIRE(++seen->count <= TRN_DATA_VOXELS_MAX);
    seen->last = data->index;
    const unsigned char *bytes = data->bytes;
    for (uint32_t i = 0; i < data->size; i += 4096) {
        FUZZ_REQUIRE(bytes[i] <= UINT8_MAX); // the sanitizer sees what is read
    }
    return TRN_RESULT_OK;
}

static void check_data(RowFuzz *fuzz, TrnResult result)
{
    size_t size = 0;
    DataFuzz seen = {0};
    const TrnDataSink sink = {take_data, &seen};
    const unsigned char *bytes = trn_row_data(fuzz->coder, &size);
    FUZZ_REQUIRE(result != TRN_RESULT_OK || trn_row_data_read(bytes, size, &sink) == TRN_RESULT_OK);
}

/// Decodes a row where it says it belongs. What is decoded has blocks of the world alone.
static void decode(RowFuzz *fuzz, const uint8_t *bytes, size_t size)
{
    TrnRowHeader header = {0};
    TrnRowFault fault = trn_row_check(bytes, size, NULL, &header);
    FUZZ_REQUIRE(*trn_row_fault_text(fault));
    if (fault == TRN_ROW_FAULT_NONE && header.content_bytes > 2 * TRN_ROW_CONTENT_PLAIN_MAX) {
        return; // valid, and more memory than a run may take
    }
    const TrnStorageRow row = {header.key, header.revision, bytes, size};
    bool is_uniform = false;
    const TrnResult result =
        trn_row_decode(fuzz->coder, &row, fuzz->blocks_of, fuzz->blocks, &is_uniform, &fault);
    FUZZ_REQUIRE((result == TRN_RESULT_OK) == (fault == TRN_ROW_FAULT_NONE));
    const uint32_t count = is_uniform ? 1 : TRN_CHUNK_VOXELS;
    check_data(fuzz, result);
    for (uint32_t i = 0; result == TRN_RESULT_OK && i < count; i++) {
        FUZZ_REQUIRE(fuzz->blocks[i] >= 1000 && fuzz->blocks[i] < 1000 + KNOWN_IDS);
    }
}

/// Decodes bytes with a valid beginning, size and checksum.
static void decode_mended(RowFuzz *fuzz, uint8_t *row, size_t size)
{
    trn_number_write(row, TRN_ROW_MAGIC, 4);
    trn_number_write(row + 4, TRN_ROW_FORMAT, 2);
    trn_number_write(row + 40, size - TRN_ROW_HEADER_BYTES, 4);
    trn_row_seal(row, size);
    decode(fuzz, row, size);
}

/// Writes content as a zstd frame of uncompressed blocks. @return the bytes
static size_t store_content(uint8_t *frame, const uint8_t *content, size_t size)
{
    size_t at = 0;
    trn_number_write(frame, 0xFD2FB528, 4); // magic
    frame[4] = 0xA0;                        // one segment, its size in four bytes
    trn_number_write(frame + 5, size, 4);
    uint8_t *to = frame + 9;
    do {
        const size_t part = size - at < RAW_BLOCK_MAX ? size - at : RAW_BLOCK_MAX;
        trn_number_write(to, (part << 3) | (at + part == size), 3);
        memcpy(to + 3, content + at, part);
        to += 3 + part;
        at += part;
    } while (at < size);
    return (size_t)(to - frame);
}

/// Decodes a row with given content. The first three bytes are its width and palette count.
static void decode_content(RowFuzz *fuzz, uint8_t *row, const uint8_t *bytes, size_t size)
{
    memset(row, 0, TRN_ROW_HEADER_BYTES);
    row[7] = bytes[0];
    memcpy(row + 20, bytes + 1, 2);
    trn_number_write(row + 44, size - 3, 4);
    const size_t stored = store_content(row + TRN_ROW_HEADER_BYTES, bytes + 3, size - 3);
    decode_mended(fuzz, row, TRN_ROW_HEADER_BYTES + stored);
}

int fuzz_row(const uint8_t *bytes, size_t size);

int fuzz_row(const uint8_t *bytes, size_t size)
{
    static RowFuzz fuzz;
    if (!fuzz.coder) {
        create_fuzz(&fuzz);
    }
    decode(&fuzz, bytes, size);
    if (size < 3 || size > 2 * TRN_ROW_CONTENT_PLAIN_MAX) {
        return 0;
    }
    uint8_t *row = malloc(TRN_ROW_HEADER_BYTES + size + 64);
    FUZZ_REQUIRE(row);
    if (size >= TRN_ROW_HEADER_BYTES) {
        memcpy(row, bytes, size);
        decode_mended(&fuzz, row, size);
    }
    decode_content(&fuzz, row, bytes, size);
    free(row);
    return 0;
}
