// Edits as bytes: see edit_bytes.h.

#include "edit_bytes.h"

#include <string.h>

#include "base/memory.h"
#include "base/number.h"

#define EDIT_VERSION 3
#define EDIT_VERSION_DATA 2  ///< without moves
#define EDIT_VERSION_PLAIN 1 ///< without block data, too
#define EDIT_REMOVAL 255
#define EDIT_NAMES_MAX 65535u
#define EDIT_RUN_BYTES 6u
#define EDIT_CHUNK_BYTES 16u
#define EDIT_DATA_BYTES 9u // of one voxel, and what it has

void trn_edit_free(TrnEdit *edit, const TrnAllocator *allocator)
{
    trn_array_free(&edit->chunks, allocator);
    trn_array_free(&edit->runs, allocator);
    trn_array_free(&edit->was, allocator);
    trn_array_free(&edit->data, allocator);
    trn_array_free(&edit->bytes, allocator);
    *edit = (TrnEdit){.chunks = {0}};
}

TrnResult trn_edit_add_run(TrnEdit *edit, TrnPendingRun run, TrnBlock was,
                           const TrnAllocator *allocator)
{
    TrnResult result = trn_array_reserve(&edit->was, allocator, edit->runs.count + (size_t)1);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&edit->runs, allocator, run);
    }
    if (result == TRN_RESULT_OK) {
        edit->was.items[edit->runs.count - 1] = was;
        edit->was.count = edit->runs.count;
    }
    return result;
}

// ---- block data --------------------------------------------------------------------------------

/// Adds what a voxel has now. @param has  without bytes and of size 0: nothing
static TrnResult edit_add_voxel(TrnEdit *edit, const TrnBlockData *has, bool is_removal,
                                TrnBlock block, const TrnAllocator *allocator)
{
    const uint32_t size = is_removal ? 0 : has->size;
    const TrnEditData data = {.index = has->index,
                              .is_removal = is_removal,
                              .rule = has->rule,
                              .block = block,
                              .at = edit->bytes.count,
                              .size = size};
    TrnResult result = trn_array_reserve(&edit->bytes, allocator, (size_t)data.at + size);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&edit->data, allocator, data);
    }
    if (result == TRN_RESULT_OK && size) {
        memcpy(edit->bytes.items + data.at, has->bytes, size);
        edit->bytes.count += size;
    }
    return result;
}

static bool edit_is_same(const TrnBlockData *one, const TrnBlockData *other)
{
    return one->size == other->size && one->rule == other->rule &&
           (!one->size || memcmp(one->bytes, other->bytes, one->size) == 0);
}

/// Compares two lists in the order of voxels.
static TrnResult edit_add_lists(TrnEdit *edit, const TrnBlockData *had, uint32_t had_count,
                                const TrnBlockData *has, uint32_t has_count,
                                const TrnBlock *block_of, const TrnAllocator *allocator)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0, k = 0; (i < had_count || k < has_count) && result == TRN_RESULT_OK;) {
        const bool is_gone = i < had_count && (k == has_count || had[i].index < has[k].index);
        const bool is_both = !is_gone && i < had_count && had[i].index == has[k].index;
        if (is_gone || !is_both || !edit_is_same(&had[i], &has[k])) {
            const TrnBlockData *data = is_gone ? &had[i] : &has[k];
            result = edit_add_voxel(edit, data, is_gone, block_of[data->index], allocator);
        }
        i += is_gone || is_both;
        k += !is_gone;
    }
    return result;
}

TrnResult trn_edit_add_data(TrnEdit *edit, const TrnBlockData *had, uint32_t had_count,
                            TrnSnapshot after, const TrnBlock *block_of,
                            const TrnAllocator *allocator)
{
    const uint32_t low[3] = {0, 0, 0};
    const uint32_t high[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    const uint32_t count = trn_snapshot_count_data(after);
    const size_t bytes = (count + (size_t)1) * sizeof(TrnBlockData);
    TrnBlockData *has = trn_take(allocator, bytes, sizeof(void *));
    if (!has) {
        return TRN_RESULT_NO_MEMORY;
    }
    (void)trn_snapshot_list_data(after, low, high, has, count);
    const TrnResult result = edit_add_lists(edit, had, had_count, has, count, block_of, allocator);
    trn_give(allocator, has, bytes);
    return result;
}

TrnResult trn_edit_apply_data(const TrnEdit *edit, const TrnEditChunk *chunk, TrnVoxelEdit *to)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < chunk->data_count && result == TRN_RESULT_OK; i++) {
        const TrnEditData *data = &edit->data.items[chunk->data_first + i];
        if (data->rule == TRN_DATA_STAYS || trn_voxel_edit_get(to, data->index) == data->block) {
            const void *bytes = data->size ? edit->bytes.items + data->at : (const void *)"";
            result = trn_voxel_edit_set_data(to, data->index, data->is_removal ? NULL : bytes,
                                             data->size, data->rule);
        }
    }
    return result;
}

// ---- writing -----------------------------------------------------------------------------------

typedef struct EditWriter {
    const TrnAllocator *allocator;
    TrnBytes *bytes;
    TrnResult result; ///< of the first that failed
} EditWriter;

static void edit_put_bytes(EditWriter *to, const void *bytes, size_t size)
{
    if (to->result == TRN_RESULT_OK) {
        to->result = trn_array_reserve(to->bytes, to->allocator, to->bytes->count + size);
    }
    if (to->result == TRN_RESULT_OK && size) {
        memcpy(to->bytes->items + to->bytes->count, bytes, size);
        to->bytes->count += (uint32_t)size;
    }
}

static void edit_put_number(EditWriter *to, uint64_t number, size_t size)
{
    unsigned char bytes[8];
    trn_number_write(bytes, number, size);
    edit_put_bytes(to, bytes, size);
}

/// Writes the name of a block, unless it has a place already.
static void edit_put_name(EditWriter *to, TrnBlock block, const TrnBlockTypes *types,
                          uint32_t *name_of, uint32_t *count)
{
    if (!name_of[block]) {
        const char *text = trn_block_types_get(types, block)->name;
        const size_t length = strlen(text);
        name_of[block] = ++*count;
        edit_put_number(to, length, 1);
        edit_put_bytes(to, text, length);
    }
}

static bool edit_has_moves(const TrnEdit *edit)
{
    uint32_t i = 0;
    while (i < edit->chunks.count && !edit->chunks.items[i].is_moved) {
        i++;
    }
    return i < edit->chunks.count;
}

/// Writes the names of all blocks. @param name_of  [TRN_BLOCK_TYPES_MAX] zeroes; receives the place
/// of each block's name, plus one
static void edit_put_names(EditWriter *to, const TrnEdit *edit, const TrnBlockTypes *types,
                           uint32_t *name_of)
{
    const uint32_t at = to->bytes->count;
    uint32_t count = 0;
    edit_put_number(to, 0, 2);
    for (uint32_t i = 0; i < edit->runs.count; i++) {
        edit_put_name(to, edit->runs.items[i].block, types, name_of, &count);
    }
    for (uint32_t i = 0; i < edit->data.count; i++) {
        edit_put_name(to, edit->data.items[i].block, types, name_of, &count);
    }
    for (uint32_t i = 0; i < edit->chunks.count; i++) {
        const TrnEditChunk *chunk = &edit->chunks.items[i];
        for (uint32_t k = 0; chunk->is_moved && k < chunk->count; k++) {
            edit_put_name(to, edit->was.items[chunk->first + k], types, name_of, &count);
        }
    }
    to->result = count > EDIT_NAMES_MAX ? TRN_RESULT_FULL : to->result;
    if (to->result == TRN_RESULT_OK) {
        trn_number_write(to->bytes->items + at, count, 2);
    }
}

/// Writes the data of a chunk.
static void edit_put_data(EditWriter *to, const TrnEdit *edit, const TrnEditChunk *chunk,
                          const uint32_t *name_of)
{
    edit_put_number(to, chunk->data_count, 4);
    for (uint32_t i = 0; i < chunk->data_count; i++) {
        const TrnEditData *data = &edit->data.items[chunk->data_first + i];
        edit_put_number(to, data->index, 2);
        edit_put_number(to, name_of[data->block] - 1, 2);
        edit_put_number(to, data->is_removal ? EDIT_REMOVAL : (uint64_t)data->rule, 1);
        edit_put_number(to, data->size, 4);
        edit_put_bytes(to, data->size ? edit->bytes.items + data->at : NULL, data->size);
    }
}

/// Writes whether a chunk was moved, and what was there.
static void edit_put_was(EditWriter *to, const TrnEdit *edit, const TrnEditChunk *chunk,
                         const uint32_t *name_of)
{
    edit_put_number(to, chunk->is_moved, 1);
    for (uint32_t i = 0; chunk->is_moved && i < chunk->count; i++) {
        edit_put_number(to, name_of[edit->was.items[chunk->first + i]] - 1, 2);
    }
}

TrnResult trn_edit_write(const TrnEdit *edit, const TrnBlockTypes *types,
                         const TrnAllocator *allocator, TrnBytes *bytes)
{
    EditWriter to = {allocator, bytes, TRN_RESULT_OK};
    const size_t names_bytes = sizeof(uint32_t[TRN_BLOCK_TYPES_MAX]);
    uint32_t *name_of = trn_take(allocator, names_bytes, sizeof(uint32_t));
    if (!name_of) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(name_of, 0, names_bytes);
    const uint32_t version = edit_has_moves(edit) ? EDIT_VERSION
                             : edit->data.count   ? EDIT_VERSION_DATA
                                                  : EDIT_VERSION_PLAIN;
    edit_put_number(&to, version, 1);
    edit_put_names(&to, edit, types, name_of);
    edit_put_number(&to, edit->chunks.count, 4);
    for (uint32_t i = 0; i < edit->chunks.count; i++) {
        const TrnEditChunk *chunk = &edit->chunks.items[i];
        const TrnPendingRun *runs = chunk->count ? edit->runs.items + chunk->first : NULL;
        edit_put_number(&to, (uint32_t)chunk->coord.x, 4);
        edit_put_number(&to, (uint32_t)chunk->coord.y, 4);
        edit_put_number(&to, (uint32_t)chunk->coord.z, 4);
        edit_put_number(&to, chunk->count, 4);
        for (uint32_t k = 0; k < chunk->count; k++) {
            edit_put_number(&to, runs[k].first, 2);
            edit_put_number(&to, runs[k].last, 2);
            edit_put_number(&to, name_of[runs[k].block] - 1, 2);
        }
        if (version >= EDIT_VERSION_DATA) {
            edit_put_data(&to, edit, chunk, name_of);
        }
        if (version >= EDIT_VERSION) {
            edit_put_was(&to, edit, chunk, name_of);
        }
    }
    trn_give(allocator, name_of, names_bytes);
    return to.result;
}

// ---- reading -----------------------------------------------------------------------------------

typedef struct EditReader {
    const unsigned char *at, *end;
    TrnBlock *blocks; ///< [name_count]
    uint32_t name_count;
    uint32_t version;
} EditReader;

/// @return false if the bytes end before
static bool edit_get_number(EditReader *from, size_t size, uint32_t *number)
{
    if ((size_t)(from->end - from->at) < size) {
        return false;
    }
    *number = (uint32_t)trn_number_read(from->at, size);
    from->at += size;
    return true;
}

static TrnResult edit_get_names(EditReader *from, const TrnBlockTypes *types)
{
    char text[TRN_BLOCK_NAME_MAX + 1];
    for (uint32_t i = 0; i < from->name_count; i++) {
        uint32_t length;
        if (!edit_get_number(from, 1, &length) || length > TRN_BLOCK_NAME_MAX ||
            length > (size_t)(from->end - from->at) || memchr(from->at, 0, length)) {
            return TRN_RESULT_CORRUPT;
        }
        memcpy(text, from->at, length);
        text[length] = '\0';
        from->at += length;
        if (trn_block_types_find(types, text, &from->blocks[i]) != TRN_RESULT_OK) {
            return TRN_RESULT_NOT_FOUND;
        }
    }
    return TRN_RESULT_OK;
}

static TrnResult edit_get_runs(EditReader *from, uint32_t count, const TrnAllocator *allocator,
                               TrnEdit *edit)
{
    if ((size_t)(from->end - from->at) / EDIT_RUN_BYTES < count) {
        return TRN_RESULT_CORRUPT;
    }
    TrnResult result = trn_array_reserve(&edit->runs, allocator, (size_t)edit->runs.count + count);
    for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        uint32_t first = 0, last = 0, name = 0;
        (void)edit_get_number(from, 2, &first);
        (void)edit_get_number(from, 2, &last);
        (void)edit_get_number(from, 2, &name);
        if (first > last || last >= TRN_CHUNK_VOXELS || name >= from->name_count) {
            return TRN_RESULT_CORRUPT;
        }
        const TrnPendingRun run = {(uint16_t)first, (uint16_t)last, from->blocks[name]};
        result = trn_edit_add_run(edit, run, TRN_BLOCK_AIR, allocator);
    }
    return result;
}

/// Reads whether a chunk was moved, and what was there.
static TrnResult edit_get_was(EditReader *from, TrnEdit *edit, TrnEditChunk *chunk)
{
    uint32_t is_moved = 0, name = 0;
    if (!edit_get_number(from, 1, &is_moved) || is_moved > 1) {
        return TRN_RESULT_CORRUPT;
    }
    chunk->is_moved = is_moved != 0;
    for (uint32_t i = 0; chunk->is_moved && i < chunk->count; i++) {
        if (!edit_get_number(from, 2, &name) || name >= from->name_count) {
            return TRN_RESULT_CORRUPT;
        }
        edit->was.items[chunk->first + i] = from->blocks[name];
    }
    return TRN_RESULT_OK;
}

/// Reads the data of a chunk.
static TrnResult edit_get_data(EditReader *from, const TrnAllocator *allocator, TrnEdit *edit,
                               TrnEditChunk *chunk)
{
    uint32_t count;
    if (!edit_get_number(from, 4, &count) ||
        (size_t)(from->end - from->at) / EDIT_DATA_BYTES < count || !(count || chunk->count)) {
        return TRN_RESULT_CORRUPT;
    }
    TrnResult result = TRN_RESULT_OK;
    chunk->data_first = edit->data.count;
    chunk->data_count = count;
    for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        uint32_t index = 0, name = 0, rule = 0, size = 0;
        if (!edit_get_number(from, 2, &index) || !edit_get_number(from, 2, &name) ||
            !edit_get_number(from, 1, &rule) || !edit_get_number(from, 4, &size) ||
            index >= TRN_CHUNK_VOXELS || name >= from->name_count || size > TRN_DATA_BYTES_MAX ||
            size > (size_t)(from->end - from->at) ||
            (rule >= TRN_DATA_RULE_COUNT && (rule != EDIT_REMOVAL || size))) {
            return TRN_RESULT_CORRUPT;
        }
        const bool is_removal = rule == EDIT_REMOVAL;
        const TrnBlockData has = {.bytes = from->at,
                                  .size = size,
                                  .index = (uint16_t)index,
                                  .rule = is_removal ? TRN_DATA_WITH_BLOCK : (TrnDataRule)rule};
        result = edit_add_voxel(edit, &has, is_removal, from->blocks[name], allocator);
        from->at += size;
    }
    return result;
}

static TrnResult edit_get_chunks(EditReader *from, const TrnAllocator *allocator, TrnEdit *edit)
{
    uint32_t count, at[3], runs;
    if (!edit_get_number(from, 4, &count) ||
        (size_t)(from->end - from->at) / EDIT_CHUNK_BYTES < count) {
        return TRN_RESULT_CORRUPT;
    }
    TrnResult result = trn_array_reserve(&edit->chunks, allocator, count);
    for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        if (!edit_get_number(from, 4, &at[0]) || !edit_get_number(from, 4, &at[1]) ||
            !edit_get_number(from, 4, &at[2]) || !edit_get_number(from, 4, &runs) ||
            (runs == 0 && from->version == EDIT_VERSION_PLAIN)) {
            return TRN_RESULT_CORRUPT;
        }
        edit->chunks.items[edit->chunks.count++] =
            (TrnEditChunk){.coord = {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]},
                           .first = edit->runs.count,
                           .count = runs};
        result = edit_get_runs(from, runs, allocator, edit);
        TrnEditChunk *chunk = &edit->chunks.items[edit->chunks.count - 1];
        if (result == TRN_RESULT_OK && from->version >= EDIT_VERSION_DATA) {
            result = edit_get_data(from, allocator, edit, chunk);
        }
        if (result == TRN_RESULT_OK && from->version >= EDIT_VERSION) {
            result = edit_get_was(from, edit, chunk);
        }
    }
    return result == TRN_RESULT_OK && from->at != from->end ? TRN_RESULT_CORRUPT : result;
}

TrnResult trn_edit_read(const void *bytes, size_t size, const TrnBlockTypes *types,
                        const TrnAllocator *allocator, TrnEdit *edit)
{
    EditReader from = {.at = bytes, .end = (const unsigned char *)bytes + size};
    if (!edit_get_number(&from, 1, &from.version) || from.version < EDIT_VERSION_PLAIN ||
        from.version > EDIT_VERSION || !edit_get_number(&from, 2, &from.name_count)) {
        return TRN_RESULT_CORRUPT;
    }
    const size_t blocks_bytes = (from.name_count + 1) * sizeof *from.blocks;
    from.blocks = trn_take(allocator, blocks_bytes, sizeof(TrnBlock));
    if (!from.blocks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = edit_get_names(&from, types);
    result = result == TRN_RESULT_OK ? edit_get_chunks(&from, allocator, edit) : result;
    if (result != TRN_RESULT_OK) {
        trn_edit_free(edit, allocator);
    }
    trn_give(allocator, from.blocks, blocks_bytes);
    return result;
}
