//! The words by which layers are named in SVG, and the symbols that can be drawn.

use crate::page::{Node, Page, Part, Subject};
use std::collections::{BTreeMap, BTreeSet};

impl Subject {
    /// Its name in small letters: `wall`, `curtain-wall`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Door => "door",
            Self::Window => "window",
            Self::CurtainWall => "curtain-wall",
            Self::Slab => "slab",
            Self::Roof => "roof",
            Self::Ceiling => "ceiling",
            Self::Column => "column",
            Self::Beam => "beam",
            Self::Foundation => "foundation",
            Self::Stair => "stair",
            Self::Ramp => "ramp",
            Self::Railing => "railing",
            Self::Furniture => "furniture",
            Self::Sanitary => "sanitary",
            Self::Mechanical => "mechanical",
            Self::Electrical => "electrical",
            Self::Space => "space",
            Self::Site => "site",
            Self::Grid => "grid",
            Self::Level => "level",
            Self::Dimension => "dimension",
            Self::Tag => "tag",
            Self::Symbol => "symbol",
            Self::TitleBlock => "title-block",
            Self::Finding => "finding",
            Self::Route => "route",
            Self::Revision => "revision",
            Self::Other => "other",
        }
    }
}

impl Part {
    /// Its name in small letters: `cut`, `pattern`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Pattern => "pattern",
            Self::Seen => "seen",
            Self::Hidden => "hidden",
            Self::Symbol => "symbol",
            Self::Text => "text",
        }
    }
}

/// Groups within each other beyond this are not drawn.
pub(crate) const DEEPEST: usize = 100;

/// The symbols that can be drawn, each after those that it is made of. One that holds itself, at whatever depth, is left out, and so is
/// whatever places it.
pub(crate) fn symbols(page: &Page) -> Vec<(&str, &[Node])> {
    let needs: BTreeMap<&str, BTreeSet<&str>> = page
        .symbols
        .iter()
        .map(|(name, nodes)| {
            let mut used = BTreeSet::new();
            uses(nodes, 0, &mut used);
            (name.as_str(), used)
        })
        .collect();
    let mut done: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order = Vec::new();
    loop {
        let before = order.len();
        for (name, used) in &needs {
            if done.contains_key(name) {
                continue;
            }
            let depth = used
                .iter()
                .filter(|own| page.symbols.contains_key(**own))
                .try_fold(0, |most, own| done.get(own).map(|depth: &usize| most.max(depth + 1)));
            let (Some(depth), Some(nodes)) = (depth, page.symbols.get(*name)) else { continue };
            if depth < DEEPEST {
                done.insert(name, depth);
                order.push((*name, nodes.as_slice()));
            }
        }
        if order.len() == before {
            return order;
        }
    }
}

fn uses<'a>(nodes: &'a [Node], depth: usize, into: &mut BTreeSet<&'a str>) {
    for node in nodes {
        match node {
            Node::Use(own) => {
                into.insert(&own.symbol);
            }
            Node::Group(group) if depth < DEEPEST => uses(&group.nodes, depth + 1, into),
            Node::Group(_) | Node::Path(_) | Node::Text(_) | Node::Picture(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Use;
    use glam::DVec2;

    #[test]
    fn symbols_come_after_their_parts_and_circles_are_left_out() {
        let place = |symbol: &str| {
            Node::Use(Use {
                symbol: symbol.into(),
                at: DVec2::ZERO,
                angle: 0.0,
                scale: DVec2::ONE,
                layer: None,
            })
        };
        let mut page = Page::default();
        for (name, parts) in [
            ("a", vec!["z"]),
            ("z", vec!["nowhere"]),
            ("b", vec!["c"]),
            ("c", vec!["b"]),
            ("d", vec!["b"]),
            ("e", vec!["e"]),
        ] {
            page.symbols.insert(name.into(), parts.into_iter().map(place).collect());
        }
        let names: Vec<&str> = symbols(&page).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["z", "a"]);
    }
}
