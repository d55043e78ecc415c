#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#include "debris/debris.h"

#include <string.h>
#include <time.h>

#include "debris/debris_impl.h"

// Speeds as a bit is thrown, in units a step: 1092 are a voxel a second.
#define VOXEL_A_SECOND 1092
#define LIFE_MIN 180u // steps
#define LIFE_RANGE 240u

// ---- life ---------------------------------------------------------------------------------------

DebrisDef debris_def(const TrnStore *store)
{
    const DebrisDef def = {.store = store, .capacity = DEBRIS_CAPACITY, .seed = 1};
    return def;
}

static void *take(const TrnAllocator *allocator, size_t bytes)
{
    void *memory = allocator->alloc(bytes, 64, allocator->user);
    if (memory) {
        memset(memory, 0, bytes);
    }
    return memory;
}

static void give(const TrnAllocator *allocator, void *memory, size_t bytes)
{
    if (memory) {
        allocator->free(memory, bytes, allocator->user);
    }
}

static size_t unseen_bytes(const Debris *debris)
{
    return debris->capacity * sizeof *debris->unseen;
}

static size_t bucket_bytes(void)
{
    return DEBRIS_BUCKETS * sizeof(DebrisCell *);
}

static bool create_pool(const Debris *debris, size_t bytes, uint32_t count, TrnPool **pool)
{
    TrnPoolDef def = trn_pool_def(bytes);
    def.slot_alignment = 64;
    def.slot_max = count;
    def.allocator = &debris->allocator;
    return trn_pool_create(&def, pool) == TRN_RESULT_OK;
}

/// With room for all from the start, so that adding cannot fail.
static bool create_registry(const Debris *debris, size_t index_offset, uint32_t count,
                            TrnRegistry **registry)
{
    TrnRegistryDef def = trn_registry_def(index_offset);
    def.count_max = count;
    def.allocator = &debris->allocator;
    return trn_registry_create(&def, registry) == TRN_RESULT_OK &&
           trn_registry_reserve(*registry, count) == TRN_RESULT_OK;
}

static bool create_parts(Debris *debris)
{
    // Within a step, each bit may have come to a new cell while the one that it left is still
    // there.
    const uint32_t bits = debris->capacity, cells = 2 * bits;
    debris->unseen = take(&debris->allocator, unseen_bytes(debris));
    debris->buckets = take(&debris->allocator, bucket_bytes());
    return debris->unseen && debris->buckets &&
           create_pool(debris, sizeof(DebrisBit), bits, &debris->bits) &&
           create_pool(debris, sizeof(DebrisCell), cells, &debris->cells) &&
           create_registry(debris, offsetof(DebrisBit, place), bits, &debris->alive) &&
           create_registry(debris, offsetof(DebrisCell, place), cells, &debris->used);
}

TrnResult debris_create(const DebrisDef *def, Debris **debris)
{
    if (!def || !debris || !def->store || def->capacity < 1 ||
        def->capacity > DEBRIS_CAPACITY_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator allocator = def->allocator ? *def->allocator : trn_allocator_default();
    Debris *made = take(&allocator, sizeof *made);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnBlockTypes *types = trn_store_block_types(def->store);
    made->store = def->store;
    made->solid_bits = trn_block_types_solid_bits(types);
    made->liquid_bits = trn_block_types_liquid_bits(types);
    made->capacity = def->capacity;
    made->seed = def->seed;
    made->allocator = allocator;
    if (!create_parts(made)) {
        debris_destroy(made);
        return TRN_RESULT_NO_MEMORY;
    }
    *debris = made;
    return TRN_RESULT_OK;
}

void debris_destroy(Debris *debris)
{
    if (!debris) {
        return;
    }
    const TrnAllocator allocator = debris->allocator;
    trn_registry_destroy(debris->used);
    trn_registry_destroy(debris->alive);
    trn_pool_destroy(debris->cells);
    trn_pool_destroy(debris->bits);
    give(&allocator, debris->buckets, bucket_bytes());
    give(&allocator, debris->unseen, unseen_bytes(debris));
    give(&allocator, debris, sizeof *debris);
}

void debris_forget(Debris *debris, DebrisBit *bit)
{
    *(bit->older ? &bit->older->younger : &debris->oldest) = bit->younger;
    *(bit->younger ? &bit->younger->older : &debris->youngest) = bit->older;
    (void)trn_registry_remove(debris->alive, bit);
    (void)trn_pool_free(debris->bits, bit->id);
}

/// Takes a bit out of its cell and out of the world, and the cell with it if that is empty then.
static void remove_bit(Debris *debris, DebrisBit *bit)
{
    DebrisCell *cell = bit->cell;
    debris->stats.resting -= bit->rests;
    debris_leave(bit);
    debris_forget(debris, bit);
    debris_tidy(debris, cell);
}

void debris_clear(Debris *debris)
{
    while (debris && debris->oldest) {
        remove_bit(debris, debris->oldest);
        debris->stats.lost++;
    }
}

// ---- throwing -----------------------------------------------------------------------------------

/// splitmix64: the same numbers on every machine.
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// 0 to below `range`, from 16 bits of a random number.
static int32_t random_part(uint64_t random, unsigned shift, uint32_t range)
{
    return (int32_t)(((random >> shift) & 0xffff) * range >> 16);
}

/// Makes room for one more: an unseen bit goes first, otherwise the oldest.
static void make_room(Debris *debris)
{
    if (debris->alive->count < debris->capacity) {
        return;
    }
    DebrisBit *victim = debris_next_unseen(debris);
    if (victim) {
        debris->stats.dropped_unseen++;
    } else {
        victim = debris->oldest;
        debris->stats.dropped_oldest++;
    }
    remove_bit(debris, victim);
}

/// A new bit, the youngest, in no cell yet. NULL when there is no memory.
static DebrisBit *add_bit(Debris *debris)
{
    TrnPoolId id;
    void *slot;
    make_room(debris);
    if (trn_pool_alloc(debris->bits, &id, &slot) != TRN_RESULT_OK) {
        return NULL;
    }
    DebrisBit *bit = slot;
    memset(bit, 0, sizeof *bit);
    bit->id = id;
    if (trn_registry_add(debris->alive, bit) != TRN_RESULT_OK) {
        (void)trn_pool_free(debris->bits, id);
        return NULL;
    }
    bit->older = debris->youngest;
    *(debris->youngest ? &debris->youngest->younger : &debris->oldest) = bit;
    debris->youngest = bit;
    return bit;
}

/// A block whose bits are thrown.
typedef struct DebrisThrow {
    TrnCoord coord;
    int32_t corner[3]; ///< its lowest, local
    TrnBlock block;
    TrnFace face;
    bool floats;
} DebrisThrow;

/// Where in its voxel a bit begins, and how it flies: away from the middle, up, and out through the
/// face.
static void throw_bit(DebrisBit *bit, const DebrisThrow *from, uint64_t *random)
{
    const uint64_t place = next_random(random), way = next_random(random);
    const uint64_t look = next_random(random);
    bit->half = (uint16_t)(DEBRIS_HALF_MIN +
                           (uint32_t)random_part(place, 48, DEBRIS_HALF_MAX - DEBRIS_HALF_MIN + 1));
    for (int axis = 0; axis < 3; axis++) {
        const int32_t low =
            random_part(place, 16 * (unsigned)axis, DEBRIS_UNIT - 2 * (uint32_t)bit->half + 1);
        bit->at[axis] = from->corner[axis] * DEBRIS_UNIT + low + (axis == 1 ? 0 : bit->half);
        const int32_t from_middle = low + bit->half - DEBRIS_UNIT / 2;
        const int32_t own = random_part(way, 16 * (unsigned)axis, 2 * VOXEL_A_SECOND);
        bit->velocity[axis] = (int16_t)(from_middle * 5 / 64 + own - VOXEL_A_SECOND);
    }
    bit->velocity[1] = (int16_t)(bit->velocity[1] + 2 * VOXEL_A_SECOND);
    if ((uint32_t)from->face < TRN_FACE_COUNT) {
        int16_t *out = &bit->velocity[from->face / 2];
        *out = (int16_t)(*out + (from->face & 1 ? 3 : -3) * VOXEL_A_SECOND / 2);
    }
    bit->dies += LIFE_MIN + (uint32_t)random_part(look, 0, LIFE_RANGE);
    bit->turn = (uint16_t)(look >> 16);
    bit->spin = (int16_t)(random_part(look, 32, 3000) - 1500);
    bit->piece = (uint8_t)(look >> 48);
}

/// Whether a block's bits rise in liquids: wood, leaves and what grows.
static bool floats_in_liquids(const TrnBlockType *type)
{
    return type->kind == TRN_BLOCK_KIND_PLANT || strstr(type->name, "log") ||
           strstr(type->name, "leaves");
}

static bool flies(const TrnBlockType *type)
{
    return type->kind != TRN_BLOCK_KIND_AIR && type->kind != TRN_BLOCK_KIND_LIQUID;
}

/// One more bit of a block. @return false when there is no memory
static bool add_thrown(Debris *debris, const DebrisThrow *from, uint64_t *random)
{
    DebrisBit *bit = add_bit(debris);
    if (!bit) {
        return false;
    }
    bit->block = from->block;
    bit->floats = from->floats;
    bit->dies = debris->now;
    bit->number = debris->stats.thrown;
    throw_bit(bit, from, random);
    if (!debris_enter(debris, bit, from->coord)) {
        debris_forget(debris, bit);
        return false;
    }
    debris->stats.thrown++;
    return true;
}

uint32_t debris_throw(Debris *debris, TrnVoxel voxel, TrnBlock block, TrnFace face, uint32_t count)
{
    if (!debris) {
        return 0;
    }
    const TrnBlockType *type = trn_block_types_get(trn_store_block_types(debris->store), block);
    uint64_t random = debris->seed ^ ++debris->throws * 0xD1B54A32D192ED03u;
    if (!flies(type) || !debris_is_open(debris, voxel)) {
        return 0;
    }
    const int64_t mask = TRN_CHUNK_EDGE - 1;
    const DebrisThrow from = {
        .coord = trn_voxel_chunk(voxel),
        .corner = {(int32_t)(voxel.x & mask), (int32_t)(voxel.y & mask), (int32_t)(voxel.z & mask)},
        .block = block,
        .face = face,
        .floats = floats_in_liquids(type),
    };
    const uint32_t most = count < debris->capacity ? count : debris->capacity;
    for (uint32_t i = 0; i < most; i++) {
        if (!add_thrown(debris, &from, &random)) {
            debris->stats.refused += most - i;
            return i;
        }
    }
    return most;
}

uint32_t debris_share(uint64_t blocks, uint64_t nth)
{
    // Far beyond what anybody digs at once, and the products below fit.
    const uint64_t most = UINT64_C(1) << 50;
    if (nth >= blocks || blocks > most) {
        return 0;
    }
    const uint64_t share = (nth + 1) * DEBRIS_DIG_BITS / blocks - nth * DEBRIS_DIG_BITS / blocks;
    return share < DEBRIS_BLOCK_BITS ? (uint32_t)share : DEBRIS_BLOCK_BITS;
}

// ---- steps --------------------------------------------------------------------------------------

static double thread_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/// How many steps are due. What is more than can be made is forgotten.
static uint32_t take_due_steps(Debris *debris, double seconds)
{
    if (!(seconds > 0)) {
        return 0;
    }
    const double steps = (debris->left + seconds) / DEBRIS_STEP_SECONDS;
    if (!(steps < DEBRIS_STEPS_MAX + 1.0)) {
        debris->left = 0;
        return DEBRIS_STEPS_MAX;
    }
    const uint32_t due = (uint32_t)steps < DEBRIS_STEPS_MAX ? (uint32_t)steps : DEBRIS_STEPS_MAX;
    const double left = debris->left + seconds - due * DEBRIS_STEP_SECONDS;
    debris->left = left < 0 ? 0 : left < DEBRIS_STEP_SECONDS ? left : 0;
    return due;
}

uint32_t debris_step(Debris *debris, double seconds)
{
    const uint32_t due = debris ? take_due_steps(debris, seconds) : 0;
    if (!due) {
        return 0;
    }
    const double start = thread_us();
    for (uint32_t i = 0; i < due; i++) {
        debris_move_all(debris);
    }
    debris_forget_unseen(debris);
    debris->stats.step_us = thread_us() - start;
    return due;
}

DebrisStats debris_stats(const Debris *debris)
{
    if (!debris) {
        return (DebrisStats){0};
    }
    DebrisStats stats = debris->stats;
    stats.alive = debris->alive->count;
    stats.capacity = debris->capacity;
    stats.chunks = debris->used->count;
    return stats;
}
