using System;
using System.Runtime.InteropServices;
using Terrane.Native;

namespace Terrane
{
    /// <summary>
    /// A player, a camera, or another place that chunks are loaded around. A stream copies it: keep one, change it, and pass it to
    /// MoveAnchor() each frame.
    /// </summary>
    public sealed class Anchor
    {
        /// <summary>Where it is east, in voxels of the world; 0.</summary>
        public double X;

        /// <summary>Where it is up.</summary>
        public double Y;

        /// <summary>Where it is south.</summary>
        public double Z;

        /// <summary>How far the view reaches, in chunks; 16. 0 is one column.</summary>
        public uint Radius = 16;

        /// <summary>How far it reaches up and down, in chunks; 4.</summary>
        public uint Height = 4;

        internal unsafe TrnStreamAnchor ToC()
        {
            TrnStreamAnchor anchor = Lib.trn_stream_anchor();
            anchor.radius_chunks = Radius;
            anchor.height_chunks = Height;
            anchor.position.chunk.x = Split(X, out anchor.position.offset[0]);
            anchor.position.chunk.y = Split(Y, out anchor.position.offset[1]);
            anchor.position.chunk.z = Split(Z, out anchor.position.offset[2]);
            return anchor;
        }

        private static int Split(double at, out double offset)
        {
            double chunk = Math.Floor(at / Chunk.Edge);
            if (!(chunk >= int.MinValue && chunk <= int.MaxValue))
            {
                throw new TerraneException(TrnResult.TRN_RESULT_BAD_ARGUMENT, $"{at} is no place in the world.");
            }
            offset = at - chunk * Chunk.Edge;
            return (int)chunk;
        }
    }

    /// <summary>Settings of a stream.</summary>
    public sealed class StreamOptions
    {
        /// <summary>Threads that generate and load; null: as many as suit the machine; 0: the calling thread does all work.</summary>
        public uint? Workers;

        /// <summary>The most bytes of the store and the stream together; 0: no limit.</summary>
        public ulong BytesMax;

        /// <summary>Keeps the light of the chunks for ChunkStream.LightAt().</summary>
        public bool Light;

        /// <summary>Where chunks are loaded from and saved. Ending a stream does not save: call ChunkStream.SaveAll() first.</summary>
        public Save Save;
    }

    /// <summary>
    /// Keeps a store filled around anchors. Use it on the store's thread. Dispose() ends it and does not save: call SaveAll() first.
    /// </summary>
    public sealed unsafe class ChunkStream : TerraneObject
    {
        private readonly Callbacks callbacks = new Callbacks();
        private bool isRunning;

        public ChunkStream(Store store, IGenerator generator, StreamOptions options = null)
        {
            Library.Argument(generator, nameof(generator));
            options = options ?? new StreamOptions();
            Store = Library.Argument(store, nameof(store));
            Writer = store.Writer;
            Writer.Enter();
            GCHandle root = callbacks.Root();
            try
            {
                TrnStreamDef def = Lib.trn_stream_def();
                def.store = store.Native;
                def.generator = generator.Lend(callbacks);
                def.workers = options.Workers ?? def.workers;
                def.bytes_max = (UIntPtr)options.BytesMax;
                if (options.Save != null)
                {
                    def.source = Lib.trn_save_source((TrnSave*)options.Save.Pointer);
                }
                if (options.Light)
                {
                    def.light = def.keep_light = 1;
                    def.hooks.mesh = Marshal.GetFunctionPointerForDelegate(Callbacks.MeshCallback);
                }
                TrnStream* stream;
                Library.Ok(Lib.trn_stream_create(&def, &stream));
                TerraneHandle[] parents = Array.FindAll(new[] { store.Handle, generator.Object?.Handle, options.Save?.Handle }, one => one != null);
                Handle = new TerraneHandle((IntPtr)stream, pointer => Lib.trn_stream_destroy((TrnStream*)pointer), Writer, parents);
                Handle.Keep(root);
            }
            catch
            {
                root.Free();
                throw;
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>The store that it fills.</summary>
        public Store Store { get; }

        private TrnStream* Native => (TrnStream*)Pointer;

        /// <summary>Adds an anchor, and returns its id. The next updates load the chunks around it.</summary>
        public TrnPoolId AddAnchor(Anchor anchor)
        {
            TrnStreamAnchor native = Library.Argument(anchor, nameof(anchor)).ToC();
            Writer.Enter();
            try
            {
                TrnPoolId id;
                Library.Ok(Lib.trn_stream_anchor_add(Native, &native, &id));
                return id;
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Moves an anchor. Throws if it was removed.</summary>
        public void MoveAnchor(TrnPoolId id, Anchor anchor)
        {
            TrnStreamAnchor native = Library.Argument(anchor, nameof(anchor)).ToC();
            Writer.Enter();
            try
            {
                Library.Ok(Lib.trn_stream_anchor_set(Native, id, &native));
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Removes an anchor. The next updates unload what no other anchor wants.</summary>
        public void RemoveAnchor(TrnPoolId id)
        {
            Writer.Enter();
            try
            {
                Library.Ok(Lib.trn_stream_anchor_remove(Native, id));
            }
            finally
            {
                Writer.Exit();
            }
        }

        private void Begin()
        {
            Writer.Enter();
            if (isRunning)
            {
                Writer.Exit();
                throw new TerraneThreadException("A callback cannot update the ChunkStream that calls it.");
            }
            isRunning = true;
        }

        private void End(TrnResult result)
        {
            isRunning = false;
            Writer.ExitAndThrow();
            callbacks.Throw();
            Library.Ok(result);
        }

        /// <summary>Once a frame: applies what workers have finished, and issues the next work, within the default budget of time.</summary>
        public TrnStreamReport Update()
        {
            TrnStreamReport report = default(TrnStreamReport);
            TrnResult result = TrnResult.TRN_RESULT_OK;
            Begin();
            try
            {
                result = Lib.trn_stream_update(Native, null, &report);
            }
            finally
            {
                End(result);
            }
            return report;
        }

        /// <summary>Updates until all views are loaded.</summary>
        public void Settle(uint updatesMax = 1000)
        {
            TrnResult result = TrnResult.TRN_RESULT_OK;
            Begin();
            try
            {
                result = Lib.trn_stream_settle(Native, updatesMax);
            }
            finally
            {
                End(result);
            }
        }

        /// <summary>Saves all unsaved chunks; Save.Flush() then waits for the disk.</summary>
        public void SaveAll()
        {
            TrnResult result = TrnResult.TRN_RESULT_OK;
            Begin();
            try
            {
                result = Lib.trn_stream_save(Native);
            }
            finally
            {
                End(result);
            }
        }

        /// <summary>The light of a voxel, each 0 to 15.</summary>
        public (uint sky, uint blocks) LightAt(long x, long y, long z)
        {
            Writer.Enter();
            try
            {
                uint sky, blocks;
                Library.Ok(Lib.trn_stream_get_light(Native, new TrnVoxel { x = x, y = y, z = z }, &sky, &blocks));
                return (sky, blocks);
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>A sentence that says why a chunk is loaded or not.</summary>
        public string Explain(int x, int y, int z)
        {
            Writer.Enter();
            try
            {
                TrnStreamExplanation explanation = Lib.trn_stream_explain(Native, new TrnCoord { x = x, y = y, z = z });
                return Library.Text(explanation.sentence);
            }
            finally
            {
                Writer.Exit();
            }
        }
    }
}
