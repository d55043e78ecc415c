// Connections to the simulated server: see sim.h.

#include "sim.h"

#define LINK_TIMEOUT_US 3e7 // until a connection without an answer counts as broken
#define LINK_PAUSES 0.1     // how often a transaction pauses after a statement
#define LINK_PAUSE_US 1e3   // at most

bool trn_pg_refuse(TrnPgLink *link, TrnResult result, const char *text)
{
    link->fault = (TrnPgFault){.result = result};
    (void)snprintf(link->fault.text, sizeof link->fault.text, "%s", text);
    return false;
}

static bool link_lose(TrnPgLink *link)
{
    (void)trn_pg_refuse(link, TRN_RESULT_IO, "the server does not answer");
    link->fault.is_lost = true;
    return false;
}

/// Whether a connection holds. @return false with a fault
static bool link_holds(TrnPgLink *link)
{
    const SimLink *at = (const SimLink *)(const void *)link->db;
    const SimServer *server = at ? &sim.servers[at->server] : NULL;
    return (at && !at->is_cut && at->start == server->start && server->down_us <= sim.now_us &&
            !(at->process && at->process->is_dead)) ||
           link_lose(link);
}

/// A message travels. @return whether it arrives
static bool link_travel(TrnPgLink *link)
{
    SimLink *at = (SimLink *)(void *)link->db;
    const SimProcess *process = at ? at->process : NULL;
    if (!at || (process && process->is_dead)) {
        return link_lose(link);
    }
    sim_sleep(sim_latency_us());
    if (process && process->cut_off_us > sim.now_us) { // it is sent again, for some time
        const double wait_us = process->cut_off_us - sim.now_us;
        sim_sleep(wait_us < LINK_TIMEOUT_US ? wait_us : LINK_TIMEOUT_US);
        at->is_cut |= process->cut_off_us > sim.now_us;
    }
    return link_holds(link);
}

bool sim_reach(TrnPgLink *link)
{
    sim.lied_to = sim.lied_to == sim.current ? NULL : sim.lied_to;
    return link->pipe || link_travel(link);
}

bool sim_answer(TrnPgLink *link)
{
    return link->pipe || link_travel(link);
}

bool sim_pause(TrnPgLink *link)
{
    if (sim_chance(LINK_PAUSES)) {
        sim_sleep(sim_between(0, LINK_PAUSE_US));
    }
    return link_holds(link);
}

// A pipeline is one message, and all of it takes effect at once.

bool trn_pg_pipe_begin(TrnPgLink *link, TrnPgPipe *pipe)
{
    *pipe = (TrnPgPipe){.count = 0};
    if (!sim_reach(link)) {
        return false;
    }
    link->pipe = pipe;
    return true;
}

bool trn_pg_pipe_end(TrnPgLink *link, bool is_sent)
{
    link->pipe = NULL;
    if (!is_sent) {
        trn_pg_disconnect(link);
    }
    return is_sent && sim_answer(link);
}

bool trn_pg_connect(TrnPgLink *link, const char *url)
{
    char *rest;
    const uint32_t number = (uint32_t)strtoul(url, &rest, 10);
    SimLink *at = calloc(1, sizeof *at);
    at->process = number < sim.options.members ? &sim.processes[number] : NULL;
    at->server = (uint32_t)strtoul(rest, NULL, 10);
    at->start = sim.servers[at->server].start;
    at->next = sim.links;
    sim.links = at;
    *link = (TrnPgLink){.db = (PGconn *)(void *)at};
    if (sim_reach(link) && sim_answer(link)) {
        return true;
    }
    const TrnPgFault why = link->fault;
    trn_pg_disconnect(link);
    link->fault = why;
    return false;
}

void trn_pg_disconnect(TrnPgLink *link)
{
    const SimLink *at = (const SimLink *)(void *)link->db;
    SimLink **to = &sim.links;
    while (*to && *to != at) {
        to = &(*to)->next;
    }
    if (*to) {
        *to = at->next;
    }
    free(link->db);
    link->db = NULL;
}

int trn_pg_socket(const TrnPgLink *link)
{
    (void)link;
    return -1;
}
