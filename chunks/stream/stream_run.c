// What a piece of work does, on any thread: loads or generates a chunk, meshes one, or saves one.

#include "stream_run.h"

#include <stdalign.h>
#include <string.h>

#include "base/around.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/zone.h"
#include "store/store_internal.h"
#include "voxels/voxel_read_internal.h"
#include "voxels/voxels_internal.h"

// ---- slots in stock -----------------------------------------------------------------------------

#define STOCK_SLOTS_MAX 64u // most slots of one size class
#define STOCK_DECAY 8u      // the part of the recent demand that one update forgets

/// Slots of one size class.
typedef struct StockClass {
    TrnVoxelSlot slots[STOCK_SLOTS_MAX]; ///< [count]
    uint32_t count;
    uint32_t requested; ///< since the stock was last filled
    uint32_t wanted;    ///< recent demand
} StockClass;

struct TrnStreamStock {
    /// Not the workers' own, so that workers that need a slot do not wait for those that take work,
    /// nor any of them while the calling thread fills the stock.
    alignas(TRN_CACHE_LINE) TrnMutex lock;
    StockClass classes[TRN_VOXEL_CLASS_COUNT];
    bool is_used; ///< some slots are in stock, or some were requested
    // Set once.
    TrnAllocator allocator;
};

TrnResult trn_stream_stock_create(const TrnAllocator *allocator, TrnStreamStock **stock)
{
    TrnAllocator own = *allocator;
    TrnStreamStock *created = trn_take(&own, sizeof *created, alignof(TrnStreamStock));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(created, 0, sizeof *created);
    created->allocator = own;
    if (!trn_mutex_init(&created->lock)) {
        trn_give(&own, created, sizeof *created);
        return TRN_RESULT_NO_MEMORY;
    }
    *stock = created;
    return TRN_RESULT_OK;
}

void trn_stream_stock_destroy(TrnStreamStock *stock)
{
    if (!stock) {
        return;
    }
    trn_mutex_destroy(&stock->lock);
    TrnAllocator allocator = stock->allocator;
    trn_give(&allocator, stock, sizeof *stock);
}

/// Takes a slot of a size class. Any thread. @return false if none is in stock
static bool stock_take(TrnStreamStock *stock, uint32_t size_class, TrnVoxelSlot *slot)
{
    if (size_class >= TRN_VOXEL_CLASS_COUNT) {
        return false;
    }
    StockClass *own = &stock->classes[size_class];
    trn_mutex_lock(&stock->lock);
    own->requested++;
    stock->is_used = true;
    const bool has_slot = own->count > 0;
    if (has_slot) {
        *slot = own->slots[--own->count];
    }
    trn_mutex_unlock(&stock->lock);
    return has_slot;
}

/// How many slots of a size class to keep for the next update.
/// @param times  the recent demand; at least twice, since demand varies
static uint32_t stock_wanted(StockClass *own, uint32_t times)
{
    const uint32_t faded = own->wanted - (own->wanted + STOCK_DECAY - 1) / STOCK_DECAY;
    const uint64_t requested = (uint64_t)own->requested * (times > 2 ? times : 2);
    own->requested = 0;
    own->wanted = requested < faded             ? faded
                  : requested < STOCK_SLOTS_MAX ? (uint32_t)requested
                                                : STOCK_SLOTS_MAX;
    return own->wanted;
}

/// Fills or trims one size class.
static void stock_fill_class(TrnStreamStock *stock, TrnVoxelHeap *heap, uint32_t size_class,
                             uint32_t wanted, TrnStreamWorkers *workers)
{
    StockClass *own = &stock->classes[size_class];
    while (own->count > wanted) {
        trn_voxel_slot_give(heap, &own->slots[--own->count]);
    }
    while (own->count < wanted) {
        TrnPoolFresh fresh;
        if (trn_voxel_slot_prepare(heap, size_class, &fresh)) {
            trn_stream_workers_populate(workers, fresh);
        }
        TrnVoxelSlot *slot = &own->slots[own->count];
        if (trn_voxel_slot_take(heap, size_class, slot) != TRN_RESULT_OK) {
            return;
        }
        own->count++;
    }
}

/// Fills all size classes; what exceeds `bytes_max` is taken from each in proportion.
static void stock_fill_all(TrnStreamStock *stock, TrnVoxelHeap *heap, size_t bytes_max,
                           uint32_t times, TrnStreamWorkers *workers)
{
    size_t bytes = 0;
    stock->is_used = false;
    for (uint32_t c = 0; c < TRN_VOXEL_CLASS_COUNT; c++) {
        const uint32_t wanted = stock_wanted(&stock->classes[c], times);
        stock->is_used |= wanted > 0;
        bytes += wanted * trn_voxel_heap_class(heap, c).payload_bytes;
    }
    const double part = bytes > bytes_max ? (double)bytes_max / (double)bytes : 1;
    for (uint32_t c = 0; c < TRN_VOXEL_CLASS_COUNT; c++) {
        const uint32_t wanted = (uint32_t)(stock->classes[c].wanted * part);
        stock_fill_class(stock, heap, c, wanted, workers);
    }
}

void trn_stream_stock_fill(TrnStreamStock *stock, TrnVoxelHeap *heap, size_t bytes_max,
                           uint32_t times, TrnStreamWorkers *workers)
{
    if (!trn_stream_try_lock(&stock->lock)) {
        return;
    }
    if (stock->is_used) { // nothing to do in most updates of a player who stands still
        stock_fill_all(stock, heap, bytes_max, times, workers);
    }
    trn_mutex_unlock(&stock->lock);
}

void trn_stream_stock_clear(TrnStreamStock *stock, TrnVoxelHeap *heap)
{
    trn_mutex_lock(&stock->lock);
    for (uint32_t c = 0; c < TRN_VOXEL_CLASS_COUNT; c++) {
        StockClass *own = &stock->classes[c];
        while (own->count) {
            trn_voxel_slot_give(heap, &own->slots[--own->count]);
        }
        own->requested = own->wanted = 0;
    }
    trn_mutex_unlock(&stock->lock);
}

bool trn_stream_job_is_cancelled(const TrnStreamJob *job)
{
    // `job` is the first member
    const TrnStreamWork *work = (const TrnStreamWork *)(const void *)job;
    return atomic_load_explicit(&work->is_cancelled, memory_order_relaxed);
}

static double run_clock(const TrnStreamRun *run)
{
    return run->def->clock_us(run->def->clock_user);
}

/// Begins a piece of work. @return false if it was cancelled
static bool run_begin(TrnStreamWork *work, uint32_t worker)
{
    work->job.worker = worker;
    work->is_skipped = atomic_load_explicit(&work->is_cancelled, memory_order_relaxed);
    work->is_absent = work->is_absent && !work->is_skipped;
    return !work->is_skipped;
}

static TrnResult run_load_hook(const TrnStreamRun *run, TrnStreamWork *work, bool *uniform)
{
    TRN_ZONE("load");
    const TrnStreamSource *source = &run->def->source;
    return source->load ? source->load(source->user, &work->job, work->buffer, uniform)
                        : TRN_RESULT_NOT_FOUND;
}

static TrnResult run_generate_hook(const TrnStreamRun *run, TrnStreamWork *work, bool *uniform)
{
    TRN_ZONE("generate");
    const TrnStreamHooks *hooks = &run->def->hooks;
    const TrnGenerator *generator = &run->def->generator;
    return hooks->generate ? hooks->generate(hooks->user, &work->job, work->buffer, uniform)
                           : generator->generate(generator->user, work->job.coord, work->job.level,
                                                 work->buffer, uniform);
}

/// Encodes blocks, into a slot if one is in stock: the calling thread then only links it.
static TrnVoxelCode run_encode(const TrnStreamRun *run, TrnStreamWork *work)
{
    TRN_ZONE("encode");
    const TrnVoxelHeap *heap = trn_store_voxel_heap(run->def->store);
    const TrnVoxelCode code = trn_voxels_code(heap, work->buffer);
    work->is_coded = code == TRN_VOXEL_CODE_CODED;
    if (work->is_coded && stock_take(run->stock, trn_voxel_code_class(work->buffer), &work->slot)) {
        const TrnResult result = trn_voxel_slot_fill(heap, &work->slot, work->buffer);
        TRN_ASSERT(result == TRN_RESULT_OK);
        (void)result;
    }
    return code;
}

/// Ends what the load or the generate hook began: encodes the chunk.
static void run_end_chunk(const TrnStreamRun *run, TrnStreamWork *work, bool uniform)
{
    if (work->result == TRN_RESULT_OK) {
        work->result = trn_stream_data_end(&work->data);
    }
    if (work->result != TRN_RESULT_OK) {
        return;
    }
    if (!uniform) {
        uniform = run_encode(run, work) == TRN_VOXEL_CODE_UNIFORM;
    }
    work->is_uniform = uniform;
    work->block = uniform ? work->buffer[0] : TRN_BLOCK_AIR;
}

static void run_load_or_generate(const TrnStreamRun *run, TrnStreamWork *work)
{
    double begun_us = run_clock(run);
    bool uniform = false;
    if (!work->is_absent) {
        trn_stream_data_begin(&work->data, &run->any_allocator);
        work->stage = TRN_STREAM_STAGE_LOAD;
        work->result = run_load_hook(run, work, &uniform);
        if (run->def->source.load) {
            const double now_us = run_clock(run);
            work->load_us = (float)(now_us - begun_us);
            work->is_restored = work->result == TRN_RESULT_OK;
            begun_us = now_us;
        }
    }
    if (work->result == TRN_RESULT_NOT_FOUND) {
        uniform = work->is_absent = false;
        trn_stream_data_begin(&work->data, &run->any_allocator);
        work->stage = TRN_STREAM_STAGE_GENERATE;
        work->result = run_generate_hook(run, work, &uniform);
        work->hook_us = (float)(run_clock(run) - begun_us);
    }
    run_end_chunk(run, work, uniform);
}

/// Loads chained chunks. Those that the source lacks are absent then.
static void run_load_many(const TrnStreamRun *run, TrnStreamWork *first, uint32_t worker)
{
    TRN_ZONE("load");
    const TrnStreamSource *source = &run->def->source;
    TrnStreamLoadJob loads[TRN_STREAM_LOADS_MAX];
    TrnStreamWork *works[TRN_STREAM_LOADS_MAX];
    size_t count = 0;
    const double begun_us = run_clock(run);
    for (TrnStreamWork *work = first; work; work = work->next) {
        if (run_begin(work, worker)) {
            trn_stream_data_begin(&work->data, &run->any_allocator);
            loads[count] =
                (TrnStreamLoadJob){&work->job, work->buffer, false, TRN_RESULT_NOT_FOUND};
            works[count++] = work;
        }
    }
    if (count) {
        source->load_many(source->user, loads, count);
    }
    const double each_us = count ? (run_clock(run) - begun_us) / (double)count : 0;
    for (size_t i = 0; i < count; i++) {
        TrnStreamWork *work = works[i];
        work->stage = TRN_STREAM_STAGE_LOAD;
        work->load_us = (float)each_us;
        work->result = loads[i].result;
        work->is_restored = work->result == TRN_RESULT_OK;
        work->is_absent = work->result == TRN_RESULT_NOT_FOUND;
        run_end_chunk(run, work, loads[i].uniform);
    }
}

TrnResult trn_stream_run_fetch(const TrnStreamRun *run, TrnStreamWork *work, bool *uniform)
{
    *uniform = false;
    TrnResult result = run_load_hook(run, work, uniform);
    if (result == TRN_RESULT_NOT_FOUND || result == TRN_RESULT_CORRUPT) {
        *uniform = false;
        result = run_generate_hook(run, work, uniform);
    }
    return result;
}

// ---- open sky ----------------------------------------------------------------------------------

/// What a worker asks for chunks above those that it lights.
typedef struct RunSky {
    const TrnStreamRun *run;
    TrnStreamWork work; ///< so that hooks can ask whether it is cancelled: it is not
} RunSky;

/// Finds the highest chunk that is loaded or saved.
static TrnResult run_highest_kept(const TrnStreamRun *run, TrnCoord from, int32_t lowest,
                                  int32_t *y)
{
    const TrnStreamSource *source = &run->def->source;
    int32_t loaded, saved;
    const TrnBox column = {{from.x, lowest, from.z}, from};
    const bool is_loaded = trn_stream_highest_loaded(run->def->store, column, &loaded);
    const TrnResult result = source->highest ? source->highest(source->user, from, lowest, &saved)
                                             : TRN_RESULT_NOT_FOUND;
    if (result == TRN_RESULT_OK) {
        *y = is_loaded && loaded > saved ? loaded : saved;
        return TRN_RESULT_OK;
    }
    if (result == TRN_RESULT_NOT_FOUND && is_loaded) {
        *y = loaded;
        return TRN_RESULT_OK;
    }
    return result;
}

/// TrnSkySource.highest: where the generator is asked each chunk, elsewhere those loaded or saved.
static TrnResult run_sky_highest(void *user, TrnCoord from, int32_t lowest, int32_t *y)
{
    const RunSky *sky = user;
    const TrnGenerator *generator = &sky->run->def->generator;
    if (trn_stream_light_asks(generator, from.y)) {
        *y = from.y;
        return TRN_RESULT_OK;
    }
    const bool is_above = generator->has_ceiling && from.y > generator->ceiling;
    const bool ends_at_ceiling = is_above && lowest <= generator->ceiling;
    const TrnResult result =
        run_highest_kept(sky->run, from, ends_at_ceiling ? generator->ceiling + 1 : lowest, y);
    if (result == TRN_RESULT_NOT_FOUND && ends_at_ceiling) {
        *y = generator->ceiling;
        return TRN_RESULT_OK;
    }
    return result;
}

/// TrnSkySource.pass: of the chunk as it is, or would be if it were loaded now.
static TrnResult run_sky_pass(void *user, TrnCoord coord, uint32_t *open)
{
    RunSky *sky = user;
    const TrnStreamDef *def = sky->run->def;
    const TrnBlockTypes *types = trn_store_block_types(def->store);
    TrnBlock *buffer = sky->work.buffer;
    TrnSnapshot voxels;
    bool uniform = false;
    if (trn_store_snapshot(def->store, coord, &voxels) == TRN_RESULT_OK &&
        !trn_snapshot_is_omitted(voxels)) {
        trn_light_open_columns(voxels, types, open);
        return TRN_RESULT_OK;
    }
    sky->work.job.coord = coord;
    // One that is damaged must not keep all below it dark for good.
    const TrnResult result = trn_stream_run_fetch(sky->run, &sky->work, &uniform);
    if (result == TRN_RESULT_OK && uniform) {
        trn_light_open_columns(trn_snapshot_of(buffer[0], 0), types, open);
    } else if (result == TRN_RESULT_OK) {
        trn_light_open_blocks(buffer, types, open);
    }
    return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_BAD_ARGUMENT : result;
}

/// Packs the light of a chunk to be kept.
static TrnResult run_keep_light(const TrnStreamRun *run, TrnStreamLight *light, TrnStreamWork *work,
                                TrnSnapshot voxels)
{
    const TrnBlockTypes *types = trn_store_block_types(run->def->store);
    const TrnLightPack pack =
        trn_light_pack(&light->sky, &light->blocks, voxels, types, light->buffer);
    work->light = trn_stream_packed_create(&run->any_allocator, pack, light->buffer);
    return work->light ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

static TrnResult run_light(const TrnStreamRun *run, TrnStreamWork *work, TrnStreamMeshInput *input)
{
    TRN_ZONE("light");
    TrnStreamLight *light = run->lights[work->job.worker];
    if (!light) {
        return TRN_RESULT_OK;
    }
    light->level = run->level; // its host and other guests solve with it too
    RunSky sky = {.run = run, .work = {.job = {.level = run->level, .worker = work->job.worker}}};
    sky.work.buffer = light->buffer;
    const TrnSkySource source = {run_sky_highest, run_sky_pass, &sky};
    const TrnResult result = trn_stream_light_solve(light, trn_store_block_types(run->def->store),
                                                    run->sky, &source, work->job.coord, input);
    return result == TRN_RESULT_OK && run->def->keep_light
               ? run_keep_light(run, light, work, input->around[TRN_AROUND_CENTRE])
               : result;
}

// ---- omitted voxels ----------------------------------------------------------------------------

/// Voxels that were generated again for one mesh, by place.
typedef struct RunRepeated {
    TrnBlock *codes[TRN_AROUND_COUNT];
    TrnAllocator allocator;
} RunRepeated;

/// Generates a chunk again. @param voxels  receives its voxels
static TrnResult run_repeat(const TrnStreamRun *run, const TrnStreamWork *work, uint32_t place,
                            RunRepeated *repeated, TrnSnapshot *voxels)
{
    TrnBlock *code =
        trn_take(&repeated->allocator, sizeof(TrnBlock[TRN_CHUNK_VOXELS]), TRN_CACHE_LINE);
    repeated->codes[place] = code;
    if (!code) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnGenerator *generator = &run->def->generator;
    const TrnVoxelHeap *heap = trn_store_voxel_heap(run->def->store);
    bool uniform = false;
    const TrnResult result = generator->generate(
        generator->user, trn_coord_around(work->job.coord, place), work->job.level, code, &uniform);
    if (result != TRN_RESULT_OK) { // NOT_FOUND would mean that a neighbour was unloaded
        return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_BAD_ARGUMENT : result;
    }
    const TrnVoxelCode form = uniform ? TRN_VOXEL_CODE_UNIFORM : trn_voxels_code(heap, code);
    if (form == TRN_VOXEL_CODE_BLOCKS) {
        return TRN_RESULT_CORRUPT; // the generator does not repeat itself: this was not omitted
    }
    *voxels = form == TRN_VOXEL_CODE_UNIFORM ? trn_snapshot_of(code[0], 0)
                                             : trn_voxel_code_snapshot(heap, code);
    return TRN_RESULT_OK;
}

/// Generates all voxels of a mesh's input that are omitted.
static TrnResult run_repeat_omitted(const TrnStreamRun *run, TrnStreamWork *work,
                                    TrnStreamMeshInput *input, RunRepeated *repeated)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT && result == TRN_RESULT_OK; place++) {
        if (trn_snapshot_is_omitted(input->around[place])) {
            result = run_repeat(run, work, place, repeated, &input->around[place]);
        }
    }
    return result;
}

static void run_free_repeated(RunRepeated *repeated)
{
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        trn_give(&repeated->allocator, repeated->codes[place], sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    }
}

// ---- work --------------------------------------------------------------------------------------

/// Lights and meshes a chunk whose surroundings are complete.
static void run_mesh_input(const TrnStreamRun *run, TrnStreamWork *work, TrnStreamMeshInput *input)
{
    const TrnStreamHooks *hooks = &run->def->hooks;
    const double begun_us = run_clock(run);
    work->stage = TRN_STREAM_STAGE_MESH;
    work->result = run_light(run, work, input);
    if (work->result != TRN_RESULT_OK) {
        return;
    }
    if (input->sky) {
        work->made_light = trn_stream_light_hash(run->lights[work->job.worker], run->hash_key);
        work->is_spared = work->made_light == work->known_light;
    }
    if (work->is_spared) {
        return;
    }
    const TrnSnapshot voxels = input->around[TRN_AROUND_CENTRE];
    if (run->def->keep_light && !run->def->mesh_air && trn_snapshot_is_uniform(voxels) &&
        trn_snapshot_uniform(voxels) == TRN_BLOCK_AIR) {
        return; // only its light is kept
    }
    work->result = hooks->mesh(hooks->user, &work->job, input, &work->mesh);
    work->hook_us = (float)(run_clock(run) - begun_us);
    // NOT_FOUND from the hook is an ordinary failure.
    work->result = work->result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_BAD_ARGUMENT : work->result;
}

/// The result is NOT_FOUND if a neighbour was unloaded meanwhile.
static void run_mesh(const TrnStreamRun *run, TrnStreamWork *work)
{
    TRN_ZONE("mesh");
    TrnStreamMeshInput input = {.sky = NULL, .blocks = NULL};
    // Not the def's allocator, which need not work on this thread.
    RunRepeated repeated = {.allocator = trn_allocator_or_default(NULL)};
    const uint32_t in_world = trn_around_in_level(work->job.coord, run->level);
    input.present =
        trn_store_snapshot_around(run->def->store, work->job.coord, input.around) & in_world;
    work->stage = TRN_STREAM_STAGE_MESH;
    work->result = TRN_RESULT_NOT_FOUND;
    if (input.present != in_world) {
        return;
    }
    work->stage = TRN_STREAM_STAGE_GENERATE;
    work->result = run_repeat_omitted(run, work, &input, &repeated);
    if (work->result == TRN_RESULT_OK) {
        run_mesh_input(run, work, &input);
    }
    run_free_repeated(&repeated);
}

static void run_save(const TrnStreamRun *run, TrnStreamWork *work)
{
    TRN_ZONE("save");
    const TrnStreamSource *source = &run->def->source;
    TrnSnapshot voxels;
    work->stage = TRN_STREAM_STAGE_SAVE;
    work->result = trn_store_snapshot(run->def->store, work->job.coord, &voxels);
    if (work->result == TRN_RESULT_OK) {
        const double begun_us = run_clock(run);
        work->result = source->save(source->user, &work->job, voxels);
        work->hook_us = (float)(run_clock(run) - begun_us);
    }
}

uint64_t trn_stream_mesh_hash(const TrnStreamJob *job, const void *bytes, size_t size,
                              uint64_t before)
{
    const uint64_t hash = trn_voxel_hash_bytes(bytes, size, job->hash_key, before);
    return hash ? hash : 1;
}

void trn_stream_run(void *context, TrnStreamWork *work, uint32_t worker)
{
    const TrnStreamRun *run = context;
    if (work->next) {
        run_load_many(run, work, worker);
        return;
    }
    if (!run_begin(work, worker)) {
        return;
    }
    if (work->kind == TRN_STREAM_WORK_GENERATE) {
        run_load_or_generate(run, work);
        return;
    }
    TrnChunkReader *reader = run->readers[worker];
    if (reader) {
        trn_chunk_index_read_begin(reader);
    }
    if (work->kind == TRN_STREAM_WORK_MESH) {
        run_mesh(run, work);
    } else {
        run_save(run, work);
    }
    if (reader) {
        trn_chunk_index_read_end(reader);
    }
}
