#include "chunk_life.h"

#include <inttypes.h>
#include <stdio.h>

#define LOOK_SECONDS 0.1

static const char *const STATES[TRN_STREAM_STATE_COUNT] = {
    [TRN_STREAM_STATE_UNKNOWN] = "not loaded",
    [TRN_STREAM_STATE_QUEUED] = "queued",
    [TRN_STREAM_STATE_GENERATING] = "generated or loaded",
    [TRN_STREAM_STATE_LOADED] = "loaded",
    [TRN_STREAM_STATE_MESH_QUEUED] = "queued for its mesh",
    [TRN_STREAM_STATE_MESHING] = "meshed",
    [TRN_STREAM_STATE_SHOWN] = "shown",
    [TRN_STREAM_STATE_FAILED] = "failed",
    [TRN_STREAM_STATE_SAVING] = "saved, to unload",
};

/// Notes a change of state or voxels.
static void note(ChunkLife *life, const ChunkLifeLine *now)
{
    const ChunkLifeLine *last = &life->lines[(life->count - 1) % CHUNK_LIFE_LINES];
    if (life->count == 0 || last->state != now->state || last->revision != now->revision) {
        life->lines[life->count++ % CHUNK_LIFE_LINES] = *now;
    }
}

static void describe(ChunkLife *life, const TrnStreamExplanation *shown,
                     const TrnExplanation *there)
{
    const TrnCoord at = life->chunk;
    size_t length = (size_t)snprintf(life->text, sizeof life->text,
                                     "chunk %" PRId32 " %" PRId32 " %" PRId32
                                     "\n%s\n%s\nmemory: %zu bytes, mesh %zu bytes; "
                                     "revision %" PRIu64 "\nhistory since the click:",
                                     at.x, at.y, at.z, shown->sentence, there->sentence,
                                     there->bytes, shown->mesh_bytes, there->revision);
    for (uint32_t back = 1; back <= CHUNK_LIFE_LINES && back <= life->count; back++) {
        const ChunkLifeLine *line = &life->lines[(life->count - back) % CHUNK_LIFE_LINES];
        if (length < sizeof life->text) {
            length +=
                (size_t)snprintf(life->text + length, sizeof life->text - length,
                                 "\n  %.1f s: %s, revision %" PRIu64, line->seconds - life->begun,
                                 STATES[line->state], line->revision);
        }
    }
}

void chunk_life_watch(ChunkLife *life, const TrnStream *stream, const TrnStore *store,
                      TrnCoord chunk, double seconds)
{
    const bool is_same = life->has_chunk && life->chunk.x == chunk.x && life->chunk.y == chunk.y &&
                         life->chunk.z == chunk.z;
    if (is_same && seconds - life->looked < LOOK_SECONDS) {
        return;
    }
    if (!is_same) {
        *life = (ChunkLife){.chunk = chunk, .has_chunk = true, .begun = seconds};
    }
    life->looked = seconds;
    const TrnStreamExplanation shown = trn_stream_explain(stream, chunk);
    const TrnExplanation there = trn_store_explain(store, chunk);
    note(life, &(ChunkLifeLine){seconds, shown.state, there.revision});
    describe(life, &shown, &there);
}
