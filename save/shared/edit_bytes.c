// Edits as bytes: see edit_bytes.h.

#include "edit_bytes.h"

#include <string.h>

#include "base/memory.h"
#include "base/number.h"

#define EDIT_VERSION 1
#define EDIT_NAMES_MAX 65535u
#define EDIT_RUN_BYTES 6u
#define EDIT_CHUNK_BYTES 16u

void trn_edit_free(TrnEdit *edit, const TrnAllocator *allocator)
{
    trn_array_free(&edit->chunks, allocator);
    trn_array_free(&edit->runs, allocator);
    *edit = (TrnEdit){.chunks = {0}};
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

/// Writes the names of all blocks. @param name_of  [TRN_BLOCK_TYPES_MAX] zeroes; receives the place
/// of each block's name, plus one
static void edit_put_names(EditWriter *to, const TrnEdit *edit, const TrnBlockTypes *types,
                           uint32_t *name_of)
{
    const uint32_t at = to->bytes->count;
    uint32_t count = 0;
    edit_put_number(to, 0, 2);
    for (uint32_t i = 0; i < edit->runs.count; i++) {
        uint32_t *name = &name_of[edit->runs.items[i].block];
        if (!*name) {
            const char *text = trn_block_types_get(types, edit->runs.items[i].block)->name;
            const size_t length = strlen(text);
            *name = ++count;
            edit_put_number(to, length, 1);
            edit_put_bytes(to, text, length);
        }
    }
    to->result = count > EDIT_NAMES_MAX ? TRN_RESULT_FULL : to->result;
    if (to->result == TRN_RESULT_OK) {
        trn_number_write(to->bytes->items + at, count, 2);
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
    edit_put_number(&to, EDIT_VERSION, 1);
    edit_put_names(&to, edit, types, name_of);
    edit_put_number(&to, edit->chunks.count, 4);
    for (uint32_t i = 0; i < edit->chunks.count; i++) {
        const TrnEditChunk *chunk = &edit->chunks.items[i];
        const TrnPendingRun *runs = edit->runs.items + chunk->first;
        edit_put_number(&to, (uint32_t)chunk->coord.x, 4);
        edit_put_number(&to, (uint32_t)chunk->coord.y, 4);
        edit_put_number(&to, (uint32_t)chunk->coord.z, 4);
        edit_put_number(&to, chunk->count, 4);
        for (uint32_t k = 0; k < chunk->count; k++) {
            edit_put_number(&to, runs[k].first, 2);
            edit_put_number(&to, runs[k].last, 2);
            edit_put_number(&to, name_of[runs[k].block] - 1, 2);
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
        edit->runs.items[edit->runs.count++] =
            (TrnPendingRun){(uint16_t)first, (uint16_t)last, from->blocks[name]};
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
            !edit_get_number(from, 4, &at[2]) || !edit_get_number(from, 4, &runs) || runs == 0) {
            return TRN_RESULT_CORRUPT;
        }
        edit->chunks.items[edit->chunks.count++] =
            (TrnEditChunk){.coord = {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]},
                           .first = edit->runs.count,
                           .count = runs};
        result = edit_get_runs(from, runs, allocator, edit);
    }
    return result == TRN_RESULT_OK && from->at != from->end ? TRN_RESULT_CORRUPT : result;
}

TrnResult trn_edit_read(const void *bytes, size_t size, const TrnBlockTypes *types,
                        const TrnAllocator *allocator, TrnEdit *edit)
{
    EditReader from = {.at = bytes, .end = (const unsigned char *)bytes + size};
    uint32_t version;
    if (!edit_get_number(&from, 1, &version) || version != EDIT_VERSION ||
        !edit_get_number(&from, 2, &from.name_count)) {
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
