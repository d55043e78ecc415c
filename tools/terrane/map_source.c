#include "map_source.h"

#include <stdlib.h>
#include <string.h>

TrnResult map_source_create(TrnGenerator generator, const TrnBlockTypes *types, MapSource **source)
{
    MapSource *created = malloc(sizeof *created);
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    created->generator = generator;
    created->types = types;
    created->sample = NULL;
    created->sample_user = NULL;
    created->differs = NULL;
    created->differs_user = NULL;
    created->is_uniform = true;
    created->blocks[0] = TRN_BLOCK_AIR;
    memset(created->kinds, TRN_BLOCK_KIND_OPAQUE, sizeof created->kinds);
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    for (uint32_t id = 0; id < count; id++) {
        created->kinds[id] = (uint8_t)all[id].kind;
    }
    *source = created;
    return TRN_RESULT_OK;
}

TrnResult map_source_load(MapSource *source, TrnCoord coord)
{
    return trn_generator_generate(&source->generator, coord, 0, source->blocks,
                                  &source->is_uniform);
}
