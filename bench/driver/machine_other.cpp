#include "driver/machine.hpp"

#include <cmath>
#include <cstring>
#include <thread>

#include <terrane/base.h>

#ifdef __EMSCRIPTEN__
#include <malloc.h>
#endif

double malloc_bytes()
{
#ifdef __EMSCRIPTEN__
    return static_cast<double>(static_cast<unsigned>(mallinfo().uordblks));
#else
    return std::nan("");
#endif
}

void malloc_give_back()
{
}

bool set_heap(Heap heap)
{
    return heap == Heap::fresh;
}

double resident_bytes()
{
    return std::nan("");
}

void *map_bytes(std::size_t bytes, bool)
{
    const std::size_t huge_bytes = std::size_t{2} << 20, page_bytes = 4096;
    void *memory = trn_aligned_alloc(bytes, bytes < huge_bytes ? page_bytes : huge_bytes);
    return memory ? std::memset(memory, 0, bytes) : nullptr;
}

void unmap_bytes(void *memory, std::size_t)
{
    trn_aligned_free(memory);
}

std::string huge_page_mode()
{
    return "";
}

double busy_processes()
{
    return std::nan("");
}

int online_processors()
{
    const unsigned count = std::thread::hardware_concurrency();
    return count ? static_cast<int>(count) : 1;
}

int usable_processors()
{
    return online_processors();
}

int current_processor()
{
    return -1;
}

int other_core(int)
{
    return -1;
}

bool pin_to(int)
{
    return false;
}

struct Pinned::Before {};

Pinned::Pinned(int)
{
}

Pinned::~Pinned() = default;
