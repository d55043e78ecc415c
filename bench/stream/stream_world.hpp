/// A world that a stream keeps as a game would: the built-in terrain, the mesher with ambient
/// occlusion, and meshes that are counted but not drawn.
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

/// Budgets of one limit alone.
TrnStreamBudget budget_of_ms(double ms); ///< 0: none
TrnStreamBudget budget_of_units(std::uint32_t units);

struct StreamWorldOptions {
    std::size_t bytes_max = 0; ///< for everything together; 0: none
    std::uint32_t workers = TRN_STREAM_WORKERS_DEFAULT;
    std::uint32_t columns = 512; ///< that the terrain keeps, 10 KiB each
    bool caller_works = false;
    /// not where replays are compared: each worker has scratch of its own
    bool counts_scratch = true;
    TrnStreamBudget budget = trn_stream_def().budget;
    /// Changes the stream's def last, for scenes with a generator, hook or clock of their own.
    std::function<void(TrnStreamDef &)> adjust = {};
};

class StreamWorld {
  public:
    /// @throws std::bad_alloc when it cannot be had
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
    /// The voxel y of the ground below a point.
    std::int64_t ground(std::int64_t x, std::int64_t z) const;

    /// Tells the stream what the hooks take, and updates it. @param budget  NULL: the world's
    TrnStreamReport update(const TrnStreamBudget *budget = nullptr);

    /// Makes a hole around a voxel, as one edit. What it cuts of chunks that are not there is left
    /// out.
    void dig(TrnVoxel centre, double radius);

    /// Whether there is something to see of a chunk, or nothing to be seen there.
    bool is_on_screen(TrnCoord coord) const;

    /// Whether a chunk is loaded and all air.
    bool is_air(TrnCoord coord) const;

    /// All voxels and meshes, whatever order they came in.
    std::uint64_t hash() const;

    /// Loads and meshes chunks in plain loops on this thread: the work of a stream without the
    /// stream. The stream must have ended. @param meshed  a subset of loaded, with neighbours
    void fill_plainly(const std::vector<TrnCoord> &loaded, const std::vector<TrnCoord> &meshed);

    /// Ends the stream. @return the milliseconds that it took
    double end_stream();

  private:
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
    std::size_t scratch() const;                ///< bytes to be told to the stream

    bool counts_scratch_;
    /// told from the start, so that no cache that fills passes the budget
    std::size_t scratch_least_;
    std::vector<Worker> workers_;
    std::vector<TrnStreamMesh> plain_meshes_; ///< of fill_plainly
    TrnTerrain *terrain_ = nullptr;
    TrnGenerator generator_ = {}; ///< the stream's
    TrnStore *store_ = nullptr;
    TrnStream *stream_ = nullptr;
    const TrnBlockType *types_ = nullptr;
    std::uint32_t type_count_ = 0;
    TrnPlane shown_ = 0;
};
