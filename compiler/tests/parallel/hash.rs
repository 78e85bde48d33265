//! The hash behind the draws: a battery of tests on neighbouring ids, steps, sites and seeds.

use pyrograph_compiler::ir::Profile;
use pyrograph_numeric::mix;

use crate::fixtures::{module, root};
use crate::polynomial::lanes::{Lane, Lanes};

/// Scope, site, step, seed.
type Key = [u32; 4];

const PARTS: [&str; 4] = ["scope", "site", "step", "seed"];
/// The bits of a draw.
const BITS: u32 = 24;

/// What `draw_key` and `draw_unit` compute.
fn draw([scope, site, step, seed]: Key) -> u32 {
    let key = mix(mix(mix(site).wrapping_add(step)).wrapping_add(seed));
    mix(mix(scope.wrapping_add(key)) ^ key) >> 8
}

/// Some keys as programs have them: small numbers, sites in steps of 4, seeds of any kind.
fn keys() -> Vec<Key> {
    let scopes = [0u32, 1, 977, 65_535, 1 << 20, u32::MAX - 3];
    let sites = [4, 1 << 31, (1 << 31) | 8, (3 << 30) | 4, 0x1234];
    let steps = [0u32, 1, 59, 100_000];
    let seeds = [0u32, 1, 7, 0x9e37_79b9];
    let mut keys = Vec::new();
    for (at, &seed) in seeds.iter().enumerate() {
        for (&scope, &site) in scopes.iter().zip(sites.iter().cycle().skip(at)) {
            keys.push([scope, site, steps[at], seed]);
        }
    }
    keys
}

/// Deviation of a sum of squares over cells from what chance gives, in standard deviations.
fn chi_square(counts: &[u32], total: usize) -> f64 {
    let expected = total as f64 / counts.len() as f64;
    let sum: f64 =
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let freedom = counts.len() as f64 - 1.0;
    (sum - freedom) / (2.0 * freedom).sqrt()
}

/// Numbers of neighbours: even over 256 cells, pairs even over 16 times 16, no serial correlation.
fn sequence(numbers: &[u32]) -> Result<(), String> {
    let (mut cells, mut pairs, mut low) = ([0u32; 256], [0u32; 256], [0u32; 256]);
    for &number in numbers {
        cells[(number >> (BITS - 8)) as usize] += 1;
        low[(number & 0xff) as usize] += 1;
    }
    for pair in numbers.windows(2) {
        pairs[((pair[0] >> (BITS - 4)) << 4 | pair[1] >> (BITS - 4)) as usize] += 1;
    }
    for (name, counts) in [("cells", &cells), ("low bits", &low), ("pairs", &pairs)] {
        let deviation = chi_square(counts, numbers.len());
        if deviation.abs() > 5.0 {
            return Err(format!("{name} are off by {deviation} standard deviations"));
        }
    }
    for lag in [1, 2, 3, 7, 64] {
        let found = correlation(numbers, &numbers[lag..]);
        if found.abs() > 5.0 {
            return Err(format!("lag {lag} correlates by {found} standard deviations"));
        }
    }
    Ok(())
}

/// Correlation of two sequences of even numbers, in standard deviations.
fn correlation(a: &[u32], b: &[u32]) -> f64 {
    let centred = |number: u32| f64::from(number) / f64::from(1 << BITS) - 0.5;
    let count = a.len().min(b.len()) as f64;
    let sum: f64 = a.iter().zip(b).map(|(&a, &b)| centred(a) * centred(b)).sum();
    sum * 12.0 / count.sqrt()
}

/// Each bit of a part of the key moves half of the bits of the number, each on its own.
fn avalanche(draw: &dyn Fn(Key) -> u32, part: usize) -> Result<(), String> {
    const SAMPLES: u32 = 4_096;
    for bit in 0..32 {
        let mut flips = [0u32; BITS as usize];
        let mut both = [[0u32; BITS as usize]; BITS as usize];
        for sample in 0..SAMPLES {
            // Keys that programs have, one after the other.
            let key = [sample, 4 * (sample % 61), sample / 7, 7 + sample % 3];
            let mut other = key;
            other[part] ^= 1 << bit;
            let changed = draw(key) ^ draw(other);
            for out in 0..BITS {
                if changed >> out & 1 == 1 {
                    flips[out as usize] += 1;
                    for (second, both) in both[out as usize].iter_mut().enumerate() {
                        *both += changed >> second & 1;
                    }
                }
            }
        }
        let total = f64::from(SAMPLES);
        let off = |count: u32, share: f64| {
            (f64::from(count) - share * total) / (share * (1.0 - share) * total).sqrt()
        };
        for first in 0..BITS as usize {
            let deviation = off(flips[first], 0.5);
            if deviation.abs() > 5.5 {
                let part = PARTS[part];
                return Err(format!("bit {bit} of {part} moves bit {first} off by {deviation}"));
            }
            for (second, &count) in both[first].iter().enumerate().take(first) {
                let deviation = off(count, 0.25);
                if deviation.abs() > 6.0 {
                    let part = PARTS[part];
                    return Err(format!("bit {bit} of {part} moves {first} with {second}"));
                }
            }
        }
    }
    Ok(())
}

fn battery(draw: &dyn Fn(Key) -> u32) -> Result<(), String> {
    const LENGTH: u32 = 1 << 15;
    for (part, name) in PARTS.iter().enumerate() {
        // Components and blocks are neighbouring sites.
        for stride in [1, 4] {
            for key in keys() {
                let numbers: Vec<u32> = (0..LENGTH)
                    .map(|at| {
                        let mut key = key;
                        key[part] = key[part].wrapping_add(at * stride);
                        draw(key)
                    })
                    .collect();
                sequence(&numbers).map_err(|problem| format!("{name} from {key:?}: {problem}"))?;
            }
        }
        avalanche(draw, part)?;
    }
    // The numbers of two sites, steps or seeds have nothing in common, also not shifted.
    for part in 1..4 {
        for key in keys() {
            for change in [1, 2, 3, 4, 8, 1 << 16, 1 << 30, 1 << 31] {
                let mut other = key;
                other[part] ^= change;
                let of = |mut key: Key| -> Vec<u32> {
                    key[0] = 0;
                    (0..LENGTH / 4)
                        .map(|at| {
                            key[0] = at;
                            draw(key)
                        })
                        .collect()
                };
                let (first, second) = (of(key), of(other));
                for shift in 0..4 {
                    let found = correlation(&first[shift..], &second);
                    if found.abs() > 5.5 {
                        let name = PARTS[part];
                        return Err(format!(
                            "{key:?} and its {name} ^ {change} correlate: {found}"
                        ));
                    }
                }
                let same = first.iter().zip(&second).filter(|(a, b)| a == b).count();
                if same > 3 {
                    return Err(format!("{key:?} and {other:?} give {same} equal numbers"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn numbers_of_neighbours_look_random() {
    battery(&draw).unwrap();
}

type Draw = fn(Key) -> u32;

/// What the battery must find.
#[test]
fn the_battery_finds_weak_hashes() {
    let weak: [(&str, Draw); 6] = [
        ("one product", |[a, b, c, d]| {
            a.wrapping_add(b ^ c).wrapping_add(d).wrapping_mul(0x9e37_79b9) >> 8
        }),
        ("the scope is mixed once", |[a, b, c, d]| (mix(a) ^ mix(mix(mix(b) + c % 2) ^ d)) >> 8),
        ("no step", |[a, b, _, d]| draw([a, b, 0, d])),
        ("no seed", |[a, b, c, _]| draw([a, b, c, 0])),
        ("scope and step are added", |[a, b, c, d]| draw([a.wrapping_add(c), b, 0, d])),
        ("a bit is stuck", |key| draw(key) & !1),
    ];
    for (name, draw) in weak {
        assert!(battery(&draw).is_err(), "{name} passes");
    }
}

#[test]
fn programs_draw_these_numbers() {
    let module = module(&root().join("graphs/canonical/fountain.json"), Profile::Parallel).unwrap();
    let functions = &module.programs[0].functions;
    let find = |name: &str| functions.find(|function| function.name == name).unwrap();
    let keys: Vec<Key> = (0..10_000u32).map(|at| [at, mix(at), mix(!at), at / 100]).collect();
    let lane = |part: usize| Lane::Uint(keys.iter().map(|key| key[part]).collect());
    let lanes = Lanes::new(functions);
    let key = lanes.call(find("draw_key"), &[lane(1), lane(2), lane(3)]).remove(0);
    let Lane::Uint(bits) = lanes.call(find("draw_unit"), &[lane(0), key]).remove(0) else {
        panic!("a draw is an integer");
    };
    assert!(keys.iter().zip(&bits).all(|(&key, &bits)| draw(key) == bits));
}
