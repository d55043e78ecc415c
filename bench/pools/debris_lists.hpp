/// Debris whose free pieces are known without a search: what the readers of "Faster Debris
/// management" proposed. A strategy is what debris_scans.hpp says.
#pragma once

#include <vector>

#include "debris_scans.hpp"

const std::uint32_t no_debris = UINT32_MAX;

/// Free pieces are linked, the last freed is taken first. (Comment 3, as a stack; the link lies in
/// the free piece.)
class DebrisFreeList : public DebrisArray<DebrisFreeList> {
  public:
    explicit DebrisFreeList(std::uint32_t capacity) : DebrisArray(capacity)
    {
        for (std::uint32_t i = capacity; i-- > 0;) {
            freed(i);
        }
    }
    Debris *take()
    {
        if (head == no_debris) {
            return nullptr;
        }
        Debris *piece = &pieces[head];
        head = piece->number;
        return piece;
    }
    void freed(std::uint32_t index)
    {
        pieces[index].number = head;
        head = index;
    }

  private:
    std::uint32_t head = no_debris;
};

/// "Mainain a queue of next free debris indexes within your 2000 array" (comment 3): the first
/// freed is taken first.
class DebrisFreeQueue : public DebrisArray<DebrisFreeQueue> {
  public:
    explicit DebrisFreeQueue(std::uint32_t capacity) : DebrisArray(capacity)
    {
        for (std::uint32_t i = 0; i < capacity; i++) {
            freed(i);
        }
    }
    Debris *take()
    {
        if (head == no_debris) {
            return nullptr;
        }
        Debris *piece = &pieces[head];
        head = piece->number;
        return piece;
    }
    void freed(std::uint32_t index)
    {
        pieces[index].number = no_debris;
        (head == no_debris ? head : pieces[tail].number) = index;
        tail = index;
    }

  private:
    std::uint32_t head = no_debris, tail = no_debris;
};

/// "Just swap it with the last one" (comments 1, 6, 13, 16), by a copy over the dead one. Walked
/// backwards, so that the piece that takes its place has been met already.
class DebrisSwapAndPop {
  public:
    explicit DebrisSwapAndPop(std::uint32_t capacity) : pieces(capacity)
    {
    }
    Debris *take()
    {
        return live < pieces.size() ? &pieces[live++] : nullptr;
    }
    template <class Done> void sweep(Done done)
    {
        Debris *all = pieces.data();
        std::uint32_t left = live; // in a register, out of the pieces' way
        for (std::uint32_t i = left; i-- > 0;) {
            if (done(all[i]) && i != --left) {
                all[i] = all[left];
            }
        }
        live = left;
    }

  private:
    std::vector<Debris> pieces;
    std::uint32_t live = 0;
};

/// "Two lists inside the array" (comments 5 and 9): live pieces linked by index, free ones by the
/// same index.
class DebrisTwoLists {
  public:
    explicit DebrisTwoLists(std::uint32_t capacity) : nodes(capacity)
    {
        for (std::uint32_t i = capacity; i-- > 0;) {
            nodes[i].next = free_head;
            free_head = i;
        }
    }
    Debris *take()
    {
        if (free_head == no_debris) {
            return nullptr;
        }
        const std::uint32_t index = free_head;
        free_head = nodes[index].next;
        nodes[index].next = live_head;
        live_head = index;
        return &nodes[index].piece;
    }
    template <class Done> void sweep(Done done)
    {
        for (std::uint32_t *link = &live_head; *link != no_debris;) {
            const std::uint32_t index = *link;
            Node &node = nodes[index];
            if (!done(node.piece)) {
                link = &node.next;
                continue;
            }
            *link = node.next;
            node.next = free_head;
            free_head = index;
        }
    }

  private:
    struct Node {
        Debris piece;
        std::uint32_t next;
    };
    std::vector<Node> nodes;
    std::uint32_t live_head = no_debris, free_head = no_debris;
};

/// "Definitely a dbl linked list, with single linked free pool" (comment 18), by pointers, with a
/// sentinel as there.
class DebrisDoublyLinked {
  public:
    explicit DebrisDoublyLinked(std::uint32_t capacity) : nodes(capacity)
    {
        active.next = active.previous = &active;
        for (std::uint32_t i = capacity; i-- > 0;) {
            nodes[i].next = pool;
            pool = &nodes[i];
        }
    }
    DebrisDoublyLinked(const DebrisDoublyLinked &) = delete; // the sentinel is pointed to
    DebrisDoublyLinked &operator=(const DebrisDoublyLinked &) = delete;
    Debris *take()
    {
        if (!pool) {
            return nullptr;
        }
        Node *node = pool;
        pool = node->next;
        node->next = active.next;
        node->previous = &active;
        active.next->previous = node;
        active.next = node;
        return &node->piece;
    }
    template <class Done> void sweep(Done done)
    {
        for (Node *node = active.next, *next; node != &active; node = next) {
            next = node->next;
            if (done(node->piece)) {
                node->previous->next = next;
                next->previous = node->previous;
                node->next = pool;
                pool = node;
            }
        }
    }

  private:
    struct Node {
        Debris piece;
        Node *previous, *next;
    };
    std::vector<Node> nodes;
    Node active;
    Node *pool = nullptr;
};

/// A stack of free indices, and a bit for each live piece, so that the walk meets no free one.
/// ("Understanding cache-friendly, data-oriented objects and handles", section "Parallel Occupancy
/// Bits"; comment 14 has the stack.)
class DebrisStackBits {
  public:
    explicit DebrisStackBits(std::uint32_t capacity) : pieces(capacity), words((capacity + 63) / 64)
    {
        for (std::uint32_t i = capacity; i-- > 0;) {
            free_pieces.push_back(i);
        }
    }
    Debris *take()
    {
        if (free_pieces.empty()) {
            return nullptr;
        }
        const std::uint32_t index = free_pieces.back();
        free_pieces.pop_back();
        words[index / 64] |= UINT64_C(1) << (index & 63);
        return &pieces[index];
    }
    template <class Done> void sweep(Done done)
    {
        for (std::uint32_t i = 0; i < words.size(); i++) {
            std::uint64_t dead = 0;
            for (std::uint64_t left = words[i]; left; left &= left - 1) {
                const std::uint32_t index =
                    64 * i + static_cast<std::uint32_t>(__builtin_ctzll(left));
                if (done(pieces[index])) {
                    dead |= left & (~left + 1);
                    free_pieces.push_back(index);
                }
            }
            words[i] &= ~dead;
        }
    }

  private:
    std::vector<Debris> pieces;
    std::vector<std::uint64_t> words;
    std::vector<std::uint32_t> free_pieces;
};
