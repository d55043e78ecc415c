/* The protocol of members of a shared world (docs/shared.md), for the model checker spin: leases
 * with term and token, puts, and the list of changes that members follow, over a server that may be
 * replaced once by a standby that is behind. A statement of SQL is one atomic step.
 *
 * Checked for every order of steps: who puts, renews or gives back a region is the one who took it
 * last in the history that the server has; and once all have looked, all see what the server has.
 * Each of these leaves something out, and must be found: NO_TOKEN, NO_TERM_AT_GIVE, NO_CHECK,
 * NO_EPOCH. run_model.sh checks that. */
#if !defined MEMBERS
#define MEMBERS 3
#endif
#define REGIONS 2
#define CHUNKS 2 /* of a region */
#if !defined TAKES
#define TAKES 3 /* in all */
#endif
#define EDITS 2 /* in all */
#define NOTHING 255

typedef Region {
    byte term, token;
    bit has_expired;
    byte taker; /* who took it last; not known to anybody */
    byte change;
    byte content[CHUNKS]; /* number of the edit that it shows */
    byte listed[CHUNKS]   /* change at which it was put last */
}
typedef Server { Region at[REGIONS] }
typedef Followed {
    byte term, token; /* of the lease; a term of 0: none */
    byte known;       /* change */
    byte shown[CHUNKS]
}
typedef Member {
    Followed at[REGIONS];
    byte epoch
}

Server server, standby, nothing;
Member member[MEMBERS];
byte epoch, takes, edits;
bit has_copied, has_failed, has_ended;

inline copy(to, from) {
    d_step {
        r = 0;
        do
        :: r < REGIONS ->
            to.at[r].term = from.at[r].term;
            to.at[r].token = from.at[r].token;
            to.at[r].has_expired = from.at[r].has_expired;
            to.at[r].taker = from.at[r].taker;
            to.at[r].change = from.at[r].change;
            c = 0;
            do
            :: c < CHUNKS ->
                to.at[r].content[c] = from.at[r].content[c];
                to.at[r].listed[c] = from.at[r].listed[c];
                c++
            :: else -> break
            od;
            r++
        :: else -> break
        od;
        r = 0;
        c = 0
    }
}

#define ROW(r) server.at[r]
#define MINE(r) member[me].at[r]
#if defined NO_TOKEN
#define HOLDS(r) (MINE(r).term && ROW(r).term == MINE(r).term)
#else
#define HOLDS(r) (MINE(r).term && ROW(r).term == MINE(r).term && ROW(r).token == MINE(r).token)
#endif
#if defined NO_TERM_AT_GIVE
#define GIVES(r) (MINE(r).term && ROW(r).term)
#else
#define GIVES(r) HOLDS(r)
#endif

inline lose(r) {
    MINE(r).term = 0;
    MINE(r).token = 0
}

inline take(r) {
    takes++;
    ROW(r).term++;
    ROW(r).token = takes;
    ROW(r).has_expired = 0;
    ROW(r).taker = me;
    MINE(r).term = ROW(r).term;
    MINE(r).token = ROW(r).token
}

inline put(r) {
    assert(ROW(r).taker == me);
    edits++;
    ROW(r).change++;
    ROW(r).content[(edits - 1) % CHUNKS] = edits;
    ROW(r).listed[(edits - 1) % CHUNKS] = ROW(r).change
}

/* One statement and what the member does with its answer. */
inline look(r) {
#if !defined NO_EPOCH
    if
    :: member[me].epoch != epoch ->
        MINE(0).known = NOTHING;
        MINE(1).known = NOTHING;
        member[me].epoch = epoch
    :: else
    fi;
#endif
    k = 0;
    do
    :: k < CHUNKS && MINE(r).known != ROW(r).change &&
       (MINE(r).known > ROW(r).change || ROW(r).listed[k] > MINE(r).known) ->
        MINE(r).shown[k] = ROW(r).content[k];
        k++
    :: k < CHUNKS && !(MINE(r).known != ROW(r).change &&
       (MINE(r).known > ROW(r).change || ROW(r).listed[k] > MINE(r).known)) -> k++
    :: else -> break
    od;
    k = 0;
    MINE(r).known = ROW(r).change
}

/* What a member does in a region. NO_CHECK writes without looking at the lease in the same
 * transaction. */
#if defined NO_CHECK
#define PUTS(r) \
    :: atomic { !has_ended && edits < EDITS && HOLDS(r) -> is_checked[r] = 1 } \
    :: d_step { is_checked[r] && edits < EDITS -> put(r); is_checked[r] = 0 }
#else
#define PUTS(r) \
    :: d_step { !has_ended && edits < EDITS && HOLDS(r) -> put(r) }
#endif
#define STEPS(r) \
    PUTS(r) \
    :: d_step { !has_ended && takes < TAKES && (ROW(r).term == 0 || ROW(r).has_expired) -> \
                take(r) } \
    :: d_step { !has_ended && MINE(r).term && !HOLDS(r) -> lose(r) } \
    :: d_step { !has_ended && HOLDS(r) && ROW(r).has_expired -> \
                assert(ROW(r).taker == me); ROW(r).has_expired = 0 } \
    :: d_step { !has_ended && GIVES(r) -> \
                assert(ROW(r).taker == me); ROW(r).has_expired = 1; lose(r) } \
    :: d_step { !has_ended && (MINE(r).known != ROW(r).change || member[me].epoch != epoch) -> \
                look(r) }

proctype Process(byte me) {
    byte k;
#if defined NO_CHECK
    bit is_checked[REGIONS];
#endif
end:
    do
    STEPS(0)
    STEPS(1)
    od
}

/* Time passes, and the server fails. In the end all look. */
active proctype World() {
    byte r, c, k, me;
    atomic {
        do
        :: me < MEMBERS -> run Process(me); me++
        :: else -> break
        od;
        me = 0
    }
    do
    :: d_step { server.at[0].term && !server.at[0].has_expired -> server.at[0].has_expired = 1 }
    :: d_step { server.at[1].term && !server.at[1].has_expired -> server.at[1].has_expired = 1 }
    :: !has_copied -> atomic { copy(standby, server); has_copied = 1 } /* all that it gets */
    :: has_copied && !has_failed ->
        atomic { copy(server, standby); copy(standby, nothing); has_failed = 1; epoch++ }
    :: d_step {
        has_ended = 1;
        do
        :: me < MEMBERS ->
            look(0);
            look(1);
            r = 0;
            do
            :: r < REGIONS ->
                assert(MINE(r).shown[0] == ROW(r).content[0]);
                assert(MINE(r).shown[1] == ROW(r).content[1]);
                r++
            :: else -> break
            od;
            me++
        :: else -> break
        od };
        break
    od
}
