//! A world in Rust: a stream fills it, edits dig in it, it is saved, loaded and meshed. Prints the same hash as examples/world_hash.c, and
//! draws a map. Usage: world FOLDER [PICTURE.ppm]; the world's file is made in the folder.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use terrane::{blocks, new_blocks, Anchor, BlockTypes, Coord, ErrorKind, Mesh, Mesher, OpenMode, Save, Store, Stream, Terrain, VoxelBox};

const WORLD_HASH: u64 = 0x1468C3D6C9702D50;

type Outcome<T> = Result<T, Box<dyn Error>>;

#[derive(Clone, Copy, Default)]
struct Hash(u64);

impl Hash {
    fn add(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9E3779B97F4A7C15);
        self.0 ^= self.0 >> 32;
    }
}

/// 7 x 5 x 7 chunks: caves, ground with sea and trees, and sky.
fn chunks() -> impl Iterator<Item = Coord> {
    (-2..=2).flat_map(|y| (-3..=3).flat_map(move |z| (-3..=3).map(move |x| [x, y, z])))
}

fn hash_blocks(store: &Store, hash: &mut Hash) -> terrane::Result<()> {
    let mut blocks = new_blocks();
    for coord in chunks() {
        store.get_blocks(coord, &mut blocks)?;
        blocks.iter().for_each(|block| hash.add(u64::from(*block)));
    }
    Ok(())
}

/// Digs balls where chunks meet, builds a wall through them, and scatters single blocks.
fn dig(store: &Store) -> terrane::Result<()> {
    let mut batch = store.batch()?;
    for i in -2..=2 {
        batch.fill_sphere([32 * i, 7 * i, -32 * i], 9.5 + i as f64, blocks::AIR)?;
    }
    batch.fill_box(VoxelBox { min: [-70, -12, 3], max: [70, 30, 4] }, blocks::STONE)?;
    for i in 0..500_i64 {
        batch.set([i * 37 % 200 - 100, i * 11 % 90 - 45, i * 53 % 200 - 100], (i % 5 + 1) as u16)?;
    }
    batch.commit()
}

/// Streams the land around the origin into a store, edits it and saves it.
fn fill_and_save(path: &str, terrain: &Terrain, hash: &mut Hash) -> Outcome<()> {
    let save = Save::open(path, OpenMode::New, BlockTypes::new()?)?;
    let mut stream = Stream::builder(Store::with_types(save.types())?, terrain).save(&save).light().build()?;
    stream.add_anchor(&Anchor { radius: 6, height: 4, ..Anchor::default() })?;
    stream.settle(1000)?;
    hash_blocks(stream.store(), hash)?;
    println!("land   0x{:016X} in {} chunks", hash.0, stream.store().len());
    dig(stream.store())?;
    stream.settle(1000)?;
    hash_blocks(stream.store(), hash)?;
    println!("edits  0x{:016X}", hash.0);
    let (sky, blocks) = stream.light_at([32, 7, -32])?;
    println!("light  sky {} and blocks {} in the hole", sky, blocks);
    stream.save()?;
    save.flush()?;
    Ok(())
}

/// Loads what was saved into another store, and meshes it.
fn load_and_mesh(path: &str, terrain: &Terrain, hash: &mut Hash) -> Outcome<()> {
    let save = Save::open(path, OpenMode::Existing, BlockTypes::new()?)?;
    let store = Store::with_types(save.types())?;
    let mut blocks = new_blocks();
    for coord in chunks() {
        let uniform = match save.get(coord, &mut blocks) {
            Err(error) if error.kind() == ErrorKind::NotFound => terrain.generate(coord, 0, &mut blocks)?, // uniform, and not changed
            saved => saved?,
        };
        match uniform {
            Some(block) => store.insert_uniform(coord, block)?,
            None => store.insert(coord, &blocks)?,
        }
    }
    let (mut mesher, mut mesh, mut quads) = (Mesher::new()?, Mesh::new(), 0);
    for coord in chunks() {
        mesher.build(&mut mesh, &store, coord, false)?;
        mesh.first().iter().for_each(|first| hash.add(u64::from(*first)));
        mesh.quads().iter().for_each(|quad| hash.add(*quad));
        quads += mesh.quads().len();
    }
    println!("world  0x{:016X} with {} quads", hash.0, quads);
    Ok(())
}

/// Writes a map of the land around the origin: the colour of what is seen from above, lit from the west.
fn draw(path: &str, terrain: &Terrain) -> Outcome<()> {
    const CHUNKS: i32 = 8;
    let types = BlockTypes::new()?;
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    write!(file, "P6 {0} {0} 255\n", 64 * CHUNKS)?;
    for z in -CHUNKS..CHUNKS {
        let row = (-CHUNKS..CHUNKS).map(|x| terrain.sample(x, z, 3)).collect::<terrane::Result<Vec<_>>>()?;
        for line in 0..32 {
            let land: Vec<_> = row.iter().flat_map(|chunk| &chunk[32 * line..32 * (line + 1)]).collect();
            for (at, sample) in land.iter().enumerate() {
                let west = land[at.saturating_sub(1)];
                let slope = (sample.surface_y - west.surface_y).clamp(-4, 4) as f64;
                let colour = types.colour(sample.surface, terrane::sys::TRN_FACE_POS_Y).unwrap_or_default();
                file.write_all(&colour.map(|part| (f64::from(part) * (1.0 + 0.08 * slope)) as u8))?;
            }
        }
    }
    Ok(file.flush()?)
}

fn run() -> Outcome<bool> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("usage: world FOLDER [PICTURE.ppm]")?;
    let path = format!("{}/my.world", folder);
    let (terrain, mut hash) = (Terrain::with_seed(23)?, Hash::default());
    fill_and_save(&path, &terrain, &mut hash)?;
    load_and_mesh(&path, &terrain, &mut hash)?;
    if let Some(picture) = arguments.get(1) {
        draw(picture, &terrain)?;
    }
    Ok(hash.0 == WORLD_HASH)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => eprintln!("This is another world than 0x{:016X}.", WORLD_HASH),
        Err(error) => eprintln!("world: {}", error),
    }
    ExitCode::FAILURE
}
