//! What a link to the viewer lays over a version, as a file that is kept beside it.

use crate::held;
use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{Overlay, PlatformOperation};
use contract::{Fault, Outcome};

impl Resolve for Overlay {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        call.model("model")?;
        let versions = held::versions(call.request, &call.models, call.scenes);
        let Some(version) = versions.get("model") else {
            return Err(Fault::backend("The version of this request is not held open."));
        };
        let (file, answer) = tools::overlay(version.as_ref(), call.watch.as_ref(), &self)?;
        let text = serde_json::to_vec(&file)
            .map_err(|error| Fault::backend(format!("The overlay cannot be written: {error}.")))?;
        let make = call.maker();
        let made = make("overlay", "overlay.json", "application/json", &mut |out| out.write_all(&text))?;
        Ok(Outcome { files: vec![made], ..Self::outcome(answer)? })
    }
}
