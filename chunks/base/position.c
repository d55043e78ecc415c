// Positions: a chunk and an offset, moved and compared without either ever leaving its range.

#include <terrane/coord.h>

/// The largest offset that a position is clamped to at the upper end of the world. Below the last
/// face by 2^-40 voxels, the unit in which bodies move (terrane/body.h).
#define POSITION_LAST (TRN_CHUNK_EDGE - 0x1p-40)

/// Moves along one axis.
static void position_move_axis(int32_t *chunk, double *offset, double by)
{
    const double edge = TRN_CHUNK_EDGE;
    const double across = edge * 4294967296.0; // the whole world
    by = by > across ? across : by < -across ? -across : by;
    by = by == by ? by : 0;
    // The whole chunks first: the rest keeps all its bits.
    int64_t chunks = (int64_t)(by / edge);
    double sum = *offset + (by - (double)chunks * edge);
    if (sum < 0) {
        sum += edge;
        chunks--;
    }
    if (sum >= edge) { // also where the sum above was rounded up
        sum -= edge;
        chunks++;
    }
    chunks += *chunk;
    *offset = chunks < INT32_MIN ? 0 : chunks > INT32_MAX ? POSITION_LAST : sum;
    *chunk = (int32_t)(chunks < INT32_MIN ? INT32_MIN : chunks > INT32_MAX ? INT32_MAX : chunks);
}

TrnPosition trn_position_add(TrnPosition position, const double by[3])
{
    position_move_axis(&position.chunk.x, &position.offset[0], by[0]);
    position_move_axis(&position.chunk.y, &position.offset[1], by[1]);
    position_move_axis(&position.chunk.z, &position.offset[2], by[2]);
    return position;
}

void trn_position_difference(TrnPosition to, TrnPosition from, double out[3])
{
    const int64_t chunks[3] = {(int64_t)to.chunk.x - from.chunk.x,
                               (int64_t)to.chunk.y - from.chunk.y,
                               (int64_t)to.chunk.z - from.chunk.z};
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (double)(chunks[axis] * TRN_CHUNK_EDGE) + (to.offset[axis] - from.offset[axis]);
    }
}

/// The local voxel of an offset; the nearest one if the offset is out of range or NaN.
static int64_t position_local(double offset)
{
    if (!(offset >= 0)) {
        return 0;
    }
    return offset < TRN_CHUNK_EDGE ? (int64_t)offset : TRN_CHUNK_EDGE - 1;
}

TrnVoxel trn_position_voxel(TrnPosition position)
{
    TrnVoxel voxel = trn_coord_voxel(position.chunk);
    voxel.x += position_local(position.offset[0]);
    voxel.y += position_local(position.offset[1]);
    voxel.z += position_local(position.offset[2]);
    return voxel;
}
