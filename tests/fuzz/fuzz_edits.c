/// Batches, histories and pending edits against plain arrays, while chunks are inserted and
/// removed, two batches are open at once, and memory runs out.
#include "edits/world_model.h"
#include "fuzz_voxels.h"

#define BOX_EDGE 40
#define STEPS_MAX 150 // below MODEL_STEPS

typedef struct EditsFuzz {
    FuzzProgram program;
    TestAllocator memory;
    ModelWorld *world;
    ModelHistory *history;
} EditsFuzz;

static bool is_batch_open(const EditsFuzz *fuzz)
{
    return fuzz->world->open[0] != NULL;
}

/// Chooses a chunk, mostly one of the eight in the lowest corner.
static uint32_t choose_place(EditsFuzz *fuzz)
{
    const uint32_t choice = fuzz_number(&fuzz->program, 1);
    const uint32_t low = choice & 1, high = choice >> 1 & 1, deep = choice >> 2 & 1;
    return choice < 240 ? (high * MODEL_EDGE + deep) * MODEL_EDGE + low : choice % MODEL_CHUNKS;
}

static TrnVoxel choose_voxel(EditsFuzz *fuzz)
{
    int64_t at[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = fuzz_below(&fuzz->program, 2 * TRN_CHUNK_EDGE);
    }
    return model_voxel(fuzz->world, at[0], at[1], at[2]);
}

/// Inserts or removes a chunk that no open batch writes.
static void load_or_unload(EditsFuzz *fuzz)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint32_t place = choose_place(fuzz);
    const FuzzPattern pattern = fuzz_pattern(&fuzz->program);
    for (int i = 0; i < 2; i++) {
        if (fuzz->world->open[i] && fuzz->world->open[i]->change.drafts[place]) {
            return;
        }
    }
    if (fuzz->world->chunks[place].is_loaded) {
        model_remove(fuzz->world, place);
    } else {
        fuzz_fill(&pattern, blocks);
        model_insert(fuzz->world, place, pattern.types > 1 ? blocks : NULL,
                     (TrnBlock)pattern.first);
    }
}

static void begin(EditsFuzz *fuzz)
{
    const uint32_t kind = fuzz_below(&fuzz->program, 6);
    if (!fuzz->world->open[1]) {
        (void)model_begin(fuzz->world, (TrnUnloadedPolicy)(kind % TRN_UNLOADED_COUNT),
                          kind < 4 ? fuzz->history : NULL);
    }
}

/// Returns one of the open batches, or NULL.
static ModelBatch *choose_batch(EditsFuzz *fuzz)
{
    ModelBatch *const *open = fuzz->world->open;
    return open[1] && fuzz_below(&fuzz->program, 2) ? open[1] : open[0];
}

/// Fills what `call` chooses: a voxel, a box or a ball, inside the model.
static ModelCall choose_call(EditsFuzz *fuzz)
{
    ModelCall call = {.kind = (ModelCallKind)fuzz_below(&fuzz->program, 3),
                      .block = fuzz_block(&fuzz->program),
                      .min = choose_voxel(fuzz)};
    call.max = call.min;
    if (call.kind == MODEL_BOX) {
        call.max.x += fuzz_below(&fuzz->program, BOX_EDGE);
        call.max.y += fuzz_below(&fuzz->program, BOX_EDGE);
        call.max.z += fuzz_below(&fuzz->program, BOX_EDGE);
    } else if (call.kind == MODEL_BALL) { // not beyond the model's lowest voxels
        call.min.x += TRN_CHUNK_EDGE;
        call.min.y += TRN_CHUNK_EDGE;
        call.min.z += TRN_CHUNK_EDGE;
        call.radius = fuzz_below(&fuzz->program, 80) / 4.0;
    }
    return call;
}

static TrnResult do_call(ModelBatch *batch, const ModelCall *call)
{
    return call->kind == MODEL_SET ? model_set(batch, call->min, call->block)
           : call->kind == MODEL_BOX
               ? model_fill_box(batch, call->min, call->max, call->block)
               : model_fill_sphere(batch, call->min, call->radius, call->block);
}

/// Writes through an open batch. If that fails, the batch has failed.
static void write(EditsFuzz *fuzz)
{
    ModelBatch *batch = choose_batch(fuzz);
    const ModelCall call = choose_call(fuzz);
    if (batch && do_call(batch, &call) != TRN_RESULT_OK) {
        model_cancel(batch);
    }
}

static void edit(EditsFuzz *fuzz)
{
    ModelBatch *batch = choose_batch(fuzz);
    const uint32_t place = choose_place(fuzz);
    TestRandom random = {fuzz_number(&fuzz->program, 2)};
    if (batch && model_raw_edit(batch, place, &random) != TRN_RESULT_OK) {
        model_cancel(batch);
    }
}

static void get(EditsFuzz *fuzz)
{
    const ModelBatch *batch = choose_batch(fuzz);
    const TrnVoxel voxel = choose_voxel(fuzz);
    if (batch) {
        model_get(batch, voxel);
    }
}

static void commit(EditsFuzz *fuzz)
{
    ModelBatch *batch = choose_batch(fuzz);
    if (batch) {
        model_commit(batch);
    }
}

static void cancel(EditsFuzz *fuzz)
{
    ModelBatch *batch = choose_batch(fuzz);
    if (batch) {
        model_cancel(batch);
    }
}

static void go(EditsFuzz *fuzz, bool is_undo)
{
    const ModelHistory *history = fuzz->history;
    const bool may_be_busy = is_batch_open(fuzz) || history->depth > 0;
    const bool is_there = is_undo ? history->done > 0 : history->done < history->count;
    const TrnResult result = model_try_step(fuzz->world, fuzz->history, is_undo);
    FUZZ_REQUIRE(result == (is_there ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND) ||
                 (result == TRN_RESULT_BUSY && may_be_busy));
}

static void undo(EditsFuzz *fuzz)
{
    go(fuzz, true);
}

static void redo(EditsFuzz *fuzz)
{
    go(fuzz, false);
}

static void group(EditsFuzz *fuzz)
{
    if (fuzz_below(&fuzz->program, 2) && fuzz->history->depth < 3) {
        model_begin_group(fuzz->history);
    } else if (fuzz->history->depth > 0) {
        model_end_group(fuzz->history);
    }
}

static void forget(EditsFuzz *fuzz)
{
    if (!is_batch_open(fuzz) && fuzz->history->depth == 0) {
        trn_history_clear(fuzz->history->history);
        model_cut_steps(fuzz->history, 0);
    }
}

/// Makes a batch of some calls, or a step of undo, while an allocation fails.
static void attempt(EditsFuzz *fuzz)
{
    ModelCall calls[4];
    const uint32_t at = fuzz_below(&fuzz->program, 24), kind = fuzz_below(&fuzz->program, 6);
    const uint32_t count = 1 + kind % 4;
    for (uint32_t i = 0; i < count; i++) {
        calls[i] = choose_call(fuzz);
    }
    if (is_batch_open(fuzz) || fuzz->history->depth > 0) {
        return;
    }
    test_fail(&fuzz->memory, at, SIZE_MAX);
    const TrnResult result = kind < 4 ? model_attempt(fuzz->world, fuzz->history, calls, count)
                                      : model_try_step(fuzz->world, fuzz->history, kind == 4);
    test_fail(&fuzz->memory, 0, 0);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY ||
                 (kind >= 4 && result == TRN_RESULT_NOT_FOUND));
}

static void listen(EditsFuzz *fuzz)
{
    model_listen(fuzz->world, !fuzz->world->is_listening);
}

int fuzz_edits(const uint8_t *bytes, size_t size);

int fuzz_edits(const uint8_t *bytes, size_t size)
{
    static void (*const steps[])(EditsFuzz *) = {
        load_or_unload, load_or_unload, load_or_unload, begin,   begin, write,
        write,          write,          write,          edit,    get,   commit,
        commit,         commit,         cancel,         undo,    undo,  redo,
        group,          forget,         attempt,        attempt, listen};
    EditsFuzz fuzz = {.program = fuzz_program(bytes, size)};
    const TrnAllocator allocator = test_allocator(&fuzz.memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.hash_key = 1;
    fuzz.world = model_create(&def, MODEL_LOWS[fuzz_below(&fuzz.program, 3)]);
    fuzz.history = model_history(fuzz.world, (size_t)1 << 30);
    for (int i = 0; i < STEPS_MAX && fuzz_has_more(&fuzz.program); i++) {
        steps[fuzz_below(&fuzz.program, sizeof steps / sizeof *steps)](&fuzz);
    }
    while (is_batch_open(&fuzz)) {
        model_cancel(fuzz.world->open[0]);
    }
    model_check(fuzz.world);
    model_history_end(fuzz.history);
    model_destroy(fuzz.world);
    FUZZ_REQUIRE(fuzz.memory.live_blocks == 0);
    return 0;
}
