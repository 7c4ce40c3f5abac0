//! Small buildings of boxes as IFC text, of which everything is known: turned, moved, and in metres or millimetres.

use crate::Subject;
use geometry::Scene;
use geometry::query::Index;
use ifc::{Id, Limits, Model};
use spatial::Layout;
use spatial::ways::Ways;
use std::fmt::Write as _;
use std::sync::Arc;

/// A place and a unit for a whole building.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Turned by so many degrees.
    pub turned: f64,
    /// Moved by so many metres.
    pub moved: [f64; 3],
    /// File units in a metre: 1 or 1000.
    pub per_metre: f64,
}

impl Setting {
    /// At the origin, in metres.
    pub const PLAIN: Self = Self { turned: 0.0, moved: [0.0; 3], per_metre: 1.0 };
    /// As they come: plain, turned and moved, and in millimetres.
    pub const ALL: [Self; 3] = [
        Self::PLAIN,
        Self { turned: 33.0, moved: [420.0, -310.0, 55.0], per_metre: 1.0 },
        Self { turned: -75.0, moved: [0.0, 12.0, -3.0], per_metre: 1000.0 },
    ];
}

/// A building that is being written.
pub struct Plan {
    text: String,
    last: u32,
    per_metre: f64,
    context: u32,
    building: u32,
    root: u32,
    storeys: Vec<(u32, Vec<u32>)>,
    /// The base of the storey that elements are on, in metres.
    pub storey: usize,
}

impl Plan {
    /// A building without storeys.
    pub fn new(setting: Setting) -> Self {
        let mut plan = Self {
            text: String::new(),
            last: 0,
            per_metre: setting.per_metre,
            context: 0,
            building: 0,
            root: 0,
            storeys: Vec::new(),
            storey: 0,
        };
        let prefix = if setting.per_metre > 1.0 { ".MILLI." } else { "$" };
        let metre = plan.add(&format!("IFCSIUNIT(*,.LENGTHUNIT.,{prefix},.METRE.)"));
        let area = plan.add("IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.)");
        let volume = plan.add("IFCSIUNIT(*,.VOLUMEUNIT.,$,.CUBIC_METRE.)");
        let units = plan.add(&format!("IFCUNITASSIGNMENT((#{metre},#{area},#{volume}))"));
        let origin = plan.point([0.0; 3]);
        let axes = plan.add(&format!("IFCAXIS2PLACEMENT3D(#{origin},$,$)"));
        plan.context = plan.add(&format!("IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#{axes},$)"));
        let context = plan.context;
        let project = plan.rooted("IFCPROJECT", &format!("$,'Project',$,$,$,$,(#{context}),#{units}"));
        let origin = plan.point(setting.moved);
        let (sin, cos) = setting.turned.to_radians().sin_cos();
        let up = plan.add("IFCDIRECTION((0.,0.,1.))");
        let way = plan.add(&format!("IFCDIRECTION(({cos:?},{sin:?},0.))"));
        let axes = plan.add(&format!("IFCAXIS2PLACEMENT3D(#{origin},#{up},#{way})"));
        plan.root = plan.add(&format!("IFCLOCALPLACEMENT($,#{axes})"));
        let root = plan.root;
        plan.building = plan.rooted("IFCBUILDING", &format!("$,'House',$,$,#{root},$,$,.ELEMENT.,$,$,$"));
        let building = plan.building;
        plan.rooted("IFCRELAGGREGATES", &format!("$,$,$,#{project},(#{building})"));
        plan
    }

    /// Writes an instance.
    pub fn add(&mut self, instance: &str) -> u32 {
        self.last += 1;
        let _ = writeln!(self.text, "#{}={instance};", self.last);
        self.last
    }

    /// Writes an instance with a GlobalId of its own.
    pub fn rooted(&mut self, class: &str, rest: &str) -> u32 {
        let guid = format!("{:022}", self.last + 1);
        self.add(&format!("{class}('{guid}',{rest})"))
    }

    fn point(&mut self, [x, y, z]: [f64; 3]) -> u32 {
        let k = self.per_metre;
        self.add(&format!("IFCCARTESIANPOINT(({:?},{:?},{:?}))", x * k, y * k, z * k))
    }

    /// A placement in the building, turned by so many degrees.
    pub fn place(&mut self, at: [f64; 3], turned: f64) -> u32 {
        let point = self.point(at);
        let (sin, cos) = turned.to_radians().sin_cos();
        let up = self.add("IFCDIRECTION((0.,0.,1.))");
        let way = self.add(&format!("IFCDIRECTION(({cos:?},{sin:?},0.))"));
        let axes = self.add(&format!("IFCAXIS2PLACEMENT3D(#{point},#{up},#{way})"));
        let root = self.root;
        self.add(&format!("IFCLOCALPLACEMENT(#{root},#{axes})"))
    }

    /// A box from the origin of its placement.
    pub fn block(&mut self, size: [f64; 3]) -> u32 {
        let [x, y, z] = size.map(|v| v * self.per_metre);
        let middle = self.add(&format!("IFCCARTESIANPOINT(({:?},{:?}))", x / 2.0, y / 2.0));
        let axes = self.add(&format!("IFCAXIS2PLACEMENT2D(#{middle},$)"));
        let profile = self.add(&format!("IFCRECTANGLEPROFILEDEF(.AREA.,$,#{axes},{x:?},{y:?})"));
        let up = self.add("IFCDIRECTION((0.,0.,1.))");
        let solid = self.add(&format!("IFCEXTRUDEDAREASOLID(#{profile},$,#{up},{z:?})"));
        let context = self.context;
        let shape = self.add(&format!("IFCSHAPEREPRESENTATION(#{context},'Body','SweptSolid',(#{solid}))"));
        self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{shape}))"))
    }

    /// A storey, on which elements are from now on.
    pub fn storey(&mut self, name: &str, elevation: f64) -> Id {
        let place = self.place([0.0, 0.0, elevation], 0.0);
        let stated = elevation * self.per_metre;
        let id =
            self.rooted("IFCBUILDINGSTOREY", &format!("$,'{name}',$,$,#{place},$,$,.ELEMENT.,{stated:?}"));
        self.storeys.push((id, Vec::new()));
        self.storey = self.storeys.len() - 1;
        Id(id)
    }

    /// An element that is on no storey: a box from its least corner.
    pub fn stray(&mut self, class: &str, name: &str, at: [f64; 3], size: [f64; 3], rest: &str) -> Id {
        let place = self.place(at, 0.0);
        let shape = self.block(size);
        Id(self.rooted(class, &format!("$,'{name}',$,$,#{place},#{shape},$,{rest}")))
    }

    /// An element on the storey: a box from its least corner to its greatest.
    pub fn element(&mut self, class: &str, name: &str, low: [f64; 3], high: [f64; 3], rest: &str) -> Id {
        let size = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
        let id = self.stray(class, name, low, size, rest);
        self.contain(id);
        id
    }

    /// Puts an element on the storey.
    pub fn contain(&mut self, id: Id) {
        if let Some((_, contents)) = self.storeys.get_mut(self.storey) {
            contents.push(id.0);
        }
    }

    /// A wall, 3 m high unless its corners say otherwise.
    pub fn wall(&mut self, name: &str, low: [f64; 3], high: [f64; 3]) -> Id {
        self.element("IFCWALL", name, low, high, ".NOTDEFINED.")
    }

    /// A slab.
    pub fn slab(&mut self, name: &str, low: [f64; 3], high: [f64; 3]) -> Id {
        self.element("IFCSLAB", name, low, high, ".FLOOR.")
    }

    /// A room, as part of the storey.
    pub fn room(&mut self, name: &str, low: [f64; 3], high: [f64; 3]) -> Id {
        let size = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
        let place = self.place(low, 0.0);
        let shape = self.block(size);
        let id = self.rooted("IFCSPACE", &format!("$,'{name}',$,$,#{place},#{shape},$,.ELEMENT.,.SPACE.,$"));
        let storey = self.storeys.get(self.storey).map_or(0, |(id, _)| *id);
        self.rooted("IFCRELAGGREGATES", &format!("$,$,$,#{storey},(#{id})"));
        Id(id)
    }

    /// An opening in a host.
    pub fn opening(&mut self, host: Option<Id>, low: [f64; 3], high: [f64; 3]) -> Id {
        let size = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
        let opening = self.stray("IFCOPENINGELEMENT", "Opening", low, size, ".OPENING.");
        if let Some(host) = host {
            self.rooted("IFCRELVOIDSELEMENT", &format!("$,$,$,{host},{opening}"));
        }
        opening
    }

    /// A door of 60 mm in a wall of 200 mm, with its opening: it goes on to +x of `at` turned by so many degrees, and opens to its left.
    pub fn door(&mut self, host: Id, at: [f64; 3], turned: f64, width: f64, operation: &str) -> Id {
        let hole = self.place(at, turned);
        let shape = self.block_at([0.0, -0.1, 0.0], [width, 0.2, 2.1]);
        let opening =
            Id(self.rooted("IFCOPENINGELEMENT", &format!("$,'Opening',$,$,#{hole},#{shape},$,.OPENING.")));
        self.rooted("IFCRELVOIDSELEMENT", &format!("$,$,$,{host},{opening}"));
        let place = self.place(at, turned);
        let shape = self.block_at([0.0, -0.03, 0.0], [width, 0.06, 2.1]);
        let (w, h) = (width * self.per_metre, 2.1 * self.per_metre);
        let door = Id(self.rooted(
            "IFCDOOR",
            &format!("$,'Door',$,$,#{place},#{shape},$,{h:?},{w:?},.DOOR.,.{operation}.,$"),
        ));
        self.rooted("IFCRELFILLSELEMENT", &format!("$,$,$,{opening},{door}"));
        self.contain(door);
        door
    }

    /// A part of the building that is written as it is, such as a storey with its own ways.
    pub fn aggregate(&mut self, id: Id) {
        self.storeys.push((id.0, Vec::new()));
    }

    /// An element of several boxes.
    pub fn boxes(&mut self, class: &str, name: &str, boxes: &[([f64; 3], [f64; 3])], rest: &str) -> Id {
        let place = self.place([0.0; 3], 0.0);
        let mut solids = Vec::new();
        for (low, high) in boxes {
            let size = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
            let [x, y, z] = size.map(|v| v * self.per_metre);
            let middle = self.add(&format!("IFCCARTESIANPOINT(({:?},{:?}))", x / 2.0, y / 2.0));
            let axes = self.add(&format!("IFCAXIS2PLACEMENT2D(#{middle},$)"));
            let profile = self.add(&format!("IFCRECTANGLEPROFILEDEF(.AREA.,$,#{axes},{x:?},{y:?})"));
            let up = self.add("IFCDIRECTION((0.,0.,1.))");
            let origin = self.point(*low);
            let axes = self.add(&format!("IFCAXIS2PLACEMENT3D(#{origin},$,$)"));
            let solid = self.add(&format!("IFCEXTRUDEDAREASOLID(#{profile},#{axes},#{up},{z:?})"));
            solids.push(format!("#{solid}"));
        }
        let (context, list) = (self.context, solids.join(","));
        let shape = self.add(&format!("IFCSHAPEREPRESENTATION(#{context},'Body','SweptSolid',({list}))"));
        let shape = self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{shape}))"));
        let id = Id(self.rooted(class, &format!("$,'{name}',$,$,#{place},#{shape},$,{rest}")));
        self.contain(id);
        id
    }

    /// A box whose least corner lies at a point of its placement.
    fn block_at(&mut self, low: [f64; 3], size: [f64; 3]) -> u32 {
        let k = self.per_metre;
        let [x, y, z] = size.map(|v| v * k);
        let middle =
            self.add(&format!("IFCCARTESIANPOINT(({:?},{:?}))", low[0] * k + x / 2.0, low[1] * k + y / 2.0));
        let axes = self.add(&format!("IFCAXIS2PLACEMENT2D(#{middle},$)"));
        let profile = self.add(&format!("IFCRECTANGLEPROFILEDEF(.AREA.,$,#{axes},{x:?},{y:?})"));
        let up = self.add("IFCDIRECTION((0.,0.,1.))");
        let solid = self.add(&format!("IFCEXTRUDEDAREASOLID(#{profile},$,#{up},{z:?})"));
        let context = self.context;
        let shape = self.add(&format!("IFCSHAPEREPRESENTATION(#{context},'Body','SweptSolid',(#{solid}))"));
        self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{shape}))"))
    }

    /// A space of the faces of a box without its top.
    pub fn open_box(&mut self, class: &str, name: &str, low: [f64; 3], high: [f64; 3]) -> Id {
        let corner = |n: usize| [0, 1, 2].map(|axis| if n >> axis & 1 == 0 { low[axis] } else { high[axis] });
        let points: Vec<u32> = (0..8).map(|n| self.point(corner(n))).collect();
        let sides = [[0, 2, 3, 1], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
        let mut faces = Vec::new();
        for side in sides {
            let list: Vec<String> = side.iter().map(|n| format!("#{}", points[*n])).collect();
            let list = self.add(&format!("IFCPOLYLOOP(({}))", list.join(",")));
            let bound = self.add(&format!("IFCFACEOUTERBOUND(#{list},.T.)"));
            faces.push(format!("#{}", self.add(&format!("IFCFACE((#{bound}))"))));
        }
        let shell = self.add(&format!("IFCOPENSHELL(({}))", faces.join(",")));
        let model = self.add(&format!("IFCSHELLBASEDSURFACEMODEL((#{shell}))"));
        let context = self.context;
        let shape = self.add(&format!("IFCSHAPEREPRESENTATION(#{context},'Body','SurfaceModel',(#{model}))"));
        let shape = self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{shape}))"));
        let place = self.place([0.0; 3], 0.0);
        Id(self.rooted(class, &format!("$,'{name}',$,$,#{place},#{shape},$,.ELEMENT.,.SPACE.,$")))
    }

    /// Takes an instance out of the file again.
    pub fn forget(&mut self, id: Id) {
        let begins = format!("{id}=");
        let refers = format!("({id})");
        let kept = |line: &&str| !line.starts_with(&begins) && !line.contains(&refers);
        self.text = self.text.lines().filter(kept).flat_map(|line| [line, "\n"]).collect();
    }

    /// The connection of two walls.
    pub fn connect(&mut self, a: Id, b: Id) {
        self.rooted("IFCRELCONNECTSPATHELEMENTS", &format!("$,$,$,$,{a},{b},(),(),.ATEND.,.ATEND."));
    }

    /// The file, read.
    pub fn model(mut self) -> Model {
        let building = self.building;
        for (storey, contents) in std::mem::take(&mut self.storeys) {
            self.rooted("IFCRELAGGREGATES", &format!("$,$,$,#{building},(#{storey})"));
            if !contents.is_empty() {
                let list: Vec<String> = contents.iter().map(|id| format!("#{id}")).collect();
                let list = list.join(",");
                self.rooted("IFCRELCONTAINEDINSPATIALSTRUCTURE", &format!("$,$,$,({list}),#{storey}"));
            }
        }
        let head = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n";
        let text = format!("{head}{}ENDSEC;\nEND-ISO-10303-21;\n", self.text);
        let (model, problems) = Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        model
    }
}

/// A model with all that checks look at.
pub struct Made {
    pub model: Model,
    scene: Scene,
    index: Index,
    layout: Arc<Layout>,
    ways: Ways,
}

impl Made {
    pub fn new(model: Model) -> Self {
        let scene = Scene::from_model(&model);
        let index = Index::of_scene(&scene, &|_| true);
        let layout = Arc::new(Layout::from_scene(&scene));
        let ways = Ways::from_scene(&scene, &index, Arc::clone(&layout));
        Self { model, scene, index, layout, ways }
    }

    pub fn subject(&self) -> Subject<'_> {
        Subject {
            model: &self.model,
            scene: &self.scene,
            index: &self.index,
            layout: &self.layout,
            ways: &self.ways,
        }
    }
}
