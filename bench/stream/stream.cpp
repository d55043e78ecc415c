#include "stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "driver/command_line.hpp"
#include "driver/output_file.hpp"
#include "driver/report.hpp"
#include "stream_flight.hpp"
#include "stream_parts.hpp"
#include "stream_rows.hpp"
#include "stream_scenes.hpp"

namespace {

const char *const question_cold = "cold start";
const char *const question_cold_own = "cold start, processor time of all threads";
const char *const question_ground = "ground under the player";
const char *const question_update = "update, calling thread";
const char *const question_own = "update, its own processor time";
const char *const question_steps = "chunks a second, step time";
const char *const question_hour = "an hour, each minute's most";
const char *const in_real_time = "Terrane, 60 updates a second";
const char *const in_step_time = "Terrane, one update after the other";
const char *const by_both_cores = "Terrane, the calling thread works too";
const char *const by_default = "Terrane, 60 updates a second";
const double mib = 1024.0 * 1024.0;

Report make_report()
{
    Report report;
    report.topic = "stream";
    report.question = "Stream: what does a world that follows its players cost them?";
    report.baseline = "if the row has one; all others are held against targets";
    report.unit = "the unit of each question";
    report.unit_symbol = "us";
    report.counted = "chunks";
    report.decimals = 1;
    return report;
}

// ---- cold starts -------------------------------------------------------------------------------

struct ColdPlan {
    const char *world;
    std::uint32_t radius, height;
    std::size_t bytes_max;
    bool alone;
    double at_most_ms;
    bool is_quick;
};

const ColdPlan cold_plans[] = {
    {"flattened R=16", 16, 4, std::size_t{128} << 20, false, 1000, true},
    {"flattened R=16", 16, 4, std::size_t{128} << 20, true, 1600, true},
    {"flattened R=32", 32, 8, std::size_t{640} << 20, false, told, false},
    {"flattened R=32", 32, 8, std::size_t{640} << 20, true, 7000, false},
};

void add_cold_targets(Report &report, const ColdPlan &plan, const Entry &all, const Entry &ground,
                      const ColdStart &last)
{
    const std::string how = std::string(": ") + all.contender;
    add_target(report, plan.world, "every chunk made and meshed" + how, spread_of(all.times).median,
               "ms", plan.at_most_ms);
    add_target(report, plan.world, "ground under the player" + how, spread_of(ground.times).median,
               "ms", 50);
    add_target(report, plan.world, "accounted at most" + how, last.bytes_peak / mib, "MiB",
               static_cast<double>(plan.bytes_max) / mib);
    const char *const parts[4] = {"store", "meshes", "stream", "hooks"};
    for (int part = 0; part < 4; part++) {
        add_target(report, plan.world, std::string("accounted: ") + parts[part] + how,
                   last.parts_bytes[part] / mib, "MiB", told);
    }
    add_target(report, plan.world, "resident" + how, last.rss_bytes / mib, "MiB",
               static_cast<double>(plan.bytes_max) / mib + 16);
}

/// How many chunks were shown after 10 ms, 20 ms, 50 ms and so on.
std::vector<std::pair<double, double>> shown_by(const ColdStart &cold)
{
    std::vector<std::pair<double, double>> points;
    for (double ms : {10., 20., 50., 100., 200., 500., 1000., 2000., 5000., 10000.}) {
        double shown = 0;
        for (const auto &[at, count] : cold.shown) {
            shown = at <= ms ? count : shown;
        }
        points.emplace_back(ms, shown);
        if (ms >= cold.all_ms) {
            break;
        }
    }
    return points;
}

void measure_cold(const ColdPlan &plan, bool is_quick, Report &report, Plot &plot)
{
    const char *const contender = plan.alone ? by_default : by_both_cores;
    Entry all = entry_of(question_cold, plan.world, contender, "ms");
    Entry ground = entry_of(question_ground, plan.world, contender, "ms");
    Entry own = entry_of(question_cold_own, plan.world, contender, "ms");
    ColdStart cold;
    for (int i = 0; i < (is_quick ? 3 : 5); i++) {
        cold = start_cold(plan.radius, plan.height, plan.bytes_max, plan.alone);
        if (!cold.problem.empty()) {
            all.remark = ground.remark = own.remark = cold.problem;
            break;
        }
        all.count = ground.count = own.count = cold.chunks;
        all.times.push_back(cold.all_ms);
        ground.times.push_back(cold.ground_ms);
        own.times.push_back(cold.cpu_ms);
    }
    report.entries.push_back(all);
    report.entries.push_back(own);
    report.entries.push_back(ground);
    if (cold.problem.empty()) {
        add_cold_targets(report, plan, all, ground, cold);
        plot.series.push_back(
            {std::string(plan.world) + ", " + (plan.alone ? "by default" : "caller works too"),
             shown_by(cold), false});
    }
}

// ---- flights -----------------------------------------------------------------------------------

std::vector<double> column(const FlightFigures &figures, double FlightUpdate::*which)
{
    std::vector<double> values;
    for (const FlightUpdate &update : figures.updates) {
        values.push_back(update.*which);
    }
    return values;
}

double sum_of(const std::vector<double> &values)
{
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum;
}

double most_of(const std::vector<double> &values)
{
    return *std::max_element(values.begin(), values.end());
}

void add_update_targets(Report &report, const FlightPlan &plan, const FlightFigures &figures)
{
    const std::vector<double> us = column(figures, &FlightUpdate::us);
    const std::vector<double> own = column(figures, &FlightUpdate::cpu_us);
    const bool is_held = plan.is_demanding;
    add_target(report, plan.name, "update p50", quantile(us, 0.5) / 1e3, "ms",
               is_held ? 0.1 : told);
    add_target(report, plan.name, "update p99", quantile(us, 0.99) / 1e3, "ms", told);
    add_target(report, plan.name, "update p99.9", quantile(us, 0.999) / 1e3, "ms",
               is_held ? 1 : told);
    add_target(report, plan.name, "update p99.9, its own processor time",
               quantile(own, 0.999) / 1e3, "ms", told);
}

/// How long a player had to wait for ground: after a teleport, or because it came late.
double longest_fall_ms(const FlightFigures &figures)
{
    double longest = 0, begun = -1;
    for (const FlightUpdate &update : figures.updates) {
        begun = update.has_ground > 0 ? -1 : begun < 0 ? update.seconds : begun;
        longest = begun < 0 ? longest : std::max(longest, update.seconds - begun + 1.0 / 60);
    }
    return longest * 1e3;
}

void add_flight_targets(Report &report, const FlightPlan &plan, const FlightFigures &figures,
                        Pace pace)
{
    const std::string how = pace == Pace::real ? "" : ", step time";
    const bool is_held = plan.speed == 64; // blocks/s; also where the view is what fits
    add_target(report, plan.name, "chunks missing ahead, at most" + how,
               most_of(column(figures, &FlightUpdate::missing)), "", is_held ? 0 : told);
    add_target(report, plan.name, "accounted at most" + how, figures.bytes_peak / mib, "MiB",
               figures.bytes_max / mib);
    add_target(report, plan.name, "resident at most" + how,
               most_of(column(figures, &FlightUpdate::rss_bytes)) / mib, "MiB",
               figures.bytes_max / mib + 16);
    add_target(report, plan.name, "rings left of the view" + how, figures.rings, "", told);
    if (figures.edits > 0 && pace == Pace::real) {
        add_target(report, plan.name, "edit meshed, p99", figures.edit_p99_us / 1e3, "ms", 5);
        add_target(report, plan.name, "edit meshed, slowest", figures.edit_most_us / 1e3, "ms",
                   told);
    }
    if (pace == Pace::real) {
        add_target(report, plan.name, "without ground, longest", longest_fall_ms(figures), "ms",
                   told);
    }
    add_target(report, plan.name, "shutdown in mid-flight" + how, figures.end_ms, "ms", 100);
}

void add_real_entries(Report &report, const FlightPlan &plan, const FlightFigures &figures)
{
    const auto count = static_cast<std::size_t>(sum_of(column(figures, &FlightUpdate::inserted)));
    Entry entry = entry_of(question_update, plan.name, in_real_time, "us");
    Entry own = entry_of(question_own, plan.name, in_real_time, "us");
    entry.times = column(figures, &FlightUpdate::us);
    own.times = column(figures, &FlightUpdate::cpu_us);
    entry.count = own.count = count;
    report.entries.push_back(entry);
    report.entries.push_back(own);
}

void add_step_entry(Report &report, const FlightPlan &plan, const FlightFigures &figures)
{
    const double count = sum_of(column(figures, &FlightUpdate::inserted));
    Entry entry = entry_of(question_steps, plan.name, in_step_time, "1/s");
    entry.count = static_cast<std::size_t>(count);
    entry.times = {count / figures.seconds};
    report.entries.push_back(entry);
}

// ---- every update ------------------------------------------------------------------------------

void write_updates(std::FILE *file, const FlightPlan &plan, Pace pace, const FlightFigures &figures)
{
    for (const FlightUpdate &u : figures.updates) {
        std::fprintf(file, "\"%s\",%s,%.4f,%.1f,%.1f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n",
                     plan.name, pace == Pace::real ? "real" : "step", u.seconds, u.us, u.cpu_us,
                     u.wanted, u.inserted, u.uploaded, u.unloaded, u.missing, u.has_ground, u.bytes,
                     u.rss_bytes);
    }
}

struct Pictures {
    Plot cold = {"stream_cold", "Cold starts", "ms", "chunks shown", true, false, {}, {}};
    Plot updates = {"stream_updates",
                    "Updates while flying",
                    "one update in so many takes longer",
                    "us on the calling thread",
                    true,
                    true,
                    {},
                    {}};
    Plot memory = {
        "stream_memory", "Memory while flying", "s", "MiB accounted", false, false, {}, {}};
    Plot hour = {"stream_hour",
                 "An hour in circles: each minute's most",
                 "minutes",
                 "MiB",
                 false,
                 false,
                 {},
                 {}};
};

void draw_flight(Pictures &pictures, const FlightPlan &plan, const FlightFigures &figures)
{
    // Few points: each has its mark on the axis.
    const std::vector<double> us = column(figures, &FlightUpdate::us);
    Series times = {plan.name, {}, plan.is_demanding}, bytes = {plan.name, {}, false};
    for (const double one_in : {1.25, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0}) {
        times.points.emplace_back(one_in, quantile(us, 1 - 1 / one_in));
    }
    const std::size_t every = figures.updates.size() > 600 ? 300 : 30;
    for (std::size_t i = 0; i < figures.updates.size(); i += every) {
        const auto seconds = static_cast<double>(i) / 60;
        bytes.points.emplace_back(seconds, figures.updates[i].bytes / mib);
    }
    pictures.updates.series.push_back(times);
    pictures.memory.series.push_back(bytes);
}

/// Flies, and adds what came of it.
void measure_flight(const FlightPlan &plan, Pace pace, double seconds, Report &report,
                    Pictures &pictures, std::FILE *updates)
{
    std::fprintf(stderr, "stream: %s, %s\n", plan.name,
                 pace == Pace::real ? "real time" : "step time");
    const FlightFigures figures = fly(plan, pace, seconds);
    if (!figures.problem.empty()) {
        Entry entry = entry_of(pace == Pace::real ? question_update : question_steps, plan.name,
                               pace == Pace::real ? in_real_time : in_step_time, "us");
        entry.remark = figures.problem;
        report.entries.push_back(entry);
        return;
    }
    if (pace == Pace::real) {
        add_real_entries(report, plan, figures);
        add_update_targets(report, plan, figures);
        draw_flight(pictures, plan, figures);
    } else {
        add_step_entry(report, plan, figures);
    }
    add_flight_targets(report, plan, figures, pace);
    if (updates) {
        write_updates(updates, plan, pace, figures);
    }
}

// ---- an hour -----------------------------------------------------------------------------------

void measure_hour(Report &report, Plot &plot)
{
    std::fprintf(stderr, "stream: an hour in step time\n");
    const HourFigures hour = fly_an_hour(60);
    const char *const world = "circling, 64 blocks/s, R=16, digging";
    Entry entry = entry_of(question_hour, world, in_step_time, "MiB");
    entry.remark = hour.problem;
    Series bytes = {"accounted", {}, true}, resident = {"resident", {}, false};
    for (std::size_t i = 0; i < hour.bytes.size(); i++) {
        entry.times.push_back(hour.bytes[i] / mib);
        if (i == 0 || i % 5 == 4) {
            bytes.points.emplace_back(i + 1, hour.bytes[i] / mib);
            resident.points.emplace_back(i + 1, hour.rss_bytes[i] / mib);
        }
    }
    report.entries.push_back(entry);
    if (hour.bytes.size() < 2) {
        return;
    }
    plot.series = {bytes, resident};
    const double later = *std::max_element(hour.bytes.begin() + 1, hour.bytes.end());
    const double later_rss = *std::max_element(hour.rss_bytes.begin() + 1, hour.rss_bytes.end());
    add_target(report, world, "growth after the first of 60 minutes",
               100 * (later / hour.bytes[0] - 1), "%", 2);
    add_target(report, world, "growth of resident memory",
               100 * (later_rss / hour.rss_bytes[0] - 1), "%", told);
    add_target(report, world, "an hour took", hour.seconds, "s", told);
}

/// DIR/stream_every_update.csv; NULL where no folder was asked for, or it cannot be written, which
/// is said.
bool open_updates(const BenchOptions &options, OutputFile &file)
{
    if (options.plot_folder.empty()) {
        return true;
    }
    if (!file.open(options.plot_folder + "/stream_every_update.csv")) {
        return false;
    }
    std::fprintf(file.stream(), "flight,time,seconds,us,own_us,wanted,inserted,uploaded,unloaded,"
                                "missing_ahead,has_ground,accounted_bytes,resident_bytes\n");
    return true;
}

bool is_wanted(const BenchOptions &options, bool is_quick_part, const char *question,
               const char *world, const char *contender)
{
    return (is_quick_part || !options.quick) && options.wants(question, world, contender);
}

void measure_all(const BenchOptions &options, Report &report, Pictures &pictures,
                 std::FILE *updates)
{
    for (const ColdPlan &plan : cold_plans) {
        if (is_wanted(options, plan.is_quick, question_cold, plan.world,
                      plan.alone ? by_default : by_both_cores)) {
            std::fprintf(stderr, "stream: cold start, %s\n", plan.world);
            measure_cold(plan, options.quick, report, pictures.cold);
        }
    }
    for (const FlightPlan &plan : flight_plans()) {
        const double seconds = options.quick ? 2.5 : 60;
        if (is_wanted(options, plan.is_quick, question_update, plan.name, in_real_time)) {
            measure_flight(plan, Pace::real, seconds, report, pictures, updates);
        }
        if (is_wanted(options, false, question_steps, plan.name, in_step_time)) {
            measure_flight(plan, Pace::step, seconds, report, pictures, updates);
        }
    }
    if (is_wanted(options, false, question_hour, "circling", in_step_time)) {
        measure_hour(report, pictures.hour);
    }
    measure_hand_over(options, report);
    measure_crossings(options, report);
    measure_ideal(options, report);
    measure_slow_window(options, report);
    measure_many_workers(options, report);
}

bool scenes_agree()
{
    if (!hand_overs_agree()) {
        std::fprintf(stderr, "terrane-bench: with and without limits of time the stream loads or "
                             "meshes different worlds; no figures are shown.\n");
        return false;
    }
    if (!fills_agree()) {
        std::fprintf(stderr, "terrane-bench: the stream and plain loops load or mesh different "
                             "worlds; no figures are shown.\n");
        return false;
    }
    return true;
}

} // namespace

int bench_stream(const BenchOptions &options)
{
    if (!replays_agree() || !scenes_agree()) {
        return 1;
    }
    std::printf("Answers checked: all contenders agree, at any number of workers.\n");
    std::fflush(stdout);
    if (options.check) {
        return 0;
    }
    OutputFile updates;
    if (!open_updates(options, updates)) {
        return 1;
    }
    Report report = make_report();
    Pictures pictures;
    measure_all(options, report, pictures, updates.stream());
    if (report.entries.empty()) {
        return refuse("--filter leaves nothing to measure. It is looked for in \"question | world "
                      "| contender\", such as \"update | straight.*R=16 | 60 updates\".");
    }
    for (Plot *plot : {&pictures.cold, &pictures.updates, &pictures.memory, &pictures.hour}) {
        if (!plot->series.empty()) {
            report.plots.push_back(*plot);
        }
    }
    print_report(report);
    print_targets(report);
    const bool all = !updates.is_open() || updates.commit();
    return write_report(report, options) && all ? 0 : 1;
}
