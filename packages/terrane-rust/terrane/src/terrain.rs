use std::ffi::{c_void, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::{Arc, Mutex};

use crate::error::{check, check_library, text};
use crate::{c_coord, sys, Block, Blocks, Coord, Error, ErrorKind, Handle, Result, CHUNK_VOXELS};

/// Settings of the built-in land.
#[derive(Clone)]
pub struct TerrainSettings {
    pub seed: u64,
    /// Which land is generated; a save should keep it.
    pub version: u32,
    pub shape: sys::TrnTerrainShape,
}

impl TerrainSettings {
    /// The settings of a preset: "default", "islands", "alps", "canyons" or "flat".
    pub fn preset(name: &str, seed: u64) -> Result<TerrainSettings> {
        let unknown = || Error::new(ErrorKind::NotFound, format!("There is no preset \"{}\".", name));
        let def = unsafe { sys::trn_terrain_def() };
        let mut settings = TerrainSettings { seed, version: def.version, shape: def.shape };
        let chars = CString::new(name).map_err(|_| unknown())?;
        check(unsafe { sys::trn_terrain_shape_preset(chars.as_ptr(), &mut settings.shape) }).map_err(|_| unknown())?;
        Ok(settings)
    }
}

/// What [`Terrain::sample`] reports of a voxel column.
pub type Sample = sys::TrnTerrainSample;

/// The built-in land. Any number of threads may use it.
#[derive(Clone)]
pub struct Terrain {
    handle: Arc<Handle<sys::TrnTerrain>>,
}

impl Terrain {
    pub fn with_seed(seed: u64) -> Result<Terrain> {
        Terrain::new(&TerrainSettings::preset("default", seed)?)
    }

    pub fn new(settings: &TerrainSettings) -> Result<Terrain> {
        check_library()?;
        let mut def = unsafe { sys::trn_terrain_def() };
        def.seed = settings.seed;
        def.version = settings.version;
        def.shape = settings.shape;
        let mut terrain = ptr::null_mut();
        let result = unsafe { sys::trn_terrain_create(&def, &mut terrain) };
        if result != sys::TRN_RESULT_OK {
            let fault = unsafe { sys::trn_terrain_def_fault(&def) };
            return Err(Error::of(result, if fault.is_null() { None } else { Some(text(fault)) }));
        }
        Ok(Terrain { handle: Arc::new(Handle { pointer: terrain, destroy: sys::trn_terrain_destroy }) })
    }

    /// Generates a chunk. If the result is a block, it is that block all through, and `blocks` is undefined but for the first.
    pub fn generate(&self, coord: Coord, level: u32, blocks: &mut Blocks) -> Result<Option<Block>> {
        let mut uniform = false;
        let terrain = self.handle.pointer;
        check(unsafe { sys::trn_terrain_generate_level(terrain, c_coord(coord), level, blocks.as_mut_ptr(), &mut uniform) })?;
        Ok(if uniform { Some(blocks[0]) } else { None })
    }

    /// The y of the topmost voxel of the ground.
    pub fn height(&self, x: i64, z: i64) -> Result<i64> {
        let mut height = 0;
        check(unsafe { sys::trn_terrain_height(self.handle.pointer, x, z, &mut height) })?;
        Ok(height)
    }

    /// The surface at each 2^level-th voxel column of a chunk, by z, then x: for maps.
    pub fn sample(&self, chunk_x: i32, chunk_z: i32, level: u32) -> Result<Vec<Sample>> {
        let none = Sample { height: 0, biome: 0, top: 0, surface: 0, surface_y: 0 };
        let mut samples = vec![none; 32 * 32];
        check(unsafe { sys::trn_terrain_sample_level(self.handle.pointer, chunk_x, chunk_z, level, samples.as_mut_ptr()) })?;
        Ok(samples)
    }
}

/// A program's own land. It depends on the coordinate and the level alone.
pub trait Generate: Send + Sync + 'static {
    /// Generates a chunk into `blocks`, which are air, or returns the one block of all of it. A panic is an error of the stream's next call.
    fn generate(&self, coord: Coord, level: u32, blocks: &mut Blocks) -> Result<Option<Block>>;

    /// The coarsest level that it generates.
    fn level_max(&self) -> u32 {
        0
    }
}

/// What a stream generates chunks with: the built-in land or a program's own.
#[derive(Clone)]
pub struct Generator(Kind);

#[derive(Clone)]
enum Kind {
    Built(Terrain),
    Own(Arc<dyn Generate>),
}

impl From<&Terrain> for Generator {
    fn from(terrain: &Terrain) -> Generator {
        Generator(Kind::Built(terrain.clone()))
    }
}

impl Generator {
    pub fn new(own: impl Generate) -> Generator {
        Generator(Kind::Own(Arc::new(own)))
    }

    pub(crate) fn lend(self) -> LentGenerator {
        let raised = Arc::new(Mutex::new(None));
        match self.0 {
            Kind::Built(terrain) => LentGenerator {
                generator: unsafe { sys::trn_terrain_generator(terrain.handle.pointer) },
                raised,
                _kept: Kept::Built(terrain),
            },
            Kind::Own(own) => {
                let kept = Box::new(Callback { own: own.clone(), raised: raised.clone() });
                let generator = sys::TrnGenerator {
                    generate: Some(generate),
                    user: &*kept as *const Callback as *mut c_void,
                    level_max: own.level_max(),
                    ceiling: 0,
                    has_ceiling: false,
                };
                LentGenerator { generator, raised, _kept: Kept::Own(kept) }
            }
        }
    }
}

/// The first error of a callback since a call last reported one.
pub(crate) type Raised = Arc<Mutex<Option<Error>>>;

pub(crate) fn raise(raised: &Raised, error: Error) {
    if let Ok(mut place) = raised.lock() {
        place.get_or_insert(error);
    }
}

pub(crate) fn take(raised: &Raised) -> Option<Error> {
    raised.lock().ok().and_then(|mut place| place.take())
}

/// A generator as the library has it, with what must live as long.
pub(crate) struct LentGenerator {
    pub generator: sys::TrnGenerator,
    pub raised: Raised,
    _kept: Kept,
}

enum Kept {
    #[allow(dead_code)]
    Built(Terrain),
    #[allow(dead_code)]
    Own(Box<Callback>),
}

struct Callback {
    own: Arc<dyn Generate>,
    raised: Raised,
}

unsafe extern "C" fn generate(user: *mut c_void, coord: sys::TrnCoord, level: u32, blocks: *mut Block, uniform: *mut bool) -> sys::TrnResult {
    let callback = &*(user as *const Callback);
    ptr::write_bytes(blocks, 0, CHUNK_VOXELS);
    let blocks = &mut *(blocks as *mut Blocks);
    let made = catch_unwind(AssertUnwindSafe(|| callback.own.generate([coord.x, coord.y, coord.z], level, blocks)));
    match made.unwrap_or_else(|payload| Err(Error::panicked(payload))) {
        Ok(block) => {
            blocks[0] = block.unwrap_or(blocks[0]);
            *uniform = block.is_some();
            sys::TRN_RESULT_OK
        }
        Err(error) => {
            let result = error.result();
            raise(&callback.raised, error);
            result
        }
    }
}
