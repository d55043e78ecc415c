/// Columns as region files keep them: the first byte is the compression, the rest the data. With
/// LZ4, the checksums are mended first: random bytes would fail at them.
#include <xxhash.h>

#include "base/memory.h"
#include "base/number.h"
#include "fuzz.h"
#include "import/anvil_files.h"

/// Gives each stored block of a stream of LZ4 the checksum of its bytes.
static void mend_checksums(uint8_t *bytes, size_t size)
{
    const size_t head = 21;
    for (size_t at = 0; size - at >= head;) {
        const size_t stored = trn_number_read(bytes + at + 9, 4);
        if (stored > size - at - head) {
            return;
        }
        const uint32_t hash = XXH32(bytes + at + head, stored, 0x9747B28C);
        if ((bytes[at + 8] & 0xF0) == 0x10) {
            trn_number_write(bytes + at + 17, hash & 0x0FFFFFFF, 4);
        }
        at += head + stored;
    }
}

int fuzz_region(const uint8_t *bytes, size_t size);

int fuzz_region(const uint8_t *bytes, size_t size)
{
    static TrnBytes column;
    const TrnAllocator allocator = trn_allocator_default();
    TrnRegionHead head;
    if (size >= TRN_REGION_HEAD_BYTES && trn_region_head(bytes, &head)) {
        FUZZ_REQUIRE(head.size <= TRN_REGION_COLUMN_MAX && head.compression < 128);
        (void)trn_region_location(bytes);
    }
    if (size == 0) {
        return 0;
    }
    uint8_t *data = malloc(size);
    FUZZ_REQUIRE(data);
    memcpy(data, bytes, size);
    if (bytes[0] == TRN_REGION_LZ4) {
        mend_checksums(data + 1, size - 1);
    }
    bool is_cut;
    const TrnResult result = trn_region_decompress(
        bytes[0], data + 1, size - 1, TRN_REGION_COLUMN_MAX, &allocator, &column, &is_cut);
    FUZZ_REQUIRE(!is_cut || result == TRN_RESULT_CORRUPT);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_CORRUPT);
    FUZZ_REQUIRE(column.count <= TRN_REGION_COLUMN_MAX && column.count <= column.capacity);
    trn_array_free(&column, &allocator);
    free(data);
    return 0;
}
