/// Terrane, registry: a dense array of objects that come and go.
///
/// Holds pointers, never objects. Each object remembers where it stands, in a uint32_t of its own,
/// so that it is removed in O(1): the last one takes its place ("swap and pop"). An object may be
/// in any number of registries, with one such uint32_t for each. The order is nobody's business and
/// changes with every removal.
///
/// Walk it like the array it is. Backwards, the object at hand may be removed, since what takes its
/// place has been met already:
///
///     for (uint32_t i = registry->count; i-- > 0;) {
///         Mob *mob = registry->items[i];
///         if (mob->health <= 0) {
///             trn_registry_remove(registry, mob);
///         }
///     }
///
/// Objects added while walking backwards are not met; removing others than the one at hand may skip
/// some or meet some twice (never past the end, as long as i is checked against count).
///
/// Threads: one at a time; any number of readers while nobody writes.
#ifndef TERRANE_REGISTRY_H
#define TERRANE_REGISTRY_H

#include <stdbool.h>
#include <string.h>

#include <terrane/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Start from trn_registry_def() and change what you need.
typedef struct TrnRegistryDef {
    size_t index_offset; ///< where in each object its uint32_t lies: offsetof(Mob, in_world)
    uint32_t count_max;  ///< cap on objects; 0 means none
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnRegistryDef;

/// No cap.
TRN_API TrnRegistryDef trn_registry_def(size_t index_offset);

/// Read the fields, never write them.
typedef struct TrnRegistry {
    void **items;      ///< [count] the objects, without gaps; may move when one is added
    uint32_t count;    ///< objects
    uint32_t capacity; ///< objects that fit without taking memory
    uint32_t count_max;
    size_t index_offset;
    TrnAllocator allocator;
} TrnRegistry;

/// Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_registry_create(const TrnRegistryDef *def, TrnRegistry **registry);

/// The objects stay as they are. @param registry  may be NULL
TRN_API void trn_registry_destroy(TrnRegistry *registry);

/// The object's own index: where it stands, as long as it is in the registry; otherwise whatever
/// was left there.
static inline uint32_t trn_registry_index(const TrnRegistry *registry, const void *object)
{
    uint32_t index;
    memcpy(&index, (const unsigned char *)object + registry->index_offset, sizeof index);
    return index;
}

/// Whether an object is in the registry. Whatever its index holds cannot mislead: the array has the
/// last word. (Only initialise it, with zero say, so that it may be read.) O(1).
static inline bool trn_registry_contains(const TrnRegistry *registry, const void *object)
{
    uint32_t index = trn_registry_index(registry, object);
    return index < registry->count && registry->items[index] == object;
}

/// The object at an index, or NULL beyond the last one. O(1).
static inline void *trn_registry_at(const TrnRegistry *registry, uint32_t index)
{
    return index < registry->count ? registry->items[index] : NULL;
}

/// Adds an object, which must stay where it is until it is removed, and writes its index.
/// @param object  not NULL; caller owns
/// Errors: BAD_ARGUMENT, EXISTS, FULL (the cap), NO_MEMORY; nothing has changed then. Cost: O(1)
/// amortised.
TRN_API TrnResult trn_registry_add(TrnRegistry *registry, void *object);

/// Removes an object; the last one takes its place. @param object  not NULL
/// Errors: BAD_ARGUMENT, NOT_FOUND. O(1).
TRN_API TrnResult trn_registry_remove(TrnRegistry *registry, void *object);

/// Takes memory for at least `count` objects, so that adding up to that many cannot fail. Errors:
/// FULL (over the cap), NO_MEMORY.
TRN_API TrnResult trn_registry_reserve(TrnRegistry *registry, uint32_t count);

/// Forgets all objects without touching them, so that they may be gone already. Keeps its memory.
/// O(1).
TRN_API void trn_registry_clear(TrnRegistry *registry);

#ifdef __cplusplus
}
#endif
#endif
