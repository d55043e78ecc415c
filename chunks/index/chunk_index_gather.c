// Gathers many chunks, page by page.

#include <string.h>

#include "base/memory.h"
#include "chunk_index_impl.h"
#include "index/pool_internal.h"

/// The state of one gather.
typedef struct GatherRun {
    const TrnChunkIndex *index;
    const TrnPageMap *map; ///< the version that the whole gather reads
    const TrnChunkGather *gather;
    TrnPlaneQuery planes;
    size_t count;
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

/// Writes the values of the cells in `words`, and the pointers and ids of their pool slots. At most
/// `capacity` of each. Returns how many cells there are.
static size_t gather_values(GatherRun *run, const TrnPage *page, const TrnPageWords *words,
                            size_t capacity)
{
    const TrnChunkGather *gather = run->gather;
    uint32_t scratch[TRN_PAGE_CELLS + TRN_PAGE_SLACK];
    // Straight into the caller's array while it has capacity for a full page and a kernel's slack.
    bool direct = gather->values && capacity >= TRN_PAGE_CELLS + TRN_PAGE_SLACK;
    uint32_t *values = direct ? gather->values + run->count : scratch;
    size_t count = trn_page_compress(&run->index->kernels, page, words, values);
    size_t written = count < capacity ? count : capacity;
    if (gather->values && !direct) {
        memcpy(gather->values + run->count, scratch, written * sizeof *scratch);
    }
    if (gather->pointers) {
        trn_pool_pointers(gather->pool, values, written, gather->pointers + run->count);
    }
    if (gather->ids) {
        trn_pool_ids(gather->pool, values, written, gather->ids + run->count);
    }
    return count;
}

/// Appends the cells in `words` to the outputs.
static void gather_page(GatherRun *run, const TrnPage *page, const TrnPageWords *words)
{
    const TrnChunkGather *gather = run->gather;
    size_t capacity = run->count < gather->capacity ? gather->capacity - run->count : 0;
    if (capacity == 0) {
        run->count += gather_count_bits(words);
        return;
    }
    if (gather->coords) {
        gather_coords(trn_page_coord_of(page), words, gather->coords + run->count, capacity);
    }
    if (gather->values || gather->pointers || gather->ids) {
        run->count += gather_values(run, page, words, capacity);
    } else {
        run->count += gather_count_bits(words);
    }
}

/// Finds the cells of a page that the gather selects. @return false if no cell can match
static bool gather_words(const GatherRun *run, const TrnPage *page, const TrnBox *inner,
                         TrnPageWords *words)
{
    trn_page_query(&run->index->kernels, run->map, page, &run->planes, words);
    const TrnCoord coord = trn_page_coord_of(page);
    if (!trn_box_contains(*inner, coord)) {
        TrnPageWords inside;
        if (!trn_page_clip(coord, run->gather->box, &inside)) {
            return false;
        }
        for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
            words->words[word] &= inside.words[word];
        }
    }
    return !run->gather->frustum || trn_page_clip_frustum(coord, run->gather->frustum, words);
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
                     .map = trn_chunk_index_map(index),
                     .gather = gather,
                     .planes = gather->planes};
    if (run.planes.all == 0 || gather->values || gather->pointers || gather->ids) {
        run.planes.all |= TRN_PLANE_BIT(TRN_PLANE_PRESENT);
    }
    if (!gather_is_valid(index, gather, &run.planes)) {
        return 0;
    }
    const TrnBox inner = trn_page_box_inside(gather->box);
    TrnPageWalk walk = trn_page_walk(run.map, trn_page_box(gather->box));
    for (const TrnPage *page; (page = trn_page_walk_next(&walk));) {
        TrnPageWords words;
        if (gather_words(&run, page, &inner, &words)) {
            gather_page(&run, page, &words);
        }
    }
    return run.count;
}
