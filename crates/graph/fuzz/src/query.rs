//! Any text is a query that is answered within its limits, or a Fault that says where and why not; one text has one answer.

use contract::{FaultCode, Unwatched};
use graph::{Dataset, Limits, query};
use ifc::Model;
use std::sync::OnceLock;
use std::time::Duration;

const MODEL: &str = "ISO-10303-21;HEADER;FILE_SCHEMA(('IFC4'));ENDSEC;DATA;
#1=IFCBUILDINGSTOREY('0000000000000000000001',$,'Ground floor',$,$,$,$,$,.ELEMENT.,0.);
#2=IFCWALL('000000000000000000000$',$,'North \"wall\"',$,$,$,$,$,.SOLIDWALL.);
#3=IFCRELCONTAINEDINSPATIALSTRUCTURE('0000000000000000000003',$,$,$,(#2),#1);
#4=IFCPROPERTYSET('0000000000000000000004',$,'Pset_WallCommon',$,(#5,#6));
#5=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F90'),$);
#6=IFCPROPERTYSINGLEVALUE('Base Offset',$,IFCLENGTHMEASURE(2.5),$);
#7=IFCRELDEFINESBYPROPERTIES('0000000000000000000007',$,$,$,(#2),#4);
ENDSEC;END-ISO-10303-21;";

fn dataset() -> Option<&'static Dataset> {
    static DATASET: OnceLock<Option<Dataset>> = OnceLock::new();
    let made = DATASET.get_or_init(|| {
        let (model, _) = Model::from_bytes(MODEL.as_bytes().to_vec(), &ifc::Limits::default()).ok()?;
        Dataset::of_model("https://pensaer.local/model/fuzz/", model).ok()
    });
    made.as_ref()
}

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(dataset) = dataset() else { return };
    let limits = Limits { rows: 20, time: Duration::from_millis(500), terms: 50_000 };
    match query(dataset, text, &limits, &Unwatched) {
        Ok(answer) => {
            assert!(answer.outcome.len() <= 20);
            let json = answer.to_json();
            assert!(json.is_object());
            // what is drawn by lot, read from the clock or named anew differs from time to time
            let upper = text.to_uppercase();
            let is_fixed = !["RAND", "UUID", "NOW", "BNODE", "["].iter().any(|word| upper.contains(word));
            if let Some(again) = query(dataset, text, &limits, &Unwatched).ok().filter(|_| is_fixed) {
                assert_eq!(again.to_json(), json);
            }
        }
        Err(fault) => {
            assert_ne!(fault.code, FaultCode::BackendFailed, "{fault}");
            assert!(!fault.message.is_empty());
        }
    }
}
