use super::*;
use crate::SchemaVersion;
use crate::sample::{HOUSE, model};
use glam::{DMat3, DVec3};

fn close(a: impl Into<DVec3>, b: impl Into<DVec3>) {
    let (a, b) = (a.into(), b.into());
    assert!(a.abs_diff_eq(b, 1e-9), "{a:?} is not {b:?}");
}

#[test]
fn a_chain_of_placements_is_multiplied_out() {
    let house = model(SchemaVersion::Ifc4, HOUSE);
    // the door is 1 m along the wall, which runs north from (10, 0)
    close(of_product(&house, Id(13)).translation, [10.0, 1.0, 0.0]);
    close(of_product(&house, Id(13)).transform_point3([1.0, 0.0, 0.0].into()), [10.0, 2.0, 0.0]);
    close(of_product(&house, Id(7)).translation, [0.0, 0.0, 2.4]);
    assert_eq!(of_product(&house, Id(11)), DAffine3::IDENTITY);
}

#[test]
fn an_inverse_undoes_a_placement() {
    let house = model(SchemaVersion::Ifc4, HOUSE);
    let there = of_product(&house, Id(13));
    let back = inverse(&there).unwrap();
    close(back.transform_point3(there.transform_point3([3.0, 4.0, 5.0].into())), [3.0, 4.0, 5.0]);
    close((there * back).transform_point3([3.0, 4.0, 5.0].into()), [3.0, 4.0, 5.0]);
    assert_eq!(inverse(&DAffine3::from_mat3(DMat3::ZERO)), None);
}

#[test]
fn placements_in_a_circle_end() {
    let circle = model(
        SchemaVersion::Ifc4,
        "#1=IFCLOCALPLACEMENT(#2,#3);
        #2=IFCLOCALPLACEMENT(#1,#3);
        #3=IFCAXIS2PLACEMENT3D(#4,$,$);
        #4=IFCCARTESIANPOINT((1.,0.,0.));",
    );
    close(world(&circle, Id(1)).unwrap().translation, [2.0, 0.0, 0.0]);
    assert_eq!(world(&circle, Id(4)), None);
    assert_eq!(world(&circle, Id(99)), None);
    assert_eq!(resolved(&circle, Id(1)), None);
}

#[test]
fn axes_that_are_not_square_are_made_so() {
    let skew = model(
        SchemaVersion::Ifc4,
        "#1=IFCAXIS2PLACEMENT3D(#2,#3,#4);
        #2=IFCCARTESIANPOINT((0.,0.,0.));
        #3=IFCDIRECTION((0.,0.,2.));
        #4=IFCDIRECTION((1.,0.,1.));
        #5=IFCAXIS2PLACEMENT3D(#2,#6,$);
        #6=IFCDIRECTION((1.,0.,0.));
        #7=IFCAXIS2PLACEMENT2D(#8,#9);
        #8=IFCCARTESIANPOINT((1.,2.));
        #9=IFCDIRECTION((0.,1.));",
    );
    close(axis2(&skew, Id(1)).unwrap().x_axis, [1.0, 0.0, 0.0]);
    // an axis along x takes y as its first axis
    close(axis2(&skew, Id(5)).unwrap().x_axis, [0.0, 1.0, 0.0]);
    let flat = axis2(&skew, Id(7)).unwrap();
    close(flat.transform_point3([1.0, 0.0, 0.0].into()), [1.0, 3.0, 0.0]);
}

#[test]
fn a_grid_placement_stands_where_two_axes_cross() {
    let grid = model(
        SchemaVersion::Ifc4,
        "#1=IFCGRID('0000000000000000000001',$,$,$,$,#2,$,(#10),(#20),$,$);
        #2=IFCLOCALPLACEMENT($,#3);
        #3=IFCAXIS2PLACEMENT3D(#4,$,$);
        #4=IFCCARTESIANPOINT((100.,0.,3.));
        #10=IFCGRIDAXIS('A',#11,.T.);
        #11=IFCPOLYLINE((#12,#13));
        #12=IFCCARTESIANPOINT((0.,5.));
        #13=IFCCARTESIANPOINT((20.,5.));
        #20=IFCGRIDAXIS('1',#21,.T.);
        #21=IFCPOLYLINE((#22,#23));
        #22=IFCCARTESIANPOINT((7.,0.));
        #23=IFCCARTESIANPOINT((7.,20.));
        #30=IFCGRIDPLACEMENT(#31,$);
        #31=IFCVIRTUALGRIDINTERSECTION((#10,#20),(1.,2.,0.5));
        #32=IFCGRIDPLACEMENT(#31,#33);
        #33=IFCDIRECTION((0.,1.,0.));
        #34=IFCLOCALPLACEMENT(#32,#35);
        #35=IFCAXIS2PLACEMENT3D(#36,$,$);
        #36=IFCCARTESIANPOINT((1.,0.,0.));
        #40=IFCGRIDAXIS('C',#41,.T.);
        #41=IFCCIRCLE(#42,5.);
        #42=IFCAXIS2PLACEMENT2D(#43,$);
        #43=IFCCARTESIANPOINT((7.,0.));
        #44=IFCGRIDPLACEMENT(#45,$);
        #45=IFCVIRTUALGRIDINTERSECTION((#20,#40),(0.,0.));
        #46=IFCGRIDPLACEMENT(#47,$);
        #47=IFCVIRTUALGRIDINTERSECTION((#10,#10),(0.,0.));",
    );
    // 1 to the left of A, which runs along x; 2 to the left of 1, which runs along y; half a metre up
    close(world(&grid, Id(30)).unwrap().translation, [105.0, 6.0, 3.5]);
    close(world(&grid, Id(30)).unwrap().transform_vector3([1.0, 0.0, 0.0].into()), [1.0, 0.0, 0.0]);
    close(world(&grid, Id(34)).unwrap().translation, [105.0, 7.0, 3.5]);
    // where a straight axis meets a round one
    close(world(&grid, Id(44)).unwrap().translation, [107.0, 5.0, 3.0]);
    // axes that do not cross leave the origin of the grid
    assert_eq!(world(&grid, Id(46)).map(|found| found.x_axis), Some(DVec3::X));
}

/// The frame at a distance along a curve that is instance 10.
fn along(data: &str, distance: f64) -> DAffine3 {
    let text = format!(
        "#1=IFCLINEARPLACEMENT($,#2,$);
        #2=IFCAXIS2PLACEMENTLINEAR(#3,$,$);
        #3=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE({distance:?}),2.,1.,$,#10);
        {data}"
    );
    world(&model(SchemaVersion::Ifc4x3, &text), Id(1)).unwrap()
}

#[test]
fn a_linear_placement_stands_along_a_polyline() {
    let line = "#10=IFCPOLYLINE((#11,#12,#13));
        #11=IFCCARTESIANPOINT((0.,0.,0.));
        #12=IFCCARTESIANPOINT((10.,0.,0.));
        #13=IFCCARTESIANPOINT((10.,10.,0.));";
    // two to the left, one up
    close(along(line, 4.0).translation, [4.0, 2.0, 1.0]);
    close(along(line, 13.0).translation, [8.0, 3.0, 1.0]);
    close(along(line, 13.0).transform_vector3([1.0, 0.0, 0.0].into()), [0.0, 1.0, 0.0]);
}

#[test]
fn a_linear_placement_stands_along_an_alignment_with_heights() {
    let gradient = "#10=IFCGRADIENTCURVE((#30),.F.,#20,$);
        #20=IFCCOMPOSITECURVE((#21,#22),.F.);
        #21=IFCCURVESEGMENT(.CONTINUOUS.,#40,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(10.),#41);
        #22=IFCCURVESEGMENT(.CONTINUOUS.,#42,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(-15.707963267948966),#43);
        #30=IFCCURVESEGMENT(.CONTINUOUS.,#44,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(100.),#41);
        #40=IFCAXIS2PLACEMENT2D(#50,#60);
        #41=IFCLINE(#50,#61);
        #42=IFCAXIS2PLACEMENT2D(#51,#60);
        #43=IFCCIRCLE(#40,10.);
        #44=IFCAXIS2PLACEMENT2D(#52,#62);
        #50=IFCCARTESIANPOINT((0.,0.));
        #51=IFCCARTESIANPOINT((10.,0.));
        #52=IFCCARTESIANPOINT((0.,5.));
        #60=IFCDIRECTION((1.,0.));
        #61=IFCVECTOR(#60,1.);
        #62=IFCDIRECTION((1.,0.));";
    close(along(gradient, 4.0).translation, [4.0, 2.0, 6.0]);
    // a quarter turn to the right about (10, -10)
    let end = along(gradient, 25.707963267948966);
    close(end.translation, [22.0, -10.0, 6.0]);
    close(end.transform_vector3([1.0, 0.0, 0.0].into()), [0.0, -1.0, 0.0]);
}

#[test]
fn a_clothoid_bends_more_and_more() {
    let spiral = "#10=IFCCOMPOSITECURVE((#21),.F.);
        #21=IFCCURVESEGMENT(.CONTINUOUS.,#40,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(100.),#41);
        #40=IFCAXIS2PLACEMENT2D(#50,$);
        #41=IFCCLOTHOID(#40,100.);
        #50=IFCCARTESIANPOINT((0.,0.));";
    let end = along(spiral, 100.0);
    // the heading is s²/2A²; the place is that of Fresnel's integrals
    let heading = end.transform_vector3([1.0, 0.0, 0.0].into());
    close(heading, [0.5f64.cos(), 0.5f64.sin(), 0.0]);
    let there = end.transform_point3([0.0, -2.0, -1.0].into());
    assert!(there.abs_diff_eq([97.528_768, 16.371_405, 0.0].into(), 1e-4), "{there:?}");
}

#[test]
fn a_curve_that_is_not_followed_leaves_the_cartesian_position() {
    let data = "#1=IFCLINEARPLACEMENT($,#2,#5);
        #2=IFCAXIS2PLACEMENTLINEAR(#3,$,$);
        #3=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(1.),$,$,$,#10);
        #5=IFCAXIS2PLACEMENT3D(#6,$,$);
        #6=IFCCARTESIANPOINT((1.,2.,3.));
        #10=IFCCOMPOSITECURVE((#11),.F.);
        #11=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#10);";
    close(world(&model(SchemaVersion::Ifc4x3, data), Id(1)).unwrap().translation, [1.0, 2.0, 3.0]);
}

#[test]
fn rotations_are_angles_about_the_axes() {
    let house = model(SchemaVersion::Ifc4, HOUSE);
    let [x, y, z] = rotation(&of_product(&house, Id(10))).map(f64::to_degrees);
    close([x, y, z], [0.0, 0.0, 90.0]);
}

/// Place and heading at a distance along one spiral, as [x, y, heading].
fn along_spiral(spiral: &str, start: f64, length: f64, distance: f64) -> [f64; 3] {
    let data = format!(
        "#10=IFCCOMPOSITECURVE((#21),.F.);
        #21=IFCCURVESEGMENT(.CONTINUOUS.,#40,IFCLENGTHMEASURE({start:?}),IFCLENGTHMEASURE({length:?}),#41);
        #40=IFCAXIS2PLACEMENT2D(#50,$);
        #41={spiral};
        #50=IFCCARTESIANPOINT((10.,20.));"
    );
    let there = along(&data, distance);
    let DVec3 { x, y, .. } = there.transform_point3([0.0, -2.0, -1.0].into());
    let DVec3 { x: cos, y: sin, .. } = there.transform_vector3([1.0, 0.0, 0.0].into());
    [x, y, sin.atan2(cos)]
}

#[test]
fn spirals_bend_as_their_terms_say() {
    // as IfcOpenShell 0.9 has them: the heading in closed form, the place integrated to a hundredth of a millimetre
    let cases = [
        ("IFCCOSINESPIRAL(#40,100.,300.)", 0.0, 100.0, 100.0, [102.365_486, 55.803_267, 0.333_333]),
        ("IFCCOSINESPIRAL(#40,100.,300.)", 20.0, 60.0, 37.5, [47.455_700, 21.580_562, -0.015_470]),
        ("IFCCOSINESPIRAL(#40,-100.,$)", -60.0, 60.0, 37.5, [47.097_466, 25.020_604, 0.176_448]),
        ("IFCSINESPIRAL(#40,80.,900.,400.)", 0.0, 100.0, 37.5, [46.507_485, 26.881_003, 0.434_236]),
        ("IFCSINESPIRAL(#40,80.,900.,400.)", 20.0, 60.0, 60.0, [69.870_162, 21.005_938, 0.153_704]),
        (
            "IFCSECONDORDERPOLYNOMIALSPIRAL(#40,120.,-200.,500.)",
            -60.0,
            60.0,
            60.0,
            [69.455_767, 27.245_311, 0.206_667],
        ),
        (
            "IFCTHIRDORDERPOLYNOMIALSPIRAL(#40,120.,-200.,300.,500.)",
            20.0,
            60.0,
            60.0,
            [69.731_326, 24.761_095, 0.181_523],
        ),
        (
            "IFCSEVENTHORDERPOLYNOMIALSPIRAL(#40,100.,-120.,150.,170.,180.,-190.,200.,300.)",
            20.0,
            60.0,
            60.0,
            [69.320_281, 27.643_004, 0.281_280],
        ),
    ];
    for (spiral, start, length, distance, expect) in cases {
        let found = along_spiral(spiral, start, length, distance);
        let off = found.iter().zip(expect).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-5, "{spiral} from {start} at {distance}: {found:?} is not {expect:?}");
    }
}

#[test]
fn a_spiral_of_a_length_below_nought_runs_backwards() {
    let spiral = "IFCCOSINESPIRAL(#40,100.,300.)";
    let [_, _, forwards] = along_spiral(spiral, 0.0, 60.0, 60.0);
    let [_, _, backwards] = along_spiral(spiral, 60.0, -60.0, 60.0);
    // the same way the other way round: it turns as much, to the other side
    assert!((forwards + backwards).abs() < 1e-9, "{forwards} and {backwards}");
}

/// A kilometre straight on, rising by one in a hundred, with a transition of cant over the first hundred metres: from upright to a
/// right side 160 mm higher than the left one, 1.5 m away. `parent` is what it changes by, instance 33.
fn canted(parent: &str) -> String {
    format!(
        "#10=IFCSEGMENTEDREFERENCECURVE((#30,#31,#32),.F.,#20,$);
        #20=IFCGRADIENTCURVE((#23),.F.,#21,$);
        #21=IFCCOMPOSITECURVE((#22),.F.);
        #22=IFCCURVESEGMENT(.CONTINUOUS.,#40,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(1000.),#41);
        #23=IFCCURVESEGMENT(.CONTINUOUS.,#42,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(1000.),#41);
        #30=IFCCURVESEGMENT(.CONTINUOUS.,#43,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(100.),#33);
        #31=IFCCURVESEGMENT(.CONTINUOUS.,#44,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(900.),#41);
        #32=IFCCURVESEGMENT(.DISCONTINUOUS.,#45,IFCLENGTHMEASURE(0.),IFCLENGTHMEASURE(0.),#41);
        #33={parent};
        #40=IFCAXIS2PLACEMENT2D(#50,#60);
        #41=IFCLINE(#50,#61);
        #42=IFCAXIS2PLACEMENT2D(#50,#62);
        #43=IFCAXIS2PLACEMENT3D(#51,#63,#64);
        #44=IFCAXIS2PLACEMENT3D(#52,#65,#64);
        #45=IFCAXIS2PLACEMENT3D(#53,#65,#64);
        #50=IFCCARTESIANPOINT((0.,0.));
        #51=IFCCARTESIANPOINT((0.,0.,0.));
        #52=IFCCARTESIANPOINT((100.,0.08,0.));
        #53=IFCCARTESIANPOINT((1000.,0.08,0.));
        #60=IFCDIRECTION((1.,0.));
        #61=IFCVECTOR(#60,1.);
        #62=IFCDIRECTION((1.,0.01));
        #63=IFCDIRECTION((0.,0.,1.));
        #64=IFCDIRECTION((1.,0.,0.));
        #65=IFCDIRECTION((0.,0.106064981392206,0.994359200551929));"
    )
}

#[test]
fn cant_lifts_the_line_and_leans_its_sections_as_the_curvature_of_its_parent_grows() {
    let whole = (0.106_064_981_392_206_f64).asin();
    // the share of the change after 25 m and how fast it goes on; by formulas
    let pi = std::f64::consts::PI;
    let cases = [
        ("IFCCLOTHOID(#40,3535.53390593274)", 0.25, 0.01),
        // another scale for the same change
        ("IFCCLOTHOID(#40,-40.)", 0.25, 0.01),
        ("IFCCOSINESPIRAL(#40,-2500.,2500.)", (1.0 - (pi / 4.0).cos()) / 2.0, (pi / 4.0).sin() * pi / 200.0),
        // one of sine: s/L - sin(2πs/L)/2π
        ("IFCSINESPIRAL(#40,-7853.981633974483,353.553390593274,$)", 0.25 - 1.0 / (2.0 * pi), 0.01),
    ];
    for (parent, share, pace) in cases {
        let data = canted(parent);
        let there = along(&data, 25.0);
        let (x, y, z) = (there.x_axis, there.y_axis, there.z_axis);
        let origin = there.transform_point3([0.0, -2.0, -1.0].into());
        close(origin, [25.0, 0.0, 0.25 + 0.08 * share]);
        let slope: f64 = 0.01 + 0.08 * pace;
        close(x, [1.0, 0.0, slope].map(|v| v / (1.0 + slope * slope).sqrt()));
        // seen along the line the left side goes down
        close([y.y, y.z * (1.0 + slope * slope).sqrt(), 0.0], {
            let (sin, cos) = (whole * share).sin_cos();
            [cos, -sin, 0.0]
        });
        assert!(z.y > 0.0, "{parent}: upwards is not to the left but {z:?}");
        // from there on all stays as it is
        close(along(&data, 500.0).transform_point3([0.0, -2.0, -1.0].into()), [500.0, 0.0, 5.08]);
        let left = along(&data, 500.0).y_axis;
        close([left.y, 0.0, 0.0], [whole.cos(), 0.0, 0.0]);
    }
    assert_eq!(
        stations(&model(SchemaVersion::Ifc4x3, &canted("IFCCLOTHOID(#40,40.)")), Id(10)),
        Some(vec![0.0, 100.0, 1000.0])
    );
}
