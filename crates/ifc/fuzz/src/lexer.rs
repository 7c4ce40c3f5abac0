//! Any bytes are an attribute list or not one: what is read as values reads the same when written and read again, in the
//! same bounds of time and memory as the bytes have.
use ifc::{Id, Limits, Model, Value};

const BEFORE: &[u8] =
    b"ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');\
FILE_SCHEMA(('IFC4'));ENDSEC;DATA;#1=IFCWALL(";
const BEHIND: &[u8] = b");ENDSEC;END-ISO-10303-21;";

/// True if a value is of a kind whose text stays the same: what could not be read became nothing, and lists with it.
fn same(a: &Value, b: &Value) -> bool {
    a.is_identical(b)
}

/// One input.
pub fn run(bytes: &[u8]) {
    let limits = Limits { lenient: true, ..Limits::default() };
    let Ok((model, _)) = Model::from_bytes([BEFORE, bytes, BEHIND].concat(), &limits) else { return };
    // a lost parenthesis may make a complex instance of it
    let Some(wall) = model.get(Id(1)).filter(|wall| wall.is_a("IfcWall")) else { return };
    let values = wall.attributes();
    for (at, value) in values.iter().enumerate() {
        assert!(same(&wall.attr_at(at), value), "one by one as all together");
    }
    // as the kernel writes them
    let text = format!("{wall:?}");
    let Some((_, list)) = text.split_once('(') else { return };
    let list = list.strip_suffix(')').unwrap_or(list);
    let Ok((again, problems)) = Model::from_bytes([BEFORE, list.as_bytes(), BEHIND].concat(), &limits) else {
        panic!("what was written cannot be read: {text}");
    };
    assert_eq!(problems, [], "{text}");
    let read = again.get(Id(1)).map(|wall| wall.attributes()).unwrap_or_default();
    assert!(
        read.len() == values.len() && read.iter().zip(&values).all(|(a, b)| same(a, b)),
        "{text}\n{read:?}"
    );
}
