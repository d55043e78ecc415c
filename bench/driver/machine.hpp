/// What the bench asks the machine about memory and processors. machine_linux.cpp knows all of it;
/// machine_other.cpp answers as a system does that tells nothing.
#pragma once

#include <cstddef>
#include <memory>

/// Bytes that the process has from malloc, with what malloc itself needs; NaN if unknown.
double malloc_bytes();

/// Gives free memory of malloc back to the system, where that can be asked for.
void malloc_give_back();

/// How malloc treats memory that containers give back.
enum class Heap {
    fresh,  ///< large blocks are mappings of their own, as by default: touching them faults
    touched ///< everything is kept, and the next container gets memory that was used before
};

/// @return false where the C library cannot
bool set_heap(Heap heap);

/// Bytes of memory that the process occupies; NaN if unknown.
double resident_bytes();

/// Fresh memory of the system, zeroed and aligned to 2 MiB from 2 MiB on; NULL without memory.
/// @param bytes           whole pages of 4 KiB
/// @param has_huge_pages  whether the system may back it with huge pages, where it listens
void *map_bytes(std::size_t bytes, bool has_huge_pages);

/// @param bytes  as they were mapped
void unmap_bytes(void *memory, std::size_t bytes);

/// How many processors this process may use: threads that take turns on one measure nothing.
int usable_processors();

/// The processor that runs the calling thread, or -1.
int current_processor();

/// A processor of another core, or -1. Two threads of one core would measure how they share it.
/// Those that the process was not given (taskset) count as well, where the system lets it.
int other_core(int processor);

/// Keeps the calling thread on one processor from now on. @return whether the system does so
bool pin_to(int processor);

/// Keeps the calling thread on one processor for as long as this lives, where the system does so.
class Pinned {
  public:
    explicit Pinned(int processor);
    ~Pinned();
    Pinned(const Pinned &) = delete;
    Pinned &operator=(const Pinned &) = delete;

  private:
    struct Before;
    std::unique_ptr<Before> before; ///< NULL: not pinned
};
