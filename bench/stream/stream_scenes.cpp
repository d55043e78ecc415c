// What the scenes of the hand-over share.

#include "stream_scenes.hpp"

#include <algorithm>
#include <new>

#include "driver/timing.hpp"

// ---- land --------------------------------------------------------------------------------------

FlatLand::FlatLand()
    : hills_(static_cast<std::size_t>(TRN_CHUNK_VOXELS)),
      dirt_(static_cast<std::size_t>(TRN_CHUNK_VOXELS))
{
    for (std::uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        for (std::uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            for (std::uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
                const std::uint32_t i = trn_local_index(x, y, z);
                const std::uint32_t top = 12 + ((x / 8 + z / 8) & 3);
                hills_[i] = y <= top ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
                dirt_[i] = (x / 4 + y / 4 + z / 4) % 3 ? TRN_BLOCK_STONE : TRN_BLOCK_DIRT;
            }
        }
    }
}

TrnGenerator FlatLand::generator()
{
    return {generate, this, 0};
}

TrnResult FlatLand::generate(void *user, TrnCoord coord, std::uint32_t, TrnBlock *blocks,
                             bool *uniform)
{
    const auto *land = static_cast<const FlatLand *>(user);
    *uniform = coord.y > 0 || coord.y < -7;
    if (*uniform) {
        blocks[0] = coord.y > 0 ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
    } else {
        const std::vector<TrnBlock> &layer = coord.y == 0 ? land->hills_ : land->dirt_;
        std::copy(layer.begin(), layer.end(), blocks);
    }
    return TRN_RESULT_OK;
}

// ---- running -----------------------------------------------------------------------------------

TrnStreamAnchorId add_anchor(StreamWorld &world, TrnVoxel at, std::uint32_t radius,
                             std::uint32_t height)
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = trn_voxel_position(at);
    anchor.view[0] = 1;
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    TrnStreamAnchorId id = {};
    if (trn_stream_anchor_add(world.stream(), &anchor, &id) != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
    return id;
}

double update_until_idle(StreamWorld &world, double updates_s, double seconds_max)
{
    const double begun_ns = clock_ns(CLOCK_MONOTONIC);
    for (double frame_ns = begun_ns;;) {
        const bool is_idle = world.update().is_idle;
        const double seconds = (clock_ns(CLOCK_MONOTONIC) - begun_ns) / 1e9;
        if (is_idle || seconds >= seconds_max) {
            return seconds;
        }
        if (updates_s > 0) {
            frame_ns += 1e9 / updates_s;
            sleep_until_ns(frame_ns);
        }
    }
}

Reply run_apart(const std::function<Reply()> &work, double seconds)
{
    Child child([&](const Desk &desk) { desk.reply(work()); });
    Reply reply = child.await(seconds);
    if (reply.verdict != Reply::fine && reply.text.empty()) {
        reply.text = "it ended early";
    }
    return reply;
}

void push_hash(std::vector<double> &figures, std::uint64_t hash)
{
    figures.push_back(static_cast<double>(hash >> 32));
    figures.push_back(static_cast<double>(hash & UINT32_MAX));
}
