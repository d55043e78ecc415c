#include "lookup_runner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <malloc.h>
#include <new>

#include "contenders/defaults.h"
#include "driver/timing.hpp"

namespace {

/// for an answer that is no chunk
const std::uint32_t number_of_nothing = CONTENDER_NUMBER_NONE - 1;
const std::size_t insert_slice = 4096;
const std::size_t first_asks = 16, cold_asks = 64;
/// The room behind the most answers that there can be: what somebody writes there is seen, and does
/// no harm.
const std::size_t list_slack = 1024;
/// What fills the room for answers before they are checked: nobody's number, and no half of an
/// address.
const unsigned char no_answer = 0xA5;

/// Bytes that the process holds from malloc, large blocks included, with what malloc itself needs
/// beside them.
double bytes_from_malloc()
{
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

std::string place_of(TrnCoord coord)
{
    return "(" + std::to_string(coord.x) + ", " + std::to_string(coord.y) + ", " +
           std::to_string(coord.z) + ")";
}

std::string seconds_text(double ns)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f s", ns < 1e9 ? 2 : ns < 1e10 ? 1 : 0, ns * 1e-9);
    return text;
}

bool is_about_single_chunks(Question question)
{
    return question == Question::find || question == Question::miss ||
           question == Question::neighbours || question == Question::find_cold ||
           question == Question::miss_cold;
}

bool is_about_absent_chunks(Question question)
{
    return question == Question::miss || question == Question::miss_cold;
}

bool is_asked_cold(Question question)
{
    return question == Question::gather_cold || question == Question::find_cold ||
           question == Question::miss_cold;
}

/// The box around the middle of another, `part` as wide.
TrnBox inner_box(const TrnBox &box, std::int64_t part)
{
    const std::int64_t x = (std::int64_t{box.max.x} - box.min.x) / 2,
                       y = (std::int64_t{box.max.y} - box.min.y) / 2,
                       z = (std::int64_t{box.max.z} - box.min.z) / 2;
    const TrnCoord middle = {static_cast<std::int32_t>(box.min.x + x),
                             static_cast<std::int32_t>(box.min.y + y),
                             static_cast<std::int32_t>(box.min.z + z)};
    return trn_box_around(middle, static_cast<std::int32_t>(x / part),
                          static_cast<std::int32_t>(y / part), static_cast<std::int32_t>(z / part));
}

} // namespace

const QuestionInfo &question_info(Question question)
{
    static const QuestionInfo infos[question_count] = {
        {"gather the box", "gather", "us"},
        {"gather the box, caches cold", "cold", "us"},
        {"gather a frustum", "frustum", "us"},
        {"gather visible only", "visible", "us"},
        {"iterate all", "iterate", "ns"},
        {"find, present", "find", "ns"},
        {"find, absent", "miss", "ns"},
        {"find, caches cold", "cold", "ns"},
        {"find, absent, caches cold", "cold miss", "ns"},
        {"six neighbours", "six", "ns"},
        {"ready: all six neighbours there", "ready", "ns"},
        {"build", "build", "ns"},
        {"churn of a moving world", "churn", "ns"},
        {"worst single step of a walk", "worst", "us"},
        {"bytes per chunk", "bytes", "bytes"},
    };
    return infos[static_cast<int>(question)];
}

LookupRunner::LookupRunner(const Contender &measured, const LookupWorld &filled,
                           const LookupLimits &given, const std::vector<char> &waste)
    : contender(measured), world(filled), limits(given), trash(waste)
{
    const std::size_t most = std::max(world.given.chunk_count + list_slack,
                                      world.hits.size() * TRN_FACE_COUNT + list_slack);
    out.resize(most * sizeof(void *));
}

LookupRunner::~LookupRunner()
{
    if (self) {
        contender.destroy(self);
    }
}

double LookupRunner::time_of(const std::function<void()> &deed) const
{
    const double start = clock_ns(CLOCK_MONOTONIC);
    deed();
    return clock_ns(CLOCK_MONOTONIC) - start;
}

// ---- answers -----------------------------------------------------------------------------------

std::uint32_t LookupRunner::number_of(std::size_t i) const
{
    if (contender.answers == CONTENDER_NUMBERS) {
        std::uint32_t number;
        std::memcpy(&number, out.data() + i * sizeof number, sizeof number);
        return number == CONTENDER_NUMBER_NONE || number < world.given.chunk_count
                   ? number
                   : number_of_nothing;
    }
    std::uintptr_t address;
    std::memcpy(&address, out.data() + i * sizeof address, sizeof address);
    const auto first = reinterpret_cast<std::uintptr_t>(world.given.chunks);
    const std::uintptr_t offset = address - first;
    if (address == 0) {
        return CONTENDER_NUMBER_NONE;
    }
    // Somebody's answer: it is looked at, not followed.
    const bool is_chunk = address >= first && offset % sizeof(ContenderChunk) == 0 &&
                          offset / sizeof(ContenderChunk) < world.given.chunk_count;
    return is_chunk ? static_cast<std::uint32_t>(offset / sizeof(ContenderChunk))
                    : number_of_nothing;
}

std::string LookupRunner::name_of(std::uint32_t number) const
{
    if (number == CONTENDER_NUMBER_NONE) {
        return "nothing";
    }
    if (number == number_of_nothing) {
        return "what is no chunk";
    }
    return "the chunk " + place_of(world.headers[number].coord);
}

Reply LookupRunner::compare_list(const std::vector<std::uint32_t> &expected) const
{
    std::vector<std::uint32_t> given;
    for (std::size_t i = 0; i < std::min<std::size_t>(found, world.given.chunk_count); i++) {
        given.push_back(number_of(i));
    }
    std::sort(given.begin(), given.end());
    const std::string counts =
        "; it says " + std::to_string(found) + ", there are " + std::to_string(expected.size());
    if (!given.empty() && given.back() >= number_of_nothing) {
        return {Reply::wrong, "it lists " + name_of(given.back()) + counts, {}};
    }
    const auto [g, e] = std::mismatch(given.begin(), given.end(), expected.begin(), expected.end());
    if (g != given.end() && (e == expected.end() || *g < *e)) {
        return {
            Reply::wrong, "it lists " + name_of(*g) + ", which does not belong there" + counts, {}};
    }
    if (e != expected.end()) {
        return {Reply::wrong, "it leaves out " + name_of(*e) + counts, {}};
    }
    return found == expected.size() ? Reply{}
                                    : Reply{Reply::wrong, "its count is off" + counts, {}};
}

/// @param per_coord  1 for look-ups, 6 for neighbours
Reply LookupRunner::compare_each(const std::vector<TrnCoord> &asked, int per_coord) const
{
    const auto per = static_cast<std::size_t>(per_coord);
    for (std::size_t i = 0; i < found; i++) {
        const TrnCoord coord =
            per == 1 ? asked[i]
                     : trn_coord_neighbour(asked[i / per], static_cast<TrnFace>(i % per));
        const std::uint32_t expected = world.number_at(coord), given = number_of(i);
        if (given != expected) {
            return {Reply::wrong,
                    "at " + place_of(coord) + " it finds " + name_of(given) + "; there is " +
                        name_of(expected),
                    {}};
        }
    }
    return {};
}

std::size_t LookupRunner::answer_bytes() const
{
    return contender.answers == CONTENDER_POINTERS ? sizeof(void *) : sizeof(std::uint32_t);
}

/// Whether nothing was written behind as many answers as there was room for. Only after
/// `forget_answers` and `work`.
bool LookupRunner::kept_within(Question question) const
{
    const std::size_t room = is_about_single_chunks(question) ? found : world.given.chunk_count;
    const auto first = out.begin() + static_cast<std::ptrdiff_t>(room * answer_bytes());
    return std::all_of(first, out.end(), [](unsigned char byte) { return byte == no_answer; });
}

void LookupRunner::forget_answers()
{
    std::fill(out.begin(), out.end(), no_answer);
}

/// One number over what was answered last, whatever the order of lists.
std::uint64_t LookupRunner::digest(Question question) const
{
    const bool is_list = !is_about_single_chunks(question);
    const std::size_t written =
        is_list ? std::min<std::size_t>(found, world.given.chunk_count) : found;
    std::uint64_t sum = found;
    for (std::size_t i = 0; i < written; i++) {
        std::uint64_t bits = number_of(i) + (is_list ? 0 : static_cast<std::uint64_t>(i) << 32);
        bits = (bits ^ (bits >> 31)) * 0xBF58476D1CE4E5B9u;
        sum += bits ^ (bits >> 29);
    }
    return sum;
}

Reply LookupRunner::compare(Question question)
{
    switch (question) {
    case Question::gather:
    case Question::gather_cold:
        return compare_list(world.in_box);
    case Question::gather_frustum:
        return compare_list(world.in_frustum);
    case Question::gather_visible:
        return compare_list(world.in_box_visible);
    case Question::iterate:
    case Question::build:
        return compare_list(world.all);
    case Question::ready:
        return compare_list(world.ready);
    case Question::find:
    case Question::find_cold:
        return compare_each(world.hits, 1);
    case Question::miss:
    case Question::miss_cold:
        return compare_each(world.misses, 1);
    case Question::neighbours:
        return compare_each(world.hits, TRN_FACE_COUNT);
    default:
        return {};
    }
}

// ---- filling -----------------------------------------------------------------------------------

void *LookupRunner::create() const
{
    return contender.create(&world.given);
}

Reply LookupRunner::why_refused(void *it, std::size_t taken) const
{
    char text[256] = "";
    contender_explain(&contender, &world.given, it, text, sizeof text);
    text[sizeof text - 1] = '\0';
    std::string why = text;
    if (taken > 0 && taken < world.chunks.size()) {
        why += " (after " + std::to_string(taken) + " chunks)";
    }
    return {Reply::refused, why, {}};
}

/// In slices, with a look at the clock between them: a bad hash may take for ever.
Reply LookupRunner::insert(void *it) const
{
    const double start = clock_ns(CLOCK_MONOTONIC);
    const std::size_t count = world.entries.size();
    for (std::size_t done = 0; done < count;) {
        const std::size_t slice = std::min(insert_slice, count - done);
        const std::size_t taken = contender.insert(it, world.entries.data() + done, slice);
        if (taken > slice) {
            return {Reply::wrong,
                    "it took " + std::to_string(taken) + " of " + std::to_string(slice) + " chunks",
                    {}};
        }
        if (taken != slice) {
            return why_refused(it, done + taken);
        }
        done += slice;
        const double ns = clock_ns(CLOCK_MONOTONIC) - start;
        if (ns > limits.build_ns && done < count) {
            return {Reply::refused,
                    "after " + seconds_text(ns) + " it held " + std::to_string(done) + " of " +
                        std::to_string(count) + " chunks",
                    {}};
        }
    }
    return {};
}

Reply LookupRunner::fill()
{
    const double before = bytes_from_malloc();
    self = create();
    if (!self) {
        return {Reply::refused, "there was no memory", {}};
    }
    Reply reply = insert(self);
    if (reply.verdict != Reply::fine) {
        return reply;
    }
    contender_set_visible(&contender, &world.given, self, world.seen.data(), world.seen.size(),
                          true);
    const double bytes = bytes_from_malloc() - before +
                         static_cast<double>(contender_other_bytes(&contender, &world.given, self));
    reply.figures = {bytes / static_cast<double>(world.chunks.size())};
    return reply;
}

/// Makes and fills another container. Figures of the reply: nanoseconds per chunk.
Reply LookupRunner::build_again()
{
    void *other = nullptr;
    Reply reply;
    const double ns = time_of([&] {
        other = create();
        if (other) {
            reply = insert(other);
        }
    });
    if (!other) {
        return {Reply::refused, "there was no memory", {}};
    }
    contender.destroy(other);
    if (reply.verdict == Reply::fine) {
        reply.figures = {ns / static_cast<double>(world.chunks.size())};
    }
    return reply;
}

// ---- questions ---------------------------------------------------------------------------------

double LookupRunner::items(Question question) const
{
    if (is_about_single_chunks(question)) {
        return static_cast<double>(asks[static_cast<int>(question)]);
    }
    return question == Question::iterate || question == Question::ready
               ? static_cast<double>(world.chunks.size())
               : 1000; // nanoseconds in a microsecond
}

void LookupRunner::work(Question question)
{
    const std::size_t capacity = world.given.chunk_count, n = asks[static_cast<int>(question)];
    void *const list = out.data();
    switch (question) {
    case Question::gather:
    case Question::gather_cold:
        found = contender.gather(self, world.world.box, list, capacity);
        break;
    case Question::gather_frustum:
        found = contender_gather_frustum(&contender, &world.given, self, world.world.box,
                                         &world.frustum, list, capacity);
        break;
    case Question::gather_visible:
        found = contender_gather_visible(&contender, &world.given, self, world.world.box, list,
                                         capacity);
        break;
    case Question::ready:
        found = contender_gather_ready(&contender, &world.given, self, world.chunks.data(),
                                       world.chunks.size(), list, capacity);
        break;
    case Question::iterate:
    case Question::build:
        found = contender.gather_all(self, list, capacity);
        break;
    case Question::find:
    case Question::find_cold:
        contender.find(self, world.hits.data(), found = n, list);
        break;
    case Question::miss:
    case Question::miss_cold:
        contender.find(self, world.misses.data(), found = n, list);
        break;
    case Question::neighbours:
        contender_neighbours(&contender, &world.given, self, world.hits.data(), n, list);
        found = n * TRN_FACE_COUNT;
        break;
    default:
        break;
    }
}

/// Asks everybody about the same single chunks, so that nobody's fit into a smaller cache than
/// another's; but those who take long about fewer. First a few, to see how long they take.
void LookupRunner::limit_asks(Question question)
{
    std::size_t &n = asks[static_cast<int>(question)];
    const std::size_t there =
        is_about_absent_chunks(question) ? world.misses.size() : world.hits.size();
    const std::size_t most = std::min(there, is_asked_cold(question) ? cold_asks : limits.asks);
    n = std::min(first_asks, most);
    work(question); // the first touch of anything is no measure
    const double ns =
        time_of([&] { work(question); }) / static_cast<double>(std::max<std::size_t>(n, 1));
    const double affordable = limits.asks_ns / std::max(ns, 0.1);
    n = std::min(most, std::max(first_asks, static_cast<std::size_t>(std::min(affordable, 1e9))));
}

/// What one call would take, from smaller ones: 0 where none can take long.
double LookupRunner::estimate_ns(Question question)
{
    if (question == Question::ready) {
        std::size_t &n = asks[static_cast<int>(Question::neighbours)];
        const std::size_t checked = n; // those and no others may be timed
        limit_asks(Question::neighbours);
        const double ns = time_of([&] { work(Question::neighbours); }) /
                          std::max(items(Question::neighbours), 1.0);
        n = checked;
        return ns * static_cast<double>(world.chunks.size());
    }
    const bool is_gather = question == Question::gather || question == Question::gather_cold ||
                           question == Question::gather_frustum ||
                           question == Question::gather_visible;
    if (!is_gather) {
        return 0;
    }
    const auto time_of_part = [&](std::int64_t part) {
        const TrnBox box = inner_box(world.world.box, part);
        return time_of(
            [&] { (void)contender.gather(self, box, out.data(), world.given.chunk_count); });
    };
    // Eight times as many cells each: probing takes eight times as long, filtering no longer than
    // before.
    time_of_part(4);
    const double quarter = time_of_part(4), middle = time_of_part(2);
    return middle * std::clamp(middle / std::max(quarter, 1.0), 1.0, 8.0);
}

Reply LookupRunner::check(Question question)
{
    const double estimate = estimate_ns(question);
    if (estimate > limits.call_ns) {
        return {Reply::refused, "one would take about " + seconds_text(estimate), {}};
    }
    if (is_about_single_chunks(question)) {
        if (is_about_absent_chunks(question) && world.misses.empty()) {
            return {Reply::refused, "nothing is absent here", {}};
        }
        limit_asks(question);
    }
    if (question == Question::gather) {
        Reply part = check_part_of_box();
        if (part.verdict != Reply::fine) {
            return part;
        }
    }
    forget_answers();
    work(question);
    Reply reply = compare(question);
    if (reply.verdict == Reply::fine && !kept_within(question)) {
        return {Reply::wrong, "it writes behind the end of the list", {}};
    }
    digests[static_cast<int>(question)] = digest(question);
    return reply;
}

/// The box of many worlds lies around all of their chunks: a part of it shows who gathers what lies
/// outside.
Reply LookupRunner::check_part_of_box()
{
    const TrnBox box = inner_box(world.world.box, 2);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t number : world.in_box) {
        if (trn_box_contains(box, world.headers[number].coord)) {
            expected.push_back(number);
        }
    }
    forget_answers();
    found = contender.gather(self, box, out.data(), world.given.chunk_count);
    return compare_list(expected);
}

void LookupRunner::read_trash() const
{
    volatile char sum = 0;
    char total = 0;
    for (std::size_t i = 0; i < trash.size(); i += 64) {
        total = static_cast<char>(total ^ trash[i]);
    }
    sum = total;
    (void)sum;
}

double LookupRunner::measure_cold(Question question)
{
    read_trash();
    return time_of([&] { work(question); }) / items(question);
}

Reply LookupRunner::measure(Question question)
{
    if (question == Question::build) {
        return build_again();
    }
    const double figure = is_asked_cold(question) ? measure_cold(question) : measure_warm(question);
    if (digest(question) != digests[static_cast<int>(question)]) {
        return {Reply::wrong, "it answers otherwise than when it was checked", {}};
    }
    return {Reply::fine, {}, {figure}};
}

double LookupRunner::measure_warm(Question question)
{
    // Warm: once for the caches, which other contenders have just had, then for as long as there is
    // time.
    const double first_ns = time_of([&] { work(question); });
    const auto calls =
        static_cast<std::size_t>(std::clamp(limits.cell_ns / std::max(first_ns, 20.0), 1.0, 1e6));
    const double ns = time_of([&] {
        for (std::size_t i = 0; i < calls; i++) {
            work(question);
        }
    });
    return ns / static_cast<double>(calls) / items(question);
}

// ---- walking -----------------------------------------------------------------------------------

/// Every chunk where the walk ended is there, and no other; neither in a list of all nor in the box
/// of the whole walk.
Reply LookupRunner::check_end(void *it, std::size_t steps)
{
    std::vector<bool> is_there(world.given.chunk_count);
    std::fill_n(is_there.begin(), world.chunks.size(), true);
    for (std::size_t i = 0; i < steps; i++) {
        for (const ContenderEntry &entry : world.steps[i].come) {
            is_there[entry.number] = true;
        }
        for (std::uint32_t number : world.steps[i].go_numbers) {
            is_there[number] = false;
        }
    }
    std::vector<std::uint32_t> expected;
    TrnBox around = world.given.box; // as far as the walk has moved it
    around.max.x += static_cast<std::int32_t>(steps);
    for (std::uint32_t number = 0; number < world.given.chunk_count; number++) {
        if (is_there[number]) {
            expected.push_back(number);
        }
    }
    found = contender.gather_all(it, out.data(), world.given.chunk_count);
    Reply reply = compare_list(expected);
    if (reply.verdict != Reply::fine) {
        return reply;
    }
    found = contender.gather(it, around, out.data(), world.given.chunk_count);
    return compare_list(expected);
}

/// What went with the last step is not found any more, and what came is.
Reply LookupRunner::check_step(void *it, const WalkStep &step)
{
    contender.find(it, step.go.data(), step.go.size(), out.data());
    for (std::size_t i = 0; i < step.go.size(); i++) {
        if (number_of(i) != CONTENDER_NUMBER_NONE) {
            return {
                Reply::wrong, "it finds a chunk at " + place_of(step.go[i]) + ", which went", {}};
        }
    }
    std::vector<TrnCoord> come;
    for (const ContenderEntry &entry : step.come) {
        come.push_back(entry.coord);
    }
    contender.find(it, come.data(), come.size(), out.data());
    for (std::size_t i = 0; i < come.size(); i++) {
        if (number_of(i) != step.come[i].number) {
            return {Reply::wrong,
                    "at " + place_of(come[i]) + " it finds " + name_of(number_of(i)) +
                        ", not what came there",
                    {}};
        }
    }
    return {};
}

/// @param headers  of this process alone: chunks take their new places there
Reply LookupRunner::take_steps(void *it, ContenderChunk *headers)
{
    Reply reply;
    const double start = clock_ns(CLOCK_MONOTONIC);
    for (const WalkStep &step : world.steps) {
        for (const ContenderEntry &entry : step.come) {
            headers[entry.number].coord = entry.coord;
        }
        std::size_t taken = 0;
        reply.figures.push_back(time_of([&] {
            taken = contender.insert(it, step.come.data(), step.come.size());
            contender.remove(it, step.go.data(), step.go.size());
        }));
        if (taken > step.come.size()) {
            return {Reply::wrong, "it took more chunks than came", {}};
        }
        if (taken != step.come.size()) {
            Reply refused = why_refused(it, 0);
            refused.text += " (after " + std::to_string(reply.figures.size() - 1) + " steps)";
            return refused;
        }
        if (clock_ns(CLOCK_MONOTONIC) - start > limits.walk_ns) {
            break;
        }
    }
    const std::size_t steps = reply.figures.size();
    Reply end = check_end(it, steps);
    if (end.verdict == Reply::fine) {
        end = check_step(it, world.steps[steps - 1]);
    }
    return end.verdict == Reply::fine ? reply : end;
}

Reply LookupRunner::walk()
{
    void *it = create();
    if (!it) {
        return {Reply::refused, "there was no memory", {}};
    }
    Reply reply = insert(it);
    if (reply.verdict == Reply::fine) {
        reply = take_steps(it, world.headers);
    }
    contender.destroy(it);
    return reply;
}
