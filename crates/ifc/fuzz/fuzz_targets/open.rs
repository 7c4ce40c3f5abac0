//! Any bytes are an IFC file or are refused; one that opens is read to its last attribute, edited, and written back
//! as it was where nothing was edited.
#![no_main]

use ifc::{Limits, Model};
use libfuzzer_sys::fuzz_target;

const HEADER: &[u8] = b"ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');\
FILE_SCHEMA(('IFC4'));ENDSEC;DATA;";

fuzz_target!(|bytes: &[u8]| {
    // as it is, and as the data section of a file, so that not every input has to invent a header
    for input in [bytes.to_vec(), [HEADER, bytes].concat()] {
        let limits = Limits { lenient: true, ..Limits::default() };
        let Ok((model, _)) = Model::from_bytes(input.clone(), &limits) else { continue };
        assert!(model.to_bytes() == input);
        let _ = model.verify();
        let mut edit = model.edit();
        for id in model.ids() {
            let _ = model.referrers(id);
            let _ = edit.set(id, "Name", "fuzz");
            let _ = edit.remove(id);
        }
        let (after, delta) = edit.finish();
        let again = model.apply(&delta);
        assert!(again.is_ok_and(|again| again.to_bytes() == after.to_bytes()));
    }
});
