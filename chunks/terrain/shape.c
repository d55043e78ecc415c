// The shape of a world: its fields, their text format, and the built-in presets.

#include <stdio.h>
#include <string.h>

#include "terrain/shape_impl.h"

#define SHAPE_FIELD(field, min, max, default_value)                                                \
    {                                                                                              \
#field, offsetof(TrnTerrainShape, field), (float)(min), (float)(max),                      \
            (float)(default_value),                                                                \
            #field " must lie in " #min ".." #max "; " #default_value " is the default."           \
    }

const TrnShapeField trn_shape_fields[TRN_SHAPE_FIELD_COUNT] = {
    SHAPE_FIELD(scale, 0.25, 8, 1),     SHAPE_FIELD(land, -1, 1, 0),
    SHAPE_FIELD(relief, 0, 2, 1),       SHAPE_FIELD(mountains, 0, 2, 1),
    SHAPE_FIELD(rivers, 0, 2, 1),       SHAPE_FIELD(terraces, 0, 1, 0),
    SHAPE_FIELD(overhangs, 0, 2, 1),    SHAPE_FIELD(caves, 0, 2, 1),
    SHAPE_FIELD(temperature, -1, 1, 0), SHAPE_FIELD(moisture, -1, 1, 0),
    SHAPE_FIELD(trees, 0, 2, 1),
};

#define SHAPE_FIRST_LINE "terrane-terrain 1"

/// A text that is being parsed.
typedef struct ShapeText {
    const char *at, *line_end, *line_first;
    const char *next, *text_end;
    size_t line;
    uint32_t seen_fields; ///< bit per field that was set
    TrnTerrainShape shape;
    TrnTerrainProblem *problem;
} ShapeText;

typedef struct ShapeWord {
    const char *first;
    size_t size;
} ShapeWord;

TrnTerrainShape trn_terrain_shape_default(void)
{
    TrnTerrainShape shape = {0};
    for (size_t i = 0; i < TRN_SHAPE_FIELD_COUNT; i++) {
        *trn_shape_value(&shape, &trn_shape_fields[i]) = trn_shape_fields[i].default_value;
    }
    return shape;
}

// ---- errors ------------------------------------------------------------------------------------

static TrnResult shape_report(const ShapeText *text, const char *at, const char *sentence)
{
    if (text->problem) {
        text->problem->line = text->line;
        text->problem->column = (size_t)(at - text->line_first) + 1;
        (void)snprintf(text->problem->sentence, sizeof text->problem->sentence, "%s", sentence);
    }
    return TRN_RESULT_CORRUPT;
}

/// Reports a word's error as the quoted word, followed by the sentence.
static TrnResult shape_report_word(const ShapeText *text, ShapeWord word, const char *sentence)
{
    char quoted[40];
    char whole[256];
    const size_t size = word.size < sizeof quoted - 1 ? word.size : sizeof quoted - 1;
    for (size_t i = 0; i < size; i++) {
        const char c = word.first[i];
        quoted[i] = '?';
        if (c >= ' ' && c <= '~') {
            quoted[i] = c;
        }
    }
    quoted[size] = '\0';
    (void)snprintf(whole, sizeof whole, "\"%s%s\" %s", quoted, size < word.size ? "..." : "",
                   sentence);
    return shape_report(text, word.first, whole);
}

// ---- tokens ------------------------------------------------------------------------------------

/// Advances to the next line.
/// @return whether there is one
static bool shape_next_line(ShapeText *text)
{
    if (text->next == text->text_end) {
        return false;
    }
    const char *end = memchr(text->next, '\n', (size_t)(text->text_end - text->next));
    text->line++;
    text->at = text->line_first = text->next;
    text->line_end = end ? end : text->text_end;
    text->next = end ? end + 1 : text->text_end;
    if (text->line_end > text->at && text->line_end[-1] == '\r') {
        text->line_end--;
    }
    return true;
}

static void shape_skip_blanks(ShapeText *text)
{
    while (text->at < text->line_end && (*text->at == ' ' || *text->at == '\t')) {
        text->at++;
    }
}

static bool shape_line_is_over(ShapeText *text)
{
    shape_skip_blanks(text);
    return text->at == text->line_end || *text->at == '#';
}

static ShapeWord shape_take_word(ShapeText *text)
{
    ShapeWord word = {text->at, 0};
    while (text->at < text->line_end && !strchr(" \t=#", *text->at)) {
        text->at++;
    }
    word.size = (size_t)(text->at - word.first);
    return word;
}

/// Parses a number such as -0.25: at most two digits before the point and three after it. Exact,
/// since one division rounds it.
static bool shape_read_number(ShapeWord word, float *number)
{
    const bool is_negative = word.size > 0 && word.first[0] == '-';
    uint32_t digits = 0, behind = 0;
    float value = 0.0f, unit = 1.0f;
    bool has_point = false;
    for (size_t i = is_negative; i < word.size; i++) {
        const char c = word.first[i];
        if (c == '.' && !has_point && digits > 0) {
            has_point = true;
            continue;
        }
        if (c < '0' || c > '9' || (has_point ? behind == 3 : digits == 2)) {
            return false;
        }
        value = value * 10.0f + (float)(c - '0');
        unit = has_point ? unit * 10.0f : unit;
        behind += has_point;
        digits++;
    }
    *number = (is_negative ? -value : value) / unit;
    return digits > 0 && (!has_point || behind > 0);
}

// ---- lines --------------------------------------------------------------------------------------

static const TrnShapeField *shape_find_field(ShapeWord word)
{
    for (size_t i = 0; i < TRN_SHAPE_FIELD_COUNT; i++) {
        const char *name = trn_shape_fields[i].name;
        if (word.size == strlen(name) && memcmp(word.first, name, word.size) == 0) {
            return &trn_shape_fields[i];
        }
    }
    return NULL;
}

/// Reads "key = number".
static TrnResult shape_read_entry(ShapeText *text)
{
    const ShapeWord name = shape_take_word(text);
    const TrnShapeField *field = shape_find_field(name);
    if (!field) {
        return shape_report_word(text, name,
                                 "is not a key; keys are scale, land, relief, mountains, rivers, "
                                 "terraces, overhangs, caves, temperature, moisture and trees.");
    }
    const uint32_t bit = 1u << (field - trn_shape_fields);
    if (text->seen_fields & bit) {
        return shape_report_word(text, name, "is set twice; keep one of the lines.");
    }
    shape_skip_blanks(text);
    if (text->at == text->line_end || *text->at != '=') {
        return shape_report(text, text->at, "\"=\" is missing here; a line is key = number.");
    }
    text->at++;
    shape_skip_blanks(text);
    const ShapeWord word = shape_take_word(text);
    float value;
    if (!shape_read_number(word, &value)) {
        return shape_report_word(text, word, "is not a number; write one such as 1, 0.25 or -0.3.");
    }
    if (value < field->min || value > field->max) {
        return shape_report(text, word.first, field->fault);
    }
    text->seen_fields |= bit;
    *trn_shape_value(&text->shape, field) = value;
    return shape_line_is_over(text)
               ? TRN_RESULT_OK
               : shape_report(text, text->at, "Nothing may follow here but a # comment.");
}

static bool shape_has_first_line(ShapeText *text)
{
    const size_t size = sizeof SHAPE_FIRST_LINE - 1;
    if (!shape_next_line(text) || (size_t)(text->line_end - text->at) < size ||
        memcmp(text->at, SHAPE_FIRST_LINE, size) != 0) {
        return false;
    }
    text->at += size;
    return shape_line_is_over(text);
}

TrnResult trn_terrain_shape_load(const char *text, size_t size, TrnTerrainShape *shape,
                                 TrnTerrainProblem *problem)
{
    if (!text || !shape) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    ShapeText parser = {.line_first = text,
                        .next = text,
                        .text_end = text + size,
                        .shape = trn_terrain_shape_default(),
                        .problem = problem};
    if (!shape_has_first_line(&parser)) {
        parser.line = 1;
        return shape_report(&parser, parser.line_first,
                            "The first line must be \"" SHAPE_FIRST_LINE
                            "\": this is not a terrain shape, or one of a later version.");
    }
    while (shape_next_line(&parser)) {
        if (shape_line_is_over(&parser)) {
            continue;
        }
        const TrnResult result = shape_read_entry(&parser);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    *shape = parser.shape;
    return TRN_RESULT_OK;
}

// ---- writing ------------------------------------------------------------------------------------

size_t trn_terrain_shape_write(const TrnTerrainShape *shape, char *text, size_t capacity)
{
    if (!shape) {
        return 0;
    }
    TrnTerrainShape copy = *shape;
    size_t length = 0;
    for (size_t i = 0; i <= TRN_SHAPE_FIELD_COUNT; i++) {
        char *const at = length < capacity ? text + length : NULL;
        const size_t left = at ? capacity - length : 0;
        const TrnShapeField *field = &trn_shape_fields[i ? i - 1 : 0];
        const int bytes = i ? snprintf(at, left, "%s = %.3f\n", field->name,
                                       (double)*trn_shape_value(&copy, field))
                            : snprintf(at, left, SHAPE_FIRST_LINE "\n");
        length += bytes > 0 ? (size_t)bytes : 0;
    }
    return length;
}

// ---- presets ------------------------------------------------------------------------------------

extern const char trn_asset_default_terrain[];
extern const size_t trn_asset_default_terrain_bytes;
extern const char trn_asset_islands_terrain[];
extern const size_t trn_asset_islands_terrain_bytes;
extern const char trn_asset_alps_terrain[];
extern const size_t trn_asset_alps_terrain_bytes;
extern const char trn_asset_canyons_terrain[];
extern const size_t trn_asset_canyons_terrain_bytes;
extern const char trn_asset_flat_terrain[];
extern const size_t trn_asset_flat_terrain_bytes;

static const struct {
    const char *name, *text;
    const size_t *bytes;
} shape_presets[] = {
    {"default", trn_asset_default_terrain, &trn_asset_default_terrain_bytes},
    {"islands", trn_asset_islands_terrain, &trn_asset_islands_terrain_bytes},
    {"alps", trn_asset_alps_terrain, &trn_asset_alps_terrain_bytes},
    {"canyons", trn_asset_canyons_terrain, &trn_asset_canyons_terrain_bytes},
    {"flat", trn_asset_flat_terrain, &trn_asset_flat_terrain_bytes},
};

#define SHAPE_PRESET_COUNT (sizeof shape_presets / sizeof shape_presets[0])

const char *trn_terrain_preset_name(size_t i)
{
    return i < SHAPE_PRESET_COUNT ? shape_presets[i].name : NULL;
}

TrnResult trn_terrain_shape_preset(const char *name, TrnTerrainShape *shape)
{
    if (!name || !shape) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    for (size_t i = 0; i < SHAPE_PRESET_COUNT; i++) {
        if (strcmp(name, shape_presets[i].name) == 0) {
            return trn_terrain_shape_load(shape_presets[i].text, *shape_presets[i].bytes, shape,
                                          NULL);
        }
    }
    return TRN_RESULT_NOT_FOUND;
}
