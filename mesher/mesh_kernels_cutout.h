// The kernels for cutouts: full cubes that hide nothing. Only opaque voxels hide their faces, so
// they are meshed as opaque ones, from other voxels. Included by mesh_kernels_body.h, once for each
// instruction set.

/// Fills the padded layer of cutouts.
/// @return bit y: that line has any
MESH_INLINE uint32_t MESH(pad_cutout)(TrnMeshScratch *scratch)
{
    const uint32_t *rows = scratch->surface_rows[TRN_MESH_SURFACE_CUTOUT];
    uint32_t lines = 0;
    __builtin_memset(scratch->voxels, 0, sizeof scratch->voxels);
    for (int y = 0; y < TRN_MESH_EDGE; y++) {
        const uint32_t *line = rows + (size_t)y * TRN_MESH_EDGE;
        __builtin_memcpy(scratch->voxels + TRN_MESH_AT(y, 0), line, TRN_MESH_EDGE * sizeof *line);
        lines |= (uint32_t)(MESH(nonzero_line)(line) != 0) << y;
    }
    return lines;
}

MESH_TARGET static void MESH(cutout)(TrnMeshWork *work)
{
    TrnMeshScratch *scratch = work->scratch;
    const bool has_ao = !work->input->without_ao;
    uint32_t lines = MESH(pad_cutout)(scratch);
    if (lines) {
        lines = MESH(find_active)(work, scratch->voxels, __builtin_ctz(lines),
                                  31 - __builtin_clz(lines));
    }
    if (!lines) {
        return;
    }
    const int low = __builtin_ctz(lines), high = 31 - __builtin_clz(lines);
    MESH(prepare_faces)(work, lines, low, high, has_ao);
    for (int y = low; y <= high; y++) {
        MESH(transpose)
        (scratch->voxels + TRN_MESH_AT(y, 0), scratch->transposed_voxels + TRN_MESH_AT(y, 0));
    }
    // Rows after the last are read, and their faces never used; they only must be initialized.
    for (int y = low; y <= high + 1; y++) {
        scratch->transposed_voxels[TRN_MESH_AT(y, TRN_MESH_EDGE)] = 0;
    }
    __builtin_memset(scratch->transposed_voxels + TRN_MESH_AT(high + 1, 0), 0,
                     TRN_MESH_EDGE * sizeof(uint32_t));
    if (work->has_light) {
        MESH(prepare_light)(work, low, high);
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnMeshSide side = MESH(opaque_side)(scratch, (TrnFace)face);
        side.own =
            (side.is_transposed ? scratch->transposed_voxels : scratch->voxels) + TRN_MESH_ORIGIN;
        side.low = low;
        side.high = high;
        side.has_ao = has_ao;
        work->info.first[TRN_MESH_CUTOUT + face] = (uint32_t)work->count;
        MESH(merge_side)(work, &side);
        MESH(emit)(work, &side);
    }
}
