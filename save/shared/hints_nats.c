// Hints by a NATS server: see hints.h. The client library (nats.c) connects, and delivers messages,
// on threads of its own; what they bring is kept under a mutex until the member asks.
//
// Subjects, below one for each world: `hint.REGION`, without content, and `place.X.Z`, of the
// column of regions that a player is in. A member receives those of the regions that it follows.

#include "hints.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nats/nats.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/thread.h"
#include "region.h"

#define NATS_SUBJECT_BYTES 96
#define NATS_HINTS_MAX 256u     // that wait; with more, any region may have changed
#define NATS_PLAYERS_MAX 4096u  // of others that are kept
#define NATS_PLAYER_SECONDS 3.0 // until a player without news vanishes
#define NATS_RECONNECT_MS 500
#define NATS_CONNECT_MS 2000
#define NATS_CLOSE_SECONDS 2.0
#define NATS_PLACE_REALS 5
#define NATS_PLACE_BYTES (8 + 8 * NATS_PLACE_REALS) // before the name

/// A region that is followed. Others of its column may be, too; the first has the column's places.
typedef struct NatsRegion {
    int64_t number;
    natsSubscription *hints, *places; ///< NULL: none
} NatsRegion;

/// A player of another member.
typedef struct NatsPlayer {
    uint64_t member;
    double seen_us;
    TrnMemberPlayer player;
} NatsPlayer;

TRN_ARRAY_DECLARE(NatsRegions, NatsRegion);
TRN_ARRAY_DECLARE(NatsPlayers, NatsPlayer);
TRN_ARRAY_DECLARE(NatsNumbers, int64_t);

typedef struct NatsHints {
    natsConnection *connection;
    uint64_t world, member;
    TrnHintsWake *wake;
    void *context;
    TrnAllocator allocator;
    NatsRegions regions;
    TrnMutex mutex; ///< of what follows, which the client library's threads change
    TrnCondition released;
    uint32_t users; ///< subscriptions, and the connection, that may still call back
    bool is_closed; ///< by the member
    NatsNumbers hints;
    bool is_any; ///< hints were lost
    NatsPlayers players;
} NatsHints;

// ---- subjects ----------------------------------------------------------------------------------

static void nats_hint_subject(const NatsHints *nats, int64_t region,
                              char subject[NATS_SUBJECT_BYTES])
{
    (void)snprintf(subject, NATS_SUBJECT_BYTES, "terrane.%016" PRIx64 ".hint.%" PRId64, nats->world,
                   region);
}

/// Of the column of a region.
static void nats_place_subject(const NatsHints *nats, int64_t region,
                               char subject[NATS_SUBJECT_BYTES])
{
    (void)snprintf(subject, NATS_SUBJECT_BYTES, "terrane.%016" PRIx64 ".place.%" PRId64,
                   nats->world, trn_region_column(region));
}

// ---- what arrives ------------------------------------------------------------------------------

/// Notes a hint. @param region  -1: any
static void nats_note_hint(NatsHints *nats, int64_t region)
{
    trn_mutex_lock(&nats->mutex);
    bool is_new = region >= 0 && nats->hints.count < NATS_HINTS_MAX;
    nats->is_any |= !is_new;
    for (uint32_t i = 0; i < nats->hints.count && is_new; i++) {
        is_new = nats->hints.items[i] != region;
    }
    if (is_new && trn_array_push(&nats->hints, &nats->allocator, region) != TRN_RESULT_OK) {
        nats->is_any = true;
    }
    if (!nats->is_closed) {
        nats->wake(nats->context);
    }
    trn_mutex_unlock(&nats->mutex);
}

static void nats_on_hint(natsConnection *connection, natsSubscription *subscription,
                         natsMsg *message, void *user)
{
    const char *number = strrchr(natsMsg_GetSubject(message), '.');
    (void)connection, (void)subscription;
    nats_note_hint(user, number ? strtoll(number + 1, NULL, 10) : -1);
    natsMsg_Destroy(message);
}

/// Reads a player. Any client may have sent it. @return false if it is none
static bool nats_read_player(const unsigned char *bytes, size_t size, NatsPlayer *read)
{
    double reals[NATS_PLACE_REALS];
    const size_t length = size - NATS_PLACE_BYTES;
    if (size < NATS_PLACE_BYTES || length >= TRN_MEMBER_NAME_BYTES) {
        return false;
    }
    *read = (NatsPlayer){.member = trn_number_read(bytes, 8), .seen_us = trn_clock_us()};
    for (size_t i = 0; i < NATS_PLACE_REALS; i++) {
        const uint64_t bits = trn_number_read(bytes + 8 + 8 * i, 8);
        memcpy(&reals[i], &bits, sizeof bits);
        if (!isfinite(reals[i])) {
            return false;
        }
    }
    memcpy(read->player.place, reals, sizeof read->player.place);
    read->player.yaw = reals[3];
    read->player.pitch = reals[4];
    memcpy(read->player.name, bytes + NATS_PLACE_BYTES, length);
    return true;
}

static void nats_on_place(natsConnection *connection, natsSubscription *subscription,
                          natsMsg *message, void *user)
{
    NatsHints *nats = user;
    NatsPlayer read;
    (void)connection, (void)subscription;
    if (nats_read_player((const unsigned char *)natsMsg_GetData(message),
                         (size_t)natsMsg_GetDataLength(message), &read)) {
        trn_mutex_lock(&nats->mutex);
        uint32_t i = 0;
        while (i < nats->players.count && nats->players.items[i].member != read.member) {
            i++;
        }
        if (i < nats->players.count) {
            nats->players.items[i] = read;
        } else if (i < NATS_PLAYERS_MAX) { // without memory it comes again in a moment
            (void)trn_array_push(&nats->players, &nats->allocator, read);
        }
        trn_mutex_unlock(&nats->mutex);
    }
    natsMsg_Destroy(message);
}

/// Hints may have been lost, or are no longer received.
static void nats_on_change(natsConnection *connection, void *user)
{
    (void)connection;
    nats_note_hint(user, -1);
}

/// A slow program loses messages, which polls make up for. Without this, nats.c writes about it to
/// the standard error.
static void nats_on_error(natsConnection *connection, natsSubscription *subscription,
                          natsStatus error, void *user)
{
    (void)connection, (void)subscription, (void)error;
    nats_note_hint(user, -1);
}

/// A subscription, or the connection, calls back no more.
static void nats_release(void *user)
{
    NatsHints *nats = user;
    trn_mutex_lock(&nats->mutex);
    nats->users--;
    trn_condition_wake_all(&nats->released);
    trn_mutex_unlock(&nats->mutex);
}

static void nats_on_closed(natsConnection *connection, void *user)
{
    (void)connection;
    nats_release(user);
}

// ---- the interface -----------------------------------------------------------------------------

static bool nats_is_up(void *user)
{
    const NatsHints *nats = user;
    return natsConnection_Status(nats->connection) == NATS_CONN_STATUS_CONNECTED;
}

/// Returns another followed region of a column; NULL: there is none.
static NatsRegion *nats_neighbor(NatsHints *nats, int64_t region)
{
    for (uint32_t i = 0; i < nats->regions.count; i++) {
        NatsRegion *other = &nats->regions.items[i];
        if (other->number != region &&
            trn_region_column(other->number) == trn_region_column(region)) {
            return other;
        }
    }
    return NULL;
}

/// @return NULL: polls alone
static natsSubscription *nats_listen(NatsHints *nats, const char *subject, natsMsgHandler handler)
{
    natsSubscription *made = NULL;
    if (natsConnection_Subscribe(&made, nats->connection, subject, handler, nats) != NATS_OK) {
        return NULL;
    }
    trn_mutex_lock(&nats->mutex);
    nats->users++;
    trn_mutex_unlock(&nats->mutex);
    if (natsSubscription_SetOnCompleteCB(made, nats_release, nats) != NATS_OK) {
        nats_release(nats);
    }
    return made;
}

static void nats_unsubscribe(natsSubscription *subscription)
{
    if (subscription) {
        (void)natsSubscription_Unsubscribe(subscription);
        natsSubscription_Destroy(subscription);
    }
}

/// Stops following a region. Another of its column takes over the subscription to its places.
static void nats_leave(NatsHints *nats, int64_t region)
{
    for (uint32_t i = 0; i < nats->regions.count; i++) {
        NatsRegion *of = &nats->regions.items[i];
        if (of->number != region) {
            continue;
        }
        NatsRegion *heir = of->places ? nats_neighbor(nats, region) : NULL;
        if (heir) {
            heir->places = of->places;
            of->places = NULL;
        }
        nats_unsubscribe(of->hints);
        nats_unsubscribe(of->places);
        trn_array_remove_swap(&nats->regions, i);
        return;
    }
}

static bool nats_subscribe(void *user, TrnPgLink *link, int64_t region, bool is_on)
{
    NatsHints *nats = user;
    char subject[NATS_SUBJECT_BYTES];
    (void)link;
    nats_leave(nats, region);
    if (!is_on) {
        return true;
    }
    NatsRegion of = {.number = region};
    nats_hint_subject(nats, region, subject);
    of.hints = nats_listen(nats, subject, nats_on_hint);
    bool is_good = of.hints != NULL;
    if (is_good && !nats_neighbor(nats, region)) {
        nats_place_subject(nats, region, subject);
        of.places = nats_listen(nats, subject, nats_on_place);
        is_good = of.places != NULL;
    }
    is_good = is_good && trn_array_push(&nats->regions, &nats->allocator, of) == TRN_RESULT_OK;
    if (!is_good) { // polls alone, until it is tried again
        nats_unsubscribe(of.hints);
        nats_unsubscribe(of.places);
    }
    return is_good;
}

static bool nats_publish(void *user, TrnPgLink *link, int64_t region)
{
    const NatsHints *nats = user;
    char subject[NATS_SUBJECT_BYTES];
    (void)link;
    nats_hint_subject(nats, region, subject);
    return nats_is_up(user) &&
           natsConnection_Publish(nats->connection, subject, NULL, 0) == NATS_OK;
}

static bool nats_receive(void *user, TrnPgLink *link, int64_t *region)
{
    NatsHints *nats = user;
    (void)link;
    trn_mutex_lock(&nats->mutex);
    const bool is_one = nats->is_any || nats->hints.count;
    if (nats->is_any) {
        *region = -1;
        nats->is_any = false;
        nats->hints.count = 0;
    } else if (is_one) {
        *region = nats->hints.items[--nats->hints.count];
    }
    trn_mutex_unlock(&nats->mutex);
    return is_one;
}

static void nats_publish_place(void *user, const TrnMemberPlayer *player)
{
    const NatsHints *nats = user;
    unsigned char bytes[NATS_PLACE_BYTES + TRN_MEMBER_NAME_BYTES];
    char subject[NATS_SUBJECT_BYTES];
    const double reals[NATS_PLACE_REALS] = {player->place[0], player->place[1], player->place[2],
                                            player->yaw, player->pitch};
    const size_t length = strlen(player->name);
    if (!nats_is_up(user)) {
        return;
    }
    trn_number_write(bytes, nats->member, 8);
    for (size_t i = 0; i < NATS_PLACE_REALS; i++) {
        uint64_t bits;
        memcpy(&bits, &reals[i], sizeof bits);
        trn_number_write(bytes + 8 + 8 * i, bits, 8);
    }
    memcpy(bytes + NATS_PLACE_BYTES, player->name, length);
    nats_place_subject(nats, trn_region_of_place(player->place), subject);
    (void)natsConnection_Publish(nats->connection, subject, bytes,
                                 (int)(NATS_PLACE_BYTES + length));
}

static size_t nats_players(void *user, TrnMemberPlayer *players, size_t capacity)
{
    NatsHints *nats = user;
    const double since_us = trn_clock_us() - NATS_PLAYER_SECONDS * 1e6;
    trn_mutex_lock(&nats->mutex);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < nats->players.count; i++) { // the order stays
        if (nats->players.items[i].seen_us >= since_us) {
            nats->players.items[kept++] = nats->players.items[i];
        }
    }
    nats->players.count = kept;
    for (uint32_t i = 0; i < kept && i < capacity; i++) {
        players[i] = nats->players.items[i].player;
    }
    trn_mutex_unlock(&nats->mutex);
    return kept;
}

// ---- life --------------------------------------------------------------------------------------

static void nats_free(NatsHints *nats)
{
    const TrnAllocator allocator = nats->allocator;
    trn_array_free(&nats->regions, &allocator);
    trn_array_free(&nats->hints, &allocator);
    trn_array_free(&nats->players, &allocator);
    trn_condition_destroy(&nats->released);
    trn_mutex_destroy(&nats->mutex);
    trn_give(&allocator, nats, sizeof *nats);
}

/// Ends the connection, and waits until no thread of the client library calls back any more.
static void nats_close(void *user)
{
    NatsHints *nats = user;
    const double until_us = trn_clock_us() + NATS_CLOSE_SECONDS * 1e6;
    trn_mutex_lock(&nats->mutex);
    nats->is_closed = true;
    trn_mutex_unlock(&nats->mutex);
    for (uint32_t i = 0; i < nats->regions.count; i++) {
        nats_unsubscribe(nats->regions.items[i].hints);
        nats_unsubscribe(nats->regions.items[i].places);
    }
    natsConnection_Destroy(nats->connection);
    trn_mutex_lock(&nats->mutex);
    while (nats->users && trn_clock_us() < until_us) {
        trn_condition_wait_for(&nats->released, &nats->mutex, NATS_CLOSE_SECONDS);
    }
    const bool is_free = !nats->users;
    trn_mutex_unlock(&nats->mutex);
    if (is_free) { // or it is lost rather than used after it was freed
        nats_free(nats);
    }
}

static natsStatus nats_set_options(NatsHints *nats, natsOptions *options, const char *url)
{
    const natsStatus set[] = {
        natsOptions_SetURL(options, url),
        natsOptions_SetName(options, "terrane"),
        natsOptions_SetNoEcho(options, true),
        natsOptions_SetSendAsap(options, true),
        natsOptions_UseGlobalMessageDelivery(options, true),
        natsOptions_SetMaxReconnect(options, -1),
        natsOptions_SetReconnectWait(options, NATS_RECONNECT_MS),
        natsOptions_SetTimeout(options, NATS_CONNECT_MS),
        natsOptions_SetRetryOnFailedConnect(options, true, nats_on_change, nats),
        natsOptions_SetDisconnectedCB(options, nats_on_change, nats),
        natsOptions_SetReconnectedCB(options, nats_on_change, nats),
        natsOptions_SetClosedCB(options, nats_on_closed, nats),
        natsOptions_SetErrorHandler(options, nats_on_error, nats),
    };
    natsStatus status = NATS_OK;
    for (size_t i = 0; i < sizeof set / sizeof *set && status == NATS_OK; i++) {
        status = set[i];
    }
    return status;
}

static natsStatus nats_connect(NatsHints *nats, const char *url)
{
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);
    if (status == NATS_OK) {
        status = nats_set_options(nats, options, url);
    }
    if (status == NATS_OK) {
        status = natsConnection_Connect(&nats->connection, options);
    }
    natsOptions_Destroy(options);
    return status == NATS_NOT_YET_CONNECTED ? NATS_OK : status;
}

bool trn_hints_have_nats(void)
{
    return true;
}

TrnResult trn_hints_nats(const char *url, uint64_t world, int64_t member, TrnHintsWake *wake,
                         void *context, TrnHints *hints)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    NatsHints *nats = trn_take(&allocator, sizeof *nats, TRN_CACHE_LINE);
    if (!nats) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(nats, 0, sizeof *nats);
    nats->allocator = allocator;
    nats->world = world;
    nats->member = (uint64_t)member;
    nats->wake = wake;
    nats->context = context;
    nats->users = 1; // the connection
    const bool has_mutex = trn_mutex_init(&nats->mutex);
    if (!has_mutex || !trn_condition_init(&nats->released)) {
        if (has_mutex) {
            trn_mutex_destroy(&nats->mutex);
        }
        trn_give(&allocator, nats, sizeof *nats);
        return TRN_RESULT_NO_MEMORY;
    }
    const natsStatus status = nats_connect(nats, url);
    if (status != NATS_OK) {
        nats_free(nats);
        return status == NATS_NO_MEMORY ? TRN_RESULT_NO_MEMORY : TRN_RESULT_BAD_ARGUMENT;
    }
    *hints = (TrnHints){.subscribe = nats_subscribe,
                        .publish = nats_publish,
                        .receive = nats_receive,
                        .is_up = nats_is_up,
                        .publish_place = nats_publish_place,
                        .players = nats_players,
                        .close = nats_close,
                        .user = nats};
    return TRN_RESULT_OK;
}
