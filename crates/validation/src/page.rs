//! The look that reports as pages of HTML have in common: for the screen, light or dark, and for paper.

/// The style sheet.
pub const STYLE: &str = "\
:root{color-scheme:light dark;--fg:#1c2127;--soft:#5a6672;--line:#d8dee4;--bg:#fff;--card:#f6f8fa;--ok:#1a7f37;--bad:#c4282d;--skip:#6e7781;--warn:#9a6700}\
@media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--soft:#9aa7b4;--line:#30363d;--bg:#0f1419;--card:#171d24;--ok:#4ac26b;--bad:#ff7b72;--skip:#9aa7b4;--warn:#d29922}}\
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:2rem 1.5rem;font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}\
h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:0}p{margin:.25rem 0}.soft{color:var(--soft)}\
.sum{display:flex;gap:.75rem;flex-wrap:wrap;margin:1rem 0 1.5rem}.sum div{border:1px solid var(--line);border-radius:.5rem;padding:.5rem .9rem;background:var(--card)}\
.sum b{display:block;font-size:1.3rem}section{border:1px solid var(--line);border-left:5px solid var(--skip);border-radius:.5rem;padding:.9rem 1.1rem;margin:0 0 1rem;break-inside:avoid-page}\
section.warned{border-left-color:var(--warn)}img{display:block;max-width:100%;height:auto;margin:.6rem 0;border:1px solid var(--line);border-radius:.35rem}\
section.passed{border-left-color:var(--ok)}section.failed{border-left-color:var(--bad)}\
.tag{font-weight:600;white-space:nowrap}.tag.passed{color:var(--ok)}.tag.failed{color:var(--bad)}.tag.skipped{color:var(--skip)}.tag.warned{color:var(--warn)}\
header{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}ul.req{list-style:none;margin:.6rem 0 0;padding:0}ul.req>li{border-top:1px solid var(--line);padding:.45rem 0}\
table{border-collapse:collapse;width:100%;margin:.4rem 0;font-size:.9rem}th,td{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:top}\
th{color:var(--soft);font-weight:600}code{font:.85em ui-monospace,monospace;white-space:nowrap}\
@media print{:root{--fg:#000;--soft:#444;--line:#bbb;--bg:#fff;--card:#fff;--ok:#1a7f37;--bad:#c4282d;--warn:#9a6700}body{max-width:none;padding:0;font-size:10pt}section{break-inside:auto}tr{break-inside:avoid}thead{display:table-header-group}}";

/// A text as it stands in a page.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
