// The shape of the directory, with its sources compiled as one unit in which the compiler may
// inline everything but one call. So clang 14 and 16 used a box whose last writes were missing
// (LLVM issue 70578): directories were larger than allowed, and differed from run to run.

#include "index/map/map_page.h"

// NOLINTBEGIN(readability-redundant-declaration, bugprone-suspicious-include): see above
__attribute__((noinline)) uint64_t trn_map_box_volume(TrnBox pages);
#include "index/map/map_page.c"
#include "index/map/map_shape.c"
// NOLINTEND(readability-redundant-declaration, bugprone-suspicious-include)

#include "page_world.h"

#define SHELLS 10
#define PAGES_MAX ((2 * SHELLS - 1) * (2 * SHELLS - 1) * (2 * SHELLS - 1))

/// Adds a page and retires the version before.
static TrnMap *add_page(TrnMap *map, TrnPage *page)
{
    TrnMap *next;
    assert_int_equal(trn_map_add(map, page, &next), TRN_RESULT_OK);
    if (next != map) {
        trn_map_retire(map, next);
    }
    return next;
}

static void a_growing_cube_is_covered_by_few_directories(void **state)
{
    (void)state;
    PageWorld world;
    page_world_open(&world);
    TrnMap *map;
    assert_int_equal(trn_map_create(&world.memory, (size_t)1 << 30, 9, &map), TRN_RESULT_OK);
    static TrnPage *pages[PAGES_MAX];
    size_t count = 0;
    for (int32_t shell = 0; shell < SHELLS; shell++) {
        for (int32_t y = -shell; y <= shell; y++) {
            for (int32_t z = -shell; z <= shell; z++) {
                const bool is_face = abs(y) == shell || abs(z) == shell;
                for (int32_t x = -shell; x <= shell; x += is_face ? 1 : 2 * shell) {
                    pages[count] = page_world_page((TrnCoord){x, y, z});
                    map = add_page(map, pages[count++]);
                    const TrnMapFigures figures = trn_map_figures(map);
                    assert_true(figures.directory_cells <= TRN_MAP_CELLS_PER_PAGE * count);
                }
            }
        }
    }
    assert_int_equal(count, PAGES_MAX);
    const TrnMapFigures figures = trn_map_figures(map);
    assert_int_equal(figures.outliers, 0);
    assert_true(figures.directory_growths <= 2 * SHELLS);
    for (size_t i = 0; i < count; i++) {
        page_world_free(pages[i], NULL);
    }
    trn_retire_reclaim(&world.retire);
    trn_map_destroy(map);
    page_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_growing_cube_is_covered_by_few_directories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
