// Do the store's calls cost what their header promises, however many chunks are loaded?

#include <terrane/batch.h>

#include "growth_rows.hpp"
#include "store_parts.hpp"

namespace {

// ---- a world of uniform chunks ------------------------------------------------------------------

/// Uniform chunks in a cube.
struct GrowthGround : growth::Cube {
    explicit GrowthGround(std::size_t size) : Cube(size, store_seed), all(size), all_ids(size)
    {
        create_owned(store, trn_store_create, nullptr);
        for (std::size_t i = 0; i < size; i++) {
            require(insert(i));
        }
        watch.removing = [](void *user, const TrnChunk *chunk) {
            static_cast<GrowthGround *>(user)->leaving = chunk->coord;
            return TRN_RESULT_OK;
        };
        watch.user = this;
        trn_store_watch(store.get(), &watch);
    }
    GrowthGround(const GrowthGround &) = delete;
    GrowthGround &operator=(const GrowthGround &) = delete;
    ~GrowthGround()
    {
        trn_store_unwatch(store.get(), &watch);
    }

    TrnResult insert(std::size_t i)
    {
        const TrnResult result =
            trn_store_insert_uniform(store.get(), coord(i), TRN_BLOCK_AIR, &all[i]);
        all_ids[i] = all[i] ? all[i]->id : TrnChunkId{};
        return result;
    }
    /// Draws other chunks for the next calls. Reads no chunk, so that the calls find them cold.
    void draw()
    {
        Cube::draw();
        for (std::size_t i = 0; i < growth::calls; i++) {
            chunks[i] = all[picks[i]];
            ids[i] = all_ids[picks[i]];
        }
    }

    Owned<TrnStore, trn_store_destroy> store;
    TrnStoreWatch watch = {};
    TrnCoord leaving = {}; ///< the last chunk that the store removed
    std::vector<TrnChunk *> all;
    std::vector<TrnChunkId> all_ids;                   ///< of `all`
    std::array<TrnChunk *, growth::calls> chunks = {}; ///< of `picks`, as they were drawn
    std::array<TrnChunkId, growth::calls> ids = {};    ///< likewise
};

// ---- the calls ----------------------------------------------------------------------------------

bool is_ok(TrnResult result)
{
    return result == TRN_RESULT_OK;
}

bool has_coord(const TrnChunk *chunk, TrnCoord coord)
{
    return chunk && trn_coord_equal(chunk->coord, coord);
}

bool set_and_fill(GrowthGround &ground, std::size_t at)
{
    bool is_changed = false;
    return is_ok(trn_store_set_block(ground.store.get(), trn_coord_voxel(ground.coords[at]),
                                     TRN_BLOCK_STONE, &is_changed)) &&
           is_changed &&
           is_ok(trn_store_fill(ground.store.get(), ground.chunks[at], TRN_BLOCK_AIR));
}

bool remove_and_insert(GrowthGround &ground, std::size_t at)
{
    const TrnCoord coord = ground.coords[at];
    return is_ok(trn_store_remove(ground.store.get(), coord)) &&
           is_ok(ground.insert(ground.picks[at]));
}

bool evict_and_insert(GrowthGround &ground, std::size_t)
{
    TrnEviction eviction = {};
    std::uint32_t evicted = 0;
    eviction.used_bytes = eviction.count_max = 1;
    (void)trn_store_evict(ground.store.get(), &eviction, &evicted);
    return evicted == 1 && is_ok(ground.insert(ground.number(ground.leaving)));
}

bool commit_batch(GrowthGround &ground, std::size_t at)
{
    TrnBatch *batch = nullptr;
    const TrnVoxel voxel = trn_coord_voxel(ground.coords[at]);
    return is_ok(trn_batch_begin(ground.store.get(), nullptr, &batch)) &&
           is_ok(trn_batch_set(batch, voxel, TRN_BLOCK_STONE)) &&
           is_ok(trn_batch_set(batch, voxel, TRN_BLOCK_AIR)) &&
           is_ok(trn_batch_commit(batch, nullptr));
}

bool cancel_batch(GrowthGround &ground, std::size_t)
{
    TrnBatch *batch = nullptr;
    if (!is_ok(trn_batch_begin(ground.store.get(), nullptr, &batch))) {
        return false;
    }
    trn_batch_cancel(batch);
    return true;
}

// Reads of a chunk miss the cache once for each look-up; a change misses at its old and its new
// place in the list of changes; an insert and a removal miss at the index, the header, its record
// and the list.
const std::vector<growth::Call<GrowthGround>> growth_all = {
    {"growth: find a chunk", 1,
     [](GrowthGround &ground, std::size_t at) {
         return has_coord(trn_store_find(ground.store.get(), ground.coords[at]), ground.coords[at]);
     }},
    {"growth: a chunk by its id", 1,
     [](GrowthGround &ground, std::size_t at) {
         return trn_store_chunk(ground.store.get(), ground.ids[at]) == ground.chunks[at];
     }},
    {"growth: a snapshot", 1,
     [](GrowthGround &ground, std::size_t at) {
         TrnSnapshot snapshot;
         return is_ok(trn_store_snapshot(ground.store.get(), ground.coords[at], &snapshot));
     }},
    {"growth: read a voxel", 1,
     [](GrowthGround &ground, std::size_t at) {
         TrnBlock block = TRN_BLOCK_STONE;
         const TrnVoxel voxel = trn_coord_voxel(ground.coords[at]);
         return is_ok(trn_store_get_block_at(ground.store.get(), voxel.x, voxel.y, voxel.z,
                                             &block)) &&
                block == TRN_BLOCK_AIR;
     }},
    {"growth: explain a chunk", 1,
     [](GrowthGround &ground, std::size_t at) {
         return trn_store_explain(ground.store.get(), ground.coords[at]).state ==
                TRN_CHUNK_STATE_LOADED;
     }},
    {"growth: touch a chunk", 1,
     [](GrowthGround &ground, std::size_t at) {
         trn_store_touch(ground.store.get(), &ground.chunks[at], 1);
         return true;
     }},
    {"growth: pin and unpin a chunk", 1,
     [](GrowthGround &ground, std::size_t at) {
         trn_store_pin(ground.store.get(), ground.chunks[at]);
         trn_store_unpin(ground.store.get(), ground.chunks[at]);
         return true;
     }},
    {"growth: fill a chunk", 2,
     [](GrowthGround &ground, std::size_t at) {
         return is_ok(trn_store_fill(ground.store.get(), ground.chunks[at], TRN_BLOCK_AIR));
     }},
    {"growth: set a voxel and fill the chunk again", 3, set_and_fill},
    {"growth: remove a chunk and insert it again", 4, remove_and_insert},
    {"growth: evict a chunk and insert it again", 4, evict_and_insert},
    {"growth: a batch of one chunk", 4, commit_batch},
    {"growth: begin a batch and cancel it", 0, cancel_batch},
    {"growth: which chunks changed, none", 0,
     [](GrowthGround &ground, std::size_t) {
         const std::uint64_t now = trn_store_revision(ground.store.get());
         return trn_store_changed_since(ground.store.get(), now, nullptr, 0) == 0;
     }},
    {"growth: figures of the store", 0,
     [](GrowthGround &ground, std::size_t) {
         return trn_store_stats(ground.store.get()).chunks == ground.lines.size();
     }},
};

} // namespace

void stage_growth(bench::Bench &bench)
{
    growth::stage<GrowthGround>(bench, {by_store, growth_all});
}
