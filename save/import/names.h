/// Private: which block stands for which name of another game.
///
/// A table is lines of `their:name = our:block`, in UTF-8; `#` starts a comment. A `*` in their
/// name stands for any text. Exact lines come first, then lines with `*` in their order. A name may
/// end in a property, `[key=value]`: the line is for block states with it. A block may be followed
/// by a word that says what param2 is: facedir, wallmounted or flowing. A line with `<colour>` on
/// both sides stands for sixteen. A line `their <- our` is for blocks that go out alone. After a
/// line `include built-in`, those of the format's own table and the rules for parts of names follow
/// the lines of this one.
#ifndef TERRANE_SAVE_IMPORT_NAMES_H
#define TERRANE_SAVE_IMPORT_NAMES_H

#include <stdatomic.h>

#include <terrane/import.h>

#include "base/array.h"
#include "base/thread.h"
#include "turns.h"

/// The longest name of another game, in bytes. Longer ones are cut off.
#define TRN_IMPORT_NAME_MAX 255
/// Unknown names that are counted each. All others count as one, so that no source fills a
/// registry.
#define TRN_IMPORT_UNKNOWN_MAX 16384

/// A name that was met or is in the table. Stays at its address.
typedef struct TrnImportName {
    struct TrnImportName *next; ///< in its bucket
    TrnBlock block;
    TrnBlock variants[TRN_BLOCK_VARIANTS_MAX]; ///< [members] of the block's family; the first is it
    uint8_t members;                           ///< 1 unless the block is the first of a family
    bool is_shaped;          ///< a model, or one of a family: it has what properties say
    TrnImportTurn turn;      ///< what param2 says
    bool is_unknown;         ///< counts are reported
    bool has_states;         ///< lines may be for its block states
    bool is_absent;          ///< a name with a property that no line is for
    uint32_t line;           ///< that it has in the table, from 1 on; 0: it has none of its own
    _Atomic(uint64_t) count; ///< voxels
    uint32_t size;           ///< of the text, without the zero
    char text[];
} TrnImportName;

/// A line `their <- our`: a block without a name of its own goes out as theirs (back.h).
typedef struct TrnImportStandIn {
    TrnBlock block;
    uint32_t size;
    char text[TRN_IMPORT_NAME_MAX + 1];
} TrnImportStandIn;

TRN_ARRAY_DECLARE(TrnImportStandIns, TrnImportStandIn);

/// A line of the table with a `*`.
typedef struct TrnImportPattern {
    char *text; ///< [size + 1]
    uint32_t size;
    uint32_t before, behind; ///< bytes before the first `*`, and behind the last
    uint32_t name_size;      ///< without a property
    uint64_t pairs;          ///< of neighbouring characters that a match has, one bit a hash
    TrnBlock block;
    TrnImportTurn turn;
} TrnImportPattern;

TRN_ARRAY_DECLARE(TrnImportPatterns, TrnImportPattern);

/// What becomes of names that neither the table nor the registry has.
typedef enum TrnImportUnknown {
    TRN_IMPORT_UNKNOWN_ADDED,  ///< each becomes a placeholder
    TRN_IMPORT_UNKNOWN_SHARED, ///< they share placeholders that open adds
    TRN_IMPORT_UNKNOWN_AIR     ///< the registry is only read
} TrnImportUnknown;

#define TRN_IMPORT_NAME_BUCKETS 4096

typedef struct TrnImportNames {
    TrnAllocator allocator;
    TrnBlockTypes *types;
    TrnImportUnknown unknown;
    TrnBlock placeholders[TRN_IMPORT_PLACEHOLDERS]; ///< that are shared
    TrnMutex mutex;                                 ///< of what follows
    TrnImportPatterns patterns[2];                  ///< for names; for names with a property
    uint64_t key;                                   ///< of the hash that chooses a bucket
    TrnImportName *buckets[TRN_IMPORT_NAME_BUCKETS];
    uint32_t unknown_count;
    uint32_t line_count;
    TrnImportStandIns stand_ins;
    /// Called before a type is added, so that no other thread uses the registry; NULL: none does.
    TrnResult (*quiet)(void *user);
    void *quiet_user;
} TrnImportNames;

/// A text with lines of a table. Any bytes are safe.
typedef struct TrnImportTable {
    const char *text; ///< [size]; NULL: no lines
    size_t size;
} TrnImportTable;

/// The rules for parts of names, which every format with a table of its own has behind it.
TrnImportTable trn_import_rules(void);

/// The tables of names of an import.
typedef struct TrnImportTables {
    TrnImportTable given;    ///< the caller's; without a text: `built_in` alone
    TrnImportTable built_in; ///< the format's own
    const char *const
        *airs; ///< names that are air, unless a line is for exactly them; NULL ends it
} TrnImportTables;

/// Reads the tables.
/// Errors: CORRUPT with the line in the problem, NO_MEMORY, FULL (block types).
TrnResult trn_import_names_open(TrnImportNames *names, const TrnAllocator *allocator,
                                TrnBlockTypes *types, TrnImportUnknown unknown,
                                const TrnImportTables *tables, TrnStorageProblem *problem);
void trn_import_names_free(TrnImportNames *names);

/// Finds the entry of a name, and adds it if it is new. Any thread.
/// @param text  [size] any bytes
/// @param name  receives the entry: name->block is the block. If name->is_unknown, the format adds
///              its voxels to name->count.
/// Errors: NO_MEMORY, FULL (block types), and what `quiet` returns.
TrnResult trn_import_names_find(TrnImportNames *names, const char *text, size_t size,
                                TrnImportName **name);

/// What stands for a block state.
typedef struct TrnImportState {
    TrnImportName *name; ///< without the properties
    TrnBlock block;
    bool is_lost; ///< it has properties, and the block shows none
} TrnImportState;

/// Finds the block of a name with properties: that of the first property that the table names, or
/// that of the name, turned as the properties say. Otherwise as trn_import_names_find().
TrnResult trn_import_names_find_state(TrnImportNames *names, const char *text, size_t size,
                                      const TrnImportProperty *properties, uint32_t count,
                                      TrnImportState *state);

/// Finds the block of a node. @return whether param2 says nothing, or the block shows what it says
static inline bool trn_import_node_block(const TrnImportName *name, uint8_t param2, TrnBlock *block)
{
    const uint32_t variant = trn_import_param2_variant(name->members, name->turn, param2);
    *block = variant < name->members ? name->variants[variant] : name->block;
    return param2 == 0 || variant < name->members;
}

#endif
