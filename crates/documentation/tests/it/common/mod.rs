//! Shared by the tests of drawings: pages taken apart, and a small house of which everything is known.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::expect_used, reason = "a test that cannot go on has failed")]

pub mod versions;

use documentation::drawing::words::Box2;
use documentation::drawing::{BadDrawing, Drawing, Wanted, draw};
use documentation::style::Style;
use geometry::Scene;
use glam::DVec2;
use paper::{Group, Node, Page, Path, Segment, Subpath, Text};
use std::fmt::Write as _;

pub fn scene_of(text: String) -> Scene {
    let (model, problems) = ifc::Model::from_bytes(text.into_bytes(), &ifc::Limits::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    Scene::from_model(&model)
}

pub fn real(name: &str) -> Option<Scene> {
    let path = testing::model(name)?;
    let (model, _) = ifc::Model::open(&path, &ifc::Limits::default()).unwrap();
    Some(Scene::from_model(&model))
}

pub fn style() -> Style {
    Style::standard().unwrap()
}

pub fn made(scene: &Scene, wanted: &Wanted) -> Result<Drawing, BadDrawing> {
    draw(scene, wanted, &style(), &|_, _| true).map(|drawing| drawing.expect("nobody ended it"))
}

/// All groups that show an element.
pub fn groups(page: &Page) -> Vec<&Group> {
    fn walk<'p>(nodes: &'p [Node], into: &mut Vec<&'p Group>) {
        for node in nodes {
            if let Node::Group(group) = node {
                if group.about.is_some() {
                    into.push(group);
                }
                walk(&group.nodes, into);
            }
        }
    }
    let mut all = Vec::new();
    walk(&page.nodes, &mut all);
    all
}

/// The groups of one element.
pub fn groups_of<'p>(page: &'p Page, global_id: &str) -> Vec<&'p Group> {
    let is_own = |g: &&Group| g.about.as_ref().is_some_and(|a| a.global_id == global_id);
    groups(page).into_iter().filter(is_own).collect()
}

pub fn texts(page: &Page) -> Vec<&Text> {
    let mut all = Vec::new();
    walk(&page.nodes, &mut |node| {
        if let Node::Text(text) = node {
            all.push(text);
        }
    });
    all
}

pub fn paths(nodes: &[Node]) -> Vec<&Path> {
    let mut all = Vec::new();
    walk(nodes, &mut |node| {
        if let Node::Path(path) = node {
            all.push(path);
        }
    });
    all
}

fn walk<'p>(nodes: &'p [Node], each: &mut dyn FnMut(&'p Node)) {
    for node in nodes {
        each(node);
        if let Node::Group(group) = node {
            walk(&group.nodes, each);
        }
    }
}

/// The corners of a subpath.
pub fn points(subpath: &Subpath) -> Vec<DVec2> {
    let to = |segment: &Segment| match segment {
        Segment::Line(to) | Segment::Arc { to, .. } => *to,
    };
    std::iter::once(subpath.start).chain(subpath.segments.iter().map(to)).collect()
}

/// Says which words lie on each other; words on the page's rim count as outside of it.
pub fn assert_words_are_apart(page: &Page, what: &str) {
    let all: Vec<(&Text, Box2)> = texts(page).into_iter().map(|t| (t, Box2::around(t))).collect();
    for (n, (text, own)) in all.iter().enumerate() {
        for (other, room) in &all[n + 1..] {
            assert!(!own.meets(room), "{what}: `{}` lies on `{}`", text.words, other.words);
        }
        for corner in own.corners() {
            let inside = corner.cmpge(DVec2::ZERO).all() && corner.cmple(page.size).all();
            assert!(inside, "{what}: `{}` leaves the page", text.words);
        }
    }
}

/// A house of 6 m by 4 m with walls of 300 mm, one room, a door, a window, a beam and a grid; lengths in the file are metres.
pub struct House {
    /// The OperationType of the door.
    pub operation: &'static str,
    /// The LongName of the room, as STEP text.
    pub room: String,
    /// How far the door's body goes across the wall, in metres.
    pub door: f64,
    /// True with a grid.
    pub grid: bool,
    /// Degrees that all is turned about the origin.
    pub turn: f64,
    /// The place of the origin, in metres.
    pub shift: DVec2,
}

impl Default for House {
    fn default() -> House {
        House {
            operation: ".SINGLE_SWING_LEFT.",
            room: "Living".into(),
            door: 0.1,
            grid: false,
            turn: 0.0,
            shift: DVec2::ZERO,
        }
    }
}

/// The GlobalIds of the house's elements.
pub const SOUTH: &str = "0000000000000000000100";
pub const NORTH: &str = "0000000000000000000101";
pub const WEST: &str = "0000000000000000000102";
pub const EAST: &str = "0000000000000000000103";
pub const DOOR: &str = "0000000000000000000110";
pub const WINDOW: &str = "0000000000000000000111";
pub const BEAM: &str = "0000000000000000000120";
pub const ROOM: &str = "0000000000000000000130";
pub const GRID: &str = "0000000000000000000140";

struct File {
    text: String,
    last: usize,
    turn: f64,
    shift: DVec2,
}

impl File {
    fn add(&mut self, instance: &str) -> String {
        self.last += 1;
        writeln!(self.text, "#{}={instance};", self.last).unwrap();
        format!("#{}", self.last)
    }

    fn guid(&self) -> String {
        format!("1{:021}", self.last + 1)
    }

    fn place(&mut self, [x, y, z]: [f64; 3]) -> String {
        let way = DVec2::from_angle(self.turn.to_radians());
        let DVec2 { x, y } = way.rotate(DVec2::new(x, y)) + self.shift;
        let point = self.add(&format!("IFCCARTESIANPOINT(({x:?},{y:?},{z:?}))"));
        let up = self.add("IFCDIRECTION((0.,0.,1.))");
        let along = self.add(&format!("IFCDIRECTION(({:?},{:?},0.))", way.x, way.y));
        let axes = self.add(&format!("IFCAXIS2PLACEMENT3D({point},{up},{along})"));
        self.add(&format!("IFCLOCALPLACEMENT($,{axes})"))
    }

    fn element(
        &mut self,
        id: &str,
        class: &str,
        name: &str,
        at: [f64; 3],
        size: [f64; 3],
        rest: &str,
    ) -> String {
        let place = self.place(at);
        let [x, y, z] = size;
        let middle = self.add(&format!("IFCCARTESIANPOINT(({:?},{:?}))", x / 2.0, y / 2.0));
        let axes = self.add(&format!("IFCAXIS2PLACEMENT2D({middle},$)"));
        let profile = self.add(&format!("IFCRECTANGLEPROFILEDEF(.AREA.,$,{axes},{x:?},{y:?})"));
        let up = self.add("IFCDIRECTION((0.,0.,1.))");
        let solid = self.add(&format!("IFCEXTRUDEDAREASOLID({profile},$,{up},{z:?})"));
        let shape = self.add(&format!("IFCSHAPEREPRESENTATION(#5,'Body','SweptSolid',({solid}))"));
        let shape = self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,({shape}))"));
        self.add(&format!("{class}('{id}',$,{name},$,$,{place},{shape},{rest})"))
    }

    /// An opening in a wall with what fills it.
    fn fill(&mut self, wall: &str, filling: &str, at: [f64; 3], size: [f64; 3]) {
        let guid = self.guid();
        let opening = self.element(&guid, "IFCOPENINGELEMENT", "$", at, size, "$,.OPENING.");
        let guid = self.guid();
        self.add(&format!("IFCRELVOIDSELEMENT('{guid}',$,$,$,{wall},{opening})"));
        let guid = self.guid();
        self.add(&format!("IFCRELFILLSELEMENT('{guid}',$,$,$,{opening},{filling})"));
    }
}

impl House {
    pub fn scene(&self) -> Scene {
        scene_of(self.text())
    }

    pub fn text(&self) -> String {
        let mut file = File { text: String::new(), last: 0, turn: self.turn, shift: self.shift };
        let metre = file.add("IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)");
        let units = file.add(&format!("IFCUNITASSIGNMENT(({metre}))"));
        let origin = file.add("IFCCARTESIANPOINT((0.,0.,0.))");
        let axes = file.add(&format!("IFCAXIS2PLACEMENT3D({origin},$,$)"));
        let context = file.add(&format!("IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,{axes},$)"));
        let guid = file.guid();
        let project = file.add(&format!("IFCPROJECT('{guid}',$,'House',$,$,$,$,({context}),{units})"));
        let place = file.place([0.0; 3]);
        let guid = file.guid();
        let building = file.add(&format!("IFCBUILDING('{guid}',$,'House',$,$,{place},$,$,.ELEMENT.,$,$,$)"));
        let guid = file.guid();
        let level = file.add(&format!("IFCBUILDINGSTOREY('{guid}',$,'Ground',$,$,{place},$,$,.ELEMENT.,0.)"));
        let attic_place = file.place([0.0, 0.0, 30.0]);
        let guid = file.guid();
        let attic =
            file.add(&format!("IFCBUILDINGSTOREY('{guid}',$,'Attic',$,$,{attic_place},$,$,.ELEMENT.,30.)"));
        for (whole, part) in [(&project, building.clone()), (&building, format!("{level},{attic}"))] {
            let guid = file.guid();
            file.add(&format!("IFCRELAGGREGATES('{guid}',$,$,$,{whole},({part}))"));
        }
        let wall = |file: &mut File, id: &str, at: [f64; 2], size: [f64; 2]| {
            file.element(id, "IFCWALL", "'Wall'", [at[0], at[1], 0.0], [size[0], size[1], 3.0], "$,$")
        };
        let south = wall(&mut file, SOUTH, [0.0, 0.0], [6.0, 0.3]);
        let north = wall(&mut file, NORTH, [0.0, 3.7], [6.0, 0.3]);
        let west = wall(&mut file, WEST, [0.0, 0.3], [0.3, 3.4]);
        let east = wall(&mut file, EAST, [5.7, 0.3], [0.3, 3.4]);
        let door_at = [1.0, 0.1, 0.0];
        let operation = self.operation;
        let rest = format!("'D1',2.1,0.9,.DOOR.,{operation},$");
        let door = file.element(DOOR, "IFCDOOR", "'Door'", door_at, [0.9, self.door, 2.1], &rest);
        file.fill(&south, &door, [1.0, 0.0, 0.0], [0.9, 0.3, 2.1]);
        let rest = "'W1',1.2,2.,.WINDOW.,.SINGLE_PANEL.,$";
        let window = file.element(WINDOW, "IFCWINDOW", "'Window'", [3.0, 0.1, 0.9], [2.0, 0.1, 1.2], rest);
        file.fill(&south, &window, [3.0, 0.0, 0.9], [2.0, 0.3, 1.2]);
        let beam = file.element(BEAM, "IFCBEAM", "'Beam'", [0.3, 1.9, 2.7], [5.4, 0.2, 0.3], "$,$");
        let concrete = file.add("IFCMATERIAL('Stahlbeton',$,$)");
        let guid = file.guid();
        file.add(&format!(
            "IFCRELASSOCIATESMATERIAL('{guid}',$,$,$,({south},{north},{west},{east}),{concrete})"
        ));
        let mut contents = vec![south, north, west, east, door, window, beam];
        if self.grid {
            contents.push(grid_text(&mut file));
        }
        let guid = file.guid();
        let contents = contents.join(",");
        file.add(&format!("IFCRELCONTAINEDINSPATIALSTRUCTURE('{guid}',$,$,$,({contents}),{level})"));
        let rest = format!("'{}',.ELEMENT.,.SPACE.,$", self.room);
        let room = file.element(ROOM, "IFCSPACE", "'01'", [0.3, 0.3, 0.0], [5.4, 3.4, 2.7], &rest);
        let guid = file.guid();
        file.add(&format!("IFCRELAGGREGATES('{guid}',$,$,$,{level},({room}))"));
        format!(
            "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
             FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n{}ENDSEC;\nEND-ISO-10303-21;\n",
            file.text
        )
    }
}

/// A grid of two lines each way.
fn grid_text(file: &mut File) -> String {
    let mut axis = |tag: &str, a: [f64; 2], b: [f64; 2]| {
        let [p, q] = [a, b].map(|[x, y]| file.add(&format!("IFCCARTESIANPOINT(({x:?},{y:?}))")));
        let line = file.add(&format!("IFCPOLYLINE(({p},{q}))"));
        file.add(&format!("IFCGRIDAXIS('{tag}',{line},.T.)"))
    };
    let u = [axis("A", [0.15, 0.0], [0.15, 4.0]), axis("B", [5.85, 0.0], [5.85, 4.0])].join(",");
    let v = [axis("1", [0.0, 0.15], [6.0, 0.15]), axis("2", [0.0, 3.85], [6.0, 3.85])].join(",");
    let place = file.place([0.0; 3]);
    file.add(&format!("IFCGRID('{GRID}',$,'Grid',$,$,{place},$,({u}),({v}),$,.RECTANGULAR.)"))
}

/// The words of a PDF as `pdftotext` reads them.
pub fn pdf_text(pdf: &[u8], name: &str) -> Option<String> {
    let program = testing::program("pdftotext")?;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.pdf"));
    std::fs::write(&path, pdf).unwrap();
    let out = std::process::Command::new(program)
        .args(["-layout".as_ref(), path.as_os_str(), "-".as_ref()])
        .output();
    let out = out.unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Some(String::from_utf8(out.stdout).unwrap())
}
