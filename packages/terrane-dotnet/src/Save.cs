using System;
using Terrane.Native;

namespace Terrane
{
    /// <summary>A world in a file. Pass it to a ChunkStream, or put and get chunks yourself.</summary>
    public sealed unsafe class Save : TerraneObject
    {
        /// <param name="types">those of the world's store; names that only the file has are added to them</param>
        public Save(string path, BlockTypes types, TrnStorageMode mode = TrnStorageMode.TRN_STORAGE_EITHER)
        {
            Library.Argument(types, nameof(types));
            Writer = new Writer();
            TrnSaveDef def = Lib.trn_save_def();
            TrnStorageProblem problem = default(TrnStorageProblem);
            def.types = (TrnBlockTypes*)types.Pointer;
            fixed (byte* chars = Library.Chars(path, nameof(path)))
            {
                Ok(Lib.trn_storage_open(chars, mode, &def.storage, &problem), &problem);
            }
            TrnSave* save;
            Ok(Lib.trn_save_create(&def, &save, &problem), &problem);
            Handle = new TerraneHandle((IntPtr)save, pointer => Lib.trn_save_destroy((TrnSave*)pointer), Writer, types.Handle);
        }

        private static void Ok(TrnResult result, TrnStorageProblem* problem)
        {
            if (result != TrnResult.TRN_RESULT_OK)
            {
                throw Library.Failure(result, Library.Text(problem->sentence));
            }
        }

        private TrnSave* Native => (TrnSave*)Pointer;

        /// <summary>Puts a chunk into the queue.</summary>
        public void Put(int x, int y, int z, ushort[] blocks)
        {
            Chunk.CheckBlocks(blocks);
            Writer.Enter();
            try
            {
                fixed (ushort* from = blocks)
                {
                    Library.Ok(Lib.trn_save_put(Native, new TrnCoord { x = x, y = y, z = z }, 0, from, false));
                }
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Reads a chunk.</summary>
        /// <returns>false: it was not saved; generate it</returns>
        public bool TryGet(int x, int y, int z, ushort[] blocks)
        {
            Chunk.CheckBlocks(blocks);
            Writer.Enter();
            try
            {
                byte isUniform = 0;
                TrnResult result;
                fixed (ushort* to = blocks)
                {
                    result = Lib.trn_save_get(Native, new TrnCoord { x = x, y = y, z = z }, 0, to, &isUniform);
                }
                if (result == TrnResult.TRN_RESULT_NOT_FOUND)
                {
                    return false;
                }
                Library.Ok(result);
                for (int i = 1; isUniform != 0 && i < Chunk.Voxels; i++)
                {
                    blocks[i] = blocks[0];
                }
                return true;
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Waits until all that was put is on the disk.</summary>
        public void Flush()
        {
            Writer.Enter();
            try
            {
                Library.Ok(Lib.trn_save_flush(Native));
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Stores bytes of the game's own under a name; null removes them.</summary>
        public void SetValue(string name, byte[] bytes)
        {
            Writer.Enter();
            try
            {
                fixed (byte* chars = Library.Chars(name, nameof(name)))
                fixed (byte* from = bytes)
                {
                    byte none = 0;
                    void* value = bytes == null ? null : bytes.Length == 0 ? &none : from;
                    Library.Ok(Lib.trn_save_set_value(Native, chars, value, (UIntPtr)(uint)(bytes?.Length ?? 0)));
                }
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Reads bytes of a name, or null.</summary>
        public byte[] GetValue(string name)
        {
            Writer.Enter();
            try
            {
                fixed (byte* chars = Library.Chars(name, nameof(name)))
                {
                    UIntPtr size;
                    TrnResult result = Lib.trn_save_get_value(Native, chars, null, UIntPtr.Zero, &size);
                    if (result == TrnResult.TRN_RESULT_NOT_FOUND)
                    {
                        return null;
                    }
                    Library.Ok(result);
                    var bytes = new byte[(int)size];
                    fixed (byte* to = bytes)
                    {
                        Library.Ok(Lib.trn_save_get_value(Native, chars, to, size, &size));
                    }
                    return bytes;
                }
            }
            finally
            {
                Writer.Exit();
            }
        }
    }
}
