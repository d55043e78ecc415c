#include "index_peer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "contenders/contenders.h"
#include "contenders/defaults.h"
#include "timing.hpp"

namespace {

/// Headers of 256 bytes share a quarter of a cache's sets: thousands at once drive each other out, and the peer's own data as well. A
/// boost flat map took 14 ns a change of a ball of 137,000 chunks with 3,200 headers at a time, 7 with these, and 5 where it was given
/// the coordinates alone. Fewer at a time cost more calls.
const std::size_t load_slice = 256;

} // namespace

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

/// The lists are as long as the longest so far, which each question was when its answers were checked.
void Peer::make_room(std::size_t answers)
{
    if (out.size() < answers) {
        out.resize(answers);
    }
}

void Peer::insert(const ContenderChunk *const *chunks, std::size_t many)
{
    if (contender.insert(self, chunks, many) != many) {
        throw std::bad_alloc();
    }
}

void Peer::insert(const std::vector<const ContenderChunk *> &chunks)
{
    insert(chunks.data(), chunks.size());
}

double Peer::step(const WalkStep &step, ContenderChunk *headers)
{
    const ContenderChunk *few[load_slice];
    double ns = 0;
    for (std::size_t done = 0; done < step.come.size();) {
        const std::size_t many = std::min(load_slice, step.come.size() - done);
        for (std::size_t i = 0; i < many; i++, done++) {
            headers[step.come[done]].coord = step.come_coords[done];
            few[i] = &headers[step.come[done]];
        }
        const double start = clock_ns(CLOCK_MONOTONIC);
        insert(few, many);
        ns += clock_ns(CLOCK_MONOTONIC) - start;
    }
    const double start = clock_ns(CLOCK_MONOTONIC);
    contender.remove(self, step.go.data(), step.go.size());
    return ns + clock_ns(CLOCK_MONOTONIC) - start;
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
    for (std::size_t i = 0; i < count; i++) {
        if (out[i]) {
            numbers.push_back(out[i]->number);
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
