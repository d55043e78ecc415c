// The kernels for opaque surfaces. Included by mesh_kernels_body.h, once for each instruction set.

/// Returns a direction for opaque voxels.
MESH_INLINE TrnMeshSide MESH(opaque_side)(TrnMeshScratch *scratch, TrnFace face)
{
    TrnMeshSide side = trn_mesh_side(face);
    const int step = (side.is_horizontal ? TRN_MESH_PITCH : 1) * (face % 2 ? 1 : -1);
    const int front = TRN_MESH_ORIGIN + step;
    if (side.is_transposed) {
        side.own = scratch->transposed_own + TRN_MESH_ORIGIN;
        side.left = scratch->transposed_left + front;
        side.front = side.middle = scratch->transposed_own + front;
        side.right = scratch->transposed_right + front;
        side.along = scratch->transposed_z;
        side.across = scratch->transposed_y;
        return side;
    }
    side.own = scratch->own + TRN_MESH_ORIGIN;
    side.left = scratch->left + front;
    side.front = side.middle = scratch->own + front;
    side.right = scratch->right + front;
    side.along = scratch->link_x;
    side.across = side.is_horizontal ? scratch->link_z : scratch->link_y;
    return side;
}

/// Prepares what opaque or cutout faces need, for the rows that show any.
/// @param lines  bit y: some row of that line shows a face
MESH_INLINE void MESH(prepare_faces)(TrnMeshWork *work, uint32_t lines, int low, int high,
                                     bool has_ao)
{
    TrnMeshScratch *scratch = work->scratch;
    for (int y = low - has_ao; y <= high + has_ao; y++) {
        MESH(transpose_line)(scratch, y, has_ao);
    }
    MESH(decode_rows)(work, scratch->active, lines);
    MESH(link_rows)(work, scratch->active, lines);
    for (int y = low; y <= high; y++) {
        const ptrdiff_t at = TRN_MESH_LINE(y);
        MESH(transpose)(scratch->link_z + at, scratch->transposed_z + at);
        MESH(transpose)(scratch->link_y + at, scratch->transposed_y + at);
    }
}

MESH_TARGET static uint32_t MESH(turn)(const uint32_t *line, uint32_t bit)
{
    uint32_t column = 0;
    for (uint32_t lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
        column |= MESH(nonzero)(MESH(load)(line + lane) & MESH(all)(UINT32_C(1) << bit)) << lane;
    }
    return column;
}

/// Appends the quads of one direction.
/// @param borders  unused unless the side is open
MESH_INLINE void MESH(opaque_face)(TrnMeshWork *work, TrnMeshSide *side, TrnMeshBorders *borders)
{
    const bool is_open = trn_mesh_is_open(work->input, (TrnFace)side->face);
    if (is_open) {
        trn_mesh_open_side(work->scratch, side, borders);
    }
    MESH(merge_side)(work, side);
    MESH(emit)(work, side);
    if (is_open) {
        trn_mesh_close_side(work->scratch, side, borders);
    }
}

MESH_TARGET static void MESH(opaque)(TrnMeshWork *work)
{
    const bool has_ao = !work->input->without_ao;
    const TrnMask own = work->opaque[TRN_AROUND_CENTRE];
    TrnMeshBorders borders;
    const bool is_open = work->input->open_sides & ((1u << TRN_FACE_COUNT) - 1);
    if (trn_mesh_is_buried(work->opaque) && (!is_open || trn_mesh_open_is_buried(work))) {
        return;
    }
    // The kernels of other surfaces read the padded layers of all lines.
    const bool has_others =
        work->has[TRN_MESH_SURFACE_TRANSPARENT] || work->has[TRN_MESH_SURFACE_CUTOUT];
    // Skips the empty lines at both ends. A chunk of air then ends here, without a read of its
    // neighbours.
    const uint64_t halves = has_others ? UINT64_MAX : own.any;
    if (!halves) {
        return;
    }
    int low = __builtin_ctzll(halves) / 2, high = (63 - __builtin_clzll(halves)) / 2;
    MESH(pad)(work, low, high);
    uint32_t lines = MESH(find_active)(work, work->scratch->own, low, high);
    if (is_open) {
        lines = trn_mesh_open(work, low, high);
    }
    if (!lines) {
        return;
    }
    low = __builtin_ctz(lines);
    high = 31 - __builtin_clz(lines);
    MESH(prepare_faces)(work, lines, low, high, has_ao);
    if (work->has_light) {
        MESH(prepare_light)(work, low, high);
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnMeshSide side = MESH(opaque_side)(work->scratch, (TrnFace)face);
        side.low = low;
        side.high = high;
        side.has_ao = has_ao;
        work->info.first[TRN_MESH_OPAQUE + face] = (uint32_t)work->count;
        MESH(opaque_face)(work, &side, &borders);
    }
}
