//! Every fixture in Exact.

use pyrograph_every::every;

include!(concat!(env!("OUT_DIR"), "/exact.rs"));

#[test]
fn fixtures_are_there() {
    const { assert!(COUNT >= 436) };
}

#[test]
fn allocations_are_counted() {
    let found = pyrograph_every::allocations(|| drop(Box::new(std::hint::black_box(1u32))));
    assert_eq!(found, 1);
}
