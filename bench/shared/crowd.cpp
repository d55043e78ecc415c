#include "shared/crowd.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/clock.hpp"
#include "driver/report.hpp"
#include "relay.h"
#include "shared/party.hpp"

namespace {

const char *const by_hints = "PostgreSQL, NOTIFY";
const char *const by_polls = "PostgreSQL, polls alone";
const char *const q_edit = "an edit a second of each member: the server's processor time an edit";
const char *const q_idle = "idle members: the server's processor time a second, each";

constexpr double frame_ns = 1e9 / 30;

/// Members of one world, all in one region. Each has a chunk in which it edits, and all chunks.
class Crowd {
  public:
    Crowd(const std::string &where, std::size_t count, bool has_notify)
        : url(where), server(server_socket(where))
    {
        for (std::size_t i = 0; i < count; i++) {
            const auto x = static_cast<std::int32_t>(i % 8), z = static_cast<std::int32_t>(i / 8);
            chunks.push_back({200000 + x, 0, z});
        }
        for (std::size_t i = 0; i < count; i++) {
            parties.push_back(std::make_unique<Party>(url, has_notify));
            for (const TrnCoord &chunk : chunks) {
                parties.back()->load(chunk);
            }
        }
        parties[0]->set(trn_coord_voxel(chunks[0]), TRN_BLOCK_STONE); // owns the region
        (void)trn_member_settle(parties[0]->member, 10);
    }
    ~Crowd()
    {
        parties.clear();
        clear_world(url, chunks);
    }
    Crowd(const Crowd &) = delete;
    Crowd &operator=(const Crowd &) = delete;

    /// Lets all play.
    /// @return microseconds of the server's processor time for each member and second
    double play(double seconds, bool edits)
    {
        const double server_before_us = relay_server_us(server.c_str());
        const auto frames = static_cast<int>(seconds * 30);
        const double start_ns = clock_ns(CLOCK_MONOTONIC);
        for (int frame = 0; frame < frames; frame++) {
            for (std::size_t i = 0; i < parties.size(); i++) {
                const bool is_due = static_cast<std::size_t>(frame) % 30 == i * 30 / parties.size();
                if (edits && is_due) {
                    edit(i);
                }
                (void)trn_member_update(parties[i]->member);
            }
            sleep_until_ns(start_ns + (frame + 1) * frame_ns);
        }
        const double server_us = relay_server_us(server.c_str()) - server_before_us;
        for (const auto &party : parties) {
            if (trn_member_settle(party->member, 10) != TRN_RESULT_OK) {
                throw bench::Wrong{trn_member_stats(party->member).problem};
            }
        }
        return server_us / seconds / static_cast<double>(parties.size());
    }

  private:
    void edit(std::size_t i)
    {
        TrnVoxel voxel = trn_coord_voxel(chunks[i]);
        voxel.x += edits_made % TRN_CHUNK_EDGE;
        voxel.z += edits_made / TRN_CHUNK_EDGE % TRN_CHUNK_EDGE;
        edits_made++;
        parties[i]->set(voxel, static_cast<TrnBlock>(1 + edits_made % 5));
    }
    std::string url, server;
    std::vector<TrnCoord> chunks;
    std::vector<std::unique_ptr<Party>> parties;
    std::int64_t edits_made = 0;
};

/// Figures of crowds.
struct Samples {
    std::vector<double> edit, idle;
};

bench::Attempt attempt_of(bool has_notify, const std::shared_ptr<bench::Run> &run,
                          const std::shared_ptr<Samples> &samples,
                          std::vector<double> Samples::*figures)
{
    bench::Attempt attempt = {has_notify ? by_hints : by_polls};
    attempt.run = run;
    attempt.figures = [samples, figures] { return (*samples).*figures; };
    return attempt;
}

} // namespace

void add_crowd(bench::Bench &bench, const std::string &url)
{
    const double seconds = bench.options.quick ? 2 : 5;
    for (const std::size_t count : {std::size_t{2}, std::size_t{60}}) {
        const std::string world = std::to_string(count) + " members in one region";
        bench::Scene edit = {q_edit, world, "us"}, idle = {q_idle, world, "us"};
        for (const bool has_notify : {true, false}) {
            const auto samples = std::make_shared<Samples>();
            const auto run = std::make_shared<bench::Run>();
            run->samples = bench.options.quick ? 1 : 5;
            run->take = [=] {
                Crowd crowd(url, count, has_notify);
                (void)crowd.play(1, true); // regions have an owner, and statements a plan
                samples->edit.push_back(crowd.play(seconds, true));
                samples->idle.push_back(crowd.play(seconds, false));
            };
            edit.attempts.push_back(attempt_of(has_notify, run, samples, &Samples::edit));
            idle.attempts.push_back(attempt_of(has_notify, run, samples, &Samples::idle));
        }
        bench.stage({edit, idle});
    }
}
