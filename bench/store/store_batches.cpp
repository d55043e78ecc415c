// Batches of many voxels, with and without undo and a listener.

#include "store_parts.hpp"

namespace {

const std::size_t batch_voxels = 10000;

struct VoxelTo {
    TrnVoxel voxel;
    TrnBlock block;
};

struct BatchCase {
    Ground ground;
    std::vector<VoxelTo> there, back; ///< new blocks, and the previous ones
};

// ---- changing voxels ----------------------------------------------------------------------------

void set_plain(StoreGround &ground, const std::vector<VoxelTo> &changes)
{
    PlainCursor cursor(ground.plain);
    for (const VoxelTo &change : changes) {
        if (TrnBlock *const block = cursor.find(change.voxel)) {
            *block = change.block;
        }
    }
}

TrnBatchOutcome set_batch(const StoreGround &ground, TrnHistory *history,
                          const std::vector<VoxelTo> &changes)
{
    TrnBatchDef def = trn_batch_def();
    def.history = history;
    TrnBatch *batch = nullptr;
    TrnBatchOutcome outcome = {};
    require(trn_batch_begin(ground.store(), &def, &batch));
    for (const VoxelTo &change : changes) {
        (void)trn_batch_set(batch, change.voxel, change.block); // the commit returns errors
    }
    require(trn_batch_commit(batch, &outcome));
    return outcome;
}

bool plain_holds(StoreGround &ground, const std::vector<VoxelTo> &changes)
{
    PlainCursor cursor(ground.plain);
    bool is_right = true;
    for (const VoxelTo &change : changes) {
        is_right = is_right && cursor.get(change.voxel, TRN_BLOCK_AIR) == change.block;
    }
    return is_right;
}

/// Whether all chunks that the changes touch are the same in the store and in the plain world.
bool touched_are_same(const StoreGround &ground, const std::vector<VoxelTo> &changes)
{
    CoordMap<bool> seen;
    bool is_right = true;
    for (const VoxelTo &change : changes) {
        const TrnCoord coord = trn_voxel_chunk(change.voxel);
        if (is_right && seen.emplace(coord, true).second) {
            is_right = ground.is_same({coord, coord});
        }
    }
    return is_right;
}

// ---- the contenders -----------------------------------------------------------------------------

bool is_plain_batch_right(const BatchCase &one)
{
    const bool was_right = plain_holds(*one.ground, one.back);
    set_plain(*one.ground, one.there);
    const bool is_right = plain_holds(*one.ground, one.there);
    set_plain(*one.ground, one.back);
    return was_right && is_right;
}

bench::Attempt plain_batch_attempt(const std::shared_ptr<BatchCase> &one)
{
    return bench::timed(
        by_map,
        [one] {
            set_plain(*one->ground, one->there);
            set_plain(*one->ground, one->back);
        },
        [one] { return is_plain_batch_right(*one); });
}

/// Applies one batch, compares with the plain world, and applies one that restores the blocks. The
/// listener must have received every chunk.
bool batches_are_right(const BatchCase &one, TrnHistory *history, const StoreEar *ear)
{
    StoreGround &ground = *one.ground;
    const bool was_right = touched_are_same(ground, one.back);
    StoreEar heard;
    TrnBatchOutcome outcome;
    {
        const Listening listening(ground.store(), &heard);
        outcome = set_batch(ground, history, one.there);
    }
    set_plain(ground, one.there);
    const bool is_right = touched_are_same(ground, one.there);
    set_batch(ground, history, one.back);
    set_plain(ground, one.back);
    return was_right && is_right && touched_are_same(ground, one.back) &&
           heard.chunks == outcome.changed_chunks && (!ear || ear->chunks > 0);
}

bench::Attempt batch_attempt(const char *contender, const std::shared_ptr<BatchCase> &one,
                             bool has_history, bool has_listener)
{
    const auto history = has_history ? make_history(one->ground) : nullptr;
    const auto ear = has_listener ? std::make_shared<StoreEar>() : nullptr;
    return bench::timed(
        contender,
        [one, history, ear] {
            const Listening listening(one->ground->store(), ear.get());
            set_batch(*one->ground, history.get(), one->there);
            set_batch(*one->ground, history.get(), one->back);
        },
        [one, history, ear] { return batches_are_right(*one, history.get(), ear.get()); });
}

// ---- scenes -------------------------------------------------------------------------------------

/// A random voxel of the view.
TrnVoxel anywhere(const StoreGround &ground, std::mt19937 &random)
{
    const std::vector<TrnCoord> &chunks = ground.view.chunks;
    TrnVoxel voxel = trn_coord_voxel(chunks[random() % chunks.size()]);
    for (std::int64_t *const axis : {&voxel.x, &voxel.y, &voxel.z}) {
        *axis += static_cast<std::int64_t>(random() % TRN_CHUNK_EDGE);
    }
    return voxel;
}

/// A random voxel at most three above or below the surface.
TrnVoxel at_surface(const StoreGround &ground, std::mt19937 &random)
{
    TrnVoxel voxel = ground.surface(random, 4);
    voxel.y += static_cast<std::int64_t>(random() % 7) - 3;
    return voxel;
}

bench::Scene make_batch_scene(const Ground &ground, const std::string &where,
                              TrnVoxel (*place)(const StoreGround &, std::mt19937 &))
{
    auto one = std::make_shared<BatchCase>();
    one->ground = ground;
    std::mt19937 random(store_seed);
    PlainCursor cursor(ground->plain);
    CoordMap<std::vector<bool>> taken;
    while (one->there.size() < batch_voxels) {
        const TrnVoxel voxel = place(*ground, random);
        std::vector<bool> &bits = taken[trn_voxel_chunk(voxel)];
        bits.resize(plain_voxels);
        if (!bits[trn_voxel_local_index(voxel)]) {
            bits[trn_voxel_local_index(voxel)] = true;
            const TrnBlock is = cursor.get(voxel, TRN_BLOCK_AIR);
            const auto other =
                static_cast<TrnBlock>((is + 1 + random() % 4) % TRN_BLOCK_BUILTIN_COUNT);
            one->there.push_back({voxel, other});
            one->back.push_back({voxel, is});
        }
    }
    return bench::scene_with(
        {store_batch,
         ground->view.name + where + ", in " + std::to_string(taken.size()) + " chunks", "ns",
         2 * batch_voxels},
        {plain_batch_attempt(one), batch_attempt(by_store, one, false, false),
         batch_attempt(by_listener, one, false, true), batch_attempt(by_history, one, true, false),
         batch_attempt(by_both, one, true, true)});
}

} // namespace

std::vector<bench::Scene> make_batch_scenes(const Ground &ground)
{
    return {make_batch_scene(ground, ", all over it", anywhere),
            make_batch_scene(ground, ", near the land", at_surface)};
}
