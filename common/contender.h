/// A contender of terrane-bench: a container of chunks by coordinate. The built-in ones are in
/// bench/contenders/; your own shared library joins them in every table of topic `lookup`:
///
///     cc -O3 -march=native -std=c17 -fPIC -shared -Icommon -Ichunks/include mine.c -o mine.so
///     terrane-bench lookup --contender ./mine.so
///
/// It exports one function, terrane_contender(), and links with nothing of Terrane.
/// examples/contender.c is a complete one.
///
/// The bench times these functions. Each gets many coordinates at once, so that the call itself
/// costs little. One thread calls. Each world runs in its own child process; if a contender crashes
/// or hangs, the bench names it and goes on.
#ifndef TERRANE_COMMON_CONTENDER_H
#define TERRANE_COMMON_CONTENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TERRANE_CONTENDER_VERSION 1
#define CONTENDER_NUMBER_NONE UINT32_MAX

/// A chunk's header, as large as one in a game. The bench owns it; contenders store its address or
/// its number.
typedef struct ContenderChunk {
    TrnCoord coord;
    uint32_t number;     ///< its index in ContenderWorld.chunks
    uint32_t is_visible; ///< 0 or 1
    unsigned char rest[236];
} ContenderChunk;

/// A chunk to insert and its coordinate, so that reading the coordinate does not fetch the header's
/// cache line.
typedef struct ContenderEntry {
    TrnCoord coord;
    uint32_t number; ///< chunk->number
    const ContenderChunk *chunk;
} ContenderEntry;

/// What a contender may know about a world before the first insert. Lives as long as the contender.
typedef struct ContenderWorld {
    /// [chunk_count] every chunk that may be inserted; coordinates change as worlds move
    const ContenderChunk *chunks;
    uint32_t chunk_count;
    TrnBox box; ///< holds all chunks inserted before the first question; worlds that move leave it
    /// its slots 0 .. chunk_count - 1 are the chunks, for contenders built on Terrane
    const TrnPool *pool;
    /// the same slots in a pool without a reserved range: addresses come from a table of blocks
    const TrnPool *block_pool;
} ContenderWorld;

/// How a contender answers: with a chunk's address, as most games do, or with its number.
typedef enum ContenderAnswer {
    CONTENDER_POINTERS, ///< const ContenderChunk *; NULL if not found
    CONTENDER_NUMBERS   ///< uint32_t; CONTENDER_NUMBER_NONE if not found
} ContenderAnswer;

/// The functions of a contender. `out` receives answers of the kind `answers`, lists in any order.
/// Coordinates may be anywhere in int32.
typedef struct Contender {
    uint32_t version; ///< TERRANE_CONTENDER_VERSION
    const char *name; ///< "std::unordered_map, probed": unique, at most 60 bytes; printed unchanged
    ContenderAnswer answers;

    // ---- required
    // --------------------------------------------------------------------------------

    /// Creates an empty container. @return NULL if out of memory
    void *(*create)(const ContenderWorld *world);
    void (*destroy)(void *self);
    /// Inserts chunks that it does not hold yet. None is visible until set_visible says so. @return
    /// how many were inserted, from the first on; fewer than `count` ends this world for the
    /// contender, and `explain` says why
    size_t (*insert)(void *self, const ContenderEntry *entries, size_t count);
    /// Removes chunks, all of which it holds.
    void (*remove)(void *self, const TrnCoord *coords, size_t count);
    /// Finds the chunk at each coordinate. @param out  [count]
    void (*find)(const void *self, const TrnCoord *coords, size_t count, void *out);
    /// Gathers the chunks of a box, both corners inclusive. @return how many there are; only the
    /// first `capacity` are written
    size_t (*gather)(void *self, TrnBox box, void *out, size_t capacity);
    /// Gathers all chunks. @return how many there are; only the first `capacity` are written
    size_t (*gather_all)(void *self, void *out, size_t capacity);

    // ---- optional (NULL)
    // --------------------------------------------------------------------------- Without them the
    // bench uses the functions above and chunks' headers, as a game would.

    /// Gathers the chunks of a box that intersect a frustum: those whose cube [coord, coord + 1] is
    /// not entirely outside one of its planes. NULL: gathers the box and tests each header.
    size_t (*gather_frustum)(void *self, TrnBox box, const TrnFrustum *frustum, void *out,
                             size_t capacity);
    /// Tells that chunks' `is_visible` changed; for contenders that store it. It holds all of them.
    void (*set_visible)(void *self, const TrnCoord *coords, size_t count, bool is_visible);
    /// Gathers the visible chunks of a box. NULL: gathers the box and reads each header.
    size_t (*gather_visible)(void *self, TrnBox box, void *out, size_t capacity);
    /// Finds the six neighbours of each coordinate, in the order of TrnFace. @param out [count][6].
    /// NULL: finds each.
    void (*neighbours)(const void *self, const TrnCoord *coords, size_t count, void *out);
    /// Gathers the chunks of which it holds all six neighbours. @param chunks  [count] all chunks
    /// that it holds
    /// @return how many; only the first `capacity` are written. NULL: finds the neighbours of each
    /// until one is missing.
    size_t (*gather_ready)(void *self, const ContenderChunk *const *chunks, size_t count, void *out,
                           size_t capacity);
    /// Bytes that it allocated other than by malloc, such as by mmap. NULL: none. The bench counts
    /// malloc itself.
    size_t (*other_bytes)(const void *self);
    /// Why `insert` refused, as one short clause: "the box would take 137 GB". @param text  [size].
    /// NULL: "it refused".
    void (*explain)(const void *self, char *text, size_t size);
} Contender;

/// The function that a shared library exports. @return a contender that lives as long as it
#if defined(_WIN32)
__declspec(dllexport)
#elif defined(__GNUC__)
__attribute__((visibility("default")))
#endif
    const Contender *terrane_contender(void);

#ifdef __cplusplus
}
#endif
#endif
