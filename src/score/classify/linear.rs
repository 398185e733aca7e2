//! The linear models: one table of weights for types and complexities, read from `assets/task-type/weights.tsv`.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::features::Features;

/// Number of task types. Their columns come first.
pub const TYPES: usize = 7;
/// Number of complexities. Their columns follow those of the types.
pub const LEVELS: usize = 3;
const COLUMNS: usize = TYPES + LEVELS;
/// The table stores hundredths as integers.
const SCALE: f64 = 100.0;

type Row = [i16; COLUMNS];

fn table() -> &'static HashMap<&'static str, Row> {
    static TABLE: OnceLock<HashMap<&'static str, Row>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let lines = include_str!("../../../assets/task-type/weights.tsv").lines();
        let row = |line: &'static str| {
            let (name, weights) = line.split_once('\t')?;
            let mut row = [0; COLUMNS];
            for (cell, weight) in row.iter_mut().zip(weights.split(' ')) {
                *cell = weight.parse().ok()?;
            }
            Some((name, row))
        };
        lines.filter_map(row).collect()
    })
}

/// The weighted sums for each type and complexity.
pub fn sums(features: &Features) -> [f64; COLUMNS] {
    let mut sums = [0.0; COLUMNS];
    let mut add = |name: &str, value: f64| {
        for (sum, weight) in sums.iter_mut().zip(table().get(name).into_iter().flatten()) {
            *sum += value * f64::from(*weight) / SCALE;
        }
    };
    add("bias", 1.0);
    for (name, value) in &features.values {
        add(name, *value);
    }
    sums
}

/// The contribution of each feature to one column.
pub fn contributions(features: &Features, column: usize) -> Vec<(&str, f64)> {
    let one = |(name, value): (&'_ String, &f64)| -> Option<f64> {
        Some(value * f64::from(table().get(name.as_str())?[column]) / SCALE)
    };
    features.values.iter().filter_map(|pair| Some((pair.0.as_str(), one(pair)?))).collect()
}

/// The index of the largest value.
pub fn largest(values: &[f64]) -> usize {
    values.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let lines = include_str!("../../../assets/task-type/weights.tsv").lines();
        assert_eq!(table().len(), lines.filter(|line| !line.starts_with("# ")).count());
        assert!(table().contains_key("bias"));
    }
}
