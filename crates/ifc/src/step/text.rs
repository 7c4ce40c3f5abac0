//! Strings of ISO 10303-21: `''` for an apostrophe, `\\` for a backslash, `\X\`, `\X2\` and `\X4\` for characters by
//! number, `\S\` with `\P?\` for the upper halves of ISO 8859. Raw bytes above 127, which the standard forbids and
//! programs write, are read as UTF-8 if they are that, else as ISO 8859-1.

use std::fmt::Write as _;

/// The characters 160 to 255 of ISO 8859-2 to 8859-9, for `\S\` under the pages `\PB\` to `\PI\`.
#[rustfmt::skip]
const PAGES: [&str; 8] = [
    // ISO 8859-2
    "\u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
    // ISO 8859-3
    "\u{a0}Ħ˘£¤�Ĥ§¨İŞĞĴ\u{ad}�Ż°ħ²³´µĥ·¸ışğĵ½�żÀÁÂ�ÄĊĈÇÈÉÊËÌÍÎÏ�ÑÒÓÔĠÖ×ĜÙÚÛÜŬŜßàáâ�äċĉçèéêëìíîï�ñòóôġö÷ĝùúûüŭŝ˙",
    // ISO 8859-4
    "\u{a0}ĄĸŖ¤ĨĻ§¨ŠĒĢŦ\u{ad}Ž¯°ą˛ŗ´ĩļˇ¸šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪĐŅŌĶÔÕÖ×ØŲÚÛÜŨŪßāáâãäåæįčéęëėíîīđņōķôõö÷øųúûüũū˙",
    // ISO 8859-5
    "\u{a0}ЁЂЃЄЅІЇЈЉЊЋЌ\u{ad}ЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§ўџ",
    // ISO 8859-6
    "\u{a0}���¤�������\u{60c}\u{ad}�������������\u{61b}���\u{61f}�\u{621}\u{622}\u{623}\u{624}\u{625}\u{626}\u{627}\u{628}\u{629}\u{62a}\u{62b}\u{62c}\u{62d}\u{62e}\u{62f}\u{630}\u{631}\u{632}\u{633}\u{634}\u{635}\u{636}\u{637}\u{638}\u{639}\u{63a}�����\u{640}\u{641}\u{642}\u{643}\u{644}\u{645}\u{646}\u{647}\u{648}\u{649}\u{64a}\u{64b}\u{64c}\u{64d}\u{64e}\u{64f}\u{650}\u{651}\u{652}�������������",
    // ISO 8859-7
    "\u{a0}‘’£€₯¦§¨©ͺ«¬\u{ad}�―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ�ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ�",
    // ISO 8859-8
    "\u{a0}�¢£¤¥¦§¨©×«¬\u{ad}®¯°±²³´µ¶·¸¹÷»¼½¾��������������������������������‗\u{5d0}\u{5d1}\u{5d2}\u{5d3}\u{5d4}\u{5d5}\u{5d6}\u{5d7}\u{5d8}\u{5d9}\u{5da}\u{5db}\u{5dc}\u{5dd}\u{5de}\u{5df}\u{5e0}\u{5e1}\u{5e2}\u{5e3}\u{5e4}\u{5e5}\u{5e6}\u{5e7}\u{5e8}\u{5e9}\u{5ea}��\u{200e}\u{200f}�",
    // ISO 8859-9
    "\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ",
];

/// The text of a string whose raw bytes stood between its quotes.
pub fn decode(raw: &[u8]) -> String {
    let plain = raw.iter().all(|b| (0x20..0x80).contains(b) && !matches!(b, b'\'' | b'\\'));
    if plain {
        return String::from_utf8_lossy(raw).into_owned();
    }
    let utf8 = std::str::from_utf8(raw).is_ok();
    let mut out: Vec<u8> = Vec::with_capacity(raw.len());
    let mut page = 0usize;
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        match byte {
            b'\'' => {
                out.push(b'\'');
                at += if raw.get(at + 1) == Some(&b'\'') { 2 } else { 1 };
            }
            // a string may be broken over lines; the break is not part of it
            b'\r' | b'\n' => at += 1,
            b'\\' => at += escape(raw.get(at..).unwrap_or_default(), &mut page, &mut out),
            0x80.. if !utf8 => {
                push(&mut out, char::from(byte));
                at += 1;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn push(out: &mut Vec<u8>, character: char) {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Decodes the directive at the beginning of `raw`, which is a backslash; answers how many bytes it took. What is no
/// directive is taken as it stands.
fn escape(raw: &[u8], page: &mut usize, out: &mut Vec<u8>) -> usize {
    match raw {
        [_, b'\\', ..] => {
            out.push(b'\\');
            2
        }
        [_, b'S' | b's', b'\\', rest @ ..] if !rest.is_empty() => {
            let character = rest.first().copied().unwrap_or_default();
            let code = character | 0x80;
            let mapped = match page.checked_sub(1).and_then(|p| PAGES.get(p)) {
                Some(table) if code >= 0xA0 => table.chars().nth(usize::from(code - 0xA0)),
                _ => None,
            };
            push(out, mapped.unwrap_or(char::from(code)));
            // an apostrophe stands alone here, by the standard; where it is doubled the run of them is even
            let apostrophes = rest.iter().take_while(|byte| **byte == b'\'').count();
            if apostrophes > 0 && apostrophes % 2 == 0 { 5 } else { 4 }
        }
        [_, b'P' | b'p', letter @ b'A'..=b'I', b'\\', ..] => {
            *page = usize::from(letter - b'A');
            4
        }
        [_, b'X' | b'x', b'\\', high, low, ..] if hex(*high).is_some() && hex(*low).is_some() => {
            let code = (hex(*high).unwrap_or(0) << 4) | hex(*low).unwrap_or(0);
            push(out, char::from(code as u8));
            5
        }
        [_, b'X' | b'x', b'2', b'\\', rest @ ..] => 4 + wide(rest, 4, out),
        [_, b'X' | b'x', b'4', b'\\', rest @ ..] => 4 + wide(rest, 8, out),
        [_, b'X' | b'x', b'0', b'\\', ..] => 4,
        _ => {
            out.push(b'\\');
            1
        }
    }
}

/// Characters by `width` hexadecimal digits each up to `\X0\`; answers how many bytes they took.
fn wide(raw: &[u8], width: usize, out: &mut Vec<u8>) -> usize {
    let mut at = 0;
    let mut high: Option<u32> = None;
    while let Some(digits) = raw.get(at..at + width) {
        let Some(code) = digits.iter().try_fold(0u32, |code, d| Some((code << 4) | hex(*d)?)) else { break };
        at += width;
        // surrogate pairs are UTF-16, which \X2\ is not meant to be, but is
        match (high.take(), code) {
            (None, 0xD800..0xDC00) => high = Some(code),
            (Some(first), 0xDC00..0xE000) => {
                let joined = 0x10000 + ((first - 0xD800) << 10) + (code - 0xDC00);
                push(out, char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (before, _) => {
                if before.is_some() {
                    push(out, char::REPLACEMENT_CHARACTER);
                }
                push(out, char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }
    if high.is_some() {
        push(out, char::REPLACEMENT_CHARACTER);
    }
    if matches!(raw.get(at..at + 4), Some([b'\\', b'X' | b'x', b'0', b'\\'])) { at + 4 } else { at }
}

fn hex(digit: u8) -> Option<u32> {
    char::from(digit).to_digit(16)
}

/// Writes a string with its quotes. Beyond printable ASCII, characters go by number: `\X\` for controls, `\X2\` for
/// the basic plane, `\X4\` for the rest, neighbours together.
pub fn encode(text: &str, out: &mut String) {
    out.push('\'');
    let mut open = 0u8;
    for character in text.chars() {
        let width = match character {
            ' '..='~' => 0,
            '\0'..='\x1f' | '\x7f' => 2,
            '\u{80}'..='\u{ffff}' => 4,
            _ => 8,
        };
        if open != 0 && open != width {
            out.push_str("\\X0\\");
            open = 0;
        }
        match width {
            0 => match character {
                '\'' => out.push_str("''"),
                '\\' => out.push_str("\\\\"),
                _ => out.push(character),
            },
            2 => {
                let _ = write!(out, "\\X\\{:02X}", u32::from(character));
            }
            4 => {
                if open == 0 {
                    out.push_str("\\X2\\");
                    open = 4;
                }
                let _ = write!(out, "{:04X}", u32::from(character));
            }
            _ => {
                if open == 0 {
                    out.push_str("\\X4\\");
                    open = 8;
                }
                let _ = write!(out, "{:08X}", u32::from(character));
            }
        }
    }
    if open != 0 {
        out.push_str("\\X0\\");
    }
    out.push('\'');
}
