// Slots in stock: see stream_stock.h.

#include "stream_stock.h"

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"

#define STOCK_SLOTS_MAX 1024u // most slots of one size class
#define STOCK_DECAY 8u        // the part of the recent demand that one update forgets

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

bool trn_stream_stock_take(TrnStreamStock *stock, uint32_t size_class, TrnVoxelSlot *slot)
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
    const TrnVoxelHeapStats stats = trn_voxel_heap_stats(heap);
    size_t bytes = 0;
    stock->is_used = false;
    for (uint32_t c = 0; c < TRN_VOXEL_CLASS_COUNT; c++) {
        const uint32_t wanted = stock_wanted(&stock->classes[c], times);
        stock->is_used |= wanted > 0;
        bytes += wanted * stats.classes[c].payload_bytes;
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
