// Hints by PostgreSQL's NOTIFY: see hints.h. A channel for each region; the text is the member that
// tells, since a connection that listens hears its own program, too.

#include "hints.h"

#include "postgres_members.h"
#include "postgres_put.h"

static bool notify_subscribe(void *user, TrnPgLink *link, int64_t region, bool is_on)
{
    (void)user;
    return trn_pg_listen(link, region, is_on);
}

static bool notify_publish(void *user, TrnPgLink *link, int64_t region)
{
    return trn_pg_tell(link, &region, 1, *(const int64_t *)user);
}

static bool notify_receive(void *user, TrnPgLink *link, int64_t *region)
{
    return trn_pg_next_hint(link, *(const int64_t *)user, region);
}

static bool notify_is_up(void *user)
{
    (void)user;
    return true;
}

static void notify_close(void *user)
{
    (void)user; // the member's
}

TrnHints trn_hints_notify(int64_t *member)
{
    return (TrnHints){.subscribe = notify_subscribe,
                      .publish = notify_publish,
                      .receive = notify_receive,
                      .is_up = notify_is_up,
                      .close = notify_close,
                      .user = member,
                      .is_in_transaction = true};
}
