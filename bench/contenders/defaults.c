#include "defaults.h"

#include <stdio.h>
#include <string.h>

#include "frustum.h"

// ---- problems ----------------------------------------------------------------------------------

static bool defaults_name_is_printable(const char *name)
{
    for (; *name; name++) {
        if (*name < ' ' || *name > '~') {
            return false;
        }
    }
    return true;
}

static const char *defaults_missing_function(const Contender *contender)
{
    return !contender->create       ? "create"
           : !contender->destroy    ? "destroy"
           : !contender->insert     ? "insert"
           : !contender->remove     ? "remove"
           : !contender->find       ? "find"
           : !contender->gather     ? "gather"
           : !contender->gather_all ? "gather_all"
                                    : NULL;
}

bool contender_problem(const Contender *contender, char *text, size_t size)
{
    if (!contender) {
        snprintf(text, size, "terrane_contender() returned NULL");
    } else if (contender->version != TERRANE_CONTENDER_VERSION) {
        snprintf(text, size,
                 "its version is %u, this bench knows %u: build it with this contender.h",
                 (unsigned)contender->version, (unsigned)TERRANE_CONTENDER_VERSION);
    } else if (!contender->name || contender->name[0] == '\0') {
        snprintf(text, size, "it has no name");
    } else if (strlen(contender->name) > CONTENDER_NAME_MAX) {
        snprintf(text, size, "its name is longer than %d bytes", CONTENDER_NAME_MAX);
    } else if (!defaults_name_is_printable(contender->name)) {
        snprintf(text, size, "its name has bytes other than printable ASCII");
    } else if (contender->answers != CONTENDER_POINTERS &&
               contender->answers != CONTENDER_NUMBERS) {
        snprintf(text, size, "its answers are neither pointers nor numbers");
    } else if (defaults_missing_function(contender)) {
        snprintf(text, size, "it lacks the function '%s'", defaults_missing_function(contender));
    } else {
        return false;
    }
    return true;
}

// ---- answers -----------------------------------------------------------------------------------

uint32_t contender_answer(const Contender *contender, const ContenderWorld *world,
                          const void *answers, size_t at)
{
    if (contender->answers == CONTENDER_NUMBERS) {
        uint32_t number;
        memcpy(&number, (const unsigned char *)answers + at * sizeof number, sizeof number);
        return number == CONTENDER_NUMBER_NONE || number < world->chunk_count
                   ? number
                   : CONTENDER_NUMBER_WRONG;
    }
    uintptr_t address;
    memcpy(&address, (const unsigned char *)answers + at * sizeof address, sizeof address);
    if (address == 0) {
        return CONTENDER_NUMBER_NONE;
    }
    const uintptr_t offset = address - (uintptr_t)world->chunks; // wraps below the chunks
    const uintptr_t number = offset / sizeof(ContenderChunk);
    return offset % sizeof(ContenderChunk) == 0 && number < world->chunk_count
               ? (uint32_t)number
               : CONTENDER_NUMBER_WRONG;
}

// ---- gathers with a condition ------------------------------------------------------------------

/// Capacity for a few answers of either kind.
typedef union AnswerBlock {
    const ContenderChunk *pointers[256];
    uint32_t numbers[512];
} AnswerBlock;

/// The condition and the progress of a filtered gather.
typedef struct FilteredGather {
    const Contender *contender;
    const ContenderWorld *world;
    void *self;
    const FrustumTest *frustum; // NULL: gathers visible chunks
    void *out;
    size_t capacity, count;
} FilteredGather;

static inline bool defaults_is_wanted(const FilteredGather *gather, const ContenderChunk *chunk)
{
    return gather->frustum ? frustum_reaches(gather->frustum, chunk->coord)
                           : chunk->is_visible != 0;
}

/// Appends the answers that satisfy the condition. `answers` may be the output list itself, since
/// writes never overtake reads.
static void defaults_keep_wanted(FilteredGather *gather, const void *answers, size_t count)
{
    if (gather->contender->answers == CONTENDER_POINTERS) {
        const ContenderChunk *const *from = answers;
        const ContenderChunk **to = gather->out;
        for (size_t i = 0; i < count; i++) {
            const ContenderChunk *chunk = from[i];
            if (defaults_is_wanted(gather, chunk)) {
                if (gather->count < gather->capacity) {
                    to[gather->count] = chunk;
                }
                gather->count++;
            }
        }
        return;
    }
    const uint32_t *from = answers;
    uint32_t *to = gather->out;
    for (size_t i = 0; i < count; i++) {
        const uint32_t number = from[i];
        if (defaults_is_wanted(gather, &gather->world->chunks[number])) {
            if (gather->count < gather->capacity) {
                to[gather->count] = number;
            }
            gather->count++;
        }
    }
}

/// Splits a box of more than one chunk along its longest axis.
static void defaults_split_box(TrnBox box, TrnBox *low, TrnBox *high)
{
    int32_t min[3] = {box.min.x, box.min.y, box.min.z}, max[3] = {box.max.x, box.max.y, box.max.z};
    int axis = 0;
    for (int i = 1; i < 3; i++) {
        if ((int64_t)max[i] - min[i] > (int64_t)max[axis] - min[axis]) {
            axis = i;
        }
    }
    const int32_t middle = (int32_t)(min[axis] + ((int64_t)max[axis] - min[axis]) / 2);
    min[axis] = middle + 1;
    max[axis] = middle;
    *low = (TrnBox){box.min, {max[0], max[1], max[2]}};
    *high = (TrnBox){{min[0], min[1], min[2]}, box.max};
}

/// Gathers a box that holds more chunks than fit in the caller's list. Splits the box recursively,
/// at most 96 levels deep.
static void defaults_gather_split(FilteredGather *gather, TrnBox box)
{
    AnswerBlock block;
    const size_t room = gather->contender->answers == CONTENDER_POINTERS
                            ? sizeof block.pointers / sizeof(const ContenderChunk *)
                            : sizeof block.numbers / sizeof *block.numbers;
    const size_t held = gather->contender->gather(gather->self, box, &block, room);
    const bool is_one_chunk = trn_coord_equal(box.min, box.max);
    if (held <= room || is_one_chunk) {
        defaults_keep_wanted(gather, &block, held < room ? held : room);
        return;
    }
    TrnBox low, high;
    defaults_split_box(box, &low, &high);
    defaults_gather_split(gather, low);
    defaults_gather_split(gather, high);
}

static size_t defaults_gather_filtered(FilteredGather *gather, TrnBox box)
{
    const size_t held = gather->contender->gather(gather->self, box, gather->out, gather->capacity);
    if (held <= gather->capacity) {
        defaults_keep_wanted(gather, gather->out, held);
    } else {
        defaults_gather_split(gather, box);
    }
    return gather->count;
}

size_t contender_gather_frustum(const Contender *contender, const ContenderWorld *world, void *self,
                                TrnBox box, const TrnFrustum *frustum, void *out, size_t capacity)
{
    if (contender->gather_frustum) {
        return contender->gather_frustum(self, box, frustum, out, capacity);
    }
    const FrustumTest test = frustum_test(frustum);
    FilteredGather gather = {contender, world, self, &test, out, capacity, 0};
    return defaults_gather_filtered(&gather, box);
}

size_t contender_gather_visible(const Contender *contender, const ContenderWorld *world, void *self,
                                TrnBox box, void *out, size_t capacity)
{
    if (contender->gather_visible) {
        return contender->gather_visible(self, box, out, capacity);
    }
    FilteredGather gather = {contender, world, self, NULL, out, capacity, 0};
    return defaults_gather_filtered(&gather, box);
}

void contender_set_visible(const Contender *contender, const ContenderWorld *world, void *self,
                           const TrnCoord *coords, size_t count, bool is_visible)
{
    (void)world;
    if (contender->set_visible) {
        contender->set_visible(self, coords, count, is_visible);
    }
}

// ---- neighbours --------------------------------------------------------------------------------

enum { COORDS_AT_ONCE = 64 };

static size_t defaults_answer_bytes(const Contender *contender)
{
    return contender->answers == CONTENDER_POINTERS ? sizeof(const ContenderChunk *)
                                                    : sizeof(uint32_t);
}

static bool defaults_answer_is_found(const Contender *contender, const AnswerBlock *answers,
                                     size_t at)
{
    return contender->answers == CONTENDER_POINTERS ? answers->pointers[at] != NULL
                                                    : answers->numbers[at] != CONTENDER_NUMBER_NONE;
}

void contender_neighbours(const Contender *contender, const ContenderWorld *world, const void *self,
                          const TrnCoord *coords, size_t count, void *out)
{
    (void)world;
    if (contender->neighbours) {
        contender->neighbours(self, coords, count, out);
        return;
    }
    TrnCoord around[COORDS_AT_ONCE * TRN_FACE_COUNT];
    unsigned char *to = out;
    for (size_t first = 0; first < count; first += COORDS_AT_ONCE) {
        size_t asked = 0;
        for (size_t i = first; i < count && i < first + COORDS_AT_ONCE; i++) {
            for (int face = 0; face < TRN_FACE_COUNT; face++) {
                around[asked++] = trn_coord_neighbour(coords[i], (TrnFace)face);
            }
        }
        contender->find(self, around, asked, to);
        to += asked * defaults_answer_bytes(contender);
    }
}

/// Moves the chunks that have a neighbour at a face to the front. @return how many have one
static size_t defaults_keep_with_neighbour(const Contender *contender, const void *self,
                                           TrnFace face, const ContenderChunk **chunks,
                                           size_t count)
{
    TrnCoord next[COORDS_AT_ONCE];
    AnswerBlock answers;
    for (size_t i = 0; i < count; i++) {
        next[i] = trn_coord_neighbour(chunks[i]->coord, face);
    }
    contender->find(self, next, count, &answers);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (defaults_answer_is_found(contender, &answers, i)) {
            chunks[kept++] = chunks[i];
        }
    }
    return kept;
}

static void defaults_put_answer(const Contender *contender, const ContenderChunk *chunk, void *out,
                                size_t at)
{
    if (contender->answers == CONTENDER_POINTERS) {
        ((const ContenderChunk **)out)[at] = chunk;
    } else {
        ((uint32_t *)out)[at] = chunk->number;
    }
}

size_t contender_gather_ready(const Contender *contender, const ContenderWorld *world, void *self,
                              const ContenderChunk *const *chunks, size_t count, void *out,
                              size_t capacity)
{
    (void)world;
    if (contender->gather_ready) {
        return contender->gather_ready(self, chunks, count, out, capacity);
    }
    size_t ready = 0;
    // Handles 64 chunks at a time, face by face. A chunk is dropped at its first missing neighbour,
    // and `find` still receives many coordinates in one call.
    for (size_t first = 0; first < count; first += COORDS_AT_ONCE) {
        const ContenderChunk *left[COORDS_AT_ONCE];
        size_t kept = count - first < COORDS_AT_ONCE ? count - first : COORDS_AT_ONCE;
        memcpy((void *)left, chunks + first, kept * sizeof(const ContenderChunk *));
        for (int face = 0; face < TRN_FACE_COUNT && kept > 0; face++) {
            kept = defaults_keep_with_neighbour(contender, self, (TrnFace)face, left, kept);
        }
        for (size_t i = 0; i < kept; i++, ready++) {
            if (ready < capacity) {
                defaults_put_answer(contender, left[i], out, ready);
            }
        }
    }
    return ready;
}

// ---- figures -----------------------------------------------------------------------------------

size_t contender_other_bytes(const Contender *contender, const ContenderWorld *world,
                             const void *self)
{
    (void)world;
    return contender->other_bytes ? contender->other_bytes(self) : 0;
}

void contender_explain(const Contender *contender, const ContenderWorld *world, const void *self,
                       char *text, size_t size)
{
    (void)world;
    snprintf(text, size, "it refused");
    if (contender->explain) {
        contender->explain(self, text, size);
        text[size - 1] = '\0';
    }
}
