#include "base/system.h"

#include "base/thread.h"

#if defined(_WIN32)

#include <process.h>

_Static_assert(sizeof(TrnMutex) == sizeof(SRWLOCK), "a mutex is an SRWLOCK");
_Static_assert(sizeof(TrnCondition) == sizeof(CONDITION_VARIABLE), "a condition is one of Win32");

static SRWLOCK *mutex_native(TrnMutex *mutex)
{
    return (SRWLOCK *)(void *)mutex;
}

static CONDITION_VARIABLE *condition_native(TrnCondition *condition)
{
    return (CONDITION_VARIABLE *)(void *)condition;
}

bool trn_mutex_init(TrnMutex *mutex)
{
    InitializeSRWLock(mutex_native(mutex));
    return true;
}

void trn_mutex_destroy(TrnMutex *mutex)
{
    (void)mutex; // holds no memory
}

void trn_mutex_lock(TrnMutex *mutex)
{
    AcquireSRWLockExclusive(mutex_native(mutex));
}

bool trn_mutex_try_lock(TrnMutex *mutex)
{
    return TryAcquireSRWLockExclusive(mutex_native(mutex)) != 0;
}

void trn_mutex_unlock(TrnMutex *mutex)
{
    ReleaseSRWLockExclusive(mutex_native(mutex));
}

bool trn_condition_init(TrnCondition *condition)
{
    InitializeConditionVariable(condition_native(condition));
    return true;
}

void trn_condition_destroy(TrnCondition *condition)
{
    (void)condition; // holds no memory
}

void trn_condition_wait(TrnCondition *condition, TrnMutex *mutex)
{
    (void)SleepConditionVariableSRW(condition_native(condition), mutex_native(mutex), INFINITE, 0);
}

void trn_condition_wait_for(TrnCondition *condition, TrnMutex *mutex, double seconds)
{
    const DWORD ms = seconds < 1 ? (DWORD)(seconds * 1e3) + 1 : 1000;
    (void)SleepConditionVariableSRW(condition_native(condition), mutex_native(mutex), ms, 0);
}

void trn_condition_wake_all(TrnCondition *condition)
{
    WakeAllConditionVariable(condition_native(condition));
}

static unsigned __stdcall thread_run(void *argument)
{
    const TrnThread *thread = argument;
    thread->run(thread->context);
    return 0;
}

bool trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                      void *context)
{
    thread->run = run;
    thread->context = context;
    // Unlike CreateThread, also prepares the C library for the thread.
    thread->handle = (void *)_beginthreadex(NULL, (unsigned)stack_bytes, thread_run, thread,
                                            STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return thread->handle != NULL;
}

void trn_thread_join(TrnThread *thread)
{
    (void)WaitForSingleObject(thread->handle, INFINITE);
    (void)CloseHandle(thread->handle);
}

void trn_thread_lower_priority(uint32_t nice_levels)
{
    if (nice_levels) {
        const int level = nice_levels < 10 ? THREAD_PRIORITY_BELOW_NORMAL : THREAD_PRIORITY_LOWEST;
        (void)SetThreadPriority(GetCurrentThread(), level);
    }
}

uint32_t trn_core_count(void)
{
    const DWORD cores = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return cores ? (uint32_t)cores : 1;
}

#else

#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

bool trn_mutex_init(TrnMutex *mutex)
{
    return pthread_mutex_init(&mutex->state, NULL) == 0;
}

void trn_mutex_destroy(TrnMutex *mutex)
{
    (void)pthread_mutex_destroy(&mutex->state);
}

void trn_mutex_lock(TrnMutex *mutex)
{
    (void)pthread_mutex_lock(&mutex->state);
}

bool trn_mutex_try_lock(TrnMutex *mutex)
{
    return pthread_mutex_trylock(&mutex->state) == 0;
}

void trn_mutex_unlock(TrnMutex *mutex)
{
    (void)pthread_mutex_unlock(&mutex->state);
}

bool trn_condition_init(TrnCondition *condition)
{
    return pthread_cond_init(&condition->state, NULL) == 0;
}

void trn_condition_destroy(TrnCondition *condition)
{
    (void)pthread_cond_destroy(&condition->state);
}

void trn_condition_wait(TrnCondition *condition, TrnMutex *mutex)
{
    (void)pthread_cond_wait(&condition->state, &mutex->state);
}

void trn_condition_wait_for(TrnCondition *condition, TrnMutex *mutex, double seconds)
{
    struct timespec until;
    (void)timespec_get(&until, TIME_UTC);
    const long long ns = until.tv_nsec + (long long)((seconds < 1 ? seconds : 1) * 1e9);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    (void)pthread_cond_timedwait(&condition->state, &mutex->state, &until);
}

void trn_condition_wake_all(TrnCondition *condition)
{
    (void)pthread_cond_broadcast(&condition->state);
}

static void *thread_run(void *argument)
{
    const TrnThread *thread = argument;
    thread->run(thread->context);
    return NULL;
}

bool trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                      void *context)
{
    thread->run = run;
    thread->context = context;
    pthread_attr_t attributes;
    size_t bytes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    const bool is_started =
        pthread_attr_getstacksize(&attributes, &bytes) == 0 &&
        (bytes >= stack_bytes || pthread_attr_setstacksize(&attributes, stack_bytes) == 0) &&
        pthread_create(&thread->handle, &attributes, thread_run, thread) == 0;
    (void)pthread_attr_destroy(&attributes);
    return is_started;
}

void trn_thread_join(TrnThread *thread)
{
    (void)pthread_join(thread->handle, NULL);
}

void trn_thread_lower_priority(uint32_t nice_levels)
{
#if defined(__linux__)
    // Linux sets nice values by thread, unlike POSIX. Failure does no harm.
    const id_t self = (id_t)syscall(SYS_gettid);
    if (nice_levels) {
        const struct sched_param none = {0};
        (void)setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + (int)nice_levels);
        // A woken nice thread can still preempt the caller that has just issued work to it; a batch
        // thread waits for its turn.
        (void)syscall(SYS_sched_setscheduler, self, SCHED_BATCH, &none);
    }
#else
    (void)nice_levels;
#endif
}

uint32_t trn_core_count(void)
{
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
    return 1; // however many the machine has: this build can start no thread
#else
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (uint32_t)cores : 1;
#endif
}

#endif
