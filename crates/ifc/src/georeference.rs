//! The place of a model on the earth: the way between its own coordinates and those of a map.
//!
//! IFC4 and later say it by an IfcCoordinateOperation (IfcRepresentationResource, ISO 16739-1:2018, 8.18) from the
//! model's context to a coordinate reference system: IfcMapConversion shifts, turns and scales, IfcMapConversionScaled
//! has a factor for each axis besides, IfcRigidOperation only shifts. IFC2X3 files say it by the property set
//! `ePset_MapConversion` of the project or site, as buildingSMART's User Guide for Geo-referencing has it. The world
//! coordinate system of the model's context lies between the two.
//!
//! Latitude and longitude of a site are for the sun, not for surveyors, and are read as they stand. Nothing here knows
//! projections or datums.

use crate::placement::{self, inverse};
use crate::{Id, Instance, Model, SchemaVersion, Value, psets};
use glam::{DAffine3, DVec3};

/// The operation that leads from the model's coordinates to the map's.
#[derive(Debug, Clone, PartialEq)]
pub struct Georeference {
    /// The instance that says it: the coordinate operation, or the project or site that has the property set.
    pub source: Id,
    /// Easting of the model's origin, in the map's unit.
    pub easting: f64,
    /// Northing of the model's origin, in the map's unit.
    pub northing: f64,
    /// Height of the model's origin, in the map's unit.
    pub height: f64,
    /// The direction of the model's x axis on the map, as abscissa and ordinate; not of length one.
    pub x_axis: [f64; 2],
    /// The size of one of the model's units in the map's.
    pub scale: f64,
    /// Factors for the three axes on top of the scale.
    pub factors: [f64; 3],
    /// The context's world coordinate system, if it has one.
    pub world: Option<DAffine3>,
    /// The coordinate reference system of the map.
    pub crs: Option<Crs>,
}

/// A coordinate reference system by its names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Crs {
    /// Such as `EPSG:25832`.
    pub name: Option<String>,
    /// In words.
    pub description: Option<String>,
    /// Such as `ETRS89`.
    pub geodetic_datum: Option<String>,
    /// Such as `DHHN2016`.
    pub vertical_datum: Option<String>,
    /// Such as `UTM`.
    pub map_projection: Option<String>,
    /// Such as `UTM32`.
    pub map_zone: Option<String>,
    /// The unit of the map, where the file gives it.
    pub unit: Option<Id>,
}

impl Georeference {
    /// Reads the georeference of a model; `None` if it has none. Of several operations the first counts.
    pub fn from_model(model: &Model) -> Option<Self> {
        let mut found = if model.schema().version() == SchemaVersion::Ifc2x3 {
            by_property_set(model)?
        } else {
            by_operation(model)?
        };
        if found.x_axis == [0.0, 0.0] {
            found.x_axis = [1.0, 0.0];
        }
        if found.scale == 0.0 {
            found.scale = 1.0;
        }
        found.world = world_coordinate_system(model);
        Some(found)
    }

    /// Easting, northing and height, in the map's unit, of a point that is given in the model's world coordinates and unit.
    pub fn to_map(&self, point: DVec3) -> DVec3 {
        let back = self.world.as_ref().and_then(inverse);
        let point = back.map_or(point, |back| back.transform_point3(point));
        self.helmert().transform_point3(point)
    }

    /// The model's world coordinates, in its unit, of a point on the map; none if the file's factors flatten space.
    pub fn from_map(&self, point: DVec3) -> Option<DVec3> {
        let point = inverse(&self.helmert())?.transform_point3(point);
        Some(self.world.as_ref().map_or(point, |world| world.transform_point3(point)))
    }

    /// The angle from project north to grid north in degrees, anticlockwise positive.
    pub fn grid_north(&self) -> f64 {
        let [abscissa, ordinate] = self.x_axis;
        -ordinate.atan2(abscissa).to_degrees()
    }

    /// The transformation from context to map, without the world coordinate system.
    fn helmert(&self) -> DAffine3 {
        let [abscissa, ordinate] = self.x_axis;
        let (sin, cos) = ordinate.atan2(abscissa).sin_cos();
        let [x, y, z] = self.factors.map(|factor| factor * self.scale);
        DAffine3::from_cols(
            DVec3::new(cos, sin, 0.0) * x,
            DVec3::new(-sin, cos, 0.0) * y,
            DVec3::Z * z,
            DVec3::new(self.easting, self.northing, self.height),
        )
    }

    fn plain(source: Id) -> Self {
        Self {
            source,
            easting: 0.0,
            northing: 0.0,
            height: 0.0,
            x_axis: [1.0, 0.0],
            scale: 1.0,
            factors: [1.0; 3],
            world: None,
            crs: None,
        }
    }
}

fn by_operation(model: &Model) -> Option<Georeference> {
    let operation = model.of_class("IfcCoordinateOperation").into_iter().min()?;
    let instance = model.get(operation)?;
    let number = |name: &str| instance.number(name);
    let mut found = Georeference::plain(operation);
    if instance.is_a("IfcMapConversion") {
        found.easting = number("Eastings").unwrap_or(0.0);
        found.northing = number("Northings").unwrap_or(0.0);
        found.height = number("OrthogonalHeight").unwrap_or(0.0);
        found.x_axis = ["XAxisAbscissa", "XAxisOrdinate"].map(|name| number(name).unwrap_or(0.0));
        found.scale = number("Scale").unwrap_or(1.0);
        found.factors = ["FactorX", "FactorY", "FactorZ"].map(|name| number(name).unwrap_or(1.0));
    } else if instance.is_a("IfcRigidOperation") {
        found.easting = number("FirstCoordinate").unwrap_or(0.0);
        found.northing = number("SecondCoordinate").unwrap_or(0.0);
        found.height = number("Height").unwrap_or(0.0);
    } else {
        return None;
    }
    let crs = instance.reference("TargetCRS").and_then(|id| model.get(id));
    found.crs = crs.map(|crs| Crs {
        name: crs.text("Name"),
        description: crs.text("Description"),
        geodetic_datum: crs.text("GeodeticDatum"),
        vertical_datum: crs.text("VerticalDatum"),
        map_projection: crs.text("MapProjection"),
        map_zone: crs.text("MapZone"),
        unit: crs.reference("MapUnit"),
    });
    Some(found)
}

/// The property sets of the guide, in either spelling, of the project or else of a site.
fn by_property_set(model: &Model) -> Option<Georeference> {
    let holders = [model.of_class("IfcProject"), model.of_class("IfcSite")].concat();
    holders.into_iter().find_map(|holder| {
        let sets = psets::of_element(model, holder);
        let set = |wanted: &str| sets.iter().find(|set| set.name.eq_ignore_ascii_case(wanted));
        let value = |set: &psets::PropertySet, name: &str| {
            set.properties
                .iter()
                .find(|property| property.name == name)
                .map(|property| property.value.clone())
        };
        let conversion = set("ePset_MapConversion")?;
        let number = |name: &str| value(conversion, name).and_then(|value| value.as_f64()).unwrap_or(0.0);
        let crs = set("ePset_ProjectedCRS").map(|crs| {
            let text = |name: &str| value(crs, name).and_then(|value| value.as_text().map(str::to_owned));
            Crs {
                name: text("Name"),
                description: text("Description"),
                geodetic_datum: text("GeodeticDatum"),
                vertical_datum: text("VerticalDatum"),
                map_projection: text("MapProjection"),
                map_zone: text("MapZone"),
                unit: None,
            }
        });
        Some(Georeference {
            easting: number("Eastings"),
            northing: number("Northings"),
            height: number("OrthogonalHeight"),
            x_axis: [number("XAxisAbscissa"), number("XAxisOrdinate")],
            scale: number("Scale"),
            crs,
            ..Georeference::plain(holder)
        })
    })
}

/// The contexts themselves, without their subcontexts.
fn contexts(model: &Model) -> impl Iterator<Item = Instance<'_>> {
    model.of_class_exact("IfcGeometricRepresentationContext").into_iter().filter_map(|id| model.get(id))
}

/// The world coordinate system of the context for models, else of the last one.
fn world_coordinate_system(model: &Model) -> Option<DAffine3> {
    let mut found = None;
    for context in contexts(model) {
        found = context.reference("WorldCoordinateSystem");
        if context.text("ContextType").as_deref() == Some("Model") {
            break;
        }
    }
    placement::axis2(model, found?)
}

/// The angle from project north to true north in degrees, anticlockwise positive; nought where the file says nothing
/// (IfcGeometricRepresentationContext.TrueNorth).
pub fn true_north(model: &Model) -> f64 {
    let north = contexts(model).find_map(|context| context.reference("TrueNorth"));
    let Some(DVec3 { x, y, .. }) = north.and_then(|id| placement::direction(model, id)) else { return 0.0 };
    let angle = y.atan2(x).to_degrees() - 90.0;
    if angle < -180.0 { angle + 360.0 } else { angle }
}

/// Latitude, longitude (degrees, north and east positive) and elevation (the file's unit) that a site gives for itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Location {
    /// Degrees, north positive.
    pub latitude: f64,
    /// Degrees, east positive.
    pub longitude: f64,
    /// Over sea level, in the file's unit of length.
    pub elevation: Option<f64>,
}

/// Reads the location that a site gives for itself; none without latitude and longitude.
pub fn location(model: &Model, site: Id) -> Option<Location> {
    let site = model.get(site)?;
    Some(Location {
        latitude: degrees(&site.attr("RefLatitude"))?,
        longitude: degrees(&site.attr("RefLongitude"))?,
        elevation: site.number("RefElevation"),
    })
}

/// An IfcCompoundPlaneAngleMeasure in degrees: degrees, minutes, seconds and millionths of seconds, all of one sign.
pub fn degrees(angle: &Value) -> Option<f64> {
    let parts = angle.as_list().filter(|parts| !parts.is_empty())?;
    let mut total = 0.0;
    for (part, size) in parts.iter().zip([1.0, 60.0, 3_600.0, 3.6e9]) {
        total += part.as_f64()? / size;
    }
    Some(total)
}

/// Degrees as an IfcCompoundPlaneAngleMeasure, rounded to a millionth of a second; none beyond a turn.
pub fn compound_angle(degrees: f64) -> Option<Value> {
    if !degrees.is_finite() || degrees.abs() > 360.0 {
        return None;
    }
    let millionths = (degrees * 3.6e9).round() as i64;
    let parts = [
        millionths / 3_600_000_000,
        millionths / 60_000_000 % 60,
        millionths / 1_000_000 % 60,
        millionths % 1_000_000,
    ];
    Some(Value::list(parts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::model;

    fn close(a: DVec3, b: [f64; 3]) {
        assert!(a.abs_diff_eq(b.into(), 1e-6), "{a:?} is not {b:?}");
    }

    const SITE: &str = "#1=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#2,#3);
        #2=IFCAXIS2PLACEMENT3D(#4,$,$);
        #3=IFCDIRECTION((0.,1.));
        #4=IFCCARTESIANPOINT((10.,0.,0.));
        #5=IFCPROJECTEDCRS('EPSG:25832',$,'ETRS89','DHHN92','UTM','UTM32',$);
        #6=IFCMAPCONVERSION(#1,#5,1000.,2000.,30.,0.,1.,0.001);";

    #[test]
    fn a_map_conversion_shifts_turns_and_scales() {
        let model = model(SchemaVersion::Ifc4, SITE);
        let found = Georeference::from_model(&model).unwrap();
        assert_eq!(found.crs.as_ref().and_then(|crs| crs.name.as_deref()), Some("EPSG:25832"));
        // the x axis points north; the context's origin is 10 along it
        close(found.to_map([10.0, 0.0, 0.0].into()), [1000.0, 2000.0, 30.0]);
        close(found.to_map([3010.0, 0.0, 500.0].into()), [1000.0, 2003.0, 30.5]);
        close(found.from_map([1000.0, 2003.0, 30.5].into()).unwrap(), [3010.0, 0.0, 500.0]);
        assert_eq!(found.grid_north(), -90.0);
        assert_eq!(true_north(&model), 0.0);
    }

    #[test]
    fn factors_and_rigid_operations_are_those_of_ifc4x3() {
        let scaled = model(
            SchemaVersion::Ifc4x3,
            "#1=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#2,$);
            #2=IFCAXIS2PLACEMENT3D(#4,$,$);
            #4=IFCCARTESIANPOINT((0.,0.,0.));
            #5=IFCPROJECTEDCRS('EPSG:25832',$,$,$,$,$,$);
            #6=IFCMAPCONVERSIONSCALED(#1,#5,100.,200.,3.,1.,0.,1.,0.5,2.,4.);",
        );
        let found = Georeference::from_model(&scaled).unwrap();
        close(found.to_map([1.0, 1.0, 1.0].into()), [100.5, 202.0, 7.0]);
        let rigid = model(
            SchemaVersion::Ifc4x3,
            "#5=IFCPROJECTEDCRS('EPSG:25832',$,$,$,$,$,$);
            #6=IFCRIGIDOPERATION(#1,#5,IFCLENGTHMEASURE(5.),IFCLENGTHMEASURE(6.),7.);",
        );
        close(Georeference::from_model(&rigid).unwrap().to_map([1.0, 1.0, 1.0].into()), [6.0, 7.0, 8.0]);
    }

    #[test]
    fn ifc2x3_says_it_by_a_property_set() {
        let old = model(
            SchemaVersion::Ifc2x3,
            "#1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,$,$);
            #2=IFCPROPERTYSET('0000000000000000000002',$,'ePSet_MapConversion',$,(#3,#4));
            #3=IFCPROPERTYSINGLEVALUE('Eastings',$,IFCLENGTHMEASURE(500.),$);
            #4=IFCPROPERTYSINGLEVALUE('Northings',$,IFCLENGTHMEASURE(600.),$);
            #5=IFCRELDEFINESBYPROPERTIES('0000000000000000000005',$,$,$,(#1),#2);",
        );
        close(Georeference::from_model(&old).unwrap().to_map([1.0, 2.0, 3.0].into()), [501.0, 602.0, 3.0]);
    }

    #[test]
    fn angles_in_parts_are_degrees_and_back() {
        let angle = Value::list([-33i64, -51, -35, -900_000]);
        assert!((degrees(&angle).unwrap() + 33.859_972_222).abs() < 1e-9);
        assert_eq!(compound_angle(degrees(&angle).unwrap()), Some(angle));
        assert_eq!(compound_angle(11.5), Some(Value::list([11i64, 30, 0, 0])));
        assert_eq!(compound_angle(f64::NAN), None);
        assert_eq!(degrees(&Value::Null), None);
    }

    #[test]
    fn a_model_that_says_nothing_has_none() {
        assert_eq!(Georeference::from_model(&model(SchemaVersion::Ifc4, "#1=IFCDIRECTION((0.,1.));")), None);
    }
}
