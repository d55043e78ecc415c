/// Streams and far views for C++17 and later (terrane/stream.h, terrane/far.h).
/// terrane/terrane.hpp says how results and handles work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_STREAM_HPP
#define TERRANE_STREAM_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <terrane/base.hpp>
#include <terrane/chunk_index.hpp>
#include <terrane/far.h>
#include <terrane/stream.h>
#include <terrane/voxels.hpp>

namespace trn {

namespace detail {

template <class, template <class> class, class = void> struct Has : std::false_type {
};
template <class Game, template <class> class Member>
struct Has<Game, Member, std::void_t<Member<Game>>> : std::true_type {
};

template <class Game> using GenerateOf = decltype(&Game::generate);
template <class Game> using LoadOf = decltype(&Game::load);
template <class Game> using SaveOf = decltype(&Game::save);
template <class Game> using MeshOf = decltype(&Game::mesh);
template <class Game> using UploadOf = decltype(&Game::upload);
template <class Game> using DropMeshOf = decltype(&Game::drop_mesh);
template <class Game> using UnloadOf = decltype(&Game::unload);

} // namespace detail

/// Makes hooks of those of the following methods that a class has (TrnStreamHooks says what each
/// does, and on which thread):
///
///     TrnResult generate(const TrnStreamJob &, Span<TrnBlock> blocks, bool &uniform);
///     TrnResult load(const TrnStreamJob &, Span<TrnBlock> blocks, bool &uniform);
///     TrnResult save(const TrnStreamJob &, Snapshot voxels);
///     TrnResult mesh(const TrnStreamJob &, const TrnStreamMeshInput &, TrnStreamMesh &mesh);
///     TrnResult upload(TrnChunk &, TrnStreamMesh &mesh);
///     void drop_mesh(TrnStreamMesh mesh) noexcept;
///     void unload(TrnChunk &) noexcept;
///
/// @param game  borrowed: must outlive the stream
template <class Game> TrnStreamHooks stream_hooks(Game &game)
{
    TrnStreamHooks hooks{};
    hooks.user = &game;
    if constexpr (detail::Has<Game, detail::GenerateOf>::value) {
        hooks.generate = [](void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform) {
            return detail::call([&] {
                return static_cast<Game *>(user)->generate(
                    *job, Span<TrnBlock>(blocks, chunk_voxels), *uniform);
            });
        };
    }
    if constexpr (detail::Has<Game, detail::LoadOf>::value) {
        hooks.load = [](void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform) {
            return detail::call([&] {
                return static_cast<Game *>(user)->load(*job, Span<TrnBlock>(blocks, chunk_voxels),
                                                       *uniform);
            });
        };
    }
    if constexpr (detail::Has<Game, detail::SaveOf>::value) {
        hooks.save = [](void *user, const TrnStreamJob *job, TrnSnapshot voxels) {
            return detail::call(
                [&] { return static_cast<Game *>(user)->save(*job, Snapshot(voxels)); });
        };
    }
    if constexpr (detail::Has<Game, detail::MeshOf>::value) {
        hooks.mesh = [](void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                        TrnStreamMesh *mesh) {
            return detail::call(
                [&] { return static_cast<Game *>(user)->mesh(*job, *input, *mesh); });
        };
    }
    if constexpr (detail::Has<Game, detail::UploadOf>::value) {
        hooks.upload = [](void *user, TrnChunk *chunk, TrnStreamMesh *mesh) {
            return detail::call([&] { return static_cast<Game *>(user)->upload(*chunk, *mesh); });
        };
    }
    if constexpr (detail::Has<Game, detail::DropMeshOf>::value) {
        hooks.drop_mesh = [](void *user, TrnStreamMesh mesh) {
            static_assert(noexcept(static_cast<Game *>(user)->drop_mesh(mesh)),
                          "C calls drop_mesh: declare it noexcept");
            static_cast<Game *>(user)->drop_mesh(mesh);
        };
    }
    if constexpr (detail::Has<Game, detail::UnloadOf>::value) {
        hooks.unload = [](void *user, TrnChunk *chunk) {
            static_assert(noexcept(static_cast<Game *>(user)->unload(*chunk)),
                          "C calls unload: declare it noexcept");
            static_cast<Game *>(user)->unload(*chunk);
        };
    }
    return hooks;
}

/// The light of a voxel.
struct VoxelLight {
    std::uint32_t sky = 0;    ///< level of the sky's, 0..15
    std::uint32_t blocks = 0; ///< level of the blocks', 0..15
};

/// Owns a stream (terrane/stream.h), which keeps a store filled around anchors. Destroy it before
/// its store; it saves nothing then.
class Stream : public Owned<Borrowed<TrnStream>, trn_stream_destroy> {
  public:
    using Owned::Owned;
    /// @param def  with a store, and a generator or a generate hook
    static Result<Stream> create(const TrnStreamDef &def)
    {
        return detail::handle_of<Stream>(trn_stream_create, &def);
    }
    Result<TrnStreamAnchorId> add(const TrnStreamAnchor &anchor)
    {
        return detail::value_of<TrnStreamAnchorId>(trn_stream_anchor_add, c_, &anchor);
    }
    Status set(TrnStreamAnchorId id, const TrnStreamAnchor &anchor)
    {
        return trn_stream_anchor_set(c_, id, &anchor);
    }
    Status remove(TrnStreamAnchorId id)
    {
        return trn_stream_anchor_remove(c_, id);
    }
    Result<TrnStreamView> view(TrnStreamAnchorId id) const
    {
        return detail::value_of<TrnStreamView>(trn_stream_view, c_, id);
    }
    /// Once a frame.
    /// @param report  receives what the update did, on every result; may be NULL
    /// @param budget  NULL: the def's
    Status update(TrnStreamReport *report = nullptr, const TrnStreamBudget *budget = nullptr)
    {
        return trn_stream_update(c_, budget, report);
    }
    /// Updates until it is idle. Errors: BUSY (not after updates_max), and those of update().
    Status settle(std::uint32_t updates_max)
    {
        return trn_stream_settle(c_, updates_max);
    }
    Status save()
    {
        return trn_stream_save(c_);
    }
    void remesh()
    {
        trn_stream_remesh(c_);
    }
    void wait()
    {
        trn_stream_wait(c_);
    }
    void set_scratch(std::size_t bytes)
    {
        trn_stream_set_scratch(c_, bytes);
    }
    TrnStreamReadiness readiness(TrnVoxel min, TrnVoxel max) const
    {
        return trn_stream_readiness(c_, min, max);
    }
    /// For gathers by the stream's planes; its values are private.
    IndexView index() const
    {
        return trn_stream_index(c_);
    }
    /// The light of a voxel, as of the mesh of its chunk.
    Result<VoxelLight> get_light(TrnVoxel voxel) const
    {
        VoxelLight light;
        const TrnResult result = trn_stream_get_light(c_, voxel, &light.sky, &light.blocks);
        return result == TRN_RESULT_OK ? Result<VoxelLight>(light) : result;
    }
    TrnStreamExplanation explain(TrnCoord coord) const
    {
        return trn_stream_explain(c_, coord);
    }
    TrnStreamStats stats() const
    {
        return trn_stream_stats(c_);
    }
    void reset_times()
    {
        trn_stream_reset_times(c_);
    }
};

/// Owns a far view (terrane/far.h), which shows land to the horizon beyond a stream. Destroy it
/// before its stream; it saves nothing then.
class Far : public Owned<Borrowed<TrnFar>, trn_far_destroy> {
  public:
    using Owned::Owned;
    /// @param def  with a stream, a mesh hook, and a generator with levels; TrnFarDef.draw must not
    ///             throw
    static Result<Far> create(const TrnFarDef &def)
    {
        return detail::handle_of<Far>(trn_far_create, &def);
    }
    /// Once a frame, after the stream's.
    /// @param report  receives what the update did, on every result; may be NULL
    /// @param budget  NULL: the def's
    Status update(TrnStreamReport *report = nullptr, const TrnStreamBudget *budget = nullptr)
    {
        return trn_far_update(c_, budget, report);
    }
    Status set_view(const TrnFarView &view)
    {
        return trn_far_set_view(c_, &view);
    }
    TrnFarView view() const
    {
        return trn_far_view(c_);
    }
    Status save()
    {
        return trn_far_save(c_);
    }
    void remesh()
    {
        trn_far_remesh(c_);
    }
    bool is_drawn(std::uint32_t level, TrnCoord coord) const
    {
        return trn_far_is_drawn(c_, level, coord);
    }
    TrnFarStats stats() const
    {
        return trn_far_stats(c_);
    }
};

} // namespace trn

#endif
