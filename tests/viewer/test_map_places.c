/// Named places: their names, and their text in the world file, whole and damaged.
#include "testing.h"

#include <map/places.h>
#include <terrane/coord.h>

static void assert_cleaned(const char *typed, const char *name)
{
    char cleaned[PLACES_NAME_MAX + 1];
    assert_true(places_clean_name(typed, cleaned));
    assert_string_equal(cleaned, name);
}

static void names_are_text_that_a_line_can_hold(void **state)
{
    (void)state;
    char cleaned[PLACES_NAME_MAX + 1];
    assert_cleaned("home", "home");
    assert_cleaned("  the  old mill ", "the  old mill");
    assert_cleaned("a\tb\nc\x7F", "abc");
    assert_cleaned("\xF0\x9F\x8F\xA0 home", "\xF0\x9F\x8F\xA0 home");       // a house
    assert_cleaned("\xC3\xBC\xC2\x9B\xE2\x82\xAC", "\xC3\xBC\xE2\x82\xAC"); // a control character
    assert_cleaned("\xFF\xC3(\xE2\x82\xED\xA0\x80\xC0\xAF\xF4\x90\x80\x80", "("); // no UTF-8
    assert_false(places_clean_name("", cleaned));
    assert_false(places_clean_name(" \t\n ", cleaned));
    assert_false(places_clean_name("\xF0\x9F\x8F", cleaned));
}

static void long_names_are_cut_between_characters(void **state)
{
    (void)state;
    char typed[200], cleaned[PLACES_NAME_MAX + 1];
    memset(typed, 'x', sizeof typed);
    typed[64] = '\0';
    assert_cleaned(typed, typed);
    typed[64] = 'y';
    typed[65] = '\0';
    assert_true(places_clean_name(typed, cleaned));
    assert_int_equal(strlen(cleaned), 64);
    memcpy(typed + 62, "\xF0\x9F\x8F\xA0", 5);
    assert_true(places_clean_name(typed, cleaned));
    assert_int_equal(strlen(cleaned), 62);
}

static void the_list_has_an_end(void **state)
{
    (void)state;
    static Places places;
    const double voxel[3] = {1, 2, 3};
    char name[PLACES_NAME_MAX + 1];
    for (int i = 0; i < PLACES_MAX; i++) {
        places_free_name(&places, name);
        assert_true(places_add(&places, name, voxel));
    }
    assert_string_equal(name, "Place 256");
    assert_false(places_add(&places, "more", voxel));
    places_remove(&places, 0);
    assert_string_equal(places.at[0].name, "Place 2");
    places_remove(&places, PLACES_MAX);
    assert_int_equal(places.count, PLACES_MAX - 1);
    assert_true(places_rename(&places, 0, "first"));
    assert_false(places_rename(&places, 0, " "));
    assert_false(places_rename(&places, PLACES_MAX, "none"));
    assert_string_equal(places.at[0].name, "first");
}

/// Makes a list as long and as wide as can be.
static void fill(Places *places)
{
    char name[PLACES_NAME_MAX + 1];
    places->count = 0;
    for (int i = 0; i < PLACES_MAX; i++) {
        const double end = i % 2 ? (double)TRN_VOXEL_MAX : (double)TRN_VOXEL_MIN;
        memset(name, 'a' + i % 26, sizeof name - 1);
        name[PLACES_NAME_MAX] = '\0';
        assert_true(places_add(places, name, (const double[3]){end, i * 0.25, end}));
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    static Places places, again;
    static char text[PLACES_TEXT_BYTES];
    assert_true(places_read(&again, "", 0));
    assert_true(places_read(&again, text, places_write(&again, text)));
    assert_int_equal(again.count, 0);
    fill(&places);
    const size_t size = places_write(&places, text);
    assert_in_range(size, 1, sizeof text - 1);
    assert_true(places_read(&again, text, size));
    assert_int_equal(again.count, places.count);
    for (size_t i = 0; i < places.count; i++) {
        assert_string_equal(again.at[i].name, places.at[i].name);
        assert_memory_equal(again.at[i].voxel, places.at[i].voxel, sizeof again.at[i].voxel);
    }
}

#define HEAD "terrane-places 1\n"
#define GOOD "1.50 64.00 -2.25 home\n"

static void damaged_lines_are_left_out(void **state)
{
    (void)state;
    static Places places;
    static const char *const bad[] = {
        "1 2 home\n",
        "1 2 3\n",
        "1 2 3 \n",
        "nan 2 3 home\n",
        "1 inf 3 home\n",
        "1e300 2 3 home\n",
        "home 1 2 3\n",
        "\n",
        "1 2 3 a\tb\n",
        "1 2 3 home \n",
        "1 2 3 \xFF\n",
        "9999999999999999999999999999 2 3 far\n",
        "1 2 3 half of a line",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, HEAD GOOD "%s", bad[i]);
        const bool is_cut = bad[i][strlen(bad[i]) - 1] != '\n';
        assert_false(places_read(&places, text, strlen(text)));
        assert_int_equal(places.count, is_cut ? 2 : 1);
        assert_string_equal(places.at[0].name, "home");
    }
    assert_false(
        places_read(&places, HEAD "1 2 3 a\0b\n" GOOD, sizeof HEAD "1 2 3 a\0b\n" GOOD - 1));
    assert_int_equal(places.count, 1);
    assert_false(places_read(&places, "terrane-places 2\n" GOOD, 40));
    assert_int_equal(places.count, 0);
}

/// Any cut, and any byte changed.
static void no_damage_is_worse_than_lost_places(void **state)
{
    (void)state;
    static Places places, again;
    static char text[PLACES_TEXT_BYTES], bad[PLACES_TEXT_BYTES];
    fill(&places);
    const size_t size = places_write(&places, text);
    for (size_t cut = 0; cut < size; cut += 7) {
        (void)places_read(&again, text, cut);
        assert_in_range(again.count, 0, PLACES_MAX);
    }
    for (size_t i = 0; i < size; i += 5) {
        memcpy(bad, text, size);
        bad[i] = (char)(bad[i] ^ (1 << i % 8));
        (void)places_read(&again, bad, size);
        assert_in_range(again.count, i < strlen(HEAD) ? 0 : PLACES_MAX - 2, PLACES_MAX);
        char name[PLACES_NAME_MAX + 1];
        for (size_t k = 0; k < again.count; k++) {
            assert_true(places_clean_name(again.at[k].name, name));
            assert_string_equal(name, again.at[k].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_text_that_a_line_can_hold),
        cmocka_unit_test(long_names_are_cut_between_characters),
        cmocka_unit_test(the_list_has_an_end),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(damaged_lines_are_left_out),
        cmocka_unit_test(no_damage_is_worse_than_lost_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
