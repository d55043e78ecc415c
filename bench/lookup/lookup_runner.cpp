#include "lookup_runner.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

#include "contenders/defaults.h"
#include "driver/clock.hpp"
#include "driver/machine.hpp"
#include "driver/topic.hpp"

namespace {

const std::size_t slice_max = 4096;
const std::size_t first_asks = 16, cold_asks = 64;
const double coarse_step_ns = 1000; ///< coarsest usable clock; a call may take 10 us
const double warm_steps = 50;       ///< least duration of a timing, in clock steps

std::string seconds_text(double ns)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f s", ns < 1e9 ? 2 : ns < 1e10 ? 1 : 0, ns * 1e-9);
    return text;
}

bool is_about_single_chunks(Call call)
{
    return call == Call::find || call == Call::find_absent || call == Call::neighbours;
}

/// A box with the same middle as another, and 1 / `part` of its width.
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

void read_all(const std::vector<char> &trash)
{
    char sum = 0;
    for (std::size_t i = 0; i < trash.size(); i += 64) {
        sum = static_cast<char>(sum ^ trash[i]);
    }
    keep(sum);
}

} // namespace

void require_fine_clock()
{
    const double step_ns = clock_step_ns();
    if (step_ns > coarse_step_ns) {
        char text[80];
        std::snprintf(text, sizeof text,
                      "the clock here has steps of %.0f us, too coarse for one call",
                      step_ns / 1000);
        throw bench::Refused{text};
    }
}

LookupRunner::LookupRunner(const Contender &measured, const LookupWorld &filled,
                           const LookupLimits &given, const std::vector<char> &waste)
    : contender(measured), world(filled), limits(given), trash(waste),
      self(nullptr, measured.destroy), answers(measured, filled)
{
}

// ---- filling -----------------------------------------------------------------------------------

LookupRunner::Container LookupRunner::create() const
{
    Container made(contender.create(&world.given), contender.destroy);
    if (!made) {
        throw std::bad_alloc();
    }
    return made;
}

void LookupRunner::refuse(void *it, const std::string &when) const
{
    char text[256] = "";
    contender_explain(&contender, &world.given, it, text, sizeof text);
    throw bench::Refused{text + when};
}

/// Inserts in growing slices and checks the time after each, since a bad hash may take forever and
/// an array may copy a gigabyte for one chunk.
void LookupRunner::insert(void *it) const
{
    const double start = clock_ns(CLOCK_MONOTONIC);
    const std::size_t count = world.entries.size();
    for (std::size_t done = 0; done < count;) {
        const std::size_t slice =
            std::min(std::clamp(done, limits.slice_min, slice_max), count - done);
        const std::size_t taken = contender.insert(it, world.entries.data() + done, slice);
        if (taken > slice) {
            throw bench::Wrong{"it took " + std::to_string(taken) + " of " + std::to_string(slice) +
                               " chunks"};
        }
        done += taken;
        if (taken < slice) {
            refuse(it, done > 0 ? " (after " + std::to_string(done) + " chunks)" : "");
        }
        const double ns = clock_ns(CLOCK_MONOTONIC) - start;
        if (ns > limits.build_ns && done < count) {
            throw bench::Refused{"after " + seconds_text(ns) + " it held " + std::to_string(done) +
                                 " of " + std::to_string(count) + " chunks"};
        }
    }
}

double LookupRunner::fill()
{
    const double before = malloc_bytes();
    self = create();
    insert(self.get());
    contender_set_visible(&contender, &world.given, self.get(), world.seen.data(),
                          world.seen.size(), true);
    const auto others =
        static_cast<double>(contender_other_bytes(&contender, &world.given, self.get()));
    return (malloc_bytes() - before + others) / static_cast<double>(world.chunks.size());
}

double LookupRunner::measure_build() const
{
    double ns = 0, builds = 0;
    do {
        Container other(nullptr, contender.destroy);
        ns += ns_of([&] {
            other = create();
            insert(other.get());
        });
        builds++;
    } while (ns < warm_steps * step_ns);
    return ns / builds / static_cast<double>(world.chunks.size());
}

// ---- questions ---------------------------------------------------------------------------------

/// The divisor for the time of one call.
double LookupRunner::items(Question question) const
{
    const Call call = info_of(question).call;
    if (is_about_single_chunks(call)) {
        return static_cast<double>(asks[place_of(question)]);
    }
    return call == Call::gather_all || call == Call::gather_ready
               ? static_cast<double>(world.chunks.size())
               : 1000; // nanoseconds in a microsecond
}

void LookupRunner::work(Question question)
{
    const ContenderWorld *given = &world.given;
    const TrnBox box = world.world.box;
    const std::size_t capacity = answers.list_capacity(), n = asks[place_of(question)];
    void *const it = self.get(), *const out = answers.out();
    switch (info_of(question).call) {
    case Call::gather:
        answers.count = contender.gather(it, box, out, capacity);
        break;
    case Call::gather_frustum:
        answers.count =
            contender_gather_frustum(&contender, given, it, box, &world.frustum, out, capacity);
        break;
    case Call::gather_visible:
        answers.count = contender_gather_visible(&contender, given, it, box, out, capacity);
        break;
    case Call::gather_ready:
        answers.count = contender_gather_ready(&contender, given, it, world.chunks.data(),
                                               world.chunks.size(), out, capacity);
        break;
    case Call::gather_all:
    case Call::insert:
        answers.count = contender.gather_all(it, out, capacity);
        break;
    case Call::find:
        contender.find(it, world.hits.data(), answers.count = n, out);
        break;
    case Call::find_absent:
        contender.find(it, world.misses.data(), answers.count = n, out);
        break;
    case Call::neighbours:
        contender_neighbours(&contender, given, it, world.hits.data(), n, out);
        answers.count = n * TRN_FACE_COUNT;
        break;
    case Call::walk:
        break;
    }
}

void LookupRunner::require_right(Call call) const
{
    switch (call) {
    case Call::gather:
        return answers.require_list(world.in_box);
    case Call::gather_frustum:
        return answers.require_list(world.in_frustum);
    case Call::gather_visible:
        return answers.require_list(world.in_box_visible);
    case Call::gather_ready:
        return answers.require_list(world.ready);
    case Call::gather_all:
    case Call::insert:
        return answers.require_list(world.all);
    case Call::find:
        return answers.require_each(world.hits, 1);
    case Call::find_absent:
        return answers.require_each(world.misses, 1);
    case Call::neighbours:
        return answers.require_each(world.hits, TRN_FACE_COUNT);
    case Call::walk:
        return;
    }
}

double LookupRunner::ns_of_work(Question question)
{
    return ns_of([&] { work(question); });
}

/// Nanoseconds of a call, averaged over as many calls as the clock can resolve.
double LookupRunner::ns_of_warm_work(Question question)
{
    double calls = 1, ns = ns_of_work(question);
    while (ns < warm_steps * step_ns) {
        calls *= 4;
        ns = ns_of([&] {
            for (double i = 0; i < calls; i++) {
                work(question);
            }
        });
    }
    return ns / calls;
}

/// Sets how many single chunks a call finds: as many for all contenders, so that cache effects are
/// equal, but fewer for slow ones. Times a few finds first.
void LookupRunner::limit_asks(Question question)
{
    const QuestionInfo &info = info_of(question);
    std::size_t &n = asks[place_of(question)];
    const std::size_t there =
        info.call == Call::find_absent ? world.misses.size() : world.hits.size();
    const std::size_t most = std::min(there, info.is_cold ? cold_asks : limits.asks);
    n = std::min(first_asks, most);
    work(question); // warms the caches
    const double ns = ns_of_work(question) / static_cast<double>(std::max<std::size_t>(n, 1));
    const double affordable = limits.asks_ns / std::max(ns, 0.1);
    n = std::min(most, std::max(first_asks, static_cast<std::size_t>(std::min(affordable, 1e9))));
}

/// Estimates the time of one call from smaller calls. 0 if the question cannot take long.
double LookupRunner::estimate_ns(Question question)
{
    const Call call = info_of(question).call;
    if (call == Call::gather_ready) {
        std::size_t &n = asks[place_of(Question::neighbours)];
        const std::size_t checked = n; // only the checked number may be timed
        limit_asks(Question::neighbours);
        const double ns =
            ns_of_work(Question::neighbours) / std::max(items(Question::neighbours), 1.0);
        n = checked;
        return ns * static_cast<double>(world.chunks.size());
    }
    if (call != Call::gather && call != Call::gather_frustum && call != Call::gather_visible) {
        return 0;
    }
    const auto ns_of_part = [&](std::int64_t part) {
        const TrnBox box = inner_box(world.world.box, part);
        return ns_of([&] {
            (void)contender.gather(self.get(), box, answers.out(), answers.list_capacity());
        });
    };
    // The larger box has eight times as many cells. Probing takes eight times as long, filtering
    // takes the same time.
    ns_of_part(4);
    const double quarter = ns_of_part(4), middle = ns_of_part(2);
    return middle * std::clamp(middle / std::max(quarter, 1.0), 1.0, 8.0);
}

/// Gathers a part of the box. Many worlds have no chunks outside their box, so only a smaller box
/// shows whether a contender gathers chunks outside.
void LookupRunner::check_part_of_box()
{
    const TrnBox box = inner_box(world.world.box, 2);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t number : world.in_box) {
        if (trn_box_contains(box, world.headers[number].coord)) {
            expected.push_back(number);
        }
    }
    answers.forget();
    answers.count = contender.gather(self.get(), box, answers.out(), answers.list_capacity());
    answers.require_list(expected);
}

void LookupRunner::check(Question question)
{
    const Call call = info_of(question).call;
    const bool is_single = is_about_single_chunks(call);
    if (info_of(question).is_cold) {
        require_fine_clock();
    }
    const double estimate = estimate_ns(question);
    if (estimate > limits.call_ns) {
        throw bench::Refused{"one would take about " + seconds_text(estimate)};
    }
    if (call == Call::find_absent && world.misses.empty()) {
        throw bench::Refused{"no chunk is absent here"};
    }
    if (is_single) {
        limit_asks(question);
    }
    if (question == Question::gather) {
        check_part_of_box();
    }
    answers.forget();
    work(question);
    require_right(call);
    answers.require_within(is_single ? answers.count : answers.list_capacity());
    digests[place_of(question)] = answers.digest(!is_single);
    const double end_ns = clock_ns(CLOCK_MONOTONIC) + limits.warm_ns;
    while (clock_ns(CLOCK_MONOTONIC) < end_ns) {
        work(question);
    }
}

double LookupRunner::measure(Question question)
{
    const QuestionInfo &info = info_of(question);
    if (info.call == Call::insert) {
        return measure_build();
    }
    double ns = 0;
    if (info.is_cold) {
        read_all(trash);
        ns = ns_of_work(question);
    } else { // the first call warms the caches after other contenders
        const double sample_ns = std::max(limits.sample_ns, warm_steps * step_ns);
        const double calls =
            std::clamp(sample_ns / std::max(ns_of_warm_work(question), 20.0), 1.0, 1e6);
        const auto count = static_cast<std::size_t>(calls);
        ns = ns_of([&] {
                 for (std::size_t i = 0; i < count; i++) {
                     work(question);
                 }
             }) /
             static_cast<double>(count);
    }
    if (answers.digest(!is_about_single_chunks(info.call)) != digests[place_of(question)]) {
        throw bench::Wrong{"its answer differs from the one that was checked"};
    }
    return ns / items(question);
}

// ---- walking -----------------------------------------------------------------------------------

/// Checks that the container holds exactly the right chunks after some steps, with a gather of
/// everything and of the box of the whole walk.
void LookupRunner::check_end(void *it, std::size_t steps)
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
    for (std::uint32_t number = 0; number < world.given.chunk_count; number++) {
        if (is_there[number]) {
            expected.push_back(number);
        }
    }
    answers.count = contender.gather_all(it, answers.out(), answers.list_capacity());
    answers.require_list(expected);
    TrnBox around = world.given.box;
    around.max.x += static_cast<std::int32_t>(steps);
    answers.count = contender.gather(it, around, answers.out(), answers.list_capacity());
    answers.require_list(expected);
}

/// Checks that the container finds the chunks that the last step inserted, and not those that it
/// removed.
void LookupRunner::check_step(void *it, const WalkStep &step)
{
    contender.find(it, step.go.data(), step.go.size(), answers.out());
    for (std::size_t i = 0; i < step.go.size(); i++) {
        if (answers.number(i) != CONTENDER_NUMBER_NONE) {
            throw bench::Wrong{"it finds a chunk at " + text_of(step.go[i]) +
                               ", which was removed"};
        }
    }
    std::vector<TrnCoord> come;
    for (const ContenderEntry &entry : step.come) {
        come.push_back(entry.coord);
    }
    contender.find(it, come.data(), come.size(), answers.out());
    for (std::size_t i = 0; i < come.size(); i++) {
        if (answers.number(i) != step.come[i].number) {
            throw bench::Wrong{"at " + text_of(come[i]) + " it finds " +
                               answers.name_of(answers.number(i)) +
                               ", not what was inserted there"};
        }
    }
}

bench::Figures LookupRunner::take_steps(void *it) const
{
    bench::Figures steps_ns;
    const double start = clock_ns(CLOCK_MONOTONIC);
    for (const WalkStep &step : world.steps) {
        for (const ContenderEntry &entry : step.come) {
            world.headers[entry.number].coord = entry.coord;
        }
        std::size_t taken = 0;
        const double ns = ns_of([&] {
            taken = contender.insert(it, step.come.data(), step.come.size());
            contender.remove(it, step.go.data(), step.go.size());
        });
        if (taken > step.come.size()) {
            throw bench::Wrong{"it took more chunks than it was given"};
        }
        if (taken < step.come.size()) {
            refuse(it, " (after " + std::to_string(steps_ns.size()) + " steps)");
        }
        steps_ns.push_back(ns);
        if (clock_ns(CLOCK_MONOTONIC) - start > limits.walk_ns) {
            break;
        }
    }
    return steps_ns;
}

namespace {

/// Saves the coordinates of all headers, and restores them in the destructor.
class KeptCoords {
  public:
    explicit KeptCoords(const LookupWorld &world)
        : headers(world.headers), coords(world.given.chunk_count)
    {
        for (std::size_t i = 0; i < coords.size(); i++) {
            coords[i] = headers[i].coord;
        }
    }
    ~KeptCoords()
    {
        for (std::size_t i = 0; i < coords.size(); i++) {
            headers[i].coord = coords[i];
        }
    }
    KeptCoords(const KeptCoords &) = delete;
    KeptCoords &operator=(const KeptCoords &) = delete;

  private:
    ContenderChunk *const headers;
    std::vector<TrnCoord> coords;
};

} // namespace

bench::Figures LookupRunner::walk()
{
    const KeptCoords kept(world); // without a process, children share the headers
    const Container walker = create();
    insert(walker.get());
    bench::Figures steps_ns = take_steps(walker.get());
    check_end(walker.get(), steps_ns.size());
    check_step(walker.get(), world.steps[steps_ns.size() - 1]);
    return steps_ns;
}
