//! The squarified treemap layout (Bruls, Huizing and van Wijk): rectangles with areas in proportion to their weights,
//! as close to squares as possible.

use ratatui::layout::Rect;

/// A cell of the terminal is about twice as high as wide.
const CELL_HEIGHT: f64 = 2.0;

/// A rectangle in fractions of cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    fn size(self) -> f64 {
        self.width * self.height
    }

    /// The whole cells that the area covers. Edges are rounded, so neighbours share an edge but no cell.
    pub fn cells(self) -> Rect {
        // The two areas at an edge may compute slightly different positions, so values near a half must be rounded in
        // the same direction.
        let edge = |at: f64| (at + 1e-6).round().clamp(0.0, f64::from(u16::MAX)) as u16;
        let (left, top) = (edge(self.x), edge(self.y));
        let (right, bottom) = (edge(self.x + self.width), edge(self.y + self.height));
        Rect { x: left, y: top, width: right - left, height: bottom - top }
    }
}

impl From<Rect> for Area {
    fn from(rect: Rect) -> Self {
        let Rect { x, y, width, height } = rect;
        Self { x: x.into(), y: y.into(), width: width.into(), height: height.into() }
    }
}

/// Divides `rect` among the weights, preferably in descending order; the result has the same order.
pub fn squarify(weights: &[usize], rect: Rect) -> Vec<Area> {
    let whole = Area::from(rect);
    let total: f64 = weights.iter().map(|weight| *weight as f64).sum();
    if total <= 0.0 {
        return vec![Area { width: 0.0, height: 0.0, ..whole }; weights.len()];
    }
    // Rows are chosen in square units, and scaled back at the end.
    let mut free = Area { y: whole.y * CELL_HEIGHT, height: whole.height * CELL_HEIGHT, ..whole };
    let scale = free.size() / total;
    let sizes: Vec<f64> = weights.iter().map(|weight| *weight as f64 * scale).collect();
    let mut areas = Vec::with_capacity(sizes.len());
    let mut at = 0;
    while at < sizes.len() {
        let side = free.width.min(free.height);
        let mut end = at + 1;
        while end < sizes.len() && worst(&sizes[at..=end], side) <= worst(&sizes[at..end], side) {
            end += 1;
        }
        // The last row gets the remaining area, so that rounding errors leave no gap.
        let row = &sizes[at..end];
        free = place_row(row, free, end == sizes.len(), &mut areas);
        at = end;
    }
    let back = |area: Area| Area { y: area.y / CELL_HEIGHT, height: area.height / CELL_HEIGHT, ..area };
    areas.into_iter().map(back).collect()
}

/// The worst ratio of sides in a row along a side of this length.
fn worst(row: &[f64], side: f64) -> f64 {
    let sum: f64 = row.iter().sum();
    let (mut most, mut least) = (0.0_f64, f64::INFINITY);
    for size in row {
        (most, least) = (most.max(*size), least.min(*size));
    }
    if least <= 0.0 || side <= 0.0 {
        return f64::INFINITY;
    }
    (side * side * most / (sum * sum)).max(sum * sum / (side * side * least))
}

/// Lays a row along the shorter side and returns the area that is left.
fn place_row(row: &[f64], free: Area, last: bool, areas: &mut Vec<Area>) -> Area {
    let sum: f64 = row.iter().sum();
    let upright = free.width >= free.height;
    let side = if upright { free.height } else { free.width };
    let depth = match (last, upright) {
        (true, true) => free.width,
        (true, false) => free.height,
        (false, _) if side > 0.0 => sum / side,
        _ => 0.0,
    };
    let mut before = 0.0;
    for size in row {
        let share = |part: f64| if sum > 0.0 { side * part / sum } else { 0.0 };
        let (from, to) = (share(before), share(before + size));
        before += size;
        areas.push(if upright {
            Area { x: free.x, y: free.y + from, width: depth, height: to - from }
        } else {
            Area { x: free.x + from, y: free.y, width: to - from, height: depth }
        });
    }
    if upright {
        Area { x: free.x + depth, width: (free.width - depth).max(0.0), ..free }
    } else {
        Area { y: free.y + depth, height: (free.height - depth).max(0.0), ..free }
    }
}

/// A direction of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// The block next to `from` in a direction: the nearest one in the same rows or columns, or else the nearest.
pub fn neighbour(blocks: &[Rect], from: usize, direction: Direction) -> Option<usize> {
    let here = *blocks.get(from)?;
    let across = matches!(direction, Direction::Left | Direction::Right);
    let apart = |other: &Rect| -> Option<i32> {
        let gap = match direction {
            Direction::Left => i32::from(here.x) - i32::from(other.right()),
            Direction::Right => i32::from(other.x) - i32::from(here.right()),
            Direction::Up => i32::from(here.y) - i32::from(other.bottom()),
            Direction::Down => i32::from(other.y) - i32::from(here.bottom()),
        };
        (gap >= 0).then_some(gap)
    };
    let shared = |other: &Rect| -> i32 {
        let (low, high) = if across {
            (here.y.max(other.y), here.bottom().min(other.bottom()))
        } else {
            (here.x.max(other.x), here.right().min(other.right()))
        };
        i32::from(high) - i32::from(low)
    };
    let others = blocks.iter().enumerate().filter(|(at, block)| *at != from && !block.is_empty());
    let reachable = others.filter_map(|(at, block)| Some((at, apart(block)?, shared(block))));
    reachable.min_by_key(|(at, gap, shared)| (*shared <= 0, *gap, -shared, *at)).map(|(at, _, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WHOLE: Rect = Rect { x: 3, y: 2, width: 60, height: 20 };

    #[test]
    fn blocks_are_squarish_and_ordered() {
        let areas = squarify(&[60, 60, 40, 30, 20, 20, 10], WHOLE);
        for area in &areas {
            let ratio = area.width / (area.height * CELL_HEIGHT);
            assert!((0.25..=4.0).contains(&ratio), "{areas:?}");
        }
        assert_eq!((areas[0].x, areas[0].y), (3.0, 2.0));
    }

    #[test]
    fn one_weight_fills_the_area_and_none_fills_nothing() {
        assert_eq!(squarify(&[7], WHOLE)[0].cells(), WHOLE);
        assert!(squarify(&[], WHOLE).is_empty());
        assert!(squarify(&[0, 0], WHOLE).iter().all(|area| area.cells().is_empty()));
    }

    #[test]
    fn the_cursor_finds_the_next_block_in_a_direction() {
        let block = |x, y, width, height| Rect { x, y, width, height };
        // A wide block on the left, two next to it, and one below all of them.
        let blocks = [block(0, 0, 10, 10), block(10, 0, 10, 4), block(10, 4, 10, 6), block(0, 10, 20, 5)];
        assert_eq!(neighbour(&blocks, 0, Direction::Right), Some(2), "it shares the longer edge");
        assert_eq!(neighbour(&blocks, 2, Direction::Left), Some(0));
        assert_eq!(neighbour(&blocks, 1, Direction::Down), Some(2));
        assert_eq!(neighbour(&blocks, 2, Direction::Down), Some(3));
        assert_eq!(neighbour(&blocks, 3, Direction::Up), Some(0));
        assert_eq!(neighbour(&blocks, 0, Direction::Left), None);
    }

    proptest! {
        #[test]
        fn areas_are_proportional_and_fit(
            mut weights in prop::collection::vec(1usize..50_000, 1..60),
            width in 4u16..200, height in 4u16..60,
        ) {
            weights.sort_unstable_by(|a, b| b.cmp(a));
            let rect = Rect { x: 5, y: 1, width, height };
            let areas = squarify(&weights, rect);
            prop_assert_eq!(areas.len(), weights.len());
            let total: f64 = weights.iter().map(|weight| *weight as f64).sum();
            let whole = f64::from(width) * f64::from(height);
            for (area, weight) in areas.iter().zip(&weights) {
                let expected = *weight as f64 / total * whole;
                prop_assert!((area.size() - expected).abs() < 1e-6 * whole, "{area:?} is not {expected}");
                let cells = area.cells();
                prop_assert_eq!(cells.intersection(rect).area(), cells.area());
            }
        }

        #[test]
        fn every_cell_belongs_to_one_block(
            mut weights in prop::collection::vec(1usize..50_000, 1..60),
            width in 4u16..120, height in 4u16..50,
        ) {
            weights.sort_unstable_by(|a, b| b.cmp(a));
            let rect = Rect { x: 0, y: 0, width, height };
            let blocks: Vec<Rect> = squarify(&weights, rect).into_iter().map(Area::cells).collect();
            let mut owners = vec![0; usize::from(width) * usize::from(height)];
            for block in &blocks {
                for position in block.positions() {
                    owners[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
                }
            }
            prop_assert!(owners.iter().all(|count| *count == 1), "{blocks:?}");
        }

        #[test]
        fn every_step_of_the_cursor_leads_to_another_block(
            mut weights in prop::collection::vec(1usize..9_000, 2..30),
        ) {
            weights.sort_unstable_by(|a, b| b.cmp(a));
            let blocks: Vec<Rect> = squarify(&weights, WHOLE).into_iter().map(Area::cells).collect();
            for from in 0..blocks.len() {
                for direction in [Direction::Left, Direction::Right, Direction::Up, Direction::Down] {
                    if let Some(to) = neighbour(&blocks, from, direction) {
                        prop_assert!(to != from && !blocks[to].is_empty());
                    }
                }
            }
        }
    }
}
