// A sparse octree. A node of level n covers 2^n chunks along each axis. Nodes of level 1 hold eight
// pointers to chunks, all others eight node numbers. The root's level grows with the distance of
// chunks, up to 32. Coordinates are relative to INT32_MIN.

#include "builtin.h"

#include <stdlib.h>

#include "chunk_list.h"
#include "frustum.h"
#include "refusal.h"

typedef struct OctreeNode {
    uint32_t children[8]; // 0 for none
} OctreeNode;

typedef struct OctreeLeaf {
    const ContenderChunk *chunks[8];
} OctreeLeaf;

/// A pool of nodes or of leaves. Number 0 is never used and means none. Free nodes are linked
/// through their first four bytes.
typedef struct OctreePool {
    void *nodes;
    uint32_t used, capacity, free;
} OctreePool;

typedef struct Octree {
    OctreePool nodes, leaves;
    uint32_t root; // number of the root, a leaf if `level` is 1; 0: empty
    unsigned level;
    uint64_t prefix[3]; // of all coordinates below the root: x, y, z shifted right by level
    Refusal refusal;
} Octree;

enum { OCTREE_LEVEL_MAX = 32 };

/// A coordinate relative to INT32_MIN, axes x, y, z.
typedef struct OctreePlace {
    uint64_t axis[3];
} OctreePlace;

static inline OctreePlace octree_place(TrnCoord coord)
{
    const uint32_t offset = UINT32_C(1) << 31;
    OctreePlace place = {
        {(uint32_t)coord.x + offset, (uint32_t)coord.y + offset, (uint32_t)coord.z + offset}};
    return place;
}

/// The child number of a place in a node of `level`.
static inline unsigned octree_child(const OctreePlace *place, unsigned level)
{
    const unsigned shift = level - 1;
    return (unsigned)(place->axis[0] >> shift & 1) | (unsigned)(place->axis[2] >> shift & 1) << 1 |
           (unsigned)(place->axis[1] >> shift & 1) << 2;
}

static inline OctreeNode *octree_node(const Octree *tree, uint32_t node)
{
    return &((OctreeNode *)tree->nodes.nodes)[node];
}

static inline OctreeLeaf *octree_leaf(const Octree *tree, uint32_t leaf)
{
    return &((OctreeLeaf *)tree->leaves.nodes)[leaf];
}

static void octree_destroy(void *self)
{
    Octree *tree = self;
    free(tree->nodes.nodes);
    free(tree->leaves.nodes);
    free(tree);
}

static bool octree_pool_grow(OctreePool *pool, size_t node_bytes)
{
    const uint32_t capacity = pool->capacity ? pool->capacity * 2 : 64;
    void *nodes = capacity > pool->capacity ? realloc(pool->nodes, capacity * node_bytes) : NULL;
    if (!nodes) {
        return false;
    }
    pool->nodes = nodes;
    pool->used = pool->used ? pool->used : 1;
    pool->capacity = capacity;
    return true;
}

/// Allocates an empty node. @return 0 if out of memory
static uint32_t octree_pool_take(OctreePool *pool, size_t node_bytes)
{
    uint32_t node = pool->free;
    if (!node && pool->used == pool->capacity && !octree_pool_grow(pool, node_bytes)) {
        return 0;
    }
    unsigned char *nodes = pool->nodes;
    if (node) {
        memcpy(&pool->free, nodes + node * node_bytes, sizeof pool->free);
    } else {
        node = pool->used++;
    }
    memset(nodes + node * node_bytes, 0, node_bytes);
    return node;
}

static void octree_pool_give(OctreePool *pool, uint32_t node, size_t node_bytes)
{
    memcpy((unsigned char *)pool->nodes + node * node_bytes, &pool->free, sizeof pool->free);
    pool->free = node;
}

static inline uint32_t octree_take(Octree *tree, unsigned level)
{
    return level == 1 ? octree_pool_take(&tree->leaves, sizeof(OctreeLeaf))
                      : octree_pool_take(&tree->nodes, sizeof(OctreeNode));
}

static inline bool octree_covers(const Octree *tree, const OctreePlace *place)
{
    return tree->root && place->axis[0] >> tree->level == tree->prefix[0] &&
           place->axis[1] >> tree->level == tree->prefix[1] &&
           place->axis[2] >> tree->level == tree->prefix[2];
}

/// Adds a node above the root, which becomes the root.
static bool octree_raise(Octree *tree)
{
    const uint32_t root = octree_take(tree, tree->level + 1);
    if (!root) {
        return false;
    }
    const OctreePlace below = {{tree->prefix[0], tree->prefix[1], tree->prefix[2]}};
    octree_node(tree, root)->children[octree_child(&below, 1)] = tree->root;
    tree->root = root;
    tree->level++;
    for (int axis = 0; axis < 3; axis++) {
        tree->prefix[axis] >>= 1;
    }
    return true;
}

/// Makes the root cover a place.
static bool octree_reach(Octree *tree, const OctreePlace *place)
{
    if (!tree->root) {
        tree->level = 1;
        tree->root = octree_take(tree, 1);
        for (int axis = 0; axis < 3; axis++) {
            tree->prefix[axis] = place->axis[axis] >> 1;
        }
        return tree->root != 0;
    }
    while (!octree_covers(tree, place)) {
        if (!octree_raise(tree)) {
            return false;
        }
    }
    return true;
}

/// The leaf of a place. Creates the leaf and the nodes above it if they are missing. @return 0 if
/// out of memory
static uint32_t octree_make_leaf(Octree *tree, const OctreePlace *place)
{
    if (!octree_covers(tree, place) && !octree_reach(tree, place)) {
        return 0;
    }
    uint32_t node = tree->root;
    for (unsigned level = tree->level; level > 1; level--) {
        const unsigned child = octree_child(place, level);
        uint32_t next = octree_node(tree, node)->children[child];
        if (!next) {
            next = octree_take(tree, level - 1); // may reallocate the nodes
            if (!next) {
                return 0;
            }
            octree_node(tree, node)->children[child] = next;
        }
        node = next;
    }
    return node;
}

static bool octree_insert_one(Octree *tree, const ContenderEntry *entry)
{
    const OctreePlace place = octree_place(entry->coord);
    const uint32_t leaf = octree_make_leaf(tree, &place);
    if (!leaf) {
        tree->refusal.reason = REFUSAL_NO_MEMORY;
        return false;
    }
    octree_leaf(tree, leaf)->chunks[octree_child(&place, 1)] = entry->chunk;
    return true;
}

static bool octree_leaf_is_empty(const OctreeLeaf *leaf)
{
    for (int i = 0; i < 8; i++) {
        if (leaf->chunks[i]) {
            return false;
        }
    }
    return true;
}

static bool octree_node_is_empty(const OctreeNode *node)
{
    uint32_t any = 0;
    for (int i = 0; i < 8; i++) {
        any |= node->children[i];
    }
    return any == 0;
}

/// Frees an empty leaf and all nodes above it that become empty. @param path  [level] the node of
/// each level on the way to the leaf
static void octree_prune(Octree *tree, const OctreePlace *place, const uint32_t *path)
{
    octree_pool_give(&tree->leaves, path[1], sizeof(OctreeLeaf));
    for (unsigned level = 2; level <= tree->level; level++) {
        OctreeNode *node = octree_node(tree, path[level]);
        node->children[octree_child(place, level)] = 0;
        if (!octree_node_is_empty(node)) {
            return;
        }
        octree_pool_give(&tree->nodes, path[level], sizeof(OctreeNode));
    }
    tree->root = 0;
}

static void octree_remove(void *self, const TrnCoord *coords, size_t count)
{
    Octree *tree = self;
    uint32_t path[OCTREE_LEVEL_MAX + 1];
    for (size_t i = 0; i < count; i++) {
        const OctreePlace place = octree_place(coords[i]);
        path[tree->level] = tree->root;
        for (unsigned level = tree->level; level > 1; level--) {
            path[level - 1] = octree_node(tree, path[level])->children[octree_child(&place, level)];
        }
        OctreeLeaf *leaf = octree_leaf(tree, path[1]);
        leaf->chunks[octree_child(&place, 1)] = NULL;
        if (octree_leaf_is_empty(leaf)) {
            octree_prune(tree, &place, path);
        }
    }
}

static inline const OctreeLeaf *octree_find_leaf(const Octree *tree, const OctreePlace *place)
{
    if (!octree_covers(tree, place)) {
        return NULL;
    }
    uint32_t node = tree->root;
    for (unsigned level = tree->level; level > 1; level--) {
        node = octree_node(tree, node)->children[octree_child(place, level)];
        if (!node) {
            return NULL;
        }
    }
    return octree_leaf(tree, node);
}

static inline const ContenderChunk *octree_find_one(const void *self, TrnCoord coord)
{
    const OctreePlace place = octree_place(coord);
    const OctreeLeaf *leaf = octree_find_leaf(self, &place);
    return leaf ? leaf->chunks[octree_child(&place, 1)] : NULL;
}

// ---- gathers -----------------------------------------------------------------------------------

typedef struct OctreeWalk {
    const Octree *tree;
    int64_t low[3], high[3];    // the box, axes x, y, z
    const FrustumTest *frustum; // NULL for none
    ChunkList list;
} OctreeWalk;

/// A node during a gather: its lowest chunk, and whether all chunks below the node match.
typedef struct OctreeCube {
    int64_t low[3];
    uint32_t node;
    unsigned level;
    bool is_inside;
} OctreeCube;

/// Tests a cube against box and frustum, and sets is_inside. @return whether any chunk of it may
/// match
static bool octree_enters(const OctreeWalk *walk, OctreeCube *cube)
{
    int64_t high[3];
    bool is_inside = true;
    for (int axis = 0; axis < 3; axis++) {
        high[axis] = cube->low[axis] + ((int64_t)1 << cube->level) - 1;
        if (cube->low[axis] > walk->high[axis] || high[axis] < walk->low[axis]) {
            return false;
        }
        is_inside =
            is_inside && cube->low[axis] >= walk->low[axis] && high[axis] <= walk->high[axis];
    }
    if (walk->frustum) {
        const FrustumRelation relation = frustum_relation(walk->frustum, cube->low, high);
        if (relation == FRUSTUM_OUTSIDE) {
            return false;
        }
        is_inside = is_inside && relation == FRUSTUM_INSIDE;
    }
    cube->is_inside = is_inside;
    return true;
}

static void octree_walk_leaf(OctreeWalk *walk, const OctreeCube *cube)
{
    const OctreeLeaf *leaf = octree_leaf(walk->tree, cube->node);
    if (cube->is_inside) {
        chunk_list_append_row(&walk->list, leaf->chunks, 8);
        return;
    }
    for (int i = 0; i < 8; i++) {
        OctreeCube chunk = {
            {cube->low[0] + (i & 1), cube->low[1] + (i >> 2), cube->low[2] + (i >> 1 & 1)},
            0,
            0,
            false};
        if (leaf->chunks[i] && octree_enters(walk, &chunk)) {
            chunk_list_append(&walk->list, leaf->chunks[i]);
        }
    }
}

static void octree_walk(OctreeWalk *walk, OctreeCube *cube)
{
    if (!cube->is_inside && !octree_enters(walk, cube)) {
        return;
    }
    if (cube->level == 1) {
        octree_walk_leaf(walk, cube);
        return;
    }
    const OctreeNode *node = octree_node(walk->tree, cube->node);
    const int64_t half = (int64_t)1 << (cube->level - 1);
    for (int i = 0; i < 8; i++) {
        if (node->children[i]) {
            OctreeCube child = {{cube->low[0] + (i & 1) * half, cube->low[1] + (i >> 2) * half,
                                 cube->low[2] + (i >> 1 & 1) * half},
                                node->children[i],
                                cube->level - 1,
                                cube->is_inside};
            octree_walk(walk, &child);
        }
    }
}

static size_t octree_gather_box(const Octree *tree, TrnBox box, const FrustumTest *frustum,
                                void *out, size_t capacity)
{
    if (!tree->root || trn_box_is_empty(box)) {
        return 0;
    }
    OctreeWalk walk = {tree,
                       {box.min.x, box.min.y, box.min.z},
                       {box.max.x, box.max.y, box.max.z},
                       frustum,
                       chunk_list(out, capacity)};
    OctreeCube root = {{0, 0, 0}, tree->root, tree->level, false};
    for (int axis = 0; axis < 3; axis++) {
        root.low[axis] = (int64_t)(tree->prefix[axis] << tree->level) + INT32_MIN;
    }
    octree_walk(&walk, &root);
    return walk.list.count;
}

// ---- neighbours --------------------------------------------------------------------------------

/// Three of a chunk's six neighbours lie in the same leaf: along each axis, one neighbour.
static const unsigned char octree_face_bit[TRN_FACE_COUNT] = {1, 1, 4, 4, 2, 2};

static inline bool octree_face_stays(unsigned child, int face)
{
    // True from the lower half towards higher coordinates, and from the upper half towards lower
    // ones.
    return ((child & octree_face_bit[face]) != 0) != (face & 1);
}

static inline const ContenderChunk *octree_neighbour(const Octree *tree, TrnCoord coord,
                                                     const OctreeLeaf *leaf, unsigned child,
                                                     int face)
{
    if (leaf && octree_face_stays(child, face)) {
        return leaf->chunks[child ^ octree_face_bit[face]];
    }
    return octree_find_one(tree, trn_coord_neighbour(coord, (TrnFace)face));
}

static void octree_neighbours(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    const ContenderChunk **chunks = out;
    for (size_t i = 0; i < count; i++) {
        const OctreePlace place = octree_place(coords[i]);
        const OctreeLeaf *leaf = octree_find_leaf(self, &place);
        const unsigned child = octree_child(&place, 1);
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            *chunks++ = octree_neighbour(self, coords[i], leaf, child, face);
        }
    }
}

static bool octree_has_neighbours(const Octree *tree, TrnCoord coord)
{
    const OctreePlace place = octree_place(coord);
    const OctreeLeaf *leaf = octree_find_leaf(tree, &place);
    const unsigned child = octree_child(&place, 1);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (!octree_neighbour(tree, coord, leaf, child, face)) {
            return false;
        }
    }
    return true;
}

static size_t octree_gather_ready(void *self, const ContenderChunk *const *chunks, size_t count,
                                  void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    for (size_t i = 0; i < count; i++) {
        if (octree_has_neighbours(self, chunks[i]->coord)) {
            chunk_list_append(&list, chunks[i]);
        }
    }
    return list.count;
}

#define CONTENDER(function) octree_##function
#define CONTENDER_STRUCT Octree
#define CONTENDER_OWN_NEIGHBOURS
#define CONTENDER_OWN_READY
#include "contender_body.h"

const Contender contender_octree = CONTENDER_TABLE("sparse octree", gather);
