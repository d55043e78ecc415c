//! Voxel worlds: land from a seed, chunks that stream around players, edits, meshes, light and saves. A safe interface of Terrane's C
//! libraries, whose own is in [`sys`].
//!
//! ```
//! use terrane::{blocks, Anchor, Store, Stream, Terrain};
//!
//! # fn main() -> terrane::Result<()> {
//! let terrain = Terrain::with_seed(23)?;
//! let mut stream = Stream::builder(Store::new()?, &terrain).build()?;
//! stream.add_anchor(&Anchor { radius: 3, height: 2, ..Anchor::default() })?;
//! stream.settle(1000)?; // a game calls update() once a frame
//! let mut batch = stream.store().batch()?;
//! batch.fill_sphere([8, 4, 8], 5.0, blocks::AIR)?;
//! batch.set([8, 4, 8], blocks::LANTERN)?;
//! batch.commit()?; // all of it, or nothing
//! # Ok(())
//! # }
//! ```
//!
//! # Threads
//! A [`Store`] is `Send` and not `Sync`: one thread at a time writes. A [`Reader`] goes to another thread, and reads in a [`Section`], whose
//! lifetime bounds what it found:
//!
//! ```compile_fail
//! let store = terrane::Store::new().unwrap();
//! std::thread::scope(|scope| {
//!     scope.spawn(|| store.get_block([0, 0, 0])); // Store is not Sync: this does not compile
//! });
//! ```
//!
//! ```compile_fail
//! let mut reader = terrane::Store::new().unwrap().reader("thread").unwrap();
//! let section = reader.read();
//! let snapshot = section.snapshot([0, 0, 0]).unwrap();
//! drop(section);
//! snapshot.get(0, 0, 0); // the section has ended: this does not compile
//! ```
//!
//! # Ends
//! Objects end when they are dropped, in any order: a stream keeps its store and its generator. What has ended cannot be used:
//!
//! ```compile_fail
//! let store = terrane::Store::new().unwrap();
//! drop(store);
//! store.get_block([0, 0, 0]).unwrap(); // used after its end: this does not compile
//! ```

pub use terrane_sys as sys;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

mod block_types;
pub mod blocks;
mod error;
mod light;
mod mesh;
mod reader;
#[cfg(feature = "save")]
mod save;
mod store;
mod stream;
mod terrain;

pub use block_types::BlockTypes;
pub use blocks::AIR;
pub use error::{Error, ErrorKind, Result};
pub use light::{Light, LightSolver};
pub use mesh::{Mesh, Mesher, Vertex};
pub use reader::{Chunk, Gather, Reader, Section, Snapshot};
#[cfg(feature = "save")]
pub use save::{OpenMode, Save};
pub use store::{Batch, ChunkId, Event, EventKind, Store, Subscription};
pub use stream::{Anchor, AnchorId, Report, Stream, StreamBuilder};
pub use terrain::{Generate, Generator, Sample, Terrain, TerrainSettings};

/// A block's id. [`blocks`] has those of the built-in ones.
pub type Block = u16;

/// Voxels in a chunk.
pub const CHUNK_VOXELS: usize = sys::TRN_CHUNK_VOXELS as usize;

/// The blocks of a chunk: x fastest, then z, then y.
pub type Blocks = [Block; CHUNK_VOXELS];

/// Blocks of air on the heap: a chunk is too large for the stacks of many threads.
pub fn new_blocks() -> Box<Blocks> {
    vec![AIR; CHUNK_VOXELS].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!())
}

/// The coordinate of a chunk: east, up, south.
pub type Coord = [i32; 3];

/// The coordinate of a voxel in the world: east, up, south.
pub type Voxel = [i64; 3];

/// A box of chunks, both corners inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkBox {
    pub min: Coord,
    pub max: Coord,
}

/// A box of voxels, both corners inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoxelBox {
    pub min: Voxel,
    pub max: Voxel,
}

impl ChunkBox {
    /// All chunks within `radius` of a chunk on each axis. Clamped at the ends of the world.
    pub fn around(centre: Coord, radius: i32) -> ChunkBox {
        ChunkBox { min: centre.map(|at| at.saturating_sub(radius)), max: centre.map(|at| at.saturating_add(radius)) }
    }
}

#[inline]
fn c_coord(coord: Coord) -> sys::TrnCoord {
    sys::TrnCoord { x: coord[0], y: coord[1], z: coord[2] }
}

#[inline]
fn rust_coord(coord: sys::TrnCoord) -> Coord {
    [coord.x, coord.y, coord.z]
}

#[inline]
fn c_voxel(voxel: Voxel) -> sys::TrnVoxel {
    sys::TrnVoxel { x: voxel[0], y: voxel[1], z: voxel[2] }
}

#[inline]
fn c_box(chunks: ChunkBox) -> sys::TrnBox {
    sys::TrnBox { min: c_coord(chunks.min), max: c_coord(chunks.max) }
}

/// A handle of the library, which its last user frees.
struct Handle<T> {
    pointer: *mut T,
    destroy: unsafe extern "C" fn(*mut T),
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        unsafe { (self.destroy)(self.pointer) }
    }
}

// A handle may be freed on any thread once nothing uses it; what uses it says where that may be.
unsafe impl<T> Send for Handle<T> {}
unsafe impl<T> Sync for Handle<T> {}
