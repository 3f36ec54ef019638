//! `mapwright compile`: BSP, collision and light, with a report.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use serde_json::Value;
use serde_json::json;

use crate::assets::open_map_with;
use crate::cli::Compile;
use crate::cli::Refused;
use crate::cli::Status;
use crate::cli::original_light;
use crate::cli::output;
use crate::compiler;
use crate::compiler::Compiled;
use crate::compiler::Options;
use crate::compiler::Quality;
use crate::document::Severity;
use crate::formats::ImportOptions;
use crate::formats::hmap;
use crate::task::Progress;

pub fn run(arguments: &Compile) -> Result<Status, Refused> {
    let import = ImportOptions {
        original_light: arguments.original_light,
        ..ImportOptions::default()
    };
    let opened = open_map_with(
        &arguments.input,
        &arguments.assets,
        import,
        &Progress::new(),
    )?;
    let imported = opened.imported;
    let options = Options {
        quality: match (arguments.fast, arguments.full) {
            (true, _) => Quality::Fast,
            (_, true) => Quality::Full,
            _ => Quality::Normal,
        },
        light: !arguments.no_light,
        threads: arguments.threads.map(usize::from),
        given_light: original_light::wanted(arguments.original_light, &imported, &arguments.input),
        clock: Some(seconds),
        ..Options::default()
    };
    let progress = Progress::new();
    let bar = Bar::start(&progress);
    let compiled = compiler::compile(
        &imported.doc,
        &options,
        &mut compiler::Cache::default(),
        &progress,
    );
    drop(bar);
    let compiled = compiled.map_err(|cancelled| {
        Refused(format!(
            "Could not compile {}: {cancelled}",
            arguments.input.display()
        ))
    })?;
    if let Some(out) = &arguments.output {
        let bytes = if arguments.runtime {
            hmap::write_runtime(&imported.doc, &imported.extras, &compiled, out)
        } else {
            hmap::write(
                &imported.doc,
                &imported.view,
                &imported.extras,
                Some(&compiled),
                out,
            )
        };
        output::file(out, &bytes.map_err(|error| Refused(error.to_string()))?)?;
    }
    let text = if arguments.json {
        report(&compiled).to_string()
    } else {
        in_words(&arguments.input, &compiled)
    };
    output::result(&text, arguments.output.as_deref())?;
    let has_errors = compiled
        .issues
        .iter()
        .any(|issue| issue.severity == Severity::Error);
    Ok(if has_errors {
        Status::MapErrors
    } else {
        Status::Done
    })
}

/// Seconds since the first call: the clock that the compiler does not have itself.
fn seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn messages(compiled: &Compiled) -> BTreeMap<&'static str, usize> {
    let mut messages = BTreeMap::new();
    for issue in &compiled.issues {
        *messages.entry(issue.code).or_default() += 1;
    }
    messages
}

fn report(compiled: &Compiled) -> Value {
    let stats = &compiled.stats;
    let stages: Vec<Value> = stats
        .stages
        .iter()
        .map(|(name, seconds)| json!({ "name": name, "seconds": seconds }))
        .collect();
    let leak = compiled.leak.as_ref().map(|leak| {
        json!({ "from": leak.from.get(), "path": leak.path.iter().map(|p| p.to_array()).collect::<Vec<_>>(), "width": leak.width,
                "brushes": leak.brushes.iter().map(|id| id.get()).collect::<Vec<_>>() })
    });
    json!({
        "stages": stages, "seconds": stats.seconds, "threads": stats.threads, "peak_bytes": output::peak_bytes(),
        "counts": { "brushes": stats.brushes, "faces_in": stats.faces_in, "fragments": stats.fragments, "merged": stats.merged,
                    "t_junctions": stats.t_junctions, "vertices": stats.vertices, "triangles": stats.triangles, "batches": stats.batches,
                    "models": stats.models, "planes": stats.planes, "nodes": stats.nodes, "leaves": stats.leaves,
                    "leaf_refs": stats.leaf_refs, "depth": stats.depth, "lights": stats.lights, "rays": stats.rays },
        "drawn_area": stats.drawn_area, "sealed": compiled.sealed, "leak": leak, "messages": messages(compiled),
    })
}

fn in_words(input: &Path, compiled: &Compiled) -> String {
    let stats = &compiled.stats;
    let mut text = format!(
        "{}: compiled in {:.2} s on {} threads: {} brushes, {} triangles, {} BSP nodes, {} lights",
        input.display(),
        stats.seconds,
        stats.threads,
        stats.brushes,
        stats.triangles,
        stats.nodes,
        stats.lights
    );
    for (name, seconds) in &stats.stages {
        text.push_str(&format!("\n  {name:10} {:7.1} ms", seconds * 1000.0));
    }
    for (code, count) in messages(compiled) {
        text.push_str(&format!("\n  {code}: {count}"));
    }
    text
}

/// A progress bar on a terminal's standard error; nothing anywhere else.
struct Bar {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Bar {
    fn start(progress: &Progress) -> Option<Self> {
        if !std::io::stderr().is_terminal() {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, progress) = (Arc::clone(&stop), progress.clone());
        let draw = move || {
            while !stopped.load(Ordering::Relaxed) {
                let (stage, fraction) = progress.get();
                let done = (fraction * 30.0) as usize;
                let _ = write!(
                    std::io::stderr(),
                    "\r[{}{}] {stage:<10}",
                    "#".repeat(done),
                    ".".repeat(30 - done.min(30))
                );
                std::thread::sleep(Duration::from_millis(80));
            }
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        };
        let thread = std::thread::Builder::new()
            .name("progress".to_owned())
            .spawn(draw)
            .ok();
        Some(Self { stop, thread })
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
