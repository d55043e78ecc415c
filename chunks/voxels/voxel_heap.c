// The heap: memory for payloads by size class, and how a payload is published, retired and freed.

#include "voxel_data_table_impl.h"

#include <stdalign.h>
#include <string.h>

#include "pool/pool_internal.h"
#include "voxels_internal.h"

/// Size of a pool's blocks, about: there are many size classes, and a world that uses each a little
/// wastes little.
#define HEAP_BLOCK_BYTES ((size_t)16 << 10)

/// The same where payloads are freed one by one.
#define HEAP_BLOCK_BYTES_SMALL ((size_t)8 << 10)

/// What all size classes together keep in empty blocks, in addition to one block each. Freeing and
/// allocating 256 chunks of 4 bits costs 1.5 us a chunk through the allocator, and 0.05 us from
/// these blocks.
#define HEAP_SPARE_BYTES ((size_t)8 << 20)

#define HEAP_RUN_BLOCKS 64u // most blocks that are allocated together: about 1 MiB
#define HEAP_RUN_PART 32u   // and the part of the blocks that a class has

#define HEAP_BLOCK_IDS ((size_t)1 << 16)

#define HEAP_LINES_BYTES ((size_t)TRN_DRAFT_LINES_MAX * TRN_CACHE_LINE)
#define HEAP_UNIT_SLOTS 16u

// ---- bytes -------------------------------------------------------------------------------------

static void *heap_alloc(size_t bytes, size_t alignment, void *user)
{
    TrnVoxelHeap *heap = user;
    if (heap->bytes_max && bytes > heap->bytes_max - heap->bytes) {
        heap->is_refused = true;
        return NULL;
    }
    void *memory = trn_take(&heap->allocator, bytes, alignment);
    if (memory) {
        heap->bytes += bytes;
        heap->bytes_peak = heap->bytes > heap->bytes_peak ? heap->bytes : heap->bytes_peak;
    }
    return memory;
}

static void heap_free(void *memory, size_t bytes, void *user)
{
    TrnVoxelHeap *heap = user;
    heap->bytes -= bytes;
    trn_give(&heap->allocator, memory, bytes);
}

// ---- size classes ------------------------------------------------------------------------------

static uint32_t heap_block_slots(size_t payload_bytes, size_t block_bytes)
{
    uint32_t slots = 1;
    while (payload_bytes * slots * 2 <= block_bytes) {
        slots *= 2;
    }
    return slots;
}

static TrnResult heap_create_pools(TrnVoxelHeap *heap, size_t block_bytes)
{
    for (uint32_t i = 0; i < TRN_VOXEL_CLASS_COUNT; i++) {
        TrnPoolDef def = trn_pool_def(trn_class_bytes(i));
        def.slot_alignment = TRN_CACHE_LINE;
        def.block_slots = heap_block_slots(def.slot_bytes, block_bytes);
        def.allocator = &heap->counted;
        TrnResult result = trn_pool_create(&def, &heap->pools[i]);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        trn_pool_share_spare(heap->pools[i], &heap->spare_room);
        trn_pool_count_blocks(heap->pools[i], &heap->block_bytes);
        if (block_bytes == HEAP_BLOCK_BYTES) {
            trn_pool_allow_runs(heap->pools[i], HEAP_RUN_BLOCKS, HEAP_RUN_PART);
        }
    }
    TrnPoolDef def = trn_pool_def(sizeof(TrnVoxelUnit));
    def.slot_alignment = TRN_CACHE_LINE;
    def.block_slots = HEAP_UNIT_SLOTS;
    def.allocator = &heap->counted;
    const TrnResult result = trn_pool_create(&def, &heap->units);
    if (result == TRN_RESULT_OK) {
        trn_pool_share_spare(heap->units, &heap->spare_room);
        trn_pool_count_blocks(heap->units, &heap->block_bytes);
    }
    return result;
}

static void heap_destroy_pools(TrnVoxelHeap *heap)
{
    trn_pool_destroy(heap->units);
    heap->units = NULL;
    for (uint32_t i = 0; i < TRN_VOXEL_CLASS_COUNT; i++) {
        trn_pool_destroy(heap->pools[i]);
        heap->pools[i] = NULL;
    }
}

// ---- create and destroy ------------------------------------------------------------------------

TrnVoxelHeapDef trn_voxel_heap_def(void)
{
    TrnVoxelHeapDef def = {0};
    return def;
}

static TrnResult heap_create_tables(TrnVoxelHeap *heap)
{
    heap->entry_of = trn_take(&heap->counted, HEAP_BLOCK_IDS, TRN_CACHE_LINE);

    heap->lines = trn_take(&heap->counted, HEAP_LINES_BYTES, TRN_CACHE_LINE);
    if (!heap->entry_of || !heap->lines) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(heap->entry_of, 0, HEAP_BLOCK_IDS);
    if (heap->solid_bits && heap->opaque_bits) {
        return TRN_RESULT_OK;
    }
    heap->default_bits = trn_take(&heap->counted, HEAP_BLOCK_IDS / 8, TRN_CACHE_LINE);
    if (!heap->default_bits) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(heap->default_bits, 0xFF, HEAP_BLOCK_IDS / 8);
    heap->default_bits[0] -= 1;
    heap->solid_bits = heap->solid_bits ? heap->solid_bits : heap->default_bits;
    heap->opaque_bits = heap->opaque_bits ? heap->opaque_bits : heap->default_bits;
    return TRN_RESULT_OK;
}

/// Frees a retired payload. Its link is its first member.
static void heap_free_retired(TrnRetireLink *link, void *context)
{
    TrnVoxelHeap *heap = context;
    TrnPayload *payload = (TrnPayload *)(void *)link;
    heap->retired_payloads--;
    heap->retired_bytes -= trn_pool_slot_bytes(heap->pools[payload->size_class]);
    trn_payload_drop_data(heap, payload, true);
    trn_voxel_heap_give(heap, payload);
}

/// Payloads have no capacity for a pointer to their kernels.
static void heap_use_kernels(TrnVoxelHeap *heap, const TrnVoxelKernels *kernels)
{
    heap->kernels = kernels;
    for (uint8_t row = 0; row < trn_voxel_kernels.count; row++) {
        if (trn_voxel_kernels.rows[row].kernels == kernels) {
            heap->kernels_row = row + 1;
        }
    }
}

static void heap_init(TrnVoxelHeap *heap, const TrnVoxelHeapDef *def, const TrnAllocator *allocator)
{
    *heap = (TrnVoxelHeap){
        .solid_bits = def->solid_bits,
        .opaque_bits = def->opaque_bits,
        .index = def->index,
        .owner = {heap_free_retired, heap},
        .bytes_max = def->bytes_max,
        .data_bytes_max = def->data_bytes_max,
        .is_capped = def->is_capped,
        .spare_room = HEAP_SPARE_BYTES,
        .bytes = sizeof *heap,
        .bytes_peak = sizeof *heap,
        .allocator = *allocator,
        .counted = {heap_alloc, heap_free, heap},
    };
    heap_use_kernels(heap, trn_kernels_named(&trn_voxel_kernels, NULL));
}

TrnResult trn_voxel_heap_create(const TrnVoxelHeapDef *def, TrnVoxelHeap **heap)
{
    const TrnVoxelHeapDef plain = trn_voxel_heap_def();
    def = def ? def : &plain;
    if (!heap) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (def->bytes_max && def->bytes_max < sizeof(TrnVoxelHeap)) {
        return TRN_RESULT_FULL;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnVoxelHeap *made = trn_take(&allocator, sizeof *made, alignof(TrnVoxelHeap));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    heap_init(made, def, &allocator);
    TrnResult result = heap_create_tables(made);
    if (result == TRN_RESULT_OK) {
        result = heap_create_pools(made, HEAP_BLOCK_BYTES);
    }
    if (result != TRN_RESULT_OK) {
        result = made->is_refused ? TRN_RESULT_FULL : result;
        trn_voxel_heap_destroy(made);
        return result;
    }
    *heap = made;
    return TRN_RESULT_OK;
}

void trn_voxel_heap_destroy(TrnVoxelHeap *heap)
{
    if (!heap) {
        return;
    }
    if (heap->index) {
        trn_chunk_index_reclaim(heap->index);
    }
    TRN_ASSERT(heap->retired_payloads == 0); // otherwise a reader is still in its section
    trn_voxel_heap_free_data(heap);
    heap_destroy_pools(heap);
    trn_give(&heap->counted, heap->entry_of, HEAP_BLOCK_IDS);

    trn_give(&heap->counted, heap->lines, HEAP_LINES_BYTES);
    trn_give(&heap->counted, heap->default_bits, HEAP_BLOCK_IDS / 8);
    TRN_ASSERT(heap->bytes == sizeof *heap);
    TrnAllocator allocator = heap->allocator;
    trn_give(&allocator, heap, sizeof *heap);
}

TrnResult trn_voxel_heap_use_small_blocks(TrnVoxelHeap *heap)
{
    heap_destroy_pools(heap);
    return heap_create_pools(heap, HEAP_BLOCK_BYTES_SMALL);
}

void trn_voxel_heap_trim(TrnVoxelHeap *heap)
{
    for (uint32_t i = 0; i < TRN_VOXEL_CLASS_COUNT; i++) {
        trn_pool_trim(heap->pools[i]);
    }
    trn_pool_trim(heap->units);
}

bool trn_voxel_heap_use_kernels(TrnVoxelHeap *heap, const char *name)
{
    const TrnVoxelKernels *kernels = trn_kernels_named(&trn_voxel_kernels, name);
    if (kernels) {
        heap_use_kernels(heap, kernels);
    }
    return kernels != NULL;
}

// ---- payloads ----------------------------------------------------------------------------------

bool trn_voxel_heap_is_capped(const TrnVoxelHeap *heap)
{
    return heap->is_refused || (heap->is_capped && *heap->is_capped);
}

/// The reason why the pools could not grow after reclaiming and trimming.
static TrnResult heap_refusal(const TrnVoxelHeap *heap, TrnResult result)
{
    if (!trn_voxel_heap_is_capped(heap)) {
        return result;
    }
    return heap->retired_payloads ? TRN_RESULT_READERS : TRN_RESULT_FULL;
}

/// Frees what can be freed, before an allocation that failed is tried again.
static void heap_make_room(TrnVoxelHeap *heap)
{
    if (heap->index) {
        trn_chunk_index_reclaim(heap->index);
    }
    trn_voxel_heap_trim(heap);
    heap->is_refused = false;
}

TrnResult trn_voxel_heap_alloc(TrnVoxelHeap *heap, size_t bytes, size_t alignment, void **memory)
{
    void *taken = trn_take(&heap->counted, bytes, alignment);
    if (!taken) {
        heap_make_room(heap);
        taken = trn_take(&heap->counted, bytes, alignment);
    }
    if (!taken) {
        return heap_refusal(heap, TRN_RESULT_NO_MEMORY);
    }
    *memory = taken;
    return TRN_RESULT_OK;
}

/// Allocates from a pool. If that fails, reclaims, trims and tries again.
static TrnResult heap_take_slot(TrnVoxelHeap *heap, TrnPool *pool, TrnPoolId *id, void **slot)
{
    TrnResult result = trn_pool_alloc(pool, id, slot);
    if (result == TRN_RESULT_OK) {
        return result;
    }
    heap_make_room(heap);
    result = trn_pool_alloc(pool, id, slot);
    return result == TRN_RESULT_OK ? result : heap_refusal(heap, result);
}

void trn_voxel_heap_init_payload(const TrnVoxelHeap *heap, uint32_t size_class, TrnPoolId slot,
                                 TrnPayload *payload)
{
    memset(payload, 0, TRN_CACHE_LINE);
    trn_payload_owner(payload)->slot = slot;
    payload->kernels = heap->kernels_row;
    payload->size_class = (uint8_t)size_class;
    payload->code_version = TRN_VOXEL_CODE_VERSION;
}

void trn_voxel_heap_count(TrnVoxelHeap *heap, uint32_t size_class, bool is_taken)
{
    const size_t bytes = trn_class_bytes(size_class);
    heap->payloads += is_taken ? 1 : UINT32_MAX;
    heap->payload_bytes += is_taken ? bytes : 0 - bytes;
}

TrnResult trn_voxel_heap_take(TrnVoxelHeap *heap, size_t bytes, TrnPayload **payload)
{
    const uint32_t size_class = trn_bytes_class(bytes);
    TrnPoolId id;
    void *slot;
    TrnResult result = heap_take_slot(heap, heap->pools[size_class], &id, &slot);
    if (result == TRN_RESULT_OK) {
        trn_voxel_heap_count(heap, size_class, true);
        *payload = slot;
        trn_voxel_heap_init_payload(heap, size_class, id, *payload);
    }
    return result;
}

TrnResult trn_voxel_heap_take_unit(TrnVoxelHeap *heap, TrnVoxelUnit **unit)
{
    TrnPoolId id;
    void *slot;
    TrnResult result = heap_take_slot(heap, heap->units, &id, &slot);
    if (result == TRN_RESULT_OK) {
        *unit = slot;
        (*unit)->slot = id;
    }
    return result;
}

void trn_voxel_heap_give_unit(TrnVoxelHeap *heap, TrnVoxelUnit *unit)
{
    TrnResult result = trn_pool_free(heap->units, unit->slot);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
}

void trn_voxel_heap_give(TrnVoxelHeap *heap, TrnPayload *payload)
{
    if (payload) {
        const TrnPoolId slot = trn_payload_owner(payload)->slot;
        trn_payload_drop_data(heap, payload, false);
        payload->kernels = 0; // a stale reader fails an assertion instead of reading garbage
        trn_voxel_heap_count(heap, payload->size_class, false);
        TrnResult result = trn_pool_free(heap->pools[payload->size_class], slot);
        TRN_ASSERT(result == TRN_RESULT_OK);
        (void)result;
    }
}

void trn_voxel_heap_retire(TrnVoxelHeap *heap, TrnSnapshot old, TrnRetireList *list)
{
    if (trn_snapshot_is_uniform(old)) {
        return;
    }
    TrnPayload *payload = (TrnPayload *)(uintptr_t)old.word;
    if (!heap->index) {
        trn_voxel_heap_give(heap, payload);
        return;
    }
    heap->retired_payloads++;
    heap->retired_bytes += trn_pool_slot_bytes(heap->pools[payload->size_class]);
    trn_payload_retire_data(heap, payload);
    TrnRetireLink *link = &trn_payload_owner(payload)->link;
    if (list) {
        trn_retire_list_add(list, &heap->owner, link);
    } else {
        trn_chunk_index_retire(heap->index, &heap->owner, link);
    }
}

void trn_voxels_publish(TrnVoxelHeap *heap, TrnVoxels *voxels, uint64_t word)
{
    const TrnSnapshot old = trn_voxels_snapshot(voxels);
    __atomic_store_n(&voxels->word, word, __ATOMIC_RELEASE);
    if (old.word != word) {
        trn_voxel_heap_retire(heap, old, NULL);
    }
}

// ---- stats -------------------------------------------------------------------------------------

TrnVoxelHeapStats trn_voxel_heap_stats(const TrnVoxelHeap *heap)
{
    TrnVoxelHeapStats stats = {
        .payloads = heap->payloads,
        .payload_bytes = heap->payload_bytes,
        .slots = heap->slots,
        .retired_payloads = heap->retired_payloads,
        .retired_bytes = heap->retired_bytes,
        .data_bytes = heap->data_bytes,
        .bytes = heap->bytes,
        .bytes_peak = heap->bytes_peak,
        .bytes_max = heap->bytes_max,
    };
    const TrnPoolStats units = trn_pool_stats(heap->units);
    stats.free_bytes = heap->block_bytes - heap->payload_bytes - units.taken * units.slot_bytes;
    return stats;
}

TrnVoxelClassStats trn_voxel_heap_class(const TrnVoxelHeap *heap, uint32_t size_class)
{
    const TrnPoolStats pool = trn_pool_stats(heap->pools[size_class]);
    return (TrnVoxelClassStats){pool.taken, pool.slot_bytes, pool.bytes};
}
