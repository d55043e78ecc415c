// The registry: an array of pointers, in which each object knows its index.

#include <terrane/registry.h>

#include <stdalign.h>

#include "base/memory.h"

TrnRegistryDef trn_registry_def(size_t index_offset)
{
    TrnRegistryDef def = {.index_offset = index_offset};
    return def;
}

TrnResult trn_registry_create(const TrnRegistryDef *def, TrnRegistry **registry)
{
    if (!def || !registry) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnRegistry *made = trn_take(&allocator, sizeof *made, alignof(TrnRegistry));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnRegistry){
        .count_max = def->count_max ? def->count_max : UINT32_MAX,
        .index_offset = def->index_offset,
        .allocator = allocator,
    };
    *registry = made;
    return TRN_RESULT_OK;
}

static void registry_free_items(TrnRegistry *registry)
{
    trn_give(&registry->allocator, registry->items, registry->capacity * sizeof(void *));
}

void trn_registry_destroy(TrnRegistry *registry)
{
    if (!registry) {
        return;
    }
    registry_free_items(registry);
    TrnAllocator allocator = registry->allocator;
    trn_give(&allocator, registry, sizeof *registry);
}

TrnResult trn_registry_reserve(TrnRegistry *registry, uint32_t count)
{
    if (count <= registry->capacity) {
        return TRN_RESULT_OK;
    }
    if (count > registry->count_max) {
        return TRN_RESULT_FULL;
    }
    uint64_t bytes = (uint64_t)count * sizeof(void *); // may exceed size_t on 32-bit machines
    void **items = bytes <= SIZE_MAX / 2
                       ? trn_take(&registry->allocator, (size_t)bytes, TRN_CACHE_LINE)
                       : NULL;
    if (!items) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (registry->count) {
        memcpy(items, registry->items, registry->count * sizeof(void *));
    }
    registry_free_items(registry);
    registry->items = items;
    registry->capacity = count;
    return TRN_RESULT_OK;
}

/// Grows the capacity for one more object: doubles it, up to count_max.
static TrnResult registry_grow(TrnRegistry *registry)
{
    uint32_t wanted = registry->capacity < 8 ? 8 : registry->capacity;
    wanted = wanted > registry->count_max / 2 ? registry->count_max : wanted * 2;
    return wanted > registry->capacity ? trn_registry_reserve(registry, wanted) : TRN_RESULT_FULL;
}

static void registry_put(TrnRegistry *registry, uint32_t index, void *object)
{
    registry->items[index] = object;
    memcpy((unsigned char *)object + registry->index_offset, &index, sizeof index);
}

TrnResult trn_registry_add(TrnRegistry *registry, void *object)
{
    if (!object) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (trn_registry_contains(registry, object)) {
        return TRN_RESULT_EXISTS;
    }
    if (registry->count == registry->capacity) {
        TrnResult result = registry_grow(registry);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    registry_put(registry, registry->count, object);
    registry->count++;
    return TRN_RESULT_OK;
}

// Leaves the removed object's index unchanged: trn_registry_contains checks it against the array.
TrnResult trn_registry_remove(TrnRegistry *registry, void *object)
{
    if (!object) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (!trn_registry_contains(registry, object)) {
        return TRN_RESULT_NOT_FOUND;
    }
    registry->count--;
    uint32_t hole;
    memcpy(&hole, (const unsigned char *)object + registry->index_offset, sizeof hole);
    if (hole != registry->count) {
        registry_put(registry, hole, registry->items[registry->count]);
    }
    return TRN_RESULT_OK;
}

void trn_registry_clear(TrnRegistry *registry)
{
    registry->count = 0;
}
