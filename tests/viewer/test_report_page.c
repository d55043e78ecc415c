/// The report page about flights: its content, and places where it cannot be written.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <series/report_page.h>

static ReportFlight make_flight(void)
{
    ReportFlight flight = {.name = "a",
                           .title = "<in & \"out\">",
                           .land = "seed 1, preset <default>",
                           .view_distance = 7,
                           .view_height = 5,
                           .frames = 3,
                           .compared = 3,
                           .equal = 3,
                           .pictures = {0, 1, -1},
                           .has_plots = true};
    flight.series[SERIES_GATHER_INDEX] = (SeriesSummary){3, 2, 2, 2, 2, 2};
    flight.series[SERIES_GATHER_MAP] = (SeriesSummary){3, 25, 30, 30, 30, 31};
    return flight;
}

static void write_bytes(const Place *place, const char *name, const char *bytes, size_t count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/// @return the page; free it
static char *write_page(const Place *place, const ReportPage *page)
{
    char path[128];
    Message problem;
    if (!report_write_page(place->folder, page, &problem)) {
        fail_msg("%s", problem.text);
    }
    snprintf(path, sizeof path, "%s/" REPORT_PAGE_FILE, place->folder);
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "rb");
    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static int count_words(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) {
        count++;
    }
    return count;
}

static void a_page_holds_its_pictures_and_only_those_that_are_there(void **state)
{
    const Place *place = *state;
    // The examples of RFC 4648, and bytes that are not text.
    write_bytes(place, "a-0.png", "foobar", 6);
    write_bytes(place, "a-1.png", "foob", 4);
    write_bytes(place, "a-times.svg", "fooba", 5);
    write_bytes(place, "a-chunks.svg", "\xff\x00\xfe", 3);
    const ReportFlight flight = make_flight();
    const ReportPage page = {
        .flights = &flight, .count = 1, .machine = report_machine(), .width = 64, .height = 32};
    char *text = write_page(place, &page);
    assert_non_null(strstr(text, "data:image/png;base64,Zm9vYmFy\""));
    assert_non_null(strstr(text, "data:image/png;base64,Zm9vYg==\""));
    assert_non_null(strstr(text, "data:image/svg+xml;base64,Zm9vYmE=\""));
    assert_non_null(strstr(text, "data:image/svg+xml;base64,/wD+\""));
    assert_int_equal(count_words(text, "<img "), 4);
    assert_non_null(strstr(text, "12.5")); // times as long as Terrane
    free(text);
}

static void a_page_compares_with_the_best_map_and_marks_small_views(void **state)
{
    const Place *place = *state;
    ReportFlight flight = make_flight();
    flight.series[SERIES_GATHER_FLAT_MAP] = (SeriesSummary){3, 19, 19, 19, 19, 19};
    flight.series[SERIES_GATHER_FLAT_MAP_FILTERED] = (SeriesSummary){3, 7, 8, 8, 8, 8};
    flight.series[SERIES_GATHERED] = (SeriesSummary){3, 500, 500, 500, 500, 500};
    const ReportPage page = {.flights = &flight, .count = 1};
    char *text = write_page(place, &page);
    assert_non_null(strstr(text, "<td class=\"ratio\">3.5</td><td>12.5</td>"));
    free(text);
    flight.series[SERIES_GATHERED].p50 = 499;
    text = write_page(place, &page);
    assert_non_null(strstr(text, "<td class=\"ratio\">3.5*</td><td>12.5</td>"));
    free(text);
}

static void what_people_wrote_is_text_and_no_markup(void **state)
{
    const Place *place = *state;
    const ReportFlight flight = make_flight();
    ReportPage page = {.flights = &flight, .count = 1, .no_plots = "a < b"};
    strcpy(page.machine.driver, "<script>\x01&");
    char *text = write_page(place, &page);
    assert_null(strstr(text, "<script>"));
    assert_null(strstr(text, "<default>"));
    assert_null(strchr(text, '\x01'));
    assert_non_null(strstr(text, "&lt;script&gt;&amp;<"));
    assert_non_null(strstr(text, "&lt;in &amp; &quot;out&quot;&gt;"));
    assert_non_null(strstr(text, "There are no plots: a &lt; b"));
    assert_int_equal(count_words(text, "<tr>"), count_words(text, "</tr>"));
    free(text);
}

static void answers_that_differ_stand_out(void **state)
{
    const Place *place = *state;
    ReportFlight flight = make_flight();
    flight.equal = 2;
    const ReportPage page = {.flights = &flight, .count = 1};
    char *text = write_page(place, &page);
    assert_non_null(strstr(text, "class=\"bad\">2 of 3"));
    free(text);
}

static void a_script_draws_what_was_measured_and_nothing_else(void **state)
{
    Place *place = *state;
    const ReportFlight flight = make_flight();
    Message problem;
    char command[128];
    assert_true(report_write_script(place->folder, &flight, &problem));
    snprintf(command, sizeof command, "cat '%s/a.gnuplot'", place->folder);
    assert_int_equal(place_run(place, command), 0);
    assert_non_null(strstr(place->text, "column('gather_map_us')"));
    assert_null(strstr(place->text, "column('gather_flat_map_us')"));
    assert_null(strstr(place->text, "a-times.svg'\nset title 'Times of each frame'\nplot"));
}

static void a_folder_that_takes_no_page_is_named(void **state)
{
    (void)state;
    const ReportFlight flight = make_flight();
    const ReportPage page = {.flights = &flight, .count = 1};
    static const char *const folders[] = {"/tmp/no/such/folder", "/proc"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        Message problem = {""};
        assert_false(report_write_page(folders[i], &page, &problem));
        assert_non_null(strstr(problem.text, folders[i]));
        assert_false(report_write_script(folders[i], &flight, &problem));
        assert_non_null(strstr(problem.text, folders[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_holds_its_pictures_and_only_those_that_are_there),
        cmocka_unit_test(a_page_compares_with_the_best_map_and_marks_small_views),
        cmocka_unit_test(what_people_wrote_is_text_and_no_markup),
        cmocka_unit_test(answers_that_differ_stand_out),
        cmocka_unit_test(a_script_draws_what_was_measured_and_nothing_else),
        cmocka_unit_test(a_folder_that_takes_no_page_is_named),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
