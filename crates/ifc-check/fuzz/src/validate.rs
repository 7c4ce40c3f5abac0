//! Any file that opens is checked to its last byte: no text makes a check fail, and no more is listed than is counted.
use ifc::{Limits, Model};
use ifc_check::{ValidationOptions, validate, verify};

const HEADER: &[u8] =
    b"ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');\
FILE_SCHEMA(('IFC4'));ENDSEC;DATA;";

/// One input.
pub fn run(bytes: &[u8]) {
    // as it is, and as the data section of a file, so that not every input has to invent a header
    for input in [bytes.to_vec(), [HEADER, bytes].concat()] {
        let limits = Limits { lenient: true, file_bytes: 1 << 24, ..Limits::default() };
        let Ok((model, _)) = Model::from_bytes(input, &limits) else { continue };
        let _ = verify(&model);
        let options = ValidationOptions { rules: false, limit: 3, ..ValidationOptions::default() };
        let report = validate(&model, &options);
        assert!(report.findings.len() <= report.total());
    }
}
