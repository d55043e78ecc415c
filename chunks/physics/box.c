// Boxes on the grid, and what they overlap: chunks looked up once for each call, block sets tested
// row by row.

#include "physics/box.h"

// ---- boxes of models ----------------------------------------------------------------------------

/// The sides that decide which boxes are there.
static uint32_t shape_sides(const TrnBlockModel *model)
{
    uint32_t sides = 0;
    for (uint32_t i = 0; i < model->box_count; i++) {
        sides |= model->boxes[i].connected | model->boxes[i].unconnected;
    }
    return sides;
}

/// The block of the adjacent chunk, or air if that is not loaded or outside the world.
static TrnBlock shape_far_neighbour(const TrnShapePlace *place, TrnFace face, uint32_t index)
{
    const int32_t at[3] = {place->chunk.x, place->chunk.y, place->chunk.z};
    if (at[face / 2] == (face % 2 ? INT32_MAX : INT32_MIN)) {
        return TRN_BLOCK_AIR;
    }
    const TrnChunk *chunk = trn_store_find(place->store, trn_coord_neighbour(place->chunk, face));
    return chunk ? trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), index) : TRN_BLOCK_AIR;
}

static TrnBlock shape_neighbour(const TrnShapePlace *place, TrnFace face)
{
    static const uint32_t shifts[3] = {0, 2 * TRN_CHUNK_SHIFT, TRN_CHUNK_SHIFT};
    const uint32_t shift = shifts[face / 2], last = TRN_CHUNK_EDGE - 1;
    const uint32_t local = place->index >> shift & last;
    const uint32_t next = (face % 2 ? local + 1 : local - 1) & last;
    const uint32_t index = (place->index & ~(last << shift)) | next << shift;
    return local == (face % 2 ? last : 0) ? shape_far_neighbour(place, face, index)
                                          : trn_snapshot_get(place->snapshot, index);
}

uint32_t trn_shape_boxes(const TrnShapePlace *place, const TrnBlockModel *model)
{
    const TrnBlockTypes *types = trn_store_block_types(place->store);
    const uint32_t asked = shape_sides(model);
    uint32_t sides = 0;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        if (asked & 1u << face) {
            const TrnBlock neighbour = shape_neighbour(place, (TrnFace)face);
            const bool connects =
                trn_block_model_connects(model, trn_block_types_get(types, neighbour));
            sides |= (uint32_t)connects << face;
        }
    }
    return trn_block_model_boxes(model, sides);
}

// ---- boxes in the world -------------------------------------------------------------------------

/// Farther than any move, in chunks.
#define BOX_FAR_CHUNKS 256

// ---- boxes --------------------------------------------------------------------------------------

/// Sets where the world ends along an axis, for the middle of a bottom face. @param chunk  the
/// origin's coordinate
static void box_find_world_ends(int32_t chunk, int64_t *low, int64_t *high)
{
    const int64_t below = (int64_t)chunk - INT32_MIN, above = (int64_t)INT32_MAX - chunk;
    *low = -(below < BOX_FAR_CHUNKS ? below : BOX_FAR_CHUNKS) * TRN_GRID_CHUNK;
    *high = ((above < BOX_FAR_CHUNKS ? above : BOX_FAR_CHUNKS) + 1) * TRN_GRID_CHUNK - 1;
}

void trn_box_begin(TrnBoxWorld *world, TrnBodyBox *box, const TrnStore *store, TrnPosition bottom,
                   const double size[3])
{
    const TrnBlockTypes *types = trn_store_block_types(store);
    world->store = store;
    world->solid_bits = trn_block_types_solid_bits(types);
    world->liquid_bits = trn_block_types_liquid_bits(types);
    world->climbable_bits = trn_block_types_climbable_bits(types);
    world->types = trn_block_types_all(types, &world->type_count);
    world->origin = bottom.chunk;
    world->known = 0;
    world->clear = (TrnBoxRegion){{0, 0, 0}, {-1, -1, -1}};
    const int32_t chunk[3] = {bottom.chunk.x, bottom.chunk.y, bottom.chunk.z};
    for (int axis = 0; axis < 3; axis++) {
        box_find_world_ends(chunk[axis], &world->low[axis], &world->high[axis]);
        int64_t at = trn_grid_round(bottom.offset[axis]);
        at = at > world->high[axis] ? world->high[axis] : at; // rounded up, in the last chunk
        // An extent above 0 never becomes 0, or the box would slip between blocks.
        const int64_t rounded = trn_grid_round(size[axis] / 2);
        const int64_t half = rounded == 0 && size[axis] > 0 ? 1 : rounded;
        box->half[axis] = axis == TRN_AXIS_Y ? 0 : half;
        box->low[axis] = at - box->half[axis];
        box->high[axis] = box->low[axis] + 2 * half;
    }
}

TrnPosition trn_box_bottom(const TrnBoxWorld *world, const TrnBodyBox *box)
{
    TrnPosition bottom;
    int32_t chunk[3];
    for (int axis = 0; axis < 3; axis++) {
        const int64_t at = box->low[axis] + box->half[axis];
        chunk[axis] = (int32_t)(at >> (TRN_GRID_SHIFT + TRN_CHUNK_SHIFT));
        bottom.offset[axis] = trn_grid_voxels(at & (TRN_GRID_CHUNK - 1));
    }
    bottom.chunk = trn_coord_add(world->origin, chunk[0], chunk[1], chunk[2]);
    return bottom;
}

TrnBoxRegion trn_box_region(const TrnBodyBox *box)
{
    TrnBoxRegion region;
    for (int axis = 0; axis < 3; axis++) {
        region.min[axis] = trn_grid_floor(box->low[axis]);
        const int32_t last = trn_grid_ceil(box->high[axis]) - 1;
        region.max[axis] = last < region.min[axis] ? region.min[axis] : last;
    }
    return region;
}

TrnBoxRegion trn_box_part(const TrnBoxRegion *region, const int32_t chunk[3])
{
    TrnBoxRegion part;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t base = chunk[axis] * TRN_CHUNK_EDGE;
        const int32_t min = region->min[axis] - base, max = region->max[axis] - base;
        part.min[axis] = min > 0 ? min : 0;
        part.max[axis] = max < TRN_CHUNK_EDGE - 1 ? max : TRN_CHUNK_EDGE - 1;
    }
    return part;
}

// ---- chunk views --------------------------------------------------------------------------------

static bool box_block_is_in(const uint32_t *bits, TrnBlock block)
{
    return (bits[block / 32] >> block % 32 & 1) != 0;
}

/// The chunk at a place counted from the origin, or NULL if it is not loaded or outside the world.
static const TrnChunk *box_find_chunk(const TrnBoxWorld *world, const int32_t chunk[3])
{
    const int64_t x = (int64_t)world->origin.x + chunk[0];
    const int64_t y = (int64_t)world->origin.y + chunk[1];
    const int64_t z = (int64_t)world->origin.z + chunk[2];
    const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
    return coord.x == x && coord.y == y && coord.z == z ? trn_store_find(world->store, coord)
                                                        : NULL;
}

static void box_fill_view(const TrnBoxWorld *world, TrnBoxView *view)
{
    const TrnChunk *chunk = box_find_chunk(world, view->chunk);
    if (!chunk) {
        view->kind = TRN_BOX_VIEW_UNLOADED;
        view->solid = trn_mask_uniform(true);
        return;
    }
    view->snapshot = trn_voxels_snapshot(&chunk->voxels);
    view->solid = trn_snapshot_solid_mask(view->snapshot, world->solid_bits);
    if (!trn_snapshot_is_uniform(view->snapshot)) {
        view->kind = TRN_BOX_VIEW_MIXED;
        return;
    }
    const TrnBlock block = trn_snapshot_uniform(view->snapshot);
    view->kind = !box_block_is_in(world->solid_bits, block)               ? TRN_BOX_VIEW_FREE
                 : block < world->type_count && world->types[block].model ? TRN_BOX_VIEW_MIXED
                                                                          : TRN_BOX_VIEW_SOLID;
}

const TrnBoxView *trn_box_view(TrnBoxWorld *world, const int32_t chunk[3])
{
    const uint32_t place =
        ((uint32_t)chunk[0] & 1) | ((uint32_t)chunk[1] & 1) << 1 | ((uint32_t)chunk[2] & 1) << 2;
    TrnBoxView *view = &world->views[place];
    const bool is_known = (world->known >> place & 1) != 0;
    if (is_known && view->chunk[0] == chunk[0] && view->chunk[1] == chunk[1] &&
        view->chunk[2] == chunk[2]) {
        return view;
    }
    view->chunk[0] = chunk[0];
    view->chunk[1] = chunk[1];
    view->chunk[2] = chunk[2];
    box_fill_view(world, view);
    world->known |= UINT32_C(1) << place;
    return view;
}

// ---- boxes of models ----------------------------------------------------------------------------

void trn_box_parts(const TrnBoxWorld *world, const TrnBoxView *view, uint32_t index,
                   const TrnBlockModel *model, TrnBoxParts *parts)
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    const uint32_t local[3] = {index & last, index >> 2 * TRN_CHUNK_SHIFT,
                               index >> TRN_CHUNK_SHIFT & last};
    const TrnShapePlace place = {
        world->store, trn_coord_add(world->origin, view->chunk[0], view->chunk[1], view->chunk[2]),
        view->snapshot, index};
    parts->count = 0;
    for (uint32_t left = trn_shape_boxes(&place, model); left; left &= left - 1) {
        const TrnBlockBox *box = &model->boxes[__builtin_ctz(left)];
        for (int axis = 0; axis < 3; axis++) {
            const int64_t base =
                trn_grid_face(view->chunk[axis] * TRN_CHUNK_EDGE + (int32_t)local[axis]);
            parts->low[parts->count][axis] = base + box->min[axis] * TRN_GRID_PART;
            parts->high[parts->count][axis] = base + box->max[axis] * TRN_GRID_PART;
        }
        parts->count++;
    }
}

// ---- overlap test -------------------------------------------------------------------------------

/// Whether a box overlaps a part. A box of extent 0 along an axis lies in the part that contains
/// its coordinate.
static bool box_overlaps_part(const TrnBodyBox *box, const int64_t low[3], const int64_t high[3])
{
    bool overlaps = true;
    for (int axis = 0; axis < 3; axis++) {
        overlaps &= box->low[axis] == box->high[axis]
                        ? low[axis] <= box->low[axis] && box->low[axis] < high[axis]
                        : low[axis] < box->high[axis] && box->low[axis] < high[axis];
    }
    return overlaps;
}

/// Whether a box overlaps something solid in a voxel of its region.
static bool box_overlaps_voxel(const TrnBoxWorld *world, const TrnBoxView *view, uint32_t index,
                               const TrnBodyBox *box)
{
    const TrnBlockModel *model = trn_box_model(world, view, index);
    if (!model) {
        return true;
    }
    TrnBoxParts parts;
    bool overlaps = false;
    trn_box_parts(world, view, index, model, &parts);
    for (uint32_t i = 0; i < parts.count && !overlaps; i++) {
        overlaps = box_overlaps_part(box, parts.low[i], parts.high[i]);
    }
    return overlaps;
}

/// Records a solid voxel if it comes before the recorded one: x fastest, then z, then y.
static void box_touch_solid(TrnBoxTouch *touch, int32_t x, int32_t y, int32_t z)
{
    const int32_t *first = touch->first_solid;
    const bool is_before = y != first[1]   ? y < first[1]
                           : z != first[2] ? z < first[2]
                                           : x < first[0];
    if (!touch->solid || is_before) {
        touch->solid = true;
        touch->first_solid[0] = x;
        touch->first_solid[1] = y;
        touch->first_solid[2] = z;
    }
}

/// Whether the voxel above another is one below which a liquid fills its voxel: opaque, transparent
/// or a liquid. Not if that is not loaded. @param index  linear, of the voxel below
static bool box_is_covered(const TrnBoxWorld *world, const TrnBoxView *view, uint32_t index)
{
    const uint32_t layer = TRN_CHUNK_EDGE * TRN_CHUNK_EDGE;
    TrnSnapshot snapshot = view->snapshot;
    if (index + layer >= TRN_CHUNK_VOXELS) {
        const int32_t above[3] = {view->chunk[0], view->chunk[1] + 1, view->chunk[2]};
        const TrnChunk *chunk = box_find_chunk(world, above);
        if (!chunk) {
            return false;
        }
        snapshot = trn_voxels_snapshot(&chunk->voxels);
    }
    const TrnBlock block = trn_snapshot_get(snapshot, (index + layer) % TRN_CHUNK_VOXELS);
    const TrnBlockKind kind =
        block < world->type_count ? world->types[block].kind : TRN_BLOCK_KIND_OPAQUE;
    return kind == TRN_BLOCK_KIND_OPAQUE || kind == TRN_BLOCK_KIND_TRANSPARENT ||
           box_block_is_in(world->liquid_bits, block);
}

/// How high a liquid reaches in its voxel, as it is drawn, in grid units.
static int64_t box_liquid_height(const TrnBoxWorld *world, const TrnBoxView *view, TrnBlock block,
                                 uint32_t index)
{
    const TrnBlock liquid = world->types[block].liquid; // of a plant
    const int64_t surface = world->types[liquid ? liquid : block].surface;
    return surface < TRN_BLOCK_GRID && !box_is_covered(world, view, index) ? surface * TRN_GRID_PART
                                                                           : TRN_GRID_VOXEL;
}

/// Records whether a block is climbable or liquid.
/// @param index  linear, of the highest voxel that contains it
static void box_touch_block(const TrnBoxWorld *world, const TrnBoxView *view, uint32_t index,
                            TrnBlock block, TrnBoxTouch *touch)
{
    touch->climbable |= box_block_is_in(world->climbable_bits, block);
    if (!box_block_is_in(world->liquid_bits, block)) {
        return;
    }
    const int32_t y = view->chunk[1] * TRN_CHUNK_EDGE + (int32_t)(index >> 2 * TRN_CHUNK_SHIFT);
    if (touch->liquid_top < trn_grid_face(y + 1)) {
        const int64_t top = trn_grid_face(y) + box_liquid_height(world, view, block, index);
        touch->liquid_top = top > touch->liquid_top ? top : touch->liquid_top;
    }
}

/// Tests one row along x of a chunk. @param row  local y * 32 + z
static void box_touch_row(TrnBoxWorld *world, const TrnBoxView *view, const TrnBodyBox *box,
                          const TrnBoxRegion *part, uint32_t row, TrnBoxTouch *touch)
{
    const int32_t y = view->chunk[1] * TRN_CHUNK_EDGE + (int32_t)(row >> TRN_CHUNK_SHIFT);
    const int32_t z = view->chunk[2] * TRN_CHUNK_EDGE + (int32_t)(row & (TRN_CHUNK_EDGE - 1));
    const uint32_t min = (uint32_t)part->min[0], max = (uint32_t)part->max[0];
    uint32_t solid =
        trn_box_row(view, row) & UINT32_MAX << min & UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - max);
    if (solid) {
        world->clear.max[0] = world->clear.min[0] - 1; // perhaps a model
    }
    for (; solid; solid &= solid - 1) {
        const uint32_t x = (uint32_t)__builtin_ctz(solid);
        if (box_overlaps_voxel(world, view, row << TRN_CHUNK_SHIFT | x, box)) {
            box_touch_solid(touch, view->chunk[0] * TRN_CHUNK_EDGE + (int32_t)x, y, z);
            break;
        }
    }
    for (uint32_t x = min; x <= max; x++) {
        const uint32_t index = row << TRN_CHUNK_SHIFT | x;
        box_touch_block(world, view, index, trn_snapshot_get(view->snapshot, index), touch);
    }
}

/// Tests the one block of a uniform chunk. Its liquid is as high in all columns, unless it ends
/// with the chunk: then it is as high as what is above each column lets it be.
static void box_touch_uniform(const TrnBoxWorld *world, const TrnBoxView *view,
                              const TrnBoxRegion *part, TrnBoxTouch *touch)
{
    const TrnBlock block = trn_snapshot_uniform(view->snapshot);
    const bool is_at_top = part->max[1] == TRN_CHUNK_EDGE - 1;
    const int32_t last_x = is_at_top ? part->max[0] : part->min[0];
    const int32_t last_z = is_at_top ? part->max[2] : part->min[2];
    for (int32_t z = part->min[2]; z <= last_z; z++) {
        for (int32_t x = part->min[0]; x <= last_x; x++) {
            const uint32_t index =
                trn_local_index((uint32_t)x, (uint32_t)part->max[1], (uint32_t)z);
            box_touch_block(world, view, index, block, touch);
        }
    }
}

static void box_touch_chunk(TrnBoxWorld *world, const TrnBodyBox *box, const TrnBoxRegion *region,
                            const int32_t chunk[3], TrnBoxTouch *touch)
{
    const TrnBoxView *view = trn_box_view(world, chunk);
    const TrnBoxRegion part = trn_box_part(region, chunk);
    if (view->kind == TRN_BOX_VIEW_UNLOADED) {
        touch->unloaded = true;
        return;
    }
    if (view->kind == TRN_BOX_VIEW_MIXED) {
        for (int32_t y = part.min[1]; y <= part.max[1]; y++) {
            for (int32_t z = part.min[2]; z <= part.max[2]; z++) {
                box_touch_row(world, view, box, &part, (uint32_t)(y << TRN_CHUNK_SHIFT | z), touch);
            }
        }
        return;
    }
    if (view->kind == TRN_BOX_VIEW_SOLID) {
        box_touch_solid(touch, chunk[0] * TRN_CHUNK_EDGE + part.min[0],
                        chunk[1] * TRN_CHUNK_EDGE + part.min[1],
                        chunk[2] * TRN_CHUNK_EDGE + part.min[2]);
    }
    box_touch_uniform(world, view, &part, touch);
}

TrnBoxTouch trn_box_touch(TrnBoxWorld *world, const TrnBodyBox *box)
{
    const TrnBoxRegion region = trn_box_region(box);
    TrnBoxTouch touch = {.liquid_top = INT64_MIN};
    int32_t first[3], last[3], chunk[3];
    world->clear = region;
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = region.min[axis] >> TRN_CHUNK_SHIFT;
        last[axis] = region.max[axis] >> TRN_CHUNK_SHIFT;
    }
    for (chunk[1] = first[1]; chunk[1] <= last[1]; chunk[1]++) {
        for (chunk[2] = first[2]; chunk[2] <= last[2]; chunk[2]++) {
            for (chunk[0] = first[0]; chunk[0] <= last[0]; chunk[0]++) {
                box_touch_chunk(world, box, &region, chunk, &touch);
            }
        }
    }
    return touch;
}

int64_t trn_box_liquid_depth(const TrnBoxTouch *touch, const TrnBodyBox *box)
{
    const int64_t height = box->high[TRN_AXIS_Y] - box->low[TRN_AXIS_Y];
    const int64_t depth =
        trn_box_is_in_liquid(touch, box) ? touch->liquid_top - box->low[TRN_AXIS_Y] : 0;
    return depth < height ? depth : height;
}

// ---- the overlap test ---------------------------------------------------------------------------

static bool overlap_is_valid(TrnPosition bottom, const double size[3])
{
    bool is_valid = trn_position_is_valid(bottom);
    for (int axis = 0; axis < 3; axis++) {
        is_valid &= trn_number_within(size[axis], 0, TRN_BODY_SIZE_MAX);
    }
    return is_valid;
}

TrnResult trn_store_overlap(const TrnStore *store, TrnPosition bottom, const double size[3],
                            TrnOverlap *overlap)
{
    if (!store || !size || !overlap || !overlap_is_valid(bottom, size)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnBoxWorld world;
    TrnBodyBox box;
    trn_box_begin(&world, &box, store, bottom, size);
    const TrnBoxTouch touch = trn_box_touch(&world, &box);
    *overlap = (TrnOverlap){.solid = touch.solid,
                            .liquid = trn_box_is_in_liquid(&touch, &box),
                            .climbable = touch.climbable,
                            .unloaded = touch.unloaded};
    if (touch.solid) {
        overlap->first_solid = trn_coord_voxel(world.origin);
        overlap->first_solid.x += touch.first_solid[0];
        overlap->first_solid.y += touch.first_solid[1];
        overlap->first_solid.z += touch.first_solid[2];
    }
    overlap->liquid_depth = trn_grid_voxels(trn_box_liquid_depth(&touch, &box));
    return TRN_RESULT_OK;
}
