#include <terrane/mesher.h>

#include <string.h>

#include "base/around.h"
#include "base/memory.h"
#include "mesh_kernel_choice.h"
#include "mesh_kernels.h"

/// What a mesh takes first; a chunk of hills shows a few hundred quads.
#define MESH_QUADS_FIRST 512
_Static_assert(MESH_QUADS_FIRST <= TRN_MESH_QUADS_MAX, "growing starts below the bound");

// ---- what goes in ------------------------------------------------------------------------------

#define EIGHT_OF(n) n, n, n, n, n, n, n, n
#define LINE_OF(n) EIGHT_OF(n), EIGHT_OF(n), EIGHT_OF(n), EIGHT_OF(n)

/// The rows of one y of a chunk that is all opaque, or not at all.
static const uint32_t mesh_line_full[TRN_MESH_EDGE] = {LINE_OF(UINT32_MAX)};
static const uint32_t mesh_line_empty[TRN_MESH_EDGE] = {LINE_OF(0)};

static TrnMeshMask mask_of_all(bool is_opaque)
{
    return (TrnMeshMask){is_opaque ? mesh_line_full : mesh_line_empty, 0};
}

static TrnMeshMask find_mask(const TrnMeshInput *input, uint32_t place)
{
    const TrnSnapshot there = input->around[place];
    if (!(input->present >> place & 1)) {
        return mask_of_all(input->missing_is_solid);
    }
    if (trn_snapshot_is_uniform(there)) {
        const TrnBlockKind kind = trn_mesh_kind(input, trn_snapshot_uniform(there));
        return mask_of_all(kind == TRN_BLOCK_KIND_OPAQUE);
    }
    return (TrnMeshMask){trn_payload_opaque(trn_snapshot_payload(there)), TRN_MESH_EDGE};
}

static void find_masks(TrnMeshWork *work)
{
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        // Those behind edges and corners give light alone.
        work->opaque[place] = work->input->without_ao && !trn_around_is_at_face(place)
                                  ? mask_of_all(false)
                                  : find_mask(work->input, place);
    }
}

static void find_centre(TrnMeshWork *work)
{
    const TrnSnapshot centre = work->input->around[TRN_MESH_CENTRE];
    work->decoded_from = TRN_MESH_EDGE;
    work->entries = work->scratch->entries;
    work->palette = work->few;
    if (trn_snapshot_is_uniform(centre)) {
        work->few[0] = trn_snapshot_uniform(centre);
        return;
    }
    work->payload = trn_snapshot_payload(centre);
    const uint32_t bits = work->payload->bits;
    if (bits == 16) {
        work->blocks = (const TrnBlock *)(const void *)trn_payload_words(work->payload);
    } else if (bits == 8) {
        work->entries = (const uint8_t *)trn_payload_words(work->payload);
        work->palette = trn_payload_palette(work->payload);
    } else {
        memcpy(work->few, trn_payload_palette(work->payload), sizeof(TrnBlock) << bits);
    }
}

/// Whether the neighbour behind a face hides all of a chunk that is one block, as far as can be
/// seen at once.
static bool hides_all(const TrnMeshInput *input, TrnFace face, TrnBlock block)
{
    const uint32_t behind = trn_mesh_behind(face);
    const TrnSnapshot there = input->around[behind];
    if (!(input->present >> behind & 1)) {
        return input->missing_is_solid;
    }
    if (trn_snapshot_is_uniform(there)) {
        const TrnBlock other = trn_snapshot_uniform(there);
        return other == block || trn_mesh_kind(input, other) == TRN_BLOCK_KIND_OPAQUE;
    }
    return false; // its masks are looked at sooner in registers
}

/// Nothing is drawn of a chunk of air, nor of one that is buried in its like or in rock: most
/// chunks of a world end here.
static bool shows_nothing(const TrnMeshInput *input)
{
    const TrnSnapshot centre = input->around[TRN_MESH_CENTRE];
    if (!trn_snapshot_is_uniform(centre)) {
        return false;
    }
    const TrnBlock block = trn_snapshot_uniform(centre);
    const TrnBlockKind kind = trn_mesh_kind(input, block);
    if (kind == TRN_BLOCK_KIND_AIR || kind == TRN_BLOCK_KIND_PLANT) {
        return kind == TRN_BLOCK_KIND_AIR;
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (!hides_all(input, (TrnFace)face, block)) {
            return false;
        }
    }
    return true;
}

static bool is_good_input(const TrnMeshInput *input, const void *scratch)
{
    return input && input->present >> TRN_MESH_CENTRE & 1 && input->types && input->type_count &&
           scratch && (uintptr_t)scratch % TRN_CACHE_LINE == 0;
}

// ---- what comes out ----------------------------------------------------------------------------

static void find_bounds(TrnMeshWork *work)
{
    const uint32_t shown[3] = {work->shown_x, work->shown_y, work->shown_z};
    for (int axis = 0; axis < 3; axis++) {
        if (shown[axis]) {
            work->info.min[axis] = (uint8_t)__builtin_ctz(shown[axis]);
            work->info.max[axis] = (uint8_t)(31 - __builtin_clz(shown[axis]));
        }
    }
}

static void mesh_chunk(TrnMeshWork *work)
{
    find_masks(work);
    find_centre(work);
    trn_mesh_find_clear(work);
    work->kernels->opaque(work);
    work->info.first[TRN_MESH_PLANTS] = (uint32_t)work->count;
    if (work->has_plants) {
        trn_mesh_plants(work);
    }
    for (uint32_t group = TRN_MESH_TRANSPARENT; group < TRN_MESH_GROUP_COUNT; group++) {
        work->info.first[group] = (uint32_t)work->count;
    }
    if (work->has_clear) {
        work->kernels->clear(work);
    }
    work->info.first[TRN_MESH_GROUP_COUNT] = (uint32_t)work->count;
    find_bounds(work);
}

#if defined(TRN_ENABLE_ASSERT)
/// The payloads of an input, to see whether they are the same after a while.
typedef struct MeshWitness {
    TrnPoolId slots[TRN_AROUND_COUNT];
} MeshWitness;

static MeshWitness mesh_witness(const TrnMeshInput *input)
{
    MeshWitness witness = {{{0}}};
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnSnapshot there = input->around[place];
        if (input->present >> place & 1 && !trn_snapshot_is_uniform(there)) {
            // Given back already: the section that the snapshot was taken in has ended.
            TRN_ASSERT(trn_snapshot_payload(there)->kernels);
            witness.slots[place] = trn_snapshot_payload(there)->slot;
        }
    }
    return witness;
}

/// Catches payloads that were given back while the mesher read them, also where others have their
/// memory now.
static void check_witness(const TrnMeshInput *input, const MeshWitness *before)
{
    const MeshWitness now = mesh_witness(input);
    TRN_ASSERT(memcmp(&now, before, sizeof now) == 0);
}
#else
typedef char MeshWitness;

static MeshWitness mesh_witness(const TrnMeshInput *input)
{
    (void)input;
    return 0;
}

static void check_witness(const TrnMeshInput *input, const MeshWitness *before)
{
    (void)input;
    (void)before;
}
#endif

static TrnResult mesh_by(const TrnMeshKernels *kernels, const TrnMeshInput *input, void *scratch,
                         TrnQuad *quads, size_t capacity, TrnMeshInfo *info)
{
    if (!is_good_input(input, scratch) || !info || (!quads && capacity)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const MeshWitness witness = mesh_witness(input);
    if (shows_nothing(input)) {
        check_witness(input, &witness);
        memset(info, 0, sizeof *info);
        return TRN_RESULT_OK;
    }
    TrnMeshWork work;
    memset(&work, 0, offsetof(TrnMeshWork, clear_same));
    work.input = input;
    work.scratch = scratch;
    work.kernels = kernels;
    work.quads = quads;
    work.capacity = capacity;
    mesh_chunk(&work);
    check_witness(input, &witness);
    *info = work.info;
    return work.count <= capacity ? TRN_RESULT_OK : TRN_RESULT_FULL;
}

TrnResult trn_mesh_quads(const TrnMeshInput *input, void *scratch, TrnQuad *quads, size_t capacity,
                         TrnMeshInfo *info)
{
    return mesh_by(trn_kernels_at(&trn_mesh_kernels, trn_cpu_features(), 0), input, scratch, quads,
                   capacity, info);
}

const char *trn_mesh_kernels_name(unsigned i)
{
    const TrnMeshKernels *kernels = trn_kernels_at(&trn_mesh_kernels, trn_cpu_features(), i);
    return kernels ? kernels->name : NULL;
}

TrnResult trn_mesh_quads_by(const char *name, const TrnMeshInput *input, void *scratch,
                            TrnQuad *quads, size_t capacity, TrnMeshInfo *info)
{
    const uint32_t features = trn_cpu_features();
    const size_t at = name ? trn_kernels_find(&trn_mesh_kernels, features, name) : 0;
    const TrnMeshKernels *kernels = trn_kernels_at(&trn_mesh_kernels, features, at);
    return kernels ? mesh_by(kernels, input, scratch, quads, capacity, info)
                   : TRN_RESULT_BAD_ARGUMENT;
}

// ---- a mesh that grows --------------------------------------------------------------------------

void trn_mesh_init(TrnMesh *mesh, const TrnAllocator *allocator)
{
    TrnMesh empty = {.allocator = trn_allocator_or_default(allocator)};
    *mesh = empty;
}

static void mesh_drop_quads(TrnMesh *mesh)
{
    trn_give(&mesh->allocator, mesh->quads, mesh->capacity * sizeof(TrnQuad));
    mesh->quads = NULL;
    mesh->capacity = 0;
    memset(&mesh->info, 0, sizeof mesh->info);
}

void trn_mesh_free(TrnMesh *mesh)
{
    if (mesh) {
        mesh_drop_quads(mesh);
    }
}

/// Doubles the room until it holds `count` quads. What is in it is lost.
static bool mesh_grow(TrnMesh *mesh, uint32_t count)
{
    size_t capacity = mesh->capacity ? mesh->capacity : MESH_QUADS_FIRST;
    while (capacity < count) {
        capacity *= 2;
    }
    capacity = capacity < TRN_MESH_QUADS_MAX ? capacity : TRN_MESH_QUADS_MAX;
    mesh_drop_quads(mesh);
    mesh->quads = trn_take(&mesh->allocator, capacity * sizeof(TrnQuad), TRN_CACHE_LINE);
    mesh->capacity = mesh->quads ? capacity : 0;
    return mesh->quads;
}

TrnResult trn_mesh_build(TrnMesh *mesh, const TrnMeshInput *input, void *scratch)
{
    if (!mesh) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnMeshInfo info;
    TrnResult result = trn_mesh_quads(input, scratch, mesh->quads, mesh->capacity, &info);
    if (result == TRN_RESULT_FULL) {
        if (!mesh_grow(mesh, trn_mesh_count(&info))) {
            return TRN_RESULT_NO_MEMORY;
        }
        result = trn_mesh_quads(input, scratch, mesh->quads, mesh->capacity, &info);
    }
    if (result == TRN_RESULT_OK) {
        mesh->info = info;
    }
    return result;
}
