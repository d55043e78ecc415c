/// Topic `far`: land to the horizon by levels of detail.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic far_topic;
