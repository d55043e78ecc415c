// Models and families of block types: what is refused, how members are turned, and which ids they
// get.

#include "block_texts.h"

/// A stair: its high half is towards +x.
#define STAIR "box = 0 0 0 16 8 16\nbox = 8 8 0 16 16 16\n"

static TrnBlockBox box_of(const uint8_t corners[6])
{
    TrnBlockBox box = {.connected = 0};
    memcpy(box.min, corners, 3);
    memcpy(box.max, corners + 3, 3);
    return box;
}

static void assert_box(const TrnBlockBox *box, const uint8_t corners[6])
{
    assert_memory_equal(box->min, corners, 3);
    assert_memory_equal(box->max, corners + 3, 3);
}

// ---- turns --------------------------------------------------------------------------------------

static void turns_go_from_positive_x_to_positive_z_then_upside_down(void **state)
{
    (void)state;
    static const uint8_t high[8][6] = {
        {8, 8, 0, 16, 16, 16}, {0, 8, 8, 16, 16, 16}, {0, 8, 0, 8, 16, 16}, {0, 8, 0, 16, 16, 8},
        {8, 0, 0, 16, 8, 16},  {0, 0, 8, 16, 8, 16},  {0, 0, 0, 8, 8, 16},  {0, 0, 0, 16, 8, 8}};
    static const TrnFace fronts[4] = {TRN_FACE_POS_X, TRN_FACE_POS_Z, TRN_FACE_NEG_X,
                                      TRN_FACE_NEG_Z};
    TrnBlockTypes *types = create();
    assert_loads(types, "[a:stair]\nkind = model\nturns = 8\nconnects = 3\npos_x = #010203\n"
                        "layer.top = 7\nlayer.pos_x = 9\nbox = 0 0 0 16 8 16\n"
                        "box = 8 8 0 16 16 16\nbox.connected = pos_x bottom\n");
    const TrnBlock first = id_of(types, "a:stair");
    for (uint32_t variant = 0; variant < 8; variant++) {
        const TrnBlock id = trn_block_types_variant(types, first, variant);
        assert_int_equal(id, first + variant);
        const TrnBlockType *type = trn_block_types_get(types, id);
        assert_int_equal(type->family, first);
        assert_int_equal(type->variant, variant);
        const uint8_t slab[6] = {0, variant < 4 ? 0 : 8, 0, 16, variant < 4 ? 8 : 16, 16};
        assert_box(&type->model->boxes[0], slab);
        assert_box(&type->model->boxes[1], high[variant]);
        const TrnFace front = fronts[variant % 4];
        const TrnFace top = variant < 4 ? TRN_FACE_POS_Y : TRN_FACE_NEG_Y;
        assert_int_equal(type->model->boxes[1].connected, 1u << front | 1u << (top ^ 1));
        assert_int_equal(type->colour[front][2], 3);
        assert_int_equal(type->layer[top], 7);
        assert_int_equal(type->layer[front], 9);
        assert_int_equal(type->model->boxes[0].layer[front], 9);
        // Every member finds every other.
        assert_int_equal(trn_block_types_variant(types, id, 7), first + 7);
    }
    assert_int_equal(trn_block_types_variant(types, first, 8), TRN_BLOCK_AIR);
    assert_int_equal(trn_block_types_variant(types, first, UINT32_MAX), TRN_BLOCK_AIR);
    assert_int_equal(trn_block_types_variant(types, UINT16_MAX, 0), TRN_BLOCK_AIR);
    assert_int_equal(trn_block_types_variant(types, TRN_BLOCK_STONE, 0), TRN_BLOCK_STONE);
    assert_int_equal(trn_block_types_variant(types, TRN_BLOCK_STONE, 1), TRN_BLOCK_AIR);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void flows_fall_evenly_below_their_source(void **state)
{
    (void)state;
    static const uint8_t of_14[9] = {14, 13, 11, 9, 7, 5, 3, 1, 16};
    static const uint8_t of_1[9] = {1, 1, 1, 1, 1, 1, 1, 1, 16};
    TrnBlockTypes *types = create();
    assert_loads(types, "[a:oil]\nkind = liquid\nflows = yes\nticks = yes\n"
                        "[a:film]\nkind = liquid\nflows = yes\nsurface = 1\n"
                        "[a:pond]\nkind = liquid\nflows = no\n");
    const TrnBlock oil = id_of(types, "a:oil"), film = id_of(types, "a:film");
    for (uint32_t variant = 0; variant < 9; variant++) {
        const TrnBlockType *type =
            trn_block_types_get(types, trn_block_types_variant(types, oil, variant));
        assert_int_equal(type->surface, of_14[variant]);
        assert_true(type->ticks);
        type = trn_block_types_get(types, trn_block_types_variant(types, film, variant));
        assert_int_equal(type->surface, of_1[variant]);
    }
    assert_int_equal(trn_block_types_variant(types, id_of(types, "a:pond"), 1), TRN_BLOCK_AIR);
    assert_string_equal(trn_block_types_get(types, (TrnBlock)(oil + 8))->name, "a:oil/8");
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

// ---- boxes --------------------------------------------------------------------------------------

static void boxes_are_there_as_their_sides_say(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    assert_loads(types, "[a:fence]\nkind = model\nconnects = 4\nbox = 6 0 6 10 16 10\n"
                        "box = 10 6 7 16 9 9\nbox.connected = pos_x\n"
                        "box = 0 6 7 6 9 9\nbox.connected = neg_x\n"
                        "box = 0 12 7 6 13 9\nbox.unconnected = neg_x pos_x\n"
                        "[a:wall]\nkind = model\nconnects = 4\nbox = 4 0 4 12 16 12\n"
                        "[a:pane]\nkind = model\nconnects = 5\nbox = 7 0 7 9 16 9\n"
                        "[a:post]\nkind = model\nbox = 7 0 7 9 16 9\n");
    const TrnBlockModel *fence = type_of(types, "a:fence")->model;
    const uint32_t neg_x = 1u << TRN_FACE_NEG_X, pos_x = 1u << TRN_FACE_POS_X;
    assert_int_equal(trn_block_model_boxes(fence, 0), 1 | 8);
    assert_int_equal(trn_block_model_boxes(fence, pos_x), 1 | 2);
    assert_int_equal(trn_block_model_boxes(fence, neg_x), 1 | 4);
    assert_int_equal(trn_block_model_boxes(fence, neg_x | pos_x | 32), 1 | 2 | 4);
    assert_true(trn_block_model_connects(fence, type_of(types, "terrane:stone")));
    assert_true(trn_block_model_connects(fence, type_of(types, "a:fence")));
    assert_true(trn_block_model_connects(fence, type_of(types, "a:wall")));
    assert_false(trn_block_model_connects(fence, type_of(types, "a:pane")));
    assert_false(trn_block_model_connects(fence, type_of(types, "terrane:glass")));
    const TrnBlockModel *post = type_of(types, "a:post")->model;
    assert_false(trn_block_model_connects(post, type_of(types, "terrane:stone")));
    assert_false(trn_block_model_connects(post, type_of(types, "a:post")));
    trn_block_types_destroy(types);
}

static void faces_of_boxes_are_those_of_the_type_unless_they_say_otherwise(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    assert_loads(types, "[a:b]\nkind = model\nbox = 0 0 0 16 8 16\nbox.top = #010203\n"
                        "box = 0 8 0 8 16 8\nbox.layer.side = 5\nbox.layer.neg_x = 6\n"
                        "all = #0a0b0c\nlayer.all = 4\n"); // the type's lines may follow
    const TrnBlockModel *model = type_of(types, "a:b")->model;
    const uint8_t own[3] = {1, 2, 3}, all[3] = {10, 11, 12};
    assert_memory_equal(model->boxes[0].colour[TRN_FACE_POS_Y], own, 3);
    assert_memory_equal(model->boxes[0].colour[TRN_FACE_NEG_Y], all, 3);
    const uint16_t layers[TRN_FACE_COUNT] = {6, 5, 4, 4, 5, 5};
    assert_memory_equal(model->boxes[1].layer, layers, sizeof layers);
    trn_block_types_destroy(types);
}

// ---- refused ------------------------------------------------------------------------------------

static void bad_models_and_families_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const uint8_t bad_corners[][6] = {{0, 0, 0, 0, 16, 16},  {0, 0, 0, 16, 0, 16},
                                             {0, 5, 0, 16, 4, 16},  {0, 0, 0, 16, 16, 17},
                                             {16, 0, 0, 17, 1, 16}, {0, 0, 0, 16, 16, 0}};
    TrnBlockTypes *types = create();
    Kept before = kept_types(types);
    TrnBlockModel model = {.box_count = 0};
    TrnBlockType type = trn_block_type_def("a:b", TRN_BLOCK_KIND_MODEL);
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type.model = &model;
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    model.box_count = TRN_BLOCK_BOXES_MAX + 1;
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    model.box_count = 1;
    for (size_t i = 0; i < sizeof bad_corners / sizeof *bad_corners; i++) {
        model.boxes[0] = box_of(bad_corners[i]);
        assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_block_types_add_family(types, &type, 4, NULL),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    static const uint8_t low[6] = {0, 0, 0, 16, 8, 16}, corner[6] = {15, 7, 15, 16, 9, 16};
    model.box_count = 2;
    model.boxes[0] = box_of(low);
    model.boxes[1] = box_of(corner);
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    model.boxes[1].connected = 1;
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    model.boxes[0].unconnected = 1; // excludes the other box, but the model never connects
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    model.connects = 1;
    static const uint32_t bad_counts[] = {0, 1, 2, 3, 5, 7, 9, 16};
    for (size_t i = 0; i < sizeof bad_counts / sizeof *bad_counts; i++) {
        assert_int_equal(trn_block_types_add_family(types, &type, bad_counts[i], NULL),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    type.kind = TRN_BLOCK_KIND_OPAQUE; // with a model
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type = trn_block_type_def("a:b", TRN_BLOCK_KIND_OPAQUE);
    assert_int_equal(trn_block_types_add_family(types, &type, 4, NULL), TRN_RESULT_BAD_ARGUMENT);
    type.surface = 14;
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type = trn_block_type_def("a:b", TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(type.surface, 14);
    type.surface = 0;
    assert_int_equal(trn_block_types_add(types, &type, NULL), TRN_RESULT_BAD_ARGUMENT);
    type.surface = 17;
    assert_int_equal(trn_block_types_add_family(types, &type, 9, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_add_family(NULL, &type, 9, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_block_types_add_family(types, NULL, 9, NULL), TRN_RESULT_BAD_ARGUMENT);
    char longest[TRN_BLOCK_NAME_MAX];
    memset(longest, 'a', sizeof longest);
    longest[1] = ':';
    longest[TRN_BLOCK_NAME_MAX - 1] = '\0';
    type = trn_block_type_def(longest, TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(trn_block_types_add_family(types, &type, 9, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_types_are(types, before);
    longest[TRN_BLOCK_NAME_MAX - 2] = '\0';
    TrnBlock first = 0;
    assert_int_equal(trn_block_types_add_family(types, &type, 9, &first), TRN_RESULT_OK);
    assert_int_equal(first, TRN_BLOCK_BUILTIN_COUNT);
    assert_is_consistent(types);
    kept_free(before);
    trn_block_types_destroy(types);
}

typedef struct Bad {
    const char *text;
    TrnResult result;
    size_t line, column;
    const char *says;
} Bad;

#define MODEL "[a:b]\nkind = model\n"
#define BOX "box = 0 0 0 16 8 16\n"
#define NAME_OF_60 "x:3456789.123456789.123456789.123456789.123456789.123456789."

static const Bad bad_texts[] = {
    {MODEL, TRN_RESULT_CORRUPT, 1, 2, "\"a:b\" is a model without boxes"},
    {MODEL "turns = 8\n", TRN_RESULT_CORRUPT, 1, 2, "without boxes"},
    {MODEL "box = 0 0 0 16 8\n", TRN_RESULT_CORRUPT, 3, 17, "\"\" is not a corner"},
    {MODEL "box = 0 0 0 16 8 17\n", TRN_RESULT_CORRUPT, 3, 18, "\"17\" is not a corner"},
    {MODEL "box = 0 0 0 16 8 16 1\n", TRN_RESULT_CORRUPT, 3, 21, "should end here"},
    {MODEL "box = 0 8 0 16 8 16\n", TRN_RESULT_CORRUPT, 3, 7, "\"0 8 0 16 8 16\" is empty or"},
    {MODEL BOX "\n  box =  15 7 15 16 9 16 # a\n", TRN_RESULT_CORRUPT, 5, 10,
     "\"15 7 15 16 9 16\" overlaps an earlier box"},
    {MODEL BOX "box.connected = neg_x\n", TRN_RESULT_CORRUPT, 3, 7, "never connects"},
    {MODEL "connects = 1\n" BOX "box.connected = side\nbox.unconnected = pos_x\n",
     TRN_RESULT_CORRUPT, 4, 7, "must be connected and unconnected"},
    {MODEL BOX "box.connected = left\n", TRN_RESULT_CORRUPT, 4, 17, "\"left\" is not a side"},
    {MODEL BOX "box.connected = top left\n", TRN_RESULT_CORRUPT, 4, 21, "\"left\" is not a side"},
    {MODEL BOX "box.connected =\n", TRN_RESULT_CORRUPT, 4, 16, "\"\" is not a side"},
    {MODEL BOX "box.top = 1\n", TRN_RESULT_CORRUPT, 4, 11, "\"1\" is not a colour"},
    {MODEL BOX "box.layer.top = #\n", TRN_RESULT_CORRUPT, 4, 17, "is not a texture layer"},
    {MODEL BOX "box.kind = air\n", TRN_RESULT_CORRUPT, 4, 1, "\"box.kind\" is not a key"},
    {MODEL BOX "box. = air\n", TRN_RESULT_CORRUPT, 4, 1, "\"box.\" is not a key"},
    {MODEL "connected = top\n", TRN_RESULT_CORRUPT, 3, 1, "\"connected\" is not a key"},
    {MODEL "box.top = #010203\n", TRN_RESULT_CORRUPT, 3, 1, "\"box.top\" comes before any box"},
    {MODEL BOX "box.top = #010203\nbox.top = #010203\n", TRN_RESULT_CORRUPT, 5, 1,
     "is set twice for this box"},
    {MODEL BOX BOX BOX BOX BOX BOX BOX BOX BOX, TRN_RESULT_CORRUPT, 11, 1,
     "\"box\" is one too many"},
    {"[a:b]\nkind = opaque\n" BOX, TRN_RESULT_CORRUPT, 3, 7, "is for kind = model"},
    {"[a:b]\nturns = 4\nkind = liquid\n", TRN_RESULT_CORRUPT, 2, 9, "\"4\" is for kind = model"},
    {"[a:b]\nconnects = 4\nkind = liquid\n", TRN_RESULT_CORRUPT, 2, 12, "is for kind = model"},
    {MODEL BOX "flows = yes\n", TRN_RESULT_CORRUPT, 4, 9, "is for kind = liquid"},
    {MODEL BOX "surface = 3\n", TRN_RESULT_CORRUPT, 4, 11, "is for kind = liquid"},
    {MODEL BOX "turns = 5\n", TRN_RESULT_CORRUPT, 4, 9, "\"5\" is not a number of turns"},
    {MODEL BOX "connects = 0\n", TRN_RESULT_CORRUPT, 4, 12, "\"0\" is not a group"},
    {MODEL BOX "connects = 256\n", TRN_RESULT_CORRUPT, 4, 12, "is not a group"},
    {"[a:b]\nsurface = 0\n", TRN_RESULT_CORRUPT, 2, 11, "\"0\" is not a height"},
    {"[a:b]\nsurface = 17\n", TRN_RESULT_CORRUPT, 2, 11, "is not a height"},
    {"[a:b]\nticks = 1\n", TRN_RESULT_CORRUPT, 2, 9, "\"1\" is not an answer"},
    {"[a:b]\nkind = modle\n", TRN_RESULT_CORRUPT, 2, 8, "plant, cutout or model."},
    {"[a:b]\nunknown = yes\n" BOX, TRN_RESULT_CORRUPT, 1, 2, "has other lines"},
    {MODEL BOX "turns = 4\n[a:b/3]\nkind = air\n", TRN_RESULT_CORRUPT, 5, 2, "occurs twice"},
    {"[a:b/3]\nkind = air\n" MODEL BOX "turns = 4\n", TRN_RESULT_EXISTS, 3, 2, "other properties"},
    {"[" NAME_OF_60 "12]\nkind = liquid\nflows = yes\n", TRN_RESULT_CORRUPT, 1, 2,
     "is too long for a family"},
};

static void bad_texts_are_refused_with_position_and_sentence(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    Kept before = kept_types(types);
    for (size_t i = 0; i < sizeof bad_texts / sizeof *bad_texts; i++) {
        const Bad *bad = &bad_texts[i];
        TrnBlockTypesProblem problem = {0, 0, ""};
        const TrnResult result = load_text(types, bad->text, &problem);
        if (result != bad->result || problem.line != bad->line || problem.column != bad->column ||
            !strstr(problem.sentence, bad->says)) {
            fail_msg("text %zu: %zu:%zu: %s", i, problem.line, problem.column, problem.sentence);
        }
        assert_int_equal(problem.sentence[strlen(problem.sentence) - 1], '.'); // not cut off
        assert_types_are(types, before);
    }
    kept_free(before);
    trn_block_types_destroy(types);
}

// ---- families -----------------------------------------------------------------------------------

static void a_name_that_is_too_long_for_a_family_is_a_type_alone(void **state)
{
    (void)state;
    char text[256], name[TRN_BLOCK_NAME_MAX + 1] = "a:";
    memset(name + 2, 'n', TRN_BLOCK_NAME_MAX - 2);
    (void)snprintf(text, sizeof text, "[%s]\nkind = model\n" STAIR, name);
    TrnBlockTypes *types = create();
    assert_loads(types, text);
    assert_loads(types, text); // known already
    assert_int_equal(trn_block_types_variant(types, id_of(types, name), 1), TRN_BLOCK_AIR);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void a_family_is_added_whole_or_not_at_all(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    TrnBlock untouched = 77;
    const TrnBlockType taken = trn_block_type_def("a:b/3", TRN_BLOCK_KIND_PLANT);
    assert_int_equal(trn_block_types_add(types, &taken, NULL), TRN_RESULT_OK);
    Kept before = kept_types(types);
    const TrnBlockType source = trn_block_type_def("a:b", TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(trn_block_types_add_family(types, &source, 9, &untouched), TRN_RESULT_EXISTS);
    assert_int_equal(untouched, 77);
    assert_types_are(types, before);
    // The same text again is fine, a smaller or larger family of the same name is not.
    assert_loads(types, "[a:s]\nkind = model\nturns = 4\n" STAIR);
    const uint32_t count = count_of(types);
    assert_loads(types, "[a:s]\nkind = model\nturns = 4\n" STAIR);
    assert_int_equal(count_of(types), count);
    assert_int_equal(load_text(types, "[a:s]\nkind = model\nturns = 8\n" STAIR, NULL),
                     TRN_RESULT_EXISTS);
    assert_int_equal(load_text(types, "[a:s]\nkind = model\n" STAIR, NULL), TRN_RESULT_EXISTS);
    assert_int_equal(load_text(types, "[a:s/1]\nkind = model\n" STAIR, NULL), TRN_RESULT_EXISTS);
    assert_int_equal(load_text(types, "[a:s]\nkind = model\nturns = 4\nconnects = 2\n" STAIR, NULL),
                     TRN_RESULT_EXISTS);
    assert_is_consistent(types);
    kept_free(before);
    trn_block_types_destroy(types);
}

static void a_family_does_not_fit_partly_into_a_full_registry(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    char name[32];
    for (uint32_t i = count_of(types); i < TRN_BLOCK_TYPES_MAX - 8; i++) {
        snprintf(name, sizeof name, "many:%u", i);
        assert_int_equal(trn_block_types_add_unknown(types, name, NULL), TRN_RESULT_OK);
    }
    const TrnBlockType source = trn_block_type_def("a:b", TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(trn_block_types_add_family(types, &source, 9, NULL), TRN_RESULT_FULL);
    assert_int_equal(count_of(types), TRN_BLOCK_TYPES_MAX - 8);
    const TrnBlockType one = trn_block_type_def("many:40000/2", TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(trn_block_types_add(types, &one, NULL), TRN_RESULT_OK);
    assert_loads(types, "[a:s]\nkind = model\nturns = 4\n" STAIR);
    assert_int_equal(count_of(types), TRN_BLOCK_TYPES_MAX - 3);
    assert_is_consistent(types);
    trn_block_types_destroy(types);
}

static void a_family_needs_all_of_its_memory(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create(&allocator, &types), TRN_RESULT_OK);
    char name[16];
    for (uint32_t i = count_of(types); i < 62; i++) { // the family grows types and models
        snprintf(name, sizeof name, "f:%u", i);
        assert_int_equal(trn_block_types_add_unknown(types, name, NULL), TRN_RESULT_OK);
    }
    Kept before = kept_types(types);
    static const uint8_t corners[6] = {0, 0, 0, 16, 8, 16};
    TrnBlockModel model = {.box_count = 1, .boxes = {box_of(corners)}};
    TrnBlockType slab = trn_block_type_def("a:slab", TRN_BLOCK_KIND_MODEL);
    slab.model = &model;
    for (size_t fail_at = 1; fail_at <= 2; fail_at++) {
        const size_t live = memory.live_bytes;
        memory.allocations = 0;
        memory.fail_at = fail_at;
        assert_int_equal(trn_block_types_add_family(types, &slab, 8, NULL), TRN_RESULT_NO_MEMORY);
        assert_int_equal(memory.live_bytes, live);
        assert_types_are(types, before);
        assert_is_consistent(types);
    }
    memory.fail_at = 0;
    assert_int_equal(trn_block_types_add_family(types, &slab, 8, NULL), TRN_RESULT_OK);
    // A type may be a copy of one in the registry, whose memory moves.
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "g:%d", i);
        TrnBlockType copy = *trn_block_types_get(types, id_of(types, "a:slab"));
        copy.name = name;
        assert_int_equal(trn_block_types_add_family(types, &copy, 4, NULL), TRN_RESULT_OK);
        assert_box(&type_of(types, name)->model->boxes[0], corners);
    }
    assert_is_consistent(types);
    kept_free(before);
    trn_block_types_destroy(types);
    assert_int_equal(memory.live_blocks, 0);
}

/// Puts boxes on the lattice of eighths of a voxel, each in a place of its own.
static TrnBlockModel random_model(TestRandom *random)
{
    TrnBlockModel model = {.box_count = (uint32_t)test_random_range(random, 1, 8),
                           .connects = (uint8_t)test_random_range(random, 0, 2)};
    for (uint32_t i = 0; i < model.box_count; i++) {
        TrnBlockBox *box = &model.boxes[i];
        for (int axis = 0; axis < 3; axis++) {
            const uint8_t low = (uint8_t)((i >> axis & 1) * 8);
            box->min[axis] = (uint8_t)(low + test_random_range(random, 0, 4));
            box->max[axis] = (uint8_t)(low + test_random_range(random, 5, 8));
        }
        if (model.connects) {
            box->connected = (uint8_t)test_random_range(random, 0, 63);
            box->unconnected = (uint8_t)(test_random_range(random, 0, 63) & ~box->connected);
        }
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            memset(box->colour[face], test_random_range(random, 0, 1) ? 255 : 7, 3);
            box->layer[face] = (uint16_t)(test_random_range(random, 0, 1) * 3);
        }
    }
    return model;
}

/// Adds a placeholder, as a save does, or a family or type of one of a few names.
static void add_something(TestRandom *random, TrnBlockTypes *types)
{
    char name[32];
    const int which = (int)test_random_range(random, 0, 11);
    const uint32_t part = (uint32_t)test_random_range(random, 0, 8);
    if (test_random_range(random, 0, 2)) {
        snprintf(name, sizeof name, part ? "f:%d/%u" : "f:%d", which, part);
        (void)trn_block_types_add_unknown(types, name, NULL);
        return;
    }
    snprintf(name, sizeof name, "f:%d", which);
    const bool is_liquid = which % 3 == 0;
    TrnBlockType type =
        trn_block_type_def(name, is_liquid ? TRN_BLOCK_KIND_LIQUID : TRN_BLOCK_KIND_MODEL);
    const TrnBlockModel model = random_model(random);
    type.model = is_liquid ? NULL : &model;
    const uint32_t count = is_liquid ? 9 : which % 3 == 1 ? 4 : 8;
    const uint32_t before = count_of(types);
    const TrnResult result = which > 9 ? trn_block_types_add(types, &type, NULL)
                                       : trn_block_types_add_family(types, &type, count, NULL);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS);
    assert_true(result == TRN_RESULT_OK || count_of(types) == before);
    if (result == TRN_RESULT_OK && which <= 9) { // never a half family
        for (uint32_t i = 0; i < count; i++) {
            const TrnBlock id = trn_block_types_variant(types, id_of(types, name), i);
            assert_int_not_equal(id, TRN_BLOCK_AIR);
            assert_int_equal(trn_block_types_get(types, id)->variant, i);
            assert_false(trn_block_types_get(types, id)->is_unknown);
        }
    }
}

static void names_in_order_give_families_and_placeholders_their_ids_again(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(28);
    uint32_t families = 0, scattered = 0;
    for (uint32_t round = 0; round < test_rounds(300, 40); round++) {
        TrnBlockTypes *types = NULL;
        assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
        const int64_t steps = test_random_range(&random, 0, 60);
        for (int64_t i = 0; i < steps; i++) {
            add_something(&random, types);
        }
        const Kept kept = kept_types(types);
        TrnBlockTypes *again = types_again(types);
        assert_types_are(again, kept);
        for (uint32_t id = 0; id < kept.count; id++) {
            const TrnBlockType *type = &kept.types[id];
            families += type->variant == 1;
            scattered += type->variant && id != (uint32_t)type->family + type->variant;
        }
        kept_free(kept);
        trn_block_types_destroy(types);
        trn_block_types_destroy(again);
    }
    assert_true(families > 0 && scattered > 0); // otherwise the test proves nothing
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_go_from_positive_x_to_positive_z_then_upside_down),
        cmocka_unit_test(flows_fall_evenly_below_their_source),
        cmocka_unit_test(boxes_are_there_as_their_sides_say),
        cmocka_unit_test(faces_of_boxes_are_those_of_the_type_unless_they_say_otherwise),
        cmocka_unit_test(bad_models_and_families_are_refused_and_change_nothing),
        cmocka_unit_test(bad_texts_are_refused_with_position_and_sentence),
        cmocka_unit_test(a_name_that_is_too_long_for_a_family_is_a_type_alone),
        cmocka_unit_test(a_family_is_added_whole_or_not_at_all),
        cmocka_unit_test(a_family_does_not_fit_partly_into_a_full_registry),
        cmocka_unit_test(a_family_needs_all_of_its_memory),
        cmocka_unit_test(names_in_order_give_families_and_placeholders_their_ids_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
