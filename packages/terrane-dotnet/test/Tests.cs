// What the assembly promises: errors in place of crashes, worlds that last, no garbage on hot paths. Compiled with the sources, so that it
// sees their internals. Usage: Tests.exe FOLDER; or Tests.exe load, which prints why the library cannot be used.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using Terrane;
using Terrane.Native;

internal static unsafe class Tests
{
    private static string folder;

    private static void Expect(bool isTrue, string what)
    {
        if (!isTrue)
        {
            throw new Exception("expected: " + what);
        }
    }

    /// The exception of a call, which must throw one of this type.
    private static T Throws<T>(Action call) where T : Exception
    {
        try
        {
            call();
        }
        catch (T error)
        {
            return error;
        }
        throw new Exception("expected: " + typeof(T).Name);
    }

    private static void Fails(TrnResult result, Action call)
    {
        TerraneException error = Throws<TerraneException>(call);
        Expect(error.Result == result, $"{result} and not {error.Result}: {error.Message}");
        Expect(error.Message.Length > 10, "a sentence");
    }

    private static Store NewStore()
    {
        var store = new Store();
        store.Insert(0, 0, 0, 0);
        return store;
    }

    public static void results_are_exceptions_with_a_sentence()
    {
        using (Store store = NewStore())
        {
            Fails(TrnResult.TRN_RESULT_EXISTS, () => store.Insert(0, 0, 0, 1));
            Fails(TrnResult.TRN_RESULT_NOT_FOUND, () => store.GetBlock(1000, 0, 0));
            Fails(TrnResult.TRN_RESULT_BAD_ARGUMENT, () => store.GetBlock(1L << 62, 0, 0));
            Fails(TrnResult.TRN_RESULT_BAD_ARGUMENT, () => store.GetBlocks(0, 0, 0, new ushort[5]));
            Fails(TrnResult.TRN_RESULT_BAD_ARGUMENT, () => store.Insert(1, 0, 0, new ushort[5]));
            Fails(TrnResult.TRN_RESULT_NOT_FOUND, () => new Terrain(1, "moon"));
            TrnTerrainDef def = Lib.trn_terrain_def();
            def.shape.caves = 50;
            Expect(Throws<TerraneException>(() => new Terrain(def)).Message.Contains("caves"), "the name of the setting");
        }
    }

    public static void another_version_is_refused()
    {
        Library.Check(Lib.Version, Lib.StructBytes);
        Expect(Throws<TerraneLibraryException>(() => Library.Check("0.1.9", Lib.StructBytes)).Message.Contains("0.1.9"), "the version");
        int[] bytes = (int[])Lib.StructBytes.Clone();
        bytes[3] += 8;
        Expect(Throws<TerraneLibraryException>(() => Library.Check(Lib.Version, bytes)).Message.Contains(Lib.StructNames[3]), "the struct");
    }

    public static void a_stale_id_is_an_error()
    {
        using (Store store = NewStore())
        using (var terrain = new Terrain(1))
        using (var stream = new ChunkStream(store, terrain, new StreamOptions { Workers = 0 }))
        {
            TrnPoolId chunk = store.ChunkId(0, 0, 0);
            Expect(store.CoordOf(chunk).x == 0, "the chunk");
            store.Remove(0, 0, 0);
            store.Insert(0, 0, 0, 0);
            Fails(TrnResult.TRN_RESULT_STALE_ID, () => store.CoordOf(chunk));
            TrnPoolId anchor = stream.AddAnchor(new Anchor { Radius = 1, Height = 1 });
            stream.RemoveAnchor(anchor);
            Fails(TrnResult.TRN_RESULT_STALE_ID, () => stream.MoveAnchor(anchor, new Anchor()));
            Fails(TrnResult.TRN_RESULT_BAD_ARGUMENT, () => stream.AddAnchor(new Anchor { X = double.NaN }));
            Fails(TrnResult.TRN_RESULT_BAD_ARGUMENT, () => stream.AddAnchor(new Anchor { Z = 1e300 }));
        }
    }

    public static void a_disposed_object_is_an_error()
    {
        Store store = NewStore();
        var terrain = new Terrain(1);
        Batch batch = store.BeginBatch();
        Reader reader = store.CreateReader("test");
        var stream = new ChunkStream(store, terrain, new StreamOptions { Workers = 2 });
        var objects = new TerraneObject[] { terrain, batch, store, reader, stream };
        foreach (TerraneObject one in objects.Concat(objects)) // in any order, and again
        {
            one.Dispose();
        }
        var blocks = new ushort[Chunk.Voxels];
        foreach (Action call in new Action[] {
            () => terrain.Generate(0, 0, 0, blocks), () => terrain.Height(0, 0), () => batch.Set(0, 0, 0, 1), () => batch.Commit(),
            () => reader.Read(), () => reader.GetBlock(0, 0, 0), () => stream.Update(), () => store.SetBlock(0, 0, 0, 1),
            () => store.GetBlocks(0, 0, 0, blocks), () => store.BeginBatch(), () => store.CreateReader("late"),
            () => new ChunkStream(store, new Terrain(1)) })
        {
            Throws<ObjectDisposedException>(call);
        }
    }

    public static void what_its_user_disposed_is_an_error_while_others_need_it()
    {
        string path = Path.Combine(folder, "needed.world");
        var blocks = new ushort[Chunk.Voxels];
        using (var types = new BlockTypes())
        using (var mesher = new Mesher())
        {
            var save = new Save(path, types);
            var store = new Store(types);
            var terrain = new Terrain(1);
            store.Insert(0, 0, 0, 0);
            Reader reader = store.CreateReader("test");
            Batch batch = store.BeginBatch();
            var stream = new ChunkStream(store, terrain, new StreamOptions { Workers = 2, Save = save });
            foreach (TerraneObject one in new TerraneObject[] { types, terrain, save, store, store })
            {
                one.Dispose();
            }
            foreach (Action call in new Action[] {
                () => store.GetBlock(0, 0, 0), () => store.SetBlock(0, 0, 0, 1), () => store.Insert(1, 0, 0, 0), () => store.Remove(0, 0, 0),
                () => store.BeginBatch(), () => store.CreateReader("late"), () => store.Changed += (at, kind, chunks) => { },
                () => mesher.Build(store, 0, 0, 0), () => new ChunkStream(store, new Terrain(1)), () => new ChunkStream(new Store(), terrain),
                () => new ChunkStream(new Store(), new Terrain(1), new StreamOptions { Save = save }), () => terrain.Height(0, 0),
                () => terrain.Generate(0, 0, 0, blocks), () => save.Flush(), () => save.Put(0, 0, 0, blocks), () => types.Id("terrane:stone"),
                () => new Save(path, types), () => new Store(types) })
            {
                Throws<ObjectDisposedException>(call);
            }
            batch.Set(1, 1, 1, 5); // what depends on them works until its own end
            batch.Commit();
            using (reader.Read())
            {
                Expect(reader.GetBlock(1, 1, 1) == 5, "the batch's block");
            }
            stream.AddAnchor(new Anchor { Radius = 1, Height = 1 });
            stream.Settle();
            stream.SaveAll();
            stream.Dispose();
            reader.Dispose();
        }
        using (var types = new BlockTypes())
        using (var save = new Save(path, types, TrnStorageMode.TRN_STORAGE_OPEN)) // BUSY if the other one has not ended
        {
            Expect(save.TryGet(0, 0, 0, blocks) && blocks[Chunk.Index(1, 1, 1)] == 5, "the block that the stream saved");
        }
    }

    public static void a_null_is_named()
    {
        using (Store store = NewStore())
        using (var types = new BlockTypes())
        using (var terrain = new Terrain(1))
        using (var mesher = new Mesher())
        using (var solver = new LightSolver())
        using (var stream = new ChunkStream(store, terrain))
        using (var save = new Save(Path.Combine(folder, "null.world"), types))
        {
            foreach ((string name, Action call) one in new (string, Action)[] {
                ("store", () => new ChunkStream(null, terrain)), ("generator", () => new ChunkStream(store, null)), ("anchor", () => stream.AddAnchor(null)),
                ("anchor", () => stream.MoveAnchor(default(TrnPoolId), null)), ("path", () => new Save(null, types)), ("types", () => new Save("a", null)),
                ("types", () => new Store(null)), ("name", () => types.Id(null)), ("name", () => store.CreateReader(null)), ("store", () => mesher.Build(null, 0, 0, 0)),
                ("store", () => solver.Solve(null, 0, 0, 0)), ("quads", () => mesher.Quads(null)), ("preset", () => new Terrain(1, null)),
                ("samples", () => terrain.Sample(0, 0, 0, null)), ("blocks", () => terrain.Generate(0, 0, 0, null)), ("function", () => new Generator(null)),
                ("blocks", () => store.Insert(1, 0, 0, null)), ("blocks", () => store.GetBlocks(0, 0, 0, null)), ("blocks", () => save.Put(0, 0, 0, null)),
                ("blocks", () => save.TryGet(0, 0, 0, null)), ("name", () => save.SetValue(null, null)), ("name", () => save.GetValue(null)) })
            {
                string said = Throws<ArgumentNullException>(one.call).ParamName;
                Expect(said == one.name, $"{one.name} and not {said}");
            }
            Expect(stream.Update().wanted == 0 && store.GetBlock(0, 0, 0) == 0, "a store that may still be used");
        }
    }

    public static void blocks_have_names_and_anchors_a_reach()
    {
        using (var types = new BlockTypes())
        using (Store store = NewStore())
        {
            Expect(types.Name(types.Id("terrane:stone")) == "terrane:stone", "the name");
            Expect(types.Name(60000) == "terrane:missing", "the name of no block");
            TrnStreamAnchor anchor = Lib.trn_stream_anchor();
            Expect(new Anchor().Radius == anchor.radius_chunks && new Anchor().Height == anchor.height_chunks, "C's defaults");
            using (Batch batch = store.BeginBatch())
            {
                batch.FillBox(1, 1, 1, 3, 2, 1, 7);
                batch.FillSphere(20, 20, 20, 2.5, 8);
                batch.Commit();
            }
            Expect(store.GetBlock(3, 2, 1) == 7 && store.GetBlock(4, 2, 1) == 0 && store.GetBlock(20, 22, 20) == 8, "a box and a ball");
        }
    }

    public static void a_store_lives_as_long_as_its_stream()
    {
        Store store = NewStore();
        var terrain = new Terrain(1);
        using (var stream = new ChunkStream(store, terrain, new StreamOptions { Workers = 2 }))
        {
            stream.AddAnchor(new Anchor { Radius = 3, Height = 2 });
            terrain.Dispose();
            store.Dispose();
            Collect();
            stream.Settle();
            Expect(stream.Explain(0, 0, 0).Contains("is loaded"), "a loaded chunk");
        }
    }

    private static void Collect()
    {
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    public static void what_is_not_disposed_is_collected()
    {
        using (Store store = NewStore())
        {
            for (int i = 0; i < 100; i++)
            {
                store.Insert(i + 1, 0, 0, 0);
                store.BeginBatch().Set(32 * i + 33, 1, 1, 5); // cancelled by the collector, while this thread writes
                Forget(store);
                if (i % 10 == 0)
                {
                    GC.Collect();
                }
                store.SetBlock(i % 32, 0, 0, (ushort)(i + 1));
            }
            Collect();
            for (int i = 0; i < 100; i++)
            {
                Expect(store.GetBlock(32 * i + 33, 1, 1) == 0, "no edit of a batch that was lost");
            }
            using (Reader reader = store.CreateReader("last"))
            using (reader.Read())
            {
                Expect(reader.GetBlock(3, 0, 0) == 100, "the last edit");
            }
        }
    }

    private static void Forget(Store store)
    {
        try
        {
            store.CreateReader("lost").Read(); // at most 16 at a time
        }
        catch (TerraneException error) when (error.Result == TrnResult.TRN_RESULT_FULL)
        {
            Collect();
        }
    }

    public static void a_generator_may_throw()
    {
        foreach (uint workers in new uint[] { 0, 2 })
        {
            Exception own = WhatAStreamThrows(workers, () => { throw new InvalidOperationException("no land here"); });
            Expect(own is InvalidOperationException, "its own exception and not " + own);
            Expect(WhatAStreamThrows(workers, () => 70000) is OverflowException, "an overflow"); // no block has this id
        }
    }

    /// What a stream throws for a chunk at x = 1. The others load all the same.
    private static Exception WhatAStreamThrows(uint workers, Func<int> land)
    {
        GenerateFunction generate = (x, y, z, level, blocks) =>
        {
            blocks[5] = 7;
            return x == 1 ? land() : y < 0 ? 1 : -1;
        };
        using (var store = new Store())
        using (var stream = new ChunkStream(store, new Generator(generate), new StreamOptions { Workers = workers }))
        {
            Exception thrown = null;
            stream.AddAnchor(new Anchor { Radius = 2, Height = 1 });
            while (thrown == null || store.Count < 20)
            {
                try
                {
                    stream.Update();
                }
                catch (TerraneException error)
                {
                    thrown = thrown ?? error.InnerException;
                }
                Thread.Sleep(1);
            }
            Expect(store.GetBlock(5, 0, 0) == 7, "what was generated");
            return thrown;
        }
    }

    public static void a_generator_cannot_use_a_store()
    {
        foreach (uint workers in new uint[] { 0, 1 })
        {
            using (Store store = NewStore())
            {
                GenerateFunction land = (x, y, z, level, blocks) => store.GetBlock(0, 0, 0);
                using (var stream = new ChunkStream(store, new Generator(land), new StreamOptions { Workers = workers }))
                {
                    stream.AddAnchor(new Anchor { Radius = 1, Height = 1 });
                    Exception inner = null;
                    while (inner == null)
                    {
                        try
                        {
                            stream.Update();
                        }
                        catch (TerraneException error)
                        {
                            inner = error.InnerException;
                        }
                        Thread.Sleep(1);
                    }
                    Expect(inner is TerraneThreadException, "a thread's exception");
                }
            }
        }
    }

    public static void a_listener_may_throw_and_may_edit()
    {
        using (Store store = NewStore())
        {
            var seen = new List<TrnEventKind>();
            StoreListener listener = (at, kind, chunks) =>
            {
                seen.Add(kind);
                if (kind == TrnEventKind.TRN_EVENT_INSERTED)
                {
                    at.SetBlock(chunks[0].x * 32, 0, 0, 9);
                }
                if (kind == TrnEventKind.TRN_EVENT_REMOVED)
                {
                    throw new InvalidOperationException("gone");
                }
            };
            store.Changed += listener;
            store.Insert(1, 0, 0, 0);
            Expect(store.GetBlock(32, 0, 0) == 9, "the listener's edit");
            Expect(Throws<TerraneCallbackException>(() => store.Remove(1, 0, 0)).InnerException is InvalidOperationException, "what was thrown");
            Expect(store.Count == 1, "a chunk that was removed all the same");
            store.Changed -= listener;
            store.Insert(1, 0, 0, 0);
            Expect(seen.Count == 3, "three events");
            store.Changed += (at, kind, chunks) => at.Dispose();
            Expect(Throws<TerraneException>(() => store.SetBlock(0, 0, 0, 1)).InnerException is TerraneThreadException, "no end inside a call");
            Expect(store.GetBlock(0, 0, 0) == 1, "a store that is still there");
        }
    }

    public static void a_second_writer_gets_an_exception()
    {
        using (Store store = NewStore())
        using (var isInside = new ManualResetEvent(false))
        using (var goOn = new ManualResetEvent(false))
        {
            GenerateFunction land = (x, y, z, level, blocks) =>
            {
                isInside.Set();
                goOn.WaitOne(10000);
                return 1;
            };
            using (var stream = new ChunkStream(store, new Generator(land), new StreamOptions { Workers = 0 }))
            {
                stream.AddAnchor(new Anchor { Radius = 0, Height = 0 });
                int errors = 0;
                var other = new Thread(() =>
                {
                    isInside.WaitOne(10000);
                    foreach (Action call in new Action[] { () => store.SetBlock(0, 0, 0, 1), () => store.GetBlock(0, 0, 0), () => stream.Update(),
                        stream.Dispose, store.Dispose })
                    {
                        try
                        {
                            call();
                        }
                        catch (TerraneThreadException)
                        {
                            errors++;
                        }
                    }
                    goOn.Set();
                });
                other.Start();
                stream.Settle();
                other.Join();
                Expect(errors == 5, $"5 exceptions and not {errors}");
            }
        }
    }

    public static void readers_read_while_another_thread_writes()
    {
        using (Store store = NewStore())
        {
            bool stop = false;
            var problems = new List<string>();
            Thread[] threads = Enumerable.Range(0, 3).Select(_ => new Thread(() =>
            {
                var blocks = new ushort[Chunk.Voxels];
                using (Reader reader = store.CreateReader("test"))
                {
                    while (!Volatile.Read(ref stop))
                    {
                        using (reader.Read())
                        {
                            reader.GetBlocks(0, 0, 0, blocks);
                        }
                        if (blocks.Any(block => block != blocks[0]))
                        {
                            lock (problems)
                            {
                                problems.Add("half an edit");
                            }
                        }
                    }
                }
            })).ToArray();
            Array.ForEach(threads, thread => thread.Start());
            for (int i = 0; i < 300; i++)
            {
                using (Batch batch = store.BeginBatch())
                {
                    batch.FillBox(new TrnVoxel(), new TrnVoxel { x = 31, y = 31, z = 31 }, (ushort)(i % 9));
                    batch.Commit();
                }
            }
            Volatile.Write(ref stop, true);
            Array.ForEach(threads, thread => thread.Join());
            Expect(problems.Count == 0, string.Join(", ", problems));
        }
    }

    public static void light_falls_into_a_shaft()
    {
        using (var store = new Store())
        using (var solver = new LightSolver())
        {
            for (int i = 0; i < 27; i++)
            {
                store.Insert(i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1, 0);
            }
            using (Batch batch = store.BeginBatch())
            {
                batch.FillBox(new TrnVoxel { y = 10 }, new TrnVoxel { x = 31, y = 10, z = 31 }, 1);
                batch.Set(4, 10, 4, 0);
                batch.Commit();
            }
            solver.Solve(store, 0, 0, 0);
            Expect(solver.Sky(4, 9, 4) == 15 && solver.Sky(6, 9, 4) == 13 && solver.Blocks(4, 9, 4) == 0, "light of a shaft");
            Fails(TrnResult.TRN_RESULT_NOT_FOUND, () => solver.Solve(store, 50, 0, 0));
            Throws<ArgumentOutOfRangeException>(() => solver.Sky(33, 0, 0));
        }
    }

    public static void a_mesh_has_vertices()
    {
        using (Store store = NewStore())
        using (var mesher = new Mesher())
        {
            store.SetBlock(4, 4, 4, 1);
            Expect(mesher.Build(store, 0, 0, 0, false) == 6, "six quads of a block");
            mesher.Vertices(TrnMeshSurface.TRN_MESH_SURFACE_OPAQUE, out TrnMeshVertex[] vertices, out uint[] indices);
            Expect(vertices.Length == 24 && indices.Length == 36, "its vertices");
            Expect(vertices.All(vertex => vertex.position[0] >= 4 && vertex.position[0] <= 5), "their places");
            Fails(TrnResult.TRN_RESULT_NOT_FOUND, () => mesher.Build(store, 9, 0, 0));
        }
    }

    public static void a_world_lasts()
    {
        string path = Path.Combine(folder, "lasting.world");
        var blocks = new ushort[Chunk.Voxels];
        for (int i = 0; i < blocks.Length; i++)
        {
            blocks[i] = (ushort)(i % 20);
        }
        using (var types = new BlockTypes())
        {
            using (var save = new Save(path, types))
            {
                save.Put(1, 2, 3, blocks);
                save.SetValue("spawn", new byte[] { 1, 2, 3 });
                Fails(TrnResult.TRN_RESULT_BUSY, () => new Save(path, types));
            }
            using (var save = new Save(path, types, TrnStorageMode.TRN_STORAGE_OPEN))
            {
                var read = new ushort[Chunk.Voxels];
                Expect(save.TryGet(1, 2, 3, read) && read.SequenceEqual(blocks), "the chunk");
                Expect(!save.TryGet(9, 9, 9, read), "no chunk");
                Expect(save.GetValue("spawn").SequenceEqual(new byte[] { 1, 2, 3 }) && save.GetValue("home") == null, "the values");
            }
            Expect(Throws<TerraneException>(() => new Save("/nowhere/my.world", types)).Message.Contains("nowhere"), "the path");
        }
    }

    public static void hot_paths_make_no_garbage()
    {
        using (Store store = NewStore())
        using (Reader reader = store.CreateReader("test"))
        {
            var coords = new TrnCoord[8];
            var box = new TrnBox { max = new TrnCoord { x = 3, y = 3, z = 3 } };
            Work(store, reader, box, coords, 100);
            Collect();
            int before = GC.CollectionCount(0);
            Work(store, reader, box, coords, 300000); // 24 bytes a call would fill the nursery of 4 MiB
            Expect(GC.CollectionCount(0) == before, "no collection");
        }
    }

    private static void Work(Store store, Reader reader, TrnBox box, TrnCoord[] coords, int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            store.SetBlock(i & 31, 0, 0, (ushort)(i % 3));
            store.GetBlock(i & 31, 0, 0);
            using (reader.Read())
            {
                Expect(reader.Gather(box, coords) == 1, "one chunk");
            }
        }
    }

    private static int Main(string[] arguments)
    {
        folder = arguments[0];
        if (folder == "load")
        {
            Console.WriteLine(Throws<TerraneLibraryException>(() => new Store()).Message);
            return 0;
        }
        int failed = 0;
        foreach (MethodInfo test in typeof(Tests).GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly))
        {
            try
            {
                var clock = System.Diagnostics.Stopwatch.StartNew();
                test.Invoke(null, null);
                Console.WriteLine($"ok     {test.Name} in {clock.ElapsedMilliseconds} ms");
            }
            catch (TargetInvocationException error)
            {
                failed++;
                Console.WriteLine($"FAILED {test.Name}: {error.InnerException}");
            }
        }
        return failed == 0 ? 0 : 1;
    }
}
