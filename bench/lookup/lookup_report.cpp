#include "lookup_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace {

const char *const name_copy = "memcpy of the answer, pointers";

double median_figure(const LookupResult &result, Question question)
{
    const auto at = result.figures.find(question);
    return at == result.figures.end() || at->second.empty() ? std::nan("")
                                                            : spread_of(at->second).median;
}

// ---- tables ------------------------------------------------------------------------------------

const std::vector<Question> gathers = {Question::gather,         Question::gather_cold,
                                       Question::gather_frustum, Question::gather_visible,
                                       Question::iterate,        Question::ready};
const std::vector<Question> singles = {
    Question::find,      Question::miss,       Question::find_cold,
    Question::miss_cold, Question::neighbours, Question::build,
    Question::churn,     Question::worst_step, Question::bytes};

/// Three digits or more.
void print_cell(double figure)
{
    if (!std::isfinite(figure)) {
        std::printf(" %9s", "-");
    } else {
        std::printf(" %9.*f", figure < 1 ? 3 : figure < 10 ? 2 : figure < 100 ? 1 : 0, figure);
    }
}

bool has_any(const LookupResult &result, const std::vector<Question> &columns)
{
    return std::any_of(columns.begin(), columns.end(), [&](Question question) {
        return std::isfinite(median_figure(result, question));
    });
}

bool is_measured(const std::vector<LookupResult> &results, Question question)
{
    return std::any_of(results.begin(), results.end(), [&](const LookupResult &result) {
        return std::isfinite(median_figure(result, question));
    });
}

void print_head(const std::vector<Question> &columns)
{
    std::printf("\n  %-34s", "");
    for (Question question : columns) {
        std::printf(" %9s", question_info(question).heading);
    }
    std::printf("\n  %-34s", "");
    for (Question question : columns) {
        std::printf(" %9s", question_info(question).unit);
    }
}

void print_table(const std::vector<LookupResult> &results, std::vector<Question> columns)
{
    columns.erase(
        std::remove_if(columns.begin(), columns.end(),
                       [&](Question question) { return !is_measured(results, question); }),
        columns.end());
    if (columns.empty()) {
        return;
    }
    print_head(columns);
    const bool has_ratio = columns[0] == Question::gather;
    std::printf(has_ratio ? "   gather by baseline\n" : "\n");
    const double baseline = median_figure(results[0], columns[0]);
    for (const LookupResult &result : results) {
        if (!has_any(result, columns)) {
            continue;
        }
        std::printf("  %-34s", result.contender->name);
        for (Question question : columns) {
            print_cell(median_figure(result, question));
        }
        const double ratio = baseline / median_figure(result, columns[0]);
        if (has_ratio && std::isfinite(ratio)) {
            std::printf(&result == &results[0] ? "   baseline" : "   %.*f x", ratio < 10 ? 1 : 0,
                        ratio);
        }
        std::printf("\n");
    }
}

/// Reasons for missing figures, one line for each reason of a contender.
void print_reasons(const std::vector<LookupResult> &results)
{
    for (const LookupResult &result : results) {
        if (!result.why_out.empty()) {
            std::printf("  - %s: %s\n", result.contender->name, result.why_out.c_str());
            continue;
        }
        std::set<std::string> told;
        for (const auto &[question, remark] : result.remarks) {
            if (told.insert(remark).second) {
                std::printf("  - %s, %s: %s\n", result.contender->name,
                            question_info(question).name, remark.c_str());
            }
        }
    }
}

Entry make_entry(const World &world, const char *contender, Question question)
{
    Entry entry;
    entry.question = question_info(question).name;
    entry.world = world.name;
    entry.contender = contender;
    entry.unit = question_info(question).unit;
    entry.count = world.chunks.size();
    return entry;
}

// ---- pictures ----------------------------------------------------------------------------------

/// The number behind a text in a world's name: "ball R=16", "R=" gives 16. NaN where it is not
/// there.
double number_behind(const std::string &name, const std::string &text)
{
    const auto at = name.find(text);
    return at == std::string::npos ? std::nan("") : std::atof(name.c_str() + at + text.size());
}

/// One line for each contender over the worlds whose names begin with `prefix`, at the numbers
/// behind `text`.
Plot lines_of(const Report &report, Question question, const std::string &prefix,
              const std::string &text)
{
    Plot plot;
    plot.is_log_x = true;
    for (const Entry &entry : report.entries) {
        if (entry.question != question_info(question).name || entry.times.empty() ||
            entry.world.rfind(prefix, 0) != 0) {
            continue;
        }
        auto at = std::find_if(plot.series.begin(), plot.series.end(), [&](const Series &series) {
            return series.name == entry.contender;
        });
        if (at == plot.series.end()) {
            const bool is_ours = entry.contender.rfind("Terrane", 0) == 0;
            plot.series.push_back({entry.contender, {}, is_ours || entry.is_baseline});
            at = plot.series.end() - 1;
        }
        at->points.emplace_back(number_behind(entry.world, text), spread_of(entry.times).median);
    }
    for (Series &series : plot.series) {
        std::sort(series.points.begin(), series.points.end());
    }
    return plot;
}

void add_lines(Report &report, const char *file, Question question, const char *prefix,
               const char *text, const char *title, const char *x_label, const char *y_label)
{
    Plot plot = lines_of(report, question, prefix, text);
    const bool has_line =
        std::any_of(plot.series.begin(), plot.series.end(),
                    [](const Series &series) { return series.points.size() > 1; });
    if (!has_line) {
        return;
    }
    plot.file = file;
    plot.title = title;
    plot.x_label = x_label;
    plot.y_label = y_label;
    report.plots.push_back(std::move(plot));
}

} // namespace

void print_tables(const World &world, const std::vector<LookupResult> &results,
                  const std::vector<double> &copy_us)
{
    std::printf("\n%s, %zu chunks\n", world.name.c_str(), world.chunks.size());
    print_table(results, gathers);
    if (!copy_us.empty() && is_measured(results, Question::gather)) {
        std::printf("  %-34s", name_copy);
        print_cell(spread_of(copy_us).median);
        std::printf("\n");
    }
    print_table(results, singles);
    print_reasons(results);
}

void print_check(const World &world, const std::vector<LookupResult> &results)
{
    std::size_t right = 0;
    for (const LookupResult &result : results) {
        right += result.right_answers > 0 && result.why_out.empty();
    }
    std::printf("%s, %zu chunks: %zu contenders gave right answers to all they were asked.\n",
                world.name.c_str(), world.chunks.size(), right);
    print_reasons(results);
}

void add_entries(Report &report, const World &world, const std::vector<LookupResult> &results,
                 const std::vector<double> &copy_us)
{
    for (int i = 0; i < question_count; i++) {
        const Question question = question_at(i);
        for (const LookupResult &result : results) {
            const auto figures = result.figures.find(question);
            const auto remark = result.remarks.find(question);
            Entry entry = make_entry(world, result.contender->name, question);
            entry.is_baseline = &result == &results[0];
            entry.times = figures == result.figures.end() ? std::vector<double>{} : figures->second;
            entry.remark = remark == result.remarks.end() ? result.why_out : remark->second;
            if (!entry.times.empty() || !entry.remark.empty()) {
                report.entries.push_back(std::move(entry));
            }
        }
        if (question == Question::gather && !copy_us.empty() && is_measured(results, question)) {
            Entry floor = make_entry(world, name_copy, question);
            floor.is_floor = true;
            floor.times = copy_us;
            report.entries.push_back(std::move(floor));
        }
    }
}

void add_plots(Report &report)
{
    add_lines(report, "lookup_gather", Question::gather, "ball",
              "R=", "Gathering all chunks of a box around a loaded ball", "radius R in chunks",
              "microseconds");
    add_lines(report, "lookup_gather_flattened", Question::gather, "flattened",
              "R=", "Gathering all chunks of a box around a loaded ball, flattened to a quarter",
              "radius R in chunks", "microseconds");
    add_lines(report, "lookup_memory_random", Question::bytes, "random fill", "fill ",
              "Memory of a box filled at random", "per cent filled", "bytes per chunk");
    add_lines(report, "lookup_memory_clustered", Question::bytes, "clustered fill", "fill ",
              "Memory of a box filled in clusters", "per cent filled", "bytes per chunk");
    add_lines(report, "lookup_gather_random", Question::gather, "random fill", "fill ",
              "Gathering a box filled at random", "per cent filled", "microseconds");
    add_lines(report, "lookup_gather_clustered", Question::gather, "clustered fill", "fill ",
              "Gathering a box filled in clusters", "per cent filled", "microseconds");
    const std::vector<std::pair<Question, const char *>> bars = {
        {Question::worst_step, "lookup_worst_step"},
        {Question::find, "lookup_find"},
        {Question::churn, "lookup_churn"},
    };
    for (const auto &[question, file] : bars) {
        Plot plot = bars_of(report, question_info(question).name, file);
        plot.y_label = question_info(question).unit;
        report.plots.push_back(std::move(plot));
    }
}
