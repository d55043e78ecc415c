/// Steps of a player in a small world, for the tests of the player.
#pragma once

#include "testing.h"

#include <math.h>

#include <player/player.h>

#include "small_world.h"

static const PlayerWish NOTHING = {.yaw = 0};
static const PlayerWish EAST = {.forward = 1, .yaw = 90}; // along +x

static inline void steps(Player *player, const SmallWorld *world, const PlayerWish *wish, int count)
{
    for (int i = 0; i < count; i++) {
        player_step(player, world->store, wish);
    }
}

static inline double feet(const Player *player, int axis)
{
    return position_axis(player->body.position, axis);
}

static inline double eyes(const Player *player)
{
    Camera camera;
    player_camera(player, 0, 0, &camera);
    return position_axis(camera.position, 1);
}
