/// Replays of recorded traces: what a replay asks of a contender, and what it measures.
#include "trace_text.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <ctime>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "driver/clock.hpp"

// ---- the clock ----------------------------------------------------------------------------------

// Replaces the clock of bench/driver/clock.cpp: time advances only inside the test's contender, and
// by the cost of reading the clock.
static double clock_now, clock_look_ns;

double clock_ns(clockid_t clock)
{
    (void)clock;
    clock_now += clock_look_ns;
    return clock_now;
}

namespace {

// ---- a contender --------------------------------------------------------------------------------

/// The mistakes of a wrong contender.
enum class Mistake {
    none,
    find_misses,
    find_invents,
    removes_nothing,
    gather_drops_one,
    gather_names_one_twice,
    gather_claims_one_more,
    gather_claims_far_too_many,
    gather_leaves_the_box,
    answers_nonsense,
    neighbours_are_mirrored,
    all_are_visible,
    frustum_is_ignored,
    count
};

/// The behaviour of a contender, and a log of its calls. A replay passes it to create().
struct TestWorld : ContenderWorld {
    bool numbers = false;  ///< answers with numbers
    bool own = false;      ///< implements the functions that may be NULL
    bool reversed = false; ///< lists in the opposite order
    Mistake mistake = Mistake::none;
    std::size_t room = SIZE_MAX; ///< refuses further chunks
    mutable std::string log;
};

using TestKey = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

TestKey key_of(TrnCoord coord)
{
    return {coord.x, coord.y, coord.z};
}

struct Table {
    const TestWorld *world;
    std::map<TestKey, const ContenderChunk *> chunks;
};

/// By definition: the cube's farthest corner is inside every plane. Exact for the small integers of
/// these tests.
bool cube_reaches(const TrnFrustum &frustum, TrnCoord coord)
{
    const double at[3] = {static_cast<double>(coord.x) - frustum.origin.x,
                          static_cast<double>(coord.y) - frustum.origin.y,
                          static_cast<double>(coord.z) - frustum.origin.z};
    for (std::uint32_t i = 0; i < frustum.count; i++) {
        const double *plane = frustum.planes[i];
        double most = plane[3];
        for (int axis = 0; axis < 3; axis++) {
            most += plane[axis] * (at[axis] + (plane[axis] > 0 ? 1 : 0));
        }
        if (most < 0) {
            return false;
        }
    }
    return true;
}

void *table_create(const ContenderWorld *world)
{
    return new Table{static_cast<const TestWorld *>(world), {}};
}

void table_destroy(void *self)
{
    delete static_cast<Table *>(self);
}

std::size_t table_insert(void *self, const ContenderEntry *entries, std::size_t count)
{
    auto *table = static_cast<Table *>(self);
    table->world->log += "call + " + std::to_string(count) + "\n";
    for (std::size_t i = 0; i < count; i++) {
        clock_now += 100;
        if (table->chunks.size() >= table->world->room) {
            return i;
        }
        const ContenderChunk *chunk = entries[i].chunk;
        assert_true(trn_coord_equal(chunk->coord, entries[i].coord));
        assert_int_equal(chunk->number, entries[i].number);
        assert_true(chunk == &table->world->chunks[chunk->number]);
        assert_int_equal(chunk->is_visible, 0);
        assert_true(table->chunks.emplace(key_of(chunk->coord), chunk).second);
        table->world->log += "+" + coord_words(chunk->coord) + "\n";
    }
    return count;
}

void table_remove(void *self, const TrnCoord *coords, std::size_t count)
{
    auto *table = static_cast<Table *>(self);
    table->world->log += "call - " + std::to_string(count) + "\n";
    for (std::size_t i = 0; i < count; i++) {
        clock_now += 50;
        table->world->log += "-" + coord_words(coords[i]) + "\n";
        const auto found = table->chunks.find(key_of(coords[i]));
        assert_true(found != table->chunks.end());
        if (table->world->mistake != Mistake::removes_nothing) {
            table->chunks.erase(found);
        }
    }
}

const ContenderChunk *look_up(const Table *table, TrnCoord coord)
{
    const auto found = table->chunks.find(key_of(coord));
    return found == table->chunks.end() ? nullptr : found->second;
}

void put_answer(const Table *table, void *out, std::size_t place, const ContenderChunk *chunk)
{
    if (!table->world->numbers) {
        static_cast<const ContenderChunk **>(out)[place] = chunk;
        return;
    }
    static_cast<std::uint32_t *>(out)[place] = chunk ? chunk->number : CONTENDER_NUMBER_NONE;
}

void put_nonsense(const Table *table, void *out, std::size_t place)
{
    if (table->world->numbers) {
        static_cast<std::uint32_t *>(out)[place] = 0xABCDEF;
    } else {
        static_cast<const void **>(out)[place] = &table->world->log;
    }
}

void table_find(const void *self, const TrnCoord *coords, std::size_t count, void *out)
{
    const auto *table = static_cast<const Table *>(self);
    table->world->log += "call ? " + std::to_string(count) + "\n";
    for (std::size_t i = 0; i < count; i++) {
        clock_now += 10;
        const ContenderChunk *chunk = look_up(table, coords[i]);
        table->world->log += "?" + coord_words(coords[i]) + (chunk ? " yes\n" : " no\n");
        if (chunk && table->world->mistake == Mistake::find_misses) {
            chunk = nullptr;
        }
        if (!chunk && table->world->mistake == Mistake::find_invents) {
            chunk = table->world->chunks;
        }
        put_answer(table, out, i, chunk);
        if (table->world->mistake == Mistake::answers_nonsense) {
            put_nonsense(table, out, i);
        }
    }
}

void table_neighbours(const void *self, const TrnCoord *coords, std::size_t count, void *out)
{
    const auto *table = static_cast<const Table *>(self);
    const int mirror = table->world->mistake == Mistake::neighbours_are_mirrored ? 1 : 0;
    table->world->log += "call n " + std::to_string(count) + "\n";
    for (std::size_t i = 0; i < count; i++) {
        clock_now += 60;
        table->world->log += "n" + coord_words(coords[i]) + " ";
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            const auto side = static_cast<TrnFace>(face ^ mirror);
            const ContenderChunk *chunk = look_up(table, trn_coord_neighbour(coords[i], side));
            table->world->log += chunk ? "1" : "0";
            put_answer(table, out, 6 * i + static_cast<std::size_t>(face), chunk);
        }
        table->world->log += "\n";
    }
}

/// Writes a list with the mistake, if it concerns lists. @return its length
std::size_t put_list(const Table *table, std::vector<const ContenderChunk *> list, void *out,
                     std::size_t capacity)
{
    const Mistake mistake = table->world->mistake;
    if (table->world->reversed) {
        std::reverse(list.begin(), list.end());
    }
    if (mistake == Mistake::gather_drops_one && !list.empty()) {
        list.pop_back();
    }
    if (mistake == Mistake::gather_names_one_twice && list.size() > 1) {
        list[0] = list[1];
    }
    for (std::size_t i = 0; i < list.size() && i < capacity; i++) {
        put_answer(table, out, i, list[i]);
    }
    return mistake == Mistake::gather_claims_one_more       ? list.size() + 1
           : mistake == Mistake::gather_claims_far_too_many ? SIZE_MAX
                                                            : list.size();
}

template <typename Wanted>
std::size_t put_chosen(const Table *table, void *out, std::size_t capacity, Wanted wanted)
{
    std::vector<const ContenderChunk *> list;
    for (const auto &[key, chunk] : table->chunks) {
        if (wanted(chunk)) {
            list.push_back(chunk);
            table->world->log += " " + coord_words(chunk->coord);
        }
    }
    table->world->log += "\n";
    return put_list(table, list, out, capacity);
}

std::size_t table_gather(void *self, TrnBox box, void *out, std::size_t capacity)
{
    const auto *table = static_cast<Table *>(self);
    const bool leaves = table->world->mistake == Mistake::gather_leaves_the_box;
    clock_now += 1000;
    table->world->log += "b" + box_words(box) + ":";
    return put_chosen(table, out, capacity, [&](const ContenderChunk *chunk) {
        return leaves || trn_box_contains(box, chunk->coord);
    });
}

std::size_t table_gather_all(void *self, void *out, std::size_t capacity)
{
    return table_gather(self,
                        {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}, out,
                        capacity);
}

std::size_t table_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum, void *out,
                                 std::size_t capacity)
{
    const auto *table = static_cast<Table *>(self);
    const bool ignores = table->world->mistake == Mistake::frustum_is_ignored;
    clock_now += 2000;
    table->world->log += "f" + box_words(box) + coord_words(frustum->origin) + " " +
                         std::to_string(frustum->count) + ":";
    return put_chosen(table, out, capacity, [&](const ContenderChunk *chunk) {
        return trn_box_contains(box, chunk->coord) &&
               (ignores || cube_reaches(*frustum, chunk->coord));
    });
}

void table_set_visible(void *self, const TrnCoord *coords, std::size_t count, bool is_visible)
{
    const auto *table = static_cast<Table *>(self);
    table->world->log += "call v " + std::to_string(count) + "\n";
    for (std::size_t i = 0; i < count; i++) {
        clock_now += 5;
        const ContenderChunk *chunk = look_up(table, coords[i]);
        assert_non_null(chunk);
        assert_int_equal(chunk->is_visible, is_visible); // headers change before the call
        table->world->log += "v" + coord_words(coords[i]) + (is_visible ? " 1\n" : " 0\n");
    }
}

std::size_t table_gather_visible(void *self, TrnBox box, void *out, std::size_t capacity)
{
    const auto *table = static_cast<Table *>(self);
    const bool all = table->world->mistake == Mistake::all_are_visible;
    clock_now += 3000;
    table->world->log += "g" + box_words(box) + ":";
    return put_chosen(table, out, capacity, [&](const ContenderChunk *chunk) {
        return trn_box_contains(box, chunk->coord) && (all || chunk->is_visible);
    });
}

void table_explain(const void *self, char *text, std::size_t size)
{
    const auto *table = static_cast<const Table *>(self);
    std::snprintf(text, size, "there is room for %zu chunks", table->world->room);
}

Contender make_contender(const TestWorld &world)
{
    Contender contender = {};
    contender.version = TERRANE_CONTENDER_VERSION;
    contender.name = "table of the test";
    contender.answers = world.numbers ? CONTENDER_NUMBERS : CONTENDER_POINTERS;
    contender.create = table_create;
    contender.destroy = table_destroy;
    contender.insert = table_insert;
    contender.remove = table_remove;
    contender.find = table_find;
    contender.gather = table_gather;
    contender.gather_all = table_gather_all;
    contender.explain = table_explain;
    if (world.own) {
        contender.gather_frustum = table_gather_frustum;
        contender.set_visible = table_set_visible;
        contender.gather_visible = table_gather_visible;
        contender.neighbours = table_neighbours;
    }
    return contender;
}

TraceFigures replay(const Trace &trace, TestWorld &world)
{
    std::vector<ContenderChunk> chunks(trace.chunk_max);
    world.chunks = chunks.data();
    world.chunk_count = trace.chunk_max;
    world.box = trace.box;
    const Contender contender = make_contender(world);
    return replay_trace(trace, contender, world, chunks.data());
}

// ---- replay -------------------------------------------------------------------------------------

void a_replay_asks_batch_by_batch(void **)
{
    TestWorld world;
    world.own = true;
    const TraceFigures figures = replay(parse(small_trace), world);
    assert_string_equal(world.log.c_str(),
                        "call + 3\n+ 0 0 0\n+ 1 0 0\n+ -2147483648 2147483647 -5\n"
                        "call ? 2\n? 0 0 0 yes\n? 7 7 7 no\n"
                        "call n 1\nn 0 0 0 010000\n"
                        "call v 2\nv 1 0 0 1\nv 0 0 0 1\n"
                        "call v 1\nv 0 0 0 0\n"
                        "g -1 -1 -1 1 1 1:  1 0 0\n"
                        "b -1 -1 -1 1 1 1:  0 0 0  1 0 0\n"
                        "f -1 -1 -1 1 1 1 0 0 0 2:  1 0 0\n"
                        "call - 1\n- 1 0 0\n"
                        "call + 1\n+ 1 0 0\n"
                        "g -1 -1 -1 1 1 1:\n"
                        "f -1 -1 -1 1 1 1 0 0 0 0:  0 0 0  1 0 0\n"
                        "b -9 -9 -9 9 9 9:  0 0 0  1 0 0\n"
                        "call n 1\nn 0 0 0 010000\n"
                        "call ? 1\n? 1 0 0 yes\n"
                        "call - 1\n- 0 0 0\n"
                        "call ? 1\n? 0 0 0 no\n"
                        "b -9 -9 -9 9 9 9:  1 0 0\n");
    static const std::uint64_t counts[trace_kind_count] = {4, 2, 4, 2, 3, 2, 2, 3};
    for (int kind = 0; kind < trace_kind_count; kind++) {
        assert_int_equal(figures.kind_count[kind], counts[kind]);
    }
    assert_int_equal(figures.frame_ns.size(), 4);
    assert_int_equal(figures.digests.size(), 4);
    assert_true(figures.refusal.empty());
}

void only_the_contender_s_own_time_counts(void **)
{
    TestWorld world;
    world.own = true;
    clock_look_ns = 37;
    const TraceFigures figures = replay(parse(small_trace), world);
    clock_look_ns = 0;
    static const double expected[trace_kind_count] = {400, 100, 40, 120, 3000, 4000, 6000, 15};
    double sum = 0;
    for (int kind = 0; kind < trace_kind_count; kind++) {
        assert_true(figures.kind_ns[kind] == expected[kind]);
        sum += expected[kind];
    }
    assert_true(figures.frame_ns[0] == 380);
    assert_true(figures.frame_ns[1] == 6015);
    assert_true(figures.frame_ns[2] == 0);
    assert_true(figures.frame_ns[0] + figures.frame_ns[1] + figures.frame_ns[3] == sum);
}

/// Records a random game, and computes from its own model what each operation must answer.
class RandomGame {
  public:
    explicit RandomGame(std::mt19937_64 &generator) : random(generator)
    {
        for (int frame = 0; frame < 40; frame++) {
            for (std::uint64_t i = number(30); i > 0; i--) {
                act();
            }
            text += ".\n";
        }
        text += "end " + std::to_string(operations) + "\n";
    }
    std::string text = "terrane-trace 1\n";
    std::string log;

  private:
    std::uint64_t number(std::uint64_t below)
    {
        return random() % below;
    }
    std::int32_t axis()
    {
        static const std::int32_t values[] = {INT32_MIN, INT32_MIN + 1, -2, -1, 0, 1, 2, INT32_MAX};
        return values[number(std::size(values))];
    }
    TrnCoord coord()
    {
        return {axis(), axis(), axis()};
    }
    TrnCoord chosen_chunk()
    {
        auto at = chunks.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(number(chunks.size())));
        return {std::get<0>(at->first), std::get<1>(at->first), std::get<2>(at->first)};
    }
    /// A box that a trace may gather: some of INT32_MIN, some around 0, or the last chunk.
    TrnBox box()
    {
        TrnCoord a = coord(), b = coord();
        for (std::int32_t TrnCoord::*axis : {&TrnCoord::x, &TrnCoord::y, &TrnCoord::z}) {
            if (std::abs(std::int64_t{a.*axis} - b.*axis) > 4) {
                b.*axis = a.*axis;
            }
        }
        return {{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
                {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}};
    }
    template <typename Wanted> void log_list(TrnBox around, Wanted wanted)
    {
        log += ":";
        for (const auto &[key, is_visible] : chunks) {
            const TrnCoord at = {std::get<0>(key), std::get<1>(key), std::get<2>(key)};
            if (trn_box_contains(around, at) && wanted(at, is_visible)) {
                log += " " + coord_words(at);
            }
        }
        log += "\n";
    }
    void add(const std::string &line)
    {
        text += line + "\n";
        log += line;
        operations++;
    }
    void act()
    {
        switch (number(8)) {
        case 0:
        case 1:
            return insert();
        case 2:
            return remove();
        case 3:
            return find();
        case 4:
            return neighbours();
        case 5:
            return gather_frustum();
        case 6:
            return set_visible();
        default:
            return gather();
        }
    }
    void insert()
    {
        const TrnCoord at = coord();
        if (chunks.emplace(key_of(at), false).second) {
            add("+" + coord_words(at));
            log += "\n";
        }
    }
    void remove()
    {
        if (!chunks.empty()) {
            const TrnCoord at = chosen_chunk();
            chunks.erase(key_of(at));
            add("-" + coord_words(at));
            log += "\n";
        }
    }
    void find()
    {
        const TrnCoord at = coord();
        add("?" + coord_words(at));
        log += chunks.count(key_of(at)) ? " yes\n" : " no\n";
    }
    void neighbours()
    {
        const TrnCoord at = coord();
        add("n" + coord_words(at));
        log += " ";
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            log += chunks.count(key_of(trn_coord_neighbour(at, static_cast<TrnFace>(face)))) ? "1"
                                                                                             : "0";
        }
        log += "\n";
    }
    void set_visible()
    {
        if (!chunks.empty()) {
            const TrnCoord at = chosen_chunk();
            const bool bit = number(2) == 1;
            chunks[key_of(at)] = bit;
            add("v" + coord_words(at) + (bit ? " 1" : " 0"));
            log += "\n";
        }
    }
    void gather()
    {
        const TrnBox around = box();
        const bool visible = number(2) == 1;
        add((visible ? "g" : "b") + box_words(around));
        log_list(around, [&](TrnCoord, bool is_visible) { return !visible || is_visible; });
    }
    void gather_frustum()
    {
        const TrnBox around = box();
        TrnFrustum frustum = {{axis(), axis(), axis()}, {}, static_cast<std::uint32_t>(number(7))};
        const std::string line = "f" + box_words(around) + coord_words(frustum.origin) + " " +
                                 std::to_string(frustum.count);
        std::string planes;
        for (std::uint32_t i = 0; i < 4 * frustum.count; i++) {
            const int value = static_cast<int>(number(9)) - 4;
            frustum.planes[i / 4][i % 4] = value;
            planes += " " + std::to_string(value);
        }
        text += line + planes + "\n";
        log += line;
        operations++;
        log_list(around, [&](TrnCoord at, bool) { return cube_reaches(frustum, at); });
    }

    std::mt19937_64 &random;
    std::map<TestKey, bool> chunks; ///< and whether each is visible
    std::uint64_t operations = 0;
};

std::mt19937_64 seeded(std::uint64_t seed)
{
    if (const char *text = std::getenv("TERRANE_TEST_SEED")) {
        seed = std::strtoull(text, nullptr, 0);
    }
    print_message("  seed %" PRIu64 " (set TERRANE_TEST_SEED to change it)\n", seed);
    return std::mt19937_64(seed);
}

std::string without_calls(const std::string &log)
{
    std::string kept;
    for (std::size_t at = 0; at < log.size();) {
        const std::size_t end = log.find('\n', at) + 1;
        if (log.compare(at, 5, "call ") != 0) {
            kept += log.substr(at, end - at);
        }
        at = end;
    }
    return kept;
}

void every_contender_answers_a_random_game_as_the_model_does(void **)
{
    std::mt19937_64 random = seeded(4101);
    for (int game = 0; game < 60; game++) {
        const RandomGame recorded(random);
        const Trace trace = parse(recorded.text);
        assert_string_equal(write_back(trace).c_str(), recorded.text.c_str());
        std::vector<std::uint64_t> digests;
        for (int variant = 0; variant < 8; variant++) {
            TestWorld world;
            world.numbers = variant & 1;
            world.reversed = variant & 2;
            world.own = !(variant & 4);
            const TraceFigures figures = replay(trace, world);
            assert_true(figures.refusal.empty());
            if (world.own) {
                assert_string_equal(without_calls(world.log).c_str(), recorded.log.c_str());
            }
            if (variant == 0) {
                digests = figures.digests;
            }
            assert_int_equal(digests.size(), 40);
            assert_true(figures.digests == digests);
        }
    }
}

void every_wrong_answer_changes_the_digest_of_its_frame(void **)
{
    const Trace trace = parse(small_trace);
    // For each mistake, the first frame in which it shows.
    static const std::size_t first[] = {9, 0, 0, 3, 1, 1, 1, 1, 1, 0, 0, 1, 1};
    static_assert(std::size(first) == static_cast<std::size_t>(Mistake::count));
    for (int mistake = 1; mistake < static_cast<int>(Mistake::count); mistake++) {
        for (int variant = 0; variant < 2; variant++) {
            TestWorld wrong;
            wrong.own = true;
            wrong.numbers = variant;
            wrong.mistake = static_cast<Mistake>(mistake);
            // Otherwise a chunk that should have been removed would be inserted twice.
            const Trace &asked =
                wrong.mistake == Mistake::removes_nothing
                    ? parse("terrane-trace 1\n+ 0 0 0\n.\n.\n.\n- 0 0 0\n? 0 0 0\nend 3\n")
                    : trace;
            TestWorld expected;
            const std::vector<std::uint64_t> good = replay(asked, expected).digests;
            const std::vector<std::uint64_t> got = replay(asked, wrong).digests;
            assert_int_equal(got.size(), good.size());
            const auto difference = std::mismatch(good.begin(), good.end(), got.begin()).first;
            if (static_cast<std::size_t>(difference - good.begin()) != first[mistake]) {
                fail_msg("mistake %d shows in frame %d", mistake,
                         static_cast<int>(difference - good.begin()));
            }
        }
    }
}

void a_contender_that_refuses_ends_with_its_reason(void **)
{
    const Trace trace = parse(small_trace);
    TestWorld world;
    world.room = 2;
    const TraceFigures figures = replay(trace, world);
    assert_string_equal(figures.refusal.c_str(), "there is room for 2 chunks");
    assert_int_equal(figures.frame_ns.size(), 0);

    std::vector<ContenderChunk> chunks(trace.chunk_max);
    world.chunks = chunks.data();
    world.chunk_count = trace.chunk_max;
    Contender silent = make_contender(world);
    silent.explain = nullptr;
    assert_string_equal(replay_trace(trace, silent, world, chunks.data()).refusal.c_str(),
                        "it refused");
    silent.create = [](const ContenderWorld *) -> void * { return nullptr; };
    assert_string_equal(replay_trace(trace, silent, world, chunks.data()).refusal.c_str(),
                        "there was no memory for it");
}

void an_empty_trace_is_replayed(void **)
{
    TestWorld world;
    const TraceFigures none = replay(parse("terrane-trace 1\nend 0\n"), world);
    assert_int_equal(none.frame_ns.size(), 0);
    const TraceFigures asked = replay(
        parse("terrane-trace 1\nb 0 0 0 1 1 1\nn 0 0 0\ng 0 0 0 1 1 1\n.\n.\nend 3\n"), world);
    assert_int_equal(asked.digests.size(), 2);
}

/// A damaged file is either refused with a line number, or is a trace that can be replayed.
void flipped_bytes_are_refused_or_replayed(void **)
{
    std::mt19937_64 random = seeded(4102);
    const std::string text = small_trace;
    TestFile file;
    int accepted = 0, tries = 0;
    for (std::size_t at = 0; at < text.size(); at++) {
        for (int i = 0; i < 8; i++, tries++) {
            std::string flipped = text;
            flipped[at] = static_cast<char>(random());
            if (i > 5) { // and one byte elsewhere, replaced by a character that traces use
                flipped[random() % flipped.size()] = "0123456789-+.? \nbnfgv"[random() % 21];
            }
            Trace trace;
            std::string problem;
            file.write(flipped);
            if (!read_trace(file.path(), trace, problem)) {
                assert_true(problem.find(std::string(file.path()) + ", line ") == 0);
                continue;
            }
            accepted++;
            TestWorld pointers, numbers;
            numbers.numbers = numbers.own = true;
            assert_true(replay(trace, pointers).digests == replay(trace, numbers).digests);
        }
    }
    print_message("  %d of %d were still traces\n", accepted, tries);
    assert_in_range(accepted, 1, tries / 2);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_asks_batch_by_batch),
        cmocka_unit_test(only_the_contender_s_own_time_counts),
        cmocka_unit_test(every_contender_answers_a_random_game_as_the_model_does),
        cmocka_unit_test(every_wrong_answer_changes_the_digest_of_its_frame),
        cmocka_unit_test(a_contender_that_refuses_ends_with_its_reason),
        cmocka_unit_test(an_empty_trace_is_replayed),
        cmocka_unit_test(flipped_bytes_are_refused_or_replayed),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
