//! Boolean results as files have them, with volumes that one can work out.

use super::items::{OPENING, model, volume};
use super::near;
use crate::{Shaper, measure};
use ifc::Id;
use std::f64::consts::PI;

/// Operands in metres-sized numbers: `#40` is the wall raised by 1 m and moved 3.5 m, `#50` a block of 2 by 2 by 1 m about the z axis,
/// `#60` a ball of radius 0.5 m about the block's middle, `#65` an upright cylinder of radius 0.5 m and 3 m about the z axis.
const OPERANDS: &str = "#40=IFCEXTRUDEDAREASOLID(#16,#41,#15,3000.);\n#41=IFCAXIS2PLACEMENT3D(#42,$,$);\n\
    #42=IFCCARTESIANPOINT((3500.,0.,1000.));\n#50=IFCEXTRUDEDAREASOLID(#51,$,#15,1000.);\n\
    #51=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,2000.,2000.);\n#60=IFCSPHERE(#61,500.);\n\
    #61=IFCAXIS2PLACEMENT3D(#62,$,$);\n#62=IFCCARTESIANPOINT((0.,0.,500.));\n\
    #65=IFCRIGHTCIRCULARCYLINDER(#66,3000.,500.);\n#66=IFCAXIS2PLACEMENT3D(#67,$,$);\n\
    #67=IFCCARTESIANPOINT((0.,0.,-1000.));\n#68=IFCAXIS2PLACEMENT3D(#7,$,$);\n";

fn with(lines: &str) -> String {
    format!("{OPERANDS}{lines}")
}

/// Within a percent, and not above: chords cut round bodies short.
fn nearly(found: f64, round: f64) {
    assert!((found - round).abs() < 0.01 * round, "{found} is not {round}");
}

#[test]
fn a_union_counts_what_both_share_once() {
    near(volume("#70", &with("#70=IFCBOOLEANRESULT(.UNION.,#20,#40);")), 4.2 + 4.2 - 1.4);
}

#[test]
fn an_intersection_is_what_both_share() {
    near(volume("#70", &with("#70=IFCBOOLEANRESULT(.INTERSECTION.,#20,#40);")), 1.4);
}

#[test]
fn a_ball_leaves_its_hollow() {
    let ball = PI / 6.0;
    nearly(volume("#70", &with("#70=IFCBOOLEANRESULT(.DIFFERENCE.,#50,#60);")), 4.0 - ball);
    nearly(volume("#70", &with("#70=IFCBOOLEANRESULT(.INTERSECTION.,#50,#60);")), ball);
}

#[test]
fn a_ring_cuts_its_groove() {
    let ring = "#71=IFCREVOLVEDAREASOLID(#72,#73,#74,6.283185307179586);\n#72=IFCCIRCLEPROFILEDEF(.AREA.,$,#75,200.);\n\
        #73=IFCAXIS2PLACEMENT3D(#7,#76,#77);\n#74=IFCAXIS1PLACEMENT(#7,#78);\n#75=IFCAXIS2PLACEMENT2D(#79,$);\n\
        #76=IFCDIRECTION((0.,-1.,0.));\n#77=IFCDIRECTION((1.,0.,0.));\n#78=IFCDIRECTION((0.,1.,0.));\n\
        #79=IFCCARTESIANPOINT((600.,0.));\n#70=IFCBOOLEANRESULT(.DIFFERENCE.,#50,#71);";
    // half of the ring is below the block
    nearly(volume("#70", &with(ring)), 4.0 - 2.0 * PI * 0.6 * PI * 0.04 / 2.0);
}

#[test]
fn a_half_space_may_be_bounded_by_a_cylinder_a_sphere_or_a_ring() {
    let by = |surface: &str, agrees: &str| {
        let lines = format!(
            "#70=IFCBOOLEANRESULT(.DIFFERENCE.,#50,#71);\n#71=IFCHALFSPACESOLID(#72,.{agrees}.);\n#72={surface};"
        );
        volume("#70", &with(&lines))
    };
    let cylinder = PI / 4.0;
    nearly(by("IFCCYLINDRICALSURFACE(#68,500.)", "T"), 4.0 - cylinder);
    nearly(by("IFCCYLINDRICALSURFACE(#68,500.)", "F"), cylinder);
    let ball = PI / 6.0;
    nearly(by("IFCSPHERICALSURFACE(#61,500.)", "T"), 4.0 - ball);
    nearly(by("IFCSPHERICALSURFACE(#61,500.)", "F"), ball);
    let ring = 2.0 * PI * 0.6 * PI * 0.04;
    nearly(by("IFCTOROIDALSURFACE(#61,600.,200.)", "T"), 4.0 - ring);
    nearly(by("IFCTOROIDALSURFACE(#61,600.,200.)", "F"), ring);
}

#[test]
fn what_lies_in_a_half_space_is_shared_with_it() {
    let lines = "#71=IFCHALFSPACESOLID(#72,.T.);\n#72=IFCPLANE(#61);\n";
    for order in ["#50,#71", "#71,#50"] {
        let result = format!("{lines}#70=IFCBOOLEANRESULT(.INTERSECTION.,{order});");
        near(volume("#70", &with(&result)), 2.0);
    }
}

#[test]
fn a_tree_of_primitives_is_one_body() {
    let tree = "#69=IFCCSGSOLID(#70);\n#70=IFCBOOLEANRESULT(.DIFFERENCE.,#71,#65);\n\
        #71=IFCBOOLEANRESULT(.INTERSECTION.,#72,#74);\n#72=IFCBLOCK(#73,2000.,2000.,1000.);\n\
        #73=IFCAXIS2PLACEMENT3D(#75,$,$);\n#74=IFCSPHERE(#61,1000.);\n#75=IFCCARTESIANPOINT((-1000.,-1000.,0.));";
    // a ball of radius 1 between planes half a metre from its middle, less a cylinder of radius 0.5 through it. By Cavalieri's rule
    // slices at a height z from the middle are π(1 - z²) - π/4, from -0.5 to 0.5: 2.0944. IfcOpenShell 0.9 has 2.876, which is the
    // ball between the planes with the cylinder still in it (2.8798): its boolean gave up and left the first operand
    nearly(volume("#69", &with(tree)), PI * (1.0 - 1.0 / 12.0) - PI / 4.0);
}

#[test]
fn an_opening_need_be_no_prism() {
    let through = |body: &str| OPENING.replace("(#36)", &format!("({body})"));
    let ball = format!("{}\n#81=IFCSPHERE(#82,400.);\n#82=IFCAXIS2PLACEMENT3D(#7,$,$);", through("#81"));
    // a ball of radius 0.4 between planes 0.1 from its middle, in a wall 0.2 thick
    nearly(4.2 - volume("#20", &ball), PI * (0.16 * 0.2 - 2.0 * 0.001 / 3.0));
    let scaled = format!(
        "{}\n#81=IFCMAPPEDITEM(#82,#83);\n#82=IFCREPRESENTATIONMAP(#6,#84);\n\
         #83=IFCCARTESIANTRANSFORMATIONOPERATOR3DNONUNIFORM($,$,#7,2.,$,1.,0.5);\n\
         #84=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#36));",
        through("#81")
    );
    near(volume("#20", &scaled), 4.2 - 0.24);
}

#[test]
fn what_cannot_be_combined_says_so_and_the_rest_is_shown() {
    let open = "#71=IFCSHELLBASEDSURFACEMODEL((#72));\n#72=IFCOPENSHELL((#73));\n#73=IFCFACE((#74));\n\
        #74=IFCFACEOUTERBOUND(#75,.T.);\n#75=IFCPOLYLOOP((#7,#42,#67));\n";
    for operator in ["DIFFERENCE", "INTERSECTION", "UNION"] {
        let lines = with(&format!("{open}#70=IFCBOOLEANRESULT(.{operator}.,#50,#71);"));
        let model = model("#70", &lines);
        let shape = Shaper::plain(&model).element(Id(10)).unwrap();
        if operator == "UNION" {
            assert_eq!(shape.parts.len(), 2, "the surface stays beside the body");
        } else {
            assert!(
                shape.notes[0].item == Id(70) && shape.notes[0].reason.contains("#71"),
                "{:?}",
                shape.notes
            );
            near(shape.mesh().measures().volume, 4.0);
        }
    }
}

#[test]
fn a_union_of_itself_at_every_step_ends() {
    let step = |i: usize| format!("#{}=IFCBOOLEANRESULT(.UNION.,#{i},#{i});", i + 1);
    let steps: Vec<String> = (70..100).map(step).collect();
    let lines = with(&format!("#70=IFCBOOLEANRESULT(.UNION.,#50,#40);\n{}", steps.join("\n")));
    // whatever is shown of it is shown within seconds
    let _ = measure(&model("#100", &lines), Id(10));
}
