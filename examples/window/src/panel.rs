//! Controls, figures, and what the compiler says of the graph.

use std::path::PathBuf;

use egui::{
    CentralPanel, Color32, ComboBox, DragValue, EventFilter, Frame, Grid, Key, Label, Panel,
    PointerButton, Rect, RichText, ScrollArea, Sense, Slider, TextEdit, Ui,
};
use pyrograph::compiler::diagnostic::{Severity, render};
use pyrograph::compiler::ir::Profile;
use pyrograph::picture::ArcRotate;

use crate::orbit;
use crate::session::Session;

/// The largest step that is gone to.
const MAX_STEP: u64 = 100_000;
/// The largest coordinate of the emitter.
const FAR: f64 = 1000.0;
const AS_THE_GRAPH_SAYS: &str = "As the graph says";

/// What is typed and not yet done.
#[derive(Default)]
pub(crate) struct Drafts {
    step: u64,
    picture: String,
}

/// Shows everything, and gives the part of the window that is left for the effect, in points.
pub(crate) fn show(ui: &mut Ui, session: &mut Session, drafts: &mut Drafts) -> Rect {
    Panel::left("panel").default_size(340.0).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.heading(session.name());
            ui.label(&session.status);
            if !session.notice.is_empty() {
                ui.colored_label(ui.visuals().warn_fg_color, &session.notice);
            }
            findings(ui, session);
            ui.separator();
            figures(ui, session);
            ui.separator();
            buttons(ui, session);
            Grid::new("controls").num_columns(2).show(ui, |ui| {
                time(ui, session, drafts);
                emission(ui, session);
                looks(ui, session, drafts);
            });
            ui.separator();
            ui.collapsing("What it costs", |ui| {
                let text = RichText::new(&session.explanation).monospace().size(10.0);
                ScrollArea::horizontal().show(ui, |ui| ui.add(Label::new(text).extend()));
            });
        });
    });
    let rest = CentralPanel::default().frame(Frame::NONE);
    rest.show(ui, |ui| view(ui, &mut session.settings.orbit)).inner
}

/// Errors and warnings, each as `pyrograph check` has it.
fn findings(ui: &mut Ui, session: &Session) {
    for finding in session.findings.iter() {
        let text = render::text(&finding.clone().into(), &[session.name()], false);
        let color = match finding.severity() {
            Severity::Error => ui.visuals().error_fg_color,
            Severity::Warning => ui.visuals().warn_fg_color,
        };
        Frame::group(ui.style()).show(ui, |ui| ui.colored_label(color, text.trim_end()));
    }
    let more = session.findings.omitted_count();
    if more > 0 {
        ui.label(format!("and {more} more"));
    }
}

fn figures(ui: &mut Ui, session: &Session) {
    let figures = &session.figures;
    let time = figures.milliseconds.map_or("not told".into(), |time| format!("{time:.3}"));
    Grid::new("figures").num_columns(2).show(ui, |ui| {
        for (name, value) in [
            ("step", figures.step.to_string()),
            ("alive", figures.alive.to_string()),
            ("ms a step", time),
            ("bytes a particle", figures.bytes.to_string()),
        ] {
            ui.label(name);
            ui.monospace(value);
            ui.end_row();
        }
    });
}

fn buttons(ui: &mut Ui, session: &mut Session) {
    ui.horizontal_wrapped(|ui| {
        let is_playing = session.settings.is_playing;
        if ui.button(if is_playing { "Pause" } else { "Play" }).clicked() {
            session.settings.is_playing = !is_playing;
        }
        if ui.button("Step").clicked() {
            session.step();
        }
        if ui.button("Restart").clicked() {
            session.restart();
        }
        let is_stopped = session.settings.is_stopped;
        if ui.button(if is_stopped { "Emit again" } else { "Stop emitting" }).clicked() {
            session.set_stopped(!is_stopped);
        }
    });
}

fn time(ui: &mut Ui, session: &mut Session, drafts: &mut Drafts) {
    ui.label("Seek to step");
    ui.horizontal(|ui| {
        ui.add(DragValue::new(&mut drafts.step).range(0..=MAX_STEP));
        if ui.button("Go").clicked() {
            session.seek(drafts.step);
        }
    });
    ui.end_row();
    ui.label("Speed");
    ui.add(Slider::new(&mut session.settings.speed, 0.0..=3.0).fixed_decimals(2));
    ui.end_row();
    ui.label("Seed");
    if ui.add(DragValue::new(&mut session.settings.seed)).changed() {
        session.restart();
    }
    ui.end_row();
}

fn emission(ui: &mut Ui, session: &mut Session) {
    ui.label("Emit rate");
    ui.horizontal(|ui| {
        let mut rate = session.settings.rate.unwrap_or_else(|| session.rate());
        if ui.add(DragValue::new(&mut rate).range(0.0..=1e9)).changed() {
            session.set_rate(Some(rate));
        }
        if session.settings.rate.is_some() && ui.button(AS_THE_GRAPH_SAYS).clicked() {
            session.set_rate(None);
        }
    });
    ui.end_row();
    ui.label("Emitter");
    ui.horizontal(|ui| {
        for coordinate in &mut session.settings.emitter {
            ui.add(DragValue::new(coordinate).range(-FAR..=FAR).speed(0.02).max_decimals(2));
        }
    });
    ui.end_row();
    ui.label("Moving emitter");
    ui.checkbox(&mut session.settings.is_moving, "");
    ui.end_row();
}

fn looks(ui: &mut Ui, session: &mut Session, drafts: &mut Drafts) {
    ui.label("Background");
    ui.color_edit_button_srgb(&mut session.settings.background);
    ui.end_row();
    ui.label("Profile");
    let name = |profile| match profile {
        Profile::Parallel => "Parallel, on the GPU",
        Profile::Exact => "Exact, on the processor",
    };
    let mut profile = session.settings.profile;
    ComboBox::from_id_salt("profile").selected_text(name(profile)).show_ui(ui, |ui| {
        for known in [Profile::Parallel, Profile::Exact] {
            ui.selectable_value(&mut profile, known, name(known));
        }
    });
    if profile != session.settings.profile {
        session.set_profile(profile);
    }
    ui.end_row();
    ui.label("Texture");
    ui.horizontal(|ui| {
        let hint = "drop a picture, or its path";
        let path = TextEdit::singleline(&mut drafts.picture).hint_text(hint).desired_width(180.0);
        let is_done = ui.add(path).lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if is_done && !drafts.picture.is_empty() {
            session.set_picture(Some(PathBuf::from(&drafts.picture)));
        }
    });
    ui.end_row();
    if let Some(picture) = &session.settings.picture {
        ui.label("");
        let name = picture.file_name().unwrap_or_default().display().to_string();
        if ui.button(AS_THE_GRAPH_SAYS).on_hover_text(name).clicked() {
            drafts.picture.clear();
            session.set_picture(None);
        }
        ui.end_row();
    }
    ui.label("Camera");
    if ui.button("Reset the camera").clicked() {
        session.settings.orbit = orbit::start();
    }
    ui.end_row();
}

/// Where the effect is seen. Dragging turns the camera, dragging with Shift or another button moves it,
/// the wheel and two fingers zoom; arrows turn, plus and minus zoom.
fn view(ui: &mut Ui, orbit: &mut ArcRotate) -> Rect {
    let view = ui.allocate_response(ui.available_size(), Sense::click_and_drag());
    if view.clicked() || view.drag_started() {
        view.request_focus();
    }
    let shift = ui.input(|input| input.modifiers.shift);
    let [x, y] = [view.drag_delta().x, view.drag_delta().y].map(f64::from);
    if view.dragged_by(PointerButton::Primary) && !shift {
        orbit::turn(orbit, -0.01 * x, -0.01 * y);
    } else if view.dragged() {
        let height = f64::from(view.rect.height()).max(1.0);
        orbit::pan(orbit, x / height, y / height);
    }
    if view.contains_pointer() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        orbit::zoom(orbit, (-0.002 * f64::from(scroll)).exp() / f64::from(pinch));
    }
    if view.has_focus() {
        // Arrows would lead to other controls.
        let arrows = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(view.id, arrows));
        let pressed = |key| f64::from(u8::from(ui.input(|input| input.key_pressed(key))));
        let across = pressed(Key::ArrowLeft) - pressed(Key::ArrowRight);
        let down = pressed(Key::ArrowUp) - pressed(Key::ArrowDown);
        orbit::turn(orbit, 0.1 * across, 0.1 * down);
        let closer = pressed(Key::Plus) + pressed(Key::Equals) - pressed(Key::Minus);
        orbit::zoom(orbit, 0.9_f64.powf(closer));
        ui.painter().rect_stroke(
            view.rect.shrink(1.0),
            0.0,
            (1.0, Color32::from_gray(90)),
            egui::StrokeKind::Inside,
        );
    }
    view.rect
}
