/// Private: code that the wide kernels share. Each of their sources includes it once and defines
/// before that
///   WIDE              the instruction set, as a function attribute
///   VOXEL_WIDE(name)  the name of a function, unique to the source
///   ROW               voxels of a row
/// It may also define
///   VOXEL_WIDE_HAS_COUNT  if it counts bits in its own way

/// Compares two rows of fields. Each source defines it, and the next. @return a bit a voxel
WIDE static inline uint32_t VOXEL_WIDE(differ_row)(uint32_t bits_shift, const unsigned char *a,
                                                   const unsigned char *b);

/// Whether 64 bytes are equal.
WIDE static inline bool VOXEL_WIDE(is_line_alike)(const unsigned char *a, const unsigned char *b);

/// Compares 64 bytes at a time first: most are equal, which then takes a third of the time.
WIDE static inline void VOXEL_WIDE(differ_rows)(uint32_t bits_shift, const unsigned char *a,
                                                const unsigned char *b, size_t rows,
                                                uint32_t *mask_rows)
{
    const size_t row_bytes = (size_t)4 << bits_shift, line_rows = 2 * ROW / row_bytes;
    for (size_t row = 0; row < rows;) {
        if (rows - row >= line_rows &&
            VOXEL_WIDE(is_line_alike)(a + row * row_bytes, b + row * row_bytes)) {
            memset(mask_rows + row, 0, line_rows * sizeof *mask_rows);
            row += line_rows;
            continue;
        }
        const size_t end = rows - row < line_rows ? rows : row + line_rows;
        for (; row < end; row++) {
            mask_rows[row] =
                VOXEL_WIDE(differ_row)(bits_shift, a + row * row_bytes, b + row * row_bytes);
        }
    }
}

WIDE static void VOXEL_WIDE(differ)(uint32_t bits_shift, const void *a, const void *b, size_t rows,
                                    uint32_t *mask_rows)
{
    switch (bits_shift) {
    case 0:
        VOXEL_WIDE(differ_rows)(0, a, b, rows, mask_rows);
        return;
    case 1:
        VOXEL_WIDE(differ_rows)(1, a, b, rows, mask_rows);
        return;
    case 2:
        VOXEL_WIDE(differ_rows)(2, a, b, rows, mask_rows);
        return;
    case 3:
        VOXEL_WIDE(differ_rows)(3, a, b, rows, mask_rows);
        return;
    default:
        VOXEL_WIDE(differ_rows)(4, a, b, rows, mask_rows);
    }
}

#ifndef VOXEL_WIDE_HAS_COUNT
/// Adds to four sums in turn, two rows each, so that additions do not wait for each other.
WIDE static uint32_t VOXEL_WIDE(count)(const uint32_t *mask_rows, size_t rows)
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
