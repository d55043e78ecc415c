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

// ---- entries -----------------------------------------------------------------------------------

static TrnImportName **names_bucket(TrnImportNames *names, const char *text, size_t size)
{
    return &names->buckets[trn_bytes_hash(text, size, names->key) % TRN_IMPORT_NAME_BUCKETS];
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
    if (names->are_types_fixed) {
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

static bool names_match(const TrnImportPattern *pattern, const char *text, size_t size)
{
    const size_t before = pattern->star, behind = pattern->size - pattern->star - 1;
    return size >= before + behind && memcmp(text, pattern->text, before) == 0 &&
           memcmp(text + size - behind, pattern->text + before + 1, behind) == 0;
}

/// Finds the first line with a `*` that matches. @param has_property  whether it is for block
/// states
static const TrnImportPattern *names_find_pattern(const TrnImportNames *names, const char *text,
                                                  size_t size, bool has_property)
{
    for (uint32_t i = 0; i < names->patterns.count; i++) {
        const TrnImportPattern *pattern = &names->patterns.items[i];
        if (pattern->has_property == has_property && names_match(pattern, text, size)) {
            return pattern;
        }
    }
    return NULL;
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

static TrnResult names_resolve(TrnImportNames *names, const char *text, size_t size,
                               TrnImportName **name)
{
    const TrnImportPattern *pattern = names_find_pattern(names, text, size, false);
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
    const TrnImportPattern *pattern = *entry ? NULL : names_find_pattern(names, whole, at, true);
    return pattern ? names_add_match(names, whole, at, pattern, entry) : TRN_RESULT_OK;
}

TrnResult trn_import_names_find_state(TrnImportNames *names, const char *text, size_t size,
                                      const TrnImportProperty *properties, uint32_t count,
                                      TrnImportState *state)
{
    TrnImportName *name, *shown = NULL;
    size = size < TRN_IMPORT_NAME_MAX ? size : TRN_IMPORT_NAME_MAX;
    TrnResult result = trn_import_names_find(names, text, size, &name);
    if (names->has_properties) {
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

/// A piece of the table's text.
typedef struct NamesText {
    const char *text;
    size_t size;
} NamesText;

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

static TrnResult names_add_pattern(TrnImportNames *names, NamesText their, const char *star,
                                   TrnBlock block, TrnImportTurn turn)
{
    char *text = trn_take(&names->allocator, their.size + 1, 1);
    if (!text) {
        return TRN_RESULT_NO_MEMORY;
    }
    memcpy(text, their.text, their.size);
    const TrnImportPattern pattern = {.text = text,
                                      .size = (uint32_t)their.size,
                                      .star = (uint32_t)(star - their.text),
                                      .block = block,
                                      .turn = turn,
                                      .has_property = memchr(their.text, '[', their.size) != NULL};
    const TrnResult result = trn_array_push(&names->patterns, &names->allocator, pattern);
    if (result != TRN_RESULT_OK) {
        trn_give(&names->allocator, text, their.size + 1);
    }
    return result;
}

/// What is wrong with a line's names, as a sentence's end; NULL: nothing.
static const char *names_fault(const TrnImportNames *names, NamesText their, NamesText our,
                               TrnBlock *block)
{
    const char *star = their.size ? memchr(their.text, '*', their.size) : NULL;
    if (their.size == 0 || their.size > TRN_IMPORT_NAME_MAX) {
        return "a name of the other game has 1 to 255 bytes and stands before the '='";
    }
    if (star && memchr(star + 1, '*', their.size - (size_t)(star - their.text) - 1)) {
        return "a name may have one '*'";
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

static TrnResult names_read_line(TrnImportNames *names, NamesText line, size_t number,
                                 TrnStorageProblem *problem)
{
    const char *equals = names_find_equals(line);
    if (!equals) {
        trn_import_tell(problem,
                        "line %zu of the table of names has no '=': write their:name = "
                        "our:block.",
                        number);
        return TRN_RESULT_CORRUPT;
    }
    const size_t before = (size_t)(equals - line.text);
    const NamesText their = names_trim((NamesText){line.text, before});
    NamesText our = names_trim((NamesText){equals + 1, line.size - before - 1});
    const TrnImportTurn turn = names_cut_turn(&our);
    TrnBlock block = TRN_BLOCK_AIR;
    const char *fault = names_fault(names, their, our, &block);
    if (fault) {
        trn_import_tell(problem, "line %zu of the table of names: '%s' %s.", number,
                        names_show(our).text, fault);
        return TRN_RESULT_CORRUPT;
    }
    names->has_properties |= memchr(their.text, '[', their.size) != NULL;
    const char *star = memchr(their.text, '*', their.size);
    if (star) {
        return names_add_pattern(names, their, star, block, turn);
    }
    if (names_look_up(*names_bucket(names, their.text, their.size), their.text, their.size)) {
        trn_import_tell(problem, "line %zu of the table of names: '%s' has a line already.", number,
                        names_show(their).text);
        return TRN_RESULT_CORRUPT;
    }
    TrnImportName *name = names_add(names, their.text, their.size, block, false);
    if (name) {
        name->turn = turn;
    }
    return name ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

static TrnResult names_read(TrnImportNames *names, const char *text, size_t size,
                            TrnStorageProblem *problem)
{
    TrnResult result = TRN_RESULT_OK;
    size_t number = 1;
    for (size_t at = 0; at < size && result == TRN_RESULT_OK; number++) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - text) - at : size - at;
        const char *comment = length ? memchr(text + at, '#', length) : NULL;
        const NamesText line =
            names_trim((NamesText){text + at, comment ? (size_t)(comment - text) - at : length});
        if (line.size) {
            result = names_read_line(names, line, number, problem);
        }
        at += length + 1;
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
                                TrnBlockTypes *types, bool are_types_fixed, const char *text,
                                size_t size, TrnStorageProblem *problem)
{
    memset(names, 0, sizeof *names);
    names->allocator = *allocator;
    names->types = types;
    names->key = trn_entropy_key();
    names->are_types_fixed = are_types_fixed;
    if (!trn_mutex_init(&names->mutex)) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = text ? names_read(names, text, size, problem) : TRN_RESULT_OK;
    if (result == TRN_RESULT_OK && are_types_fixed) {
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
    for (uint32_t i = 0; i < names->patterns.count; i++) {
        const TrnImportPattern *pattern = &names->patterns.items[i];
        trn_give(&names->allocator, pattern->text, pattern->size + 1);
    }
    trn_array_free(&names->patterns, &names->allocator);
    trn_mutex_destroy(&names->mutex);
}
