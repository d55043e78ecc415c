/// A world for contenders: chunks with headers, the questions' coordinates, and the right answers,
/// computed by brute force.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "contender.h"
#include "lookup_headers.hpp"
#include "worlds.hpp"

/// One step of a world that follows its viewer along x.
struct WalkStep {
    std::vector<ContenderEntry> come; ///< inserted; their headers still hold other coordinates
    std::vector<TrnCoord> go;         ///< removed
    std::vector<std::uint32_t> go_numbers = {}; ///< numbers of the removed chunks' headers
};

class LookupWorld {
  public:
    /// @param walk_steps  length of the walk; 0: none
    /// @throws std::bad_alloc
    LookupWorld(World filled, int walk_steps);

    World world;
    ContenderWorld given = {};
    /// [given.chunk_count]; those after world.chunks are for the walk
    ContenderChunk *headers = nullptr;
    std::vector<const ContenderChunk *> chunks; ///< one per chunk of the world, in its order
    std::vector<ContenderEntry> entries;        ///< the same chunks, to be inserted
    TrnFrustum frustum = {};                    ///< of a camera in the middle of the box
    std::vector<TrnCoord> hits;                 ///< chunks of the world, in random order
    std::vector<TrnCoord> misses;               ///< empty places near them, in random order
    std::vector<TrnCoord> seen;                 ///< the visible chunks
    std::vector<WalkStep> steps;

    // The right answers: chunk numbers, ascending.
    std::vector<std::uint32_t> all, in_box, in_frustum, in_box_visible, ready;
    /// The number of the chunk at a place, or CONTENDER_NUMBER_NONE.
    std::uint32_t number_at(TrnCoord coord) const;

  private:
    void make_headers(std::size_t spare);
    void make_asks();
    void make_answers();
    void make_walk(int count, const Shell &shell);
    bool is_ready(TrnCoord coord) const;

    struct Place {
        TrnCoord coord;
        std::uint32_t number;
    };
    std::unique_ptr<LookupHeaders> slots;
    std::vector<Place> places; ///< sorted by coordinate
};
