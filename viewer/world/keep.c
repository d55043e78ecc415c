#include "world/keep.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP_FOLD_MAX 4000 // chunks of a level folded when a world is opened: some seconds

#ifdef __EMSCRIPTEN__ // a browser's storage is small and rewrites whole files
#define KEEP_WHAT TRN_SAVE_CHANGED
#else
#define KEEP_WHAT TRN_SAVE_SHOWN
#endif
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define KEEP_HAS_THREADS false
#else
#define KEEP_HAS_THREADS true
#endif

struct Keep {
    TrnSave *memory; ///< NULL: all chunks are written to the file
    WorldFile file;  ///< without a save: no file
    bool is_shared;  ///< the file is a database
    char player[TRN_MEMBER_NAME_BYTES];
    const char *hints;
    TrnMember *member;          ///< NULL: not joined
    TrnTerrain *terrain;        ///< of the member, because the world may recreate its own
    bool is_cut;                ///< the shared world does not respond
    size_t queue_bytes_max;     ///< of the file's save
    atomic_size_t memory_bytes; ///< of the chunks in memory
    atomic_bool has_changes;    ///< a chunk was saved to memory
    bool has_levels;            ///< the file has chunks of level 1
    bool is_failing;            ///< the last attempt to write the file failed
    Message old_land;           ///< what an old land means; empty: not an old land, or already
                                ///< reported
    Message cut;                ///< why the shared world does not respond
    Message failure, unread;    ///< why writing failed; why a chunk cannot be read, or empty
    uint32_t damaged;           ///< number of damaged chunks
    bool is_unfolded;           ///< too many chunks lack levels of detail to fold them now
    bool has_told_failure, has_told_unread, has_told_damage;
};

// ---- loading for the stream ---------------------------------------------------------------------

static TrnResult keep_load_chunk(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                 bool *uniform)
{
    Keep *keep = user;
    TrnResult result = TRN_RESULT_NOT_FOUND;
    if (atomic_load(&keep->has_changes)) {
        const TrnStreamSource memory = trn_save_source(keep->memory);
        result = memory.load(memory.user, job, blocks, uniform);
    }
    if (result == TRN_RESULT_NOT_FOUND && keep->file.save) {
        const TrnStreamSource file = trn_save_source(keep->file.save);
        result = file.load(file.user, job, blocks, uniform);
    }
    return result;
}

static TrnResult keep_save_chunk(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    Keep *keep = user;
    const TrnStreamSource to = trn_save_source(keep->memory);
    atomic_store(&keep->has_changes, true);
    return to.save(to.user, job, voxels);
}

static TrnResult keep_highest_chunk(void *user, TrnCoord from, int32_t lowest, int32_t *y)
{
    Keep *keep = user;
    TrnSave *const saves[] = {atomic_load(&keep->has_changes) ? keep->memory : NULL,
                              keep->file.save};
    TrnResult result = TRN_RESULT_NOT_FOUND;
    for (size_t i = 0; i < 2; i++) {
        const TrnStreamSource source = trn_save_source(saves[i]);
        int32_t found = 0;
        const TrnResult here =
            saves[i] ? source.highest(source.user, from, lowest, &found) : TRN_RESULT_NOT_FOUND;
        if (here == TRN_RESULT_OK) {
            *y = result == TRN_RESULT_OK && *y > found ? *y : found;
            result = here;
        } else if (here != TRN_RESULT_NOT_FOUND) {
            return here;
        }
    }
    return result;
}

TrnStreamSource keep_source(Keep *keep)
{
    if (keep->member) {
        return trn_member_source(keep->member);
    }
    if (!keep->memory) {
        return trn_save_source(keep->file.save);
    }
    return (TrnStreamSource){.load = keep_load_chunk,
                             .save = keep_save_chunk,
                             .highest = keep_highest_chunk,
                             .user = keep};
}

TrnResult keep_load(Keep *keep, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    const TrnStreamSource source = keep_source(keep);
    const TrnStreamJob job = {.coord = coord};
    return keep->is_shared ? TRN_RESULT_NOT_FOUND : source.load(source.user, &job, blocks, uniform);
}

void keep_list_saved(const Keep *keep, TrnBox box, SavedChunks *saved)
{
    if (keep->file.storage.list && !keep->is_shared) {
        (void)saved_chunks_list(saved, &keep->file.storage, box, NULL);
    }
}

// ---- edits of unloaded chunks -------------------------------------------------------------------

TrnResult keep_load_pending(Keep *keep, TrnStore *store)
{
    return keep->file.save && !keep->is_shared ? trn_save_load_pending(keep->file.save, store)
                                               : TRN_RESULT_OK;
}

TrnResult keep_save_pending(Keep *keep, const TrnStore *store)
{
    return keep->memory || keep->member ? TRN_RESULT_OK : trn_save_pending(keep->file.save, store);
}

static bool keep_refuse(TrnResult result, const TrnStorageProblem *why, Message *problem)
{
    return message_set(problem, "%s", why->sentence[0] ? why->sentence : trn_result_text(result));
}

// ---- shared worlds ------------------------------------------------------------------------------

static TrnResult keep_generate_air(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                   bool *uniform)
{
    (void)user, (void)coord, (void)level;
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

bool keep_join(Keep *keep, TrnStore *store, Message *problem)
{
    TrnStorageProblem why = {""};
    TrnMemberDef def = trn_member_def();
    if (!keep->is_shared || keep->memory || !keep->file.save) {
        return true;
    }
    def.save = keep->file.save;
    def.store = store;
    def.land = (TrnGenerator){.generate = keep_generate_air};
    def.name = keep->player;
    def.hints = keep->hints;
    if (keep->file.facts.has_terrain) {
        if (trn_terrain_create(&keep->file.facts.terrain, &keep->terrain) != TRN_RESULT_OK) {
            return message_set(problem, "Out of memory for the land of the shared world.");
        }
        def.land = trn_terrain_generator(keep->terrain);
    }
    const TrnResult result = trn_member_create(&def, &keep->member, &why);
    return result == TRN_RESULT_OK || keep_refuse(result, &why, problem);
}

void keep_leave(Keep *keep)
{
    if (keep) {
        trn_member_destroy(keep->member);
        trn_terrain_destroy(keep->terrain);
        keep->member = NULL;
        keep->terrain = NULL;
    }
}

void keep_exchange(Keep *keep)
{
    if (keep->member) {
        (void)trn_member_update(keep->member); // the next call retries what failed
    }
}

TrnMember *keep_member(const Keep *keep)
{
    return keep->member;
}

// ---- memory -------------------------------------------------------------------------------------

static void *keep_take(size_t bytes, size_t alignment, void *user)
{
    Keep *keep = user;
    void *memory = trn_aligned_alloc(bytes, alignment);
    atomic_fetch_add(&keep->memory_bytes, memory ? bytes : 0);
    return memory;
}

static void keep_give(void *memory, size_t bytes, void *user)
{
    Keep *keep = user;
    atomic_fetch_sub(&keep->memory_bytes, bytes);
    trn_aligned_free(memory);
}

/// Opens the save in memory. No thread: chunks are compressed at once, as in an exact run.
static bool keep_open_memory(Keep *keep, TrnBlockTypes *types, Message *problem)
{
    const TrnAllocator counted = {keep_take, keep_give, keep};
    TrnStorageProblem why = {""};
    TrnSaveDef def = trn_save_def();
    def.types = types;
    def.what = TRN_SAVE_CHANGED;
    def.commit_seconds = 0;
    def.has_thread = false;
    TrnResult result = trn_storage_memory(&counted, &def.storage);
    result = result == TRN_RESULT_OK ? trn_save_create(&def, &keep->memory, &why) : result;
    return result == TRN_RESULT_OK || keep_refuse(result, &why, problem);
}

// ---- the file -----------------------------------------------------------------------------------

static bool keep_open_file(Keep *keep, const KeepDef *def, Message *problem)
{
    TrnStorageProblem why = {""};
    TrnSaveDef save = trn_save_def();
    save.types = def->types;
    save.has_thread = KEEP_HAS_THREADS && !def->is_read_only;
    if (!KEEP_HAS_THREADS) {
        save.commit_seconds = 0; // otherwise only another change would write it, which may never
                                 // come
    }
    save.what = KEEP_WHAT;
    save.queue_bytes = def->queue_bytes ? def->queue_bytes : save.queue_bytes;
    keep->queue_bytes_max = save.queue_bytes;
    if (def->path) {
        const TrnStorageMode mode = def->is_read_only ? TRN_STORAGE_READ_ONLY : TRN_STORAGE_EITHER;
        return world_file_open(&keep->file, def->path, mode, &save, def->facts, problem);
    }
    save.storage = *def->storage;
    keep->file.facts = def->facts ? *def->facts : world_facts();
    const TrnResult result = trn_save_create(&save, &keep->file.save, &why);
    return result == TRN_RESULT_OK || keep_refuse(result, &why, problem);
}

static bool keep_visit_level(void *user, const TrnStorageRow *row)
{
    (void)row;
    *(bool *)user = true;
    return false;
}

/// Finds out whether the file has levels of detail. If the file cannot be read, loading chunks
/// reports that.
static void keep_find_levels(Keep *keep)
{
    const TrnStorage *storage = &keep->file.storage;
    const TrnStorageRange range = {
        .level = 1, .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
    if (storage->list) {
        (void)storage->list(storage->user, &range, keep_visit_level, &keep->has_levels);
    }
}

bool keep_open(Keep **keep, const KeepDef *def, Message *problem)
{
    Keep *made = calloc(1, sizeof *made);
    const bool has_file = def->path || def->storage;
    if (!made) {
        return message_set(problem, "Out of memory for what is built and dug.");
    }
    if ((has_file && !keep_open_file(made, def, problem)) ||
        ((!has_file || def->is_read_only) && !keep_open_memory(made, def->types, problem))) {
        keep_close(made);
        return false;
    }
    made->is_shared = def->path && trn_storage_is_url(def->path);
    made->hints = def->hints;
    (void)snprintf(made->player, sizeof made->player, "%s",
                   def->player && *def->player ? def->player : "Player");
    (void)world_facts_tell_old(&made->file.facts, def->path ? def->path : "", &made->old_land);
    keep_find_levels(made);
    *keep = made;
    return true;
}

static bool keep_fold_step(void *user, TrnSaveFoldProgress now)
{
    Keep *keep = user;
    keep->is_unfolded = now.total > KEEP_FOLD_MAX;
    return !keep->is_unfolded;
}

void keep_fold(Keep *keep, const TrnGenerator *land, uint32_t levels)
{
    // Around an old land nothing is generated, so its levels would hold air there.
    const bool has_land = !keep->file.facts.has_old_land;
    if (keep->file.save && !keep->memory && !keep->member && has_land) {
        // If folding fails, loading or saving chunks fails too and is reported.
        (void)trn_save_fold(keep->file.save, land, levels, keep_fold_step, keep);
        keep_find_levels(keep);
    }
}

void keep_note_folded(Keep *keep, uint32_t levels)
{
    if (keep->file.save && !keep->memory && !keep->member) {
        (void)trn_save_note_folded(keep->file.save, levels);
    }
}

void keep_close(Keep *keep)
{
    if (keep) {
        keep_leave(keep);
        (void)trn_save_destroy(keep->memory);
        (void)world_file_close(&keep->file);
        free(keep);
    }
}

static TrnSave *keep_any_save(const Keep *keep)
{
    return keep->memory ? keep->memory : keep->file.save;
}

TrnResult keep_begin(Keep *keep)
{
    TrnSave *save = keep_any_save(keep);
    return save ? trn_save_begin(save) : TRN_RESULT_OK;
}

void keep_end(Keep *keep)
{
    TrnSave *save = keep_any_save(keep);
    if (save) {
        trn_save_end(save);
    }
}

TrnResult keep_flush(Keep *keep, double seconds)
{
    const TrnResult settled =
        keep->member ? trn_member_settle(keep->member, seconds) : TRN_RESULT_OK;
    return settled != TRN_RESULT_OK ? settled : trn_save_flush_for(keep_any_save(keep), seconds);
}

// ---- news and failures --------------------------------------------------------------------------

KeepStats keep_stats(Keep *keep)
{
    if (keep->memory) {
        return (KeepStats){.bytes = atomic_load(&keep->memory_bytes)};
    }
    return (KeepStats){.is_file = true,
                       .is_failing = keep->is_failing,
                       .is_damaged = keep->unread.text[0] != '\0',
                       .bytes = trn_save_stats(keep->file.save).queue_bytes,
                       .bytes_max = keep->queue_bytes_max};
}

/// Handles all events of the file's save.
static void keep_collect(Keep *keep)
{
    TrnSaveEvent event;
    while (trn_save_next_event(keep->file.save, &event)) {
        switch (event.kind) {
        case TRN_SAVE_EVENT_WRITE_FAILED:
            keep->is_failing = true;
            (void)message_set(&keep->failure, "%s", event.sentence);
            break;
        case TRN_SAVE_EVENT_WRITE_AGAIN:
            keep->is_failing = false;
            break;
        case TRN_SAVE_EVENT_READ_FAILED:
            (void)message_set(&keep->unread, "%s", event.sentence);
            break;
        default:
            keep->damaged++;
        }
    }
}

const char *keep_failure(Keep *keep)
{
    keep_collect(keep);
    return keep->is_failing ? keep->failure.text : NULL;
}

/// Whether the shared world does not respond; `cut` has the reason.
static bool keep_is_cut(Keep *keep)
{
    if (!keep->member) {
        return false;
    }
    const TrnMemberStats stats = trn_member_stats(keep->member);
    (void)message_set(&keep->cut, "%s", stats.problem);
    return !stats.is_connected && stats.problem[0];
}

bool keep_news(Keep *keep, Message *news)
{
    keep_collect(keep);
    if (keep->old_land.text[0]) {
        *news = keep->old_land;
        keep->old_land.text[0] = '\0';
        return true;
    }
    if (keep->is_failing != keep->has_told_failure) {
        keep->has_told_failure = keep->is_failing;
        if (keep->is_failing) {
            (void)message_set(news, "Your world is not saved now. %.300s Nothing is lost yet.",
                              keep->failure.text);
        } else {
            (void)message_set(news, "Your world is saved again.");
        }
        return true;
    }
    if (keep_is_cut(keep) != keep->is_cut) {
        keep->is_cut = !keep->is_cut;
        (void)message_set(news,
                          keep->is_cut ? "The shared world does not answer: %.300s Nothing "
                                         "is lost yet."
                                       : "The shared world answers again.",
                          keep->cut.text);
        return true;
    }
    if (keep->unread.text[0] && !keep->has_told_unread) {
        keep->has_told_unread = true;
        (void)message_set(news, "Part of your world cannot be read. %.300s", keep->unread.text);
        return true;
    }
    if (keep->damaged && !keep->has_told_damage) {
        keep->has_told_damage = true;
        (void)message_set(
            news,
            "Part of your world was damaged, and is generated again: %u chunk%s so far. "
            "'terrane verify' says which.",
            keep->damaged, keep->damaged == 1 ? "" : "s");
        return true;
    }
    if (keep->is_unfolded) {
        keep->is_unfolded = false;
        (void)message_set(news, "Older parts of your world are not seen from afar: run 'terrane "
                                "fold' on its file once.");
        return true;
    }
    return false;
}

TrnSave *keep_save(const Keep *keep)
{
    return keep->file.save;
}

bool keep_has_levels(const Keep *keep)
{
    return keep->has_levels;
}

const WorldFacts *keep_facts(const Keep *keep)
{
    return keep->file.save ? &keep->file.facts : NULL;
}
