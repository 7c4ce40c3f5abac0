use super::{Axis, By, Parameters, read};
use crate::{Shaper, tests::items::model};
use glam::{DVec2, DVec3};
use ifc::{Id, Limits, Model};

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

const OPENING: &str = "#30=IFCOPENINGELEMENT('0000000000000000000030',$,$,$,$,#31,#32,$,$);\n\
    #31=IFCLOCALPLACEMENT(#11,#33);\n#32=IFCPRODUCTDEFINITIONSHAPE($,$,(#34));\n\
    #33=IFCAXIS2PLACEMENT3D(#35,$,$);\n#34=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#36));\n\
    #35=IFCCARTESIANPOINT((1500.,0.,900.));\n#36=IFCEXTRUDEDAREASOLID(#37,$,#15,1200.);\n\
    #37=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1000.,400.);\n\
    #38=IFCRELVOIDSELEMENT('0000000000000000000038',$,$,$,#10,#30);\n\
    #39=IFCWINDOW('0000000000000000000039',$,$,$,$,#31,$,$,1100.,1000.,$,$,$);\n\
    #40=IFCRELFILLSELEMENT('0000000000000000000040',$,$,$,#30,#39);\n";

#[test]
fn a_wall_knows_its_axis_height_and_levels_and_an_opening_where_it_is() {
    // cut by a plane: the height is that before the cut
    let clipped = "#70=IFCBOOLEANCLIPPINGRESULT(.DIFFERENCE.,#20,#71);\n#71=IFCHALFSPACESOLID(#72,.F.);\n\
        #72=IFCPLANE(#74);\n#74=IFCAXIS2PLACEMENT3D(#75,$,$);\n#75=IFCCARTESIANPOINT((0.,0.,2000.));\n";
    for (items, by) in [("#20", By::Extrusion), ("#70", By::ExtrusionBeforeCuts)] {
        let model = model(items, &format!("{OPENING}{clipped}"));
        let shaper = Shaper::plain(&model);
        let Some(Parameters::Wall(wall)) = read(&shaper, Id(10)).unwrap() else { panic!("is no wall") };
        let Some(Axis::Line { start, end }) = wall.axis.value() else { panic!("{:?}", wall.axis) };
        assert_eq!((wall.axis.by(), wall.height.by()), (Some(By::Profile), Some(by)));
        assert!(start.abs_diff_eq(DVec3::new(1.0, 2.0, 0.5), 1e-9), "{start}");
        assert!(end.abs_diff_eq(DVec3::new(1.0, 9.0, 0.5), 1e-9), "{end}");
        near(*wall.height.value().unwrap(), 3.0);
        near(*wall.thickness.value().unwrap(), 0.2);
        near(*wall.base.value().unwrap(), 0.5);
        near(*wall.top.value().unwrap(), 3.5);
        assert!(wall.layers.value().is_none());
        let Some(Parameters::Opening(hole)) = read(&shaper, Id(30)).unwrap() else { panic!("is no opening") };
        near(*hole.along.value().unwrap(), 1.5);
        near(*hole.sill.value().unwrap(), 0.9);
        near(*hole.width.value().unwrap(), 1.0);
        near(*hole.height.value().unwrap(), 1.2);
        let Some(Parameters::Opening(window)) = read(&shaper, Id(39)).unwrap() else {
            panic!("is no window")
        };
        assert_eq!(window.host, Some(10));
        near(*window.along.value().unwrap(), 1.5);
        near(*window.height.value().unwrap(), 1.1);
        assert_eq!(window.height.by(), Some(By::Attribute));
    }
}

#[test]
fn an_opening_in_a_slab_knows_its_outline_and_where_it_is_in_the_profile() {
    let slab = OPENING.replace("#10,#30);", "#50,#30);")
        + "#50=IFCSLAB('0000000000000000000050',$,$,$,$,#11,#51,$,$);\n#51=IFCPRODUCTDEFINITIONSHAPE($,$,(#52));\n\
           #52=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#53));\n#53=IFCEXTRUDEDAREASOLID(#54,$,#15,2000.);\n\
           #54=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,9000.,5000.);\n";
    let model = model("#20", &slab);
    let Some(Parameters::Opening(hole)) = read(&Shaper::plain(&model), Id(30)).unwrap() else {
        panic!("is none")
    };
    assert_eq!(hole.host, Some(50));
    assert!(hole.along.value().is_none() && hole.sill.value().is_none());
    let DVec2 { x, y } = *hole.middle.value().unwrap();
    near(x, 1.5);
    near(y, 0.0);
    near(*hole.width.value().unwrap(), 1.0);
    near(*hole.height.value().unwrap(), 0.4);
    let outline = &hole.footprint.value().unwrap()[0][0];
    assert_eq!(outline.len(), 4);
    // turned by a quarter at (1, 2, 0.5), raised by 0.9
    let middle = crate::math::Bounds::from_points(outline.iter().copied()).centre();
    middle.to_array().iter().zip([1.0, 3.5, 1.4]).for_each(|(a, b)| near(*a, b));
}

#[test]
fn what_is_not_extruded_says_so() {
    let model = model("#80", "#80=IFCSPHERE(#6,1000.);");
    let Some(Parameters::Wall(wall)) = read(&Shaper::plain(&model), Id(10)).unwrap() else {
        panic!("is no wall")
    };
    let told = serde_json::to_value(&wall.height).unwrap();
    assert_eq!(told, serde_json::json!({"unknown": {"item": 80, "why": "is of IfcSphere, not extruded"}}));
    assert_eq!(read(&Shaper::plain(&model), Id(1)).unwrap(), None);
}

#[test]
fn parameters_of_a_real_house_agree_with_its_shape() {
    let Some(path) = testing::model("Duplex_A_20110907.ifc") else { return };
    let model = Model::open(&path, &Limits::default()).unwrap().0;
    let shaper = Shaper::plain(&model);
    let (mut walls, mut compared) = (0, 0);
    for id in model.of_class("IfcWall") {
        let Ok(Some(Parameters::Wall(wall))) = read(&shaper, id) else { continue };
        walls += usize::from(wall.axis.value().is_some());
        let (Some(height), Some(base)) = (wall.height.value(), wall.base.value()) else { continue };
        if wall.height.by() != Some(By::Extrusion) {
            continue;
        }
        let bounds =
            shaper.gross_bodies(id).unwrap().iter().fold(crate::Bounds::EMPTY, |b, s| b.join(&s.bounds()));
        near(bounds.min.z, *base);
        near(bounds.max.z - bounds.min.z, *height);
        compared += 1;
    }
    assert!(walls > 40 && compared > 40, "{walls} with an axis, {compared} compared");
    let mut openings = 0;
    for id in model.of_class("IfcOpeningElement") {
        let Ok(Some(Parameters::Opening(hole))) = read(&shaper, id) else { continue };
        openings += usize::from(hole.along.value().is_some() && hole.sill.value().is_some());
    }
    assert!(openings > 20, "{openings} openings with a place");
}
