/// Rows: what is written is read, and no damage goes unseen.
#include <stdatomic.h>

#include "save_chunk.h"

#include "base/number.h"
#include "row.h"

#include <terrane/block_types.h>

static uint16_t world_ids[TRN_BLOCK_TYPES_MAX];
static _Atomic(uint32_t) blocks_of[TRN_BLOCK_TYPES_MAX];

/// The world numbers its blocks from the end.
static void number_blocks(uint32_t count)
{
    for (uint32_t i = 0; i < TRN_BLOCK_TYPES_MAX; i++) {
        world_ids[i] = 0;
        atomic_store(&blocks_of[i], UINT32_MAX);
    }
    for (uint32_t block = 1; block <= count; block++) {
        world_ids[block] = (uint16_t)(TRN_BLOCK_TYPES_MAX - block);
        atomic_store(&blocks_of[world_ids[block]], block);
    }
}

static TrnRowVoxels voxels_of(TrnSnapshot snapshot, TrnBlock *uniform)
{
    static _Alignas(TRN_CACHE_LINE) TrnVoxelPacker packer;
    if (!trn_snapshot_is_uniform(snapshot)) {
        return trn_row_pack(snapshot, &packer);
    }
    *uniform = trn_snapshot_uniform(snapshot);
    return (TrnRowVoxels){.palette_count = 1, .palette = uniform};
}

typedef struct RowTest {
    SaveChunk chunk;
    TrnRowCoder *coder;
    TrnStorageRow row; ///< its bytes are ours
    unsigned char *bytes;
    TrnBlock got[TRN_CHUNK_VOXELS];
} RowTest;

static int begin(void **state)
{
    RowTest *test = calloc(1, sizeof *test);
    const TrnAllocator allocator = trn_allocator_default();
    save_chunk_create(&test->chunk);
    test->coder = trn_row_coder_create(&allocator, 1);
    assert_non_null(test->coder);
    *state = test;
    return 0;
}

static int end(void **state)
{
    RowTest *test = *state;
    free(test->bytes);
    trn_row_coder_destroy(test->coder);
    save_chunk_destroy(&test->chunk);
    free(test);
    return 0;
}

static const TrnStorageKey place = {{-5, INT32_MAX, INT32_MIN}, 3};

/// Encodes a chunk of some types into memory of the test, of exactly its size.
static void encode(RowTest *test, TestRandom *random, uint32_t types)
{
    TrnBlock uniform;
    TrnStorageRow row;
    const TrnRowVoxels voxels = voxels_of(save_chunk_fill(&test->chunk, random, types), &uniform);
    assert_int_equal(trn_row_encode(test->coder, place, 77, &voxels, world_ids, &row),
                     TRN_RESULT_OK);
    free(test->bytes);
    test->bytes = malloc(row.size);
    memcpy(test->bytes, row.bytes, row.size);
    test->row = row;
    test->row.bytes = test->bytes;
}

static TrnResult decode(RowTest *test, TrnRowFault *fault)
{
    bool uniform;
    memset(test->got, 0xFF, sizeof test->got);
    const TrnResult result =
        trn_row_decode(test->coder, &test->row, blocks_of, test->got, &uniform, fault);
    for (uint32_t i = 1; result == TRN_RESULT_OK && uniform && i < TRN_CHUNK_VOXELS; i++) {
        test->got[i] = test->got[0];
    }
    return result;
}

static void what_is_encoded_is_decoded_at_every_width(void **state)
{
    RowTest *test = *state;
    static const uint32_t types[] = {1, 2, 3, 4, 5, 16, 17, 256, 257, 30000};
    TestRandom random = test_random_seeded(24);
    number_blocks(30000);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        TrnRowFault fault;
        TrnRowHeader header;
        encode(test, &random, types[i]);
        assert_int_equal(decode(test, &fault), TRN_RESULT_OK);
        assert_int_equal(fault, TRN_ROW_FAULT_NONE);
        assert_memory_equal(test->got, test->chunk.blocks, sizeof test->got);
        assert_int_equal(trn_row_check(test->bytes, test->row.size, &place, &header),
                         TRN_ROW_FAULT_NONE);
        assert_int_equal(header.revision, 77);
        assert_int_equal(header.key.coord.z, INT32_MIN);
    }
}

static void every_flipped_bit_and_every_cut_is_seen(void **state)
{
    RowTest *test = *state;
    static const uint32_t types[] = {1, 3};
    TestRandom random = test_random_seeded(25);
    number_blocks(300);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        TrnRowFault fault;
        encode(test, &random, types[i]);
        const size_t size = test->row.size;
        for (size_t bit = 0; bit < size * 8; bit += bit < 800 ? 1 : 61) {
            test->bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            assert_int_equal(decode(test, &fault), TRN_RESULT_CORRUPT);
            assert_int_not_equal(fault, TRN_ROW_FAULT_NONE);
            test->bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 37) {
            unsigned char *part = malloc(cut ? cut : 1); // so that a sanitizer sees every read
            memcpy(part, test->bytes, cut);
            test->row.bytes = part;
            test->row.size = cut;
            assert_int_equal(decode(test, &fault), TRN_RESULT_CORRUPT);
            free(part);
        }
    }
}

/// Writes content as a zstd frame of one uncompressed block. @return the bytes
static size_t store_plain(unsigned char *frame, const unsigned char *content, size_t size)
{
    trn_number_write(frame, 0xFD2FB528, 4); // magic
    frame[4] = 0xA0;                        // one segment, its size in four bytes
    trn_number_write(frame + 5, size, 4);
    trn_number_write(frame + 9, size << 3 | 1, 3); // the last block
    memcpy(frame + 12, content, size);
    return 12 + size;
}

/// Decodes a row of a uniform chunk with given content. @param said  bytes of it, by the row
static TrnResult decode_content(RowTest *test, uint32_t format, const unsigned char *content,
                                size_t size, size_t said, TrnRowFault *fault)
{
    unsigned char *row = malloc(512);
    TestRandom random = {1};
    encode(test, &random, 1);
    memcpy(row, test->bytes, TRN_ROW_HEADER_BYTES);
    const size_t stored = store_plain(row + TRN_ROW_HEADER_BYTES, content, size);
    trn_number_write(row + 4, format, 2);
    trn_number_write(row + 40, stored, 4);
    trn_number_write(row + 44, said, 4);
    trn_row_seal(row, TRN_ROW_HEADER_BYTES + stored);
    test->row.bytes = row;
    test->row.size = TRN_ROW_HEADER_BYTES + stored;
    const TrnResult result = decode(test, fault);
    free(row);
    return result;
}

/// Decodes a uniform chunk of block 5 that has more behind its palette.
static TrnResult decode_with_sections(RowTest *test, uint32_t format, const void *sections,
                                      size_t size, TrnRowFault *fault)
{
    unsigned char content[256];
    trn_number_write(content, world_ids[5], 2);
    memcpy(content + 2, sections, size);
    return decode_content(test, format, content, size + 2, size + 2, fault);
}

/// Later versions may add sections behind the voxels; those that end elsewhere are damage.
static void unknown_sections_are_skipped(void **state)
{
    RowTest *test = *state;
    TrnRowFault fault;
    number_blocks(300);
    const unsigned char sections[] = "AAAA\3\0\0\0abcBBBB\0\0\0"; // and the zero at its end
    assert_int_equal(
        decode_with_sections(test, TRN_ROW_FORMAT_PLAIN, sections, sizeof sections, &fault),
        TRN_RESULT_OK);
    assert_int_equal(test->got[77], 5);
    for (size_t cut = 1; cut < sizeof sections; cut++) {
        const TrnResult result =
            decode_with_sections(test, TRN_ROW_FORMAT_PLAIN, sections, cut, &fault);
        assert_int_equal(result, cut == 11 ? TRN_RESULT_OK : TRN_RESULT_CORRUPT);
        assert_int_equal(fault, cut == 11 ? TRN_ROW_FAULT_NONE : TRN_ROW_FAULT_CONTENT);
    }
}

/// Block data has one section; a second one is damage, whatever the two have.
static void a_second_section_of_block_data_is_refused(void **state)
{
    RowTest *test = *state;
    static const TrnBlockData data = {"sign", 4, 77, TRN_DATA_STAYS};
    static const size_t counts[][2] = {{1, 0}, {0, 1}, {1, 1}, {0, 0}};
    TrnRowFault fault;
    number_blocks(300);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        unsigned char sections[128];
        size_t end[2], at = 0;
        for (uint32_t k = 0; k < 2; k++) {
            const size_t bytes = trn_row_data_bytes(&data, (uint32_t)counts[i][k]);
            trn_number_write(sections + at, TRN_ROW_DATA_TAG, 4);
            trn_number_write(sections + at + 4, bytes, 4);
            trn_row_data_write(&data, (uint32_t)counts[i][k], sections + at + 8);
            at = end[k] = at + 8 + bytes;
        }
        assert_int_equal(decode_with_sections(test, TRN_ROW_FORMAT, sections, end[0], &fault),
                         TRN_RESULT_OK);
        assert_int_equal(decode_with_sections(test, TRN_ROW_FORMAT, sections, end[1], &fault),
                         TRN_RESULT_CORRUPT);
        assert_int_equal(fault, TRN_ROW_FAULT_CONTENT);
    }
}

/// A row has no bytes behind what its header counts, whatever checksum it has.
static void a_row_that_is_longer_than_it_says_is_refused(void **state)
{
    RowTest *test = *state;
    TestRandom random = test_random_seeded(29);
    TrnRowFault fault;
    number_blocks(300);
    encode(test, &random, 5);
    const size_t size = test->row.size + 1;
    unsigned char *longer = realloc(test->bytes, size);
    assert_non_null(longer);
    longer[size - 1] = 0;
    trn_row_seal(longer, size);
    test->row.bytes = test->bytes = longer;
    test->row.size = size;
    assert_int_equal(decode(test, &fault), TRN_RESULT_CORRUPT);
    assert_int_equal(fault, TRN_ROW_FAULT_SIZE);
}

/// A short row that says that it has megabytes takes none: its frame must say the same.
static void a_frame_of_another_size_takes_no_memory(void **state)
{
    RowTest *test = *state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    unsigned char content[2];
    TrnRowFault fault;
    number_blocks(300);
    trn_number_write(content, world_ids[5], 2);
    trn_row_coder_destroy(test->coder);
    test->coder = trn_row_coder_create(&allocator, 1);
    assert_non_null(test->coder);
    test_fail(&memory, 0, 0);
    assert_int_equal(
        decode_content(test, TRN_ROW_FORMAT, content, 2, TRN_ROW_CONTENT_PLAIN_MAX + 1, &fault),
        TRN_RESULT_CORRUPT);
    assert_int_equal(fault, TRN_ROW_FAULT_FRAME);
    assert_int_equal(decode_content(test, TRN_ROW_FORMAT, content, 2, TRN_ROW_CONTENT_MAX, &fault),
                     TRN_RESULT_CORRUPT);
    assert_int_equal(fault, TRN_ROW_FAULT_FRAME);
    assert_int_equal(memory.allocations, 0);
    assert_int_equal(decode_content(test, TRN_ROW_FORMAT, content, 2, 3, &fault),
                     TRN_RESULT_CORRUPT);
    assert_int_equal(fault, TRN_ROW_FAULT_FRAME);
    trn_row_coder_destroy(test->coder);
    test->coder = NULL;
    assert_int_equal(memory.live_bytes, 0);
}

/// A row of a later format is reported as such.
static void a_row_of_a_later_format_is_refused(void **state)
{
    RowTest *test = *state;
    TestRandom random = test_random_seeded(28);
    TrnRowFault fault;
    number_blocks(300);
    encode(test, &random, 5);
    trn_number_write(test->bytes + 4, TRN_ROW_FORMAT + 1, 2);
    trn_row_seal(test->bytes, test->row.size);
    assert_int_equal(decode(test, &fault), TRN_RESULT_CORRUPT);
    assert_int_equal(fault, TRN_ROW_FAULT_NEWER);
}

static void a_row_of_another_place_is_refused(void **state)
{
    RowTest *test = *state;
    TestRandom random = test_random_seeded(26);
    TrnRowFault fault;
    number_blocks(300);
    encode(test, &random, 5);
    test->row.key.coord.x++;
    assert_int_equal(decode(test, &fault), TRN_RESULT_CORRUPT);
    assert_int_equal(fault, TRN_ROW_FAULT_PLACE);
    test->row.key = place;
    test->row.key.level = 0;
    assert_int_equal(decode(test, &fault), TRN_RESULT_CORRUPT);
    assert_int_equal(fault, TRN_ROW_FAULT_PLACE);
}

static void ids_that_the_world_lacks_are_refused(void **state)
{
    RowTest *test = *state;
    TestRandom random = test_random_seeded(27);
    static const uint32_t types[] = {1, 7, 300};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        TrnRowFault fault;
        number_blocks(300);
        encode(test, &random, types[i]);
        atomic_store(&blocks_of[world_ids[types[i]]], UINT32_MAX);
        assert_int_equal(decode(test, &fault), TRN_RESULT_CORRUPT);
        assert_int_equal(fault, TRN_ROW_FAULT_CONTENT);
    }
}

/// Voxels lie behind a palette in the content, so at any even address.
static void words_of_any_alignment_are_unpacked(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(28);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static unsigned char content[TRN_CHUNK_VOXELS + 64];
    for (uint32_t bits = 1; bits <= 8; bits *= 2) {
        const uint32_t count = 1u << bits;
        for (uint32_t offset = 0; offset < 64; offset += 1 + offset / 4) {
            unsigned char *words = content + offset;
            TrnBlock block_of[256];
            for (uint32_t i = 0; i < count; i++) {
                block_of[i] = (TrnBlock)test_random_next(&random);
            }
            for (uint32_t i = 0; i < TRN_CHUNK_VOXELS / 8 * bits; i++) {
                words[i] = (unsigned char)test_random_next(&random);
            }
            assert_true(trn_row_unpack(bits, words, block_of, count, blocks));
            for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
                const uint32_t at = i * bits;
                assert_int_equal(blocks[i], block_of[words[at / 8] >> at % 8 & (count - 1)]);
            }
        }
    }
}

static void entries_beyond_the_palette_are_refused(void **state)
{
    (void)state;
    const TrnBlock block_of[3] = {5, 6, 7};
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static unsigned char words[TRN_CHUNK_VOXELS];
    static const uint32_t widths[] = {2, 4, 8};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const uint32_t bits = widths[i];
        memset(words, 0, sizeof words);
        assert_true(trn_row_unpack(bits, words, block_of, 3, blocks));
        assert_int_equal(blocks[TRN_CHUNK_VOXELS - 1], 5);
        words[TRN_CHUNK_VOXELS / 8 * bits - 1] = (unsigned char)(3u << (8 - bits)); // the last
        assert_false(trn_row_unpack(bits, words, block_of, 3, blocks));
        words[TRN_CHUNK_VOXELS / 8 * bits - 1] = (unsigned char)(2u << (8 - bits));
        assert_true(trn_row_unpack(bits, words, block_of, 3, blocks));
        assert_int_equal(blocks[TRN_CHUNK_VOXELS - 1], 7);
        assert_int_equal(blocks[TRN_CHUNK_VOXELS - 2], 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_encoded_is_decoded_at_every_width, begin, end),
        cmocka_unit_test_setup_teardown(every_flipped_bit_and_every_cut_is_seen, begin, end),
        cmocka_unit_test_setup_teardown(unknown_sections_are_skipped, begin, end),
        cmocka_unit_test_setup_teardown(a_second_section_of_block_data_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_row_that_is_longer_than_it_says_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_frame_of_another_size_takes_no_memory, begin, end),
        cmocka_unit_test_setup_teardown(a_row_of_a_later_format_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_row_of_another_place_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(ids_that_the_world_lacks_are_refused, begin, end),
        cmocka_unit_test(words_of_any_alignment_are_unpacked),
        cmocka_unit_test(entries_beyond_the_palette_are_refused)};
    return cmocka_run_group_tests_name("save_row", tests, NULL, NULL);
}
