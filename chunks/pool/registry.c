// The registry: an array of pointers, in which each object knows its index.

#include <terrane/registry.h>

#include <assert.h>
#include <stdalign.h>

#include "base/array.h"

// The registry is one of base's growing arrays with two fields more.
TRN_ARRAY_DECLARE(RegistryItems, void *);
static_assert(offsetof(TrnRegistry, count) == offsetof(RegistryItems, count) &&
                  offsetof(TrnRegistry, capacity) == offsetof(RegistryItems, capacity),
              "fields in the order of TRN_ARRAY_DECLARE");

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

void trn_registry_destroy(TrnRegistry *registry)
{
    if (!registry) {
        return;
    }
    TrnAllocator allocator = registry->allocator;
    trn_array_free(registry, &allocator);
    trn_give(&allocator, registry, sizeof *registry);
}

TrnResult trn_registry_reserve(TrnRegistry *registry, uint32_t count)
{
    return count > registry->count_max ? TRN_RESULT_FULL
                                       : trn_array_reserve(registry, &registry->allocator, count);
}

static void registry_write_index(const TrnRegistry *registry, void *object, uint32_t index)
{
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
    if (registry->count >= registry->count_max) {
        return TRN_RESULT_FULL;
    }
    const TrnResult result = trn_array_push(registry, &registry->allocator, object);
    if (result == TRN_RESULT_OK) {
        registry_write_index(registry, object, registry->count - 1);
    }
    return result;
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
    uint32_t hole;
    memcpy(&hole, (const unsigned char *)object + registry->index_offset, sizeof hole);
    trn_array_remove_swap(registry, hole);
    if (hole < registry->count) {
        registry_write_index(registry, registry->items[hole], hole);
    }
    return TRN_RESULT_OK;
}
