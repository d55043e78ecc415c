/// The spatial array for C++17 and later (terrane/spatial_array.h). terrane/terrane.hpp says how
/// results and handles work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_SPATIAL_ARRAY_HPP
#define TERRANE_SPATIAL_ARRAY_HPP

#include <cstddef>
#include <cstring>
#include <iterator>
#include <optional>
#include <type_traits>
#include <vector>

#include <terrane/base.hpp>
#include <terrane/coord.h>
#include <terrane/spatial_array.h>

namespace trn {

/// An array that grows in any direction (terrane/spatial_array.h), of elements that memcpy copies.
template <class T>
class SpatialArray : public Owned<Borrowed<TrnSpatialArray>, trn_spatial_array_destroy> {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    static_assert(alignof(T) <= 16, "cells are aligned to 16");

  public:
    /// An element and where it lies.
    struct Element {
        TrnCoord coord; ///< where it lies
        const T &value; ///< the element
    };

    using Owned::Owned;
    /// @param sentinel    the value of cells without an element
    /// @param dimensions  1 (x), 2 (x and z) or 3
    static Result<SpatialArray> create(const T &sentinel = T{}, int dimensions = 3)
    {
        TrnSpatialArrayDef def = SpatialArray::def();
        def.sentinel = &sentinel;
        def.dimensions = dimensions;
        return create(def);
    }
    /// The defaults for T, to change and pass to create(): the maximum of memory, an allocator.
    static TrnSpatialArrayDef def()
    {
        return trn_spatial_array_def(sizeof(T));
    }
    static Result<SpatialArray> create(const TrnSpatialArrayDef &def)
    {
        if (def.element_bytes != sizeof(T)) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        return detail::handle_of<SpatialArray>(trn_spatial_array_create, &def);
    }
    /// The cell at a coordinate, which may hold the sentinel; NULL outside the extent. Valid until
    /// the next insert, reserve or shrink.
    const T *cell(TrnCoord coord) const
    {
        return static_cast<const T *>(trn_spatial_array_cell(this->c_, coord));
    }
    /// The element at a coordinate, or the sentinel.
    T get(TrnCoord coord) const
    {
        T value;
        const void *found = trn_spatial_array_cell(this->c_, coord);
        std::memcpy(&value, found ? found : this->c_->sentinel, sizeof value);
        return value;
    }
    /// The element at a coordinate, or nothing.
    std::optional<T> find(TrnCoord coord) const
    {
        const T *found = cell(coord);
        return found && std::memcmp(found, this->c_->sentinel, sizeof *found) != 0
                   ? std::optional<T>(*found)
                   : std::nullopt;
    }
    /// Whether a chunk is there.
    bool contains(TrnCoord coord) const
    {
        return find(coord).has_value();
    }
    Status insert(TrnCoord coord, const T &element)
    {
        return trn_spatial_array_insert(this->c_, coord, &element);
    }
    Status remove(TrnCoord coord)
    {
        return trn_spatial_array_remove(this->c_, coord);
    }
    Status reserve(TrnBox box)
    {
        return trn_spatial_array_reserve(this->c_, box);
    }
    Status shrink()
    {
        return trn_spatial_array_shrink(this->c_);
    }
    void clear()
    {
        trn_spatial_array_clear(this->c_);
    }
    std::size_t size() const noexcept
    {
        return this->c_->count;
    }
    /// @return how many there are; only the first out.size() are written
    std::size_t gather(TrnBox box, Span<T> out) const
    {
        return trn_spatial_array_gather(this->c_, box, out.data(), out.size());
    }
    /// Gathers into a vector to reuse. @return what was found; the vector's size says nothing
    Span<T> gather(TrnBox box, std::vector<T> &buffer) const
    {
        return detail::gather_into(buffer, [&](T *out, std::size_t capacity) {
            return gather(box, Span<T>(out, capacity));
        });
    }
    /// for (const T &element : array.gather(box)) Allocates.
    std::vector<T> gather(TrnBox box) const
    {
        std::vector<T> elements(trn_spatial_array_gather(this->c_, box, nullptr, 0));
        gather(box, Span<T>(elements));
        return elements;
    }
    TrnSpatialArrayStats stats() const
    {
        return trn_spatial_array_stats(this->c_);
    }

    /// Walks the elements in memory order.
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Element;
        Iterator() noexcept = default;
        explicit Iterator(const TrnSpatialArray *array) : array_(array)
        {
            ++*this;
        }
        Element operator*() const
        {
            return Element{coord_, *static_cast<const T *>(element_)};
        }
        Iterator &operator++()
        {
            element_ = trn_spatial_array_next(array_, &cursor_, &coord_);
            return *this;
        }
        Iterator operator++(int)
        {
            Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator &a, const Iterator &b) noexcept
        {
            return a.element_ == b.element_;
        }
        friend bool operator!=(const Iterator &a, const Iterator &b) noexcept
        {
            return a.element_ != b.element_;
        }

      private:
        const TrnSpatialArray *array_ = nullptr;
        const void *element_ = nullptr;
        std::size_t cursor_ = 0;
        TrnCoord coord_{0, 0, 0};
    };
    /// for (auto [coord, value] : array)
    Iterator begin() const
    {
        return Iterator(this->c_);
    }
    Iterator end() const noexcept
    {
        return Iterator();
    }
};

} // namespace trn

#endif
