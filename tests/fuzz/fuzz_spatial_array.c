/// The spatial array against a list of elements, in one to three dimensions, with elements of every
/// size, a limit of bytes and memory that runs out.
#include "fuzz.h"
#include "testing.h"

#include <terrane/spatial_array.h>

#define ELEMENTS_MAX 600
#define ELEMENT_BYTES_MAX 40

typedef struct Element {
    TrnCoord coord;
    uint8_t value; ///< repeated; 0 is the sentinel
} Element;

typedef struct SpatialFuzz {
    FuzzProgram program;
    TestAllocator memory;
    TrnSpatialArray *array;
    Element elements[ELEMENTS_MAX]; ///< [count] in memory order: by y, z and x
    uint32_t count;
} SpatialFuzz;

static bool comes_before(TrnCoord a, TrnCoord b)
{
    return a.y != b.y ? a.y < b.y : a.z != b.z ? a.z < b.z : a.x < b.x;
}

/// Returns the place of a coordinate in the list, or where it would stand.
static uint32_t place_of(const SpatialFuzz *fuzz, TrnCoord coord)
{
    uint32_t place = 0;
    while (place < fuzz->count && comes_before(fuzz->elements[place].coord, coord)) {
        place++;
    }
    return place;
}

static bool is_there(const SpatialFuzz *fuzz, TrnCoord coord)
{
    const uint32_t place = place_of(fuzz, coord);
    return place < fuzz->count && trn_coord_equal(fuzz->elements[place].coord, coord);
}

/// Chooses a coordinate: mostly near, sometimes at an end of int32, rarely beyond the dimensions.
static TrnCoord choose_coord(SpatialFuzz *fuzz)
{
    static const int32_t ends[] = {INT32_MIN, INT32_MAX, -100, 1000, 1 << 20, -(1 << 20)};
    const int dimensions = fuzz->array->dimensions;
    const uint32_t kind = fuzz_below(&fuzz->program, 16);
    TrnCoord coord = {fuzz_between(&fuzz->program, -6, 9), fuzz_between(&fuzz->program, -6, 9),
                      fuzz_between(&fuzz->program, -6, 9)};
    coord.x = kind < 6 ? ends[kind] : coord.x;
    coord.y = dimensions == 3 || kind == 15 ? coord.y : 0;
    coord.z = dimensions >= 2 || kind == 14 ? coord.z : 0;
    return coord;
}

static bool fits(const SpatialFuzz *fuzz, TrnCoord coord)
{
    return (coord.y == 0 || fuzz->array->dimensions == 3) &&
           (coord.z == 0 || fuzz->array->dimensions >= 2);
}

static bool is_short(TrnResult result)
{
    return result == TRN_RESULT_NO_MEMORY || result == TRN_RESULT_OUT_OF_RANGE;
}

static void insert(SpatialFuzz *fuzz)
{
    uint8_t element[ELEMENT_BYTES_MAX];
    const TrnCoord coord = choose_coord(fuzz);
    const uint8_t value = (uint8_t)fuzz_number(&fuzz->program, 1);
    memset(element, value, sizeof element);
    const TrnResult result = trn_spatial_array_insert(fuzz->array, coord, element);
    if (value == 0 || !fits(fuzz, coord)) {
        FUZZ_REQUIRE(result == TRN_RESULT_BAD_ARGUMENT);
        return;
    }
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (is_short(result) && !is_there(fuzz, coord)));
    if (result != TRN_RESULT_OK) {
        return;
    }
    const uint32_t place = place_of(fuzz, coord);
    if (!is_there(fuzz, coord)) {
        memmove(&fuzz->elements[place + 1], &fuzz->elements[place],
                (fuzz->count - place) * sizeof(Element));
        fuzz->count++;
    }
    fuzz->elements[place] = (Element){coord, value};
}

static void remove_one(SpatialFuzz *fuzz)
{
    const TrnCoord coord = choose_coord(fuzz);
    const bool was_there = is_there(fuzz, coord);
    FUZZ_REQUIRE(trn_spatial_array_remove(fuzz->array, coord) ==
                 (was_there ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND));
    if (was_there) {
        const uint32_t place = place_of(fuzz, coord);
        fuzz->count--;
        memmove(&fuzz->elements[place], &fuzz->elements[place + 1],
                (fuzz->count - place) * sizeof(Element));
    }
}

static TrnBox choose_box(SpatialFuzz *fuzz)
{
    return (TrnBox){choose_coord(fuzz), choose_coord(fuzz)};
}

static void gather(SpatialFuzz *fuzz)
{
    const TrnBox box = choose_box(fuzz);
    const size_t bytes = fuzz->array->element_bytes;
    const uint32_t capacity = fuzz_below(&fuzz->program, ELEMENTS_MAX);
    uint8_t *out = malloc(capacity * bytes + 1); // exactly, so that a sanitizer sees a write behind
    uint32_t expected = 0;
    FUZZ_REQUIRE(out);
    const size_t count =
        trn_spatial_array_gather(fuzz->array, box, capacity ? out : NULL, capacity);
    for (uint32_t i = 0; i < fuzz->count; i++) {
        if (trn_box_contains(box, fuzz->elements[i].coord)) {
            FUZZ_REQUIRE(expected >= capacity || out[expected * bytes] == fuzz->elements[i].value);
            expected++;
        }
    }
    FUZZ_REQUIRE(count == expected);
    free(out);
}

static void reserve(SpatialFuzz *fuzz)
{
    const TrnBox box = choose_box(fuzz);
    const TrnResult result = trn_spatial_array_reserve(fuzz->array, box);
    if (trn_box_is_empty(box) || !fits(fuzz, box.min) || !fits(fuzz, box.max)) {
        FUZZ_REQUIRE(result == TRN_RESULT_BAD_ARGUMENT);
        return;
    }
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_short(result));
    FUZZ_REQUIRE(result != TRN_RESULT_OK || (trn_spatial_array_cell(fuzz->array, box.min) &&
                                             trn_spatial_array_cell(fuzz->array, box.max)));
}

static void shrink(SpatialFuzz *fuzz)
{
    const TrnResult result = trn_spatial_array_shrink(fuzz->array);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
    FUZZ_REQUIRE(result != TRN_RESULT_OK || fuzz->count > 0 || !fuzz->array->cells);
}

static void clear(SpatialFuzz *fuzz)
{
    trn_spatial_array_clear(fuzz->array);
    fuzz->count = 0;
}

static void fail_some(SpatialFuzz *fuzz)
{
    test_fail(&fuzz->memory, fuzz_below(&fuzz->program, 4), fuzz_below(&fuzz->program, 4));
}

/// Compares the walk over all elements, and a look-up of each.
static void check(SpatialFuzz *fuzz)
{
    static const uint8_t sentinel[ELEMENT_BYTES_MAX];
    const TrnSpatialArrayStats stats = trn_spatial_array_stats(fuzz->array);
    const size_t bytes = fuzz->array->element_bytes;
    size_t cursor = 0;
    TrnCoord coord;
    FUZZ_REQUIRE(stats.count == fuzz->count && stats.cells >= stats.count);
    FUZZ_REQUIRE(stats.cells * bytes <= fuzz->array->bytes_max);
    for (uint32_t i = 0; i < fuzz->count; i++) {
        const uint8_t *cell = trn_spatial_array_next(fuzz->array, &cursor, &coord);
        FUZZ_REQUIRE(cell && trn_coord_equal(coord, fuzz->elements[i].coord));
        FUZZ_REQUIRE(cell == trn_spatial_array_cell(fuzz->array, coord));
        FUZZ_REQUIRE(cell[0] == fuzz->elements[i].value && cell[bytes - 1] == cell[0]);
    }
    FUZZ_REQUIRE(!trn_spatial_array_next(fuzz->array, &cursor, &coord));
    coord = choose_coord(fuzz);
    const void *cell = trn_spatial_array_cell(fuzz->array, coord);
    FUZZ_REQUIRE(is_there(fuzz, coord) || !cell || memcmp(cell, sentinel, bytes) == 0);
}

static void create(SpatialFuzz *fuzz)
{
    const TrnAllocator allocator = test_allocator(&fuzz->memory);
    TrnSpatialArrayDef def =
        trn_spatial_array_def(1 + fuzz_below(&fuzz->program, ELEMENT_BYTES_MAX));
    def.dimensions = fuzz_between(&fuzz->program, 1, 3);
    def.bytes_max = (size_t)1 << fuzz_between(&fuzz->program, 6, 18);
    def.allocator = &allocator;
    FUZZ_REQUIRE(trn_spatial_array_create(&def, &fuzz->array) == TRN_RESULT_OK);
}

int fuzz_spatial_array(const uint8_t *bytes, size_t size);

int fuzz_spatial_array(const uint8_t *bytes, size_t size)
{
    static void (*const steps[])(SpatialFuzz *) = {insert, insert, insert, remove_one, remove_one,
                                                   gather, gather, check,  reserve,    fail_some};
    static SpatialFuzz fuzz;
    fuzz.program = fuzz_program(bytes, size);
    fuzz.memory = (TestAllocator){0};
    fuzz.count = 0;
    create(&fuzz);
    for (int i = 0; i < 1000 && fuzz_has_more(&fuzz.program) && fuzz.count < ELEMENTS_MAX; i++) {
        const uint32_t choice = fuzz_below(&fuzz.program, 64);
        (choice == 63   ? clear
         : choice >= 60 ? shrink
                        : steps[choice % (sizeof steps / sizeof *steps)])(&fuzz);
    }
    check(&fuzz);
    trn_spatial_array_destroy(fuzz.array);
    FUZZ_REQUIRE(fuzz.memory.live_blocks == 0);
    return 0;
}
