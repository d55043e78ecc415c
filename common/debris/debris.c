#include "debris/debris.h"

#include <math.h>
#include <string.h>

#include "clock.h"
#include "debris/debris_impl.h"

// Speeds are in 1/65536 voxel a step.
#define VOXEL_A_SECOND 1092
#define LIFE_MIN 180u // steps
#define LIFE_RANGE 240u
#define FADE_STEPS 40u // at the end of its life a bit shrinks

// ---- create and destroy -------------------------------------------------------------------------

DebrisDef debris_def(const TrnStore *store)
{
    const DebrisDef def = {.store = store, .capacity = DEBRIS_CAPACITY, .seed = 1};
    return def;
}

TrnResult debris_create(const DebrisDef *def, Debris **debris)
{
    if (!def || !debris || !def->store || def->capacity < 1 ||
        def->capacity > DEBRIS_CAPACITY_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator allocator = def->allocator ? *def->allocator : trn_allocator_default();
    Debris *created = allocator.alloc(sizeof *created, 64, allocator.user);
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    *created = (Debris){.ground = debris_ground_of(def->store), .seed = def->seed};
    if (!debris_bits_create(&created->bits, def->capacity, &allocator)) {
        debris_destroy(created);
        return TRN_RESULT_NO_MEMORY;
    }
    *debris = created;
    return TRN_RESULT_OK;
}

void debris_destroy(Debris *debris)
{
    if (!debris) {
        return;
    }
    const TrnAllocator allocator = debris->bits.allocator;
    debris_bits_free(&debris->bits);
    allocator.free(debris, sizeof *debris, allocator.user);
}

/// Removes a bit, and its cell if that is empty then.
static void debris_remove_bit(Debris *debris, DebrisBit *bit)
{
    DebrisCell *cell = bit->cell;
    debris->fates.resting -= bit->rests;
    debris_bits_leave(bit);
    debris_bits_remove(&debris->bits, bit);
    debris_bits_tidy(&debris->bits, cell);
}

void debris_clear(Debris *debris)
{
    while (debris && debris->bits.oldest) {
        debris_remove_bit(debris, debris->bits.oldest);
        debris->fates.lost++;
    }
}

// ---- throwing -----------------------------------------------------------------------------------

/// splitmix64: the same numbers on every machine.
static uint64_t debris_next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// 0 to below `range`, from 16 bits of a random number.
static int32_t debris_random_part(uint64_t random, unsigned shift, uint32_t range)
{
    return (int32_t)(((random >> shift) & 0xffff) * range >> 16);
}

/// Removes a bit if the pool is full: the oldest unseen one, or else the oldest.
static void debris_make_room(Debris *debris)
{
    if (debris->bits.alive->count < debris->bits.capacity) {
        return;
    }
    DebrisBit *victim = debris_bits_next_unseen(&debris->bits);
    if (victim) {
        debris->dropped_unseen++;
    } else {
        victim = debris->bits.oldest;
        debris->dropped_oldest++;
    }
    debris_remove_bit(debris, victim);
}

/// A block whose bits are thrown.
typedef struct DebrisThrow {
    TrnCoord coord;
    int32_t corner[3]; ///< its lowest, local
    TrnBlock block;
    TrnFace face;
    bool floats;
} DebrisThrow;

/// Places a bit in its voxel and throws it: away from the middle, up, and out through the face.
static void debris_throw_bit(DebrisBit *bit, const DebrisThrow *from, uint64_t *random)
{
    const uint64_t place = debris_next_random(random), way = debris_next_random(random);
    const uint64_t look = debris_next_random(random);
    bit->half = (uint16_t)(DEBRIS_HALF_MIN + (uint32_t)debris_random_part(
                                                 place, 48, DEBRIS_HALF_MAX - DEBRIS_HALF_MIN + 1));
    for (int axis = 0; axis < 3; axis++) {
        const int32_t low = debris_random_part(place, 16 * (unsigned)axis,
                                               DEBRIS_UNIT - 2 * (uint32_t)bit->half + 1);
        bit->at[axis] = from->corner[axis] * DEBRIS_UNIT + low + (axis == 1 ? 0 : bit->half);
        const int32_t from_middle = low + bit->half - DEBRIS_UNIT / 2;
        const int32_t own = debris_random_part(way, 16 * (unsigned)axis, 2 * VOXEL_A_SECOND);
        bit->velocity[axis] = (int16_t)(from_middle * 5 / 64 + own - VOXEL_A_SECOND);
    }
    bit->velocity[1] = (int16_t)(bit->velocity[1] + 2 * VOXEL_A_SECOND);
    if ((uint32_t)from->face < TRN_FACE_COUNT) {
        int16_t *out = &bit->velocity[from->face / 2];
        *out = (int16_t)(*out + (from->face & 1 ? 3 : -3) * VOXEL_A_SECOND / 2);
    }
    bit->dies += LIFE_MIN + (uint32_t)debris_random_part(look, 0, LIFE_RANGE);
    bit->turn = (uint16_t)(look >> 16);
    bit->spin = (int16_t)(debris_random_part(look, 32, 3000) - 1500);
    bit->piece = (uint8_t)(look >> 48);
}

/// Whether a block's bits rise in liquids: wood, leaves and plants.
static bool debris_floats_in_liquids(const TrnBlockType *type)
{
    return type->kind == TRN_BLOCK_KIND_PLANT || strstr(type->name, "log") ||
           strstr(type->name, "leaves");
}

static bool debris_flies(const TrnBlockType *type)
{
    return type->kind != TRN_BLOCK_KIND_AIR && type->kind != TRN_BLOCK_KIND_LIQUID;
}

/// Adds a bit of a block. @return false if out of memory
static bool debris_add_thrown(Debris *debris, const DebrisThrow *from, uint64_t *random)
{
    debris_make_room(debris);
    DebrisBit *bit = debris_bits_add(&debris->bits);
    if (!bit) {
        return false;
    }
    bit->block = from->block;
    bit->floats = from->floats;
    bit->dies = debris->now;
    debris_throw_bit(bit, from, random);
    if (!debris_bits_enter(&debris->bits, bit, from->coord)) {
        debris_bits_remove(&debris->bits, bit);
        return false;
    }
    debris->thrown++;
    return true;
}

uint32_t debris_throw(Debris *debris, TrnVoxel voxel, TrnBlock block, TrnFace face, uint32_t count)
{
    if (!debris) {
        return 0;
    }
    const TrnBlockType *type =
        trn_block_types_get(trn_store_block_types(debris->ground.store), block);
    uint64_t random = debris->seed ^ ++debris->throws * 0xD1B54A32D192ED03u;
    if (!debris_flies(type) || !debris_ground_is_open(&debris->ground, voxel)) {
        return 0;
    }
    const int64_t mask = TRN_CHUNK_EDGE - 1;
    const DebrisThrow from = {
        .coord = trn_voxel_chunk(voxel),
        .corner = {(int32_t)(voxel.x & mask), (int32_t)(voxel.y & mask), (int32_t)(voxel.z & mask)},
        .block = block,
        .face = face,
        .floats = debris_floats_in_liquids(type),
    };
    const uint32_t most = count < debris->bits.capacity ? count : debris->bits.capacity;
    for (uint32_t i = 0; i < most; i++) {
        if (!debris_add_thrown(debris, &from, &random)) {
            debris->refused += most - i;
            return i;
        }
    }
    return most;
}

uint32_t debris_share(uint64_t blocks, uint64_t nth)
{
    // Far more than any dig, and small enough for the products below.
    const uint64_t most = UINT64_C(1) << 50;
    if (nth >= blocks || blocks > most) {
        return 0;
    }
    const uint64_t share = (nth + 1) * DEBRIS_DIG_BITS / blocks - nth * DEBRIS_DIG_BITS / blocks;
    return share < DEBRIS_BLOCK_BITS ? (uint32_t)share : DEBRIS_BLOCK_BITS;
}

// ---- steps --------------------------------------------------------------------------------------

/// How many steps are due. Those over DEBRIS_STEPS_MAX are dropped.
static uint32_t debris_take_due_steps(Debris *debris, double seconds)
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
    const uint32_t due = debris ? debris_take_due_steps(debris, seconds) : 0;
    if (!due) {
        return 0;
    }
    const double start = clock_thread_us();
    for (uint32_t i = 0; i < due; i++) {
        debris_move_all(&debris->bits, &debris->ground, ++debris->now, &debris->fates);
    }
    debris_bits_forget_unseen(&debris->bits);
    debris->step_us = clock_thread_us() - start;
    return due;
}

DebrisStats debris_stats(const Debris *debris)
{
    if (!debris) {
        return (DebrisStats){0};
    }
    return (DebrisStats){
        .alive = debris->bits.alive->count,
        .capacity = debris->bits.capacity,
        .resting = debris->fates.resting,
        .chunks = debris->bits.cells->count,
        .thrown = debris->thrown,
        .faded = debris->fates.faded,
        .lost = debris->fates.lost,
        .dropped_unseen = debris->dropped_unseen,
        .dropped_oldest = debris->dropped_oldest,
        .refused = debris->refused,
        .step_us = debris->step_us,
    };
}

// ---- drawing ------------------------------------------------------------------------------------

void debris_look(Debris *debris, TrnCoord chunk, const float planes[6][4])
{
    for (int i = 0; i < 24; i++) {
        if (!isfinite(planes[i / 4][i % 4])) {
            return;
        }
    }
    DebrisLook look = {.chunk = chunk};
    memcpy(look.planes, planes, sizeof look.planes);
    debris_bits_look(&debris->bits, &look);
}

/// Half the edge of a bit, which shrinks at the end of its life.
static uint32_t debris_shown_half(const Debris *debris, const DebrisBit *bit)
{
    const uint32_t steps = bit->dies - debris->now;
    return steps < FADE_STEPS ? bit->half * steps / FADE_STEPS : bit->half;
}

uint32_t debris_list(const Debris *debris, DebrisInstance *instances, uint32_t capacity)
{
    const DebrisBits *bits = &debris->bits;
    const float back = 1 - (float)(debris->left / DEBRIS_STEP_SECONDS);
    uint32_t count = 0;
    for (uint32_t i = 0; i < bits->alive->count && count < capacity; i++) {
        const DebrisBit *bit = bits->alive->items[i];
        if (bit->cell->sight == DEBRIS_SIGHT_NONE) {
            continue;
        }
        DebrisInstance *instance = &instances[count];
        debris_bits_place(bits, bit, back, instance->at);
        if (bit->cell->sight == DEBRIS_SIGHT_SOME && !debris_look_has(&bits->look, instance->at)) {
            continue;
        }
        instance->shape = debris_shown_half(debris, bit) | (uint32_t)bit->turn << 16;
        instance->look = bit->block | (uint32_t)bit->piece << 16;
        count++;
    }
    return count;
}
