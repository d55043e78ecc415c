/// Part of topic `shared`: how long a player who arrives waits for saved chunks.
#pragma once

#include <string>

#include "driver/topic.hpp"

/// Adds the scenes. Leaves the database empty.
/// @param url  of a PostgreSQL database on this machine
void add_arrival(bench::Bench &bench, const std::string &url);
