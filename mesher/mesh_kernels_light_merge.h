// The kernels for light: which faces may merge, because light is linear across them and from one to
// the next. Included by mesh_kernels_body.h, once for each instruction set.

/// Where the voxels in front of a direction's faces lie.
#define MeshFront MESH(Front)
typedef struct MESH(Front) {
    int y, z;       ///< steps from the voxel that owns the face
    uint32_t shift; ///< the bit of the corners at the low x of the first face of a row
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

/// Computes the means of the corners of some rows of a line, unless they are known.
/// @param line  of the rows, -1..33
/// @param rows  bit by row of the line, the first at z -1
MESH_INLINE void MESH(need_means)(TrnMeshWork *work, int line, uint64_t rows, uint32_t axis)
{
    TrnMeshLight *light = &work->scratch->light;
    uint64_t *known = &light->known_means[line + 1];
    for (rows &= ~*known; rows; rows &= ~*known) {
        const uint32_t offset = MESH(first_at_once)((uint32_t)__builtin_ctzll(rows));
        const size_t row = TRN_MESH_LIGHT_ROW(line, -1) + offset;
        const MeshCorners corners = MESH(light_corners)(work, row, axis);
        for (uint32_t channel = 0; channel < 2; channel++) {
            for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS && work->levels[channel].planes; bit++) {
                MESH(store_wide)
                (light->means[channel][bit] + row, corners.mean[channel].bits[bit]);
            }
        }
        MESH(store_wide)(light->split + row, corners.split);
        *known |= ((UINT64_C(1) << MESH_ROWS_AT_ONCE) - 1) << offset;
    }
}

/// The means of some rows of corners of a channel, or of those next to them along the width.
/// @param right  how far along the width, 0..2
MESH_INLINE MeshLevel MESH(load_means)(const TrnMeshLight *light, uint32_t channel, size_t row,
                                       uint32_t axis, uint32_t right)
{
    MeshLevel level;
#pragma GCC unroll 4
    for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
        const uint64_t *plane = light->means[channel][bit] + row;
        level.bits[bit] =
            axis == 0 ? MESH(load_wide)(plane + right) : MESH(load_wide)(plane) >> right;
    }
    return level;
}

/// Where the sums of two pairs of levels differ.
MESH_INLINE MeshWide MESH(sums_differ)(MeshLevel a, MeshLevel b, MeshLevel c, MeshLevel d)
{
    MeshWide left[TRN_LIGHT_LEVELS + 1], right[TRN_LIGHT_LEVELS + 1], differs = {0};
    MESH(add)(a.bits, b.bits, TRN_LIGHT_LEVELS, left);
    MESH(add)(c.bits, d.bits, TRN_LIGHT_LEVELS, right);
    for (uint32_t bit = 0; bit <= TRN_LIGHT_LEVELS; bit++) {
        differs |= left[bit] ^ right[bit];
    }
    return differs;
}

/// Where a level is not the middle of two others.
MESH_INLINE MeshWide MESH(is_off_middle)(MeshLevel a, MeshLevel middle, MeshLevel b)
{
    MeshWide sum[TRN_LIGHT_LEVELS + 1];
    MESH(add)(a.bits, b.bits, TRN_LIGHT_LEVELS, sum);
    MeshWide differs = sum[0];
#pragma GCC unroll 4
    for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
        differs |= sum[bit + 1] ^ middle.bits[bit];
    }
    return differs;
}

/// Which faces of some rows light keeps from merging, by the bit of their low corner.
#define MeshBends MESH(Bends)
typedef struct MESH(Bends) {
    MeshWide own;           ///< light is not linear across the face
    MeshWide along, across; ///< nor from it to the next one along the width, or the height
} MeshBends;

/// Finds how light changes across the faces of some rows. @param row  the first in front of them
MESH_INLINE MeshBends MESH(find_bends)(const TrnMeshWork *work, size_t row, uint32_t axis)
{
    const TrnMeshLight *light = &work->scratch->light;
    const size_t step = trn_mesh_height_rows(axis);
    const MeshWide low = MESH(load_wide)(light->split + row);
    const MeshWide high = MESH(load_wide)(light->split + row + step);
    MeshBends bends = {.own = low | high};
    bends.own |= axis == 0 ? MESH(load_wide)(light->split + row + 1) |
                                 MESH(load_wide)(light->split + row + step + 1)
                           : bends.own >> 1;
    bends.along = bends.across = (MeshWide){0};
    for (uint32_t channel = 0; channel < 2; channel++) {
        if (!work->levels[channel].planes) {
            continue;
        }
        const MeshLevel here = MESH(load_means)(light, channel, row, axis, 0);
        const MeshLevel right = MESH(load_means)(light, channel, row, axis, 1);
        const MeshLevel next_right = MESH(load_means)(light, channel, row, axis, 2);
        const MeshLevel upper = MESH(load_means)(light, channel, row + step, axis, 0);
        const MeshLevel upper_right = MESH(load_means)(light, channel, row + step, axis, 1);
        const MeshLevel next_upper = MESH(load_means)(light, channel, row + 2 * step, axis, 0);
        bends.own |= MESH(sums_differ)(right, upper, here, upper_right);
        bends.along |= MESH(is_off_middle)(here, right, next_right);
        bends.across |= MESH(is_off_middle)(here, upper, next_upper);
    }
    return bends;
}

/// The bends of one line of a direction, by z.
#define MeshLineBends MESH(LineBends)
typedef struct MESH(LineBends) {
    uint32_t own[TRN_MESH_EDGE + 1]; ///< and 0 after the last
    uint32_t along[TRN_MESH_EDGE], across[TRN_MESH_EDGE];
} MeshLineBends;

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

/// Computes the means of the corners that the faces of a line have, and that the next ones have.
/// @param rows  bit z: rows of faces
MESH_INLINE void MESH(need_line)(TrnMeshWork *work, const TrnMeshSide *side, const MeshFront *front,
                                 int y, uint32_t rows)
{
    const uint64_t own = (uint64_t)rows << (1 + front->z);
    const uint64_t in_line = (UINT64_C(1) << TRN_LIGHT_EDGE) - 1;
    const uint64_t all = front->axis == 2 ? own : (own | own << 1 | own << 2) & in_line;
    const int more = front->axis == 1 ? 0 : y < side->high ? 2 : 1; // lines
    for (int line = y + front->y; line <= y + front->y + more; line++) {
        MESH(need_means)(work, line, all, front->axis);
    }
}

/// Finds the bends of some rows of a line. Those of other rows become 0.
/// @param rows    bit z: with means
/// @param uneven  bit z: light is uneven in front of the row; otherwise it is linear across faces
MESH_INLINE void MESH(bend_line)(const TrnMeshWork *work, const MeshFront *front, int y,
                                 uint32_t rows, uint32_t uneven, MeshLineBends *bends)
{
    __builtin_memset(bends, 0, sizeof *bends);
    for (uint32_t z = 0; z < TRN_MESH_EDGE; z += MESH_ROWS_AT_ONCE) {
        if (!(rows >> z & ((1u << MESH_ROWS_AT_ONCE) - 1))) {
            continue;
        }
        const size_t row = TRN_MESH_LIGHT_ROW(y + front->y, (int)z + front->z);
        const MeshBends found = MESH(find_bends)(work, row, front->axis);
        const MeshWide in_rows = MESH(spread_bits)(rows >> z);
        const MeshWide in_uneven = MESH(spread_bits)(uneven >> z);
        MESH(store_rows)(bends->own + z, found.own >> front->shift & in_uneven);
        MESH(store_rows)(bends->along + z, found.along >> front->shift & in_rows);
        MESH(store_rows)(bends->across + z, found.across >> front->shift & in_rows);
    }
}

/// Finds which faces of a line light keeps apart from the next ones along the row, and along z.
/// @param axis  a constant
MESH_INLINE void MESH(cut_in_line)(const MeshLineBends *bends, uint32_t axis, uint32_t *along,
                                   uint32_t *across)
{
    for (int z = 0; z < TRN_MESH_EDGE; z += MESH_LANES) {
        const MeshLanes own = MESH(load)(bends->own + z);
        const MeshLanes next = axis == 2 ? own : own | MESH(load)(bends->own + z + 1);
        MESH(store)
        (along + z, (axis == 0 ? next : own | own >> 1) | MESH(load)(bends->along + z));
        if (axis == 1) {
            MESH(store)(across + z, next | MESH(load)(bends->across + z));
        }
    }
}

/// Finds which faces of a line light keeps apart from those of the next line.
MESH_INLINE void MESH(cut_to_next)(const MeshLineBends *bends, const MeshLineBends *next,
                                   uint32_t *across)
{
    for (int z = 0; z < TRN_MESH_EDGE; z += MESH_LANES) {
        MESH(store)
        (across + z,
         MESH(load)(bends->own + z) | MESH(load)(next->own + z) | MESH(load)(bends->across + z));
    }
}

/// Finds which faces of a direction light keeps apart: fills TrnMeshLight.cut_along and cut_across.
/// @param axis  a constant
/// @return bit y: of these lines; nothing is cut in the others
MESH_INLINE uint32_t MESH(find_cuts)(TrnMeshWork *work, const TrnMeshSide *side,
                                     const MeshFront *any_front, uint32_t axis,
                                     const MeshLightLines *lines)
{
    TrnMeshLight *light = &work->scratch->light;
    MeshFront front = *any_front;
    front.axis = axis;
    MeshLineBends bends[2];
    uint32_t cut = 0;
    for (int y = side->low; y <= side->high; y++) {
        // Of two faces that may merge, light may be uneven in front of one alone.
        const uint32_t uneven = lines->uneven[y], pairs = lines->along[y] | lines->across[y];
        const uint32_t upper = axis != 1 && y < side->high ? lines->uneven[y + 1] : 0;
        const uint32_t beside = axis != 2 ? uneven >> 1 : 0;
        const uint32_t rows = uneven | (pairs & (upper | beside));
        MeshLineBends *here = &bends[y & 1];
        const bool is_cut_before = y > side->low && cut >> (y - 1) & 1;
        if (rows) {
            MESH(need_line)(work, side, &front, y, rows);
        }
        if (rows || is_cut_before) {
            MESH(bend_line)(work, &front, y, rows, uneven, here);
        }
        if (rows) {
            MESH(cut_in_line)(here, axis, light->cut_along[y], light->cut_across[y]);
        }
        if (axis != 1 && is_cut_before) {
            MESH(cut_to_next)(&bends[~y & 1], here, light->cut_across[y - 1]);
        }
        cut |= (uint32_t)(rows != 0) << y;
    }
    if (axis != 1) { // the last line has no next one
        __builtin_memset(light->cut_across[side->high], 0, sizeof light->cut_across[0]);
    }
    return cut;
}

/// Copies the links of one line without those that are cut.
/// @param cut  NULL: none is
MESH_INLINE void MESH(cut_line)(const uint32_t *links, const uint32_t *cut, bool is_transposed,
                                uint32_t *result)
{
    uint32_t turned[TRN_MESH_EDGE];
    if (!cut) {
        __builtin_memcpy(result, links, sizeof(uint32_t[TRN_MESH_EDGE]));
        return;
    }
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
    uint32_t cut;
    if (!MESH(find_uneven)(work, side, &front, &lines)) {
        return;
    }
    if (work->corners_axis != front.axis) {
        work->corners_axis = front.axis;
        __builtin_memset(light->known_means, 0, sizeof light->known_means);
    }
    switch (front.axis) {
    case 0:
        cut = MESH(find_cuts)(work, side, &front, 0, &lines);
        break;
    case 1:
        cut = MESH(find_cuts)(work, side, &front, 1, &lines);
        break;
    default:
        cut = MESH(find_cuts)(work, side, &front, 2, &lines);
    }
    for (int y = side->low; y <= side->high; y++) {
        const ptrdiff_t at = TRN_MESH_LINE(y);
        const uint32_t *along = cut >> y & 1 ? light->cut_along[y] : NULL;
        const uint32_t *across = cut >> y & 1 ? light->cut_across[y] : NULL;
        MESH(cut_line)(side->along + at, along, side->is_transposed, light->along + at);
        MESH(cut_line)(side->across + at, across, side->is_transposed, light->across + at);
    }
    side->along = light->along;
    side->across = light->across;
}
