/// Map blocks of Luanti, decoded: limits, and any bytes.
#include "luanti_map.h"

#include <import/luanti_block.h>

// ---- limits ------------------------------------------------------------------------------------

/// Content that decompresses to 64 MiB.
static size_t make_bomb(unsigned char *bytes, size_t capacity, bool is_zstd)
{
    const size_t size = (size_t)64 << 20;
    void *zeros = calloc(1, size);
    assert_non_null(zeros);
    size_t packed = 0;
    if (is_zstd) {
        packed = ZSTD_compress(bytes, capacity, zeros, size, 1);
        assert_false(ZSTD_isError(packed));
    } else {
        uLongf taken = capacity;
        assert_int_equal(compress2(bytes, &taken, zeros, size, 9), Z_OK);
        packed = taken;
    }
    free(zeros);
    return packed;
}

static void a_bomb_is_refused(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 18];
    static LuantiWriter nodes;
    static LuantiMap map = {.names = {"air"}, .name_count = 1, .version = 28, .id_bytes = 2};
    TestAllocator counting = {0};
    const TrnAllocator allocator = test_allocator(&counting);
    TrnLuantiDecoder *decoder = trn_luanti_decoder_create(&allocator);
    TrnLuantiBlock block;
    assert_non_null(decoder);
    bytes[0] = 29;
    size_t size = 1 + make_bomb(bytes + 1, sizeof bytes - 1, true);
    assert_int_equal(trn_luanti_block_decode(decoder, bytes, size, &block), TRN_LUANTI_FAULT_LIMIT);
    static const unsigned char head[] = {28, 0, 0, 0, 2, 2};
    memcpy(bytes, head, sizeof head);
    size = 6 + make_bomb(bytes + 6, sizeof bytes - 6, false);
    assert_int_equal(trn_luanti_block_decode(decoder, bytes, size, &block), TRN_LUANTI_FAULT_SIZE);
    // In the metadata, behind good nodes.
    LuantiWriter plain = {.size = 0};
    luanti_write_nodes(&plain, &map, &map.blocks[0]);
    nodes.size = 0;
    luanti_deflate(&nodes, &plain);
    memcpy(bytes + 6, nodes.bytes, nodes.size);
    size = 6 + nodes.size;
    size += make_bomb(bytes + size, sizeof bytes - size, false);
    assert_int_equal(trn_luanti_block_decode(decoder, bytes, size, &block), TRN_LUANTI_FAULT_LIMIT);
    assert_true(counting.peak_bytes < 2 * TRN_LUANTI_CONTENT_MAX);
    trn_luanti_decoder_destroy(decoder);
    assert_int_equal(counting.live_blocks, 0);
}

static void large_inventories_are_no_fault(void **state)
{
    (void)state;
    static LuantiWriter bytes;
    static LuantiMap map = {.names = {"air"}, .name_count = 1, .id_bytes = 2, .block_count = 1};
    const TrnAllocator allocator = trn_allocator_default();
    TrnLuantiDecoder *decoder = trn_luanti_decoder_create(&allocator);
    map.blocks[0].metadata = 1000; // some 40 KiB, with the nodes more than the buffer first holds
    for (map.version = 28; map.version <= 29; map.version++) {
        TrnLuantiBlock block;
        luanti_encode(&bytes, &map, &map.blocks[0]);
        assert_int_equal(trn_luanti_block_decode(decoder, bytes.bytes, bytes.size, &block),
                         TRN_LUANTI_FAULT_NONE);
        assert_int_equal(block.metadata_count, 1000);
        assert_int_equal(block.name_count, 1);
    }
    trn_luanti_decoder_destroy(decoder);
}

// ---- any bytes ---------------------------------------------------------------------------------

/// Decodes a copy of the bytes that ends where they end, and reads what a block has.
static TrnLuantiFault decode_copy(TrnLuantiDecoder *decoder, const unsigned char *bytes,
                                  size_t size)
{
    unsigned char *copy = malloc(size ? size : 1); // a sanitizer sees its end
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    TrnLuantiBlock block;
    const TrnLuantiFault fault = trn_luanti_block_decode(decoder, copy, size, &block);
    assert_true(fault < TRN_LUANTI_FAULT_COUNT && fault != TRN_LUANTI_FAULT_MEMORY);
    if (fault == TRN_LUANTI_FAULT_NONE) {
        uint32_t sum = 0;
        const unsigned char *at = block.names;
        for (uint32_t i = 0; i < block.name_count; i++) {
            const TrnLuantiName name = trn_luanti_next_name(&at);
            sum += name.id + (name.size ? (unsigned char)name.text[name.size - 1] : 0);
        }
        for (uint32_t i = 0; i < LUANTI_NODES; i++) {
            sum += block.ids[(size_t)i * block.id_bytes] + block.param2[i];
        }
        assert_true(sum != UINT32_MAX);
    }
    free(copy);
    return fault;
}

static void every_prefix_and_flip_of_a_block_is_safe(void **state)
{
    (void)state;
    static LuantiWriter bytes;
    static LuantiMap map = {.id_bytes = 2};
    const TrnAllocator allocator = trn_allocator_default();
    TrnLuantiDecoder *decoder = trn_luanti_decoder_create(&allocator);
    for (int i = 0; i < 16; i++) {
        luanti_set(&map, i, i % 5, 3 * i % 16, i % 2 ? "default:glass" : "default:cobble");
    }
    map.blocks[0].metadata = 2;
    for (uint32_t version = 25; version <= 29; version += version == 25 ? 3 : 1) {
        map.version = version;
        luanti_encode(&bytes, &map, &map.blocks[0]);
        assert_int_equal(decode_copy(decoder, bytes.bytes, bytes.size), TRN_LUANTI_FAULT_NONE);
        uint32_t faults = 0;
        // The timers at the end are not read, so a prefix without them is whole.
        const size_t read = version == 29 ? bytes.size : bytes.size - 3;
        for (size_t size = 0; size < bytes.size; size++) {
            const TrnLuantiFault fault = decode_copy(decoder, bytes.bytes, size);
            assert_int_equal(fault == TRN_LUANTI_FAULT_NONE, size >= read);
        }
        for (size_t at = 0; at < bytes.size; at++) {
            for (int bit = 0; bit < 8; bit++) {
                bytes.bytes[at] ^= (unsigned char)(1 << bit);
                faults += decode_copy(decoder, bytes.bytes, bytes.size) != TRN_LUANTI_FAULT_NONE;
                bytes.bytes[at] ^= (unsigned char)(1 << bit);
            }
        }
        assert_true(faults > 0);
    }
    trn_luanti_decoder_destroy(decoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bomb_is_refused),
        cmocka_unit_test(large_inventories_are_no_fault),
        cmocka_unit_test(every_prefix_and_flip_of_a_block_is_safe),
    };
    return cmocka_run_group_tests_name("luanti_block", tests, NULL, NULL);
}
