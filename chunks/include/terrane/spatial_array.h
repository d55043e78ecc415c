/// Terrane, spatial array: an array of one, two or three dimensions that grows in every direction.
///
/// It has an extent and an origin, which may be negative. Inserting outside the extent doubles it,
/// as often as needed, towards the new coordinate. A lookup is three subtractions and two
/// multiplications; a gather of a box reads rows of memory. A cell without an element holds the
/// sentinel.
///
/// Use it for dense coordinates, such as the chunks around a player: memory follows the box around
/// all elements, not their number. `bytes_max` limits the extent, so that a far coordinate returns
/// an error instead of making a huge allocation.
///
/// Source: the auto-expanding array of N. Lisitsa, "A stupidly simple spatial data structure".
///
/// Tier: stable.
#ifndef TERRANE_SPATIAL_ARRAY_H
#define TERRANE_SPATIAL_ARRAY_H

#include <terrane/base.h>
#include <terrane/coord.h>

TRN_C_BEGIN

/// Start from trn_spatial_array_def() and change what you need.
typedef struct TrnSpatialArrayDef {
    int dimensions;       ///< 1 (x), 2 (x and z) or 3; the other axes of every coordinate must be 0
    size_t element_bytes; ///< 1..65536
    /// [element_bytes] value of a cell without an element; copied; NULL means all zeroes
    const void *sentinel;
    size_t bytes_max;              ///< maximum memory of the cells
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnSpatialArrayDef;

/// Returns the defaults: three dimensions, a sentinel of zeroes, at most 1 GiB of cells.
TRN_API TrnSpatialArrayDef trn_spatial_array_def(size_t element_bytes);

/// Read the fields, never write them. They are public so that the lookup can be inlined.
typedef struct TrnSpatialArray {
    /// extent[0] * extent[1] * extent[2] elements; x fastest, then z, then y. NULL when empty.
    unsigned char *cells;
    int64_t origin[3];       ///< coordinates x, y, z of the first cell
    int64_t extent[3];       ///< cells along x, y, z; 0 when empty
    size_t element_bytes;    ///< as in the def
    size_t count;            ///< elements stored
    size_t bytes_max;        ///< as in the def
    uint32_t growths;        ///< how often the extent grew
    int dimensions;          ///< as in the def
    unsigned char *sentinel; ///< [element_bytes] what a cell without an element holds
    TrnAllocator allocator;  ///< its memory comes from it
} TrnSpatialArray;

/// Creates an empty array. Allocates no cells before the first insert.
/// Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_spatial_array_create(const TrnSpatialArrayDef *def, TrnSpatialArray **array);

/// Destroys an array. @param array  may be NULL
TRN_API void trn_spatial_array_destroy(TrnSpatialArray *array);

/// Returns the cell at a coordinate, or NULL outside the extent. A cell without an element holds
/// the sentinel. The address is valid until the next insert, reserve or shrink.
/// Threads: any number of readers while no thread writes. O(1), no allocation.
static inline const void *trn_spatial_array_cell(const TrnSpatialArray *array, TrnCoord coord)
{
    // One unsigned comparison per axis catches both ends.
    uint64_t x = (uint64_t)(coord.x - array->origin[0]);
    uint64_t y = (uint64_t)(coord.y - array->origin[1]);
    uint64_t z = (uint64_t)(coord.z - array->origin[2]);
    uint64_t nx = (uint64_t)array->extent[0], ny = (uint64_t)array->extent[1],
             nz = (uint64_t)array->extent[2];
    if (x >= nx || y >= ny || z >= nz) {
        return NULL;
    }
    return array->cells + (x + nx * (z + nz * y)) * array->element_bytes;
}

/// Returns the pointer at a coordinate, or NULL. Only for arrays of pointers with a NULL sentinel
/// (element_bytes is sizeof(void *)). O(1).
static inline void *trn_spatial_array_pointer(const TrnSpatialArray *array, TrnCoord coord)
{
    void *const *cell = (void *const *)trn_spatial_array_cell(array, coord);
    return cell ? *cell : NULL;
}

/// Stores an element at a coordinate, replacing the previous one if there is one.
/// @param element  [element_bytes], copied; must differ from the sentinel
/// Errors: BAD_ARGUMENT (the sentinel, or a coordinate beyond the dimensions), OUT_OF_RANGE (would
/// exceed bytes_max), NO_MEMORY.
/// Cost: O(1), plus a copy of all cells on growth: amortized O(1) while the elements stay dense.
TRN_API TrnResult trn_spatial_array_insert(TrnSpatialArray *array, TrnCoord coord,
                                           const void *element);

/// Removes the element at a coordinate; the extent stays. Errors: NOT_FOUND. O(1).
TRN_API TrnResult trn_spatial_array_remove(TrnSpatialArray *array, TrnCoord coord);

/// Grows the extent, in one step, until the box lies inside.
/// Errors: as insert; BAD_ARGUMENT for an empty box.
TRN_API TrnResult trn_spatial_array_reserve(TrnSpatialArray *array, TrnBox box);

/// Shrinks the extent to the box around the elements; an empty array frees all cells.
/// Errors: NO_MEMORY. Cost: reads all cells.
TRN_API TrnResult trn_spatial_array_shrink(TrnSpatialArray *array);

/// Removes all elements; the extent stays. Cost: writes all cells.
TRN_API void trn_spatial_array_clear(TrnSpatialArray *array);

/// Gathers the elements of a box in memory order: x fastest, then z, then y.
/// @param box       both corners inclusive; may reach outside the extent; an empty box holds
///                  nothing
/// @param out       [capacity] elements; caller owns; may be NULL when capacity is 0
/// @return how many elements the box holds; at most `capacity` are written, and if the box holds
/// fewer, the rest of `out` is undefined
/// Cost: O(cells of the box inside the extent); no allocation.
TRN_API size_t trn_spatial_array_gather(const TrnSpatialArray *array, TrnBox box, void *out,
                                        size_t capacity);

/// Walks all elements in memory order. Start with *cursor = 0 and call until it returns NULL.
/// @param coord  receives the element's coordinate; may be NULL
TRN_API const void *trn_spatial_array_next(const TrnSpatialArray *array, size_t *cursor,
                                           TrnCoord *coord);

/// Statistics of a spatial array.
typedef struct TrnSpatialArrayStats {
    int64_t origin[3]; ///< coordinates x, y, z of the first cell
    int64_t extent[3]; ///< cells along x, y, z; 0 when empty
    size_t cells;      ///< of the extent
    size_t count;      ///< elements stored
    double fill;       ///< count / cells, 0 when empty
    size_t bytes;      ///< all memory of the array
    uint32_t growths;  ///< how often the extent grew
} TrnSpatialArrayStats;

/// Returns the statistics of an array. O(1).
TRN_API TrnSpatialArrayStats trn_spatial_array_stats(const TrnSpatialArray *array);

TRN_C_END
#endif
