/// Worlds with chunks in Terrane's store: with simple light and meshes (game_derived.hpp), or with
/// Terrane's.
#pragma once

#include <memory>
#include <vector>

#include <terrane/light.h>
#include <terrane/mesher.h>

#include "game_derived.hpp"
#include "owned.hpp"

namespace game {

constexpr TrnPlane dirty = 2; // after `wanted`

/// A store with a plane of dirty chunks, which an event listener updates. Each chunk has an
/// `Extra`.
template <class Extra> class DirtyStore : public StoreWorld {
  public:
    DirtyStore() : StoreWorld(def(), {wanted_plane, {"dirty", false}})
    {
        check(trn_store_subscribe(store, every_kind, on_event, this));
    }
    virtual ~DirtyStore()
    {
        check(trn_store_unsubscribe(store, on_event, this));
        drawn.resize(gather(trn_box_everything(), drawn));
        for (TrnChunk *const chunk : drawn) {
            delete extra_of(chunk);
        }
    }
    static Extra *&extra_of(TrnChunk *chunk)
    {
        return *static_cast<Extra **>(trn_chunk_user(chunk));
    }
    bool has(TrnCoord coord) const
    {
        return trn_store_find(store, coord) != nullptr;
    }
    void set(TrnVoxel voxel, TrnBlock block)
    {
        check(trn_store_set_block(store, voxel, block, nullptr));
    }
    void mark(TrnChunk *chunk)
    {
        check(trn_chunk_index_plane_set(trn_store_index(store), dirty, chunk->coord, true));
    }
    void clean(TrnChunk *chunk)
    {
        check(trn_chunk_index_plane_set(trn_store_index(store), dirty, chunk->coord, false));
    }
    void find_dirty(TrnBox box, std::vector<TrnCoord> &out) const
    {
        gather_coords(trn_store_index(store), box, TRN_PLANE_BIT(dirty), 0, out);
    }
    std::size_t gather_frustum(TrnBox box, const TrnFrustum &frustum,
                               std::vector<TrnChunk *> &out) const
    {
        TrnChunkGather gather = {};
        gather.box = box;
        gather.frustum = &frustum;
        gather.pool = trn_store_pool(store);
        gather.pointers = reinterpret_cast<void **>(out.data());
        gather.capacity = out.size();
        return trn_chunk_index_gather(trn_store_index(store), &gather);
    }

  protected:
    /// Marks chunks around a chunk as dirty. @param around bits in the order of trn_coord_around
    void mark_around(TrnCoord coord, std::uint32_t around)
    {
        for (std::uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
            TrnChunk *const chunk = around >> place & 1
                                        ? trn_store_find(store, trn_coord_around(coord, place))
                                        : nullptr;
            if (chunk) {
                mark(chunk);
            }
        }
    }
    virtual void inserted(TrnChunk *)
    {
    }
    virtual void changed(TrnChunk *)
    {
    }

  private:
    static constexpr std::uint32_t every_kind = TRN_EVENT_BIT(TRN_EVENT_INSERTED) |
                                                TRN_EVENT_BIT(TRN_EVENT_CHANGED) |
                                                TRN_EVENT_BIT(TRN_EVENT_REMOVED);
    static TrnStoreDef def()
    {
        TrnStoreDef def = trn_store_def();
        def.user_bytes = sizeof(Extra *);
        return def;
    }
    void take(TrnEventKind kind, const TrnEventChunk &chunk)
    {
        if (kind == TRN_EVENT_INSERTED) {
            extra_of(chunk.chunk) = new Extra();
            mark(chunk.chunk);
            inserted(chunk.chunk);
        } else if (kind == TRN_EVENT_CHANGED) {
            mark_around(chunk.coord, chunk.around);
            changed(chunk.chunk);
        } else {
            delete extra_of(chunk.chunk);
        }
    }
    static TrnResult on_event(TrnStore *, const TrnStoreEvent *event, void *user)
    {
        for (std::uint32_t i = 0; i < event->count; i++) {
            static_cast<DirtyStore *>(user)->take(event->kind, event->chunks[i]);
        }
        return TRN_RESULT_OK;
    }
    std::vector<TrnChunk *> drawn;
};

/// A store for the simple light and mesher, which read its voxels one by one.
class OwnStore : public DirtyStore<Derived> {
  public:
    using Handle = TrnChunk *;

    struct Reader {
        TrnSnapshot snapshot;
        TrnBlock get(std::uint32_t index) const
        {
            return trn_snapshot_get(snapshot, index);
        }
    };
    static Reader reader(Handle chunk)
    {
        return {trn_voxels_snapshot(&chunk->voxels)};
    }
    static Derived &derived(Handle chunk)
    {
        return *extra_of(chunk);
    }
    static bool is_uniform(Handle chunk)
    {
        return trn_snapshot_is_uniform(trn_voxels_snapshot(&chunk->voxels));
    }
    std::size_t light_bytes() const
    {
        std::vector<TrnChunk *> all;
        all.resize(gather(trn_box_everything(), all));
        std::size_t bytes = all.size() * sizeof(Derived);
        for (TrnChunk *const chunk : all) {
            bytes += derived(chunk).light.bytes();
        }
        return bytes;
    }
};

/// The data that TerraneWorld stores for each chunk.
struct Meshed {
    std::uint32_t open[TRN_CHUNK_EDGE]; ///< columns without anything that blocks sky light
    std::vector<TrnQuad> quads;
    std::vector<std::uint32_t> light; ///< by quad, if it varies
};

/// A world with Terrane's store, light and mesher.
class TerraneWorld : public DirtyStore<Meshed> {
  public:
    TerraneWorld();
    ~TerraneWorld() override;

    /// Solves the light of the chunks that edits reach, and keeps it for their next meshes.
    void settle_light();
    /// Solves the light of a chunk about to be meshed, unless settle_light() has.
    void light_chunk(TrnCoord coord);
    /// @return whether the chunk has visible faces
    bool mesh(TrnCoord coord);

    // Values that are compared between contenders.
    std::uint64_t faces_hash(TrnCoord coord) const;
    std::uint32_t level(TrnVoxel voxel);

    /// Bytes of the solver and the mesher; light is not stored.
    std::size_t light_bytes() const;

  protected:
    void inserted(TrnChunk *chunk) override;
    void changed(TrnChunk *chunk) override;

  private:
    struct Solved {
        TrnCoord coord;
        std::unique_ptr<TrnLight> sky;
    };
    struct Reach {
        TrnCoord coord;
        std::uint32_t around;
    };
    static void changing(void *user, TrnCoord coord, TrnSnapshot before, TrnSnapshot after);
    bool shows_nothing(std::uint32_t present) const;
    void open_above(TrnCoord coord, std::uint32_t (*rows)[TRN_CHUNK_EDGE]) const;
    void solve(TrnCoord coord, TrnLight &out);

    TrnStoreWatch watch = {changing, this, nullptr, nullptr, nullptr, false};
    std::size_t solver_bytes = 0;
    Owned<TrnLightSolver, trn_light_solver_destroy> solver;
    Scratch scratch = make_scratch(TRN_MESH_SCRATCH_BYTES);
    std::vector<Reach> reaches;    ///< of edits, not lit yet
    std::vector<Solved> solved;    ///< chunks that are lit and not meshed yet; few
    TrnMeshInput input = {};       ///< of the chunk being meshed
    TrnLight sky = {};             ///< its light, if not in `solved`
    const TrnLight *lit = nullptr; ///< the light in use: `sky` or one of `solved`
    TrnMesh built;
};

} // namespace game
