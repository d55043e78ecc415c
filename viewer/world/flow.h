/// Water and lava that flow in the viewer's world: which liquids there are, when they step, and
/// what the world file keeps of them.
///
/// Threads: that of the store's writer.
#ifndef TERRANE_VIEWER_FLOW_H
#define TERRANE_VIEWER_FLOW_H

#include <terrane/fluid.h>
#include <terrane/save.h>

#define FLOW_STEP_SECONDS 0.05 ///< of one step; water flows on with every fourth
#define FLOW_STEPS_MAX 2       ///< steps of one call: after a stall, liquids are late

typedef struct Flow Flow;

/// Lets the built-in water and lava of a store flow. Lava that water touches hardens.
/// @param has_sea    water fills what lies at TRN_TERRAIN_SEA_LEVEL or below
/// @param bytes_max  of the flow; 0: 16 MiB
/// @param flow       receives it; destroy it before its store
/// Errors: those of trn_fluid_create; NOT_FOUND (the store has not the built-in types).
TrnResult flow_create(TrnStore *store, bool has_sea, size_t bytes_max, Flow **flow);

/// @param flow  may be NULL
void flow_destroy(Flow *flow);

/// Off, liquids stand still; what is dug meanwhile flows once they are on. A new flow is on.
void flow_set_running(Flow *flow, bool is_running);

/// Whether the next steps have something to look at. O(1).
bool flow_is_busy(const Flow *flow);

/// Returns what the store counts of a flow. @param flow  may be NULL
size_t flow_bytes(const Flow *flow);

/// Lets time pass, at most FLOW_STEPS_MAX steps. What fails is tried again by the next call.
/// Cost: some 0.4 ms a step if a lot flows.
void flow_pass(Flow *flow, double seconds);

/// Goes on from what flow_save wrote; does nothing if the save has no such value.
/// Errors: those of trn_save_get_value and trn_fluid_load; all liquids are at rest then.
TrnResult flow_load(Flow *flow, TrnSave *save);

/// Stores what is yet to flow, with the save's next transaction, unless nothing was and is.
/// Errors: those of trn_save_set_value; NO_MEMORY.
TrnResult flow_save(Flow *flow, TrnSave *save);

#endif
