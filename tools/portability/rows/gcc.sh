ROW_ABOUT="x86-64, gcc 12"
ROW_PACKAGES="libcmocka-dev"

# A program that uses the index alone takes none of the store, the terrain and the stream with it. Compiled as a game that counts
# bytes would: the Release build's -O3 makes it larger by an eighth.
index_alone_is_small() {
    cat >"$row_dir/index_alone.c" <<'END'
#include <terrane/chunk_index.h>
int main(void)
{
    TrnChunkIndex *index;
    const TrnBox box = {{-1, -1, -1}, {1, 1, 1}};
    const TrnCoord coord = {0, 0, 0};
    uint32_t value = 0, values[27];
    if (trn_chunk_index_create(NULL, &index) != TRN_RESULT_OK) {
        return 1;
    }
    trn_chunk_index_insert(index, coord, 7);
    const bool is_found = trn_chunk_index_find(index, coord, &value) && value == 7;
    const size_t count = trn_chunk_index_gather_box(index, box, values, 27);
    trn_chunk_index_destroy(index);
    return is_found && count == 1 ? 0 : 1;
}
END
    gcc-12 -std=c17 -O2 -ffp-contract=off -ffunction-sections -fdata-sections -Ichunks/include -Ichunks -o "$row_dir/index_alone" \
        "$row_dir/index_alone.c" chunks/base/*.c chunks/pool/*.c chunks/index/map/*.c chunks/index/*.c -lpthread -Wl,--gc-sections -s && "$row_dir/index_alone" || return 1
    index_bytes=$(wc -c <"$row_dir/index_alone")
    echo "A program that uses the index alone has $index_bytes bytes."
    [ "$index_bytes" -lt 110000 ]
}

row_steps() {
    native_row gcc-12 Release && check "a program of the index alone stays under 110 KB" index_alone_is_small
}
