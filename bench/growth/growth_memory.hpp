/// Memory for arrays that grow, taken afresh from the system and counted.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <terrane/base.h>

/// An allocator for one container. What is 128 KiB or larger is a mapping of its own, and goes back
/// to the system when it is freed: glibc would do so at first, and later keep freed memory of other
/// containers ready, so that a figure would depend on what was measured before. A game's array that
/// grows needs a larger piece than any it has had, which is fresh as well. Smaller pieces, such as
/// the pages of a chunk index, come from the C library. Owns nothing: what was taken must be given
/// back before this goes.
class GrowthMemory {
  public:
    enum Pages {
        huge, ///< as trn_allocator_default: 2 MiB and more ask for huge pages
        small ///< none does, as with malloc or a std::vector on most systems
    };
    explicit GrowthMemory(Pages size = huge) : pages(size)
    {
    }
    ~GrowthMemory();
    GrowthMemory(const GrowthMemory &) = delete;
    GrowthMemory &operator=(const GrowthMemory &) = delete;

    /// Refers to this object.
    TrnAllocator allocator();

    std::size_t bytes() const
    {
        return now;
    }
    std::size_t peak_bytes() const
    {
        return most;
    }
    /// How often memory was taken: containers that grow take some.
    std::size_t takes() const
    {
        return take_count;
    }

    /// Keeps a piece ready, every page of it touched, for the next take of exactly that size, as
    /// if it came from memory that the program had used before. Pieces below 128 KiB come from
    /// there anyway. Running out of memory throws std::bad_alloc.
    void keep_ready(std::size_t bytes);

    /// From here on, every take and every return is also played on a model of a heap; see
    /// address_range().
    void model_heap()
    {
        is_modelled = true;
    }
    /// How far a heap would reach that has nothing else in it, puts each piece into the lowest hole
    /// where it fits, and joins holes side by side: peak_bytes() and the holes that no later piece
    /// fitted into.
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
    std::map<const void *, std::size_t> places; ///< of the model: where each piece lies
    std::map<std::size_t, std::size_t> holes;   ///< of the model: where they lie, and their bytes
};
