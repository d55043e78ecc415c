//! What the crate promises beyond what the compiler checks: worlds equal to C's, and errors in place of crashes.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use terrane::*;

fn kind<T>(result: Result<T>) -> ErrorKind {
    result.map(|_| ()).expect_err("this should fail").kind()
}

/// Panics at x = 1, or fails there.
struct Flat {
    panics: bool,
}

impl Generate for Flat {
    fn generate(&self, coord: Coord, _level: u32, blocks: &mut Blocks) -> Result<Option<Block>> {
        match coord[0] {
            1 if self.panics => panic!("no land here"),
            1 => Err(Error::new(ErrorKind::Io, "the land is on a disk that is gone")),
            _ if coord[1] < 0 => Ok(Some(1)),
            _ => {
                blocks[5] = 7;
                Ok(None)
            }
        }
    }
}

#[test]
fn results_are_errors_with_a_sentence() {
    let store = Store::new().unwrap();
    store.insert_uniform([0, 0, 0], 0).unwrap();
    assert_eq!(kind(store.insert_uniform([0, 0, 0], 0)), ErrorKind::Exists);
    assert_eq!(kind(store.get_block([1000, 0, 0])), ErrorKind::NotFound);
    assert_eq!(kind(store.get_block([1 << 62, 0, 0])), ErrorKind::BadArgument);
    assert_eq!(kind(TerrainSettings::preset("moon", 1)), ErrorKind::NotFound);
    let mut settings = TerrainSettings::preset("default", 1).unwrap();
    settings.shape.caves = 50.0;
    assert!(Terrain::new(&settings).map(|_| ()).unwrap_err().to_string().contains("caves"));
    assert_eq!(kind(BlockTypes::new().unwrap().load("nonsense")), ErrorKind::Corrupt);
}

#[test]
fn blocks_have_names() {
    let types = BlockTypes::new().unwrap();
    assert_eq!(types.id("terrane:stone"), Ok(blocks::STONE));
    assert_eq!(types.name(blocks::STONE).as_deref(), Some("terrane:stone"));
    assert_eq!(types.name(blocks::AIR).as_deref(), Some("terrane:air"));
    assert_eq!(types.name(60000), None);
    assert_eq!(types.colour(60000, sys::TRN_FACE_POS_Y), None);
}

#[test]
fn a_stale_id_is_an_error() {
    let store = Store::new().unwrap();
    store.insert_uniform([3, 0, 0], 0).unwrap();
    let id = store.chunk_id([3, 0, 0]).unwrap();
    assert_eq!(store.coord_of(id), Ok([3, 0, 0]));
    store.remove([3, 0, 0]).unwrap();
    store.insert_uniform([3, 0, 0], 0).unwrap();
    assert_eq!(kind(store.coord_of(id)), ErrorKind::StaleId);

    let mut stream = Stream::builder(store, &Terrain::with_seed(1).unwrap()).workers(0).build().unwrap();
    let anchor = stream.add_anchor(&Anchor::default()).unwrap();
    stream.remove_anchor(anchor).unwrap();
    assert_eq!(kind(stream.move_anchor(anchor, &Anchor::default())), ErrorKind::StaleId);
    assert_eq!(kind(stream.add_anchor(&Anchor { position: [f64::NAN, 0.0, 0.0], ..Anchor::default() })), ErrorKind::BadArgument);
    assert_eq!(kind(stream.add_anchor(&Anchor { position: [1e300, 0.0, 0.0], ..Anchor::default() })), ErrorKind::BadArgument);
}

#[test]
fn a_generator_may_panic_and_fail() {
    for (workers, panics) in [(0, true), (2, true), (0, false), (2, false)] {
        let mut stream = Stream::builder(Store::new().unwrap(), Generator::new(Flat { panics })).workers(workers).build().unwrap();
        stream.add_anchor(&Anchor { radius: 2, height: 1, ..Anchor::default() }).unwrap();
        let mut first = None;
        while first.is_none() || stream.store().get_block([5, 0, 0]) != Ok(7) {
            if let Err(error) = stream.update() {
                first.get_or_insert(error);
            }
            thread::yield_now();
        }
        let first = first.unwrap();
        assert_eq!(first.kind(), if panics { ErrorKind::Panicked } else { ErrorKind::Io });
        assert!(!panics || first.to_string().contains("no land here"));
        assert_eq!(stream.into_store().get_block([0, -5, 0]), Ok(1));
    }
}

#[test]
fn a_listener_may_panic_fail_and_edit() {
    let (store, seen) = (Store::new().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let log = seen.clone();
    let subscription = store
        .subscribe(move |store, event| {
            log.lock().unwrap().push(event.kind);
            match event.kind {
                EventKind::Inserted => store.set_block([i64::from(event.coords[0][0]) * 32, 0, 0], 9).map(|_| ()),
                EventKind::Changed => Ok(()),
                EventKind::Removed => panic!("gone"),
            }
        })
        .unwrap();
    store.insert_uniform([1, 0, 0], 0).unwrap();
    assert_eq!(store.get_block([32, 0, 0]), Ok(9));
    assert_eq!(kind(store.remove([1, 0, 0])), ErrorKind::Panicked);
    assert_eq!(store.len(), 0);
    store.unsubscribe(subscription).unwrap();
    store.insert_uniform([1, 0, 0], 0).unwrap();
    assert_eq!(*seen.lock().unwrap(), [EventKind::Inserted, EventKind::Changed, EventKind::Removed]);
}

#[test]
fn objects_end_in_any_order() {
    let (terrain, store) = (Terrain::with_seed(1).unwrap(), Store::new().unwrap());
    let mut reader = store.reader("late").unwrap();
    let mut stream = Stream::builder(store, &terrain).workers(2).build().unwrap();
    drop(terrain);
    stream.add_anchor(&Anchor { radius: 2, height: 1, ..Anchor::default() }).unwrap();
    stream.settle(1000).unwrap();
    drop(stream);
    let section = reader.read();
    assert!(section.get_block([0, 0, 0]).is_ok());
}

#[test]
fn forgotten_objects_do_no_harm() {
    let store = Store::new().unwrap();
    store.insert_uniform([0, 0, 0], 3).unwrap();
    std::mem::forget(store.batch().unwrap());
    let mut reader = store.reader("forgetful").unwrap();
    std::mem::forget(reader.read());
    assert_eq!(reader.read().get_block([0, 0, 0]), Ok(3));
    drop(store);
    assert_eq!(reader.read().get_block([0, 0, 0]), Ok(3));
    let stream = Stream::builder(Store::new().unwrap(), Generator::new(Flat { panics: false })).workers(2).build().unwrap();
    std::mem::forget(stream);
}

#[test]
fn a_batch_that_is_dropped_changes_nothing() {
    let store = Store::new().unwrap();
    store.insert_uniform([0, 0, 0], 0).unwrap();
    store.batch().unwrap().set([1, 1, 1], 5).unwrap();
    assert_eq!(store.get_block([1, 1, 1]), Ok(0));
}

#[test]
fn readers_read_while_another_thread_writes() {
    let (store, stop, reads) = (Store::new().unwrap(), Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    store.insert_uniform([0, 0, 0], 0).unwrap();
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (mut reader, stop, reads) = (store.reader("test").unwrap(), stop.clone(), reads.clone());
            thread::spawn(move || {
                let mut blocks = new_blocks();
                while !stop.load(Ordering::Relaxed) {
                    let mut section = reader.read();
                    let chunk = section.gather(ChunkBox::around([0, 0, 0], 4)).next().unwrap();
                    chunk.snapshot().decode(&mut blocks);
                    assert!(blocks.iter().all(|block| *block == blocks[0]), "half an edit");
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let mut edits = 0_u64;
    while edits < 300 || reads.load(Ordering::Relaxed) < 300 {
        let mut batch = store.batch().unwrap();
        batch.fill_box(VoxelBox { min: [0, 0, 0], max: [31, 31, 31] }, (edits % 9) as Block).unwrap();
        batch.commit().unwrap();
        edits += 1;
    }
    stop.store(true, Ordering::Relaxed);
    readers.into_iter().for_each(|reader| reader.join().unwrap());
}

#[test]
fn gathers_have_the_loaded_chunks() {
    let store = Store::new().unwrap();
    for x in 0..300 {
        store.insert_uniform([x, 0, 0], 1).unwrap();
    }
    let chunks = ChunkBox { min: [10, 0, 0], max: [1000, 0, 0] };
    let mut reader = store.reader("gather").unwrap();
    let mut section = reader.read();
    let gathered: Vec<_> = section.gather(chunks).map(|chunk| chunk.coord()).collect();
    assert_eq!(gathered, (10..300).map(|x| [x, 0, 0]).collect::<Vec<_>>());
    assert_eq!(store.gather(chunks), gathered);
    assert_eq!(section.gather(ChunkBox::around([0, 90, 0], 2)).len(), 0);
}

#[test]
fn light_falls_into_a_shaft() {
    let store = Store::new().unwrap();
    for i in 0..27 {
        store.insert_uniform([i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1], 0).unwrap();
    }
    let mut batch = store.batch().unwrap();
    batch.fill_box(VoxelBox { min: [0, 10, 0], max: [31, 10, 31] }, 1).unwrap();
    batch.set([4, 10, 4], 0).unwrap();
    batch.commit().unwrap();
    let mut solver = LightSolver::new().unwrap();
    let (sky, blocks) = solver.solve(&store, [0, 0, 0]).unwrap();
    assert_eq!((sky.level(4, 9, 4), sky.level(6, 9, 4), blocks.level(4, 9, 4)), (15, 13, 0));
    assert_eq!(kind(solver.solve(&store, [50, 0, 0])), ErrorKind::NotFound);
}

#[cfg(feature = "save")]
#[test]
fn a_world_lasts() {
    let folder = std::env::temp_dir().join(format!("terrane-rust-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("my.world").to_string_lossy().into_owned();
    let mut blocks = new_blocks();
    (0..CHUNK_VOXELS).for_each(|i| blocks[i] = (i % 20) as Block);
    let save = Save::open(&path, OpenMode::New, BlockTypes::new().unwrap()).unwrap();
    save.put([1, 2, 3], &blocks).unwrap();
    save.set_value("spawn", b"1 2 3").unwrap();
    assert_eq!(kind(Save::open(&path, OpenMode::Existing, BlockTypes::new().unwrap())), ErrorKind::Busy);
    drop(save);
    let save = Save::open(&path, OpenMode::Existing, BlockTypes::new().unwrap()).unwrap();
    let mut read = new_blocks();
    assert_eq!(save.get([1, 2, 3], &mut read), Ok(None));
    assert!(read == blocks);
    assert_eq!(save.get_value("spawn"), Ok(Some(b"1 2 3".to_vec())));
    assert_eq!(save.get_value("home"), Ok(None));
    assert_eq!(kind(save.get([9, 9, 9], &mut read)), ErrorKind::NotFound);
    let nowhere = Save::open("/nowhere/my.world", OpenMode::Existing, BlockTypes::new().unwrap());
    assert!(nowhere.map(|_| ()).unwrap_err().to_string().contains("nowhere"));
    std::fs::remove_dir_all(&folder).unwrap();
}
