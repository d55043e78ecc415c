/// The peers of the index in topic `index`: contenders of common/contender.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contender.h"
#include "lookup/lookup_world.hpp"

inline const char *const by_unordered = "std::unordered_map, probed"; ///< the baseline
inline const char *const by_flat_map = "boost flat map, packed keys";
inline const char *const by_dense_map = "dense map, packed keys, filtered";

/// The built-in contender of this name, or NULL if the bench was built without it.
const Contender *find_contender(const char *name);

/// A contender that answers with pointers, and its container. Each question is one call of the
/// contender. Its answer stays valid until the next question. Functions throw std::bad_alloc if
/// memory runs out.
class Peer {
  public:
    /// @param chunks  all chunks that may ever be inserted; outlives the peer
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
    /// One step of a moving world. Writes the headers of new chunks first, so that they are in the
    /// cache like those of chunks just loaded. @return nanoseconds of the contender's calls
    double step(const WalkStep &step, ContenderChunk *headers);

    void gather(TrnBox box);
    void gather_all();
    void find(const std::vector<TrnCoord> &chunks);
    void find_neighbours(const std::vector<TrnCoord> &chunks);
    /// @param chunks  all chunks that the container holds
    void gather_ready(const std::vector<const ContenderChunk *> &chunks);

    /// The last answer; NULL for coordinates without a chunk.
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
    /// Whether the container holds exactly the chunks with these coordinates.
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
    std::size_t count = 0; ///< number of the last answers, including those that found nothing
};
