//! Profiles along curves and between sections, and profiles with slopes, each with a volume that a formula gives.

use super::items::{model, model_in};
use super::near;
use crate::{Measures, Shaper, measure};
use ifc::Id;
use std::f64::consts::PI;

fn found(items: &str, lines: &str) -> Measures {
    measure(&model(items, lines), Id(10)).unwrap()
}

fn volume(items: &str, lines: &str) -> f64 {
    let found = found(items, lines);
    assert!(found.is_closed(), "open by {}", found.open);
    found.volume
}

fn within(found: f64, exact: f64) {
    assert!((found - exact).abs() < 0.01 * exact, "{found} of {exact}");
}

#[test]
fn a_profile_follows_a_part_of_a_circle() {
    // a quarter circle of one metre; the volume is the area times the way of its middle
    let lines = "#80=IFCFIXEDREFERENCESWEPTAREASOLID(#81,$,#82,0.,1.5707963267948966,#15);\n\
        #81=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,200.,100.);\n#82=IFCCIRCLE(#6,1000.);";
    within(volume("#80", lines), 0.02 * PI / 2.0);
}

#[test]
fn a_profile_upon_a_surface_has_its_x_axis_along_the_normal() {
    let plane = "#80=IFCSURFACECURVESWEPTAREASOLID(#81,$,#82,0.,1.5707963267948966,#83);\n\
        #81=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,200.,100.);\n#82=IFCCIRCLE(#6,1000.);\n#83=IFCPLANE(#6);";
    within(volume("#80", plane), 0.02 * PI / 2.0);
    near(found("#80", plane).bounds.size().z, 0.2);
    // around a cylinder, from its side outward
    let round = "#80=IFCSURFACECURVESWEPTAREASOLID(#81,$,#82,$,$,#83);\n\
        #81=IFCRECTANGLEPROFILEDEF(.AREA.,$,#84,200.,100.);\n#82=IFCCIRCLE(#6,1000.);\n\
        #83=IFCCYLINDRICALSURFACE(#6,1000.);\n#84=IFCAXIS2PLACEMENT2D(#85,$);\n#85=IFCCARTESIANPOINT((100.,0.));";
    within(volume("#80", round), PI * (1.44 - 1.0) * 0.1);
}

#[test]
fn a_polygonal_disk_is_rounded_at_its_bends() {
    let lines = "#80=IFCSWEPTDISKSOLIDPOLYGONAL(#82,10.,$,$,$,200.);\n#82=IFCPOLYLINE((#83,#84,#85));\n\
        #83=IFCCARTESIANPOINT((0.,0.,0.));\n#84=IFCCARTESIANPOINT((1000.,0.,0.));\n\
        #85=IFCCARTESIANPOINT((1000.,2000.,0.));";
    within(volume("#80", lines), PI * 1e-4 * (3.0 - 0.4 + 0.2 * PI / 2.0));
}

/// A metre straight on, then a quarter circle of one metre; parameters count millimetres and then radians.
const BENT: &str = "#82=IFCCOMPOSITECURVE((#83,#84),.F.);\n\
    #83=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#85);#84=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#86);\n\
    #85=IFCTRIMMEDCURVE(#87,(IFCPARAMETERVALUE(0.)),(IFCPARAMETERVALUE(1000.)),.T.,.PARAMETER.);\n\
    #87=IFCLINE(#88,#89);#88=IFCCARTESIANPOINT((-1000.,-1000.,0.));#89=IFCVECTOR(#90,1.);#90=IFCDIRECTION((1.,0.,0.));\n\
    #86=IFCTRIMMEDCURVE(#91,(IFCPARAMETERVALUE(4.71238898038469)),(IFCPARAMETERVALUE(0.)),.T.,.PARAMETER.);\n\
    #91=IFCCIRCLE(#6,1000.);";

#[test]
fn parameters_go_on_from_one_segment_to_the_next() {
    let along = |ends: &str| format!("#80=IFCSWEPTDISKSOLID(#82,10.,$,{ends});\n{BENT}");
    let disk = PI * 1e-4;
    within(volume("#80", &along("$,$")), disk * (1.0 + PI / 2.0));
    within(volume("#80", &along("500.,1000.7853981633974483")), disk * (0.5 + PI / 4.0));
    // one for each segment, as many programs have it, is the whole
    within(volume("#80", &along("0.,2.")), disk * (1.0 + PI / 2.0));
    let by_length = "#80=IFCFIXEDREFERENCESWEPTAREASOLID(#81,$,#82,IFCLENGTHMEASURE(500.),IFCLENGTHMEASURE(1500.),#15);\n\
        #81=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,200.,100.);\n";
    let model = model_in("IFC4X3_ADD2", "#80", &format!("{by_length}{BENT}"));
    within(measure(&model, Id(10)).unwrap().volume, 0.02);
}

/// Two places on a straight directrix, one metre and three metres along.
const PLACES: &str = "#81=IFCPOLYLINE((#7,#87));\n#87=IFCCARTESIANPOINT((9000.,0.,0.));\n\
    #88=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(1000.),$,$,$,#81);\n\
    #89=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(3000.),$,$,$,#81);\n";

#[test]
fn sections_may_stand_askew() {
    // both leaning by 45 degrees in plan: a sheared block
    let lines = format!(
        "#80=IFCSECTIONEDSOLIDHORIZONTAL(#81,(#82,#82),(#84,#85));\n{PLACES}\
         #82=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1000.,1000.);\n\
         #84=IFCAXIS2PLACEMENTLINEAR(#88,#15,#90);\n#85=IFCAXIS2PLACEMENTLINEAR(#89,#15,#90);\n\
         #90=IFCDIRECTION((1.,1.,0.));"
    );
    let found = measure(&model_in("IFC4X3_ADD2", "#80", &lines), Id(10)).unwrap();
    assert!(found.is_closed());
    near(found.volume, 2.0 * 0.5_f64.sqrt());
}

/// Ten metres straight on whose cant goes from none to 0.1 in the sine of its angle, about the left rail's height, lifted by 50 mm.
const CANT: &str = "#81=IFCSEGMENTEDREFERENCECURVE((#101,#102),.F.,#103,$);\n\
    #103=IFCGRADIENTCURVE((#104),.F.,#105,$);\n#105=IFCCOMPOSITECURVE((#104),.F.);\n\
    #101=IFCCURVESEGMENT(.CONTINUOUS.,#106,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(10000.),#107);\n\
    #102=IFCCURVESEGMENT(.DISCONTINUOUS.,#108,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(0.),#109);\n\
    #104=IFCCURVESEGMENT(.CONTINUOUS.,#110,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(10000.),#109);\n\
    #106=IFCAXIS2PLACEMENT3D(#7,#15,$);\n#107=IFCCLOTHOID(#110,10000.);\n\
    #108=IFCAXIS2PLACEMENT3D(#111,#112,$);\n#109=IFCLINE(#113,#114);\n#110=IFCAXIS2PLACEMENT2D(#113,$);\n\
    #111=IFCCARTESIANPOINT((10000.,50.,0.));\n#112=IFCDIRECTION((0.,0.1,0.99498743710662));\n\
    #113=IFCCARTESIANPOINT((0.,0.));\n#114=IFCVECTOR(#115,1.);\n#115=IFCDIRECTION((1.,0.));\n";

#[test]
fn sections_lean_and_rise_with_the_cant_of_their_directrix() {
    let solid = "#80=IFCSECTIONEDSOLIDHORIZONTAL(#81,(#82,#82),(#84,#85));\n\
        #82=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,2000.,500.);\n\
        #84=IFCAXIS2PLACEMENTLINEAR(#88,$,$);\n#85=IFCAXIS2PLACEMENTLINEAR(#89,$,$);\n\
        #88=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(0.),$,$,$,#81);\n\
        #89=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(10000.),$,$,$,#81);\n";
    // the reference is the left at the beginning, and so is the profile's x
    let swept = "#80=IFCDIRECTRIXDERIVEDREFERENCESWEPTAREASOLID(#82,$,#81,$,$,#83);\n\
        #82=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,2000.,500.);\n#83=IFCDIRECTION((0.,1.,0.));\n";
    let (sin, cos) = (0.1_f64, 0.99_f64.sqrt());
    for body in [solid, swept] {
        let found = measure(&model_in("IFC4X3_ADD2", "#80", &format!("{body}{CANT}")), Id(10)).unwrap();
        assert!(found.is_closed());
        within(found.volume, 10.0);
        // the wall it hangs on stands at a height of half a metre
        let (top, bottom) = (0.55 + sin + 0.25 * cos, 0.55 - sin - 0.25 * cos);
        assert!((found.bounds.max.z - top).abs() < 3e-3, "{body}: {} is not {top}", found.bounds.max.z);
        assert!((found.bounds.min.z - bottom).abs() < 3e-3, "{body}: {}", found.bounds.min.z);
    }
}

#[test]
fn a_surface_of_open_sections_leans_with_cant_and_its_slopes_fall_to_the_left() {
    // from the line to the left, which the placement turns to the west: a lane of 3 m that falls by 2 %
    let lines = format!(
        "#80=IFCSECTIONEDSURFACE(#81,(#84,#85),(#82,#82));\n\
         #82=IFCOPENCROSSPROFILEDEF(.CURVE.,$,.T.,(3000.),(-0.0199973339731505),$,$);\n\
         #84=IFCAXIS2PLACEMENTLINEAR(#88,$,$);\n#85=IFCAXIS2PLACEMENTLINEAR(#89,$,$);\n{PLACES}"
    );
    let flat = measure(&model_in("IFC4X3_ADD2", "#80", &lines), Id(10)).unwrap();
    near(flat.bounds.size().z, 0.06);
    near(flat.bounds.min.z, 0.5 - 0.06);
    // a slope of more than a right angle goes to the right, and rises there
    let right = lines.replace("-0.0199973339731505", "3.12159531961664");
    let right = measure(&model_in("IFC4X3_ADD2", "#80", &right), Id(10)).unwrap();
    near(right.bounds.max.x, 1.0 + 3.0);
    near(right.bounds.max.z, 0.5 + 0.06);
    // the directrix runs north from x = 1
    near(flat.bounds.min.x, 1.0 - 3.0);
    near(flat.bounds.max.x, 1.0);
}

#[test]
fn open_sections_make_a_surface() {
    let lines = format!(
        "#80=IFCSECTIONEDSURFACE(#81,(#84,#85),(#82,#82));\n{PLACES}\
         #82=IFCOPENCROSSPROFILEDEF(.CURVE.,$,.T.,(1000.,500.),(0.,0.7853981633974483),$,$);\n\
         #84=IFCAXIS2PLACEMENTLINEAR(#88,$,$);\n#85=IFCAXIS2PLACEMENTLINEAR(#89,$,$);"
    );
    let found = measure(&model_in("IFC4X3_ADD2", "#80", &lines), Id(10)).unwrap();
    near(found.area, 2.0 * (1.0 + 0.5_f64.sqrt()));
}

#[test]
fn sections_on_a_spine_make_a_body() {
    let lines = "#80=IFCSECTIONEDSPINE(#81,(#82,#83,#83),(#84,#85,#86));\n\
        #81=IFCCOMPOSITECURVE((#87),.F.);#87=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#88);\n\
        #88=IFCPOLYLINE((#7,#92));\n\
        #82=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1000.,1000.);\n#83=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,2000.,2000.);\n\
        #84=IFCAXIS2PLACEMENT3D(#7,$,$);#85=IFCAXIS2PLACEMENT3D(#91,$,$);#86=IFCAXIS2PLACEMENT3D(#92,$,$);\n\
        #91=IFCCARTESIANPOINT((0.,0.,2000.));#92=IFCCARTESIANPOINT((0.,0.,3000.));";
    near(volume("#80", lines), 2.0 / 3.0 * 7.0 + 4.0);
}

#[test]
fn profiles_have_their_slopes_and_their_lines_a_thickness() {
    let prism = |profile: &str| {
        let lines = format!("#50=IFCEXTRUDEDAREASOLID(#51,$,#15,1000.);\n#51={profile};");
        measure(&model_in("IFC4X3_ADD2", "#50", &lines), Id(10)).unwrap().volume
    };
    let near = |found: f64, exact: f64| assert!((found - exact).abs() < 1e-7, "{found} is not {exact}");
    // by IfcOpenShell 0.9
    near(prism("IFCISHAPEPROFILEDEF(.AREA.,$,$,200.,300.,20.,30.,$,$,0.1)"), 0.01842542);
    near(
        prism("IFCASYMMETRICISHAPEPROFILEDEF(.AREA.,$,$,200.,300.,20.,30.,$,100.,25.,$,$,0.1,$,0.2)"),
        0.01453705,
    );
    near(prism("IFCUSHAPEPROFILEDEF(.AREA.,$,$,300.,100.,20.,30.,$,$,0.1)"), 0.01063946);
    near(prism("IFCLSHAPEPROFILEDEF(.AREA.,$,$,200.,100.,20.,$,$,0.1)"), 0.00531845);
    near(prism("IFCTSHAPEPROFILEDEF(.AREA.,$,$,300.,200.,20.,30.,$,$,$,0.05,$)"), 0.01099466);
    // two overhangs of 90 mm, 24.983 mm thick at the tip and 34.013 mm at the web, beside a web of 20 mm by 300 mm; IfcOpenShell
    // lets the flange rise over the whole web's thickness less than its slope says and has 0.0112194
    near(prism("IFCTSHAPEPROFILEDEF(.AREA.,$,$,300.,200.,20.,30.,$,$,$,$,0.1)"), 0.011309698);
    // a strip about a bent line is as large as the line is long; IfcOpenShell has 0.00194444
    let strip = "IFCCENTERLINEPROFILEDEF(.AREA.,$,#90,20.);#90=IFCPOLYLINE((#91,#92,#93));\
        #91=IFCCARTESIANPOINT((0.,0.));#92=IFCCARTESIANPOINT((100.,0.));#93=IFCCARTESIANPOINT((100.,50.))";
    near(prism(strip), 0.003);
}

#[test]
fn spoiled_sweeps_say_what_is_wrong() {
    let reason = |lines: &str| {
        let model = model_in("IFC4X3_ADD2", "#80", lines);
        Shaper::plain(&model).element(Id(10)).map_or_else(|e| e.to_string(), |s| s.notes[0].to_string())
    };
    let backwards = format!("#80=IFCSWEPTDISKSOLID(#82,10.,$,900.,800.);\n{BENT}");
    assert_eq!(reason(&backwards), "#80: ends before it begins");
    let steep = "#80=IFCEXTRUDEDAREASOLID(#51,$,#15,1000.);\n\
        #51=IFCISHAPEPROFILEDEF(.AREA.,$,$,200.,300.,20.,30.,$,$,1.57);";
    assert_eq!(reason(steep), "#51: FlangeSlope is no slope of a flange");
    let lines = format!(
        "#80=IFCSECTIONEDSOLIDHORIZONTAL(#81,(#82),(#84));\n{PLACES}\
         #82=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1000.,1000.);\n#84=IFCAXIS2PLACEMENTLINEAR(#88,$,$);"
    );
    assert_eq!(reason(&lines), "#80: has not as many sections as places for them");
}

/// Bodies to be spoiled: the lines of item #80.
pub(super) fn samples() -> Vec<String> {
    vec![
        format!("#80=IFCSWEPTDISKSOLID(#82,10.,5.,500.,1000.5);\n{BENT}"),
        format!("#80=IFCSURFACECURVESWEPTAREASOLID(#81,$,#82,500.,1000.5,#99);\n\
            #81=IFCISHAPEPROFILEDEF(.AREA.,$,$,200.,300.,20.,30.,10.,5.,0.1);\n{BENT}\n#99=IFCTOROIDALSURFACE(#6,300.,100.);"),
        format!("#80=IFCSECTIONEDSOLIDHORIZONTAL(#81,(#82,#83),(#84,#85));\n{PLACES}\
            #82=IFCCIRCLEPROFILEDEF(.AREA.,$,$,1000.);\n#83=IFCLSHAPEPROFILEDEF(.AREA.,$,$,200.,100.,20.,8.,4.,0.1);\n\
            #84=IFCAXIS2PLACEMENTLINEAR(#88,#15,#90);\n#85=IFCAXIS2PLACEMENTLINEAR(#89,#15,#90);\n\
            #90=IFCDIRECTION((1.,1.,0.));"),
        "#80=IFCRECTANGULARTRIMMEDSURFACE(#81,0.,0.,1.5,2000.,.T.,.T.);\n#81=IFCCYLINDRICALSURFACE(#6,500.);".to_owned(),
        "#80=IFCEXTRUDEDAREASOLID(#81,$,#15,100.);#81=IFCCENTERLINEPROFILEDEF(.AREA.,$,#90,20.);#90=IFCPOLYLINE((#91,#92,#93));\
            #91=IFCCARTESIANPOINT((0.,0.));#92=IFCCARTESIANPOINT((100.,0.));#93=IFCCARTESIANPOINT((100.,50.));".to_owned(),
    ]
}
