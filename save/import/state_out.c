#include "state_out.h"

#include <stdio.h>

void trn_state_put(TrnPackedOut *out, const TrnAnvilState *state)
{
    trn_packed_text(out, "Name", state->name);
    if (state->property_count) {
        trn_packed_tag(out, TRN_NBT_COMPOUND, "Properties");
    }
    for (uint32_t i = 0; i < state->property_count; i++) {
        const TrnImportProperty *property = &state->properties[i];
        char key[64];
        (void)snprintf(key, sizeof key, "%.*s", (int)property->key_size, property->key);
        trn_packed_text(out, key, (TrnNbtText){property->value, property->value_size});
    }
    if (state->property_count) {
        trn_packed_close(out);
    }
    trn_packed_close(out);
}

/// Writes the values of a block entity, but for its place.
static void state_put_values(TrnPackedOut *out, TrnNbt tags)
{
    TrnNbtTag tag;
    const unsigned char *from = tags.at;
    while (trn_nbt_next(&tags, &tag)) {
        trn_nbt_skip(&tags, tag.type);
        if (!trn_block_entity_is_place(&tag)) {
            trn_packed_put(out, from, (size_t)(tags.at - from));
        }
        from = tags.at;
    }
}

void trn_state_put_entity(TrnPackedOut *out, const int64_t at[3], const TrnBlockEntity *entity,
                          bool is_sponge)
{
    static const char *const axes[] = {"x", "y", "z"};
    if (is_sponge) {
        trn_packed_tag(out, TRN_NBT_INTS, "Pos");
        trn_packed_number(out, 3, 4);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (is_sponge) {
            trn_packed_number(out, (uint64_t)at[axis], 4);
        } else {
            trn_packed_int(out, axes[axis], at[axis]);
        }
    }
    trn_packed_text(out, is_sponge ? "Id" : "id", entity->id);
    state_put_values(out, entity->tags);
    trn_packed_close(out);
}

bool trn_state_read_entity(const TrnBlockData *data, TrnBlockEntity *entity)
{
    static const unsigned char begin[3] = {TRN_NBT_COMPOUND, 0, 0};
    TrnNbt nbt;
    if (data->size < sizeof begin || memcmp(data->bytes, begin, sizeof begin) != 0) {
        return false;
    }
    trn_nbt_begin(&nbt, data->bytes, data->size);
    (void)trn_block_entity_read(&nbt, entity); // it has no place
    return !nbt.is_broken && nbt.at == nbt.end;
}
