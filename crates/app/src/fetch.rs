//! Files behind links, fetched over http and https for the Execution Service.

use exec::gate::Fetch;
use std::io::{self, Read, Write};
use std::time::Duration;

/// The web, as far as this machine reaches it.
pub(crate) struct Web;

impl Fetch for Web {
    fn fetch(&self, url: &str, limit: u64, wall: Duration, out: &mut dyn Write) -> io::Result<()> {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(wall))
            // a place that may be asked is not to lead to one that may not
            .max_redirects(0)
            .proxy(None)
            .http_status_as_error(false)
            .build()
            .into();
        let mut answer = agent.get(url).call().map_err(io::Error::other)?;
        let status = answer.status();
        if status.as_u16() != 200 {
            return Err(io::Error::other(format!("the link answers {status}")));
        }
        let mut body = answer.body_mut().as_reader().take(limit.saturating_add(1));
        let size = io::copy(&mut body, out)?;
        if size > limit {
            let message = format!("it has more than {limit} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(())
    }
}
