/// Saved states of fluids: each input is loaded. What is taken is written as it was read, and steps
/// go on from it.
#include "fuzz.h"

#include <terrane/fluid.h>

#define STEPS 4

typedef struct FluidFuzz {
    TrnBlockTypes *types;
    TrnStore *store;
    TrnFluid *fluid;
} FluidFuzz;

static void open_world(FluidFuzz *fuzz)
{
    const TrnBlockType water = trn_block_type_def("fuzz:water", TRN_BLOCK_KIND_LIQUID);
    TrnStoreDef store = trn_store_def();
    TrnFluidDef def = trn_fluid_def();
    TrnFluidLiquid liquid;
    TrnBlock source;
    FUZZ_REQUIRE(trn_block_types_create(NULL, &fuzz->types) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_block_types_add_family(fuzz->types, &water, 9, &source) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_fluid_liquid(fuzz->types, source, &liquid) == TRN_RESULT_OK);
    liquid.delay = 1;
    store.types = fuzz->types;
    FUZZ_REQUIRE(trn_store_create(&store, &fuzz->store) == TRN_RESULT_OK);
    for (int32_t i = 0; i < 3; i++) { // water in mid-air, which nothing has woken
        const TrnCoord coord = {i - 1, 0, 0};
        FUZZ_REQUIRE(trn_store_insert_uniform(fuzz->store, coord, i == 1 ? source : TRN_BLOCK_AIR,
                                              NULL) == TRN_RESULT_OK);
    }
    def.liquids = &liquid;
    def.liquid_count = 1;
    def.bytes_max = (size_t)4 << 20;
    FUZZ_REQUIRE(trn_fluid_create(fuzz->store, &def, &fuzz->fluid) == TRN_RESULT_OK);
}

static void close_world(const FluidFuzz *fuzz)
{
    trn_fluid_destroy(fuzz->fluid);
    trn_store_destroy(fuzz->store);
    trn_block_types_destroy(fuzz->types);
}

static void check_saved(const FluidFuzz *fuzz, const uint8_t *bytes, size_t size)
{
    const size_t saved = trn_fluid_save(fuzz->fluid, NULL, 0);
    uint8_t *again = malloc(saved);
    FUZZ_REQUIRE(again && trn_fluid_save(fuzz->fluid, again, saved) == saved);
    FUZZ_REQUIRE(saved == size && memcmp(again, bytes, size) == 0);
    free(again);
}

int fuzz_fluid(const uint8_t *bytes, size_t size);

int fuzz_fluid(const uint8_t *bytes, size_t size)
{
    FluidFuzz fuzz;
    open_world(&fuzz);
    const TrnResult result = trn_fluid_load(fuzz.fluid, bytes, size);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_CORRUPT ||
                 result == TRN_RESULT_FULL);
    if (result == TRN_RESULT_OK) {
        check_saved(&fuzz, bytes, size);
        for (uint32_t i = 0; i < STEPS; i++) {
            const TrnResult stepped = trn_fluid_step(fuzz.fluid, NULL);
            FUZZ_REQUIRE(stepped == TRN_RESULT_OK || stepped == TRN_RESULT_FULL);
        }
    }
    close_world(&fuzz);
    return 0;
}
