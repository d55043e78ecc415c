// Plots of the bench: CSV files are written with or without gnuplot, and errors are reported.
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "folder.hpp"

extern "C" {
#include <cmocka.h>
}

#include <sys/stat.h>
#include <unistd.h>

#include "driver/plot.hpp"

namespace {

/// Changes PATH while it exists.
class Path {
  public:
    explicit Path(const std::string &path) : before(now())
    {
        setenv("PATH", path.c_str(), 1);
    }
    ~Path()
    {
        setenv("PATH", before.c_str(), 1);
    }
    Path(const Path &) = delete;
    Path &operator=(const Path &) = delete;

    static std::string now()
    {
        const char *path = getenv("PATH");
        return path ? path : "";
    }

  private:
    std::string before;
};

bool exists(const std::string &path)
{
    return access(path.c_str(), F_OK) == 0;
}

Plot make_lines()
{
    Plot plot;
    plot.file = "lines";
    plot.title = "A \"title\" with `quotes` and \\";
    plot.x_label = "radius";
    plot.y_label = "us";
    plot.is_log_x = true;
    plot.series = {{"one", {{8, 1.5}, {16, 3}}}, {"two", {{8, 2}, {16, NAN}}}};
    return plot;
}

Plot make_bars()
{
    Plot plot;
    plot.file = "bars";
    plot.y_label = "ns";
    plot.groups = {"small", "large"};
    plot.series = {{"one", {{0, 1.5}, {1, 3}}}, {"two", {{1, 2}}}};
    return plot;
}

void figures_are_written_without_gnuplot(void **)
{
    const Folder folder;
    const Path no_gnuplot(folder.path);
    assert_false(write_plots({make_lines(), make_bars()}, folder.path));
    assert_string_equal(content_of(folder.path + "/lines.csv").c_str(),
                        "series,\"radius\",\"us\"\n\"one\",8.000000,1.5\n\"one\",16.000000,3\n"
                        "\"two\",8.000000,2\n");
    assert_string_equal(content_of(folder.path + "/bars.csv").c_str(),
                        "series,\"world\",\"ns\"\n\"one\",\"small\",1.5\n\"one\",\"large\",3\n"
                        "\"two\",\"large\",2\n");
    assert_false(exists(folder.path + "/lines.svg") || exists(folder.path + "/lines.png"));
}

void pictures_are_drawn_with_gnuplot(void **)
{
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        skip();
    }
    const Folder folder;
    assert_true(write_plots({make_lines(), make_bars()}, folder.path));
    for (const char *name : {"/lines", "/bars"}) {
        const std::string svg = content_of(folder.path + name + ".svg");
        assert_true(svg.find("</svg>") != std::string::npos);
        assert_true(svg.find("one") != std::string::npos); // the key names the series
        assert_memory_equal(content_of(folder.path + name + ".png").c_str(), "\x89PNG", 4);
    }
}

/// gnuplot ends well on a full disk.
void half_a_picture_is_none(void **)
{
    const Folder folder, programs;
    const std::string gnuplot = programs.path + "/gnuplot", svg = folder.path + "/lines.svg";
    std::ofstream(gnuplot) << "#!/bin/sh\ncat >/dev/null\ncd '" << folder.path
                           << "' && echo '<svg>' | tee .terrane-tmp-* >/dev/null\n";
    assert_int_equal(chmod(gnuplot.c_str(), 0700), 0);
    std::ofstream(svg) << "old";
    {
        const Path first(programs.path + ":" + Path::now());
        assert_false(write_plots({make_lines()}, folder.path));
    }
    assert_string_equal(content_of(svg).c_str(), "old");
    assert_int_equal(folder.files(), 2); // and the figures
    assert_int_equal(unlink(gnuplot.c_str()), 0);
}

void plots_without_points_are_left_out(void **)
{
    const Folder folder;
    Plot empty;
    empty.file = "empty";
    empty.series = {{"one", {}}};
    assert_true(write_plots({empty}, folder.path));
    assert_false(exists(folder.path + "/empty.csv"));
}

/// A trace's name is a path and may contain anything.
void a_name_of_two_lines_stays_in_its_quotes(void **)
{
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        skip();
    }
    const Folder folder;
    Plot plot = make_bars();
    plot.groups[0] = "small\nEND\nset print '" + folder.path + "/broken_out'; print 1\n";
    assert_true(write_plots({plot}, folder.path));
    assert_false(exists(folder.path + "/broken_out"));
}

void folders_are_made_or_refused(void **)
{
    const Folder folder;
    assert_true(make_plot_folder(folder.path)); // exists already
    assert_true(make_plot_folder(folder.path + "/new") && exists(folder.path + "/new"));
    assert_false(make_plot_folder(folder.path + "/no/parent"));
    std::ofstream(folder.path + "/file") << "text";
    assert_false(make_plot_folder(folder.path + "/file"));
    // Refused before anything is timed.
    assert_false(make_plot_folder(folder.path + "/\"quoted\""));
    assert_false(make_plot_folder(folder.path + "/two\nlines"));
    assert_false(exists(folder.path + "/\"quoted\""));
    assert_false(write_plots({make_lines()}, folder.path + "/missing"));
}

} // namespace

int main()
{
    std::signal(SIGPIPE, SIG_IGN);
    const CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_written_without_gnuplot),
        cmocka_unit_test(pictures_are_drawn_with_gnuplot),
        cmocka_unit_test(half_a_picture_is_none),
        cmocka_unit_test(plots_without_points_are_left_out),
        cmocka_unit_test(a_name_of_two_lines_stays_in_its_quotes),
        cmocka_unit_test(folders_are_made_or_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
