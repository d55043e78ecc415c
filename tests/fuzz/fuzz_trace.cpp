/// Traces of the bench: a text is refused with its line, or what is read of it is consistent, and
/// written again gives the same trace.
#include "bench/trace_text.hpp"

#include "fuzz_files.h"

extern "C" int fuzz_trace(const uint8_t *bytes, size_t size);

namespace {

struct TraceFile {
    char folder[FUZZ_FOLDER_BYTES], path[FUZZ_PATH_BYTES];
};

bool read(const TraceFile &file, const uint8_t *bytes, size_t size, Trace &trace)
{
    std::string problem;
    fuzz_write_file(file.path, bytes, size);
    const bool is_read = read_trace(file.path, trace, problem);
    FUZZ_REQUIRE(is_read || problem.find(", line ") != std::string::npos);
    return is_read;
}

void expect_consistent(const Trace &trace)
{
    std::uint64_t operations = 0;
    std::uint32_t last = 0;
    for (const TraceBatch &batch : trace.batches) {
        const bool is_gather = batch.kind == TraceKind::gather ||
                               batch.kind == TraceKind::gather_frustum ||
                               batch.kind == TraceKind::gather_visible;
        const std::size_t bound = is_gather ? trace.boxes.size() : trace.coords.size();
        FUZZ_REQUIRE(batch.count > 0 && std::uint64_t{batch.first} + batch.count <= bound);
        FUZZ_REQUIRE(batch.kind != TraceKind::gather_frustum ||
                     batch.frustum < trace.frustums.size());
        operations += batch.count;
    }
    FUZZ_REQUIRE(operations == trace.operations);
    for (const std::uint32_t frame : trace.frames) {
        FUZZ_REQUIRE(frame >= last && frame <= trace.batches.size());
        last = frame;
    }
    FUZZ_REQUIRE(trace.chunk_max <= trace.operations);
}

} // namespace

int fuzz_trace(const uint8_t *bytes, size_t size)
{
    static TraceFile file;
    Trace trace, again;
    fuzz_begin_folder(file.folder);
    fuzz_path(file.path, file.folder, "a.trace");
    if (read(file, bytes, size, trace)) {
        expect_consistent(trace);
        const std::string text = write_back(trace);
        const auto *written = reinterpret_cast<const uint8_t *>(text.data());
        FUZZ_REQUIRE(read(file, written, text.size(), again));
        FUZZ_REQUIRE(write_back(again) == text);
    }
    FUZZ_REQUIRE(remove(file.path) == 0);
    fuzz_end_folder(file.folder);
    return 0;
}
