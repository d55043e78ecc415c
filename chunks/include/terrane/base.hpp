/// Terrane's results, spans and handles for C++17 and later, which all other .hpp headers use.
/// terrane/terrane.hpp says how they work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_BASE_HPP
#define TERRANE_BASE_HPP

#if !(__cplusplus >= 201703L || (defined(_MSVC_LANG) && _MSVC_LANG >= 201703L))
#error "Terrane's .hpp headers need C++17; the C headers work with C++11."
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <terrane/base.h>
#include <terrane/store.h>

#if __cplusplus >= 202002L
#include <span>
#endif
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

/// What all results share: whether a call succeeded, and why not.
class Outcome {
  public:
    explicit operator bool() const noexcept
    {
        return result_ == TRN_RESULT_OK;
    }
    /// OK, or why the call failed.
    TrnResult result() const noexcept
    {
        return result_;
    }
    /// One sentence: what is wrong, and what to do.
    const char *text() const noexcept
    {
        return trn_result_text(result_);
    }

  protected:
    explicit Outcome(TrnResult result) noexcept : result_(result)
    {
    }
#if defined(TRN_HPP_THROWS)
    void check() const
    {
        if (!*this) {
            throw Error(result_);
        }
    }
#endif

  private:
    TrnResult result_;
};

/// A value, or the reason why there is none. T needs a default constructor.
template <class T> class [[nodiscard]] Result : public Outcome {
  public:
    /// @param failure  anything but OK
    Result(TrnResult failure) : Outcome(failure)
    {
    }
    Result(T value) : Outcome(TRN_RESULT_OK), value_(std::move(value))
    {
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
#endif

  private:
    T value_{};
};

/// Success, or the reason for a failure.
template <> class [[nodiscard]] Result<void> : public Outcome {
  public:
    Result(TrnResult result) noexcept : Outcome(result)
    {
    }
#if defined(TRN_HPP_THROWS)
    /// Throws Error after a failure.
    void value() const
    {
        check();
    }
#endif
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
    using iterator_category = std::forward_iterator_tag;
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
    PointerIterator &operator++() noexcept
    {
        ++at_;
        return *this;
    }
    PointerIterator operator++(int) noexcept
    {
        return PointerIterator(at_++);
    }
    friend bool operator==(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ == b.at_;
    }
    friend bool operator!=(PointerIterator a, PointerIterator b) noexcept
    {
        return a.at_ != b.at_;
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

namespace detail {

/// Holds a value for Owned.
template <class Held> class Holder {
  public:
    using held_type = Held; ///< what C calls it

  protected:
    Holder() noexcept = default;
    explicit Holder(const Held &held) noexcept : c_(held)
    {
    }
    Held c_{};
};

/// Calls one function of C where its scope begins, and another one where it ends.
template <class C, auto begin, auto end> class Scope {
  public:
    explicit Scope(C *c) noexcept : c_(c)
    {
        begin(c);
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    ~Scope()
    {
        end(c_);
    }

  private:
    C *c_;
};

} // namespace detail

/// What all borrowing classes share: a pointer to an object of C.
template <class C> class Borrowed : public detail::Holder<C *> {
  public:
    using c_type = C;
    /// The object, for functions of C. NULL for an empty handle.
    C *c() const noexcept
    {
        return this->c_;
    }
    explicit operator bool() const noexcept
    {
        return this->c_ != nullptr;
    }

  protected:
    using detail::Holder<C *>::Holder;
};

/// What all owning classes share: they end what they hold, move, and cannot be copied.
/// @tparam Ref  the class that borrows it
/// @tparam end  ends what Ref holds; what an empty Ref holds is allowed
template <class Ref, auto end> class Owned : public Ref {
  public:
    using held_type = typename Ref::held_type; ///< what C calls it

    Owned() noexcept = default;
    /// Takes over an object of C.
    explicit Owned(held_type held) noexcept : Ref(held)
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
        static_cast<void>(end(this->c_));
    }
    /// Gives the object away; the handle is then empty.
    held_type release() noexcept
    {
        return std::exchange(this->c_, held_type{});
    }
    /// Ends what it holds, and takes over another object.
    void reset(held_type held = held_type{}) noexcept
    {
        static_cast<void>(end(std::exchange(this->c_, held)));
    }
    /// The same object, borrowed.
    Ref borrow() const noexcept
    {
        return *this;
    }
};

} // namespace trn

#if __cplusplus >= 202002L && defined(__cpp_lib_span)
/// A Span does not own its elements, so an iterator may outlive it.
template <class T> inline constexpr bool std::ranges::enable_borrowed_range<trn::Span<T>> = true;
#endif

#undef TRN_HPP_THROWS
#endif
