/// What topic `index` holds the index against: contenders of common/contender.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contender.h"
#include "lookup/lookup_world.hpp"

inline const char *const by_unordered = "std::unordered_map, probed"; ///< the baseline
inline const char *const by_flat_map = "boost flat map, packed keys";
inline const char *const by_dense_map = "dense map, packed keys, filtered";

/// The built-in contender of a name, or NULL where the bench was built without it.
const Contender *find_contender(const char *name);

/// A contender that answers with pointers, and its container. Each question is one call of the
/// contender; what it answered stands until the next. Running out of memory throws std::bad_alloc.
class Peer {
  public:
    /// @param chunks  all that may ever be inserted; outlives the peer
    Peer(const Contender &measured, const ContenderWorld &chunks);
    ~Peer();
    Peer(const Peer &) = delete;
    Peer &operator=(const Peer &) = delete;

    void insert(const std::vector<ContenderEntry> &entries)
    {
        insert(entries.data(), entries.size());
    }
    void insert(const ContenderEntry *entries, std::size_t entry_count);
    void remove(const TrnCoord *chunks, std::size_t chunk_count);
    /// One step of a moving world. Chunks are inserted a few at a time, each few after their
    /// headers have been written, as what has just been loaded: in the cache. @return nanoseconds
    /// that the contender took
    double step(const WalkStep &step, ContenderChunk *headers);

    void gather(TrnBox box);
    void gather_all();
    void find(const std::vector<TrnCoord> &chunks);
    void find_neighbours(const std::vector<TrnCoord> &chunks);
    /// @param chunks  all that are there
    void gather_ready(const std::vector<const ContenderChunk *> &chunks);

    /// What the last question answered; NULL where nothing was found.
    const ContenderChunk *const *begin() const
    {
        return out.data();
    }
    const ContenderChunk *const *end() const
    {
        return out.data() + count;
    }
    /// The numbers of the chunks that the last question found.
    std::vector<std::uint32_t> found() const;
    /// Whether it holds chunks with these coordinates, and nothing else.
    bool holds_just(const std::vector<TrnCoord> &chunks);

    const char *name() const
    {
        return contender.name;
    }

  private:
    void make_room(std::size_t answers);
    const Contender &contender;
    const ContenderWorld &world;
    void *self;
    std::vector<const ContenderChunk *> out;
    std::size_t count = 0; ///< of the last answers, those that found nothing included
};
