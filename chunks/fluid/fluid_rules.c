// What the voxels of a liquid do, for a layer at once: one bit a voxel. Every rule reads voxels as
// they were before the step, so the order in which voxels are looked at does not matter; two voxels
// of one liquid that enter a third agree on its level, which follows from the third's own sides.

#include "fluid/fluid_rules.h"

#include <string.h>

// ---- drops --------------------------------------------------------------------------------------

/// Voxels of a layer by the sides that they spread to.
typedef struct TrnFluidSides {
    TrnFluidRows low_x, high_x, low_z, high_z;
} TrnFluidSides;

// Searches drops for all voxels of a layer together, from the drops backwards, one voxel further at
// a time: the first sides of a voxel that are reached are those nearest to a drop.

/// Removes the voxels with sides that are reached from the seekers, and from their other sides.
/// @return whether seekers are left
static bool drops_keep_reached(const TrnFluidArea *area, const uint64_t *restrict reached,
                               uint64_t *restrict seekers, TrnFluidSides *restrict sides)
{
    uint64_t left = 0;
    for (size_t row = area->from; row < area->to; row++) {
        const uint64_t low_x = reached[row] << 1, high_x = reached[row] >> 1,
                       low_z = reached[row - 1], high_z = reached[row + 1];
        const uint64_t others = ~(seekers[row] & (low_x | high_x | low_z | high_z));
        sides->low_x[row] &= others | low_x;
        sides->high_x[row] &= others | high_x;
        sides->low_z[row] &= others | low_z;
        sides->high_z[row] &= others | high_z;
        seekers[row] &= others;
        left |= seekers[row];
    }
    return left != 0;
}

/// Grows a set of voxels by one voxel, where the liquid passes.
static void drops_grow(const TrnFluidArea *area, const uint64_t *restrict passed,
                       const uint64_t *restrict from, uint64_t *restrict to)
{
    const uint32_t first = area->from - TRN_FLUID_RIM, last = area->to + TRN_FLUID_RIM - 1;
    for (size_t row = first + 1; row < last; row++) {
        to[row] = (from[row] | from[row] << 1 | from[row] >> 1 | from[row - 1] | from[row + 1]) &
                  passed[row];
    }
    to[first] = from[first]; // nothing depends on what reaches these rows later
    to[last] = from[last];
}

/// Keeps of the sides of voxels those that lead to the nearest drops, where there are any within
/// reach.
/// @param passed  voxels that the liquid passes
/// @param drops   those that it could fall from; overwritten
/// @param voxels  how far beyond a side it looks
/// @param sides   in the rows of the area
static void fluid_keep_drops(const TrnFluidArea *area, const TrnFluidRows passed,
                             TrnFluidRows drops, uint32_t voxels, TrnFluidSides *sides)
{
    TrnFluidRows seekers, other;
    uint64_t *reached = drops, *next = other;
    for (size_t row = area->from; row < area->to; row++) {
        seekers[row] =
            sides->low_x[row] | sides->high_x[row] | sides->low_z[row] | sides->high_z[row];
    }
    for (uint32_t far = 0; drops_keep_reached(area, reached, seekers, sides) && far < voxels;
         far++) {
        drops_grow(area, passed, reached, next);
        uint64_t *const before = reached;
        reached = next;
        next = before;
    }
}

#define RULES_FULL (TRN_FLUID_LEVEL_MAX + 1) ///< strength of a source; a flow's is less its level

// ---- reactions ---------------------------------------------------------------------------------

/// Whether voxels of a liquid may react.
static bool rules_has_reactions(const TrnFluidRules *rules, uint32_t liquid)
{
    for (uint32_t i = 0; i < rules->reaction_count; i++) {
        if (rules->reactions[i].liquid == liquid) {
            return true;
        }
    }
    return false;
}

bool trn_fluid_rules_touch(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                           int32_t y, const uint32_t voxels[TRN_CHUNK_EDGE],
                           uint32_t touching[TRN_CHUNK_EDGE])
{
    const TrnFluidArea area = trn_fluid_area(liquid, voxels);
    const uint64_t *layers[3]; // below, the layer, above
    uint32_t any = 0;
    if (!rules_has_reactions(rules, liquid)) {
        return false;
    }
    for (int32_t i = 0; i < 3; i++) {
        layers[i] = trn_fluid_look_rows(look, &area, y - 1 + i,
                                        1u << TRN_FLUID_IS_OTHER)[TRN_FLUID_IS_OTHER];
    }
    memset(touching, 0, TRN_CHUNK_EDGE * sizeof *touching);
    for (size_t row = area.from; row < area.to; row++) {
        const uint64_t near = layers[0][row] | layers[2][row] | layers[1][row] << 1 |
                              layers[1][row] >> 1 | layers[1][row - 1] | layers[1][row + 1];
        const size_t z = row - TRN_FLUID_RIM;
        touching[z] = (uint32_t)(near >> TRN_FLUID_SIDE) & voxels[z];
        any |= touching[z];
    }
    return any != 0;
}

/// Which liquids are at the sides of a voxel: bit i of liquid i.
static uint32_t rules_find_touched(TrnFluidLook *look, uint32_t index)
{
    static const int8_t sides[TRN_FACE_COUNT][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    const uint32_t edge = TRN_CHUNK_EDGE;
    const int32_t x = (int32_t)(index % edge), y = (int32_t)(index / (edge * edge)),
                  z = (int32_t)(index / edge % edge);
    uint32_t touched = 0;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        const int8_t *side = sides[face];
        const TrnFluidClass class =
            trn_fluid_look_class(look, x + side[0], y + side[1], z + side[2]);
        touched |= class >= TRN_FLUID_CLASS(0) ? UINT32_C(1) << trn_fluid_class_liquid(class) : 0;
    }
    return touched;
}

bool trn_fluid_rules_react(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                           uint32_t index, TrnBlock *block)
{
    const uint32_t edge = TRN_CHUNK_EDGE, touched = rules_find_touched(look, index);
    for (uint32_t i = 0; i < rules->reaction_count; i++) {
        const TrnFluidReaction *reaction = &rules->reactions[i];
        if (reaction->liquid == liquid && (touched >> reaction->other & 1)) {
            const TrnFluidClass own = trn_fluid_look_class(look, (int32_t)(index % edge),
                                                           (int32_t)(index / (edge * edge)),
                                                           (int32_t)(index / edge % edge));
            *block = trn_fluid_class_variant(own) == 0 ? reaction->source : reaction->flow;
            return true;
        }
    }
    return false;
}

// ---- what the rules read -----------------------------------------------------------------------

#define RULES_OWN (1u << TRN_FLUID_IS_OWN)
#define RULES_LEVELS                                                                               \
    (1u << TRN_FLUID_IS_LEVEL_1 | 1u << TRN_FLUID_IS_LEVEL_2 | 1u << TRN_FLUID_IS_LEVEL_4 |        \
     1u << TRN_FLUID_IS_FALLING)
#define RULES_OPEN (1u << TRN_FLUID_IS_OPEN)
#define RULES_GROUND (1u << TRN_FLUID_IS_GROUND)

/// What decides about the voxels of a layer. Rows of interest are those of the area; where a
/// comment says so, some around them, too.
typedef struct RulesLayer {
    TrnFluidArea area;
    const TrnFluidLiquid *liquid;
    const TrnFluidRows *at, *below, *above; ///< [TRN_FLUID_KINDS] the layer, and those at its sides
    bool is_fall;                           ///< as rules_is_fall()
    TrnFluidRows sources;                   ///< of the liquid, with two rows around
    TrnFluidRows strong[RULES_FULL + 1];    ///< [s] strength s or more, so; not in a fall
    TrnFluidRows becomes[RULES_FULL + 1];   ///< [s] that strength by its sides, with one row around
    TrnFluidRows becomes_source;            ///< with one row around
} RulesLayer;

static void rules_find_sources(RulesLayer *layer)
{
    const TrnFluidRows *at = layer->at;
    for (size_t row = layer->area.from - 2; row < layer->area.to + 2; row++) {
        layer->sources[row] = at[TRN_FLUID_IS_OWN][row] &
                              ~(at[TRN_FLUID_IS_LEVEL_1][row] | at[TRN_FLUID_IS_LEVEL_2][row] |
                                at[TRN_FLUID_IS_LEVEL_4][row] | at[TRN_FLUID_IS_FALLING][row]);
    }
}

/// Finds how strong the liquid is: a source and falling liquid 8, a flow of level i 8 - i.
static void rules_find_strength(RulesLayer *layer)
{
    const uint64_t *own = layer->at[TRN_FLUID_IS_OWN], *bit_0 = layer->at[TRN_FLUID_IS_LEVEL_1],
                   *bit_1 = layer->at[TRN_FLUID_IS_LEVEL_2],
                   *bit_2 = layer->at[TRN_FLUID_IS_LEVEL_4];
    TrnFluidRows *strong = layer->strong;
    for (size_t row = layer->area.from - 2; row < layer->area.to + 2; row++) {
        const uint64_t is = own[row], b0 = bit_0[row], b1 = bit_1[row], b2 = bit_2[row];
        strong[1][row] = is;
        strong[2][row] = is & ~(b2 & b1 & b0);
        strong[3][row] = is & ~(b2 & b1);
        strong[4][row] = is & ~(b2 & (b1 | b0));
        strong[5][row] = is & ~b2;
        strong[6][row] = is & ~(b2 | (b1 & b0));
        strong[7][row] = is & ~(b2 | b1);
        strong[8][row] = is & ~(b2 | b1 | b0);
    }
}

/// Collects what is at the sides of voxels, with one row around.
static void rules_gather_sides(const TrnFluidArea *area, const uint64_t *restrict rows,
                               uint64_t *restrict sides)
{
    for (size_t row = area->from - 1; row < area->to + 1; row++) {
        sides[row] = rows[row] << 1 | rows[row] >> 1 | rows[row - 1] | rows[row + 1];
    }
}

/// Finds what strength the sides of voxels give them.
static void rules_find_becomes(RulesLayer *layer)
{
    const uint32_t decay = layer->liquid->decay;
    rules_find_strength(layer);
    for (uint32_t strength = 1; strength + decay <= RULES_FULL; strength++) {
        rules_gather_sides(&layer->area, layer->strong[strength + decay], layer->becomes[strength]);
    }
    for (uint32_t strength = RULES_FULL - decay + 1; strength <= RULES_FULL; strength++) {
        memset(layer->becomes[strength], 0, sizeof layer->becomes[strength]);
    }
}

/// Whether all voxels are inside a fall: the liquid is above them, and they fall or are carried.
/// Their levels do not depend on their sides then, and none of them spreads.
static bool rules_is_fall(const RulesLayer *layer, const uint32_t voxels[TRN_CHUNK_EDGE])
{
    const TrnFluidRows *below = layer->below;
    uint64_t others = 0;
    for (size_t row = layer->area.from; row < layer->area.to; row++) {
        const uint64_t is = (uint64_t)voxels[row - TRN_FLUID_RIM] << TRN_FLUID_SIDE;
        const uint64_t is_carried = below[TRN_FLUID_IS_OWN][row] & ~below[TRN_FLUID_IS_GROUND][row];
        others |= is & ~(layer->above[TRN_FLUID_IS_OWN][row] &
                         (below[TRN_FLUID_IS_OPEN][row] | is_carried));
    }
    return others == 0;
}

/// Finds the voxels that become sources if the liquid is there.
/// @param y        in the world
/// @param sources  with a row around
/// @param ground   below the voxels
/// @param fed      voxels that the liquid reaches; NULL: all
static void rules_find_renewed(const TrnFluidLiquid *liquid, int64_t y, uint32_t from, uint32_t to,
                               const TrnFluidRows sources, const TrnFluidRows ground,
                               const TrnFluidRows fed, TrnFluidRows renewed)
{
    const uint64_t renews = liquid->renews ? UINT64_MAX : 0;
    const uint64_t is_sea = liquid->has_sea && y <= liquid->sea_y ? UINT64_MAX : 0;
    for (size_t row = from; row < to; row++) {
        const uint64_t low_x = sources[row] << 1, high_x = sources[row] >> 1;
        const uint64_t low_z = sources[row - 1], high_z = sources[row + 1];
        const uint64_t two =
            (low_x & high_x) | (low_z & high_z) | ((low_x | high_x) & (low_z | high_z));
        renewed[row] = ground[row] & ((renews & two) | (is_sea & fed[row]));
    }
}

static void rules_read(TrnFluidLook *look, int32_t y, const uint32_t voxels[TRN_CHUNK_EDGE],
                       RulesLayer *layer)
{
    const uint32_t from = layer->area.from - 1, to = layer->area.to + 1;
    TrnFluidRows fed;
    layer->at = trn_fluid_look_rows(look, &layer->area, y, RULES_OWN | RULES_LEVELS | RULES_OPEN);
    layer->below =
        trn_fluid_look_rows(look, &layer->area, y - 1, RULES_OWN | RULES_OPEN | RULES_GROUND);
    layer->above = trn_fluid_look_rows(look, &layer->area, y + 1, RULES_OWN);
    layer->is_fall = rules_is_fall(layer, voxels);
    rules_find_sources(layer);
    if (layer->is_fall) {
        memset(layer->becomes, 0, sizeof layer->becomes);
    } else {
        rules_find_becomes(layer);
    }
    for (size_t row = from; row < to; row++) {
        fed[row] = layer->becomes[1][row] | layer->above[TRN_FLUID_IS_OWN][row];
    }
    rules_find_renewed(layer->liquid, look->base.y + y, from, to, layer->sources,
                       layer->below[TRN_FLUID_IS_GROUND], fed, layer->becomes_source);
}

// ---- what the rules do -------------------------------------------------------------------------

/// Finds which voxels change, and which stay as they are.
/// @param voxels  [z] bit x
/// @param flows   with what voxels become; receives those that change
static void rules_change(const RulesLayer *layer, const uint32_t voxels[TRN_CHUNK_EDGE],
                         TrnFluidFlows *restrict flows, uint64_t *restrict stays)
{
    const TrnFluidRows *at = layer->at, *variant = (const TrnFluidRows *)flows->variant;
    for (size_t row = layer->area.from; row < layer->area.to; row++) {
        const uint64_t differs = (at[TRN_FLUID_IS_LEVEL_1][row] ^ variant[0][row]) |
                                 (at[TRN_FLUID_IS_LEVEL_2][row] ^ variant[1][row]) |
                                 (at[TRN_FLUID_IS_LEVEL_4][row] ^ variant[2][row]) |
                                 (at[TRN_FLUID_IS_FALLING][row] ^ variant[3][row]);
        const uint64_t is = (uint64_t)voxels[row - TRN_FLUID_RIM] << TRN_FLUID_SIDE;
        const uint64_t changes = is & differs & ~layer->sources[row];
        flows->voxels[row] = changes;
        stays[row] = is & ~changes;
    }
}

/// Finds the voxels of those that stay that could spread, by the sides that are open.
/// @return whether there are any
static bool rules_find_sides(const RulesLayer *layer, const uint64_t *restrict stays,
                             TrnFluidSides *restrict sides)
{
    const uint64_t *open = layer->at[TRN_FLUID_IS_OPEN], *sources = layer->sources,
                   *strong = layer->strong[layer->liquid->decay + 1];
    uint64_t any = 0;
    for (size_t row = layer->area.from; row < layer->area.to; row++) {
        const uint64_t below = layer->below[TRN_FLUID_IS_OWN][row],
                       is_on_source = below & layer->below[TRN_FLUID_IS_GROUND][row] & sources[row];
        const uint64_t spreads = stays[row] & strong[row] & ~(below & ~is_on_source) &
                                 ~layer->below[TRN_FLUID_IS_OPEN][row];
        sides->low_x[row] = spreads & open[row] << 1;
        sides->high_x[row] = spreads & open[row] >> 1;
        sides->low_z[row] = spreads & open[row - 1];
        sides->high_z[row] = spreads & open[row + 1];
        any |= sides->low_x[row] | sides->high_x[row] | sides->low_z[row] | sides->high_z[row];
    }
    return any != 0;
}

/// Keeps the sides that lead to the nearest drops.
static void rules_choose_sides(const RulesLayer *layer, TrnFluidSides *sides)
{
    const uint64_t *bit_0 = layer->at[TRN_FLUID_IS_LEVEL_1],
                   *bit_1 = layer->at[TRN_FLUID_IS_LEVEL_2],
                   *bit_2 = layer->at[TRN_FLUID_IS_LEVEL_4],
                   *falling = layer->at[TRN_FLUID_IS_FALLING];
    TrnFluidRows passed, drops;
    for (size_t row = layer->area.from - TRN_FLUID_RIM; row < layer->area.to + TRN_FLUID_RIM;
         row++) {
        passed[row] =
            layer->at[TRN_FLUID_IS_OPEN][row] | bit_0[row] | bit_1[row] | bit_2[row] | falling[row];
        drops[row] = passed[row] &
                     (layer->below[TRN_FLUID_IS_OPEN][row] | layer->below[TRN_FLUID_IS_OWN][row]);
    }
    fluid_keep_drops(&layer->area, passed, drops, layer->liquid->drop_voxels, sides);
}

/// Adds the voxels at the sides of those that stay to the voxels that change.
static void rules_spread(const RulesLayer *layer, const TrnFluidRows stays, TrnFluidRows changes)
{
    TrnFluidSides sides;
    if (layer->is_fall || !rules_find_sides(layer, stays, &sides)) {
        return;
    }
    rules_choose_sides(layer, &sides);
    for (size_t row = layer->area.from; row < layer->area.to; row++) {
        changes[row - 1] |= sides.low_z[row];
        changes[row] |= sides.low_x[row] >> 1 | sides.high_x[row] << 1;
        changes[row + 1] |= sides.high_z[row];
    }
}

/// Finds what voxels become: the level that their sides give them, or falling, or a source, or
/// TRN_FLUID_DRY.
static void rules_find_variants(const RulesLayer *layer,
                                TrnFluidRows variant[TRN_FLUID_VARIANT_BITS])
{
    const TrnFluidRows *becomes = layer->becomes;
    for (size_t row = layer->area.from - 1; row < layer->area.to + 1; row++) {
        const uint64_t s2 = becomes[2][row], s3 = becomes[3][row], s4 = becomes[4][row],
                       s5 = becomes[5][row], s6 = becomes[6][row], s7 = becomes[7][row];
        const uint64_t above = layer->above[TRN_FLUID_IS_OWN][row];
        const uint64_t flows = ~layer->becomes_source[row], levels = flows & ~above;
        // level = 8 - strength; no strength gives 7 here
        variant[0][row] = levels & (~s2 | (s3 & ~s4) | (s5 & ~s6) | s7);
        variant[1][row] = levels & (~s3 | (s5 & ~s7));
        variant[2][row] = levels & ~s5;
        variant[3][row] = flows & (above | ~becomes[1][row]);
    }
}

/// Finds what the voxels become into which the liquid falls. No rows if there are none.
static void rules_fall(TrnFluidLook *look, int32_t y, const RulesLayer *layer,
                       const TrnFluidRows stays, TrnFluidFlows *flows)
{
    const uint32_t from = layer->area.from, to = layer->area.to;
    TrnFluidRows sources, renewed;
    uint64_t any = 0;
    for (size_t row = from; row < to; row++) {
        flows->voxels[row] = stays[row] & layer->below[TRN_FLUID_IS_OPEN][row];
        any |= flows->voxels[row];
    }
    flows->from = from;
    flows->to = any ? to : from;
    if (!any) {
        return;
    }
    const uint64_t *ground =
        trn_fluid_look_rows(look, &layer->area, y - 2, RULES_GROUND)[TRN_FLUID_IS_GROUND];
    for (size_t row = from - 1; row < to + 1; row++) {
        sources[row] = layer->below[TRN_FLUID_IS_OWN][row] & layer->below[TRN_FLUID_IS_GROUND][row];
    }
    rules_find_renewed(layer->liquid, look->base.y + y - 1, from, to, sources, ground,
                       flows->voxels, renewed);
    for (size_t row = from; row < to; row++) {
        flows->variant[0][row] = flows->variant[1][row] = flows->variant[2][row] = 0;
        flows->variant[3][row] = ~renewed[row];
    }
}

void trn_fluid_rules_apply(const TrnFluidLiquid *liquid, uint32_t place, TrnFluidLook *look,
                           int32_t y, const uint32_t voxels[TRN_CHUNK_EDGE],
                           TrnFluidLayerFlows *flows)
{
    RulesLayer layer;
    TrnFluidRows stays;
    layer.area = trn_fluid_area(place, voxels);
    layer.liquid = liquid;
    rules_read(look, y, voxels, &layer);
    flows->own.from = layer.area.from - 1;
    flows->own.to = layer.area.to + 1;
    flows->own.voxels[layer.area.from - 1] = flows->own.voxels[layer.area.to] = 0;
    rules_find_variants(&layer, flows->own.variant);
    rules_change(&layer, voxels, &flows->own, stays);
    rules_spread(&layer, stays, flows->own.voxels);
    rules_fall(look, y, &layer, stays, &flows->below);
}
