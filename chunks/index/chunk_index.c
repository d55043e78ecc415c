// The chunk index: creates and destroys it; inserts, replaces, finds and removes single chunks;
// read sections.
// chunk_index_planes.c has the planes, chunk_index_gather.c the gathers, chunk_index_neighbours.c
// the neighbours, chunk_index_memory.c the pages and what is retired, chunk_pages.c the figures.

#include <terrane/chunk_index.h>

#include <stdalign.h>
#include <string.h>

#include "base/entropy.h"
#include "base/memory.h"
#include "chunk_index_impl.h"
#include "chunk_index_internal.h"
#include "pool/pool_blocks_internal.h"

#define INDEX_READERS_DEFAULT 16
#define INDEX_DIRECTORY_BYTES_DEFAULT ((size_t)256 << 20)
#define INDEX_RETIRED_BYTES_DEFAULT ((size_t)64 << 20)
#define INDEX_READER_LIMIT 256
#define INDEX_PAGES_DEFAULT (1u << 20)
#define INDEX_PAGE_LIMIT (1u << 31) // the limit of a pool

/// Few, so that a small world wastes little in its last block.
#define INDEX_PAGES_PER_BLOCK 8
#define INDEX_SPARSE_BLOCK_BYTES 4096

/// Large pools of pages allocate this much at a time, which the default allocator backs by huge
/// pages. The part is of the memory that the pool has.
#define INDEX_RUN_BYTES TRN_HUGE_PAGE_BYTES
#define INDEX_FULL_RUN_PART 32
#define INDEX_SPARSE_RUN_PART 4

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

/// Creates the pool for the pages of a form.
static TrnResult index_create_pool(TrnChunkIndex *index, uint32_t form)
{
    TrnPoolDef def = trn_pool_def(trn_page_form_bytes(form, index->plane_count));
    def.slot_alignment = TRN_CACHE_LINE;
    const size_t slots = INDEX_SPARSE_BLOCK_BYTES / def.slot_bytes;
    // A pool rounds up to a power of two, so few large pages are fewer than fit.
    def.block_slots =
        slots < (size_t)2 * INDEX_PAGES_PER_BLOCK ? INDEX_PAGES_PER_BLOCK : (uint32_t)slots;
    def.allocator = &index->allocator;
    const TrnResult result = trn_pool_create(&def, &index->pools[form]);
    if (result == TRN_RESULT_OK) {
        const size_t block_bytes = trn_pool_block_bytes(index->pools[form]);
        trn_pool_allow_runs(
            index->pools[form], (uint32_t)((INDEX_RUN_BYTES + block_bytes - 1) / block_bytes),
            form == TRN_PAGE_FORM_FULL ? INDEX_FULL_RUN_PART : INDEX_SPARSE_RUN_PART);
    }
    return result;
}

static TrnResult index_create_parts(TrnChunkIndex *index, const TrnChunkIndexDef *def)
{
    (void)trn_chunk_index_use_kernels(index, NULL);
    TrnResult result = trn_retire_init(&index->retire, def->reader_max, index, &index->allocator);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (uint32_t form = 0; form < TRN_PAGE_FORMS && result == TRN_RESULT_OK; form++) {
        result = index_create_pool(index, form);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    index->memory = (TrnMapMemory){.allocator = index->allocator, .retire = &index->retire};
    const uint64_t hash_key = def->hash_key ? def->hash_key : trn_entropy_key();
    TrnMap *map;
    result = trn_map_create(&index->memory, def->directory_bytes_max, hash_key, &map);
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
    TrnAllocator allocator = def->allocator ? *def->allocator : trn_map_allocator();
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
    trn_map_destroy(trn_chunk_index_map(index));
    for (uint32_t form = 0; form < TRN_PAGE_FORMS; form++) {
        trn_pool_destroy(index->pools[form]);
    }
    TrnAllocator allocator = index->allocator;
    trn_give(&allocator, index, sizeof *index);
}

bool trn_chunk_index_use_kernels(TrnChunkIndex *index, const char *name)
{
    const TrnPageKernels *kernels = trn_kernels_named(&trn_page_kernels, name);
    if (kernels) {
        index->kernels = *kernels;
    }
    return kernels != NULL;
}

// ---- one chunk ---------------------------------------------------------------------------------

/// Inserts a chunk into a full page. Errors: EXISTS.
static inline TrnResult index_insert_in(TrnChunkIndex *index, TrnFullPage *page, TrnCoord coord,
                                        uint32_t value)
{
    const uint32_t word = trn_page_word_of(coord), bit = trn_page_bit_of(coord);
    const uint64_t bits = trn_full_page_word(page, TRN_PLANE_PRESENT, word);
    if (bits >> bit & 1) {
        return TRN_RESULT_EXISTS;
    }
    // The value first: a reader that sees the bit sees the value.
    trn_full_page_set_value(page, trn_page_cell(word, bit), value);
    trn_full_page_store(page, TRN_PLANE_PRESENT, word, bits | UINT64_C(1) << bit);
    index->chunk_count++;
    return TRN_RESULT_OK;
}

/// As trn_page_coord(). gcc passes a computed TrnCoord through memory, by stores narrower than the
/// load, which then waits for the cache misses of all earlier stores; so its halves are put
/// together in a register.
static inline TrnCoord index_page_coord(TrnCoord chunk)
{
    TrnCoord page = trn_page_coord(chunk);
    const uint64_t xy = (uint32_t)page.x | (uint64_t)(uint32_t)page.y << 32;
    memcpy(&page, &xy, sizeof xy);
    return page;
}

/// Inserts where no full page is. @param page  the page there: sparse, or NULL
static TrnResult index_insert_listed(TrnChunkIndex *index, TrnPage *page, TrnCoord coord,
                                     uint32_t value)
{
    const uint32_t cell = trn_page_cell_of(coord);
    uint32_t lane = trn_page_is_sparse(page) ? trn_sparse_find(trn_page_sparse(page), cell)
                                             : TRN_SPARSE_LANE_NONE;
    if (lane == TRN_SPARSE_LANE_NONE) {
        TrnResult result = trn_chunk_index_make_room(index, index_page_coord(coord), 1, &page);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        if (trn_page_is_full(page)) {
            return index_insert_in(index, trn_page_full(page), coord, value);
        }
        lane = trn_sparse_add(trn_page_sparse(page), cell);
    }
    TrnSparseEntry entry = trn_sparse_entry(trn_page_sparse(page), lane);
    if (entry.bits & TRN_PLANE_BIT(TRN_PLANE_PRESENT)) {
        return TRN_RESULT_EXISTS;
    }
    entry.value = value;
    entry.bits |= TRN_PLANE_BIT(TRN_PLANE_PRESENT);
    trn_sparse_store(trn_page_sparse(page), lane, entry);
    index->chunk_count++;
    return TRN_RESULT_OK;
}

/// Inserts where the directory has no full page: in an outlier page, a sparse page, or a new page.
static TRN_APART TrnResult index_insert_elsewhere(TrnChunkIndex *index, TrnCoord coord,
                                                  uint32_t value)
{
    TrnPage *page = trn_chunk_index_recent_page(index, index_page_coord(coord));
    return trn_page_is_full(page) ? index_insert_in(index, trn_page_full(page), coord, value)
                                  : index_insert_listed(index, page, coord, value);
}

TrnResult trn_chunk_index_insert(TrnChunkIndex *index, TrnCoord coord, uint32_t value)
{
    if (value == TRN_CHUNK_VALUE_NONE) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPage *page = trn_chunk_index_directory_page(index, coord);
    return trn_page_is_full(page) ? index_insert_in(index, trn_page_full(page), coord, value)
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
    const uint32_t cell = trn_page_cell_of(coord);
    if (trn_page_is_sparse(page)) {
        TrnSparsePage *sparse = trn_page_sparse(page);
        const uint32_t lane = trn_sparse_find(sparse, cell);
        trn_sparse_store(sparse, lane,
                         (TrnSparseEntry){value, trn_sparse_entry(sparse, lane).bits});
    } else {
        trn_full_page_set_value(trn_page_full(page), cell, value);
    }
    return TRN_RESULT_OK;
}

static inline bool index_find_in_full(const TrnFullPage *page, TrnCoord coord, uint32_t *value)
{
    if (!trn_full_page_test(page, TRN_PLANE_PRESENT, coord)) {
        return false;
    }
    if (value) {
        *value = trn_full_page_value(page, trn_page_cell_of(coord));
    }
    return true;
}

static inline bool index_find_in_sparse(const TrnSparsePage *page, TrnCoord coord, uint32_t *value)
{
    const TrnSparseEntry entry = trn_sparse_entry_of(page, trn_page_cell_of(coord));
    const bool is_present = entry.bits & TRN_PLANE_BIT(TRN_PLANE_PRESENT);
    if (is_present && value) {
        *value = entry.value;
    }
    return is_present;
}

/// @param page  may be NULL
static inline bool index_find_in(const TrnPage *page, TrnCoord coord, uint32_t *value)
{
    if (trn_page_is_sparse(page)) {
        return index_find_in_sparse(trn_page_sparse(page), coord, value);
    }
    return page && index_find_in_full(trn_page_full(page), coord, value);
}

/// Returns what the directory has at the page of a chunk.
static inline const TrnPage *index_look_up(const TrnChunkIndex *index, TrnCoord coord)
{
    const TrnCoord at = trn_page_coord(coord);
    return trn_map_directory_page(trn_chunk_index_map(index), at.x, at.y, at.z);
}

/// Returns whether a page of the directory is full and has a chunk. Does not branch on whether
/// there is a page, which is unpredictable for look-ups around a world. @param page  may be NULL
static inline bool index_is_in_full(const TrnPage *page, TrnCoord coord)
{
    static const _Atomic(uint64_t) vacant[TRN_PAGE_WORDS];
    if (trn_page_is_sparse(page)) {
        return false;
    }
    const _Atomic(uint64_t) *words = __builtin_expect_with_probability(page != NULL, 1, 0.5)
                                         ? trn_page_full(page)->planes[TRN_PLANE_PRESENT]
                                         : vacant;
    const uint64_t bits =
        atomic_load_explicit(&words[trn_page_word_of(coord)], memory_order_acquire);
    return bits >> trn_page_bit_of(coord) & 1;
}

/// Finds in an outlier page, if there is one. Takes three numbers: gcc shifts a TrnCoord in a
/// vector register.
static TRN_APART bool index_find_outlier(const TrnMapHash *hash, int32_t x, int32_t y, int32_t z,
                                         uint32_t *value)
{
    const TrnPage *page = trn_map_hash_find_inline(hash, x >> TRN_PAGE_SHIFT, y >> TRN_PAGE_SHIFT,
                                                   z >> TRN_PAGE_SHIFT);
    return index_find_in(page, (TrnCoord){x, y, z}, value);
}

/// Finds in a sparse page or an outlier page. @param page  sparse, or TRN_MAP_OUTSIDE
static TRN_APART bool index_find_elsewhere(const TrnChunkIndex *index, const TrnPage *page,
                                           TrnCoord coord, uint32_t *value)
{
    return page == TRN_MAP_OUTSIDE ? index_find_outlier(trn_chunk_index_map(index)->hash, coord.x,
                                                        coord.y, coord.z, value)
                                   : index_find_in_sparse(trn_page_sparse(page), coord, value);
}

bool trn_chunk_index_find(const TrnChunkIndex *index, TrnCoord coord, uint32_t *value)
{
    const TrnPage *page = index_look_up(index, coord);
    if (index_is_in_full(page, coord)) {
        if (value) {
            *value = trn_full_page_value(trn_page_full(page), trn_page_cell_of(coord));
        }
        return true;
    }
    return trn_page_is_sparse(page) && index_find_elsewhere(index, page, coord, value);
}

static TRN_APART void *index_find_slot_elsewhere(const TrnChunkIndex *index, const TrnPool *pool,
                                                 int32_t x, int32_t y, int32_t z)
{
    const TrnCoord coord = {x, y, z};
    uint32_t slot = 0; // gcc for RISC-V does not see that finding sets it
    return index_find_in(trn_chunk_index_page(index, coord), coord, &slot)
               ? trn_pool_slot_inline(pool, slot)
               : NULL;
}

void *trn_chunk_index_find_slot(const TrnChunkIndex *index, const TrnPool *pool, int32_t x,
                                int32_t y, int32_t z)
{
    const TrnCoord coord = {x, y, z};
    const TrnPage *page = index_look_up(index, coord);
    if (index_is_in_full(page, coord)) {
        const uint32_t cell = trn_page_cell_of(coord);
        return trn_pool_slot_inline(pool, trn_full_page_value(trn_page_full(page), cell));
    }
    return trn_page_is_sparse(page) ? index_find_slot_elsewhere(index, pool, x, y, z) : NULL;
}

/// Clears bits in one word of each plane of a set.
static void index_clear_bits(TrnFullPage *page, uint32_t planes, uint32_t word, uint64_t bits)
{
    for (uint32_t set = planes; set; set &= set - 1) {
        TrnPlane plane = (TrnPlane)__builtin_ctz(set);
        trn_full_page_store(page, plane, word, trn_full_page_word(page, plane, word) & ~bits);
    }
}

/// Returns whether a page would be empty without these bits of these planes.
static bool index_page_would_be_empty(const TrnChunkIndex *index, const TrnFullPage *page,
                                      uint32_t planes, uint32_t word, uint64_t bits)
{
    uint64_t any = 0;
    for (TrnPlane plane = 0; any == 0 && plane < index->plane_count; plane++) {
        for (uint32_t i = 1; any == 0 && i <= TRN_PAGE_WORDS; i++) {
            // From the next word on: if the page is not nearly empty, that one has bits.
            const uint32_t other = (word + i) % TRN_PAGE_WORDS;
            uint64_t leaving = other == word && (planes >> plane & 1) ? bits : 0;
            any = trn_full_page_word(page, plane, other) & ~leaving;
        }
    }
    return any == 0;
}

static inline bool index_word_is_few(uint64_t bits)
{
    return (bits & (bits - 1)) == 0;
}

/// Returns whether a page may have become empty or small when this is left of a word: at most one
/// chunk, and at most one in the word above. Pages are not looked at after other removals, which
/// are nearly all.
static inline bool index_may_shrink(const TrnFullPage *page, uint32_t word, uint64_t left)
{
    return index_word_is_few(left) && index_word_is_few(trn_full_page_word(
                                          page, TRN_PLANE_PRESENT, (word + 1) % TRN_PAGE_WORDS));
}

/// Removes one of the last chunks of a word. Drops or shrinks the page if it has few others.
static TRN_RARE TrnResult index_remove_last_of_word(TrnChunkIndex *index, TrnPage *page,
                                                    uint32_t word, uint64_t bit, uint32_t *value)
{
    TrnFullPage *full = trn_page_full(page);
    const uint32_t cell = trn_page_cell(word, (uint32_t)__builtin_ctzll(bit));
    const uint32_t old = trn_full_page_value(full, cell);
    if (index_page_would_be_empty(index, full, index->leaving_planes, word, bit)) {
        TrnResult result = trn_chunk_index_begin_retiring(index);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    index_clear_bits(full, index->leaving_planes, word, bit);
    index->chunk_count--;
    if (value) {
        *value = old;
    }
    trn_chunk_index_after_clearing(index, page, word);
    return TRN_RESULT_OK;
}

static inline TrnResult index_remove_in(TrnChunkIndex *index, TrnPage *page, TrnCoord coord,
                                        uint32_t *value)
{
    TrnFullPage *full = trn_page_full(page);
    const uint32_t word = trn_page_word_of(coord), place = trn_page_bit_of(coord);
    const uint64_t bits = trn_full_page_word(full, TRN_PLANE_PRESENT, word);
    const uint64_t bit = UINT64_C(1) << place, left = bits & ~bit;
    if (left == bits) {
        return TRN_RESULT_NOT_FOUND;
    }
    if (index_may_shrink(full, word, left)) {
        return index_remove_last_of_word(index, page, word, bit, value);
    }
    const uint32_t old = trn_full_page_value(full, trn_page_cell(word, place));
    index_clear_bits(full, index->leaving_planes, word, bit);
    index->chunk_count--;
    if (value) {
        *value = old;
    }
    return TRN_RESULT_OK;
}

static TrnResult index_remove_in_sparse(TrnChunkIndex *index, TrnPage *page, TrnCoord coord,
                                        uint32_t *value)
{
    TrnSparsePage *sparse = trn_page_sparse(page);
    const uint32_t lane = trn_sparse_find(sparse, trn_page_cell_of(coord));
    TrnSparseEntry entry =
        lane == TRN_SPARSE_LANE_NONE ? (TrnSparseEntry){0, 0} : trn_sparse_entry(sparse, lane);
    if (!(entry.bits & TRN_PLANE_BIT(TRN_PLANE_PRESENT))) {
        return TRN_RESULT_NOT_FOUND;
    }
    entry.bits &= ~index->leaving_planes;
    if (entry.bits == 0 && sparse->live == 1) { // the page becomes empty
        TrnResult result = trn_chunk_index_begin_retiring(index);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    trn_sparse_store(sparse, lane, entry);
    index->chunk_count--;
    if (value) {
        *value = entry.value;
    }
    trn_chunk_index_after_clearing(index, page, trn_page_word_of(coord));
    return TRN_RESULT_OK;
}

static TRN_APART TrnResult index_remove_elsewhere(TrnChunkIndex *index, TrnCoord coord,
                                                  uint32_t *value)
{
    TrnPage *page = trn_chunk_index_recent_page(index, index_page_coord(coord));
    if (trn_page_is_sparse(page)) {
        return index_remove_in_sparse(index, page, coord, value);
    }
    return page ? index_remove_in(index, page, coord, value) : TRN_RESULT_NOT_FOUND;
}

TrnResult trn_chunk_index_remove(TrnChunkIndex *index, TrnCoord coord, uint32_t *value)
{
    TrnPage *page = trn_chunk_index_directory_page(index, coord);
    return trn_page_is_full(page) ? index_remove_in(index, page, coord, value)
                                  : index_remove_elsewhere(index, coord, value);
}

// ---- runs --------------------------------------------------------------------------------------

/// Returns the page of a chunk, or NULL.
static inline TrnPage *index_run_page(const TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord)
{
    if (!run->page || !trn_coord_equal(trn_page_coord_of(run->page), trn_page_coord(coord))) {
        run->page = trn_chunk_index_page(index, coord);
    }
    return run->page;
}

bool trn_chunk_run_find(const TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                        uint32_t *value)
{
    return index_find_in(index_run_page(index, run, coord), coord, value);
}

TrnResult trn_chunk_run_insert(TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                               uint32_t value)
{
    TRN_ASSERT(value != TRN_CHUNK_VALUE_NONE);
    TrnPage *page = index_run_page(index, run, coord);
    if (trn_page_is_full(page)) {
        return index_insert_in(index, trn_page_full(page), coord, value);
    }
    run->page = NULL; // the page may be copied
    return index_insert_listed(index, page, coord, value);
}

TrnResult trn_chunk_run_remove(TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord,
                               uint32_t *value)
{
    TrnPage *page = index_run_page(index, run, coord);
    if (!trn_page_is_full(page)) {
        run->page = NULL; // the page may be dropped or copied
        return index_remove_elsewhere(index, coord, value);
    }
    const uint32_t word = trn_page_word_of(coord);
    const uint64_t bits = trn_full_page_word(trn_page_full(page), TRN_PLANE_PRESENT, word);
    const uint64_t left = bits & ~(UINT64_C(1) << trn_page_bit_of(coord));
    if (index_may_shrink(trn_page_full(page), word, left)) { // so may a full page
        run->page = NULL;
    }
    return index_remove_in(index, page, coord, value);
}

void trn_chunk_run_prefetch(const TrnChunkIndex *index, TrnChunkRun *run, TrnCoord coord)
{
    const TrnPage *page = index_run_page(index, run, coord);
    if (trn_page_is_full(page)) {
        const TrnFullPage *full = trn_page_full(page);
        const uint32_t word = trn_page_word_of(coord);
        __builtin_prefetch(&full->planes[TRN_PLANE_PRESENT][word], 1);
        __builtin_prefetch(&full->values[trn_page_cell(word, trn_page_bit_of(coord))], 1);
    }
}

// ---- readers -----------------------------------------------------------------------------------

/// Is the reader's slot of the index.
struct TrnChunkReader {
    TrnReaderSlot slot;
};
static_assert(TRN_READER_NAME_BYTES == TRN_RETIRE_NAME_BYTES, "a slot keeps the name");

TrnResult trn_chunk_index_reader_create(TrnChunkIndex *index, const char *name,
                                        TrnChunkReader **reader)
{
    TrnReaderSlot *slot = trn_retire_reader_take(&index->retire, name);
    if (!slot) {
        return TRN_RESULT_FULL;
    }
    *reader = (TrnChunkReader *)slot;
    return TRN_RESULT_OK;
}

void trn_chunk_index_reader_destroy(TrnChunkReader *reader)
{
    if (reader) {
        trn_retire_reader_give(&reader->slot);
    }
}

void trn_chunk_index_read_begin(TrnChunkReader *reader)
{
    trn_retire_read_begin(&reader->slot);
}

void trn_chunk_index_read_end(TrnChunkReader *reader)
{
    trn_retire_read_end(&reader->slot);
}

bool trn_chunk_index_slowest_reader(const TrnChunkIndex *index, char name[TRN_READER_NAME_BYTES])
{
    return trn_retire_slowest(&index->retire, name);
}

void trn_chunk_index_retire(TrnChunkIndex *index, const TrnRetireOwner *owner, TrnRetireLink *link)
{
    TRN_ASSERT(owner && owner->free && link);
    trn_retire_link(&index->retire, owner, link);
}

void trn_chunk_index_retire_list(TrnChunkIndex *index, TrnRetireList *list)
{
    trn_retire_links(&index->retire, list);
}

void trn_chunk_index_reclaim(TrnChunkIndex *index)
{
    trn_retire_reclaim(&index->retire);
}
