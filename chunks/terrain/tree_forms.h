/// Private: the forms of trees and undergrowth: which voxels a tree writes.
#ifndef TERRANE_TERRAIN_TREE_FORMS_H
#define TERRANE_TERRAIN_TREE_FORMS_H

#include "terrain/terrain_impl.h"

/// The chunk that trees are written into.
typedef struct TrnTreeCanvas {
    TrnBlock *blocks;
    int64_t bottom;
} TrnTreeCanvas;

/// A tree is written twice: its leaves, then its wood, which replaces leaves.
typedef enum TrnTreePart { TRN_TREE_LEAVES, TRN_TREE_WOOD } TrnTreePart;

/// Sets a tree's trunk and top, which follow from its kind, size and variation.
void trn_tree_set_height(TrnTree *tree);

/// Writes one part of a tree of version 4 over air and plants.
void trn_tree_write(const TrnTreeCanvas *canvas, const TrnTree *tree, TrnTreePart part);

/// Sets a tree's trunk and top in version 3.
/// @param hash  random bits
void trn_tree_3_set_height(TrnTree *tree, uint64_t hash);

/// Writes one part of a tree of version 3 over air and plants.
void trn_tree_3_write(const TrnTreeCanvas *canvas, const TrnTree *tree, TrnTreePart part);

#endif
