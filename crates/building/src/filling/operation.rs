//! How doors open and windows are parted: the words of the schema, and the panels that each stands for.

use super::{Filling, Leaf};
use crate::author::Author;
use crate::lookup;
use contract::Fault;

/// The way a panel of a door moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Turns on hinges at its left or right; forward is toward +y.
    Swing {
        /// True if it hangs at its left, seen towards +y.
        left: bool,
        /// True if it opens towards +y.
        forward: bool,
    },
    /// Turns both ways.
    Double {
        /// True if it hangs at its left.
        left: bool,
    },
    /// Slides to the left or right.
    Slide {
        /// True if it goes to the left.
        left: bool,
    },
    /// Folds to the left or right.
    Fold {
        /// True if it goes to the left.
        left: bool,
    },
    /// Turns round its middle.
    Revolve,
    /// Rolls up.
    Roll,
    /// Lifts.
    Lift,
    /// Stays.
    Fixed,
}

impl Action {
    /// The word of IfcDoorPanelOperationEnum.
    pub(super) fn word(self, fixed: bool) -> &'static str {
        match self {
            Self::Swing { .. } => "SWINGING",
            Self::Double { .. } => "DOUBLE_ACTING",
            Self::Slide { .. } => "SLIDING",
            Self::Fold { .. } => "FOLDING",
            Self::Revolve => "REVOLVING",
            Self::Roll => "ROLLINGUP",
            Self::Fixed if fixed => "FIXEDPANEL",
            Self::Lift | Self::Fixed => "NOTDEFINED",
        }
    }
}

/// Returns the panels of a door, from left to right, by the word of its OperationType.
pub fn door_panels(operation: &str) -> Vec<Action> {
    let swing = |left, forward| Action::Swing { left, forward };
    match operation {
        "SINGLE_SWING_LEFT" => vec![swing(true, true)],
        "SINGLE_SWING_RIGHT" => vec![swing(false, true)],
        "DOUBLE_DOOR_SINGLE_SWING" => vec![swing(true, true), swing(false, true)],
        "DOUBLE_DOOR_SINGLE_SWING_OPPOSITE_LEFT" => vec![swing(true, true), swing(false, false)],
        "DOUBLE_DOOR_SINGLE_SWING_OPPOSITE_RIGHT" => vec![swing(true, false), swing(false, true)],
        "DOUBLE_SWING_LEFT" => vec![Action::Double { left: true }],
        "DOUBLE_SWING_RIGHT" => vec![Action::Double { left: false }],
        "DOUBLE_DOOR_DOUBLE_SWING" => vec![Action::Double { left: true }, Action::Double { left: false }],
        "SLIDING_TO_LEFT" => vec![Action::Slide { left: true }],
        "SLIDING_TO_RIGHT" => vec![Action::Slide { left: false }],
        "DOUBLE_DOOR_SLIDING" => vec![Action::Slide { left: true }, Action::Slide { left: false }],
        "FOLDING_TO_LEFT" => vec![Action::Fold { left: true }; 2],
        "FOLDING_TO_RIGHT" => vec![Action::Fold { left: false }; 2],
        "DOUBLE_DOOR_FOLDING" => {
            let (left, right) = (Action::Fold { left: true }, Action::Fold { left: false });
            vec![left, left, right, right]
        }
        "REVOLVING" | "REVOLVING_VERTICAL" => vec![Action::Revolve],
        "ROLLINGUP" => vec![Action::Roll],
        "LIFTING_HORIZONTAL" | "LIFTING_VERTICAL_LEFT" | "LIFTING_VERTICAL_RIGHT" => vec![Action::Lift],
        "DOUBLE_DOOR_LIFTING_VERTICAL" => vec![Action::Lift; 2],
        "SWING_FIXED_LEFT" => vec![swing(true, true), Action::Fixed],
        "SWING_FIXED_RIGHT" => vec![Action::Fixed, swing(false, true)],
        _ => vec![Action::Fixed],
    }
}

/// A pane of a window: its box in parts of what the lining leaves free, its place and how it opens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pane {
    /// From where to where across.
    pub x: (f64, f64),
    /// From where to where up.
    pub z: (f64, f64),
    /// The word of IfcWindowPanelPositionEnum.
    pub position: &'static str,
    /// The word of IfcWindowPanelOperationEnum.
    pub operation: &'static str,
}

const LEFT: &str = "SIDEHUNGLEFTHAND";
const RIGHT: &str = "SIDEHUNGRIGHTHAND";
const FIXED: &str = "FIXEDCASEMENT";
const TOP: &str = "BOTTOMHUNG";

/// The panes of a window, by the word of its partitioning; one where that is none of the schema's.
pub fn window_panes(partitioning: &str) -> Vec<Pane> {
    let pane = |x, z, position, operation| Pane { x, z, position, operation };
    let (whole, third) = ((0.0, 1.0), 1.0 / 3.0);
    let (first, second) = ((0.0, 0.5), (0.5, 1.0));
    match partitioning {
        "DOUBLE_PANEL_VERTICAL" => {
            vec![pane(first, whole, "LEFT", LEFT), pane(second, whole, "RIGHT", RIGHT)]
        }
        "DOUBLE_PANEL_HORIZONTAL" => {
            vec![pane(whole, first, "BOTTOM", FIXED), pane(whole, second, "TOP", TOP)]
        }
        "TRIPLE_PANEL_VERTICAL" => vec![
            pane((0.0, third), whole, "LEFT", LEFT),
            pane((third, 2.0 * third), whole, "MIDDLE", FIXED),
            pane((2.0 * third, 1.0), whole, "RIGHT", RIGHT),
        ],
        "TRIPLE_PANEL_HORIZONTAL" => vec![
            pane(whole, (0.0, third), "BOTTOM", FIXED),
            pane(whole, (third, 2.0 * third), "MIDDLE", FIXED),
            pane(whole, (2.0 * third, 1.0), "TOP", TOP),
        ],
        "TRIPLE_PANEL_BOTTOM" => vec![
            pane(whole, (0.0, third), "BOTTOM", FIXED),
            pane(first, (third, 1.0), "LEFT", LEFT),
            pane(second, (third, 1.0), "RIGHT", RIGHT),
        ],
        "TRIPLE_PANEL_TOP" => vec![
            pane(first, (0.0, 2.0 * third), "LEFT", LEFT),
            pane(second, (0.0, 2.0 * third), "RIGHT", RIGHT),
            pane(whole, (2.0 * third, 1.0), "TOP", TOP),
        ],
        "TRIPLE_PANEL_LEFT" => vec![
            pane((0.0, third), whole, "LEFT", LEFT),
            pane((third, 1.0), first, "BOTTOM", FIXED),
            pane((third, 1.0), second, "TOP", TOP),
        ],
        "TRIPLE_PANEL_RIGHT" => vec![
            pane((0.0, 2.0 * third), first, "BOTTOM", FIXED),
            pane((0.0, 2.0 * third), second, "TOP", TOP),
            pane((2.0 * third, 1.0), whole, "RIGHT", RIGHT),
        ],
        _ => vec![pane(whole, whole, "MIDDLE", RIGHT)],
    }
}

/// Returns the word for how a filling opens where nothing is said.
pub(super) fn usual(kind: Filling) -> &'static str {
    if kind == Filling::Window { "SINGLE_PANEL" } else { "SINGLE_SWING_LEFT" }
}

/// Reads how a door opens or a window is parted, as this schema's enumerations say it; of a window, how its panels open may be said
/// instead, which is the second word.
pub(super) fn read(
    author: &Author,
    leaf: &Leaf,
    given: Option<&str>,
) -> Result<(String, Option<&'static str>), Fault> {
    let Some(given) = given.map(|g| g.trim().to_uppercase().replace([' ', '-'], "_")) else {
        return Ok((usual(leaf.kind).to_owned(), None));
    };
    let (class, attribute) = match (leaf.kind, author.legacy()) {
        (Filling::Window, true) => ("IfcWindowStyle", "OperationType"),
        (Filling::Window, false) => ("IfcWindow", "PartitioningType"),
        (_, true) => ("IfcDoorStyle", "OperationType"),
        (_, false) => ("IfcDoor", "OperationType"),
    };
    let mut allowed = lookup::enumeration(author.edit, class, attribute);
    // what is user-defined says as what, for which there is no parameter
    allowed.retain(|item| *item != "USERDEFINED");
    if allowed.contains(&given.as_str()) {
        return Ok((given, None));
    }
    let of_panels = if leaf.kind == Filling::Window { panel_words(author) } else { Vec::new() };
    if let Some(word) = of_panels.iter().find(|word| **word == given) {
        return Ok((usual(leaf.kind).to_owned(), Some(*word)));
    }
    let all: Vec<&str> = allowed.iter().chain(&of_panels).copied().collect();
    let near = lookup::near(&given, all.iter().copied());
    let hint = near.first().map_or_else(String::new, |n| format!(" Did you mean {n}?"));
    Err(Fault::invalid(
        "operation_type",
        format!("`operation_type` {given} is not one of {class}.{attribute}.{hint}"),
    )
    .with("allowed", all))
}

/// The words for how the panels of windows open.
pub(super) fn panel_words(author: &Author) -> Vec<&'static str> {
    lookup::enumeration(author.edit, "IfcWindowPanelProperties", "OperationType")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_panes_of_every_window_cover_it_once() {
        for partitioning in [
            "SINGLE_PANEL",
            "DOUBLE_PANEL_VERTICAL",
            "DOUBLE_PANEL_HORIZONTAL",
            "TRIPLE_PANEL_VERTICAL",
            "TRIPLE_PANEL_HORIZONTAL",
            "TRIPLE_PANEL_BOTTOM",
            "TRIPLE_PANEL_TOP",
            "TRIPLE_PANEL_LEFT",
            "TRIPLE_PANEL_RIGHT",
        ] {
            let panes = window_panes(partitioning);
            let area: f64 = panes.iter().map(|p| (p.x.1 - p.x.0) * (p.z.1 - p.z.0)).sum();
            assert!((area - 1.0).abs() < 1e-9, "{partitioning} {area}");
        }
    }
}
