/// Which piece of debris has to make room for a new one when all are live. A policy is told of
/// every birth, death and move, and picks the index of a victim among pieces 0 .. capacity - 1, all
/// of them live.
#pragma once

#include <vector>

#include "debris.hpp"

/// Any piece, by xorshift.
class VictimRandom {
  public:
    explicit VictimRandom(std::uint32_t pieces) : capacity(pieces)
    {
    }
    void begin_frame()
    {
    }
    void born(std::uint32_t)
    {
    }
    void died(std::uint32_t)
    {
    }
    void moved(std::uint32_t, std::uint32_t)
    {
    }
    std::uint32_t pick(const std::vector<Debris> &)
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::uint32_t>((state >> 32) * capacity >> 32);
    }

  private:
    std::uint64_t capacity;
    std::uint64_t state = 0x5EED5EED5EEDu;
};

/// "If that fails, I check for some that are offscreen (I maintain a separate register of those),
/// and if even that fails, I just randomly kill one." Instead of a register: a cursor that goes on
/// where it left off. New pieces are born on the screen, so once round without a hit there is
/// nothing more to find before the next frame.
class VictimOffScreen {
  public:
    explicit VictimOffScreen(std::uint32_t pieces) : any(pieces), capacity(pieces)
    {
    }
    void begin_frame()
    {
        unseen = capacity;
    }
    void born(std::uint32_t)
    {
    }
    void died(std::uint32_t)
    {
    }
    void moved(std::uint32_t, std::uint32_t)
    {
    }
    std::uint32_t pick(const std::vector<Debris> &pieces)
    {
        for (; unseen > 0; unseen--) {
            const std::uint32_t index = cursor;
            cursor = cursor + 1 == capacity ? 0 : cursor + 1;
            if (is_off_screen(pieces[index])) {
                unseen--;
                return index;
            }
        }
        return any.pick(pieces);
    }

  private:
    VictimRandom any;
    std::uint32_t capacity, cursor = 0;
    std::uint32_t unseen = 0; ///< pieces that the cursor has not met in this frame
};

/// "Kill the oldest things off [...] oldest will be at the tail of the list, no need for age
/// checking" (comment 18): a doubly linked list of indices in the order of birth, next to the
/// pieces. Its last entry is a sentinel.
class VictimOldest {
  public:
    explicit VictimOldest(std::uint32_t pieces) : links(pieces + 1), sentinel(pieces)
    {
        links[sentinel] = {sentinel, sentinel};
    }
    void begin_frame()
    {
    }
    void born(std::uint32_t index)
    {
        const std::uint32_t youngest = links[sentinel].older;
        links[index] = {youngest, sentinel};
        links[youngest].younger = index;
        links[sentinel].older = index;
    }
    void died(std::uint32_t index)
    {
        links[links[index].older].younger = links[index].younger;
        links[links[index].younger].older = links[index].older;
    }
    void moved(std::uint32_t from, std::uint32_t to)
    {
        links[to] = links[from];
        links[links[to].older].younger = to;
        links[links[to].younger].older = to;
    }
    std::uint32_t pick(const std::vector<Debris> &)
    {
        return links[sentinel].younger;
    }

  private:
    struct Link {
        std::uint32_t older, younger;
    };
    std::vector<Link> links;
    std::uint32_t sentinel;
};
