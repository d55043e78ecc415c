/// What topic `index` measures without Google Benchmark: memory, single steps of a walk, and a
/// writer beside a reader.
#pragma once

#include <cstddef>
#include <cstdint>

#include "worlds.hpp"

struct MemoryFigures {
    double bytes_per_chunk;       ///< with TRN_PLANE_PRESENT alone
    double bytes_per_chunk_plane; ///< for each further plane
    /// bytes of two islands a million chunks apart, by the sum of each alone
    double islands_one_axis;
    double islands_three_axes;
};

MemoryFigures measure_memory(const World &world);

/// Steps of one chunk along x, each of which inserts the chunks ahead and removes those behind.
struct WalkFigures {
    double worst_us, median_us;
    double peer_worst_us, peer_median_us; ///< of by_flat_map; infinite without it
    std::uint32_t directory_growths;
    bool is_right; ///< whether all held at the end of each walk what they had to
};

WalkFigures measure_walk(const World &world);

/// The processor time of a writer whose world moves, alone and beside a reader that gathers all the
/// time.
struct ReaderFigures {
    double alone_ns; ///< per insert or remove, median; NaN where there is no second core
    /// Beside a reader that gathers the box around the world. Reading without a section costs the
    /// writer as much: what it costs is taking back the cache lines that the reader has just looked
    /// at.
    double beside_ns;
    /// beside one that gathers where nothing is: what the sections cost
    double beside_elsewhere_ns;
    /// of the time, how much the reader had its processor; well below 1 the figures say little
    double share;
    std::uint64_t gathers; ///< by the reader, of the box around the world
    std::uint64_t wrong;   ///< of those, how many missed a chunk that was there throughout
};

ReaderFigures measure_reader(const World &world, bool is_quick);
