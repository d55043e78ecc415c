// The kernels for light: which rows have even light. Included by mesh_kernels_body.h, once for each
// instruction set; so are
//
//     mesh_kernels_corners.h      the light of corners
//     mesh_kernels_light_merge.h  which faces may merge, because light is linear across them
//     mesh_kernels_light_quads.h  the light of quads
//
// Light works on the chunk and its border: 34 rows along x on each of 34 lines, as TrnLight has
// them, and computes on planes of bits, one word a row and several rows at a time. Nothing is
// decoded but what quads get.
//
// Most light is even: for each row two words tell which bits of the levels any of its voxels has,
// and which all of them have. Where these are equal in the whole neighbourhood of a row, nothing
// else is read.

/// Finds the voxels of some rows that are not opaque.
/// @param chunks  three that are adjacent along x
/// @param row     local, the first in those chunks
/// @param count   rows of one half-layer
MESH_INLINE void MESH(clear_rows)(const TrnMask *chunks, uint32_t row, size_t count,
                                  uint64_t *clear)
{
    const uint64_t all = (UINT64_C(1) << TRN_LIGHT_EDGE) - 1;
    const uint32_t half = row / TRN_HALF_ROWS, first = row % TRN_HALF_ROWS;
    const uint32_t *left = trn_mask_half(chunks[0], half) + first;
    const uint32_t *own = trn_mask_half(chunks[1], half) + first;
    const uint32_t *right = trn_mask_half(chunks[2], half) + first;
    for (size_t i = 0; i < count; i++) {
        const uint64_t opaque = left[i] >> 31 | (uint64_t)own[i] << 1 |
                                (uint64_t)(right[i] & 1) << (TRN_LIGHT_EDGE - 1);
        clear[i] = ~opaque & all;
    }
}

/// Finds the voxels of one line that are not opaque.
/// @param y  -1..32
MESH_INLINE void MESH(clear_line)(TrnMeshWork *work, int y)
{
    const TrnMask *layer = work->opaque + (y < 0 ? 0 : y < TRN_MESH_EDGE ? 9 : 18);
    const uint32_t row = (uint32_t)y % TRN_MESH_EDGE * TRN_MESH_EDGE;
    uint64_t *clear = work->scratch->light.clear + TRN_MESH_LIGHT_ROW(y, -1);
    MESH(clear_rows)(layer, row + TRN_MESH_EDGE - 1, 1, clear);
    MESH(clear_rows)(layer + 3, row, TRN_HALF_ROWS, clear + 1);
    MESH(clear_rows)(layer + 3, row + TRN_HALF_ROWS, TRN_HALF_ROWS, clear + 1 + TRN_HALF_ROWS);
    MESH(clear_rows)(layer + 6, row, 1, clear + TRN_MESH_EDGE + 1);
}

/// Finds which bits any of the codes of some rows has, and which all of them have.
MESH_INLINE void MESH(find_bits)(const TrnMeshWork *work, size_t row)
{
    TrnMeshLight *light = &work->scratch->light;
    const MeshWide none = {0}, clear = MESH(load_wide)(light->clear + row);
    const MeshWide has_any = MESH(differs)(clear, none, 1u << TRN_MESH_CODE_CLEAR);
    MeshWide any = has_any, all = has_any;
    for (uint32_t channel = 0; channel < 2; channel++) {
        const TrnMeshLevels *levels = &work->levels[channel];
        const uint32_t shift = channel * TRN_MESH_CODE_BLOCKS;
        if (!levels->planes) {
            any |= MESH(differs)(clear, none, (uint64_t)levels->constant << shift);
            all |= MESH(differs)(clear, none, (uint64_t)levels->constant << shift);
            continue;
        }
#pragma GCC unroll 4
        for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
            const MeshWide set = MESH(load_wide)(levels->planes[bit] + row) & clear;
            const uint64_t weight = UINT64_C(1) << (bit + shift);
            const MeshWide has = MESH(differs)(set, none, weight);
            any |= has;
            all |= has & ~MESH(differs)(set, clear, weight);
        }
    }
    all |= ~MESH(differs)(clear, none, UINT64_MAX); // a row without clear voxels agrees with all
    uint64_t words[2][MESH_ROWS_AT_ONCE];
    __builtin_memcpy(words[0], &any, sizeof words[0]);
    __builtin_memcpy(words[1], &all, sizeof words[1]);
    for (uint32_t i = 0; i < MESH_ROWS_AT_ONCE; i++) {
        light->any[row + i] = (uint16_t)words[0][i];
        light->all[row + i] = (uint16_t)words[1][i];
    }
}

/// Combines the bits of rows with those of the rows a step before and after.
MESH_INLINE void MESH(combine_bits)(const uint16_t *any, const uint16_t *all, size_t first,
                                    size_t end, size_t step, uint16_t *some_any, uint16_t *some_all)
{
    for (size_t i = first; i < end; i += MESH_CODES_AT_ONCE) {
        // The last ones overlap those before them.
        const size_t at = i + MESH_CODES_AT_ONCE <= end ? i : end - MESH_CODES_AT_ONCE;
        MESH(store_codes)
        (some_any + at, (MeshCodes)(MESH(load_codes)(any + at) | MESH(load_codes)(any + at - step) |
                                    MESH(load_codes)(any + at + step)));
        MESH(store_codes)
        (some_all + at, (MeshCodes)(MESH(load_codes)(all + at) & MESH(load_codes)(all + at - step) &
                                    MESH(load_codes)(all + at + step)));
    }
}

/// Prepares light for faces of the voxels of some lines.
/// @param low,high  0..31
MESH_SHARED void MESH(prepare_light)(TrnMeshWork *work, int low, int high)
{
    TrnMeshLight *light = &work->scratch->light;
    if (low >= work->light_low && high <= work->light_high) {
        return;
    }
    work->light_low = low;
    work->light_high = high;
    work->corners_axis = TRN_MESH_NO_AXIS;
    const size_t first = TRN_MESH_LIGHT_ROW(low - 1, -1);
    const size_t end = TRN_MESH_LIGHT_ROW(high + 1, TRN_MESH_EDGE) + 1;
    for (int y = low - 1; y <= high + 1; y++) {
        MESH(clear_line)(work, y);
    }
    for (size_t row = first; row < end; row += MESH_ROWS_AT_ONCE) {
        const size_t last = end - MESH_ROWS_AT_ONCE;
        MESH(find_bits)(work, row < last ? row : last); // the last ones overlap those before them
    }
    // Rows at both ends of a line combine with those of other lines, but lie in front of no face.
    MESH(combine_bits)
    (light->any, light->all, first + 1, end - 1, 1, light->any_around[1], light->all_around[1]);
    const size_t inner = TRN_MESH_LIGHT_ROW(low, -1);
    const size_t inner_end = TRN_MESH_LIGHT_ROW(high, TRN_MESH_EDGE) + 1;
    MESH(combine_bits)
    (light->any, light->all, inner, inner_end, TRN_LIGHT_EDGE, light->any_around[2],
     light->all_around[2]);
    MESH(combine_bits)
    (light->any_around[1], light->all_around[1], inner + 1, inner_end - 1, TRN_LIGHT_EDGE,
     light->any_around[0], light->all_around[0]);
}
