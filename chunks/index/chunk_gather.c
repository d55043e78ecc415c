// Gathers: many chunks at once, page by page.

#include <string.h>

#include "base/memory.h"
#include "chunk_index_impl.h"

/// A gather under way.
typedef struct GatherRun {
    const TrnChunkIndex *index;
    const TrnChunkGather *gather;
    TrnPlaneQuery planes;
    size_t count;
} GatherRun;

static size_t gather_count_bits(const TrnPageWords *words)
{
    size_t count = 0;
    for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
        count += (size_t)__builtin_popcountll(words->y[y]);
    }
    return count;
}

static size_t gather_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/// Coordinates of the cells in `words`, at most `room`.
static void gather_coords(const TrnPage *page, const TrnPageWords *words, TrnCoord *out,
                          size_t room)
{
    size_t count = 0;
    for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
        for (uint64_t word = words->y[y]; word; word &= word - 1) {
            if (count == room) {
                return;
            }
            out[count++] = trn_page_chunk(page, y, (uint32_t)__builtin_ctzll(word));
        }
    }
}

/// Values of the cells in `words`, and what they stand for.
static size_t gather_values(GatherRun *run, const TrnPage *page, const TrnPageWords *words,
                            size_t room)
{
    const TrnChunkGather *gather = run->gather;
    uint32_t scratch[TRN_PAGE_CELLS + TRN_PAGE_SLACK];
    // Straight into the caller's array while there is room for whatever a kernel may write beyond.
    bool direct = gather->values && room >= TRN_PAGE_CELLS + TRN_PAGE_SLACK;
    uint32_t *values = direct ? gather->values + run->count : scratch;
    size_t count = run->index->kernels.compress(page, words, values);
    size_t written = gather_smaller(count, room);
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

/// Adds the cells in `words` to the answer.
static void gather_page(GatherRun *run, const TrnPage *page, const TrnPageWords *words)
{
    const TrnChunkGather *gather = run->gather;
    size_t room = run->count < gather->capacity ? gather->capacity - run->count : 0;
    if (room == 0) {
        run->count += gather_count_bits(words);
        return;
    }
    if (gather->coords) {
        gather_coords(page, words, gather->coords + run->count, room);
    }
    if (gather->values || gather->pointers || gather->ids) {
        run->count += gather_values(run, page, words, room);
    } else {
        run->count += gather_count_bits(words);
    }
}

/// The box of the pages that lie wholly inside a box of chunks; empty when there is none.
static TrnBox gather_inner_pages(TrnBox box)
{
    const int32_t last = TRN_PAGE_EDGE - 1;
    TrnBox inner = trn_page_box(box);
    inner.min.x += (box.min.x & last) != 0;
    inner.min.y += (box.min.y & last) != 0;
    inner.min.z += (box.min.z & last) != 0;
    inner.max.x -= (box.max.x & last) != last;
    inner.max.y -= (box.max.y & last) != last;
    inner.max.z -= (box.max.z & last) != last;
    return inner;
}

/// The cells of a page that the gather asks for.
static bool gather_words(const GatherRun *run, const TrnPage *page, const TrnBox *inner,
                         TrnPageWords *words)
{
    run->index->kernels.query(page, &run->planes, words);
    if (!trn_box_contains(*inner, page->coord)) {
        TrnPageWords inside;
        if (!trn_page_clip(page, run->gather->box, &inside)) {
            return false;
        }
        for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
            words->y[y] &= inside.y[y];
        }
    }
    return !run->gather->frustum || trn_page_clip_frustum(page, run->gather->frustum, words);
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
    GatherRun run = {.index = index, .gather = gather, .planes = gather->planes};
    if (run.planes.all == 0 || gather->values || gather->pointers || gather->ids) {
        run.planes.all |= TRN_PLANE_BIT(TRN_PLANE_PRESENT);
    }
    if (!gather_is_valid(index, gather, &run.planes)) {
        return 0;
    }
    const TrnBox inner = gather_inner_pages(gather->box);
    TrnPageWalk walk = trn_page_walk(trn_chunk_index_map(index), trn_page_box(gather->box));
    for (const TrnPage *page; (page = trn_page_walk_next(&walk));) {
        TrnPageWords words;
        if (gather_words(&run, page, &inner, &words)) {
            gather_page(&run, page, &words);
        }
    }
    return run.count;
}

// ---- neighbours of many ------------------------------------------------------------------------

/// A page's values with one layer of the pages around it, TRN_CHUNK_VALUE_NONE where there is no
/// chunk: 10 cells an edge, so that every neighbour is a fixed step away.
enum {
    HALO_EDGE = TRN_PAGE_EDGE + 2,
    HALO_STEP_Z = HALO_EDGE,
    HALO_STEP_Y = HALO_EDGE * HALO_EDGE,
    HALO_CELLS = HALO_EDGE * HALO_EDGE * HALO_EDGE
};

static uint32_t halo_cell(uint32_t x, uint32_t y, uint32_t z)
{
    return (x + 1) + (z + 1) * HALO_STEP_Z + (y + 1) * HALO_STEP_Y;
}

/// Fills one row of eight cells along x of the halo. Most rows are all there or all absent.
static void halo_fill_row(uint32_t *row, const TrnPage *page, uint64_t word, uint32_t y, uint32_t z)
{
    const uint32_t bits = (uint32_t)(word >> (z * TRN_PAGE_EDGE)) & 0xFF;
    if (bits == 0) {
        memset(row, 0xFF, TRN_PAGE_EDGE * sizeof *row);
        return;
    }
    for (uint32_t x = 0; x < TRN_PAGE_EDGE; x++) {
        uint32_t absent = (bits >> x & 1) - 1; // all ones where there is no chunk
        row[x] = trn_page_value(page, y * 64 + z * TRN_PAGE_EDGE + x) | absent;
    }
}

/// Fills the layer of rows that a neighbour page shows at its y or z border.
static void halo_fill_rows(uint32_t *halo, const TrnPage *page, TrnFace face)
{
    const uint32_t last = TRN_PAGE_EDGE - 1;
    const uint32_t from = (face & 1) ? 0 : last;            // the layer in the neighbour
    const uint32_t to = (face & 1) ? last + 1 : UINT32_MAX; // and in the halo, which starts at -1
    for (uint32_t i = 0; i < TRN_PAGE_EDGE; i++) {
        const bool along_y = face >= TRN_FACE_NEG_Z; // a z layer runs over y, a y layer over z
        uint32_t y = along_y ? i : from, z = along_y ? from : i;
        uint32_t *row = halo + halo_cell(0, along_y ? i : to, along_y ? to : i);
        if (page) {
            halo_fill_row(row, page, trn_page_word(page, TRN_PLANE_PRESENT, y), y, z);
        } else {
            memset(row, 0xFF, TRN_PAGE_EDGE * sizeof *row);
        }
    }
}

/// Fills the layer of single cells that a neighbour page shows at its x border.
static void halo_fill_columns(uint32_t *halo, const TrnPage *page, TrnFace face)
{
    const uint32_t last = TRN_PAGE_EDGE - 1;
    const uint32_t from = (face & 1) ? 0 : last, to = (face & 1) ? last + 1 : UINT32_MAX;
    for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
        uint64_t word = page ? trn_page_word(page, TRN_PLANE_PRESENT, y) : 0;
        for (uint32_t z = 0; z < TRN_PAGE_EDGE; z++) {
            uint32_t bit = from | z << TRN_PAGE_SHIFT;
            halo[halo_cell(to, y, z)] =
                word >> bit & 1 ? trn_page_value(page, y * 64 + bit) : TRN_CHUNK_VALUE_NONE;
        }
    }
}

static void halo_fill(uint32_t *halo, const TrnPage *page)
{
    for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
        uint64_t word = trn_page_word(page, TRN_PLANE_PRESENT, y);
        for (uint32_t z = 0; z < TRN_PAGE_EDGE; z++) {
            halo_fill_row(halo + halo_cell(0, y, z), page, word, y, z);
        }
    }
    halo_fill_columns(halo, trn_page_neighbour(page, TRN_FACE_NEG_X), TRN_FACE_NEG_X);
    halo_fill_columns(halo, trn_page_neighbour(page, TRN_FACE_POS_X), TRN_FACE_POS_X);
    for (int face = TRN_FACE_NEG_Y; face <= TRN_FACE_POS_Z; face++) {
        halo_fill_rows(halo, trn_page_neighbour(page, (TrnFace)face), (TrnFace)face);
    }
}

/// What gather_neighbours has written so far.
typedef struct NeighbourRun {
    uint32_t *values;
    uint32_t (*neighbours)[TRN_FACE_COUNT];
    size_t capacity, count;
} NeighbourRun;

static void gather_neighbours_of_page(NeighbourRun *run, const TrnPage *page,
                                      const TrnPageWords *words)
{
    uint32_t halo[HALO_CELLS];
    halo_fill(halo, page);
    for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
        for (uint64_t word = words->y[y]; word; word &= word - 1) {
            if (run->count >= run->capacity) {
                run->count += (size_t)__builtin_popcountll(word);
                break;
            }
            uint32_t bit = (uint32_t)__builtin_ctzll(word);
            const uint32_t *cell =
                halo + halo_cell(bit & (TRN_PAGE_EDGE - 1), y, bit >> TRN_PAGE_SHIFT);
            uint32_t *out = run->neighbours[run->count];
            out[TRN_FACE_NEG_X] = cell[-1];
            out[TRN_FACE_POS_X] = cell[1];
            out[TRN_FACE_NEG_Y] = cell[-HALO_STEP_Y];
            out[TRN_FACE_POS_Y] = cell[HALO_STEP_Y];
            out[TRN_FACE_NEG_Z] = cell[-HALO_STEP_Z];
            out[TRN_FACE_POS_Z] = cell[HALO_STEP_Z];
            if (run->values) {
                run->values[run->count] = trn_page_value(page, y * 64 + bit);
            }
            run->count++;
        }
    }
}

size_t trn_chunk_index_gather_neighbours(const TrnChunkIndex *index, TrnBox box, uint32_t *values,
                                         uint32_t (*neighbours)[TRN_FACE_COUNT], size_t capacity)
{
    const TrnChunkGather gather = {.box = box};
    GatherRun pages = {.index = index, .gather = &gather, .planes = {.all = 1}};
    if (trn_box_is_empty(box)) {
        return 0;
    }
    NeighbourRun run = {values, neighbours, capacity, 0};
    const TrnBox inner = gather_inner_pages(box);
    TrnPageWalk walk = trn_page_walk(trn_chunk_index_map(index), trn_page_box(box));
    for (const TrnPage *page; (page = trn_page_walk_next(&walk));) {
        TrnPageWords words;
        if (gather_words(&pages, page, &inner, &words)) {
            gather_neighbours_of_page(&run, page, &words);
        }
    }
    return run.count;
}
