/// A world loaded by a stream, as in a game: the built-in terrain, the mesher with ambient
/// occlusion, and meshes that are stored but not drawn.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

/// Budgets with a single limit.
TrnStreamBudget budget_of_ms(double ms); ///< 0: none
TrnStreamBudget budget_of_units(std::uint32_t units);

struct StreamWorldOptions {
    std::size_t bytes_max = 0; ///< memory budget of the stream; 0: none
    std::uint32_t workers = TRN_STREAM_WORKERS_DEFAULT;
    std::uint32_t columns = 512; ///< columns that the terrain caches, 10 KiB each
    bool caller_works = false;
    /// Whether scratch memory is reported to the stream. False for replays that are compared, since
    /// it depends on the number of workers.
    bool counts_scratch = true;
    /// Uses land that costs almost nothing to generate, so that a scene measures the hand-over: air
    /// above chunk y = 0, hills at y = 0, then seven layers of dirt in stone, and stone below. In a
    /// view of radius 32 and height 8 from y = 0, 46 % of the chunks are air, 52 % have two blocks,
    /// and 2 % are stone. In the built-in terrain, half of the chunks are uniform too.
    bool is_near_free = false;
    bool meshes = true;
    bool has_light = false;       ///< the stream solves light
    bool has_light_quads = false; ///< the mesher puts that light into the quads
    TrnStreamBudget budget = trn_stream_def().budget;
    /// Changes the stream's def last, for scenes that replace the generator, a hook or the clock.
    std::function<void(TrnStreamDef &)> adjust = {};
};

class StreamWorld {
  public:
    /// @throws std::bad_alloc without memory
    explicit StreamWorld(const StreamWorldOptions &options);
    ~StreamWorld();
    StreamWorld(const StreamWorld &) = delete;
    StreamWorld &operator=(const StreamWorld &) = delete;

    TrnStream *stream() const
    {
        return stream_;
    }
    TrnStore *store() const
    {
        return store_;
    }
    /// The quads of a chunk's mesh.
    static std::uint32_t quad_count(TrnChunk *chunk);

    /// The voxel y of the ground at a point.
    std::int64_t ground(std::int64_t x, std::int64_t z) const;

    /// @throws std::bad_alloc without memory
    TrnStreamAnchorId add_anchor(const TrnStreamAnchor &anchor);
    /// Adds an anchor that looks along x.
    TrnStreamAnchorId add_anchor(TrnVoxel at, std::uint32_t radius, std::uint32_t height);

    /// Reports the hooks' allocations to the stream and updates it. @param budget  NULL: the
    /// world's
    TrnStreamReport update(const TrnStreamBudget *budget = nullptr);
    /// Updates until the stream is idle or the time limit is reached.
    /// @param updates_s  updates a second; 0: back to back
    /// @return the seconds it took
    double update_until_idle(double updates_s, double seconds_max);
    /// Updates as fast as possible until all is loaded and shown.
    void settle();

    /// Removes a sphere around a voxel, with a single batch of edits of the loaded chunks.
    void dig(TrnVoxel centre, double radius);

    /// Whether a chunk has a mesh, or needs none.
    bool is_on_screen(TrnCoord coord) const;

    /// Whether a chunk is loaded and all air.
    bool is_air(TrnCoord coord) const;

    /// A hash of all voxels and meshes, independent of their order: 53 bits, which fit in a double.
    std::uint64_t hash() const;

    /// Loads and meshes chunks in plain loops on this thread: the work of a stream without the
    /// stream. The stream must have ended. @param meshed  a subset of loaded, with neighbours
    void fill_plainly(const std::vector<TrnCoord> &loaded, const std::vector<TrnCoord> &meshed);

    /// Ends the stream. @return the milliseconds that it took
    double end_stream();

  private:
    class NearFreeLand;
    struct Worker {
        TrnMesh mesh = {};
        void *scratch = nullptr;
    };
    static TrnResult make_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                               TrnStreamMesh *mesh);
    static TrnResult upload(void *user, TrnChunk *chunk, TrnStreamMesh *mesh);
    static void drop_mesh(void *user, TrnStreamMesh mesh);
    static void *allocate(std::size_t bytes, std::size_t alignment, void *user);
    static void release(void *memory, std::size_t bytes, void *user);
    TrnStreamDef stream_def(const StreamWorldOptions &options);

    std::atomic<std::size_t> scratch_bytes_{0}; ///< of terrain and mesher
    std::size_t scratch() const;                ///< bytes reported to the stream

    bool has_light_quads_;
    bool counts_scratch_;
    /// Least bytes reported, from the start on, so that a filling cache never exceeds the budget.
    std::size_t scratch_least_;
    std::vector<Worker> workers_;
    std::vector<TrnStreamMesh> plain_meshes_; ///< of fill_plainly
    std::unique_ptr<NearFreeLand> near_free_; ///< NULL: the terrain is used
    TrnTerrain *terrain_ = nullptr;
    TrnGenerator generator_ = {}; ///< the stream's
    TrnStore *store_ = nullptr;
    TrnStream *stream_ = nullptr;
    const TrnBlockType *types_ = nullptr;
    std::uint32_t type_count_ = 0;
    TrnPlane shown_ = 0;
};
