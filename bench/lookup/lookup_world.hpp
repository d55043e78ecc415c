/// A world as topic `lookup` puts it before contenders: chunks with headers, what is asked, and the
/// right answers, found by definition.
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
    std::vector<ContenderEntry> come; ///< whose headers do not know yet that they come
    std::vector<TrnCoord> go;
    std::vector<std::uint32_t> go_numbers = {}; ///< of the headers that those had
};

class LookupWorld {
  public:
    /// @param walk_steps  how far contenders walk; 0: not at all
    /// @throws std::bad_alloc
    LookupWorld(World filled, int walk_steps);

    World world;
    ContenderWorld given = {};
    /// [given.chunk_count]; of the walk, those behind world.chunks
    ContenderChunk *headers = nullptr;
    std::vector<const ContenderChunk *> chunks; ///< one per chunk of the world, in its order
    std::vector<ContenderEntry> entries;        ///< the same, as they are inserted
    TrnFrustum frustum = {};                    ///< of a camera in the middle of the box
    std::vector<TrnCoord> hits;                 ///< chunks that are there, in random order
    std::vector<TrnCoord> misses;               ///< places near them that are empty, likewise
    std::vector<TrnCoord> seen;                 ///< the visible chunks
    std::vector<WalkStep> steps;

    // The right answers: numbers, ascending.
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
    std::vector<Place> places; ///< sorted, to be searched
};
