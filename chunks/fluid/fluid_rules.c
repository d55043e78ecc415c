// What a voxel of a liquid does. Every rule reads voxels as they were before the step, so the order
// in which voxels are looked at does not matter; two voxels of one liquid that enter a third agree
// on its level, which follows from the third's own sides.

#include "fluid/fluid_rules.h"

#define RULES_FULL (TRN_FLUID_LEVEL_MAX + 1) ///< strength of a source; a flow's is less its level
#define RULES_LIQUID 3u                      ///< bit of liquid 0, behind the other classes
#define RULES_DRY UINT32_MAX                 ///< instead of a variant: nothing of the liquid

static const int8_t rules_step[TRN_FACE_COUNT][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                                     {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
static const TrnFace rules_sides[4] = {TRN_FACE_NEG_X, TRN_FACE_POS_X, TRN_FACE_NEG_Z,
                                       TRN_FACE_POS_Z};

static uint32_t rules_strength(uint32_t variant)
{
    return variant == TRN_FLUID_FALLING ? RULES_FULL : RULES_FULL - variant;
}

/// The level that a voxel gets from its sides, falling, or RULES_DRY.
/// @param sources  receives how many of its sides are sources
static uint32_t rules_level(const TrnFluidLiquid *liquid, uint32_t place,
                            const TrnFluidClass around[TRN_FACE_COUNT], uint32_t *sources)
{
    uint32_t strongest = 0;
    *sources = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const TrnFluidClass side = around[rules_sides[i]];
        if (trn_fluid_class_is(side, place)) {
            const uint32_t strength = rules_strength(trn_fluid_class_variant(side));
            *sources += trn_fluid_class_variant(side) == 0;
            strongest = strength > strongest ? strength : strongest;
        }
    }
    if (trn_fluid_class_is(around[TRN_FACE_POS_Y], place)) {
        return TRN_FLUID_FALLING;
    }
    return strongest > liquid->decay ? RULES_FULL - (strongest - liquid->decay) : RULES_DRY;
}

/// The variant that a voxel gets from what is around it, or RULES_DRY.
/// @param y  in the world
static uint32_t rules_variant(const TrnFluidLiquid *liquid, uint32_t place, int64_t y,
                              const TrnFluidClass around[TRN_FACE_COUNT])
{
    uint32_t sources;
    const uint32_t level = rules_level(liquid, place, around, &sources);
    const TrnFluidClass below = around[TRN_FACE_NEG_Y];
    const bool rests = below == TRN_FLUID_CLOSED || below == TRN_FLUID_CLASS(place);
    const bool is_renewed = liquid->renews && sources >= 2;
    const bool is_sea = liquid->has_sea && y <= liquid->sea_y && level != RULES_DRY;
    return rests && (is_renewed || is_sea) ? 0 : level;
}

/// Which classes are at the sides of a voxel: bit `class` of those that are no liquid, bit
/// RULES_LIQUID + i of liquid i.
static uint32_t rules_met(const TrnFluidClass around[TRN_FACE_COUNT])
{
    uint32_t met = 0;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        const uint32_t class = around[face];
        met |= UINT32_C(1) << (class < TRN_FLUID_CLASS(0) ? class : RULES_LIQUID + class / 16u - 1);
    }
    return met;
}

/// The reaction of a voxel with what it has met, or NULL.
static const TrnFluidReaction *rules_reaction(const TrnFluidRules *rules, uint32_t liquid,
                                              uint32_t met)
{
    const uint32_t touched = met >> RULES_LIQUID & ~(UINT32_C(1) << liquid);
    for (uint32_t i = 0; touched && i < rules->reaction_count; i++) {
        const TrnFluidReaction *reaction = &rules->reactions[i];
        if (reaction->liquid == liquid && (touched >> reaction->other & 1)) {
            return reaction;
        }
    }
    return NULL;
}

/// What a voxel next to a liquid becomes, if the liquid enters it.
/// @return how many voxels change: 0 or 1
static uint32_t rules_enter(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                            int32_t x, int32_t y, int32_t z, TrnFluidFlow *flow)
{
    TrnFluidClass around[TRN_FACE_COUNT];
    trn_fluid_look_around(look, x, y, z, around);
    const uint32_t variant =
        rules_variant(&rules->liquids[liquid], liquid, look->base.y + y, around);
    if (variant == RULES_DRY) {
        return 0;
    }
    *flow = (TrnFluidFlow){x, y, z, rules->liquids[liquid].blocks[variant]};
    return 1;
}

/// Spreads a voxel to its sides.
static uint32_t rules_spread(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                             const int32_t at[3], const TrnFluidClass around[TRN_FACE_COUNT],
                             TrnFluidFlow *flows)
{
    const TrnFluidLiquid *own = &rules->liquids[liquid];
    uint32_t sides = 0, count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        sides |= (uint32_t)(around[rules_sides[i]] == TRN_FLUID_OPEN) << rules_sides[i];
    }
    const uint32_t drops =
        sides ? trn_fluid_look_drops(look, liquid, at[0], at[1], at[2], own->drop_voxels) : 0;
    sides &= drops ? drops : UINT32_MAX;
    for (uint32_t i = 0; i < 4; i++) {
        const int8_t *step = rules_step[rules_sides[i]];
        if (sides >> rules_sides[i] & 1) {
            count += rules_enter(rules, look, liquid, at[0] + step[0], at[1], at[2] + step[2],
                                 &flows[count]);
        }
    }
    return count;
}

/// What a voxel does that stays as it is.
static uint32_t rules_flow(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                           const int32_t at[3], uint32_t variant,
                           const TrnFluidClass around[TRN_FACE_COUNT], TrnFluidFlow *flows)
{
    const TrnFluidClass below = around[TRN_FACE_NEG_Y];
    if (below == TRN_FLUID_OPEN) {
        return rules_enter(rules, look, liquid, at[0], at[1] - 1, at[2], flows);
    }
    const bool is_on_source = variant == 0 && below == TRN_FLUID_CLASS(liquid);
    const bool is_carried = trn_fluid_class_is(below, liquid) && !is_on_source;
    const bool is_spent = rules_strength(variant) <= rules->liquids[liquid].decay;
    return is_carried || is_spent ? 0 : rules_spread(rules, look, liquid, at, around, flows);
}

uint32_t trn_fluid_rules_apply(const TrnFluidRules *rules, TrnFluidLook *look, uint32_t liquid,
                               uint32_t index, TrnFluidFlow flows[TRN_FLUID_FLOWS_MAX],
                               bool *asleep)
{
    const uint32_t edge = TRN_CHUNK_EDGE;
    const int32_t at[3] = {(int32_t)(index % edge), (int32_t)(index / (edge * edge)),
                           (int32_t)(index / edge % edge)};
    const TrnFluidClass own = trn_fluid_look_class(look, at[0], at[1], at[2]);
    TrnFluidClass around[TRN_FACE_COUNT];
    *asleep = false;
    if (!trn_fluid_class_is(own, liquid)) {
        return 0;
    }
    trn_fluid_look_around(look, at[0], at[1], at[2], around);
    const uint32_t met = rules_met(around);
    if (met >> TRN_FLUID_NOT_LOADED & 1) {
        *asleep = true;
        return 0;
    }
    const uint32_t variant = trn_fluid_class_variant(own);
    const TrnFluidReaction *reaction = rules_reaction(rules, liquid, met);
    if (reaction) {
        flows[0] =
            (TrnFluidFlow){at[0], at[1], at[2], variant == 0 ? reaction->source : reaction->flow};
        return 1;
    }
    const uint32_t now =
        variant == 0 ? 0
                     : rules_variant(&rules->liquids[liquid], liquid, look->base.y + at[1], around);
    if (now != variant) {
        const TrnBlock block =
            now == RULES_DRY ? TRN_BLOCK_AIR : rules->liquids[liquid].blocks[now];
        flows[0] = (TrnFluidFlow){at[0], at[1], at[2], block};
        return 1;
    }
    return rules_flow(rules, look, liquid, at, variant, around, flows);
}
