/// Pages of quads, against a simple model.
#include "testing.h"

#include <render/page_allocator.h>

#define MODEL_PAGES 512

/// The owner of each page; 0: free.
typedef struct PageModel {
    uint16_t holder[MODEL_PAGES];
    PageRun runs[MODEL_PAGES];
    uint32_t run_count;
    uint16_t next_holder;
} PageModel;

static uint32_t model_longest_free(const PageModel *model, uint32_t pages)
{
    uint32_t longest = 0, length = 0;
    for (uint32_t i = 0; i < pages; i++) {
        length = model->holder[i] ? 0 : length + 1;
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void model_take(PageModel *model, PageAllocator *allocator, uint32_t count)
{
    uint32_t first;
    bool fits = model_longest_free(model, allocator->pages) >= count;
    assert_int_equal(page_allocator_take(allocator, count, &first), fits);
    if (!fits) {
        return;
    }
    model->next_holder++;
    for (uint32_t i = first; i < first + count; i++) {
        assert_true(i < allocator->pages);
        assert_int_equal(model->holder[i], 0);
        model->holder[i] = model->next_holder;
    }
    model->runs[model->run_count++] = (PageRun){first, count};
}

static void model_give(PageModel *model, PageAllocator *allocator, uint32_t index)
{
    PageRun run = model->runs[index];
    assert_true(page_allocator_give(allocator, run.first, run.count));
    assert_false(page_allocator_give(allocator, run.first, run.count)); // twice
    memset(&model->holder[run.first], 0, run.count * sizeof model->holder[0]);
    model->runs[index] = model->runs[--model->run_count];
}

static void pages_agree_with_a_simple_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(13);
    for (int round = 0; round < 20; round++) {
        PageModel model = {.run_count = 0};
        PageAllocator allocator = {0};
        uint32_t first;
        assert_false(page_allocator_take(&allocator, 1, &first));
        assert_true(page_allocator_grow(&allocator, 64));
        for (int step = 0; step < 3000; step++) {
            int64_t choice = test_random_range(&random, 0, 99);
            if (choice < 1 && allocator.pages < MODEL_PAGES) {
                assert_true(page_allocator_grow(&allocator, allocator.pages + 32));
            } else if (choice < 55) {
                model_take(&model, &allocator, (uint32_t)test_random_range(&random, 1, 24));
            } else if (model.run_count) {
                model_give(&model, &allocator,
                           (uint32_t)test_random_range(&random, 0, model.run_count - 1));
            }
        }
        while (model.run_count) {
            model_give(&model, &allocator, 0);
        }
        assert_int_equal(allocator.taken, 0);
        assert_int_equal(allocator.free_count, 1); // all merged again
        assert_int_equal(allocator.free_runs[0].count, allocator.pages);
        page_allocator_free(&allocator);
    }
}

static void pages_that_are_not_there_cannot_be_given_back(void **state)
{
    (void)state;
    PageAllocator allocator = {0};
    uint32_t first;
    assert_true(page_allocator_grow(&allocator, 16));
    assert_true(page_allocator_take(&allocator, 8, &first));
    assert_false(page_allocator_give(&allocator, first, 0));
    assert_false(page_allocator_give(&allocator, first, 9));
    assert_false(page_allocator_give(&allocator, 15, 2));
    assert_false(page_allocator_give(&allocator, UINT32_MAX, 2));
    assert_false(page_allocator_grow(&allocator, 8));
    assert_true(page_allocator_give(&allocator, first, 8));
    page_allocator_free(&allocator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_agree_with_a_simple_model),
        cmocka_unit_test(pages_that_are_not_there_cannot_be_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
