using System;
using System.Runtime.InteropServices;
using Terrane.Native;

namespace Terrane
{
    /// <summary>Builds the mesh of one chunk after the other, in memory that it uses again. One thread at a time.</summary>
    public sealed unsafe class Mesher : TerraneObject
    {
        private TrnMesh* mesh; // after the scratch, in the same memory

        public Mesher()
        {
            Library.Check();
            Writer = new Writer();
            ulong scratch = (ulong)Lib.TRN_MESH_SCRATCH_BYTES;
            void* memory = Lib.trn_aligned_alloc((UIntPtr)(scratch + (ulong)sizeof(TrnMesh)), (UIntPtr)64);
            Library.Ok(memory == null ? TrnResult.TRN_RESULT_NO_MEMORY : TrnResult.TRN_RESULT_OK);
            mesh = (TrnMesh*)((byte*)memory + scratch);
            Lib.trn_mesh_init(mesh, null);
            Handle = new TerraneHandle((IntPtr)memory, pointer =>
            {
                Lib.trn_mesh_free((TrnMesh*)((byte*)pointer + scratch));
                Lib.trn_aligned_free((void*)pointer);
            }, Writer);
        }

        /// <summary>
        /// Meshes a loaded chunk. Where a neighbour is not loaded, the border's faces are hidden if `missingIsSolid`: a chunk of one block whose
        /// neighbours are not loaded then has 0 quads.
        /// </summary>
        /// <returns>how many quads it has</returns>
        public int Build(Store store, int x, int y, int z, bool missingIsSolid = true)
        {
            Library.Argument(store, nameof(store));
            Writer.Enter();
            store.Writer.Enter();
            try
            {
                void* scratch = (void*)Pointer;
                TrnMeshInput input = Lib.trn_mesh_input(store.Native, new TrnCoord { x = x, y = y, z = z });
                Library.Ok((input.present >> (int)Lib.TRN_AROUND_CENTRE & 1) == 0 ? TrnResult.TRN_RESULT_NOT_FOUND : TrnResult.TRN_RESULT_OK);
                input.missing_is_solid = missingIsSolid ? (byte)1 : (byte)0;
                Library.Ok(Lib.trn_mesh_build(mesh, &input, scratch));
                return (int)Lib.trn_mesh_count(&mesh->info);
            }
            finally
            {
                store.Writer.Exit();
                Writer.Exit();
            }
        }

        /// <summary>Copies the quads of the last mesh.</summary>
        /// <returns>how many there are; only as many as fit are written</returns>
        public int Quads(ulong[] quads)
        {
            Library.Argument(quads, nameof(quads));
            Writer.Enter();
            try
            {
                _ = Pointer;
                int count = (int)Lib.trn_mesh_count(&mesh->info);
                for (int i = 0; i < count && i < quads.Length; i++)
                {
                    quads[i] = mesh->quads[i];
                }
                return count;
            }
            finally
            {
                Writer.Exit();
            }
        }

        /// <summary>Group g of the last mesh is quads First(g) to First(g + 1).</summary>
        public uint First(int group)
        {
            _ = Pointer;
            if (group < 0 || group > Lib.TRN_MESH_GROUP_COUNT)
            {
                throw new ArgumentOutOfRangeException(nameof(group));
            }
            return mesh->info.first[group];
        }

        /// <summary>The vertices and the indices of a surface of the last mesh.</summary>
        public void Vertices(TrnMeshSurface surface, out TrnMeshVertex[] vertices, out uint[] indices)
        {
            Writer.Enter();
            try
            {
                _ = Pointer;
                uint first = Lib.trn_mesh_first_group((uint)surface), end = Lib.trn_mesh_first_group((uint)surface + 1);
                uint count = Lib.trn_mesh_vertex_count(&mesh->info, first, end);
                vertices = new TrnMeshVertex[count];
                indices = new uint[Lib.trn_mesh_index_count(count)];
                float* offset = stackalloc float[3];
                fixed (TrnMeshVertex* places = vertices)
                fixed (uint* order = indices)
                {
                    Library.Ok(count == 0 ? TrnResult.TRN_RESULT_OK
                        : Lib.trn_mesh_vertices(mesh->quads, &mesh->info, first, end, offset, 0, places, order));
                }
            }
            finally
            {
                Writer.Exit();
            }
        }
    }

    /// <summary>Solves the light of chunks. One thread at a time.</summary>
    public sealed unsafe class LightSolver : TerraneObject
    {
        private readonly TrnLight[] light = new TrnLight[2]; // of the sky, and of blocks

        public LightSolver()
        {
            Library.Check();
            Writer = new Writer();
            TrnLightSolver* solver;
            Library.Ok(Lib.trn_light_solver_create(null, &solver));
            Handle = new TerraneHandle((IntPtr)solver, pointer => Lib.trn_light_solver_destroy((TrnLightSolver*)pointer), Writer);
        }

        /// <summary>Solves a loaded chunk, for Sky() and Blocks().</summary>
        public void Solve(Store store, int x, int y, int z)
        {
            Library.Argument(store, nameof(store));
            Writer.Enter();
            store.Writer.Enter();
            try
            {
                var solver = (TrnLightSolver*)Pointer;
                TrnSnapshot* around = stackalloc TrnSnapshot[(int)Lib.TRN_AROUND_COUNT];
                uint present = Lib.trn_store_snapshot_around(store.Native, new TrnCoord { x = x, y = y, z = z }, around);
                Library.Ok((present >> (int)Lib.TRN_AROUND_CENTRE & 1) == 0 ? TrnResult.TRN_RESULT_NOT_FOUND : TrnResult.TRN_RESULT_OK);
                Lib.trn_light_read(solver, around, Lib.trn_store_block_types(store.Native));
                fixed (TrnLight* both = light)
                {
                    Lib.trn_light_sky(solver, null, both);
                    Lib.trn_light_blocks(solver, null, both + 1);
                }
            }
            finally
            {
                store.Writer.Exit();
                Writer.Exit();
            }
        }

        /// <summary>The level of the sky's light at a voxel of the chunk or its border, each -1 to 32.</summary>
        public uint Sky(int x, int y, int z) => Level(0, x, y, z);

        /// <summary>The level of the light of blocks.</summary>
        public uint Blocks(int x, int y, int z) => Level(1, x, y, z);

        private uint Level(int which, int x, int y, int z)
        {
            if (x < -1 || x > 32 || y < -1 || y > 32 || z < -1 || z > 32)
            {
                throw new ArgumentOutOfRangeException(nameof(x), "Coordinates of light are -1 to 32.");
            }
            fixed (TrnLight* both = light)
            {
                return Lib.trn_light_level(both + which, x, y, z);
            }
        }
    }
}
