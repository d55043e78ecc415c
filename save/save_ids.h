/// Private: block ids of the world, and what they are in the game. A world numbers its blocks in
/// the order in which they were first saved, and stores their names; 0 is air.
#ifndef TERRANE_SAVE_SAVE_IDS_H
#define TERRANE_SAVE_SAVE_IDS_H

#include <stdatomic.h>

#include <terrane/block_types.h>
#include <terrane/storage.h>

#include "row.h"

/// What the names of values that hold the names of blocks begin with. Five digits follow.
#define TRN_SAVE_ID_PREFIX "terrane/block/"
/// Bytes of the name of the value that holds a block's name, with the zero.
#define TRN_SAVE_ID_NAME_BYTES 32

typedef struct TrnSaveIds {
    TrnBlockTypes *types;
    uint32_t
        new_count; ///< ids whose names are not in the storage; the writer's, as all but block_of
    uint32_t free_from;                       ///< every id below it is taken
    uint16_t new_ids[TRN_BLOCK_TYPES_MAX];    ///< [new_count]
    TrnBlock new_blocks[TRN_BLOCK_TYPES_MAX]; ///< [new_count] what they are
    uint8_t is_taken[TRN_BLOCK_TYPES_MAX];    ///< by id, as all ids of the world need not be dense
    uint16_t world_of[TRN_BLOCK_TYPES_MAX];   ///< by block; 0: none, or air
    _Atomic(uint32_t) block_of[TRN_BLOCK_TYPES_MAX]; ///< by stored id; UINT32_MAX: none
    atomic_bool lacks_names; ///< another program has stored names that this one does not know
} TrnSaveIds;

void trn_save_ids_init(TrnSaveIds *ids, TrnBlockTypes *types);

/// Reads the world's block names, and adds placeholders for unknown ones.
/// Errors: CORRUPT (a name or an id is invalid, or one is there twice), FULL and NO_MEMORY as
/// trn_block_types_add_unknown, and what the storage returns.
TrnResult trn_save_ids_load(TrnSaveIds *ids, const TrnStorage *storage);

/// Returns the id in the name of a value that holds a block's name; 0: it is none.
uint32_t trn_save_ids_parse(const char *name);

/// Finds the block of a name.
/// @param name  [size] any bytes
/// @param adds  a placeholder if there is none; else the call returns NOT_FOUND
/// Errors: CORRUPT (not a name), NOT_FOUND, FULL, NO_MEMORY.
TrnResult trn_save_find_block(TrnBlockTypes *types, const void *name, size_t size, bool adds,
                              TrnBlock *block);

/// Gives every block of a chunk an id. @return false if the world has no id left
bool trn_save_ids_assign(TrnSaveIds *ids, const TrnRowVoxels *voxels);

/// Gives every block type an id. @return false if the world has no id left
bool trn_save_ids_assign_all(TrnSaveIds *ids);

/// Notes that the names of all ids are stored.
void trn_save_ids_stored(TrnSaveIds *ids);

/// The writer: takes up names that another program has stored since, and drops the ids that were
/// assigned meanwhile: assign them again. Names that the types lack are left out.
/// Errors: CORRUPT (a name or an id is invalid), and what the storage returns.
TrnResult trn_save_ids_merge(TrnSaveIds *ids, const TrnStorage *storage);

/// Takes up names that another program has stored since, to load its rows.
/// @param adds  placeholders for names that the types lack: no other thread may read these. Else
///              any thread may call this, and such names are left out
/// Errors: as trn_save_ids_load.
TrnResult trn_save_ids_learn(TrnSaveIds *ids, const TrnStorage *storage, bool adds);

/// Returns the value that stores the name of a new id.
/// @param which  below new_count
/// @param name   receives the value's name
TrnStorageValue trn_save_ids_value(const TrnSaveIds *ids, uint32_t which,
                                   char name[TRN_SAVE_ID_NAME_BYTES]);

#endif
