//! Areas, volumes and thermal transmittances beside those that the files state of themselves.

use super::{converted, model, near};
use crate::Converted;

/// The rows of which the model differs from the file by more than a share, as text.
fn differing(rows: impl Iterator<Item = (String, f64, f64)>, share: f64) -> Vec<String> {
    let is_off = |(_, got, stated): &(String, f64, f64)| !near(*got, *stated, share);
    rows.filter(is_off).map(|(name, got, stated)| format!("{name}: {got:.3} of {stated:.3}")).collect()
}

fn volumes(converted: &Converted) -> impl Iterator<Item = (String, f64, f64)> + '_ {
    converted.zones.iter().filter_map(|zone| Some((zone.zone.clone(), zone.volume, zone.stated_volume?)))
}

fn floors(converted: &Converted) -> impl Iterator<Item = (String, f64, f64)> + '_ {
    converted
        .zones
        .iter()
        .filter_map(|zone| Some((zone.zone.clone(), zone.floor_area, zone.stated_floor_area?)))
}

/// The same beside GrossFloorArea: the whole floor between walls, which NetFloorArea is not in every file.
fn gross_floors(model: &ifc::Model, converted: &Converted) -> Vec<(String, f64, f64)> {
    let units = ifc::Units::from_model(model);
    let stated = |guid: &str| {
        let sets = ifc::psets::of_element(model, model.by_guid(guid)?);
        let mut quantities = sets.iter().filter(|s| s.is_quantity).flat_map(|s| &s.properties);
        quantities.find(|p| p.name == "GrossFloorArea")?.in_si(model, &units)
    };
    converted.zones.iter().filter_map(|z| Some((z.zone.clone(), z.floor_area, stated(&z.space)?))).collect()
}

fn transmittances(converted: &Converted) -> impl Iterator<Item = (String, f64, f64)> + '_ {
    let of = |c: &crate::ConstructionReport| {
        Some((c.construction.clone(), c.transmittance, c.stated_transmittance?))
    };
    converted.constructions.iter().filter_map(of)
}

#[test]
fn the_house_with_an_attic_has_the_volumes_floors_and_transmittances_of_its_file() {
    let Some(model) = model("AC20-FZK-Haus.ifc") else { return };
    let converted = converted(&model);
    assert_eq!(volumes(&converted).count(), 7);
    assert_eq!(differing(volumes(&converted), 0.01), Vec::<String>::new());
    let gross = gross_floors(&model, &converted);
    assert_eq!(gross.len(), 7);
    assert_eq!(differing(gross.into_iter(), 0.005), Vec::<String>::new());
    // NetFloorArea is 3 % less in most rooms, and of the attic only what one can stand on
    let off = differing(floors(&converted), 0.035);
    assert_eq!(off.len(), 1, "{off:?}");
    assert!(off.iter().all(|row| row.contains("Galerie")), "{off:?}");
    assert!(transmittances(&converted).count() >= 4);
    assert_eq!(differing(transmittances(&converted), 0.02), Vec::<String>::new());
}

#[test]
fn the_duplex_has_the_volumes_of_its_file_and_floors_between_its_walls() {
    let Some(model) = model("Duplex_A_20110907.ifc") else { return };
    let converted = converted(&model);
    assert_eq!(volumes(&converted).count(), 20);
    assert_eq!(differing(volumes(&converted), 0.01), Vec::<String>::new());
    // GSA BIM Area goes to the middle or the outer face of the walls: every floor between them is less
    let shares: Vec<f64> = floors(&converted).map(|(_, got, stated)| got / stated).collect();
    assert_eq!(shares.len(), 20);
    assert!(shares.iter().all(|share| (0.75..0.95).contains(share)), "{shares:?}");
    // what the file states of the bodies agrees with the floors: no room is lower or higher than its walls
    let heights =
        converted.zones.iter().filter(|zone| zone.floor_area > 5.0).map(|zone| zone.volume / zone.floor_area);
    let heights: Vec<f64> = heights.collect();
    assert!(heights.iter().all(|height| (2.4..2.8).contains(height)), "{heights:?}");
}
