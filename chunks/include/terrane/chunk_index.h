/// Terrane, chunk index: maps chunk coordinates to 32-bit values of the caller's, with bit planes
/// over the same space. Usable without the store: a game with its own chunk type keeps its slot
/// numbers here.
///
/// Cells are grouped into pages (chunk_pages.h). A full page holds one value per cell and a bit per
/// cell and plane; a sparse page lists the few cells that have a bit in any plane. Plane 0 says
/// which chunks are present. A directory (an array of page pointers with an origin that may be
/// negative) finds a page by arithmetic. It grows as long as its box holds at most 6 cells for each
/// page in it. Pages outside it, such as those of a second island, are outlier pages and go to a
/// keyed hash. So memory follows the number of chunks, not the distance between them. A page exists
/// while any of its planes has a bit set.
///
/// Nothing is copied or rehashed in one call: the next directory is built a limited number of cells
/// at each page created or dropped, and the hash is made of small tables. Only reserve and clear
/// take time that grows with the index.
///
/// Threads: one writer and any number of concurrent readers.
/// - The writer calls functions that take a non-const index, and stats and slowest_reader.
/// - Readers call find, find_many, neighbours, around, plane, plane_name, plane_test and the
///   gathers. A reader on another thread than the writer's works inside a read section
///   (trn_chunk_index_read_begin / _end) and never waits.
/// - Memory that the writer replaces or removes is retired: kept until every reader has left the
///   section it was in.
/// - A gather returns every chunk that was present throughout the call, and none that was absent
///   throughout.
///
/// Tier: stable.
#ifndef TERRANE_CHUNK_INDEX_H
#define TERRANE_CHUNK_INDEX_H

#include <stdbool.h>

#include <terrane/base.h>
#include <terrane/coord.h>
#include <terrane/pool.h>

TRN_C_BEGIN

/// Names a plane: 0 is TRN_PLANE_PRESENT, the others follow in the order of the def.
typedef uint32_t TrnPlane;
/// The plane of present chunks, which insert and remove maintain.
#define TRN_PLANE_PRESENT 0u
/// Present and 31 of the caller's, so that a set of planes fits 32 bits.
#define TRN_PLANE_COUNT_MAX 32u
/// The bit of a plane in a set of planes.
#define TRN_PLANE_BIT(plane) (UINT32_C(1) << (plane))

/// Means "no chunk" where values are returned in fixed places; cannot be inserted.
#define TRN_CHUNK_VALUE_NONE UINT32_MAX

/// An index. Opaque; the caller creates and destroys it.
typedef struct TrnChunkIndex TrnChunkIndex;

/// A registered reader of an index, for one thread at a time. Opaque.
typedef struct TrnChunkReader TrnChunkReader;

/// A plane of the caller's: loaded, dirty, shown, wanted, ...
typedef struct TrnPlaneDef {
    const char *name; ///< copied; at most 31 bytes, unique, not "present"
    /// Whether a chunk's bit stays when the chunk is removed; otherwise removal clears it.
    bool survives_removal;
} TrnPlaneDef;

/// Start from trn_chunk_index_def() and change what you need.
typedef struct TrnChunkIndexDef {
    const TrnPlaneDef *planes; ///< [plane_count] in addition to TRN_PLANE_PRESENT; copied
    uint32_t plane_count;      ///< 0..31
    uint32_t page_max;         ///< maximum pages, 1..2^31; beyond it writes return FULL
    uint32_t reader_max;       ///< readers that may be registered at the same time, 0..256
    /// Maximum size of the directory in bytes. Pages outside it become outlier pages.
    size_t directory_bytes_max;
    /// Maximum retired memory in bytes. Beyond it, writes that would retire more return READERS
    /// until the slow reader leaves its section. What a single write retires may exceed it: a page
    /// and a directory, or all pages for trn_chunk_index_clear.
    size_t retired_bytes_max;
    /// Key of the hash that finds outlier pages. 0 draws a random one, so that no player can choose
    /// coordinates that make it slow; set your own only to repeat measurements exactly. No result
    /// and no order depends on it.
    uint64_t hash_key;
    /// Copied. NULL means malloc, and for blocks of 2 MiB and more address ranges of the system.
    const TrnAllocator *allocator;
} TrnChunkIndexDef;

/// Returns the defaults: no planes but present, 2^20 pages, 16 readers, at most 256 MiB of
/// directory and 64 MiB of retired memory.
TRN_API TrnChunkIndexDef trn_chunk_index_def(void);

/// Creates an empty index. @param def  NULL means the defaults
/// Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_chunk_index_create(const TrnChunkIndexDef *def, TrnChunkIndex **index);

/// Destroys an index and its readers. No reader may be in a section. @param index  may be NULL
TRN_API void trn_chunk_index_destroy(TrnChunkIndex *index);

// ---- one chunk ---------------------------------------------------------------------------------

/// Inserts a chunk.
/// @param value  anything but TRN_CHUNK_VALUE_NONE
/// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, READERS, FULL; the index stays as it was. None but
/// BAD_ARGUMENT and EXISTS if the coordinate has a bit in any plane.
/// Cost: O(1). A new page may allocate, and continues to build the next directory if one is needed:
/// a bounded part of it in each call, page faults of the allocator apart.
/// A page that has become too large for its list is copied: up to 40 cells.
TRN_API TrnResult trn_chunk_index_insert(TrnChunkIndex *index, TrnCoord coord, uint32_t value);

/// Replaces the value of a present chunk. Concurrent readers get either the old or the new value;
/// a reader that gets the new one also sees what the writer wrote before this call.
/// @param value  anything but TRN_CHUNK_VALUE_NONE
/// Errors: BAD_ARGUMENT, NOT_FOUND; the index stays as it was. Never allocates or retires memory.
/// Threads: the writer; readers do not wait. Cost: O(1), one atomic store.
TRN_API TrnResult trn_chunk_index_set(TrnChunkIndex *index, TrnCoord coord, uint32_t value);

/// Looks up the value of a chunk.
/// @param value  receives it if the chunk is present, otherwise untouched; may be NULL
/// @return whether the chunk is present
/// O(1), wait-free, no allocation.
TRN_API bool trn_chunk_index_find(const TrnChunkIndex *index, TrnCoord coord, uint32_t *value);

/// Looks up the values of many chunks, as trn_chunk_index_find does for each. Cache misses of
/// different chunks overlap, so it takes a fraction of the time with cold caches, and in worlds of
/// scattered chunks.
/// @param coords  [count] in any order; the same one may occur more than once
/// @param values  [count] receives them, TRN_CHUNK_VALUE_NONE where no chunk is; caller owns; must
///                not overlap `coords`
/// @return how many of the chunks are present
/// Threads: any, wait-free. Cost: O(count); no allocation.
TRN_API size_t trn_chunk_index_find_many(const TrnChunkIndex *index, const TrnCoord *coords,
                                         size_t count, uint32_t *values);

/// Removes a chunk, and its bits in all planes that do not survive removal.
/// @param value  receives the value it had; may be NULL
/// Errors: NOT_FOUND; NO_MEMORY, READERS, if it was the last bit of its page; the index stays as it
/// was. Cost: O(1). A page with few cells left may be copied to a list: up to 20 cells.
TRN_API TrnResult trn_chunk_index_remove(TrnChunkIndex *index, TrnCoord coord, uint32_t *value);

/// Looks up the six neighbours of a coordinate, which wrap at the ends of int32.
/// @param values  receives them in the order of TrnFace, TRN_CHUNK_VALUE_NONE where no chunk is
/// O(1), wait-free.
TRN_API void trn_chunk_index_neighbours(const TrnChunkIndex *index, TrnCoord coord,
                                        uint32_t values[TRN_FACE_COUNT]);

/// Looks up a chunk and its 26 neighbours, which wrap at the ends of int32.
/// @param values  receives them in the order of trn_coord_around, so that values[TRN_AROUND_CENTRE]
///                is the chunk itself; TRN_CHUNK_VALUE_NONE where no chunk is
/// O(1), wait-free.
TRN_API void trn_chunk_index_around(const TrnChunkIndex *index, TrnCoord coord,
                                    uint32_t values[TRN_AROUND_COUNT]);

// ---- planes ------------------------------------------------------------------------------------

/// Returns the plane of a name, or TRN_PLANE_COUNT_MAX if no plane has it. "present" is plane 0.
TRN_API TrnPlane trn_chunk_index_plane(const TrnChunkIndex *index, const char *name);

/// Returns the name of a plane ("present" for plane 0), or NULL if the plane does not exist. Valid
/// as long as the index.
TRN_API const char *trn_chunk_index_plane_name(const TrnChunkIndex *index, TrnPlane plane);

/// Sets or clears the bit of a coordinate, whether a chunk is present or not.
/// Errors: BAD_ARGUMENT (no such plane, or TRN_PLANE_PRESENT, which insert and remove maintain);
/// setting also NO_MEMORY, READERS, FULL, if the coordinate has no bit in any plane yet.
TRN_API TrnResult trn_chunk_index_plane_set(TrnChunkIndex *index, TrnPlane plane, TrnCoord coord,
                                            bool bit);

/// Sets or clears all bits of a box. Setting creates pages for the whole box. If these are more
/// than page_max, it returns FULL and changes nothing; if it fails later, some bits have been set.
/// Clearing cannot fail, and costs O(existing pages in the box).
/// Errors: as trn_chunk_index_plane_set.
TRN_API TrnResult trn_chunk_index_plane_fill(TrnChunkIndex *index, TrnPlane plane, TrnBox box,
                                             bool bit);

/// Returns the bit of a coordinate; false for a plane that does not exist. O(1), wait-free.
TRN_API bool trn_chunk_index_plane_test(const TrnChunkIndex *index, TrnPlane plane, TrnCoord coord);

/// A condition on the planes of a coordinate and of its neighbours. Each field is a set of planes,
/// made of TRN_PLANE_BITs; an empty set imposes no condition.
typedef struct TrnPlaneQuery {
    uint32_t all;        ///< all of these are set here; must not be empty
    uint32_t any;        ///< at least one of these is set here
    uint32_t none;       ///< none of these is set here
    uint32_t all_faces;  ///< each of these is set at all six neighbours
    uint32_t all_around; ///< each of these is set at all 26 neighbours
} TrnPlaneQuery;

/// Sets a plane to the answer of a query, for all coordinates at once, such as "loaded, and all six
/// neighbours loaded".
/// Errors: BAD_ARGUMENT (TRN_PLANE_PRESENT, a plane that does not exist, an empty `all`, or a
/// result plane that the query tests at neighbours).
/// Cost: some ten word operations per 64 cells and plane of the query.
TRN_API TrnResult trn_chunk_index_plane_compute(TrnChunkIndex *index, TrnPlane plane,
                                                const TrnPlaneQuery *query);

// ---- many chunks -------------------------------------------------------------------------------

/// A convex region: where all planes a x + b y + c z + d are at least 0, in chunks from the lowest
/// corner of `origin`.
typedef struct TrnFrustum {
    TrnCoord origin;     ///< where the planes' coordinates begin
    double planes[6][4]; ///< [count] a, b, c, d of each plane
    uint32_t count;      ///< 0..6
} TrnFrustum;

/// How the 16 numbers of a matrix lie in memory. The matrix multiplies columns: clip = matrix *
/// position. A library that multiplies rows (position * matrix) and stores rows, such as
/// DirectXMath, has TRN_MATRIX_COLUMNS.
typedef enum TrnMatrixOrder {
    TRN_MATRIX_COLUMNS,    ///< column by column, as OpenGL, GLM and cglm store them
    TRN_MATRIX_ROWS,       ///< row by row
    TRN_MATRIX_ORDER_COUNT ///< the number of orders
} TrnMatrixOrder;

/// Which depths of clip space are inside a frustum. Reversed depth has the same region: the near
/// and the far plane change places.
typedef enum TrnClipDepth {
    TRN_CLIP_DEPTH_MINUS_ONE, ///< -1..1, as in OpenGL
    TRN_CLIP_DEPTH_ZERO,      ///< 0..1, as in Vulkan, Direct3D, Metal and WebGPU
    TRN_CLIP_DEPTH_COUNT      ///< the number of ranges
} TrnClipDepth;

/// Makes the frustum of a camera from its matrix, for a gather of what it sees.
/// @param matrix   [16] turns voxels, relative to `origin`, into clip coordinates: projection times
///                 view. Far planes at infinity are fine.
/// @param order    how its numbers lie in memory
/// @param depth    which depths are inside
/// @param origin   the point that the matrix's (0, 0, 0) stands for: the camera, if the game draws
///                 relative to it, or the corner of a chunk
/// @param frustum  receives six planes
/// Errors: BAD_ARGUMENT (NULL; a number that is not finite; a matrix without an inverse).
/// Threads: any. Cost: O(1); no allocation. Source: G. Gribb and K. Hartmann, "Fast Extraction of
/// Viewing Frustum Planes from the World-View-Projection Matrix", 2001.
TRN_API TrnResult trn_frustum_from_matrix(const float matrix[16], TrnMatrixOrder order,
                                          TrnClipDepth depth, TrnPosition origin,
                                          TrnFrustum *frustum);

/// What to gather, and where to write it. With only a box and an output set, gathers all chunks of
/// the box. Caller owns all arrays.
typedef struct TrnChunkGather {
    TrnBox box;                ///< both corners inclusive; an empty box holds nothing
    const TrnFrustum *frustum; ///< only chunks that reach into it; NULL for no condition
    /// Only coordinates that satisfy it; an empty `all` means TRN_PLANE_PRESENT.
    TrnPlaneQuery planes;
    uint32_t *values; ///< [capacity] receives values; may be NULL
    TrnCoord *coords; ///< [capacity] receives coordinates; may be NULL
    void **pointers;  ///< [capacity] receives the addresses of the values' pool slots; may be NULL
    TrnPoolId *ids;   ///< [capacity] receives the ids of the values' pool slots; may be NULL
    const TrnPool *pool; ///< for pointers and ids: value v is the slot of index1 v + 1
    size_t capacity;     ///< of each array, in elements
} TrnChunkGather;

/// Gathers chunks, page by page: those of the directory in memory order (x fastest, then z, then
/// y), then those of outlier pages, by coordinates if the box has fewer pages than there are
/// outlier pages, otherwise in the order in which they became outliers; within a page x fastest,
/// then z, then y. The same calls give the same order, whatever the hash key. (But if a reader
/// stays in one section while a page enters the directory and leaves it again, that page keeps its
/// former place among the outliers.) With values, pointers or ids it finds only present chunks;
/// with coordinates alone it also finds absent ones, if the planes select them.
/// @return how many coordinates match; only the first `capacity` are written, and elements between
/// that number and `capacity` are undefined. 0 for an invalid gather (pointers without a pool).
/// Threads: any, wait-free. Cost: O(pages in the box + chunks found); no allocation.
TRN_API size_t trn_chunk_index_gather(const TrnChunkIndex *index, const TrnChunkGather *gather);

/// Gathers the values of all chunks of a box.
/// @param values  [capacity] receives them; caller owns; may be NULL when capacity is 0
/// @return how many chunks the box holds; only the first `capacity` are written
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

/// Returns the box of all coordinates, for gathering everything.
static inline TrnBox trn_box_everything(void)
{
    TrnBox box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    return box;
}

/// Gathers the six neighbours of every chunk of a box.
/// @param values      [capacity] receives the chunks' own values, in the order of
///                    trn_chunk_index_gather; may be NULL
/// @param neighbours  [capacity] receives each chunk's neighbours in the order of TrnFace,
///                    TRN_CHUNK_VALUE_NONE where no chunk is
/// @return how many chunks the box holds; only the first `capacity` are written
/// Threads: any, wait-free. Cost: O(pages in the box + chunks found); no allocation.
TRN_API size_t trn_chunk_index_gather_neighbours(const TrnChunkIndex *index, TrnBox box,
                                                 uint32_t *values,
                                                 uint32_t (*neighbours)[TRN_FACE_COUNT],
                                                 size_t capacity);

/// Removes all chunks, clears all planes and drops what was reserved.
/// Errors: NO_MEMORY, READERS; the index stays as it was.
TRN_API TrnResult trn_chunk_index_clear(TrnChunkIndex *index);

/// Extends the directory over a box, so that inserts there do not grow it. From then on it never
/// shrinks, until trn_chunk_index_clear. Cost: O(cells of the box), in this call.
/// Errors: BAD_ARGUMENT (an empty box), OUT_OF_RANGE (would exceed directory_bytes_max), NO_MEMORY,
/// READERS.
TRN_API TrnResult trn_chunk_index_reserve(TrnChunkIndex *index, TrnBox box);

// ---- readers -----------------------------------------------------------------------------------

/// The bytes of a reader's name with its final zero.
#define TRN_READER_NAME_BYTES 32

/// Registers a reader; one thread uses it at a time. Any thread may call this.
/// @param name  for trn_chunk_index_slowest_reader; copied, cut off after TRN_READER_NAME_BYTES - 1
///              bytes; NULL or "" means "reader"
/// Errors: FULL (reader_max).
TRN_API TrnResult trn_chunk_index_reader_create(TrnChunkIndex *index, const char *name,
                                                TrnChunkReader **reader);

/// Unregisters a reader, and ends its section if it is in one. @param reader  may be NULL
TRN_API void trn_chunk_index_reader_destroy(TrnChunkReader *reader);

/// Begins a read section. Sections do not nest. Keep them short (a frame, a job), because retired
/// memory is kept meanwhile. Wait-free; about the cost of one atomic store.
TRN_API void trn_chunk_index_read_begin(TrnChunkReader *reader);

/// Ends a read section: everything found in it may become invalid. Wait-free.
TRN_API void trn_chunk_index_read_end(TrnChunkReader *reader);

/// Finds the reader that has kept retired memory for longest.
/// @param name  receives its name, if there is one; may be NULL
/// @return whether there is one. With a name also false if that reader ended its section meanwhile
/// Threads: the writer, while other threads register and destroy readers. Cost: O(reader_max),
/// wait-free.
TRN_API bool trn_chunk_index_slowest_reader(const TrnChunkIndex *index,
                                            char name[TRN_READER_NAME_BYTES]);

/// Reclaims retired memory that no reader can see any more. Writes that retire do so themselves;
/// call this when the writer pauses.
TRN_API void trn_chunk_index_reclaim(TrnChunkIndex *index);

// ---- stats -------------------------------------------------------------------------------------

/// Statistics of an index.
typedef struct TrnChunkIndexStats {
    size_t chunks;                            ///< present
    size_t pages;                             ///< of either form, outlier pages included
    double fill;                              ///< chunks per cell of the pages
    TrnBox directory;                         ///< in pages; an empty box if it has no cells
    size_t directory_cells;                   ///< pages that fit into the directory's box
    size_t outliers;                          ///< pages in the outlier hash
    uint32_t directory_growths;               ///< how often the directory was reshaped
    size_t bytes;                             ///< all memory, retired memory included
    size_t sparse_pages;                      ///< of the pages, those that list their chunks
    size_t full_page_bytes;                   ///< of the bytes, those for full pages
    size_t sparse_page_bytes;                 ///< and those for sparse pages
    size_t retired_bytes;                     ///< kept only for readers
    size_t plane_counts[TRN_PLANE_COUNT_MAX]; ///< set bits per plane
} TrnChunkIndexStats;

/// Returns the statistics of an index. Threads: the writer. Cost: O(pages), because it counts bits.
TRN_API TrnChunkIndexStats trn_chunk_index_stats(const TrnChunkIndex *index);

TRN_C_END
#endif
