// What contenders of terrane-bench say of their limits, and the defaults of those that leave
// functions out.

#include "contender_named.h"

// ---- tests -------------------------------------------------------------------------------------

static void the_baseline_comes_first_and_names_are_unique(void **state)
{
    (void)state;
    size_t count;
    const Contender *const *all = contenders_builtin(&count);
    assert_string_equal(all[0]->name, "std::unordered_map, probed");
    assert_true(count >= 16);
    for (size_t i = 0; i < count; i++) {
        char problem[128];
        assert_false(contender_problem(all[i], problem, sizeof problem));
        assert_ptr_equal(contender_named(all[i]->name), all[i]);
    }
}

static void peers_are_either_there_or_missing(void **state)
{
    (void)state;
    const char *const packages[] = {"libboost", "libabsl-dev", "robin-map-dev", "uthash-dev"};
    const char *const names[] = {"boost", "absl", "tsl", "uthash"};
    size_t count;
    const Contender *const *all = contenders_builtin(&count);
    for (size_t p = 0; p < 4; p++) {
        bool is_there = false;
        for (size_t i = 0; i < count; i++) {
            is_there = is_there || strncmp(all[i]->name, names[p], strlen(names[p])) == 0;
        }
        assert_int_equal(is_there, strstr(contenders_missing(), packages[p]) == NULL);
    }
}

/// Inserts two chunks far apart. @param text  receives the explanation
/// @return how many were inserted
static size_t insert_two(const Contender *contender, TrnCoord first, TrnCoord second, char *text,
                         size_t size)
{
    static ContenderChunk chunks[2];
    chunks[0] = (ContenderChunk){.coord = first, .number = 0};
    chunks[1] = (ContenderChunk){.coord = second, .number = 1};
    const ContenderEntry both[2] = {{first, 0, &chunks[0]}, {second, 1, &chunks[1]}};
    const ContenderWorld world = {chunks, 2, trn_box_everything(), NULL, NULL};
    void *self = contender->create(&world);
    assert_non_null(self);
    const size_t taken = contender->insert(self, both, 2);
    contender_explain(contender, &world, self, text, size);
    contender->destroy(self);
    return taken;
}

static void arrays_over_a_box_say_what_it_would_take(void **state)
{
    (void)state;
    const char *const names[] = {"flat array, per cell", "flat array, rows",
                                 "flat array, occupancy runs", "bricked array, 4^3",
                                 "toroidal array, numbers"};
    char text[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        // These two differ only in the highest bit.
        const TrnCoord ends[2] = {{INT32_MIN, INT32_MIN, INT32_MIN}, {0, 0, 0}};
        assert_int_equal(insert_two(contender_named(names[i]), ends[0], ends[1], text, sizeof text),
                         1);
        assert_non_null(strstr(text, "its box would take "));
        assert_non_null(strstr(text, " GB; the limit is 1 GiB"));
    }
    const TrnCoord here = {0, 0, 0}, there = {1 << 13, 1 << 11, 1 << 9};
    assert_int_equal(
        insert_two(contender_named("flat array, rows"), here, there, text, sizeof text), 1);
    assert_string_equal(text, "its box would take 550 GB; the limit is 1 GiB"); // 2^(14+12+10+3)
    const TrnCoord far = {0, INT32_MAX, 0};
    assert_int_equal(insert_two(contender_named("array of arrays"), here, far, text, sizeof text),
                     1);
    assert_non_null(strstr(text, "the limit is 1 GiB"));
}

static void columns_say_what_they_would_take(void **state)
{
    (void)state;
    const Contender *columns = contender_named("2D array of columns");
    const TrnCoord here = {0, 0, 0}, wide = {1 << 13, 0, 1 << 11}, high = {0, 1 << 16, 0};
    const TrnCoord deep = {0, 1 - (1 << 16), 0};
    char text[128];
    assert_int_equal(insert_two(columns, here, wide, text, sizeof text), 1);
    assert_string_equal(text,
                        "its columns would take 1.07 GB; the limit is 128 MiB"); // 2^(14+12+4)
    assert_int_equal(insert_two(columns, here, high, text, sizeof text), 1);
    assert_string_equal(text, "its columns are at most 65,536 high");
    assert_int_equal(insert_two(columns, here, deep, text, sizeof text), 2);
}

static void packed_keys_say_which_coordinate_does_not_fit(void **state)
{
    (void)state;
    const TrnCoord fits = {-1048576, 1048575, 0}, does_not = {0, 1048576, -7};
    char text[128];
    assert_int_equal(
        insert_two(contender_named("sorted Morton array"), fits, does_not, text, sizeof text), 1);
    assert_string_equal(text, "(0, 1048576, -7) does not fit in 21 bits an axis");
    size_t count;
    const Contender *const *all = contenders_builtin(&count);
    for (size_t i = 0; i < count; i++) {
        if (strstr(all[i]->name, "packed")) {
            assert_int_equal(insert_two(all[i], fits, does_not, text, sizeof text), 1);
            assert_string_equal(text, "(0, 1048576, -7) does not fit in 21 bits an axis");
        }
    }
}

/// Chunks move along x much farther than a flat array could span.
static void a_long_walk_does_not_fill_an_array(void **state)
{
    (void)state;
    // Without the spatial array: it would write all cells of its largest box, one GiB.
    const char *const names[] = {"flat array, occupancy runs", "bricked array, 4^3",
                                 "toroidal array, numbers", "array of arrays"};
    enum { WIDTH = 40, STEP = 997 };
    static ContenderChunk chunks[WIDTH];
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const Contender *contender = contender_named(names[n]);
        const ContenderWorld world = {chunks, WIDTH, trn_box_everything(), NULL, NULL};
        void *self = contender->create(&world);
        assert_non_null(self);
        for (int32_t step = 0; step < 4000; step++) {
            ContenderChunk *chunk = &chunks[step % WIDTH];
            if (step >= WIDTH) {
                contender->remove(self, &chunk->coord, 1);
            }
            // y and z make the box around all steps a thousand rows of four million.
            *chunk = (ContenderChunk){.coord = {step * STEP, step % 32, step * 5 % 32},
                                      .number = (uint32_t)(step % WIDTH)};
            const ContenderEntry one = {chunk->coord, chunk->number, chunk};
            assert_int_equal(contender->insert(self, &one, 1), 1);
        }
        assert_int_equal(contender->gather_all(self, NULL, 0), WIDTH);
        contender->destroy(self);
    }
}

static void explain_nothing(const void *self, char *text, size_t size)
{
    (void)self;
    memset(text, 'x', size);
}

static void defaults_explain_and_count_nothing(void **state)
{
    (void)state;
    Contender left = bare(contender_named("std::map"));
    left.explain = NULL;
    char text[32];
    contender_explain(&left, NULL, NULL, text, sizeof text);
    assert_string_equal(text, "it refused");
    assert_int_equal(contender_other_bytes(&left, NULL, NULL), 0);
    left.explain = explain_nothing;
    contender_explain(&left, NULL, NULL, text, sizeof text);
    assert_int_equal(strlen(text), sizeof text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_baseline_comes_first_and_names_are_unique),
        cmocka_unit_test(peers_are_either_there_or_missing),
        cmocka_unit_test(arrays_over_a_box_say_what_it_would_take),
        cmocka_unit_test(columns_say_what_they_would_take),
        cmocka_unit_test(packed_keys_say_which_coordinate_does_not_fit),
        cmocka_unit_test(a_long_walk_does_not_fill_an_array),
        cmocka_unit_test(defaults_explain_and_count_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
