/// Terrane, registry: a dense array of pointers to objects that are added and removed in O(1).
///
/// It stores pointers, not objects. Each object keeps its index in a uint32_t field of its own.
/// Removing an object moves the last one into its place ("swap and pop"), so the order changes. An
/// object may be in any number of registries, with one such field for each.
///
/// Iterate over `items`. In a backward loop the current object may be removed, because the object
/// that takes its place has been visited already:
///
///     for (uint32_t i = registry->count; i-- > 0;) {
///         Mob *mob = registry->items[i];
///         if (mob->health <= 0) {
///             trn_registry_remove(registry, mob);
///         }
///     }
///
/// A backward loop does not visit objects added during it. Removing another object than the current
/// one may skip some or visit some twice, but never reads past the end, provided that i is checked
/// against count.
///
/// Threads: one at a time; any number of readers while no thread writes.
///
/// Tier: stable.
#ifndef TERRANE_REGISTRY_H
#define TERRANE_REGISTRY_H

#include <stdbool.h>
#include <string.h>

#include <terrane/base.h>

TRN_C_BEGIN

/// Start from trn_registry_def() and change what you need.
typedef struct TrnRegistryDef {
    size_t index_offset;           ///< offset of each object's uint32_t: offsetof(Mob, in_world)
    uint32_t count_max;            ///< maximum number of objects; 0 means no limit
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnRegistryDef;

/// Returns the defaults: no limit.
TRN_API TrnRegistryDef trn_registry_def(size_t index_offset);

/// Read the fields, never write them.
typedef struct TrnRegistry {
    void **items;           ///< [count] the objects, without gaps; may move when one is added
    uint32_t count;         ///< objects
    uint32_t capacity;      ///< objects that fit without allocating
    uint32_t count_max;     ///< as in the def
    size_t index_offset;    ///< as in the def
    TrnAllocator allocator; ///< its memory comes from it
} TrnRegistry;

/// Creates an empty registry. Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_registry_create(const TrnRegistryDef *def, TrnRegistry **registry);

/// Destroys a registry; the objects are not touched. @param registry  may be NULL
TRN_API void trn_registry_destroy(TrnRegistry *registry);

/// Returns whether an object is in the registry. The object's field may hold any value: it is
/// checked against the array. (Initialise it, to zero say, because it is read.) O(1).
static inline bool trn_registry_contains(const TrnRegistry *registry, const void *object)
{
    uint32_t index;
    memcpy(&index, (const unsigned char *)object + registry->index_offset, sizeof index);
    return index < registry->count && registry->items[index] == object;
}

/// Adds an object and writes its index. The object must not move until it is removed.
/// @param object  not NULL; caller owns
/// Errors: BAD_ARGUMENT, EXISTS, FULL (count_max), NO_MEMORY; nothing changes. Cost: amortized
/// O(1).
TRN_API TrnResult trn_registry_add(TrnRegistry *registry, void *object);

/// Removes an object; the last one takes its place. @param object  not NULL
/// Errors: BAD_ARGUMENT, NOT_FOUND. O(1).
TRN_API TrnResult trn_registry_remove(TrnRegistry *registry, void *object);

/// Allocates capacity for at least `count` objects, so that adding up to that many cannot fail.
/// Errors: FULL (above count_max), NO_MEMORY.
TRN_API TrnResult trn_registry_reserve(TrnRegistry *registry, uint32_t count);

TRN_C_END
#endif
