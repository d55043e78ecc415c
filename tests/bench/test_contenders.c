// Every built-in contender of terrane-bench, with and without its optional functions, and the
// one of examples/contender.c, compared with a simple model: a sorted list of the loaded
// chunks.

#include "contender_named.h"

enum { CHUNKS = 600, LIST_MAX = CHUNKS + 64, CANARY = 16, ANSWER_MAX = 8 };

// ---- the world ---------------------------------------------------------------------------------

/// Where chunks may lie: around one or two centres.
typedef struct Region {
    const char *name;
    TrnCoord centres[2];
    int32_t radius;
    bool is_beyond_21_bits; ///< packed keys may refuse it
    bool is_wide;           ///< arrays over a box may refuse it
} Region;

static const Region regions[] = {
    {"around the origin", {{0, 0, 0}, {0, 0, 0}}, 6, false, false},
    {"scattered", {{-40, 3, 9}, {30, -20, 0}}, 40, false, false},
    {"flat", {{-100, 0, 5000}, {-90, 0, 5010}}, 5, false, false},
    {"at the ends of 21 bits",
     {{1048571, 1048571, -1048572}, {1048571, 1048571, -1048572}},
     4,
     false,
     false},
    {"across the ends of 21 bits",
     {{1048576, -1048576, 1048575}, {1048574, -1048577, 1048577}},
     5,
     true,
     false},
    {"two islands", {{0, 0, 0}, {1000000, 999983, -777777}}, 5, false, true},
    {"two islands along x", {{-500000, 0, 0}, {499999, 1, 0}}, 5, false, true},
    {"at the upper ends of int32",
     {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MAX - 3, INT32_MAX, INT32_MAX}},
     8,
     true,
     false},
    {"at the lower ends of int32",
     {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MIN, INT32_MIN + 3, INT32_MIN}},
     8,
     true,
     false},
    {"around the end of x", {{INT32_MIN, 0, 0}, {INT32_MAX, 0, 0}}, 8, true, true},
    {"around the ends of all axes",
     {{INT32_MIN, INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN, INT32_MAX}},
     8,
     true,
     true},
};

typedef struct World {
    const Region *region;
    TrnPool *pool;
    BlockPool *blocks;
    ContenderChunk *chunks; // [CHUNKS], all apart from each other
    ContenderWorld world;
    bool is_there[CHUNKS];
    uint32_t sorted[CHUNKS]; // numbers of loaded chunks, sorted by coordinate
    size_t count;
    TestRandom *random;
} World;

static TrnCoord random_coord(World *world)
{
    const Region *region = world->region;
    const TrnCoord centre = region->centres[test_random_next(world->random) % 2];
    const TrnBox box = trn_box_around(centre, region->radius, region->radius, region->radius);
    const TrnCoord coord = {(int32_t)test_random_range(world->random, box.min.x, box.max.x),
                            (int32_t)test_random_range(world->random, box.min.y, box.max.y),
                            (int32_t)test_random_range(world->random, box.min.z, box.max.z)};
    return coord;
}

/// Moves a chunk to a coordinate that no other chunk has.
static void place_chunk(World *world, uint32_t number)
{
    bool is_taken = true;
    while (is_taken) {
        const TrnCoord coord = random_coord(world);
        is_taken = false;
        for (uint32_t i = 0; i < CHUNKS && !is_taken; i++) {
            is_taken = i != number && trn_coord_equal(world->chunks[i].coord, coord);
        }
        world->chunks[number].coord = coord;
    }
}

static void create_world(World *world, const Region *region, TestRandom *random)
{
    memset(world, 0, sizeof *world);
    world->region = region;
    world->random = random;
    TrnPoolDef def = trn_pool_def(sizeof(ContenderChunk));
    def.reserve_slots = CHUNKS;
    assert_int_equal(trn_pool_create(&def, &world->pool), TRN_RESULT_OK);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        void *slot;
        assert_int_equal(trn_pool_alloc(world->pool, NULL, &slot), TRN_RESULT_OK);
        memset(slot, 0, sizeof(ContenderChunk));
        ((ContenderChunk *)slot)->number = i;
    }
    world->chunks = trn_pool_slot(world->pool, 0); // the range is contiguous
    for (uint32_t i = 0; i < CHUNKS; i++) {
        // A coordinate outside all regions, until the chunk is placed.
        world->chunks[i].coord = (TrnCoord){(int32_t)i, 123456789, -123456789};
        assert_int_equal(world->chunks[i].number, i);
    }
    for (uint32_t i = 0; i < CHUNKS; i++) {
        place_chunk(world, i);
    }
    world->blocks = block_pool_create(world->chunks, CHUNKS);
    assert_non_null(world->blocks);
    world->world = (ContenderWorld){world->chunks, CHUNKS, trn_box_everything(), world->pool,
                                    block_pool_slots(world->blocks)};
}

// ---- the model ---------------------------------------------------------------------------------

static int compare_coords(TrnCoord a, TrnCoord b)
{
    return a.y != b.y   ? (a.y < b.y ? -1 : 1)
           : a.z != b.z ? (a.z < b.z ? -1 : 1)
           : a.x != b.x ? (a.x < b.x ? -1 : 1)
                        : 0;
}

static size_t model_place(const World *world, TrnCoord coord)
{
    size_t low = 0, high = world->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (compare_coords(world->chunks[world->sorted[middle]].coord, coord) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint32_t model_find(const World *world, TrnCoord coord)
{
    const size_t at = model_place(world, coord);
    return at < world->count && trn_coord_equal(world->chunks[world->sorted[at]].coord, coord)
               ? world->sorted[at]
               : CONTENDER_NUMBER_NONE;
}

static void model_insert(World *world, uint32_t number)
{
    const size_t at = model_place(world, world->chunks[number].coord);
    memmove(world->sorted + at + 1, world->sorted + at,
            (world->count - at) * sizeof *world->sorted);
    world->sorted[at] = number;
    world->is_there[number] = true;
    world->count++;
}

static void model_remove(World *world, uint32_t number)
{
    const size_t at = model_place(world, world->chunks[number].coord);
    world->count--;
    memmove(world->sorted + at, world->sorted + at + 1,
            (world->count - at) * sizeof *world->sorted);
    world->is_there[number] = false;
}

static bool model_is_ready(const World *world, TrnCoord coord)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (model_find(world, trn_coord_neighbour(coord, (TrnFace)face)) == CONTENDER_NUMBER_NONE) {
            return false;
        }
    }
    return true;
}

/// A frustum whose plane coefficients are multiples of 1/4, so that sums are exact in any order.
typedef struct ExactFrustum {
    TrnFrustum frustum;
    int64_t quarters[6][4];
} ExactFrustum;

static ExactFrustum random_frustum(World *world)
{
    ExactFrustum exact = {.frustum = {.origin = random_coord(world)}};
    exact.frustum.count = (uint32_t)(test_random_next(world->random) % 7);
    for (uint32_t i = 0; i < exact.frustum.count; i++) {
        for (int k = 0; k < 4; k++) {
            const int64_t most = k == 3 ? 40 : 4;
            exact.quarters[i][k] = test_random_range(world->random, -most, most);
            exact.frustum.planes[i][k] = (double)exact.quarters[i][k] / 4;
        }
    }
    return exact;
}

static int64_t farthest(int64_t quarters, int32_t coord, int32_t origin)
{
    return quarters * ((int64_t)coord - origin + (quarters > 0));
}

static bool model_reaches(const ExactFrustum *exact, TrnCoord coord)
{
    const TrnCoord origin = exact->frustum.origin;
    for (uint32_t i = 0; i < exact->frustum.count; i++) {
        const int64_t *plane = exact->quarters[i];
        if (farthest(plane[0], coord.x, origin.x) + farthest(plane[1], coord.y, origin.y) +
                farthest(plane[2], coord.z, origin.z) + plane[3] <
            0) {
            return false;
        }
    }
    return true;
}

// ---- lists of answers --------------------------------------------------------------------------

/// An array for either kind of answer, followed by guard bytes.
typedef struct AnswerList {
    union {
        const ContenderChunk *pointers[LIST_MAX * TRN_FACE_COUNT + CANARY];
        uint32_t numbers[LIST_MAX * TRN_FACE_COUNT + CANARY];
        unsigned char bytes[(LIST_MAX * TRN_FACE_COUNT + CANARY) * ANSWER_MAX];
    } to;
} AnswerList;

static AnswerList answers;

static size_t bytes_of(const Contender *contender, size_t count)
{
    return count * (contender->answers == CONTENDER_POINTERS ? sizeof(void *) : sizeof(uint32_t));
}

static void expect_untouched_from(const Contender *contender, size_t capacity)
{
    const size_t first = bytes_of(contender, capacity);
    for (size_t i = first; i < first + (size_t)CANARY * ANSWER_MAX; i++) {
        assert_int_equal(answers.to.bytes[i], 0x5A);
    }
}

static uint32_t answer_number(const World *world, const Contender *contender, size_t at)
{
    if (contender->answers == CONTENDER_NUMBERS) {
        return answers.to.numbers[at];
    }
    const ContenderChunk *chunk = answers.to.pointers[at];
    if (!chunk) {
        return CONTENDER_NUMBER_NONE;
    }
    assert_true(chunk >= world->chunks && chunk < world->chunks + CHUNKS);
    return (uint32_t)(chunk - world->chunks);
}

/// The expected answer: a mark for each chunk, and their number.
typedef struct Expected {
    bool is_wanted[CHUNKS];
    size_t count;
} Expected;

static void expect_answers(const World *world, const Contender *contender, const Expected *expected,
                           size_t returned, size_t capacity)
{
    assert_int_equal(returned, expected->count);
    expect_untouched_from(contender, capacity);
    bool is_given[CHUNKS] = {false};
    const size_t written = returned < capacity ? returned : capacity;
    for (size_t i = 0; i < written; i++) {
        const uint32_t number = answer_number(world, contender, i);
        assert_true(number < CHUNKS);
        assert_true(expected->is_wanted[number]);
        assert_false(is_given[number]); // no chunk twice
        is_given[number] = true;
    }
}

typedef enum GatherKind {
    GATHER_BOX,
    GATHER_ALL,
    GATHER_FRUSTUM,
    GATHER_VISIBLE,
    GATHER_READY
} GatherKind;

typedef struct Gather {
    GatherKind kind;
    TrnBox box;
    ExactFrustum exact;
} Gather;

static Expected expected_of(const World *world, const Gather *gather)
{
    Expected expected = {{false}, 0};
    for (uint32_t i = 0; i < CHUNKS; i++) {
        const ContenderChunk *chunk = &world->chunks[i];
        const bool is_in_box = trn_box_contains(gather->box, chunk->coord);
        const bool is_wanted = gather->kind == GATHER_BOX   ? is_in_box
                               : gather->kind == GATHER_ALL ? true
                               : gather->kind == GATHER_FRUSTUM
                                   ? is_in_box && model_reaches(&gather->exact, chunk->coord)
                               : gather->kind == GATHER_VISIBLE
                                   ? is_in_box && chunk->is_visible
                                   : model_is_ready(world, chunk->coord);
        expected.is_wanted[i] = world->is_there[i] && is_wanted;
        expected.count += expected.is_wanted[i];
    }
    return expected;
}

static size_t run_gather(World *world, const Contender *contender, void *self, const Gather *gather,
                         size_t capacity)
{
    const ContenderChunk *all[CHUNKS];
    for (size_t i = 0; i < world->count; i++) {
        all[i] = &world->chunks[world->sorted[i]];
    }
    memset(answers.to.bytes, 0x5A, sizeof answers.to.bytes);
    void *out = answers.to.bytes;
    switch (gather->kind) {
    case GATHER_BOX:
        return contender->gather(self, gather->box, out, capacity);
    case GATHER_ALL:
        return contender->gather_all(self, out, capacity);
    case GATHER_FRUSTUM:
        return contender_gather_frustum(contender, &world->world, self, gather->box,
                                        &gather->exact.frustum, out, capacity);
    case GATHER_VISIBLE:
        return contender_gather_visible(contender, &world->world, self, gather->box, out, capacity);
    case GATHER_READY:
        return contender_gather_ready(contender, &world->world, self, all, world->count, out,
                                      capacity);
    }
    return 0;
}

/// Returns a random box near the chunks; sometimes an empty one, one of a single chunk, or one
/// around everything.
static TrnBox random_box(World *world)
{
    const int64_t choice = test_random_range(world->random, 0, 19);
    const int32_t r = choice == 0  ? 0
                      : choice < 6 ? 14
                                   : (int32_t)test_random_range(world->random, 1, 9);
    const int32_t radius_y = (int32_t)test_random_range(world->random, 0, 12);
    TrnBox box = trn_box_around(random_coord(world), r, radius_y, r);
    if (choice == 19) { // empty, unless clipped at an end of int32
        const int32_t low = box.min.z;
        box.min.z = box.max.z;
        box.max.z = low;
    }
    return box;
}

static void check_gathers(World *world, const Contender *contender, void *self)
{
    for (int kind = GATHER_BOX; kind <= GATHER_READY; kind++) {
        const Gather gather = {(GatherKind)kind, random_box(world), random_frustum(world)};
        const Expected expected = expected_of(world, &gather);
        const size_t capacities[] = {LIST_MAX, expected.count, expected.count / 2,
                                     (size_t)test_random_range(world->random, 0, LIST_MAX), 0};
        for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
            const size_t returned = run_gather(world, contender, self, &gather, capacities[i]);
            expect_answers(world, contender, &expected, returned, capacities[i]);
        }
    }
}

static void check_finds(World *world, const Contender *contender, void *self)
{
    TrnCoord coords[97];
    const size_t count = (size_t)test_random_range(world->random, 0, 97);
    for (size_t i = 0; i < count; i++) {
        const size_t some = test_random_next(world->random) % CHUNKS;
        coords[i] = i % 2 ? random_coord(world) : world->chunks[some].coord;
    }
    memset(answers.to.bytes, 0x5A, sizeof answers.to.bytes);
    contender->find(self, coords, count, answers.to.bytes);
    expect_untouched_from(contender, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(answer_number(world, contender, i), model_find(world, coords[i]));
    }
    memset(answers.to.bytes, 0x5A, sizeof answers.to.bytes);
    contender_neighbours(contender, &world->world, self, coords, count, answers.to.bytes);
    expect_untouched_from(contender, count * TRN_FACE_COUNT);
    for (size_t i = 0; i < count * TRN_FACE_COUNT; i++) {
        const TrnCoord coord =
            trn_coord_neighbour(coords[i / TRN_FACE_COUNT], (TrnFace)(i % TRN_FACE_COUNT));
        assert_int_equal(answer_number(world, contender, i), model_find(world, coord));
    }
}

// ---- random operations -------------------------------------------------------------------------

/// Chooses some chunks that are loaded, or some that are not. @return how many
static size_t choose_chunks(World *world, bool is_there, size_t most, uint32_t *numbers)
{
    size_t count = 0;
    uint32_t at = (uint32_t)(test_random_next(world->random) % CHUNKS);
    for (size_t i = 0; i < CHUNKS && count < most; i++, at = (at + 7) % CHUNKS) {
        if (world->is_there[at] == is_there) {
            numbers[count++] = at;
        }
    }
    return count;
}

static bool may_refuse(const Contender *contender, const Region *region)
{
    const bool is_packed =
        strstr(contender->name, "packed") || strcmp(contender->name, "sorted Morton array") == 0;
    const bool is_array = strstr(contender->name, "array") && !is_packed;
    return (is_packed && region->is_beyond_21_bits) || (is_array && region->is_wide);
}

static void expect_explained_refusal(const World *world, const Contender *contender,
                                     const void *self)
{
    assert_true(may_refuse(contender, world->region));
    char text[256];
    memset(text, 0x5A, sizeof text);
    contender_explain(contender, &world->world, self, text, sizeof text);
    assert_in_range(strlen(text), 5, 100);
    assert_null(strstr(text, "not refused"));
}

/// Inserts some chunks. @return false if the contender refuses
static bool insert_some(World *world, const Contender *contender, void *self, size_t most)
{
    uint32_t numbers[CHUNKS];
    ContenderEntry entries[CHUNKS];
    const size_t count = choose_chunks(world, false, most, numbers);
    for (size_t i = 0; i < count; i++) {
        ContenderChunk *chunk = &world->chunks[numbers[i]];
        chunk->is_visible = false;
        entries[i] = (ContenderEntry){chunk->coord, chunk->number, chunk};
    }
    const size_t taken = contender->insert(self, entries, count);
    assert_true(taken <= count);
    for (size_t i = 0; i < count && i < taken; i++) {
        model_insert(world, numbers[i]);
    }
    if (taken < count) {
        expect_explained_refusal(world, contender, self);
    }
    return taken == count;
}

/// Removes some chunks, and moves half of them, as in a world that moves with its player.
static void remove_some(World *world, const Contender *contender, void *self, size_t most)
{
    uint32_t numbers[CHUNKS];
    TrnCoord coords[CHUNKS] = {{0, 0, 0}};
    const size_t count = choose_chunks(world, true, most, numbers);
    for (size_t i = 0; i < count; i++) {
        coords[i] = world->chunks[numbers[i]].coord;
        model_remove(world, numbers[i]);
    }
    contender->remove(self, coords, count);
    for (size_t i = 0; i < count; i += 2) {
        place_chunk(world, numbers[i]);
    }
}

static void change_visible(World *world, const Contender *contender, void *self)
{
    uint32_t numbers[CHUNKS];
    TrnCoord coords[CHUNKS];
    const bool is_visible = test_random_next(world->random) % 2;
    const size_t count = choose_chunks(world, true, 50, numbers);
    for (size_t i = 0; i < count; i++) {
        world->chunks[numbers[i]].is_visible = is_visible;
        coords[i] = world->chunks[numbers[i]].coord;
    }
    contender_set_visible(contender, &world->world, self, coords, count, is_visible);
}

static void walk_randomly(World *world, const Contender *contender, void *self)
{
    for (int round = 0; round < 5; round++) {
        const size_t most = (size_t)test_random_range(world->random, 0, round % 4 ? 90 : 400);
        if (!insert_some(world, contender, self, most)) {
            return;
        }
        check_gathers(world, contender, self);
        check_finds(world, contender, self);
        remove_some(world, contender, self, (size_t)test_random_range(world->random, 0, 150));
        change_visible(world, contender, self);
        check_gathers(world, contender, self);
        check_finds(world, contender, self);
    }
    remove_some(world, contender, self, CHUNKS);
    check_gathers(world, contender, self);
    if (insert_some(world, contender, self, CHUNKS)) {
        check_gathers(world, contender, self);
    }
}

/// An empty one, then a random walk.
static void agrees_in(const Contender *contender, const Region *region, TestRandom *random)
{
    World world;
    create_world(&world, region, random);
    void *self = contender->create(&world.world);
    assert_non_null(self);
    check_gathers(&world, contender, self);
    check_finds(&world, contender, self);
    walk_randomly(&world, contender, self);
    contender->destroy(self);
    block_pool_destroy(world.blocks);
    trn_pool_destroy(world.pool);
}

static void agrees_with_a_list(const Contender *contender, TestRandom *random)
{
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
        agrees_in(contender, &regions[i], random);
    }
}

// ---- tests -------------------------------------------------------------------------------------

static void every_builtin_contender_agrees_with_a_list(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(20260101);
    size_t count;
    const Contender *const *all = contenders_builtin(&count);
    for (size_t i = 0; i < count; i++) {
        print_message("  %s\n", all[i]->name);
        agrees_with_a_list(all[i], &random);
    }
}

static void what_a_contender_leaves_out_is_done_with_the_rest(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(20260102);
    // Contenders with answers of both kinds. An ordered map is fast with any box.
    const char *const names[] = {"std::map", "sparse octree", "toroidal array, numbers",
                                 "Terrane index, numbers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Contender left = bare(contender_named(names[i]));
        agrees_with_a_list(&left, &random);
    }
}

static void the_contender_of_the_examples_agrees_with_a_list(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(20260103);
    char problem[128];
    assert_false(contender_problem(terrane_contender(), problem, sizeof problem));
    agrees_with_a_list(terrane_contender(), &random);
}

static void columns_that_shrink_and_grow_agree_with_a_list(void **state)
{
    (void)state;
    // So narrow that most columns have several chunks.
    static const Region columns = {"columns", {{0, 2, 0}, {1, 9, -2}}, 6, false, false};
    TestRandom random = test_random_seeded(20260104);
    for (int round = 0; round < 20; round++) {
        agrees_in(contender_named("2D array of columns"), &columns, &random);
    }
}

static void expect_problem(const Contender *contender, const char *part)
{
    char text[128] = "";
    assert_true(contender_problem(contender, text, sizeof text));
    assert_non_null(strstr(text, part));
}

static void problems_of_loaded_contenders_are_told(void **state)
{
    (void)state;
    const Contender good = *contender_named("std::map");
    Contender wrong = good;
    expect_problem(NULL, "NULL");
    wrong.version = 2;
    expect_problem(&wrong, "version is 2");
    wrong = good;
    wrong.name = NULL;
    expect_problem(&wrong, "no name");
    wrong.name = "";
    expect_problem(&wrong, "no name");
    wrong.name = "a name of exactly sixty-one bytes is one byte more than it may";
    expect_problem(&wrong, "longer than 60");
    wrong.name = "two\nlines";
    expect_problem(&wrong, "printable");
    wrong.name = "\xC3\xA4";
    expect_problem(&wrong, "printable");
    wrong = good;
    wrong.answers = (ContenderAnswer)2;
    expect_problem(&wrong, "answers");
    wrong = good;
    wrong.gather_all = NULL;
    expect_problem(&wrong, "'gather_all'");
    wrong = good;
    wrong.create = NULL;
    expect_problem(&wrong, "'create'");
    char text[8] = "";
    assert_true(contender_problem(NULL, text, sizeof text));
    assert_string_equal(text, "terrane"); // cut off and terminated
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_builtin_contender_agrees_with_a_list),
        cmocka_unit_test(what_a_contender_leaves_out_is_done_with_the_rest),
        cmocka_unit_test(the_contender_of_the_examples_agrees_with_a_list),
        cmocka_unit_test(columns_that_shrink_and_grow_agree_with_a_list),
        cmocka_unit_test(problems_of_loaded_contenders_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
