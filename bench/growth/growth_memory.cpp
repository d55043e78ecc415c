#include "growth_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

#include "driver/machine.hpp"

namespace {

const std::size_t mapping_bytes = std::size_t{128} << 10;
const std::size_t page_bytes = 4096;
const std::size_t heap_grain = 64;

std::size_t round_up(std::size_t bytes, std::size_t grain)
{
    return (bytes + grain - 1) / grain * grain;
}

} // namespace

TrnAllocator GrowthMemory::allocator()
{
    return TrnAllocator{take, give, this};
}

GrowthMemory::~GrowthMemory()
{
    if (ready) {
        unmap_bytes(ready, round_up(ready_bytes, page_bytes));
    }
}

void GrowthMemory::keep_ready(std::size_t bytes)
{
    if (bytes < mapping_bytes || ready) {
        return;
    }
    ready = map_bytes(round_up(bytes, page_bytes), pages == huge);
    if (!ready) {
        throw std::bad_alloc();
    }
    ready_bytes = bytes;
    std::memset(ready, 1, bytes);
}

void *GrowthMemory::take_ready(std::size_t bytes)
{
    if (!ready || ready_bytes != bytes) {
        return nullptr;
    }
    void *taken = ready;
    ready = nullptr;
    return taken;
}

void *GrowthMemory::take(std::size_t bytes, std::size_t alignment, void *self)
{
    auto &memory = *static_cast<GrowthMemory *>(self);
    void *taken = memory.take_ready(bytes);
    if (!taken) {
        taken = bytes < mapping_bytes
                    ? trn_aligned_alloc(bytes, alignment)
                    : map_bytes(round_up(bytes, page_bytes), memory.pages == huge);
    }
    if (!taken) {
        return nullptr;
    }
    memory.take_count++;
    memory.now += bytes;
    memory.most = std::max(memory.most, memory.now);
    if (memory.is_modelled) {
        memory.place(taken, round_up(bytes, heap_grain));
    }
    return taken;
}

void GrowthMemory::give(void *given, std::size_t bytes, void *self)
{
    auto &memory = *static_cast<GrowthMemory *>(self);
    memory.now -= bytes;
    if (memory.is_modelled) {
        memory.vacate(given, round_up(bytes, heap_grain));
    }
    if (bytes < mapping_bytes) {
        trn_aligned_free(given);
    } else {
        unmap_bytes(given, round_up(bytes, page_bytes));
    }
}

void GrowthMemory::place(const void *memory, std::size_t bytes)
{
    const auto fits = [bytes](const auto &hole) { return hole.second >= bytes; };
    auto hole = std::find_if(holes.begin(), holes.end(), fits);
    if (hole == holes.end()) {
        // No hole is large enough, so the heap grows, starting with the last hole if that is at the
        // end.
        std::size_t start = range;
        if (!holes.empty()) {
            const auto last = std::prev(holes.end());
            if (last->first + last->second == range) {
                start = last->first;
                holes.erase(last);
            }
        }
        places[memory] = start;
        range = start + bytes;
        return;
    }
    const std::size_t start = hole->first, rest = hole->second - bytes;
    holes.erase(hole);
    if (rest) {
        holes[start + bytes] = rest;
    }
    places[memory] = start;
}

void GrowthMemory::vacate(const void *memory, std::size_t bytes)
{
    const auto placed = places.find(memory);
    if (placed == places.end()) {
        return; // allocated before model_heap() was called
    }
    auto hole = holes.emplace(placed->second, bytes).first;
    places.erase(placed);
    const auto next = std::next(hole);
    if (next != holes.end() && hole->first + hole->second == next->first) {
        hole->second += next->second;
        holes.erase(next);
    }
    if (hole != holes.begin()) {
        const auto before = std::prev(hole);
        if (before->first + before->second == hole->first) {
            before->second += hole->second;
            holes.erase(hole);
        }
    }
}
