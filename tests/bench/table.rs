//! Measuring and printing.

use std::time::Duration;
use std::time::Instant;

/// How long one row may take in all, and how few runs it may have.
const PER_ROW: Duration = Duration::from_millis(1500);
const LEAST_RUNS: usize = 5;
const MOST_RUNS: usize = 2000;

struct Row {
    name: String,
    median_ms: f64,
    fastest_ms: f64,
    budget_ms: f64,
    runs: usize,
}

/// Rows of medians beside their budgets.
pub struct Table {
    filter: String,
    rows: Vec<Row>,
}

impl Table {
    /// The first argument that is no option is a filter of row names.
    pub fn from_arguments() -> Self {
        let filter = std::env::args()
            .skip(1)
            .find(|argument| !argument.starts_with("--"))
            .unwrap_or_default();
        Self {
            filter,
            rows: Vec::new(),
        }
    }

    /// False when no row with this part in its name is asked for, so that its preparation can be left out.
    pub fn wants(&self, part: &str) -> bool {
        self.filter.is_empty() || part.contains(&self.filter) || self.filter.contains(part)
    }

    /// Measures `work`; `budget_ms` infinite = no budget.
    pub fn measure<T>(&mut self, name: &str, budget_ms: f64, mut work: impl FnMut() -> T) {
        if !name.contains(&self.filter) {
            return;
        }
        std::hint::black_box(work());
        let start = Instant::now();
        let mut times = Vec::new();
        while times.len() < LEAST_RUNS || (start.elapsed() < PER_ROW && times.len() < MOST_RUNS) {
            let before = Instant::now();
            std::hint::black_box(work());
            times.push(before.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        let row = Row {
            name: name.to_owned(),
            median_ms: times[times.len() / 2],
            fastest_ms: times[0],
            budget_ms,
            runs: times.len(),
        };
        eprintln!("{}: {:.4} ms", row.name, row.median_ms);
        self.rows.push(row);
    }

    pub fn print(&self) {
        println!(
            "{:<58} {:>10} {:>10} {:>10} {:>7} {:>6}",
            "", "median ms", "fastest", "budget", "ratio", "runs"
        );
        for row in &self.rows {
            let (budget, ratio) = if row.budget_ms.is_finite() {
                (
                    format!("{:.2}", row.budget_ms),
                    format!("{:.2}", row.median_ms / row.budget_ms),
                )
            } else {
                (String::new(), String::new())
            };
            println!(
                "{:<58} {:>10.4} {:>10.4} {budget:>10} {ratio:>7} {:>6}",
                row.name, row.median_ms, row.fastest_ms, row.runs
            );
        }
    }
}
