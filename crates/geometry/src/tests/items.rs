//! Small files, one representation each, in millimetres.

use super::near;
use crate::{Scene, Shaper, bounds, measure};
use glam::DVec3;
use ifc::{Id, Limits, Model};

/// A wall `#10` at (1000, 2000, 500) turned by a quarter, whose body holds the items named; further lines as given.
pub(crate) fn model(items: &str, lines: &str) -> Model {
    model_in("IFC4", items, lines)
}

pub(crate) fn model_in(schema: &str, items: &str, lines: &str) -> Model {
    let text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('{schema}'));\nENDSEC;\nDATA;\n\
         #1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,(#3),#2);\n\
         #2=IFCUNITASSIGNMENT((#4,#5));\n\
         #3=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#6,$);\n\
         #4=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n\
         #5=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);\n\
         #6=IFCAXIS2PLACEMENT3D(#7,$,$);\n#7=IFCCARTESIANPOINT((0.,0.,0.));\n\
         #8=IFCCARTESIANPOINT((1000.,2000.,500.));\n#9=IFCDIRECTION((0.,1.,0.));\n\
         #10=IFCWALL('0000000000000000000010',$,'Wall',$,$,#11,#12,$,$);\n\
         #11=IFCLOCALPLACEMENT($,#13);\n#12=IFCPRODUCTDEFINITIONSHAPE($,$,(#14));\n\
         #13=IFCAXIS2PLACEMENT3D(#8,#15,#9);\n#14=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',({items}));\n\
         #15=IFCDIRECTION((0.,0.,1.));\n#16=IFCRECTANGLEPROFILEDEF(.AREA.,$,#17,7000.,200.);\n\
         #17=IFCAXIS2PLACEMENT2D(#18,$);\n#18=IFCCARTESIANPOINT((3500.,0.));\n\
         #20=IFCEXTRUDEDAREASOLID(#16,$,#15,3000.);\n{lines}\nENDSEC;\nEND-ISO-10303-21;\n"
    );
    keep(&text);
    Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap().0
}

/// Writes a small model to the folder that PENSAER_SMALL_MODELS names, for comparing with other programs by
/// `tests/python/compare_geometry.py`; its name is the test's.
fn keep(text: &str) {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let Some(folder) = std::env::var_os("PENSAER_SMALL_MODELS") else { return };
    let mut hash = DefaultHasher::new();
    text.hash(&mut hash);
    let test =
        std::thread::current().name().unwrap_or("test").rsplit("::").next().unwrap_or_default().to_owned();
    let path = std::path::Path::new(&folder).join(format!("{test}-{:04x}.ifc", hash.finish() & 0xffff));
    std::fs::write(path, text).unwrap();
}

pub(super) fn volume(items: &str, lines: &str) -> f64 {
    let found = measure(&model(items, lines), Id(10)).unwrap();
    assert!(found.is_closed(), "open by {}", found.open);
    found.volume
}

pub(super) fn reason(items: &str, lines: &str) -> String {
    let model = model(items, lines);
    match Shaper::plain(&model).element(Id(10)) {
        Ok(shape) => format!("drawn with {} triangles", shape.triangles()),
        Err(error) => error.to_string(),
    }
}

/// An opening one metre wide and 1.2 high, one metre along the wall, through it.
pub(super) const OPENING: &str = "#30=IFCOPENINGELEMENT('0000000000000000000030',$,$,$,$,#31,#32,$,$);\n\
    #31=IFCLOCALPLACEMENT(#11,#33);\n#32=IFCPRODUCTDEFINITIONSHAPE($,$,(#34));\n\
    #33=IFCAXIS2PLACEMENT3D(#35,$,$);\n#34=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#36));\n\
    #35=IFCCARTESIANPOINT((1500.,0.,900.));\n#36=IFCEXTRUDEDAREASOLID(#37,$,#15,1200.);\n\
    #37=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1000.,400.);\n\
    #38=IFCRELVOIDSELEMENT('0000000000000000000038',$,$,$,#10,#30);";

#[test]
fn a_wall_has_its_volume_and_its_box_in_the_world_in_millimetres() {
    let model = model("#20", "");
    near(measure(&model, Id(10)).unwrap().volume, 4.2);
    let found = bounds(&model, Id(10)).unwrap();
    let [low, high] = [[900.0, 2000.0, 500.0], [1100.0, 9000.0, 3500.0]].map(DVec3::from);
    assert!(found.min.abs_diff_eq(low, 1e-6) && found.max.abs_diff_eq(high, 1e-6), "{found:?}");
    assert_eq!(bounds(&model, Id(1)), None);
}

#[test]
fn an_opening_is_cut_from_its_wall() {
    near(volume("#20", OPENING), 4.2 - 0.24);
}

#[test]
fn a_mapped_item_may_mirror_and_scale_unevenly() {
    let lines = "#40=IFCMAPPEDITEM(#41,#42);\n#41=IFCREPRESENTATIONMAP(#6,#43);\n\
        #42=IFCCARTESIANTRANSFORMATIONOPERATOR3DNONUNIFORM(#44,#45,#7,2.,#15,1.,0.5);\n\
        #43=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#20));\n#44=IFCDIRECTION((-1.,0.,0.));\n\
        #45=IFCDIRECTION((0.,1.,0.));";
    near(volume("#40", lines), 4.2 * 2.0 * 0.5);
}

#[test]
fn arcs_of_a_profile_stray_at_most_a_millimetre() {
    let lines = "#50=IFCEXTRUDEDAREASOLID(#51,$,#15,1000.);\n#51=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#52);\n\
        #52=IFCINDEXEDPOLYCURVE(#53,(IFCLINEINDEX((1,2)),IFCARCINDEX((2,3,1))),.F.);\n\
        #53=IFCCARTESIANPOINTLIST2D(((-1000.,0.),(1000.,0.),(0.,1000.)),$);";
    let half_disk = std::f64::consts::PI / 2.0;
    let found = volume("#50", lines);
    assert!(found < half_disk && found > half_disk - 0.001 * std::f64::consts::PI, "{found}");
}

#[test]
fn a_face_set_is_closed_whatever_it_says_of_itself() {
    let lines = "#60=IFCPOLYGONALFACESET(#61,$,(#62,#63,#64,#65),$);\n\
        #61=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1000.,0.,0.),(0.,1000.,0.),(0.,0.,1000.)),$);\n\
        #62=IFCINDEXEDPOLYGONALFACE((1,2,3));\n#63=IFCINDEXEDPOLYGONALFACE((1,4,2));\n\
        #64=IFCINDEXEDPOLYGONALFACE((2,4,3));\n#65=IFCINDEXEDPOLYGONALFACE((1,3,4));";
    near(volume("#60", lines), 1.0 / 6.0);
}

#[test]
fn a_body_has_its_volume_though_opposite_faces_are_inside_out() {
    // two ends of a cube face inward: their vector areas cancel out as sound ones do
    let points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)];
    let points = points.iter().enumerate();
    let mut lines: Vec<String> = points
        .map(|(i, (x, y, z))| format!("#{}=IFCCARTESIANPOINT(({x}000.,{y}000.,{z}000.));", 60 + i))
        .collect();
    let loops = ["63,62,61,60", "64,65,66,67", "60,61,65,64", "62,63,67,66", "60,64,67,63", "61,62,66,65"];
    lines.extend(loops.iter().enumerate().map(|(i, l)| {
        let (n, sound) = (100 + 3 * i, if i < 2 { ".F." } else { ".T." });
        let refs = l.split(',').map(|p| format!("#{p}")).collect::<Vec<_>>().join(",");
        format!(
            "#{n}=IFCPOLYLOOP(({refs}));#{}=IFCFACEOUTERBOUND(#{n},{sound});#{}=IFCFACE((#{}));",
            n + 1,
            n + 2,
            n + 1
        )
    }));
    lines.push("#80=IFCFACETEDBREP(#81);#81=IFCCLOSEDSHELL((#102,#105,#108,#111,#114,#117));".to_owned());
    near(volume("#80", &lines.concat()), 1.0);
}

#[test]
fn round_bodies_are_short_of_their_volume_by_less_than_a_percent() {
    let within =
        |found: f64, exact: f64| assert!(found < exact && found > exact * 0.99, "{found} of {exact}");
    let pi = std::f64::consts::PI;
    let pipe = "#50=IFCEXTRUDEDAREASOLID(#51,$,#15,1000.);\n#51=IFCCIRCLEPROFILEDEF(.AREA.,$,$,10.);";
    within(volume("#50", pipe), pi * 1e-4);
    let bend = "#50=IFCREVOLVEDAREASOLID(#51,$,#52,1.5707963267948966);\n#51=IFCCIRCLEPROFILEDEF(.AREA.,$,$,10.);\n\
        #52=IFCAXIS1PLACEMENT(#53,#9);\n#53=IFCCARTESIANPOINT((30.,0.,0.));";
    within(volume("#50", bend), pi * 1e-4 * 0.03 * pi / 2.0);
}

#[test]
fn primitives_have_their_volume() {
    let within = |found: f64, exact: f64| {
        assert!(found < exact * 1.000_001 && found > exact * 0.99, "{found} of {exact}");
    };
    let pi = std::f64::consts::PI;
    within(volume("#80", "#80=IFCSPHERE(#6,1000.);"), pi * 4.0 / 3.0);
    within(volume("#80", "#80=IFCSPHERE(#6,10.);"), pi * 4.0 / 3.0 * 1e-6);
    within(volume("#80", "#80=IFCRIGHTCIRCULARCYLINDER(#6,2000.,500.);"), pi / 2.0);
    within(volume("#80", "#80=IFCRIGHTCIRCULARCONE(#6,3000.,500.);"), pi / 4.0);
    within(volume("#80", "#80=IFCRECTANGULARPYRAMID(#6,1000.,2000.,3000.);"), 2.0);
}

#[test]
fn a_tapered_extrusion_is_a_frustum_whatever_the_chords_of_its_ends() {
    let frustum = "#80=IFCEXTRUDEDAREASOLIDTAPERED(#81,$,#15,1000.,#82);\n\
        #81=IFCCIRCLEPROFILEDEF(.AREA.,$,$,500.);\n#82=IFCCIRCLEPROFILEDEF(.AREA.,$,$,20.);";
    let exact = std::f64::consts::PI / 3.0 * (0.25 + 0.5 * 0.02 + 0.0004);
    let found = volume("#80", frustum);
    assert!(found < exact && found > exact * 0.99, "{found} of {exact}");
    let down = "#80=IFCEXTRUDEDAREASOLIDTAPERED(#16,$,#83,1000.,#16);\n#83=IFCDIRECTION((0.,0.,-1.));";
    near(volume("#80", down), 1.4);
}

#[test]
fn a_profile_follows_its_directrix_from_one_parameter_to_the_other() {
    let along = |start: &str, end: &str| {
        format!(
            "#80=IFCFIXEDREFERENCESWEPTAREASOLID(#81,$,#82,{start},{end},#15);\n\
             #81=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,200.,100.);\n#82=IFCPOLYLINE((#83,#84,#85));\n\
             #83=IFCCARTESIANPOINT((0.,0.,0.));\n#84=IFCCARTESIANPOINT((1000.,0.,0.));\n\
             #85=IFCCARTESIANPOINT((1000.,2000.,0.));"
        )
    };
    near(volume("#80", &along("$", "$")), 0.02 * 3.0);
    near(volume("#80", &along("0.5", "1.25")), 0.02);
    let pipe = "#80=IFCSWEPTDISKSOLID(#82,10.,$,1.,2.);\n#82=IFCPOLYLINE((#83,#84,#85));\n\
        #83=IFCCARTESIANPOINT((0.,0.,0.));\n#84=IFCCARTESIANPOINT((1000.,0.,0.));\n\
        #85=IFCCARTESIANPOINT((1000.,2000.,0.));";
    let (found, exact) = (volume("#80", pipe), std::f64::consts::PI * 2e-4);
    assert!(found < exact && found > exact * 0.99, "{found} of {exact}");
}

#[test]
fn sections_along_a_curve_make_a_body() {
    // from one metre square to two metres square over two metres, then on for one
    let lines = "#80=IFCSECTIONEDSOLIDHORIZONTAL(#81,(#82,#83,#83),(#84,#85,#86));\n\
        #81=IFCPOLYLINE((#7,#87));\n#87=IFCCARTESIANPOINT((9000.,0.,0.));\n\
        #82=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1000.,1000.);\n#83=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,2000.,2000.);\n\
        #84=IFCAXIS2PLACEMENTLINEAR(#88,$,$);\n#85=IFCAXIS2PLACEMENTLINEAR(#89,$,$);\n\
        #86=IFCAXIS2PLACEMENTLINEAR(#90,$,$);\n\
        #88=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(1000.),$,$,$,#81);\n\
        #89=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(3000.),$,$,$,#81);\n\
        #90=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(4000.),$,$,$,#81);";
    let found = measure(&model_in("IFC4X3_ADD2", "#80", lines), Id(10)).unwrap();
    assert!(found.is_closed());
    near(found.volume, 2.0 / 3.0 * 7.0 + 4.0);
}

#[test]
fn surfaces_have_an_area_and_no_volume() {
    let area = |items: &str, lines: &str| {
        let found = measure(&model(items, lines), Id(10)).unwrap();
        assert!(!found.is_closed());
        found.area
    };
    let bounded = "#80=IFCCURVEBOUNDEDPLANE(#81,#82,(#83));\n#81=IFCPLANE(#6);\n\
        #82=IFCPOLYLINE((#84,#85,#86,#87,#84));\n#83=IFCPOLYLINE((#88,#89,#90,#88));\n\
        #84=IFCCARTESIANPOINT((0.,0.));\n#85=IFCCARTESIANPOINT((2000.,0.));\n\
        #86=IFCCARTESIANPOINT((2000.,1000.));\n#87=IFCCARTESIANPOINT((0.,1000.));\n\
        #88=IFCCARTESIANPOINT((500.,200.));\n#89=IFCCARTESIANPOINT((1500.,200.));\n\
        #90=IFCCARTESIANPOINT((500.,700.));";
    near(area("#80", bounded), 2.0 - 0.25);
    let drawn = "#80=IFCSURFACEOFLINEAREXTRUSION(#81,$,#15,2000.);\n#81=IFCARBITRARYOPENPROFILEDEF(.CURVE.,$,#82);\n\
        #82=IFCPOLYLINE((#84,#85,#86));\n#84=IFCCARTESIANPOINT((0.,0.));\n\
        #85=IFCCARTESIANPOINT((2000.,0.));\n#86=IFCCARTESIANPOINT((2000.,1000.));";
    near(area("#80", drawn), 6.0);
}

#[test]
fn a_half_space_with_a_boundary_clips_only_within_it() {
    let lines = "#70=IFCBOOLEANCLIPPINGRESULT(.DIFFERENCE.,#20,#71);\n\
        #71=IFCPOLYGONALBOUNDEDHALFSPACE(#72,.F.,#6,#73);\n#72=IFCPLANE(#74);\n#74=IFCAXIS2PLACEMENT3D(#75,$,$);\n\
        #75=IFCCARTESIANPOINT((0.,0.,2000.));\n#73=IFCPOLYLINE((#76,#77,#78,#79,#76));\n\
        #76=IFCCARTESIANPOINT((0.,-500.));\n#77=IFCCARTESIANPOINT((3500.,-500.));\n\
        #78=IFCCARTESIANPOINT((3500.,500.));\n#79=IFCCARTESIANPOINT((0.,500.));";
    near(volume("#70", lines), 4.2 - 3.5 * 0.2);
}

#[test]
fn what_cannot_be_drawn_says_which_instance_and_why() {
    assert_eq!(reason("#99", ""), "#99: is not in the file");
    assert_eq!(
        reason("#80", "#80=IFCEXTRUDEDAREASOLID(#16,$,#9,3000.);"),
        "#80: is extruded within its own plane"
    );
    assert_eq!(
        reason("#80", "#80=IFCEXTRUDEDAREASOLID(#16,$,#15,1.E+30);"),
        "#80: Depth is missing or absurd"
    );
    assert!(reason("#80", "#80=IFCPLANE(#6);").ends_with("IfcPlane is not drawn yet"));
}

#[test]
fn circles_of_references_end() {
    let around = "#80=IFCMAPPEDITEM(#81,#82);\n#81=IFCREPRESENTATIONMAP(#6,#83);\n\
        #82=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#7,$,$);\n\
        #83=IFCSHAPEREPRESENTATION(#3,'Body','MappedRepresentation',(#80));";
    assert_eq!(reason("#80", around), "#80: is nested too deeply");
    for (first, second) in [("#80", "#20"), ("#20", "#80"), ("#80", "#80")] {
        for operator in ["UNION", "DIFFERENCE"] {
            // what is drawn in the end matters less than that there is an end
            reason("#80", &format!("#80=IFCBOOLEANRESULT(.{operator}.,{first},{second});"));
        }
    }
    let curve = "#80=IFCEXTRUDEDAREASOLID(#81,$,#15,1.);\n#81=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#82);\n\
        #82=IFCCOMPOSITECURVE((#83,#83),.F.);\n#83=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#82);";
    assert_eq!(reason("#80", curve), "#82: is nested too deeply");
}

#[test]
fn items_that_double_at_every_step_end() {
    // each result is the union or difference of the next with itself, down to the sample's body
    let nested = |last: u32, operator: &str| {
        (81..=last).fold(String::new(), |text, i| {
            let next = if i == last { 20 } else { i + 1 };
            text + &format!("#{i}=IFCBOOLEANRESULT(.{operator}.,#{next},#{next});\n")
        })
    };
    let doubling = nested(119, "UNION");
    assert!(reason("#81", &doubling).starts_with('#'), "too deep");
    let shallower = nested(109, "DIFFERENCE");
    reason("#81", &shallower);
}

#[test]
fn a_renamed_element_changes_no_tile() {
    let before = model("#20", OPENING);
    let mut edit = before.edit();
    edit.set(Id(10), "Name", "Another").unwrap();
    let (after, _) = edit.finish();
    let (a, b) = (Scene::from_model(&before).tileset().clone(), Scene::from_model(&after).tileset().clone());
    assert_eq!(a.tiles, b.tiles);
    assert_eq!(a.drawn, 1);
    let mut edit = after.edit();
    edit.set(Id(20), "Depth", 2500.0).unwrap();
    assert_ne!(Scene::from_model(&edit.finish().0).tileset().tiles, a.tiles);
}
