/// Policies that choose which piece of debris a new one replaces when all pieces are live. A policy
/// is notified of every birth, death and move, and picks a victim among the live pieces 0 ..
/// capacity - 1.
#pragma once

#include <vector>

#include "debris.hpp"

/// A base that ignores all notifications. A policy redefines those that it needs.
class VictimPolicy {
  public:
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
};

/// A random piece, by xorshift.
class VictimRandom : public VictimPolicy {
  public:
    explicit VictimRandom(std::uint32_t pieces) : capacity(pieces)
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
/// and if even that fails, I just randomly kill one." Instead of a register, a cursor continues
/// from its last position. New pieces are born on the screen, so after a full round without a hit,
/// the search stops until the next frame.
class VictimOffScreen : public VictimPolicy {
  public:
    explicit VictimOffScreen(std::uint32_t pieces) : any(pieces), capacity(pieces)
    {
    }
    void begin_frame()
    {
        unseen = capacity;
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
    std::uint32_t unseen = 0; ///< pieces that the cursor has not visited in this frame
};

/// "Kill the oldest things off [...] oldest will be at the tail of the list, no need for age
/// checking" (comment 18): a doubly linked list of indices in order of birth, in a separate array.
/// Its last entry is a sentinel.
class VictimOldest : public VictimPolicy {
  public:
    explicit VictimOldest(std::uint32_t pieces) : links(pieces + 1), sentinel(pieces)
    {
        links[sentinel] = {sentinel, sentinel};
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
