#include "vox_save.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#include "vox_file.h"

#define VOX_SAVE_EDGE 256u // voxels along a model
#define VOX_SAVE_PREFIX "magicavoxel:"
#define VOX_SAVE_PIECE_HEAD 12u // bytes: an id and two sizes
#define VOX_SAVE_TEXT 48

/// What writing works with.
typedef struct VoxSave {
    TrnPackedOut *out;
    const TrnOutBox *box;
    uint8_t *colours;      ///< [palette.count] by entry: a colour; 0: air
    uint32_t colour_count; ///< of the palette, without air
    uint8_t palette[TRN_VOX_COLOURS][4];
    uint32_t parts[3]; ///< models along each axis
} VoxSave;

static const uint8_t *vox_save_colour(const TrnBlockType *type)
{
    return type->model ? type->model->boxes[0].colour[TRN_FACE_POS_Y]
                       : type->colour[TRN_FACE_POS_Y];
}

bool trn_vox_save_is_kept(const TrnBlockTypes *types, TrnBlock block)
{
    return block == TRN_BLOCK_AIR || strncmp(trn_block_types_get(types, block)->name,
                                             VOX_SAVE_PREFIX, sizeof VOX_SAVE_PREFIX - 1) == 0;
}

// ---- colours ------------------------------------------------------------------------------------

static uint32_t vox_save_distance(const uint8_t *one, const uint8_t *other)
{
    uint32_t sum = 0;
    for (int i = 0; i < 3; i++) {
        const int32_t by = (int32_t)one[i] - other[i];
        sum += (uint32_t)(by * by);
    }
    return sum;
}

/// Chooses the colour of each entry: its own, or if there are too many the nearest of the first.
static void vox_save_choose(VoxSave *save)
{
    const TrnOutEntries *entries = &save->box->palette;
    for (uint32_t i = 0; i < entries->count; i++) {
        const TrnOutEntry *entry = &entries->items[i];
        if (entry->block == TRN_BLOCK_AIR) {
            save->colours[i] = 0;
            continue;
        }
        const uint8_t *colour =
            vox_save_colour(trn_block_types_get(save->box->def->types, entry->block));
        uint32_t nearest = 0, distance = UINT32_MAX;
        for (uint32_t k = 1; k <= save->colour_count; k++) {
            const uint32_t other = vox_save_distance(colour, save->palette[k]);
            nearest = other < distance ? k : nearest;
            distance = other < distance ? other : distance;
        }
        if (distance && save->colour_count < TRN_VOX_COLOURS - 1) {
            nearest = ++save->colour_count;
            memcpy(save->palette[nearest], colour, 3);
            save->palette[nearest][3] = 255;
        }
        save->colours[i] = (uint8_t)nearest;
    }
}

// ---- pieces -------------------------------------------------------------------------------------

static void vox_save_number(VoxSave *save, uint64_t number)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(number >> 8 * i);
    }
    trn_packed_put(save->out, bytes, sizeof bytes);
}

static void vox_save_piece(VoxSave *save, const char *id, uint64_t size, uint64_t inner)
{
    trn_packed_put(save->out, id, 4);
    vox_save_number(save, size);
    vox_save_number(save, inner);
}

/// One model's part of the box.
typedef struct VoxSavePart {
    uint32_t low[3], size[3];
    uint64_t voxels; ///< that are not air
} VoxSavePart;

/// Visits the voxels of a part that are not air, and writes them.
static void vox_save_visit(VoxSave *save, VoxSavePart *part, bool put)
{
    const TrnOutBox *box = save->box;
    part->voxels = 0;
    for (uint32_t y = 0; y < part->size[1]; y++) {
        for (uint32_t z = 0; z < part->size[2]; z++) {
            const uint64_t row = (uint64_t)(part->low[1] + y) * box->size[2] + part->low[2] + z;
            const uint16_t *indices = box->indices + row * box->size[0] + part->low[0];
            for (uint32_t x = 0; x < part->size[0]; x++) {
                const uint8_t colour = save->colours[indices[x]];
                const unsigned char bytes[4] = {(unsigned char)x,
                                                (unsigned char)(part->size[2] - 1 - z),
                                                (unsigned char)y, colour};
                part->voxels += colour != 0;
                if (put && colour) {
                    trn_packed_put(save->out, bytes, sizeof bytes);
                }
            }
        }
    }
}

static uint32_t vox_save_count_parts(const VoxSave *save)
{
    return save->parts[0] * save->parts[1] * save->parts[2];
}

static VoxSavePart vox_save_part(VoxSave *save, uint32_t number)
{
    VoxSavePart part = {.voxels = 0};
    for (int axis = 0; axis < 3; axis++) {
        part.low[axis] = number % save->parts[axis] * VOX_SAVE_EDGE;
        const uint32_t left = save->box->size[axis] - part.low[axis];
        part.size[axis] = left < VOX_SAVE_EDGE ? left : VOX_SAVE_EDGE;
        number /= save->parts[axis];
    }
    vox_save_visit(save, &part, false);
    return part;
}

static void vox_save_put_model(VoxSave *save, VoxSavePart *part)
{
    vox_save_piece(save, "SIZE", 12, 0);
    vox_save_number(save, part->size[0]);
    vox_save_number(save, part->size[2]);
    vox_save_number(save, part->size[1]);
    vox_save_piece(save, "XYZI", 4 + part->voxels * 4, 0);
    vox_save_number(save, part->voxels);
    vox_save_visit(save, part, true);
}

// ---- nodes --------------------------------------------------------------------------------------

static void vox_save_text(VoxSave *save, const char *text)
{
    vox_save_number(save, strlen(text));
    trn_packed_put(save->out, text, strlen(text));
}

/// Writes where a node is. @param place  "x y z"; NULL: where the one above it is
static void vox_save_put_transform(VoxSave *save, uint32_t id, uint32_t child, const char *place)
{
    vox_save_piece(save, "nTRN", place ? 28 + 4 + 2 + 4 + strlen(place) : 28, 0);
    vox_save_number(save, id);
    vox_save_number(save, 0); // no attributes
    vox_save_number(save, child);
    vox_save_number(save, UINT32_MAX);
    vox_save_number(save, place ? 0 : UINT32_MAX); // layer
    vox_save_number(save, 1);                      // frame
    vox_save_number(save, place != NULL);
    if (place) {
        vox_save_text(save, "_t");
        vox_save_text(save, place);
    }
}

/// Where the middle of a model is, around which MagicaVoxel turns it.
static void vox_save_place(const VoxSavePart *part, char text[VOX_SAVE_TEXT])
{
    const int64_t y = -(int64_t)(part->low[2] + part->size[2]) + part->size[2] / 2;
    (void)snprintf(text, VOX_SAVE_TEXT, "%u %d %u", part->low[0] + part->size[0] / 2, (int)y,
                   part->low[1] + part->size[1] / 2);
}

static void vox_save_put_shape(VoxSave *save, uint32_t id, uint32_t model)
{
    vox_save_piece(save, "nSHP", 20, 0);
    vox_save_number(save, id);
    vox_save_number(save, 0);
    vox_save_number(save, 1);
    vox_save_number(save, model);
    vox_save_number(save, 0);
}

// ---- the file -----------------------------------------------------------------------------------

/// Writes models and nodes, in the order in which they stand in a file.
static void vox_save_put_parts(VoxSave *save)
{
    const uint32_t count = vox_save_count_parts(save);
    for (uint32_t i = 0; i < count; i++) {
        VoxSavePart part = vox_save_part(save, i);
        vox_save_put_model(save, &part);
    }
    vox_save_put_transform(save, 0, 1, NULL);
    vox_save_piece(save, "nGRP", 12 + (uint64_t)count * 4, 0);
    vox_save_number(save, 1);
    vox_save_number(save, 0);
    vox_save_number(save, count);
    for (uint32_t i = 0; i < count; i++) {
        vox_save_number(save, 2 + (uint64_t)i * 2);
    }
    for (uint32_t i = 0; i < count; i++) {
        const VoxSavePart part = vox_save_part(save, i);
        char place[VOX_SAVE_TEXT];
        vox_save_place(&part, place);
        vox_save_put_transform(save, 2 + i * 2, 3 + i * 2, place);
        vox_save_put_shape(save, 3 + i * 2, i);
    }
}

static bool vox_save_write_nothing(void *user, const void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return true;
}

/// Counts the bytes of models and nodes. Errors: NO_MEMORY.
static TrnResult vox_save_measure(VoxSave *save, uint64_t *bytes)
{
    TrnPackedOut *const out = save->out;
    TrnPackedOut *counted = trn_take(save->box->allocator, sizeof *counted, TRN_CACHE_LINE);
    if (!counted) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(counted, 0, sizeof *counted);
    counted->write = vox_save_write_nothing;
    counted->most = UINT64_MAX;
    save->out = counted;
    vox_save_put_parts(save);
    *bytes = counted->size;
    save->out = out;
    trn_give(save->box->allocator, counted, sizeof *counted);
    return TRN_RESULT_OK;
}

static TrnResult vox_save_put(VoxSave *save, const char **fault)
{
    uint64_t bytes;
    const uint64_t palette = (uint64_t)TRN_VOX_COLOURS * 4 + VOX_SAVE_PIECE_HEAD;
    const TrnResult result = vox_save_measure(save, &bytes);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (bytes > TRN_VOX_VOXELS_MAX * UINT64_C(4)) {
        *fault = "The box has more than 33,554,432 voxels that are not air; make it smaller.";
        return TRN_RESULT_OUT_OF_RANGE;
    }
    trn_packed_put(save->out, "VOX ", 4);
    vox_save_number(save, 150);
    vox_save_piece(save, "MAIN", 0, bytes + palette);
    vox_save_put_parts(save);
    vox_save_piece(save, "RGBA", palette - VOX_SAVE_PIECE_HEAD, 0);
    trn_packed_put(save->out, save->palette[1], palette - VOX_SAVE_PIECE_HEAD - 4);
    vox_save_number(save, 0); // a last entry that no voxel can have
    return TRN_RESULT_OK;
}

TrnResult trn_vox_save(TrnPackedOut *out, const TrnOutBox *box, const char **fault)
{
    VoxSave save = {.out = out, .box = box};
    const size_t bytes = box->palette.count * sizeof *save.colours;
    for (int axis = 0; axis < 3; axis++) {
        save.parts[axis] = (box->size[axis] + VOX_SAVE_EDGE - 1) / VOX_SAVE_EDGE;
    }
    save.colours = trn_take(box->allocator, bytes, 1);
    if (!save.colours) {
        return TRN_RESULT_NO_MEMORY;
    }
    vox_save_choose(&save);
    const TrnResult result = vox_save_put(&save, fault);
    trn_give(box->allocator, save.colours, bytes);
    return result;
}
