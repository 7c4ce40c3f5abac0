//! Pages that a chat shows beside an answer (MCP Apps, `ui://…`).
//!
//! A page is one HTML text with its script and style in it. It fetches nothing and names no other host; what it shows comes in
//! messages from the chat, and what it asks for goes through the chat as a tool call, under the rules of every other call.

use rmcp::model::{MetaObject, ReadResourceResult, Resource, ResourceContents};
use rust_embed::RustEmbed;
use serde_json::json;

/// The media type of these pages.
const HTML: &str = "text/html;profile=mcp-app";

/// The scripts that pages have from the viewer, built by vite; read from the folder in debug builds, carried along in release builds.
#[derive(RustEmbed)]
#[folder = "../../viewer/dist-chat"]
#[allow_missing = true]
struct FromViewer;

struct Page {
    uri: &'static str,
    title: &'static str,
    script: &'static str,
    /// True if it draws charts.
    charts: bool,
    /// The name of a script and a style of the viewer that go before its own.
    bundle: Option<&'static str>,
}

const PAGES: [Page; 8] = [
    Page {
        uri: "ui://pensaer/energy-results",
        title: "Results of a simulation",
        script: include_str!("../pages/energy-results.js"),
        charts: true,
        bundle: None,
    },
    Page {
        uri: "ui://pensaer/energy-series",
        title: "Series of a simulation",
        script: include_str!("../pages/energy-series.js"),
        charts: true,
        bundle: None,
    },
    Page {
        uri: "ui://pensaer/weather",
        title: "Weather",
        script: include_str!("../pages/weather.js"),
        charts: true,
        bundle: None,
    },
    Page {
        uri: "ui://pensaer/simulation-report",
        title: "Simulation report",
        script: include_str!("../pages/simulation-report.js"),
        charts: false,
        bundle: None,
    },
    Page {
        uri: "ui://pensaer/energy-geometry",
        title: "Geometry of an energy model",
        script: include_str!("../pages/energy-geometry.js"),
        charts: false,
        bundle: None,
    },
    Page {
        uri: "ui://pensaer/energy-schedules",
        title: "Schedules of an energy model",
        script: include_str!("../pages/energy-schedules.js"),
        charts: false,
        bundle: None,
    },
    Page {
        uri: "ui://pensaer/files",
        title: "Files",
        script: include_str!("../pages/files.js"),
        charts: false,
        bundle: None,
    },
    Page {
        uri: "ui://pensaer/model",
        title: "Model",
        script: include_str!("../pages/model.js"),
        charts: false,
        bundle: Some("model"),
    },
];

/// A page of the documentation, for agents to read.
struct Manual {
    uri: &'static str,
    title: &'static str,
    about: &'static str,
    text: &'static str,
}

const MARKDOWN: &str = "text/markdown";

const MANUALS: [Manual; 1] = [Manual {
    uri: "pensaer://docs/run_code",
    title: "Python in run_code",
    about: "The language of scripts, what they find there, and their limits.",
    text: include_str!("../../../docs/run_code.md"),
}];

/// The pages as resources.
pub(crate) fn listed() -> impl Iterator<Item = Resource> {
    let manuals = MANUALS.iter().map(|manual| {
        Resource::new(manual.uri, manual.title).with_description(manual.about).with_mime_type(MARKDOWN)
    });
    PAGES.iter().map(|page| Resource::new(page.uri, page.title).with_mime_type(HTML)).chain(manuals)
}

/// The page at an address.
pub(crate) fn read(uri: &str) -> Option<ReadResourceResult> {
    if let Some(manual) = MANUALS.iter().find(|manual| manual.uri == uri) {
        let contents = ResourceContents::text(manual.text, uri).with_mime_type(MARKDOWN);
        return Some(ReadResourceResult::new(vec![contents]));
    }
    let page = PAGES.iter().find(|page| page.uri == uri)?;
    let contents = ResourceContents::text(html(page), uri).with_mime_type(HTML);
    Some(ReadResourceResult::new(vec![contents]))
}

/// The mention of a page in a tool's description.
pub(crate) fn meta(uri: &str) -> MetaObject {
    let mut meta = MetaObject::default();
    meta.0.insert("ui".to_owned(), json!({ "resourceUri": uri }));
    meta
}

/// The mention, in a tool's description, that pages alone call it.
pub(crate) fn meta_of_own() -> MetaObject {
    let mut meta = MetaObject::default();
    meta.0.insert("ui".to_owned(), json!({ "visibility": ["app"] }));
    meta
}

fn html(page: &Page) -> String {
    let of_viewer = |ending: &str| {
        let file = page.bundle.and_then(|name| FromViewer::get(&format!("{name}.{ending}")));
        file.map_or_else(String::new, |file| String::from_utf8_lossy(&file.data).into_owned())
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n<title>{}</title>\n\
         <style>\n{}{}</style>\n<div id=\"root\"></div>\n<script>\n\"use strict\";\n{}\n{}{}{}</script>\n</html>\n",
        page.title,
        include_str!("../pages/style.css"),
        of_viewer("css"),
        of_viewer("js"),
        if page.charts { include_str!("../pages/chart.js") } else { "" },
        page.script,
        include_str!("../pages/bridge.js"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole_and_names_no_other_host() {
        for page in &PAGES {
            let text = html(page);
            assert!(text.contains("function show(") && text.contains("ui/initialize"), "{}", page.uri);
            assert_eq!(text.matches("</script>").count(), 1, "{}", page.uri);
            // what is built names the namespaces of XML, which nobody fetches
            let text = if page.bundle.is_some() { page.script } else { &text };
            for foreign in
                ["http:", "https:", "//cdn", "import ", "fetch(", "XMLHttpRequest", "innerHTML", "eval("]
            {
                assert!(!text.contains(foreign), "{} has {foreign}", page.uri);
            }
        }
        assert!(read("ui://pensaer/energy-schedules").is_some() && read("ui://pensaer/other").is_none());
        assert!(read("pensaer://docs/run_code").is_some());
    }
}
