// What a game does with a store in one frame: aim, dig up a chest, undo, walk. Prints the results.
#include <stdio.h>
#include <terrane/body.h>
#include <terrane/history.h>
#include <terrane/raycast.h>

static const TrnVoxel chest = {26, -1, 16};

/// Four chunks of flat ground: stone below height 0, air above. A chest lies in the ground.
static TrnResult make_ground(TrnStore *store)
{
    static const char inside[] = "three emeralds";
    TrnResult result = TRN_RESULT_OK;
    for (int32_t i = 0; i < 4 && result == TRN_RESULT_OK; i++) {
        result = trn_store_insert_uniform(store, (TrnCoord){i, -1, 0}, TRN_BLOCK_STONE, NULL);
        if (result == TRN_RESULT_OK) {
            result = trn_store_insert_uniform(store, (TrnCoord){i, 0, 0}, TRN_BLOCK_AIR, NULL);
        }
    }
    if (result == TRN_RESULT_OK) {
        result = trn_store_set_block(store, chest, TRN_BLOCK_OAK_PLANKS, NULL);
    }
    return result == TRN_RESULT_OK
               ? trn_store_set_data(store, chest, inside, sizeof inside, TRN_DATA_WITH_BLOCK, NULL)
               : result;
}

/// Listens to changes. A game would mesh these chunks again.
static TrnResult count_changed(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    *(uint32_t *)user += event->count;
    return TRN_RESULT_OK;
}

/// Digs a ball where an eye looks. @return whether the ray hit a block
static bool dig(TrnStore *store, TrnHistory *history, TrnPosition eye)
{
    const double down_ahead[3] = {1, -1, 0};
    TrnRayHit hit;
    if (trn_store_raycast(store, eye, down_ahead, NULL, &hit) != TRN_RESULT_OK ||
        hit.end != TRN_RAY_END_BLOCK) {
        return false;
    }
    printf("The ray hits voxel %lld %lld %lld after %.2f voxels.\n", (long long)hit.voxel.x,
           (long long)hit.voxel.y, (long long)hit.voxel.z, hit.distance);
    TrnBatchDef def = trn_batch_def();
    def.history = history;
    TrnBatch *batch;
    TrnBatchOutcome outcome;
    if (trn_batch_begin(store, &def, &batch) != TRN_RESULT_OK) {
        return false;
    }
    TrnBlockData inside;
    if (trn_batch_get_data(batch, hit.voxel, &inside) == TRN_RESULT_OK) {
        printf("It is a chest with %s.\n", (const char *)inside.bytes);
    }
    trn_batch_fill_sphere(batch, hit.voxel, 4, TRN_BLOCK_AIR); // the commit reports failures
    if (trn_batch_commit(batch, &outcome) != TRN_RESULT_OK) {
        return false;
    }
    printf("%llu voxels were dug, in %u chunks.\n", (unsigned long long)outcome.changed_voxels,
           outcome.changed_chunks);
    return true;
}

/// Walks along x for some seconds. @return the height of the body then
static double walk(const TrnStore *store, TrnBody *body, double seconds)
{
    const TrnBodyDef person = trn_body_def();
    const TrnBodyInput ahead = {.walk = {1, 0, 0}};
    for (int step = 0; step < (int)(seconds * 60); step++) {
        if (trn_body_step(store, &person, body, &ahead, 1.0 / 60) != TRN_RESULT_OK) {
            break;
        }
    }
    return body->position.chunk.y * (double)TRN_CHUNK_EDGE + body->position.offset[1];
}

int main(void)
{
    TrnStore *store;
    TrnHistory *history = NULL;
    uint32_t changed = 0;
    if (trn_store_create(NULL, &store) != TRN_RESULT_OK) {
        return 1;
    }
    bool is_ready = trn_history_create(store, NULL, &history) == TRN_RESULT_OK;
    is_ready = is_ready && make_ground(store) == TRN_RESULT_OK &&
               trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), count_changed,
                                   &changed) == TRN_RESULT_OK;
    const TrnPosition eye = {{0, 0, 0}, {16, 10.5, 16.5}};
    if (is_ready && dig(store, history, eye)) {
        TrnBody body = {.position = {{0, 0, 0}, {16, 0, 16.5}}};
        printf("Into the hole: the body is at %.1f.\n", walk(store, &body, 4));
        trn_history_undo(history, NULL);
        body = (TrnBody){.position = {{0, 0, 0}, {16, 0, 16.5}}};
        printf("Undone: the body is at %.1f.\n", walk(store, &body, 4));
        printf("The listener heard of %u chunks.\n", changed);
        trn_history_clear(history); // as where the next level begins: nothing to redo
        // A commit leaves a chunk larger than it need be if it lacks the memory to compress it.
        trn_store_compact(store, trn_store_find(store, trn_voxel_chunk(chest)));
    }
    trn_history_destroy(history);
    trn_store_destroy(store);
    return is_ready ? 0 : 1;
}
