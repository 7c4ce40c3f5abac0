//! Any text is an EXPRESS expression or is refused; one that is read has a value over a small model, or a reason why it
//! has none, in bounded time and memory.
use ifc::{Id, Limits, Model};
use std::sync::LazyLock;

static MODELS: LazyLock<Vec<Model>> =
    LazyLock::new(|| ["IFC2X3", "IFC4", "IFC4X3_ADD2"].into_iter().filter_map(model).collect());

/// A few instances that refer to each other, one of them in a circle.
fn model(schema: &str) -> Option<Model> {
    let text = format!(
        "ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');\
         FILE_SCHEMA(('{schema}'));ENDSEC;DATA;\
         #1=IFCAXIS2PLACEMENT3D(#2,#3,#4);\
         #2=IFCCARTESIANPOINT((0.,1.,2.));\
         #3=IFCDIRECTION((0.,0.,1.));\
         #4=IFCDIRECTION((1.,0.,0.));\
         #5=IFCBOOLEANRESULT(.UNION.,#5,#5);\
         #6=IFCPROPERTYSET('0000000000000000000001',$,'Set',$,(#7,#8));\
         #7=IFCPROPERTYSINGLEVALUE('a',$,IFCLABEL('b'),$);\
         #8=IFCPROPERTYLISTVALUE('c',$,(IFCREAL(1.),IFCINTEGER(2)),$);\
         ENDSEC;END-ISO-10303-21;"
    );
    Model::from_bytes(text.into_bytes(), &Limits::default()).ok().map(|(model, _)| model)
}

/// One input.
pub fn run(bytes: &[u8]) {
    let Some((first, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Some(model) = MODELS.get(usize::from(*first) % 3) else { return };
    let this = [None, Some(Id(1)), Some(Id(5)), Some(Id(6))][usize::from(*first / 3) % 4];
    let _ = ifc_check::express::evaluate(model, text, this);
}
