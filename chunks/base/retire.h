/// Private: read sections, and retired memory that is kept until no reader can see it.
///
/// Epoch-based reclamation: the writer increments the epoch whenever it retires an object; a reader
/// records the epoch when it enters a section. An object retired at epoch n may be freed once every
/// reader that is in a section entered it after n. (K. Fraser, "Practical lock-freedom", 2004.)
#ifndef TERRANE_BASE_RETIRE_H
#define TERRANE_BASE_RETIRE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <terrane/base.h>

#include "base/assert.h"

/// The bytes of a reader's name with its final zero.
#define TRN_RETIRE_NAME_BYTES 32

/// A node in the list of retired objects. Each object that can be retired contains one.
typedef struct TrnRetireLink {
    struct TrnRetireLink *next;
    const struct TrnRetireOwner *owner;
    uint64_t epoch;
} TrnRetireLink;

/// Reclaims retired objects. One owner serves many objects, and must outlive the last of them.
typedef struct TrnRetireOwner {
    /// Reclaims one object. Called on the writer thread, inside any call that retires or
    /// reclaims. May retire further objects; must not change what its readers read otherwise.
    /// @param link  the one that the object contains
    void (*free)(TrnRetireLink *link, void *context);
    void *context; ///< passed to free
} TrnRetireOwner;

/// Objects to retire together. All zeroes is an empty list.
typedef struct TrnRetireList {
    TrnRetireLink *first, *last;
} TrnRetireList;

/// Adds an object that new readers can no longer reach.
/// @param link  in the object; needs no initial value
static inline void trn_retire_list_add(TrnRetireList *list, const TrnRetireOwner *owner,
                                       TrnRetireLink *link)
{
    link->next = NULL;
    link->owner = owner;
    *(list->last ? &list->last->next : &list->first) = link;
    list->last = link;
}

/// One reader. On a cache line of its own, because readers write their epoch in every section.
typedef struct TrnReaderSlot {
    _Alignas(64) _Atomic(uint64_t) epoch; ///< 0 outside a section
    _Atomic(uint64_t) *now;               ///< the writer's epoch
    /// Counts readers that came and left: odd while one has the slot.
    _Atomic(uint32_t) tenancy;
    /// The reader's name. Atomic, because the writer may read it while the next reader writes its
    /// own.
    _Atomic(uint32_t) name[TRN_RETIRE_NAME_BYTES / sizeof(uint32_t)];
} TrnReaderSlot;

/// Frees one retired object. `context` is that of the TrnRetire.
typedef void (*TrnRetireFree)(void *object, void *context);

typedef struct TrnRetired {
    void *object;
    TrnRetireFree free;
    uint64_t epoch;
    size_t bytes;
} TrnRetired;

/// Retired objects lie in a list of blocks, so that it grows without copying.
#define TRN_RETIRE_BLOCK_OBJECTS 15
typedef struct TrnRetireBlock {
    struct TrnRetireBlock *next;
    TrnRetired objects[TRN_RETIRE_BLOCK_OBJECTS];
} TrnRetireBlock;

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a line of its own for the epoch
typedef struct TrnRetire {
    _Alignas(64) _Atomic(uint64_t) epoch; ///< starts at 1
    _Alignas(64) TrnReaderSlot *readers;  // apart from the epoch, which every reader loads
    uint32_t reader_max;
    TrnRetireBlock *oldest; ///< holds the oldest object, at `first`
    TrnRetireBlock *newest; ///< takes the next object, at `fill`; vacant blocks follow
    TrnRetireBlock *end;    ///< the last block of the list
    uint32_t first, fill;
    size_t count, vacant; ///< objects, and objects that fit without another block
    size_t block_count;
    size_t bytes;              ///< of the retired objects
    TrnRetireLink *link_first; ///< objects retired by link, oldest first; not part of bytes
    TrnRetireLink *link_last;
    void *context;
    TrnAllocator allocator;
} TrnRetire;

/// Initialises `retire`, which must not move, because readers point into it. Errors: NO_MEMORY.
TrnResult trn_retire_init(TrnRetire *retire, uint32_t reader_max, void *context,
                          const TrnAllocator *allocator);

/// Frees all retired objects and the memory of `retire`. No reader may be in a section.
void trn_retire_close(TrnRetire *retire);

/// Reserves capacity for `count` more objects, so that trn_retire cannot fail. Errors: NO_MEMORY.
TrnResult trn_retire_reserve(TrnRetire *retire, size_t count);

/// Retires an object that new readers can no longer reach, then reclaims some. Call
/// trn_retire_reserve first.
void trn_retire(TrnRetire *retire, void *object, TrnRetireFree free, size_t bytes);

/// Retires an object that contains its own list node, so it needs no capacity; then reclaims
/// some.
void trn_retire_link(TrnRetire *retire, const TrnRetireOwner *owner, TrnRetireLink *link);

/// The same for all objects of a list, which is empty afterwards.
void trn_retire_links(TrnRetire *retire, TrnRetireList *list);

/// Frees the retired objects that no reader can see any more.
void trn_retire_reclaim(TrnRetire *retire);

/// Takes a slot for a reader. Any thread may call this.
/// @param name  copied, cut off after TRN_RETIRE_NAME_BYTES - 1 bytes; NULL or "" means "reader"
/// @return NULL if all slots are taken
TrnReaderSlot *trn_retire_reader_take(TrnRetire *retire, const char *name);

/// Begins a read section. Sections do not nest.
static inline void trn_retire_read_begin(TrnReaderSlot *reader)
{
    TRN_ASSERT(atomic_load_explicit(&reader->epoch, memory_order_relaxed) == 0); // no nesting
    const uint64_t epoch = atomic_load_explicit(reader->now, memory_order_seq_cst);
    atomic_store_explicit(&reader->epoch, epoch, memory_order_seq_cst);
    // Orders the loads of the section after the store: see retire_count_epoch.
    (void)atomic_load_explicit(reader->now, memory_order_seq_cst);
}

static inline void trn_retire_read_end(TrnReaderSlot *reader)
{
    atomic_store_explicit(&reader->epoch, 0, memory_order_release);
}

/// Ends a reader's section, and frees its slot.
static inline void trn_retire_reader_give(TrnReaderSlot *reader)
{
    trn_retire_read_end(reader);
    atomic_fetch_add_explicit(&reader->tenancy, 1, memory_order_release);
}

/// Finds the reader that has kept retired memory for longest.
/// @param name  receives its name, if there is one; may be NULL
/// @return whether there is one. With a name also false if that reader ended its section meanwhile
bool trn_retire_slowest(const TrnRetire *retire, char name[TRN_RETIRE_NAME_BYTES]);

/// Returns the memory of the readers and the list of retired objects.
size_t trn_retire_own_bytes(const TrnRetire *retire);

#endif
