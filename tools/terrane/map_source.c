#include "map_source.h"

#include <stdlib.h>
#include <string.h>

TrnResult map_source_create(TrnGenerator generator, const TrnBlockTypes *types, MapSource **source)
{
    MapSource *made = malloc(sizeof *made);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    made->generator = generator;
    made->types = types;
    made->look = NULL;
    made->look_user = NULL;
    made->is_uniform = true;
    made->blocks[0] = TRN_BLOCK_AIR;
    memset(made->kinds, TRN_BLOCK_KIND_OPAQUE, sizeof made->kinds);
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    for (uint32_t id = 0; id < count; id++) {
        made->kinds[id] = (uint8_t)all[id].kind;
    }
    *source = made;
    return TRN_RESULT_OK;
}

TrnResult map_source_load(MapSource *source, TrnCoord coord)
{
    return trn_generator_generate(&source->generator, coord, 0, source->blocks,
                                  &source->is_uniform);
}
