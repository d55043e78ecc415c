use std::ptr;

use crate::error::check;
use crate::{c_coord, sys, Coord, Handle, Result, Section, Store};

/// A corner of a quad.
pub type Vertex = sys::TrnMeshVertex;

/// The mesh of a chunk. Its memory is used again by the next one.
pub struct Mesh {
    made: sys::TrnMesh,
}

unsafe impl Send for Mesh {} // plain memory

impl Mesh {
    pub fn new() -> Mesh {
        let mut made = unsafe { std::mem::zeroed() };
        unsafe { sys::trn_mesh_init(&mut made, ptr::null()) };
        Mesh { made }
    }

    /// Its quads, 8 bytes each.
    pub fn quads(&self) -> &[sys::TrnQuad] {
        match unsafe { sys::trn_mesh_count(&self.made.info) } {
            0 => &[],
            count => unsafe { std::slice::from_raw_parts(self.made.quads, count as usize) },
        }
    }

    /// Group g is quads `first()[g]..first()[g + 1]`.
    pub fn first(&self) -> &[u32] {
        &self.made.info.first
    }

    /// The vertices and the indices of a surface, such as `sys::TRN_MESH_SURFACE_OPAQUE`.
    pub fn vertices(&self, surface: sys::TrnMeshSurface, offset: [f32; 3]) -> Result<(Vec<Vertex>, Vec<u32>)> {
        let (vertices, indices);
        unsafe {
            let (first, end) = (sys::trn_mesh_first_group(surface), sys::trn_mesh_first_group(surface + 1));
            let count = sys::trn_mesh_vertex_count(&self.made.info, first, end);
            let none: Vertex = std::mem::zeroed();
            let mut places = vec![none; count as usize];
            let mut order = vec![0; sys::trn_mesh_index_count(count) as usize];
            let info = &self.made.info;
            check(sys::trn_mesh_vertices(self.made.quads, info, first, end, offset.as_ptr(), 0, places.as_mut_ptr(), order.as_mut_ptr()))?;
            vertices = places;
            indices = order;
        }
        Ok((vertices, indices))
    }
}

impl Default for Mesh {
    fn default() -> Mesh {
        Mesh::new()
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        unsafe { sys::trn_mesh_free(&mut self.made) }
    }
}

/// Builds meshes; one a thread.
pub struct Mesher {
    scratch: Handle<std::ffi::c_void>,
}

/// What a mesher and a light solver read chunks of: a store, or a reader's section.
pub trait Source: private::Sealed {}

impl Source for Store {}
impl Source for Section<'_> {}

pub(crate) mod private {
    use crate::{sys, Section, Store};

    pub trait Sealed {
        fn c_store(&self) -> *const sys::TrnStore;
    }

    impl Sealed for Store {
        fn c_store(&self) -> *const sys::TrnStore {
            self.pointer()
        }
    }

    impl Sealed for Section<'_> {
        fn c_store(&self) -> *const sys::TrnStore {
            self.store()
        }
    }
}

impl Mesher {
    pub fn new() -> Result<Mesher> {
        let scratch = unsafe { sys::trn_aligned_alloc(sys::TRN_MESH_SCRATCH_BYTES as usize, 64) };
        if scratch.is_null() {
            check(sys::TRN_RESULT_NO_MEMORY)?;
        }
        Ok(Mesher { scratch: Handle { pointer: scratch, destroy: sys::trn_aligned_free } })
    }

    /// Meshes a loaded chunk. Where a neighbour is not loaded, the border's faces are hidden if `missing_is_solid`: a
    /// chunk of one block whose neighbours are not loaded then has no quads.
    pub fn build(&mut self, mesh: &mut Mesh, source: &impl Source, coord: Coord, missing_is_solid: bool) -> Result<()> {
        let mut input = unsafe { sys::trn_mesh_input(source.c_store(), c_coord(coord)) };
        if input.present >> sys::TRN_AROUND_CENTRE & 1 == 0 {
            check(sys::TRN_RESULT_NOT_FOUND)?;
        }
        input.missing_is_solid = missing_is_solid;
        check(unsafe { sys::trn_mesh_build(&mut mesh.made, &input, self.scratch.pointer) })
    }
}
