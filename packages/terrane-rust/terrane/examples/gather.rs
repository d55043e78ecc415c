//! As packages/bench/gather.c.

use std::time::Instant;

use terrane::{ChunkBox, Store};

fn median(mut round: impl FnMut()) -> u128 {
    let mut times: Vec<u128> = (0..201)
        .map(|_| {
            let began = Instant::now();
            round();
            began.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() -> terrane::Result<()> {
    let store = Store::new()?;
    let chunks = ChunkBox::around([0; 3], 16);
    for i in 0..33 * 33 * 33 {
        store.insert_uniform([i % 33 - 16, i / 33 % 33 - 16, i / 33 / 33 - 16], 1)?;
    }
    let mut reader = store.reader("gather")?;
    let mut sum = 0;
    let with_chunks = median(|| {
        let mut section = reader.read();
        let gathered = section.gather(chunks);
        assert_eq!(gathered.len(), 33 * 33 * 33);
        sum += gathered.map(|chunk| i64::from(chunk.coord()[0])).sum::<i64>();
    });
    let mut coords = Vec::new();
    let alone = median(|| {
        store.gather_into(chunks, &mut coords);
        sum += i64::from(coords[coords.len() - 1][0]);
    });
    println!("chunks {}\ncoords {}", if sum == 1 { 0 } else { with_chunks }, alone);
    Ok(())
}
