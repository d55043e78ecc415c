// The part of the kernels of the land that chooses covers: sand on shores, rock where the wider
// land is steep, snow where it lies. Every candidate is computed for every sample, and the later
// choice wins. In the compiler's vector types: it turns as many choices between scalars into
// branches. Included by land_kernels_body.h.

#define LandFloats LAND(Floats)
#define LandInts LAND(Ints)
typedef float LandFloats __attribute__((vector_size(4 * LAND_VECTOR)));
typedef int32_t LandInts __attribute__((vector_size(4 * LAND_VECTOR)));

LAND_INLINE LandFloats LAND(load)(const float *from)
{
    LandFloats floats;
    memcpy(&floats, from, sizeof floats);
    return floats;
}

LAND_INLINE LandInts LAND(all)(int32_t value)
{
    return (LandInts){0} + value;
}

/// @param is_first  all ones or 0 in each lane, as comparisons give them
LAND_INLINE LandInts LAND(pick)(LandInts is_first, LandInts first, LandInts second)
{
    return (first & is_first) | (second & ~is_first);
}

LAND_INLINE LandInts LAND(pick_cover)(LandInts is_first, int32_t first, LandInts second)
{
    return LAND(pick)(is_first, LAND(all)(first), second);
}

/// trn_land_clamp to 0..1, trn_land_ramp and trn_land_floor of all lanes.
LAND_INLINE LandFloats LAND(clamp_unit)(LandFloats value)
{
    const LandInts raised = (LandInts)value & ~(value < 0.0f);
    const LandFloats one = (LandFloats){0} + 1.0f;
    return (LandFloats)LAND(pick)((LandFloats)raised > 1.0f, (LandInts)one, raised);
}

LAND_INLINE LandFloats LAND(ramps)(float from, float to, LandFloats value)
{
    const LandFloats t = LAND(clamp_unit)((value - from) / (to - from));
    return t * t * (3.0f - 2.0f * t);
}

LAND_INLINE LandInts LAND(floors)(LandFloats value)
{
    const LandInts whole = __builtin_convertvector(value, LandInts);
    return whole + (value < __builtin_convertvector(whole, LandFloats));
}

/// Reach of overhangs from which on land counts as a slope.
#define LAND_REACH_STEEP 1.0f

/// What is known of some samples.
#define LandCovers LAND(Covers)
typedef struct LandCovers {
    LandFloats height, above, slope, wide_slope;
    LandFloats patch, bare, stand;
    LandFloats temperature, moisture, reach, entrance;
    LandInts is_fresh; ///< the water near the ground is that of a river or a lake above the sea
    LandInts is_reedy;
    LandInts is_boulder;
} LandCovers;

LAND_INLINE LandInts LAND(biome)(const LandCovers *in)
{
    const LandFloats temperature = in->temperature, moisture = in->moisture;
    LandInts biome = LAND(pick)(moisture > 0.07f, LAND(all)(TRN_TERRAIN_BIOME_FOREST),
                                LAND(all)(TRN_TERRAIN_BIOME_GRASSLAND));
    const LandInts is_savanna = (temperature > 0.1f) & (moisture < 0.08f);
    const LandInts is_swamp = (moisture > 0.22f) & (temperature > -0.05f) & (in->height < 5.0f);
    // Savanna lies between desert and grassland.
    const LandInts is_desert = (temperature > 0.17f) & (moisture < -0.08f);
    biome = LAND(pick_cover)(is_savanna, TRN_TERRAIN_BIOME_SAVANNA, biome);
    biome = LAND(pick_cover)(is_swamp, TRN_TERRAIN_BIOME_SWAMP, biome);
    biome = LAND(pick_cover)(is_desert, TRN_TERRAIN_BIOME_DESERT, biome);
    biome = LAND(pick_cover)(temperature < -0.17f, TRN_TERRAIN_BIOME_TUNDRA, biome);
    biome = LAND(pick_cover)(temperature < -0.3f, TRN_TERRAIN_BIOME_SNOW, biome);
    return LAND(pick_cover)(in->above < 0.0f, TRN_TERRAIN_BIOME_SEA, biome);
}

/// Least thickness of the rock above caves: more beneath water, negative where caves open. They
/// open in hillsides, where one can walk in; in flat ground they would be pits.
LAND_INLINE LandFloats LAND(roof)(const LandCovers *in)
{
    const LandInts is_open = (in->entrance > 0.7f) & (in->wide_slope > 0.38f);
    const LandFloats dry = __builtin_convertvector(5 + 13 * is_open, LandFloats); // 5 or -8
    return dry + (12.0f - dry) * LAND(ramps)(7.0f, 2.0f, in->above);
}

/// Cover of the sea bed.
LAND_INLINE LandInts LAND(cover_sea_bed)(const LandCovers *in)
{
    const LandInts is_mud = (in->above > -3.0f) & ((in->moisture > 0.22f) | in->is_reedy);
    LandInts cover = LAND(pick_cover)(in->above + 14.0f > in->patch * 10.0f, TRN_COVER_SAND,
                                      LAND(all)(TRN_COVER_DIRT));
    cover = LAND(pick_cover)(in->bare > 0.2f, TRN_COVER_GRAVEL, cover);
    cover = LAND(pick_cover)(is_mud, TRN_COVER_MUD, cover);
    return LAND(pick_cover)(in->wide_slope > 1.4f, TRN_COVER_STONE, cover);
}

/// Whether the ground is a beach. Moist, mild shores have reeds instead. Rivers and lakes have
/// beaches in places, and none in snow: sand all along them would look like the curbs of a canal.
LAND_INLINE LandInts LAND(is_beach)(const LandCovers *in)
{
    const LandInts has_beaches = (in->bare + in->patch * 0.3f > 0.16f) & (in->temperature > -0.17f);
    const LandInts is_low = in->above < 1.5f + in->patch * 1.5f + in->bare * 4.0f;
    return (~in->is_fresh | has_beaches) & is_low & (in->wide_slope < 0.8f) & ~in->is_reedy;
}

/// Whether snow lies. It lies lower in hollows and patches, and slides off slopes.
LAND_INLINE LandInts LAND(is_snowy)(const LandCovers *in)
{
    const LandFloats slide = (in->wide_slope - 0.4f) * 0.17f;
    const LandInts slides = (LandInts)slide & (in->wide_slope > 0.4f);
    const LandFloats snow = -0.29f - in->temperature + in->bare * 0.08f + in->patch * 0.05f;
    return (in->temperature < -0.17f) & (snow > (LandFloats)slides);
}

/// The cover where neither rock nor snow nor water decides.
LAND_INLINE LandInts LAND(cover_of_biome)(const LandCovers *in, LandInts biome)
{
    const LandFloats bare = in->bare, patch = in->patch;
    const LandInts desert =
        LAND(pick_cover)(bare > 0.38f, TRN_COVER_GRAVEL, LAND(all)(TRN_COVER_SAND));
    const LandInts savanna = LAND(pick_cover)((bare > 0.34f) & (in->wide_slope < 0.35f),
                                              TRN_COVER_DIRT, LAND(all)(TRN_COVER_DRY_GRASS));
    // Where snow does not lie.
    const LandInts cold =
        LAND(pick_cover)(bare + patch * 0.4f > 0.24f, TRN_COVER_GRAVEL, LAND(all)(TRN_COVER_MOSS));
    const LandInts swamp =
        LAND(pick_cover)(patch > 0.02f, TRN_COVER_FOREST, LAND(all)(TRN_COVER_MUD));
    LandInts cover = LAND(pick_cover)(biome == TRN_TERRAIN_BIOME_FOREST, TRN_COVER_FOREST,
                                      LAND(all)(TRN_COVER_GRASS));
    cover = LAND(pick)(biome == TRN_TERRAIN_BIOME_DESERT, desert, cover);
    cover = LAND(pick)(biome == TRN_TERRAIN_BIOME_SAVANNA, savanna, cover);
    cover = LAND(pick)(biome == TRN_TERRAIN_BIOME_SWAMP, swamp, cover);
    return LAND(pick)((biome == TRN_TERRAIN_BIOME_TUNDRA) | (biome == TRN_TERRAIN_BIOME_SNOW), cold,
                      cover);
}

/// The same cover without another block below it, which would show in the steps of a slope.
LAND_INLINE LandInts LAND(cover_on_slope)(LandInts cover)
{
    LandInts slope = cover;
    slope = LAND(pick_cover)(cover == TRN_COVER_GRASS, TRN_COVER_GRASS_SLOPE, slope);
    slope = LAND(pick_cover)(cover == TRN_COVER_FOREST, TRN_COVER_FOREST_SLOPE, slope);
    slope = LAND(pick_cover)(cover == TRN_COVER_DRY_GRASS, TRN_COVER_DRY_GRASS_SLOPE, slope);
    slope = LAND(pick_cover)(cover == TRN_COVER_MOSS, TRN_COVER_MOSS_SLOPE, slope);
    return LAND(pick_cover)(cover == TRN_COVER_SNOW, TRN_COVER_SNOW_SLOPE, slope);
}

/// Cover of land that is not rock.
LAND_INLINE LandInts LAND(cover_soft)(const LandCovers *in, LandInts biome, LandFloats steep)
{
    const LandInts is_bare = in->bare + in->patch * 0.6f > 0.34f;
    const LandInts slides =
        is_bare & (in->wide_slope > steep - 0.35f) & (biome != TRN_TERRAIN_BIOME_DESERT);
    const LandInts is_bank = slides & (in->above < 12.0f) & (in->bare > 0.34f);
    LandInts cover = LAND(cover_of_biome)(in, biome);
    cover = LAND(pick_cover)(is_bank, TRN_COVER_DIRT, cover);
    cover = LAND(pick_cover)(slides & (in->height > 45.0f), TRN_COVER_GRAVEL, cover); // a scree
    return LAND(pick_cover)(LAND(is_snowy)(in), TRN_COVER_SNOW, cover);
}

/// Cover of the ground.
LAND_INLINE LandInts LAND(cover_of)(const LandCovers *in, LandInts biome)
{
    const LandFloats wide = in->wide_slope, bare = in->bare;
    const LandInts is_desert = biome == TRN_TERRAIN_BIOME_DESERT;
    const LandFloats steep = 1.25f + bare * -0.7f + in->patch * 0.3f -
                             LAND(ramps)(40.0f, 120.0f, in->height) * 0.2f - in->reach * 0.004f;
    // The lattice misses the slopes of overhangs, river beds and waterfalls.
    const LandInts is_slope =
        (in->slope > 0.55f) | (in->height > 50.0f) | (in->reach > LAND_REACH_STEEP) | in->is_fresh;
    const LandInts is_ledge = in->slope > steep + 0.9f; // of a terrace
    const LandInts is_beach = (biome != TRN_TERRAIN_BIOME_SWAMP) & LAND(is_beach)(in);
    const LandInts soft = LAND(cover_soft)(in, biome, steep);
    const LandInts rock =
        LAND(pick_cover)(is_desert, TRN_COVER_SANDSTONE, LAND(all)(TRN_COVER_STONE));
    const LandInts beach = LAND(pick_cover)((in->temperature < -0.15f) | (bare < -0.35f),
                                            TRN_COVER_GRAVEL, LAND(all)(TRN_COVER_SAND));
    const LandInts is_shallow = (in->above < 0.0f) | ((in->above < 1.0f) & ~in->is_fresh);
    LandInts cover = LAND(pick)(is_slope, LAND(cover_on_slope)(soft), soft);
    cover = LAND(pick)((wide > steep) | is_ledge, rock, cover);
    // Sand would slide.
    cover = LAND(pick_cover)(is_desert & (wide > steep - 0.4f), TRN_COVER_SANDSTONE, cover);
    cover = LAND(pick)(is_beach, beach, cover);
    cover = LAND(pick)(is_shallow, LAND(cover_sea_bed)(in), cover);
    return LAND(pick_cover)(in->is_boulder, TRN_COVER_STONE, cover);
}

/// Copies of the inputs of LAND_LANES samples, and what is chosen.
#define LandCoverBlock LAND(CoverBlock)
typedef struct LandCoverBlock {
    float height[LAND_LANES], water[LAND_LANES], slope[LAND_LANES], wide_slope[LAND_LANES];
    float patch[LAND_LANES], bare[LAND_LANES], stand[LAND_LANES];
    float temperature[LAND_LANES], moisture[LAND_LANES];
    float reach[LAND_LANES], entrance[LAND_LANES], strata[LAND_LANES];
    int32_t is_boulder[LAND_LANES];
    int32_t biome[LAND_LANES], cover[LAND_LANES], roof[LAND_LANES], strata_shift[LAND_LANES];
} LandCoverBlock;

LAND_INLINE void LAND(cover_lanes)(LandCoverBlock *block, size_t i)
{
    LandCovers in;
    in.height = LAND(load)(block->height + i);
    in.above = in.height - LAND(load)(block->water + i);
    in.slope = LAND(load)(block->slope + i);
    in.wide_slope = LAND(load)(block->wide_slope + i);
    in.patch = LAND(load)(block->patch + i);
    in.bare = LAND(load)(block->bare + i);
    in.stand = LAND(load)(block->stand + i);
    in.temperature = LAND(load)(block->temperature + i);
    in.moisture = LAND(load)(block->moisture + i);
    in.reach = LAND(load)(block->reach + i);
    in.entrance = LAND(load)(block->entrance + i);
    memcpy(&in.is_boulder, block->is_boulder + i, sizeof in.is_boulder);
    in.is_boulder = in.is_boulder != 0;
    in.is_fresh = in.height - in.above > (float)TRN_TERRAIN_SEA_LEVEL + 0.5f;
    // As trn_land_is_reedy.
    in.is_reedy =
        (in.moisture > -0.02f) & (in.temperature > -0.2f) & (in.stand + in.patch * 0.3f > 0.06f);
    const LandInts biome = LAND(biome)(&in), cover = LAND(cover_of)(&in, biome);
    const LandInts roof = LAND(floors)(LAND(roof)(&in));
    memcpy(block->biome + i, &biome, sizeof biome);
    memcpy(block->cover + i, &cover, sizeof cover);
    memcpy(block->roof + i, &roof, sizeof roof);
}

LAND_TARGET static void LAND(cover)(TrnLandGround *ground)
{
    const TrnLandSquare *square = ground->square;
    float *const *fields = square->fields;
    const float *patch = square->details[TRN_LAND_PATCH - TRN_LAND_LATTICE_COUNT];
    LandCoverBlock block = {.height = {0}};
    for (size_t first = 0; first < square->count; first += LAND_LANES) {
        const size_t left = square->count - first, some = left < LAND_LANES ? left : LAND_LANES;
        LAND(move)(block.height, fields[TRN_LAND_FIELD_HEIGHT] + first, some);
        LAND(move)(block.water, square->waters + first, some);
        LAND(move)(block.slope, fields[TRN_LAND_FIELD_SLOPE] + first, some);
        LAND(move)(block.wide_slope, fields[TRN_LAND_FIELD_WIDE_SLOPE] + first, some);
        LAND(move)(block.patch, patch + first, some);
        LAND(move)(block.bare, ground->values[TRN_COVER_NOISE_BARE] + first, some);
        LAND(move)(block.stand, ground->values[TRN_COVER_NOISE_STAND] + first, some);
        LAND(move)(block.temperature, fields[TRN_LAND_FIELD_TEMPERATURE] + first, some);
        LAND(move)(block.moisture, fields[TRN_LAND_FIELD_MOISTURE] + first, some);
        LAND(move)(block.reach, fields[TRN_LAND_FIELD_OVERHANG_REACH] + first, some);
        LAND(move)(block.entrance, fields[TRN_LAND_FIELD_ENTRANCE] + first, some);
        LAND(move)(block.strata, fields[TRN_LAND_FIELD_STRATA_SHIFT] + first, some);
        for (size_t i = 0; i < some; i++) {
            block.is_boulder[i] = ground->boulders[first + i];
        }
        for (size_t i = 0; i < LAND_LANES; i += LAND_VECTOR) {
            LAND(cover_lanes)(&block, i);
        }
        for (size_t i = 0; i < LAND_LANES; i++) {
            block.strata_shift[i] = trn_land_floor(trn_land_clamp(block.strata[i], -60.0f, 60.0f));
        }
        for (size_t i = 0; i < some; i++) {
            ground->biomes[first + i] = (uint8_t)block.biome[i];
            ground->covers[first + i] = (uint8_t)block.cover[i];
            ground->roofs[first + i] = (int8_t)block.roof[i];
            ground->strata_shifts[first + i] = (int16_t)block.strata_shift[i];
        }
    }
}
