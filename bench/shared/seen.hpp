/// Part of topic `shared`: the delay until other members see an edit.
#pragma once

#include <string>

#include "driver/topic.hpp"

/// Adds the scenes. Leaves the database empty.
/// @param url  of a PostgreSQL database
void add_seen(bench::Bench &bench, const std::string &url);
