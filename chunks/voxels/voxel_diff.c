// The voxels that differ between two snapshots, half-layer by half-layer.

#include <string.h>

#include "voxel_heap_impl.h"
#include "voxel_read_internal.h"

/// Whether two half-layers have the same representation.
static bool diff_is_same(const TrnPayload *a, const TrnPayload *b, uint32_t h)
{
    const TrnHalf of_a = a->half[h], of_b = b->half[h];
    const TrnBlock *lut_a = trn_payload_luts(a) + (size_t)of_a.lut * TRN_LUT_STEP;
    const TrnBlock *lut_b = trn_payload_luts(b) + (size_t)of_b.lut * TRN_LUT_STEP;
    size_t ids = of_a.bits == 16 ? 0 : (size_t)1 << of_a.bits;
    if (a->by_palette >> h & b->by_palette >> h & 1) { // one palette goes on where the other ends
        const size_t count =
            a->palette_count < b->palette_count ? a->palette_count : b->palette_count;
        ids = count < ids ? count : ids;
    }
    return of_a.bits == of_b.bits && memcmp(lut_a, lut_b, ids * sizeof *lut_a) == 0 &&
           memcmp(trn_payload_fields(a, of_a, 0), trn_payload_fields(b, of_b, 0),
                  (size_t)of_a.bits * TRN_CACHE_LINE) == 0;
}

void trn_snapshot_diff_half(TrnSnapshot a, TrnSnapshot b, uint32_t h, uint32_t rows[TRN_HALF_ROWS])
{
    const bool a_is_uniform = trn_snapshot_is_uniform(a), b_is_uniform = trn_snapshot_is_uniform(b);
    if (!a_is_uniform && !b_is_uniform &&
        diff_is_same(trn_snapshot_payload(a), trn_snapshot_payload(b), h)) {
        memset(rows, 0, sizeof(uint32_t[TRN_HALF_ROWS]));
        return;
    }
    _Alignas(TRN_CACHE_LINE) TrnBlock of_a[TRN_HALF_VOXELS], of_b[TRN_HALF_VOXELS];
    trn_snapshot_decode_rows(a, h * TRN_HALF_ROWS, TRN_HALF_ROWS, of_a);
    trn_snapshot_decode_rows(b, h * TRN_HALF_ROWS, TRN_HALF_ROWS, of_b);
    const TrnPayload *payload = trn_snapshot_payload(a_is_uniform ? b : a);
    trn_payload_kernels(payload)->differ(TRN_BITS_SHIFT_PLAIN, of_a, of_b, TRN_HALF_ROWS, rows);
}

bool trn_snapshot_differs_in(TrnSnapshot a, TrnSnapshot b, uint64_t halves)
{
    if (trn_snapshot_is_uniform(a) && trn_snapshot_is_uniform(b)) {
        return halves && trn_snapshot_uniform(a) != trn_snapshot_uniform(b);
    }
    for (uint64_t left = a.word == b.word ? 0 : halves; left; left &= left - 1) {
        uint32_t rows[TRN_HALF_ROWS], differ = 0;
        trn_snapshot_diff_half(a, b, (uint32_t)__builtin_ctzll(left), rows);
        for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
            differ |= rows[row];
        }
        if (differ) {
            return true;
        }
    }
    return false;
}

bool trn_snapshot_equal(TrnSnapshot a, TrnSnapshot b)
{
    return !trn_snapshot_differs_in(a, b, UINT64_MAX);
}

uint32_t trn_snapshot_diff(TrnSnapshot a, TrnSnapshot b, uint32_t rows[TRN_CHUNK_ROWS])
{
    return trn_snapshot_diff_in(a, b, UINT64_MAX, rows);
}

uint32_t trn_snapshot_diff_in(TrnSnapshot a, TrnSnapshot b, uint64_t halves,
                              uint32_t rows[TRN_CHUNK_ROWS])
{
    const bool is_a_uniform = trn_snapshot_is_uniform(a), is_b_uniform = trn_snapshot_is_uniform(b);
    const bool is_same = a.word == b.word;
    if (is_same || (is_a_uniform && is_b_uniform)) {
        const bool differs = !is_same && trn_snapshot_uniform(a) != trn_snapshot_uniform(b);
        memset(rows, differs ? 0xFF : 0, TRN_MASK_BYTES);
        return differs ? TRN_CHUNK_VOXELS : 0;
    }
    const TrnPayload *payload = trn_snapshot_payload(is_a_uniform ? b : a);
    uint32_t count = 0;
    memset(rows, 0, TRN_MASK_BYTES);
    for (uint64_t left = halves; left; left &= left - 1) {
        const uint32_t h = (uint32_t)__builtin_ctzll(left);
        trn_snapshot_diff_half(a, b, h, rows + (size_t)h * TRN_HALF_ROWS);
        count +=
            trn_payload_kernels(payload)->count(rows + (size_t)h * TRN_HALF_ROWS, TRN_HALF_ROWS);
    }
    return count;
}
