/// Block types, and the voxels of one chunk, for C++17 and later (terrane/block_types.h,
/// terrane/voxels.h). terrane/terrane.hpp says how results and handles work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_VOXELS_HPP
#define TERRANE_VOXELS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <terrane/base.hpp>
#include <terrane/block_data.h>
#include <terrane/block_types.h>
#include <terrane/store.h>
#include <terrane/voxels.h>

namespace trn {

// ---- block types -------------------------------------------------------------------------------

/// Borrows block types (terrane/block_types.h).
class BlockTypesRef : public Borrowed<TrnBlockTypes> {
  public:
    BlockTypesRef() noexcept = default;
    BlockTypesRef(TrnBlockTypes *c) noexcept : Borrowed(c)
    {
    }
    Result<TrnBlock> add(const TrnBlockType &type)
    {
        return detail::value_of<TrnBlock>(trn_block_types_add, c_, &type);
    }
    Result<TrnBlock> add(const char *name, TrnBlockKind kind)
    {
        return add(trn_block_type_def(name, kind));
    }
    /// @param count  4 or 8 turns of a model, 9 forms of a liquid
    Result<TrnBlock> add_family(const TrnBlockType &type, std::uint32_t count)
    {
        return detail::value_of<TrnBlock>(trn_block_types_add_family, c_, &type, count);
    }
    Result<TrnBlock> add_unknown(const char *name)
    {
        return detail::value_of<TrnBlock>(trn_block_types_add_unknown, c_, name);
    }
    /// TRN_BLOCK_AIR if the family has no such type.
    TrnBlock variant(TrnBlock block, std::uint32_t variant) const
    {
        return trn_block_types_variant(c_, block, variant);
    }
    /// @param problem  receives what is wrong with the text; may be NULL
    Status load(std::string_view text, TrnBlockTypesProblem *problem = nullptr)
    {
        return trn_block_types_load(c_, text.data(), text.size(), problem);
    }
    Result<TrnBlock> find(const char *name) const
    {
        return detail::value_of<TrnBlock>(trn_block_types_find, c_, name);
    }
    const TrnBlockType &operator[](TrnBlock id) const
    {
        return *trn_block_types_get(c_, id);
    }
    /// By id; valid until types are added or loaded.
    Span<const TrnBlockType> all() const
    {
        std::uint32_t count = 0;
        const TrnBlockType *types = trn_block_types_all(c_, &count);
        return Span<const TrnBlockType>(types, count);
    }
    const std::uint32_t *solid_bits() const
    {
        return trn_block_types_solid_bits(c_);
    }
    const std::uint32_t *opaque_bits() const
    {
        return trn_block_types_opaque_bits(c_);
    }
    const std::uint32_t *liquid_bits() const
    {
        return trn_block_types_liquid_bits(c_);
    }
    const std::uint32_t *climbable_bits() const
    {
        return trn_block_types_climbable_bits(c_);
    }
};

/// Owns block types.
class BlockTypes : public Owned<BlockTypesRef, trn_block_types_destroy> {
  public:
    using Owned::Owned;
    /// With air alone.
    static Result<BlockTypes> create(const TrnAllocator *allocator = nullptr)
    {
        return detail::handle_of<BlockTypes>(trn_block_types_create, allocator);
    }
    /// With the built-in types, for the built-in terrain.
    static Result<BlockTypes> create_builtin(const TrnAllocator *allocator = nullptr)
    {
        return detail::handle_of<BlockTypes>(trn_block_types_create_builtin, allocator);
    }
};

// ---- voxels ------------------------------------------------------------------------------------

/// TRN_CHUNK_VOXELS as the size of an array.
inline constexpr std::size_t chunk_voxels = static_cast<std::size_t>(TRN_CHUNK_VOXELS);

/// The voxels of one chunk at one moment (terrane/voxels.h). A value of eight bytes, valid until
/// the reader ends its section; on the writer's thread until the chunk is changed or removed.
struct Snapshot : TrnSnapshot {
    Snapshot() noexcept : TrnSnapshot{0}
    {
    }
    Snapshot(TrnSnapshot snapshot) noexcept : TrnSnapshot(snapshot)
    {
    }
    explicit Snapshot(const TrnChunk &chunk) noexcept
        : TrnSnapshot(trn_voxels_snapshot(&chunk.voxels))
    {
    }
    /// @param x,y,z  local, 0..31
    TrnBlock at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const
    {
        return trn_snapshot_get(*this, trn_local_index(x, y, z));
    }
    /// @param index  linear index, 0..32767
    TrnBlock operator[](std::uint32_t index) const
    {
        return trn_snapshot_get(*this, index);
    }
    bool is_uniform() const
    {
        return trn_snapshot_is_uniform(*this);
    }
    std::uint64_t revision() const
    {
        return trn_snapshot_revision(*this);
    }
    std::uint32_t bits() const
    {
        return trn_snapshot_bits(*this);
    }
    /// Writes all blocks in linear order.
    /// @param blocks  [TRN_CHUNK_VOXELS] or more; BAD_ARGUMENT if it is shorter
    Status decode(Span<TrnBlock> blocks) const
    {
        if (blocks.size() < chunk_voxels) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        trn_snapshot_decode(*this, blocks.data());
        return TRN_RESULT_OK;
    }
    std::uint32_t count(TrnBlock block) const
    {
        return trn_snapshot_count(*this, block);
    }
    /// The block data of a voxel (terrane/block_data.h); empty if it has none.
    std::optional<TrnBlockData> data(std::uint32_t index) const
    {
        TrnBlockData data{};
        return trn_snapshot_get_data(*this, index, &data) ? std::optional<TrnBlockData>(data)
                                                          : std::nullopt;
    }
    /// How many voxels have data.
    std::uint32_t count_data() const
    {
        return trn_snapshot_count_data(*this);
    }
    bool same_data(TrnSnapshot other) const
    {
        return trn_snapshot_equal_data(*this, other);
    }
    bool same_blocks(TrnSnapshot other) const
    {
        return trn_snapshot_equal(*this, other);
    }
    std::uint64_t hash() const
    {
        return trn_snapshot_hash(*this);
    }
};

/// A chunk and its 26 neighbours, as trn_store_snapshot_around writes them.
struct Around {
    TrnSnapshot chunks[TRN_AROUND_COUNT]; ///< in the order of trn_coord_around
    std::uint32_t present;                ///< bit i: chunks[i] is loaded
};

} // namespace trn

#endif
