/// Private: a reader of NBT, Minecraft's format of nested, named values. Big-endian.
///
/// A cursor that walks over the bytes: nothing is allocated and nothing copied. A compound's tags
/// are visited with trn_nbt_next(); the caller then reads or skips the value of each. Any bytes are
/// safe: after the first fault, is_broken is set, the cursor stays at the end, and every call
/// returns zero or false.
///
///     TrnNbt nbt;
///     TrnNbtTag tag;
///     trn_nbt_begin(&nbt, bytes, size);
///     while (trn_nbt_next(&nbt, &tag)) {
///         if (trn_nbt_is(&tag, "xPos")) { x = trn_nbt_integer(&nbt, tag.type); }
///         else { trn_nbt_skip(&nbt, tag.type); }
///     }
///     if (nbt.is_broken) { ... }
#ifndef TERRANE_SAVE_IMPORT_NBT_H
#define TERRANE_SAVE_IMPORT_NBT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// How deep lists and compounds may nest. Minecraft has the same limit.
#define TRN_NBT_DEPTH_MAX 512

/// The type of a value, as the byte in front of it.
typedef enum TrnNbtType {
    TRN_NBT_END,
    TRN_NBT_BYTE,
    TRN_NBT_SHORT,
    TRN_NBT_INT,
    TRN_NBT_LONG,
    TRN_NBT_FLOAT,
    TRN_NBT_DOUBLE,
    TRN_NBT_BYTES,
    TRN_NBT_STRING,
    TRN_NBT_LIST,
    TRN_NBT_COMPOUND,
    TRN_NBT_INTS,
    TRN_NBT_LONGS,
    TRN_NBT_TYPE_COUNT
} TrnNbtType;

/// A place in NBT.
typedef struct TrnNbt {
    const unsigned char *at, *end;
    bool is_broken;
} TrnNbt;

/// Bytes of a text, without a zero at the end. Borrowed from the NBT.
typedef struct TrnNbtText {
    const char *bytes;
    size_t size;
} TrnNbtText;

/// The head of a value in a compound.
typedef struct TrnNbtTag {
    TrnNbtType type;
    TrnNbtText name;
} TrnNbtTag;

/// A list of `count` values of a type, or an array of `count` numbers. The cursor stands at the
/// first.
typedef struct TrnNbtList {
    TrnNbtType type;
    uint32_t count;
} TrnNbtList;

/// Begins in the compound that is the whole of the bytes.
void trn_nbt_begin(TrnNbt *nbt, const void *bytes, size_t size);

/// Reads the head of the next value of a compound.
/// @return false at the end of the compound, which is then behind the cursor
bool trn_nbt_next(TrnNbt *nbt, TrnNbtTag *tag);

/// Moves behind a value of a type.
void trn_nbt_skip(TrnNbt *nbt, TrnNbtType type);

/// Reads a byte, short, int or long. Skips a value of another type. @return 0 for another type
int64_t trn_nbt_integer(TrnNbt *nbt, TrnNbtType type);

/// Reads a text. Skips a value of another type. @return an empty one for another type
TrnNbtText trn_nbt_text(TrnNbt *nbt, TrnNbtType type);

/// Reads the head of a list. Its count is at most the bytes that are left. Skips a value of another
/// type. @return count 0 for another type
TrnNbtList trn_nbt_list(TrnNbt *nbt, TrnNbtType type);

/// Reads an array of longs: `count` big-endian numbers of 8 bytes. Skips a value of another type.
/// @return the first; NULL for another type
const unsigned char *trn_nbt_longs(TrnNbt *nbt, TrnNbtType type, uint32_t *count);

/// The same of an array of ints, in 4 bytes each, and of one of bytes.
const unsigned char *trn_nbt_ints(TrnNbt *nbt, TrnNbtType type, uint32_t *count);
const unsigned char *trn_nbt_bytes(TrnNbt *nbt, TrnNbtType type, uint32_t *count);

/// Whether a text equals a string.
static inline bool trn_nbt_text_is(TrnNbtText text, const char *string)
{
    return text.size == strlen(string) && memcmp(text.bytes, string, text.size) == 0;
}

/// Whether a tag has a name.
static inline bool trn_nbt_is(const TrnNbtTag *tag, const char *name)
{
    return trn_nbt_text_is(tag->name, name);
}

#endif
