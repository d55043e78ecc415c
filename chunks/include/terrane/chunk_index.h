/// Terrane, chunk index: chunk coordinates to 32-bit values of yours, and bit planes over the same
/// space. Usable alone: a game keeps its own chunk type and stores its slot number here.
///
/// Cells stand in pages of 8 x 8 x 8: a value per cell, and per plane 512 bits, of which the first
/// plane says which chunks are present. A directory (an auto-expanding array of pages with negative
/// origins) finds a page by arithmetic. The directory grows while its box holds at most 64 cells
/// per page; pages farther out (a second island) go to a small hash, so memory follows the number
/// of chunks, never the distance between them. A page lives while any of its planes has a bit set.
///
/// Threads: one writer (functions that take a non-const index, and those that give figures), any
/// number of readers beside it (find, neighbours, around, plane, plane_name, plane_test, pages,
/// page_plane and the gathers). A reader other than the writer's own thread works inside a read
/// section (trn_chunk_index_read_begin / _end) and never waits. What the writer replaces or removes
/// is kept until every reader has left the section it was in. A gather returns every chunk that was
/// present throughout the call, and none that was absent throughout.
#ifndef TERRANE_CHUNK_INDEX_H
#define TERRANE_CHUNK_INDEX_H

#include <stdbool.h>

#include <terrane/base.h>
#include <terrane/coord.h>
#include <terrane/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_PAGE_SHIFT 3
#define TRN_PAGE_EDGE 8
#define TRN_PAGE_CELLS 512

/// Names a plane: 0 is TRN_PLANE_PRESENT, the others stand in the order of the def.
typedef uint32_t TrnPlane;
#define TRN_PLANE_PRESENT 0u
/// Present and 31 of yours: a query names a set of planes in 32 bits.
#define TRN_PLANE_COUNT_MAX 32u
/// The bit of a plane in a set of planes.
#define TRN_PLANE_BIT(plane) (UINT32_C(1) << (plane))

/// Stands for "no chunk" where values are returned in fixed places; cannot be inserted.
#define TRN_CHUNK_VALUE_NONE UINT32_MAX

typedef struct TrnChunkIndex TrnChunkIndex;
typedef struct TrnChunkReader TrnChunkReader;

/// A plane of yours: loaded, dirty, visible, wished, ...
typedef struct TrnPlaneDef {
    const char *name; ///< copied; at most 31 bytes, each plane another, none "present"
    /// Whether the bit of a chunk stays when the chunk is removed; otherwise it goes with it.
    bool survives_removal;
} TrnPlaneDef;

/// Start from trn_chunk_index_def() and change what you need.
typedef struct TrnChunkIndexDef {
    const TrnPlaneDef *planes; ///< [plane_count] yours, besides TRN_PLANE_PRESENT; copied
    uint32_t plane_count;      ///< 0..31
    uint32_t page_max;         ///< the most pages, 1..2^31: over it, writes answer TRN_RESULT_FULL
    uint32_t reader_max;       ///< readers that may be registered at a time, 0..256
    /// the most that the directory may take; pages beyond its reach go to the hash
    size_t directory_bytes_max;
    /// Over it, writes that would retire more answer TRN_RESULT_READERS until the slow reader
    /// leaves its section. What one write retires comes on top: a page, a directory, or for
    /// trn_chunk_index_clear all there is.
    size_t retired_bytes_max;
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnChunkIndexDef;

/// No planes of yours, 2^20 pages, 16 readers, at most 256 MiB of directory and 64 MiB of retired
/// memory.
TRN_API TrnChunkIndexDef trn_chunk_index_def(void);

/// Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_chunk_index_create(const TrnChunkIndexDef *def, TrnChunkIndex **index);

/// No reader may be in a section. Registered readers become invalid. @param index  may be NULL
TRN_API void trn_chunk_index_destroy(TrnChunkIndex *index);

// ---- one chunk ---------------------------------------------------------------------------------

/// Adds a chunk.
/// @param value  anything but TRN_CHUNK_VALUE_NONE
/// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, READERS, FULL; the index is then as it was.
/// Cost: O(1); every new page takes memory, and now and then the directory is copied: some 10 us at
/// 4,000 pages, milliseconds at 100,000.
TRN_API TrnResult trn_chunk_index_insert(TrnChunkIndex *index, TrnCoord coord, uint32_t value);

/// The value of a chunk.
/// @param value  receives it when the chunk is there, otherwise untouched; may be NULL
/// @return whether it is there. O(1), wait-free, no allocation.
TRN_API bool trn_chunk_index_find(const TrnChunkIndex *index, TrnCoord coord, uint32_t *value);

/// Removes a chunk, and its bits in all planes that do not survive removal.
/// @param value  receives the value it had; may be NULL
/// Errors: NOT_FOUND, NO_MEMORY, READERS; the index is then as it was. Cost: O(1).
TRN_API TrnResult trn_chunk_index_remove(TrnChunkIndex *index, TrnCoord coord, uint32_t *value);

/// The values of the six neighbours in the order of TrnFace, TRN_CHUNK_VALUE_NONE where there is
/// none. Neighbours wrap at the ends of int32. O(1), wait-free.
TRN_API void trn_chunk_index_neighbours(const TrnChunkIndex *index, TrnCoord coord,
                                        uint32_t values[TRN_FACE_COUNT]);

/// The values of a chunk and its 26 neighbours, x fastest, then z, then y: the chunk itself is
/// values[13].
TRN_API void trn_chunk_index_around(const TrnChunkIndex *index, TrnCoord coord,
                                    uint32_t values[TRN_AROUND_COUNT]);

// ---- planes ------------------------------------------------------------------------------------

/// The plane of a name, or TRN_PLANE_COUNT_MAX. "present" is plane 0.
TRN_API TrnPlane trn_chunk_index_plane(const TrnChunkIndex *index, const char *name);

/// The name of a plane, or NULL when there is none; "present" for plane 0. Valid as long as the
/// index.
TRN_API const char *trn_chunk_index_plane_name(const TrnChunkIndex *index, TrnPlane plane);

/// Sets or clears the bit of a coordinate, whether a chunk is there or not.
/// Errors: BAD_ARGUMENT (no such plane, or TRN_PLANE_PRESENT, which insert and remove keep);
/// setting also NO_MEMORY, READERS, FULL.
TRN_API TrnResult trn_chunk_index_plane_set(TrnChunkIndex *index, TrnPlane plane, TrnCoord coord,
                                            bool bit);

/// Sets or clears all bits of a box. Setting takes pages for the whole box, and is refused at once
/// (FULL) where these are more than page_max; when it fails later, some bits have been set.
/// Clearing cannot fail, and costs no more than the pages there are.
/// Errors: as trn_chunk_index_plane_set.
TRN_API TrnResult trn_chunk_index_plane_fill(TrnChunkIndex *index, TrnPlane plane, TrnBox box,
                                             bool bit);

/// The bit of a coordinate; false for a plane that does not exist. O(1), wait-free.
TRN_API bool trn_chunk_index_plane_test(const TrnChunkIndex *index, TrnPlane plane, TrnCoord coord);

/// A condition on the planes of a coordinate and of its neighbours. Sets of planes are ored
/// TRN_PLANE_BITs; empty sets ask nothing.
typedef struct TrnPlaneQuery {
    uint32_t all;        ///< all of these are set here; must not be empty
    uint32_t any;        ///< at least one of these is set here
    uint32_t none;       ///< none of these is set here
    uint32_t all_faces;  ///< each of these is set at all six neighbours
    uint32_t all_around; ///< each of these is set at all 26 neighbours
} TrnPlaneQuery;

/// Makes a plane the answer to a query, for all coordinates at once: "loaded, and so are its six
/// neighbours", ...
/// Errors: BAD_ARGUMENT (TRN_PLANE_PRESENT, a plane that does not exist, an empty `all`, or a
/// result plane that the query asks of neighbours). Cost: some ten word operations per 64 cells and
/// plane asked for.
TRN_API TrnResult trn_chunk_index_plane_compute(TrnChunkIndex *index, TrnPlane plane,
                                                const TrnPlaneQuery *query);

// ---- many chunks -------------------------------------------------------------------------------

/// A convex region: where all planes a x + b y + c z + d are at least 0, in chunks from the lowest
/// corner of `origin`.
typedef struct TrnFrustum {
    TrnCoord origin;
    double planes[6][4];
    uint32_t count; ///< 0..6
} TrnFrustum;

/// What to gather, and where to put it. All zeroes but a box and an output is "all chunks of the
/// box".
typedef struct TrnChunkGather {
    TrnBox box;                ///< both corners inclusive; an empty box holds nothing
    const TrnFrustum *frustum; ///< only chunks that reach into it; NULL asks nothing
    /// only coordinates that it holds for; an empty `all` stands for TRN_PLANE_PRESENT
    TrnPlaneQuery planes;
    uint32_t *values; ///< [capacity] receives values; NULL when not wanted
    TrnCoord *coords; ///< [capacity] receives coordinates; NULL when not wanted
    void **pointers;  ///< [capacity] receives the addresses of the pool slots that values stand for
    TrnPoolId *ids;   ///< [capacity] receives their ids
    const TrnPool *pool; ///< for pointers and ids: value v is the slot of index1 v + 1
    size_t capacity;
} TrnChunkGather;

/// Gathers chunks, page by page. Where values, pointers or ids are wanted only present chunks are
/// found; coordinates alone are found of absent ones too, if the planes say so.
/// @return how many there are; only the first `capacity` are written (what lies between the two is
/// undefined)
/// Cost: O(pages in the box + chunks found); no allocation. 0 for a gather that makes no sense
/// (pointers without a pool).
TRN_API size_t trn_chunk_index_gather(const TrnChunkIndex *index, const TrnChunkGather *gather);

/// The values of all chunks of a box. @return how many there are; only the first `capacity` are
/// written
static inline size_t trn_chunk_index_gather_box(const TrnChunkIndex *index, TrnBox box,
                                                uint32_t *values, size_t capacity)
{
    TrnChunkGather gather;
    TrnPlaneQuery present = {0, 0, 0, 0, 0};
    gather.box = box;
    gather.frustum = NULL;
    gather.planes = present;
    gather.values = values;
    gather.coords = NULL;
    gather.pointers = NULL;
    gather.ids = NULL;
    gather.pool = NULL;
    gather.capacity = capacity;
    return trn_chunk_index_gather(index, &gather);
}

/// The whole int32 range, for gathering everything.
static inline TrnBox trn_box_everything(void)
{
    TrnBox box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    return box;
}

/// The six neighbours of every chunk of a box, in the order of TrnFace, TRN_CHUNK_VALUE_NONE where
/// there is none.
/// @param values      [capacity] the chunks themselves, in the order of trn_chunk_index_gather; may
///                    be NULL
/// @param neighbours  [capacity]
/// @return how many chunks there are; only the first `capacity` are written
TRN_API size_t trn_chunk_index_gather_neighbours(const TrnChunkIndex *index, TrnBox box,
                                                 uint32_t *values,
                                                 uint32_t (*neighbours)[TRN_FACE_COUNT],
                                                 size_t capacity);

/// Removes all chunks and clears all planes, and forgets what was reserved. Errors: NO_MEMORY,
/// READERS; the index is then as it was.
TRN_API TrnResult trn_chunk_index_clear(TrnChunkIndex *index);

/// Makes the directory reach over a box beside what it covers already, so that inserts there do not
/// grow it. From then on it is not cut down any more, until trn_chunk_index_clear.
/// Errors: BAD_ARGUMENT (an empty box), OUT_OF_RANGE (would pass directory_bytes_max), NO_MEMORY,
/// READERS.
TRN_API TrnResult trn_chunk_index_reserve(TrnChunkIndex *index, TrnBox box);

// ---- readers -----------------------------------------------------------------------------------

/// Registers a reader; one thread uses it at a time. Any thread may call this.
/// @param name  for trn_chunk_index_slowest_reader; copied, at most 31 bytes
/// Errors: FULL (reader_max).
TRN_API TrnResult trn_chunk_index_reader_create(TrnChunkIndex *index, const char *name,
                                                TrnChunkReader **reader);
TRN_API void trn_chunk_index_reader_destroy(TrnChunkReader *reader);

/// Begins and ends a read section. Sections do not nest. Keep them short (a frame, a job): what the
/// writer replaces meanwhile is kept. Wait-free; about the cost of one atomic store.
TRN_API void trn_chunk_index_read_begin(TrnChunkReader *reader);
TRN_API void trn_chunk_index_read_end(TrnChunkReader *reader);

/// The reader that holds retired memory back for longest, or NULL when none does. For the writer's
/// thread; the name stays valid until that reader is destroyed.
TRN_API const char *trn_chunk_index_slowest_reader(const TrnChunkIndex *index);

typedef struct TrnRetireLink TrnRetireLink;

/// Who takes objects back once no reader sees them. One for many objects; it lives until the last
/// of them has been taken back.
typedef struct TrnRetireOwner {
    /// Takes one object back, on the writer's thread, inside any call of the index that retires or
    /// reclaims. `link` lies in the object. It may retire further objects, and must not change the
    /// index otherwise.
    void (*free)(TrnRetireLink *link, void *context);
    void *context; ///< handed to free
} TrnRetireOwner;

/// A place in the list of what waits for readers. Put one into each object of yours that readers
/// reach through the index; it needs no initial value.
struct TrnRetireLink {
    TrnRetireLink *next;
    const TrnRetireOwner *owner;
    uint64_t epoch;
};

/// Hands over an object of yours that new readers can no longer reach: its owner gets it back as
/// soon as every reader has left the section that it is in now, at once when none is in one. What
/// waits still when the index is destroyed is taken back then. Such objects count neither for
/// retired_bytes_max nor in the figures. Cannot fail: no memory is taken. For the writer's thread.
/// Cost: a locked increment and a look at every reader's slot, tens of ns.
TRN_API void trn_chunk_index_retire(TrnChunkIndex *index, const TrnRetireOwner *owner,
                                    TrnRetireLink *link);

/// Gives back retired memory that no reader sees any more, and yours to its owners. Writes do so as
/// they retire; this is for a writer that pauses.
TRN_API void trn_chunk_index_reclaim(TrnChunkIndex *index);

// ---- figures -----------------------------------------------------------------------------------

/// Figures of an index.
typedef struct TrnChunkIndexStats {
    size_t chunks, pages;
    double fill;      ///< chunks per cell of the pages
    TrnBox directory; ///< in pages; an empty box when there is none
    size_t directory_cells;
    size_t outliers;                          ///< pages in the hash
    uint32_t directory_growths;               ///< how often the directory took another shape
    size_t bytes;                             ///< all memory taken, retired memory included
    size_t retired_bytes;                     ///< kept only for readers
    size_t plane_counts[TRN_PLANE_COUNT_MAX]; ///< set bits per plane
} TrnChunkIndexStats;

/// Cost: O(pages), for the counts. For the writer's thread.
TRN_API TrnChunkIndexStats trn_chunk_index_stats(const TrnChunkIndex *index);

// ---- the pages themselves, for whoever wants to show the index ---------------------------------

/// One page.
typedef struct TrnPageFigures {
    TrnCoord chunk;  ///< the lowest of its 8 x 8 x 8
    bool is_outlier; ///< it stands in the hash, too far from the others for the directory
    /// set bits, 0..512, of each plane; 0 for those that do not exist
    uint16_t counts[TRN_PLANE_COUNT_MAX];
} TrnPageFigures;

/// The pages that a box reaches into: those of the directory in order of its memory (x fastest,
/// then z, then y), then outliers.
/// @param box  chunk coordinates, both corners inclusive
/// @param out  [capacity] receives them; caller owns; may be NULL when capacity is 0
/// @return how many there are; only the first `capacity` are written
/// Beside the writer: every page that was there throughout the call. Counts are of bits as they
/// were read, one word after another, and of two words one may be older than the other.
/// Threads: as gathers, wait-free. Cost: O(cells of the directory in the box + pages), some 5 ns
/// for each plane of a page written.
TRN_API size_t trn_chunk_index_pages(const TrnChunkIndex *index, TrnBox box, TrnPageFigures *out,
                                     size_t capacity);

/// The bits of a plane in the page around a chunk.
/// @param words  [8] one for each y, from the lowest: the bit of a chunk is (x & 7) + 8 * (z & 7).
///               Zeroes where there is no page or plane
/// @return whether there are
/// Threads: as trn_chunk_index_plane_test. O(1), wait-free.
TRN_API bool trn_chunk_index_page_plane(const TrnChunkIndex *index, TrnCoord chunk, TrnPlane plane,
                                        uint64_t words[TRN_PAGE_EDGE]);

/// How often an index remembers that its directory took another shape.
#define TRN_DIRECTORY_STEPS_MAX 16

/// The directory took another shape: it grew, was cut down, reserved, or cleared.
typedef struct TrnDirectoryStep {
    /// 1 for the first of the index's life, and so on; those between are forgotten
    uint64_t number;
    TrnBox from, to; ///< in pages; an empty box where there was, or is, none
    size_t pages;    ///< that stood in it before
    double us; ///< that the new one took to make, its pages copied; 0 for trn_chunk_index_clear
} TrnDirectoryStep;

/// The last steps, oldest first. @return how many there are, at most TRN_DIRECTORY_STEPS_MAX
/// For the writer's thread. O(1).
TRN_API size_t trn_chunk_index_directory_steps(const TrnChunkIndex *index,
                                               TrnDirectoryStep out[TRN_DIRECTORY_STEPS_MAX]);

#ifdef __cplusplus
}
#endif
#endif
