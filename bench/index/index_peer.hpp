/// What topic `index` holds the index against: contenders of bench/contender.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contender.h"

inline const char *const by_unordered = "std::unordered_map, probed"; ///< the baseline
inline const char *const by_flat_map = "boost flat map, packed keys";

/// The built-in contender of a name, or NULL where the bench was built without it.
const Contender *find_contender(const char *name);

/// One step of a moving world: whose headers come, and which places are left.
struct PeerStep {
    std::vector<const ContenderChunk *> come;
    std::vector<TrnCoord> go;
};

/// A contender that answers with pointers, and its container. Whatever is timed is one call of the contender, or two in a step; what
/// it answered stands until the next question. Running out of memory throws std::bad_alloc.
class Peer {
  public:
    /// @param chunks  all that may ever be inserted; outlives the peer
    Peer(const Contender &measured, const ContenderWorld &chunks);
    ~Peer();
    Peer(const Peer &) = delete;
    Peer &operator=(const Peer &) = delete;

    void insert(const std::vector<const ContenderChunk *> &chunks);
    void step(const PeerStep &step);

    void gather(TrnBox box);
    void gather_all();
    void find(const std::vector<TrnCoord> &chunks);
    void find_neighbours(const std::vector<TrnCoord> &chunks);
    /// @param chunks  all that are there
    void gather_ready(const std::vector<const ContenderChunk *> &chunks);

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
