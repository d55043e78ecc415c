// The registry of block types against a plain list.

#include "block_texts.h"

// ---- new registries -----------------------------------------------------------------------------

static void an_empty_registry_holds_air_alone(void **state)
{
    (void)state;
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
    assert_int_equal(count_of(types), 1);
    const TrnBlockType *air = trn_block_types_get(types, TRN_BLOCK_AIR);
    assert_string_equal(air->name, "terrane:air");
    assert_int_equal(air->kind, TRN_BLOCK_KIND_AIR);
    assert_false(air->is_solid || air->is_unknown);
    assert_is_consistent(types);
    // A game's own types follow it.
    TrnBlock id = 0;
    const TrnBlockType lamp = trn_block_type_def("mine:lamp", TRN_BLOCK_KIND_OPAQUE);
    assert_int_equal(trn_block_types_add(types, &lamp, &id), TRN_RESULT_OK);
    assert_int_equal(id, 1);
    assert_loads(types, "[mine:fern]\nkind = plant\n");
    assert_int_equal(id_of(types, "mine:fern"), 2);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void the_names_of_the_preset_give_an_empty_registry_the_same_ids(void **state)
{
    (void)state;
    TrnBlockTypes *builtin = create(), *types = types_again(builtin);
    const Kept kept = kept_types(builtin);
    assert_types_are(types, kept);
    assert_int_equal(id_of(types, "terrane:scaffold"), TRN_BLOCK_SCAFFOLD);
    kept_free(kept);
    trn_block_types_destroy(types);
    trn_block_types_destroy(builtin);
}

static void the_preset_holds_the_types_of_the_enum(void **state)
{
    (void)state;
    static const char *const names[TRN_BLOCK_BUILTIN_COUNT] = {
        [TRN_BLOCK_AIR] = "terrane:air",
        [TRN_BLOCK_STONE] = "terrane:stone",
        [TRN_BLOCK_DIRT] = "terrane:dirt",
        [TRN_BLOCK_GRASS] = "terrane:grass",
        [TRN_BLOCK_SAND] = "terrane:sand",
        [TRN_BLOCK_GRAVEL] = "terrane:gravel",
        [TRN_BLOCK_SNOW] = "terrane:snow",
        [TRN_BLOCK_WATER] = "terrane:water",
        [TRN_BLOCK_ICE] = "terrane:ice",
        [TRN_BLOCK_SANDSTONE] = "terrane:sandstone",
        [TRN_BLOCK_SLATE] = "terrane:slate",
        [TRN_BLOCK_LIMESTONE] = "terrane:limestone",
        [TRN_BLOCK_GRANITE] = "terrane:granite",
        [TRN_BLOCK_MUD] = "terrane:mud",
        [TRN_BLOCK_FOREST_FLOOR] = "terrane:forest_floor",
        [TRN_BLOCK_DRY_GRASS] = "terrane:dry_grass",
        [TRN_BLOCK_MOSS] = "terrane:moss",
        [TRN_BLOCK_COAL_ORE] = "terrane:coal_ore",
        [TRN_BLOCK_IRON_ORE] = "terrane:iron_ore",
        [TRN_BLOCK_GOLD_ORE] = "terrane:gold_ore",
        [TRN_BLOCK_OAK_LOG] = "terrane:oak_log",
        [TRN_BLOCK_OAK_LEAVES] = "terrane:oak_leaves",
        [TRN_BLOCK_PINE_LOG] = "terrane:pine_log",
        [TRN_BLOCK_PINE_LEAVES] = "terrane:pine_leaves",
        [TRN_BLOCK_ACACIA_LOG] = "terrane:acacia_log",
        [TRN_BLOCK_ACACIA_LEAVES] = "terrane:acacia_leaves",
        [TRN_BLOCK_CACTUS] = "terrane:cactus",
        [TRN_BLOCK_TALL_GRASS] = "terrane:tall_grass",
        [TRN_BLOCK_FLOWER] = "terrane:flower",
        [TRN_BLOCK_DEAD_BUSH] = "terrane:dead_bush",
        [TRN_BLOCK_REEDS] = "terrane:reeds",
        [TRN_BLOCK_GLASS] = "terrane:glass",
        [TRN_BLOCK_SCAFFOLD] = "terrane:scaffold",
        [TRN_BLOCK_LANTERN] = "terrane:lantern",
        [TRN_BLOCK_GLOWING_STONE] = "terrane:glowing_stone",
        [TRN_BLOCK_LAVA] = "terrane:lava",
        [TRN_BLOCK_WATER_FLOW] = "terrane:water/1",
        [TRN_BLOCK_LAVA_FLOW] = "terrane:lava/1",
        [TRN_BLOCK_OAK_PLANKS] = "terrane:oak_planks",
        [TRN_BLOCK_BIRCH_LEAVES] = "terrane:birch_leaves",
        [TRN_BLOCK_STONE_SLAB] = "terrane:stone_slab",
        [TRN_BLOCK_STONE_STAIRS] = "terrane:stone_stairs",
        [TRN_BLOCK_OAK_FENCE] = "terrane:oak_fence",
        [TRN_BLOCK_STONE_WALL] = "terrane:stone_wall",
        [TRN_BLOCK_GLASS_PANE] = "terrane:glass_pane",
        [TRN_BLOCK_OAK_DOOR] = "terrane:oak_door",
        [TRN_BLOCK_OAK_LADDER] = "terrane:oak_ladder",
        [TRN_BLOCK_TORCH] = "terrane:torch",
        [TRN_BLOCK_WALL_TORCH] = "terrane:wall_torch",
        [TRN_BLOCK_STANDING_LANTERN] = "terrane:standing_lantern",
        [TRN_BLOCK_RED_CARPET] = "terrane:red_carpet",
        [TRN_BLOCK_WHEAT] = "terrane:wheat_0",
        [TRN_BLOCK_WHEAT + 3] = "terrane:wheat_3",
        [TRN_BLOCK_HANGING_LANTERN] = "terrane:hanging_lantern",
        [TRN_BLOCK_ASPEN_LOG] = "terrane:aspen_log",
        [TRN_BLOCK_ASPEN_LEAVES] = "terrane:aspen_leaves",
        [TRN_BLOCK_WILLOW_LEAVES] = "terrane:willow_leaves",
        [TRN_BLOCK_PALM_LEAVES] = "terrane:palm_leaves",
        [TRN_BLOCK_DEAD_WOOD] = "terrane:dead_wood",
        [TRN_BLOCK_FERN] = "terrane:fern",
        [TRN_BLOCK_RED_FLOWER] = "terrane:red_flower",
        [TRN_BLOCK_BLUE_FLOWER] = "terrane:blue_flower",
        [TRN_BLOCK_WHITE_FLOWER] = "terrane:white_flower",
        [TRN_BLOCK_WHITE_WOOL] = "terrane:white_wool",
        [TRN_BLOCK_TUFF] = "terrane:tuff",
        [TRN_BLOCK_CLAY] = "terrane:clay",
        [TRN_BLOCK_DRIPSTONE] = "terrane:dripstone",
        [TRN_BLOCK_AMETHYST] = "terrane:amethyst",
        [TRN_BLOCK_BASALT] = "terrane:basalt",
        [TRN_BLOCK_BLACKSTONE] = "terrane:blackstone",
        [TRN_BLOCK_MAGMA] = "terrane:magma",
        [TRN_BLOCK_LICHEN_FLAT] = "terrane:lichen_flat",
        [TRN_BLOCK_SPIKE] = "terrane:spike",
        [TRN_BLOCK_GLOWING_MOSS - 1] = "terrane:sapling",
        [TRN_BLOCK_GLOWING_MOSS] = "terrane:glowing_moss",
        [TRN_BLOCK_RIPPLED_SAND] = "terrane:rippled_sand",
        [TRN_BLOCK_RED_CORAL] = "terrane:red_coral",
        [TRN_BLOCK_YELLOW_CORAL] = "terrane:yellow_coral",
        [TRN_BLOCK_VIOLET_CORAL] = "terrane:violet_coral",
        [TRN_BLOCK_STALAGMITE] = "terrane:stalagmite",
        [TRN_BLOCK_STALACTITE] = "terrane:stalactite",
        [TRN_BLOCK_CRYSTAL_CLUSTER] = "terrane:crystal_cluster",
        [TRN_BLOCK_KELP] = "terrane:kelp",
        [TRN_BLOCK_SEA_GRASS] = "terrane:sea_grass",
    };
    TrnBlockTypes *types = create();
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT);
    for (uint32_t id = 0; id < TRN_BLOCK_BUILTIN_COUNT; id++) {
        const TrnBlockType *type = trn_block_types_get(types, (TrnBlock)id);
        assert_true(names[id] || id > TRN_BLOCK_WATER_FLOW);
        if (names[id]) {
            assert_string_equal(type->name, names[id]);
        }
        assert_int_equal(type->is_climbable,
                         id == TRN_BLOCK_SCAFFOLD || type->family == TRN_BLOCK_OAK_LADDER);
    }
    assert_int_equal(trn_block_types_variant(types, TRN_BLOCK_WATER, 8), TRN_BLOCK_WATER_FLOW + 7);
    assert_int_equal(trn_block_types_variant(types, TRN_BLOCK_LAVA_FLOW, 0), TRN_BLOCK_LAVA);
    assert_int_equal(trn_block_types_variant(types, TRN_BLOCK_STONE_STAIRS + 3, 7),
                     TRN_BLOCK_STONE_STAIRS + 7);
    assert_true(bit_of(trn_block_types_liquid_bits(types), TRN_BLOCK_WATER));
    assert_false(bit_of(trn_block_types_liquid_bits(types), TRN_BLOCK_SNOW));
    assert_int_equal(trn_block_types_get(types, TRN_BLOCK_KELP)->liquid, TRN_BLOCK_WATER);
    assert_int_equal(trn_block_types_get(types, TRN_BLOCK_SEA_GRASS)->liquid, TRN_BLOCK_WATER);
    assert_int_equal(trn_block_types_get(types, TRN_BLOCK_FERN)->liquid, TRN_BLOCK_AIR);
    assert_int_equal(trn_block_types_get(types, TRN_BLOCK_LANTERN)->light, 14);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

// ---- adding -------------------------------------------------------------------------------------

static void a_plant_stands_in_a_liquid_and_nothing_else(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    TrnBlockType weed = trn_block_type_def("mine:weed", TRN_BLOCK_KIND_PLANT);
    static const TrnBlock wrong[] = {TRN_BLOCK_STONE, TRN_BLOCK_WATER_FLOW, TRN_BLOCK_KELP, 65535};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        weed.liquid = wrong[i];
        assert_int_equal(trn_block_types_add(types, &weed, NULL), TRN_RESULT_BAD_ARGUMENT);
    }
    weed.liquid = TRN_BLOCK_LAVA;
    weed.kind = TRN_BLOCK_KIND_CUTOUT;
    assert_int_equal(trn_block_types_add(types, &weed, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT);
    weed.kind = TRN_BLOCK_KIND_PLANT;
    assert_int_equal(trn_block_types_add(types, &weed, NULL), TRN_RESULT_OK);
    assert_int_equal(type_of(types, "mine:weed")->liquid, TRN_BLOCK_LAVA);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void an_added_type_is_found_and_never_changes(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    char name[] = "mine:lamp";
    TrnBlockType lamp = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
    lamp.light = 15;
    TrnBlock id = 0;
    assert_int_equal(trn_block_types_add(types, &lamp, &id), TRN_RESULT_OK);
    assert_int_equal(id, TRN_BLOCK_BUILTIN_COUNT);
    name[0] = 'x'; // the registry has a copy
    const TrnBlockType *there = type_of(types, "mine:lamp");
    assert_int_equal(there->light, 15);
    name[0] = 'm';
    lamp.light = 3;
    TrnBlock untouched = 77;
    assert_int_equal(trn_block_types_add(types, &lamp, &untouched), TRN_RESULT_EXISTS);
    assert_int_equal(trn_block_types_add_unknown(types, name, &untouched), TRN_RESULT_EXISTS);
    assert_int_equal(untouched, 77);
    assert_int_equal(type_of(types, "mine:lamp")->light, 15);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void a_placeholder_is_filled_in_and_keeps_its_id(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    TrnBlock a, b, filled;
    assert_int_equal(trn_block_types_add_unknown(types, "old:reed", &a), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_add_unknown(types, "old:ice", &b), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_add_unknown(types, "old:ice", NULL), TRN_RESULT_EXISTS);
    assert_true(type_of(types, "old:reed")->is_unknown);
    assert_is_consistent(types);
    const TrnBlockType reed = trn_block_type_def("old:reed", TRN_BLOCK_KIND_PLANT);
    assert_int_equal(trn_block_types_add(types, &reed, &filled), TRN_RESULT_OK);
    assert_int_equal(filled, a);
    assert_same_type(type_of(types, "old:reed"), &reed);
    assert_loads(types, "[old:ice]\nkind = transparent\n");
    assert_int_equal(id_of(types, "old:ice"), b);
    assert_int_equal(type_of(types, "old:ice")->kind, TRN_BLOCK_KIND_TRANSPARENT);
    assert_false(type_of(types, "old:ice")->is_unknown);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void sets_keep_their_address_while_types_are_added_and_filled_in(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    const uint32_t *const liquid = trn_block_types_liquid_bits(types);
    const uint32_t *const climbable = trn_block_types_climbable_bits(types);
    TrnBlock sap, vine;
    assert_int_equal(trn_block_types_add_unknown(types, "old:sap", &sap), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_add_unknown(types, "old:vine", &vine), TRN_RESULT_OK);
    assert_false(bit_of(liquid, sap) || bit_of(climbable, vine));
    char name[16];
    for (int i = 0; i < 200; i++) { // the table grows
        snprintf(name, sizeof name, "a:%d", i);
        assert_int_equal(trn_block_types_add_unknown(types, name, NULL), TRN_RESULT_OK);
    }
    const TrnBlockType filled = trn_block_type_def("old:sap", TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(trn_block_types_add(types, &filled, NULL), TRN_RESULT_OK);
    assert_loads(types, "[old:vine]\nkind = plant\nclimbable = yes\n");
    assert_ptr_equal(trn_block_types_liquid_bits(types), liquid);
    assert_ptr_equal(trn_block_types_climbable_bits(types), climbable);
    assert_true(bit_of(liquid, sap) && bit_of(climbable, vine));
    assert_false(bit_of(liquid, vine) || bit_of(climbable, sap));
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void an_empty_registry_takes_the_bytes_of_its_documentation(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create(&allocator, &types), TRN_RESULT_OK);
    assert_in_range(memory.live_bytes, 48 << 10, 49 << 10);
    trn_block_types_destroy(types);
}

static void bad_types_are_refused_and_change_nothing(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    Kept before = kept_types(types);
    char longest[TRN_BLOCK_NAME_MAX + 2];
    memset(longest, 'a', sizeof longest);
    longest[1] = ':';
    longest[TRN_BLOCK_NAME_MAX + 1] = '\0';
    const char *const names[] = {"",      ":",    "a",      "ab:",  ":ab",   "a:b:c", "A:b",
                                 "a:b c", "a:\n", "a:\xC3", "a:b]", "a b:c", "a:b#",  longest,
                                 "a:@",   "a:`",  "a:{",    "::",   "a::b",  " a:b"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const TrnBlockType type = trn_block_type_def(names[i], TRN_BLOCK_KIND_OPAQUE);
        assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_block_types_add_unknown(types, names[i], NULL),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_block_types_find(types, names[i], NULL), TRN_RESULT_NOT_FOUND);
    }
    TrnBlockType type = trn_block_type_def("a:b", TRN_BLOCK_KIND_COUNT);
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type = trn_block_type_def("a:b", TRN_BLOCK_KIND_OPAQUE);
    type.light = TRN_BLOCK_LIGHT_MAX + 1;
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type = trn_block_type_def("a:b", TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(type.dims, 2);
    type.dims = TRN_BLOCK_LIGHT_MAX + 1;
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type = trn_block_type_def("a:b", TRN_BLOCK_KIND_OPAQUE);
    type.is_unknown = true;
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type = trn_block_type_def(NULL, TRN_BLOCK_KIND_OPAQUE);
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_add(types, NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_add(NULL, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_add_unknown(types, NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_add_unknown(NULL, "a:b", NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_find(types, NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_find(NULL, "a:b", NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_create(NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_create_builtin(NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_load(NULL, "", 0, NULL), TRN_RESULT_BAD_ARGUMENT);
    TrnBlockTypesProblem problem = {1, 1, ""};
    assert_int_equal(trn_block_types_load(types, NULL, 5, &problem), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(problem.line, 0);
    assert_true(strlen(problem.sentence) > 8);
    trn_block_types_destroy(NULL);
    assert_types_are(types, before);
    longest[TRN_BLOCK_NAME_MAX] = '\0';
    assert_int_equal(trn_block_types_add_unknown(types, longest, NULL), TRN_RESULT_OK);
    assert_string_equal(trn_block_types_get(types, id_of(types, longest))->name, longest);
    kept_free(before);
    trn_block_types_destroy(types);
}

static void a_placeholder_named_by_a_colour_has_it(void **state)
{
    (void)state;
    static const uint8_t expected[3] = {0x8C, 0x39, 0xCE};
    static const char *const others[] = {"a:8c39ce0", "a:8c39c", "a:8c39cg", "a:b-8c39ce"};
    TrnBlockTypes *types;
    TrnBlock block;
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_add_unknown(types, "model:8c39ce", &block), TRN_RESULT_OK);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        assert_memory_equal(trn_block_types_get(types, block)->colour[face], expected, 3);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(trn_block_types_add_unknown(types, others[i], &block), TRN_RESULT_OK);
        assert_true(memcmp(trn_block_types_get(types, block)->colour[0], expected, 3) != 0);
    }
    trn_block_types_destroy(types);
}

static void a_placeholder_has_a_colour_made_from_its_name(void **state)
{
    (void)state;
    TrnBlockTypes *types = create(), *others = create();
    uint32_t different = 0;
    TrnBlock first, id, other;
    assert_int_equal(trn_block_types_add_unknown(types, "old:first", &first), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 64; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "old:%u", (unsigned)i);
        assert_int_equal(trn_block_types_add_unknown(types, name, &id), TRN_RESULT_OK);
        assert_int_equal(trn_block_types_add_unknown(others, name, &other), TRN_RESULT_OK);
        const TrnBlockType *type = trn_block_types_get(types, id);
        assert_memory_equal(type->colour, trn_block_types_get(others, other)->colour,
                            sizeof type->colour);
        for (uint32_t face = 1; face < TRN_FACE_COUNT; face++) {
            assert_memory_equal(type->colour[face], type->colour[0], sizeof type->colour[0]);
        }
        different += memcmp(type->colour, trn_block_types_get(types, first)->colour,
                            sizeof type->colour) != 0;
    }
    assert_true(different >= 60); // of 1062 colours
    trn_block_types_destroy(types);
    trn_block_types_destroy(others);
}

static void names_inside_the_registry_can_be_added_while_it_grows(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    assert_int_equal(trn_block_types_add_unknown(types,
                                                 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                                                 "aaaaaaaaaaaaaaaaa:tail",
                                                 NULL),
                     TRN_RESULT_OK);
    uint32_t first = count_of(types);
    for (uint32_t i = 0; i < 56; i++) { // passes the first capacity
        const TrnBlockType *last = trn_block_types_get(types, (TrnBlock)(first - 1 + i));
        assert_int_equal(trn_block_types_add_unknown(types, last->name + 1, NULL), TRN_RESULT_OK);
    }
    assert_string_equal(trn_block_types_get(types, (TrnBlock)(first + 55))->name, "a:tail");
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void a_registry_holds_65536_types_and_no_more(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    char name[32];
    for (uint32_t i = TRN_BLOCK_BUILTIN_COUNT; i < TRN_BLOCK_TYPES_MAX; i++) {
        snprintf(name, sizeof name, "many:%u", i);
        TrnBlockType type = trn_block_type_def(name, (TrnBlockKind)(i % TRN_BLOCK_KIND_MODEL));
        type.is_solid = i % 3 == 0;
        type.is_climbable = i % 7 == 0;
        TrnBlock id = 0;
        assert_int_equal(trn_block_types_add(types, &type, &id), TRN_RESULT_OK);
        assert_int_equal(id, i);
    }
    assert_is_consistent(types);
    assert_int_equal(trn_block_types_add_unknown(types, "many:more", NULL), TRN_RESULT_FULL);
    TrnBlockTypesProblem problem;
    assert_int_equal(
        load_text(types, "[many:999]\nunknown = yes\n[many:more]\nkind=air\n", &problem),
        TRN_RESULT_FULL);
    assert_int_equal(problem.line, 3);
    assert_int_equal(count_of(types), TRN_BLOCK_TYPES_MAX);
    const Kept kept = kept_types(types);
    TrnBlockTypes *again = types_again(types);
    assert_types_are(again, kept);
    assert_is_consistent(again);
    kept_free(kept);
    trn_block_types_destroy(again);
    trn_block_types_destroy(types);
}

// ---- model --------------------------------------------------------------------------------------

#define MODEL_TYPES 300

/// The expected types of the registry after the built-in ones.
typedef struct Model {
    TrnBlockType types[MODEL_TYPES];
    char names[MODEL_TYPES][TRN_BLOCK_NAME_MAX + 1];
    uint32_t count;
} Model;

static TrnBlockType random_type(TestRandom *random, const char *name)
{
    TrnBlockType type =
        trn_block_type_def(name, (TrnBlockKind)test_random_range(random, 0, TRN_BLOCK_KIND_CUTOUT));
    type.is_solid = test_random_range(random, 0, 3) ? type.is_solid : !type.is_solid;
    type.is_climbable = test_random_range(random, 0, 3) == 0;
    type.light = (uint8_t)test_random_range(random, 0, TRN_BLOCK_LIGHT_MAX);
    type.dims = (uint8_t)test_random_range(random, 0, TRN_BLOCK_LIGHT_MAX);
    type.ticks = test_random_range(random, 0, 3) == 0;
    if (type.kind == TRN_BLOCK_KIND_LIQUID) {
        type.surface = (uint8_t)test_random_range(random, 1, TRN_BLOCK_GRID);
    }
    // Few values, so that faces agree in every combination.
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        static const uint8_t levels[] = {255, 0, 0x9A};
        for (int i = 0; i < 3; i++) {
            type.colour[face][i] = levels[test_random_range(random, 0, i == 0 ? 2 : 0)];
        }
        type.layer[face] = (uint16_t)(test_random_range(random, 0, 2) * 32767);
    }
    return type;
}

static void model_step(Model *model, TrnBlockTypes *types, TestRandom *random)
{
    char name[TRN_BLOCK_NAME_MAX + 1];
    snprintf(name, sizeof name, "m/%d.x:n_%d-", (int)test_random_range(random, 0, 9),
             (int)test_random_range(random, 0, 25));
    bool is_unknown = test_random_range(random, 0, 2) == 0;
    const TrnBlockType type = random_type(random, name);
    uint32_t at = 0;
    while (at < model->count && strcmp(model->names[at], name) != 0) {
        at++;
    }
    TrnBlock id = 0;
    TrnResult result = is_unknown ? trn_block_types_add_unknown(types, name, &id)
                                  : trn_block_types_add(types, &type, &id);
    if (at < model->count && (is_unknown || !model->types[at].is_unknown)) {
        assert_int_equal(result, TRN_RESULT_EXISTS);
        return;
    }
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(id, TRN_BLOCK_BUILTIN_COUNT + at);
    model->count += at == model->count;
    memcpy(model->names[at], name, sizeof name);
    model->types[at] = is_unknown ? *trn_block_types_get(types, id) : type;
    model->types[at].name = model->names[at];
}

static void random_adding_agrees_with_a_list_and_survives_a_round_trip(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(5);
    Model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    for (int round = 0; round < 20; round++) {
        TrnBlockTypes *types = create();
        model->count = 0;
        int64_t steps = test_random_range(&random, 0, 400);
        for (int64_t i = 0; i < steps; i++) {
            model_step(model, types, &random);
        }
        assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT + model->count);
        TrnBlockTypes *again = types_again(types);
        for (uint32_t i = 0; i < model->count; i++) {
            TrnBlock id = (TrnBlock)(TRN_BLOCK_BUILTIN_COUNT + i);
            assert_same_type(trn_block_types_get(types, id), &model->types[i]);
            assert_same_type(trn_block_types_get(again, id), &model->types[i]);
        }
        assert_is_consistent(types);
        assert_is_consistent(again);
        trn_block_types_destroy(again);
        trn_block_types_destroy(types);
    }
    free(model);
}

// ---- memory -------------------------------------------------------------------------------------

/// An operation that allocates memory. @return its result
typedef TrnResult Work(TrnBlockTypes *types);

static TrnResult work_load(TrnBlockTypes *types)
{
    char text[8192];
    size_t size = 0;
    for (int i = 0; i < 150; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "[w:%d]\nkind = air\n", i);
    }
    TrnBlockTypesProblem problem = {0, 0, ""};
    TrnResult result = load_text(types, text, &problem);
    assert_int_equal(result == TRN_RESULT_OK, problem.sentence[0] == '\0');
    assert_int_equal(result == TRN_RESULT_NO_MEMORY, strstr(problem.sentence, "memory") != NULL);
    return result;
}

static TrnResult work_add(TrnBlockTypes *types)
{
    TrnBlockType type = trn_block_type_def("w:one", TRN_BLOCK_KIND_PLANT);
    return trn_block_types_add(types, &type, NULL);
}

static TrnResult work_add_unknown(TrnBlockTypes *types)
{
    return trn_block_types_add_unknown(types, "w:one", NULL);
}

/// Fails each allocation once. @return the number of allocations
static uint32_t assert_fails_well(Work *work)
{
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create_builtin(&allocator, &types), TRN_RESULT_OK);
    char name[16];
    for (uint32_t i = TRN_BLOCK_BUILTIN_COUNT; i < 1024; i++) { // the next one grows
        snprintf(name, sizeof name, "f:%u", i);
        assert_int_equal(trn_block_types_add_unknown(types, name, NULL), TRN_RESULT_OK);
    }
    Kept before = kept_types(types);
    uint32_t failures = 0;
    TrnResult result;
    do {
        size_t live = memory.live_bytes;
        memory.allocations = 0;
        memory.fail_at = failures + 1;
        result = work(types);
        if (result != TRN_RESULT_OK) {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            assert_int_equal(memory.live_bytes, live);
            assert_types_are(types, before);
            assert_is_consistent(types);
            failures++;
        }
    } while (result != TRN_RESULT_OK);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
    assert_int_equal(memory.live_blocks, 0);
    kept_free(before);
    return failures;
}

static void a_failed_allocation_leaves_the_registry_unchanged(void **state)
{
    (void)state;
    assert_int_equal(assert_fails_well(work_load), 4); // types and models, grown
    assert_int_equal(assert_fails_well(work_add), 2);
    assert_int_equal(assert_fails_well(work_add_unknown), 2);
}

static void creating_without_memory_leaks_nothing(void **state)
{
    (void)state;
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (size_t fail_at = 1; result != TRN_RESULT_OK; fail_at++) {
        TestAllocator memory = {.fail_at = fail_at};
        TrnAllocator allocator = test_allocator(&memory);
        TrnBlockTypes *types = NULL;
        result = trn_block_types_create_builtin(&allocator, &types);
        assert_int_equal(types == NULL, result != TRN_RESULT_OK);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
        trn_block_types_destroy(types);
        assert_int_equal(memory.live_blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_registry_holds_air_alone),
        cmocka_unit_test(the_names_of_the_preset_give_an_empty_registry_the_same_ids),
        cmocka_unit_test(the_preset_holds_the_types_of_the_enum),
        cmocka_unit_test(a_plant_stands_in_a_liquid_and_nothing_else),
        cmocka_unit_test(an_added_type_is_found_and_never_changes),
        cmocka_unit_test(a_placeholder_is_filled_in_and_keeps_its_id),
        cmocka_unit_test(sets_keep_their_address_while_types_are_added_and_filled_in),
        cmocka_unit_test(an_empty_registry_takes_the_bytes_of_its_documentation),
        cmocka_unit_test(bad_types_are_refused_and_change_nothing),
        cmocka_unit_test(a_placeholder_has_a_colour_made_from_its_name),
        cmocka_unit_test(a_placeholder_named_by_a_colour_has_it),
        cmocka_unit_test(names_inside_the_registry_can_be_added_while_it_grows),
        cmocka_unit_test(a_registry_holds_65536_types_and_no_more),
        cmocka_unit_test(random_adding_agrees_with_a_list_and_survives_a_round_trip),
        cmocka_unit_test(a_failed_allocation_leaves_the_registry_unchanged),
        cmocka_unit_test(creating_without_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
