/// Default implementations of a Contender's optional functions. Each calls the contender's function
/// if it exists, and otherwise uses the required functions and the chunk headers, as a game would.
/// Also validates a loaded contender and decodes answers.
#pragma once

#include "contender.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The longest name of a contender, in bytes.
#define CONTENDER_NAME_MAX 60

/// What contender_answer() returns for an answer that is no chunk of the world.
#define CONTENDER_NUMBER_WRONG (CONTENDER_NUMBER_NONE - 1)

/// Describes why a contender cannot be used: another version, a missing or unprintable name, a
/// missing required function.
/// @param contender  may be NULL, which is a problem
/// @param text       [size] receives one short clause; untouched when there is no problem
/// @return whether there is a problem
bool contender_problem(const Contender *contender, char *text, size_t size);

/// The chunk number of an answer. The contender may have written any bytes: addresses are compared,
/// never dereferenced.
/// @param answers  what the contender wrote, pointers or numbers; any alignment
/// @return CONTENDER_NUMBER_NONE for "not found", CONTENDER_NUMBER_WRONG if it is no chunk
uint32_t contender_answer(const Contender *contender, const ContenderWorld *world,
                          const void *answers, size_t at);

// These functions gather the box into `out` and filter it in place. If the box holds more than
// `capacity` chunks, they split it until the parts fit into a few KiB of stack, which is slower.
// They allocate nothing.
// @param world  the world that the contender was created with; answers that are numbers index its
// chunks
// @return how many chunks match; at most `capacity` are written

size_t contender_gather_frustum(const Contender *contender, const ContenderWorld *world, void *self,
                                TrnBox box, const TrnFrustum *frustum, void *out, size_t capacity);

size_t contender_gather_visible(const Contender *contender, const ContenderWorld *world, void *self,
                                TrnBox box, void *out, size_t capacity);

/// To be called after `is_visible` of inserted chunks changes. Does nothing for contenders that
/// read this bit from the headers.
void contender_set_visible(const Contender *contender, const ContenderWorld *world, void *self,
                           const TrnCoord *coords, size_t count, bool is_visible);

/// @param out  [count][6] answers
void contender_neighbours(const Contender *contender, const ContenderWorld *world, const void *self,
                          const TrnCoord *coords, size_t count, void *out);

/// @param chunks  [count] all chunks that the contender holds
size_t contender_gather_ready(const Contender *contender, const ContenderWorld *world, void *self,
                              const ContenderChunk *const *chunks, size_t count, void *out,
                              size_t capacity);

/// Bytes allocated other than by malloc; 0 if the contender does not report them.
size_t contender_other_bytes(const Contender *contender, const ContenderWorld *world,
                             const void *self);

/// Writes why the contender refused; "it refused" if it gives no reason. @param text [size], size >
/// 0; receives a null-terminated text
void contender_explain(const Contender *contender, const ContenderWorld *world, const void *self,
                       char *text, size_t size);

#ifdef __cplusplus
}
#endif
