/// The pool for C++17 and later (terrane/pool.h). terrane/terrane.hpp says how results and handles
/// work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_POOL_HPP
#define TERRANE_POOL_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>

#include <terrane/base.hpp>
#include <terrane/pool.h>

namespace trn {

/// Objects that never move, with ids that detect stale uses (terrane/pool.h). Destroys the objects
/// that are left.
template <class T> class Pool : public Owned<Borrowed<TrnPool>, trn_pool_destroy> {
  public:
    using Owned::Owned;
    /// A new object and its id.
    struct Made {
        T *object = nullptr; ///< stays at its address until it is freed
        TrnPoolId id{0, 0};  ///< detects that it was freed
    };

    /// The defaults for T, to change and pass to create().
    static TrnPoolDef def()
    {
        TrnPoolDef def = trn_pool_def(sizeof(T));
        if (alignof(T) > def.slot_alignment) {
            def.slot_alignment = alignof(T);
        }
        return def;
    }
    /// @param def  of def(); `destroy` is set here
    static Result<Pool> create(TrnPoolDef def = Pool::def())
    {
        if constexpr (!std::is_trivially_destructible_v<T>) {
            def.destroy = [](void *slot, void *) { static_cast<T *>(slot)->~T(); };
        }
        return detail::handle_of<Pool>(trn_pool_create, &def);
    }
    /// Makes an object. Its constructor must not throw: a slot without an object would be
    /// destroyed.
    template <class... Arguments> Result<Made> make(Arguments &&...arguments)
    {
        static_assert(std::is_nothrow_constructible_v<T, Arguments...>,
                      "a pool's objects need a constructor that does not throw");
        void *slot = nullptr;
        Made made;
        const TrnResult result = trn_pool_alloc(c_, &made.id, &slot);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        made.object = ::new (slot) T(std::forward<Arguments>(arguments)...);
        return made;
    }
    /// Destroys an object. Errors: STALE_ID.
    Status destroy(TrnPoolId id)
    {
        return trn_pool_free(c_, id);
    }
    /// NULL if the id is stale.
    T *get(TrnPoolId id) const
    {
        return static_cast<T *>(trn_pool_get(c_, id));
    }
    TrnPoolId id(const T *object) const
    {
        return trn_pool_id(c_, object);
    }
    void trim()
    {
        trn_pool_trim(c_);
    }
    TrnPoolStats stats() const
    {
        return trn_pool_stats(c_);
    }

    /// The end of a walk.
    struct End {};

    /// A walk over all objects, 64 at a time. Neither make nor destroy objects during it, except
    /// the current one.
    class Walk {
      public:
        class Iterator {
          public:
            using iterator_category = std::input_iterator_tag;
            using value_type = T;
            using difference_type = std::ptrdiff_t;
            using pointer = T *;
            using reference = T &;
            explicit Iterator(Walk *walk) noexcept : walk_(walk)
            {
            }
            T &operator*() const noexcept
            {
                return *static_cast<T *>(walk_->slots_[walk_->at_]);
            }
            Iterator &operator++()
            {
                walk_->next();
                return *this;
            }
            void operator++(int)
            {
                walk_->next();
            }
            friend bool operator!=(const Iterator &a, End) noexcept
            {
                return !a.is_done();
            }
            friend bool operator==(const Iterator &a, End) noexcept
            {
                return a.is_done();
            }

          private:
            bool is_done() const noexcept
            {
                return walk_->count_ == 0;
            }
            Walk *walk_;
        };

        explicit Walk(const TrnPool *pool) noexcept : pool_(pool)
        {
        }
        Iterator begin()
        {
            cursor_ = 0;
            refill();
            return Iterator(this);
        }
        End end() const noexcept
        {
            return {};
        }

      private:
        void next()
        {
            if (++at_ == count_) {
                refill();
            }
        }
        void refill()
        {
            at_ = 0;
            count_ = trn_pool_gather(pool_, &cursor_, slots_.data(), slots_.size());
        }
        const TrnPool *pool_;
        std::size_t at_ = 0, count_ = 0;
        std::uint32_t cursor_ = 0;
        std::array<void *, 64> slots_;
    };
    /// for (T &object : pool.objects())
    Walk objects() const
    {
        return Walk(this->c_);
    }
};

} // namespace trn

#endif
