#include "map_colour.h"

#include <math.h>

static const float sky_low[3] = {214, 230, 244}, sky_high[3] = {92, 146, 216};
static const float cave[3] = {34, 30, 34}, nothing[3] = {12, 10, 14};

#define SKY_HIGH_VOXELS 320.0f   ///< the sky is darkest from here up
#define ROOF_DARK_VOXELS 8.0f    ///< beneath so much ground it is dark
#define DEEP_STONE_VOXELS 160.0f ///< beneath so much ground the cut gets no darker
#define CLEAR_WATER_VOXELS 7.0f  ///< one part in e of the bed's light comes through
#define DARK_WATER_VOXELS 30.0f  ///< the same for what the water itself sends back
#define SECTION_WATER_VOXELS 60.0f

static float clamp_unit(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/// Adds a mix of two colours.
static void add_mixed(float sum[3], const float from[3], const float to[3], float weight)
{
    for (int c = 0; c < 3; c++) {
        sum[c] += from[c] + (to[c] - from[c]) * weight;
    }
}

static void add_face(float sum[3], const MapSource *source, TrnBlock block, TrnFace face,
                     float weight)
{
    const uint8_t *colour = trn_block_types_get(source->types, block)->colour[face];
    for (int c = 0; c < 3; c++) {
        sum[c] += (float)colour[c] * weight;
    }
}

static void add_bed(const MapSource *source, const SurveyColumn *column, float weight,
                    MapPixel *pixel)
{
    if (column->bed == TRN_BLOCK_AIR) {
        for (int c = 0; c < 3; c++) {
            pixel->flat[c] += nothing[c] * weight;
        }
        return;
    }
    add_face(pixel->lit, source, column->bed, TRN_FACE_POS_Y, weight);
}

void map_colour_column(const MapSource *source, const SurveyColumn *column, MapPixel *pixel)
{
    pixel->height += (float)column->bed_y;
    if (source->kinds[column->top] != TRN_BLOCK_KIND_LIQUID) {
        add_bed(source, column, 1, pixel);
        return;
    }
    const float depth = (float)(column->top_y - column->bed_y);
    const float through = 0.45f * expf(-depth / CLEAR_WATER_VOXELS);
    const float bright = 0.45f + 0.55f * expf(-depth / DARK_WATER_VOXELS);
    add_bed(source, column, through, pixel);
    add_face(pixel->flat, source, column->top, TRN_FACE_POS_Y, (1 - through) * bright);
}

static void add_air(int64_t y, int32_t roof, float sum[3])
{
    const float high = clamp_unit((float)y / SKY_HIGH_VOXELS);
    float sky[3] = {0, 0, 0};
    add_mixed(sky, sky_low, sky_high, high);
    add_mixed(sum, sky, cave, clamp_unit((float)roof / ROOF_DARK_VOXELS));
}

void map_colour_voxel(const MapSource *source, TrnBlock block, int64_t y, SectionCover cover,
                      MapPixel *pixel)
{
    switch (source->kinds[block]) {
    case TRN_BLOCK_KIND_AIR:
        add_air(y, cover.roof, pixel->flat);
        return;
    case TRN_BLOCK_KIND_LIQUID:
        add_face(pixel->flat, source, block, TRN_FACE_POS_Z,
                 0.5f + 0.5f * expf(-(float)cover.liquid / SECTION_WATER_VOXELS));
        return;
    default:
        // The surface as seen from above: grass, not the earth below it.
        add_face(pixel->flat, source, block, cover.roof ? TRN_FACE_POS_Z : TRN_FACE_POS_Y,
                 1 - 0.4f * clamp_unit((float)cover.roof / DEEP_STONE_VOXELS));
    }
}
