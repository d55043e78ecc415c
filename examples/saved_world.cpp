// A world that lasts, in C++: the program of saved_world.c. The first run digs a hole; the next
// finds it. Usage: saved_world_cpp [FILE]

#include <cstdio>
#include <utility>

#include <terrane/save.hpp>
#include <terrane/terrane.hpp>

namespace {

constexpr TrnVoxel hole = {8, 40, 8};

/// Loads the chunks around the hole.
void load_around(trn::Stream &stream)
{
    TrnStreamAnchor player = trn_stream_anchor();
    player.position = trn_voxel_position(hole);
    player.radius_chunks = player.height_chunks = 2;
    stream.add(player).value();
    stream.settle(1000).value(); // a game would update once a frame, and draw
}

/// Digs the hole, or finds it. Everything is closed at the end, from the stream to the types.
void play(const char *file, TrnStorageProblem &problem)
{
    trn::BlockTypes types = trn::BlockTypes::create_builtin().value();
    const trn::Terrain terrain = trn::Terrain::create().value();
    auto storage = trn::Storage::open(file, TRN_STORAGE_EITHER, &problem).value();
    auto save = trn::Save::create(std::move(storage), types, trn_save_def(), &problem).value();
    save.bind_land("built-in terrain, seed 1", &problem).value();

    TrnStoreDef store_def = trn_store_def();
    store_def.types = types.c();
    trn::Store store = trn::Store::create(store_def).value();
    save.load_pending(store).value();
    TrnStreamDef stream_def = trn_stream_def();
    stream_def.store = store.c();
    stream_def.generator = terrain.generator();
    stream_def.source = save.source();
    trn::Stream stream = trn::Stream::create(stream_def).value();
    load_around(stream);

    if (save.get_text("dug")) {
        const bool is_there = store.get_block(hole).value() == TRN_BLOCK_GLASS;
        std::printf("The hole is %s.\n", is_there ? "still lined with glass" : "gone");
        return;
    }
    trn::Batch batch = trn::Batch::begin(store).value();
    batch.fill_sphere(hole, 6, TRN_BLOCK_GLASS); // the commit reports failures
    batch.commit().value();
    save.set_value("dug", "yes").value();
    stream.save().value();            // queues what is unsaved
    save.save_pending(store).value(); // and edits of chunks that are not loaded
    save.flush().value();             // all of it is on the disk
    std::printf("Dug a hole.\n");
}

} // namespace

int main(int argc, char **argv)
{
    TrnStorageProblem problem{}; // a better sentence than that of the result
    try {
        play(argc > 1 ? argv[1] : "my.world", problem);
    } catch (const trn::Error &error) {
        std::fprintf(stderr, "saved_world_cpp: %s\n",
                     *problem.sentence ? problem.sentence : error.what());
        return 1;
    }
    return 0;
}
