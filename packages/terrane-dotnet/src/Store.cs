using System;
using System.Runtime.InteropServices;
using Terrane.Native;

namespace Terrane
{
    /// <summary>What block ids stand for: the built-in blocks, and what texts add.</summary>
    public sealed unsafe class BlockTypes : TerraneObject
    {
        public BlockTypes()
        {
            Library.Check();
            TrnBlockTypes* types;
            Library.Ok(Lib.trn_block_types_create_builtin(null, &types));
            Handle = new TerraneHandle((IntPtr)types, pointer => Lib.trn_block_types_destroy((TrnBlockTypes*)pointer));
        }

        /// <summary>The id of a name such as "terrane:stone".</summary>
        public ushort Id(string name)
        {
            fixed (byte* chars = Library.Chars(name, nameof(name)))
            {
                ushort block;
                if (Lib.trn_block_types_find((TrnBlockTypes*)Pointer, chars, &block) != TrnResult.TRN_RESULT_OK)
                {
                    throw new TerraneException(TrnResult.TRN_RESULT_NOT_FOUND, $"There is no block \"{name}\".");
                }
                return block;
            }
        }

        /// <summary>The name of a block, such as "terrane:stone"; "terrane:missing" if no type has this id.</summary>
        public string Name(ushort block) => Library.Text(Type(block).name);

        /// <summary>The type of a block, with its name and colours. Borrowed from this object.</summary>
        public TrnBlockType Type(ushort block) => *Lib.trn_block_types_get((TrnBlockTypes*)Pointer, block);
    }

    /// <summary>
    /// Told of a change: (store, kind, chunks) => { ... }. `kind` is TrnEventKind.TRN_EVENT_INSERTED, TRN_EVENT_CHANGED or TRN_EVENT_REMOVED, and
    /// `chunks` the coordinates of the chunks, in an array of its own. It may change the store.
    /// </summary>
    public delegate void StoreListener(Store store, TrnEventKind kind, TrnCoord[] chunks);

    /// <summary>A world's chunks by coordinate. One thread at a time uses it; others read with a Reader.</summary>
    public sealed unsafe class Store : TerraneObject
    {
        private static readonly TrnListener ListenCallback = OnEvent;
        private readonly GCHandle weak; // of the listener's callback; weak, so that it does not keep the store
        private StoreListener listeners;

        public Store() : this(new BlockTypes())
        {
        }

        public Store(BlockTypes types)
        {
            Types = Library.Argument(types, nameof(types));
            Writer = new Writer();
            TrnStoreDef def = Lib.trn_store_def();
            def.types = (TrnBlockTypes*)types.Pointer;
            TrnStore* store;
            Library.Ok(Lib.trn_store_create(&def, &store));
            weak = GCHandle.Alloc(this, GCHandleType.Weak);
            Handle = new TerraneHandle((IntPtr)store, pointer => Lib.trn_store_destroy((TrnStore*)pointer), Writer, types.Handle);
            Handle.Keep(weak);
        }

        /// <summary>What the block ids stand for.</summary>
        public BlockTypes Types { get; }

        internal TrnStore* Native => (TrnStore*)Pointer;

        private static TrnCoord Coord(int x, int y, int z) => new TrnCoord { x = x, y = y, z = z };

        /// <summary>The number of loaded chunks.</summary>
        public int Count
        {
            get
            {
                Writer.Enter();
                try
                {
                    return (int)Lib.trn_store_stats(Native).chunks;
                }
                finally
                {
                    Writer.Exit();
                }
            }
        }

        /// <summary>Inserts a chunk of one block.</summary>
        public void Insert(int x, int y, int z, ushort block)
        {
            Writer.Enter();
            TrnResult result = TrnResult.TRN_RESULT_OK;
            try
            {
                result = Lib.trn_store_insert_uniform(Native, Coord(x, y, z), block, null);
            }
            finally
            {
                Done(result);
            }
        }

        /// <summary>Inserts a chunk with its voxels.</summary>
        public void Insert(int x, int y, int z, ushort[] blocks)
        {
            Chunk.CheckBlocks(blocks);
            Writer.Enter();
            TrnResult result = TrnResult.TRN_RESULT_OK;
            try
            {
                fixed (ushort* from = blocks)
                {
                    result = Lib.trn_store_insert_voxels(Native, Coord(x, y, z), from, null);
                }
            }
            finally
            {
                Done(result);
            }
        }

        /// <summary>Removes a loaded chunk. A stream with a save saves what is unsaved in it first.</summary>
        public void Remove(int x, int y, int z)
        {
            Writer.Enter();
            TrnResult result = TrnResult.TRN_RESULT_OK;
            try
            {
                result = Lib.trn_store_remove(Native, Coord(x, y, z));
            }
            finally
            {
                Done(result);
            }
        }

        /// <summary>Leaves the writer, and throws what failed: the call, or a listener that it called.</summary>
        internal void Done(TrnResult result)
        {
            Writer.ExitAndThrow();
            Library.Ok(result);
        }

        /// <summary>The block of a voxel.</summary>
        public ushort GetBlock(long x, long y, long z)
        {
            Writer.Enter();
            try
            {
                ushort block;
                Library.Ok(Lib.trn_store_get_block_at(Native, x, y, z, &block));
                return block;
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Sets one voxel, and returns whether it was another block. For many, a Batch is faster.</summary>
        public bool SetBlock(long x, long y, long z, ushort block)
        {
            Writer.Enter();
            TrnResult result = TrnResult.TRN_RESULT_OK;
            byte isChanged = 0;
            try
            {
                result = Lib.trn_store_set_block(Native, new TrnVoxel { x = x, y = y, z = z }, block, &isChanged);
            }
            finally
            {
                Done(result);
            }
            return isChanged != 0;
        }

        /// <summary>Reads a chunk's blocks.</summary>
        public void GetBlocks(int x, int y, int z, ushort[] blocks)
        {
            Chunk.CheckBlocks(blocks);
            Writer.Enter();
            try
            {
                Read(Native, Coord(x, y, z), blocks);
            }
            finally
            {
                Writer.Exit();
            }
        }

        internal static void Read(TrnStore* store, TrnCoord coord, ushort[] blocks)
        {
            TrnSnapshot snapshot;
            Library.Ok(Lib.trn_store_snapshot(store, coord, &snapshot));
            fixed (ushort* to = blocks)
            {
                Lib.trn_snapshot_decode(snapshot, to);
            }
        }

        /// <summary>Gathers the loaded chunks of a box, both corners inclusive. Allocates nothing.</summary>
        /// <returns>how many the box has; only as many as fit are written</returns>
        public int Gather(TrnBox box, TrnCoord[] coords)
        {
            Writer.Enter();
            try
            {
                return Gather(Native, box, coords);
            }
            finally
            {
                Writer.Exit();
            }
        }

        internal static int Gather(TrnStore* store, TrnBox box, TrnCoord[] coords)
        {
            fixed (TrnCoord* to = coords)
            {
                var gather = new TrnChunkGather { box = box, coords = to, capacity = (UIntPtr)(uint)(coords?.Length ?? 0) };
                return checked((int)Lib.trn_chunk_index_gather(Lib.trn_store_index(store), &gather));
            }
        }

        /// <summary>An id that names a loaded chunk until it is removed.</summary>
        public TrnPoolId ChunkId(int x, int y, int z)
        {
            Writer.Enter();
            try
            {
                TrnChunk* chunk = Lib.trn_store_find(Native, Coord(x, y, z));
                Library.Ok(chunk == null ? TrnResult.TRN_RESULT_NOT_FOUND : TrnResult.TRN_RESULT_OK);
                return chunk->id;
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Where the chunk of an id is. Throws if it was removed.</summary>
        public TrnCoord CoordOf(TrnPoolId id)
        {
            Writer.Enter();
            try
            {
                TrnChunk* chunk = Lib.trn_store_chunk(Native, id);
                Library.Ok(chunk == null ? TrnResult.TRN_RESULT_STALE_ID : TrnResult.TRN_RESULT_OK);
                return chunk->coord;
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Begins a batch: edits that its Commit() publishes together.</summary>
        public Batch BeginBatch() => new Batch(this);

        /// <summary>A reader for one thread.</summary>
        public Reader CreateReader(string name) => new Reader(this, name);

        /// <summary>Called after each change. What it throws, the call that made the change throws; the change stands.</summary>
        public event StoreListener Changed
        {
            add
            {
                Writer.Enter();
                try
                {
                    _ = Pointer;
                    if (listeners == null)
                    {
                        IntPtr callback = Marshal.GetFunctionPointerForDelegate(ListenCallback);
                        Library.Ok(Lib.trn_store_subscribe(Native, 7, callback, (void*)GCHandle.ToIntPtr(weak)));
                    }
                    listeners += value;
                }
                finally
                {
                    Writer.Exit();
                }
            }

            remove
            {
                Writer.Enter();
                try
                {
                    StoreListener left = listeners - value;
                    if (left == null && listeners != null)
                    {
                        IntPtr callback = Marshal.GetFunctionPointerForDelegate(ListenCallback);
                        Library.Ok(Lib.trn_store_unsubscribe(Native, callback, (void*)GCHandle.ToIntPtr(weak)));
                    }
                    listeners = left;
                }
                finally
                {
                    Writer.Exit();
                }
            }
        }

        [MonoPInvokeCallback(typeof(TrnListener))]
        private static TrnResult OnEvent(TrnStore* native, TrnStoreEvent* what, void* user)
        {
            Store store = null;
            try
            {
                store = (Store)GCHandle.FromIntPtr((IntPtr)user).Target;
                var chunks = new TrnCoord[what->count];
                for (int i = 0; i < chunks.Length; i++)
                {
                    chunks[i] = what->chunks[i].coord;
                }
                store?.listeners?.Invoke(store, what->kind, chunks);
                return TrnResult.TRN_RESULT_OK;
            }
            catch (Exception error) // nothing may pass through C
            {
                if (store != null && store.Writer.Raised == null)
                {
                    store.Writer.Raised = error;
                }
                return TrnResult.TRN_RESULT_BAD_ARGUMENT;
            }
        }
    }

    /// <summary>
    /// Edits of many chunks that are published together. Disposed without a Commit(), it changes nothing. Edits of chunks that are not loaded
    /// are no error: they become pending, and are applied when the chunk is inserted or a stream loads it.
    /// </summary>
    public sealed unsafe class Batch : TerraneObject
    {
        private readonly Store store;

        internal Batch(Store store)
        {
            this.store = store;
            Writer = store.Writer;
            Writer.Enter();
            try
            {
                TrnBatch* batch;
                Library.Ok(Lib.trn_batch_begin(store.Native, null, &batch));
                Handle = new TerraneHandle((IntPtr)batch, pointer => Lib.trn_batch_cancel((TrnBatch*)pointer), Writer, store.Handle);
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Sets one voxel.</summary>
        public void Set(long x, long y, long z, ushort block)
        {
            Writer.Enter();
            try
            {
                Library.Ok(Lib.trn_batch_set((TrnBatch*)Pointer, new TrnVoxel { x = x, y = y, z = z }, block));
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Fills a box of voxels. Both corners are inclusive.</summary>
        public void FillBox(long minX, long minY, long minZ, long maxX, long maxY, long maxZ, ushort block) =>
            FillBox(new TrnVoxel { x = minX, y = minY, z = minZ }, new TrnVoxel { x = maxX, y = maxY, z = maxZ }, block);

        /// <summary>Fills a box of voxels. Both corners are inclusive.</summary>
        public void FillBox(TrnVoxel min, TrnVoxel max, ushort block)
        {
            Writer.Enter();
            try
            {
                Library.Ok(Lib.trn_batch_fill_box((TrnBatch*)Pointer, min, max, block));
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Fills a ball of voxels. The radius is in voxels.</summary>
        public void FillSphere(long x, long y, long z, double radius, ushort block) => FillSphere(new TrnVoxel { x = x, y = y, z = z }, radius, block);

        /// <summary>Fills a ball of voxels. The radius is in voxels.</summary>
        public void FillSphere(TrnVoxel centre, double radius, ushort block)
        {
            Writer.Enter();
            try
            {
                Library.Ok(Lib.trn_batch_fill_sphere((TrnBatch*)Pointer, centre, radius, block));
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Publishes all edits, or none, and ends the batch.</summary>
        public void Commit()
        {
            Writer.Enter();
            TrnResult result = TrnResult.TRN_RESULT_OK;
            try
            {
                var batch = (TrnBatch*)Pointer;
                Handle.Forget(); // the commit ends it, whatever its result
                result = Lib.trn_batch_commit(batch, null);
                Handle.Dispose();
            }
            finally
            {
                store.Done(result);
            }
        }
    }

    /// <summary>Reads a store on a thread of its own while another writes. Reads in its section alone: using (reader.Read()) { ... }</summary>
    public sealed unsafe class Reader : TerraneObject
    {
        private readonly TrnStore* native;
        private bool isReading;

        internal Reader(Store store, string name)
        {
            Writer = new Writer();
            native = store.Native;
            fixed (byte* chars = Library.Chars(name, nameof(name)))
            {
                TrnChunkReader* reader;
                Library.Ok(Lib.trn_chunk_index_reader_create(Lib.trn_store_index(native), chars, &reader));
                Handle = new TerraneHandle((IntPtr)reader, pointer => Lib.trn_chunk_index_reader_destroy((TrnChunkReader*)pointer), null, store.Handle);
            }
        }

        /// <summary>A read section, which ends with Dispose().</summary>
        public struct Section : IDisposable
        {
            private readonly Reader reader;

            internal Section(Reader reader)
            {
                this.reader = reader;
            }

            public void Dispose()
            {
                reader?.End();
            }
        }

        /// <summary>Begins a section. Sections do not nest.</summary>
        public Section Read()
        {
            Writer.Enter();
            try
            {
                var reader = (TrnChunkReader*)Pointer;
                if (isReading)
                {
                    throw new TerraneThreadException("Read sections do not nest.");
                }
                Lib.trn_chunk_index_read_begin(reader);
                isReading = true;
            }
            finally
            {
                Writer.Exit();
            }
            return new Section(this);
        }

        private void End()
        {
            Writer.Enter();
            try
            {
                if (isReading && !Handle.IsClosed)
                {
                    Lib.trn_chunk_index_read_end((TrnChunkReader*)Pointer);
                }
                isReading = false;
            }
            finally
            {
                Writer.Exit();
            }
        }

        private TrnStore* InSection()
        {
            _ = Pointer;
            if (!isReading)
            {
                throw new TerraneException(TrnResult.TRN_RESULT_BAD_ARGUMENT, "A reader reads in its section alone: using (reader.Read()) { ... }");
            }
            return native;
        }

        public ushort GetBlock(long x, long y, long z)
        {
            Writer.Enter();
            try
            {
                ushort block;
                Library.Ok(Lib.trn_store_get_block_at(InSection(), x, y, z, &block));
                return block;
            }
            finally
            {
                Writer.Exit();
            }
        }

        public void GetBlocks(int x, int y, int z, ushort[] blocks)
        {
            Chunk.CheckBlocks(blocks);
            Writer.Enter();
            try
            {
                Store.Read(InSection(), new TrnCoord { x = x, y = y, z = z }, blocks);
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>As Store.Gather().</summary>
        public int Gather(TrnBox box, TrnCoord[] coords)
        {
            Writer.Enter();
            try
            {
                return Store.Gather(InSection(), box, coords);
            }
            finally
            {
                Writer.Exit();
            }
        }
    }
}
