#define _POSIX_C_SOURCE 200809L // nanosleep. NOLINT(bugprone-reserved-identifier)

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>
#include <terrane/shared.h>

#include "commands.h"
#include "interrupt.h"
#include "message.h"
#include "program.h"
#include "world.h"

#define SHARED_REGIONS_SHOWN 20

typedef struct SharedWords {
    bool wants_json;
    const char *what, *url; ///< borrowed from argv
    double seconds;         ///< between the two looks that give rates
} SharedWords;

/// What is printed while it is listed.
typedef struct SharedReport {
    cJSON *regions, *connections, *servers; ///< NULL: as text
    uint32_t shown;
} SharedReport;

static void shared_sleep(double seconds)
{
    const struct timespec pause = {(time_t)seconds, (long)(seconds * 1e9) % 1000000000};
    (void)nanosleep(&pause, NULL); // a signal ends it
}

// ---- lists -------------------------------------------------------------------------------------

static bool shared_note_region(void *user, const TrnSharedRegion *region)
{
    SharedReport *report = user;
    const TrnRegion at = region->region;
    if (report->regions) {
        cJSON *entry = cJSON_CreateObject();
        const int numbers[3] = {at.x, at.y, at.z};
        (void)cJSON_AddItemToObject(entry, "region", cJSON_CreateIntArray(numbers, 3));
        (void)cJSON_AddNumberToObject(entry, "changes", (double)region->change);
        (void)cJSON_AddStringToObject(entry, "owner", region->owner);
        (void)cJSON_AddNumberToObject(entry, "lease_seconds", region->lease_seconds);
        (void)cJSON_AddNumberToObject(entry, "waiting", (double)region->waiting);
        (void)cJSON_AddItemToArray(report->regions, entry);
        return true;
    }
    if (report->shown++ == 0) {
        program_print("  %-24s %-24s %8s %10s %8s", "region", "owner", "lease s", "changes",
                      "waiting");
    }
    char place[48];
    (void)snprintf(place, sizeof place, "%d, %d, %d", (int)at.x, (int)at.y, (int)at.z);
    program_print("  %-24s %-24s %8.1f %10" PRIu64 " %8" PRIu64, place,
                  region->owner[0] ? message_short(region->owner).text : "none",
                  region->lease_seconds, region->change, region->waiting);
    return report->shown < SHARED_REGIONS_SHOWN;
}

static bool shared_note_connection(void *user, const TrnSharedConnection *connection)
{
    SharedReport *report = user;
    if (report->connections) {
        cJSON *entry = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(entry, "name", connection->name);
        (void)cJSON_AddStringToObject(entry, "address", connection->address);
        (void)cJSON_AddNumberToObject(entry, "connections", (double)connection->count);
        (void)cJSON_AddItemToArray(report->connections, entry);
        return true;
    }
    program_print("  program     %s%s%s, %" PRIu64 " connections",
                  message_short(connection->name).text, connection->address[0] ? " at " : "",
                  message_short(connection->address).text, connection->count);
    return true;
}

/// Reports one of several servers, or the one of a world that does not answer.
static bool shared_note_server(void *user, const TrnSharedServer *server)
{
    SharedReport *report = user;
    const TrnSharedStatus *has = &server->status;
    if (report->servers) {
        cJSON *entry = cJSON_CreateObject();
        (void)cJSON_AddNumberToObject(entry, "server", server->number);
        (void)cJSON_AddStringToObject(entry, "name", server->name);
        (void)cJSON_AddStringToObject(entry, "problem", server->problem);
        (void)cJSON_AddNumberToObject(entry, "chunks", (double)has->chunks);
        (void)cJSON_AddNumberToObject(entry, "bytes", (double)has->bytes);
        (void)cJSON_AddNumberToObject(entry, "leases", (double)has->leases);
        (void)cJSON_AddNumberToObject(entry, "edits_waiting", (double)has->waiting);
        (void)cJSON_AddNumberToObject(entry, "standbys", (double)has->standbys);
        (void)cJSON_AddNumberToObject(entry, "lag_bytes", (double)has->lag_bytes);
        (void)cJSON_AddItemToArray(report->servers, entry);
    } else if (server->problem[0]) {
        program_print("  %s does not answer: %s", message_short(server->name).text,
                      server->problem);
    } else if (server->count > 1) {
        program_print("  %s: about %" PRIu64 " chunks, %s; %" PRIu64 " regions with an owner, "
                      "%" PRIu64 " edits wait, %" PRIu64 " standbys",
                      message_short(server->name).text, has->chunks,
                      world_bytes_text(has->bytes).text, has->leases, has->waiting, has->standbys);
    }
    return true;
}

// ---- report ------------------------------------------------------------------------------------

/// What was counted, a second.
typedef struct SharedRates {
    double changes, log_bytes;
} SharedRates;

static void shared_print(const SharedWords *words, const TrnSharedStatus *now, SharedRates rates)
{
    program_print("%s", world_name(words->url).text);
    program_print("  chunks      about %" PRIu64 ", all tables %s", now->chunks,
                  world_bytes_text(now->bytes).text);
    program_print("  regions     %" PRIu64 " changed, %" PRIu64 " with an owner", now->regions,
                  now->leases);
    program_print("  changes     %.1f a second; %s a second in the log", rates.changes,
                  world_bytes_text((uint64_t)rates.log_bytes).text);
    program_print("  edits       %" PRIu64 " wait (%s), %" PRIu64 " answered", now->waiting,
                  world_bytes_text(now->waiting_bytes).text, now->answered);
    program_print("  players     %" PRIu64 " in the database", now->players);
    program_print("  jobs        %" PRIu64 " regions open, %" PRIu64 " done", now->jobs_open,
                  now->jobs_done);
    program_print("  standbys    %" PRIu64 ", %s behind", now->standbys,
                  world_bytes_text(now->lag_bytes).text);
    program_print("  connections %" PRIu64, now->connections);
}

static cJSON *shared_json(const SharedWords *words, const TrnSharedStatus *now, SharedRates rates)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {{"chunks", (double)now->chunks},
                   {"bytes", (double)now->bytes},
                   {"regions_changed", (double)now->regions},
                   {"leases", (double)now->leases},
                   {"changes", (double)now->changes},
                   {"changes_per_second", rates.changes},
                   {"log_bytes_per_second", rates.log_bytes},
                   {"edits_waiting", (double)now->waiting},
                   {"edits_waiting_bytes", (double)now->waiting_bytes},
                   {"edits_answered", (double)now->answered},
                   {"players", (double)now->players},
                   {"jobs_open", (double)now->jobs_open},
                   {"jobs_done", (double)now->jobs_done},
                   {"standbys", (double)now->standbys},
                   {"lag_bytes", (double)now->lag_bytes},
                   {"connections", (double)now->connections}};
    cJSON *json = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(json, "url", world_name(words->url).text);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        (void)cJSON_AddNumberToObject(json, figures[i].name, figures[i].value);
    }
    return json;
}

static bool shared_report(const SharedWords *words, const TrnStorage *storage,
                          const TrnSharedStatus *now, SharedRates rates, Message *problem)
{
    SharedReport report = {.shown = 0};
    cJSON *json = words->wants_json ? shared_json(words, now, rates) : NULL;
    if (json) {
        report.servers = cJSON_AddArrayToObject(json, "servers");
        report.connections = cJSON_AddArrayToObject(json, "programs");
        report.regions = cJSON_AddArrayToObject(json, "regions");
    } else {
        shared_print(words, now, rates);
    }
    TrnResult result = trn_shared_servers(storage, shared_note_server, &report);
    if (result == TRN_RESULT_OK) {
        result = trn_shared_connections(storage, shared_note_connection, &report);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_shared_regions(storage, shared_note_region, &report);
    }
    if (result != TRN_RESULT_OK) {
        cJSON_Delete(json);
        return world_fail_storage(storage, result, "", problem);
    }
    return !json || world_print_json(json, problem);
}

static bool shared_show(const SharedWords *words, const TrnStorage *storage, Message *problem)
{
    TrnSharedStatus before = {0}, now = {0};
    TrnResult result = trn_shared_status(storage, &before);
    if (result == TRN_RESULT_OK) {
        shared_sleep(words->seconds);
        result = trn_shared_status(storage, &now);
    }
    if (interrupt_came()) {
        return message_set(problem, "Interrupted.");
    }
    // A server that does not tell, or did not answer at first, has no rate.
    const SharedRates rates = {
        .changes = ((double)now.changes - (double)before.changes) / words->seconds,
        .log_bytes = now.log_bytes < before.log_bytes || !before.log_bytes
                         ? 0
                         : (double)(now.log_bytes - before.log_bytes) / words->seconds};
    return result == TRN_RESULT_OK ? shared_report(words, storage, &now, rates, problem)
                                   : world_fail_storage(storage, result, "", problem);
}

// ---- the command -------------------------------------------------------------------------------

static bool shared_check(void *target, const bool *given, Message *problem)
{
    const SharedWords *words = target;
    (void)given;
    if (strcmp(words->what, "status") != 0) {
        return message_set(problem,
                           "There is no 'terrane shared %s'; there is 'terrane shared "
                           "status URL'.",
                           message_short(words->what).text);
    }
    return trn_storage_is_url(words->url) ||
           message_set(problem, "%s is no URL of a database, such as postgresql:///world.",
                       message_short(words->url).text);
}

static bool shared_act(void *target, Message *problem)
{
    const SharedWords *words = target;
    TrnStorage storage;
    TrnStorageProblem why = {""};
    if (trn_storage_open_any(words->url, TRN_STORAGE_READ_ONLY, &storage, &why) != TRN_RESULT_OK) {
        return message_set(problem, "%s", why.sentence);
    }
    const bool is_good = shared_show(words, &storage, problem);
    storage.close(storage.user);
    return is_good;
}

#define SHARED_AT(field) .offset = offsetof(SharedWords, field)

static const Option SHARED_ROWS[] = {
    {.name = "WHAT", .kind = OPTION_WORD, SHARED_AT(what), .takes = "what to show: status"},
    {.name = "URL", .kind = OPTION_WORD, SHARED_AT(url), .takes = "the URL of a database"},
    {.name = "seconds",
     .help = "time in which changes are counted",
     .kind = OPTION_NUMBER,
     SHARED_AT(seconds),
     .low = 0.1,
     .high = 60,
     .usual = 1},
    {.name = "json", .help = "report in JSON", .kind = OPTION_FLAG, SHARED_AT(wants_json)},
    {0}};

const OptionCommand SHARED_COMMAND = {
    .name = "shared",
    .summary = "shows what goes on in a world in a database",
    .about = "Shows what goes on in a world in a PostgreSQL database: who owns which region, how "
             "many edits wait, how often it changes, which programs are connected, and how far "
             "standby servers are behind.",
    .rows = SHARED_ROWS,
    .closing =
        "A world on several servers is the URLs of all, in their order, with spaces between, "
        "as one word; what each has is shown, and which does not answer. "
        "It needs the right to read the tables. Regions are listed if they have an owner or "
        "edits that wait, those with most of them first; as text at most 20. Programs have "
        "the application_name of their URL. What the server does not tell this user is 0.",
    .examples = "terrane shared status postgresql:///world\n"
                "terrane shared status 'postgresql://one/world postgresql://two/world'\n"
                "terrane shared status --json postgresql://game@server/world",
    .bytes = sizeof(SharedWords),
    .check = shared_check,
    .act = shared_act,
};
