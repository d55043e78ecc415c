// Gathers many chunks, page by page.

#include <string.h>

#include "base/memory.h"
#include "chunk_index_impl.h"
#include "page_kernels.h"
#include "pool/pool_internal.h"

/// How many values of a full page a prefetch stands for: two cache lines.
#define GATHER_PREFETCH_CELLS 32

/// How many sparse pages are fetched at a time.
#define GATHER_SPARSE_PAGES 32

/// The state of one gather.
typedef struct GatherRun {
    const TrnChunkIndex *index;
    const TrnChunkGather *gather;
    TrnPlaneQuery planes;
    const TrnMap *map; ///< the version that the whole gather reads
    size_t count;
    bool is_plain; ///< asks for values alone, by conditions on each chunk alone
} GatherRun;

static size_t gather_count_bits(const TrnPageWords *words)
{
    size_t count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        count += (size_t)__builtin_popcountll(words->words[word]);
    }
    return count;
}

/// Writes the coordinates of the cells in `words` of the page at `page`, at most `capacity`.
static void gather_coords(TrnCoord page, const TrnPageWords *words, TrnCoord *out, size_t capacity)
{
    size_t count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        for (uint64_t bits = words->words[word]; bits; bits &= bits - 1) {
            if (count == capacity) {
                return;
            }
            out[count++] = trn_page_chunk(page, word, (uint32_t)__builtin_ctzll(bits));
        }
    }
}

/// Writes the pointers and ids of the pool slots of values.
static void gather_slots(const GatherRun *run, const uint32_t *values, size_t count)
{
    const TrnChunkGather *gather = run->gather;
    if (gather->pointers) {
        trn_pool_pointers(gather->pool, values, count, gather->pointers + run->count);
    }
    if (gather->ids) {
        trn_pool_ids(gather->pool, values, count, gather->ids + run->count);
    }
}

/// Writes the values of the cells in `words`, and the pointers and ids of their pool slots. At most
/// `capacity` of each. Returns how many cells there are.
static size_t gather_values(GatherRun *run, const TrnFullPage *page, const TrnPageWords *words,
                            size_t capacity)
{
    const TrnChunkGather *gather = run->gather;
    uint32_t scratch[TRN_PAGE_CELLS + TRN_PAGE_SLACK];
    // Straight into the caller's array while it has capacity for a full page and a kernel's slack.
    bool direct = gather->values && capacity >= TRN_PAGE_CELLS + TRN_PAGE_SLACK;
    uint32_t *values = direct ? gather->values + run->count : scratch;
    size_t count = run->index->kernels.compress(page, words, values);
    size_t written = count < capacity ? count : capacity;
    if (gather->values && !direct) {
        memcpy(gather->values + run->count, scratch, written * sizeof *scratch);
    }
    gather_slots(run, values, written);
    return count;
}

/// Appends the cells in `words` of a full page to the outputs.
static void gather_full(GatherRun *run, const TrnFullPage *page, const TrnPageWords *words)
{
    const TrnChunkGather *gather = run->gather;
    size_t capacity = run->count < gather->capacity ? gather->capacity - run->count : 0;
    if (capacity == 0) {
        run->count += gather_count_bits(words);
        return;
    }
    if (gather->coords) {
        gather_coords(page->head.coord, words, gather->coords + run->count, capacity);
    }
    if (gather->values || gather->pointers || gather->ids) {
        run->count += gather_values(run, page, words, capacity);
    } else {
        run->count += gather_count_bits(words);
    }
}

/// Fetches a page into the caches while the one before it is gathered. With cold caches this takes
/// a fifth off a gather. Every second line is enough: processors fetch lines in pairs, and asking
/// for each takes a tenth longer with warm caches.
static inline void gather_prefetch(const TrnPage *page)
{
    if (trn_page_is_full(page)) {
        const TrnFullPage *full = trn_page_full(page);
        __builtin_prefetch(full);
        __builtin_prefetch(full->planes[TRN_PLANE_PRESENT]);
        for (uint32_t cell = 0; cell < TRN_PAGE_CELLS; cell += GATHER_PREFETCH_CELLS) {
            __builtin_prefetch(&full->values[cell]);
        }
    }
}

/// Finds the cells of a full page that the gather selects. @return false if no cell can match
static bool gather_words(const GatherRun *run, const TrnFullPage *page, const TrnBox *inner,
                         TrnPageWords *words)
{
    run->index->kernels.query(run->map, page, &run->planes, words);
    if (!trn_box_contains(*inner, page->head.coord)) {
        TrnPageWords inside;
        if (!trn_page_clip(page->head.coord, run->gather->box, &inside)) {
            return false;
        }
        for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
            words->words[word] &= inside.words[word];
        }
    }
    return !run->gather->frustum ||
           trn_page_clip_frustum(page->head.coord, run->gather->frustum, words);
}

// ---- sparse pages ------------------------------------------------------------------------------

/// The chunks of a sparse page.
typedef struct GatherList {
    uint32_t count;
    uint16_t cells[TRN_SPARSE_CAPACITY_MAX + 1];
    uint32_t values[TRN_SPARSE_CAPACITY_MAX + 1];
} GatherList;

/// Keeps a chunk of a list as its last one.
static inline void gather_keep(GatherList *list, uint32_t number, bool is_kept)
{
    list->cells[list->count] = list->cells[number];
    list->values[list->count] = list->values[number];
    list->count += is_kept;
}

/// Drops the chunks of a list that do not satisfy the conditions on neighbours, or that are outside
/// the frustum.
static TRN_APART void gather_keep_matching(const GatherRun *run, const TrnPage *page,
                                           GatherList *list)
{
    TrnPageWords words;
    trn_page_query_sparse(run->map, page, &run->planes, &words);
    const TrnFrustum *frustum = run->gather->frustum;
    const bool is_seen =
        !frustum || trn_page_clip_frustum(trn_page_coord_of(page), frustum, &words);
    const uint32_t count = list->count;
    list->count = 0;
    for (uint32_t i = 0; is_seen && i < count; i++) {
        const uint32_t cell = list->cells[i];
        gather_keep(list, i,
                    words.words[cell / TRN_PAGE_WORD_BITS] >> (cell % TRN_PAGE_WORD_BITS) & 1);
    }
}

static TrnCoord gather_chunk(TrnCoord page, uint32_t cell)
{
    return trn_page_chunk(page, cell / TRN_PAGE_WORD_BITS, cell % TRN_PAGE_WORD_BITS);
}

/// Drops the chunks of a list that are outside the box.
static TRN_APART void gather_keep_inside(const GatherRun *run, TrnCoord page, GatherList *list)
{
    const uint32_t count = list->count;
    list->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        gather_keep(list, i,
                    trn_box_contains(run->gather->box, gather_chunk(page, list->cells[i])));
    }
}

/// Appends the values of a page with a short list, which lies wholly in the box and lists its cells
/// in order, as most of them do. Inlined, since a lone chunk's page takes less than a call.
/// @return false for any other page
static inline bool gather_short_list(GatherRun *run, const TrnSparsePage *page)
{
    if (page->capacity > TRN_SPARSE_LANES_PER_WORD) {
        return false;
    }
    uint32_t *out = run->gather->values + run->count;
    uint32_t count = 0, least = 0;
    for (uint32_t lane = 0; lane < page->capacity; lane++) {
        const uint32_t cell = trn_sparse_cell(page, lane);
        if (cell >= TRN_PAGE_CELLS) {
            break;
        }
        if (cell < least) {
            return false;
        }
        const TrnSparseEntry entry = trn_sparse_entry(page, lane);
        out[count] = entry.value;
        count += trn_sparse_matches(entry.bits, &run->planes);
        least = cell;
    }
    run->count += count;
    return true;
}

/// Appends the chunks of a sparse page to the outputs.
static inline void gather_sparse(GatherRun *run, const TrnPage *page, const TrnBox *inner)
{
    const TrnChunkGather *gather = run->gather;
    const TrnCoord at = trn_page_coord_of(page);
    const bool is_inside = trn_box_contains(*inner, at);
    const size_t capacity = run->count < gather->capacity ? gather->capacity - run->count : 0;
    const TrnSparsePage *sparse = trn_page_sparse(page);
    const TrnPageKernels *kernels = &run->index->kernels;
    if (run->is_plain && is_inside && capacity > TRN_SPARSE_CAPACITY_MAX) {
        if (gather_short_list(run, sparse)) {
            return;
        }
        run->count += kernels->list(sparse, &run->planes, NULL, gather->values + run->count);
        return;
    }
    GatherList list;
    list.count = kernels->list(sparse, &run->planes, list.cells, list.values);
    if (gather->frustum || (run->planes.all_faces | run->planes.all_around)) {
        gather_keep_matching(run, page, &list);
    }
    if (!is_inside) {
        gather_keep_inside(run, at, &list);
    }
    const size_t written = list.count < capacity ? list.count : capacity;
    for (size_t i = 0; gather->coords && i < written; i++) {
        gather->coords[run->count + i] = gather_chunk(at, list.cells[i]);
    }
    if (gather->values && written > 0) {
        memcpy(gather->values + run->count, list.values, written * sizeof *list.values);
    }
    if (written > 0) {
        gather_slots(run, list.values, written);
    }
    run->count += list.count;
}

/// Appends the chunks of sparse pages that follow each other in the walk. These pages lie anywhere,
/// and each holds little to do while the next is fetched, so it fetches many at a time.
/// @param page  the first
/// @return the page after them, or NULL
static TRN_APART const TrnPage *gather_sparse_pages(GatherRun *run, TrnMapWalk *walk,
                                                    const TrnPage *page, const TrnBox *inner)
{
    const TrnPage *pages[GATHER_SPARSE_PAGES];
    uint32_t count = 0;
    for (; trn_page_is_sparse(page) && count < GATHER_SPARSE_PAGES; count++) {
        __builtin_prefetch(page);
        pages[count] = page;
        page = trn_map_walk_next(walk);
    }
    for (uint32_t i = 0; i < count; i++) {
        gather_sparse(run, pages[i], inner);
    }
    return page;
}

static bool gather_is_valid(const TrnChunkIndex *index, const TrnChunkGather *gather,
                            const TrnPlaneQuery *planes)
{
    bool wants_pool = gather->pointers || gather->ids;
    return !trn_box_is_empty(gather->box) && trn_chunk_index_query_is_valid(index, planes) &&
           (!wants_pool || gather->pool) && (!gather->frustum || gather->frustum->count <= 6);
}

size_t trn_chunk_index_gather(const TrnChunkIndex *index, const TrnChunkGather *gather)
{
    GatherRun run = {.index = index,
                     .gather = gather,
                     .planes = gather->planes,
                     .map = trn_chunk_index_map(index)};
    if (run.planes.all == 0 || gather->values || gather->pointers || gather->ids) {
        run.planes.all |= TRN_PLANE_BIT(TRN_PLANE_PRESENT);
    }
    if (!gather_is_valid(index, gather, &run.planes)) {
        return 0;
    }
    run.is_plain = gather->values && !gather->coords && !gather->pointers && !gather->ids &&
                   !gather->frustum && !(run.planes.all_faces | run.planes.all_around);
    const TrnBox inner = trn_page_box_inside(gather->box);
    TrnMapWalk walk = trn_map_walk(run.map, trn_page_box(gather->box));
    for (const TrnPage *page = trn_map_walk_next(&walk); page;) {
        if (trn_page_is_sparse(page)) {
            page = gather_sparse_pages(&run, &walk, page, &inner);
            continue;
        }
        const TrnPage *next = trn_map_walk_next(&walk);
        gather_prefetch(next);
        TrnPageWords words;
        if (gather_words(&run, trn_page_full(page), &inner, &words)) {
            gather_full(&run, trn_page_full(page), &words);
        }
        page = next;
    }
    return run.count;
}
