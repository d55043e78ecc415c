/// Topic `save`: worlds in files.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic save_topic;
