using System;
using System.Runtime.InteropServices;
using System.Threading;
using Terrane.Native;

namespace Terrane
{
    /// <summary>Sizes of chunks, and checks of their arrays.</summary>
    public static class Chunk
    {
        public const int Edge = 32;
        public const int Voxels = Edge * Edge * Edge;

        /// <summary>The place of a voxel in a chunk's array: x fastest, then z, then y.</summary>
        public static int Index(int x, int y, int z) => x | z << 5 | y << 10;

        internal static void CheckBlocks(ushort[] blocks)
        {
            if (Library.Argument(blocks, nameof(blocks)).Length < Voxels)
            {
                throw new TerraneException(TrnResult.TRN_RESULT_BAD_ARGUMENT, "Blocks are an array of 32,768 numbers.");
            }
        }
    }

    /// <summary>The built-in land. Any number of threads may use it.</summary>
    public sealed unsafe class Terrain : TerraneObject, IGenerator
    {
        public Terrain(ulong seed) : this(seed, "default")
        {
        }

        /// <param name="preset">"default", "islands", "alps", "canyons" or "flat"</param>
        public Terrain(ulong seed, string preset)
        {
            Library.Check();
            TrnTerrainDef def = Lib.trn_terrain_def();
            def.seed = seed;
            fixed (byte* name = Library.Chars(preset, nameof(preset)))
            {
                if (Lib.trn_terrain_shape_preset(name, &def.shape) != TrnResult.TRN_RESULT_OK)
                {
                    throw new TerraneException(TrnResult.TRN_RESULT_NOT_FOUND, $"There is no preset \"{preset}\".");
                }
            }
            Create(def);
        }

        /// <summary>A terrain of settings that begin as Lib.trn_terrain_def().</summary>
        public Terrain(TrnTerrainDef def)
        {
            Library.Check();
            Create(def);
        }

        private void Create(TrnTerrainDef def)
        {
            TrnTerrain* terrain;
            TrnResult result = Lib.trn_terrain_create(&def, &terrain);
            if (result != TrnResult.TRN_RESULT_OK)
            {
                byte* fault = Lib.trn_terrain_def_fault(&def);
                throw Library.Failure(result, fault == null ? null : Library.Text(fault));
            }
            Handle = new TerraneHandle((IntPtr)terrain, pointer => Lib.trn_terrain_destroy((TrnTerrain*)pointer));
        }

        /// <summary>Generates a chunk into `blocks`, all of it.</summary>
        public void Generate(int x, int y, int z, ushort[] blocks, uint level = 0)
        {
            Chunk.CheckBlocks(blocks);
            var terrain = (TrnTerrain*)Use();
            try
            {
                byte isUniform = 0;
                fixed (ushort* to = blocks)
                {
                    Library.Ok(Lib.trn_terrain_generate_level(terrain, new TrnCoord { x = x, y = y, z = z }, level, to, &isUniform));
                }
                for (int i = 1; isUniform != 0 && i < Chunk.Voxels; i++)
                {
                    blocks[i] = blocks[0];
                }
            }
            finally
            {
                Unuse();
            }
        }

        /// <summary>The y of the topmost voxel of the ground.</summary>
        public long Height(long x, long z)
        {
            var terrain = (TrnTerrain*)Use();
            try
            {
                long height;
                Library.Ok(Lib.trn_terrain_height(terrain, x, z, &height));
                return height;
            }
            finally
            {
                Unuse();
            }
        }

        /// <summary>The surface at each 2^level-th voxel column of a chunk, by z, then x: for maps.</summary>
        public void Sample(int chunkX, int chunkZ, uint level, TrnTerrainSample[] samples)
        {
            if (Library.Argument(samples, nameof(samples)).Length < Chunk.Edge * Chunk.Edge)
            {
                throw new TerraneException(TrnResult.TRN_RESULT_BAD_ARGUMENT, "Samples are an array of 1,024.");
            }
            var terrain = (TrnTerrain*)Use();
            try
            {
                fixed (TrnTerrainSample* to = samples)
                {
                    Library.Ok(Lib.trn_terrain_sample_level(terrain, chunkX, chunkZ, level, to));
                }
            }
            finally
            {
                Unuse();
            }
        }

        TrnGenerator IGenerator.Lend(Callbacks callbacks) => Lib.trn_terrain_generator((TrnTerrain*)Pointer);

        TerraneObject IGenerator.Object => this;
    }

    /// <summary>What a stream generates chunks with: a Terrain or a Generator.</summary>
    public interface IGenerator
    {
        /// <summary>For streams.</summary>
        TrnGenerator Lend(Callbacks callbacks);

        /// <summary>For streams: what must outlive them.</summary>
        TerraneObject Object { get; }
    }

    /// <summary>Fills a chunk's blocks, which are 0, and returns -1; or returns the one block of all of it. Threads of a stream call it.</summary>
    public delegate int GenerateFunction(int x, int y, int z, uint level, ushort[] blocks);

    /// <summary>A program's own land. What the function throws, the stream's next call throws, and the chunk is tried again later.</summary>
    public sealed unsafe class Generator : IGenerator
    {
        private readonly GenerateFunction function;
        private readonly uint levelMax;

        public Generator(GenerateFunction function, uint levelMax = 0)
        {
            this.function = Library.Argument(function, nameof(function));
            this.levelMax = levelMax;
        }

        TerraneObject IGenerator.Object => null;

        TrnGenerator IGenerator.Lend(Callbacks callbacks)
        {
            callbacks.Generate = function;
            return new TrnGenerator
            {
                generate = Marshal.GetFunctionPointerForDelegate(Callbacks.GenerateCallback),
                user = (void*)callbacks.User,
                level_max = levelMax,
            };
        }
    }

    /// <summary>What the callbacks of a stream know.</summary>
    public sealed unsafe class Callbacks
    {
        internal static readonly TrnGenerateFn GenerateCallback = OnGenerate;
        internal static readonly TrnStreamHooks_mesh MeshCallback = OnMesh;
        internal GenerateFunction Generate;
        internal IntPtr User;
        internal Exception Raised; // the first that no call has thrown yet
        [ThreadStatic] private static ushort[] scratch;

        internal Callbacks()
        {
        }

        internal GCHandle Root()
        {
            GCHandle handle = GCHandle.Alloc(this);
            User = GCHandle.ToIntPtr(handle);
            return handle;
        }

        [MonoPInvokeCallback(typeof(TrnGenerateFn))]
        private static TrnResult OnGenerate(void* user, TrnCoord coord, uint level, ushort* blocks, byte* uniform)
        {
            Callbacks callbacks = null;
            try
            {
                callbacks = (Callbacks)GCHandle.FromIntPtr((IntPtr)user).Target;
                ushort[] array = scratch ?? (scratch = new ushort[Chunk.Voxels]);
                Array.Clear(array, 0, array.Length);
                int block;
                Writer.BeginGenerating();
                try
                {
                    block = callbacks.Generate(coord.x, coord.y, coord.z, level, array);
                }
                finally
                {
                    Writer.EndGenerating();
                }
                *uniform = block >= 0 ? (byte)1 : (byte)0;
                blocks[0] = block >= 0 ? checked((ushort)block) : array[0];
                for (int i = 0; block < 0 && i < Chunk.Voxels; i++)
                {
                    blocks[i] = array[i];
                }
                return TrnResult.TRN_RESULT_OK;
            }
            catch (Exception error) // nothing may pass through C
            {
                if (callbacks != null)
                {
                    Interlocked.CompareExchange(ref callbacks.Raised, error, null);
                }
                return (error as TerraneException)?.Result ?? TrnResult.TRN_RESULT_BAD_ARGUMENT;
            }
        }

        [MonoPInvokeCallback(typeof(TrnStreamHooks_mesh))]
        private static TrnResult OnMesh(void* user, TrnStreamJob* job, TrnStreamMeshInput* input, TrnStreamMesh* mesh)
        {
            return TrnResult.TRN_RESULT_OK; // nothing to see: a stream lights chunks when it meshes them
        }

        internal void Throw()
        {
            Exception raised = Interlocked.Exchange(ref Raised, null);
            if (raised != null)
            {
                throw new TerraneCallbackException(raised);
            }
        }
    }
}
