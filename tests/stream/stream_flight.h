/// Flights through a world that a stream loads, and a model of what must be loaded and shown,
/// built from terrane/stream.h alone: the wanted set by brute force over all anchors, voxels as a
/// function of the coordinate with all edits applied one by one, meshes that record what they were
/// built from, and what was saved.
#pragma once

#include "rest.h"
#include "testing.h"

#include <pthread.h>
#include <stdatomic.h>

#include <terrane/batch.h>
#include <terrane/store.h>
#include <terrane/stream.h>

#define FLIGHT_PLACES 65536u ///< chunks that a flight may meet; a power of two
#define FLIGHT_ANCHORS 4
#define FLIGHT_EDITS 64
#define FLIGHT_MEMBERS 96
#define FLIGHT_EDIT_UPDATES 17u ///< updates until an edit that touches that many meshes is shown

/// A mesh: what it was built from.
typedef struct FlightMesh {
    TrnCoord coord;
    uint64_t hash; ///< of the chunk, and of its neighbours' voxels next to it
    uint64_t revisions[27];
    bool is_shown; ///< uploaded
} FlightMesh;

/// User data of a chunk: what it shows.
typedef struct FlightShown {
    FlightMesh *mesh;
    uint64_t uploads;
    uint64_t revisions[27]; ///< of the chunks it was built from; for air only its own
} FlightShown;

/// What the hooks and the model know of a coordinate, loaded or not.
typedef struct FlightPlace {
    TrnCoord coord;
    bool is_used;
    bool is_foreign;    ///< the flight itself inserted the chunk
    uint32_t tries[4];  ///< calls, by hook
    TrnBlock *expected; ///< [TRN_CHUNK_VOXELS] with all edits; NULL: as generated
    TrnBlock *saved;    ///< [TRN_CHUNK_VOXELS] or NULL
} FlightPlace;

typedef struct FlightAnchor {
    bool is_used;
    TrnStreamAnchorId id;
    TrnStreamAnchor anchor;
} FlightAnchor;

/// A shown chunk that an edit touches, and the revisions that it must show.
typedef struct FlightMember {
    TrnCoord coord;
    TrnChunkId id;
    uint32_t around;
} FlightMember;

/// An edit whose meshes are not all shown yet.
typedef struct FlightEdit {
    uint64_t revision;
    uint32_t updates; ///< pending for this long
    uint32_t count;
    FlightMember members[FLIGHT_MEMBERS];
} FlightEdit;

typedef enum FlightHook {
    FLIGHT_GENERATE,
    FLIGHT_LOAD,
    FLIGHT_SAVE,
    FLIGHT_MESH,
} FlightHook;

typedef struct Flight {
    TrnStore *store;
    TrnStream *stream;
    uint64_t seed;
    bool may_lack_memory; ///< views may then lag behind their anchors for a while
    bool shows;           ///< it has a mesh hook
    bool keeps_groups;    ///< no upload fails, so the meshes of an edit must appear together
    bool is_exact;        ///< hooks run only inside updates
    size_t bytes_max;
    // Used by the calling thread.
    TestAllocator memory; ///< of store and stream
    TestRandom memory_random;
    uint32_t memory_fail_every; ///< about one allocation in this many fails; 0: none
    size_t shown_bytes;         ///< of shown meshes
    FlightAnchor anchors[FLIGHT_ANCHORS];
    FlightEdit edits[FLIGHT_EDITS];
    uint32_t edit_count;
    uint64_t torn_groups; ///< as reported by the stream
    uint64_t trace;       ///< hash of all calls of hooks and listener on this thread, in order
    uint64_t uploads, unloads, load_events, unload_events;
    uint32_t uploads_now, unloads_now;
    uint32_t upload_fail_every;
    // Used by any thread.
    pthread_mutex_t lock;
    FlightPlace *places; ///< [FLIGHT_PLACES]
    _Atomic(uint32_t) place_count, fail_every, slow_us;
    _Atomic(int64_t) live_meshes, live_mesh_bytes;
    _Atomic(uint32_t) flaws; ///< violations that hooks on workers found
    const char *_Atomic flaw;
    _Atomic(bool) waits_for_cancel; ///< hooks return only once they are cancelled
    _Atomic(uint32_t) waiting;
} Flight;

// ---- the world ---------------------------------------------------------------------------------

static inline uint64_t flight_mix(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ (b + 0x9E3779B97F4A7C15u)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t flight_coord_hash(TrnCoord coord)
{
    return flight_mix(flight_mix((uint32_t)coord.x, (uint32_t)coord.y), (uint32_t)coord.z);
}

/// Air above, rock below, and between them two layers of chunks with terrain and holes.
/// @return whether the chunk is uniform
static inline bool flight_blocks(TrnCoord coord, TrnBlock *blocks)
{
    const uint64_t hash = flight_coord_hash(coord);
    if (coord.y > 0 || coord.y < -1 || (coord.y == -1 && hash % 3)) {
        blocks[0] = coord.y > 0 ? TRN_BLOCK_AIR : 1;
        return true;
    }
    const uint32_t floor = coord.y == 0 ? 8 : 32;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = i < floor * TRN_CHUNK_ROWS ? 1 : TRN_BLOCK_AIR;
    }
    TestRandom random = {hash};
    for (uint32_t i = 0; i < 64; i++) {
        const uint64_t draw = test_random_next(&random);
        blocks[(uint32_t)draw % TRN_CHUNK_VOXELS] = (TrnBlock)(draw >> 32 & 7);
    }
    return false;
}

static inline void flight_flaw(Flight *flight, const char *what)
{
    atomic_fetch_add(&flight->flaws, 1);
    atomic_store(&flight->flaw, what);
}

/// Returns the place of a coordinate, creating it if needed. The caller holds the flight's lock, or
/// no worker runs.
static inline FlightPlace *flight_place(Flight *flight, TrnCoord coord)
{
    for (uint64_t i = flight_coord_hash(coord);; i++) {
        FlightPlace *place = &flight->places[i % FLIGHT_PLACES];
        if (!place->is_used) {
            place->is_used = true;
            place->coord = coord;
            if (atomic_fetch_add(&flight->place_count, 1) > FLIGHT_PLACES / 2) {
                print_message("  the flight meets more chunks than it has places\n");
                abort();
            }
            return place;
        }
        if (trn_coord_equal(place->coord, coord)) {
            return place;
        }
    }
}

// ---- hooks -------------------------------------------------------------------------------------

/// Begins a call of a hook: it may be slow and may fail, depending only on the coordinate and the
/// number of the call.
static inline TrnResult flight_begin(Flight *flight, const TrnStreamJob *job, FlightHook hook)
{
    const uint32_t slow_us = atomic_load(&flight->slow_us);
    if (slow_us && !trn_stream_job_is_cancelled(job)) {
        test_rest_us(slow_us);
    }
    if (atomic_load(&flight->waits_for_cancel)) {
        atomic_fetch_add(&flight->waiting, 1);
        while (atomic_load(&flight->waits_for_cancel) && !trn_stream_job_is_cancelled(job)) {
            test_rest_us(50);
        }
    }
    if (job->level != 0) {
        flight_flaw(flight, "a level of detail that is not 0");
    }
    pthread_mutex_lock(&flight->lock);
    const uint32_t number = flight_place(flight, job->coord)->tries[hook]++;
    pthread_mutex_unlock(&flight->lock);
    const uint32_t every = atomic_load(&flight->fail_every);
    const uint64_t draw =
        flight_mix(flight_mix(flight->seed + hook, number), flight_coord_hash(job->coord));
    static const TrnResult results[4] = {TRN_RESULT_CORRUPT, TRN_RESULT_NO_MEMORY, TRN_RESULT_FULL,
                                         TRN_RESULT_BUSY};
    return every && draw % every == 0 ? results[draw >> 32 & 3] : TRN_RESULT_OK;
}

static inline TrnResult flight_generate(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                        bool *uniform)
{
    Flight *flight = user;
    const TrnResult result = flight_begin(flight, job, FLIGHT_GENERATE);
    if (trn_stream_job_is_cancelled(job)) {
        blocks[0] = 7; // no caller may read this
        *uniform = true;
        return TRN_RESULT_OK;
    }
    *uniform = flight_blocks(job->coord, blocks);
    return result;
}

static inline TrnResult flight_load(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                    bool *uniform)
{
    Flight *flight = user;
    (void)uniform;
    const TrnResult result = flight_begin(flight, job, FLIGHT_LOAD);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    pthread_mutex_lock(&flight->lock);
    const TrnBlock *saved = flight_place(flight, job->coord)->saved;
    if (saved) {
        memcpy(blocks, saved, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    }
    pthread_mutex_unlock(&flight->lock);
    return saved ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
}

static inline TrnResult flight_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    Flight *flight = user;
    const TrnResult result = flight_begin(flight, job, FLIGHT_SAVE);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    pthread_mutex_lock(&flight->lock);
    FlightPlace *place = flight_place(flight, job->coord);
    if (!place->saved) {
        place->saved = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    }
    if (place->saved) {
        trn_snapshot_decode(voxels, place->saved);
    }
    const bool is_saved = place->saved;
    pthread_mutex_unlock(&flight->lock);
    return is_saved ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

/// The range of local coordinates of a neighbour that touch a chunk; the neighbour is `step` away
/// along the axis.
static inline void flight_touching(int32_t step, uint32_t *low, uint32_t *high)
{
    *low = step < 0 ? 31 : 0;
    *high = step > 0 ? 0 : 31;
}

/// Hashes what a mesher reads: the chunk, and the layers, rows and voxels around it.
static inline uint64_t flight_mesh_hash(const TrnSnapshot around[27], uint32_t present)
{
    uint64_t hash = flight_mix(present, trn_snapshot_hash(around[13]));
    for (uint32_t place = 0; place < 27; place++) {
        if (place == 13 || !(present >> place & 1)) {
            continue;
        }
        uint32_t min[3], max[3];
        flight_touching((int32_t)(place % 3) - 1, &min[0], &max[0]);
        flight_touching((int32_t)(place / 9) - 1, &min[1], &max[1]);
        flight_touching((int32_t)(place / 3 % 3) - 1, &min[2], &max[2]);
        for (uint32_t y = min[1]; y <= max[1]; y++) {
            for (uint32_t z = min[2]; z <= max[2]; z++) {
                TrnBlock blocks[TRN_CHUNK_EDGE];
                trn_snapshot_decode_row(around[place], y, z, blocks);
                for (uint32_t x = min[0]; x <= max[0]; x++) {
                    hash = (hash ^ blocks[x]) * 0x100000001B3u;
                }
            }
        }
        hash = flight_mix(hash, place);
    }
    return hash;
}

/// Which of the 27 around a chunk are inside the world.
static inline uint32_t flight_in_world(TrnCoord coord)
{
    uint32_t in = 0;
    for (uint32_t place = 0; place < 27; place++) {
        const int64_t x = (int64_t)coord.x + (int32_t)(place % 3) - 1;
        const int64_t y = (int64_t)coord.y + (int32_t)(place / 9) - 1;
        const int64_t z = (int64_t)coord.z + (int32_t)(place / 3 % 3) - 1;
        const bool is_in = x >= INT32_MIN && x <= INT32_MAX && y >= INT32_MIN && y <= INT32_MAX &&
                           z >= INT32_MIN && z <= INT32_MAX;
        in |= (uint32_t)is_in << place;
    }
    return in;
}

static inline TrnResult flight_mesh(void *user, const TrnStreamJob *job,
                                    const TrnStreamMeshInput *input, TrnStreamMesh *mesh)
{
    Flight *flight = user;
    const TrnResult result = flight_begin(flight, job, FLIGHT_MESH);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (input->present != flight_in_world(job->coord)) {
        flight_flaw(flight, "a chunk is meshed before all its neighbours are loaded");
    }
    if (flight->is_exact && trn_snapshot_is_uniform(input->around[13]) &&
        trn_snapshot_uniform(input->around[13]) == TRN_BLOCK_AIR) {
        flight_flaw(flight, "the mesh of a chunk of air is requested");
    }
    FlightMesh *made = malloc(sizeof *made);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    made->coord = job->coord;
    made->is_shown = false;
    made->hash = flight_mesh_hash(input->around, input->present);
    for (uint32_t i = 0; i < 27; i++) {
        made->revisions[i] = trn_snapshot_revision(input->around[i]);
    }
    *mesh = (TrnStreamMesh){.mesh = made, .bytes = 1024 + made->hash % 8192};
    atomic_fetch_add(&flight->live_meshes, 1);
    atomic_fetch_add(&flight->live_mesh_bytes, (int64_t)mesh->bytes);
    return TRN_RESULT_OK;
}

static inline FlightShown *flight_shown(TrnChunk *chunk)
{
    return trn_chunk_user(chunk);
}

static inline TrnResult flight_upload(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    Flight *flight = user;
    flight->uploads_now++;
    if (flight->upload_fail_every && flight->uploads_now % flight->upload_fail_every == 0) {
        return TRN_RESULT_CORRUPT;
    }
    FlightShown *shown = flight_shown(chunk);
    FlightMesh *made = mesh->mesh;
    assert_true(trn_store_find(flight->store, chunk->coord) == chunk);
    memset(shown->revisions, 0, sizeof shown->revisions);
    shown->revisions[13] = trn_chunk_revision(chunk);
    if (made) {
        assert_true(trn_coord_equal(made->coord, chunk->coord));
        memcpy(shown->revisions, made->revisions, sizeof shown->revisions);
        assert_false(made->is_shown);
        made->is_shown = true;
    }
    shown->mesh = made;
    shown->uploads++;
    flight->uploads++;
    flight->shown_bytes += mesh->bytes;
    flight->trace = flight_mix(flight_mix(flight->trace, flight_coord_hash(chunk->coord)),
                               made ? made->hash : 0);
    return TRN_RESULT_OK;
}

static inline void flight_drop_mesh(void *user, TrnStreamMesh mesh)
{
    Flight *flight = user;
    FlightMesh *made = mesh.mesh;
    assert_non_null(made);
    assert_int_equal(mesh.bytes, 1024 + made->hash % 8192);
    TrnChunk *chunk = flight->store ? trn_store_find(flight->store, made->coord) : NULL;
    if (chunk && flight_shown(chunk)->mesh == made) {
        flight_shown(chunk)->mesh = NULL; // destroyed while shown, or about to unload
    }
    flight->shown_bytes -= made->is_shown ? mesh.bytes : 0;
    atomic_fetch_sub(&flight->live_meshes, 1);
    atomic_fetch_sub(&flight->live_mesh_bytes, (int64_t)mesh.bytes);
    free(made);
}

static inline void flight_unload(void *user, TrnChunk *chunk)
{
    Flight *flight = user;
    flight->unloads++;
    flight->unloads_now++;
    flight->trace = flight_mix(flight->trace, flight_coord_hash(chunk->coord) + 1);
}

static inline void flight_hear(void *user, const TrnStreamEvent *event)
{
    Flight *flight = user;
    flight->load_events += event->kind == TRN_STREAM_EVENT_LOADED;
    flight->unload_events += event->kind == TRN_STREAM_EVENT_UNLOADED;
    flight->trace =
        flight_mix(flight_mix(flight->trace, flight_coord_hash(event->coord)),
                   (uint64_t)event->kind << 32 | (uint64_t)event->result << 16 | event->ring);
}

// ---- memory ------------------------------------------------------------------------------------

static inline void *flight_alloc(size_t bytes, size_t alignment, void *user)
{
    Flight *flight = user;
    if (flight->memory_fail_every &&
        test_random_next(&flight->memory_random) % flight->memory_fail_every == 0) {
        return NULL;
    }
    void *memory = counting_alloc(bytes, alignment, &flight->memory);
    assert_true(!flight->bytes_max ||
                flight->memory.live_bytes + flight->shown_bytes <= flight->bytes_max);
    return memory;
}

static inline void flight_free(void *memory, size_t bytes, void *user)
{
    Flight *flight = user;
    counting_free(memory, bytes, &flight->memory);
}

// ---- creation and destruction ------------------------------------------------------------------

/// Whether a chunk can be meshed: all its neighbours inside the world are loaded.
static inline bool flight_has_neighbours(const Flight *flight, TrnCoord coord)
{
    TrnSnapshot around[27];
    const uint32_t wanted = flight_in_world(coord);
    return (trn_store_snapshot_around(flight->store, coord, around) & wanted) == wanted;
}

static inline bool flight_has_plane(const Flight *flight, const char *name, TrnCoord coord)
{
    const TrnChunkIndex *index = trn_stream_index(flight->stream);
    return trn_chunk_index_plane_test(index, trn_chunk_index_plane(index, name), coord);
}

/// Whether a chunk should be shown and has been, even by an outdated mesh.
static inline bool flight_is_seen(const Flight *flight, TrnChunk *chunk)
{
    return flight_has_plane(flight, "show", chunk->coord) &&
           (flight_shown(chunk)->uploads || flight_has_plane(flight, "shown", chunk->coord));
}

/// Neighbours of an unloaded chunk wait for it to be loaded again, and may show edits later than
/// others.
static inline void flight_forget_members(Flight *flight, TrnCoord gone)
{
    for (uint32_t i = 0; i < flight->edit_count; i++) {
        FlightEdit *edit = &flight->edits[i];
        for (uint32_t m = edit->count; m-- > 0;) {
            const TrnCoord at = edit->members[m].coord;
            if (llabs((int64_t)at.x - gone.x) <= 1 && llabs((int64_t)at.y - gone.y) <= 1 &&
                llabs((int64_t)at.z - gone.z) <= 1) {
                edit->members[m] = edit->members[--edit->count];
            }
        }
    }
}

/// Records that an edit's effect on shown meshes must appear in one update. It is called before the
/// stream's listener.
static inline TrnResult flight_note_edit(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Flight *flight = user;
    FlightEdit edit = {.revision = event->revision};
    if (!flight->stream) {
        return TRN_RESULT_OK;
    }
    for (uint32_t i = 0; event->kind == TRN_EVENT_REMOVED && i < event->count; i++) {
        flight_forget_members(flight, event->chunks[i].coord);
    }
    if (event->kind == TRN_EVENT_REMOVED) {
        return TRN_RESULT_OK;
    }
    for (uint32_t i = 0; i < event->count; i++) {
        for (uint32_t place = 0; place < 27; place++) {
            const TrnCoord at = trn_coord_around(event->chunks[i].coord, place);
            const bool is_touched = event->chunks[i].around >> place & 1 &&
                                    flight_in_world(event->chunks[i].coord) >> place & 1;
            TrnChunk *chunk = is_touched ? trn_store_find(store, at) : NULL;
            if (!chunk || !flight_is_seen(flight, chunk) || !flight_has_neighbours(flight, at)) {
                continue; // not shown yet, or cannot be meshed now
            }
            uint32_t member = 0;
            while (member < edit.count && !trn_coord_equal(edit.members[member].coord, at)) {
                member++;
            }
            if (member == FLIGHT_MEMBERS) {
                return TRN_RESULT_OK; // too large to be tracked
            }
            if (member == edit.count) {
                edit.members[edit.count++] = (FlightMember){at, chunk->id, 0};
            }
            edit.members[member].around |= UINT32_C(1) << (26 - place); // as seen from there
        }
    }
    if (edit.count > 1 && flight->edit_count < FLIGHT_EDITS) {
        flight->edits[flight->edit_count++] = edit;
    }
    return TRN_RESULT_OK;
}

/// Creates a flight without a stream. @param def  receives hooks, store and listener; change what
/// you need
static inline Flight *flight_begin_world(uint64_t seed, size_t bytes_max, TrnStreamDef *def)
{
    Flight *flight = calloc(1, sizeof *flight);
    assert_non_null(flight);
    flight->places = calloc(FLIGHT_PLACES, sizeof *flight->places);
    assert_non_null(flight->places);
    assert_int_equal(pthread_mutex_init(&flight->lock, NULL), 0);
    flight->seed = seed;
    flight->memory_random.state = seed;
    flight->keeps_groups = flight->shows = true;
    flight->bytes_max = bytes_max;
    const TrnAllocator allocator = {flight_alloc, flight_free, flight};
    TrnStoreDef store = trn_store_def();
    store.user_bytes = sizeof(FlightShown);
    store.allocator = &allocator;
    assert_int_equal(trn_store_create(&store, &flight->store), TRN_RESULT_OK);
    *def = trn_stream_def();
    def->store = flight->store;
    def->bytes_max = bytes_max;
    def->hooks = (TrnStreamHooks){.generate = flight_generate,
                                  .load = flight_load,
                                  .save = flight_save,
                                  .mesh = flight_mesh,
                                  .upload = flight_upload,
                                  .drop_mesh = flight_drop_mesh,
                                  .unload = flight_unload,
                                  .user = flight};
    def->workers = 0;
    def->budget = (TrnStreamBudget){.units = 48};
    def->listener = flight_hear;
    def->listener_user = flight;
    return flight;
}

static inline void flight_start(Flight *flight, TrnStreamDef *def)
{
    const TrnAllocator allocator = {flight_alloc, flight_free, flight};
    const uint32_t kinds = TRN_EVENT_BIT(TRN_EVENT_CHANGED) | TRN_EVENT_BIT(TRN_EVENT_REMOVED);
    assert_int_equal(trn_store_subscribe(flight->store, kinds, flight_note_edit, flight),
                     TRN_RESULT_OK);
    def->allocator = &allocator;
    assert_int_equal(trn_stream_create(def, &flight->stream), TRN_RESULT_OK);
    flight->is_exact = def->budget.units > 0;
    def->allocator = NULL;
}

static inline void flight_end_stream(Flight *flight)
{
    trn_stream_destroy(flight->stream);
    flight->stream = NULL;
    flight->edit_count = 0;
    assert_int_equal(trn_store_unsubscribe(flight->store, flight_note_edit, flight), TRN_RESULT_OK);
    assert_int_equal(atomic_load(&flight->live_meshes), 0);
    assert_int_equal(atomic_load(&flight->live_mesh_bytes), 0);
    if (atomic_load(&flight->flaws)) {
        fail_msg("%u flaws: %s", atomic_load(&flight->flaws), atomic_load(&flight->flaw));
    }
}

static inline void flight_end(Flight *flight)
{
    if (flight->stream) {
        flight_end_stream(flight);
    }
    trn_store_destroy(flight->store);
    assert_int_equal(flight->memory.live_bytes, 0);
    for (uint32_t i = 0; i < FLIGHT_PLACES; i++) {
        free(flight->places[i].expected);
        free(flight->places[i].saved);
    }
    free(flight->places);
    pthread_mutex_destroy(&flight->lock);
    free(flight);
}

// ---- the model of the wanted set ---------------------------------------------------------------

/// "(x^2 + z^2) / radius^2 + y^2 / height^2 <= 1 from its chunk, a radius of 0 is one column".
static inline bool flight_in_ball(int64_t x, int64_t y, int64_t z, int64_t radius, int64_t height)
{
    if (x < -radius || x > radius || z < -radius || z > radius || y < -height || y > height) {
        return false;
    }
    const int64_t across = x * x + z * z;
    return across * height * height + y * y * radius * radius <=
               radius * radius * height * height &&
           across <= radius * radius;
}

static inline int64_t flight_one_nearer(int64_t distance)
{
    return distance > 0 ? distance - 1 : distance < 0 ? distance + 1 : 0;
}

/// Whether an anchor wants a chunk shown or loaded, were its view `more` chunks wider.
static inline bool flight_anchor_wants(const TrnStreamAnchor *anchor, TrnCoord coord, uint32_t more,
                                       bool is_shown)
{
    const TrnCoord centre = anchor->position.chunk;
    int64_t x = (int64_t)coord.x - centre.x, y = (int64_t)coord.y - centre.y,
            z = (int64_t)coord.z - centre.z;
    if (!is_shown) { // or one of the 27 around it is shown: use the nearest
        x = flight_one_nearer(x), y = flight_one_nearer(y), z = flight_one_nearer(z);
    }
    return flight_in_ball(x, y, z, (int64_t)anchor->radius_chunks + more,
                          (int64_t)anchor->height_chunks + more);
}

static inline bool flight_wants(const Flight *flight, TrnCoord coord, uint32_t more, bool is_shown)
{
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        const FlightAnchor *anchor = &flight->anchors[i];
        if (anchor->is_used && flight_anchor_wants(&anchor->anchor, coord, more, is_shown)) {
            return true;
        }
    }
    return false;
}

// ---- the model of voxels -----------------------------------------------------------------------

static inline TrnBlock *flight_expected(Flight *flight, TrnCoord coord)
{
    pthread_mutex_lock(&flight->lock);
    FlightPlace *place = flight_place(flight, coord);
    pthread_mutex_unlock(&flight->lock);
    if (!place->expected) {
        place->expected = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
        assert_non_null(place->expected);
        if (flight_blocks(coord, place->expected)) {
            for (uint32_t i = 1; i < TRN_CHUNK_VOXELS; i++) {
                place->expected[i] = place->expected[0];
            }
        }
    }
    return place->expected;
}

/// Whether a chunk holds what was generated and edited.
static inline bool flight_voxels_are_right(Flight *flight, TrnCoord coord, TrnSnapshot snapshot)
{
    static TrnBlock got[TRN_CHUNK_VOXELS], made[TRN_CHUNK_VOXELS];
    pthread_mutex_lock(&flight->lock);
    const TrnBlock *expected = flight_place(flight, coord)->expected;
    pthread_mutex_unlock(&flight->lock);
    if (!expected) {
        if (flight_blocks(coord, made)) {
            return trn_snapshot_is_uniform(snapshot) && trn_snapshot_uniform(snapshot) == made[0];
        }
        expected = made;
    }
    trn_snapshot_decode(snapshot, got);
    return memcmp(got, expected, sizeof got) == 0;
}

static inline bool flight_is_air(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) && trn_snapshot_uniform(snapshot) == TRN_BLOCK_AIR;
}

/// Whether the shown mesh matches what the chunk and its neighbours hold.
static inline bool flight_mesh_is_right(const Flight *flight, TrnChunk *chunk)
{
    TrnSnapshot around[27];
    const uint32_t wanted = flight_in_world(chunk->coord);
    const uint32_t present = trn_store_snapshot_around(flight->store, chunk->coord, around);
    const FlightMesh *mesh = flight_shown(chunk)->mesh;
    if (flight_is_air(around[13])) {
        return !mesh;
    }
    return mesh && (present & wanted) == wanted && mesh->hash == flight_mesh_hash(around, wanted);
}
