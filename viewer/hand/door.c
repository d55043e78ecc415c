#include "hand/door.h"

#include <stdio.h>
#include <string.h>

#define DOOR "_door"
#define OPEN "_open"
#define STACK_MAX 64 // voxels examined below

static bool door_ends_with(const char *name, size_t length, const char *end)
{
    const size_t bytes = strlen(end);
    return length >= bytes && memcmp(name + length - bytes, end, bytes) == 0;
}

/// Returns the family's name, and its length without OPEN. @return NULL if the block is not a door
static const char *door_name(const TrnBlockTypes *types, TrnBlock block, size_t *length)
{
    const TrnBlockType *type = trn_block_types_get(types, block);
    const char *name = trn_block_types_get(types, type->family)->name;
    *length = strlen(name);
    *length -= door_ends_with(name, *length, OPEN) ? strlen(OPEN) : 0;
    return type->kind == TRN_BLOCK_KIND_MODEL && door_ends_with(name, *length, DOOR) ? name : NULL;
}

bool door_is(const TrnBlockTypes *types, TrnBlock block)
{
    size_t length;
    return door_name(types, block, &length) != NULL;
}

TrnBlock door_turned(const TrnBlockTypes *types, TrnBlock block)
{
    size_t length;
    char other[TRN_BLOCK_NAME_MAX + sizeof OPEN];
    TrnBlock family;
    const char *name = door_name(types, block, &length);
    if (!name) {
        return TRN_BLOCK_AIR;
    }
    (void)snprintf(other, sizeof other, "%.*s%s", (int)length, name, name[length] ? "" : OPEN);
    return trn_block_types_find(types, other, &family) == TRN_RESULT_OK
               ? trn_block_types_variant(types, family, trn_block_types_get(types, block)->variant)
               : TRN_BLOCK_AIR;
}

TrnBlock door_closed(const TrnBlockTypes *types, TrnBlock block)
{
    size_t length;
    const char *name = door_name(types, block, &length);
    const TrnBlock closed = name && name[length] ? door_turned(types, block) : TRN_BLOCK_AIR;
    return closed == TRN_BLOCK_AIR ? block : closed;
}

static bool door_has_block(const TrnStore *store, TrnVoxel voxel, int64_t above, TrnBlock block)
{
    TrnBlock found;
    const TrnVoxel at = {voxel.x, voxel.y + above, voxel.z};
    return trn_store_get_block(store, at, &found) == TRN_RESULT_OK && found == block;
}

BrushBox door_voxels(const TrnStore *store, TrnVoxel voxel)
{
    TrnBlock block = TRN_BLOCK_AIR;
    BrushBox box = {voxel, voxel};
    int64_t below = 0;
    (void)trn_store_get_block(store, voxel, &block);
    while (below < STACK_MAX && door_has_block(store, voxel, -below - 1, block)) {
        below++;
    }
    box.min.y -= below % 2;
    box.max.y += below % 2 == 0 && door_has_block(store, voxel, 1, block);
    return box;
}
