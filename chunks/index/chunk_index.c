// The chunk index: its life, and what changes it by one chunk or asks it for one. Planes are in
// chunk_planes.c, gathers in chunk_gather.c, readers in chunk_readers.c, pages in page_make.c.

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

/// Adds a chunk to a page; EXISTS when it is there already.
static inline TrnResult index_insert_in(TrnChunkIndex *index, TrnPage *page, TrnCoord coord,
                                        uint32_t value)
{
    const uint32_t y = trn_page_y(coord), place = trn_page_bit(coord);
    const uint64_t word = trn_page_word(page, TRN_PLANE_PRESENT, y);
    if (word >> place & 1) {
        return TRN_RESULT_EXISTS;
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
    const TrnPage *page = trn_chunk_index_directory_page(index, coord);
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
        TrnResult result = trn_chunk_index_begin_retiring(index);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    index_clear_bits(page, index->leaving_planes, y, bit);
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
    const uint32_t y = trn_page_y(coord), place = trn_page_bit(coord);
    const uint64_t word = trn_page_word(page, TRN_PLANE_PRESENT, y), bit = UINT64_C(1) << place;
    if (!(word & bit)) {
        return TRN_RESULT_NOT_FOUND;
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
    return page ? index_remove_in(index, page, coord, value) : TRN_RESULT_NOT_FOUND;
}

TrnResult trn_chunk_index_remove(TrnChunkIndex *index, TrnCoord coord, uint32_t *value)
{
    TrnPage *page = trn_chunk_index_directory_page(index, coord);
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

void trn_chunk_index_around(const TrnChunkIndex *index, TrnCoord coord,
                            uint32_t values[TRN_AROUND_COUNT])
{
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        values[place] = index_value_of(index, trn_coord_around(coord, place));
    }
}
