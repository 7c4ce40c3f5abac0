//! The heat and light that windows and doors let through, and their frames.
//!
//! Stated values first (Pset_WindowCommon, Pset_DoorCommon, Pset_DoorWindowGlazingType); else typical glazing of EnergyPlus' data set
//! WindowConstructs.idf, by the number of panes where the file says it.

use crate::{corrections::Here, report::Notes};
use ifc::{Id, psets, relations::Links, units::Units};
use spatial::elements::guid;

/// The heat and light that a pane lets through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Glass {
    /// W/(m²·K), with the films of air.
    pub transmittance: f64,
    /// Solar heat gain coefficient.
    pub solar: f64,
    /// Visible transmittance.
    pub visible: f64,
}

/// A frame and the bars between the panes, in metres as seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub width: f64,
    pub bar: f64,
    pub upright_bars: u32,
    pub level_bars: u32,
}

struct Typical {
    name: &'static str,
    glass: Glass,
}

const fn typical(name: &'static str, transmittance: f64, solar: f64, visible: f64) -> Typical {
    Typical { name, glass: Glass { transmittance, solar, visible } }
}

const SINGLE: Typical = typical("Sgl Clr 3mm", 5.894, 0.861, 0.898);
const DOUBLE: Typical = typical("Dbl Clr 3mm/13mm Air", 2.720, 0.764, 0.812);
const TRIPLE: Typical = typical("Trp Clr 3mm/13mm Air", 1.765, 0.684, 0.738);
const DOUBLE_COATED: Typical = typical("Dbl LoE (e2=.1) Clr 3mm/13mm Arg", 1.507, 0.597, 0.769);
const TRIPLE_COATED: Typical = typical("Trp LoE (e2=e5=.1) Clr 3mm/13mm Arg", 0.785, 0.474, 0.661);

/// The frame where the file says none, in metres.
const FRAME: f64 = 0.06;

/// Words by which a door of glass is known, in lower case.
const GLAZED: [&str; 10] =
    ["glas", "terrass", "patio", "french", "balkon", "balcon", "verglas", "vitr", "vidrio", "storefront"];

fn number(links: &Links<'_>, units: &Units, id: Id, set: &str, name: &str) -> Option<f64> {
    let found = psets::find_with(links, id, set, name)?;
    found.in_si(links.model(), units).or_else(|| found.value.as_f64()).filter(|v| v.is_finite())
}

/// Returns true if a door is more glass than not.
pub(crate) fn is_glazed_door(links: &Links<'_>, units: &Units, door: Id) -> bool {
    if let Some(fraction) = number(links, units, door, "Pset_DoorCommon", "GlazingAreaFraction") {
        return fraction > 0.5;
    }
    if number(links, units, door, "Pset_DoorWindowGlazingType", "GlassLayers").is_some_and(|n| n >= 1.0) {
        return true;
    }
    let names = [Some(door), links.type_of(door)].into_iter().flatten().flat_map(|id| {
        let instance = links.model().get(id);
        ["Name", "ObjectType", "LongName"].map(|a| instance.as_ref().and_then(|i| i.text(a)))
    });
    names.flatten().any(|n| GLAZED.iter().any(|word| n.to_lowercase().contains(word)))
}

/// The glass of a window or glass door.
pub(crate) fn glass(links: &Links<'_>, units: &Units, filling: Id, notes: &mut Notes) -> Glass {
    let place = guid(links.model(), filling);
    let of = |set: &str, name: &str| number(links, units, filling, set, name);
    let sound = |v: &f64| (0.2..=7.0).contains(v);
    let here = Here::element(links, filling, &[]);
    let corrected = notes.number("thermal transmittance of glazing", &place, "W/(m²·K)", &here);
    let transmittance = of("Pset_WindowCommon", "ThermalTransmittance")
        .filter(sound)
        .or_else(|| of("Pset_DoorCommon", "ThermalTransmittance").filter(sound))
        .or_else(|| of("Pset_DoorWindowGlazingType", "ThermalTransmittance").filter(sound))
        .or_else(|| of("Analytical Properties(Type)", "Heat Transfer Coefficient (U)").filter(sound));
    let transmittance = corrected.or(transmittance);
    let share = |v: &f64| (0.01..=1.0).contains(v);
    let set = "Pset_DoorWindowGlazingType";
    let solar = of(set, "SolarHeatGainTransmittance").or_else(|| of(set, "SolarTransmittance")).filter(share);
    let visible = of(set, "VisibleLightTransmittance").filter(share);
    let panes = of(set, "GlassLayers").filter(|n| *n >= 1.0);
    let like = match (transmittance, panes) {
        (Some(u), _) if u > 4.0 => SINGLE,
        (Some(u), _) if u > 2.0 => DOUBLE,
        (Some(u), _) if u > 1.2 => DOUBLE_COATED,
        (Some(_), _) => TRIPLE_COATED,
        (None, Some(n)) if n < 1.5 => SINGLE,
        (None, Some(n)) if n > 2.5 => TRIPLE,
        _ => DOUBLE,
    };
    let source = format!("EnergyPlus data set WindowConstructs.idf, {}", like.name);
    let mut or = |stated: Option<f64>, what: &str, default: f64, unit: &str| {
        notes.number(what, &place, unit.trim(), &here).or(stated).unwrap_or_else(|| {
            notes.assume(what, &place, &format!("{default}{unit}"), &source);
            default
        })
    };
    Glass {
        transmittance: or(
            transmittance,
            "thermal transmittance of glazing",
            like.glass.transmittance,
            " W/(m²·K)",
        ),
        solar: or(solar, "solar heat gain coefficient", like.glass.solar, ""),
        visible: or(visible, "visible transmittance", like.glass.visible, ""),
    }
}

/// The thermal transmittance of an opaque door.
pub(crate) fn door(links: &Links<'_>, units: &Units, filling: Id, notes: &mut Notes) -> f64 {
    let what = "thermal transmittance of a door";
    let place = guid(links.model(), filling);
    let corrected = notes.number(what, &place, "W/(m²·K)", &Here::element(links, filling, &[]));
    let stated = number(links, units, filling, "Pset_DoorCommon", "ThermalTransmittance");
    corrected.or(stated.filter(|u| (0.1..=7.0).contains(u))).unwrap_or_else(|| {
        notes.assume(what, &place, "2.4 W/(m²·K)", "solid wood of 45 mm, 0.15 W/(m·K)");
        2.4
    })
}

/// The frame of a window or glass door that is as large as this, or `None` where there is no room for one.
pub(crate) fn frame(
    links: &Links<'_>,
    units: &Units,
    filling: Id,
    size: (f64, f64),
    notes: &mut Notes,
) -> Option<Frame> {
    let model = links.model();
    let (own, inherited) = psets::definitions_of(links, filling);
    let metre = units.length_mm / 1000.0;
    let (mut lining, mut panel, mut bar, mut upright_bars, mut level_bars) = (0.0, 0.0_f64, 0.0, 0, 0);
    for id in own.into_iter().chain(inherited) {
        let Some(set) = model.get(id) else { continue };
        // IFC4X3 says it in property sets of these names
        let title = if set.is_a("IfcPropertySet") { set.name().unwrap_or_default() } else { String::new() };
        let number = |name: &str| {
            if title.is_empty() {
                set.number(name)
            } else {
                psets::property_named(model, id, name).and_then(|found| found.value.as_f64())
            }
        };
        let length = |name: &str| number(name).map(|v| v * metre).filter(|v| *v > 1e-4 && *v < 1.0);
        if set.is_a("IfcWindowLiningProperties")
            || set.is_a("IfcDoorLiningProperties")
            || ["Pset_WindowLiningProperties", "Pset_DoorLiningProperties"].contains(&title.as_str())
        {
            lining = length("LiningThickness").unwrap_or(lining);
            let bars = |a: &str, b: &str| {
                u32::from(number(a).is_some_and(|v| v > 0.0)) + u32::from(number(b).is_some_and(|v| v > 0.0))
            };
            if let Some(w) = length("MullionThickness") {
                (bar, upright_bars) = (w, bars("FirstMullionOffset", "SecondMullionOffset"));
            }
            if let Some(w) = length("TransomThickness") {
                (bar, level_bars) = (w, bars("FirstTransomOffset", "SecondTransomOffset"));
            }
        } else if set.is_a("IfcWindowPanelProperties") || title == "Pset_WindowPanelProperties" {
            panel = panel.max(length("FrameThickness").unwrap_or(0.0));
        }
    }
    let (what, place) = ("width of the frame", guid(model, filling));
    let corrected = notes.number(what, &place, "m", &Here::element(links, filling, &[]));
    let mut width = corrected.unwrap_or(lining + panel);
    if width < 1e-3 {
        notes.assume(what, &place, "0.06 m", "typical; the file states no lining or frame thickness");
        width = FRAME;
    }
    // at least half of it stays glass
    let least = size.0.min(size.1);
    if least < 0.15 {
        return None;
    }
    let width = width.min(least / 6.0).min(0.5);
    if bar > (least - 2.0 * width) / 4.0 {
        (upright_bars, level_bars) = (0, 0);
    }
    Some(Frame { width, bar, upright_bars, level_bars })
}
