/// Objects of the library, destroyed with their owner, and calls that must not fail.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include <terrane/base.h>

/// Calls a destroy function of the library.
template <auto destroy> struct Destroyer {
    template <class T> void operator()(T *object) const
    {
        destroy(object);
    }
};

/// Owned<TrnStore, trn_store_destroy>
template <class T, auto destroy> using Owned = std::unique_ptr<T, Destroyer<destroy>>;

/// Throws std::bad_alloc if a call failed, since calls of the bench fail only if memory runs out.
inline void require(TrnResult result)
{
    if (result != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
}

/// Creates an object: make_owned<Store>(trn_store_create, &def).
/// @param given  arguments of `create`, except the last, which receives the object
template <class Owner, class Create, class... Given> Owner make_owned(Create create, Given... given)
{
    typename Owner::pointer made = nullptr;
    require(create(given..., &made));
    return Owner(made);
}

/// Creates an object in an existing owner: create_owned(store, trn_store_create, &def).
template <class Owner, class Create, class... Given>
void create_owned(Owner &owner, Create create, Given... given)
{
    owner = make_owned<Owner>(create, given...);
}

/// Memory aligned to a cache line. make_scratch throws std::bad_alloc if memory runs out.
using Scratch = Owned<void, trn_aligned_free>;
inline Scratch make_scratch(std::size_t bytes)
{
    Scratch scratch(trn_aligned_alloc(bytes, 64));
    if (!scratch) {
        throw std::bad_alloc();
    }
    return scratch;
}
