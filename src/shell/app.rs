//! The window and its event loop: when a frame is run, how it reaches the screen, and what happens when that fails.
//!
//! Nothing is drawn unless something asked for it: input, an answer of a worker, an animation. A window that cannot be
//! seen (size 0, minimised, covered) runs no frame at all.

use std::num::NonZeroU32;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use egui::ViewportId;
use egui_wgpu::winit::Painter;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalPosition;
use winit::event::DeviceEvent;
use winit::event::DeviceId;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::event_loop::ControlFlow;
use winit::event_loop::EventLoop;
use winit::event_loop::EventLoopProxy;
use winit::window::CursorGrabMode;
use winit::window::Window;
use winit::window::WindowId;

use crate::shell::ShellError;
use crate::shell::ShellOptions;
use crate::shell::frame::Shell;
use crate::shell::theme;

/// What wakes the loop besides the window's own events.
#[derive(Debug)]
enum AppEvent {
    /// A frame is wanted at that moment.
    Repaint(Instant),
    #[cfg(feature = "a11y")]
    AccessKit(egui_winit::accesskit_winit::Event),
}

#[cfg(feature = "a11y")]
impl From<egui_winit::accesskit_winit::Event> for AppEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::AccessKit(event)
    }
}

/// A device that goes away is replaced this often before the program gives up.
const DEVICE_TRIES: u32 = 3;

/// Opens the window and returns when it is closed.
///
/// # Errors
/// One sentence when there is no display or no graphics adapter.
pub fn run(options: ShellOptions) -> Result<(), ShellError> {
    let event_loop = EventLoop::<AppEvent>::with_user_event()
        .build()
        .map_err(|error| ShellError::NoDisplay(reason(&error.to_string())))?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut app = App {
        proxy: event_loop.create_proxy(),
        options,
        running: None,
        shell: None,
        next_frame: None,
        error: None,
    };
    event_loop
        .run_app(&mut app)
        .map_err(|error| ShellError::NoDisplay(reason(&error.to_string())))?;
    app.error.map_or(Ok(()), Err)
}

/// The last part of an error's text: window libraries put places in their own sources before it.
fn reason(text: &str) -> String {
    let reason = text.rsplit_once(": ").map_or(text, |(_, reason)| reason);
    reason.trim_end_matches(['.', ')']).to_owned()
}

struct App {
    proxy: EventLoopProxy<AppEvent>,
    options: ShellOptions,
    /// Dropped before the loop ends: a surface must not outlive its display.
    running: Option<Running>,
    shell: Option<Shell>,
    next_frame: Option<Instant>,
    error: Option<ShellError>,
}

/// Everything that hangs on one window and one device.
struct Running {
    window: Arc<Window>,
    ctx: egui::Context,
    painter: Painter,
    input: egui_winit::State,
    info: egui::ViewportInfo,
    devices_made: u32,
    title: String,
    locked: bool,
    /// Where the pointer was when it was locked: it goes back there.
    pointer_px: Option<PhysicalPosition<f64>>,
    occluded: bool,
}

/// The adapter, device and surface for a window; no GL, which cannot show one texture in two encodings.
fn make_painter(
    ctx: &egui::Context,
    event_loop: &ActiveEventLoop,
    window: &Arc<Window>,
) -> Result<Painter, ShellError> {
    let mut setup =
        egui_wgpu::WgpuSetupCreateNew::from_display_handle(event_loop.owned_display_handle());
    setup.instance_descriptor.backends =
        wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
    let config = egui_wgpu::WgpuConfiguration {
        wgpu_setup: setup.into(),
        ..Default::default()
    };
    let mut painter = pollster::block_on(Painter::new(
        ctx.clone(),
        config,
        false,
        egui_wgpu::RendererOptions::default(),
    ));
    pollster::block_on(painter.set_window(ViewportId::ROOT, Some(window.clone()))).map_err(
        |error| ShellError::NoAdapter(error.to_string().trim_end_matches(": {}").to_owned()),
    )?;
    if painter.render_state().is_none() {
        return Err(ShellError::NoAdapter(
            "the adapter gave no device".to_owned(),
        ));
    }
    Ok(painter)
}

impl App {
    fn wake(&self) -> Arc<dyn Fn() + Send + Sync> {
        let proxy = self.proxy.clone();
        Arc::new(move || {
            // A loop that has ended needs no waking.
            let _ = proxy.send_event(AppEvent::Repaint(Instant::now()));
        })
    }

    fn make_context(&self) -> egui::Context {
        let ctx = egui::Context::default();
        theme::install(&ctx, &theme::FONTS);
        let proxy = self.proxy.clone();
        ctx.set_request_repaint_callback(move |info| {
            // A delay that cannot be added is "never".
            if let Some(at) = Instant::now().checked_add(info.delay) {
                let _ = proxy.send_event(AppEvent::Repaint(at));
            }
        });
        ctx
    }

    fn start(&mut self, event_loop: &ActiveEventLoop) -> Result<(), ShellError> {
        let ctx = self.make_context();
        let builder = egui::ViewportBuilder::default()
            .with_title("Mapwright")
            .with_app_id("mapwright")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([960.0, 600.0])
            .with_visible(false);
        let window = egui_winit::create_window(&ctx, event_loop, &builder)
            .map_err(|error| ShellError::NoDisplay(reason(&error.to_string())))?;
        let window = Arc::new(window);
        let painter = make_painter(&ctx, event_loop, &window)?;
        let input = self.make_input(&ctx, event_loop, &window, &painter);
        let mut shell = Shell::new(&ctx, painter.render_state(), &self.options, self.wake());
        shell.set_window(window.clone());
        window.set_visible(true);
        let mut info = egui::ViewportInfo::default();
        egui_winit::update_viewport_info(&mut info, &ctx, &window, true);
        self.shell = Some(shell);
        self.running = Some(Running {
            window,
            ctx,
            painter,
            input,
            info,
            devices_made: 1,
            title: String::new(),
            locked: false,
            pointer_px: None,
            occluded: false,
        });
        Ok(())
    }

    fn make_input(
        &self,
        ctx: &egui::Context,
        event_loop: &ActiveEventLoop,
        window: &Arc<Window>,
        painter: &Painter,
    ) -> egui_winit::State {
        #[cfg_attr(not(feature = "a11y"), expect(unused_mut))]
        let mut input = egui_winit::State::new(
            ctx.clone(),
            ViewportId::ROOT,
            event_loop,
            Some(window.scale_factor() as f32),
            window.theme(),
            painter.max_texture_side(),
        );
        // Before the window becomes visible, or screen readers miss it.
        #[cfg(feature = "a11y")]
        input.init_accesskit(event_loop, window, self.proxy.clone());
        input
    }

    /// A new device, a new context (egui sends its textures only to a fresh one) and the same shell.
    fn replace_device(&mut self, event_loop: &ActiveEventLoop) {
        let Some(old) = self.running.take() else {
            return;
        };
        let Running {
            window,
            ctx: old_ctx,
            painter,
            devices_made,
            ..
        } = old;
        if let Some(shell) = &mut self.shell {
            shell.set_render_state(None);
        }
        drop(painter);
        if devices_made >= DEVICE_TRIES {
            self.fail(event_loop, ShellError::DeviceLost);
            return;
        }
        let ctx = self.make_context();
        let memory = old_ctx.memory(Clone::clone);
        ctx.memory_mut(|new| *new = memory);
        let painter = match make_painter(&ctx, event_loop, &window) {
            Ok(painter) => painter,
            Err(error) => return self.fail(event_loop, error),
        };
        let input = self.make_input(&ctx, event_loop, &window, &painter);
        if let Some(shell) = &mut self.shell {
            shell.set_render_state(painter.render_state());
        }
        window.request_redraw();
        self.running = Some(Running {
            window,
            ctx,
            painter,
            input,
            info: egui::ViewportInfo::default(),
            devices_made: devices_made + 1,
            title: String::new(),
            locked: false,
            pointer_px: None,
            occluded: false,
        });
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: ShellError) {
        if let Some(shell) = &mut self.shell {
            shell.close_down();
        }
        self.error = Some(error);
        event_loop.exit();
    }

    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let (Some(running), Some(shell)) = (&mut self.running, &mut self.shell) else {
            return;
        };
        let size = running.window.inner_size();
        // A frame that cannot be shown would lose its textures, so none is run.
        if size.width == 0
            || size.height == 0
            || running.occluded
            || running.window.is_minimized() == Some(true)
        {
            return;
        }
        egui_winit::update_viewport_info(&mut running.info, &running.ctx, &running.window, false);
        let info = running.info.clone();
        running
            .input
            .egui_input_mut()
            .viewports
            .insert(ViewportId::ROOT, info);
        let raw = running.input.take_egui_input(&running.window);
        // A fault of ours must not take the map with it.
        let ran = std::panic::catch_unwind(AssertUnwindSafe(|| {
            running.ctx.run_ui(raw, |ui| shell.ui(ui))
        }));
        let mut out = match ran {
            Ok(out) => out,
            Err(fault) => {
                shell.rescue();
                std::panic::resume_unwind(fault);
            }
        };
        running.info.events.clear();
        running.input.handle_platform_output_with_event_loop(
            &running.window,
            event_loop,
            out.platform_output,
        );
        let mut captures = Vec::new();
        for (id, view) in std::mem::take(&mut out.viewport_output) {
            if id != ViewportId::ROOT {
                continue;
            }
            if let Some(at) = Instant::now().checked_add(view.repaint_delay) {
                self.next_frame = Some(self.next_frame.map_or(at, |next| next.min(at)));
            }
            let mut asked = Vec::new();
            egui_winit::process_viewport_commands(
                &running.ctx,
                &mut running.info,
                view.commands,
                &running.window,
                &mut asked,
            );
            for action in asked {
                match action {
                    egui_winit::ActionRequested::Screenshot(callback) => captures.push(callback),
                    egui_winit::ActionRequested::Paste => {
                        if let Some(text) = running.input.clipboard_text() {
                            running
                                .input
                                .egui_input_mut()
                                .events
                                .push(egui::Event::Paste(text));
                            running.window.request_redraw();
                        }
                    }
                    _ => {}
                }
            }
        }
        let primitives = running.ctx.tessellate(out.shapes, out.pixels_per_point);
        running.painter.paint_and_update_textures(
            ViewportId::ROOT,
            out.pixels_per_point,
            theme::clear_color(&running.ctx),
            &primitives,
            &mut out.textures_delta,
            captures,
            &running.window,
        );
        running.after_frame(shell);
        if shell.has_ended() {
            shell.close_down();
            event_loop.exit();
        }
    }
}

impl Running {
    /// Title and pointer follow what the shell wants now.
    fn after_frame(&mut self, shell: &Shell) {
        let title = shell.title();
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
        let lock = shell.wants_pointer_lock();
        if lock == self.locked {
            return;
        }
        self.locked = lock;
        if lock {
            // X11 knows only confining, others only locking.
            let grabbed = self
                .window
                .set_cursor_grab(CursorGrabMode::Locked)
                .or_else(|_| self.window.set_cursor_grab(CursorGrabMode::Confined));
            if let Err(error) = grabbed {
                tracing::debug!("The pointer cannot be held: {error}");
            }
            self.window.set_cursor_visible(false);
            return;
        }
        if let Err(error) = self.window.set_cursor_grab(CursorGrabMode::None) {
            tracing::debug!("The pointer cannot be released: {error}");
        }
        if let Some(at) = self.pointer_px
            && let Err(error) = self.window.set_cursor_position(at)
        {
            tracing::debug!("The pointer cannot be put back: {error}");
        }
        self.window.set_cursor_visible(true);
    }
}

impl ApplicationHandler<AppEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.running.is_some() {
            return;
        }
        match self.start(event_loop) {
            Ok(()) => {
                if let Some(running) = &self.running {
                    running.window.request_redraw();
                }
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _id: WindowId, event: WindowEvent) {
        let (Some(running), Some(shell)) = (&mut self.running, &mut self.shell) else {
            return;
        };
        match &event {
            WindowEvent::RedrawRequested => {
                self.next_frame = None;
                return self.frame(event_loop);
            }
            WindowEvent::CloseRequested => {
                shell.request_close();
                running.window.request_redraw();
            }
            WindowEvent::Resized(size) => {
                if let (Some(width), Some(height)) =
                    (NonZeroU32::new(size.width), NonZeroU32::new(size.height))
                {
                    running
                        .painter
                        .on_window_resized(ViewportId::ROOT, width, height);
                }
            }
            WindowEvent::Occluded(occluded) => {
                running.occluded = *occluded;
                running.window.request_redraw();
            }
            WindowEvent::CursorMoved { position, .. } if !running.locked => {
                running.pointer_px = Some(*position);
            }
            _ => {}
        }
        let answer = running.input.on_window_event(&running.window, &event);
        if answer.repaint {
            running.window.request_redraw();
        }
    }

    fn device_event(&mut self, _event_loop: &ActiveEventLoop, _id: DeviceId, event: DeviceEvent) {
        let Some(running) = &mut self.running else {
            return;
        };
        // Raw motion is wanted only while the pointer is held; otherwise every move anywhere would draw a frame.
        if let DeviceEvent::MouseMotion { delta } = event
            && running.locked
        {
            let delta = egui::vec2(delta.0 as f32, delta.1 as f32);
            running
                .input
                .egui_input_mut()
                .events
                .push(egui::Event::MouseMoved(delta));
            running.window.request_redraw();
        }
    }

    fn user_event(&mut self, _event_loop: &ActiveEventLoop, event: AppEvent) {
        match event {
            AppEvent::Repaint(at) => {
                self.next_frame = Some(self.next_frame.map_or(at, |next| next.min(at)));
            }
            #[cfg(feature = "a11y")]
            AppEvent::AccessKit(event) => {
                let Some(running) = &mut self.running else {
                    return;
                };
                use egui_winit::accesskit_winit::WindowEvent as Wanted;
                match event.window_event {
                    Wanted::InitialTreeRequested => running.ctx.enable_accesskit(),
                    Wanted::ActionRequested(request) => {
                        running.input.on_accesskit_action_request(request);
                    }
                    Wanted::AccessibilityDeactivated => running.ctx.disable_accesskit(),
                }
                running.window.request_redraw();
            }
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.shell.as_ref().is_some_and(Shell::is_device_lost) {
            self.replace_device(event_loop);
        }
        let Some(running) = &self.running else {
            return;
        };
        match self.next_frame {
            Some(at) if at <= Instant::now() => {
                self.next_frame = None;
                running.window.request_redraw();
                event_loop.set_control_flow(ControlFlow::Wait);
            }
            // Very far away is the same as never, and some systems cannot wait that long.
            Some(at) if at.duration_since(Instant::now()) < Duration::from_hours(1) => {
                event_loop.set_control_flow(ControlFlow::WaitUntil(at));
            }
            _ => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        if let Some(shell) = &mut self.shell {
            shell.close_down();
            shell.set_render_state(None);
        }
        self.shell = None;
        self.running = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_no_source_files() {
        let text = "os error at src/linux/mod.rs:765: neither WAYLAND_DISPLAY nor DISPLAY is set.";
        assert_eq!(reason(text), "neither WAYLAND_DISPLAY nor DISPLAY is set");
        assert_eq!(reason("no driver"), "no driver");
    }
}
