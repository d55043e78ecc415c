// Texts of block types: valid ones, refused ones with the position of the problem, and texts that
// were cut, flipped and spliced.

#include "block_texts.h"

#ifndef TERRANE_SOURCE_DIR
#error "the tests read assets/ and docs/ of the source tree"
#endif

static Text text_of_file(const char *path)
{
    char bytes[65536];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_in_range(size, 1, sizeof bytes - 1);
    fclose(file);
    return text_copy(bytes, size);
}

// ---- files --------------------------------------------------------------------------------------

static void the_embedded_text_is_the_file_in_assets(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    Text text = text_of_file(TERRANE_SOURCE_DIR "/assets/blocks/terrane.blocks");
    TrnBlockTypesProblem problem;
    // Types of the registry are refused unless they are the same.
    assert_int_equal(trn_block_types_load(types, text.bytes, text.size, &problem), TRN_RESULT_OK);
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT);
    free(text.bytes);
    trn_block_types_destroy(types);
}

static void the_example_in_the_docs_loads_as_described(void **state)
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

// ---- texts --------------------------------------------------------------------------------------

static void the_more_special_word_wins_in_any_order(void **state)
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

static void blanks_comments_and_windows_line_breaks_are_accepted(void **state)
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

/// A bad text, and the problem that loading it must report.
typedef struct Bad {
    const char *text;
    TrnResult result;
    size_t line, column;
    const char *says;
} Bad;

#define NAME_OF_60 "x:3456789.123456789.123456789.123456789.123456789.123456789."

static const Bad bad_texts[] = {
    {"kind = air\n", TRN_RESULT_CORRUPT, 1, 1, "\"kind\" comes before any type"},
    {"[a:b]\nkind = air\nknid = air\n", TRN_RESULT_CORRUPT, 3, 1, "\"knid\" is not a key"},
    {"[a:b]\nkind = air\n\n  layer. = 1\n", TRN_RESULT_CORRUPT, 4, 3, "\"layer.\" is not a key"},
    {"[a:b]\nlayer.kind = air\n", TRN_RESULT_CORRUPT, 2, 1, "\"layer.kind\" is not a key"},
    {"[a:b]\nKind = air\n", TRN_RESULT_CORRUPT, 2, 1, "\"Kind\" is not a key"},
    {"[a:b]\n= air\n", TRN_RESULT_CORRUPT, 2, 1, "\"\" is not a key"},
    {"[a:b]\nkind = air\nkind = air\n", TRN_RESULT_CORRUPT, 3, 1, "\"kind\" is set twice"},
    {"[a:b]\nkind = opaqeu\n", TRN_RESULT_CORRUPT, 2, 8, "\"opaqeu\" is not a kind"},
    {"[a:b]\nkind =\n", TRN_RESULT_CORRUPT, 2, 7, "\"\" is not a kind"},
    {"[a:b]\nkind\n", TRN_RESULT_CORRUPT, 2, 5, "\"=\" is missing"},
    {"[a:b]\nkind opaque\n", TRN_RESULT_CORRUPT, 2, 6, "\"=\" is missing"},
    {"[a:b]\nkind = air air\n", TRN_RESULT_CORRUPT, 2, 12, "should end here"},
    {"[a:b] kind = air\n", TRN_RESULT_CORRUPT, 1, 7, "should end here"},
    {"[a:b]]\nkind = air\n", TRN_RESULT_CORRUPT, 1, 6, "should end here"},
    {"[a:b]\ntop = 60923e\n", TRN_RESULT_CORRUPT, 2, 7, "\"60923e\" is not a colour"},
    {"[a:b]\ntop = #60923\n", TRN_RESULT_CORRUPT, 2, 7, "\"#60923\" is not a colour"},
    {"[a:b]\ntop = #60923ea\n", TRN_RESULT_CORRUPT, 2, 7, "is not a colour"},
    {"[a:b]\ntop = #60923g\n", TRN_RESULT_CORRUPT, 2, 7, "is not a colour"},
    {"[a:b]\ntop = #-0923e\n", TRN_RESULT_CORRUPT, 2, 7, "is not a colour"},
    {"[a:b]\ntop = # 60923e\n", TRN_RESULT_CORRUPT, 2, 7, "\"#\" is not a colour"},
    {"[a:b]\nlight = 16\n", TRN_RESULT_CORRUPT, 2, 9, "\"16\" is not a light level"},
    {"[a:b]\nlight = -1\n", TRN_RESULT_CORRUPT, 2, 9, "is not a light level"},
    {"[a:b]\nlight = 4294967297\n", TRN_RESULT_CORRUPT, 2, 9, "is not a light level"},
    {"[a:b]\ndims = 16\n", TRN_RESULT_CORRUPT, 2, 8, "\"16\" is not a light level"},
    {"[a:b]\nlayer.top = 65536\n", TRN_RESULT_CORRUPT, 2, 13, "is not a texture layer"},
    {"[a:b]\nlayer.top = 0x1\n", TRN_RESULT_CORRUPT, 2, 13, "is not a texture layer"},
    {"[a:b]\nkind = plant\nliquid = terrane:stone\n", TRN_RESULT_CORRUPT, 3, 10,
     "\"terrane:stone\" is not the name of a liquid"},
    {"[a:b]\nkind = plant\nliquid = terrane:water/1\n", TRN_RESULT_CORRUPT, 3, 10,
     "is not the name of a liquid"},
    {"[a:b]\nkind = plant\nliquid = a:c\n[a:c]\nkind = liquid\n", TRN_RESULT_CORRUPT, 3, 10,
     "is not the name of a liquid"},
    {"[a:b]\nliquid = terrane:water\nkind = cutout\n", TRN_RESULT_CORRUPT, 2, 10,
     "is for kind = plant"},
    {"[terrane:kelp]\nkind = plant\nliquid = terrane:lava\ndims = 2\nall = #5c7d36\n",
     TRN_RESULT_EXISTS, 1, 2, "other properties"},
    {"[a:b]\nclimbable = 1\n", TRN_RESULT_CORRUPT, 2, 13, "\"1\" is not an answer"},
    {"[a:b]\nclimbable = no\nclimbable = no\n", TRN_RESULT_CORRUPT, 3, 1, "is set twice"},
    {"[terrane:snow]\nkind = opaque\ntop = #f0f4fa\nside = #dee4ee\nbottom = #ced4de\n"
     "climbable = yes\n",
     TRN_RESULT_EXISTS, 1, 2, "other properties"},
    {"[a:b]\nunknown = yes\nclimbable = no\n", TRN_RESULT_CORRUPT, 1, 2, "is unknown but"},
    {"[a:b]\nsolid = maybe\n", TRN_RESULT_CORRUPT, 2, 9, "\"maybe\" is not an answer"},
    {"\n[a:b]\nsolid = yes\n", TRN_RESULT_CORRUPT, 2, 2, "\"a:b\" has no kind"},
    {"[a:b]\n[a:c]\nkind = air\n", TRN_RESULT_CORRUPT, 1, 2, "\"a:b\" has no kind"},
    {"[a:b]\nunknown = no\n", TRN_RESULT_CORRUPT, 1, 2, "has no kind"},
    {"[a:b]\nunknown = yes\nkind = air\n", TRN_RESULT_CORRUPT, 1, 2, "\"a:b\" is unknown but"},
    {"[a:b]\nkind = air\n[a:b]\nkind = air\n", TRN_RESULT_CORRUPT, 3, 2, "\"a:b\" occurs twice"},
    {"[terrane:air]\nkind=air\n[terrane:air]\n", TRN_RESULT_CORRUPT, 3, 2, "occurs twice"},
    {"[terrane:air]\nkind = opaque\n", TRN_RESULT_EXISTS, 1, 2, "other properties"},
    {"[a:b\nkind = air\n", TRN_RESULT_CORRUPT, 1, 5, "\"]\" is missing"},
    {"[a:b ]\nkind = air\n", TRN_RESULT_CORRUPT, 1, 5, "\"]\" is missing"},
    {"[]\n", TRN_RESULT_CORRUPT, 1, 2, "\"\" is not a name"},
    {"[ab]\n", TRN_RESULT_CORRUPT, 1, 2, "\"ab\" is not a name"},
    {"[a:\"\x7F\xC3]\n", TRN_RESULT_CORRUPT, 1, 2, "\"a:\"??\" is not a name"},
    {"[" NAME_OF_60 "1234]\n", TRN_RESULT_CORRUPT, 1, 2,
     "\"x:3456789.123456789.123456789.123456789....\" is not a name"},
    {"[a:b]\nkind = air", TRN_RESULT_CORRUPT, 2, 11, "last line has no line break"},
    {"[a:b]\nkind = air\n# cut", TRN_RESULT_CORRUPT, 3, 6, "last line has no line break"},
    {"\xEF\xBB\xBF\xEF\xBB\xBF\n", TRN_RESULT_CORRUPT, 1, 1, "\"???\" comes before any type"},
    {"\xEF\xBB\n", TRN_RESULT_CORRUPT, 1, 1, "\"??\" comes before any type"},
};

static void bad_texts_are_refused_with_position_and_sentence(void **state)
{
    (void)state;
    TrnBlockTypes *types = create();
    assert_int_equal(trn_block_types_add_unknown(types, "a:unknown", NULL), TRN_RESULT_OK);
    Kept before = kept_types(types);
    for (size_t i = 0; i < sizeof bad_texts / sizeof *bad_texts; i++) {
        const Bad *bad = &bad_texts[i];
        TrnBlockTypesProblem problem = {0, 0, ""};
        assert_int_equal(load_text(types, bad->text, &problem), bad->result);
        if (problem.line != bad->line || problem.column != bad->column ||
            !strstr(problem.sentence, bad->says)) {
            fail_msg("text %zu: %zu:%zu: %s", i, problem.line, problem.column, problem.sentence);
        }
        assert_int_equal(load_text(types, bad->text, NULL), bad->result);
        assert_types_are(types, before);
    }
    kept_free(before);
    trn_block_types_destroy(types);
}

static void each_key_is_refused_twice(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "kind = air",    "solid = no",      "climbable = no", "light = 7",
        "dims = 3",      "unknown = no",    "all = #102030",  "neg_z = #102030",
        "layer.all = 1", "layer.neg_z = 1", "surface = 3",    "flows = yes",
        "turns = 8",     "connects = 1",    "ticks = yes",    "liquid = terrane:water"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[128];
        const int size = snprintf(text, sizeof text, "[a:b]\n%s\n%s\n", lines[i], lines[i]);
        TrnBlockTypesProblem problem;
        TrnBlockTypes *types = create();
        assert_int_equal(trn_block_types_load(types, text, (size_t)size, &problem),
                         TRN_RESULT_CORRUPT);
        assert_int_equal(problem.line, 3);
        assert_non_null(strstr(problem.sentence, "is set twice"));
        trn_block_types_destroy(types);
    }
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
                         TRN_RESULT_CORRUPT);
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
    Kept before = kept_types(types);
    char text[8192];
    size_t size = 0;
    for (int i = 0; i < 100; i++) { // grows the copy, and fills in the placeholder
        size += (size_t)snprintf(text + size, sizeof text - size, "[a:%d]\nkind = liquid\n", i);
    }
    memcpy(text + size, "[a:0]\nkind = air\n", 18);
    TrnBlockTypesProblem problem;
    assert_int_equal(load_text(types, text, &problem), TRN_RESULT_CORRUPT);
    assert_int_equal(problem.line, 201);
    assert_types_are(types, before);
    assert_is_consistent(types);
    text[size] = '\0';
    assert_loads(types, text);
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT + 100);
    assert_int_equal(id_of(types, "a:50"), TRN_BLOCK_BUILTIN_COUNT);
    assert_loads(types, text); // contains nothing new
    assert_int_equal(count_of(types), TRN_BLOCK_BUILTIN_COUNT + 100);
    assert_is_consistent(types);
    kept_free(before);
    trn_block_types_destroy(types);
}

// ---- damaged texts ------------------------------------------------------------------------------

/// A text with all keys, all kinds and a placeholder.
static const char rich_text[] =
    "# rich\n[a:b]\nkind = opaque\ntop = #010203\nside = #a0b0c0\n"
    "layer.pos_z = 300\nlight = 15\n\n[old:reed]\nunknown = yes\n"
    "[c:d]\r\nkind = plant\r\nsolid = yes\r\nclimbable = yes\r\nall = #ffffff # white\r\n"
    "[e:f]\nkind=liquid\nneg_x=#123456\nbottom=#654321\n"
    "[g:h]\nkind\t=\ttransparent\nlayer.all = 65535\nlayer.top = 0\n"
    "[i:j]\nkind = model\nturns = 8\nconnects = 3\nbox = 0 0 0 16 8 16\nbox.top = #040506\n"
    "box = 8 8 0 16 16 16\nbox.connected = pos_x bottom\nbox.layer.side = 7\n"
    "[k:l]\nkind = liquid\nflows = yes\nsurface = 12\nticks = yes\n[m:n]\nkind = cutout\n"
    "[o:p]\nkind = plant\nliquid = e:f\n";

/// Loads any bytes into a new registry, and checks that a failure leaves it unchanged.
/// @return whether the text was valid
static bool try_bytes(const char *bytes, size_t size)
{
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_add_unknown(types, "a:b", NULL), TRN_RESULT_OK);
    Kept before = kept_types(types);
    Text text = text_copy(bytes, size);
    TrnBlockTypesProblem problem = {0, 0, ""};
    TrnResult result = trn_block_types_load(types, text.bytes, text.size, &problem);
    if (result == TRN_RESULT_OK) {
        const Kept after = kept_types(types);
        TrnBlockTypes *again = types_again(types);
        assert_types_are(again, after);
        trn_block_types_destroy(again);
        kept_free(after);
    } else {
        assert_true(result == TRN_RESULT_CORRUPT || result == TRN_RESULT_EXISTS);
        assert_types_are(types, before);
        assert_in_range(problem.line, 1, size + 1);
        assert_in_range(problem.column, 1, size + 1);
        size_t length = strlen(problem.sentence);
        assert_in_range(length, 10, sizeof problem.sentence - 1);
        assert_int_equal(problem.sentence[length - 1], '.'); // not cut off
    }
    free(text.bytes);
    kept_free(before);
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
    assert_in_range(good, 2, 40);
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
    assert_in_range(good, 1, rounds - 1); // otherwise the test proves nothing
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
        "dims",
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
        "[g:h]\nkind = model\nbox = 0 0 0 16 8 16\n",
        "box = 0 8 0 16 16 16\n",
        "box.top = #010203\n",
        "box.unconnected = side\n",
        "connects = 2\n",
        "turns = 4\n",
        "[i:j]\nkind = liquid\nflows = yes\n",
        "[i:j/4]\nunknown = yes\n",
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_embedded_text_is_the_file_in_assets),
        cmocka_unit_test(the_example_in_the_docs_loads_as_described),
        cmocka_unit_test(the_more_special_word_wins_in_any_order),
        cmocka_unit_test(blanks_comments_and_windows_line_breaks_are_accepted),
        cmocka_unit_test(bad_texts_are_refused_with_position_and_sentence),
        cmocka_unit_test(each_key_is_refused_twice),
        cmocka_unit_test(a_zero_byte_anywhere_is_refused),
        cmocka_unit_test(a_longer_text_is_all_or_nothing),
        cmocka_unit_test(a_text_cut_inside_a_line_is_refused),
        cmocka_unit_test(flipped_bytes_never_break_the_registry),
        cmocka_unit_test(spliced_pieces_of_texts_never_break_the_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
