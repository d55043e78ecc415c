// A schedule: members who play, and faults, by seed. See sim.h.

#include "sim.h"

#include <inttypes.h>
#include <math.h>

#define SCHEDULE_SETTLE_US 360e6 // after the last pause, until members show what the server has
#define SCHEDULE_BEGIN_US 1e9    // long after the clock began
#define SCHEDULE_CHECK_US 5e5    // between two looks whether they do

SimOptions sim_options(uint64_t seed)
{
    return (SimOptions){.seed = seed, .members = 3, .regions = 2, .servers = 1, .events = 250};
}

static void schedule_begin(const SimOptions *options)
{
    memset(&sim.ledger, 0, sizeof sim.ledger);
    sim.options = *options;
    sim.random.state = options->seed * 2;
    sim.keys.state = options->seed * 2 + 1;
    sim.now_us = SCHEDULE_BEGIN_US;
    sim.events = sim.lives = 0;
    sim.task_number = 0;
    sim.is_quiet = sim.has_failed = false;
    for (uint32_t i = 0; i < SIM_SERVERS_MAX; i++) {
        sim.servers[i] = (SimServer){.start = 1, .timeline = 1};
    }
    sim.lied_to = NULL;
    sim.failure[0] = '\0';
    sim_disk_copy(&sim.server, sim_new_world());
    sim_disk_copy(&sim.standby, sim_new_world());
    sim.slowness = sim_chance(0.5) ? 1 : sim_between(0.2, 20);
    sim.lease_seconds = sim_between(0.3, 3);
    if (options->has_levels) { // a chunk of a level takes a dozen messages there and back
        sim.lease_seconds += 0.5 * sim.slowness;
    }
    sim.is_slow = sim_chance(0.15);
    sim.options.events *= sim.is_slow ? 3 : 1;
    sim.has_notify = sim_chance(0.7);
    sim.processes = calloc(options->members, sizeof *sim.processes);
    for (uint32_t i = 0; i < options->members; i++) {
        SimProcess *process = &sim.processes[i];
        process->number = i;
        process->blocks = aligned_alloc(64, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
        sim_process_start(process);
    }
}

static void schedule_end(void)
{
    for (uint32_t i = 0; i < sim.options.members; i++) {
        sim_process_kill(&sim.processes[i]);
        free(sim.processes[i].blocks);
    }
    while (sim.task_count) { // late commits
        sim.now_us += 1e6;
        (void)sim_step();
    }
    free(sim.processes);
    sim_disk_clear(&sim.server);
    sim_disk_clear(&sim.standby);
}

// ---- faults ------------------------------------------------------------------------------------

static void schedule_begin_again(SimProcess *process)
{
    sim_process_kill(process);
    sim_process_start(process);
}

/// Lets one thing go wrong.
static void schedule_fault(void)
{
    SimProcess *process = &sim.processes[sim_below(sim.options.members)];
    const uint32_t server = sim.options.servers > 1 ? sim_below(sim.options.servers) : 0;
    const double kind = sim_between(0, 1);
    if (kind < 0.15) {
        sim_log("%" PRIu64 " is killed", process->life);
        schedule_begin_again(process);
    } else if (kind < 0.30) {
        process->paused_us = sim.now_us + sim_between(1e5, sim_chance(0.1) ? 7e7 : 4e6);
        sim_log("%" PRIu64 " stops until %f", process->life, process->paused_us * 1e-6);
    } else if (kind < 0.42) {
        process->cut_off_us = sim.now_us + sim_between(1e5, sim_chance(0.2) ? 1e8 : 4e6);
        sim_log("%" PRIu64 " is cut off until %f", process->life, process->cut_off_us * 1e-6);
    } else if (kind < 0.50) {
        sim.servers[server].clock_us +=
            sim_chance(0.5) ? sim_between(-3e6, 3e6) : sim_between(-1e10, 1e10);
        sim_log("the clock of server %u jumps", server);
    } else if (kind < 0.68) {
        sim_log("the standby of server %u has all", server);
        sim_replicate(server);
    } else if (kind < 0.80) {
        sim_log("a standby of server %u that is behind takes over", server);
        sim_fail_over(server, true);
    } else if (kind < 0.86) {
        sim_log("a standby of server %u takes over", server);
        sim_fail_over(server, false);
    } else if (kind < 0.90) {
        sim_log("a connection of %" PRIu64 " breaks", process->life);
        sim_cut_link(process);
    } else if (kind < 0.95) {
        sim_log("server %u starts again", server);
        sim_restart(server, sim_between(0, sim.options.servers > 1 ? 2e7 : 2e6));
    } else {
        (void)sim_start(sim_intrude, NULL, NULL);
    }
}

/// A program that has left begins again.
static void schedule_return(SimProcess *process)
{
    if (process && process->game->is_over) {
        schedule_begin_again(process);
    }
}

// ---- running -----------------------------------------------------------------------------------

/// Runs the members and faults until there were enough events.
static void schedule_play(void)
{
    const double fault_us = sim_between(2e5, 3e6) * (sim.is_slow ? 8 : 1);
    double next_us = sim.now_us + sim_between(0, 2 * fault_us);
    while (sim.events < sim.options.events && !sim.has_failed) {
        if (!sim.options.is_calm && next_us < sim_next_us()) {
            sim.now_us = next_us > sim.now_us ? next_us : sim.now_us;
            sim.events++;
            schedule_fault();
            next_us = sim.now_us + sim_between(0, 2 * fault_us);
            sim_check_step(NULL);
        } else {
            SimProcess *process = sim_step();
            sim_check_step(process);
            schedule_return(process);
        }
    }
}

/// Ends the faults. Half of the time, what is stopped or cut off stays so for as long as it was to.
/// @return when all members go on
static double schedule_heal(void)
{
    const bool is_soon = sim_chance(0.5);
    double last_us = sim.now_us;
    for (uint32_t i = 0; i < sim.options.members; i++) {
        SimProcess *process = &sim.processes[i];
        if (is_soon) {
            process->paused_us = process->cut_off_us = 0;
            sim_wake(process->game, sim.now_us + sim_between(0, 1e5));
            for (uint32_t k = 0; k < sim.options.servers; k++) {
                sim_wake(process->threads[k], sim.now_us + sim_between(0, 1e5));
            }
        }
        last_us = fmax(last_us, fmax(process->paused_us, process->game->wake_us));
        last_us = fmax(last_us, process->cut_off_us);
    }
    return last_us;
}

/// Lets all members settle.
static void schedule_settle(void)
{
    const double healed_us = schedule_heal(), until_us = healed_us + SCHEDULE_SETTLE_US;
    double look_us = sim.now_us + SCHEDULE_CHECK_US;
    bool is_settled = false;
    sim_log("no more edits and faults");
    sim.is_quiet = true;
    sim.quiet_us = healed_us;
    while (!is_settled && sim.now_us < until_us && !sim.has_failed) {
        SimProcess *process = sim_step();
        sim_check_step(process);
        schedule_return(process);
        if (sim.now_us >= look_us) {
            is_settled = sim_check_end(false);
            look_us = sim.now_us + SCHEDULE_CHECK_US;
        }
    }
    if (!is_settled && !sim.has_failed && !sim_check_end(true) && !sim.has_failed) {
        sim_fail("members do not settle");
    }
}

bool sim_run(const SimOptions *options)
{
    schedule_begin(options);
    schedule_play();
    if (!sim.has_failed) {
        schedule_settle();
    }
    schedule_end();
    return !sim.has_failed;
}
