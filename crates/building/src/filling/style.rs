//! What tells two doors or windows of one size apart: how they open, their frame, their glass, their outline. A type's title says it,
//! so that the next like it is found, and is read back when one is drawn anew.

use super::{Filling, Leaf, operation};
use crate::author::Author;
use crate::lookup;
use crate::measures::mm;
use crate::opening::Shape;
use contract::Fault;
use ifc::Id;

/// Width of a door's frame as seen, in mm, where the opening has room for it.
const DOOR_FRAME: f64 = 50.0;
/// Width of a window's frame as seen, lining and casement together, in mm.
const WINDOW_FRAME: f64 = 60.0;
/// The widest casement of that, in mm.
const CASEMENT: f64 = 30.0;
/// Depth of a frame in mm, where the wall is as thick.
pub(super) const FRAME_DEPTH: f64 = 100.0;

/// The wishes for a door or window beside its size.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wishes {
    /// The way it opens or is parted, as the schema's enumerations say it.
    pub operation: Option<String>,
    /// Width of the frame as seen, in mm.
    pub lining: Option<f64>,
    /// The number of panes of glass one behind another; a door has none where nothing is said, a window two.
    pub panes: Option<u32>,
    /// The outline.
    pub shape: Shape,
}

/// The looks of a door or window.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Style {
    /// How it opens or is parted.
    pub(super) operation: String,
    /// How the panels of a window open, where that was asked for.
    pub(super) panel: Option<&'static str>,
    /// Width of the frame as asked for.
    pub(super) lining: Option<f64>,
    /// Panes of glass one behind another.
    pub(super) panes: u32,
    /// True if the door's frame goes on below it.
    pub(super) threshold: bool,
    /// The outline.
    pub(super) shape: Shape,
}

impl Style {
    /// Reads what is wished for; a Fault names what cannot be.
    pub(super) fn read(author: &Author, leaf: &Leaf, wishes: &Wishes, external: bool) -> Result<Self, Fault> {
        let (operation, panel) = operation::read(author, leaf, wishes.operation.as_deref())?;
        if let Some(lining) = wishes.lining {
            let most = leaf.width.min(leaf.height) / 3.0;
            if !lining.is_finite() || lining < 10.0 || lining > most {
                return Err(Fault::invalid(
                    "lining",
                    format!(
                        "`lining` is {lining} mm; a frame in this opening can be from 10 to {} mm wide.",
                        mm(most)
                    ),
                ));
            }
        }
        let window = leaf.kind == Filling::Window;
        let least = u32::from(window);
        let panes = wishes.panes.unwrap_or(if window { 2 } else { 0 });
        if panes < least || panes > 4 {
            return Err(Fault::invalid(
                "glazing",
                format!("`glazing` is {panes}; it is the number of panes of glass, {least} to 4."),
            ));
        }
        if wishes.shape != Shape::Rectangle {
            if !window {
                return Err(Fault::invalid(
                    "shape",
                    "A door is made in a rectangle; take opening_type void or window for another outline.",
                ));
            }
            if wishes.operation.is_some() && (operation != operation::usual(leaf.kind) || panel.is_some()) {
                return Err(Fault::invalid(
                    "operation_type",
                    "A window that is no rectangle has one fixed pane; leave operation_type out.",
                ));
            }
        }
        Ok(Self {
            operation,
            panel,
            lining: wishes.lining,
            panes,
            threshold: external && !window,
            shape: wishes.shape,
        })
    }

    /// Returns what was chosen where nothing was wished for, in words.
    pub(super) fn assumed(&self, leaf: &Leaf, wishes: &Wishes) -> String {
        let mut words = vec![format!("{} of timber", leaf.noun().to_lowercase())];
        if wishes.operation.is_none() && self.shape == Shape::Rectangle {
            words.push(self.operation.clone());
        }
        if wishes.lining.is_none() {
            let (lining, casement) = self.frames(leaf);
            words.push(format!("frame {} mm", mm(lining + casement)));
        }
        if wishes.panes.is_none() && self.panes > 0 {
            words.push(format!("{} panes of glass", self.panes));
        }
        words.join(", ")
    }

    /// Widths in mm of the lining and of the frame of each panel, as seen.
    pub(super) fn frames(&self, leaf: &Leaf) -> (f64, f64) {
        let room = (leaf.width.min(leaf.height)) / 8.0;
        if leaf.kind == Filling::Window {
            let whole = self.lining.unwrap_or_else(|| WINDOW_FRAME.min(room));
            if self.shape != Shape::Rectangle {
                return (whole, 0.0);
            }
            let casement = CASEMENT.min(whole / 2.0);
            (whole - casement, casement)
        } else {
            (self.lining.unwrap_or_else(|| DOOR_FRAME.min(room)), 0.0)
        }
    }

    /// The title of the type of such fillings: size, and what is not as usual.
    pub(super) fn title(&self, leaf: &Leaf) -> String {
        let mut title = format!("{} {} x {} mm", leaf.noun(), mm(leaf.width), mm(leaf.height));
        let mut add = |text: String| {
            title.push_str(", ");
            title.push_str(&text);
        };
        if let Some(panel) = self.panel {
            add(panel.to_lowercase());
        }
        if let Some(lining) = self.lining {
            add(format!("frame {}", mm(lining)));
        }
        if (leaf.frame_depth() - FRAME_DEPTH).abs() > 0.01 {
            add(format!("depth {}", mm(leaf.frame_depth())));
        }
        if self.panes != usual_panes(leaf.kind) {
            add(format!("panes {}", self.panes));
        }
        match self.shape {
            Shape::Rectangle => {}
            Shape::Round => add("round".to_owned()),
            Shape::Arch => add("arch".to_owned()),
            Shape::Polygon(sides) => add(format!("polygon {sides}")),
        }
        if self.threshold {
            add("threshold".to_owned());
        }
        title
    }

    /// The looks that a type of ours has.
    pub(super) fn of_type(author: &Author, of_type: Id, leaf: &Leaf) -> Self {
        let stated = ["PartitioningType", "OperationType"].iter().find_map(|name| {
            author.edit.get(of_type).and_then(|t| t.attr(name).as_enum().map(str::to_owned))
        });
        let mut style = Self::usual(leaf, stated);
        let title = author.edit.get(of_type).and_then(|t| t.name()).unwrap_or_default();
        let panels = operation::panel_words(author);
        for word in title.split(", ").skip(1) {
            let (name, number) = word.split_once(' ').unwrap_or((word, ""));
            match name {
                "frame" => style.lining = number.parse().ok(),
                "panes" => style.panes = number.parse().unwrap_or(style.panes),
                "round" => style.shape = Shape::Round,
                "arch" => style.shape = Shape::Arch,
                "polygon" => style.shape = number.parse().map_or(Shape::Rectangle, Shape::Polygon),
                "threshold" => style.threshold = true,
                other => {
                    let panel = panels.iter().find(|panel| panel.to_lowercase() == other);
                    style.panel = panel.copied().or(style.panel);
                }
            }
        }
        style
    }

    /// The looks of a filling that says no more than how it opens.
    pub(super) fn usual(leaf: &Leaf, operation: Option<String>) -> Self {
        Self {
            operation: operation.unwrap_or_else(|| operation::usual(leaf.kind).to_owned()),
            panel: None,
            lining: None,
            panes: usual_panes(leaf.kind),
            threshold: false,
            shape: Shape::Rectangle,
        }
    }

    /// The looks of a filling as its type or the filling itself says how it opens.
    pub(super) fn stated(author: &Author, filling: Id, leaf: &Leaf) -> Self {
        Self::usual(leaf, lookup::stated(author.edit, filling, &["PartitioningType", "OperationType"]))
    }
}

fn usual_panes(kind: Filling) -> u32 {
    if kind == Filling::Window { 2 } else { 0 }
}
