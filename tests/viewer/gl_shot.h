/// Pictures of one chunk by place, hour and quality, and their mean colours.
#pragma once

#include "gl_chunk.h"

#define NOON 12
#define MIDNIGHT 0

/// Mean colour of a part of a picture, 0..255.
typedef struct Mean {
    double red, green, blue, all;
} Mean;

static inline Mean mean_of(const Picture *picture, int left, int right)
{
    double sum[3] = {0};
    const int pixels = (right - left) * HEIGHT;
    for (int i = 0; i < pixels; i++) {
        const unsigned char *rgb = picture->rgb[i / (right - left)][left + i % (right - left)];
        for (int c = 0; c < 3; c++) {
            sum[c] += (double)rgb[c] / pixels;
        }
    }
    return (Mean){sum[0], sum[1], sum[2], (sum[0] + sum[1] + sum[2]) / 3};
}

static inline Mean mean_of_all(const Picture *picture)
{
    return mean_of(picture, 0, WIDTH);
}

/// What a scene is drawn with.
typedef struct Shot {
    double pose[5];
    LookQuality quality;
    float hours;
    LookDebug debug;
    bool lamp;
} Shot;

static inline void draw_shot(Scene *scene, const Shot *shot, Picture *picture)
{
    Look look = look_default(shot->quality);
    Message problem;
    look.samples = 1;
    look.hours = shot->hours;
    look.debug = shot->debug;
    look.on[LOOK_LAMP] = shot->lamp;
    assert_true(renderer_set_look(scene->renderer, &look, &problem));
    scene->camera = camera_at(shot->pose);
    draw_scene(scene, (SceneLines){0}, picture);
}
