//! Faces, shells, face sets and profiles, whole and with one thing wrong each.

use super::broken;
use ifc::SchemaVersion;
use std::fmt::Write as _;

const CONTEXT: &str = "#1=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#2,$);
    #2=IFCAXIS2PLACEMENT3D(#3,$,$);
    #3=IFCCARTESIANPOINT((0.,0.,0.));\n";

/// A face with these rings, the first of them outer; instances from an id on, the face's own the first.
fn face(text: &mut String, id: usize, rings: &[&[[f64; 3]]]) {
    let mut next = id + 1;
    let mut bounds = Vec::new();
    for (number, ring) in rings.iter().enumerate() {
        let (bound, polygon) = (next, next + 1);
        next += 2;
        let points: Vec<String> = (0..ring.len()).map(|at| format!("#{}", next + at)).collect();
        for [x, y, z] in *ring {
            let _ = writeln!(text, "#{next}=IFCCARTESIANPOINT(({x:?},{y:?},{z:?}));");
            next += 1;
        }
        let class = if number == 0 { "IFCFACEOUTERBOUND" } else { "IFCFACEBOUND" };
        let _ = writeln!(
            text,
            "#{polygon}=IFCPOLYLOOP(({}));\n#{bound}={class}(#{polygon},.T.);",
            points.join(",")
        );
        bounds.push(format!("#{bound}"));
    }
    let _ = writeln!(text, "#{id}=IFCFACE(({}));", bounds.join(","));
}

/// The rules of a family that a shell of these faces breaks.
fn shell(faces: &[&[&[[f64; 3]]]], rules: &[&str]) -> Vec<String> {
    let mut text = CONTEXT.to_owned();
    let ids: Vec<String> = (1..=faces.len()).map(|number| format!("#{}", number * 100)).collect();
    for (number, rings) in faces.iter().enumerate() {
        face(&mut text, (number + 1) * 100, rings);
    }
    let _ = writeln!(
        text,
        "#10=IFCOPENSHELL(({}));\n#11=IFCSHELLBASEDSURFACEMODEL((#10));\n#12=IFCSHAPEREPRESENTATION(#1,'Body','SurfaceModel',(#11));",
        ids.join(",")
    );
    let found = |rule: &&str| !broken(SchemaVersion::Ifc4, &text, rule).is_empty();
    rules.iter().filter(|rule| found(rule)).map(|rule| (*rule).to_owned()).collect()
}

const RULES: [&str; 3] = ["BRP001", "BRP002", "BRP003"];
const SQUARE: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
const HOLE: [[f64; 3]; 4] = [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [2.0, 2.0, 0.0], [2.0, 1.0, 0.0]];

fn check(faces: &[&[&[[f64; 3]]]], expect: &[&str]) {
    assert_eq!(shell(faces, &RULES), expect, "{faces:?}");
}

#[test]
fn bounds_of_faces_do_not_cross_themselves() {
    check(&[&[&SQUARE, &HOLE]], &[]);
    let [a, b, c, d] = SQUARE;
    check(&[&[&[a, c, b, d]]], &["BRP001"]);
    let [e, f, g, h] = HOLE;
    check(&[&[&SQUARE, &[e, g, f, h]]], &["BRP001"]);
    // a hole that touches itself at a corner
    check(&[&[&SQUARE, &[e, f, [1.5, 1.0, 0.0], g, h]]], &["BRP001"]);
}

#[test]
fn faces_of_a_shell_hang_together() {
    let beside = SQUARE.map(|[x, y, z]| [x + 4.0, y, z]);
    let apart = SQUARE.map(|[x, y, z]| [x + 4.1, y, z]);
    check(&[&[&SQUARE], &[&beside]], &[]);
    check(&[&[&SQUARE], &[&apart]], &["BRP002"]);
    // nearer than the precision is the same place
    let nearly = SQUARE.map(|[x, y, z]| [x + 4.000_001, y, z]);
    check(&[&[&SQUARE], &[&nearly]], &[]);
    // a face in a hole hangs on its bound
    check(&[&[&SQUARE, &HOLE], &[&HOLE]], &[]);
}

#[test]
fn faces_are_flat() {
    let bent = |height: f64| {
        let [a, b, c, [x, y, _]] = SQUARE;
        [a, b, c, [x, y, height]]
    };
    check(&[&[&bent(1e-6)]], &[]);
    check(&[&[&bent(0.01)]], &["BRP003"]);
    let lifted = HOLE.map(|[x, y, z]| [x, y, z + 0.01]);
    check(&[&[&SQUARE, &lifted]], &["BRP003"]);
    // far from the origin, and of points that are on one line
    let far = bent(1e-6).map(|[x, y, z]| [x + 4e5, y + 5e6, z]);
    check(&[&[&far]], &[]);
    check(&[&[&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]]], &["BRP001"]);
}

#[test]
fn polygons_of_face_sets_do_not_cross_themselves() {
    let set = |indices: &str, inner: &str, names: &str| {
        let face = if inner.is_empty() {
            format!("IFCINDEXEDPOLYGONALFACE(({indices}))")
        } else {
            format!("IFCINDEXEDPOLYGONALFACEWITHVOIDS(({indices}),(({inner})))")
        };
        let text = format!(
            "{CONTEXT}#10=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(4.,0.,0.),(4.,4.,0.),(0.,4.,0.),(1.,1.,0.),(1.,2.,0.),(2.,2.,0.),(2.,1.,0.)));
            #11=IFCPOLYGONALFACESET(#10,.F.,(#12),{names});
            #12={face};
            #13=IFCSHAPEREPRESENTATION(#1,'Body','Tessellation',(#11));"
        );
        broken(SchemaVersion::Ifc4, &text, "TAS001").len()
    };
    assert_eq!(set("1,2,3,4", "5,6,7,8", "$"), 0);
    assert_eq!(set("1,3,2,4", "", "$"), 1);
    assert_eq!(set("1,2,3,4", "5,7,6,8", "$"), 1);
    // indices into names of points, and ones that lead nowhere
    assert_eq!(set("1,2,3,4", "", "(1,3,2,4)"), 1);
    assert_eq!(set("1,3,2,4", "", "(1,3,2,4)"), 0);
    assert_eq!(set("1,2,3,99,0,-5", "", "$"), 0);
}

/// The findings of SWE001 on a profile with an outline, and an inner one.
fn outlines(outer: &str, inner: &str) -> usize {
    let profile = if inner.is_empty() {
        "IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#20)".to_owned()
    } else {
        "IFCARBITRARYPROFILEDEFWITHVOIDS(.AREA.,$,#20,(#30))".to_owned()
    };
    let text = format!(
        "{CONTEXT}#4=IFCEXTRUDEDAREASOLID(#10,$,#5,1.);
        #5=IFCDIRECTION((0.,0.,1.));
        #6=IFCSHAPEREPRESENTATION(#1,'Body','SweptSolid',(#4));
        #10={profile};
        #20=IFCINDEXEDPOLYCURVE(#21,{outer},$);
        #21=IFCCARTESIANPOINTLIST2D(((0.,0.),(4.,0.),(4.,4.),(0.,4.),(2.,1.),(2.,-1.)));
        #30=IFCPOLYLINE(({inner}));
        #31=IFCCARTESIANPOINT((1.,1.));
        #32=IFCCARTESIANPOINT((2.,1.));
        #33=IFCCARTESIANPOINT((2.,2.));
        #34=IFCCARTESIANPOINT((1.,2.));"
    );
    broken(SchemaVersion::Ifc4, &text, "SWE001").len()
}

#[test]
fn outlines_do_not_cross_themselves() {
    assert_eq!(outlines("(IFCLINEINDEX((1,2,3,4,1)))", ""), 0);
    assert_eq!(outlines("(IFCLINEINDEX((1,3,2,4,1)))", ""), 1);
    // an arc outwards, one inwards, and one that goes through the opposite side
    assert_eq!(outlines("(IFCARCINDEX((1,6,2)),IFCLINEINDEX((2,3,4,1)))", ""), 0);
    assert_eq!(outlines("(IFCARCINDEX((1,5,2)),IFCLINEINDEX((2,3,4,1)))", ""), 0);
    assert_eq!(outlines("(IFCLINEINDEX((1,2)),IFCARCINDEX((2,5,3)),IFCLINEINDEX((3,1)))", ""), 1);
    assert_eq!(outlines("(IFCLINEINDEX((1,2,3,4,1)))", "#31,#32,#33,#34,#31"), 0);
    assert_eq!(outlines("(IFCLINEINDEX((1,2,3,4,1)))", "#31,#33,#32,#34,#31"), 1);
    assert_eq!(outlines("(IFCLINEINDEX((1,99)))", ""), 0);
}

#[test]
fn derived_profiles_do_not_mirror() {
    let profile = |operator: &str, class: &str| {
        let text = format!(
            "#1=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,2.,1.);
            #2={class}(.AREA.,$,#1,{operator},$);
            #3=IFCCARTESIANTRANSFORMATIONOPERATOR2D(#4,#5,#6,0.5);
            #4=IFCDIRECTION((1.,0.));
            #5=IFCDIRECTION((0.,1.));
            #6=IFCCARTESIANPOINT((0.,0.));
            #7=IFCCARTESIANTRANSFORMATIONOPERATOR2D(#4,#8,#6,$);
            #8=IFCDIRECTION((0.,-1.));
            #9=IFCEXTRUDEDAREASOLIDTAPERED(#1,$,#10,1.,#2);
            #10=IFCDIRECTION((0.,0.,1.));"
        );
        broken(SchemaVersion::Ifc4, &text, "SWE002").len()
    };
    assert_eq!(profile("#3", "IFCDERIVEDPROFILEDEF"), 0);
    // the profile, and the sweep that tapers to it
    assert_eq!(profile("#7", "IFCDERIVEDPROFILEDEF"), 2);
    // a mirrored profile is one by its class, but no end of a tapered sweep
    assert_eq!(profile("*", "IFCMIRROREDPROFILEDEF"), 1);
    assert_eq!(profile("$", "IFCDERIVEDPROFILEDEF"), 0);
}

#[test]
fn many_edges_in_one_place_do_not_take_long() {
    // every edge reaches over the whole width, so each would be compared with each
    let points: Vec<String> = (0..60_000)
        .map(|at| format!("({:?},{:?})", f64::from(at % 2) * 100.0, f64::from(at) * 0.01))
        .collect();
    let text = format!(
        "{CONTEXT}#10=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#20);
        #20=IFCINDEXEDPOLYCURVE(#21,$,$);
        #21=IFCCARTESIANPOINTLIST2D(({}));",
        points.join(",")
    );
    let found = broken(SchemaVersion::Ifc4, &text, "SWE001");
    assert!(found.len() <= 1, "{found:?}");
}
