//! Whatever a file says of its shapes, each element has a body of finite triangles or a reason why not, and so have its sections,
//! quantities, parameters, lines and tiles.

use geometry::{Mesh, Scene, Shaper, drawable, section};
use ifc::{Limits, Model};

/// A wall `#10` whose body is the item `#20`, and an opening `#30` in it whose body is the item `#40`: what is missing is these.
const HEAD: &[u8] = b"ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');\
FILE_SCHEMA(('IFC4X3_ADD2'));ENDSEC;DATA;\
#1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,(#3),#2);#2=IFCUNITASSIGNMENT((#4,#5));\
#3=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#6,$);#4=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\
#5=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);#6=IFCAXIS2PLACEMENT3D(#7,$,$);#7=IFCCARTESIANPOINT((0.,0.,0.));\
#10=IFCWALL('0000000000000000000010',$,$,$,$,#11,#12,$,$);#11=IFCLOCALPLACEMENT($,#6);\
#12=IFCPRODUCTDEFINITIONSHAPE($,$,(#13));#13=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#20));\
#30=IFCOPENINGELEMENT('0000000000000000000030',$,$,$,$,#11,#32,$,$);#31=IFCRELVOIDSELEMENT('0000000000000000000031',$,$,$,#10,#30);\
#32=IFCPRODUCTDEFINITIONSHAPE($,$,(#33));#33=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#40));";

/// Products that one input is looked at for.
const MOST: usize = 40;

fn sound(mesh: &Mesh) {
    let count = mesh.positions.len() as u32;
    assert_eq!(mesh.positions.len(), mesh.normals.len());
    assert!(mesh.positions.iter().chain(&mesh.normals).all(|p| p.is_finite()));
    assert!(mesh.triangles.iter().flatten().all(|i| *i < count));
    assert!(mesh.measures().volume.is_finite());
}

/// One input.
pub fn run(bytes: &[u8]) {
    // as it is, and as items of a wall and its opening, so that not every input has to invent a file
    for input in [bytes.to_vec(), [HEAD, bytes].concat()] {
        let limits = Limits { lenient: true, file_bytes: 1 << 20, ..Limits::default() };
        let Ok((model, _)) = Model::from_bytes(input, &limits) else { continue };
        let shaper = Shaper::new(&model);
        let products = drawable(&model);
        if products.len() > MOST {
            continue;
        }
        for id in products {
            if let Ok(shape) = shaper.element(id) {
                sound(&shape.mesh());
                let bounds = shape.bounds();
                assert!(bounds.is_empty() || bounds.size().to_array().iter().all(|v| v.is_finite()));
                if let Some(plane) = section::Plane::level(bounds.centre().z)
                    && let Ok(cut) = section::of_element(&shaper, id, &plane)
                {
                    assert!(cut.outline.size().is_finite());
                }
            }
            let _ = geometry::quantity::base_quantities(&shaper, id);
            let _ = geometry::parameters::read(&shaper, id);
            let _ = shaper.lines(id);
        }
        let scene = Scene::from_model(&model);
        for tile in &scene.tileset().tiles {
            assert!(scene.glb(&tile.key).is_some_and(|glb| glb.starts_with(b"glTF")));
        }
    }
}
