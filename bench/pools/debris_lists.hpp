/// Strategies that find free pieces without a search, from the comments on "Faster Debris
/// management". Their interface is that of debris_scans.hpp.
#pragma once

#include <vector>

#include "debris_scans.hpp"

const std::uint32_t no_debris = UINT32_MAX;

/// The base of both chains of free pieces. Allocates from the head. The link is stored in the free
/// piece.
template <class Concrete> class DebrisChain : public DebrisArray<Concrete> {
  public:
    using DebrisArray<Concrete>::DebrisArray;
    Debris *take()
    {
        if (head == no_debris) {
            return nullptr;
        }
        Debris *piece = &this->pieces[head];
        head = piece->number;
        return piece;
    }

  protected:
    std::uint32_t head = no_debris;
};

/// A stack: the piece freed last is allocated first. (Comment 3.)
class DebrisFreeList : public DebrisChain<DebrisFreeList> {
  public:
    explicit DebrisFreeList(std::uint32_t capacity) : DebrisChain(capacity)
    {
        for (std::uint32_t i = capacity; i-- > 0;) {
            freed(i);
        }
    }
    void freed(std::uint32_t index)
    {
        pieces[index].number = head;
        head = index;
    }
};

/// "Mainain a queue of next free debris indexes within your 2000 array" (comment 3): the piece
/// freed first is allocated first.
class DebrisFreeQueue : public DebrisChain<DebrisFreeQueue> {
  public:
    explicit DebrisFreeQueue(std::uint32_t capacity) : DebrisChain(capacity)
    {
        for (std::uint32_t i = 0; i < capacity; i++) {
            freed(i);
        }
    }
    void freed(std::uint32_t index)
    {
        pieces[index].number = no_debris;
        (head == no_debris ? head : pieces[tail].number) = index;
        tail = index;
    }

  private:
    std::uint32_t tail = no_debris;
};

/// "Just swap it with the last one" (comments 1, 6, 13, 16), by copying the last piece over the
/// dead one. The sweep goes backwards, so the copied piece was already visited.
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
        std::uint32_t left = live; // a local copy, which stays in a register
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

/// "Two lists inside the array" (comments 5 and 9): live pieces form one list linked by index, free
/// pieces another.
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

/// "Definitely a dbl linked list, with single linked free pool" (comment 18), with pointers and a
/// sentinel, as in the comment.
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
    DebrisDoublyLinked(const DebrisDoublyLinked &) = delete; // pieces point to the sentinel
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

/// A stack of free indices, and a bit for each live piece, so that the sweep visits no free piece.
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
