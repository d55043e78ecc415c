/// Every topic of terrane-bench. main.cpp lists them; topic `pools` is defined in pools/pools.cpp.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic blocks_topic;  ///< block models, liquids, random ticks
extern const bench::Topic far_topic;     ///< land to the horizon by levels of detail
extern const bench::Topic game_topic;    ///< a game's frame, by container
extern const bench::Topic growth_topic;  ///< policies of growing arrays, and the cost of a growth
extern const bench::Topic index_topic;   ///< the chunk index and its targets
extern const bench::Topic light_topic;   ///< sky light and block light
extern const bench::Topic lookup_topic;  ///< finding and gathering chunks around a player
extern const bench::Topic mesher_topic;  ///< meshing chunks, by Terrane and peers
extern const bench::Topic pools_topic;   ///< allocating, freeing and walking objects
extern const bench::Topic save_topic;    ///< worlds in files
extern const bench::Topic shared_topic;  ///< worlds that several programs share
extern const bench::Topic store_topic;   ///< operations of a store that games use in every frame
extern const bench::Topic stream_topic;  ///< worlds that follow their players
extern const bench::Topic terrain_topic; ///< generated land and noise
extern const bench::Topic voxels_topic;  ///< time and memory of one chunk's blocks
