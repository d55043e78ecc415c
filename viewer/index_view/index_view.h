/// The chunk indexes made visible: their pages around the camera, with the bits of one plane;
/// extent and steps of their directories; and the flat array that holds the same chunks beside
/// them.
///
/// What is shown is copied out of the indexes some ten times a second; boxes (box_lines.h), slices
/// (index_slice.h) and figures are made of the copy. Knows no OpenGL and no window.
#ifndef TERRANE_VIEWER_INDEX_VIEW_H
#define TERRANE_VIEWER_INDEX_VIEW_H

#include <terrane/chunk_index.h>
#include <terrane/spatial_array.h>

#include "message.h"
#include "render/box_lines.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INDEX_VIEW_SOURCES_MAX 2
#define INDEX_VIEW_RADIUS_MAX 8 ///< pages to each side of the camera's that are looked at
#define INDEX_VIEW_STEPS_MAX 32 ///< remembered

/// An index that is looked at.
typedef struct IndexViewSource {
    const char *name; ///< borrowed, outlives the view
    uint32_t plane_count;
    char planes[TRN_PLANE_COUNT_MAX][32]; ///< names; the index may be another one with every update
} IndexViewSource;

/// The bits of a page.
typedef struct IndexViewBits {
    uint64_t present[TRN_PAGE_WORDS], plane[TRN_PAGE_WORDS]; ///< the chosen plane
} IndexViewBits;

/// A directory, or the flat array, has taken another shape.
typedef struct IndexViewStep {
    double seconds;  ///< when it was seen
    uint32_t source; ///< place among the sources; their count for the flat array
    /// in pages; of the flat array in chunks. Empty boxes where there was, or is, nothing
    TrnBox from, to;
    double us; ///< that it took; negative where nobody measured
} IndexViewStep;

/// Read the fields; the functions below write them.
typedef struct IndexView {
    IndexViewSource sources[INDEX_VIEW_SOURCES_MAX];
    uint32_t source_count;
    uint32_t source; ///< the one whose pages are shown
    TrnPlane plane;  ///< of it
    // As last looked:
    TrnCoord camera;         ///< chunk
    TrnPageFigures *figures; ///< [page_count] pages of the source within INDEX_VIEW_RADIUS_MAX
    IndexViewBits *bits;     ///< [page_count]
    size_t page_count, page_capacity;
    TrnChunkIndexStats stats[INDEX_VIEW_SOURCES_MAX];
    bool has_flat; ///< whether there is a flat array that holds the chunks
    TrnSpatialArrayStats flat;
    uint64_t revision; ///< counts looks
    double looked;     ///< seconds; when
    double look_us;    ///< what the last look took
    bool is_stale;     ///< the next update looks
    bool is_short;     ///< there was no memory for all pages
    BoxLine *boxes;    ///< [page_count + 2]
    BoxLines lines;    ///< of all that, for the world
    // Since the beginning:
    IndexViewStep steps[INDEX_VIEW_STEPS_MAX]; ///< step n at n % INDEX_VIEW_STEPS_MAX
    uint64_t step_count;
    uint64_t last_step[INDEX_VIEW_SOURCES_MAX];
    TrnBox flat_box;
} IndexView;

/// The first one's "present" is chosen.
/// @param names    [count] of what is looked at; borrowed, outlive the view
/// @param indexes  [count] for the names of their planes; not kept
/// @param count    1..INDEX_VIEW_SOURCES_MAX
void index_view_begin(IndexView *view, const char *const *names,
                      const TrnChunkIndex *const *indexes, uint32_t count);
void index_view_free(IndexView *view);

/// What is looked at, from where, and what holds the same chunks. Changed on the thread of the view
/// alone.
typedef struct IndexViewPlace {
    /// with the planes of those at the beginning
    const TrnChunkIndex *indexes[INDEX_VIEW_SOURCES_MAX];
    TrnCoord camera;             ///< chunk
    const TrnSpatialArray *flat; ///< NULL: none
    double seconds;              ///< on a clock that goes on
} IndexViewPlace;

/// To be called once a frame, when the indexes rest. Notes new steps of the directories; looks anew
/// where the last look is a tenth of a second old.
/// @param is_shown  whether anybody sees it: otherwise it does not look
/// Cost: steps 0.1 us; a look 15 us at a view distance of 12 chunks, 0.2 ms at 32.
void index_view_update(IndexView *view, const IndexViewPlace *place, bool is_shown);

/// Chooses a plane of a source; what does not exist changes nothing.
void index_view_choose(IndexView *view, uint32_t source, TrnPlane plane);

/// The chosen plane's name.
const char *index_view_plane_name(const IndexView *view);

/// Chooses the next plane; after the last of a source, the first of the next.
void index_view_choose_next(IndexView *view);

/// Such as "store: drawn". @return whether there is such a plane
bool index_view_plane_label(const IndexView *view, uint32_t source, TrnPlane plane, Message *label);

/// The colour of a plane where its bits are set; sRGB.
void index_view_plane_colour(uint32_t source, TrnPlane plane, uint8_t rgb[3]);

/// From dark blue for 0 to yellow for 1, by way of green; sRGB.
void index_view_fill_colour(double fill, uint8_t rgb[3]);

/// What part of a page's cells has its bit in the chosen plane, 0..1.
double index_view_fill(const IndexView *view, const TrnPageFigures *page);

typedef enum IndexViewMark {
    INDEX_VIEW_MARK_DIRECTORY, ///< its extent
    INDEX_VIEW_MARK_FLAT,      ///< the flat array's extent
    INDEX_VIEW_MARK_OUTLIER    ///< a page that is one
} IndexViewMark;

/// The colour of a frame; sRGB.
void index_view_mark_colour(IndexViewMark mark, uint8_t rgb[3]);

/// The directory of the source in chunks; an empty box when there is none.
TrnBox index_view_directory(const IndexView *view);
/// The flat array in chunks; an empty box when there is none.
TrnBox index_view_flat(const IndexView *view);

/// The `back`th step before the last. @return false when there were not so many, or it is forgotten
bool index_view_step(const IndexView *view, uint32_t back, IndexViewStep *step);

/// A line about a step, such as "  12.3 s  store       4x2x4 -> 8x2x4 pages    3.2 us".
void index_view_describe_step(const IndexView *view, const IndexViewStep *step, Message *line);

#ifdef __cplusplus
}
#endif
#endif
