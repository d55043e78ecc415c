/// The chunk index for C++17 and later (terrane/chunk_index.h). terrane/terrane.hpp says how
/// results and handles work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_CHUNK_INDEX_HPP
#define TERRANE_CHUNK_INDEX_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <terrane/base.hpp>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>

namespace trn {

/// What to gather: a box, and if you like planes and a frustum. A box converts to it.
struct Region {
    Region(TrnBox a_box, TrnPlaneQuery a_query = {}, const TrnFrustum *a_frustum = nullptr)
        : box(a_box), planes(a_query), frustum(a_frustum)
    {
    }
    TrnBox box;                ///< chunk coordinates, both corners inclusive
    TrnPlaneQuery planes;      ///< as TrnChunkGather.planes
    const TrnFrustum *frustum; ///< borrowed

    /// The same for trn_chunk_index_gather(), without outputs.
    TrnChunkGather gather() const
    {
        TrnChunkGather gather{};
        gather.box = box;
        gather.planes = planes;
        gather.frustum = frustum;
        return gather;
    }
};

/// The frustum of a camera's matrix. Errors: BAD_ARGUMENT (a matrix without an inverse).
inline Result<TrnFrustum> frustum(const float (&matrix)[16], TrnMatrixOrder order,
                                  TrnClipDepth depth, TrnPosition origin)
{
    return detail::value_of<TrnFrustum>(trn_frustum_from_matrix, matrix, order, depth, origin);
}

/// Borrows an index to read it (terrane/chunk_index.h).
class IndexView {
  public:
    using c_type = TrnChunkIndex;
    using held_type = TrnChunkIndex *; ///< what C calls it
    IndexView() noexcept = default;
    IndexView(const TrnChunkIndex *c) noexcept : c_(const_cast<TrnChunkIndex *>(c))
    {
    }
    const TrnChunkIndex *c() const noexcept
    {
        return c_;
    }
    explicit operator bool() const noexcept
    {
        return c_ != nullptr;
    }
    std::optional<std::uint32_t> find(TrnCoord coord) const
    {
        std::uint32_t value = 0;
        return trn_chunk_index_find(c_, coord, &value) ? std::optional<std::uint32_t>(value)
                                                       : std::nullopt;
    }
    /// Finds many chunks, as many as both spans have elements. @return how many are present
    std::size_t find(Span<const TrnCoord> coords, Span<std::uint32_t> values) const
    {
        const std::size_t count = coords.size() < values.size() ? coords.size() : values.size();
        return trn_chunk_index_find_many(c_, coords.data(), count, values.data());
    }
    bool contains(TrnCoord coord) const
    {
        return trn_chunk_index_find(c_, coord, nullptr);
    }
    /// In the order of TrnFace, TRN_CHUNK_VALUE_NONE where no chunk is.
    std::array<std::uint32_t, TRN_FACE_COUNT> neighbours(TrnCoord coord) const
    {
        std::array<std::uint32_t, TRN_FACE_COUNT> values;
        trn_chunk_index_neighbours(c_, coord, values.data());
        return values;
    }
    /// In the order of trn_coord_around, TRN_CHUNK_VALUE_NONE where no chunk is.
    std::array<std::uint32_t, TRN_AROUND_COUNT> around(TrnCoord coord) const
    {
        std::array<std::uint32_t, TRN_AROUND_COUNT> values;
        trn_chunk_index_around(c_, coord, values.data());
        return values;
    }
    /// TRN_PLANE_COUNT_MAX if no plane has the name.
    TrnPlane plane(const char *name) const
    {
        return trn_chunk_index_plane(c_, name);
    }
    bool test(TrnPlane plane, TrnCoord coord) const
    {
        return trn_chunk_index_plane_test(c_, plane, coord);
    }
    /// Gathers values. @return how many there are; only the first out.size() are written
    std::size_t gather(const Region &region, Span<std::uint32_t> out) const
    {
        return gather_to(&TrnChunkGather::values, region, out);
    }
    /// Gathers coordinates. @return how many there are; only the first out.size() are written
    std::size_t gather(const Region &region, Span<TrnCoord> out) const
    {
        return gather_to(&TrnChunkGather::coords, region, out);
    }
    /// Gathers values or coordinates into a vector to reuse: allocates only when it must grow.
    /// @return what was found, in the vector, whose size says nothing
    template <class T> Span<T> gather(const Region &region, std::vector<T> &buffer) const
    {
        return detail::gather_into(buffer, [&](T *out, std::size_t capacity) {
            return gather(region, Span<T>(out, capacity));
        });
    }
    TrnChunkIndexStats stats() const
    {
        return trn_chunk_index_stats(c_);
    }

  protected:
    TrnChunkIndex *c_ = nullptr; // IndexRef alone changes it

  private:
    template <class T>
    std::size_t gather_to(T *TrnChunkGather::*output, const Region &region, Span<T> out) const
    {
        TrnChunkGather gather = region.gather();
        gather.*output = out.data();
        gather.capacity = out.size();
        return trn_chunk_index_gather(c_, &gather);
    }
};

/// A section in which a reader's finds stay valid. Ends with its scope. Sections do not nest.
using ReadSection =
    detail::Scope<TrnChunkReader, trn_chunk_index_read_begin, trn_chunk_index_read_end>;

/// Borrows a reader.
class ReaderRef : public Borrowed<TrnChunkReader> {
  public:
    ReaderRef() noexcept = default;
    ReaderRef(TrnChunkReader *c) noexcept : Borrowed(c)
    {
    }
    /// Begins a section, which lasts as long as the returned object: auto section = ...
    [[nodiscard]] ReadSection section() noexcept
    {
        return ReadSection(c_);
    }
};

/// Owns a registered reader, for one thread. Destroy it before its index or store.
class Reader : public Owned<ReaderRef, trn_chunk_index_reader_destroy> {
  public:
    using Owned::Owned;
};

/// Borrows an index to change it, too. Those of a store: only planes of yours.
class IndexRef : public IndexView {
  public:
    IndexRef() noexcept = default;
    IndexRef(TrnChunkIndex *c) noexcept : IndexView(c)
    {
    }
    TrnChunkIndex *c() const noexcept
    {
        return c_;
    }
    Status insert(TrnCoord coord, std::uint32_t value)
    {
        return trn_chunk_index_insert(c_, coord, value);
    }
    Status set(TrnCoord coord, std::uint32_t value)
    {
        return trn_chunk_index_set(c_, coord, value);
    }
    /// @return the value that the chunk had
    Result<std::uint32_t> remove(TrnCoord coord)
    {
        return detail::value_of<std::uint32_t>(trn_chunk_index_remove, c_, coord);
    }
    Status clear()
    {
        return trn_chunk_index_clear(c_);
    }
    Status reserve(TrnBox box)
    {
        return trn_chunk_index_reserve(c_, box);
    }
    Status plane_set(TrnPlane plane, TrnCoord coord, bool bit)
    {
        return trn_chunk_index_plane_set(c_, plane, coord, bit);
    }
    Status plane_fill(TrnPlane plane, TrnBox box, bool bit)
    {
        return trn_chunk_index_plane_fill(c_, plane, box, bit);
    }
    Status plane_compute(TrnPlane plane, const TrnPlaneQuery &query)
    {
        return trn_chunk_index_plane_compute(c_, plane, &query);
    }
    /// Registers a reader for one thread. Any thread may call it.
    Result<Reader> reader(const char *name = nullptr) const
    {
        return detail::handle_of<Reader>(trn_chunk_index_reader_create, c_, name);
    }
    void reclaim()
    {
        trn_chunk_index_reclaim(c_);
    }
};

/// Owns an index.
class Index : public Owned<IndexRef, trn_chunk_index_destroy> {
  public:
    using Owned::Owned;
    static Result<Index> create(const TrnChunkIndexDef &def = trn_chunk_index_def())
    {
        return detail::handle_of<Index>(trn_chunk_index_create, &def);
    }
};

} // namespace trn

#endif
