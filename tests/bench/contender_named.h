/// Contenders of terrane-bench by name.
#pragma once

#include "pool/pool_internal.h"
#include "testing.h"

#include <block_pool.h>
#include <contenders.h>
#include <defaults.h>

/// Returns the contender without its optional functions.
static inline Contender bare(const Contender *contender)
{
    Contender left = *contender;
    left.gather_frustum = NULL;
    left.set_visible = NULL;
    left.gather_visible = NULL;
    left.neighbours = NULL;
    left.gather_ready = NULL;
    left.other_bytes = NULL;
    return left;
}

static inline const Contender *contender_named(const char *name)
{
    size_t count;
    const Contender *const *all = contenders_builtin(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    fail_msg("there is no contender '%s'", name);
    return NULL;
}
