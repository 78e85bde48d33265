//! Kernels in the languages of other APIs, by naga's writers.
//!
//! Group 0, binding k is register, buffer or binding k there, too. Each kernel keeps its name.

use std::collections::BTreeMap;
use std::fmt;

use naga::ShaderStage;
use naga::back::{glsl, hlsl, msl, spv};
use naga::proc::BoundsCheckPolicies;

use super::Wgsl;
use super::check::{self, CheckError, Checked};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// SPIR-V 1.1: one binary of little-endian words.
    Spirv,
    /// Metal Shading Language 2.0: one text. It has to be compiled without fast math.
    Msl,
    /// HLSL of shader model 5.1: one text. It has to be compiled with IEEE strictness.
    Hlsl,
    /// GLSL ES 3.10: one text a kernel.
    Glsl,
}

/// One file of a translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The kernel in it, where it holds only one.
    pub entry_point: Option<&'static str>,
    /// Its text or words.
    pub bytes: Vec<u8>,
}

/// Why kernels have no form in a language.
#[derive(Clone, Debug, PartialEq)]
pub enum TranslateError {
    /// The WGSL is not valid: a fault of the compiler.
    Check(CheckError),
    /// What the writer of the language says.
    Refused {
        /// Which language.
        language: Language,
        /// What it says.
        reason: String,
    },
}

impl Language {
    /// How the language is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spirv => "SPIR-V",
            Self::Msl => "MSL",
            Self::Hlsl => "HLSL",
            Self::Glsl => "GLSL",
        }
    }

    /// Extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Spirv => "spv",
            Self::Msl => "metal",
            Self::Hlsl => "hlsl",
            Self::Glsl => "comp",
        }
    }
}

impl fmt::Display for TranslateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(error) => write!(f, "{error}"),
            Self::Refused { language, reason } => {
                write!(f, "these kernels have no form in {}: {reason}", language.name())
            }
        }
    }
}

impl std::error::Error for TranslateError {}

/// Translates the kernels of a program.
///
/// # Errors
/// The language cannot express them.
pub fn translate(wgsl: &Wgsl, language: Language) -> Result<Vec<Translated>, TranslateError> {
    let checked = check::check(&wgsl.source).map_err(TranslateError::Check)?;
    let whole = |bytes| vec![Translated { entry_point: None, bytes }];
    let refused = |reason: String| TranslateError::Refused { language, reason };
    match language {
        Language::Spirv => spirv(&checked).map(whole).map_err(refused),
        Language::Msl => metal(wgsl, &checked).map(whole).map_err(refused),
        Language::Hlsl => direct(wgsl, &checked).map(whole).map_err(refused),
        Language::Glsl => {
            let kernels = wgsl.manifest.step.iter().map(|step| {
                let bytes = open(&checked, step.entry_point).map_err(refused)?;
                Ok(Translated { entry_point: Some(step.entry_point), bytes })
            });
            kernels.collect()
        }
    }
}

fn spirv(Checked { module, info }: &Checked) -> Result<Vec<u8>, String> {
    let options = spv::Options { lang_version: (1, 1), ..spv::Options::default() };
    let words = spv::write_vec(module, info, &options, None).map_err(|error| error.to_string())?;
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn metal(wgsl: &Wgsl, Checked { module, info }: &Checked) -> Result<Vec<u8>, String> {
    let mut resources = BTreeMap::new();
    for binding in &wgsl.manifest.bindings {
        let slot = u8::try_from(binding.index).map_err(|_| "too many buffers".to_owned())?;
        let target = msl::BindTarget { buffer: Some(slot), mutable: true, ..Default::default() };
        let place = naga::ResourceBinding { group: 0, binding: binding.index };
        resources.insert(place, target);
    }
    // Where the writer asks for the sizes of buffers, they come behind the last one.
    let sizes_buffer = u8::try_from(wgsl.manifest.bindings.len()).ok();
    let kernel = msl::EntryPointResources { resources, sizes_buffer, ..Default::default() };
    let kernels = wgsl.manifest.step.iter();
    let options = msl::Options {
        lang_version: (2, 0),
        per_entry_point_map: kernels
            .map(|step| (step.entry_point.to_owned(), kernel.clone()))
            .collect(),
        fake_missing_bindings: false,
        ..msl::Options::default()
    };
    let (text, names) = msl::write_string(module, info, &options, &msl::PipelineOptions::default())
        .map_err(|error| error.to_string())?;
    kept(wgsl, names.entry_point_names.into_iter().map(|name| name.map_err(|e| e.to_string())))?;
    Ok(text.into_bytes())
}

fn direct(wgsl: &Wgsl, Checked { module, info }: &Checked) -> Result<Vec<u8>, String> {
    let options = hlsl::Options::default();
    let pipeline = hlsl::PipelineOptions::default();
    let mut text = String::new();
    let mut writer = hlsl::Writer::new(&mut text, &options, &pipeline);
    let names = writer.write(module, info, None).map_err(|error| error.to_string())?;
    kept(wgsl, names.entry_point_names.into_iter().map(|name| name.map_err(|e| e.to_string())))?;
    Ok(text.into_bytes())
}

fn open(Checked { module, info }: &Checked, entry_point: &str) -> Result<Vec<u8>, String> {
    let places = module.global_variables.iter().filter_map(|(_, variable)| variable.binding);
    let options = glsl::Options {
        binding_map: places
            .filter_map(|place| Some((place, u8::try_from(place.binding).ok()?)))
            .collect(),
        ..glsl::Options::default()
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: entry_point.to_owned(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = BoundsCheckPolicies::default();
    let mut writer = glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)
        .map_err(|error| error.to_string())?;
    writer.write().map_err(|error| error.to_string())?;
    Ok(text.into_bytes())
}

/// Hosts ask for kernels by the names of the manifest.
fn kept(wgsl: &Wgsl, names: impl Iterator<Item = Result<String, String>>) -> Result<(), String> {
    for (name, step) in names.zip(&wgsl.manifest.step) {
        let name = name?;
        if name != step.entry_point {
            return Err(format!("the kernel {} would be called {name}", step.entry_point));
        }
    }
    Ok(())
}
