// The chunk index: what changes it, and what asks it for one chunk. Gathers are in chunk_gather.c.

#include <terrane/chunk_index.h>

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"
#include "chunk_index_impl.h"
#include "kernel_choice.h"

#define INDEX_READERS_DEFAULT 16
#define INDEX_DIRECTORY_BYTES_DEFAULT ((size_t)256 << 20)
#define INDEX_RETIRED_BYTES_DEFAULT ((size_t)64 << 20)
#define INDEX_READER_LIMIT 256
#define INDEX_PAGES_DEFAULT (1u << 20)
#define INDEX_PAGE_LIMIT (1u << 31) // what a pool holds

/// Few, so that what a small world leaves unused of its last block stays small beside what it uses.
#define INDEX_PAGES_PER_BLOCK 8

/// The most that one write retires: a page, and the map that it made way for.
#define INDEX_RETIRED_BY_WRITE 2

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
    TrnPageKernels kernels[3];
    trn_page_kernels(kernels);
    index->kernels = kernels[0];
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
    TrnPageKernels kernels[3];
    const size_t count = trn_page_kernels(kernels);
    for (size_t at = 0; at < count; at++) {
        if (strcmp(kernels[at].name, name) == 0) {
            index->kernels = kernels[at];
            return true;
        }
    }
    return false;
}

const char *trn_chunk_index_kernels_name(const TrnChunkIndex *index)
{
    return index->kernels.name;
}

// ---- retiring ----------------------------------------------------------------------------------

static void index_free_page(void *page, void *context)
{
    TrnChunkIndex *index = context;
    trn_pool_free(index->pages, trn_pool_id(index->pages, page));
}

static void index_free_map(void *map, void *context)
{
    (void)context;
    trn_page_map_destroy(map);
}

/// Before a write that retires something: makes room for it, and refuses where readers hold too much back.
static TrnResult index_begin_retiring(TrnChunkIndex *index)
{
    TrnRetire *retire = &index->retire;
    if (retire->bytes > index->retired_bytes_max) {
        trn_retire_reclaim(retire);
        if (retire->bytes > index->retired_bytes_max) {
            return TRN_RESULT_READERS;
        }
    }
    return trn_retire_reserve(retire, INDEX_RETIRED_BY_WRITE);
}

/// Makes a map the one that new readers see.
static void index_publish(TrnChunkIndex *index, TrnPageMap *next)
{
    TrnPageMap *old = trn_chunk_index_map(index);
    if (next == old) {
        return;
    }
    trn_chunk_index_note_step(index, old, next);
    atomic_store_explicit(&index->map, next, memory_order_release);
    trn_retire(&index->retire, old, index_free_map, trn_page_map_bytes(old, next));
}

// ---- pages -------------------------------------------------------------------------------------

/// The coordinate of the page behind a face; pages wrap where chunks do.
static TrnCoord index_page_behind(TrnCoord page, TrnFace face)
{
    const uint32_t edge = TRN_PAGE_EDGE;
    TrnCoord chunk = {(int32_t)((uint32_t)page.x * edge), (int32_t)((uint32_t)page.y * edge),
                      (int32_t)((uint32_t)page.z * edge)};
    int32_t step = (face & 1) ? TRN_PAGE_EDGE : -TRN_PAGE_EDGE;
    int axis = (int)face / 2;
    return trn_page_coord(
        trn_coord_add(chunk, axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0));
}

/// Lets a page that is not in the map yet know the six around it. Done before anybody can find the page: a reader that finds it
/// must find its neighbours too.
static void index_meet_neighbours(const TrnPageMap *map, TrnPage *page)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnCoord behind = index_page_behind(page->coord, (TrnFace)face);
        TrnPage *there = trn_page_map_find(map, behind.x, behind.y, behind.z);
        atomic_store_explicit(&page->neighbours[face], there, memory_order_relaxed);
    }
}

/// Tells the six pages around a page of it, or, with NULL, that it is gone.
static void index_tell_neighbours(TrnPage *page, TrnPage *link)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnPage *there = trn_page_neighbour(page, (TrnFace)face);
        if (there) {
            atomic_store_explicit(&there->neighbours[face ^ 1], link, memory_order_release);
        }
    }
}

/// Makes a page where there is none. It is empty: the write that asked for it fills it.
static TrnResult index_make_page(TrnChunkIndex *index, TrnCoord coord, TrnPage **page)
{
    TrnResult result = index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPoolId id;
    void *slot;
    result = trn_pool_alloc(index->pages, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPage *made = slot;
    memset(made, 0, trn_page_bytes(index->plane_count));
    made->coord = coord;
    TrnPageMap *map = trn_chunk_index_map(index), *next;
    index_meet_neighbours(map, made);
    result = trn_page_map_add(map, made, &next);
    if (result != TRN_RESULT_OK) {
        trn_pool_free(index->pages, id);
        return result;
    }
    index_publish(index, next);
    index_tell_neighbours(made, made);
    *page = made;
    return TRN_RESULT_OK;
}

/// Retires a page without a bit.
static void index_drop_page(TrnChunkIndex *index, TrnPage *page)
{
    TrnPageMap *map = trn_chunk_index_map(index);
    trn_page_map_remove(map, page);
    index_tell_neighbours(page, NULL);
    trn_retire(&index->retire, page, index_free_page, trn_page_bytes(index->plane_count));
    // Where there is no memory to cut the map down, it stays as it is.
    TrnPageMap *next = map;
    if (trn_page_map_fit(map, &next) == TRN_RESULT_OK) {
        index_publish(index, next);
    }
}

// ---- one chunk ---------------------------------------------------------------------------------

/// The page of a chunk if it stands in the directory, as nearly all do. Whoever gets NULL goes on in a function of its own, so that
/// the common way needs no stack.
static inline TrnPage *index_directory_page(const TrnChunkIndex *index, TrnCoord chunk)
{
    const _Atomic(TrnPage *) *cell =
        trn_page_map_cell(trn_chunk_index_map(index), chunk.x >> TRN_PAGE_SHIFT,
                          chunk.y >> TRN_PAGE_SHIFT, chunk.z >> TRN_PAGE_SHIFT);
    return cell ? atomic_load_explicit(cell, memory_order_acquire) : NULL;
}

/// Adds a chunk to a page; PRESENT when it is there already.
static inline TrnResult index_insert_in(TrnChunkIndex *index, TrnPage *page, TrnCoord coord,
                                        uint32_t value)
{
    const uint32_t y = trn_page_y(coord), place = trn_page_bit(coord);
    const uint64_t word = trn_page_word(page, TRN_PLANE_PRESENT, y);
    if (word >> place & 1) {
        return TRN_RESULT_PRESENT;
    }
    // The value first: whoever sees the bit sees the value.
    atomic_store_explicit(&page->values[y * 64 + place], value, memory_order_release);
    trn_page_store(page, TRN_PLANE_PRESENT, y, word | UINT64_C(1) << place);
    index->chunk_count++;
    return TRN_RESULT_OK;
}

/// Inserts where the directory has no page: among the outliers, or in a new one.
static TRN_RARE TrnResult index_insert_elsewhere(TrnChunkIndex *index, TrnCoord coord,
                                                 uint32_t value)
{
    TrnPage *page = trn_chunk_index_page(index, coord);
    if (!page) {
        TrnResult result = index_make_page(index, trn_page_coord(coord), &page);
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
    TrnPage *page = index_directory_page(index, coord);
    return page ? index_insert_in(index, page, coord, value)
                : index_insert_elsewhere(index, coord, value);
}

static inline bool index_find_in(const TrnPage *page, TrnCoord coord, uint32_t *value)
{
    if (!trn_page_test(page, TRN_PLANE_PRESENT, coord)) {
        return false;
    }
    if (value) {
        *value = trn_page_value(page, trn_page_cell(coord));
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
    const TrnPage *page = index_directory_page(index, coord);
    return page ? index_find_in(page, coord, value) : index_find_elsewhere(index, coord, value);
}

/// Clears bits in one word of each plane of a set.
static void index_clear_bits(TrnPage *page, uint32_t planes, uint32_t y, uint64_t bits)
{
    for (uint32_t set = planes; set; set &= set - 1) {
        TrnPlane plane = (TrnPlane)__builtin_ctz(set);
        trn_page_store(page, plane, y, trn_page_word(page, plane, y) & ~bits);
    }
}

/// Whether a page holds nothing but these bits of these planes.
static bool index_page_would_be_empty(const TrnChunkIndex *index, const TrnPage *page,
                                      uint32_t planes, uint32_t y, uint64_t bits)
{
    uint64_t any = 0;
    for (TrnPlane plane = 0; plane < index->plane_count; plane++) {
        for (uint32_t i = 0; i < TRN_PAGE_EDGE; i++) {
            uint64_t going = i == y && (planes >> plane & 1) ? bits : 0;
            any |= trn_page_word(page, plane, i) & ~going;
        }
    }
    return any == 0;
}

/// Removes the last chunk of a word, and the page with it when it was its last bit.
static TRN_RARE TrnResult index_remove_last_of_word(TrnChunkIndex *index, TrnPage *page, uint32_t y,
                                                    uint64_t bit, uint32_t *value)
{
    const uint32_t old = trn_page_value(page, y * 64 + (uint32_t)__builtin_ctzll(bit));
    bool drop = index_page_would_be_empty(index, page, index->leaving_planes, y, bit);
    if (drop) {
        TrnResult result = index_begin_retiring(index);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    index_clear_bits(page, index->leaving_planes, y, bit);
    index->chunk_count--;
    if (drop) {
        index_drop_page(index, page);
    }
    if (value) {
        *value = old;
    }
    return TRN_RESULT_OK;
}

static inline TrnResult index_remove_in(TrnChunkIndex *index, TrnPage *page, TrnCoord coord,
                                        uint32_t *value)
{
    const uint32_t y = trn_page_y(coord), place = trn_page_bit(coord);
    const uint64_t word = trn_page_word(page, TRN_PLANE_PRESENT, y), bit = UINT64_C(1) << place;
    if (!(word & bit)) {
        return TRN_RESULT_ABSENT;
    }
    if (word == bit) { // only with the last bit of a word can the last bit of the page go
        return index_remove_last_of_word(index, page, y, bit, value);
    }
    const uint32_t old = trn_page_value(page, y * 64 + place);
    index_clear_bits(page, index->leaving_planes, y, bit);
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
    return page ? index_remove_in(index, page, coord, value) : TRN_RESULT_ABSENT;
}

TrnResult trn_chunk_index_remove(TrnChunkIndex *index, TrnCoord coord, uint32_t *value)
{
    TrnPage *page = index_directory_page(index, coord);
    return page ? index_remove_in(index, page, coord, value)
                : index_remove_elsewhere(index, coord, value);
}

/// The value of a cell of a page (which may be NULL), or none.
static inline uint32_t index_value_at(const TrnPage *page, uint32_t y, uint32_t bit)
{
    return page && (trn_page_word(page, TRN_PLANE_PRESENT, y) >> bit & 1)
               ? trn_page_value(page, y * 64 + bit)
               : TRN_CHUNK_VALUE_NONE;
}

static uint32_t index_value_of(const TrnChunkIndex *index, TrnCoord chunk)
{
    return index_value_at(trn_chunk_index_page(index, chunk), trn_page_y(chunk),
                          trn_page_bit(chunk));
}

void trn_chunk_index_neighbours(const TrnChunkIndex *index, TrnCoord coord,
                                uint32_t values[TRN_FACE_COUNT])
{
    const TrnPage *page = trn_chunk_index_page(index, coord);
    if (!page) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            values[face] = index_value_of(index, trn_coord_neighbour(coord, (TrnFace)face));
        }
        return;
    }
    // A step inside the page is one bit along x, eight along z, one word along y; across its border
    // it wraps in the page behind.
    const uint32_t y = trn_page_y(coord), bit = trn_page_bit(coord), last = TRN_PAGE_EDGE - 1;
    const uint32_t x = bit & last, z = bit >> TRN_PAGE_SHIFT;
    values[TRN_FACE_NEG_X] =
        x > 0 ? index_value_at(page, y, bit - 1)
              : index_value_at(trn_page_neighbour(page, TRN_FACE_NEG_X), y, bit + last);
    values[TRN_FACE_POS_X] =
        x < last ? index_value_at(page, y, bit + 1)
                 : index_value_at(trn_page_neighbour(page, TRN_FACE_POS_X), y, bit - last);
    values[TRN_FACE_NEG_Y] =
        y > 0 ? index_value_at(page, y - 1, bit)
              : index_value_at(trn_page_neighbour(page, TRN_FACE_NEG_Y), last, bit);
    values[TRN_FACE_POS_Y] = y < last
                                 ? index_value_at(page, y + 1, bit)
                                 : index_value_at(trn_page_neighbour(page, TRN_FACE_POS_Y), 0, bit);
    values[TRN_FACE_NEG_Z] =
        z > 0 ? index_value_at(page, y, bit - 8)
              : index_value_at(trn_page_neighbour(page, TRN_FACE_NEG_Z), y, bit + 8 * last);
    values[TRN_FACE_POS_Z] =
        z < last ? index_value_at(page, y, bit + 8)
                 : index_value_at(trn_page_neighbour(page, TRN_FACE_POS_Z), y, bit - 8 * last);
}

void trn_chunk_index_around(const TrnChunkIndex *index, TrnCoord coord, uint32_t values[27])
{
    for (int i = 0; i < 27; i++) {
        TrnCoord there = trn_coord_add(coord, i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1);
        values[i] = index_value_of(index, there);
    }
}

// ---- planes ------------------------------------------------------------------------------------

TrnPlane trn_chunk_index_plane(const TrnChunkIndex *index, const char *name)
{
    for (TrnPlane plane = 0; name && plane < index->plane_count; plane++) {
        if (strcmp(index->plane_names[plane], name) == 0) {
            return plane;
        }
    }
    return TRN_PLANE_COUNT_MAX;
}

/// Whether a caller may write a plane.
static bool index_plane_is_open(const TrnChunkIndex *index, TrnPlane plane)
{
    return plane != TRN_PLANE_PRESENT && plane < index->plane_count;
}

/// Drops a page that has no bit left. Where readers or memory are in the way it stays, empty and harmless, until a later write
/// that clears bits comes by: the write that emptied it has been done and does not fail for this.
static void index_drop_if_empty(TrnChunkIndex *index, TrnPage *page)
{
    if (trn_page_is_empty(page, index->plane_count) &&
        index_begin_retiring(index) == TRN_RESULT_OK) {
        index_drop_page(index, page);
    }
}

/// Sets or clears the part of a box that lies in one page.
static TrnResult index_plane_fill_page(TrnChunkIndex *index, TrnPlane plane, TrnCoord coord,
                                       TrnBox box, bool bit)
{
    TrnPage *page = trn_page_map_find(trn_chunk_index_map(index), coord.x, coord.y, coord.z);
    if (!page) {
        TrnResult result = bit ? index_make_page(index, coord, &page) : TRN_RESULT_OK;
        if (!bit || result != TRN_RESULT_OK) {
            return result;
        }
    }
    TrnPageWords words;
    trn_page_clip(page, box, &words);
    uint64_t left = 0;
    for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
        uint64_t old = trn_page_word(page, plane, y);
        uint64_t word = bit ? old | words.y[y] : old & ~words.y[y];
        trn_page_store(page, plane, y, word);
        left |= word;
    }
    if (left == 0) {
        index_drop_if_empty(index, page);
    }
    return TRN_RESULT_OK;
}

/// One word, and not the page's eight: chunks' states change one by one, thousands of times a frame.
static inline TrnResult index_plane_set_in(TrnChunkIndex *index, TrnPage *page, TrnPlane plane,
                                           TrnCoord coord, bool bit)
{
    const uint32_t y = trn_page_y(coord);
    const uint64_t cell = UINT64_C(1) << trn_page_bit(coord), old = trn_page_word(page, plane, y);
    const uint64_t word = bit ? old | cell : old & ~cell;
    if (word != old) {
        trn_page_store(page, plane, y, word);
    }
    if (word == 0) {
        index_drop_if_empty(index, page);
    }
    return TRN_RESULT_OK;
}

static TRN_RARE TrnResult index_plane_set_elsewhere(TrnChunkIndex *index, TrnPlane plane,
                                                    TrnCoord coord, bool bit)
{
    return index_plane_fill_page(index, plane, trn_page_coord(coord), (TrnBox){coord, coord}, bit);
}

TrnResult trn_chunk_index_plane_set(TrnChunkIndex *index, TrnPlane plane, TrnCoord coord, bool bit)
{
    if (!index_plane_is_open(index, plane)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPage *page = index_directory_page(index, coord);
    return page ? index_plane_set_in(index, page, plane, coord, bit)
                : index_plane_set_elsewhere(index, plane, coord, bit);
}

/// Clears a box: only pages that are there matter, so a huge box costs no more than the pages in it.
static void index_plane_clear_box(TrnChunkIndex *index, TrnPlane plane, TrnBox box)
{
    const TrnPageMap *map = trn_chunk_index_map(index);
    TrnPageWalk walk = trn_page_walk(map, trn_page_box(box));
    for (TrnPage *page; (page = trn_page_walk_next(&walk));) {
        (void)index_plane_fill_page(index, plane, page->coord, box, false); // only setting can fail
        if (trn_chunk_index_map(index) !=
            map) { // the walked one may be gone; what is done is clear already
            map = trn_chunk_index_map(index);
            walk = trn_page_walk(map, trn_page_box(box));
        }
    }
}

/// Sets a box, page by page.
static TrnResult index_plane_set_box(TrnChunkIndex *index, TrnPlane plane, TrnBox box)
{
    const TrnBox pages = trn_page_box(box);
    for (int64_t y = pages.min.y; y <= pages.max.y; y++) {
        for (int64_t z = pages.min.z; z <= pages.max.z; z++) {
            for (int64_t x = pages.min.x; x <= pages.max.x; x++) {
                TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                TrnResult result = index_plane_fill_page(index, plane, coord, box, true);
                if (result != TRN_RESULT_OK) {
                    return result;
                }
            }
        }
    }
    return TRN_RESULT_OK;
}

/// Whether a box of pages is more than an index may hold.
static bool index_box_is_too_large(const TrnChunkIndex *index, TrnBox pages)
{
    // At most 2^29 pages along an axis, so that a layer does not overflow.
    uint64_t layer = ((uint64_t)((int64_t)pages.max.x - pages.min.x) + 1) *
                     ((uint64_t)((int64_t)pages.max.z - pages.min.z) + 1);
    uint64_t height = (uint64_t)((int64_t)pages.max.y - pages.min.y) + 1;
    return layer > index->page_max || layer * height > index->page_max;
}

TrnResult trn_chunk_index_plane_fill(TrnChunkIndex *index, TrnPlane plane, TrnBox box, bool bit)
{
    if (!index_plane_is_open(index, plane)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (trn_box_is_empty(box)) {
        return TRN_RESULT_OK;
    }
    if (!bit) {
        index_plane_clear_box(index, plane, box);
        return TRN_RESULT_OK;
    }
    return index_box_is_too_large(index, trn_page_box(box))
               ? TRN_RESULT_FULL
               : index_plane_set_box(index, plane, box);
}

bool trn_chunk_index_plane_test(const TrnChunkIndex *index, TrnPlane plane, TrnCoord coord)
{
    const TrnPage *page = plane < index->plane_count ? trn_chunk_index_page(index, coord) : NULL;
    return page && trn_page_test(page, plane, coord);
}

/// Drops all pages that have no bit left.
static void index_drop_empty_pages(TrnChunkIndex *index)
{
    const TrnPageMap *map = trn_chunk_index_map(index);
    TrnPageWalk walk = trn_page_walk(map, trn_page_box(trn_box_everything()));
    for (TrnPage *page; (page = trn_page_walk_next(&walk));) {
        index_drop_if_empty(index, page);
        if (trn_chunk_index_map(index) != map) {
            map = trn_chunk_index_map(index);
            walk = trn_page_walk(map, trn_page_box(trn_box_everything()));
        }
    }
}

TrnResult trn_chunk_index_plane_compute(TrnChunkIndex *index, TrnPlane plane,
                                        const TrnPlaneQuery *query)
{
    if (!query || !index_plane_is_open(index, plane) ||
        !trn_chunk_index_query_is_valid(index, query) ||
        ((query->all_faces | query->all_around) & TRN_PLANE_BIT(plane))) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    bool emptied = false;
    TrnPageWalk walk =
        trn_page_walk(trn_chunk_index_map(index), trn_page_box(trn_box_everything()));
    for (TrnPage *page; (page = trn_page_walk_next(&walk));) {
        TrnPageWords words;
        index->kernels.query(page, query, &words);
        uint64_t any = 0;
        for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
            trn_page_store(page, plane, y, words.y[y]);
            any |= words.y[y];
        }
        emptied |= any == 0 && trn_page_is_empty(page, index->plane_count);
    }
    if (emptied) {
        index_drop_empty_pages(index);
    }
    return TRN_RESULT_OK;
}

// ---- the whole ---------------------------------------------------------------------------------

TrnResult trn_chunk_index_clear(TrnChunkIndex *index)
{
    TrnResult result = index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const uint32_t pages = trn_pool_stats(index->pages).taken;
    result = trn_retire_reserve(&index->retire, (size_t)pages + 1);
    TrnPageMap *next;
    if (result == TRN_RESULT_OK) {
        result = trn_page_map_create(&index->allocator, index->directory_bytes_max, &next);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPageMap *old = trn_chunk_index_map(index);
    trn_chunk_index_note_step(index, old, next);
    atomic_store_explicit(&index->map, next, memory_order_release);
    TrnPageWalk walk = trn_page_walk(old, trn_page_box(trn_box_everything()));
    for (TrnPage *page; (page = trn_page_walk_next(&walk));) {
        trn_retire(&index->retire, page, index_free_page, trn_page_bytes(index->plane_count));
    }
    trn_retire(&index->retire, old, index_free_map, trn_page_map_bytes(old, NULL));
    index->chunk_count = 0;
    return TRN_RESULT_OK;
}

TrnResult trn_chunk_index_reserve(TrnChunkIndex *index, TrnBox box)
{
    if (trn_box_is_empty(box)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPageMap *next;
    result = trn_page_map_reserve(trn_chunk_index_map(index), trn_page_box(box), &next);
    if (result == TRN_RESULT_OK) {
        index_publish(index, next);
    }
    return result;
}

// ---- readers -----------------------------------------------------------------------------------

struct TrnChunkReader {
    TrnReaderSlot slot;
};

TrnResult trn_chunk_index_reader_create(TrnChunkIndex *index, const char *name,
                                        TrnChunkReader **reader)
{
    for (uint32_t i = 0; i < index->retire.reader_max; i++) {
        TrnReaderSlot *slot = &index->retire.readers[i];
        uint32_t vacant = 0;
        if (atomic_compare_exchange_strong(&slot->taken, &vacant, 1)) {
            strncpy(slot->name, name ? name : "reader", TRN_READER_NAME_MAX - 1);
            *reader = (TrnChunkReader *)slot;
            return TRN_RESULT_OK;
        }
    }
    return TRN_RESULT_FULL;
}

void trn_chunk_index_reader_destroy(TrnChunkReader *reader)
{
    if (!reader) {
        return;
    }
    trn_chunk_index_read_end(reader);
    atomic_store_explicit(&reader->slot.taken, 0, memory_order_release);
}

void trn_chunk_index_read_begin(TrnChunkReader *reader)
{
    TRN_ASSERT(atomic_load_explicit(&reader->slot.epoch, memory_order_relaxed) == 0); // no nesting
    uint64_t epoch = atomic_load_explicit(reader->slot.now, memory_order_seq_cst);
    atomic_store_explicit(&reader->slot.epoch, epoch, memory_order_seq_cst);
    // Keeps what follows behind the store: see trn_retire.
    (void)atomic_load_explicit(reader->slot.now, memory_order_seq_cst);
}

void trn_chunk_index_read_end(TrnChunkReader *reader)
{
    atomic_store_explicit(&reader->slot.epoch, 0, memory_order_release);
}

const char *trn_chunk_index_slowest_reader(const TrnChunkIndex *index)
{
    const TrnReaderSlot *slot = trn_retire_slowest(&index->retire);
    return slot ? slot->name : NULL;
}

void trn_chunk_index_retire(TrnChunkIndex *index, const TrnRetireOwner *owner, TrnRetireLink *link)
{
    TRN_ASSERT(owner && owner->free && link);
    trn_retire_link(&index->retire, owner, link);
}

void trn_chunk_index_reclaim(TrnChunkIndex *index)
{
    trn_retire_reclaim(&index->retire);
}

// ---- figures -----------------------------------------------------------------------------------

TrnChunkIndexStats trn_chunk_index_stats(const TrnChunkIndex *index)
{
    const TrnPageMap *map = trn_chunk_index_map(index);
    TrnSpatialArrayStats directory = trn_spatial_array_stats(map->directory->array);
    TrnChunkIndexStats stats = {
        .chunks = index->chunk_count,
        .pages = (size_t)map->directory_pages + map->hash_pages,
        .directory = trn_page_map_box(map),
        .directory_cells = directory.cells,
        .directory_growths = directory.growths,
        .outliers = map->hash_pages,
        .retired_bytes = index->retire.bytes,
    };
    if (stats.pages) {
        stats.fill = (double)stats.chunks / ((double)stats.pages * TRN_PAGE_CELLS);
    }
    // Retired pages are still slots of the pool; retired maps are not in the map's figure.
    stats.bytes = sizeof *index + trn_pool_stats(index->pages).bytes +
                  trn_page_map_bytes(map, NULL) + trn_retire_own_bytes(&index->retire);
    for (size_t i = 0; i < index->retire.count; i++) {
        const TrnRetired *retired =
            &index->retire.ring[(index->retire.first + i) & (index->retire.capacity - 1)];
        stats.bytes += retired->free == index_free_map ? retired->bytes : 0;
    }
    TrnPageWalk walk = trn_page_walk(map, trn_page_box(trn_box_everything()));
    for (const TrnPage *page; (page = trn_page_walk_next(&walk));) {
        for (TrnPlane plane = 0; plane < index->plane_count; plane++) {
            for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
                stats.plane_counts[plane] +=
                    (size_t)__builtin_popcountll(trn_page_word(page, plane, y));
            }
        }
    }
    return stats;
}
