// Turns of models begin with what looks towards +x, or leans at the side towards -x, and go from +x
// towards +z: east, south, west, north. The second four of eight are upside down. See turns.h.

#include "turns.h"

#include <stdbool.h>
#include <string.h>

#define TURNS_LEVELS 9 // members of a liquid's family
#define TURNS_FALLING 8

enum { TURNS_EAST, TURNS_SOUTH, TURNS_WEST, TURNS_NORTH };

// ---- Minecraft ---------------------------------------------------------------------------------

/// Returns the value of a property, or an empty one.
static TrnImportProperty turns_property(const TrnImportProperty *properties, uint32_t count,
                                        const char *key)
{
    for (uint32_t i = 0; i < count; i++) {
        if (properties[i].key_size == strlen(key) &&
            memcmp(properties[i].key, key, properties[i].key_size) == 0) {
            return properties[i];
        }
    }
    return (TrnImportProperty){"", "", 0, 0};
}

static bool turns_is(TrnImportProperty property, const char *value)
{
    return property.value_size == strlen(value) &&
           memcmp(property.value, value, property.value_size) == 0;
}

/// A liquid's level: 0 is the source, 8 and more are falling.
static uint32_t turns_level(TrnImportProperty level)
{
    uint32_t number = 0;
    for (size_t i = 0; i < level.value_size && number < TURNS_FALLING; i++) {
        const char digit = level.value[i];
        number = digit >= '0' && digit <= '9' ? number * 10 + (uint32_t)(digit - '0') : 0;
    }
    return number < TURNS_FALLING ? number : TURNS_FALLING;
}

uint32_t trn_import_state_variant(uint32_t members, const TrnImportProperty *properties,
                                  uint32_t count)
{
    if (members == TURNS_LEVELS) {
        return turns_level(turns_property(properties, count, "level"));
    }
    if (members != 4 && members != 8) {
        return 0;
    }
    static const char *const facings[4] = {"east", "south", "west", "north"};
    const TrnImportProperty facing = turns_property(properties, count, "facing");
    uint32_t turn = TURNS_EAST;
    for (uint32_t i = 0; i < 4; i++) {
        turn = turns_is(facing, facings[i]) ? i : turn;
    }
    // An open door stands at the side of its hinge.
    const bool swings_right = turns_is(turns_property(properties, count, "open"), "true") &&
                              turns_is(turns_property(properties, count, "hinge"), "right");
    turn = (turn + (swings_right ? 2 : 0)) % 4;
    const bool is_above = turns_is(turns_property(properties, count, "half"), "top") ||
                          turns_is(turns_property(properties, count, "type"), "top");
    return members == 8 && is_above ? turn + 4 : turn;
}

// ---- Luanti ------------------------------------------------------------------------------------

/// What looks north at facedir 0: rotations around the vertical axis, upright or upside down.
static uint32_t turns_facedir(uint32_t members, uint32_t facedir)
{
    static const uint8_t upright[4] = {TURNS_NORTH, TURNS_EAST, TURNS_SOUTH, TURNS_WEST};
    static const uint8_t upside_down[4] = {TURNS_NORTH, TURNS_WEST, TURNS_SOUTH, TURNS_EAST};
    return facedir < 4                                     ? upright[facedir]
           : members == 8 && facedir >= 20 && facedir < 24 ? upside_down[facedir - 20] + 4u
                                                           : TRN_IMPORT_VARIANT_NONE;
}

/// The side that it is at: up, down, east, west, north, south. Variant 0 is at the west.
static uint32_t turns_wallmounted(uint32_t side)
{
    static const uint8_t turns[4] = {2, 0, 1, 3};
    return side >= 2 && side < 6 ? turns[side - 2] : TRN_IMPORT_VARIANT_NONE;
}

/// Levels fall from 7 to 0; our flows are 1 to 7, ever lower.
static uint32_t turns_flowing(uint32_t param2)
{
    const uint32_t level = param2 & 7u;
    return param2 & 8u ? TURNS_FALLING : level == 0 ? 7 : 8 - level;
}

uint32_t trn_import_param2_variant(uint32_t members, TrnImportTurn turn, uint8_t param2)
{
    const bool is_turned = members == 4 || members == 8;
    return turn == TRN_IMPORT_TURN_FACEDIR && is_turned ? turns_facedir(members, param2 & 31u)
           : turn == TRN_IMPORT_TURN_WALLMOUNTED && members == 4 ? turns_wallmounted(param2 & 7u)
           : turn == TRN_IMPORT_TURN_FLOWING && members == TURNS_LEVELS ? turns_flowing(param2)
                                                                        : TRN_IMPORT_VARIANT_NONE;
}
