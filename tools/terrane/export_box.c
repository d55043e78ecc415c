#include "export_box.h"

#include <inttypes.h>

void export_box_size(const ExportBox *box, int64_t size[3])
{
    size[0] = box->max.x - box->min.x + 1;
    size[1] = box->max.y - box->min.y + 1;
    size[2] = box->max.z - box->min.z + 1;
}

TrnBox export_box_chunks(const ExportBox *box)
{
    const TrnBox chunks = {trn_voxel_chunk(box->min), trn_voxel_chunk(box->max)};
    return chunks;
}

static bool check_chunk_count(const ExportBox *box, const int64_t size[3], Message *problem)
{
    const TrnBox chunks = export_box_chunks(box);
    const int64_t count = ((int64_t)chunks.max.x - chunks.min.x + 1) *
                          ((int64_t)chunks.max.y - chunks.min.y + 1) *
                          ((int64_t)chunks.max.z - chunks.min.z + 1);
    return count <= EXPORT_CHUNKS_MAX ||
           message_set(problem,
                       "The box of %" PRId64 "x%" PRId64 "x%" PRId64 " voxels has %" PRId64
                       " chunks, and at most %u can be exported at once; make it smaller.",
                       size[0], size[1], size[2], count, EXPORT_CHUNKS_MAX);
}

bool export_box_check(const ExportBox *box, Message *problem)
{
    if (!trn_voxel_in_world(box->min) || !trn_voxel_in_world(box->max)) {
        return message_set(problem,
                           "The box would reach out of the world, which goes from %" PRId64
                           " to %" PRId64 " along each axis; move it.",
                           TRN_VOXEL_MIN, TRN_VOXEL_MAX);
    }
    int64_t size[3];
    export_box_size(box, size);
    if (size[0] < 1 || size[1] < 1 || size[2] < 1) {
        return message_set(problem, "The box is empty: its first corner must be the lower one "
                                    "along each axis; swap them.");
    }
    if (size[0] > EXPORT_EDGE_MAX || size[1] > EXPORT_EDGE_MAX || size[2] > EXPORT_EDGE_MAX) {
        return message_set(problem,
                           "The box would be %" PRId64 "x%" PRId64 "x%" PRId64
                           " voxels, and at most %d along each axis can be exported at once; make "
                           "it smaller.",
                           size[0], size[1], size[2], EXPORT_EDGE_MAX);
    }
    return check_chunk_count(box, size, problem);
}
