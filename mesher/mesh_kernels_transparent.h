// The kernels for transparent surfaces: liquids and transparent blocks. Included by
// mesh_kernels_body.h, once for each instruction set.

/// Fills the padded layers of transparent voxels, plain and transposed, and transposes the opaque
/// ones.
MESH_INLINE void MESH(pad_transparent)(const TrnMeshWork *work, int low, int high)
{
    TrnMeshScratch *scratch = work->scratch;
    __builtin_memcpy(scratch->voxels + TRN_MESH_AT(-1, 0), work->transparent_same[TRN_FACE_NEG_Y],
                     sizeof work->transparent_same[0]);
    __builtin_memcpy(scratch->voxels + TRN_MESH_AT(TRN_MESH_EDGE, 0),
                     work->transparent_same[TRN_FACE_POS_Y], sizeof work->transparent_same[0]);
    if (low > 0) {
        __builtin_memset(scratch->voxels + TRN_MESH_AT(low - 1, 0), 0,
                         sizeof work->transparent_same[0]);
    }
    if (high < TRN_MESH_EDGE - 1) {
        __builtin_memset(scratch->voxels + TRN_MESH_AT(high + 1, 0), 0,
                         sizeof work->transparent_same[0]);
    }
    for (int y = low; y <= high; y++) {
        uint32_t *transparent = scratch->voxels + TRN_MESH_AT(y, 0);
        uint32_t *transposed = scratch->transposed_voxels + TRN_MESH_AT(y, 0);
        __builtin_memcpy(transparent,
                         scratch->surface_rows[TRN_MESH_SURFACE_TRANSPARENT] +
                             (size_t)y * TRN_MESH_EDGE,
                         TRN_MESH_EDGE * sizeof *transparent);
        MESH(transpose)(transparent, transposed);
        transparent[-1] = work->transparent_same[TRN_FACE_NEG_Z][y];
        transparent[TRN_MESH_EDGE] = work->transparent_same[TRN_FACE_POS_Z][y];
        transposed[-1] = work->transparent_same[TRN_FACE_NEG_X][y];
        transposed[TRN_MESH_EDGE] = work->transparent_same[TRN_FACE_POS_X][y];
        MESH(transpose_line)(scratch, y, false);
    }
}

/// Links transparent voxels of the same block. Across the border all are linked, since the padding
/// marks only neighbours of the same block.
MESH_INLINE void MESH(link_transparent)(const TrnMeshWork *work, int low, int high)
{
    TrnMeshScratch *scratch = work->scratch;
    const size_t line = TRN_MESH_EDGE * sizeof scratch->link_x[0];
    const size_t at = (size_t)TRN_MESH_LINE(low - 1);
    const size_t bytes = (size_t)(high - low + 2) * line;
    __builtin_memset(scratch->link_x + at, 0xFF, bytes);
    __builtin_memset(scratch->link_z + at, 0xFF, bytes);
    __builtin_memset(scratch->link_y + at, 0xFF, bytes);
    __builtin_memset(scratch->transposed_x + at, 0xFF, bytes);
    if (!work->has_many_transparent) {
        return;
    }
    uint32_t rows[TRN_MESH_EDGE], lines = 0;
    for (int y = low; y <= high; y++) {
        const uint32_t *transparent =
            scratch->surface_rows[TRN_MESH_SURFACE_TRANSPARENT] + (size_t)y * TRN_MESH_EDGE;
        rows[y] = MESH(nonzero_line)(transparent);
        lines |= (uint32_t)(rows[y] != 0) << y;
    }
    MESH(link_rows)(work, rows, lines);
    for (int y = low; y <= high; y++) {
        uint32_t *link_x = scratch->link_x + TRN_MESH_LINE(y);
        for (int lane = 0; lane < TRN_MESH_EDGE; lane++) {
            link_x[lane] |= UINT32_C(1) << 31;
        }
        MESH(transpose)(link_x, scratch->transposed_x + TRN_MESH_LINE(y));
    }
    if (high == TRN_MESH_EDGE - 1) {
        __builtin_memset(scratch->link_y + TRN_MESH_LINE(high), 0xFF, line);
    }
}

/// Finds the lowered liquids, and cuts the links between voxels of which only one is lowered.
MESH_INLINE void MESH(level_transparent)(const TrnMeshWork *work, int low, int high)
{
    TrnMeshScratch *scratch = work->scratch;
    for (int y = low; y <= high; y++) {
        const uint32_t *above = y < TRN_MESH_EDGE - 1
                                    ? scratch->surface_rows[TRN_MESH_SURFACE_TRANSPARENT] +
                                          (size_t)(y + 1) * TRN_MESH_EDGE
                                    : work->transparent_above;
        const uint32_t *liquid = scratch->liquid_rows + (size_t)y * TRN_MESH_EDGE;
        for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
            MESH(store)
            (scratch->lowered + TRN_MESH_LINE(y) + lane,
             MESH(load)(liquid + lane) &
                 ~(MESH(load)(scratch->own + TRN_MESH_AT(y + 1, lane)) | MESH(load)(above + lane)));
        }
    }
    // Links into the line after the last are never read; they only must be initialized.
    __builtin_memset(scratch->lowered + TRN_MESH_LINE(high + 1), 0,
                     TRN_MESH_EDGE * sizeof scratch->lowered[0]);
    for (int y = low; y <= high; y++) {
        const ptrdiff_t at = TRN_MESH_LINE(y);
        for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
            const uint32_t *here = scratch->lowered + at + lane;
            const MeshLanes own = MESH(load)(here);
            MESH(store)
            (scratch->level_x + at + lane,
             MESH(load)(scratch->link_x + at + lane) & ~(own ^ own >> 1));
            MESH(store)
            (scratch->level_z + at + lane,
             MESH(load)(scratch->link_z + at + lane) & ~(own ^ MESH(load)(here + 1)));
            MESH(store)
            (scratch->level_y + at + lane,
             MESH(load)(scratch->link_y + at + lane) & ~(own ^ MESH(load)(here + TRN_MESH_EDGE)));
        }
        MESH(transpose)(scratch->lowered + at, scratch->transposed_lowered + at);
        MESH(transpose)(scratch->level_z + at, scratch->transposed_z + at);
        MESH(transpose)(scratch->level_y + at, scratch->transposed_y + at);
    }
}

/// Finds what hides the transparent voxels in one direction: opaque voxels and voxels of the same
/// block.
/// @param opaque,transparent  layers from their origin, shifted to the voxels in front
/// @param links  to the voxels in front, from row (0, 0), shifted likewise
/// @return whether any face is visible
MESH_INLINE bool MESH(hide_transparent)(TrnMeshWork *work, TrnMeshSide *side,
                                        const uint32_t *opaque, const uint32_t *transparent,
                                        const uint32_t *links)
{
    MeshLanes all = {0};
    uint32_t lanes = 0, lines = 0;
    for (int y = side->low; y <= side->high; y++) {
        uint32_t line = 0;
        for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
            const int at = TRN_MESH_FROM_ORIGIN(y, lane);
            const MeshLanes hidden =
                MESH(load)(opaque + at) | (MESH(load)(transparent + at) &
                                           MESH(load)(links + (size_t)y * TRN_MESH_EDGE + lane));
            const MeshLanes shown = MESH(load)(side->own + at) & ~hidden;
            MESH(store)(work->scratch->front + TRN_MESH_ORIGIN + at, hidden);
            line |= MESH(nonzero)(shown) << lane;
            all |= shown;
        }
        lanes |= line;
        lines |= (uint32_t)(line != 0) << y;
    }
    if (work->has_levels) {
        return lines && trn_mesh_level_side(work, side);
    }
    work->shown_y |= lines;
    work->shown_x |= side->is_transposed ? lanes : MESH(fold)(all);
    work->shown_z |= side->is_transposed ? MESH(fold)(all) : lanes;
    return lines != 0;
}

/// Fills in a direction for transparent voxels, and what hides them.
/// @return whether any face is visible
MESH_INLINE bool MESH(transparent_side)(TrnMeshWork *work, TrnFace face, TrnMeshSide *side)
{
    TrnMeshScratch *scratch = work->scratch;
    const int forwards = face % 2;
    // Where the layers in front start, and the links to them. A link is stored at the lower of its
    // two voxels.
    const int front =
        TRN_MESH_ORIGIN + (side->is_horizontal ? TRN_MESH_PITCH : 1) * (forwards ? 1 : -1);
    const int links = TRN_MESH_EDGE - (forwards ? 0 : side->is_horizontal ? TRN_MESH_EDGE : 1);
    side->front = scratch->front + TRN_MESH_ORIGIN;
    if (side->is_transposed) {
        side->own = scratch->transposed_voxels + TRN_MESH_ORIGIN;
        side->along = scratch->transposed_z;
        side->across = scratch->transposed_y;
        side->lowered = scratch->transposed_lowered;
        return MESH(hide_transparent)(work, side, scratch->transposed_own + front,
                                      scratch->transposed_voxels + front,
                                      scratch->transposed_x + links);
    }
    side->own = scratch->voxels + TRN_MESH_ORIGIN;
    side->along = scratch->level_x;
    side->across = side->is_horizontal ? scratch->level_z : scratch->level_y;
    side->lowered = scratch->lowered;
    if (face == TRN_FACE_NEG_Y) { // bottom faces are never lowered
        side->along = scratch->link_x;
        side->across = scratch->link_z;
        side->lowered = NULL;
    }
    return MESH(hide_transparent)(work, side, scratch->own + front, scratch->voxels + front,
                                  (side->is_horizontal ? scratch->link_y : scratch->link_z) +
                                      links);
}

/// Returns the ao of a transparent quad.
MESH_INLINE uint32_t MESH(liquid_ao)(const TrnMeshSide *side, uint32_t last, uint32_t voxel)
{
    if (side->levels) {
        return side->levels[voxel];
    }
    const bool is_lowered =
        side->lowered && side->lowered[TRN_MESH_EDGE + last / TRN_MESH_EDGE] >> last % 32 & 1;
    return is_lowered ? TRN_MESH_USUAL_DROP : 255;
}

/// Appends one quad of a transparent block.
/// @param last    row * 32 + bit
/// @param height  how many earlier rows share the run
MESH_INLINE void MESH(put_quad)(TrnMeshWork *work, const TrnMeshSide *side, uint32_t last,
                                uint32_t height)
{
    const size_t at = work->count++;
    if (at >= work->capacity) {
        return;
    }
    const uint32_t width = MESH(width)(work->scratch, last);
    const MeshLanes pack_low =
        MESH(pack_low)(side, MESH(all)(last), MESH(all)(width), MESH(all)(height));
    uint32_t low;
    __builtin_memcpy(&low, &pack_low, sizeof low);
    const uint32_t voxel = side->is_transposed ? MESH(transposed_voxel)(last) : last;
    const TrnBlock block = trn_mesh_filling(work->input, trn_mesh_block(work, voxel));
    work->quads[at] =
        low | (TrnQuad)MESH(liquid_ao)(side, last, voxel) << 28 | (TrnQuad)block << 36;
}

/// Appends the quads whose last row this is.
MESH_INLINE void MESH(put_ended)(TrnMeshWork *work, const TrnMeshSide *side, uint32_t row)
{
    const TrnMeshScratch *scratch = work->scratch;
    const uint32_t closing = scratch->closing[row];
    for (uint32_t rest = scratch->single[row] | closing; rest; rest &= rest - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctz(rest), last = row * TRN_MESH_EDGE + bit;
        const uint32_t height = closing >> bit & 1 ? MESH(height)(scratch, side, last) : 0;
        MESH(put_quad)(work, side, last, height);
    }
}

/// Appends the quads of one direction plane by plane, back to front.
MESH_INLINE void MESH(emit_planes)(TrnMeshWork *work, const TrnMeshSide *side)
{
    TrnMeshScratch *scratch = work->scratch;
    uint32_t lines[TRN_MESH_EDGE] = {0}, planes[TRN_MESH_EDGE];
    for (int y = side->low; y <= side->high; y++) {
        lines[y] = scratch->single_lines[y] | scratch->closing_lines[y];
    }
    if (!side->is_horizontal) {
        MESH(transpose)(lines, planes);
    }
    const uint32_t rows = MESH(list_rows)(scratch, side, scratch->opening_lines);
    __builtin_memset(scratch->starts, 0, sizeof scratch->starts);
    MESH(use_bits)(work, side, scratch->opening, rows, MESH(MARK_STARTS));
    for (uint32_t i = 0; i < TRN_MESH_EDGE; i++) {
        const uint32_t plane = side->face % 2 ? i : TRN_MESH_EDGE - 1 - i;
        for (uint32_t rest = (side->is_horizontal ? lines : planes)[plane]; rest;
             rest &= rest - 1) {
            const uint32_t along = (uint32_t)__builtin_ctz(rest);
            MESH(put_ended)
            (work, side,
             side->is_horizontal ? plane * TRN_MESH_EDGE + along : along * TRN_MESH_EDGE + plane);
        }
    }
}

MESH_INLINE void MESH(transparent_face)(TrnMeshWork *work, TrnFace face, int low, int high)
{
    TrnMeshSide side = trn_mesh_side(face);
    side.low = low;
    side.high = high;
    work->info.first[TRN_MESH_TRANSPARENT + face] = (uint32_t)work->count;
    if (MESH(transparent_side)(work, face, &side)) {
        MESH(merge_side)(work, &side);
        MESH(emit_planes)(work, &side);
    }
}

MESH_TARGET static void MESH(transparent)(TrnMeshWork *work)
{
    uint32_t lines = 0;
    for (int y = 0; y < TRN_MESH_EDGE; y++) {
        const uint32_t *transparent =
            work->scratch->surface_rows[TRN_MESH_SURFACE_TRANSPARENT] + (size_t)y * TRN_MESH_EDGE;
        lines |= (uint32_t)(MESH(nonzero_line)(transparent) != 0) << y;
    }
    if (!lines) {
        return;
    }
    const int low = __builtin_ctz(lines), high = 31 - __builtin_clz(lines);
    MESH(pad_transparent)(work, low, high);
    MESH(link_transparent)(work, low, high);
    MESH(level_transparent)(work, low, high);
    if (work->has_light) {
        MESH(prepare_light)(work, low, high);
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        MESH(transparent_face)(work, (TrnFace)face, low, high);
    }
}
