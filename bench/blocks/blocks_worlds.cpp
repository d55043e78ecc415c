#include <algorithm>
#include <cstring>
#include <utility>

#include "blocks/blocks_parts.hpp"

// ---- types -------------------------------------------------------------------------------------

namespace {

TrnBlockBox box_of(int min_x, int min_y, int min_z, int max_x, int max_y, int max_z)
{
    TrnBlockBox box = {};
    const int min[3] = {min_x, min_y, min_z}, max[3] = {max_x, max_y, max_z};
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = static_cast<std::uint8_t>(min[axis]);
        box.max[axis] = static_cast<std::uint8_t>(max[axis]);
    }
    return box;
}

TrnBlockBox arm_of(TrnFace side, const TrnBlockBox &box)
{
    TrnBlockBox arm = box;
    arm.connected = static_cast<std::uint8_t>(1U << side);
    return arm;
}

TrnBlock add(TrnBlockTypes *types, const char *name, TrnBlockKind kind, std::uint8_t connects,
             const std::vector<TrnBlockBox> &boxes)
{
    TrnBlockModel model = {};
    model.connects = connects;
    model.box_count = static_cast<std::uint32_t>(boxes.size());
    std::copy(boxes.begin(), boxes.end(), model.boxes);
    TrnBlockType type = trn_block_type_def(name, kind);
    type.model = kind == TRN_BLOCK_KIND_MODEL ? &model : nullptr;
    TrnBlock block = 0;
    require(trn_block_types_add(types, &type, &block));
    return block;
}

} // namespace

BlocksTypes::BlocksTypes()
{
    create_owned(made, trn_block_types_create_builtin, nullptr);
    const TrnBlockKind model = TRN_BLOCK_KIND_MODEL;
    slab = add(made.get(), "bench:slab", model, 0, {box_of(0, 0, 0, 16, 8, 16)});
    stair = add(made.get(), "bench:stair", model, 0,
                {box_of(0, 0, 0, 16, 8, 16), box_of(0, 8, 8, 16, 16, 16)});
    torch = add(made.get(), "bench:torch", model, 0, {box_of(7, 0, 7, 9, 10, 9)});
    carpet = add(made.get(), "bench:carpet", model, 0, {box_of(0, 0, 0, 16, 1, 16)});
    fence = add(made.get(), "bench:fence", model, 1,
                {box_of(6, 0, 6, 10, 16, 10), arm_of(TRN_FACE_NEG_X, box_of(0, 6, 7, 6, 15, 9)),
                 arm_of(TRN_FACE_POS_X, box_of(10, 6, 7, 16, 15, 9)),
                 arm_of(TRN_FACE_NEG_Z, box_of(7, 6, 0, 9, 15, 6)),
                 arm_of(TRN_FACE_POS_Z, box_of(7, 6, 10, 9, 15, 16))});
    pane = add(made.get(), "bench:pane", model, 2,
               {box_of(7, 0, 7, 9, 16, 9), arm_of(TRN_FACE_NEG_X, box_of(0, 0, 7, 7, 16, 9)),
                arm_of(TRN_FACE_POS_X, box_of(9, 0, 7, 16, 16, 9)),
                arm_of(TRN_FACE_NEG_Z, box_of(7, 0, 0, 9, 16, 7)),
                arm_of(TRN_FACE_POS_Z, box_of(7, 0, 9, 9, 16, 16))});
    leaves = add(made.get(), "bench:leaves", TRN_BLOCK_KIND_CUTOUT, 0, {});
    all = trn_block_types_all(made.get(), &count);
}

// ---- chunks ------------------------------------------------------------------------------------

BlocksChunk::BlocksChunk(std::string world, std::shared_ptr<const BlocksTypes> used)
    : name(std::move(world)), types(std::move(used)),
      blocks(static_cast<std::size_t>(TRN_CHUNK_VOXELS), TRN_BLOCK_AIR)
{
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = trn_block_types_solid_bits(types->made.get());
    def.opaque_bits = trn_block_types_opaque_bits(types->made.get());
    create_owned(heap, trn_voxel_heap_create, &def);
}

void BlocksChunk::put(int x, int y, int z, TrnBlock block)
{
    blocks[trn_local_index(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                           static_cast<std::uint32_t>(z))] = block;
}

void BlocksChunk::fill(int x, int y, int z, int to_x, int to_y, int to_z, TrnBlock block)
{
    for (int i = y; i <= to_y; i++) {
        for (int j = z; j <= to_z; j++) {
            for (int k = x; k <= to_x; k++) {
                put(k, i, j, block);
            }
        }
    }
}

void BlocksChunk::encode()
{
    require(trn_voxels_encode(heap.get(), &voxels, blocks.data(), 0));
}

TrnMeshInput BlocksChunk::input() const
{
    TrnMeshInput input = {};
    for (std::uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        input.around[place] = trn_snapshot_of(place < 9 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR, 0);
    }
    input.around[TRN_AROUND_CENTRE] = trn_voxels_snapshot(&voxels);
    input.present = (1U << TRN_AROUND_COUNT) - 1;
    input.types = types->all;
    input.type_count = types->count;
    return input;
}

std::size_t BlocksChunk::models() const
{
    return static_cast<std::size_t>(
        std::count_if(blocks.begin(), blocks.end(), [this](TrnBlock block) {
            return types->all[block].kind == TRN_BLOCK_KIND_MODEL;
        }));
}

// ---- worlds ------------------------------------------------------------------------------------

namespace {

const int ground = 8; ///< the lowest y above the ground

SharedChunk make_land(const char *name, const std::shared_ptr<const BlocksTypes> &types)
{
    auto chunk = std::make_shared<BlocksChunk>(name, types);
    chunk->fill(0, 0, 0, 31, ground - 3, 31, TRN_BLOCK_STONE);
    chunk->fill(0, ground - 2, 0, 31, ground - 2, 31, TRN_BLOCK_DIRT);
    chunk->fill(0, ground - 1, 0, 31, ground - 1, 31, TRN_BLOCK_GRASS);
    return chunk;
}

/// Builds a house of nine by nine voxels, with a fence around it.
/// @param has_garden  whether to build the fence
void build_house(BlocksChunk &chunk, int x, int z, bool has_garden)
{
    const BlocksTypes &types = *chunk.types;
    const int high = 8;
    for (int i = -2; i <= 10 && has_garden; i++) {
        for (const int side : {-2, 10}) {
            chunk.put(x + i, ground, z + side, types.fence);
            chunk.put(x + side, ground, z + i, types.fence);
        }
    }
    chunk.fill(x, ground, z, x + 8, ground + high - 1, z + 8, TRN_BLOCK_SANDSTONE);
    chunk.fill(x + 1, ground, z + 1, x + 7, ground + high - 1, z + 7, TRN_BLOCK_AIR);
    chunk.fill(x + 3, ground, z + 3, x + 5, ground, z + 5, types.carpet);
    chunk.fill(x + 4, ground, z, x + 4, ground + 1, z, TRN_BLOCK_AIR); // the door
    for (const int i : {2, 3, 5, 6}) {
        chunk.fill(x + i, ground + 1, z + 8, x + i, ground + 2, z + 8, types.pane);
        chunk.fill(x, ground + 1, z + i, x, ground + 2, z + i, types.pane);
        chunk.fill(x + 8, ground + 1, z + i, x + 8, ground + 2, z + i, types.pane);
    }
    chunk.put(x + 1, ground + 2, z + 1, types.torch);
    chunk.put(x + 7, ground + 2, z + 7, types.torch);
    for (int level = 0; level < 5; level++) { // the roof, ring by ring
        const int low = level, top = 8 - level, y = ground + high + level;
        chunk.fill(x + low, y, z + low, x + top, y, z + top, types.stair);
        if (top - low > 1) {
            chunk.fill(x + low + 1, y, z + low + 1, x + top - 1, y, z + top - 1, TRN_BLOCK_OAK_LOG);
        }
    }
}

} // namespace

SharedChunk make_village(const std::shared_ptr<const BlocksTypes> &types)
{
    SharedChunk chunk = make_land(blocks_village, types);
    for (const int x : {4, 19}) {
        for (const int z : {4, 19}) {
            build_house(*chunk, x, z, x == z);
        }
    }
    chunk->fill(16, ground, 0, 16, ground, 31, types->slab); // the roads
    chunk->fill(0, ground, 16, 31, ground, 16, types->slab);
    chunk->encode();
    return chunk;
}

SharedChunk make_field(const char *name, const std::shared_ptr<const BlocksTypes> &types,
                       TrnBlock block)
{
    SharedChunk chunk = make_land(name, types);
    chunk->fill(0, ground, 0, 31, ground, 31, block);
    chunk->encode();
    return chunk;
}

SharedChunk make_wood(const std::shared_ptr<const BlocksTypes> &types)
{
    SharedChunk chunk = make_land(blocks_wood, types);
    for (int i = 0; i < 9; i++) {
        const int x = 5 + i % 3 * 10, z = 5 + i / 3 * 10, y = ground + 8 + i % 4;
        for (int voxel = 0; voxel < 9 * 9 * 9; voxel++) {
            const int at[3] = {voxel % 9 - 4, voxel / 81 - 4, voxel / 9 % 9 - 4};
            if (at[0] * at[0] + at[1] * at[1] + at[2] * at[2] <= 18) {
                chunk->put(x + at[0], y + at[1], z + at[2], types->leaves);
            }
        }
        chunk->fill(x, ground, z, x, y, z, TRN_BLOCK_OAK_LOG);
    }
    chunk->encode();
    return chunk;
}
