// The cost of one growth, by size: from n^3 cells to twice as many along one axis, and along all
// three.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <terrane/chunk_index.h>
#include <terrane/chunk_pages.h>
#include <terrane/spatial_array.h>

#include "growth_memory.hpp"
#include "growth_parts.hpp"
#include "owned.hpp"

namespace {

const int edges[] = {16, 32, 64, 128, 256};
/// From this edge on, doubling all axes takes a gigabyte, so fewer samples are taken.
const int long_edge = 256;

/// A container that covers exactly n^3 cells from the origin on and is about to grow. Its
/// destruction is not timed.
class Growing {
  public:
    virtual ~Growing() = default;
    /// Inserts a chunk outside, which grows the container.
    virtual void grow(TrnCoord outside) = 0;
    /// Whether the container has grown at most once, to at most `cells` cells, and finds the old
    /// chunks and the new one.
    virtual bool has_grown(TrnCoord outside, std::size_t cells) const = 0;
};

TrnCoord corner(int edge)
{
    return TrnCoord{edge - 1, edge - 1, edge - 1};
}

/// An array with two chunks. Copying does not depend on the content of cells.
class GrowingArray final : public Growing {
  public:
    GrowingArray(int edge, GrowthMemory &memory) : last(corner(edge))
    {
        const TrnAllocator allocator = memory.allocator();
        TrnSpatialArrayDef def = trn_spatial_array_def(sizeof(void *));
        def.allocator = &allocator;
        create_owned(array, trn_spatial_array_create, &def);
        require(trn_spatial_array_reserve(array.get(), TrnBox{{0, 0, 0}, last}));
        put(TrnCoord{0, 0, 0});
        put(last);
        growths = array->growths;
    }
    void grow(TrnCoord outside) override
    {
        put(outside);
    }
    bool has_grown(TrnCoord outside, std::size_t cells) const override
    {
        const TrnSpatialArrayStats stats = trn_spatial_array_stats(array.get());
        return stats.growths == growths + 1 && stats.cells == cells && has(TrnCoord{0, 0, 0}) &&
               has(last) && has(outside);
    }

  private:
    void put(TrnCoord coord)
    {
        const void *chunk = this;
        require(trn_spatial_array_insert(array.get(), coord, &chunk));
    }
    bool has(TrnCoord coord) const
    {
        return trn_spatial_array_pointer(array.get(), coord) == this;
    }
    Owned<TrnSpatialArray, trn_spatial_array_destroy> array;
    TrnCoord last;
    std::uint32_t growths = 0;
};

/// An index with one chunk in every page. Growing copies only the directory of pages. A large
/// directory grows in steps: the measured insert does the first step, and the new page becomes an
/// outlier.
class GrowingIndex final : public Growing {
  public:
    GrowingIndex(int edge, GrowthMemory &memory) : last(corner(edge))
    {
        const TrnAllocator allocator = memory.allocator();
        TrnChunkIndexDef def = trn_chunk_index_def();
        def.allocator = &allocator;
        create_owned(index, trn_chunk_index_create, &def);
        fill(edge);
        growths = trn_chunk_index_stats(index.get()).directory_growths;
    }
    void grow(TrnCoord outside) override
    {
        require(trn_chunk_index_insert(index.get(), outside, 1));
    }
    bool has_grown(TrnCoord outside, std::size_t cells) const override
    {
        const TrnChunkIndexStats stats = trn_chunk_index_stats(index.get());
        return stats.directory_growths + stats.outliers == growths + 1 &&
               stats.directory_cells * TRN_PAGE_CELLS <= cells &&
               trn_chunk_index_find(index.get(), outside, nullptr) &&
               trn_chunk_index_find(index.get(), last, nullptr);
    }

  private:
    void fill(int edge)
    {
        const TrnCoord end = trn_page_coord(TrnCoord{edge - 1, edge - 1, edge - 1});
        for (int y = 0; y <= end.y; y++) {
            for (int z = 0; z <= end.z; z++) {
                for (int x = 0; x <= end.x; x++) {
                    const TrnCoord last_of_page = trn_page_chunks(TrnCoord{x, y, z}).max;
                    require(trn_chunk_index_insert(index.get(), last_of_page, 0));
                }
            }
        }
        // These pages fill the last block of the page pool. Removing one page frees a slot, so that
        // the measured insert does not allocate a block.
        const TrnCoord first = trn_page_chunks(TrnCoord{0, 0, 0}).max;
        require(trn_chunk_index_remove(index.get(), first, nullptr));
    }
    Owned<TrnChunkIndex, trn_chunk_index_destroy> index;
    TrnCoord last;
    std::uint32_t growths = 0;
};

struct GrowingKind {
    const char *name;
    GrowthMemory::Pages pages;
    bool is_index;
    bool is_used; ///< whether the new memory was touched before
    bool is_baseline = false;
};

const GrowingKind growing_kinds[] = {
    {"TrnSpatialArray, fresh pages of 4 KiB", GrowthMemory::small, false, false, true},
    {"TrnSpatialArray, fresh huge pages", GrowthMemory::huge, false, false},
    {"TrnSpatialArray, memory used before", GrowthMemory::huge, false, true},
    {"TrnChunkIndex, fresh memory", GrowthMemory::huge, true, false},
    {"TrnChunkIndex, memory used before", GrowthMemory::huge, true, true},
};

/// One contender of one size, growing along one axis or all.
struct GrowingCase {
    const GrowingKind *kind = nullptr;
    int edge = 0;
    bool all_axes = false;
};

std::unique_ptr<Growing> make_growing(const GrowingCase &one, GrowthMemory &memory)
{
    if (one.kind->is_index) {
        return std::make_unique<GrowingIndex>(one.edge, memory);
    }
    return std::make_unique<GrowingArray>(one.edge, memory);
}

/// Nanoseconds of one growth of a fresh container.
double growth_ns(const GrowingCase &one)
{
    const int beyond = one.all_axes ? one.edge : 0;
    const TrnCoord outside = {one.edge, beyond, beyond};
    const auto edge = static_cast<std::size_t>(one.edge);
    const std::size_t cells = edge * edge * edge * (one.all_axes ? 8 : 2);
    GrowthMemory memory(one.kind->pages);
    const auto growing = make_growing(one, memory);
    if (one.kind->is_used) {
        memory.keep_ready(cells / (one.kind->is_index ? TRN_PAGE_CELLS : 1) * sizeof(void *));
    }
    const double start = clock_ns(CLOCK_MONOTONIC);
    growing->grow(outside);
    const double ns = clock_ns(CLOCK_MONOTONIC) - start;
    if (!growing->has_grown(outside, cells)) {
        throw bench::Wrong{};
    }
    return ns;
}

bench::Scene cost_scene(int edge, bool all_axes)
{
    const auto cells = static_cast<std::size_t>(edge);
    bench::Scene scene = {all_axes ? growth_question_all_axes : growth_question_one_axis,
                          "n = " + std::to_string(edge), "us", cells * cells * cells, 1};
    for (const GrowingKind &kind : growing_kinds) {
        bench::Attempt attempt = {kind.name};
        attempt.measure = [one = GrowingCase{&kind, edge, all_axes}] { return growth_ns(one); };
        attempt.is_right = [] { return true; }; // growth_ns checks every growth
        attempt.calls = 1;
        attempt.samples = edge >= long_edge ? 9 : 31;
        scene.attempts.push_back(attempt);
    }
    return scene;
}

} // namespace

void add_growth_costs(bench::Bench &bench)
{
    // A stage for each size, since a growth of a gigabyte evicts the caches.
    for (const bool all_axes : {false, true}) {
        for (const int edge : edges) {
            bench.stage([&bench, edge, all_axes] { bench.add(cost_scene(edge, all_axes)); });
        }
    }
}
