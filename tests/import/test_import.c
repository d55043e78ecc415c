/// Imports: the table of names, and what import.c does for every format. The format here is one of
/// this test: a few chunks in memory.
#include "save/save_chunk.h"

#include <import/format.h>

#include <terrane/save.h>

// ---- a format ----------------------------------------------------------------------------------

#define FAKE_CHUNKS 40
#define FAKE_LISTED 42 // the last have nothing after all
#define FAKE_DAMAGED 7

/// Chunk i, at (i, -i, 2i), is uniform if i is even; otherwise its voxel 5 is of another name.
typedef struct Fake {
    TrnImport *import;
    TrnCoord coords[FAKE_LISTED];
    uint32_t loads;
    bool fails;
} Fake;

static const char fake_names[] = "# a table\n"
                                 "their:stone = terrane:stone\r\n"
                                 "   their:wood*  =\tterrane:oak_log # all kinds of it\n"
                                 "\n"
                                 "air=terrane:air";
static const size_t fake_names_size = sizeof fake_names - 1;
static Fake fake;

static bool fake_recognises(const char *path)
{
    return strcmp(path, "fake") == 0;
}

static TrnResult fake_open(TrnImport *import, void *state, TrnStorageProblem *problem)
{
    if (strcmp(import->def.path, "damaged") == 0) {
        trn_import_tell(problem, "%s: it is damaged.", import->def.path);
        return TRN_RESULT_CORRUPT;
    }
    fake = (Fake){.import = import};
    for (int32_t i = 0; i < FAKE_LISTED; i++) {
        fake.coords[i] = (TrnCoord){i, -i, 2 * i};
    }
    *(Fake **)state = &fake;
    return TRN_RESULT_OK;
}

static TrnResult fake_list(void *state, TrnImportVisitor visit, void *user)
{
    const Fake *of = *(Fake **)state;
    for (uint32_t i = 0; i < FAKE_LISTED && visit(user, of->coords[i]); i++) {
    }
    return TRN_RESULT_OK;
}

static TrnResult fake_load(void *state, TrnCoord coord, TrnBlock *blocks, bool *uniform,
                           TrnImportContents *contents)
{
    (void)contents;
    Fake *of = *(Fake **)state;
    of->loads++;
    if (of->fails) {
        return TRN_RESULT_IO;
    }
    if (coord.x < 0 || coord.x >= FAKE_CHUNKS || coord.y != -coord.x) {
        return TRN_RESULT_NOT_FOUND;
    }
    TrnImportName *stone, *other;
    TrnResult result = trn_import_names_find(&of->import->names, "their:stone", 11, &stone);
    if (result == TRN_RESULT_OK) {
        const char *name = coord.x % 4 == 1 ? "their:thing" : "their:wooden_chest";
        result = trn_import_names_find(&of->import->names, name, strlen(name), &other);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    *uniform = coord.x % 2 == 0;
    for (uint32_t i = 0; i < (*uniform ? 1 : TRN_CHUNK_VOXELS); i++) {
        blocks[i] = i == 5 ? other->block : stone->block;
    }
    if (!*uniform && other->is_unknown) {
        atomic_fetch_add(&other->count, 1);
    }
    if (coord.x == FAKE_DAMAGED || coord.x == FAKE_DAMAGED + 2) {
        trn_import_damaged(&of->import->notes, "pieces: the data ends early", "piece %d", coord.x);
    }
    trn_import_ignored(&of->import->notes, "smells", 2);
    trn_import_ignored(&of->import->notes, "sounds", 0);
    return TRN_RESULT_OK;
}

static void fake_close(void *state)
{
    assert_ptr_equal(*(Fake **)state, &fake);
    fake.import = NULL;
}

static const TrnImportReader fake_reader = {.name = "fake",
                                            .names = fake_names,
                                            .names_size = &fake_names_size,
                                            .state_bytes = sizeof(Fake *),
                                            .recognises = fake_recognises,
                                            .open = fake_open,
                                            .list = fake_list,
                                            .load = fake_load,
                                            .close = fake_close};

// ---- names -------------------------------------------------------------------------------------

typedef struct Table {
    TrnBlockTypes *types;
    TrnImportNames names;
} Table;

static TrnResult table_try(Table *table, const char *text, size_t size, bool is_fixed,
                           TrnStorageProblem *problem)
{
    const TrnAllocator allocator = trn_allocator_default();
    assert_int_equal(trn_block_types_create_builtin(NULL, &table->types), TRN_RESULT_OK);
    const TrnImportTables tables = {.given = {text, size}};
    return trn_import_names_open(&table->names, &allocator, table->types,
                                 is_fixed ? TRN_IMPORT_UNKNOWN_SHARED : TRN_IMPORT_UNKNOWN_ADDED,
                                 &tables, problem);
}

static void table_open(Table *table, const char *text, bool is_fixed)
{
    TrnStorageProblem problem = {""};
    if (table_try(table, text, strlen(text), is_fixed, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
}

static void table_close(Table *table)
{
    trn_import_names_free(&table->names);
    trn_block_types_destroy(table->types);
}

static TrnImportName *table_find(Table *table, const char *text)
{
    TrnImportName *name = NULL;
    assert_int_equal(trn_import_names_find(&table->names, text, strlen(text), &name),
                     TRN_RESULT_OK);
    return name;
}

static const char *table_block(Table *table, const char *text)
{
    return trn_block_types_get(table->types, table_find(table, text)->block)->name;
}

static void names_are_found_by_line_and_then_by_pattern(void **state)
{
    (void)state;
    Table table;
    table_open(&table,
               "stairs:*_wood = terrane:oak_log\nstairs:* = terrane:stone\n"
               "*_leaves=terrane:oak_leaves\nstairs:odd_wood = terrane:ice\n",
               false);
    assert_string_equal(table_block(&table, "stairs:odd_wood"), "terrane:ice");
    assert_string_equal(table_block(&table, "stairs:slab_wood"), "terrane:oak_log");
    assert_string_equal(table_block(&table, "stairs:slab_leaves"), "terrane:stone");
    assert_string_equal(table_block(&table, "stairs:"), "terrane:stone");
    assert_string_equal(table_block(&table, "a_leaves"), "terrane:oak_leaves");
    assert_false(table_find(&table, "a_leaves")->is_unknown);
    assert_ptr_equal(table_find(&table, "a_leaves"), table_find(&table, "a_leaves"));
    assert_string_equal(table_block(&table, "terrane:grass"), "terrane:grass"); // ours
    assert_false(table_find(&table, "terrane:grass")->is_unknown);
    table_close(&table);
}

static void a_pattern_may_have_any_number_of_stars(void **state)
{
    (void)state;
    Table table;
    table_open(
        &table,
        "*:*red*stone*_slab = terrane:ice\n*a*a*a = terrane:sand\n*:*stone* = terrane:stone\n"
        "** = terrane:dirt\n",
        false);
    assert_string_equal(table_block(&table, "x:old_red_sandstone_slab"), "terrane:ice");
    assert_string_equal(table_block(&table, "x:redstone_slab"), "terrane:ice");
    assert_string_equal(table_block(&table, "x:stone_red_slab"), "terrane:stone");
    assert_string_equal(table_block(&table, "aaa"), "terrane:sand");
    assert_string_equal(table_block(&table, "aa"), "terrane:dirt");
    assert_string_equal(table_block(&table, "xaxaxa"), "terrane:sand");
    assert_string_equal(table_block(&table, ""), "terrane:dirt");
    table_close(&table);
}

static void a_star_may_stand_in_a_property(void **state)
{
    (void)state;
    Table table;
    TrnImportState found;
    static const TrnImportProperty lit = {"lit", "true", 3, 4}, age = {"age", "7", 3, 1};
    table_open(&table,
               "a:b[age=*] = terrane:ice\n*:*_c[lit=true] = terrane:sand\na:* = terrane:stone\n",
               false);
    assert_int_equal(trn_import_names_find_state(&table.names, "a:b", 3, &age, 1, &found),
                     TRN_RESULT_OK);
    assert_string_equal(trn_block_types_get(table.types, found.block)->name, "terrane:ice");
    for (int i = 0; i < 2; i++) { // found, and found again
        assert_int_equal(trn_import_names_find_state(&table.names, "a:b", 3, &lit, 1, &found),
                         TRN_RESULT_OK);
        assert_string_equal(trn_block_types_get(table.types, found.block)->name, "terrane:stone");
        assert_int_equal(trn_import_names_find_state(&table.names, "a:x_c", 5, &lit, 1, &found),
                         TRN_RESULT_OK);
        assert_string_equal(trn_block_types_get(table.types, found.block)->name, "terrane:sand");
    }
    table_close(&table);
}

static void a_line_of_colours_stands_for_sixteen(void **state)
{
    (void)state;
    Table table;
    table_open(
        &table,
        "m:<colour>_thing = terrane:<colour>_wool\n*:*<colour>* = terrane:<colour>_concrete\n",
        false);
    assert_string_equal(table_block(&table, "m:red_thing"), "terrane:red_wool");
    assert_string_equal(table_block(&table, "m:light_gray_thing"), "terrane:light_gray_wool");
    assert_string_equal(table_block(&table, "a:light_blue_bed"), "terrane:light_blue_concrete");
    assert_string_equal(table_block(&table, "a:blue_bed"), "terrane:blue_concrete");
    assert_true(table_find(&table, "m:teal_thing")->is_unknown);
    table_close(&table);
}

/// Opens a table with a built-in one of a line for stone and a pattern, and two names that are air.
static void table_open_all(Table *table, const char *text)
{
    static const char own[] = "a:stone = terrane:stone\na:* = terrane:dirt\n";
    static const char *const airs[] = {"a:air", "a:void", NULL};
    const TrnAllocator allocator = trn_allocator_default();
    const TrnImportTables tables = {{text, text ? strlen(text) : 0}, {own, sizeof own - 1}, airs};
    TrnStorageProblem problem = {""};
    assert_int_equal(trn_block_types_create_builtin(NULL, &table->types), TRN_RESULT_OK);
    if (trn_import_names_open(&table->names, &allocator, table->types, TRN_IMPORT_UNKNOWN_ADDED,
                              &tables, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
}

static void air_is_air_whatever_a_table_leaves_out(void **state)
{
    (void)state;
    static const char *const tables[] = {NULL, "", "a:stone = terrane:ice", "* = terrane:ice",
                                         "include built-in\na:* = terrane:ice"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        Table table;
        table_open_all(&table, tables[i]);
        assert_string_equal(table_block(&table, "a:air"), "terrane:air");
        assert_string_equal(table_block(&table, "a:void"), "terrane:air");
        table_close(&table);
    }
    Table table; // unless a line is for exactly that
    table_open_all(&table, "a:void = terrane:glass");
    assert_string_equal(table_block(&table, "a:void"), "terrane:glass");
    assert_string_equal(table_block(&table, "a:air"), "terrane:air");
    table_close(&table);
}

static void a_table_may_extend_the_built_in_one(void **state)
{
    (void)state;
    Table table;
    table_open_all(&table, "a:stone = terrane:ice\n");
    assert_string_equal(table_block(&table, "a:stone"), "terrane:ice");
    assert_true(table_find(&table, "a:thing")->is_unknown);
    table_close(&table);
    table_open_all(&table,
                   "a:stone = terrane:ice\n include built-in # and more\n*_b = terrane:sand");
    assert_string_equal(table_block(&table, "a:stone"), "terrane:ice");
    assert_string_equal(table_block(&table, "a:thing"), "terrane:dirt");
    assert_string_equal(table_block(&table, "a:thing_b"), "terrane:sand");
    assert_string_equal(table_block(&table, "b:cracked_stone_bricks"), "terrane:stone_bricks");
    table_close(&table);
}

/// Names of parts that no list has, and what the rules make of them.
static void names_that_no_list_has_go_to_their_family(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"mod:ancient_mossy_stone_brick_slab", "terrane:stone_slab"},
        {"mod:chiseled_granite_stairs", "terrane:granite_stairs"},
        {"mod:redwood_planks", "terrane:oak_planks"},
        {"mod:dark_spruce_log", "terrane:pine_log"},
        {"mod:striped_light_blue_wool", "terrane:light_blue_wool"},
        {"mod:lime_concrete_bricks", "terrane:lime_concrete"},
        {"mod:deepslate_silver_ore", "terrane:slate_iron_ore"},
        {"mod:deepslate_copper_ore", "terrane:slate_copper_ore"},
        {"mod:rusty_iron_trapdoor", "terrane:trapdoor"},
        {"mod:hidden_button", "terrane:air"},
        {"mod:blue_glass_pane", "terrane:glass_pane"},
        {"mod:maple_leaves", "terrane:oak_leaves"},
        {"mod:palm_fence_gate", "terrane:fence_gate"},
        {"mod:polished_marble", "terrane:calcite"},
        {"mod:iron_chest", "terrane:chest"},
        {"mod:brass_rail", "terrane:rail"},
    };
    Table table;
    table_open_all(&table, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(table_block(&table, cases[i][0]), cases[i][1]);
        assert_false(table_find(&table, cases[i][0])->is_unknown);
    }
    assert_true(table_find(&table, "mod:gizmo")->is_unknown);
    table_close(&table);
}

static void unknown_names_become_placeholders(void **state)
{
    (void)state;
    Table table;
    table_open(&table, "a:b = terrane:stone", false);
    static const char *const cases[][2] = {
        {"mesecons:wire_0001_off", "mesecons:wire_0001_off"},
        {"Mod:Big Stone", "mod:big_stone"},
        {"plain", "imported:plain"},
        {":odd", "_:odd"},
        {"odd:", "odd:_"},
        {"a:b:c", "a:b_c"},
        {"", "imported:_"},
        {"\xC3\xB6:x", "__:x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const TrnImportName *name = table_find(&table, cases[i][0]);
        assert_true(name->is_unknown);
        assert_string_equal(table_block(&table, cases[i][0]), cases[i][1]);
        assert_true(trn_block_types_get(table.types, name->block)->is_unknown);
    }
    table_close(&table);
}

static void names_of_any_length_are_kept_apart(void **state)
{
    (void)state;
    Table table;
    table_open(&table, "", false);
    char long_name[400], short_space[400];
    memset(long_name, 'x', sizeof long_name);
    memset(short_space, 'y', sizeof short_space);
    short_space[3] = ':';
    TrnImportName *names[6];
    const char *const texts[] = {long_name,   short_space, long_name,
                                 short_space, long_name,   short_space};
    const size_t sizes[] = {64, 64, 255, 255, 254, 254};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(trn_import_names_find(&table.names, texts[i], sizes[i], &names[i]),
                         TRN_RESULT_OK);
        for (size_t other = 0; other < i; other++) {
            assert_int_not_equal(names[i]->block, names[other]->block);
        }
    }
    TrnImportName *cut = NULL; // the rest of a longer name does not count
    assert_int_equal(trn_import_names_find(&table.names, long_name, 400, &cut), TRN_RESULT_OK);
    assert_ptr_equal(cut, names[2]);
    assert_int_equal(trn_import_names_find(&table.names, "a\0b", 3, &cut), TRN_RESULT_OK);
    assert_string_equal(trn_block_types_get(table.types, cut->block)->name, "imported:a_b");
    table_close(&table);
}

static void fixed_types_never_change(void **state)
{
    (void)state;
    Table table;
    table_open(&table, "", true);
    uint32_t before, after;
    (void)trn_block_types_all(table.types, &before);
    assert_int_equal(before, TRN_BLOCK_BUILTIN_COUNT + TRN_IMPORT_PLACEHOLDERS);
    const TrnImportName *a = table_find(&table, "a:b"), *c = table_find(&table, "c:d");
    assert_true(a->is_unknown && c->is_unknown);
    assert_true(trn_block_types_get(table.types, a->block)->is_unknown);
    (void)trn_block_types_all(table.types, &after);
    assert_int_equal(before, after);
    table_close(&table);
}

static void the_number_of_unknown_names_is_limited(void **state)
{
    (void)state;
    Table table;
    table_open(&table, "", false);
    char text[32];
    for (uint32_t i = 0; i < TRN_IMPORT_UNKNOWN_MAX + 3; i++) {
        (void)snprintf(text, sizeof text, "many:%u", (unsigned)i);
        const bool is_told_apart = i < TRN_IMPORT_UNKNOWN_MAX;
        assert_string_equal(table_block(&table, text), is_told_apart ? text : "imported:other");
    }
    uint32_t count;
    (void)trn_block_types_all(table.types, &count);
    assert_int_equal(count, TRN_BLOCK_BUILTIN_COUNT + TRN_IMPORT_UNKNOWN_MAX + 1);
    table_close(&table);
}

static void a_wrong_table_names_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line, *says;
    } cases[] = {
        {"a:b = terrane:stone\nc:d", "line 2", "no '='"},
        {"a:b = terrane:stome", "line 1", "'terrane:stome' is no block"},
        {"\n\na:b =", "line 3", "is no block"},
        {"= terrane:stone", "line 1", "1 to 255 bytes"},
        {"a:b = terrane:stone\n\na:b = terrane:dirt", "line 3", "'a:b' has a line already"},
        {"a:b = \x01\x02", "line 1", "?' is no block"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Table table;
        TrnStorageProblem problem = {""};
        assert_int_equal(table_try(&table, cases[i].text, strlen(cases[i].text), false, &problem),
                         TRN_RESULT_CORRUPT);
        if (!strstr(problem.sentence, cases[i].line) || !strstr(problem.sentence, cases[i].says)) {
            fail_msg("%s", problem.sentence);
        }
        trn_block_types_destroy(table.types);
    }
}

static void a_table_of_any_bytes_is_safe(void **state)
{
    (void)state;
    static const char bytes[] = "a:*=terrane:ice\n#\nb = terrane:air";
    TestRandom random = test_random_seeded(11);
    for (uint32_t i = 0; i < test_rounds(4000, 400); i++) {
        char text[sizeof bytes - 1];
        memcpy(text, bytes, sizeof text);
        const size_t size = (size_t)test_random_range(&random, 0, sizeof text);
        text[test_random_next(&random) % sizeof text] = (char)test_random_next(&random);
        char *copy = malloc(size + 1); // so that a sanitizer sees its end
        assert_non_null(copy);
        memcpy(copy, text, size);
        Table table;
        TrnStorageProblem problem;
        if (table_try(&table, copy, size, false, &problem) == TRN_RESULT_OK) {
            trn_import_names_free(&table.names);
        }
        trn_block_types_destroy(table.types);
        free(copy);
    }
}

// ---- imports -----------------------------------------------------------------------------------

typedef struct World {
    TrnBlockTypes *types;
    TrnImport *import;
    TrnSave *save;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint64_t stop_at;
    uint32_t steps;
} World;

static TrnResult world_try(World *world, const char *path, TrnStorageProblem *problem)
{
    TrnImportDef def = trn_import_def();
    def.path = path;
    def.types = world->types;
    return trn_import_open_reader(&def, TRN_IMPORT_VOX, &fake_reader, &world->import, problem);
}

static int begin(void **state)
{
    World *world = calloc(1, sizeof *world);
    TrnSaveDef def = trn_save_def();
    TrnStorageProblem problem = {""};
    *state = world;
    if (trn_block_types_create_builtin(NULL, &world->types) != TRN_RESULT_OK ||
        world_try(world, "fake", &problem) != TRN_RESULT_OK ||
        trn_storage_memory(NULL, &def.storage) != TRN_RESULT_OK) {
        return 1;
    }
    def.types = world->types;
    def.commit_seconds = 0; // the save's thread writes while unknown names are added
    return trn_save_create(&def, &world->save, &problem) != TRN_RESULT_OK;
}

static int end(void **state)
{
    World *world = *state;
    (void)trn_save_destroy(world->save);
    trn_import_destroy(world->import);
    trn_block_types_destroy(world->types);
    free(world);
    return fake.import != NULL;
}

static bool count_steps(void *user, TrnImportProgress now)
{
    World *world = user;
    assert_int_equal(now.done, ++world->steps);
    assert_int_equal(now.total, FAKE_LISTED);
    assert_int_equal(now.copied, now.done < FAKE_CHUNKS ? now.done : FAKE_CHUNKS);
    return now.done != world->stop_at;
}

/// Loads chunk i from a source. @return the block at voxel 5
static TrnBlock load_one(World *world, TrnStreamSource source, uint32_t i, TrnResult expected)
{
    const TrnStreamJob job = {.coord = {(int32_t)i, -(int32_t)i, 2 * (int32_t)i}};
    bool uniform = false;
    assert_int_equal(source.load(source.user, &job, world->blocks, &uniform), expected);
    return world->blocks[uniform ? 0 : 5];
}

static void everything_is_copied_into_a_save(void **state)
{
    World *world = *state;
    assert_int_equal(trn_import_into(world->import, world->save, count_steps, world),
                     TRN_RESULT_OK);
    assert_int_equal(world->steps, FAKE_LISTED);
    const TrnSaveStats stats = trn_save_stats(world->save);
    assert_int_equal(stats.written, FAKE_CHUNKS);
    assert_int_equal(stats.in_queue, 0);
    const TrnStreamSource source = trn_save_source(world->save);
    TrnBlock thing;
    assert_int_equal(trn_block_types_find(world->types, "their:thing", &thing), TRN_RESULT_OK);
    for (uint32_t i = 0; i < FAKE_CHUNKS; i++) {
        const TrnBlock expected = i % 2 == 0   ? TRN_BLOCK_STONE
                                  : i % 4 == 1 ? thing
                                               : TRN_BLOCK_OAK_LOG;
        assert_int_equal(load_one(world, source, i, TRN_RESULT_OK), expected);
    }
}

static void a_copy_stops_when_asked(void **state)
{
    World *world = *state;
    world->stop_at = 6;
    assert_int_equal(trn_import_into(world->import, world->save, count_steps, world),
                     TRN_RESULT_OK);
    assert_int_equal(world->steps, 6);
    assert_int_equal(trn_save_stats(world->save).written, 6);
    assert_int_equal(load_one(world, trn_save_source(world->save), 5, TRN_RESULT_OK),
                     trn_block_types_find(world->types, "their:thing", world->blocks) ==
                             TRN_RESULT_OK
                         ? world->blocks[0]
                         : 0);
    (void)load_one(world, trn_save_source(world->save), 6, TRN_RESULT_NOT_FOUND);
}

static void a_source_that_fails_ends_the_copy(void **state)
{
    World *world = *state;
    fake.fails = true;
    assert_int_equal(trn_import_into(world->import, world->save, NULL, NULL), TRN_RESULT_IO);
    assert_int_equal(fake.loads, 1);
}

static void a_full_queue_is_flushed(void **state)
{
    World *world = *state;
    TrnSaveDef def = trn_save_def();
    TrnSave *save;
    def.types = world->types;
    def.queue_bytes = 20000; // some four chunks
    def.commit_seconds = 3600;
    assert_int_equal(trn_storage_memory(NULL, &def.storage), TRN_RESULT_OK);
    assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_import_into(world->import, save, NULL, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_save_stats(save).written, FAKE_CHUNKS);
    assert_true(trn_save_stats(save).transactions > 3);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
}

static void the_source_loads_and_never_saves(void **state)
{
    World *world = *state;
    const TrnStreamSource source = trn_import_source(world->import);
    assert_null(source.save);
    assert_false(source.saves_shown);
    assert_int_equal(load_one(world, source, 3, TRN_RESULT_OK), TRN_BLOCK_OAK_LOG);
    const TrnStreamJob far = {.coord = {3, -3, 6}, .level = 1};
    bool uniform;
    assert_int_equal(source.load(source.user, &far, world->blocks, &uniform), TRN_RESULT_NOT_FOUND);
    assert_null(trn_import_source(NULL).load);
}

typedef struct Report {
    TrnImportNote notes[8];
    char text[8][128];
    uint32_t count;
} Report;

static bool keep_note(void *user, const TrnImportNote *note)
{
    Report *report = user;
    assert_true(report->count < 8);
    (void)snprintf(report->text[report->count], 128, "%s (%s)", note->what, note->where);
    report->notes[report->count++] = *note;
    return true;
}

static void the_report_counts_what_was_left_out(void **state)
{
    World *world = *state;
    Report report = {0};
    assert_int_equal(trn_import_into(world->import, world->save, NULL, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_import_report(world->import, keep_note, &report), TRN_RESULT_OK);
    assert_int_equal(report.count, 3);
    assert_string_equal(report.text[0], "their:thing ()");
    assert_int_equal(report.notes[0].kind, TRN_IMPORT_NOTE_UNKNOWN);
    assert_int_equal(report.notes[0].count, FAKE_CHUNKS / 4);
    assert_string_equal(report.text[1], "smells ()");
    assert_int_equal(report.notes[1].kind, TRN_IMPORT_NOTE_IGNORED);
    assert_int_equal(report.notes[1].count, 2 * FAKE_CHUNKS);
    assert_string_equal(report.text[2], "pieces: the data ends early (piece 7)");
    assert_int_equal(report.notes[2].kind, TRN_IMPORT_NOTE_DAMAGED);
    assert_int_equal(report.notes[2].count, 2);
}

static void problems_are_sentences(void **state)
{
    World *world = *state;
    TrnStorageProblem problem = {""};
    TrnImport *import = world->import;
    assert_int_equal(world_try(world, "damaged", &problem), TRN_RESULT_CORRUPT);
    assert_string_equal(problem.sentence, "damaged: it is damaged.");
    assert_ptr_equal(world->import, import);
    TrnImportDef def = trn_import_def();
    def.types = world->types;
    def.path = "/no/such/place";
    assert_int_equal(trn_import_open(&def, &import, &problem), TRN_RESULT_NOT_FOUND);
    assert_string_equal(problem.sentence, "/no/such/place: there is no such file or folder.");
    def.path = NULL;
    assert_int_equal(trn_import_open(&def, &import, &problem), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_import_open(NULL, &import, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_string_equal(trn_import_format_name(TRN_IMPORT_LUANTI), "luanti");
    assert_null(trn_import_format_name(TRN_IMPORT_FORMAT_COUNT));
    trn_import_destroy(NULL);
}

static void a_failed_allocation_leaves_nothing_behind(void **state)
{
    (void)state;
    TestAllocator counting = {0};
    const TrnAllocator allocator = test_allocator(&counting);
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (size_t at = 1; result == TRN_RESULT_NO_MEMORY; at++) {
        World world = {0};
        TrnImportDef def = trn_import_def();
        assert_int_equal(trn_block_types_create_builtin(NULL, &world.types), TRN_RESULT_OK);
        def.path = "fake";
        def.types = world.types;
        def.allocator = &allocator;
        test_fail(&counting, at, SIZE_MAX);
        result = trn_import_open_reader(&def, TRN_IMPORT_VOX, &fake_reader, &world.import, NULL);
        if (result == TRN_RESULT_OK) {
            bool uniform;
            result = trn_import_load(world.import, (TrnCoord){1, -1, 0}, world.blocks, &uniform);
            trn_import_destroy(world.import);
        }
        trn_block_types_destroy(world.types);
        assert_int_equal(counting.live_blocks, 0);
        assert_true(at < 5000); // each line of the tables takes one
    }
    assert_int_equal(result, TRN_RESULT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_by_line_and_then_by_pattern),
        cmocka_unit_test(a_pattern_may_have_any_number_of_stars),
        cmocka_unit_test(a_star_may_stand_in_a_property),
        cmocka_unit_test(a_line_of_colours_stands_for_sixteen),
        cmocka_unit_test(air_is_air_whatever_a_table_leaves_out),
        cmocka_unit_test(a_table_may_extend_the_built_in_one),
        cmocka_unit_test(names_that_no_list_has_go_to_their_family),
        cmocka_unit_test(unknown_names_become_placeholders),
        cmocka_unit_test(names_of_any_length_are_kept_apart),
        cmocka_unit_test(fixed_types_never_change),
        cmocka_unit_test(the_number_of_unknown_names_is_limited),
        cmocka_unit_test(a_wrong_table_names_its_line),
        cmocka_unit_test(a_table_of_any_bytes_is_safe),
        cmocka_unit_test_setup_teardown(everything_is_copied_into_a_save, begin, end),
        cmocka_unit_test_setup_teardown(a_copy_stops_when_asked, begin, end),
        cmocka_unit_test_setup_teardown(a_source_that_fails_ends_the_copy, begin, end),
        cmocka_unit_test_setup_teardown(a_full_queue_is_flushed, begin, end),
        cmocka_unit_test_setup_teardown(the_source_loads_and_never_saves, begin, end),
        cmocka_unit_test_setup_teardown(the_report_counts_what_was_left_out, begin, end),
        cmocka_unit_test_setup_teardown(problems_are_sentences, begin, end),
        cmocka_unit_test(a_failed_allocation_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
