#include "index_view/index_slice.h"

#include <stdlib.h>
#include <string.h>

#define CELL_MAX 32
#define EXTENT_PAGES 3 // of directory and flat array shown beyond the pages

/// A picture being painted.
typedef struct SlicePicture {
    const IndexSlice *slice;
    const IndexView *view;
    uint8_t *rgba;
    int32_t width, height;
    /// left and upper edge in pixels from the world's origin
    int64_t right, down;
} SlicePicture;

static const uint8_t OUTSIDE[3] = {9, 11, 15}, SPARE[3] = {26, 32, 46}, CHUNK[3] = {112, 118, 128};
static const uint8_t EMPTY_PAGE[3] = {46, 50, 60}, FULL_PAGE[3] = {74, 80, 94};
static const uint8_t CAMERA[3] = {255, 255, 255};

// ---- coordinates --------------------------------------------------------------------------------

/// Chunks along an axis of the picture.
static int32_t index_slice_chunks_along(const IndexSlice *slice, int axis)
{
    return (slice->last[axis] - slice->first[axis] + 1) * TRN_PAGE_EDGE;
}

void index_slice_size(const IndexSlice *slice, int32_t *width, int32_t *height)
{
    *width = index_slice_chunks_along(slice, 0) * slice->cell + 1;
    *height = index_slice_chunks_along(slice, 1) * slice->cell + 1;
}

/// Returns the first pixel of a chunk of a level, from the world's origin.
static int64_t index_slice_pixel_of(const IndexSlice *slice, int64_t chunk, uint32_t level)
{
    return chunk * ((int64_t)1 << level) * slice->cell >> slice->level;
}

/// Returns the first pixel of the camera's page, from the world's origin.
static int64_t index_slice_page_pixel(const IndexSlice *slice, int32_t chunk)
{
    const int64_t page = chunk >> slice->level >> TRN_PAGE_SHIFT;
    return index_slice_pixel_of(slice, page * TRN_PAGE_EDGE, slice->level);
}

static SlicePicture index_slice_begin_picture(const IndexSlice *slice, const IndexView *view,
                                              uint8_t *rgba)
{
    SlicePicture picture = {.slice = slice, .view = view, .rgba = rgba};
    const int64_t page = (int64_t)TRN_PAGE_EDGE * slice->cell;
    index_slice_size(slice, &picture.width, &picture.height);
    picture.right = index_slice_page_pixel(slice, view->camera.x) + slice->first[0] * page;
    picture.down = slice->first[1] * page +
                   (slice->from_side ? -index_slice_page_pixel(slice, view->camera.y) - page
                                     : index_slice_page_pixel(slice, view->camera.z));
    return picture;
}

/// Returns the chunk of level 0 at a pixel, from the world's origin: the inverse of
/// index_slice_pixel_of.
static int32_t index_slice_chunk_of(const IndexSlice *slice, int64_t pixel)
{
    const int64_t part = pixel * ((int64_t)1 << slice->level) + ((int64_t)1 << slice->level) / 2;
    const int64_t chunk = part / slice->cell;
    return (int32_t)(chunk * slice->cell > part ? chunk - 1 : chunk);
}

TrnCoord index_slice_chunk(const IndexSlice *slice, const IndexView *view, int32_t x, int32_t y)
{
    const SlicePicture picture = index_slice_begin_picture(slice, view, NULL);
    const int32_t right = index_slice_chunk_of(slice, x + picture.right);
    return slice->from_side
               ? (TrnCoord){right, index_slice_chunk_of(slice, -(y + picture.down) - 1),
                            view->camera.z}
               : (TrnCoord){right, view->camera.y, index_slice_chunk_of(slice, y + picture.down)};
}

// ---- shapes -------------------------------------------------------------------------------------

static int32_t index_slice_clamp(int64_t value, int32_t high)
{
    return value < 0 ? 0 : value > high ? high : (int32_t)value;
}

/// Fills pixels from left and top up to but not including right and bottom, clipped to the picture.
static void index_slice_fill(const SlicePicture *picture, const int64_t at[4], const uint8_t rgb[3])
{
    const int32_t left = index_slice_clamp(at[0], picture->width),
                  top = index_slice_clamp(at[1], picture->height);
    const int32_t right = index_slice_clamp(at[2], picture->width),
                  bottom = index_slice_clamp(at[3], picture->height);
    const uint8_t rgba[4] = {rgb[0], rgb[1], rgb[2], 255};
    for (int32_t y = top; y < bottom; y++) {
        uint8_t *pixel = picture->rgba + ((size_t)y * (size_t)picture->width + (size_t)left) * 4;
        for (int32_t x = left; x < right; x++, pixel += 4) {
            memcpy(pixel, rgba, 4);
        }
    }
}

/// Computes the pixels of chunks of a level, both corners inclusive. @return false if they lie
/// outside the slice
static bool index_slice_place(const SlicePicture *picture, TrnBox chunks, uint32_t level,
                              int64_t at[4])
{
    const IndexSlice *slice = picture->slice;
    const int32_t y = picture->view->camera.y >> level, z = picture->view->camera.z >> level;
    const bool is_cut = slice->from_side ? chunks.min.z <= z && z <= chunks.max.z
                                         : chunks.min.y <= y && y <= chunks.max.y;
    at[0] = index_slice_pixel_of(slice, chunks.min.x, level) - picture->right;
    at[2] = index_slice_pixel_of(slice, (int64_t)chunks.max.x + 1, level) - picture->right + 1;
    if (slice->from_side) { // the highest chunk is at the top
        at[1] = -index_slice_pixel_of(slice, (int64_t)chunks.max.y + 1, level) - picture->down;
        at[3] = -index_slice_pixel_of(slice, chunks.min.y, level) - picture->down + 1;
    } else {
        at[1] = index_slice_pixel_of(slice, chunks.min.z, level) - picture->down;
        at[3] = index_slice_pixel_of(slice, (int64_t)chunks.max.z + 1, level) - picture->down + 1;
    }
    return is_cut && !trn_box_is_empty(chunks);
}

/// @param chunks  of level 0
static void index_slice_frame(const SlicePicture *picture, TrnBox chunks, const uint8_t rgb[3],
                              int64_t width)
{
    int64_t at[4];
    if (!index_slice_place(picture, chunks, 0, at)) {
        return;
    }
    index_slice_fill(picture, (int64_t[4]){at[0], at[1], at[2], at[1] + width}, rgb);
    index_slice_fill(picture, (int64_t[4]){at[0], at[3] - width, at[2], at[3]}, rgb);
    index_slice_fill(picture, (int64_t[4]){at[0], at[1], at[0] + width, at[3]}, rgb);
    index_slice_fill(picture, (int64_t[4]){at[2] - width, at[1], at[2], at[3]}, rgb);
}

// ---- pages --------------------------------------------------------------------------------------

static void index_slice_mix(const uint8_t from[3], const uint8_t to[3], double part, uint8_t rgb[3])
{
    for (int i = 0; i < 3; i++) {
        rgb[i] = (uint8_t)(from[i] + part * (to[i] - from[i]));
    }
}

/// Returns a page's chunk in the slice. @param right,down  0..TRN_PAGE_EDGE - 1 in the picture
static TrnCoord index_slice_slice_chunk(const SlicePicture *picture, TrnCoord page, uint32_t level,
                                        int32_t right, int32_t down)
{
    const TrnCoord camera = picture->view->camera;
    return picture->slice->from_side
               ? (TrnCoord){page.x + right, page.y + TRN_PAGE_EDGE - 1 - down, camera.z >> level}
               : (TrnCoord){page.x + right, camera.y >> level, page.z + down};
}

/// Fills a chunk's square, of at least one pixel; larger squares have gaps between them.
static void index_slice_paint_cell(const SlicePicture *picture, TrnCoord chunk, uint32_t level,
                                   const uint8_t rgb[3])
{
    int64_t at[4];
    if (index_slice_place(picture, (TrnBox){chunk, chunk}, level, at)) {
        for (int end = 2; end < 4; end++) {
            const int64_t first = at[end - 2] + 1, edge = at[end] - first;
            at[end - 2] = first;
            at[end] = edge > 2 ? at[end] - 1 : edge > 0 ? at[end] : first + 1;
        }
        index_slice_fill(picture, at, rgb);
    }
}

static void index_slice_paint_cells(const SlicePicture *picture, TrnCoord page,
                                    const IndexViewBits *bits)
{
    const IndexView *view = picture->view;
    const bool has_levels = view->sources[view->source].has_levels;
    uint8_t plane[3], lonely[3];
    index_view_plane_colour(view->source, view->plane, plane);
    if (has_levels) {
        index_view_level_colour(bits->level, plane);
    }
    index_slice_mix(EMPTY_PAGE, plane, 0.45, lonely);
    for (int32_t i = 0; i < TRN_PAGE_EDGE * TRN_PAGE_EDGE; i++) {
        const TrnCoord chunk = index_slice_slice_chunk(picture, page, bits->level,
                                                       i % TRN_PAGE_EDGE, i / TRN_PAGE_EDGE);
        const bool is_present = trn_page_words_test(bits->present, chunk);
        if (trn_page_words_test(bits->plane, chunk)) {
            index_slice_paint_cell(picture, chunk, bits->level, is_present ? plane : lonely);
        } else if (is_present && !has_levels) {
            index_slice_paint_cell(picture, chunk, bits->level, CHUNK);
        }
    }
}

/// Paints a bar along a page's lower edge; its length shows how full the page is.
static void index_slice_paint_bar(const SlicePicture *picture, double part,
                                  const int64_t page_at[4])
{
    uint8_t rgb[3];
    const int64_t thick = picture->slice->cell / 5 + 1;
    const double length = part * (double)(page_at[2] - page_at[0] - 2);
    if (part > 0) {
        index_view_fill_colour(part, rgb);
        index_slice_fill(picture,
                         (int64_t[4]){page_at[0] + 1, page_at[3] - 1 - thick,
                                      page_at[0] + 2 + (int64_t)length, page_at[3] - 1},
                         rgb);
    }
}

static void index_slice_paint_page(const SlicePicture *picture, size_t number)
{
    const TrnPageFigures *page = &picture->view->figures[number];
    const IndexViewBits *bits = &picture->view->bits[number];
    const TrnBox chunks = trn_page_chunks(trn_page_coord(page->chunk));
    int64_t at[4];
    if (!index_slice_place(picture, chunks, bits->level, at) || at[2] <= 0 || at[3] <= 0 ||
        at[0] >= picture->width || at[1] >= picture->height) {
        return;
    }
    if (picture->view->sources[picture->view->source].has_levels) {
        index_slice_paint_cells(picture, page->chunk,
                                bits); // coarser ones show index_slice_between them
        return;
    }
    const double part = index_view_fill(picture->view, page);
    uint8_t ground[3];
    index_slice_mix(EMPTY_PAGE, FULL_PAGE, part, ground);
    index_slice_fill(picture, (int64_t[4]){at[0] + 1, at[1] + 1, at[2] - 1, at[3] - 1}, ground);
    index_slice_paint_cells(picture, page->chunk, bits);
    index_slice_paint_bar(picture, part, at);
    if (page->is_outlier) {
        index_view_mark_colour(INDEX_VIEW_MARK_OUTLIER, ground);
        index_slice_frame(picture, chunks, ground, 1 + picture->slice->cell / 4);
    }
}

/// Paints lines between pages where there is no page.
static void index_slice_paint_grid(const SlicePicture *picture)
{
    const int64_t page = (int64_t)picture->slice->cell * TRN_PAGE_EDGE;
    for (int64_t x = 0; x < picture->width; x += page) {
        index_slice_fill(picture, (int64_t[4]){x, 0, x + 1, picture->height}, OUTSIDE);
    }
    for (int64_t y = 0; y < picture->height; y += page) {
        index_slice_fill(picture, (int64_t[4]){0, y, picture->width, y + 1}, OUTSIDE);
    }
}

void index_slice_paint(const IndexSlice *slice, const IndexView *view, uint8_t *rgba)
{
    const SlicePicture picture = index_slice_begin_picture(slice, view, rgba);
    const TrnBox directory = index_view_directory(view), flat = index_view_flat(view);
    const int64_t width = 1 + slice->cell / 4;
    uint8_t rgb[3];
    int64_t at[4];
    index_slice_fill(&picture, (int64_t[4]){0, 0, picture.width, picture.height}, OUTSIDE);
    if (index_slice_place(&picture, directory, 0, at)) {
        index_slice_fill(&picture, at, SPARE);
    }
    index_slice_paint_grid(&picture);
    for (size_t i = 0; i < view->page_count; i++) {
        index_slice_paint_page(&picture, i);
    }
    index_view_mark_colour(INDEX_VIEW_MARK_FLAT, rgb);
    index_slice_frame(&picture, flat, rgb, width);
    index_view_mark_colour(INDEX_VIEW_MARK_DIRECTORY, rgb);
    index_slice_frame(&picture, directory, rgb, width);
    index_slice_frame(&picture, (TrnBox){view->camera, view->camera}, CAMERA, 1);
}

// ---- range of the slice -------------------------------------------------------------------------

static int32_t index_slice_between(int64_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : (int32_t)value;
}

/// Extends the slice to include chunks of its level, limited to `most`.
static void index_slice_reach(IndexSlice *slice, TrnCoord camera, TrnBox chunks,
                              const IndexSlice *most)
{
    const TrnCoord ends[2] = {chunks.min, chunks.max};
    const TrnCoord camera_page = {camera.x >> slice->level >> TRN_PAGE_SHIFT,
                                  camera.y >> slice->level >> TRN_PAGE_SHIFT,
                                  camera.z >> slice->level >> TRN_PAGE_SHIFT};
    for (int i = 0; i < 2 && !trn_box_is_empty(chunks); i++) {
        const TrnCoord page = trn_page_coord(ends[i]);
        const int64_t right = (int64_t)page.x - camera_page.x;
        const int64_t up = (int64_t)page.y - camera_page.y;
        const int64_t south = (int64_t)page.z - camera_page.z;
        const int64_t at[2] = {right, slice->from_side ? -up : south};
        for (int axis = 0; axis < 2; axis++) {
            const int32_t cell = index_slice_between(at[axis], most->first[axis], most->last[axis]);
            slice->first[axis] = cell < slice->first[axis] ? cell : slice->first[axis];
            slice->last[axis] = cell > slice->last[axis] ? cell : slice->last[axis];
        }
    }
}

IndexSlice index_slice_fit(const IndexView *view, bool from_side, int32_t edge)
{
    const int32_t all = INDEX_VIEW_RADIUS_MAX;
    IndexSlice most = {.first = {-all, -all}, .last = {all, all}};
    IndexSlice slice = {.from_side = from_side, .level = index_view_coarsest(view)};
    for (size_t i = 0; i < view->page_count; i++) {
        const uint32_t finer = slice.level - view->bits[i].level;
        const TrnCoord at = view->figures[i].chunk;
        const TrnCoord chunk = {at.x >> finer, at.y >> finer, at.z >> finer};
        index_slice_reach(&slice, view->camera, (TrnBox){chunk, chunk}, &most);
    }
    for (int axis = 0; axis < 2; axis++) {
        most.first[axis] =
            index_slice_between((int64_t)slice.first[axis] - EXTENT_PAGES, -all, all);
        most.last[axis] = index_slice_between((int64_t)slice.last[axis] + EXTENT_PAGES, -all, all);
    }
    index_slice_reach(&slice, view->camera, index_view_directory(view), &most);
    index_slice_reach(&slice, view->camera, index_view_flat(view), &most);
    const int32_t width = index_slice_chunks_along(&slice, 0),
                  height = index_slice_chunks_along(&slice, 1);
    slice.cell = index_slice_between((edge - 1) / (width > height ? width : height), 1, CELL_MAX);
    return slice;
}

// ---- both slices --------------------------------------------------------------------------------

#define PICTURE_GAP 16

/// Centres a slice in a square. @return false if out of memory
static bool index_slice_place_slice(const IndexView *view, bool from_side, int32_t edge,
                                    unsigned char *square, size_t row)
{
    const IndexSlice slice = index_slice_fit(view, from_side, edge);
    int32_t width, height;
    index_slice_size(&slice, &width, &height);
    uint8_t *rgba = malloc((size_t)width * (size_t)height * 4);
    if (!rgba) {
        return false;
    }
    index_slice_paint(&slice, view, rgba);
    const int32_t left = width < edge ? (edge - width) / 2 : 0;
    const int32_t top = height < edge ? (edge - height) / 2 : 0;
    for (int32_t y = 0; y < height && y + top < edge; y++) {
        for (int32_t x = 0; x < width && x + left < edge; x++) {
            memcpy(square + (size_t)(y + top) * row + (size_t)(x + left) * 3,
                   rgba + ((size_t)y * (size_t)width + (size_t)x) * 4, 3);
        }
    }
    free(rgba);
    return true;
}

unsigned char *index_slice_picture(const IndexView *view, int32_t edge, int *width, int *height)
{
    *width = 2 * edge + PICTURE_GAP;
    *height = edge;
    const size_t row = (size_t)*width * 3;
    unsigned char *rgb = calloc((size_t)edge, row);
    const size_t second = ((size_t)edge + PICTURE_GAP) * 3;
    if (rgb && index_slice_place_slice(view, false, edge, rgb, row) &&
        index_slice_place_slice(view, true, edge, rgb + second, row)) {
        return rgb;
    }
    free(rgb);
    return NULL;
}
