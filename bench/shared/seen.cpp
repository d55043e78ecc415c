#include "shared/seen.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/clock.hpp"
#include "driver/report.hpp"
#include "shared/party.hpp"

namespace {

const char *const by_hints = "PostgreSQL, NOTIFY";
const char *const named_polls = "PostgreSQL, polls alone";
const char *const q_own = "an edit until another sees it, of the owner";
const char *const q_queued = "an edit until another sees it, through the queue";
const char *const world_name = "two members, 60 updates a second each";

constexpr double frame_ns = 1e9 / 60;
constexpr double give_up_ns = 10e9;

/// Two members of a world. The first owns the region.
class Pair {
  public:
    Pair(std::string where, bool has_notify)
        : url(std::move(where)), notifies(has_notify), place{100000, 0, has_notify ? 0 : 1000}
    {
    }
    ~Pair()
    {
        if (owner) {
            owner.reset();
            guest.reset();
            clear_world(url, {place});
        }
    }
    Pair(const Pair &) = delete;
    Pair &operator=(const Pair &) = delete;

    /// @param is_queued  the guest edits and the owner receives the edit
    /// @return milliseconds from an edit until the other member's store has it
    double edit(bool is_queued)
    {
        begin();
        Party &from = is_queued ? *guest : *owner, &to = is_queued ? *owner : *guest;
        TrnVoxel voxel = trn_coord_voxel(place);
        voxel.x += count % TRN_CHUNK_EDGE;
        voxel.z += count / TRN_CHUNK_EDGE % TRN_CHUNK_EDGE;
        voxel.y += is_queued;
        const auto block = static_cast<TrnBlock>(
            count / TRN_CHUNK_EDGE / TRN_CHUNK_EDGE % 2 ? TRN_BLOCK_SAND : TRN_BLOCK_GRASS);
        // Varies the time of the edit within the other member's frame.
        sleep_until_ns(clock_ns(CLOCK_MONOTONIC) + frame_ns * static_cast<double>(count % 7) / 7);
        count++;
        const double start_ns = clock_ns(CLOCK_MONOTONIC);
        double now_ns = start_ns;
        from.set(voxel, block);
        (void)trn_member_update(from.member);
        for (int frame = 1; !to.has(voxel, block); frame++) {
            sleep_until_ns(start_ns + frame * frame_ns);
            (void)trn_member_update(from.member);
            (void)trn_member_update(to.member);
            now_ns = clock_ns(CLOCK_MONOTONIC);
            if (now_ns - start_ns > give_up_ns) {
                throw bench::Wrong{trn_member_stats(to.member).problem};
            }
        }
        settle();
        return (now_ns - start_ns) / 1e6;
    }

  private:
    void begin()
    {
        if (!owner) {
            owner = std::make_unique<Party>(url, notifies ? by_notify : by_polls);
            owner->load(place);
            owner->set(trn_coord_voxel(place), TRN_BLOCK_STONE);
            (void)trn_member_settle(owner->member, 10);
            guest = std::make_unique<Party>(url, notifies ? by_notify : by_polls);
            guest->load(place);
        }
    }
    void settle()
    {
        (void)trn_member_settle(owner->member, 10);
        (void)trn_member_settle(guest->member, 10);
    }
    std::string url;
    bool notifies;
    TrnCoord place; ///< a region that no other scene uses
    std::int64_t count = 1;
    std::unique_ptr<Party> owner, guest;
};

using Samples = std::shared_ptr<std::vector<double>>;

bench::Attempt attempt_of(const std::shared_ptr<Pair> &pair, const char *name, bool is_queued,
                          std::size_t edits, const Samples &samples)
{
    bench::Attempt attempt = {name};
    attempt.run = std::make_shared<bench::Run>();
    attempt.run->take = [pair, is_queued, samples] { samples->push_back(pair->edit(is_queued)); };
    attempt.run->samples = edits;
    attempt.figures = [samples] { return *samples; };
    return attempt;
}

void add_figures(Report &report, const std::string &what, const Samples &samples)
{
    if (samples->empty()) {
        return;
    }
    report.targets.push_back({world_name, what + ", p99", {percentile(*samples, 0.99)}, "ms"});
    report.targets.push_back({world_name, what + ", slowest", {percentile(*samples, 1)}, "ms"});
}

} // namespace

void add_seen(bench::Bench &bench, const std::string &url)
{
    const std::size_t edits = bench.options.quick ? 20 : 300;
    bench.stage([&bench, url, edits] {
        const std::shared_ptr<Pair> pairs[2] = {std::make_shared<Pair>(url, true),
                                                std::make_shared<Pair>(url, false)};
        for (const bool is_queued : {false, true}) {
            bench::Scene scene = {is_queued ? q_queued : q_own, world_name, "ms"};
            for (const bool is_polled : {false, true}) {
                const auto samples = std::make_shared<std::vector<double>>();
                const char *const name = is_polled ? named_polls : by_hints;
                scene.attempts.push_back(
                    attempt_of(pairs[is_polled], name, is_queued, edits, samples));
                bench.conclude([=](Report &report) {
                    add_figures(report, scene.question + ", " + name, samples);
                });
            }
            bench.add(scene);
        }
    });
}
