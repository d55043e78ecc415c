// Exact replay: the same flight comes to the same voxels and meshes, whoever makes them.

#include <cinttypes>
#include <cstdio>
#include <new>

#include "driver/child.hpp"
#include "stream_flight.hpp"
#include "stream_parts.hpp"

namespace {

const std::uint32_t replay_updates = 180, replay_units = 40;

/// Flies straight, digs, and is elsewhere twice; a second player follows.
std::uint64_t replay_hash(std::uint32_t workers, bool is_tight)
{
    StreamWorldOptions options;
    options.workers = workers;
    options.counts_scratch = false;
    options.columns = 512;
    options.budget = budget_of_units(replay_units);
    options.bytes_max = is_tight ? std::size_t{12} << 20 : 0; // the view does not fit: it shrinks
    StreamWorld world(options);
    TrnStreamAnchorId ids[2] = {};
    std::uint64_t hash = 0;
    for (std::uint32_t i = 0; i < replay_updates; i++) {
        for (std::uint32_t player = 0; player < 2; player++) {
            TrnStreamAnchor anchor = trn_stream_anchor();
            const std::int64_t step = i, second = player;
            const std::int64_t x = 4 * step + 20 * second + 3000 * (step / 70), z = 30 * second;
            anchor.position = trn_voxel_position({x, world.ground(x, z) + 4, z});
            anchor.view[0] = 1;
            anchor.radius_chunks = 5;
            anchor.height_chunks = 2;
            const TrnResult result =
                i ? trn_stream_anchor_set(world.stream(), ids[player], &anchor)
                  : trn_stream_anchor_add(world.stream(), &anchor, &ids[player]);
            if (result != TRN_RESULT_OK) {
                throw std::bad_alloc();
            }
            if (i % 5 == player) {
                world.dig({x + 9, world.ground(x + 9, z), z}, 4);
            }
        }
        world.update();
        if (i % 20 == 19) {
            hash = hash * 0x9E3779B97F4A7C15u + world.hash();
        }
    }
    return hash;
}

bool replay_agrees(bool is_tight)
{
    std::uint64_t first = 0;
    std::printf("Replay%s, hash of all voxels and meshes at nine moments:\n",
                is_tight ? " within 12 MiB" : "");
    for (const std::uint32_t workers : {0u, 1u, 2u, 4u, 8u}) {
        // In a process of its own: the bench itself starts no threads before it starts others.
        Child child([&](const Desk &desk) {
            const std::uint64_t hash = replay_hash(workers, is_tight);
            Reply reply;
            reply.figures = {static_cast<double>(hash >> 32),
                             static_cast<double>(hash & UINT32_MAX)};
            desk.reply(reply);
        });
        const Reply reply = child.await(600);
        if (reply.verdict != Reply::fine || reply.figures.size() != 2) {
            std::fprintf(stderr, "terrane-bench: the replay with %u workers failed: %s.\n", workers,
                         reply.text.c_str());
            return false;
        }
        const std::uint64_t hash = static_cast<std::uint64_t>(reply.figures[0]) << 32 |
                                   static_cast<std::uint64_t>(reply.figures[1]);
        std::printf("  %u workers  %016" PRIx64 "\n", workers, hash);
        first = workers ? first : hash;
        if (hash != first) {
            std::fprintf(stderr,
                         "terrane-bench: with %u workers the world comes out otherwise than with "
                         "none; no figures are shown.\n",
                         workers);
            return false;
        }
    }
    return true;
}

} // namespace

bool replays_agree()
{
    return replay_agrees(false) && replay_agrees(true);
}
