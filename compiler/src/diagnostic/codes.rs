//! The code table: every diagnostic, its severity, what it means in a line, what helps.
//!
//! `P0xx` reading the file, `P1xx` its records, `G2xx` the graph, `W3xx` warnings, `L4xx` what cannot be
//! lowered, `X9xx` faults of our own. A number once given is never given again.
//! `fixtures/errors/` has a folder for each of them.

/// Whether a finding stops the compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is compiled.
    Error,
    /// The graph is compiled; what it does may not be what its author meant.
    Warning,
}

macro_rules! codes {
    ($($variant:ident $number:literal $severity:ident $summary:literal $help:literal;)*) => {
        /// A kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = concat!("`", $number, "`: ", $summary)] $variant,)*
        }

        impl Code {
            /// All codes in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// What a user sees and asks for, such as `G201`.
            pub fn number(self) -> &'static str {
                match self { $(Self::$variant => $number,)* }
            }

            /// Error or warning.
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// What it means, in a line.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)* }
            }

            /// What to change, in general.
            pub fn help(self) -> &'static str {
                match self { $(Self::$variant => $help,)* }
            }

            /// What it means at length, in Markdown.
            pub fn explanation(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("explain/", $number, ".md")),)* }
            }
        }
    };
}

codes! {
    NotUtf8 "P001" Error "the file is not UTF-8 text"
        "save the file as UTF-8";
    ByteOrderMark "P002" Error "the file begins with a byte order mark"
        "save the file as UTF-8 without a byte order mark";
    Syntax "P003" Error "the file is not JSON"
        "export the graph again, or undo the last edit made by hand";
    TooDeep "P004" Error "values are nested too deeply"
        "a graph nests a handful of levels; look for a bracket that is not closed";

    NoBlocks "P101" Error "the file has no `blocks` array"
        "give the file that the node particle editor saves";
    NoId "P102" Error "a block has no numeric id"
        "give every block a number of its own as `id`";
    NoSystem "P103" Error "the graph has no SystemBlock"
        "add a SystemBlock and connect its 'particle' input";
    BadRecord "P104" Error "a record has a form that no editor writes"
        "export the graph again, or undo the last edit made by hand";

    DanglingWire "G201" Error "a wire begins at a block that the file does not have"
        "connect the input again, or remove its `targetBlockId`";
    NoSuchOutput "G202" Error "a wire begins at an output that its block does not have"
        "connect the input to an output that the block has";
    ValueCycle "G203" Error "a value depends on itself"
        "break the cycle; to use the value of an earlier call, keep it in the particle";
    NotAGradientValue "G204" Error "a gradient entry is not a gradient value"
        "put a ParticleGradientValueBlock between them";
    GradientValueAsValue "G205" Error "a gradient value is used as an ordinary value"
        "connect the gradient value to a ParticleGradientBlock, and use that block's output";

    UnsupportedEmitter "G210" Error "a shape block of an unknown class"
        "use one of BoxShapeBlock, ConeShapeBlock, CustomShapeBlock, CylinderShapeBlock, MeshShapeBlock, PointShapeBlock, SphereShapeBlock";
    UnsupportedLocalShape "G211" Error "a shape block of an unknown class in a local system"
        "use one of BoxShapeBlock, ConeShapeBlock, CustomShapeBlock, CylinderShapeBlock, MeshShapeBlock, PointShapeBlock, SphereShapeBlock";
    UnsupportedValue "G212" Error "a value block of an unknown class"
        "replace the block by one of a known class";
    UnsupportedBasic "G213" Error "a block of an unknown class"
        "replace the block by one of a known class";
    UnsupportedContextual "G214" Error "a contextual source with an unknown number"
        "choose one of the contextual sources that the editor offers";
    UnsupportedSystemSource "G215" Error "a system source with an unknown number"
        "choose Time, Delta, Emitter or CameraPosition";
    NotLocal "G216" Error "LocalPositionUpdated is read in a system that is not local"
        "set `isLocal` of the SystemBlock, or use the contextual source Position";
    NoSpriteSheet "G217" Error "sprites are animated before a sprite sheet is set up"
        "put a SetupSpriteSheetBlock before the block in the particle flow";
    UnsupportedOperation "G218" Error "an operation with an unknown number"
        "choose one of the operations that the editor offers for the block";
    BadCapacity "G219" Error "a capacity that is no size"
        "set `capacity` to the number of particles that may live at a time";

    InvalidEntryPoint "G220" Error "the entry point of a teleport is no block id"
        "choose the entry point of the teleport again";
    MissingEntryPoint "G221" Error "the entry point of a teleport is not in the file"
        "choose the entry point of the teleport again";
    NotAnEntryPoint "G222" Error "the entry point of a teleport is a block of another class"
        "choose a ParticleTeleportInBlock as entry point";
    EntryPointUnconnected "G223" Error "the input of an entry point is not connected"
        "connect the input of the ParticleTeleportInBlock";
    ProxyUnconnected "G224" Error "the input of an elbow, debug or local variable block is not connected"
        "connect the input of the block, or remove the block";
    NoProxyOutput "G225" Error "a wire begins at an output that a plumbing block does not have"
        "connect the input to 'output' of a ParticleTeleportOutBlock, ParticleElbowBlock, ParticleDebugBlock or ParticleLocalVariableBlock";
    UnsupportedRole "G226" Error "a debug or local variable block carries something that is not a value"
        "carry it through a ParticleElbowBlock or a teleport instead";
    PlumbingCycle "G227" Error "elbows, debug blocks and teleports lead in a circle"
        "connect one of the blocks to a block that gives the value";
    ParticleScope "G228" Error "a particle-scope local variable is read outside of particles"
        "set the scope of the local variable to Loop, or read it only in the particle flow";
    TooLarge "G229" Error "the graph is too large"
        "split the file, or let fewer blocks read a value that is drawn or behind conditions";
    LongPreWarm "G230" Error "pre-warming takes too many steps"
        "set `preWarmCycles` to the number of steps to make before the system is seen, or raise `preWarmStepOffset`";
    NoSuchConstant "G231" Error "an input that a host wants to change is no constant of the graph"
        "name a ParticleInputBlock that holds a constant, by the name that it has in the editor";

    TriggerOnSystem "W301" Warning "onStart and onEnd of a system start nothing"
        "start the other system from code when this one starts or ends";
    Trigger "W302" Warning "a trigger starts nothing"
        "start the other system from code, or leave the trigger out";
    FieldWithoutEffect "W303" Warning "a field that the compiled system does not use"
        "remove the field if the picture is right without it";
    InputWithoutEffect "W304" Warning "a connected input that its block does not read"
        "remove the wire if the picture is right without it";
    DuplicateId "W305" Warning "two blocks have the same id"
        "give each block an id of its own; only the last one is used";

    NoForm "L401" Error "the chosen profile cannot express a block"
        "compile for the Exact profile, or replace the block";
    TooComplex "L402" Error "a system needs more evaluations or branches than are compiled"
        "lock random values, keep what is read often in a ParticleLocalVariableBlock, or nest fewer conditions";
    Internal "X901" Error "the compiler broke one of its own rules"
        "this is a fault of the compiler, not of the graph; please report it with the graph";
}

impl Code {
    /// The code of that number, such as `G201`; letters may be small.
    pub fn from_number(number: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.number().eq_ignore_ascii_case(number))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend() {
        assert!(Code::ALL.windows(2).all(|pair| {
            let place = |code: Code| {
                ["P", "G", "W", "L", "X"]
                    .iter()
                    .position(|family| code.number().starts_with(family))
            };
            (place(pair[0]), pair[0].number()) < (place(pair[1]), pair[1].number())
        }));
        assert_eq!(Code::from_number("g201"), Some(Code::DanglingWire));
    }

    #[test]
    fn texts_end_without_a_period() {
        for code in Code::ALL {
            assert!(!code.summary().ends_with('.') && !code.help().ends_with('.'), "{code}");
        }
    }
}
