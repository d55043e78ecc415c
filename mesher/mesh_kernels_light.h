// The kernels for light: which faces may merge because light is linear across them, and the light
// of quads. Included by mesh_kernels_body.h, once for each instruction set.
//
// Light works on the chunk and its border: 34 rows along x on each of 34 lines, as TrnLight has
// them. Each voxel has a code that adds up: the sum of the codes of four voxels says how many of
// them are not opaque, and the sum of their levels. Most rows have one code, which two words of
// bits tell: the bits that any of their voxels has, and those that all have. Where these are equal
// in the whole neighbourhood of a row, light is even, and nothing else is read. Other rows are
// decoded when first needed.

// ---- rows --------------------------------------------------------------------------------------

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
    const size_t first = TRN_MESH_LIGHT_ROW(low - 1, -1);
    const size_t end = TRN_MESH_LIGHT_ROW(high + 1, TRN_MESH_EDGE) + 1;
    __builtin_memset(light->decoded + first, 0, end - first);
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

/// Decodes the codes of a row.
MESH_INLINE void MESH(decode_codes)(const TrnMeshWork *work, uint32_t row)
{
    TrnMeshLight *light = &work->scratch->light;
    uint16_t *codes = light->codes[row];
    const uint64_t clear = light->clear[row];
    uint64_t planes[2 * TRN_LIGHT_LEVELS];
    uint16_t weights[2 * TRN_LIGHT_LEVELS];
    uint32_t count = 0;
    // The bits that all codes have need no look at the planes, and often those are all.
    const uint16_t differing = (uint16_t)(light->any[row] & ~light->all[row]);
    for (uint32_t i = 0; i < 2 * TRN_LIGHT_LEVELS; i++) {
        const uint32_t channel = i / TRN_LIGHT_LEVELS, bit = i % TRN_LIGHT_LEVELS;
        const uint16_t weight = (uint16_t)(1u << (bit + channel * TRN_MESH_CODE_BLOCKS));
        if (differing & weight) {
            planes[count] = work->levels[channel].planes[bit][row] & clear;
            weights[count++] = weight;
        }
    }
    const uint16_t common = light->any[row] & light->all[row];
    for (uint32_t i = 0; i < TRN_LIGHT_EDGE; i += MESH_CODES_AT_ONCE) {
        const uint32_t last = TRN_LIGHT_EDGE - MESH_CODES_AT_ONCE, at = i < last ? i : last;
        MeshCodes some = MESH(spread_row)(clear, at, common);
        for (uint32_t j = 0; j < count; j++) {
            some |= MESH(spread_row)(planes[j], at, weights[j]);
        }
        MESH(store_codes)(codes + at, some);
    }
}

/// Decodes a row of a prepared line and the rows around it, in the layer in front of faces of an
/// axis.
MESH_SHARED void MESH(decode_around)(const TrnMeshWork *work, uint32_t row, uint32_t axis)
{
    uint8_t *decoded = work->scratch->light.decoded;
    const uint32_t z = axis == 2 ? 0 : 1, y = axis == 1 ? 0 : TRN_LIGHT_EDGE;
    for (uint32_t line = row - y; line <= row + y; line += TRN_LIGHT_EDGE) {
        for (uint32_t at = line - z; at <= line + z; at++) {
            if (!(decoded[at] & TRN_MESH_DECODED_ROW)) {
                decoded[at] |= TRN_MESH_DECODED_ROW;
                MESH(decode_codes)(work, at);
            }
        }
    }
    decoded[row] |= (uint8_t)(1u << axis);
}

/// The same, unless it is done already.
MESH_INLINE void MESH(need_light)(const TrnMeshWork *work, uint32_t row, uint32_t axis)
{
    if (!(work->scratch->light.decoded[row] >> axis & 1)) {
        MESH(decode_around)(work, row, axis);
    }
}

// ---- merging -----------------------------------------------------------------------------------

/// Returns the mean levels of up to four voxels, the light of blocks in the upper byte; 0 if all
/// are opaque.
/// @param sums  of their codes
MESH_INLINE MeshCodes MESH(means)(MeshCodes sums)
{
    const MeshCodes counts = (MeshCodes)(sums >> TRN_MESH_CODE_CLEAR & 7);
    const MeshCodes sky = (MeshCodes)(sums & 63);
    const MeshCodes blocks = (MeshCodes)(sums >> TRN_MESH_CODE_BLOCKS);
    // To the nearest, halves up: (2 sum + count) / (2 count). The factors are 1024 / (2 count),
    // which is exact for these sums.
    const MeshCodes factor =
        (MeshCodes)((MESH(equals)(counts, 1) & 512) | (MESH(equals)(counts, 2) & 256) |
                    (MESH(equals)(counts, 3) & 171) | (MESH(equals)(counts, 4) & 128));
    return (MeshCodes)(((2 * sky + counts) * factor >> 10) |
                       ((2 * blocks + counts) * factor >> 10 << 8));
}

/// Finds the mean levels of four rows of codes.
/// @param count  how many means; at least MESH_CODES_AT_ONCE
MESH_INLINE void MESH(find_means)(const uint16_t *a, const uint16_t *b, const uint16_t *c,
                                  const uint16_t *d, uint32_t count, uint16_t *means)
{
    for (uint32_t i = 0; i < count; i += MESH_CODES_AT_ONCE) {
        const uint32_t last = count - MESH_CODES_AT_ONCE, at = i < last ? i : last;
        const MeshCodes left = (MeshCodes)(MESH(load_codes)(a + at) + MESH(load_codes)(c + at));
        const MeshCodes right = (MeshCodes)(MESH(load_codes)(b + at) + MESH(load_codes)(d + at));
        MESH(store_codes)(means + at, MESH(means)((MeshCodes)(left + right)));
    }
}

MESH_INLINE void MESH(subtract)(const uint16_t *from, const uint16_t *levels, uint16_t *result)
{
    for (uint32_t i = 0; i < TRN_MESH_EDGE; i += MESH_CODES_AT_ONCE) {
        MESH(store_codes)
        (result + i, (MeshCodes)(MESH(load_codes)(from + i) - MESH(load_codes)(levels + i)));
    }
}

/// Where the voxels in front of a direction's faces lie.
#define MeshFront MESH(Front)
typedef struct MESH(Front) {
    int y, z;       ///< steps from the voxel that owns the face
    uint32_t shift; ///< the bit of the voxel in front of the first face of a row
    uint32_t axis;
} MeshFront;

MESH_INLINE MeshFront MESH(front_of)(uint32_t face)
{
    const int step = face % 2 ? 1 : -1;
    const uint32_t axis = face / 2;
    const MeshFront front = {axis == 1 ? step : 0, axis == 2 ? step : 0,
                             axis == 0 ? (uint32_t)(1 + step) : 1, axis};
    return front;
}

/// Finds how light changes across the faces of one row of voxels, in a direction along y or z.
/// @param row  the row in front
MESH_INLINE void MESH(slopes_of_row)(const TrnMeshWork *work, uint32_t row, uint32_t axis,
                                     TrnMeshSlopes *slopes)
{
    const uint32_t step = trn_mesh_height_rows(axis);
    const uint16_t *own = work->scratch->light.codes[row];
    const uint16_t *before = work->scratch->light.codes[row - step];
    const uint16_t *after = work->scratch->light.codes[row + step];
    // The corners at the low and high end of the height. Corner x lies before voxel x.
    uint16_t low[TRN_MESH_EDGE + 1], high[TRN_MESH_EDGE + 1], upper[TRN_MESH_EDGE];
    MESH(need_light)(work, row, axis);
    MESH(find_means)(before, before + 1, own, own + 1, TRN_MESH_EDGE + 1, low);
    MESH(find_means)(own, own + 1, after, after + 1, TRN_MESH_EDGE + 1, high);
    MESH(subtract)(low + 1, low, slopes->along);
    MESH(subtract)(high + 1, high, upper);
    MESH(subtract)(high, low, slopes->across);
    const uint64_t *clear = work->scratch->light.clear + row;
    const uint64_t below = clear[-(ptrdiff_t)step], here = clear[0], above = clear[step];
    const uint64_t split = trn_mesh_split(below, below >> 1, here, here >> 1) |
                           trn_mesh_split(here, here >> 1, above, above >> 1);
    slopes->bent = ~MESH(same_blocks)(slopes->along, upper) | (uint32_t)(split | split >> 1);
}

/// The same in a direction along x.
/// @param shift  the bit of the voxel in front of the first face
MESH_INLINE void MESH(slopes_of_columns)(const TrnMeshWork *work, uint32_t row, uint32_t shift,
                                         TrnMeshSlopes *slopes)
{
    const TrnMeshLight *light = &work->scratch->light;
    uint16_t means[4][TRN_MESH_EDGE], upper[TRN_MESH_EDGE];
    uint64_t split = 0;
    MESH(need_light)(work, row, 0);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t low = row + i % 2 - 1 + (i / 2 - 1) * TRN_LIGHT_EDGE;
        const uint32_t high = low + TRN_LIGHT_EDGE;
        MESH(find_means)
        (light->codes[low] + shift, light->codes[low + 1] + shift, light->codes[high] + shift,
         light->codes[high + 1] + shift, TRN_MESH_EDGE, means[i]);
        split |= trn_mesh_split(light->clear[low], light->clear[low + 1], light->clear[high],
                                light->clear[high + 1]);
    }
    MESH(subtract)(means[1], means[0], slopes->along);
    MESH(subtract)(means[3], means[2], upper);
    MESH(subtract)(means[2], means[0], slopes->across);
    slopes->bent = ~MESH(same_blocks)(slopes->along, upper) | (uint32_t)(split >> shift);
}

/// By y, bit z: what is known of a direction's rows of voxels along x before their light is read.
#define MeshLightLines MESH(LightLines)
typedef struct MESH(LightLines) {
    uint32_t uneven[TRN_MESH_EDGE]; ///< light is uneven in front of faces that may merge
    uint32_t along[TRN_MESH_EDGE];  ///< a face may merge with the next one along the width
    uint32_t across[TRN_MESH_EDGE]; ///< likewise along the height
} MeshLightLines;

/// Finds which rows have faces that may merge, as far as blocks allow it.
MESH_INLINE void MESH(find_pairs)(const TrnMeshSide *side, int y, MeshLightLines *lines)
{
    MeshLanes all_along = {0}, all_across = {0};
    uint32_t along = 0, across = 0;
    for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
        const int at = TRN_MESH_FROM_ORIGIN(y, lane), next = at + side->row_step;
        const ptrdiff_t link = TRN_MESH_LINE(y) + lane;
        const MeshLanes faces = MESH(load)(side->own + at) & ~MESH(load)(side->front + at);
        const MeshLanes ahead = MESH(load)(side->own + next) & ~MESH(load)(side->front + next);
        const MeshLanes wide = faces & faces >> 1 & MESH(load)(side->along + link);
        const MeshLanes tall = faces & ahead & MESH(load)(side->across + link);
        all_along |= wide;
        all_across |= tall;
        along |= MESH(nonzero)(wide) << lane;
        across |= MESH(nonzero)(tall) << lane;
    }
    // In transposed layers lanes lie along x.
    lines->along[y] = side->is_transposed ? MESH(fold)(all_along) : along;
    lines->across[y] = side->is_transposed ? MESH(fold)(all_across) : across;
    // The next row of the last is outside the chunk.
    lines->across[y] &= side->is_horizontal ? UINT32_MAX >> 1 : y < side->high ? UINT32_MAX : 0;
}

/// Finds which rows of a direction need a look at their light.
/// @return whether any does
MESH_INLINE bool MESH(find_uneven)(const TrnMeshWork *work, const TrnMeshSide *side,
                                   const MeshFront *front, MeshLightLines *lines)
{
    const TrnMeshLight *light = &work->scratch->light;
    uint32_t any = 0;
    for (int y = side->low; y <= side->high; y++) {
        const uint32_t row = TRN_MESH_LIGHT_ROW(y + front->y, front->z);
        lines->uneven[y] = ~MESH(same_blocks)(light->any_around[front->axis] + row,
                                              light->all_around[front->axis] + row);
        any |= lines->uneven[y];
    }
    if (!any) {
        return false;
    }
    uint32_t before = 0;
    any = 0;
    for (int y = side->low; y <= side->high; y++) {
        MESH(find_pairs)(side, y, lines);
        const uint32_t along = lines->along[y], across = lines->across[y];
        lines->uneven[y] &= along | across |
                            (side->is_transposed   ? along << 1 | before
                             : side->is_horizontal ? across << 1
                                                   : before);
        before = across;
        any |= lines->uneven[y];
    }
    return any != 0;
}

/// Compares the slopes of the faces of two rows.
/// @return the faces that must not merge
MESH_INLINE uint32_t MESH(compare_slopes)(const TrnMeshSlopes *a, const TrnMeshSlopes *b,
                                          bool is_across)
{
    return a->bent | b->bent |
           ~MESH(same_blocks)(is_across ? a->across : a->along, is_across ? b->across : b->along);
}

/// Compares rows of one line with the next along z.
/// @param pairs  bit z: compare rows z and z + 1
MESH_INLINE void MESH(cut_along_z)(const TrnMeshSlopes *line, uint32_t uneven, uint32_t pairs,
                                   bool is_across, uint32_t *cut)
{
    for (pairs &= uneven | uneven >> 1; pairs; pairs &= pairs - 1) {
        const int z = __builtin_ctz(pairs);
        const TrnMeshSlopes *a = uneven >> z & 1 ? &line[z] : &trn_mesh_flat;
        const TrnMeshSlopes *b = uneven >> z & 2 ? &line[z + 1] : &trn_mesh_flat;
        cut[z] = MESH(compare_slopes)(a, b, is_across);
    }
}

/// Compares rows of one line with those of the next.
/// @param pairs  bit z: compare rows z
MESH_INLINE void MESH(cut_along_y)(const TrnMeshSlopes *line, uint32_t uneven,
                                   const TrnMeshSlopes *next, uint32_t next_uneven, uint32_t pairs,
                                   uint32_t *cut)
{
    for (pairs &= uneven | next_uneven; pairs; pairs &= pairs - 1) {
        const int z = __builtin_ctz(pairs);
        const TrnMeshSlopes *a = uneven >> z & 1 ? &line[z] : &trn_mesh_flat;
        const TrnMeshSlopes *b = next_uneven >> z & 1 ? &next[z] : &trn_mesh_flat;
        cut[z] = MESH(compare_slopes)(a, b, true);
    }
}

/// Finds which faces of a direction light keeps apart: fills TrnMeshLight.cut_along and cut_across.
MESH_INLINE void MESH(find_cuts)(const TrnMeshWork *work, const TrnMeshSide *side,
                                 const MeshFront *front, const MeshLightLines *lines)
{
    TrnMeshLight *light = &work->scratch->light;
    const size_t bytes = (size_t)(side->high - side->low + 1) * sizeof light->cut_along[0];
    __builtin_memset(light->cut_along + side->low, 0, bytes);
    __builtin_memset(light->cut_across + side->low, 0, bytes);
    for (int y = side->low; y <= side->high; y++) {
        const uint32_t uneven = lines->uneven[y];
        TrnMeshSlopes *here = light->slopes[y & 1];
        for (uint32_t rest = uneven; rest; rest &= rest - 1) {
            const int z = __builtin_ctz(rest);
            const uint32_t row = TRN_MESH_LIGHT_ROW(y + front->y, z + front->z);
            if (side->is_transposed) {
                MESH(slopes_of_columns)(work, row, front->shift, &here[z]);
            } else {
                MESH(slopes_of_row)(work, row, front->axis, &here[z]);
                light->cut_along[y][z] = here[z].bent | here[z].bent >> 1 |
                                         ~MESH(same_blocks)(here[z].along, here[z].along + 1);
            }
        }
        if (side->is_transposed) {
            MESH(cut_along_z)(here, uneven, lines->along[y], false, light->cut_along[y]);
        } else if (side->is_horizontal) {
            MESH(cut_along_z)(here, uneven, lines->across[y], true, light->cut_across[y]);
        }
        if (!side->is_horizontal && y > side->low) {
            MESH(cut_along_y)
            (light->slopes[(y - 1) & 1], lines->uneven[y - 1], here, uneven, lines->across[y - 1],
             light->cut_across[y - 1]);
        }
    }
}

/// Copies the links of one line without those that are cut.
MESH_INLINE void MESH(cut_line)(const uint32_t *links, const uint32_t *cut, bool is_transposed,
                                uint32_t *result)
{
    uint32_t turned[TRN_MESH_EDGE];
    if (is_transposed) {
        MESH(transpose)(cut, turned);
        cut = turned;
    }
    for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
        MESH(store)(result + lane, MESH(load)(links + lane) & ~MESH(load)(cut + lane));
    }
}

/// Cuts the links of a direction where light is not linear.
MESH_SHARED void MESH(light_side)(TrnMeshWork *work, TrnMeshSide *side)
{
    TrnMeshLight *light = &work->scratch->light;
    const MeshFront front = MESH(front_of)(side->face);
    MeshLightLines lines;
    if (!MESH(find_uneven)(work, side, &front, &lines)) {
        return;
    }
    MESH(find_cuts)(work, side, &front, &lines);
    for (int y = side->low; y <= side->high; y++) {
        const ptrdiff_t at = TRN_MESH_LINE(y);
        MESH(cut_line)
        (side->along + at, light->cut_along[y], side->is_transposed, light->along + at);
        MESH(cut_line)
        (side->across + at, light->cut_across[y], side->is_transposed, light->across + at);
    }
    side->along = light->along;
    side->across = light->across;
}

// ---- the light of quads ------------------------------------------------------------------------

/// Returns the light of one corner of a face, as a byte.
/// @param front        the code of the voxel in front of the face
/// @param right,upper  the distances to the codes beside it that touch the corner
MESH_INLINE uint32_t MESH(light_of_corner)(const uint16_t *front, ptrdiff_t right, ptrdiff_t upper)
{
    const uint32_t sides = (uint32_t)front[right] + front[upper];
    const uint32_t sum = front[0] + sides + (sides ? front[right + upper] : 0u);
    return (uint32_t)trn_mesh_mean_sky[sum & 511] | trn_mesh_mean_blocks[sum >> 6];
}

/// Returns the light of a quad of a direction.
/// @param front  of the direction
MESH_INLINE uint32_t MESH(light_of_quad)(const TrnMeshWork *work, TrnQuad quad,
                                         const MeshFront *front, uint32_t axis)
{
    const TrnMeshLight *light = &work->scratch->light;
    const uint32_t row =
        TRN_MESH_LIGHT_ROW((int)trn_quad_y(quad) + front->y, (int)trn_quad_z(quad) + front->z);
    const uint32_t width = trn_quad_width(quad) - 1, height = trn_quad_height(quad) - 1;
    const uint32_t right = width * trn_mesh_width_rows(axis);
    const uint32_t upper = height * trn_mesh_height_rows(axis);
    const uint16_t *any = light->any_around[axis] + row, *all = light->all_around[axis] + row;
    if (any[0] == all[0] && any[right] == all[right] && any[upper] == all[upper] &&
        any[right + upper] == all[right + upper]) {
        return trn_mesh_code_light(any[0]) | trn_mesh_code_light(any[right]) << 8 |
               trn_mesh_code_light(any[upper]) << 16 |
               trn_mesh_code_light(any[right + upper]) << 24;
    }
    MESH(need_light)(work, row, axis);
    if (height) {
        MESH(need_light)(work, row + upper, axis);
    }
    if (axis == 0 && width) {
        MESH(need_light)(work, row + right, axis);
        MESH(need_light)(work, row + right + upper, axis);
    }
    const ptrdiff_t wide = axis == 0 ? TRN_LIGHT_EDGE : 1;
    const ptrdiff_t tall = (ptrdiff_t)trn_mesh_height_rows(axis) * TRN_LIGHT_EDGE;
    const uint16_t *low = light->codes[row] + trn_quad_x(quad) + front->shift;
    const uint16_t *high = low + (ptrdiff_t)height * tall;
    const ptrdiff_t end = (ptrdiff_t)width * wide;
    return MESH(light_of_corner)(low, -wide, -tall) |
           MESH(light_of_corner)(low + end, wide, -tall) << 8 |
           MESH(light_of_corner)(high, -wide, tall) << 16 |
           MESH(light_of_corner)(high + end, wide, tall) << 24;
}

/// Computes the light of quads of one direction.
/// @param axis  a constant
/// @return the bits in which any two words differ
MESH_INLINE uint32_t MESH(put_direction)(const TrnMeshWork *work, const TrnQuad *quads,
                                         size_t count, uint32_t face, uint32_t axis,
                                         uint32_t *light)
{
    const MeshFront front = MESH(front_of)(face);
    uint32_t differs = 0;
    for (size_t i = 0; i < count; i++) {
        light[i] = MESH(light_of_quad)(work, quads[i], &front, axis);
        differs |= light[i] ^ light[0];
    }
    return differs;
}

/// Computes the light of leaves.
MESH_INLINE uint32_t MESH(put_leaves)(const TrnMeshWork *work, const TrnQuad *quads, size_t count,
                                      uint32_t *light)
{
    uint32_t differs = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t row =
            TRN_MESH_LIGHT_ROW((int)trn_quad_y(quads[i]), (int)trn_quad_z(quads[i]));
        MESH(need_light)(work, row, 1);
        const uint16_t code = work->scratch->light.codes[row][trn_quad_x(quads[i]) + 1];
        light[i] = trn_mesh_code_light(code) * 0x01010101u;
        differs |= light[i] ^ light[0];
    }
    return differs;
}

MESH_TARGET static uint32_t MESH(put_light)(TrnMeshWork *work, const TrnQuad *quads, size_t count,
                                            uint32_t *light)
{
    const int low = __builtin_ctz(work->shown_y), high = 31 - __builtin_clz(work->shown_y);
    uint32_t differs = 0;
    MESH(prepare_light)(work, low, high);
    for (size_t i = 0, end; i < count; i = end) { // runs of one face
        const uint32_t face = trn_quad_face(quads[i]);
        for (end = i + 1; end < count && trn_quad_face(quads[end]) == face; end++) {
        }
        const TrnQuad *run = quads + i;
        switch (face / 2) {
        case 0:
            differs |= MESH(put_direction)(work, run, end - i, face, 0, light + i);
            break;
        case 1:
            differs |= MESH(put_direction)(work, run, end - i, face, 1, light + i);
            break;
        case 2:
            differs |= MESH(put_direction)(work, run, end - i, face, 2, light + i);
            break;
        default:
            differs |= MESH(put_leaves)(work, run, end - i, light + i);
        }
        differs |= light[i] ^ light[0];
    }
    return differs || light[0] != (light[0] & 255) * 0x01010101u ? TRN_MESH_LIGHT_VARIES : light[0];
}
