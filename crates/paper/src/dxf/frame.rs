//! The sections of a drawing around its entities: header, classes, tables, blocks, objects.

use super::drawing::{Block, Drawing};
use super::layers::Style;
use super::tags::{Handle, Tags};
use super::{APPLICATION, BOLD, REGULAR};
use crate::page::Page;
use crate::text::fonts::Fonts;
use glam::DVec2;

// numbers of what every drawing has
const VPORTS: Handle = 0x1;
const LTYPES: Handle = 0x2;
const LAYERS: Handle = 0x3;
const STYLES: Handle = 0x4;
const VIEWS: Handle = 0x5;
const UCSS: Handle = 0x6;
const APPIDS: Handle = 0x7;
const DIMSTYLES: Handle = 0x8;
const RECORDS: Handle = 0x9;
/// The record of the space of models.
pub(super) const MODEL: Handle = 0xA;
const PAPER: Handle = 0xB;
const ROOT: Handle = 0xC;
const GROUPS: Handle = 0xD;
const LAYOUTS: Handle = 0xE;
const PLOT_STYLES: Handle = 0xF;
const NORMAL: Handle = 0x10;
const MODEL_LAYOUT: Handle = 0x11;
const PAPER_LAYOUT: Handle = 0x12;
const MASKS: Handle = 0x13;

/// The whole drawing.
pub(super) fn write(page: &Page, mut drawing: Drawing<'_>) -> String {
    let entities = std::mem::take(&mut drawing.tags.0);
    let mut out = Tags::default();
    let mut body = Tags::default();
    tables(&mut body, &mut drawing);
    blocks(&mut body, &mut drawing);
    body.text(0, "SECTION").text(2, "ENTITIES");
    body.0.push_str(&entities);
    body.text(0, "ENDSEC");
    objects(&mut body, &drawing, page);
    header(&mut out, &drawing);
    classes(&mut out);
    out.0.push_str(&body.0);
    out.text(0, "EOF");
    out.0
}

fn header(out: &mut Tags, drawing: &Drawing<'_>) {
    let (least, most) = drawing.space.reach.0.unwrap_or_default();
    out.text(0, "SECTION").text(2, "HEADER");
    out.text(9, "$ACADVER").text(1, "AC1032");
    out.text(9, "$DWGCODEPAGE").text(3, "ANSI_1252");
    out.text(9, "$INSBASE").place(10, DVec2::ZERO);
    out.text(9, "$EXTMIN").place(10, least);
    out.text(9, "$EXTMAX").place(10, most);
    out.text(9, "$LIMMIN").point(10, least);
    out.text(9, "$LIMMAX").point(10, most);
    // dashes are in mm of paper
    out.text(9, "$LTSCALE").real(40, drawing.space.scale);
    out.text(9, "$TEXTSTYLE").text(7, REGULAR);
    out.text(9, "$CLAYER").text(8, "0");
    out.text(9, "$LUNITS").whole(70, 2);
    out.text(9, "$HANDSEED").handle(5, drawing.end());
    out.text(9, "$MEASUREMENT").whole(70, 1);
    out.text(9, "$PSLTSCALE").whole(70, 1);
    out.text(9, "$LWDISPLAY").whole(290, 1);
    // millimetres
    out.text(9, "$INSUNITS").whole(70, 4);
    out.text(0, "ENDSEC");
}

fn classes(out: &mut Tags) {
    out.text(0, "SECTION").text(2, "CLASSES");
    for (name, class, application, flags, is_entity) in [
        ("ACDBDICTIONARYWDFLT", "AcDbDictionaryWithDefault", "ObjectDBX Classes", 0, 0),
        ("ACDBPLACEHOLDER", "AcDbPlaceHolder", "ObjectDBX Classes", 0, 0),
        ("WIPEOUTVARIABLES", "AcDbWipeoutVariables", "WipeOut", 0, 0),
        ("WIPEOUT", "AcDbWipeout", "WipeOut", 127, 1),
    ] {
        out.text(0, "CLASS").text(1, name).text(2, class).text(3, application);
        out.whole(90, flags).whole(91, 1).whole(280, 0).whole(281, is_entity);
    }
    out.text(0, "ENDSEC");
}

fn table(out: &mut Tags, name: &str, handle: Handle, count: usize) {
    out.text(0, "TABLE")
        .text(2, name)
        .handle(5, handle)
        .handle(330, 0)
        .text(100, "AcDbSymbolTable")
        .whole(70, count as i64);
}

fn record(out: &mut Tags, kind: &str, handle: Handle, owner: Handle, class: &str, name: &str) {
    out.text(0, kind).handle(if kind == "DIMSTYLE" { 105 } else { 5 }, handle).handle(330, owner);
    out.text(100, "AcDbSymbolTableRecord").text(100, class).text(2, name).whole(70, 0);
}

fn tables(out: &mut Tags, drawing: &mut Drawing<'_>) {
    out.text(0, "SECTION").text(2, "TABLES");
    let (least, most) = drawing.space.reach.0.unwrap_or((DVec2::ZERO, DVec2::ONE));
    let (middle, size) = ((least + most) / 2.0, (most - least).max(DVec2::ONE));
    table(out, "VPORT", VPORTS, 1);
    record(out, "VPORT", drawing.next(), VPORTS, "AcDbViewportTableRecord", "*Active");
    out.point(10, DVec2::ZERO).point(11, DVec2::ONE).point(12, middle).point(13, DVec2::ZERO);
    out.point(14, DVec2::splat(10.0))
        .point(15, DVec2::splat(10.0))
        .point(16, DVec2::ZERO)
        .real(36, 1.0)
        .place(17, DVec2::ZERO);
    out.real(40, size.y.max(size.x / 1.6) * 1.05)
        .real(41, 1.6)
        .real(42, 50.0)
        .real(43, 0.0)
        .real(44, 0.0)
        .real(50, 0.0)
        .real(51, 0.0);
    out.whole(71, 0)
        .whole(72, 1000)
        .whole(73, 1)
        .whole(74, 3)
        .whole(75, 0)
        .whole(76, 0)
        .whole(77, 0)
        .whole(78, 0)
        .whole(281, 0)
        .whole(65, 0);
    out.text(0, "ENDTAB");
    linetypes(out, drawing);
    layers(out, drawing);
    table(out, "STYLE", STYLES, 3);
    let family = Fonts::in_use().name().unwrap_or("Arial");
    for (name, file) in [("Standard", "arial.ttf"), (REGULAR, "arial.ttf"), (BOLD, "arialbd.ttf")] {
        record(out, "STYLE", drawing.next(), STYLES, "AcDbTextStyleTableRecord", name);
        out.real(40, 0.0).real(41, 1.0).real(50, 0.0).whole(71, 0).real(42, 2.5).text(3, file).text(4, "");
        // the family, so that the file need not be found: weight in the high bits
        let flags = 34 + if name == BOLD { 1 << 25 } else { 0 };
        out.text(1001, "ACAD").text(1000, family).whole(1071, flags);
    }
    out.text(0, "ENDTAB");
    table(out, "VIEW", VIEWS, 0);
    out.text(0, "ENDTAB");
    table(out, "UCS", UCSS, 0);
    out.text(0, "ENDTAB");
    table(out, "APPID", APPIDS, 2);
    for name in ["ACAD", APPLICATION] {
        record(out, "APPID", drawing.next(), APPIDS, "AcDbRegAppTableRecord", name);
    }
    out.text(0, "ENDTAB");
    table(out, "DIMSTYLE", DIMSTYLES, 1);
    out.text(100, "AcDbDimStyleTable");
    record(out, "DIMSTYLE", drawing.next(), DIMSTYLES, "AcDbDimStyleTableRecord", "Standard");
    out.text(0, "ENDTAB");
    table(out, "BLOCK_RECORD", RECORDS, drawing.blocks.len() + 2);
    let own = drawing.blocks.iter().map(|block| (block.record, block.name.as_str(), 0));
    for (handle, name, layout) in
        [(MODEL, "*Model_Space", MODEL_LAYOUT), (PAPER, "*Paper_Space", PAPER_LAYOUT)].into_iter().chain(own)
    {
        out.text(0, "BLOCK_RECORD").handle(5, handle).handle(330, RECORDS).text(100, "AcDbSymbolTableRecord");
        out.text(100, "AcDbBlockTableRecord")
            .text(2, name)
            .handle(340, layout)
            .whole(70, 4)
            .whole(280, 1)
            .whole(281, 0);
    }
    out.text(0, "ENDTAB").text(0, "ENDSEC");
}

fn linetypes(out: &mut Tags, drawing: &mut Drawing<'_>) {
    let common: [(&str, &[f64]); 5] = [
        ("ByBlock", &[]),
        ("ByLayer", &[]),
        ("Continuous", &[]),
        ("HIDDEN", &[2.0, 1.0]),
        ("CENTER", &[8.0, 1.5, 2.0, 1.5]),
    ];
    let met = std::mem::take(&mut drawing.linetypes);
    table(out, "LTYPE", LTYPES, common.len() + met.len());
    let own = met.iter().map(|(name, dashes)| (name.as_str(), dashes.as_slice()));
    for (name, dashes) in common.into_iter().chain(own) {
        record(out, "LTYPE", drawing.next(), LTYPES, "AcDbLinetypeTableRecord", name);
        let shown: Vec<&str> =
            dashes.iter().enumerate().map(|(n, _)| if n % 2 == 0 { "__" } else { " " }).collect();
        out.text(3, &shown.concat())
            .whole(72, 65)
            .whole(73, dashes.len() as i64)
            .real(40, dashes.iter().sum());
        for (n, length) in dashes.iter().enumerate() {
            out.real(49, if n % 2 == 0 { *length } else { -length }).whole(74, 0);
        }
    }
    out.text(0, "ENDTAB");
}

fn layers(out: &mut Tags, drawing: &mut Drawing<'_>) {
    let zero = Style { name: "0".into(), colour: 7, weight: -3, linetype: "Continuous" };
    let met: Vec<Style> = [zero].into_iter().chain(drawing.layers.values().cloned()).collect();
    table(out, "LAYER", LAYERS, met.len());
    for style in met {
        record(out, "LAYER", drawing.next(), LAYERS, "AcDbLayerTableRecord", &style.name);
        out.whole(62, i64::from(style.colour))
            .text(6, style.linetype)
            .whole(370, i64::from(style.weight))
            .handle(390, NORMAL);
    }
    out.text(0, "ENDTAB");
}

fn blocks(out: &mut Tags, drawing: &mut Drawing<'_>) {
    out.text(0, "SECTION").text(2, "BLOCKS");
    let space =
        |name: &str, record: Handle| Block { name: name.into(), record, entities: String::new(), clip: None };
    let own = std::mem::take(&mut drawing.blocks);
    let spaces = [space("*Model_Space", MODEL), space("*Paper_Space", PAPER)];
    for block in spaces.iter().chain(&own) {
        let is_anonymous = block.name.starts_with("*U");
        out.text(0, "BLOCK")
            .handle(5, drawing.next())
            .handle(330, block.record)
            .text(100, "AcDbEntity")
            .text(8, "0");
        out.text(100, "AcDbBlockBegin")
            .text(2, &block.name)
            .whole(70, i64::from(is_anonymous))
            .place(10, DVec2::ZERO);
        out.text(3, &block.name).text(1, "");
        out.0.push_str(&block.entities);
        out.text(0, "ENDBLK")
            .handle(5, drawing.next())
            .handle(330, block.record)
            .text(100, "AcDbEntity")
            .text(8, "0");
        out.text(100, "AcDbBlockEnd");
    }
    drawing.blocks = own;
    out.text(0, "ENDSEC");
}

fn dictionary(out: &mut Tags, handle: Handle, owner: Handle, is_hard: bool, entries: &[(&str, Handle)]) {
    out.text(0, "DICTIONARY").handle(5, handle).handle(330, owner).text(100, "AcDbDictionary");
    if is_hard {
        out.whole(280, 1);
    }
    out.whole(281, 1);
    for (name, entry) in entries {
        out.text(3, name).handle(if is_hard { 360 } else { 350 }, *entry);
    }
}

fn objects(out: &mut Tags, drawing: &Drawing<'_>, page: &Page) {
    out.text(0, "SECTION").text(2, "OBJECTS");
    dictionary(
        out,
        ROOT,
        0,
        false,
        &[
            ("ACAD_GROUP", GROUPS),
            ("ACAD_LAYOUT", LAYOUTS),
            ("ACAD_PLOTSTYLENAME", PLOT_STYLES),
            ("ACAD_WIPEOUT_VARS", MASKS),
        ],
    );
    // masks without frames
    out.text(0, "WIPEOUTVARIABLES")
        .handle(5, MASKS)
        .handle(330, ROOT)
        .text(100, "AcDbWipeoutVariables")
        .whole(70, 0);
    dictionary(out, GROUPS, ROOT, false, &[]);
    dictionary(out, LAYOUTS, ROOT, false, &[("Model", MODEL_LAYOUT), ("Layout1", PAPER_LAYOUT)]);
    out.text(0, "ACDBDICTIONARYWDFLT")
        .handle(5, PLOT_STYLES)
        .handle(330, ROOT)
        .text(100, "AcDbDictionary")
        .whole(281, 1);
    out.text(3, "Normal").handle(350, NORMAL).text(100, "AcDbDictionaryWithDefault").handle(340, NORMAL);
    out.text(0, "ACDBPLACEHOLDER").handle(5, NORMAL).handle(330, PLOT_STYLES);
    layout(out, "Model", MODEL_LAYOUT, MODEL, 1024, 0, page);
    layout(out, "Layout1", PAPER_LAYOUT, PAPER, 0, 1, page);
    for clip in drawing.blocks.iter().filter_map(|block| block.clip.as_ref()) {
        let (filters, filter) = (clip.dictionary + 1, clip.dictionary + 2);
        dictionary(out, clip.dictionary, clip.insert, true, &[("ACAD_FILTER", filters)]);
        dictionary(out, filters, clip.dictionary, true, &[("SPATIAL", filter)]);
        out.text(0, "SPATIAL_FILTER").handle(5, filter).handle(330, filters);
        out.text(100, "AcDbFilter").text(100, "AcDbSpatialFilter").whole(70, clip.ring.len() as i64);
        for point in &clip.ring {
            out.point(10, *point);
        }
        out.real(210, 0.0)
            .real(220, 0.0)
            .real(230, 1.0)
            .place(11, DVec2::ZERO)
            .whole(71, 1)
            .whole(72, 0)
            .whole(73, 0);
        // the reference lies at the origin as the block does, so that both maps change nothing
        for _ in 0..2 {
            for number in [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
                out.real(40, number);
            }
        }
    }
    out.text(0, "ENDSEC");
}

fn layout(out: &mut Tags, name: &str, handle: Handle, space: Handle, flags: i64, order: i64, page: &Page) {
    out.text(0, "LAYOUT")
        .handle(5, handle)
        .handle(330, LAYOUTS)
        .text(100, "AcDbPlotSettings")
        .text(1, "")
        .text(2, "none_device")
        .text(4, "")
        .text(6, "");
    for code in 40..=43 {
        out.real(code, 0.0);
    }
    out.real(44, page.size.x).real(45, page.size.y).real(46, 0.0).real(47, 0.0).real(48, 0.0).real(49, 0.0);
    out.real(140, 0.0)
        .real(141, 0.0)
        .real(142, 1.0)
        .real(143, 1.0)
        .whole(70, flags)
        .whole(72, 1)
        .whole(73, 0)
        .whole(74, 5)
        .text(7, "");
    out.whole(75, 16).whole(76, 0).whole(77, 2).whole(78, 300).real(147, 1.0).real(148, 0.0).real(149, 0.0);
    out.text(100, "AcDbLayout")
        .text(1, name)
        .whole(70, 1)
        .whole(71, order)
        .point(10, DVec2::ZERO)
        .point(11, page.size)
        .place(12, DVec2::ZERO);
    out.place(14, DVec2::ZERO).place(15, page.size).real(146, 0.0).place(13, DVec2::ZERO);
    out.real(16, 1.0)
        .real(26, 0.0)
        .real(36, 0.0)
        .real(17, 0.0)
        .real(27, 1.0)
        .real(37, 0.0)
        .whole(76, 0)
        .handle(330, space);
}
