/// Private: block states and block entities of Minecraft, as values of NBT that is written.
#ifndef TERRANE_SAVE_IMPORT_STATE_OUT_H
#define TERRANE_SAVE_IMPORT_STATE_OUT_H

#include "anvil_section.h"
#include "contents.h"
#include "packed_out.h"

/// The data version that is written: of Minecraft 1.21.1.
#define TRN_STATE_DATA_VERSION 3955

/// Writes a block state as an item of a palette: Name, and Properties.
void trn_state_put(TrnPackedOut *out, const TrnAnvilState *state);

/// Writes a block entity as an item of a list.
/// @param at         x, y, z
/// @param is_sponge  with Pos and Id instead of x, y, z and id
void trn_state_put_entity(TrnPackedOut *out, const int64_t at[3], const TrnBlockEntity *entity,
                          bool is_sponge);

/// Reads block data that is a block entity (contents.h). @return false if it is something else
bool trn_state_read_entity(const TrnBlockData *data, TrnBlockEntity *entity);

#endif
