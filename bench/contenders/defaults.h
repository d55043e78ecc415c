/// The functions that a Contender may leave out: each calls the contender's own if there is one.
/// Otherwise it does what a game would do, with the required functions and the chunk headers.
/// Also: checks a contender that was loaded, and reads answers.
#ifndef TERRANE_BENCH_CONTENDERS_DEFAULTS_H
#define TERRANE_BENCH_CONTENDERS_DEFAULTS_H

#include "contender.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The longest name of a contender, in bytes.
#define CONTENDER_NAME_MAX 60

/// contender_answer() of an answer that names no chunk of the world.
#define CONTENDER_NUMBER_WRONG (CONTENDER_NUMBER_NONE - 1)

/// Says what keeps a contender from being used: another version, no name or one that does not
/// print, a needed function that is missing.
/// @param contender  may be NULL, which is a problem
/// @param text       [size] receives one short clause; untouched when there is no problem
/// @return whether there is a problem
bool contender_problem(const Contender *contender, char *text, size_t size);

/// The chunk number that an answer stands for. The contender may have written anything: addresses
/// are compared, not followed.
/// @param answers  what the contender wrote, pointers or numbers; any alignment
/// @return CONTENDER_NUMBER_NONE for "not found", CONTENDER_NUMBER_WRONG if it is no chunk
uint32_t contender_answer(const Contender *contender, const ContenderWorld *world,
                          const void *answers, size_t at);

// The gathers gather the box into `out` and keep what is wanted, in place. A box that holds more
// than `capacity` is cut in two until its parts fit into a few KiB of stack: exact as well, but
// slower. Nothing is allocated.
// @param world  the one that the contender was created with: numbers stand for its chunks
// @return how many there are; only the first `capacity` are written, and what lies between the two
// is undefined

size_t contender_gather_frustum(const Contender *contender, const ContenderWorld *world, void *self,
                                TrnBox box, const TrnFrustum *frustum, void *out, size_t capacity);

size_t contender_gather_visible(const Contender *contender, const ContenderWorld *world, void *self,
                                TrnBox box, void *out, size_t capacity);

/// Call it whenever headers of chunks that are there have changed. Contenders that keep no such bit
/// of their own read the headers later.
void contender_set_visible(const Contender *contender, const ContenderWorld *world, void *self,
                           const TrnCoord *coords, size_t count, bool is_visible);

/// @param out  [count][6] answers
void contender_neighbours(const Contender *contender, const ContenderWorld *world, const void *self,
                          const TrnCoord *coords, size_t count, void *out);

/// @param chunks  [count] all that the contender holds
size_t contender_gather_ready(const Contender *contender, const ContenderWorld *world, void *self,
                              const ContenderChunk *const *chunks, size_t count, void *out,
                              size_t capacity);

/// Bytes taken from elsewhere than malloc; 0 where the contender does not say.
size_t contender_other_bytes(const Contender *contender, const ContenderWorld *world,
                             const void *self);

/// Why it refused: "it refused" where the contender does not say. @param text  [size], size > 0;
/// always ends with a zero
void contender_explain(const Contender *contender, const ContenderWorld *world, const void *self,
                       char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
