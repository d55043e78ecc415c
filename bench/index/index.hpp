/// Topic `index`: does the chunk index do what is demanded of it?
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic index_topic;
