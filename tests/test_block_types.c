// The registry of block types against a plain list; its texts cut, flipped and spliced.

#include "testing.h"

#include <terrane/block_types.h>

#ifndef TERRANE_SOURCE_DIR
#error "the tests read assets/ and docs/ of the source tree"
#endif

// ---- help ---------------------------------------------------------------------------------------

static TrnBlockTypes *create(void)
{
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
    return types;
}

/// A text in memory of exactly its size, so that a sanitizer sees each byte read beyond it.
typedef struct Text {
    char *bytes;
    size_t size;
} Text;

static Text text_copy(const char *bytes, size_t size)
{
    Text text = {malloc(size ? size : 1), size};
    assert_non_null(text.bytes);
    if (size) {
        memcpy(text.bytes, bytes, size);
    }
    return text;
}

static Text text_written(const TrnBlockTypes *types)
{
    Text text = {NULL, trn_block_types_write(types, NULL, 0)};
    text.bytes = malloc(text.size);
    assert_non_null(text.bytes);
    assert_int_equal(trn_block_types_write(types, text.bytes, text.size), text.size);
    return text;
}

static Text text_of_file(const char *path)
{
    char bytes[16384];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_in_range(size, 1, sizeof bytes - 1);
    fclose(file);
    return text_copy(bytes, size);
}

static void assert_written_is(const TrnBlockTypes *types, Text expected)
{
    Text text = text_written(types);
    assert_int_equal(text.size, expected.size);
    assert_memory_equal(text.bytes, expected.bytes, text.size);
    free(text.bytes);
}

static TrnResult load_text(TrnBlockTypes *types, const char *text, TrnBlockTypesProblem *problem)
{
    Text copy = text_copy(text, strlen(text));
    TrnResult result = trn_block_types_load(types, copy.bytes, copy.size, problem);
    free(copy.bytes);
    return result;
}

static void assert_loads(TrnBlockTypes *types, const char *text)
{
    TrnBlockTypesProblem problem = {0, 0, ""};
    TrnResult result = load_text(types, text, &problem);
    if (result != TRN_RESULT_OK) {
        fail_msg("%zu:%zu: %s", problem.line, problem.column, problem.sentence);
    }
}

static TrnBlock id_of(const TrnBlockTypes *types, const char *name)
{
    TrnBlock id = 0;
    assert_int_equal(trn_block_types_find(types, name, &id), TRN_RESULT_OK);
    return id;
}

static const TrnBlockType *type_of(const TrnBlockTypes *types, const char *name)
{
    const TrnBlockType *type = trn_block_types_get(types, id_of(types, name));
    assert_string_equal(type->name, name);
    return type;
}

static void assert_same_type(const TrnBlockType *a, const TrnBlockType *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->is_solid, b->is_solid);
    assert_int_equal(a->is_climbable, b->is_climbable);
    assert_int_equal(a->is_unknown, b->is_unknown);
    assert_int_equal(a->light, b->light);
    assert_memory_equal(a->colour, b->colour, sizeof a->colour);
    assert_memory_equal(a->layer, b->layer, sizeof a->layer);
}

static uint32_t count_of(const TrnBlockTypes *types)
{
    uint32_t count = 0;
    trn_block_types_all(types, &count);
    return count;
}

static bool bit_of(const uint32_t *words, uint32_t id)
{
    return words[id / 32] >> (id % 32) & 1;
}

/// For every choice of kinds the set holds the ids of those kinds and no other.
static void assert_kind_bits_are_consistent(const TrnBlockTypes *types)
{
    uint32_t bits[TRN_BLOCK_BITS_WORDS];
    for (uint32_t kinds = 0; kinds < 1u << TRN_BLOCK_KIND_COUNT; kinds += 5) {
        memset(bits, 0xA5, sizeof bits);
        trn_block_types_kind_bits(types, kinds, bits);
        for (uint32_t id = 0; id < TRN_BLOCK_TYPES_MAX; id++) {
            const TrnBlockKind kind = trn_block_types_get(types, (TrnBlock)id)->kind;
            assert_int_equal(bit_of(bits, id), kinds >> kind & 1);
        }
    }
}

/// Names and bits must agree with the list of types, for every id there can be.
static void assert_is_consistent(const TrnBlockTypes *types)
{
    uint32_t count = 0;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    const uint32_t *solid = trn_block_types_solid_bits(types);
    const uint32_t *opaque = trn_block_types_opaque_bits(types);
    assert_int_equal((uintptr_t)solid % 64, 0);
    const uint32_t *liquid = trn_block_types_liquid_bits(types);
    const uint32_t *climbable = trn_block_types_climbable_bits(types);
    assert_int_equal((uintptr_t)opaque % 64, 0);
    assert_int_equal((uintptr_t)liquid % 64, 0);
    assert_int_equal((uintptr_t)climbable % 64, 0);
    for (uint32_t id = 0; id < TRN_BLOCK_TYPES_MAX; id++) {
        const TrnBlockType *type = trn_block_types_get(types, (TrnBlock)id);
        if (id < count) {
            assert_ptr_equal(type, &all[id]);
            assert_int_equal(id_of(types, type->name), id);
        } else {
            assert_string_equal(type->name, "terrane:missing");
            assert_true(type->is_unknown);
        }
        assert_int_equal(bit_of(solid, id), type->is_solid);
        assert_int_equal(bit_of(opaque, id), type->kind == TRN_BLOCK_KIND_OPAQUE);
        assert_int_equal(bit_of(liquid, id), type->kind == TRN_BLOCK_KIND_LIQUID);
        assert_int_equal(bit_of(climbable, id), type->is_climbable);
    }
    assert_kind_bits_are_consistent(types);
}

// ---- what is built in ---------------------------------------------------------------------------

static void a_new_registry_holds_the_types_of_the_enum(void **state)
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
    };
    TrnBlockTypes *types = create();
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT);
    for (uint32_t id = 0; id < TRN_BLOCK_BUILTIN_COUNT; id++) {
        assert_string_equal(trn_block_types_get(types, (TrnBlock)id)->name, names[id]);
        assert_false(trn_block_types_get(types, (TrnBlock)id)->is_climbable);
    }
    assert_true(bit_of(trn_block_types_liquid_bits(types), TRN_BLOCK_WATER));
    assert_false(bit_of(trn_block_types_liquid_bits(types), TRN_BLOCK_SNOW));
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void the_file_in_assets_is_the_one_that_is_embedded(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    Text text = text_of_file(TERRANE_SOURCE_DIR "/assets/blocks/terrane.blocks");
    TrnBlockTypesProblem problem;
    // Types that are there already are refused unless they are the same.
    assert_int_equal(trn_block_types_load(types, text.bytes, text.size, &problem), TRN_RESULT_OK);
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT);
    free(text.bytes);
    trn_block_types_destroy(types);
}

static void the_example_in_the_docs_loads_and_says_what_it_seems_to(void **state)
{
    (void)state;
    static const char fence[] = "```blocks\n";
    Text docs = text_of_file(TERRANE_SOURCE_DIR "/docs/blocks.md");
    char *page = calloc(1, docs.size + 1);
    assert_non_null(page);
    memcpy(page, docs.bytes, docs.size);
    char *example = strstr(page, fence);
    assert_non_null(example);
    example += strlen(fence);
    *strstr(example, "```") = '\0';
    TrnBlockTypes *types = create();
    assert_loads(types, example);
    const TrnBlockType *oven = type_of(types, "mine:oven");
    const uint8_t side[3] = {0x70, 0x74, 0x78}, door[3] = {0x2a, 0x26, 0x24};
    assert_memory_equal(oven->colour[TRN_FACE_NEG_X], side, 3);
    assert_memory_equal(oven->colour[TRN_FACE_POS_Z], door, 3);
    const uint16_t layers[TRN_FACE_COUNT] = {12, 12, 0, 0, 12, 13};
    assert_memory_equal(oven->layer, layers, sizeof layers);
    assert_int_equal(type_of(types, "mine:lamp")->light, 14);
    assert_false(type_of(types, "mine:fern")->is_solid);
    assert_false(type_of(types, "mine:fern")->is_climbable);
    assert_false(type_of(types, "mine:ladder")->is_solid);
    assert_true(type_of(types, "mine:ladder")->is_climbable);
    assert_true(type_of(types, "mine:cactus")->is_solid);
    assert_true(type_of(types, "mine:glass")->is_solid);
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT + 6);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
    free(page);
    free(docs.bytes);
}

// ---- adding -------------------------------------------------------------------------------------

static void a_type_that_was_added_is_found_and_never_changes(void **state)
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
    assert_int_equal(trn_block_types_add(types, &lamp, &untouched), TRN_RESULT_PRESENT);
    assert_int_equal(trn_block_types_add_unknown(types, name, &untouched), TRN_RESULT_PRESENT);
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
    assert_int_equal(trn_block_types_add_unknown(types, "old:ice", NULL), TRN_RESULT_PRESENT);
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

static void the_sets_stay_where_they_are_while_types_come_and_are_filled_in(void **state)
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

static void an_empty_registry_takes_the_bytes_that_its_header_says(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create(&allocator, &types), TRN_RESULT_OK);
    assert_in_range(memory.live_bytes, 39 << 10, 40 << 10);
    trn_block_types_destroy(types);
}

static void bad_types_are_refused_and_change_nothing(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    Text before = text_written(types);
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
        assert_int_equal(trn_block_types_find(types, names[i], NULL), TRN_RESULT_ABSENT);
    }
    TrnBlockType type = trn_block_type_def("a:b", TRN_BLOCK_KIND_COUNT);
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type = trn_block_type_def("a:b", TRN_BLOCK_KIND_OPAQUE);
    type.light = TRN_BLOCK_LIGHT_MAX + 1;
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
    assert_int_equal(trn_block_types_load(NULL, "", 0, NULL), TRN_RESULT_BAD_ARGUMENT);
    TrnBlockTypesProblem problem = {1, 1, ""};
    assert_int_equal(trn_block_types_load(types, NULL, 5, &problem), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(problem.line, 0);
    assert_true(strlen(problem.sentence) > 8);
    trn_block_types_destroy(NULL);
    assert_written_is(types, before);
    longest[TRN_BLOCK_NAME_MAX] = '\0';
    assert_int_equal(trn_block_types_add_unknown(types, longest, NULL), TRN_RESULT_OK);
    assert_string_equal(trn_block_types_get(types, id_of(types, longest))->name, longest);
    free(before.bytes);
    trn_block_types_destroy(types);
}

static void names_that_lie_in_the_registry_may_be_added_as_it_grows(void **state)
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

static void sixty_five_thousand_types_fit_and_not_one_more(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    char name[32];
    for (uint32_t i = TRN_BLOCK_BUILTIN_COUNT; i < TRN_BLOCK_TYPES_MAX; i++) {
        snprintf(name, sizeof name, "many:%u", i);
        TrnBlockType type = trn_block_type_def(name, (TrnBlockKind)(i % TRN_BLOCK_KIND_COUNT));
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
        load_text(types, "[many:99]\nunknown = yes\n[many:more]\nkind=air\n", &problem),
        TRN_RESULT_FULL);
    assert_int_equal(problem.line, 3);
    assert_int_equal(count_of(types), TRN_BLOCK_TYPES_MAX);
    Text text = text_written(types);
    TrnBlockTypes *again = create();
    assert_int_equal(trn_block_types_load(again, text.bytes, text.size, &problem), TRN_RESULT_OK);
    assert_written_is(again, text);
    assert_is_consistent(again);
    free(text.bytes);
    trn_block_types_destroy(again);
    trn_block_types_destroy(types);
}

// ---- a model ------------------------------------------------------------------------------------

#define MODEL_TYPES 300

/// What the registry should hold behind the built-in types.
typedef struct Model {
    TrnBlockType types[MODEL_TYPES];
    char names[MODEL_TYPES][TRN_BLOCK_NAME_MAX + 1];
    uint32_t count;
} Model;

static TrnBlockType random_type(TestRandom *random, const char *name)
{
    TrnBlockType type = trn_block_type_def(name, (TrnBlockKind)test_random_range(random, 0, 4));
    type.is_solid = test_random_range(random, 0, 3) ? type.is_solid : !type.is_solid;
    type.is_climbable = test_random_range(random, 0, 3) == 0;
    type.light = (uint8_t)test_random_range(random, 0, TRN_BLOCK_LIGHT_MAX);
    // Few values, so that faces agree in all ways.
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
        assert_int_equal(result, TRN_RESULT_PRESENT);
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
        TrnBlockTypes *again = create();
        Text text = text_written(types);
        TrnBlockTypesProblem problem;
        assert_int_equal(trn_block_types_load(again, text.bytes, text.size, &problem),
                         TRN_RESULT_OK);
        for (uint32_t i = 0; i < model->count; i++) {
            TrnBlock id = (TrnBlock)(TRN_BLOCK_BUILTIN_COUNT + i);
            assert_same_type(trn_block_types_get(types, id), &model->types[i]);
            assert_same_type(trn_block_types_get(again, id), &model->types[i]);
        }
        assert_written_is(again, text);
        assert_is_consistent(types);
        assert_is_consistent(again);
        free(text.bytes);
        trn_block_types_destroy(again);
        trn_block_types_destroy(types);
    }
    free(model);
}

static void writing_stops_at_the_end_of_the_buffer(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    Text whole = text_written(types);
    for (size_t capacity = 0; capacity <= whole.size + 3; capacity++) {
        char *buffer = malloc(capacity + 1);
        assert_non_null(buffer);
        memset(buffer, '~', capacity + 1);
        assert_int_equal(trn_block_types_write(types, buffer, capacity), whole.size);
        size_t written = capacity < whole.size ? capacity : whole.size;
        assert_memory_equal(buffer, whole.bytes, written);
        assert_int_equal(buffer[written], '~');
        free(buffer);
    }
    free(whole.bytes);
    trn_block_types_destroy(types);
}

// ---- texts --------------------------------------------------------------------------------------

static void the_special_word_wins_in_any_order(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    assert_loads(types, "[a:one]\nneg_x=#010101\nall=#020202\nside=#030303\nkind=opaque\n"
                        "[a:two]\nkind=opaque\nall=#020202\nside=#030303\nneg_x=#010101\n"
                        "[a:three]\nlayer.bottom=65535\nlayer.all=00007\nkind=liquid\n");
    TrnBlockType expected = trn_block_type_def("a:one", TRN_BLOCK_KIND_OPAQUE);
    memset(expected.colour, 3, sizeof expected.colour);
    memset(expected.colour[TRN_FACE_NEG_X], 1, 3);
    memset(expected.colour[TRN_FACE_NEG_Y], 2, 3);
    memset(expected.colour[TRN_FACE_POS_Y], 2, 3);
    assert_same_type(type_of(types, "a:one"), &expected);
    expected.name = "a:two";
    assert_same_type(type_of(types, "a:two"), &expected);
    const uint16_t layers[TRN_FACE_COUNT] = {7, 7, 65535, 7, 7, 7};
    assert_memory_equal(type_of(types, "a:three")->layer, layers, sizeof layers);
    trn_block_types_destroy(types);
}

static void blanks_comments_and_line_ends_of_windows_are_fine(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    assert_loads(types, "");
    assert_loads(types, "\n");
    assert_loads(types, "\xEF\xBB\xBF");
    assert_loads(types, "  \t \r\n# only a comment, \xC3\xA9 and \x01 too\n");
    assert_loads(types, "\xEF\xBB\xBF[a:b]# one\r\n\tkind =\topaque#two\r\n top=#A0b0C0 # three\r\n"
                        "light\t=\t7\t\r\n\r\nunknown = no\n");
    const TrnBlockType *type = type_of(types, "a:b");
    const uint8_t top[3] = {0xA0, 0xB0, 0xC0};
    assert_memory_equal(type->colour[TRN_FACE_POS_Y], top, 3);
    assert_int_equal(type->light, 7);
    trn_block_types_destroy(types);
}

/// A bad text, and where it should be said to be bad.
typedef struct Bad {
    const char *text;
    TrnResult result;
    size_t line, column;
    const char *says;
} Bad;

#define NAME_OF_60 "x:3456789.123456789.123456789.123456789.123456789.123456789."

static const Bad bad_texts[] = {
    {"kind = air\n", TRN_RESULT_DAMAGED, 1, 1, "\"kind\" stands before any type"},
    {"[a:b]\nkind = air\nknid = air\n", TRN_RESULT_DAMAGED, 3, 1, "\"knid\" is not a key"},
    {"[a:b]\nkind = air\n\n  layer. = 1\n", TRN_RESULT_DAMAGED, 4, 3, "\"layer.\" is not a key"},
    {"[a:b]\nlayer.kind = air\n", TRN_RESULT_DAMAGED, 2, 1, "\"layer.kind\" is not a key"},
    {"[a:b]\nKind = air\n", TRN_RESULT_DAMAGED, 2, 1, "\"Kind\" is not a key"},
    {"[a:b]\n= air\n", TRN_RESULT_DAMAGED, 2, 1, "\"\" is not a key"},
    {"[a:b]\nkind = air\nkind = air\n", TRN_RESULT_DAMAGED, 3, 1, "\"kind\" is set twice"},
    {"[a:b]\nkind = opaqeu\n", TRN_RESULT_DAMAGED, 2, 8, "\"opaqeu\" is not a kind"},
    {"[a:b]\nkind =\n", TRN_RESULT_DAMAGED, 2, 7, "\"\" is not a kind"},
    {"[a:b]\nkind\n", TRN_RESULT_DAMAGED, 2, 5, "\"=\" is missing"},
    {"[a:b]\nkind opaque\n", TRN_RESULT_DAMAGED, 2, 6, "\"=\" is missing"},
    {"[a:b]\nkind = air air\n", TRN_RESULT_DAMAGED, 2, 12, "should end here"},
    {"[a:b] kind = air\n", TRN_RESULT_DAMAGED, 1, 7, "should end here"},
    {"[a:b]]\nkind = air\n", TRN_RESULT_DAMAGED, 1, 6, "should end here"},
    {"[a:b]\ntop = 60923e\n", TRN_RESULT_DAMAGED, 2, 7, "\"60923e\" is not a colour"},
    {"[a:b]\ntop = #60923\n", TRN_RESULT_DAMAGED, 2, 7, "\"#60923\" is not a colour"},
    {"[a:b]\ntop = #60923ea\n", TRN_RESULT_DAMAGED, 2, 7, "is not a colour"},
    {"[a:b]\ntop = #60923g\n", TRN_RESULT_DAMAGED, 2, 7, "is not a colour"},
    {"[a:b]\ntop = #-0923e\n", TRN_RESULT_DAMAGED, 2, 7, "is not a colour"},
    {"[a:b]\ntop = # 60923e\n", TRN_RESULT_DAMAGED, 2, 7, "\"#\" is not a colour"},
    {"[a:b]\nlight = 16\n", TRN_RESULT_DAMAGED, 2, 9, "\"16\" is not a light level"},
    {"[a:b]\nlight = -1\n", TRN_RESULT_DAMAGED, 2, 9, "is not a light level"},
    {"[a:b]\nlight = 4294967297\n", TRN_RESULT_DAMAGED, 2, 9, "is not a light level"},
    {"[a:b]\nlayer.top = 65536\n", TRN_RESULT_DAMAGED, 2, 13, "is not a texture layer"},
    {"[a:b]\nlayer.top = 0x1\n", TRN_RESULT_DAMAGED, 2, 13, "is not a texture layer"},
    {"[a:b]\nclimbable = 1\n", TRN_RESULT_DAMAGED, 2, 13, "\"1\" is not an answer"},
    {"[a:b]\nclimbable = no\nclimbable = no\n", TRN_RESULT_DAMAGED, 3, 1, "is set twice"},
    {"[terrane:snow]\nkind = opaque\ntop = #f0f4fa\nside = #dee4ee\nbottom = #ced4de\n"
     "climbable = yes\n",
     TRN_RESULT_PRESENT, 1, 2, "something else"},
    {"[a:b]\nunknown = yes\nclimbable = no\n", TRN_RESULT_DAMAGED, 1, 2, "is unknown, yet"},
    {"[a:b]\nsolid = maybe\n", TRN_RESULT_DAMAGED, 2, 9, "\"maybe\" is not an answer"},
    {"\n[a:b]\nsolid = yes\n", TRN_RESULT_DAMAGED, 2, 2, "\"a:b\" has no kind"},
    {"[a:b]\n[a:c]\nkind = air\n", TRN_RESULT_DAMAGED, 1, 2, "\"a:b\" has no kind"},
    {"[a:b]\nunknown = no\n", TRN_RESULT_DAMAGED, 1, 2, "has no kind"},
    {"[a:b]\nunknown = yes\nkind = air\n", TRN_RESULT_DAMAGED, 1, 2, "\"a:b\" is unknown, yet"},
    {"[a:b]\nkind = air\n[a:b]\nkind = air\n", TRN_RESULT_DAMAGED, 3, 2, "\"a:b\" stands twice"},
    {"[terrane:air]\nkind=air\n[terrane:air]\n", TRN_RESULT_DAMAGED, 3, 2, "stands twice"},
    {"[terrane:air]\nkind = opaque\n", TRN_RESULT_PRESENT, 1, 2, "something else"},
    {"[a:b\nkind = air\n", TRN_RESULT_DAMAGED, 1, 5, "\"]\" is missing"},
    {"[a:b ]\nkind = air\n", TRN_RESULT_DAMAGED, 1, 5, "\"]\" is missing"},
    {"[]\n", TRN_RESULT_DAMAGED, 1, 2, "\"\" is not a name"},
    {"[ab]\n", TRN_RESULT_DAMAGED, 1, 2, "\"ab\" is not a name"},
    {"[a:\"\x7F\xC3]\n", TRN_RESULT_DAMAGED, 1, 2, "\"a:\"??\" is not a name"},
    {"[" NAME_OF_60 "1234]\n", TRN_RESULT_DAMAGED, 1, 2,
     "\"x:3456789.123456789.123456789.123456789....\" is not a name"},
    {"[a:b]\nkind = air", TRN_RESULT_DAMAGED, 2, 11, "last line does not end"},
    {"[a:b]\nkind = air\n# cut", TRN_RESULT_DAMAGED, 3, 6, "last line does not end"},
    {"\xEF\xBB\xBF\xEF\xBB\xBF\n", TRN_RESULT_DAMAGED, 1, 1, "\"???\" stands before any type"},
    {"\xEF\xBB\n", TRN_RESULT_DAMAGED, 1, 1, "\"??\" stands before any type"},
};

static void bad_texts_are_refused_with_place_and_sentence(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    assert_int_equal(trn_block_types_add_unknown(types, "a:unknown", NULL), TRN_RESULT_OK);
    Text before = text_written(types);
    for (size_t i = 0; i < sizeof bad_texts / sizeof *bad_texts; i++) {
        const Bad *bad = &bad_texts[i];
        TrnBlockTypesProblem problem = {0, 0, ""};
        assert_int_equal(load_text(types, bad->text, &problem), bad->result);
        if (problem.line != bad->line || problem.column != bad->column ||
            !strstr(problem.sentence, bad->says)) {
            fail_msg("text %zu: %zu:%zu: %s", i, problem.line, problem.column, problem.sentence);
        }
        assert_int_equal(load_text(types, bad->text, NULL), bad->result);
        assert_written_is(types, before);
    }
    free(before.bytes);
    trn_block_types_destroy(types);
}

static void a_zero_byte_anywhere_is_refused(void **state)
{
    (void)state;
    static const char good[] = "# one\n[a:b]\nkind = opaque # two\ntop = #010203\n";
    TrnBlockTypes *types = create();
    for (size_t at = 0; at < sizeof good - 1; at++) {
        Text text = text_copy(good, sizeof good - 1);
        text.bytes[at] = '\0';
        TrnBlockTypesProblem problem;
        assert_int_equal(trn_block_types_load(types, text.bytes, text.size, &problem),
                         TRN_RESULT_DAMAGED);
        assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT);
        free(text.bytes);
    }
    trn_block_types_destroy(types);
}

static void a_longer_text_is_all_or_nothing(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    assert_int_equal(trn_block_types_add_unknown(types, "a:50", NULL), TRN_RESULT_OK);
    Text before = text_written(types);
    char text[8192];
    size_t size = 0;
    for (int i = 0; i < 100; i++) { // grows the copy, and fills the placeholder in
        size += (size_t)snprintf(text + size, sizeof text - size, "[a:%d]\nkind = liquid\n", i);
    }
    memcpy(text + size, "[a:0]\nkind = air\n", 18);
    TrnBlockTypesProblem problem;
    assert_int_equal(load_text(types, text, &problem), TRN_RESULT_DAMAGED);
    assert_int_equal(problem.line, 201);
    assert_written_is(types, before);
    assert_is_consistent(types);
    text[size] = '\0';
    assert_loads(types, text);
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT + 100);
    assert_int_equal(id_of(types, "a:50"), TRN_BLOCK_BUILTIN_COUNT);
    assert_loads(types, text); // says nothing new
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT + 100);
    assert_is_consistent(types);
    free(before.bytes);
    trn_block_types_destroy(types);
}

// ---- texts gone bad -----------------------------------------------------------------------------

/// All keys, all kinds, a placeholder.
static const char rich_text[] =
    "# rich\n[a:b]\nkind = opaque\ntop = #010203\nside = #a0b0c0\n"
    "layer.pos_z = 300\nlight = 15\n\n[old:reed]\nunknown = yes\n"
    "[c:d]\r\nkind = plant\r\nsolid = yes\r\nclimbable = yes\r\nall = #ffffff # white\r\n"
    "[e:f]\nkind=liquid\nneg_x=#123456\nbottom=#654321\n"
    "[g:h]\nkind\t=\ttransparent\nlayer.all = 65535\nlayer.top = 0\n";

/// Loads any bytes into a new registry: it holds what they say, or what it held before.
/// @return whether they were good
static bool try_bytes(const char *bytes, size_t size)
{
    TrnBlockTypes *types = create();
    assert_int_equal(trn_block_types_add_unknown(types, "a:b", NULL), TRN_RESULT_OK);
    Text before = text_written(types);
    Text text = text_copy(bytes, size);
    TrnBlockTypesProblem problem = {0, 0, ""};
    TrnResult result = trn_block_types_load(types, text.bytes, text.size, &problem);
    if (result == TRN_RESULT_OK) {
        Text after = text_written(types);
        TrnBlockTypes *again = create();
        assert_int_equal(trn_block_types_load(again, after.bytes, after.size, NULL), TRN_RESULT_OK);
        assert_written_is(again, after);
        trn_block_types_destroy(again);
        free(after.bytes);
    } else {
        assert_true(result == TRN_RESULT_DAMAGED || result == TRN_RESULT_PRESENT);
        assert_written_is(types, before);
        assert_in_range(problem.line, 1, size + 1);
        assert_in_range(problem.column, 1, size + 1);
        size_t length = strlen(problem.sentence);
        assert_in_range(length, 10, sizeof problem.sentence - 1);
        assert_int_equal(problem.sentence[length - 1], '.'); // whole
    }
    free(text.bytes);
    free(before.bytes);
    trn_block_types_destroy(types);
    return result == TRN_RESULT_OK;
}

static void a_text_cut_inside_a_line_is_refused(void **state)
{
    (void)state;
    const size_t size = sizeof rich_text - 1;
    assert_true(try_bytes(rich_text, size));
    uint32_t good = 0;
    for (size_t cut = 0; cut < size; cut++) {
        bool is_good = try_bytes(rich_text, cut);
        good += is_good;
        assert_true(!is_good || cut == 0 || rich_text[cut - 1] == '\n');
    }
    assert_in_range(good, 2, 20);
}

static void flipped_bytes_never_break_the_registry(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(21);
    char text[sizeof rich_text];
    uint32_t good = 0;
    const uint32_t rounds = 4000;
    for (uint32_t round = 0; round < rounds; round++) {
        memcpy(text, rich_text, sizeof text);
        int64_t flips = test_random_range(&random, 1, 3);
        for (int64_t i = 0; i < flips; i++) {
            size_t at = (size_t)test_random_range(&random, 0, (int64_t)sizeof text - 2);
            text[at] = (char)(text[at] ^ (char)(1 << test_random_range(&random, 0, 7)));
        }
        good += try_bytes(text, sizeof text - 1);
    }
    assert_in_range(good, 1, rounds - 1); // else the test shows nothing
}

static void spliced_pieces_of_texts_never_break_the_registry(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "[a:b]",
        "[c:d]",
        "[",
        "]",
        "a:b",
        "=",
        " = ",
        "kind",
        "kind = air\n",
        "\n",
        "\r\n",
        "\r",
        "#",
        "# x",
        " ",
        "\t",
        "unknown = yes\n",
        "solid",
        "climbable",
        "yes",
        "light",
        "15",
        "layer.",
        "all",
        "pos_x",
        "#010203",
        "opaque",
        "\xEF\xBB\xBF",
        "\xFF",
        "\x7F",
        "[a:b]\nkind = air\n",
        "\n[e:f]\n",
        "[terrane:missing]\nunknown = yes\n",
        "all = #ffffff\n",
        "layer.side = 65535\n",
    };
    TestRandom random = test_random_seeded(22);
    uint32_t good = 0;
    const uint32_t rounds = 6000;
    for (uint32_t round = 0; round < rounds; round++) {
        char text[1024];
        size_t size = 0;
        int64_t count = test_random_range(&random, 0, 12);
        for (int64_t i = 0; i < count; i++) {
            const int64_t last = (int64_t)(sizeof pieces / sizeof *pieces) - 1;
            const char *piece = pieces[test_random_range(&random, 0, last)];
            size += (size_t)snprintf(text + size, sizeof text - size, "%s", piece);
        }
        good += try_bytes(text, size);
    }
    assert_in_range(good, 1, rounds - 1);
}

// ---- memory -------------------------------------------------------------------------------------

/// Something that takes memory. @return its result
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

/// Fails each allocation once. @return how many there were
static uint32_t assert_fails_well(Work *work)
{
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create(&allocator, &types), TRN_RESULT_OK);
    char name[16];
    for (uint32_t i = TRN_BLOCK_BUILTIN_COUNT; i < 64; i++) { // the next one grows
        snprintf(name, sizeof name, "f:%u", i);
        assert_int_equal(trn_block_types_add_unknown(types, name, NULL), TRN_RESULT_OK);
    }
    Text before = text_written(types);
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
            assert_written_is(types, before);
            assert_is_consistent(types);
            failures++;
        }
    } while (result != TRN_RESULT_OK);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
    assert_int_equal(memory.live_blocks, 0);
    free(before.bytes);
    return failures;
}

static void each_allocation_that_fails_leaves_the_registry_as_it_was(void **state)
{
    (void)state;
    assert_int_equal(assert_fails_well(work_load), 3); // the copy, grown twice
    assert_int_equal(assert_fails_well(work_add), 1);
    assert_int_equal(assert_fails_well(work_add_unknown), 1);
}

static void creating_without_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (size_t fail_at = 1; result != TRN_RESULT_OK; fail_at++) {
        TestAllocator memory = {.fail_at = fail_at};
        TrnAllocator allocator = test_allocator(&memory);
        TrnBlockTypes *types = NULL;
        result = trn_block_types_create(&allocator, &types);
        assert_int_equal(types == NULL, result != TRN_RESULT_OK);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
        trn_block_types_destroy(types);
        assert_int_equal(memory.live_blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_registry_holds_the_types_of_the_enum),
        cmocka_unit_test(the_file_in_assets_is_the_one_that_is_embedded),
        cmocka_unit_test(the_example_in_the_docs_loads_and_says_what_it_seems_to),
        cmocka_unit_test(a_type_that_was_added_is_found_and_never_changes),
        cmocka_unit_test(a_placeholder_is_filled_in_and_keeps_its_id),
        cmocka_unit_test(the_sets_stay_where_they_are_while_types_come_and_are_filled_in),
        cmocka_unit_test(an_empty_registry_takes_the_bytes_that_its_header_says),
        cmocka_unit_test(bad_types_are_refused_and_change_nothing),
        cmocka_unit_test(names_that_lie_in_the_registry_may_be_added_as_it_grows),
        cmocka_unit_test(sixty_five_thousand_types_fit_and_not_one_more),
        cmocka_unit_test(random_adding_agrees_with_a_list_and_survives_a_round_trip),
        cmocka_unit_test(writing_stops_at_the_end_of_the_buffer),
        cmocka_unit_test(the_special_word_wins_in_any_order),
        cmocka_unit_test(blanks_comments_and_line_ends_of_windows_are_fine),
        cmocka_unit_test(bad_texts_are_refused_with_place_and_sentence),
        cmocka_unit_test(a_zero_byte_anywhere_is_refused),
        cmocka_unit_test(a_longer_text_is_all_or_nothing),
        cmocka_unit_test(a_text_cut_inside_a_line_is_refused),
        cmocka_unit_test(flipped_bytes_never_break_the_registry),
        cmocka_unit_test(spliced_pieces_of_texts_never_break_the_registry),
        cmocka_unit_test(each_allocation_that_fails_leaves_the_registry_as_it_was),
        cmocka_unit_test(creating_without_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
