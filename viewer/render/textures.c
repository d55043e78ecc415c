#include "render/textures.h"

#include <math.h>
#include <string.h>

#define EDGE TEXTURE_EDGE

/// A texture being painted.
typedef struct Paint {
    const uint8_t *colour; ///< sRGB
    const TrnBlockType *type;
    uint32_t seed;
    float light[EDGE][EDGE]; ///< factor for the colour
    float other[EDGE][EDGE]; ///< share of `under` in the colour
    float covers[EDGE][EDGE];
    float under[3]; ///< sRGB
} Paint;

// ---- noise that repeats -------------------------------------------------------------------------

static uint32_t textures_mix_number(uint32_t value)
{
    value = (value ^ (value >> 15)) * 0x2c1b3c6du;
    value = (value ^ (value >> 12)) * 0x297a2d39u;
    return value ^ (value >> 15);
}

/// Pseudo-random number, 0..1.
static float textures_chance(uint32_t seed, int x, int y)
{
    const uint32_t at = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ seed * 0xcb1ab31fu;
    return (float)(textures_mix_number(at) >> 8) / 16777215.0f;
}

/// Smooth tiling noise, 0..1, with this many cells across and up.
static float textures_repeating_noise(uint32_t seed, float x, float y, int cells_x, int cells_y)
{
    const float at_x = x / EDGE * (float)cells_x, at_y = y / EDGE * (float)cells_y;
    const int left = (int)floorf(at_x), low = (int)floorf(at_y);
    float s = at_x - (float)left, t = at_y - (float)low;
    s = s * s * (3 - 2 * s);
    t = t * t * (3 - 2 * t);
    const int x0 = (left % cells_x + cells_x) % cells_x, x1 = (x0 + 1) % cells_x;
    const int y0 = (low % cells_y + cells_y) % cells_y, y1 = (y0 + 1) % cells_y;
    const float a = textures_chance(seed, x0, y0), b = textures_chance(seed, x1, y0);
    const float c = textures_chance(seed, x0, y1), d = textures_chance(seed, x1, y1);
    return (a + (b - a) * s) * (1 - t) + (c + (d - c) * s) * t;
}

/// Returns the difference of the distances to the two nearest of scattered points: 0 on the edge
/// between their cells. Also returns the owner of the cell.
static float textures_cells_edge(uint32_t seed, int x, int y, int cells, uint32_t *owner)
{
    const float size = (float)EDGE / (float)cells;
    float nearest = 1e9f, second = 1e9f;
    for (int i = -1; i <= cells; i++) {
        for (int k = -1; k <= cells; k++) {
            const int wrapped_x = (i + cells) % cells, wrapped_y = (k + cells) % cells;
            const float px = ((float)i + textures_chance(seed, wrapped_x, wrapped_y)) * size;
            const float py = ((float)k + textures_chance(seed + 1, wrapped_x, wrapped_y)) * size;
            const float distance = hypotf(px - (float)x - 0.5f, py - (float)y - 0.5f);
            if (distance < nearest) {
                second = nearest;
                nearest = distance;
                *owner = (uint32_t)(wrapped_x + wrapped_y * cells);
            } else if (distance < second) {
                second = distance;
            }
        }
    }
    return second - nearest;
}

// ---- patterns -----------------------------------------------------------------------------------

static void textures_set_under(Paint *paint, const uint8_t colour[3])
{
    for (int i = 0; i < 3; i++) {
        paint->under[i] = colour[i];
    }
}

static void textures_paint_grain(Paint *paint, float coarse, float fine)
{
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const float large =
                textures_repeating_noise(paint->seed, (float)x, (float)y, 4, 4) - 0.5f;
            paint->light[y][x] =
                1 + coarse * large + fine * (textures_chance(paint->seed + 9, x, y) - 0.5f);
        }
    }
}

/// Adjacent stones with dark joints. @param joint  how dark
static void textures_paint_stones(Paint *paint, int cells, float joint, float uneven)
{
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            uint32_t owner = 0;
            const float edge = textures_cells_edge(paint->seed, x, y, cells, &owner);
            const float own = textures_chance(paint->seed + 5, (int)owner, 0) - 0.5f;
            const float crack = edge < 1.1f ? joint * (1 - edge / 1.1f) : 0;
            paint->light[y][x] += uneven * own - crack;
        }
    }
}

/// Wavy layers. @param count  layers in a block
static void textures_paint_layers(Paint *paint, int count, float strength)
{
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const float wave =
                2.2f * textures_repeating_noise(paint->seed + 3, (float)x, (float)y, 3, 2);
            const int layer = (int)((float)y + wave) * count / EDGE % count;
            const float own = textures_chance(paint->seed + 4, layer, 1) - 0.5f;
            paint->light[y][x] += strength * own;
        }
    }
}

/// Rock in layers shows these at its sides; from above and below, one of them, in plates.
/// @param part  0 top, 1 side, 2 bottom
static void textures_paint_layered(Paint *paint, uint32_t part, int count, float strength)
{
    textures_paint_grain(paint, 0.10f, 0.11f);
    if (part == 1) {
        textures_paint_layers(paint, count, strength);
    } else {
        textures_paint_stones(paint, 3, 0.3f * strength, 0.5f * strength);
    }
}

static void textures_paint_rock(Paint *paint, uint32_t part)
{
    const char *name = paint->type->name;
    if (strstr(name, "granite")) {
        textures_paint_grain(paint, 0.10f, 0.42f);
    } else if (strstr(name, "slate")) {
        textures_paint_layered(paint, part, 8, 0.34f);
    } else if (strstr(name, "limestone") || strstr(name, "sandstone")) {
        textures_paint_layered(paint, part, 5, 0.22f);
    } else if (strstr(name, "gravel")) {
        textures_paint_grain(paint, 0.05f, 0.12f);
        textures_paint_stones(paint, 5, 0.45f, 0.42f);
    } else {
        textures_paint_grain(paint, 0.26f, 0.16f);
        textures_paint_stones(paint, 3, 0.10f, 0.13f);
    }
}

static void textures_paint_ore(Paint *paint)
{
    static const uint8_t stone[3] = {0x80, 0x7d, 0x7a};
    textures_paint_rock(paint, 0);
    textures_set_under(paint, stone);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            uint32_t owner = 0;
            const float edge = textures_cells_edge(paint->seed + 21, x, y, 4, &owner);
            const bool is_ore = owner % 2 == owner / 4 % 2 && edge > 1.4f;
            paint->other[y][x] = is_ore ? 0 : 1;
            paint->light[y][x] *=
                is_ore ? 1.1f + 0.5f * (textures_chance(paint->seed, x, y) - 0.4f) : 1;
        }
    }
}

/// Blades of grass seen from above.
static void textures_paint_turf(Paint *paint)
{
    textures_paint_grain(paint, 0.10f, 0.22f); // coarser grain would show as a grid at a distance
    for (int blade = 0; blade < 26; blade++) {
        const int x = (int)(textures_chance(paint->seed + 31, blade, 0) * EDGE);
        const int y = (int)(textures_chance(paint->seed + 31, blade, 1) * EDGE);
        const int lean = (int)(textures_chance(paint->seed + 31, blade, 2) * 3) - 1;
        for (int i = 0; i < 3; i++) {
            paint->light[(y + i) % EDGE][(x + (i > 1 ? lean : 0) + EDGE) % EDGE] =
                0.86f + 0.16f * (float)i;
        }
    }
}

/// Earth with turf hanging over it.
static void textures_paint_turf_side(Paint *paint)
{
    textures_paint_grain(paint, 0.22f, 0.30f);
    paint->colour = paint->type->colour[TRN_FACE_POS_Y];
    textures_set_under(paint, paint->type->colour[TRN_FACE_NEG_Y]);
    for (int x = 0; x < EDGE; x++) {
        const float ragged = textures_repeating_noise(paint->seed + 41, (float)x, 0, 8, 1);
        const int depth =
            10 + (int)(ragged * 3.5f + textures_chance(paint->seed + 42, x, 0) * 3.5f);
        for (int y = 0; y < EDGE; y++) {
            const bool turf = y >= EDGE - depth;
            paint->other[y][x] = turf ? 0 : 1;
            paint->light[y][x] *= turf ? 1.0f : (y == EDGE - depth - 1 ? 0.72f : 0.97f);
        }
    }
}

static void textures_paint_earth(Paint *paint)
{
    textures_paint_grain(paint, 0.24f, 0.28f);
    for (int stone = 0; stone < 7; stone++) {
        const int x = (int)(textures_chance(paint->seed + 51, stone, 0) * EDGE);
        const int y = (int)(textures_chance(paint->seed + 51, stone, 1) * EDGE);
        const float light = textures_chance(paint->seed + 51, stone, 2) < 0.5f ? 0.7f : 1.3f;
        paint->light[y][x] = light;
        paint->light[y][(x + 1) % EDGE] = light * 0.94f;
    }
}

/// @param ripples  how deep; 0: none
static void textures_paint_sand(Paint *paint, float ripples)
{
    textures_paint_grain(paint, 0.08f, 0.13f);
    for (int y = 0; y < EDGE && ripples > 0; y++) {
        for (int x = 0; x < EDGE; x++) {
            const float bend =
                2.4f * textures_repeating_noise(paint->seed + 2, (float)x, (float)y, 2, 2);
            paint->light[y][x] += ripples * sinf(((float)y + bend) * 6.2831853f / EDGE * 4);
        }
    }
}

static void textures_paint_bark(Paint *paint)
{
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const float strip = textures_repeating_noise(paint->seed, (float)x, (float)y, 8, 2);
            const float knot = textures_repeating_noise(paint->seed + 3, (float)x, (float)y, 8, 5);
            const bool groove = strip < 0.32f || knot < 0.16f;
            paint->light[y][x] = (groove ? 0.66f : 0.94f + 0.30f * strip) +
                                 0.16f * (textures_chance(paint->seed + 7, x, y) - 0.5f);
        }
    }
}

static void textures_paint_rings(Paint *paint)
{
    textures_paint_grain(paint, 0.06f, 0.12f);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const float out = hypotf((float)x - 7.5f, (float)y - 7.5f);
            paint->light[y][x] += out > 7 ? -0.35f : 0.13f * sinf(out * 2.6f);
        }
    }
}

/// Overlapping leaves with dark gaps of different depth.
static void textures_paint_leaves(Paint *paint, int cells)
{
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            uint32_t owner = 0;
            const float edge = textures_cells_edge(paint->seed, x, y, cells, &owner);
            const float own = textures_chance(paint->seed + 5, (int)owner, 0);
            const bool gap = edge < 0.55f || own < 0.13f;
            paint->light[y][x] = gap ? 0.38f : 0.80f + 0.62f * own * own + 0.05f * edge;
            paint->light[y][x] += 0.16f * (textures_chance(paint->seed + 6, x, y) - 0.5f);
            const bool hole = edge < 0.25f || own < 0.16f;
            paint->covers[y][x] =
                hole ? 0.1f + 0.5f * textures_chance(paint->seed + 8, (int)owner, 0) : 1;
        }
    }
}

static void textures_paint_cactus(Paint *paint)
{
    textures_paint_grain(paint, 0.06f, 0.10f);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            paint->light[y][x] += x % 4 == 0 ? -0.26f : x % 4 == 2 ? 0.10f : 0;
            paint->light[y][x] += x % 4 == 2 && y % 5 == x / 4 ? 0.55f : 0;
        }
    }
}

static void textures_paint_ice(Paint *paint)
{
    textures_paint_grain(paint, 0.08f, 0.03f);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const float vein =
                textures_repeating_noise(paint->seed + 8, (float)(x + y), (float)y, 4, 4);
            paint->light[y][x] += fabsf(vein - 0.5f) < 0.05f ? 0.16f : 0;
        }
    }
}

// ---- blocks that emit light ---------------------------------------------------------------------

/// A frame of metal around four panes; from above and below, a plate with a rim.
static void textures_paint_lantern(Paint *paint, bool side)
{
    static const uint8_t metal[3] = {0x3a, 0x30, 0x28};
    textures_set_under(paint, metal);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const bool rim = x < 2 || x >= EDGE - 2 || y < 2 || y >= EDGE - 2;
            const bool bar = x == EDGE / 2 || y == EDGE / 2;
            const float out = hypotf((float)x - 7.5f, (float)y - 7.5f) / EDGE;
            paint->other[y][x] = side ? (rim || bar ? 1 : 0) : rim ? 0.7f : 0;
            paint->light[y][x] = side && !rim && !bar
                                     ? 1.18f - 0.5f * out
                                     : 0.9f + 0.2f * textures_chance(paint->seed, x, y);
        }
    }
}

/// Dark turf with bright spots.
static void textures_paint_glowing_turf(Paint *paint)
{
    textures_paint_grain(paint, 0.3f, 0.3f);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            uint32_t owner = 0;
            const float edge = textures_cells_edge(paint->seed + 23, x, y, 5, &owner);
            const bool is_spot = owner % 3 == 0 && edge > 1.2f;
            paint->light[y][x] *= is_spot ? 1.5f : 0.8f;
        }
    }
}

/// Bright lumps with dark seams: glowing stone, and lava with a patchy crust.
static void textures_paint_embers(Paint *paint, int cells, float dark)
{
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            uint32_t owner = 0;
            const float edge = textures_cells_edge(paint->seed, x, y, cells, &owner);
            const float own = textures_chance(paint->seed + 5, (int)owner, 0);
            const float seam = edge < 1.4f ? dark * (1 - edge / 1.4f) : 0;
            paint->light[y][x] = 0.84f + 0.3f * own - seam + 0.04f * fminf(edge, 4) +
                                 0.08f * (textures_chance(paint->seed + 6, x, y) - 0.5f);
        }
    }
}

// ---- transparent blocks -------------------------------------------------------------------------

/// A pane in a frame, with two streaks of light across it.
static void textures_paint_glass(Paint *paint)
{
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const bool frame = x == 0 || y == 0 || x == EDGE - 1 || y == EDGE - 1;
            const int along = x + y - 13;
            const bool streak = (along >= 0 && along < 2) || along == 4;
            paint->covers[y][x] = frame ? 1 : streak ? 0.42f : 0.1f;
            paint->light[y][x] = frame    ? 0.9f + 0.14f * textures_chance(paint->seed, x, y)
                                 : streak ? 1.25f
                                          : 1;
        }
    }
}

/// Crossing bars; one of them is the post in the middle of a model.
static void textures_paint_bars(Paint *paint)
{
    textures_paint_grain(paint, 0.05f, 0.06f);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const bool is_bar = (x + 1) % 8 < 2 || (y + 1) % 8 < 2;
            paint->covers[y][x] = is_bar ? 1 : 0;
        }
    }
}

/// Crossing laths with holes between them.
static void textures_paint_trellis(Paint *paint)
{
    textures_paint_grain(paint, 0.12f, 0.14f);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const bool rises = (x + y) % 8 < 2, falls = (x - y + EDGE) % 8 < 2;
            paint->covers[y][x] = rises || falls ? 1 : 0;
            paint->light[y][x] *= rises ? 1 : 0.8f;
        }
    }
}

/// Posts at the edges with rungs between them; from above and below, boards with gaps.
static void textures_paint_scaffold(Paint *paint, bool side)
{
    textures_paint_grain(paint, 0.16f, 0.16f);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const bool post = x < 2 || x >= EDGE - 2;
            const bool rung = y % 5 < 2;
            const bool board = x % 4 != 3 || y == 0 || y == EDGE - 1;
            paint->covers[y][x] = (side ? post || rung : board) ? 1 : 0;
            paint->light[y][x] *= side && rung && y % 5 == 0 ? 0.72f : 1;
            paint->light[y][x] *= post && (x == 1 || x == EDGE - 1) ? 0.84f : 1;
        }
    }
}

// ---- plants -------------------------------------------------------------------------------------

static void textures_put_leaf(Paint *paint, float x, int y, float light)
{
    const int column = (int)floorf(x);
    if (column >= 0 && column < EDGE && y >= 0 && y < EDGE) {
        paint->covers[y][column] = 1;
        paint->light[y][column] = light;
    }
}

/// A stalk from edge to edge with leaves on both sides, so that blocks of it join.
static void textures_paint_kelp(Paint *paint)
{
    for (int y = 0; y < EDGE; y++) {
        const int bend = y / 4 % 2;
        textures_put_leaf(paint, (float)(7 + bend), y, 0.8f);
        textures_put_leaf(paint, (float)(8 + bend), y, 0.95f);
    }
    for (int leaf = 0; leaf < 4; leaf++) { // left and right in turn, rising outwards
        const int side = leaf % 2 ? 1 : -1, low = 4 * leaf;
        for (int far = 1; far <= 6; far++) {
            const float light = 1.15f - 0.04f * (float)far;
            const float x = (float)(side > 0 ? 8 + far : 7 - far);
            textures_put_leaf(paint, x, low + far / 2, light);
            if (far < 6) {
                textures_put_leaf(paint, x, low + far / 2 + 1, light * 0.84f);
            }
        }
    }
}

/// A blade from the ground up, bending over.
static void textures_paint_blade(Paint *paint, float x, float height, float lean, bool thick)
{
    for (int y = 0; (float)y < height; y++) {
        const float part = (float)y / height;
        const float at = x + lean * part * part;
        const float light =
            0.62f + 0.62f * part + 0.12f * (textures_chance(paint->seed, (int)x, y) - 0.5f);
        textures_put_leaf(paint, at, y, light);
        if (thick && part < 0.6f) {
            textures_put_leaf(paint, at + 1, y, light * 0.86f);
        }
    }
}

static void textures_paint_blades(Paint *paint, int count, float low, float high, float lean)
{
    for (int i = 0; i < count; i++) {
        const float x = ((float)i + textures_chance(paint->seed + 61, i, 0)) * EDGE / (float)count;
        const float middle = 1 - fabsf(x - 8) / 11; // lower towards the sides
        const float height =
            (low + (high - low) * textures_chance(paint->seed + 61, i, 1)) * middle;
        textures_paint_blade(paint, x, height,
                             lean * (2 * textures_chance(paint->seed + 61, i, 2) - 1), i % 2 == 0);
    }
}

static void textures_paint_flower(Paint *paint)
{
    static const uint8_t green[3] = {0x4c, 0x86, 0x38};
    textures_set_under(paint, green);
    textures_paint_blades(paint, 7, 3, 7, 2.5f);
    textures_paint_blade(paint, 7.5f, 10, 0, false);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const float out = hypotf((float)x - 7.5f, (float)y - 11.0f);
            const bool petal = out < 2.9f && (out > 1 || (x + y) % 2);
            paint->other[y][x] = petal ? 0 : 1;
            if (out < 2.9f) {
                paint->covers[y][x] = 1;
                paint->light[y][x] = out < 1.2f ? 0.72f : 1.25f - 0.12f * out;
            }
        }
    }
}

static void textures_paint_bush(Paint *paint)
{
    for (int i = 0; i < 7; i++) {
        const float lean = (float)(i - 3) * 2.6f;
        textures_paint_blade(paint, 7.5f, 9 + 5 * textures_chance(paint->seed + 71, i, 0), lean,
                             false);
        const float at = 7.5f + lean * 0.35f;
        for (int k = 0; k < 4; k++) {
            textures_put_leaf(paint, at + (float)(i % 2 ? k : -k), 6 + k + i % 3, 0.8f);
        }
    }
}

static void textures_paint_plant(Paint *paint)
{
    const char *name = paint->type->name;
    memset(paint->covers, 0, sizeof paint->covers);
    if (strstr(name, "flower")) {
        textures_paint_flower(paint);
    } else if (strstr(name, "bush")) {
        textures_paint_bush(paint);
    } else if (strstr(name, "reed")) {
        textures_paint_blades(paint, 6, 13, 18, 1.5f);
    } else if (strstr(name, "kelp")) {
        textures_paint_kelp(paint);
    } else {
        textures_paint_blades(paint, 11, 8, 16, 4);
    }
}

// ---- block types --------------------------------------------------------------------------------

/// Four boards, each with its own tone and joint.
static void textures_paint_boards(Paint *paint)
{
    textures_paint_grain(paint, 0.1f, 0.08f);
    for (int y = 0; y < EDGE; y++) {
        const int board = y / 4;
        const int joint = (int)(textures_chance(paint->seed + 31, board, 0) * EDGE);
        for (int x = 0; x < EDGE; x++) {
            const float tone = textures_chance(paint->seed + 32, board, x < joint) - 0.5f;
            paint->light[y][x] *= 1 + 0.12f * tone - (y % 4 == 0 || x == joint ? 0.22f : 0);
        }
    }
}

static bool textures_is_wooden(const char *name)
{
    return strstr(name, ":oak_") || strstr(name, ":pine_") || strstr(name, ":acacia_") ||
           strstr(name, "planks");
}

/// Wood for torches.
static void textures_paint_stick(Paint *paint)
{
    textures_paint_grain(paint, 0.04f, 0.05f);
}

static void textures_paint_ground(Paint *paint, uint32_t part)
{
    const char *name = paint->type->name;
    const bool turf = strstr(name, "grass") || strstr(name, "forest_floor") || strstr(name, "moss");
    if (turf && part == 0) {
        textures_paint_turf(paint);
    } else if (turf && part == 1) {
        textures_paint_turf_side(paint);
    } else if (turf || strstr(name, "dirt") || strstr(name, "mud")) {
        textures_paint_earth(paint);
    } else if (strstr(name, "snow")) {
        textures_paint_grain(paint, 0.06f, 0.05f);
    } else if (strstr(name, ":sand") && !strstr(name, "sandstone")) {
        textures_paint_sand(paint, part == 0 ? 0.055f : 0);
    } else if (strstr(name, "rippled_sand")) {
        textures_paint_sand(paint, part == 0 ? 0.16f : 0);
    } else if (strstr(name, "_coral")) {
        textures_paint_grain(paint, 0.10f, 0.20f);
        textures_paint_stones(paint, 6, 0.3f, 0.35f);
    } else {
        textures_paint_rock(paint, part);
    }
}

static void textures_paint_type(Paint *paint, uint32_t part)
{
    const char *name = paint->type->name;
    if (paint->type->kind == TRN_BLOCK_KIND_PLANT) {
        textures_paint_plant(paint);
    } else if (strstr(name, "leaves")) {
        textures_paint_leaves(paint, strstr(name, "pine") ? 7 : 5);
    } else if (strstr(name, "log")) {
        (part == 1 ? textures_paint_bark : textures_paint_rings)(paint);
    } else if (strstr(name, "dead_wood")) {
        textures_paint_bark(paint); // may lie or stand, so all its sides are bark
    } else if (strstr(name, "_ore")) {
        textures_paint_ore(paint);
    } else if (strstr(name, "cactus")) {
        textures_paint_cactus(paint);
    } else if (strstr(name, "ice")) {
        textures_paint_ice(paint);
    } else if (strstr(name, "_bars")) {
        textures_paint_bars(paint);
    } else if (strstr(name, "glass") || paint->type->kind == TRN_BLOCK_KIND_TRANSPARENT) {
        textures_paint_glass(paint);
    } else if (strstr(name, "scaffold")) {
        textures_paint_scaffold(paint, part == 1);
    } else if (strstr(name, "lantern")) {
        textures_paint_lantern(paint, part == 1);
    } else if (strstr(name, "trellis")) {
        textures_paint_trellis(paint);
    } else if (textures_is_wooden(name)) {
        textures_paint_boards(paint);
    } else if (strstr(name, "torch") || strstr(name, "_rod")) {
        textures_paint_stick(paint);
    } else if (paint->type->light && strstr(name, "moss")) {
        textures_paint_glowing_turf(paint);
    } else if (paint->type->light) {
        const bool liquid = paint->type->kind == TRN_BLOCK_KIND_LIQUID;
        textures_paint_embers(paint, liquid ? 3 : 4, liquid ? 0.35f : 0.4f);
    } else if (paint->type->kind == TRN_BLOCK_KIND_LIQUID) {
        textures_paint_grain(paint, 0.1f, 0);
    } else {
        textures_paint_ground(paint, part);
    }
}

static float textures_mean_light(const Paint *paint)
{
    float sum = 0, covered = 0;
    for (int i = 0; i < EDGE * EDGE; i++) {
        const float covers = paint->covers[i / EDGE][i % EDGE] > 0 ? 1 : 0;
        sum += covers * paint->light[i / EDGE][i % EDGE];
        covered += covers;
    }
    return covered > 0 && sum > 0 ? sum / covered : 1;
}

/// Converts a painting to colours. As in daylight, lighter texels are slightly warmer and darker
/// ones cooler.
static void textures_finish(const Paint *paint, Texture *texture)
{
    static const float warmth[3] = {1.06f, 1.0f, 0.90f};
    const float mean = textures_mean_light(paint);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            const float light = paint->light[y][x] / mean, other = paint->other[y][x];
            for (int i = 0; i < 3; i++) {
                const float base = (float)paint->colour[i] * (1 - other) + paint->under[i] * other;
                const float value = base * (1 + (light - 1) * (light > 1 ? warmth[i] : 1.0f));
                texture->texel[y][x][i] = (uint8_t)fminf(fmaxf(value + 0.5f, 0), 255);
            }
            texture->texel[y][x][3] = (uint8_t)(paint->covers[y][x] * 255);
        }
    }
}

void texture_paint(const TrnBlockType *type, uint32_t part, Texture *texture)
{
    static const TrnFace faces[TEXTURE_PARTS] = {TRN_FACE_POS_Y, TRN_FACE_NEG_X, TRN_FACE_NEG_Y};
    Paint paint = {.type = type, .colour = type->colour[faces[part]], .seed = part * 977u};
    // The variants of a family look alike: their names differ only after the last slash.
    const char *const end = type->variant ? strrchr(type->name, '/') : NULL;
    for (const char *letter = type->name; *letter && letter != end; letter++) {
        paint.seed = textures_mix_number(paint.seed + (uint32_t)(unsigned char)*letter);
    }
    for (int i = 0; i < EDGE * EDGE; i++) {
        paint.light[i / EDGE][i % EDGE] = paint.covers[i / EDGE][i % EDGE] = 1;
    }
    textures_paint_type(&paint, part);
    textures_finish(&paint, texture);
}

// ---- coarser levels -----------------------------------------------------------------------------

static float textures_light_of(uint8_t srgb)
{
    const float value = (float)srgb / 255;
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

static uint8_t textures_srgb_of(float light)
{
    const float value =
        light <= 0.0031308f ? light * 12.92f : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
    return (uint8_t)fminf(fmaxf(value * 255 + 0.5f, 0), 255);
}

void texture_halve(const uint8_t (*finer)[4], uint32_t edge, uint8_t (*coarser)[4])
{
    for (uint32_t i = 0; i < edge / 2 * (edge / 2); i++) {
        const uint32_t x = i % (edge / 2) * 2, y = i / (edge / 2) * 2;
        float sum[3] = {0}, covers = 0;
        for (uint32_t part = 0; part < 4; part++) {
            const uint8_t *texel = finer[(y + part / 2) * edge + x + part % 2];
            const float weight = (float)texel[3] + 0.01f; // transparent texels need a colour too
            for (int c = 0; c < 3; c++) {
                sum[c] += weight * textures_light_of(texel[c]);
            }
            covers += (float)texel[3] / 4;
        }
        for (int c = 0; c < 3; c++) {
            coarser[i][c] = textures_srgb_of(sum[c] / (covers * 4 + 0.04f));
        }
        coarser[i][3] = (uint8_t)(covers + 0.5f);
    }
}
