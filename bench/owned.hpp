/// Objects of the library, destroyed with their owner.
#pragma once

#include <memory>

/// Calls a function of the library that destroys.
template <auto destroy> struct Destroyer {
    template <class T> void operator()(T *object) const
    {
        destroy(object);
    }
};

/// Owned<TrnStore, trn_store_destroy>
template <class T, auto destroy> using Owned = std::unique_ptr<T, Destroyer<destroy>>;
