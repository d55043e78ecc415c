/// Paints a slice through the pages of an index view: a square for each chunk. Uses no OpenGL.
///
/// The colour of a pixel, from the bottom layer up: outside the directory, nearly black; an unused
/// cell of the directory, dark; a page, grey, lighter if it is fuller; a chunk, light grey; a bit
/// of the chosen plane, the plane's colour, dimmed if no chunk is present. A bar at a page's lower
/// edge shows how many of its cells have the bit. Frames: outlier pages, the directory, the flat
/// array, and in white the camera's chunk. A source of levels has only chunks: each level has its
/// own colour and covers coarser ones.
#pragma once

#include "index_view/index_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The range of a slice, and its size.
typedef struct IndexSlice {
    /// false: seen from above, x to the right and z down, at the camera's height. true: seen from
    /// the south, x to the right and y up.
    bool from_side;
    uint32_t level; ///< the coarsest level of the view; `first`, `last` and `cell` are in its units
    /// First and last page relative to the camera's, to the right and down;
    /// -INDEX_VIEW_RADIUS_MAX..INDEX_VIEW_RADIUS_MAX
    int32_t first[2], last[2];
    int32_t cell; ///< pixels of a chunk's edge, 1..32
} IndexSlice;

/// Returns the slice that shows all pages, and the nearby part of the directory and the flat array.
/// @param edge  in pixels, at least 1: limit of the picture's size, unless chunks of one pixel need
///              more
IndexSlice index_slice_fit(const IndexView *view, bool from_side, int32_t edge);

void index_slice_size(const IndexSlice *slice, int32_t *width, int32_t *height);

/// Returns the chunk of level 0 at a pixel of the slice.
TrnCoord index_slice_chunk(const IndexSlice *slice, const IndexView *view, int32_t x, int32_t y);

/// @param rgba  [height * width * 4] of index_slice_size receives rows from the top, sRGB, opaque
/// Cost: some 1 ns a pixel.
void index_slice_paint(const IndexSlice *slice, const IndexView *view, uint8_t *rgba);

/// Paints both slices side by side, each fitted into a square, for image_write_png.
/// @param edge  of the squares, pixels, at least 1
/// @return [height * width * 3] rows from the top, sRGB, for the caller to free; NULL if out of
/// memory
unsigned char *index_slice_picture(const IndexView *view, int32_t edge, int *width, int *height);

#ifdef __cplusplus
}
#endif
