//! Cycles in a graph of names.

use std::collections::{BTreeMap, BTreeSet};

/// Users, each with the names that they use.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// Groups of names that all reach each other, sorted.
pub fn cycles(graph: &Graph) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|start| (start, reach(graph, start))).collect();
    let both = |a: &String, b: &String| {
        reached.get(a).is_some_and(|all| all.contains(b)) && reached.get(b).is_some_and(|all| all.contains(a))
    };
    let mut groups = BTreeSet::new();
    for name in graph.keys() {
        let group: Vec<String> = graph.keys().filter(|other| both(name, other)).cloned().collect();
        if group.len() > 1 {
            groups.insert(group);
        }
    }
    groups.into_iter().collect()
}

fn reach<'a>(graph: &'a Graph, start: &String) -> BTreeSet<&'a String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(name) = open.pop() {
        for next in graph.get(name).into_iter().flatten() {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}
