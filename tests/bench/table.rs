//! Measuring and printing.

use std::time::Duration;
use std::time::Instant;

/// How long one row may take in all, and how few runs it may have.
const PER_ROW: Duration = Duration::from_millis(1500);
const LEAST_RUNS: usize = 5;
/// Fewer say nothing of the slowest twentieth.
const LEAST_RUNS_P95: usize = 40;
const MOST_RUNS: usize = 2000;

/// Which figure a budget is of.
#[derive(Clone, Copy, PartialEq)]
enum Guards {
    Median,
    P95,
}

struct Row {
    name: String,
    median_ms: f64,
    /// 19 of 20 runs take no longer.
    p95_ms: f64,
    fastest_ms: f64,
    budget_ms: f64,
    guards: Guards,
    runs: usize,
}

impl Row {
    /// What the budget is of.
    fn guarded_ms(&self) -> f64 {
        match self.guards {
            Guards::Median => self.median_ms,
            Guards::P95 => self.p95_ms,
        }
    }
}

/// Rows of medians and of the slowest twentieth beside their budgets.
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

    /// Measures `work`; the budget is of the median, infinite = none.
    pub fn measure<T>(&mut self, name: &str, budget_ms: f64, work: impl FnMut() -> T) {
        self.run(name, (budget_ms, Guards::Median), work, |made| {
            std::hint::black_box(made);
        });
    }

    /// The same with a budget that 19 of 20 runs must keep.
    pub fn measure_p95<T>(&mut self, name: &str, budget_ms: f64, work: impl FnMut() -> T) {
        self.measure_p95_then(name, budget_ms, work, |made| {
            std::hint::black_box(made);
        });
    }

    /// The same; what was made goes to `after`, whose time does not count.
    pub fn measure_p95_then<T>(
        &mut self,
        name: &str,
        budget_ms: f64,
        work: impl FnMut() -> T,
        after: impl FnMut(T),
    ) {
        self.run(name, (budget_ms, Guards::P95), work, after);
    }

    fn run<T>(
        &mut self,
        name: &str,
        (budget_ms, guards): (f64, Guards),
        mut work: impl FnMut() -> T,
        mut after: impl FnMut(T),
    ) {
        if !name.contains(&self.filter) {
            return;
        }
        let least = match guards {
            Guards::Median => LEAST_RUNS,
            Guards::P95 => LEAST_RUNS_P95,
        };
        after(work());
        let start = Instant::now();
        let mut times = Vec::new();
        while times.len() < least || (start.elapsed() < PER_ROW && times.len() < MOST_RUNS) {
            let before = Instant::now();
            let made = std::hint::black_box(work());
            times.push(before.elapsed().as_secs_f64() * 1000.0);
            after(made);
        }
        times.sort_by(f64::total_cmp);
        let row = Row {
            name: name.to_owned(),
            median_ms: times[times.len() / 2],
            p95_ms: times[(times.len() * 19 / 20).min(times.len() - 1)],
            fastest_ms: times[0],
            budget_ms,
            guards,
            runs: times.len(),
        };
        eprintln!("{}: {:.4} ms", row.name, row.guarded_ms());
        self.rows.push(row);
    }

    pub fn print(&self) {
        println!(
            "{:<62} {:>10} {:>10} {:>10} {:>11} {:>7} {:>6}",
            "", "median ms", "p95", "fastest", "budget", "ratio", "runs"
        );
        for row in &self.rows {
            let (budget, ratio) = if row.budget_ms.is_finite() {
                let of = match row.guards {
                    Guards::Median => "",
                    Guards::P95 => "p95 ",
                };
                (
                    format!("{of}{:.2}", row.budget_ms),
                    format!("{:.2}", row.guarded_ms() / row.budget_ms),
                )
            } else {
                (String::new(), String::new())
            };
            println!(
                "{:<62} {:>10.4} {:>10.4} {:>10.4} {budget:>11} {ratio:>7} {:>6}",
                row.name, row.median_ms, row.p95_ms, row.fastest_ms, row.runs
            );
        }
    }
}
