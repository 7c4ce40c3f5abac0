//! Elements as lines: grids, axes and footprints written out small, and alignments of real files.

use super::{items::model, near};
use crate::{
    Shaper,
    lines::Source,
    parameters::{self, Axis, By, Parameters},
};
use ifc::{Id, Limits, Model};
use std::f64::consts::PI;
use std::path::PathBuf;

#[test]
fn a_grid_is_drawn_by_its_axes_where_it_stands() {
    let lines = "#30=IFCGRID('0000000000000000000030',$,$,$,$,#11,$,(#31),(#32),$,$);\n\
        #31=IFCGRIDAXIS('A',#33,.T.);#32=IFCGRIDAXIS('1',#34,.F.);\n\
        #33=IFCPOLYLINE((#35,#36));#34=IFCPOLYLINE((#35,#37));\n\
        #35=IFCCARTESIANPOINT((0.,0.));#36=IFCCARTESIANPOINT((2000.,0.));#37=IFCCARTESIANPOINT((0.,3000.));";
    let model = model("#20", lines);
    let found = Shaper::plain(&model).lines(Id(30)).unwrap();
    let tags: Vec<&Source> = found.iter().map(|l| &l.from).collect();
    assert_eq!(tags, [&Source::GridAxis { tag: "A".into() }, &Source::GridAxis { tag: "1".into() }]);
    // the placement turns by a quarter and stands at (1, 2, 0.5)
    assert_eq!(found[0].points.len(), 2);
    for (a, b) in found[0].points[1].iter().zip([1.0, 4.0, 0.5]) {
        near(*a, b);
    }
    // the second axis runs against its curve
    near(found[1].points[0][0], -2.0);
    near(found[1].length(), 3.0);
}

/// A round wall: its axis a half circle, its footprint two lines mapped to where they are.
const ROUND: &str = "#30=IFCWALL('0000000000000000000030',$,'Round',$,$,#11,#31,$,$);\n\
    #31=IFCPRODUCTDEFINITIONSHAPE($,$,(#32,#40));\n\
    #32=IFCSHAPEREPRESENTATION(#3,'Axis','Curve2D',(#33));\n\
    #33=IFCTRIMMEDCURVE(#34,(IFCPARAMETERVALUE(0.)),(IFCPARAMETERVALUE(3.141592653589793)),.T.,.PARAMETER.);\n\
    #34=IFCCIRCLE(#35,1000.);#35=IFCAXIS2PLACEMENT2D(#36,$);#36=IFCCARTESIANPOINT((0.,0.));\n\
    #40=IFCSHAPEREPRESENTATION(#3,'FootPrint','MappedRepresentation',(#41));\n\
    #41=IFCMAPPEDITEM(#42,#43);#42=IFCREPRESENTATIONMAP(#6,#44);\n\
    #43=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#7,2.,$);\n\
    #44=IFCSHAPEREPRESENTATION(#3,'FootPrint','GeometricCurveSet',(#45));\n\
    #45=IFCGEOMETRICCURVESET((#46,#47));#46=IFCPOLYLINE((#36,#48,#49,#36));#47=IFCPOLYLINE((#36,#99));\n\
    #48=IFCCARTESIANPOINT((1000.,0.));#49=IFCCARTESIANPOINT((0.,1000.));";

#[test]
fn axes_and_footprints_tell_what_they_are_and_what_is_missing() {
    let model = model("#20", ROUND);
    let shaper = Shaper::plain(&model);
    let found = shaper.lines_and_notes(Id(30)).unwrap();
    let (axis, foot) = (&found.lines[0], &found.lines[1]);
    assert!(axis.is_of("axis") && !axis.closed && foot.is_of("FootPrint") && foot.closed);
    assert!((axis.length() - PI).abs() < 0.01);
    near(foot.length(), 2.0 * (2.0 + 2.0_f64.sqrt()));
    assert_eq!(found.notes[0].to_string(), "#99: is not in the file");
    let Some(Parameters::Wall(wall)) = parameters::of(&shaper, Id(30)).unwrap() else { panic!("is no wall") };
    assert_eq!(wall.axis.by(), Some(By::AxisRepresentation));
    let Some(axis @ Axis::Arc { radius, .. }) = wall.axis.value() else { panic!("{:?}", wall.axis) };
    near(*radius, 1.0);
    near(axis.length(), PI);
    assert!(wall.height.value().is_none());
}

#[test]
fn an_element_without_lines_has_none() {
    let model = model("#20", "");
    assert_eq!(Shaper::plain(&model).lines(Id(10)).unwrap(), []);
}

#[test]
fn alignments_are_as_long_as_their_segments() {
    let data = std::env::var_os("PENSAER_TEST_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let folder = data.join("ifc43_samples/alignment-geometries-and-linear-positioning");
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
        return;
    }
    for name in ["linear-placement-of-signal", "sectioned-solid-horizontal", "segmented-reference-curve"] {
        let path = folder.join(name).join(format!("{name}.ifc"));
        let model = Model::open(&path, &Limits::default()).unwrap().0;
        let shaper = Shaper::plain(&model);
        for alignment in model.of_class("IfcAlignment") {
            let found = shaper.lines_and_notes(alignment).unwrap();
            assert!(found.notes.is_empty() && !found.lines.is_empty(), "{name}: {:?}", found.notes);
            for line in &found.lines {
                let stations = ifc::placement::stations(&model, line.item).unwrap();
                let told = stations.last().unwrap() * shaper.reader.metre;
                let plan: f64 =
                    line.points.windows(2).map(|w| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1])).sum();
                assert!((plan - told).abs() < 1e-4 * told, "{name}: {plan} of {told}");
            }
        }
    }
}
