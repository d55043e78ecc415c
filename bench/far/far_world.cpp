#include "far_world.hpp"

#include <cmath>
#include <vector>

#include "owned.hpp"

namespace {

const double above = 20; ///< blocks above the ground

TrnStreamAnchor player_at(double blocks, std::int64_t y, double speed)
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    const double whole = std::floor(blocks / TRN_CHUNK_EDGE);
    anchor.position = trn_voxel_position({0, y, 0});
    anchor.position.chunk.x = static_cast<std::int32_t>(whole);
    anchor.position.offset[0] = blocks - whole * TRN_CHUNK_EDGE;
    anchor.velocity[0] = speed;
    anchor.view[0] = 1;
    anchor.radius_chunks = FarWorld::radius;
    anchor.height_chunks = FarWorld::height;
    return anchor;
}

} // namespace

FarWorld::FarWorld(std::uint32_t distance)
    : world_([this] {
          StreamWorldOptions options;
          options.adjust = [this](TrnStreamDef &def) {
              hooks_ = def.hooks;
              generator_ = def.generator;
          };
          return options;
      }()),
      ground_(world_.ground(0, 0)),
      anchor_(player_at(0, ground_ + static_cast<std::int64_t>(above), 0)),
      id_(world_.add_anchor(anchor_))
{
    if (!distance) {
        return;
    }
    TrnFarDef def = trn_far_def();
    def.stream = world_.stream();
    def.generator = generator_;
    def.hooks = hooks_;
    def.store.user_bytes = sizeof(void *);
    def.view = trn_far_view_to(distance, radius);
    require(trn_far_create(&def, &far_view_));
}

FarWorld::~FarWorld()
{
    trn_far_destroy(far_view_);
}

void FarWorld::move(double blocks, double speed)
{
    anchor_ = player_at(blocks, ground_ + static_cast<std::int64_t>(above), speed);
    trn_stream_anchor_set(world_.stream(), id_, &anchor_);
}

bool FarWorld::update()
{
    TrnStreamReport beyond = {};
    beyond.is_idle = true;
    is_near_idle_ = world_.update().is_idle;
    if (far_view_) {
        trn_far_update(far_view_, nullptr, &beyond); // failures are retried, and show as holes
    }
    return is_near_idle_ && beyond.is_idle;
}

bool FarWorld::has_ground() const
{
    return trn_stream_readiness(world_.stream(), {-1, ground_ - 1, -1}, {1, ground_ + 3, 1})
        .is_loaded;
}

// ---- figures -----------------------------------------------------------------------------------

double FarWorld::bytes() const
{
    // The stream counts its guests and what the hooks allocated, but not the cover.
    const std::size_t cover = far_view_ ? trn_far_stats(far_view_).cover_bytes : 0;
    return static_cast<double>(trn_stream_bytes(world_.stream()) + cover);
}

double FarWorld::quads() const
{
    double sum = 0;
    const std::uint32_t levels = far_view_ ? trn_far_view(far_view_).levels : 0;
    for (std::uint32_t level = 0; level <= levels; level++) {
        TrnStore *store = level ? trn_far_store(far_view_, level) : world_.store();
        std::vector<TrnChunk *> chunks(trn_store_gather(store, trn_box_everything(), nullptr, 0));
        trn_store_gather(store, trn_box_everything(), chunks.data(), chunks.size());
        for (TrnChunk *chunk : chunks) {
            if (!far_view_ || trn_far_is_drawn(far_view_, level, chunk->coord)) {
                sum += StreamWorld::quad_count(chunk);
            }
        }
    }
    return sum;
}

double FarWorld::chunks() const
{
    if (!far_view_) {
        return trn_stream_stats(world_.stream()).loaded;
    }
    const TrnFarStats stats = trn_far_stats(far_view_);
    double sum = 0;
    for (std::uint32_t level = 0; level <= stats.levels; level++) {
        sum += stats.level[level].loaded;
    }
    return sum;
}

bool FarWorld::is_whole(std::uint32_t level, TrnCoord coord) const
{
    if (trn_far_is_drawn(far_view_, level, coord)) {
        return true;
    }
    bool is_whole = level > 0;
    for (int i = 0; is_whole && i < 8; i++) {
        is_whole = this->is_whole(
            level - 1, {coord.x * 2 + (i & 1), coord.y * 2 + (i >> 2), coord.z * 2 + (i >> 1 & 1)});
    }
    return is_whole;
}

double FarWorld::holes() const
{
    const TrnFarView view = trn_far_view(far_view_);
    const auto reach = static_cast<std::int32_t>(view.last_radius_chunks * 3 / 4);
    const TrnCoord at = anchor_.position.chunk;
    double holes = 0;
    for (std::int32_t z = -reach; z <= reach; z++) {
        for (std::int32_t x = -reach; x <= reach; x++) {
            const TrnCoord coord = {(at.x >> view.levels) + x, at.y >> view.levels,
                                    (at.z >> view.levels) + z};
            holes += x * x + z * z <= reach * reach && !is_whole(view.levels, coord);
        }
    }
    return holes;
}
