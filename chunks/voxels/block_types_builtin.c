// The preset: the types that the built-in terrain is made of.

#include "block_types_impl.h"

TrnResult trn_block_types_create_builtin(const TrnAllocator *allocator, TrnBlockTypes **types)
{
    if (!types) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnBlockTypes *made;
    TrnResult result = trn_block_types_create(allocator, &made);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result =
        trn_block_types_load(made, trn_asset_terrane_blocks, trn_asset_terrane_blocks_bytes, NULL);
    if (result != TRN_RESULT_OK) {
        TRN_ASSERT(result == TRN_RESULT_NO_MEMORY); // the library's own text is valid
        trn_block_types_destroy(made);
        return result;
    }
    TRN_ASSERT(made->table.count == TRN_BLOCK_BUILTIN_COUNT);
    *types = made;
    return TRN_RESULT_OK;
}
