// The chunk index: creates and destroys it; inserts, replaces, finds and removes single chunks.
// chunk_index_planes.c has the planes, chunk_index_gather.c the gathers, chunk_index_neighbours.c
// the neighbours, chunk_index_readers.c the readers, chunk_index_memory.c the pages and what is
// retired, chunk_index_stats.c the stats.

#include <terrane/chunk_index.h>

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"
#include "chunk_index_impl.h"
#include "chunk_index_internal.h"
#include "kernel_choice.h"
#include "pool_blocks.h"

#define INDEX_READERS_DEFAULT 16
#define INDEX_DIRECTORY_BYTES_DEFAULT ((size_t)256 << 20)
#define INDEX_RETIRED_BYTES_DEFAULT ((size_t)64 << 20)
#define INDEX_READER_LIMIT 256
#define INDEX_PAGES_DEFAULT (1u << 20)
#define INDEX_PAGE_LIMIT (1u << 31) // the limit of a pool

/// Few, so that a small world wastes little in its last block.
#define INDEX_PAGES_PER_BLOCK 8

TrnChunkIndexDef trn_chunk_index_def(void)
{
    TrnChunkIndexDef def = {.page_max = INDEX_PAGES_DEFAULT,
                            .reader_max = INDEX_READERS_DEFAULT,
                            .directory_bytes_max = INDEX_DIRECTORY_BYTES_DEFAULT,
                            .retired_bytes_max = INDEX_RETIRED_BYTES_DEFAULT};
    return def;
}

static bool index_def_is_valid(const TrnChunkIndexDef *def)
{
    if (def->plane_count >= TRN_PLANE_COUNT_MAX || def->reader_max > INDEX_READER_LIMIT ||
        (def->plane_count && !def->planes) || def->page_max < 1 ||
        def->page_max > INDEX_PAGE_LIMIT) {
        return false;
    }
    for (uint32_t i = 0; i < def->plane_count; i++) {
        const char *name = def->planes[i].name;
        if (!name || !*name || strlen(name) >= TRN_PLANE_NAME_MAX || strcmp(name, "present") == 0) {
            return false;
        }
        for (uint32_t other = 0; other < i; other++) {
            if (strcmp(name, def->planes[other].name) == 0) {
                return false;
            }
        }
    }
    return true;
}

static void index_name_planes(TrnChunkIndex *index, const TrnChunkIndexDef *def)
{
    memcpy(index->plane_names[TRN_PLANE_PRESENT], "present", sizeof "present");
    index->leaving_planes = TRN_PLANE_BIT(TRN_PLANE_PRESENT);
    for (uint32_t i = 0; i < def->plane_count; i++) {
        memcpy(index->plane_names[i + 1], def->planes[i].name, strlen(def->planes[i].name) + 1);
        index->leaving_planes |= def->planes[i].survives_removal ? 0 : TRN_PLANE_BIT(i + 1);
    }
    index->plane_count = def->plane_count + 1;
}

static TrnResult index_create_parts(TrnChunkIndex *index, const TrnChunkIndexDef *def)
{
    const TrnPageKernels *fastest = trn_kernels_at(&trn_page_kernels, trn_cpu_features(), 0);
    index->kernels = *fastest;
    TrnResult result = trn_retire_init(&index->retire, def->reader_max, index, &index->allocator);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPoolDef pool_def = trn_pool_def(trn_page_bytes(index->plane_count));
    pool_def.slot_alignment = TRN_CACHE_LINE;
    pool_def.block_slots = INDEX_PAGES_PER_BLOCK;
    pool_def.slot_max = def->page_max;
    pool_def.allocator = &index->allocator;
    result = trn_pool_create(&pool_def, &index->pages);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPageMap *map;
    result = trn_page_map_create(&index->allocator, def->directory_bytes_max, &map);
    if (result == TRN_RESULT_OK) {
        atomic_store_explicit(&index->map, map, memory_order_release);
    }
    return result;
}

TrnResult trn_chunk_index_create(const TrnChunkIndexDef *def, TrnChunkIndex **index)
{
    const TrnChunkIndexDef plain = trn_chunk_index_def();
    def = def ? def : &plain;
    if (!index || !index_def_is_valid(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnChunkIndex *made = trn_take(&allocator, sizeof *made, alignof(TrnChunkIndex));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made, 0, sizeof *made);
    made->allocator = allocator;
    made->directory_bytes_max = def->directory_bytes_max;
    made->retired_bytes_max = def->retired_bytes_max;
    made->page_max = def->page_max;
    index_name_planes(made, def);
    TrnResult result = index_create_parts(made, def);
    if (result != TRN_RESULT_OK) {
        trn_chunk_index_destroy(made);
        return result;
    }
    *index = made;
    return TRN_RESULT_OK;
}

void trn_chunk_index_destroy(TrnChunkIndex *index)
{
    if (!index) {
        return;
    }
    trn_retire_close(&index->retire);
    trn_page_map_destroy(trn_chunk_index_map(index));
    trn_pool_destroy(index->pages);
    TrnAllocator allocator = index->allocator;
    trn_give(&allocator, index, sizeof *index);
}

bool trn_chunk_index_use_kernels(TrnChunkIndex *index, const char *name)
{
    const uint32_t features = trn_cpu_features();
    const size_t at = trn_kernels_find(&trn_page_kernels, features, name);
    const TrnPageKernels *kernels = trn_kernels_at(&trn_page_kernels, features, at);
    if (kernels) {
        index->kernels = *kernels;
    }
    return kernels != NULL;
}

const char *trn_chunk_index_kernels_name(const TrnChunkIndex *index)
{
    return index->kernels.name;
}

// ---- one chunk ---------------------------------------------------------------------------------

/// Inserts a chunk into a page. Errors: EXISTS.
static inline TrnResult index_insert_in(TrnChunkIndex *index, TrnPage *page, TrnCoord coord,
                                        uint32_t value)
{
    const uint32_t word = trn_page_word_of(coord), bit = trn_page_bit_of(coord);
    const uint64_t bits = trn_page_word(page, TRN_PLANE_PRESENT, word);
    if (bits >> bit & 1) {
        return TRN_RESULT_EXISTS;
    }
    // The value first: a reader that sees the bit sees the value.
    atomic_store_explicit(&page->values[trn_page_cell(word, bit)], value, memory_order_release);
    trn_page_store(page, TRN_PLANE_PRESENT, word, bits | UINT64_C(1) << bit);
    index->chunk_count++;
    return TRN_RESULT_OK;
}

/// Inserts where the directory has no page: in an outlier page, or in a new page.
static TRN_RARE TrnResult index_insert_elsewhere(TrnChunkIndex *index, TrnCoord coord,
                                                 uint32_t value)
{
    TrnPage *page = trn_chunk_index_page(index, coord);
    if (!page) {
        TrnResult result = trn_chunk_index_make_page(index, trn_page_coord(coord), &page);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    return index_insert_in(index, page, coord, value);
}

TrnResult trn_chunk_index_insert(TrnChunkIndex *index, TrnCoord coord, uint32_t value)
{
    if (value == TRN_CHUNK_VALUE_NONE) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPage *page = trn_chunk_index_directory_page(index, coord);
    return page ? index_insert_in(index, page, coord, value)
                : index_insert_elsewhere(index, coord, value);
}

TrnResult trn_chunk_index_set(TrnChunkIndex *index, TrnCoord coord, uint32_t value)
{
    if (value == TRN_CHUNK_VALUE_NONE) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPage *page = trn_chunk_index_page(index, coord);
    if (!page || !trn_page_test(page, TRN_PLANE_PRESENT, coord)) {
        return TRN_RESULT_NOT_FOUND;
    }
    const uint32_t cell = trn_page_cell(trn_page_word_of(coord), trn_page_bit_of(coord));
    atomic_store_explicit(&page->values[cell], value, memory_order_release);
    return TRN_RESULT_OK;
}

static inline bool index_find_in(const TrnPage *page, TrnCoord coord, uint32_t *value)
{
    if (!trn_page_test(page, TRN_PLANE_PRESENT, coord)) {
        return false;
    }
    if (value) {
        *value =
            trn_page_value(page, trn_page_cell(trn_page_word_of(coord), trn_page_bit_of(coord)));
    }
    return true;
}

static TRN_RARE bool index_find_elsewhere(const TrnChunkIndex *index, TrnCoord coord,
                                          uint32_t *value)
{
    const TrnPage *page = trn_chunk_index_page(index, coord);
    return page && index_find_in(page, coord, value);
}

bool trn_chunk_index_find(const TrnChunkIndex *index, TrnCoord coord, uint32_t *value)
{
    const TrnPage *page = trn_chunk_index_directory_page(index, coord);
    return page ? index_find_in(page, coord, value) : index_find_elsewhere(index, coord, value);
}

static inline void *index_find_slot_in(const TrnPage *page, const TrnPool *pool, TrnCoord coord)
{
    uint32_t slot;
    return index_find_in(page, coord, &slot) ? trn_pool_slot_inline(pool, slot) : NULL;
}

static TRN_RARE void *index_find_slot_elsewhere(const TrnChunkIndex *index, const TrnPool *pool,
                                                int32_t x, int32_t y, int32_t z)
{
    const TrnCoord coord = {x, y, z};
    const TrnPage *page = trn_chunk_index_page(index, coord);
    return page ? index_find_slot_in(page, pool, coord) : NULL;
}

void *trn_chunk_index_find_slot(const TrnChunkIndex *index, const TrnPool *pool, int32_t x,
                                int32_t y, int32_t z)
{
    const TrnCoord coord = {x, y, z};
    const TrnPage *page = trn_chunk_index_directory_page(index, coord);
    return page ? index_find_slot_in(page, pool, coord)
                : index_find_slot_elsewhere(index, pool, x, y, z);
}

/// Clears bits in one word of each plane of a set.
static void index_clear_bits(TrnPage *page, uint32_t planes, uint32_t word, uint64_t bits)
{
    for (uint32_t set = planes; set; set &= set - 1) {
        TrnPlane plane = (TrnPlane)__builtin_ctz(set);
        trn_page_store(page, plane, word, trn_page_word(page, plane, word) & ~bits);
    }
}

/// Returns whether a page would be empty without these bits of these planes.
static bool index_page_would_be_empty(const TrnChunkIndex *index, const TrnPage *page,
                                      uint32_t planes, uint32_t word, uint64_t bits)
{
    uint64_t any = 0;
    for (TrnPlane plane = 0; plane < index->plane_count; plane++) {
        for (uint32_t i = 0; i < TRN_PAGE_WORDS; i++) {
            uint64_t leaving = i == word && (planes >> plane & 1) ? bits : 0;
            any |= trn_page_word(page, plane, i) & ~leaving;
        }
    }
    return any == 0;
}

/// Removes the last chunk of a word, and the page too if that was its last bit.
static TRN_RARE TrnResult index_remove_last_of_word(TrnChunkIndex *index, TrnPage *page,
                                                    uint32_t word, uint64_t bit, uint32_t *value)
{
    const uint32_t old = trn_page_value(page, trn_page_cell(word, (uint32_t)__builtin_ctzll(bit)));
    bool drop = index_page_would_be_empty(index, page, index->leaving_planes, word, bit);
    if (drop) {
        TrnResult result = trn_chunk_index_begin_retiring(index);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    index_clear_bits(page, index->leaving_planes, word, bit);
    index->chunk_count--;
    if (drop) {
        trn_chunk_index_drop_page(index, page);
    }
    if (value) {
        *value = old;
    }
    return TRN_RESULT_OK;
}

static inline TrnResult index_remove_in(TrnChunkIndex *index, TrnPage *page, TrnCoord coord,
                                        uint32_t *value)
{
    const uint32_t word = trn_page_word_of(coord), place = trn_page_bit_of(coord);
    const uint64_t bits = trn_page_word(page, TRN_PLANE_PRESENT, word), bit = UINT64_C(1) << place;
    if (!(bits & bit)) {
        return TRN_RESULT_NOT_FOUND;
    }
    if (bits == bit) { // the page can become empty only with the last bit of a word
        return index_remove_last_of_word(index, page, word, bit, value);
    }
    const uint32_t old = trn_page_value(page, trn_page_cell(word, place));
    index_clear_bits(page, index->leaving_planes, word, bit);
    index->chunk_count--;
    if (value) {
        *value = old;
    }
    return TRN_RESULT_OK;
}

static TRN_RARE TrnResult index_remove_elsewhere(TrnChunkIndex *index, TrnCoord coord,
                                                 uint32_t *value)
{
    TrnPage *page = trn_chunk_index_page(index, coord);
    return page ? index_remove_in(index, page, coord, value) : TRN_RESULT_NOT_FOUND;
}

TrnResult trn_chunk_index_remove(TrnChunkIndex *index, TrnCoord coord, uint32_t *value)
{
    TrnPage *page = trn_chunk_index_directory_page(index, coord);
    return page ? index_remove_in(index, page, coord, value)
                : index_remove_elsewhere(index, coord, value);
}

// ---- runs --------------------------------------------------------------------------------------

/// Returns the page of a chunk, or NULL.
static inline TrnPage *index_run_page(const TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord)
{
    if (!run->page || !trn_coord_equal(run->page->coord, trn_page_coord(coord))) {
        run->page = trn_chunk_index_page(index, coord);
    }
    return run->page;
}

bool trn_chunk_run_find(const TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                        uint32_t *value)
{
    const TrnPage *page = index_run_page(index, run, coord);
    return page && index_find_in(page, coord, value);
}

TrnResult trn_chunk_run_insert(TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                               uint32_t value)
{
    TRN_ASSERT(value != TRN_CHUNK_VALUE_NONE);
    TrnPage *page = index_run_page(index, run, coord);
    return page ? index_insert_in(index, page, coord, value)
                : index_insert_elsewhere(index, coord, value);
}

TrnResult trn_chunk_run_remove(TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                               uint32_t *value)
{
    TrnPage *page = index_run_page(index, run, coord);
    if (!page) {
        return TRN_RESULT_NOT_FOUND;
    }
    const uint64_t bits = trn_page_word(page, TRN_PLANE_PRESENT, trn_page_word_of(coord));
    if ((bits & (bits - 1)) == 0) { // the page may go with the last chunk of a word
        run->page = NULL;
    }
    return index_remove_in(index, page, coord, value);
}

void trn_chunk_run_prefetch(const TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord)
{
    const TrnPage *page = index_run_page(index, run, coord);
    if (page) {
        const uint32_t word = trn_page_word_of(coord);
        __builtin_prefetch(&page->planes[TRN_PLANE_PRESENT][word], 1);
        __builtin_prefetch(&page->values[trn_page_cell(word, trn_page_bit_of(coord))], 1);
    }
}
