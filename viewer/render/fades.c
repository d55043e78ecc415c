#include "render/fades.h"

#include <stdlib.h>
#include <string.h>

#define START_UNSEEN (-1.0)

static Fade *fades_find(Fades *fades, const TrnChunk *chunk)
{
    for (size_t i = 0; i < fades->count; i++) {
        if (fades->list[i].chunk == chunk) {
            return &fades->list[i];
        }
    }
    return NULL;
}

static void fades_remove(Fades *fades, Fade *fade)
{
    free(fade->ghost);
    *fade = fades->list[--fades->count];
}

void fades_begin(Fades *fades, TrnChunk *chunk)
{
    ChunkView *view = chunk_view(chunk);
    Fade *fade = view->fade ? fades_find(fades, chunk) : NULL;
    if (fade && fade->start < 0) { // no picture has shown the change that is undone
        view->fade = 0;
        fades_remove(fades, fade);
    } else if (fade) {
        fade->start = fades->seconds - (FADE_SECONDS - (fades->seconds - fade->start));
    } else if (fades->count < FADES_MAX && chunk_view_has_mesh(view)) {
        fades->list[fades->count++] = (Fade){.chunk = chunk, .start = START_UNSEEN};
        view->fade = view->is_hidden ? -1 : 1;
    }
}

TrnChunk *fades_leave(Fades *fades, TrnChunk *chunk)
{
    Fade *fade = chunk_view(chunk)->fade ? fades_find(fades, chunk) : NULL;
    if (!fade) {
        return NULL;
    }
    FadeGhost *ghost = chunk_view(chunk)->is_hidden ? calloc(1, sizeof *ghost) : NULL;
    if (!ghost) {
        fades_remove(fades, fade);
        return NULL;
    }
    fade->ghost = ghost;
    fade->chunk = (TrnChunk *)(void *)ghost->bytes;
    fade->chunk->coord = chunk->coord;
    fade->chunk->id = chunk->id;
    return fade->chunk;
}

/// Whether one of two chunks contains the other.
static bool fades_is_same_place(const TrnChunk *a, const TrnChunk *b)
{
    const uint32_t of_a = chunk_view((TrnChunk *)a)->level, of_b = chunk_view((TrnChunk *)b)->level;
    const uint32_t up_a = of_b > of_a ? of_b - of_a : 0, up_b = of_a > of_b ? of_a - of_b : 0;
    return a->coord.x >> up_a == b->coord.x >> up_b && a->coord.y >> up_a == b->coord.y >> up_b &&
           a->coord.z >> up_a == b->coord.z >> up_b;
}

/// Whether a chunk of another level replaces this chunk, or was replaced by it, in the same frame.
static bool fades_has_partner(const Fades *fades, const Fade *fade)
{
    const bool leaves = chunk_view(fade->chunk)->is_hidden;
    for (size_t i = 0; i < fades->count; i++) {
        const Fade *other = &fades->list[i];
        if (other->start < 0 && chunk_view(other->chunk)->is_hidden != leaves &&
            fades_is_same_place(fade->chunk, other->chunk)) {
            return true;
        }
    }
    return false;
}

static void fades_end(Fades *fades, Fade *fade,
                      void (*ended)(void *user, TrnChunk *chunk, bool is_ghost), void *user)
{
    chunk_view(fade->chunk)->fade = 0;
    ended(user, fade->chunk, fade->ghost != NULL);
    fades_remove(fades, fade);
}

/// Ends fades that began since the last frame and have no partner. Finds all of them before
/// removing any.
static void fades_end_lonely(Fades *fades,
                             void (*ended)(void *user, TrnChunk *chunk, bool is_ghost), void *user)
{
    bool is_lonely[FADES_MAX];
    for (size_t i = 0; i < fades->count; i++) {
        is_lonely[i] = fades->list[i].start < 0 && !fades_has_partner(fades, &fades->list[i]);
    }
    for (size_t i = fades->count; i-- > 0;) {
        if (is_lonely[i]) {
            fades_end(fades, &fades->list[i], ended, user);
        }
    }
}

void fades_step(Fades *fades, double seconds,
                void (*ended)(void *user, TrnChunk *chunk, bool is_ghost), void *user)
{
    fades->seconds = seconds;
    fades_end_lonely(fades, ended, user);
    for (size_t i = fades->count; i-- > 0;) {
        Fade *fade = &fades->list[i];
        fade->start = fade->start < 0 ? seconds : fade->start;
        const double part = (seconds - fade->start) / FADE_SECONDS;
        if (!(part >= 0 && part < 1)) {
            fades_end(fades, fade, ended, user);
            continue;
        }
        const int step = 1 + (int)(part * CHUNK_FADE_STEPS);
        chunk_view(fade->chunk)->fade = (int8_t)(chunk_view(fade->chunk)->is_hidden ? -step : step);
    }
}

void fades_free(Fades *fades)
{
    while (fades->count) {
        fades_remove(fades, &fades->list[0]);
    }
}
