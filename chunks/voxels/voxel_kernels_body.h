/// Private: what the sets of wide kernels share, but for their registers. Included by each of them,
/// after it has defined WIDE (the attribute of its functions) and ROW.
#ifndef TERRANE_VOXELS_VOXEL_KERNELS_BODY_H
#define TERRANE_VOXELS_VOXEL_KERNELS_BODY_H

/// Where one row of fields differs from another, a bit to a voxel. Every set has its own, and the
/// next.
WIDE static inline uint32_t differ_row(uint32_t bits_shift, const unsigned char *a,
                                       const unsigned char *b);

/// Whether 64 bytes are the same.
WIDE static inline bool is_line_alike(const unsigned char *a, const unsigned char *b);

/// As many rows at a time as 64 bytes hold: most are alike, and those take a third of the time so.
WIDE static inline void differ_rows(uint32_t bits_shift, const unsigned char *a,
                                    const unsigned char *b, size_t rows, uint32_t *mask_rows)
{
    const size_t row_bytes = (size_t)4 << bits_shift, line_rows = 2 * ROW / row_bytes;
    for (size_t row = 0; row < rows;) {
        if (rows - row >= line_rows && is_line_alike(a + row * row_bytes, b + row * row_bytes)) {
            memset(mask_rows + row, 0, line_rows * sizeof *mask_rows);
            row += line_rows;
            continue;
        }
        const size_t end = rows - row < line_rows ? rows : row + line_rows;
        for (; row < end; row++) {
            mask_rows[row] = differ_row(bits_shift, a + row * row_bytes, b + row * row_bytes);
        }
    }
}

WIDE static void differ_wide(uint32_t bits_shift, const void *a, const void *b, size_t rows,
                             uint32_t *mask_rows)
{
    switch (bits_shift) {
    case 0:
        differ_rows(0, a, b, rows, mask_rows);
        return;
    case 1:
        differ_rows(1, a, b, rows, mask_rows);
        return;
    case 2:
        differ_rows(2, a, b, rows, mask_rows);
        return;
    case 3:
        differ_rows(3, a, b, rows, mask_rows);
        return;
    default:
        differ_rows(4, a, b, rows, mask_rows);
    }
}

/// Four sums side by side, of two rows each.
WIDE static uint32_t count_wide(const uint32_t *mask_rows, size_t rows)
{
    uint64_t sums[4] = {0}, words[4];
    size_t row = 0;
    for (; row + 8 <= rows; row += 8) {
        memcpy(words, mask_rows + row, sizeof words);
        for (int i = 0; i < 4; i++) {
            sums[i] += (uint64_t)__builtin_popcountll(words[i]);
        }
    }
    for (; row < rows; row++) {
        sums[0] += (uint64_t)__builtin_popcount(mask_rows[row]);
    }
    return (uint32_t)(sums[0] + sums[1] + sums[2] + sums[3]);
}

#endif
