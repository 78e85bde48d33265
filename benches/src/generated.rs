//! What the compiler makes of the bench graphs; `build.rs` runs it.

/// A module a workload, in it one a size, in it one a profile.
macro_rules! graphs {
    ($($workload:ident { $($size:ident = $name:literal,)* })*) => {
        $(pub(crate) mod $workload {
            $(pub(crate) mod $size {
                /// The graph.
                pub(crate) const GRAPH: &str = include_str!(
                    concat!(env!("OUT_DIR"), "/", stringify!($workload), "_", $name, ".json")
                );
                pub(crate) mod exact {
                    include!(concat!(
                        env!("OUT_DIR"), "/", stringify!($workload), "_", $name, "_exact.rs"
                    ));
                }
                pub(crate) mod parallel {
                    include!(concat!(
                        env!("OUT_DIR"), "/", stringify!($workload), "_", $name, "_parallel.rs"
                    ));
                }
            })*
        })*
    };
}

graphs! {
    fountain { k1 = "1k", k10 = "10k", k100 = "100k", m1 = "1m", }
    math { k1 = "1k", k10 = "10k", k100 = "100k", m1 = "1m", }
    attractor { k1 = "1k", k10 = "10k", k100 = "100k", m1 = "1m", }
    births { k1 = "1k", k10 = "10k", k100 = "100k", m1 = "1m", }
}
