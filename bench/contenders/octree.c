// A sparse octree. A node of level n covers 2^n chunks an edge; those of level 1 hold eight
// pointers to chunks, the others eight numbers of nodes. The root rises as chunks come from farther
// out, to level 32 if need be. Coordinates are counted from INT32_MIN.

#include "builtin.h"

#include <stdlib.h>

#include "find_loops.h"
#include "refusal.h"

typedef struct OctreeNode {
    uint32_t children[8]; // 0 for none
} OctreeNode;

typedef struct OctreeLeaf {
    const ContenderChunk *chunks[8];
} OctreeLeaf;

/// Nodes or leaves; the first is never used, so that 0 means none. Free ones are linked through
/// their first four bytes.
typedef struct NodePool {
    void *nodes;
    uint32_t used, capacity, free;
} NodePool;

typedef struct Octree {
    NodePool nodes, leaves;
    uint32_t root; // of `level`: a leaf for 1, a node above; 0 when empty
    unsigned level;
    uint64_t prefix[3]; // of all coordinates x, y, z below the root, shifted right by level
    Refusal refusal;
} Octree;

enum { OCTREE_LEVEL_MAX = 32 };

/// A coordinate counted from INT32_MIN, axes x, y, z.
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

/// Which child of a node of `level` a place is in.
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

static void *octree_create(const ContenderWorld *world)
{
    (void)world;
    return calloc(1, sizeof(Octree));
}

static void octree_destroy(void *self)
{
    Octree *tree = self;
    free(tree->nodes.nodes);
    free(tree->leaves.nodes);
    free(tree);
}

static bool node_pool_grow(NodePool *pool, size_t node_bytes)
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

/// An empty node, or 0 when there is no memory.
static uint32_t node_pool_take(NodePool *pool, size_t node_bytes)
{
    uint32_t node = pool->free;
    if (!node && pool->used == pool->capacity && !node_pool_grow(pool, node_bytes)) {
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

static void node_pool_give(NodePool *pool, uint32_t node, size_t node_bytes)
{
    memcpy((unsigned char *)pool->nodes + node * node_bytes, &pool->free, sizeof pool->free);
    pool->free = node;
}

static inline uint32_t octree_take(Octree *tree, unsigned level)
{
    return level == 1 ? node_pool_take(&tree->leaves, sizeof(OctreeLeaf))
                      : node_pool_take(&tree->nodes, sizeof(OctreeNode));
}

static inline bool octree_covers(const Octree *tree, const OctreePlace *place)
{
    return tree->root && place->axis[0] >> tree->level == tree->prefix[0] &&
           place->axis[1] >> tree->level == tree->prefix[1] &&
           place->axis[2] >> tree->level == tree->prefix[2];
}

/// Puts a node above the root.
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

/// The leaf of a place, made with the nodes above it if need be; 0 when there is no memory.
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
            next = octree_take(tree, level - 1); // may move the nodes
            if (!next) {
                return 0;
            }
            octree_node(tree, node)->children[child] = next;
        }
        node = next;
    }
    return node;
}

static size_t octree_insert(void *self, const ContenderEntry *entries, size_t count)
{
    Octree *tree = self;
    for (size_t i = 0; i < count; i++) {
        const OctreePlace place = octree_place(entries[i].coord);
        const uint32_t leaf = octree_make_leaf(tree, &place);
        if (!leaf) {
            tree->refusal.reason = REFUSAL_NO_MEMORY;
            return i;
        }
        octree_leaf(tree, leaf)->chunks[octree_child(&place, 1)] = entries[i].chunk;
    }
    return count;
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

/// Gives back an empty leaf, and above it what becomes empty. @param path  [level] the nodes from
/// each level down to the leaf
static void octree_prune(Octree *tree, const OctreePlace *place, const uint32_t *path)
{
    node_pool_give(&tree->leaves, path[1], sizeof(OctreeLeaf));
    for (unsigned level = 2; level <= tree->level; level++) {
        OctreeNode *node = octree_node(tree, path[level]);
        node->children[octree_child(place, level)] = 0;
        if (!octree_node_is_empty(node)) {
            return;
        }
        node_pool_give(&tree->nodes, path[level], sizeof(OctreeNode));
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

static void octree_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    find_each(self, octree_find_one, coords, count, out);
}

// ---- gathers -----------------------------------------------------------------------------------

typedef struct OctreeWalk {
    const Octree *tree;
    int64_t low[3], high[3];    // the box, axes x, y, z
    const FrustumTest *frustum; // NULL for none
    ChunkList list;
} OctreeWalk;

/// A node on the way: its lowest chunk, and whether all below it is wanted for sure.
typedef struct OctreeCube {
    int64_t low[3];
    uint32_t node;
    unsigned level;
    bool is_inside;
} OctreeCube;

/// Sees how a cube lies to what is wanted. @return whether any of it may be
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
        append_row(&walk->list, leaf->chunks, 8);
        return;
    }
    for (int i = 0; i < 8; i++) {
        OctreeCube chunk = {
            {cube->low[0] + (i & 1), cube->low[1] + (i >> 2), cube->low[2] + (i >> 1 & 1)},
            0,
            0,
            false};
        if (leaf->chunks[i] && octree_enters(walk, &chunk)) {
            append_chunk(&walk->list, leaf->chunks[i]);
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

static size_t octree_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    return octree_gather_box(self, box, NULL, out, capacity);
}

static size_t octree_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum, void *out,
                                    size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return octree_gather_box(self, box, &test, out, capacity);
}

static size_t octree_gather_all(void *self, void *out, size_t capacity)
{
    return octree_gather_box(self, trn_box_everything(), NULL, out, capacity);
}

// ---- neighbours --------------------------------------------------------------------------------

/// Three of the six neighbours of a chunk lie in its own leaf, on the other side along each axis.
static const unsigned char octree_face_bit[TRN_FACE_COUNT] = {1, 1, 4, 4, 2, 2};

static inline bool octree_face_stays(unsigned child, int face)
{
    // Towards higher coordinates from the lower side, and the other way round.
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
            append_chunk(&list, chunks[i]);
        }
    }
    return list.count;
}

static void octree_explain(const void *self, char *text, size_t size)
{
    refusal_explain(&((const Octree *)self)->refusal, text, size);
}

const Contender contender_octree = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "sparse octree",
    .answers = CONTENDER_POINTERS,
    .create = octree_create,
    .destroy = octree_destroy,
    .insert = octree_insert,
    .remove = octree_remove,
    .find = octree_find,
    .gather = octree_gather,
    .gather_all = octree_gather_all,
    .gather_frustum = octree_gather_frustum,
    .neighbours = octree_neighbours,
    .gather_ready = octree_gather_ready,
    .explain = octree_explain,
};
