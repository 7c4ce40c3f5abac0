//! Small buildings written as IFC4 text, of which everything is known: one as the rules ask, one as they do not.

use std::fmt::Write;

/// Where a building stands and the unit that its file is in.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) millimetres: bool,
    /// Turned by so many radians.
    pub(super) turn: f64,
    pub(super) shift: [f64; 2],
}

impl Place {
    pub(super) const PLAIN: Place = Place { millimetres: false, turn: 0.0, shift: [0.0, 0.0] };
}

pub(super) type Corner = [f64; 3];

/// A file that is being written; lengths are given in metres.
pub(super) struct Writer {
    text: String,
    next: usize,
    factor: f64,
    local: usize,
    building: usize,
}

impl Writer {
    pub(super) fn new(place: Place) -> Writer {
        let factor = if place.millimetres { 1000.0 } else { 1.0 };
        let mut own = Writer { text: String::new(), next: 1, factor, local: 0, building: 0 };
        own.text.push_str("ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n");
        let prefix = if place.millimetres { ".MILLI." } else { "$" };
        own.line("IFCCARTESIANPOINT((0.,0.,0.))"); // 1
        own.line("IFCAXIS2PLACEMENT3D(#1,$,$)"); // 2
        own.line("IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#2,$)"); // 3
        own.line(&format!("IFCSIUNIT(*,.LENGTHUNIT.,{prefix},.METRE.)")); // 4
        own.line("IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.)"); // 5
        own.line("IFCUNITASSIGNMENT((#4,#5))"); // 6
        let guid = own.guid();
        own.line(&format!("IFCPROJECT('{guid}',$,'P',$,$,$,$,(#3),#6)")); // 7
        let (sin, cos) = place.turn.sin_cos();
        let origin = own.point([place.shift[0], place.shift[1], 0.0]);
        let along = own.line(&format!("IFCDIRECTION(({cos:?},{sin:?},0.))"));
        let up = own.line("IFCDIRECTION((0.,0.,1.))");
        let axes = own.line(&format!("IFCAXIS2PLACEMENT3D(#{origin},#{up},#{along})"));
        let local = own.line(&format!("IFCLOCALPLACEMENT($,#{axes})"));
        let guid = own.guid();
        let site = own.line(&format!("IFCSITE('{guid}',$,'Site',$,$,#{local},$,$,.ELEMENT.,$,$,$,$,$)"));
        let guid = own.guid();
        let building = own.line(&format!("IFCBUILDING('{guid}',$,'B',$,$,#{local},$,$,.ELEMENT.,$,$,$)"));
        own.relation("IFCRELAGGREGATES", 7, &[site]);
        own.relation("IFCRELAGGREGATES", site, &[building]);
        own.local = local;
        own.building = building;
        own
    }

    pub(super) fn line(&mut self, text: &str) -> usize {
        let id = self.next;
        writeln!(self.text, "#{id}={text};").unwrap();
        self.next += 1;
        id
    }

    pub(super) fn guid(&self) -> String {
        format!("{:022}", self.next)
    }

    pub(super) fn point(&mut self, p: Corner) -> usize {
        let [x, y, z] = p.map(|v| v * self.factor);
        self.line(&format!("IFCCARTESIANPOINT(({x:?},{y:?},{z:?}))"))
    }

    pub(super) fn relation(&mut self, class: &str, one: usize, others: &[usize]) {
        let guid = self.guid();
        let list: Vec<String> = others.iter().map(|id| format!("#{id}")).collect();
        self.line(&format!("{class}('{guid}',$,$,$,#{one},({}))", list.join(",")));
    }

    /// A placement at the building's origin.
    pub(super) fn placement(&mut self) -> usize {
        let local = self.local;
        self.line(&format!("IFCLOCALPLACEMENT(#{local},#2)"))
    }

    /// A block from corner to corner.
    pub(super) fn solid(&mut self, low: Corner, high: Corner) -> usize {
        let size = [0, 1, 2].map(|i| (high[i] - low[i]) * self.factor);
        let corner = self.point(low);
        let axes = self.line(&format!("IFCAXIS2PLACEMENT3D(#{corner},$,$)"));
        let middle = self.line(&format!("IFCCARTESIANPOINT(({:?},{:?}))", size[0] / 2.0, size[1] / 2.0));
        let flat = self.line(&format!("IFCAXIS2PLACEMENT2D(#{middle},$)"));
        let profile =
            self.line(&format!("IFCRECTANGLEPROFILEDEF(.AREA.,$,#{flat},{:?},{:?})", size[0], size[1]));
        let up = self.line("IFCDIRECTION((0.,0.,1.))");
        self.line(&format!("IFCEXTRUDEDAREASOLID(#{profile},#{axes},#{up},{:?})", size[2]))
    }

    /// A wedge that falls along x from the high to the low corner.
    pub(super) fn wedge(&mut self, low: Corner, high: Corner) -> usize {
        let (run, rise, width) = (
            (high[0] - low[0]) * self.factor,
            (high[2] - low[2]) * self.factor,
            (high[1] - low[1]) * self.factor,
        );
        let points = [[0.0, 0.0], [run, 0.0], [0.0, rise], [0.0, 0.0]];
        let ids: Vec<String> = points
            .map(|[x, y]| self.line(&format!("IFCCARTESIANPOINT(({x:?},{y:?}))")))
            .map(|id| format!("#{id}"))
            .into();
        let outline = self.line(&format!("IFCPOLYLINE(({}))", ids.join(",")));
        let profile = self.line(&format!("IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#{outline})"));
        let corner = self.point([low[0], high[1], low[2]]);
        let back = self.line("IFCDIRECTION((0.,-1.,0.))");
        let along = self.line("IFCDIRECTION((1.,0.,0.))");
        let axes = self.line(&format!("IFCAXIS2PLACEMENT3D(#{corner},#{back},#{along})"));
        let up = self.line("IFCDIRECTION((0.,0.,1.))");
        self.line(&format!("IFCEXTRUDEDAREASOLID(#{profile},#{axes},#{up},{width:?})"))
    }

    pub(super) fn shape(&mut self, solids: &[usize]) -> usize {
        let list: Vec<String> = solids.iter().map(|id| format!("#{id}")).collect();
        let body = self.line(&format!("IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',({}))", list.join(",")));
        self.line(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{body}))"))
    }

    /// A product with solids; `rest` are the attributes after its shape.
    pub(super) fn product(&mut self, class: &str, name: &str, solids: &[usize], rest: &str) -> usize {
        let shape = self.shape(solids);
        let placement = self.placement();
        let guid = self.guid();
        self.line(&format!("{class}('{guid}',$,'{name}',$,$,#{placement},#{shape},{rest})"))
    }

    pub(super) fn storey(&mut self, name: &str, elevation: f64) -> usize {
        let placed = self.point([0.0, 0.0, elevation]);
        let axes = self.line(&format!("IFCAXIS2PLACEMENT3D(#{placed},$,$)"));
        let local = self.local;
        let placement = self.line(&format!("IFCLOCALPLACEMENT(#{local},#{axes})"));
        let guid = self.guid();
        let storey = self.line(&format!(
            "IFCBUILDINGSTOREY('{guid}',$,'{name}',$,$,#{placement},$,$,.ELEMENT.,{:?})",
            elevation * self.factor
        ));
        let building = self.building;
        self.relation("IFCRELAGGREGATES", building, &[storey]);
        storey
    }

    pub(super) fn contain(&mut self, storey: usize, element: usize) {
        let guid = self.guid();
        self.line(&format!("IFCRELCONTAINEDINSPATIALSTRUCTURE('{guid}',$,$,$,(#{element}),#{storey})"));
    }

    pub(super) fn block(
        &mut self,
        class: &str,
        kind: &str,
        name: &str,
        storey: usize,
        low: Corner,
        high: Corner,
    ) -> usize {
        let solid = self.solid(low, high);
        let element = self.product(class, name, &[solid], &format!("$,.{kind}."));
        self.contain(storey, element);
        element
    }

    pub(super) fn wall(&mut self, storey: usize, low: Corner, high: Corner) -> usize {
        self.block("IFCWALL", "STANDARD", "Wall", storey, low, high)
    }

    pub(super) fn space(&mut self, storey: usize, name: &str, low: Corner, high: Corner) -> usize {
        let solid = self.solid(low, high);
        let shape = self.shape(&[solid]);
        let placement = self.placement();
        let guid = self.guid();
        let space = self.line(&format!(
            "IFCSPACE('{guid}',$,'{name}',$,$,#{placement},#{shape},'{name}',.ELEMENT.,.INTERNAL.,$)"
        ));
        self.relation("IFCRELAGGREGATES", storey, &[space]);
        space
    }

    pub(super) fn opening(&mut self, host: usize, low: Corner, high: Corner) -> usize {
        let solid = self.solid(low, high);
        let opening = self.product("IFCOPENINGELEMENT", "Opening", &[solid], "$,.OPENING.");
        let guid = self.guid();
        self.line(&format!("IFCRELVOIDSELEMENT('{guid}',$,$,$,#{host},#{opening})"));
        opening
    }

    /// A door in a wall between two corners of its opening; `forward` is where its leaf opens to.
    pub(super) fn door(
        &mut self,
        storey: usize,
        host: usize,
        low: Corner,
        high: Corner,
        forward: [f64; 2],
    ) -> usize {
        let opening = self.opening(host, low, high);
        // the leaf stands in the middle of the wall; its own axes are those of the placement
        let is_along_x = forward[0] == 0.0;
        let width = if is_along_x { high[0] - low[0] } else { high[1] - low[1] };
        let middle = [0, 1, 2].map(|i| f64::midpoint(low[i], high[i]));
        let along = [forward[1], -forward[0]];
        let start = [middle[0] - along[0] * width / 2.0, middle[1] - along[1] * width / 2.0, low[2]];
        let origin = self.point(start);
        let up = self.line("IFCDIRECTION((0.,0.,1.))");
        let x = self.line(&format!("IFCDIRECTION(({:?},{:?},0.))", along[0], along[1]));
        let axes = self.line(&format!("IFCAXIS2PLACEMENT3D(#{origin},#{up},#{x})"));
        let local = self.local;
        let placement = self.line(&format!("IFCLOCALPLACEMENT(#{local},#{axes})"));
        let height = high[2] - low[2];
        let solid = self.solid([0.0, -0.02, 0.0], [width, 0.02, height]);
        let shape = self.shape(&[solid]);
        let guid = self.guid();
        let door = self.line(&format!(
            "IFCDOOR('{guid}',$,'Door',$,$,#{placement},#{shape},$,{:?},{:?},.DOOR.,.SINGLE_SWING_LEFT.,$)",
            height * self.factor,
            width * self.factor
        ));
        let guid = self.guid();
        self.line(&format!("IFCRELFILLSELEMENT('{guid}',$,$,$,#{opening},#{door})"));
        self.contain(storey, door);
        door
    }

    pub(super) fn zone(&mut self, name: &str, spaces: &[usize]) {
        let guid = self.guid();
        let zone = self.line(&format!("IFCZONE('{guid}',$,'{name}',$,$,$)"));
        let list: Vec<String> = spaces.iter().map(|id| format!("#{id}")).collect();
        let guid = self.guid();
        self.line(&format!("IFCRELASSIGNSTOGROUP('{guid}',$,$,$,({}),$,#{zone})", list.join(",")));
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push_str("ENDSEC;\nEND-ISO-10303-21;\n");
        self.text
    }
}

/// The numbers in which the two buildings differ, in metres.
struct Numbers {
    is_bad: bool,
    /// Height of the upper storey.
    upper: f64,
    ceiling: f64,
    door: f64,
    head: f64,
    ground: f64,
    /// The stair: where it begins, its risers, treads, width, and how many treads it has.
    stair: (f64, f64, f64, f64, usize),
}

const GOOD: Numbers = Numbers {
    is_bad: false,
    upper: 3.15,
    ceiling: 2.85,
    door: 1.0,
    head: 2.1,
    ground: -0.3,
    stair: (2.5, 0.175, 0.28, 1.3, 17),
};
const BAD: Numbers = Numbers {
    is_bad: true,
    upper: 4.2,
    ceiling: 2.2,
    door: 0.7,
    head: 1.9,
    ground: -0.9,
    stair: (0.8, 0.2, 0.22, 0.8, 20),
};

/// A building of two storeys in which every rule is kept.
pub(super) fn good(place: Place) -> String {
    house(place, &GOOD)
}

/// The same with every rule broken.
pub(super) fn bad(place: Place) -> String {
    house(place, &BAD)
}

/// A corridor of 100 m with one door at its end.
pub(super) fn long(place: Place) -> String {
    let mut file = Writer::new(place);
    let storey = file.storey("Level 0", 0.0);
    file.block("IFCSLAB", "FLOOR", "Floor", storey, [0.0, 0.0, -0.3], [100.6, 2.6, 0.0]);
    let west = file.wall(storey, [0.0, 0.0, 0.0], [0.3, 2.6, 2.8]);
    file.wall(storey, [100.3, 0.0, 0.0], [100.6, 2.6, 2.8]);
    file.wall(storey, [0.3, 0.0, 0.0], [100.3, 0.3, 2.8]);
    file.wall(storey, [0.3, 2.3, 0.0], [100.3, 2.6, 2.8]);
    file.door(storey, west, [0.0, 0.8, 0.0], [0.3, 1.8, 2.1], [-1.0, 0.0]);
    file.space(storey, "Corridor", [0.3, 0.3, 0.0], [100.3, 2.3, 2.8]);
    file.finish()
}

fn house(place: Place, n: &Numbers) -> String {
    let mut file = Writer::new(place);
    let lower = file.storey("Level 0", 0.0);
    let upper = file.storey("Level 1", n.upper);
    structure(&mut file, n, [lower, upper]);
    ground_floor(&mut file, n, [lower, upper]);
    upper_floor(&mut file, n, upper);
    stair(&mut file, n, [lower, upper]);
    ramp(&mut file, n, lower);
    if n.is_bad {
        mistakes(&mut file, lower);
    }
    file.finish()
}

/// Ground, slabs and roof.
fn structure(file: &mut Writer, n: &Numbers, [lower, upper]: [usize; 2]) {
    file.block(
        "IFCGEOGRAPHICELEMENT",
        "TERRAIN",
        "Ground",
        lower,
        [-15.0, -15.0, n.ground - 1.0],
        [55.0, 25.0, n.ground],
    );
    file.block("IFCSLAB", "FLOOR", "Floor", lower, [0.0, 0.0, -0.3], [30.6, 10.6, 0.0]);
    let slab = file.block(
        "IFCSLAB",
        "FLOOR",
        "Upper floor",
        upper,
        [0.0, 0.0, n.upper - 0.3],
        [30.6, 10.6, n.upper],
    );
    let (from, _, tread, width, count) = n.stair;
    let end = from + tread * count as f64;
    // where the stair is bad, the hole begins too late and does not end with it
    let (low, high) = if n.is_bad { (from + 2.0, end + 1.5) } else { (from, end) };
    file.opening(slab, [low, 10.2 - width - 0.05, n.upper - 0.4], [high, 10.3, n.upper + 0.1]);
    file.block("IFCSLAB", "ROOF", "Roof", upper, [0.0, 0.0, n.upper + 2.85], [30.6, 10.6, n.upper + 3.15]);
    let thin = if n.is_bad { 0.02 } else { 0.15 };
    let north = if n.is_bad { -0.1 } else { 0.0 };
    file.block("IFCSLAB", "FLOOR", "South paving", lower, [1.0, -2.0, -thin], [12.0, 0.0, 0.0]);
    file.block("IFCSLAB", "FLOOR", "North paving", lower, [8.0, 10.6, north - 0.15], [12.0, 12.6, north]);
}

fn ground_floor(file: &mut Writer, n: &Numbers, [lower, upper]: [usize; 2]) {
    let top = n.upper - 0.3;
    let wall = |file: &mut Writer, low: [f64; 2], high: [f64; 2]| {
        file.wall(lower, [low[0], low[1], 0.0], [high[0], high[1], top])
    };
    let south = wall(file, [0.0, 0.0], [30.6, 0.3]);
    let north = wall(file, [0.0, 10.3], [30.6, 10.6]);
    wall(file, [0.0, 0.3], [0.3, 10.3]);
    let east = wall(file, [30.3, 0.3], [30.6, 10.3]);
    let middle = wall(file, [0.3, 7.3], [30.3, 7.4]);
    let corridor_west = wall(file, [8.3, 0.3], [8.4, 7.3]);
    let corridor_east = wall(file, [10.4, 0.3], [10.5, 7.3]);
    wall(file, [14.5, 0.3], [14.6, 7.3]);
    let bedrooms_end = if n.is_bad { 11.9 } else { 14.5 };
    wall(file, [10.5, 4.3], [bedrooms_end, 4.4]);
    if n.is_bad {
        wall(file, [11.9, 0.3], [12.0, 7.3]);
    }
    let (d, h) = (n.door, n.head);
    let door =
        |file: &mut Writer, storey: usize, host: usize, low: [f64; 2], high: [f64; 2], forward: [f64; 2]| {
            file.door(storey, host, [low[0], low[1], 0.0], [high[0], high[1], h], forward);
        };
    door(
        file,
        lower,
        corridor_west,
        [8.3, 3.0],
        [8.4, 3.0 + d],
        if n.is_bad { [1.0, 0.0] } else { [-1.0, 0.0] },
    );
    let first = if n.is_bad { 3.0 } else { 1.0 };
    door(
        file,
        lower,
        corridor_east,
        [10.4, first],
        [10.5, first + d],
        if n.is_bad { [-1.0, 0.0] } else { [1.0, 0.0] },
    );
    door(file, if n.is_bad { upper } else { lower }, corridor_east, [10.4, 5.5], [10.5, 5.5 + d], [1.0, 0.0]);
    door(file, lower, south, [8.9, 0.0], [8.9 + d, 0.3], [0.0, -1.0]);
    door(file, lower, middle, [8.9, 7.3], [8.9 + d, 7.4], [0.0, 1.0]);
    door(file, lower, north, [9.0, 10.3], [9.0 + d, 10.6], [0.0, 1.0]);
    if n.is_bad {
        door(file, lower, east, [30.3, 3.5], [30.6, 3.9], [-1.0, 0.0]);
    } else {
        door(file, lower, south, [3.0, 0.0], [4.0, 0.3], [0.0, -1.0]);
        door(file, lower, middle, [16.0, 7.3], [17.0, 7.4], [0.0, 1.0]);
        door(file, lower, east, [30.3, 3.5], [30.6, 4.5], [1.0, 0.0]);
    }
    let c = n.ceiling;
    let living = file.space(lower, "Living room", [0.3, 0.3, 0.0], [8.3, 7.3, c]);
    let corridor = file.space(lower, "Corridor", [8.4, 0.3, 0.0], [10.4, 7.3, c]);
    let foot = if n.is_bad { 0.05 } else { 0.0 };
    let one = file.space(lower, "Bedroom 1", [10.5, 0.3, foot], [bedrooms_end, 4.3, c]);
    let two = file.space(lower, "Bedroom 2", [10.5, 4.4, 0.0], [bedrooms_end, 7.3, c]);
    if n.is_bad {
        file.space(lower, "Bedroom 3", [12.0, 0.3, 0.0], [14.5, 7.3, c]);
    }
    file.space(lower, "Auditorium", [14.6, 0.3, 0.0], [30.3, 7.3, c]);
    file.space(lower, "Stair hall", [0.3, 7.4, 0.0], [30.3, 10.3, c]);
    let flat = if n.is_bad { vec![one, two] } else { vec![living, corridor, one, two] };
    file.zone("Flat", &flat);
}

fn upper_floor(file: &mut Writer, n: &Numbers, upper: usize) {
    let (foot, top) = (n.upper, n.upper + 2.85);
    let wall = |file: &mut Writer, low: [f64; 2], high: [f64; 2]| {
        file.wall(upper, [low[0], low[1], foot], [high[0], high[1], top])
    };
    wall(file, [0.0, 0.0], [30.6, 0.3]);
    wall(file, [0.0, 10.3], [30.6, 10.6]);
    wall(file, [0.0, 0.3], [0.3, 10.3]);
    wall(file, [30.3, 0.3], [30.6, 10.3]);
    let middle = wall(file, [14.4, 0.3], [14.5, 10.3]);
    for y in [2.0, 7.0] {
        file.door(upper, middle, [14.4, y, foot], [14.5, y + n.door, foot + n.head], [1.0, 0.0]);
    }
    file.space(upper, "Office A", [0.3, 0.3, foot], [14.4, 10.3, foot + n.ceiling]);
    if !n.is_bad {
        file.space(upper, "Office B", [14.5, 0.3, foot], [30.3, 10.3, foot + n.ceiling]);
    }
}

fn stair(file: &mut Writer, n: &Numbers, [lower, upper]: [usize; 2]) {
    let (from, riser, tread, width, count) = n.stair;
    let (south, north) = (10.2 - width, 10.2);
    let at = |i: usize| {
        let bump = if n.is_bad && i == 5 { 0.03 } else { 0.0 };
        from + tread * i as f64 + bump
    };
    let steps: Vec<usize> = (0..count)
        .map(|i| {
            let z = riser * i as f64;
            file.solid([at(i), south, z], [at(i + 1), north, z + riser])
        })
        .collect();
    let flight = file.product("IFCSTAIRFLIGHT", "Flight", &steps, "$,$,$,$,$,.STRAIGHT.");
    let placement = file.placement();
    let guid = file.guid();
    let stair = file.line(&format!("IFCSTAIR('{guid}',$,'Stair',$,$,#{placement},$,$,.STRAIGHT_RUN_STAIR.)"));
    file.relation("IFCRELAGGREGATES", stair, &[flight]);
    file.contain(lower, stair);
    if n.is_bad {
        return;
    }
    for (low, high) in [(south - 0.04, south), (north, north + 0.04)] {
        let rails: Vec<usize> = (0..count)
            .map(|i| {
                let z = riser * (i + 1) as f64;
                file.solid([at(i), low, z + 0.8], [at(i + 1), high, z + 0.98])
            })
            .collect();
        let rail = file.product("IFCRAILING", "Handrail", &rails, "$,.HANDRAIL.");
        file.contain(lower, rail);
    }
    let (end, foot) = (at(count), n.upper);
    file.block(
        "IFCRAILING",
        "GUARDRAIL",
        "Guard",
        upper,
        [from - 0.05, south - 0.1, foot],
        [end, south - 0.05, foot + 1.1],
    );
    file.block(
        "IFCRAILING",
        "GUARDRAIL",
        "Guard",
        upper,
        [from - 0.05, south - 0.05, foot],
        [from, 10.3, foot + 1.1],
    );
}

fn ramp(file: &mut Writer, n: &Numbers, lower: usize) {
    let (landing, length, width) = if n.is_bad { (0.5, 5.4, 0.8) } else { (2.0, 4.0, 2.0) };
    let (from, south) = (30.6 + landing, 3.0);
    file.block("IFCSLAB", "LANDING", "Landing", lower, [30.6, south, -0.15], [from, south + width, 0.0]);
    let solid = file.wedge([from, south, n.ground], [from + length, south + width, 0.0]);
    let ramp = file.product("IFCRAMP", "Ramp", &[solid], "$,.STRAIGHT_RUN_RAMP.");
    file.contain(lower, ramp);
    if !n.is_bad {
        for y in [south - 0.1, south + width] {
            file.block(
                "IFCRAILING",
                "HANDRAIL",
                "Rail",
                lower,
                [from - 0.2, y, 0.7],
                [from + length + 0.2, y + 0.1, 0.85],
            );
        }
    }
}

/// Puts things where they should not stand.
fn mistakes(file: &mut Writer, lower: usize) {
    file.block("IFCFURNITURE", "SHELF", "Shelf", lower, [10.6, 4.9, 0.0], [11.8, 7.2, 1.8]);
    file.block("IFCFURNITURE", "SHELF", "Chest before the door", lower, [9.7, 3.0, 0.0], [10.2, 3.7, 1.0]);
    file.block("IFCFURNITURE", "SHELF", "Chest behind the door", lower, [10.9, 3.0, 0.0], [11.3, 3.7, 1.0]);
    file.wall(lower, [3.0, 3.0, 0.0], [4.0, 3.1, 1.0]);
    file.block("IFCCOLUMN", "COLUMN", "Column", lower, [8.0, 6.0, 0.0], [8.35, 6.4, 2.1]);
}
