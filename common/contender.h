/// A contender of terrane-bench: something that keeps chunks by coordinate. The built-in ones lie
/// in bench/contenders/; a shared library of yours joins them in every table of topic `lookup`:
///
///     cc -O3 -march=native -std=c17 -fPIC -shared -Icommon -Ichunks/include mine.c -o mine.so
///     terrane-bench lookup --contender ./mine.so
///
/// It exports one function, terrane_contender(), and needs nothing of Terrane to link with.
/// examples/contender.c is a whole one.
///
/// What is timed lies behind these functions, and each gets many coordinates at once, so that the
/// call itself weighs on nobody. One thread calls. Each world is a child process of its own: what
/// crashes or hangs ends there, and is named.
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

/// A chunk's header, as large as one in a game. The bench owns it; contenders keep its address or
/// its number.
typedef struct ContenderChunk {
    TrnCoord coord;
    uint32_t number;     ///< its place in ContenderWorld.chunks
    uint32_t is_visible; ///< 0 or 1
    unsigned char rest[236];
} ContenderChunk;

/// A chunk that comes, and where it comes to: beside each other, since a header's memory is another
/// cache line.
typedef struct ContenderEntry {
    TrnCoord coord;
    uint32_t number; ///< chunk->number
    const ContenderChunk *chunk;
} ContenderEntry;

/// What a contender may know of a world before the first chunk comes. Lives as long as the
/// contender.
typedef struct ContenderWorld {
    /// [chunk_count] every chunk that may ever be inserted; their coordinates change as worlds move
    const ContenderChunk *chunks;
    uint32_t chunk_count;
    TrnBox box; ///< around all that is inserted before anything is asked; worlds that move leave it
    /// whose slots 0 .. chunk_count - 1 the chunks are, for contenders built on Terrane
    const TrnPool *pool;
} ContenderWorld;

/// What a contender writes for a chunk: its address, as most games keep it, or its number.
typedef enum ContenderAnswer {
    CONTENDER_POINTERS, ///< const ContenderChunk *; NULL for one that is not there
    CONTENDER_NUMBERS   ///< uint32_t; CONTENDER_NUMBER_NONE for one that is not there
} ContenderAnswer;

/// The functions of a contender. `out` receives answers of the kind that `answers` says. Lists of
/// answers may come in any order. Coordinates may lie anywhere in int32.
typedef struct Contender {
    uint32_t version; ///< TERRANE_CONTENDER_VERSION
    const char *name; ///< "std::unordered_map, probed": unique, at most 60 bytes; printed as it is
    ContenderAnswer answers;

    // ---- needed --------------------------------------------------------------------------------

    /// An empty container, or NULL when there is no memory.
    void *(*create)(const ContenderWorld *world);
    void (*destroy)(void *self);
    /// Adds chunks that are not there yet. None is visible before set_visible says so. @return how
    /// many of them, from the first on, were taken; fewer than `count` ends this world for the
    /// contender, and `explain` is asked why
    size_t (*insert)(void *self, const ContenderEntry *entries, size_t count);
    /// Removes chunks, all of which are there.
    void (*remove)(void *self, const TrnCoord *coords, size_t count);
    /// The chunk at each coordinate. @param out  [count]
    void (*find)(const void *self, const TrnCoord *coords, size_t count, void *out);
    /// The chunks of a box, both corners inclusive. @return how many there are; only the first
    /// `capacity` are written
    size_t (*gather)(void *self, TrnBox box, void *out, size_t capacity);
    /// All chunks. @return how many there are; only the first `capacity` are written
    size_t (*gather_all)(void *self, void *out, size_t capacity);

    // ---- may be NULL ---------------------------------------------------------------------------
    // The bench then does with the above, and with chunks' headers, what a game would do.

    /// The chunks of a box that reach into a frustum: those whose cube [coord, coord + 1] is not
    /// wholly outside one of its planes. NULL: gathers the box and tests each header.
    size_t (*gather_frustum)(void *self, TrnBox box, const TrnFrustum *frustum, void *out,
                             size_t capacity);
    /// Tells that chunks' `is_visible` has changed; for contenders that keep it apart. All are
    /// there.
    void (*set_visible)(void *self, const TrnCoord *coords, size_t count, bool is_visible);
    /// The chunks of a box that are visible. NULL: gathers the box and reads each header.
    size_t (*gather_visible)(void *self, TrnBox box, void *out, size_t capacity);
    /// The six neighbours of each coordinate, in the order of TrnFace. @param out  [count][6].
    /// NULL: finds each.
    void (*neighbours)(const void *self, const TrnCoord *coords, size_t count, void *out);
    /// Which of all its chunks have six neighbours that are there as well. @param chunks  [count]
    /// all that it holds
    /// @return how many; only the first `capacity` are written. NULL: finds the neighbours of each
    /// until one is missing.
    size_t (*gather_ready)(void *self, const ContenderChunk *const *chunks, size_t count, void *out,
                           size_t capacity);
    /// Bytes that it has taken from elsewhere than malloc, such as mmap. NULL: none. What it has
    /// taken from malloc is counted anyway.
    size_t (*other_bytes)(const void *self);
    /// Why `insert` refused, as one short clause: "the box would take 137 GB". @param text  [size].
    /// NULL: "it refused".
    void (*explain)(const void *self, char *text, size_t size);
} Contender;

/// What a shared library exports. @return a contender that lives as long as the library
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const Contender *
terrane_contender(void);

#ifdef __cplusplus
}
#endif
#endif
