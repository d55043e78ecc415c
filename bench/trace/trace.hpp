/// Recorded operations on the chunks of a world (docs/trace.md): reads them from a file, and
/// replays them with a contender.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contender.h"

/// The kinds of operations. Their order is that of TraceFigures.
enum class TraceKind : std::uint8_t {
    insert,
    remove,
    find,
    neighbours,
    gather,
    gather_frustum,
    gather_visible,
    set_visible
};
inline constexpr int trace_kind_count = 8;
/// "insert", "six neighbours", ...: for tables.
const char *trace_kind_name(TraceKind kind);

/// Consecutive operations of one kind within a frame: a range of Trace::coords, of Trace::boxes, or
/// of both.
struct TraceBatch {
    TraceKind kind;
    bool is_visible;            ///< of set_visible
    std::uint32_t first, count; ///< in coords (single chunks), or in boxes (gathers; count is 1)
    std::uint32_t frustum;      ///< of gather_frustum: in frustums
};

struct Trace {
    std::string name; ///< the file's
    std::vector<TrnCoord> coords;
    std::vector<TrnBox> boxes;
    std::vector<TrnFrustum> frustums;
    std::vector<TraceBatch> batches;
    std::vector<std::uint32_t> frames; ///< for each frame, one past its last batch
    std::uint32_t chunk_max = 0;       ///< the most chunks at any time
    std::uint64_t operations = 0;
    TrnBox box = {}; ///< box around all chunks that are ever inserted
};

/// Reads a whole trace. @return false if the file cannot be read, is truncated or damaged;
/// `problem` then has the reason and the line
bool read_trace(const std::string &path, Trace &trace, std::string &problem);

/// Times and answers of one replay.
struct TraceFigures {
    std::vector<double> frame_ns;                    ///< one per frame, all kinds together
    double kind_ns[trace_kind_count] = {};           ///< all frames together
    std::uint64_t kind_count[trace_kind_count] = {}; ///< operations
    /// A hash of all answers of each frame. The order of lists does not matter. All contenders must
    /// agree.
    std::vector<std::uint64_t> digests;
    std::string refusal; ///< why the contender could not finish; empty if it did
};

/// Replays a trace from an empty container. Only the contender's functions are timed.
/// @param chunks  [trace.chunk_max] headers for the replay's chunks
TraceFigures replay_trace(const Trace &trace, const Contender &contender,
                          const ContenderWorld &world, ContenderChunk *chunks);
