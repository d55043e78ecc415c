/// A pool of objects, each of them in a registry or not, against a list: ids that become stale,
/// slots that stay where they are, objects that free others, and memory that runs out.
#include "fuzz.h"
#include "testing.h"

#include <terrane/pool.h>
#include <terrane/registry.h>

#define OBJECTS_MAX 400

typedef struct Object {
    uint32_t number;
    uint32_t in_registry; ///< the registry's own
    TrnPoolId frees;      ///< an object that is freed with it
} Object;

typedef struct PoolFuzz {
    FuzzProgram program;
    TestAllocator memory;
    TrnPool *pool;
    TrnRegistry *registry;
    Object *objects[OBJECTS_MAX]; ///< [count] by number; NULL: freed
    TrnPoolId ids[OBJECTS_MAX];
    bool is_registered[OBJECTS_MAX];
    uint32_t count, taken, registered;
} PoolFuzz;

/// Called by the pool for each object that is freed.
static void forget(void *slot, void *user)
{
    PoolFuzz *fuzz = user;
    const Object *object = slot;
    const uint32_t number = object->number;
    const TrnPoolId frees = object->frees;
    FUZZ_REQUIRE(fuzz->objects[number] == object);
    FUZZ_REQUIRE(!trn_pool_get(fuzz->pool, fuzz->ids[number]));
    if (fuzz->is_registered[number]) {
        FUZZ_REQUIRE(trn_registry_remove(fuzz->registry, slot) == TRN_RESULT_OK);
        fuzz->is_registered[number] = false;
        fuzz->registered--;
    }
    fuzz->objects[number] = NULL;
    fuzz->taken--;
    if (trn_pool_get(fuzz->pool, frees)) {
        FUZZ_REQUIRE(trn_pool_free(fuzz->pool, frees) == TRN_RESULT_OK);
    }
}

static void take(PoolFuzz *fuzz)
{
    void *slot;
    TrnPoolId id = {77, 77};
    const uint32_t slot_max = trn_pool_stats(fuzz->pool).slot_max;
    if (fuzz->count == OBJECTS_MAX) {
        return;
    }
    const TrnResult result = trn_pool_alloc(fuzz->pool, &id, &slot);
    if (result != TRN_RESULT_OK) {
        FUZZ_REQUIRE(result == TRN_RESULT_NO_MEMORY ||
                     (result == TRN_RESULT_FULL && fuzz->taken == slot_max));
        return;
    }
    const uint32_t number = fuzz->count++;
    *(Object *)slot = (Object){.number = number};
    fuzz->objects[number] = slot;
    fuzz->ids[number] = id;
    fuzz->taken++;
}

static uint32_t choose(PoolFuzz *fuzz)
{
    return fuzz->count ? fuzz_below(&fuzz->program, fuzz->count) : 0;
}

static void free_one(PoolFuzz *fuzz)
{
    const uint32_t number = choose(fuzz);
    const bool is_taken = fuzz->objects[number] != NULL;
    FUZZ_REQUIRE(trn_pool_free(fuzz->pool, fuzz->ids[number]) ==
                 (is_taken ? TRN_RESULT_OK : TRN_RESULT_STALE_ID));
    FUZZ_REQUIRE(!fuzz->objects[number]);
}

/// Lets one object free another when it is freed.
static void chain(PoolFuzz *fuzz)
{
    Object *object = fuzz->objects[choose(fuzz)];
    const TrnPoolId other = fuzz->ids[choose(fuzz)];
    if (object) {
        object->frees = other;
    }
}

static void add(PoolFuzz *fuzz)
{
    const uint32_t number = choose(fuzz);
    Object *object = fuzz->objects[number];
    if (!object) {
        return;
    }
    const TrnResult result = trn_registry_add(fuzz->registry, object);
    if (fuzz->is_registered[number]) {
        FUZZ_REQUIRE(result == TRN_RESULT_EXISTS);
    } else if (result == TRN_RESULT_OK) {
        fuzz->is_registered[number] = true;
        fuzz->registered++;
    } else {
        FUZZ_REQUIRE(result == TRN_RESULT_NO_MEMORY || result == TRN_RESULT_FULL);
    }
}

static void leave(PoolFuzz *fuzz)
{
    const uint32_t number = choose(fuzz);
    if (fuzz->objects[number]) {
        FUZZ_REQUIRE(trn_registry_remove(fuzz->registry, fuzz->objects[number]) ==
                     (fuzz->is_registered[number] ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND));
        fuzz->registered -= fuzz->is_registered[number];
        fuzz->is_registered[number] = false;
    }
}

static void reserve(PoolFuzz *fuzz)
{
    const TrnResult result = trn_registry_reserve(fuzz->registry, fuzz_below(&fuzz->program, 1000));
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_FULL ||
                 result == TRN_RESULT_NO_MEMORY);
}

static void trim(PoolFuzz *fuzz)
{
    trn_pool_trim(fuzz->pool);
}

static void fail_some(PoolFuzz *fuzz)
{
    test_fail(&fuzz->memory, fuzz_below(&fuzz->program, 4), fuzz_below(&fuzz->program, 6));
}

static void check_registry(const PoolFuzz *fuzz)
{
    FUZZ_REQUIRE(fuzz->registry->count == fuzz->registered);
    for (uint32_t i = 0; i < fuzz->registry->count; i++) {
        const Object *object = fuzz->registry->items[i];
        FUZZ_REQUIRE(object->in_registry == i && fuzz->is_registered[object->number]);
        FUZZ_REQUIRE(trn_registry_contains(fuzz->registry, object));
    }
}

static void check(PoolFuzz *fuzz)
{
    void *batch[7];
    uint32_t cursor = 0, walked = 0;
    for (uint32_t i = 0; i < fuzz->count; i++) {
        const TrnPoolId id = fuzz->ids[i];
        FUZZ_REQUIRE(trn_pool_get(fuzz->pool, id) == fuzz->objects[i]);
        if (fuzz->objects[i]) {
            const TrnPoolId found = trn_pool_id(fuzz->pool, fuzz->objects[i]);
            FUZZ_REQUIRE(found.index1 == id.index1 && found.generation == id.generation);
            FUZZ_REQUIRE(fuzz->objects[i]->number == i);
        }
    }
    for (size_t got; (got = trn_pool_gather(fuzz->pool, &cursor, batch, 7)) > 0;) {
        walked += (uint32_t)got;
        for (size_t i = 0; i < got; i++) {
            FUZZ_REQUIRE(fuzz->objects[((const Object *)batch[i])->number] == batch[i]);
        }
    }
    FUZZ_REQUIRE(walked == fuzz->taken && trn_pool_stats(fuzz->pool).taken == walked);
    FUZZ_REQUIRE(trn_pool_id(fuzz->pool, fuzz).index1 == 0); // an address that is none of a slot's
    check_registry(fuzz);
}

static void create(PoolFuzz *fuzz)
{
    const TrnAllocator allocator = test_allocator(&fuzz->memory);
    TrnPoolDef def = trn_pool_def(sizeof(Object) + fuzz_below(&fuzz->program, 256));
    TrnRegistryDef registry = trn_registry_def(offsetof(Object, in_registry));
    def.slot_alignment = (size_t)8 << fuzz_below(&fuzz->program, 4);
    def.block_slots = fuzz_below(&fuzz->program, 40);
    def.slot_max = fuzz_below(&fuzz->program, 300);
    def.reserve_slots = fuzz_below(&fuzz->program, 2) * 100;
    def.destroy = forget;
    def.user = fuzz;
    def.allocator = registry.allocator = &allocator;
    registry.count_max = fuzz_below(&fuzz->program, 100);
    FUZZ_REQUIRE(trn_pool_create(&def, &fuzz->pool) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_registry_create(&registry, &fuzz->registry) == TRN_RESULT_OK);
}

int fuzz_pool(const uint8_t *bytes, size_t size);

int fuzz_pool(const uint8_t *bytes, size_t size)
{
    static void (*const steps[])(PoolFuzz *) = {take,  take, take,    take,  free_one,  free_one,
                                                add,   add,  leave,   chain, check,     trim,
                                                check, take, reserve, add,   fail_some, free_one};
    static PoolFuzz fuzz;
    memset(&fuzz, 0, sizeof fuzz);
    fuzz.program = fuzz_program(bytes, size);
    create(&fuzz);
    for (int i = 0; i < 2000 && fuzz_has_more(&fuzz.program); i++) {
        steps[fuzz_below(&fuzz.program, sizeof steps / sizeof *steps)](&fuzz);
    }
    check(&fuzz);
    trn_pool_destroy(fuzz.pool); // frees what is taken
    FUZZ_REQUIRE(fuzz.taken == 0 && fuzz.registered == 0);
    trn_registry_destroy(fuzz.registry);
    FUZZ_REQUIRE(fuzz.memory.live_blocks == 0);
    return 0;
}
