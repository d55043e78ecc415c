#include "index_under_test.hpp"

#include <cstring>
#include <string>

namespace {

const std::size_t finds_per_section = 1000;

/// Extra capacity of the output list, as in a game that reuses its list in every frame. The index
/// writes whole registers while the list has capacity for a page.
const std::size_t list_slack = 1024;

} // namespace

std::vector<TrnCoord> moved(std::vector<TrnCoord> chunks, int dx)
{
    for (TrnCoord &chunk : chunks) {
        chunk = moved(chunk, dx);
    }
    return chunks;
}

std::uint64_t sum_of(const std::vector<std::uint32_t> &values)
{
    std::uint64_t sum = 0;
    for (const std::uint32_t value : values) {
        sum += value + 1;
    }
    return sum;
}

IndexUnderTest::IndexUnderTest(std::uint32_t planes, const TrnAllocator *allocator)
    : last_plane(planes)
{
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < planes; i++) {
        names.push_back("plane " + std::to_string(i + 1));
    }
    std::vector<TrnPlaneDef> defs;
    defs.reserve(names.size());
    for (const std::string &name : names) {
        defs.push_back(TrnPlaneDef{name.c_str(), false});
    }
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = defs.data();
    def.plane_count = planes;
    def.allocator = allocator;
    create_owned(index, trn_chunk_index_create, &def);
    require(trn_chunk_index_reader_create(index.get(), "bench", &reader));
}

void IndexUnderTest::insert(TrnCoord coord, std::uint32_t value)
{
    require(trn_chunk_index_insert(index.get(), coord, value));
}

void IndexUnderTest::remove(TrnCoord coord)
{
    require(trn_chunk_index_remove(index.get(), coord, nullptr));
}

void IndexUnderTest::insert_numbered(const std::vector<TrnCoord> &chunks)
{
    std::uint32_t number = 0;
    for (const TrnCoord &chunk : chunks) {
        insert(chunk, number++);
    }
}

void IndexUnderTest::insert_zeroes(const std::vector<TrnCoord> &chunks)
{
    for (const TrnCoord &chunk : chunks) {
        insert(chunk, 0);
    }
}

std::size_t IndexUnderTest::count() const
{
    return trn_chunk_index_stats(index.get()).chunks;
}

bool IndexUnderTest::holds_just(const std::vector<TrnCoord> &chunks) const
{
    return count() == chunks.size() && sum_found(chunks) == chunks.size();
}

/// Allocates the list. Must run before the first timed gather, since counting visits all pages.
void IndexUnderTest::make_room()
{
    if (out.empty()) {
        out.resize(count() + list_slack);
    }
}

std::size_t IndexUnderTest::gather(TrnBox box)
{
    make_room();
    return found = trn_chunk_index_gather_box(index.get(), box, out.data(), out.size());
}

std::vector<std::uint32_t> IndexUnderTest::gathered() const
{
    return std::vector<std::uint32_t>(out.begin(),
                                      out.begin() + static_cast<std::ptrdiff_t>(found));
}

void IndexUnderTest::copy_gathered(std::vector<std::uint32_t> &list) const
{
    std::memcpy(list.data(), out.data(), found * sizeof out[0]);
}

std::size_t IndexUnderTest::gather_plane(TrnBox box, TrnPlane plane)
{
    make_room();
    TrnChunkGather wanted = {};
    wanted.box = box;
    wanted.planes.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT) | TRN_PLANE_BIT(plane);
    wanted.values = out.data();
    wanted.capacity = out.size();
    return found = trn_chunk_index_gather(index.get(), &wanted);
}

std::size_t IndexUnderTest::gather_pointers(TrnBox box, const TrnPool *pool,
                                            std::vector<void *> &list) const
{
    TrnChunkGather wanted = {};
    wanted.box = box;
    wanted.pointers = list.data();
    wanted.pool = pool;
    wanted.capacity = list.size();
    return trn_chunk_index_gather(index.get(), &wanted);
}

std::uint64_t IndexUnderTest::sum_found(const std::vector<TrnCoord> &chunks) const
{
    std::uint64_t sum = 0;
    for (const TrnCoord &chunk : chunks) {
        std::uint32_t value;
        if (trn_chunk_index_find(index.get(), chunk, &value)) {
            sum += value + 1;
        }
    }
    return sum;
}

std::uint64_t IndexUnderTest::sum_found_in_sections(const std::vector<TrnCoord> &chunks) const
{
    std::uint64_t sum = 0;
    for (std::size_t first = 0; first < chunks.size(); first += finds_per_section) {
        const std::size_t last =
            first + finds_per_section < chunks.size() ? first + finds_per_section : chunks.size();
        trn_chunk_index_read_begin(reader);
        for (std::size_t i = first; i < last; i++) {
            std::uint32_t value;
            if (trn_chunk_index_find(index.get(), chunks[i], &value)) {
                sum += value + 1;
            }
        }
        trn_chunk_index_read_end(reader);
    }
    return sum;
}

std::uint64_t IndexUnderTest::sum_neighbours(const std::vector<TrnCoord> &chunks) const
{
    std::uint64_t sum = 0;
    for (const TrnCoord &chunk : chunks) {
        std::uint32_t values[TRN_FACE_COUNT];
        trn_chunk_index_neighbours(index.get(), chunk, values);
        for (std::uint32_t value : values) {
            sum += value + 1; // TRN_CHUNK_VALUE_NONE + 1 wraps to 0
        }
    }
    return sum;
}

std::size_t IndexUnderTest::gather_neighbours(TrnBox box)
{
    make_room();
    neighbours.resize(out.size() * TRN_FACE_COUNT);
    auto *rows = reinterpret_cast<std::uint32_t(*)[TRN_FACE_COUNT]>(neighbours.data());
    return found =
               trn_chunk_index_gather_neighbours(index.get(), box, out.data(), rows, out.size());
}

std::uint64_t IndexUnderTest::sum_of_gathered_neighbours() const
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < found * TRN_FACE_COUNT; i++) {
        sum += neighbours[i] + 1;
    }
    return sum;
}

void IndexUnderTest::find_ready()
{
    TrnPlaneQuery query = {};
    query.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT);
    query.all_faces = TRN_PLANE_BIT(TRN_PLANE_PRESENT);
    require(trn_chunk_index_plane_compute(index.get(), last_plane, &query));
}

std::size_t IndexUnderTest::ready_count() const
{
    return trn_chunk_index_stats(index.get()).plane_counts[last_plane];
}

void IndexUnderTest::step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go,
                          int dx)
{
    bool done = true;
    for (const TrnCoord &chunk : come) {
        done &= trn_chunk_index_insert(index.get(), moved(chunk, dx), 0) == TRN_RESULT_OK;
    }
    for (const TrnCoord &chunk : go) {
        done &= trn_chunk_index_remove(index.get(), moved(chunk, dx), nullptr) == TRN_RESULT_OK;
    }
    require(done ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY);
}
