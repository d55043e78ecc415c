/// Liquids that flow, and random ticks, for C++17 and later (terrane/fluid.h, terrane/ticks.h).
/// terrane/terrane.hpp says how results and handles work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_FLUID_HPP
#define TERRANE_FLUID_HPP

#include <cstdint>
#include <vector>

#include <terrane/edits.hpp>
#include <terrane/fluid.h>
#include <terrane/store.hpp>
#include <terrane/ticks.h>

namespace trn {

/// Owns the fluid of a store, which makes its liquids flow (terrane/fluid.h). Destroy it before its
/// store.
class Fluid : public Owned<Borrowed<TrnFluid>, trn_fluid_destroy> {
  public:
    using Owned::Owned;
    /// A liquid of a family of block types, to flow as water does.
    static Result<TrnFluidLiquid> liquid(BlockTypesRef types, TrnBlock family)
    {
        return detail::value_of<TrnFluidLiquid>(trn_fluid_liquid, types.c(), family);
    }
    static Result<TrnFluidLiquid> water(BlockTypesRef types)
    {
        return detail::value_of<TrnFluidLiquid>(trn_fluid_water, types.c());
    }
    static Result<TrnFluidLiquid> lava(BlockTypesRef types)
    {
        return detail::value_of<TrnFluidLiquid>(trn_fluid_lava, types.c());
    }
    static Result<Fluid> create(StoreRef store, const TrnFluidDef &def)
    {
        return detail::handle_of<Fluid>(trn_fluid_create, store.c(), &def);
    }
    /// Each step of the game.
    Result<TrnFluidOutcome> step()
    {
        return detail::value_of<TrnFluidOutcome>(trn_fluid_step, c_);
    }
    void set_running(bool is_running)
    {
        trn_fluid_set_running(c_, is_running);
    }
    void drop(TrnCoord coord)
    {
        trn_fluid_drop(c_, coord);
    }
    Status wake(TrnCoord coord)
    {
        return trn_fluid_wake(c_, coord);
    }
    /// What it has yet to look at, for load(). Allocates.
    std::vector<unsigned char> save() const
    {
        std::vector<unsigned char> bytes(trn_fluid_save(c_, nullptr, 0));
        trn_fluid_save(c_, bytes.data(), bytes.size());
        return bytes;
    }
    Status load(Span<const unsigned char> bytes)
    {
        return trn_fluid_load(c_, bytes.data(), bytes.size());
    }
    TrnFluidStats stats() const
    {
        return trn_fluid_stats(c_);
    }
};

/// Owns random ticks of a store (terrane/ticks.h). Destroy them before the store.
class Ticks : public Owned<Borrowed<TrnTicks>, trn_ticks_destroy> {
  public:
    using Owned::Owned;
    /// @param tick  tick(BatchRef, const TrnTick &) for each voxel; borrowed: must outlive the
    /// ticks
    /// @param def   its `tick` and `user` are set here
    template <class Tick>
    static Result<Ticks> create(StoreRef store, Tick &tick, TrnTicksDef def = trn_ticks_def())
    {
        def.tick = [](void *user, TrnBatch *batch, const TrnTick *offered) {
            return detail::call(
                [&] { return (*static_cast<Tick *>(user))(BatchRef(batch), *offered); });
        };
        def.user = &tick;
        return detail::handle_of<Ticks>(trn_ticks_create, store.c(), &def);
    }
    /// Each step of the game.
    /// @param step     its number; the same number draws the same voxels
    /// @param anchors  chunk coordinates
    Result<TrnTicksOutcome> step(std::uint64_t step, Span<const TrnCoord> anchors)
    {
        return detail::value_of<TrnTicksOutcome>(trn_ticks_step, c_, step, anchors.data(),
                                                 anchors.size());
    }
};

} // namespace trn

#endif
