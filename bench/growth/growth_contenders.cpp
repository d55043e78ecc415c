#include "growth_contenders.hpp"

#include <terrane/chunk_index.h>
#include <terrane/chunk_pages.h>
#include <terrane/spatial_array.h>

#include "driver/clock.hpp"
#include "owned.hpp"

namespace {

const double slow_ns = 250;

/// The loops over chunks, shared by all contenders; put() and take() are bound at compile time.
template <class Concrete> class GrowthLoops : public GrowthContender {
  public:
    void come(const TrnCoord *chunks, std::size_t count) final
    {
        auto &self = static_cast<Concrete &>(*this);
        for (std::size_t i = 0; i < count; i++) {
            self.put(chunks + i);
        }
    }
    void go(const TrnCoord *chunks, std::size_t count) final
    {
        auto &self = static_cast<Concrete &>(*this);
        for (std::size_t i = 0; i < count; i++) {
            self.take(chunks[i]);
        }
    }
    void come_by_the_clock(const TrnCoord *chunks, std::size_t count, std::uint32_t &number,
                           SlowInserts &slow) final
    {
        auto &self = static_cast<Concrete &>(*this);
        double last = clock_ns(CLOCK_MONOTONIC);
        for (std::size_t i = 0; i < count; i++, number++) {
            self.put(chunks + i);
            const double now = clock_ns(CLOCK_MONOTONIC);
            const double took = now - last;
            last = now;
            if (took >= slow_ns) {
                slow.emplace_back(number, took);
                last = clock_ns(CLOCK_MONOTONIC); // excludes the time of emplace_back
            }
        }
    }
};

class OwnArray final : public GrowthLoops<OwnArray> {
  public:
    OwnArray(GrowthPolicy policy, GrowthMemory &memory) : array(policy, memory.allocator())
    {
    }
    void put(const TrnCoord *chunk)
    {
        array.put(chunk);
    }
    void take(TrnCoord chunk)
    {
        array.take(chunk);
    }
    bool holds(TrnCoord chunk) const override
    {
        const TrnCoord *found = array.find(chunk);
        return found && trn_coord_equal(*found, chunk);
    }
    GrowthShape shape() const override
    {
        const std::size_t cells = array.extent().cells();
        return {array.growths(), cells, cells, array.count()};
    }

  private:
    GrowthArray array;
};

class SpatialArray final : public GrowthLoops<SpatialArray> {
  public:
    explicit SpatialArray(GrowthMemory &memory)
    {
        const TrnAllocator allocator = memory.allocator();
        TrnSpatialArrayDef def = trn_spatial_array_def(sizeof(TrnCoord *));
        def.allocator = &allocator;
        create_owned(array, trn_spatial_array_create, &def);
    }
    void put(const TrnCoord *chunk)
    {
        require(trn_spatial_array_insert(array.get(), *chunk, &chunk));
    }
    void take(TrnCoord chunk)
    {
        require(trn_spatial_array_remove(array.get(), chunk));
    }
    bool holds(TrnCoord chunk) const override
    {
        const auto *found =
            static_cast<const TrnCoord *>(trn_spatial_array_pointer(array.get(), chunk));
        return found && trn_coord_equal(*found, chunk);
    }
    GrowthShape shape() const override
    {
        const TrnSpatialArrayStats stats = trn_spatial_array_stats(array.get());
        return {stats.growths, stats.cells, stats.cells, stats.count};
    }

  private:
    Owned<TrnSpatialArray, trn_spatial_array_destroy> array;
};

/// A chunk's value is its number in the world.
class PagedIndex final : public GrowthLoops<PagedIndex> {
  public:
    PagedIndex(const GrowthWorld &world, GrowthMemory &memory) : chunks(world.chunks)
    {
        const TrnAllocator allocator = memory.allocator();
        TrnChunkIndexDef def = trn_chunk_index_def();
        def.allocator = &allocator;
        create_owned(index, trn_chunk_index_create, &def);
    }
    void put(const TrnCoord *chunk)
    {
        const auto number = static_cast<std::uint32_t>(chunk - chunks.data());
        require(trn_chunk_index_insert(index.get(), *chunk, number));
    }
    void take(TrnCoord chunk)
    {
        require(trn_chunk_index_remove(index.get(), chunk, nullptr));
    }
    bool holds(TrnCoord chunk) const override
    {
        std::uint32_t value = 0;
        return trn_chunk_index_find(index.get(), chunk, &value) &&
               trn_coord_equal(chunks.at(value), chunk);
    }
    GrowthShape shape() const override
    {
        const TrnChunkIndexStats stats = trn_chunk_index_stats(index.get());
        return {stats.directory_growths, stats.directory_cells, stats.pages * TRN_PAGE_CELLS,
                stats.chunks};
    }

  private:
    const std::vector<TrnCoord> &chunks;
    Owned<TrnChunkIndex, trn_chunk_index_destroy> index;
};

} // namespace

const std::vector<GrowthKind> &growth_kinds()
{
    static const std::vector<GrowthKind> kinds = {
        {"flat array, doubling", grow_double, false, true},
        {"flat array, 1.6 times", grow_by_three_fifths, false},
        {"flat array, 8 cells more", grow_by_8, false},
        {"flat array, 32 cells more", grow_by_32, false},
        {"flat array, exact fit", grow_exactly, false},
        {"TrnSpatialArray, doubling", nullptr, false},
        {"TrnChunkIndex, directory doubling", nullptr, true},
    };
    return kinds;
}

std::unique_ptr<GrowthContender>
make_growth_contender(const GrowthKind &kind, const GrowthWorld &world, GrowthMemory &memory)
{
    if (kind.is_index) {
        return std::make_unique<PagedIndex>(world, memory);
    }
    if (kind.policy) {
        return std::make_unique<OwnArray>(kind.policy, memory);
    }
    return std::make_unique<SpatialArray>(memory);
}
