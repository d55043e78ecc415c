/// Implements the functions of a Contender in C++ on top of a container with these members:
///
///     // sets `taken`; an exception means that memory ran out
///     void insert(const ContenderEntry *, std::size_t count, std::size_t &taken);
///     void remove(const TrnCoord *, std::size_t count);
///     const ContenderChunk *find(TrnCoord) const;
///     void gather(TrnBox, const FrustumTest *, ChunkList &) const; // without a frustum: NULL
///     void gather_all(ChunkList &) const;
///     Refusal refusal; // why `insert` took fewer
#pragma once

#include <cstddef>
#include <exception>

#include "chunk_list.h"
#include "frustum.h"
#include "refusal.h"

/// @tparam leaks_without_memory  whether the destructor of a container that ran out of memory would
/// crash
template <class Container, bool leaks_without_memory> struct ContainerFunctions {
    static const Container &container(const void *self)
    {
        return *static_cast<const Container *>(self);
    }
    static void *create(const ContenderWorld *)
    {
        try {
            return new Container;
        } catch (const std::exception &) {
            return nullptr;
        }
    }
    static void destroy(void *self)
    {
        if (!leaks_without_memory || container(self).refusal.reason != REFUSAL_NO_MEMORY) {
            delete static_cast<Container *>(self);
        }
    }
    static std::size_t insert(void *self, const ContenderEntry *entries, std::size_t count)
    {
        auto &container = *static_cast<Container *>(self);
        std::size_t taken = 0;
        try {
            container.insert(entries, count, taken);
        } catch (const std::exception &) { // std::bad_alloc, or the container's size limit
            container.refusal.reason = REFUSAL_NO_MEMORY;
        }
        return taken;
    }
    static void remove(void *self, const TrnCoord *coords, std::size_t count)
    {
        static_cast<Container *>(self)->remove(coords, count);
    }
    static void find(const void *self, const TrnCoord *coords, std::size_t count, void *out)
    {
        auto **found = static_cast<const ContenderChunk **>(out);
        for (std::size_t i = 0; i < count; i++) {
            found[i] = container(self).find(coords[i]);
        }
    }
    static std::size_t gather(void *self, TrnBox box, void *out, std::size_t capacity)
    {
        ChunkList list = chunk_list(out, capacity);
        container(self).gather(box, nullptr, list);
        return list.count;
    }
    static std::size_t gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum, void *out,
                                      std::size_t capacity)
    {
        ChunkList list = chunk_list(out, capacity);
        const FrustumTest test = frustum_test(frustum);
        container(self).gather(box, &test, list);
        return list.count;
    }
    static std::size_t gather_all(void *self, void *out, std::size_t capacity)
    {
        ChunkList list = chunk_list(out, capacity);
        container(self).gather_all(list);
        return list.count;
    }
    static void neighbours(const void *self, const TrnCoord *coords, std::size_t count, void *out)
    {
        auto **found = static_cast<const ContenderChunk **>(out);
        for (std::size_t i = 0; i < count; i++) {
            for (int face = 0; face < TRN_FACE_COUNT; face++) {
                *found++ = container(self).find(
                    trn_coord_neighbour(coords[i], static_cast<TrnFace>(face)));
            }
        }
    }
    static bool has_all_neighbours(const void *self, TrnCoord coord)
    {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            if (!container(self).find(trn_coord_neighbour(coord, static_cast<TrnFace>(face)))) {
                return false;
            }
        }
        return true;
    }
    static std::size_t gather_ready(void *self, const ContenderChunk *const *chunks,
                                    std::size_t count, void *out, std::size_t capacity)
    {
        ChunkList list = chunk_list(out, capacity);
        for (std::size_t i = 0; i < count; i++) {
            if (has_all_neighbours(self, chunks[i]->coord)) {
                chunk_list_append(&list, chunks[i]);
            }
        }
        return list.count;
    }
    static void explain(const void *self, char *text, std::size_t size)
    {
        refusal_explain(&container(self).refusal, text, size);
    }
};

template <class Container, bool leaks_without_memory = false>
constexpr Contender container_contender(const char *name)
{
    using Functions = ContainerFunctions<Container, leaks_without_memory>;
    Contender contender = {};
    contender.version = TERRANE_CONTENDER_VERSION;
    contender.name = name;
    contender.answers = CONTENDER_POINTERS;
    contender.create = Functions::create;
    contender.destroy = Functions::destroy;
    contender.insert = Functions::insert;
    contender.remove = Functions::remove;
    contender.find = Functions::find;
    contender.gather = Functions::gather;
    contender.gather_all = Functions::gather_all;
    contender.gather_frustum = Functions::gather_frustum;
    contender.neighbours = Functions::neighbours;
    contender.gather_ready = Functions::gather_ready;
    contender.explain = Functions::explain;
    return contender;
}
