#include "stream_world.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <terrane/batch.h>

#include "driver/clock.hpp"
#include "owned.hpp"

namespace {

/// A mesh as a game stores it until it is drawn: separately allocated quads.
struct Quads {
    std::uint32_t count;
    TrnMeshInfo info;
    TrnQuad quads[1];
};

// Bytes of a terrain column and its cache entry; bytes of the meshers' scratch memory and quads.
const std::size_t column_bytes = 11600, other_scratch_bytes = std::size_t{2} << 20;

std::size_t quads_bytes(std::uint32_t count)
{
    return offsetof(Quads, quads) + count * sizeof(TrnQuad);
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t z = (a ^ (b + 0x9E3779B97F4A7C15u)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

const Quads *quads_of(TrnChunk *chunk)
{
    void *quads = nullptr;
    std::memcpy(&quads, trn_chunk_user(chunk), sizeof(void *));
    return static_cast<const Quads *>(quads);
}

} // namespace

TrnStreamBudget budget_of_ms(double ms)
{
    TrnStreamBudget budget = {};
    budget.ms = ms;
    return budget;
}

TrnStreamBudget budget_of_units(std::uint32_t units)
{
    TrnStreamBudget budget = {};
    budget.units = units;
    return budget;
}

// ---- near-free land ----------------------------------------------------------------------------

class StreamWorld::NearFreeLand {
  public:
    NearFreeLand()
    {
        for (std::uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const std::uint32_t x = i % 32, z = i / 32 % 32, y = i / 1024;
            hills_[i] = y <= hill_y + ((x / 8 + z / 8) & 3) ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
            dirt_[i] = (x / 4 + y / 4 + z / 4) % 3 ? TRN_BLOCK_STONE : TRN_BLOCK_DIRT;
        }
    }
    static TrnResult generate(void *user, TrnCoord coord, std::uint32_t, TrnBlock *blocks,
                              bool *uniform)
    {
        const auto *land = static_cast<const NearFreeLand *>(user);
        *uniform = coord.y > 0 || coord.y < -7;
        if (*uniform) {
            blocks[0] = coord.y > 0 ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
        } else {
            const auto &layer = coord.y == 0 ? land->hills_ : land->dirt_;
            std::copy(layer.begin(), layer.end(), blocks);
        }
        return TRN_RESULT_OK;
    }
    static const std::uint32_t hill_y = 12; ///< y of the lowest hills

  private:
    std::array<TrnBlock, static_cast<std::size_t>(TRN_CHUNK_VOXELS)> hills_, dirt_; ///< linear
};

// ---- hooks -------------------------------------------------------------------------------------

TrnResult StreamWorld::make_mesh(void *user, const TrnStreamJob *job,
                                 const TrnStreamMeshInput *input, TrnStreamMesh *mesh)
{
    auto *world = static_cast<StreamWorld *>(user);
    Worker &worker = world->workers_[job->worker];
    if (!worker.scratch) { // allocated on first use, since most possible workers never start
        worker.scratch = allocate(TRN_MESH_SCRATCH_BYTES, 64, world);
    }
    if (!worker.scratch) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnMeshInput in = {};
    std::memcpy(in.around, input->around, sizeof in.around);
    in.present = input->present;
    in.sky = world->has_light_quads_ ? input->sky : nullptr;
    in.blocks = world->has_light_quads_ ? input->blocks : nullptr;
    in.missing_is_solid = true;
    in.open_sides = job->level ? (1u << TRN_FACE_COUNT) - 1 : 0; // next to other levels
    in.types = world->types_;
    in.type_count = world->type_count_;
    const TrnResult result = trn_mesh_build(&worker.mesh, &in, worker.scratch);
    const std::uint32_t count = trn_mesh_count(&worker.mesh.info);
    if (result != TRN_RESULT_OK || count == 0) {
        return result;
    }
    auto *quads = static_cast<Quads *>(std::malloc(quads_bytes(count)));
    if (!quads) {
        return TRN_RESULT_NO_MEMORY;
    }
    quads->count = count;
    quads->info = worker.mesh.info;
    std::memcpy(quads->quads, worker.mesh.quads, count * sizeof(TrnQuad));
    *mesh = {quads, quads_bytes(count), 0};
    return TRN_RESULT_OK;
}

TrnResult StreamWorld::upload(void *, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    std::memcpy(trn_chunk_user(chunk), &mesh->mesh, sizeof(void *));
    return TRN_RESULT_OK;
}

void StreamWorld::drop_mesh(void *, TrnStreamMesh mesh)
{
    std::free(mesh.mesh);
}

void *StreamWorld::allocate(std::size_t bytes, std::size_t alignment, void *user)
{
    static_cast<StreamWorld *>(user)->scratch_bytes_ += bytes;
    return trn_aligned_alloc(bytes, alignment);
}

void StreamWorld::release(void *memory, std::size_t bytes, void *user)
{
    static_cast<StreamWorld *>(user)->scratch_bytes_ -= bytes;
    trn_aligned_free(memory);
}

// ---- creation and destruction ------------------------------------------------------------------

TrnStreamDef StreamWorld::stream_def(const StreamWorldOptions &options)
{
    TrnStreamDef def = trn_stream_def();
    def.store = store_;
    def.light = options.has_light || options.has_light_quads;
    def.generator = near_free_ ? TrnGenerator{NearFreeLand::generate, near_free_.get(), 0, 0, true}
                               : trn_terrain_generator(terrain_);
    def.hooks.mesh = options.meshes ? make_mesh : nullptr;
    def.hooks.upload = upload;
    def.hooks.drop_mesh = drop_mesh;
    def.hooks.user = this;
    def.budget = options.budget;
    def.bytes_max = options.bytes_max;
    def.scratch_bytes = scratch();
    def.workers = options.workers;
    def.caller_works = options.caller_works;
    if (options.adjust) {
        options.adjust(def);
    }
    generator_ = def.generator;
    return def;
}

/// One arena for all threads: workers allocate meshes, the calling thread frees them, and glibc
/// keeps freed memory for the thread whose arena it came from. With meshes from both threads at
/// R=32, resident memory exceeded memory in use by 95 MiB; with one arena, by 5 MiB.
static void use_one_arena()
{
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
#endif
}

StreamWorld::StreamWorld(const StreamWorldOptions &options)
    : has_light_quads_(options.has_light_quads), counts_scratch_(options.counts_scratch),
      scratch_least_(options.columns * column_bytes + other_scratch_bytes),
      workers_(options.workers == TRN_STREAM_WORKERS_DEFAULT ? 17 : options.workers + 1)
{
    use_one_arena();
    if (options.is_near_free) {
        near_free_ = std::make_unique<NearFreeLand>();
    }
    const TrnAllocator counted = {allocate, release, this};
    TrnTerrainDef land = trn_terrain_def();
    land.column_cache_max = options.columns;
    land.allocator = &counted;
    require(trn_terrain_create(&land, &terrain_));
    for (Worker &worker : workers_) {
        trn_mesh_init(&worker.mesh, &counted);
    }
    TrnStoreDef store = trn_store_def();
    store.user_bytes = sizeof(void *);
    require(trn_store_create(&store, &store_));
    types_ = trn_block_types_all(trn_store_block_types(store_), &type_count_);
    const TrnStreamDef def = stream_def(options);
    require(trn_stream_create(&def, &stream_));
    shown_ = trn_chunk_index_plane(trn_stream_index(stream_), "shown");
}

std::size_t StreamWorld::scratch() const
{
    return counts_scratch_ ? std::max(scratch_bytes_.load(), scratch_least_) : 0;
}

double StreamWorld::end_stream()
{
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    trn_stream_destroy(stream_);
    stream_ = nullptr;
    return (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e6;
}

StreamWorld::~StreamWorld()
{
    trn_stream_destroy(stream_);
    for (const TrnStreamMesh &mesh : plain_meshes_) {
        drop_mesh(this, mesh);
    }
    trn_store_destroy(store_);
    for (Worker &worker : workers_) {
        trn_mesh_free(&worker.mesh);
        if (worker.scratch) {
            release(worker.scratch, TRN_MESH_SCRATCH_BYTES, this);
        }
    }
    trn_terrain_destroy(terrain_);
}

// ---- without a stream --------------------------------------------------------------------------

void StreamWorld::fill_plainly(const std::vector<TrnCoord> &loaded,
                               const std::vector<TrnCoord> &meshed)
{
    std::vector<TrnBlock> blocks(static_cast<std::size_t>(TRN_CHUNK_VOXELS));
    for (const TrnCoord &coord : loaded) {
        bool uniform = false;
        require(trn_generator_generate(&generator_, coord, 0, blocks.data(), &uniform));
        require(uniform ? trn_store_insert_uniform(store_, coord, blocks[0], nullptr)
                        : trn_store_insert_voxels(store_, coord, blocks.data(), nullptr));
    }
    for (const TrnCoord &coord : meshed) {
        TrnStreamMeshInput input = {};
        input.present = trn_store_snapshot_around(store_, coord, input.around);
        TrnStreamJob job = {};
        job.coord = coord;
        TrnStreamMesh mesh = {};
        require(make_mesh(this, &job, &input, &mesh));
        require(upload(this, trn_store_find(store_, coord), &mesh));
        plain_meshes_.push_back(mesh);
    }
}

// ---- calls of a game --------------------------------------------------------------------------

std::int64_t StreamWorld::ground(std::int64_t x, std::int64_t z) const
{
    std::int64_t height = NearFreeLand::hill_y;
    if (near_free_) {
        return height;
    }
    require(trn_terrain_height(terrain_, x, z, &height));
    return height;
}

TrnStreamAnchorId StreamWorld::add_anchor(const TrnStreamAnchor &anchor)
{
    TrnStreamAnchorId id = {};
    require(trn_stream_anchor_add(stream_, &anchor, &id));
    return id;
}

TrnStreamAnchorId StreamWorld::add_anchor(TrnVoxel at, std::uint32_t radius, std::uint32_t height)
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = trn_voxel_position(at);
    anchor.view[0] = 1;
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    return add_anchor(anchor);
}

TrnStreamReport StreamWorld::update(const TrnStreamBudget *budget)
{
    TrnStreamReport report = {};
    trn_stream_set_scratch(stream_, scratch());
    trn_stream_update(stream_, budget, &report); // failures are retried, and show in the figures
    return report;
}

double StreamWorld::update_until_idle(double updates_s, double seconds_max)
{
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    for (double frame_ns = begun_ns;;) {
        const bool is_idle = update().is_idle;
        const double seconds = (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e9;
        if (is_idle || seconds >= seconds_max) {
            return seconds;
        }
        if (updates_s > 0) {
            frame_ns += 1e9 / updates_s;
            sleep_until_ns(frame_ns);
        }
    }
}

void StreamWorld::settle()
{
    const TrnStreamBudget plenty = budget_of_ms(20);
    const double end_ns = clock_ns(CLOCK_MONOTONIC) + 120e9;
    while (!update(&plenty).is_idle && clock_ns(CLOCK_MONOTONIC) < end_ns) {
        trn_stream_wait(stream_);
    }
}

void StreamWorld::dig(TrnVoxel centre, double radius)
{
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_SKIP;
    TrnBatch *batch = nullptr;
    if (trn_batch_begin(store_, &def, &batch) == TRN_RESULT_OK) {
        trn_batch_fill_sphere(batch, centre, radius, TRN_BLOCK_AIR);
        trn_batch_commit(batch, nullptr);
    }
}

std::uint32_t StreamWorld::quad_count(TrnChunk *chunk)
{
    const Quads *quads = quads_of(chunk);
    return quads ? quads->count : 0;
}

bool StreamWorld::is_on_screen(TrnCoord coord) const
{
    TrnChunk *chunk = trn_store_find(store_, coord);
    return chunk && (quads_of(chunk) ||
                     trn_chunk_index_plane_test(trn_stream_index(stream_), shown_, coord));
}

bool StreamWorld::is_air(TrnCoord coord) const
{
    TrnSnapshot voxels = {};
    return trn_store_snapshot(store_, coord, &voxels) == TRN_RESULT_OK &&
           trn_snapshot_is_uniform(voxels) && trn_snapshot_uniform(voxels) == TRN_BLOCK_AIR;
}

std::uint64_t StreamWorld::hash() const
{
    std::vector<TrnChunk *> chunks(trn_store_gather(store_, trn_box_everything(), nullptr, 0));
    trn_store_gather(store_, trn_box_everything(), chunks.data(), chunks.size());
    std::uint64_t sum = chunks.size();
    for (TrnChunk *chunk : chunks) {
        const TrnCoord at = chunk->coord;
        std::uint64_t hash =
            mix(static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y));
        hash = mix(hash, static_cast<std::uint32_t>(at.z));
        hash = mix(hash, trn_snapshot_hash(trn_voxels_snapshot(&chunk->voxels)));
        const Quads *quads = quads_of(chunk);
        for (std::uint32_t i = 0; quads && i < quads->count; i++) {
            hash = mix(hash, quads->quads[i]);
        }
        sum += hash;
    }
    return sum >> 11;
}
