use super::{Layout, Limits, WIDE};
use crate::emit::usage::Usage;
use crate::ir::{Program, parse};

/// A program whose update reads and writes `kept` columns, writes `written`, reads `read`, and
/// leaves `idle` alone.
fn program(capacity: u32, kept: usize, written: usize, read: usize, idle: usize) -> Program {
    let mut columns = String::new();
    let (mut update, mut birth) = (String::new(), String::new());
    let mut value = 0;
    let kinds = [("kept", kept), ("written", written), ("read", read), ("idle", idle)];
    for (kind, count) in kinds {
        for k in 0..count {
            columns += &format!("  column {kind}.{k} f32\n");
            birth += &format!("    store {kind}.{k}, 0.0\n");
            if ["kept", "read"].contains(&kind) {
                update += &format!("    %{value} = load {kind}.{k}\n");
                value += 1;
            }
            if ["kept", "written"].contains(&kind) {
                update += &format!("    store {kind}.{k}, 1.0\n");
            }
        }
    }
    let text = format!(
        "program \"\" parallel capacity {capacity} {{\n{columns}  update {{\n{update}  }}\n  birth {{\n\
         {birth}  }}\n}}\n"
    );
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    module.programs.into_iter().next().expect("a program")
}

fn lay_out(program: &Program, limits: &Limits) -> Layout {
    Layout::new(program, &Usage::of_particle_bodies(program), limits).expect("it fits")
}

/// Stride, and columns by name, of each record.
fn records(program: &Program, limits: &Limits) -> Vec<String> {
    let layout = lay_out(program, limits);
    let show = |record: &super::Record| {
        let names = record.columns.iter().map(|&column| program.columns[column].name.as_str());
        format!("{} {}", record.stride, names.collect::<Vec<_>>().join(" "))
    };
    layout.records.iter().map(show).collect()
}

#[test]
fn columns_lie_together_where_the_update_treats_them_alike() {
    let limits = Limits::default();
    for (counts, wanted) in [
        ([1, 0, 0, 0], vec!["1 kept.0"]),
        ([2, 1, 0, 0], vec!["2 kept.0 kept.1", "1 written.0"]),
        ([3, 2, 0, 1], vec!["4 kept.0 kept.1 kept.2 written.0", "1 written.1", "1 idle.0"]),
        ([3, 0, 3, 1], vec!["4 kept.0 kept.1 kept.2 idle.0", "4 read.0 read.1 read.2"]),
        (
            [0, 5, 4, 2],
            vec![
                "4 written.0 written.1 written.2 written.3",
                "4 read.0 read.1 read.2 read.3",
                "2 idle.0 idle.1",
                "1 written.4",
            ],
        ),
        ([0, 0, 0, 0], vec![]),
    ] {
        let [kept, written, read, idle] = counts;
        assert_eq!(records(&program(100, kept, written, read, idle), &limits), wanted);
    }
}

/// No two columns share a word, and none lies beyond its buffer.
#[test]
fn every_slot_of_every_column_has_a_word_of_its_own() {
    for capacity in [1, 63, 64, 65, 257] {
        for storage_bytes in [4 * 2048, 4 * 600, 1 << 20] {
            let program = program(capacity, 7, 2, 3, 6);
            let limits = Limits { storage_bytes, storage_buffers: 40, ..Limits::default() };
            let layout = lay_out(&program, &limits);
            let mut taken = std::collections::BTreeSet::new();
            for (handle, _) in program.columns.iter() {
                let place = layout.column(handle).expect("it is no constant");
                let buffer = layout.column_buffers[place.buffer as usize];
                assert_eq!(buffer.is_wide, place.stride == WIDE);
                for slot in 0..capacity {
                    let word = place.word + slot * place.stride;
                    assert!(word < buffer.words, "{place:?}");
                    assert!(taken.insert((place.buffer, word)), "{place:?}");
                }
            }
            for buffer in &layout.column_buffers {
                assert!(u64::from(buffer.words) * 4 <= storage_bytes, "{layout:?}");
            }
        }
    }
}

/// 21 columns of 5,000,000 slots: 20 MB each. Six fill a binding, or one wide record and nothing else that is
/// wide.
#[test]
fn wide_records_are_taken_apart_as_far_as_bindings_ask_for_it() {
    let limits = Limits::default();
    let program = program(5_000_000, 11, 1, 6, 3);
    let layout = lay_out(&program, &limits);
    let wide =
        |layout: &Layout| layout.records.iter().filter(|record| record.stride == WIDE).count();
    assert_eq!((layout.column_buffers.len(), wide(&layout)), (6, 5));
    let fewer = Limits { storage_buffers: 6, ..limits };
    let layout = lay_out(&program, &fewer);
    assert_eq!((layout.column_buffers.len(), wide(&layout)), (4, 1));
    let more = Limits { storage_bytes: 1 << 30, ..limits };
    let layout = lay_out(&program, &more);
    assert_eq!((layout.column_buffers.len(), wide(&layout)), (2, 5));
}
