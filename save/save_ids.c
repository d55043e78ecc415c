// Block ids of the world: see save_ids.h.

#include "save_ids.h"

#include <stdio.h>
#include <string.h>

#define IDS_DIGITS 5

void trn_save_ids_init(TrnSaveIds *ids, TrnBlockTypes *types)
{
    memset(ids->world_of, 0, sizeof ids->world_of);
    memset(ids->is_taken, 0, sizeof ids->is_taken);
    ids->is_taken[TRN_BLOCK_AIR] = 1;
    for (uint32_t i = 0; i < TRN_BLOCK_TYPES_MAX; i++) {
        atomic_init(&ids->block_of[i], UINT32_MAX);
    }
    atomic_store_explicit(&ids->block_of[TRN_BLOCK_AIR], TRN_BLOCK_AIR, memory_order_relaxed);
    atomic_init(&ids->lacks_names, false);
    ids->types = types;
    ids->new_count = 0;
    ids->free_from = 1;
}

// ---- loading -----------------------------------------------------------------------------------

typedef struct IdsLoad {
    TrnSaveIds *ids;
    bool adds; ///< placeholders for names that the types lack
    TrnResult result;
} IdsLoad;

uint32_t trn_save_ids_parse(const char *name)
{
    const size_t before = sizeof TRN_SAVE_ID_PREFIX - 1;
    const char *const digits = name + before;
    uint32_t id = 0;
    if (strncmp(name, TRN_SAVE_ID_PREFIX, before) != 0) {
        return 0;
    }
    for (int i = 0; i < IDS_DIGITS; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return 0;
        }
        id = id * 10 + (uint32_t)(digits[i] - '0');
    }
    return digits[IDS_DIGITS] == '\0' && id < TRN_BLOCK_TYPES_MAX ? id : 0;
}

TrnResult trn_save_find_block(TrnBlockTypes *types, const void *name, size_t size, bool adds,
                              TrnBlock *block)
{
    char text[TRN_BLOCK_NAME_MAX + 1];
    if (size > TRN_BLOCK_NAME_MAX || memchr(name, 0, size)) {
        return TRN_RESULT_CORRUPT;
    }
    memcpy(text, name, size);
    text[size] = '\0';
    TrnResult result = trn_block_types_find(types, text, block);
    if (result == TRN_RESULT_NOT_FOUND && adds) {
        result = trn_block_types_add_unknown(types, text, block);
    }
    return result == TRN_RESULT_BAD_ARGUMENT ? TRN_RESULT_CORRUPT : result;
}

static bool ids_load_one(void *user, const TrnStorageValue *value)
{
    IdsLoad *load = user;
    TrnSaveIds *ids = load->ids;
    TrnBlock block = TRN_BLOCK_AIR;
    const uint32_t id = trn_save_ids_parse(value->name);
    load->result = id ? trn_save_find_block(ids->types, value->bytes, value->size, true, &block)
                      : TRN_RESULT_CORRUPT;
    if (load->result == TRN_RESULT_OK &&
        (block == TRN_BLOCK_AIR || ids->world_of[block] || ids->is_taken[id])) {
        load->result = TRN_RESULT_CORRUPT; // two ids of one block, or one of two
    }
    if (load->result != TRN_RESULT_OK) {
        return false;
    }
    ids->world_of[block] = (uint16_t)id;
    ids->is_taken[id] = 1;
    atomic_store_explicit(&ids->block_of[id], block, memory_order_relaxed);
    return true;
}

/// Visits all ids of a storage with an IdsLoad.
static TrnResult ids_visit_all(TrnSaveIds *ids, const TrnStorage *storage, bool adds,
                               TrnStorageValueVisitor visit)
{
    IdsLoad load = {ids, adds, TRN_RESULT_OK};
    const TrnResult result = storage->values(storage->user, TRN_SAVE_ID_PREFIX, visit, &load);
    return load.result != TRN_RESULT_OK ? load.result : result;
}

TrnResult trn_save_ids_load(TrnSaveIds *ids, const TrnStorage *storage)
{
    return ids_visit_all(ids, storage, true, ids_load_one);
}

// ---- ids of other programs ---------------------------------------------------------------------

/// Takes up the name of an id, for loading. @return false if it is invalid
static bool ids_learn_one(IdsLoad *load, const TrnStorageValue *value, uint32_t *id,
                          TrnBlock *block)
{
    TrnSaveIds *ids = load->ids;
    *id = trn_save_ids_parse(value->name);
    *block = TRN_BLOCK_AIR;
    TrnResult result =
        *id ? trn_save_find_block(ids->types, value->bytes, value->size, load->adds, block)
            : TRN_RESULT_CORRUPT;
    if (result == TRN_RESULT_OK) {
        atomic_store_explicit(&ids->block_of[*id], *block, memory_order_relaxed);
    } else if (result == TRN_RESULT_NOT_FOUND) {
        // A placeholder would be a new type, and other threads read the types.
        atomic_store_explicit(&ids->lacks_names, true, memory_order_relaxed);
        result = TRN_RESULT_OK;
    }
    load->result = result;
    return result == TRN_RESULT_OK;
}

static bool ids_visit_learned(void *user, const TrnStorageValue *value)
{
    uint32_t id;
    TrnBlock block;
    return ids_learn_one(user, value, &id, &block);
}

static bool ids_visit_merged(void *user, const TrnStorageValue *value)
{
    IdsLoad *load = user;
    uint32_t id;
    TrnBlock block;
    if (!ids_learn_one(load, value, &id, &block)) {
        return false;
    }
    if (block != TRN_BLOCK_AIR) {
        load->ids->world_of[block] = (uint16_t)id;
    }
    load->ids->is_taken[id] = 1;
    return true;
}

TrnResult trn_save_ids_learn(TrnSaveIds *ids, const TrnStorage *storage, bool adds)
{
    return ids_visit_all(ids, storage, adds, ids_visit_learned);
}

TrnResult trn_save_ids_merge(TrnSaveIds *ids, const TrnStorage *storage)
{
    for (uint32_t i = 0; i < ids->new_count; i++) {
        ids->world_of[ids->new_blocks[i]] = 0;
        ids->is_taken[ids->new_ids[i]] = 0;
    }
    ids->new_count = 0;
    ids->free_from = 1;
    return ids_visit_all(ids, storage, false, ids_visit_merged);
}

// ---- new ids -----------------------------------------------------------------------------------

/// The lowest id that the world has not. @return TRN_BLOCK_TYPES_MAX: it has all
static uint32_t ids_find_free(TrnSaveIds *ids)
{
    while (ids->free_from < TRN_BLOCK_TYPES_MAX && ids->is_taken[ids->free_from]) {
        ids->free_from++;
    }
    return ids->free_from;
}

static bool ids_assign_block(TrnSaveIds *ids, TrnBlock block)
{
    if (block == TRN_BLOCK_AIR || ids->world_of[block]) {
        return true;
    }
    const uint32_t id = ids_find_free(ids);
    if (id == TRN_BLOCK_TYPES_MAX) {
        return false;
    }
    ids->world_of[block] = (uint16_t)id;
    ids->is_taken[id] = 1;
    ids->new_ids[ids->new_count] = (uint16_t)id; // rows have it once its name is stored
    ids->new_blocks[ids->new_count++] = block;
    return true;
}

void trn_save_ids_stored(TrnSaveIds *ids)
{
    for (uint32_t i = 0; i < ids->new_count; i++) {
        atomic_store_explicit(&ids->block_of[ids->new_ids[i]], ids->new_blocks[i],
                              memory_order_relaxed);
    }
    ids->new_count = 0;
}

bool trn_save_ids_assign(TrnSaveIds *ids, const TrnRowVoxels *voxels)
{
    bool good = true;
    for (uint32_t i = 0; i < voxels->palette_count; i++) {
        good = ids_assign_block(ids, voxels->palette[i]) && good;
    }
    const unsigned char *from = (const unsigned char *)voxels->words;
    for (uint32_t i = 0; voxels->bits == 16 && i < TRN_CHUNK_VOXELS; i++) {
        TrnBlock block;
        memcpy(&block, from + (size_t)i * sizeof block, sizeof block);
        good = ids_assign_block(ids, block) && good;
    }
    return good;
}

bool trn_save_ids_assign_all(TrnSaveIds *ids)
{
    uint32_t count = 0;
    bool good = true;
    (void)trn_block_types_all(ids->types, &count);
    for (uint32_t block = 0; block < count; block++) {
        good = ids_assign_block(ids, (TrnBlock)block) && good;
    }
    return good;
}

TrnStorageValue trn_save_ids_value(const TrnSaveIds *ids, uint32_t which,
                                   char name[TRN_SAVE_ID_NAME_BYTES])
{
    const char *text = trn_block_types_get(ids->types, ids->new_blocks[which])->name;
    (void)snprintf(name, TRN_SAVE_ID_NAME_BYTES, TRN_SAVE_ID_PREFIX "%0*u", IDS_DIGITS,
                   (unsigned)ids->new_ids[which]);
    return (TrnStorageValue){name, text, strlen(text)};
}
