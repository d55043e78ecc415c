/// Topic `shared`: worlds that several programs share.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic shared_topic;
