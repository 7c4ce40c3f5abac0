use super::*;
use crate::SchemaVersion;
use crate::sample::{HOUSE, model};

fn close(a: [f64; 3], b: [f64; 3]) {
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} is not {b:?}");
}

#[test]
fn a_chain_of_placements_is_multiplied_out() {
    let house = model(SchemaVersion::Ifc4, HOUSE);
    // the door is 1 m along the wall, which runs north from (10, 0)
    close(of_product(&house, Id(13)).origin(), [10.0, 1.0, 0.0]);
    close(of_product(&house, Id(13)).apply([1.0, 0.0, 0.0]), [10.0, 2.0, 0.0]);
    close(of_product(&house, Id(7)).origin(), [0.0, 0.0, 2.4]);
    assert_eq!(of_product(&house, Id(11)), Transform::IDENTITY);
}

#[test]
fn an_inverse_undoes_a_placement() {
    let house = model(SchemaVersion::Ifc4, HOUSE);
    let there = of_product(&house, Id(13));
    let back = there.inverse().unwrap();
    close(back.apply(there.apply([3.0, 4.0, 5.0])), [3.0, 4.0, 5.0]);
    close(there.then(&back).apply([3.0, 4.0, 5.0]), [3.0, 4.0, 5.0]);
    assert_eq!(Transform([[0.0; 4]; 3]).inverse(), None);
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
    close(world(&circle, Id(1)).unwrap().origin(), [2.0, 0.0, 0.0]);
    assert_eq!(world(&circle, Id(4)), None);
    assert_eq!(world(&circle, Id(99)), None);
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
    close(axis2(&skew, Id(1)).unwrap().columns()[0], [1.0, 0.0, 0.0]);
    // an axis along x takes y as its first axis
    close(axis2(&skew, Id(5)).unwrap().columns()[0], [0.0, 1.0, 0.0]);
    let flat = axis2(&skew, Id(7)).unwrap();
    close(flat.apply([1.0, 0.0, 0.0]), [1.0, 3.0, 0.0]);
}
