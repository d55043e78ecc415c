// Block entities as block data: see contents.h.

#include "contents.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define CONTENTS_TOO_LARGE                                                                         \
    "contents of blocks beyond 64 KiB each, or 4,096 blocks or 16 MiB of a chunk"

// ---- block entities -----------------------------------------------------------------------------

static bool contents_is_axis(const TrnNbtTag *tag)
{
    return tag->name.size == 1 && tag->name.bytes[0] >= 'x' && tag->name.bytes[0] <= 'z';
}

bool trn_block_entity_is_place(const TrnNbtTag *tag)
{
    return contents_is_axis(tag) || trn_nbt_is(tag, "Pos") || trn_nbt_is(tag, "id") ||
           trn_nbt_is(tag, "Id");
}

static int32_t contents_int(const unsigned char *from)
{
    return (int32_t)((uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 |
                     from[3]);
}

bool trn_block_entity_read(TrnNbt *nbt, TrnBlockEntity *entity)
{
    TrnNbtTag tag;
    uint32_t axes = 0;
    *entity = (TrnBlockEntity){.tags = *nbt};
    while (trn_nbt_next(nbt, &tag)) {
        uint32_t count = 0;
        if (contents_is_axis(&tag)) {
            entity->at[tag.name.bytes[0] - 'x'] = trn_nbt_integer(nbt, tag.type);
            axes |= 1u << (tag.name.bytes[0] - 'x');
        } else if (trn_nbt_is(&tag, "Pos")) {
            const unsigned char *ints = trn_nbt_ints(nbt, tag.type, &count);
            for (int axis = 0; axis < 3 && count == 3; axis++) {
                entity->at[axis] = contents_int(ints + (size_t)axis * 4);
                axes = 7;
            }
        } else if (trn_nbt_is(&tag, "id") || trn_nbt_is(&tag, "Id")) {
            entity->id = trn_nbt_text(nbt, tag.type);
        } else {
            if (trn_nbt_is(&tag, "Data") && tag.type == TRN_NBT_COMPOUND) {
                entity->inner = *nbt;
            }
            trn_nbt_skip(nbt, tag.type);
        }
    }
    entity->has_place = axes == 7 && !nbt->is_broken;
    for (int axis = 0; axis < 3; axis++) { // any bytes are a long
        entity->has_place =
            entity->has_place && entity->at[axis] >= INT32_MIN && entity->at[axis] <= INT32_MAX;
    }
    return entity->has_place;
}

// ---- adding -------------------------------------------------------------------------------------

static TrnResult contents_push(TrnImportContents *contents, const void *bytes, size_t size)
{
    TrnImportContentBytes *to = &contents->bytes;
    const TrnResult result = trn_array_reserve(to, contents->allocator, (size_t)to->count + size);
    if (result == TRN_RESULT_OK && size) {
        memcpy(to->items + to->count, bytes, size);
        to->count += (uint32_t)size;
    }
    return result;
}

/// Copies the values of a compound, except for its place.
static TrnResult contents_push_tags(TrnImportContents *contents, TrnNbt tags, uint32_t most)
{
    TrnNbtTag tag;
    TrnResult result = TRN_RESULT_OK;
    const unsigned char *from = tags.at;
    while (result == TRN_RESULT_OK && trn_nbt_next(&tags, &tag)) {
        const bool is_inner = trn_nbt_is(&tag, "Data") && tag.type == TRN_NBT_COMPOUND;
        trn_nbt_skip(&tags, tag.type);
        const size_t size = (size_t)(tags.at - from);
        if (!trn_block_entity_is_place(&tag) && !is_inner && !tags.is_broken) {
            if (size > most - contents->bytes.count) {
                return TRN_RESULT_FULL;
            }
            result = contents_push(contents, from, size);
        }
        from = tags.at;
    }
    return result;
}

/// Writes the block data of an entity. Errors: FULL (it is too large), NO_MEMORY.
static TrnResult contents_pack(TrnImportContents *contents, const TrnBlockEntity *entity)
{
    static const unsigned char begin[3] = {TRN_NBT_COMPOUND, 0, 0}, end[1] = {TRN_NBT_END};
    const unsigned char id[7] = {TRN_NBT_STRING,
                                 0,
                                 2,
                                 'i',
                                 'd',
                                 (unsigned char)(entity->id.size >> 8),
                                 (unsigned char)entity->id.size};
    const uint32_t most = contents->bytes.count + TRN_DATA_BYTES_MAX - 1;
    if (entity->id.size > TRN_DATA_BYTES_MAX / 2) {
        return TRN_RESULT_FULL;
    }
    TrnResult result = contents_push(contents, begin, sizeof begin);
    if (result == TRN_RESULT_OK && entity->id.size) {
        result = contents_push(contents, id, sizeof id);
        result = result == TRN_RESULT_OK
                     ? contents_push(contents, entity->id.bytes, entity->id.size)
                     : result;
    }
    result = result == TRN_RESULT_OK ? contents_push_tags(contents, entity->tags, most) : result;
    if (result == TRN_RESULT_OK && entity->inner.at) {
        result = contents_push_tags(contents, entity->inner, most);
    }
    return result == TRN_RESULT_OK ? contents_push(contents, end, sizeof end) : result;
}

/// Notes the bytes behind `at` as the data of a voxel; if they are too large, counts and drops
/// them.
static TrnResult contents_end(TrnImportContents *contents, uint32_t index, uint32_t at,
                              TrnResult result)
{
    TrnImportContentBytes *bytes = &contents->bytes;
    const TrnImportContent content = {
        .index = index, .order = contents->list.count, .at = at, .size = bytes->count - at};
    result = result == TRN_RESULT_OK && bytes->count > TRN_DATA_CHUNK_BYTES_MAX ? TRN_RESULT_FULL
                                                                                : result;
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&contents->list, contents->allocator, content);
    }
    if (result != TRN_RESULT_OK) {
        bytes->count = at;
    }
    if (result == TRN_RESULT_FULL) {
        trn_import_ignored(contents->notes, CONTENTS_TOO_LARGE, 1);
    }
    return result == TRN_RESULT_FULL ? TRN_RESULT_OK : result;
}

TrnResult trn_import_contents_add(TrnImportContents *contents, uint32_t index,
                                  const TrnBlockEntity *entity)
{
    const uint32_t at = contents->bytes.count;
    return contents_end(contents, index, at, contents_pack(contents, entity));
}

TrnResult trn_import_contents_add_bytes(TrnImportContents *contents, uint32_t index,
                                        const void *head, size_t head_size, const void *bytes,
                                        size_t size)
{
    const uint32_t at = contents->bytes.count;
    TrnResult result = head_size + size > TRN_DATA_BYTES_MAX
                           ? TRN_RESULT_FULL
                           : contents_push(contents, head, head_size);
    result = result == TRN_RESULT_OK ? contents_push(contents, bytes, size) : result;
    return contents_end(contents, index, at, result);
}

TrnResult trn_import_contents_add_data(TrnImportContents *contents, const TrnBlockData *data)
{
    const uint32_t at = contents->bytes.count, count = contents->list.count;
    const TrnResult result = contents_push(contents, data->bytes, data->size);
    const TrnResult ended = contents_end(contents, data->index, at, result);
    if (contents->list.count > count) {
        contents->list.items[count].rule = data->rule;
        contents->list.items[count].stays_on_air = true;
    }
    return ended;
}

// ---- the chunk's data ---------------------------------------------------------------------------

static int contents_compare(const void *a, const void *b)
{
    const TrnImportContent *one = a, *other = b;
    return one->index != other->index ? (one->index < other->index ? -1 : 1)
                                      : (one->order > other->order) - (one->order < other->order);
}

TrnResult trn_import_contents_finish(TrnImportContents *contents, const TrnBlock *blocks,
                                     bool uniform)
{
    const TrnImportContentList *list = &contents->list;
    uint64_t of_air = 0, beyond = 0;
    contents->data.count = 0;
    if (!list->count) {
        return TRN_RESULT_OK;
    }
    qsort(list->items, list->count, sizeof *list->items, contents_compare);
    for (uint32_t i = 0; i < list->count; i++) {
        const TrnImportContent *content = &list->items[i];
        if (i + 1 < list->count && content[1].index == content->index) {
            continue;
        }
        const bool is_air =
            blocks[uniform ? 0 : content->index] == TRN_BLOCK_AIR && !content->stays_on_air;
        of_air += is_air;
        if (is_air || contents->data.count == TRN_DATA_VOXELS_MAX) {
            beyond += !is_air;
            continue;
        }
        const TrnBlockData data = {.bytes = contents->bytes.items + content->at,
                                   .size = content->size,
                                   .index = (uint16_t)content->index,
                                   .rule = content->rule};
        const TrnResult result = trn_array_push(&contents->data, contents->allocator, data);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    trn_import_ignored(contents->notes, "contents of blocks that are air here", of_air);
    trn_import_ignored(contents->notes, CONTENTS_TOO_LARGE, beyond);
    return TRN_RESULT_OK;
}

void trn_import_contents_free(TrnImportContents *contents)
{
    trn_array_free(&contents->list, contents->allocator);
    trn_array_free(&contents->bytes, contents->allocator);
    trn_array_free(&contents->data, contents->allocator);
}
