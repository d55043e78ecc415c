#include "nbt.h"

/// Bytes of a value of each type, or of an item of its array. 0: its size is in the value.
static const uint8_t nbt_bytes[TRN_NBT_TYPE_COUNT] = {
    [TRN_NBT_BYTE] = 1, [TRN_NBT_SHORT] = 2, [TRN_NBT_INT] = 4,
    [TRN_NBT_LONG] = 8, [TRN_NBT_FLOAT] = 4, [TRN_NBT_DOUBLE] = 8};
static const uint8_t nbt_item_bytes[TRN_NBT_TYPE_COUNT] = {
    [TRN_NBT_BYTES] = 1, [TRN_NBT_INTS] = 4, [TRN_NBT_LONGS] = 8};

static void nbt_break(TrnNbt *nbt)
{
    nbt->is_broken = true;
    nbt->at = nbt->end;
}

/// Moves over some bytes. @return the first; NULL if fewer are left
static const unsigned char *nbt_take(TrnNbt *nbt, uint64_t bytes)
{
    const unsigned char *from = nbt->at;
    if (nbt->is_broken || (uint64_t)(nbt->end - from) < bytes) {
        nbt_break(nbt);
        return NULL;
    }
    nbt->at += bytes;
    return from;
}

/// Reads an unsigned number of 1, 2, 4 or 8 bytes.
static uint64_t nbt_number(TrnNbt *nbt, size_t bytes)
{
    const unsigned char *from = nbt_take(nbt, bytes);
    uint64_t number = 0;
    for (size_t i = 0; from && i < bytes; i++) {
        number = number << 8 | from[i];
    }
    return number;
}

/// Reads the type of a value.
static TrnNbtType nbt_type(TrnNbt *nbt)
{
    const uint64_t type = nbt_number(nbt, 1);
    if (type >= TRN_NBT_TYPE_COUNT) {
        nbt_break(nbt);
        return TRN_NBT_END;
    }
    return (TrnNbtType)type;
}

static TrnNbtText nbt_read_text(TrnNbt *nbt)
{
    const size_t size = (size_t)nbt_number(nbt, 2);
    const unsigned char *bytes = nbt_take(nbt, size);
    return bytes ? (TrnNbtText){(const char *)bytes, size} : (TrnNbtText){"", 0};
}

/// Reads the number of items of a list or an array. Each item takes a byte at least, so that
/// reading takes time by the size alone.
static uint32_t nbt_count(TrnNbt *nbt, size_t item_bytes)
{
    const uint64_t count = nbt_number(nbt, 4);
    if (count > INT32_MAX || count * item_bytes > (uint64_t)(nbt->end - nbt->at)) {
        nbt_break(nbt);
        return 0;
    }
    return (uint32_t)count;
}

void trn_nbt_begin(TrnNbt *nbt, const void *bytes, size_t size)
{
    const unsigned char *from = size ? bytes : (const unsigned char *)""; // bytes may be NULL then
    *nbt = (TrnNbt){from, from + size, false};
    if (nbt_type(nbt) == TRN_NBT_COMPOUND) {
        (void)nbt_read_text(nbt);
    } else {
        nbt_break(nbt);
    }
}

bool trn_nbt_next(TrnNbt *nbt, TrnNbtTag *tag)
{
    tag->type = nbt_type(nbt);
    if (nbt->is_broken || tag->type == TRN_NBT_END) {
        return false;
    }
    tag->name = nbt_read_text(nbt);
    return !nbt->is_broken;
}

static TrnNbtList nbt_read_list(TrnNbt *nbt)
{
    TrnNbtList list = {nbt_type(nbt), 0};
    list.count = nbt_count(nbt, 1);
    if (list.type == TRN_NBT_END && list.count > 0) { // items without bytes
        nbt_break(nbt);
    }
    return nbt->is_broken ? (TrnNbtList){TRN_NBT_END, 0} : list;
}

/// Moves behind a value without values inside. @return false if it is a list or a compound
static bool nbt_skip_plain(TrnNbt *nbt, TrnNbtType type)
{
    if (nbt_bytes[type]) {
        (void)nbt_take(nbt, nbt_bytes[type]);
    } else if (type == TRN_NBT_STRING) {
        (void)nbt_read_text(nbt);
    } else if (nbt_item_bytes[type]) {
        const uint64_t item = nbt_item_bytes[type];
        (void)nbt_take(nbt, nbt_count(nbt, (size_t)item) * item);
    } else {
        return false;
    }
    return true;
}

/// What is being skipped: a list with some more items, or a compound, which has the type END.
typedef struct NbtOpen {
    TrnNbtList lists[TRN_NBT_DEPTH_MAX];
    uint32_t depth;
} NbtOpen;

/// Moves behind a value, or to the first value inside.
static void nbt_skip_or_open(TrnNbt *nbt, TrnNbtType type, NbtOpen *open)
{
    if (nbt_skip_plain(nbt, type)) {
        return;
    }
    const TrnNbtList compound = {TRN_NBT_END, 0};
    const TrnNbtList inner = type == TRN_NBT_LIST ? nbt_read_list(nbt) : compound;
    if (type == TRN_NBT_LIST && inner.count == 0) {
        return;
    }
    if (open->depth == TRN_NBT_DEPTH_MAX) {
        nbt_break(nbt);
    } else {
        open->lists[open->depth++] = inner;
    }
}

void trn_nbt_skip(TrnNbt *nbt, TrnNbtType type)
{
    NbtOpen open; // a stack of our own: bytes decide how deep it gets
    open.depth = 0;
    nbt_skip_or_open(nbt, type, &open);
    while (open.depth > 0 && !nbt->is_broken) {
        TrnNbtList *top = &open.lists[open.depth - 1];
        TrnNbtTag tag = {top->type, {"", 0}};
        if (top->type == TRN_NBT_END ? trn_nbt_next(nbt, &tag) : top->count-- > 0) {
            nbt_skip_or_open(nbt, tag.type, &open);
        } else {
            open.depth--;
        }
    }
}

int64_t trn_nbt_integer(TrnNbt *nbt, TrnNbtType type)
{
    switch (type) {
    case TRN_NBT_BYTE:
        return (int8_t)nbt_number(nbt, 1);
    case TRN_NBT_SHORT:
        return (int16_t)nbt_number(nbt, 2);
    case TRN_NBT_INT:
        return (int32_t)nbt_number(nbt, 4);
    case TRN_NBT_LONG:
        return (int64_t)nbt_number(nbt, 8);
    default:
        trn_nbt_skip(nbt, type);
        return 0;
    }
}

TrnNbtText trn_nbt_text(TrnNbt *nbt, TrnNbtType type)
{
    if (type == TRN_NBT_STRING) {
        return nbt_read_text(nbt);
    }
    trn_nbt_skip(nbt, type);
    return (TrnNbtText){"", 0};
}

TrnNbtList trn_nbt_list(TrnNbt *nbt, TrnNbtType type)
{
    if (type == TRN_NBT_LIST) {
        return nbt_read_list(nbt);
    }
    trn_nbt_skip(nbt, type);
    return (TrnNbtList){TRN_NBT_END, 0};
}

static const unsigned char *nbt_array(TrnNbt *nbt, TrnNbtType type, TrnNbtType wanted,
                                      uint32_t *count)
{
    *count = 0;
    if (type != wanted) {
        trn_nbt_skip(nbt, type);
        return NULL;
    }
    const size_t item_bytes = nbt_item_bytes[type];
    const uint32_t items = nbt_count(nbt, item_bytes);
    const unsigned char *from = nbt_take(nbt, (uint64_t)items * item_bytes);
    *count = from ? items : 0;
    return from;
}

const unsigned char *trn_nbt_longs(TrnNbt *nbt, TrnNbtType type, uint32_t *count)
{
    return nbt_array(nbt, type, TRN_NBT_LONGS, count);
}

const unsigned char *trn_nbt_ints(TrnNbt *nbt, TrnNbtType type, uint32_t *count)
{
    return nbt_array(nbt, type, TRN_NBT_INTS, count);
}

const unsigned char *trn_nbt_bytes(TrnNbt *nbt, TrnNbtType type, uint32_t *count)
{
    return nbt_array(nbt, type, TRN_NBT_BYTES, count);
}
