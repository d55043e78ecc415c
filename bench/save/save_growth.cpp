// Do the calls of save.h cost what their header promises, however many chunks are stored? In
// memory, so that no file system counts.

#include "save/save_growth.hpp"

#include <cstdio>

#include "growth_rows.hpp"
#include "save/save_land.hpp"

namespace {

const std::size_t queue_bytes = std::size_t{64} << 20;
const std::size_t value_count = 1000;

/// A world in memory that has uniform chunks, and 1,000 values.
struct SavedCube : growth::Cube {
    explicit SavedCube(std::size_t size) : Cube(size, 7), blocks(save_voxels)
    {
        TrnSaveDef def = trn_save_def();
        TrnSave *opened = nullptr;
        create_owned(types, trn_block_types_create_builtin, nullptr);
        require(trn_storage_memory(nullptr, &def.storage));
        def.types = types.get();
        def.has_thread = false;
        def.commit_seconds = 3600;
        def.queue_bytes = queue_bytes;
        require(trn_save_create(&def, &opened, nullptr));
        save.reset(opened);
        source = trn_save_source(opened);
        for (std::size_t i = 0; i < size; i++) {
            require(put(coord(i)));
            if (i % 10000 == 9999) {
                require(trn_save_flush(opened));
            }
        }
        for (std::size_t i = 0; i < value_count; i++) {
            require(set_value(i));
        }
        require(trn_save_flush(opened));
    }
    SavedCube(const SavedCube &) = delete;
    SavedCube &operator=(const SavedCube &) = delete;
    ~SavedCube()
    {
        (void)trn_save_destroy(save.release());
    }

    /// Draws other chunks, and writes what the calls before put into the queue.
    void draw()
    {
        require(trn_save_flush(save.get()));
        Cube::draw();
    }
    TrnResult put(TrnCoord at)
    {
        blocks[0] = TRN_BLOCK_STONE;
        return trn_save_put(save.get(), at, 0, blocks.data(), true);
    }
    bool load(TrnCoord at)
    {
        TrnStreamJob job = {};
        bool uniform = false;
        job.coord = at;
        return source.load(source.user, &job, blocks.data(), &uniform) == TRN_RESULT_OK &&
               uniform && blocks[0] == TRN_BLOCK_STONE;
    }
    TrnResult set_value(std::size_t i)
    {
        const Name name(i);
        return trn_save_set_value(save.get(), name.text, &i, sizeof i);
    }
    bool get_value(std::size_t i)
    {
        const Name name(i);
        std::size_t value = 0, bytes = 0;
        return trn_save_get_value(save.get(), name.text, &value, sizeof value, &bytes) ==
                   TRN_RESULT_OK &&
               bytes == sizeof value && value == i;
    }

    /// The name of a value.
    struct Name {
        explicit Name(std::size_t i)
        {
            std::snprintf(text, sizeof text, "chest %zu", i);
        }
        char text[32];
    };
    Types types;
    std::vector<TrnBlock> blocks;
    std::unique_ptr<TrnSave, TrnResult (*)(TrnSave *)> save{nullptr, trn_save_destroy};
    TrnStreamSource source = {};
};

// A chunk is found in a hash: one read of the table, one of the row.
const std::vector<growth::Call<SavedCube>> save_calls = {
    {"growth: put a chunk", 2,
     [](SavedCube &cube, std::size_t at) { return cube.put(cube.coords[at]) == TRN_RESULT_OK; }},
    {"growth: load a chunk", 2,
     [](SavedCube &cube, std::size_t at) { return cube.load(cube.coords[at]); }},
    {"growth: begin a transaction and end it", 0,
     [](SavedCube &cube, std::size_t) {
         const TrnResult result = trn_save_begin(cube.save.get());
         trn_save_end(cube.save.get());
         return result == TRN_RESULT_OK;
     }},
    {"growth: set a value", 0,
     [](SavedCube &cube, std::size_t at) {
         return cube.set_value(cube.picks[at] % value_count) == TRN_RESULT_OK;
     }},
    {"growth: get a value", 0,
     [](SavedCube &cube, std::size_t at) { return cube.get_value(cube.picks[at] % value_count); }},
    {"growth: figures of a save", 0,
     [](SavedCube &cube, std::size_t) { return trn_save_stats(cube.save.get()).failures == 0; }},
    {"growth: next event, none", 0,
     [](SavedCube &cube, std::size_t) {
         TrnSaveEvent event;
         return !trn_save_next_event(cube.save.get(), &event);
     }},
};

} // namespace

void stage_save_growth(bench::Bench &bench)
{
    growth::stage<SavedCube>(bench, {"Terrane", save_calls});
}
