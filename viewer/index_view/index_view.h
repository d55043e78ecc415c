/// Visualises the chunk indexes: the pages around the camera with the bits of one plane, the extent
/// and growth of the directories, and the flat array that has the same chunks.
///
/// A source of levels shows the rings of a far view: the indexes of all levels at once, each chunk
/// at its size.
///
/// Copies the shown data from the indexes about ten times a second. Boxes (lines.h), slices
/// (index_slice.h) and figures are made from the copy. Uses no OpenGL and no window.
#pragma once

#include <terrane/chunk_index.h>
#include <terrane/chunk_pages.h>
#include <terrane/far.h>
#include <terrane/spatial_array.h>
#include <terrane/store.h>
#include <terrane/stream.h>

#include "message.h"
#include "render/lines.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INDEX_VIEW_SOURCES_MAX 3
#define INDEX_VIEW_RADIUS_MAX 8 ///< pages copied of a level, on each side of the camera
#define INDEX_VIEW_STEPS_MAX 32 ///< steps remembered

/// An index to show.
typedef struct IndexViewSource {
    const char *name; ///< borrowed, must outlive the view
    bool has_levels;  ///< shows all levels; level 0 is the first source's index; has the same
                      ///< planes
    uint32_t plane_count;
    char planes[TRN_PLANE_COUNT_MAX][32]; ///< names; the index may be another one after an update
} IndexViewSource;

/// The bits of a page.
typedef struct IndexViewBits {
    uint32_t level; ///< the page's chunks are 1 << level times as wide as those of level 0
    uint64_t present[TRN_PAGE_WORDS], plane[TRN_PAGE_WORDS]; ///< the chosen plane
} IndexViewBits;

/// A change of the shape of a directory, or of the flat array.
typedef struct IndexViewStep {
    double seconds;  ///< when the view noticed the step
    uint32_t source; ///< index of the source; the number of sources for the flat array
    /// in pages; in chunks for the flat array. Empty boxes: nothing before, or nothing after
    TrnBox from, to;
    double us; ///< how long it took; negative if not measured
} IndexViewStep;

/// Fields may be read; functions change them.
typedef struct IndexView {
    IndexViewSource sources[INDEX_VIEW_SOURCES_MAX];
    uint32_t source_count;
    uint32_t source;   ///< the source whose pages are shown
    TrnPlane plane;    ///< the chosen plane of `source`
    bool has_chosen;   ///< the user has clicked a chunk
    TrnCoord chosen;   ///< of level 0
    const char *about; ///< text about the chosen chunk; borrowed, NULL: none
    // From the last copy:
    TrnCoord camera;         ///< chunk
    TrnPageFigures *figures; ///< [page_count] pages of `source` within INDEX_VIEW_RADIUS_MAX
    IndexViewBits *bits;     ///< [page_count]; the coarsest level first
    size_t page_count, page_capacity;
    TrnChunkIndexStats stats[INDEX_VIEW_SOURCES_MAX]; ///< a source of levels has none
    TrnChunkIndexStats levels[TRN_FAR_LEVEL_MAX];     ///< of levels 1 and up
    uint32_t level_count;
    bool has_flat; ///< whether a flat array has the same chunks
    TrnSpatialArrayStats flat;
    uint64_t revision; ///< number of copies so far
    double looked;     ///< in seconds; the time of the last copy
    double look_us;    ///< duration of the last copy
    bool is_stale;     ///< the next update copies again
    bool is_short;     ///< out of memory for some of the pages
    BoxLine *boxes;    ///< [page_count + 2]
    BoxLines lines;    ///< `boxes`, for drawing in the world
    // Since the start:
    IndexViewStep steps[INDEX_VIEW_STEPS_MAX]; ///< step n at n % INDEX_VIEW_STEPS_MAX
    uint64_t step_count;
    uint64_t last_step[INDEX_VIEW_SOURCES_MAX];
    TrnBox flat_box;
} IndexView;

/// Begins with plane "present" of the first source.
/// @param names    [count] of the sources; borrowed, must outlive the view
/// @param indexes  [count] to copy the planes' names from; not kept
/// @param count    1..INDEX_VIEW_SOURCES_MAX - 1
void index_view_begin(IndexView *view, const char *const *names,
                      const TrnChunkIndex *const *indexes, uint32_t count);
/// Adds a source of levels, named "levels". @return its number
uint32_t index_view_add_levels(IndexView *view);
void index_view_free(IndexView *view);

/// The indexes and the camera. Changed only on the view's thread.
typedef struct IndexViewPlace {
    /// must have the planes that they had at the start
    const TrnChunkIndex *indexes[INDEX_VIEW_SOURCES_MAX];
    TrnCoord camera;                                ///< chunk
    const TrnSpatialArray *flat;                    ///< NULL: none
    double seconds;                                 ///< on a monotonic clock
    const TrnChunkIndex *levels[TRN_FAR_LEVEL_MAX]; ///< [level_count] indexes of levels 1 and up
    uint32_t level_count;
} IndexViewPlace;

/// Call it once a frame, while no thread changes the indexes. Records new steps of the directories,
/// and copies the pages again if the last copy is a tenth of a second old.
/// @param is_shown  whether the view is on screen: otherwise no pages are copied
/// Cost: steps 0.1 us; a copy 15 us at a view distance of 12 chunks, 0.2 ms at 32.
void index_view_update(IndexView *view, const IndexViewPlace *place, bool is_shown);

/// Chooses a plane of a source; an invalid choice changes nothing.
void index_view_choose(IndexView *view, uint32_t source, TrnPlane plane);

/// Returns the chosen plane's name.
const char *index_view_plane_name(const IndexView *view);

/// Chooses the next plane; after the last plane of a source, the first one of the next source.
void index_view_choose_next(IndexView *view);

/// Writes a label such as "store: drawn". @return false if there is no such plane
bool index_view_plane_label(const IndexView *view, uint32_t source, TrnPlane plane, Message *label);

/// Returns the colour of a plane's set bits; sRGB.
void index_view_plane_colour(uint32_t source, TrnPlane plane, uint8_t rgb[3]);

/// Returns the coarsest level that the chosen source shows.
uint32_t index_view_coarsest(const IndexView *view);

/// Returns the colour of a level's chunks in a source of levels; sRGB.
void index_view_level_colour(uint32_t level, uint8_t rgb[3]);

/// Returns a colour from dark blue for 0 over green to yellow for 1; sRGB.
void index_view_fill_colour(double fill, uint8_t rgb[3]);

/// Returns the share of a page's cells that have the bit of the chosen plane, 0..1.
double index_view_fill(const IndexView *view, const TrnPageFigures *page);

typedef enum IndexViewMark {
    INDEX_VIEW_MARK_DIRECTORY, ///< the directory's extent
    INDEX_VIEW_MARK_FLAT,      ///< the flat array's extent
    INDEX_VIEW_MARK_OUTLIER,   ///< an outlier page
    INDEX_VIEW_MARK_SPARSE     ///< a sparse page; marked only in the world
} IndexViewMark;

/// Returns the colour of a frame; sRGB.
void index_view_mark_colour(IndexViewMark mark, uint8_t rgb[3]);

/// Returns the source's directory in chunks; an empty box if there is none, or for a source of
/// levels.
TrnBox index_view_directory(const IndexView *view);
/// Returns the flat array's extent in chunks; an empty box if there is none.
TrnBox index_view_flat(const IndexView *view);

/// Returns the `back`th step before the last. @return false if there is none, or if it is too old
bool index_view_step(const IndexView *view, uint32_t back, IndexViewStep *step);

/// Writes a line about a step, such as "  12.3 s  store       4x2x4 -> 8x2x4 pages    3.2 us".
void index_view_describe_step(const IndexView *view, const IndexViewStep *step, Message *line);

// ---- chunk life ---------------------------------------------------------------------------------

// The state of one chunk: reports from stream and store, its memory, and its changes since the user
// chose it.

#define CHUNK_LIFE_LINES 6 ///< changes remembered

/// One observed change.
typedef struct ChunkLifeLine {
    double seconds;
    TrnStreamState state;
    uint64_t revision;
} ChunkLifeLine;

/// All zeroes: no chunk.
typedef struct ChunkLife {
    TrnCoord chunk;
    bool has_chunk;
    double begun, looked; ///< seconds, as in chunk_life_watch
    ChunkLifeLine lines[CHUNK_LIFE_LINES];
    uint32_t count; ///< changes so far; change n at n % CHUNK_LIFE_LINES
    char text[1024];
} ChunkLife;

/// Examines a chunk ten times a second, and writes `text`. Another chunk starts a new history.
/// @param seconds  on a clock that does not pause
/// Cost: some us for each examination.
void chunk_life_watch(ChunkLife *life, const TrnStream *stream, const TrnStore *store,
                      TrnCoord chunk, double seconds);

#ifdef __cplusplus
}
#endif
