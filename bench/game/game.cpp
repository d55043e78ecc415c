// Topic `game`: a frame of a small game, with containers that games use, with Terrane's store, and
// with Terrane's store, mesher and light. The contenders take turns; each sample plays the game
// from the start.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "driver/topic.hpp"
#include "game_play.hpp"
#include "topics.hpp"

namespace {

using game::PlayedAll;
using game::Setting;

const char *const world = "hills, 8 chunks to each side";

// ---- the questions -----------------------------------------------------------------------------

/// A row: its name, its unit, and the function that computes its figure.
struct Question {
    const char *name, *unit;
    double (*figure)(const PlayedAll &all, const Setting &setting);
};

template <game::Part part> double a_frame(const PlayedAll &all, const Setting &setting)
{
    return all.played.us[part] / setting.frames;
}

template <game::Part part> double ns_a_frame(const PlayedAll &all, const Setting &setting)
{
    return all.played.us[part] / setting.frames * 1000;
}

double whole_frame(const PlayedAll &all, const Setting &setting)
{
    double us = 0;
    for (int part = game::part_first + 1; part < game::part_count; part++) {
        us += all.played.us[part];
    }
    return us / setting.frames;
}

const char *const q_missing = "find missing chunks";
const char *const q_dirty = "find chunks that need a mesh";
const char *const q_box = "gather to draw, by box";
const char *const q_frustum = "gather to draw, by frustum";
const char *const q_neighbours = "six neighbours of 343 chunks";
const char *const q_look_ups = "look up a chunk";
const char *const q_read = "read 4,913 voxels";
const char *const q_edit = "edit one block";
const char *const q_edit_light = "light after that edit";
const char *const q_dig = "dig a sphere of radius 3";
const char *const q_dig_light = "light after that dig";
const char *const q_load = "load and unload chunks";
const char *const q_light = "light of chunks that are new or changed";
const char *const q_mesh = "mesh a chunk";
const char *const q_frame = "a whole frame";
const char *const q_slowest = "slowest frame";
const char *const q_first = "first view loaded, lit and meshed";
const char *const q_memory = "memory of chunks and light";
const char *const q_light_memory = "of that, light";

const Question questions[] = {
    {q_missing, "us", a_frame<game::part_missing>},
    {q_dirty, "us", a_frame<game::part_dirty>},
    {q_box, "us", a_frame<game::part_gather>},
    {q_frustum, "us", a_frame<game::part_frustum>},
    {q_neighbours, "us", a_frame<game::part_neighbours>},
    {q_look_ups, "ns",
     [](const PlayedAll &all, const Setting &) {
         return all.played.us[game::part_look_ups] * 1000 / static_cast<double>(all.looked_up);
     }},
    {q_read, "us", a_frame<game::part_read>},
    {q_edit, "ns", ns_a_frame<game::part_edit>},
    {q_edit_light, "us", a_frame<game::part_edit_light>},
    {q_dig, "us", a_frame<game::part_dig>},
    {q_dig_light, "us", a_frame<game::part_dig_light>},
    {q_load, "us", a_frame<game::part_load>},
    {q_light, "us", a_frame<game::part_light>},
    {q_mesh, "us",
     [](const PlayedAll &all, const Setting &) {
         return all.played.us[game::part_mesh] / static_cast<double>(all.meshes);
     }},
    {q_frame, "us", whole_frame},
    {q_slowest, "ms",
     [](const PlayedAll &all, const Setting &) { return all.played.slowest_us / 1000; }},
    {q_first, "ms",
     [](const PlayedAll &all, const Setting &) { return all.played.us[game::part_first] / 1000; }},
    {q_memory, "MiB", [](const PlayedAll &all, const Setting &) { return all.played.mib; }},
    {q_light_memory, "MiB", [](const PlayedAll &all, const Setting &) { return all.light_mib; }},
};

// ---- the contenders ----------------------------------------------------------------------------

/// The hash of everything that the first contender found, for each setting.
class Agreed {
  public:
    /// @throws bench::Wrong
    void take(const PlayedAll &all)
    {
        if (!is_known) {
            hash = all.played.hash;
            is_known = true;
        } else if (hash != all.played.hash) {
            throw bench::Wrong{"it finds, meshes or lights something else"};
        }
    }

  private:
    std::uint64_t hash = 0;
    bool is_known = false;
};

/// The samples of one contender, which all questions share.
class Sampled {
  public:
    Sampled(const game::Player &played, const Setting &how, const std::shared_ptr<Agreed> &with)
        : player(played), setting(how)
    {
        run->take = [player = player, setting = setting, kept = samples, with] {
            kept->push_back(player.play(setting));
            with->take(kept->back());
        };
        run->samples = 7; // one game takes about a second
    }
    bench::Attempt attempt(const Question &question, const std::function<bool()> &check) const
    {
        bench::Attempt attempt = {player.contender};
        attempt.run = run;
        attempt.check = check;
        attempt.figures = [setting = setting, kept = samples, figure = question.figure] {
            std::vector<double> figures;
            for (const PlayedAll &all : *kept) {
                figures.push_back(figure(all, setting));
            }
            return figures;
        };
        return attempt;
    }

  private:
    game::Player player;
    Setting setting;
    std::shared_ptr<std::vector<PlayedAll>> samples = std::make_shared<std::vector<PlayedAll>>();
    std::shared_ptr<bench::Run> run = std::make_shared<bench::Run>();
};

/// Plays a short game in a small view, to check that all contenders find the same.
std::function<bool()> short_check(const game::Player &player, const std::shared_ptr<Agreed> &agreed)
{
    return bench::made_once([player, agreed] {
        agreed->take(player.play({4, 2, 40}));
        return true;
    });
}

// ---- conclusions -------------------------------------------------------------------------------

/// A number with three digits.
std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : "%.3g", value);
    return text;
}

/// Adds a line for each part of a frame in which a contender is a quarter faster than another.
void add_better(Report &report, const char *title, const char *better, const char *worse,
                bool is_gain)
{
    for (const Question &question : questions) {
        const double low = figure_of(report, question.name, world, better).value;
        const double high = figure_of(report, question.name, world, worse).value;
        const bool is_part = question.name != q_frame && std::string(question.unit) != "MiB";
        if (is_part && high > low * 1.25) {
            report.summary.push_back(std::string("  ") + title + question.name + ": " +
                                     number(is_gain ? high : low) + " -> " +
                                     number(is_gain ? low : high) + " " + question.unit);
        }
    }
}

/// Adds sentences on what a frame gains, loses and saves with a contender.
void summarize(Report &report, const char *contender, const std::string &with)
{
    const auto of = [&](const char *question, const char *whose) {
        return figure_of(report, question, world, whose).value;
    };
    const double frame = of(q_frame, contender), map = of(q_frame, game::by_good_hash);
    if (!(frame > 0 && map > 0)) {
        return; // the filter left out a row
    }
    report.summary.push_back("A frame takes " + number(map) + " us with std::unordered_map and " +
                             number(frame) + " us with " + with + ".");
    add_better(report, "You gain  ", contender, game::by_good_hash, true);
    add_better(report, "You lose  ", game::by_good_hash, contender, false);
    const double before = of(q_memory, game::by_good_hash);
    report.summary.push_back("  You save  " + number(before - of(q_memory, contender)) + " of " +
                             number(before) + " MiB");
}

void conclude(Report &report)
{
    const struct {
        const char *question;
        double times;
    } demands[] = {{q_missing, 5}, {q_dirty, 3}, {q_mesh, 5}, {q_frame, 2}, {q_memory, 3}};
    for (const auto &demand : demands) {
        const Figure map = figure_of(report, demand.question, world, game::by_good_hash);
        report.targets.push_back({game::by_terrane,
                                  std::string(demand.question) + ", times as good as the map",
                                  map / figure_of(report, demand.question, world, game::by_terrane),
                                  "x", Target::at_least, demand.times});
    }
    summarize(report, game::by_terrane, "Terrane's store, mesher and light");
    summarize(report, game::by_store, "the store below your own mesher and light");
}

void make(bench::Bench &bench)
{
    const Setting setting = {8, 3, 96};
    const auto agreed = std::make_shared<Agreed>(), agreed_short = std::make_shared<Agreed>();
    std::vector<bench::Scene> scenes;
    constexpr std::size_t chunks = std::size_t{17} * 7 * 17;
    for (const Question &question : questions) {
        scenes.push_back({question.name, world, question.unit, chunks, 0, game::by_good_hash});
    }
    for (const game::Player &player : game::players()) {
        const Sampled sampled(player, setting, agreed);
        const auto check = short_check(player, agreed_short);
        for (std::size_t i = 0; i < scenes.size(); i++) {
            scenes[i].attempts.push_back(sampled.attempt(questions[i], check));
        }
    }
    bench.add(std::move(scenes));
    bench.note("A frame: the player walks; chunks are loaded and unloaded, lit, meshed, drawn and "
               "read; a block is placed or taken, and a hole dug. Generating chunks is not timed.");
    bench.conclude(conclude);
}

} // namespace

const bench::Topic game_topic = {
    "game",
    "a game's frame, with the containers that games have and with Terrane",
    "Game: what does a frame gain, lose and save?",
    game::by_good_hash,
    "the unit of each question",
    "chunks",
    1,
    "find missing | hills | Terrane store",
    make,
};
