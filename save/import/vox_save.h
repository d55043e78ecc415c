/// Private: a box as a file of MagicaVoxel. Each block is the colour of its top.
#ifndef TERRANE_SAVE_IMPORT_VOX_SAVE_H
#define TERRANE_SAVE_IMPORT_VOX_SAVE_H

#include "packed_out.h"
#include "schematic_box.h"

/// Whether reading the file gives a block again: air, and the blocks of colours.
bool trn_vox_save_is_kept(const TrnBlockTypes *types, TrnBlock block);

/// Writes a box, in models of at most 256 voxels a side.
/// @param fault  receives a sentence, or stays
/// Errors: OUT_OF_RANGE, NO_MEMORY; those of `out` are in it.
TrnResult trn_vox_save(TrnPackedOut *out, const TrnOutBox *box, const char **fault);

#endif
