/// Part of topic `shared`: how soon others see an edit.
#pragma once

#include <string>

#include "driver/topic.hpp"

/// Adds the scenes. Leaves the database as empty as it was.
/// @param url  of a PostgreSQL database
void add_seen(bench::Bench &bench, const std::string &url);
