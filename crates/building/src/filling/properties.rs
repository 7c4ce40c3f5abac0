//! The sets of a type of doors or windows that say its lining, its panels and its glass.
//!
//! IFC2X3 and IFC4 have classes for lining and panels (IfcDoorLiningProperties …); IFC4X3 keeps the same in property sets of their
//! names. Glass is in Pset_DoorWindowGlazingType.

use super::drawing::{self, CASEMENT_DEPTH, LEAF, MULLION, THRESHOLD};
use super::operation::{Action, door_panels, window_panes};
use super::style::Style;
use super::{Filling, Leaf};
use crate::author::{Author, word};
use contract::Fault;
use ifc::{Id, Value};

/// A member of a set: its name, and its value.
enum Member {
    Length(&'static str, f64),
    Ratio(&'static str, f64),
    Words(&'static str, Vec<&'static str>),
}

/// Writes the sets of a type, for its HasPropertySets.
pub(super) fn sets(author: &mut Author, leaf: &Leaf, style: &Style) -> Result<Vec<Id>, Fault> {
    let noun = leaf.noun();
    let mut all = vec![set(author, &format!("{noun}LiningProperties"), lining(leaf, style))?];
    let panels =
        if leaf.kind == Filling::Window { casements(leaf, style) } else { leaves(author, leaf, style) };
    let title = format!("{noun}PanelProperties");
    if in_property_sets(author) {
        all.push(set(author, &title, together(panels))?);
    } else {
        for panel in panels {
            all.push(set(author, &title, panel)?);
        }
    }
    // IFC2X3 has this set for occurrences alone
    if style.panes > 0 && !author.legacy() {
        let layers = Value::typed("IfcCountMeasure", Value::Integer(i64::from(style.panes)));
        all.push(single_values(author, "Pset_DoorWindowGlazingType", &[("GlassLayers", layers)])?);
        let share = Value::typed("IfcPositiveRatioMeasure", Value::Real(share(leaf, style)));
        all.push(single_values(author, &format!("Pset_{noun}Common"), &[("GlazingAreaFraction", share)])?);
    }
    Ok(all)
}

/// Writes what IFC2X3 says of glass at the occurrence.
pub(super) fn glass_of_occurrence(
    author: &mut Author,
    filling: Id,
    leaf: &Leaf,
    style: &Style,
) -> Result<(), Fault> {
    if style.panes == 0 || !author.legacy() {
        return Ok(());
    }
    let layers = Value::typed("IfcCountMeasure", Value::Integer(i64::from(style.panes)));
    author.describe(filling, "Pset_DoorWindowGlazingType", &[("GlassLayers", layers)])?;
    let share = Value::typed("IfcPositiveRatioMeasure", Value::Real(share(leaf, style)));
    author.describe(filling, &format!("Pset_{}Common", leaf.noun()), &[("GlazingAreaFraction", share)])
}

fn share(leaf: &Leaf, style: &Style) -> f64 {
    (drawing::glass_share(leaf, style) * 1e4).round() / 1e4
}

/// Returns true where lining and panels are told in property sets.
fn in_property_sets(author: &Author) -> bool {
    author.is_latest()
}

fn lining(leaf: &Leaf, style: &Style) -> Vec<Member> {
    let (thick, _) = style.frames(leaf);
    let depth = leaf.frame_depth();
    let mut members = vec![Member::Length("LiningDepth", depth), Member::Length("LiningThickness", thick)];
    if style.threshold {
        members.push(Member::Length("ThresholdDepth", depth));
        members.push(Member::Length("ThresholdThickness", THRESHOLD.min(leaf.height / 8.0)));
    }
    if leaf.kind != Filling::Window {
        return members;
    }
    let panes = window_panes(&style.operation);
    let bars = |ends: Vec<f64>| {
        let mut ends: Vec<f64> = ends.into_iter().filter(|end| *end < 1.0 - 1e-9).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        ends
    };
    for (thickness, names, at) in [
        (
            "MullionThickness",
            ["FirstMullionOffset", "SecondMullionOffset"],
            bars(panes.iter().map(|pane| pane.x.1).collect()),
        ),
        (
            "TransomThickness",
            ["FirstTransomOffset", "SecondTransomOffset"],
            bars(panes.iter().map(|pane| pane.z.1).collect()),
        ),
    ] {
        if !at.is_empty() {
            members.push(Member::Length(thickness, drawing::mullion(leaf).min(MULLION)));
        }
        members.extend(names.into_iter().zip(at).map(|(name, part)| Member::Ratio(name, part)));
    }
    members
}

fn leaves(author: &Author, leaf: &Leaf, style: &Style) -> Vec<Vec<Member>> {
    let fixed = author.is_latest();
    let actions = door_panels(&style.operation);
    let number = actions.len();
    let width = 1.0 / f64::from(u32::try_from(number.max(1)).unwrap_or(1));
    let position = |i: usize| {
        if number > 1 && i == 0 {
            "LEFT"
        } else if number > 1 && i + 1 == number {
            "RIGHT"
        } else {
            "MIDDLE"
        }
    };
    actions
        .iter()
        .enumerate()
        .map(|(i, action)| {
            let depth =
                if *action == Action::Roll { leaf.frame_depth() } else { LEAF.min(leaf.frame_depth()) };
            vec![
                Member::Length("PanelDepth", depth),
                Member::Words("PanelOperation", vec![action.word(fixed)]),
                Member::Ratio("PanelWidth", width),
                Member::Words("PanelPosition", vec![position(i)]),
            ]
        })
        .collect()
}

fn casements(leaf: &Leaf, style: &Style) -> Vec<Vec<Member>> {
    let (_, casement) = style.frames(leaf);
    let rectangle = style.shape == crate::opening::Shape::Rectangle;
    window_panes(&style.operation)
        .into_iter()
        .map(|pane| {
            let operation = style.panel.unwrap_or(if rectangle { pane.operation } else { "FIXEDCASEMENT" });
            let mut members = vec![
                Member::Words("OperationType", vec![operation]),
                Member::Words("PanelPosition", vec![pane.position]),
            ];
            if casement > 0.0 {
                members.push(Member::Length("FrameDepth", CASEMENT_DEPTH.min(leaf.frame_depth())));
                members.push(Member::Length("FrameThickness", casement));
            }
            members
        })
        .collect()
}

/// The panels of one type in one set: words that differ stand beside each other.
fn together(panels: Vec<Vec<Member>>) -> Vec<Member> {
    let mut all: Vec<Member> = Vec::new();
    for member in panels.into_iter().flatten() {
        let known = all.iter_mut().find(|known| known.name() == member.name());
        match (known, member) {
            (None, member) => all.push(member),
            (Some(Member::Words(_, words)), Member::Words(_, more)) => {
                for word in more {
                    if !words.contains(&word) {
                        words.push(word);
                    }
                }
            }
            (Some(_), _) => {}
        }
    }
    all
}

impl Member {
    fn name(&self) -> &'static str {
        match self {
            Self::Length(name, _) | Self::Ratio(name, _) | Self::Words(name, _) => name,
        }
    }
}

/// Writes a set: of the class of this title, or a property set.
fn set(author: &mut Author, title: &str, members: Vec<Member>) -> Result<Id, Fault> {
    if !in_property_sets(author) {
        let attributes: Vec<(&str, Value)> = members
            .iter()
            .map(|member| {
                let value = match member {
                    Member::Length(_, mm) => author.real(*mm),
                    Member::Ratio(_, part) => Value::Real(*part),
                    Member::Words(_, words) => word(words.first().copied().unwrap_or("NOTDEFINED")),
                };
                (member.name(), value)
            })
            .collect();
        return author.root(&format!("Ifc{title}"), None, &attributes);
    }
    let mut properties = Vec::with_capacity(members.len());
    for member in &members {
        let name = member.name();
        properties.push(match member {
            Member::Length(_, mm) => {
                let measure = match name {
                    "LiningThickness" | "ThresholdThickness" | "MullionThickness" | "TransomThickness" => {
                        "IfcNonNegativeLengthMeasure"
                    }
                    _ => "IfcPositiveLengthMeasure",
                };
                let value = Value::typed(measure, author.real(*mm));
                single_value(author, name, value)?
            }
            Member::Ratio(_, part) => {
                single_value(author, name, Value::typed("IfcNormalisedRatioMeasure", Value::Real(*part)))?
            }
            Member::Words(_, words) => {
                let values = Value::list(words.iter().map(|word| Value::typed("IfcLabel", *word)));
                author.create(
                    "IfcPropertyEnumeratedValue",
                    &[("Name", name.into()), ("EnumerationValues", values)],
                )?
            }
        });
    }
    let list = Value::list(properties.into_iter().map(Value::Ref));
    author.root("IfcPropertySet", Some(&format!("Pset_{title}")), &[("HasProperties", list)])
}

fn single_value(author: &mut Author, name: &str, value: Value) -> Result<Id, Fault> {
    author.create("IfcPropertySingleValue", &[("Name", name.into()), ("NominalValue", value)])
}

fn single_values(author: &mut Author, title: &str, values: &[(&str, Value)]) -> Result<Id, Fault> {
    let properties = values
        .iter()
        .map(|(name, value)| single_value(author, name, value.clone()))
        .collect::<Result<Vec<_>, _>>()?;
    let list = Value::list(properties.into_iter().map(Value::Ref));
    author.root("IfcPropertySet", Some(title), &[("HasProperties", list)])
}
