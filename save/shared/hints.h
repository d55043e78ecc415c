/// Private: hints that something changed in a region, and the places of players, between the
/// members of a world. Hints only make the next look at the database come sooner: any may be lost.
/// Two engines: NOTIFY of PostgreSQL, over the member's connection, and a NATS server.
#ifndef TERRANE_SHARED_HINTS_H
#define TERRANE_SHARED_HINTS_H

#include <terrane/member.h>

#include "postgres_link.h"

/// What an engine does. One thread, that of the member, calls all of it except `players`.
typedef struct TrnHints {
    /// Begins or ends to receive hints about a region. What was published before is not received.
    /// @return false with a fault of `link`, if it is lost; without, if the engine gives none
    bool (*subscribe)(void *user, TrnPgLink *link, int64_t region, bool is_on);
    /// Tells the other members that something changed in a region.
    /// @param link  NOTIFY: in the transaction that changes it; NATS: not used, after its commit
    bool (*publish)(void *user, TrnPgLink *link, int64_t region);
    /// Takes the next hint that has come. @param region  receives it, or -1: any may have changed
    bool (*receive)(void *user, TrnPgLink *link, int64_t *region);
    /// Whether hints arrive now, so that polls may be rare.
    bool (*is_up)(void *user);
    /// Tells where the member's player is. NULL: places go through the database
    void (*publish_place)(void *user, const TrnMemberPlayer *player);
    /// Lists players as trn_member_others. Any thread. NULL likewise
    size_t (*players)(void *user, TrnMemberPlayer *players, size_t capacity);
    void (*close)(void *user);
    void *user;
    bool is_in_transaction; ///< of `publish`
} TrnHints;

/// Wakes the member's thread. Any thread.
typedef void TrnHintsWake(void *context);

/// Hints by NOTIFY. @param member  its id, which outlives them: it does not receive its own hints
TrnHints trn_hints_notify(int64_t *member);

/// Whether this library was built with the client library of NATS.
bool trn_hints_have_nats(void);

/// Hints by a NATS server. The connection is made, and made again, in the background.
/// @param url    nats://host:port, or several with commas between
/// @param world  a number of the world: members of others receive nothing of it
/// Errors: BAD_ARGUMENT (no such URL), NO_MEMORY, IO (this library was built without NATS).
TrnResult trn_hints_nats(const char *url, uint64_t world, int64_t member, TrnHintsWake *wake,
                         void *context, TrnHints *hints);

#endif
