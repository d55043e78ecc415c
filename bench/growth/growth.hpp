/// Topic `growth`: by how much should an array expand, how does a cell tell that no chunk is in it,
/// and what does one growth cost?
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic growth_topic;
