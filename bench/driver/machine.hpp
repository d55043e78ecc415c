/// Memory and processors of the machine. machine_linux.cpp implements all of it; machine_other.cpp
/// returns "unknown" or uses portable substitutes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

/// Bytes that the process has allocated by malloc, including malloc's overhead; NaN if unknown.
double malloc_bytes();

/// Returns free memory of malloc to the system, if the C library supports that.
void malloc_give_back();

/// What malloc does with memory that containers free.
enum class Heap {
    fresh, ///< the default: large blocks are separate mappings, with page faults at the first touch
    touched ///< malloc keeps all memory, so the next container gets memory that was used before
};

/// @return false if the C library does not support it
bool set_heap(Heap heap);

/// Bytes of memory that the process occupies; NaN if unknown.
double resident_bytes();

/// Maps fresh, zeroed memory of the system, aligned to 2 MiB if it is at least that large. @return
/// NULL if out of memory
/// @param bytes           whole pages of 4 KiB
/// @param has_huge_pages  advises the system to use huge pages, or not to
void *map_bytes(std::size_t bytes, bool has_huge_pages);

/// @param bytes  the size given to map_bytes()
void unmap_bytes(void *memory, std::size_t bytes);

/// The mode of transparent huge pages: "always", "madvise" or "never"; empty if unknown.
std::string huge_page_mode();

/// The load average of the last minute: processes that ran or waited to run; NaN if unknown.
double busy_processes();

/// How many processors the machine has.
int online_processors();

/// How many processors this process may use. If it is 1, measurements of several threads mean
/// nothing.
int usable_processors();

/// The processor that runs the calling thread, or -1.
int current_processor();

/// A processor of another core, or -1. Two threads on the same core would slow each other down.
/// Also considers processors outside the affinity mask of the process (taskset).
int other_core(int processor);

/// Pins the calling thread to one processor. @return whether the system supports it
bool pin_to(int processor);

/// Pins the calling thread to one processor during its lifetime, if the system supports it.
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
