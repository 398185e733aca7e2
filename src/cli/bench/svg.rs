//! An SVG chart of the changed lines in RAW by budget.

use super::table::{limit_label, percent};
use crate::app::bench::{BenchReport, Limit, System};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 56.0;

/// Draws the chart.
pub fn chart(report: &BenchReport) -> String {
    let budgets: Vec<usize> = report
        .limits
        .iter()
        .filter_map(|limit| match limit {
            Limit::Budget(tokens) => Some(*tokens),
            Limit::Default => None,
        })
        .collect();
    let span = |tokens: Option<&usize>| tokens.map_or(0.0, |tokens| (*tokens as f64).ln());
    let (low, high) = (span(budgets.first()), span(budgets.last()));
    let x = |tokens: f64| {
        let part = if high > low { (tokens.ln() - low) / (high - low) } else { 0.5 };
        MARGIN + part.clamp(0.0, 1.0) * (WIDTH - 2.0 * MARGIN)
    };
    let y = |share: f64| HEIGHT - MARGIN - share * (HEIGHT - 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{MARGIN}\" y=\"20\">changed lines in RAW, {} commits</text>\n",
        report.commits.len()
    );
    for tenth in (0..=10).step_by(2) {
        let share = f64::from(tenth) / 10.0;
        out.push_str(&format!(
            "<line x1=\"{MARGIN}\" x2=\"{:.1}\" y1=\"{2:.1}\" y2=\"{2:.1}\" stroke=\"#dddddd\"/><text x=\"{:.1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}%</text>\n",
            WIDTH - MARGIN,
            MARGIN - 6.0,
            y(share),
            tenth * 10
        ));
    }
    for budget in &budgets {
        let label = limit_label(Limit::Budget(*budget));
        let (x, y) = (x(*budget as f64), HEIGHT - MARGIN + 20.0);
        out.push_str(&format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>\n"));
    }
    // The last line drawn is the one on top.
    let colours = ["#1f5fa8", "#7a9cc6", "#b0480f"];
    for ((at, system), colour) in System::ALL.into_iter().enumerate().zip(colours).rev() {
        let share = |limit| report.averages(system, limit).map(|one| one.lines);
        let points: Vec<(f64, f64, f64)> = budgets
            .iter()
            .filter_map(|budget| share(Limit::Budget(*budget)).map(|share| (x(*budget as f64), y(share), share)))
            .collect();
        let line: Vec<String> = points.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
        out.push_str(&format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n",
            line.join(" ")
        ));
        for (x, y, share) in points {
            out.push_str(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"><title>{}</title></circle>\n",
                percent(share)
            ));
        }
        let label_y = HEIGHT - MARGIN - 12.0 - 16.0 * (System::ALL.len() - 1 - at) as f64;
        out.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{label_y:.1}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>\n",
            WIDTH - MARGIN,
            system.name()
        ));
    }
    out.push_str("</svg>\n");
    out
}
