/// Private: threads, mutexes and condition variables of the operating system: Win32 on Windows,
/// pthreads elsewhere.
///
/// On Windows these are the system's own since Vista (SRWLOCK, CONDITION_VARIABLE), so a game needs
/// no further DLL. A mutex may not be locked twice by one thread.
#ifndef TERRANE_BASE_THREAD_H
#define TERRANE_BASE_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(_WIN32)
#include <pthread.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
typedef struct TrnMutex {
    void *state; ///< an SRWLOCK
} TrnMutex;

typedef struct TrnCondition {
    void *state; ///< a CONDITION_VARIABLE
} TrnCondition;
#else
typedef struct TrnMutex {
    pthread_mutex_t state;
} TrnMutex;

typedef struct TrnCondition {
    pthread_cond_t state;
} TrnCondition;
#endif

/// A running thread. Stays at its address until it is joined.
typedef struct TrnThread {
    void (*run)(void *context);
    void *context;
#if defined(_WIN32)
    void *handle;
#else
    pthread_t handle;
#endif
} TrnThread;

/// @return false if the system has no more memory for it
bool trn_mutex_init(TrnMutex *mutex);
void trn_mutex_destroy(TrnMutex *mutex);
void trn_mutex_lock(TrnMutex *mutex);
/// @return whether the mutex was free and is locked now
bool trn_mutex_try_lock(TrnMutex *mutex);
void trn_mutex_unlock(TrnMutex *mutex);

/// @return false if the system has no more memory for it
bool trn_condition_init(TrnCondition *condition);
void trn_condition_destroy(TrnCondition *condition);
/// Unlocks the mutex, waits until woken, and locks it again. May also return without a reason.
void trn_condition_wait(TrnCondition *condition, TrnMutex *mutex);
/// The same for at most some seconds, and never longer than one: the system's clock may be set
/// meanwhile.
void trn_condition_wait_for(TrnCondition *condition, TrnMutex *mutex, double seconds);
/// Wakes all threads that wait.
void trn_condition_wake_all(TrnCondition *condition);

/// Starts a thread that calls run(context).
/// @param stack_bytes  of stack at least; C libraries give a thread 128 KiB to 8 MiB
/// @return false if the system starts no more threads
bool trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                      void *context);

/// Waits until the thread's function has returned.
void trn_thread_join(TrnThread *thread);

/// Lowers the priority of the calling thread. Does nothing where the system cannot.
/// @param nice_levels  Linux adds them to the nice value and schedules the thread as batch work;
///                     Windows knows two lower levels: below normal, and lowest from 10 on; 0: none
void trn_thread_lower_priority(uint32_t nice_levels);

/// Returns how many cores the system runs threads on, at least 1.
uint32_t trn_core_count(void);

#ifdef __cplusplus
}
#endif
#endif
