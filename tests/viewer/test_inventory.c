/// The inventory without a window: its tiles, their order, tabs and search.
#include "testing.h"

#include "hand/door.h"
#include "hand/inventory.h"

typedef struct Shelf {
    TrnBlockTypes *types;
    Palette palette;
    Inventory inventory;
    uint32_t *shown;
} Shelf;

static void begin(Shelf *shelf)
{
    assert_int_equal(trn_block_types_create_builtin(NULL, &shelf->types), TRN_RESULT_OK);
}

static void fill(Shelf *shelf)
{
    assert_true(palette_create(&shelf->palette, shelf->types));
    assert_true(inventory_create(&shelf->inventory, &shelf->palette, shelf->types));
    shelf->shown = malloc((shelf->inventory.count + 1) * sizeof *shelf->shown);
    assert_non_null(shelf->shown);
}

static void end(Shelf *shelf)
{
    free(shelf->shown);
    inventory_free(&shelf->inventory);
    palette_free(&shelf->palette);
    trn_block_types_destroy(shelf->types);
}

static const char *label(const Shelf *shelf, uint32_t i)
{
    return shelf->inventory.tiles[shelf->shown[i]].label;
}

static void each_family_is_one_tile_and_none_is_left_out(void **state)
{
    (void)state;
    Shelf shelf;
    bool seen[TRN_BLOCK_BUILTIN_COUNT] = {false};
    begin(&shelf);
    fill(&shelf);
    for (uint32_t i = 0; i < shelf.inventory.count; i++) {
        const TrnBlock block = shelf.inventory.tiles[i].block;
        assert_false(seen[block]);
        seen[block] = true;
        assert_true(shelf.inventory.tiles[i].tabs & 1U << INVENTORY_ALL);
    }
    for (uint32_t block = 1; block < TRN_BLOCK_BUILTIN_COUNT; block++) {
        const TrnBlockType *type = trn_block_types_get(shelf.types, (TrnBlock)block);
        // An open door is no block of its own.
        const bool is_open = door_is(shelf.types, (TrnBlock)block) && strstr(type->name, "_open");
        assert_int_equal(seen[block], type->variant == 0 && !is_open);
        assert_true(seen[palette_item(shelf.types, (TrnBlock)block)]);
    }
    end(&shelf);
}

static void shapes_of_a_material_lie_together(void **state)
{
    (void)state;
    Shelf shelf;
    begin(&shelf);
    TrnBlockType brick = trn_block_type_def("terrane:oak_brick", TRN_BLOCK_KIND_OPAQUE);
    assert_int_equal(trn_block_types_add(shelf.types, &brick, NULL), TRN_RESULT_OK);
    fill(&shelf);
    uint32_t first = UINT32_MAX, last = 0, count = 0;
    for (uint32_t i = 0; i < shelf.inventory.count; i++) {
        const char *name = shelf.inventory.tiles[i].label;
        if (strncmp(name, "oak ", 4) == 0 && strcmp(name, "oak brick") != 0) {
            first = first < i ? first : i;
            last = i;
            count++;
        }
    }
    assert_true(count > 5); // log, leaves, planks, slab, stairs, ...
    assert_int_equal(last - first + 1, count);
    // A material is where its first block is.
    assert_string_equal(shelf.inventory.tiles[0].label, "stone");
    assert_string_equal(shelf.inventory.tiles[1].label, "stone slab");
    end(&shelf);
}

static void a_tab_has_its_kind(void **state)
{
    (void)state;
    Shelf shelf;
    begin(&shelf);
    fill(&shelf);
    uint32_t all = 0;
    for (InventoryTab tab = INVENTORY_CUBES; tab < INVENTORY_TAB_COUNT; tab++) {
        const uint32_t count = inventory_find(&shelf.inventory, tab, "", shelf.shown);
        assert_true(count > 0 && count < shelf.inventory.count);
        for (uint32_t i = 0; i < count; i++) {
            const TrnBlockType *type =
                trn_block_types_get(shelf.types, shelf.inventory.tiles[shelf.shown[i]].block);
            assert_true((type->light > 0) >= (tab == INVENTORY_LIGHTS));
            assert_int_equal(type->kind == TRN_BLOCK_KIND_LIQUID && tab != INVENTORY_LIGHTS,
                             tab == INVENTORY_LIQUIDS);
            assert_true(type->kind != TRN_BLOCK_KIND_MODEL || tab == INVENTORY_SHAPES ||
                        tab == INVENTORY_LIGHTS);
        }
        all += tab == INVENTORY_LIGHTS ? 0 : count;
        assert_true(inventory_tab_title(tab)[0] != '\0');
    }
    assert_int_equal(all, shelf.inventory.count);
    end(&shelf);
}

static void a_search_finds_all_its_words_in_any_order_and_case(void **state)
{
    (void)state;
    Shelf shelf;
    begin(&shelf);
    fill(&shelf);
    const Inventory *all = &shelf.inventory;
    assert_int_equal(inventory_find(all, INVENTORY_ALL, "  STAIRS\tpine ", shelf.shown), 1);
    assert_string_equal(label(&shelf, 0), "pine stairs");
    assert_int_equal(inventory_find(all, INVENTORY_CUBES, "oak stairs", shelf.shown), 0);
    assert_int_equal(inventory_find(all, INVENTORY_ALL, "no such block", shelf.shown), 0);
    assert_int_equal(inventory_find(all, INVENTORY_ALL, " \t ", shelf.shown), all->count);
    const uint32_t stairs = inventory_find(all, INVENTORY_ALL, "stair", shelf.shown);
    assert_int_equal(stairs, 19);
    // Whatever is typed, it ends.
    char search[400];
    memset(search, 'a', sizeof search);
    search[sizeof search - 1] = '\0';
    assert_int_equal(inventory_find(all, INVENTORY_ALL, search, shelf.shown), 0);
    for (size_t i = 0; i < sizeof search - 1; i++) {
        search[i] = (char)(i % 2 ? ' ' : 0xC3);
    }
    assert_int_equal(inventory_find(all, INVENTORY_ALL, search, shelf.shown), 0);
    end(&shelf);
}

static void a_world_of_air_has_an_empty_inventory(void **state)
{
    (void)state;
    Shelf shelf;
    assert_int_equal(trn_block_types_create(NULL, &shelf.types), TRN_RESULT_OK);
    fill(&shelf);
    assert_int_equal(shelf.inventory.count, 0);
    assert_int_equal(inventory_find(&shelf.inventory, INVENTORY_ALL, "", shelf.shown), 0);
    assert_int_equal(palette_bar(&shelf.palette), 0);
    end(&shelf);
}

static void a_bar_begins_with_blocks_for_a_house(void **state)
{
    (void)state;
    Shelf shelf;
    begin(&shelf);
    fill(&shelf);
    TrnBlock planks;
    assert_int_equal(trn_block_types_find(shelf.types, "terrane:oak_planks", &planks),
                     TRN_RESULT_OK);
    assert_int_equal(shelf.palette.bar[2], planks);
    for (uint32_t slot = 0; slot < PALETTE_BAR; slot++) {
        for (uint32_t other = 0; other < slot; other++) {
            assert_int_not_equal(shelf.palette.bar[slot], shelf.palette.bar[other]);
        }
    }
    end(&shelf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_family_is_one_tile_and_none_is_left_out),
        cmocka_unit_test(shapes_of_a_material_lie_together),
        cmocka_unit_test(a_tab_has_its_kind),
        cmocka_unit_test(a_search_finds_all_its_words_in_any_order_and_case),
        cmocka_unit_test(a_world_of_air_has_an_empty_inventory),
        cmocka_unit_test(a_bar_begins_with_blocks_for_a_house),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
