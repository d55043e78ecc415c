// A world in C#: a stream fills it, edits dig in it, it is saved, loaded and meshed. Prints the same hash as examples/world_hash.c, and
// draws a map. Usage: World.exe FOLDER [PICTURE.ppm]; the world's file is made in the folder.
using System;
using System.Collections.Generic;
using System.IO;
using Terrane;
using Terrane.Native;

internal static unsafe class World
{
    private const ulong WorldHash = 0x1468C3D6C9702D50;
    private static ulong hash;

    private static void Add(ulong number)
    {
        hash = (hash ^ number) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 32;
    }

    /// 7 x 5 x 7 chunks: caves, ground with sea and trees, and sky.
    private static IEnumerable<TrnCoord> Chunks()
    {
        for (int y = -2; y <= 2; y++)
        {
            for (int z = -3; z <= 3; z++)
            {
                for (int x = -3; x <= 3; x++)
                {
                    yield return new TrnCoord { x = x, y = y, z = z };
                }
            }
        }
    }

    private static void HashBlocks(Store store)
    {
        var blocks = new ushort[Chunk.Voxels];
        foreach (TrnCoord at in Chunks())
        {
            store.GetBlocks(at.x, at.y, at.z, blocks);
            foreach (ushort block in blocks)
            {
                Add(block);
            }
        }
    }

    /// Digs balls where chunks meet, builds a wall through them, and scatters single blocks.
    private static void Dig(Store store)
    {
        using (Batch batch = store.BeginBatch())
        {
            for (int i = -2; i <= 2; i++)
            {
                batch.FillSphere(32 * i, 7 * i, -32 * i, 9.5 + i, Lib.TRN_BLOCK_AIR);
            }
            batch.FillBox(-70, -12, 3, 70, 30, 4, Lib.TRN_BLOCK_STONE);
            for (int i = 0; i < 500; i++)
            {
                batch.Set(i * 37 % 200 - 100, i * 11 % 90 - 45, i * 53 % 200 - 100, (ushort)(i % 5 + 1));
            }
            batch.Commit();
        }
    }

    /// Streams the land around the origin into a store, edits it and saves it.
    private static void FillAndSave(string path, Terrain terrain)
    {
        using (var types = new BlockTypes())
        using (var save = new Save(path, types))
        using (var store = new Store(types))
        using (var stream = new ChunkStream(store, terrain, new StreamOptions { Save = save, Light = true }))
        {
            stream.AddAnchor(new Anchor { Radius = 6, Height = 4 });
            stream.Settle();
            HashBlocks(store);
            Console.WriteLine($"land   0x{hash:X16} in {store.Count} chunks");
            Dig(store);
            stream.Settle();
            HashBlocks(store);
            Console.WriteLine($"edits  0x{hash:X16}");
            (uint sky, uint lamps) = stream.LightAt(32, 7, -32);
            Console.WriteLine($"light  sky {sky} and blocks {lamps} in the hole");
            stream.SaveAll();
            save.Flush();
        }
    }

    /// Loads what was saved into another store, and meshes it.
    private static void LoadAndMesh(string path, Terrain terrain)
    {
        var blocks = new ushort[Chunk.Voxels];
        var quads = new ulong[1 << 16];
        int total = 0;
        using (var types = new BlockTypes())
        using (var save = new Save(path, types, TrnStorageMode.TRN_STORAGE_OPEN))
        using (var store = new Store(types))
        using (var mesher = new Mesher())
        {
            foreach (TrnCoord at in Chunks())
            {
                if (!save.TryGet(at.x, at.y, at.z, blocks))
                {
                    terrain.Generate(at.x, at.y, at.z, blocks); // a uniform chunk that was not changed
                }
                store.Insert(at.x, at.y, at.z, blocks);
            }
            foreach (TrnCoord at in Chunks())
            {
                int count = mesher.Build(store, at.x, at.y, at.z, false);
                mesher.Quads(quads);
                for (int group = 0; group <= Lib.TRN_MESH_GROUP_COUNT; group++)
                {
                    Add(mesher.First(group));
                }
                for (int i = 0; i < count; i++)
                {
                    Add(quads[i]);
                }
                total += count;
            }
        }
        Console.WriteLine($"world  0x{hash:X16} with {total} quads");
    }

    /// Writes a map of the land around the origin: the colour of what is seen from above, lit from the west.
    private static void Draw(string path, Terrain terrain)
    {
        const int Reach = 8, Width = 2 * Reach * Chunk.Edge;
        var land = new TrnTerrainSample[Width, Width];
        var samples = new TrnTerrainSample[Chunk.Edge * Chunk.Edge];
        for (int z = 0; z < 2 * Reach; z++)
        {
            for (int x = 0; x < 2 * Reach; x++)
            {
                terrain.Sample(x - Reach, z - Reach, 3, samples);
                for (int i = 0; i < samples.Length; i++)
                {
                    land[z * Chunk.Edge + i / Chunk.Edge, x * Chunk.Edge + i % Chunk.Edge] = samples[i];
                }
            }
        }
        using (var types = new BlockTypes())
        using (var file = new BufferedStream(File.Create(path)))
        {
            byte[] head = System.Text.Encoding.ASCII.GetBytes($"P6 {Width} {Width} 255\n");
            file.Write(head, 0, head.Length);
            for (int z = 0; z < Width; z++)
            {
                for (int x = 0; x < Width; x++)
                {
                    TrnBlockType type = types.Type(land[z, x].surface);
                    long slope = land[z, x].surface_y - land[z, Math.Max(x - 1, 0)].surface_y;
                    double light = 1 + 0.08 * Math.Max(-4, Math.Min(4, slope));
                    for (int i = 0; i < 3; i++)
                    {
                        file.WriteByte((byte)Math.Min(255, type.colour[3 * (int)TrnFace.TRN_FACE_POS_Y + i] * light));
                    }
                }
            }
        }
    }

    private static int Main(string[] arguments)
    {
        if (arguments.Length == 0)
        {
            Console.Error.WriteLine("usage: World.exe FOLDER [PICTURE.ppm]");
            return 2;
        }
        string path = Path.Combine(arguments[0], "my.world");
        using (var terrain = new Terrain(23))
        {
            FillAndSave(path, terrain);
            LoadAndMesh(path, terrain);
            if (arguments.Length > 1)
            {
                Draw(arguments[1], terrain);
            }
        }
        if (hash != WorldHash)
        {
            Console.Error.WriteLine($"This is another world than 0x{WorldHash:X16}.");
        }
        return hash == WorldHash ? 0 : 1;
    }
}
