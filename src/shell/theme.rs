//! Colours, sizes and fonts of the interface, and the one function that hands them to egui.
//!
//! Panels and widgets take colours from `Palette` by role, never by value, and lengths from the constants below.

use std::sync::Arc;

use egui::epaint::Shadow;
use egui::style::{HandleShape, NumericColorSpace, ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Stroke,
    Style, TextStyle, Theme, Visuals, vec2,
};

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// Lengths in points. Everything is a multiple of 4 except strokes, radii and text.
pub mod size {
    pub const UNIT: f32 = 4.0;
    pub const ROW: f32 = 24.0;
    pub const FIELD: f32 = 24.0;
    pub const BUTTON: f32 = 24.0;
    pub const MENU_BAR: f32 = 32.0;
    pub const TOOL_BAR: f32 = 40.0;
    pub const TOOL_BUTTON: f32 = 32.0;
    pub const TOOL_ICON: f32 = 20.0;
    pub const TAB_BAR: f32 = 28.0;
    pub const SECTION: f32 = 28.0;
    pub const STATUS_BAR: f32 = 24.0;
    pub const VIEW_CHIP: f32 = 24.0;
    pub const ICON: f32 = 16.0;
    pub const ICON_SMALL: f32 = 14.0;
    pub const PANEL_PAD: f32 = 8.0;
    pub const GAP: f32 = 4.0;
    pub const INDENT: f32 = 16.0;
    pub const TILE: f32 = 96.0;
    pub const LEFT_DOCK: f32 = 240.0;
    pub const RIGHT_DOCK: f32 = 304.0;
    pub const BOTTOM_DOCK: f32 = 208.0;
    /// Label column of the inspector, as a share of its width.
    pub const LABEL_SHARE: f32 = 0.36;
    pub const RADIUS: u8 = 4;
    pub const RADIUS_SMALL: u8 = 3;
    pub const RADIUS_LARGE: u8 = 8;
    pub const FOCUS: f32 = 2.0;
}

/// Seconds. Zero when the system asks for less motion.
pub mod motion {
    pub const HOVER: f32 = 0.08;
    pub const OPEN: f32 = 0.12;
    pub const CAMERA: f32 = 0.20;
    pub const FLASH: f32 = 0.25;
    pub const TOAST: f32 = 6.0;
    pub const TOOLTIP_DELAY: f32 = 0.5;
}

#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    pub dark: bool,
    // surfaces, from the back to the front
    pub base: Color32,
    pub bar: Color32,
    pub panel: Color32,
    pub section: Color32,
    pub field: Color32,
    pub field_hover: Color32,
    pub button: Color32,
    pub button_hover: Color32,
    pub button_down: Color32,
    pub popup: Color32,
    pub row_hover: Color32,
    pub scrim: Color32,
    // lines
    pub line: Color32,
    pub line_strong: Color32,
    // text and icons
    pub text: Color32,
    pub text_dim: Color32,
    pub text_faint: Color32,
    pub text_disabled: Color32,
    // the one accent
    pub accent: Color32,
    pub accent_hover: Color32,
    pub accent_down: Color32,
    pub on_accent: Color32,
    pub accent_soft: Color32,
    pub on_soft: Color32,
    pub soft_idle: Color32,
    pub focus: Color32,
    // meaning
    pub error: Color32,
    pub warning: Color32,
    pub success: Color32,
    pub info: Color32,
    /// 2D views and drawings in panels
    pub view: ViewPalette,
    /// 3D views: the same in both themes, since textured rooms are mostly dark
    pub scene: ViewPalette,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ViewPalette {
    pub background_2d: Color32,
    pub background_3d: Color32,
    pub grid_minor: Color32,
    pub grid_major: Color32,
    pub grid_super: Color32,
    /// X, Y, Z: they differ in lightness as well, and carry their letter wherever they matter
    pub axis: [Color32; 3],
    pub brush: Color32,
    pub brush_entity: Color32,
    pub mesh: Color32,
    pub selected: Color32,
    pub selected_fill: Color32,
    pub hover: Color32,
    pub handle: Color32,
    pub handle_selected: Color32,
    pub handle_rim: Color32,
    pub locked: Color32,
    pub refused: Color32,
    pub leak: Color32,
    pub link: Color32,
    pub chip: Color32,
    pub chip_text: Color32,
    // entity families: light, player, item, trigger, sound, mover, other
    pub entity: [Color32; 7],
}

impl Palette {
    pub fn dark() -> Self {
        Self {
            dark: true,
            base: rgb(0x0e1013),
            bar: rgb(0x15171b),
            panel: rgb(0x1b1e23),
            section: rgb(0x21252b),
            field: rgb(0x121418),
            field_hover: rgb(0x171a1f),
            button: rgb(0x2b3037),
            button_hover: rgb(0x363c45),
            button_down: rgb(0x424954),
            popup: rgb(0x24282e),
            row_hover: rgb(0x262a31),
            scrim: Color32::from_black_alpha(128),
            line: rgb(0x2a2e35),
            line_strong: rgb(0x3c424c),
            text: rgb(0xdde1e7),
            text_dim: rgb(0xa6adb8),
            text_faint: rgb(0x8b939f),
            text_disabled: rgb(0x5f6672),
            accent: rgb(0x4fb9c6),
            accent_hover: rgb(0x6bcad5),
            accent_down: rgb(0x3a9ba8),
            on_accent: rgb(0x07191c),
            accent_soft: rgb(0x1d444b),
            on_soft: rgb(0xe2f5f7),
            soft_idle: rgb(0x2c3138),
            focus: rgb(0x6bcad5),
            error: rgb(0xf47c74),
            warning: rgb(0xe8b54d),
            success: rgb(0x72c58b),
            info: rgb(0x86b7f0),
            view: ViewPalette::dark(),
            scene: ViewPalette::dark(),
        }
    }

    pub fn light() -> Self {
        Self {
            dark: false,
            base: rgb(0xc9cdd3),
            bar: rgb(0xe4e6ea),
            panel: rgb(0xf3f4f6),
            section: rgb(0xe9ebee),
            field: rgb(0xffffff),
            field_hover: rgb(0xffffff),
            button: rgb(0xe0e3e8),
            button_hover: rgb(0xd5d9df),
            button_down: rgb(0xc7ccd4),
            popup: rgb(0xfbfbfc),
            row_hover: rgb(0xe6e9ed),
            scrim: Color32::from_black_alpha(70),
            line: rgb(0xd6dae0),
            line_strong: rgb(0xb4bac4),
            text: rgb(0x1c2026),
            text_dim: rgb(0x4a525d),
            text_faint: rgb(0x5c6470),
            text_disabled: rgb(0x9aa2ad),
            accent: rgb(0x0a7484),
            accent_hover: rgb(0x086270),
            accent_down: rgb(0x054b56),
            on_accent: rgb(0xffffff),
            accent_soft: rgb(0xc4e6eb),
            on_soft: rgb(0x0b2f36),
            soft_idle: rgb(0xdcdfe4),
            focus: rgb(0x0a7484),
            error: rgb(0xa8231b),
            warning: rgb(0x7a5000),
            success: rgb(0x1a6834),
            info: rgb(0x1d57a2),
            view: ViewPalette::light(),
            scene: ViewPalette::dark(),
        }
    }

    /// Ground of badges and counts: thin enough that `color` can still be read on it.
    pub fn tint(&self, color: Color32) -> Color32 {
        color.gamma_multiply(if self.dark { 0.14 } else { 0.10 })
    }

    /// The palette of the theme in use. Cheap: two shared values behind the context.
    pub fn of(ctx: &Context) -> Arc<Self> {
        let theme = ctx.theme();
        ctx.data_mut(|d| {
            d.get_temp_mut_or_insert_with(egui::Id::unique(("palette", theme)), || {
                Arc::new(if theme == Theme::Dark {
                    Self::dark()
                } else {
                    Self::light()
                })
            })
            .clone()
        })
    }
}

impl ViewPalette {
    fn dark() -> Self {
        Self {
            background_2d: rgb(0x131519),
            background_3d: rgb(0x191c21),
            grid_minor: rgb(0x1d2026),
            grid_major: rgb(0x2a2e36),
            grid_super: rgb(0x404651),
            axis: [rgb(0xe0566b), rgb(0x9fcf4a), rgb(0x4a90f0)],
            brush: rgb(0x8f98a6),
            brush_entity: rgb(0xb79ae0),
            mesh: rgb(0x66a89a),
            selected: rgb(0xff5f3d),
            selected_fill: Color32::from_rgba_unmultiplied_const(0xff, 0x5f, 0x3d, 36),
            hover: rgb(0xf2f5f9),
            handle: rgb(0xffd45a),
            handle_selected: rgb(0xff3b30),
            handle_rim: rgb(0x14161a),
            locked: rgb(0x565d68),
            refused: rgb(0xff6b63),
            leak: rgb(0xff5fd2),
            link: rgb(0x7fd0c0),
            chip: Color32::from_rgba_unmultiplied_const(0x0e, 0x10, 0x13, 214),
            chip_text: rgb(0xdde1e7),
            entity: [
                rgb(0xf2cf5b),
                rgb(0x72c58b),
                rgb(0x86b7f0),
                rgb(0xe58fb1),
                rgb(0x9ad0d8),
                rgb(0xb79ae0),
                rgb(0xa6adb8),
            ],
        }
    }

    fn light() -> Self {
        Self {
            background_2d: rgb(0xf7f8f9),
            background_3d: rgb(0xdfe3e8),
            grid_minor: rgb(0xebedf0),
            grid_major: rgb(0xd9dde2),
            grid_super: rgb(0xb9c0c9),
            axis: [rgb(0xa61e3a), rgb(0x447d0a), rgb(0x1c62c9)],
            brush: rgb(0x545d6a),
            brush_entity: rgb(0x7a4fb5),
            mesh: rgb(0x2b7568),
            selected: rgb(0xd83c1a),
            selected_fill: Color32::from_rgba_unmultiplied_const(0xd8, 0x3c, 0x1a, 30),
            hover: rgb(0x111418),
            handle: rgb(0xffc933),
            handle_selected: rgb(0xd8281e),
            handle_rim: rgb(0x2a2e35),
            locked: rgb(0xa9b0ba),
            refused: rgb(0xb3261e),
            leak: rgb(0xb8189a),
            link: rgb(0x14746a),
            chip: Color32::from_rgba_unmultiplied_const(0xff, 0xff, 0xff, 224),
            chip_text: rgb(0x1c2026),
            entity: [
                rgb(0x8a6400),
                rgb(0x1f7a3d),
                rgb(0x1f5fb0),
                rgb(0xa8326a),
                rgb(0x146c7a),
                rgb(0x7a4fb5),
                rgb(0x4a525d),
            ],
        }
    }
}

pub fn medium(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name("medium".into()))
}
pub fn semibold(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name("semibold".into()))
}
pub fn regular(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}
pub fn mono(size: f32) -> FontId {
    FontId::new(size, FontFamily::Monospace)
}

/// The type scale in points. Line heights come from the font (1.21): 13, 15, 16, 19, 24, 34.
pub mod text {
    pub const CAPTION: f32 = 11.0;
    pub const SMALL: f32 = 12.0;
    pub const BODY: f32 = 13.0;
    pub const TITLE: f32 = 16.0;
    pub const HEADING: f32 = 20.0;
    pub const DISPLAY: f32 = 28.0;
}

/// The fonts of the program; `assets/fonts/make_fonts.py` makes them, their licences lie beside them.
pub static FONTS: FontFiles = FontFiles {
    regular: include_bytes!("../../assets/fonts/Inter-Regular.ttf"),
    medium: include_bytes!("../../assets/fonts/Inter-Medium.ttf"),
    semibold: include_bytes!("../../assets/fonts/Inter-SemiBold.ttf"),
    mono: include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf"),
    icons: include_bytes!("../../assets/fonts/Phosphor-Mapwright.ttf"),
};

/// What the window shows where nothing is painted.
pub fn clear_color(ctx: &Context) -> [f32; 4] {
    Palette::of(ctx).base.to_normalized_gamma_f32()
}

/// The five files made by `make_fonts.py`.
pub struct FontFiles {
    pub regular: &'static [u8],
    pub medium: &'static [u8],
    pub semibold: &'static [u8],
    pub mono: &'static [u8],
    pub icons: &'static [u8],
}

fn fonts(files: &FontFiles) -> FontDefinitions {
    let mut fonts = FontDefinitions::default(); // keeps egui's own fonts as the last resort
    let mut add = |name: &str, bytes: &'static [u8]| {
        fonts
            .font_data
            .insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    };
    add("inter", files.regular);
    add("inter-medium", files.medium);
    add("inter-semibold", files.semibold);
    add("jetbrains-mono", files.mono);
    add("phosphor", files.icons);
    let mut family = |family: FontFamily, first: &str| {
        let spare = fonts
            .families
            .get(&family)
            .or_else(|| fonts.families.get(&FontFamily::Proportional))
            .cloned()
            .unwrap_or_default();
        let mut list = vec![first.to_owned(), "inter".to_owned(), "phosphor".to_owned()];
        list.extend(spare);
        list.dedup();
        fonts.families.insert(family, list);
    };
    family(FontFamily::Monospace, "jetbrains-mono");
    family(FontFamily::Name("medium".into()), "inter-medium");
    family(FontFamily::Name("semibold".into()), "inter-semibold");
    family(FontFamily::Proportional, "inter");
    fonts.families.insert(
        FontFamily::Name("icons".into()),
        vec!["phosphor".to_owned(), "inter".to_owned()],
    );
    fonts
}

/// Call once at start; afterwards `ctx.set_theme(ThemePreference::..)` switches.
pub fn install(ctx: &Context, files: &FontFiles) {
    ctx.set_fonts(fonts(files));
    ctx.set_style_of(Theme::Dark, style(&Palette::dark()));
    ctx.set_style_of(Theme::Light, style(&Palette::light()));
}

pub fn style(p: &Palette) -> Style {
    let mut s = Style {
        visuals: if p.dark {
            Visuals::dark()
        } else {
            Visuals::light()
        },
        ..Style::default()
    };

    s.text_styles = [
        (TextStyle::Small, regular(text::CAPTION)),
        (TextStyle::Body, regular(text::BODY)),
        (TextStyle::Button, regular(text::BODY)),
        (TextStyle::Monospace, mono(text::SMALL)),
        (TextStyle::Heading, semibold(text::TITLE)),
    ]
    .into();
    s.drag_value_text_style = TextStyle::Body;
    s.animation_time = motion::HOVER;
    s.compact_menu_style = true;

    let space = &mut s.spacing;
    space.item_spacing = vec2(size::GAP, size::GAP);
    space.button_padding = vec2(8.0, 3.0);
    space.window_margin = Margin::same(16);
    space.menu_margin = Margin::same(4);
    space.indent = size::INDENT;
    space.interact_size = vec2(size::BUTTON, size::BUTTON);
    space.icon_width = 16.0;
    space.icon_width_inner = 10.0;
    space.icon_spacing = 8.0;
    space.combo_width = 80.0;
    space.combo_height = 320.0;
    space.slider_width = 120.0;
    space.slider_rail_height = 4.0;
    space.text_edit_width = 160.0;
    space.tooltip_width = 320.0;
    space.menu_width = 240.0;
    space.menu_spacing = 2.0;
    space.scroll = ScrollStyle {
        bar_width: 8.0,
        floating_width: 4.0,
        handle_min_length: 24.0,
        bar_inner_margin: 2.0,
        bar_outer_margin: 1.0,
        foreground_color: true,
        dormant_handle_opacity: 0.0,
        active_handle_opacity: 0.35,
        interact_handle_opacity: 0.6,
        dormant_background_opacity: 0.0,
        active_background_opacity: 0.0,
        interact_background_opacity: 0.2,
        ..ScrollStyle::floating()
    };

    s.interaction.tooltip_delay = motion::TOOLTIP_DELAY;
    s.interaction.tooltip_grace_time = 0.2;
    s.interaction.selectable_labels = false;
    s.interaction.resize_grab_radius_side = 4.0;
    s.interaction.resize_grab_radius_corner = 8.0;

    let radius = CornerRadius::same(size::RADIUS);
    let state = |fill: Color32, edge: Color32, ink: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, edge),
        fg_stroke: Stroke::new(1.0, ink),
        corner_radius: radius,
        expansion: 0.0,
    };
    let v = &mut s.visuals;
    v.dark_mode = p.dark;
    v.widgets = Widgets {
        noninteractive: state(p.panel, p.line, p.text),
        inactive: state(p.button, Color32::TRANSPARENT, p.text),
        hovered: state(p.button_hover, Color32::TRANSPARENT, p.text),
        active: state(p.button_down, p.accent, p.text),
        open: state(p.button_hover, Color32::TRANSPARENT, p.text),
    };
    v.selection = Selection {
        bg_fill: p.accent_soft,
        stroke: Stroke::new(1.0, p.on_soft),
    };
    v.weak_text_color = Some(p.text_dim);
    v.hyperlink_color = p.accent;
    v.faint_bg_color = p.section;
    v.extreme_bg_color = p.field;
    v.text_edit_bg_color = Some(p.field);
    v.code_bg_color = p.field;
    v.warn_fg_color = p.warning;
    v.error_fg_color = p.error;
    v.panel_fill = p.panel;
    v.window_fill = p.popup;
    v.window_stroke = Stroke::new(1.0, p.line_strong);
    v.window_corner_radius = CornerRadius::same(size::RADIUS_LARGE);
    v.menu_corner_radius = CornerRadius::same(6);
    v.window_shadow = Shadow {
        offset: [0, 12],
        blur: 32,
        spread: 0,
        color: Color32::from_black_alpha(if p.dark { 120 } else { 60 }),
    };
    v.popup_shadow = Shadow {
        offset: [0, 6],
        blur: 16,
        spread: 0,
        color: Color32::from_black_alpha(if p.dark { 100 } else { 40 }),
    };
    v.window_highlight_topmost = false;
    v.resize_corner_size = 10.0;
    v.text_cursor.stroke = Stroke::new(1.5, p.accent);
    v.text_cursor.preview = false;
    v.button_frame = true;
    v.collapsing_header_frame = false;
    v.indent_has_left_vline = false;
    v.striped = false;
    v.slider_trailing_fill = true;
    v.handle_shape = HandleShape::Rect { aspect_ratio: 0.5 };
    v.interact_cursor = None;
    v.numeric_color_space = NumericColorSpace::GammaByte;
    v.disabled_alpha = 0.5;
    s
}
