#include "driver/machine.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

// ---- malloc ------------------------------------------------------------------------------------

double malloc_bytes()
{
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

void malloc_give_back()
{
    malloc_trim(0);
}

bool set_heap(Heap heap)
{
    const bool is_kept = heap == Heap::touched;
    const int threshold = 128 << 10; // fixed, so that malloc does not adapt it to earlier frees
    return mallopt(M_MMAP_THRESHOLD, threshold) == 1 &&
           mallopt(M_MMAP_MAX, is_kept ? 0 : 65536) == 1 &&
           mallopt(M_TRIM_THRESHOLD, is_kept ? -1 : threshold) == 1;
}

// ---- memory of the system ----------------------------------------------------------------------

double resident_bytes()
{
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    long all = 0, resident = 0;
    const bool is_read = file && std::fscanf(file, "%ld %ld", &all, &resident) == 2;
    if (file) {
        std::fclose(file);
    }
    return is_read ? static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE))
                   : std::nan("");
}

namespace {

const std::size_t huge_bytes = std::size_t{2} << 20;

void *map_plain(std::size_t bytes)
{
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

/// Maps memory aligned to a huge page: maps a huge page more and unmaps the surplus at both ends.
void *map_aligned(std::size_t bytes)
{
    void *memory = map_plain(bytes + huge_bytes);
    if (!memory) {
        return nullptr;
    }
    auto *start = static_cast<unsigned char *>(memory);
    const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(memory) % huge_bytes;
    const std::size_t before = misplaced ? huge_bytes - misplaced : 0;
    if (before) {
        munmap(start, before);
    }
    munmap(start + before + bytes, huge_bytes - before);
    return start + before;
}

/// The first line of a file; empty if the file is missing.
std::string line_of(const std::string &path)
{
    char text[256] = "";
    if (std::FILE *file = std::fopen(path.c_str(), "r")) {
        if (!std::fgets(text, sizeof text, file)) {
            text[0] = '\0';
        }
        std::fclose(file);
    }
    return text;
}

/// The list of processors that share a core with this one, in the system's format; empty if
/// unknown.
std::string siblings_of(int cpu)
{
    return line_of("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                   "/topology/thread_siblings_list");
}

} // namespace

std::string huge_page_mode()
{
    const std::string modes = line_of("/sys/kernel/mm/transparent_hugepage/enabled");
    const std::size_t begin = modes.find('['), end = modes.find(']'); // around the current mode
    return end == std::string::npos ? "" : modes.substr(begin + 1, end - begin - 1);
}

void *map_bytes(std::size_t bytes, bool has_huge_pages)
{
    if (bytes < huge_bytes) {
        return map_plain(bytes);
    }
    void *memory = map_aligned(bytes);
    if (memory) { // madvise() may fail: a kernel without huge pages refuses it
        (void)madvise(memory, bytes, has_huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    }
    return memory;
}

void unmap_bytes(void *memory, std::size_t bytes)
{
    munmap(memory, bytes);
}

// ---- processors --------------------------------------------------------------------------------

double busy_processes()
{
    double minutes[1];
    return getloadavg(minutes, 1) == 1 ? minutes[0] : std::nan("");
}

int online_processors()
{
    return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

int usable_processors()
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int current_processor()
{
    return sched_getcpu();
}

int other_core(int processor)
{
    const std::string siblings = siblings_of(processor);
    for (int other = 0; other < online_processors(); other++) {
        if (other != processor && (siblings.empty() || siblings_of(other) != siblings)) {
            return other;
        }
    }
    return -1;
}

bool pin_to(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(processor), &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

struct Pinned::Before {
    cpu_set_t set;
};

Pinned::Pinned(int processor) : before(std::make_unique<Before>())
{
    if (sched_getaffinity(0, sizeof before->set, &before->set) != 0 || !pin_to(processor)) {
        before.reset();
    }
}

Pinned::~Pinned()
{
    if (before) {
        sched_setaffinity(0, sizeof before->set, &before->set);
    }
}
