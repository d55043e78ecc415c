// Neighbours of chunks: the six of one, the 26 of one, and the six of every chunk of a box.

#include <string.h>

#include "chunk_index_impl.h"

// ---- of one chunk ------------------------------------------------------------------------------

/// Returns the value of a chunk.
/// @param page  the page at `at`, so that chunks in it need no look-up; or NULL
static inline uint32_t neighbours_value_of(const TrnMap *map, const TrnPage *page, TrnCoord at,
                                           TrnCoord chunk)
{
    const TrnCoord there = trn_page_coord(chunk);
    const bool is_same = page && trn_coord_equal(there, at);
    return trn_page_value_at(is_same ? page : trn_map_find(map, there.x, there.y, there.z),
                             trn_page_word_of(chunk), trn_page_bit_of(chunk));
}

/// Looks up the six neighbours one by one: in and around a sparse page, or where no page is.
/// @param page  of the chunk, or NULL
static TRN_APART void neighbours_look_up(const TrnMap *map, const TrnPage *page, TrnCoord coord,
                                         uint32_t values[TRN_FACE_COUNT])
{
    const TrnCoord at = trn_page_coord(coord);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        values[face] =
            neighbours_value_of(map, page, at, trn_coord_neighbour(coord, (TrnFace)face));
    }
}

/// Returns the value of a bit of a word of a full page.
static inline uint32_t neighbours_value_at(const TrnFullPage *page, uint32_t word, uint32_t bit)
{
    return trn_full_page_word(page, TRN_PLANE_PRESENT, word) >> bit & 1
               ? trn_full_page_value(page, trn_page_cell(word, bit))
               : TRN_CHUNK_VALUE_NONE;
}

/// Returns the value of a bit of a word of the page behind a face.
static inline uint32_t neighbours_value_behind(const TrnMap *map, const TrnFullPage *page,
                                               TrnFace face, uint32_t word, uint32_t bit)
{
    return trn_page_value_at(trn_page_behind(map, &page->head, face), word, bit);
}

void trn_chunk_index_neighbours(const TrnChunkIndex *index, TrnCoord coord,
                                uint32_t values[TRN_FACE_COUNT])
{
    const TrnMap *map = trn_chunk_index_map(index);
    const TrnPage *found = trn_chunk_index_page(index, coord);
    if (!trn_page_is_full(found)) {
        neighbours_look_up(map, found, coord, values);
        return;
    }
    // A step inside the page is one bit along x, a row of bits along z, one word along y. Across
    // the page's border it enters the page behind at the opposite end.
    const TrnFullPage *page = trn_page_full(found);
    const uint32_t y = trn_page_word_of(coord), bit = trn_page_bit_of(coord);
    const uint32_t last = TRN_PAGE_LAST, row = TRN_PAGE_EDGE;
    const uint32_t x = bit & last, z = bit >> TRN_PAGE_SHIFT;
    values[TRN_FACE_NEG_X] =
        x > 0 ? neighbours_value_at(page, y, bit - 1)
              : neighbours_value_behind(map, page, TRN_FACE_NEG_X, y, bit + last);
    values[TRN_FACE_POS_X] =
        x < last ? neighbours_value_at(page, y, bit + 1)
                 : neighbours_value_behind(map, page, TRN_FACE_POS_X, y, bit - last);
    values[TRN_FACE_NEG_Y] = y > 0 ? neighbours_value_at(page, y - 1, bit)
                                   : neighbours_value_behind(map, page, TRN_FACE_NEG_Y, last, bit);
    values[TRN_FACE_POS_Y] = y < last ? neighbours_value_at(page, y + 1, bit)
                                      : neighbours_value_behind(map, page, TRN_FACE_POS_Y, 0, bit);
    values[TRN_FACE_NEG_Z] =
        z > 0 ? neighbours_value_at(page, y, bit - row)
              : neighbours_value_behind(map, page, TRN_FACE_NEG_Z, y, bit + row * last);
    values[TRN_FACE_POS_Z] =
        z < last ? neighbours_value_at(page, y, bit + row)
                 : neighbours_value_behind(map, page, TRN_FACE_POS_Z, y, bit - row * last);
}

void trn_chunk_index_around(const TrnChunkIndex *index, TrnCoord coord,
                            uint32_t values[TRN_AROUND_COUNT])
{
    const TrnMap *map = trn_chunk_index_map(index);
    const TrnPage *page = trn_chunk_index_page(index, coord);
    const TrnCoord at = trn_page_coord(coord);
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        values[place] = neighbours_value_of(map, page, at, trn_coord_around(coord, place));
    }
}

// ---- of every chunk of a box -------------------------------------------------------------------

/// The values of a page and of the layer of cells around it, TRN_CHUNK_VALUE_NONE where no chunk
/// is. Every neighbour of a cell is a fixed step away.
enum {
    HALO_EDGE = TRN_PAGE_EDGE + 2,
    HALO_STEP_Z = HALO_EDGE,
    HALO_STEP_Y = HALO_EDGE * HALO_EDGE,
    HALO_CELLS = HALO_EDGE * HALO_EDGE * HALO_EDGE
};

static uint32_t neighbours_halo_cell(uint32_t x, uint32_t y, uint32_t z)
{
    return (x + 1) + (z + 1) * HALO_STEP_Z + (y + 1) * HALO_STEP_Y;
}

/// Fills one row along x of the halo from a row of a page; `bits` is the row's word.
static void neighbours_halo_row(uint32_t *row, const TrnFullPage *page, uint64_t bits, uint32_t y,
                                uint32_t z)
{
    const uint32_t present = (uint32_t)(bits >> (z * TRN_PAGE_EDGE) & TRN_PAGE_ROW_BITS);
    if (present == 0) { // common: most rows are all present or all absent
        memset(row, 0xFF, TRN_PAGE_EDGE * sizeof *row);
        return;
    }
    for (uint32_t x = 0; x < TRN_PAGE_EDGE; x++) {
        uint32_t absent = (present >> x & 1) - 1; // all ones where no chunk is
        row[x] = trn_full_page_value(page, trn_page_cell(y, z * TRN_PAGE_EDGE + x)) | absent;
    }
}

/// Fills the layer of rows that comes from the page behind a y or z face. @param page  may be NULL
static void neighbours_halo_rows(uint32_t *halo, const TrnFullPage *page, TrnFace face)
{
    const uint32_t last = TRN_PAGE_LAST;
    const uint32_t from = (face & 1) ? 0 : last;            // the layer in the neighbour
    const uint32_t to = (face & 1) ? last + 1 : UINT32_MAX; // and in the halo, which starts at -1
    for (uint32_t i = 0; i < TRN_PAGE_EDGE; i++) {
        const bool along_y = face >= TRN_FACE_NEG_Z; // a z layer runs over y, a y layer over z
        uint32_t y = along_y ? i : from, z = along_y ? from : i;
        uint32_t *row = halo + neighbours_halo_cell(0, along_y ? i : to, along_y ? to : i);
        if (page) {
            neighbours_halo_row(row, page, trn_full_page_word(page, TRN_PLANE_PRESENT, y), y, z);
        } else {
            memset(row, 0xFF, TRN_PAGE_EDGE * sizeof *row);
        }
    }
}

/// Fills the layer of single cells that comes from the page behind an x face.
/// @param page  may be NULL
static void neighbours_halo_columns(uint32_t *halo, const TrnFullPage *page, TrnFace face)
{
    const uint32_t last = TRN_PAGE_LAST;
    const uint32_t from = (face & 1) ? 0 : last, to = (face & 1) ? last + 1 : UINT32_MAX;
    for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
        uint64_t bits = page ? trn_full_page_word(page, TRN_PLANE_PRESENT, y) : 0;
        for (uint32_t z = 0; z < TRN_PAGE_EDGE; z++) {
            uint32_t bit = from | z << TRN_PAGE_SHIFT;
            halo[neighbours_halo_cell(to, y, z)] =
                bits >> bit & 1 ? trn_full_page_value(page, trn_page_cell(y, bit))
                                : TRN_CHUNK_VALUE_NONE;
        }
    }
}

/// Puts the chunks of a sparse page behind a face into the layer that comes from there.
static TRN_APART void neighbours_halo_sparse(uint32_t *halo, const TrnSparsePage *page,
                                             TrnFace face)
{
    const uint32_t step = (face & 1) ? TRN_PAGE_EDGE : (uint32_t)-TRN_PAGE_EDGE;
    for (uint32_t lane = 0; lane < page->capacity; lane++) {
        const uint32_t cell = trn_sparse_cell(page, lane);
        if (cell >= TRN_PAGE_CELLS) {
            return;
        }
        const TrnSparseEntry entry = trn_sparse_entry(page, lane);
        // Seen from the page in the middle; -1 wraps.
        const uint32_t x = (cell & TRN_PAGE_LAST) + (face / 2 == 0 ? step : 0);
        const uint32_t y = cell / TRN_PAGE_WORD_BITS + (face / 2 == 1 ? step : 0);
        const uint32_t z = (cell >> TRN_PAGE_SHIFT & TRN_PAGE_LAST) + (face / 2 == 2 ? step : 0);
        const bool is_in_halo = x + 1 < HALO_EDGE && y + 1 < HALO_EDGE && z + 1 < HALO_EDGE;
        if (is_in_halo && (entry.bits & TRN_PLANE_BIT(TRN_PLANE_PRESENT))) {
            halo[neighbours_halo_cell(x, y, z)] = entry.value;
        }
    }
}

static void neighbours_halo_fill(uint32_t *halo, const TrnMap *map, const TrnFullPage *page)
{
    for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
        uint64_t bits = trn_full_page_word(page, TRN_PLANE_PRESENT, y);
        for (uint32_t z = 0; z < TRN_PAGE_EDGE; z++) {
            neighbours_halo_row(halo + neighbours_halo_cell(0, y, z), page, bits, y, z);
        }
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const TrnPage *there = trn_page_behind(map, &page->head, (TrnFace)face);
        const TrnFullPage *full = trn_page_is_full(there) ? trn_page_full(there) : NULL;
        if (face <= TRN_FACE_POS_X) {
            neighbours_halo_columns(halo, full, (TrnFace)face);
        } else {
            neighbours_halo_rows(halo, full, (TrnFace)face);
        }
        if (trn_page_is_sparse(there)) {
            neighbours_halo_sparse(halo, trn_page_sparse(there), (TrnFace)face);
        }
    }
}

/// The state of one gather of neighbours.
typedef struct NeighboursRun {
    uint32_t *values;
    uint32_t (*neighbours)[TRN_FACE_COUNT];
    size_t capacity, count;
} NeighboursRun;

/// Finds the present cells of a page that lie in a box. @param inner  the pages wholly inside it
/// @return false if no cell can match
static bool neighbours_words(const TrnPage *page, TrnBox box, const TrnBox *inner,
                             TrnPageWords *words)
{
    TrnPageWords present;
    if (trn_box_contains(*inner, trn_page_coord_of(page))) {
        memset(words, 0xFF, sizeof *words);
    } else if (!trn_page_clip(trn_page_coord_of(page), box, words)) {
        return false;
    }
    trn_page_plane(page, TRN_PLANE_PRESENT, &present);
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        words->words[word] &= present.words[word];
    }
    return true;
}

/// Few chunks: each neighbour is looked up.
static void neighbours_gather_sparse(NeighboursRun *run, const TrnMap *map, const TrnPage *page,
                                     const TrnPageWords *words)
{
    uint32_t values[TRN_SPARSE_CAPACITY_MAX];
    trn_sparse_compress(trn_page_sparse(page), words, values);
    const uint32_t *value = values;
    for (uint32_t y = 0; y < TRN_PAGE_WORDS; y++) {
        for (uint64_t bits = words->words[y]; bits; bits &= bits - 1, value++, run->count++) {
            if (run->count >= run->capacity) {
                continue; // counts the rest
            }
            const TrnCoord chunk =
                trn_page_chunk(trn_page_coord_of(page), y, (uint32_t)__builtin_ctzll(bits));
            neighbours_look_up(map, page, chunk, run->neighbours[run->count]);
            if (run->values) {
                run->values[run->count] = *value;
            }
        }
    }
}

static void neighbours_gather_full(NeighboursRun *run, const TrnMap *map, const TrnFullPage *page,
                                   const TrnPageWords *words)
{
    uint32_t halo[HALO_CELLS];
    neighbours_halo_fill(halo, map, page);
    NeighboursRun to = *run; // a copy stays in registers: 12 % faster
    for (uint32_t y = 0; y < TRN_PAGE_WORDS; y++) {
        for (uint64_t bits = words->words[y]; bits; bits &= bits - 1) {
            if (to.count >= to.capacity) {
                to.count += (size_t)__builtin_popcountll(bits);
                break;
            }
            uint32_t bit = (uint32_t)__builtin_ctzll(bits);
            const uint32_t *cell =
                halo + neighbours_halo_cell(bit & TRN_PAGE_LAST, y, bit >> TRN_PAGE_SHIFT);
            uint32_t *out = to.neighbours[to.count];
            out[TRN_FACE_NEG_X] = cell[-1];
            out[TRN_FACE_POS_X] = cell[1];
            out[TRN_FACE_NEG_Y] = cell[-HALO_STEP_Y];
            out[TRN_FACE_POS_Y] = cell[HALO_STEP_Y];
            out[TRN_FACE_NEG_Z] = cell[-HALO_STEP_Z];
            out[TRN_FACE_POS_Z] = cell[HALO_STEP_Z];
            if (to.values) {
                to.values[to.count] = trn_full_page_value(page, trn_page_cell(y, bit));
            }
            to.count++;
        }
    }
    run->count = to.count;
}

size_t trn_chunk_index_gather_neighbours(const TrnChunkIndex *index, TrnBox box, uint32_t *values,
                                         uint32_t (*neighbours)[TRN_FACE_COUNT], size_t capacity)
{
    if (trn_box_is_empty(box)) {
        return 0;
    }
    NeighboursRun run = {values, neighbours, capacity, 0};
    const TrnBox inner = trn_page_box_inside(box);
    const TrnMap *map = trn_chunk_index_map(index);
    TrnMapWalk walk = trn_map_walk(map, trn_page_box(box));
    for (const TrnPage *page; (page = trn_map_walk_next(&walk));) {
        TrnPageWords words;
        if (!neighbours_words(page, box, &inner, &words)) {
            continue;
        }
        if (trn_page_is_sparse(page)) {
            neighbours_gather_sparse(&run, map, page, &words);
        } else {
            neighbours_gather_full(&run, map, trn_page_full(page), &words);
        }
    }
    return run.count;
}
