// Work of reading rows that were written to make it slow. The content of each is decompressed by
// zstd, which does not count.

#include "work.h"

#include "base/number.h"
#include "row.h"

#include <zstd.h>

#define PALETTE_BYTES 4 // two entries
#define VOXEL_BYTES ((size_t)TRN_CHUNK_VOXELS / 8)

/// Encloses content in a row of one bit a voxel that says it is `said` bytes. @return the bytes
static size_t enclose(const unsigned char *content, size_t size, size_t said, unsigned char **row)
{
    const size_t capacity = TRN_ROW_HEADER_BYTES + ZSTD_compressBound(size);
    *row = calloc(capacity, 1);
    assert_non_null(*row);
    const size_t stored = ZSTD_compress(*row + TRN_ROW_HEADER_BYTES,
                                        capacity - TRN_ROW_HEADER_BYTES, content, size, 1);
    assert_false(ZSTD_isError(stored));
    trn_number_write(*row, TRN_ROW_MAGIC, 4);
    trn_number_write(*row + 4, TRN_ROW_FORMAT_PLAIN, 2);
    trn_number_write(*row + 7, 1, 1);  // bits
    trn_number_write(*row + 20, 2, 2); // palette
    trn_number_write(*row + 40, stored, 4);
    trn_number_write(*row + 44, said, 4);
    trn_row_seal(*row, TRN_ROW_HEADER_BYTES + stored);
    return TRN_ROW_HEADER_BYTES + stored;
}

/// Decodes a row of `size` bytes of sections, of `section` bytes each. @return the work
static uint64_t decode(size_t size, size_t section, size_t said, TrnResult expected)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static _Atomic(uint32_t) blocks_of[TRN_BLOCK_TYPES_MAX];
    const TrnAllocator allocator = trn_allocator_default();
    const size_t begin = PALETTE_BYTES + VOXEL_BYTES;
    unsigned char *content = calloc(begin + size, 1), *bytes;
    TrnRowFault fault;
    bool is_uniform;
    assert_non_null(content);
    for (size_t at = begin; at < begin + size; at += section) {
        trn_number_write(content + at + 4, section - 8, 4);
    }
    const size_t row_size = enclose(content, begin + size, said ? said : begin + size, &bytes);
    const TrnStorageRow row = {.bytes = bytes, .size = row_size};
    TrnRowCoder *coder = trn_row_coder_create(&allocator, 1);
    assert_non_null(coder);
    const uint64_t start = work_start();
    assert_int_equal(trn_row_decode(coder, &row, blocks_of, blocks, &is_uniform, &fault), expected);
    const uint64_t work = work_since(start);
    trn_row_coder_destroy(coder);
    free(content);
    free(bytes);
    return work;
}

/// As many sections as fit, empty ones.
static uint64_t work_of_sections(uint32_t size)
{
    return decode(size, 8, 0, TRN_RESULT_OK);
}

static uint64_t work_of_large_section(uint32_t size)
{
    return decode(size, size, 0, TRN_RESULT_OK);
}

/// A frame of a few bytes that decompresses to more than a row may have.
static uint64_t work_of_bomb(uint32_t size)
{
    return decode(size, size, 0, TRN_RESULT_CORRUPT);
}

/// A row that says it has more than its frame.
static uint64_t work_of_false_size(uint32_t size)
{
    return decode(8, 8, TRN_ROW_CONTENT_PLAIN_MAX - size, TRN_RESULT_CORRUPT);
}

static void rows_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_sections, 1 << 16, 3, WORK_LINEAR);
    assert_work_grows(work_of_large_section, 1 << 16, 3, WORK_CONSTANT);
}

static void rows_that_say_too_much_are_refused_at_once(void **state)
{
    (void)state;
    assert_work_grows(work_of_bomb, 1 << 20, 6, WORK_CONSTANT);
    assert_true(work_of_bomb(1 << 26) < 200);
    assert_work_grows(work_of_false_size, 1, 10, WORK_CONSTANT);
    assert_true(work_of_false_size(1) < 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_take_linear_work),
        cmocka_unit_test(rows_that_say_too_much_are_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
