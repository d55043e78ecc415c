// Memory of an index: creates and drops pages, copies them from one form to another, publishes the
// maps through which readers find them, and retires what is replaced. Also clears and reserves.

#include <terrane/chunk_index.h>

#include <string.h>

#include "chunk_index_impl.h"

/// A page with this many cells has sparse pages beside it only until these grow.
#define MEMORY_DENSE_CELLS 64

// ---- retiring ----------------------------------------------------------------------------------

/// Returns the memory of a page, without the tag of its pointer.
static void *memory_of_page(TrnPage *page)
{
    return trn_page_is_sparse(page) ? (void *)trn_page_sparse(page) : page;
}

/// @param page  a TrnPage, tagged if it is sparse
static void memory_free_page(void *page, void *context)
{
    TrnChunkIndex *index = context;
    const uint32_t form = trn_page_form(page);
    TrnPool *pool = index->pools[form];
    (void)trn_pool_free(pool, trn_pool_id(pool, memory_of_page(page))); // it has this page
    if (index->page_counts[form] == 0) { // most worlds have none of one form or the other
        trn_pool_trim(pool);
    }
}

static void memory_retire_page(TrnChunkIndex *index, TrnPage *page)
{
    TrnPage **recent = trn_chunk_index_recent(index, trn_page_coord_of(page));
    *recent = *recent == page ? NULL : *recent;
    trn_retire(&index->retire, page, memory_free_page,
               trn_page_form_bytes(trn_page_form(page), index->plane_count));
}

/// Returns the memory that is kept only for readers, objects of others left out.
static size_t memory_retired_bytes(const TrnChunkIndex *index)
{
    return index->retire.bytes + index->memory.retired_bytes;
}

TrnResult trn_chunk_index_begin_retiring(TrnChunkIndex *index)
{
    TrnRetire *retire = &index->retire;
    if (memory_retired_bytes(index) > index->retired_bytes_max) {
        trn_retire_reclaim(retire);
        if (memory_retired_bytes(index) > index->retired_bytes_max) {
            return TRN_RESULT_READERS;
        }
    }
    return trn_retire_reserve(retire, 1);
}

/// Records a reshape of the directory, if the next map has another directory.
static void memory_note_step(TrnChunkIndex *index, const TrnMap *old, const TrnMap *next)
{
    if (old->directory == next->directory) {
        return; // only the list of outlier pages changed
    }
    const uint64_t number = ++index->step_count;
    index->steps[number % TRN_DIRECTORY_STEPS_MAX] =
        (TrnDirectoryStep){.number = number,
                           .from = trn_map_box(old),
                           .to = trn_map_box(next),
                           .pages = trn_map_figures(old).directory_pages,
                           .us = next->directory->made_us};
}

/// Makes a map the one that new readers see, and retires the old one.
static void memory_publish(TrnChunkIndex *index, TrnMap *next)
{
    TrnMap *old = trn_chunk_index_map(index);
    if (next == old) {
        return;
    }
    memory_note_step(index, old, next);
    atomic_store_explicit(&index->map, next, memory_order_release);
    trn_map_retire(old, next);
}

// ---- links -------------------------------------------------------------------------------------

/// Returns what full pages link a page by.
static TrnPage *memory_link_of(TrnPage *page)
{
    return trn_page_is_sparse(page) ? TRN_PAGE_SPARSE_LINK : page;
}

/// Links a full page that is not in the map yet to its six neighbours. Done before readers can find
/// the page, because a reader that finds it must find its neighbours too.
static void memory_link_to_neighbours(const TrnMap *map, TrnPage *page)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnPage *there = trn_page_behind_by_map(map, page, (TrnFace)face);
        atomic_store_explicit(&trn_page_full(page)->neighbours[face], memory_link_of(there),
                              memory_order_relaxed);
    }
}

/// Links the full pages around a page to `link`. @param page  in the map or just removed from it
static void memory_link_neighbours_to(const TrnMap *map, const TrnPage *page, TrnPage *link)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnPage *there = trn_page_is_sparse(page)
                             ? trn_page_behind_by_map(map, page, (TrnFace)face)
                             : trn_full_page_link(trn_page_full(page), (TrnFace)face);
        if (trn_page_is_full(there)) {
            atomic_store_explicit(&trn_page_full(there)->neighbours[face ^ 1], link,
                                  memory_order_release);
        }
    }
}

/// The same, without look-ups where there is no full page to link.
static void memory_link_around(const TrnChunkIndex *index, const TrnPage *page, TrnPage *link)
{
    if (index->page_counts[TRN_PAGE_FORM_FULL] > 0) {
        memory_link_neighbours_to(trn_chunk_index_map(index), page, link);
    }
}

// ---- pages -------------------------------------------------------------------------------------

/// Returns the smallest form that can list a number of cells and a third of them more, so that a
/// page is not copied again soon.
static uint32_t memory_form_for(uint32_t cells)
{
    uint32_t form = 0;
    while (form < TRN_PAGE_FORM_FULL &&
           cells + trn_sparse_capacities[form] / 4 > trn_sparse_capacities[form]) {
        form++;
    }
    return form;
}

static bool memory_is_dense(const TrnChunkIndex *index, TrnCoord page)
{
    const TrnPage *found = trn_map_find(trn_chunk_index_map(index), page.x, page.y, page.z);
    return trn_page_is_full(found) &&
           trn_page_count_cells(found, index->plane_count, 0, MEMORY_DENSE_CELLS) >=
               MEMORY_DENSE_CELLS;
}

/// Returns whether one of the 26 pages around a place has many cells. A page there mostly fills up,
/// or has just been full: an anchor moves, or its view grows. It is full from the start and to the
/// end, so dense worlds have few sparse pages, and pay neither for copies nor for look-ups of them.
static bool memory_is_beside_dense(const TrnChunkIndex *index, TrnCoord page)
{
    if (index->page_counts[TRN_PAGE_FORM_FULL] == 0) {
        return false;
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) { // the likeliest first
        if (memory_is_dense(index, trn_page_coord_behind(page, (TrnFace)face))) {
            return true;
        }
    }
    const TrnCoord chunk = trn_page_chunks(page).min;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnCoord step = trn_coord_around((TrnCoord){0, 0, 0}, place);
        const TrnCoord behind = trn_coord_add(chunk, step.x * TRN_PAGE_EDGE, step.y * TRN_PAGE_EDGE,
                                              step.z * TRN_PAGE_EDGE);
        if (place != TRN_AROUND_CENTRE && memory_is_dense(index, trn_page_coord(behind))) {
            return true;
        }
    }
    return false;
}

/// Takes memory for a page, and makes an empty page in it.
static TrnResult memory_make_page(TrnChunkIndex *index, uint32_t form, TrnCoord coord,
                                  TrnPage **page)
{
    void *memory;
    TrnResult result = trn_pool_alloc(index->pools[form], NULL, &memory);
    if (result == TRN_RESULT_OK) {
        *page = trn_page_init(memory, form, coord, index->plane_count);
        if (trn_page_is_full(*page)) {
            memory_link_to_neighbours(trn_chunk_index_map(index), *page);
        }
    }
    return result;
}

/// Creates a page where none is.
static TrnResult memory_add_page(TrnChunkIndex *index, uint32_t form, TrnCoord coord,
                                 TrnPage **page)
{
    if (trn_chunk_index_page_count(index) >= index->page_max) {
        return TRN_RESULT_FULL;
    }
    TrnPage *made;
    TrnResult result = memory_make_page(index, form, coord, &made);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnMap *next;
    result = trn_map_add(trn_chunk_index_map(index), made, &next);
    if (result != TRN_RESULT_OK) {
        memory_free_page(made, index);
        return result;
    }
    memory_publish(index, next);
    memory_link_around(index, made, memory_link_of(made));
    index->page_counts[form]++;
    *trn_chunk_index_recent(index, coord) = made;
    *page = made;
    return TRN_RESULT_OK;
}

/// Copies a page to another form, and retires the old one. Readers find the one or the other; both
/// have every chunk that stays.
static TrnResult memory_move_page(TrnChunkIndex *index, uint32_t form, TrnPage **page)
{
    TrnPage *const old = *page;
    TrnPage *made;
    TrnResult result = memory_make_page(index, form, trn_page_coord_of(old), &made);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_page_copy_cells(made, old, index->plane_count);
    trn_map_replace(trn_chunk_index_map(index), old, made);
    const uint32_t old_form = trn_page_form(old);
    if (trn_page_is_full(made) || trn_page_is_full(old)) {
        memory_link_around(index, trn_page_is_full(made) ? made : old, memory_link_of(made));
    }
    index->page_counts[form]++;
    index->page_counts[old_form]--;
    memory_retire_page(index, old);
    *trn_chunk_index_recent(index, trn_page_coord_of(made)) = made;
    *page = made;
    return TRN_RESULT_OK;
}

TrnResult trn_chunk_index_make_room(TrnChunkIndex *index, TrnCoord coord, uint32_t added,
                                    TrnPage **page)
{
    if (*page &&
        (trn_page_is_full(*page) || trn_sparse_free_lanes(trn_page_sparse(*page)) >= added)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_chunk_index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const uint32_t cells = *page ? trn_page_sparse(*page)->live + added : added;
    const uint32_t form =
        memory_is_beside_dense(index, coord) ? TRN_PAGE_FORM_FULL : memory_form_for(cells);
    return *page ? memory_move_page(index, form, page) : memory_add_page(index, form, coord, page);
}

void trn_chunk_index_drop_page(TrnChunkIndex *index, TrnPage *page)
{
    TrnMap *map = trn_chunk_index_map(index);
    trn_map_remove(map, page);
    index->page_counts[trn_page_form(page)]--;
    memory_link_around(index, page, NULL);
    memory_retire_page(index, page);
    TrnMap *next;
    trn_map_fit(map, &next);
    memory_publish(index, next);
}

// ---- pages that have become small --------------------------------------------------------------

/// Returns the form for a page that has lost cells: the smallest that they fill to at most a half,
/// so that a page that gains and loses a few is not copied to and fro.
static uint32_t memory_smaller_form_for(uint32_t cells, uint32_t present_form)
{
    uint32_t form = 0;
    while (form < present_form && cells * 2 > trn_page_form_capacity(form)) {
        form++;
    }
    return form;
}

void trn_chunk_index_after_clearing(TrnChunkIndex *index, TrnPage *page, uint32_t word)
{
    const uint32_t cells =
        trn_page_count_cells(page, index->plane_count, word + 1, TRN_SPARSE_CAPACITY_MAX / 2);
    const uint32_t form = memory_smaller_form_for(cells, trn_page_form(page));
    if (cells > 0 &&
        (form == trn_page_form(page) || memory_is_beside_dense(index, trn_page_coord_of(page)))) {
        return;
    }
    if (trn_chunk_index_begin_retiring(index) != TRN_RESULT_OK) {
        return;
    }
    if (cells == 0) {
        trn_chunk_index_drop_page(index, page);
    } else {
        (void)memory_move_page(index, form, &page); // without memory it stays as it is
    }
}

// ---- clear and reserve -------------------------------------------------------------------------

TrnResult trn_chunk_index_clear(TrnChunkIndex *index)
{
    TrnResult result = trn_chunk_index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_retire_reserve(&index->retire, (size_t)trn_chunk_index_page_count(index));
    TrnMap *old = trn_chunk_index_map(index), *next;
    if (result == TRN_RESULT_OK) {
        result = trn_map_create(&index->memory, index->directory_bytes_max,
                                trn_map_figures(old).hash_key, &next);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    memory_note_step(index, old, next);
    atomic_store_explicit(&index->map, next, memory_order_release);
    TrnMapWalk walk = trn_map_walk(old, trn_page_box(trn_box_everything()));
    for (TrnPage *page; (page = trn_map_walk_next(&walk));) {
        memory_retire_page(index, page);
    }
    memset(index->page_counts, 0, sizeof index->page_counts);
    trn_map_retire(old, NULL);
    index->chunk_count = 0;
    return TRN_RESULT_OK;
}

TrnResult trn_chunk_index_reserve(TrnChunkIndex *index, TrnBox box)
{
    if (trn_box_is_empty(box)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = trn_chunk_index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnMap *next;
    result = trn_map_reserve(trn_chunk_index_map(index), trn_page_box(box), &next);
    if (result == TRN_RESULT_OK) {
        memory_publish(index, next);
    }
    return result;
}
