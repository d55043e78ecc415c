/// Private: a text of block types while it is read, and the type whose lines are being read, with
/// its boxes and its family.
#ifndef TERRANE_VOXELS_BLOCK_TYPES_DRAFT_H
#define TERRANE_VOXELS_BLOCK_TYPES_DRAFT_H

#include "block_types_impl.h"

#define TRN_BLOCK_FACE_BIT(face) (1u << (face))

/// The keys of types.
enum {
    TRN_BLOCK_KEY_KIND,
    TRN_BLOCK_KEY_SOLID,
    TRN_BLOCK_KEY_CLIMBABLE,
    TRN_BLOCK_KEY_LIGHT,
    TRN_BLOCK_KEY_DIMS,
    TRN_BLOCK_KEY_SURFACE,
    TRN_BLOCK_KEY_FLOWS,
    TRN_BLOCK_KEY_TURNS,
    TRN_BLOCK_KEY_CONNECTS,
    TRN_BLOCK_KEY_TICKS,
    TRN_BLOCK_KEY_LIQUID,
    TRN_BLOCK_KEY_UNKNOWN,
    TRN_BLOCK_KEY_BOX, ///< begins a box; the only key that repeats
    TRN_BLOCK_KEY_COUNT
};

/// The keys of colours and layers, of a type or of a box: one for each of trn_block_face_words.
enum {
    TRN_BLOCK_PAINT_COLOUR,
    TRN_BLOCK_PAINT_LAYER = TRN_BLOCK_FACE_WORDS,
    TRN_BLOCK_PAINT_COUNT = 2 * TRN_BLOCK_FACE_WORDS
};

/// The keys of boxes besides paint.
enum { TRN_BLOCK_BOX_CONNECTED, TRN_BLOCK_BOX_UNCONNECTED, TRN_BLOCK_BOX_COUNT };

/// A piece of the text and its position, counted from 1.
typedef struct TrnBlockWord {
    const char *first;
    size_t size;
    size_t line, column;
} TrnBlockWord;

typedef struct TrnBlockPaint {
    uint32_t keys; ///< bit k: key k was set
    uint32_t values[TRN_BLOCK_PAINT_COUNT];
} TrnBlockPaint;

/// A box whose lines are being read.
typedef struct TrnBlockBoxDraft {
    TrnBlockWord value;  ///< of its first line
    TrnBlockBox box;     ///< without colours and layers
    uint32_t keys;       ///< bit k: key k was set
    TrnBlockPaint paint; ///< the other faces are the type's
} TrnBlockBoxDraft;

/// The type whose lines are being read.
typedef struct TrnBlockDraft {
    TrnBlockWord name; ///< `first` is NULL before the first type
    uint32_t keys;     ///< bit k: key k was set
    uint32_t values[TRN_BLOCK_KEY_COUNT];
    TrnBlockWord words[TRN_BLOCK_KEY_COUNT]; ///< the values in the text
    TrnBlockPaint paint;
    uint32_t box_count;
    TrnBlockBoxDraft boxes[TRN_BLOCK_BOXES_MAX];
} TrnBlockDraft;

/// The state of reading a text.
typedef struct TrnBlockLoad {
    const char *at, *line_end; ///< the rest of the line, without its line break
    const char *line_first;
    const char *next, *text_end; ///< the lines that follow
    size_t line;
    TrnBlockDraft draft;
    TrnBlockTypeTable table;
    const TrnAllocator *allocator;
    uint32_t met[TRN_BLOCK_BITS_WORDS]; ///< bit of each id whose type is in this text
    TrnBlockTypesProblem *problem;
} TrnBlockLoad;

/// Reports a problem with a word. @param sentence  follows the quoted word
TrnResult trn_block_word_refuse(const TrnBlockLoad *load, TrnResult result, TrnBlockWord word,
                                const char *sentence);

/// Whether the text has a type of the draft's name already.
bool trn_block_draft_is_repeated(const TrnBlockLoad *load);

/// Adds the type whose lines have been read, with its family, if there is one. Reports a problem.
TrnResult trn_block_draft_finish(TrnBlockLoad *load);

#endif
