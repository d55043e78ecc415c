// The C++ wrapper of stores, edits, batches, listeners, bodies, fluids and random ticks.
#include "wrapper_testing.hpp"

namespace {

void gathers_are_ranges(void **)
{
    trn::Store store = take(trn::Store::create());
    for (std::int32_t x = 0; x < 600; x++) { // more than one page, more than a guess would hold
        take(store.insert({x, 0, 0}, TRN_BLOCK_STONE));
    }
    std::int64_t total = 0;
    for (TrnChunk &chunk : store.gather(trn_box_everything())) {
        total += chunk.coord.x;
    }
    assert_int_equal(total, 599 * 600 / 2);

    std::vector<TrnChunk *> buffer;
    const trn::ChunkRange all = store.gather(trn_box_everything(), buffer);
    assert_int_equal(all.size(), 600);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [](const TrnChunk &chunk) { return chunk.coord.x == 77; });
    assert_true(found != all.end());
    assert_ptr_equal(&*found, store.find(TrnCoord{77, 0, 0}));
    const trn::ChunkRange few = store.gather(TrnBox{{0, 0, 0}, {9, 0, 0}}, buffer);
    assert_int_equal(few.size(), 10);
    assert_int_equal(std::distance(few.begin(), few.end()), 10);
    TrnChunk *fixed[4];
    assert_int_equal(store.gather(TrnBox{{0, 0, 0}, {9, 0, 0}}, fixed), 10);
    assert_ptr_equal(fixed[0], &few[0]);
    assert_true(store.gather(TrnBox{{0, 5, 0}, {9, 5, 0}}).empty());
}

void block_data_is_read_and_written(void **)
{
    trn::Store store = take(trn::Store::create());
    const unsigned char text[] = {'o', 'a', 'k'};
    take(store.insert({0, 0, 0}, stripes()));
    assert_int_equal(store.get_data({1, 2, 3}).result(), TRN_RESULT_NOT_FOUND);
    assert_true(take(store.set_data({1, 2, 3}, text)));
    assert_false(take(store.set_data({1, 2, 3}, text)));
    assert_true(take(store.set_data({9, 2, 3}, {}, TRN_DATA_STAYS)));
    assert_int_equal(take(store.get_data({1, 2, 3})).size, 3);
    const std::vector<TrnVoxelData> list = store.list_data({0, 0, 0}, {31, 31, 31});
    assert_int_equal(list.size(), 2);
    assert_int_equal(list[1].voxel.x, 9);
    assert_int_equal(list[1].data.size, 0);
    const trn::Snapshot snapshot = take(store.snapshot({0, 0, 0}));
    assert_int_equal(snapshot.count_data(), 2);
    assert_memory_equal(snapshot.data(trn_local_index(1, 2, 3))->bytes, text, 3);
    assert_false(snapshot.data(0).has_value());
    assert_true(snapshot.same_data(snapshot));
    trn::Batch batch = take(trn::Batch::begin(store));
    assert_int_equal(batch.remove_data({9, 2, 3}), TRN_RESULT_OK);
    assert_int_equal(batch.set_data({8, 2, 3}, text), TRN_RESULT_OK);
    assert_int_equal(take(batch.get_data({8, 2, 3})).size, 3);
    take(batch.commit());
    assert_true(take(store.remove_data({8, 2, 3})));
    assert_int_equal(store.list_data({0, 0, 0}, {31, 31, 31}).size(), 1);
}

void blocks_are_read_and_written(void **)
{
    trn::Store store = take(trn::Store::create());
    TrnChunk *chunk = take(store.insert({0, 0, 0}, stripes()));
    assert_int_equal(store.insert({0, 0, 0}, TRN_BLOCK_AIR).result(), TRN_RESULT_EXISTS);
    assert_int_equal(
        store.insert({1, 0, 0}, trn::Span<const TrnBlock>(stripes()).first(5)).result(),
        TRN_RESULT_BAD_ARGUMENT);
    assert_true(take(store.set_block({1, 0, 0}, TRN_BLOCK_GRASS)));
    assert_false(take(store.set_block({1, 0, 0}, TRN_BLOCK_GRASS)));
    assert_int_equal(take(store.get_block({1, 0, 0})), TRN_BLOCK_GRASS);
    assert_int_equal(store.get_block({32, 0, 0}).result(), TRN_RESULT_NOT_FOUND);
    trn::Cursor cursor = store.cursor();
    assert_int_equal(cursor.get({1, 0, 0}), TRN_BLOCK_GRASS);
    assert_int_equal(cursor.get({32, 0, 0}, TRN_BLOCK_SAND), TRN_BLOCK_SAND);

    const trn::Snapshot snapshot = take(store.snapshot({0, 0, 0}));
    assert_int_equal(snapshot.at(1, 0, 0), TRN_BLOCK_GRASS);
    assert_int_equal(snapshot[2], TRN_BLOCK_AIR);
    assert_int_equal(snapshot.count(TRN_BLOCK_GRASS), 1);
    assert_int_equal(snapshot.revision(), store.revision());
    assert_true(snapshot.same_blocks(trn::Snapshot(*chunk)));
    std::vector<TrnBlock> blocks(trn::chunk_voxels);
    take(snapshot.decode(blocks));
    assert_int_equal(blocks[1], TRN_BLOCK_GRASS);
    assert_int_equal(snapshot.decode(trn::Span<TrnBlock>(blocks).first(9)).result(),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(store.snapshot_around({0, 0, 0}).present, 1u << TRN_AROUND_CENTRE);
    take(store.fill(*chunk, TRN_BLOCK_SAND));
    assert_true(trn::Snapshot(*chunk).is_uniform());
    take(store.set_voxels(*chunk, stripes()));
    std::vector<TrnChunk *> changed;
    assert_int_equal(store.changed_since(0, changed).size(), 1);
    take(store.remove({0, 0, 0}));
    assert_null(store.find(TrnCoord{0, 0, 0}));
}

void an_edit_ends_with_its_scope(void **)
{
    trn::Store store = take(trn::Store::create());
    TrnChunk *chunk = take(store.insert({0, 0, 0}, TRN_BLOCK_AIR));
    {
        trn::Edit edit(store, *chunk);
        take(edit.status());
        take(edit.set(3, TRN_BLOCK_STONE));
        take(edit.fill_box({0, 1, 0}, {31, 1, 31}, TRN_BLOCK_SAND));
        assert_int_equal(edit.get(3), TRN_BLOCK_STONE);
    } // cancelled
    assert_true(trn::Snapshot(*chunk).is_uniform());
    trn::Edit edit(store, *chunk);
    take(edit.set(3, TRN_BLOCK_STONE));
    assert_true(edit.commit());
    assert_false(edit.commit());
    assert_int_equal(edit.set(4, TRN_BLOCK_STONE).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn::Snapshot(*chunk).count(TRN_BLOCK_STONE), 1);

    trn::Batch batch = take(trn::Batch::begin(store));
    assert_int_equal(batch.set({0, 0, 0}, TRN_BLOCK_SAND), TRN_RESULT_OK);
    trn::Edit refused(store, *chunk); // the batch has the chunk open
    assert_int_equal(refused.status().result(), TRN_RESULT_BUSY);
    assert_int_equal(refused.set(0, TRN_BLOCK_STONE).result(), TRN_RESULT_BUSY);
    assert_false(refused.commit());
}

void batches_commit_cancel_and_undo(void **)
{
    trn::Store store = take(trn::Store::create());
    take(store.insert({0, 0, 0}, TRN_BLOCK_STONE));
    trn::History history = take(trn::History::create(store));
    {
        trn::Batch dropped = take(trn::Batch::begin(store));
        dropped.set({0, 0, 0}, TRN_BLOCK_AIR);
    }
    assert_int_equal(take(store.get_block({0, 0, 0})), TRN_BLOCK_STONE);
    {
        const trn::HistoryGroup stroke = history.group();
        for (std::int64_t x = 4; x < 8; x += 3) {
            trn::Batch batch = take(trn::Batch::begin(store, history.batch_def()));
            batch.fill_sphere({x, 8, 8}, 1, TRN_BLOCK_AIR);
            assert_int_equal(take(batch.get({x, 8, 8})), TRN_BLOCK_AIR);
            assert_int_equal(take(batch.commit()).changed_voxels, 7);
            assert_int_equal(batch.commit().result(), TRN_RESULT_BAD_ARGUMENT); // ended
        }
    }
    assert_int_equal(take(history.undo()).changed_voxels, 14);
    assert_true(take(store.snapshot({0, 0, 0})).is_uniform());
    assert_int_equal(take(history.redo()).changed_voxels, 14);
    assert_int_equal(history.redo().result(), TRN_RESULT_NOT_FOUND);

    trn::Batch far = take(trn::Batch::begin(store));
    far.set({1000, 0, 0}, TRN_BLOCK_GRASS);
    assert_int_equal(take(far.commit()).pending_chunks, 1);
    std::vector<TrnCoord> pending;
    assert_int_equal(store.pending_chunks(pending)[0].x, 31);
    std::vector<TrnPendingRun> runs;
    assert_int_equal(store.pending_runs({31, 0, 0}, runs)[0].block, TRN_BLOCK_GRASS);
    assert_int_equal(store.drop_pending({31, 0, 0}), 1);
    trn::Batch again = take(trn::Batch::begin(store));
    assert_int_equal(again.set_runs({31, 0, 0}, {runs.data(), runs.size()}), TRN_RESULT_OK);
    assert_int_equal(take(again.commit()).pending_chunks, 1);
}

void listeners_hear_until_their_subscription_ends(void **)
{
    trn::Store store = take(trn::Store::create());
    int chunks = 0;
    auto count = [&](trn::StoreRef changed, const TrnStoreEvent &event) {
        assert_ptr_equal(changed.c(), store.c());
        chunks += static_cast<int>(event.count);
    };
    {
        const trn::Subscription subscription =
            take(store.subscribe(TRN_EVENT_BIT(TRN_EVENT_INSERTED), count));
        assert_int_equal(store.subscribe(TRN_EVENT_BIT(TRN_EVENT_INSERTED), count).result(),
                         TRN_RESULT_EXISTS);
        take(store.insert({0, 0, 0}, TRN_BLOCK_AIR));
        assert_int_equal(chunks, 1);
    }
    take(store.insert({1, 0, 0}, TRN_BLOCK_AIR));
    assert_int_equal(chunks, 1);
}

void a_listener_that_throws_has_failed(void **)
{
#if TEST_HAS_EXCEPTIONS
    trn::Store store = take(trn::Store::create());
    std::uint32_t calls = 0, missed = 0;
    auto listener = [&](trn::StoreRef, const TrnStoreEvent &event) {
        missed += event.has_missed;
        switch (calls++) {
        case 0:
            throw std::bad_alloc();
        case 1:
            throw std::runtime_error("full disk");
        case 2:
            throw trn::Error(TRN_RESULT_FULL);
        default:
            return TRN_RESULT_OK;
        }
    };
    const trn::Subscription subscription =
        take(store.subscribe(TRN_EVENT_BIT(TRN_EVENT_INSERTED), listener));
    for (std::int32_t x = 0; x < 4; x++) {
        take(store.insert({x, 0, 0}, TRN_BLOCK_AIR));
    }
    assert_int_equal(calls, 4);
    assert_int_equal(missed, 3);
    assert_int_equal(store.stats().missed_events, 3);
#else
    skip();
#endif
}

void user_bytes_are_typed(void **)
{
    struct State {
        std::uint32_t quads, light;
    };
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(State);
    trn::Store store = take(trn::Store::create(def));
    TrnChunk *chunk = take(store.insert({0, 0, 0}, TRN_BLOCK_AIR));
    assert_int_equal(trn::chunk_user<State>(*chunk).quads, 0);
    trn::chunk_user<State>(*chunk).light = 5;
    assert_int_equal(trn::chunk_user<State>(*store.find(chunk->id)).light, 5);
}

void rays_and_bodies_meet_the_ground(void **)
{
    trn::Store store = take(trn::Store::create());
    take(store.insert({0, -1, 0}, TRN_BLOCK_STONE));
    take(store.insert({0, 0, 0}, TRN_BLOCK_AIR));
    const TrnPosition eye = trn_voxel_position({16, 10, 16});
    const TrnRayHit hit = take(store.raycast(eye, {0, -1, 0}));
    assert_int_equal(hit.end, TRN_RAY_END_BLOCK);
    assert_int_equal(hit.voxel.y, -1);
    assert_int_equal(store.raycast(eye, {0, 0, 0}).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_false(take(store.overlap(eye, {1, 1, 1})).solid);
    assert_true(take(store.sweep(eye, {1, 1, 1}, {0, -20, 0})).hit[TRN_FACE_NEG_Y]);
    TrnBody body{};
    body.position = eye;
    for (int i = 0; i < 120; i++) {
        take(store.step(trn_body_def(), body, TrnBodyInput{}, 1.0 / 60));
    }
    assert_true(body.on_ground);
    assert_true(store.box_has({0, -32, 0}, {31, 31, 31}));
}

void fluids_flow_and_go_on_from_their_bytes(void **)
{
    trn::Store store = take(trn::Store::create());
    for (std::int32_t i = 0; i < 27; i++) { // a floor, and air around it
        const TrnCoord coord = {i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1};
        take(store.insert(coord, coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR));
    }
    const TrnFluidLiquid water = take(trn::Fluid::liquid(store.types(), TRN_BLOCK_WATER));
    assert_int_equal(trn::Fluid::liquid(store.types(), TRN_BLOCK_STONE).result(),
                     TRN_RESULT_NOT_FOUND);
    TrnFluidDef def = trn_fluid_def();
    def.liquids = &water;
    def.liquid_count = 1;
    trn::Fluid fluid = take(trn::Fluid::create(store, def));
    assert_int_equal(trn::Fluid::create(store, def).result(), TRN_RESULT_EXISTS);
    take(store.set_block({5, 0, 5}, TRN_BLOCK_WATER));
    std::uint32_t changed = 0;
    for (int step = 0; step < 12; step++) {
        changed += take(fluid.step()).changed_voxels;
    }
    assert_true(changed > 0);
    const std::vector<unsigned char> bytes = fluid.save();
    assert_true(fluid.stats().due_voxels > 0);
    fluid = trn::Fluid();
    fluid = take(trn::Fluid::create(store, def));
    assert_int_equal(fluid.stats().due_voxels, 0);
    take(fluid.load(bytes));
    assert_true(fluid.save() == bytes);
    assert_int_equal(fluid.load(trn::Span<const unsigned char>(bytes).first(3)).result(),
                     TRN_RESULT_CORRUPT);
    fluid.set_running(false);
    assert_int_equal(take(fluid.step()).looked_voxels, 0);
    fluid.set_running(true);
    take(fluid.wake({0, 0, 0}));
    for (int step = 0; step < 100; step++) {
        changed += take(fluid.step()).changed_voxels;
    }
    assert_int_equal(changed, 112); // all within 7 voxels, without the source
}

void ticks_call_the_game(void **)
{
    trn::Store store = take(trn::Store::create());
    take(store.insert({0, 0, 0}, TRN_BLOCK_WHEAT)); // asks for ticks
    TrnResult answer = TRN_RESULT_OK;
    auto grow = [&](trn::BatchRef batch, const TrnTick &tick) {
        assert_int_equal(take(batch.get(tick.voxel)), tick.block);
        return answer == TRN_RESULT_OK
                   ? batch.set(tick.voxel, static_cast<TrnBlock>(tick.block + 1))
                   : answer;
    };
    trn::Ticks ticks = take(trn::Ticks::create(store, grow));
    const TrnCoord anchors[] = {{0, 0, 0}};
    const TrnTicksOutcome outcome = take(ticks.step(7, anchors));
    assert_int_equal(outcome.offered, trn_ticks_def().per_chunk);
    assert_int_equal(take(store.snapshot({0, 0, 0})).count(TRN_BLOCK_WHEAT + 1), outcome.offered);
    answer = TRN_RESULT_BUSY;
    assert_int_equal(ticks.step(8, anchors).result(), TRN_RESULT_BUSY);
#if TEST_HAS_EXCEPTIONS
    auto throwing = [](trn::BatchRef, const TrnTick &) { throw std::bad_alloc(); };
    ticks = take(trn::Ticks::create(store, throwing));
    assert_int_equal(ticks.step(9, anchors).result(), TRN_RESULT_NO_MEMORY);
#endif
}

void deltas_bring_a_store_to_another(void **)
{
    const TrnBox box = {{-2, -2, -2}, {2, 2, 2}};
    trn::Store store = take(trn::Store::create()), copy = take(trn::Store::create());
    std::vector<TrnDeltaBase> base;
    std::vector<unsigned char> bytes;
    take(store.insert({0, 0, 0}, stripes()));
    take(store.insert({1, 0, 0}, TRN_BLOCK_STONE));
    const auto none = store.delta_base(TrnBox{{5, 5, 5}, {6, 6, 6}}, base);
    assert_true(none.empty());
    const auto whole = take(store.delta_write(box, none, bytes));
    assert_int_equal(take(copy.delta_apply(whole)).inserted, 2);
    trn::Reader reader = take(store.index().reader("network"));
    const auto section = reader.section();
    const auto before = store.delta_base(box, base);
    assert_int_equal(before.size(), 2);
    take(store.set_block({3, 4, 5}, TRN_BLOCK_WATER));
    take(store.remove(TrnCoord{1, 0, 0}));
    const TrnDeltaOutcome outcome =
        take(copy.delta_apply(take(store.delta_write(box, before, bytes))));
    assert_int_equal(outcome.changed, 1);
    assert_int_equal(outcome.removed, 1);
    assert_int_equal(take(copy.get_block({3, 4, 5})), TRN_BLOCK_WATER);
    assert_null(copy.find(TrnCoord{1, 0, 0}));
    const TrnBox empty = {{1, 0, 0}, {0, 0, 0}};
    assert_int_equal(store.delta_write(empty, none, bytes).result(), TRN_RESULT_BAD_ARGUMENT);
    const unsigned char junk[3] = {9, 9, 9};
    assert_int_equal(copy.delta_apply(junk).result(), TRN_RESULT_CORRUPT);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(gathers_are_ranges),
        cmocka_unit_test(block_data_is_read_and_written),
        cmocka_unit_test(blocks_are_read_and_written),
        cmocka_unit_test(an_edit_ends_with_its_scope),
        cmocka_unit_test(batches_commit_cancel_and_undo),
        cmocka_unit_test(listeners_hear_until_their_subscription_ends),
        cmocka_unit_test(a_listener_that_throws_has_failed),
        cmocka_unit_test(user_bytes_are_typed),
        cmocka_unit_test(rays_and_bodies_meet_the_ground),
        cmocka_unit_test(fluids_flow_and_go_on_from_their_bytes),
        cmocka_unit_test(ticks_call_the_game),
        cmocka_unit_test(deltas_bring_a_store_to_another),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
