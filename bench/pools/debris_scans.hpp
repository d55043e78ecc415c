/// Strategies that search an array with holes for free pieces, from the article "Faster Debris
/// management".
///
/// A strategy is a class with
///     explicit Strategy(std::uint32_t capacity);
///     Debris *take();
///     void sweep(Done done);
#pragma once

#include <vector>

#include "debris.hpp"

/// The index of the first free piece in [begin, end), or `end`. Never inlined: otherwise the
/// compiler aligns the loop differently for each strategy, which changed times by up to 40 %.
[[gnu::noinline]] inline std::uint32_t first_free(const std::vector<Debris> &pieces,
                                                  std::uint32_t begin, std::uint32_t end)
{
    while (begin < end && pieces[begin].life != 0) {
        begin++;
    }
    return begin;
}

/// The base of the array strategies: a sweep over all pieces, and a flag in each piece that says
/// whether it is free, as in the article.
template <class Concrete> class DebrisArray {
  public:
    explicit DebrisArray(std::uint32_t capacity) : pieces(capacity)
    {
    }
    template <class Done> void sweep(Done done)
    {
        for (std::uint32_t i = 0; i < pieces.size(); i++) {
            if (pieces[i].life != 0 && done(pieces[i])) {
                pieces[i].life = 0;
                static_cast<Concrete *>(this)->freed(i);
            }
        }
    }

  protected:
    /// The first free piece of the array, or NULL.
    Debris *find_free()
    {
        const std::uint32_t found = first_free(pieces, 0, capacity());
        return found < capacity() ? &pieces[found] : nullptr;
    }
    /// The first free piece from a cursor on, wrapping around, or NULL. Moves the cursor to the
    /// next piece.
    Debris *find_free_from(std::uint32_t *cursor)
    {
        std::uint32_t found = first_free(pieces, *cursor, capacity());
        if (found == capacity()) {
            found = first_free(pieces, 0, *cursor);
            if (found == *cursor) {
                return nullptr;
            }
        }
        *cursor = found + 1 == capacity() ? 0 : found + 1;
        return &pieces[found];
    }
    std::uint32_t capacity() const
    {
        return static_cast<std::uint32_t>(pieces.size());
    }
    std::vector<Debris> pieces; ///< all free at the start
};

/// "for(each debris item) if(isfree) return debris item"
class DebrisScan : public DebrisArray<DebrisScan> {
  public:
    using DebrisArray::DebrisArray;
    Debris *take()
    {
        return find_free();
    }
    void freed(std::uint32_t)
    {
    }
};

/// "It only started its search from where it left off last time."
class DebrisResumingScan : public DebrisArray<DebrisResumingScan> {
  public:
    using DebrisArray::DebrisArray;
    Debris *take()
    {
        return find_free_from(&cursor);
    }
    void freed(std::uint32_t)
    {
    }

  private:
    std::uint32_t cursor = 0;
};

/// "There are 10 debris 'free registers'": the pieces freed last. They form a small stack, so that
/// neither allocating nor freeing searches them. If the registers are empty, the search starts from
/// 0, as in the article's listing. It never finds a piece that is in a register, since it runs only
/// if the registers are empty.
template <std::uint32_t registers>
class DebrisRegisters : public DebrisArray<DebrisRegisters<registers>> {
  public:
    using DebrisArray<DebrisRegisters<registers>>::DebrisArray;
    Debris *take()
    {
        return count > 0 ? &this->pieces[known_free[--count]] : this->find_free();
    }
    void freed(std::uint32_t index)
    {
        if (count < registers) {
            known_free[count++] = index;
        }
    }

  private:
    std::uint32_t known_free[registers];
    std::uint32_t count = 0;
};

/// "I had implemented a periodic debris-defragger, which makes this stuff easier. However, I can't
/// be doing that every frame": every 30 frames the live pieces move to the front, in order. Between
/// two defragmentations, a search continues from the last position, which starts after the live
/// pieces. A sweep stops at `end`.
class DebrisDefragmented : public DebrisArray<DebrisDefragmented> {
  public:
    using DebrisArray::DebrisArray;
    Debris *take()
    {
        Debris *piece = find_free_from(&cursor);
        const auto behind = static_cast<std::uint32_t>(piece ? piece - pieces.data() + 1 : 0);
        end = behind > end ? behind : end;
        return piece;
    }
    template <class Done> void sweep(Done done)
    {
        for (std::uint32_t i = 0; i < end; i++) {
            if (pieces[i].life != 0 && done(pieces[i])) {
                pieces[i].life = 0;
            }
        }
        if (++sweeps % 30 == 0) {
            defragment();
        }
    }

  private:
    void defragment()
    {
        std::uint32_t live = 0;
        for (std::uint32_t i = 0; i < end; i++) {
            if (pieces[i].life == 0) {
                continue;
            }
            if (i != live) {
                pieces[live] = pieces[i];
                pieces[i].life = 0;
            }
            live++;
        }
        end = live;
        cursor = live == capacity() ? 0 : live;
    }
    std::uint32_t cursor = 0;
    std::uint32_t end = 0; ///< after the last piece that may be live
    std::uint32_t sweeps = 0;
};
