/// An allocator for arrays that grow. It takes fresh memory from the system and counts it.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <terrane/base.h>

/// An allocator for one container. Blocks of 128 KiB or more are separate mappings that are
/// unmapped when freed. glibc would later reuse freed memory of other containers, so figures would
/// depend on earlier measurements. In a game, a growing array needs a larger block than ever
/// before, so its memory is fresh too. Smaller blocks, such as the pages of a chunk index, come
/// from the C library. All blocks must be freed before the allocator is destroyed.
class GrowthMemory {
  public:
    enum Pages {
        huge, ///< as trn_allocator_default: huge pages from 2 MiB on
        small ///< no huge pages, as with malloc or a std::vector on most systems
    };
    explicit GrowthMemory(Pages size = huge) : pages(size)
    {
    }
    ~GrowthMemory();
    GrowthMemory(const GrowthMemory &) = delete;
    GrowthMemory &operator=(const GrowthMemory &) = delete;

    /// The returned allocator points to this object and must not outlive it.
    TrnAllocator allocator();

    std::size_t bytes() const
    {
        return now;
    }
    std::size_t peak_bytes() const
    {
        return most;
    }
    /// How many allocations were made. Each growth makes at least one.
    std::size_t takes() const
    {
        return take_count;
    }

    /// Prepares a block, with every page touched, for the next allocation of exactly that size, as
    /// if the program had used that memory before. Does nothing below 128 KiB, where blocks come
    /// from used memory anyway. @throws std::bad_alloc if memory runs out
    void keep_ready(std::size_t bytes);

    /// From this call on, every allocation and free is also applied to a model of a heap; see
    /// address_range().
    void model_heap()
    {
        is_modelled = true;
    }
    /// The size of the modelled heap: it holds only these blocks, puts each into the lowest hole
    /// that fits, and joins adjacent holes. It equals peak_bytes() plus the holes that no later
    /// block fitted into.
    std::size_t address_range() const
    {
        return range;
    }

  private:
    static void *take(std::size_t bytes, std::size_t alignment, void *self);
    static void give(void *given, std::size_t bytes, void *self);
    void *take_ready(std::size_t bytes);
    void place(const void *memory, std::size_t bytes);
    void vacate(const void *memory, std::size_t bytes);

    Pages pages;
    std::size_t now = 0, most = 0, take_count = 0, range = 0;
    void *ready = nullptr; ///< [ready_bytes] kept by keep_ready()
    std::size_t ready_bytes = 0;
    bool is_modelled = false;
    std::map<const void *, std::size_t> places; ///< of the model: the offset of each block
    std::map<std::size_t, std::size_t> holes;   ///< of the model: offset and bytes of each hole
};
