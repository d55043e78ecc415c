// A balanced tree in an array, built by halving the views at the median of the widest axis. A view
// that moves keeps its place: the boxes above it grow or shrink. Enough such changes build the tree
// anew. A grid was not taken: views reach from one chunk to thousands, and a chunk that an anchor
// has left far behind still needs its nearest anchor.

#include "stream_view_tree.h"

#include <math.h>

#define TREE_LEAF 4u       // views of a leaf
#define TREE_LOOSE_MAX 16u // views that are asked one by one
#define TREE_JUMP_WEAR 8u  // a view that comes, goes or jumps, in views that step
#define TREE_LOOSE UINT32_MAX
#define TREE_DEPTH 32u
// Chunks: more than the rounding of positions at the ends of the world, and of distances to there.
#define TREE_MARGIN 1e-3

// ---- boxes -------------------------------------------------------------------------------------

static const TrnStreamViewBox tree_no_box = {
    .low = {(double)INFINITY, (double)INFINITY, (double)INFINITY},
    .high = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY},
    .kept_low = {INT32_MAX, INT32_MAX, INT32_MAX},
    .kept_high = {INT32_MIN, INT32_MIN, INT32_MIN},
};

static int32_t tree_clamp(int64_t value)
{
    return (int32_t)(value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : value);
}

static bool tree_is_same_path(const TrnStreamSight *a, const TrnStreamSight *b)
{
    bool is_same = trn_coord_equal(a->centre, b->centre);
    for (int axis = 0; axis < 3; axis++) {
        is_same &= a->position[axis] == b->position[axis] && a->ahead[axis] == b->ahead[axis];
    }
    return is_same;
}

static bool tree_is_same_extent(const TrnStreamViewExtent *a, const TrnStreamViewExtent *b)
{
    return trn_coord_equal(a->centre, b->centre) && a->radius == b->radius &&
           a->height == b->height && a->ring == b->ring;
}

/// The view whose path is that of two boxes with anchors, or NULL.
static const TrnStreamViewSlot *tree_common_path(const TrnStreamViewSlot *a,
                                                 const TrnStreamViewSlot *b)
{
    if (!a || !b || !tree_is_same_path(&a->sight, &b->sight)) {
        return NULL;
    }
    return a->serial < b->serial ? a : b;
}

/// The view whose shapes are those of two boxes that keep chunks, or NULL.
static const TrnStreamViewSlot *tree_common_shape(const TrnStreamViewSlot *a,
                                                  const TrnStreamViewSlot *b)
{
    if (!a || !b || !tree_is_same_extent(&a->now, &b->now)) {
        return NULL;
    }
    return trn_stream_view_has_anchor(a) ? a : b;
}

static bool tree_box_has_anchors(const TrnStreamViewBox *box)
{
    return box->low[0] <= box->high[0];
}

static bool tree_box_has_chunks(const TrnStreamViewBox *box)
{
    return box->kept_low[0] <= box->kept_high[0];
}

static void tree_box_add_box(TrnStreamViewBox *box, const TrnStreamViewBox *other)
{
    if (tree_box_has_anchors(other)) {
        box->path_of_all = tree_box_has_anchors(box)
                               ? tree_common_path(box->path_of_all, other->path_of_all)
                               : other->path_of_all;
    }
    if (tree_box_has_chunks(other)) {
        box->shape_of_all = tree_box_has_chunks(box)
                                ? tree_common_shape(box->shape_of_all, other->shape_of_all)
                                : other->shape_of_all;
    }
    for (int axis = 0; axis < 3; axis++) {
        box->low[axis] = box->low[axis] < other->low[axis] ? box->low[axis] : other->low[axis];
        box->high[axis] = box->high[axis] > other->high[axis] ? box->high[axis] : other->high[axis];
        if (box->kept_low[axis] > other->kept_low[axis]) {
            box->kept_low[axis] = other->kept_low[axis];
        }
        if (box->kept_high[axis] < other->kept_high[axis]) {
            box->kept_high[axis] = other->kept_high[axis];
        }
    }
}

static TrnStreamViewBox tree_view_box(const TrnStreamViewSlot *view)
{
    TrnStreamViewBox box = tree_no_box;
    const TrnStreamSight *sight = &view->sight;
    const TrnStreamShape *kept = &view->shapes[TRN_STREAM_SHAPE_KEEP];
    const int32_t at[3] = {sight->centre.x, sight->centre.y, sight->centre.z};
    const int32_t middle[3] = {kept->centre.x, kept->centre.y, kept->centre.z};
    for (int axis = 0; axis < 3; axis++) {
        if (trn_stream_view_has_anchor(view)) {
            const double from = at[axis] + sight->position[axis];
            box.low[axis] = from + fmin(0, sight->ahead[axis]) - TREE_MARGIN;
            box.high[axis] = from + fmax(0, sight->ahead[axis]) + TREE_MARGIN;
        }
        if (!kept->is_empty) {
            const int64_t reach = axis == 1 ? kept->reach_up : kept->reach_across;
            box.kept_low[axis] = tree_clamp(middle[axis] - reach);
            box.kept_high[axis] = tree_clamp(middle[axis] + reach);
        }
    }
    box.path_of_all = trn_stream_view_has_anchor(view) ? view : NULL;
    box.shape_of_all = kept->is_empty ? NULL : view;
    return box;
}

static TrnStreamViewBox tree_leaf_box(const TrnStreamViewTree *tree, uint32_t leaf)
{
    TrnStreamViewBox box = tree_no_box;
    for (uint32_t i = 0; i < TREE_LEAF; i++) {
        const TrnStreamViewSlot *view = tree->placed.items[leaf * TREE_LEAF + i].view;
        if (view) {
            const TrnStreamViewBox its = tree_view_box(view);
            tree_box_add_box(&box, &its);
        }
    }
    return box;
}

static void tree_join_boxes(TrnStreamViewTree *tree, uint32_t node)
{
    const TrnStreamViewBox *children = tree->boxes.items + (size_t)node * 2;
    TrnStreamViewBox box = children[0];
    tree_box_add_box(&box, &children[1]);
    tree->boxes.items[node] = box;
}

/// The square of the distance in chunks of a point to the paths in a box, at most.
static double tree_box_squared(const TrnStreamViewBox *box, const double point[3])
{
    double squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = box->low[axis] - point[axis], above = point[axis] - box->high[axis];
        const double off = below > above ? below : above;
        squared += off > 0 ? off * off : 0;
    }
    return squared;
}

// ---- building ----------------------------------------------------------------------------------

static uint32_t tree_leaves_of(uint32_t count)
{
    uint32_t leaves = 1;
    while ((uint64_t)leaves * TREE_LEAF < count) {
        leaves *= 2;
    }
    return leaves;
}

TrnResult trn_stream_view_tree_reserve(TrnStreamViewTree *tree, const TrnAllocator *allocator,
                                       uint32_t count)
{
    const size_t leaves = count > TREE_LOOSE_MAX ? tree_leaves_of(count) : 0;
    const TrnResult result = trn_array_reserve(&tree->loose, allocator, count);
    if (result != TRN_RESULT_OK || !leaves ||
        trn_array_reserve(&tree->boxes, allocator, 2 * leaves) != TRN_RESULT_OK) {
        return leaves ? TRN_RESULT_NO_MEMORY : result;
    }
    return trn_array_reserve(&tree->placed, allocator, leaves * TREE_LEAF);
}

void trn_stream_view_tree_free(TrnStreamViewTree *tree, const TrnAllocator *allocator)
{
    trn_array_free(&tree->boxes, allocator);
    trn_array_free(&tree->placed, allocator);
    trn_array_free(&tree->loose, allocator);
}

static double tree_key(const TrnStreamViewSlot *view, int axis)
{
    const TrnCoord centre = view->now.centre;
    return (axis == 0 ? centre.x : axis == 1 ? centre.y : centre.z) + view->sight.position[axis];
}

/// Views at one place are in the order in which they move, so that one box holds those that have
/// moved.
static bool tree_precedes(TrnStreamViewEntry a, TrnStreamViewEntry b, int axis)
{
    const double key = tree_key(a.view, axis), other = tree_key(b.view, axis);
    return key < other || (key == other && a.view->serial < b.view->serial);
}

static int tree_widest_axis(const TrnStreamViewEntry *views, uint32_t count)
{
    int widest = 0;
    double width = -1;
    for (int axis = 0; axis < 3; axis++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            const double key = tree_key(views[i].view, axis);
            low = key < low ? key : low;
            high = key > high ? key : high;
        }
        if (high - low > width) {
            width = high - low;
            widest = axis;
        }
    }
    return widest;
}

/// Reorders views so that those before `middle` precede those from there on: C. A. R. Hoare,
/// "Algorithm 65: Find" (1961).
static void tree_halve(TrnStreamViewEntry *views, uint32_t count, uint32_t middle, int axis)
{
    int64_t low = 0, high = (int64_t)count - 1;
    while (low < high) {
        const TrnStreamViewEntry pivot = views[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (tree_precedes(views[i], pivot, axis)) {
                i++;
            }
            while (tree_precedes(pivot, views[j], axis)) {
                j--;
            }
            if (i <= j) {
                const TrnStreamViewEntry swapped = views[i];
                views[i++] = views[j];
                views[j--] = swapped;
            }
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

/// Which of the sorted views a leaf begins with.
static uint32_t tree_leaf_first(const TrnStreamViewTree *tree, uint32_t leaf)
{
    return (uint32_t)((uint64_t)tree->loose.count * leaf / tree->leaf_count);
}

/// Sorts the loose views into the order of the leaves, a level of the tree at a time.
static void tree_sort(TrnStreamViewTree *tree)
{
    for (uint32_t width = tree->leaf_count; width > 1; width /= 2) {
        for (uint32_t leaf = 0; leaf < tree->leaf_count; leaf += width) {
            const uint32_t first = tree_leaf_first(tree, leaf);
            const uint32_t middle = tree_leaf_first(tree, leaf + width / 2);
            const uint32_t end = tree_leaf_first(tree, leaf + width);
            TrnStreamViewEntry *views = tree->loose.items + first;
            tree_halve(views, end - first, middle - first, tree_widest_axis(views, end - first));
        }
    }
}

static void tree_fill_leaf(TrnStreamViewTree *tree, uint32_t leaf)
{
    const uint32_t first = tree_leaf_first(tree, leaf), end = tree_leaf_first(tree, leaf + 1);
    for (uint32_t i = 0; i < TREE_LEAF; i++) {
        const uint32_t place = leaf * TREE_LEAF + i;
        TrnStreamViewSlot *view = first + i < end ? tree->loose.items[first + i].view : NULL;
        tree->placed.items[place] = (TrnStreamViewEntry){view};
        if (view) {
            view->place = place;
        }
    }
    tree->boxes.items[tree->leaf_count + leaf] = tree_leaf_box(tree, leaf);
}

static void tree_build(TrnStreamViewTree *tree)
{
    for (uint32_t i = 0; i < tree->leaf_count * TREE_LEAF; i++) {
        if (tree->placed.items[i].view) {
            tree->placed.items[i].view->place = TREE_LOOSE;
            tree->loose.items[tree->loose.count++] = tree->placed.items[i];
        }
    }
    tree->wear = tree->placed_count = tree->leaf_count = 0;
    tree->placed.count = tree->boxes.count = 0;
    if (tree->loose.count <= TREE_LOOSE_MAX) {
        return;
    }
    tree->leaf_count = tree_leaves_of(tree->loose.count);
    tree->placed.count = tree->leaf_count * TREE_LEAF;
    tree->boxes.count = 2 * tree->leaf_count;
    tree->boxes.items[0] = tree_no_box;
    tree_sort(tree);
    for (uint32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        tree_fill_leaf(tree, leaf);
    }
    for (uint32_t node = tree->leaf_count - 1; node >= 1; node--) {
        tree_join_boxes(tree, node);
    }
    tree->placed_count = tree->loose.count;
    tree->loose.count = 0;
}

// ---- changes -----------------------------------------------------------------------------------

void trn_stream_view_tree_add(TrnStreamViewTree *tree, TrnStreamViewSlot *view)
{
    view->place = TREE_LOOSE;
    tree->loose.items[tree->loose.count++] = (TrnStreamViewEntry){view};
    if (tree->loose.count > TREE_LOOSE_MAX + tree->placed_count / 4) {
        tree_build(tree);
    }
}

static void tree_refit(TrnStreamViewTree *tree, uint32_t place)
{
    const uint32_t leaf = place / TREE_LEAF;
    uint32_t node = tree->leaf_count + leaf;
    tree->boxes.items[node] = tree_leaf_box(tree, leaf);
    while (node > 1) {
        node /= 2;
        tree_join_boxes(tree, node);
    }
}

void trn_stream_view_tree_remove(TrnStreamViewTree *tree, TrnStreamViewSlot *view)
{
    if (view->place != TREE_LOOSE) {
        tree->placed.items[view->place] = (TrnStreamViewEntry){NULL};
        tree->placed_count--;
        tree->wear += TREE_JUMP_WEAR;
        tree_refit(tree, view->place);
        return;
    }
    uint32_t i = tree->loose.count - 1; // from the last: most are removed soon after they came
    while (tree->loose.items[i].view != view) {
        i--;
    }
    trn_array_remove_swap(&tree->loose, i);
}

void trn_stream_view_tree_update(TrnStreamViewTree *tree, TrnStreamViewSlot *view, bool has_jumped)
{
    if (view->place == TREE_LOOSE) {
        return;
    }
    if (has_jumped) {
        trn_stream_view_tree_remove(tree, view);
        trn_stream_view_tree_add(tree, view);
        return;
    }
    tree->wear++;
    tree_refit(tree, view->place);
}

void trn_stream_view_tree_tidy(TrnStreamViewTree *tree)
{
    if (tree->loose.count > TREE_LOOSE_MAX || tree->wear / 8 > tree->placed_count) {
        tree_build(tree);
    }
}

// ---- questions ---------------------------------------------------------------------------------

/// The nearest anchor found so far.
typedef struct TreeSearch {
    TrnCoord coord;
    double point[3];
    TrnStreamRank rank;
    uint64_t serial;
    double squared; ///< of the rank's distance
} TreeSearch;

static void tree_consider(TreeSearch *search, const TrnStreamViewSlot *view)
{
    if (!view || !trn_stream_view_has_anchor(view)) {
        return;
    }
    const TrnStreamRank rank = trn_stream_sight_rank(&view->sight, search->coord);
    if (rank.distance < search->rank.distance ||
        (rank.distance == search->rank.distance && view->serial < search->serial)) {
        search->rank = rank;
        search->serial = view->serial;
        search->squared = rank.distance * rank.distance;
    }
}

/// A node that is still to be searched.
typedef struct TreeTask {
    uint32_t node;
    double squared; ///< of the distance to its box
} TreeTask;

static void tree_search(const TrnStreamViewTree *tree, TreeSearch *search)
{
    TreeTask tasks[TREE_DEPTH]; // [count]
    tasks[0] = (TreeTask){1, 0};
    uint32_t count = 1;
    while (count) {
        const TreeTask task = tasks[--count];
        if (task.squared > search->squared) {
            continue;
        }
        if (tree->boxes.items[task.node].path_of_all) {
            tree_consider(search, tree->boxes.items[task.node].path_of_all);
            continue;
        }
        if (task.node >= tree->leaf_count) {
            const TrnStreamViewEntry *views =
                &tree->placed.items[(size_t)(task.node - tree->leaf_count) * TREE_LEAF];
            for (uint32_t i = 0; i < TREE_LEAF; i++) {
                tree_consider(search, views[i].view);
            }
            continue;
        }
        const uint32_t child = 2 * task.node;
        const TreeTask left = {child, tree_box_squared(&tree->boxes.items[child], search->point)};
        const TreeTask right = {child + 1,
                                tree_box_squared(&tree->boxes.items[child + 1], search->point)};
        const bool is_left_near = left.squared <= right.squared;
        tasks[count++] = is_left_near ? right : left;
        tasks[count++] = is_left_near ? left : right; // the nearer one comes first
    }
}

TrnStreamRank trn_stream_view_tree_rank(const TrnStreamViewTree *tree, TrnCoord coord)
{
    TreeSearch search = {.coord = coord,
                         .point = {coord.x + 0.5, coord.y + 0.5, coord.z + 0.5},
                         .rank = {(double)INFINITY, false},
                         .squared = (double)INFINITY};
    for (uint32_t i = 0; i < tree->loose.count; i++) {
        tree_consider(&search, tree->loose.items[i].view);
    }
    if (tree->leaf_count) {
        tree_search(tree, &search);
    }
    return search.rank;
}

static bool tree_box_keeps(const TrnStreamViewBox *box, TrnCoord first, int32_t last)
{
    return box->kept_low[0] <= last && first.x <= box->kept_high[0] &&
           box->kept_low[1] <= first.y && first.y <= box->kept_high[1] &&
           box->kept_low[2] <= first.z && first.z <= box->kept_high[2];
}

static bool tree_leaf_any(const TrnStreamViewTree *tree, uint32_t node, TrnStreamViewTest is_hit,
                          const void *context)
{
    const TrnStreamViewEntry *views =
        &tree->placed.items[(size_t)(node - tree->leaf_count) * TREE_LEAF];
    for (uint32_t i = 0; i < TREE_LEAF; i++) {
        if (views[i].view && is_hit(views[i].view, context)) {
            return true;
        }
    }
    return false;
}

bool trn_stream_view_tree_any(const TrnStreamViewTree *tree, TrnCoord first, int32_t last,
                              TrnStreamViewTest is_hit, const void *context)
{
    for (uint32_t i = 0; i < tree->loose.count; i++) {
        if (is_hit(tree->loose.items[i].view, context)) {
            return true;
        }
    }
    uint32_t nodes[TREE_DEPTH]; // [count]
    nodes[0] = 1;
    uint32_t count = tree->leaf_count ? 1 : 0;
    while (count) {
        const uint32_t node = nodes[--count];
        const TrnStreamViewBox *box = &tree->boxes.items[node];
        if (!tree_box_keeps(box, first, last)) {
            continue;
        }
        if (box->shape_of_all) {
            if (is_hit(box->shape_of_all, context)) {
                return true;
            }
        } else if (node < tree->leaf_count) {
            nodes[count++] = 2 * node;
            nodes[count++] = 2 * node + 1;
        } else if (tree_leaf_any(tree, node, is_hit, context)) {
            return true;
        }
    }
    return false;
}
