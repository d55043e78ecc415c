/// A slice through the pages of an index view as a picture: a square for each chunk. Made by the
/// processor alone.
///
/// What a pixel means, from the bottom up: outside of the directory, nearly black; a spare cell of
/// the directory, dark; a page, grey, the lighter the fuller; a chunk, light grey; a bit of the
/// chosen plane, the plane's colour, dimmed where there is no chunk. A page's lower edge is a bar,
/// as long as the page is full of the plane. Frames: a page among the outliers, the directory, the
/// flat array, and in white the camera's chunk.
#ifndef TERRANE_VIEWER_INDEX_SLICE_H
#define TERRANE_VIEWER_INDEX_SLICE_H

#include "index_view/index_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which chunks, and how large.
typedef struct IndexSlice {
    /// false: seen from above, x to the right and z down, at the camera's height. true: seen from
    /// the south, x to the right and y up.
    bool from_side;
    /// Pages from the camera's, to the right and down: the first and the last;
    /// -INDEX_VIEW_RADIUS_MAX..INDEX_VIEW_RADIUS_MAX
    int32_t first[2], last[2];
    int32_t cell; ///< pixels of a chunk's edge, 1..32
} IndexSlice;

/// The slice that shows all pages, and of the directory and the flat array what lies not too far
/// from them, as far as the view looks.
/// @param edge  pixels, at least 1: the picture is no wider and no taller, if chunks of one pixel
///              allow that
IndexSlice index_slice_fit(const IndexView *view, bool from_side, int32_t edge);

void index_slice_size(const IndexSlice *slice, int32_t *width, int32_t *height);

/// @param rgba  [height * width * 4] of index_slice_size receives rows from the top, sRGB, opaque
/// Cost: some 1 ns a pixel.
void index_slice_paint(const IndexSlice *slice, const IndexView *view, uint8_t *rgba);

/// Both slices beside each other, each fitted into a square, as image_write_png takes them.
/// @param edge  of the squares, pixels, at least 1
/// @return [height * width * 3] rows from the top, sRGB, for the caller to free; NULL without
/// memory
unsigned char *index_slice_picture(const IndexView *view, int32_t edge, int *width, int *height);

#ifdef __cplusplus
}
#endif
#endif
