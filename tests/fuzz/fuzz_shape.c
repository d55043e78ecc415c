/// Shapes of terrains as text: a text is refused with a sentence and changes nothing, or the shape
/// is written and read again as it was, and a chunk of such a land is generated.
#include "fuzz.h"

#include <terrane/terrain.h>

static void expect_sentence(const TrnTerrainProblem *problem)
{
    const char *at = problem->sentence;
    FUZZ_REQUIRE(problem->line > 0 && problem->column > 0);
    FUZZ_REQUIRE(*at && memchr(at, 0, sizeof problem->sentence));
    for (; *at; at++) {
        FUZZ_REQUIRE(*at >= ' ' && *at <= '~');
    }
}

/// A shape as text.
typedef struct ShapeText {
    char text[1024];
    size_t size;
} ShapeText;

static ShapeText text_of(const TrnTerrainShape *shape)
{
    ShapeText text;
    text.size = trn_terrain_shape_write(shape, text.text, sizeof text.text);
    FUZZ_REQUIRE(text.size > 0 && text.size < sizeof text.text);
    return text;
}

static void expect_same(const TrnTerrainShape *shape, const ShapeText *text)
{
    const ShapeText now = text_of(shape);
    FUZZ_REQUIRE(now.size == text->size && memcmp(now.text, text->text, now.size) == 0);
}

static void expect_round_trip(const TrnTerrainShape *shape)
{
    const ShapeText text = text_of(shape);
    TrnTerrainShape again;
    FUZZ_REQUIRE(trn_terrain_shape_load(text.text, text.size, &again, NULL) == TRN_RESULT_OK);
    expect_same(&again, &text);
}

/// @param seed  of the land; also chooses the chunk
static void generate(const TrnTerrainShape *shape, uint32_t seed)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain;
    bool is_uniform;
    def.seed = seed;
    def.shape = *shape;
    FUZZ_REQUIRE(!trn_terrain_def_fault(&def));
    FUZZ_REQUIRE(trn_terrain_create(&def, &terrain) == TRN_RESULT_OK);
    const TrnGenerator land = trn_terrain_generator(terrain);
    const TrnCoord coord = {(int32_t)(seed & 63), (int32_t)(seed >> 6 & 7) - 3, 0};
    const uint32_t level = seed >> 9 & 3;
    FUZZ_REQUIRE(trn_generator_generate(&land, coord, level, blocks, &is_uniform) == TRN_RESULT_OK);
    for (uint32_t i = 0; i < (is_uniform ? 1 : TRN_CHUNK_VOXELS); i++) {
        FUZZ_REQUIRE(blocks[i] < TRN_BLOCK_BUILTIN_COUNT);
    }
    trn_terrain_destroy(terrain);
}

int fuzz_shape(const uint8_t *bytes, size_t size);

int fuzz_shape(const uint8_t *bytes, size_t size)
{
    TrnTerrainProblem problem = {0};
    TrnTerrainShape shape = trn_terrain_shape_default();
    shape.scale = 7.25f;
    const ShapeText before = text_of(&shape);
    if (trn_terrain_shape_load((const char *)bytes, size, &shape, &problem) != TRN_RESULT_OK) {
        expect_sentence(&problem);
        expect_same(&shape, &before);
        return 0;
    }
    expect_round_trip(&shape);
    uint32_t seed = 0;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 31 + bytes[i];
    }
    generate(&shape, seed);
    return 0;
}
