/// A simulator of shared worlds: members (terrane/member.h) as they are shipped, with their desks
/// and leases, in one process, on a virtual clock, over one to three simulated servers. A seed
/// decides all: how long each message takes, who edits what, and which faults there are.
///
///     sim_tasks.c    tasks on the virtual clock, random numbers
///     sim_disk.c     what the server has on its disk
///     sim_link.c     connections (postgres_link.h)
///     sim_server.c   the questions of postgres_members.h and postgres_leases.h
///     sim_world.c    what all schedules share: block types, a world without chunks
///     sim_put.c      puts, and failures of the server
///     sim_storage.c  the storage of a save (postgres_storage.h)
///     sim_members.c  programs with a member: they load, edit, unload, crash and leave
///     sim_check.c    what holds after every step, and at the end
///     sim_schedule.c a schedule: members and faults by seed
///
/// Members and their games run as tasks, each on a stack of its own. A question to the server
/// takes two sleeps: until it arrives, when it takes effect at once, and until the answer arrives.
#pragma once

#include "base/system.h" // before all others

#include "testing.h"

#include <ucontext.h>

#include <terrane/fluid.h>
#include <terrane/member.h>

#include "member_impl.h"
#include "servers.h"

#define SIM_SERVERS_MAX 3u
#define SIM_REGIONS_MAX 64u
#define SIM_CHUNKS 2u      // of a region: the first and the last along x, so that regions touch
#define SIM_MARKS 512u     // voxels of a chunk: each is set once, by one edit
#define SIM_CONTESTED 4u   // the next ones, which all members set
#define SIM_CHANGES_KEPT 8 // of a region: the server of a game keeps 256
#define SIM_LEVELS 4u      // of detail, if there are any
#define SIM_NEVER 1e300
#define SIM_NO_PROCESS "4294967295" // as a URL: of a client that is no member

/// What the server, or a client of it, does wrong on purpose. The checks must find it.
typedef enum SimFlaw {
    SIM_FLAW_NONE,
    SIM_FLAW_NO_TOKEN,  ///< a lease of the same term counts, whatever its token
    SIM_FLAW_NO_GIVE,   ///< a give-back ends the lease, whoever has it
    SIM_FLAW_OUTSIDE,   ///< owners accept edits of chunks outside the region
    SIM_FLAW_EARLY_ACK, ///< a put is acknowledged before it is committed
    SIM_FLAW_SKIPS,     ///< the feed leaves out a change now and then
    SIM_FLAW_NO_EPOCH,  ///< the server does not tell which history it has
    SIM_FLAW_COUNT
} SimFlaw;

typedef struct SimProcess SimProcess;

/// Code that runs until it sleeps.
typedef struct SimTask {
    ucontext_t context;
    void *stack;
    void (*run)(void *user);
    void *user;
    SimProcess *process; ///< NULL: of none
    double wake_us;
    double called_us; ///< when something wants it to end its next wait; SIM_NEVER: nothing does
    bool is_waiting;  ///< in sim_wait
    uint32_t number;  ///< tasks that wake at the same time run in this order
    uint32_t at;      ///< in Sim.tasks, unless it is over
    bool is_over;
} SimTask;

// ---- the server --------------------------------------------------------------------------------

/// Bytes with a count of references.
typedef struct SimBlob {
    uint32_t references;
    size_t size;
    unsigned char bytes[];
} SimBlob;

/// The voxels of a chunk that count, as its row has them.
typedef struct SimContent {
    uint64_t marks[SIM_MARKS / 64];
    TrnBlock contested[SIM_CONTESTED];
} SimContent;

typedef struct SimRow {
    SimBlob *blob; ///< NULL: the chunk has no row
    uint64_t revision;
    SimContent content;
} SimRow;

typedef struct SimChange {
    int64_t number;
    uint32_t chunks; ///< a bit for each; 0: any may have changed
} SimChange;

typedef struct SimRegion {
    bool has_lease;
    int64_t term, token;
    double expires_us; ///< of the server's clock
    double ms;
    uint64_t taker; ///< the process that took it last, of which the server does not know
    int64_t change;
    SimChange changes[SIM_CHANGES_KEPT];
    SimRow rows[SIM_CHUNKS];
} SimRegion;

/// An edit in the queue of a region.
typedef struct SimEdit {
    int64_t region, ticket, member, number;
    int64_t change; ///< 0: it has no answer
    double expires_us;
    SimBlob *blob;
} SimEdit;

typedef struct SimValue {
    char name[64];
    SimBlob *blob;
} SimValue;

/// A row of a chunk that no member edits, such as of a level of detail.
typedef struct SimOther {
    TrnStorageKey key;
    uint64_t revision;
    SimBlob *blob;
} SimOther;

TRN_ARRAY_DECLARE(SimEdits, SimEdit);
TRN_ARRAY_DECLARE(SimOthers, SimOther);
TRN_ARRAY_DECLARE(SimValues, SimValue);

/// What the servers have on their disks. A region, with its edits, is on the server of its hash.
typedef struct SimDisk {
    SimRegion regions[SIM_REGIONS_MAX];
    SimEdits edits;                    ///< by ticket
    SimValues values[SIM_SERVERS_MAX]; ///< by name
    SimOthers others;                  ///< which cases of storages put
    int64_t last_ticket;
    int64_t place[SIM_SERVERS_MAX]; ///< in the log
} SimDisk;

/// A server but for its disk.
typedef struct SimServer {
    uint32_t start; ///< connections of an earlier one are broken
    int64_t timeline;
    double down_us;  ///< until when it is down
    double clock_us; ///< its clock less ours
} SimServer;

/// A connection. TrnPgLink.db points to it.
typedef struct SimLink {
    struct SimLink *next;
    SimProcess *process; ///< NULL: of another client
    uint32_t server;     ///< from 0
    uint32_t start;      ///< of the server
    bool is_cut;
    uint64_t listened, told;          ///< a bit for each region
    int64_t tellers[SIM_REGIONS_MAX]; ///< the member that told of a region; 0: several
} SimLink;

/// A storage in a server, for a save.
typedef struct SimStorage {
    SimProcess *process;
    uint32_t server;
    char url[16];
    TrnMutex mutex;
    TrnLeases leases;
    TrnPgLink writer, readers[2];
    bool is_reading[2];
} SimStorage;

// ---- programs ----------------------------------------------------------------------------------

/// A program with a member. It may end and begin again.
struct SimProcess {
    uint64_t life; ///< unlike that of every other process, and of its earlier runs
    uint32_t number;
    SimTask *game, *threads[SIM_SERVERS_MAX]; ///< of each server
    bool is_dead;                             ///< nothing that it does has an effect any more
    bool is_leaving;                          ///< it ends in order
    bool is_open;                             ///< it has a member
    double paused_us, cut_off_us; ///< until when it is stopped, or does not reach the server
    double touch_us;              ///< when to touch the borders of regions, at the end
    uint64_t rewinds_due;         ///< by the end, at least
    uint64_t acknowledged;        ///< TrnMemberStats.acknowledged when edits were looked at last
    TrnStorage storage;           ///< of all servers
    SimStorage *parts[SIM_SERVERS_MAX];
    TrnSave *save;
    TrnStore *store;
    TrnFluid *fluid; ///< NULL: liquids stand still
    TrnMember *member;
    TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS]
};

/// Of a chunk: marks by what became of the edit.
typedef struct SimLedger {
    uint64_t acked[SIM_MARKS / 64];
    uint64_t excused[SIM_MARKS / 64]; ///< a failover has lost them
    uint32_t next;                    ///< the first that no edit has
} SimLedger;

/// How a schedule is.
typedef struct SimOptions {
    uint64_t seed;
    uint32_t members, regions, servers;
    uint32_t events; ///< at least
    SimFlaw flaw;
    bool has_liquids; ///< members pour water into a channel through all regions, dam and dig it
    bool has_levels;  ///< the land has levels of detail, which owners make
    bool is_calm;     ///< no faults
    bool is_verbose;  ///< prints what happens
} SimOptions;

typedef struct Sim {
    SimOptions options;
    TestRandom random;
    TestRandom keys; ///< for trn_entropy_key
    double now_us;
    uint64_t events, lives;
    ucontext_t main;
    SimTask *current, **tasks; ///< [task_count] a heap
    uint32_t task_count, task_capacity, task_number;
    double slowness; ///< of messages
    double lease_seconds;
    bool has_notify;
    bool is_slow;    ///< members do little, for minutes
    bool is_quiet;   ///< members edit no more
    double quiet_us; ///< since when
    SimProcess *processes;
    SimLedger ledger[SIM_REGIONS_MAX][SIM_CHUNKS];
    SimDisk server, standby;
    SimLink *links; ///< all
    bool takes_any; ///< rows may have any bytes: cases of storages put them
    SimServer servers[SIM_SERVERS_MAX];
    int64_t lied_region; ///< SIM_FLAW_OUTSIDE: every chunk is of this region
    SimTask *lied_to;    ///< for this task
    bool has_failed;
    char failure[256];
} Sim;

extern Sim sim;

// ---- sim_tasks.c -------------------------------------------------------------------------------

/// Starts a task, which runs from now on.
SimTask *sim_start(void (*run)(void *user), void *user, SimProcess *process);

/// Sleeps; outside of a task, time passes. A dead process does not sleep.
void sim_sleep(double us);

/// Runs a task until it sleeps or ends.
void sim_resume(SimTask *task);

/// Runs the task that is next. @return its process; NULL: it has none
SimProcess *sim_step(void);

/// When the next task runs.
double sim_next_us(void);

/// Ends a sleep early.
void sim_wake(SimTask *task, double when_us);

/// Sleeps until something calls the task, as with a poll; at most for some time.
void sim_wait(double us);

/// Calls a task: ends its wait, or the next one if it is just doing something else.
void sim_call(SimTask *task, double when_us);

/// Frees a task that is over. Its stack is kept for others.
void sim_end_task(SimTask *task);

bool sim_chance(double probability);
double sim_between(double low, double high);
uint32_t sim_below(uint32_t count);

/// How long a message takes.
double sim_latency_us(void);

/// Notes that a check has failed: the first of a schedule.
void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Prints what happens, if wanted.
void sim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

// ---- sim_disk.c --------------------------------------------------------------------------------

SimBlob *sim_blob(const void *bytes, size_t size);
SimBlob *sim_blob_share(SimBlob *blob);
void sim_blob_drop(SimBlob *blob);

void sim_disk_copy(SimDisk *to, const SimDisk *from);
void sim_disk_clear(SimDisk *disk);

/// The place of a region in SimDisk.regions; -1: the simulator has none of that number.
int sim_region_at(int64_t number);
int64_t sim_region_number(uint32_t at);
/// A chunk of a region. @param chunk  SIM_CHUNKS: one that no member edits
TrnCoord sim_coord(uint32_t region, uint32_t chunk);

/// Finds a row of a chunk that no member edits. NULL: there is none
const SimOther *sim_other_at(const TrnStorageKey *key);

/// Finds the row of a key. @return whether it is one that members edit
bool sim_chunk_at(const TrnStorageKey *key, uint32_t *region, uint32_t *chunk);

/// The server that has a region, from 0.
uint32_t sim_server_of(uint32_t region);

/// Copies what a server has.
void sim_disk_copy_server(SimDisk *to, const SimDisk *from, uint32_t server);

/// The process of a link; 0: another client.
uint64_t sim_life(const TrnPgLink *link);

/// The server of a link, from 0.
uint32_t sim_link_server(const TrnPgLink *link);

// ---- sim_world.c -------------------------------------------------------------------------------

/// Prepares what all schedules share: block types, a world without chunks.
void sim_prepare(void);
void sim_dispose(void);

/// The block types of all, and the disk of a new world.
TrnBlockTypes *sim_types(void);
const SimDisk *sim_new_world(void);

// With liquids, the land has a floor in the air, with a channel along x: one voxel high and wide,
// and closed where a chunk that no member loads follows.
#define SIM_CHANNEL_Y 21
#define SIM_CHANNEL_Z 10

/// The index in its chunk of a mark, or of what is contested, which are numbered behind the marks.
/// None lies at a side of its chunk: what liquids do there waits for the next chunk.
uint32_t sim_voxel(uint32_t number);

/// The number of a voxel. @return UINT32_MAX: it has none
uint32_t sim_number(uint32_t voxel);

/// Whether the channel is open at a voxel of a chunk. @param x  0..31
bool sim_is_channel(TrnCoord coord, uint32_t x);

/// The land. A TrnGenerator.generate.
TrnResult sim_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks, bool *uniform);

/// Makes a fluid with water. NULL: no memory
TrnFluid *sim_make_fluid(TrnStore *store);

/// Decodes a row. @param blocks  [TRN_CHUNK_VOXELS]
void sim_decode(TrnStorageKey key, const SimBlob *blob, uint64_t revision, TrnBlock *blocks);

/// Reads what counts of a row.
SimContent sim_read_row(TrnCoord coord, const SimBlob *blob, uint64_t revision);

// ---- sim_put.c ---------------------------------------------------------------------------------

/// Writes a batch, all of it or nothing, and what rides with it.
/// @param link  of the leases that are checked
bool sim_put(TrnPgLink *link, TrnLeases *leases, const TrnStorageBatch *batch);

/// A server starts again: its connections break.
void sim_restart(uint32_t server, double down_us);

/// A standby takes a server's place: one that is as far, or one that is behind.
void sim_fail_over(uint32_t server, bool is_behind);

/// The standby of a server gets all that the server has.
void sim_replicate(uint32_t server);

// ---- sim_link.c --------------------------------------------------------------------------------

/// A message travels to the server. @return false with a fault: it does not arrive
bool sim_reach(TrnPgLink *link);

/// The answer travels back. @return false with a fault: it does not arrive
bool sim_answer(TrnPgLink *link);

/// Lets others commit between two statements of a transaction, now and then. @return false with a
/// fault: the connection broke
bool sim_pause(TrnPgLink *link);

// ---- sim_storage.c -----------------------------------------------------------------------------

/// Opens a storage for a process: of all servers, as SimProcess.parts.
TrnStorage sim_storage_open(SimProcess *process);

// ---- sim_members.c -----------------------------------------------------------------------------

void sim_process_start(SimProcess *process);

/// Ends a process at once. Tasks end, and memory is freed.
void sim_process_kill(SimProcess *process);

/// What a client that is no member does: it submits an edit that owners must refuse, or takes a
/// region. @param user  NULL
void sim_intrude(void *user);

/// Breaks a connection of a process.
void sim_cut_link(const SimProcess *process);

// ---- sim_check.c -------------------------------------------------------------------------------

/// Checks what must hold after every step. @param process  the one that ran; NULL: none
void sim_check_step(SimProcess *process);

/// Whether all members have settled and show what the server has. @param tells  fail if not
bool sim_check_end(bool tells);

// ---- sim_schedule.c ----------------------------------------------------------------------------

/// Runs a schedule. @return whether all checks have passed; Sim.failure says which has not
bool sim_run(const SimOptions *options);

SimOptions sim_options(uint64_t seed);
