#include "world/flow.h"

#include <math.h>
#include <stdlib.h>

#include <terrane/terrain.h>

#define FLOW_VALUE "viewer/flow"
#define FLOW_BYTES_MAX ((size_t)16 << 20)

struct Flow {
    TrnFluid *fluid;
    double seconds; ///< since the last step
    bool is_noted;  ///< the save has a value that says that liquids flow
};

static TrnResult flow_find_liquids(const TrnBlockTypes *types, bool has_sea,
                                   TrnFluidLiquid liquids[2])
{
    const TrnResult water = trn_fluid_water(types, &liquids[0]);
    const TrnResult lava = trn_fluid_lava(types, &liquids[1]);
    liquids[0].has_sea = has_sea;
    liquids[0].sea_y = TRN_TERRAIN_SEA_LEVEL;
    return water == TRN_RESULT_OK ? lava : water;
}

static TrnResult flow_create_fluid(TrnStore *store, bool has_sea, size_t bytes_max,
                                   TrnFluid **fluid)
{
    TrnFluidLiquid liquids[2];
    const TrnResult result = flow_find_liquids(trn_store_block_types(store), has_sea, liquids);
    const TrnFluidReaction hardens = {
        .liquid = 1, .other = 0, .source = TRN_BLOCK_SLATE, .flow = TRN_BLOCK_STONE};
    TrnFluidDef def = trn_fluid_def();
    def.liquids = liquids;
    def.liquid_count = 2;
    def.reactions = &hardens;
    def.reaction_count = 1;
    def.bytes_max = bytes_max ? bytes_max : FLOW_BYTES_MAX;
    return result == TRN_RESULT_OK ? trn_fluid_create(store, &def, fluid) : result;
}

TrnResult flow_create(TrnStore *store, bool has_sea, size_t bytes_max, Flow **flow)
{
    Flow *made = calloc(1, sizeof *made);
    const TrnResult result =
        made ? flow_create_fluid(store, has_sea, bytes_max, &made->fluid) : TRN_RESULT_NO_MEMORY;
    if (result != TRN_RESULT_OK) {
        free(made);
        return result;
    }
    *flow = made;
    return TRN_RESULT_OK;
}

void flow_destroy(Flow *flow)
{
    if (flow) {
        trn_fluid_destroy(flow->fluid);
        free(flow);
    }
}

void flow_set_running(Flow *flow, bool is_running)
{
    trn_fluid_set_running(flow->fluid, is_running);
}

bool flow_is_busy(const Flow *flow)
{
    return trn_fluid_stats(flow->fluid).due_sets > 0;
}

size_t flow_bytes(const Flow *flow)
{
    return flow ? trn_fluid_stats(flow->fluid).bytes : 0;
}

void flow_pass(Flow *flow, double seconds)
{
    flow->seconds = fmin(flow->seconds + fmax(seconds, 0), FLOW_STEPS_MAX * FLOW_STEP_SECONDS);
    // Three frames of 1/60 s must give a step despite rounding.
    while (flow->seconds >= FLOW_STEP_SECONDS - 1e-9 &&
           trn_fluid_step(flow->fluid, NULL) == TRN_RESULT_OK) {
        flow->seconds -= FLOW_STEP_SECONDS;
    }
}

// ---- keep ---------------------------------------------------------------------------------------

TrnResult flow_load(Flow *flow, TrnSave *save)
{
    size_t size = 0;
    TrnResult result = trn_save_get_value(save, FLOW_VALUE, NULL, 0, &size);
    if (result != TRN_RESULT_OK || !size) {
        return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK : result;
    }
    void *bytes = malloc(size);
    result = bytes ? trn_save_get_value(save, FLOW_VALUE, bytes, size, NULL) : TRN_RESULT_NO_MEMORY;
    result = result == TRN_RESULT_OK ? trn_fluid_load(flow->fluid, bytes, size) : result;
    free(bytes);
    flow->is_noted = true;
    return result;
}

TrnResult flow_save(Flow *flow, TrnSave *save)
{
    const TrnFluidStats stats = trn_fluid_stats(flow->fluid);
    const bool flows = stats.due_sets + stats.asleep_sets + stats.dropped_sets > 0;
    if (!flows && !flow->is_noted) {
        return TRN_RESULT_OK;
    }
    const size_t size = trn_fluid_save(flow->fluid, NULL, 0);
    void *bytes = malloc(size);
    if (!bytes) {
        return TRN_RESULT_NO_MEMORY;
    }
    (void)trn_fluid_save(flow->fluid, bytes, size);
    const TrnResult result = trn_save_set_value(save, FLOW_VALUE, bytes, size);
    free(bytes);
    flow->is_noted = result == TRN_RESULT_OK ? flows : flow->is_noted;
    return result;
}
