/// Flowing water and lava in the viewer's world: the liquids, their steps, and their state in the
/// world file.
///
/// Threads: that of the store's writer.
#pragma once

#include <terrane/fluid.h>
#include <terrane/save.h>

#define FLOW_STEP_SECONDS 0.05 ///< one step; water flows every fourth step
#define FLOW_STEPS_MAX 2       ///< steps in one call; after a stall, liquids fall behind

typedef struct Flow Flow;

/// Makes the built-in water and lava of a store flow. Lava that water touches hardens.
/// @param has_sea    water fills dug voxels at and below TRN_TERRAIN_SEA_LEVEL
/// @param bytes_max  limit of the flow's memory; 0: 16 MiB
/// @param flow       receives it; destroy it before its store
/// Errors: those of trn_fluid_create; NOT_FOUND if the store lacks the built-in types.
TrnResult flow_create(TrnStore *store, bool has_sea, size_t bytes_max, Flow **flow);

/// @param flow  may be NULL
void flow_destroy(Flow *flow);

/// Switches the flow on or off. While off, liquids stand still; dug voxels are filled once it is on
/// again. A new flow is on.
void flow_set_running(Flow *flow, bool is_running);

/// Whether the next steps have voxels to look at. O(1).
bool flow_is_busy(const Flow *flow);

/// Returns the flow's bytes as counted by the store. @param flow  may be NULL
size_t flow_bytes(const Flow *flow);

/// Advances time, at most FLOW_STEPS_MAX steps. The next call retries what fails.
/// Cost: some 0.4 ms a step if a lot flows.
void flow_pass(Flow *flow, double seconds);

/// Restores the state that flow_save wrote; does nothing if the save has none.
/// Errors: those of trn_save_get_value and trn_fluid_load; all liquids are at rest then.
TrnResult flow_load(Flow *flow, TrnSave *save);

/// Stores the due voxels with the save's next transaction, unless there are none and none are
/// stored.
/// Errors: those of trn_save_set_value; NO_MEMORY.
TrnResult flow_save(Flow *flow, TrnSave *save);
