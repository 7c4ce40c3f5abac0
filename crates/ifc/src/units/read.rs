//! Reads units from the project's IfcUnitAssignment: SI units with prefixes, conversion based units (inch, foot, degree), derived units
//! (W/(m²·K)) and money. What a file does not say is SI: metre, square metre, cubic metre, radian.

use super::declared::{Unit, Units, tidy};
use crate::{Id, Instance, Model};
use std::collections::BTreeMap;

impl Units {
    /// The units that the project declares. O(1) where they were asked for before and did not change since.
    pub fn from_model(model: &Model) -> Self {
        model.overlay.units.get_or_init(|| Self::read(model)).clone()
    }

    fn read(model: &Model) -> Self {
        let assignment = model
            .of_class("IfcProject")
            .into_iter()
            .find_map(|project| model.get(project)?.reference("UnitsInContext"))
            .or_else(|| model.of_class("IfcUnitAssignment").into_iter().next());
        let mut by_type = BTreeMap::new();
        for id in assignment.and_then(|id| model.get(id)).map(|a| a.references("Units")).unwrap_or_default() {
            let Some(instance) = model.get(id) else { continue };
            let kind =
                instance.attr("UnitType").as_enum().map_or_else(|| "MONETARYUNIT".to_owned(), str::to_owned);
            if let Some(unit) = unit(model, id) {
                by_type.entry(kind).or_insert(unit);
            }
        }
        Self::from_table(by_type)
    }
}

/// A unit by its instance; none if it says nothing usable.
pub fn unit(model: &Model, id: Id) -> Option<Unit> {
    unit_at(model, id, 8)
}

fn unit_at(model: &Model, id: Id, depth: usize) -> Option<Unit> {
    let depth = depth.checked_sub(1)?;
    let instance = model.get(id)?;
    match instance.class_name() {
        "IfcSIUnit" => si_unit(&instance),
        "IfcMonetaryUnit" => {
            let currency = instance.attr("Currency");
            let label = currency.as_text().or_else(|| currency.as_enum())?;
            Some(Unit::new(label, 1.0))
        }
        "IfcDerivedUnit" => derived_unit(model, &instance, depth),
        _ if !instance.is_a("IfcNamedUnit") => None,
        _ => {
            let name = instance.text("Name")?;
            let known = conversion(&name);
            let factor =
                instance.reference("ConversionFactor").and_then(|id| model.get(id)).and_then(|factor| {
                    let value = factor.attr("ValueComponent").as_f64()?;
                    let of = unit_at(model, factor.reference("UnitComponent")?, depth)?;
                    Some(value * of.si)
                });
            let label = known.map_or(name.as_str(), |(label, _)| label);
            // a context dependent unit, such as "each", is a unit of its own; a conversion that leads nowhere is none
            let own = instance.is_a("IfcContextDependentUnit").then_some(1.0);
            let si = factor.or(known.map(|(_, si)| si)).or(own)?;
            // added after the factor (IfcConversionBasedUnitWithOffset, ISO 16739-1:2018, 8.11)
            let given = instance.number("ConversionOffset");
            let fahrenheit = (label == "°F").then_some(459.67 * 5.0 / 9.0);
            Some(Unit { offset: given.or(fahrenheit).unwrap_or(0.0), ..Unit::new(label, si) })
        }
    }
}

/// The label of a common conversion based unit, and its size where the file does not say.
fn conversion(name: &str) -> Option<(&'static str, f64)> {
    let plain = name.to_ascii_lowercase().replace(['_', '-'], " ");
    Some(match plain.trim() {
        "inch" => ("in", 0.0254),
        "foot" => ("ft", 0.3048),
        "yard" => ("yd", 0.9144),
        "mile" => ("mi", 1609.344),
        "square inch" => ("in²", 0.000_645_16),
        "square foot" => ("ft²", 0.092_903_04),
        "square yard" => ("yd²", 0.836_127_36),
        "acre" => ("acre", 4_046.856_422_4),
        "cubic inch" => ("in³", 0.000_016_387_064),
        "cubic foot" => ("ft³", 0.028_316_846_592),
        "cubic yard" => ("yd³", 0.764_554_857_984),
        "litre" | "liter" => ("l", 0.001),
        "degree" | "degrees" => ("°", std::f64::consts::PI / 180.0),
        "minute" => ("min", 60.0),
        "hour" => ("h", 3600.0),
        "day" => ("d", 86_400.0),
        "pound" => ("lb", 0.453_592_37),
        "ton" | "tonne" => ("t", 1000.0),
        "fahrenheit" => ("°F", 5.0 / 9.0),
        _ => return None,
    })
}

fn si_unit(instance: &Instance<'_>) -> Option<Unit> {
    let name = instance.attr("Name");
    let (symbol, power, base) = match name.as_enum()? {
        "METRE" => ("m", 1, 1.0),
        "SQUARE_METRE" => ("m", 2, 1.0),
        "CUBIC_METRE" => ("m", 3, 1.0),
        // the gram is not the SI unit of mass
        "GRAM" => ("g", 1, 0.001),
        "SECOND" => ("s", 1, 1.0),
        "RADIAN" => ("rad", 1, 1.0),
        "STERADIAN" => ("sr", 1, 1.0),
        "KELVIN" => ("K", 1, 1.0),
        "DEGREE_CELSIUS" => ("°C", 1, 1.0),
        "AMPERE" => ("A", 1, 1.0),
        "CANDELA" => ("cd", 1, 1.0),
        "MOLE" => ("mol", 1, 1.0),
        "BECQUEREL" => ("Bq", 1, 1.0),
        "COULOMB" => ("C", 1, 1.0),
        "FARAD" => ("F", 1, 1.0),
        "GRAY" => ("Gy", 1, 1.0),
        "HENRY" => ("H", 1, 1.0),
        "HERTZ" => ("Hz", 1, 1.0),
        "JOULE" => ("J", 1, 1.0),
        "LUMEN" => ("lm", 1, 1.0),
        "LUX" => ("lx", 1, 1.0),
        "NEWTON" => ("N", 1, 1.0),
        "OHM" => ("Ω", 1, 1.0),
        "PASCAL" => ("Pa", 1, 1.0),
        "SIEMENS" => ("S", 1, 1.0),
        "SIEVERT" => ("Sv", 1, 1.0),
        "TESLA" => ("T", 1, 1.0),
        "VOLT" => ("V", 1, 1.0),
        "WATT" => ("W", 1, 1.0),
        "WEBER" => ("Wb", 1, 1.0),
        _ => return None,
    };
    let prefix = instance.attr("Prefix");
    let (sign, factor) = match prefix.as_enum().unwrap_or_default() {
        "EXA" => ("E", 1e18),
        "PETA" => ("P", 1e15),
        "TERA" => ("T", 1e12),
        "GIGA" => ("G", 1e9),
        "MEGA" => ("M", 1e6),
        "KILO" => ("k", 1e3),
        "HECTO" => ("h", 1e2),
        "DECA" => ("da", 1e1),
        "DECI" => ("d", 1e-1),
        "CENTI" => ("c", 1e-2),
        "MILLI" => ("m", 1e-3),
        "MICRO" => ("µ", 1e-6),
        "NANO" => ("n", 1e-9),
        "PICO" => ("p", 1e-12),
        "FEMTO" => ("f", 1e-15),
        "ATTO" => ("a", 1e-18),
        _ => ("", 1.0),
    };
    // the prefix belongs to the metre: MILLI SQUARE_METRE is mm²
    let si = tidy(base * f64::powi(factor, power));
    let offset = if symbol == "°C" { 273.15 } else { 0.0 };
    Some(Unit { label: format!("{sign}{symbol}{}", superscript(power)), si, offset })
}

fn derived_unit(model: &Model, instance: &Instance<'_>, depth: usize) -> Option<Unit> {
    let mut si = 1.0;
    let (mut over, mut under) = (Vec::new(), Vec::new());
    for element in instance.references("Elements") {
        let element = model.get(element)?;
        let part = unit_at(model, element.reference("Unit")?, depth)?;
        let exponent = element.number("Exponent")?.clamp(-12.0, 12.0) as i32;
        si *= part.si.powi(exponent);
        let text = match exponent.abs() {
            1 => part.label,
            power => format!("{}{}", part.label, superscript(power)),
        };
        if exponent > 0 { over.push(text) } else { under.push(text) }
    }
    let over = if over.is_empty() { "1".to_owned() } else { over.join("·") };
    let label = match under.len() {
        0 => over,
        1 => format!("{over}/{}", under.concat()),
        _ => format!("{over}/({})", under.join("·")),
    };
    // a difference of temperatures within a derived unit has no offset
    Some(Unit { label, si, offset: 0.0 })
}

fn superscript(power: i32) -> String {
    match power {
        1 => String::new(),
        power => power
            .to_string()
            .chars()
            .map(|digit| match digit {
                '0' => '⁰',
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                '4' => '⁴',
                '5' => '⁵',
                '6' => '⁶',
                '7' => '⁷',
                '8' => '⁸',
                '9' => '⁹',
                _ => '⁻',
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{HOUSE, model};
    use crate::{SchemaVersion, Value};
    use std::sync::Arc;

    #[test]
    fn metres_are_a_thousand_millimetres() {
        let units = Units::from_model(&model(SchemaVersion::Ifc4, HOUSE));
        assert_eq!((units.length_mm, units.length_label()), (1000.0, "m"));
        assert_eq!(units.to_mm(7.0), 7000.0);
        assert_eq!(units.from_mm(2400.0), 2.4);
        assert_eq!(units.label("IfcPositiveLengthMeasure"), Some("m"));
        assert_eq!(units.label("IfcAreaMeasure"), Some("m²"));
        assert_eq!(units.label("IfcLabel"), None);
        assert_eq!(units.label("IfcRatioMeasure"), None);
    }

    #[test]
    fn prefixes_conversions_and_derived_units_are_followed() {
        let units = Units::from_model(&model(
            SchemaVersion::Ifc2x3,
            "#1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,$,#2);
            #2=IFCUNITASSIGNMENT((#3,#4,#6,#8,#20,#23));
            #3=IFCSIUNIT(*,.AREAUNIT.,.MILLI.,.SQUARE_METRE.);
            #4=IFCCONVERSIONBASEDUNIT(#30,.LENGTHUNIT.,'FOOT',#5);
            #5=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(304.8),#7);
            #6=IFCCONVERSIONBASEDUNIT(#30,.PLANEANGLEUNIT.,'DEGREE',#9);
            #7=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
            #8=IFCMONETARYUNIT(.EUR.);
            #9=IFCMEASUREWITHUNIT(IFCPLANEANGLEMEASURE(0.0174532925199433),#10);
            #10=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);
            #20=IFCDERIVEDUNIT((#21,#22,#24),.THERMALTRANSMITTANCEUNIT.,$);
            #21=IFCDERIVEDUNITELEMENT(#31,1);
            #22=IFCDERIVEDUNITELEMENT(#32,-2);
            #23=IFCSIUNIT(*,.MASSUNIT.,.KILO.,.GRAM.);
            #24=IFCDERIVEDUNITELEMENT(#33,-1);
            #30=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);
            #31=IFCSIUNIT(*,.POWERUNIT.,$,.WATT.);
            #32=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
            #33=IFCSIUNIT(*,.THERMODYNAMICTEMPERATUREUNIT.,$,.KELVIN.);",
        ));
        assert_eq!((units.length_mm, units.length_label()), (304.8, "ft"));
        assert_eq!((units.area_m2, units.area_label()), (1e-6, "mm²"));
        assert!((units.angle_deg - 1.0).abs() < 1e-12);
        assert_eq!(units.angle_label(), "°");
        assert_eq!(units.label("IfcMonetaryMeasure"), Some("EUR"));
        assert_eq!(units.label("IfcThermalTransmittanceMeasure"), Some("W/(m²·K)"));
        assert_eq!((units.label("IfcMassMeasure"), units.si("IfcMassMeasure")), (Some("kg"), 1.0));
    }

    #[test]
    fn temperatures_are_shifted_and_money_and_pieces_are_their_own() {
        let units = Units::from_model(&model(
            SchemaVersion::Ifc4,
            "#2=IFCUNITASSIGNMENT((#3,#4,#10));
            #3=IFCSIUNIT(*,.THERMODYNAMICTEMPERATUREUNIT.,$,.DEGREE_CELSIUS.);
            #4=IFCCONTEXTDEPENDENTUNIT(#9,.USERDEFINED.,'each');
            #9=IFCDIMENSIONALEXPONENTS(0,0,0,0,0,0,0);
            #10=IFCMONETARYUNIT('EUR');
            #11=IFCCONVERSIONBASEDUNITWITHOFFSET(#9,.THERMODYNAMICTEMPERATUREUNIT.,'FAHRENHEIT',#12,255.37222222222);
            #12=IFCMEASUREWITHUNIT(IFCTHERMODYNAMICTEMPERATUREMEASURE(0.555555555555556),#13);
            #13=IFCSIUNIT(*,.THERMODYNAMICTEMPERATUREUNIT.,$,.KELVIN.);",
        ));
        let measure = "IfcThermodynamicTemperatureMeasure";
        assert_eq!(units.label(measure), Some("°C"));
        assert_eq!(units.to_si(measure, 20.0), 293.15);
        assert!((units.from_si(measure, 293.15) - 20.0).abs() < 1e-9);
        assert_eq!(units.to_si("IfcMonetaryMeasure", 3.5), 3.5);
        assert_eq!(units.declared("USERDEFINED").map(|unit| unit.label.as_str()), Some("each"));
    }

    #[test]
    fn a_conversion_with_offset_is_applied_in_its_order() {
        let model = model(
            SchemaVersion::Ifc4,
            "#9=IFCDIMENSIONALEXPONENTS(0,0,0,0,1,0,0);
            #11=IFCCONVERSIONBASEDUNITWITHOFFSET(#9,.THERMODYNAMICTEMPERATUREUNIT.,'FAHRENHEIT',#12,255.372222222222);
            #12=IFCMEASUREWITHUNIT(IFCTHERMODYNAMICTEMPERATUREMEASURE(0.555555555555556),#13);
            #13=IFCSIUNIT(*,.THERMODYNAMICTEMPERATUREUNIT.,$,.KELVIN.);",
        );
        let fahrenheit = unit(&model, Id(11)).unwrap();
        assert!((fahrenheit.to_si(212.0) - 373.15).abs() < 1e-6);
        assert!((fahrenheit.from_si(273.15) - 32.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_remembered_of_units_follows_each_change_of_them() {
        let model = model(
            SchemaVersion::Ifc4,
            "#1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,$,#2);
            #2=IFCUNITASSIGNMENT((#3,#4));
            #3=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
            #4=IFCCONVERSIONBASEDUNIT(#9,.PLANEANGLEUNIT.,'turn',#5);
            #5=IFCMEASUREWITHUNIT(IFCPLANEANGLEMEASURE(6.283185307179586),#6);
            #6=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);
            #9=IFCDIMENSIONALEXPONENTS(0,0,0,0,0,0,0);
            #20=IFCWALL('0000000000000000000002',$,$,$,$,$,$,$,$);",
        );
        let said = |model: &Model| {
            let units = Units::from_model(model);
            (units.length_mm, units.angle_deg.round())
        };
        assert_eq!(said(&model), (1.0, 360.0));
        let mut edit = model.edit();
        edit.set(Id(20), "Name", "Wall").unwrap();
        assert!(Arc::ptr_eq(&model.overlay().units, &edit.overlay().units), "a wall says nothing of units");
        edit.set(Id(3), "Prefix", Value::Null).unwrap();
        assert_eq!(said(&edit), (1000.0, 360.0));
        let turn = Value::typed("IfcPlaneAngleMeasure", Value::Real(1.0));
        edit.set(Id(5), "ValueComponent", turn).unwrap();
        assert_eq!(said(&edit), (1000.0, 57.0));
        let other = edit
            .create(
                "IfcSIUnit",
                &[
                    ("UnitType", Value::Enum("LENGTHUNIT".into())),
                    ("Prefix", Value::Enum("CENTI".into())),
                    ("Name", Value::Enum("METRE".into())),
                ],
            )
            .unwrap();
        edit.set(Id(2), "Units", Value::list([Value::Ref(other)])).unwrap();
        assert_eq!(said(&edit), (10.0, 57.0));
        let (after, delta) = edit.finish();
        assert_eq!((said(&model), said(&after)), ((1.0, 360.0), (10.0, 57.0)));
        // those who never asked do not take the answer of others for their own
        assert_eq!(said(&model.apply(&delta).unwrap()), (10.0, 57.0));
    }

    #[test]
    fn a_file_that_says_nothing_is_in_si() {
        let units = Units::from_model(&model(
            SchemaVersion::Ifc4,
            "#1=IFCWALL('0000000000000000000001',$,$,$,$,$,$,$,$);",
        ));
        assert_eq!((units.length_mm, units.area_m2, units.volume_m3), (1000.0, 1.0, 1.0));
        assert_eq!(units.label("IfcVolumeMeasure"), Some("m³"));
    }

    #[test]
    fn a_unit_that_is_made_of_itself_ends() {
        let units = Units::from_model(&model(
            SchemaVersion::Ifc4,
            "#2=IFCUNITASSIGNMENT((#4));
            #4=IFCCONVERSIONBASEDUNIT(#9,.LENGTHUNIT.,'loop',#5);
            #5=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(2.),#4);",
        ));
        assert_eq!(units.length_mm, 1000.0);
    }
}
