//! A storey of equal rooms in rows and columns, as an IFC4 file: for measurements, and for tests that know the answers.
//!
//! Rooms are 4 m by 4 m and 3 m high between walls of 0.2 m; neighbours in a row share a door of 0.9 m by 2.1 m. A slab lies below and
//! one above.

use std::fmt::Write as _;

/// Clear width of a room, in metres.
pub const CLEAR: f64 = 4.0;
/// Thickness of walls and slabs, in metres.
pub const THICK: f64 = 0.2;
/// Clear height, in metres.
pub const HIGH: f64 = 3.0;

/// Instances as text, numbered as they come.
struct File {
    text: String,
    last: usize,
}

impl File {
    fn add(&mut self, instance: &str) -> String {
        self.last += 1;
        let _ = writeln!(self.text, "#{}={instance};", self.last);
        format!("#{}", self.last)
    }

    fn guid(&self) -> String {
        format!("{:022}", self.last + 1)
    }

    /// A placement in the world.
    fn place(&mut self, x: f64, y: f64, z: f64) -> String {
        let point = self.add(&format!("IFCCARTESIANPOINT(({x:?},{y:?},{z:?}))"));
        let axes = self.add(&format!("IFCAXIS2PLACEMENT3D({point},$,$)"));
        self.add(&format!("IFCLOCALPLACEMENT($,{axes})"))
    }

    /// A box from the origin of its placement.
    fn block(&mut self, context: &str, [x, y, z]: [f64; 3]) -> String {
        let middle = self.add(&format!("IFCCARTESIANPOINT(({:?},{:?}))", x / 2.0, y / 2.0));
        let axes = self.add(&format!("IFCAXIS2PLACEMENT2D({middle},$)"));
        let profile = self.add(&format!("IFCRECTANGLEPROFILEDEF(.AREA.,$,{axes},{x:?},{y:?})"));
        let up = self.add("IFCDIRECTION((0.,0.,1.))");
        let solid = self.add(&format!("IFCEXTRUDEDAREASOLID({profile},$,{up},{z:?})"));
        let shape = self.add(&format!("IFCSHAPEREPRESENTATION({context},'Body','SweptSolid',({solid}))"));
        self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,({shape}))"))
    }

    /// An element: class, what stands before and after placement and shape, and its box.
    fn element(
        &mut self,
        context: &str,
        class: &str,
        name: &str,
        at: [f64; 3],
        size: [f64; 3],
        rest: &str,
    ) -> String {
        let place = self.place(at[0], at[1], at[2]);
        let shape = self.block(context, size);
        let guid = self.guid();
        self.add(&format!("{class}('{guid}',$,'{name}',$,$,{place},{shape},$,{rest})"))
    }
}

/// The file; `with_spaces` puts an IfcSpace into each room.
pub fn storey(columns: usize, rows: usize, with_spaces: bool) -> String {
    let mut file = File { text: String::new(), last: 0 };
    let metre = file.add("IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)");
    let units = file.add(&format!("IFCUNITASSIGNMENT(({metre}))"));
    let origin = file.add("IFCCARTESIANPOINT((0.,0.,0.))");
    let axes = file.add(&format!("IFCAXIS2PLACEMENT3D({origin},$,$)"));
    let context = file.add(&format!("IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,{axes},$)"));
    let guid = file.guid();
    let project = file.add(&format!("IFCPROJECT('{guid}',$,'Grid',$,$,$,$,({context}),{units})"));
    let place = file.place(0.0, 0.0, 0.0);
    let guid = file.guid();
    let building = file.add(&format!("IFCBUILDING('{guid}',$,'House',$,$,{place},$,$,.ELEMENT.,$,$,$)"));
    let guid = file.guid();
    let level = file.add(&format!("IFCBUILDINGSTOREY('{guid}',$,'Ground',$,$,{place},$,$,.ELEMENT.,0.)"));
    for (whole, part) in [(&project, &building), (&building, &level)] {
        let guid = file.guid();
        file.add(&format!("IFCRELAGGREGATES('{guid}',$,$,$,{whole},({part}))"));
    }
    let pitch = CLEAR + THICK;
    let (wide, deep) = (columns as f64 * pitch + THICK, rows as f64 * pitch + THICK);
    let mut elements = Vec::new();
    for (name, z) in [("Floor", -THICK), ("Ceiling", HIGH)] {
        elements.push(file.element(&context, "IFCSLAB", name, [0.0, 0.0, z], [wide, deep, THICK], ".FLOOR."));
    }
    for row in 0..=rows {
        let at = [0.0, row as f64 * pitch, 0.0];
        elements.push(file.element(&context, "IFCWALL", "Long", at, [wide, THICK, HIGH], "$"));
    }
    for (row, column) in (0..rows).flat_map(|row| (0..=columns).map(move |column| (row, column))) {
        let at = [column as f64 * pitch, row as f64 * pitch + THICK, 0.0];
        let wall = file.element(&context, "IFCWALL", "Cross", at, [THICK, CLEAR, HIGH], "$");
        if (1..columns).contains(&column) {
            let at = [at[0], at[1] + 1.0, 0.0];
            let size = [THICK, 0.9, 2.1];
            let opening = file.element(&context, "IFCOPENINGELEMENT", "Hole", at, size, ".OPENING.");
            let door = file.element(&context, "IFCDOOR", "Door", at, size, "2.1,0.9,$,$,$");
            let guid = file.guid();
            file.add(&format!("IFCRELVOIDSELEMENT('{guid}',$,$,$,{wall},{opening})"));
            let guid = file.guid();
            file.add(&format!("IFCRELFILLSELEMENT('{guid}',$,$,$,{opening},{door})"));
            elements.push(door);
        }
        elements.push(wall);
    }
    let guid = file.guid();
    file.add(&format!("IFCRELCONTAINEDINSPATIALSTRUCTURE('{guid}',$,$,$,({}),{level})", elements.join(",")));
    if with_spaces {
        let mut spaces = Vec::new();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let at = [column as f64 * pitch + THICK, row as f64 * pitch + THICK, 0.0];
            let name = format!("{row}-{column}");
            let rest = ".ELEMENT.,.SPACE.,$";
            spaces.push(file.element(&context, "IFCSPACE", &name, at, [CLEAR, CLEAR, HIGH], rest));
        }
        let guid = file.guid();
        file.add(&format!("IFCRELAGGREGATES('{guid}',$,$,$,{level},({}))", spaces.join(",")));
    }
    format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n{}ENDSEC;\nEND-ISO-10303-21;\n",
        file.text
    )
}
