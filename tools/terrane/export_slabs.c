#include "export_slabs.h"

#include <stdlib.h>

static size_t slab_chunks(const ExportSlabs *slabs)
{
    return (size_t)((int64_t)slabs->chunks.max.x - slabs->chunks.min.x + 1) *
           (size_t)((int64_t)slabs->chunks.max.y - slabs->chunks.min.y + 1);
}

TrnResult export_slabs_create(ExportSlabs **slabs, const ExportBox *box, const TrnBlockTypes *types,
                              TrnGenerator generator)
{
    ExportSlabs *made = calloc(1, sizeof *made);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    made->generator = generator;
    made->box = *box;
    made->chunks = export_box_chunks(box);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = trn_block_types_solid_bits(types);
    def.opaque_bits = trn_block_types_opaque_bits(types);
    TrnResult result = trn_voxel_heap_create(&def, &made->heap);
    for (int i = 0; i < 3; i++) {
        made->voxels[i] = calloc(slab_chunks(made), sizeof *made->voxels[i]);
        result = made->voxels[i] ? result : TRN_RESULT_NO_MEMORY;
    }
    if (result != TRN_RESULT_OK) {
        export_slabs_destroy(made);
        return result;
    }
    *slabs = made;
    return TRN_RESULT_OK;
}

void export_slabs_destroy(ExportSlabs *slabs)
{
    if (!slabs) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        free(slabs->voxels[i]);
    }
    if (slabs->heap) {
        trn_voxel_heap_destroy(slabs->heap);
    }
    free(slabs);
}

/// The place of a chunk in its slab.
static TrnVoxels *slab_voxels(const ExportSlabs *slabs, TrnCoord coord)
{
    const TrnCoord min = slabs->chunks.min;
    const size_t columns = (size_t)((int64_t)slabs->chunks.max.x - min.x + 1);
    const size_t place =
        (size_t)((int64_t)coord.y - min.y) * columns + (size_t)((int64_t)coord.x - min.x);
    return &slabs->voxels[((int64_t)coord.z - min.z) % 3][place];
}

/// The part of a chunk's axis inside the box. @return whether that is all of it
static bool clip_axis(int64_t chunk_first, int64_t box_min, int64_t box_max, int range[2])
{
    const int64_t last = TRN_CHUNK_EDGE - 1, low = box_min - chunk_first,
                  high = box_max - chunk_first;
    range[0] = (int)(low > 0 ? low : 0);
    range[1] = (int)(high < last ? high : last);
    return range[0] == 0 && range[1] == last;
}

/// Replaces voxels outside the box by air.
static void cut_chunk(ExportSlabs *slabs, TrnCoord coord, bool *uniform)
{
    const TrnVoxel first = trn_coord_voxel(coord);
    int x[2], y[2], z[2];
    const bool whole_x = clip_axis(first.x, slabs->box.min.x, slabs->box.max.x, x);
    const bool whole_y = clip_axis(first.y, slabs->box.min.y, slabs->box.max.y, y);
    const bool whole_z = clip_axis(first.z, slabs->box.min.z, slabs->box.max.z, z);
    TrnBlock *const blocks = slabs->blocks;
    if ((whole_x && whole_y && whole_z) || (*uniform && blocks[0] == TRN_BLOCK_AIR)) {
        return;
    }
    const TrnBlock all = blocks[0];
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int at_x = i & 31, at_z = i >> 5 & 31, at_y = i >> 10;
        const bool inside = at_x >= x[0] && at_x <= x[1] && at_y >= y[0] && at_y <= y[1] &&
                            at_z >= z[0] && at_z <= z[1];
        blocks[i] = !inside ? TRN_BLOCK_AIR : *uniform ? all : blocks[i];
    }
    *uniform = false;
}

TrnResult export_slabs_load(ExportSlabs *slabs, TrnCoord coord)
{
    bool uniform;
    const TrnResult result =
        trn_generator_generate(&slabs->generator, coord, 0, slabs->blocks, &uniform);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    cut_chunk(slabs, coord, &uniform);
    TrnVoxels *const voxels = slab_voxels(slabs, coord);
    if (uniform) {
        trn_voxels_fill(slabs->heap, voxels, slabs->blocks[0], 0);
        return TRN_RESULT_OK;
    }
    return trn_voxels_encode(slabs->heap, voxels, slabs->blocks, 0);
}

void export_slabs_around(const ExportSlabs *slabs, TrnCoord coord, TrnMeshInput *input)
{
    input->present = 0;
    for (uint32_t place = 0; place < 27; place++) {
        const TrnCoord at = trn_coord_around(coord, place);
        // If the world wraps here, the neighbour is at its other end and not in the box.
        if (trn_box_contains(slabs->chunks, at)) {
            input->around[place] = trn_voxels_snapshot(slab_voxels(slabs, at));
            input->present |= 1u << place;
        }
    }
}
