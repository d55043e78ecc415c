#include "shared/crowd.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/clock.hpp"
#include "driver/report.hpp"
#include "relay.h"
#include "shared/nats.hpp"
#include "shared/party.hpp"

namespace {

const char *const q_edit = "an edit a second of each member: the server's processor time an edit";
const char *const q_log = "an edit a second of each member: bytes of the server's log an edit";
const char *const q_ack = "an edit a second of each member: until it is acknowledged, 99 of 100";
const char *const q_idle = "idle members: the server's processor time a second, each";
const char *const q_places = "places of 1,000 players, 10 a second: processor time a second";

constexpr double frame_ns = 1e9 / 30;
constexpr std::size_t row_chunks = 8; // of the members of a region
constexpr std::size_t row_regions = 10;

/// How many members, and in how many regions.
struct Size {
    std::size_t members, regions;
    std::string text() const
    {
        return std::to_string(members) + " members in " +
               (regions == 1 ? "one region" : std::to_string(regions) + " regions");
    }
};

/// Figures of crowds.
struct Samples {
    std::vector<double> edit, log, ack, idle;
};

/// What a second costs the server for each member.
struct Cost {
    double us;        ///< of its processor time
    double log_bytes; ///< of its log
};

/// Members of one world. Each has a chunk in which it edits, and all chunks of its region.
class Crowd {
  public:
    Crowd(const std::string &where, Size size, const std::string &how, double place_seconds = 60)
        : url(where), server(server_socket(where))
    {
        for (std::size_t i = 0; i < size.members; i++) {
            const std::size_t region = i % size.regions, at = i / size.regions;
            chunks.push_back(
                {static_cast<std::int32_t>(200000 + region % row_regions * 16 + at % row_chunks), 0,
                 static_cast<std::int32_t>(region / row_regions * 16 + at / row_chunks)});
        }
        for (std::size_t i = 0; i < size.members; i++) {
            parties.push_back(std::make_unique<Party>(url, how, place_seconds));
            for (std::size_t k = i % size.regions; k < size.members; k += size.regions) {
                parties.back()->load(chunks[k]);
            }
        }
        for (std::size_t i = 0; i < size.regions; i++) { // takes its region
            parties[i]->set(trn_coord_voxel(chunks[i]), TRN_BLOCK_STONE);
        }
        settle();
        log = std::make_unique<ServerLog>(url);
    }
    ~Crowd()
    {
        log.reset();
        parties.clear();
        clear_world(url, chunks);
    }
    Crowd(const Crowd &) = delete;
    Crowd &operator=(const Crowd &) = delete;

    /// Lets all play.
    /// @param acks  receives how long edits waited, in milliseconds, unless it is null
    Cost play(double seconds, std::vector<double> *acks)
    {
        const double log_before = log->bytes();
        const double server_before_us = relay_server_us(server.c_str());
        const auto frames = static_cast<int>(seconds * 30);
        const double start_ns = clock_ns(CLOCK_MONOTONIC);
        for (int frame = 0; frame < frames; frame++) {
            for (std::size_t i = 0; i < parties.size(); i++) {
                const bool is_due = static_cast<std::size_t>(frame) % 30 == i * 30 / parties.size();
                if (acks && is_due) {
                    edit(i, *acks);
                }
                (void)trn_member_update(parties[i]->member);
            }
            sleep_until_ns(start_ns + (frame + 1) * frame_ns);
        }
        const double server_us = relay_server_us(server.c_str()) - server_before_us;
        settle();
        const double log_bytes = log->bytes() - log_before;
        const double parts = seconds * static_cast<double>(parties.size());
        return {server_us / parts, log_bytes / parts};
    }
    /// Publishes the place of every member. @param step  voxels from its first place
    void place(double step)
    {
        for (std::size_t i = 0; i < parties.size(); i++) {
            const TrnVoxel voxel = trn_coord_voxel(chunks[i]);
            const double at[3] = {static_cast<double>(voxel.x) + step, 5,
                                  static_cast<double>(voxel.z)};
            trn_member_set_place(parties[i]->member, at, 0, 0);
        }
    }
    /// How many others the first one knows of.
    std::size_t others() const
    {
        return trn_member_others(parties[0]->member, nullptr, 0);
    }

  private:
    /// The time of the edit before, a second ago, is known by now.
    void edit(std::size_t i, std::vector<double> &acks)
    {
        TrnVoxel voxel = trn_coord_voxel(chunks[i]);
        const std::int64_t made = edits_made++;
        const TrnMemberStats stats = trn_member_stats(parties[i]->member);
        if (stats.acknowledged) {
            acks.push_back(stats.ack_seconds * 1e3);
        }
        voxel.x += made % TRN_CHUNK_EDGE;
        voxel.z += made / TRN_CHUNK_EDGE % TRN_CHUNK_EDGE;
        parties[i]->set(
            voxel, static_cast<TrnBlock>(1 + (made + made / TRN_CHUNK_EDGE / TRN_CHUNK_EDGE) % 5));
    }
    void settle()
    {
        for (const auto &party : parties) {
            if (trn_member_settle(party->member, 20) != TRN_RESULT_OK) {
                throw bench::Wrong{trn_member_stats(party->member).problem};
            }
        }
    }
    std::string url, server;
    std::vector<TrnCoord> chunks;
    std::vector<std::unique_ptr<Party>> parties;
    std::unique_ptr<ServerLog> log;
    std::int64_t edits_made = 0;
};

bench::Attempt attempt_of(const std::string &name, const std::shared_ptr<bench::Run> &run,
                          const std::shared_ptr<Samples> &samples,
                          std::vector<double> Samples::*figures)
{
    bench::Attempt attempt = {"PostgreSQL, " + name};
    attempt.run = run;
    attempt.figures = [samples, figures] { return (*samples).*figures; };
    return attempt;
}

bench::Attempt refused(const std::string &why)
{
    bench::Attempt attempt = {"PostgreSQL, NATS"};
    attempt.refusal = why;
    attempt.work = [] {};
    return attempt;
}

const char *const no_nats = "there is no nats-server";

/// Members that edit once a second.
void add_edits(bench::Bench &bench, const std::string &url, Size size,
               const std::shared_ptr<Nats> &nats)
{
    const double seconds = bench.options.quick ? 2 : 5;
    bench::Scene edit = {q_edit, size.text(), "us"}, log = {q_log, size.text(), "bytes"},
                 ack = {q_ack, size.text(), "ms"};
    for (const std::string &name :
         {std::string(by_notify), std::string(by_polls), std::string("NATS")}) {
        if (name == "NATS" && !nats) {
            edit.attempts.push_back(refused(no_nats));
            log.attempts.push_back(refused(no_nats));
            ack.attempts.push_back(refused(no_nats));
            continue;
        }
        const std::string how = name == "NATS" ? nats->url() : name;
        const auto samples = std::make_shared<Samples>();
        const auto run = std::make_shared<bench::Run>();
        run->samples = bench.options.quick ? 1 : 5;
        run->take = [=] {
            std::vector<double> acks, ignored;
            Crowd crowd(url, size, how);
            (void)crowd.play(2, &ignored); // regions have an owner, and statements a plan
            const Cost cost = crowd.play(seconds, &acks);
            samples->edit.push_back(cost.us);
            samples->log.push_back(cost.log_bytes);
            std::sort(acks.begin(), acks.end());
            samples->ack.push_back(acks.empty() ? 0 : acks[acks.size() * 99 / 100]);
        };
        edit.attempts.push_back(attempt_of(name, run, samples, &Samples::edit));
        log.attempts.push_back(attempt_of(name, run, samples, &Samples::log));
        ack.attempts.push_back(attempt_of(name, run, samples, &Samples::ack));
    }
    bench.stage({edit, log, ack});
}

void add_idle(bench::Bench &bench, const std::string &url, Size size,
              const std::shared_ptr<Nats> &nats)
{
    const double seconds = bench.options.quick ? 2 : 5;
    bench::Scene idle = {q_idle, size.text(), "us"};
    for (const bool has_nats : {false, true}) {
        if (has_nats && !nats) {
            idle.attempts.push_back(refused(no_nats));
            continue;
        }
        const std::string how = has_nats ? nats->url() : by_polls;
        const auto samples = std::make_shared<Samples>();
        const auto run = std::make_shared<bench::Run>();
        run->samples = bench.options.quick ? 1 : 3;
        run->take = [=] {
            Crowd crowd(url, size, how);
            (void)crowd.play(2, nullptr);
            samples->idle.push_back(crowd.play(seconds, nullptr).us);
        };
        idle.attempts.push_back(
            attempt_of(has_nats ? "NATS" : by_polls, run, samples, &Samples::idle));
    }
    bench.stage({idle});
}

/// A tenth of the members, ten times as often, as for one server's connections: ten see each other.
void add_places(bench::Bench &bench, const std::string &url, const std::shared_ptr<Nats> &nats)
{
    const double seconds = bench.options.quick ? 2 : 5;
    bench::Scene places = {q_places, "100 members, 100 times a second, 10 in a region, all walk",
                           "us"};
    if (!nats) {
        places.attempts.push_back(refused(no_nats));
        bench.stage({places});
        return;
    }
    const auto samples = std::make_shared<Samples>();
    const auto run = std::make_shared<bench::Run>();
    run->samples = bench.options.quick ? 1 : 3;
    run->take = [=] {
        Crowd crowd(url, {100, 10}, nats->url(), 0.01);
        crowd.place(0);
        (void)crowd.play(1, nullptr);
        const double start_ns = clock_ns(CLOCK_MONOTONIC), before_us = nats->server_us();
        for (int i = 0; i < seconds * 100; i++) {
            crowd.place(i * 0.01);
            sleep_until_ns(start_ns + (i + 1) * 1e7);
        }
        samples->idle.push_back((nats->server_us() - before_us) / seconds);
        if (crowd.others() != 9) {
            throw bench::Wrong{"players do not see each other"};
        }
    };
    places.attempts.push_back(attempt_of("NATS", run, samples, &Samples::idle));
    bench.stage({places});
}

} // namespace

void add_crowd(bench::Bench &bench, const std::string &url)
{
    const std::shared_ptr<Nats> nats = bench.options.check ? nullptr : Nats::start();
    for (const Size size : {Size{2, 1}, Size{30, 1}, Size{60, 1}, Size{200, 50}}) {
        add_edits(bench, url, size, nats);
    }
    for (const Size size : {Size{60, 1}, Size{1000, 250}}) {
        add_idle(bench, url, size, nats);
    }
    add_places(bench, url, nats);
}
