#include "trace.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <unordered_map>

#include "contenders/defaults.h"
#include "driver/clock.hpp"
#include "mixed_bits.hpp"
#include "trace_coords.hpp"

namespace {

constexpr std::size_t replay_faces = TRN_FACE_COUNT;

/// Whether the answer of an operation is a list of chunks.
bool is_gather(TraceKind kind)
{
    return kind == TraceKind::gather || kind == TraceKind::gather_frustum ||
           kind == TraceKind::gather_visible;
}

/// Assigns the number of a chunk header to each coordinate that the trace inserts, removes or makes
/// visible. Headers of removed chunks are reused, the last removed first.
std::vector<std::uint32_t> assign_headers(const Trace &trace)
{
    std::vector<std::uint32_t> numbers(trace.coords.size(), CONTENDER_NUMBER_NONE);
    std::unordered_map<TrnCoord, std::uint32_t, TraceCoordHash, TraceCoordEqual> there;
    std::vector<std::uint32_t> unused;
    for (std::uint32_t i = trace.chunk_max; i > 0; i--) {
        unused.push_back(i - 1);
    }
    for (const TraceBatch &batch : trace.batches) {
        const bool is_insert = batch.kind == TraceKind::insert;
        const bool is_remove = batch.kind == TraceKind::remove;
        if (!is_insert && !is_remove && batch.kind != TraceKind::set_visible) {
            continue;
        }
        for (std::uint32_t i = batch.first; i < batch.first + batch.count; i++) {
            if (is_insert) {
                there[trace.coords[i]] = unused.back();
                unused.pop_back();
            }
            const auto chunk = there.find(trace.coords[i]);
            numbers[i] = chunk->second;
            if (is_remove) {
                unused.push_back(chunk->second);
                there.erase(chunk);
            }
        }
    }
    return numbers;
}

/// One replay of one trace against one contender.
class TraceReplay {
  public:
    TraceReplay(const Trace &recorded, const Contender &asked, const ContenderWorld &in,
                ContenderChunk *headers);
    TraceReplay(const TraceReplay &) = delete;
    TraceReplay &operator=(const TraceReplay &) = delete;
    ~TraceReplay();

    TraceFigures run();

  private:
    bool run_frame(std::uint32_t first, std::uint32_t end);
    void prepare(const TraceBatch &batch);
    std::size_t call(const TraceBatch &batch);
    void digest(const TraceBatch &batch, std::size_t count);
    void refuse();

    const Trace &trace;
    const Contender &contender;
    const ContenderWorld &world;
    ContenderChunk *chunks;
    void *self = nullptr;
    const double clock_cost;
    std::vector<std::uint32_t> numbers;       ///< number of the header for each of trace.coords
    std::vector<ContenderEntry> coming;       ///< entries of the current batch
    std::size_t capacity;                     ///< capacity in answers
    std::unique_ptr<unsigned char[]> answers; ///< pointers or numbers
    std::uint64_t frame_digest = 0;
    TraceFigures figures;
};

TraceReplay::TraceReplay(const Trace &recorded, const Contender &asked, const ContenderWorld &in,
                         ContenderChunk *headers)
    : trace(recorded), contender(asked), world(in), chunks(headers), clock_cost(clock_cost_ns()),
      numbers(assign_headers(recorded)), capacity(recorded.chunk_max)
{
    for (const TraceBatch &batch : trace.batches) {
        const std::size_t each = batch.kind == TraceKind::neighbours ? replay_faces : 1;
        capacity = std::max(capacity, each * batch.count);
    }
    // Zeroed, so that no page is first touched during a timed call.
    answers = std::make_unique<unsigned char[]>(capacity * sizeof(void *));
    coming.reserve(trace.chunk_max);
    figures.frame_ns.reserve(trace.frames.size());
    figures.digests.reserve(trace.frames.size());
}

TraceReplay::~TraceReplay()
{
    if (self) {
        contender.destroy(self);
    }
}

/// Writes the headers of a batch, which is not timed since headers belong to the game, not to the
/// contender.
void TraceReplay::prepare(const TraceBatch &batch)
{
    if (batch.kind != TraceKind::insert && batch.kind != TraceKind::set_visible) {
        return;
    }
    coming.clear();
    for (std::uint32_t i = batch.first; i < batch.first + batch.count; i++) {
        ContenderChunk &chunk = chunks[numbers[i]];
        chunk.coord = trace.coords[i];
        chunk.number = numbers[i];
        chunk.is_visible = batch.is_visible; // false in a batch of inserts
        coming.push_back({chunk.coord, chunk.number, &chunk});
    }
}

/// Makes the timed call. @return how many chunks were inserted or returned
std::size_t TraceReplay::call(const TraceBatch &batch)
{
    const bool is_list = is_gather(batch.kind);
    const TrnCoord *coords = is_list ? nullptr : trace.coords.data() + batch.first;
    const TrnBox box = is_list ? trace.boxes[batch.first] : TrnBox{};
    void *out = answers.get();
    switch (batch.kind) {
    case TraceKind::insert:
        return contender.insert(self, coming.data(), batch.count);
    case TraceKind::remove:
        contender.remove(self, coords, batch.count);
        return batch.count;
    case TraceKind::find:
        contender.find(self, coords, batch.count, out);
        return batch.count;
    case TraceKind::neighbours:
        contender_neighbours(&contender, &world, self, coords, batch.count, out);
        return batch.count * replay_faces;
    case TraceKind::gather:
        return contender.gather(self, box, out, trace.chunk_max);
    case TraceKind::gather_frustum:
        return contender_gather_frustum(&contender, &world, self, box,
                                        &trace.frustums[batch.frustum], out, trace.chunk_max);
    case TraceKind::gather_visible:
        return contender_gather_visible(&contender, &world, self, box, out, trace.chunk_max);
    case TraceKind::set_visible:
        contender_set_visible(&contender, &world, self, coords, batch.count, batch.is_visible);
        return batch.count;
    }
    return 0;
}

void TraceReplay::digest(const TraceBatch &batch, std::size_t count)
{
    const bool is_list = is_gather(batch.kind);
    if (!is_list && batch.kind != TraceKind::find && batch.kind != TraceKind::neighbours) {
        return; // no answer
    }
    std::uint64_t sum = mixed_bits(frame_digest + count);
    // If the list is too long, the answer is wrong, and only its beginning was written.
    const std::size_t written = is_list ? std::min<std::size_t>(count, trace.chunk_max) : count;
    for (std::size_t i = 0; i < written; i++) {
        const std::uint64_t answer =
            mixed_bits(contender_answer(&contender, &world, answers.get(), i));
        sum = is_list ? sum + answer : mixed_bits(sum ^ answer);
    }
    frame_digest = mixed_bits(sum + static_cast<std::uint64_t>(batch.kind));
}

void TraceReplay::refuse()
{
    char text[200];
    contender_explain(&contender, &world, self, text, sizeof text);
    figures.refusal = text;
}

bool TraceReplay::run_frame(std::uint32_t first, std::uint32_t end)
{
    double frame_ns = 0;
    frame_digest = 0;
    for (std::uint32_t i = first; i < end; i++) {
        const TraceBatch &batch = trace.batches[i];
        const int kind = static_cast<int>(batch.kind);
        prepare(batch);
        const double start = clock_ns(CLOCK_MONOTONIC);
        const std::size_t count = call(batch);
        const double took_ns = clock_ns(CLOCK_MONOTONIC) - start - clock_cost;
        frame_ns += took_ns;
        figures.kind_ns[kind] += took_ns;
        figures.kind_count[kind] += batch.count;
        if (batch.kind == TraceKind::insert && count < batch.count) {
            refuse();
            return false;
        }
        digest(batch, count);
    }
    // The clock's cost is an estimate that may exceed a short time.
    figures.frame_ns.push_back(std::max(frame_ns, 0.0));
    figures.digests.push_back(frame_digest);
    return true;
}

TraceFigures TraceReplay::run()
{
    self = contender.create(&world);
    if (!self) {
        figures.refusal = "there was no memory for it";
        return figures;
    }
    std::uint32_t first = 0;
    for (const std::uint32_t end : trace.frames) {
        if (!run_frame(first, end)) {
            break;
        }
        first = end;
    }
    for (double &ns : figures.kind_ns) {
        ns = std::max(ns, 0.0);
    }
    return figures;
}

} // namespace

TraceFigures replay_trace(const Trace &trace, const Contender &contender,
                          const ContenderWorld &world, ContenderChunk *chunks)
{
    try {
        return TraceReplay(trace, contender, world, chunks).run();
    } catch (const std::bad_alloc &) {
        TraceFigures none;
        none.refusal = "there was no memory to replay the trace";
        return none;
    }
}
