/// Part of topic `shared`: what members who edit, or do nothing, cost the server.
#pragma once

#include <string>

#include "driver/topic.hpp"

/// Adds the scenes. Leaves the database empty.
/// @param url  of a PostgreSQL database on this machine
void add_crowd(bench::Bench &bench, const std::string &url);
