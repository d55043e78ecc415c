use std::ptr;

use crate::error::check;
use crate::mesh::Source;
use crate::{c_coord, sys, Coord, Handle, Result};

/// The levels of a chunk and of a border of one voxel.
pub struct Light(Box<sys::TrnLight>);

impl Light {
    fn new() -> Light {
        Light(Box::new(unsafe { std::mem::zeroed() }))
    }

    /// The level of a voxel, 0 to 15; each coordinate is -1..=32.
    pub fn level(&self, x: i32, y: i32, z: i32) -> u32 {
        let inside = -1..=32;
        assert!(inside.contains(&x) && inside.contains(&y) && inside.contains(&z), "{} {} {} is outside the chunk and its border", x, y, z);
        unsafe { sys::trn_light_level(&*self.0, x, y, z) }
    }
}

/// Solves light; one a thread.
pub struct LightSolver {
    handle: Handle<sys::TrnLightSolver>,
}

impl LightSolver {
    pub fn new() -> Result<LightSolver> {
        let mut solver = ptr::null_mut();
        check(unsafe { sys::trn_light_solver_create(ptr::null(), &mut solver) })?;
        Ok(LightSolver { handle: Handle { pointer: solver, destroy: sys::trn_light_solver_destroy } })
    }

    /// The light of the sky and of blocks in a loaded chunk.
    pub fn solve(&mut self, source: &impl Source, coord: Coord) -> Result<(Light, Light)> {
        let (mut sky, mut blocks) = (Light::new(), Light::new());
        let mut around = [sys::TrnSnapshot { word: 0 }; sys::TRN_AROUND_COUNT as usize];
        let store = source.c_store();
        unsafe {
            let present = sys::trn_store_snapshot_around(store, c_coord(coord), around.as_mut_ptr());
            if present >> sys::TRN_AROUND_CENTRE & 1 == 0 {
                check(sys::TRN_RESULT_NOT_FOUND)?;
            }
            sys::trn_light_read(self.handle.pointer, around.as_ptr(), sys::trn_store_block_types(store));
            sys::trn_light_sky(self.handle.pointer, ptr::null(), &mut *sky.0);
            sys::trn_light_blocks(self.handle.pointer, ptr::null(), &mut *blocks.0);
        }
        Ok((sky, blocks))
    }
}
