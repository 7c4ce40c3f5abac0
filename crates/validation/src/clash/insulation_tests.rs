//! Pipes and insulation, as files tell them: covered, connected, or only drawn around each other.

use super::{Against, Ignore, Mode, Wanted, clashes};
use crate::constraints::tests::plan::{Made, Plan, Setting};
use ifc::Id;
use std::collections::BTreeMap;

const PIPE: ([f64; 3], [f64; 3]) = ([0.0, -0.05, -0.05], [2.0, 0.05, 0.05]);
/// A body around most of the pipe's length.
const AROUND: ([f64; 3], [f64; 3]) = ([0.2, -0.1, -0.1], [1.8, 0.1, 0.1]);

fn pipe(plan: &mut Plan) -> Id {
    plan.element("IFCPIPESEGMENT", "Pipe", PIPE.0, PIPE.1, ".RIGIDSEGMENT.")
}

fn around(plan: &mut Plan, class: &str, rest: &str) -> Id {
    plan.element(class, "Around", AROUND.0, AROUND.1, rest)
}

/// A material with its category, as an argument of another instance.
fn material(plan: &mut Plan, name: &str, category: &str) -> u32 {
    plan.add(&format!("IFCMATERIAL('{name}',$,{category})"))
}

fn made_of(plan: &mut Plan, element: Id, material: u32) {
    plan.rooted("IFCRELASSOCIATESMATERIAL", &format!("$,$,$,({element}),#{material}"));
}

/// Layers of 50 mm by the names of their materials.
fn layers(plan: &mut Plan, names: &[&str]) -> u32 {
    let layer = |plan: &mut Plan, name: &str| {
        let material = material(plan, name, "$");
        format!("#{}", plan.add(&format!("IFCMATERIALLAYER(#{material},0.05,$,$,$,$,$)")))
    };
    let list: Vec<String> = names.iter().map(|name| layer(plan, name)).collect();
    plan.add(&format!("IFCMATERIALLAYERSET(({}),$,$)", list.join(",")))
}

/// How many clashes are listed and which are left out, if pairs are ignored by these rules; the same wherever the pair stands.
fn told(ignore: &[Ignore], build: &dyn Fn(&mut Plan)) -> (usize, BTreeMap<String, usize>) {
    let mut all = Vec::new();
    for setting in Setting::ALL {
        let mut plan = Plan::new(setting);
        plan.storey("Ground", 0.0);
        build(&mut plan);
        let made = Made::new(plan.model());
        let (model, index) = (&made.model, made.subject().index);
        let wanted = Wanted { mode: Mode::Hard, tolerance: 0.0, ignore };
        let found = clashes(model, index, &Against::SameVersion(index), &wanted, &|_, _| true).unwrap();
        all.push((found.found.len(), found.bound));
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
    all.swap_remove(0)
}

#[track_caller]
fn is_insulated(build: &dyn Fn(&mut Plan)) {
    let left_out = BTreeMap::from([("insulation".to_owned(), 1)]);
    assert_eq!(told(&Ignore::ALL, build), (0, left_out));
    assert_eq!(told(&[Ignore::Covering, Ignore::Assembly], build), (1, BTreeMap::new()));
}

#[track_caller]
fn clashes_once(build: &dyn Fn(&mut Plan)) {
    assert_eq!(told(&Ignore::ALL, build), (1, BTreeMap::new()));
}

#[test]
fn a_covering_for_insulation_that_is_drawn_around_a_pipe_does_not_clash_with_it() {
    for kind in [".INSULATION.", ".WRAPPING."] {
        is_insulated(&|plan| {
            pipe(plan);
            around(plan, "IFCCOVERING", kind);
        });
    }
    clashes_once(&|plan| {
        pipe(plan);
        around(plan, "IFCCOVERING", ".CEILING.");
    });
}

#[test]
fn what_is_made_of_insulation_does_not_clash_with_the_pipe_in_it() {
    for (name, category) in
        [("Mineral wool 035", "$"), ("M 12", "'Insulation'"), ("Rohrd\\X2\\00E4\\X0\\mmung", "$")]
    {
        is_insulated(&|plan| {
            pipe(plan);
            let body = around(plan, "IFCPLATE", ".NOTDEFINED.");
            let material = material(plan, name, category);
            made_of(plan, body, material);
        });
    }
    clashes_once(&|plan| {
        pipe(plan);
        let body = around(plan, "IFCPLATE", ".NOTDEFINED.");
        let material = material(plan, "Concrete", "'concrete'");
        made_of(plan, body, material);
    });
}

#[test]
fn a_jacket_over_insulation_is_insulation_and_a_wall_with_a_layer_of_it_is_a_wall() {
    let build = |class: &'static str, kind: &'static str, names: &'static [&'static str]| {
        move |plan: &mut Plan| {
            pipe(plan);
            let body = around(plan, class, kind);
            let set = layers(plan, names);
            made_of(plan, body, set);
        }
    };
    is_insulated(&build("IFCCOVERING", ".NOTDEFINED.", &["Aluminium", "Glass wool"]));
    clashes_once(&build("IFCWALL", ".NOTDEFINED.", &["Brick", "Glass wool", "Plaster"]));
    is_insulated(&build("IFCWALL", ".NOTDEFINED.", &["Glass wool", "Insulation, rigid"]));
}

#[test]
fn insulation_of_constituents_and_of_its_type_s_name_is_known() {
    is_insulated(&|plan| {
        pipe(plan);
        let body = around(plan, "IFCBUILDINGELEMENTPROXY", ".NOTDEFINED.");
        let stuff = material(plan, "M 12", "$");
        let part = plan.add(&format!("IFCMATERIALCONSTITUENT('Insulation',$,#{stuff},$,$)"));
        let set = plan.add(&format!("IFCMATERIALCONSTITUENTSET($,$,(#{part}))"));
        made_of(plan, body, set);
    });
    is_insulated(&|plan| {
        pipe(plan);
        let body = around(plan, "IFCBUILDINGELEMENTPROXY", "$");
        let kind = "$,'Around',$,$,$,$,$,'Pipe Insulation',.USERDEFINED.";
        let of_type = plan.rooted("IFCBUILDINGELEMENTPROXYTYPE", kind);
        plan.rooted("IFCRELDEFINESBYTYPE", &format!("$,$,$,({body}),#{of_type}"));
    });
}

#[test]
fn hollow_insulation_that_is_a_little_too_narrow_is_still_around_its_pipe() {
    let hollow = |plan: &mut Plan, inner: f64, kind: &str| {
        let (x, y) = ([0.2, 1.8], 0.1);
        let boxes = [
            ([x[0], -y, -y], [x[1], y, -inner]),
            ([x[0], -y, inner], [x[1], y, y]),
            ([x[0], -y, -inner], [x[1], -inner, inner]),
            ([x[0], inner, -inner], [x[1], y, inner]),
        ];
        plan.boxes("IFCCOVERING", "Around", &boxes, kind)
    };
    is_insulated(&|plan| {
        pipe(plan);
        hollow(plan, 0.048, ".INSULATION.");
    });
    clashes_once(&|plan| {
        pipe(plan);
        hollow(plan, 0.04, ".INSULATION.");
    });
}

#[test]
fn a_pipe_that_crosses_another_ones_insulation_clashes_with_it() {
    clashes_once(&|plan| {
        plan.element("IFCPIPESEGMENT", "Crossing", [0.9, -1.0, 0.06], [0.93, 1.0, 0.09], ".RIGIDSEGMENT.");
        around(plan, "IFCCOVERING", ".INSULATION.");
    });
    // what is no service is not insulated by lying in insulation
    clashes_once(&|plan| {
        plan.element("IFCCOLUMN", "Column", [0.9, -1.0, 0.06], [0.93, 1.0, 0.09], ".COLUMN.");
        around(plan, "IFCCOVERING", ".INSULATION.");
    });
}

#[test]
fn what_the_file_says_to_insulate_need_not_lie_around() {
    // beside the pipe, and a little in it
    let beside = |plan: &mut Plan, class: &str, kind: &str| {
        plan.element(class, "Beside", [0.2, 0.03, -0.1], [0.6, 0.2, 0.1], kind)
    };
    let only = [Ignore::Insulation];
    let covered = told(&only, &|plan| {
        let (pipe, body) = (pipe(plan), beside(plan, "IFCCOVERING", ".INSULATION."));
        plan.rooted("IFCRELCOVERSBLDGELEMENTS", &format!("$,$,$,{pipe},({body})"));
    });
    assert_eq!(covered, (0, BTreeMap::from([("covering".to_owned(), 1)])));
    let connected = told(&only, &|plan| {
        let (pipe, body) = (pipe(plan), beside(plan, "IFCCOVERING", ".INSULATION."));
        plan.rooted("IFCRELCONNECTSELEMENTS", &format!("$,$,$,$,{pipe},{body}"));
    });
    assert_eq!(connected, (0, BTreeMap::from([("connected".to_owned(), 1)])));
    let unbound = told(&only, &|plan| {
        pipe(plan);
        beside(plan, "IFCCOVERING", ".INSULATION.");
    });
    assert_eq!(unbound, (1, BTreeMap::new()));
}
