#include "saved_chunks.h"

TrnResult saved_chunks_create(SavedChunks *saved)
{
    *saved = (SavedChunks){0};
    const TrnResult result = trn_chunk_index_create(NULL, &saved->chunks);
    return result == TRN_RESULT_OK ? trn_chunk_index_create(NULL, &saved->columns) : result;
}

void saved_chunks_destroy(SavedChunks *saved)
{
    trn_chunk_index_destroy(saved->chunks);
    trn_chunk_index_destroy(saved->columns);
    *saved = (SavedChunks){0};
}

static TrnResult saved_chunks_insert(TrnChunkIndex *index, TrnCoord coord)
{
    return trn_chunk_index_find(index, coord, NULL) ? TRN_RESULT_OK
                                                    : trn_chunk_index_insert(index, coord, 0);
}

TrnResult saved_chunks_add(SavedChunks *saved, TrnCoord coord)
{
    const TrnCoord column = {coord.x, 0, coord.z};
    const TrnResult result = saved_chunks_insert(saved->chunks, coord);
    return result == TRN_RESULT_OK ? saved_chunks_insert(saved->columns, column) : result;
}

typedef struct SavedList {
    SavedChunks *saved;
    bool (*goes_on)(void);
    TrnResult result;
} SavedList;

static bool saved_chunks_visit(void *user, const TrnStorageRow *row)
{
    SavedList *list = user;
    list->result = saved_chunks_add(list->saved, row->key.coord);
    return list->result == TRN_RESULT_OK && (!list->goes_on || list->goes_on());
}

TrnResult saved_chunks_list(SavedChunks *saved, const TrnStorage *storage, TrnBox box,
                            bool (*goes_on)(void))
{
    const TrnStorageRange range = {.box = box};
    SavedList list = {saved, goes_on, TRN_RESULT_OK};
    const TrnResult result = storage->list(storage->user, &range, saved_chunks_visit, &list);
    return result == TRN_RESULT_OK ? list.result : result;
}

bool saved_chunks_has(const SavedChunks *saved, TrnCoord coord)
{
    return saved->chunks && trn_chunk_index_find(saved->chunks, coord, NULL);
}

bool saved_chunks_has_column(const SavedChunks *saved, int32_t chunk_x, int32_t chunk_z)
{
    return saved->columns &&
           trn_chunk_index_find(saved->columns, (TrnCoord){chunk_x, 0, chunk_z}, NULL);
}
