//! Elements as lines: grids, axes and footprints written out small, and alignments of real files.

use super::{items::model, near};
use crate::{
    Shaper,
    lines::Source,
    parameters::{self, Axis, By, Parameters},
};
use glam::{DVec2, DVec3};
use ifc::{Id, Limits, Model};
use std::f64::consts::PI;

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
    for (a, b) in found[0].points[1].to_array().iter().zip([1.0, 4.0, 0.5]) {
        near(*a, b);
    }
    // the second axis runs against its curve
    near(found[1].points[0].x, -2.0);
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
    let Some(Parameters::Wall(wall)) = parameters::read(&shaper, Id(30)).unwrap() else {
        panic!("is no wall")
    };
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

/// A sample of buildingSMART with alignments.
fn sample(name: &str) -> Option<Model> {
    let folder = testing::data("ifc43_samples/alignment-geometries-and-linear-positioning")?;
    let path = folder.join(name).join(format!("{name}.ifc"));
    Some(Model::open(&path, &Limits::default()).unwrap().0)
}

#[test]
fn real_tracks_lean_as_ifcopenshell_has_them() {
    let Some(model) = sample("linear-placement-of-signal") else { return };
    // sideways and upwards directions 400 m along, 12.3 m into a transition of 40 m; by IfcOpenShell 0.9
    let at = ifc::placement::along(&model, Id(2594), &[400.0]).unwrap()[0];
    let told = [[-0.344_567_4, 0.938_674, -0.012_825], [-0.004_419_4, 0.012_039_5, 0.999_917_8]];
    let [left, up] = told.map(DVec3::from);
    assert!(at.y_axis.abs_diff_eq(left, 1e-6) && at.z_axis.abs_diff_eq(up, 1e-6), "{at:?}");
    let told = DVec2::new(452_645.945_091_9, 4_539_541.085_223_5);
    assert!(at.translation.truncate().abs_diff_eq(told, 1e-5), "{at:?}");
    // the mean of the rails goes from 80 mm to none in a wave of cosine; IfcOpenShell reads another scale out of the parent's terms
    // and has it end 7.9 m under ground
    let Some(model) = sample("segmented-reference-curve") else { return };
    let line = Shaper::plain(&model).lines(Id(20)).unwrap();
    let track = line.iter().find(|l| l.item == Id(112)).unwrap();
    let heights = [track.points.first(), track.points.last()].map(|p| p.unwrap().z);
    near(heights[0], 0.08);
    near(heights[1], 0.0);
}

#[test]
fn alignments_are_as_long_as_their_segments() {
    for name in ["linear-placement-of-signal", "sectioned-solid-horizontal", "segmented-reference-curve"] {
        let Some(model) = sample(name) else { return };
        let shaper = Shaper::plain(&model);
        for alignment in model.of_class("IfcAlignment") {
            let found = shaper.lines_and_notes(alignment).unwrap();
            assert!(found.notes.is_empty() && !found.lines.is_empty(), "{name}: {:?}", found.notes);
            for line in &found.lines {
                let stations = ifc::placement::stations(&model, line.item).unwrap();
                let told = stations.last().unwrap() * shaper.reader.metre;
                let plan: f64 =
                    line.points.windows(2).map(|w| (w[1].x - w[0].x).hypot(w[1].y - w[0].y)).sum();
                assert!((plan - told).abs() < 1e-4 * told, "{name}: {plan} of {told}");
            }
        }
    }
}
