//! Pictures that the command writes.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use crate::{command, errors, fixture, folder, fountain, names, printed, refused, run};

/// Width, height and RGBA bytes of a PNG.
fn decode(path: &Path) -> (u32, u32, Vec<u8>) {
    let mut reader =
        png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    (info.width, info.height, bytes)
}

/// Renders a graph, and gives what is said and the place of the picture.
fn rendered(name: &str, graph: &str, flags: &[&str]) -> (String, PathBuf) {
    let out = folder(&format!("render-{}", Path::new(name).file_stem().unwrap().to_str().unwrap()));
    let out = out.join(name);
    let mut command = command(&["render", graph]);
    let output = command.args(flags).arg("--out").arg(&out).output().unwrap();
    assert!(output.status.success(), "{graph} {flags:?}: {}", errors(&output));
    (errors(&output), out)
}

/// Mean of red, green and blue, from 0 to 255.
fn brightness(pixels: &[u8]) -> f64 {
    let colors = pixels.chunks_exact(4).flat_map(|pixel| &pixel[..3]);
    colors.map(|&byte| f64::from(byte)).sum::<f64>() / (pixels.len() as f64 * 0.75)
}

fn mean_difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sum: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.len() as f64 / 255.0
}

#[test]
fn a_picture_shows_particles_and_is_the_same_again() {
    let flags = ["--adapter", "raster", "--size", "160x90"];
    let (said, first) = rendered("first.png", &fountain(), &flags);
    assert!(said.contains("1 picture of 1 system,") && said.contains("on the processor"), "{said}");
    let (width, height, pixels) = decode(&first);
    assert_eq!((width, height), (160, 90));
    assert!(brightness(&pixels) > 1.0, "{}", brightness(&pixels));
    let (_, second) = rendered("second.png", &fountain(), &flags);
    assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap());
}

#[test]
fn gpu_and_processor_draw_the_same() {
    let sheet = fixture("graphs/sprite/loop.json");
    for (name, graph, flags) in [
        ("fountain", fountain(), &["--camera", "-1.57,1.2,4,0,0.2,0", "--steps", "90"][..]),
        ("loop", sheet, &["--clear", "0.2,0.1,0.3,1", "--nearest"]),
    ] {
        let pictures = ["gpu", "raster"].map(|adapter| {
            let flags = [flags, &["--size", "200x120", "--adapter", adapter]].concat();
            decode(&rendered(&format!("{name}-{adapter}.png"), &graph, &flags).1).2
        });
        let difference = mean_difference(&pictures[0], &pictures[1]);
        assert!(difference < 0.003, "{name}: {difference}");
        assert!(brightness(&pictures[0]) > 1.0);
    }
}

#[test]
fn particles_that_live_on_the_gpu_are_drawn_from_there() {
    let flags = ["--profile", "parallel", "--size", "200x120", "--camera", "-1.57,1.2,4,0,0.2,0"];
    let draw = |name: &str, more: &[&str]| {
        decode(&rendered(name, &fountain(), &[&flags[..], more].concat()).1).2
    };
    let columns = draw("columns.png", &["--backend", "gpu", "--adapter", "gpu"]);
    let records = draw("records.png", &["--adapter", "gpu"]);
    let read_back = draw("back.png", &["--backend", "gpu", "--adapter", "raster"]);
    assert!(mean_difference(&columns, &records) < 0.002);
    assert!(mean_difference(&columns, &read_back) < 0.003);
    assert!(brightness(&columns) > 1.0);
}

#[test]
fn loops_sheets_and_folders() {
    let small = ["--adapter", "raster", "--size", "32x18", "--fps", "10"];
    let film = |name: &str, more: &[&str]| {
        let (said, path) = rendered(name, &fountain(), &[&small[..], more].concat());
        (said, path)
    };
    let (said, loop_) = film("loop.apng", &["--frames", "4"]);
    assert!(said.contains("4 pictures of 1 system"), "{said}");
    let reader =
        png::Decoder::new(BufReader::new(File::open(&loop_).unwrap())).read_info().unwrap();
    let animation = *reader.info().animation_control().unwrap();
    assert_eq!((animation.num_frames, animation.num_plays), (4, 0));
    let delay = reader.info().frame_control().unwrap();
    assert_eq!((delay.delay_num, delay.delay_den), (100, 1000));

    let (_, gif) = film("loop.gif", &["--frames", "3"]);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut frames = options.read_info(File::open(gif).unwrap()).unwrap();
    let mut pictures = Vec::new();
    while let Some(frame) = frames.read_next_frame().unwrap() {
        assert_eq!((frame.width, frame.height, frame.delay), (32, 18, 10));
        pictures.push(frame.buffer.to_vec());
    }
    assert_eq!(pictures.len(), 3);
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);

    let (_, several) = film("pictures", &["--frames", "3"]);
    assert_eq!(names(&several), ["0001.png", "0002.png", "0003.png"]);
    let third = decode(&several.join("0003.png"));
    // A sheet has the same pictures side by side.
    let (_, sheet) = film("sheet.png", &["--sheet", "2x2", "--frames", "3"]);
    let (width, height, pixels) = decode(&sheet);
    assert_eq!((width, height), (64, 36));
    for (y, row) in third.2.chunks_exact(32 * 4).enumerate() {
        let start = (18 + y) * 64 * 4;
        assert_eq!(pixels[start..start + 32 * 4], *row);
        // Where there is no picture there is nothing.
        assert!(pixels[start + 32 * 4..start + 64 * 4].iter().all(|&byte| byte == 0));
    }
}

/// Who reads along sees the first picture long before the last one is drawn, and may have enough of it.
#[cfg(unix)]
#[test]
fn pictures_are_written_as_they_are_drawn() {
    let folder = folder("render-along");
    for name in ["film.apng", "film.gif"] {
        let pipe = folder.join(name);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // Hours of work, and gigabytes, if all of it were drawn.
        let film =
            ["--adapter", "raster", "--size", "512x512", "--frames", "10000", "--steps", "1"];
        let graph = fountain();
        let mut command = command(&["render", &graph, "--camera=-1.57,1.2,4,0,0.2,0"]);
        let child = command.args(film).arg("--out").arg(&pipe);
        let child = child.stderr(std::process::Stdio::piped()).spawn().unwrap();
        let mut start = [0; 200];
        File::open(&pipe).unwrap().read_exact(&mut start).unwrap();
        assert!(start.starts_with(b"\x89PNG") || start.starts_with(b"GIF89a"));
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
    }
}

#[test]
fn a_film_that_fails_leaves_nothing() {
    let folder = folder("render-fails");
    let text = fs::read_to_string(fountain()).unwrap();
    let start = text.find("data:image").unwrap();
    let end = start + text[start..].find('"').unwrap();
    let bare = folder.join("bare.json");
    fs::write(&bare, format!("{}missing.png{}", &text[..start], &text[end..])).unwrap();
    for out in ["film.apng", "film.gif", "sheet.png", "film"] {
        let place = folder.join(out);
        let mut arguments = vec!["render", bare.to_str().unwrap(), "--adapter", "raster"];
        arguments.extend(if out == "sheet.png" { ["--sheet", "2x1"] } else { ["--frames", "2"] });
        refused(&[&arguments[..], &["--out", place.to_str().unwrap()]].concat(), 1);
    }
    assert!(names(&folder).iter().all(|name| name == "bare.json" || name == "film"));
    assert!(names(&folder.join("film")).is_empty());
    // What cannot be written is said first.
    let missing = folder.join("missing/film.gif");
    let said = refused(&["render", &fountain(), "--out", missing.to_str().unwrap()], 1);
    assert!(said.contains("cannot write"), "{said}");
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let fountain = fountain();
    let refused = |flags: &[&str], what: &str| {
        let all = [&["render", fountain.as_str()], flags].concat();
        let said = refused(&all, 2);
        assert!(said.contains(what), "{flags:?}: {said}");
    };
    let gpu = ["--out", "a.png", "--random", "sine", "--backend", "gpu"];
    refused(&gpu, "Exact updates particles one after the other in f64, which no GPU does");
    refused(&[&gpu[..], &["--profile", "parallel"]].concat(), "one sequential stream");
    refused(&["--out", "a.png", "--frames", "2"], "is one picture, and there are 2");
    refused(&["--out", "a.bmp"], "has no ending that names a format");
    refused(&["--out", "a.png", "--sheet", "2x2", "--frames", "5"], "has no room for 5 pictures");
    refused(&["--out", "a.png", "--size", "9000x9"], "`--size` goes up to 8192");
    refused(&["--out", "a.png", "--size", "4000x9", "--sheet", "3x1"], "lower `--size`");
    refused(&["--out", "a.png", "--size", "0x9"], "two whole numbers above 0");
    refused(&["--out", "a.png", "--camera", "1,2,3"], "these are 3");
    refused(&["--out", "a.png", "--fov", "4"], "an angle between 0 and 3.14");
    let camera = ["--out", "a.png", "--camera=0,1,5,0,0,0"];
    refused(&["--out", "a.png", "--near", "9", "--far", "3"], "at 9, and the far one, at 3:");
    refused(&["--out", "a.png", "--near", "9", "--far", "9"], "give `--near` less than `--far`");
    refused(&[&camera[..], &["--near", "200"]].concat(), "at 100 where no flag places it");
    refused(&[&camera[..], &["--far", "0.1"]].concat(), "at 0.1 where no flag places it, and");
    // Where the command places the camera, it knows the other plane only when it has seen particles.
    refused(&["--out", "a.png", "--adapter", "raster", "--near", "200"], "nothing can be seen");
    refused(&["--out", "a.png", "--fps", "0"], "a number from 0.01 to 1000");
    refused(&[], "--out");
    refused(&["--out", &fountain], "the output would replace it");
}

#[test]
fn a_system_without_a_picture_is_named() {
    let folder = folder("render-bare");
    let graph = fs::read_to_string(fountain()).unwrap();
    let start = graph.find("data:image").unwrap();
    let end = start + graph[start..].find('"').unwrap();
    let bare = folder.join("bare.json");
    fs::write(&bare, format!("{}missing.png{}", &graph[..start], &graph[end..])).unwrap();
    let out = folder.join("bare.png");
    let (bare, out) = (bare.to_str().unwrap(), out.to_str().unwrap());
    let output = run(&["render", bare, "--adapter", "raster", "--out", out]);
    assert_eq!(output.status.code(), Some(1));
    let said = errors(&output);
    assert!(said.contains("is not drawn") && said.contains("missing.png"), "{said}");
    assert!(said.contains("no system has a picture to draw") && !Path::new(out).exists(), "{said}");
}

/// The picture that the README opens with is what its first command writes.
#[test]
fn the_readme_shows_what_its_command_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let line = readme.lines().find_map(|line| line.strip_prefix("$ pyrograph render ")).unwrap();
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let (out, graph) = (words.pop().unwrap(), words.remove(0));
    assert_eq!((words.pop(), out), (Some("--out"), "sparks.png"));
    let (_, drawn) = rendered(out, root.join(graph).to_str().unwrap(), &words);
    assert!(decode(&drawn) == decode(&root.join("docs/pictures/sparks.png")));
}

/// Every graph of the fixtures, framed by the command itself.
#[test]
fn every_fixture_shows_its_particles() {
    let mut graphs = Vec::new();
    let mut folders = vec![PathBuf::from(fixture("graphs"))];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                graphs.push(path);
            }
        }
    }
    graphs.sort();
    assert!(graphs.len() > 400, "{}", graphs.len());
    let folder = folder("render-every");
    let dark = std::thread::scope(|scope| {
        let (graphs, folder) = (&graphs, &folder);
        let worker = |first: usize| {
            scope.spawn(move || {
                let mine = graphs.iter().enumerate().skip(first).step_by(2);
                mine.filter_map(|(index, graph)| dark(graph, &folder.join(format!("{index}.png"))))
                    .collect::<Vec<_>>()
            })
        };
        [worker(0), worker(1)].map(|worker| worker.join().unwrap()).concat()
    });
    assert!(dark.is_empty(), "{}", dark.join("\n"));
}

/// What is wrong with the picture of a graph: it shows nothing, though there is something to see.
fn dark(graph: &Path, out: &Path) -> Option<String> {
    let graph = graph.to_str().unwrap();
    let run_flags = ["--steps", "20", "--random", "sine"];
    let flags = ["--adapter", "raster", "--size", "96x54", "--clear", "0.25,0.25,0.25,1"];
    let mut command = command(&["render", graph, "--out", out.to_str().unwrap()]);
    let output = command.args(run_flags).args(flags).output().unwrap();
    if !output.status.success() {
        return Some(format!("{graph}: {}", errors(&output)));
    }
    let pixels = decode(out).2;
    let empty: Vec<u8> = pixels.chunks_exact(4).flat_map(|_| [64, 64, 64, 255]).collect();
    let found = mean_difference(&pixels, &empty);
    (found < 0.0002 && is_visible(graph, &run_flags))
        .then(|| format!("{graph}: {found} from an empty picture, {}", errors(&output).trim()))
}

/// Whether the states have a particle that can be seen: one with a size and a colour, among others that
/// are not so far away that it is smaller than some pixels.
fn is_visible(graph: &str, flags: &[&str]) -> bool {
    let csv = printed(&[&["simulate", graph, "--format", "csv"], flags].concat());
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let particles: Vec<Vec<&str>> = lines.collect();
    let value = |particle: &[&str], key: &str| {
        let column = header.iter().position(|name| *name == key).unwrap();
        particle[column].parse().unwrap_or(0.0)
    };
    let distances = particles.iter().flat_map(|particle| {
        ["position.x", "position.y", "position.z"].map(|axis| f64::abs(value(particle, axis)))
    });
    let farthest = distances.fold(0.0, f64::max);
    particles.iter().any(|particle| {
        let side = |scale| f64::abs(value(particle, "size") * value(particle, scale));
        let colors = ["color.r", "color.g", "color.b"].map(|channel| value(particle, channel));
        f64::min(side("scale.x"), side("scale.y")) > farthest / 20.0
            && colors.iter().any(|color| *color > 0.02)
    })
}

#[test]
fn a_picture_that_the_graph_reads_is_not_replaced() {
    let folder = folder("render_replace");
    let (graph, picture) = (folder.join("graph.json"), folder.join("flare.png"));
    let text = fs::read_to_string(fountain()).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let blocks = value["blocks"].as_array_mut().unwrap().iter_mut();
    for block in blocks.filter(|block| block["customType"] == "BABYLON.ParticleTextureSourceBlock")
    {
        block["textureDataUrl"] = serde_json::Value::Null;
        block["url"] = "flare.png".into();
    }
    fs::write(&graph, value.to_string()).unwrap();
    fs::write(&picture, "not replaced").unwrap();
    let [graph, place] = [&graph, &picture].map(|path| path.to_str().unwrap());
    let said = refused(&["render", graph, "--adapter", "raster", "-o", place], 2);
    assert!(said.contains("the output would replace it"), "{said}");
    assert_eq!(fs::read_to_string(&picture).unwrap(), "not replaced");
}
