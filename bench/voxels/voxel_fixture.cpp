#include "voxel_fixture.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "base/cpu.h"
#include "voxels/voxel_edit_internal.h"
#include "voxels/voxels_internal.h"

namespace {

TrnBlock add_type(TrnBlockTypes *types, const std::string &name, TrnBlockKind kind)
{
    const TrnBlockType type = trn_block_type_def(name.c_str(), kind);
    TrnBlock id = 0;
    require(trn_block_types_add(types, &type, &id));
    return id;
}

} // namespace

// ---- block types -------------------------------------------------------------------------------

VoxelTypes::VoxelTypes()
{
    create_owned(registry, trn_block_types_create_builtin, nullptr);
    for (std::size_t i = TRN_BLOCK_BUILTIN_COUNT; i < 1024; i++) {
        add_type(registry.get(), "bench:type_" + std::to_string(i),
                 i % 5 == 0 ? TRN_BLOCK_KIND_PLANT : TRN_BLOCK_KIND_OPAQUE);
    }
    glass = add_type(registry.get(), "bench:glass", TRN_BLOCK_KIND_TRANSPARENT);
    for (std::size_t i = 0; i < ore_count; i++) {
        ores[i] = add_type(registry.get(), "bench:ore_" + std::to_string(i), TRN_BLOCK_KIND_OPAQUE);
    }
}

const std::uint32_t *VoxelTypes::solid() const
{
    return trn_block_types_solid_bits(registry.get());
}

const std::uint32_t *VoxelTypes::opaque() const
{
    return trn_block_types_opaque_bits(registry.get());
}

std::vector<TrnBlock> VoxelTypes::palette(std::size_t count, bool with_glass) const
{
    std::vector<TrnBlock> blocks;
    for (std::size_t i = 0; i < count; i++) {
        blocks.push_back(static_cast<TrnBlock>(i));
    }
    if (with_glass) {
        blocks.back() = glass;
    }
    return blocks;
}

std::size_t VoxelTypes::count() const
{
    std::uint32_t all = 0;
    trn_block_types_all(registry.get(), &all);
    return all;
}

// ---- heaps -------------------------------------------------------------------------------------

VoxelLab::VoxelLab(const VoxelTypes &block_types, const std::string &kernels) : types(block_types)
{
    create_owned(index, trn_chunk_index_create, nullptr);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = types.solid();
    def.opaque_bits = types.opaque();
    def.index = index.get();
    create_owned(voxel_heap, trn_voxel_heap_create, &def);
    if (!kernels.empty()) {
        trn_voxel_heap_use_kernels(heap(), kernels.c_str());
    }
}

TrnVoxelHeap *VoxelLab::heap() const
{
    return voxel_heap.get();
}

void VoxelLab::encode(TrnVoxels &voxels, const TrnBlock *blocks) const
{
    require(trn_voxels_encode(heap(), &voxels, blocks, 1));
}

VoxelStore voxel_store(const VoxelTypes &types)
{
    TrnStoreDef def = trn_store_def();
    def.types = types.registry.get();
    return make_owned<VoxelStore>(trn_store_create, &def);
}

TrnChunk *voxel_insert(const VoxelStore &store, TrnCoord coord)
{
    TrnChunk *chunk = nullptr;
    require(trn_store_insert_uniform(store.get(), coord, TRN_BLOCK_AIR, &chunk));
    return chunk;
}

std::vector<std::string> voxel_kernel_names(const VoxelTypes &types)
{
    const VoxelLab lab(types);
    std::vector<std::string> names;
    for (const char *name : {"AVX-512", "AVX2", TRN_CPU_VECTORS_NAME, "scalar"}) {
        if (trn_voxel_heap_use_kernels(lab.heap(), name)) {
            names.emplace_back(name);
        }
    }
    return names;
}

VoxelChunks voxel_chunks(const VoxelTypes &types, std::vector<VoxelArray> arrays,
                         const std::string &kernels)
{
    VoxelChunks chunks;
    chunks.lab = std::make_shared<VoxelLab>(types, kernels);
    for (const VoxelArray &blocks : arrays) {
        chunks.voxels.emplace_back();
        chunks.lab->encode(chunks.voxels.back(), blocks.data());
    }
    chunks.arrays = std::move(arrays);
    return chunks;
}

// ---- blocks ------------------------------------------------------------------------------------

VoxelArray random_voxels(const std::vector<TrnBlock> &palette, std::uint32_t seed)
{
    std::mt19937 random(seed);
    VoxelArray blocks(voxel_count);
    for (TrnBlock &block : blocks) {
        block = palette[random() % palette.size()];
    }
    const std::size_t first = random() % voxel_count;
    for (std::size_t i = 0; i < palette.size(); i++) {
        blocks[(first + 31 * i) % voxel_count] = palette[i];
    }
    return blocks;
}

std::vector<VoxelArray> random_chunks(const std::vector<TrnBlock> &palette, std::size_t count)
{
    std::vector<VoxelArray> chunks;
    for (std::size_t i = 0; i < count; i++) {
        chunks.push_back(random_voxels(palette, voxel_seed + static_cast<std::uint32_t>(i)));
    }
    return chunks;
}

std::vector<std::uint32_t> naive_mask(const VoxelArray &blocks, const std::uint32_t *block_bits)
{
    std::vector<std::uint32_t> rows(voxel_rows);
    for (std::size_t i = 0; i < blocks.size(); i++) {
        const std::uint32_t bit = block_bits[blocks[i] / 32] >> (blocks[i] % 32) & 1;
        rows[i / TRN_CHUNK_EDGE] |= bit << (i % TRN_CHUNK_EDGE);
    }
    return rows;
}

bool snapshot_is(TrnSnapshot snapshot, const VoxelArray &blocks, const VoxelTypes &types)
{
    VoxelArray decoded(voxel_count);
    trn_snapshot_decode(snapshot, decoded.data());
    std::vector<std::uint32_t> solid(voxel_rows), opaque(voxel_rows);
    trn_snapshot_solid_rows(snapshot, types.solid(), solid.data());
    trn_snapshot_opaque_rows(snapshot, types.opaque(), opaque.data());
    return decoded == blocks && solid == naive_mask(blocks, types.solid()) &&
           opaque == naive_mask(blocks, types.opaque());
}

bool VoxelChunks::are(const std::vector<VoxelArray> &expected) const
{
    bool is_right = true;
    for (std::size_t i = 0; i < expected.size(); i++) {
        const TrnSnapshot now = trn_voxels_snapshot(&voxels[i]);
        is_right = is_right && snapshot_is(now, expected[i], lab->types);
    }
    return is_right;
}

// ---- edits -------------------------------------------------------------------------------------

OpenVoxelEdit::OpenVoxelEdit(std::shared_ptr<VoxelLab> in, TrnVoxels &voxels)
    : edit(), lab(std::move(in))
{
    trn_voxel_edit_begin(&edit, lab->heap(), &voxels);
}

OpenVoxelEdit::~OpenVoxelEdit()
{
    trn_voxel_edit_cancel(&edit);
}

bool OpenVoxelEdit::is(const VoxelArray &blocks) const
{
    for (std::uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (trn_voxel_edit_get(&edit, i) != blocks[i]) {
            return false;
        }
    }
    return snapshot_is(trn_edit_now(trn_edit_state(const_cast<TrnVoxelEdit *>(&edit))), blocks,
                       lab->types);
}

// ---- names -------------------------------------------------------------------------------------

std::size_t types_of_bits(int bits)
{
    return bits == 16 ? 1000 : std::size_t{1} << bits;
}

std::string bits_name(int bits)
{
    return bits == 0 ? "uniform" : std::to_string(bits) + (bits == 1 ? " bit" : " bits");
}
