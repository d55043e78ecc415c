/// Terrane for C++17 and later: owning handles, results, spans and ranges over the C headers.
///
/// Header-only and thin: a method is one call of the C function of the same name, whose comment
/// states errors, threads and cost. Structs stay those of C (TrnCoord, TrnChunk, TrnStoreDef), and
/// c() returns the pointer for everything that has no method here. The mesher has a wrapper of its
/// own, terrane/mesher.hpp; saves have terrane/save.hpp, shared worlds terrane/shared.hpp.
///
///     trn::Store store = trn::Store::create().value(); // throws trn::Error on failure
///     store.insert({0, 0, 0}, TRN_BLOCK_STONE).value();
///     for (TrnChunk &chunk : store.gather(trn_box_everything())) {
///         ...
///     }
///
/// Results. What can fail returns a Result: test it and read it with `*`, or call value(), which
/// throws. Nothing else in this header throws, except where it says that it allocates. Without
/// exceptions, or with TRN_HPP_NO_EXCEPTIONS defined, value() is not declared.
///
/// Handles. Store, Index, Terrain, ... own their object: they move, cannot be copied, and destroy
/// it. A class named ...Ref borrows one: it copies like a pointer, and handles convert to it.
///
/// Functions of yours. Where Terrane calls an object of yours (a generator, hooks, a listener), it
/// borrows the object, which must outlive its use. The function returns TrnResult, trn::Status or
/// nothing. No exception crosses the C code: std::bad_alloc becomes NO_MEMORY, trn::Error its
/// result, any other exception CORRUPT.
#ifndef TERRANE_HPP
#define TERRANE_HPP

#if !(__cplusplus >= 201703L || (defined(_MSVC_LANG) && _MSVC_LANG >= 201703L))
#error "terrane.hpp needs C++17; the C headers work with C++11."
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

#include <terrane/base.h>
#include <terrane/batch.h>
#include <terrane/block_data.h>
#include <terrane/block_types.h>
#include <terrane/body.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/delta.h>
#include <terrane/far.h>
#include <terrane/fluid.h>
#include <terrane/generator.h>
#include <terrane/history.h>
#include <terrane/pool.h>
#include <terrane/raycast.h>
#include <terrane/spatial_array.h>
#include <terrane/store.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>
#include <terrane/ticks.h>
#include <terrane/voxels.h>

#if defined(__cpp_exceptions) && !defined(TRN_HPP_NO_EXCEPTIONS)
#include <exception>
#define TRN_HPP_THROWS 1 // undefined at the end of this header
#endif

namespace trn {

// ---- results -----------------------------------------------------------------------------------

#if defined(TRN_HPP_THROWS)
/// What Result::value() throws.
class Error : public std::exception {
  public:
    explicit Error(TrnResult result) noexcept : result_(result)
    {
    }
    /// Why: anything but OK.
    TrnResult result() const noexcept
    {
        return result_;
    }
    /// One sentence: what is wrong, and what to do.
    const char *what() const noexcept override
    {
        return trn_result_text(result_);
    }

  private:
    TrnResult result_;
};
#endif

/// A value, or the reason why there is none. T needs a default constructor.
template <class T> class [[nodiscard]] Result {
  public:
    /// @param failure  anything but OK
    Result(TrnResult failure) : result_(failure)
    {
    }
    Result(T value) : result_(TRN_RESULT_OK), value_(std::move(value))
    {
    }
    explicit operator bool() const noexcept
    {
        return result_ == TRN_RESULT_OK;
    }
    /// OK, or why there is no value.
    TrnResult result() const noexcept
    {
        return result_;
    }
    /// One sentence: what is wrong, and what to do.
    const char *text() const noexcept
    {
        return trn_result_text(result_);
    }
    /// The value; a default-constructed one after a failure.
    T &operator*() &noexcept
    {
        return value_;
    }
    const T &operator*() const &noexcept
    {
        return value_;
    }
    /// By value, so that a loop over the value of a temporary is safe.
    T operator*() &&
    {
        return std::move(value_);
    }
    T *operator->() noexcept
    {
        return &value_;
    }
    const T *operator->() const noexcept
    {
        return &value_;
    }
    /// The value, or `other` after a failure.
    T value_or(T other) &&
    {
        return *this ? std::move(value_) : std::move(other);
    }
    T value_or(T other) const &
    {
        return *this ? value_ : std::move(other);
    }
#if defined(TRN_HPP_THROWS)
    /// The value. Throws Error after a failure.
    T value() &&
    {
        check();
        return std::move(value_);
    }
    const T &value() const &
    {
        check();
        return value_;
    }

  private:
    void check() const
    {
        if (!*this) {
            throw Error(result_);
        }
    }
#endif

  private:
    TrnResult result_;
    T value_{};
};

/// Success, or the reason for a failure.
template <> class [[nodiscard]] Result<void> {
  public:
    Result(TrnResult result) noexcept : result_(result)
    {
    }
    explicit operator bool() const noexcept
    {
        return result_ == TRN_RESULT_OK;
    }
    /// OK, or why the call failed.
    TrnResult result() const noexcept
    {
        return result_;
    }
    const char *text() const noexcept
    {
        return trn_result_text(result_);
    }
#if defined(TRN_HPP_THROWS)
    /// Throws Error after a failure.
    void value() const
    {
        if (!*this) {
            throw Error(result_);
        }
    }
#endif

  private:
    TrnResult result_;
};
/// OK, or why a call failed.
using Status = Result<void>;

// ---- spans and ranges --------------------------------------------------------------------------

/// A borrowed array, as std::span, which C++17 lacks. It is the same type in every standard, so
/// that sources compiled with different ones fit together. Anything with data() and size() converts
/// to it, and it converts to std::span.
template <class T> class Span {
  public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;

    constexpr Span() noexcept = default;
    constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }
    template <std::size_t count>
    constexpr Span(T (&array)[count]) noexcept : data_(array), size_(count)
    {
    }
    /// From std::vector, std::array, std::string, std::span, or a span of elements that are not
    /// const.
    template <class Container,
              class Element = std::remove_pointer_t<decltype(std::declval<Container &>().data())>,
              class = std::enable_if_t<std::is_convertible_v<Element (*)[], T (*)[]>>,
              class = decltype(std::declval<Container &>().size())>
    constexpr Span(Container &&container) noexcept
        : data_(container.data()), size_(container.size())
    {
    }
    constexpr T *data() const noexcept
    {
        return data_;
    }
    constexpr std::size_t size() const noexcept
    {
        return size_;
    }
    constexpr bool empty() const noexcept
    {
        return size_ == 0;
    }
    constexpr T *begin() const noexcept
    {
        return data_;
    }
    constexpr T *end() const noexcept
    {
        return data_ + size_;
    }
    constexpr T &operator[](std::size_t i) const noexcept
    {
        return data_[i];
    }
    /// The first `count` elements.
    constexpr Span first(std::size_t count) const noexcept
    {
        return Span(data_, count < size_ ? count : size_);
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// Iterates over pointers as over the objects.
template <class T> class PointerIterator {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;

    PointerIterator() noexcept = default;
    explicit PointerIterator(T *const *at) noexcept : at_(at)
    {
    }
    T &operator*() const noexcept
    {
        return **at_;
    }
    T *operator->() const noexcept
    {
        return *at_;
    }
    T &operator[](difference_type i) const noexcept
    {
        return *at_[i];
    }
    PointerIterator &operator++() noexcept
    {
        ++at_;
        return *this;
    }
    PointerIterator operator++(int) noexcept
    {
        return PointerIterator(at_++);
    }
    PointerIterator &operator--() noexcept
    {
        --at_;
        return *this;
    }
    PointerIterator operator--(int) noexcept
    {
        return PointerIterator(at_--);
    }
    PointerIterator &operator+=(difference_type by) noexcept
    {
        at_ += by;
        return *this;
    }
    PointerIterator &operator-=(difference_type by) noexcept
    {
        at_ -= by;
        return *this;
    }
    friend PointerIterator operator+(PointerIterator a, difference_type by) noexcept
    {
        return a += by;
    }
    friend PointerIterator operator+(difference_type by, PointerIterator a) noexcept
    {
        return a += by;
    }
    friend PointerIterator operator-(PointerIterator a, difference_type by) noexcept
    {
        return a -= by;
    }
    friend difference_type operator-(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ - b.at_;
    }
    friend bool operator==(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ == b.at_;
    }
    friend bool operator!=(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ != b.at_;
    }
    friend bool operator<(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ < b.at_;
    }
    friend bool operator>(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ > b.at_;
    }
    friend bool operator<=(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ <= b.at_;
    }
    friend bool operator>=(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ >= b.at_;
    }

  private:
    T *const *at_ = nullptr;
};

/// A range over objects whose pointers lie in an array: in a caller's (Pointers is a Span) or in
/// its own (a std::vector).
template <class T, class Pointers> class PointerRange {
  public:
    PointerRange() = default;
    explicit PointerRange(Pointers pointers) : pointers_(std::move(pointers))
    {
    }
    PointerIterator<T> begin() const noexcept
    {
        return PointerIterator<T>(pointers_.data());
    }
    PointerIterator<T> end() const noexcept
    {
        return PointerIterator<T>(pointers_.data() + pointers_.size());
    }
    T &operator[](std::size_t i) const noexcept
    {
        return *pointers_.data()[i];
    }
    std::size_t size() const noexcept
    {
        return pointers_.size();
    }
    bool empty() const noexcept
    {
        return pointers_.size() == 0;
    }
    /// The pointers themselves, for functions of C.
    Span<T *const> pointers() const noexcept
    {
        return Span<T *const>(pointers_.data(), pointers_.size());
    }

  private:
    Pointers pointers_;
};

/// Chunks that a gather found, in the caller's vector.
using ChunkRange = PointerRange<TrnChunk, Span<TrnChunk *const>>;
/// Chunks that a gather found, in memory of their own.
using ChunkList = PointerRange<TrnChunk, std::vector<TrnChunk *>>;

namespace detail {

/// An address for block data of no bytes, since NULL removes data.
inline constexpr unsigned char no_bytes[1] = {0};

/// Runs a gather into a vector, which only ever grows, and gathers again if it was too small.
/// @param gather  (T *out, size_t capacity) -> size_t found
template <class T, class Gather> Span<T> gather_into(std::vector<T> &buffer, Gather gather)
{
    buffer.resize(buffer.capacity());
    for (;;) {
        const std::size_t found = gather(buffer.data(), buffer.size());
        if (found <= buffer.size()) {
            return Span<T>(buffer.data(), found);
        }
        buffer.resize(found + found / 8); // the writer may insert meanwhile
    }
}

/// Calls a function of C whose last parameter receives a value.
template <class T, class Function, class... Arguments>
Result<T> value_of(Function function, Arguments... arguments)
{
    T value{};
    const TrnResult result = function(arguments..., &value);
    return result == TRN_RESULT_OK ? Result<T>(std::move(value)) : result;
}

/// Calls a function of C whose last parameter receives a new object.
template <class Handle, class Function, class... Arguments>
Result<Handle> handle_of(Function function, Arguments... arguments)
{
    typename Handle::c_type *c = nullptr;
    const TrnResult result = function(arguments..., &c);
    return result == TRN_RESULT_OK ? Result<Handle>(Handle(c)) : result;
}

inline TrnResult result_of(TrnResult result) noexcept
{
    return result;
}
inline TrnResult result_of(Status status) noexcept
{
    return status.result();
}

/// Calls a function of the user's from C: returns what it returned, or what it threw, as a result.
// NOLINTNEXTLINE(bugprone-exception-escape): everything is caught
template <class Function> TrnResult call(Function function) noexcept
{
    const auto run = [&]() -> TrnResult {
        if constexpr (std::is_void_v<decltype(function())>) {
            function();
            return TRN_RESULT_OK;
        } else {
            return result_of(function());
        }
    };
#if defined(TRN_HPP_THROWS)
    try {
        return run();
    } catch (const Error &error) {
        return error.result();
    } catch (const std::bad_alloc &) {
        return TRN_RESULT_NO_MEMORY;
    } catch (...) {
        return TRN_RESULT_CORRUPT;
    }
#else
    return run();
#endif
}

} // namespace detail

// ---- handles -----------------------------------------------------------------------------------

/// What all borrowing classes share: a pointer to an object of C.
template <class C> class Borrowed {
  public:
    using c_type = C;
    /// The object, for functions of C. NULL for an empty handle.
    C *c() const noexcept
    {
        return c_;
    }
    explicit operator bool() const noexcept
    {
        return c_ != nullptr;
    }

  protected:
    Borrowed() noexcept = default;
    explicit Borrowed(C *c) noexcept : c_(c)
    {
    }
    C *c_ = nullptr;
};

/// What all owning classes share: they destroy the object, move, and cannot be copied.
/// @tparam Ref  the class that borrows such an object; each has a destroy() of its own
template <class Ref> class Owned : public Ref {
  public:
    using c_type = typename Ref::c_type;

    Owned() noexcept = default;
    /// Takes over an object of C.
    explicit Owned(c_type *c) noexcept : Ref(c)
    {
    }
    Owned(Owned &&other) noexcept : Ref(other.release())
    {
    }
    Owned &operator=(Owned &&other) noexcept
    {
        if (this != &other) {
            reset(other.release());
        }
        return *this;
    }
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    ~Owned()
    {
        destroy(this->c_);
    }
    /// Gives the object away; the handle is then empty.
    c_type *release() noexcept
    {
        return std::exchange(this->c_, nullptr);
    }
    /// Destroys the object, and takes over another.
    void reset(c_type *c = nullptr) noexcept
    {
        destroy(std::exchange(this->c_, c));
    }
    /// The same object, borrowed.
    Ref borrow() const noexcept
    {
        return *this;
    }

  private:
    static void destroy(c_type *c) noexcept; // NULL is allowed
};

// ---- block types -------------------------------------------------------------------------------

/// Borrows block types (terrane/block_types.h).
class BlockTypesRef : public Borrowed<TrnBlockTypes> {
  public:
    BlockTypesRef() noexcept = default;
    BlockTypesRef(TrnBlockTypes *c) noexcept : Borrowed(c)
    {
    }
    Result<TrnBlock> add(const TrnBlockType &type)
    {
        return detail::value_of<TrnBlock>(trn_block_types_add, c_, &type);
    }
    Result<TrnBlock> add(const char *name, TrnBlockKind kind)
    {
        return add(trn_block_type_def(name, kind));
    }
    /// @param count  4 or 8 turns of a model, 9 forms of a liquid
    Result<TrnBlock> add_family(const TrnBlockType &type, std::uint32_t count)
    {
        return detail::value_of<TrnBlock>(trn_block_types_add_family, c_, &type, count);
    }
    Result<TrnBlock> add_unknown(const char *name)
    {
        return detail::value_of<TrnBlock>(trn_block_types_add_unknown, c_, name);
    }
    /// TRN_BLOCK_AIR if the family has no such type.
    TrnBlock variant(TrnBlock block, std::uint32_t variant) const
    {
        return trn_block_types_variant(c_, block, variant);
    }
    /// @param problem  receives what is wrong with the text; may be NULL
    Status load(std::string_view text, TrnBlockTypesProblem *problem = nullptr)
    {
        return trn_block_types_load(c_, text.data(), text.size(), problem);
    }
    /// All types as a text for load(). Allocates.
    std::string write() const
    {
        std::string text(trn_block_types_write(c_, nullptr, 0), '\0');
        trn_block_types_write(c_, text.data(), text.size());
        return text;
    }
    Result<TrnBlock> find(const char *name) const
    {
        return detail::value_of<TrnBlock>(trn_block_types_find, c_, name);
    }
    const TrnBlockType &operator[](TrnBlock id) const
    {
        return *trn_block_types_get(c_, id);
    }
    /// By id; valid until types are added or loaded.
    Span<const TrnBlockType> all() const
    {
        std::uint32_t count = 0;
        const TrnBlockType *types = trn_block_types_all(c_, &count);
        return Span<const TrnBlockType>(types, count);
    }
    const std::uint32_t *solid_bits() const
    {
        return trn_block_types_solid_bits(c_);
    }
    const std::uint32_t *opaque_bits() const
    {
        return trn_block_types_opaque_bits(c_);
    }
    const std::uint32_t *liquid_bits() const
    {
        return trn_block_types_liquid_bits(c_);
    }
    const std::uint32_t *climbable_bits() const
    {
        return trn_block_types_climbable_bits(c_);
    }
};

template <> inline void Owned<BlockTypesRef>::destroy(TrnBlockTypes *c) noexcept
{
    trn_block_types_destroy(c);
}

/// Owns block types.
class BlockTypes : public Owned<BlockTypesRef> {
  public:
    using Owned::Owned;
    /// With air alone.
    static Result<BlockTypes> create(const TrnAllocator *allocator = nullptr)
    {
        return detail::handle_of<BlockTypes>(trn_block_types_create, allocator);
    }
    /// With the built-in types, for the built-in terrain.
    static Result<BlockTypes> create_builtin(const TrnAllocator *allocator = nullptr)
    {
        return detail::handle_of<BlockTypes>(trn_block_types_create_builtin, allocator);
    }
};

// ---- voxels ------------------------------------------------------------------------------------

/// TRN_CHUNK_VOXELS as the size of an array.
inline constexpr std::size_t chunk_voxels = static_cast<std::size_t>(TRN_CHUNK_VOXELS);

/// The voxels of one chunk at one moment (terrane/voxels.h). A value of eight bytes, valid until
/// the reader ends its section; on the writer's thread until the chunk is changed or removed.
struct Snapshot : TrnSnapshot {
    Snapshot() noexcept : TrnSnapshot{0}
    {
    }
    Snapshot(TrnSnapshot snapshot) noexcept : TrnSnapshot(snapshot)
    {
    }
    explicit Snapshot(const TrnChunk &chunk) noexcept
        : TrnSnapshot(trn_voxels_snapshot(&chunk.voxels))
    {
    }
    /// @param x,y,z  local, 0..31
    TrnBlock at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const
    {
        return trn_snapshot_get(*this, trn_local_index(x, y, z));
    }
    /// @param index  linear index, 0..32767
    TrnBlock operator[](std::uint32_t index) const
    {
        return trn_snapshot_get(*this, index);
    }
    bool is_uniform() const
    {
        return trn_snapshot_is_uniform(*this);
    }
    std::uint64_t revision() const
    {
        return trn_snapshot_revision(*this);
    }
    std::uint32_t bits() const
    {
        return trn_snapshot_bits(*this);
    }
    /// Writes all blocks in linear order.
    /// @param blocks  [TRN_CHUNK_VOXELS] or more; BAD_ARGUMENT if it is shorter
    Status decode(Span<TrnBlock> blocks) const
    {
        if (blocks.size() < chunk_voxels) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        trn_snapshot_decode(*this, blocks.data());
        return TRN_RESULT_OK;
    }
    std::uint32_t count(TrnBlock block) const
    {
        return trn_snapshot_count(*this, block);
    }
    /// The block data of a voxel (terrane/block_data.h); empty if it has none.
    std::optional<TrnBlockData> data(std::uint32_t index) const
    {
        TrnBlockData data{};
        return trn_snapshot_get_data(*this, index, &data) ? std::optional<TrnBlockData>(data)
                                                          : std::nullopt;
    }
    /// How many voxels have data.
    std::uint32_t count_data() const
    {
        return trn_snapshot_count_data(*this);
    }
    bool same_data(TrnSnapshot other) const
    {
        return trn_snapshot_equal_data(*this, other);
    }
    bool same_blocks(TrnSnapshot other) const
    {
        return trn_snapshot_equal(*this, other);
    }
    std::uint64_t hash() const
    {
        return trn_snapshot_hash(*this);
    }
};

/// A chunk and its 26 neighbours, as trn_store_snapshot_around writes them.
struct Around {
    TrnSnapshot chunks[TRN_AROUND_COUNT]; ///< in the order of trn_coord_around
    std::uint32_t present;                ///< bit i: chunks[i] is loaded
};

// ---- index -------------------------------------------------------------------------------------

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

/// Borrows an index to read it (terrane/chunk_index.h).
class IndexView {
  public:
    using c_type = TrnChunkIndex;
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
        TrnChunkGather gather = region.gather();
        gather.values = out.data();
        gather.capacity = out.size();
        return trn_chunk_index_gather(c_, &gather);
    }
    /// Gathers coordinates. @return how many there are; only the first out.size() are written
    std::size_t gather(const Region &region, Span<TrnCoord> out) const
    {
        TrnChunkGather gather = region.gather();
        gather.coords = out.data();
        gather.capacity = out.size();
        return trn_chunk_index_gather(c_, &gather);
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
};

/// A section in which a reader's finds stay valid. Ends with its scope. Sections do not nest.
class ReadSection {
  public:
    explicit ReadSection(TrnChunkReader *reader) noexcept : reader_(reader)
    {
        trn_chunk_index_read_begin(reader);
    }
    ReadSection(const ReadSection &) = delete;
    ReadSection &operator=(const ReadSection &) = delete;
    ~ReadSection()
    {
        trn_chunk_index_read_end(reader_);
    }

  private:
    TrnChunkReader *reader_;
};

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

template <> inline void Owned<ReaderRef>::destroy(TrnChunkReader *c) noexcept
{
    trn_chunk_index_reader_destroy(c);
}

/// Owns a registered reader, for one thread. Destroy it before its index or store.
class Reader : public Owned<ReaderRef> {
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

template <> inline void Owned<IndexRef>::destroy(TrnChunkIndex *c) noexcept
{
    trn_chunk_index_destroy(c);
}

/// Owns an index.
class Index : public Owned<IndexRef> {
  public:
    using Owned::Owned;
    static Result<Index> create(const TrnChunkIndexDef &def = trn_chunk_index_def())
    {
        return detail::handle_of<Index>(trn_chunk_index_create, &def);
    }
};

// ---- store -------------------------------------------------------------------------------------

/// Bytes of yours with a chunk, as a T (TrnStoreDef.user_bytes >= sizeof(T)). They start as zeroes
/// and are not destroyed.
template <class T> T &chunk_user(TrnChunk &chunk) noexcept
{
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "the store zeroes user bytes and forgets them");
    static_assert(alignof(T) <= 16, "user bytes are aligned to 16");
    return *static_cast<T *>(trn_chunk_user(&chunk));
}

/// Ends a subscription with its scope. Must end before the store does.
class Subscription {
  public:
    Subscription() noexcept = default;
    Subscription(TrnStore *store, TrnListener listener, void *user) noexcept
        : store_(store), listener_(listener), user_(user)
    {
    }
    Subscription(Subscription &&other) noexcept
        : store_(std::exchange(other.store_, nullptr)), listener_(other.listener_),
          user_(other.user_)
    {
    }
    Subscription &operator=(Subscription &&other) noexcept
    {
        if (this != &other) {
            end();
            store_ = std::exchange(other.store_, nullptr);
            listener_ = other.listener_;
            user_ = other.user_;
        }
        return *this;
    }
    Subscription(const Subscription &) = delete;
    Subscription &operator=(const Subscription &) = delete;
    ~Subscription()
    {
        end();
    }
    void end() noexcept
    {
        if (store_) {
            (void)trn_store_unsubscribe(std::exchange(store_, nullptr), listener_, user_);
        }
    }

  private:
    TrnStore *store_ = nullptr;
    TrnListener listener_ = nullptr;
    void *user_ = nullptr;
};

/// Reads voxels one after the other, fast where they are near each other.
class Cursor {
  public:
    explicit Cursor(const TrnStore *store) : c_(trn_cursor(store))
    {
    }
    /// The block of a voxel, or `unloaded` where its chunk is not loaded.
    TrnBlock get(TrnVoxel voxel, TrnBlock unloaded = TRN_BLOCK_AIR)
    {
        return trn_cursor_get(&c_, voxel, unloaded);
    }

  private:
    TrnCursor c_;
};

/// Borrows a store (terrane/store.h). Const methods are those that readers may call, too.
class StoreRef : public Borrowed<TrnStore> {
  public:
    StoreRef() noexcept = default;
    StoreRef(TrnStore *c) noexcept : Borrowed(c)
    {
    }
    /// For readers, and for planes of yours.
    IndexRef index() const
    {
        return trn_store_index(c_);
    }
    BlockTypesRef types() const
    {
        return trn_store_block_types(c_);
    }

    // ---- insert and remove

    Result<TrnChunk *> insert(TrnCoord coord, TrnBlock block)
    {
        return detail::value_of<TrnChunk *>(trn_store_insert_uniform, c_, coord, block);
    }
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; BAD_ARGUMENT if it is shorter
    Result<TrnChunk *> insert(TrnCoord coord, Span<const TrnBlock> blocks)
    {
        if (blocks.size() < chunk_voxels) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        return detail::value_of<TrnChunk *>(trn_store_insert_voxels, c_, coord, blocks.data());
    }
    Status remove(TrnCoord coord)
    {
        return trn_store_remove(c_, coord);
    }
    void pin(TrnChunk &chunk)
    {
        trn_store_pin(c_, &chunk);
    }
    void unpin(TrnChunk &chunk)
    {
        trn_store_unpin(c_, &chunk);
    }

    // ---- find

    /// NULL where no chunk is loaded.
    TrnChunk *find(TrnCoord coord) const
    {
        return trn_store_find(c_, coord);
    }
    /// NULL if the chunk of the id was removed.
    TrnChunk *find(TrnChunkId id) const
    {
        return trn_store_chunk(c_, id);
    }
    /// In the order of TrnFace, NULL where no chunk is loaded.
    std::array<TrnChunk *, TRN_FACE_COUNT> neighbours(TrnCoord coord) const
    {
        std::array<TrnChunk *, TRN_FACE_COUNT> chunks;
        trn_store_neighbours(c_, coord, chunks.data());
        return chunks;
    }
    /// Whether all chunks of a box of voxels have their bit in a plane.
    bool box_has(TrnVoxel min, TrnVoxel max, TrnPlane plane = TRN_PLANE_PRESENT) const
    {
        return trn_store_box_has(c_, min, max, plane);
    }
    /// Gathers chunks. Allocates nothing.
    /// @return how many there are; only the first out.size() are written
    std::size_t gather(const Region &region, Span<TrnChunk *> out) const
    {
        TrnChunkGather gather = region.gather();
        gather.pointers = reinterpret_cast<void **>(out.data());
        gather.pool = trn_store_pool(c_);
        gather.capacity = out.size();
        return trn_chunk_index_gather(trn_store_index(c_), &gather);
    }
    /// Gathers chunks into a vector to reuse from frame to frame: allocates only when it must grow.
    /// @return the chunks found; the vector's size says nothing
    ChunkRange gather(const Region &region, std::vector<TrnChunk *> &buffer) const
    {
        return ChunkRange(detail::gather_into(buffer, [&](TrnChunk **out, std::size_t capacity) {
            return gather(region, Span<TrnChunk *>(out, capacity));
        }));
    }
    /// Gathers chunks into memory of the result's own, for use outside the frame. Allocates.
    ChunkList gather(const Region &region) const
    {
        std::vector<TrnChunk *> chunks(gather(region, Span<TrnChunk *>()));
        chunks.resize(gather(region, chunks).size());
        return ChunkList(std::move(chunks));
    }

    // ---- read voxels

    Result<Snapshot> snapshot(TrnCoord coord) const
    {
        return detail::value_of<Snapshot>(trn_store_snapshot, c_, coord);
    }
    Around snapshot_around(TrnCoord coord) const
    {
        Around around;
        around.present = trn_store_snapshot_around(c_, coord, around.chunks);
        return around;
    }
    Result<TrnBlock> get_block(TrnVoxel voxel) const
    {
        return detail::value_of<TrnBlock>(trn_store_get_block, c_, voxel);
    }
    /// NOT_FOUND also if the voxel has no block data.
    Result<TrnBlockData> get_data(TrnVoxel voxel) const
    {
        return detail::value_of<TrnBlockData>(trn_store_get_data, c_, voxel);
    }
    /// Lists the block data of a box, both corners inclusive. May throw std::bad_alloc.
    std::vector<TrnVoxelData> list_data(TrnVoxel min, TrnVoxel max) const
    {
        std::vector<TrnVoxelData> list(trn_store_list_data(c_, min, max, nullptr, 0));
        const std::size_t count = trn_store_list_data(c_, min, max, list.data(), list.size());
        list.resize(count < list.size() ? count : list.size());
        return list;
    }
    /// A cursor over this store. Calls trn_cursor.
    Cursor cursor() const
    {
        return Cursor(c_);
    }
    std::uint64_t revision() const
    {
        return trn_store_revision(c_);
    }

    // ---- write voxels of one chunk; many chunks: Batch

    /// @return whether the block was another one
    Result<bool> set_block(TrnVoxel voxel, TrnBlock block)
    {
        return detail::value_of<bool>(trn_store_set_block, c_, voxel, block);
    }
    /// Sets the block data of a voxel. @return whether it was another one
    Result<bool> set_data(TrnVoxel voxel, Span<const unsigned char> bytes,
                          TrnDataRule rule = TRN_DATA_WITH_BLOCK)
    {
        const void *from = bytes.size() ? bytes.data() : detail::no_bytes;
        return detail::value_of<bool>(trn_store_set_data, c_, voxel, from, bytes.size(), rule);
    }
    /// Removes the block data of a voxel. @return whether it had some
    Result<bool> remove_data(TrnVoxel voxel)
    {
        return detail::value_of<bool>(trn_store_set_data, c_, voxel, nullptr, std::size_t{0},
                                      TRN_DATA_WITH_BLOCK);
    }
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; BAD_ARGUMENT if it is shorter
    Status set_voxels(TrnChunk &chunk, Span<const TrnBlock> blocks)
    {
        return blocks.size() < chunk_voxels ? TRN_RESULT_BAD_ARGUMENT
                                            : trn_store_set_voxels(c_, &chunk, blocks.data());
    }
    Status fill(TrnChunk &chunk, TrnBlock block)
    {
        return trn_store_fill(c_, &chunk, block);
    }
    Status compact(TrnChunk &chunk)
    {
        return trn_store_compact(c_, &chunk);
    }

    // ---- changes and events

    /// Collects the chunks that changed after a revision into a vector to reuse.
    ChunkRange changed_since(std::uint64_t revision, std::vector<TrnChunk *> &buffer) const
    {
        return ChunkRange(detail::gather_into(buffer, [&](TrnChunk **out, std::size_t capacity) {
            return trn_store_changed_since(c_, revision, out, capacity);
        }));
    }
    /// Calls listener(StoreRef, const TrnStoreEvent &) after changes.
    /// @param kinds     ored TRN_EVENT_BITs
    /// @param listener  borrowed: must outlive the subscription
    template <class Listener>
    Result<Subscription> subscribe(std::uint32_t kinds, Listener &listener)
    {
        const TrnListener call = [](TrnStore *store, const TrnStoreEvent *event, void *user) {
            return detail::call(
                [&] { return (*static_cast<Listener *>(user))(StoreRef(store), *event); });
        };
        const TrnResult result = trn_store_subscribe(c_, kinds, call, &listener);
        return result == TRN_RESULT_OK ? Result<Subscription>(Subscription(c_, call, &listener))
                                       : result;
    }

    // ---- memory

    void touch(Span<TrnChunk *const> chunks)
    {
        trn_store_touch(c_, chunks.data(), chunks.size());
    }
    /// @param evicted  receives how many were evicted, on every result; may be NULL
    Status evict(const TrnEviction &eviction, std::uint32_t *evicted = nullptr)
    {
        return trn_store_evict(c_, &eviction, evicted);
    }
    void trim()
    {
        trn_store_trim(c_);
    }
    void set_bytes_max(std::size_t bytes_max)
    {
        trn_store_set_bytes_max(c_, bytes_max);
    }
    TrnStoreStats stats() const
    {
        return trn_store_stats(c_);
    }
    TrnExplanation explain(TrnCoord coord) const
    {
        return trn_store_explain(c_, coord);
    }

    // ---- pending edits (terrane/batch.h)

    Status set_pending_bytes_max(std::size_t bytes_max)
    {
        return trn_pending_set_bytes_max(c_, bytes_max);
    }
    /// Collects the unloaded chunks with pending edits into a vector to reuse.
    Span<TrnCoord> pending_chunks(std::vector<TrnCoord> &buffer) const
    {
        return detail::gather_into(buffer, [&](TrnCoord *out, std::size_t capacity) {
            return trn_pending_chunks(c_, out, capacity);
        });
    }
    /// Collects the edits that are pending for a chunk into a vector to reuse.
    Span<TrnPendingRun> pending_runs(TrnCoord coord, std::vector<TrnPendingRun> &buffer) const
    {
        return detail::gather_into(buffer, [&](TrnPendingRun *out, std::size_t capacity) {
            return trn_pending_get(c_, coord, out, capacity);
        });
    }
    /// @return how many runs of voxels were dropped
    std::uint32_t drop_pending(TrnCoord coord)
    {
        return trn_pending_drop(c_, coord);
    }

    // ---- rays and bodies (terrane/raycast.h, terrane/body.h)

    Result<TrnRayHit> raycast(TrnPosition origin, const double (&direction)[3],
                              const TrnRayDef &def = trn_ray_def()) const
    {
        return detail::value_of<TrnRayHit>(trn_store_raycast, c_, origin, direction, &def);
    }
    Result<TrnOverlap> overlap(TrnPosition bottom, const double (&size)[3]) const
    {
        return detail::value_of<TrnOverlap>(trn_store_overlap, c_, bottom, size);
    }
    Result<TrnSweep> sweep(TrnPosition bottom, const double (&size)[3], const double (&motion)[3],
                           double step_height = 0) const
    {
        return detail::value_of<TrnSweep>(trn_store_sweep, c_, bottom, size, motion, step_height);
    }
    /// Advances a body by one time step.
    Status step(const TrnBodyDef &def, TrnBody &body, const TrnBodyInput &input,
                double seconds) const
    {
        return trn_body_step(c_, &def, &body, &input, seconds);
    }

    // ---- deltas --------------------------------------------------------------------------------

    /// Takes a base: a snapshot of every loaded chunk of a box. Call it in a read section that
    /// lasts as long as the base is used. Allocates if the buffer is small.
    Span<const TrnDeltaBase> delta_base(TrnBox box, std::vector<TrnDeltaBase> &buffer) const
    {
        return detail::gather_into(buffer, [&](TrnDeltaBase *out, std::size_t capacity) {
            return trn_delta_base(c_, box, out, capacity);
        });
    }
    /// Writes what differs between a base and the store. Allocates if the buffer is small.
    /// @return the delta, in the buffer. Errors: BAD_ARGUMENT, as trn_delta_write
    Result<Span<const unsigned char>> delta_write(TrnBox box, Span<const TrnDeltaBase> base,
                                                  std::vector<unsigned char> &buffer) const
    {
        const Span<unsigned char> delta =
            detail::gather_into(buffer, [&](unsigned char *out, std::size_t capacity) {
                return trn_delta_write(c_, box, base.data(), base.size(), out, capacity);
            });
        return delta.empty() ? Result<Span<const unsigned char>>(TRN_RESULT_BAD_ARGUMENT)
                             : Span<const unsigned char>(delta);
    }
    Result<TrnDeltaOutcome> delta_apply(Span<const unsigned char> delta)
    {
        return detail::value_of<TrnDeltaOutcome>(trn_delta_apply, c_, delta.data(), delta.size());
    }
};

template <> inline void Owned<StoreRef>::destroy(TrnStore *c) noexcept
{
    trn_store_destroy(c);
}

/// Owns a store with its chunks. Destroy its readers, subscriptions, batches, histories and streams
/// first.
class Store : public Owned<StoreRef> {
  public:
    using Owned::Owned;
    static Result<Store> create(const TrnStoreDef &def = trn_store_def())
    {
        return detail::handle_of<Store>(trn_store_create, &def);
    }
};

/// Changes of one chunk, published together (terrane/voxels.h). Cancelled at the end of its scope,
/// unless committed. 1.1 KiB; cannot be copied or moved.
class Edit {
  public:
    /// Opens an edit. If status() is not OK, it is not open, and all its calls fail.
    Edit(StoreRef store, TrnChunk &chunk) noexcept
        : store_(store), status_(trn_store_edit_begin(store.c(), &chunk, &c_))
    {
    }
    Edit(const Edit &) = delete;
    Edit &operator=(const Edit &) = delete;
    ~Edit()
    {
        cancel();
    }
    /// OK, or why the edit is not open.
    Status status() const noexcept
    {
        return status_;
    }
    /// For functions of C.
    TrnVoxelEdit *c() noexcept
    {
        return &c_;
    }
    /// @param index  linear index, 0..32767
    TrnBlock get(std::uint32_t index) const
    {
        return trn_voxel_edit_get(&c_, index);
    }
    Status set(std::uint32_t index, TrnBlock block)
    {
        return status_ ? trn_voxel_edit_set(&c_, index, block) : status_;
    }
    /// @param min,max  local, both inclusive
    Status fill_box(const std::uint32_t (&min)[3], const std::uint32_t (&max)[3], TrnBlock block)
    {
        return status_ ? trn_voxel_edit_fill_box(&c_, min, max, block) : status_;
    }
    Status replace(TrnBlock from, TrnBlock to)
    {
        return status_ ? trn_voxel_edit_replace(&c_, from, to) : status_;
    }
    /// Publishes the changes and ends the edit. @return whether a block changed
    bool commit()
    {
        if (!status_) {
            return false;
        }
        status_ = TRN_RESULT_BAD_ARGUMENT; // no longer open
        return trn_store_edit_commit(store_.c(), &c_);
    }
    /// Discards the changes and ends the edit.
    void cancel()
    {
        if (status_) {
            status_ = TRN_RESULT_BAD_ARGUMENT;
            trn_voxel_edit_cancel(&c_);
        }
    }

  private:
    StoreRef store_;
    TrnVoxelEdit c_;
    Status status_;
};

// ---- batches and undo --------------------------------------------------------------------------

/// Borrows a batch: changes of many chunks, published together or not at all (terrane/batch.h). It
/// remembers the first failure, so checking commit() is enough.
class BatchRef : public Borrowed<TrnBatch> {
  public:
    BatchRef() noexcept = default;
    BatchRef(TrnBatch *c) noexcept : Borrowed(c)
    {
    }
    TrnResult set(TrnVoxel voxel, TrnBlock block)
    {
        return trn_batch_set(c_, voxel, block);
    }
    /// Sets the block data of a voxel.
    TrnResult set_data(TrnVoxel voxel, Span<const unsigned char> bytes,
                       TrnDataRule rule = TRN_DATA_WITH_BLOCK)
    {
        const void *from = bytes.size() ? bytes.data() : detail::no_bytes;
        return trn_batch_set_data(c_, voxel, from, bytes.size(), rule);
    }
    /// Removes the block data of a voxel.
    TrnResult remove_data(TrnVoxel voxel)
    {
        return trn_batch_set_data(c_, voxel, nullptr, 0, TRN_DATA_WITH_BLOCK);
    }
    Result<TrnBlockData> get_data(TrnVoxel voxel) const
    {
        return detail::value_of<TrnBlockData>(trn_batch_get_data, c_, voxel);
    }
    TrnResult fill_box(TrnVoxel min, TrnVoxel max, TrnBlock block)
    {
        return trn_batch_fill_box(c_, min, max, block);
    }
    TrnResult fill_sphere(TrnVoxel centre, double radius, TrnBlock block)
    {
        return trn_batch_fill_sphere(c_, centre, radius, block);
    }
    TrnResult set_runs(TrnCoord coord, Span<const TrnPendingRun> runs)
    {
        return trn_batch_set_runs(c_, coord, runs.data(), runs.size());
    }
    /// The open edit of one chunk, for functions of C. Valid until the batch ends.
    Result<TrnVoxelEdit *> edit(TrnCoord coord)
    {
        return detail::value_of<TrnVoxelEdit *>(trn_batch_edit, c_, coord);
    }
    Result<TrnBlock> get(TrnVoxel voxel) const
    {
        return detail::value_of<TrnBlock>(trn_batch_get, c_, voxel);
    }
};

template <> inline void Owned<BatchRef>::destroy(TrnBatch *c) noexcept
{
    trn_batch_cancel(c);
}

/// Owns a batch. Cancelled at the end of its scope, unless committed.
class Batch : public Owned<BatchRef> {
  public:
    using Owned::Owned;
    static Result<Batch> begin(StoreRef store, const TrnBatchDef &def = trn_batch_def())
    {
        return detail::handle_of<Batch>(trn_batch_begin, store.c(), &def);
    }
    /// Ends the batch, whatever the result; the handle is then empty. BAD_ARGUMENT if it was.
    Result<TrnBatchOutcome> commit()
    {
        if (!c_) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        return detail::value_of<TrnBatchOutcome>(trn_batch_commit, release());
    }
    /// Discards the batch; the handle is then empty.
    void cancel()
    {
        reset();
    }
};

/// Makes all batches of a history in its scope one step.
class HistoryGroup {
  public:
    explicit HistoryGroup(TrnHistory *history) noexcept : history_(history)
    {
        trn_history_begin_group(history);
    }
    HistoryGroup(const HistoryGroup &) = delete;
    HistoryGroup &operator=(const HistoryGroup &) = delete;
    ~HistoryGroup()
    {
        trn_history_end_group(history_);
    }

  private:
    TrnHistory *history_;
};

template <> inline void Owned<Borrowed<TrnHistory>>::destroy(TrnHistory *c) noexcept
{
    trn_history_destroy(c);
}

/// Owns a history: undo and redo of batches (terrane/history.h). Destroy it before its store.
class History : public Owned<Borrowed<TrnHistory>> {
  public:
    using Owned::Owned;
    static Result<History> create(StoreRef store, const TrnHistoryDef &def = trn_history_def())
    {
        return detail::handle_of<History>(trn_history_create, store.c(), &def);
    }
    /// A def for batches that this history records.
    TrnBatchDef batch_def() const
    {
        TrnBatchDef def = trn_batch_def();
        def.history = c_;
        return def;
    }
    /// One step lasts as long as the returned object: auto stroke = history.group();
    [[nodiscard]] HistoryGroup group()
    {
        return HistoryGroup(c_);
    }
    Result<TrnBatchOutcome> undo()
    {
        return detail::value_of<TrnBatchOutcome>(trn_history_undo, c_);
    }
    Result<TrnBatchOutcome> redo()
    {
        return detail::value_of<TrnBatchOutcome>(trn_history_redo, c_);
    }
    void clear()
    {
        trn_history_clear(c_);
    }
    TrnHistoryStats stats() const
    {
        return trn_history_stats(c_);
    }
};

// ---- fluids and random ticks -------------------------------------------------------------------

template <> inline void Owned<Borrowed<TrnFluid>>::destroy(TrnFluid *c) noexcept
{
    trn_fluid_destroy(c);
}

/// Owns the fluid of a store, which makes its liquids flow (terrane/fluid.h). Destroy it before its
/// store.
class Fluid : public Owned<Borrowed<TrnFluid>> {
  public:
    using Owned::Owned;
    /// A liquid of a family of block types, to flow as water does.
    static Result<TrnFluidLiquid> liquid(BlockTypesRef types, TrnBlock family)
    {
        return detail::value_of<TrnFluidLiquid>(trn_fluid_liquid, types.c(), family);
    }
    static Result<Fluid> create(StoreRef store, const TrnFluidDef &def)
    {
        return detail::handle_of<Fluid>(trn_fluid_create, store.c(), &def);
    }
    /// Each step of the game.
    Result<TrnFluidOutcome> step()
    {
        return detail::value_of<TrnFluidOutcome>(trn_fluid_step, c_);
    }
    void set_running(bool is_running)
    {
        trn_fluid_set_running(c_, is_running);
    }
    Status wake(TrnCoord coord)
    {
        return trn_fluid_wake(c_, coord);
    }
    /// What it has yet to look at, for load(). Allocates.
    std::vector<unsigned char> save() const
    {
        std::vector<unsigned char> bytes(trn_fluid_save(c_, nullptr, 0));
        trn_fluid_save(c_, bytes.data(), bytes.size());
        return bytes;
    }
    Status load(Span<const unsigned char> bytes)
    {
        return trn_fluid_load(c_, bytes.data(), bytes.size());
    }
    TrnFluidStats stats() const
    {
        return trn_fluid_stats(c_);
    }
};

template <> inline void Owned<Borrowed<TrnTicks>>::destroy(TrnTicks *c) noexcept
{
    trn_ticks_destroy(c);
}

/// Owns random ticks of a store (terrane/ticks.h). Destroy them before the store.
class Ticks : public Owned<Borrowed<TrnTicks>> {
  public:
    using Owned::Owned;
    /// @param tick  tick(BatchRef, const TrnTick &) for each voxel; borrowed: must outlive the
    /// ticks
    /// @param def   its `tick` and `user` are set here
    template <class Tick>
    static Result<Ticks> create(StoreRef store, Tick &tick, TrnTicksDef def = trn_ticks_def())
    {
        def.tick = [](void *user, TrnBatch *batch, const TrnTick *offered) {
            return detail::call(
                [&] { return (*static_cast<Tick *>(user))(BatchRef(batch), *offered); });
        };
        def.user = &tick;
        return detail::handle_of<Ticks>(trn_ticks_create, store.c(), &def);
    }
    /// Each step of the game.
    /// @param step     its number; the same number draws the same voxels
    /// @param anchors  chunk coordinates
    Result<TrnTicksOutcome> step(std::uint64_t step, Span<const TrnCoord> anchors)
    {
        return detail::value_of<TrnTicksOutcome>(trn_ticks_step, c_, step, anchors.data(),
                                                 anchors.size());
    }
};

// ---- pool --------------------------------------------------------------------------------------

template <> inline void Owned<Borrowed<TrnPool>>::destroy(TrnPool *c) noexcept
{
    trn_pool_destroy(c);
}

/// Objects that never move, with ids that detect stale uses (terrane/pool.h). Destroys the objects
/// that are left.
template <class T> class Pool : public Owned<Borrowed<TrnPool>> {
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

// ---- spatial array -----------------------------------------------------------------------------

template <> inline void Owned<Borrowed<TrnSpatialArray>>::destroy(TrnSpatialArray *c) noexcept
{
    trn_spatial_array_destroy(c);
}

/// An array that grows in any direction (terrane/spatial_array.h), of elements that memcpy copies.
template <class T> class SpatialArray : public Owned<Borrowed<TrnSpatialArray>> {
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

// ---- generators and terrain --------------------------------------------------------------------

/// Makes a generator of a function object: generate(TrnCoord, std::uint32_t level, Span<TrnBlock>
/// blocks, bool &uniform). Threads: several may call it at once.
/// @param generate   borrowed
/// @param level_max  the coarsest level of detail that it generates
template <class Generate> TrnGenerator generator(Generate &generate, std::uint32_t level_max = 0)
{
    TrnGenerator made{};
    made.generate = [](void *user, TrnCoord coord, std::uint32_t level, TrnBlock *blocks,
                       bool *uniform) {
        *uniform = false;
        return detail::call([&] {
            return (*static_cast<Generate *>(user))(coord, level,
                                                    Span<TrnBlock>(blocks, chunk_voxels), *uniform);
        });
    };
    made.user = &generate;
    made.level_max = level_max;
    return made;
}

template <> inline void Owned<Borrowed<TrnTerrain>>::destroy(TrnTerrain *c) noexcept
{
    trn_terrain_destroy(c);
}

/// Owns the built-in terrain of one seed (terrane/terrain.h). Any thread may generate with it.
class Terrain : public Owned<Borrowed<TrnTerrain>> {
  public:
    using Owned::Owned;
    static Result<Terrain> create(const TrnTerrainDef &def = trn_terrain_def())
    {
        return detail::handle_of<Terrain>(trn_terrain_create, &def);
    }
    /// For a stream. Borrows the terrain.
    TrnGenerator generator() const
    {
        return trn_terrain_generator(c_);
    }
    /// @param blocks  [TRN_CHUNK_VOXELS] or more; BAD_ARGUMENT if it is shorter
    /// @return whether every voxel is blocks[0]; the others are then undefined
    Result<bool> generate(TrnCoord coord, Span<TrnBlock> blocks, std::uint32_t level = 0) const
    {
        if (blocks.size() < chunk_voxels) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        return detail::value_of<bool>(trn_terrain_generate_level, c_, coord, level, blocks.data());
    }
    /// The y of the topmost ground voxel.
    Result<std::int64_t> height(std::int64_t x, std::int64_t z) const
    {
        return detail::value_of<std::int64_t>(trn_terrain_height, c_, x, z);
    }
    Result<TrnTerrainSample> sample(std::int64_t x, std::int64_t z) const
    {
        return detail::value_of<TrnTerrainSample>(trn_terrain_sample, c_, x, z);
    }
};

// ---- stream ------------------------------------------------------------------------------------

namespace detail {

template <class, template <class> class, class = void> struct Has : std::false_type {
};
template <class Game, template <class> class Member>
struct Has<Game, Member, std::void_t<Member<Game>>> : std::true_type {
};

template <class Game> using GenerateOf = decltype(&Game::generate);
template <class Game> using LoadOf = decltype(&Game::load);
template <class Game> using SaveOf = decltype(&Game::save);
template <class Game> using MeshOf = decltype(&Game::mesh);
template <class Game> using UploadOf = decltype(&Game::upload);
template <class Game> using DropMeshOf = decltype(&Game::drop_mesh);
template <class Game> using UnloadOf = decltype(&Game::unload);

} // namespace detail

/// Makes hooks of those of the following methods that a class has (TrnStreamHooks says what each
/// does, and on which thread):
///
///     TrnResult generate(const TrnStreamJob &, Span<TrnBlock> blocks, bool &uniform);
///     TrnResult load(const TrnStreamJob &, Span<TrnBlock> blocks, bool &uniform);
///     TrnResult save(const TrnStreamJob &, Snapshot voxels);
///     TrnResult mesh(const TrnStreamJob &, const TrnStreamMeshInput &, TrnStreamMesh &mesh);
///     TrnResult upload(TrnChunk &, TrnStreamMesh &mesh);
///     void drop_mesh(TrnStreamMesh mesh) noexcept;
///     void unload(TrnChunk &) noexcept;
///
/// @param game  borrowed: must outlive the stream
template <class Game> TrnStreamHooks stream_hooks(Game &game)
{
    TrnStreamHooks hooks{};
    hooks.user = &game;
    if constexpr (detail::Has<Game, detail::GenerateOf>::value) {
        hooks.generate = [](void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform) {
            return detail::call([&] {
                return static_cast<Game *>(user)->generate(
                    *job, Span<TrnBlock>(blocks, chunk_voxels), *uniform);
            });
        };
    }
    if constexpr (detail::Has<Game, detail::LoadOf>::value) {
        hooks.load = [](void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform) {
            return detail::call([&] {
                return static_cast<Game *>(user)->load(*job, Span<TrnBlock>(blocks, chunk_voxels),
                                                       *uniform);
            });
        };
    }
    if constexpr (detail::Has<Game, detail::SaveOf>::value) {
        hooks.save = [](void *user, const TrnStreamJob *job, TrnSnapshot voxels) {
            return detail::call(
                [&] { return static_cast<Game *>(user)->save(*job, Snapshot(voxels)); });
        };
    }
    if constexpr (detail::Has<Game, detail::MeshOf>::value) {
        hooks.mesh = [](void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                        TrnStreamMesh *mesh) {
            return detail::call(
                [&] { return static_cast<Game *>(user)->mesh(*job, *input, *mesh); });
        };
    }
    if constexpr (detail::Has<Game, detail::UploadOf>::value) {
        hooks.upload = [](void *user, TrnChunk *chunk, TrnStreamMesh *mesh) {
            return detail::call([&] { return static_cast<Game *>(user)->upload(*chunk, *mesh); });
        };
    }
    if constexpr (detail::Has<Game, detail::DropMeshOf>::value) {
        hooks.drop_mesh = [](void *user, TrnStreamMesh mesh) {
            static_assert(noexcept(static_cast<Game *>(user)->drop_mesh(mesh)),
                          "C calls drop_mesh: declare it noexcept");
            static_cast<Game *>(user)->drop_mesh(mesh);
        };
    }
    if constexpr (detail::Has<Game, detail::UnloadOf>::value) {
        hooks.unload = [](void *user, TrnChunk *chunk) {
            static_assert(noexcept(static_cast<Game *>(user)->unload(*chunk)),
                          "C calls unload: declare it noexcept");
            static_cast<Game *>(user)->unload(*chunk);
        };
    }
    return hooks;
}

template <> inline void Owned<Borrowed<TrnStream>>::destroy(TrnStream *c) noexcept
{
    trn_stream_destroy(c);
}

/// The light of a voxel.
struct VoxelLight {
    std::uint32_t sky = 0;    ///< level of the sky's, 0..15
    std::uint32_t blocks = 0; ///< level of the blocks', 0..15
};

/// Owns a stream (terrane/stream.h), which keeps a store filled around anchors. Destroy it before
/// its store; it saves nothing then.
class Stream : public Owned<Borrowed<TrnStream>> {
  public:
    using Owned::Owned;
    /// @param def  with a store, and a generator or a generate hook
    static Result<Stream> create(const TrnStreamDef &def)
    {
        return detail::handle_of<Stream>(trn_stream_create, &def);
    }
    Result<TrnStreamAnchorId> add(const TrnStreamAnchor &anchor)
    {
        return detail::value_of<TrnStreamAnchorId>(trn_stream_anchor_add, c_, &anchor);
    }
    Status set(TrnStreamAnchorId id, const TrnStreamAnchor &anchor)
    {
        return trn_stream_anchor_set(c_, id, &anchor);
    }
    Status remove(TrnStreamAnchorId id)
    {
        return trn_stream_anchor_remove(c_, id);
    }
    Result<TrnStreamView> view(TrnStreamAnchorId id) const
    {
        return detail::value_of<TrnStreamView>(trn_stream_view, c_, id);
    }
    /// Once a frame.
    /// @param report  receives what the update did, on every result; may be NULL
    /// @param budget  NULL: the def's
    Status update(TrnStreamReport *report = nullptr, const TrnStreamBudget *budget = nullptr)
    {
        return trn_stream_update(c_, budget, report);
    }
    Status save()
    {
        return trn_stream_save(c_);
    }
    void remesh()
    {
        trn_stream_remesh(c_);
    }
    void wait()
    {
        trn_stream_wait(c_);
    }
    void set_scratch(std::size_t bytes)
    {
        trn_stream_set_scratch(c_, bytes);
    }
    TrnStreamReadiness readiness(TrnVoxel min, TrnVoxel max) const
    {
        return trn_stream_readiness(c_, min, max);
    }
    /// For gathers by the stream's planes; its values are private.
    IndexView index() const
    {
        return trn_stream_index(c_);
    }
    /// The light of a voxel, as of the mesh of its chunk.
    Result<VoxelLight> get_light(TrnVoxel voxel) const
    {
        VoxelLight light;
        const TrnResult result = trn_stream_get_light(c_, voxel, &light.sky, &light.blocks);
        return result == TRN_RESULT_OK ? Result<VoxelLight>(light) : result;
    }
    TrnStreamExplanation explain(TrnCoord coord) const
    {
        return trn_stream_explain(c_, coord);
    }
    TrnStreamStats stats() const
    {
        return trn_stream_stats(c_);
    }
    void reset_times()
    {
        trn_stream_reset_times(c_);
    }
};

template <> inline void Owned<Borrowed<TrnFar>>::destroy(TrnFar *c) noexcept
{
    trn_far_destroy(c);
}

/// Owns a far view (terrane/far.h), which shows land to the horizon beyond a stream. Destroy it
/// before its stream; it saves nothing then.
class Far : public Owned<Borrowed<TrnFar>> {
  public:
    using Owned::Owned;
    /// @param def  with a stream, a mesh hook, and a generator with levels; TrnFarDef.draw must not
    ///             throw
    static Result<Far> create(const TrnFarDef &def)
    {
        return detail::handle_of<Far>(trn_far_create, &def);
    }
    /// Once a frame, after the stream's.
    /// @param report  receives what the update did, on every result; may be NULL
    /// @param budget  NULL: the def's
    Status update(TrnStreamReport *report = nullptr, const TrnStreamBudget *budget = nullptr)
    {
        return trn_far_update(c_, budget, report);
    }
    Status set_view(const TrnFarView &view)
    {
        return trn_far_set_view(c_, &view);
    }
    TrnFarView view() const
    {
        return trn_far_view(c_);
    }
    Status save()
    {
        return trn_far_save(c_);
    }
    void remesh()
    {
        trn_far_remesh(c_);
    }
    bool is_drawn(std::uint32_t level, TrnCoord coord) const
    {
        return trn_far_is_drawn(c_, level, coord);
    }
    TrnFarStats stats() const
    {
        return trn_far_stats(c_);
    }
};

} // namespace trn

#if __cplusplus >= 202002L && defined(__cpp_lib_span)
/// A Span does not own its elements, so an iterator may outlive it.
template <class T> inline constexpr bool std::ranges::enable_borrowed_range<trn::Span<T>> = true;
#endif

#undef TRN_HPP_THROWS
#endif
