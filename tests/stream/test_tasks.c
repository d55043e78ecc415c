// Tasks: each runs once, on whichever thread is free, and is done when it says so.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#else
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#endif

#include "testing.h"

#include <sched.h>

#include "stream/stream_workers.h"
#include "stream_task.h"

enum { TASKS = 24 };

typedef struct Task {
    TrnStreamTask task; ///< first
    uint32_t runs;      ///< not atomic: read only once the task is done
    uint32_t worker;
    atomic_bool *is_held; ///< NULL: it ends at once
} Task;

static void task_run(TrnStreamTask *task, uint32_t worker)
{
    Task *own = (Task *)(void *)task;
    own->worker = worker;
    while (own->is_held && atomic_load(own->is_held)) {
        (void)sched_yield();
    }
    own->runs++;
}

static void no_work(void *context, TrnStreamWork *work, uint32_t worker)
{
    (void)context;
    (void)work;
    (void)worker;
    fail();
}

static TrnStreamWorkers *workers_of(uint32_t count, const TrnStreamRunner *runner)
{
    const TrnAllocator allocator = trn_allocator_default();
    TrnStreamWorkers *workers;
    const TrnStreamWorkersDef def = {
        .workers = count, .runner = runner, .run = no_work, .allocator = &allocator};
    assert_int_equal(trn_stream_workers_create(&def, &workers), TRN_RESULT_OK);
    return workers;
}

static void end_workers(TrnStreamWorkers *workers)
{
    TrnStreamWorkList left = {0};
    trn_stream_workers_stop(workers, &left);
    assert_int_equal(left.count, 0);
    trn_stream_workers_destroy(workers);
}

/// Issues tasks, waits for some, finishes all in random order, and issues them again.
static void check_run_once(uint32_t count, const TrnStreamRunner *runner)
{
    static Task tasks[TASKS];
    TestRandom random = test_random_seeded(81 + count);
    TrnStreamWorkers *workers = workers_of(count, runner);
    memset(tasks, 0, sizeof tasks);
    for (uint32_t round = 0; round < test_rounds(200, 40); round++) {
        const uint64_t dice = test_random_next(&random);
        for (uint32_t i = 0; i < TASKS; i++) {
            tasks[i] = (Task){.task.run = task_run};
            if ((dice >> i) % 8 && trn_stream_workers_issue_task(workers, &tasks[i].task)) {
                assert_true(count || runner);
            }
        }
        if (dice >> 60 & 1) {
            trn_stream_workers_wait(workers); // for all that were issued
        }
        for (uint32_t k = 0; k < TASKS; k++) {
            Task *task = &tasks[(k * 5 + (uint32_t)(dice >> 56)) % TASKS];
            if (!trn_stream_task_is_done(&task->task)) {
                trn_stream_workers_finish_task(workers, &task->task);
            }
            assert_true(trn_stream_task_is_done(&task->task));
            assert_int_equal(task->runs, 1);
            trn_stream_workers_finish_task(workers, &task->task); // nothing is left to do
            assert_int_equal(task->runs, 1);
        }
    }
    end_workers(workers);
}

// ---- tests -------------------------------------------------------------------------------------

static void tasks_run_once(void **state)
{
    (void)state;
    const uint32_t counts[] = {0, 1, 3, 8};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check_run_once(counts[i], NULL);
    }
}

static void tasks_run_once_on_a_runner(void **state)
{
    (void)state;
    const TrnStreamRunner runners[] = {{stream_start_never, 2, NULL},
                                       {stream_start_at_once, 2, NULL},
                                       {stream_start_thread, 3, NULL}};
    for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
        check_run_once(2, &runners[i]);
    }
}

/// A task behind one that a worker is busy with runs on the calling thread.
static void the_caller_does_what_no_worker_has_begun(void **state)
{
    (void)state;
    atomic_bool is_held = true;
    Task first = {.task.run = task_run, .is_held = &is_held}, second = {.task.run = task_run};
    TrnStreamWorkers *workers = workers_of(1, NULL);
    while (!trn_stream_workers_issue_task(workers, &first.task)) { // the lock was taken
    }
    while (atomic_load(&first.task.state) != TRN_STREAM_TASK_RUNNING) {
        (void)sched_yield();
    }
    while (!trn_stream_workers_issue_task(workers, &second.task)) {
    }
    trn_stream_workers_finish_task(workers, &second.task);
    assert_int_equal(second.worker, 0);
    assert_false(trn_stream_task_is_done(&first.task));
    atomic_store(&is_held, false);
    trn_stream_workers_finish_task(workers, &first.task);
    assert_int_equal(first.worker, 1);
    assert_int_equal(first.runs, 1);
    end_workers(workers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_run_once),
        cmocka_unit_test(tasks_run_once_on_a_runner),
        cmocka_unit_test(the_caller_does_what_no_worker_has_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
