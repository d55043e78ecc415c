// Tasks on the virtual clock, and random numbers: see sim.h.

#include "sim.h"

#include "base/memory.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define SIM_HAS_FIBERS 1
#endif
#endif
#if !defined(SIM_HAS_FIBERS)
#define SIM_HAS_FIBERS 0
#endif

#define SIM_STACK_BYTES ((size_t)512 << 10)

Sim sim;

#if SIM_HAS_FIBERS
static const void *main_stack; // of the program, as the sanitizer knows it
static size_t main_stack_bytes;
#endif

static struct {
    void **items;
    uint32_t count, capacity;
} sim_stacks; // that no task has

// The clock and the keys of all libraries (--wrap of the linker).
// NOLINTBEGIN(bugprone-reserved-identifier)
double __wrap_trn_clock_us(void);
uint64_t __wrap_trn_entropy_key(void);
TrnResult __wrap_trn_address_range_reserve(size_t bytes, void *range);
// NOLINTEND(bugprone-reserved-identifier)

double __wrap_trn_clock_us(void)
{
    return sim.now_us;
}

uint64_t __wrap_trn_entropy_key(void)
{
    return test_random_next(&sim.keys) | 1;
}

/// Stores take their chunks from the heap: mapping memory takes longer than a schedule.
TrnResult __wrap_trn_address_range_reserve(size_t bytes, void *range)
{
    (void)bytes, (void)range;
    return TRN_RESULT_NO_MEMORY;
}

// ---- stacks ------------------------------------------------------------------------------------

static void *stack_take(void)
{
    if (sim_stacks.count) {
        return sim_stacks.items[--sim_stacks.count];
    }
    return aligned_alloc(TRN_CACHE_LINE, SIM_STACK_BYTES);
}

static void stack_give(void *stack)
{
    if (sim_stacks.count == sim_stacks.capacity) {
        sim_stacks.capacity = 2 * sim_stacks.capacity + 16;
        sim_stacks.items =
            realloc(sim_stacks.items, sim_stacks.capacity * sizeof *sim_stacks.items);
    }
    sim_stacks.items[sim_stacks.count++] = stack;
}

// ---- tasks -------------------------------------------------------------------------------------

/// Goes from one stack to another. @param stack  of the other; NULL: the program's
static void task_switch(ucontext_t *from, const ucontext_t *to, void *stack, bool is_last)
{
#if SIM_HAS_FIBERS
    void *fake = NULL;
    const void *old_stack;
    size_t old_bytes;
    __sanitizer_start_switch_fiber(is_last ? NULL : &fake, stack ? stack : main_stack,
                                   stack ? SIM_STACK_BYTES : main_stack_bytes);
    (void)swapcontext(from, to);
    __sanitizer_finish_switch_fiber(fake, &old_stack, &old_bytes);
    if (!stack) { // a task goes on, which the program has resumed
        main_stack = old_stack;
        main_stack_bytes = old_bytes;
    }
#else
    (void)stack, (void)is_last;
    (void)swapcontext(from, to);
#endif
}

static void task_main(void)
{
#if SIM_HAS_FIBERS
    __sanitizer_finish_switch_fiber(NULL, &main_stack, &main_stack_bytes);
#endif
    SimTask *task = sim.current;
    task->run(task->user);
    task->is_over = true;
    task_switch(&task->context, &sim.main, NULL, true);
}

// Tasks that are not over are a heap by the time when they wake.

static bool task_is_before(const SimTask *one, const SimTask *other)
{
    return one->wake_us < other->wake_us ||
           (one->wake_us == other->wake_us && one->number < other->number);
}

static void task_set(uint32_t at, SimTask *task)
{
    sim.tasks[at] = task;
    task->at = at;
}

/// Moves the task of a place to where it belongs.
static void task_sift(uint32_t at)
{
    SimTask *task = sim.tasks[at];
    while (at && task_is_before(task, sim.tasks[(at - 1) / 2])) {
        task_set(at, sim.tasks[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (uint32_t below; (below = 2 * at + 1) < sim.task_count; at = below) {
        below +=
            below + 1 < sim.task_count && task_is_before(sim.tasks[below + 1], sim.tasks[below]);
        if (!task_is_before(sim.tasks[below], task)) {
            break;
        }
        task_set(at, sim.tasks[below]);
    }
    task_set(at, task);
}

SimTask *sim_start(void (*run)(void *user), void *user, SimProcess *process)
{
    SimTask *task = calloc(1, sizeof *task);
    *task = (SimTask){.stack = stack_take(), .run = run, .user = user, .process = process};
    task->wake_us = sim.now_us;
    task->called_us = SIM_NEVER;
    task->number = sim.task_number++;
    (void)getcontext(&task->context);
    task->context.uc_stack.ss_sp = task->stack;
    task->context.uc_stack.ss_size = SIM_STACK_BYTES;
    makecontext(&task->context, task_main, 0);
    if (sim.task_count == sim.task_capacity) {
        sim.task_capacity = 2 * sim.task_capacity + 16;
        sim.tasks = realloc(sim.tasks, sim.task_capacity * sizeof(SimTask *));
    }
    task_set(sim.task_count++, task);
    task_sift(task->at);
    return task;
}

void sim_sleep(double us)
{
    SimTask *task = sim.current;
    if (!task) {
        sim.now_us += us;
    } else if (!task->process || !task->process->is_dead) {
        task->wake_us = sim.now_us + us;
        task_switch(&task->context, &sim.main, NULL, false);
    }
}

void sim_resume(SimTask *task)
{
    sim.current = task;
    task_switch(&sim.main, &task->context, task->stack, false);
    sim.current = NULL;
    if (!task->is_over) {
        task_sift(task->at);
        return;
    }
    SimTask *last = sim.tasks[--sim.task_count];
    if (last != task) {
        task_set(task->at, last);
        task_sift(last->at);
    }
}

void sim_wake(SimTask *task, double when_us)
{
    if (task && !task->is_over && when_us < task->wake_us) {
        task->wake_us = when_us;
        task_sift(task->at);
    }
}

void sim_wait(double us)
{
    SimTask *task = sim.current;
    const double until_us = task->called_us < sim.now_us + us ? task->called_us : sim.now_us + us;
    task->called_us = SIM_NEVER;
    task->is_waiting = true;
    sim_sleep(until_us > sim.now_us ? until_us - sim.now_us : 0);
    task->is_waiting = false;
}

void sim_call(SimTask *task, double when_us)
{
    if (task && task->is_waiting) {
        sim_wake(task, when_us);
    } else if (task && when_us < task->called_us) {
        task->called_us = when_us;
    }
}

/// The task that is next. A process that is stopped runs later.
static SimTask *task_next(void)
{
    for (;;) {
        SimTask *next = sim.task_count ? sim.tasks[0] : NULL;
        if (!next || !next->process || next->wake_us >= next->process->paused_us) {
            return next;
        }
        next->wake_us = next->process->paused_us;
        task_sift(0);
    }
}

double sim_next_us(void)
{
    const SimTask *next = task_next();
    return next ? next->wake_us : SIM_NEVER;
}

SimProcess *sim_step(void)
{
    SimTask *task = task_next();
    if (!task) {
        return NULL;
    }
    sim.now_us = sim.now_us < task->wake_us ? task->wake_us : sim.now_us;
    sim.events++;
    sim_resume(task);
    SimProcess *process = task->process;
    if (task->is_over && !process) {
        sim_end_task(task);
    }
    return process;
}

void sim_end_task(SimTask *task)
{
    stack_give(task->stack);
    free(task);
}

// ---- random numbers ----------------------------------------------------------------------------

double sim_between(double low, double high)
{
    return low + (high - low) * (double)(test_random_next(&sim.random) >> 11) * 0x1p-53;
}

bool sim_chance(double probability)
{
    return sim_between(0, 1) < probability;
}

uint32_t sim_below(uint32_t count)
{
    return (uint32_t)(test_random_next(&sim.random) % count);
}

double sim_latency_us(void)
{
    const double kind = sim_between(0, 1);
    const double us = kind < 0.9    ? sim_between(50, 500)
                      : kind < 0.99 ? sim_between(500, 2e4)
                                    : sim_between(2e4, 1e6);
    return us * sim.slowness;
}

// ---- telling -----------------------------------------------------------------------------------

void sim_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!sim.has_failed) {
        (void)vsnprintf(sim.failure, sizeof sim.failure, format, arguments);
        sim.has_failed = true;
    }
    va_end(arguments);
}

void sim_log(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (sim.options.is_verbose) {
        (void)printf("%6llu %12.6f  ", (unsigned long long)sim.events, sim.now_us * 1e-6 - 1000);
        (void)vprintf(format, arguments);
        (void)putchar('\n');
    }
    va_end(arguments);
}

// ---- a mutex -----------------------------------------------------------------------------------

// NOLINTBEGIN(bugprone-reserved-identifier)
void __real_trn_mutex_lock(TrnMutex *mutex);
void __wrap_trn_mutex_lock(TrnMutex *mutex);
// NOLINTEND(bugprone-reserved-identifier)

/// A task may sleep while it has a mutex, so the others wait as tasks do.
void __wrap_trn_mutex_lock(TrnMutex *mutex)
{
    while (sim.current && !trn_mutex_try_lock(mutex)) {
        sim_sleep(100);
    }
    if (!sim.current) {
        __real_trn_mutex_lock(mutex);
    }
}
