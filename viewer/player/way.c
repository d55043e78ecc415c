#include "player/way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/body.h>

#define NODE_NONE UINT32_MAX
#define SLOT_COUNT (4 * WAY_CELLS) // of the hash table: a quarter is ever used

// Costs, in tenths of a voxel of level ground.
#define COST_LEVEL 10
#define COST_ASKEW 14
#define COST_UP 10     // besides the way
#define COST_DOWN 3    // for each voxel
#define COST_ACROSS 45 // all together
#define COST_CLIMB 15
#define COST_WADE 10 // besides the way
#define COST_SWIM 40
#define COST_SWIM_AT_LAST 7 // as slow as it is
#define VAIN_SEARCHES 2u    // before that
// The estimate counts for more than it may at most: by an eighth longer ways, for far fewer cells.
#define ESTIMATE_WEIGHT 9
#define ESTIMATE_SHARE 8
#define NEAR_BEEN 36 // voxels along x or z: about half of WAY_RADIUS
#define CLOSE_GOAL 8 // voxels: who is so near is not led away to look for another way
#define EDGE_PATIENCE 2
#define FAR_GOAL ((int64_t)1 << 20) // voxels: beyond, a goal is a direction
#define NEAR_GOAL 3                 // columns to each side of a goal that is no cell itself

typedef enum CellKind { CELL_NONE, CELL_GROUND, CELL_WADE, CELL_SWIM, CELL_LADDER } CellKind;

// ---- cells --------------------------------------------------------------------------------------

/// The world as a search sees it during one call.
typedef struct WayWorld {
    TrnCursor cursor;
    const uint32_t *solid, *liquid, *climbable;
} WayWorld;

/// What a voxel is to feet.
typedef struct WayVoxel {
    bool is_there, is_solid, is_liquid, is_climbable;
} WayVoxel;

static WayWorld world_of(const TrnStore *store)
{
    const TrnBlockTypes *const types = trn_store_block_types(store);
    return (WayWorld){trn_cursor(store), trn_block_types_solid_bits(types),
                      trn_block_types_liquid_bits(types), trn_block_types_climbable_bits(types)};
}

static bool has_block(const uint32_t *bits, TrnBlock block)
{
    return bits[block / 32] >> (block % 32) & 1;
}

static WayVoxel look(WayWorld *world, int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel at = {x, y, z};
    const TrnVoxels *const voxels = trn_cursor_find(&world->cursor, at);
    if (!voxels) {
        return (WayVoxel){.is_there = false};
    }
    const TrnBlock block = trn_snapshot_get(trn_voxels_snapshot(voxels), trn_voxel_local_index(at));
    return (WayVoxel){true, has_block(world->solid, block), has_block(world->liquid, block),
                      has_block(world->climbable, block)};
}

/// Whether a voxel is there and lets a body through.
static bool is_free(WayWorld *world, int64_t x, int64_t y, int64_t z)
{
    const WayVoxel voxel = look(world, x, y, z);
    return voxel.is_there && !voxel.is_solid;
}

static bool is_room(WayWorld *world, int64_t x, int64_t y, int64_t z)
{
    return is_free(world, x, y, z) && is_free(world, x, y + 1, z);
}

static CellKind cell_kind(WayWorld *world, int64_t x, int64_t y, int64_t z)
{
    const WayVoxel feet = look(world, x, y, z), head = look(world, x, y + 1, z);
    if (!feet.is_there || feet.is_solid || !head.is_there || head.is_solid) {
        return CELL_NONE;
    }
    if (feet.is_climbable) {
        return CELL_LADDER;
    }
    if (head.is_liquid) {
        return CELL_NONE; // under water
    }
    const WayVoxel below = look(world, x, y - 1, z);
    const bool is_held = below.is_there && below.is_solid;
    if (feet.is_liquid) {
        return is_held ? CELL_WADE : CELL_SWIM;
    }
    return is_held ? CELL_GROUND : CELL_NONE;
}

bool way_is_cell(const TrnStore *store, TrnVoxel feet)
{
    WayWorld world = world_of(store);
    return cell_kind(&world, feet.x, feet.y, feet.z) != CELL_NONE;
}

/// The cell of a column that feet at a height are in: a swimmer's are below the surface.
static bool column_cell(WayWorld *world, TrnVoxel *feet)
{
    for (int64_t up = 0; up <= 2; up++) {
        const CellKind kind = cell_kind(world, feet->x, feet->y + up, feet->z);
        if (kind != CELL_NONE && (up == 0 || kind == CELL_SWIM || kind == CELL_WADE)) {
            feet->y += up;
            return true;
        }
    }
    return false;
}

bool way_cell_at(const TrnStore *store, TrnPosition feet, TrnVoxel *cell)
{
    WayWorld world = world_of(store);
    static const double sides[9][2] = {{0, 0},       {-0.3, 0},   {0.3, 0},    {0, -0.3}, {0, 0.3},
                                       {-0.3, -0.3}, {0.3, -0.3}, {-0.3, 0.3}, {0.3, 0.3}};
    for (int i = 0; i < 9; i++) {
        const double by[3] = {sides[i][0], 0, sides[i][1]};
        TrnVoxel found = trn_position_voxel(trn_position_add(feet, by));
        if (column_cell(&world, &found)) {
            *cell = found;
            return true;
        }
    }
    return false;
}

// ---- the search ---------------------------------------------------------------------------------

typedef struct WayNode {
    int16_t x, y, z; ///< from where the search began
    uint8_t move;    ///< WayMove
    uint8_t kind;    ///< CellKind
    uint32_t cost;   ///< of the way to it, tenths of a voxel
    uint32_t before; ///< node, or NODE_NONE
    uint32_t place;  ///< in the heap; NODE_NONE: looked at
} WayNode;

struct Way {
    TrnVoxel from;
    WayGoal goal;
    TrnVoxel aim;      ///< that estimates are about: the goal, or FAR_GOAL towards it
    bool is_in_sight;  ///< the goal and what is around it are in reach of this search
    bool is_overhead;  ///< the goal is right above or below, higher or deeper than any search goes
    bool has_ground;   ///< the height to go to is known: goal.voxel.y
    int64_t tolerance; ///< columns
    WayState state;
    uint32_t node_count, heap_count, looked_at;
    uint32_t end;      ///< node that the way leads to
    uint32_t end_rest; ///< its estimate
    bool meets_edge;   ///< of the node that is looked at
    bool begins_at_edge;
    uint32_t edge; ///< the first node that met one, or NODE_NONE
    TrnVoxel been[WAY_BEEN_MAX];
    uint32_t been_count;
    WayNode nodes[WAY_CELLS];
    uint32_t estimates[WAY_CELLS];
    uint32_t heap[WAY_CELLS];   ///< nodes, the least promising last
    uint32_t slots[SLOT_COUNT]; ///< nodes by where they are, plus one
};

Way *way_create(void)
{
    Way *const way = malloc(sizeof *way);
    if (way) {
        memset(way, 0, sizeof *way);
        way->state = WAY_NEAR;
    }
    return way;
}

void way_destroy(Way *way)
{
    free(way);
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

/// At least what the rest of the way costs, where it is level ground: to the goal's column, or to
/// the columns around it.
static uint32_t estimate(const Way *way, const WayNode *node)
{
    const TrnVoxel aim = way->aim;
    const int64_t x = distance(way->from.x + node->x, aim.x);
    const int64_t z = distance(way->from.z + node->z, aim.z);
    const int64_t y = way->has_ground ? aim.y - (way->from.y + node->y) : 0;
    const int64_t longer = x > z ? x : z, shorter = x > z ? z : x;
    const int64_t rest = longer * COST_LEVEL + shorter * (COST_ASKEW - COST_LEVEL) +
                         (y > 0 ? y * COST_UP : -y * COST_DOWN);
    return (uint32_t)rest;
}

static uint64_t rank(const Way *way, uint32_t node)
{
    const uint64_t guess = (uint64_t)way->estimates[node] * ESTIMATE_WEIGHT / ESTIMATE_SHARE;
    // Among equals, what is nearer to the goal, and then what was found first.
    return (way->nodes[node].cost + guess) << 32 | way->estimates[node];
}

static bool is_before(const Way *way, uint32_t a, uint32_t b)
{
    const uint64_t rank_a = rank(way, a), rank_b = rank(way, b);
    return rank_a < rank_b || (rank_a == rank_b && a < b);
}

static void heap_put(Way *way, uint32_t place, uint32_t node)
{
    way->heap[place] = node;
    way->nodes[node].place = place;
}

static void heap_rise(Way *way, uint32_t node)
{
    uint32_t place = way->nodes[node].place;
    while (place > 0 && is_before(way, node, way->heap[(place - 1) / 2])) {
        heap_put(way, place, way->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    heap_put(way, place, node);
}

static void heap_sink(Way *way, uint32_t node)
{
    uint32_t place = 0;
    for (uint32_t child = 1; child < way->heap_count; child = 2 * place + 1) {
        const uint32_t other = child + 1;
        if (other < way->heap_count && is_before(way, way->heap[other], way->heap[child])) {
            child = other;
        }
        if (!is_before(way, way->heap[child], node)) {
            break;
        }
        heap_put(way, place, way->heap[child]);
        place = child;
    }
    heap_put(way, place, node);
}

static uint32_t heap_take(Way *way)
{
    const uint32_t first = way->heap[0];
    const uint32_t last = way->heap[--way->heap_count];
    if (way->heap_count) {
        heap_sink(way, last);
    }
    way->nodes[first].place = NODE_NONE;
    return first;
}

static uint32_t slot_of(const Way *way, const WayNode *node)
{
    const uint32_t key = (uint32_t)(node->x + 128) | (uint32_t)(node->z + 128) << 8 |
                         (uint32_t)(node->y + 128) << 16;
    uint32_t slot = key * 2654435761u % SLOT_COUNT;
    for (; way->slots[slot]; slot = (slot + 1) % SLOT_COUNT) {
        const WayNode *const other = &way->nodes[way->slots[slot] - 1];
        if (other->x == node->x && other->y == node->y && other->z == node->z) {
            break;
        }
    }
    return slot;
}

static bool is_in_reach(const Way *way, const WayNode *node)
{
    const int64_t x = way->from.x + node->x, y = way->from.y + node->y, z = way->from.z + node->z;
    const TrnVoxel voxel = {x, y, z};
    return node->x >= -WAY_RADIUS && node->x <= WAY_RADIUS && node->z >= -WAY_RADIUS &&
           node->z <= WAY_RADIUS && node->y >= -WAY_HEIGHT && node->y <= WAY_HEIGHT &&
           trn_voxel_in_world(voxel);
}

/// Notes that a cell can be come to, for a cost.
static void reach(Way *way, const WayNode *found)
{
    if (!is_in_reach(way, found)) {
        way->meets_edge = true;
        return;
    }
    const uint32_t slot = slot_of(way, found);
    uint32_t node = way->slots[slot] - 1; // wraps where there is none
    if (node != NODE_NONE) {
        WayNode *const known = &way->nodes[node];
        if (known->place == NODE_NONE || known->cost <= found->cost) {
            return;
        }
        known->move = found->move;
        known->cost = found->cost;
        known->before = found->before;
    } else if (way->node_count < WAY_CELLS) {
        node = way->node_count++;
        way->slots[slot] = node + 1;
        way->nodes[node] = *found;
        way->estimates[node] = estimate(way, found);
        way->nodes[node].place = way->heap_count++;
    } else {
        return;
    }
    heap_rise(way, node);
}

// ---- moves --------------------------------------------------------------------------------------

/// One cell, and where one goes from it.
typedef struct WayLook {
    Way *way;
    WayWorld *world;
    uint32_t node;
    WayNode at;
    int64_t x, y, z; ///< of the cell
} WayLook;

static void reach_by(const WayLook *from, int dx, int dy, int dz, WayMove move, uint32_t cost,
                     CellKind kind)
{
    const uint32_t swim = from->way->goal.vain < VAIN_SEARCHES ? COST_SWIM : COST_SWIM_AT_LAST;
    cost += kind == CELL_SWIM ? swim : kind == CELL_WADE ? COST_WADE : 0;
    const WayNode found = {.x = (int16_t)(from->at.x + dx),
                           .y = (int16_t)(from->at.y + dy),
                           .z = (int16_t)(from->at.z + dz),
                           .move = (uint8_t)move,
                           .kind = (uint8_t)kind,
                           .cost = from->at.cost + cost,
                           .before = from->node};
    reach(from->way, &found);
}

/// Onto a neighbour that is higher: by one, or out of a liquid by two.
static void go_up(const WayLook *from, int dx, int dz)
{
    const int most = from->at.kind == CELL_SWIM ? 2 : 1;
    for (int up = 1; up <= most; up++) {
        if (!is_free(from->world, from->x, from->y + 1 + up, from->z)) {
            return; // no room for the head
        }
        const CellKind kind = cell_kind(from->world, from->x + dx, from->y + up, from->z + dz);
        if (kind != CELL_NONE) {
            const uint32_t cost = (uint32_t)(COST_LEVEL + up * COST_UP);
            reach_by(from, dx, up, dz, WAY_MOVE_UP, cost, kind);
            return;
        }
    }
}

/// Over an edge, onto what is below.
static bool go_down(const WayLook *from, int dx, int dz)
{
    for (int down = 1; down <= WAY_DROP_MAX; down++) {
        const int64_t x = from->x + dx, y = from->y - down, z = from->z + dz;
        const CellKind kind = cell_kind(from->world, x, y, z);
        if (kind != CELL_NONE) {
            const uint32_t cost = (uint32_t)(COST_LEVEL + down * COST_DOWN);
            reach_by(from, dx, -down, dz, WAY_MOVE_DOWN, cost, kind);
            return true;
        }
        if (!is_free(from->world, x, y, z)) {
            return false;
        }
    }
    return false;
}

/// Over a gap of one column.
static void jump_across(const WayLook *from, int dx, int dz)
{
    if (from->at.kind != CELL_GROUND || !is_free(from->world, from->x, from->y + 2, from->z) ||
        !is_free(from->world, from->x + dx, from->y + 2, from->z + dz) ||
        !is_free(from->world, from->x + 2L * dx, from->y + 2, from->z + 2L * dz)) {
        return;
    }
    if (cell_kind(from->world, from->x + 2L * dx, from->y, from->z + 2L * dz) == CELL_GROUND) {
        reach_by(from, 2 * dx, 0, 2 * dz, WAY_MOVE_ACROSS, COST_ACROSS, CELL_GROUND);
    }
}

/// To one of the four sides. @return whether there is room beside, for those who go askew
static bool go_beside(const WayLook *from, int dx, int dz)
{
    const int64_t x = from->x + dx, z = from->z + dz;
    if (!look(from->world, x, from->y, z).is_there) {
        from->way->meets_edge = true;
        return false;
    }
    if (!is_room(from->world, x, from->y, z)) {
        go_up(from, dx, dz);
        return false;
    }
    const CellKind kind = cell_kind(from->world, x, from->y, z);
    if (kind != CELL_NONE) {
        reach_by(from, dx, 0, dz, WAY_MOVE_LEVEL, COST_LEVEL, kind);
        return true;
    }
    go_down(from, dx, dz);
    jump_across(from, dx, dz);
    return true;
}

static void climb(const WayLook *from)
{
    const CellKind above = cell_kind(from->world, from->x, from->y + 1, from->z);
    const CellKind below = cell_kind(from->world, from->x, from->y - 1, from->z);
    const bool is_ladder = from->at.kind == CELL_LADDER;
    if (is_ladder && above == CELL_LADDER) {
        reach_by(from, 0, 1, 0, WAY_MOVE_CLIMB, COST_CLIMB, above);
    }
    if (below == CELL_LADDER || (is_ladder && below != CELL_NONE)) {
        reach_by(from, 0, -1, 0, WAY_MOVE_CLIMB, COST_CLIMB, below);
    }
}

static void look_around_cell(Way *way, WayWorld *world, uint32_t node)
{
    const WayNode at = way->nodes[node];
    const WayLook from = {
        way, world, node, at, way->from.x + at.x, way->from.y + at.y, way->from.z + at.z};
    static const int sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    bool has_room[4];
    for (int i = 0; i < 4; i++) {
        has_room[i] = go_beside(&from, sides[i][0], sides[i][1]);
    }
    for (int i = 0; i < 4; i++) {
        const int dx = i & 1 ? 1 : -1, dz = i & 2 ? 1 : -1;
        if (at.kind == CELL_LADDER || !has_room[i & 1] || !has_room[2 + (i >> 1)]) {
            continue;
        }
        const CellKind kind = cell_kind(world, from.x + dx, from.y, from.z + dz);
        if (kind != CELL_NONE && kind != CELL_LADDER) {
            reach_by(&from, dx, 0, dz, WAY_MOVE_LEVEL, COST_ASKEW, kind);
        }
    }
    climb(&from);
}

// ---- searching ----------------------------------------------------------------------------------

/// Finds the ground of the goal's column: the lowest cell that has no rock above it.
/// @return false where there is none, as far as is known
static bool find_ground(WayWorld *world, const Way *way, int64_t *ground)
{
    const TrnVoxel goal = way->goal.voxel;
    uint32_t roof = 0;
    bool is_found = false;
    for (int64_t by = WAY_SCAN; by >= -WAY_SCAN && roof <= WAY_ROOF; by--) {
        const int64_t y = way->from.y + by;
        roof += look(world, goal.x, y, goal.z).is_solid;
        if (roof <= WAY_ROOF && cell_kind(world, goal.x, y, goal.z) != CELL_NONE) {
            *ground = y;
            is_found = true;
        }
    }
    return is_found;
}

static bool is_column_near(const Way *way, int64_t columns)
{
    return distance(way->from.x, way->goal.voxel.x) <= columns &&
           distance(way->from.z, way->goal.voxel.z) <= columns;
}

/// Finds out what is known of the goal: its height, and whether one can be there.
static void look_at_goal(Way *way, WayWorld *world)
{
    TrnVoxel *const goal = &way->goal.voxel;
    bool is_cell = way->goal.has_height && cell_kind(world, goal->x, goal->y, goal->z) != CELL_NONE;
    way->has_ground = way->goal.has_height;
    if (!way->goal.has_height) {
        way->has_ground = is_cell = find_ground(world, way, &goal->y);
    }
    const int64_t y = way->goal.has_height ? goal->y : way->from.y;
    const bool is_there = look(world, goal->x, y, goal->z).is_there;
    way->tolerance = is_cell || !is_there ? 0 : NEAR_GOAL;
    way->is_in_sight = is_there && is_column_near(way, WAY_RADIUS - CLOSE_GOAL);
    way->is_overhead = way->goal.has_height && is_column_near(way, CLOSE_GOAL) &&
                       distance(way->from.y, goal->y) > WAY_HEIGHT;
}

/// Takes aim at the goal; far away, at what lies in its direction, so that costs stay small
/// numbers.
static void take_aim(Way *way)
{
    const TrnVoxel goal = way->goal.voxel, from = way->from;
    const int64_t x = goal.x - from.x, z = goal.z - from.z;
    const int64_t y = way->has_ground ? goal.y - from.y : 0;
    int64_t longest = distance(x, 0);
    longest = distance(z, 0) > longest ? distance(z, 0) : longest;
    longest = distance(y, 0) > longest ? distance(y, 0) : longest;
    way->aim = goal;
    if (longest > FAR_GOAL) {
        way->aim = (TrnVoxel){from.x + x * FAR_GOAL / longest, from.y + y * FAR_GOAL / longest,
                              from.z + z * FAR_GOAL / longest};
    }
}

static bool is_at_goal(const Way *way, const WayNode *node)
{
    const TrnVoxel goal = way->goal.voxel;
    const int64_t y = way->from.y + node->y;
    if (distance(way->from.x + node->x, goal.x) > way->tolerance ||
        distance(way->from.z + node->z, goal.z) > way->tolerance) {
        return false;
    }
    return way->goal.has_height ? distance(y, goal.y) <= way->tolerance
                                : !way->has_ground || y >= goal.y - way->tolerance;
}

/// Whether an earlier search began near a cell.
static bool has_been_near(const Way *way, const WayNode *node)
{
    for (uint32_t i = 0; i < way->been_count; i++) {
        if (distance(way->from.x + node->x, way->been[i].x) < NEAR_BEEN &&
            distance(way->from.z + node->z, way->been[i].z) < NEAR_BEEN) {
            return true;
        }
    }
    return false;
}

void way_begin(Way *way, const TrnStore *store, TrnVoxel from, const WayGoal *goal,
               const TrnVoxel *been, size_t been_count)
{
    WayWorld world = world_of(store);
    way->from = from;
    way->goal = *goal;
    way->been_count = been_count < WAY_BEEN_MAX ? (uint32_t)been_count : WAY_BEEN_MAX;
    for (uint32_t i = 0; i < way->been_count; i++) {
        way->been[i] = been[been_count - way->been_count + i];
    }
    look_at_goal(way, &world);
    take_aim(way);
    way->state = WAY_SEARCHING;
    way->begins_at_edge = false;
    way->edge = NODE_NONE;
    way->node_count = way->heap_count = way->looked_at = 0;
    memset(way->slots, 0, sizeof way->slots);
    const WayNode start = {.move = WAY_MOVE_START,
                           .kind = (uint8_t)cell_kind(&world, from.x, from.y, from.z),
                           .before = NODE_NONE};
    reach(way, &start);
    way->end = 0;
    way->end_rest = way->estimates[0];
}

static WayState end_search(Way *way, uint32_t node, WayState state)
{
    way->end = node;
    way->end_rest = way->estimates[node];
    way->state = state;
    return state;
}

/// Ends a search that has not come to the goal, at the nearest cell or, where more may be known
/// later, at another.
/// @param edge  a cell at the border of what is known, on what looks like the way; NODE_NONE:
///              nothing leads farther
static WayState end_without_goal(Way *way, uint32_t edge)
{
    const double rest = way_rest(way);
    if (way->is_overhead || (way->is_in_sight && rest <= CLOSE_GOAL)) {
        // The ground of a column may be the top of a tree.
        const bool is_beside = !way->goal.has_height && rest <= NEAR_GOAL;
        return way->state = is_beside ? WAY_FOUND : WAY_NEAR;
    }
    if (edge == NODE_NONE) {
        return way->state = way->begins_at_edge ? WAY_EDGE : WAY_NEAR;
    }
    // Who stands at the border waits there, and does not go along it.
    const bool stays = way->begins_at_edge && way->estimates[edge] >= way->estimates[0];
    return end_search(way, stays ? 0 : edge, WAY_EDGE);
}

static void note_nearest(Way *way, uint32_t node)
{
    if (way->estimates[node] < way->end_rest) {
        way->end = node;
        way->end_rest = way->estimates[node];
    }
}

/// How long a way by a cell may be taken to be.
static uint64_t promise(const Way *way, uint32_t node)
{
    return (uint64_t)way->nodes[node].cost + way->estimates[node];
}

/// Notes a cell at the border of what is known. Cells are looked at by their promise, and so it
/// lies on what looks like the best way.
/// @return whether the search ends there. Where the goal is in sight it goes on for ways up to
/// EDGE_PATIENCE as long
static bool meets_border(Way *way, uint32_t node)
{
    if (node == 0) {
        way->begins_at_edge = true;
    } else if (way->edge == NODE_NONE && !has_been_near(way, &way->nodes[node])) {
        way->edge = node;
        return !way->is_in_sight;
    }
    return false;
}

WayState way_go(Way *way, const TrnStore *store, uint32_t cells)
{
    WayWorld world = world_of(store);
    for (; way->state == WAY_SEARCHING && cells > 0; cells--) {
        if (way->heap_count == 0 ||
            (way->edge != NODE_NONE &&
             promise(way, way->heap[0]) > EDGE_PATIENCE * promise(way, way->edge))) {
            return end_without_goal(way, way->edge);
        }
        const uint32_t node = heap_take(way);
        way->looked_at++;
        note_nearest(way, node);
        if (is_at_goal(way, &way->nodes[node])) {
            return end_search(way, node, WAY_FOUND);
        }
        way->meets_edge = false;
        look_around_cell(way, &world, node);
        if (way->meets_edge && meets_border(way, node)) {
            return end_without_goal(way, node);
        }
    }
    return way->state;
}

WayState way_state(const Way *way)
{
    return way->state;
}

size_t way_steps(const Way *way, WayStep *out, size_t capacity)
{
    if (way->state == WAY_SEARCHING || way->node_count == 0) {
        return 0;
    }
    size_t count = 0;
    for (uint32_t node = way->end; node != NODE_NONE; node = way->nodes[node].before) {
        count++;
    }
    size_t place = count;
    for (uint32_t node = way->end; node != NODE_NONE; node = way->nodes[node].before) {
        const WayNode *const at = &way->nodes[node];
        if (--place < capacity) {
            out[place] = (WayStep){{way->from.x + at->x, way->from.y + at->y, way->from.z + at->z},
                                   (WayMove)at->move};
        }
    }
    return count;
}

double way_rest(const Way *way)
{
    const WayNode *const end = &way->nodes[way->end];
    const TrnVoxel goal = way->goal.voxel;
    const double x = (double)(way->from.x + end->x - goal.x);
    const double y = way->goal.has_height ? (double)(way->from.y + end->y - goal.y) : 0;
    const double z = (double)(way->from.z + end->z - goal.z);
    return sqrt(x * x + y * y + z * z);
}

uint32_t way_cells(const Way *way)
{
    return way->looked_at;
}
