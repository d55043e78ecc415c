/// Chunks to insert and remove as a batch, with voxels of each form.
#pragma once

#include "store/store_internal.h"
#include "store_memory.h"
#include "voxels/voxel_slot_internal.h"

#include <terrane/batch.h>

#define BATCH_MAX 200
#define RUN 32 ///< chunks of a batch that share one event

/// What a chunk is inserted with.
typedef enum Form { FORM_UNIFORM, FORM_CODE, FORM_SLOT, FORM_BLOCKS, FORM_COUNT } Form;

/// Voxels for the arrivals of a batch.
typedef struct Voxels {
    TrnVoxelHeap *heap;
    TrnBlock codes[FORM_COUNT][TRN_CHUNK_VOXELS]; ///< valid for every store of this file
    TrnVoxelSlot slots[BATCH_MAX];
} Voxels;

static Voxels voxels;

static inline void voxels_open(const TrnStore *store)
{
    memset(&voxels, 0, sizeof voxels);
    voxels.heap = trn_store_voxel_heap(store);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        voxels.codes[FORM_CODE][i] = (TrnBlock)(i % 3);
        voxels.codes[FORM_SLOT][i] = (TrnBlock)(5 + i / 1024 % 2);
        voxels.codes[FORM_BLOCKS][i] = (TrnBlock)(3 + i % 400); // more types than a code holds
    }
    for (Form form = FORM_CODE; form <= FORM_SLOT; form++) {
        assert_int_equal(trn_voxels_code(voxels.heap, voxels.codes[form]), TRN_VOXEL_CODE_CODED);
    }
}

static inline void fill_slot(TrnVoxelHeap *heap, TrnVoxelSlot *slot)
{
    const TrnBlock *code = voxels.codes[FORM_SLOT];
    assert_int_equal(trn_voxel_slot_take(heap, trn_voxel_code_class(code), slot), TRN_RESULT_OK);
    assert_int_equal(trn_voxel_slot_fill(heap, slot, code), TRN_RESULT_OK);
}

/// Returns an arrival with a result that no batch returns.
static inline TrnStoreArrival arrival_of(TrnCoord coord, Form form, uint32_t place)
{
    TrnStoreArrival arrival = {.coord = coord, .block = 7, .result = TRN_RESULT_STALE_ID};
    if (form == FORM_CODE) {
        arrival.code = voxels.codes[FORM_CODE];
    } else if (form == FORM_SLOT) {
        fill_slot(voxels.heap, &voxels.slots[place]);
        arrival.slot = &voxels.slots[place];
    } else if (form == FORM_BLOCKS) {
        arrival.blocks = voxels.codes[FORM_BLOCKS];
    }
    return arrival;
}

static inline void give_slots(void)
{
    for (uint32_t i = 0; i < BATCH_MAX; i++) {
        trn_voxel_slot_give(voxels.heap, &voxels.slots[i]);
    }
}

/// Coordinates in a box of some pages, in page order.
static inline TrnCoord coord_in_order(uint32_t i)
{
    const int32_t page = (int32_t)(i / 50), cell = (int32_t)(i % 50);
    return (TrnCoord){page * 8 + cell % 8, cell / 32, cell / 8 % 4};
}

static inline void fill_arrivals(TrnStoreArrival *arrivals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        arrivals[i] = arrival_of(coord_in_order(i), (Form)(i % FORM_COUNT), i);
    }
}

static inline void fill_departures(TrnStoreDeparture *departures, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        departures[i] = (TrnStoreDeparture){coord_in_order(i), TRN_RESULT_STALE_ID};
    }
}

static inline void insert_all(TrnStore *store, TrnStoreArrival *arrivals, uint32_t count)
{
    size_t done = SIZE_MAX;
    assert_int_equal(trn_store_insert_batch(store, arrivals, count, &done), TRN_RESULT_OK);
    assert_int_equal(done, count);
}
