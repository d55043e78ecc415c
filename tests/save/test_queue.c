/// Values in the save's queue: the newest of each name is found, also if names have one hash.
#include "testing.h"

#include "base/hash.h"
#include "save_queue.h"

#define KEY UINT64_C(1)
#define NAMES 6
#define STEPS 20000

/// Makes the last two names such that they have one hash under KEY.
static void craft_names(char names[NAMES][16])
{
    enum { TRIED = 1 << 18, SLOTS = 1 << 19 };
    uint32_t *seen = calloc(SLOTS, sizeof *seen); // by the hash's low bits, numbers plus 1
    assert_non_null(seen);
    for (uint32_t i = 1; i < TRIED; i++) {
        char name[16], other[16];
        (void)snprintf(name, sizeof name, "%08u", (unsigned)i);
        const uint32_t hash = trn_bytes_hash(name, 8, KEY);
        for (uint32_t at = hash % SLOTS;; at = (at + 1) % SLOTS) {
            if (!seen[at]) {
                seen[at] = i;
                break;
            }
            (void)snprintf(other, sizeof other, "%08u", (unsigned)seen[at]);
            if (trn_bytes_hash(other, 8, KEY) == hash) {
                memcpy(names[NAMES - 2], name, sizeof name);
                memcpy(names[NAMES - 1], other, sizeof other);
                free(seen);
                return;
            }
        }
    }
    fail_msg("no two names have one hash");
}

/// What the queue must answer: the number that each name has, 0 for none.
typedef struct QueueModel {
    uint32_t waiting[NAMES], taken[NAMES];
} QueueModel;

static void check_values(const TrnSaveQueue *queue, char names[NAMES][16], const QueueModel *model)
{
    for (int i = 0; i < NAMES; i++) {
        const uint32_t number = model->waiting[i] ? model->waiting[i] : model->taken[i];
        const TrnSaveItem *item = trn_save_queue_find_value(queue, names[i]);
        assert_int_equal(item != NULL, number != 0);
        if (item) {
            assert_string_equal(item->name, names[i]);
            assert_memory_equal(item->value, &number, sizeof number);
        }
    }
}

/// Ends a transaction. What failed waits again, unless something newer does.
static void return_values(TrnSaveQueue *queue, QueueModel *model, bool are_written)
{
    trn_save_queue_free(&queue->allocator, trn_save_queue_return(queue, are_written));
    for (int i = 0; i < NAMES; i++) {
        if (!are_written && !model->waiting[i]) {
            model->waiting[i] = model->taken[i];
        }
        model->taken[i] = 0;
    }
}

static void newest_value_of_each_name_is_found(void **state)
{
    (void)state;
    char names[NAMES][16] = {"a", "b", "c", "d"};
    craft_names(names);
    const TrnAllocator allocator = trn_allocator_default();
    TestRandom random = test_random_seeded(5);
    TrnSaveQueue queue;
    QueueModel model = {{0}, {0}};
    trn_save_queue_init(&queue, &allocator, SIZE_MAX / 2);
    queue.names.key = KEY;
    for (uint32_t step = 1; step <= STEPS; step++) {
        const uint32_t act = (uint32_t)(test_random_next(&random) % 8);
        if (act < 6) {
            const uint32_t i = (uint32_t)(test_random_next(&random) % NAMES);
            const TrnStorageValue value = {names[i], &step, sizeof step};
            assert_int_equal(trn_save_queue_put_value(&queue, &value, step), TRN_RESULT_OK);
            model.waiting[i] = step;
        } else if (!queue.taken.first) {
            (void)trn_save_queue_take(&queue, UINT32_MAX);
            memcpy(model.taken, model.waiting, sizeof model.taken);
            memset(model.waiting, 0, sizeof model.waiting);
        } else {
            return_values(&queue, &model, act == 6);
        }
        check_values(&queue, names, &model);
    }
    return_values(&queue, &model, true);
    (void)trn_save_queue_take(&queue, UINT32_MAX);
    return_values(&queue, &model, true);
    assert_int_equal(queue.names.count, 0);
    assert_int_equal(queue.bytes, 0);
    trn_save_queue_close(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_value_of_each_name_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
