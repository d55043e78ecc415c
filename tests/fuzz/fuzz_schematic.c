/// Schematics of Minecraft, without their gzip, and of Luanti: what has no fault has boxes whose
/// indices are in their palettes, and contents inside their boxes, which become block data.
#include "fuzz.h"
#include "import/contents.h"
#include "import/schematic_file.h"

static void check_box(const TrnSchematic *schematic, const TrnSchematicBox *box)
{
    uint64_t voxels = 1;
    for (int axis = 0; axis < 3; axis++) {
        FUZZ_REQUIRE(box->size[axis] >= 1 && box->size[axis] <= TRN_SCHEMATIC_EDGE_MAX);
        voxels *= box->size[axis];
    }
    FUZZ_REQUIRE(voxels == box->voxels && voxels <= TRN_SCHEMATIC_VOXELS_MAX);
    for (uint64_t i = 0; i < box->voxels; i++) {
        FUZZ_REQUIRE(box->indices[i] < box->palette_count);
    }
    for (uint32_t i = 0; i < box->palette_count; i++) {
        char name[TRN_ANVIL_NUMBER_NAME_MAX];
        TrnAnvilState state;
        if (trn_schematic_state(schematic, &box->palette[i], name, &state)) {
            FUZZ_REQUIRE(state.property_count <= TRN_ANVIL_PROPERTIES_MAX);
        }
    }
}

/// Makes block data of all contents, as if they were in one chunk.
static void check_contents(const TrnSchematic *schematic, const TrnAllocator *allocator)
{
    static TrnImportNotes notes;
    const TrnBlock stone = TRN_BLOCK_STONE;
    TrnImportContents contents = {.allocator = allocator, .notes = &notes};
    FUZZ_REQUIRE(trn_mutex_init(&notes.mutex));
    for (uint32_t i = 0; i < schematic->contents.count; i++) {
        const TrnSchematicContent *content = &schematic->contents.items[i];
        const TrnSchematicBox *box = &schematic->boxes.items[content->box];
        TrnNbt nbt = content->nbt;
        TrnBlockEntity entity;
        for (int axis = 0; axis < 3; axis++) {
            FUZZ_REQUIRE(content->at[axis] >= 0 && content->at[axis] < box->size[axis]);
        }
        FUZZ_REQUIRE(trn_block_entity_read(&nbt, &entity));
        FUZZ_REQUIRE(trn_import_contents_add(&contents, (uint32_t)content->at[0] % TRN_CHUNK_VOXELS,
                                             &entity) == TRN_RESULT_OK);
    }
    FUZZ_REQUIRE(trn_import_contents_finish(&contents, &stone, true) == TRN_RESULT_OK);
    for (uint32_t i = 0; i < contents.data.count; i++) {
        const TrnBlockData *data = &contents.data.items[i];
        TrnNbt nbt;
        TrnBlockEntity entity;
        FUZZ_REQUIRE(data->size <= TRN_DATA_BYTES_MAX && (!i || data->index > data[-1].index));
        trn_nbt_begin(&nbt, data->bytes, data->size);
        (void)trn_block_entity_read(&nbt, &entity);
        FUZZ_REQUIRE(!nbt.is_broken && nbt.at == nbt.end);
    }
    trn_import_contents_free(&contents);
    trn_mutex_destroy(&notes.mutex);
    memset(&notes, 0, sizeof notes);
}

int fuzz_schematic(const uint8_t *bytes, size_t size);

int fuzz_schematic(const uint8_t *bytes, size_t size)
{
    const TrnAllocator allocator = trn_allocator_default();
    const bool is_luanti = size >= 4 && memcmp(bytes, "MTSM", 4) == 0;
    const char *fault = NULL;
    TrnSchematic schematic = {.entity_count = 0};
    TrnBytes copy = {0};
    FUZZ_REQUIRE(trn_array_reserve(&copy, &allocator, size + 1) == TRN_RESULT_OK);
    memcpy(copy.items, bytes, size);
    copy.count = (uint32_t)size;
    const TrnResult result = (is_luanti ? trn_schematic_read_mts : trn_schematic_read)(
        &schematic, &copy, &allocator, &fault);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (result == TRN_RESULT_CORRUPT && fault && *fault));
    if (result == TRN_RESULT_OK) {
        for (uint32_t i = 0; i < schematic.boxes.count; i++) {
            check_box(&schematic, &schematic.boxes.items[i]);
        }
        check_contents(&schematic, &allocator);
    }
    trn_schematic_free(&schematic, &allocator);
    trn_array_free(&copy, &allocator);
    return 0;
}
