//! The program without a window: info, check, convert, compile, render.
//!
//! Exit status: 0 done (warnings allowed), 1 done with errors in the map, 2 nothing done, 130 interrupted. Standard output carries
//! only the result, standard error everything else. Names and JSON keys are a contract: add, do not rename.

mod check;
mod compile;
mod convert;
mod info;
mod original_light;
mod output;
mod render;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::Parser;
use clap::Subcommand;
use clap::ValueEnum;

/// A level editor with a live 3D viewport. Without a command it opens FILE in a window.
#[derive(Parser, Debug)]
#[command(name = "mapwright", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Map to open: .hmap, .rmf, .ol, .ogz, .unr, .dx or .t3d
    pub file: Option<PathBuf>,
    /// Folder, .wad, .utx or .zip file, or game root with textures; may repeat
    #[arg(long, value_name = "PATH")]
    pub assets: Vec<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// What a file holds
    Info(Info),
    /// Findings: format faults, broken brushes, missing textures, dangling links
    Check(Check),
    /// Any readable format to .hmap or .ogz
    Convert(Convert),
    /// Build BSP, collision and light
    Compile(Compile),
    /// A picture of a map
    Render(Render),
}

#[derive(Args, Debug)]
pub struct Info {
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[arg(long)]
    pub json: bool,
    /// Also measure the cubes of Cube 2 maps: areas and volume in the file's units
    #[arg(long)]
    pub geometry: bool,
    /// Folder, .wad, .utx or .zip file, or game root with textures; may repeat
    #[arg(long, value_name = "PATH")]
    pub assets: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Check {
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[arg(long)]
    pub json: bool,
    /// Folder, .wad, .utx or .zip file, or game root with textures; may repeat
    #[arg(long, value_name = "PATH")]
    pub assets: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Convert {
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// A .hmap file, or - for one on standard output; or an .ogz file, which gets a .cfg beside it
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Folder, .wad, .utx or .zip file, or game root with textures; may repeat
    #[arg(long, value_name = "PATH")]
    pub assets: Vec<PathBuf>,
    /// Unreal maps: brushes that carve stay carving brushes instead of the pieces that they leave
    #[arg(long)]
    pub keep_carving: bool,
    /// Unreal maps: also build the map with the light that it came with
    #[arg(long)]
    pub original_light: bool,
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Compile {
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// A .hmap file with source and compiled data, or - for standard output
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Write only what a game needs: materials, entities, compiled data
    #[arg(long, requires = "output")]
    pub runtime: bool,
    /// Folder, .wad, .utx or .zip file, or game root with textures; may repeat
    #[arg(long, value_name = "PATH")]
    pub assets: Vec<PathBuf>,
    /// Direct light at a coarse cut
    #[arg(long, conflicts_with = "full")]
    pub fast: bool,
    /// Finest cut
    #[arg(long)]
    pub full: bool,
    /// Geometry and collision only
    #[arg(long)]
    pub no_light: bool,
    /// Unreal maps: surfaces keep the light that the map came with
    #[arg(long, conflicts_with = "no_light")]
    pub original_light: bool,
    /// Threads to use (default: all cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    Lit,
    Textured,
    Flat,
    Wire,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Direction {
    Top,
    Front,
    Side,
    Overview,
}

#[derive(Args, Debug)]
pub struct Render {
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// A .png file, or - for standard output
    #[arg(short, value_name = "OUT.png", required = true)]
    pub output: PathBuf,
    #[arg(long, default_value = "1280x720", value_name = "WxH", value_parser = parse_size)]
    pub size: [u32; 2],
    #[arg(long, value_enum, default_value = "lit")]
    pub mode: Mode,
    /// In Mapwright's space (Y up); angles in degrees
    #[arg(long, value_name = "X,Y,Z,PITCH,YAW", value_parser = parse_camera, allow_hyphen_values = true, conflicts_with = "view")]
    pub camera: Option<[f64; 5]>,
    #[arg(long, value_enum)]
    pub view: Option<Direction>,
    /// Folder, .wad, .utx or .zip file, or game root with textures; may repeat
    #[arg(long, value_name = "PATH")]
    pub assets: Vec<PathBuf>,
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once(['x', 'X']).ok_or("write it as 1280x720")?;
    let side = |text: &str| {
        text.parse::<u32>()
            .ok()
            .filter(|side| (1..=8192).contains(side))
            .ok_or("each side must be 1 to 8192")
    };
    Ok([side(width)?, side(height)?])
}

fn parse_camera(text: &str) -> Result<[f64; 5], String> {
    let numbers: Vec<f64> = text
        .split(',')
        .filter_map(|word| word.trim().parse().ok())
        .filter(|n: &f64| n.is_finite())
        .collect();
    numbers
        .try_into()
        .map_err(|_| "write five numbers: X,Y,Z,PITCH,YAW".to_owned())
}

/// Nothing was done; the sentence goes to standard error and the exit status is 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl From<crate::assets::OpenError> for Refused {
    fn from(error: crate::assets::OpenError) -> Self {
        Self(error.to_string())
    }
}

/// Exit status of a command that ended in an orderly way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Done,
    /// Done, but the map has errors.
    MapErrors,
    Nothing,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::MapErrors => 1,
            Status::Nothing => 2,
        })
    }
}

pub use self::output::complain;

/// Carries out a windowless command.
#[must_use]
pub fn run(command: &Command) -> ExitCode {
    let result = match command {
        Command::Info(arguments) => info::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Compile(arguments) => compile::run(arguments),
        Command::Render(arguments) => render::run(arguments),
    };
    match result {
        Ok(status) => status.into(),
        Err(refused) => {
            output::complain(&refused.0);
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_consistent() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_and_cameras() {
        assert_eq!(parse_size("64x48"), Ok([64, 48]));
        assert!(
            parse_size("0x4").is_err()
                && parse_size("9000x1").is_err()
                && parse_size("64").is_err()
        );
        assert_eq!(
            parse_camera("1,-2,3,-10,90"),
            Ok([1.0, -2.0, 3.0, -10.0, 90.0])
        );
        assert!(parse_camera("1,2,3,4").is_err() && parse_camera("1,2,3,4,inf").is_err());
        let parsed = Arguments::try_parse_from([
            "mapwright",
            "render",
            "a.hmap",
            "-o",
            "b.png",
            "--camera",
            "-1,2,3,4,5",
        ])
        .expect("parses");
        assert!(
            matches!(parsed.command, Some(Command::Render(Render { camera: Some([x, ..]), .. })) if x == -1.0)
        );
    }
}
