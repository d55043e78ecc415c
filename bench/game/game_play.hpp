/// The result of a played game, from which the topic's rows are computed.
#pragma once

#include <cstddef>
#include <vector>

#include "game_worlds.hpp"

namespace game {

/// How far the player sees, in chunks, and how long it walks.
struct Setting {
    int radius, radius_y;
    int frames;
};

/// The example's result, and further figures for the topic.
struct PlayedAll {
    Played played;
    double light_mib = 0;      ///< part of played.mib
    std::size_t meshes = 0;    ///< meshes with at least one face, sum of all frames
    std::size_t looked_up = 0; ///< coordinates
    std::size_t box = 0;       ///< chunks to draw, gathered by box, sum of all frames
    std::size_t frustum = 0;   ///< the same, gathered by frustum
};

// The contenders. by_terrane uses Terrane's defaults.
inline const char *const by_good_hash = "std::unordered_map, good hash";
inline const char *const by_plain_hash = "std::unordered_map, plain hash";
inline const char *const by_flat_map = "boost flat map";
inline const char *const by_window = "window array, plain arrays";
inline const char *const by_terrane = "Terrane store, mesher and light";
inline const char *const by_store = "Terrane store";

/// A contender, and the function that plays the game with it.
struct Player {
    const char *contender;
    PlayedAll (*play)(const Setting &setting);
};

/// All contenders.
const std::vector<Player> &players();

} // namespace game
