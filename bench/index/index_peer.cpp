#include "index_peer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "contenders/contenders.h"
#include "contenders/defaults.h"
#include "driver/clock.hpp"

const Contender *find_contender(const char *name)
{
    std::size_t count;
    const Contender *const *all = contenders_builtin(&count);
    for (std::size_t i = 0; i < count; i++) {
        if (std::strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    return nullptr;
}

Peer::Peer(const Contender &measured, const ContenderWorld &chunks)
    : contender(measured), world(chunks), self(measured.create(&chunks))
{
    if (!self) {
        throw std::bad_alloc();
    }
}

Peer::~Peer()
{
    contender.destroy(self);
}

/// Grows the output list to the longest answer so far. The check of each question has already grown
/// it, so timed calls do not allocate.
void Peer::make_room(std::size_t answers)
{
    if (out.size() < answers) {
        out.resize(answers);
    }
}

void Peer::insert(const ContenderEntry *entries, std::size_t entry_count)
{
    if (contender.insert(self, entries, entry_count) != entry_count) {
        throw std::bad_alloc();
    }
}

void Peer::remove(const TrnCoord *chunks, std::size_t chunk_count)
{
    contender.remove(self, chunks, chunk_count);
}

double Peer::step(const WalkStep &step, ContenderChunk *headers)
{
    for (const ContenderEntry &entry : step.come) {
        headers[entry.number].coord = entry.coord;
    }
    const double start = clock_ns(CLOCK_MONOTONIC);
    insert(step.come);
    remove(step.go.data(), step.go.size());
    return clock_ns(CLOCK_MONOTONIC) - start;
}

void Peer::gather(TrnBox box)
{
    make_room(world.chunk_count);
    count = contender.gather(self, box, out.data(), out.size());
}

void Peer::gather_all()
{
    make_room(world.chunk_count);
    count = contender.gather_all(self, out.data(), out.size());
}

void Peer::find(const std::vector<TrnCoord> &chunks)
{
    make_room(count = chunks.size());
    contender.find(self, chunks.data(), chunks.size(), out.data());
}

void Peer::find_neighbours(const std::vector<TrnCoord> &chunks)
{
    make_room(count = chunks.size() * TRN_FACE_COUNT);
    contender_neighbours(&contender, &world, self, chunks.data(), chunks.size(), out.data());
}

void Peer::gather_ready(const std::vector<const ContenderChunk *> &chunks)
{
    make_room(chunks.size());
    count = contender_gather_ready(&contender, &world, self, chunks.data(), chunks.size(),
                                   out.data(), out.size());
}

std::vector<std::uint32_t> Peer::found() const
{
    std::vector<std::uint32_t> numbers;
    for (const ContenderChunk *chunk : *this) {
        if (chunk) {
            numbers.push_back(static_cast<std::uint32_t>(chunk - world.chunks));
        }
    }
    return numbers;
}

bool Peer::holds_just(const std::vector<TrnCoord> &chunks)
{
    gather_all();
    if (count != chunks.size()) {
        return false;
    }
    find(chunks);
    for (std::size_t i = 0; i < count; i++) {
        if (!out[i] || !trn_coord_equal(out[i]->coord, chunks[i])) {
            return false;
        }
    }
    return true;
}
