// The table of names, and the names that it lacks: see names.h.

#include "names.h"

#include <stdio.h>
#include <string.h>

#include "base/entropy.h"
#include "base/hash.h"
#include "base/memory.h"
#include "notes.h"

#define NAMES_OTHER "imported:other" // stands for unknown names beyond the limit
#define NAMES_HASH_DIGITS 9          // '-' and eight digits
#define NAMES_SPACE_MAX 32           // bytes of a namespace

extern const char trn_asset_rules_txt[]; // embedded
extern const size_t trn_asset_rules_txt_bytes;

TrnImportTable trn_import_rules(void)
{
    return (TrnImportTable){trn_asset_rules_txt, trn_asset_rules_txt_bytes};
}

/// A piece of a text.
typedef struct NamesText {
    const char *text;
    size_t size;
} NamesText;

// ---- entries -----------------------------------------------------------------------------------

static size_t names_bucket_of(const TrnImportNames *names, const char *text, size_t size)
{
    return trn_bytes_hash(text, size, names->key) % TRN_IMPORT_NAME_BUCKETS;
}

static TrnImportName **names_bucket(TrnImportNames *names, const char *text, size_t size)
{
    return &names->buckets[names_bucket_of(names, text, size)];
}

/// @return NULL if there is no such entry
static TrnImportName *names_look_up(TrnImportName *first, const char *text, size_t size)
{
    while (first && (first->size != size || memcmp(first->text, text, size) != 0)) {
        first = first->next;
    }
    return first;
}

/// Notes the family of an entry's block.
static void names_add_family(const TrnImportNames *names, TrnImportName *name)
{
    const TrnBlockType *type = trn_block_types_get(names->types, name->block);
    name->variants[0] = name->block;
    name->members = 1;
    for (uint32_t i = 1; type->variant == 0 && i < TRN_BLOCK_VARIANTS_MAX; i++) {
        const TrnBlock variant = trn_block_types_variant(names->types, name->block, i);
        if (variant == TRN_BLOCK_AIR) {
            break;
        }
        name->variants[name->members++] = variant;
    }
    name->is_shaped = type->model || name->members > 1;
}

/// @return NULL if there is no memory
static TrnImportName *names_add(TrnImportNames *names, const char *text, size_t size,
                                TrnBlock block, bool is_unknown)
{
    TrnImportName *name = trn_take(&names->allocator, sizeof *name + size + 1, sizeof(uint64_t));
    if (name) {
        TrnImportName **bucket = names_bucket(names, text, size);
        *name = (TrnImportName){
            .next = *bucket, .block = block, .is_unknown = is_unknown, .size = (uint32_t)size};
        memcpy(name->text, text, size);
        name->text[size] = '\0';
        names_add_family(names, name);
        *bucket = name;
    }
    return name;
}

// ---- unknown names -----------------------------------------------------------------------------

static bool names_has_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c && strchr("_./-", c));
}

/// Writes the nearest valid name of a block type: "Mod:Big Stone" becomes "mod:big_stone". A name
/// that is too long ends in its hash.
static void names_make_valid(const char *text, size_t size, char out[TRN_BLOCK_NAME_MAX + 1])
{
    const size_t searched = size < NAMES_SPACE_MAX ? size : NAMES_SPACE_MAX;
    const char *colon = size ? memchr(text, ':', searched) : NULL;
    char whole[TRN_IMPORT_NAME_MAX + sizeof "imported:_"];
    size_t at = (size_t)snprintf(whole, sizeof whole, "%s",
                                 colon ? (colon == text ? "_" : "") : "imported:");
    for (size_t i = 0; i < size; i++) {
        const char c = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
        whole[at++] = (char)(names_has_char(c) || text + i == colon ? c : '_');
    }
    if (whole[at - 1] == ':') {
        whole[at++] = '_';
    }
    if (at > TRN_BLOCK_NAME_MAX) {
        at = TRN_BLOCK_NAME_MAX - NAMES_HASH_DIGITS;
        at += (size_t)snprintf(whole + at, NAMES_HASH_DIGITS + 1, "-%08x",
                               (unsigned)trn_bytes_hash(text, size, 0));
    }
    memcpy(out, whole, at);
    out[at] = '\0';
}

/// Finds a block type, or adds a placeholder. Errors: NO_MEMORY, FULL, and what `quiet` returns.
static TrnResult names_find_or_add(TrnImportNames *names, const char *name, TrnBlock *block)
{
    TrnResult result = trn_block_types_find(names->types, name, block);
    if (result != TRN_RESULT_NOT_FOUND) {
        return result;
    }
    result = names->quiet ? names->quiet(names->quiet_user) : TRN_RESULT_OK;
    return result == TRN_RESULT_OK ? trn_block_types_add_unknown(names->types, name, block)
                                   : result;
}

/// Chooses the block for a name that the table lacks.
/// @param is_known  receives whether the game itself knows the name
static TrnResult names_choose(TrnImportNames *names, const char *text, size_t size, TrnBlock *block,
                              bool *is_known)
{
    char name[TRN_BLOCK_NAME_MAX + 1];
    names_make_valid(text, size, name);
    *is_known = trn_block_types_find(names->types, name, block) == TRN_RESULT_OK &&
                !trn_block_types_get(names->types, *block)->is_unknown;
    if (*is_known) {
        return TRN_RESULT_OK;
    }
    if (names->unknown == TRN_IMPORT_UNKNOWN_AIR) {
        *block = TRN_BLOCK_AIR;
        return TRN_RESULT_OK;
    }
    if (names->unknown == TRN_IMPORT_UNKNOWN_SHARED) {
        *block = names->placeholders[trn_bytes_hash(text, size, 0) % TRN_IMPORT_PLACEHOLDERS];
        return TRN_RESULT_OK;
    }
    return names_find_or_add(names, name, block);
}

static TrnResult names_add_unknown(TrnImportNames *names, const char *text, size_t size,
                                   TrnImportName **name)
{
    bool is_known = false;
    TrnBlock block = TRN_BLOCK_AIR;
    const TrnResult result = names_choose(names, text, size, &block, &is_known);
    if (result == TRN_RESULT_OK) {
        *name = names_add(names, text, size, block, !is_known);
        names->unknown_count += *name && !is_known;
    }
    return result == TRN_RESULT_OK && !*name ? TRN_RESULT_NO_MEMORY : result;
}

// ---- finding -----------------------------------------------------------------------------------

/// One bit for a pair of neighbouring characters.
static uint64_t names_pair(char first, char second)
{
    const uint32_t pair = (uint32_t)(unsigned char)first << 8 | (unsigned char)second;
    return UINT64_C(1) << (pair * UINT32_C(0x9E3779B1) >> 26);
}

/// The pairs of a text, except for those with a `*`.
static uint64_t names_pairs(const char *text, size_t size)
{
    uint64_t pairs = 0;
    for (size_t i = 1; i < size; i++) {
        pairs |= text[i - 1] == '*' || text[i] == '*' ? 0 : names_pair(text[i - 1], text[i]);
    }
    return pairs;
}

/// Whether a text begins with what stands before the next `*` of a pattern, somewhere.
/// @param text  receives what follows it
static bool names_match_part(NamesText part, NamesText *text)
{
    for (size_t at = 0; at + part.size <= text->size; at++) {
        if (memcmp(text->text + at, part.text, part.size) == 0) {
            *text = (NamesText){text->text + at + part.size, text->size - at - part.size};
            return true;
        }
    }
    return false;
}

/// @param size_of_pattern  its whole size, or that of the name alone
static bool names_match(const TrnImportPattern *pattern, size_t size_of_pattern, const char *text,
                        size_t size)
{
    const size_t before = pattern->before;
    const size_t behind = pattern->behind - (pattern->size - size_of_pattern);
    const char *end = pattern->text + size_of_pattern - behind;
    if (size < before + behind || memcmp(text, pattern->text, before) != 0 ||
        memcmp(text + size - behind, end, behind) != 0) {
        return false;
    }
    NamesText rest = {text + before, size - before - behind};
    const char *at = pattern->text + before + 1;
    while (at < end) { // each part as early as it can be
        const char *star = memchr(at, '*', (size_t)(end - at));
        if (!names_match_part((NamesText){at, (size_t)(star - at)}, &rest)) {
            return false;
        }
        at = star + 1;
    }
    return true;
}

/// Finds the first line with a `*` that matches. @param has_property  of those for block states
static const TrnImportPattern *names_find_pattern(const TrnImportNames *names, const char *text,
                                                  size_t size, bool has_property)
{
    const TrnImportPatterns *patterns = &names->patterns[has_property];
    const uint64_t pairs = names_pairs(text, size);
    for (uint32_t i = 0; i < patterns->count; i++) {
        const TrnImportPattern *pattern = &patterns->items[i];
        if (!(pattern->pairs & ~pairs) && names_match(pattern, pattern->size, text, size)) {
            return pattern;
        }
    }
    return NULL;
}

/// Whether lines may be for block states of a name.
static bool names_has_states(const TrnImportNames *names, const char *text, size_t size)
{
    char marked[TRN_IMPORT_NAME_MAX + 1]; // as names_add_line adds it
    memcpy(marked, text, size);
    marked[size] = '[';
    bool has_any = names_look_up(names->buckets[names_bucket_of(names, marked, size + 1)], marked,
                                 size + 1) != NULL;
    for (uint32_t i = 0; i < names->patterns[1].count && !has_any; i++) {
        const TrnImportPattern *pattern = &names->patterns[1].items[i];
        const bool has_star = pattern->behind < pattern->size - pattern->name_size; // the property
        has_any = has_star || names_match(pattern, pattern->name_size, text, size);
    }
    return has_any;
}

static TrnResult names_add_match(TrnImportNames *names, const char *text, size_t size,
                                 const TrnImportPattern *pattern, TrnImportName **name)
{
    *name = names_add(names, text, size, pattern->block, false);
    if (*name) {
        (*name)->turn = pattern->turn;
    }
    return *name ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

/// Whether a name is one of Terrane's own blocks, as schematics have them that it wrote.
static bool names_is_ours(const TrnImportNames *names, const char *text, size_t size)
{
    static const char space[] = "terrane:";
    char whole[TRN_BLOCK_NAME_MAX + 1] = "";
    TrnBlock block;
    if (size < sizeof space || size > TRN_BLOCK_NAME_MAX ||
        memcmp(text, space, sizeof space - 1) != 0) {
        return false;
    }
    memcpy(whole, text, size);
    return !memchr(text, '\0', size) &&
           trn_block_types_find(names->types, whole, &block) == TRN_RESULT_OK &&
           !trn_block_types_get(names->types, block)->is_unknown;
}

static TrnResult names_resolve(TrnImportNames *names, const char *text, size_t size,
                               TrnImportName **name)
{
    const TrnImportPattern *pattern =
        names_is_ours(names, text, size) ? NULL : names_find_pattern(names, text, size, false);
    if (pattern) {
        return names_add_match(names, text, size, pattern, name);
    }
    if (names->unknown_count < TRN_IMPORT_UNKNOWN_MAX) {
        return names_add_unknown(names, text, size, name);
    }
    const size_t other = sizeof NAMES_OTHER - 1;
    *name = names_look_up(*names_bucket(names, NAMES_OTHER, other), NAMES_OTHER, other);
    return *name ? TRN_RESULT_OK : names_add_unknown(names, NAMES_OTHER, other, name);
}

TrnResult trn_import_names_find(TrnImportNames *names, const char *text, size_t size,
                                TrnImportName **name)
{
    size = size < TRN_IMPORT_NAME_MAX ? size : TRN_IMPORT_NAME_MAX;
    trn_mutex_lock(&names->mutex);
    TrnResult result = TRN_RESULT_OK;
    TrnImportName *found = names_look_up(*names_bucket(names, text, size), text, size);
    if (!found) {
        result = names_resolve(names, text, size, &found);
        if (result == TRN_RESULT_OK) {
            found->has_states = names_has_states(names, text, size);
        }
    }
    trn_mutex_unlock(&names->mutex);
    if (result == TRN_RESULT_OK) {
        *name = found;
    }
    return result;
}

/// Finds the entry of a name with one property. @param entry  receives NULL if no line names it
static TrnResult names_find_property(TrnImportNames *names, const char *text, size_t size,
                                     const TrnImportProperty *property, TrnImportName **entry)
{
    char whole[TRN_IMPORT_NAME_MAX];
    *entry = NULL;
    if (size + property->key_size + property->value_size + 3 > sizeof whole) {
        return TRN_RESULT_OK;
    }
    size_t at = 0;
    memcpy(whole, text, size);
    at += size;
    whole[at++] = '[';
    memcpy(whole + at, property->key, property->key_size);
    at += property->key_size;
    whole[at++] = '=';
    memcpy(whole + at, property->value, property->value_size);
    at += property->value_size;
    whole[at++] = ']';
    *entry = names_look_up(*names_bucket(names, whole, at), whole, at);
    if (*entry) {
        *entry = (*entry)->is_absent ? NULL : *entry;
        return TRN_RESULT_OK;
    }
    const TrnImportPattern *pattern = names_find_pattern(names, whole, at, true);
    if (pattern) {
        return names_add_match(names, whole, at, pattern, entry);
    }
    TrnImportName *absent = names_add(names, whole, at, TRN_BLOCK_AIR, false);
    if (absent) {
        absent->is_absent = true;
    }
    return absent ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

TrnResult trn_import_names_find_state(TrnImportNames *names, const char *text, size_t size,
                                      const TrnImportProperty *properties, uint32_t count,
                                      TrnImportState *state)
{
    TrnImportName *name, *shown = NULL;
    size = size < TRN_IMPORT_NAME_MAX ? size : TRN_IMPORT_NAME_MAX;
    TrnResult result = trn_import_names_find(names, text, size, &name);
    if (result == TRN_RESULT_OK && count > 0 && name->has_states) {
        trn_mutex_lock(&names->mutex);
        for (uint32_t i = 0; i < count && result == TRN_RESULT_OK && !shown; i++) {
            result = names_find_property(names, text, size, &properties[i], &shown);
        }
        trn_mutex_unlock(&names->mutex);
    }
    if (result == TRN_RESULT_OK) {
        const TrnImportName *its = shown ? shown : name;
        const uint32_t variant = trn_import_state_variant(its->members, properties, count);
        *state = (TrnImportState){name, its->variants[variant < its->members ? variant : 0],
                                  count > 0 && !shown && !its->is_shaped};
    }
    return result;
}

// ---- the table ---------------------------------------------------------------------------------

static bool names_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static NamesText names_trim(NamesText piece)
{
    while (piece.size && names_is_blank(piece.text[piece.size - 1])) {
        piece.size--;
    }
    while (piece.size && names_is_blank(piece.text[0])) {
        piece.text++;
        piece.size--;
    }
    return piece;
}

/// A piece as it is shown in a sentence: short, and printable.
typedef struct NamesShown {
    char text[TRN_BLOCK_NAME_MAX + 1];
} NamesShown;

static NamesShown names_show(NamesText piece)
{
    NamesShown shown = {""};
    for (size_t i = 0; i < piece.size && i < TRN_BLOCK_NAME_MAX; i++) {
        shown.text[i] = (char)(piece.text[i] >= ' ' && piece.text[i] <= '~' ? piece.text[i] : '?');
    }
    return shown;
}

static TrnResult names_add_pattern(TrnImportNames *names, NamesText their, TrnBlock block,
                                   TrnImportTurn turn)
{
    const char *first = memchr(their.text, '*', their.size), *last = their.text + their.size - 1;
    const char *open = memchr(their.text, '[', their.size);
    char *text = trn_take(&names->allocator, their.size + 1, 1);
    if (!text) {
        return TRN_RESULT_NO_MEMORY;
    }
    memcpy(text, their.text, their.size);
    while (*last != '*') {
        last--;
    }
    const TrnImportPattern pattern = {
        .text = text,
        .size = (uint32_t)their.size,
        .before = (uint32_t)(first - their.text),
        .behind = (uint32_t)(their.text + their.size - 1 - last),
        .name_size = (uint32_t)(open ? open - their.text : (ptrdiff_t)their.size),
        .pairs = names_pairs(their.text, their.size),
        .block = block,
        .turn = turn};
    const TrnResult result =
        trn_array_push(&names->patterns[open != NULL], &names->allocator, pattern);
    if (result != TRN_RESULT_OK) {
        trn_give(&names->allocator, text, their.size + 1);
    }
    return result;
}

/// What is wrong with a line's names, as a sentence's end; NULL: nothing.
static const char *names_fault(const TrnImportNames *names, NamesText their, NamesText our,
                               TrnBlock *block)
{
    if (their.size == 0 || their.size > TRN_IMPORT_NAME_MAX) {
        return "a name of the other game has 1 to 255 bytes and stands before the '='";
    }
    char name[TRN_BLOCK_NAME_MAX + 1] = "";
    memcpy(name, our.text, our.size <= TRN_BLOCK_NAME_MAX ? our.size : 0);
    if (!memchr(our.text, '\0', our.size) &&
        trn_block_types_find(names->types, name, block) == TRN_RESULT_OK) {
        return NULL;
    }
    return "is no block here; give the name of a block type, such as terrane:stone";
}

/// Finds the '=' between the names: not that of a property. NULL: there is none
static const char *names_find_equals(NamesText line)
{
    const char *equals = memchr(line.text, '=', line.size);
    const char *open = equals ? memchr(line.text, '[', (size_t)(equals - line.text)) : NULL;
    const size_t before = open ? (size_t)(open - line.text) : 0;
    const char *close = open ? memchr(open, ']', line.size - before) : NULL;
    return close ? memchr(close, '=', line.size - (size_t)(close - line.text)) : equals;
}

/// Cuts the word off the end of a line that says what param2 is.
static TrnImportTurn names_cut_turn(NamesText *our)
{
    static const char *const words[] = {[TRN_IMPORT_TURN_FACEDIR] = " facedir",
                                        [TRN_IMPORT_TURN_WALLMOUNTED] = " wallmounted",
                                        [TRN_IMPORT_TURN_FLOWING] = " flowing"};
    for (uint32_t i = TRN_IMPORT_TURN_FACEDIR; i <= TRN_IMPORT_TURN_FLOWING; i++) {
        const size_t size = strlen(words[i]);
        if (our->size > size && memcmp(our->text + our->size - size, words[i], size) == 0) {
            *our = names_trim((NamesText){our->text, our->size - size});
            return (TrnImportTurn)i;
        }
    }
    return TRN_IMPORT_TURN_NONE;
}

/// Where a line stands.
typedef struct NamesPlace {
    size_t number;
    bool is_built_in; ///< in the format's own table: lines that there are already come before it
    bool is_out;      ///< "<-" instead of "="
} NamesPlace;

static TrnResult names_refuse(TrnStorageProblem *problem, NamesPlace place, NamesText shown,
                              const char *fault)
{
    trn_import_tell(problem, "line %zu of the %stable of names: '%s' %s.", place.number,
                    place.is_built_in ? "built-in " : "", names_show(shown).text, fault);
    return TRN_RESULT_CORRUPT;
}

/// Adds an entry `name[` if a line is for a block state of a name.
static TrnResult names_mark_states(TrnImportNames *names, NamesText their)
{
    const char *open = memchr(their.text, '[', their.size);
    const size_t size = open ? (size_t)(open - their.text) + 1 : 0;
    return !open || names_look_up(*names_bucket(names, their.text, size), their.text, size) ||
                   names_add(names, their.text, size, TRN_BLOCK_AIR, false)
               ? TRN_RESULT_OK
               : TRN_RESULT_NO_MEMORY;
}

/// Adds a line for blocks that go out.
static TrnResult names_add_stand_in(TrnImportNames *names, NamesText their, NamesText our,
                                    NamesPlace place, TrnStorageProblem *problem)
{
    TrnImportStandIn stand_in = {.size = (uint32_t)their.size};
    const char *fault = names_fault(names, their, our, &stand_in.block);
    if (fault) {
        return names_refuse(problem, place, our, fault);
    }
    memcpy(stand_in.text, their.text, their.size);
    return trn_array_push(&names->stand_ins, &names->allocator, stand_in);
}

static TrnResult names_add_line(TrnImportNames *names, NamesText their, NamesText our,
                                NamesPlace place, TrnStorageProblem *problem)
{
    if (place.is_out) {
        return names_add_stand_in(names, their, our, place, problem);
    }
    const TrnImportTurn turn = names_cut_turn(&our);
    TrnBlock block = TRN_BLOCK_AIR;
    const char *fault = names_fault(names, their, our, &block);
    if (fault) {
        return names_refuse(problem, place, our, fault);
    }
    if (memchr(their.text, '*', their.size)) {
        return names_add_pattern(names, their, block, turn);
    }
    if (names_look_up(*names_bucket(names, their.text, their.size), their.text, their.size)) {
        return place.is_built_in ? TRN_RESULT_OK
                                 : names_refuse(problem, place, their, "has a line already");
    }
    TrnImportName *name = names_add(names, their.text, their.size, block, false);
    if (!name) {
        return TRN_RESULT_NO_MEMORY;
    }
    name->turn = turn;
    name->line = ++names->line_count;
    return names_mark_states(names, their);
}

/// Finds a text in another. @return NULL if it is not there
static const char *names_find_text(NamesText in, const char *wanted)
{
    const size_t size = strlen(wanted);
    for (size_t at = 0; at + size <= in.size; at++) {
        if (memcmp(in.text + at, wanted, size) == 0) {
            return in.text + at;
        }
    }
    return NULL;
}

#define NAMES_COLOUR "<colour>"
#define NAMES_OUT " <- "

/// Writes a text with a colour where it has <colour>. @param out  [TRN_IMPORT_NAME_MAX + 1]
static NamesText names_colour(NamesText text, const char *colour, char *out)
{
    const char *at = names_find_text(text, NAMES_COLOUR);
    if (!at || text.size + strlen(colour) > TRN_IMPORT_NAME_MAX) {
        return text;
    }
    const size_t before = (size_t)(at - text.text), skipped = before + sizeof NAMES_COLOUR - 1;
    const int size = snprintf(out, TRN_IMPORT_NAME_MAX + 1, "%.*s%s%.*s", (int)before, text.text,
                              colour, (int)(text.size - skipped), text.text + skipped);
    return (NamesText){out, (size_t)size};
}

/// Adds a line, or one for each colour.
static TrnResult names_add_colours(TrnImportNames *names, NamesText their, NamesText our,
                                   NamesPlace place, TrnStorageProblem *problem)
{
    // Longer ones first: with a * before it, blue matches light_blue too.
    static const char *const colours[] = {
        "light_blue", "light_gray", "white",  "orange", "magenta", "yellow", "lime", "pink",
        "gray",       "cyan",       "purple", "blue",   "brown",   "green",  "red",  "black"};
    if (!names_find_text(place.is_out ? our : their, NAMES_COLOUR)) {
        return names_add_line(names, their, our, place, problem);
    }
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < sizeof colours / sizeof *colours && result == TRN_RESULT_OK; i++) {
        char theirs[TRN_IMPORT_NAME_MAX + 1], ours[TRN_IMPORT_NAME_MAX + 1];
        result = names_add_line(names, names_colour(their, colours[i], theirs),
                                names_colour(our, colours[i], ours), place, problem);
    }
    return result;
}

static TrnResult names_read_line(TrnImportNames *names, NamesText line, NamesPlace place,
                                 TrnStorageProblem *problem)
{
    const char *equals = names_find_equals(line), *out = names_find_text(line, NAMES_OUT);
    if (out && (!equals || out < equals)) {
        const size_t size = (size_t)(out - line.text), behind = size + sizeof NAMES_OUT - 1;
        place.is_out = true;
        return names_add_colours(names, names_trim((NamesText){line.text, size}),
                                 names_trim((NamesText){line.text + behind, line.size - behind}),
                                 place, problem);
    }
    if (!equals) {
        return names_refuse(problem, place, line, "has no '=': write their:name = our:block");
    }
    const size_t before = (size_t)(equals - line.text);
    const NamesText their = names_trim((NamesText){line.text, before});
    const NamesText our = names_trim((NamesText){equals + 1, line.size - before - 1});
    return names_add_colours(names, their, our, place, problem);
}

/// Reads the lines of a table. @param includes  receives whether one is `include built-in`
static TrnResult names_read(TrnImportNames *names, TrnImportTable table, bool is_built_in,
                            bool *includes, TrnStorageProblem *problem)
{
    static const char include[] = "include built-in";
    TrnResult result = TRN_RESULT_OK;
    NamesPlace place = {.number = 1, .is_built_in = is_built_in};
    for (size_t at = 0; table.text && at < table.size && result == TRN_RESULT_OK; place.number++) {
        const char *text = table.text + at, *end = memchr(text, '\n', table.size - at);
        const size_t length = end ? (size_t)(end - text) : table.size - at;
        const char *comment = length ? memchr(text, '#', length) : NULL;
        const NamesText line =
            names_trim((NamesText){text, comment ? (size_t)(comment - text) : length});
        if (line.size == sizeof include - 1 && memcmp(line.text, include, line.size) == 0) {
            *includes = true;
        } else if (line.size) {
            result = names_read_line(names, line, place, problem);
        }
        at += length + 1;
    }
    return result;
}

/// Makes names air that no line is for, so that no table fills a world by leaving them out.
static TrnResult names_add_airs(TrnImportNames *names, const char *const *airs)
{
    for (; airs && *airs; airs++) {
        const size_t size = strlen(*airs);
        if (!names_look_up(*names_bucket(names, *airs, size), *airs, size) &&
            !names_add(names, *airs, size, TRN_BLOCK_AIR, false)) {
            return TRN_RESULT_NO_MEMORY;
        }
    }
    return TRN_RESULT_OK;
}

static TrnResult names_read_tables(TrnImportNames *names, const TrnImportTables *tables,
                                   TrnStorageProblem *problem)
{
    bool includes = !tables->given.text;
    TrnResult result = names_read(names, tables->given, false, &includes, problem);
    if (result == TRN_RESULT_OK && includes && tables->built_in.text) {
        bool is_known; // it does not include itself
        result = names_read(names, tables->built_in, true, &is_known, problem);
        if (result == TRN_RESULT_OK) {
            result = names_read(names, trn_import_rules(), true, &is_known, problem);
        }
    }
    result = result == TRN_RESULT_OK ? names_add_airs(names, tables->airs) : result;
    for (size_t i = 0; i < TRN_IMPORT_NAME_BUCKETS && result == TRN_RESULT_OK; i++) {
        for (TrnImportName *name = names->buckets[i]; name; name = name->next) {
            name->has_states = names_has_states(names, name->text, name->size);
        }
    }
    return result;
}

static TrnResult names_add_placeholders(TrnImportNames *names)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < TRN_IMPORT_PLACEHOLDERS && result == TRN_RESULT_OK; i++) {
        char name[TRN_BLOCK_NAME_MAX + 1];
        (void)snprintf(name, sizeof name, "imported:unknown_%u", (unsigned)i);
        result = names_find_or_add(names, name, &names->placeholders[i]);
    }
    return result;
}

TrnResult trn_import_names_open(TrnImportNames *names, const TrnAllocator *allocator,
                                TrnBlockTypes *types, TrnImportUnknown unknown,
                                const TrnImportTables *tables, TrnStorageProblem *problem)
{
    memset(names, 0, sizeof *names);
    names->allocator = *allocator;
    names->types = types;
    names->key = trn_entropy_key();
    names->unknown = unknown;
    if (!trn_mutex_init(&names->mutex)) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = names_read_tables(names, tables, problem);
    if (result == TRN_RESULT_OK && unknown == TRN_IMPORT_UNKNOWN_SHARED) {
        result = names_add_placeholders(names);
    }
    if (result != TRN_RESULT_OK) {
        trn_import_names_free(names);
    }
    return result;
}

void trn_import_names_free(TrnImportNames *names)
{
    for (uint32_t i = 0; i < TRN_IMPORT_NAME_BUCKETS; i++) {
        for (TrnImportName *name = names->buckets[i], *next; name; name = next) {
            next = name->next;
            trn_give(&names->allocator, name, sizeof *name + name->size + 1);
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        TrnImportPatterns *patterns = &names->patterns[kind];
        for (uint32_t i = 0; i < patterns->count; i++) {
            trn_give(&names->allocator, patterns->items[i].text, patterns->items[i].size + 1);
        }
        trn_array_free(patterns, &names->allocator);
    }
    trn_array_free(&names->stand_ins, &names->allocator);
    trn_mutex_destroy(&names->mutex);
}
