// Your own contender for terrane-bench: a hash table with open addressing, as a shared library.
//
//     cc -O3 -march=native -fPIC -shared -Icommon -Ichunks/include -o mine.so examples/contender.c
//     build/release/bench/terrane-bench lookup --quick --contender ./mine.so
//
// A slot has sixteen bytes: a coordinate and the chunk's number. A chunk is in the slot of its hash
// or in one of the next ones, with no free slot between (linear probing). At most half of all slots
// are taken, so that probes stay short.

#include <contender.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct Slot {
    TrnCoord coord;
    uint32_t number; // CONTENDER_NUMBER_NONE: the slot is free
} Slot;

typedef struct Table {
    Slot *slots; // [mask + 1], a power of two
    size_t mask, count;
} Table;

static size_t hash_coord(TrnCoord coord)
{
    uint64_t hash = (uint32_t)coord.x * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= (uint32_t)coord.y * UINT64_C(0xC2B2AE3D27D4EB4F);
    hash ^= (uint32_t)coord.z * UINT64_C(0x165667B19E3779F9);
    return (size_t)(hash ^ hash >> 32); // the lowest bits choose the slot, and are mixed worst
}

/// The slot of a coordinate, or the free slot to insert it into.
static Slot *find_slot(const Table *table, TrnCoord coord)
{
    size_t at = hash_coord(coord) & table->mask;
    while (table->slots[at].number != CONTENDER_NUMBER_NONE &&
           !trn_coord_equal(table->slots[at].coord, coord)) {
        at = (at + 1) & table->mask;
    }
    return &table->slots[at];
}

/// Rehashes into a table of this many slots. @return false if out of memory
static bool resize_table(Table *table, size_t slots)
{
    Table larger = {malloc(slots * sizeof(Slot)), slots - 1, table->count};
    if (!larger.slots) {
        return false;
    }
    for (size_t i = 0; i < slots; i++) {
        larger.slots[i].number = CONTENDER_NUMBER_NONE;
    }
    for (size_t i = 0; table->slots && i <= table->mask; i++) {
        if (table->slots[i].number != CONTENDER_NUMBER_NONE) {
            *find_slot(&larger, table->slots[i].coord) = table->slots[i];
        }
    }
    free(table->slots);
    *table = larger;
    return true;
}

static void destroy_table(void *self)
{
    Table *table = self;
    free(table->slots);
    free(table);
}

static void *create_table(const ContenderWorld *world)
{
    (void)world; // could tell the size, but a game's table must grow as well
    Table *table = calloc(1, sizeof *table);
    if (table && !resize_table(table, 64)) {
        destroy_table(table);
        return NULL;
    }
    return table;
}

static size_t insert_chunks(void *self, const ContenderEntry *entries, size_t count)
{
    Table *table = self;
    for (size_t i = 0; i < count; i++) {
        if (table->count * 2 > table->mask && !resize_table(table, (table->mask + 1) * 2)) {
            return i;
        }
        *find_slot(table, entries[i].coord) = (Slot){entries[i].coord, entries[i].number};
        table->count++;
    }
    return count;
}

/// Frees a slot and moves later ones back if that brings them nearer to the slot of their hash. A
/// tombstone would be simpler, but probes would get longer as a world moves.
static void free_slot(Table *table, size_t hole)
{
    for (size_t at = (hole + 1) & table->mask; table->slots[at].number != CONTENDER_NUMBER_NONE;
         at = (at + 1) & table->mask) {
        const size_t home = hash_coord(table->slots[at].coord) & table->mask;
        if (((at - home) & table->mask) >= ((at - hole) & table->mask)) {
            table->slots[hole] = table->slots[at];
            hole = at;
        }
    }
    table->slots[hole].number = CONTENDER_NUMBER_NONE;
    table->count--;
}

static void remove_chunks(void *self, const TrnCoord *coords, size_t count)
{
    Table *table = self;
    for (size_t i = 0; i < count; i++) {
        free_slot(table, (size_t)(find_slot(table, coords[i]) - table->slots));
    }
}

static void find_chunks(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    uint32_t *numbers = out;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = find_slot(self, coords[i])->number;
    }
}

/// Iterates all slots: faster than probing each coordinate if the box holds most of the chunks.
static size_t gather_box(void *self, TrnBox box, void *out, size_t capacity)
{
    const Table *table = self;
    uint32_t *numbers = out;
    size_t count = 0;
    for (size_t i = 0; i <= table->mask; i++) {
        const Slot *slot = &table->slots[i];
        if (slot->number != CONTENDER_NUMBER_NONE && trn_box_contains(box, slot->coord)) {
            if (count < capacity) {
                numbers[count] = slot->number;
            }
            count++;
        }
    }
    return count;
}

static size_t gather_everything(void *self, void *out, size_t capacity)
{
    return gather_box(self, trn_box_everything(), out, capacity);
}

static void explain_refusal(const void *self, char *text, size_t size)
{
    const Table *table = self;
    snprintf(text, size, "out of memory for %zu slots", (table->mask + 1) * 2);
}

const Contender *terrane_contender(void)
{
    // The bench replaces what is left out, for example neighbours by six finds.
    static const Contender contender = {
        .version = TERRANE_CONTENDER_VERSION,
        .name = "open addressing, numbers",
        .answers = CONTENDER_NUMBERS,
        .create = create_table,
        .destroy = destroy_table,
        .insert = insert_chunks,
        .remove = remove_chunks,
        .find = find_chunks,
        .gather = gather_box,
        .gather_all = gather_everything,
        .explain = explain_refusal,
    };
    return &contender;
}
